//! The Info line: what a person wants to know of a packet at a glance: who, what, how many.

use std::fmt::Write;

use super::units::Units;
use crate::capture::{words, Output, Part, Subjects};
use crate::decode::{self, Facts, Point, Said};
use crate::field::Base;
use crate::name_list::{NameList, Named};
use crate::registry::REGISTRY;

/// What is being said of a message; the buffers are used again.
#[derive(Debug, Default)]
pub struct Words {
    /// What it is, in brackets where it is not read.
    pub name: String,
    /// What it says.
    pub what: String,
    label: String,
}

impl Words {
    /// Begins with a name; one of a message that is not read stands in brackets.
    pub fn begin(&mut self, name: Option<&str>, command: u16, is_read: bool) {
        self.what.clear();
        self.name.clear();
        self.name.push_str(if is_read { "" } else { "[" });
        match name {
            Some(name) => self.name.push_str(name),
            None => {
                self.name.push_str("command ");
                words::number(&mut self.name, command.into());
            }
        }
        self.name.push_str(if is_read { "" } else { "]" });
    }

    /// Says it in the Info line, and of the message's item `root`; `bytes` of it are not read.
    pub fn tell(&mut self, who: &Subjects, bytes: u32, units: &Units, root: Option<usize>, out: &mut Output) {
        let write_who = |text: &mut String, unit: u32| units.write(text, unit);
        let part = Part { name: &self.name, who, what: &self.what, bytes, write_who: &write_who };
        out.add_message(&part);
        if root.is_some() && out.labels {
            self.label.clear();
            self.label.push_str(": ");
            part.write(&mut self.label);
            out.label(root, &self.label);
        }
    }

    /// Heads the item of a body with what it says.
    pub fn head(&mut self, item: Option<usize>, out: &mut Output) {
        if item.is_some() && out.labels && !self.what.is_empty() {
            self.label.clear();
            self.label.extend([": ", &self.what]);
            out.label(item, &self.label);
        }
    }

    /// Appends after what time a message answers, nanoseconds; nothing where the clock ran back.
    pub fn answers_after(&mut self, nanoseconds: i64) {
        if nanoseconds >= 0 {
            separate(&mut self.what);
            self.what.push_str("after ");
            words::span(&mut self.what, nanoseconds);
        }
    }
}

/// Says in the Info line of a payload that stays bytes what it is, in brackets.
pub fn tell_bytes(out: &mut Output, name: &str, bytes: u32, what: &str) {
    out.add_message(&Part { name, who: &Subjects::default(), what, bytes, write_who: &|_, _| () });
}

/// Those a message is about: the net id of its header, and the units its body is about; else any that it names.
pub fn subjects(net_id: u32, facts: &Facts) -> Subjects {
    let mut who = Subjects::default();
    who.add(net_id);
    who.join(&facts.units);
    if who.named().is_empty() {
        who.add(facts.other_unit);
    }
    who
}

fn separate(text: &mut String) {
    if !text.is_empty() {
        text.push_str(", ");
    }
}

/// Writes what a body says: its leading values, how many, where its path ends.
pub fn facts(
    text: &mut String,
    facts: &Facts,
    origin: Option<(i32, i32)>,
    names: Option<&NameList>,
    units: &Units,
) {
    for said in facts.said.iter().flatten() {
        say(text, said, names, units);
    }
    // several paths are told by how many units there are
    if facts.paths == 1 && facts.points > 0 {
        separate(text);
        words::items(text, facts.points.into(), "point");
        if let Some(last) = facts.last {
            text.push_str(" → ");
            decode::write_point(text, last, origin);
        }
    } else if let (0, Some((x, z))) = (facts.paths, facts.target) {
        separate(text);
        text.push_str("→ ");
        decode::write_point(text, Point::World(x, z), None);
    }
}

fn say(text: &mut String, said: &Said, names: Option<&NameList>, units: &Units) {
    if let Said::Items(_, 0) | Said::Items("unit", 1) = said {
        // nothing is not worth a word, and one unit is named
        return;
    }
    separate(text);
    match *said {
        Said::Name(label, field, value) => {
            text.push_str(label);
            text.push('=');
            let found = names.into_iter().flat_map(|names| names.get(Named::Thing, value as u32));
            let mut found = found.peekable();
            if found.peek().is_none() {
                integer(text, field, value);
            }
            for (separator, name) in std::iter::once("").chain(std::iter::repeat(" or ")).zip(found) {
                text.extend([separator, name]);
            }
        }
        Said::Unit(label, unit) => {
            text.push_str(label);
            text.push('=');
            units.write(text, unit);
        }
        Said::Int(label, field, value) => {
            text.push_str(label);
            text.push('=');
            integer(text, field, value);
        }
        Said::Float(label, value) => {
            let _ = write!(text, "{label}={value}");
        }
        Said::Word(field, value) => match word(field, value) {
            Some(word) => text.push_str(word),
            None => words::number(text, value),
        },
        Said::Items(noun, count) => words::items(text, count.into(), noun),
    }
}

fn integer(text: &mut String, field: u16, value: i64) {
    match REGISTRY.fields.get(field as usize).map(|f| f.base) {
        Some(Base::Hex | Base::HexDec) => words::hexadecimal(text, value as u64),
        _ => words::number(text, value),
    }
}

fn word(field: u16, value: i64) -> Option<&'static str> {
    let names = REGISTRY.fields.get(field as usize)?.value_strings;
    names.iter().find(|(of, _)| *of == value).map(|(_, word)| *word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(known: &Facts, origin: Option<(i32, i32)>) -> String {
        let mut text = String::new();
        facts(&mut text, known, origin, None, &Units::default());
        text
    }

    #[test]
    fn a_group_is_told_in_one_line() {
        let said = [Some(Said::Int("sync", 0, 984)), Some(Said::Items("unit", 1)), None, None];
        let known =
            Facts { said, paths: 1, points: 2, last: Some(Point::Path(-2976, -3185)), ..Facts::default() };
        assert_eq!(told(&known, Some((6991, 7223))), "sync=984, 2 points → (1039, 853)");
        assert_eq!(told(&known, None), "sync=984, 2 points → (-2976, -3185) in path units");
        let known = Facts { said: [None; 4], ..known };
        assert_eq!(told(&Facts { points: 1, ..known }, Some((0, 0))), "1 point → (-5952, -6370)");
        let several = [Some(Said::Items("unit", 3)), Some(Said::Items("relocation", 0)), None, None];
        assert_eq!(told(&Facts { said: several, paths: 3, ..known }, None), "3 units");
        let order = Facts { target: Some((1.4, 2.0)), ..Facts::default() };
        assert_eq!(told(&order, None), "→ (1, 2)");
    }

    #[test]
    fn a_message_is_about_the_unit_of_its_header_and_those_of_its_body() {
        let mut known = Facts { other_unit: 9, ..Facts::default() };
        assert_eq!(subjects(0, &known).named(), [9], "any is better than none");
        assert_eq!(subjects(5, &known).named(), [5]);
        known.units.add(7);
        assert_eq!(subjects(0, &known).named(), [7]);
        assert_eq!(subjects(7, &known).named(), [7]);
        assert_eq!(subjects(5, &known).named(), [5, 7]);
    }

    #[test]
    fn an_answer_whose_clock_ran_back_tells_no_time() {
        let mut words = Words::default();
        words.answers_after(-1);
        assert_eq!(words.what, "");
        words.what.push_str("sync=1");
        words.answers_after(43_000_000);
        assert_eq!(words.what, "sync=1, after 43 ms");
    }
}
