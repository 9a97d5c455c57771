//! Tests of writing: bytes of headers and commands, written out by hand.

use super::*;

/// The bytes of a command in a datagram of a variant, behind its header.
fn command(variant: HeaderVariant, outgoing: Outgoing) -> String {
    let bytes = datagram(variant, Some(1), vec![outgoing]).bytes();
    hex::encode(&bytes[datagram(variant, Some(1), vec![]).bytes().len()..])
}

#[test]
fn headers_are_written_bit_by_bit() {
    for (variant, from, session, peer, time, expected) in [
        (HeaderVariant::Stock, None, 0xFE, 0xF123, None, "2123"),
        (HeaderVariant::Stock, None, 0xFD, 0x0ABC, Some(0x0102), "9abc0102"),
        (HeaderVariant::Stock, None, 0, 0xFFFF, Some(0), "8fff0000"),
        (HeaderVariant::Classic, None, 0x0102_0304, 0xFFFF, None, "040302017fff"),
        (HeaderVariant::Classic, None, 0x29, 0x0102, Some(0x0304), "2900000081020304"),
        (HeaderVariant::Compact, None, 0x1FE, 0xFF, None, "fe7f"),
        (HeaderVariant::Compact, None, 0x29, 0x102, Some(0x0304), "29820304"),
        (HeaderVariant::Prefixed, None, 0x29, 2, None, "2868bdeb2902"),
        (HeaderVariant::Season8, Some(Sender::Client), 0x29, 2, Some(1), "2868bdeb0102030429820001"),
        (HeaderVariant::Season8, Some(Sender::Server), 0x29, 2, None, "2902"),
        (HeaderVariant::Season8, None, 0x29, 2, None, "2902"),
    ] {
        let sent = Datagram { from, session, peer, ..datagram(variant, time, vec![]) };
        assert_eq!(hex::encode(sent.bytes()), expected, "{variant:?}");
    }
}

#[test]
fn checksums_are_written_behind_the_time() {
    for (time, ahead) in [(None, "1001"), (Some(0x0203), "90010203")] {
        let sent = datagram(HeaderVariant::StockChecksum, time, vec![Outgoing::ping(5)]);
        let written = |connect_id| hex::encode(Datagram { connect_id, ..sent.clone() }.bytes());
        for connect_id in [0, 0x0102_0304] {
            let place: [u8; 4] = u32::to_le_bytes(connect_id);
            let summed = [&hex::decode(ahead).unwrap()[..], &place, &[0x85, 0xFF, 0, 5]].concat();
            let sum = crc32fast::hash(&summed);
            assert_eq!(written(connect_id), format!("{ahead}{sum:08x}85ff0005"));
        }
    }
}

#[test]
fn commands_are_written_byte_by_byte() {
    let part = &reliable((HeaderVariant::Compact, None), 32, 3, 0xFFFF, b"abcdefghi")[1];
    for variant in HeaderVariant::ALL {
        for (outgoing, asks, expected) in [
            (Outgoing::acknowledge(3, 0x0102, 0x0304), false, "0103010201020304"),
            (Outgoing::disconnect(0x0102, 0x0304_0506), true, "84ff010203040506"),
            (Outgoing::disconnect_now(4), false, "44ff000000000004"),
            (Outgoing::ping(0x0102), true, "85ff0102"),
            (Outgoing::reliable(3, 0x0102, b"ab"), true, "8603010200026162"),
            (Outgoing::unreliable(4, 0x0102, 0x0304, b"ab"), false, "07040102030400026162"),
            (Outgoing::unsequenced(1, 0x0102, b"ab"), false, "49010000010200026162"),
            (Outgoing::bandwidth_limit(1, 0x0102_0304, 5), true, "8aff00010102030400000005"),
            (Outgoing::throttle_configure(1, 5000, 2, 3), true, "8bff0001000013880000000200000003"),
        ] {
            assert_eq!(outgoing.asks(), asks);
            assert_eq!(command(variant, outgoing), expected, "{variant:?}");
        }
        let expected = "88030000ffff00040000000300000001000000090000000465666768";
        assert_eq!(command(variant, part.clone()), expected, "{variant:?}");
        let unreliable = Outgoing { flags: id::SEND_UNRELIABLE_FRAGMENT, ..part.clone() };
        let expected = if variant.is_league() { String::new() } else { expected.replacen("88", "0c", 1) };
        assert_eq!(command(variant, unreliable), expected, "{variant:?}");
    }
}

#[test]
fn connects_are_written_byte_by_byte() {
    let opening = Opening { peer: 5, session: 0x0102_0304, mtu: 0x0578, window: 0x8000, channels: 7 };
    let middle = "00008000000000070000000000000000000013880000000200000002";
    for (variant, front, number, end) in [
        (HeaderVariant::Stock, "0005ffff00000578", "04030201", "00000000"),
        (HeaderVariant::Classic, "00050578", "", "04030201"),
        (HeaderVariant::Compact, "05000578", "", "04000000"),
    ] {
        let expected = format!("82ff0001{front}{middle}{number}{end}");
        assert_eq!(command(variant, Outgoing::connect(opening)), expected, "{variant:?}");
        let expected = format!("83ff0001{front}{middle}{number}");
        assert_eq!(command(variant, Outgoing::verify_connect(opening)), expected, "{variant:?}");
    }
    assert!(Outgoing::connect(opening).asks() && Outgoing::verify_connect(opening).asks());
}

#[test]
fn payloads_are_cut_where_a_datagram_is_full() {
    let (variant, from) = (HeaderVariant::Classic, Some(Sender::Server));
    let payload = vec![1; 65_536 + 5];
    for (len, lengths) in [(1, vec![1]), (68, vec![68]), (69, vec![68, 1]), (136, vec![68, 68])] {
        let parts = reliable((variant, from), 100, 3, 9, &payload[..len]);
        assert_eq!(parts.iter().map(|part| part.data.len()).collect::<Vec<_>>(), lengths);
        let id = if lengths.len() == 1 { id::SEND_RELIABLE } else { id::SEND_FRAGMENT };
        for (part, sequence) in parts.iter().zip(9..) {
            assert_eq!((part.flags, part.channel, part.sequence), (id | ACKNOWLEDGE, 3, sequence));
        }
    }
    // an MTU that leaves no room still moves the payload on
    assert_eq!(reliable((variant, from), 5, 3, 9, b"abc").len(), 3);
    let written = command(variant, Outgoing::reliable(3, 1, &payload));
    assert_eq!((&written[..12], written.len()), ("86030001ffff", 2 * (6 + 65_535)));
}
