//! One message whose header was read: its name, its body, and what it does to the match.

use super::build::BuildSource;
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
    words.begin(called, message.command, found.program.is_some());
    match found.program {
        Some(program) => {
            show_assumptions(known, context, root, message, (program, found.basis), out);
            let names = Some(&library.settings.names).filter(|names| !names.is_empty());
            let input = Input { names, ..input };
            read_body(known, context, root, message, (program, input), words, out);
        }
        None => {
            show_unread(known, tables, context, root, message, out);
            if context.columns() {
                words.tell(
                    &info::subjects(message.net_id, &Facts::default()),
                    message.length,
                    &known.units,
                    root,
                    out,
                );
            }
        }
    }
    found.progress
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
        if is_assumed(found.basis) {
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

/// Says what a message is read by that its session does not state: of each such thing once in a session, as
/// `lol.build.source` and `lol.layout.basis` say it of every message.
fn show_assumptions(
    known: &mut Knowledge,
    context: &Context<'_>,
    root: Option<usize>,
    message: &Message,
    (program, basis): (&Program, Basis),
    out: &mut Output,
) {
    let (id, writes) = (context.payload.id.inner(message.inner), context.payload.writes);
    if let Some(build) = context.build.filter(|build| build.source == BuildSource::Fallback) {
        if known.notes_assumption(None, id, writes) {
            let text = format!(
                "Read as build {}, this and what follows: the session does not state its build, and lol.fallback_build gives this one",
                build.build
            );
            out.expert(Expert::Inferred.id(), root, &text);
        }
    }
    let Some(text) = assumed(program, basis) else { return };
    if known.notes_assumption(Some(message.command), id, writes) {
        out.expert(Expert::Inferred.id(), root, &text);
    }
}

fn is_assumed(basis: Basis) -> bool {
    !matches!(basis, Basis::Book | Basis::Recorded | Basis::None)
}

/// What is to be said of a layout that no page surely holds for the build.
fn assumed(program: &Program, basis: Basis) -> Option<String> {
    if !is_assumed(basis) {
        return None;
    }
    let name = program.message.name;
    match basis {
        Basis::Book | Basis::Recorded | Basis::None => None,
        Basis::Inferred => Some(format!(
            "Layout inferred: no page holds {name} for this build, but that of {} uses bodies of this kind up exactly",
            program.layout.builds
        )),
        Basis::Ambiguous { fits: true } => Some(format!(
            "Layout inferred: the page of this build leaves a part of {name} open, and this shape uses the body up exactly"
        )),
        Basis::Ambiguous { fits: false } => Some(format!(
            "Layout inferred: the page of this build leaves a part of {name} open; no shape it may have uses this body up exactly, so the likeliest is shown"
        )),
        Basis::Neighbour(build) => Some(format!(
            "Layout of build {build}: no page holds this one, but there this number is {name}, and this session's bodies are used up exactly"
        )),
    }
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
    let there = (context.bytes.len() as u32).saturating_sub(message.body).min(message.length);
    if context.nodes() && there > 0 {
        out.node(UNDER, Field::Body.id(), context.at(message.body, there), 0, context.flags);
    }
    let id = context.payload.id.inner(message.inner);
    if known.notes_unread(context.payload, id, message.command) {
        note_unread(known, tables, context, root, message, out);
    }
    if there < message.length {
        show::cut_payload(out, root, context.payload);
    }
}

/// What stands behind a note on messages that are not read.
const FOUND: &str = ": lol.layout.basis == \"none\" finds all that is not read";

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
            add(links.time, time as u64);
        }
        _ => {}
    }
}
