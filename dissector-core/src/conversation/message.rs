//! From a readable payload to messages: registration, container, message header, body.

use super::about::{about, open};
use super::exchange::Link;
use super::experts::Expert;
use super::fields::Field;
use super::framing;
use super::inference::Basis;
use super::info;
use super::lookup::{input, layout};
use super::output::{Grade, Output};
use super::payload::{Payload, Shared};
use super::records::Place;
use super::session::{BuildSource, KeyState, KnownBuild, Session};
use crate::book::names::Source;
use crate::container::CONTAINER;
use crate::decode::{self, Facts, Input, Point};
use crate::layout::{channel, Exchange, Role};
use crate::name_list::NameList;
use crate::registry::{Program, REGISTRY};
use crate::tree::{flag, Cut, FieldId};

/// Depth of what stands directly under a message's own item.
pub(super) const UNDER: u8 = 1;

/// What is the same for all messages of a payload.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub payload: &'a Payload<'a>,
    /// The readable bytes.
    pub bytes: &'a [u8],
    /// Flags for nodes of these bytes.
    pub flags: u16,
    pub build: Option<KnownBuild>,
}

impl Context<'_> {
    pub fn nodes(&self) -> bool {
        self.payload.grade >= Grade::Nodes
    }

    /// Position and length in the data source.
    pub fn at(&self, offset: u32, length: u32) -> (u32, u32) {
        (self.payload.base + offset, length)
    }
}

/// A message, wherever it stood.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message {
    pub command: u16,
    /// First byte of its body in the payload.
    pub body: u32,
    /// Bytes of its body on the wire.
    pub length: u32,
    pub inner: u16,
}

/// Reads all messages of a payload.
pub(super) fn payload(
    shared: &mut Shared,
    session: &mut Session,
    payload: &Payload<'_>,
    bytes: &[u8],
    deciphered: bool,
    out: &mut Output,
) {
    out.league = true;
    let flags = if deciphered { flag::DECIPHERED } else { 0 };
    let context = Context { payload, bytes, flags, build: shared.build(session) };
    if let (Some((_, stated)), Some(known)) =
        (session.contradicted.filter(|(place, _)| *place == payload.place), context.build)
    {
        let text = format!(
            "The session states build {stated} and is read as {}, which lol.build demands: set it to auto unless that is meant",
            known.build
        );
        out.expert(Expert::LolBuildContradicted, None, &text);
    }
    match payload.channel {
        channel::REGISTRATION if !is_in_book(shared, &context) => {
            framing::registration(session, &context, shared, out)
        }
        channel::REQUESTS..=channel::TRANSIENT if bytes.first() == Some(&CONTAINER) => {
            framing::container(shared, session, &context, out)
        }
        channel::REGISTRATION..=channel::TRANSIENT => framing::single(shared, session, &context, out),
        _ => plain_bytes(session, &context, shared, out),
    }
}

/// Whether the book of this build has a layout for a registration; older ones are read by their length.
fn is_in_book(shared: &mut Shared, context: &Context<'_>) -> bool {
    let (Some(known), Some(command)) = (context.build, context.bytes.first()) else { return false };
    let table = &shared.builds.of(known.build).table;
    table.bare(&REGISTRY, context.payload.sender, (*command).into()).is_some()
}

/// Shows a payload that cannot be read: its bytes, and once in a session what to do about it.
pub(super) fn unreadable(session: &Session, payload: &Payload<'_>, out: &mut Output) {
    out.league = true;
    let mut item = None;
    if payload.grade >= Grade::Nodes {
        let at = (payload.base, payload.length);
        let root = out.node(0, Field::Lol.id(), at, 0, 0);
        out.label(root, &format!(", enciphered, {} bytes", payload.reported));
        about(session, payload, None, None, out);
        out.node(UNDER, Field::Enciphered.id(), at, 0, 0);
        item = Some(root);
    }
    if session.note == Some(payload.place) {
        if let Some((expert, text)) = session.key.note() {
            out.expert(expert, item, text);
        }
    }
    if payload.length < payload.reported {
        short(out, item, payload);
    }
    if payload.grade >= Grade::Columns {
        let part = format!("enciphered, {} bytes on channel {}", payload.reported, payload.channel);
        info::join(&mut out.info, "; ", &part);
    }
}

pub(super) fn short(out: &mut Output, item: Option<usize>, payload: &Payload<'_>) {
    let text = format!("The capture holds {} of the payload's {} bytes", payload.length, payload.reported);
    out.expert(Expert::LolShort, item, &text);
}

/// A payload of a channel whose messages this reader does not take apart: chat, roster.
fn plain_bytes(session: &Session, context: &Context<'_>, shared: &Shared, out: &mut Output) {
    let payload = context.payload;
    let at = context.at(0, context.bytes.len() as u32);
    let mut item = None;
    if context.nodes() {
        let root = open(session, context, shared, at, out);
        let what = if payload.channel == channel::CHAT { "chat" } else { "roster" };
        out.label(root, &format!(", {what}, {} bytes", payload.reported));
        out.node(UNDER, Field::Body.id(), at, 0, context.flags);
        item = Some(root);
    }
    if payload.length < payload.reported {
        short(out, item, payload);
    }
    if payload.grade >= Grade::Columns {
        let what = if payload.channel == channel::CHAT { "chat" } else { "roster" };
        info::join(&mut out.info, "; ", &format!("[{what}, {} bytes]", payload.reported));
    }
}

/// Reads one message whose header was read: name, body, and what it does to the session.
pub(super) fn message(
    shared: &mut Shared,
    session: &mut Session,
    context: &Context<'_>,
    root: Option<usize>,
    message: &Message,
    out: &mut Output,
) {
    let known = context.build.map(|known| shared.builds.of(known.build));
    let (program, basis) = layout(known, session, context, message);
    let name = match (program, known) {
        (Some(program), _) if matches!(basis, Basis::Book | Basis::Recorded) => {
            Some((program.message.name, "book"))
        }
        (_, Some(known)) => known.names.get(message.command).map(|(name, source)| match source {
            Source::Stated => (name, "stated"),
            Source::Carried => (name, "carried"),
        }),
        _ => None,
    };
    if context.nodes() {
        if let Some((name, source)) = name {
            out.text(UNDER, Field::CommandName.id(), (0, 0), name, flag::GENERATED);
            out.text(UNDER, Field::CommandNameSource.id(), (0, 0), source, flag::GENERATED);
        }
        out.text(UNDER, Field::LayoutBasis.id(), (0, 0), basis.name(), flag::GENERATED);
    }
    if let Some(build) = context.build.filter(|known| known.source == BuildSource::Fallback).map(|k| k.build)
    {
        let text = format!(
            "Read as build {build}: the session does not state its build, and lol.fallback_build gives this one"
        );
        out.expert(Expert::LolInferred, root, &text);
    }
    if let Some(text) = program.and_then(|program| assumed(program, basis)) {
        out.expert(Expert::LolInferred, root, &text);
    }
    let start = out.info.len();
    match program {
        Some(program) => {
            let names = Some(&shared.settings.names).filter(|names| !names.is_empty());
            book_message(session, context, root, message, (program, names), out)
        }
        None => unknown_message(session, context, root, message, name.map(|(name, _)| name), out),
    }
    if let Some(root) = root {
        // the item says what the Info line says of it
        let part = out.info.get(start..).unwrap_or("").trim_start_matches("; ").to_owned();
        out.label(root, &format!(", {part}"));
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
        Basis::Open { fits: true } => Some(format!(
            "Layout inferred: the page of this build leaves a part of {name} open, and this shape uses the body up exactly"
        )),
        Basis::Open { fits: false } => Some(format!(
            "Layout inferred: the page of this build leaves a part of {name} open; no shape it may have uses this body up exactly, so the likeliest is shown"
        )),
        Basis::Neighbour(build) => Some(format!(
            "Layout of build {build}: no page holds this one, but there this number is {name}, and this session's bodies are used up exactly"
        )),
    }
}

/// Says once in a session that its build is not known; where the key is missing, that is what has to be said.
fn build_unknown(
    session: &mut Session,
    context: &Context<'_>,
    root: Option<usize>,
    message: &Message,
    out: &mut Output,
) {
    let place = Place { inner: message.inner, ..context.payload.place };
    if context.payload.writes {
        session.build_note.get_or_insert(place);
    }
    if session.build_note == Some(place) && !matches!(session.key, KeyState::Wrong | KeyState::None) {
        let text = "The session has not stated its build here: set lol.build, or lol.fallback_build for sessions that never state it";
        out.expert(Expert::LolBuildUnknown, root, text);
    }
}

fn unknown_message(
    session: &mut Session,
    context: &Context<'_>,
    root: Option<usize>,
    message: &Message,
    name: Option<&str>,
    out: &mut Output,
) {
    let there = (context.bytes.len() as u32).saturating_sub(message.body).min(message.length);
    if context.nodes() && there > 0 {
        out.node(UNDER, Field::Body.id(), context.at(message.body, there), 0, context.flags);
    }
    match context.build {
        None => build_unknown(session, context, root, message, out),
        Some(known) => {
            let name = name.map_or_else(String::new, |name| format!(" ({name})"));
            let text = format!("No layout for command {}{name} in build {}", message.command, known.build);
            out.expert(Expert::LolUnknown, root, &text);
        }
    }
    if there < message.length {
        short(out, root, context.payload);
    }
    if context.payload.grade >= Grade::Columns {
        let part = match name {
            Some(name) => format!("[{name}]"),
            None => format!("[command {}]", message.command),
        };
        info::join(&mut out.info, "; ", &part);
    }
}

fn book_message(
    session: &mut Session,
    context: &Context<'_>,
    root: Option<usize>,
    message: &Message,
    (program, names): (&'static Program, Option<&NameList>),
    out: &mut Output,
) {
    let payload = context.payload;
    let mut input = Input { names, ..input(context, message) };
    let body = input.bytes;
    let mut facts = Facts::default();
    let place = Place { inner: message.inner, ..payload.place };
    let remembers = payload.writes && payload.counts;
    if remembers && session.origin.known().is_none() && betrays_origin(program) {
        // what betrays the origin is itself shown with it
        decode::read::<false>(program, &input, &mut out.tree, &mut facts);
        weigh(session, &facts);
    }
    input.origin = session.origin.known().map(|(origin, _)| origin);
    let mut item = root;
    let end = if context.nodes() {
        out.text(UNDER, Field::Message.id(), (0, 0), program.message.name, flag::GENERATED);
        let family = out.node(UNDER, program.family, (input.base, body.len() as u32), 0, context.flags);
        item = Some(family);
        let end = decode::read::<true>(program, &input, &mut out.tree, &mut facts);
        out.close(family, input.base + end.used.min(body.len() as u32));
        end
    } else {
        decode::read::<false>(program, &input, &mut out.tree, &mut facts)
    };
    if remembers {
        remember(session, program, &facts, payload, place);
    }
    if context.nodes() {
        generated(session, program, place, &facts, out);
    }
    if let Some(cut) = end.cut {
        cut_short(out, item, &cut);
    } else if end.used < message.length {
        let left = message.length - end.used;
        if context.nodes() {
            let there = (body.len() as u32).saturating_sub(end.used);
            out.node(UNDER, Field::LeftOver.id(), (input.base + end.used, there), 0, context.flags);
        }
        out.expert(
            Expert::LolSurplus,
            item,
            &format!("{left} bytes after the end of {}", program.message.name),
        );
    }
    if payload.grade >= Grade::Columns {
        info::join(&mut out.info, "; ", program.message.name);
        info::facts(&mut out.info, &facts, input.origin, names);
    }
}

/// What a message changes in the session.
fn remember(session: &mut Session, program: &Program, facts: &Facts, payload: &Payload<'_>, place: Place) {
    if let (Some(sync), true) = (facts.sync, program.message.exchange != Exchange::None) {
        session.exchanges.take(program.message, payload.channel, sync, place, payload.time, payload.again);
    }
}

/// Whether a message may betray the map's origin.
fn betrays_origin(program: &Program) -> bool {
    program.layout.rows.iter().any(|row| matches!(row.role, Role::StatesOrigin(_)))
}

/// Takes an order's word on the map's origin.
fn weigh(session: &mut Session, facts: &Facts) {
    if facts.states_origin {
        if let (Some(target), Some(Point::Path(x, z))) = (facts.target, facts.last) {
            session.origin.weigh(target, (x, z));
        }
    }
}

/// Nodes for what was worked out: links, and the origin where points were put into world units with it.
fn generated(session: &Session, program: &Program, place: Place, facts: &Facts, out: &mut Output) {
    let mut link = |field: Option<FieldId>, value| {
        if let Some(field) = field {
            out.node(UNDER + 1, field, (0, 0), value, flag::GENERATED);
        }
    };
    match (session.exchanges.link(place), framing::links(program.message.family)) {
        (Some(Link::AnsweredIn(frame)), Some(links)) => link(links.answered_in, frame.into()),
        (Some(Link::Answers(frame, time)), Some(links)) => {
            link(links.answers, frame.into());
            link(links.time, time as u64);
        }
        _ => {}
    }
    if !facts.packed && !matches!(facts.last, Some(Point::Path(..))) {
        return;
    }
    if let Some((origin, source)) = session.origin.known() {
        out.node(UNDER, Field::OriginX.id(), (0, 0), i64::from(origin.0) as u64, flag::GENERATED);
        out.node(UNDER, Field::OriginZ.id(), (0, 0), i64::from(origin.1) as u64, flag::GENERATED);
        out.text(UNDER, Field::OriginSource.id(), (0, 0), source.name(), flag::GENERATED);
        if let Some(map) = session.origin.map() {
            out.node(UNDER, Field::Map.id(), (0, 0), map.into(), flag::GENERATED);
        }
    }
}

/// The one item that says which field could not be read.
pub(super) fn cut_short(out: &mut Output, item: Option<usize>, cut: &Cut) {
    let name = REGISTRY.fields.get(cut.field as usize).map_or("a field", |field| field.name.as_str());
    let text = match (cut.needs, cut.short) {
        (0, _) => format!("{name} has no end: {} bytes are left", cut.left),
        (needs, true) => format!("{name} needs {needs} bytes, the capture holds {} of them", cut.left),
        (1, false) => format!("{name} needs 1 byte, none is left"),
        (needs, false) => format!("{name} needs {needs} bytes, {} are left", cut.left),
    };
    out.expert(if cut.short { Expert::LolShort } else { Expert::LolMalformed }, item, &text);
}
