//! One message whose header was read: its name, its body, and what it does to the match.

use super::assumed;
use super::context::{Context, UNDER};
use super::exchange::Link;
use super::info::{self, Words};
use super::key::KeyState;
use super::knowledge::{Delivery, Knowledge};
use super::layouts::{self, Basis, BuildTables, Learning, Progress};
use super::library::Library;
use super::links;
use super::show;
use super::walk::Message;
use crate::book::names::Source;
use crate::capture::{MessageId, Output};
use crate::decode::{self, End, Facts, Input, Point};
use crate::fields::lol::{Expert, Field};
use crate::layout::Exchange;
use crate::registry::Program;
use crate::tree::{flag, FieldId};

/// Reads and shows one message under its record; on the first pass also delivers it.
pub fn read(
    library: &mut Library,
    known: &mut Knowledge,
    context: &Context<'_>,
    root: Option<usize>,
    message: &Message,
    out: &mut Output,
) -> Progress {
    let tables = context.build.map(|known| library.builds.of(known.build));
    let learning = if context.payload.delivers() { Learning::Trial } else { Learning::Nothing };
    let which = (context.payload.channel, context.payload.sender, message.command);
    let input = context.input(message);
    let found = layouts::find(tables, &mut known.inference, which, &input, learning);
    let name = name(tables, found.program, found.basis, message.command);
    if context.nodes() {
        show_name(name, found.basis, out);
    }
    let words = &mut library.words;
    let called = found.program.map(|program| program.message.name).or(name.map(|(name, _)| name));
    let is_off = found.program.is_some_and(|program| library.settings.disabled.contains(&program.family));
    words.begin(called, message.command, found.program.is_some() && !is_off);
    match found.program {
        Some(program) => {
            let settings = &library.settings;
            let names = Some(&settings.names).filter(|names| !names.is_empty());
            let input = Input { names, ..input };
            let body = (program, input);
            if is_off {
                read_switched_off(known, context, root, message, body, out);
                tell_bytes(known, context, root, message, words, out);
            } else {
                assumed::show(known, context, root, message, (program, found.basis), out);
                read_body(known, context, root, message, body, words, out);
            }
        }
        None => {
            show_unread(known, tables, context, root, message, out);
            tell_bytes(known, context, root, message, words, out);
        }
    }
    found.progress
}

/// Says in the Info line that a body is not read, and how long it is.
fn tell_bytes(
    known: &Knowledge,
    context: &Context<'_>,
    root: Option<usize>,
    message: &Message,
    words: &mut Words,
    out: &mut Output,
) {
    if context.columns() {
        let subjects = info::subjects(message.net_id, &Facts::default());
        words.tell(&subjects, message.length, &known.units, root, out);
    }
}

/// Delivers one message that had to wait, without showing it.
pub fn deliver(
    library: &mut Library,
    known: &mut Knowledge,
    context: &Context<'_>,
    message: &Message,
    out: &mut Output,
) -> Progress {
    let id = context.payload.id.inner(message.inner);
    let Some(build) = context.build else {
        known.unread.take(id, message.command);
        return Progress::default();
    };
    let tables = library.builds.of(build.build);
    let which = (context.payload.channel, context.payload.sender, message.command);
    let mut input = context.input(message);
    let found = layouts::find(Some(tables), &mut known.inference, which, &input, Learning::Replay);
    if found.program.is_none() {
        known.unread.take(id, message.command);
    }
    if let Some(program) = found.program {
        known.unread.is_read(id);
        if assumed::is(found.basis) {
            // later passes show it read so, and the first of its command with the note
            known.notes_assumption(Some(message.command), id, true);
        }
        known.learn_origin(program, &input, &mut out.tree);
        input.origin = known.origin().known().map(|(origin, _)| origin);
        let mut facts = Facts::default();
        decode::read::<false>(program, &input, &mut out.tree, &mut facts);
        known.deliver(&delivery(context, message, (program, input.bytes), &facts, true));
    }
    found.progress
}

#[inline(always)]
fn delivery<'a>(
    context: &Context<'_>,
    message: &Message,
    (program, body): (&'static Program, &'a [u8]),
    facts: &'a Facts,
    is_replay: bool,
) -> Delivery<'a> {
    let (channel, time) = (context.payload.channel, context.payload.time);
    let id = context.payload.id.inner(message.inner);
    Delivery { program, facts, channel, net_id: message.net_id, body, id, time, is_replay }
}

/// What a command is called, and where that is known from.
fn name(
    tables: Option<&BuildTables>,
    program: Option<&'static Program>,
    basis: Basis,
    command: u16,
) -> Option<(&'static str, &'static str)> {
    match (program, tables) {
        (Some(program), _) if matches!(basis, Basis::Book | Basis::Recorded) => {
            Some((program.message.name, "book"))
        }
        (_, Some(tables)) => tables.names.get(command).map(|(name, source)| match source {
            Source::Stated => (name, "stated"),
            Source::Carried => (name, "carried"),
        }),
        _ => None,
    }
}

fn show_name(name: Option<(&str, &str)>, basis: Basis, out: &mut Output) {
    if let Some((name, source)) = name {
        out.text(UNDER, Field::CommandName.id(), (0, 0), name, flag::GENERATED);
        out.text(UNDER, Field::CommandNameSource.id(), (0, 0), source, flag::GENERATED);
    }
    out.text(UNDER, Field::LayoutBasis.id(), (0, 0), basis.name(), flag::GENERATED);
}

/// Shows a message that is not read: its bytes, and once in a session why, and which there are.
fn show_unread(
    known: &mut Knowledge,
    tables: Option<&BuildTables>,
    context: &Context<'_>,
    root: Option<usize>,
    message: &Message,
    out: &mut Output,
) {
    let there = show_bytes(context, message, out);
    let id = context.payload.id.inner(message.inner);
    if known.notes_unread(context.payload, id, message.command) {
        note_unread(known, tables, context, root, message, out);
    }
    if there < message.length {
        show::cut_payload(out, root, context.payload);
    }
}

/// What stands behind a note on messages that are not read.
const FOUND: &str = "; lol.layout.basis == \"none\" finds all that is not read";

/// The note on the messages of a session that are not read: on the first pass at the first one, later with all of them. Where
/// the key is missing, that is what has to be said.
fn note_unread(
    known: &Knowledge,
    tables: Option<&BuildTables>,
    context: &Context<'_>,
    root: Option<usize>,
    message: &Message,
    out: &mut Output,
) {
    let name = |command| tables.and_then(|tables| tables.names.get(command)).map(|(name, _)| name);
    let count = match known.unread.total() {
        _ if context.payload.writes => String::new(),
        1 => "1 message is not read: ".to_owned(),
        count => format!("{count} messages are not read: "),
    };
    let Some(build) = context.build else {
        if !matches!(known.key.state, KeyState::Wrong | KeyState::Missing) {
            let text = "the session has not stated its build here: set lol.build, or lol.fallback_build for sessions that never state it";
            let text = if count.is_empty() { text.replacen('t', "T", 1) } else { count + text };
            out.expert(Expert::BuildUnknown.id(), root, &(text + FOUND));
        }
        return;
    };
    let text = match context.payload.writes {
        true => {
            let name = name(message.command).map_or_else(String::new, |name| format!(" ({name})"));
            format!(
                "No layout for command {}{name} in build {}; others may follow{FOUND}",
                message.command, build.build
            )
        }
        false => {
            let before = format!("{count}build {} has no layout for command ", build.build);
            known.unread.list(&before, FOUND, &name)
        }
    };
    out.expert(Expert::Unknown.id(), root, &text);
}

/// Reads a body with its layout, and delivers what it says.
fn read_body(
    known: &mut Knowledge,
    context: &Context<'_>,
    root: Option<usize>,
    message: &Message,
    (program, mut input): (&'static Program, Input<'_>),
    words: &mut Words,
    out: &mut Output,
) {
    let id = context.payload.id.inner(message.inner);
    let delivers = context.payload.delivers();
    if delivers {
        known.learn_origin(program, &input, &mut out.tree);
    }
    input.origin = known.origin().known().map(|(origin, _)| origin);
    let mut facts = Facts::default();
    let (item, end) = show_body(context, root, program, &input, &mut facts, out);
    if delivers {
        known.deliver(&delivery(context, message, (program, input.bytes), &facts, false));
    }
    if matches!(program.message.exchange, Exchange::Answers(_)) {
        tell_time(known, id, root, out);
    }
    if context.nodes() {
        show_links(known, program, id, out);
        known.part.uses_origin |= facts.packed || matches!(facts.last, Some(Point::Path(..)));
    }
    show_end(context, item, message, program, (&input, end), out);
    if context.columns() {
        info::facts(&mut words.what, &facts, input.origin, input.names, &known.units);
        if let (Exchange::Answers(_), Some(Link::Answers(_, time))) =
            (program.message.exchange, known.link(id))
        {
            words.answers_after(time);
        }
        words.tell(&info::subjects(message.net_id, &facts), 0, &known.units, root, out);
        if item != root {
            words.head(item, out);
        }
    }
}

/// Shows a message whose family is switched off: its name and its bytes. The match learns from it all the same, so that
/// nothing else is shown otherwise for it.
fn read_switched_off(
    known: &mut Knowledge,
    context: &Context<'_>,
    root: Option<usize>,
    message: &Message,
    (program, mut input): (&'static Program, Input<'_>),
    out: &mut Output,
) {
    if context.payload.delivers() {
        known.learn_origin(program, &input, &mut out.tree);
        input.origin = known.origin().known().map(|(origin, _)| origin);
        let mut facts = Facts::default();
        decode::read::<false>(program, &input, &mut out.tree, &mut facts);
        known.deliver(&delivery(context, message, (program, input.bytes), &facts, false));
    }
    if context.nodes() {
        out.text(UNDER, Field::Message.id(), (0, 0), program.message.name, flag::GENERATED);
    }
    if show_bytes(context, message, out) < message.length {
        show::cut_payload(out, root, context.payload);
    }
}

/// Shows the body of a message as bytes; answers how many there are.
fn show_bytes(context: &Context<'_>, message: &Message, out: &mut Output) -> u32 {
    let there = (context.bytes.len() as u32).saturating_sub(message.body).min(message.length);
    if context.nodes() && there > 0 {
        out.node(UNDER, Field::Body.id(), context.at(message.body, there), 0, context.flags);
    }
    there
}

/// Reads a body into nodes where they are wanted, and into facts; answers the item of the body.
fn show_body(
    context: &Context<'_>,
    root: Option<usize>,
    program: &Program,
    input: &Input<'_>,
    facts: &mut Facts,
    out: &mut Output,
) -> (Option<usize>, End) {
    if !context.nodes() {
        return (root, decode::read::<false>(program, input, &mut out.tree, facts));
    }
    let length = input.bytes.len() as u32;
    out.text(UNDER, Field::Message.id(), (0, 0), program.message.name, flag::GENERATED);
    let family = out.node(UNDER, program.family, (input.base, length), 0, context.flags);
    let end = decode::read::<true>(program, input, &mut out.tree, facts);
    out.close(family, input.base + end.used.min(length));
    (family, end)
}

/// Says so where a body ends before its layout does, or after it.
fn show_end(
    context: &Context<'_>,
    item: Option<usize>,
    message: &Message,
    program: &Program,
    (input, end): (&Input<'_>, End),
    out: &mut Output,
) {
    if let Some(cut) = end.cut {
        show::cut(out, item, &cut);
    } else if end.used < message.length {
        let left = message.length - end.used;
        if context.nodes() {
            let there = (input.bytes.len() as u32).saturating_sub(end.used);
            out.node(UNDER, Field::LeftOver.id(), (input.base + end.used, there), 0, context.flags);
        }
        let text = format!("{left} bytes after the end of {}", program.message.name);
        out.expert(Expert::Surplus.id(), item, &text);
    }
}

/// Nodes that link a statement with its answer.
fn show_links(known: &Knowledge, program: &Program, id: MessageId, out: &mut Output) {
    let mut add = |field: Option<FieldId>, value| {
        if let Some(field) = field {
            out.node(UNDER + 1, field, (0, 0), value, flag::GENERATED);
        }
    };
    match (known.link(id), links::of(program.message.family)) {
        (Some(Link::AnsweredIn(frame)), Some(links)) => add(links.answered_in, frame.into()),
        (Some(Link::Answers(frame, time)), Some(links)) => {
            add(links.answers, frame.into());
            if time >= 0 {
                add(links.time, time as u64);
            }
        }
        _ => {}
    }
}

/// Says so where an answer was captured before what it answers.
fn tell_time(known: &Knowledge, id: MessageId, item: Option<usize>, out: &mut Output) {
    if let Some(Link::Answers(frame, ..=-1)) = known.link(id) {
        let text = format!(
            "Captured before frame {frame}, which it answers: time runs back in this capture, and no answer time is told"
        );
        out.expert(Expert::TimeBack.id(), item, &text);
    }
}
