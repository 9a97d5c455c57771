//! The tables of a build, made once: layouts by command, and names of commands.

use super::inference;
use crate::book::names::Names;
use crate::layout::Layout;
use crate::registry::{BuildTable, Program, REGISTRY};
use crate::version::Build;

/// Builds whose tables are kept at once.
const MOST: usize = 32;

/// What is looked up by command in one build.
#[derive(Debug)]
pub(super) struct Known {
    pub table: BuildTable,
    pub names: Names,
    /// Whether no page holds the build.
    pub between: bool,
    /// Layouts that are tried beside those of the build's page.
    pub others: Vec<&'static Program>,
}

/// The tables of the builds met so far.
#[derive(Debug, Default)]
pub(super) struct Builds(Vec<Known>);

impl Builds {
    /// The tables of a build.
    pub fn of(&mut self, build: Build) -> &Known {
        let place = match self.0.iter().position(|known| known.table.build == build) {
            Some(place) => place,
            None => {
                // a capture that states ever new builds must not fill the memory
                if self.0.len() >= MOST {
                    self.0.clear();
                }
                let holds =
                    |layout: &Layout| layout.commands.iter().any(|command| command.builds.holds(build));
                let others = inference::alternatives(build).collect();
                let between = !REGISTRY.programs.iter().any(|program| holds(program.layout));
                self.0.push(Known { table: REGISTRY.table(build), names: Names::of(build), between, others });
                self.0.len() - 1
            }
        };
        &self.0[place]
    }
}
