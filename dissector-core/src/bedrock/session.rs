//! One session: what its ends have agreed on so far.

use foldhash::{HashMap, HashMapExt};

use super::crypt::{Key, Keystream, Seal};
use super::records::{Place, Record, Source};
use super::unpack::{Form, Method};
use crate::book::bedrock::{LAST_ZLIB, NAMES_COMPRESSION, NEGOTIATES};
use crate::capture::{Direction, Sender};

/// How a session came to be enciphered and how far it can be read.
#[derive(Debug)]
pub struct Crypt {
    /// Keys to try while none has been proved.
    pub keys: Vec<Key>,
    /// The key that a message has proved.
    pub key: Option<Key>,
    /// Whether it has been told that there is no key, or none that fits.
    pub told: bool,
}

impl Crypt {
    /// Notes on the record of a message that no key opens why not; `waits` says that it is kept.
    pub fn refuse(&mut self, waits: bool, record: &mut Record) {
        record.seal = match (self.key, waits) {
            (None, _) => Seal::WrongKey,
            (Some(_), true) => Seal::Waiting,
            (Some(_), false) => Seal::Lost,
        };
        record.telling = match record.seal {
            Seal::WrongKey => !std::mem::replace(&mut self.told, true),
            seal => seal == Seal::Lost,
        };
    }
}

/// One session.
#[derive(Debug, Default)]
pub struct Session {
    /// Its number in the capture.
    pub number: u32,
    /// When its client asked for the network settings, and as which protocol.
    pub opened: Option<(i64, u16)>,
    /// Which way the client sends.
    pub client: Option<Direction>,
    /// The protocol.
    pub protocol: Option<(u16, Source)>,
    /// The algorithm that the server has named.
    pub algorithm: Option<u16>,
    /// How batches were found to be taken, where nobody said so.
    pub fitted: Option<Form>,
    /// Whether and how it is enciphered by now.
    pub crypt: Option<Crypt>,
    /// Messages in clear that are remembered.
    pub remembered: u32,
    /// What is remembered of each direction.
    pub streams: [Keystream; 2],
    /// Whether it has been told that a layout was found by fit.
    pub inferred: bool,
    /// Bytes that its batches were captured in.
    pub captured: u64,
    actors: HashMap<(u8, u64), Place>,
}

impl Session {
    /// A session whose protocol may be known beforehand.
    pub fn new(number: u32, forced: Option<u16>) -> Session {
        let protocol = forced.map(|protocol| (protocol, Source::Preference));
        Session { number, protocol, actors: HashMap::new(), ..Session::default() }
    }

    /// Who sends this way, where it is known.
    pub fn sender(&self, direction: Direction) -> Option<Sender> {
        self.client.map(|client| if client == direction { Sender::Client } else { Sender::Server })
    }

    /// Takes in which protocol the client states.
    pub fn state(&mut self, protocol: u16, frame: u32) {
        if !matches!(self.protocol, Some((_, Source::Preference))) {
            self.protocol = Some((protocol, Source::Stated(frame)));
        }
    }

    /// How batches are to be taken by what is known; `None` where that does not say.
    pub fn expected(&self) -> Option<Form> {
        let agreed = self.algorithm.is_some();
        match self.protocol {
            Some((protocol, _)) if protocol <= LAST_ZLIB => Some(Form::Whole(Method::Zlib)),
            Some((protocol, _)) if protocol < NEGOTIATES => Some(Form::Whole(Method::Deflate)),
            Some((protocol, _)) if agreed && protocol >= NAMES_COMPRESSION => Some(Form::Byte),
            Some(_) if agreed => self.algorithm.and_then(Method::of_algorithm).map(Form::Whole),
            Some(_) if self.opened.is_some() => Some(Form::Whole(Method::None)),
            _ => self.fitted,
        }
    }

    /// Where an actor is after what a packet says of it. Players of a split screen have actors of their own.
    pub fn moved(&mut self, player: u8, actor: u64, place: Place) -> Place {
        // Bytes that stand for many times as many must not fill the memory: all is forgotten before that.
        if self.actors.len() as u64 >= 64 + self.captured / 8 {
            self.actors.clear();
        }
        let known = self.actors.entry((player, actor)).or_default();
        for (known, now) in known.iter_mut().zip(place) {
            *known = now.or(*known);
        }
        *known
    }
}
