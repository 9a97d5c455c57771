//! The generated documentation is what its maker writes.

use std::path::Path;

use conformance::docs::{experts, fields, messages, packets, tried};
use conformance::elastic::template;
use dissector_core::book::MESSAGES;
use dissector_core::registry::REGISTRY;

fn check(name: &str, wanted: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("docs/{name}: {error}"));
    let differs = text.lines().zip(wanted.lines()).find(|(text, wanted)| text != wanted);
    assert!(
        text == wanted,
        "docs/{name} is stale, first in {differs:?}: `cargo run --example make-docs` writes it anew"
    );
}

#[test]
fn messages_are_fresh() {
    check("messages.md", &(messages(MESSAGES) + &tried() + &packets()));
}

#[test]
fn fields_are_fresh() {
    check("fields.md", &(fields(&REGISTRY) + &experts()));
}

#[test]
fn the_index_template_is_fresh() {
    check("elastic/riftshark-template.json", &template(&REGISTRY));
}
