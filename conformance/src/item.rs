//! A tree of items as a reader shows it, and the fields its items make up: for readers that give back no fields
//! themselves. Names are filter names; a row is found by the name its layout gives it.

use dissector_core::encode::Value;
use dissector_core::layout::{Extent, Item as Of, Row, Run, Type};
use dissector_core::registry::{Program, REGISTRY};
use dissector_core::version::Build;

use crate::reader::Reading;

/// One line of a tree.
#[derive(Clone, Debug, Default)]
pub struct Item {
    /// Filter name.
    pub name: String,
    /// Its value, where it is shown as a whole number.
    pub whole: Option<i128>,
    /// Its value, where it is shown as a float.
    pub float: Option<f64>,
    /// Its value, where it is shown as text.
    pub text: Option<String>,
    /// The bytes it spans.
    pub bytes: Vec<u8>,
    /// Whether it is left out of the tree that people see.
    pub hidden: bool,
    /// What hangs below.
    pub items: Vec<Item>,
}

impl Item {
    /// This item and every one below, each before what hangs below it.
    pub fn all(&self) -> Box<dyn Iterator<Item = &Item> + '_> {
        Box::new(std::iter::once(self).chain(self.items.iter().flat_map(Item::all)))
    }

    /// The first item of that name, here or below.
    pub fn find(&self, name: &str) -> Option<&Item> {
        self.all().find(|item| item.name == name)
    }
}

/// The messages in an item of `lol`.
pub fn messages(lol: &Item) -> impl Iterator<Item = &Item> {
    lol.items.iter().filter(|item| item.name == "lol.message.item")
}

/// The one message in an item of `lol`.
pub fn only_message(lol: &Item) -> Result<&Item, String> {
    let mut all = messages(lol);
    match (all.next(), all.next()) {
        (Some(message), None) => Ok(message),
        _ => Err(format!("{} messages in an item that is to hold one", messages(lol).count())),
    }
}

/// What a message of an item of `lol` says that was to be read as one of this build; whether it was cut is left open.
pub fn reading(lol: &Item, root: &Item, build: Build) -> Result<Reading, String> {
    let shown = |of: &Item, name: &str| of.find(name).and_then(|item| item.text.clone());
    let message = shown(root, "lol.message").ok_or("no layout read it: lol.message is not there")?;
    match shown(lol, "lol.build") {
        Some(read) if read == build.to_string() => {}
        other => return Err(format!("read as build {other:?}, expected {build}")),
    }
    let program = REGISTRY.program_of(&message, build);
    let (program, _) = program.ok_or_else(|| format!("{message} is not in {build}"))?;
    let prefix = program.message.family.prefix;
    let family = root.find(prefix).ok_or_else(|| format!("no item {prefix}"))?;
    let rest = root.find("lol.leftOver").map_or_else(Vec::new, |item| item.bytes.clone());
    Ok(Reading { message, fields: fields(program, family), rest, cut: None })
}

/// The fields of a body from the item of its family.
pub fn fields(program: &Program, family: &Item) -> Value {
    record(program.layout.rows, program.message.family.prefix, &family.items)
}

fn record(rows: &[Row], prefix: &str, items: &[Item]) -> Value {
    let names: Vec<_> =
        rows.iter().map(|row| format!("{prefix}.{}", row.filter.unwrap_or(row.name))).collect();
    // Beside the rows stand items that no layout states, such as points added up.
    let mut stated = items.iter().filter(|item| !item.hidden && names.contains(&item.name)).peekable();
    let mut fields = Vec::with_capacity(rows.len());
    for (row, name) in rows.iter().zip(&names) {
        let value = if let Type::List { of, .. } | Type::ListBytes { of, .. } = &row.ty {
            let here = std::iter::from_fn(|| stated.next_if(|item| item.name == *name));
            Value::List(here.map(|item| listed(of, name, item)).collect())
        } else {
            let here = stated.next_if(|item| item.name == *name);
            here.map_or_else(|| absent(&row.ty), |item| typed(&row.ty, name, item))
        };
        fields.push((row.name.to_owned(), value));
    }
    Value::Record(fields)
}

/// A row without an item: groups of bits that take no bytes are none, anything else is not there.
fn absent(ty: &Type) -> Value {
    match ty {
        Type::BitArray { .. } => Value::List(Vec::new()),
        _ => Value::Absent,
    }
}

fn listed(of: &Of, name: &str, item: &Item) -> Value {
    match of {
        Of::Record(rows) => record(rows, name, &item.items),
        Of::Struct(def) => record(def.rows, name, &item.items),
        Of::Plain(ty) => typed(ty, name, item),
    }
}

fn typed(ty: &Type, name: &str, item: &Item) -> Value {
    match ty {
        Type::Int { .. }
        | Type::BigEndian { .. }
        | Type::Varint { .. }
        | Type::ZigZag { .. }
        | Type::Bool => item.whole.map_or(Value::Absent, Value::Int),
        Type::F32 => float(item),
        Type::Bits { runs, .. } => word(runs, name, item),
        Type::BitArray { runs, .. } => {
            let groups = item.items.iter().filter(|group| group.name == *name);
            Value::List(groups.map(|group| word(runs, name, group)).collect())
        }
        Type::Record(rows) => record(rows, name, &item.items),
        Type::Struct(shape) => record(shape.rows, name, &item.items),
        Type::Text(extent) => text(*extent, item),
        Type::Bytes(_) => Value::Bytes(item.bytes.clone()),
        // A list is made of several items, so its row takes them itself.
        Type::List { .. } | Type::ListBytes { .. } => Value::Absent,
    }
}

fn word(runs: &[Run], name: &str, item: &Item) -> Value {
    let value = |run: &Run| {
        let name = format!("{name}.{}", run.name);
        let shown = item.items.iter().find(|item| !item.hidden && item.name == name);
        (run.name.to_owned(), shown.and_then(|item| item.whole).map_or(Value::Absent, Value::Int))
    };
    Value::Record(runs.iter().map(value).collect())
}

/// A NaN keeps its bits only in the bytes: what is shown is no number.
fn float(item: &Item) -> Value {
    match (item.float, item.bytes.first_chunk()) {
        (Some(shown), _) if !shown.is_nan() => Value::Float(shown as f32),
        (_, Some(bytes)) if f32::from_le_bytes(*bytes).is_nan() => Value::Float(f32::from_le_bytes(*bytes)),
        _ => Value::Absent,
    }
}

/// A text as it is shown, where every reader shows it alike; else as its bytes have it, without end or padding.
fn text(extent: Extent, item: &Item) -> Value {
    let meant = match extent {
        Extent::Zero => item.bytes.strip_suffix(&[0]).unwrap_or(&item.bytes),
        Extent::Fixed(_) => {
            let kept = item.bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            &item.bytes[..kept]
        }
        Extent::In(_) | Extent::Rest => &item.bytes,
    };
    let is_plain = |byte: &u8| (b' '..=b'~').contains(byte) && *byte != b'\\';
    match std::str::from_utf8(meant) {
        Err(_) => Value::Bytes(meant.to_vec()),
        Ok(_) if meant.iter().all(is_plain) => item.text.clone().map_or(Value::Absent, Value::Text),
        Ok(text) => Value::Text(text.to_owned()),
    }
}
