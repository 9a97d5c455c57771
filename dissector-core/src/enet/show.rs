//! Nodes, expert items and the Info line of a datagram: header, commands, and what the session knows of each.

use super::checksums::ChecksumStatus;
use super::records::Record;
use super::wire::{Command, Header, HeaderVariant, Stop, Why};
use crate::capture::{words, Detail, Output, Packet};
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

/// Says why a client refuses a datagram.
pub fn refused(why: Option<String>, root: Option<usize>, out: &mut Output) {
    if let Some(text) = why {
        out.expert(Expert::Refused.id(), root, &text);
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
    let label = command_label(command, record);
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

/// What stands behind the title of a command's item.
fn command_label(command: &Command, record: &Record) -> String {
    let mut label = format!(": {}", command_name(command.id).unwrap_or("unknown"));
    if let Some((number, _)) = command.acknowledged() {
        label.push(' ');
        words::number(&mut label, number.into());
    }
    if command.channel != 0xFF {
        label.push_str(", channel ");
        words::number(&mut label, command.channel.into());
    }
    if let Some(fragment) = command.fragment() {
        label.push_str(&format!(", fragment {} of {}", u64::from(fragment.number) + 1, fragment.count));
    }
    if let Some(data) = command.data.filter(|data| data.len > 0) {
        label.push_str(", ");
        words::items(&mut label, data.len.into(), "byte");
    }
    let mut answered = Answered::default();
    answered.add(record);
    answered.tell(&mut label);
    label
}

/// Heads the item of a datagram with its session and how many commands it has.
pub fn head(root: Option<usize>, header: &Header, commands: usize, out: &mut Output) {
    if root.is_none() {
        return;
    }
    let mut label = String::new();
    let session = header.parts().into_iter().find(|(field, ..)| *field == Field::SessionId);
    if let Some((.., value)) = session {
        label = format!(", session 0x{value:02x}");
    }
    if commands > 0 {
        label.push_str(", ");
        words::items(&mut label, commands as i64, "command");
    }
    out.label(root, &label);
}

fn show_record(record: &Record, out: &mut Output) {
    const DEPTH: u8 = UNDER + 1;
    let generated = flag::GENERATED;
    if record.acked_in != 0 {
        out.node(DEPTH, Field::AckedIn.id(), (0, 0), record.acked_in.into(), generated);
    }
    if record.ack_to != 0 {
        out.node(DEPTH, Field::AckTo.id(), (0, 0), record.ack_to.into(), generated);
        if record.rtt >= 0 {
            out.node(DEPTH, Field::Rtt.id(), (0, 0), record.rtt as u64, generated);
        }
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
        if record.original != 0 {
            out.node(DEPTH, Field::DuplicateOf.id(), (0, 0), record.original.into(), generated);
        }
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
    let back = (record.ack_to != 0 && record.rtt < 0).then(|| {
        let text = format!(
            "Captured {} before frame {}, which it acknowledges: time runs back in this capture, and no round trip is told",
            span(record.rtt.unsigned_abs()),
            record.ack_to
        );
        (Expert::TimeBack, text)
    });
    [sent_before, missing, back].into_iter().flatten()
}

/// A time in nanoseconds, for people.
fn span(nanoseconds: u64) -> String {
    format!("{}.{:06} s", nanoseconds / 1_000_000_000, nanoseconds / 1_000 % 1_000_000)
}

/// What stands in front of a command in the Info line that a receiver drops.
pub fn delivery_tag(record: &Record) -> &'static str {
    if record.is_delivered() {
        ""
    } else if record.has(Record::RETRANSMISSION) {
        "[retransmission] "
    } else if record.has(Record::DUPLICATE) {
        "[duplicate] "
    } else {
        "[late] "
    }
}

/// The Info line of a datagram without payloads: its commands, those alike together.
pub fn summarise<'a>(commands: impl Iterator<Item = (&'a Command, &'a Record)>, out: &mut Output) {
    let mut commands = commands.peekable();
    while let Some((command, record)) = commands.next() {
        let mut alike = 1;
        let mut answered = Answered::default();
        answered.add(record);
        while let Some((_, next)) = commands.next_if(|(next, _)| next.id == command.id) {
            alike += 1;
            answered.add(next);
        }
        let mut part = String::new();
        let has = |flag| (alike == 1 || record.has(Record::COPY)) && record.has(flag);
        if has(Record::RETRANSMISSION) {
            part.push_str("[retransmission] ");
        } else if has(Record::DUPLICATE) {
            part.push_str("[duplicate] ");
        }
        part.push_str(command_name(command.id).unwrap_or("unknown"));
        match (alike, command.acknowledged(), command.data) {
            (1, Some((number, _)), _) => part.push_str(&format!(" {number}")),
            (1, None, Some(data)) => {
                part.push_str(&format!(" on channel {}", command.channel));
                if data.len > 0 {
                    part.push_str(", ");
                    words::items(&mut part, data.len.into(), "byte");
                }
            }
            (1, None, None) => {}
            (count, ..) => part.push_str(&format!(" ×{count}")),
        }
        answered.tell(&mut part);
        out.add_info_of(", ", &part, alike);
    }
}

/// After what times acknowledgements answered: the shortest and the longest, nanoseconds.
#[derive(Default)]
struct Answered(Option<(i64, i64)>);

impl Answered {
    fn add(&mut self, record: &Record) {
        // a clock that ran back tells no time
        if record.ack_to != 0 && record.rtt >= 0 {
            let (least, most) = self.0.unwrap_or((record.rtt, record.rtt));
            self.0 = Some((least.min(record.rtt), most.max(record.rtt)));
        }
    }

    /// Appends `, after 43 ms`, or from what to what.
    fn tell(&self, text: &mut String) {
        let Some((least, most)) = self.0 else { return };
        let [mut first, mut last] = [String::new(), String::new()];
        words::span(&mut first, least);
        words::span(&mut last, most);
        text.push_str(", after ");
        text.push_str(&first);
        if first != last {
            text.push_str(" to ");
            text.push_str(&last);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_says_why_a_receiver_drops_a_command() {
        let tag = |flags| delivery_tag(&Record { flags, ..Record::default() });
        assert_eq!(tag(Record::RETRANSMISSION | Record::DUPLICATE), "[retransmission] ");
        assert_eq!(tag(Record::DUPLICATE | Record::LATE), "[duplicate] ");
        assert_eq!(tag(Record::LATE), "[late] ");
        assert_eq!(tag(Record::OUT_OF_ORDER), "", "it is taken");
    }

    #[test]
    fn acknowledgements_say_after_what_times_they_came() {
        let told = |times: &[(u32, i64)]| {
            let mut answered = Answered::default();
            times
                .iter()
                .for_each(|&(ack_to, rtt)| answered.add(&Record { ack_to, rtt, ..Record::default() }));
            let mut text = String::new();
            answered.tell(&mut text);
            text
        };
        assert_eq!(told(&[(7, 43_000_000)]), ", after 43 ms");
        assert_eq!(
            told(&[(7, 43_000_000), (0, 1), (8, 12_000_000), (9, 20_000_000)]),
            ", after 12 ms to 43 ms"
        );
        assert_eq!(told(&[(7, 43_000_000), (8, 43_100_000)]), ", after 43 ms");
        assert_eq!([told(&[(0, 43_000_000)]), told(&[(7, -1)]), told(&[])], [""; 3]);
    }
}
