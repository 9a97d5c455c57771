//! The sample captures of Bedrock: each tells one story.

use super::super::net::Capture;
use super::link::{Handshake, Link};
use super::order::order;
use super::packets::{
    batch, deflated, login, network_settings, packet, request_network_settings, snappy, zlib, Move,
    GAME_PACKET,
};
use super::stated::stated;
use super::{Tale, KEY};
use dissector_core::bedrock::Key;

/// The latest protocol.
pub const LATEST: u16 = 2208;

/// All sample captures of Bedrock.
pub fn tales() -> Vec<Tale> {
    vec![plain(), cookie(), layouts(), enciphered(), hostile(), order(), stated()]
}

/// A game packet whose batch says how it is compressed.
pub fn game(byte: u8, packets: &[Vec<u8>]) -> Vec<u8> {
    let plain = batch(packets);
    let bytes = match byte {
        0 => deflated(&plain),
        1 => snappy(&plain),
        _ => plain,
    };
    [&[GAME_PACKET, byte][..], &bytes].concat()
}

/// A game packet that is a batch and nothing else.
fn bare(packets: &[Vec<u8>]) -> Vec<u8> {
    [&[GAME_PACKET][..], &batch(packets)].concat()
}

/// The client states a protocol, the server an algorithm.
pub fn agree(link: &mut Link<'_>, number: u16, algorithm: u16) {
    link.message(true, &bare(&[request_network_settings(number)]));
    link.message(false, &bare(&[network_settings(algorithm)]));
}

const ALL: Move = Move {
    actor: 300,
    at: [Some(1.5), Some(-64.0), Some(123_456.75)],
    turn: [Some(-128), Some(64), Some(-1)],
    flags: [true; 4],
    ticks: 300,
};
const STILL: Move = Move { actor: 2, at: [None; 3], turn: [None; 3], flags: [false; 4], ticks: 0 };
const EAST: Move =
    Move { at: [Some(1.0), None, None], flags: [true, false, false, false], ticks: 7, ..STILL };
const UP: Move = Move { at: [None, Some(70.5), Some(-3.0)], turn: [None, Some(32), None], ticks: 3, ..STILL };

fn plain() -> Tale {
    let mut capture = Capture::new();
    let mut notes = Vec::new();
    let mut link = Link::new(&mut capture, 0, 50_000, 19_132);
    link.open(Handshake::Plain);
    agree(&mut link, LATEST, 0);
    notes.push((link.frame() - 1, "RequestNetworkSettings states protocol 2208"));
    notes.push((
        link.frame(),
        "NetworkSettings: from here on a byte in front of each batch names its compression",
    ));
    link.message(true, &game(0, &[login(LATEST)]));
    notes.push((link.frame(), "Login, deflated"));
    link.message(false, &game(255, &[ALL.packet(LATEST, 0, 0)]));
    notes.push((
        link.frame(),
        "MoveActorDelta of actor 300 with everything: 1.5, -64, 123456.75; -180°, 90°, -1.40625°; 300 ticks",
    ));
    link.message(false, &game(255, &[EAST.packet(LATEST, 0, 0), STILL.packet(LATEST, 0, 0)]));
    notes.push((link.frame(), "two packets: actor 2 goes to X 1, then does not move"));
    link.message(
        false,
        &game(0, &[UP.packet(LATEST, 0, 0), ALL.packet(LATEST, 0, 0), packet(9, b"\x01\x00hello")]),
    );
    notes.push((
        link.frame(),
        "three packets, deflated: `bedrock.actor.x` 1 joins Y 70.5 and Z -3; the third is Text",
    ));
    link.message(false, &game(1, &[ALL.packet(LATEST, 0, 0), packet(500, &[1, 2, 3])]));
    notes.push((link.frame(), "a Snappy block; packet 500 has no name"));
    link.message(false, &game(255, &[EAST.packet(LATEST, 1, 2)]));
    notes.push((link.frame(), "from sub-client 1 to sub-client 2, whose actor 2 is another one"));
    let messages = [game(255, &[EAST.packet(LATEST, 0, 0)]), game(0, &[UP.packet(LATEST, 0, 0)])];
    link.messages(false, &messages);
    notes.push((link.frame(), "two messages in one datagram"));
    let many: Vec<_> = (1..=40).map(|actor| Move { actor, ..ALL }.packet(LATEST, 0, 0)).collect();
    link.message(false, &game(255, &many));
    notes.push((link.frame(), "the last of 5 pieces: here 40 packets are read, of actors 1 to 40"));
    Tale {
        file: "bedrock.pcap",
        blurb: "A session of protocol 2208 on port 19132: every compression, several packets in a batch, sub-clients, a message in pieces.",
        capture,
        notes,
    }
}

fn cookie() -> Tale {
    let mut capture = Capture::new();
    let mut notes = vec![
        (2, "a reply with a cookie and no key: no encryption, though Wireshark 4.0 takes it for one"),
        (3, "the client repeats the cookie"),
    ];
    let mut link = Link::new(&mut capture, 0, 50_001, 41_000);
    link.open(Handshake::Cookie);
    agree(&mut link, LATEST, 1);
    for moved in [ALL, EAST, UP] {
        link.message(false, &game(1, &[moved.packet(LATEST, 0, 0)]));
        notes.push((link.frame(), "MoveActorDelta in a Snappy block"));
    }
    link.message(true, &game(255, &[packet(4, &[])]));
    Tale {
        file: "bedrock-cookie.pcap",
        blurb: "A session of protocol 2208 on port 41000, opened with a cookie.",
        capture,
        notes,
    }
}

fn layouts() -> Tale {
    let mut capture = Capture::new();
    let mut notes = Vec::new();
    let without_ticks = Move { ticks: 0, ..ALL };
    for (index, number) in [389u16, 500, 600, 1001, 2168, 2193].into_iter().enumerate() {
        let mut link = Link::new(&mut capture, index as u64 * 1_000, 50_010 + index as u16, 19_132);
        link.open(Handshake::Plain);
        // Protocols before 419 have another MoveActorDelta, of which this one says nothing.
        let moved = if number >= 419 { without_ticks.packet(number, 0, 0) } else { packet(9, b"\x01") };
        let press = if number < 390 { zlib } else { deflated };
        match number {
            0..=553 => {
                link.message(true, &[&[GAME_PACKET][..], &press(&batch(&[login(number)]))].concat());
                link.message(false, &[&[GAME_PACKET][..], &press(&batch(&[moved]))].concat());
            }
            554..=648 => {
                agree(&mut link, number, 0);
                link.message(false, &[&[GAME_PACKET][..], &press(&batch(&[moved]))].concat());
            }
            _ => {
                agree(&mut link, number, 0);
                link.message(false, &game(0, &[moved]));
            }
        }
        notes.push((
            link.frame(),
            match number {
                389 => "protocol 389: zlib from the start; Text",
                500 => "protocol 500: deflate from the start, no byte says so",
                600 => "protocol 600: deflate by NetworkSettings, no byte says so",
                1001 => "protocol 1001: a word of flags",
                2168 => "protocol 2168: optional components, no ticks",
                _ => "protocol 2193: optional components and ticks",
            },
        ));
    }
    Tale {
        file: "bedrock-layouts.pcap",
        blurb: "Short sessions of six protocols, each with its own framing or layout of MoveActorDelta.",
        capture,
        notes,
    }
}

/// One direction of an enciphered session, as its sender writes it.
struct Sealer {
    position: u64,
    counter: u64,
}

impl Sealer {
    fn seal(&mut self, message: &[u8]) -> Vec<u8> {
        let key = Key::new(KEY);
        let mut bytes = message[1..].to_vec();
        bytes.extend(key.trailer(self.counter, &message[1..]));
        assert!(key.apply(self.position, &mut bytes), "the keystream is long enough");
        self.position += bytes.len() as u64;
        self.counter += 1;
        bytes.insert(0, GAME_PACKET);
        bytes
    }
}

fn enciphered() -> Tale {
    let mut capture = Capture::new();
    let mut notes = Vec::new();
    let mut link = Link::new(&mut capture, 0, 50_020, 19_132);
    link.open(Handshake::Plain);
    agree(&mut link, LATEST, 0);
    link.message(true, &game(0, &[login(LATEST)]));
    link.message(false, &game(255, &[packet(3, b"\x0Emade.up.token.")]));
    notes.push((link.frame(), "ServerToClientHandshake: everything after it is enciphered"));
    let new = || Sealer { position: 0, counter: 0 };
    let (mut client, mut server) = (new(), new());
    link.message(true, &client.seal(&game(255, &[packet(4, &[])])));
    notes.push((link.frame(), "ClientToServerHandshake, enciphered"));
    let mut of = |actor: u64, byte: u8| {
        let moved = Move { actor, ..ALL };
        vec![server.seal(&game(byte, &[moved.packet(LATEST, 0, 0)]))]
    };
    let mut sent = Vec::new();
    for (actor, byte) in [(1, 255), (2, 0), (3, 1), (4, 255), (5, 0), (6, 255), (7, 255)] {
        sent.push(link.prepare(false, &of(actor, byte)));
    }
    let mut send = |link: &mut Link<'_>, place: usize, note: &'static str| {
        link.datagram_as_is(false, &sent[place]);
        notes.push((link.frame(), note));
    };
    send(&mut link, 0, "actor 1, bare");
    send(&mut link, 1, "actor 2, deflated");
    send(&mut link, 0, "the first again: shown as what it was, and counted once");
    send(&mut link, 3, "actor 4 overtakes actor 3: readable in a second pass only");
    send(&mut link, 2, "actor 3, a Snappy block");
    send(&mut link, 4, "actor 5");
    send(&mut link, 6, "actor 7; actor 6 never comes, so that this one cannot be deciphered");
    Tale {
        file: "bedrock-enciphered.pcap",
        blurb: "An enciphered session of protocol 2208 in which one message comes again, two change places and one is lost. Its key, for `bedrock.key`: `52696674736861726b2073616d706c65206f6620426564726f636b206b657973`.",
        capture,
        notes,
    }
}

fn hostile() -> Tale {
    let mut capture = Capture::new();
    let mut notes = Vec::new();
    let mut link = Link::new(&mut capture, 0, 50_030, 19_132);
    link.open(Handshake::Plain);
    agree(&mut link, LATEST, 0);
    let without_ticks = EAST.packet(2168, 0, 0);
    let endless = [&[0x6F][..], &[0xFF; 11], &[1], &[0; 11]].concat();
    let cases: [(Vec<u8>, &'static str); 9] = [
        (
            game(255, &[without_ticks]),
            "ends before ticks: one malformed item that names bedrock.moveActorDelta.ticks",
        ),
        (
            game(255, &[endless]),
            "eleven bytes of a number that may have ten: names bedrock.moveActorDelta.actorRuntimeId",
        ),
        (vec![GAME_PACKET, 255], "an empty batch"),
        (vec![GAME_PACKET, 255, 0], "a packet of no bytes"),
        (vec![GAME_PACKET, 255, 0xFF, 0xFF, 0x7F, 0x6F, 2], "a length past the end"),
        (vec![GAME_PACKET, 255, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80], "a length without an end"),
        (vec![GAME_PACKET, 7, 1, 2, 3], "a compression that does not exist"),
        (vec![GAME_PACKET, 1, 0xFF, 0xFF, 0xFF, 0x7F, 0, 1], "a Snappy block that promises 256 MiB"),
        (
            [&[GAME_PACKET, 0][..], &deflated(&vec![0; 6 << 20])].concat(),
            "the last of 21 pieces: a deflate that grows past 1,000 times its size",
        ),
    ];
    for (bytes, note) in cases {
        link.message(false, &bytes);
        notes.push((link.frame(), note));
    }
    let crowd = batch(&vec![vec![9]; 100_000]);
    link.message(false, &[&[GAME_PACKET, 0][..], &deflated(&crowd)].concat());
    notes.push((link.frame(), "100,000 packets of one byte: more items than one frame may show"));
    link.message(false, &game(255, &[EAST.packet(LATEST, 0, 0)]));
    notes.push((link.frame(), "and all is well again"));
    Tale {
        file: "bedrock-hostile.pcap",
        blurb: "A session of protocol 2208 whose server sends what it should not.",
        capture,
        notes,
    }
}

/// A capture in which a server sends much that it should not, `count` times.
pub fn harm(count: usize) -> Vec<u8> {
    let mut capture = Capture::new();
    let mut link = Link::new(&mut capture, 0, 50_031, 19_132);
    link.open(Handshake::Plain);
    agree(&mut link, LATEST, 0);
    let deflate = |plain: &[u8]| [&[GAME_PACKET, 0][..], &deflated(plain)].concat();
    let bomb = deflate(&vec![0; 20 << 20]);
    let crowd = deflate(&batch(&vec![vec![9]; 500_000]));
    let lengths = deflate(&[0x80; 400_000]);
    let moves = deflate(&batch(&vec![EAST.packet(LATEST, 0, 0); 50_000]));
    for _ in 0..count {
        for message in [&bomb, &crowd, &lengths, &moves] {
            link.message(false, message);
        }
        // More messages in one datagram than epan takes layers.
        link.messages(false, &vec![game(255, &[packet(9, &[])]); 700]);
    }
    capture.pcap()
}
