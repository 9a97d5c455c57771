//! A session as text, for whoever follows it: a line a message, which says what the Info line says of it.

use std::fmt::Write;

use super::sender::Sender;

/// Lines of one packet at most: what is past them is counted. A batch may hold a packet a byte.
const MOST_LINES: usize = 4096;
/// Longest text of a line, bytes, besides what stands in front of it.
const LONGEST: usize = 1000;
/// What stands for characters that a window or a terminal of plain ASCII has not.
const PLAIN: [(char, &str); 3] = [('→', "->"), ('×', "x"), ('…', "...")];

/// What stands in front of the lines of a payload.
#[derive(Clone, Copy, Debug)]
pub struct FollowHead {
    /// Time since the session's first datagram, nanoseconds.
    pub time: i64,
    /// Frame number, from 1.
    pub frame: u32,
    /// Who sent it, where known.
    pub sender: Option<Sender>,
    /// How a receiver takes it, with a space behind it; mostly empty.
    pub tag: &'static str,
}

/// What is gathered for those who follow sessions.
#[derive(Debug, Default)]
pub struct Follow {
    /// Whether anybody follows sessions: else nothing is gathered.
    pub is_wanted: bool,
    /// The lines of the packet so far, each with its line end; without zero bytes.
    pub text: String,
    /// Who sent the packet, where known.
    pub sender: Option<Sender>,
    /// Whether what the Info line says now is about messages of a session.
    is_open: bool,
    messages: Vec<String>,
    /// How many lines the text has.
    lines: usize,
    left_out: u32,
}

impl Follow {
    /// Begins the lines of the next packet.
    pub fn clear(&mut self) {
        self.text.clear();
        (self.sender, self.lines, self.is_open) = (None, 0, false);
    }

    /// From now on what the Info line says is about messages of a session; what was gathered and not told is dropped.
    pub fn open(&mut self) {
        self.is_open = self.is_wanted;
        self.messages.clear();
        self.left_out = 0;
    }

    /// Takes what the Info line says of the next message.
    pub fn add(&mut self, what: &str) {
        if !self.is_open {
            return;
        }
        if self.lines + self.messages.len() >= MOST_LINES {
            self.left_out = self.left_out.saturating_add(1);
            return;
        }
        self.messages.push(String::new());
        self.extend(what);
    }

    /// Takes what the Info line says besides of the message at hand.
    pub fn extend(&mut self, more: &str) {
        let is_taken = self.is_open && self.left_out == 0;
        let Some(message) = self.messages.last_mut().filter(|_| is_taken) else { return };
        for character in more.chars() {
            match PLAIN.iter().find(|(one, _)| *one == character) {
                _ if message.len() >= LONGEST => break,
                Some((_, plain)) => message.push_str(plain),
                None if character.is_control() => message.push(' '),
                None => message.push(character),
            }
        }
    }

    /// Whether anything is gathered now: so that nobody makes texts for nothing.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Ends what [`Follow::open`] began, and makes lines of it.
    pub fn close(&mut self, head: &FollowHead) {
        self.is_open = false;
        if self.messages.is_empty() && self.left_out == 0 {
            return;
        }
        self.sender = head.sender;
        self.lines += self.messages.len();
        self.messages.drain(..).for_each(|message| line(&mut self.text, head, &message));
        match std::mem::take(&mut self.left_out) {
            0 => {}
            more => line(&mut self.text, head, &format!("... (+{more} more)")),
        }
    }
}

fn line(text: &mut String, head: &FollowHead, message: &str) {
    let (sign, time) = (if head.time < 0 { "-" } else { "" }, head.time.unsigned_abs() / 1000);
    let sender = head.sender.map_or("unknown", Sender::name);
    let (seconds, rest) = (time / 1_000_000, time % 1_000_000);
    // a text takes whatever is written
    let _ = writeln!(text, "{sign}{seconds}.{rest:06} #{} {sender} {}{message}", head.frame, head.tag);
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: FollowHead =
        FollowHead { time: 2_339_411_999, frame: 43, sender: Some(Sender::Server), tag: "" };

    fn followed(head: &FollowHead, work: impl FnOnce(&mut Follow)) -> Vec<String> {
        let mut follow = Follow { is_wanted: true, ..Follow::default() };
        follow.open();
        work(&mut follow);
        follow.close(head);
        follow.text.split_inclusive('\n').map(str::to_owned).collect()
    }

    #[test]
    fn a_line_says_when_where_who_and_what() {
        let lines = followed(&HEAD, |follow| {
            follow.add("WaypointGroup");
            follow.extend(" sync=984 → (1, 2) ×2 …");
            follow.add("one\ttwo\nlines");
        });
        assert_eq!(
            lines,
            [
                "2.339411 #43 server WaypointGroup sync=984 -> (1, 2) x2 ...\n",
                "2.339411 #43 server one two lines\n"
            ]
        );
        let late = FollowHead { time: -1_500, sender: None, tag: "[late] ", ..HEAD };
        assert_eq!(followed(&late, |follow| follow.add("x")), ["-0.000001 #43 unknown [late] x\n"]);
        let least = FollowHead { time: i64::MIN, ..late };
        assert!(followed(&least, |follow| follow.add("x"))[0].starts_with("-9223372036.854775 #43"));
    }

    #[test]
    fn nothing_is_gathered_unless_somebody_follows() {
        let mut follow = Follow::default();
        follow.open();
        follow.add("x");
        assert!(!follow.is_open());
        follow.close(&HEAD);
        assert_eq!((follow.text.as_str(), follow.sender), ("", None));
        let mut follow = Follow { is_wanted: true, ..Follow::default() };
        follow.add("the datagram's, not a message's");
        follow.extend("more");
        follow.close(&HEAD);
        follow.open();
        follow.extend("of nothing");
        follow.add("dropped");
        follow.open();
        follow.close(&HEAD);
        assert_eq!(follow.text, "");
        follow.open();
        follow.add("told");
        follow.close(&HEAD);
        follow.add("too late");
        assert_eq!((follow.text.as_str(), follow.sender), ("2.339411 #43 server told\n", HEAD.sender));
        follow.clear();
        assert_eq!((follow.text.as_str(), follow.sender), ("", None));
    }

    #[test]
    fn lines_and_their_number_are_bounded() {
        let lines = followed(&HEAD, |follow| {
            for _ in 0..MOST_LINES + 2 {
                follow.add(&"→".repeat(LONGEST));
                follow.extend("more");
            }
        });
        assert_eq!(lines.len(), MOST_LINES + 1);
        assert!(lines.iter().all(|line| line.len() < LONGEST + 60));
        assert_eq!(lines[MOST_LINES], "2.339411 #43 server ... (+2 more)\n");
        let payloads = followed(&HEAD, |follow| {
            for _ in 0..MOST_LINES + 2 {
                follow.add("x");
                follow.close(&HEAD);
                follow.open();
            }
        });
        assert_eq!(payloads.iter().filter(|line| line.ends_with("x\n")).count(), MOST_LINES);
        let one_more = followed(&HEAD, |follow| (0..=MOST_LINES).for_each(|_| follow.add("x")));
        assert!(one_more[MOST_LINES].ends_with("... (+1 more)\n") && one_more[0].ends_with("x\n"));
        let more_of_it = followed(&HEAD, |follow| {
            (0..=MOST_LINES).for_each(|_| follow.add("x"));
            follow.extend(" of what is left out");
        });
        assert_eq!(more_of_it, one_more, "it is not said of another");
    }
}
