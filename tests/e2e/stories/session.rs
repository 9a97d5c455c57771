//! The whole session.

use super::Story;
use crate::pdml::{Item, Packet};

const SESSION: &str = "session.pcap";

fn open() -> Option<Story> {
    let story = Story::open(SESSION)?;
    story.assert_sound();
    Some(story)
}

/// The only message of a packet.
fn message(packet: &Packet) -> &Item {
    let messages: Vec<_> = packet.messages().collect();
    assert_eq!((messages.len(), packet.of("lol").count()), (1, 1), "frame {}", packet.number);
    messages[0]
}

#[test]
fn the_handshake_proves_the_key_and_states_the_build() {
    let Some(story) = open() else { return };
    assert_eq!(story.noted("the client asks for a connection").value("enet.command"), "2");
    let (client, server) = (story.noted("the client registers"), story.noted("the server's answer"));
    assert_eq!((client.value("lol.sender"), server.value("lol.sender")), ("client", "server"));
    let (client, server) = (message(client), message(server));
    let (proof, payload) = (client.find("lol.registration.proof"), story.noted("the client registers"));
    let in_clear = payload.all().into_iter().find(|item| item.name == "enet.payload").expect("a payload");
    assert!(
        in_clear.value.ends_with(&proof.expect("a proof").value),
        "the client's registration is in the clear"
    );
    assert_eq!(client.value("lol.registration.playerId"), server.value("lol.registration.playerId"));
    let stated = story.noted("the client states its build").number.to_string();
    for packet in &story.packets {
        for lol in packet.of("lol") {
            let known =
                (lol.value("lol.build"), lol.value("lol.build.source"), lol.value("lol.build.statedIn"));
            assert_eq!(known, ("1.0.0.136", "stated", stated.as_str()), "frame {}", packet.number);
            assert_eq!(lol.value("lol.buildNumber"), "1000000136");
            assert_eq!(lol.value("lol.key.state"), "verified", "frame {}", packet.number);
        }
    }
}

#[test]
fn fragments_and_containers_are_taken_apart() {
    let Some(story) = open() else { return };
    let last = story.noted("the last of 5 fragments");
    assert_eq!(last.value("enet.fragment.frames"), "5");
    assert_eq!(last.value("enet.fragment.reassembledLength"), "4417");
    assert_eq!(message(last).value("lol.command"), "88");
    assert_eq!(story.with("enet.fragments"), [last.number]);
    let container = story.noted("a container of 6");
    assert_eq!((container.of("lol").count(), container.values("lol.session").len()), (1, 1));
    let messages: Vec<_> = container.messages().collect();
    let names: Vec<_> = messages.iter().map(|lol| lol.value("lol.message")).collect();
    assert_eq!(names, ["EffectAdded", "EffectAdded", "EffectAdded", "", "AnimationOverrides", ""]);
    let places: Vec<_> = messages.iter().map(|lol| lol.value("lol.container.index")).collect();
    assert_eq!(places, ["0", "1", "2", "3", "4", "5"]);
    assert_eq!(messages[1].value("lol.container.netIdDelta"), "1");
    // 4.0 writes 1, later versions True
    assert!(["1", "True"].contains(&messages[1].value("lol.container.sameCommand")));
    assert_eq!(messages[2].value("lol.container.netIdDelta"), "", "the third names its net id whole");
    assert_eq!(messages[3].value("lol.container.netIdDelta"), "-120");
    let long = (messages[4].value("lol.container.bodySize"), messages[4].value("lol.container.size"));
    assert_eq!(long, ("63", "74"));
    assert_eq!(messages[5].value("lol.body"), "");
    let units: Vec<_> =
        messages.iter().map(|lol| conformance::tshark::whole(lol.value("lol.netId"))).collect();
    assert_eq!(units[1], units[0].map(|unit| unit + 1));
    assert_eq!(units[3], units[2].map(|unit| unit - 120));
}

#[test]
fn groups_are_linked_with_their_answers() {
    let Some(story) = open() else { return };
    for (note, sync) in [
        ("WaypointGroup 984", "984"),
        ("WaypointGroup 985", "985"),
        ("WaypointGroup 986", "986"),
        ("WaypointGroupAtSpeed 988", "988"),
    ] {
        let group = story.noted(note);
        let answer = story.after(group);
        assert_eq!((group.value("waypoint.syncId"), answer.value("waypoint.syncId")), (sync, sync));
        assert_eq!(group.value("waypoint.ackIn"), answer.number.to_string(), "{note}");
        assert_eq!(answer.value("waypoint.ackTo"), group.number.to_string(), "{note}");
        assert!(answer.value("waypoint.ackTime").parse::<f64>().is_ok_and(|time| time > 0.0), "{note}");
    }
    assert_eq!(story.noted("WaypointGroupAtSpeed 988").value("lol.channel"), "3");
    let three = story.noted("a WaypointGroup of three units");
    let with_token = |path: &&Item| !path.value("waypoint.movements.path.teleportToken").is_empty();
    let movements: Vec<_> =
        three.all().into_iter().filter(|item| item.name == "waypoint.movements.path").collect();
    assert_eq!(movements.len(), 3);
    let wanted: Vec<_> = movements
        .iter()
        .copied()
        .filter(with_token)
        .map(|path| path.value("waypoint.movements.path.unit"))
        .collect();
    assert_eq!(wanted.len(), 2);
    let answer = story.noted("the answer names exactly the two units");
    assert_eq!(answer.values("waypoint.relocations.unit"), wanted);
}

#[test]
fn orders_facings_and_bounds_are_read() {
    let Some(story) = open() else { return };
    for sync in ["984", "985", "986"] {
        let note = format!("a MoveOrder, answered by the group with `waypoint.syncId` {sync}");
        let order = message(story.noted(&note));
        assert_eq!(order.value("lol.message"), "MoveOrder");
        let group = story.frame(story.noted(&note).number + 2);
        assert_eq!(group.value("waypoint.syncId"), sync);
        assert_eq!(
            order.values("moveorder.point.x"),
            group.values("waypoint.point.x"),
            "the path is unchanged"
        );
    }
    assert_eq!(story.noted("a MoveOrder of kind 3").value("moveorder.kind"), "3");
    let stop = story.noted("a MoveOrder of kind 10");
    assert_eq!((stop.value("moveorder.kind"), stop.values("moveorder.movement.path.steps").len()), ("10", 0));
    for (note, sender, name) in
        [("FaceDirection", "server", "FaceDirection"), ("FacePosition", "client", "FacePosition")]
    {
        let facing = story.noted(note);
        let got = ["lol.command", "lol.sender", "lol.message"].map(|field| facing.value(field));
        assert_eq!(got, ["84", sender, name]);
    }
    assert_eq!(story.noted("MovementBounds of radius 1500").value("bounds.radius"), "1500");
    assert_eq!(story.noted("MovementBounds of radius 0").value("bounds.radius"), "0");
    let flags = story.noted("NavigationFlags with two circles");
    assert_eq!(flags.values("navflags.circles.radius").last(), Some(&"1000"));
    let late = story.noted("a MoveOrder shortly before the end");
    assert_eq!(late.value("lol.message"), "MoveOrder");
}

#[test]
fn paths_share_one_count() {
    let Some(story) = open() else { return };
    for (note, name, count) in [
        ("Path, count 3", "Path", "3"),
        ("PathWithSpeed, count 4", "PathWithSpeed", "4"),
        ("UnitStopped, count 5", "UnitStopped", "5"),
        ("Path, count 4 again", "Path", "4"),
    ] {
        let path = story.noted(note);
        assert_eq!((path.value("lol.message"), path.value("path.syncId")), (name, count), "{note}");
    }
    let path = story.noted("Path, count 3");
    let answer = story.after(path);
    assert_eq!((answer.value("lol.message"), answer.value("lol.channel")), ("WaypointAck", "4"));
    assert_eq!(answer.value("enet.dataLength"), "10");
    assert_eq!(path.value("path.ackIn"), answer.number.to_string());
    let again = story.noted("Path, count 4 again");
    assert_eq!(
        again.value("path.ackIn"),
        story.after(again).number.to_string(),
        "answered, whatever comes of it"
    );
}

#[test]
fn a_read_filter_finds_what_a_display_filter_finds() {
    let Some(lab) = crate::lab::Lab::new() else { return };
    let frames = |passes: &[&str], filter: &str| {
        let call = lab.tshark(&lab.capture("session.pcap")).args(passes).args(&[filter]).key(crate::KEY);
        call.fields(&["frame.time_relative", "lol.message"]).len()
    };
    for filter in ["waypoint", "moveorder", "lol.message", "enet.rtt"] {
        // frames that a read filter drops all have the number of the next one it lets pass
        let (read, shown) = (frames(&["-2", "-R"], filter), frames(&["-2", "-Y"], filter));
        assert!(shown > 0 && read == shown, "{filter}: {read} read, {shown} shown");
    }
}
