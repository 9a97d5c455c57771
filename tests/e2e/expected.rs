//! Decoded fields as vectors and expected captures state them, and how a tree differs from them.

use std::collections::BTreeMap;

use conformance::tshark::whole;
use dissector_core::book::MESSAGES;
use serde_json::{Map, Value as Json};

use crate::pdml::Item;

/// Messages whose page calls a field otherwise than its filter: message, path in the page, path in the filter.
/// One name may mean one thing only within a family, and the pages of a family do not always keep to that.
const RENAMED: &[(&str, &str, &str)] = &[
    ("EffectAddedGroup", "count", "entryCount"),
    ("EffectReplacedGroup", "count", "entryCount"),
    ("EffectCountGroup", "count", "entryCount"),
    ("EffectRemovedGroup", "count", "entryCount"),
    ("Registered", "proof", "proofAnswered"),
    // A number in one layout, a word of bits in another.
    ("VersionSync", "tipFlags", "tipFlagsNumber"),
    ("VersionSync", "features", "features.raw"),
];

/// Names below a family that the reader fills in and no page states.
const GENERATED: &[&str] = &[
    "ackIn",
    "ackTo",
    "ackTime",
    "answerIn",
    "point.x",
    "point.z",
    "point.rawX",
    "point.rawZ",
    "name",
    "timeLeft",
    "total",
];

/// Second names of fields that have one beside the page's.
const ALSO: &[&str] = &["effect.stacks", "particle.id"];

/// The filter prefix of a message's family.
pub fn family(message: &str) -> &'static str {
    let named = MESSAGES.iter().find(|known| known.name == message);
    named.unwrap_or_else(|| panic!("{message} is not in the book")).family.prefix
}

/// The fields of a message that are not records, by filter name, each with its values in order.
pub fn flatten<'j>(message: &str, fields: &'j Json) -> BTreeMap<String, Vec<&'j Json>> {
    let mut leaves = BTreeMap::new();
    collect(family(message), fields, &mut leaves);
    for (_, page, filter) in RENAMED.iter().filter(|(of, ..)| *of == message) {
        let name = |path: &str| format!("{}.{path}", family(message));
        if let Some(values) = leaves.remove(&name(page)) {
            leaves.insert(name(filter), values);
        }
    }
    leaves
}

fn collect<'j>(path: &str, value: &'j Json, leaves: &mut BTreeMap<String, Vec<&'j Json>>) {
    match value {
        Json::Null => {}
        Json::Object(rows) => {
            rows.iter().for_each(|(name, value)| collect(&format!("{path}.{name}"), value, leaves))
        }
        Json::Array(items) => items.iter().for_each(|item| collect(path, item, leaves)),
        _ => leaves.entry(path.to_owned()).or_default().push(value),
    }
}

/// What differs between the fields a message should have and those shown of it, in its own place in the item of `lol`;
/// nothing where they are equal.
pub fn differences(message: &str, fields: &Json, lol: &Item) -> Vec<String> {
    let family = family(message);
    let empty = Json::Object(Map::new());
    let expected = flatten(message, if fields.is_null() { &empty } else { fields });
    let mut found = Vec::new();
    if lol.value("lol.message") != message {
        found.push(format!("lol.message: expected {message}, got {:?}", lol.value("lol.message")));
    }
    let Some(body) = lol.find(family) else {
        found.push(format!("{family}: not there"));
        return found;
    };
    let all = body.all();
    for (name, wanted) in &expected {
        let got: Vec<_> = all.iter().filter(|item| item.name == *name).collect();
        let equal =
            got.len() == wanted.len() && wanted.iter().zip(&got).all(|(wanted, got)| same(wanted, got));
        if !equal {
            let show: Vec<_> = got.iter().map(|item| &item.show).collect();
            found.push(format!("{name}: expected {wanted:?}, got {show:?}"));
        }
    }
    for item in all {
        // what the bits of a number mean goes by names below its own, and so does what it is in other units
        let means = item.name.rsplit_once('.').is_some_and(|(above, _)| expected.contains_key(above));
        let known = means || expected.contains_key(&item.name) || is_generated(family, &item.name);
        if !item.show.is_empty() && !known {
            found.push(format!("{}: expected nothing, got {:?}", item.name, item.show));
        }
    }
    found
}

fn is_generated(family: &str, name: &str) -> bool {
    let own = name.strip_prefix(family).and_then(|rest| rest.strip_prefix('.'));
    own.is_none_or(|path| GENERATED.contains(&path) || path.ends_with(".raw") || path == "raw")
        || ALSO.contains(&name)
}

/// Whether an item shows this value. Floats are compared as the 4-byte floats they are.
fn same(wanted: &Json, got: &Item) -> bool {
    match wanted {
        Json::Bool(wanted) => whole(&got.show) == Some(i128::from(*wanted)),
        Json::Number(number) => match number.as_i64().map(i128::from).or(number.as_u64().map(i128::from)) {
            Some(wanted) if whole(&got.show).is_some() => whole(&got.show) == Some(wanted),
            _ => {
                let wanted = number.as_f64().expect("a JSON number is a float") as f32;
                got.show.parse::<f64>().is_ok_and(|got| (got as f32).to_bits() == wanted.to_bits())
            }
        },
        Json::String(text) => {
            let not_finite = text.starts_with("nan:") || text == "inf" || text == "-inf";
            got.show == *text || got.value == *text || not_finite && same_bits(text, &got.value)
        }
        _ => false,
    }
}

/// Whether bytes are those of a float that is no number: `nan:` and its bits, or an infinity.
fn same_bits(text: &str, value: &str) -> bool {
    let bits = match text {
        "inf" => f32::INFINITY.to_bits(),
        "-inf" => f32::NEG_INFINITY.to_bits(),
        _ => u32::from_str_radix(&text[4..], 16).expect("bits after nan:"),
    };
    hex::encode(bits.to_le_bytes()) == value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(name: &str, show: &str, items: Vec<Item>) -> Item {
        let text = str::to_owned;
        Item {
            name: text(name),
            label: String::new(),
            show: text(show),
            value: String::new(),
            place: (0, 0),
            hidden: false,
            items,
        }
    }

    #[test]
    fn differences_are_found_both_ways() {
        let fields = serde_json::json!({"radius": 1500.5, "center": {"x": 1, "y": null}});
        let tree = |rows: &[(&str, &str)]| {
            let rows = rows.iter().map(|(name, show)| item(name, show, vec![])).collect();
            item("lol", "", vec![item("lol.message", "MovementBounds", vec![]), item("bounds", "", rows)])
        };
        let of = |rows| differences("MovementBounds", &fields, &tree(rows)).len();
        assert_eq!(of(&[("bounds.radius", "1500.5"), ("bounds.center.x", "0x01")]), 0);
        assert_eq!(of(&[("bounds.radius", "1500.25"), ("bounds.center.x", "1")]), 1);
        assert_eq!(of(&[("bounds.radius", "1500.5")]), 1);
        assert_eq!(of(&[("bounds.radius", "1500.5"), ("bounds.center.x", "1"), ("bounds.center.y", "2")]), 1);
        assert_eq!(of(&[("bounds.radius", "1500.5"), ("bounds.center.x", "1"), ("bounds.center.x", "1")]), 1);
    }
}
