//! The key of a session: proved by the client's handshake, else found by trying the given ones on payloads.

use super::cipher::{self, KeyTrial, Registration, Schedule, BLOCK};
use super::payload::Payload;
use crate::capture::Sender;
use crate::fields::lol::Expert;
use crate::layout::channel;

/// What is known of a session's key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum KeyState {
    /// Not decided: no handshake and no payload to try keys on yet.
    #[default]
    Undecided,
    /// The handshake proves the schedule of this number.
    Verified(usize),
    /// Payloads make sense with the schedule of this number; nothing proves it.
    Unverified(usize),
    /// Keys were given, and none fits.
    Wrong,
    /// No key was given.
    Missing,
}

/// How a payload can be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// As it stands.
    Clear,
    /// With the schedule of this number.
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
    /// Each key's trial, while no handshake and not enough payloads have decided.
    trials: Vec<KeyTrial>,
    /// The player of the registration, as on the wire.
    player: Option<[u8; 8]>,
}

impl KeyState {
    /// The schedule payloads are deciphered with, by its place among those of the settings.
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
                "This session is enciphered: give its key in the preference lol.key (32 hex digits, 24 base64 characters or 16 characters of text) to read it",
            )),
            KeyState::Wrong => Some((
                Expert::KeyWrong,
                "None of the keys in the preference lol.key fits this session: its handshake does not prove them, or they make no sense of its payloads",
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
            let known = |r: Registration| r.action == 0 && self.player == Some(r.player_id);
            if Registration::read(payload.wire()).is_some_and(known) {
                return Access::Clear;
            }
        }
        self.state.schedule().map_or(Access::Not, Access::With)
    }

    /// Picks the key: by the client's registration, else by the first payload that one of the keys makes sense of.
    pub fn learn(&mut self, keys: &[(u32, Schedule)], payload: &Payload<'_>) -> Learnt {
        if self.state == KeyState::Undecided && keys.is_empty() {
            self.state = KeyState::Missing;
        }
        if payload.channel == channel::REGISTRATION && payload.sender == Some(Sender::Client) {
            if let Some(registration) = Registration::read(payload.wire()) {
                self.prove(keys, &registration);
            }
        }
        match self.state {
            KeyState::Undecided | KeyState::Unverified(_) => self.try_on(keys, payload),
            _ => Learnt::Nothing,
        }
    }

    /// Proves a key by the client's registration.
    fn prove(&mut self, keys: &[(u32, Schedule)], registration: &Registration) {
        self.player = Some(registration.player_id);
        self.trials.clear();
        let proven = keys.iter().position(|(_, key)| key.proves(registration));
        self.state = match (proven, self.state) {
            (Some(schedule), _) => KeyState::Verified(schedule),
            (None, KeyState::Verified(_) | KeyState::Missing) => self.state,
            (None, _) => KeyState::Wrong,
        };
    }

    /// Tries every key on a payload. The first that convinces is used at once, and given up if later payloads refuse
    /// it before enough have agreed.
    fn try_on(&mut self, keys: &[(u32, Schedule)], payload: &Payload<'_>) -> Learnt {
        if self.state == KeyState::Undecided && self.trials.is_empty() {
            self.trials.resize_with(keys.len(), KeyTrial::default);
        }
        if self.trials.is_empty() {
            return Learnt::Nothing;
        }
        let convinced = self.take_trials(keys, payload);
        let trials = &self.trials;
        if let Some(agreed) = trials.iter().position(|trial| trial.verdict() == Some(true)) {
            self.trials.clear();
            return self.take(agreed);
        }
        if trials.iter().all(|trial| trial.verdict() == Some(false)) {
            self.trials.clear();
            self.state = KeyState::Wrong;
            return Learnt::NoneFits;
        }
        if let KeyState::Unverified(used) = self.state {
            if trials.get(used).and_then(KeyTrial::verdict) == Some(false) {
                self.state = KeyState::Undecided;
            }
            return Learnt::Nothing;
        }
        let open = |place: &usize| trials.get(*place).is_some_and(|trial| trial.verdict() != Some(false));
        convinced.filter(open).map_or(Learnt::Nothing, |place| self.take(place))
    }

    /// Adds a payload to every key's trial; answers the one key that makes convincing sense of it.
    fn take_trials(&mut self, keys: &[(u32, Schedule)], payload: &Payload<'_>) -> Option<usize> {
        let wire = payload.wire();
        let (mut convinced, mut several) = (None, false);
        for (place, ((_, key), trial)) in keys.iter().zip(&mut self.trials).enumerate() {
            let mut plain = wire.to_vec();
            key.decipher(&mut plain);
            trial.take(wire, &plain, payload.channel);
            if cipher::plausible(&plain, payload.channel) == Some(true) && cipher::convincing(&plain) {
                several |= convinced.is_some();
                convinced = Some(place);
            }
        }
        // two keys that make sense of it decide nothing
        convinced.filter(|_| !several)
    }

    fn take(&mut self, place: usize) -> Learnt {
        if self.state == KeyState::Unverified(place) {
            return Learnt::Nothing;
        }
        self.state = KeyState::Unverified(place);
        Learnt::Usable
    }
}
