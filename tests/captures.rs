//! The sample captures are what their maker writes.

#[path = "../examples/support/mod.rs"]
#[allow(dead_code)] // the capture makers and the tests each use a part of it
mod support;

use std::path::Path;

fn committed(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("captures").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("captures/{name}: {error}"))
}

#[test]
fn committed_files_are_fresh() {
    for (name, bytes) in support::files() {
        // Not assert_eq: nobody wants to read two captures in a test's output.
        assert!(
            committed(name) == bytes,
            "captures/{name} is stale: `cargo run --example make-captures` writes it anew"
        );
    }
}

#[test]
fn captures_stay_small() {
    for (name, bytes) in support::files() {
        let most = match name {
            "other-traffic.pcap" => 60_000,
            "README.md" => 60_000, // it grows with their number
            _ => 20_000,
        };
        assert!(bytes.len() < most, "captures/{name} has {} bytes, which is not below {most}", bytes.len());
    }
}

#[test]
fn notes_name_frames_that_are_there() {
    for story in support::stories::stories() {
        let frames = 1..=story.capture.len();
        assert!(!story.notes.is_empty(), "{}", story.file);
        assert!(story.notes.iter().all(|(frame, _)| frames.contains(frame)), "{}", story.file);
    }
}
