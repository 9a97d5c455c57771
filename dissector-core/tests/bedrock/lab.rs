//! A session of Minecraft Bedrock in the making, and what the reader shows of it.

use std::io::Write;

use dissector_core::capture::{Detail, Endpoint, Output, Packet, Settings};
use dissector_core::engine::Engine;
use dissector_core::fields::experts;
use dissector_core::registry::REGISTRY;

/// The ends: address and port.
const CLIENT: ([u8; 4], u16) = ([192, 0, 2, 10], 50_000);
const SERVER: ([u8; 4], u16) = ([198, 51, 100, 20], 19_132);

/// Actor 2 at x 1, on the ground, ticks 7.
pub const MOVED: [u8; 16] = [2, 1, 0, 0, 0x80, 0x3F, 0, 0, 0, 0, 0, 1, 0, 0, 0, 7];
/// Actor 2, nothing changed.
pub const STILL: [u8; 12] = [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// A packet 111 with this body.
pub fn delta(body: &[u8]) -> Vec<u8> {
    [&[0x6F][..], body].concat()
}

/// Packets with their lengths in front.
pub fn batch(packets: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for packet in packets {
        let mut length = packet.len();
        while length > 0x7F {
            bytes.push(length as u8 | 0x80);
            length >>= 7;
        }
        bytes.push(length as u8);
        bytes.extend(packet);
    }
    bytes
}

/// Deflate without a header.
pub fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

/// Deflate with zlib's header.
pub fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

/// A Snappy block.
pub fn snappy(bytes: &[u8]) -> Vec<u8> {
    snap::raw::Encoder::new().compress_vec(bytes).unwrap()
}

/// What a message shows.
#[derive(Clone, PartialEq, Debug)]
pub struct Shown {
    /// Names and values of the nodes.
    pub nodes: Vec<(String, u64, String)>,
    /// Names and texts of the findings.
    pub experts: Vec<(String, String)>,
    /// The Info line.
    pub info: String,
}

impl Shown {
    /// The values of a field, in order.
    pub fn all<'s>(&'s self, name: &'s str) -> impl Iterator<Item = u64> + 's {
        self.nodes.iter().filter(move |(node, _, _)| node == name).map(|(_, value, _)| *value)
    }

    /// The first value of a field.
    pub fn find(&self, name: &str) -> Option<u64> {
        self.all(name).next()
    }

    /// The first value of a field, 0 where it is not there.
    pub fn value(&self, name: &str) -> u64 {
        self.find(name).unwrap_or(0)
    }

    /// The first text of a field.
    pub fn text(&self, name: &str) -> String {
        self.nodes
            .iter()
            .find(|(node, _, _)| node == name)
            .map(|(_, _, text)| text.clone())
            .unwrap_or_default()
    }
}

/// A reader and the messages it has had.
pub struct Lab {
    engine: Engine,
    frame: u32,
    time: i64,
    /// Nodes that the frame at hand has been given so far.
    nodes: u32,
    messages: Vec<(u32, bool, Vec<u8>)>,
}

impl Lab {
    /// A reader without settings.
    pub fn new() -> Lab {
        Lab::with(&Settings::default())
    }

    /// A reader with settings.
    pub fn with(settings: &Settings) -> Lab {
        let engine = Engine::new(settings);
        assert_eq!(engine.problems(), [""; 0]);
        Lab { engine, frame: 0, time: 0, nodes: 0, messages: Vec::new() }
    }

    /// Both ends agree on a protocol and an algorithm.
    pub fn agree(&mut self, protocol: u16, algorithm: u16) {
        let [high, low] = protocol.to_be_bytes();
        self.client(&[0xFE, 6, 0xC1, 1, 0, 0, high, low]).expect("a request is Bedrock's");
        let [low, high] = algorithm.to_le_bytes();
        self.server(&[0xFE, 12, 0x8F, 1, 1, 0, low, high, 0, 0, 0, 0, 0, 0]).expect("settings are Bedrock's");
    }

    /// So many seconds pass.
    pub fn wait(&mut self, seconds: i64) {
        self.time += seconds * 1_000_000_000;
    }

    /// The client sends a message, from the message id on.
    pub fn client(&mut self, bytes: &[u8]) -> Option<Shown> {
        self.next(bytes, true)
    }

    /// The server sends a message.
    pub fn server(&mut self, bytes: &[u8]) -> Option<Shown> {
        self.next(bytes, false)
    }

    /// The server sends another message in the same frame.
    pub fn in_frame(&mut self, bytes: &[u8], datagram: u32) -> Option<Shown> {
        self.frame += u32::from(datagram == 0);
        if datagram == 0 {
            self.nodes = 0;
        }
        let shown = self.read(bytes, (self.frame, datagram), false, false)?;
        self.nodes += shown.nodes.len() as u32;
        Some(shown)
    }

    /// The number of the last message.
    pub fn place(&self) -> usize {
        self.messages.len() - 1
    }

    /// The last message in a later pass.
    pub fn again(&mut self) -> Option<Shown> {
        self.at(self.place())
    }

    /// A message in a later pass.
    pub fn at(&mut self, place: usize) -> Option<Shown> {
        self.nodes = 0;
        let (frame, from_client, bytes) = self.messages[place].clone();
        self.read(&bytes, (frame, 0), from_client, true)
    }

    fn next(&mut self, bytes: &[u8], from_client: bool) -> Option<Shown> {
        self.frame += 1;
        self.nodes = 0;
        self.time += 1_000_000;
        self.messages.push((self.frame, from_client, bytes.to_vec()));
        self.read(bytes, (self.frame, 0), from_client, false)
    }

    fn read(&mut self, bytes: &[u8], at: (u32, u32), from_client: bool, visited: bool) -> Option<Shown> {
        let end = |(address, port): ([u8; 4], u16)| Endpoint::new(2, &address, port);
        let (source, destination) = if from_client { (CLIENT, SERVER) } else { (SERVER, CLIENT) };
        let packet = Packet {
            bytes,
            reported: bytes.len() as u32,
            time: self.time,
            frame: at.0,
            datagram: at.1,
            source: end(source),
            destination: end(destination),
            detail: Detail::Tree,
            nodes_before: self.nodes,
            visited,
            in_error_pkt: false,
            decode_as: false,
        };
        self.engine.bedrock(&packet).map(|out| shown(out, bytes.len()))
    }
}

fn shown(out: &Output, length: usize) -> Shown {
    let nodes = out.tree.nodes.iter().map(|node| {
        let name = REGISTRY.fields[usize::from(node.field)].name.clone();
        let source = if node.flags & 1 == 0 { length } else { out.plain.len() };
        assert!(node.offset as usize + node.length as usize <= source, "{name} leaves its {source} bytes");
        (name, node.value, out.tree.text_of(node).unwrap_or_default().to_owned())
    });
    let nodes = nodes.collect();
    let experts = out.experts.iter().map(|item| {
        let spec = experts().nth(usize::from(item.expert)).expect("a known finding");
        let (start, end) = out.tree.texts[item.text as usize - 1];
        (spec.name.to_owned(), out.tree.arena[start as usize..end as usize].to_owned())
    });
    Shown { nodes, experts: experts.collect(), info: out.info.clone() }
}
