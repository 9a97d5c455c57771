//! A readable payload, by its framing to its messages: to be shown, or to be delivered without being shown.

use super::context::Context;
use super::framing;
use super::knowledge::Knowledge;
use super::layouts::Progress;
use super::library::Library;
use super::message;
use super::registration;
use super::show;
use super::walk::{self, Framing};
use crate::capture::Output;
use crate::fields::lol::Expert;
use crate::layout::channel;
use crate::registry::REGISTRY;

/// Reads and shows all messages of a payload; on the first pass also delivers them.
pub fn read(
    library: &mut Library,
    known: &mut Knowledge,
    context: &Context<'_>,
    out: &mut Output,
) -> Progress {
    if let (Some(stated), Some(build)) = (known.contradicted_by(context.payload.id), context.build) {
        let text = format!(
            "The session states build {stated} and is read as {}, which {} unless that is meant",
            build.build,
            build.source.demanded_by().unwrap_or_default()
        );
        out.expert(Expert::BuildContradicted.id(), known.part.root, &text);
    }
    match framing_of(library, context) {
        Framing::Registration => registration::read(context, out),
        Framing::Container => return framing::container(library, known, context, out),
        Framing::Single => return framing::single(library, known, context, out),
        Framing::Plain => show::plain_bytes(context, out),
    }
    Progress::default()
}

/// Delivers all messages of a payload that had to wait; `scratch` is for the decoder.
pub fn deliver(
    library: &mut Library,
    known: &mut Knowledge,
    context: &Context<'_>,
    scratch: &mut Output,
) -> Progress {
    let framing = framing_of(library, context);
    let payload = context.payload;
    let mut progress = Progress::default();
    for message in walk::messages(framing, payload.channel, context.bytes, payload.reported) {
        progress = progress.and(message::deliver(library, known, context, &message, scratch));
    }
    progress
}

#[inline(always)]
fn framing_of(library: &mut Library, context: &Context<'_>) -> Framing {
    // older registrations have no layout in the book, and are read by their length
    let in_book = match (context.build, context.bytes.first()) {
        (Some(build), Some(&command)) if context.payload.channel == channel::REGISTRATION => {
            let table = &library.builds.of(build.build).table;
            table.bare(&REGISTRY, context.payload.sender, command.into()).is_some()
        }
        _ => false,
    };
    Framing::of(context.payload.channel, context.bytes, in_book)
}
