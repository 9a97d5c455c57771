//! The match half of a session, and its two doors: *read* takes payloads as they were captured and shows them, *deliver*
//! takes what a receiver hands on and changes what the match holds.

use super::backlog::{Backlog, Kept};
use super::cipher::BLOCK;
use super::context::Context;
use super::dispatch;
use super::item;
use super::key::{Access, KeyState, Learnt};
use super::knowledge::Knowledge;
use super::layouts::Progress;
use super::library::Library;
use super::payload::Payload;
use super::show;
use crate::capture::{ConversationKey, Detail, Output};
use crate::tree::flag;

/// A match.
#[derive(Debug)]
pub struct Match {
    known: Knowledge,
    /// Payloads that cannot be read yet, for when they can.
    backlog: Backlog,
}

impl Match {
    /// A match of which only the settings are known; `number` is that of its session, `ends` are its own.
    pub fn new(number: u32, ends: ConversationKey, library: &Library) -> Match {
        Match { known: Knowledge::new(number, ends, &library.settings), backlog: Backlog::default() }
    }

    /// The first door: reads a payload into `out`, and answers whether its bytes were readable. On the first pass what it
    /// says is delivered too, or kept until it can be.
    pub fn read(&mut self, library: &mut Library, payload: &Payload<'_>, out: &mut Output) -> bool {
        self.learn_key(library, payload);
        item::open(&mut self.known, payload, out);
        let access = self.known.key.access(payload);
        self.known.part.is_readable |= access != Access::Not && payload.detail >= Detail::Tree;
        let progress = match access {
            Access::Not => {
                self.wait_for_key(library, payload);
                show::unreadable(&self.known, payload, out);
                return false;
            }
            Access::Clear => self.read_plain(library, payload, (payload.wire(), 0), out),
            Access::With(schedule) => {
                // taken out while it is read: nodes are added to the same output
                let mut plain = std::mem::take(&mut out.plain);
                if plain.len() != payload.source.len() {
                    plain.clear();
                    plain.extend_from_slice(payload.source);
                }
                let start = (payload.base as usize).min(plain.len());
                let end = (start + payload.length as usize).min(plain.len());
                let bytes = decipher(library, schedule, payload, &mut plain[start..end]);
                let progress = self.read_plain(library, payload, (bytes, flag::DECIPHERED), out);
                out.plain = plain;
                progress
            }
        };
        self.follow_up(library, payload, progress);
        true
    }

    /// Ends what is shown of a datagram, or of a message from elsewhere, once all its payloads are read.
    pub fn close(&mut self, library: &Library, out: &mut Output) {
        item::close(&mut self.known, library, out);
    }

    /// The second door: delivers what had to wait, in the order it came, without showing it.
    fn deliver(&mut self, library: &mut Library, waiting: &[Kept]) {
        let mut scratch = Output::default();
        for kept in waiting {
            scratch.clear(0);
            let payload = kept.payload();
            self.learn_key(library, &payload);
            let mut plain = payload.wire().to_vec();
            let (bytes, flags) = match self.known.key.access(&payload) {
                Access::Not => {
                    self.wait_for_key(library, &payload);
                    continue;
                }
                Access::Clear => (&plain[..], 0),
                Access::With(schedule) => {
                    (decipher(library, schedule, &payload, &mut plain), flag::DECIPHERED)
                }
            };
            let progress = self.known.learn_build(&payload, bytes);
            let context = Context { payload: &payload, bytes, flags, build: self.known.build() };
            let progress = progress.and(dispatch::deliver(library, &mut self.known, &context, &mut scratch));
            self.known.unread.payload_ends(payload.id, progress.is_undecided);
            self.follow_up(library, &payload, progress);
        }
    }

    fn read_plain(
        &mut self,
        library: &mut Library,
        payload: &Payload<'_>,
        (bytes, flags): (&[u8], u16),
        out: &mut Output,
    ) -> Progress {
        let progress = self.known.learn_build(payload, bytes);
        let context = Context { payload, bytes, flags, build: self.known.build() };
        let progress = progress.and(dispatch::read(library, &mut self.known, &context, out));
        if payload.writes {
            self.known.unread.payload_ends(payload.id, progress.is_undecided);
        }
        progress
    }

    /// Takes from a payload what it teaches of the key.
    fn learn_key(&mut self, library: &mut Library, payload: &Payload<'_>) {
        if !payload.writes || !payload.enciphered {
            return;
        }
        if self.known.key.state.schedule().is_none() {
            library.look_for_keys();
        }
        match self.known.learn_key(&library.settings.keys, payload) {
            Learnt::Nothing => {}
            Learnt::Usable => self.replay(library),
            // a key may still be appended to the file
            Learnt::NoneFits if library.settings.key_file.is_some() => {}
            Learnt::NoneFits => drop(self.backlog.take()),
        }
    }

    fn wait_for_key(&mut self, library: &Library, payload: &Payload<'_>) {
        self.known.lacks_key(payload);
        let may_come = self.known.key.state == KeyState::Undecided || library.settings.key_file.is_some();
        if payload.writes && may_come {
            self.backlog.keep(payload);
        }
    }

    /// Keeps a payload that could not be read to its end, and delivers what now can be.
    fn follow_up(&mut self, library: &mut Library, payload: &Payload<'_>, progress: Progress) {
        if progress.is_undecided {
            self.backlog.keep(payload);
        }
        if progress.is_settled && !self.backlog.is_empty() {
            self.replay(library);
        }
    }

    fn replay(&mut self, library: &mut Library) {
        let waiting = self.backlog.take();
        self.deliver(library, &waiting);
    }
}

/// Deciphers the bytes of a payload in place; answers those that are meant.
fn decipher<'p>(library: &Library, schedule: usize, payload: &Payload<'_>, plain: &'p mut [u8]) -> &'p [u8] {
    if let Some(key) = library.settings.keys.get(schedule) {
        key.schedule.decipher(plain);
    }
    &plain[..readable(payload.length, payload.reported).min(plain.len())]
}

/// How many bytes of a deciphered payload are meant: a block that the snap length cut cannot be deciphered.
fn readable(captured: u32, reported: u32) -> usize {
    let block = BLOCK as u32;
    let whole = reported / block * block;
    let readable = if captured >= whole { captured } else { captured / block * block };
    readable as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_that_was_cut_is_not_read() {
        assert_eq!(readable(24, 24), 24);
        assert_eq!(readable(21, 24), 16);
        assert_eq!(readable(26, 27), 26);
        assert_eq!(readable(7, 27), 0);
    }
}
