//! Fields of what the reader works out in the bodies of a family: points, times, names, links.

use super::program::{Generated, PointFields, TimeFields};
use super::table::{Table, Wanted};
use crate::field::{field, measured, Base, FieldSpec, Kind};
use crate::layout::{Exchange, Family, Item, Message, Role, Row, Type};
use crate::tree::FieldId;

/// Fields of what the reader works out in the bodies of a family.
pub(super) fn generated(table: &mut Table, family: &Family, messages: &[&'static Message]) -> Generated {
    const NAME: FieldSpec = field(
        "name",
        "Name",
        Kind::Text,
        Base::None,
        "Name behind the number above it, from the list of names given in lol.names",
    );
    let unit = table.find("lol.unit");
    let paths = has_role(family, messages, |role| matches!(role, Role::First(_)));
    let names = has_role(family, messages, |role| matches!(role, Role::NameHash(_)));
    let point = paths.then(|| point_fields(table, family));
    let name = names.then(|| want(table, family, &NAME));
    let runs = has_role(family, messages, |role| role == Role::Lasts);
    let times = runs.then(|| time_fields(table, family));
    Generated { unit, name, times, point }
}

fn point_fields(table: &mut Table, family: &Family) -> PointFields {
    const POINT: [FieldSpec; 5] = [
        field("point", "Point", Kind::Record, Base::None, "A point of the path, with its steps added up"),
        field(
            "point.x",
            "X",
            Kind::Double,
            Base::None,
            "First ground axis, world units from the map's origin",
        ),
        field(
            "point.z",
            "Z",
            Kind::Double,
            Base::None,
            "Second ground axis, world units from the map's origin",
        ),
        field(
            "point.rawX",
            "Raw X",
            Kind::I32,
            Base::Dec,
            "First ground axis, path units of two world units",
        ),
        field(
            "point.rawZ",
            "Raw Z",
            Kind::I32,
            Base::Dec,
            "Second ground axis, path units of two world units",
        ),
    ];
    let [point, x, z, raw_x, raw_z] = POINT.map(|spec| want(table, family, &spec));
    PointFields { point, x, z, raw_x, raw_z }
}

/// Fields that link a family's statements with their answers, named by the session.
pub(super) fn link_fields(table: &mut Table, family: &Family, messages: &[&'static Message]) {
    const ASKS: [FieldSpec; 1] = [field(
        "ackIn",
        "Answered in",
        Kind::Frame,
        Base::None,
        "Frame of the first answer that names this sync id",
    )];
    const ANSWERS: [FieldSpec; 2] = [
        field("ackTo", "Answers", Kind::Frame, Base::None, "Frame of the statement this answers"),
        field(
            "ackTime",
            "Time to answer",
            Kind::Duration,
            Base::None,
            "Time from the statement to this answer",
        ),
    ];
    let of_family = |message: &&&Message| message.family == family;
    let asks = messages.iter().filter(of_family).any(|m| m.exchange == Exchange::Asks);
    let answers = messages.iter().filter(of_family).any(|m| matches!(m.exchange, Exchange::Answers(_)));
    let wanted = ASKS.iter().filter(|_| asks).chain(ANSWERS.iter().filter(|_| answers));
    wanted.for_each(|spec| {
        want(table, family, spec);
    });
}

fn time_fields(table: &mut Table, family: &Family) -> TimeFields {
    const TIMES: [FieldSpec; 2] = [
        measured(
            "timeLeft",
            "Time left",
            Kind::Double,
            Base::None,
            "s",
            "Seconds left from the arrival of the message, as the field of this name or lasts states them",
        ),
        measured(
            "total",
            "Total time",
            Kind::Double,
            Base::None,
            "s",
            "Seconds of the whole run: those it has run already and those left",
        ),
    ];
    let [left, total] = TIMES.map(|spec| want(table, family, &spec));
    TimeFields { left, total }
}

/// A field of a family that no row states.
fn want(table: &mut Table, family: &Family, spec: &FieldSpec) -> FieldId {
    let name = format!("{}.{}", family.prefix, spec.name);
    let plain = Wanted::new(name, spec.title, spec.kind, spec.base, spec.blurb);
    table.want(Wanted { value_strings: spec.value_strings, unit: spec.unit, ..plain })
}

/// Whether a layout of the family holds a row with such a role.
fn has_role(family: &Family, messages: &[&'static Message], wanted: fn(Role) -> bool) -> bool {
    fn any(rows: &[Row], wanted: fn(Role) -> bool) -> bool {
        rows.iter().any(|row| {
            wanted(row.role)
                || match row.ty {
                    Type::Record(rows) => any(rows, wanted),
                    Type::Struct(def) => any(def.rows, wanted),
                    Type::List { of, .. } | Type::ListBytes { of, .. } => match of {
                        Item::Record(rows) => any(rows, wanted),
                        Item::Struct(def) => any(def.rows, wanted),
                        Item::Plain(_) => false,
                    },
                    _ => false,
                }
        })
    }
    let mut of_family = messages.iter().filter(|message| message.family == family);
    of_family.any(|message| message.layouts.iter().any(|layout| any(layout.rows, wanted)))
}
