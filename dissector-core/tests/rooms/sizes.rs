//! Files and functions keep a size that can be read at one sitting.

use std::fs;
use std::path::{Path, PathBuf};

use crate::source::{bare, block};

/// Lines of a file of Rust; a table of the book may be as long as its page.
const MOST_LINES: usize = 400;
/// Lines of a file of the shim.
const MOST_OF_SHIM: usize = 300;
/// Lines of a function, its braces included.
const MOST_OF_FUNCTION: usize = 60;

/// The files below a folder of the checkout with this ending, the checkout's own only.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                if !path.ends_with("target") {
                    open.push(path);
                }
            } else if path.extension().is_some_and(|found| found == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn rust() -> Vec<PathBuf> {
    let folders = ["dissector-core", "wireshark-ffi", "conformance", "tests", "examples"];
    folders.iter().flat_map(|folder| files(folder, "rs")).collect()
}

fn is_table(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "book")
}

#[test]
fn no_file_outgrows_its_place() {
    let mut long = Vec::new();
    for (paths, most) in [(rust(), MOST_LINES), (files("shim", "c"), MOST_OF_SHIM)] {
        assert!(!paths.is_empty() || most == MOST_OF_SHIM);
        for path in paths.iter().filter(|path| !is_table(path)) {
            let lines = fs::read_to_string(path).unwrap().lines().count();
            // the ABI's structures are one list, as a table is
            if lines > most && !path.ends_with("wireshark-ffi/src/abi.rs") {
                long.push(format!("{}: {lines} lines", path.display()));
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn no_function_outgrows_a_page() {
    let mut long = Vec::new();
    for path in rust() {
        let text = bare(&fs::read_to_string(&path).unwrap());
        for (at, _) in text.match_indices("fn ") {
            let line = text[..at].rfind('\n').map_or(0, |at| at + 1);
            let opens = text[line..at].trim();
            let begins =
                opens.is_empty() || opens.starts_with("pub") || opens == "const" || opens == "unsafe";
            let Some(brace) = text[at..].find(['{', ';']).filter(|_| begins) else { continue };
            if text[at + brace..].starts_with(';') {
                continue;
            }
            let lines = text[at..at + brace + block(&text[at + brace..])].lines().count();
            if lines > MOST_OF_FUNCTION {
                let name = text[at + 3..].split(['(', '<']).next().unwrap_or_default();
                long.push(format!("{}: {name} has {lines} lines", path.display()));
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}
