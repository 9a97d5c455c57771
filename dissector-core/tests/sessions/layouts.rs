//! Layouts that are tried on the bodies of a session.

use dissector_core::book::names::Names;
use dissector_core::capture::{Detail, Sender, Settings};
use dissector_core::decode::head::Head;
use dissector_core::enet::wire::write::Outgoing;
use dissector_core::enet::wire::HeaderVariant;
use dissector_core::lol::cipher::Schedule;
use dissector_core::version::Build;

use crate::lab::{passes, Pass, Run, Shown};
use crate::wire::*;

/// A build that no page holds; a table states its numbers, so that a name leads to a layout.
const BY_NAME: Build = Build::new(1, 0, 0, 126);
/// A build after all pages and tables: its numbers are those of 4.20, if they are.
const BY_NUMBER: Build = Build::new(5, 1, 0, 0);

/// KillParticle, EffectRemoved, EffectCount and FaceDirection of 4.20: number and size of a body.
const FOUR: [(u16, usize); 4] = [(56, 4), (123, 9), (28, 14), (80, 17)];

/// A session whose client has registered, and how many messages each end has sent on channels 1 and 3.
struct Played {
    talk: Talk,
    sent: [u16; 2],
}

impl Played {
    fn new() -> Played {
        let mut talk = Talk::enciphered(HeaderVariant::Classic);
        talk.open();
        // without a text of its version: the settings state the build
        let asked = registration(&Schedule::new(&KEY).expect("16 bytes are a key"), 7);
        talk.send(Client, vec![Outgoing::reliable(0, 1, &asked)]);
        Played { talk, sent: [0; 2] }
    }

    /// A message; answers its place among the frames.
    fn say(&mut self, from: Sender, payload: &[u8]) -> usize {
        let sent = &mut self.sent[usize::from(from == Server)];
        *sent += 1;
        let (channel, sequence) = (if from == Server { 3 } else { 1 }, *sent);
        self.talk.reliable(from, channel, sequence, payload)
    }

    /// A body of the server under a number.
    fn body(&mut self, command: u16, size: usize) -> usize {
        self.say(Server, &other(command, 0x4000_0019, &vec![0x40; size]))
    }

    /// So many bodies of each of the four; answers the places of all.
    fn four(&mut self, times: [usize; 4]) -> Vec<usize> {
        let mut places = Vec::new();
        for ((command, size), times) in FOUR.into_iter().zip(times) {
            places.extend((0..times).map(|_| self.body(command, size)));
        }
        places
    }

    fn passes(&self, build: Build) -> (Pass, Pass) {
        passes(&Settings { build: build.to_string(), ..keyed() }, &self.talk.frames)
    }
}

/// The number of a name in [`BY_NAME`].
fn number(name: &str) -> u16 {
    let names = Names::of(BY_NAME);
    (0..256).find(|number| names.get(*number).is_some_and(|(found, _)| found == name)).expect("a name")
}

/// A message under the number of a name in [`BY_NAME`].
fn renumbered(name: &str, message: &[u8]) -> Vec<u8> {
    let (_, net_id, body) = Head::new(message).read().expect("a message of the game");
    other(number(name), net_id, &message[body as usize..])
}

fn at(pass: &Pass, place: usize) -> &Shown {
    pass[place].as_ref().expect("a session's frame")
}

/// What a note says wherever a pass shows it.
fn told_anywhere(pass: &Pass, note: &str) -> Vec<String> {
    let all = pass.iter().flatten().flat_map(|shown| shown.told(note));
    all.map(str::to_owned).collect()
}

/// How the layouts of these frames are known.
fn bases<'p>(pass: &'p Pass, places: &[usize]) -> Vec<&'p str> {
    places.iter().flat_map(|place| at(pass, *place).texts("lol.layout.basis")).collect()
}

#[test]
fn a_layout_is_taken_by_name_with_the_eighth_body() {
    for count in [7, 8] {
        let mut played = Played::new();
        let acks: Vec<_> =
            (0..count).map(|sync| played.say(Client, &renumbered("Waypoint_Acc", &ack(sync)))).collect();
        let (first, second) = played.passes(BY_NAME);
        let last = acks.len() - 1;
        assert_eq!(bases(&first, &acks[..last]), vec!["none"; last], "nothing is known yet");
        let basis = if count == 8 { "inferred" } else { "none" };
        assert_eq!(bases(&first, &acks[last..]), [basis]);
        assert_eq!(bases(&second, &acks), vec![basis; acks.len()]);
        let shown = at(&second, acks[0]);
        assert_eq!(shown.texts("lol.commandName"), ["Waypoint_Acc"]);
        assert_eq!(shown.texts("lol.commandName.source"), ["stated"]);
        if count == 8 {
            assert_eq!(
                (shown.texts("lol.message"), shown.values("waypoint.syncId")),
                (vec!["WaypointAck"], vec![0])
            );
            let told =
                "Layout inferred: no page holds WaypointAck for this build, but that of 1.0.0.130–3.1.0.0 \
                uses bodies of this kind up exactly";
            for pass in [&first, &second] {
                assert_eq!(at(pass, acks[last]).told("lol.inferred"), [told], "where it was first read");
            }
            assert_eq!(shown.told("lol.inferred"), [""; 0], "once in a session");
        } else {
            let told = "7 messages are not read: build 1.0.0.126 has no layout for command ";
            assert!(shown.told("lol.unknown")[0].starts_with(told), "{:?}", shown.told("lol.unknown"));
            assert!(acks[1..].iter().all(|ack| at(&second, *ack).told("lol.unknown").is_empty()));
            assert_eq!(shown.values("lol.body").len(), 1);
        }
    }
}

#[test]
fn what_came_before_a_layout_was_taken_is_replayed_in_its_order() {
    let mut played = Played::new();
    let mut rounds = Vec::new();
    for sync in 0..5 {
        let asked = played.say(Server, &renumbered("WaypointGroup", &group(sync)));
        let answered = played.say(Client, &renumbered("Waypoint_Acc", &ack(sync)));
        rounds.push((asked, answered));
    }
    let (first, second) = played.passes(BY_NAME);
    for (sync, (asked, answered)) in rounds.iter().enumerate() {
        let frame = |place: &usize| u64::from(played.talk.frames[*place].id.0);
        assert_eq!(at(&second, *asked).values("waypoint.ackIn"), [frame(answered)], "round {sync}");
        assert_eq!(at(&second, *answered).values("waypoint.ackTo"), [frame(asked)], "round {sync}");
        assert_eq!(at(&second, *answered).values("waypoint.syncId"), [sync as u64]);
        // the eighth body answers the fourth group, which is replayed only once that answer was shown
        let linked = at(&first, *answered).values("waypoint.ackTo");
        assert_eq!(linked, if sync < 4 { vec![] } else { vec![frame(asked)] }, "round {sync}");
    }
}

#[test]
fn what_a_name_led_to_is_read_even_where_bytes_are_missing_or_left() {
    let mut played = Played::new();
    for sync in 0..8 {
        played.say(Client, &renumbered("Waypoint_Acc", &ack(sync)));
    }
    let whole = renumbered("Waypoint_Acc", &ack(8));
    let grown = played.say(Client, &[&whole[..], &[1, 2]].concat());
    let short = played.say(Client, &whole[..whole.len() - 1]);
    let (first, second) = played.passes(BY_NAME);
    for pass in [&first, &second] {
        assert_eq!(bases(pass, &[grown, short]), ["inferred"; 2]);
        assert_eq!(at(pass, grown).told("lol.surplus"), ["2 bytes after the end of WaypointAck"]);
        assert_eq!(at(pass, short).told("lol.malformed").len(), 1);
    }
}

#[test]
fn a_layout_that_refused_a_body_is_never_taken() {
    let mut played = Played::new();
    let whole = renumbered("Waypoint_Acc", &ack(1));
    let mut acks = vec![played.say(Client, &whole)];
    acks.push(played.say(Client, &[&whole[..], &[1]].concat()));
    // others are, once nine bodies of ten fit
    let groups: Vec<_> =
        (0..8).map(|sync| played.say(Server, &renumbered("WaypointGroup", &group(sync)))).collect();
    acks.extend((0..9).map(|_| played.say(Client, &whole)));
    let (_, second) = played.passes(BY_NAME);
    assert_eq!(bases(&second, &acks), vec!["none"; acks.len()]);
    assert_eq!(bases(&second, &groups), vec!["inferred"; groups.len()]);
}

#[test]
fn neighbours_lend_their_numbers_after_24_bodies_of_four_commands() {
    for (times, taken) in [([6, 6, 6, 5], false), ([6, 6, 6, 6], true), ([9, 9, 9, 0], false)] {
        let mut played = Played::new();
        let places = played.four(times);
        let (first, second) = played.passes(BY_NUMBER);
        let last = places.len() - 1;
        let basis = if taken { "neighbour" } else { "none" };
        assert_eq!(bases(&first, &places[..last]), vec!["none"; last], "{times:?}");
        assert_eq!(bases(&first, &places[last..]), [basis], "{times:?}");
        assert_eq!(bases(&second, &places), vec![basis; places.len()], "{times:?}");
        let shown = at(&second, places[0]);
        assert_eq!(shown.texts("lol.commandName"), [""; 0], "no table reaches this build");
        assert_eq!(told_anywhere(&second, "lol.unknown").is_empty(), taken);
        if taken {
            let told =
                "Layout of build 4.20.0.315: no page holds this one, but there this number is KillParticle, \
                and this session's bodies are used up exactly";
            assert!(told_anywhere(&second, "lol.inferred").contains(&told.to_owned()));
            assert_eq!(shown.texts("lol.message"), ["KillParticle"]);
        } else {
            let told = told_anywhere(&second, "lol.unknown");
            let (wanted, all) = if times[3] == 5 {
                ("23 messages", "28 ×6, 56 ×6, 123 ×6, 80 ×5")
            } else {
                ("27 messages", "28 ×9, 56 ×9, 123 ×9")
            };
            let text = format!(
                "{wanted} are not read: build 5.1.0.0 has no layout for command {all}; lol.layout.basis == \"none\" finds all that is not read"
            );
            assert_eq!(told, [text]);
        }
    }
}

#[test]
fn a_body_that_the_layout_of_a_number_does_not_fit_stays_bytes() {
    let mut played = Played::new();
    let before = played.four([6; 4]);
    let odd = [played.body(56, 5), played.body(80, 16), played.body(80, 18)];
    let after = played.four([1; 4]);
    let (first, second) = played.passes(BY_NUMBER);
    for pass in [&first, &second] {
        assert_eq!(bases(pass, &odd), ["none"; 3]);
        assert_eq!(bases(pass, &after), ["neighbour"; 4], "what was taken stays");
        assert!(odd.iter().all(|place| at(pass, *place).has("lol.body")));
    }
    assert_eq!(bases(&second, &before), vec!["neighbour"; 24]);
}

#[test]
fn numbers_that_mean_something_else_are_refused() {
    // each body is one byte longer than that of the number in 4.20
    let mut played = Played::new();
    let mut places = Vec::new();
    for (command, size) in FOUR {
        places.extend((0..9).map(|_| played.body(command, size + 1)));
    }
    // 24 that fit are too few beside so many that do not
    let fitting: Vec<_> = [(48, 13); 24].iter().map(|(command, size)| played.body(*command, *size)).collect();
    let (first, second) = played.passes(BY_NUMBER);
    for pass in [&first, &second] {
        assert_eq!(bases(pass, &places), vec!["none"; places.len()]);
        assert_eq!(bases(pass, &fitting), vec!["none"; fitting.len()]);
    }
}

#[test]
fn a_body_that_was_sent_twice_is_evidence_once() {
    let mut played = Played::new();
    for (sync, payload) in (0..7).map(|sync| (sync, renumbered("Waypoint_Acc", &ack(sync.into())))) {
        played.say(Client, &payload);
        played.talk.wait(500).reliable(Client, 1, sync + 1, &payload);
    }
    let places: Vec<_> = (4..played.talk.frames.len()).collect();
    let (_, second) = played.passes(BY_NAME);
    assert_eq!(bases(&second, &places), vec!["none"; places.len()], "seven bodies");
    let eighth = played.say(Client, &renumbered("Waypoint_Acc", &ack(7)));
    let (_, second) = played.passes(BY_NAME);
    assert_eq!(bases(&second, &[&places[..], &[eighth]].concat()), vec!["inferred"; places.len() + 1]);
}

#[test]
fn a_body_that_is_dissected_twice_on_the_first_pass_is_tried_on_once() {
    for (times, basis) in [(3, "none"), (6, "neighbour")] {
        let mut played = Played::new();
        let places = played.four([times; 4]);
        let settings = Settings { build: BY_NUMBER.to_string(), ..keyed() };
        let mut run = Run::new(&settings, Detail::Labels);
        for frame in &played.talk.frames {
            run.read(frame, false);
            run.read(frame, false);
        }
        let second = run.pass(&played.talk.frames, true);
        assert_eq!(bases(&second, &places), vec![basis; 4 * times], "{times} bodies of each");
    }
}
