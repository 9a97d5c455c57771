//! Nodes → fields, in the form [`super::body`] takes.

use super::value::Value;
use crate::decode::Input;
use crate::registry::{Check, ItemSteps, Op, Program, Reach, RunStep, Step, NO_REGISTER, REGISTERS};
use crate::tree::{flag, FieldId, Node};

/// The fields of a body from its nodes, the first of which stands at `input.depth`.
///
/// Of a body that ended early the fields that were read are answered.
pub fn fields(program: &Program, nodes: &[Node], input: &Input<'_>) -> Value {
    let nodes = nodes.iter().filter(|node| node.flags & flag::GENERATED == 0).copied().collect();
    let mut collector = Collector { nodes, at: 0, input, registers: [0; REGISTERS] };
    collector.block(&program.steps, input.depth, 0).0
}

struct Collector<'a> {
    nodes: Vec<Node>,
    at: usize,
    input: &'a Input<'a>,
    registers: [i64; REGISTERS],
}

impl Collector<'_> {
    /// A record and whether all of it was there.
    fn block(&mut self, steps: &[Step], depth: u8, index: u32) -> (Value, bool) {
        let mut rows = Vec::with_capacity(steps.len());
        for step in steps {
            let there = match step.present {
                Check::Remaining => self.nodes.get(self.at).is_some_and(|node| node.field == step.field),
                Check::Flagged(field) => match self.take(field, depth) {
                    Some(node) => node.value != 0,
                    None => return (Value::Record(rows), false),
                },
                check => check.holds(&self.registers, self.input.bytes, index),
            };
            let (value, whole) = if there {
                self.step(step, depth)
            } else {
                step.forget.iter().for_each(|register| self.registers[usize::from(*register)] = 0);
                (Some(Value::Absent), true)
            };
            rows.extend(value.map(|value| (step.row.name.to_owned(), value)));
            if !whole {
                return (Value::Record(rows), false);
            }
        }
        (Value::Record(rows), true)
    }

    /// The node of a field at this depth, if it comes next.
    fn take(&mut self, field: FieldId, depth: u8) -> Option<Node> {
        let node = *self.nodes.get(self.at)?;
        let fits = node.field == field && node.depth == depth;
        self.at += usize::from(fits);
        fits.then_some(node)
    }

    fn keep(&mut self, register: u8, value: i64) {
        if register != NO_REGISTER {
            self.registers[usize::from(register)] = value;
        }
    }

    fn bytes(&self, node: &Node) -> &[u8] {
        let start = node.offset.wrapping_sub(self.input.base) as usize;
        self.input.bytes.get(start..).and_then(|rest| rest.get(..node.length as usize)).unwrap_or(&[])
    }

    fn step(&mut self, step: &Step, depth: u8) -> (Option<Value>, bool) {
        match &step.op {
            Op::List { times, item } => {
                let count = times.count(&self.registers, self.input.channel);
                let (items, whole) = self.items(step, item, depth);
                let whole = whole && count.is_none_or(|count| count == items.len() as u64);
                ((whole || !items.is_empty()).then_some(Value::List(items)), whole)
            }
            Op::ListBytes { item, .. } => {
                let (items, whole) = self.items(step, item, depth);
                (Some(Value::List(items)), whole)
            }
            Op::BitArray { times, raw, runs, .. } => {
                if times.count(&self.registers, self.input.channel) == Some(0) {
                    return (Some(Value::List(Vec::new())), true);
                }
                self.bit_array(step, *raw, runs, depth)
            }
            _ => match self.take(step.field, depth) {
                None => (None, false),
                Some(node) => self.node(step, &node),
            },
        }
    }

    fn node(&mut self, step: &Step, node: &Node) -> (Option<Value>, bool) {
        let value = match &step.op {
            Op::Int { signed, .. } => {
                self.keep(step.keep, node.value as i64);
                // the meaning of its bits stands below it
                while self.nodes.get(self.at).is_some_and(|below| below.depth > node.depth) {
                    self.at += 1;
                }
                Value::Int(if *signed { i128::from(node.value as i64) } else { i128::from(node.value) })
            }
            Op::BigEndian { signed, .. } => {
                self.keep(step.keep, node.value as i64);
                Value::Int(if *signed { i128::from(node.value as i64) } else { i128::from(node.value) })
            }
            Op::ZigZag { .. } => {
                self.keep(step.keep, node.value as i64);
                Value::Int(i128::from(node.value as i64))
            }
            Op::Varint { .. } | Op::Bool => {
                self.keep(step.keep, node.value as i64);
                Value::Int(i128::from(node.value))
            }
            Op::F32 => Value::Float(self.float(node)),
            Op::Bits { raw, runs, .. } => {
                if let Some(word) = self.take(*raw, node.depth.saturating_add(1)) {
                    self.keep(step.keep, word.value as i64);
                }
                self.runs(runs, node.depth.saturating_add(1))
            }
            Op::Record { steps, .. } => {
                let (value, whole) = self.block(steps, node.depth.saturating_add(1), 0);
                return (Some(value), whole);
            }
            Op::Text(reach) => text(self.bytes(node), *reach),
            _ => Value::Bytes(self.bytes(node).to_vec()),
        };
        (Some(value), true)
    }

    /// A NaN keeps its bits only in the bytes: widening may have changed them.
    fn float(&self, node: &Node) -> f32 {
        let value = f64::from_bits(node.value);
        match self.bytes(node).first_chunk() {
            Some(bytes) if value.is_nan() => f32::from_le_bytes(*bytes),
            _ => value as f32,
        }
    }

    fn runs(&mut self, runs: &[RunStep], depth: u8) -> Value {
        let mut rows = Vec::with_capacity(runs.len());
        for run in runs {
            if let Some(node) = self.take(run.field, depth) {
                self.keep(run.keep, node.value as i64);
                rows.push((run.run.name.to_owned(), Value::Int(i128::from(node.value))));
            }
        }
        Value::Record(rows)
    }

    fn bit_array(&mut self, step: &Step, raw: FieldId, runs: &[RunStep], depth: u8) -> (Option<Value>, bool) {
        let Some(array) = self.take(step.field, depth) else { return (None, false) };
        self.keep(step.keep, i64::from(array.offset.wrapping_sub(self.input.base)));
        let inner = depth.saturating_add(1);
        self.take(raw, inner);
        let mut groups = Vec::new();
        while self.take(step.field, inner).is_some() {
            groups.push(self.runs(runs, inner.saturating_add(1)));
        }
        (Some(Value::List(groups)), true)
    }

    fn items(&mut self, step: &Step, item: &ItemSteps, depth: u8) -> (Vec<Value>, bool) {
        let mut items = Vec::new();
        while let Some(node) = self.take(step.field, depth) {
            let (value, whole) = match (item.record, &*item.steps) {
                (false, [step]) => self.node(step, &node),
                (_, steps) => {
                    let (value, whole) = self.block(steps, depth.saturating_add(1), node.index);
                    (Some(value), whole)
                }
            };
            items.extend(value);
            if !whole {
                return (items, false);
            }
        }
        (items, true)
    }
}

/// Text as it is meant: without its end or padding; as bytes where it is not UTF-8.
fn text(bytes: &[u8], reach: Reach) -> Value {
    let meant = reach.text(bytes);
    match std::str::from_utf8(meant) {
        Ok(text) => Value::Text(text.to_owned()),
        Err(_) => Value::Bytes(meant.to_vec()),
    }
}
