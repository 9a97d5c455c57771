//! Conversations that may be ENet: claimed when enough datagrams agree on one header variant, and not before.

use std::collections::VecDeque;

use super::checksums::Checksums;
use super::names::Name;
use super::wire::{self, Candidates, HeaderVariant, Settled};
use crate::capture::{DatagramId, Detail, Direction, Endpoint, Packet};

/// Datagrams that must agree, of both directions together.
const ENOUGH: usize = 3;
/// Bits of one of them that must have been right: acknowledgements and pings alone look like too much else.
const WEIGHT: u16 = 20;
/// Datagrams kept for the session they may turn out to be.
const MOST_KEPT: usize = 64;
/// Bytes kept of them.
const MOST_BYTES: usize = 1 << 15;

/// A datagram that came before its conversation was claimed.
#[derive(Clone, Debug)]
pub struct Early {
    /// Where it stands.
    pub id: DatagramId,
    /// Which way it went.
    pub direction: Direction,
    time: i64,
    source: Endpoint,
    destination: Endpoint,
    reported: u32,
    bytes: Vec<u8>,
    /// Whether it can be read: else it may be compressed, or anything.
    pub is_read: bool,
    /// Whether the same was captured before.
    is_copy: bool,
}

impl Early {
    /// The datagram as a packet, for its state only.
    pub fn packet(&self) -> Packet<'_> {
        Packet {
            bytes: &self.bytes,
            reported: self.reported,
            time: self.time,
            frame: self.id.frame,
            datagram: self.id.datagram,
            source: self.source,
            destination: self.destination,
            detail: Detail::State,
            nodes_before: 0,
            visited: false,
            in_error_pkt: false,
            decode_as: false,
            league_begun: false,
        }
    }
}

/// A conversation that may be ENet.
#[derive(Debug)]
pub struct Candidate {
    variants: Candidates,
    kept: VecDeque<Early>,
    bytes: usize,
    weight: u16,
    /// Datagrams between them that are no ENet.
    strangers: usize,
    /// Checksums of those that could have one.
    sums: Checksums,
}

impl Default for Candidate {
    fn default() -> Candidate {
        Candidate {
            variants: Candidates::ANY,
            kept: VecDeque::new(),
            bytes: 0,
            weight: 0,
            strangers: 0,
            sums: Checksums::default(),
        }
    }
}

/// What a datagram makes of its conversation.
#[derive(Debug)]
pub enum Claim {
    /// It fits no variant that the others fit.
    Refused,
    /// It may be ENet; more is needed.
    Undecided,
    /// It is ENet of this variant (and who sends which way, where the variant tells it), and what its datagrams name each way,
    /// where they were seen.
    Settled(Settled, [Option<Name>; 2]),
}

impl Candidate {
    /// Takes in a datagram. `demanded` is a variant the user demands; `alone` says that one datagram is enough.
    ///
    /// What fits nothing stands between, as others may use the same ports: it counts for nothing, but as many more have to
    /// agree, and where it prevails the count begins anew.
    pub fn take(
        &mut self,
        packet: &Packet<'_>,
        direction: Direction,
        demanded: Option<HeaderVariant>,
        alone: bool,
    ) -> Claim {
        if wire::is_too_short(packet.reported as usize) {
            return if self.kept.is_empty() { Claim::Refused } else { Claim::Undecided };
        }
        let mut found = wire::candidates(packet.bytes, packet.reported as usize);
        if let Some(demanded) = demanded {
            found = found.only(demanded);
        }
        if found.is_neutral() {
            self.keep(packet, direction, false);
            return Claim::Undecided;
        }
        if found.is_empty() {
            self.strangers += 1;
            return if self.strangers > self.kept.len() { Claim::Refused } else { Claim::Undecided };
        }
        let mut variants = self.variants;
        variants.narrow(found, direction == Direction::Forward);
        if variants.is_empty() {
            return Claim::Refused;
        }
        self.variants = variants;
        self.weight = self.weight.max(found.weight());
        self.keep(packet, direction, true);
        if found.holds(HeaderVariant::StockChecksum, None) {
            self.sums.read(packet);
        }
        // of a demanded variant only the form may be open
        let is_settled = variants.decides() || demanded.is_some() && variants.is_single();
        let Some(settled) = variants.likeliest().filter(|_| is_settled) else { return Claim::Undecided };
        self.claim(settled, direction, alone || variants.is_proven())
    }

    fn claim(&self, settled: Settled, direction: Direction, alone: bool) -> Claim {
        let both = self.kept.iter().any(|early| early.is_read && early.direction != direction);
        let Some((agree, strangers, named)) = self.count(settled.variant) else {
            // the count begins anew, unless it has hardly begun
            return if alone || self.kept.len() < ENOUGH { Claim::Undecided } else { Claim::Refused };
        };
        // checksums that agree on a connection leave no doubt, whoever sends and whatever it is
        let summed = settled.variant == HeaderVariant::StockChecksum && self.sums.connect_id().is_some();
        let enough = agree >= ENOUGH + strangers && (summed || both && self.weight >= WEIGHT);
        if alone || enough {
            Claim::Settled(settled, named)
        } else {
            Claim::Undecided
        }
    }

    fn keep(&mut self, packet: &Packet<'_>, direction: Direction, is_read: bool) {
        let same = |early: &Early| early.direction == direction && early.bytes == packet.bytes;
        let is_copy = self.kept.iter().any(same);
        self.bytes += packet.bytes.len();
        self.kept.push_back(Early {
            id: packet.id(),
            direction,
            time: packet.time,
            source: packet.source,
            destination: packet.destination,
            reported: packet.reported,
            bytes: packet.bytes.to_vec(),
            is_read,
            is_copy,
        });
        while self.kept.len() > MOST_KEPT || self.bytes > MOST_BYTES {
            let Some(oldest) = self.kept.pop_front() else { break };
            self.bytes -= oldest.bytes.len();
        }
    }

    /// How many datagrams name the same peer and session as the others of their direction, and how many stand between them;
    /// `None` where those that can be read do not agree.
    fn count(&self, variant: HeaderVariant) -> Option<(usize, usize, [Option<Name>; 2])> {
        let (mut agree, mut strangers) = (0, self.strangers);
        let mut named = [None; 2];
        // those that can be read first: by them the others are judged
        let (read, unread): (Vec<_>, Vec<_>) = self.kept.iter().partition(|early| early.is_read);
        for early in read {
            agree += usize::from(!early.is_copy);
            match wire::header(variant, None, &early.bytes) {
                // the direction of a season8 datagram says where its header stands; its walk has checked it already
                _ if variant == HeaderVariant::Season8 => {}
                Ok(header) if header.is_unassigned() => {}
                Ok(header) => {
                    let names = (header.session.0, header.peer.0);
                    if *named[early.direction.index()].get_or_insert(names) != names {
                        return None;
                    }
                }
                Err(_) => return None,
            }
        }
        for early in unread {
            let header = wire::header(variant, None, &early.bytes);
            let names = header.ok().map(|header| (header.session.0, header.peer.0));
            match names.is_some() && names == named[early.direction.index()] {
                true => agree += usize::from(!early.is_copy),
                false => strangers += 1,
            }
        }
        Some((agree, strangers, named))
    }

    /// Whether it would be claimed, were its variant known to be this one, with the datagram that was kept last: `at`.
    pub fn is_settled_as(&self, variant: HeaderVariant, at: DatagramId, direction: Direction) -> bool {
        let is_last = self.kept.back().is_some_and(|early| early.is_read && early.id == at);
        let settled = self.variants.variants().find(|settled| settled.variant == variant);
        let claims = |settled| matches!(self.claim(settled, direction, false), Claim::Settled(..));
        is_last && settled.is_some_and(claims)
    }

    /// The datagrams so far, oldest first.
    pub fn kept(&self) -> &VecDeque<Early> {
        &self.kept
    }

    /// The datagrams so far, oldest first: the latest is the one that was taken last.
    pub fn into_kept(self) -> VecDeque<Early> {
        self.kept
    }
}
