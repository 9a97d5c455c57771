//! Made to resemble ENet: what one datagram seems to be, the next ones deny.

use super::{Dice, Talk};
use crate::support::dice::Out;

/// ENet's ping, wanting an acknowledgement, and the number it carries.
fn ping(number: u16) -> Vec<u8> {
    Out::new().u8(0x85).u8(0xFF).u16(number).done()
}

/// A classic header with sent time.
fn classic(session: u32, peer: u16, time: u16) -> Out {
    Out::new().bytes(session.to_le_bytes()).u16(0x8000 | peer).u16(time)
}

/// A compact header with sent time.
fn compact(session: u8, peer: u8, time: u16) -> Out {
    Out::new().u8(session).u8(0x80 | peer).u16(time)
}

/// A reliable command with its payload.
fn reliable(channel: u8, number: u16, data: &[u8]) -> Vec<u8> {
    Out::new().u8(0x86).u8(channel).u16(number).u16(data.len() as u16).bytes(data).done()
}

/// Nothing but zeros or ones, in lengths that headers and commands have.
pub fn flat(talk: &mut Talk, _: &mut Dice) {
    for length in [4, 8, 10, 12, 44, 48, 52, 100] {
        talk.ask(vec![0; length]);
        talk.answer(vec![0xFF; length]);
        talk.wait(100);
    }
}

/// Ten bytes, always the same: a classic header without time and a ping that wants no acknowledgement.
pub fn classic_keepalive(talk: &mut Talk, _: &mut Dice) {
    for _ in 0..8 {
        talk.ask([0x29, 0, 0, 0, 0, 0, 0x05, 0xFF, 0, 0]);
        talk.answer([0x29, 0, 0, 0, 0, 1, 0x05, 0xFF, 0, 0]);
        talk.wait(1_000);
    }
}

/// Ten bytes, always the same: a compact header without time and an acknowledgement of something never sent.
pub fn compact_keepalive(talk: &mut Talk, _: &mut Dice) {
    for _ in 0..8 {
        talk.ask([0x29, 0, 0x01, 0xFF, 0, 1, 0, 1, 0x12, 0x34]);
        talk.answer([0x29, 1, 0x01, 0xFF, 0, 1, 0, 1, 0x12, 0x34]);
        talk.wait(1_000);
    }
}

/// Arbitrary datagrams; the fourth is a whole classic one, the seventh is up to its last command.
pub fn one_classic(talk: &mut Talk, dice: &mut Dice) {
    for count in 0..12_u16 {
        let payload = dice.bytes(24);
        let bytes = match count {
            3 => classic(0x29, 0, 1_200).bytes(reliable(3, 1, &payload)).bytes(ping(2)).done(),
            6 => classic(0x29, 0, 1_500).bytes(ping(3)).bytes([0x86, 3, 0, 2, 0, 90]).bytes(&payload).done(),
            _ => payload,
        };
        if count % 3 == 1 {
            talk.answer(bytes);
        } else {
            talk.ask(bytes);
        }
        talk.wait(90);
    }
}

/// The same in the compact shape: the second and the ninth walk, as two sessions that never were.
pub fn one_compact(talk: &mut Talk, dice: &mut Dice) {
    for count in 0..12_u16 {
        let length = 13 + dice.below(20) as usize;
        let payload = dice.bytes(length);
        let bytes = match count {
            1 => compact(0x29, 0, 700).bytes(reliable(1, 1, &payload)).done(),
            8 => compact(0x6E, 12, 41_000).bytes(reliable(5, 900, &payload)).bytes(ping(3)).done(),
            _ => payload,
        };
        if count % 2 == 1 {
            talk.ask(bytes);
        } else {
            talk.answer(bytes);
        }
        talk.wait(90);
    }
}

/// Every datagram walks to its end, but each in another shape: no session speaks so.
pub fn every_shape(talk: &mut Talk, dice: &mut Dice) {
    for count in 0..10_u16 {
        let command = reliable(1 + count as u8 % 4, count + 1, &dice.bytes(12));
        let time = 2_000 + count * 33;
        let bytes = match count % 5 {
            0 => classic(0x29, 0, time).bytes(command).done(),
            1 => compact(0x29, 0, time).bytes(command).done(),
            2 => Out::new().u32(0x2868_BDEB).bytes(compact(0x29, 0, time).done()).bytes(command).done(),
            3 => Out::new()
                .u64(0x0102_0304_0506_0708)
                .bytes(compact(0x29, 0, time).done())
                .bytes(command)
                .done(),
            _ => Out::new().u16(0x8000).u16(time).bytes(command).done(),
        };
        if count % 2 == 0 {
            talk.ask(bytes);
        } else {
            talk.answer(bytes);
        }
        talk.wait(33);
    }
}

/// Every datagram walks in the classic shape, each with a session and a peer of its own.
pub fn every_session(talk: &mut Talk, dice: &mut Dice) {
    for count in 0..10 {
        let session = dice.next() as u32;
        let peer = dice.below(0x7FFF) as u16;
        let number = dice.next() as u16;
        let bytes =
            classic(session, peer, dice.next() as u16).bytes(reliable(3, number, &dice.bytes(16))).done();
        if count % 2 == 0 {
            talk.ask(bytes);
        } else {
            talk.answer(bytes);
        }
        talk.wait(50);
    }
}

/// ENet 1.3's connect in form, with limits no host may state, sent over and over; what comes back is no ENet.
pub fn stock_connect(talk: &mut Talk, dice: &mut Dice) {
    let limits: [(u32, u32, u32); 6] = [
        (0, 0, 0),
        (u32::MAX, u32::MAX, u32::MAX),
        (575, 65_536, 2),
        (1_400, 1, 2),
        (1_400, 65_536, 0),
        (1_400, 65_536, 256),
    ];
    for (mtu, window, channels) in limits {
        let head = Out::new().u16(0x8FFF).u16(700).u8(0x82).u8(0xFF).u16(1).u16(0).u8(0xFF).u8(0xFF);
        let stated = head.u32(mtu).u32(window).u32(channels).u32(0).u32(0).u32(5_000).u32(2).u32(2);
        talk.ask(stated.u32(dice.next() as u32).u32(0).done());
        talk.answer(dice.bytes(18));
        talk.wait(500);
    }
}

/// The classic connect in form: impossible limits, or a session id at its end that its header does not have.
pub fn classic_connect(talk: &mut Talk, dice: &mut Dice) {
    let forms: [(u16, u32, u32, u32); 6] = [
        (0, 32_768, 7, 0x29),
        (1_400, 0, 7, 0x29),
        (1_400, 32_768, 0, 0x29),
        (1_400, 32_768, 4_000_000, 0x29),
        (u16::MAX, u32::MAX, 7, 0x29),
        (1_400, 32_768, 7, 0x2A),
    ];
    for (mtu, window, channels, session) in forms {
        let head = classic(0x29, 0x7FFF, 700).u8(0x82).u8(0xFF).u16(1).u16(0).u16(mtu);
        let stated = head.u32(window).u32(channels).u32(0).u32(0).u32(5_000).u32(2).u32(2);
        talk.ask(stated.bytes(session.to_le_bytes()).done());
        talk.answer(dice.bytes(12));
        talk.wait(500);
    }
}

/// Readings of sensors: a counter, flags like a peer with sent time, a clock, then pairs that begin like commands.
pub fn telemetry(talk: &mut Talk, dice: &mut Dice) {
    for count in 0..9_u32 {
        let head = Out::new().u32(count).u16(0x8001).u16(count as u16 * 250);
        let pairs = (0..3).fold(head, |out, sensor| out.u8(6).u8(sensor).u16(dice.below(400) as u16));
        talk.ask(pairs.done());
        talk.answer(Out::new().u32(count).u16(0).done());
        talk.wait(250);
    }
}
