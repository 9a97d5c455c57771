//! For tests: the recorded captures beside the project, read by hand, and random numbers that are the same
//! each time.

use std::collections::HashMap;
use std::path::PathBuf;

use super::{header, id, Commands, HeaderVariant};
use crate::capture::Sender;

/// Captures of the game: name and header variant.
pub(crate) const GAME: [(&str, HeaderVariant); 4] = [
    ("session-1.0.0.136", HeaderVariant::Classic),
    ("game-1.0.0.136", HeaderVariant::Classic),
    ("made-4.17.0.267", HeaderVariant::Compact),
    ("made-4.20.0.315", HeaderVariant::Prefixed),
];

/// The key of all of them.
pub(crate) const KEY: &str = "00112233445566778899aabbccddeeff";

/// One UDP datagram; its frame is counted from 1.
pub(crate) struct Datagram {
    pub frame: usize,
    pub from: Sender,
    pub bytes: Vec<u8>,
}

/// A payload put together from its fragments, still enciphered.
pub(crate) struct Payload {
    pub frame: usize,
    pub from: Sender,
    pub channel: u8,
    pub bytes: Vec<u8>,
}

/// The file beside the project, or `None` with a word on it where there is none.
pub(crate) fn shared(file: &str) -> Option<Vec<u8>> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/captures")).join(file);
    let read = std::fs::read(&path).ok();
    if read.is_none() {
        eprintln!("skipped: no {file} in ../shared/captures");
    }
    read
}

/// The datagrams of a capture of Ethernet, IPv4 and UDP; the server has the port below 6000.
pub(crate) fn datagrams(name: &str) -> Option<Vec<Datagram>> {
    let file = shared(&format!("{name}.pcap"))?;
    let (mut rest, mut found) = (&file[24..], Vec::new());
    while let Some((record, behind)) = rest.split_at_checked(16) {
        let captured = u32::from_le_bytes(record[8..12].try_into().unwrap()) as usize;
        let (packet, next) = behind.split_at(captured);
        let port = u16::from_be_bytes([packet[34], packet[35]]);
        let from = if port < 6000 { Sender::Server } else { Sender::Client };
        let length = usize::from(u16::from_be_bytes([packet[38], packet[39]]));
        found.push(Datagram { frame: found.len() + 1, from, bytes: packet[42..34 + length].to_vec() });
        rest = next;
    }
    Some(found)
}

/// The payloads of a capture, each once, in the order they are complete.
pub(crate) fn payloads(name: &str, variant: HeaderVariant) -> Option<Vec<Payload>> {
    let mut found = Vec::new();
    let mut seen = HashMap::new();
    let mut parts = HashMap::<_, Vec<(u32, Vec<u8>)>>::new();
    for datagram in datagrams(name)? {
        let header = header(variant, Some(datagram.from), &datagram.bytes).unwrap();
        for command in Commands::new(&datagram.bytes, datagram.bytes.len(), &header).flatten() {
            let Some(data) = command.data else { continue };
            let (from, channel, frame) = (datagram.from, command.channel, datagram.frame);
            let mut bytes = datagram.bytes[data.offset as usize..][..data.len as usize].to_vec();
            if command.acknowledge && seen.insert((from, channel, command.sequence), frame).is_some() {
                continue;
            }
            if command.id == id::SEND_FRAGMENT {
                let stated = command.fragment().unwrap();
                let all = parts.entry((from, channel, stated.start)).or_default();
                all.push((stated.number, bytes));
                if all.len() < stated.count as usize {
                    continue;
                }
                all.sort();
                bytes = all.iter().flat_map(|part| part.1.clone()).collect();
            }
            found.push(Payload { frame, from, channel, bytes });
        }
    }
    Some(found)
}

/// SplitMix64: enough for tests.
pub(crate) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next() as u8).collect()
    }
}
