//! Writes the sample captures of Minecraft Bedrock, and of others that use RakNet.
//!
//! `cargo run --example make-bedrock [folder]`; the same files on every run, which `make-captures` writes too.

#[allow(dead_code)] // the capture makers and the tests each use a part of it
mod support;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = support::target::target("captures")?;
    std::fs::create_dir_all(&folder)?;
    for tale in support::bedrock::tales().into_iter().chain([support::bedrock::others()]) {
        std::fs::write(folder.join(tale.file), tale.capture.pcap())?;
    }
    Ok(())
}
