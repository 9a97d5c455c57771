//! The layouts of packets: by the protocol that is known, else by what uses a body up exactly.

use super::records::Source;
use super::unpack::{Form, Method};
use crate::book::bedrock::{protocol, FLAGGED};
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

/// What is known of the protocol of a packet: its number and how that is known, and how its batch is taken.
pub type Known = (Option<(u16, Source)>, Form);

/// The layout of a packet, and whether it was found by fit; `None` where there is none.
///
/// Before the protocols whose MoveActorDelta states positions it stated differences, which many a layout of positions
/// fits: none is tried on them.
pub fn layout(id: u16, (known, form): Known, body: &[u8]) -> Option<(&'static Program, bool)> {
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
    if states_differences((known, form)) {
        return None;
    }
    let mut placing = all.rev().filter(|program| program.layout.builds.from >= FLAGGED.from);
    placing.find(|program| fits(program, body, known.is_some())).map(|program| (program, true))
}

/// Whether MoveActorDelta states differences instead of positions, or may: before protocol 419.
pub fn states_differences((known, form): Known) -> bool {
    match known {
        Some((number, _)) => protocol(number) < FLAGGED.from,
        // the last protocol of zlib streams is 389
        None => form == Form::Whole(Method::Zlib),
    }
}

/// The first and last protocol of a layout.
pub fn protocols(program: &Program) -> (u16, u16) {
    let [from, until] =
        [program.layout.builds.from, program.layout.builds.until].map(|build| build.parts()[3]);
    (from, until)
}

/// Coordinates of a world, blocks: what is larger, or smaller without being zero, are other bytes read as one.
fn is_coordinate(value: f32) -> bool {
    value == 0.0 || (1e-6..1e9).contains(&value.abs())
}

/// Whether a body is exactly used up by a layout, and every yes or no is one. Where no protocol is `stated`, it may be one
/// of differences, which a word of flags does not tell from positions.
fn fits(program: &Program, body: &[u8], stated: bool) -> bool {
    let (mut tree, mut facts) = (Tree::default(), Facts::default());
    let end = decode::read::<false>(program, &input(body, 0, 0, 0), &mut tree, &mut facts);
    let weak = !stated && program.layout.builds == FLAGGED;
    let likely = !weak || facts.position.into_iter().flatten().all(is_coordinate);
    end.cut.is_none() && end.used as usize == body.len() && !facts.odd && likely
}

/// A body as the decoder wants it: `base` is its first byte in the data source, `flags` go on each node.
pub fn input(bytes: &[u8], base: u32, flags: u16, depth: u8) -> Input<'_> {
    Input { bytes, reported: bytes.len() as u32, base, flags, depth, ..Input::default() }
}
