//! Messages: their framing, names, links, origin and Info line.

use dissector_core::capture::Settings;
use dissector_core::encode::Value;
use dissector_core::enet::wire::write::Outgoing;
use dissector_core::enet::wire::HeaderVariant;
use dissector_core::layout::channel;
use dissector_core::lol::cipher::Schedule;
use dissector_core::name_list::Named;
use dissector_core::tree::flag;

use crate::lab::{passes, read, Item};
use crate::payload::{bare, bare_with, cuts, nodes, whole};
use crate::wire::*;

#[test]
fn a_message_shows_its_header_and_what_it_is() {
    let shown = whole(4, &group(984));
    assert_eq!(nodes(&shown, "lol.command")[0], ("lol.command", 101, 0, 1));
    assert_eq!(nodes(&shown, "lol.netId"), [("lol.netId", 0, 1, 4)], "no unit, so no hidden one either");
    assert_eq!(shown.texts("lol.commandName"), ["WaypointGroup"]);
    assert_eq!(
        (shown.texts("lol.commandName.source"), shown.texts("lol.layout.basis")),
        (vec!["book"], vec!["book"])
    );
    assert_eq!(shown.texts("lol.message"), ["WaypointGroup"]);
    assert_eq!(nodes(&shown, "waypoint")[0], ("waypoint", 0, 5, 6));
    assert_eq!(shown.all("lol")[0].text, ", 1.0.0.136, WaypointGroup sync=984");
    assert_eq!(shown.info, "WaypointGroup sync=984");
    assert_eq!((shown.values("lol.channel"), shown.texts("lol.sender")), (vec![4], vec!["server"]));
    assert_eq!(shown.all("lol.match")[0].text, ": session 0, server, build 1.0.0.136");
    assert!(!shown.has("lol.key.state") && shown.league);
    assert_eq!((shown.payloads[0].clear, shown.payloads[0].sender, shown.payloads[0].reported), (1, 2, 11));
}

#[test]
fn a_unit_in_the_header_is_found_by_its_number() {
    let shown = whole(3, &other(150, 0x4000_0019, &[1, 2, 3]));
    let unit = shown.all("lol.unit")[0];
    assert_eq!((unit.value, unit.place.2, unit.place.3), (0x4000_0019, 1, 4));
    assert_eq!(unit.place.1 & (flag::HIDDEN | flag::GENERATED), flag::HIDDEN | flag::GENERATED);
}

#[test]
fn an_unknown_command_is_named_where_a_table_names_it_and_its_bytes_are_there() {
    let shown = whole(3, &other(88, 0, &[1, 2, 3]));
    assert_eq!(shown.texts("lol.commandName"), ["SynchVersionS2C"]);
    assert_ne!(shown.texts("lol.commandName.source"), ["book"]);
    assert_eq!(shown.texts("lol.layout.basis"), ["none"]);
    assert_eq!(nodes(&shown, "lol.body"), [("lol.body", 0, 5, 3)]);
    assert_eq!(shown.told("lol.unknown"), ["No layout for command 88 (SynchVersionS2C) in build 1.0.0.136; others may follow; lol.layout.basis == \"none\" finds all that is not read"]);
    assert_eq!(shown.info, "[SynchVersionS2C] 3 bytes");
    let shown = whole(3, &other(900, 0, &[]));
    assert_eq!(shown.told("lol.unknown"), ["No layout for command 900 in build 1.0.0.136; others may follow; lol.layout.basis == \"none\" finds all that is not read"]);
    assert_eq!((shown.info.as_str(), shown.has("lol.body")), ("[command 900]", false));
    assert_eq!(nodes(&shown, "lol.command.escape"), [("lol.command.escape", 254, 0, 1)]);
    assert_eq!(nodes(&shown, "lol.command")[1], ("lol.command", 900, 5, 2));
}

#[test]
fn a_message_that_is_cut_names_the_field_once_and_keeps_what_was_before() {
    let bytes = group(984);
    let all = whole(4, &bytes);
    for left in 0..bytes.len() {
        for reported in [left, bytes.len()] {
            let shown = bare(4, Server, &bytes[..left], reported);
            assert_eq!(cuts(&shown), 1, "{left} of {reported}: {:?}", shown.experts);
            let short = !shown.told("lol.short").is_empty();
            assert_eq!(short, reported > left, "{left} of {reported}");
            if left < 5 {
                let told = &shown.experts[0].1;
                assert!(
                    told.starts_with(if left == 0 {
                        "lol.command needs 1 byte"
                    } else {
                        "lol.netId needs 4 bytes"
                    }),
                    "{told}"
                );
                assert_eq!(shown.info, "[cut short]");
            }
            let kept = shown.items.iter().filter(|item| {
                item.place.3 > 0 && !["lol", "lol.message.item", "waypoint"].contains(&item.name)
            });
            assert!(kept.clone().all(|item| all
                .items
                .iter()
                .any(|other| (other.name, other.value) == (item.name, item.value))));
        }
    }
    assert_eq!(cuts(&all), 0);
}

#[test]
fn bytes_after_the_end_of_a_layout_are_left_over() {
    let shown = whole(4, &[group(984), vec![1, 2, 3]].concat());
    assert_eq!(nodes(&shown, "lol.leftOver"), [("lol.leftOver", 0, 11, 3)]);
    assert_eq!(shown.told("lol.surplus"), ["3 bytes after the end of WaypointGroup"]);
    let family = shown.all("waypoint")[0];
    assert_eq!((family.place.2, family.place.3), (5, 6), "the layout ends where its fields do");
}

#[test]
fn an_extended_header_that_is_cut_is_told() {
    let shown = whole(3, &[254, 0, 0, 0, 0, 1]);
    assert_eq!(shown.told("lol.malformed"), ["lol.command needs 2 bytes, 1 are left"]);
    let shown = bare(3, Server, &[254, 0, 0, 0, 0, 1], 9);
    assert_eq!(shown.told("lol.short"), ["lol.command needs 2 bytes, the capture holds 1 of them"]);
}

#[test]
fn chat_and_roster_are_bytes() {
    let others = [(8, "channel 8"), (254, "channel 254"), (channel::OTHER, "another channel")];
    for (channel, name) in [(5, "chat"), (6, "roster"), (7, "roster")].into_iter().chain(others) {
        let shown = bare(channel, Client, &[0xFF, 2, 3], 9);
        assert_eq!(nodes(&shown, "lol.body"), [("lol.body", 0, 0, 3)]);
        assert_eq!(shown.info, format!("[{name}] 9 bytes"));
        assert_eq!(shown.has("lol.channel"), channel != channel::OTHER, "that one is not told");
        assert_eq!(shown.all("lol")[0].text, format!(", 1.0.0.136, {name}, 9 bytes"));
        assert_eq!(shown.told("lol.short"), ["The capture holds 3 of the payload's 9 bytes"]);
    }
    assert_eq!(whole(5, &[1]).experts, []);
    assert_eq!(whole(6, &[1]).values("lol.channel"), [6]);
}

#[test]
fn registrations_are_read_by_their_length() {
    let old = registration(&Schedule::new(&KEY).unwrap(), 0x0102_0304);
    let shown = bare(0, Client, &old, old.len());
    let names =
        ["action", "padding", "clientId", "playerId", "proof"].map(|name| format!("lol.registration.{name}"));
    let found = nodes(&shown, "lol.registration.");
    assert_eq!(found.iter().map(|node| node.0.to_owned()).collect::<Vec<_>>(), names);
    assert_eq!(
        found.iter().map(|node| (node.2, node.3)).collect::<Vec<_>>(),
        [(0, 1), (1, 3), (4, 4), (8, 8), (16, 8)]
    );
    assert_eq!(shown.values("lol.registration.playerId"), [0x0102_0304]);
    assert_eq!(
        (shown.info.as_str(), shown.all("lol")[0].text.as_str()),
        ("[registration] player 16909060", ", 1.0.0.136, registration of player 16909060")
    );
    for (length, trailing) in [(28, None), (32, Some((28, 4)))] {
        let new = [&old[..16], &40_500_260u32.to_le_bytes(), &old[16..], &[9; 4]].concat();
        let shown = bare_with(&Settings::default(), 0, Client, (&new[..length], length), 0);
        assert_eq!(
            nodes(&shown, "lol.registration.version"),
            [("lol.registration.version", 40_500_260, 16, 4)]
        );
        let found = shown.all("lol.registration.trailing");
        assert_eq!(found.first().map(|item| (item.place.2, item.place.3)), trailing);
    }
    let shown = whole(0, &[0; 25]);
    assert_eq!(shown.told("lol.unknown"), ["A registration has 24, 28 or 32 bytes, this one 25"]);
    assert_eq!(nodes(&shown, "lol.body"), [("lol.body", 0, 0, 25)]);
    let shown = bare(0, Client, &old[..20], 24);
    assert_eq!((shown.told("lol.short").len(), shown.told("lol.unknown").len()), (1, 0));
}

/// A unit and its path of two points.
fn movement() -> Value {
    let step = fields(&[
        ("xStep", Value::Absent),
        ("xWhole", Value::Int(3053)),
        ("zStep", Value::Absent),
        ("zWhole", Value::Int(2953)),
    ]);
    let bits = fields(&[("xIsStep", Value::Int(0)), ("zIsStep", Value::Int(0))]);
    let header = fields(&[
        ("hasTeleportToken", Value::Int(0)),
        ("unused", Value::Int(0)),
        ("pointCount", Value::Int(2)),
        ("unusedHigh", Value::Int(0)),
    ]);
    let path = fields(&[
        ("unit", Value::Int(0x4000_0019)),
        ("teleportToken", Value::Absent),
        ("flags", Value::List(vec![bits])),
        ("firstX", Value::Int(3000)),
        ("firstZ", Value::Int(2900)),
        ("steps", Value::List(vec![step])),
    ]);
    fields(&[("header", header), ("path", path)])
}

/// A MoveOrder of a kind, to a place, whose path has two points: the second where the order goes if it moves.
fn order(kind: i64) -> Vec<u8> {
    let all = [
        ("kind", Value::Int(kind.into())),
        ("targetX", Value::Float(13098.013)),
        ("targetY", Value::Float(54.5)),
        ("targetZ", Value::Float(13130.365)),
        ("target", Value::Int(0)),
        ("movement", movement()),
    ];
    message("MoveOrder", 0x4000_0019, 1, &all)
}

#[test]
fn an_order_betrays_the_origin_and_is_shown_with_it() {
    let shown = bare(1, Client, &order(2), order(2).len());
    assert_eq!((shown.values("lol.origin.x"), shown.values("lol.origin.z")), (vec![6991], vec![7223]));
    assert_eq!((shown.texts("lol.origin.source"), shown.values("lol.map")), (vec!["orders"], vec![1]));
    let x: Vec<f64> = shown.values("moveorder.point.x").into_iter().map(f64::from_bits).collect();
    assert_eq!(x, [12991.0, 13097.0]);
    assert!(shown.info.ends_with("2 points → (13097, 13129)"), "{}", shown.info);
    // an attack goes to its target, not where its path ends
    let shown = bare(1, Client, &order(3), order(3).len());
    assert!(
        !shown.has("lol.origin.x") && !shown.has("moveorder.point.x") && shown.has("moveorder.point.rawX")
    );
    assert!(shown.info.ends_with("in path units"), "{}", shown.info);
    let given = Settings { build: "1.0.0.136".into(), origin: "1,2".into(), ..Settings::default() };
    let shown = bare_with(&given, 1, Client, (&order(2), order(2).len()), 0);
    assert_eq!(
        (shown.values("lol.origin.x"), shown.texts("lol.origin.source")),
        (vec![1], vec!["preference"])
    );
    assert!(!shown.has("lol.map"), "no map has this origin");
}

#[test]
fn several_payloads_of_a_datagram_stand_side_by_side() {
    let mut talk = Talk::enciphered(HeaderVariant::Classic);
    talk.open();
    talk.register();
    let bodies = [group(984), group(985), other(150, 0, &[1])].map(|body| talk.sealed(&body));
    let all = (1..).zip(&bodies).map(|(number, body)| Outgoing::reliable(3, number, body)).collect();
    let asked = talk.send(Server, all);
    let answers = [ack(985), ack(984)].map(|body| talk.sealed(&body));
    let all = (2..).zip(&answers).map(|(number, body)| Outgoing::reliable(1, number, body)).collect();
    let answered = talk.send(Client, all);
    let (_, second) = passes(&keyed(), &talk.frames);
    let shown = second[asked].as_ref().unwrap();
    assert_eq!(shown.info, "WaypointGroup sync=984; WaypointGroup sync=985; [ServerGameSettings] 1 byte");
    assert_eq!(shown.values("waypoint.ackIn"), [u64::from(talk.frames[answered].id.0); 2]);
    assert_eq!(shown.payloads.iter().map(|span| span.offset).collect::<Vec<_>>(), [14, 31, 48]);
    assert_eq!(
        second[answered].as_ref().unwrap().values("waypoint.ackTo"),
        [u64::from(talk.frames[asked].id.0); 2]
    );
    let all: Vec<_> = shown.all("waypoint.syncId").iter().map(|item| item.place.2).collect();
    assert_eq!(all, [14 + 5, 31 + 5]);
}

#[test]
fn without_the_protocol_of_the_game_payloads_are_left_to_others() {
    let mut talk = Talk::enciphered(HeaderVariant::Classic);
    talk.open();
    talk.register();
    let frame = talk.reliable(Server, 3, 1, &group(984));
    let pass = read(&Settings { without_league: true, ..keyed() }, &talk.frames);
    let shown = pass[frame].as_ref().unwrap();
    assert!(!shown.league && !shown.has("lol") && shown.has("enet.payload"));
    assert_eq!((shown.payloads[0].league, shown.payloads[0].clear), (0, 1));
    assert_eq!(shown.info, "sendReliable on channel 3, 11 bytes");
}

#[test]
fn names_of_a_list_stand_in_the_info_line() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "SummonerFlash\n").unwrap();
    let names = file.path().to_str().unwrap().to_owned();
    let flash = Named::Thing.number("SummonerFlash");
    let all = [
        ("slot", Value::Int(1)),
        ("kind", Value::Int(2)),
        ("count", Value::Int(1)),
        ("hidden", Value::Int(0)),
        ("effect", Value::Int(flash.into())),
        ("runningFor", Value::Float(0.5)),
        ("lasts", Value::Float(4.0)),
        ("caster", Value::Int(0x4000_0019)),
    ];
    let bytes = message("EffectAdded", 0x4000_0019, 3, &all);
    let settings = Settings { build: "1.0.0.136".into(), names, ..Settings::default() };
    let shown = bare_with(&settings, 3, Server, (&bytes, bytes.len()), 0);
    assert!(shown.info.contains("effect=SummonerFlash"), "{}", shown.info);
    assert_eq!(shown.texts("effect.name"), ["SummonerFlash"]);
    let shown = whole(3, &bytes);
    assert!(
        shown.info.contains(&format!("effect=0x{flash:08x}")) && !shown.has("effect.name"),
        "{}",
        shown.info
    );
    assert_eq!(f64::from_bits(shown.values("effect.total")[0]), 4.5);
}

#[test]
fn a_family_switched_off_leaves_bytes_and_the_match_learns_all_the_same() {
    let mut talk = Talk::enciphered(HeaderVariant::Classic);
    talk.open();
    talk.register();
    let all = [
        ("syncId", Value::Int(984)),
        ("movementCount", Value::Int(1)),
        ("movements", Value::List(vec![movement()])),
    ];
    let group = message("WaypointGroup", 0, 4, &all);
    let sent = [(Client, 1, 2, order(2)), (Server, 4, 1, group), (Client, 1, 3, ack(984))].map(
        |(sender, channel, number, bytes)| {
            let payload = talk.sealed(&bytes);
            talk.send(sender, vec![Outgoing::reliable(channel, number, &payload)])
        },
    );
    let [asked, moved, answered] = sent;
    let read = |disabled: &str| {
        let settings = Settings { disabled: disabled.into(), ..keyed() };
        passes(&settings, &talk.frames).1.into_iter().map(Option::unwrap).collect::<Vec<_>>()
    };
    let family = |item: &&Item, family: &str| item.name.split('.').next() == Some(family);
    let on = read("");
    assert_eq!(on[moved].values("waypoint.ackIn"), [u64::from(talk.frames[answered].id.0)]);

    // the orders betray the origin whether they are shown or not
    let off = read("moveorder");
    assert_eq!((&off[moved], &off[answered]), (&on[moved], &on[answered]));
    assert!(on[moved].has("waypoint.point.x"));
    assert_eq!(off[asked].texts("lol.message"), ["MoveOrder"]);
    assert!(!off[asked].items.iter().any(|item| family(&item, "moveorder")));
    assert_eq!(off[asked].values("lol.unit"), [0x4000_0019], "that of the header");
    assert!(!off[asked].has("lol.origin.x"));
    assert_eq!(nodes(&off[asked], "lol.body").len(), 1);
    assert_eq!(off[asked].info, "[MoveOrder] 0x40000019, 34 bytes");
    assert_eq!(off[asked].payloads, on[asked].payloads);

    // several at once, and names that are of no family
    let off = read(" path waypoint nothing");
    for (frame, name) in [(moved, "WaypointGroup"), (answered, "WaypointAck")] {
        assert_eq!(off[frame].texts("lol.message"), [name]);
        assert!(!off[frame].items.iter().any(|item| family(&item, "waypoint")));
        assert_eq!(off[frame].texts("lol.layout.basis"), on[frame].texts("lol.layout.basis"));
        let body = off[frame].all("lol.body")[0].place;
        let whole = on[frame].all("waypoint")[0].place;
        assert_eq!((body.2, body.3), (whole.2, whole.3), "the body is all there");
        assert_eq!(off[frame].info, format!("[{name}] {} bytes", body.3));
    }
    assert_eq!(off[asked], on[asked]);
}
