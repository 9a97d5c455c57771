//! Which fields a program can show: for documentation, and for checks that no field stands in the table for nothing.

use std::collections::BTreeSet;

use super::program::{Check, Meant, Op, Program, RunStep, Step};
use crate::layout::Role;
use crate::tree::FieldId;

impl Program {
    /// The fields of its rows and of what is worked out from them, with that of its family.
    pub fn fields(&self) -> BTreeSet<FieldId> {
        let mut fields = BTreeSet::from([self.family]);
        self.steps.iter().for_each(|step| self.of_step(step, &mut fields));
        fields
    }

    fn of_step(&self, step: &Step, into: &mut BTreeSet<FieldId>) {
        into.insert(step.field);
        into.extend(step.also.iter().chain(&step.converted));
        if let Check::Flagged(field) = step.present {
            into.insert(field);
        }
        match step.role {
            Role::Unit => into.extend(self.generated.unit),
            Role::NameHash(_) => into.extend(self.generated.name),
            Role::RunningFor => into.extend(self.generated.times.map(|times| times.total)),
            Role::Lasts => into.extend(self.generated.times.map(|times| times.left)),
            _ => {}
        }
        if let Meant::Bits(runs) = &step.meaning {
            runs.iter().for_each(|run| into.extend([run.field].iter().chain(&run.also)));
        }
        match &step.op {
            Op::Bits { raw, runs, .. } | Op::BitArray { raw, runs, .. } => {
                into.insert(*raw);
                runs.iter().for_each(|run: &RunStep| into.extend([run.field].iter().chain(&run.also)));
            }
            Op::Record { steps, path } => {
                if let (true, Some(point)) = (*path, self.generated.point) {
                    into.extend([point.point, point.x, point.z, point.raw_x, point.raw_z]);
                }
                steps.iter().for_each(|step| self.of_step(step, into));
            }
            Op::List { item, .. } | Op::ListBytes { item, .. } => {
                item.steps.iter().for_each(|step| self.of_step(step, into));
            }
            _ => {}
        }
    }
}
