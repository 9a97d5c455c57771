//! What stands around a message: the registration's fields, a container's framing, the command and the net id.

use once_cell::sync::Lazy;

use super::about::open_framed;
use super::experts::Expert;
use super::fields::Field;
use super::info;
use super::message::{self, Context, Message, UNDER};
use super::output::{Grade, Output};
use super::payload::Shared;
use super::session::Session;
use crate::cipher::{Registration, RegistrationPart};
use crate::container::{Inner, Messages, Part, Span, Stop, EXTENDED};
use crate::decode::head::{self, Head, Missing, Read};
use crate::layout::{channel, Family};
use crate::registry::REGISTRY;
use crate::tree::{flag, Cut, FieldId};

/// A message's framing in a container.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a> {
    inner: &'a Inner,
    /// How many messages the container says it holds.
    count: u8,
}

/// Fields that link the messages of a family with their answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Links {
    family: &'static str,
    pub answered_in: Option<FieldId>,
    pub answers: Option<FieldId>,
    pub time: Option<FieldId>,
}

static LINKS: Lazy<Vec<Links>> = Lazy::new(|| {
    let mut found: Vec<Links> = Vec::new();
    for program in &REGISTRY.programs {
        let family = program.message.family.prefix;
        if !found.iter().any(|links| links.family == family) {
            let field = |name: &str| REGISTRY.field(&format!("{family}.{name}"));
            let (answered_in, answers) = (field("ackIn"), field("ackTo"));
            found.push(Links { family, answered_in, answers, time: field("ackTime") });
        }
    }
    found
});

/// The link fields of a family.
pub(super) fn links(family: &Family) -> Option<Links> {
    LINKS.iter().find(|links| links.family == family.prefix).copied()
}

/// Reads a payload that is one message.
pub(super) fn single(shared: &mut Shared, session: &mut Session, context: &Context<'_>, out: &mut Output) {
    let payload = context.payload;
    let whole = context.at(0, context.bytes.len() as u32);
    let root = open_framed(session, context, shared, whole, None, out);
    let named = channel::has_net_id(payload.channel);
    let head = if named { Head::new(context.bytes) } else { Head::bare(context.bytes) };
    if root.is_some() {
        head.parts().for_each(|read| show_part(context, &read, out));
    }
    match head.read() {
        Ok((command, _, body)) => {
            let length = payload.reported.saturating_sub(body);
            let found = Message { command, body, length, inner: 0 };
            message::message(shared, session, context, root, &found, out);
        }
        Err(missing) => {
            message::cut_short(out, root, &head_cut(context, &missing));
            if payload.grade >= Grade::Columns {
                info::join(&mut out.info, "; ", "[cut short]");
            }
        }
    }
}

fn show_part(context: &Context<'_>, read: &Read, out: &mut Output) {
    let field = match read.part {
        head::Part::NetId => {
            return show_net_id(context, Span { offset: read.offset, len: read.length }, read.value, out)
        }
        head::Part::Escape => Field::Escape,
        head::Part::Command | head::Part::ExtendedCommand => Field::Command,
    };
    out.node(UNDER, field.id(), context.at(read.offset, read.length), read.value.into(), context.flags);
}

/// Which part of a message header could not be read.
fn head_cut(context: &Context<'_>, missing: &Missing) -> Cut {
    let field = if missing.part == head::Part::NetId { Field::NetId } else { Field::Command };
    Cut {
        field: field.id(),
        offset: context.payload.base + missing.offset,
        needs: missing.needs,
        left: missing.left,
        short: missing.offset + missing.needs <= context.payload.reported,
    }
}

fn show_net_id(context: &Context<'_>, at: Span, net_id: u32, out: &mut Output) {
    let place = context.at(at.offset, at.len);
    out.node(UNDER, Field::NetId.id(), place, net_id.into(), context.flags);
    if net_id != 0 {
        out.node(
            UNDER,
            Field::Unit.id(),
            place,
            net_id.into(),
            context.flags | flag::GENERATED | flag::HIDDEN,
        );
    }
}

/// Reads a container, each message as an item of its own.
pub(super) fn container(shared: &mut Shared, session: &mut Session, context: &Context<'_>, out: &mut Output) {
    let reported = context.payload.reported as usize;
    let Some(mut messages) = Messages::new(context.bytes, reported) else { return };
    let count = messages.stated().unwrap_or(0);
    let mut stop = None;
    for next in messages.by_ref() {
        match next {
            Ok(inner) => read_inner(shared, session, context, &inner, count, inner.body.len, out),
            Err(found) => stop = Some(found),
        }
    }
    let left = messages.left_over();
    match stop {
        Some(stop) => stopped(shared, session, context, count, &stop, out),
        None if left.len > 0 || count == 0 => left_over(shared, session, context, count, left, out),
        None => {}
    }
}

/// Reads one message of a container. Answers whether its body could be read to the end.
fn read_inner(
    shared: &mut Shared,
    session: &mut Session,
    context: &Context<'_>,
    inner: &Inner,
    count: u8,
    length: u32,
    out: &mut Output,
) {
    // the first message brings the container's own two bytes with it
    let ahead = if inner.index == 0 { 2 } else { 0 };
    let at = context.at(inner.all.offset - ahead, inner.all.len + ahead);
    let root = open_framed(session, context, shared, at, Some(&Frame { inner, count }), out);
    let Some(command) = inner.full_command(context.bytes) else {
        let cut = Cut {
            field: Field::Command.id(),
            offset: context.payload.base + inner.body.offset,
            needs: 2,
            left: inner.body.len,
            short: context.payload.length < context.payload.reported,
        };
        message::cut_short(out, root, &cut);
        return;
    };
    let fields = inner.fields();
    let taken = fields.offset - inner.body.offset;
    if root.is_some() && taken > 0 {
        out.node(
            UNDER,
            Field::Command.id(),
            context.at(inner.body.offset, taken),
            command.into(),
            context.flags,
        );
    }
    let found = Message {
        command,
        body: fields.offset,
        length: length.saturating_sub(taken),
        inner: u16::from(inner.index) + 1,
    };
    message::message(shared, session, context, root, &found, out);
}

/// Nodes of a message's framing.
pub(super) fn show(context: &Context<'_>, frame: &Frame<'_>, out: &mut Output) {
    const SUB: u8 = UNDER + 1;
    let Frame { inner, count } = frame;
    let flags = context.flags;
    let ahead = if inner.index == 0 { 2 } else { 0 };
    let end = inner.body.offset - (inner.all.offset - ahead);
    let root = out.node(UNDER, Field::Container.id(), context.at(inner.all.offset - ahead, end), 0, flags);
    out.label(root, &format!(", message {} of {count}", u32::from(inner.index) + 1));
    if inner.index == 0 {
        out.node(SUB, Field::ContainerCount.id(), context.at(1, 1), (*count).into(), flags);
    }
    out.node(SUB, Field::ContainerIndex.id(), (0, 0), inner.index.into(), flag::GENERATED);
    let (size_at, size) = inner.size;
    let size_at = context.at(size_at.offset, size_at.len);
    if inner.index == 0 {
        out.node(SUB, Field::ContainerSize.id(), size_at, size.into(), flags);
    } else {
        out.node(SUB, Field::ContainerWord.id(), size_at, size.into(), flags);
        out.bits(SUB, Field::ContainerSameCommand.id(), size_at, (0, 1), (size & 1).into(), flags);
        out.bits(SUB, Field::ContainerDelta.id(), size_at, (1, 1), (size >> 1 & 1).into(), flags);
        out.bits(SUB, Field::ContainerBodySize.id(), size_at, (2, 6), (size >> 2).into(), flags);
    }
    if let Some(delta) = inner.net_id_delta {
        let at = context.at(inner.net_id_at.offset, inner.net_id_at.len);
        out.node(SUB, Field::ContainerNetIdDelta.id(), at, i64::from(delta) as u64, flags);
    }
    if let Some(at) = inner.extra_size {
        let size = context.bytes.get(at.offset as usize).copied().unwrap_or(0);
        out.node(SUB, Field::ContainerSize.id(), context.at(at.offset, at.len), size.into(), flags);
    }
    let (field, at, generated) = match (inner.command == EXTENDED, inner.command_at) {
        (true, at) => (Field::Escape, at, at.is_none()),
        (false, at) => (Field::Command, at, at.is_none()),
    };
    // a command that is not carried again stands at the byte that says so
    let at = at.map_or(size_at, |at| context.at(at.offset, at.len));
    let generated = if generated { flag::GENERATED } else { 0 };
    out.node(UNDER, field.id(), at, inner.command.into(), flags | generated);
    show_net_id(context, inner.net_id_at, inner.net_id, out);
}

fn part_field(part: Part) -> FieldId {
    match part {
        Part::Count => Field::ContainerCount,
        Part::Size | Part::ExtraSize => Field::ContainerSize,
        Part::Command => Field::Command,
        Part::NetId => Field::NetId,
        Part::Body => Field::Body,
    }
    .id()
}

/// A container that ends early: what there is of its last message, and what is missing.
fn stopped(
    shared: &mut Shared,
    session: &mut Session,
    context: &Context<'_>,
    count: u8,
    stop: &Stop,
    out: &mut Output,
) {
    if let Some(inner) = &stop.partial {
        let before = out.experts.len();
        let there = (context.bytes.len() as u32).saturating_sub(inner.body.offset).min(inner.body.len);
        let length = if stop.short { inner.body.len } else { there };
        let partial = Inner {
            body: Span { offset: inner.body.offset, len: there },
            all: Span { offset: inner.all.offset, len: inner.body.offset + there - inner.all.offset },
            ..*inner
        };
        read_inner(shared, session, context, &partial, count, length, out);
        let named = |item: &super::output::ExpertItem| {
            item.expert == Expert::LolMalformed as u16 || item.expert == Expert::LolShort as u16
        };
        if out.experts[before..].iter().any(named) {
            return;
        }
        let cut = cut_of(context, stop);
        message::cut_short(out, None, &cut);
        return;
    }
    let start = if stop.index == 0 { 0 } else { stop.offset };
    let root = rest(
        shared,
        session,
        context,
        start,
        &format!("container message {} of {count}", u32::from(stop.index) + 1),
        out,
    );
    message::cut_short(out, root, &cut_of(context, stop));
}

fn cut_of(context: &Context<'_>, stop: &Stop) -> Cut {
    Cut {
        field: part_field(stop.part),
        offset: context.payload.base + stop.offset,
        needs: stop.needs,
        left: stop.left,
        short: stop.short,
    }
}

/// Bytes after the messages a container says it holds; also a container that says it holds none.
fn left_over(
    shared: &mut Shared,
    session: &mut Session,
    context: &Context<'_>,
    count: u8,
    left: Span,
    out: &mut Output,
) {
    let start = if count == 0 { 0 } else { left.offset };
    let root = rest(shared, session, context, start, &format!("container of {count} messages"), out);
    if left.len > 0 {
        let text = format!("{} bytes after the {count} messages of the container", left.len);
        out.expert(Expert::LolSurplus, root, &text);
    }
}

/// An item for bytes of a container that belong to no message.
fn rest(
    shared: &Shared,
    session: &Session,
    context: &Context<'_>,
    start: u32,
    what: &str,
    out: &mut Output,
) -> Option<usize> {
    if context.payload.grade >= Grade::Columns {
        info::join(&mut out.info, "; ", &format!("[{what}]"));
    }
    let length = (context.bytes.len() as u32).saturating_sub(start);
    let root = open_framed(session, context, shared, context.at(start, length), None, out)?;
    out.label(root, &format!(", {what}"));
    if start == 0 {
        // the container's command byte, and the count where there is one
        out.node(UNDER, Field::Command.id(), context.at(0, length.min(1)), 0xFF, context.flags);
        if let Some(count) = context.bytes.get(1) {
            out.node(UNDER, Field::ContainerCount.id(), context.at(1, 1), u64::from(*count), context.flags);
        }
    }
    let after = start.max(if start == 0 { 2 } else { 0 });
    let there = (context.bytes.len() as u32).saturating_sub(after);
    if there > 0 {
        out.node(UNDER, Field::LeftOver.id(), context.at(after, there), 0, context.flags);
    }
    Some(root)
}

/// Reads the handshake on channel 0.
pub(super) fn registration(session: &mut Session, context: &Context<'_>, shared: &Shared, out: &mut Output) {
    let payload = context.payload;
    let at = context.at(0, context.bytes.len() as u32);
    let root = open_framed(session, context, shared, at, None, out);
    let found = Registration::read(context.bytes);
    if let (Some(root), Some(found)) = (root, &found) {
        out.label(root, &format!(", registration of player {}", u64::from_le_bytes(found.player_id)));
        show_registration(context, found, out);
    } else if let Some(root) = root {
        out.label(root, ", registration");
        out.node(UNDER, Field::Body.id(), at, 0, context.flags);
    }
    if found.is_none() {
        if payload.length < payload.reported {
            message::short(out, root, payload);
        } else {
            let text = format!("A registration has 24, 28 or 32 bytes, this one {}", payload.reported);
            out.expert(Expert::LolUnknown, root, &text);
        }
    }
    if payload.grade >= Grade::Columns {
        info::join(&mut out.info, "; ", "[registration]");
    }
}

fn show_registration(context: &Context<'_>, found: &Registration, out: &mut Output) {
    let length = context.bytes.len() as u32;
    out.node(UNDER, Field::Registration.id(), context.at(0, length), 0, context.flags);
    for (part, offset, width) in found.parts(length) {
        let (field, value) = match part {
            RegistrationPart::Action => (Field::RegistrationAction, found.action.into()),
            RegistrationPart::Padding => (Field::RegistrationPadding, 0),
            RegistrationPart::ClientId => (Field::RegistrationClientId, found.client_id.into()),
            RegistrationPart::PlayerId => (Field::RegistrationPlayerId, u64::from_le_bytes(found.player_id)),
            RegistrationPart::Version => (Field::RegistrationVersion, found.version.unwrap_or(0).into()),
            RegistrationPart::Proof => (Field::RegistrationProof, 0),
            RegistrationPart::Trailing => (Field::RegistrationTrailing, 0),
        };
        out.node(UNDER + 1, field.id(), context.at(offset, width), value, context.flags);
    }
}
