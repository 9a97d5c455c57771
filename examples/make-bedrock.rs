//! Writes the sample captures of Minecraft Bedrock, and of others that use RakNet.
//!
//! `cargo run --example make-bedrock [folder]`; the same files on every run, which `make-captures` writes too.

#[allow(dead_code)] // the capture makers and the tests each use a part of it
mod support;

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("captures");
    let folder = std::env::args_os().nth(1).map_or_else(default, PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    for tale in support::bedrock::tales().into_iter().chain([support::bedrock::others()]) {
        std::fs::write(folder.join(tale.file), tale.capture.pcap())?;
    }
    Ok(())
}
