//! The field table while it grows: one entry per name, with a type that holds what every layout puts there.

use std::collections::HashMap;

use super::Field;
use crate::field::{Base, FieldSpec, Kind, Mask, ValueStrings};
use crate::tree::FieldId;

/// The table and what was found wrong with it.
#[derive(Default)]
pub(super) struct Table {
    pub fields: Vec<Field>,
    pub problems: Vec<String>,
    by_name: HashMap<String, FieldId>,
}

/// What a row wants of its field.
pub(super) struct Wanted<'a> {
    pub name: String,
    pub title: &'a str,
    pub kind: Kind,
    pub base: Base,
    pub value_strings: ValueStrings,
    pub unit: &'static str,
    pub mask: Option<Mask>,
    pub blurb: &'a str,
}

impl<'a> Wanted<'a> {
    /// A plain field: no names for values, no unit, no bit of a word.
    pub fn new(name: String, title: &'a str, kind: Kind, base: Base, blurb: &'a str) -> Wanted<'a> {
        Wanted { name, title, kind, base, value_strings: &[], unit: "", mask: None, blurb }
    }
}

impl Table {
    /// Takes a field that is not a row of the book. Its place in the table follows from its place in its list.
    pub fn fixed(&mut self, spec: &FieldSpec) {
        if self.by_name.contains_key(spec.name) {
            self.problems.push(format!("field {} is stated twice", spec.name));
        }
        self.push(Field {
            name: spec.name.to_owned(),
            title: spec.title.to_owned(),
            short_name: spec.short_name,
            kind: spec.kind,
            base: spec.base,
            value_strings: spec.value_strings,
            unit: spec.unit,
            masks: spec.masks.to_vec(),
            owner: 0,
            blurb: spec.blurb.to_owned(),
        });
    }

    /// The field of a row: a new one, or the one of that name made wide enough.
    pub fn want(&mut self, wanted: Wanted<'_>) -> FieldId {
        let Some(&id) = self.by_name.get(&wanted.name) else {
            return self.push(Field {
                name: wanted.name,
                title: wanted.title.to_owned(),
                short_name: "",
                kind: wanted.kind,
                base: wanted.base,
                value_strings: wanted.value_strings,
                unit: wanted.unit,
                masks: wanted.mask.into_iter().collect(),
                owner: 0,
                blurb: wanted.blurb.to_owned(),
            });
        };
        let field = &mut self.fields[usize::from(id)];
        match wider(field.kind, wanted.kind) {
            Some(kind) => field.kind = kind,
            None => self.problems.push(format!(
                "field {} is {:?} in one layout and {:?} in another",
                field.name, field.kind, wanted.kind
            )),
        }
        if field.base != wanted.base && field.kind.is_integer() {
            field.base = if field.base == Base::Dec { wanted.base } else { field.base };
        }
        if field.unit != wanted.unit {
            self.problems.push(format!("field {} has two units", field.name));
        }
        if field.masks.is_empty() != wanted.mask.is_none() {
            self.problems.push(format!("field {} is a bit in one layout and whole in another", field.name));
        }
        field.masks.extend(wanted.mask.filter(|mask| !field.masks.contains(mask)));
        match joined(field.value_strings, wanted.value_strings) {
            Some(value_strings) => field.value_strings = value_strings,
            None => self.problems.push(format!("field {} has two words for one value", field.name)),
        }
        id
    }

    /// Gives every field its protocol: the one whose name is the first part of its own.
    pub fn settle_owners(&mut self) {
        for id in 0..self.fields.len() {
            let prefix = self.fields[id].name.split('.').next().unwrap_or_default();
            let owner = self.by_name.get(prefix).copied();
            match owner.filter(|owner| self.fields[usize::from(*owner)].kind.is_protocol()) {
                Some(owner) => self.fields[id].owner = owner,
                None => self.problems.push(format!("field {} is of no protocol", self.fields[id].name)),
            }
        }
    }

    /// The family of that name, which `want` has made; its short name is that of its protocol.
    pub fn name_family(&mut self, id: FieldId, short_name: &'static str) {
        self.fields[usize::from(id)].short_name = short_name;
    }

    /// Field by name; `None` where the table has none of it.
    pub fn find(&self, name: &str) -> Option<FieldId> {
        self.by_name.get(name).copied()
    }

    fn push(&mut self, field: Field) -> FieldId {
        if self.fields.len() >= usize::from(FieldId::MAX) {
            self.problems.push("more fields than a field id can number".to_owned());
            return 0;
        }
        let id = self.fields.len() as FieldId;
        self.by_name.insert(field.name.clone(), id);
        self.fields.push(field);
        id
    }
}

/// The kind that holds the values of both; `None` where none does.
fn wider(one: Kind, other: Kind) -> Option<Kind> {
    if one == other {
        return Some(one);
    }
    let (bits, more) = (bits(one)?, bits(other)?);
    let widest = bits.max(more);
    Some(match (one.is_signed(), other.is_signed()) {
        (false, false) => unsigned(widest),
        (true, true) => signed(widest),
        // wide enough already: a third layout must not widen what two have settled
        (true, false) if bits > more => one,
        (false, true) if more > bits => other,
        _ if widest <= 16 => Kind::I32,
        _ => Kind::I64,
    })
}

fn bits(kind: Kind) -> Option<u32> {
    Some(match kind {
        Kind::U8 | Kind::I8 => 8,
        Kind::U16 | Kind::I16 => 16,
        Kind::U32 | Kind::I32 => 32,
        Kind::U64 | Kind::I64 => 64,
        _ => return None,
    })
}

/// The unsigned kind of at least so many bits.
pub(super) fn unsigned(bits: u32) -> Kind {
    match bits {
        0..=8 => Kind::U8,
        9..=16 => Kind::U16,
        17..=32 => Kind::U32,
        _ => Kind::U64,
    }
}

/// The signed kind of at least so many bits.
pub(super) fn signed(bits: u32) -> Kind {
    match bits {
        0..=8 => Kind::I8,
        9..=16 => Kind::I16,
        17..=32 => Kind::I32,
        _ => Kind::I64,
    }
}

/// The words of both lists; `None` where they name one value differently.
fn joined(one: ValueStrings, other: ValueStrings) -> Option<ValueStrings> {
    let missing: Vec<_> = other.iter().filter(|word| !one.contains(word)).copied().collect();
    if missing.is_empty() {
        return Some(one);
    }
    if one.is_empty() {
        return Some(other);
    }
    if missing.iter().any(|(value, _)| one.iter().any(|(known, _)| known == value)) {
        return None;
    }
    let mut all = [one, &missing].concat();
    all.sort_by_key(|(value, _)| *value);
    // Built once and kept as long as the process: a table of words lives in no layout of its own.
    Some(Box::leak(all.into_boxed_slice()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_has_one_kind() {
        assert_eq!(wider(Kind::U8, Kind::U32), Some(Kind::U32));
        assert_eq!(wider(Kind::I16, Kind::I8), Some(Kind::I16));
        assert_eq!(wider(Kind::I8, Kind::U8), Some(Kind::I32));
        assert_eq!(wider(Kind::U16, Kind::I8), Some(Kind::I32));
        assert_eq!(wider(Kind::I32, Kind::U32), Some(Kind::I64));
        assert_eq!(wider(Kind::I32, Kind::U8), Some(Kind::I32));
        assert_eq!(wider(Kind::U16, Kind::I32), Some(Kind::I32));
        assert_eq!(wider(Kind::Record, Kind::U8), None);
        assert_eq!(wider(Kind::Double, Kind::U32), None);
    }

    #[test]
    fn a_field_is_a_bit_in_all_layouts_or_in_none() {
        let mut table = Table::default();
        let flag = |mask| Wanted { mask, ..Wanted::new("a.flag".into(), "Flag", Kind::Bool, Base::None, "") };
        for bit in [0, 3, 0] {
            table.want(flag(Some(Mask { bit, bytes: 1 })));
        }
        assert_eq!((table.fields[0].masks.len(), table.problems.len()), (2, 0));
        table.want(flag(None));
        assert_eq!(table.problems, ["field a.flag is a bit in one layout and whole in another"]);
    }

    #[test]
    fn a_field_of_another_unit_or_of_no_protocol_is_a_problem() {
        let mut table = Table::default();
        let field = |name: &str, unit| Wanted {
            unit,
            ..Wanted::new(name.into(), "Time", Kind::Double, Base::None, "")
        };
        table.want(Wanted::new("z".into(), "Z", Kind::Protocol, Base::None, ""));
        table.want(Wanted::new("a".into(), "A", Kind::Family, Base::None, ""));
        table.want(field("a.time", "s"));
        table.want(field("a.time", "s"));
        table.settle_owners();
        assert_eq!((table.fields[2].owner, table.problems.len()), (1, 0));
        table.want(field("a.time", "ms"));
        table.want(field("b.time", "s"));
        table.settle_owners();
        assert_eq!(table.problems, ["field a.time has two units", "field b.time is of no protocol"]);
    }

    #[test]
    fn words_join_and_conflicts_show() {
        const A: ValueStrings = &[(0, "along"), (1, "keep")];
        assert_eq!(joined(A, &[(1, "keep")]), Some(A));
        assert_eq!(joined(&[], A), Some(A));
        assert_eq!(joined(&[(1, "keep")], &[(0, "along")]), Some(A));
        assert_eq!(joined(A, &[(1, "other")]), None);
    }
}
