//! Where a session begins and ends: connects, duplicates of them, sessions that follow each other on the same ports.

use dissector_core::capture::Settings;
use dissector_core::enet::wire::write::Outgoing;
use dissector_core::enet::wire::HeaderVariant;

use crate::lab::{passes, read, streams, BAD, GOOD, MS};
use crate::wire::{Client, Server, Talk};

/// Longest time in which the same connect is a duplicate, milliseconds.
const LONGEST: i64 = 30_000;

fn numbers(talk: &Talk) -> Vec<u64> {
    let (one, two) = passes(&Settings::default(), &talk.frames);
    assert_eq!(streams(&one), streams(&two), "sessions are found again by their frames");
    streams(&two).into_iter().map(|stream| stream.expect("a frame of a session")).collect()
}

/// The bytes of a connect at this time of the client's clock.
fn connect(talk: &Talk, clock: u16) -> Vec<u8> {
    talk.bytes(Client, clock, vec![Outgoing::connect(talk.opening())])
}

#[test]
fn the_same_connect_again_is_a_duplicate_within_30_seconds() {
    for (pause, number) in [(1_000 * MS, 0), (LONGEST * MS, 0), (LONGEST * MS + 1, 1), (31_000 * MS, 1)] {
        for opened in [false, true] {
            let mut talk = Talk::new(HeaderVariant::Classic);
            let bytes = connect(&talk, 9);
            talk.capture(Client, bytes.clone());
            talk.now += pause - MS;
            if opened {
                // what both ends say meanwhile makes no difference
                talk.now -= 2 * MS;
                talk.send(Server, vec![Outgoing::ping(2)]);
                talk.send(Client, vec![Outgoing::ping(2)]);
            }
            talk.capture(Client, bytes);
            assert_eq!(numbers(&talk).last(), Some(&number), "after {pause} ns, opened: {opened}");
        }
    }
}

#[test]
fn a_duplicate_counts_from_the_last_of_them() {
    let mut talk = Talk::new(HeaderVariant::Classic);
    let bytes = connect(&talk, 9);
    for _ in 0..4 {
        talk.capture(Client, bytes.clone());
        talk.wait(20_000);
    }
    talk.wait(20_000).capture(Client, bytes);
    assert_eq!(numbers(&talk), [0, 0, 0, 0, 1]);
}

#[test]
fn a_connect_is_asked_again_until_it_is_answered() {
    let mut talk = Talk::new(HeaderVariant::Classic);
    let clocks = [9, 509].map(|clock| connect(&talk, clock));
    talk.capture(Client, clocks[0].clone());
    talk.capture(Client, clocks[1].clone());
    let verify = Outgoing::verify_connect(talk.opening());
    talk.send(Server, vec![verify]);
    // what the server says does not tell that the client has heard it
    talk.send(Server, vec![Outgoing::ping(2)]);
    talk.capture(Client, clocks[0].clone());
    assert_eq!(numbers(&talk), [0; 5]);
}

#[test]
fn a_connect_of_a_client_that_was_answered_begins_another_session() {
    let mut talk = Talk::new(HeaderVariant::Classic);
    let clocks = [9, 509].map(|clock| connect(&talk, clock));
    talk.capture(Client, clocks[0].clone());
    talk.send(Client, vec![Outgoing::acknowledge(0xFF, 1, 9)]);
    talk.capture(Client, clocks[1].clone());
    talk.send(Server, vec![Outgoing::acknowledge(0xFF, 1, 509)]);
    assert_eq!(numbers(&talk), [0, 0, 1, 1]);
}

#[test]
fn a_connect_behind_a_disconnect_begins_another_session_though_its_bytes_are_the_same() {
    for clock in [9, 509] {
        let mut talk = Talk::new(HeaderVariant::Classic);
        let (first, next) = (connect(&talk, 9), connect(&talk, clock));
        talk.capture(Client, first);
        talk.send(Server, vec![Outgoing::disconnect(2, 0)]);
        talk.capture(Client, next);
        assert_eq!(numbers(&talk), [0, 0, 1], "clock {clock}");
    }
}

#[test]
fn a_connect_on_a_session_whose_own_was_not_captured_begins_another() {
    let mut talk = Talk::new(HeaderVariant::Classic);
    // nothing of the client is there to tell that it was answered
    talk.reliable(Server, 3, 1, b"one");
    let bytes = connect(&talk, 9);
    talk.capture(Client, bytes);
    let settings = Settings { ports: vec![(5_119, 5_119)], ..Settings::default() };
    assert_eq!(streams(&read(&settings, &talk.frames)), [Some(0), Some(1)]);
}

#[test]
fn a_connect_of_a_peer_that_has_a_number_begins_nothing_and_says_nothing() {
    let mut talk = Talk::new(HeaderVariant::StockChecksum);
    let first = connect(&talk, 9);
    talk.capture(Client, first);
    let verify = Outgoing::verify_connect(talk.opening());
    talk.send(Server, vec![verify]);
    // a receiver has no use for it, whoever sends it; its connect id is another one
    let odd = dissector_core::enet::wire::write::Opening { session: 0xBAD, ..talk.opening() };
    for from in [Client, Server] {
        let mut bytes = talk.bytes(from, 9, vec![Outgoing::ping(2)]);
        let whole = talk.bytes(from, 9, vec![Outgoing::connect(odd)]);
        // the header of the one (peer, sent time, sum), the command of the other
        bytes.truncate(8);
        bytes.extend(&whole[8..]);
        talk.capture(from, bytes);
    }
    let answer = talk.reliable(Server, 5, 1, b"one");
    let retried = connect(&talk, 509);
    talk.capture(Client, retried);
    let ping = talk.send(Client, vec![Outgoing::ping(2)]);
    assert_eq!(numbers(&talk), [0; 7]);
    let two = read(&Settings::default(), &talk.frames[..4]);
    assert_eq!(two[2].as_ref().unwrap().values("enet.checksum.status"), [BAD]);
    // on the first pass the connect that is asked again has not come yet as the server answers
    let (one, two) = passes(&Settings::default(), &talk.frames);
    for (pass, at) in [(&one, ping), (&one, answer), (&two, ping), (&two, answer)] {
        assert_eq!(pass[at].as_ref().unwrap().values("enet.checksum.status"), [GOOD]);
    }
    assert_eq!(two[answer].as_ref().unwrap().payloads[0].sender, 2, "it is still the server");
}

#[test]
fn sessions_of_one_conversation_are_found_again_by_frame() {
    let mut talk = Talk::new(HeaderVariant::Classic);
    // a frame of the ports before any session is of none
    talk.capture(Client, b"hello".to_vec());
    for clock in [9, 509, 1_009] {
        let bytes = connect(&talk, clock);
        talk.capture(Client, bytes);
        talk.send(Client, vec![Outgoing::ping(2)]);
        talk.reliable(Client, 5, 1, b"one");
    }
    let (one, two) = passes(&Settings::default(), &talk.frames);
    let wanted = [None, Some(0), Some(0), Some(0), Some(1), Some(1), Some(1), Some(2), Some(2), Some(2)];
    assert_eq!((streams(&one), streams(&two)), (wanted.to_vec(), wanted.to_vec()));
    let again = two.iter().flatten().filter(|shown| shown.has("enet.retransmission")).count();
    assert_eq!(again, 0, "each session has numbers of its own");
}

#[test]
fn two_conversations_are_two_sessions() {
    let mut talk = Talk::new(HeaderVariant::Stock);
    let mut other = Talk::new(HeaderVariant::Classic);
    other.ends[0].port += 1;
    talk.open();
    other.open();
    other.reliable(Client, 5, 1, b"one");
    talk.reliable(Client, 5, 1, b"one");
    let mut frames = Vec::new();
    for (mine, theirs) in talk.frames.into_iter().zip(other.frames) {
        frames.extend([mine, theirs]);
    }
    for (number, frame) in (1..).zip(&mut frames) {
        frame.id.0 = number;
    }
    let mut run = crate::lab::Run::new(&Settings::default(), dissector_core::capture::Detail::Tree);
    let one = run.pass(&frames, false);
    assert_eq!(run.engine.sessions(), 2);
    assert_eq!(streams(&one), [Some(0), Some(1)].repeat(4));
    assert_eq!(streams(&read(&Settings::default(), &frames)), [Some(0), Some(1)].repeat(4));
}
