//! Writes `captures/other-traffic.pcap`: conversations of other protocols, none of which is the game's.
//!
//! `cargo run --example make-traffic [file]`; the same file on every run.

#[allow(dead_code)] // the capture makers and the tests each use a part of it
mod support;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = support::target::target("captures/other-traffic.pcap")?;
    let (capture, index) = support::traffic::capture();
    for (name, first, last) in index {
        println!("| {first}–{last} | {name} |");
    }
    std::fs::write(file, capture.pcap())?;
    Ok(())
}
