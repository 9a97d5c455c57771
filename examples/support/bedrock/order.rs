//! The capture of what comes twice, out of order, and past the end of RakNet's counters.

use super::super::net::Capture;
use super::link::{Handshake, Link};
use super::packets::{packet, Move};
use super::tales::{agree, game, LATEST};
use super::Tale;

/// Actor 2 goes to an x.
fn east(x: f32) -> Vec<u8> {
    let moved = Move { actor: 2, at: [Some(x), None, None], ..Move::default() };
    game(255, &[moved.packet(LATEST, 0, 0)])
}

fn little(number: u32) -> Vec<u8> {
    number.to_le_bytes()[..3].to_vec()
}

/// A frame that is reliable and ordered.
fn ordered(reliable: u32, order: u32, channel: u8, message: Vec<u8>) -> (u8, Vec<u8>, Vec<u8>) {
    (0x60, [little(reliable), little(order), vec![channel]].concat(), message)
}

/// A frame that is unreliable and sequenced, on channel 3.
fn sequenced(sequence: u32, message: Vec<u8>) -> (u8, Vec<u8>, Vec<u8>) {
    (0x20, [little(sequence), little(0), vec![3]].concat(), message)
}

/// The pieces of a message.
fn pieces(reliable: u32, order: u32, id: u8, message: &[u8]) -> Vec<(u8, Vec<u8>, Vec<u8>)> {
    let half = message.len() / 2 + 1;
    let pieces = message.chunks(half).zip(0u8..);
    let piece = |(bytes, index): (&[u8], u8)| {
        let split = vec![0, 0, 0, 2, 0, id, 0, 0, 0, index];
        let numbers = [little(reliable + u32::from(index)), little(order), vec![0], split].concat();
        (0x70, numbers, bytes.to_vec())
    };
    pieces.map(piece).collect()
}

pub fn order() -> Tale {
    let mut capture = Capture::new();
    let mut notes = Vec::new();
    let mut link = Link::new(&mut capture, 0, 50_040, 19_132);
    link.open(Handshake::Plain);
    agree(&mut link, LATEST, 0);
    let mut say = |frames: &[(u8, Vec<u8>, Vec<u8>)], note: &'static str| {
        link.frames(frames);
        notes.push((link.frame(), note));
    };
    say(&[ordered(2, 2, 0, east(1.0))], "actor 2 at X 1, ordering index 2");
    say(&[ordered(3, 4, 0, east(3.0))], "ordering index 4: X 3");
    say(&[ordered(4, 3, 0, east(2.0))], "ordering index 3, late: X stays 3");
    say(&[ordered(2, 2, 0, east(1.0))], "frame 10 again: marked as sent before, X stays 3");
    say(
        &[ordered(5, 5, 0, east(5.0)), ordered(3, 4, 0, east(3.0)), ordered(6, 0, 1, east(6.0))],
        "three messages: X 5, frame 11 again, and X 6 on another channel",
    );
    let text = game(
        255,
        &[packet(9, &[7; 60]), Move { actor: 2, at: [Some(7.0); 3], ..Move::default() }.packet(LATEST, 0, 0)],
    );
    let [first, last] = <[_; 2]>::try_from(pieces(7, 6, 1, &text)).expect("two pieces");
    say(std::slice::from_ref(&first), "a message in two pieces");
    say(std::slice::from_ref(&last), "joined here: Text, and actor 2 at 7, 7, 7");
    say(&[ordered(9, 7, 0, east(8.0))], "X 8");
    let again = pieces(7, 6, 2, &text);
    say(&[again[1].clone()], "the pieces again, the last one first");
    say(&[again[0].clone()], "joined here: marked as sent before, X stays 8");
    say(&[sequenced(2, east(9.0))], "sequence index 2: X 9");
    say(&[sequenced(1, east(1.0))], "sequence index 1, late: a receiver drops it, X stays 9");
    say(&[ordered(0xFF_FFFF, 0xFF_FFFF, 2, east(10.0))], "the last number there is, on channel 2: X 10");
    say(&[ordered(0, 0, 2, east(12.0))], "and on from 0: X 12");
    say(&[ordered(0xFF_FFFF, 0xFF_FFFF, 2, east(10.0))], "the last number again: X stays 12");
    Tale {
        file: "bedrock-order.pcap",
        blurb: "A session of protocol 2208 whose server says things twice, out of order, in pieces, and past the end of RakNet's counters.",
        capture,
        notes,
    }
}
