//! Nodes and expert items of a datagram: header, commands, and what the session knows of each.

use super::datagram::UNDER;
use super::experts::Expert;
use super::info;
use super::output::{Grade, Output};
use super::packet::Packet;
use super::records::Record;
use crate::enet::{self, command_name, Command, Field, Header, Stop, Why};
use crate::tree::{flag, Cut};

pub(super) fn show_header(header: &Header, out: &mut Output) {
    for (field, part, value) in header.parts() {
        let at = (part.offset, part.width.into());
        if part.bit_count > 0 {
            out.bits(UNDER, field.id(), at, (part.bit_first, part.bit_count), value, 0);
        } else {
            out.node(UNDER, field.id(), at, value, 0);
        }
    }
}

pub(super) fn show_compressed(
    header: &Header,
    packet: &Packet<'_>,
    root: Option<usize>,
    out: &mut Output,
) -> bool {
    if !header.is_compressed() {
        return false;
    }
    let there = (packet.bytes.len() as u32).saturating_sub(header.size);
    if root.is_some() {
        out.node(UNDER, Field::CompressedData.id(), (header.size, there), 0, 0);
    }
    out.expert(Expert::EnetCompressed, root, "The commands of this datagram are compressed: shown as bytes");
    if packet.grade >= Grade::Columns {
        info::join(&mut out.info, "; ", &format!("compressed commands, {there} bytes"));
    }
    true
}

pub(super) fn show_cut(out: &mut Output, item: Option<usize>, cut: &Cut, why: &str) {
    let name = enet::FIELDS.get(cut.field as usize).map_or("a field", |field| field.name);
    let there = if cut.short { "the capture holds" } else { "there are" };
    let text = format!("{name} needs {} bytes, {there} {}{why}", cut.needs, cut.left);
    out.expert(if cut.short { Expert::EnetShort } else { Expert::EnetMalformed }, item, &text);
}

pub(super) fn show_stop(packet: &Packet<'_>, stop: &Stop, root: Option<usize>, out: &mut Output) {
    let mut item = root;
    let mut after = stop.cut.offset;
    if let Some(partial) = &stop.partial {
        let shown = show_command(packet, partial, &Record::default(), out);
        item = shown.or(item);
        after = partial.fields().last().map_or(after, |(row, at, _)| at + u32::from(row.width));
    }
    match stop.why {
        Why::UnknownCommand(number) => {
            let text = format!("enet.command is {number}, which is no command of this header shape");
            out.expert(Expert::EnetMalformed, item, &text);
        }
        Why::AcknowledgeWithoutTime => {
            let text = "enet.sentTime is missing although the command before asks to be acknowledged: a receiver stops here";
            out.expert(Expert::EnetMalformed, item, text);
        }
        Why::TooShort | Why::DataPastEnd => show_cut(out, item, &stop.cut, ""),
    }
    let there = (packet.bytes.len() as u32).saturating_sub(after);
    let has_payload = stop.partial.as_ref().is_some_and(|partial| partial.data.is_some());
    if root.is_some() && there > 0 && !has_payload {
        out.node(UNDER, Field::Payload.id(), (after, there), 0, 0);
    }
    if packet.grade >= Grade::Columns {
        info::join(&mut out.info, "; ", if stop.cut.short { "[cut short]" } else { "[malformed]" });
    }
}

/// Shows a command with all its fields; answers its item.
pub(super) fn show_command(
    packet: &Packet<'_>,
    command: &Command,
    record: &Record,
    out: &mut Output,
) -> Option<usize> {
    let expert = marks(record);
    if packet.grade < Grade::Nodes {
        for (kind, text) in expert {
            out.expert(kind, None, &text);
        }
        return None;
    }
    let captured = (packet.bytes.len() as u32).saturating_sub(command.offset).min(command.size);
    let item = out.node(UNDER, Field::CommandItem.id(), (command.offset, captured), 0, 0);
    let name = command_name(command.id).unwrap_or("unknown");
    let label = match command.channel {
        0xFF => format!(": {name}"),
        channel => format!(": {name}, channel {channel}"),
    };
    out.label(item, &label);
    for (row, offset, value) in command.fields() {
        let at = (offset, row.width.into());
        if row.field == Field::Command {
            out.bits(UNDER + 1, row.field.id(), at, (0, 4), command.id.into(), 0);
            out.bits(UNDER + 1, Field::Acknowledge.id(), at, (7, 1), command.acknowledge.into(), 0);
            out.bits(UNDER + 1, Field::Unsequenced.id(), at, (6, 1), command.unsequenced.into(), 0);
        } else {
            out.node(UNDER + 1, row.field.id(), at, value.into(), 0);
        }
    }
    if let Some(data) = command.data {
        if data.captured > 0 {
            out.node(UNDER + 1, Field::Payload.id(), (data.offset, data.captured), 0, 0);
        }
    }
    show_record(record, out);
    for (kind, text) in expert {
        out.expert(kind, Some(item), &text);
    }
    Some(item)
}

pub(super) fn show_record(record: &Record, out: &mut Output) {
    const DEPTH: u8 = UNDER + 1;
    let generated = flag::GENERATED;
    if record.acked_in != 0 {
        out.node(DEPTH, Field::AckedIn.id(), (0, 0), record.acked_in.into(), generated);
    }
    if record.ack_to != 0 {
        out.node(DEPTH, Field::AckTo.id(), (0, 0), record.ack_to.into(), generated);
        out.node(DEPTH, Field::Rtt.id(), (0, 0), record.rtt as u64, generated);
    }
    if record.has(Record::RETRANSMISSION) {
        out.node(DEPTH, Field::Retransmission.id(), (0, 0), 1, generated);
        if record.original != 0 {
            out.node(DEPTH, Field::RetransmissionOf.id(), (0, 0), record.original.into(), generated);
        }
    }
    if record.has(Record::OUT_OF_ORDER) {
        out.node(DEPTH, Field::OutOfOrder.id(), (0, 0), 1, generated);
    }
    if record.has(Record::DUPLICATE) {
        out.node(DEPTH, Field::Duplicate.id(), (0, 0), 1, generated);
    }
    if record.gap > 0 {
        out.node(DEPTH, Field::Gap.id(), (0, 0), record.gap.into(), generated);
    }
}

/// Expert items for what the session knows of a command.
fn marks(record: &Record) -> impl Iterator<Item = (Expert, String)> {
    let again = record.has(Record::RETRANSMISSION).then(|| {
        let text = match record.original {
            0 => "This command was sent before".to_owned(),
            frame => format!("This command was sent before, in frame {frame}"),
        };
        (Expert::EnetRetransmitted, text)
    });
    let missing = (record.gap > 0).then(|| {
        let text = match record.gap {
            1 => "The command of this channel before this one is not in the capture".to_owned(),
            gap => format!("{gap} commands of this channel before this one are not in the capture"),
        };
        (Expert::EnetMissing, text)
    });
    [again, missing].into_iter().flatten()
}
