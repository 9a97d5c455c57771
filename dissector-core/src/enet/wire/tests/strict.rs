//! Tests of strict walking: beside each datagram that a sender just writes, one that it does not.

use super::super::strict::walk;
use super::*;

/// Variants whose channels and connects differ: the game's and stock ENet's.
const FAMILIES: [HeaderVariant; 2] = [HeaderVariant::Classic, HeaderVariant::Stock];

fn passes(datagram: &Datagram) -> bool {
    let bytes = datagram.bytes();
    walk(datagram.variant, datagram.from, &bytes, bytes.len()).is_some()
}

/// What it says for its variant, where it walks.
fn weight(commands: Vec<Outgoing>) -> Option<u16> {
    let bytes = timely(HeaderVariant::Classic, commands).bytes();
    walk(HeaderVariant::Classic, None, &bytes, bytes.len()).map(|walk| walk.weight)
}

/// A datagram of either end, with a sent time where a command asks for one.
fn timely(variant: HeaderVariant, commands: Vec<Outgoing>) -> Datagram {
    let time = commands.iter().any(Outgoing::asks).then_some(5);
    Datagram { from: None, ..datagram(variant, time, commands) }
}

/// One command alone, with a payload of `len` bytes.
fn alone(variant: HeaderVariant, flags: u8, channel: u8, len: usize) -> bool {
    let data = vec![1; len];
    // those that need more to be right are given it
    let fields = vec![(Field::FragmentCount, 1), (Field::TotalLength, len as u32)];
    passes(&timely(variant, vec![Outgoing { flags, channel, sequence: 0, fields, data: &data }]))
}

#[test]
fn lengths_end_at_the_largest_mtu() {
    for variant in HeaderVariant::ALL {
        let size = |len| {
            let data = vec![1; len];
            let sent = timely(variant, vec![Outgoing::reliable(1, 1, &data)]);
            (sent.bytes().len(), passes(&sent))
        };
        let empty = size(0).0;
        assert_eq!(size(4096 - empty), (4096, true), "{variant:?}");
        assert_eq!(size(4097 - empty), (4097, false), "{variant:?}");
    }
}

#[test]
fn as_many_commands_as_a_sender_writes_at_most() {
    for variant in HeaderVariant::ALL {
        for (count, fits) in [(1, true), (32, true), (33, false), (34, false)] {
            assert_eq!(passes(&timely(variant, vec![Outgoing::ping(1); count])), fits, "{variant:?} {count}");
        }
        assert!(!passes(&timely(variant, vec![])));
    }
}

#[test]
fn classic_peers_are_no_more_than_servers_had() {
    for (peer, fits) in [(0, true), (4095, true), (4096, false), (0x7FFE, false), (0x7FFF, false)] {
        let sent = Datagram { peer, ..timely(HeaderVariant::Classic, vec![Outgoing::ping(1)]) };
        assert_eq!(passes(&sent), fits, "{peer}");
    }
}

#[test]
fn a_sent_time_stands_where_a_command_asks() {
    let quiet = || Outgoing::unreliable(1, 1, 1, b"data");
    for variant in HeaderVariant::ALL {
        for (time, commands, fits) in [
            (Some(5), vec![Outgoing::ping(1)], true),
            (None, vec![Outgoing::ping(1)], false),
            (Some(5), vec![quiet()], false),
            (None, vec![quiet()], true),
            (Some(5), vec![quiet(), Outgoing::ping(1)], true),
            (Some(5), vec![Outgoing::ping(1), quiet()], true),
        ] {
            let sent = Datagram { from: None, ..datagram(variant, time, commands) };
            assert_eq!(passes(&sent), fits, "{variant:?} {sent:?}");
        }
    }
}

#[test]
fn what_the_capture_left_out_may_be_right() {
    let quiet = || Outgoing::unreliable(1, 1, 1, b"data");
    for (time, second) in [(Some(5), Outgoing::reliable(1, 1, b"data")), (None, quiet())] {
        let bytes =
            Datagram { from: None, ..datagram(HeaderVariant::Classic, time, vec![quiet(), second]) }.bytes();
        let header = if time.is_some() { 8 } else { 6 };
        let walks = |captured: usize, reported| {
            walk(HeaderVariant::Classic, None, &bytes[..captured], reported).is_some()
        };
        assert!(!walks(header, bytes.len()), "no command whole");
        assert!(!walks(header + 7, bytes.len()), "no command whole");
        for captured in header + 13..bytes.len() {
            assert!(walks(captured, bytes.len()), "{captured}");
            assert!(!walks(captured, captured), "the sender cut {captured}");
        }
        assert!(!walks(bytes.len() - 1, bytes.len() - 1), "the sender cut the payload");
        // captured to the end of the first command: the other may ask, unless there is none
        assert!(walks(header + 12, bytes.len()));
        assert_eq!(walks(header + 12, header + 12), time.is_none());
    }
    let mut unknown = timely(HeaderVariant::Classic, vec![Outgoing::ping(1), Outgoing::ping(2)]).bytes();
    unknown[12] = 0x8D;
    assert!(walk(HeaderVariant::Classic, None, &unknown, unknown.len() + 9).is_none());
}

#[test]
fn compressed_commands_do_not_walk() {
    for variant in [HeaderVariant::Stock, HeaderVariant::StockChecksum] {
        let mut bytes = timely(variant, vec![Outgoing::ping(1)]).bytes();
        assert!(walk(variant, None, &bytes, bytes.len()).is_some());
        bytes[0] |= 0x40;
        assert!(walk(variant, None, &bytes, bytes.len()).is_none(), "not what the range coder writes");
    }
}

#[test]
fn commands_that_the_range_coder_made_smaller_walk() {
    for variant in [HeaderVariant::Stock, HeaderVariant::StockChecksum] {
        let sent = timely(variant, vec![Outgoing::reliable(3, 1, &[7; 90])]);
        let bytes = sent.compressed();
        assert!(bytes.len() < sent.bytes().len());
        let [plain, packed] =
            [sent.bytes(), bytes.clone()].map(|bytes| walk(variant, None, &bytes, bytes.len()).unwrap());
        assert_eq!((packed.weight, packed.first.id), (plain.weight, plain.first.id));
        assert!(packed.header.is_compressed() && packed.first.offset == 0);
        let short = &bytes[..bytes.len() - 1];
        assert!(walk(variant, None, short, bytes.len()).is_none(), "cut by the capture");
        // ENet compresses only what gets smaller by it
        let longer = [&bytes[..], &[0; 120]].concat();
        assert!(walk(variant, None, &longer, longer.len()).is_none());
        // a command without a layout that begins what was compressed
        let head = if variant == HeaderVariant::Stock { 4 } else { 8 };
        let odd = [&bytes[..head], &super::super::compressed::compress(&[0x0F; 90]).unwrap()].concat();
        assert!(walk(variant, None, &odd, odd.len()).is_none());
    }
}

#[test]
fn a_peer_without_a_number_may_give_up() {
    for variant in HeaderVariant::ALL {
        let nobody = variant.unassigned();
        let sent = |commands| {
            let sent = datagram(variant, None, commands);
            let bytes = Datagram { peer: nobody, session: 0, connect_id: 0, ..sent }.bytes();
            walk(variant, Some(Sender::Client), &bytes, bytes.len()).map(|walk| (walk.weight, walk.sum_fits))
        };
        let sum = (variant == HeaderVariant::StockChecksum).then_some(true);
        assert_eq!(sent(vec![Outgoing::disconnect_now(0)]).map(|(_, fits)| fits), Some(sum), "{variant:?}");
        assert!(sent(vec![Outgoing::disconnect_now(0)]).unwrap().0 <= 12, "{variant:?}");
        assert_eq!(sent(vec![Outgoing::disconnect_now(0), Outgoing::disconnect_now(0)]), None, "{variant:?}");
        assert_eq!(sent(vec![Outgoing::unreliable(0, 0, 1, b"a")]), None, "{variant:?}");
    }
}

#[test]
fn only_a_connect_begins_without_a_number() {
    for variant in HeaderVariant::ALL {
        let (session, nobody) = (if variant.is_league() { 0x29 } else { 0 }, variant.unassigned());
        let connect = || Outgoing::connect(OPENING);
        let sent = |peer, session, commands| {
            let sent = timely(variant, commands);
            passes(&Datagram { peer, session, from: Some(Sender::Client), ..sent })
        };
        assert!(sent(nobody, session, vec![connect()]), "{variant:?}");
        assert!(sent(nobody, session, vec![connect(), Outgoing::ping(2)]), "{variant:?}");
        assert!(!sent(1, session, vec![connect()]), "{variant:?}");
        assert!(!sent(nobody, session, vec![Outgoing::ping(2)]), "{variant:?}");
        assert!(!sent(nobody, session, vec![Outgoing::ping(2), connect()]), "{variant:?}");
        assert!(sent(1, session, vec![Outgoing::ping(2)]), "{variant:?}");
        // the header's session number is the one asked for; stock ENet has none before it is granted
        assert!(!sent(nobody, session + 1, vec![connect()]), "{variant:?}");
        assert!(sent(1, session + 1, vec![Outgoing::ping(2)]), "{variant:?}");
    }
}

#[test]
fn each_end_opens_with_its_own_command() {
    for variant in HeaderVariant::ALL {
        let (session, nobody) = (if variant.is_league() { 0x29 } else { 0 }, variant.unassigned());
        for (from, connects, grants) in
            [(None, true, true), (Some(Sender::Client), true, false), (Some(Sender::Server), false, true)]
        {
            let connect = timely(variant, vec![Outgoing::connect(OPENING)]);
            assert_eq!(passes(&Datagram { from, session, peer: nobody, ..connect }), connects, "{variant:?}");
            let grant = timely(variant, vec![Outgoing::verify_connect(OPENING)]);
            assert_eq!(passes(&Datagram { from, ..grant }), grants, "{variant:?} {from:?}");
            let both =
                timely(variant, vec![Outgoing::acknowledge(255, 1, 2), Outgoing::verify_connect(OPENING)]);
            assert!(passes(&Datagram { from, ..both }));
        }
    }
}

#[test]
fn flags_are_those_of_the_command() {
    for variant in HeaderVariant::ALL {
        for id in 0..16 {
            let (allowed, control): (&[u8], bool) = match id {
                id::ACKNOWLEDGE => (&[0], true),
                id::DISCONNECT => (&[0x40, 0x80], true),
                id::PING | id::BANDWIDTH_LIMIT | id::THROTTLE_CONFIGURE => (&[0x80], true),
                id::SEND_RELIABLE | id::SEND_FRAGMENT => (&[0x80], false),
                id::SEND_UNRELIABLE => (&[0], false),
                id::SEND_UNSEQUENCED => (&[0x40], false),
                id::SEND_UNRELIABLE_FRAGMENT if !variant.is_league() => (&[0], false),
                _ => (&[], true),
            };
            let (channel, len) = if control { (255, 0) } else { (0, 4) };
            for flags in (0..16).map(|flags| flags << 4) {
                let fits = alone(variant, flags | id, channel, len);
                assert_eq!(fits, allowed.contains(&flags), "{variant:?} {id} {flags:#x}");
            }
        }
    }
}

#[test]
fn payloads_stand_on_a_channel_of_the_game() {
    for variant in FAMILIES {
        let highest = if variant.is_league() { 7 } else { 254 };
        let fragment = if variant.is_league() { 0x88 } else { 0x0C };
        for flags in [0x86, 0x07, 0x49, 0x88, fragment] {
            for (channel, fits) in [(0, true), (highest, true), (highest + 1, false), (255, false)] {
                assert_eq!(alone(variant, flags, channel, 4), fits, "{variant:?} {flags:#x} {channel}");
            }
            assert!(alone(variant, flags, 1, 1) && !alone(variant, flags, 1, 0), "{variant:?} {flags:#x}");
        }
        for flags in [0x84, 0x44, 0x85, 0x8A, 0x8B] {
            for (channel, fits) in [(0, false), (highest, false), (254, false), (255, true)] {
                assert_eq!(alone(variant, flags, channel, 0), fits, "{variant:?} {flags:#x} {channel}");
            }
        }
        for (channel, fits) in [(0, true), (highest, true), (highest + 1, !variant.is_league()), (255, true)]
        {
            assert_eq!(alone(variant, 0x01, channel, 0), fits, "{variant:?} {channel}");
        }
    }
}

/// Whether a connect and a verifyConnect both walk, or neither.
fn opens(variant: HeaderVariant, opening: Opening, change: impl Fn(&mut Outgoing)) -> bool {
    let (mut connect, mut grant) = (Outgoing::connect(opening), Outgoing::verify_connect(opening));
    change(&mut connect);
    change(&mut grant);
    let session = if variant.is_league() { opening.session } else { 0 };
    let connect = Datagram { session, peer: variant.unassigned(), ..timely(variant, vec![connect]) };
    let grant = timely(variant, vec![grant]);
    let fits = passes(&connect);
    assert_eq!(fits, passes(&grant), "{variant:?} {opening:?}");
    fits
}

#[test]
fn openings_state_what_a_host_can_have() {
    for variant in HeaderVariant::ALL {
        let nobody = variant.unassigned();
        for (peer, fits) in [(0, true), (nobody - 1, true), (nobody, false)] {
            assert_eq!(opens(variant, Opening { peer, ..OPENING }, |_| ()), fits, "{variant:?} peer {peer}");
        }
        for (mtu, fits) in [(575, false), (576, true), (4096, true), (4097, false)] {
            assert_eq!(opens(variant, Opening { mtu, ..OPENING }, |_| ()), fits, "{variant:?} MTU {mtu}");
        }
        for (channels, fits) in [(0, false), (1, true), (255, true), (256, false)] {
            assert_eq!(
                opens(variant, Opening { channels, ..OPENING }, |_| ()),
                fits,
                "{variant:?} {channels}"
            );
        }
        for (window, fits) in [(4095, false), (4096, true), (65536, true), (65537, false)] {
            assert_eq!(opens(variant, Opening { window, ..OPENING }, |_| ()), fits, "{variant:?} {window}");
        }
        for (sequence, fits) in [(0, false), (1, true), (2, false)] {
            assert_eq!(opens(variant, OPENING, |command| command.sequence = sequence), fits, "{variant:?}");
        }
        for (flags, fits) in [(0x80, true), (0xC0, false), (0x90, false)] {
            let change = |command: &mut Outgoing| command.flags = command.flags & 0x0F | flags;
            assert_eq!(opens(variant, OPENING, change), fits, "{variant:?} {flags:#x}");
        }
        for (channel, fits) in [(255, true), (254, false), (0, false)] {
            assert_eq!(opens(variant, OPENING, |command| command.channel = channel), fits, "{variant:?}");
        }
    }
}

/// What a fragment states: start, count, number, total, offset, and how long its data is.
type Stated = (u16, u32, u32, u32, u32, usize);

fn fragment(flags: u8, sequence: u16, (start, count, number, total, offset, len): Stated) -> bool {
    let data = vec![1; len];
    let fields = vec![
        (Field::StartSequenceNumber, start.into()),
        (Field::FragmentCount, count),
        (Field::FragmentNumber, number),
        (Field::TotalLength, total),
        (Field::FragmentOffset, offset),
    ];
    let fragment = Outgoing { flags, channel: 1, sequence, fields, data: &data };
    passes(&timely(HeaderVariant::Stock, vec![fragment]))
}

#[test]
fn fragments_are_cut_to_one_length_but_the_last() {
    let table: [(Stated, bool); 29] = [
        // the first of three
        ((8, 3, 0, 25, 0, 10), true),
        ((8, 3, 0, 25, 1, 10), false),
        ((8, 2, 0, 25, 0, 10), false),
        ((8, 4, 0, 25, 0, 10), false),
        ((8, 3, 0, 30, 0, 10), true),
        ((8, 3, 0, 31, 0, 10), false),
        ((8, 3, 0, 20, 0, 10), false),
        // the second of three
        ((8, 3, 1, 25, 10, 10), true),
        ((8, 3, 1, 25, 9, 10), false),
        ((8, 3, 1, 25, 11, 10), false),
        ((8, 3, 1, 31, 10, 10), false),
        // the last of three
        ((8, 3, 2, 25, 20, 5), true),
        ((8, 3, 2, 30, 20, 10), true),
        ((8, 3, 2, 31, 20, 11), false),
        ((8, 3, 2, 26, 20, 5), false),
        ((8, 3, 2, 24, 20, 5), false),
        ((8, 3, 2, 25, 21, 4), false),
        ((8, 3, 2, 25, 0, 25), false),
        // the last of two
        ((8, 2, 1, 11, 10, 1), true),
        ((8, 2, 1, 21, 10, 11), false),
        // no such number
        ((8, 3, 3, 35, 30, 5), false),
        ((8, 3, 4, 45, 40, 5), false),
        ((8, 0, 0, 10, 0, 10), false),
        // one alone
        ((8, 1, 0, 10, 0, 10), true),
        ((8, 1, 0, 10, 1, 10), false),
        ((8, 1, 0, 11, 0, 10), false),
        ((8, 1, 0, 9, 0, 10), false),
        // numbers pass the highest
        ((65535, 3, 1, 25, 10, 10), true),
        ((65534, 3, 2, 25, 20, 5), true),
    ];
    for (stated, fits) in table {
        let sequence = stated.0.wrapping_add(stated.2 as u16);
        assert_eq!(fragment(0x88, sequence, stated), fits, "{stated:?}");
        assert_eq!(fragment(0x0C, sequence, stated), fits, "{stated:?}");
        // unreliable ones all have the number of the last reliable command
        assert!(!fragment(0x88, sequence.wrapping_add(1), stated), "{stated:?}");
        assert_eq!(fragment(0x0C, sequence.wrapping_add(1), stated), fits, "{stated:?}");
    }
}

#[test]
fn weights_are_the_bits_that_had_to_be_right() {
    let ping = || Outgoing::ping(1);
    let payload = || Outgoing::reliable(1, 1, b"data");
    let receipt = |channel| Outgoing::acknowledge(channel, 1, 1);
    let fields = vec![(Field::FragmentCount, 1), (Field::TotalLength, 4)];
    let part = Outgoing { flags: 0x88, channel: 1, sequence: 0, fields, data: b"part" };
    for (commands, expected) in [
        (vec![ping()], 12),
        (vec![ping(), ping()], 24),
        (vec![Outgoing::disconnect_now(4)], 12),
        (vec![payload()], 25),
        (vec![Outgoing::unreliable(7, 1, 1, b"a")], 25),
        (vec![Outgoing::unsequenced(7, 1, b"a")], 25),
        (vec![payload(), ping()], 27),
        (vec![payload(), payload()], 40),
        (vec![part.clone()], 89),
        (vec![part, ping()], 101),
        (vec![Outgoing::verify_connect(OPENING)], 92),
        (vec![receipt(255)], 4),
        (vec![receipt(1), receipt(1), receipt(255)], 4),
        (vec![receipt(1), payload()], 34),
        (vec![payload(), receipt(255)], 27),
    ] {
        assert_eq!(weight(commands.clone()), Some(expected), "{commands:?}");
    }
    let bytes = asking(HeaderVariant::Classic);
    let walked = walk(HeaderVariant::Classic, None, &bytes, bytes.len()).unwrap();
    assert_eq!((walked.weight, walked.first.id, walked.header.session.0), (92, id::CONNECT, 0x29));
}
