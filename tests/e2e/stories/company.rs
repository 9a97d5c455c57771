//! Datagrams of others, copies, other ends, clocks that were set back.

use super::{note, Story};
use crate::lab::Lab;
use crate::pdml::Packet;

/// Each frame of company.pcap that is another's, by what the README says of it, and what it is shown as.
const OTHERS: [(&str, &str); 10] = [
    ("STUN before the connect", "stun"),
    ("STUN on the same ports", "stun"),
    ("the answer of STUN", "stun"),
    ("text: would be", "data"),
    ("a query of another protocol", "data"),
    ("a ping of a server list", "data"),
    ("its answer", "data"),
    ("a keep-alive of one byte", "data"),
    ("four zeros", "data"),
    ("a ping of another peer", "data"),
];

#[test]
fn what_others_send_on_the_ports_of_a_session_is_theirs() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.capture("company.pcap");
    let claimed: [&[&str]; 3] = [&[], &["-o", "enet.ports:7779"], &["-d", "udp.port==7779,enet"]];
    for how in claimed {
        for passes in [&[][..], &["-2"]] {
            let packets = lab.tshark(&capture).args(how).args(passes).pdml();
            let frame = |beginning| &packets[note("company.pcap", beginning) as usize - 1];
            for (beginning, protocol) in OTHERS {
                let packet: &Packet = frame(beginning);
                let theirs = packet.all().iter().any(|item| item.name == protocol);
                assert_eq!((packet.of("enet").count(), theirs), (0, true), "{how:?} {passes:?} {beginning}");
                assert!(packet.experts().iter().all(|expert| !expert.starts_with("enet")), "{beginning}");
            }
            let cut = frame("the session's own, but damaged");
            assert_eq!(cut.experts(), ["enet.malformed"], "{how:?}");
            assert_eq!(cut.value("enet.stream"), "0");
            let infos =
                lab.tshark(&capture).args(how).args(passes).fields(&["_ws.col.Protocol", "_ws.col.Info"]);
            assert!(infos.iter().all(|row| !row[1].is_empty()), "{how:?} {infos:?}");
            let mine = packets.iter().filter(|packet| packet.of("enet").count() > 0);
            assert_eq!(mine.count(), packets.len() - OTHERS.len(), "{how:?}");
        }
    }
}

#[test]
fn a_session_that_a_client_refuses_is_warned_of() {
    for passes in [&[][..], &["-2"]] {
        let Some(story) = Story::open_with("refused.pcap", passes) else { return };
        let told = ["the server grants one", "the server grants it again"]
            .map(|beginning| story.noted(beginning).number);
        assert_eq!(story.with("enet.refused"), told);
        assert_eq!(story.noted("a ping in session 0x29").value("enet.stream"), "0");
    }
}

#[test]
fn copies_are_duplicates_and_count_for_nothing() {
    for passes in [&[][..], &["-2"]] {
        let Some(story) = Story::open_with("mirrored.pcap", passes) else { return };
        let again = story.noted("a MoveOrder sent again");
        // the order once more, and the connection's own as the reader of the README sees them
        assert_eq!(story.with("enet.retransmission"), [again.number]);
        let client = |packet: &&Packet| packet.value("ip.src") == "192.0.2.10";
        let mine: Vec<_> = story.packets.iter().filter(client).collect();
        for pair in mine.chunks(2) {
            let [first, copy] = pair else { panic!("each datagram of the client stands there twice") };
            let commands = first.values("enet.command").len();
            assert!(first.values("enet.duplicate").is_empty(), "{}", first.number);
            assert_eq!(copy.values("enet.duplicateOf"), vec![first.number.to_string(); commands]);
            assert_eq!(copy.values("lol.command"), first.values("lol.command"));
            assert_eq!(copy.values("waypoint.syncId"), first.values("waypoint.syncId"));
            for once in ["enet.rtt", "enet.ackTo", "enet.ackedIn", "waypoint.ackTo"] {
                assert!(copy.values(once).is_empty(), "{} {once}", copy.number);
            }
        }
        for field in ["enet.gap", "enet.outOfOrder"] {
            story.assert_none(field);
        }
        story.assert_sound();
    }
}

#[test]
fn unreliable_fragments_that_come_twice_are_duplicates() {
    let Some(story) = Story::open("jitter.pcap") else { return };
    let twice =
        ["fragment 1 of 3 once more", "fragment 3 of 3 once more"].map(|note| story.noted(note).number);
    assert_eq!(story.with("enet.duplicate"), twice);
    assert_eq!(
        story.with("enet.fragments"),
        [story.noted("fragment 2 of 3: the message is complete").number]
    );
    story.assert_sound();
}

#[test]
fn where_time_runs_back_a_note_stands_for_the_time() {
    let Some(story) = Story::open("backwards.pcap") else { return };
    let heard = story.noted("the acknowledgement of a MoveOrder");
    assert_eq!(
        (heard.value("enet.ackTo"), heard.experts()),
        ((heard.number - 1).to_string().as_str(), vec!["enet.timeBack"])
    );
    assert!(heard.values("enet.rtt").is_empty());
    let answer = story.noted("a WaypointAck, stamped before");
    assert_eq!(answer.value("waypoint.ackTo"), (answer.number - 1).to_string());
    assert_eq!(answer.experts(), ["lol.timeBack"]);
    assert!(answer.values("waypoint.ackTime").is_empty());
    // the others have their times, none of them below zero
    for field in ["enet.rtt", "waypoint.ackTime"] {
        let times: Vec<_> = story.packets.iter().flat_map(|packet| packet.values(field)).collect();
        assert!(!times.is_empty() && times.iter().all(|time| !time.starts_with('-')), "{field} {times:?}");
    }
}

#[test]
fn a_session_goes_on_behind_another_address() {
    for passes in [&[][..], &["-2"]] {
        let Some(story) = Story::open_with("moved.pcap", passes) else { return };
        let moved = story.noted("the client is 203.0.113.7:61000");
        let noted = story.with("enet.moved");
        assert_eq!(noted.len(), 1);
        assert!(noted[0] >= moved.number && noted[0] <= moved.number + 2, "{noted:?}");
        let after = story.packets.iter().filter(|packet| packet.number >= noted[0]);
        let streams: Vec<_> = after.clone().map(|packet| packet.value("enet.stream")).collect();
        assert!(streams.iter().all(|stream| *stream == "0"), "{streams:?}");
        let builds: Vec<_> = after.flat_map(|packet| packet.values("lol.build")).collect();
        assert!(builds.len() > 4 && builds.iter().all(|build| *build == "1.0.0.136"), "{builds:?}");
        if !passes.is_empty() {
            assert!(story.packets.iter().all(|packet| packet.value("enet.stream") == "0"));
            assert!(moved.values("enet.gap").is_empty() && !moved.values("enet.ackedIn").is_empty());
            assert_eq!(moved.value("lol.session"), "0");
        }
        story.assert_sound();
    }
}
