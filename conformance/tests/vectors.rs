//! The project's own vectors, and the shared ones where they are at hand.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use conformance::{check, files, load, run, Core, Outcome, Vector};
use dissector_core::registry::{Program, REGISTRY};
use dissector_core::version::{since, Range};

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

/// The page whose every layout and command has a vector of the project's own: its families and builds.
const COVERED: ([&str; 6], Range) =
    (["waypoint", "moveorder", "path", "facing", "bounds", "navflags"], since(130));

#[test]
fn own_vectors_cover_every_command_of_every_layout() {
    let mut seen = BTreeSet::new();
    for vector in own() {
        let (_, number) = REGISTRY.program_of(&vector.message, vector.version).unwrap();
        assert_eq!(vector.head().unwrap().0, number);
        seen.insert((vector.message, vector.version));
    }
    let (families, builds) = COVERED;
    let covered = |program: &&Program| {
        families.contains(&program.message.family.prefix) && builds.holds(program.layout.builds.from)
    };
    for program in REGISTRY.programs.iter().filter(covered) {
        for command in program.layout.commands {
            for build in [command.builds.from, command.builds.until] {
                assert!(
                    seen.contains(&(program.message.name.to_owned(), build)),
                    "{} {build}",
                    program.message.name
                );
            }
        }
    }
}

#[test]
fn recorded_messages_are_equal_both_ways() {
    let Some(file) = shared("recorded-1.0.0.136.json") else { return };
    let (passed, _) = all_pass(&load(&file).unwrap());
    assert!(passed >= 157, "only {passed} of the messages of the movement page were compared");
}

#[test]
fn generated_messages_are_equal_both_ways() {
    let Some(file) = shared("generated.json") else { return };
    let (passed, _) = all_pass(&load(&file).unwrap());
    assert!(passed >= 230, "only {passed} of the messages of the movement page were compared");
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
        "in no book: NoSuchMessage 1\n0 passed, 0 failed, 1 skipped\n"
    );
}
