//! What came before in one direction of a session, by RakNet's numbers: what is repeated, and what comes out of order.

use std::collections::{BTreeMap, VecDeque};
use std::hash::BuildHasher;

use foldhash::HashMap;

use super::raknet::Numbers;
use crate::capture::{DatagramId, Packet};

/// Messages that are remembered by their number; a sender repeats one within seconds or never.
const MOST: usize = 4096;
/// Messages in pieces that are remembered by their place in the order.
const MOST_JOINED: usize = 64;
/// Bytes at the start of a message that, with its length, tell it from others where the rest was not captured.
const HEAD: usize = 8;
/// Numbers have this many bits, and go on from 0.
const BITS: u32 = 24;

/// A place in the order of a channel; later ones overrule earlier ones.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Stamp {
    /// Which connection of the session and which channel; `None` where nothing orders the message.
    of: Option<(u8, u32, u8)>,
    place: u64,
}

impl Stamp {
    /// Whether what was stated at this place holds on when the other comes later: it is further on in the same order.
    pub fn overrules(self, later: Stamp) -> bool {
        self.of.is_some() && self.of == later.of && self.place > later.place
    }
}

/// How a message stands to those before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrival {
    /// It is new, and stands here in its order.
    New(Stamp),
    /// It came before, there.
    Resent(DatagramId),
    /// A receiver drops it: a later one of its sequence came before.
    Outdated,
}

impl Arrival {
    /// Where it came before, where it did.
    pub fn before(self) -> Option<DatagramId> {
        match self {
            Arrival::Resent(before) => Some(before),
            Arrival::New(_) | Arrival::Outdated => None,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Known {
    id: DatagramId,
    reported: u32,
    head: [u8; HEAD],
    /// A hash of all of it, where all of it was captured.
    hash: Option<u64>,
}

impl Known {
    fn of(packet: &Packet<'_>) -> Known {
        let mut head = [0; HEAD];
        head.iter_mut().zip(packet.bytes).for_each(|(into, byte)| *into = *byte);
        let hash = foldhash::quality::FixedState::default().hash_one(packet.bytes);
        Known { id: packet.id(), reported: packet.reported, head, hash: packet.is_whole().then_some(hash) }
    }

    /// Whether a message is this one and says no more: what was cut and comes whole does.
    fn says_all_of(&self, other: &Known) -> bool {
        self.is(other) && (self.hash.is_some() || other.hash.is_none())
    }

    fn is(&self, other: &Known) -> bool {
        let rest = self.hash.zip(other.hash).is_none_or(|(one, other)| one == other);
        (self.reported, self.head) == (other.reported, other.head) && rest
    }
}

/// A counter of 24 bits made one that never ends.
#[derive(Clone, Copy, Debug)]
struct Counter {
    newest: u64,
}

impl Counter {
    /// The whole number of which these are the low bits: the one nearest to the newest.
    fn whole(counter: &mut Option<Counter>, low: u32) -> u64 {
        const ROUND: u64 = 1 << BITS;
        // one round ahead, so that those before the first have room
        let counter = counter.get_or_insert(Counter { newest: ROUND + u64::from(low) });
        let ahead = u64::from(low).wrapping_sub(counter.newest) & (ROUND - 1);
        if ahead < ROUND / 2 {
            counter.newest += ahead;
            return counter.newest;
        }
        counter.newest.saturating_sub(ROUND - ahead)
    }
}

#[derive(Debug, Default)]
struct Channel {
    order: Option<Counter>,
    sequence: Option<Counter>,
    /// The newest of the sequence.
    newest: Option<Known>,
}

/// What came in one direction.
#[derive(Debug, Default)]
pub struct Arrivals {
    /// How often the numbers began anew.
    connection: u32,
    reliable: Option<Counter>,
    by_number: BTreeMap<u64, Known>,
    /// Messages that came in pieces: channel and place in its order.
    joined: VecDeque<(u8, u64, Known)>,
    channels: HashMap<u8, Channel>,
}

impl Arrivals {
    /// Takes a message of direction number `direction` in. The same number with other bytes is of another connection on the
    /// same ports: all begins anew.
    pub fn take(&mut self, direction: usize, numbers: Option<Numbers>, packet: &Packet<'_>) -> Arrival {
        let Some(numbers) = numbers else { return Arrival::New(Stamp::default()) };
        if let Some(reliable) = numbers.reliable {
            let known = Known::of(packet);
            let number = Counter::whole(&mut self.reliable, reliable);
            match self.by_number.get(&number) {
                Some(before) if before.says_all_of(&known) => return Arrival::Resent(before.id),
                Some(before) if !before.is(&known) => {
                    *self = Arrivals { connection: self.connection + 1, ..Arrivals::default() };
                    return self.take(direction, Some(numbers), packet);
                }
                _ => {}
            }
            self.by_number.insert(number, known);
            if self.by_number.len() > MOST {
                self.by_number.pop_first();
            }
        }
        let Some((order, channel)) = numbers.order else { return Arrival::New(Stamp::default()) };
        let known = self.channels.entry(channel).or_default();
        let place = Counter::whole(&mut known.order, order);
        if let Some(sequence) = numbers.sequence {
            let before = known.sequence.map(|counter| counter.newest);
            let number = Counter::whole(&mut known.sequence, sequence);
            if before.is_some_and(|before| number < before) {
                return Arrival::Outdated;
            }
            let message = Known::of(packet);
            let same = known.newest.filter(|newest| before == Some(number) && newest.says_all_of(&message));
            if let Some(same) = same {
                return Arrival::Resent(same.id);
            }
            known.newest = Some(message);
            // all of one sequence share their place in the order, and none is older than the last
            return Arrival::New(Stamp::default());
        }
        if let Some(before) =
            numbers.joined.then(|| self.take_joined(channel, place, Known::of(packet))).flatten()
        {
            return Arrival::Resent(before);
        }
        Arrival::New(Stamp { of: Some((direction as u8, self.connection, channel)), place })
    }

    /// Where a message that came in pieces came before; remembers it otherwise.
    fn take_joined(&mut self, channel: u8, place: u64, known: Known) -> Option<DatagramId> {
        let same = |(of, at, before): &&(u8, u64, Known)| {
            (*of, *at) == (channel, place) && before.says_all_of(&known)
        };
        if let Some((_, _, before)) = self.joined.iter().find(same) {
            return Some(before.id);
        }
        if self.joined.len() >= MOST_JOINED {
            self.joined.pop_front();
        }
        self.joined.push_back((channel, place, known));
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::{Detail, Endpoint};

    fn packet(frame: u32, bytes: &[u8], reported: usize) -> Packet<'_> {
        Packet {
            bytes,
            reported: reported as u32,
            time: 0,
            frame,
            datagram: 0,
            source: Endpoint::default(),
            destination: Endpoint::default(),
            detail: Detail::State,
            nodes_before: 0,
            visited: false,
            in_error_pkt: false,
            decode_as: false,
            league_begun: false,
        }
    }

    fn reliable(number: u32) -> Option<Numbers> {
        Some(Numbers { reliable: Some(number), ..Numbers::default() })
    }

    fn ordered(order: u32, channel: u8) -> Option<Numbers> {
        Some(Numbers { order: Some((order, channel)), ..Numbers::default() })
    }

    fn take(arrivals: &mut Arrivals, numbers: Option<Numbers>, frame: u32, bytes: &[u8]) -> Arrival {
        arrivals.take(0, numbers, &packet(frame, bytes, bytes.len()))
    }

    const NEW: Arrival = Arrival::New(Stamp { of: None, place: 0 });

    fn resent(frame: u32) -> Arrival {
        Arrival::Resent(DatagramId { frame, datagram: 0 })
    }

    #[test]
    fn a_number_seen_before_is_a_resend_of_the_first() {
        let mut arrivals = Arrivals::default();
        assert_eq!(take(&mut arrivals, reliable(2), 1, b"one message"), NEW);
        assert_eq!(
            take(&mut arrivals, reliable(3), 2, b"one message"),
            NEW,
            "the same bytes, another number"
        );
        for frame in [3, 4] {
            assert_eq!(take(&mut arrivals, reliable(2), frame, b"one message"), resent(1));
        }
        assert_eq!(take(&mut arrivals, reliable(1), 5, b"an earlier number"), NEW);
        assert_eq!(take(&mut arrivals, None, 6, b"one message"), NEW, "without a number nothing is known");
        assert_eq!(take(&mut arrivals, Some(Numbers::default()), 7, b"one message"), NEW);
    }

    #[test]
    fn numbers_go_on_from_zero_and_are_not_taken_for_those_of_a_round_before() {
        let mut arrivals = Arrivals::default();
        for (frame, number) in (1..).zip([0xFF_FFFE, 0xFF_FFFF, 0, 1]) {
            assert_eq!(take(&mut arrivals, reliable(number), frame, b"text"), NEW);
        }
        assert_eq!(take(&mut arrivals, reliable(0xFF_FFFF), 5, b"text"), resent(2));
        assert_eq!(take(&mut arrivals, reliable(0), 6, b"text"), resent(3));
        for (frame, number) in (7..).zip([0x60_0000, 0xC0_0000, 0x20_0000, 0]) {
            assert_eq!(take(&mut arrivals, reliable(number), frame, b"text"), NEW, "{number}: a round later");
        }
        let place = |arrivals: &mut Arrivals, order| match take(arrivals, ordered(order, 0), 9, b"text") {
            Arrival::New(stamp) => stamp,
            other => panic!("{other:?}"),
        };
        let (last, first) = (place(&mut arrivals, 0xFF_FFFF), place(&mut arrivals, 0));
        assert!(first.overrules(last) && !last.overrules(first));
    }

    #[test]
    fn numbers_from_before_the_first_that_was_captured_have_places_of_their_own() {
        let mut arrivals = Arrivals::default();
        let before = (1..).zip([1, 0, 0xFF_FFFF, 0xFF_FFFE, 0x80_0002]);
        for (frame, number) in before.clone() {
            assert_eq!(take(&mut arrivals, reliable(number), frame, b"text"), NEW, "{number:#x}");
        }
        for (frame, number) in before {
            assert_eq!(take(&mut arrivals, reliable(number), 9, b"text"), resent(frame), "{number:#x}");
        }
    }

    #[test]
    fn other_bytes_under_a_number_are_another_connection() {
        let mut arrivals = Arrivals::default();
        let both = |order| Some(Numbers { reliable: Some(order), ..ordered(order, 0).unwrap() });
        let Arrival::New(before) = take(&mut arrivals, both(9), 1, b"of the first") else { panic!() };
        assert!(matches!(take(&mut arrivals, both(9), 2, b"of the other"), Arrival::New(_)));
        let Arrival::New(after) = take(&mut arrivals, both(1), 3, b"of the other") else { panic!() };
        assert!(!before.overrules(after), "orders of two connections are not compared");
        assert_eq!(take(&mut arrivals, both(9), 4, b"of the other"), resent(2));
    }

    #[test]
    fn what_was_cut_comes_again_whole_as_news() {
        let mut arrivals = Arrivals::default();
        let cut = packet(1, b"one mess", 11);
        assert_eq!(arrivals.take(0, reliable(1), &cut), NEW);
        assert_eq!(arrivals.take(0, reliable(1), &packet(2, b"one mess", 11)), resent(1));
        assert_eq!(take(&mut arrivals, reliable(1), 3, b"one message"), NEW);
        assert_eq!(arrivals.take(0, reliable(1), &packet(4, b"one mess", 11)), resent(3));
        assert_eq!(take(&mut arrivals, reliable(1), 5, b"one message"), resent(3));
    }

    #[test]
    fn older_ones_of_a_sequence_are_dropped() {
        let sequenced =
            |sequence, channel| Some(Numbers { sequence: Some(sequence), ..ordered(5, channel).unwrap() });
        let mut arrivals = Arrivals::default();
        assert_eq!(take(&mut arrivals, sequenced(0xFF_FFFF, 0), 1, b"text"), NEW);
        assert_eq!(take(&mut arrivals, sequenced(1, 0), 2, b"text"), NEW);
        assert_eq!(take(&mut arrivals, sequenced(0, 0), 3, b"text"), Arrival::Outdated);
        assert_eq!(take(&mut arrivals, sequenced(0, 1), 4, b"text"), NEW, "another channel");
        assert_eq!(take(&mut arrivals, sequenced(2, 0), 5, b"text"), NEW);
        assert_eq!(take(&mut arrivals, sequenced(2, 0), 6, b"text"), resent(5), "a copy of the newest");
        assert_eq!(take(&mut arrivals, sequenced(2, 0), 7, b"other"), NEW);
        assert_eq!(take(&mut arrivals, sequenced(1, 0), 8, b"text"), Arrival::Outdated);
    }

    #[test]
    fn orders_are_compared_within_a_channel_and_a_direction() {
        let stamp = |direction, order, channel| {
            let mut arrivals = Arrivals::default();
            arrivals.take(direction, ordered(1, channel), &packet(1, b"text", 4));
            match arrivals.take(direction, ordered(order, channel), &packet(2, b"text", 4)) {
                Arrival::New(stamp) => stamp,
                other => panic!("{other:?}"),
            }
        };
        assert!(stamp(0, 4, 0).overrules(stamp(0, 3, 0)));
        assert!(!stamp(0, 3, 0).overrules(stamp(0, 3, 0)) && !stamp(0, 3, 0).overrules(stamp(0, 4, 0)));
        assert!(!stamp(0, 4, 0).overrules(stamp(0, 3, 1)) && !stamp(1, 4, 0).overrules(stamp(0, 3, 0)));
        assert!(!stamp(0, 4, 0).overrules(Stamp::default()) && !Stamp::default().overrules(stamp(0, 3, 0)));
    }

    #[test]
    fn a_message_in_pieces_is_known_by_its_order_whichever_piece_comes_last() {
        let joined = |reliable, order| {
            Some(Numbers { reliable: Some(reliable), joined: true, ..ordered(order, 0).unwrap() })
        };
        let mut arrivals = Arrivals::default();
        assert!(matches!(take(&mut arrivals, joined(7, 3), 1, b"in pieces"), Arrival::New(_)));
        assert_eq!(take(&mut arrivals, joined(6, 3), 2, b"in pieces"), resent(1));
        assert!(matches!(take(&mut arrivals, joined(8, 4), 3, b"in pieces"), Arrival::New(_)));
        assert!(matches!(take(&mut arrivals, joined(9, 3), 4, b"others, so"), Arrival::New(_)));
        let elsewhere = Some(Numbers { joined: true, ..ordered(3, 1).unwrap() });
        assert!(
            matches!(take(&mut arrivals, elsewhere, 5, b"in pieces"), Arrival::New(_)),
            "another channel"
        );
        let whole = Some(Numbers { reliable: Some(10), ..ordered(3, 0).unwrap() });
        assert!(matches!(take(&mut arrivals, whole, 5, b"in pieces"), Arrival::New(_)), "not in pieces");
        for number in 0..MOST_JOINED as u32 + 1 {
            take(&mut arrivals, joined(20 + number, 20 + number), 6, b"in pieces");
        }
        assert_eq!(arrivals.joined.len(), MOST_JOINED);
    }

    #[test]
    fn memory_is_bounded() {
        let mut arrivals = Arrivals::default();
        for number in 0..MOST as u32 + 10 {
            take(&mut arrivals, reliable(number), number + 1, b"text");
        }
        assert_eq!(arrivals.by_number.len(), MOST);
        assert_eq!(take(&mut arrivals, reliable(10), 9999, b"text"), resent(11));
        assert_eq!(take(&mut arrivals, reliable(9), 9999, b"text"), NEW, "the oldest are forgotten first");
    }
}
