//! Conversations that may be ENet: claimed when enough datagrams agree on one header shape, and not before.

use std::collections::VecDeque;

use super::packet::Side;
use super::packet::{Endpoint, Packet};
use super::records::Moment;
use crate::enet::{self, Candidates, Settled, Shape};

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
pub(super) struct Early {
    pub moment: Moment,
    pub time: i64,
    pub side: Side,
    pub source: Endpoint,
    pub destination: Endpoint,
    pub reported: u32,
    pub bytes: Vec<u8>,
}

/// A conversation that may be ENet.
#[derive(Debug)]
pub(super) struct Candidate {
    shapes: Candidates,
    kept: VecDeque<Early>,
    bytes: usize,
    weight: u16,
}

impl Default for Candidate {
    fn default() -> Candidate {
        Candidate { shapes: Candidates::ANY, kept: VecDeque::new(), bytes: 0, weight: 0 }
    }
}

/// What a datagram makes of its conversation.
#[derive(Debug)]
pub(super) enum Verdict {
    /// It fits no shape that the others fit.
    No,
    /// It may be ENet; more is needed.
    Open,
    /// It is ENet of this shape; side 0's role is told where the shape tells it.
    Settled(Settled),
}

impl Candidate {
    /// Takes in a datagram. `forced` is a shape the user demands; `alone` says that one datagram is enough.
    pub fn take(&mut self, packet: &Packet<'_>, side: Side, forced: Option<Shape>, alone: bool) -> Verdict {
        let found = enet::candidates(packet.bytes, packet.reported as usize);
        if found.is_empty() && !found.is_neutral() {
            return Verdict::No;
        }
        let mut shapes = self.shapes;
        shapes.narrow(found, side == 0);
        if shapes.is_empty() {
            return Verdict::No;
        }
        self.shapes = shapes;
        self.weight = self.weight.max(found.weight());
        self.keep(packet, side);
        let settled = match forced {
            Some(shape) => shapes.shapes().find(|settled| settled.shape == shape),
            None if shapes.decides() => shapes.likeliest(),
            None => return Verdict::Open,
        };
        let Some(settled) = settled else { return Verdict::No };
        let both = [0, 1].iter().all(|side| self.kept.iter().any(|early| early.side == *side));
        let enough = alone || (self.kept.len() >= ENOUGH && both && self.weight >= WEIGHT);
        match enough && self.is_consistent(settled.shape) {
            true => Verdict::Settled(settled),
            false if enough && !alone => Verdict::No,
            false => Verdict::Open,
        }
    }

    fn keep(&mut self, packet: &Packet<'_>, side: Side) {
        self.bytes += packet.bytes.len();
        self.kept.push_back(Early {
            moment: packet.moment(),
            time: packet.time,
            side,
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
    fn is_consistent(&self, shape: Shape) -> bool {
        let mut named = [None; 2];
        self.kept.iter().all(|early| match enet::header(shape, None, &early.bytes) {
            // the direction of a season8 datagram says where its header stands; its walk has checked it already
            _ if shape == Shape::Season8 => true,
            Ok(header) if header.is_unassigned() || header.is_compressed() => true,
            Ok(header) => {
                let names = (header.session.0, header.peer.0);
                *named[early.side].get_or_insert(names) == names
            }
            Err(_) => false,
        })
    }

    /// The datagrams so far.
    pub fn into_kept(self) -> VecDeque<Early> {
        self.kept
    }
}
