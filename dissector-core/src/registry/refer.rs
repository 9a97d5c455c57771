//! References between rows: which row a path means, and the register that carries its value to those that need it.

use super::program::{Check, ItemSteps, Op, Reach, Register, RunStep, Step, Times, NO_REGISTER};

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

/// Takes rows that only count what follows out of the headings of their records, which tell what they count.
pub(super) fn silencing(mut steps: Box<[Step]>) -> Box<[Step]> {
    let mut counts = Vec::new();
    counting(&steps, &mut counts);
    silence(&mut steps, &counts);
    steps
}

/// The registers that say how many items or bytes follow.
fn counting(steps: &[Step], into: &mut Vec<Register>) {
    let times = |times: &Times| match *times {
        Times::In(register)
        | Times::InSigned(register, _)
        | Times::InLess1(register)
        | Times::InUnlessOn(register, _) => Some(register),
        Times::Fixed(_) | Times::ToEnd => None,
    };
    for step in steps {
        match &step.op {
            Op::Record { steps, .. } => counting(steps, into),
            Op::BitArray { times: count, .. } => into.extend(times(count)),
            Op::List { times: count, item } => {
                into.extend(times(count));
                counting(&item.steps, into);
            }
            Op::ListBytes { size, item } => {
                into.push(*size);
                counting(&item.steps, into);
            }
            Op::Text(Reach::In(register)) | Op::Bytes(Reach::In(register)) => into.push(*register),
            _ => {}
        }
    }
}

fn silence(steps: &mut [Step], counts: &[Register]) {
    for step in steps {
        step.told &= !counts.contains(&step.keep);
        match &mut step.op {
            Op::Record { steps, .. } => silence(steps, counts),
            Op::List { item, .. } | Op::ListBytes { item, .. } => silence(&mut item.steps, counts),
            _ => {}
        }
    }
}
