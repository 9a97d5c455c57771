//! Messages put together from fragments.

use dissector_core::capture::{Detail, Sender, Settings};
use dissector_core::enet::wire::write::Outgoing;
use dissector_core::enet::wire::{id, HeaderVariant, ACKNOWLEDGE};
use dissector_core::fields::enet::Field;

use crate::lab::{passes, read, shown, Pass, Run};
use crate::wire::{Client, Server, Talk};

/// Where a fragment stands in its message.
#[derive(Clone, Copy)]
struct Part {
    start: u16,
    number: u32,
    count: u32,
    total: u32,
    offset: u32,
}

/// The parts of a message that is cut into pieces of `size` bytes, each with its data.
fn parts(start: u16, message: &[u8], size: usize) -> Vec<(Part, &[u8])> {
    let (count, total) = (message.len().div_ceil(size) as u32, message.len() as u32);
    let part =
        |number: usize| Part { start, number: number as u32, count, total, offset: (number * size) as u32 };
    message.chunks(size).enumerate().map(|(number, data)| (part(number), data)).collect()
}

fn fragment(flags: u8, channel: u8, sequence: u16, (part, data): (Part, &[u8])) -> Outgoing<'_> {
    let fields = vec![
        (Field::StartSequenceNumber, part.start.into()),
        (Field::FragmentCount, part.count),
        (Field::FragmentNumber, part.number),
        (Field::TotalLength, part.total),
        (Field::FragmentOffset, part.offset),
    ];
    Outgoing { flags, channel, sequence, fields, data }
}

/// A reliable fragment: its own number is the first one's and its place.
fn reliable(channel: u8, part: (Part, &[u8])) -> Outgoing<'_> {
    let sequence = part.0.start.wrapping_add(part.0.number as u16);
    fragment(id::SEND_FRAGMENT | ACKNOWLEDGE, channel, sequence, part)
}

/// An unreliable fragment behind the reliable command `after`.
fn unreliable(channel: u8, after: u16, part: (Part, &[u8])) -> Outgoing<'_> {
    fragment(id::SEND_UNRELIABLE_FRAGMENT, channel, after, part)
}

fn stock() -> Talk {
    let mut talk = Talk::new(HeaderVariant::Stock);
    talk.open();
    talk
}

/// The messages put together, each with the place of its frame.
fn messages(pass: &Pass) -> Vec<(usize, String)> {
    let of = |(at, shown): (usize, &Option<crate::lab::Shown>)| {
        let all = shown.iter().flat_map(|shown| &shown.messages);
        all.map(|message| (at, String::from_utf8_lossy(&message.bytes).into_owned())).collect::<Vec<_>>()
    };
    pass.iter().enumerate().flat_map(of).collect()
}

/// The pieces of a text, ready to be given to `messages`.
fn expected(all: &[(usize, &str)]) -> Vec<(usize, String)> {
    all.iter().map(|(at, text)| (*at, (*text).to_owned())).collect()
}

/// The texts of all expert items of a name, each with the place of its frame.
fn faults(pass: &Pass, name: &str) -> Vec<(usize, String)> {
    let of = |(at, shown): (usize, &Option<crate::lab::Shown>)| {
        let told = shown.iter().flat_map(|shown| shown.told(name));
        told.map(|text| (at, text.to_owned())).collect::<Vec<_>>()
    };
    pass.iter().enumerate().flat_map(of).collect()
}

#[test]
fn a_message_comes_together_in_whatever_order_its_fragments_come() {
    let text = b"the whole message";
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
        let mut talk = stock();
        let parts = parts(1, text, 7);
        let frames = order.map(|number| talk.send(Server, vec![reliable(3, parts[number])]));
        let (one, two) = passes(&Settings::default(), &talk.frames);
        for pass in [&one, &two] {
            assert_eq!(messages(pass), expected(&[(frames[2], "the whole message")]), "{order:?}");
            for (at, number) in frames.into_iter().zip(order) {
                let info = &shown(pass)[at].info;
                assert_eq!(info, &format!("fragment {} of 3 on channel 3", number + 1));
            }
        }
        let (one, two) = (shown(&one), shown(&two));
        for at in frames {
            assert!(!one[at].has("enet.reassembledIn"), "not yet");
            assert_eq!(two[at].values("enet.reassembledIn"), [frames[2] as u64 + 1]);
        }
        let span = two[frames[2]].messages[0].payloads[0];
        assert_eq!((span.offset, span.length, span.reported, span.channel), (0, 17, 17, 3));
        assert_eq!((span.sender, span.league, span.clear), (Sender::number(Some(Server)), 0, 1));
    }
}

#[test]
fn the_same_first_number_on_two_channels_is_two_messages() {
    let mut talk = stock();
    let (one, two) = (parts(1, b"first channel", 7), parts(1, b"other channel", 7));
    let sent = [(3, one[0]), (4, two[0]), (3, one[1]), (4, two[1])];
    let frames = sent.map(|(channel, part)| talk.send(Server, vec![reliable(channel, part)]));
    let backward = [0, 1].map(|number| talk.send(Client, vec![reliable(3, two[number])]));
    let wanted = [(frames[2], "first channel"), (frames[3], "other channel"), (backward[1], "other channel")];
    let (one, two) = passes(&Settings::default(), &talk.frames);
    assert_eq!((messages(&one), messages(&two)), (expected(&wanted), expected(&wanted)));
    let span = |at: usize| shown(&two)[at].messages[0].payloads[0];
    assert_eq!([span(frames[2]), span(frames[3])].map(|span| (span.channel, span.sender)), [(3, 2), (4, 2)]);
    assert_eq!((span(backward[1]).channel, span(backward[1]).sender), (3, 1));
}

#[test]
fn the_same_first_number_65_536_later_is_another_message() {
    let mut talk = stock();
    let (one, two) = (parts(1, b"early message", 7), parts(1, b"later message", 7));
    let mut last = one.iter().map(|part| talk.send(Server, vec![reliable(3, *part)])).last();
    let first = last.unwrap();
    for sequence in [20_000, 40_000, 60_000] {
        talk.reliable(Server, 3, sequence, b"x");
    }
    for part in &two {
        last = Some(talk.send(Server, vec![reliable(3, *part)]));
    }
    let wanted = expected(&[(first, "early message"), (last.unwrap(), "later message")]);
    let (one, two) = passes(&Settings::default(), &talk.frames);
    assert_eq!((messages(&one), messages(&two)), (wanted.clone(), wanted));
}

#[test]
fn unreliable_fragments_come_together_before_and_behind_a_reliable_command() {
    let mut talk = stock();
    let (before, behind) = (parts(1, b"before it", 5), parts(1, b"behind it", 5));
    let again = parts(3, b"later one", 5);
    talk.send(Server, vec![unreliable(3, 0, before[0])]);
    talk.reliable(Server, 3, 1, b"reliable");
    talk.send(Server, vec![unreliable(3, 1, behind[0])]);
    let late = talk.send(Server, vec![unreliable(3, 0, before[1])]);
    let last = talk.send(Server, vec![unreliable(3, 1, behind[1])]);
    let more = talk.send(Server, again.iter().map(|part| unreliable(3, 1, *part)).collect());
    // a reliable message with the same first number is yet another one
    let reliable_parts = parts(3, b"reliables", 5);
    let other = talk.send(Server, reliable_parts.iter().map(|part| reliable(3, *part)).collect());
    let wanted =
        expected(&[(late, "before it"), (last, "behind it"), (more, "later one"), (other, "reliables")]);
    let (one, two) = passes(&Settings::default(), &talk.frames);
    assert_eq!((messages(&one), messages(&two)), (wanted.clone(), wanted));
}

#[test]
fn a_fragment_that_comes_twice_is_put_in_once() {
    let mut talk = stock();
    let (sure, unsure) = (parts(1, b"sent surely", 6), parts(1, b"sent anyhow", 6));
    let copy = parts(1, b"SENT ANYHOW", 6);
    let first = talk.send(Server, vec![reliable(3, sure[0])]);
    let again = talk.wait(300).send(Server, vec![reliable(3, sure[0])]);
    let one_whole = talk.send(Server, vec![reliable(3, sure[1])]);
    let after = talk.send(Server, vec![reliable(3, sure[1])]);
    talk.send(Server, vec![unreliable(4, 0, unsure[0]), unreliable(4, 0, copy[0])]);
    let two_whole = talk.send(Server, vec![unreliable(4, 0, unsure[1])]);
    // the message is complete: nothing is added to it
    talk.send(Server, vec![unreliable(4, 0, copy[1]), unreliable(4, 0, copy[0])]);
    let wanted = expected(&[(one_whole, "sent surely"), (two_whole, "sent anyhow")]);
    let (one, two) = passes(&Settings::default(), &talk.frames);
    assert_eq!((messages(&one), messages(&two)), (wanted.clone(), wanted));
    for pass in [&one, &two] {
        let shown = shown(pass);
        assert_eq!(shown[first].info, "fragment 1 of 2 on channel 3");
        assert_eq!(shown[again].info, "[retransmission] fragment 1 of 2 on channel 3");
        assert_eq!(shown[after].info, "[retransmission] fragment 2 of 2 on channel 3");
    }
    let named =
        [first, again, one_whole, after].map(|at| shown(&two)[at].values("enet.reassembledIn")).concat();
    assert_eq!(named, [one_whole as u64 + 1; 4]);
    assert!(!shown(&two)[first - 1].has("enet.reassembledIn"), "it is no fragment");
}

#[test]
fn only_fragments_given_to_epan_are_spans() {
    let mut talk = stock();
    let parts = parts(1, b"sent surely", 6);
    for number in [0, 0, 1, 1] {
        talk.send(Server, vec![reliable(3, parts[number])]);
    }
    for visited in [false, true] {
        let mut run = Run::new(&Settings::default(), Detail::State);
        run.pass(&talk.frames, false);
        let mut spans = Vec::new();
        let mut fresh = Run::new(&Settings::default(), Detail::State);
        for frame in &talk.frames {
            let engine = if visited { &mut run.engine } else { &mut fresh.engine };
            let packet = crate::lab::packet(frame, &frame.bytes, frame.reported, Detail::State, visited);
            let all = engine.datagram(&packet).unwrap().fragments.clone();
            spans.extend(all.iter().map(|span| (span.number, span.more, span.completes, span.node)));
            fresh.read(frame, false);
        }
        let none = u32::MAX;
        let completes = u8::from(!visited);
        assert_eq!(spans, [(0, 1, completes, none), (1, 0, 1, none)], "visited: {visited}");
    }
}

#[test]
fn a_fragment_that_no_message_has_room_for_is_not_put_in() {
    let data = b"12345".as_slice();
    let part = |number, count, total, offset| (Part { start: 1, number, count, total, offset }, data);
    for (wrong, text) in [
        (part(2, 2, 10, 0), "enet.fragmentNumber is 2, but there are 2 fragments"),
        (part(0, 11, 10, 0), "enet.fragmentCount is 11, more than the 10 bytes there are"),
        (part(1, 2, 9, 5), "the fragment ends at byte 10 of a message of 9 bytes (enet.totalLength)"),
    ] {
        let mut talk = stock();
        let at = talk.send(Server, vec![unreliable(3, 0, wrong)]);
        let (one, two) = passes(&Settings::default(), &talk.frames);
        for pass in [&one, &two] {
            assert_eq!(faults(pass, "enet.malformed"), expected(&[(at, text)]));
            assert_eq!(messages(pass), []);
        }
        // a right one with the same number is the first of its message
        let right =
            talk.send(Server, parts(1, b"all right", 5).into_iter().map(|p| unreliable(3, 0, p)).collect());
        assert_eq!(messages(&read(&Settings::default(), &talk.frames)), expected(&[(right, "all right")]));
    }
}

#[test]
fn fragments_of_a_byte_each_are_as_many_as_there_may_be() {
    let mut talk = stock();
    let at = talk.send(Server, parts(1, b"abc", 1).into_iter().map(|part| reliable(3, part)).collect());
    let two = read(&Settings::default(), &talk.frames);
    assert_eq!((messages(&two), faults(&two, "enet.malformed")), (expected(&[(at, "abc")]), vec![]));
}

#[test]
fn a_fragment_that_disagrees_with_the_first_is_not_put_in() {
    for (count, total, stated) in [(3, 11, "3 fragments of 11"), (2, 12, "2 fragments of 12")] {
        let mut talk = stock();
        let parts = parts(1, b"sent anyhow", 6);
        let odd = (Part { count, total, ..parts[1].0 }, b"-----".as_slice());
        talk.send(Server, vec![unreliable(3, 0, parts[0])]);
        let wrong = talk.send(Server, vec![unreliable(3, 0, odd)]);
        let last = talk.send(Server, vec![unreliable(3, 0, parts[1])]);
        let text =
            format!("This fragment states {stated} bytes in all, the first seen of its message 2 of 11");
        let (one, two) = passes(&Settings::default(), &talk.frames);
        for pass in [&one, &two] {
            assert_eq!(faults(pass, "enet.malformed"), expected(&[(wrong, &text)]));
            assert_eq!(messages(pass), expected(&[(last, "sent anyhow")]));
        }
    }
}

#[test]
fn a_fragment_that_the_capture_cut_is_not_put_in() {
    let mut talk = stock();
    let parts = parts(1, b"sent surely", 6);
    let cut = talk.send(Server, vec![unreliable(3, 0, parts[0])]);
    let there = talk.frames[cut].reported - 2;
    talk.frames[cut].bytes.truncate(there);
    talk.send(Server, vec![unreliable(3, 0, parts[1])]);
    let (one, two) = passes(&Settings::default(), &talk.frames);
    for pass in [&one, &two] {
        let text = "The capture holds 4 of the fragment's 6 bytes: its message cannot be put together";
        assert_eq!(faults(pass, "enet.short"), expected(&[(cut, text)]));
        assert_eq!((messages(pass), faults(pass, "enet.malformed")), (vec![], vec![]));
    }
    // it may come again, whole
    let whole = talk.send(Server, vec![unreliable(3, 0, parts[0])]);
    assert_eq!(messages(&read(&Settings::default(), &talk.frames)), expected(&[(whole, "sent surely")]));
}

#[test]
fn a_message_shorter_than_its_headers_say_is_told() {
    let mut talk = stock();
    let mut parts = parts(1, b"sent surely", 6);
    parts.iter_mut().for_each(|(part, _)| part.total = 20);
    let frames = [0, 1].map(|number| talk.send(Server, vec![reliable(3, parts[number])]));
    let (one, two) = passes(&Settings::default(), &talk.frames);
    for pass in [&one, &two] {
        let text = "The fragments make 11 bytes, their headers say 20";
        assert_eq!(faults(pass, "enet.malformed"), expected(&[(frames[1], text)]));
    }
}

/// A stock conversation without its connect: claimed with its third datagram.
fn unopened() -> Talk {
    Talk { session: 1, ..Talk::new(HeaderVariant::Stock) }
}

#[test]
fn a_message_that_began_before_the_claim_is_put_together_behind_it() {
    let mut talk = unopened();
    let parts = parts(1, b"sent surely", 6);
    talk.send(Server, vec![reliable(3, parts[0])]);
    talk.reliable(Client, 3, 1, b"a long order");
    let last = talk.send(Server, vec![reliable(3, parts[1])]);
    let (one, two) = passes(&Settings::default(), &talk.frames);
    assert_eq!(one.iter().map(Option::is_some).collect::<Vec<_>>(), [false, false, true]);
    assert_eq!(messages(&one), expected(&[(last, "sent surely")]));
    assert_eq!(messages(&two), expected(&[(last, "sent surely")]));
    assert_eq!(shown(&two)[0].values("enet.reassembledIn"), [3]);
}

#[test]
fn messages_that_were_whole_before_the_claim_are_found_again() {
    let mut talk = unopened();
    let (one, two) = (parts(1, b"sent surely", 6), parts(1, b"one more of them", 9));
    // fragments of two messages in turn, so that each has its own bytes
    talk.send(Server, vec![reliable(3, one[0]), reliable(4, two[0])]);
    let whole = talk.send(Server, vec![reliable(4, two[1]), reliable(3, one[1])]);
    talk.reliable(Client, 3, 1, b"an order");
    let (first, second) = passes(&Settings::default(), &talk.frames);
    assert_eq!(messages(&first), [], "they are not of the frame that claims the conversation");
    assert_eq!(messages(&second), expected(&[(whole, "one more of them"), (whole, "sent surely")]));
    assert_eq!(shown(&second)[0].values("enet.reassembledIn"), [2, 2]);
}
