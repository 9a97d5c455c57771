//! Which layout a message is read with, and how it came to be used.

use super::builds::Known;
use super::inference::{self, Basis, Lead};
use super::message::{Context, Message, UNDER};
use super::session::Session;
use crate::decode::Input;
use crate::layout::channel;
use crate::registry::{Program, REGISTRY};

/// The layout a message is read with, and how it came to be used.
pub(super) fn layout(
    known: Option<&Known>,
    session: &mut Session,
    context: &Context<'_>,
    message: &Message,
) -> (Option<&'static Program>, Basis) {
    let payload = context.payload;
    let Some(known) = known else { return (None, Basis::None) };
    if !channel::has_net_id(payload.channel) {
        let bare = known.table.bare(&REGISTRY, payload.sender, message.command);
        return (bare, bare.map_or(Basis::None, Basis::of));
    }
    if let Some(program) = known.table.program(&REGISTRY, payload.sender, message.command) {
        let same = |other: &&'static Program| std::ptr::eq(other.message, program.message);
        if !known.others.iter().any(same) {
            return (Some(program), Basis::of(program));
        }
        let input = input(context, message);
        let others = known.others.iter().copied().filter(same);
        let fitting = [program].into_iter().chain(others).find(|program| inference::fits(program, &input));
        return (fitting.or(Some(program)), Basis::Open { fits: fitting.is_some() });
    }
    tried(known, session, context, message)
}

/// The layout that was taken for a command which no page holds, if one was.
fn tried(
    known: &Known,
    session: &mut Session,
    context: &Context<'_>,
    message: &Message,
) -> (Option<&'static Program>, Basis) {
    let payload = context.payload;
    let (Some(sender), true) = (payload.sender, known.between) else { return (None, Basis::None) };
    let input = input(context, message);
    if payload.writes && payload.counts && !payload.again {
        let taken = session.inference.try_on(known, message.command, sender, &input);
        session.ready |= taken;
        // what came before is taken in first, and then this one
        session.waits |= taken;
    }
    session.waits |= payload.writes && session.inference.is_open(known, message.command, sender);
    let Some(mut taken) = session.inference.taken(message.command, sender) else {
        return (None, Basis::None);
    };
    let Lead::Number(build) = taken.lead else { return (Some(taken.program), Basis::Inferred) };
    // the number alone does not say that a body which does not fit is that message, cut short or grown
    match taken.fits(&input) {
        true => (Some(taken.program), Basis::Neighbour(build)),
        false => (None, Basis::None),
    }
}

/// The body of a message as the decoder wants it.
pub(super) fn input<'a>(context: &Context<'a>, message: &Message) -> Input<'a> {
    let body = context.bytes.get(message.body as usize..).unwrap_or(&[]);
    Input {
        bytes: &body[..body.len().min(message.length as usize)],
        reported: message.length,
        base: context.payload.base + message.body,
        channel: Some(context.payload.channel),
        flags: context.flags,
        depth: UNDER + 1,
        origin: None,
        build: context.build.map(|known| known.build),
        names: None,
    }
}
