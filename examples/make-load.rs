//! Writes a capture of very many messages, for measuring: deciphered payloads as DLT_USER0 packets.
//!
//! `cargo run --release --example make-load -- OUT.pcap COUNT VECTORS.json` takes the messages of the vectors in turn.

use std::ffi::OsString;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lexopt::{Arg, ValueExt};
use pcap_file::pcap::{PcapHeader, PcapPacket, PcapWriter};
use pcap_file::DataLink;
use serde_json::Value;

/// DLT_USER0, which Wireshark lets a user give to any dissector.
const USER0: u32 = 147;

const USAGE: &str = "usage: make-load OUT.pcap COUNT VECTORS.json";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = lexopt::Parser::from_env();
    let out = PathBuf::from(value(&mut arguments, "OUT.pcap, the file to write")?);
    let count = value(&mut arguments, "COUNT, how many messages")?;
    let count: u64 = count.parse_with(|text| text.parse().map_err(|why| format!("COUNT: {why}; {USAGE}")))?;
    let path = PathBuf::from(value(&mut arguments, "VECTORS.json, whose messages to take")?);
    if let Some(more) = arguments.next()? {
        return Err(format!("{}; {USAGE}", more.unexpected()).into());
    }
    let failed = |path: &Path, why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let file = File::open(&path).map_err(|why| failed(&path, &why))?;
    let vectors: Value = serde_json::from_reader(file).map_err(|why| failed(&path, &why))?;
    let messages = vectors.as_array().ok_or("the vectors must be an array")?;
    let messages: Vec<Vec<u8>> =
        messages.iter().filter_map(|vector| hex::decode(vector["bytes"].as_str()?).ok()).collect();
    if messages.is_empty() {
        return Err("the vectors hold no message".into());
    }
    let header = PcapHeader { datalink: DataLink::from(USER0), ..PcapHeader::default() };
    let file = File::create(&out).map_err(|why| failed(&out, &why))?;
    let mut writer = PcapWriter::with_header(BufWriter::new(file), header)?;
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

/// The next argument, which is no option.
fn value(arguments: &mut lexopt::Parser, what: &str) -> Result<OsString, String> {
    match arguments.next() {
        Ok(Some(Arg::Value(value))) => Ok(value),
        Ok(Some(other)) => Err(format!("{}; {USAGE}", other.unexpected())),
        Ok(None) => Err(format!("there is no {what}; {USAGE}")),
        Err(why) => Err(format!("{why}; {USAGE}")),
    }
}
