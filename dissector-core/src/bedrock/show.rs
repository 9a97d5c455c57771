//! Nodes, findings and the Info line of one message.

mod packets;

use super::batch;
use super::crypt::{Seal, TRAILER};
use super::records::{Record, Records, Source};
use super::unpack::{Fault, Form, Method};
use super::workbench::{content, Opened, Workbench};
use crate::capture::Packet;
use crate::capture::{Detail, Output};
use crate::fields::bedrock::Expert;
use crate::fields::bedrock::Field;
use crate::tree::{flag, Tree};
use packets::{show_packets, Batch};

/// Shows a message as its record says; `bench` holds it opened.
pub fn message(
    bench: &Workbench,
    records: &Records,
    packet: &Packet<'_>,
    record: &Record,
    opened: Opened,
    out: &mut Output,
) {
    let mut root = None;
    if packet.detail >= Detail::Tree {
        root = show_session(packet, record, out);
    }
    out.plain.shrink_to(1 << 20);
    if let Some(before) = record.resent() {
        let text = format!("The same message was sent before, in frame {}", before.frame);
        out.expert(Expert::Resent.id(), root, &text);
        out.add_info("; ", "[sent before]");
    }
    if record.outdated {
        let text = "A later message of its sequence came before this one: a receiver drops it, and it changes nothing";
        out.expert(Expert::Outdated.id(), root, text);
        out.add_info("; ", "[outdated]");
    }
    if show_seal(packet, record, root, out) {
        show_batch((bench, records), packet, record, opened, root, out);
    }
    if let (Some(stated), Some((read, _))) = (record.contradicted, record.protocol) {
        let text = format!(
            "The client states protocol {stated}, and the session is read as {read}, which bedrock.protocol demands: set it to auto unless that is meant"
        );
        out.expert(Expert::ProtocolContradicted.id(), root, &text);
    }
    if out.tree.full {
        let text = format!("Items past the first {} of a frame are left out", Tree::MOST_NODES);
        out.expert(Expert::TooMany.id(), root, &text);
    }
}

fn show_batch(
    (bench, records): (&Workbench, &Records),
    packet: &Packet<'_>,
    record: &Record,
    opened: Opened,
    root: Option<usize>,
    out: &mut Output,
) {
    let nodes = packet.detail >= Detail::Tree;
    let whole = packet.is_whole();
    let content = content(packet.bytes, &bench.clear, record.seal, packet.reported as usize);
    if nodes && record.form == Form::Byte && !content.is_empty() {
        out.node(1, Field::Compression.id(), (1, 1), content[0].into(), 0);
    }
    let Some((method, head)) = opened.method else {
        return show_unknown_compression(content, root, out);
    };
    let (bytes, flags) = match (method, record.seal) {
        (Method::None, Seal::Clear) => (&content[head..], 0),
        (Method::None, _) => (&content[head..], flag::DECIPHERED),
        _ => (bench.batch.as_slice(), flag::DECIPHERED),
    };
    if nodes {
        out.text(1, Field::CompressionMethod.id(), (1, head as u32), method.name(), flag::GENERATED);
        if method != Method::None {
            let at = (1 + head as u32, (content.len() - head) as u32);
            out.node(1, Field::Compressed.id(), at, 0, 0);
            out.node(1, Field::DecompressedLength.id(), at, bytes.len() as u64, flag::GENERATED);
        }
        if flags != 0 {
            out.plain.clear();
            let source = if method == Method::None { bench.clear.as_slice() } else { bytes };
            out.plain.extend_from_slice(source);
        }
    }
    let mut batch = Batch {
        bytes,
        base: if method == Method::None { 1 + head as u32 } else { 0 },
        flags,
        short: !whole,
        record,
        root,
        detail: packet.detail,
        positions: record.positions,
        inferring: record.inferring,
    };
    if !show_fault(&batch, method, opened.fault, out) {
        let position = |number| records.position(number).copied();
        show_packets(&mut batch, opened.fault.is_some(), position, out);
    }
}

fn show_unknown_compression(content: &[u8], root: Option<usize>, out: &mut Output) {
    let text = match content.first() {
        Some(byte) => format!("bedrock.compression is {byte}, which names no compression"),
        None => "bedrock.compression needs 1 byte, none is left".to_owned(),
    };
    out.expert(Expert::Malformed.id(), root, &text);
    out.add_info("; ", "[malformed]");
}

/// What is known of the session; answers the item of the message.
fn show_session(packet: &Packet<'_>, record: &Record, out: &mut Output) -> Option<usize> {
    let known = flag::GENERATED;
    let root = out.node(0, Field::Bedrock.id(), (0, packet.bytes.len() as u32), 0, 0);
    out.node(1, Field::Session.id(), (0, 0), record.session.into(), known);
    if let Some((protocol, source)) = record.protocol {
        out.node(1, Field::Protocol.id(), (0, 0), protocol.into(), known);
        let name = if source == Source::Preference { "preference" } else { "stated" };
        out.text(1, Field::ProtocolSource.id(), (0, 0), name, known);
        if let Source::Stated(frame) = source {
            out.node(1, Field::ProtocolStatedIn.id(), (0, 0), frame.into(), known);
        }
    }
    if let Some(sender) = record.sender {
        out.text(1, Field::Sender.id(), (0, 0), sender.name(), known);
    }
    if let Some(before) = record.resent() {
        out.node(1, Field::Resent.id(), (0, 0), before.frame.into(), known);
    }
    out.node(1, Field::MessageId.id(), (0, 1), packet.bytes.first().copied().unwrap_or(0).into(), 0);
    root
}

/// What is known of the encryption; false where the batch cannot be read.
fn show_seal(packet: &Packet<'_>, record: &Record, root: Option<usize>, out: &mut Output) -> bool {
    let (state, readable) = match record.seal {
        Seal::Clear => return true,
        Seal::Deciphered { proved: true, .. } => ("verified", true),
        Seal::Deciphered { proved: false, .. } => ("unverified", true),
        Seal::Cut => ("unverified", false),
        Seal::NoKey => ("none", false),
        Seal::WrongKey => ("wrong", false),
        // What has not come by the end of the first pass never will.
        Seal::Waiting if packet.visited => ("lost", false),
        Seal::Waiting => ("waiting", false),
        Seal::Lost => ("lost", false),
    };
    let length = packet.bytes.len() as u32;
    if packet.detail >= Detail::Tree {
        out.text(1, Field::KeyState.id(), (0, 0), state, flag::GENERATED);
        if let Seal::Deciphered { key, position, counter, proved } = record.seal {
            out.node(1, Field::Counter.id(), (0, 0), counter, flag::GENERATED);
            let at = (packet.bytes.len() - 1).saturating_sub(TRAILER);
            if let (true, Some(chunk)) = (proved, packet.bytes.last_chunk::<TRAILER>()) {
                let mut trailer = *chunk;
                key.apply(position + at as u64, &mut trailer);
                let at = (1 + at as u32, TRAILER as u32);
                out.node(1, Field::Trailer.id(), at, u64::from_be_bytes(trailer), 0);
            }
        } else if length > 1 {
            out.node(1, Field::Enciphered.id(), (1, length - 1), 0, 0);
        }
    }
    if !readable {
        out.add_info("; ", &format!("[enciphered] {} bytes", packet.reported.saturating_sub(1)));
    }
    let telling = record.telling || matches!(record.seal, Seal::Cut | Seal::Waiting);
    if let (true, Some((expert, text))) = (telling, hindrance(record.seal, packet.visited)) {
        out.expert(expert.id(), root, text);
    }
    readable
}

/// What keeps a message in this state from being read, as an expert item.
fn hindrance(seal: Seal, visited: bool) -> Option<(Expert, &'static str)> {
    Some(match seal {
        Seal::NoKey => (
            Expert::KeyNeeded,
            "From here on the session is enciphered: set bedrock.key to its key to read on",
        ),
        Seal::WrongKey => (
            Expert::KeyWrong,
            "No given key fits this session: its first enciphered message is not proved by any",
        ),
        Seal::Cut => (
            Expert::Short,
            "The capture cut this message short before what proves a key: it is deciphered only where others have proved one and its start reads as a batch",
        ),
        Seal::Lost => (
            Expert::Lost,
            "Messages of this direction are missing from the capture: from here on it cannot be deciphered",
        ),
        Seal::Waiting if visited => (
            Expert::Lost,
            "Messages in front of this one are missing from the capture, so it cannot be deciphered",
        ),
        Seal::Waiting => (
            Expert::Inferred,
            "This message does not follow those before: one in front of it comes later or never",
        ),
        Seal::Clear | Seal::Deciphered { .. } => return None,
    })
}

/// Tells why a batch did not come out whole; true where none of it is shown.
fn show_fault(batch: &Batch<'_>, method: Method, fault: Option<Fault>, out: &mut Output) -> bool {
    let name = method.name();
    if batch.short && matches!(fault, Some(Fault::Ends | Fault::Corrupt(_))) {
        let text =
            format!("The capture cut the {name} batch short; decompressed bytes: {}", batch.bytes.len());
        out.expert(Expert::Short.id(), batch.root, &text);
        out.add_info("; ", "[cut short]");
        return false;
    }
    let (expert, text) = match fault {
        None => return false,
        // A writer may leave the stream open: the packets tell whether something is missing.
        Some(Fault::Ends) if batch::count(batch.bytes).is_some() => return false,
        Some(Fault::Grows(most)) => {
            (Expert::TooLarge, format!("The {name} batch grows past {most} bytes: it is not decompressed"))
        }
        Some(Fault::Corrupt(at)) => {
            (Expert::Malformed, format!("bedrock.compressed is no {name} from about byte {at} on"))
        }
        Some(Fault::Ends) => (Expert::Malformed, format!("bedrock.compressed ends before its {name} does")),
        Some(Fault::Surplus(at)) => {
            (Expert::Surplus, format!("bedrock.compressed goes on after its {name} ends at byte {at}"))
        }
    };
    out.expert(expert.id(), batch.root, &text);
    out.add_info("; ", "[malformed]");
    matches!(fault, Some(Fault::Grows(_)))
}
