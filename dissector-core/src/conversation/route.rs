//! Which session a datagram belongs to.

use super::candidate::{Candidate, Early, Verdict};
use super::output::{Grade, Output};
use super::packet::{Packet, Pair, Side};
use super::Engine;
use crate::enet::{self, Settled};
use crate::layout::Sender;

/// Conversations watched at once before any is claimed: with what each keeps, 32 MiB at the most.
const MOST_CANDIDATES: usize = 1024;

/// Where a datagram goes.
#[derive(Debug)]
pub(super) enum Route {
    /// To this session.
    Session(usize),
    /// To a conversation that is ENet by the user's word, but whose shape is not settled.
    Open(Option<Settled>),
    /// Elsewhere.
    NotMine,
}

impl Engine {
    /// Finds the session of a datagram; on the first pass opens one where the datagram warrants it.
    pub(super) fn route(&mut self, pair: Pair, side: Side, packet: &Packet<'_>) -> Route {
        if !packet.writes() {
            return self.route_again(pair, side, packet);
        }
        let active = self.pairs.get(&pair).and_then(|all| all.last().copied());
        let connects = enet::connect(packet.bytes, packet.reported as usize);
        let forced = self.shared.settings.shape;
        let connects = connects.filter(|shape| forced.is_none_or(|forced| same_shape(forced, *shape)));
        if let Some(shape) = connects {
            if active.is_none_or(|active| self.sessions[active].is_reconnect(packet)) {
                self.candidates.remove(&pair);
                let index = self.open_session(packet.moment(), shape);
                self.sessions[index].server = Some(1 - side);
                self.pairs.entry(pair).or_default().push(index);
                return Route::Session(index);
            }
        }
        match active {
            Some(active) => Route::Session(active),
            None => self.watch(pair, side, packet),
        }
    }

    /// The session that was found on the first pass.
    fn route_again(&self, pair: Pair, side: Side, packet: &Packet<'_>) -> Route {
        let Some(all) = self.pairs.get(&pair) else {
            return match packet.forced {
                true => Route::Open(self.guess(packet, side)),
                false => Route::NotMine,
            };
        };
        let at = packet.moment();
        let started = all.iter().rev().find(|index| self.sessions[**index].start <= at);
        started.map_or(Route::NotMine, |index| Route::Session(*index))
    }

    /// The likeliest shape of a single datagram.
    fn guess(&self, packet: &Packet<'_>, side: Side) -> Option<Settled> {
        let mut shapes = enet::Candidates::ANY;
        shapes.narrow(enet::candidates(packet.bytes, packet.reported as usize), side == 0);
        match self.shared.settings.shape {
            Some(shape) => Some(Settled { shape, first: None }),
            None => shapes.likeliest(),
        }
    }

    /// Watches a conversation that no session claims yet.
    fn watch(&mut self, pair: Pair, side: Side, packet: &Packet<'_>) -> Route {
        let settings = &self.shared.settings;
        let alone =
            settings.is_server_port(pair.ends()[0].port) || settings.is_server_port(pair.ends()[1].port);
        let alone = alone || packet.forced;
        let forced = settings.shape;
        let verdict = match self.candidates.get_mut(&pair) {
            Some(candidate) => candidate.take(packet, side, forced, alone),
            None => {
                let mut candidate = Candidate::default();
                let verdict = candidate.take(packet, side, forced, alone);
                if matches!(verdict, Verdict::No) {
                    return self.refuse(packet, side);
                }
                if self.candidates.len() >= MOST_CANDIDATES {
                    self.candidates.clear();
                }
                self.candidates.insert(pair, candidate);
                verdict
            }
        };
        match verdict {
            Verdict::No => {
                self.candidates.remove(&pair);
                self.refuse(packet, side)
            }
            Verdict::Open if packet.forced => Route::Open(self.guess(packet, side)),
            Verdict::Open => Route::NotMine,
            Verdict::Settled(settled) => self.claim(pair, settled, packet),
        }
    }

    fn refuse(&self, packet: &Packet<'_>, side: Side) -> Route {
        if packet.forced {
            Route::Open(self.guess(packet, side))
        } else {
            Route::NotMine
        }
    }

    /// Opens the session of a conversation whose shape is settled, and takes in what came before.
    fn claim(&mut self, pair: Pair, settled: Settled, packet: &Packet<'_>) -> Route {
        let kept = self.candidates.remove(&pair).map(Candidate::into_kept).unwrap_or_default();
        let start = kept.front().map_or(packet.moment(), |early| early.moment);
        let index = self.open_session(start, settled.shape);
        self.sessions[index].server = match settled.first {
            Some(Sender::Server) => Some(0),
            Some(Sender::Client) => Some(1),
            None => {
                let server = |side: Side| self.shared.settings.is_server_port(pair.ends()[side].port);
                match (server(0), server(1)) {
                    (true, false) => Some(0),
                    (false, true) => Some(1),
                    _ => None,
                }
            }
        };
        self.pairs.entry(pair).or_default().push(index);
        let mut scratch = Output::default();
        // the datagram at hand is the last that was kept, and is read by the caller
        for early in kept.iter().take(kept.len().saturating_sub(1)) {
            scratch.clear();
            self.read_datagram(index, early.side, &early.packet(), &mut scratch);
        }
        Route::Session(index)
    }
}

impl Early {
    /// The datagram as a packet, for its state only.
    fn packet(&self) -> Packet<'_> {
        Packet {
            bytes: &self.bytes,
            reported: self.reported,
            time: self.time,
            frame: self.moment.frame,
            datagram: self.moment.datagram,
            source: self.source,
            destination: self.destination,
            grade: Grade::State,
            visited: false,
            quoted: false,
            forced: false,
        }
    }
}

/// Whether a shape the user demands is met: stock stands for both stock shapes.
fn same_shape(demanded: enet::Shape, found: enet::Shape) -> bool {
    demanded.name() == found.name()
}
