//! Tests of reading: headers, commands, damage, and which variant recorded and foreign datagrams are taken for.

mod commands;
mod headers;
mod recognise;
mod strict;
mod writing;

use super::captures::{datagrams, Random, GAME};
use super::write::{reliable, Datagram, Opening, Outgoing};
use super::*;
use crate::capture::Sender;
use crate::fields::enet::Field;
use crate::tree::Cut;

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
        assert_eq!(checksum_fits(&header, &bytes, None, 7), header.checksum.map(|_| true));
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
