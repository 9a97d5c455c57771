//! What is kept of each message, so that later passes show what the first has found out.

use foldhash::{HashMap, HashMapExt};

use super::crypt::Seal;
use super::unpack::Form;
use crate::capture::{DatagramId, Sender};

/// How the protocol is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The client said so, in this frame.
    Stated(u32),
    /// A user said so.
    Preference,
}

/// What is known of a message.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// Its session.
    pub session: u32,
    /// The protocol it is read as.
    pub protocol: Option<(u16, Source)>,
    /// How its batch is taken.
    pub form: Form,
    /// Whether and how it is deciphered.
    pub seal: Seal,
    /// Where the same message came before.
    pub resent: Option<DatagramId>,
    /// Whether this is where the session's key is asked for, or found wrong, or where its messages are found missing.
    pub telling: bool,
    /// Whether it is the first whose layout was found by fit.
    pub inferring: bool,
    /// Who sent it, where that is known.
    pub sender: Option<Sender>,
    /// The first of its places in [`Records::places`].
    pub places: u32,
    /// How many it has.
    pub place_count: u32,
}

/// A place as far as it is known.
pub type Place = [Option<f32>; 3];

/// Everything the first pass writes for later ones.
#[derive(Debug)]
pub struct Records {
    by_message: HashMap<DatagramId, Record>,
    places: Vec<Place>,
}

impl Default for Records {
    fn default() -> Records {
        Records { by_message: HashMap::new(), places: Vec::new() }
    }
}

impl Records {
    /// What is known of a message.
    pub fn get(&self, id: DatagramId) -> Option<Record> {
        self.by_message.get(&id).copied()
    }

    /// Keeps what is known of a message.
    pub fn set(&mut self, id: DatagramId, record: Record) {
        self.by_message.insert(id, record);
    }

    /// Number of the next place.
    pub fn next_place(&self) -> u32 {
        self.places.len() as u32
    }

    /// Keeps where an actor is after a packet.
    pub fn add_place(&mut self, place: Place) {
        self.places.push(place);
    }

    /// Place by number.
    pub fn place(&self, number: u32) -> Option<&Place> {
        self.places.get(number as usize)
    }
}
