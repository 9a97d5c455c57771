//! What is said of a message that is read by something its session does not state.

use super::build::BuildSource;
use super::context::Context;
use super::knowledge::Knowledge;
use super::layouts::Basis;
use super::walk::Message;
use crate::capture::Output;
use crate::fields::lol::Expert;
use crate::registry::Program;

/// Says what a message is read by that its session does not state: of each such thing once in a session, as
/// `lol.build.source` and `lol.layout.basis` say it of every message.
pub fn show(
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
    let Some(text) = text_of(program, basis) else { return };
    if known.notes_assumption(Some(message.command), id, writes) {
        out.expert(Expert::Inferred.id(), root, &text);
    }
}

/// Whether a layout rests on more than a page or a recorded message of its build.
pub fn is(basis: Basis) -> bool {
    !matches!(basis, Basis::Book | Basis::Recorded | Basis::None)
}

/// What is to be said of a layout that no page surely holds for the build.
fn text_of(program: &Program, basis: Basis) -> Option<String> {
    if !is(basis) {
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
