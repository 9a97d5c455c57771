//! Holding a reader to vectors, and what comes of it.

use std::collections::BTreeMap;
use std::io::{self, Write};

use dissector_core::encode::message;

use crate::compare::{difference, differences, Difference};
use crate::json::from_json;
use crate::reader::Reader;
use crate::vector::Vector;

/// What became of one vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Equal both ways.
    Passed,
    /// Not equal.
    Failed(Vec<Difference>),
    /// The book has no such message in that build.
    Skipped,
}

/// What became of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Vectors equal both ways.
    pub passed: usize,
    /// Vectors that are not.
    pub failed: usize,
    /// Messages the book does not have, and how many vectors of each.
    pub skipped: BTreeMap<String, usize>,
}

/// Reads a vector, compares, writes its fields back, compares again.
pub fn check(reader: &mut dyn Reader, vector: &Vector) -> Outcome {
    let Some((program, _)) = reader.registry().program_of(&vector.message, vector.version) else {
        return Outcome::Skipped;
    };
    let expected = from_json(&vector.fields, program.layout.rows);
    let mut found = match reader.read(vector) {
        Err(why) => vec![difference("payload", "a reading", &why)],
        Ok(reading) if reading.message != vector.message => {
            vec![difference("message", &vector.message, &reading.message)]
        }
        Ok(reading) => {
            let mut found = differences(&expected, &reading.fields);
            if let Some(field) = reading.cut {
                found.push(difference(field, "bytes", "the end of the body"));
            }
            if reading.rest != vector.rest {
                found.push(difference("left over", &digits(&vector.rest), &digits(&reading.rest)));
            }
            found
        }
    };
    let net_id = vector.head().map_or(0, |(_, net_id, _)| net_id);
    match message(program, vector.version, net_id, Some(vector.channel), &expected) {
        Err(why) => found.push(difference("written back", "bytes", &why.to_string())),
        Ok(mut bytes) => {
            bytes.extend(&vector.rest);
            if bytes != vector.bytes {
                found.push(difference("written back", &digits(&vector.bytes), &digits(&bytes)));
            }
        }
    }
    if found.is_empty() {
        Outcome::Passed
    } else {
        Outcome::Failed(found)
    }
}

fn digits(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        "no bytes".to_owned()
    } else {
        hex::encode(bytes)
    }
}

/// Checks vectors one after another and writes each difference, then how many passed.
pub fn run(reader: &mut dyn Reader, vectors: &[Vector], out: &mut dyn Write) -> io::Result<Summary> {
    reader.prepare(vectors).map_err(io::Error::other)?;
    let mut summary = Summary::default();
    for vector in vectors {
        match check(reader, vector) {
            Outcome::Passed => summary.passed += 1,
            Outcome::Skipped => *summary.skipped.entry(vector.message.clone()).or_default() += 1,
            Outcome::Failed(found) => {
                summary.failed += 1;
                for difference in found {
                    writeln!(out, "{} {}: {difference}", vector.message, vector.version)?;
                }
            }
        }
    }
    if !summary.skipped.is_empty() {
        let names: Vec<_> = summary.skipped.iter().map(|(name, count)| format!("{name} {count}")).collect();
        let count: usize = summary.skipped.values().sum();
        writeln!(out, "{count} skipped, in no book: {}", names.join(", "))?;
    }
    writeln!(out, "{summary}")?;
    Ok(summary)
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}
