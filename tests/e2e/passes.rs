//! However often and in whatever order packets are dissected, they look the same; and what one pass cannot know yet is
//! little and listed.

use serde_json::Value as Json;

use crate::lab::{shared, Lab};
use crate::pdml::{Item, Packet};
use crate::sharkd::{self, list, text};
use crate::{KEY, SECOND_KEY, SHARED_KEY};

/// The sample captures, without the one that holds nothing for the reader.
pub const CAPTURES: [&str; 16] = [
    "bundle.pcap",
    "compact.pcap",
    "gap.pcap",
    "icmp.pcap",
    "mid-session.pcap",
    "packed.pcap",
    "prefixed.pcap",
    "reconnect.pcap",
    "reordering.pcap",
    "retransmission.pcap",
    "season8.pcap",
    "session.pcap",
    "short.pcap",
    "stock.pcap",
    "two-clients.pcap",
    "wrap.pcap",
];

/// A capture with the preferences it is read with.
type Case = (String, Vec<(&'static str, &'static str)>);

/// Every capture, own and shared, in a lab.
fn cases(lab: &Lab) -> Vec<Case> {
    let keys = "52696674736861726b2073616d706c65,52696674736861726b207365636f6e64";
    assert_eq!(keys, format!("{KEY},{SECOND_KEY}"));
    let mut cases: Vec<Case> = CAPTURES
        .iter()
        .map(|name| {
            let mut prefs = vec![("lol.key", keys)];
            if ["mid-session.pcap", "wrap.pcap"].contains(name) {
                prefs.push(("lol.fallback_build", "1.0.0.136"));
            }
            (lab.capture(name), prefs)
        })
        .collect();
    // A build that nobody states, and a key that nobody gives: the notes about it must not differ either.
    cases.push((lab.capture("mid-session.pcap"), vec![("lol.key", KEY)]));
    cases.push((lab.capture("session.pcap"), vec![]));
    for name in ["session-1.0.0.136", "game-1.0.0.136", "made-4.17.0.267", "made-4.20.0.315"] {
        if let Some(path) = shared(&format!("captures/{name}.pcap")) {
            cases.push((lab.copy(&path), vec![("lol.key", SHARED_KEY)]));
        }
    }
    cases
}

fn packets(lab: &Lab, (capture, prefs): &Case, passes: &[&str]) -> Vec<Packet> {
    let call = lab.tshark(capture).args(passes);
    prefs.iter().fold(call, |call, (name, value)| call.pref(name, value)).pdml()
}

/// The numbers 1 to `count` in an order that is arbitrary and always the same.
fn shuffled(count: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (1..=count as u32).collect();
    let mut state = 0x9E37_79B9_u32;
    for end in (1..order.len()).rev() {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        order.swap(end, (state >> 8) as usize % (end + 1));
    }
    order
}

/// A tree as lines, each with its depth and label.
fn lines_of(items: &[Item], depth: usize, lines: &mut Vec<String>) {
    for item in items.iter().filter(|item| !item.hidden) {
        lines.push(format!("{depth} {}", item.label));
        lines_of(&item.items, depth + 1, lines);
    }
}

fn sharkd_lines(items: &[Json], depth: usize, lines: &mut Vec<String>) {
    for item in items {
        lines.push(format!("{depth} {}", text(&item["l"])));
        sharkd_lines(list(&item["n"]), depth + 1, lines);
    }
}

/// Whether an item of sharkd's is one that our parser of PDML leaves out.
fn is_below(item: &Json) -> bool {
    ["frame", "eth", "ip", "udp"].contains(&text(&item["f"]))
}

#[test]
fn frames_in_random_order_look_as_in_the_second_pass() {
    let Some(lab) = Lab::new() else { return };
    // Layouts that are taken in the course of a session: what came before is read in later passes, and in all of them.
    let tried = [("between.pcap", "auto"), ("neighbour.pcap", "auto"), ("neighbour.pcap", "4.10.0.0")];
    let tried = tried.map(|(name, build)| (lab.capture(name), vec![("lol.key", KEY), ("lol.build", build)]));
    for case in cases(&lab).into_iter().chain(tried) {
        let second = packets(&lab, &case, &["-2"]);
        let infos = {
            let call = lab.tshark(&case.0).args(&["-2"]);
            case.1.iter().fold(call, |call, (name, value)| call.pref(name, value)).fields(&["_ws.col.Info"])
        };
        for frame in sharkd::show(&lab, &[&case.0], &case.1, &shuffled(second.len())) {
            let packet = &second[frame.number as usize - 1];
            let (mut wanted, mut got) = (Vec::new(), Vec::new());
            lines_of(&packet.protocols, 0, &mut wanted);
            let tree: Vec<_> = frame.tree.iter().filter(|item| !is_below(item)).cloned().collect();
            sharkd_lines(&tree, 0, &mut got);
            assert_eq!(got, wanted, "{} frame {}", case.0, frame.number);
            let info = frame.columns.last().map(String::as_str).unwrap_or_default();
            assert_eq!(info, infos[frame.number as usize - 1][0], "{} frame {}", case.0, frame.number);
        }
    }
}

/// What only the second pass shows: the last part of names of links to later frames, which every family has its own of,
/// and of places in world units, where later orders betray the origin.
const AHEAD: &[&str] =
    &[".ackedIn", ".reassembledIn", ".ackIn", ".answerIn", ".world", ".point.x", ".point.z"];

/// What only the second pass shows: a session's build is known from its statement on; before it, only a later pass
/// knows, and with the build what the command is called there.
const ONLY_SECOND: &[&str] = &[
    "lol.build",
    "lol.buildNumber",
    "lol.build.source",
    "lol.build.statedIn",
    "lol.commandName",
    "lol.commandName.source",
    "lol.unknown",
    "lol.origin.x",
    "lol.origin.z",
    "lol.origin.source",
    "lol.map",
];

/// What only the first pass shows.
const ONLY_FIRST: &[&str] = &[
    // What is missing so far, and comes later, out of order.
    "enet.gap",
    "enet.missing",
    // The note that takes the place of the above where the build is not stated yet.
    "lol.buildUnknown",
    // The note on what is not read, which a later pass shows with all of it.
    "lol.unknown",
];

/// What differs because of the above: the titles of a message name its command, that of what is known of the match its
/// build, and each note has an item around it.
const AROUND: &[&str] = &[
    "lol",
    "lol.match",
    "lol.message.item",
    "_ws.expert",
    "_ws.expert.message",
    "_ws.expert.severity",
    "_ws.expert.group",
];

/// One line per item, with its full value, hidden ones too.
fn full_lines(packet: &Packet) -> Vec<(&str, String)> {
    let all = packet.all().into_iter();
    all.map(|item| (item.name.as_str(), format!("{} = {}", item.label, item.show))).collect()
}

/// The lines of one packet that the other does not have, and that may not differ.
fn unlisted<'p>(one: &'p Packet, other: &Packet, listed: &[&str]) -> Vec<(&'p str, String)> {
    let others = full_lines(other);
    let mut lines = full_lines(one);
    lines.retain(|line| !others.contains(line) && !listed.contains(&line.0) && !AROUND.contains(&line.0));
    lines
}

#[test]
fn one_pass_lacks_only_what_it_cannot_know() {
    let Some(lab) = Lab::new() else { return };
    for case in cases(&lab) {
        let (first, second) = (packets(&lab, &case, &[]), packets(&lab, &case, &["-2"]));
        // Frames from before a session that was joined in its middle could be told from chance.
        let claimed = |packet: &Packet| packet.of("enet").next().is_some();
        let late =
            first.iter().zip(&second).filter(|(first, second)| !claimed(first) && claimed(second)).count();
        let joined = ["mid-session.pcap", "wrap.pcap"].iter().any(|name| case.0.ends_with(name));
        assert!(late <= if joined { 3 } else { 0 }, "{}: {late} frames are claimed late", case.0);
        for (first, second) in
            first.iter().zip(&second).filter(|(first, second)| claimed(first) || !claimed(second))
        {
            let surplus = unlisted(first, second, ONLY_FIRST);
            let mut lacking = unlisted(second, first, ONLY_SECOND);
            lacking.retain(|(name, _)| !AHEAD.iter().any(|end| name.ends_with(end)));
            assert!(
                surplus.is_empty() && lacking.is_empty(),
                "{} frame {}: the first pass alone has {surplus:#?}, the second {lacking:#?}",
                case.0,
                first.number
            );
        }
    }
}

#[test]
fn a_capture_opened_after_others_looks_the_same() {
    let Some(lab) = Lab::new() else { return };
    let [session, others @ ..] =
        ["session.pcap", "reconnect.pcap", "mid-session.pcap"].map(|name| lab.capture(name));
    let prefs = [("lol.key", KEY)];
    let order = shuffled(96);
    let alone = sharkd::show(&lab, &[&session], &prefs, &order);
    let after = sharkd::show(&lab, &[&others[0], &session, &others[1], &session], &prefs, &order);
    for (alone, after) in alone.iter().zip(&after) {
        assert_eq!((&after.columns, &after.tree), (&alone.columns, &alone.tree), "frame {}", alone.number);
    }
}
