//! Names of command numbers, with or without a layout in the book: facts from public command tables.
//!
//! Three tables, each where its builds are: `early` states numbers for 61 builds up to 1.0.0.131, `carried` moves the
//! last of them on to 3.1.0.0, and `season4` lists 4.20 and is taken over from 4.17 on. A name says what a message is
//! called, never how it is laid out.

mod carried;
mod early;
mod season4;

use crate::version::{Build, Range};
use early::{LINES, LISTED, NONE};

/// How surely a name belongs to a number in a build.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Source {
    /// A table of this very build says so.
    Stated,
    /// Taken over from tables of other builds.
    Carried,
}

/// Highest command number with a name, plus one.
const NUMBERS: usize = season4::NAMES.len();

/// The build of `season4`.
const SEASON4: Build = Build::new(4, 20, 0, 315);

/// Builds that numbered their commands nearly as `SEASON4` does: every message that the pages of 4.17 and of 4.20 both
/// have stands under one number in both, so what lies between is taken to keep to it too.
const NEAR_SEASON4: Range = Range { from: Build::new(4, 17, 0, 0), until: Build::new(4, 20, 0, 314) };

/// The names of one build, ready to be looked up once per message.
#[derive(Clone, Debug)]
pub struct Names {
    source: Source,
    names: [Option<&'static str>; NUMBERS],
}

impl Names {
    /// The names of a build: none where no table reaches it.
    pub fn of(build: Build) -> Names {
        let mut names = [None; NUMBERS];
        let source = match LISTED.binary_search(&build) {
            Ok(place) => {
                state(&mut names, place);
                Source::Stated
            }
            Err(next) => {
                carry(&mut names, build, next);
                Source::Carried
            }
        };
        if build == SEASON4 || NEAR_SEASON4.holds(build) {
            names = season4::NAMES.map(Some);
        }
        Names { source: if build == SEASON4 { Source::Stated } else { source }, names }
    }

    /// The name of a command number, and how sure it is.
    pub fn get(&self, command: u16) -> Option<(&'static str, Source)> {
        let name = (*self.names.get(usize::from(command))?)?;
        Some((name, self.source))
    }
}

/// The name of a command number in a build. Walks the tables: for more than one, keep the build's [`Names`].
pub fn name(build: Build, command: u16) -> Option<(&'static str, Source)> {
    Names::of(build).get(command)
}

/// Whether a build is later than every build but `SEASON4` whose numbers a table states.
pub fn is_after_all_stated(build: Build) -> bool {
    LISTED.last().is_some_and(|last| build > *last) && build != SEASON4
}

/// Fills in what the listed build at `place` states.
fn state(names: &mut [Option<&'static str>; NUMBERS], place: usize) {
    for (name, pairs) in LINES {
        let number = number_at(pairs, place);
        if number != NONE {
            names[usize::from(number)] = Some(name);
        }
    }
}

/// Fills in what other builds lend to one that is not listed; `next` is the place of the first listed build after it.
fn carry(names: &mut [Option<&'static str>; NUMBERS], build: Build, next: usize) {
    if 0 < next && next < LISTED.len() {
        for (name, pairs) in LINES {
            let (before, after) = (number_at(pairs, next - 1), number_at(pairs, next));
            if before == after && before != NONE {
                names[usize::from(before)] = Some(name);
            }
        }
    }
    let Some(moved) = carried::MOVED.iter().find(|moved| moved.builds.holds(build)) else { return };
    for (name, pairs) in LINES {
        let number = number_at(pairs, LISTED.len() - 1);
        let span = moved.spans.iter().find(|span| span.first <= number && number <= span.last);
        if let Some(span) = span {
            names[usize::from(number).wrapping_add_signed(span.by.into())] = Some(name);
        }
    }
}

/// The number a name has in the listed build at `place`, or [`NONE`].
fn number_at(pairs: &[(early::Mark, u8)], place: usize) -> u8 {
    let mark = early::mark(place);
    pairs.iter().rev().find(|(from, _)| *from <= mark).map_or(NONE, |(_, number)| *number)
}

#[cfg(test)]
mod tests;
