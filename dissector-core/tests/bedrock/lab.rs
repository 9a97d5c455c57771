//! A session of Minecraft Bedrock in the making, and what the reader shows of it.

use std::io::Write;

use dissector_core::bedrock::Carrier;
use dissector_core::capture::{Detail, Endpoint, Output, Packet, Settings};
use dissector_core::engine::Engine;
use dissector_core::fields::experts;
use dissector_core::registry::REGISTRY;
use dissector_core::tree::{flag, Node};

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
    /// Each node in full: depth, name, bytes from and how many, value and text, flags.
    pub lines: Vec<String>,
    /// The field that each finding stands at.
    pub stands: Vec<String>,
    /// Names and texts of the findings.
    pub experts: Vec<(String, String)>,
    /// The Info line.
    pub info: String,
    /// The part of the session's text, where somebody follows.
    pub follow: String,
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
    messages: Vec<(u32, bool, Vec<u8>, usize)>,
    /// How much is asked for.
    pub detail: Detail,
    /// Nodes that others have given each frame.
    pub nodes_before: u32,
    /// The client's port.
    pub port: u16,
    /// The RakNet datagram of the next message, and where the message begins in it.
    datagram: Option<(Vec<u8>, Option<usize>)>,
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
        let (detail, port) = (Detail::Labels, CLIENT.1);
        Lab {
            engine,
            frame: 0,
            time: 0,
            nodes: 0,
            messages: Vec::new(),
            detail,
            nodes_before: 0,
            port,
            datagram: None,
        }
    }

    /// Somebody follows sessions from now on.
    pub fn follow(&mut self) {
        self.engine.follow(true);
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

    /// So many nanoseconds pass, on top of the millisecond between messages.
    pub fn wait_nanoseconds(&mut self, nanoseconds: i64) {
        self.time += nanoseconds;
    }

    /// The server sends a message of which only the first bytes are captured.
    pub fn cut(&mut self, bytes: &[u8], captured: usize) -> Option<Shown> {
        self.next((&bytes[..captured], bytes.len()), false)
    }

    /// The client sends a message of so many bytes of which only these are captured.
    pub fn cut_of_client(&mut self, bytes: &[u8], reported: usize) -> Option<Shown> {
        self.next((bytes, reported), true)
    }

    /// The client sends a message, from the message id on.
    pub fn client(&mut self, bytes: &[u8]) -> Option<Shown> {
        self.next((bytes, bytes.len()), true)
    }

    /// The server sends a message.
    pub fn server(&mut self, bytes: &[u8]) -> Option<Shown> {
        self.next((bytes, bytes.len()), false)
    }

    /// The server sends another message in the same frame.
    pub fn in_frame(&mut self, bytes: &[u8], datagram: u32) -> Option<Shown> {
        self.frame += u32::from(datagram == 0);
        if datagram == 0 {
            self.nodes = 0;
        }
        let shown = self.read((bytes, bytes.len()), (self.frame, datagram), false, false)?;
        self.nodes += shown.nodes.len() as u32;
        Some(shown)
    }

    /// The next message comes alone in a datagram, in a frame of this reliability and with these bytes of numbers.
    pub fn numbered(&mut self, reliability: u8, numbers: &[u8], message: &[u8]) -> &mut Lab {
        let length = (message.len() as u16 * 8).to_be_bytes();
        let head = [&[0x84, 0, 0, 0, reliability << 5][..], &length, numbers].concat();
        self.datagram = Some(([&head[..], message].concat(), Some(head.len())));
        self
    }

    /// The next message comes in this datagram, at this place or joined from pieces.
    pub fn carried(&mut self, datagram: Vec<u8>, at: Option<usize>) -> &mut Lab {
        self.datagram = Some((datagram, at));
        self
    }

    /// The server sends a message reliably and in order, on a channel.
    pub fn ordered(&mut self, reliable: u32, (order, channel): (u32, u8), message: &[u8]) -> Option<Shown> {
        let [a, b, c, _] = reliable.to_le_bytes();
        let [d, e, f, _] = order.to_le_bytes();
        self.numbered(3, &[a, b, c, d, e, f, channel], message).server(message)
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
        self.nodes = self.nodes_before;
        let (frame, from_client, bytes, reported) = self.messages[place].clone();
        self.read((&bytes, reported), (frame, 0), from_client, true)
    }

    fn next(&mut self, (bytes, reported): (&[u8], usize), from_client: bool) -> Option<Shown> {
        self.frame += 1;
        self.nodes = self.nodes_before;
        self.time += 1_000_000;
        self.messages.push((self.frame, from_client, bytes.to_vec(), reported));
        self.read((bytes, reported), (self.frame, 0), from_client, false)
    }

    fn read(
        &mut self,
        (bytes, reported): (&[u8], usize),
        at: (u32, u32),
        from_client: bool,
        visited: bool,
    ) -> Option<Shown> {
        let client = (CLIENT.0, self.port);
        let end = |(address, port): ([u8; 4], u16)| Endpoint::new(2, &address, port);
        let (source, destination) = if from_client { (client, SERVER) } else { (SERVER, client) };
        let packet = Packet {
            bytes,
            reported: reported as u32,
            time: self.time,
            frame: at.0,
            datagram: at.1,
            source: end(source),
            destination: end(destination),
            detail: self.detail,
            nodes_before: self.nodes,
            visited,
            in_error_pkt: false,
            decode_as: false,
            league_begun: false,
        };
        let datagram = self.datagram.take();
        let carrier = datagram.as_ref().map(|(datagram, at)| Carrier { datagram, at: *at });
        self.engine.bedrock(&packet, carrier).map(|out| shown(out, bytes.len()))
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
    let lines = out.tree.nodes.iter().map(|node| line(out, node)).collect();
    let experts = out.experts.iter().map(|item| {
        let spec = experts().nth(usize::from(item.expert)).expect("a known finding");
        let (start, end) = out.tree.texts[item.text as usize - 1];
        (spec.name.to_owned(), out.tree.arena[start as usize..end as usize].to_owned())
    });
    let stands = out.experts.iter().map(|item| {
        let node = out.tree.nodes.get(item.node as usize);
        node.map_or("nowhere".into(), |node| REGISTRY.fields[usize::from(node.field)].name.clone())
    });
    let stands = stands.collect();
    Shown {
        nodes,
        lines,
        stands,
        experts: experts.collect(),
        info: out.info.clone(),
        follow: out.follow.text.clone(),
    }
}

/// A node in one line.
fn line(out: &Output, node: &Node) -> String {
    let name = &REGISTRY.fields[usize::from(node.field)].name;
    let mut line = format!("{}{name} {}+{}", "  ".repeat(node.depth.into()), node.offset, node.length);
    if node.value != 0 {
        line += &format!(" ={:#x}", node.value);
    }
    if let Some(text) = out.tree.text_of(node) {
        line += &format!(" '{text}'");
    }
    if node.flags & flag::INDEXED != 0 {
        line += &format!(" [{}]", node.index);
    }
    let letters = [(flag::DECIPHERED, 'd'), (flag::GENERATED, 'g'), (flag::LABELLED, 'l')];
    line.push(' ');
    line.extend(letters.iter().filter(|(flag, _)| node.flags & flag != 0).map(|(_, letter)| letter));
    line.trim_end().to_owned()
}
