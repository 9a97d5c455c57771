//! One session: what its ends have agreed on so far.

use foldhash::{HashMap, HashMapExt};

use super::arrivals::{Arrivals, Stamp};
use super::crypt::{Key, Seal};
use super::keystream::Keystream;
use super::records::{Position, Record, Source};
use super::unpack::{Form, Method};
use crate::book::bedrock::{LAST_ZLIB, NAMES_COMPRESSION, NEGOTIATES};
use crate::capture::{Direction, Sender};

/// How a session came to be enciphered and how far it can be read.
#[derive(Debug)]
pub struct Crypt {
    /// Keys to try while none has been proved.
    pub keys: Vec<Key>,
    /// The key that a message has proved; the only one used from then on.
    pub key: Option<Key>,
    /// Whether it has been told that there is no key, or none that fits.
    pub told: bool,
    /// How often those that wait were tried with keys that nothing has proved yet.
    pub retries: u32,
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
    /// Its number in the capture, from 0.
    pub number: u32,
    /// When its first message was captured, nanoseconds.
    pub began: i64,
    /// When its client asked for the network settings, and as which protocol.
    pub opened: Option<(i64, u16)>,
    /// Which way the client sends.
    pub client: Option<Direction>,
    /// The protocol its client states or the preference forces, and which of the two.
    pub protocol: Option<(u16, Source)>,
    /// The algorithm that the server has named.
    pub algorithm: Option<u16>,
    /// How batches were found to be taken, where nobody said so.
    pub fitted: Option<Form>,
    /// Whether and how it is enciphered by now.
    pub crypt: Option<Crypt>,
    /// How many messages in clear are remembered, so as to know them when they come again.
    pub remembered: u32,
    /// What is remembered of each direction: the one way, and the other.
    pub streams: [Keystream; 2],
    /// What came each way, by RakNet's numbers.
    pub arrivals: [Arrivals; 2],
    /// Whether it has been told that a layout was found by fit.
    pub inferred: bool,
    /// Whether it has been told that the client states another protocol than the user.
    contradicted: bool,
    /// Bytes that its batches were captured in.
    pub captured: u64,
    actors: HashMap<(u8, u64), Whereabouts>,
}

/// Where an actor is, and where in their order the messages stand that said so.
#[derive(Clone, Copy, Debug, Default)]
struct Whereabouts {
    position: Position,
    stamps: [Stamp; 3],
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

    /// Takes in which protocol the client states; answers whether the user says another, the first time it is stated.
    pub fn state(&mut self, protocol: u16, frame: u32) -> bool {
        match self.protocol {
            Some((forced, Source::Preference)) => {
                forced != protocol && !std::mem::replace(&mut self.contradicted, true)
            }
            _ => {
                self.protocol = Some((protocol, Source::Stated(frame)));
                false
            }
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

    /// Where an actor is by what has been stated so far.
    pub fn whereabouts(&self, player: u8, actor: u64) -> Position {
        self.actors.get(&(player, actor)).map_or([None; 3], |known| known.position)
    }

    /// Where an actor is after what a packet says of it in a message of this place: what one further on in the same order
    /// has stated stays. Players of a split screen have actors of their own.
    pub fn moved(&mut self, player: u8, actor: u64, position: Position, stamp: Stamp) -> Position {
        // Bytes that stand for many times as many must not fill the memory: all is forgotten before that.
        if self.actors.len() as u64 >= 64 + self.captured / 8 {
            self.actors.clear();
        }
        let known = self.actors.entry((player, actor)).or_default();
        for ((known, before), now) in known.position.iter_mut().zip(&mut known.stamps).zip(position) {
            if now.is_some() && !before.overrules(stamp) {
                (*known, *before) = (now, stamp);
            }
        }
        known.position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_go_with_protocol_and_agreement() {
        let whole = |method| Some(Form::Whole(method));
        let of = |protocol: u16, algorithm: Option<u16>, opened: bool| {
            let opened = opened.then_some((0, protocol));
            let session = Session::new(0, Some(protocol));
            Session { algorithm, opened, fitted: whole(Method::Snappy), ..session }.expected()
        };
        let fitted = whole(Method::Snappy);
        for (protocol, early, opened, agreed) in [
            (389, whole(Method::Zlib), whole(Method::Zlib), whole(Method::Zlib)),
            (390, whole(Method::Deflate), whole(Method::Deflate), whole(Method::Deflate)),
            (553, whole(Method::Deflate), whole(Method::Deflate), whole(Method::Deflate)),
            (554, fitted, whole(Method::None), whole(Method::Deflate)),
            (648, fitted, whole(Method::None), whole(Method::Deflate)),
            (649, fitted, whole(Method::None), Some(Form::Byte)),
        ] {
            assert_eq!(of(protocol, None, false), early, "{protocol}");
            assert_eq!(of(protocol, None, true), opened, "{protocol}");
            assert_eq!(of(protocol, Some(0), true), agreed, "{protocol}");
            assert_eq!(of(protocol, Some(0), false), agreed, "{protocol}");
        }
        assert_eq!([of(600, Some(1), true), of(600, Some(0xFFFF), true)], [fitted, whole(Method::None)]);
        assert_eq!([of(600, Some(9), true), of(2208, Some(9), true)], [None, Some(Form::Byte)]);
        let session = Session { algorithm: Some(0), fitted, ..Session::new(0, None) };
        assert_eq!((session.expected(), Session::new(0, None).expected()), (fitted, None));
    }

    #[test]
    fn ends_and_protocols() {
        let mut session = Session::new(3, None);
        assert_eq!((session.number, session.sender(Direction::Forward)), (3, None));
        session.client = Some(Direction::Backward);
        let senders = [Direction::Forward, Direction::Backward].map(|direction| session.sender(direction));
        assert_eq!(senders, [Some(Sender::Server), Some(Sender::Client)]);
        session.state(5, 7);
        session.state(6, 8);
        assert_eq!(session.protocol, Some((6, Source::Stated(8))));
        let mut forced = Session::new(0, Some(9));
        assert!(!forced.state(9, 6), "the same is no contradiction");
        assert!(forced.state(5, 7));
        assert!(!forced.state(5, 8), "told once");
        assert_eq!(forced.protocol, Some((9, Source::Preference)));
    }

    #[test]
    fn actors_are_forgotten_before_they_fill_the_memory() {
        for (captured, most) in [(0, 64u64), (7, 64), (80, 74)] {
            let mut session = Session { captured, ..Session::new(0, None) };
            session.moved(0, 0, [Some(1.0), None, None], Stamp::default());
            for actor in 1..most {
                session.moved(0, actor, [None; 3], Stamp::default());
            }
            assert_eq!(
                session.moved(1, 0, [None; 3], Stamp::default()),
                [None; 3],
                "another player's, and too many with it"
            );
            assert_eq!(session.actors.len(), 1, "{captured}");
            let mut session = Session { captured, ..Session::new(0, None) };
            session.moved(0, 0, [Some(1.0), None, None], Stamp::default());
            for actor in 1..most - 1 {
                session.moved(0, actor, [None; 3], Stamp::default());
            }
            assert_eq!(
                session.moved(0, 0, [None, Some(2.0), None], Stamp::default()),
                [Some(1.0), Some(2.0), None]
            );
            assert_eq!(
                session.moved(0, 0, [Some(3.0), None, None], Stamp::default()),
                [Some(3.0), Some(2.0), None]
            );
        }
    }

    #[test]
    fn what_no_key_opens_is_told_once() {
        let key = Key::new([1; 32]);
        let seals = |key, waits| {
            let mut crypt = Crypt { keys: Vec::new(), key, told: false, retries: 0 };
            [(); 2].map(|()| {
                let mut record = Record {
                    session: 0,
                    protocol: None,
                    form: Form::Byte,
                    seal: Seal::Clear,
                    resent: None,
                    outdated: false,
                    telling: false,
                    inferring: false,
                    contradicted: None,
                    sender: None,
                    positions: 0,
                    position_count: 0,
                };
                crypt.refuse(waits, &mut record);
                (record.seal, record.telling)
            })
        };
        assert_eq!(seals(None, true), [(Seal::WrongKey, true), (Seal::WrongKey, false)]);
        assert_eq!(seals(Some(key), true), [(Seal::Waiting, false); 2]);
        assert_eq!(seals(Some(key), false), [(Seal::Lost, true); 2]);
    }
}
