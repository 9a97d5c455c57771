//! Who talks with whom: reconnects, two clients, and sessions that began before the capture did.

use super::Story;
use crate::lab::Lab;
use crate::pdml::Packet;
use crate::{KEY, SECOND_KEY};

/// The messages of sync id `sync`, one group and one acknowledgement in each of two sessions, each linked within its own.
fn assert_linked(story: &Story, sync: &str) {
    for stream in ["0", "1"] {
        let of = |message: &str| {
            let fits = |packet: &&Packet| {
                packet.value("enet.stream") == stream
                    && packet.value("lol.message") == message
                    && packet.value("waypoint.syncId") == sync
            };
            let found: Vec<_> = story.packets.iter().filter(fits).collect();
            assert_eq!(found.len(), 1, "{message} {sync} of session {stream}");
            found[0]
        };
        let (group, ack) = (of("WaypointGroup"), of("WaypointAck"));
        assert_eq!(group.value("waypoint.ackIn"), ack.number.to_string(), "{sync} of session {stream}");
        assert_eq!(ack.value("waypoint.ackTo"), group.number.to_string(), "{sync} of session {stream}");
    }
}

/// Each of two sessions has a key of its own, proven by its handshake.
fn assert_keys(story: &Story) {
    for packet in &story.packets {
        let number = if packet.value("enet.stream") == "0" { "1" } else { "2" };
        for lol in packet.of("lol") {
            let key = (lol.value("lol.key.state"), lol.value("lol.key.number"));
            assert_eq!(key, ("verified", number), "frame {}", packet.number);
            assert_eq!(lol.value("lol.session"), packet.value("enet.stream"), "frame {}", packet.number);
        }
    }
    for field in ["enet.retransmission", "enet.gap", "enet.outOfOrder", "lol.enciphered"] {
        story.assert_none(field);
    }
    story.assert_sound();
}

#[test]
fn a_reconnect_is_a_new_session() {
    let Some(story) = Story::open("reconnect.pcap") else { return };
    let second = story.noted("the second session").number;
    for packet in &story.packets {
        let stream = if packet.number < second { "0" } else { "1" };
        assert_eq!(packet.values("enet.stream"), [stream], "frame {}", packet.number);
    }
    assert_keys(&story);
    assert_linked(&story, "100");
    assert_linked(&story, "101");
    let statements = |stream| {
        let of_stream = story.packets.iter().filter(move |packet| packet.value("enet.stream") == stream);
        let mut frames: Vec<_> = of_stream.flat_map(|packet| packet.values("lol.build.statedIn")).collect();
        frames.dedup();
        frames
    };
    assert_eq!((statements("0").len(), statements("1").len()), (1, 1));
    assert_ne!(statements("0"), statements("1"), "each session states its build");
}

#[test]
fn two_clients_of_one_server_are_two_sessions() {
    let Some(story) = Story::open("two-clients.pcap") else { return };
    let second = story.noted("the second client");
    let address = second.value("enet.stream").to_owned();
    assert_eq!(address, "1");
    assert_keys(&story);
    for sync in ["300", "301", "302"] {
        assert_linked(&story, sync);
    }
}

#[test]
fn with_one_key_only_its_session_is_read() {
    let Some(lab) = Lab::new() else { return };
    for (key, read) in [(KEY, "0"), (SECOND_KEY, "1")] {
        let packets = lab.tshark(&lab.capture("two-clients.pcap")).args(&["-2"]).key(key).pdml();
        for packet in &packets {
            let state = if packet.value("enet.stream") == read { "verified" } else { "wrong" };
            assert!(
                packet.values("lol.key.state").iter().all(|shown| *shown == state),
                "frame {}",
                packet.number
            );
        }
        let wrong: Vec<_> =
            packets.iter().filter(|packet| packet.experts().contains(&"lol.keyWrong")).collect();
        assert_eq!(wrong.len(), 1, "one note for the session without its key");
    }
}

#[test]
fn a_session_joined_in_its_middle_is_claimed() {
    let Some(story) = Story::open("mid-session.pcap") else { return };
    for packet in &story.packets {
        assert_eq!(packet.values("enet.shape"), ["classic"], "frame {}", packet.number);
        assert!(
            packet.values("lol.key.state").iter().all(|state| *state == "unverified"),
            "frame {}",
            packet.number
        );
        assert!(packet.values("lol.build.source").iter().all(|source| *source == "fallback"));
    }
    let container = story.noted("a container");
    assert_eq!(container.messages().count().to_string(), container.value("lol.container.count"));
    assert_eq!(container.of("lol").count(), 1);
    let senders: Vec<_> = story.packets.iter().flat_map(|packet| packet.values("lol.sender")).collect();
    assert!(senders.contains(&"client") && senders.contains(&"server"), "{senders:?}");
    story.assert_sound();
    // Within the first pass it is claimed after three datagrams.
    let lab = Lab::new().expect("a lab was there before");
    let claimed = lab.tshark(&lab.capture("mid-session.pcap")).key(KEY).frames("enet");
    let all: Vec<u32> = (3..=story.packets.len() as u32).collect();
    assert!(claimed.ends_with(&all), "{claimed:?}");
}

/// A client counts its time from its start and its sessions from 41, so two games may ask for their connections with the
/// same bytes.
#[test]
fn a_connect_of_the_same_bytes_begins_another_game_where_the_first_is_over() {
    let Some(lab) = Lab::new() else { return };
    let first = lab.capture("session.pcap");
    let frames = lab.tshark(&first).fields(&["frame.number"]).len() as u32;
    let file = |name: &str| lab.home().join(name).to_str().expect("temporary paths are text").to_owned();
    let [short, later, merged] = ["short.pcap", "later.pcap", "merged.pcapng"].map(file);
    let ends = lab.tshark(&first).frames("enet.command == 4");
    let kept = format!("1-{}", ends[0] - 1);
    lab.call("editcap").args(&["-r", &first, &short, &kept]).clean();
    // with the disconnect in sight soon after; without it once no client would still be waiting for an answer
    for (before, count, seconds) in [(&first, frames, "20"), (&short, ends[0] - 1, "60")] {
        lab.call("editcap").args(&["-t", seconds, &first, &later]).clean();
        lab.call("mergecap").args(&["-w", &merged, before, &later]).clean();
        let packets = lab.tshark(&merged).args(&["-2"]).key(KEY).pdml();
        assert_eq!(packets.len() as u32, count + frames);
        for packet in &packets {
            let stream = if packet.number <= count { "0" } else { "1" };
            assert_eq!(packet.values("enet.stream"), [stream], "frame {}", packet.number);
        }
        let acks = |stream| {
            let of_stream = packets.iter().filter(move |packet| packet.value("enet.stream") == stream);
            of_stream.map(|packet| packet.values("waypoint.ackIn").len()).sum::<usize>()
        };
        assert!(acks("1") > 0 && acks("1") == acks("0"), "{} and {}", acks("0"), acks("1"));
    }
    // at once it is the same datagram twice
    lab.call("editcap").args(&["-t", "0.001", &first, &later]).clean();
    lab.call("mergecap").args(&["-w", &merged, &first, &later]).clean();
    let streams = lab.tshark(&merged).key(KEY).fields(&["enet.stream"]);
    assert!(streams.iter().all(|row| row[0] == "0"), "one session, every datagram of it twice");
}
