//! Tests: what is written is read back, in every variant.

use proptest::collection::vec;
use proptest::prelude::*;

use super::write::{reliable, Datagram, Opening, Outgoing};
use super::*;
use crate::capture::Sender;

/// A command before it borrows its payload: which kind, and numbers for it.
type Plan = (u8, u8, u16, u32, Vec<u8>);

fn plan() -> impl Strategy<Value = Plan> {
    (1..13u8, any::<u8>(), any::<u16>(), any::<u32>(), vec(any::<u8>(), 0..60))
}

fn outgoing<'a>((kind, channel, sequence, number, data): &'a Plan, variant: HeaderVariant) -> Outgoing<'a> {
    let (channel, sequence, number) = (*channel, *sequence, *number);
    let opening = Opening {
        peer: sequence & variant.unassigned(),
        session: if variant.is_league() && variant != HeaderVariant::Classic {
            number & 0xFF
        } else {
            number
        },
        mtu: sequence,
        window: number,
        channels: number >> 3,
    };
    match *kind {
        id::ACKNOWLEDGE => Outgoing::acknowledge(channel, sequence, number as u16),
        id::CONNECT => Outgoing::connect(opening),
        id::VERIFY_CONNECT => Outgoing::verify_connect(opening),
        id::DISCONNECT if number % 2 == 0 => Outgoing::disconnect_now(number),
        id::DISCONNECT => Outgoing::disconnect(sequence, number),
        id::PING => Outgoing::ping(sequence),
        id::SEND_RELIABLE => Outgoing::reliable(channel, sequence, data),
        id::SEND_UNRELIABLE => Outgoing::unreliable(channel, sequence, number as u16, data),
        id::SEND_UNSEQUENCED => Outgoing::unsequenced(channel, number as u16, data),
        id::BANDWIDTH_LIMIT => Outgoing::bandwidth_limit(sequence, number, number / 3),
        id::THROTTLE_CONFIGURE => Outgoing::throttle_configure(sequence, number, 2, number % 32),
        fragment => {
            let reliable = reliable((variant, None), 30, channel, sequence, data).pop().unwrap();
            let flags = if fragment == id::SEND_FRAGMENT { reliable.flags } else { fragment };
            // what fits into one command is no fragment
            Outgoing { flags: if reliable.fields.is_empty() { reliable.flags } else { flags }, ..reliable }
        }
    }
}

fn variants() -> impl Strategy<Value = (HeaderVariant, Option<Sender>)> {
    let from = prop_oneof![Just(Some(Sender::Client)), Just(Some(Sender::Server))];
    (0..HeaderVariant::ALL.len(), from).prop_map(|(place, from)| (HeaderVariant::ALL[place], from))
}

proptest! {
    #[test]
    fn datagrams_are_read_as_written(
        (variant, from) in variants(),
        plans in vec(plan(), 0..8),
        prefix in any::<[u8; 8]>(),
        (session, peer, time, connect_id) in any::<(u32, u16, u16, u32)>(),
    ) {
        let commands: Vec<Outgoing<'_>> = plans
            .iter()
            .map(|plan| outgoing(plan, variant))
            .filter(|command| rows(variant, command.flags & 0x0F).is_some())
            .collect();
        let sent_time = commands.iter().any(Outgoing::asks).then_some(time);
        let written = Datagram { variant, from, prefix, session, peer, sent_time, connect_id, commands };
        let bytes = written.bytes();
        let header = header(variant, from, &bytes).unwrap();
        let ahead = usize::from(variant.prefix_size(from));
        prop_assert_eq!(header.prefix.map_or(0, |part| part.width.into()), ahead);
        prop_assert_eq!(&bytes[..ahead], &prefix[..ahead]);
        prop_assert_eq!(header.peer.0, peer & variant.unassigned());
        let session_mask = match variant {
            HeaderVariant::Stock | HeaderVariant::StockChecksum => 3,
            HeaderVariant::Classic => u32::MAX,
            _ => 0xFF,
        };
        prop_assert_eq!(header.session.0, session & session_mask);
        prop_assert_eq!(header.sent_time.map(|time| time.0), sent_time);
        prop_assert_eq!(checksum_fits(&header, &bytes, None, connect_id), header.checksum.map(|_| true));
        prop_assert_eq!(super::connect_id(&header, &bytes, None), header.checksum.map(|_| connect_id));
        let read: Vec<Command> = Commands::new(&bytes, bytes.len(), &header).map(|item| item.unwrap()).collect();
        prop_assert_eq!(read.len(), written.commands.len());
        for (read, written) in read.iter().zip(&written.commands) {
            prop_assert_eq!((read.flags, read.channel, read.sequence), (written.flags, written.channel, written.sequence));
            for (field, value) in &written.fields {
                if read.rows.iter().any(|row| row.field == *field) {
                    prop_assert_eq!(read.value(*field), Some(*value), "{:?}", field);
                }
            }
            let data = read.data.map_or(&[][..], |data| &bytes[data.offset as usize..][..data.len as usize]);
            prop_assert_eq!(data, written.data);
            prop_assert_eq!(read.fields().count(), read.rows.len());
        }
    }

    #[test]
    fn fragments_make_up_the_payload_and_are_recognised(
        (variant, from) in variants(),
        mtu in 576..1500u32,
        payload in vec(any::<u8>(), 1..5000),
        sequence in any::<u16>(),
    ) {
        let commands = reliable((variant, from), mtu, 3, sequence, &payload);
        let mut whole = vec![0; payload.len()];
        let mut next = sequence;
        for command in commands {
            let datagram = Datagram {
                variant, from, prefix: [9; 8], session: 0x29, peer: 1, sent_time: Some(5), connect_id: 0,
                commands: vec![command],
            };
            let bytes = datagram.bytes();
            prop_assert!(bytes.len() <= mtu as usize);
            prop_assert!(candidates(&bytes, bytes.len()).holds(variant, from));
            let header = header(variant, from, &bytes).unwrap();
            let command = Commands::new(&bytes, bytes.len(), &header).next().unwrap().unwrap();
            prop_assert_eq!(command.sequence, next);
            next = next.wrapping_add(1);
            let data = command.data.unwrap();
            let at = command.fragment().map_or(0, |fragment| fragment.offset as usize);
            whole[at..][..data.len as usize].copy_from_slice(&bytes[data.offset as usize..]);
        }
        prop_assert_eq!(whole, payload);
    }
}

#[test]
fn fragments_are_as_long_as_recorded_ones() {
    let payload = vec![0; 4417];
    let lengths = |variant| -> Vec<usize> {
        reliable((variant, Some(Sender::Server)), 996, 3, 1, &payload).iter().map(|c| c.data.len()).collect()
    };
    assert_eq!(lengths(HeaderVariant::Classic), [964, 964, 964, 964, 561]);
    assert_eq!(lengths(HeaderVariant::Prefixed)[0], 964);
    assert_eq!(lengths(HeaderVariant::Compact)[0], 968);
}
