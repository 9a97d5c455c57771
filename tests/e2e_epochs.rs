//! Captures of every epoch end to end: the right layout for every message, every body used up, and nothing set but the key.
//!
//! `RIFTSHARK_PLUGIN` names the plugin, as for the other end-to-end tests.

#[allow(dead_code)] // these are shared with the other end-to-end tests, and each uses a part of them
#[path = "e2e/lab.rs"]
mod lab;
#[allow(dead_code)]
#[path = "e2e/pdml.rs"]
mod pdml;
#[path = "../examples/support/mod.rs"]
#[allow(dead_code, unused_imports)] // the capture makers and the tests each use a part of it
mod support;

use std::collections::BTreeMap;

use conformance::compare::differences;
use conformance::item::{self, reading, Item};
use conformance::json::from_json;
use conformance::tshark::packets;
use dissector_core::encode::Value;
use dissector_core::layout::Evidence;
use dissector_core::registry::REGISTRY;
use dissector_core::version::Build;
use lab::{shared, Lab};
use support::epochs::{epochs, Epoch};

/// The key of the sample captures.
const KEY: &str = "52696674736861726b2073616d706c65";

/// The key of the captures beside the checkout.
const SHARED_KEY: &str = "00112233445566778899aabbccddeeff";

/// The packets of a capture, read in two passes with nothing set but the key.
fn read(lab: &Lab, capture: &str, key: &str) -> Vec<Vec<Item>> {
    let text = lab.tshark(capture).args(&["-2", "-T", "pdml"]).key(key).clean();
    packets(&text).unwrap_or_else(|why| panic!("{why}"))
}

/// What a packet shows of its messages, each with the item it stands in.
fn messages(packet: &[Item]) -> Vec<(&Item, &Item)> {
    let items = packet.iter().filter(|item| item.name == "lol");
    items.flat_map(|lol| item::messages(lol).map(move |message| (lol, message))).collect()
}

/// Fails where something is malformed or left over, or where no build is known.
fn assert_sound(packet: &[Item], about: &str) {
    const BAD: [&str; 7] = [
        "lol.malformed",
        "lol.short",
        "lol.surplus",
        "lol.internal",
        "lol.buildUnknown",
        "enet.malformed",
        "_ws.malformed",
    ];
    let bad = packet.iter().flat_map(Item::all).find(|item| BAD.contains(&item.name.as_str()));
    assert!(bad.is_none(), "{about}: {:?}", bad.map(|item| &item.name));
}

/// Fails where a message is not read as what was sent.
fn assert_reads((lol, item): (&Item, &Item), build: Build, name: &str, fields: &Value, about: &str) {
    let read = reading(lol, item, build).unwrap_or_else(|why| panic!("{about}: {why}"));
    assert_eq!(read.message, name, "{about}");
    assert_eq!(read.rest, [0; 0], "{about}");
    let found = differences(fields, &read.fields);
    assert!(found.is_empty(), "{about}: {found:#?}");
}

fn text<'i>(item: &'i Item, name: &str) -> &'i str {
    item.find(name).and_then(|item| item.text.as_deref()).unwrap_or_default()
}

fn check(lab: &Lab, epoch: &Epoch) {
    let packets = read(lab, &lab.file("epoch.pcap", &epoch.capture.pcap()), KEY);
    assert_eq!(packets.len(), epoch.capture.len(), "{}", epoch.file);
    for (index, packet) in packets.iter().enumerate() {
        let about = format!("{} frame {}", epoch.file, index + 1);
        assert_sound(packet, &about);
        assert!(packet.iter().any(|item| text(item, "enet.shape") == epoch.variant.name()), "{about}");
    }
    for sent in &epoch.sent {
        let name = sent.program.message.name;
        let about = format!("{} frame {}: {name}", epoch.file, sent.frame);
        let found = messages(&packets[sent.frame - 1]);
        let [(lol, item)] = found.as_slice() else { panic!("{about}: {} messages", found.len()) };
        assert_eq!(text(lol, "lol.sender"), sent.sender.name(), "{about}");
        assert_reads((lol, item), epoch.build, name, &sent.fields, &about);
        // Only what the book itself calls inferred may be read by assumption.
        let inferred = sent.program.layout.evidence == Evidence::Inferred;
        assert!(inferred || item.find("lol.inferred").is_none(), "{about}");
        // The specification's pages end with 3.1.0.0.
        let borne_out = sent.program.layout.evidence <= Evidence::Accepted;
        let basis = if epoch.build.parts()[0] > 3 && borne_out { "recorded" } else { "book" };
        assert!(inferred || text(item, "lol.layout.basis") == basis, "{about}");
    }
    let all = REGISTRY.programs.iter().filter(|program| {
        let found = REGISTRY.program_of(program.message.name, epoch.build);
        found.is_some_and(|(found, _)| std::ptr::eq(found, *program))
    });
    assert_eq!(epoch.sent.len(), all.count(), "{}: every message the book has", epoch.file);
}

#[test]
fn every_message_of_every_epoch_has_its_layout() {
    let Some(lab) = Lab::new() else { return };
    let epochs = epochs();
    assert_eq!(epochs.len(), 18);
    epochs.iter().for_each(|epoch| check(&lab, epoch));
}

/// Made captures of later builds from beside the checkout: header shape, build and every message, in order.
fn check_made(name: &str, shape: &str, count: usize) {
    let Some(capture) = shared(&format!("captures/{name}.pcap")) else { return };
    let Some(expected) = shared(&format!("captures/{name}.expected.json")) else { return };
    let Some(lab) = Lab::new() else { return };
    let expected = std::fs::read_to_string(expected).expect("the expectation can be read");
    let expected: serde_json::Value = serde_json::from_str(&expected).expect("the expectation is JSON");
    let build: Build = expected["build"].as_str().and_then(|build| build.parse().ok()).expect("a build");
    let key = expected["key"].as_str().expect("a key");
    let packets = read(&lab, &lab.copy(&capture), key);
    for (index, packet) in packets.iter().enumerate() {
        let about = format!("{name} frame {}", index + 1);
        assert_sound(packet, &about);
        assert!(packet.iter().any(|item| text(item, "enet.shape") == shape), "{about}");
    }
    // In front of the messages both ends register.
    let shown: Vec<_> = packets.iter().flat_map(|packet| messages(packet)).collect();
    let shown: Vec<_> = shown.into_iter().filter(|(_, item)| text(item, "lol.channel") != "0").collect();
    let wanted = expected["messages"].as_array().expect("messages");
    assert_eq!((shown.len(), wanted.len()), (count, count), "{name}");
    for (index, ((lol, item), wanted)) in shown.iter().zip(wanted).enumerate() {
        let message = wanted["message"].as_str().expect("a name");
        let about = format!("{name} message {index}: {message}");
        let (program, _) = REGISTRY.program_of(message, build).unwrap_or_else(|| panic!("{about}"));
        let fields = from_json(&wanted["fields"], program.layout.rows);
        assert_reads((lol, item), build, message, &fields, &about);
        assert_eq!(item.find("lol.container").is_some(), wanted["inContainer"] == true, "{about}");
        assert_eq!(text(item, "lol.channel"), wanted["channel"].to_string(), "{about}");
        assert_eq!(text(lol, "lol.sender"), wanted["sender"].as_str().expect("a sender"), "{about}");
    }
}

#[test]
fn made_captures_of_4_20_need_nothing_but_the_key() {
    check_made("made-4.20.0.315", "prefixed", 40);
}

#[test]
fn made_captures_of_4_17_need_nothing_but_the_key() {
    check_made("made-4.17.0.267", "compact", 43);
}

/// How many messages have each basis, read with these settings in one pass and in two.
fn bases(lab: &Lab, capture: &str, key: &str, prefs: &[(&str, &str)]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for passes in [&[][..], &["-2"]] {
        let call = lab.tshark(capture).args(passes).args(&["-T", "pdml"]).key(key);
        let out = prefs.iter().fold(call, |call, (name, value)| call.pref(name, value)).clean();
        let packets = packets(&out).unwrap_or_else(|why| panic!("{why}"));
        for (_, item) in packets.iter().flat_map(|packet| messages(packet)) {
            if item.find("lol.layout.basis").is_some() {
                *counts.entry(text(item, "lol.layout.basis").to_owned()).or_insert(0) += 1;
            }
        }
    }
    counts
}

#[test]
fn shifted_numbers_are_not_read() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.file("shifted.pcap", &support::stories::between::shifted().capture.pcap());
    // as what it states, and as builds that no name reaches
    for prefs in [&[][..], &[("lol.build", "3.9.0.0")], &[("lol.build", "5.1.0.0")]] {
        let bases = bases(&lab, &capture, KEY, prefs);
        assert_eq!(bases.keys().collect::<Vec<_>>(), ["none"], "{prefs:?}: {bases:?}");
        assert_eq!(bases["none"], 2 * 64, "{prefs:?}");
    }
}

#[test]
fn a_recorded_session_is_not_read_as_a_build_of_other_numbers() {
    let Some(capture) = shared("captures/game-1.0.0.136.pcap") else { return };
    let Some(lab) = Lab::new() else { return };
    let capture = lab.copy(&capture);
    for build in ["3.9.0.0", "4.10.0.0", "4.18.0.100", "5.1.0.0"] {
        let bases = bases(&lab, &capture, SHARED_KEY, &[("lol.build", build)]);
        assert_eq!(bases.keys().collect::<Vec<_>>(), ["none"], "{build}: {bases:?}");
    }
}
