//! What RakNet says of a message in the frame around it: its numbers, which epan does not hand on.
//!
//! A datagram is a byte of flags, a 24-bit number and frames; a frame is a byte (reliability and whether it is a piece),
//! its length in bits, as many of reliable number, sequence index, ordering index and channel as its reliability has, and
//! for a piece count, id and index.

/// The RakNet datagram that a message came in.
#[derive(Clone, Copy, Debug)]
pub struct Carrier<'a> {
    /// Its captured bytes, from the byte of flags on.
    pub datagram: &'a [u8],
    /// Where the message begins in it, bytes; `None` where it was joined from pieces, of which the last is in it.
    pub at: Option<usize>,
}

/// The numbers of a message, 24 bits each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Numbers {
    /// Counts what its sender repeats until it is acknowledged; of a message in pieces, that of the piece at hand.
    pub reliable: Option<u32>,
    /// Counts the messages of a channel of which a receiver drops the older ones.
    pub sequence: Option<u32>,
    /// Counts the ordered messages of a channel, and the channel.
    pub order: Option<(u32, u8)>,
    /// Whether it came in pieces: which of them comes last, and so its reliable number, may differ when it comes again.
    pub joined: bool,
}

/// One frame of a datagram.
#[derive(Clone, Copy, Debug)]
struct Frame {
    numbers: Numbers,
    /// How many pieces there are and which it is; `None` for a whole message.
    piece: Option<(u32, u32)>,
    /// First byte of its payload, and the byte behind it.
    from: usize,
    until: usize,
}

/// Bytes of a datagram in front of its first frame.
const HEAD: usize = 4;

/// Where the frames of the datagram at hand have been read to, so that a datagram of many messages is walked once.
#[derive(Debug, Default)]
pub struct Walk {
    /// The packet's frame and the layer of the datagram in it.
    of: (u32, u32),
    at: usize,
}

impl Walk {
    /// The numbers of a message with these bytes; `None` where no frame of the datagram is its. `of` tells datagrams apart.
    pub fn numbers(&mut self, carrier: &Carrier<'_>, of: (u32, u32), message: &[u8]) -> Option<Numbers> {
        if self.of != of || carrier.at.is_some_and(|at| at < self.at) {
            *self = Walk { of, at: HEAD };
        }
        // acknowledgements hold no frames
        if carrier.datagram.first()? & 0xE0 != 0x80 {
            return None;
        }
        let mut at = self.at.max(HEAD);
        while let Some(frame) = frame(carrier.datagram, at) {
            match carrier.at {
                Some(message) if message == frame.from && frame.piece.is_none() => {
                    self.at = at;
                    return Some(frame.numbers);
                }
                Some(message) if message < frame.until => return None,
                None if is_piece_of(&frame, carrier.datagram, message) => return Some(frame.numbers),
                _ => {}
            }
            at = frame.until;
        }
        None
    }
}

/// Whether a frame is a piece of a message that was joined.
fn is_piece_of(frame: &Frame, datagram: &[u8], message: &[u8]) -> bool {
    let (Some((count, index)), Some(piece)) = (frame.piece, datagram.get(frame.from..frame.until)) else {
        return false;
    };
    if index.checked_add(1) == Some(count) {
        return message.ends_with(piece);
    }
    // all pieces but the last are of one size
    let start = (index as usize).checked_mul(piece.len());
    start.and_then(|start| message.get(start..)).is_some_and(|rest| rest.starts_with(piece))
}

/// The frame that begins at a byte; `None` where none does. What the capture has cut off its end is no matter.
fn frame(datagram: &[u8], at: usize) -> Option<Frame> {
    let mut rest = Bytes { bytes: datagram, at };
    let flags = rest.big(1)?;
    let (reliability, in_pieces) = (flags >> 5, flags & 0x10 != 0);
    let length = (rest.big(2)? as usize).div_ceil(8);
    let mut numbers = Numbers { joined: in_pieces, ..Numbers::default() };
    if matches!(reliability, 2 | 3 | 4 | 6 | 7) {
        numbers.reliable = Some(rest.little_24()?);
    }
    if matches!(reliability, 1 | 4) {
        numbers.sequence = Some(rest.little_24()?);
    }
    if matches!(reliability, 1 | 3 | 4 | 7) {
        numbers.order = Some((rest.little_24()?, rest.big(1)? as u8));
    }
    let piece = if in_pieces {
        let count = rest.big(4)?;
        rest.big(2)?;
        Some((count, rest.big(4)?))
    } else {
        None
    };
    // an empty frame is none: the walk must come to an end
    (length > 0).then_some(Frame { numbers, piece, from: rest.at, until: rest.at + length })
}

struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bytes<'_> {
    fn big(&mut self, count: usize) -> Option<u32> {
        let bytes = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(bytes.iter().fold(0, |sum, byte| sum << 8 | u32::from(*byte)))
    }

    fn little_24(&mut self) -> Option<u32> {
        Some(self.big(3)?.swap_bytes() >> 8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame of a reliability, with these bytes between its length and its payload.
    fn made(flags: u8, numbers: &[u8], payload: &[u8]) -> Vec<u8> {
        [&[flags][..], &(payload.len() as u16 * 8).to_be_bytes(), numbers, payload].concat()
    }

    fn datagram(frames: &[Vec<u8>]) -> Vec<u8> {
        [&[0x84, 0, 0, 0][..], &frames.concat()].concat()
    }

    fn at(walk: &mut Walk, datagram: &[u8], at: usize) -> Option<Numbers> {
        walk.numbers(&Carrier { datagram, at: Some(at) }, (1, 0), &[])
    }

    #[test]
    fn each_reliability_has_its_numbers() {
        let order = Some((0x03_02_01, 9));
        for (reliability, numbers, expected) in [
            (0, &[][..], Numbers::default()),
            (1, &[7, 0, 0, 1, 2, 3, 9], Numbers { sequence: Some(7), order, ..Numbers::default() }),
            (2, &[8, 0, 1], Numbers { reliable: Some(0x01_00_08), ..Numbers::default() }),
            (3, &[8, 0, 0, 1, 2, 3, 9], Numbers { reliable: Some(8), order, ..Numbers::default() }),
            (
                4,
                &[8, 0, 0, 7, 0, 0, 1, 2, 3, 9],
                Numbers { reliable: Some(8), order, sequence: Some(7), joined: false },
            ),
            (5, &[], Numbers::default()),
            (6, &[8, 0, 0], Numbers { reliable: Some(8), ..Numbers::default() }),
            (7, &[8, 0, 0, 1, 2, 3, 9], Numbers { reliable: Some(8), order, ..Numbers::default() }),
        ] {
            let bytes = datagram(&[made(reliability << 5, numbers, &[0xFE, 1])]);
            assert_eq!(at(&mut Walk::default(), &bytes, 7 + numbers.len()), Some(expected), "{reliability}");
            assert_eq!(at(&mut Walk::default(), &bytes, 6 + numbers.len()), None, "{reliability}");
            assert_eq!(at(&mut Walk::default(), &bytes, 8 + numbers.len()), None, "{reliability}");
        }
    }

    #[test]
    fn messages_of_one_datagram_are_found_in_any_order() {
        let frames: Vec<_> = (0..3).map(|number| made(0x40, &[number, 0, 0], &[0xFE, number])).collect();
        let bytes = datagram(&frames);
        let mut walk = Walk::default();
        for number in [0, 1, 2, 2, 0, 1] {
            let found = at(&mut walk, &bytes, 10 + 8 * number as usize);
            assert_eq!(found.and_then(|numbers| numbers.reliable), Some(number));
        }
        // another datagram begins anew, though the same place was passed in the last one
        let longer = datagram(&[made(0, &[], &[1, 2, 3, 4, 5, 6]), made(0x40, &[9, 0, 0], &[0xFE])]);
        let found = walk.numbers(&Carrier { datagram: &longer, at: Some(19) }, (2, 0), &[]);
        assert_eq!(found.and_then(|numbers| numbers.reliable), Some(9));
    }

    #[test]
    fn a_joined_message_is_found_by_its_piece() {
        let message: Vec<u8> = (0..25).collect();
        let piece = |number: u8, index: u8, from: usize, until: usize| {
            let numbers = [number, 0, 0, 5, 0, 0, 0, 0, 0, 0, 3, 0, 1, 0, 0, 0, index];
            made(0x70, &numbers, &message[from..until])
        };
        let found = |frames: &[Vec<u8>]| {
            let bytes = datagram(frames);
            Walk::default().numbers(&Carrier { datagram: &bytes, at: None }, (1, 0), &message)
        };
        let whole = made(0x40, &[1, 0, 0], &message[20..]);
        for (number, index, from, until) in [(11, 0, 0, 10), (12, 1, 10, 20), (13, 2, 20, 25)] {
            let numbers = found(&[whole.clone(), piece(number, index, from, until)]).unwrap();
            assert_eq!((numbers.reliable, numbers.order), (Some(number.into()), Some((5, 0))));
            assert!(numbers.joined);
        }
        assert_eq!(found(&[piece(11, 1, 0, 10)]), None, "bytes of another message");
        assert_eq!(found(std::slice::from_ref(&whole)), None, "it is no piece");
        let hostile = made(0x70, &[&[1, 0, 0, 5, 0, 0, 0][..], &[0xFF; 10]].concat(), &message[..10]);
        assert_eq!(found(&[hostile]), None, "a piece of index 4294967295");
    }

    #[test]
    fn hostile_datagrams_come_to_an_end() {
        assert_eq!(at(&mut Walk::default(), &[], 0), None);
        for bytes in [vec![0x84, 0, 0, 0], vec![0x84; 3], vec![0xFF; 300], vec![0x84; 300], vec![0; 300]] {
            for place in [0, 3, 4, 7, 100, usize::MAX] {
                assert_eq!(at(&mut Walk::default(), &bytes, place), None);
            }
        }
        // acknowledgements are no frames, and one of no bytes ends the walk
        let mut bytes = datagram(&[made(0x40, &[1, 0, 0], &[]), made(0x40, &[2, 0, 0], &[0xFE])]);
        assert_eq!(at(&mut Walk::default(), &bytes, 16), None);
        bytes = datagram(&[made(0x40, &[1, 0, 0], &[0xFE])]);
        assert!(at(&mut Walk::default(), &bytes, 10).is_some());
        bytes[0] = 0xC0;
        assert_eq!(at(&mut Walk::default(), &bytes, 10), None);
        // the end of the datagram may be cut off
        let cut = datagram(&[made(0x40, &[1, 0, 0], &[0xFE; 90])]);
        assert!(at(&mut Walk::default(), &cut[..20], 10).is_some());
    }
}
