//! Reading one datagram of a session: header, commands, what the session makes of them, and their payloads.

use super::experts::Expert;
use super::fragments::completed_in;
use super::info;
use super::output::{Grade, Output};
use super::packet::Packet;
use super::packet::Side;
use super::payload::Payload;
use super::records::{Moment, Place, Record};
use super::session::Session;
use super::show::{show_command, show_compressed, show_cut, show_header, show_stop};
use super::{tell, Engine};
use crate::enet::{self, command_name, Command, Commands, Field, Header, Settled};
use crate::tree::flag;

/// Depth of a command's item.
pub(super) const UNDER: u8 = 1;

/// A command with what the session knows of it.
pub(super) struct Taken {
    pub command: Command,
    pub record: Record,
    pub index: u16,
    /// Node of the command, `None` without nodes.
    pub item: Option<usize>,
}

impl Engine {
    /// Reads a datagram of a session.
    pub(super) fn read_datagram(&mut self, index: usize, side: Side, packet: &Packet<'_>, out: &mut Output) {
        let session = &mut self.sessions[index];
        let moment = packet.moment();
        // a frame that is dissected a second time on the first pass changes nothing
        let writes = packet.writes() && !session.is_last(packet);
        let root = open(packet, session.shape, Some(session.number), out);
        let header = match read_header(session, side, packet, root, out) {
            Some(header) => header,
            None => return,
        };
        if writes {
            session.records.open(moment);
        }
        if show_compressed(&header, packet, root, out) {
            return;
        }
        let mut taken = Vec::new();
        for (index, next) in Commands::new(packet.bytes, packet.reported as usize, &header).enumerate() {
            let index = index.min(usize::from(u16::MAX)) as u16;
            match next {
                Ok(command) => {
                    let record = record(session, side, packet, &header, &command, index, writes);
                    let item = show_command(packet, &command, &record, out);
                    if let (Some(frame), true) = (completed_in(&self.joins, &record), item.is_some()) {
                        out.node(UNDER + 1, Field::ReassembledIn.id(), (0, 0), frame.into(), flag::GENERATED);
                    }
                    taken.push(Taken { command, record, index, item });
                }
                Err(stop) => show_stop(packet, &stop, root, out),
            }
        }
        let league = self.shared.reads(session);
        for taken in &taken {
            if taken.command.fragment().is_some() {
                self.read_fragment(index, side, packet, taken, writes, out);
            } else if taken.command.data.is_some() {
                self.read_payload(index, side, packet, taken, writes, league, out);
            }
        }
        if packet.grade >= Grade::Columns && out.info.is_empty() {
            summary(&taken, out);
        }
    }

    #[allow(clippy::too_many_arguments)] // all of one datagram
    fn read_payload(
        &mut self,
        index: usize,
        side: Side,
        packet: &Packet<'_>,
        taken: &Taken,
        writes: bool,
        league: bool,
        out: &mut Output,
    ) {
        let Some(data) = taken.command.data else { return };
        let session = &mut self.sessions[index];
        let payload = Payload {
            source: packet.bytes,
            base: data.offset,
            length: data.captured,
            reported: data.len,
            channel: taken.command.channel,
            sender: session.sender(side),
            place: Place { frame: packet.frame, datagram: packet.datagram, command: taken.index, inner: 0 },
            time: packet.time,
            writes,
            counts: taken.record.counts(),
            enciphered: true,
            again: false,
            grade: packet.grade,
        };
        if !league || data.len == 0 {
            tell(&payload, true, false, out);
            return;
        }
        let start = out.info.len();
        let clear = self.shared.read(session, &payload, out);
        mark(&taken.record, start, packet.grade, out);
        tell(&payload, clear, true, out);
    }
}

/// The record of a command: written on the first pass, read later.
fn record(
    session: &mut Session,
    side: Side,
    packet: &Packet<'_>,
    header: &Header,
    command: &Command,
    index: u16,
    writes: bool,
) -> Record {
    let moment = packet.moment();
    if !writes {
        return session.records.of(moment, index);
    }
    session.learn_sides(side, header, command);
    let record = session.take(side, packet, header, command);
    session.records.push(moment, record);
    record
}

fn open(packet: &Packet<'_>, shape: enet::Shape, session: Option<u32>, out: &mut Output) -> Option<usize> {
    if packet.grade < Grade::Nodes {
        return None;
    }
    let root = out.node(0, Field::Enet.id(), (0, packet.bytes.len() as u32), 0, 0);
    if let Some(number) = session {
        out.node(UNDER, Field::Stream.id(), (0, 0), number.into(), flag::GENERATED);
    }
    out.text(UNDER, Field::Shape.id(), (0, 0), shape.name(), flag::GENERATED);
    Some(root)
}

/// Reads the header and shows it; `None` where it is not all there.
fn read_header(
    session: &Session,
    side: Side,
    packet: &Packet<'_>,
    root: Option<usize>,
    out: &mut Output,
) -> Option<Header> {
    match enet::header(session.shape, session.sender(side), packet.bytes) {
        Ok(header) => {
            if root.is_some() {
                show_header(&header, out);
                let whole = packet.bytes.len() == packet.reported as usize;
                if let (Some((_, part)), true) = (header.checksum, whole) {
                    let fits = enet::checksum_fits(&header, packet.bytes, session.checksum_seed(&header));
                    let status = match fits {
                        Some(true) => "good",
                        Some(false) if session.knows_connection() => "bad",
                        _ => "unverified",
                    };
                    let at = (part.offset, part.width.into());
                    out.text(UNDER, Field::ChecksumStatus.id(), at, status, flag::GENERATED);
                }
            }
            Some(header)
        }
        Err(cut) => {
            show_cut(out, root, &cut.cut(packet.reported as usize), "");
            None
        }
    }
}

/// Tells a command that a receiver drops apart in the Info line, from `start` on.
pub(super) fn mark(record: &Record, start: usize, grade: Grade, out: &mut Output) {
    if grade < Grade::Columns || record.counts() {
        return;
    }
    let mark = if record.has(Record::RETRANSMISSION) {
        "[retransmission] "
    } else if record.has(Record::DUPLICATE) {
        "[duplicate] "
    } else {
        "[late] "
    };
    let at = start + if out.info[start..].starts_with("; ") { 2 } else { 0 };
    if at < out.info.len() {
        out.info.insert_str(at, mark);
    }
}

/// The Info line of a datagram without payloads: its commands, those alike together.
fn summary(taken: &[Taken], out: &mut Output) {
    let mut at = 0;
    while at < taken.len() {
        let command = &taken[at].command;
        let alike = taken[at..].iter().take_while(|next| next.command.id == command.id).count();
        let name = command_name(command.id).unwrap_or("unknown");
        let part = match (alike, command.acknowledged()) {
            (1, Some((number, _))) => format!("{name} {number}"),
            (1, None) => match command.data {
                Some(data) => format!("{name} on channel {}, {} bytes", command.channel, data.len),
                None => name.to_owned(),
            },
            (count, _) => format!("{name} ×{count}"),
        };
        let retransmitted = alike == 1 && taken[at].record.has(Record::RETRANSMISSION);
        let part = if retransmitted { format!("[retransmission] {part}") } else { part };
        info::join(&mut out.info, ", ", &part);
        at += alike;
    }
}

/// Shows a datagram of a conversation whose shape is not settled, as its likeliest shape has it.
pub(super) fn provisional(settled: Option<Settled>, side: Side, packet: &Packet<'_>, out: &mut Output) {
    let Some(settled) = settled else {
        let item = (packet.grade >= Grade::Nodes).then(|| {
            let there = packet.bytes.len() as u32;
            let root = out.node(0, Field::Enet.id(), (0, there), 0, 0);
            out.node(UNDER, Field::Payload.id(), (0, there), 0, 0);
            root
        });
        out.expert(Expert::EnetMalformed, item, "The datagram fits none of the known header shapes");
        if packet.grade >= Grade::Columns {
            info::join(&mut out.info, "; ", "[fits no header shape]");
        }
        return;
    };
    let mut session = Session::new(0, Moment::default(), settled.shape);
    let first = settled.first.map(|first| if side == 0 { first } else { first.other() });
    session.server = first.map(|from| if from == crate::layout::Sender::Server { side } else { 1 - side });
    let root = open(packet, settled.shape, None, out);
    let text = format!(
        "Read with the likeliest header shape, {}: no datagram of this conversation has settled it",
        settled.shape.name()
    );
    out.expert(Expert::EnetUndecided, root, &text);
    let Some(header) = read_header(&session, side, packet, root, out) else { return };
    if show_compressed(&header, packet, root, out) {
        return;
    }
    let mut taken = Vec::new();
    for next in Commands::new(packet.bytes, packet.reported as usize, &header) {
        match next {
            Ok(command) => {
                let record = Record::default();
                let item = show_command(packet, &command, &record, out);
                taken.push(Taken { command, record, index: 0, item });
            }
            Err(stop) => show_stop(packet, &stop, root, out),
        }
    }
    if packet.grade >= Grade::Columns {
        summary(&taken, out);
    }
}
