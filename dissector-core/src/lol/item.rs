//! The `lol` item of a datagram: what is known of its match, once, and below it every message the datagram holds.

use super::build::SessionBuild;
use super::context::UNDER;
use super::keyring::KeySource;
use super::knowledge::Knowledge;
use super::library::Library;
use super::part::{Facts, Part};
use super::payload::Payload;
use crate::capture::{Detail, Output, Sender};
use crate::fields::lol::Field;
use crate::tree::flag;

/// Depth of what stands directly under the `lol` item: the match, and each message.
pub const INSIDE: u8 = UNDER - 1;

/// Nodes that are kept free for what is known of the match, which is written when all messages are.
const FACTS: usize = 14;

/// Bytes of the names that stand in the item's heading; epan cuts a label at 240.
const LONGEST_NAMES: usize = 120;

/// Begins the game's part of a result, unless it has begun.
pub fn open(known: &mut Knowledge, payload: &Payload<'_>, out: &mut Output) {
    out.league = true;
    if out.league_nodes.is_some() {
        return;
    }
    out.begin_league();
    known.part.root = None;
    // what is read for its state alone may come between the results of a datagram
    if payload.detail < Detail::Tree {
        return;
    }
    if !payload.is_continued {
        let root = out.node(0, Field::Lol.id(), (payload.base, payload.length), 0, 0);
        let (sender, enciphered) = (payload.sender, payload.enciphered);
        known.part = Part { root, sender, enciphered, ..Part::default() };
    }
    known.part.start = Some(out.tree.nodes.len());
    out.tree.most_nodes -= FACTS;
}

/// Ends the game's part of a result: its item gets its place and its heading, and tells of the match what its messages
/// were read with.
pub fn close(known: &mut Knowledge, library: &Library, out: &mut Output) {
    let Some(start) = known.part.start.take() else { return };
    out.tree.most_nodes += FACTS;
    if let Some(root) = known.part.root {
        span(root, out);
        if out.labels {
            let heading = heading(known, start, out);
            out.label(Some(root), &heading);
        }
    }
    let end = out.tree.nodes.len();
    tell_match(known, library, out);
    // what is known only now stands before the messages all the same
    let added = out.tree.nodes.len() - end;
    out.tree.nodes[start..].rotate_right(added);
    for expert in &mut out.experts {
        if (start..end).contains(&(expert.node as usize)) {
            expert.node += added as u32;
        }
    }
}

/// The item spans all payloads that were read, from the first to the last.
fn span(root: usize, out: &mut Output) {
    let (item, below) = match out.tree.nodes.get_mut(root..) {
        Some([item, below @ ..]) => (item, below),
        _ => return,
    };
    for message in below.iter().filter(|node| node.depth == INSIDE) {
        let end = (item.offset + item.length).max(message.offset + message.length);
        item.offset = item.offset.min(message.offset);
        item.length = end - item.offset;
        item.flags |= message.flags & flag::DECIPHERED;
    }
}

/// What stands behind the item's title: the build where it is known, the message, or how many of which there are, and a sign
/// that some may be left out.
fn heading(known: &Knowledge, start: usize, out: &Output) -> String {
    let mut text = String::new();
    let more = if out.tree.full { " …" } else { "" };
    if let Some(build) = known.build().filter(|_| known.part.is_readable) {
        text = format!(", {}", build.build);
    }
    let messages = out.tree.nodes[start..].iter().filter(|node| node.field == Field::MessageItem.id());
    let labels = messages.map(|node| out.tree.text_of(node).unwrap_or_default().trim_start_matches(": "));
    let mut labels = labels.peekable();
    let Some(first) = labels.peek().copied() else { return text };
    let (mut names, mut count, mut is_full) = (String::new(), 0, false);
    while let Some(label) = labels.next() {
        let name = name_of(label);
        let mut alike = 1;
        while labels.next_if(|next| name_of(next) == name).is_some() {
            alike += 1;
        }
        count += alike;
        if is_full {
            continue;
        }
        names.push_str(if names.is_empty() { "" } else { ", " });
        is_full = names.len() + name.len() > LONGEST_NAMES;
        names.push_str(if is_full { "…" } else { name });
        if alike > 1 && !is_full {
            names.push_str(&format!(" ×{alike}"));
        }
    }
    match count {
        1 => text.push_str(&format!(", {first}{more}")),
        count => text.push_str(&format!(", {count} messages: {names}{more}")),
    }
    text
}

/// The name that a message's label begins with; it stands in brackets where it is not read.
fn name_of(label: &str) -> &str {
    let end = match label.starts_with('[') {
        true => label.find(']').map(|at| at + 1),
        false => label.find([' ', ',']),
    };
    &label[..end.unwrap_or(label.len())]
}

/// What is known of the match besides the bytes, under one node; nothing where the item tells all of it already.
fn tell_match(known: &mut Knowledge, library: &Library, out: &mut Output) {
    let Part { is_readable, uses_origin, told, .. } = known.part;
    let facts = Facts {
        session: true,
        key: key_of(known, library).filter(|_| is_readable),
        build: known.build().filter(|_| is_readable),
        origin: uses_origin && known.origin().known().is_some(),
    };
    let session = !told.session;
    let key = facts.key.filter(|_| told.key.is_none());
    let build = facts.build.filter(|_| told.build.is_none());
    let origin = facts.origin && !told.origin;
    known.part.told = facts;
    if !session && key.is_none() && build.is_none() && !origin {
        return;
    }
    let top = out.node(INSIDE, Field::Match.id(), (0, 0), 0, flag::GENERATED);
    if session {
        tell_session(known, out);
    }
    if let Some((number, source)) = key {
        number_node(Field::KeyNumber, number.into(), out);
        text_node(Field::KeySource, source.name(), out);
    }
    if let Some(build) = build {
        tell_build(build, out);
    }
    if origin {
        tell_origin(known, out);
    }
    if out.labels {
        let heading = match_heading(known, session, build);
        out.label(top, &heading);
    }
}

/// What stands behind the title of what is known of the match.
fn match_heading(known: &Knowledge, session: bool, build: Option<SessionBuild>) -> String {
    let Part { sender, enciphered, .. } = known.part;
    let mut words = Vec::new();
    if session {
        words.push(format!("session {}", known.number));
        words.push(sender.map_or("sender not known", Sender::name).to_owned());
        let state = known.key.state.name().filter(|_| enciphered);
        words.extend(state.map(|state| format!("key {state}")));
    }
    words.extend(build.map(|build| format!("build {}", build.build)));
    let separator = if words.is_empty() { "" } else { ": " };
    format!("{separator}{}", words.join(", "))
}

/// The key that payloads of the match are deciphered with: its place among those of its source, and that source.
fn key_of(known: &Knowledge, library: &Library) -> Option<(u32, KeySource)> {
    let place = known.key.state.schedule().filter(|_| known.part.enciphered)?;
    library.settings.keys.get(place).map(|key| (key.number, key.source))
}

fn number_node(field: Field, value: u64, out: &mut Output) {
    out.node(INSIDE + 1, field.id(), (0, 0), value, flag::GENERATED);
}

fn text_node(field: Field, text: &str, out: &mut Output) {
    out.text(INSIDE + 1, field.id(), (0, 0), text, flag::GENERATED);
}

fn tell_session(known: &Knowledge, out: &mut Output) {
    let Part { sender, enciphered, .. } = known.part;
    number_node(Field::Session, known.number.into(), out);
    if let Some(sender) = sender {
        text_node(Field::Sender, sender.name(), out);
    }
    if let Some(state) = known.key.state.name().filter(|_| enciphered) {
        text_node(Field::KeyState, state, out);
    }
}

fn tell_build(build: SessionBuild, out: &mut Output) {
    text_node(Field::Build, &build.build.to_string(), out);
    number_node(Field::BuildNumber, build.build.decimal(), out);
    text_node(Field::BuildSource, build.source.name(), out);
    if build.frame != 0 {
        number_node(Field::BuildStatedIn, build.frame.into(), out);
    }
}

/// The map's origin, where points were put into world units with it.
fn tell_origin(known: &Knowledge, out: &mut Output) {
    let Some(((x, z), source)) = known.origin().known() else { return };
    number_node(Field::OriginX, i64::from(x) as u64, out);
    number_node(Field::OriginZ, i64::from(z) as u64, out);
    text_node(Field::OriginSource, source.name(), out);
    if let Some(map) = known.origin().map() {
        number_node(Field::Map, map.into(), out);
    }
}
