//! The messages of a session that are not read: how many of which command, and the one that carries the note on them.

use std::collections::BTreeMap;
use std::fmt::Write;

use foldhash::HashMap;

use crate::capture::MessageId;

/// Messages that may still be read once more is known, kept apart until then; further ones count as not read.
const MOST_WAITING: usize = 65_536;
/// Characters of a note that epan shows: it cuts at 240 bytes.
const LONGEST_NOTE: usize = 230;

/// The messages of a session that are not read.
#[derive(Debug, Default)]
pub struct Unread {
    /// By command.
    counts: HashMap<u16, u32>,
    total: u32,
    /// The first that will never be read.
    first: Option<MessageId>,
    /// Those of payloads that are read once more, when more is known.
    waiting: BTreeMap<MessageId, u16>,
    /// Those of the payload at hand.
    at_hand: Vec<(MessageId, u16)>,
    /// Whether the first pass has shown a note.
    noted: bool,
}

impl Unread {
    /// Counts a message that could not be read, each time its payload is gone through.
    pub fn take(&mut self, id: MessageId, command: u16) {
        if !self.waiting.contains_key(&id) {
            *self.counts.entry(command).or_default() += 1;
            self.total = self.total.saturating_add(1);
            self.at_hand.push((id, command));
        }
    }

    /// A message that had to wait was read after all.
    pub fn is_read(&mut self, id: MessageId) {
        let Some(command) = self.waiting.remove(&id) else { return };
        self.total = self.total.saturating_sub(1);
        if let Some(count) = self.counts.get_mut(&command) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&command);
            }
        }
    }

    /// A payload was gone through; `waits` says that it will be once more. `id` is the payload's.
    pub fn payload_ends(&mut self, id: MessageId, waits: bool) {
        for (message, command) in self.at_hand.drain(..) {
            if waits && self.waiting.len() < MOST_WAITING {
                self.waiting.insert(message, command);
            } else if self.first.is_none_or(|first| message < first) {
                self.first = Some(message);
            }
        }
        if !waits && !self.waiting.is_empty() {
            let settled = self.waiting.range(id.inner(0)..=id.inner(u16::MAX)).map(|(id, _)| *id);
            for message in settled.collect::<Vec<_>>() {
                self.waiting.remove(&message);
                if self.first.is_none_or(|first| message < first) {
                    self.first = Some(message);
                }
            }
        }
    }

    /// Whether a message carries the note on all of them: on the first pass the first that is shown, later the first there is.
    pub fn notes(&mut self, id: MessageId, writes: bool) -> bool {
        if writes {
            return !std::mem::replace(&mut self.noted, true);
        }
        let waiting = self.waiting.first_key_value().map(|(id, _)| *id);
        [self.first, waiting].into_iter().flatten().min() == Some(id)
    }

    /// How many there are.
    pub fn total(&self) -> u32 {
        self.total
    }

    /// How many of which command there are, the commonest first, as many as fit between these two texts.
    pub fn list(&self, before: &str, after: &str, name: &dyn Fn(u16) -> Option<&'static str>) -> String {
        let mut all: Vec<_> = self.counts.iter().map(|(command, count)| (*count, *command)).collect();
        all.sort_unstable_by_key(|&(count, command)| (std::cmp::Reverse(count), command));
        let mut text = before.to_owned();
        for (place, (count, command)) in all.iter().enumerate() {
            let mut part = String::from(if place == 0 { "" } else { ", " });
            let _ = match name(*command) {
                Some(name) => write!(part, "{command} {name}"),
                None => write!(part, "{command}"),
            };
            let _ = if *count > 1 { write!(part, " ×{count}") } else { Ok(()) };
            let rest = match all.len() - place - 1 {
                0 => String::new(),
                rest => format!(" and {rest} more"),
            };
            let last = format!(" and {} more", all.len() - place);
            if text.len() + part.len() + rest.len().max(last.len()) + after.len() > LONGEST_NOTE {
                text.push_str(&last);
                break;
            }
            text.push_str(&part);
        }
        text + after
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(frame: u32) -> MessageId {
        MessageId { frame, ..MessageId::default() }
    }

    fn list(unread: &Unread) -> String {
        unread.list("<", ">", &|command| (command == 8).then_some("Eight"))
    }

    #[test]
    fn the_commonest_come_first_and_what_has_no_room_is_counted() {
        let mut unread = Unread::default();
        for (frame, command) in [(1, 7), (2, 8), (3, 9), (4, 8)] {
            unread.take(id(frame), command);
            unread.payload_ends(id(frame), false);
        }
        assert_eq!((list(&unread), unread.total()), ("<8 Eight ×2, 7, 9>".into(), 4));
        (0..1000).for_each(|command| unread.take(id(10), command));
        let text = list(&unread);
        assert!(text.len() <= LONGEST_NOTE && text.len() > LONGEST_NOTE - 20, "{text}");
        let (listed, rest) = text.split_once(" and ").unwrap();
        let rest: usize = rest.strip_suffix(" more>").unwrap().parse().unwrap();
        assert_eq!(listed.split(", ").count() + rest, 1000);
        let long: &'static str = "x".repeat(300).leak();
        assert_eq!(unread.list("<", ">", &|_| Some(long)), "< and 1000 more>");
    }

    #[test]
    fn what_is_read_after_all_does_not_count() {
        let mut unread = Unread::default();
        let inner = |place| id(1).inner(place);
        unread.take(inner(1), 7);
        unread.take(inner(2), 8);
        unread.payload_ends(id(1), true);
        unread.take(id(2), 9);
        unread.payload_ends(id(2), false);
        assert_eq!(unread.total(), 3);
        assert!(unread.notes(inner(1), false), "the first there is, as far as is known");
        // the payload once more: one of its messages is read now, the other still waits
        unread.is_read(inner(1));
        unread.take(inner(2), 8);
        unread.payload_ends(id(1), true);
        assert_eq!((list(&unread), unread.total()), ("<8 Eight, 9>".into(), 2));
        assert!(unread.notes(inner(2), false) && !unread.notes(id(2), false));
        // and once more, in which it is settled: it is counted once
        unread.take(inner(2), 8);
        unread.payload_ends(id(1), false);
        assert_eq!(unread.total(), 2);
        unread.is_read(inner(2));
        assert_eq!(unread.total(), 2, "what is settled stays");
        assert!(unread.notes(inner(2), false));
        unread.take(id(3), 8);
        unread.payload_ends(id(3), true);
        unread.is_read(id(3));
        assert_eq!(list(&unread), "<8 Eight, 9>");
    }

    #[test]
    fn one_message_carries_the_note() {
        let mut unread = Unread::default();
        assert!(!unread.notes(id(1), false), "none is there");
        for frame in [5, 4] {
            unread.take(id(frame), 7);
            unread.payload_ends(id(frame), false);
        }
        let first = [4, 5].map(|frame| unread.notes(id(frame), true));
        assert_eq!(first, [true, false], "the first that is shown");
        assert_eq!([4, 5, 6].map(|frame| unread.notes(id(frame), false)), [true, false, false]);
    }

    #[test]
    fn those_that_wait_are_bounded() {
        let mut unread = Unread::default();
        for frame in 1..=MOST_WAITING as u32 + 2 {
            unread.take(id(frame), 7);
            unread.payload_ends(id(frame), true);
        }
        assert_eq!((unread.waiting.len(), unread.total()), (MOST_WAITING, MOST_WAITING as u32 + 2));
        assert_eq!(unread.first, Some(id(MOST_WAITING as u32 + 1)));
        assert!(unread.notes(id(1), false));
    }
}
