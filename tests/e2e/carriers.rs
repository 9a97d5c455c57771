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

#[test]
fn a_session_inside_dtls_is_read_by_itself_and_by_decode_as() {
    let Some(lab) = Lab::new() else { return };
    let fields = ["enet.stream", "_ws.col.Info", "enet.command", "enet.duplicate"];
    let plain =
        lab.tshark(&lab.capture("stock.pcap")).args(&["-2", "-Y", "udp.port == 7778"]).fields(&fields);
    // when a capture was made is its own: answers took other times
    let untimed = |row: &Vec<String>| {
        let info = row[1].split(", after ").next().unwrap_or_default();
        [info.to_owned(), row[2].clone(), row[3].clone()]
    };
    let wanted: Vec<_> = plain.iter().map(untimed).collect();
    assert_eq!(wanted.len(), 22);
    for decode in [&[][..], &["-d", "dtls.port==7788,enet"]] {
        let call = || {
            let call = lab.tshark(&lab.capture("dtls.pcap")).args(decode);
            call.pref("dtls.psk", "52696674736861726b2044544c53")
        };
        let rows = call().args(&["-2", "-Y", "enet"]).fields(&fields);
        assert!(rows.iter().all(|row| row[0] == "0"), "{decode:?}");
        assert_eq!(rows.iter().map(untimed).collect::<Vec<_>>(), wanted, "{decode:?}");
        let layers = call().args(&["-Y", "enet.command == 6"]).fields(&["frame.protocols"]);
        assert!(
            layers.iter().all(|row| row[0].ends_with("udp:dtls:enet")) && layers.len() == 4,
            "{layers:?}"
        );
    }
    // without the key there is nothing to read
    let rows = lab.tshark(&lab.capture("dtls.pcap")).args(&["-Y", "enet"]).fields(&fields);
    assert_eq!(rows.len(), 0);
}

/// Bedrock's port is claimed before every dissection, which must not take a user's choice out of epan's table.
#[test]
fn what_a_user_chooses_for_bedrocks_port_stays() {
    let Some(lab) = Lab::new() else { return };
    let port = 19132u16.to_be_bytes();
    let moved = |frame: Vec<u8>| {
        let mut frame = frame;
        for at in [UDP, UDP + 2] {
            if frame[at..at + 2] == 5119u16.to_be_bytes() {
                frame[at..at + 2].copy_from_slice(&port);
            }
        }
        frame[UDP + 6..UDP + 8].fill(0);
        frame
    };
    let frames: Vec<_> = frames("session.pcap").into_iter().map(moved).collect();
    let capture = lab.file("moved.pcap", &pcap::file(DataLink::ETHERNET, &frames));
    let count = |args: &[&str], filter: &str| {
        lab.tshark(&capture).args(args).args(&["-Y", filter]).fields(&["frame.number"]).len()
    };
    assert_eq!(count(&[], "enet"), 0, "it is RakNet's");
    for passes in [&[][..], &["-2"]] {
        assert_eq!(count(&[passes, &["-d", "udp.port==19132,enet"]].concat(), "enet"), frames.len());
        assert_eq!(count(&[passes, &["-d", "udp.port==19132,syslog"]].concat(), "syslog"), frames.len());
    }
    let bedrock = lab.capture("bedrock.pcap");
    let call = lab.tshark(&bedrock).args(&["-d", "udp.port==19132,syslog", "-Y", "bedrock || raknet"]);
    assert_eq!(call.fields(&["frame.number"]).len(), 0);
}

/// The Internet checksum of an IPv4 header.
fn sum(header: &[u8]) -> [u8; 2] {
    let words = header.chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1]));
    let sum: u32 = words.sum();
    (!((sum & 0xFFFF) + (sum >> 16)) as u16).to_be_bytes()
}

/// How much of a datagram fits into the first fragment, bytes.
const FIRST: usize = 104;

/// A frame as IPv4 fragments it where it is long.
fn in_fragments(frame: &[u8]) -> Vec<Vec<u8>> {
    let fragment = |offset: usize, data: &[u8], more: u16| {
        let mut header = frame[IP..UDP].to_vec();
        header[2..4].copy_from_slice(&(20 + data.len() as u16).to_be_bytes());
        header[6..8].copy_from_slice(&((more << 13) | (offset as u16 / 8)).to_be_bytes());
        header[10..12].fill(0);
        let sum = sum(&header);
        header[10..12].copy_from_slice(&sum);
        [&frame[..IP], &header, data].concat()
    };
    match frame[UDP..].split_at_checked(FIRST) {
        Some((first, rest)) if !rest.is_empty() => vec![fragment(0, first, 1), fragment(FIRST, rest, 0)],
        _ => vec![frame.to_vec()],
    }
}

/// The same over IPv6, with its fragment header.
fn in_fragments_of_ipv6(frame: &[u8]) -> Vec<Vec<u8>> {
    let whole = over_ipv6(frame);
    let (head, datagram) = whole.split_at(IP + 40);
    let fragment = |offset: usize, data: &[u8], more: u16| {
        let mut head = head.to_vec();
        head[IP + 4..IP + 6].copy_from_slice(&(8 + data.len() as u16).to_be_bytes());
        head[IP + 6] = 44;
        let place = (offset as u16 | more).to_be_bytes();
        // the number of the packet: that of the IPv4 one
        [&head[..], &[17, 0], &place, &[0, 0], &frame[IP + 4..IP + 6], data].concat()
    };
    match datagram.split_at_checked(FIRST) {
        Some((first, rest)) if !rest.is_empty() => vec![fragment(0, first, 1), fragment(FIRST, rest, 0)],
        _ => vec![whole],
    }
}

#[test]
fn a_first_ip_fragment_is_as_a_datagram_that_was_cut() {
    let Some(lab) = Lab::new() else { return };
    let session = frames("session.pcap");
    let fields = [
        "frame.number",
        "lol.build",
        "enet.command",
        "enet.short",
        "lol.short",
        "_ws.malformed",
        "_ws.col.Info",
    ];
    for (name, how, pref) in [
        ("fragments4.pcap", in_fragments as fn(&[u8]) -> Vec<Vec<u8>>, "ip.defragment"),
        ("fragments6.pcap", in_fragments_of_ipv6, "ipv6.defragment"),
    ] {
        let made: Vec<Vec<u8>> = session.iter().flat_map(|frame| how(frame)).collect();
        assert!(made.len() > session.len() + 5);
        let capture = lab.file(name, &pcap::file(DataLink::ETHERNET, &made));
        let rows =
            |value: &str| lab.tshark(&capture).args(&["-2"]).key(KEY).pref(pref, value).fields(&fields);
        // joined they are what they were
        let joined: Vec<_> = rows("TRUE").into_iter().filter(|row| !row[2].is_empty()).collect();
        assert_eq!(joined.len(), session.len(), "{name}");
        assert!(joined.iter().all(|row| row[3].is_empty() && row[4].is_empty()), "{name}");
        // alone the first is read as far as it goes, the others are nobody's
        let apart = rows("FALSE");
        let mut cut = 0;
        let mut build = "";
        for (row, frame) in apart.iter().zip(&made) {
            let fragment = &row[2];
            assert!(row[5].is_empty() && !row[6].contains("malformed"), "{name} {row:?}");
            let is_ipv6 = name == "fragments6.pcap";
            let (more, offset) = match is_ipv6 {
                false => (frame[IP + 6] & 0x20 != 0, frame[IP + 7] != 0),
                true => (
                    frame[IP + 6] == 44 && frame[IP + 43] & 1 != 0,
                    frame[IP + 6] == 44 && frame[IP + 43] > 1,
                ),
            };
            assert_eq!(fragment.is_empty(), offset, "{name} {row:?}");
            if more {
                assert!(!row[3].is_empty() || !row[4].is_empty(), "{name} {row:?}");
                cut += 1;
            }
            build = if row[1].is_empty() { build } else { &row[1] };
        }
        assert!(cut > 5 && build.contains("1.0.0.136"), "{name}: {cut} {build}");
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
