//! Questions and their answers: which frame acknowledges which statement, by family and sync id.

use foldhash::HashMap;

use crate::capture::MessageId;
use crate::layout::{Exchange, Family, Message};

/// Statements that are remembered for answers to come, answered or not; past it all are forgotten, and answers to them
/// are not linked.
const MOST_STATEMENTS: usize = 65_536;

/// What a statement or an answer is linked to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Link {
    /// A statement that no answer has come to so far; after the first pass, one that got none.
    Unanswered,
    /// The frame of the first answer, from 1.
    AnsweredIn(u32),
    /// The frame of the statement, and the time from it, nanoseconds.
    Answers(u32, i64),
}

fn address(family: &'static Family) -> usize {
    std::ptr::from_ref(family) as usize
}

/// A statement that answers may come to, the first and further ones.
#[derive(Clone, Copy, Debug)]
struct Asked {
    id: MessageId,
    time: i64,
    /// Where its link stood when it was added.
    link: usize,
}

/// All questions and answers of a session.
#[derive(Debug, Default)]
pub struct Exchanges {
    /// By family (its address: each stands once in the book) and sync id.
    statements: HashMap<(usize, u32), Asked>,
    /// In the order of their places, which is mostly that of their coming: a table would cost more memory, and a miss
    /// of the cache each.
    links: Vec<(MessageId, Link)>,
}

impl Exchanges {
    /// Takes in a message that asks or answers, which came on `channel`.
    ///
    /// `is_replay` says that its payload had to wait and is delivered once more.
    pub fn take(
        &mut self,
        message: &Message,
        channel: u8,
        sync: i64,
        (id, time): (MessageId, i64),
        is_replay: bool,
    ) {
        // a sync id is one 32-bit word, signed in some messages and unsigned in others
        let word = sync as u32;
        if is_replay && self.link(id).is_some() {
            // taken in before: only what came with it had to wait
            return;
        }
        match message.exchange {
            Exchange::None => {}
            Exchange::Asks => {
                if self.statements.len() >= MOST_STATEMENTS {
                    self.statements.clear();
                }
                let link = self.set(id, Link::Unanswered);
                self.statements.insert((address(message.family), word), Asked { id, time, link });
            }
            Exchange::Answers(families) => {
                let fits = families.iter().filter(|(_, on)| on.is_none_or(|on| on == channel));
                let asked =
                    fits.filter_map(|(family, _)| self.statements.get(&(address(family), word))).next();
                if let Some(&asked) = asked {
                    self.answer(asked, id.frame);
                    self.set(id, Link::Answers(asked.id.frame, time.saturating_sub(asked.time)));
                }
            }
        }
    }

    /// Links a statement to its first answer.
    fn answer(&mut self, asked: Asked, frame: u32) {
        let moved = self.links.get(asked.link).is_none_or(|(id, _)| *id != asked.id);
        let found = match moved {
            true => self.links.binary_search_by_key(&asked.id, |(id, _)| *id).ok(),
            false => Some(asked.link),
        };
        if let Some((_, link @ Link::Unanswered)) = found.and_then(|at| self.links.get_mut(at)) {
            *link = Link::AnsweredIn(frame);
        }
    }

    /// What the message at a place is linked to.
    pub fn link(&self, id: MessageId) -> Option<Link> {
        let at = self.links.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(self.links[at].1)
    }

    /// Adds a link and answers where it stands.
    fn set(&mut self, id: MessageId, link: Link) -> usize {
        if self.links.last().is_none_or(|(last, _)| *last < id) {
            self.links.push((id, link));
            return self.links.len() - 1;
        }
        match self.links.binary_search_by_key(&id, |(id, _)| *id) {
            Ok(at) => {
                self.links[at].1 = link;
                at
            }
            // only what had to wait for its key or build comes late
            Err(at) => {
                self.links.insert(at, (id, link));
                at
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::channel;

    static WAYPOINT: Family = Family { prefix: "waypoint", title: "Waypoints", short_name: "" };
    static PATH: Family = Family { prefix: "path", title: "Paths", short_name: "" };
    static ANSWERED: [(&Family, Option<u8>); 2] = [(&PATH, Some(channel::TRANSIENT)), (&WAYPOINT, None)];

    fn message(family: &'static Family, exchange: Exchange) -> Message {
        Message { name: "Made", family, blurb: "", exchange, layouts: &[] }
    }

    fn place(frame: u32) -> MessageId {
        MessageId { frame, ..MessageId::default() }
    }

    #[test]
    fn an_answer_links_both_ways_and_the_first_counts() {
        let (group, ack) =
            (message(&WAYPOINT, Exchange::Asks), message(&WAYPOINT, Exchange::Answers(&ANSWERED)));
        let mut all = Exchanges::default();
        all.take(&group, channel::TRANSIENT, 984, (place(1), 10), false);
        all.take(&ack, channel::REQUESTS, 984, (place(2), 25), false);
        all.take(&ack, channel::REQUESTS, 984, (place(3), 40), false);
        all.take(&ack, channel::REQUESTS, 985, (place(4), 50), false);
        assert_eq!(all.link(place(1)), Some(Link::AnsweredIn(2)));
        assert_eq!(all.link(place(2)), Some(Link::Answers(1, 15)));
        assert_eq!(all.link(place(3)), Some(Link::Answers(1, 30)));
        assert_eq!(all.link(place(4)), None);
    }

    #[test]
    fn the_channel_tells_a_path_from_a_group_with_the_same_number() {
        let (group, path) = (message(&WAYPOINT, Exchange::Asks), message(&PATH, Exchange::Asks));
        let ack = message(&WAYPOINT, Exchange::Answers(&ANSWERED));
        let mut all = Exchanges::default();
        all.take(&group, channel::TRANSIENT, 7, (place(1), 0), false);
        all.take(&path, channel::EVENTS, 7, (place(2), 0), false);
        all.take(&ack, channel::TRANSIENT, 7, (place(3), 0), false);
        all.take(&ack, channel::REQUESTS, 7, (place(4), 0), false);
        assert_eq!(all.link(place(3)), Some(Link::Answers(2, 0)));
        assert_eq!(all.link(place(4)), Some(Link::Answers(1, 0)));
    }

    #[test]
    fn a_signed_and_an_unsigned_sync_id_are_the_same_word() {
        let (path, ack) = (message(&PATH, Exchange::Asks), message(&WAYPOINT, Exchange::Answers(&ANSWERED)));
        let mut all = Exchanges::default();
        all.take(&path, channel::EVENTS, -1, (place(1), 0), false);
        all.take(&ack, channel::TRANSIENT, 0xFFFF_FFFF, (place(2), 0), false);
        assert_eq!(all.link(place(1)), Some(Link::AnsweredIn(2)));
    }

    #[test]
    fn a_statement_that_comes_late_does_not_take_the_answer_of_another() {
        let (group, ack) =
            (message(&WAYPOINT, Exchange::Asks), message(&WAYPOINT, Exchange::Answers(&ANSWERED)));
        let mut all = Exchanges::default();
        let mut ask = |frame, sync| all.take(&group, channel::TRANSIENT, sync, (place(frame), 0), false);
        ask(2, 20);
        ask(4, 40);
        // it had to wait for its build, so it stands before those that were taken before it
        ask(1, 10);
        all.take(&ack, channel::REQUESTS, 20, (place(5), 0), false);
        assert_eq!(all.link(place(2)), Some(Link::AnsweredIn(5)));
        assert_eq!([1, 4].map(|frame| all.link(place(frame))), [Some(Link::Unanswered); 2]);
        all.take(&ack, channel::REQUESTS, 40, (place(6), 0), false);
        assert_eq!(all.link(place(4)), Some(Link::AnsweredIn(6)), "past the end of where it stood");
        assert_eq!(all.link(place(1)), Some(Link::Unanswered));
    }

    #[test]
    fn past_the_bound_all_statements_are_forgotten() {
        let (group, ack) =
            (message(&WAYPOINT, Exchange::Asks), message(&WAYPOINT, Exchange::Answers(&ANSWERED)));
        let mut all = Exchanges::default();
        let most = MOST_STATEMENTS as u32;
        for frame in 1..=most + 1 {
            all.take(&group, channel::TRANSIENT, frame.into(), (place(frame), 0), false);
        }
        assert_eq!(all.statements.len(), 1);
        for (frame, sync) in [(most + 2, most), (most + 3, most + 1)] {
            all.take(&ack, channel::REQUESTS, sync.into(), (place(frame), 0), false);
        }
        assert_eq!(all.link(place(most + 2)), None);
        assert_eq!(all.link(place(most + 3)), Some(Link::Answers(most + 1, 0)));
    }

    #[test]
    fn a_replay_takes_nothing_in_again_be_it_answered_or_not() {
        let (group, ack) =
            (message(&WAYPOINT, Exchange::Asks), message(&WAYPOINT, Exchange::Answers(&ANSWERED)));
        let mut all = Exchanges::default();
        all.take(&group, channel::TRANSIENT, 7, (place(1), 10), false);
        all.take(&group, channel::TRANSIENT, 7, (place(3), 30), false);
        // the same word was stated anew: the first statement, still unanswered, must not come back in front of it
        all.take(&group, channel::TRANSIENT, 7, (place(1), 10), true);
        all.take(&ack, channel::REQUESTS, 7, (place(4), 45), false);
        assert_eq!(all.link(place(4)), Some(Link::Answers(3, 15)));
        assert_eq!(
            [1, 3].map(|frame| all.link(place(frame))),
            [Some(Link::Unanswered), Some(Link::AnsweredIn(4))]
        );
        all.take(&group, channel::TRANSIENT, 7, (place(3), 30), true);
        assert_eq!(all.link(place(3)), Some(Link::AnsweredIn(4)), "an answer is not forgotten");
        // what had to wait and was not taken in before is
        all.take(&group, channel::TRANSIENT, 8, (place(2), 20), true);
        assert_eq!(all.link(place(2)), Some(Link::Unanswered));
    }
}
