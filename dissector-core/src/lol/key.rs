//! The key of a session: proved by the client's handshake, else found by trying the given ones on payloads.

use super::cipher::{self, KeyTrial, Registration, BLOCK};
use super::keyring::Keyring;
use super::payload::Payload;
use crate::capture::{ConversationKey, Sender};
use crate::fields::lol::Expert;
use crate::layout::channel;

/// What is known of a session's key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum KeyState {
    /// Not decided: no handshake and no payload to try keys on yet.
    #[default]
    Undecided,
    /// The handshake proves the key at this place of the ring.
    Verified(usize),
    /// Payloads make sense with the key at this place of the ring; nothing proves it.
    Unverified(usize),
    /// Keys were given, and none fits.
    Wrong,
    /// No key was given for it.
    Missing,
}

/// How a payload can be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// As it stands.
    Clear,
    /// With the key at this place of the ring.
    With(usize),
    /// Not, or not yet: no key is known to fit.
    Not,
}

/// What a payload has taught of the key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Learnt {
    /// Nothing that changes how payloads are read.
    Nothing,
    /// Payloads that could not be read can be now.
    Usable,
    /// No key fits: payloads that waited for one never will be read.
    NoneFits,
}

/// The key of a session.
#[derive(Debug, Default)]
pub struct SessionKey {
    /// How far the key is known.
    pub state: KeyState,
    /// Keys that may be this session's, by their places.
    keys: Vec<usize>,
    /// How many keys of the ring were looked at.
    known: usize,
    /// Keys on trial and their trials, while no handshake and not enough payloads have decided.
    trials: Vec<(usize, KeyTrial)>,
    /// The client's registration that came last.
    registration: Option<Registration>,
}

impl KeyState {
    /// The key payloads are deciphered with, by its place in the ring.
    pub fn schedule(self) -> Option<usize> {
        match self {
            KeyState::Verified(schedule) | KeyState::Unverified(schedule) => Some(schedule),
            _ => None,
        }
    }

    /// What is to be said, once in a session, of a key that is missing or does not fit.
    pub fn note(self) -> Option<(Expert, &'static str)> {
        match self {
            KeyState::Missing => Some((
                Expert::KeyNeeded,
                "This session is enciphered: give its key in lol.key (32 hex digits, 24 base64 characters or 16 characters of text), in the table lol.keys or in the file lol.keylog_file to read it",
            )),
            KeyState::Wrong => Some((
                Expert::KeyWrong,
                "None of the keys given in lol.key, lol.keys and lol.keylog_file fits this session: its handshake does not prove them, or they make no sense of its payloads",
            )),
            _ => None,
        }
    }

    /// The word `lol.key.state` shows.
    pub fn name(self) -> Option<&'static str> {
        match self {
            KeyState::Undecided => None,
            KeyState::Verified(_) => Some("verified"),
            KeyState::Unverified(_) => Some("unverified"),
            KeyState::Wrong => Some("wrong"),
            KeyState::Missing => Some("none"),
        }
    }
}

impl SessionKey {
    /// How a payload can be read.
    pub fn access(&self, payload: &Payload<'_>) -> Access {
        if !payload.enciphered || (payload.reported as usize) < BLOCK {
            return Access::Clear;
        }
        if payload.channel == channel::REGISTRATION {
            if payload.sender == Some(Sender::Client) {
                return Access::Clear;
            }
            // some servers leave the answer in clear: it then names the player as it stands
            let asked = self.registration.map(|asked| asked.player_id);
            let known = |r: Registration| r.action == 0 && asked == Some(r.player_id);
            if Registration::read(payload.wire()).is_some_and(known) {
                return Access::Clear;
            }
        }
        self.state.schedule().map_or(Access::Not, Access::With)
    }

    /// Picks the key: by the client's registration, else by the first payload that one of the keys makes sense of.
    pub fn learn(&mut self, ring: &Keyring, ends: &ConversationKey, payload: &Payload<'_>) -> Learnt {
        let before = self.state;
        self.admit(ring, ends);
        if payload.channel == channel::REGISTRATION && payload.sender == Some(Sender::Client) {
            if let Some(registration) = Registration::read(payload.wire()) {
                self.registration = Some(registration);
                self.trials.clear();
                self.prove(ring);
            }
        }
        if matches!(self.state, KeyState::Undecided | KeyState::Unverified(_)) {
            self.try_on(ring, payload);
        }
        match (self.state.schedule(), self.state) {
            (Some(used), _) if before.schedule() != Some(used) => Learnt::Usable,
            (None, KeyState::Wrong) if before != KeyState::Wrong => Learnt::NoneFits,
            _ => Learnt::Nothing,
        }
    }

    /// Takes in keys that were added to the ring since it was looked at last: at first all of them, later those that were
    /// appended to the key file.
    fn admit(&mut self, ring: &Keyring, ends: &ConversationKey) {
        if self.known < ring.len() {
            let first = self.keys.len();
            self.keys.extend(ring.of(ends, self.known));
            self.known = ring.len();
            let is_on_trial = !self.trials.is_empty() || self.state.schedule().is_none();
            let added = self.keys.len() > first;
            if added && self.registration.is_some() && self.state.schedule().is_none() {
                self.prove(ring);
            } else if added && is_on_trial {
                self.trials.extend(self.keys[first..].iter().map(|key| (*key, KeyTrial::default())));
                if self.state.schedule().is_none() {
                    self.state = KeyState::Undecided;
                }
            }
        }
        if self.state == KeyState::Undecided && self.keys.is_empty() {
            self.state = KeyState::Missing;
        }
    }

    /// Proves a key by the client's registration.
    fn prove(&mut self, ring: &Keyring) {
        let Some(registration) = self.registration else { return };
        let proves = |key: &&usize| ring.get(**key).is_some_and(|key| key.schedule.proves(&registration));
        self.state = match (self.keys.iter().find(proves), self.state) {
            (Some(key), _) => KeyState::Verified(*key),
            (None, KeyState::Verified(_)) => self.state,
            (None, _) if self.keys.is_empty() => KeyState::Missing,
            (None, _) => KeyState::Wrong,
        };
    }

    /// Tries the keys on a payload. The first that convinces is used at once, and given up if later payloads refuse it
    /// before enough have agreed.
    fn try_on(&mut self, ring: &Keyring, payload: &Payload<'_>) {
        if self.trials.is_empty() {
            return;
        }
        let convinced = self.take_trials(ring, payload);
        let trials = &self.trials;
        if let Some((agreed, _)) = trials.iter().find(|(_, trial)| trial.verdict() == Some(true)) {
            self.state = KeyState::Unverified(*agreed);
            self.trials.clear();
        } else if trials.iter().all(|(_, trial)| trial.verdict() == Some(false)) {
            self.state = KeyState::Wrong;
            self.trials.clear();
        } else if let KeyState::Unverified(used) = self.state {
            if trials.iter().any(|(key, trial)| *key == used && trial.verdict() == Some(false)) {
                self.state = KeyState::Undecided;
            }
        } else if let Some(key) = convinced {
            self.state = KeyState::Unverified(key);
        }
    }

    /// Adds a payload to every key's trial; answers the one key that makes convincing sense of it and is not refused yet.
    fn take_trials(&mut self, ring: &Keyring, payload: &Payload<'_>) -> Option<usize> {
        // what says nothing of a key is not deciphered with each: a body that was cut looks like nonsense by any
        let says_something = (channel::REQUESTS..=channel::TRANSIENT).contains(&payload.channel)
            && payload.length >= payload.reported;
        let wire = payload.wire();
        let (mut convinced, mut several) = (None, false);
        let open = |(_, trial): &&mut (usize, KeyTrial)| says_something && trial.verdict() != Some(false);
        for (place, trial) in self.trials.iter_mut().filter(open) {
            let Some(key) = ring.get(*place) else { continue };
            let mut plain = wire.to_vec();
            key.schedule.decipher(&mut plain);
            trial.take(wire, &plain, payload.channel);
            if cipher::plausible(&plain, payload.channel) == Some(true) && cipher::convincing(&plain) {
                several |= convinced.is_some();
                convinced = Some((*place, trial.verdict() != Some(false)));
            }
        }
        // two keys that make sense of it decide nothing
        convinced.filter(|(_, is_open)| *is_open && !several).map(|(place, _)| place)
    }
}
