//! What is kept of each message, so that later passes show what the first has found out.

use foldhash::{HashMap, HashMapExt};

use super::crypt::Seal;
use super::unpack::Form;
use crate::capture::{DatagramId, Sender};

/// How the protocol is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The client said so, in this frame, from 1.
    Stated(u32),
    /// The preference `bedrock.protocol` says so.
    Preference,
}

/// What is known of a message from the first pass; later ones read it as this says.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// Number of its session, from 0.
    pub session: u32,
    /// The protocol it is read as, and how that is known; `None` where nobody says so.
    pub protocol: Option<(u16, Source)>,
    /// Whether a byte names its compression, and which it is.
    pub form: Form,
    /// Whether and how it is deciphered.
    pub seal: Seal,
    /// Where the same message came before; `None` for the first.
    pub resent: Option<DatagramId>,
    /// Whether a receiver drops it, as a later one of its sequence came before.
    pub outdated: bool,
    /// Whether this is where the session's key is asked for, or found wrong, or where its messages are found missing.
    pub telling: bool,
    /// The protocol that it states where that is the first to contradict the user's.
    pub contradicted: Option<u16>,
    /// Whether it is the first whose layout was found by fit.
    pub inferring: bool,
    /// Who sent it, where that is known.
    pub sender: Option<Sender>,
    /// Number of its first position, see [`Records::position`].
    pub positions: u32,
    /// How many positions it has, one for each packet that moves an actor.
    pub position_count: u32,
}

impl Record {
    /// Where it came before, as it is told: what nobody can read is no news, however often it comes.
    pub fn resent(&self) -> Option<DatagramId> {
        self.resent.filter(|_| !matches!(self.seal, Seal::NoKey | Seal::WrongKey))
    }
}

/// Coordinates x, y and z of an actor, blocks; `None` for one that nobody has stated yet.
pub type Position = [Option<f32>; 3];

/// Everything the first pass writes for later ones.
#[derive(Debug)]
pub struct Records {
    by_message: HashMap<DatagramId, Record>,
    positions: Vec<Position>,
}

impl Default for Records {
    fn default() -> Records {
        Records { by_message: HashMap::new(), positions: Vec::new() }
    }
}

impl Records {
    /// What is known of a message; `None` before the first pass has come to it.
    pub fn get(&self, id: DatagramId) -> Option<Record> {
        self.by_message.get(&id).copied()
    }

    /// Keeps what is known of a message, in place of what was known.
    pub fn set(&mut self, id: DatagramId, record: Record) {
        self.by_message.insert(id, record);
    }

    /// Number of the next position.
    pub fn next_position(&self) -> u32 {
        self.positions.len() as u32
    }

    /// Keeps where an actor is after a packet.
    pub fn add_position(&mut self, position: Position) {
        self.positions.push(position);
    }

    /// Position by number; `None` past the last.
    pub fn position(&self, number: u32) -> Option<&Position> {
        self.positions.get(number as usize)
    }
}
