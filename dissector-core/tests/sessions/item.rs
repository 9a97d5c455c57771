//! The `lol` item of a datagram: one, with the match's facts once and every message inside.

use dissector_core::capture::{Detail, Settings};
use dissector_core::enet::wire::write::{self, Outgoing};
use dissector_core::enet::wire::HeaderVariant;
use dissector_core::lol::cipher::Schedule;
use dissector_core::tree::{flag, Tree};

use crate::lab::{packet, passes, read, show, shown, Run, Shown};
use crate::wire::{
    built, group, keyed, other, registration, together, version_text, Client, Server, Talk, KEY,
};

/// A session whose key is proven.
fn registered() -> Talk {
    let mut talk = Talk::enciphered(HeaderVariant::Classic);
    talk.open();
    talk.register();
    talk
}

/// The game's part of a result, down to a depth: the lines of its outline that are not deeper.
fn part(shown: &Shown, deepest: usize) -> Vec<String> {
    let lines = shown.outline().into_iter().skip(shown.part.expect("a part of the game's"));
    lines.filter(|line| line.len() - line.trim_start().len() <= 2 * deepest).collect()
}

#[test]
fn a_datagram_has_one_item_with_its_match_once_and_its_messages_below() {
    let mut talk = registered();
    let payloads = [group(7), together(&[group(8), other(88, 0, &[1])])].map(|bytes| talk.sealed(&bytes));
    let commands = vec![
        Outgoing::acknowledge(3, 1, 7),
        Outgoing::reliable(4, 1, &payloads[0]),
        Outgoing::reliable(3, 2, &payloads[1]),
    ];
    let at = talk.send(Server, commands);
    let (one, two) = passes(&built(keyed()), &talk.frames);
    for pass in [&one, &two] {
        let shown = shown(pass)[at];
        let end = 39 + payloads[1].len() - 22;
        let second = together(&[group(8)]).len();
        assert_eq!(
            part(shown, 1),
            [
                format!("lol 0 +22/{end} , 1.0.0.136, 3 messages: WaypointGroup ×2, [SynchVersionS2C]"),
                "  [lol.match] 0 : session 0, server, key verified, build 1.0.0.136".into(),
                "  lol.message.item 0 +22/11 : WaypointGroup sync=7".into(),
                format!("  lol.message.item 0 +39/{second} : WaypointGroup sync=8"),
                format!(
                    "  lol.message.item 0 +{}/{} : [SynchVersionS2C] 1 byte",
                    39 + second,
                    payloads[1].len() - second
                ),
            ]
        );
        for fact in ["lol", "lol.match", "lol.session", "lol.sender", "lol.key.state", "lol.build"] {
            assert_eq!(shown.all(fact).len(), 1, "{fact}");
        }
        assert_eq!(shown.values("lol.channel"), [4, 3, 3], "a channel is a message's own");
        let item = shown.all("lol")[0];
        assert_eq!(item.place.1 & flag::DECIPHERED, flag::DECIPHERED, "it is of the deciphered bytes");
        let before = &shown.items[..shown.part.unwrap()];
        assert!(before.iter().all(|item| item.name.starts_with("enet")), "{:?}", shown.outline());
    }
}

#[test]
fn an_expert_item_stays_on_its_message_where_the_match_is_told_before_it() {
    let mut talk = registered();
    let payloads =
        [group(7), [group(8), vec![9]].concat(), vec![101, 0, 0, 0, 0, 1]].map(|bytes| talk.sealed(&bytes));
    let commands = payloads.iter().zip(1..).map(|(bytes, number)| Outgoing::reliable(4, number, bytes));
    let at = talk.send(Server, commands.collect());
    let two = read(&built(keyed()), &talk.frames);
    let shown = shown(&two)[at];
    let on = |name: &str| {
        let found = shown.experts.iter().find(|(of, ..)| *of == name).expect("an expert item");
        &shown.items[found.2 as usize]
    };
    for (name, message) in [("lol.surplus", 1), ("lol.malformed", 2)] {
        let family = on(name);
        assert_eq!((family.name, family.place.0), ("waypoint", 2));
        assert_eq!(family.place.2, shown.all("waypoint")[message].place.2, "of the message it is about");
    }
}

#[test]
fn the_match_is_told_with_what_the_last_payload_of_the_datagram_says() {
    let mut talk = Talk::enciphered(HeaderVariant::Classic);
    talk.open();
    let asked = registration(&Schedule::new(&KEY).expect("16 bytes are a key"), 7);
    let stated = talk.sealed(&version_text("1.0.0.136"));
    let at = talk.send(Client, vec![Outgoing::reliable(0, 1, &asked), Outgoing::reliable(1, 1, &stated)]);
    let (one, two) = passes(&keyed(), &talk.frames);
    for pass in [&one, &two] {
        let shown = shown(pass)[at];
        assert_eq!(shown.texts("lol.build"), ["1.0.0.136"]);
        assert_eq!(shown.values("lol.build.statedIn"), [at as u64 + 1]);
        let lines = part(shown, 1);
        assert!(lines[1].starts_with("  [lol.match]"), "before the messages: {lines:?}");
    }
}

#[test]
fn what_cannot_be_read_stands_in_the_item_too_and_tells_no_build() {
    let mut talk = registered();
    let payloads = [group(7), group(8)].map(|bytes| talk.sealed(&bytes));
    let commands = payloads.iter().zip(1..).map(|(bytes, number)| Outgoing::reliable(4, number, bytes));
    let at = talk.send(Server, commands.collect());
    let two = read(&built(Settings::default()), &talk.frames);
    let shown = shown(&two)[at];
    let wanted = [
        "lol 0 +14/28 , 2 messages: enciphered ×2",
        "  [lol.match] 0 : session 0, server, key none",
        "  lol.message.item 0 +14/11 : enciphered, 11 bytes",
        "  lol.message.item 0 +31/11 : enciphered, 11 bytes",
    ];
    assert_eq!(part(shown, 1), wanted);
    assert!(!shown.has("lol.build") && !shown.has("lol.key.number"));
}

/// A datagram that holds a message and completes another from fragments, and what both show.
fn joined(first: &[u8], last: &[u8]) -> (Shown, Shown) {
    let mut talk = registered();
    let bytes = talk.sealed(last);
    let mut cut = write::reliable((talk.variant, Some(Server)), 40, 4, 1, &bytes);
    let end = cut.pop().expect("fragments");
    talk.send(Server, cut);
    let sealed = talk.sealed(first);
    let at = talk.send(Server, vec![Outgoing::reliable(3, 1, &sealed), end]);
    let two = read(&Settings { origin: "7000,7000".into(), ..built(keyed()) }, &talk.frames);
    let both = shown(&two)[at].clone();
    let message = both.messages[0].clone();
    (both, message)
}

#[test]
fn a_message_from_fragments_is_shown_in_the_item_of_its_datagram() {
    let (datagram, message) = joined(&other(88, 0, &[1]), &together(&[group(7), group(8)]));
    assert_eq!(part(&datagram, 0).len(), 1);
    assert_eq!(message.part, Some(0));
    let names: Vec<_> = message.items.iter().filter(|item| item.place.0 <= 1).map(|item| item.name).collect();
    assert_eq!(names, ["lol.message.item", "lol.message.item"], "no item and no match of its own");
    assert_eq!(datagram.all("lol.session").len(), 1);
    assert_eq!(datagram.values("waypoint.syncId"), [7, 8]);
    assert_eq!(datagram.values("lol.channel"), [3, 4, 4]);
}

#[test]
fn a_message_from_fragments_leaves_the_heading_to_the_item_of_its_datagram() {
    let groups: Vec<_> = (0..9).map(group).collect();
    let (datagram, message) = joined(&other(88, 0, &[1]), &together(&groups));
    assert!(datagram.part.is_some_and(|root| root < message.items.len()), "there is a node in its place");
    assert!(message.items.iter().all(|item| !item.text.contains("messages: ")), "{:?}", message.outline());
}

#[test]
fn a_message_from_fragments_tells_of_the_match_what_its_datagram_did_not() {
    // a path of one point, which is put into world units
    let walking =
        [&[101, 0, 0, 0, 0, 7, 0, 0, 0, 1, 0, 2, 0, 0x19, 0, 0, 0x40][..], &[20, 0, 226, 255], &[0; 8]];
    let (datagram, message) = joined(&other(88, 0, &[1]), &walking.concat());
    assert!(!datagram.items.iter().any(|item| item.name.starts_with("lol.origin")));
    let told: Vec<_> = message.items.iter().filter(|item| item.place.1 & flag::GENERATED != 0).collect();
    let told: Vec<_> =
        told.iter().take_while(|item| item.name != "lol.channel").map(|item| item.name).collect();
    assert_eq!(told, ["lol.match", "lol.origin.x", "lol.origin.z", "lol.origin.source"]);
    assert_eq!(datagram.all("lol.build").len(), 1, "what was told is not told again");
}

#[test]
fn a_datagram_without_messages_of_the_game_has_no_part_of_its_own() {
    let mut talk = registered();
    let bytes = talk.sealed(&together(&[group(7), group(8)]));
    let mut cut = write::reliable((talk.variant, Some(Server)), 40, 4, 1, &bytes);
    let last = cut.pop().expect("fragments");
    let begins = talk.send(Server, cut);
    let ends = talk.send(Server, vec![last]);
    let acknowledges = talk.send(Client, vec![Outgoing::acknowledge(4, 1, 7)]);
    let empty = talk.send(Server, vec![Outgoing::reliable(3, 1, &[])]);
    let two = read(&built(keyed()), &talk.frames);
    let two = shown(&two);
    for at in [begins, ends, acknowledges, empty] {
        assert_eq!(two[at].part, None, "frame {}", at + 1);
    }
    let message = &two[ends].messages[0];
    let outline: Vec<_> =
        message.items.iter().filter(|item| item.place.0 <= 1).map(|item| item.name).collect();
    assert_eq!(outline, ["lol", "lol.match", "lol.message.item", "lol.message.item"], "it opens the item");
    assert_eq!(message.items[0].place, (0, flag::LABELLED | flag::DECIPHERED, 0, message.bytes.len() as u32));
}

#[test]
fn the_part_is_told_of_without_nodes_and_has_room_in_a_full_frame() {
    let mut talk = registered();
    let payloads: Vec<_> = (1..=4).map(|sync| talk.sealed(&group(sync))).collect();
    let commands = payloads.iter().zip(1..).map(|(bytes, number)| Outgoing::reliable(4, number, bytes));
    let at = talk.send(Server, commands.collect());
    let frame = &talk.frames[at];
    for detail in [Detail::State, Detail::Columns] {
        let mut run = Run::new(&built(keyed()), detail);
        let pass = run.pass(&talk.frames, false);
        assert_eq!((shown(&pass)[at].part, shown(&pass)[at].items.len()), (Some(0), 0));
    }
    let mut run = Run::new(&built(keyed()), Detail::Labels);
    run.pass(&talk.frames, false);
    let mut packet = packet(frame, &frame.bytes, frame.reported, Detail::Labels, true);
    packet.nodes_before = u32::MAX;
    let shown = show(run.engine.datagram(&packet).expect("a frame of a session"), &frame.bytes);
    assert_eq!(shown.part, Some(Tree::LEAST_NODES), "the commands filled what a result may have");
    assert!(shown.items.len() <= 2 * Tree::LEAST_NODES);
    assert!(["lol", "lol.match", "lol.build", "lol.message.item"].iter().all(|name| shown.has(name)));
    assert_eq!(shown.told("lol.tooMany").len(), 1);
}
