use std::collections::HashMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::enet::wire::captures::{payloads, shared, GAME, KEY};
use crate::layout::Sender;
use crate::lol::cipher::Key;

fn read(payload: &[u8]) -> (Vec<Inner>, Option<Stop>, Span) {
    let mut messages = Messages::new(payload, payload.len()).unwrap();
    let (mut inner, mut stop) = (Vec::new(), None);
    for item in messages.by_ref() {
        match item {
            Ok(message) => inner.push(message),
            Err(why) => stop = Some(why),
        }
    }
    (inner, stop, messages.left_over())
}

#[test]
fn parts_are_in_place() {
    #[rustfmt::skip]
    let payload = [
        0xFF, 4,
        7, 0x10, 1, 0, 0, 0x40, 0xA1, 0xA2,      // first: size, command, id, body
        1 << 2 | 3, 0xFE, 0xB1,                  // same command, difference -2
        63 << 2, 0xFE, 9, 0, 0, 0x40, 2, 44, 1,  // all anew, size byte, extended command 300
        1, 5, 0, 0, 0,                           // same command, absolute id, no body
    ];
    let (inner, stop, left) = read(&payload);
    assert_eq!((inner.len(), stop, left.len), (4, None, 0));
    let ids: Vec<u32> = inner.iter().map(|message| message.net_id).collect();
    assert_eq!(ids, [0x4000_0001, 0x3FFF_FFFF, 0x4000_0009, 5]);
    assert_eq!(
        inner.iter().map(|m| m.full_command(&payload)).collect::<Vec<_>>(),
        [Some(16), Some(16), Some(300), None]
    );
    assert_eq!(inner[0].body.of(&payload), [0xA1, 0xA2]);
    assert_eq!(
        (inner[1].all, inner[1].net_id_delta, inner[1].command_at),
        (Span::new(10, 3), Some(-2), None)
    );
    assert_eq!((inner[2].extra_size, inner[2].fields()), (Some(Span::new(19, 1)), Span::new(22, 0)));
    assert_eq!(inner[2].command_at, Some(Span::new(14, 1)));
    assert_eq!((inner[3].net_id_at, inner[3].body), (Span::new(23, 4), Span::new(27, 0)));
}

#[test]
fn what_cannot_be_read_is_named() {
    let stop = |payload: &[u8]| read(payload).1.map(|stop| (stop.part, stop.index, stop.offset, stop.left));
    assert_eq!(stop(&[0xFF]), Some((Part::Count, 0, 1, 0)));
    assert_eq!(stop(&[0xFF, 0]), None);
    assert_eq!(stop(&[0xFF, 1]), Some((Part::Size, 0, 2, 0)));
    assert_eq!(stop(&[0xFF, 1, 4, 1, 1, 1, 1]), Some((Part::Size, 0, 2, 4)));
    assert_eq!(stop(&[0xFF, 1, 5]), Some((Part::Command, 0, 3, 0)));
    assert_eq!(stop(&[0xFF, 1, 5, 1, 0]), Some((Part::NetId, 0, 4, 1)));
    assert_eq!(stop(&[0xFF, 1, 7, 1, 0, 0, 0, 0, 9]), Some((Part::Body, 0, 8, 1)));
    assert_eq!(stop(&[0xFF, 2, 5, 1, 0, 0, 0, 0, 2, 7]), Some((Part::NetId, 1, 10, 0)));
    assert_eq!(stop(&[0xFF, 2, 5, 1, 0, 0, 0, 0, 255, 7]), Some((Part::ExtraSize, 1, 10, 0)));
    assert_eq!(read(&[0xFF, 1, 5, 1, 0, 0, 0, 0, 9]).2, Span::new(8, 1));
    assert!(Messages::new(&[0xFE, 1], 2).is_none() && Messages::new(&[], 0).is_none());
    let cut = [0xFF, 1, 7, 1, 0, 0, 0, 0, 9];
    let stop = Messages::new(&cut, 10).unwrap().next().unwrap().unwrap_err();
    assert!(stop.short && stop.needs == 2 && stop.left == 1);
}

/// What the first message that cannot be read is refused with.
fn refused(payload: &[u8], reported: usize) -> Stop {
    Messages::new(payload, reported).unwrap().find_map(Result::err).expect("something is missing")
}

#[test]
fn a_stop_says_whether_the_capture_or_the_sender_left_bytes_out() {
    let body = [0xFF, 1, 9, 1, 0, 0, 0, 0, 9];
    // four bytes of body from the eighth on: the sender must have sent twelve
    for (reported, short, left) in
        [(0, false, 1), (9, false, 1), (11, false, 3), (12, true, 1), (99, true, 1)]
    {
        let stop = refused(&body, reported);
        assert_eq!((stop.part, stop.offset, stop.needs), (Part::Body, 8, 4), "{reported}");
        assert_eq!((stop.short, stop.left), (short, left), "{reported}");
    }
    let net_id = refused(&[0xFF, 1, 5, 1, 0], 8);
    assert_eq!((net_id.part, net_id.offset, net_id.needs, net_id.left), (Part::NetId, 4, 4, 1));
    assert!(net_id.short && net_id.partial.is_none());
    assert!(refused(&[0xFF], 2).short && !refused(&[0xFF], 1).short, "the count");
    // a size that cannot be is what the sender wrote, however much was captured
    let size = refused(&[0xFF, 1, 4, 1, 1], 99);
    assert_eq!((size.part, size.offset, size.needs, size.left, size.short), (Part::Size, 2, 5, 4, false));
}

#[test]
fn a_message_without_its_body_is_told_as_far_as_it_goes() {
    let first = refused(&[0xFF, 1, 9, 7, 1, 0, 0, 0x40, 9], 9).partial.expect("all but its body");
    assert_eq!((first.index, first.command, first.net_id), (0, 7, 0x4000_0001));
    assert_eq!((first.all, first.body), (Span::new(2, 10), Span::new(8, 4)));
    let stop = refused(&[0xFF, 2, 5, 7, 1, 0, 0, 0x40, 3 << 2 | 3, 4, 0xAA], 11);
    let second = stop.partial.expect("all but its body");
    assert_eq!((stop.index, second.index, second.command, second.net_id), (1, 1, 7, 0x4000_0005));
    assert_eq!((second.all, second.body, stop.left), (Span::new(8, 5), Span::new(10, 3), 1));
}

#[test]
fn messages_are_counted_as_they_are_read() {
    let payload = [0xFF, 2, 5, 7, 0, 0, 0, 0, 3, 1, 0xEE, 0xEE];
    let mut messages = Messages::new(&payload, 20).unwrap();
    assert_eq!((messages.stated(), messages.read()), (Some(2), 0));
    assert_eq!(messages.next().unwrap().map(|inner| inner.index), Ok(0));
    assert_eq!(messages.read(), 1);
    assert_eq!(messages.next().unwrap().map(|inner| inner.index), Ok(1));
    assert_eq!((messages.next(), messages.read()), (None, 2));
    assert_eq!(messages.left_over(), Span::new(10, 10), "what was sent, not what was captured");
    assert_eq!(Messages::new(&[0xFF], 1).unwrap().stated(), None);
    let mut refused = Messages::new(&[0xFF, 1], 2).unwrap();
    assert!(refused.next().unwrap().is_err());
    assert_eq!((refused.next(), refused.read()), (None, 0), "it stops once");
}

#[test]
fn an_extended_command_takes_the_first_two_bytes_of_the_body() {
    for (command, body, full, fields) in [
        (7, &[0x2C, 1, 9][..], Some(7), Span::new(8, 3)),
        (EXTENDED, &[0x2C, 1, 9], Some(300), Span::new(10, 1)),
        (EXTENDED, &[0x2C, 1], Some(300), Span::new(10, 0)),
        (EXTENDED, &[0x2C], None, Span::new(9, 0)),
        (EXTENDED, &[], None, Span::new(8, 0)),
    ] {
        let mut payload = Vec::new();
        write(&[Outgoing { command, net_id: 0, body }], &mut payload).unwrap();
        let inner = read(&payload).0[0];
        assert_eq!((inner.full_command(&payload), inner.fields()), (full, fields), "{command} {body:?}");
    }
}

#[test]
fn a_span_is_what_of_it_was_captured() {
    let payload = [1, 2, 3, 4, 5];
    assert_eq!(Span::new(1, 3).of(&payload), [2, 3, 4]);
    assert_eq!(Span::new(3, 4).of(&payload), [4, 5]);
    assert_eq!((Span::new(5, 1).of(&payload), Span::new(9, 1).of(&payload)), (&[][..], &[][..]));
}

#[test]
fn what_follows_shares_with_the_one_before_what_it_can() {
    const FIRST: [u8; 8] = [0xFF, 2, 5, 7, 0, 1, 0, 0];
    let body = [0xB0; 64];
    let second = |command: u8, net_id: u32, len: usize| {
        let first = Outgoing { command: 7, net_id: 0x100, body: &[] };
        let mut out = Vec::new();
        write(&[first, Outgoing { command, net_id, body: &body[..len] }], &mut out).unwrap();
        assert_eq!(out[..8], FIRST);
        out[8..out.len() - len].to_vec()
    };
    assert_eq!(second(7, 0x100, 0), [3, 0]);
    assert_eq!(second(8, 0x100, 1), [1 << 2 | 2, 8, 0]);
    assert_eq!(second(7, 0x100 + 127, 1), [1 << 2 | 3, 127]);
    assert_eq!(second(7, 0x100 + 128, 1), [1 << 2 | 1, 0x80, 1, 0, 0]);
    assert_eq!(second(7, 0x100 - 128, 1), [1 << 2 | 3, 0x80]);
    assert_eq!(second(7, 0x100 - 129, 1), [1 << 2 | 1, 0x7F, 0, 0, 0]);
    assert_eq!(second(8, 0xFFFF_0000, 62), [62 << 2, 8, 0, 0, 0xFF, 0xFF]);
    assert_eq!(second(7, 0x100, 62), [62 << 2 | 3, 0]);
    assert_eq!(second(7, 0x100, 63), [63 << 2 | 3, 0, 63], "a size byte");
    assert_eq!(second(7, 0x100, 64), [63 << 2 | 3, 0, 64]);
}

#[test]
fn too_much_is_refused() {
    let long = [0; 256];
    let message = |len| Outgoing { command: 1, net_id: 0, body: &long[..len] };
    let mut out = vec![1];
    assert_eq!(write(&[message(251)], &mut out), Err(TooMuch::Body { index: 0, most: 250, len: 251 }));
    assert_eq!(
        write(&[message(250), message(256)], &mut out),
        Err(TooMuch::Body { index: 1, most: 255, len: 256 })
    );
    assert_eq!(write(&[message(0); 256], &mut out), Err(TooMuch::Messages(256)));
    assert_eq!(out, [1]);
    assert_eq!(write(&[message(250), message(255)], &mut out), Ok(()));
}

fn message() -> impl Strategy<Value = (u8, u32, Vec<u8>)> {
    let net_id = prop_oneof![any::<u32>(), 0x4000_0000..0x4000_0200u32, Just(0), Just(u32::MAX)];
    let body = prop_oneof![vec(any::<u8>(), 0..70), vec(any::<u8>(), 0..=250)];
    (prop_oneof![Just(0x61), any::<u8>()], net_id, body)
}

proptest! {
    #[test]
    fn containers_are_read_as_written(messages in vec(message(), 0..=40)) {
        let outgoing: Vec<Outgoing<'_>> =
            messages.iter().map(|(command, net_id, body)| Outgoing { command: *command, net_id: *net_id, body }).collect();
        let mut payload = Vec::new();
        write(&outgoing, &mut payload).unwrap();
        let (inner, stop, left) = read(&payload);
        prop_assert_eq!((stop, left.len), (None, 0));
        let back: Vec<Outgoing<'_>> = inner
            .iter()
            .map(|inner| Outgoing { command: inner.command, net_id: inner.net_id, body: inner.body.of(&payload) })
            .collect();
        prop_assert_eq!(back, outgoing);
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in vec(any::<u8>(), 0..200), more in 0..100usize) {
        let payload = [&[0xFF][..], &bytes].concat();
        let mut messages = Messages::new(&payload, payload.len() + more).unwrap();
        let mut end = 2;
        for inner in messages.by_ref().flatten() {
            prop_assert_eq!(inner.all.offset, end);
            end += inner.all.len;
            prop_assert!(end as usize <= payload.len());
            inner.full_command(&payload);
        }
        prop_assert!(messages.left_over().offset as usize <= payload.len().max(2));
    }
}

#[test]
fn recorded_containers_hold_what_is_expected() {
    let key = Key::parse(KEY).unwrap().schedules().next().unwrap();
    for (name, variant) in GAME {
        let (Some(all), Some(file)) = (payloads(name, variant), shared(&format!("{name}.expected.json")))
        else {
            return;
        };
        let expected: serde_json::Value = serde_json::from_slice(&file).unwrap();
        let mut left: HashMap<String, usize> = HashMap::new();
        for message in expected["messages"].as_array().unwrap() {
            if message["inContainer"] == true {
                *left.entry(message["bytes"].as_str().unwrap().to_owned()).or_default() += 1;
            }
        }
        let (mut containers, mut messages, mut same) = (0, 0, 0);
        for mut payload in all {
            if payload.channel == 0 && payload.from == Sender::Client {
                continue;
            }
            key.decipher(&mut payload.bytes);
            if !(1..=4).contains(&payload.channel) || payload.bytes[0] != CONTAINER {
                continue;
            }
            let (inner, stop, rest) = read(&payload.bytes);
            assert_eq!((stop, rest.len), (None, 0), "{name} frame {}", payload.frame);
            containers += 1;
            for message in &inner {
                messages += 1;
                let mut bytes = vec![message.command];
                bytes.extend(message.net_id.to_le_bytes());
                bytes.extend(message.body.of(&payload.bytes));
                let hex = hex::encode(&bytes);
                let count =
                    left.get_mut(&hex).unwrap_or_else(|| panic!("{name} frame {}: {hex}", payload.frame));
                *count = count.checked_sub(1).unwrap_or_else(|| panic!("{name}: {hex} once too often"));
            }
            let outgoing: Vec<Outgoing<'_>> = inner
                .iter()
                .map(|i| Outgoing { command: i.command, net_id: i.net_id, body: i.body.of(&payload.bytes) })
                .collect();
            let mut again = Vec::new();
            write(&outgoing, &mut again).unwrap();
            same += usize::from(again == payload.bytes);
        }
        println!("{name}: {containers} containers, {messages} messages, {same} written again byte for byte");
        assert_eq!(left.values().sum::<usize>(), 0, "{name}: expected but not there");
    }
}
