//! What stands around a message, shown: the command and the net id, and a container's framing.

use super::context::{Context, UNDER};
use super::knowledge::Knowledge;
use super::layouts::Progress;
use super::library::Library;
use super::message;
use super::show;
use super::walk;
use crate::capture::Output;
use crate::container::{Inner, Messages, Part, Span, Stop, EXTENDED};
use crate::decode::head::{self, Missing, Read};
use crate::fields::lol::{Expert, Field};
use crate::tree::{flag, Cut, FieldId};

/// Reads a payload that is one message.
pub fn single(
    library: &mut Library,
    known: &mut Knowledge,
    context: &Context<'_>,
    out: &mut Output,
) -> Progress {
    let payload = context.payload;
    let whole = context.at(0, context.bytes.len() as u32);
    let root = show::message_item(context, whole, out);
    let head = walk::head(payload.channel, context.bytes);
    if context.nodes() {
        head.parts().for_each(|read| show_part(context, &read, out));
    }
    match walk::single(head, payload.reported) {
        Ok(found) => message::read(library, known, context, root, &found, out),
        Err(missing) => {
            if context.nodes() {
                show::unread_basis(out);
            }
            show::cut(out, root, &head_cut(context, &missing));
            if context.columns() {
                out.add_info("; ", "[cut short]");
            }
            Progress::default()
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

/// Reads a container, each message as a record of its own.
pub fn container(
    library: &mut Library,
    known: &mut Knowledge,
    context: &Context<'_>,
    out: &mut Output,
) -> Progress {
    let mut progress = Progress::default();
    let reported = context.payload.reported as usize;
    let Some(mut messages) = Messages::new(context.bytes, reported) else { return progress };
    let count = messages.stated().unwrap_or(0);
    let mut stop = None;
    for next in messages.by_ref() {
        match next {
            Ok(inner) => {
                let length = inner.body.len;
                progress = progress.and(read_inner(library, known, context, (&inner, count, length), out));
            }
            Err(found) => stop = Some(found),
        }
    }
    let left = messages.left_over();
    match stop {
        Some(stop) => progress = progress.and(stopped(library, known, context, count, &stop, out)),
        None if left.len > 0 || count == 0 => left_over(context, count, left, out),
        None => {}
    }
    progress
}

/// Reads one message of a container of `count`, whose body has `length` bytes on the wire.
fn read_inner(
    library: &mut Library,
    known: &mut Knowledge,
    context: &Context<'_>,
    (inner, count, length): (&Inner, u8, u32),
    out: &mut Output,
) -> Progress {
    // the first message brings the container's own two bytes with it
    let ahead = if inner.index == 0 { 2 } else { 0 };
    let at = context.at(inner.all.offset - ahead, inner.all.len + ahead);
    let root = show::message_item(context, at, out);
    if context.nodes() {
        show_frame(context, inner, count, out);
    }
    let Some(found) = walk::inner(inner, context.bytes, length) else {
        let cut = Cut {
            field: Field::Command.id(),
            offset: context.payload.base + inner.body.offset,
            needs: 2,
            left: inner.body.len,
            short: context.payload.length < context.payload.reported,
        };
        if context.nodes() {
            show::unread_basis(out);
        }
        show::cut(out, root, &cut);
        if context.columns() {
            out.add_info("; ", "[cut short]");
        }
        return Progress::default();
    };
    let taken = found.body - inner.body.offset;
    if context.nodes() && taken > 0 {
        let at = context.at(inner.body.offset, taken);
        out.node(UNDER, Field::Command.id(), at, found.command.into(), context.flags);
    }
    message::read(library, known, context, root, &found, out)
}

/// Nodes of a message's framing.
fn show_frame(context: &Context<'_>, inner: &Inner, count: u8, out: &mut Output) {
    const SUB: u8 = UNDER + 1;
    let flags = context.flags;
    let ahead = if inner.index == 0 { 2 } else { 0 };
    let end = inner.body.offset - (inner.all.offset - ahead);
    let root = out.node(UNDER, Field::Container.id(), context.at(inner.all.offset - ahead, end), 0, flags);
    out.label(root, &format!(", message {} of {count}", u32::from(inner.index) + 1));
    if inner.index == 0 {
        out.node(SUB, Field::ContainerCount.id(), context.at(1, 1), count.into(), flags);
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
    library: &mut Library,
    known: &mut Knowledge,
    context: &Context<'_>,
    count: u8,
    stop: &Stop,
    out: &mut Output,
) -> Progress {
    let cut = cut_of(context, stop);
    if let Some((partial, length)) = walk::partial(stop, context.bytes) {
        let before = out.experts.len();
        let progress = read_inner(library, known, context, (&partial, count, length), out);
        let told = [Expert::Malformed.id(), Expert::Short.id()];
        if !out.experts[before..].iter().any(|item| told.contains(&item.expert)) {
            show::cut(out, None, &cut);
        }
        return progress;
    }
    let start = if stop.index == 0 { 0 } else { stop.offset };
    let what = format!("container message {} of {count}", u32::from(stop.index) + 1);
    let root = rest(context, start, &what, out);
    show::cut(out, root, &cut);
    Progress::default()
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
fn left_over(context: &Context<'_>, count: u8, left: Span, out: &mut Output) {
    let start = if count == 0 { 0 } else { left.offset };
    let root = rest(context, start, &container_of(count), out);
    if left.len > 0 {
        let text = format!("{} bytes after the {count} messages of the container", left.len);
        out.expert(Expert::Surplus.id(), root, &text);
    }
}

fn container_of(count: u8) -> String {
    match count {
        0 => "empty container".to_owned(),
        1 => "container of 1 message".to_owned(),
        _ => format!("container of {count} messages"),
    }
}

/// A record for bytes of a container that belong to no message.
fn rest(context: &Context<'_>, start: u32, what: &str, out: &mut Output) -> Option<usize> {
    if context.columns() {
        out.add_info("; ", &format!("[{what}]"));
    }
    let length = (context.bytes.len() as u32).saturating_sub(start);
    let root = show::message_item(context, context.at(start, length), out);
    if !context.nodes() {
        return root;
    }
    out.label(root, &format!(": {what}"));
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
    root
}
