//! The item of a message, and what is known of its match besides the bytes.

use super::fields::Field;
use super::framing::{self, Frame};
use super::message::{Context, UNDER};
use super::output::Output;
use super::payload::{Payload, Shared};
use super::session::{KnownBuild, Session};
use crate::layout::channel_name;
use crate::tree::flag;

/// Opens the item of one message: what is known of it besides its bytes.
pub(super) fn open(
    session: &Session,
    context: &Context<'_>,
    shared: &Shared,
    at: (u32, u32),
    out: &mut Output,
) -> usize {
    let root = out.node(0, Field::Lol.id(), at, 0, context.flags);
    let schedule = session.key.schedule().filter(|_| context.payload.enciphered);
    let number =
        schedule.and_then(|schedule| shared.settings.schedules.get(schedule)).map(|(number, _)| *number);
    about(session, context.payload, context.build, number, out);
    root
}

/// What is known of the match a payload belongs to, under one node.
pub(super) fn about(
    session: &Session,
    payload: &Payload<'_>,
    build: Option<KnownBuild>,
    key: Option<u32>,
    out: &mut Output,
) {
    const SUB: u8 = UNDER + 1;
    let add =
        |out: &mut Output, field: Field, value| out.node(SUB, field.id(), (0, 0), value, flag::GENERATED);
    let text =
        |out: &mut Output, field: Field, text: &str| out.text(SUB, field.id(), (0, 0), text, flag::GENERATED);
    let top = out.node(UNDER, Field::Match.id(), (0, 0), 0, flag::GENERATED);
    let sender = payload.sender.map_or("sender not known", |sender| sender.name());
    let channel =
        channel_name(payload.channel).map_or_else(|| format!("channel {}", payload.channel), str::to_owned);
    let mut label = format!(": session {}, {sender}, {channel}", session.number);
    add(out, Field::Session, session.number.into());
    if payload.sender.is_some() {
        text(out, Field::Sender, sender);
    }
    add(out, Field::Channel, payload.channel.into());
    if let Some(state) = session.key.name().filter(|_| payload.enciphered) {
        text(out, Field::KeyState, state);
        label.push_str(&format!(", key {state}"));
    }
    if let Some(number) = key {
        add(out, Field::KeyNumber, number.into());
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

/// Opens the item of a message at `at` and its frame, if nodes are wanted.
pub(super) fn open_framed(
    session: &Session,
    context: &Context<'_>,
    shared: &Shared,
    at: (u32, u32),
    frame: Option<&Frame<'_>>,
    out: &mut Output,
) -> Option<usize> {
    if !context.nodes() {
        return None;
    }
    let root = open(session, context, shared, at, out);
    if let Some(frame) = frame {
        framing::show(context, frame, out);
    }
    Some(root)
}
