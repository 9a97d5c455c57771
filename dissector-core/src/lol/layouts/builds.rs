//! The tables of a build, made once: layouts by command, and names of commands.

use super::neighbours;
use crate::book::names::{self, Names};
use crate::layout::{Layout, Sender};
use crate::registry::{BuildTable, Program, REGISTRY};
use crate::version::Build;

/// Builds whose tables are kept at once.
const MOST: usize = 32;

/// What is looked up by command in one build.
#[derive(Debug)]
pub struct BuildTables {
    pub table: BuildTable,
    pub names: Names,
    /// Whether no page holds the build.
    pub between: bool,
    /// Layouts that are tried beside those of the build's page.
    pub others: Vec<&'static Program>,
    /// Where no page holds the build and no table states its numbers: those of the nearest builds with a page.
    pub neighbours: Vec<&'static BuildTable>,
}

impl BuildTables {
    /// The tables of a build, to be kept.
    pub fn new(build: Build) -> BuildTables {
        let holds = |layout: &Layout| layout.commands.iter().any(|command| command.builds.holds(build));
        let between = !REGISTRY.programs.iter().any(|program| holds(program.layout));
        let by_number = between && names::is_after_all_stated(build);
        BuildTables {
            table: REGISTRY.table(build),
            names: Names::of(build),
            between,
            others: alternatives(build).collect(),
            neighbours: if by_number { neighbours::of(build) } else { Vec::new() },
        }
    }

    /// Whether its numbers are only taken over from other builds, names or not.
    pub fn is_by_number(&self) -> bool {
        !self.neighbours.is_empty()
    }

    /// The layouts its neighbours have under a number, and whose they are; nearer ones first.
    pub fn next_door(
        &self,
        command: u16,
        sender: Sender,
    ) -> impl Iterator<Item = (&'static Program, Build)> + '_ {
        self.neighbours.iter().filter_map(move |table| {
            let program = table.program(&REGISTRY, Some(sender), command)?;
            Some((program, table.build))
        })
    }
}

/// Layouts that are tried in a build beside those its page holds.
pub fn alternatives(build: Build) -> impl Iterator<Item = &'static Program> {
    REGISTRY.unplaced.iter().filter(move |program| program.layout.builds.holds(build))
}

/// The tables of the builds met so far.
#[derive(Debug, Default)]
pub struct Builds(Vec<BuildTables>);

impl Builds {
    /// The tables of a build.
    pub fn of(&mut self, build: Build) -> &BuildTables {
        let place = match self.0.iter().position(|known| known.table.build == build) {
            Some(place) => place,
            None => {
                // a capture that states ever new builds must not fill the memory
                if self.0.len() >= MOST {
                    self.0.clear();
                }
                self.0.push(BuildTables::new(build));
                self.0.len() - 1
            }
        };
        &self.0[place]
    }
}
