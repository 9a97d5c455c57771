//! The recorded captures beside the project, where they are at hand; the other files tell the same without them.

use std::fs::File;
use std::path::PathBuf;

use dissector_core::capture::{Detail, Endpoint, Settings};
use dissector_core::registry::REGISTRY;
use pcap_file::pcap::PcapReader;
use serde_json::Value as Json;

use crate::lab::{passes, Frame, Run, Shown};

/// The key of the recorded captures.
const KEY: &str = "00112233445566778899aabbccddeeff";
/// Bytes of Ethernet and IPv4 in front of UDP, and of UDP in front of a datagram.
const AHEAD: (usize, usize) = (34, 8);

/// One message as it was shown, or must be.
#[derive(Clone, PartialEq, Debug)]
struct Message {
    frame: u64,
    channel: u64,
    sender: String,
    command: Option<u64>,
    net_id: Option<u64>,
    name: Option<String>,
}

fn beside(file: &str) -> Option<PathBuf> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/captures")).join(file);
    if !path.exists() {
        println!("skipped: no {file} in ../shared/captures");
        return None;
    }
    Some(path)
}

/// The datagrams of a capture.
fn frames(name: &str) -> Option<Vec<Frame>> {
    let file = File::open(beside(&format!("{name}.pcap"))?).unwrap();
    let mut reader = PcapReader::new(file).unwrap();
    let mut frames = Vec::new();
    while let Some(packet) = reader.next_packet() {
        let packet = packet.unwrap();
        let udp = &packet.data[AHEAD.0..];
        let end = |address: usize, port: usize| {
            let number = u16::from_be_bytes([udp[port], udp[port + 1]]);
            Endpoint::new(2, &packet.data[address..address + 4], number)
        };
        let length = usize::from(u16::from_be_bytes([udp[4], udp[5]]));
        let bytes = udp[AHEAD.1..length].to_vec();
        frames.push(Frame {
            id: (frames.len() as u32 + 1, 0),
            time: packet.timestamp.as_nanos() as i64,
            ends: (end(26, 0), end(30, 2)),
            reported: bytes.len(),
            bytes,
            decode_as: false,
            in_error_pkt: false,
        });
    }
    Some(frames)
}

/// The messages of one result, in order.
fn messages_of(frame: u64, sender: &str, shown: &Shown) -> Vec<Message> {
    let roots = shown.items.iter().enumerate().filter(|(_, item)| item.name == "lol.message.item");
    let mut found: Vec<Message> = roots
        .map(|(root, _)| {
            let under = shown.items[root + 1..].iter().take_while(|item| item.place.0 > 1);
            let all: Vec<_> = under.collect();
            let find = |name: &str| all.iter().find(|item| item.name == name);
            let value = |name: &str| find(name).map(|item| item.value);
            Message {
                frame,
                channel: value("lol.channel").unwrap(),
                sender: sender.to_owned(),
                command: value("lol.command"),
                net_id: value("lol.netId"),
                name: find("lol.message").map(|item| item.text.clone()),
            }
        })
        .collect();
    found.extend(shown.messages.iter().flat_map(|message| messages_of(frame, sender, message)));
    found
}

/// The messages of a pass.
fn messages(frames: &[Frame], pass: &[Option<Shown>]) -> Vec<Message> {
    let all = frames.iter().zip(pass);
    all.filter_map(|(frame, shown)| Some((frame, shown.as_ref()?)))
        .flat_map(|(frame, shown)| {
            let sender = shown.texts("lol.sender").first().copied().unwrap_or_default();
            messages_of(frame.id.0.into(), sender, shown)
        })
        .collect()
}

/// The messages a capture must show: command, net id and place of all, names of those this book holds.
fn expected(name: &str) -> Option<Vec<Message>> {
    let text = std::fs::read_to_string(beside(&format!("{name}.expected.json"))?).unwrap();
    let file: Json = serde_json::from_str(&text).unwrap();
    let known = |name: &str| REGISTRY.programs.iter().any(|program| program.message.name == name);
    let all = file["messages"].as_array().unwrap().iter().map(|message| Message {
        frame: message["frame"].as_u64().unwrap(),
        channel: message["channel"].as_u64().unwrap(),
        sender: message["sender"].as_str().unwrap().into(),
        command: message["command"].as_u64(),
        net_id: message["netId"].as_u64(),
        name: message["message"].as_str().filter(|name| known(name)).map(str::to_owned),
    });
    Some(all.collect())
}

fn keyed(key: &str) -> Settings {
    Settings { keys: key.into(), ..Settings::default() }
}

#[test]
fn recorded_captures_show_every_message() {
    for (name, percent) in [("session-1.0.0.136", 90), ("game-1.0.0.136", 95)] {
        let (Some(frames), Some(expected)) = (frames(name), expected(name)) else { return };
        let (first, second) = passes(&keyed(KEY), &frames);
        assert_eq!(messages(&frames, &first), expected, "{name}");
        assert_eq!(messages(&frames, &second), expected, "{name}");
        let game = expected.iter().filter(|message| (1..=4).contains(&message.channel)).count();
        let named = second.iter().flatten().map(|shown| shown.all("lol.commandName").len()).sum::<usize>();
        println!("{name}: {named} of {game} messages on channels 1 to 4 have a name");
        assert!(named * 100 >= game * percent);
    }
}

#[test]
fn the_same_with_the_first_frames_cut_off() {
    let name = "game-1.0.0.136";
    let (Some(mut frames), Some(mut expected)) = (frames(name), expected(name)) else { return };
    frames.drain(..50);
    expected.retain(|message| message.frame > 50);
    let settings = Settings { build: "1.0.0.136".into(), ..keyed(KEY) };
    let mut run = Run::new(&settings, Detail::Labels);
    let first = run.pass(&frames, false);
    let second = run.pass(&frames, true);
    assert_eq!(messages(&frames, &second), expected);
    let book = |all: &[Message]| all.iter().filter(|message| message.name.is_some()).count();
    assert_eq!(book(&messages(&frames, &first)), book(&expected), "one pass loses no book message here");
}

#[test]
fn without_a_key_nothing_is_invented() {
    let Some(frames) = frames("session-1.0.0.136") else { return };
    for key in ["", "ffeeddccbbaa99887766554433221100"] {
        let (_, second) = passes(&keyed(key), &frames);
        assert!(messages(&frames, &second).iter().all(|message| message.name.is_none()));
        let notes = |name: &str| second.iter().flatten().map(|shown| shown.told(name).len()).sum::<usize>();
        assert_eq!(notes("lol.keyNeeded") + notes("lol.keyWrong"), 1);
    }
}
