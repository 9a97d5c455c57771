//! Peers and reliable transports that are not ENet: uTP, the BitTorrent DHT, KCP.

use super::{Dice, Talk};
use crate::support::dice::Out;

struct Utp {
    id: u16,
    number: u16,
    heard: u16,
    clock: u32,
}

impl Utp {
    fn packet(&mut self, kind: u8, data: &[u8]) -> Vec<u8> {
        self.clock += 7_919;
        let head = Out::new().u8(kind << 4 | 1).u8(0).u16(self.id).u32(self.clock).u32(3_100).u32(1 << 20);
        head.u16(self.number).u16(self.heard).bytes(data).done()
    }
}

/// A connection from its first word to its last, with data one way.
pub fn utp(talk: &mut Talk, dice: &mut Dice) {
    let id = dice.next() as u16;
    let mut ours = Utp { id, number: 1, heard: 0, clock: 1_000_000 };
    let mut theirs = Utp { id, number: 0x7777, heard: 1, clock: 9_000_000 };
    talk.ask(ours.packet(4, &[]));
    talk.answer(theirs.packet(2, &[]));
    ours.id = id.wrapping_add(1);
    ours.heard = theirs.number - 1;
    for length in [68, 120, 17, 120, 5] {
        ours.number += 1;
        theirs.heard = ours.number;
        talk.ask(ours.packet(0, &dice.bytes(length)));
        talk.answer(theirs.packet(2, &[]));
        talk.wait(30);
    }
    ours.number += 1;
    theirs.heard = ours.number;
    talk.ask(ours.packet(1, &[]));
    talk.answer(theirs.packet(2, &[]));
    talk.answer(theirs.packet(3, &[]));
}

/// Questions and answers of a distributed hash table.
pub fn dht(talk: &mut Talk, dice: &mut Dice) {
    let (ours, theirs) = (dice.bytes(20), dice.bytes(20));
    for (place, query) in ["ping", "find_node", "get_peers", "ping"].iter().enumerate() {
        let transaction = [b'a' + place as u8, b'x'];
        let argument = match *query {
            "find_node" => [b"6:target20:", &dice.bytes(20)[..]].concat(),
            "get_peers" => [b"9:info_hash20:", &dice.bytes(20)[..]].concat(),
            _ => Vec::new(),
        };
        let asked = Out::new().bytes("d1:ad2:id20:").bytes(&ours).bytes(argument).bytes("e1:q");
        let asked = asked.bytes(format!("{}:{query}1:t2:", query.len())).bytes(transaction);
        talk.ask(asked.bytes("1:y1:qe").done());
        talk.wait(60);
        let nodes = if *query != "ping" { [b"5:nodes52:", &dice.bytes(52)[..]].concat() } else { Vec::new() };
        let answered = Out::new().bytes("d1:rd2:id20:").bytes(&theirs).bytes(nodes).bytes("e1:t2:");
        talk.answer(answered.bytes(transaction).bytes("1:y1:re").done());
        talk.wait(300);
    }
}

/// KCP: the same id in front of every segment, numbered pushes and their acknowledgements.
pub fn kcp(talk: &mut Talk, dice: &mut Dice) {
    let id = 0x29_u32;
    let segment = |command: u8, clock: u32, number: u32, heard: u32, data: &[u8]| {
        let head = Out::new().bytes(id.to_le_bytes()).u8(command).u8(0).bytes(128_u16.to_le_bytes());
        let head = head.bytes(clock.to_le_bytes()).bytes(number.to_le_bytes()).bytes(heard.to_le_bytes());
        head.bytes((data.len() as u32).to_le_bytes()).bytes(data).done()
    };
    for number in 0..6 {
        let clock = 4_000 + number * 33;
        let length = 10 + dice.below(50) as usize;
        talk.ask(segment(81, clock, number, number, &dice.bytes(length)));
        talk.wait(12);
        talk.answer(segment(82, clock, number, number + 1, &[]));
        talk.answer(segment(81, clock + 9, number, number + 1, &dice.bytes(16)));
        talk.wait(18);
    }
}
