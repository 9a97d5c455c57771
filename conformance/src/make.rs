//! Fields that a layout allows, made of choices: for vectors, captures and round trips over every layout.

use dissector_core::encode::Value;
use dissector_core::layout::{Count, Extent, Item, Presence, Role, Row, Run, Type};
use dissector_core::registry::Program;

/// What a whole number is there for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// Its own sake.
    Plain,
    /// To say whether another row is there.
    Switch,
    /// To say how many items follow.
    Items,
    /// The same, read as a signed number: the upper half says none.
    SignedItems,
    /// To say how many bytes a text or a run of bytes has.
    Length,
    /// To say how many bytes a list has: set from the list.
    Size,
}

/// A whole number to choose.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Last part of its path.
    pub name: &'static str,
    /// What it is there for.
    pub purpose: Use,
    /// What the reader does with it.
    pub role: Role,
    /// Values that mean something.
    pub value_strings: &'static [(i64, &'static str)],
    /// Smallest value.
    pub least: i128,
    /// Greatest value.
    pub most: i128,
}

/// Decides what a layout leaves open.
pub trait Choices {
    /// A whole number; one out of range is brought to the nearest that is in it.
    fn whole(&mut self, wanted: &Wanted) -> i128;
    /// A float.
    fn float(&mut self, row: &Row) -> f32;
    /// How many items a list has that goes on to the end of the body.
    fn items(&mut self, row: &Row) -> usize;
    /// Whether a row is there that may be left out: at the end of a body, or where a byte in front of it says so.
    fn goes_on(&mut self, row: &Row) -> bool;
    /// A text or a run of bytes of at most so many; a text's are brought into the form that its row allows.
    fn bytes(&mut self, row: &Row, most: usize) -> Vec<u8>;
}

/// Bytes of a text that has no bound of its own.
const LONGEST: usize = 40;

/// Fields of a body that this program's layout allows, on a channel.
pub fn make(program: &Program, channel: u8, choices: &mut dyn Choices) -> Value {
    let mut uses = Vec::new();
    collect(program.layout.rows, &mut uses);
    // A count that also switches is a count first.
    uses.sort_by_key(|(_, purpose)| *purpose == Use::Switch);
    Maker { choices, channel, uses, scopes: Vec::new() }.record("", program.layout.rows, 0)
}

/// The rows that others count or measure by, each by the path it is named by.
fn collect(rows: &'static [Row], uses: &mut Vec<(&'static str, Use)>) {
    let counted = |count: &Count| match count {
        Count::In(path) | Count::InLess1(path) | Count::InUnlessOn(path, _) => Some((*path, Use::Items)),
        Count::InSigned(path) => Some((*path, Use::SignedItems)),
        Count::Fixed(_) | Count::ToEnd => None,
    };
    for row in rows {
        if let Presence::Set(path) | Presence::Is(path, _) = row.present {
            uses.push((path, Use::Switch));
        }
        match &row.ty {
            Type::Text(Extent::In(path)) | Type::Bytes(Extent::In(path)) => uses.push((path, Use::Length)),
            Type::BitArray { count, .. } => uses.extend(counted(count)),
            Type::Record(rows) => collect(rows, uses),
            Type::Struct(shape) => collect(shape.rows, uses),
            Type::List { count, of } => {
                uses.extend(counted(count));
                collect(of.rows().unwrap_or(&[]), uses);
            }
            Type::ListBytes { bytes, of } => {
                uses.push((bytes, Use::Size));
                collect(of.rows().unwrap_or(&[]), uses);
            }
            _ => {}
        }
    }
}

/// A record that is open: its name, its rows, and the values made so far.
type Scope = (&'static str, &'static [Row], Vec<(String, Value)>);

struct Maker<'c> {
    choices: &'c mut dyn Choices,
    channel: u8,
    uses: Vec<(&'static str, Use)>,
    /// The records that are open, outermost first.
    scopes: Vec<Scope>,
}

impl Maker<'_> {
    fn record(&mut self, name: &'static str, rows: &'static [Row], index: usize) -> Value {
        self.scopes.push((name, rows, Vec::with_capacity(rows.len())));
        let mut ended = false;
        for row in rows {
            ended |= row.present == Presence::Remaining && !self.choices.goes_on(row);
            let there = match row.present {
                Presence::Flagged => self.choices.goes_on(row),
                present => !ended && self.there(present, index),
            };
            let value = if there { self.typed(row, &row.ty) } else { Value::Absent };
            if let Some((.., made)) = self.scopes.last_mut() {
                made.push((row.name.to_owned(), value));
            }
        }
        Value::Record(self.scopes.pop().unwrap_or_default().2)
    }

    /// A value made before, looked for in the record at hand and outwards.
    fn found(&self, path: &str) -> Option<&Value> {
        let mut parts = path.split('.');
        let first = parts.next()?;
        let (_, value) = self
            .scopes
            .iter()
            .rev()
            .find_map(|(.., made)| made.iter().rev().find(|(name, _)| name == first))?;
        parts.try_fold(value, |value, part| value.get(part))
    }

    fn number(&self, path: &str) -> i128 {
        match self.found(path) {
            Some(Value::Int(value)) => *value,
            _ => 0,
        }
    }

    fn there(&self, present: Presence, index: usize) -> bool {
        match present {
            Presence::Always | Presence::Remaining | Presence::Flagged => true,
            Presence::Set(path) => self.number(path) != 0,
            Presence::Is(path, value) => self.number(path) == i128::from(value),
            Presence::GroupIs(path, run, value) => {
                let Some(Value::List(groups)) = self.found(path) else { return false };
                let run = groups.get(index).and_then(|group| group.get(run));
                run == Some(&Value::Int(i128::from(value)))
            }
            Presence::UnlessAlone(path, run) => {
                let Some(Value::Record(runs)) = self.found(path) else { return true };
                runs.iter().any(|(name, value)| (name == run) == (*value == Value::Int(0)))
            }
        }
    }

    fn typed(&mut self, row: &'static Row, ty: &'static Type) -> Value {
        match ty {
            Type::Int { bytes, signed } | Type::BigEndian { bytes, signed } => {
                self.number_of(row, 8 * u32::from(*bytes), *signed)
            }
            Type::Varint { bits } => self.number_of(row, u32::from(*bits), false),
            Type::ZigZag { bits } => self.number_of(row, u32::from(*bits), true),
            Type::Bool => self.number_of(row, 1, false),
            Type::F32 => Value::Float(self.choices.float(row)),
            Type::Bits { runs, .. } => self.runs(row.name, runs),
            Type::BitArray { count, runs } => {
                Value::List((0..self.count(*count, row)).map(|_| self.runs(row.name, runs)).collect())
            }
            Type::Record(rows) => self.record(row.name, rows, 0),
            Type::Struct(shape) => self.record(row.name, shape.rows, 0),
            Type::List { count, of } => {
                let count = self.count(*count, row);
                Value::List((0..count).map(|index| self.item(row, of, index)).collect())
            }
            Type::ListBytes { bytes, of } => {
                let items: Vec<_> = (0..self.choices.items(row)).map(|i| self.item(row, of, i)).collect();
                let size = items.iter().map(|item| item_width(of, item)).sum::<usize>();
                self.set(bytes, size as i128);
                Value::List(items)
            }
            Type::Text(extent) => self.text(row, *extent),
            Type::Bytes(extent) => Value::Bytes(self.exactly(row, *extent)),
        }
    }

    /// A whole number of so many bits.
    fn number_of(&mut self, row: &Row, bits: u32, signed: bool) -> Value {
        let (least, most) = if signed {
            (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
        } else {
            (0, (1i128 << bits) - 1)
        };
        let parent = self.scopes.last().map_or("", |(name, ..)| *name);
        let purpose = self.purpose(parent, row.name);
        self.whole(&Wanted {
            name: row.name,
            purpose,
            role: row.role,
            value_strings: row.value_strings,
            least,
            most,
        })
    }

    /// What a number is there for, by its name in its record or word: a name may stand for several things.
    fn purpose(&self, parent: &str, name: &str) -> Use {
        let whole = format!("{parent}.{name}");
        let of = |named: &str| self.uses.iter().find(|(path, _)| *path == named).map(|(_, purpose)| *purpose);
        of(&whole).or_else(|| of(name)).unwrap_or(Use::Plain)
    }

    fn whole(&mut self, wanted: &Wanted) -> Value {
        if wanted.purpose == Use::Size {
            return Value::Int(0);
        }
        Value::Int(self.choices.whole(wanted).clamp(wanted.least, wanted.most))
    }

    fn runs(&mut self, parent: &str, runs: &'static [Run]) -> Value {
        let run = |run: &Run| {
            let most = (1i128 << (run.last - run.first + 1)) - 1;
            let purpose = self.purpose(parent, run.name);
            let wanted = Wanted {
                name: run.name,
                purpose,
                role: run.role,
                value_strings: run.value_strings,
                least: 0,
                most,
            };
            (run.name.to_owned(), self.whole(&wanted))
        };
        Value::Record(runs.iter().map(run).collect())
    }

    fn item(&mut self, row: &'static Row, of: &'static Item, index: usize) -> Value {
        match of {
            Item::Record(rows) => self.record(row.name, rows, index),
            Item::Struct(shape) => self.record(row.name, shape.rows, index),
            Item::Plain(ty) => self.typed(row, ty),
        }
    }

    fn count(&mut self, count: Count, row: &Row) -> usize {
        let value = match count {
            Count::In(path) => self.number(path),
            Count::InSigned(path) => {
                let (value, bits) = (self.number(path), self.bits(path));
                if value >> (bits - 1) & 1 == 1 {
                    0
                } else {
                    value
                }
            }
            Count::InLess1(path) => self.number(path) - 1,
            Count::InUnlessOn(_, channel) if channel == self.channel => 0,
            Count::InUnlessOn(path, _) => self.number(path),
            Count::Fixed(count) => i128::from(count),
            Count::ToEnd => self.choices.items(row) as i128,
        };
        usize::try_from(value).unwrap_or(0)
    }

    /// Bits of the whole number at a path.
    fn bits(&self, path: &str) -> u32 {
        let parts: Vec<_> = path.split('.').collect();
        self.scopes.iter().rev().find_map(|(_, rows, _)| bits_at(rows, &parts)).unwrap_or(64)
    }

    /// Gives a number made before another value: the size of a list that stands behind it.
    fn set(&mut self, path: &str, to: i128) {
        let mut parts = path.split('.');
        let first = parts.next().unwrap_or_default();
        let made = self.scopes.iter_mut().rev().find_map(|(.., made)| of_name(made, first));
        let Some(mut value) = made else { return };
        for part in parts {
            let Value::Record(rows) = value else { return };
            let Some(inner) = of_name(rows, part) else { return };
            value = inner;
        }
        *value = Value::Int(to);
    }

    /// As many bytes as an extent demands.
    fn exactly(&mut self, row: &Row, extent: Extent) -> Vec<u8> {
        let size = match extent {
            Extent::Fixed(size) => size as usize,
            Extent::In(path) => match self.number(path) {
                // A length as large as that is followed by nothing.
                length if length > i128::from(i32::MAX) => 0,
                length => usize::try_from(length).unwrap_or(0),
            },
            Extent::Zero | Extent::Rest => return self.choices.bytes(row, LONGEST),
        };
        let mut bytes = self.choices.bytes(row, size);
        bytes.resize(size, b'.');
        bytes
    }

    fn text(&mut self, row: &Row, extent: Extent) -> Value {
        let mut bytes = match extent {
            Extent::Fixed(size) => self.choices.bytes(row, size as usize),
            _ => self.exactly(row, extent),
        };
        match extent {
            Extent::Zero => bytes.retain(|byte| *byte != 0),
            Extent::Fixed(_) => {
                bytes.truncate(bytes.iter().rposition(|byte| *byte != 0).map_or(0, |at| at + 1))
            }
            Extent::In(_) | Extent::Rest => {}
        }
        String::from_utf8(bytes).map_or_else(|error| Value::Bytes(error.into_bytes()), Value::Text)
    }
}

fn of_name<'v>(rows: &'v mut [(String, Value)], name: &str) -> Option<&'v mut Value> {
    rows.iter_mut().rev().find(|(row, _)| row == name).map(|(_, value)| value)
}

/// Bits of the whole number, or the run of bits, at a path below these rows.
fn bits_at(rows: &[Row], path: &[&str]) -> Option<u32> {
    let (first, rest) = path.split_first()?;
    let row = rows.iter().find(|row| row.name == *first)?;
    match row.ty {
        Type::Int { bytes, .. } | Type::BigEndian { bytes, .. } if rest.is_empty() => {
            Some(8 * u32::from(bytes))
        }
        Type::Bits { runs, .. } => {
            let run = runs.iter().find(|run| rest == [run.name])?;
            Some(u32::from(run.last - run.first) + 1)
        }
        Type::Record(rows) => bits_at(rows, rest),
        _ => None,
    }
}

fn item_width(of: &Item, value: &Value) -> usize {
    match of {
        Item::Record(rows) => width(rows, value),
        Item::Struct(shape) => width(shape.rows, value),
        Item::Plain(ty) => row_width(ty, value),
    }
}

/// Bytes that a record takes.
fn width(rows: &[Row], value: &Value) -> usize {
    let of_row = |row: &Row| {
        let own = value.get(row.name).map_or(0, |value| row_width(&row.ty, value));
        own + usize::from(row.present == Presence::Flagged)
    };
    rows.iter().map(of_row).sum()
}

fn row_width(ty: &Type, value: &Value) -> usize {
    match (ty, value) {
        (_, Value::Absent) => 0,
        (Type::Int { bytes, .. } | Type::BigEndian { bytes, .. } | Type::Bits { bytes, .. }, _) => {
            usize::from(*bytes)
        }
        (Type::Varint { .. }, Value::Int(value)) => {
            (1..10).find(|groups| value >> (7 * groups) == 0).unwrap_or(10)
        }
        (Type::ZigZag { .. }, Value::Int(value)) => {
            let groups = (value << 1) ^ (value >> 127);
            (1..10).find(|count| groups >> (7 * count) == 0).unwrap_or(10)
        }
        (Type::Bool, _) => 1,
        (Type::F32, _) => 4,
        (Type::BitArray { runs, .. }, Value::List(groups)) => {
            let stride = runs.iter().map(|run| usize::from(run.last) + 1).max().unwrap_or(1);
            (groups.len() * stride).div_ceil(8)
        }
        (Type::Record(rows), _) => width(rows, value),
        (Type::Struct(shape), _) => width(shape.rows, value),
        (Type::List { of, .. } | Type::ListBytes { of, .. }, Value::List(items)) => {
            items.iter().map(|item| item_width(of, item)).sum()
        }
        (Type::Text(Extent::Fixed(size)) | Type::Bytes(Extent::Fixed(size)), _) => *size as usize,
        (Type::Text(extent), Value::Text(text)) => text.len() + usize::from(matches!(extent, Extent::Zero)),
        (Type::Text(extent), Value::Bytes(bytes)) => {
            bytes.len() + usize::from(matches!(extent, Extent::Zero))
        }
        (Type::Bytes(_), Value::Bytes(bytes)) => bytes.len(),
        _ => 0,
    }
}
