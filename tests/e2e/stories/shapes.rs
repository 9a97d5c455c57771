//! The header shapes, and ENet that is not the game's.

use super::Story;
use crate::lab::Lab;

#[test]
fn each_shape_is_found() {
    let shapes = [
        ("session.pcap", "classic"),
        ("compact.pcap", "compact"),
        ("prefixed.pcap", "prefixed"),
        ("season8.pcap", "season8"),
        ("stock.pcap", "stock"),
    ];
    for (name, shape) in shapes {
        let Some(story) = Story::open(name) else { return };
        for packet in &story.packets {
            assert_eq!(packet.values("enet.shape"), [shape], "{name} frame {}", packet.number);
        }
        story.assert_sound();
    }
}

#[test]
fn a_registration_states_the_build() {
    for (name, build) in
        [("compact.pcap", "1.0.0.150"), ("prefixed.pcap", "1.0.0.150"), ("season8.pcap", "6.24.0.249")]
    {
        let Some(story) = Story::open(name) else { return };
        let registration = story.noted("the client registers, in the clear, with version");
        assert!(!registration.value("lol.registration.version").is_empty(), "{name}");
        for packet in &story.packets {
            for lol in packet.of("lol") {
                let known = (lol.value("lol.build"), lol.value("lol.build.source"));
                assert_eq!(known, (build, "registration"), "{name} frame {}", packet.number);
            }
        }
    }
}

#[test]
fn groups_in_later_shapes_are_read() {
    for name in ["compact.pcap", "prefixed.pcap"] {
        let Some(story) = Story::open(name) else { return };
        for sync in ["20", "21", "22"] {
            let group = story.noted(&format!("WaypointGroup {sync}"));
            assert_eq!((group.value("lol.command"), group.value("waypoint.syncId")), ("94", sync), "{name}");
            assert_eq!(group.value("waypoint.ackIn"), story.after(group).number.to_string(), "{name}");
        }
    }
}

#[test]
fn an_extended_command_outside_the_book_shows_its_bytes() {
    let Some(story) = Story::open("season8.pcap") else { return };
    let packet = story.noted("an extended command");
    assert_eq!((packet.value("lol.command"), packet.value("lol.command.escape")), ("279", "254"));
    assert!(!packet.value("lol.netId").is_empty());
    assert!(!packet.value("lol.body").is_empty());
    assert_eq!(packet.experts(), ["lol.unknown"]);
    let prefixed: Vec<_> = story.packets.iter().map(|packet| packet.values("enet.prefix").len()).collect();
    assert!(prefixed.contains(&1) && prefixed.contains(&0), "only one side has bytes in front");
}

#[test]
fn the_payloads_of_other_games_are_data_and_offered() {
    let Some(story) = Story::open("stock.pcap") else { return };
    story.assert_none("lol");
    let with_payload = story.with("enet.payload");
    assert!(with_payload.len() > 10);
    let statuses: Vec<_> =
        story.packets.iter().flat_map(|packet| packet.values("enet.checksum.status")).collect();
    assert!(!statuses.is_empty() && statuses.iter().all(|status| *status == "good"), "{statuses:?}");
    let compressed = story.noted("the compressed bit is set");
    assert_eq!(story.with("enet.compressed"), [compressed.number]);
    assert!(!compressed.value("enet.compressedData").is_empty());
    assert_eq!(compressed.values("enet.command"), [] as [&str; 0]);
    // By Decode As another dissector takes them, what came in fragments in one piece.
    let lab = Lab::new().expect("a lab was there before");
    let json = lab.tshark(&lab.capture("stock.pcap")).args(&["-2", "-d", "enet.payload,json"]).pdml();
    let offered: Vec<_> = json.iter().filter(|packet| packet.of("json").next().is_some()).collect();
    assert!(!offered.is_empty());
    assert!(offered.iter().all(|packet| with_payload.contains(&packet.number)));
    let text =
        lab.tshark(&lab.capture("stock.pcap")).args(&["-2", "-d", "enet.payload,data-text-lines"]).pdml();
    let taken = text.iter().map(|packet| packet.of("data-text-lines").count()).sum::<usize>();
    let joined = story.with("enet.fragments").len();
    let fragments = story.with("enet.fragmentNumber").len();
    assert_eq!(joined, 1);
    assert_eq!(taken, with_payload.len() - fragments + joined, "each payload once");
}

#[test]
fn a_build_between_the_books_is_read_by_trial() {
    let Some(story) = Story::open("between.pcap") else { return };
    let (mut read, mut unread) = (0, 0);
    for lol in story.packets.iter().flat_map(|packet| packet.of("lol")) {
        if lol.value("lol.layout.basis").is_empty() {
            continue; // the registration, which is read by its length
        }
        assert_eq!(lol.value("lol.build"), "1.0.0.126", "not taken for a build that a page holds");
        let inferred = lol.experts().contains(&"lol.inferred");
        match lol.value("lol.message") {
            "" => {
                assert_eq!((lol.value("lol.layout.basis"), inferred), ("none", false));
                unread += 1;
            }
            _ => {
                assert_eq!((lol.value("lol.layout.basis"), inferred), ("inferred", true));
                read += 1;
            }
        }
    }
    assert_eq!((read, unread), (30, 1), "ten orders, groups and answers; the version text has no layout");
    let group = story.noted("a WaypointGroup: its layout is inferred");
    assert_eq!((group.value("lol.message"), group.value("waypoint.syncId")), ("WaypointGroup", "509"));
    // What was tried before the layout was taken is linked all the same.
    assert_eq!(story.with("waypoint.ackIn").len(), 10);
    story.assert_sound();
}
