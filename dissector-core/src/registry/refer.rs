//! References between rows: which row a path means, and the register that carries its value to those that need it.

use super::program::{Check, ItemSteps, Op, Register, RunStep, Step, NO_REGISTER};

/// A row that another refers to, with a register given to it.
pub(super) enum Found<'a> {
    Step(&'a Step),
    Run(&'a RunStep),
}

/// Looks a path up in the innermost record and outwards, among the rows read before.
pub(super) fn find<'a>(
    scopes: &'a mut [Vec<Step>],
    path: &str,
    registers: &mut Register,
) -> Option<Found<'a>> {
    scopes.iter_mut().rev().find_map(|scope| find_in(scope, path, registers))
}

fn find_in<'a>(steps: &'a mut [Step], path: &str, registers: &mut Register) -> Option<Found<'a>> {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let step = steps.iter_mut().rev().find(|step| step.row.name == first)?;
    let Some(rest) = rest else {
        give(&mut step.keep, registers);
        step.noted = true;
        return Some(Found::Step(step));
    };
    match &mut step.op {
        Op::Record { steps, .. } => find_in(steps, rest, registers),
        Op::Bits { runs, .. } => {
            let run = runs.iter_mut().find(|step| step.run.name == rest)?;
            give(&mut run.keep, registers);
            Some(Found::Run(run))
        }
        _ => None,
    }
}

fn give(keep: &mut Register, registers: &mut Register) {
    if *keep == NO_REGISTER {
        *keep = *registers;
        *registers = registers.saturating_add(1).min(NO_REGISTER - 1);
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
