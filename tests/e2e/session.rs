//! A recorded session, whole: every command, every message, in the frame it belongs to.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value as Json;

use conformance::tshark::whole;

use crate::expected::differences;
use crate::lab::{shared, Lab};
use crate::pdml::{Item, Packet};
use crate::SHARED_KEY;

const COMMANDS: [&str; 12] = [
    "acknowledge",
    "connect",
    "verifyConnect",
    "disconnect",
    "ping",
    "sendReliable",
    "sendUnreliable",
    "sendFragment",
    "sendUnsequenced",
    "bandwidthLimit",
    "throttleConfigure",
    "sendUnreliableFragment",
];

/// A shared capture in a lab, with what is expected of it.
pub fn open(name: &str) -> Option<(Lab, String, Json)> {
    let capture = shared(&format!("captures/{name}.pcap"))?;
    let expected = shared(&format!("captures/{name}.expected.json"))?;
    let lab = Lab::new()?;
    let text = fs::read_to_string(expected).expect("the expectation can be read");
    let path = lab.copy(&capture);
    Some((lab, path, serde_json::from_str(&text).expect("the expectation is JSON")))
}

/// The messages expected in each frame, in order.
pub fn by_frame(expected: &Json) -> BTreeMap<u32, Vec<&Json>> {
    let mut frames: BTreeMap<u32, Vec<_>> = BTreeMap::new();
    for message in expected["messages"].as_array().expect("messages") {
        frames.entry(message["frame"].as_u64().expect("a frame") as u32).or_default().push(message);
    }
    frames
}

/// The items of a frame that hold a message: not those of fragments, which are not read yet.
pub fn messages(packet: &Packet) -> Vec<&Item> {
    packet.messages().collect()
}

/// Of the messages on channels 1 to 4, how many there are and how many have a name.
pub fn named(packets: &[Packet]) -> (usize, usize) {
    let on_channels = |item: &&&Item| matches!(item.value("lol.channel"), "1" | "2" | "3" | "4");
    let items: Vec<_> = packets.iter().flat_map(messages).collect();
    let items: Vec<_> = items.iter().filter(on_channels).collect();
    (items.len(), items.iter().filter(|item| !item.value("lol.commandName").is_empty()).count())
}

/// What a packet says of one of its messages, in the terms of the expectation.
fn header(packet: &Packet, item: &Item) -> (Option<i128>, String, Option<i128>, Option<i128>, bool) {
    let number = |name| whole(item.value(name));
    let contained = item.find("lol.container").is_some();
    (
        number("lol.channel"),
        packet.value("lol.sender").to_owned(),
        number("lol.command"),
        number("lol.netId"),
        contained,
    )
}

fn expected_header(message: &Json) -> (Option<i128>, String, Option<i128>, Option<i128>, bool) {
    let number = |name: &str| message[name].as_u64().map(i128::from);
    let sender = message["sender"].as_str().expect("a sender").to_owned();
    (number("channel"), sender, number("command"), number("netId"), message["inContainer"] == true)
}

/// Where a message's body has no layout, its bytes are shown; they must be the expected ones.
fn body_differs(message: &Json, item: &Item) -> bool {
    let bytes = message["bytes"].as_str().expect("bytes");
    item.find("lol.body")
        .is_some_and(|body| !bytes.ends_with(&body.value) || body.value.len() + 10 < bytes.len())
}

fn check_frames(packets: &[Packet], expected: &Json) {
    let frames = by_frame(expected);
    let none = Vec::new();
    for packet in packets {
        let wanted = frames.get(&packet.number).unwrap_or(&none);
        let got = messages(packet);
        let headers: Vec<_> = got.iter().map(|item| header(packet, item)).collect();
        let wanted_headers: Vec<_> = wanted.iter().map(|message| expected_header(message)).collect();
        assert_eq!(headers, wanted_headers, "frame {}", packet.number);
        for (message, item) in wanted.iter().zip(got) {
            assert!(!body_differs(message, item), "frame {}: {message}", packet.number);
            if let Some(name) = message["message"].as_str() {
                let found = differences(name, &message["fields"], item);
                assert!(found.is_empty(), "frame {}: {name}: {found:#?}", packet.number);
            }
        }
    }
}

#[test]
fn every_command_and_message_of_the_recorded_session() {
    let Some((lab, capture, expected)) = open("session-1.0.0.136") else { return };
    let packets = lab.tshark(&capture).args(&["-2"]).key(SHARED_KEY).pdml();
    assert_eq!(packets.len(), 600);
    let commands = expected["enetCommandsByFrame"].as_array().expect("commands");
    let mut count = 0;
    for (packet, wanted) in packets.iter().zip(commands) {
        let word =
            |show: &str| whole(show).and_then(|n| COMMANDS.get(n as usize - 1).copied()).unwrap_or("?");
        let got: Vec<_> = packet.values("enet.command").into_iter().map(word).collect();
        let wanted: Vec<_> = wanted.as_array().expect("a list").iter().filter_map(Json::as_str).collect();
        assert_eq!(got, wanted, "frame {}", packet.number);
        count += got.len();
    }
    assert_eq!(count, 673);
    check_frames(&packets, &expected);
    let (all, named) = named(&packets);
    assert!(named * 10 >= all * 9, "{named} of {all} on channels 1 to 4 have a name");
    assert_sound(&packets);
}

#[test]
fn the_message_in_fragments_is_read_where_it_is_complete() {
    let Some((lab, capture, expected)) = open("session-1.0.0.136") else { return };
    let packets = lab.tshark(&capture).args(&["-2"]).key(SHARED_KEY).pdml();
    let holds = |packet: &&Packet| !packet.values("enet.fragment.reassembledLength").is_empty();
    let joined: Vec<_> = packets.iter().filter(holds).collect();
    assert_eq!(joined.len(), 1, "one message came in fragments");
    let fragments: Vec<u32> =
        joined[0].values("enet.fragment").iter().filter_map(|show| show.parse().ok()).collect();
    assert_eq!(fragments.len(), 5);
    assert_eq!(fragments.iter().max(), Some(&joined[0].number));
    for number in &fragments {
        let packet = &packets[*number as usize - 1];
        assert_eq!(packet.value("enet.reassembledIn"), joined[0].number.to_string(), "frame {number}");
    }
    let frames = by_frame(&expected);
    let messages_there = frames.get(&joined[0].number).map_or(0, Vec::len);
    assert_eq!(messages(joined[0]).len(), messages_there);
    let length = whole(joined[0].value("enet.fragment.reassembledLength")).expect("a length");
    let bytes = frames[&joined[0].number][0]["bytes"].as_str().expect("bytes").len() / 2;
    assert_eq!(length, bytes as i128);
}

/// No item of a packet says that something is malformed or that the reader failed.
pub fn assert_sound(packets: &[Packet]) {
    for packet in packets {
        for name in packet.experts() {
            let bad = ["enet.malformed", "enet.surplus", "lol.malformed", "lol.surplus", "lol.internal"]
                .contains(&name);
            assert!(!bad && !name.starts_with("_ws."), "frame {}: {name}", packet.number);
        }
    }
}
