//! A session as text: a line a message, by direction, in both passes.

use dissector_core::capture::{Detail, Settings};
use dissector_core::enet::wire::write::Outgoing;
use dissector_core::enet::wire::HeaderVariant;
use proptest::prelude::*;

use crate::lab::{Frame, Run, Shown};
use crate::wire::*;

/// All lines of a pass, with those of messages that were put together.
fn text(run: &mut Run, frames: &[Frame], visited: bool) -> String {
    fn add(text: &mut String, shown: &Shown) {
        text.push_str(&shown.follow);
        shown.messages.iter().for_each(|message| add(text, message));
    }
    let mut text = String::new();
    run.pass(frames, visited).iter().flatten().for_each(|shown| add(&mut text, shown));
    text
}

fn followed(settings: &Settings, frames: &[Frame]) -> [String; 2] {
    let mut run = Run::new(settings, Detail::Columns);
    run.engine.follow(true);
    [false, true].map(|visited| text(&mut run, frames, visited))
}

fn classic() -> Talk {
    let mut talk = Talk::enciphered(HeaderVariant::Classic);
    talk.open();
    talk.register();
    talk
}

#[test]
fn every_message_is_a_line_with_time_frame_sender_and_what_it_says() {
    let mut talk = classic();
    talk.wait(1_500);
    let both = together(&[group(985), other(150, 0x4000_0019, &[1, 2, 3])]);
    talk.reliable(Server, 4, 1, &both);
    talk.reliable(Client, 1, 2, &ack(985));
    talk.reliable(Server, 5, 1, &[1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let [first, second] = followed(&keyed(), &talk.frames);
    let lines: Vec<_> = first.lines().collect();
    assert_eq!(
        lines[..6],
        [
            "0.003000 #4 client [registration] player 7",
            "0.004000 #5 server [registration] player 7",
            "0.005000 #6 client [SynchVersionC2S] 36 bytes",
            "1.506000 #7 server WaypointGroup sync=985",
            "1.506000 #7 server [ServerGameSettings] 0x40000019, 3 bytes",
            "1.507000 #8 client WaypointAck sync=985, after 1 ms",
        ]
    );
    assert_eq!(lines[6], "1.508000 #9 server [chat] 9 bytes");
    assert_eq!(lines.len(), 7);
    // what the first pass knew, later ones know; the build is stated in frame 6 only
    assert_eq!(first, second);
}

#[test]
fn what_cannot_be_read_is_told_by_its_bytes() {
    let mut talk = classic();
    talk.reliable(Server, 4, 1, &group(985));
    let [first, _] = followed(&Settings::default(), &talk.frames);
    assert!(first.ends_with("0.006000 #7 server [enciphered] 11 bytes, channel 4\n"), "{first}");
}

#[test]
fn what_is_sent_again_is_no_further_message_and_what_comes_late_is_told_so() {
    let mut talk = classic();
    let group_bytes = talk.sealed(&group(1));
    talk.send(Server, vec![Outgoing::reliable(4, 1, &group_bytes)]);
    talk.send(Server, vec![Outgoing::reliable(4, 1, &group_bytes)]);
    for (number, sync) in [(2, 2), (2, 2), (1, 3)] {
        let bytes = talk.sealed(&group(sync));
        talk.send(Server, vec![Outgoing::unreliable(4, 1, number, &bytes)]);
    }
    for text in followed(&keyed(), &talk.frames) {
        let told: Vec<_> = text.lines().skip(3).map(|line| line.split_once("server ").unwrap().1).collect();
        assert_eq!(told, ["WaypointGroup sync=1", "WaypointGroup sync=2", "[late] WaypointGroup sync=3"]);
    }
}

#[test]
fn more_messages_than_the_info_line_holds_are_all_told() {
    let mut talk = classic();
    let many: Vec<_> = (0..100).map(group).collect();
    talk.reliable(Server, 4, 1, &together(&many));
    for text in followed(&keyed(), &talk.frames) {
        assert_eq!(text.lines().filter(|line| line.contains("WaypointGroup sync=")).count(), 100);
        assert!(text.contains(" sync=99\n"));
    }
}

#[test]
fn nothing_is_written_while_nobody_follows() {
    let talk = classic();
    let mut run = Run::new(&keyed(), Detail::Labels);
    assert_eq!(text(&mut run, &talk.frames, false), "");
    run.engine.follow(true);
    assert_eq!(text(&mut run, &talk.frames, true).lines().count(), 3);
    run.engine.follow(false);
    assert_eq!(text(&mut run, &talk.frames, true), "");
}

#[test]
fn payloads_without_enet_are_sessions_too() {
    let talk = classic();
    let mut run = Run::new(&built(Settings::default()), Detail::Columns);
    run.engine.follow(true);
    let bytes = group(984);
    for (time, told) in [(5_000_000, "0.000000"), (4_500_000, "-0.000500")] {
        let frame = Frame { time, ..talk.frames[0].clone() };
        let packet = crate::lab::packet(&frame, &bytes, bytes.len(), Detail::Columns, false);
        let output = run.engine.message(&packet, 4, Some(Server)).unwrap();
        assert_eq!(output.follow.text, format!("{told} #1 server WaypointGroup sync=984\n"));
        assert_eq!(output.follow.sender, Some(Server));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever a payload holds, its text is lines that say where they come from, and no more than it has bytes.
    #[test]
    fn any_payload_is_lines(
        channel in 0u8..8,
        payload in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..300),
            prop::collection::vec(prop_oneof![Just(0xFFu8), 0u8..8, Just(101)], 0..300),
        ],
    ) {
        let mut talk = Talk::new(HeaderVariant::Classic);
        talk.open();
        talk.send(Server, vec![Outgoing::reliable(channel, 1, &payload)]);
        let mut run = Run::new(&built(Settings::default()), Detail::Columns);
        run.engine.follow(true);
        let first = text(&mut run, &talk.frames, false);
        prop_assert!(first.lines().count() <= payload.len() + 1);
        prop_assert!(first.is_empty() || first.ends_with('\n'));
        for line in first.lines() {
            let marked = line.contains(" #4 server ") || line.contains(" #4 unknown ");
            prop_assert!(marked, "{}", line);
            prop_assert!(line.chars().all(|character| !character.is_control()));
        }
        prop_assert_eq!(text(&mut run, &talk.frames, true), first);
    }
}
