//! Which datagrams are taken for a session, which one they belong to, and who its server is.

use dissector_core::capture::{Detail, Endpoint, Settings};
use dissector_core::enet::wire::write::Outgoing;
use dissector_core::enet::wire::HeaderVariant;

use crate::lab::{passes, read, streams, Pass, Run, GOOD};
use crate::wire::{Client, Server, Talk};

/// A conversation whose connect was not captured.
fn unopened(variant: HeaderVariant) -> Talk {
    Talk { session: 1, ..Talk::new(variant) }
}

/// A datagram of another protocol, which no header variant fits.
const FOREIGN: &[u8] = &[0x17, 0xFE, 0xFD, 0, 1, 0, 0, 0, 0, 0, 1, 0, 9];

/// Whether each frame was taken.
fn taken(pass: &Pass) -> Vec<bool> {
    pass.iter().map(Option::is_some).collect()
}

fn ports(ports: &[(u16, u16)]) -> Settings {
    Settings { ports: ports.to_vec(), ..Settings::default() }
}

fn demanded(variant: &str) -> Settings {
    Settings { variant: variant.into(), ..Settings::default() }
}

#[test]
fn three_datagrams_that_agree_are_a_session_from_the_first_on() {
    for variant in HeaderVariant::ALL {
        let mut talk = unopened(variant);
        talk.reliable(Client, 5, 1, b"one");
        talk.reliable(Server, 5, 1, b"two");
        talk.reliable(Client, 5, 2, b"three");
        talk.reliable(Client, 5, 3, b"four");
        let (one, two) = passes(&Settings::default(), &talk.frames);
        assert_eq!(taken(&one), [false, false, true, true], "{variant:?}");
        assert_eq!(streams(&two), [Some(0); 4], "{variant:?}");
        let name = two[0].as_ref().unwrap().texts("enet.shape").concat();
        assert_eq!(name, variant.name());
        assert!(!two[3].as_ref().unwrap().has("enet.gap"), "the early ones count");
    }
}

#[test]
fn the_bytes_in_front_of_a_season_8_header_may_be_any() {
    let mut talk = unopened(HeaderVariant::Season8);
    for sequence in 1..=2 {
        let at = talk.reliable(Client, 5, sequence, b"one");
        talk.frames[at].bytes[..8].fill(0x60 + sequence as u8);
        talk.reliable(Server, 5, sequence, b"two");
    }
    assert_eq!(taken(&read(&Settings::default(), &talk.frames)), [true; 4]);
}

#[test]
fn two_datagrams_are_not_enough() {
    let mut talk = unopened(HeaderVariant::Stock);
    talk.reliable(Client, 5, 1, b"one");
    talk.reliable(Server, 5, 1, b"two");
    let (one, two) = passes(&Settings::default(), &talk.frames);
    assert_eq!((taken(&one), taken(&two)), (vec![false; 2], vec![false; 2]));
}

#[test]
fn datagrams_of_one_end_are_not_enough_however_many() {
    for from in [Client, Server] {
        let mut talk = unopened(HeaderVariant::Stock);
        for sequence in 1..=9 {
            talk.reliable(from, 5, sequence, b"more");
        }
        let (one, two) = passes(&Settings::default(), &talk.frames);
        assert_eq!((taken(&one), taken(&two)), (vec![false; 9], vec![false; 9]));
    }
}

#[test]
fn acknowledgements_and_pings_alone_are_not_enough() {
    let mut talk = unopened(HeaderVariant::Stock);
    for sequence in 1..=3 {
        talk.send(Client, vec![Outgoing::ping(sequence)]);
        talk.send(Server, vec![Outgoing::acknowledge(0xFF, sequence, 7)]);
    }
    // a payload is
    talk.reliable(Client, 5, 1, b"one");
    let (one, two) = passes(&Settings::default(), &talk.frames);
    assert_eq!(taken(&one), [vec![false; 6], vec![true]].concat());
    assert_eq!(taken(&two), [true; 7]);
}

#[test]
fn datagrams_that_name_different_peers_or_sessions_are_not_enough() {
    for variant in [HeaderVariant::Stock, HeaderVariant::Classic] {
        for change in [|talk: &mut Talk| talk.session = 2, |talk: &mut Talk| talk.peers = [5, 5]] {
            let mut talk = unopened(variant);
            talk.reliable(Client, 5, 1, b"one");
            talk.reliable(Server, 5, 1, b"two");
            change(&mut talk);
            talk.reliable(Client, 5, 2, b"three");
            // from here on they agree
            talk.reliable(Client, 5, 3, b"four");
            talk.reliable(Server, 5, 2, b"five");
            talk.reliable(Client, 5, 4, b"six");
            let (one, two) = passes(&Settings::default(), &talk.frames);
            assert_eq!(taken(&one), [vec![false; 5], vec![true]].concat(), "{variant:?}");
            assert_eq!(taken(&two), [[false; 3], [true; 3]].concat(), "{variant:?}");
        }
    }
}

#[test]
fn each_end_may_name_another_peer() {
    let mut talk = unopened(HeaderVariant::Stock);
    talk.peers = [3, 4];
    talk.reliable(Client, 5, 1, b"one");
    talk.reliable(Server, 5, 1, b"two");
    talk.reliable(Client, 5, 2, b"three");
    assert_eq!(taken(&read(&Settings::default(), &talk.frames)), [true; 3]);
}

#[test]
fn a_compressed_datagram_may_be_one_of_three_but_none_that_is_read() {
    let mut talk = unopened(HeaderVariant::Stock);
    talk.reliable(Client, 5, 1, b"one");
    talk.capture(Client, vec![0xD0, 0, 0, 1, 2, 3]);
    talk.reliable(Server, 5, 1, b"two");
    let two = read(&Settings::default(), &talk.frames);
    assert_eq!(taken(&two), [true; 3]);
    // one that would be of another peer or session is none, and one more has to agree
    for foreign in [[0xD0, 9, 0, 1, 2, 3], [0xE0, 0, 0, 1, 2, 3]] {
        let mut talk = unopened(HeaderVariant::Stock);
        talk.capture(Server, foreign.to_vec());
        talk.reliable(Client, 5, 1, b"one");
        talk.reliable(Server, 5, 1, b"two");
        talk.reliable(Client, 5, 2, b"three");
        talk.reliable(Client, 5, 3, b"four");
        let (one, two) = passes(&Settings::default(), &talk.frames);
        assert_eq!(taken(&one), [false, false, false, false, true]);
        assert_eq!(taken(&two), [false, true, true, true, true]);
    }
    // compressed ones alone say nothing
    let mut talk = unopened(HeaderVariant::Stock);
    for from in [Client, Server, Client, Server] {
        talk.capture(from, vec![0xD0, 0, 0, 1, 2, 3]);
    }
    assert_eq!(taken(&read(&Settings::default(), &talk.frames)), [false; 4]);
}

#[test]
fn for_a_datagram_that_fits_nothing_one_more_has_to_agree() {
    let mut talk = unopened(HeaderVariant::Stock);
    talk.reliable(Client, 5, 1, b"one");
    talk.reliable(Server, 5, 1, b"two");
    talk.capture(Client, FOREIGN.to_vec());
    talk.reliable(Client, 5, 2, b"three");
    talk.reliable(Server, 5, 2, b"four");
    let (one, two) = passes(&Settings::default(), &talk.frames);
    assert_eq!(taken(&one), [false, false, false, false, true]);
    assert_eq!(taken(&two), [true, true, false, true, true], "it is left to others on every pass");
    // too short for any variant: it says nothing at all
    talk.frames[2].bytes.truncate(5);
    talk.frames[2].reported = 5;
    assert_eq!(taken(&passes(&Settings::default(), &talk.frames).0), [false, false, false, true, true]);
}

#[test]
fn where_others_prevail_the_count_begins_anew() {
    let mut talk = unopened(HeaderVariant::Stock);
    for number in 1..=9 {
        talk.reliable(if number % 2 == 0 { Server } else { Client }, 5, number, b"one");
        talk.capture(Client, FOREIGN.to_vec());
        talk.capture(Server, FOREIGN.to_vec());
    }
    assert_eq!(taken(&read(&Settings::default(), &talk.frames)), [false; 27]);
}

#[test]
fn the_weightiest_of_the_datagrams_counts_wherever_it_stands() {
    for place in 0..3 {
        let mut talk = unopened(HeaderVariant::Stock);
        for number in 0..3u16 {
            let from = if number == 1 { Server } else { Client };
            match number == place {
                true => talk.reliable(from, 5, 1, b"one"),
                false => talk.send(from, vec![Outgoing::acknowledge(0xFF, number, 7)]),
            };
        }
        assert_eq!(taken(&read(&Settings::default(), &talk.frames)), [true; 3], "place {place}");
    }
}

#[test]
fn a_datagram_that_was_captured_twice_counts_once() {
    let mut talk = unopened(HeaderVariant::Stock);
    let first = talk.reliable(Client, 5, 1, b"one");
    let copy = talk.frames[first].bytes.clone();
    talk.capture(Client, copy);
    talk.reliable(Server, 5, 1, b"two");
    talk.reliable(Client, 5, 2, b"three");
    let (one, two) = passes(&Settings::default(), &talk.frames);
    assert_eq!((taken(&one), taken(&two)), (vec![false, false, false, true], vec![true; 4]));
    assert!(two[1].as_ref().unwrap().has("enet.duplicate"));
}

#[test]
fn a_datagram_of_another_variant_begins_the_count_anew() {
    let mut talk = unopened(HeaderVariant::Stock);
    talk.reliable(Client, 5, 1, b"one");
    talk.reliable(Server, 5, 1, b"two");
    talk.variant = HeaderVariant::Classic;
    talk.reliable(Client, 5, 2, b"three");
    talk.variant = HeaderVariant::Stock;
    talk.reliable(Client, 5, 2, b"three");
    talk.reliable(Server, 5, 2, b"four");
    assert_eq!(taken(&read(&Settings::default(), &talk.frames)), [false; 5]);
}

#[test]
fn a_connect_whose_checksum_fails_is_not_held_against_its_conversation() {
    let mut talk = Talk::new(HeaderVariant::StockChecksum);
    let connect = Outgoing::connect(talk.opening());
    let mut bytes = talk.bytes(Client, 1_000, vec![connect]);
    // the sum stands behind peer and sent time
    bytes[4] ^= 1;
    talk.capture(Client, bytes);
    let verify = Outgoing::verify_connect(talk.opening());
    talk.send(Server, vec![verify]);
    talk.reliable(Client, 5, 1, b"one");
    let (one, two) = passes(&Settings::default(), &talk.frames);
    assert_eq!((taken(&one), taken(&two)), (vec![false, false, true], vec![true; 3]));
    assert_eq!(two[2].as_ref().unwrap().payloads[0].sender, 1, "the end that asks is the client");
}

#[test]
fn of_a_long_conversation_only_the_latest_datagrams_are_kept() {
    let mut talk = unopened(HeaderVariant::Stock);
    for sequence in 1..=64 {
        talk.reliable(Client, 5, sequence, b"more");
    }
    talk.reliable(Server, 5, 1, b"answer");
    let two = read(&Settings::default(), &talk.frames);
    assert_eq!(taken(&two), [vec![false], vec![true; 64]].concat(), "64 of them");

    // long ones fill the room before: a datagram of 1024 bytes has 10 of header and command
    let mut talk = unopened(HeaderVariant::Stock);
    for sequence in 1..=33 {
        let at = talk.reliable(Client, 5, sequence, &[7; 1014]);
        assert_eq!(talk.frames[at].bytes.len(), 1024);
    }
    talk.reliable(Server, 5, 1, &[7; 1014]);
    let two = read(&Settings::default(), &talk.frames);
    assert_eq!(taken(&two), [vec![false; 2], vec![true; 32]].concat(), "32 KiB of them");
}

#[test]
fn so_many_conversations_are_watched_and_no_more() {
    for (others, claimed) in [(1_023, true), (1_024, false)] {
        let mut talk = unopened(HeaderVariant::Stock);
        talk.reliable(Client, 5, 1, b"one");
        talk.reliable(Server, 5, 1, b"two");
        let client = talk.ends[0];
        for port in 0..others {
            talk.ends[0] = Endpoint::new(2, client.address(), 10_000 + port);
            talk.reliable(Client, 5, 1, b"one");
        }
        talk.ends[0] = client;
        let last = talk.reliable(Client, 5, 2, b"three");
        let mut run = Run::new(&Settings::default(), Detail::State);
        let pass = run.pass(&talk.frames, false);
        assert_eq!(pass[last].is_some(), claimed, "{others} others");
    }
}

#[test]
fn one_datagram_is_enough_on_a_server_port_whichever_end_has_it() {
    let mut talk = unopened(HeaderVariant::Stock);
    talk.reliable(Client, 5, 1, b"one");
    for (range, enough) in [((5_000, 5_119), true), ((50_000, 50_000), true), ((5_120, 5_500), false)] {
        let (one, two) = passes(&ports(&[range]), &talk.frames);
        assert_eq!((taken(&one), taken(&two)), (vec![enough], vec![enough]), "{range:?}");
    }
    assert_eq!(taken(&read(&Settings::default(), &talk.frames)), [false]);
    // what is no ENet is refused there too
    talk.frames.clear();
    talk.capture(Client, FOREIGN.to_vec());
    assert_eq!(taken(&read(&ports(&[(5_000, 5_119)]), &talk.frames)), [false]);
}

#[test]
fn one_datagram_is_enough_where_the_user_says_that_it_is_enet() {
    let mut talk = unopened(HeaderVariant::Stock);
    let at = talk.reliable(Client, 5, 1, b"one");
    talk.frames[at].decode_as = true;
    let (one, two) = passes(&Settings::default(), &talk.frames);
    assert_eq!((streams(&one), streams(&two)), (vec![Some(0)], vec![Some(0)]));
}

#[test]
fn a_demanded_variant_is_the_only_one() {
    let mut talk = unopened(HeaderVariant::Stock);
    talk.reliable(Client, 5, 1, b"one");
    talk.reliable(Server, 5, 1, b"two");
    talk.reliable(Client, 5, 2, b"three");
    for (variant, fits) in [("stock", true), ("classic", false)] {
        assert_eq!(taken(&read(&demanded(variant), &talk.frames)), [fits; 3], "{variant}");
    }
    // without a sent time compact and stock headers are alike
    let mut talk = unopened(HeaderVariant::Compact);
    for (from, number) in [(Client, 1), (Server, 1), (Client, 2)] {
        talk.send(from, vec![Outgoing::unreliable(5, 0, number, b"more")]);
    }
    assert_eq!(taken(&read(&Settings::default(), &talk.frames)), [false; 3], "nothing settles the variant");
    let two = read(&demanded("compact"), &talk.frames);
    assert_eq!(taken(&two), [true; 3]);
}

#[test]
fn a_connect_begins_a_session_only_of_a_demanded_variant() {
    let mut talk = Talk::new(HeaderVariant::Compact);
    talk.open();
    for (variant, fits) in [("auto", true), ("compact", true), ("classic", false), ("stock", false)] {
        assert_eq!(taken(&read(&demanded(variant), &talk.frames)), [fits; 3], "{variant}");
    }
    // stock stands for both stock variants
    let mut talk = Talk::new(HeaderVariant::StockChecksum);
    talk.open();
    let two = read(&demanded("stock"), &talk.frames);
    assert_eq!(two[0].as_ref().unwrap().values("enet.checksum.status"), [GOOD]);
}

#[test]
fn what_an_error_message_quotes_claims_nothing() {
    let mut talk = unopened(HeaderVariant::Stock);
    talk.reliable(Client, 5, 1, b"one");
    talk.reliable(Server, 5, 1, b"two");
    let quoted = talk.reliable(Client, 5, 2, b"three");
    talk.frames[quoted].in_error_pkt = true;
    assert_eq!(taken(&read(&Settings::default(), &talk.frames)), [false; 3]);
    let mut talk = Talk::new(HeaderVariant::Stock);
    let opening = talk.opening();
    let at = talk.send(Client, vec![Outgoing::connect(opening)]);
    talk.frames[at].in_error_pkt = true;
    assert_eq!(taken(&read(&Settings::default(), &talk.frames)), [false]);
}
