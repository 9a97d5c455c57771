//! What a record's heading says while it is closed: its rows in a few words, and where its path goes.

use std::fmt::Write;

use super::reader::{Heading, Reader};
use super::Point;
use crate::capture::words;
use crate::layout::{Info, Role};
use crate::path::world;
use crate::registry::{ItemSteps, RunStep, Step};
use crate::tree::flag;

/// Bytes of a heading after which no further row is told.
const LONGEST: usize = 90;
/// Bytes of a text that are told.
const LONGEST_TEXT: usize = 40;

impl<const NODES: bool> Reader<'_, NODES> {
    /// Begins a record's heading; its end wants what this answers.
    #[inline(always)]
    pub fn heading_begins(&mut self) -> Heading {
        if !(NODES && self.labels) {
            return Heading::default();
        }
        let begun = Heading { start: self.tree.heading.len(), path: None };
        std::mem::replace(&mut self.heading, begun)
    }

    /// Ends a record's heading and writes it on its node. What it stands in tells of it only the path of a record of its own,
    /// with the rows that stand beside that while there is room for rows.
    #[inline(always)]
    pub fn heading_ends(&mut self, place: Option<usize>, outer: Heading, is_item: bool) {
        if NODES && self.labels {
            let Heading { start, path } = std::mem::replace(&mut self.heading, outer);
            self.write_heading(place, start);
            match path.filter(|_| !is_item) {
                Some(path) => self.heading_goes_on(start, path),
                None => self.tree.heading.truncate(start),
            }
        }
    }

    /// What a record's heading says, from `start` on, becomes a part of that of what it stands in: of one that has no room
    /// for rows any more, its path.
    fn heading_goes_on(&mut self, start: usize, mut path: usize) {
        let heading = &mut self.tree.heading;
        if start - self.heading.start > LONGEST && path > start {
            let left_out = if heading[..start].ends_with('…') { "" } else { ", …" };
            heading.replace_range(start..path, left_out);
            path = start + left_out.len();
        }
        self.heading.path.get_or_insert(path);
    }

    fn write_heading(&mut self, place: Option<usize>, begin: usize) {
        let heading = std::mem::take(&mut self.tree.heading);
        let told = heading.get(begin..).unwrap_or("").trim_start_matches(", ");
        // a record that the end of the body took back has no node
        if let (false, Some(true)) = (told.is_empty(), place.map(|place| place < self.tree.nodes.len())) {
            let text = self.tree.write_text(|text| text.extend([": ", told]));
            if let Some(node) = place.and_then(|place| self.tree.nodes.get_mut(place)) {
                node.text = text;
                node.flags |= flag::LABELLED;
            }
        }
        self.tree.heading = heading;
    }

    /// Tells a row; `write` appends its value.
    #[inline(always)]
    pub fn tell(&mut self, step: &Step, write: impl FnOnce(&mut String)) {
        if NODES && self.labels && step.told {
            self.tell_row(step.row.title, write);
        }
    }

    /// Tells a value under a row's title, which begins small here unless it is all capitals.
    fn tell_row(&mut self, title: &str, write: impl FnOnce(&mut String)) {
        let heading = &mut self.tree.heading;
        if heading.len() - self.heading.start > LONGEST {
            if !heading.ends_with('…') {
                heading.push_str(", …");
            }
            return;
        }
        heading.push_str(", ");
        let mut letters = title.chars();
        if let Some(first) = letters.next() {
            let rest = letters.as_str();
            let is_name = rest.starts_with(char::is_uppercase);
            heading.push(if is_name { first } else { first.to_ascii_lowercase() });
            heading.push_str(rest);
            heading.push(' ');
        }
        write(heading);
    }

    /// Tells a whole number: a unit where there is one, a name where it is known, a word where it has one.
    #[inline(always)]
    pub fn tell_int(&mut self, step: &Step, value: i64) {
        if !(NODES && self.labels && step.told) {
            return;
        }
        let words = step.row.value_strings.iter().find(|(of, _)| *of == value);
        match step.role {
            // zero names nothing
            Role::Unit | Role::NameHash(_) if value == 0 => {}
            Role::Unit => self.tell_row(step.row.title, |text| words::hexadecimal(text, value as u64)),
            Role::NameHash(what) => match self.names.and_then(|names| names.get(what, value as u32).next()) {
                Some(name) => self.tell_row("", |text| text.push_str(name)),
                None => self.tell_row(step.row.title, |text| words::hexadecimal(text, value as u64)),
            },
            _ => self.tell_row(step.row.title, |text| match words {
                Some((_, word)) => text.push_str(word),
                None => words::number(text, value),
            }),
        }
    }

    /// Tells a text, as far as it is one.
    pub fn tell_text(&mut self, step: &Step, (start, length): (usize, usize)) {
        let bytes = self.bytes;
        self.tell(step, |text| {
            let shown = String::from_utf8_lossy(&bytes[start..start + length.min(LONGEST_TEXT)]);
            text.push('"');
            text.extend(shown.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c }));
            text.push_str(if length > LONGEST_TEXT { "…\"" } else { "\"" });
        });
    }

    /// Tells how many items a list had, unless they are points, which the path tells.
    #[inline(always)]
    pub fn tell_items(&mut self, step: &Step, item: &ItemSteps, count: u32) {
        if NODES && self.labels && count > 0 {
            self.tell_list(step, item, count);
        }
    }

    fn tell_list(&mut self, step: &Step, item: &ItemSteps, count: u32) {
        if item.points || item.steps.iter().any(|step| matches!(step.role, Role::Step(_))) {
            return;
        }
        let noun = match step.info {
            Info::Items(noun) => noun,
            _ => step.row.title,
        };
        self.tell_row("", |text| {
            let start = text.len();
            words::items(text, count.into(), noun);
            text[start..].make_ascii_lowercase();
        });
    }

    /// Tells a path: how many points it has and where it ends. It is told however much was told before.
    #[inline(always)]
    pub fn tell_path(&mut self, points: u32, last: Option<Point>) {
        if !(NODES && self.labels && points > 0) {
            return;
        }
        let (heading, origin) = (&mut self.tree.heading, self.origin);
        self.heading.path.get_or_insert(heading.len());
        heading.push_str(", ");
        words::items(heading, points.into(), "point");
        if let Some(last) = last {
            heading.push_str(" → ");
            write_point(heading, last, origin);
        }
    }

    /// Heads a word of bits, or a group of a bit array, with what is set in it; its node is the last one.
    #[inline(always)]
    pub fn head_bits(&mut self, runs: &[RunStep], word: u64) {
        if NODES && self.labels {
            let build = self.build;
            self.label(|text| super::meaning::summary(text, runs, word, build));
        }
    }

    /// Heads a resolved point with its place; its node is the last one.
    #[inline(always)]
    pub fn head_point(&mut self, point: Point) {
        if NODES && self.labels {
            let origin = self.origin;
            self.label(|text| {
                text.push_str(": ");
                write_point(text, point, origin);
            });
        }
    }
}

/// Appends a point: in world units where the origin is known, else in path units.
pub fn write_point(text: &mut String, point: Point, origin: Option<(i32, i32)>) {
    let (x, z, unit) = match (point, origin) {
        (Point::World(x, z), _) if x.abs().max(z.abs()) < 1e9 => (x.round() as i64, z.round() as i64, ")"),
        (Point::World(x, z), _) => {
            let _ = write!(text, "({x:.0}, {z:.0})");
            return;
        }
        (Point::Path(x, z), Some(origin)) => (world(origin.0, x), world(origin.1, z), ")"),
        (Point::Path(x, z), None) => (x.into(), z.into(), ") in path units"),
    };
    text.push('(');
    words::number(text, x);
    text.push_str(", ");
    words::number(text, z);
    text.push_str(unit);
}
