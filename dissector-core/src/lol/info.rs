//! The Info line: what a person wants to know of a packet at a glance.

use std::fmt::Write;

use crate::decode::{Facts, Point, Said};
use crate::field::Base;
use crate::name_list::{NameList, Named};
use crate::path;
use crate::registry::REGISTRY;

/// Writes what a body says: its leading values, how many units, where its path ends.
pub fn facts(line: &mut String, facts: &Facts, origin: Option<(i32, i32)>, names: Option<&NameList>) {
    let mut first = true;
    for said in facts.said.iter().flatten() {
        line.push_str(if std::mem::take(&mut first) { " " } else { ", " });
        say(line, said, names);
    }
    let separator = if first { " " } else { ", " };
    // several paths are told by how many units there are
    if facts.paths == 1 && facts.points > 0 {
        let plural = if facts.points == 1 { "" } else { "s" };
        line.push_str(separator);
        number(line, facts.points.into());
        line.push_str(" point");
        line.push_str(plural);
        if let Some(last) = facts.last {
            point(line, last, origin);
        }
    } else if let (0, Some((x, z))) = (facts.paths, facts.target) {
        let _ = write!(line, " → ({x:.0}, {z:.0})");
    }
}

/// A number as `0x` and at least eight digits; this stands in a third of all lines, and `write!` takes thrice as long.
fn add_hex(line: &mut String, value: u64) {
    let mut digits = [0; 16];
    // sixteen digits are room enough for eight bytes
    let _ = hex::encode_to_slice(value.to_be_bytes(), &mut digits);
    let left_out = (value.leading_zeros() as usize / 4).min(8);
    line.push_str("0x");
    line.push_str(std::str::from_utf8(&digits[left_out..]).unwrap_or_default());
}

fn number(line: &mut String, value: i64) {
    line.push_str(itoa::Buffer::new().format(value));
}

fn point(line: &mut String, last: Point, origin: Option<(i32, i32)>) {
    let (x, z, unit) = match (last, origin) {
        (Point::World(x, z), _) => {
            let _ = write!(line, " → ({x:.0}, {z:.0})");
            return;
        }
        (Point::Path(x, z), Some(origin)) => (path::world(origin.0, x), path::world(origin.1, z), ")"),
        (Point::Path(x, z), None) => (x.into(), z.into(), ") in path units"),
    };
    line.push_str(" → (");
    number(line, x);
    line.push_str(", ");
    number(line, z);
    line.push_str(unit);
}

fn say(line: &mut String, said: &Said, names: Option<&NameList>) {
    match *said {
        Said::Name(label, field, value) => {
            let mut found =
                names.into_iter().flat_map(|names| names.get(Named::Thing, value as u32)).peekable();
            if found.peek().is_none() {
                return say(line, &Said::Int(label, field, value), None);
            }
            line.push_str(label);
            for (separator, name) in std::iter::once("=").chain(std::iter::repeat(" or ")).zip(found) {
                line.extend([separator, name]);
            }
        }
        Said::Int(label, field, value) => {
            line.push_str(label);
            match REGISTRY.fields.get(field as usize).map(|f| f.base) {
                Some(Base::Hex | Base::HexDec) => {
                    line.push('=');
                    add_hex(line, value as u64);
                }
                _ => {
                    line.push('=');
                    number(line, value);
                }
            }
        }
        Said::Float(label, value) => {
            let _ = write!(line, "{label}={value}");
        }
        Said::Word(field, value) => match word(field, value) {
            Some(word) => line.push_str(word),
            None => number(line, value),
        },
        Said::Items(noun, count) => {
            number(line, count.into());
            line.push(' ');
            line.push_str(noun);
            line.push_str(if count == 1 { "" } else { "s" });
        }
    }
}

fn word(field: u16, value: i64) -> Option<&'static str> {
    let names = REGISTRY.fields.get(field as usize)?.value_strings;
    names.iter().find(|(of, _)| *of == value).map(|(_, word)| *word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_told_in_one_line() {
        let said = [Some(Said::Int("sync", 0, 984)), Some(Said::Items("unit", 1)), None, None];
        let known =
            Facts { said, paths: 1, points: 2, last: Some(Point::Path(-2976, -3185)), ..Facts::default() };
        let mut line = "WaypointGroup".to_owned();
        facts(&mut line, &known, Some((6991, 7223)), None);
        assert_eq!(line, "WaypointGroup sync=984, 1 unit, 2 points → (1039, 853)");
        let mut line = "WaypointGroup".to_owned();
        facts(&mut line, &known, None, None);
        assert!(line.ends_with("→ (-2976, -3185) in path units"), "{line}");
    }

    #[test]
    fn hexadecimal_as_format_writes_it() {
        for value in [0, 1, 0x0F, 0x0649_6EA8, 0xFFFF_FFFF, 0x1_0000_0000, u64::MAX] {
            let mut line = String::new();
            add_hex(&mut line, value);
            assert_eq!(line, format!("0x{value:08x}"));
        }
    }
}
