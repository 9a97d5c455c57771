//! Datagrams that were captured twice, and captures in which time runs back.

use dissector_core::capture::Settings;
use dissector_core::enet::wire::write::{self, Outgoing};
use dissector_core::enet::wire::HeaderVariant;

use crate::lab::{passes, read, shown, Frame, MS};
use crate::wire::{ack, built, group, keyed, Client, Server, Talk};

/// Every frame twice, the second so much later, as a mirror port shows it.
fn mirrored(frames: &[Frame], later: i64) -> Vec<Frame> {
    let mut all: Vec<Frame> = Vec::new();
    for frame in frames {
        all.push(Frame { id: (all.len() as u32 + 1, 0), ..frame.clone() });
        all.push(Frame { id: (all.len() as u32 + 1, 0), time: frame.time + later, ..frame.clone() });
    }
    all
}

/// A session with a message in fragments, a statement and its answers.
fn session(variant: HeaderVariant) -> Talk {
    let mut talk = Talk::enciphered(variant);
    talk.open();
    talk.register();
    let long = talk.sealed(&[7; 90]);
    for command in write::reliable((variant, Some(Server)), 60, 3, 1, &long) {
        talk.send(Server, vec![command]);
    }
    let payload = talk.sealed(&group(984));
    talk.send(Server, vec![Outgoing::unreliable(4, 0, 1, &payload)]);
    let payload = talk.sealed(&ack(984));
    let sent = (talk.now / MS) as u16;
    talk.send(Client, vec![Outgoing::unsequenced(1, 1, &payload)]);
    talk.send(Client, vec![Outgoing::ping(2)]);
    talk.send(Server, vec![Outgoing::acknowledge(0xFF, 2, sent.wrapping_add(1))]);
    talk
}

#[test]
fn the_same_number_and_sent_time_with_other_bytes_is_no_copy() {
    let mut talk = session(HeaderVariant::Classic);
    let payload = talk.sealed(&group(985));
    let sent = talk.send(Server, vec![Outgoing::reliable(3, 9, &payload)]);
    let mut other = talk.frames[sent].bytes.clone();
    *other.last_mut().unwrap() ^= 1;
    let other = talk.capture(Server, other);
    let (one, two) = passes(&built(keyed()), &talk.frames);
    for pass in [&one, &two] {
        let shown = shown(pass)[other];
        assert!(!shown.has("enet.duplicate") && shown.values("enet.retransmission") == [1]);
        assert_eq!(shown.values("enet.retransmissionOf"), [u64::from(talk.frames[sent].id.0)]);
    }
}

#[test]
fn every_command_of_a_copy_is_a_duplicate_and_counts_for_nothing() {
    for variant in HeaderVariant::ALL {
        let talk = session(variant);
        for later in [0, 1_000, 40 * MS, -3 * MS] {
            let alone = read(&built(keyed()), &talk.frames);
            let frames = mirrored(&talk.frames, later);
            let (one, two) = passes(&built(keyed()), &frames);
            for pass in [&one, &two] {
                for (at, shown) in shown(pass).into_iter().enumerate() {
                    let of = frames[at].id.0;
                    let commands = shown.items.iter().filter(|item| item.name == "enet.command.item").count();
                    let (copies, originals) = match at % 2 {
                        0 => (0, vec![]),
                        _ => (commands, vec![u64::from(of) - 1; commands]),
                    };
                    assert_eq!(shown.values("enet.duplicate").len(), copies, "{variant:?} {of}");
                    assert_eq!(shown.values("enet.duplicateOf"), originals, "{variant:?} {of}");
                    for name in ["enet.retransmission", "enet.gap", "enet.outOfOrder"] {
                        assert!(!shown.has(name), "{variant:?} {of}: {name}");
                    }
                }
            }
            // everything else is as it is without them, but for the numbers of frames
            for (at, wanted) in shown(&alone).into_iter().enumerate() {
                let (shown, copy) = (two[2 * at].as_ref().unwrap(), two[2 * at + 1].as_ref().unwrap());
                for name in
                    ["enet.rtt", "waypoint.ackTime", "waypoint.syncId", "lol.command", "enet.fragments"]
                {
                    assert_eq!(shown.values(name), wanted.values(name), "{variant:?} {at} {name}");
                }
                for name in ["enet.rtt", "enet.ackTo", "enet.ackedIn", "waypoint.ackTime"] {
                    assert!(!copy.has(name), "{variant:?} {at}: {name}");
                }
                assert_eq!(copy.values("waypoint.syncId"), wanted.values("waypoint.syncId"), "it is decoded");
                assert!(copy.messages.is_empty(), "nothing is put together twice");
            }
        }
    }
}

#[test]
fn what_is_sent_again_has_a_new_sent_time() {
    let mut talk = Talk::new(HeaderVariant::Stock);
    talk.open();
    let first = talk.reliable(Client, 1, 1, b"order");
    let sent = (talk.frames[first].time / MS) as u16;
    // the same transmission in a datagram that differs elsewhere, and another transmission
    let same = talk.bytes(Client, sent, vec![Outgoing::reliable(1, 1, b"order"), Outgoing::ping(2)]);
    let same = talk.capture(Client, same);
    let again = talk.wait(300).reliable(Client, 1, 1, b"order");
    let (one, two) = passes(&Settings::default(), &talk.frames);
    for pass in [&one, &two] {
        let shown = shown(pass);
        let marks = |at: usize| {
            (shown[at].values("enet.duplicate").len(), shown[at].values("enet.retransmission").len())
        };
        assert_eq!([first, same, again].map(marks), [(0, 0), (1, 0), (0, 1)]);
        assert_eq!(shown[again].values("enet.retransmissionOf"), [first as u64 + 1]);
    }
}

#[test]
fn the_same_bytes_half_a_minute_later_are_no_copy() {
    for (pause, copies) in [(29_000, 1), (31_000, 0)] {
        let mut talk = Talk::new(HeaderVariant::Stock);
        talk.open();
        let first = talk.send(Client, vec![Outgoing::unsequenced(1, 1, b"order")]);
        let bytes = talk.frames[first].bytes.clone();
        let again = talk.wait(pause).capture(Client, bytes);
        let two = read(&Settings::default(), &talk.frames);
        assert_eq!(shown(&two)[again].values("enet.duplicateOf").len(), copies, "{pause} ms");
    }
}

#[test]
fn the_other_direction_copies_nothing() {
    let mut talk = Talk::new(HeaderVariant::Stock);
    talk.open();
    let first = talk.send(Client, vec![Outgoing::unsequenced(1, 1, b"order")]);
    let bytes = talk.frames[first].bytes.clone();
    let back = talk.capture(Server, bytes);
    assert!(!shown(&read(&Settings::default(), &talk.frames))[back].has("enet.duplicate"));
}

#[test]
fn where_time_runs_back_no_round_trip_is_told() {
    for (back, rtt) in [(5, false), (1, true), (0, true)] {
        let mut talk = Talk::new(HeaderVariant::Stock);
        talk.open();
        let sent = (talk.now / MS) as u16;
        let first = talk.reliable(Client, 1, 1, b"order");
        talk.now -= back * MS;
        let answer = talk.send(Server, vec![Outgoing::acknowledge(1, 1, sent)]);
        let (one, two) = passes(&Settings::default(), &talk.frames);
        for pass in [&one, &two] {
            let shown = shown(pass)[answer];
            assert_eq!(shown.values("enet.ackTo"), [first as u64 + 1]);
            assert_eq!(
                (shown.has("enet.rtt"), shown.told("enet.timeBack").is_empty()),
                (rtt, rtt),
                "{back} ms"
            );
        }
        if !rtt {
            let text = "Captured 0.004000 s before frame 4, which it acknowledges: time runs back in this capture, and no \
                        round trip is told";
            assert_eq!(shown(&two)[answer].told("enet.timeBack"), [text]);
        }
    }
}

#[test]
fn where_time_runs_back_no_time_to_an_answer_is_told() {
    for (back, told) in [(5, false), (1, true)] {
        let mut talk = Talk::enciphered(HeaderVariant::Classic);
        talk.open();
        talk.register();
        let asked = talk.reliable(Server, 3, 1, &group(984));
        talk.now -= back * MS;
        let answer = talk.reliable(Client, 1, 2, &ack(984));
        let (one, two) = passes(&built(keyed()), &talk.frames);
        for pass in [&one, &two] {
            let shown = shown(pass)[answer];
            assert_eq!(shown.values("waypoint.ackTo"), [asked as u64 + 1]);
            assert_eq!((shown.has("waypoint.ackTime"), shown.told("lol.timeBack").is_empty()), (told, told));
        }
    }
}

#[test]
fn an_unreliable_fragment_that_is_sent_twice_is_a_duplicate() {
    let mut talk = Talk::new(HeaderVariant::Stock);
    talk.open();
    let cut = write::reliable((talk.variant, Some(Server)), 60, 3, 1, &[7; 90]);
    // the same fragments as those of a message that may be lost
    let piece = |place: usize| Outgoing {
        flags: dissector_core::enet::wire::id::SEND_UNRELIABLE_FRAGMENT,
        sequence: 0,
        ..cut[place].clone()
    };
    // each in a datagram that differs elsewhere, before and after the message is complete
    let group = |number| Outgoing::unsequenced(9, number, b"!");
    let frames: Vec<_> = (1..)
        .zip([0, 1, 0, 2, 3, 2, 0])
        .filter(|(_, place)| *place < cut.len())
        .map(|(number, place)| (talk.send(Server, vec![piece(place), group(number)]), place))
        .collect();
    let (one, two) = passes(&Settings::default(), &talk.frames);
    for pass in [&one, &two] {
        let mut seen = Vec::new();
        for (at, place) in &frames {
            let again = seen.contains(place);
            seen.push(*place);
            let shown = shown(pass)[*at];
            assert_eq!(shown.values("enet.duplicate").len(), usize::from(again), "frame {}", at + 1);
            assert_eq!(shown.info.starts_with("[duplicate] fragment"), again, "{}", shown.info);
        }
        assert_eq!(pass.iter().flatten().map(|shown| shown.messages.len()).sum::<usize>(), 1);
    }
}
