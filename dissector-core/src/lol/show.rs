//! The item of a message, what is known of its match besides the bytes, and payloads that stay bytes.

use super::build::SessionBuild;
use super::context::{Context, UNDER};
use super::keyring::KeySource;
use super::knowledge::Knowledge;
use super::library::Library;
use super::payload::Payload;
use crate::capture::{Detail, Output};
use crate::fields::lol::{Expert, Field};
use crate::layout::{channel, channel_name};
use crate::registry::REGISTRY;
use crate::tree::{flag, Cut};

/// Opens the item of one message, or of what stands for one: what is known of it besides its bytes. `None` without nodes.
pub fn message_item(
    known: &Knowledge,
    context: &Context<'_>,
    library: &Library,
    at: (u32, u32),
    out: &mut Output,
) -> Option<usize> {
    if !context.nodes() {
        return None;
    }
    let root = out.node(0, Field::Lol.id(), at, 0, context.flags);
    let schedule = known.key.state.schedule().filter(|_| context.payload.enciphered);
    let key = schedule.and_then(|schedule| library.settings.keys.get(schedule));
    match_item(known, context.payload, context.build, key.map(|key| (key.number, key.source)), out);
    root
}

/// What is known of the match a payload belongs to, under one node.
fn match_item(
    known: &Knowledge,
    payload: &Payload<'_>,
    build: Option<SessionBuild>,
    key: Option<(u32, KeySource)>,
    out: &mut Output,
) {
    const SUB: u8 = UNDER + 1;
    let add = |out: &mut Output, field: Field, value| {
        out.node(SUB, field.id(), (0, 0), value, flag::GENERATED);
    };
    let text = |out: &mut Output, field: Field, text: &str| {
        out.text(SUB, field.id(), (0, 0), text, flag::GENERATED);
    };
    let top = out.node(UNDER, Field::Match.id(), (0, 0), 0, flag::GENERATED);
    let sender = payload.sender.map_or("sender not known", |sender| sender.name());
    let channel =
        channel_name(payload.channel).map_or_else(|| format!("channel {}", payload.channel), str::to_owned);
    let mut label = format!(": session {}, {sender}, {channel}", known.number);
    add(out, Field::Session, known.number.into());
    if payload.sender.is_some() {
        text(out, Field::Sender, sender);
    }
    add(out, Field::Channel, payload.channel.into());
    if let Some(state) = known.key.state.name().filter(|_| payload.enciphered) {
        text(out, Field::KeyState, state);
        label.push_str(&format!(", key {state}"));
    }
    if let Some((number, source)) = key {
        add(out, Field::KeyNumber, number.into());
        text(out, Field::KeySource, source.name());
    }
    if let Some(known) = build {
        label.push_str(&format!(", build {}", known.build));
        text(out, Field::Build, &known.build.to_string());
        add(out, Field::BuildNumber, known.build.decimal());
        text(out, Field::BuildSource, known.source.name());
        if known.frame != 0 {
            add(out, Field::BuildStatedIn, known.frame.into());
        }
    }
    out.label(top, &label);
}

/// Shows a payload that cannot be read: its bytes, and once in a session what to do about it.
pub fn unreadable(known: &Knowledge, payload: &Payload<'_>, out: &mut Output) {
    out.league = true;
    let mut root = None;
    if payload.detail >= Detail::Tree {
        let at = (payload.base, payload.length);
        root = out.node(0, Field::Lol.id(), at, 0, 0);
        out.label(root, &format!(", enciphered, {} bytes", payload.reported));
        match_item(known, payload, None, None, out);
        out.node(UNDER, Field::Enciphered.id(), at, 0, 0);
    }
    if known.notes_key(payload.id) {
        if let Some((expert, text)) = known.key.state.note() {
            out.expert(expert.id(), root, text);
        }
    }
    short(out, root, payload);
    if payload.detail >= Detail::Columns {
        let part = format!("enciphered, {} bytes on channel {}", payload.reported, payload.channel);
        out.add_info("; ", &part);
    }
}

/// Shows a payload of a channel whose messages this reader does not take apart: chat, roster.
pub fn plain_bytes(known: &Knowledge, context: &Context<'_>, library: &Library, out: &mut Output) {
    let payload = context.payload;
    let at = context.at(0, context.bytes.len() as u32);
    let what = if payload.channel == channel::CHAT { "chat" } else { "roster" };
    let root = message_item(known, context, library, at, out);
    if context.nodes() {
        out.label(root, &format!(", {what}, {} bytes", payload.reported));
        out.node(UNDER, Field::Body.id(), at, 0, context.flags);
    }
    short(out, root, payload);
    if context.columns() {
        out.add_info("; ", &format!("[{what}, {} bytes]", payload.reported));
    }
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
