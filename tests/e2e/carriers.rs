//! A session looks the same whatever carries its datagrams.

use pcap_file::pcap::PcapReader;
use pcap_file::DataLink;

use crate::lab::Lab;
use crate::pcap;
use crate::KEY;

/// Where the parts of a sample frame begin: Ethernet, IPv4 without options, UDP.
pub const IP: usize = 14;
const UDP: usize = 34;

/// The frames of a capture of this project.
pub fn frames(name: &str) -> Vec<Vec<u8>> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("captures").join(name);
    let file = std::fs::File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut reader = PcapReader::new(file).expect("a capture");
    let mut frames = Vec::new();
    while let Some(packet) = reader.next_packet() {
        frames.push(packet.expect("a whole packet").data.into_owned());
    }
    frames
}

fn over_ipv6(frame: &[u8]) -> Vec<u8> {
    let address =
        |at: usize| [&[0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0][..], &frame[at..at + 4]].concat();
    let length = (frame.len() - UDP) as u16;
    let mut bytes = frame[..12].to_vec();
    bytes.extend([0x86, 0xdd, 0x60, 0, 0, 0]);
    bytes.extend(length.to_be_bytes());
    bytes.extend([17, 64]);
    bytes.extend(address(IP + 12));
    bytes.extend(address(IP + 16));
    bytes.extend(&frame[UDP..]);
    bytes
}

fn in_a_vlan(frame: &[u8]) -> Vec<u8> {
    [&frame[..12], &[0x81, 0, 0, 5], &frame[12..]].concat()
}

/// What the packet list says, and the links found.
fn rows(lab: &Lab, capture: &str) -> Vec<Vec<String>> {
    let fields = ["_ws.col.Info", "enet.stream", "enet.ackedIn", "waypoint.ackIn", "lol.key.state"];
    lab.tshark(capture).args(&["-2"]).key(KEY).fields(&fields)
}

#[test]
fn a_session_looks_the_same_over_every_carrier() {
    let Some(lab) = Lab::new() else { return };
    let session = frames("session.pcap");
    let wanted = rows(&lab, &lab.file("ethernet.pcap", &pcap::file(DataLink::ETHERNET, &session)));
    assert!(wanted.iter().any(|row| row[4] == "verified"));
    let made = |how: fn(&[u8]) -> Vec<u8>| session.iter().map(|frame| how(frame)).collect::<Vec<_>>();
    let bare: Vec<_> = session.iter().map(|frame| &frame[IP..]).collect();
    for (name, capture) in [
        ("ipv6.pcap", pcap::file(DataLink::ETHERNET, &made(over_ipv6))),
        ("vlan.pcap", pcap::file(DataLink::ETHERNET, &made(in_a_vlan))),
        ("raw.pcap", pcap::file(DataLink::RAW, &bare)),
    ] {
        assert_eq!(rows(&lab, &lab.file(name, &capture)), wanted, "{name}");
    }
}

/// A frame whose IPv4 packet goes through Teredo: IPv6 in UDP, between ports that nobody knows.
fn through_teredo(frame: &[u8]) -> Vec<u8> {
    let address = |at: usize| [&[0x20, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &frame[at..at + 4]].concat();
    let inner = [
        &[0x60, 0, 0, 0][..],
        &((frame.len() - UDP) as u16).to_be_bytes(),
        &[17, 64],
        &address(IP + 12),
        &address(IP + 16),
        &frame[UDP..],
    ]
    .concat();
    let length = |ahead: usize| ((ahead + inner.len()) as u16).to_be_bytes();
    let outer = [
        &frame[..IP + 2],
        &length(28),
        &[0, 0, 0, 0, 64, 17, 0, 0],
        &frame[IP + 12..IP + 20],
        &[0x9C, 0x41, 0x9C, 0x42],
        &length(8),
        &[0, 0],
        &inner,
    ];
    outer.concat()
}

/// Who is offered the outer datagram differs from pass to pass: the number of the inner one must not.
#[test]
fn a_session_in_a_tunnel_is_whole_in_every_pass() {
    let Some(lab) = Lab::new() else { return };
    let made: Vec<_> = frames("session.pcap").iter().map(|frame| through_teredo(frame)).collect();
    let capture = lab.file("teredo.pcap", &pcap::file(DataLink::ETHERNET, &made));
    for passes in [&[][..], &["-2"]] {
        let call = || lab.tshark(&capture).args(passes).args(&["--enable-heuristic", "teredo_udp"]).key(KEY);
        assert_eq!(call().frames("enet.command == 2"), [1], "{passes:?}");
        assert_eq!(call().frames("enet").len(), made.len(), "{passes:?}");
    }
}
