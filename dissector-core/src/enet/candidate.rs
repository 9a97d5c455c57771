//! Conversations that may be ENet: claimed when enough datagrams agree on one header variant, and not before.

use std::collections::VecDeque;

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
}

impl Default for Candidate {
    fn default() -> Candidate {
        Candidate { variants: Candidates::ANY, kept: VecDeque::new(), bytes: 0, weight: 0 }
    }
}

/// What a datagram makes of its conversation.
#[derive(Debug)]
pub enum Claim {
    /// It fits no variant that the others fit.
    Refused,
    /// It may be ENet; more is needed.
    Undecided,
    /// It is ENet of this variant, and who sends which way, where the variant tells it.
    Settled(Settled),
}

impl Candidate {
    /// Takes in a datagram. `demanded` is a variant the user demands; `alone` says that one datagram is enough.
    pub fn take(
        &mut self,
        packet: &Packet<'_>,
        direction: Direction,
        demanded: Option<HeaderVariant>,
        alone: bool,
    ) -> Claim {
        let found = wire::candidates(packet.bytes, packet.reported as usize);
        if found.is_empty() && !found.is_neutral() {
            return Claim::Refused;
        }
        let mut variants = self.variants;
        variants.narrow(found, direction == Direction::Forward);
        if variants.is_empty() {
            return Claim::Refused;
        }
        self.variants = variants;
        self.weight = self.weight.max(found.weight());
        self.keep(packet, direction);
        let settled = match demanded {
            Some(variant) => variants.variants().find(|settled| settled.variant == variant),
            None if variants.decides() => variants.likeliest(),
            None => return Claim::Undecided,
        };
        let Some(settled) = settled else { return Claim::Refused };
        let both = self.kept.iter().any(|early| early.direction != direction);
        let enough = alone || (self.kept.len() >= ENOUGH && both && self.weight >= WEIGHT);
        match enough && self.is_consistent(settled.variant) {
            true => Claim::Settled(settled),
            false if enough && !alone => Claim::Refused,
            false => Claim::Undecided,
        }
    }

    fn keep(&mut self, packet: &Packet<'_>, direction: Direction) {
        self.bytes += packet.bytes.len();
        self.kept.push_back(Early {
            id: packet.id(),
            direction,
            time: packet.time,
            source: packet.source,
            destination: packet.destination,
            reported: packet.reported,
            bytes: packet.bytes.to_vec(),
        });
        while self.kept.len() > MOST_KEPT || self.bytes > MOST_BYTES {
            let Some(oldest) = self.kept.pop_front() else { break };
            self.bytes -= oldest.bytes.len();
        }
    }

    /// Whether all datagrams of one direction name the same peer and session.
    fn is_consistent(&self, variant: HeaderVariant) -> bool {
        let mut named = [None; 2];
        self.kept.iter().all(|early| match wire::header(variant, None, &early.bytes) {
            // the direction of a season8 datagram says where its header stands; its walk has checked it already
            _ if variant == HeaderVariant::Season8 => true,
            Ok(header) if header.is_unassigned() || header.is_compressed() => true,
            Ok(header) => {
                let names = (header.session.0, header.peer.0);
                *named[early.direction.index()].get_or_insert(names) == names
            }
            Err(_) => false,
        })
    }

    /// The datagrams so far, oldest first: the latest is the one that was taken last.
    pub fn into_kept(self) -> VecDeque<Early> {
        self.kept
    }
}
