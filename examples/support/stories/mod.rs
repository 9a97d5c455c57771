//! The sample captures: each tells one story.

pub mod between;
mod company;
mod meetings;
mod session;
mod shapes;
mod trouble;

use super::dice::Dice;
use super::game::{record, Game};
use super::messages::{self, other};
use super::net::{endpoint, Capture, Endpoint};
use dissector_core::enet::wire::HeaderVariant;
use dissector_core::layout::Sender::{Client, Server};

/// The key of the first game of a capture: `52696674736861726b2073616d706c65`.
pub const KEY: [u8; 16] = *b"Riftshark sample";
/// The key of the second, where there is one: `52696674736861726b207365636f6e64`.
pub const SECOND_KEY: [u8; 16] = *b"Riftshark second";

/// The first sync id of `session.pcap`.
pub const SYNC: u32 = 984;

const CLIENT: Endpoint = endpoint([192, 0, 2, 10], 50_000);
const SERVER: Endpoint = endpoint([198, 51, 100, 20], 5_119);
const PLAYER: u64 = 0x0001_0203_0405_0607;

/// The client's champion.
const CHAMPION: u32 = 0x4000_0019;
/// Another champion.
const RIVAL: u32 = 0x4000_001A;
/// A minion.
const MINION: u32 = 0x4000_0123;

/// One sample capture.
pub struct Story {
    /// Its file in `captures/`.
    pub file: &'static str,
    /// What it is, in a sentence or two.
    pub blurb: &'static str,
    /// Its keys in the order of its games.
    pub keys: Vec<[u8; 16]>,
    /// The frames.
    pub capture: Capture,
    /// What a reader has to find, by frame.
    pub notes: Vec<(usize, String)>,
}

impl Story {
    fn told(file: &'static str, blurb: &'static str, keys: &[[u8; 16]], games: Vec<Game>) -> Story {
        Story::cut(file, blurb, keys, games, Capture::new())
    }

    fn cut(
        file: &'static str,
        blurb: &'static str,
        keys: &[[u8; 16]],
        games: Vec<Game>,
        mut capture: Capture,
    ) -> Story {
        let notes = record(games, &mut capture);
        Story { file, blurb, keys: keys.to_vec(), capture, notes }
    }
}

/// All sample captures.
pub fn stories() -> Vec<Story> {
    vec![
        session::session(),
        trouble::retransmission(),
        trouble::reordering(),
        trouble::gap(),
        trouble::bundle(),
        trouble::wrap(),
        meetings::reconnect(),
        meetings::two_clients(),
        meetings::mid_session(),
        meetings::icmp(),
        meetings::short(),
        shapes::compact(),
        shapes::prefixed(),
        shapes::season8(),
        shapes::stock(),
        company::company(),
        company::refused(),
        company::mirrored(),
        company::jitter(),
        company::backwards(),
        company::moved(),
        shapes::packed(),
        between::between(),
        between::neighbour(),
    ]
}

/// A game of the usual build between the usual ends.
fn classic() -> Game {
    Game::new(HeaderVariant::Classic, CLIENT, SERVER, Some(KEY))
}

/// Both ends register, at builds before 1.0.0.142, and the client says which build it is.
fn begin(game: &mut Game, player: u64) {
    game.open();
    game.wait(400);
    let asked = messages::registration(game.key(), player, 0, None);
    let asked = game.reliable(Client, 0, &asked);
    let moment = game.tell(Client, &asked);
    game.note(moment, "the client registers, in the clear: its last 8 bytes prove the key");
    game.wait(3);
    let answered = messages::registration(game.key(), player, 1, None);
    let answered = game.reliable(Server, 0, &answered);
    let moment = game.tell(Server, &answered);
    game.note(moment, "the server's answer, enciphered: its second block is the client's proof again");
    game.wait(120);
    let version = messages::client_version(messages::BUILD);
    let version = game.reliable(Client, 1, &version);
    let moment = game.tell(Client, &version);
    game.note(moment, "the client states its build: `lol.build` 1.0.0.136");
    game.wait(60);
}

/// Both ends give a sign of life.
fn pings(game: &mut Game) {
    for end in [Client, Server] {
        let ping = game.ping(end);
        game.tell(end, &ping);
        game.wait(250);
    }
}

/// The server ends the connection, as servers of the game do.
fn end(game: &mut Game) {
    let bye = game.disconnect(Server, 4);
    game.tell(Server, &bye);
}

/// A long message outside the book, of arbitrary bytes.
fn long_message(length: usize) -> Vec<u8> {
    other(88, 0, &Dice::new(length as u64).bytes(length - 5))
}
