//! Tests of headers: every part of each variant, bit by bit.

use super::*;

/// The parts of a header: field, first byte, width, first bit, count of bits, value.
fn parts(header: &Header) -> Vec<(Field, u32, u8, u8, u8, u64)> {
    let part = |(field, part, value): (Field, Part, u64)| {
        (field, part.offset, part.width, part.bit_first, part.bit_count, value)
    };
    header.parts().map(part).collect()
}

fn read(variant: HeaderVariant, from: Option<Sender>, bytes: &[u8]) -> Header {
    header(variant, from, bytes).unwrap()
}

#[test]
fn stock_headers_have_their_bits() {
    use Field::{Checksum, FlagCompressed, FlagSentTime, PeerId, SentTime, SessionId};
    let word = |timed, compressed, session, peer| {
        vec![
            (FlagSentTime, 0, 2, 15, 1, timed),
            (FlagCompressed, 0, 2, 14, 1, compressed),
            (SessionId, 0, 2, 12, 2, session),
            (PeerId, 0, 2, 0, 12, peer),
        ]
    };
    let sum = (Checksum, 0, 4, 0, 0, 0x0102_0304);
    for (bytes, timed, compressed, session, peer) in [
        ([0x00, 0x00], 0, 0, 0, 0),
        ([0x80, 0x01], 1, 0, 0, 1),
        ([0x40, 0x00], 0, 1, 0, 0),
        ([0x20, 0x00], 0, 0, 2, 0),
        ([0x1A, 0xBC], 0, 0, 1, 0xABC),
        ([0xFF, 0xFF], 1, 1, 3, 0xFFF),
    ] {
        let (mut expected, mut bytes) = (word(timed, compressed, session, peer), bytes.to_vec());
        if timed == 1 {
            expected.push((SentTime, 2, 2, 0, 0, 0xABCD));
            bytes.extend([0xAB, 0xCD]);
        }
        let at = bytes.len() as u32;
        bytes.extend([1, 2, 3, 4]);
        let plain = read(HeaderVariant::Stock, None, &bytes);
        assert_eq!((parts(&plain), plain.size), (expected.clone(), at));
        expected.push((sum.0, at, sum.2, sum.3, sum.4, sum.5));
        let summed = read(HeaderVariant::StockChecksum, None, &bytes);
        assert_eq!((parts(&summed), summed.size), (expected, at + 4));
        assert_eq!(summed.is_compressed(), compressed == 1);
        assert_eq!(summed.is_unassigned(), peer == 0xFFF);
    }
}

#[test]
fn headers_of_the_game_have_their_bits() {
    use Field::{FlagSentTime, PeerId, Prefix, SentTime, SessionId};
    for (bytes, timed, peer) in [([0x00, 0x00], 0, 0), ([0x7F, 0xFE], 0, 0x7FFE), ([0xFF, 0xFF], 1, 0x7FFF)] {
        let bytes = [&[0x29, 0, 0, 0x80][..], &bytes, &[0xAB, 0xCD]].concat();
        let mut expected = vec![
            (SessionId, 0, 4, 0, 0, 0x8000_0029),
            (FlagSentTime, 4, 2, 15, 1, timed),
            (PeerId, 4, 2, 0, 15, peer),
        ];
        expected.extend((timed == 1).then_some((SentTime, 6, 2, 0, 0, 0xABCD)));
        let classic = read(HeaderVariant::Classic, None, &bytes);
        assert_eq!((parts(&classic), classic.size), (expected, 6 + 2 * timed as u32));
        assert_eq!(classic.is_unassigned(), peer == 0x7FFF);
        assert!(!classic.is_compressed());
    }
    for (variant, from, ahead) in [
        (HeaderVariant::Compact, Some(Sender::Client), 0),
        (HeaderVariant::Prefixed, None, 4),
        (HeaderVariant::Season8, Some(Sender::Client), 8),
        (HeaderVariant::Season8, Some(Sender::Server), 0),
        (HeaderVariant::Season8, None, 0),
    ] {
        for (byte, timed, peer) in
            [(0x00, 0, 0), (0x7E, 0, 0x7E), (0x7F, 0, 0x7F), (0x81, 1, 1), (0xFF, 1, 0x7F)]
        {
            let bytes = [&vec![9; ahead as usize][..], &[0xE9, byte, 0xAB, 0xCD]].concat();
            let mut expected = Vec::new();
            expected.extend((ahead > 0).then_some((Prefix, 0, ahead as u8, 0, 0, 0)));
            expected.push((SessionId, ahead, 1, 0, 0, 0xE9));
            expected.push((FlagSentTime, ahead + 1, 1, 7, 1, timed));
            expected.push((PeerId, ahead + 1, 1, 0, 7, peer));
            expected.extend((timed == 1).then_some((SentTime, ahead + 2, 2, 0, 0, 0xABCD)));
            let header = read(variant, from, &bytes);
            assert_eq!((parts(&header), header.size), (expected, ahead + 2 + 2 * timed as u32));
            assert_eq!(header.is_unassigned(), peer == 0x7F);
        }
    }
}

#[test]
fn variants_have_names_and_sizes() {
    let (client, server) = (Some(Sender::Client), Some(Sender::Server));
    for (variant, name, nobody, league, sizes, prefixes) in [
        (HeaderVariant::Stock, "stock", 0x0FFF, false, [4, 4, 4], [0, 0, 0]),
        (HeaderVariant::StockChecksum, "stock", 0x0FFF, false, [8, 8, 8], [0, 0, 0]),
        (HeaderVariant::Classic, "classic", 0x7FFF, true, [8, 8, 8], [0, 0, 0]),
        (HeaderVariant::Compact, "compact", 0x7F, true, [4, 4, 4], [0, 0, 0]),
        (HeaderVariant::Prefixed, "prefixed", 0x7F, true, [8, 8, 8], [4, 4, 4]),
        (HeaderVariant::Season8, "season8", 0x7F, true, [12, 4, 4], [8, 0, 0]),
    ] {
        assert_eq!((variant.name(), variant.unassigned(), variant.is_league()), (name, nobody, league));
        assert_eq!([client, server, None].map(|from| variant.largest_header(from)), sizes, "{variant:?}");
        assert_eq!([client, server, None].map(|from| variant.prefix_size(from)), prefixes, "{variant:?}");
        let named = if league { variant } else { HeaderVariant::Stock };
        assert_eq!(HeaderVariant::from_name(name), Some(named));
    }
    assert_eq!(HeaderVariant::from_name("stockChecksum"), Some(HeaderVariant::StockChecksum));
    for name in ["", "Stock", "season9", "stockchecksum"] {
        assert_eq!(HeaderVariant::from_name(name), None);
    }
}

#[test]
fn headers_that_end_early_say_where() {
    use Field::{Checksum, PeerId, Prefix, SentTime, SessionId};
    let client = Some(Sender::Client);
    for (variant, bytes, expected) in [
        (HeaderVariant::Stock, &[0x80][..], (PeerId, 0, 2, 1)),
        (HeaderVariant::Stock, &[0x80, 0, 1], (SentTime, 2, 2, 1)),
        (HeaderVariant::StockChecksum, &[0, 0, 1, 2, 3], (Checksum, 2, 4, 3)),
        (HeaderVariant::Classic, &[0, 0, 0], (SessionId, 0, 4, 3)),
        (HeaderVariant::Classic, &[0, 0, 0, 0, 0], (PeerId, 4, 2, 1)),
        (HeaderVariant::Classic, &[0, 0, 0, 0, 0x80, 0], (SentTime, 6, 2, 0)),
        (HeaderVariant::Compact, &[], (SessionId, 0, 1, 0)),
        (HeaderVariant::Compact, &[0], (PeerId, 1, 1, 0)),
        (HeaderVariant::Prefixed, &[0; 3], (Prefix, 0, 4, 3)),
        (HeaderVariant::Prefixed, &[0; 4], (SessionId, 4, 1, 0)),
        (HeaderVariant::Season8, &[0; 7], (Prefix, 0, 8, 7)),
        (HeaderVariant::Season8, &[0; 9], (PeerId, 9, 1, 0)),
    ] {
        let (field, offset, needs, left) = expected;
        let error = header(variant, client, bytes).unwrap_err();
        assert_eq!((error.field, error.offset, error.needs, error.left), expected, "{variant:?}");
        let end = (offset + needs) as usize;
        for (reported, short) in [(bytes.len(), false), (end - 1, false), (end, true), (end + 1, true)] {
            let expected = Cut { field: field.id(), offset, needs, left, short };
            assert_eq!(error.cut(reported), expected, "{variant:?}");
        }
    }
}

#[test]
fn checksums_fit_their_bytes_and_their_connection() {
    let sent = datagram(HeaderVariant::StockChecksum, Some(1), vec![Outgoing::ping(1)]);
    let mut bytes = sent.bytes();
    let header = read(HeaderVariant::StockChecksum, None, &bytes);
    assert_eq!(checksum_fits(&header, &bytes, None, 7), Some(true));
    assert_eq!(checksum_fits(&header, &bytes, None, 8), Some(false));
    assert_eq!(checksum_fits(&header, &bytes[..bytes.len() - 1], None, 7), Some(false));
    assert_eq!(checksum_fits(&header, &bytes[..6], None, 7), None, "ends within the checksum");
    for place in [0, 3, 8, bytes.len() - 1] {
        bytes[place] ^= 1;
        assert_eq!(checksum_fits(&header, &bytes, None, 7), Some(false), "{place}");
        bytes[place] ^= 1;
    }
    bytes[0] |= 0x40;
    let compressed = read(HeaderVariant::StockChecksum, None, &bytes);
    assert_eq!(checksum_fits(&compressed, &bytes, None, 7), None);
    let plain = read(HeaderVariant::Stock, None, &bytes);
    assert_eq!(checksum_fits(&plain, &bytes, None, 7), None);
}
