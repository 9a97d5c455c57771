//! Tests of reading: headers, commands, damage, and which variant recorded and foreign datagrams are taken for.

use super::captures::{datagrams, shared, Random, GAME};
use super::write::{Datagram, Opening, Outgoing};
use super::*;
use crate::capture::Sender;

const OPENING: Opening = Opening { peer: 0, session: 0x29, mtu: 1400, window: 32768, channels: 7 };

fn datagram<'a>(variant: HeaderVariant, time: Option<u16>, commands: Vec<Outgoing<'a>>) -> Datagram<'a> {
    let prefix = [0x28, 0x68, 0xBD, 0xEB, 1, 2, 3, 4];
    let from = Some(Sender::Client);
    Datagram { variant, from, prefix, session: 0x29, peer: 1, sent_time: time, connect_id: 7, commands }
}

fn asking(variant: HeaderVariant) -> Vec<u8> {
    let stock = !variant.is_league();
    let (session, peer) = (if stock { 0 } else { 0x29 }, variant.unassigned());
    let connect = datagram(variant, Some(500), vec![Outgoing::connect(OPENING)]);
    Datagram { session, peer, connect_id: 0, ..connect }.bytes()
}

fn walk(variant: HeaderVariant, bytes: &[u8], reported: usize) -> (Vec<Command>, Option<Stop>) {
    let header = header(variant, Some(Sender::Client), bytes).unwrap();
    let (mut commands, mut stop) = (Vec::new(), None);
    for item in Commands::new(bytes, reported, &header) {
        assert!(stop.is_none());
        match item {
            Ok(command) => commands.push(command),
            Err(why) => stop = Some(why),
        }
    }
    (commands, stop)
}

#[test]
fn headers_have_their_parts_in_place() {
    let expected = [
        (HeaderVariant::Stock, 4, "flags.sentTime@0 flags.compressed@0 sessionID@0 peerID@0 sentTime@2"),
        (
            HeaderVariant::StockChecksum,
            8,
            "flags.sentTime@0 flags.compressed@0 sessionID@0 peerID@0 sentTime@2 checksum@4",
        ),
        (HeaderVariant::Classic, 8, "sessionID@0 flags.sentTime@4 peerID@4 sentTime@6"),
        (HeaderVariant::Compact, 4, "sessionID@0 flags.sentTime@1 peerID@1 sentTime@2"),
        (HeaderVariant::Prefixed, 8, "prefix@0 sessionID@4 flags.sentTime@5 peerID@5 sentTime@6"),
        (HeaderVariant::Season8, 12, "prefix@0 sessionID@8 flags.sentTime@9 peerID@9 sentTime@10"),
    ];
    for (variant, size, places) in expected {
        let bytes = datagram(variant, Some(0xABCD), vec![Outgoing::ping(3)]).bytes();
        let header = header(variant, Some(Sender::Client), &bytes).unwrap();
        let parts =
            header.parts().map(|(field, part, _)| format!("{}@{}", &field.spec().name[5..], part.offset));
        assert_eq!(parts.collect::<Vec<_>>().join(" "), places);
        let session = if variant.is_league() { 0x29 } else { 0x29 & 3 };
        assert_eq!((header.size, header.session.0, header.peer.0), (size, session, 1), "{variant:?}");
        assert_eq!(header.sent_time.unwrap().0, 0xABCD);
        assert_eq!(checksum_fits(&header, &bytes, 7), header.checksum.map(|_| true));
        for cut in 0..size as usize {
            let error = super::header(variant, Some(Sender::Client), &bytes[..cut]).unwrap_err();
            assert!(
                (error.offset + error.needs) as usize > cut
                    && error.offset as usize + error.left as usize == cut
            );
            assert!(error.cut(bytes.len()).short && !error.cut(cut).short);
        }
        assert_eq!(header.variant.name(), HeaderVariant::from_name(variant.name()).unwrap().name());
    }
}

#[test]
fn damage_is_told_with_its_place() {
    let bytes = datagram(
        HeaderVariant::Compact,
        Some(1),
        vec![Outgoing::ping(1), Outgoing::reliable(3, 2, b"payload")],
    )
    .bytes();
    let data_at = 4 + 4 + 6;
    for cut in 4..bytes.len() {
        for reported in [cut, bytes.len()] {
            let (commands, stop) = walk(HeaderVariant::Compact, &bytes[..cut], reported);
            let short = reported > cut;
            match stop {
                None if short => assert!(cut >= data_at, "{cut}"),
                None => assert!(cut == 4 || cut == 8, "{cut}"),
                Some(stop) => {
                    assert_eq!(stop.cut.short, short);
                    assert_eq!((stop.cut.offset + stop.cut.left) as usize, cut);
                    let past = cut >= data_at;
                    assert_eq!(stop.why, if past { Why::DataPastEnd } else { Why::TooShort });
                    assert_eq!(stop.partial.is_some(), cut != 4 && cut != 8);
                    assert_eq!(commands.len(), usize::from(cut >= 8));
                }
            }
        }
    }
    let mut unknown = bytes.clone();
    unknown[8] = 0x8C;
    let stop = walk(HeaderVariant::Compact, &unknown, unknown.len()).1.unwrap();
    assert_eq!((stop.why, stop.cut.offset, stop.partial.unwrap().read), (Why::UnknownCommand(12), 8, 3));
    let untimed = datagram(HeaderVariant::Classic, None, vec![Outgoing::ping(1), Outgoing::ping(2)]).bytes();
    let (commands, stop) = walk(HeaderVariant::Classic, &untimed, untimed.len());
    assert_eq!((commands.len(), stop.unwrap().why), (1, Why::AcknowledgeWithoutTime));
}

#[test]
fn no_bytes_make_it_panic_or_run_on() {
    let mut random = Random(1);
    for _ in 0..20_000 {
        let len = random.below(80);
        let mut bytes = random.bytes(len);
        for byte in &mut bytes {
            // small numbers walk further
            if random.below(3) == 0 {
                *byte &= 0x0F;
            }
        }
        for variant in HeaderVariant::ALL {
            for from in [Some(Sender::Client), None] {
                let Ok(header) = header(variant, from, &bytes) else { continue };
                let reported = len + random.below(3) * 20;
                let read =
                    Commands::new(&bytes, reported, &header).map(|item| item.map(|c| c.size).unwrap_or(0));
                assert!(read.sum::<u32>() as usize <= reported);
            }
            connect(&bytes, len);
        }
    }
}

#[test]
fn connections_are_recognised_by_their_start() {
    for variant in HeaderVariant::ALL {
        let bytes = asking(variant);
        assert_eq!(connect(&bytes, bytes.len()), Some(variant));
        let found = candidates(&bytes, bytes.len());
        let from = Some(Sender::Client);
        assert!(
            found.holds(variant, from) && found.decides() && found.weight() >= 90,
            "{variant:?} {found:?}"
        );
        let more = datagram(variant, Some(1), vec![Outgoing::connect(OPENING), Outgoing::ping(2)]);
        let session = if variant.is_league() { 0x29 } else { 0 };
        let more = Datagram { peer: variant.unassigned(), session, connect_id: 0, ..more }.bytes();
        assert_eq!(connect(&more, more.len()), Some(variant));
        assert_eq!(connect(&more[..more.len() - 2], more.len()), Some(variant), "cut by the capture");
        assert_eq!(connect(&more[..more.len() - 2], more.len() - 2), None, "cut by the sender");
    }
    for (name, variant) in GAME {
        let Some(all) = datagrams(name) else { return };
        for datagram in &all {
            let expected = (datagram.frame == 1).then_some(variant);
            assert_eq!(connect(&datagram.bytes, datagram.bytes.len()), expected, "{name} {}", datagram.frame);
        }
    }
}

#[test]
fn recorded_conversations_keep_their_shape() {
    for (name, variant) in GAME {
        let Some(all) = datagrams(name) else { return };
        let (mut conversation, mut fits, mut decide) = (Candidates::ANY, [0; 6], 0);
        let mut settled_after = None;
        for (seen, datagram) in all.iter().enumerate() {
            let found = candidates(&datagram.bytes, datagram.bytes.len());
            assert!(found.holds(variant, Some(datagram.from)), "{name} frame {}", datagram.frame);
            for (count, variant) in fits.iter_mut().zip(HeaderVariant::ALL) {
                *count += usize::from(found.holds(variant, Some(datagram.from)));
            }
            decide += usize::from(found.decides());
            // the connection's start is left out: the middle of a conversation has to do
            if seen >= 2 {
                conversation.narrow(found, datagram.from == Sender::Client);
                settled_after = settled_after.or(conversation.decides().then_some(seen - 1));
            }
        }
        println!(
            "{name}: {} datagrams, fit {:?} of {:?}, {decide} decide",
            all.len(),
            fits,
            HeaderVariant::ALL
        );
        println!("    without the start settled after {settled_after:?}, weight {}", conversation.weight());
        assert_eq!(conversation.likeliest().unwrap().variant, variant);
        assert!(conversation.decides());
    }
}

#[test]
fn captures_cut_short_keep_their_shape() {
    for (name, variant) in GAME {
        let Some(all) = datagrams(name) else { return };
        for datagram in all {
            let captured = datagram.bytes.len().min(60);
            let found = candidates(&datagram.bytes[..captured], datagram.bytes.len());
            assert!(found.holds(variant, Some(datagram.from)), "{name} frame {}", datagram.frame);
        }
    }
}

#[test]
fn random_datagrams_are_refused() {
    let mut random = Random(20_091_027);
    let pool: Vec<u8> = (0..1 << 19).flat_map(|_| random.next().to_le_bytes()).collect();
    let (mut accepted, mut firm, mut by_shape) = (0, 0, [0; 6]);
    for turn in 0..1_000_000 {
        let len = 4 + random.below(1397);
        let start = random.below(pool.len() - len);
        let bytes = &pool[start..start + len];
        let found = candidates(bytes, len);
        accepted += usize::from(!found.is_empty());
        firm += usize::from(found.weight() >= 20);
        for (count, variant) in by_shape.iter_mut().zip(HeaderVariant::ALL) {
            *count += usize::from(found.holds(variant, None));
        }
        if turn % 16 == 0 {
            assert_eq!(connect(bytes, len), None);
        }
    }
    println!(
        "of 1,000,000 random datagrams {accepted} accepted, {firm} with weight 20 or more; {by_shape:?}"
    );
    let short = (0..1_000_000).map(|_| random.below(pool.len() - 32)).zip((8..32).cycle());
    let short = short
        .map(|(start, len)| candidates(&pool[start..start + len], len))
        .filter(|found| !found.is_empty());
    let weights: Vec<u16> = short.map(|found| found.weight()).collect();
    let firm = weights.iter().filter(|weight| **weight >= 20).count();
    println!("of 1,000,000 of 8 to 31 bytes {} accepted, {firm} with weight 20 or more", weights.len());
    assert!(weights.len() <= 1000 && firm <= 20);
    assert!(accepted <= 40 && firm <= 10, "{accepted} {firm}");
}

/// Datagrams of other protocols, with random numbers where theirs are random.
fn foreign(random: &mut Random) -> Vec<(&'static str, Vec<u8>)> {
    let n = random.next().to_be_bytes();
    let count = (random.next() % 4096) as u16;
    let (low, high) = (count as u8, (count >> 8) as u8);
    let join = |parts: &[&[u8]]| parts.concat();
    let name = b"\x07example\x03com\x00\x00\x01\x00\x01";
    let length = 24 + random.below(140);
    let tail = random.bytes(length);
    vec![
        ("dns query", join(&[&n[..2], &[1, 0, 0, 1, 0, 0, 0, 0, 0, 0], name])),
        (
            "dns query edns",
            join(&[
                &n[..2],
                &[1, 0x20, 0, 1, 0, 0, 0, 0, 0, 1],
                name,
                &[0, 0, 41, 4, 0xD0, 0, 0, 0, 0, 0, 0],
            ]),
        ),
        (
            "dns answer",
            join(&[
                &n[..2],
                &[0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0],
                name,
                &[0xC0, 12, 0, 1, 0, 1],
                &n[2..6],
                &[0, 4],
                &n[..4],
            ]),
        ),
        ("rtp", join(&[&[0x80, n[0] & 0x80 | 96, high, low], &n, &tail])),
        ("rtcp", join(&[&[0x80, 200, 0, 6], &n, &tail[..20]])),
        ("stun", join(&[&[0, 1, 0, 0, 0x21, 0x12, 0xA4, 0x42], &n, &n[..4]])),
        ("quic initial", join(&[&[0xC0 | n[0] & 15, 0, 0, 0, 1, 8], &n, &[0, 0, 0x44, 0x9E], &tail])),
        ("quic short", join(&[&[0x40 | n[0] & 63], &n, &tail])),
        (
            "raknet ping",
            join(&[&[1], &n, &[0, 0xFF, 0xFF, 0, 0xFE, 0xFE, 0xFE, 0xFE, 0xFD, 0xFD, 0xFD, 0xFD], &n[..4]]),
        ),
        (
            "raknet ack",
            join(&[&[0xC0, 0, 1, n[0] & 1, low, high, 0, low.wrapping_add(n[0] & 3), high, 0]
                [..if n[0] & 1 == 0 { 10 } else { 7 }]]),
        ),
        ("raknet frames", join(&[&[0x84, low, high, 0, 0x60, 1, 0, low, high, 0, 0, 0, 0, 0], &tail])),
        ("wireguard handshake", join(&[&[1, 0, 0, 0], &n, &random.bytes(136)])),
        ("wireguard data", join(&[&[4, 0, 0, 0], &n[..4], &[low, high, 0, 0, 0, 0, 0, 0], &tail])),
        ("source query", join(&[b"\xFF\xFF\xFF\xFFTSource Engine Query\0", &n[..4]])),
        ("source answer", join(&[b"\xFF\xFF\xFF\xFFI\x11", &tail])),
        ("quake", join(&[&[low, high, 0, n[0] & 0x80, low, high, 0, 0], &tail])),
        ("ntp", join(&[&[0x23, 2, 6, 0xE9], &n, &n, &random.bytes(28)])),
        ("counter le", join(&[&[n[0] & 15, 0], &u32::from(count).to_le_bytes(), &tail])),
        ("counter be", join(&[&[n[0] & 15, 0], &u32::from(count).to_be_bytes(), &tail])),
    ]
}

#[test]
fn datagrams_of_other_protocols_are_refused() {
    let mut random = Random(7);
    let mut counts = std::collections::BTreeMap::<&str, (usize, usize)>::new();
    for _ in 0..10_000 {
        for (name, bytes) in foreign(&mut random) {
            let found = candidates(&bytes, bytes.len());
            let count = counts.entry(name).or_default();
            count.0 += usize::from(!found.is_empty());
            count.1 += usize::from(found.weight() > 4);
            assert_eq!(connect(&bytes, bytes.len()), None, "{name}");
        }
    }
    println!("of 10,000 each, accepted and accepted with weight above 4:");
    for (name, (accepted, weighty)) in counts {
        println!("    {name}: {accepted}, {weighty}");
        assert!(weighty <= 10, "{name}");
    }
    for name in ["bedrock-1001", "bedrock-2168", "bedrock-2208", "bedrock-2208-cookie"] {
        if shared(&format!("{name}.pcap")).is_none() {
            return;
        }
        let taken = datagrams(name)
            .unwrap()
            .iter()
            .filter(|d| !candidates(&d.bytes, d.bytes.len()).is_empty())
            .count();
        println!("    {name}: {taken}");
    }
}
