//! Layouts for builds that no page holds, and for shapes no page surely places: tried on the bodies of a session.

use std::collections::hash_map::Entry;

use foldhash::HashMap;
use once_cell::sync::Lazy;

use super::builds::{alternatives, BuildTables};
use crate::book::names::{Names, Source};
use crate::decode::{self, Facts, Input};
use crate::layout::{channel, Message, Sender};
use crate::registry::{reach_the_end, Program, REGISTRY};
use crate::tree::Tree;
use crate::version::Build;

/// Bodies of a session that must be used up exactly, all messages together, before a layout is taken by name. A name says
/// which message it is, so one body of that message is then enough for its layout where a table states the name.
const ENOUGH: u32 = 8;
/// The same before one is taken by number alone, which is weaker evidence than a name.
const ENOUGH_BY_NUMBER: u32 = 24;
/// Commands that these must be of: one message may be alike by chance.
const ENOUGH_COMMANDS: u32 = 4;
/// Bodies of one message that must be, besides, where its number leads to its layout, or to the name that does.
const ENOUGH_OF_ONE: u32 = 2;
/// Of a hundred bodies that were tried, how many must be used up exactly by some layout.
const PERCENT: u64 = 90;
/// Bytes of a body below which it is no evidence of a number: so short a one fits too much by chance.
const TELLING: u32 = 4;
/// Commands of a session that are tried at once: more than the tables of a build name.
const MOST: usize = 1024;

/// How a layout came to be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Basis {
    /// A page holds it for this build.
    Book,
    /// No page of the specification does, but recorded or accepted messages of this build bear it out.
    Recorded,
    /// It uses the bodies of the session up exactly; no page holds it for this build.
    Inferred,
    /// The page of this build leaves a part of it open: of the shapes it may have, whether one uses this body up exactly.
    Ambiguous {
        /// Whether one does; else it is the likeliest.
        fits: bool,
    },
    /// The same, but nothing leads to it besides the number it has in this other build.
    Neighbour(Build),
    /// There is none.
    None,
}

impl Basis {
    /// How a layout is known that stands in the book for this build.
    pub fn of(program: &Program) -> Basis {
        if program.recorded {
            Basis::Recorded
        } else {
            Basis::Book
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Basis::Book => "book",
            Basis::Recorded => "recorded",
            Basis::Inferred | Basis::Ambiguous { .. } => "inferred",
            Basis::Neighbour(_) => "neighbour",
            Basis::None => "none",
        }
    }
}

/// Which message a name of the command tables means: learnt where a table and a page know the same build.
static MEANINGS: Lazy<HashMap<(&'static str, Sender), Vec<&'static Message>>> = Lazy::new(|| {
    let mut found: HashMap<_, Vec<&'static Message>> = HashMap::default();
    for program in &REGISTRY.programs {
        // a command without a net id is another one than that of the same number with one
        if !channel::has_net_id(program.layout.channel) {
            continue;
        }
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

/// Layouts that may hold a command of a build without a page by its name, nearest build first.
fn by_name(build: Build, name: &'static str, sender: Sender) -> Vec<&'static Program> {
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

/// Whether a layout uses a body up exactly.
pub fn fits(program: &Program, input: &Input<'_>) -> bool {
    facts(program, input).is_some()
}

/// What a layout makes of a body that it uses up exactly.
fn facts(program: &Program, input: &Input<'_>) -> Option<Facts> {
    let (mut tree, mut facts) = (Tree::default(), Facts::default());
    let end = decode::read::<false>(program, input, &mut tree, &mut facts);
    (end.cut.is_none() && end.used == input.reported).then_some(facts)
}

/// What leads from a command to a layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lead {
    /// The name of the command.
    Name,
    /// Nothing but its number, which means this in that build.
    Number(Build),
}

/// A layout that is tried.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub program: &'static Program,
    pub lead: Lead,
    /// Whether it has made a float of something that is none: two layouts may be of one size.
    wild: bool,
    /// Bodies of which it has made floats that no game would state.
    strange: u32,
}

impl Candidate {
    fn new(program: &'static Program, lead: Lead) -> Candidate {
        Candidate { program, lead, wild: false, strange: 0 }
    }

    /// Whether it uses a body up exactly and, where only its number leads to it, makes sense of it.
    pub fn fits(&mut self, input: &Input<'_>) -> bool {
        let Some(facts) = facts(self.program, input) else { return false };
        self.wild |= facts.wild;
        self.strange += u32::from(facts.strange);
        self.lead == Lead::Name || !facts.wild
    }

    /// Whether a body that it uses up says something of the numbers of the build.
    fn tells(&self, input: &Input<'_>) -> bool {
        input.reported >= TELLING && !self.wild && !reach_the_end(&self.program.steps)
    }
}

/// Layouts that may hold a command of a build without a page: those its name leads to, then those of its neighbours.
fn candidates(known: &BuildTables, command: u16, sender: Sender) -> Vec<Candidate> {
    let name = known.names.get(command).map(|(name, _)| name);
    let named = name.map_or_else(Vec::new, |name| by_name(known.table.build, name, sender));
    let mut found: Vec<_> = named.into_iter().map(|program| Candidate::new(program, Lead::Name)).collect();
    // a layout that reaches to the end of the body, wherever that is, is never proven by what it uses up
    for (program, build) in known.next_door(command, sender).filter(|(p, _)| !reach_the_end(&p.steps)) {
        // two builds mostly have one and the same list of rows
        let same = |other: &Candidate| {
            std::ptr::eq(other.program.message, program.message)
                && std::ptr::eq(other.program.layout.rows, program.layout.rows)
        };
        if !found.iter().any(same) {
            found.push(Candidate::new(program, Lead::Number(build)));
        }
    }
    found
}

/// The trial of one command.
#[derive(Debug)]
struct Trial {
    /// Layouts that have used up every body so far, likelier ones first.
    left: Vec<Candidate>,
    /// Bodies that one of them has used up.
    exact: u32,
    /// Those of them that are evidence.
    telling: u32,
    /// Bodies of its own that a name must bear out.
    own: u32,
    /// Whether there was anything to try.
    any: bool,
    /// What was taken, for good.
    taken: Option<Candidate>,
}

impl Trial {
    fn new(left: Vec<Candidate>, own: u32) -> Trial {
        Trial { any: !left.is_empty(), left, own, exact: 0, telling: 0, taken: None }
    }

    /// Whether a layout can still be taken.
    fn is_open(&self) -> bool {
        self.taken.is_none() && !self.left.is_empty()
    }

    /// The layout that uses a body up, and every one before it; the others are given up.
    fn fit(&mut self, input: &Input<'_>) -> Option<Candidate> {
        if let Some(taken) = &mut self.taken {
            return taken.fits(input).then_some(*taken);
        }
        self.left.retain_mut(|candidate| candidate.fits(input));
        self.left.sort_by_key(|candidate| (candidate.wild, candidate.strange));
        self.left.first().copied()
    }

    /// Takes the likeliest layout if there is enough evidence for it; answers whether it was taken just now.
    fn take(&mut self, proven: Proven) -> bool {
        let Some(first) = self.left.first().filter(|_| self.taken.is_none()) else { return false };
        let enough = match first.lead {
            // fields without effect hold junk, but where the number is not sure most bodies must make sense
            _ if self.own > 1 && 2 * first.strange >= self.exact => false,
            Lead::Name => proven.names && self.exact >= self.own,
            // a command none of whose bodies is evidence is never read: those of others say too little of it, since
            // numbers move in runs
            Lead::Number(_) => proven.numbers && self.telling >= ENOUGH_OF_ONE,
        };
        self.taken = enough.then_some(*first);
        enough
    }
}

/// What the bodies of a session are evidence enough for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Proven {
    /// Taking layouts that names lead to.
    names: bool,
    /// Taking layouts that only a number leads to.
    numbers: bool,
}

/// The trials of a session.
#[derive(Debug, Default)]
pub struct Inference {
    trials: HashMap<(u16, Sender), Trial>,
    /// Bodies that are evidence.
    exact: u32,
    /// Commands they are of.
    commands: u32,
    /// Bodies that are evidence, for or against.
    tried: u32,
    /// What that was enough for when layouts were last taken.
    proven: Proven,
}

impl Inference {
    /// Tries the layouts of a command on a body; answers whether one was taken just now.
    pub fn try_on(&mut self, known: &BuildTables, command: u16, sender: Sender, input: &Input<'_>) -> bool {
        if !has_lead(known, command, sender) {
            return false;
        }
        let full = self.trials.len() >= MOST;
        let trial = match self.trials.entry((command, sender)) {
            Entry::Occupied(trial) => trial.into_mut(),
            Entry::Vacant(_) if full => return false,
            Entry::Vacant(place) => {
                // where no table states the numbers, the name is itself only carried by its number
                let own = if known.is_by_number() { ENOUGH_OF_ONE } else { 1 };
                place.insert(Trial::new(candidates(known, command, sender), own))
            }
        };
        // a body the snap length cut says nothing
        if (input.bytes.len() as u32) < input.reported || !trial.any {
            return false;
        }
        let which = (command, sender);
        let weighed = if known.is_by_number() { Inference::weigh_number } else { Inference::weigh_name };
        weighed(self, which, input) && self.decide(which)
    }

    /// Weighs a body of a build whose numbers a table states; answers whether something may be taken now.
    fn weigh_name(&mut self, which: (u16, Sender), input: &Input<'_>) -> bool {
        let Some(trial) = self.trials.get_mut(&which) else { return false };
        // the number is sure: a message of which nothing is known says nothing of the others
        if trial.taken.is_some() || (trial.left.is_empty() && trial.exact == 0) {
            return false;
        }
        let fit = trial.fit(input);
        trial.exact += u32::from(fit.is_some());
        // what takes whatever is left fits any body
        if fit.is_none_or(|fit| !reach_the_end(&fit.program.steps)) {
            self.tried += 1;
            self.exact += u32::from(fit.is_some());
        }
        true
    }

    /// Weighs a body of a build whose numbers are those of its neighbours, if they are: every body speaks for or
    /// against that, whatever was taken or given up before.
    ///
    /// What fits nearly anything is no evidence: bodies of a few bytes, layouts that reach to the end wherever it is.
    fn weigh_number(&mut self, which: (u16, Sender), input: &Input<'_>) -> bool {
        let Some(trial) = self.trials.get_mut(&which) else { return false };
        let was_open = trial.is_open();
        let Some(fit) = trial.fit(input) else {
            self.tried += 1;
            // no layout explains all bodies of this command, so none of them were evidence
            if was_open {
                self.exact -= trial.telling;
                self.commands -= u32::from(trial.telling > 0);
                trial.telling = 0;
            }
            return false;
        };
        trial.exact += 1;
        if fit.tells(input) {
            trial.telling += 1;
            self.tried += 1;
            self.exact += 1;
            self.commands += u32::from(trial.telling == 1);
        }
        true
    }

    /// Takes what there is enough evidence for, after a body of one command was used up.
    fn decide(&mut self, which: (u16, Sender)) -> bool {
        let share = u64::from(self.exact) * 100 >= u64::from(self.tried) * PERCENT;
        let proven = Proven {
            names: share && self.exact >= ENOUGH,
            numbers: share && self.exact >= ENOUGH_BY_NUMBER && self.commands >= ENOUGH_COMMANDS,
        };
        if std::mem::replace(&mut self.proven, proven) == proven {
            // nothing has changed for the other commands
            return self.trials.get_mut(&which).is_some_and(|trial| trial.take(proven));
        }
        let mut any = false;
        for trial in self.trials.values_mut() {
            any |= trial.take(proven);
        }
        any
    }

    /// The layout that was taken for a command.
    pub fn taken(&self, command: u16, sender: Sender) -> Option<Candidate> {
        self.trials.get(&(command, sender))?.taken
    }

    /// Whether a layout may yet be taken for a command.
    pub fn is_open(&self, known: &BuildTables, command: u16, sender: Sender) -> bool {
        match self.trials.get(&(command, sender)) {
            Some(trial) => trial.is_open(),
            None => has_lead(known, command, sender),
        }
    }
}

/// Whether anything may lead from a command to a layout.
fn has_lead(known: &BuildTables, command: u16, sender: Sender) -> bool {
    known.names.get(command).is_some() || known.next_door(command, sender).next().is_some()
}

#[cfg(test)]
mod tests;
