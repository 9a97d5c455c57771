//! One message whose header was read: its name, its body, and what it does to the match.

use super::build::BuildSource;
use super::context::{Context, UNDER};
use super::exchange::Link;
use super::info;
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
use crate::name_list::NameList;
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
    show_assumptions(context, root, found.program, found.basis, out);
    let start = out.info.len();
    match found.program {
        Some(program) => {
            let settings = &library.settings;
            let names = Some(&settings.names).filter(|names| !names.is_empty());
            let input = Input { names, ..input };
            if settings.disabled.contains(&program.family) {
                read_switched_off(known, context, root, message, (program, input), out);
            } else {
                read_body(known, context, root, message, (program, input), out);
            }
        }
        None => show_unknown(known, context, root, message, name.map(|(name, _)| name), out),
    }
    if root.is_some() {
        // the item says what the Info line says of it
        let part = out.info.get(start..).unwrap_or("").trim_start_matches("; ").to_owned();
        out.label(root, &format!(": {part}"));
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
        known.lacks_build(context.payload, id);
        return Progress::default();
    };
    let tables = library.builds.of(build.build);
    let which = (context.payload.channel, context.payload.sender, message.command);
    let mut input = context.input(message);
    let found = layouts::find(Some(tables), &mut known.inference, which, &input, Learning::Replay);
    if let Some(program) = found.program {
        known.learn_origin(program, &input, &mut out.tree);
        input.origin = known.origin().known().map(|(origin, _)| origin);
        let mut facts = Facts::default();
        decode::read::<false>(program, &input, &mut out.tree, &mut facts);
        known.deliver(&delivery(context, program, &facts, id, true));
    }
    found.progress
}

#[inline(always)]
fn delivery<'a>(
    context: &Context<'_>,
    program: &'static Program,
    facts: &'a Facts,
    id: MessageId,
    is_replay: bool,
) -> Delivery<'a> {
    let (channel, time) = (context.payload.channel, context.payload.time);
    Delivery { program, facts, channel, id, time, is_replay }
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

/// Says what a message is read by that its session does not state.
fn show_assumptions(
    context: &Context<'_>,
    root: Option<usize>,
    program: Option<&Program>,
    basis: Basis,
    out: &mut Output,
) {
    if let Some(known) = context.build.filter(|known| known.source == BuildSource::Fallback) {
        let text = format!(
            "Read as build {}: the session does not state its build, and lol.fallback_build gives this one",
            known.build
        );
        out.expert(Expert::Inferred.id(), root, &text);
    }
    if let Some(text) = program.and_then(|program| assumed(program, basis)) {
        out.expert(Expert::Inferred.id(), root, &text);
    }
}

/// What is to be said of a layout that no page surely holds for the build.
fn assumed(program: &Program, basis: Basis) -> Option<String> {
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

/// Shows a message without a layout: its bytes, and why.
fn show_unknown(
    known: &mut Knowledge,
    context: &Context<'_>,
    root: Option<usize>,
    message: &Message,
    name: Option<&str>,
    out: &mut Output,
) {
    let there = show_bytes(context, message, out);
    match context.build {
        None => note_build(known, context, root, message, out),
        Some(build) => {
            let name = name.map_or_else(String::new, |name| format!(" ({name})"));
            let text = format!("No layout for command {}{name} in build {}", message.command, build.build);
            out.expert(Expert::Unknown.id(), root, &text);
        }
    }
    if there < message.length {
        show::cut_payload(out, root, context.payload);
    }
    if context.columns() {
        let part = match name {
            Some(name) => format!("[{name}]"),
            None => format!("[command {}]", message.command),
        };
        out.add_info("; ", &part);
    }
}

/// Says once in a session that its build is not known; where the key is missing, that is what has to be said.
fn note_build(
    known: &mut Knowledge,
    context: &Context<'_>,
    root: Option<usize>,
    message: &Message,
    out: &mut Output,
) {
    let id = context.payload.id.inner(message.inner);
    known.lacks_build(context.payload, id);
    if known.notes_build(id) && !matches!(known.key.state, KeyState::Wrong | KeyState::Missing) {
        let text = "The session has not stated its build here: set lol.build, or lol.fallback_build for sessions that never state it";
        out.expert(Expert::BuildUnknown.id(), root, text);
    }
}

/// Reads a body with its layout, and delivers what it says.
fn read_body(
    known: &mut Knowledge,
    context: &Context<'_>,
    root: Option<usize>,
    message: &Message,
    (program, mut input): (&'static Program, Input<'_>),
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
        known.deliver(&delivery(context, program, &facts, id, false));
    }
    if context.nodes() {
        show_links(known, program, id, out);
        known.part.uses_origin |= facts.packed || matches!(facts.last, Some(Point::Path(..)));
    }
    show_end(context, item, message, program, (&input, end), out);
    if context.columns() {
        out.add_info("; ", program.message.name);
        info::facts(&mut out.info, &facts, input.origin, input.names as Option<&NameList>);
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
        let id = context.payload.id.inner(message.inner);
        known.deliver(&delivery(context, program, &facts, id, false));
    }
    let name = program.message.name;
    if context.nodes() {
        out.text(UNDER, Field::Message.id(), (0, 0), name, flag::GENERATED);
    }
    if show_bytes(context, message, out) < message.length {
        show::cut_payload(out, root, context.payload);
    }
    if context.columns() {
        out.add_info("; ", &format!("[{name}]"));
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
            add(links.time, time as u64);
        }
        _ => {}
    }
}
