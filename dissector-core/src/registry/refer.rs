//! References between rows: which row a path means, and the register that carries its value to those that need it.

use super::program::{Check, ItemSteps, Op, RunStep, Slot, Step, NO_SLOT};

/// A row that another refers to, with a register given to it.
pub(super) enum Found<'a> {
    Step(&'a Step),
    Run(&'a RunStep),
}

/// Looks a path up in the innermost record and outwards, among the rows read before.
pub(super) fn find<'a>(scopes: &'a mut [Vec<Step>], path: &str, slots: &mut Slot) -> Option<Found<'a>> {
    scopes.iter_mut().rev().find_map(|scope| find_in(scope, path, slots))
}

fn find_in<'a>(steps: &'a mut [Step], path: &str, slots: &mut Slot) -> Option<Found<'a>> {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let step = steps.iter_mut().rev().find(|step| step.row.name == first)?;
    let Some(rest) = rest else {
        give(&mut step.keep, slots);
        step.noted = true;
        return Some(Found::Step(step));
    };
    match &mut step.op {
        Op::Record { steps, .. } => find_in(steps, rest, slots),
        Op::Bits { runs, .. } => {
            let run = runs.iter_mut().find(|step| step.run.name == rest)?;
            give(&mut run.keep, slots);
            Some(Found::Run(run))
        }
        _ => None,
    }
}

fn give(keep: &mut Slot, slots: &mut Slot) {
    if *keep == NO_SLOT {
        *keep = *slots;
        *slots = slots.saturating_add(1).min(NO_SLOT - 1);
    }
}

/// Fills in, for each row that may be absent, the registers that hold zero then.
pub(super) fn forgetting(mut steps: Box<[Step]>) -> Box<[Step]> {
    for step in &mut steps {
        if !matches!(step.present, Check::Always) {
            let mut kept = Vec::new();
            step.kept(&mut kept);
            step.forget = kept.into_boxed_slice();
        }
        match &mut step.op {
            Op::Record { steps, .. } | Op::List { item: ItemSteps { steps, .. }, .. } => {
                *steps = forgetting(std::mem::take(steps));
            }
            Op::ListBytes { item, .. } => item.steps = forgetting(std::mem::take(&mut item.steps)),
            _ => {}
        }
    }
    steps
}
