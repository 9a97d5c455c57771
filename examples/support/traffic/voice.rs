//! Telephony: RTP, RTCP, STUN, TURN, SIP.

use super::{Dice, Talk};
use crate::support::dice::{crc32, Out};

/// Twenty milliseconds of sound at a time, from both ends.
pub fn rtp(talk: &mut Talk, dice: &mut Dice) {
    let ends = [(dice.next() as u32, dice.next() as u32), (dice.next() as u32, dice.next() as u32)];
    let sequences = [65_530_u16, 120];
    for count in 0..6_u16 {
        for (end, ((source, clock), sequence)) in ends.iter().zip(sequences).enumerate() {
            let marked = if count == 0 { 0x80 } else { 0 };
            let clock = clock.wrapping_add(u32::from(count) * 160);
            let head =
                Out::new().u8(0x80).u8(marked).u16(sequence.wrapping_add(count)).u32(clock).u32(*source);
            // Quiet sound in mu-law stays near 0xFF and 0x7F.
            let sound: Vec<u8> = (0..160).map(|_| 0x78 | dice.next() as u8 & 0x87).collect();
            let bytes = head.bytes(sound).done();
            if end == 0 {
                talk.ask(bytes);
            } else {
                talk.answer(bytes);
            }
        }
        talk.wait(18);
    }
}

/// Reports about such sound, and the goodbye.
pub fn rtcp(talk: &mut Talk, dice: &mut Dice) {
    let (ours, theirs) = (dice.next() as u32, dice.next() as u32);
    let name = |source: u32| {
        Out::new().u8(0x81).u8(202).u16(4).u32(source).u8(1).u8(8).bytes(b"made@one").u16(0).done()
    };
    for count in 1..=5_u32 {
        let sent =
            Out::new().u8(0x80).u8(200).u16(6).u32(ours).u32(0xD347_1200 + count * 5).u32(dice.next() as u32);
        let sent = sent.u32(count * 40_000).u32(count * 250).u32(count * 40_000);
        talk.ask(sent.bytes(name(ours)).done());
        let heard = Out::new().u8(0x81).u8(201).u16(7).u32(theirs).u32(ours).u32(0).u32(65_530 + count * 250);
        talk.answer(heard.u32(17).u32(0x1200_0000 + count).u32(65_536).bytes(name(theirs)).done());
        talk.wait(2_500);
    }
    talk.ask(Out::new().u8(0x81).u8(203).u16(1).u32(ours).done());
}

const COOKIE: u32 = 0x2112_A442;

fn attribute(kind: u16, value: &[u8]) -> Vec<u8> {
    let padding = vec![0; value.len().wrapping_neg() % 4];
    Out::new().u16(kind).u16(value.len() as u16).bytes(value).bytes(padding).done()
}

/// A STUN message with a right fingerprint.
fn stun_message(kind: u16, id: &[u8], attributes: &[Vec<u8>]) -> Vec<u8> {
    let body = attributes.concat();
    let plain = Out::new().u16(kind).u16(body.len() as u16 + 8).u32(COOKIE).bytes(id).bytes(&body).done();
    let fingerprint = crc32(&plain) ^ 0x5354_554E;
    Out::new().bytes(plain).bytes(attribute(0x8028, &fingerprint.to_be_bytes())).done()
}

/// The client's own address as STUN hides it.
fn mapped(talk: &Talk) -> Vec<u8> {
    let address = u32::from_be_bytes(talk.client.ip) ^ COOKIE;
    Out::new().u16(1).u16(talk.client.port ^ (COOKIE >> 16) as u16).u32(address).done()
}

/// Connectivity checks of two ends that look for a way to each other.
pub fn stun(talk: &mut Talk, dice: &mut Dice) {
    for count in 0..5 {
        let id = dice.bytes(12);
        let mut check =
            vec![attribute(0x0006, b"aB3d:Zy9x"), attribute(0x0024, &0x6E00_1EFF_u32.to_be_bytes())];
        check.push(attribute(0x802A, &dice.next().to_be_bytes()));
        if count == 4 {
            check.push(attribute(0x0025, &[]));
        }
        check.push(attribute(0x0008, &dice.bytes(20)));
        talk.ask(stun_message(0x0001, &id, &check));
        talk.wait(20);
        let found = [attribute(0x0020, &mapped(talk)), attribute(0x0008, &dice.bytes(20))];
        talk.answer(stun_message(0x0101, &id, &found));
        talk.wait(400);
    }
    let id = dice.bytes(12);
    talk.ask(stun_message(0x0011, &id, &[]));
    talk.answer(stun_message(0x0011, &dice.bytes(12), &[]));
}

/// An allocation at a relay, a permission, data both ways, short keepalives through the channel.
pub fn turn(talk: &mut Talk, dice: &mut Dice) {
    let (first, second, third) = (dice.bytes(12), dice.bytes(12), dice.bytes(12));
    let transport = attribute(0x0019, &[17, 0, 0, 0]);
    let realm = [attribute(0x0014, b"example.com"), attribute(0x0015, b"5a3f00c19e")];
    let signed = |dice: &mut Dice| attribute(0x0008, &dice.bytes(20));
    talk.ask(stun_message(0x0003, &first, std::slice::from_ref(&transport)));
    let refused = [attribute(0x0009, b"\0\0\x04\x01Unauthorized"), realm.concat()];
    talk.answer(stun_message(0x0113, &first, &refused));
    let again = [transport, attribute(0x0006, b"made"), realm.concat(), signed(dice)];
    talk.ask(stun_message(0x0003, &second, &again));
    let given = [attribute(0x0016, &mapped(talk)), attribute(0x000D, &600_u32.to_be_bytes()), signed(dice)];
    talk.answer(stun_message(0x0103, &second, &given));
    let peer = attribute(0x0012, &mapped(talk));
    let bound = [attribute(0x000C, &[0x40, 0, 0, 0]), peer.clone(), signed(dice)];
    talk.ask(stun_message(0x0009, &third, &bound));
    talk.answer(stun_message(0x0109, &third, &[signed(dice)]));
    talk.ask(stun_message(0x0016, &dice.bytes(12), &[peer.clone(), attribute(0x0013, b"hello")]));
    talk.answer(stun_message(0x0017, &dice.bytes(12), &[peer, attribute(0x0013, b"hello yourself")]));
    for length in [6_u16, 20, 6, 33] {
        let data = dice.bytes(usize::from(length));
        let bytes = Out::new().u16(0x4000).u16(length).bytes(data).done();
        talk.ask(&bytes);
        talk.wait(15);
        talk.answer(&bytes);
        talk.wait(15);
    }
}

/// A registration, a call and its end, with the blank lines that keep a way open.
pub fn sip(talk: &mut Talk, _: &mut Dice) {
    let head = |count: u32, method: &str| {
        format!(
            "Via: SIP/2.0/UDP 192.0.2.33:5060;branch=z9hG4bK{count:04}\r\nFrom: <sip:ann@example.com>;tag=7a\r\n\
             To: <sip:bob@example.com>\r\nCall-ID: {count}made@192.0.2.33\r\nCSeq: {count} {method}\r\n"
        )
    };
    let media = "v=0\r\no=- 1 1 IN IP4 192.0.2.33\r\ns=-\r\nc=IN IP4 192.0.2.33\r\nt=0 0\r\nm=audio 5004 RTP/AVP 0\r\n";
    let bare = "Content-Length: 0\r\n\r\n";
    let with_media =
        format!("Content-Type: application/sdp\r\nContent-Length: {}\r\n\r\n{media}", media.len());
    talk.ask(format!("REGISTER sip:example.com SIP/2.0\r\n{}{bare}", head(1, "REGISTER")));
    talk.answer(format!("SIP/2.0 200 OK\r\n{}{bare}", head(1, "REGISTER")));
    talk.ask("\r\n\r\n");
    talk.answer("\r\n");
    talk.ask(format!("INVITE sip:bob@example.com SIP/2.0\r\n{}{with_media}", head(2, "INVITE")));
    talk.answer(format!("SIP/2.0 100 Trying\r\n{}{bare}", head(2, "INVITE")));
    talk.answer(format!("SIP/2.0 200 OK\r\n{}{with_media}", head(2, "INVITE")));
    talk.ask(format!("ACK sip:bob@example.com SIP/2.0\r\n{}{bare}", head(2, "ACK")));
    talk.ask("\r\n\r\n");
    talk.answer(format!("BYE sip:ann@192.0.2.33 SIP/2.0\r\n{}{bare}", head(3, "BYE")));
    talk.ask(format!("SIP/2.0 200 OK\r\n{}{bare}", head(3, "BYE")));
}
