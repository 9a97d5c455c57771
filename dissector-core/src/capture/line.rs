//! The Info line: parts joined within a bound, those alike counted, the rest told as a number.

use super::words;

/// Longest Info line, characters, without what says how much was left out.
const LONGEST: usize = 200;
/// Who a part is about: so many are named, the rest is an ellipsis.
const NAMED: usize = 3;
/// A run of parts that say different things is told by its number from so many on.
const MANY: u32 = 3;

/// Those a part is about, by number; zero is nobody.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Subjects {
    named: [u32; NAMED],
    /// How many are in `named`.
    shown: u8,
    /// Whether there are others.
    more: bool,
}

impl Subjects {
    /// Adds one, perhaps once more.
    #[inline]
    pub fn add(&mut self, who: u32) {
        let shown = usize::from(self.shown);
        if who == 0 || self.named().contains(&who) {
            return;
        }
        match self.named.get_mut(shown) {
            Some(place) => {
                *place = who;
                self.shown += 1;
            }
            None => self.more = true,
        }
    }

    /// Adds all of another.
    pub fn join(&mut self, other: &Subjects) {
        other.named().iter().for_each(|who| self.add(*who));
        self.more |= other.more;
    }

    /// The first of them, in the order they came.
    pub fn named(&self) -> &[u32] {
        &self.named[..usize::from(self.shown)]
    }
}

/// What the line says of one message.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    /// What it is, in brackets where it is not read.
    pub name: &'a str,
    /// Whom it is about.
    pub who: &'a Subjects,
    /// What it says besides; may be empty.
    pub what: &'a str,
    /// Bytes that are not read; 0 says nothing of bytes.
    pub bytes: u32,
    /// Writes whom a number names.
    pub write_who: &'a dyn Fn(&mut String, u32),
}

impl Part<'_> {
    /// Appends the part as it stands where it is alone.
    pub fn write(&self, text: &mut String) {
        self.write_run(text, self.who, 1, i64::from(self.bytes), self.what);
    }

    fn write_run(&self, text: &mut String, who: &Subjects, count: u32, bytes: i64, what: &str) {
        text.push_str(self.name);
        let mut separator = " ";
        if count > 1 {
            text.push_str(" ×");
            words::number(text, count.into());
            separator = ", ";
        }
        for one in who.named() {
            text.push_str(std::mem::replace(&mut separator, ", "));
            (self.write_who)(text, *one);
        }
        if who.more {
            text.push_str(", …");
        }
        if bytes > 0 {
            text.push_str(std::mem::replace(&mut separator, ", "));
            words::items(text, bytes, "byte");
        }
        if !what.is_empty() {
            text.push_str(separator);
            text.push_str(what);
        }
    }
}

/// The parts at the end of the line that are of one name.
#[derive(Clone, Debug, Default)]
struct Run {
    /// How many messages they are of; 0 where the last part was of another sort.
    count: u32,
    name: String,
    tag: &'static str,
    /// Where the first of them begins in the line, and how many characters are before it.
    start: (usize, usize),
    who: Subjects,
    bytes: i64,
    /// What all of them say; of no use once they differ.
    what: String,
    differ: bool,
}

/// What is known of a line besides its text.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    /// Characters it has so far.
    characters: usize,
    /// What stands in front of every part that is added: how a receiver takes it.
    pub tag: &'static str,
    run: Run,
    /// Where the text ends that says how much is left out, once something is.
    full: Option<usize>,
    left_out: u32,
    scratch: String,
}

impl Line {
    /// Begins a new line.
    pub fn clear(&mut self) {
        (self.characters, self.tag, self.full, self.left_out) = (0, "", None, 0);
        self.run.count = 0;
    }

    /// Goes on where another line, whose text is `text`, ended.
    pub fn resume(&mut self, text: &mut String, other: &Line, other_text: &str) {
        text.clear();
        text.push_str(other_text);
        self.clone_from(other);
        self.tag = "";
    }

    /// Adds a part that stands for itself, and for so many messages or commands.
    pub fn add(&mut self, text: &mut String, separator: &str, part: &str, count: u32) {
        self.run.count = 0;
        if let Some((_, characters)) = self.fits(text, separator, part, count) {
            self.push(text, separator, part, characters);
        }
    }

    /// Adds what is said of a message: counted together with those before it, where they are alike.
    pub fn add_message(&mut self, text: &mut String, separator: &str, part: &Part<'_>) {
        let same = self.run.count > 0 && self.run.tag == self.tag && self.run.name == part.name;
        if self.full.is_some() {
            return self.leave_out(text, 1);
        }
        if same && self.join_run(text, part) {
            return;
        }
        // written where it is to stand, and taken back where it has no room
        let before = text.len();
        if before > 0 {
            text.push_str(separator);
        }
        let start = (text.len(), self.characters + text.len() - before);
        text.push_str(self.tag);
        part.write(text);
        let characters = self.characters + width(&text[before..]);
        if before > 0 && characters > LONGEST {
            text.truncate(before);
            return self.leave_out(text, 1);
        }
        if !same {
            self.begin_run(start, part);
        }
        self.characters = characters;
        if characters > LONGEST {
            self.cut(text);
        }
    }

    fn begin_run(&mut self, start: (usize, usize), part: &Part<'_>) {
        let run = &mut self.run;
        (run.count, run.tag, run.start, run.differ) = (1, self.tag, start, false);
        (run.who, run.bytes) = (*part.who, part.bytes.into());
        for (to, from) in [(&mut run.name, part.name), (&mut run.what, part.what)] {
            to.clear();
            to.push_str(from);
        }
    }

    /// Counts a part to the run before it; false where it is to stand behind it as a part of its own.
    fn join_run(&mut self, text: &mut String, part: &Part<'_>) -> bool {
        let mut one = std::mem::take(&mut self.scratch);
        let run = &mut self.run;
        run.differ |= run.what != part.what;
        run.who.join(part.who);
        run.count += 1;
        run.bytes += i64::from(part.bytes);
        one.clear();
        part.write(&mut one);
        let has_room = self.characters + width("; ") + width(self.tag) + width(&one) <= LONGEST;
        let joins = !(run.differ && run.count < MANY && has_room);
        if joins {
            one.clear();
            one.push_str(self.tag);
            part.write_run(&mut one, &run.who, run.count, run.bytes, if run.differ { "" } else { part.what });
        }
        let end = run.start.1 + width(&one);
        let fits = joins && end <= LONGEST;
        if fits {
            text.truncate(run.start.0);
            text.push_str(&one);
            self.characters = end;
        }
        self.scratch = one;
        fits
    }

    /// Where a part would begin, in bytes and in characters, and the characters it adds; `None` where it is left out.
    fn fits(
        &mut self,
        text: &mut String,
        separator: &str,
        part: &str,
        count: u32,
    ) -> Option<((usize, usize), usize)> {
        let separator = if text.is_empty() { "" } else { separator };
        let (ahead, added) = (width(separator), width(self.tag) + width(part));
        // a part that fills a line alone is cut
        let fits = self.full.is_none() && (text.is_empty() || self.characters + ahead + added <= LONGEST);
        if !fits {
            self.leave_out(text, count);
            return None;
        }
        Some(((text.len() + separator.len(), self.characters + ahead), ahead + added))
    }

    fn push(&mut self, text: &mut String, separator: &str, part: &str, characters: usize) {
        if !text.is_empty() {
            text.push_str(separator);
        }
        text.push_str(self.tag);
        text.push_str(part);
        self.characters += characters;
        if self.characters > LONGEST {
            self.cut(text);
        }
    }

    /// Cuts a part that fills the line alone.
    #[cold]
    fn cut(&mut self, text: &mut String) {
        let end = text.char_indices().nth(LONGEST - 1).map_or(text.len(), |(end, _)| end);
        text.truncate(end);
        text.push('…');
        self.characters = LONGEST;
        self.run.count = 0;
    }

    /// Appends to the last part, where there is room.
    pub fn extend(&mut self, text: &mut String, more: &str) {
        self.run.count = 0;
        let characters = self.characters + width(more);
        if self.full.is_none() && characters <= LONGEST {
            text.push_str(more);
            self.characters = characters;
        }
    }

    /// Counts a part that has no room.
    #[cold]
    fn leave_out(&mut self, text: &mut String, count: u32) {
        let end = *self.full.get_or_insert(text.len());
        self.left_out = self.left_out.saturating_add(count);
        text.truncate(end);
        text.push_str(" … (+");
        words::number(text, self.left_out.into());
        text.push_str(" more)");
    }
}

/// How many characters a text has.
fn width(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.chars().count()
    }
}

#[cfg(test)]
mod tests;
