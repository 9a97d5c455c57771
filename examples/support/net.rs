//! Ethernet, IPv4, UDP and ICMP around made datagrams, and the capture file they go into.

use pcap_file::pcap::{PcapHeader, PcapPacket, PcapWriter};
use pcap_file::Endianness;
use std::borrow::Cow;
use std::time::Duration;

/// When made captures begin, in seconds since 1970: 2012-05-01 12:00:00 UTC.
const BEGIN: u64 = 1_335_873_600;

/// An IPv4 address and a port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Endpoint {
    /// The address.
    pub ip: [u8; 4],
    /// The UDP port.
    pub port: u16,
}

/// An [`Endpoint`].
pub const fn endpoint(ip: [u8; 4], port: u16) -> Endpoint {
    Endpoint { ip, port }
}

/// A capture in the making: frames in the order they were seen.
pub struct Capture {
    frames: Vec<(u64, Vec<u8>)>,
    snap: usize,
}

impl Capture {
    /// An empty capture that keeps whole frames.
    pub fn new() -> Capture {
        Capture::snapped(65_535)
    }

    /// An empty capture that keeps the first `snap` bytes of each frame.
    pub fn snapped(snap: usize) -> Capture {
        Capture { frames: Vec::new(), snap }
    }

    /// How many frames there are, which is also the number of the last one.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Adds a UDP datagram seen `at` microseconds after the beginning; answers its frame number, from 1.
    pub fn udp(&mut self, at: u64, from: Endpoint, to: Endpoint, payload: &[u8]) -> usize {
        let mut udp = Vec::with_capacity(8 + payload.len());
        udp.extend(from.port.to_be_bytes());
        udp.extend(to.port.to_be_bytes());
        udp.extend((8 + payload.len() as u16).to_be_bytes());
        udp.extend([0, 0]);
        udp.extend(payload);
        let mut summed = [&from.ip[..], &to.ip[..], &[0, UDP], &udp[4..6]].concat();
        summed.extend(&udp);
        // A sum of zero would say that there is none.
        let sum = match checksum(&summed) {
            0 => 0xFFFF,
            sum => sum,
        };
        udp[6..8].copy_from_slice(&sum.to_be_bytes());
        self.ip(at, from.ip, to.ip, UDP, &udp)
    }

    /// Adds an ICMP port-unreachable with which the receiver of frame `number` quotes it whole; answers its frame number.
    pub fn port_unreachable(&mut self, at: u64, number: usize) -> usize {
        let quoted = self.frames[number - 1].1[ETHERNET_BYTES..].to_vec();
        let address =
            |offset: usize| [quoted[offset], quoted[offset + 1], quoted[offset + 2], quoted[offset + 3]];
        let (sender, receiver) = (address(12), address(16));
        let mut icmp = vec![3, 3, 0, 0, 0, 0, 0, 0];
        icmp.extend(&quoted);
        let sum = checksum(&icmp);
        icmp[2..4].copy_from_slice(&sum.to_be_bytes());
        self.ip(at, receiver, sender, ICMP, &icmp)
    }

    fn ip(&mut self, at: u64, from: [u8; 4], to: [u8; 4], protocol: u8, payload: &[u8]) -> usize {
        let number = self.frames.len() as u16 + 1;
        let mut header = vec![0x45, 0];
        header.extend((20 + payload.len() as u16).to_be_bytes());
        header.extend(number.to_be_bytes());
        header.extend([0x40, 0, 64, protocol, 0, 0]);
        header.extend(from);
        header.extend(to);
        let sum = checksum(&header);
        header[10..12].copy_from_slice(&sum.to_be_bytes());
        let frame = [&hardware(to)[..], &hardware(from)[..], &[0x08, 0x00], &header, payload].concat();
        assert!(
            self.frames.last().is_none_or(|(before, _)| *before <= at),
            "frames come in the order of time"
        );
        self.frames.push((at, frame));
        self.frames.len()
    }

    /// The time of a frame is so many microseconds too early.
    pub fn misstamp(&mut self, frame: usize, back: u64) {
        self.frames[frame - 1].0 -= back;
    }

    /// The capture as a pcap file.
    pub fn pcap(&self) -> Vec<u8> {
        // The header keeps its usual length even where frames were cut: some readers refuse longer frames than it says.
        let header = PcapHeader { endianness: Endianness::Little, ..PcapHeader::default() };
        let mut writer = PcapWriter::with_header(Vec::new(), header).expect("a Vec takes all bytes");
        for (at, frame) in &self.frames {
            let packet = PcapPacket {
                timestamp: Duration::from_secs(BEGIN) + Duration::from_micros(*at),
                orig_len: frame.len() as u32,
                data: Cow::Borrowed(&frame[..frame.len().min(self.snap)]),
            };
            writer.write_packet(&packet).expect("a Vec takes all bytes");
        }
        writer.into_writer()
    }
}

const ETHERNET_BYTES: usize = 14;
const ICMP: u8 = 1;
const UDP: u8 = 17;

/// A hardware address made from an IPv4 address: a locally administered one, or the multicast one that belongs to it.
fn hardware(ip: [u8; 4]) -> [u8; 6] {
    if ip[0] & 0xF0 == 0xE0 {
        [0x01, 0x00, 0x5E, ip[1] & 0x7F, ip[2], ip[3]]
    } else {
        [0x02, 0x00, ip[0], ip[1], ip[2], ip[3]]
    }
}

/// The ones' complement sum that IPv4, UDP and ICMP use.
fn checksum(bytes: &[u8]) -> u16 {
    let words = bytes.chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(*pair.get(1).unwrap_or(&0)));
    let mut sum: u32 = words.sum();
    while sum > 0xFFFF {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    !(sum as u16)
}
