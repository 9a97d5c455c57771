//! The packet list: who, what and how many in a bounded line, and one note a session on what is not read.

use std::path::PathBuf;

use crate::lab::{Call, Lab};
use crate::KEY;

/// Most characters of an Info line.
const MOST: usize = 220;
/// The key of the recorded captures.
const RECORDED_KEY: &str = "00112233445566778899aabbccddeeff";

/// The captures of the project, and the recorded ones where they are at hand, each with its key.
fn captures(lab: &Lab) -> Vec<(String, &'static str)> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/captures"));
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the project's captures") {
        let name = entry.expect("a file").file_name().into_string().expect("a name of text");
        if name.ends_with(".pcap") || name.ends_with(".pcapng") {
            all.push((lab.capture(&name), KEY));
        }
    }
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/captures"));
    for name in ["game-1.0.0.136", "session-1.0.0.136", "made-4.17.0.267", "made-4.20.0.315"] {
        match std::fs::read(beside.join(format!("{name}.pcap"))) {
            Ok(bytes) => all.push((lab.file(&format!("{name}.pcap"), &bytes), RECORDED_KEY)),
            Err(_) => println!("skipped: no {name}.pcap in ../shared/captures"),
        }
    }
    all
}

fn call<'l>(lab: &'l Lab, (capture, key): &(String, &str), args: &[&str]) -> Call<'l> {
    lab.tshark(capture).key(key).args(args)
}

#[test]
fn a_line_is_bounded_and_names_the_units_of_its_messages() {
    let Some(lab) = Lab::new() else { return };
    let mut named = 0;
    for case in captures(&lab) {
        for passes in [&[][..], &["-2"]] {
            let rows = call(&lab, &case, passes).fields(&[
                "frame.number",
                "_ws.col.Info",
                "lol.unit",
                "enet",
                "_ws.col.Protocol",
                "lol.netId",
            ]);
            for row in rows {
                let cell = |at: usize| row.get(at).map_or("", String::as_str);
                let (frame, info, units) = (cell(0), cell(1), cell(2));
                let about = format!("{} frame {frame}: {info}", case.0);
                // what RakNet's dissector fences in front is not ours to shorten
                let own =
                    info.split_once("} ").filter(|_| info.starts_with('#')).map_or(info, |(_, own)| own);
                assert!(own.chars().count() <= MOST, "{about}");
                assert!(cell(3).is_empty() || !info.is_empty(), "{about}");
                for nothing in [" 0 relocations", " 0 units", " 0 pairs", " 0 points", " 0 bytes"] {
                    assert!(!info.contains(nothing), "{about}");
                }
                // a quoted datagram has the line of what quotes it
                if cell(4) == "LoL" && !units.is_empty() {
                    let shown = |unit: &str| info.contains(unit.trim());
                    assert!(units.split(',').any(shown), "{about} names none of {units}");
                    named += 1;
                    // where nothing is left out, each message's own
                    let mut objects =
                        cell(5).split(',').filter(|unit| !unit.is_empty() && *unit != "0x00000000");
                    assert!(
                        info.contains('…') || objects.all(shown),
                        "{about} does not name all of {}",
                        cell(5)
                    );
                }
            }
        }
    }
    assert!(named > 50, "{named}");
}

/// The notes of a kind that the expert dialogue would list.
fn notes(out: &str, text: &str) -> u32 {
    let rows = out.lines().filter(|line| line.contains(text));
    rows.filter_map(|line| line.split_whitespace().next()?.parse::<u32>().ok()).sum()
}

#[test]
fn one_note_a_session_says_what_is_not_read() {
    let Some(lab) = Lab::new() else { return };
    for case in captures(&lab) {
        let streams = call(&lab, &case, &["-2", "-Y", "lol"]).fields(&["enet.stream"]);
        let mut streams: Vec<_> = streams.into_iter().flatten().filter(|stream| !stream.is_empty()).collect();
        streams.sort_unstable();
        streams.dedup();
        // payloads that come without ENet are of one session here
        let sessions = streams.len().max(1) as u32;
        for passes in [&["-q", "-z", "expert"][..], &["-2", "-q", "-z", "expert"]] {
            let out = call(&lab, &case, passes).clean();
            let not_read = notes(&out, "No layout for command")
                + notes(&out, "not read: ")
                + notes(&out, "The session has not stated its build");
            assert!(not_read <= sessions, "{} has {sessions} sessions: {out}", case.0);
        }
    }
}

#[test]
fn closed_items_say_what_is_inside() {
    let Some(lab) = Lab::new() else { return };
    let session = lab.capture("session.pcap");
    let out = lab.tshark(&session).key(KEY).args(&["-2", "-V"]).clean();
    let begins = |start: &str| out.lines().any(|line| line.trim_start().starts_with(start));
    for start in [
        "ENet Protocol, session 0x",
        "Command: sendReliable, channel 3, ",
        "League of Legends, 1.0.0.136, WaypointGroup 0x",
        "Movement [0]: unit 0x",
        "League of Legends waypoints: sync=984, ",
    ] {
        assert!(begins(start), "no item begins with {start}");
    }
}
