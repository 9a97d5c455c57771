//! Fields → bytes, along a program's steps.

use super::value::{EncodeError, Value};
use crate::registry::{
    extent, Check, ItemSteps, Op, Program, Reach, RunStep, Step, Times, NO_REGISTER, REGISTERS,
};

type Result<T = ()> = std::result::Result<T, EncodeError>;

static ABSENT: Value = Value::Absent;

pub(super) fn body(program: &Program, channel: Option<u8>, fields: &Value) -> Result<Vec<u8>> {
    let mut writer = Writer { bytes: Vec::new(), registers: [0; REGISTERS], channel, path: String::new() };
    writer.block(&program.steps, fields, 0)?;
    Ok(writer.bytes)
}

struct Writer {
    bytes: Vec<u8>,
    registers: [i64; REGISTERS],
    channel: Option<u8>,
    path: String,
}

impl Writer {
    /// Runs with `part` added to the path that errors name.
    fn at<T>(&mut self, part: &str, run: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let length = self.path.len();
        if length > 0 && !part.starts_with('[') {
            self.path.push('.');
        }
        self.path.push_str(part);
        let result = run(self);
        self.path.truncate(length);
        result
    }

    fn wrong<T>(&self, value: &Value, wanted: impl Into<String>) -> Result<T> {
        let (path, wanted) = (self.path.clone(), wanted.into());
        Err(match value {
            Value::Absent => EncodeError::Missing { path, wanted },
            _ => EncodeError::Type { path, value: value.to_string(), wanted },
        })
    }

    fn record<'v>(&self, value: &'v Value, names: impl Iterator<Item = &'static str>) -> Result<&'v Value> {
        let Value::Record(rows) = value else { return self.wrong(value, "a record") };
        let names: Vec<_> = names.collect();
        let known = |name: &str| names.contains(&name);
        match rows.iter().find(|(name, value)| !known(name) && !matches!(value, Value::Absent)) {
            None => Ok(value),
            Some((name, value)) => Err(EncodeError::Surplus {
                path: if self.path.is_empty() { name.clone() } else { format!("{}.{name}", self.path) },
                value: value.to_string(),
                fields: names.join(", "),
            }),
        }
    }

    fn block(&mut self, steps: &[Step], value: &Value, index: u32) -> Result {
        let value = self.record(value, steps.iter().map(|step| step.row.name))?;
        for step in steps {
            let given = value.get(step.row.name).unwrap_or(&ABSENT);
            self.at(step.row.name, |writer| writer.row(step, given, index))?;
        }
        Ok(())
    }

    fn row(&mut self, step: &Step, given: &Value, index: u32) -> Result {
        let there = match step.present {
            Check::Remaining => !matches!(given, Value::Absent),
            Check::Flagged(_) => {
                let there = !matches!(given, Value::Absent);
                self.bytes.push(there.into());
                there
            }
            check => check.holds(&self.registers, &self.bytes, index),
        };
        if there {
            return self.step(step, given);
        }
        step.forget.iter().for_each(|register| self.registers[usize::from(*register)] = 0);
        match given {
            Value::Absent => Ok(()),
            _ => Err(EncodeError::Unwanted {
                path: self.path.clone(),
                value: given.to_string(),
                condition: step.row.present.notation().unwrap_or_default(),
            }),
        }
    }

    fn step(&mut self, step: &Step, value: &Value) -> Result {
        let wanted = || step.row.ty.notation();
        match (&step.op, value) {
            (Op::Int { size, signed }, _) => {
                let value = self.int(value, least(*size, *signed), most(*size, *signed), wanted)?;
                self.keep(step.keep, value as i64);
                self.bytes.extend(&value.to_le_bytes()[..usize::from(*size)]);
            }
            (Op::BigEndian { size, signed }, _) => {
                let value = self.int(value, least(*size, *signed), most(*size, *signed), wanted)?;
                self.keep(step.keep, value as i64);
                self.bytes.extend(&value.to_be_bytes()[16 - usize::from(*size)..]);
            }
            (Op::Varint { bits }, _) => {
                let value = self.int(value, 0, (1i128 << bits) - 1, wanted)? as u64;
                self.keep(step.keep, value as i64);
                self.varint(value);
            }
            (Op::ZigZag { bits }, _) => {
                let most = i64::MAX >> (64 - bits);
                let value = self.int(value, i128::from(!most), i128::from(most), wanted)? as i64;
                self.keep(step.keep, value);
                self.varint((value << 1 ^ value >> 63) as u64 & (u64::MAX >> (64 - bits)));
            }
            (Op::Bool, _) => {
                let value = self.int(value, 0, 1, wanted)?;
                self.keep(step.keep, value as i64);
                self.bytes.push(value as u8);
            }
            (Op::F32, Value::Float(value)) => self.bytes.extend(value.to_le_bytes()),
            (Op::F32, Value::Int(whole)) if *whole as f32 as i128 == *whole => {
                self.bytes.extend((*whole as f32).to_le_bytes());
            }
            (Op::Bits { size, runs, .. }, _) => {
                let word = self.runs(runs, value)?;
                self.keep(step.keep, word as i64);
                self.bytes.extend(&word.to_le_bytes()[..usize::from(*size)]);
            }
            (Op::BitArray { times, stride, runs, .. }, Value::List(groups)) => {
                self.bit_array(step, *times, *stride, runs, groups)?;
            }
            (Op::Record { steps, .. }, _) => self.block(steps, value, 0)?,
            (Op::List { times, item }, Value::List(items)) => {
                self.count(step, times.count(&self.registers, self.channel), items.len())?;
                self.items(item, items)?;
            }
            (Op::ListBytes { size, item }, Value::List(items)) => {
                let wanted = extent(self.registers[usize::from(*size)]);
                let start = self.bytes.len();
                self.items(item, items)?;
                self.sized(step, wanted, (self.bytes.len() - start) as u64)?;
            }
            (Op::Text(reach), Value::Text(text)) => self.text(step, *reach, text.as_bytes(), value)?,
            (Op::Text(reach), Value::Bytes(bytes)) => self.text(step, *reach, bytes, value)?,
            (Op::Bytes(reach), Value::Bytes(bytes)) => self.raw(step, *reach, bytes)?,
            (Op::F32 | Op::BitArray { .. } | Op::List { .. } | Op::ListBytes { .. }, _)
            | (Op::Text(_) | Op::Bytes(_), _) => return self.wrong(value, wanted()),
        }
        Ok(())
    }

    fn varint(&mut self, mut value: u64) {
        while value > 0x7F {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    fn keep(&mut self, register: u8, value: i64) {
        if register != NO_REGISTER {
            self.registers[usize::from(register)] = value;
        }
    }

    fn int(&self, value: &Value, from: i128, until: i128, wanted: impl Fn() -> String) -> Result<i128> {
        match value {
            Value::Int(value) if (from..=until).contains(value) => Ok(*value),
            Value::Int(value) => {
                Err(EncodeError::Range { path: self.path.clone(), value: *value, from, until })
            }
            _ => self.wrong(value, wanted()),
        }
    }

    fn runs(&mut self, runs: &[RunStep], value: &Value) -> Result<u64> {
        let value = self.record(value, runs.iter().map(|step| step.run.name))?;
        let mut word = 0;
        for step in runs {
            let given = value.get(step.run.name).unwrap_or(&ABSENT);
            let until = i128::from(step.mask);
            let bits = self.at(step.run.name, |w| w.int(given, 0, until, || step.run.notation()))? as u64;
            self.keep(step.keep, bits as i64);
            word |= bits << step.first;
        }
        Ok(word)
    }

    fn bit_array(
        &mut self,
        step: &Step,
        times: Times,
        stride: u8,
        runs: &[RunStep],
        groups: &[Value],
    ) -> Result {
        self.count(step, times.count(&self.registers, self.channel), groups.len())?;
        let start = self.bytes.len();
        self.keep(step.keep, start as i64);
        self.bytes.resize(start + (groups.len() * usize::from(stride)).div_ceil(8), 0);
        for (index, group) in groups.iter().enumerate() {
            let word = self.at(&format!("[{index}]"), |writer| writer.runs(runs, group))?;
            for bit in 0..usize::from(stride) {
                let to = index * usize::from(stride) + bit;
                self.bytes[start + to / 8] |= ((word >> bit & 1) as u8) << (to % 8);
            }
        }
        Ok(())
    }

    fn items(&mut self, item: &ItemSteps, items: &[Value]) -> Result {
        for (index, value) in items.iter().enumerate() {
            self.at(&format!("[{index}]"), |writer| match (item.record, &*item.steps) {
                (false, [step]) => writer.step(step, value),
                (_, steps) => writer.block(steps, value, index as u32),
            })?;
        }
        Ok(())
    }

    fn count(&self, step: &Step, wanted: Option<u64>, got: usize) -> Result {
        match wanted {
            Some(wanted) if wanted != got as u64 => Err(EncodeError::Count {
                path: self.path.clone(),
                got: got as u64,
                wanted,
                unit: "items",
                rule: step.row.ty.notation(),
            }),
            _ => Ok(()),
        }
    }

    fn sized(&self, step: &Step, wanted: u64, got: u64) -> Result {
        if wanted == got {
            return Ok(());
        }
        let (path, rule) = (self.path.clone(), step.row.ty.notation());
        Err(EncodeError::Count { path, got, wanted, unit: "bytes", rule })
    }

    fn text(&mut self, step: &Step, reach: Reach, text: &[u8], value: &Value) -> Result {
        match reach {
            Reach::Zero if text.contains(&0) => {
                Err(EncodeError::Zero { path: self.path.clone(), value: value.to_string() })
            }
            Reach::Zero => {
                self.bytes.extend(text);
                self.bytes.push(0);
                Ok(())
            }
            Reach::Fixed(size) if text.len() < size as usize => {
                self.bytes.extend(text);
                self.bytes.resize(self.bytes.len() + size as usize - text.len(), 0);
                Ok(())
            }
            _ => self.raw(step, reach, text),
        }
    }

    fn raw(&mut self, step: &Step, reach: Reach, bytes: &[u8]) -> Result {
        match reach {
            Reach::Fixed(size) => self.sized(step, u64::from(size), bytes.len() as u64)?,
            Reach::In(register) => {
                self.sized(step, extent(self.registers[usize::from(register)]), bytes.len() as u64)?
            }
            Reach::Zero | Reach::Rest => {}
        }
        self.bytes.extend(bytes);
        Ok(())
    }
}

/// The smallest value of so many bytes.
fn least(size: u8, signed: bool) -> i128 {
    if signed {
        -(1 << (8 * u32::from(size) - 1))
    } else {
        0
    }
}

/// The greatest value of so many bytes.
fn most(size: u8, signed: bool) -> i128 {
    (1 << (8 * u32::from(size) - u32::from(signed))) - 1
}
