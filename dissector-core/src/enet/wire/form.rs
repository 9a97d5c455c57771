//! How a datagram of a variant begins: looser than what a sender writes, so that a damaged one is still known for what it is.

use super::header::{header, Header, HeaderVariant};
use super::rows::{id, rows};
use super::strict::walk;
use crate::capture::Sender;

/// Bits of a command's first byte that no sender sets.
const RESERVED: u8 = 0x30;
/// Bytes of the smallest datagram: a stock header and a ping.
const SHORTEST: usize = 6;

/// How a datagram begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Not as one of the variant: whatever it is, no sender of the variant wrote it.
    Foreign,
    /// The capture holds less than its header.
    Cut,
    /// With this header, and a command that the variant has (or compressed ones): it may be damaged further on.
    Begun(Header),
}

/// Whether a datagram of so many bytes on the wire is too short for any variant: it speaks for none, and against none.
pub fn is_too_short(reported: usize) -> bool {
    reported < SHORTEST
}

/// How a datagram of a variant begins. `from` is who sent it, where known; `bytes` are those captured of `reported`.
///
/// The border between damaged and foreign: header and the first byte of the first command. Past it nothing is asked, for a
/// command that was cut or spoilt is still the sender's; before it nothing is forgiven, for a header fits almost anything.
pub fn begins(variant: HeaderVariant, from: Option<Sender>, bytes: &[u8], reported: usize) -> Form {
    let reported = reported.max(bytes.len());
    let header = match header(variant, from, bytes) {
        Ok(header) => header,
        Err(cut) if cut.cut(reported).short => return Form::Cut,
        Err(_) => return Form::Foreign,
    };
    let start = header.size as usize;
    // session bits of stock ENet are clear until a peer has a number
    let misnumbered = header.is_unassigned() && !variant.is_league() && header.session.0 != 0;
    if reported <= start || misnumbered {
        return Form::Foreign;
    }
    let Some(&first) = bytes.get(start).filter(|_| !header.is_compressed()) else {
        return Form::Begun(header);
    };
    let number = first & 0x0F;
    // a peer without a number asks for one, or no longer does
    let may_stand = !header.is_unassigned() || matches!(number, id::CONNECT | id::DISCONNECT);
    match first & RESERVED == 0 && rows(variant, number).is_some() && may_stand {
        true => Form::Begun(header),
        false => Form::Foreign,
    }
}

/// Whether every command of a datagram is one that senders of the variant write, as far as it was captured.
pub fn is_sound(variant: HeaderVariant, from: Option<Sender>, bytes: &[u8], reported: usize) -> bool {
    walk(variant, from, bytes, reported.max(bytes.len())).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    use HeaderVariant::{Classic, Compact, Prefixed, Season8, Stock, StockChecksum};

    fn is_begun(variant: HeaderVariant, bytes: &[u8]) -> bool {
        matches!(begins(variant, None, bytes, bytes.len()), Form::Begun(_))
    }

    #[test]
    fn a_datagram_is_known_by_its_header_and_the_number_of_its_first_command() {
        let headers: [(HeaderVariant, &[u8]); 6] = [
            (Stock, &[0, 1]),
            (StockChecksum, &[0, 1, 9, 9, 9, 9]),
            (Classic, &[0x29, 0, 0, 0, 0, 1]),
            (Compact, &[0x29, 1]),
            (Prefixed, &[9, 9, 9, 9, 0x29, 1]),
            (Season8, &[0x29, 1]),
        ];
        for (variant, header) in headers {
            for first in 0..=u8::MAX {
                let bytes = [header, &[first]].concat();
                let last = if variant.is_league() { 11 } else { 12 };
                let may = (1..=last).contains(&(first & 0x0F)) && first & 0x30 == 0;
                assert_eq!(is_begun(variant, &bytes), may, "{variant:?} {first:#x}");
            }
            assert!(!is_begun(variant, header), "{variant:?}: a header alone says nothing");
            assert!(!is_begun(variant, &header[..header.len() - 1]), "{variant:?}: part of a header");
        }
    }

    #[test]
    fn what_the_capture_cut_is_not_held_against_a_datagram() {
        for left in 0..4 {
            let bytes = [0x80, 0, 1, 2, 0x85];
            assert_eq!(begins(Stock, None, &bytes[..left], 40), Form::Cut, "{left}");
            assert_eq!(begins(Stock, None, &bytes[..left], left), Form::Foreign, "{left}");
        }
        assert!(matches!(begins(Stock, None, &[0x80, 0, 1, 2], 40), Form::Begun(_)), "its header is there");
    }

    #[test]
    fn a_peer_without_a_number_asks_for_one_or_no_longer_does() {
        for (first, may) in [(0x82, true), (0x84, true), (0x44, true), (0x85, false), (1, false), (6, false)]
        {
            assert_eq!(is_begun(Stock, &[0x8F, 0xFF, 1, 2, first]), may, "{first:#x}");
            assert_eq!(is_begun(Compact, &[0x29, 0xFF, 1, 2, first]), may, "{first:#x}");
        }
        // nor has it session bits yet, compressed or not: server pings of some games begin so
        assert!(!is_begun(Stock, &[0xFF, 0xFF, 1, 6, 2]));
        assert!(is_begun(Stock, &[0xCF, 0xFF, 1, 6, 2]), "a connect may be compressed");
        assert!(!is_begun(Stock, &[0xCF, 0xFF, 1, 6]), "there is nothing in it");
    }

    #[test]
    fn so_short_no_variant_is() {
        assert_eq!([0, 1, 4, 5, 6, 7].map(is_too_short), [true, true, true, true, false, false]);
    }
}
