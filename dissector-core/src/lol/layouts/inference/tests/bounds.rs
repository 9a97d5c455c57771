//! The bounds of a session of numbers: how many bodies, of how many commands, and how many trials at once.

use super::*;

/// Bodies of the four commands, so many of each.
fn feed_four(inference: &mut Inference, known: &BuildTables, times: [usize; 4]) {
    for ((command, size), times) in FOUR.into_iter().zip(times) {
        feed(inference, known, command, &vec![0x40; size], times);
    }
}

fn taken(inference: &Inference) -> [bool; 4] {
    FOUR.map(|(command, _)| name_of(inference, command).is_some())
}

#[test]
fn twenty_four_bodies_of_four_commands_are_enough_for_numbers() {
    for (times, expected) in [
        ([6, 6, 6, 5], [false; 4]),
        ([6, 6, 6, 6], [true; 4]),
        ([8, 8, 8, 0], [false; 4]),
        ([8, 8, 7, 1], [true, true, true, false]),
        ([99, 99, 1, 0], [false; 4]),
        ([20, 2, 1, 1], [true, true, false, false]),
    ] {
        let (mut inference, known) = (Inference::default(), BuildTables::new(V5_1));
        feed_four(&mut inference, &known, times);
        assert_eq!(taken(&inference), expected, "{times:?}");
        let sum = times.iter().sum::<usize>() as u32;
        let commands = times.iter().filter(|times| **times > 0).count() as u32;
        assert_eq!((inference.exact, inference.tried, inference.commands), (sum, sum, commands));
    }
}

#[test]
fn what_was_taken_still_speaks_for_and_against_its_numbers() {
    let (mut inference, known) = (Inference::default(), BuildTables::new(V5_1));
    feed_four(&mut inference, &known, [6; 4]);
    assert!(!inference.is_open(&known, 56, Sender::Server), "it is taken");
    feed(&mut inference, &known, 56, &[0x40; 4], 1);
    assert_eq!((inference.exact, inference.tried, inference.commands), (25, 25, 4));
    // a body that a taken layout does not fit does not undo those that it did
    feed(&mut inference, &known, 56, &[0x40; 5], 2);
    assert_eq!((inference.exact, inference.tried, inference.commands), (25, 27, 4));
    assert_eq!(name_of(&inference, 56), Some("KillParticle"), "what was taken stays");
    // 25 of 28 are too few for another
    feed(&mut inference, &known, 56, &[0x40; 5], 5);
    assert!(!feed(&mut inference, &known, 48, &[0x40; 13], 2));
    assert_eq!((name_of(&inference, 48), inference.is_open(&known, 48, Sender::Server)), (None, true));
}

#[test]
fn a_command_that_failed_takes_its_own_evidence_along_and_no_other() {
    let (mut inference, known) = (Inference::default(), BuildTables::new(V5_1));
    feed_four(&mut inference, &known, [3, 4, 5, 0]);
    feed(&mut inference, &known, 56, &[0x40; 5], 1);
    assert_eq!((inference.exact, inference.tried, inference.commands), (9, 13, 2));
    feed(&mut inference, &known, 56, &[0x40; 5], 2);
    assert_eq!((inference.exact, inference.tried, inference.commands), (9, 15, 2), "it has none left");
    // one that never was evidence takes none along
    feed(&mut inference, &known, 48, &[0x40; 5], 1);
    assert_eq!((inference.exact, inference.tried, inference.commands), (9, 16, 2));
    assert!(!inference.is_open(&known, 48, Sender::Server) && !inference.is_open(&known, 56, Sender::Server));
}

#[test]
fn a_trial_is_open_while_something_may_be_taken() {
    let (inference, known) = (Inference::default(), BuildTables::new(V5_1));
    assert!(inference.is_open(&known, 56, Sender::Server), "a neighbour has this number");
    assert!(!inference.is_open(&known, 56, Sender::Client), "for the server");
    assert!(!inference.is_open(&known, 60_000, Sender::Server));
    let known = BuildTables::new(b(126));
    assert!(inference.is_open(&known, 83, Sender::Server), "a table has a name for it");
    assert!(!inference.is_open(&known, 60_000, Sender::Server));
    assert_eq!(inference.trials.len(), 0, "asking opens none");
}

#[test]
fn a_name_that_no_layout_bears_is_tried_and_says_nothing() {
    let (mut inference, known) = (Inference::default(), BuildTables::new(b(126)));
    let unknown = |command: &u16| {
        known.names.get(*command).is_some() && candidates(&known, *command, Sender::Server).is_empty()
    };
    let command = (0..256).find(unknown).expect("a name without a layout");
    assert!(!feed(&mut inference, &known, command, &[0; 12], 20));
    assert_eq!((inference.exact, inference.tried, inference.trials.len()), (0, 0, 1));
    assert!(!inference.is_open(&known, command, Sender::Server));
    assert!(!feed(&mut inference, &known, 60_000, &[0; 12], 1));
    assert_eq!(inference.trials.len(), 1, "where nothing leads on there is no trial");
}

#[test]
fn as_many_commands_are_tried_as_there_is_room_for() {
    let known = BuildTables::new(V5_1);
    for (others, opened) in [(1023, true), (1024, false)] {
        let mut inference = Inference::default();
        let other = |number: usize| ((20_000 + number as u16, Sender::Client), Trial::new(vec![], 1));
        inference.trials.extend((0..others).map(other));
        feed(&mut inference, &known, 56, &[0x40; 4], 3);
        assert_eq!(inference.trials.contains_key(&(56, Sender::Server)), opened, "{others}");
        assert_eq!((inference.trials.len(), inference.exact), (1024, if opened { 3 } else { 0 }));
    }
    // what is tried already goes on
    let mut inference = Inference::default();
    feed(&mut inference, &known, 56, &[0x40; 4], 1);
    let other = |number: usize| ((20_000 + number as u16, Sender::Client), Trial::new(vec![], 1));
    inference.trials.extend((1..1024).map(other));
    feed(&mut inference, &known, 56, &[0x40; 4], 1);
    assert_eq!((inference.trials.len(), inference.exact), (1024, 2));
}

#[test]
fn a_body_is_cut_where_fewer_bytes_were_captured_than_sent() {
    let (mut inference, known) = (Inference::default(), BuildTables::new(V5_1));
    for (reported, exact) in [(5, 0), (4, 1)] {
        let body = Input { reported, ..input(&[0x40; 4]) };
        inference.try_on(&known, 56, Sender::Server, &body);
        assert_eq!((inference.exact, inference.tried), (exact, exact), "4 of {reported}");
    }
}

#[test]
fn names_lead_to_layouts_of_their_sender_only_the_nearest_first() {
    let of = |name: &'static str, sender| {
        by_name(b(126), name, sender)
            .iter()
            .map(|program| program.layout.builds.to_string())
            .collect::<Vec<_>>()
    };
    let facing = of("S2C_FaceDirection", Sender::Server);
    let nearest = ["1.0.0.130–1.0.0.135", "1.0.0.136–1.0.0.137", "1.0.0.138–1.0.0.143", "1.0.0.144–3.1.0.0"];
    assert_eq!((&facing[..4], facing.len()), (&nearest.map(String::from)[..], 8));
    let group = of("WaypointGroup", Sender::Server);
    assert_eq!(group.last().unwrap(), "1.0.0.25–1.0.0.129", "what no page places comes last");
    for (sender, name) in [(Sender::Server, "FaceDirection"), (Sender::Client, "FacePosition")] {
        let found = by_name(b(126), "S2C_FaceDirection", sender);
        let is_its = |program: &&Program| (program.layout.sender, program.message.name) == (sender, name);
        assert!(!found.is_empty() && found.iter().all(is_its), "{name}");
    }
}
