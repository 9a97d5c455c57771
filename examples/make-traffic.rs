//! Writes `captures/other-traffic.pcap`: conversations of other protocols, none of which is the game's.
//!
//! `cargo run --example make-traffic [file]`; the same file on every run.

#[allow(dead_code)] // the capture makers and the tests each use a part of it
mod support;

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("captures/other-traffic.pcap");
    let file = std::env::args_os().nth(1).map_or_else(default, PathBuf::from);
    let (capture, index) = support::traffic::capture();
    for (name, first, last) in index {
        println!("| {first}–{last} | {name} |");
    }
    std::fs::write(file, capture.pcap())
}
