//! What is shown can be typed: every float of every capture, as a filter, finds the packet that shows it.

use std::collections::BTreeSet;

use dissector_core::field::Kind;
use dissector_core::registry::REGISTRY;

use crate::lab::{shared, Lab};
use crate::pdml::Packet;
use crate::{KEY, SECOND_KEY, SHARED_KEY};

/// Longest filter, bytes: below what an argument of a program may have.
const LONGEST: usize = 100_000;

/// A clause a packet: its number, and each float that it shows first of all, as people would type them.
fn clauses(packets: &[Packet]) -> Vec<(u32, String)> {
    let floats: BTreeSet<&str> =
        REGISTRY.fields.iter().filter(|f| f.kind == Kind::Double).map(|f| f.name.as_str()).collect();
    let mut seen = BTreeSet::new();
    let mut clauses = Vec::new();
    for packet in packets {
        let mut clause = format!("frame.number == {}", packet.number);
        let mut is_new = false;
        for item in packet.all() {
            let Ok(value) = item.show.parse::<f64>() else { continue };
            // Wireshark 4.0 reads no number with e+, and none before 4.6 what is no number
            let can_be_typed = value.is_finite() && !item.show.contains("e+");
            let is_float = floats.contains(item.name.as_str()) && can_be_typed;
            if is_float && seen.insert((item.name.clone(), item.show.clone())) {
                clause.push_str(&format!(" && {} == {}", item.name, item.show));
                is_new = true;
            }
        }
        if is_new {
            clauses.push((packet.number, clause));
        }
    }
    clauses
}

/// Filters of whole clauses, each with the frames that it must find.
fn filters(clauses: &[(u32, String)]) -> Vec<(Vec<u32>, String)> {
    let mut filters: Vec<(Vec<u32>, String)> = Vec::new();
    for (number, clause) in clauses {
        match filters.last_mut().filter(|(_, text)| text.len() + clause.len() < LONGEST) {
            Some((frames, text)) => {
                frames.push(*number);
                text.push_str(&format!(" || ({clause})"));
            }
            None => filters.push((vec![*number], format!("({clause})"))),
        }
    }
    filters
}

/// How many floats were typed of a capture.
fn type_all(lab: &Lab, capture: &str, prefs: &[(&str, &str)]) -> usize {
    let call =
        || prefs.iter().fold(lab.tshark(capture).args(&["-2"]), |call, (name, value)| call.pref(name, value));
    let clauses = clauses(&call().pdml());
    for (frames, filter) in filters(&clauses) {
        let found = call().frames(&filter);
        let missed = clauses.iter().find(|(number, _)| frames.contains(number) && !found.contains(number));
        assert!(missed.is_none(), "{capture} does not find {missed:?}");
    }
    clauses.iter().map(|(_, clause)| clause.matches(" && ").count()).sum()
}

#[test]
fn every_float_that_is_shown_finds_its_packet() {
    let Some(lab) = Lab::new() else { return };
    let keys = format!("{KEY},{SECOND_KEY}");
    let mut typed = 0;
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("captures");
    for folder in [folder.join("epochs"), folder] {
        for entry in std::fs::read_dir(folder).expect("the captures are there") {
            let path = entry.expect("a capture").path();
            if path.extension().is_some_and(|end| end == "pcap") {
                let prefs = [("lol.key", keys.as_str()), ("lol.fallback_build", "1.0.0.136")];
                typed += type_all(&lab, &lab.copy(&path), &prefs);
            }
        }
    }
    assert!(typed > 100, "{typed} floats");
}

#[test]
fn every_float_of_the_recorded_captures_finds_its_packet() {
    let Some(lab) = Lab::new() else { return };
    for name in
        ["full-session-1.0.0.136", "game-1.0.0.136", "made-4.17.0.267", "made-4.20.0.315", "bedrock-2208"]
    {
        let Some(capture) = shared(&format!("captures/{name}.pcap")) else { return };
        let typed = type_all(&lab, &lab.copy(&capture), &[("lol.key", SHARED_KEY)]);
        assert!(typed > 0, "{name}: {typed} floats");
    }
}

#[test]
fn a_float_is_found_by_what_people_would_write() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.capture("session.pcap");
    let typed = |filter: &str| lab.tshark(&capture).key(KEY).frames(filter);
    let shown =
        lab.tshark(&capture).key(KEY).args(&["-Y", "effect.lasts"]).fields(&["frame.number", "effect.lasts"]);
    let (frame, value) = (shown[0][0].parse::<u32>().unwrap(), shown[0][1].split(',').next().unwrap());
    assert!(typed(&format!("effect.lasts == {value}")).contains(&frame));
    // a flag is a yes or no of its word, and a time has its unit behind it in the tree alone
    let packets = lab.tshark(&capture).key(KEY).args(&["-Y", "effect.lasts"]).pdml();
    let all: Vec<_> = packets.iter().flat_map(Packet::all).collect();
    let label = |name: &str| all.iter().find(|item| item.name == name).map(|item| item.label.as_str());
    assert_eq!(label("effect.lasts"), Some(&*format!("Lasts: {value} s")));
    assert_eq!(label("enet.flags.sentTime"), Some("1... .... .... .... = Sent time present: Set"));
    assert!(label("enet.sentTime").is_some_and(|label| label.ends_with(" ms")));
    let both = [typed("enet.flags.sentTime == 1"), typed("enet.flags.sentTime == 0")];
    assert!(
        both.iter().all(|frames| !frames.is_empty()) && !both[0].iter().any(|frame| both[1].contains(frame))
    );
}
