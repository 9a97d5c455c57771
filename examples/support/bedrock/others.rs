//! Others that use RakNet: nothing about them may change because Bedrock is read.

use super::super::dice::{Dice, Out};
use super::super::net::Capture;
use super::link::{Handshake, Link, MAGIC};
use super::packets::{deflated, zlib, GAME_PACKET};
use super::Tale;

/// RakNet of other games and of old Pocket Edition.
pub fn others() -> Tale {
    let mut capture = Capture::new();
    let mut notes = Vec::new();
    let dice = &mut Dice::new(19_132);
    for (index, port) in [19_132, 42_000].into_iter().enumerate() {
        let from = capture.len() + 1;
        pocket(&mut Link::new(&mut capture, index as u64 * 1_000, 51_000 + index as u16, port), dice);
        notes.push((
            from,
            if port == 19_132 {
                "old Pocket Edition on its own port"
            } else {
                "old Pocket Edition on another port"
            },
        ));
    }
    for (index, port) in [19_132, 43_000].into_iter().enumerate() {
        let from = capture.len() + 1;
        other_game(
            &mut Link::new(&mut capture, 2_000 + index as u64 * 1_000, 51_010 + index as u16, port),
            dice,
        );
        notes.push((from, "another game"));
    }
    let from = capture.len() + 1;
    let mut link = Link::new(&mut capture, 4_000, 51_020, 44_000);
    link.open(Handshake::Secure);
    for length in [40, 60] {
        link.datagram_as_is(true, &dice.bytes(length));
    }
    notes.push((from, "another game with RakNet's own encryption"));
    let from = capture.len() + 1;
    let mut link = Link::new(&mut capture, 5_000, 51_030, 45_000);
    link.open(Handshake::Cookie);
    notes.push((
        from + 1,
        "a cookie: this reply and the request after it are read otherwise before Wireshark 4.4",
    ));
    for length in [5, 90] {
        link.message(false, &[&[0x86][..], &dice.bytes(length)].concat());
    }
    Tale {
        file: "raknet.pcap",
        blurb: "RakNet of others: old Pocket Edition and made-up games. With and without the plugin they look the same, but for what the notes say.",
        capture,
        notes,
    }
}

/// A session of 2015: `fe`, a packet number, no lengths of seven bits.
fn pocket(link: &mut Link<'_>, dice: &mut Dice) {
    ping(link);
    link.open(Handshake::Plain);
    let text = |text: &[u8]| [&(text.len() as u32).to_le_bytes()[..], text].concat();
    let pressed = zlib(&[text(b"{\"chain\":[\"made.up\"]}"), text(b"made.up.jwt")].concat());
    let head = |number: u8, pressed: &[u8]| Out::new().u8(GAME_PACKET).u8(number).bytes(pressed).done();
    let login = Out::new().u32(84).u32(pressed.len() as u32).bytes(&pressed).done();
    link.message(true, &head(1, &login));
    let records = Out::new().u32(3).bytes([2, 0, 0]).u32(2).bytes([0x2D, 1]).done();
    let pressed = zlib(&records);
    link.message(false, &head(6, &Out::new().u32(pressed.len() as u32).bytes(&pressed).done()));
    // Not what it says: Wireshark's own dissector finds it malformed.
    let pressed = deflated(&records);
    link.message(false, &head(6, &Out::new().u32(pressed.len() as u32).bytes(&pressed).done()));
    for number in [2, 9, 0x15, 0x85] {
        link.message(false, &head(number, &dice.bytes(24)));
    }
    let big = zlib(&Out::new().u32(900).bytes(dice.bytes(900)).done());
    link.message(false, &head(6, &Out::new().u32(big.len() as u32).bytes(&big).done()));
    link.message(true, &[0x15]);
    let key = b"MHYwEAYHmade";
    let handshake = Out::new().u16(key.len() as u16).bytes(key).u16(4).bytes([1, 2, 3, 4]);
    link.message(false, &head(3, &handshake.done()));
    for length in [20, 33, 47] {
        link.message(true, &[&[GAME_PACKET][..], &dice.bytes(length)].concat());
    }
}

fn other_game(link: &mut Link<'_>, dice: &mut Dice) {
    ping(link);
    link.open(Handshake::Plain);
    for length in [1, 7, 30, 200, 800] {
        link.message(length % 2 == 0, &[&[0x86][..], &dice.bytes(length)].concat());
        link.message(length % 2 != 0, &[&[GAME_PACKET, 0x42][..], &dice.bytes(length)].concat());
    }
    link.messages(false, &[[&[0x87][..], &dice.bytes(9)].concat(), [&[0x88][..], &dice.bytes(12)].concat()]);
    link.datagram_as_is(true, &[0xC0, 0, 1, 1, 0, 0, 0]);
    link.datagram_as_is(true, &[0xA0, 0, 1, 1, 2, 0, 0]);
    link.message(true, &[0x15]);
}

fn ping(link: &mut Link<'_>) {
    link.datagram_as_is(true, &Out::new().u8(1).u64(500).bytes(MAGIC).u64(7).done());
    let pong = Out::new().u8(0x1C).u64(500).u64(8).bytes(MAGIC).u16(15).bytes("MCPE;Made;84;1;");
    link.datagram_as_is(false, &pong.done());
}
