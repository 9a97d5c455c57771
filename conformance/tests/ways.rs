//! The C ABI finds what the core finds: the project's own vectors and the shared ones, and what goes wrong is told.

use std::path::Path;

use conformance::{files, load, run, Abi, Core, Reader, Vector};

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

fn all_pass(vectors: &[Vector]) {
    let mut out = Vec::new();
    let summary = run(&mut Abi::default(), vectors, &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert_eq!((summary.passed, summary.failed), (vectors.len(), 0), "{out}");
    assert_eq!(out.lines().last(), Some(format!("{} passed, 0 failed", vectors.len()).as_str()));
}

#[test]
fn own_vectors_pass_through_the_abi() {
    for file in files(&folder()).unwrap() {
        all_pass(&load(&file).unwrap());
    }
}

#[test]
fn shared_vectors_pass_through_the_abi() {
    for (name, count) in
        [("recorded-1.0.0.136.json", 272), ("recorded-4.17-4.20.json", 94), ("generated.json", 1090)]
    {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/vectors").join(name);
        if !file.exists() {
            println!("skipped: no shared vectors {name} here");
            continue;
        }
        let vectors = load(&file).unwrap();
        assert_eq!(vectors.len(), count);
        all_pass(&vectors);
    }
}

/// Both ways of a cut body stop at the same field, and what they read before it is the same.
#[test]
fn a_cut_body_ends_alike_both_ways() {
    for file in files(&folder()).unwrap() {
        for mut vector in load(&file).unwrap() {
            let length = vector.bytes.len() * 2 / 3;
            vector.bytes.truncate(length.max(1));
            let (core, abi) = (Core::default().read(&vector), Abi::default().read(&vector));
            let (Ok(core), Ok(abi)) = (core, abi) else { continue };
            assert_eq!(core.message, abi.message);
            // The core names the field, the ABI says the sentence that people read.
            match (core.cut, abi.cut) {
                (None, None) => assert_eq!((core.fields, core.rest), (abi.fields, abi.rest)),
                (Some(field), Some(said)) => {
                    assert!(said.starts_with(&field), "{said} does not name {field}")
                }
                other => panic!("{} {}: {other:?}", vector.message, vector.version),
            }
        }
    }
}

#[test]
fn what_the_abi_cannot_read_is_told() {
    let mut vector = load(&folder().join("facing.json")).unwrap().remove(0);
    vector.bytes[0] = 7;
    let why = Abi::default().read(&vector).unwrap_err();
    assert!(why.contains("lol.message"), "{why}");
    let mut out = Vec::new();
    let summary = run(&mut Abi::default(), &[vector], &mut out).unwrap();
    assert_eq!((summary.passed, summary.failed), (0, 1));
    assert_eq!(String::from_utf8(out).unwrap().lines().last(), Some("0 passed, 1 failed"));
}
