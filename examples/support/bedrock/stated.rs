//! The capture of protocols that are stated and have no layout, or one of differences.

use super::super::net::Capture;
use super::link::{Handshake, Link};
use super::packets::{batch, deflated, login, packet, zlib, Move, GAME_PACKET};
use super::tales::{agree, game};
use super::Tale;

/// Actor 7: X by 2^20 bits up, Z by 3 down, yaw, on the ground.
const DIFFERENCES: [u8; 9] = [7, 0x55, 0, 0x80, 0x80, 0x80, 0x01, 0x05, 0x40];
/// The same with one byte of flags.
const EARLIER: [u8; 8] = [7, 0x55, 0x80, 0x80, 0x80, 0x01, 0x05, 0x40];
/// Actor 7 and a difference of X that a word of flags and a float would be too.
const AMBIGUOUS: [u8; 7] = [7, 1, 0, 0x80, 0x80, 0x80, 0x3F];

pub fn stated() -> Tale {
    let mut capture = Capture::new();
    let mut notes = Vec::new();
    let cases: [(u16, &[u8], &'static str); 3] = [
        (361, &EARLIER, "protocol 361: left as bytes, with a note"),
        (388, &DIFFERENCES, "protocol 388: differences of X and Z, no positions"),
        (408, &AMBIGUOUS, "protocol 408: a difference of X, though it fits a position as well"),
    ];
    for (index, (number, body, note)) in cases.into_iter().enumerate() {
        let press = if number < 390 { zlib } else { deflated };
        let message = |packet: Vec<u8>| [&[GAME_PACKET][..], &press(&batch(&[packet]))].concat();
        let mut link = Link::new(&mut capture, index as u64 * 1_000, 50_050 + index as u16, 19_132);
        link.open(Handshake::Plain);
        link.message(true, &message(login(number)));
        link.message(false, &message(packet(111, body)));
        notes.push((link.frame(), note));
    }
    let moved = Move { actor: 2, at: [Some(123_456.75), None, Some(-0.1)], ..Move::default() };
    for (index, (number, like, note)) in [
        (1500, 1001, "protocol 1500, of which no layout is known: that of 419 to 1001 fits"),
        (2300, 2208, "protocol 2300, of which no layout is known: that of 2193 to 2208 fits"),
    ]
    .into_iter()
    .enumerate()
    {
        let mut link = Link::new(&mut capture, 3_000 + index as u64 * 1_000, 50_060 + index as u16, 19_132);
        link.open(Handshake::Plain);
        agree(&mut link, number, 0);
        link.message(false, &game(255, &[moved.packet(like, 0, 0)]));
        notes.push((link.frame(), note));
    }
    Tale {
        file: "bedrock-stated.pcap",
        blurb: "Short sessions of protocols that state differences instead of positions, or of which no layout is known.",
        capture,
        notes,
    }
}
