//! The header shapes, and ENet that is not the game's.

use std::collections::BTreeMap;

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
    assert_eq!(packet.value("lol.layout.basis"), "none");
    let notes = story.packets.iter().filter(|packet| packet.experts().contains(&"lol.unknown")).count();
    assert_eq!(notes, 1, "the first that is not read tells of all");
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
    assert!(!statuses.is_empty() && statuses.iter().all(|status| *status == "1"), "{statuses:?}");
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
    let (mut read, mut unread, mut noted) = (0, 0, Vec::new());
    let all = story.packets.iter().flat_map(|packet| packet.messages().map(move |lol| (packet, lol)));
    for (packet, lol) in all {
        if lol.value("lol.layout.basis").is_empty() {
            continue; // the registration, which is read by its length
        }
        assert_eq!(packet.value("lol.build"), "1.0.0.126", "not taken for a build that a page holds");
        let inferred = lol.experts().contains(&"lol.inferred");
        match lol.value("lol.message") {
            "" => {
                assert_eq!((lol.value("lol.layout.basis"), inferred), ("none", false));
                unread += 1;
            }
            _ => {
                assert_eq!(lol.value("lol.layout.basis"), "inferred");
                noted.extend(inferred.then(|| lol.value("lol.message")));
                read += 1;
            }
        }
    }
    noted.sort_unstable();
    assert_eq!(noted, ["MoveOrder", "WaypointAck", "WaypointGroup"], "the first of each carries the note");
    assert_eq!((read, unread), (30, 1), "ten orders, groups and answers; the version text has no layout");
    let group = story.noted("a WaypointGroup: its layout is inferred");
    assert_eq!((group.value("lol.message"), group.value("waypoint.syncId")), ("WaypointGroup", "509"));
    // What was tried before the layout was taken is linked all the same.
    assert_eq!(story.with("waypoint.ackIn").len(), 10);
    story.assert_sound();
}

/// A message of a story as it is shown.
#[derive(Debug, PartialEq)]
struct Shown {
    frame: u32,
    number: u16,
    basis: String,
    message: String,
    /// What the note says, if there is one.
    note: String,
}

/// The messages of a story, but for the registration.
fn shown(story: &Story) -> Vec<Shown> {
    let all = story.packets.iter().flat_map(|packet| packet.messages().map(move |lol| (packet, lol)));
    all.filter(|(_, lol)| !lol.value("lol.layout.basis").is_empty())
        .map(|(packet, lol)| {
            assert_eq!(packet.value("lol.build"), "4.18.0.100", "not taken for a build that a page holds");
            let note = lol.all().into_iter().find(|item| item.name == "lol.inferred");
            Shown {
                frame: packet.number,
                number: lol.value("lol.command").parse().expect("a number"),
                basis: lol.value("lol.layout.basis").to_owned(),
                message: lol.value("lol.message").to_owned(),
                note: note.map_or_else(String::new, |item| item.label.clone()),
            }
        })
        .collect()
}

#[test]
fn a_build_next_to_a_page_is_read_by_its_numbers() {
    let Some(story) = Story::open("neighbour.pcap") else { return };
    let (mut counts, mut noted) = (BTreeMap::new(), Vec::new());
    for Shown { frame, number, basis, message, note } in shown(&story) {
        match basis.as_str() {
            "none" => assert_eq!((message.as_str(), note.as_str()), ("", ""), "frame {frame}"),
            "inferred" | "neighbour" if note.is_empty() => {}
            "inferred" => assert!(note.starts_with("Layout inferred"), "frame {frame}: {note}"),
            "neighbour" => assert!(note.contains("4.17.0.268"), "frame {frame}: {note}"),
            other => panic!("frame {frame}: basis {other}"),
        }
        if !note.is_empty() {
            noted.push(number);
        }
        *counts.entry((number, basis, message)).or_insert(0) += 1;
    }
    noted.sort_unstable();
    assert_eq!(noted, [80, 97, 114, 119, 259, 265], "the first of each command carries the note");
    let counts: Vec<_> = counts.iter().map(|((n, basis, m), times)| (*n, &**basis, &**m, *times)).collect();
    let wanted = [
        (4, "none", "", 3),
        (80, "inferred", "FaceDirection", 3),
        (97, "inferred", "WaypointGroup", 12),
        (114, "inferred", "MoveOrder", 12),
        (119, "inferred", "WaypointAck", 12),
        (248, "none", "", 3),
        (259, "neighbour", "AnimationAdvanced", 6),
        (265, "neighbour", "EffectCounter", 12),
        (265, "none", "", 1),
    ];
    assert_eq!(counts, wanted);
    let counter = story.noted("an EffectCounter: no name leads to it");
    assert_eq!((counter.value("effect.slot"), counter.value("effect.counter")), ("3", "11"));
    let odd = story.noted("the number of an EffectCounter");
    assert_eq!(odd.value("lol.body").replace(':', ""), "03".repeat(9));
    // What was tried before its layout was taken is linked all the same.
    assert_eq!(story.with("waypoint.ackIn").len(), 12);
    story.assert_sound();
}

#[test]
fn in_one_pass_a_layout_is_used_from_its_taking_on() {
    let Some(story) = Story::open("neighbour.pcap") else { return };
    let Some(first) = Story::open_with("neighbour.pcap", &[]) else { return };
    let (later, once) = (shown(&story), shown(&first));
    assert_eq!(once.len(), later.len());
    let begins =
        |basis: &str| once.iter().find(|message| message.basis == basis).map(|message| message.frame);
    let (named, numbered) = (begins("inferred").expect("some"), begins("neighbour").expect("some"));
    assert!(named < numbered, "a name is enough sooner: {named}, {numbered}");
    let mut firsts = BTreeMap::new();
    for message in &once {
        firsts.entry((message.number, message.basis.as_str())).or_insert(message.frame);
    }
    for (once, later) in once.iter().zip(&later) {
        // a later pass reads what came before, and nothing otherwise
        let taken = firsts.get(&(later.number, later.basis.as_str())).copied().unwrap_or(0);
        assert!(once == later || once.basis == "none" && once.frame < taken, "{once:?}, then {later:?}");
    }
    first.assert_sound();
}

#[test]
fn what_waited_for_a_layout_by_number_is_linked() {
    // No name leads to anything there.
    let args = ["-2", "-o", "lol.build:4.10.0.0"];
    let Some(story) = Story::open_with("neighbour.pcap", &args) else { return };
    let all: Vec<_> = story.packets.iter().flat_map(|packet| packet.messages()).collect();
    let of_basis = |basis| all.iter().filter(|lol| lol.value("lol.layout.basis") == basis).count();
    assert_eq!((of_basis("neighbour"), of_basis("none"), of_basis("inferred")), (57, 7, 0));
    assert_eq!(story.with("waypoint.ackIn").len(), 12, "groups from before their layout was taken, too");
    assert_eq!(story.with("waypoint.ackTo").len(), 12);
    story.assert_sound();
}

#[test]
fn compressed_commands_are_opened_as_a_source_of_their_own() {
    let Some(story) = Story::open_with("packed.pcap", &["-2", "-d", "udp.port==17091,enet"]) else { return };
    story.assert_none("lol");
    for packet in &story.packets {
        assert_eq!(packet.values("enet.stream").len(), 1, "frame {}", packet.number);
        let odd = packet.number == story.noted("compressed, but not by the range coder").number;
        let status = packet.values("enet.checksum.status");
        assert_eq!(status, [if odd { "2" } else { "1" }], "frame {}", packet.number);
        assert_eq!(!packet.values("enet.compressed").is_empty(), odd, "frame {}", packet.number);
        if !packet.values("enet.compressedData").is_empty() && !odd {
            let number = |name| packet.value(name).parse::<u32>().unwrap();
            assert!(number("enet.compressedSize") < number("enet.decompressedSize"));
        }
    }
    assert!(story.with("enet.decompressedSize").len() > 6);
    let hello = story.noted("a payload in compressed commands");
    let said = hex::encode(br#"{"say":"hello","to":"everyone","and":"everyone else"}"#);
    assert_eq!(hello.value("enet.payload").replace(':', ""), said);
    assert_eq!(story.after(story.after(hello)).values("enet.retransmission"), ["1"]);
    let joined = story.noted("the last of 3 compressed fragments");
    assert_eq!(joined.value("enet.fragment.reassembledLength"), "2300");
    assert_eq!(story.with("enet.fragments"), [joined.number]);
    let alone = story.noted("a client without a number gives up");
    assert_eq!((alone.value("enet.command"), alone.value("enet.checksum")), ("4", "0xffe094d0"));
    // Payloads are offered from there, and the bytes pane names the source.
    let lab = Lab::new().expect("a lab was there before");
    let capture = lab.capture("packed.pcap");
    let json =
        lab.tshark(&capture).args(&["-2", "-d", "enet.payload,json", "-Y", "json"]).fields(&["frame.number"]);
    assert!(json.contains(&vec![hello.number.to_string()]), "{json:?}");
    let frame = format!("frame.number == {}", hello.number);
    let text = lab.tshark(&capture).args(&["-x", "-Y", &frame]).clean();
    assert!(text.contains("Decompressed ENet commands ("), "{text}");
    for filter in ["== \"Good\"", "== 1"] {
        let filter = format!("enet.checksum.status {filter}");
        let found = lab.tshark(&capture).args(&["-Y", &filter]).fields(&["frame.number"]);
        assert!(found.len() > 20, "{filter}: {found:?}");
    }
}

#[test]
fn a_forced_shape_is_read_as_one_that_was_found_out() {
    let Some(lab) = Lab::new() else { return };
    let whole = lab.capture("stock.pcap");
    let path = lab.home().join("middle.pcap").to_str().expect("temporary paths are text").to_owned();
    // the connection's start was not captured: its first three frames
    lab.call("editcap").args(&["-F", "pcap", &whole, &path, "1-3"]).clean();
    for decode in [&[][..], &["-d", "udp.port==7777,enet"]] {
        let rows = |shape: &str| {
            let call = lab.tshark(&path).args(&["-2"]).args(decode).pref("enet.shape", shape);
            call.fields(&["_ws.col.Info", "enet.checksum", "enet.checksum.status", "enet.stream"])
        };
        let wanted = rows("auto");
        assert!(wanted.iter().filter(|row| row[2] == "1").count() > 10, "{wanted:?}");
        assert_eq!(rows("stock"), wanted, "{decode:?}");
    }
}
