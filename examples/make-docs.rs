//! Writes `docs/messages.md` from the book and `docs/fields.md` from the registry.
//!
//! `cargo run --example make-docs [folder]`; the same files on every run.

use std::path::PathBuf;

use conformance::docs::{experts, fields, messages, packets, tried};
use dissector_core::book::MESSAGES;
use dissector_core::registry::REGISTRY;

fn main() -> std::io::Result<()> {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs");
    let folder = std::env::args_os().nth(1).map_or_else(default, PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("messages.md"), messages(MESSAGES) + &tried() + &packets())?;
    std::fs::write(folder.join("fields.md"), fields(&REGISTRY) + &experts())
}
