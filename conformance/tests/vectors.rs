//! The project's own vectors, and the shared ones where they are at hand.

use std::path::{Path, PathBuf};

use conformance::{check, complete, files, load, run, Core, Outcome, Vector};
use dissector_core::layout::Evidence;
use dissector_core::registry::REGISTRY;

fn own() -> Vec<Vector> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    files(&folder).unwrap().iter().flat_map(|file| load(file).unwrap()).collect()
}

/// A file of the shared vectors; `None`, and a word about it, in a checkout that has none.
fn shared(name: &str) -> Option<PathBuf> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/vectors").join(name);
    if !file.exists() {
        println!("skipped: no shared vectors {name} here");
    }
    file.exists().then_some(file)
}

fn all_pass(vectors: &[Vector]) -> (usize, usize) {
    let mut out = Vec::new();
    let summary = run(&mut Core::default(), vectors, &mut out).unwrap();
    println!("{}", String::from_utf8_lossy(&out));
    assert_eq!(summary.failed, 0, "{}", String::from_utf8_lossy(&out));
    (summary.passed, summary.skipped.values().sum())
}

#[test]
fn own_vectors_are_equal_both_ways() {
    let vectors = own();
    let (passed, skipped) = all_pass(&vectors);
    assert_eq!((passed, skipped), (vectors.len(), 0));
    assert!(vectors.iter().all(|vector| !vector.note.is_empty()));
}

#[test]
fn own_vectors_cover_every_command_of_every_layout() {
    let vectors = own();
    assert_eq!(complete::gaps(&REGISTRY, &vectors), [], "`conformance --complete` makes what is missing");
    for vector in &vectors {
        let (_, number) = REGISTRY.program_of(&vector.message, vector.version).unwrap();
        assert_eq!(vector.head().unwrap().0, number, "{} {}", vector.message, vector.version);
    }
}

/// Where a plain table misleads, a vector says so: message, build and a part of its note.
const BEHAVIOUR: [(&str, &str, &str); 8] = [
    ("VoiceOverride", "1.0.0.136", "3 does not reset"),
    ("VoiceOverride", "1.0.0.147", "3 resets"),
    ("WaypointAck", "1.0.0.136", "answers a Path"),
    ("WaypointAck", "1.0.0.24", "answers a Path"),
    ("WaypointGroup", "1.0.0.136", "above 32767"),
    ("WaypointGroup", "0.9.25.36", "from 32768 on"),
    ("AnimationOverrides", "1.0.0.136", "a length of 0"),
    ("Path", "1.0.0.136", "no points"),
];

#[test]
fn own_vectors_hold_what_a_plain_table_misleads_about() {
    let vectors = own();
    for (message, build, note) in BEHAVIOUR {
        let version = build.parse().unwrap();
        let there = |vector: &&Vector| {
            vector.message == message && vector.version == version && vector.note.contains(note)
        };
        assert!(vectors.iter().any(|vector| there(&vector)), "{message} {build}: {note}");
    }
}

#[test]
fn recorded_messages_are_equal_both_ways() {
    let Some(file) = shared("recorded-1.0.0.136.json") else { return };
    assert_eq!(all_pass(&load(&file).unwrap()), (272, 0));
}

#[test]
fn recorded_messages_of_later_builds_are_equal_both_ways() {
    let Some(file) = shared("recorded-4.17-4.20.json") else { return };
    assert_eq!(all_pass(&load(&file).unwrap()), (94, 0));
}

#[test]
fn generated_messages_are_equal_both_ways() {
    let Some(file) = shared("generated.json") else { return };
    assert_eq!(all_pass(&load(&file).unwrap()), (1090, 0));
}

/// What the book says of its evidence is what the recorded messages bear out.
#[test]
fn layouts_are_recorded_or_accepted_where_messages_are() {
    let names = ["recorded-1.0.0.136.json", "recorded-4.17-4.20.json"];
    let [Some(early), Some(late)] = names.map(shared) else { return };
    let recorded = [load(&early).unwrap(), load(&late).unwrap()].concat();
    // Its seats were recorded, as part of messages that nobody handed on.
    let kept_back = ["VersionSync"];
    for program in &REGISTRY.programs {
        let name = program.message.name;
        let of_layout =
            |vector: &&Vector| vector.message == name && program.layout.builds.holds(vector.version);
        let known = program.layout.evidence <= Evidence::Accepted;
        let there = recorded.iter().any(|vector| of_layout(&vector)) || kept_back.contains(&name);
        assert_eq!(known, there, "{name} {}: {}", program.layout.builds, program.layout.evidence.name());
    }
}

#[test]
fn a_difference_names_message_build_and_field() {
    let mut vector = own().into_iter().find(|vector| vector.message == "WaypointAck").unwrap();
    let expected = vector.fields["syncId"].as_u64().unwrap();
    vector.fields["syncId"] = (expected + 1).into();
    let mut out = Vec::new();
    run(&mut Core::default(), &[vector.clone()], &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    let line = format!("WaypointAck {}: syncId: expected {}, got {expected}", vector.version, expected + 1);
    assert_eq!(out.lines().next(), Some(line.as_str()));
    assert_eq!(out.lines().last(), Some("0 passed, 1 failed"));
}

#[test]
fn a_message_of_no_book_is_skipped_and_counted() {
    let mut vector = own().remove(0);
    vector.message = "NoSuchMessage".into();
    assert_eq!(check(&mut Core::default(), &vector), Outcome::Skipped);
    let mut out = Vec::new();
    run(&mut Core::default(), &[vector], &mut out).unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "1 skipped, in no book: NoSuchMessage 1\n0 passed, 0 failed\n"
    );
}

#[test]
fn a_run_that_checks_nothing_does_not_pass() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |path: &std::path::Path| {
        let out = std::process::Command::new(env!("CARGO_BIN_EXE_conformance"))
            .arg(path)
            .output()
            .expect("it runs");
        (out.status.code(), String::from_utf8(out.stdout).unwrap(), String::from_utf8(out.stderr).unwrap())
    };
    let (code, out, err) = run(folder.path());
    assert_eq!((code, out.lines().last()), (Some(2), Some("0 passed, 0 failed")), "{err}");
    assert!(err.contains("nothing was checked"), "{err}");
}
