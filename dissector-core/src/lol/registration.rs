//! The handshake on channel 0, shown: who plays, and the proof of the key.

use super::cipher::{Registration, RegistrationPart};
use super::context::{Context, UNDER};
use super::info;
use super::show;
use crate::capture::Output;
use crate::fields::lol::{Expert, Field};

/// Reads the handshake on channel 0.
pub fn read(context: &Context<'_>, out: &mut Output) {
    let payload = context.payload;
    let at = context.at(0, context.bytes.len() as u32);
    let root = show::message_item(context, at, out);
    let found = Registration::read(context.bytes);
    if let (true, Some(found)) = (context.nodes(), &found) {
        out.label(root, &format!(": registration of player {}", u64::from_le_bytes(found.player_id)));
        show_registration(context, found, out);
    } else if context.nodes() {
        out.label(root, ": registration");
        show::unread_basis(out);
        out.node(UNDER, Field::Body.id(), at, 0, context.flags);
    }
    if found.is_none() {
        if payload.length < payload.reported {
            show::short(out, root, payload);
        } else {
            let text = format!("A registration has 24, 28 or 32 bytes, this one {}", payload.reported);
            out.expert(Expert::Unknown.id(), root, &text);
        }
    }
    if context.columns() {
        let what = found.as_ref().map(|found| format!("player {}", u64::from_le_bytes(found.player_id)));
        let unread = if found.is_some() { 0 } else { payload.reported };
        info::tell_bytes(out, "[registration]", unread, what.as_deref().unwrap_or(""));
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
