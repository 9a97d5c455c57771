//! Which session a new conversation may carry on: NAT and proxies give one end another address or port in the middle.

use std::collections::VecDeque;

use foldhash::HashMap;

use super::session::Session;
use crate::capture::{ConversationKey, Direction, Endpoint, Packet};
use crate::enet::wire::HeaderVariant;
use crate::enet::{evidence, Early, Evidence};

/// Sessions of one end that are tried: the latest.
const MOST: usize = 64;

/// A session's part in a conversation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// The session.
    pub session: usize,
    /// Whether its directions are those of the conversation the other way round.
    pub turned: bool,
}

impl Part {
    /// A direction of the conversation as the session has it.
    pub fn direction(self, direction: Direction) -> Direction {
        if self.turned {
            direction.reverse()
        } else {
            direction
        }
    }
}

/// The sessions of each end.
#[derive(Debug, Default)]
pub struct Ends(HashMap<Endpoint, VecDeque<(ConversationKey, Part)>>);

impl Ends {
    /// Notes a session's part in a conversation.
    pub fn add(&mut self, key: ConversationKey, part: Part) {
        for end in key.ends() {
            let of = self.0.entry(*end).or_default();
            of.push_back((key, part));
            if of.len() > MOST {
                of.pop_front();
            }
        }
    }

    /// The parts that sessions would have in a conversation which shares one end with theirs, and the end that changed: of
    /// theirs and of this one.
    fn beside(&self, key: ConversationKey) -> impl Iterator<Item = (Part, Endpoint, Endpoint)> + '_ {
        (0..2).flat_map(move |here| {
            let of = self.0.get(&key.ends()[here]).into_iter().flatten();
            of.filter(move |(other, _)| *other != key).map(move |(other, part)| {
                let there = usize::from(other.ends()[0] != key.ends()[here]);
                let turned = part.turned != (here != there);
                (Part { turned, ..*part }, other.ends()[1 - there], key.ends()[1 - here])
            })
        })
    }

    /// The header variant of a session that has one of the ends of a new conversation, if a datagram there may be its: more of
    /// them will tell.
    pub fn may_go_on(
        &self,
        sessions: &[Session],
        (key, direction): (ConversationKey, Direction),
        packet: &Packet<'_>,
    ) -> Option<HeaderVariant> {
        self.beside(key).find_map(|(part, ..)| {
            let connection = &sessions[part.session].connection;
            let said = evidence(connection, connection.variant, part.direction(direction), packet);
            (said != Evidence::Against).then_some(connection.variant)
        })
    }

    /// The one session that the datagrams of a new conversation carry on, and what is to be said of it; `None` where there
    /// is none, or more than one.
    pub fn carried_on<'e>(
        &self,
        sessions: &[Session],
        (key, variant): (ConversationKey, HeaderVariant),
        datagrams: impl Iterator<Item = (Direction, Packet<'e>)> + Clone,
    ) -> Option<(Part, String)> {
        let goes_on = |part: Part| {
            let connection = &sessions[part.session].connection;
            let mut found = Evidence::None;
            for (direction, packet) in datagrams.clone() {
                match evidence(connection, variant, part.direction(direction), &packet) {
                    Evidence::Against => return false,
                    Evidence::None => {}
                    Evidence::For => found = Evidence::For,
                }
            }
            found == Evidence::For
        };
        let mut found = self.beside(key).filter(|(part, ..)| goes_on(*part));
        let (part, mut then, now) = found.next()?;
        for (other, end, _) in found {
            if other != part {
                return None;
            }
            // of several conversations it had the latest
            then = end;
        }
        let last = sessions[part.session].connection.latest_id().frame;
        let text = format!(
            "This session goes on with another end: {then} until frame {last}, {now} now. Header shape, session and peer are \
             the same, and reliable numbers and clocks go on"
        );
        Some((part, text))
    }
}

/// Datagrams that can be read, with the way they went.
pub fn with_direction<'e>(
    early: &'e VecDeque<Early>,
) -> impl Iterator<Item = (Direction, Packet<'e>)> + Clone {
    early.iter().filter(|early| early.is_read).map(|early| (early.direction, early.packet()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_an_end_with_many_sessions_the_latest_are_tried() {
        let mut ends = Ends::default();
        let server = Endpoint::new(2, &[192, 0, 2, 20], 5_119);
        let key = |port| ConversationKey::between(Endpoint::new(2, &[192, 0, 2, 10], port), server).0;
        for session in 0..3 * MOST {
            ends.add(key(50_000 + session as u16), Part { session, turned: false });
        }
        let tried: Vec<_> = ends.beside(key(40_000)).map(|(part, ..)| part.session).collect();
        assert_eq!(tried, (2 * MOST..3 * MOST).collect::<Vec<_>>());
    }
}
