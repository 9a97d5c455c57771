//! The record of a message, payloads that stay bytes, and what is said of those that end early.

use super::context::{Context, UNDER};
use super::info;
use super::item::INSIDE;
use super::knowledge::Knowledge;
use super::layouts::Basis;
use super::payload::Payload;
use crate::capture::{words, Detail, Output};
use crate::fields::lol::{Expert, Field};
use crate::layout::channel;
use crate::registry::REGISTRY;
use crate::tree::{flag, Cut};

/// Opens the record of one message, or of what stands for one, in the `lol` item. `None` without nodes.
pub fn message_item(context: &Context<'_>, at: (u32, u32), out: &mut Output) -> Option<usize> {
    if !context.nodes() {
        return None;
    }
    record(context.payload, at, context.flags, out)
}

fn record(payload: &Payload<'_>, at: (u32, u32), flags: u16, out: &mut Output) -> Option<usize> {
    let root = out.node(INSIDE, Field::MessageItem.id(), at, 0, flags);
    if payload.channel != channel::OTHER {
        out.node(UNDER, Field::Channel.id(), (0, 0), payload.channel.into(), flag::GENERATED);
    }
    root
}

/// Shows a payload that cannot be read: its bytes, and once in a session what to do about it.
pub fn unreadable(known: &Knowledge, payload: &Payload<'_>, out: &mut Output) {
    let mut root = None;
    if payload.detail >= Detail::Tree {
        let at = (payload.base, payload.length);
        root = record(payload, at, 0, out);
        out.label(root, &format!(": enciphered, {} bytes", payload.reported));
        unread_basis(out);
        out.node(UNDER, Field::Enciphered.id(), at, 0, 0);
    }
    if known.notes_key(payload.id) {
        if let Some((expert, text)) = known.key.state.note() {
            out.expert(expert.id(), root, text);
        }
    }
    short(out, root, payload);
    if payload.detail >= Detail::Columns {
        let mut what = String::from("channel ");
        words::number(&mut what, payload.channel.into());
        info::tell_bytes(out, "[enciphered]", payload.reported, &what);
    }
}

/// Shows a payload of a channel whose messages this reader does not take apart: chat, roster, or one the game has not.
pub fn plain_bytes(context: &Context<'_>, out: &mut Output) {
    let payload = context.payload;
    let at = context.at(0, context.bytes.len() as u32);
    let what = match payload.channel {
        channel::CHAT => "chat".to_owned(),
        ..=channel::LAST => "roster".to_owned(),
        channel::OTHER => "another channel".to_owned(),
        channel => format!("channel {channel}"),
    };
    let root = message_item(context, at, out);
    if context.nodes() {
        out.label(root, &format!(": {what}, {} bytes", payload.reported));
        unread_basis(out);
        out.node(UNDER, Field::Body.id(), at, 0, context.flags);
    }
    short(out, root, payload);
    if context.columns() {
        info::tell_bytes(out, &format!("[{what}]"), payload.reported, "");
    }
}

/// Marks what is not read, so that one filter finds all of it.
pub fn unread_basis(out: &mut Output) {
    out.text(UNDER, Field::LayoutBasis.id(), (0, 0), Basis::None.name(), flag::GENERATED);
}

/// Says so where the capture cut a payload off.
pub fn short(out: &mut Output, item: Option<usize>, payload: &Payload<'_>) {
    if payload.length < payload.reported {
        cut_payload(out, item, payload);
    }
}

/// Says that the capture does not hold all of a payload.
pub fn cut_payload(out: &mut Output, item: Option<usize>, payload: &Payload<'_>) {
    let text = format!("The capture holds {} of the payload's {} bytes", payload.length, payload.reported);
    out.expert(Expert::Short.id(), item, &text);
}

/// The one item that says which field could not be read.
pub fn cut(out: &mut Output, item: Option<usize>, cut: &Cut) {
    let name = REGISTRY.fields.get(cut.field as usize).map_or("a field", |field| field.name.as_str());
    let text = match (cut.needs, cut.short) {
        (0, _) => format!("{name} has no end: {} bytes are left", cut.left),
        (needs, true) => format!("{name} needs {needs} bytes, the capture holds {} of them", cut.left),
        (1, false) => format!("{name} needs 1 byte, none is left"),
        (needs, false) => format!("{name} needs {needs} bytes, {} are left", cut.left),
    };
    let expert = if cut.short { Expert::Short } else { Expert::Malformed };
    out.expert(expert.id(), item, &text);
}
