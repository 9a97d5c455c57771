//! The recorded messages of a whole game: every field of every message, and the filter that finds one exchange.

use serde_json::Value as Json;

use crate::expected::differences;
use crate::lab::Lab;
use crate::pdml::Packet;
use crate::session::{assert_sound, by_frame, messages, named, open};
use crate::SHARED_KEY;

const MOVEMENT: [&str; 11] = [
    "WaypointGroup",
    "WaypointGroupAtSpeed",
    "WaypointAck",
    "MoveOrder",
    "Path",
    "PathWithSpeed",
    "UnitStopped",
    "FaceDirection",
    "FacePosition",
    "MovementBounds",
    "NavigationFlags",
];

/// Holds every message with a layout to its fields; answers how many of them move something. `cut` frames are missing
/// from the front of the capture.
fn check_fields(packets: &[Packet], expected: &Json, cut: u32) -> usize {
    let frames = by_frame(expected);
    let mut movement = 0;
    for packet in packets.iter().skip(unclaimed(packets)) {
        let wanted = frames.get(&(packet.number + cut)).cloned().unwrap_or_default();
        let got = messages(packet);
        assert_eq!(got.len(), wanted.len(), "frame {} of the whole capture", packet.number + cut);
        for (message, item) in wanted.into_iter().zip(got) {
            let Some(name) = message["message"].as_str() else { continue };
            let found = differences(name, &message["fields"], item);
            assert!(found.is_empty(), "frame {}: {name}: {found:#?}", packet.number);
            movement += usize::from(MOVEMENT.contains(&name));
        }
    }
    movement
}

/// The frames in which a message with a sync id of the waypoint family is expected.
fn sync_frames(expected: &Json, cut: u32) -> Vec<u32> {
    let is_waypoint =
        |message: &&&Json| message["message"].as_str().is_some_and(|name| name.starts_with("Waypoint"));
    let frames = by_frame(expected);
    let holds = frames.iter().filter(|(_, messages)| messages.iter().any(|message| is_waypoint(&message)));
    holds.filter(|(frame, _)| **frame > cut).map(|(frame, _)| frame - cut).collect()
}

/// How many packets at the front are not read: a session that is seen from its middle is claimed once enough of its
/// datagrams fit, and only a later pass reads those before.
fn unclaimed(packets: &[Packet]) -> usize {
    packets.iter().take_while(|packet| packet.of("enet").next().is_none()).count()
}

fn check_names(packets: &[Packet]) {
    let (all, named) = named(packets);
    assert!(named * 100 >= all * 95, "{named} of {all} on channels 1 to 4 have a name");
}

#[test]
fn every_field_of_every_message_of_the_game() {
    let Some((lab, capture, expected)) = open("game-1.0.0.136") else { return };
    for passes in [&[][..], &["-2"]] {
        let packets = lab.tshark(&capture).args(passes).key(SHARED_KEY).pdml();
        assert_eq!(packets.len(), 590);
        assert_eq!(check_fields(&packets, &expected, 0), 142);
        check_names(&packets);
        assert_sound(&packets);
        let frames = lab.tshark(&capture).args(passes).key(SHARED_KEY).frames("waypoint.syncId");
        assert_eq!(frames, sync_frames(&expected, 0));
    }
}

/// What editcap leaves of a capture without its first frames.
fn without_front(lab: &Lab, capture: &str, frames: u32) -> String {
    let out = lab.home().join("rest.pcap");
    let out = out.to_str().expect("temporary paths are text");
    lab.call("editcap").args(&["-F", "pcap", capture, out, &format!("1-{frames}")]).clean();
    out.to_owned()
}

#[test]
fn the_game_without_its_handshake() {
    let Some((lab, capture, expected)) = open("game-1.0.0.136") else { return };
    let rest = without_front(&lab, &capture, 50);
    for (passes, most_unclaimed) in [(&[][..], 10), (&["-2"], 0)] {
        let call = || lab.tshark(&rest).args(passes).key(SHARED_KEY).pref("lol.build", "1.0.0.136");
        let packets = call().pdml();
        assert_eq!(packets.len(), 540);
        assert!(unclaimed(&packets) <= most_unclaimed, "{} packets are not read", unclaimed(&packets));
        let movement = check_fields(&packets, &expected, 50);
        assert_eq!(movement, 142, "all movement messages come later than the cut");
        check_names(&packets);
        assert_sound(&packets);
        assert_eq!(call().frames("waypoint.syncId"), sync_frames(&expected, 50));
        let keys: Vec<_> = packets.iter().map(|packet| packet.value("lol.key.state")).collect();
        assert!(!keys.contains(&"verified"), "no handshake proves this key");
    }
}
