//! One payload: whether it can be read, with which key, and what it teaches of the session.

use super::backlog::Kept;
use super::builds::Builds;
use super::message;
use super::output::{Grade, Output};
use super::records::Place;
use super::session::{BuildSource, KeyState, KnownBuild, Session};
use super::settings::Parsed;
use crate::cipher::{self, Registration, Trial, BLOCK};
use crate::layout::{channel, Sender};
use crate::version::Build;

/// How far into a client's message its version text may begin, bytes.
const VERSION_REACH: usize = 64;

/// What the settings and the book give to every payload.
#[derive(Debug)]
pub(super) struct Shared {
    pub settings: Parsed,
    pub builds: Builds,
}

/// A payload as it was carried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Payload<'a> {
    /// The bytes of the data source it lies in.
    pub source: &'a [u8],
    /// Where it begins in them.
    pub base: u32,
    /// Bytes of it that were captured.
    pub length: u32,
    /// Bytes it had on the wire.
    pub reported: u32,
    /// Its ENet channel.
    pub channel: u8,
    /// Who sent it, where known.
    pub sender: Option<Sender>,
    /// Where it stands in the capture.
    pub place: Place,
    /// When it was captured, nanoseconds.
    pub time: i64,
    /// Whether the session's state may be written.
    pub writes: bool,
    /// Whether a receiver takes it: not for a second time, not behind a newer one.
    pub counts: bool,
    /// Whether payloads of this session are enciphered: false for those that come without ENet.
    pub enciphered: bool,
    /// Whether it is read again, after it had to wait.
    pub again: bool,
    /// What is wanted.
    pub grade: Grade,
}

impl Payload<'_> {
    fn wire(&self) -> &[u8] {
        let start = (self.base as usize).min(self.source.len());
        let end = (start + self.length as usize).min(self.source.len());
        &self.source[start..end]
    }
}

/// How a payload can be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Access {
    /// As it stands.
    Clear,
    /// With this schedule.
    With(usize),
    /// Not, or not yet.
    Not,
}

impl Shared {
    /// Whether the payloads of a session are the game's, and asked for.
    pub fn reads(&self, session: &Session) -> bool {
        session.shape.is_league() && !self.settings.without_league
    }

    /// Reads a payload into `out`; answers whether its bytes were readable.
    pub fn read(&mut self, session: &mut Session, payload: &Payload<'_>, out: &mut Output) -> bool {
        if payload.writes && payload.enciphered {
            self.learn_key(session, payload);
        }
        let access = self.access(session, payload);
        match access {
            Access::Not => {
                if payload.writes {
                    session.note.get_or_insert(payload.place);
                    if session.key == KeyState::Open {
                        keep(session, payload);
                    }
                }
                message::unreadable(session, payload, out);
                return false;
            }
            Access::Clear => {
                let wire = payload.wire();
                self.read_plain(session, payload, wire, wire.len(), false, out);
            }
            Access::With(schedule) => {
                // taken out while it is read: nodes are added to the same output
                let mut plain = std::mem::take(&mut out.plain);
                if plain.len() != payload.source.len() {
                    plain.clear();
                    plain.extend_from_slice(payload.source);
                }
                let start = (payload.base as usize).min(plain.len());
                let end = (start + payload.length as usize).min(plain.len());
                if let Some((_, schedule)) = self.settings.schedules.get(schedule) {
                    schedule.decipher(&mut plain[start..end]);
                }
                let readable = readable(payload.length, payload.reported);
                self.read_plain(session, payload, &plain[start..end], readable, true, out);
                out.plain = plain;
            }
        }
        if std::mem::take(&mut session.ready) && !session.backlog.is_empty() {
            self.replay(session);
        }
        true
    }

    fn read_plain(
        &mut self,
        session: &mut Session,
        payload: &Payload<'_>,
        plain: &[u8],
        readable: usize,
        deciphered: bool,
        out: &mut Output,
    ) {
        let bytes = &plain[..readable.min(plain.len())];
        if payload.writes && session.build.is_none() {
            learn_build(session, payload, bytes);
            session.ready = session.build.is_some();
            session.waits = session.build.is_none();
        } else if payload.writes && session.contradicted.is_none() {
            contradict(session, payload, bytes);
        }
        message::payload(self, session, payload, bytes, deciphered, out);
        if std::mem::take(&mut session.waits) && payload.counts {
            keep(session, payload);
        }
    }

    fn access(&self, session: &Session, payload: &Payload<'_>) -> Access {
        let wire = payload.wire();
        if !payload.enciphered || (payload.reported as usize) < BLOCK {
            return Access::Clear;
        }
        if payload.channel == channel::REGISTRATION {
            if payload.sender == Some(Sender::Client) {
                return Access::Clear;
            }
            // some servers leave the answer in clear: it then names the player as it stands
            let known = |r: Registration| r.action == 0 && session.player == Some(r.player_id);
            if Registration::read(wire).is_some_and(known) {
                return Access::Clear;
            }
        }
        session.key.schedule().map_or(Access::Not, Access::With)
    }

    /// Picks the key: by the client's registration, else by the first payload that one of the keys makes sense of.
    fn learn_key(&mut self, session: &mut Session, payload: &Payload<'_>) {
        let wire = payload.wire();
        if session.key == KeyState::Open && !self.settings.has_keys() {
            session.key = KeyState::None;
        }
        if payload.channel == channel::REGISTRATION && payload.sender == Some(Sender::Client) {
            if let Some(registration) = Registration::read(wire) {
                session.player = Some(registration.player_id);
                let proven = self.settings.schedules.iter().position(|(_, key)| key.proves(&registration));
                session.trials.clear();
                session.key = match (proven, session.key) {
                    (Some(schedule), _) => KeyState::Verified(schedule),
                    (None, KeyState::Verified(_) | KeyState::None) => session.key,
                    (None, _) => KeyState::Wrong,
                };
            }
        }
        let tried = matches!(session.key, KeyState::Open | KeyState::Unverified(_));
        if tried {
            self.try_keys(session, payload);
        }
    }

    /// Tries every key on a payload. The first that convinces is used at once, and given up if later payloads refuse
    /// it before enough have agreed.
    fn try_keys(&mut self, session: &mut Session, payload: &Payload<'_>) {
        let wire = payload.wire();
        let schedules = &self.settings.schedules;
        if session.key == KeyState::Open && session.trials.is_empty() {
            session.trials.resize_with(schedules.len(), Trial::default);
        }
        if session.trials.is_empty() {
            return;
        }
        let mut convinced = None;
        for (place, ((_, key), trial)) in schedules.iter().zip(&mut session.trials).enumerate() {
            let mut plain = wire.to_vec();
            key.decipher(&mut plain);
            trial.take(wire, &plain, payload.channel);
            if cipher::plausible(&plain, payload.channel) == Some(true) && cipher::convincing(&plain) {
                // two keys that make sense of it decide nothing
                convinced = if convinced.is_none() { Some(place) } else { Some(usize::MAX) };
            }
        }
        let trials = &session.trials;
        if let Some(proven) = trials.iter().position(|trial| trial.verdict() == Some(true)) {
            session.trials.clear();
            self.use_key(session, proven);
        } else if trials.iter().all(|trial| trial.verdict() == Some(false)) {
            session.trials.clear();
            session.key = KeyState::Wrong;
            session.backlog.take();
        } else if let KeyState::Unverified(used) = session.key {
            if trials.get(used).and_then(Trial::verdict) == Some(false) {
                session.key = KeyState::Open;
            }
        } else if let Some(place) =
            convinced.filter(|place| trials.get(*place).is_some_and(|trial| trial.verdict() != Some(false)))
        {
            self.use_key(session, place);
        }
    }

    fn use_key(&mut self, session: &mut Session, place: usize) {
        if session.key == KeyState::Unverified(place) {
            return;
        }
        session.key = KeyState::Unverified(place);
        self.replay(session);
    }

    /// Reads what had to wait, for the state it carries.
    fn replay(&mut self, session: &mut Session) {
        let kept = session.backlog.take();
        let mut scratch = Output::default();
        for kept in &kept {
            let payload = Payload {
                source: &kept.bytes,
                base: 0,
                length: kept.bytes.len() as u32,
                reported: kept.reported,
                channel: kept.channel,
                sender: kept.sender,
                place: kept.place,
                time: kept.time,
                writes: true,
                counts: true,
                enciphered: kept.enciphered,
                again: true,
                grade: Grade::State,
            };
            scratch.clear();
            self.read(session, &payload, &mut scratch);
        }
    }

    /// The build a session is read as, and where it comes from.
    pub fn build(&self, session: &Session) -> Option<KnownBuild> {
        session.build.or_else(|| {
            let build = self.settings.fallback?;
            Some(KnownBuild { build, source: BuildSource::Fallback, frame: 0 })
        })
    }
}

fn keep(session: &mut Session, payload: &Payload<'_>) {
    session.backlog.keep(Kept {
        place: payload.place,
        time: payload.time,
        channel: payload.channel,
        sender: payload.sender,
        reported: payload.reported,
        enciphered: payload.enciphered,
        bytes: payload.wire().to_vec(),
    });
}

/// How many bytes of a deciphered payload are meant: a block that the snap length cut cannot be deciphered.
fn readable(captured: u32, reported: u32) -> usize {
    let block = BLOCK as u32;
    let whole = reported / block * block;
    let readable = if captured >= whole { captured } else { captured / block * block };
    readable as usize
}

/// Takes the build from a client's registration or version text.
fn learn_build(session: &mut Session, payload: &Payload<'_>, plain: &[u8]) {
    let stated = stated_build(payload, plain);
    session.build = stated.map(|(build, source)| KnownBuild { build, source, frame: payload.place.frame });
}

/// Notes where a session states another build than the user's preference.
fn contradict(session: &mut Session, payload: &Payload<'_>, plain: &[u8]) {
    let preferred = session.build.filter(|known| known.source == BuildSource::Preference);
    let Some((known, (stated, _))) = preferred.zip(stated_build(payload, plain)) else { return };
    session.contradicted = (known.build != stated).then_some((payload.place, stated));
}

/// The build that a client's registration or version text states.
fn stated_build(payload: &Payload<'_>, plain: &[u8]) -> Option<(Build, BuildSource)> {
    if payload.sender == Some(Sender::Server) {
        return None;
    }
    match payload.channel {
        channel::REGISTRATION => Registration::read(plain)
            .and_then(|registration| Build::from_code(registration.version?))
            .map(|build| (build, BuildSource::Registration)),
        channel::REQUESTS => version_text(plain).map(|build| (build, BuildSource::Stated)),
        _ => None,
    }
}

/// The build in a text `Version a.b.c.d [`, if one begins near the start of the message.
fn version_text(plain: &[u8]) -> Option<Build> {
    const SIGN: &[u8] = b"Version ";
    /// Longest text of a build: four numbers of five digits and their dots.
    const LONGEST: usize = 23;
    let near = &plain[..plain.len().min(VERSION_REACH)];
    let start = near.windows(SIGN.len()).position(|window| window == SIGN)? + SIGN.len();
    let rest = &plain[start..plain.len().min(start + LONGEST + 2)];
    let end = rest.windows(2).position(|window| window == b" [")?;
    std::str::from_utf8(&rest[..end]).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_text_is_found_near_the_start_only() {
        let mut message = vec![0xC6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        message.extend_from_slice(b"Version 1.0.0.136 [PUBLIC]\0\0");
        assert_eq!(version_text(&message), Some(Build::new(1, 0, 0, 136)));
        for text in ["Version 1.0.0 [", "Version 1.0.0.136", "Version 1.0.0.99999 [", "version 1.0.0.136 ["] {
            assert_eq!(version_text(text.as_bytes()), None, "{text}");
        }
        let far = [&[0; 100][..], b"Version 1.0.0.136 [PUBLIC]"].concat();
        assert_eq!(version_text(&far), None);
        assert_eq!(version_text(&[]), None);
    }

    #[test]
    fn a_block_that_was_cut_is_not_read() {
        assert_eq!(readable(24, 24), 24);
        assert_eq!(readable(21, 24), 16);
        assert_eq!(readable(26, 27), 26);
        assert_eq!(readable(7, 27), 0);
    }
}
