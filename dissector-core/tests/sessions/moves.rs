//! Sessions that go on between other ends, as NAT and proxies make them, and those that only look so.

use dissector_core::capture::{Endpoint, Settings};
use dissector_core::enet::wire::write::Outgoing;
use dissector_core::enet::wire::HeaderVariant;

use crate::lab::{passes, read, streams, Pass, MS};
use crate::wire::{ack, group, keyed, Client, Server, Talk};

fn end(host: u8, port: u16) -> Endpoint {
    Endpoint::new(2, &[192, 0, 2, host], port)
}

/// A session that has been going on for a while: three reliable commands each way, all acknowledged, and a ping each.
fn going_on(variant: HeaderVariant) -> Talk {
    let mut talk = Talk { peers: [3, 4], ..Talk::new(variant) };
    talk.open();
    for number in 1..=3 {
        exchange(&mut talk, number);
    }
    talk.send(Client, vec![Outgoing::ping(2)]);
    talk.send(Server, vec![Outgoing::ping(2)]);
    talk
}

/// A reliable command each way, and its acknowledgement.
fn exchange(talk: &mut Talk, number: u16) {
    for (from, to) in [(Client, Server), (Server, Client)] {
        let sent = (talk.now / MS) as u16;
        talk.reliable(from, 5, number, b"one");
        talk.send(to, vec![Outgoing::acknowledge(5, number, sent)]);
    }
}

/// The frames that note a move.
fn noting(pass: &Pass) -> Vec<usize> {
    let notes = |at: &usize| pass[*at].as_ref().is_some_and(|shown| !shown.told("enet.moved").is_empty());
    (0..pass.len()).filter(notes).collect()
}

#[test]
fn a_session_goes_on_with_another_port_or_address_at_either_end() {
    let ends = [
        (end(10, 50_001), end(20, 5_119)),
        (end(200, 50_000), end(20, 5_119)),
        (end(1, 7), end(20, 5_119)),
        (end(10, 50_000), end(20, 5_120)),
        (end(10, 50_000), end(5, 5_119)),
    ];
    for variant in HeaderVariant::ALL {
        for (client, server) in ends {
            for decode_as in [false, true] {
                let mut talk = going_on(variant);
                let moved = talk.frames.len();
                talk.ends = [client, server];
                talk.wait(200);
                (4..=6).for_each(|number| exchange(&mut talk, number));
                talk.frames.iter_mut().for_each(|frame| frame.decode_as = decode_as);
                let ports = Settings { ports: vec![(5_000, 5_500)], ..Settings::default() };
                for settings in [Settings::default(), ports] {
                    let (one, two) = passes(&settings, &talk.frames);
                    assert_eq!(
                        streams(&two),
                        vec![Some(0); talk.frames.len()],
                        "{variant:?} {client} {server}"
                    );
                    assert_eq!(noting(&one), noting(&two));
                    assert_eq!(noting(&two).len(), 1, "{variant:?}");
                    assert!(
                        noting(&two)[0] >= moved
                            && streams(&one)[noting(&two)[0]..].iter().all(|of| *of == Some(0))
                    );
                    let odd = ["enet.gap", "enet.outOfOrder", "enet.retransmission", "enet.duplicate"];
                    let marked = |name: &str| two.iter().flatten().any(|shown| shown.has(name));
                    assert!(!odd.iter().any(|name| marked(name)), "{variant:?}: its numbers go on");
                }
            }
        }
    }
}

#[test]
fn key_build_and_links_go_on_and_the_note_says_from_where() {
    let mut talk = Talk::enciphered(HeaderVariant::Classic);
    talk.open();
    talk.register();
    let asked = talk.reliable(Server, 3, 1, &group(984));
    talk.ends[0].port = 50_001;
    talk.wait(100);
    let answer = talk.reliable(Client, 1, 2, &ack(984));
    let next = talk.reliable(Server, 3, 2, &group(985));
    let claims = talk.reliable(Client, 1, 3, &ack(985));
    let last = talk.reliable(Server, 3, 3, &group(986));
    let (one, two) = passes(&keyed(), &talk.frames);
    let text = "This session goes on with another end: 192.0.2.10:50000 until frame 7, 192.0.2.10:50001 now. Header shape, \
                session and peer are the same, and reliable numbers and clocks go on";
    for pass in [&one, &two] {
        assert_eq!(pass[claims].as_ref().unwrap().told("enet.moved"), [text]);
        let shown = pass[last].as_ref().unwrap();
        assert_eq!((shown.values("waypoint.syncId"), shown.values("lol.session")), (vec![986], vec![0]));
        assert_eq!(shown.texts("lol.build"), ["1.0.0.136"]);
    }
    let of = |at: usize, name: &str| two[at].as_ref().unwrap().values(name);
    assert_eq!(of(answer, "waypoint.ackTo"), [asked as u64 + 1]);
    assert_eq!(of(asked, "waypoint.ackIn"), [answer as u64 + 1]);
    assert_eq!(of(claims, "waypoint.ackTo"), [next as u64 + 1]);
}

#[test]
fn the_variant_of_the_session_settles_that_of_its_new_conversation() {
    // at this time of the sender's clock a reliable command also reads as an unreliable one behind a checksum
    let mut talk = going_on(HeaderVariant::Classic);
    talk.ends[0].port = 50_001;
    talk.now = 0x0727 * MS;
    let first = talk.reliable(Client, 5, 4, b"one");
    talk.send(Server, vec![Outgoing::acknowledge(5, 4, 7)]);
    let third = talk.reliable(Client, 5, 5, b"two");
    let (one, two) = passes(&Settings::default(), &talk.frames);
    assert_eq!((noting(&one), noting(&two)), (vec![third], vec![third]));
    assert_eq!(streams(&two)[first..], [Some(0); 3]);
    // alone they settle nothing
    assert_eq!(streams(&read(&Settings::default(), &talk.frames[first..])), [None; 3]);
}

#[test]
fn a_session_may_move_more_than_once() {
    let mut talk = going_on(HeaderVariant::Compact);
    for (number, port) in [(4, 50_001), (7, 50_002), (10, 50_000)] {
        talk.ends[0].port = port;
        (number..number + 3).for_each(|number| exchange(&mut talk, number));
    }
    let (one, two) = passes(&Settings::default(), &talk.frames);
    assert_eq!(streams(&two), vec![Some(0); talk.frames.len()]);
    // back to where it was: nothing has to be found out
    assert_eq!((noting(&one).len(), noting(&two).len()), (2, 2));
    let told = two[noting(&two)[1]].as_ref().unwrap().told("enet.moved").concat();
    assert!(told.contains("192.0.2.10:50001 until") && told.contains("192.0.2.10:50002 now"), "{told}");
}

/// The sessions of what follows a session once its client has another port, and `change` has been made.
fn followed(change: impl Fn(&mut Talk) -> u16) -> Vec<Option<u64>> {
    let mut talk = going_on(HeaderVariant::Compact);
    talk.ends[0].port = 50_001;
    let number = change(&mut talk);
    let first = talk.frames.len();
    (number..number + 3).for_each(|number| exchange(&mut talk, number));
    let (one, two) = passes(&Settings::default(), &talk.frames);
    assert_eq!(noting(&one), noting(&two));
    streams(&two)[first..].to_vec()
}

#[test]
fn what_only_looks_so_is_another_session() {
    assert_eq!(followed(|_| 4), [Some(0); 12], "as it is, it goes on");
    assert_eq!(followed(|_| 9), [Some(0); 12], "a few were lost");
    type Change = fn(&mut Talk) -> u16;
    let others: [(&str, Change); 9] = [
        ("numbers of one that goes on beside it", |_| 3),
        ("numbers far ahead", |_| 40),
        ("numbers from the beginning", |_| 60_000),
        ("another session", |talk| {
            talk.session = 7;
            4
        }),
        ("another peer of the client", |talk| {
            talk.peers[0] = 5;
            4
        }),
        ("another peer of the server", |talk| {
            talk.peers[1] = 5;
            4
        }),
        ("another clock", |talk| {
            // the capture's time goes on, the senders' does not
            let at = talk.frames.len();
            talk.now += 9_000 * MS;
            (4..7).for_each(|number| exchange(talk, number));
            talk.frames[at..].iter_mut().for_each(|frame| frame.time -= 8_900 * MS);
            talk.frames.truncate(at + 12);
            7
        }),
        ("both ends are others", |talk| {
            talk.ends[1].port = 5_120;
            4
        }),
        ("after too long a silence", |talk| {
            talk.wait(30_001);
            4
        }),
    ];
    for (why, change) in others {
        let found = followed(change);
        assert!(found.iter().all(|of| *of == Some(1)), "{why}: {found:?}");
    }
}

#[test]
fn what_has_ended_goes_on_nowhere() {
    let found = followed(|talk| {
        talk.ends[0].port = 50_000;
        talk.send(Server, vec![Outgoing::disconnect(3, 0)]);
        talk.ends[0].port = 50_001;
        4
    });
    assert_eq!(found, [Some(1); 12]);
}

#[test]
fn what_is_not_silent_does_not_go_on_elsewhere() {
    // both conversations at once, with the same names and numbers, a datagram of each in turn
    let mut talk = going_on(HeaderVariant::Compact);
    let before = talk.frames.len();
    (4..=8).for_each(|number| exchange(&mut talk, number));
    let mut frames = talk.frames[..before].to_vec();
    for frame in &talk.frames[before..] {
        let mut other = frame.clone();
        for end in [&mut other.ends.0, &mut other.ends.1] {
            end.port += u16::from(end.port == 50_000);
        }
        frames.extend([other, frame.clone()]);
    }
    (1..).zip(&mut frames).for_each(|(number, frame)| frame.id.0 = number);
    let two = read(&Settings::default(), &frames);
    assert_eq!(streams(&two)[before..], [Some(1), Some(0)].repeat(20));
}

#[test]
fn of_two_sessions_that_may_go_on_neither_does() {
    let talks = [50_000, 50_010].map(|port| {
        let mut talk = going_on(HeaderVariant::Compact);
        talk.frames.iter_mut().for_each(|frame| {
            for end in [&mut frame.ends.0, &mut frame.ends.1] {
                if end.port == 50_000 {
                    end.port = port;
                }
            }
        });
        talk
    });
    let [mut talk, other] = talks;
    let mut frames = Vec::new();
    for (mine, theirs) in talk.frames.drain(..).zip(other.frames) {
        frames.extend([mine, theirs]);
    }
    talk.ends[0].port = 50_001;
    (4..=6).for_each(|number| exchange(&mut talk, number));
    frames.append(&mut talk.frames);
    (1..).zip(&mut frames).for_each(|(number, frame)| frame.id.0 = number);
    let two = read(&Settings::default(), &frames);
    assert_eq!(streams(&two)[frames.len() - 12..], [Some(2); 12]);
    assert!(noting(&two).is_empty());
}
