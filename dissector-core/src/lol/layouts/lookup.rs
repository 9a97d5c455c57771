//! The layout a message is read with, and how it came to be used.

use super::builds::BuildTables;
use super::inference::{self, Basis, Inference, Lead};
use crate::capture::Sender;
use crate::decode::Input;
use crate::layout::channel;
use crate::registry::{Program, REGISTRY};

/// What a body may teach of the layouts of its session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Learning {
    /// It is tried: the first pass meets it, and a receiver hands it on.
    Trial,
    /// It was tried before, and is read again now that more is known.
    Replay,
    /// Nothing: a later pass, or a body that no receiver hands on.
    Nothing,
}

/// What reading a payload leaves to be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Something in it cannot be read yet, and may be later.
    pub is_undecided: bool,
    /// What could not be read before can be now.
    pub is_settled: bool,
}

impl Progress {
    /// This and what another part of the payload leaves.
    pub fn and(self, other: Progress) -> Progress {
        Progress {
            is_undecided: self.is_undecided || other.is_undecided,
            is_settled: self.is_settled || other.is_settled,
        }
    }
}

/// What was found.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The layout, ready to be read; `None` where there is none.
    pub program: Option<&'static Program>,
    /// How it came to be used.
    pub basis: Basis,
    /// What the trial of layouts leaves to be done.
    pub progress: Progress,
}

impl Found {
    #[inline(always)]
    fn new(program: Option<&'static Program>, basis: Basis) -> Found {
        Found { program, basis, progress: Progress::default() }
    }
}

/// Finds the layout of a command and its body. `channel` is that of the payload; without `tables` the build is not known.
#[inline(always)]
pub fn find(
    tables: Option<&BuildTables>,
    inference: &mut Inference,
    (channel, sender, command): (u8, Option<Sender>, u16),
    input: &Input<'_>,
    learning: Learning,
) -> Found {
    let Some(tables) = tables else { return Found::new(None, Basis::None) };
    if !channel::has_net_id(channel) {
        let bare = tables.table.bare(&REGISTRY, sender, command);
        return Found::new(bare, bare.map_or(Basis::None, Basis::of));
    }
    if let Some(program) = tables.table.program(&REGISTRY, sender, command) {
        let same = |other: &&'static Program| std::ptr::eq(other.message, program.message);
        if !tables.others.iter().any(same) {
            return Found::new(Some(program), Basis::of(program));
        }
        let others = tables.others.iter().copied().filter(same);
        let fitting = [program].into_iter().chain(others).find(|program| inference::fits(program, input));
        return Found::new(fitting.or(Some(program)), Basis::Ambiguous { fits: fitting.is_some() });
    }
    match sender {
        Some(sender) if tables.between => tried(tables, inference, (command, sender), input, learning),
        _ => Found::new(None, Basis::None),
    }
}

/// The layout that was taken for a command which no page holds, if one was.
fn tried(
    tables: &BuildTables,
    inference: &mut Inference,
    (command, sender): (u16, Sender),
    input: &Input<'_>,
    learning: Learning,
) -> Found {
    let mut progress = Progress::default();
    if learning == Learning::Trial && inference.try_on(tables, command, sender, input) {
        // what came before is taken in first, and then this one
        progress = Progress { is_undecided: true, is_settled: true };
    }
    progress.is_undecided |= learning != Learning::Nothing && inference.is_open(tables, command, sender);
    let (program, basis) = match inference.taken(command, sender) {
        None => (None, Basis::None),
        Some(mut taken) => match taken.lead {
            Lead::Name => (Some(taken.program), Basis::Inferred),
            // the number alone does not say that a body which does not fit is that message, cut short or grown
            Lead::Number(build) => match taken.fits(input) {
                true => (Some(taken.program), Basis::Neighbour(build)),
                false => (None, Basis::None),
            },
        },
    };
    Found { program, basis, progress }
}

#[cfg(test)]
mod tests;
