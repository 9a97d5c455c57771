//! The packets of a batch: nodes, findings and what the Info line says of each.

use std::fmt::{self, Write};

use crate::bedrock::batch::{self, Bad};
use crate::bedrock::layouts::{id, input, layout, protocols, states_differences, Known};
use crate::bedrock::records::{Position, Record, Source};
use crate::book::bedrock_names::PACKETS;
use crate::capture::{Detail, Output};
use crate::decimal::shortest;
use crate::decode::{self, Facts};
use crate::fields::bedrock::Expert;
use crate::fields::bedrock::Field;
use crate::registry::{Program, REGISTRY};
use crate::tree::{flag, Cut};

/// Findings of one message; a batch of garbage could have as many as bytes.
const MOST_FINDINGS: usize = 100;
/// Nodes of one packet at most: room that must be left before it is shown.
const OF_A_PACKET: usize = 64;

/// What the packets of a batch are shown with.
pub struct Batch<'a> {
    pub bytes: &'a [u8],
    /// Where the batch begins in its data source.
    pub base: u32,
    pub flags: u16,
    /// Whether the capture, not the sender, left out its end.
    pub short: bool,
    pub record: &'a Record,
    pub root: Option<usize>,
    pub detail: Detail,
    pub positions: u32,
    /// Whether the next layout found by fit is the first of its session.
    pub inferring: bool,
}

/// Shows the packets of a batch. Where decompression has failed, that has been told, and the end is no news.
pub fn show_packets(
    batch: &mut Batch<'_>,
    failed: bool,
    position: impl Fn(u32) -> Option<Position>,
    out: &mut Output,
) {
    let counter = match batch.nodes() {
        true => out.node(1, Field::PacketCount.id(), (batch.base, 0), 0, batch.flags | flag::GENERATED),
        false => None,
    };
    let (mut at, mut index) = (0, 0);
    while let Some(next) = batch::packet(batch.bytes, at) {
        match next {
            Ok(packet) => {
                batch.packet(&packet, index, failed, &position, out);
                (at, index) = (packet.end, index + 1);
            }
            Err(bad) => {
                if !failed {
                    batch.bad(bad, at, out);
                }
                break;
            }
        }
    }
    if index == 0 && at == batch.bytes.len() && !failed {
        let short = batch.short;
        let text = "bedrock.packet.length needs 1 byte, none is left: the batch is empty";
        batch.finding(if short { Expert::Short } else { Expert::Malformed }, batch.root, text, out);
    }
    if let Some(node) = out.at(counter) {
        node.value = index.into();
    }
}

impl Batch<'_> {
    fn known(&self) -> Known {
        (self.record.protocol, self.record.form)
    }

    fn nodes(&self) -> bool {
        self.detail >= Detail::Tree
    }

    fn finding(&self, expert: Expert, node: Option<usize>, text: &str, out: &mut Output) {
        if out.experts.len() < MOST_FINDINGS {
            out.expert(expert.id(), node, text);
        }
        match expert {
            Expert::Malformed => out.add_info(" ", "[malformed]"),
            Expert::Short => out.add_info(" ", "[cut short]"),
            _ => {}
        }
    }

    /// What is left where no packet begins.
    fn bad(&self, bad: Bad, at: usize, out: &mut Output) {
        let left = self.bytes.len() - at;
        let text = match bad {
            Bad::Length(left) if left < 5 => {
                format!("bedrock.packet.length has no end: {left} bytes are left")
            }
            Bad::Length(_) => {
                "bedrock.packet.length does not end within 5 bytes, or is above 4294967295".to_owned()
            }
            Bad::Empty => "bedrock.packet.length is 0, but a packet has a header".to_owned(),
            Bad::Header => {
                "bedrock.packet.header does not end within the packet, or within 5 bytes".to_owned()
            }
        };
        let mut node = None;
        if self.nodes() && self.has_room(out) {
            let at = (self.base + at as u32, left as u32);
            node = out.node(1, Field::LeftOver.id(), at, 0, self.flags);
        }
        self.finding(
            if self.short { Expert::Short } else { Expert::Malformed },
            node.or(self.root),
            &text,
            out,
        );
    }

    fn has_room(&self, out: &Output) -> bool {
        out.tree.nodes.len() + OF_A_PACKET <= out.tree.most_nodes
    }

    fn packet(
        &mut self,
        packet: &batch::Packet,
        index: u32,
        failed: bool,
        position: &impl Fn(u32) -> Option<Position>,
        out: &mut Output,
    ) {
        let shown = self.nodes() && self.has_room(out);
        out.tree.full |= self.nodes() && !shown;
        let name = name(packet.id());
        let item = if shown { self.header(packet, index, name, out) } else { None };
        if self.detail >= Detail::Columns {
            match name {
                Some(name) => out.add_info("; ", name),
                None => out.add_info("; ", &format!("packet {}", packet.id())),
            }
            if out.follow.is_open() && packet.id() != id::MOVE_ACTOR_DELTA {
                let length = packet.end - packet.body;
                let plural = if length == 1 { "" } else { "s" };
                out.follow.extend(&format!(", {length} byte{plural}"));
            }
        }
        let body = &self.bytes[packet.body..packet.end];
        match layout(packet.id(), self.known(), body) {
            Some((program, fitted)) => self.body(packet, program, (item, fitted), position, out),
            None => {
                if shown && !body.is_empty() {
                    let at = (self.base + packet.body as u32, body.len() as u32);
                    out.node(2, Field::PacketBody.id(), at, 0, self.flags);
                }
                // that a protocol has no layout is told once
                let known = self.known();
                let moves = packet.id() == id::MOVE_ACTOR_DELTA && packet.missing() == 0;
                if moves && (!states_differences(known) || std::mem::take(&mut self.inferring)) {
                    self.finding(Expert::Unread, item, &unread(known), out);
                }
            }
        }
        if packet.missing() > 0 && !failed {
            let there = if self.short { "the capture holds" } else { "there are" };
            let text = format!(
                "bedrock.packet.length says {} bytes, {there} {}",
                packet.length,
                packet.end - packet.header_at
            );
            self.finding(if self.short { Expert::Short } else { Expert::Malformed }, item, &text, out);
        }
    }

    fn header(
        &self,
        packet: &batch::Packet,
        index: u32,
        name: Option<&str>,
        out: &mut Output,
    ) -> Option<usize> {
        let at = |from: usize, until: usize| (self.base + from as u32, (until - from) as u32);
        let item = out.node(1, Field::Packet.id(), at(packet.at, packet.end), 0, self.flags | flag::INDEXED);
        if let Some(node) = out.at(item) {
            node.index = index;
        }
        match name {
            Some(name) => out.label(item, &format!(": {name}")),
            None => out.label(item, &format!(": {}", packet.id())),
        }
        let length = at(packet.at, packet.header_at);
        out.node(2, Field::PacketLength.id(), length, packet.length.into(), self.flags);
        let header = at(packet.header_at, packet.body);
        out.node(2, Field::PacketHeader.id(), header, packet.header.into(), self.flags);
        out.node(3, Field::PacketId.id(), header, packet.id().into(), self.flags);
        if let Some(name) = name {
            out.text(3, Field::PacketName.id(), header, name, self.flags | flag::GENERATED);
        }
        out.node(3, Field::SenderSubClient.id(), header, packet.sender().into(), self.flags);
        out.node(3, Field::TargetSubClient.id(), header, packet.target().into(), self.flags);
        item
    }

    /// The body of a packet with a layout.
    fn body(
        &mut self,
        packet: &batch::Packet,
        program: &Program,
        (item, fitted): (Option<usize>, bool),
        position: &impl Fn(u32) -> Option<Position>,
        out: &mut Output,
    ) {
        let body = &self.bytes[packet.body..packet.end];
        let base = self.base + packet.body as u32;
        let mut facts = Facts::default();
        let body_input = input(body, base, self.flags, 3);
        let end = if item.is_some() {
            out.node(2, program.family, (base, body.len() as u32), 0, self.flags);
            decode::read::<true>(program, &body_input, &mut out.tree, &mut facts)
        } else {
            decode::read::<false>(program, &body_input, &mut out.tree, &mut facts)
        };
        match (end.cut, body.len() - (end.used as usize).min(body.len())) {
            (Some(cut), _) if packet.missing() == 0 => {
                self.finding(Expert::Malformed, item, &cut_short(&cut), out);
            }
            (None, left) if left > 0 => {
                if item.is_some() {
                    out.node(3, Field::LeftOver.id(), (base + end.used, left as u32), 0, self.flags);
                }
                let text = format!("{left} bytes after the end of {}", program.message.name);
                self.finding(Expert::Surplus, item, &text, out);
            }
            _ => {}
        }
        if facts.odd {
            let text = "A byte that says yes or no is neither 0 nor 1";
            self.finding(Expert::Unusual, item, text, out);
        }
        if fitted && std::mem::take(&mut self.inferring) {
            self.finding(Expert::Inferred, item, &inferred(self.known().0, program), out);
        }
        if let (Some(actor), None) = (facts.actor, end.cut) {
            self.actor(actor, &facts, item.is_some().then_some((base, body.len() as u32)), position, out);
        }
    }

    /// Where the actor is by now.
    fn actor(
        &mut self,
        actor: u64,
        facts: &Facts,
        shown: Option<(u32, u32)>,
        position: &impl Fn(u32) -> Option<Position>,
        out: &mut Output,
    ) {
        let kept = self.positions < self.record.positions + self.record.position_count;
        let known = position(self.positions).filter(|_| kept);
        self.positions += 1;
        if self.detail >= Detail::Columns {
            let mut text = format!(" {actor}");
            let parts = ["x", "y", "z"].iter().zip(facts.position);
            for (name, value) in parts.filter_map(|(name, value)| Some((name, value?))) {
                let _ = write!(text, " {name}={}", Brief(value));
            }
            out.extend_info(&text);
        }
        let (Some(at), Some(known)) = (shown, known) else { return };
        let flags = self.flags | flag::GENERATED;
        out.node(2, Field::Actor.id(), at, 0, flags);
        out.node(3, Field::ActorId.id(), at, actor, flags);
        for (field, value) in [Field::ActorX, Field::ActorY, Field::ActorZ].into_iter().zip(known) {
            if let Some(value) = value {
                out.node(3, field.id(), at, shortest(value).to_bits(), flags);
            }
        }
    }
}

/// A number with at most seven significant digits, for the Info column.
struct Brief(f32);

impl fmt::Display for Brief {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = format!("{:.6e}", self.0);
        let Some(value) = short.parse::<f64>().ok().filter(|value| value.is_finite()) else {
            return write!(f, "{}", self.0);
        };
        if value == 0.0 || (1e-4..1e9).contains(&value.abs()) {
            write!(f, "{value}")
        } else {
            write!(f, "{value:e}")
        }
    }
}

/// A protocol, and who says so.
fn protocol_of((number, source): (u16, Source)) -> String {
    match source {
        Source::Stated(frame) => format!("protocol {number}, which the client states in frame {frame}"),
        Source::Preference => format!("protocol {number}, which the preference bedrock.protocol sets"),
    }
}

/// Why a body of MoveActorDelta is left as bytes.
fn unread(known: Known) -> String {
    match known.0 {
        Some(stated) if states_differences(known) => format!(
            "No layout of MoveActorDelta is read for {}: before protocol 419 it states differences, not positions",
            protocol_of(stated)
        ),
        Some(stated) => format!(
            "No layout of MoveActorDelta is known for {}, and none of the known ones fits",
            protocol_of(stated)
        ),
        None if states_differences(known) => "The session does not say which protocol it is of; its batches are zlib \
             streams, as before protocol 390, whose MoveActorDelta states differences, not positions"
            .to_owned(),
        None => "The session does not say which protocol it is of, and the body fits no layout of MoveActorDelta"
            .to_owned(),
    }
}

/// How the layout of a MoveActorDelta was found.
fn inferred(known: Option<(u16, Source)>, program: &Program) -> String {
    let (from, until) = protocols(program);
    match known {
        Some(stated) => format!(
            "No layout of MoveActorDelta is known for {}: that of protocols {from} to {until} fits and is used",
            protocol_of(stated)
        ),
        None => format!(
            "The session does not say which protocol it is of: the layout is the one that fits, that of protocols {from} to {until}"
        ),
    }
}

/// What a cut says: the field that could not be read, and why.
fn cut_short(cut: &Cut) -> String {
    let name = REGISTRY.fields.get(usize::from(cut.field)).map_or("a field", |field| field.name.as_str());
    if cut.left >= cut.needs {
        format!("{name} does not end within {} bytes", cut.needs)
    } else {
        format!("{name} needs {} bytes, {} are left", cut.needs, cut.left)
    }
}

fn name(id: u16) -> Option<&'static str> {
    let found = PACKETS.binary_search_by_key(&i64::from(id), |(number, _)| *number).ok()?;
    PACKETS.get(found).map(|(_, name)| *name)
}
