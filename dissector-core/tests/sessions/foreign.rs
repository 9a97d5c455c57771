//! Datagrams of others between those of a session: given back on every pass, and what is the session's own is kept.

use dissector_core::capture::Settings;
use dissector_core::enet::wire::write::{Datagram, Opening, Outgoing};
use dissector_core::enet::wire::HeaderVariant;
use dissector_core::fields::enet::Field;

use crate::lab::{passes, read, streams, Pass, GOOD};
use crate::wire::{keyed, Client, Server, Talk};

/// A STUN binding request: to stock ENet peer 1, and then no command.
const STUN: &[u8] = &[0, 1, 0, 0, 0x21, 0x12, 0xA4, 0x42, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
/// What others send on the ports of a game.
const OTHERS: [&[u8]; 12] = [
    STUN,
    &[1, 1, 0, 12, 0x21, 0x12, 0xA4, 0x42, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    b"hello world",
    b"\xFF\xFF\xFF\xFFgetinfo xxx",
    &[0xFF, 0xFF, 1, 6],
    &[0xFF, 0xFF, 1, 6, 2, 0x81, 4, 1, 0, 0, b'h', b'i'],
    &[0],
    &[0; 4],
    &[0x29],
    &[0x16, 0xFE, 0xFD, 0, 0, 0, 0, 0, 0, 0, 1, 0, 9],
    &[0x80, 0x60, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 9, 9],
    &[0x40, 0, 0, 0],
];

fn taken(pass: &Pass) -> Vec<bool> {
    pass.iter().map(Option::is_some).collect()
}

/// Others between the datagrams of an open session, from both ends: which frames are theirs.
fn disturbed(variant: HeaderVariant) -> (Talk, Vec<usize>) {
    let mut talk = Talk::new(variant);
    talk.peers = [3, 4];
    talk.open();
    let mut theirs = Vec::new();
    for (number, bytes) in (1..).zip(OTHERS) {
        theirs.push(talk.capture(Client, bytes.to_vec()));
        talk.reliable(Client, 5, number, b"one");
        theirs.push(talk.capture(Server, bytes.to_vec()));
        talk.reliable(Server, 5, number, b"two");
    }
    (talk, theirs)
}

#[test]
fn what_is_no_datagram_of_the_session_is_left_to_others_on_every_pass() {
    for variant in HeaderVariant::ALL {
        for decode_as in [false, true] {
            let (mut talk, theirs) = disturbed(variant);
            talk.frames.iter_mut().for_each(|frame| frame.decode_as = decode_as);
            let ports = Settings { ports: vec![(5_119, 5_119)], ..Settings::default() };
            for settings in [Settings::default(), ports] {
                let (one, two) = passes(&settings, &talk.frames);
                let wanted: Vec<_> = (0..talk.frames.len()).map(|at| !theirs.contains(&at)).collect();
                assert_eq!((taken(&one), taken(&two)), (wanted.clone(), wanted), "{variant:?} {decode_as}");
                let marked = ["enet.malformed", "enet.gap", "enet.outOfOrder", "enet.duplicate"];
                let odd = two.iter().flatten().filter(|shown| marked.iter().any(|name| shown.has(name)));
                assert_eq!(odd.count(), 0, "{variant:?}");
            }
        }
    }
}

#[test]
fn datagrams_that_name_another_peer_or_session_are_left_to_others() {
    for variant in HeaderVariant::ALL {
        for (peers, session) in [([5, 5], 1), ([3, 4], 2)] {
            let mut talk = Talk { peers: [3, 4], session: 1, ..Talk::new(variant) };
            talk.open();
            talk.reliable(Client, 5, 1, b"one");
            talk.reliable(Server, 5, 1, b"two");
            (talk.peers, talk.session) = (peers, session);
            let other = talk.reliable(Client, 5, 2, b"three");
            (talk.peers, talk.session) = ([3, 4], 1);
            let own = talk.reliable(Client, 5, 2, b"three");
            let (one, two) = passes(&Settings::default(), &talk.frames);
            for pass in [&one, &two] {
                assert!(pass[other].is_none(), "{variant:?} {peers:?} {session}");
                assert!(!pass[own].as_ref().unwrap().has("enet.retransmission"), "{variant:?}");
            }
        }
    }
}

#[test]
fn what_is_damaged_behind_its_first_command_byte_is_still_the_sessions() {
    for variant in HeaderVariant::ALL {
        let mut talk = Talk { peers: [3, 4], ..Talk::new(variant) };
        talk.open();
        let at = talk.reliable(Client, 5, 1, b"a payload");
        let whole = talk.frames.remove(at);
        let command = 6 + 9; // its head, and what it carries
        let start = whole.bytes.len() - command;
        let mut wanted = Vec::new();
        for length in 0..=whole.bytes.len() {
            let mut cut = whole.clone();
            cut.id.0 += length as u32;
            cut.bytes.truncate(length);
            cut.reported = length;
            talk.frames.push(cut);
            wanted.push(length > start);
        }
        let (one, two) = passes(&Settings::default(), &talk.frames);
        for pass in [&one, &two] {
            assert_eq!(taken(pass)[at..], wanted, "{variant:?}");
            for shown in pass[at..].iter().flatten().take(command - 1) {
                assert_eq!(shown.told("enet.malformed").len(), 1, "{variant:?} {}", shown.bytes.len());
            }
        }
        // as it is where the capture cut it: nothing is given back then
        talk.frames[at..].iter_mut().for_each(|frame| frame.reported = whole.reported);
        let two = read(&Settings::default(), &talk.frames);
        assert!(two[at..].iter().all(Option::is_some), "{variant:?}");
        assert!(two.iter().flatten().all(|shown| shown.told("enet.malformed").is_empty()), "{variant:?}");
    }
}

#[test]
fn a_damaged_first_answer_is_known_by_the_peer_that_was_asked_for() {
    let mut talk = Talk { peers: [0, 9], ..Talk::new(HeaderVariant::Stock) };
    let opening = Opening { peer: 9, ..talk.opening() };
    talk.send(Client, vec![Outgoing::connect(opening)]);
    let cut = talk.send(Server, vec![Outgoing::verify_connect(talk.opening())]);
    talk.frames[cut].bytes.truncate(20);
    talk.frames[cut].reported = 20;
    // of another peer it is anybody's
    let mut other = talk.frames[cut].clone();
    other.id.0 += 1;
    other.bytes[1] = 8;
    talk.frames.push(other);
    let (one, two) = passes(&Settings::default(), &talk.frames);
    assert_eq!((taken(&one), taken(&two)), (vec![true, true, false], vec![true, true, false]));
}

#[test]
fn a_damaged_first_answer_names_nothing_for_those_behind_it() {
    let mut talk = Talk { peers: [0, 9], session: 2, ..Talk::new(HeaderVariant::Stock) };
    talk.send(Client, vec![Outgoing::connect(Opening { peer: 9, ..talk.opening() })]);
    let cut = talk.reliable(Server, 5, 1, b"one");
    talk.frames[cut].bytes.pop();
    talk.frames[cut].reported -= 1;
    // it may be damaged in its header too: the session is another one
    talk.session = 1;
    for number in 2..=4 {
        talk.reliable(Server, 5, number, b"two");
    }
    let (one, two) = passes(&Settings::default(), &talk.frames);
    assert_eq!((streams(&one), streams(&two)), (vec![Some(0); 5], vec![Some(0); 5]));
}

#[test]
fn the_grant_names_the_servers_datagrams_whatever_was_taken_for_its_answer_before() {
    for variant in HeaderVariant::ALL {
        let mut talk = Talk { peers: [3, 4], session: 1, ..Talk::new(variant) };
        let connect = Outgoing::connect(Opening { peer: 4, ..talk.opening() });
        talk.send(Client, vec![connect]);
        (talk.peers, talk.session) = ([7, 8], 2);
        talk.reliable(Server, 5, 1, b"of a connection before");
        (talk.peers, talk.session) = ([3, 4], 1);
        let from = talk.frames.len();
        talk.open();
        // the connect is captured but once
        talk.frames.remove(from);
        for number in 1..=3 {
            talk.reliable(Server, 5, number, b"one");
        }
        let (one, two) = passes(&Settings::default(), &talk.frames);
        for pass in [&one, &two] {
            assert_eq!(streams(pass)[from..], [Some(0); 5], "{variant:?}");
        }
    }
}

#[test]
fn a_connect_in_a_datagram_of_the_connection_asks_for_nothing() {
    for variant in HeaderVariant::ALL {
        let mut talk = Talk { peers: [3, 4], session: 1, ..Talk::new(variant) };
        talk.open();
        let datagram = Datagram {
            variant,
            from: Some(Client),
            prefix: [0x28, 0x68, 0xBD, 0xEB, 1, 2, 3, 4],
            session: talk.session,
            peer: talk.peers[0],
            sent_time: Some(1_005),
            connect_id: talk.connect_id,
            commands: vec![Outgoing::connect(Opening { session: 0xBAD, peer: 9, ..talk.opening() })],
        };
        talk.capture(Client, datagram.bytes());
        talk.reliable(Server, 5, 1, b"one");
        let (one, two) = passes(&Settings::default(), &talk.frames);
        for pass in [&one, &two] {
            assert_eq!(streams(pass), [Some(0); 5], "{variant:?}");
            let refused: Vec<_> =
                pass.iter().flatten().flat_map(|shown| shown.told("enet.refused")).collect();
            assert_eq!(refused, [""; 0], "{variant:?}");
            let sums = pass.iter().flatten().flat_map(|shown| shown.values("enet.checksum.status"));
            assert!(sums.into_iter().all(|status| status == GOOD), "{variant:?}");
        }
    }
}

#[test]
fn a_session_whose_connect_is_missing_begins_where_others_are_named_by_both_ends() {
    for variant in HeaderVariant::ALL {
        let mut talk = Talk { peers: [3, 4], session: 1, ..Talk::new(variant) };
        talk.open();
        talk.reliable(Client, 5, 1, b"one");
        (talk.peers, talk.session) = ([7, 8], 2);
        for number in 1..=3 {
            talk.reliable(Client, 5, number, b"one");
            talk.reliable(Server, 5, number, b"two");
        }
        let ports = Settings { ports: vec![(5_119, 5_119)], ..Settings::default() };
        for settings in [Settings::default(), ports] {
            let (one, two) = passes(&settings, &talk.frames);
            assert!(streams(&one).contains(&Some(1)), "{variant:?}");
            assert_eq!(streams(&two)[..4], [Some(0); 4], "{variant:?}");
            assert_eq!(streams(&two)[4..], [Some(1); 6], "{variant:?}");
        }
    }
}

#[test]
fn what_is_under_way_as_a_client_connects_anew_is_of_the_session_before() {
    let mut talk = Talk { peers: [1, 2], session: 1, ..Talk::new(HeaderVariant::Stock) };
    talk.open();
    talk.reliable(Client, 5, 1, b"one");
    let late = talk.bytes(Server, 70, vec![Outgoing::acknowledge(5, 1, 3)]);
    talk.session = 2;
    talk.peers = [3, 4];
    let again = talk.frames.len();
    talk.open();
    talk.capture(Server, late);
    talk.reliable(Client, 5, 1, b"one");
    let (one, two) = passes(&Settings::default(), &talk.frames);
    for pass in [&one, &two] {
        assert_eq!(streams(pass)[again..], [Some(1), Some(1), Some(1), Some(0), Some(1)]);
    }
}

#[test]
fn a_server_of_another_session_than_the_client_asked_for_is_told_of() {
    let league = HeaderVariant::ALL.into_iter().filter(|variant| variant.is_league());
    for variant in league {
        let mut talk = Talk { session: 0xA7, ..Talk::new(variant) };
        talk.send(Client, vec![Outgoing::connect(talk.opening())]);
        talk.session = 0x29;
        let grants = [0, 400].map(|pause| {
            let verify = Outgoing::verify_connect(talk.opening());
            talk.wait(pause).send(Server, vec![verify])
        });
        let first = talk.reliable(Server, 5, 1, b"one");
        let (one, two) = passes(&Settings::default(), &talk.frames);
        for pass in [&one, &two] {
            assert_eq!(streams(pass), [Some(0); 4], "{variant:?}");
            for at in grants {
                let shown = pass[at].as_ref().unwrap();
                let text = "The server names session 0x29, the client asked for 0xa7: a client refuses it";
                assert_eq!(shown.told("enet.refused"), [text], "{variant:?}");
                let told = shown.experts.iter().find(|(name, ..)| *name == "enet.refused").unwrap();
                assert_eq!(told.2, 0, "of the whole datagram");
            }
            assert_eq!(pass[first].as_ref().unwrap().told("enet.refused"), [""; 0], "once is enough");
        }
    }
}

#[test]
fn a_later_datagram_of_another_session_is_told_of_once() {
    for verified in [false, true] {
        let mut talk = Talk { session: 0xA7, ..Talk::new(HeaderVariant::Compact) };
        talk.send(Client, vec![Outgoing::connect(talk.opening())]);
        if verified {
            talk.send(Server, vec![Outgoing::verify_connect(talk.opening())]);
        }
        talk.session = 0x29;
        let later = [1, 2].map(|number| talk.reliable(Server, 5, number, b"one"));
        let (one, two) = passes(&Settings::default(), &talk.frames);
        for pass in [&one, &two] {
            let told = later.map(|at| pass[at].as_ref().unwrap().told("enet.refused").len());
            assert_eq!(told, [1, 0], "verified: {verified}");
        }
    }
}

#[test]
fn a_stock_server_repeats_the_connection_and_names_the_session_it_grants() {
    for (connection, granted, told) in [
        (0x5EA1_C0DE, 1, ""),
        (
            0xBAD,
            1,
            "The server grants connection 0xbad, the client asked for 0x5ea1c0de: a client refuses it",
        ),
        (0x5EA1_C0DE, 2, "The server names session 1, its verifyConnect grants 2: a client refuses it"),
    ] {
        let mut talk = Talk { session: 1, ..Talk::new(HeaderVariant::Stock) };
        talk.send(Client, vec![Outgoing::connect(talk.opening())]);
        let mut verify = Outgoing::verify_connect(Opening { session: connection, ..talk.opening() });
        verify.fields.retain(|(field, _)| *field != Field::IncomingSessionId);
        verify.fields.push((Field::IncomingSessionId, granted));
        let at = talk.send(Server, vec![verify]);
        let (one, two) = passes(&Settings::default(), &talk.frames);
        for pass in [&one, &two] {
            let shown = pass[at].as_ref().unwrap();
            assert_eq!(shown.told("enet.refused").concat(), told);
        }
    }
}

#[test]
fn a_server_that_names_the_right_session_is_no_matter() {
    for variant in HeaderVariant::ALL {
        let mut talk = Talk::new(variant);
        talk.open();
        talk.reliable(Server, 5, 1, b"one");
        let two = read(&keyed(), &talk.frames);
        assert!(two.iter().flatten().all(|shown| shown.told("enet.refused").is_empty()), "{variant:?}");
    }
}
