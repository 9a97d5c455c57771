//! Other games: RakNet, server queries, a Source netchannel.

use super::{Dice, Talk};
use crate::support::dice::Out;

/// The bytes by which RakNet knows its own offline messages.
const MAGIC: [u8; 16] = *b"\x00\xFF\xFF\x00\xFE\xFE\xFE\xFE\xFD\xFD\xFD\xFD\x12\x34\x56\x78";

fn address(octets: [u8; 4], port: u16) -> Vec<u8> {
    Out::new().u8(4).bytes(octets.map(|octet| !octet)).u16(port).done()
}

/// Pings with and without an answer, then the way to a connection.
pub fn raknet_offline(talk: &mut Talk, dice: &mut Dice) {
    let (ours, theirs) = (dice.next(), dice.next());
    for count in 0..4 {
        let time = 90_000 + count * 1_000;
        talk.ask(Out::new().u8(0x01).u64(time).bytes(MAGIC).u64(ours).done());
        talk.wait(15);
        talk.answer(
            Out::new().u8(0x1C).u64(time).u64(theirs).bytes(MAGIC).u16(14).bytes("Made;3;16;open").done(),
        );
        talk.wait(985);
    }
    talk.ask(Out::new().u8(0x05).bytes(MAGIC).u8(6).bytes([0; 482]).done());
    talk.answer(Out::new().u8(0x06).bytes(MAGIC).u64(theirs).u8(0).u16(528).done());
    let (here, there) = (talk.client, talk.server);
    talk.ask(Out::new().u8(0x07).bytes(MAGIC).bytes(address(there.ip, there.port)).u16(528).u64(ours).done());
    let accepted =
        Out::new().u8(0x08).bytes(MAGIC).u64(theirs).bytes(address(here.ip, here.port)).u16(528).u8(0);
    talk.answer(accepted.done());
}

fn little(number: u32) -> [u8; 3] {
    let [a, b, c, _] = number.to_le_bytes();
    [a, b, c]
}

/// A set with one frame, reliable and ordered.
fn frame_set(number: u32, body: &[u8]) -> Vec<u8> {
    let head = Out::new().u8(0x84).bytes(little(number)).u8(0x60).u16(body.len() as u16 * 8);
    head.bytes(little(number)).bytes(little(number)).u8(0).bytes(body).done()
}

fn receipt(kind: u8, first: u32, last: u32) -> Vec<u8> {
    let head = Out::new().u8(kind).u16(1);
    if first == last {
        head.u8(1).bytes(little(first)).done()
    } else {
        head.u8(0).bytes(little(first)).bytes(little(last)).done()
    }
}

/// Sets of frames, acknowledged one by one, in runs, and asked for again.
pub fn raknet_connected(talk: &mut Talk, dice: &mut Dice) {
    let ours = dice.next();
    talk.ask(frame_set(0, &Out::new().u8(0x09).u64(ours).u64(95_000).u8(0).done()));
    talk.answer(receipt(0xC0, 0, 0));
    for number in 0..6 {
        talk.answer(frame_set(number, &[&[0x86], &dice.bytes(20 + 9 * number as usize)[..]].concat()));
        talk.ask(receipt(0xC0, number, number));
    }
    talk.answer(frame_set(9, &[&[0x86], &dice.bytes(30)[..]].concat()));
    talk.ask(receipt(0xA0, 6, 8));
    talk.ask(receipt(0xC0, 6, 9));
    talk.ask(frame_set(1, &Out::new().u8(0x00).u64(96_000).done()));
    talk.answer(frame_set(10, &Out::new().u8(0x03).u64(96_000).u64(31_000).done()));
    talk.ask(frame_set(2, &[0x15]));
}

/// Source queries: a challenge, then rules, players, info.
pub fn source(talk: &mut Talk, dice: &mut Dice) {
    let query = |kind: u8| Out::new().u32(u32::MAX).u8(kind);
    let challenge = dice.next() as u32;
    talk.ask(query(0x54).bytes(b"Source Engine Query\0").done());
    talk.answer(query(0x41).u32(challenge).done());
    talk.ask(query(0x54).bytes(b"Source Engine Query\0").u32(challenge).done());
    let blurb = query(0x49).u8(17).bytes(b"A made server\0de_made\0made\0Made Game\0").u16(0xDC00);
    talk.answer(blurb.bytes([3, 16, 0, b'd', b'l', 0, 1]).bytes(b"1.0.0.0\0").done());
    talk.ask(query(0x55).u32(u32::MAX).done());
    talk.answer(query(0x41).u32(challenge).done());
    talk.ask(query(0x55).u32(challenge).done());
    let players = query(0x44).u8(2).u8(0).bytes(b"ann\0").u32(5).u32(0).u8(1).bytes(b"bob\0").u32(9).u32(0);
    talk.answer(players.done());
    talk.ask(query(0x56).u32(challenge).done());
    talk.answer(query(0x45).u16(0x0200).bytes(b"mp_friendlyfire\x000\0sv_gravity\x00800\0").done());
    talk.ask(query(0x69).done());
    talk.answer(query(0x6A).bytes(b"00000000000000\0").done());
}

/// Quake 3 status and info, and the first words of a connection.
pub fn quake(talk: &mut Talk, dice: &mut Dice) {
    let say = |text: &str| Out::new().u32(u32::MAX).bytes(text).done();
    for _ in 0..2 {
        talk.ask(say("getinfo xxx"));
        talk.answer(say(
            "infoResponse\n\\game\\made\\clients\\2\\mapname\\made1\\hostname\\Made\\protocol\\68\\sv_maxclients\\16",
        ));
        talk.ask(say("getstatus"));
        talk.answer(say(
            "statusResponse\n\\g_gametype\\0\\mapname\\made1\\sv_hostname\\Made\\version\\1.32\n5 40 \"ann\"\n9 52 \"bob\"\n",
        ));
        talk.wait(2_000);
    }
    let number = dice.next() as u32;
    talk.ask(say("getchallenge"));
    talk.answer(say(&format!("challengeResponse {number}")));
    talk.ask(say("connect \"\\name\\ann\\rate\\25000\\protocol\\68\""));
    talk.answer(say("connectResponse"));
}

/// GameSpy queries of three generations.
pub fn gamespy(talk: &mut Talk, dice: &mut Dice) {
    for word in ["\\basic\\", "\\info\\", "\\status\\"] {
        talk.ask(word);
        talk.answer(format!(
            "\\gamename\\made\\hostname\\Made\\numplayers\\2\\maxplayers\\16{word}final\\\\queryid\\7.1"
        ));
    }
    let number = dice.next() as u32;
    talk.ask(Out::new().u16(0xFEFD).u8(0).u32(number).bytes([0xFF, 0xFF, 0xFF]).done());
    talk.answer(
        Out::new().u8(0).u32(number).bytes(b"hostname\0Made\0gamever\x001.2\0numplayers\x002\0\0").done(),
    );
    talk.ask(Out::new().u16(0xFEFD).u8(9).u32(number).done());
    talk.answer(Out::new().u8(9).u32(number).bytes(b"9513307\0").done());
    talk.ask(Out::new().u16(0xFEFD).u8(0).u32(number).u32(9_513_307).u32(0xFFFF_FF01).done());
    talk.answer(
        Out::new().u8(0).u32(number).bytes(b"splitnum\0\x80\0hostname\0Made\0mapname\0made1\0\0").done(),
    );
}

/// A netchannel: counters, flags and arbitrary game data, at a port the game's servers use too.
pub fn netchannel(talk: &mut Talk, dice: &mut Dice) {
    for number in 1..10_u32 {
        let out = |number: u32, heard: u32, dice: &mut Dice, length: usize| {
            let head = Out::new().bytes(number.to_le_bytes()).bytes(heard.to_le_bytes()).u8(0);
            head.u16(dice.next() as u16).u8(dice.below(8) as u8).bytes(dice.bytes(length)).done()
        };
        let length = 20 + dice.below(60) as usize;
        talk.ask(out(number, number - 1, dice, length / 3));
        talk.answer(out(number, number, dice, length));
        talk.wait(30);
    }
}
