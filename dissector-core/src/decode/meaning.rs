//! What a value says in words, shown beside the number; and for bits, fields of their own below it.

use std::fmt::Write;

use super::reader::{Reader, Stand};
use crate::decimal::shortest;
use crate::layout::{Axis, Role};
use crate::name_list::Named;
use crate::path::world;
use crate::registry::{Meant, RunStep, Step};
use crate::tree::{flag, FieldId, Node};
use crate::version::Build;

impl<const NODES: bool> Reader<'_, NODES> {
    /// Says what a value means; its node is the last one.
    #[inline]
    pub fn mean(&mut self, step: &Step, stand: Stand, start: usize, value: i64) {
        match &step.meaning {
            Meant::Nothing => {}
            Meant::Values(words) => {
                if let Some((_, word)) = words.iter().find(|(of, _)| *of == value) {
                    self.label(|text| text.extend([" (", word, ")"]));
                }
            }
            Meant::Bits(runs) => self.mean_bits(runs, stand, start, value as u64),
        }
    }

    fn mean_bits(&mut self, runs: &[RunStep], stand: Stand, start: usize, word: u64) {
        let build = self.build;
        // what is set stands beside the number too, so that it can be read without unfolding
        self.label(|text| summary(text, runs, word, build));
        let inner = stand.below(self.flags);
        for run in runs {
            let value = word >> run.first & run.mask;
            self.push_run(run, inner, start, self.at - start, run.first, value);
            if value != 0 && !acts(run, build) {
                self.label(|text| text.push_str(", without effect in this build"));
            }
        }
    }

    /// A coordinate in world units, behind the path units that are its value.
    pub fn push_world(&mut self, field: Option<FieldId>, axis: Axis, stand: Stand, start: usize, value: i64) {
        let Some((x, z)) = self.origin else { return };
        self.facts.packed = true;
        if let (true, Some(field)) = (NODES, field) {
            let stand = Stand { flags: self.flags | flag::GENERATED, index: 0, ..stand };
            let coordinate = world(if axis == Axis::X { x } else { z }, value as i32);
            self.push(field, stand, start, self.at - start, coordinate as u64);
        }
    }

    /// Times left and in all, as soon as they are known.
    pub fn note_time(&mut self, role: Role, stand: Stand, start: usize, value: f32) {
        let Some(fields) = self.generated.times.filter(|_| NODES) else { return };
        match role {
            Role::RunningFor => self.times.0 = Some(value),
            _ => self.times.1 = Some(value),
        }
        let stand = Stand { flags: self.flags | flag::GENERATED, index: 0, ..stand };
        if role == Role::Lasts {
            self.push(fields.left, stand, start, self.at - start, shortest(value).to_bits());
        }
        if let (Some(run), Some(left)) = self.times {
            // added as a client adds them
            self.push(fields.total, stand, start, self.at - start, shortest(run + left).to_bits());
        }
    }

    /// The names behind a name number, where the list of names has it.
    #[inline]
    pub fn push_name(&mut self, what: Named, stand: Stand, start: usize, value: i64) {
        let (true, Some(names), Some(field)) = (NODES, self.names, self.generated.name) else { return };
        let stand = Stand { flags: self.flags | flag::GENERATED, index: 0, ..stand };
        for name in names.get(what, value as u32) {
            let text = self.tree.text(name);
            self.push(field, stand, start, self.at - start, 0);
            self.last(|node| node.text = text);
        }
    }

    /// Appends to the label of the last node.
    pub fn label(&mut self, write: impl FnOnce(&mut String)) {
        let text = self.tree.write_text(write);
        if text != 0 {
            self.last(|node| {
                node.text = text;
                node.flags |= flag::LABELLED;
            });
        }
    }

    /// Changes the last node, unless it was left out.
    fn last(&mut self, change: impl FnOnce(&mut Node)) {
        if !self.tree.full {
            if let Some(node) = self.tree.nodes.last_mut() {
                change(node);
            }
        }
    }
}

fn acts(run: &RunStep, build: Option<Build>) -> bool {
    match (run.run.acts, build) {
        (Some(builds), Some(build)) => builds.holds(build),
        _ => true,
    }
}

/// The bits that are set and act, the values of longer runs, and bits without a name: ` (blue 50, opacity 255)`.
pub fn summary(text: &mut String, runs: &[RunStep], word: u64, build: Option<Build>) {
    let mut separator = " (";
    for run in runs.iter().filter(|run| acts(run, build)) {
        let value = word >> run.first & run.mask;
        if run.count == 1 && value == 0 || run.is_unused {
            continue;
        }
        text.push_str(std::mem::replace(&mut separator, ", "));
        text.extend(run.run.title.chars().map(|letter| letter.to_ascii_lowercase()));
        if run.count > 1 {
            text.push(' ');
            text.push_str(itoa::Buffer::new().format(value));
        }
    }
    let named = runs.iter().fold(0, |named, run| named | run.mask << run.first);
    if word & !named != 0 {
        text.push_str(std::mem::replace(&mut separator, ", "));
        // a String takes all text
        let _ = write!(text, "others 0x{:x}", word & !named);
    }
    if separator == ", " {
        text.push(')');
    }
}
