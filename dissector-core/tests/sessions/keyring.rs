//! Keys that are given for some sessions, or come while a capture runs.

use std::io::Write;
use std::net::Ipv4Addr;
use std::time::Duration;

use dissector_core::capture::{Detail, Endpoint, KeyRow, Settings};
use dissector_core::enet::wire::write::Outgoing;
use dissector_core::enet::wire::HeaderVariant;
use dissector_core::engine::Engine;
use dissector_core::lol::cipher::Schedule;

use crate::lab::{passes, Run, Shown};
use crate::wire::*;

const OTHER: [u8; 16] = *b"Riftshark second";
const OTHER_TEXT: &str = "52696674736861726b207365636f6e64";

/// A WaypointGroup of one unit and two points, of [`BUILD`].
const MOVING: [u8; 28] = [
    101, 0, 0, 0, 0, 0xD8, 3, 0, 0, 1, 0, 0, 0, 2, 0, 0x19, 0, 0, 0x40, 0, 0x72, 0xF2, 0x72, 0xF2, 0x60,
    0xF4, 0x8F, 0xF3,
];

fn classic() -> Talk {
    let mut talk = Talk::enciphered(HeaderVariant::Classic);
    talk.open();
    talk
}

/// A row for the sessions of one of the two ends (10 the client, 20 the server), or of any.
fn row(host: u8, port: u16, key: &str, build: &str) -> KeyRow {
    let address = if host > 0 { Ipv4Addr::new(192, 0, 2, host).to_string() } else { String::new() };
    KeyRow { address, port: port.to_string(), key: key.into(), build: build.into(), ..KeyRow::default() }
}

fn rows(rows: Vec<KeyRow>) -> Settings {
    Settings { key_rows: rows, ..Settings::default() }
}

/// What a frame says of its key and its build: state, source, number, build and source of the build.
fn known(shown: &Option<Shown>) -> String {
    let shown = shown.as_ref().expect("it belongs to a session");
    let words = ["lol.key.state", "lol.key.source", "lol.build", "lol.build.source"];
    let [state, from, build, source] = words.map(|name| shown.texts(name).join(","));
    let number = shown.values("lol.key.number").first().map_or(0, |number| *number);
    format!("{state} {from} {number} {build} {source}")
}

#[test]
fn what_came_before_the_registration_is_delivered_once_it_proves_the_key() {
    // the build is known, so nothing but the key can be waited for; two keys, so that no payload decides
    let mut talk = classic();
    let asked = talk.reliable(Server, 4, 1, &group(984));
    let answer = talk.reliable(Client, 1, 1, &ack(984));
    let key = Schedule::new(&KEY).unwrap();
    talk.send(Client, vec![Outgoing::reliable(0, 1, &registration(&key, 7))]);
    let both = Settings { keys: format!("{KEY_TEXT},{KEY_TEXT}"), ..Settings::default() };
    let (first, second) = passes(&built(both), &talk.frames);
    assert!(!first[asked].as_ref().unwrap().has("waypoint"), "two keys alike decide nothing");
    let frame = |place: usize| u64::from(talk.frames[place].id.0);
    assert_eq!(second[asked].as_ref().unwrap().values("waypoint.ackIn"), [frame(answer)]);
    assert_eq!(second[answer].as_ref().unwrap().values("waypoint.ackTo"), [frame(asked)]);
}

#[test]
fn a_registration_that_proves_no_key_lets_nothing_wait() {
    let mut talk = classic();
    let asked = talk.reliable(Server, 4, 1, &group(984));
    talk.reliable(Client, 1, 1, &ack(984));
    let other = Schedule::new(b"Riftshark third.").unwrap();
    talk.send(Client, vec![Outgoing::reliable(0, 1, &registration(&other, 7))]);
    // a second one proves it after all, but what came before is gone
    let key = Schedule::new(&KEY).unwrap();
    talk.send(Client, vec![Outgoing::reliable(0, 2, &registration(&key, 7))]);
    let late = talk.reliable(Client, 1, 2, &ack(984));
    let both = Settings { keys: format!("{KEY_TEXT},{KEY_TEXT}"), ..Settings::default() };
    let (_, second) = passes(&built(both), &talk.frames);
    assert!(second[asked].as_ref().unwrap().has("waypoint"), "later passes read it");
    assert!(!second[late].as_ref().unwrap().has("waypoint.ackTo"));
}

#[test]
fn a_row_is_for_the_sessions_of_its_end() {
    let mut talk = classic();
    talk.register();
    let at = talk.reliable(Server, 3, 1, &group(984));
    for (host, port, covers) in [
        (20, 5_119, true),
        (20, 0, true),
        (10, 50_000, true),
        (0, 5_119, true),
        (0, 0, true),
        (20, 50_000, false),
        (30, 0, false),
        (0, 1, false),
    ] {
        let (first, second) = passes(&rows(vec![row(host, port, KEY_TEXT, "")]), &talk.frames);
        let told = if covers { "verified table 1 1.0.0.136 stated" } else { "none  0  " };
        assert_eq!(known(&second[at]), told, "{host}:{port}");
        let noted = first.iter().flatten().any(|shown| !shown.told("lol.keyNeeded").is_empty());
        assert_eq!(noted, !covers);
    }
}

#[test]
fn the_key_of_a_row_is_tried_before_those_for_all() {
    let mut talk = classic();
    talk.register();
    let at = talk.reliable(Server, 3, 1, &group(984));
    let general = |key: &str| Settings { keys: key.into(), ..rows(vec![row(20, 0, KEY_TEXT, "")]) };
    let (_, second) = passes(&general(KEY_TEXT), &talk.frames);
    assert_eq!(known(&second[at]), "verified table 1 1.0.0.136 stated");
    let wrong = Settings { keys: KEY_TEXT.into(), ..rows(vec![row(20, 0, OTHER_TEXT, "")]) };
    let (_, second) = passes(&wrong, &talk.frames);
    assert_eq!(known(&second[at]), "verified preference 1 1.0.0.136 stated", "the row's does not fit");
}

#[test]
fn a_row_overrides_the_build_of_its_sessions() {
    let mut talk = classic();
    talk.register();
    let at = talk.reliable(Server, 3, 1, &group(984));
    let demanding = |rows: Vec<KeyRow>| Settings {
        build: "1.0.0.131".into(),
        keys: KEY_TEXT.into(),
        key_rows: rows,
        ..Settings::default()
    };
    let told = |rows: Vec<KeyRow>| {
        let (first, second) = passes(&demanding(rows), &talk.frames);
        assert_eq!(known(&first[at]), known(&second[at]));
        let texts = second.iter().flatten().flat_map(|shown| shown.told("lol.buildContradicted"));
        let notes: Vec<_> = texts.map(str::to_owned).collect();
        assert_eq!(notes.len(), 1, "{notes:?}");
        (known(&second[at]), notes.concat())
    };
    let (by_row, note) = told(vec![row(20, 0, "", "1.0.0.139")]);
    assert_eq!(by_row, "verified preference 1 1.0.0.139 keys");
    assert!(
        note.contains("a row of lol.keys or a line of lol.keylog_file demands: leave its build out"),
        "{note}"
    );
    let (elsewhere, note) = told(vec![row(30, 0, "", "1.0.0.139")]);
    assert_eq!(elsewhere, "verified preference 1 1.0.0.131 preference");
    assert!(note.contains("which lol.build demands: set it to auto"), "{note}");
    // of two rows, the one whose key opens the session
    let two = vec![row(20, 0, OTHER_TEXT, "1.0.0.138"), row(0, 0, KEY_TEXT, "1.0.0.139")];
    assert_eq!(told(two).0, "verified table 2 1.0.0.139 keys");
    // a key for any session says nothing of those it does not open
    assert_eq!(
        told(vec![row(0, 0, OTHER_TEXT, "1.0.0.139")]).0,
        "verified preference 1 1.0.0.131 preference"
    );
}

#[test]
fn a_row_says_where_the_map_lies() {
    let mut talk = classic();
    talk.register();
    let at = talk.reliable(Server, 4, 1, &MOVING);
    let origin = |map: &str, origin: &str| {
        let row = KeyRow { map: map.into(), origin: origin.into(), ..row(20, 0, KEY_TEXT, "") };
        let (_, second) = passes(&rows(vec![row]), &talk.frames);
        let shown = second[at].as_ref().unwrap();
        let signed = |name: &str| shown.values(name).first().map(|value| *value as i64);
        let map = shown.values("lol.map").first().copied();
        (signed("lol.origin.x"), signed("lol.origin.z"), map, shown.texts("lol.origin.source").concat())
    };
    assert_eq!(origin("11", ""), (Some(7358), Some(7412), Some(11), "keys".into()));
    assert_eq!(origin("", "-7,9"), (Some(-7), Some(9), None, "keys".into()));
    assert_eq!(origin("11", "-7,9"), (Some(-7), Some(9), Some(11), "keys".into()));
    assert_eq!(origin("", ""), (None, None, None, String::new()));
}

#[test]
fn rows_that_cannot_be_used_are_told_by_number() {
    let wrong = KeyRow { map: "7".into(), ..row(20, 0, "short", "") };
    let engine = Engine::new(&rows(vec![row(20, 0, KEY_TEXT, ""), wrong]));
    let problems = engine.problems().join("\n");
    assert_eq!(engine.problems().len(), 1);
    assert!(problems.starts_with("lol.keys: row 2: key must be 32 hex digits"), "{problems}");
    assert!(problems.contains("; map must be") && !problems.contains("short"), "{problems}");
}

#[test]
fn a_payload_without_enet_takes_build_and_origin_by_its_ends_too() {
    let talk = Talk::new(HeaderVariant::Classic);
    let mut engine = Engine::new(&rows(vec![row(20, 0, "", "1.0.0.136")]));
    let bytes = group(984);
    for (host, reads) in [(20, true), (30, false)] {
        let ends = (talk.ends[0], Endpoint::new(2, &[192, 0, 2, host], 5_119));
        let frame = crate::lab::Frame {
            id: (host.into(), 0),
            time: 0,
            ends,
            bytes: bytes.clone(),
            reported: bytes.len(),
            decode_as: false,
            in_error_pkt: false,
        };
        let packet = crate::lab::packet(&frame, &bytes, bytes.len(), Detail::Labels, false);
        let shown = crate::lab::show(engine.message(&packet, 4, Some(Server)).unwrap(), &bytes);
        assert_eq!(shown.has("waypoint"), reads, "{host}");
    }
}

/// A key file that grows.
struct Log {
    file: tempfile::NamedTempFile,
}

impl Log {
    fn new(text: &str) -> Log {
        let mut log = Log { file: tempfile::NamedTempFile::new().unwrap() };
        log.add(text);
        log
    }

    fn add(&mut self, text: &str) {
        self.file.write_all(text.as_bytes()).unwrap();
        self.file.flush().unwrap();
    }

    fn settings(&self) -> Settings {
        Settings { keylog_file: self.file.path().to_str().unwrap().into(), ..Settings::default() }
    }
}

#[test]
fn a_file_holds_a_key_for_each_match() {
    let mut talk = classic();
    talk.register();
    let at = talk.reliable(Server, 4, 1, &MOVING);
    let log = Log::new(&format!("# two\nKEY {OTHER_TEXT}\nKEY {KEY_TEXT} 192.0.2.20:5119 1.0.0.136 11\n"));
    let (first, second) = passes(&log.settings(), &talk.frames);
    assert_eq!(known(&first[at]), "verified file 3 1.0.0.136 keys");
    assert_eq!(known(&second[at]), "verified file 3 1.0.0.136 keys");
    assert_eq!(second[at].as_ref().unwrap().values("lol.map"), [11]);
}

#[test]
fn a_key_that_comes_late_opens_what_follows_and_what_waited_is_delivered() {
    let mut talk = classic();
    talk.register();
    let asked = talk.reliable(Server, 4, 1, &group(984));
    let answer = talk.reliable(Client, 1, 2, &ack(984));
    let after = talk.frames.len();
    let late = talk.reliable(Client, 1, 3, &ack(984));
    for keys in ["", OTHER_TEXT] {
        let mut log = Log::new("");
        let mut run = Run::new(&Settings { keys: keys.into(), ..log.settings() }, Detail::Labels);
        let early = run.pass(&talk.frames[..after], false);
        assert!(!early[asked].as_ref().unwrap().has("waypoint"));
        // of two that are alike no payload tells which: the registration does
        log.add(&format!("KEY {KEY_TEXT}\nKEY {KEY_TEXT} -\n"));
        std::thread::sleep(Duration::from_millis(1_050));
        let shown = run.read(&talk.frames[late], false);
        assert_eq!(known(&shown), "verified file 1 1.0.0.136 stated", "the build was stated in what waited");
        let frame = |place: usize| u64::from(talk.frames[place].id.0);
        assert_eq!(shown.unwrap().values("waypoint.ackTo"), [frame(asked)]);
        let second = run.pass(&talk.frames, true);
        assert_eq!(second[asked].as_ref().unwrap().values("waypoint.ackIn"), [frame(answer)]);
        let noted = second
            .iter()
            .flatten()
            .any(|shown| !shown.told("lol.keyNeeded").is_empty() || !shown.told("lol.keyWrong").is_empty());
        assert!(!noted, "no key is missing any more");
    }
}

#[test]
fn a_session_without_a_handshake_takes_a_late_key_too() {
    let mut talk = Talk::enciphered(HeaderVariant::Classic);
    talk.open();
    let speech: Vec<_> = (0..9u8).map(|n| other(100 + u16::from(n), 0x4000_0019, &[n; 9])).collect();
    let frames: Vec<_> = (1..).zip(&speech).map(|(n, body)| talk.reliable(Server, 3, n, body)).collect();
    for keys in ["", OTHER_TEXT] {
        let mut log = Log::new("");
        let settings = built(Settings { keys: keys.into(), ..log.settings() });
        let mut run = Run::new(&settings, Detail::Labels);
        let early = run.pass(&talk.frames[..frames[5]], false);
        assert!(early[frames[4]].as_ref().unwrap().has("lol.enciphered"));
        log.add(&format!("KEY {KEY_TEXT} - 1.0.0.139\n"));
        std::thread::sleep(Duration::from_millis(1_050));
        let shown = run.read(&talk.frames[frames[5]], false);
        assert_eq!(known(&shown), "unverified file 1 1.0.0.139 keys");
    }
}

#[test]
fn a_session_that_begins_finds_the_key_written_before_it() {
    let log = Log::new("");
    let mut run = Run::new(&log.settings(), Detail::Labels);
    let mut talk = classic();
    talk.register();
    run.pass(&talk.frames, false);
    // at once: the second is not over
    let mut log = log;
    log.add(&format!("KEY {OTHER_TEXT} :5119\n"));
    let begun = talk.frames.len();
    talk.wait(60_000);
    talk.ends[0] = Endpoint::new(2, &[192, 0, 2, 11], 50_000);
    let key = Schedule::new(&OTHER).unwrap();
    talk.key = Some(key.clone());
    talk.open();
    talk.send(Client, vec![Outgoing::reliable(0, 1, &registration(&key, 8))]);
    let text = talk.reliable(Client, 1, 1, &version_text("1.0.0.136"));
    let shown = run.pass(&talk.frames[begun..], false);
    assert_eq!(known(&shown[text - begun]), "verified file 1 1.0.0.136 stated");
}
