//! Layouts for builds that no page holds, and for shapes no page surely places: tried on the bodies of a session.

use foldhash::HashMap;
use once_cell::sync::Lazy;

use crate::book::names::{Names, Source};
use crate::decode::{self, Facts, Input};
use crate::layout::{Message, Sender};
use crate::registry::{Program, REGISTRY};
use crate::tree::Tree;
use crate::version::Build;

/// Bodies of a session that must be used up exactly, all messages together, before any layout is taken.
const ENOUGH: u32 = 12;
/// Bodies of one message that must be, besides.
const ENOUGH_OF_ONE: u32 = 2;
/// Of a hundred bodies that were tried, how many must be used up exactly by some layout.
const PERCENT: u32 = 90;
/// Commands of a session that are tried at once.
const MOST: usize = 256;

/// How a layout came to be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Basis {
    /// A page holds it for this build.
    Book,
    /// It uses the bodies of the session up exactly; no page surely holds it for this build.
    Inferred,
    /// There is none.
    None,
}

impl Basis {
    pub fn name(self) -> &'static str {
        match self {
            Basis::Book => "book",
            Basis::Inferred => "inferred",
            Basis::None => "none",
        }
    }
}

/// Which message a name of the command tables means: learnt where a table and a page know the same build.
static MEANINGS: Lazy<HashMap<(&'static str, Sender), Vec<&'static Message>>> = Lazy::new(|| {
    let mut found: HashMap<_, Vec<&'static Message>> = HashMap::default();
    for program in &REGISTRY.programs {
        for command in program.layout.commands {
            for build in [command.builds.from, command.builds.until] {
                let Some((name, Source::Stated)) = Names::of(build).get(command.number) else { continue };
                let messages = found.entry((name, program.layout.sender)).or_default();
                if !messages.iter().any(|message| std::ptr::eq(*message, program.message)) {
                    messages.push(program.message);
                }
            }
        }
    }
    found
});

/// Layouts that may hold a command of a build without a page, nearest build first.
pub(super) fn candidates(build: Build, name: &'static str, sender: Sender) -> Vec<&'static Program> {
    let Some(messages) = MEANINGS.get(&(name, sender)) else { return Vec::new() };
    let means = |program: &&Program| {
        program.layout.sender == sender
            && messages.iter().any(|message| std::ptr::eq(*message, program.message))
    };
    let distance = |program: &&Program| {
        let (from, until) = (program.layout.builds.from.number(), program.layout.builds.until.number());
        let at = build.number();
        from.saturating_sub(at).max(at.saturating_sub(until))
    };
    let mut found: Vec<_> = REGISTRY.programs.iter().filter(means).collect();
    found.sort_by_key(distance);
    found.extend(alternatives(build).filter(means));
    found
}

/// Layouts that are tried in a build beside those its page holds.
pub(super) fn alternatives(build: Build) -> impl Iterator<Item = &'static Program> {
    REGISTRY.unplaced.iter().filter(move |program| program.layout.builds.holds(build))
}

/// Whether a layout uses a body up exactly.
pub(super) fn fits(program: &Program, input: &Input<'_>) -> bool {
    let (mut tree, mut facts) = (Tree::default(), Facts::default());
    let end = decode::read::<false>(program, input, &mut tree, &mut facts);
    end.cut.is_none() && end.used == input.reported
}

/// The trial of one command.
#[derive(Debug)]
struct Trial {
    /// Layouts that have used up every body so far, likelier ones first.
    left: Vec<&'static Program>,
    exact: u32,
    /// What was taken, for good.
    taken: Option<&'static Program>,
}

/// The trials of a session.
#[derive(Debug, Default)]
pub(super) struct Inference {
    trials: HashMap<(u16, Sender), Trial>,
    exact: u32,
    tried: u32,
}

impl Inference {
    /// Tries the layouts of a command on a body; answers whether one was taken just now.
    pub fn try_on(
        &mut self,
        build: Build,
        command: u16,
        name: &'static str,
        sender: Sender,
        input: &Input<'_>,
    ) -> bool {
        // a body the snap length cut says nothing
        if (input.bytes.len() as u32) < input.reported || self.trials.len() >= MOST {
            return false;
        }
        let fresh = || Trial { left: candidates(build, name, sender), exact: 0, taken: None };
        let trial = self.trials.entry((command, sender)).or_insert_with(fresh);
        if trial.taken.is_some() || (trial.left.is_empty() && trial.exact == 0) {
            return false;
        }
        self.tried += 1;
        trial.left.retain(|program| fits(program, input));
        if !trial.left.is_empty() {
            trial.exact += 1;
            self.exact += 1;
        }
        self.decide()
    }

    fn decide(&mut self) -> bool {
        if self.exact < ENOUGH || self.exact * 100 < self.tried * PERCENT {
            return false;
        }
        let mut any = false;
        for trial in self.trials.values_mut() {
            if trial.taken.is_none() && trial.exact >= ENOUGH_OF_ONE {
                trial.taken = trial.left.first().copied();
                any |= trial.taken.is_some();
            }
        }
        any
    }

    /// The layout that was taken for a command.
    pub fn taken(&self, command: u16, sender: Sender) -> Option<&'static Program> {
        self.trials.get(&(command, sender))?.taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::{self, Value};
    use crate::version::b;

    fn input(bytes: &[u8]) -> Input<'_> {
        Input { bytes, reported: bytes.len() as u32, ..Input::default() }
    }

    fn ack(sync: i64) -> Vec<u8> {
        let (program, _) = REGISTRY.program_of("WaypointAck", b(131)).unwrap();
        let fields = Value::Record(vec![
            ("syncId".into(), Value::Int(sync.into())),
            ("relocationCount".into(), Value::Int(0)),
            ("relocations".into(), Value::List(vec![])),
        ]);
        encode::body(program, None, &fields).unwrap()
    }

    #[test]
    fn names_lead_to_messages() {
        let (name, _) = Names::of(b(126)).get(100).expect("a name");
        let messages = candidates(b(126), name, Sender::Server);
        assert!(!messages.is_empty(), "{name}");
        assert!(candidates(b(126), "no such name", Sender::Server).is_empty());
    }

    #[test]
    fn a_layout_is_taken_after_many_exact_bodies_and_not_before() {
        let names = Names::of(b(126));
        let number = |wanted: u16| {
            let (name, _) = Names::of(b(131)).get(wanted).unwrap();
            (0..256u16)
                .find(|command| names.get(*command).is_some_and(|(found, _)| found == name))
                .zip(Some(name))
        };
        let (command, name) = number(122).expect("WaypointAck has a number in 1.0.0.126");
        let mut inference = Inference::default();
        for sync in 0..i64::from(ENOUGH) - 1 {
            assert!(!inference.try_on(b(126), command, name, Sender::Client, &input(&ack(sync))));
            assert!(inference.taken(command, Sender::Client).is_none());
        }
        assert!(inference.try_on(b(126), command, name, Sender::Client, &input(&ack(99))));
        assert_eq!(inference.taken(command, Sender::Client).unwrap().message.name, "WaypointAck");
    }

    #[test]
    fn bodies_that_fit_nothing_take_nothing() {
        let (name, _) = Names::of(b(131)).get(122).unwrap();
        let mut inference = Inference::default();
        for length in 0..200 {
            inference.try_on(b(126), 122, name, Sender::Client, &input(&vec![7; length % 4]));
        }
        assert!(inference.taken(122, Sender::Client).is_none());
    }
}
