//! Tests of reading commands: where each field stands, and where and why a walk ends.

use super::*;

const COMPACT: HeaderVariant = HeaderVariant::Compact;

/// The one command of a datagram, with the fields that were read as `name@offset=value`.
fn alone(variant: HeaderVariant, outgoing: Outgoing) -> (Command, String) {
    let bytes = datagram(variant, Some(1), vec![outgoing]).bytes();
    let (commands, stop) = walk(variant, &bytes, bytes.len());
    assert_eq!((commands.len(), stop), (1, None));
    assert_eq!((commands[0].offset + commands[0].size) as usize, bytes.len());
    (commands[0], shown(&commands[0]))
}

/// The fields behind the command header; offsets are counted from the command.
fn shown(command: &Command) -> String {
    let fields = command
        .fields()
        .skip(3)
        .map(|(row, at, value)| format!("{}@{}={value}", &row.field.spec().name[5..], at - command.offset));
    fields.collect::<Vec<_>>().join(" ")
}

#[test]
fn connects_have_their_fields_in_place() {
    let opening = Opening { peer: 5, session: 0x0102_0304, mtu: 996, window: 0x8001, channels: 9 };
    let middle = |at: u32, mtu: u32| {
        let names = [
            ("windowSize", 0x8001),
            ("channelCount", 9),
            ("incomingBandwidth", 0),
            ("outgoingBandwidth", 0),
            ("packetThrottleInterval", 5000),
            ("packetThrottleAcceleration", 2),
            ("packetThrottleDeceleration", 2),
        ];
        let fields =
            names.iter().zip((at..).step_by(4)).map(|((name, value), at)| format!(" {name}@{at}={value}"));
        format!("mtu@{mtu}=996{}", fields.collect::<String>())
    };
    let classic = format!("outgoingPeerID@4=5 {}", middle(8, 6));
    let compact = format!("outgoingPeerID@4=5 unused@5=0 {}", middle(8, 6));
    let bits = "outgoingPeerID@4=5 incomingSessionID@6=255 outgoingSessionID@7=255";
    let stock = format!("{bits} {} connectID@40={}", middle(12, 8), 0x0102_0304);
    for variant in HeaderVariant::ALL {
        let (front, session, bits) = match variant {
            HeaderVariant::Classic => (&classic, format!(" sessionID@36={}", 0x0102_0304), None),
            HeaderVariant::Stock | HeaderVariant::StockChecksum => {
                (&stock, " data@44=0".to_owned(), Some((255, 255)))
            }
            _ => (&compact, " sessionID@36=4 unused@37=0".to_owned(), None),
        };
        let number =
            if variant.prefix_size(Some(Sender::Client)) > 0 || variant == COMPACT { 4 } else { 0x0102_0304 };
        let body = |session| ConnectBody {
            outgoing_peer: 5,
            mtu: 996,
            window: 0x8001,
            channels: 9,
            session,
            session_bits: bits,
        };
        let (connect, fields) = alone(variant, Outgoing::connect(opening));
        assert_eq!(fields, format!("{front}{session}"), "{variant:?}");
        assert_eq!(connect.connect_body(), Some(body(Some(number))), "{variant:?}");
        assert_eq!(connect.disconnect_data(), None);
        let (grant, fields) = alone(variant, Outgoing::verify_connect(opening));
        assert_eq!(fields, *front, "{variant:?}");
        // only stock ENet repeats the number
        assert_eq!(grant.connect_body(), Some(body((!variant.is_league()).then_some(number))), "{variant:?}");
    }
}

#[test]
fn a_connect_that_was_cut_states_nothing() {
    for variant in HeaderVariant::ALL {
        for outgoing in [Outgoing::connect(OPENING), Outgoing::verify_connect(OPENING)] {
            let bytes = datagram(variant, Some(1), vec![outgoing]).bytes();
            for missing in 1..36 {
                let (commands, stop) = walk(variant, &bytes[..bytes.len() - missing], bytes.len());
                assert!(commands.is_empty());
                let Some(partial) = stop.unwrap().partial else { continue };
                assert!(partial.connect_body().is_none(), "{variant:?} without {missing}");
                assert!((partial.read as usize) < partial.rows.len());
            }
        }
    }
}

/// Checks what every command begins with.
fn has_head(command: &Command, flags: u8, channel: u8, sequence: u16) {
    assert_eq!((command.flags, command.id), (flags, flags & 15));
    assert_eq!((command.acknowledge, command.unsequenced), (flags & 0x80 != 0, flags & 0x40 != 0));
    assert_eq!((command.channel, command.sequence), (channel, sequence));
    let fields = command.fields().take(3).map(|(row, at, value)| (row.field, at - command.offset, value));
    let expected = [
        (Field::Command, 0, flags.into()),
        (Field::ChannelId, 1, channel.into()),
        (Field::ReliableSequenceNumber, 2, sequence.into()),
    ];
    assert_eq!(fields.collect::<Vec<_>>(), expected);
}

#[test]
fn other_commands_have_their_fields_in_place() {
    let fields = vec![
        (Field::StartSequenceNumber, 0x0A0B),
        (Field::FragmentCount, 0x0102_0304),
        (Field::FragmentNumber, 0x0506_0708),
        (Field::TotalLength, 0x090A_0B0C),
        (Field::FragmentOffset, 0x0D0E_0F10),
    ];
    let part = Outgoing { flags: 0x88, channel: 3, sequence: 7, fields, data: b"part" };
    let parts = "startSequenceNumber@4=2571 dataLength@6=4 fragmentCount@8=16909060 \
                 fragmentNumber@12=84281096 totalLength@16=151653132 fragmentOffset@20=219025168";
    for variant in HeaderVariant::ALL {
        for (outgoing, expected, flags, channel, sequence) in [
            (
                Outgoing::acknowledge(3, 0x0102, 0x0304),
                "receivedReliableSequenceNumber@4=258 receivedSentTime@6=772",
                0x01,
                3,
                0x0102,
            ),
            (Outgoing::disconnect(9, 0x0102_0304), "data@4=16909060", 0x84, 255, 9),
            (Outgoing::disconnect_now(4), "data@4=4", 0x44, 255, 0),
            (Outgoing::ping(0xFFFE), "", 0x85, 255, 0xFFFE),
            (Outgoing::reliable(3, 8, b"abc"), "dataLength@4=3", 0x86, 3, 8),
            (
                Outgoing::unreliable(4, 8, 0x0102, b"abcd"),
                "unreliableSequenceNumber@4=258 dataLength@6=4",
                0x07,
                4,
                8,
            ),
            (Outgoing::unsequenced(1, 0x0102, b""), "unsequencedGroup@4=258 dataLength@6=0", 0x49, 1, 0),
            (
                Outgoing::bandwidth_limit(2, 0x0102_0304, 5),
                "incomingBandwidth@4=16909060 outgoingBandwidth@8=5",
                0x8A,
                255,
                2,
            ),
            (
                Outgoing::throttle_configure(2, 5000, 3, 4),
                "packetThrottleInterval@4=5000 packetThrottleAcceleration@8=3 \
                 packetThrottleDeceleration@12=4",
                0x8B,
                255,
                2,
            ),
            (part.clone(), parts, 0x88, 3, 7),
        ] {
            let (command, fields) = alone(variant, outgoing);
            assert_eq!(fields, expected, "{variant:?}");
            has_head(&command, flags, channel, sequence);
        }
    }
}

#[test]
fn numbers_of_a_command_are_of_that_command_only() {
    let parts = reliable((COMPACT, None), 100, 3, 0xFFFF, &[1; 100]);
    let commands = [
        Outgoing::acknowledge(3, 0x0102, 0x0304),
        Outgoing::disconnect(2, 77),
        Outgoing::unreliable(4, 8, 0x0506, b"abcd"),
        Outgoing::unsequenced(1, 0x0708, b""),
        parts[1].clone(),
        Outgoing::connect(OPENING),
        Outgoing::ping(1),
    ];
    for (place, outgoing) in commands.into_iter().enumerate() {
        // stock ENet's connect has a number named as the disconnect's
        let command = alone(HeaderVariant::Stock, outgoing).0;
        assert_eq!(command.acknowledged(), (place == 0).then_some((0x0102, 0x0304)));
        assert_eq!(command.disconnect_data(), (place == 1).then_some(77));
        assert_eq!(command.unreliable_sequence(), (place == 2).then_some(0x0506));
        assert_eq!(command.unsequenced_group(), (place == 3).then_some(0x0708));
        let fragment = Fragment { start: 0xFFFF, count: 2, number: 1, total: 100, offset: 72 };
        assert_eq!(command.fragment(), (place == 4).then_some(fragment));
        assert_eq!(command.connect_body().is_some(), place == 5);
        let first = command.value(Field::Command);
        assert_eq!((first, command.value(Field::Payload)), (Some(command.flags.into()), None));
    }
}

/// What a walk found at its end: why, field, offset, needed, left, short, rows of the part that was read.
type End = (Why, Field, u32, u32, u32, bool, Option<u8>);

fn end(bytes: &[u8], captured: usize, reported: usize) -> Option<End> {
    let stop = walk(COMPACT, &bytes[..captured], reported).1?;
    let field = crate::fields::enet::FIELDS[(stop.cut.field - Field::Enet.id()) as usize].name;
    let known = [Field::Command, Field::ChannelId, Field::ReliableSequenceNumber, Field::DataLength];
    let more = [Field::UnreliableSequenceNumber, Field::Payload, Field::SentTime];
    let field = known.into_iter().chain(more).find(|known| known.spec().name == field).unwrap();
    let Cut { offset, needs, left, short, .. } = stop.cut;
    if let Some(partial) = stop.partial {
        assert_eq!(partial.size as usize, reported.max(captured) - partial.offset as usize);
        assert!(partial.value(partial.rows[partial.read as usize - 1].field).is_some());
        let next = partial.rows.get(partial.read as usize);
        assert_eq!(next.and_then(|row| partial.value(row.field)), None);
        assert_eq!(partial.fields().count(), partial.read as usize);
    }
    Some((stop.why, field, offset, needs, left, short, stop.partial.map(|partial| partial.read)))
}

#[test]
fn a_walk_ends_where_the_bytes_do() {
    use Field::{ChannelId, DataLength, Payload, ReliableSequenceNumber, UnreliableSequenceNumber};
    let commands = vec![Outgoing::ping(1), Outgoing::unreliable(1, 2, 3, b"payload")];
    let bytes = datagram(COMPACT, Some(1), commands).bytes();
    assert_eq!(bytes.len(), 4 + 4 + 8 + 7);
    let short = Why::TooShort;
    for (captured, reported, expected) in [
        (23, 23, None),
        (8, 8, None),
        (4, 4, None),
        (8, 9, Some((short, Field::Command, 8, 1, 0, true, None))),
        (9, 9, Some((short, ChannelId, 9, 1, 0, false, Some(1)))),
        (9, 10, Some((short, ChannelId, 9, 1, 0, true, Some(1)))),
        (10, 10, Some((short, ReliableSequenceNumber, 10, 2, 0, false, Some(2)))),
        (11, 11, Some((short, ReliableSequenceNumber, 10, 2, 1, false, Some(2)))),
        (10, 11, Some((short, ReliableSequenceNumber, 10, 2, 1, false, Some(2)))),
        (10, 12, Some((short, ReliableSequenceNumber, 10, 2, 0, true, Some(2)))),
        (11, 12, Some((short, ReliableSequenceNumber, 10, 2, 1, true, Some(2)))),
        (12, 13, Some((short, UnreliableSequenceNumber, 12, 2, 1, false, Some(3)))),
        (12, 23, Some((short, UnreliableSequenceNumber, 12, 2, 0, true, Some(3)))),
        (15, 15, Some((short, DataLength, 14, 2, 1, false, Some(4)))),
        (15, 16, Some((short, DataLength, 14, 2, 1, true, Some(4)))),
        (16, 16, Some((Why::DataPastEnd, Payload, 16, 7, 0, false, Some(5)))),
        (16, 22, Some((Why::DataPastEnd, Payload, 16, 7, 6, false, Some(5)))),
        (22, 22, Some((Why::DataPastEnd, Payload, 16, 7, 6, false, Some(5)))),
        (16, 23, None),
        (22, 23, None),
        // as many bytes were on the wire as were captured, at least
        (23, 0, None),
    ] {
        assert_eq!(end(&bytes, captured, reported), expected, "{captured} of {reported}");
    }
}

#[test]
fn a_walk_ends_at_what_no_receiver_takes() {
    for (byte, fits) in [(0x80, false), (0x85, true), (0x0C, false), (0x8F, false)] {
        let mut bytes = datagram(COMPACT, Some(1), vec![Outgoing::ping(1); 2]).bytes();
        bytes[8] = byte;
        let expected = (Why::UnknownCommand(byte & 15), Field::Command, 8, 0, 4, false, Some(3));
        assert_eq!(end(&bytes, 12, 12), (!fits).then_some(expected), "{byte:#x}");
        let expected = (Why::UnknownCommand(byte & 15), Field::Command, 8, 0, 9, false, Some(3));
        let cut = (Why::TooShort, Field::Command, 12, 1, 0, true, None);
        assert_eq!(end(&bytes, 12, 17), Some(if fits { cut } else { expected }), "{byte:#x}");
    }
    let untimed = datagram(COMPACT, None, vec![Outgoing::ping(1); 2]).bytes();
    for (len, left) in [(10, 4), (6, 0)] {
        let expected = (Why::AcknowledgeWithoutTime, Field::SentTime, 6, 0, left, false, None);
        assert_eq!(end(&untimed, len, len), Some(expected));
    }
    let quiet = datagram(COMPACT, None, vec![Outgoing::acknowledge(1, 1, 1); 2]).bytes();
    assert_eq!(end(&quiet, quiet.len(), quiet.len()), None);
}

#[test]
fn payloads_say_what_was_captured_of_them() {
    let commands = vec![Outgoing::reliable(1, 2, b"payload")];
    let bytes = datagram(COMPACT, Some(1), commands).bytes();
    for captured in 10..=bytes.len() {
        let (commands, stop) = walk(COMPACT, &bytes[..captured], 17);
        assert_eq!((commands.len(), stop), (1, None));
        let expected = Data { offset: 10, len: 7, captured: captured as u32 - 10 };
        assert_eq!((commands[0].data, commands[0].size), (Some(expected), 13));
        // the sender wrote less than the length says: what there is, is all
        let reported = captured.clamp(14, 16);
        if captured <= reported {
            let expected = Data { offset: 10, len: reported as u32 - 10, captured: captured as u32 - 10 };
            let (_, stop) = walk(COMPACT, &bytes[..captured], reported);
            assert_eq!(stop.unwrap().partial.unwrap().data, Some(expected));
        }
    }
    let (commands, _) = walk(COMPACT, &bytes, 30);
    assert_eq!(commands[0].data, Some(Data { offset: 10, len: 7, captured: 7 }));
    assert_eq!(alone(COMPACT, Outgoing::ping(1)).0.data, None);
}

#[test]
fn a_walk_says_where_it_stands() {
    let commands = vec![Outgoing::ping(1), Outgoing::reliable(1, 2, b"ab"), Outgoing::ping(2)];
    let mut bytes = datagram(HeaderVariant::Stock, Some(1), commands).bytes();
    let header = header(HeaderVariant::Stock, None, &bytes).unwrap();
    let mut commands = Commands::new(&bytes, bytes.len(), &header);
    for offset in [4, 8, 16, 20] {
        assert_eq!(commands.offset(), offset);
        assert_eq!(
            commands.next().map(|item| item.unwrap().offset as usize),
            (offset < 20).then_some(offset)
        );
    }
    bytes[0] |= 0x40;
    assert_eq!(walk(HeaderVariant::Stock, &bytes, bytes.len()), (vec![], None), "compressed");
}
