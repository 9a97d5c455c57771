//! Nodes, expert items and the Info line of a datagram: header, commands, and what the session knows of each.

use super::checksums::ChecksumStatus;
use super::records::Record;
use super::wire::{Command, Header, HeaderVariant, Stop, Why};
use crate::capture::{Detail, Output, Packet};
use crate::fields::enet::{command_name, Expert, Field, FIELDS};
use crate::tree::{flag, Cut};

/// Depth of a command's item.
const UNDER: u8 = 1;

/// Opens the item of a datagram; `None` without nodes.
pub fn datagram(
    packet: &Packet<'_>,
    variant: HeaderVariant,
    session: Option<u32>,
    out: &mut Output,
) -> Option<usize> {
    if packet.detail < Detail::Tree {
        return None;
    }
    let root = out.node(0, Field::Enet.id(), (0, packet.bytes.len() as u32), 0, 0);
    if let Some(number) = session {
        out.node(UNDER, Field::Stream.id(), (0, 0), number.into(), flag::GENERATED);
    }
    out.text(UNDER, Field::Variant.id(), (0, 0), variant.name(), flag::GENERATED);
    root
}

/// Shows a datagram that is ENet by the user's word, but of no known variant.
pub fn fits_nothing(packet: &Packet<'_>, out: &mut Output) {
    let there = packet.bytes.len() as u32;
    let mut root = None;
    if packet.detail >= Detail::Tree {
        root = out.node(0, Field::Enet.id(), (0, there), 0, 0);
        out.node(UNDER, Field::Payload.id(), (0, there), 0, 0);
    }
    out.expert(Expert::Malformed.id(), root, "The datagram fits none of the known header shapes");
    if packet.detail >= Detail::Columns {
        out.add_info("; ", "[fits no header shape]");
    }
}

/// Nodes of a header.
pub fn header(header: &Header, out: &mut Output) {
    for (field, part, value) in header.parts() {
        let at = (part.offset, part.width.into());
        if part.bit_count > 0 {
            out.bits(UNDER, field.id(), at, (part.bit_first, part.bit_count), value, 0);
        } else {
            out.node(UNDER, field.id(), at, value, 0);
        }
    }
}

/// Shows whether a checksum fits.
pub fn checksum(
    header: &Header,
    packet: &Packet<'_>,
    (root, status): (Option<usize>, ChecksumStatus),
    out: &mut Output,
) {
    let Some((_, part)) = header.checksum else { return };
    let mut item = root;
    if packet.detail >= Detail::Tree {
        let at = (part.offset, part.width.into());
        item = out.node(UNDER, Field::ChecksumStatus.id(), at, status as u64, flag::GENERATED);
    }
    if status == ChecksumStatus::Bad {
        let text = "The checksum does not fit: a receiver drops this datagram";
        out.expert(Expert::ChecksumBad.id(), item, text);
    }
}

/// Shows compressed commands: their bytes and what they were opened to, or why they were not.
pub fn compressed(
    header: &Header,
    packet: &Packet<'_>,
    (root, opened): (Option<usize>, Option<&[u8]>),
    out: &mut Output,
) {
    let there = (packet.bytes.len() as u32).saturating_sub(header.size);
    let mut item = root;
    if packet.detail >= Detail::Tree {
        let at = (header.size, there);
        item = out.node(UNDER, Field::CompressedData.id(), at, 0, 0);
        let size = packet.reported.saturating_sub(header.size);
        out.node(UNDER, Field::CompressedSize.id(), at, size.into(), flag::GENERATED);
        if let Some(opened) = opened {
            out.node(UNDER, Field::DecompressedSize.id(), at, opened.len() as u64, flag::GENERATED);
        }
    }
    if opened.is_some() {
        return;
    }
    if packet.is_whole() {
        let text =
            "The commands of this datagram are compressed, and not by ENet's own range coder: shown as bytes";
        out.expert(Expert::Compressed.id(), item, text);
    } else {
        let text = "The capture cut off these compressed commands: shown as bytes";
        out.expert(Expert::Short.id(), item, text);
    }
    if packet.detail >= Detail::Columns {
        out.add_info("; ", &format!("compressed commands, {there} bytes"));
    }
}

/// The expert item that says what could not be read.
pub fn cut(out: &mut Output, item: Option<usize>, cut: &Cut) {
    let name = FIELDS.get(cut.field as usize).map_or("a field", |field| field.name);
    let there = if cut.short { "the capture holds" } else { "there are" };
    let text = format!("{name} needs {} bytes, {there} {}", cut.needs, cut.left);
    out.expert(if cut.short { Expert::Short.id() } else { Expert::Malformed.id() }, item, &text);
}

/// Shows where and why the walk along the commands ended early.
pub fn stop(packet: &Packet<'_>, stop: &Stop, root: Option<usize>, out: &mut Output) {
    let mut item = root;
    let mut after = stop.cut.offset;
    if let Some(partial) = &stop.partial {
        let shown = command(packet, partial, &Record::default(), out);
        item = shown.or(item);
        after = partial.fields().last().map_or(after, |(row, at, _)| at + u32::from(row.width));
    }
    match stop.why {
        Why::UnknownCommand(number) => {
            let text = format!("enet.command is {number}, which is no command of this header shape");
            out.expert(Expert::Malformed.id(), item, &text);
        }
        Why::AcknowledgeWithoutTime => {
            let text = "enet.sentTime is missing although the command before asks to be acknowledged: a receiver stops here";
            out.expert(Expert::Malformed.id(), item, text);
        }
        Why::TooShort | Why::DataPastEnd => cut(out, item, &stop.cut),
    }
    let there = (packet.bytes.len() as u32).saturating_sub(after);
    let has_payload = stop.partial.as_ref().is_some_and(|partial| partial.data.is_some());
    if packet.detail >= Detail::Tree && there > 0 && !has_payload {
        out.node(UNDER, Field::Payload.id(), (after, there), 0, 0);
    }
    if packet.detail >= Detail::Columns {
        out.add_info("; ", if stop.cut.short { "[cut short]" } else { "[malformed]" });
    }
}

/// Shows a command with all its fields; answers its item.
pub fn command(packet: &Packet<'_>, command: &Command, record: &Record, out: &mut Output) -> Option<usize> {
    let expert = marks(record);
    if packet.detail < Detail::Tree {
        for (kind, text) in expert {
            out.expert(kind.id(), None, &text);
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
        out.expert(kind.id(), item, &text);
    }
    item
}

fn show_record(record: &Record, out: &mut Output) {
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
    let sent_before = record.has(Record::RETRANSMISSION).then(|| {
        let text = match record.original {
            0 => "This command was sent before".to_owned(),
            frame => format!("This command was sent before, in frame {frame}"),
        };
        (Expert::Retransmitted, text)
    });
    let missing = (record.gap > 0).then(|| {
        let text = match record.gap {
            1 => "The command of this channel before this one is not in the capture".to_owned(),
            gap => format!("{gap} commands of this channel before this one are not in the capture"),
        };
        (Expert::Missing, text)
    });
    [sent_before, missing].into_iter().flatten()
}

/// Tells a command that a receiver drops apart in the Info line, from `start` on.
pub fn tag_delivery(record: &Record, start: usize, detail: Detail, out: &mut Output) {
    if detail < Detail::Columns || record.is_delivered() {
        return;
    }
    let tag = if record.has(Record::RETRANSMISSION) {
        "[retransmission] "
    } else if record.has(Record::DUPLICATE) {
        "[duplicate] "
    } else {
        "[late] "
    };
    let at = start + if out.info[start..].starts_with("; ") { 2 } else { 0 };
    if at < out.info.len() {
        out.info.insert_str(at, tag);
    }
}

/// The Info line of a datagram without payloads: its commands, those alike together.
pub fn summarise<'a>(commands: impl Iterator<Item = (&'a Command, &'a Record)>, out: &mut Output) {
    let mut commands = commands.peekable();
    while let Some((command, record)) = commands.next() {
        let mut alike = 1;
        while commands.next_if(|(next, _)| next.id == command.id).is_some() {
            alike += 1;
        }
        let name = command_name(command.id).unwrap_or("unknown");
        let part = match (alike, command.acknowledged()) {
            (1, Some((number, _))) => format!("{name} {number}"),
            (1, None) => match command.data {
                Some(data) => format!("{name} on channel {}, {} bytes", command.channel, data.len),
                None => name.to_owned(),
            },
            (count, _) => format!("{name} ×{count}"),
        };
        let retransmitted = alike == 1 && record.has(Record::RETRANSMISSION);
        out.add_info(", ", &if retransmitted { format!("[retransmission] {part}") } else { part });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line `line` once a command with these flags that begins at `start` is told apart.
    fn tagged(line: &str, start: usize, flags: u8, detail: Detail) -> String {
        let mut out = Output { info: line.into(), ..Output::default() };
        tag_delivery(&Record { flags, ..Record::default() }, start, detail, &mut out);
        out.info
    }

    #[test]
    fn a_tag_stands_before_the_part_it_is_of() {
        let late = |line, start| tagged(line, start, Record::LATE, Detail::Tree);
        assert_eq!(late("move", 0), "[late] move");
        assert_eq!(late("move; stop", 4), "move; [late] stop");
        // nothing was added: a line that is full, or a payload that says nothing
        assert_eq!(late("move …", 8), "move …");
        assert_eq!(late("", 0), "");
        assert_eq!(late("move; ", 4), "move; ");
    }

    #[test]
    fn a_tag_says_why_a_receiver_drops_a_command() {
        let tag = |flags| tagged("move", 0, flags, Detail::Columns);
        assert_eq!(tag(Record::RETRANSMISSION | Record::DUPLICATE), "[retransmission] move");
        assert_eq!(tag(Record::DUPLICATE | Record::LATE), "[duplicate] move");
        assert_eq!(tag(Record::LATE), "[late] move");
        assert_eq!(tag(Record::OUT_OF_ORDER), "move", "it is taken");
        assert_eq!(tagged("move", 0, Record::LATE, Detail::State), "move", "nobody asked for the line");
    }
}
