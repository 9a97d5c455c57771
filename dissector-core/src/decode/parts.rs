//! Rows made of others, and those whose length another row or the body's end says.

use super::reader::{Reader, Result, Stand};
use super::Said;
use crate::layout::{Info, Role};
use crate::registry::{bits, extent, ItemSteps, Reach, Register, RunStep, Step, Times, NO_REGISTER};
use crate::tree::{flag, FieldId};

impl<const NODES: bool> Reader<'_, NODES> {
    pub fn bit_array(
        &mut self,
        step: &Step,
        stand: Stand,
        times: Times,
        raw: FieldId,
        stride: u8,
        runs: &[RunStep],
    ) -> Result {
        let groups = times.count(&self.registers, self.channel).unwrap_or(0);
        let length =
            usize::try_from(groups.saturating_mul(u64::from(stride)).div_ceil(8)).unwrap_or(usize::MAX);
        let start = self.take(step.field, length)?;
        if step.keep != NO_REGISTER {
            self.registers[usize::from(step.keep)] = start as i64;
        }
        if !NODES || groups == 0 {
            return Ok(());
        }
        self.push(step.field, stand, start, length, 0);
        let inner = stand.below(self.flags);
        self.push(raw, inner, start, length, 0);
        for group in 0..groups {
            let first = group * u64::from(stride);
            let (from, until) = (first / 8, (first + u64::from(stride)).div_ceil(8));
            let stand = Stand { flags: inner.flags | flag::INDEXED, index: group as u32, ..inner };
            self.push(step.field, stand, start + from as usize, (until - from) as usize, 0);
            if self.labels {
                self.head_bits(runs, bits(self.bytes, start, first, stride));
            }
            for run in runs {
                let bit = first + u64::from(run.first);
                let (from, until) = (bit / 8, (bit + u64::from(run.count)).div_ceil(8));
                let value = bits(self.bytes, start, bit, run.count);
                let at = start + from as usize;
                self.push_run(
                    run,
                    inner.below(self.flags),
                    at,
                    (until - from) as usize,
                    (bit % 8) as u8,
                    value,
                );
            }
        }
        Ok(())
    }

    pub fn big_endian(&mut self, step: &Step, stand: Stand, size: u8, signed: bool) -> Result {
        let start = self.take(step.field, usize::from(size))?;
        let shift = 64 - 8 * u32::from(size);
        let word = self.number(start, size, false) << shift;
        let word = word.swap_bytes() << shift;
        let value = if signed { (word as i64 >> shift) as u64 } else { word >> shift };
        self.push(step.field, stand, start, usize::from(size), value);
        self.tell_int(step, value as i64);
        if step.noted {
            self.note_int(step, stand, start, value as i64);
        }
        Ok(())
    }

    pub fn varint(&mut self, step: &Step, stand: Stand, bits: u8) -> Result {
        let (start, value) = self.groups(step, bits)?;
        self.push(step.field, stand, start, self.at - start, value);
        self.tell_int(step, value as i64);
        if step.noted {
            self.note_int(step, stand, start, value as i64);
        }
        Ok(())
    }

    pub fn zig_zag(&mut self, step: &Step, stand: Stand, bits: u8) -> Result {
        let (start, groups) = self.groups(step, bits)?;
        // bits past the number's own are cut off, as readers do
        let word = if bits < 64 { groups & ((1 << bits) - 1) } else { groups };
        let value = (word >> 1) as i64 ^ -((word & 1) as i64);
        self.push(step.field, stand, start, self.at - start, value as u64);
        self.tell_int(step, value);
        if step.noted {
            self.note_int(step, stand, start, value);
        }
        Ok(())
    }

    /// Takes a number in groups of seven bits: where it begins, and its value.
    fn groups(&mut self, step: &Step, bits: u8) -> Result<(usize, u64)> {
        let most = usize::from(bits).div_ceil(7);
        let there = self.bytes.get(self.at..self.end.min(self.bytes.len())).unwrap_or(&[]);
        let last = there.iter().take(most).position(|byte| byte & 0x80 == 0);
        // Where it does not end, the cut needs as many bytes as there may be, or one more than there are.
        let size = last.map_or(most.min(there.len() + 1), |last| last + 1);
        if last.is_none() && size <= there.len() {
            self.missing(step.field, size)?;
        }
        let start = self.take(step.field, size)?;
        let bytes = self.bytes[start..self.at].iter().enumerate();
        let value = bytes.fold(0, |sum, (place, byte)| sum | u64::from(byte & 0x7F) << (7 * place));
        Ok((start, value))
    }

    pub fn boolean(&mut self, step: &Step, stand: Stand) -> Result {
        let start = self.take(step.field, 1)?;
        let byte = self.number(start, 1, false);
        self.push(step.field, stand, start, 1, u64::from(byte != 0));
        self.tell_int(step, i64::from(byte != 0));
        self.facts.odd |= byte > 1;
        if step.noted {
            self.note_int(step, stand, start, i64::from(byte != 0));
        }
        Ok(())
    }

    pub fn record(&mut self, step: &Step, stand: Stand, steps: &[Step], path: bool) -> Result {
        let start = self.at;
        let heading = self.heading_begins();
        let open = self.open(step.field, stand);
        if path && NODES {
            self.tree.points.clear();
        }
        let ended = self.block(steps, stand.below(0).depth, 0);
        if path {
            self.path_ends(stand, ended.is_ok());
        }
        self.close(open, start, &ended);
        self.heading_ends(open, heading, false);
        ended
    }

    pub fn list(&mut self, step: &Step, stand: Stand, times: Times, item: &ItemSteps) -> Result {
        let mut read = 0;
        let ended = self.items(step, stand, times, item, &mut read);
        self.list_ends(step, item, read);
        ended
    }

    fn items(&mut self, step: &Step, stand: Stand, times: Times, item: &ItemSteps, read: &mut u32) -> Result {
        let Some(count) = times.count(&self.registers, self.channel) else {
            let least = item.least.max(1) as usize;
            while least <= self.end - self.at {
                self.item(step, stand, item, *read)?;
                *read += 1;
            }
            return Ok(());
        };
        for _ in 0..count {
            let before = self.at;
            self.item(step, stand, item, *read)?;
            *read += 1;
            if self.at == before {
                // Items without bytes: the count alone must not keep the loop going.
                break;
            }
        }
        Ok(())
    }

    pub fn list_bytes(&mut self, step: &Step, stand: Stand, size: Register, item: &ItemSteps) -> Result {
        let mut read = 0;
        let size = extent(self.registers[usize::from(size)]).min(u64::from(u32::MAX)) as usize;
        let (outer, until) = (self.end, self.at + size);
        self.end = outer.min(until);
        let mut ended = Ok(());
        while ended.is_ok() && self.at < until {
            let before = self.at;
            ended = self.item(step, stand, item, read);
            read += 1;
            if self.at == before {
                break;
            }
        }
        self.end = outer;
        self.list_ends(step, item, read);
        ended
    }

    #[inline]
    fn item(&mut self, step: &Step, mut stand: Stand, item: &ItemSteps, index: u32) -> Result {
        stand.flags |= flag::INDEXED;
        stand.index = index;
        self.point_at = self.at;
        if !item.record {
            return item.steps.iter().try_for_each(|inner| self.step(inner, stand));
        }
        let start = self.at;
        let heading = self.heading_begins();
        let open = self.open(step.field, stand);
        let ended = self.block(&item.steps, stand.below(0).depth, index);
        self.close(open, start, &ended);
        self.heading_ends(open, heading, true);
        ended
    }

    fn list_ends(&mut self, step: &Step, item: &ItemSteps, read: u32) {
        if item.points {
            self.path_counts();
        }
        self.tell_items(step, item, read);
        if let Info::Items(noun) = step.info {
            self.say(Said::Items(noun, read));
        }
    }

    pub fn text(&mut self, step: &Step, stand: Stand, reach: Reach) -> Result {
        let (start, length) = self.extent(step.field, reach)?;
        if step.role == Role::UnitName && self.facts.unit_name.is_none() {
            let name = reach.text(&self.bytes[start..start + length]).len();
            self.facts.unit_name = (name > 0).then_some((start as u32, name as u32));
        }
        self.tell_text(step, (start, reach.text(&self.bytes[start..start + length]).len()));
        if NODES {
            let text = reach.text(&self.bytes[start..start + length]);
            let text = self.tree.text_lossy(text);
            let place = self.tree.nodes.len();
            self.push(step.field, stand, start, length, 0);
            if let Some(node) = self.tree.nodes.get_mut(place) {
                node.text = text;
            }
        }
        Ok(())
    }

    pub fn raw_bytes(&mut self, step: &Step, stand: Stand, reach: Reach) -> Result {
        let (start, length) = self.extent(step.field, reach)?;
        self.push(step.field, stand, start, length, 0);
        Ok(())
    }

    fn extent(&mut self, field: FieldId, reach: Reach) -> Result<(usize, usize)> {
        let size = match reach {
            Reach::Fixed(size) => size as usize,
            Reach::In(register) => extent(self.registers[usize::from(register)]) as usize,
            Reach::Rest => self.end - self.at,
            Reach::Zero => {
                let until = self.end.min(self.bytes.len());
                let there = self.bytes.get(self.at..until).unwrap_or(&[]);
                match there.iter().position(|byte| *byte == 0) {
                    Some(zero) => zero + 1,
                    None => return self.missing(field, 0),
                }
            }
        };
        Ok((self.take(field, size)?, size))
    }
}
