//! Capture files in the making.

use std::borrow::Cow;
use std::time::Duration;

use pcap_file::pcap::{PcapHeader, PcapPacket, PcapWriter};
use pcap_file::DataLink;

/// The link type that `User 0` stands for.
pub const USER0: &str = "uat:user_dlts:\"User 0 (DLT=147)\",\"lol\",\"0\",\"\",\"0\",\"\"";

/// A capture of payloads, or of whole frames, a millisecond apart.
pub fn file<B: AsRef<[u8]>>(link: DataLink, frames: &[B]) -> Vec<u8> {
    write(link, frames.iter().map(|frame| (frame.as_ref(), frame.as_ref().len())))
}

/// A capture of deciphered payloads under a user link type.
pub fn user<B: AsRef<[u8]>>(payloads: &[B]) -> Vec<u8> {
    file(DataLink::USER0, payloads)
}

/// The same, of payloads that were longer before the capture cut them.
pub fn user_cut<B: AsRef<[u8]>>(payloads: &[(B, usize)]) -> Vec<u8> {
    write(DataLink::USER0, payloads.iter().map(|(payload, length)| (payload.as_ref(), *length)))
}

/// A capture of frames that were longer before the capture cut them.
pub fn cut(link: DataLink, frames: &[(&[u8], usize)]) -> Vec<u8> {
    write(link, frames.iter().copied())
}

fn write<'b>(link: DataLink, frames: impl Iterator<Item = (&'b [u8], usize)>) -> Vec<u8> {
    let header = PcapHeader { datalink: link, snaplen: 65_535, ..PcapHeader::default() };
    let mut writer = PcapWriter::with_header(Vec::new(), header).expect("memory takes a header");
    for (index, (bytes, length)) in frames.enumerate() {
        let packet = PcapPacket {
            timestamp: Duration::from_millis(index as u64),
            orig_len: length as u32,
            data: Cow::Borrowed(bytes),
        };
        writer.write_packet(&packet).expect("memory takes a packet");
    }
    writer.into_writer()
}
