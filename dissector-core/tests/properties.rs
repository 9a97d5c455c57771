//! What holds for any bytes, and for any fields a layout allows.

mod common;

use common::{decode, input};
use dissector_core::encode::{body, fields, Value};
use dissector_core::layout::{Count, Extent, Item, Presence, Row, Run, Type};
use dissector_core::registry::{Program, REGISTRY};
use dissector_core::tree::{flag, Tree};
use proptest::prelude::*;

fn program() -> impl Strategy<Value = &'static Program> {
    (0..REGISTRY.programs.len()).prop_map(|index| &REGISTRY.programs[index])
}

/// Bytes as a hostile sender would choose them: any, or small numbers that counts and flags make something of.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![any::<u8>(), 0u8..4, Just(255)];
    prop::collection::vec(byte, 0..200)
}

fn well_formed(tree: &Tree, length: usize) {
    let mut open: Vec<(u8, u32, u32)> = Vec::new();
    for node in &tree.nodes {
        assert!(usize::from(node.field) < REGISTRY.fields.len());
        assert!((node.offset + node.length) as usize <= 5 + length && node.offset >= 5);
        open.retain(|(depth, ..)| *depth < node.depth);
        assert_eq!(usize::from(node.depth), open.len() + 1, "a level is left out");
        if let (Some((_, from, until)), 0) = (open.last(), node.flags & flag::GENERATED) {
            assert!(*from <= node.offset && node.offset + node.length <= *until, "outside its parent");
        }
        open.push((node.depth, node.offset, node.offset + node.length));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_it_panic_or_read_past_the_end(
        program in program(), bytes in bytes(), more in 0usize..40, channel in 0u8..8,
    ) {
        let (tree, _, end) = decode(program, &input(&bytes, bytes.len() + more, channel));
        prop_assert!(end.used as usize <= bytes.len());
        well_formed(&tree, bytes.len());
        // Four groups of two bits a byte, each with its node and two runs, is the most a byte makes.
        prop_assert!(tree.nodes.len() <= 64 + 24 * bytes.len());
    }

    #[test]
    fn what_was_read_whole_is_written_alike(program in program(), bytes in bytes(), channel in 0u8..8) {
        let whole = input(&bytes, bytes.len(), channel);
        let (tree, _, end) = decode(program, &whole);
        let read = fields(program, &tree.nodes, &whole);
        if end.cut.is_some() {
            return Ok(());
        }
        let written = body(program, Some(channel), &read).unwrap();
        // Bits behind the last group and bytes behind a text's end are not fields, so read both again.
        let again = input(&written, written.len(), channel);
        let (tree, _, end) = decode(program, &again);
        prop_assert_eq!(end.cut, None);
        prop_assert_eq!(end.used as usize, written.len());
        prop_assert_eq!(fields(program, &tree.nodes, &again), read);
    }

    #[test]
    fn what_a_layout_allows_is_read_as_written(
        program in program(), choices in prop::collection::vec(any::<u8>(), 0..300), channel in 0u8..8,
    ) {
        let mut made = Maker { choices: choices.into_iter(), channel, scopes: Vec::new() };
        let wanted = made.record(program.layout.rows, 0);
        let written = body(program, Some(channel), &wanted).unwrap();
        let input = input(&written, written.len(), channel);
        let (tree, _, end) = decode(program, &input);
        prop_assert_eq!(end.cut, None);
        prop_assert_eq!(end.used as usize, written.len());
        prop_assert_eq!(fields(program, &tree.nodes, &input), wanted);
        well_formed(&tree, written.len());
    }
}

/// Makes fields a layout allows out of arbitrary choices.
struct Maker {
    choices: std::vec::IntoIter<u8>,
    channel: u8,
    /// Values made so far of each record that is open, outermost first.
    scopes: Vec<Vec<(String, Value)>>,
}

impl Maker {
    fn byte(&mut self) -> u8 {
        self.choices.next().unwrap_or(0)
    }

    fn number(&mut self, bytes: u8) -> u64 {
        (0..bytes).fold(0, |number, _| number << 8 | u64::from(self.byte()))
    }

    /// A value made before, looked up in the record at hand and outwards.
    fn value(&self, path: &str) -> i128 {
        let found = self.scopes.iter().rev().find_map(|scope| {
            let mut parts = path.split('.');
            let first = parts.next()?;
            let value = &scope.iter().rev().find(|(name, _)| name == first)?.1;
            parts.try_fold(value, |value, part| value.get(part))
        });
        match found {
            Some(Value::Int(value)) => *value,
            Some(Value::Absent) => 0,
            other => panic!("{path} is {other:?}"),
        }
    }

    fn there(&mut self, present: Presence, index: usize) -> bool {
        match present {
            // A body that could have ended here may go on too.
            Presence::Always | Presence::Remaining => true,
            // Both are bodies; the byte that says which is written by the encoder.
            Presence::Flagged => self.byte() % 2 == 0,
            Presence::Set(path) => self.value(path) != 0,
            Presence::Is(path, value) => self.value(path) == i128::from(value),
            Presence::GroupIs(path, run, value) => {
                let array =
                    self.scopes.iter().rev().find_map(|scope| scope.iter().find(|(name, _)| name == path));
                let Some((_, Value::List(groups))) = array else { panic!("{path} is no list") };
                groups[index].get(run) == Some(&Value::Int(i128::from(value)))
            }
            Presence::UnlessAlone(path, run) => {
                let word =
                    self.scopes.iter().rev().find_map(|scope| scope.iter().find(|(name, _)| name == path));
                let Some((_, Value::Record(runs))) = word else { panic!("{path} is no word") };
                runs.iter().any(|(name, value)| (name == run) == (*value == Value::Int(0)))
            }
        }
    }

    fn record(&mut self, rows: &'static [Row], index: usize) -> Value {
        self.scopes.push(Vec::new());
        for row in rows {
            let value = if self.there(row.present, index) { self.typed(row, &row.ty) } else { Value::Absent };
            self.scopes.last_mut().unwrap().push((row.name.to_owned(), value));
        }
        Value::Record(self.scopes.pop().unwrap())
    }

    fn typed(&mut self, row: &'static Row, ty: &'static Type) -> Value {
        match ty {
            Type::Int { bytes, signed } => self.int(row.name, *bytes, *signed),
            Type::BigEndian { bytes, signed } => self.int(row.name, *bytes, *signed),
            Type::Varint { bits } => self.int(row.name, bits / 8, false),
            Type::ZigZag { bits } => self.int(row.name, bits / 8, true),
            Type::Bool => Value::Int(i128::from(self.byte() % 2)),
            Type::F32 => Value::Float(f32::from_bits(self.number(4) as u32)),
            Type::Bits { runs, .. } => self.runs(runs),
            Type::BitArray { count, runs } => {
                Value::List((0..self.count(*count)).map(|_| self.runs(runs)).collect())
            }
            Type::Record(rows) => self.record(rows, 0),
            Type::Struct(def) => self.record(def.rows, 0),
            Type::List { count, of } => {
                let count = self.count(*count);
                Value::List((0..count).map(|index| self.item(row, of, index)).collect())
            }
            Type::ListBytes { .. } => Value::List(Vec::new()),
            Type::Text(extent) => self.text(*extent),
            Type::Bytes(extent) => {
                let size = self.size(*extent);
                Value::Bytes((0..size).map(|_| self.byte()).collect())
            }
        }
    }

    /// Numbers that count something stay small, so that what they count can be made.
    fn int(&mut self, name: &str, bytes: u8, signed: bool) -> Value {
        let lower = name.to_ascii_lowercase();
        if lower.ends_with("count") || lower.ends_with("length") {
            return Value::Int(i128::from(self.byte() % 6));
        }
        // Sizes of lists in bytes: the lists are made empty.
        if lower.ends_with("size") {
            return Value::Int(0);
        }
        let (number, shift) = (self.number(bytes), 64 - 8 * u32::from(bytes));
        let number = if number % 3 == 0 { number % 4 } else { number };
        Value::Int(if signed { i128::from((number << shift) as i64 >> shift) } else { i128::from(number) })
    }

    fn runs(&mut self, runs: &[Run]) -> Value {
        let run = |run: &Run| {
            let bits = u32::from(run.last - run.first) + 1;
            let number = self.number(bits.div_ceil(8) as u8) & u64::MAX >> (64 - bits);
            let number = if run.name == "size" { 0 } else { number };
            let number = if run.name.ends_with("size") { 0 } else { number };
            (run.name.to_owned(), Value::Int(i128::from(number)))
        };
        Value::Record(runs.iter().map(run).collect())
    }

    fn item(&mut self, row: &'static Row, of: &'static Item, index: usize) -> Value {
        match of {
            Item::Record(rows) => self.record(rows, index),
            Item::Struct(def) => self.record(def.rows, index),
            Item::Plain(ty) => self.typed(row, ty),
        }
    }

    fn count(&mut self, count: Count) -> usize {
        match count {
            Count::In(path) => self.value(path) as usize,
            Count::InSigned(path) => self.value(path) as usize,
            Count::InLess1(path) => (self.value(path) - 1).max(0) as usize,
            Count::InUnlessOn(_, channel) if channel == self.channel => 0,
            Count::InUnlessOn(path, _) => self.value(path) as usize,
            Count::Fixed(count) => count as usize,
            Count::ToEnd => usize::from(self.byte() % 5),
        }
    }

    fn size(&mut self, extent: Extent) -> usize {
        match extent {
            Extent::Fixed(size) => size as usize,
            Extent::In(path) => self.value(path) as usize,
            Extent::Zero | Extent::Rest => usize::from(self.byte() % 20),
        }
    }

    fn text(&mut self, extent: Extent) -> Value {
        let size = self.size(extent);
        let size =
            if let Extent::Fixed(_) = extent { size - usize::from(self.byte()) % (size + 1) } else { size };
        Value::Text((0..size).map(|_| char::from(b'!' + self.byte() % 94)).collect())
    }
}
