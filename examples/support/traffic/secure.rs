//! Enciphered transports: QUIC, WireGuard, DTLS, OpenVPN, ESP in UDP. What is enciphered is arbitrary bytes.

use super::{Dice, Talk};
use crate::support::dice::Out;

/// A connection of version 1: initials padded to the least allowed, a handshake packet, then short headers.
pub fn quic(talk: &mut Talk, dice: &mut Dice) {
    let (theirs, ours) = (dice.bytes(8), dice.bytes(8));
    let long = |first: u8, to: &[u8], from: &[u8], token: bool, rest: &[u8]| {
        let head = Out::new().u8(first).u32(1).u8(to.len() as u8).bytes(to).u8(from.len() as u8).bytes(from);
        let head = if token { head.u8(0) } else { head };
        head.u16(0x4000 | rest.len() as u16).bytes(rest).done()
    };
    talk.ask(long(0xC3, &theirs, &ours, true, &dice.bytes(1_174)));
    talk.wait(20);
    talk.answer(long(0xC1, &ours, &theirs, true, &dice.bytes(1_174)));
    talk.answer(long(0xE5, &ours, &theirs, false, &dice.bytes(480)));
    talk.ask(long(0xE7, &theirs, &ours, false, &dice.bytes(80)));
    for length in [34, 25, 120, 25, 41, 300] {
        let first = 0x40 | dice.below(0x40) as u8;
        talk.ask(Out::new().u8(first).bytes(&theirs).bytes(dice.bytes(length)).done());
        talk.wait(8);
        let first = 0x40 | dice.below(0x40) as u8;
        talk.answer(Out::new().u8(first).bytes(&ours).bytes(dice.bytes(length / 2 + 20)).done());
        talk.wait(8);
    }
}

/// All four message types: a handshake refused with a cookie, one that works, data, keepalives.
pub fn wireguard(talk: &mut Talk, dice: &mut Dice) {
    let kind = |kind: u8| Out::new().u8(kind).u8(0).u16(0);
    let (ours, theirs) = (dice.next() as u32, dice.next() as u32);
    talk.ask(kind(1).u32(ours).bytes(dice.bytes(108)).bytes([0; 32]).done());
    talk.answer(kind(3).u32(ours).bytes(dice.bytes(56)).done());
    talk.wait(5_000);
    talk.ask(kind(1).u32(ours).bytes(dice.bytes(140)).done());
    talk.answer(kind(2).u32(theirs).u32(ours).bytes(dice.bytes(80)).done());
    // Counters are little-endian.
    for (count, length) in [(0_u64, 16), (1, 112), (2, 96), (3, 16), (4, 16)] {
        let data = |to: u32, dice: &mut Dice| {
            kind(4).u32(to).bytes(count.to_le_bytes()).bytes(dice.bytes(length)).done()
        };
        talk.ask(data(theirs, dice));
        talk.wait(12);
        talk.answer(data(ours, dice));
        talk.wait(600);
    }
}

fn record(kind: u8, epoch: u16, number: u64, body: &[u8]) -> Vec<u8> {
    let head = Out::new().u8(kind).u16(0xFEFD).u64(u64::from(epoch) << 48 | number);
    head.u16(body.len() as u16).bytes(body).done()
}

fn handshake(kind: u8, number: u16, body: &[u8]) -> Vec<u8> {
    let length = (body.len() as u32).to_be_bytes();
    Out::new()
        .u8(kind)
        .bytes(&length[1..])
        .u16(number)
        .u16(0)
        .bytes([0])
        .bytes(&length[1..])
        .bytes(body)
        .done()
}

/// A handshake with a cookie, then data and an alert.
pub fn dtls(talk: &mut Talk, dice: &mut Dice) {
    let (hello, cookie) = (dice.bytes(32), dice.bytes(20));
    let greet = |cookie: &[u8]| {
        let head = Out::new().u16(0xFEFD).bytes(&hello).u8(0).u8(cookie.len() as u8).bytes(cookie);
        head.u16(4).u16(0xC02B).u16(0xC02F).u8(1).u8(0).u16(0).done()
    };
    talk.ask(record(22, 0, 0, &handshake(1, 0, &greet(&[]))));
    let verify = Out::new().u16(0xFEFF).u8(20).bytes(&cookie).done();
    talk.answer(record(22, 0, 0, &handshake(3, 0, &verify)));
    talk.ask(record(22, 0, 1, &handshake(1, 1, &greet(&cookie))));
    let chosen = Out::new().u16(0xFEFD).bytes(dice.bytes(32)).u8(0).u16(0xC02B).u8(0).done();
    talk.answer(record(22, 0, 1, &handshake(2, 1, &chosen)));
    talk.answer(record(22, 0, 2, &handshake(11, 2, &dice.bytes(310))));
    talk.answer(record(22, 0, 3, &handshake(14, 3, &[])));
    let mut last = record(22, 0, 2, &handshake(16, 2, &dice.bytes(66)));
    last.extend(record(20, 0, 3, &[1]));
    last.extend(record(22, 1, 0, &dice.bytes(40)));
    talk.ask(last);
    for number in 1..5 {
        let (asked, answered) = (dice.bytes(61), dice.bytes(45));
        talk.ask(record(23, 1, number, &asked));
        talk.answer(record(23, 1, number, &answered));
        talk.wait(200);
    }
    talk.ask(record(21, 1, 5, &dice.bytes(26)));
}

/// A tunnel with its short control acknowledgements, data, and the constant ping payload inside nothing.
pub fn openvpn(talk: &mut Talk, dice: &mut Dice) {
    let (ours, theirs) = (dice.bytes(8), dice.bytes(8));
    talk.ask(Out::new().u8(0x38).bytes(&ours).u8(0).u32(0).done());
    talk.answer(Out::new().u8(0x40).bytes(&theirs).u8(1).u32(0).bytes(&ours).u32(0).done());
    talk.ask(Out::new().u8(0x28).bytes(&ours).u8(1).u32(0).bytes(&theirs).done());
    for number in 1..4 {
        talk.ask(Out::new().u8(0x20).bytes(&ours).u8(0).u32(number).bytes(dice.bytes(90)).done());
        talk.answer(Out::new().u8(0x28).bytes(&theirs).u8(1).u32(number).bytes(&ours).done());
    }
    for number in 1..5_u32 {
        talk.ask(Out::new().u32(0x4800_0000).u32(number).bytes(dice.bytes(84)).done());
        talk.answer(Out::new().u32(0x4800_0000).u32(number).bytes(dice.bytes(68)).done());
    }
}

/// Key exchange behind four zero bytes, enciphered data, one-byte keepalives.
pub fn esp(talk: &mut Talk, dice: &mut Dice) {
    let (ours, theirs) = (dice.next(), dice.next());
    let exchange = |flags: u8, number: u32, body: &[u8]| {
        let head = Out::new().u32(0).u64(ours).u64(theirs).u8(46).u8(0x20).u8(35).u8(flags).u32(number);
        head.u32(body.len() as u32 + 32).u16(35 << 8).u16(body.len() as u16 + 4).bytes(body).done()
    };
    talk.ask(exchange(0x08, 1, &dice.bytes(180)));
    talk.answer(exchange(0x20, 1, &dice.bytes(140)));
    let (out, back) = (dice.next() as u32, dice.next() as u32);
    for number in 1..6 {
        talk.ask(Out::new().u32(out).u32(number).bytes(dice.bytes(76)).done());
        talk.answer(Out::new().u32(back).u32(number).bytes(dice.bytes(76)).done());
        talk.ask([0xFF]);
        talk.wait(1_000);
    }
}
