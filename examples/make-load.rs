//! Writes a capture of very many messages, for measuring: deciphered payloads as DLT_USER0 packets.
//!
//! `cargo run --release --example make-load -- OUT.pcap COUNT VECTORS.json` takes the messages of the vectors in turn.

use std::fs::File;
use std::io::BufWriter;
use std::time::Duration;

use pcap_file::pcap::{PcapHeader, PcapPacket, PcapWriter};
use pcap_file::DataLink;
use serde_json::Value;

/// DLT_USER0, which Wireshark lets a user give to any dissector.
const USER0: u32 = 147;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [out, count, vectors] = arguments.as_slice() else {
        return Err("usage: make-load OUT.pcap COUNT VECTORS.json".into());
    };
    let count: u64 = count.parse()?;
    let vectors: Value = serde_json::from_reader(File::open(vectors)?)?;
    let messages = vectors.as_array().ok_or("the vectors must be an array")?;
    let messages: Vec<Vec<u8>> =
        messages.iter().filter_map(|vector| bytes(vector["bytes"].as_str()?)).collect();
    if messages.is_empty() {
        return Err("the vectors hold no message".into());
    }
    let header = PcapHeader { datalink: DataLink::from(USER0), ..PcapHeader::default() };
    let mut writer = PcapWriter::with_header(BufWriter::new(File::create(out)?), header)?;
    for (number, message) in (0..count).zip(messages.iter().cycle()) {
        let packet = PcapPacket::new(
            Duration::from_micros(1_333_458_000_000_000 + number),
            message.len() as u32,
            message,
        );
        writer.write_packet(&packet)?;
    }
    Ok(())
}

/// The bytes of pairs of hex digits.
fn bytes(hex: &str) -> Option<Vec<u8>> {
    let pair = |at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
    (0..hex.len()).step_by(2).map(pair).collect()
}
