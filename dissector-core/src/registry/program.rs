//! What a layout becomes before it is read: steps that name fields by number and other rows by register.

use crate::field::ValueStrings;
use crate::layout::{Info, Layout, Message, Role, Row, Run};
use crate::tree::FieldId;

/// A register: a value read earlier that a later row depends on.
pub(crate) type Register = u8;

/// No register.
pub(crate) const NO_REGISTER: Register = Register::MAX;

/// Most registers of one program.
pub(crate) const REGISTERS: usize = 24;

/// A layout made ready to be read: rows with their field ids and references resolved.
#[derive(Debug)]
pub struct Program {
    /// The message it reads.
    pub message: &'static Message,
    /// The layout it was made from.
    pub layout: &'static Layout,
    /// Field of the family's subtree.
    pub family: FieldId,
    /// Whether no page of the specification holds it, but recorded or accepted messages of its builds bear it out.
    pub recorded: bool,
    pub(crate) steps: Box<[Step]>,
    pub(crate) generated: Generated,
}

/// Fields of nodes the reader works out.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Generated {
    /// `lol.unit`, where the table has it.
    pub unit: Option<FieldId>,
    /// The name behind a name number, where the family has such numbers.
    pub name: Option<FieldId>,
    /// Times left and in all, where the family has effects that run.
    pub times: Option<TimeFields>,
    /// The resolved points, where the family has compact paths.
    pub point: Option<PointFields>,
}

/// Fields of a run of time, seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimeFields {
    /// What is left.
    pub left: FieldId,
    /// What has run and what is left together.
    pub total: FieldId,
}

/// Fields of one resolved point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PointFields {
    /// The record.
    pub point: FieldId,
    /// World units.
    pub x: FieldId,
    /// World units.
    pub z: FieldId,
    /// Path units.
    pub raw_x: FieldId,
    /// Path units.
    pub raw_z: FieldId,
}

/// One row.
#[derive(Debug)]
pub(crate) struct Step {
    pub row: &'static Row,
    pub field: FieldId,
    pub present: Check,
    /// Where its value is kept; a bit array keeps where it starts.
    pub keep: Register,
    /// Whether it means more than a node: its register, role or part in the Info column.
    pub noted: bool,
    /// Whether the heading of the record it stands in tells it: not what other rows tell, a count or a path.
    pub told: bool,
    pub role: Role,
    /// Field of the hidden node that repeats its value.
    pub also: Option<FieldId>,
    /// Field of the node that says the same in other units.
    pub converted: Option<FieldId>,
    pub meaning: Meant,
    pub info: Info,
    /// Registers that hold zero again where the row is absent.
    pub forget: Box<[Register]>,
    pub op: Op,
}

/// What a value says besides its number, ready to be shown.
#[derive(Debug)]
pub(crate) enum Meant {
    Nothing,
    Values(ValueStrings),
    Bits(Box<[RunStep]>),
}

/// When a row is there.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Check {
    Always,
    Set(Register),
    Is(Register, i64),
    Group(GroupCheck),
    IsNot(Register, i64),
    /// Where bytes are left: who walks the steps knows.
    Remaining,
    /// Where the byte in front says so, shown as this field: who walks the steps reads or writes it.
    Flagged(FieldId),
}

/// Bits of the group of a bit array that belongs to the list item at hand.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GroupCheck {
    pub array: Register,
    pub stride: u8,
    pub first: u8,
    pub width: u8,
    pub value: i64,
}

/// How many items, or groups of bits.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Times {
    In(Register),
    /// Signed number of so many bits.
    InSigned(Register, u8),
    InLess1(Register),
    InUnlessOn(Register, u8),
    Fixed(u32),
    ToEnd,
}

/// How far text or bytes reach.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Reach {
    Zero,
    Fixed(u32),
    In(Register),
    Rest,
}

/// How a row is read.
#[derive(Debug)]
pub(crate) enum Op {
    Int { size: u8, signed: bool },
    BigEndian { size: u8, signed: bool },
    Varint { bits: u8 },
    ZigZag { bits: u8 },
    Bool,
    F32,
    Bits { size: u8, raw: FieldId, runs: Box<[RunStep]> },
    BitArray { times: Times, raw: FieldId, stride: u8, runs: Box<[RunStep]> },
    Record { steps: Box<[Step]>, path: bool },
    List { times: Times, item: ItemSteps },
    ListBytes { size: Register, item: ItemSteps },
    Text(Reach),
    Bytes(Reach),
}

/// What a list holds: the rows of a record, or one step for a bare value.
#[derive(Debug)]
pub(crate) struct ItemSteps {
    pub record: bool,
    /// Whether the items are the points of a path, in world units.
    pub points: bool,
    /// Fewest bytes an item takes.
    pub least: u32,
    pub steps: Box<[Step]>,
}

/// A run of bits.
#[derive(Debug)]
pub(crate) struct RunStep {
    pub run: &'static Run,
    pub field: FieldId,
    pub keep: Register,
    /// Field of the hidden node that says whether it is set.
    pub also: Option<FieldId>,
    pub first: u8,
    pub count: u8,
    pub mask: u64,
    /// Whether it means nothing, or nobody knows what.
    pub is_unused: bool,
}

impl Step {
    /// The fewest bytes the row takes.
    pub(crate) fn least(&self) -> u32 {
        match self.present {
            Check::Always => {}
            Check::Flagged(_) => return 1,
            _ => return 0,
        }
        match &self.op {
            Op::Int { size, .. } | Op::BigEndian { size, .. } | Op::Bits { size, .. } => u32::from(*size),
            Op::Varint { .. } | Op::ZigZag { .. } | Op::Bool => 1,
            Op::F32 => 4,
            Op::Record { steps, .. } => least(steps),
            Op::List { times: Times::Fixed(count), item } => count.saturating_mul(item.least),
            Op::Text(Reach::Fixed(size)) | Op::Bytes(Reach::Fixed(size)) => *size,
            Op::Text(Reach::Zero) | Op::Bytes(Reach::Zero) => 1,
            Op::BitArray { .. } | Op::List { .. } | Op::ListBytes { .. } | Op::Text(_) | Op::Bytes(_) => 0,
        }
    }

    /// The registers it and the rows inside it write.
    pub(crate) fn kept(&self, into: &mut Vec<Register>) {
        let mut keep = |register: Register| {
            if register != NO_REGISTER {
                into.push(register);
            }
        };
        keep(self.keep);
        match &self.op {
            Op::Bits { runs, .. } => runs.iter().for_each(|run| keep(run.keep)),
            Op::Record { steps, .. } => steps.iter().for_each(|step| step.kept(into)),
            Op::List { item, .. } | Op::ListBytes { item, .. } => {
                item.steps.iter().for_each(|s| s.kept(into))
            }
            _ => {}
        }
    }
}

/// The fewest bytes rows take together.
pub(crate) fn least(steps: &[Step]) -> u32 {
    steps.iter().fold(0, |sum, step| sum.saturating_add(step.least()))
}

/// Whether rows reach to the end of the body wherever that is: then it proves little that they use it up.
pub(crate) fn reach_the_end(steps: &[Step]) -> bool {
    steps.iter().any(|step| match &step.op {
        Op::Record { steps, .. } => reach_the_end(steps),
        Op::List { times, item } => matches!(times, Times::ToEnd) || reach_the_end(&item.steps),
        Op::Text(reach) | Op::Bytes(reach) => matches!(reach, Reach::Rest),
        _ => false,
    })
}

impl Check {
    /// Whether the row is there, for the item at `index` of the innermost list.
    #[inline(always)]
    pub(crate) fn holds(self, registers: &[i64; REGISTERS], bytes: &[u8], index: u32) -> bool {
        match self {
            Check::Always | Check::Remaining | Check::Flagged(_) => true,
            Check::Set(register) => registers[usize::from(register)] != 0,
            Check::Is(register, value) => registers[usize::from(register)] == value,
            Check::IsNot(register, value) => registers[usize::from(register)] != value,
            Check::Group(check) => {
                let start = registers[usize::from(check.array)] as usize;
                let bit = u64::from(index) * u64::from(check.stride) + u64::from(check.first);
                bits(bytes, start, bit, check.width) as i64 == check.value
            }
        }
    }
}

impl Times {
    /// How many; `None` where the end of the body says.
    #[inline]
    pub(crate) fn count(self, registers: &[i64; REGISTERS], channel: Option<u8>) -> Option<u64> {
        let value = |register: Register| registers[usize::from(register)];
        Some(match self {
            Times::In(register) => value(register).max(0) as u64,
            Times::InSigned(register, bits) => {
                let shift = 64 - u32::from(bits);
                (value(register) << shift >> shift).max(0) as u64
            }
            Times::InLess1(register) => value(register).saturating_sub(1).max(0) as u64,
            Times::InUnlessOn(_, on) if channel == Some(on) => 0,
            Times::InUnlessOn(register, _) => value(register).max(0) as u64,
            Times::Fixed(count) => u64::from(count),
            Times::ToEnd => return None,
        })
    }
}

impl Reach {
    /// A text without the zero that ends it or the zeros that fill it up.
    pub(crate) fn text(self, bytes: &[u8]) -> &[u8] {
        match self {
            Reach::Zero => bytes.strip_suffix(&[0]).unwrap_or(bytes),
            Reach::Fixed(_) => {
                let kept = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
                &bytes[..kept]
            }
            Reach::In(_) | Reach::Rest => bytes,
        }
    }
}

/// The bytes a length takes: 0 and anything above 2147483647 takes none.
pub(crate) fn extent(value: i64) -> u64 {
    if value > i64::from(i32::MAX) {
        0
    } else {
        value.max(0) as u64
    }
}

/// So many bits, from a bit counted from the byte `start` on; bits past the end are 0.
#[inline]
pub(crate) fn bits(bytes: &[u8], start: usize, bit: u64, count: u8) -> u64 {
    let from = start.saturating_add((bit / 8) as usize);
    let shift = (bit % 8) as u32;
    let mask = u64::MAX >> (64 - u32::from(count.clamp(1, 64)));
    if shift + u32::from(count) <= 8 {
        return bytes.get(from).map_or(0, |byte| u64::from(*byte) >> shift & mask);
    }
    let mut word = 0u128;
    for (place, byte) in bytes.get(from..).unwrap_or(&[]).iter().take(9).enumerate() {
        word |= u128::from(*byte) << (8 * place);
    }
    (word >> shift) as u64 & mask
}
