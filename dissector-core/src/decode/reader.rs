//! The interpreter: walks a program's steps along the bytes.

use std::fmt::Write;

use super::{End, Facts, Input, Point};
use crate::decimal::shortest;
use crate::name_list::NameList;
use crate::path::Resolver;
use crate::registry::{Check, Generated, Op, Program, RunStep, Step, NO_REGISTER, REGISTERS};
use crate::tree::{flag, Cut, FieldId, Node, Tree};
use crate::version::Build;

/// The body ended early; what could not be read is in [`Reader::cut`].
pub(super) struct Stopped;

pub(super) type Result<T = ()> = std::result::Result<T, Stopped>;

/// Where a node stands.
#[derive(Clone, Copy)]
pub(super) struct Stand {
    pub depth: u8,
    pub flags: u16,
    pub index: u32,
}

impl Stand {
    #[inline(always)]
    pub fn below(self, base: u16) -> Stand {
        Stand { depth: self.depth.saturating_add(1), flags: base, index: 0 }
    }
}

/// The heading of the record at hand.
#[derive(Clone, Copy, Default)]
pub(super) struct Heading {
    /// Where it begins in the text of all that are open.
    pub start: usize,
    /// Where in that text its path begins, if it tells one.
    pub path: Option<usize>,
}

pub(super) struct Reader<'a, const NODES: bool> {
    pub bytes: &'a [u8],
    /// Where the list at hand or the body ends, as reported: bytes from `bytes.len()` on were not captured.
    pub end: usize,
    pub at: usize,
    pub base: u32,
    pub flags: u16,
    pub channel: Option<u8>,
    pub origin: Option<(i32, i32)>,
    pub build: Option<Build>,
    pub names: Option<&'a NameList>,
    pub labels: bool,
    pub heading: Heading,
    /// The last point that was read.
    pub last_point: Option<Point>,
    pub depth: u8,
    pub registers: [i64; REGISTERS],
    pub generated: Generated,
    pub resolver: Resolver,
    /// Where the point being read began.
    pub point_at: usize,
    /// The first coordinate of the world point being read.
    pub world_x: f32,
    pub said: usize,
    /// Seconds something has run, and those left, once they were read.
    pub times: (Option<f32>, Option<f32>),
    /// Points of the path being read.
    pub path_points: u32,
    pub cut: Option<Cut>,
    pub tree: &'a mut Tree,
    pub facts: &'a mut Facts,
}

impl<'a, const NODES: bool> Reader<'a, NODES> {
    #[inline]
    pub fn new(program: &Program, input: &Input<'a>, tree: &'a mut Tree, facts: &'a mut Facts) -> Self {
        // A body larger than a u32 can address is read as far as it can.
        let bytes = &input.bytes[..input.bytes.len().min(u32::MAX as usize / 2)];
        Reader {
            bytes,
            end: (input.reported as usize).max(bytes.len()),
            at: 0,
            base: input.base,
            flags: input.flags,
            channel: input.channel,
            origin: input.origin,
            build: input.build,
            names: input.names,
            labels: input.labels,
            heading: Heading::default(),
            last_point: None,
            depth: input.depth,
            registers: [0; REGISTERS],
            generated: program.generated,
            resolver: Resolver::default(),
            point_at: 0,
            world_x: 0.0,
            said: 0,
            times: (None, None),
            path_points: 0,
            cut: None,
            tree,
            facts,
        }
    }

    #[inline]
    pub fn run(mut self, program: &Program) -> End {
        let _ = self.block(&program.steps, self.depth, 0);
        let stated = matches!(self.facts.last, Some(Point::Path(..))) && self.facts.target.is_some();
        self.facts.states_origin &= stated;
        End { used: self.at as u32, cut: self.cut }
    }

    pub fn block(&mut self, steps: &[Step], depth: u8, index: u32) -> Result {
        let stand = Stand { depth, flags: self.flags, index: 0 };
        for step in steps {
            if self.absent(step, index) {
                continue;
            }
            if let Check::Flagged(field) = step.present {
                if !self.flag(field, stand)? {
                    step.forget.iter().for_each(|register| self.registers[usize::from(*register)] = 0);
                    continue;
                }
            }
            self.step(step, stand)?;
        }
        Ok(())
    }

    /// The byte that says whether a row follows.
    fn flag(&mut self, field: FieldId, stand: Stand) -> Result<bool> {
        let start = self.take(field, 1)?;
        let byte = self.number(start, 1, false);
        self.push(field, stand, start, 1, u64::from(byte != 0));
        self.facts.odd |= byte > 1;
        Ok(byte != 0)
    }

    #[inline(always)]
    fn absent(&mut self, step: &Step, index: u32) -> bool {
        let there = match step.present {
            Check::Remaining => self.at < self.end,
            check => check.holds(&self.registers, self.bytes, index),
        };
        if !there {
            step.forget.iter().for_each(|register| self.registers[usize::from(*register)] = 0);
        }
        !there
    }

    #[inline(always)]
    pub fn step(&mut self, step: &Step, stand: Stand) -> Result {
        match &step.op {
            Op::Int { size, signed } => self.int(step, stand, *size, *signed),
            Op::BigEndian { size, signed } => self.big_endian(step, stand, *size, *signed),
            Op::Varint { bits } => self.varint(step, stand, *bits),
            Op::ZigZag { bits } => self.zig_zag(step, stand, *bits),
            Op::Bool => self.boolean(step, stand),
            Op::F32 => self.float(step, stand),
            Op::Bits { size, raw, runs } => self.word(step, stand, *size, *raw, runs),
            Op::BitArray { times, raw, stride, runs } => {
                self.bit_array(step, stand, *times, *raw, *stride, runs)
            }
            Op::Record { steps, path } => self.record(step, stand, steps, *path),
            Op::List { times, item } => self.list(step, stand, *times, item),
            Op::ListBytes { size, item } => self.list_bytes(step, stand, *size, item),
            Op::Text(reach) => self.text(step, stand, *reach),
            Op::Bytes(reach) => self.raw_bytes(step, stand, *reach),
        }
    }

    #[inline(always)]
    pub fn push(&mut self, field: FieldId, stand: Stand, at: usize, length: usize, value: u64) {
        if NODES {
            self.tree.push(Node {
                field,
                flags: stand.flags,
                depth: stand.depth,
                bit_first: 0,
                bit_count: 0,
                word_bytes: 0,
                offset: self.base.wrapping_add(at as u32),
                length: length as u32,
                index: stand.index,
                text: 0,
                value,
            });
        }
    }

    /// Opens a node whose length follows; `None` where the tree is full.
    #[inline(always)]
    pub fn open(&mut self, field: FieldId, stand: Stand) -> Option<usize> {
        if !NODES {
            return None;
        }
        let place = self.tree.nodes.len();
        self.push(field, stand, self.at, 0, 0);
        (!self.tree.full).then_some(place)
    }

    /// Closes a node at what was read; one that holds nothing because the body ended is taken back.
    #[inline(always)]
    pub fn close(&mut self, place: Option<usize>, start: usize, ended: &Result) {
        let Some(place) = place else { return };
        if ended.is_err() && self.tree.nodes.len() == place + 1 {
            self.tree.nodes.truncate(place);
        } else if let Some(node) = self.tree.nodes.get_mut(place) {
            node.length = (self.at - start) as u32;
        }
    }

    /// The next bytes, or the cut that says they are missing.
    #[inline(always)]
    pub fn take(&mut self, field: FieldId, size: usize) -> Result<usize> {
        let start = self.at;
        if size <= self.end - start && size <= self.bytes.len().saturating_sub(start) {
            self.at = start + size;
            return Ok(start);
        }
        self.missing(field, size)
    }

    #[cold]
    pub fn missing<T>(&mut self, field: FieldId, size: usize) -> Result<T> {
        let left = self.bytes.len().min(self.end).saturating_sub(self.at);
        self.cut = Some(Cut {
            field,
            offset: self.base.wrapping_add(self.at as u32),
            needs: size as u32,
            left: left as u32,
            short: size <= self.end - self.at && self.bytes.len() < self.end,
        });
        Err(Stopped)
    }

    /// A whole number of `size` bytes at `start`, which [`Reader::take`] has answered.
    #[inline(always)]
    pub fn number(&self, start: usize, size: u8, signed: bool) -> u64 {
        let size = usize::from(size);
        let mut eight = [0; 8];
        match self.bytes.get(start..start + 8) {
            Some(bytes) => eight.copy_from_slice(bytes),
            None => {
                for (to, from) in eight.iter_mut().zip(self.bytes.get(start..start + size).unwrap_or(&[])) {
                    *to = *from;
                }
            }
        }
        let shift = 64 - 8 * size as u32;
        let word = u64::from_le_bytes(eight) << shift;
        if signed {
            (word as i64 >> shift) as u64
        } else {
            word >> shift
        }
    }

    #[inline(always)]
    fn int(&mut self, step: &Step, stand: Stand, size: u8, signed: bool) -> Result {
        let start = self.take(step.field, usize::from(size))?;
        let value = self.number(start, size, signed);
        self.push(step.field, stand, start, usize::from(size), value);
        self.tell_int(step, value as i64);
        if step.noted {
            self.note_int(step, stand, start, value as i64);
        }
        Ok(())
    }

    #[inline(always)]
    fn float(&mut self, step: &Step, stand: Stand) -> Result {
        let start = self.take(step.field, 4)?;
        let value = f32::from_bits(self.number(start, 4, false) as u32);
        if NODES {
            self.push(step.field, stand, start, 4, shortest(value).to_bits());
        }
        self.tell(step, |text| {
            let _ = write!(text, "{value}");
        });
        self.facts.wild |= value.is_nan() | value.is_subnormal();
        self.facts.strange |= value != 0.0 && !(1e-20..1e12).contains(&value.abs());
        if step.noted {
            self.note_float(step, stand, start, value);
        }
        Ok(())
    }

    fn word(&mut self, step: &Step, stand: Stand, size: u8, raw: FieldId, runs: &[RunStep]) -> Result {
        let length = usize::from(size);
        let start = self.take(step.field, length)?;
        let word = self.number(start, size, false);
        if step.keep != NO_REGISTER {
            self.registers[usize::from(step.keep)] = word as i64;
        }
        self.push(step.field, stand, start, length, 0);
        self.head_bits(runs, word);
        let inner = stand.below(self.flags);
        self.push(raw, inner, start, length, word);
        for run in runs {
            let value = word >> run.first & run.mask;
            if run.keep != NO_REGISTER {
                self.registers[usize::from(run.keep)] = value as i64;
            }
            self.push_run(run, inner, start, length, run.first, value);
        }
        Ok(())
    }

    #[inline(always)]
    pub fn push_run(&mut self, run: &RunStep, stand: Stand, at: usize, length: usize, first: u8, value: u64) {
        if NODES {
            self.tree.push(Node {
                field: run.field,
                flags: stand.flags | flag::BITS,
                depth: stand.depth,
                bit_first: first,
                bit_count: run.count,
                word_bytes: length as u8,
                offset: self.base.wrapping_add(at as u32),
                length: length as u32,
                index: 0,
                text: 0,
                value,
            });
            if let Some(also) = run.also {
                let hidden = self.flags | flag::GENERATED | flag::HIDDEN;
                let set = u64::from(value != 0);
                self.push(also, Stand { flags: hidden, index: 0, ..stand }, at, length, set);
            }
        }
    }
}
