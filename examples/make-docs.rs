//! Writes `docs/messages.md` from the book, and `docs/fields.md` and `docs/elastic/riftshark-template.json` from the
//! registry.
//!
//! `cargo run --example make-docs [folder]`; the same files on every run.

#[path = "support/target.rs"]
mod target;

use conformance::docs::{experts, fields, messages, packets, tried};
use conformance::elastic::template;
use dissector_core::book::MESSAGES;
use dissector_core::registry::REGISTRY;

use target::target;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = target("docs")?;
    std::fs::create_dir_all(folder.join("elastic"))?;
    std::fs::write(folder.join("messages.md"), messages(MESSAGES) + &tried() + &packets())?;
    std::fs::write(folder.join("fields.md"), fields(&REGISTRY) + &experts())?;
    std::fs::write(folder.join("elastic/riftshark-template.json"), template(&REGISTRY))?;
    Ok(())
}
