//! The engine's other ways in, and what it says of its settings.

use dissector_core::capture::{Detail, Endpoint, Sender, Settings};
use dissector_core::enet::wire::{write, HeaderVariant};
use dissector_core::engine::Engine;
use dissector_core::tree::Tree;

use crate::lab::{packet, show, Frame, Shown};
use crate::wire::{ack, built, group, keyed, together, Client, Server, Talk};

/// A deciphered payload between two ends of these host numbers.
fn payload(frame: u32, (from, to): (u8, u8), bytes: &[u8]) -> Frame {
    let mut talk = Talk::new(HeaderVariant::Classic);
    let end = |host: u8| Endpoint::new(2, &[192, 0, 2, host], 1_000);
    talk.capture(Client, bytes.to_vec());
    Frame { id: (frame, 0), ends: (end(from), end(to)), ..talk.frames.remove(0) }
}

fn read(engine: &mut Engine, frame: &Frame, channel: u8, sender: Option<Sender>) -> Shown {
    let packet = packet(frame, &frame.bytes, frame.reported, Detail::Labels, false);
    let output = engine.message(&packet, channel, sender).expect("a payload is always taken");
    show(output, &frame.bytes)
}

#[test]
fn payloads_without_enet_are_of_a_session_for_each_two_ends() {
    let mut engine = Engine::new(&built(Settings::default()));
    let talks = [((1, 2), 0), ((2, 1), 0), ((1, 3), 1), ((2, 1), 0), ((3, 1), 1), ((3, 1), 1), ((4, 1), 2)];
    for (number, (ends, session)) in (1..).zip(talks) {
        let frame = payload(number, ends, &group(number.into()));
        let shown = read(&mut engine, &frame, 4, Some(Server));
        assert_eq!(shown.values("lol.session"), [session], "frame {number}");
    }
    assert_eq!(engine.sessions(), 3);
}

#[test]
fn a_payload_without_enet_is_read_in_clear_on_the_channel_and_from_the_sender_it_is_given_with() {
    let mut engine = Engine::new(&built(keyed()));
    let shown = read(&mut engine, &payload(1, (1, 2), &group(7)), 4, Some(Server));
    assert_eq!(shown.values("waypoint.syncId"), [7]);
    assert_eq!((shown.values("lol.channel"), shown.texts("lol.sender")), (vec![4], vec!["server"]));
    let span = shown.payloads[0];
    assert_eq!((span.channel, span.sender, span.length, span.league, span.clear), (4, 2, 11, 1, 1));
    let shown = read(&mut engine, &payload(2, (2, 1), &ack(7)), 1, Some(Client));
    assert_eq!((shown.values("lol.channel"), shown.texts("lol.sender")), (vec![1], vec!["client"]));
    assert_eq!(shown.values("waypoint.ackTo"), [1], "it answers the frame before");
}

#[test]
fn a_payload_without_enet_tells_where_items_are_left_out() {
    let mut engine = Engine::new(&built(keyed()));
    let frame = payload(1, (1, 2), &together(&[group(7), group(8), group(9)]));
    let mut packet = packet(&frame, &frame.bytes, frame.reported, Detail::Labels, false);
    packet.nodes_before = u32::MAX;
    let output = engine.message(&packet, 4, None).expect("a payload is always taken");
    let shown = show(output, &frame.bytes);
    assert_eq!(shown.told("lol.tooMany").len(), 1);
    assert!(shown.items.len() <= Tree::LEAST_NODES && shown.has("lol.match"), "{:?}", shown.outline());
}

#[test]
fn settings_that_cannot_be_used_are_told_one_by_one() {
    let problems = |settings: &Settings| Engine::new(settings).problems().to_vec();
    assert_eq!(problems(&Settings::default()), [""; 0]);
    let wrong = Settings { variant: "old".into(), build: "new".into(), ..Settings::default() };
    let told = problems(&wrong);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told.iter().any(|problem| problem.starts_with("enet.shape: ") && problem.contains("\"old\"")));
    assert!(told.iter().any(|problem| problem.starts_with("lol.build: ")), "{told:?}");
}

#[test]
fn what_is_put_together_on_a_later_pass_completes_nothing() {
    let mut talk = Talk::new(HeaderVariant::Stock);
    talk.open();
    let payload = [7; 20];
    let cut = write::reliable((talk.variant, None), 38, 3, 1, &payload);
    let frames: Vec<_> = cut.into_iter().map(|command| talk.send(Server, vec![command])).collect();
    let mut engine = Engine::new(&Settings::default());
    let mut id = None;
    for frame in &talk.frames {
        let packet = packet(frame, &frame.bytes, frame.reported, Detail::State, false);
        let output = engine.datagram(&packet).expect("a frame of a session");
        id = output.fragments.first().map(|span| span.id).or(id);
    }
    // epan has lost a fragment, and finds the message only as somebody looks
    let frame = &talk.frames[frames[1]];
    let whole = packet(frame, &payload, payload.len(), Detail::Labels, true);
    assert!(engine.reassembled(&whole, id.expect("a fragment was given")).is_some());
    let packet = packet(frame, &frame.bytes, frame.reported, Detail::Labels, true);
    let output = engine.datagram(&packet).expect("a frame of a session");
    assert!(!show(output, &frame.bytes).has("enet.reassembledIn"));
}

#[test]
fn a_message_that_no_fragment_was_given_of_is_nobodys() {
    let mut talk = Talk::new(HeaderVariant::Stock);
    talk.open();
    let mut run = crate::lab::Run::new(&Settings::default(), Detail::Labels);
    run.pass(&talk.frames, false);
    let frame = &talk.frames[0];
    let packet = packet(frame, &frame.bytes, frame.reported, Detail::Labels, false);
    for id in [0, u32::MAX] {
        assert!(run.engine.reassembled(&packet, id).is_none(), "{id}");
    }
}
