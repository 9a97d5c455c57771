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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::version::b;

    #[test]
    fn numbers_are_those_of_neighbours_where_neither_page_nor_table_states_them() {
        for (build, between, by_number) in [
            ("1.0.0.24", false, false),
            ("1.0.0.25", true, false),
            ("1.0.0.126", true, false),
            ("1.0.0.130", false, false),
            ("3.1.0.0", false, false),
            ("3.1.0.1", true, true),
            ("4.17.0.232", true, true),
            ("4.17.0.268", false, false),
            ("4.18.0.100", true, true),
            ("4.20.0.315", false, false),
            ("4.20.0.316", true, true),
        ] {
            let tables = BuildTables::new(build.parse().unwrap());
            assert_eq!((tables.between, tables.is_by_number()), (between, by_number), "{build}");
            assert_eq!(tables.table.build.to_string(), build);
        }
    }

    #[test]
    fn neighbours_lend_what_they_have_under_a_number() {
        let next_door = |build: &str, command, sender| {
            let tables = BuildTables::new(build.parse().unwrap());
            let found = tables.next_door(command, sender);
            found.map(|(program, of)| (program.message.name, of.to_string())).collect::<Vec<_>>()
        };
        let both = [("FaceDirection", "4.17.0.268".to_owned()), ("FaceDirection", "4.20.0.315".to_owned())];
        assert_eq!(next_door("4.18.0.100", 80, Sender::Server), both);
        let after = next_door("4.20.0.314", 80, Sender::Server);
        assert_eq!(after, [both[1].clone(), both[0].clone()], "the nearer first");
        assert_eq!(next_door("5.1.0.0", 80, Sender::Server), both[1..]);
        assert_eq!(next_door("5.1.0.0", 60_000, Sender::Server), []);
        assert_eq!(next_door("1.0.0.126", 80, Sender::Server), [], "a table states its numbers");
    }

    #[test]
    fn layouts_that_no_page_places_are_tried_in_their_builds_only() {
        let names =
            |build: Build| alternatives(build).map(|program| program.message.name).collect::<Vec<_>>();
        let at_speed = "WaypointGroupAtSpeed";
        assert_eq!(names(Build::new(0, 9, 22, 13)), [""; 0]);
        for build in [Build::new(0, 9, 22, 14), b(24)] {
            assert_eq!(names(build), [at_speed; 2], "{build}");
        }
        for build in [b(25), b(129)] {
            assert_eq!(names(build), ["WaypointGroup", at_speed, at_speed], "{build}");
            assert_eq!(BuildTables::new(build).others.len(), 3);
        }
        assert_eq!(names(b(130)), [""; 0]);
    }

    #[test]
    fn tables_are_made_once_and_as_many_kept_as_there_is_room_for() {
        let mut builds = Builds::default();
        for round in 0..2 {
            for (number, kept) in (0..32).zip(1..) {
                assert_eq!(builds.of(b(number)).table.build, b(number));
                assert_eq!(builds.0.len(), if round == 0 { kept } else { 32 });
            }
        }
        assert_eq!(builds.of(b(300)).table.build, b(300));
        assert_eq!(builds.0.len(), 1, "one more makes room for all");
        assert_eq!((builds.of(b(0)).table.build, builds.of(b(300)).table.build), (b(0), b(300)));
        assert_eq!(builds.0.len(), 2);
    }
}
