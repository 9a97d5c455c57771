//! What a game meets besides its plain course, and how it comes into a capture.

use super::*;

impl Game {
    /// A long message that may be lost: its fragments, as stock ENet sends them.
    pub fn unreliable_fragments(&mut self, from: Sender, channel: u8, payload: &[u8]) -> Vec<Made> {
        let bytes = self.enciphered(from, channel, payload);
        let end = &mut self.ends[place(from)];
        let slot = usize::from(channel);
        end.unreliable[slot] = end.unreliable[slot].wrapping_add(1);
        let (follows, own) = (end.reliable[slot], end.unreliable[slot]);
        let all = reliable((self.variant, Some(from)), MTU, channel, own, &bytes);
        let unsure =
            |command| Made { flags: id::SEND_UNRELIABLE_FRAGMENT, sequence: follows, ..Made::new(command) };
        all.into_iter().map(unsure).collect()
    }

    /// From here on headers name this session.
    pub fn rename(&mut self, session: u32) {
        self.session = session;
    }

    /// From here on an end has another address or port.
    pub fn relocate(&mut self, end: Sender, at: Endpoint) {
        self.ends[place(end)].at = at;
    }

    /// Every datagram of an end so far was captured twice.
    pub fn mirror(&mut self, end: Sender) {
        let at = self.ends[place(end)].at;
        for moment in 0..self.seen.len() {
            match &self.seen[moment] {
                (time, Seen::Datagram { from, to, bytes }) if *from == at => {
                    let copy = Seen::Datagram { from: *from, to: *to, bytes: bytes.clone() };
                    self.seen.push((time + 1, copy));
                }
                _ => {}
            }
        }
    }

    /// A datagram stands in its place, but its time is so many microseconds too early.
    pub fn misstamp(&mut self, moment: usize, back: u64) {
        self.misstamped.push((moment, back));
    }
}

/// Puts games that go on at the same time into one capture, in the order of time; answers their notes by frame.
pub fn record(games: Vec<Game>, capture: &mut Capture) -> Vec<(usize, String)> {
    let mut order: Vec<(u64, usize, usize)> = Vec::new();
    for (which, game) in games.iter().enumerate() {
        order.extend(game.seen.iter().enumerate().map(|(moment, (at, _))| (*at, which, moment)));
    }
    order.sort_unstable();
    let mut frames: Vec<Vec<usize>> = games.iter().map(|game| vec![0; game.seen.len()]).collect();
    for (at, which, moment) in order {
        frames[which][moment] = match &games[which].seen[moment].1 {
            Seen::Datagram { from, to, bytes } => capture.udp(at, *from, *to, bytes),
            Seen::Unreachable(earlier) => capture.port_unreachable(at, frames[which][*earlier]),
        };
        for (_, back) in games[which].misstamped.iter().filter(|(misstamped, _)| *misstamped == moment) {
            capture.misstamp(frames[which][moment], *back);
        }
    }
    let mut notes: Vec<(usize, String)> = Vec::new();
    for (game, frames) in games.into_iter().zip(frames) {
        notes.extend(game.notes.into_iter().map(|(moment, text)| (frames[moment], text)));
    }
    notes.sort_by_key(|(frame, _)| *frame);
    notes
}
