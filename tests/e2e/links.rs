//! What leads from one packet to others: frame numbers to go to, filters to copy, sessions to follow.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::lab::Lab;
use crate::sharkd::{self, list, text};
use crate::KEY;

/// All items below these, depth first.
fn items<'j>(tree: &'j [Json], all: &mut Vec<&'j Json>) {
    for item in tree {
        all.push(item);
        items(list(&item["n"]), all);
    }
}

#[test]
fn every_frame_number_leads_to_its_frame_and_can_be_copied_as_a_filter() {
    let Some(lab) = Lab::new() else { return };
    let mut names = BTreeSet::new();
    for (capture, last) in
        [("session.pcap", 96), ("retransmission.pcap", 36), ("bedrock-enciphered.pcap", 19)]
    {
        let key = "52696674736861726b2073616d706c65206f6620426564726f636b206b657973";
        let prefs = [("lol.key", KEY), ("bedrock.key", key)];
        let order: Vec<u32> = (1..=last).collect();
        for frame in sharkd::show(&lab, &[&lab.capture(capture)], &prefs, &order) {
            let mut all = Vec::new();
            items(&frame.tree, &mut all);
            for item in all {
                let filter = text(&item["f"]);
                let ours = ["enet.", "lol.", "waypoint.", "path.", "replication.", "bedrock."];
                if text(&item["t"]) == "framenum" && ours.iter().any(|prefix| filter.starts_with(prefix)) {
                    let number = item["fnum"].as_u64().expect("a frame to go to");
                    assert!((1..=last.into()).contains(&number), "{capture} {}: {item}", frame.number);
                    let (name, value) = filter.split_once(" == ").expect("a filter to copy");
                    assert_eq!(value, number.to_string());
                    names.insert(name.to_owned());
                } else if ours.iter().any(|prefix| filter.starts_with(prefix)) {
                    // what names a frame in words alone leads nowhere
                    let label = text(&item["l"]).to_lowercase();
                    let says_frame = [" in: ", " to: ", " of: ", "answers: ", "acknowledges: "]
                        .iter()
                        .any(|word| label.contains(word));
                    assert!(!says_frame, "{capture} {}: {label}", frame.number);
                }
            }
        }
    }
    for name in [
        "bedrock.protocol.statedIn",
        "bedrock.resentFrom",
        "enet.ackTo",
        "enet.ackedIn",
        "enet.fragment",
        "enet.reassembledIn",
        "enet.retransmissionOf",
        "lol.build.statedIn",
        "path.ackIn",
        "waypoint.ackIn",
        "waypoint.ackTo",
    ] {
        assert!(names.contains(name), "{name} is in none of the captures: {names:?}");
    }
}

#[test]
fn a_packet_offers_its_own_session_to_be_followed() {
    let Some(lab) = Lab::new() else { return };
    let of = |capture: &str, frame: u32| -> Vec<[String; 2]> {
        let prefs = [("lol.key", KEY)];
        let frames = sharkd::show(&lab, &[&lab.capture(capture)], &prefs, &[frame]);
        frames.into_iter().flat_map(|frame| frame.follows).filter(|[name, _]| name != "UDP").collect()
    };
    let pair = |name: &str, filter: &str| [name.to_owned(), filter.to_owned()];
    assert_eq!(of("two-clients.pcap", 17), [pair("LoL", "lol.session == 0")]);
    assert_eq!(of("two-clients.pcap", 25), [pair("LoL", "lol.session == 1")]);
    assert_eq!(of("two-clients.pcap", 18), [[""; 2]; 0], "an acknowledgement holds no message");
    // a message of fragments is its session's, too
    assert_eq!(of("session.pcap", 19), [pair("LoL", "lol.session == 0")]);
    assert_eq!(of("bedrock.pcap", 13), [pair("Bedrock", "bedrock.session == 0")]);
}
