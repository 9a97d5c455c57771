//! Writes the sample captures, `captures/session.env` and `captures/README.md`, all from the project's own encoder.
//!
//! `cargo run --example make-captures [folder]`; the same files on every run.

#[allow(dead_code)] // the capture makers and the tests each use a part of it
mod support;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = support::target::target("captures")?;
    std::fs::create_dir_all(folder.join("epochs"))?;
    for (name, bytes) in support::files() {
        std::fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}
