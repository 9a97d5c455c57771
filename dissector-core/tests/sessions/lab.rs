//! A capture in the making, and an engine that reads it as epan lets it: both passes, fragments put together.
#![allow(dead_code)] // each scenario uses a part

use std::collections::HashMap;

use dissector_core::capture::{Detail, Endpoint, MessageId, Output, Packet, PayloadSpan, Settings};
use dissector_core::engine::Engine;
use dissector_core::field::Mask;
use dissector_core::fields::experts;
use dissector_core::registry::REGISTRY;
use dissector_core::tree::flag;

/// A millisecond, in nanoseconds.
pub const MS: i64 = 1_000_000;

/// Values of `enet.checksum.status`, which are epan's.
pub const BAD: u64 = 0;
/// The checksum fits.
pub const GOOD: u64 = 1;
/// Nothing tells.
pub const UNVERIFIED: u64 = 2;

/// One datagram as it was captured.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Where it stands: frame number, and which datagram of the frame.
    pub id: (u32, u32),
    /// When it was captured, nanoseconds.
    pub time: i64,
    /// Its sender and its receiver.
    pub ends: (Endpoint, Endpoint),
    /// The captured bytes.
    pub bytes: Vec<u8>,
    /// Bytes there were on the wire.
    pub reported: usize,
    /// Whether the user says that it is ENet.
    pub decode_as: bool,
    /// Whether an error message quotes it.
    pub in_error_pkt: bool,
}

/// One node as it was shown.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// Filter name.
    pub name: &'static str,
    /// Its value, or the bits of it.
    pub value: u64,
    /// Its text, or what stands behind its label.
    pub text: String,
    /// How deep it stands, its flags, first byte and length.
    pub place: (u8, u16, u32, u32),
    /// Which bits of its bytes it is: the lowest and how many; 0 for all.
    pub bits: (u8, u8),
}

/// What one call has shown.
#[derive(Clone, PartialEq, Debug)]
pub struct Shown {
    /// The nodes.
    pub items: Vec<Item>,
    /// Name, text and node of each expert item.
    pub experts: Vec<(&'static str, String, u32)>,
    /// The Info line.
    pub info: String,
    /// Whether it holds messages of the game.
    pub league: bool,
    /// Where the game's part begins, if there is one.
    pub part: Option<usize>,
    /// Payloads for export and for others.
    pub payloads: Vec<PayloadSpan>,
    /// What messages that were put together here have shown.
    pub messages: Vec<Shown>,
    /// The bytes that were read.
    pub bytes: Vec<u8>,
    /// The part of the session's text, where somebody follows.
    pub follow: String,
    /// Those of commands that came compressed.
    pub decompressed: Vec<u8>,
}

impl Shown {
    /// The nodes of a field, with those of messages that were put together here.
    pub fn all(&self, name: &str) -> Vec<&Item> {
        let here = self.items.iter().filter(|item| item.name == name);
        here.chain(self.messages.iter().flat_map(|message| message.all(name))).collect()
    }

    /// The values of a field.
    pub fn values(&self, name: &str) -> Vec<u64> {
        self.all(name).iter().map(|item| item.value).collect()
    }

    /// The texts of a field.
    pub fn texts(&self, name: &str) -> Vec<&str> {
        self.all(name).iter().map(|item| item.text.as_str()).collect()
    }

    /// Whether a field is there.
    pub fn has(&self, name: &str) -> bool {
        !self.all(name).is_empty()
    }

    /// The nodes as an outline, a line each: two spaces a level, then name (in brackets where it is not in the
    /// bytes), value, `+` first byte and length, `:` lowest bit and how many, and text or label.
    pub fn outline(&self) -> Vec<String> {
        let line = |item: &Item| {
            let (depth, flags, offset, length) = item.place;
            let mut line = "  ".repeat(depth.into());
            match flags & flag::GENERATED == 0 {
                true => line.push_str(&format!("{} {} +{offset}/{length}", item.name, item.value)),
                false => line.push_str(&format!("[{}] {}", item.name, item.value)),
            }
            if flags & flag::BITS != 0 {
                line.push_str(&format!(":{}/{}", item.bits.0, item.bits.1));
            }
            if !item.text.is_empty() {
                line.push_str(&format!(" {}", item.text));
            }
            line
        };
        self.items.iter().map(line).collect()
    }

    /// The texts of the expert items of a name.
    pub fn told(&self, expert: &str) -> Vec<&str> {
        let here = self.experts.iter().filter(|(name, ..)| *name == expert).map(|(_, text, _)| text.as_str());
        here.chain(self.messages.iter().flat_map(|message| message.told(expert))).collect()
    }
}

/// One pass over a capture: what each frame has shown, `None` where it was left to others.
pub type Pass = Vec<Option<Shown>>;

/// An engine, and what epan does for it.
pub struct Run {
    /// The engine.
    pub engine: Engine,
    detail: Detail,
    /// Fragments by reassembly.
    parts: HashMap<u32, HashMap<u32, Vec<u8>>>,
    /// How many fragments a reassembly has, once its last was seen.
    counts: HashMap<u32, usize>,
    /// Messages by the frame that completes them and their reassembly.
    whole: HashMap<(u32, u32), Vec<u8>>,
}

impl Run {
    /// An engine that has seen nothing; it must have nothing against the settings.
    pub fn new(settings: &Settings, detail: Detail) -> Run {
        let engine = Engine::new(settings);
        assert_eq!(engine.problems(), [""; 0]);
        let (parts, counts, whole) = Default::default();
        Run { engine, detail, parts, counts, whole }
    }

    /// Reads all frames once.
    pub fn pass(&mut self, frames: &[Frame], visited: bool) -> Pass {
        frames.iter().map(|frame| self.read(frame, visited)).collect()
    }

    /// Reads one frame; `None` where it is left to others.
    pub fn read(&mut self, frame: &Frame, visited: bool) -> Option<Shown> {
        let detail = self.detail;
        let packet = packet(frame, &frame.bytes, frame.reported, detail, visited);
        let output = self.engine.datagram(&packet)?;
        let mut shown = show(output, &frame.bytes);
        let (spans, early) = (output.fragments.clone(), output.early.clone());
        // fragments of commands that came compressed are in what these were opened to
        let source = if output.decompressed.is_empty() { &frame.bytes } else { &output.decompressed.clone() };
        for span in spans {
            if detail == Detail::Tree && span.early_frame == 0 {
                let name = shown.items[span.node as usize].name;
                assert_eq!(name, "enet.command.item", "a message is described under its last fragment");
            }
            let range = span.offset as usize..(span.offset + span.length) as usize;
            if span.early_frame != 0 {
                assert!(!visited && span.node == u32::MAX, "epan has seen it by then");
                let at = (span.early_frame, span.early_datagram);
                if let Some(whole) =
                    self.join(span.early_frame, span.id, (span.number, span.more), &early[range])
                {
                    let then = Frame { id: at, ..frame.clone() };
                    let packet = self::packet(&then, &whole, whole.len(), Detail::State, false);
                    self.engine.reassembled(&packet, span.id).expect("its fragments were given");
                }
                continue;
            }
            if span.completes == 0 {
                continue;
            }
            let whole = match visited {
                true => self.whole.get(&(frame.id.0, span.id)).cloned(),
                false => self.join(frame.id.0, span.id, (span.number, span.more), &source[range]),
            };
            let Some(whole) = whole else { continue };
            let mut packet = self::packet(frame, &whole, whole.len(), detail, visited);
            packet.league_begun =
                [&shown].into_iter().chain(&shown.messages).any(|shown| shown.part.is_some());
            let output = self.engine.reassembled(&packet, span.id).expect("its fragments were given");
            shown.messages.push(show(output, &whole));
        }
        Some(shown)
    }

    /// Adds a fragment, as epan does on the first pass; answers the message that it completes.
    fn join(&mut self, frame: u32, id: u32, (number, more): (u32, u8), data: &[u8]) -> Option<Vec<u8>> {
        let parts = self.parts.entry(id).or_default();
        assert!(parts.insert(number, data.to_vec()).is_none(), "fragment {number} of {id} is given twice");
        if more == 0 {
            self.counts.insert(id, number as usize + 1);
        }
        if self.counts.get(&id) != Some(&parts.len()) {
            return None;
        }
        let whole: Vec<u8> = (0..parts.len() as u32).flat_map(|number| parts[&number].clone()).collect();
        self.whole.insert((frame, id), whole.clone());
        Some(whole)
    }
}

/// Reads a capture as Wireshark's window does: once in order, then again as somebody looks.
pub fn passes(settings: &Settings, frames: &[Frame]) -> (Pass, Pass) {
    let mut run = Run::new(settings, Detail::Tree);
    let first = run.pass(frames, false);
    let second = run.pass(frames, true);
    // however often and in whatever order frames are looked at, they look the same
    for (frame, shown) in frames.iter().zip(&second).rev() {
        assert_eq!(&run.read(frame, true), shown, "frame {:?}", frame.id);
    }
    // without nodes the same is learnt
    let mut bare = Run::new(settings, Detail::State);
    let told = |pass: &Pass| -> Vec<_> {
        pass.iter()
            .flatten()
            .map(|shown| {
                shown.experts.iter().map(|(name, text, _)| (*name, text.clone())).collect::<Vec<_>>()
            })
            .collect()
    };
    assert_eq!(told(&bare.pass(frames, false)), told(&first));
    let mut bare = Run { detail: Detail::Tree, ..bare };
    assert_eq!(bare.pass(frames, true), second);
    check_columns(&mut Run { detail: Detail::State, ..bare }, frames, &second);
    (first, second)
}

/// With less detail nothing is shown that was not asked for, and the Info line is the same without nodes.
fn check_columns(run: &mut Run, frames: &[Frame], all: &Pass) {
    for shown in run.pass(frames, true).iter().flatten() {
        assert_eq!((shown.info.as_str(), shown.items.len()), ("", 0), "nobody asked for the Info line");
    }
    run.detail = Detail::Columns;
    let infos = |pass: &Pass| -> Vec<_> {
        pass.iter()
            .flatten()
            .map(|shown| (shown.info.clone(), shown.league, shown.payloads.clone()))
            .collect()
    };
    let columns = run.pass(frames, true);
    assert_eq!(infos(&columns), infos(all));
    assert!(columns.iter().flatten().all(|shown| shown.items.is_empty()), "nobody asked for nodes");
}

/// The second pass alone.
pub fn read(settings: &Settings, frames: &[Frame]) -> Pass {
    passes(settings, frames).1
}

/// A frame as a packet.
pub fn packet<'a>(
    frame: &Frame,
    bytes: &'a [u8],
    reported: usize,
    detail: Detail,
    visited: bool,
) -> Packet<'a> {
    Packet {
        bytes,
        reported: reported as u32,
        time: frame.time,
        frame: frame.id.0,
        datagram: frame.id.1,
        source: frame.ends.0,
        destination: frame.ends.1,
        detail,
        nodes_before: 0,
        visited,
        in_error_pkt: frame.in_error_pkt,
        decode_as: frame.decode_as,
        league_begun: false,
    }
}

/// What a call has given back.
pub fn show(output: &Output, bytes: &[u8]) -> Shown {
    let tree = &output.tree;
    let item = |node: &dissector_core::tree::Node| {
        let field = &REGISTRY.fields[usize::from(node.field)];
        let source = match node.flags & (flag::DECIPHERED | flag::DECOMPRESSED) {
            0 => bytes.len(),
            flag::DECOMPRESSED => output.decompressed.len(),
            _ => output.plain.len(),
        };
        assert!((node.offset + node.length) as usize <= source, "{} leaves its {source} bytes", field.name);
        let mask = Mask { bit: node.bit_first, bytes: node.word_bytes };
        let is_bit = node.flags & flag::BITS != 0;
        assert!(
            field.masks.is_empty() || is_bit && field.masks.contains(&mask),
            "{} at {mask:?}",
            field.name
        );
        let text = tree.text_of(node).unwrap_or_default().to_owned();
        Item {
            name: &field.name,
            value: node.value,
            text,
            place: (node.depth, node.flags, node.offset, node.length),
            bits: (node.bit_first, node.bit_count),
        }
    };
    let expert = |item: &dissector_core::capture::ExpertItem| {
        let name = experts().nth(item.expert.into()).expect("a known expert item").name;
        let (start, end) = tree.texts[item.text as usize - 1];
        (name, tree.arena[start as usize..end as usize].to_owned(), item.node)
    };
    Shown {
        items: tree.nodes.iter().map(item).collect(),
        experts: output.experts.iter().map(expert).collect(),
        info: output.info.clone(),
        league: output.league,
        part: output.league_nodes.map(|first| first as usize),
        payloads: output.payloads.clone(),
        messages: Vec::new(),
        bytes: bytes.to_vec(),
        follow: output.follow.text.clone(),
        decompressed: output.decompressed.clone(),
    }
}

/// What each frame of a pass has shown: none of them may be left to others.
pub fn shown(pass: &Pass) -> Vec<&Shown> {
    let all: Option<Vec<_>> = pass.iter().map(Option::as_ref).collect();
    all.expect("every frame belongs to a session")
}

/// The number of the session each frame belongs to, `None` where it was left to others or to no session.
pub fn streams(pass: &Pass) -> Vec<Option<u64>> {
    pass.iter().map(|shown| shown.as_ref()?.values("enet.stream").first().copied()).collect()
}

/// Where a payload stands: used by tests that follow one.
pub fn id_of(frame: &Frame, command: u16) -> MessageId {
    MessageId { frame: frame.id.0, datagram: frame.id.1, command, inner: 0 }
}
