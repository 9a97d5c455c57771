//! Writes the sample captures, `captures/session.env` and `captures/README.md`, all from the project's own encoder.
//!
//! `cargo run --example make-captures [folder]`; the same files on every run.

#[allow(dead_code)] // the capture makers and the tests each use a part of it
mod support;

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("captures");
    let folder = std::env::args_os().nth(1).map_or_else(default, PathBuf::from);
    std::fs::create_dir_all(folder.join("epochs"))?;
    for (name, bytes) in support::files() {
        std::fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}
