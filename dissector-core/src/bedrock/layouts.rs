//! The layouts of packets: by the protocol that is known, else by what uses a body up exactly.

use super::records::Source;
use crate::book::bedrock::protocol;
use crate::decode::{self, Facts, Input};
use crate::registry::{Program, REGISTRY};
use crate::tree::Tree;

/// The byte that marks a game packet among the messages of RakNet.
pub const GAME_PACKET: u8 = 0xFE;

/// Packets that the reader takes part in.
pub mod id {
    /// From client: login, with the protocol it states.
    pub const LOGIN: u16 = 1;
    /// From server: encryption begins behind it.
    pub const SERVER_TO_CLIENT_HANDSHAKE: u16 = 3;
    /// From server: an actor moves.
    pub const MOVE_ACTOR_DELTA: u16 = 111;
    /// From server: how batches are compressed from now on.
    pub const NETWORK_SETTINGS: u16 = 143;
    /// From client: asks for the settings, and states its protocol.
    pub const REQUEST_NETWORK_SETTINGS: u16 = 193;
}

/// The layout of a packet, and whether it was found by fit; `None` where there is none.
pub fn layout(id: u16, known: Option<(u16, Source)>, body: &[u8]) -> Option<(&'static Program, bool)> {
    if !matches!(id, id::LOGIN | id::MOVE_ACTOR_DELTA | id::NETWORK_SETTINGS | id::REQUEST_NETWORK_SETTINGS) {
        return None;
    }
    let of = |program: &&Program| program.layout.commands.iter().any(|command| command.number == id);
    let mut all = REGISTRY.bedrock.iter().filter(of);
    if let Some((number, _)) = known {
        if let Some(program) = all.clone().find(|program| program.layout.builds.holds(protocol(number))) {
            return Some((program, false));
        }
    }
    if id != id::MOVE_ACTOR_DELTA {
        return all.next_back().map(|program| (program, false));
    }
    all.rev().find(|program| fits(program, body)).map(|program| (program, true))
}

/// Whether a body is exactly used up by a layout, and every yes or no is one.
fn fits(program: &Program, body: &[u8]) -> bool {
    let (mut tree, mut facts) = (Tree::default(), Facts::default());
    let end = decode::read::<false>(program, &input(body, 0, 0, 0), &mut tree, &mut facts);
    end.cut.is_none() && end.used as usize == body.len() && !facts.odd
}

/// A body as the decoder wants it: `base` is its first byte in the data source, `flags` go on each node.
pub fn input(bytes: &[u8], base: u32, flags: u16, depth: u8) -> Input<'_> {
    Input { bytes, reported: bytes.len() as u32, base, flags, depth, ..Input::default() }
}
