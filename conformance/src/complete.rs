//! Vectors for what no vector covers yet: an entry without bytes for each layout and command row, to be looked over,
//! bettered by hand and filled.

use std::collections::BTreeMap;

use dissector_core::registry::Registry;
use dissector_core::version::Build;
use serde_json::{json, Value as Json};

use crate::json::to_json;
use crate::sample::sample;
use crate::vector::Vector;

/// One command row of one layout at an end of its range, as a vector covers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Name of the message.
    pub message: &'static str,
    /// First part of its filter names, which is also the name of its file.
    pub family: &'static str,
    /// The build.
    pub build: Build,
    /// What a vector of it is there for.
    pub note: String,
}

/// The first and the last build of every command row of every layout that these vectors do not cover.
pub fn gaps(registry: &Registry, vectors: &[Vector]) -> Vec<Gap> {
    let mut gaps = Vec::new();
    for program in &registry.programs {
        for command in program.layout.commands {
            let (from, until) = (command.builds.from, command.builds.until);
            let ends = [(from, "first"), (until, "last")];
            for (build, which) in ends.into_iter().take(if from == until { 1 } else { 2 }) {
                let name = program.message.name;
                if !vectors.iter().any(|vector| vector.message == name && vector.version == build) {
                    let which = if from == until { "only" } else { which };
                    let note = format!("{which} build of command {}", command.number);
                    gaps.push(Gap { message: name, family: program.message.family.prefix, build, note });
                }
            }
        }
    }
    gaps
}

/// An entry for each gap by family, with fields the layout allows and without bytes.
pub fn entries(registry: &Registry, vectors: &[Vector]) -> BTreeMap<&'static str, Vec<Json>> {
    let mut files: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (seed, gap) in gaps(registry, vectors).into_iter().enumerate() {
        let Some((program, _)) = registry.program_of(gap.message, gap.build) else { continue };
        files.entry(gap.family).or_default().push(json!({
            "message": gap.message,
            "version": gap.build.to_string(),
            "channel": program.layout.channel,
            "sender": program.layout.sender.name(),
            "netId": net_id(vectors, gap.message),
            "fields": to_json(&sample(program, seed as u32)),
            "from": "made",
            "note": gap.note,
        }));
    }
    files
}

/// What the header names in the vectors there are of a message: 0 where there are none.
fn net_id(vectors: &[Vector], message: &str) -> u32 {
    let known = vectors.iter().find(|vector| vector.message == message);
    known.and_then(Vector::head).map_or(0, |(_, net_id, _)| net_id)
}
