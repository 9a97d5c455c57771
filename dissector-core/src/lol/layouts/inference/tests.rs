mod bounds;
mod evidence;

use super::*;
use crate::encode::{self, Value};
use crate::registry::least;
use crate::version::b;

const V4_18: Build = Build::new(4, 18, 0, 100);
const V3_9: Build = Build::new(3, 9, 0, 0);
const V5_1: Build = Build::new(5, 1, 0, 0);
const V4_20: Build = Build::new(4, 20, 0, 315);

fn input(bytes: &[u8]) -> Input<'_> {
    Input { bytes, reported: bytes.len() as u32, ..Input::default() }
}

fn ack(sync: i64) -> Vec<u8> {
    let (program, _) = REGISTRY.program_of("WaypointAck", b(131)).unwrap();
    let fields = Value::Record(vec![
        ("syncId".into(), Value::Int(sync.into())),
        ("relocationCount".into(), Value::Int(0)),
        ("relocations".into(), Value::List(vec![])),
    ]);
    encode::body(program, None, &fields).unwrap()
}

/// The layouts tried on a command, and what leads to each.
fn leads(build: Build, command: u16, sender: Sender) -> Vec<(&'static str, Lead)> {
    let found = candidates(&BuildTables::new(build), command, sender);
    found.iter().map(|candidate| (candidate.program.message.name, candidate.lead)).collect()
}

/// Name, number, sender and body.
type Sent = (&'static str, u16, Sender, Vec<u8>);

/// The messages of a build with a page, each with the shortest body there is, all zero.
fn messages(build: Build) -> Vec<Sent> {
    let all = REGISTRY.programs.iter().filter(|program| channel::has_net_id(program.layout.channel));
    all.filter_map(|program| {
        let number = program.layout.commands.iter().find(|command| command.builds.holds(build))?.number;
        let least = least(&program.steps) as usize;
        let sizes = least..least + 100;
        let body = sizes.map(|size| vec![0; size]).find(|body| fits(program, &input(body)))?;
        Some((program.message.name, number, program.layout.sender, body))
    })
    .collect()
}

/// Bodies under a number from a server; answers whether something was taken with the last of them.
fn feed(inference: &mut Inference, known: &BuildTables, command: u16, body: &[u8], times: usize) -> bool {
    let feed = |_| inference.try_on(known, command, Sender::Server, &input(body));
    (0..times).map(feed).last().unwrap_or(false)
}

fn name_of(inference: &Inference, command: u16) -> Option<&'static str> {
    Some(inference.taken(command, Sender::Server)?.program.message.name)
}

#[test]
fn names_lead_to_messages() {
    let (name, _) = Names::of(b(126)).get(100).expect("a name");
    assert!(!by_name(b(126), name, Sender::Server).is_empty(), "{name}");
    assert!(by_name(b(126), "no such name", Sender::Server).is_empty());
    // the registration has no net id, so that a command with one is another
    assert!(leads(V4_18, 0, Sender::Client).is_empty());
}

#[test]
fn neighbours_lead_where_no_name_does() {
    let number = |build: &str| Lead::Number(build.parse().unwrap());
    assert_eq!(leads(V4_18, 265, Sender::Server), [("EffectCounter", number("4.17.0.268"))]);
    assert_eq!(leads(V5_1, 97, Sender::Server), [("WaypointGroup", number("4.20.0.315"))]);
    let both = [("AnimationOverrides", number("3.1.0.0")), ("EffectAddedGroup", number("4.17.0.233"))];
    assert_eq!(leads(V3_9, 104, Sender::Server), both);
    let after = Build::new(4, 10, 0, 0);
    assert_eq!(leads(after, 104, Sender::Server), [both[1], both[0]], "the nearer first");
    assert!(leads(V3_9, 104, Sender::Client).is_empty(), "a server's");
    assert!(leads(V3_9, 182, Sender::Server).is_empty(), "it reaches to the end, wherever that is");
}

#[test]
fn a_name_comes_before_a_number_and_nothing_twice() {
    let group = leads(V4_18, 97, Sender::Server);
    assert!(group.len() > 1 && group.iter().all(|lead| *lead == ("WaypointGroup", Lead::Name)), "{group:?}");
    let known = BuildTables::new(b(126));
    let all = (0..=u16::MAX).flat_map(|command| candidates(&known, command, Sender::Server));
    assert!(all.into_iter().all(|found| found.lead == Lead::Name), "a table states the numbers");
}

#[test]
fn a_layout_is_taken_after_many_exact_bodies_and_not_before() {
    let names = Names::of(b(126));
    let number = |wanted: u16| {
        let (name, _) = Names::of(b(131)).get(wanted).unwrap();
        (0..256u16).find(|command| names.get(*command).is_some_and(|(found, _)| found == name))
    };
    let command = number(122).expect("WaypointAck has a number in 1.0.0.126");
    let (mut inference, known) = (Inference::default(), BuildTables::new(b(126)));
    for sync in 0..i64::from(ENOUGH) - 1 {
        assert!(!inference.try_on(&known, command, Sender::Client, &input(&ack(sync))));
        assert!(inference.taken(command, Sender::Client).is_none());
    }
    assert!(inference.try_on(&known, command, Sender::Client, &input(&ack(99))));
    let taken = inference.taken(command, Sender::Client).unwrap();
    assert_eq!((taken.program.message.name, taken.lead), ("WaypointAck", Lead::Name));
}

#[test]
fn a_layout_that_takes_whatever_is_left_is_no_evidence() {
    let known = BuildTables::new(b(126));
    let number =
        |name: &str| (0..256).find(|command| known.names.get(*command).is_some_and(|(n, _)| n == name));
    let (path, ack) = (number("WaypointList").unwrap(), number("Waypoint_Acc").unwrap());
    let mut inference = Inference::default();
    feed(&mut inference, &known, path, &[0x40; 44], 100);
    assert_eq!((inference.exact, inference.tried), (0, 0));
    assert!(inference.taken(path, Sender::Server).is_none());
    // with others to bear the build out, one of it is enough
    for sync in 0..i64::from(ENOUGH) {
        inference.try_on(&known, ack, Sender::Client, &input(&self::ack(sync)));
    }
    assert_eq!(name_of(&inference, path), Some("Path"));
}

#[test]
fn bodies_that_fit_nothing_take_nothing() {
    let (mut inference, known) = (Inference::default(), BuildTables::new(b(126)));
    for length in 0..200 {
        inference.try_on(&known, 122, Sender::Client, &input(&vec![7; length % 4]));
    }
    assert!(inference.taken(122, Sender::Client).is_none());
}

/// KillParticle, EffectRemoved, EffectCount and FaceDirection of 4.20: number and size.
const FOUR: [(u16, usize); 4] = [(56, 4), (123, 9), (28, 14), (80, 17)];

#[test]
fn a_number_alone_takes_twice_as_many_bodies_as_a_name() {
    let (mut inference, known) = (Inference::default(), BuildTables::new(V5_1));
    for (command, size) in FOUR {
        let before_the_last = if command == 80 { 5 } else { 6 };
        assert!(!feed(&mut inference, &known, command, &vec![0x40; size], before_the_last));
    }
    assert!(FOUR.iter().all(|(command, _)| name_of(&inference, *command).is_none()), "23 bodies");
    assert!(feed(&mut inference, &known, 80, &[0x40; 17], 1));
    let names = FOUR.map(|(command, _)| name_of(&inference, command).unwrap());
    assert_eq!(names, ["KillParticle", "EffectRemoved", "EffectCount", "FaceDirection"]);
    assert_eq!(inference.taken(80, Sender::Server).unwrap().lead, Lead::Number(V4_20));
    // from here on two bodies of a command are enough
    assert!(!feed(&mut inference, &known, 48, &[0x40; 13], 1));
    assert!(feed(&mut inference, &known, 48, &[0x40; 13], 1));
}

#[test]
fn three_commands_are_too_few() {
    let (mut inference, known) = (Inference::default(), BuildTables::new(V5_1));
    for (command, size) in &FOUR[..3] {
        assert!(!feed(&mut inference, &known, *command, &vec![0x40; *size], 100));
    }
    assert!(FOUR.iter().all(|(command, _)| name_of(&inference, *command).is_none()));
}

#[test]
fn every_body_that_fits_nothing_speaks_against_the_numbers() {
    let known = BuildTables::new(V5_1);
    // 27 of 30 are enough, 26 of 30 are not; that of a command which never fitted counts each time
    for (wrong, taken) in [(3, true), (4, false)] {
        let mut inference = Inference::default();
        feed(&mut inference, &known, 48, &[0x40; 5], wrong);
        for (command, size) in FOUR {
            let times = if command == 56 { 9 - wrong } else { 7 };
            feed(&mut inference, &known, command, &vec![0x40; size], times);
        }
        assert_eq!(inference.tried, 30);
        assert_eq!(FOUR.map(|(command, _)| name_of(&inference, command).is_some()), [taken; 4], "{wrong}");
    }
}

#[test]
fn bodies_of_a_command_whose_layouts_all_failed_are_no_evidence() {
    let (mut inference, known) = (Inference::default(), BuildTables::new(V5_1));
    feed(&mut inference, &known, 56, &[0x40; 4], 20);
    assert_eq!((inference.exact, inference.commands), (20, 1));
    feed(&mut inference, &known, 56, &[0x40; 5], 1);
    assert_eq!((inference.exact, inference.commands, inference.tried), (0, 0, 21));
}

#[test]
fn short_bodies_are_neither_evidence_nor_read_by_a_number_alone() {
    let (mut inference, known) = (Inference::default(), BuildTables::new(V5_1));
    // SpawnEnd, StartGame, SpawnStart, and ParticlesCreated without a group
    const SHORT: [(u16, usize); 4] = [(17, 0), (92, 1), (98, 2), (135, 1)];
    for (command, size) in SHORT {
        assert!(!feed(&mut inference, &known, command, &vec![0; size], 100));
    }
    assert_eq!((inference.exact, inference.tried), (0, 0));
    for (command, size) in FOUR {
        feed(&mut inference, &known, command, &vec![0x40; size], 10);
    }
    assert_eq!(name_of(&inference, 56), Some("KillParticle"));
    for (command, size) in SHORT {
        feed(&mut inference, &known, command, &vec![0; size], 10);
        assert_eq!(name_of(&inference, command), None);
    }
}

#[test]
fn of_layouts_of_one_size_the_one_that_makes_sense_is_taken() {
    let face = |build: Build, how: &str, (x, z, time): (f32, f32, f32)| {
        let (program, number) = REGISTRY.program_of("FaceDirection", build).unwrap();
        let int = |name: &str, value: i128| (name.to_owned(), Value::Int(value));
        let float = |name: &str, value: f32| (name.to_owned(), Value::Float(value));
        let how = Value::Record(vec![int("turnOverTime", 1), int(how, 0)]);
        let fields = Value::Record(vec![
            ("how".to_owned(), how),
            float("towardX", x),
            float("towardY", 0.0),
            float("towardZ", z),
            float("turnTime", time),
        ]);
        (number, encode::body(program, None, &fields).unwrap())
    };
    let before: Build = "4.17.0.268".parse().unwrap();
    // floats read across their bytes are mostly no numbers, or else absurd ones
    for floats in [(0.6, -0.8, 0.25), (-1.0, 0.0, 0.0)] {
        let (number, of_4_17) = face(before, "unused", floats);
        let (same, of_4_20) = face(V4_20, "unknown", floats);
        assert_eq!(
            (number, of_4_17.len()),
            (same, of_4_20.len()),
            "neither number nor size tells them apart"
        );
        for build in [V4_18, Build::new(4, 20, 0, 300)] {
            for (body, wanted) in [(&of_4_17, before), (&of_4_20, V4_20)] {
                let (mut inference, known) = (Inference::default(), BuildTables::new(build));
                feed(&mut inference, &known, 80, body, 3);
                feed(&mut inference, &known, 48, &[0x40; 13], 20);
                let taken = inference.taken(80, Sender::Server).expect("a layout");
                assert!(taken.program.layout.builds.holds(wanted), "{build}: {wanted}");
            }
        }
    }
    // where only the number leads to the one, what makes no sense is not read as it
    let (mut inference, known) = (Inference::default(), BuildTables::new(V5_1));
    let (_, of_4_17) = face(before, "unused", (0.6, -0.8, 0.25));
    feed(&mut inference, &known, 80, &of_4_17, 3);
    assert_eq!((inference.exact, inference.tried), (0, 3));
}

#[test]
fn a_layout_that_mostly_states_absurd_floats_is_not_taken_by_a_carried_name() {
    let known = BuildTables::new(V4_18);
    let facing = |float: f32| [&float.to_le_bytes().repeat(3)[..], &[0; 5]].concat();
    let mut inference = Inference::default();
    feed(&mut inference, &known, 48, &[0x40; 13], 20);
    feed(&mut inference, &known, 80, &facing(1e30), 2);
    feed(&mut inference, &known, 80, &facing(0.5), 2);
    assert_eq!(name_of(&inference, 80), None);
    feed(&mut inference, &known, 80, &facing(0.5), 1);
    assert_eq!(name_of(&inference, 80), Some("FaceDirection"));
}

#[test]
fn a_body_that_was_cut_says_nothing() {
    let (mut inference, known) = (Inference::default(), BuildTables::new(V5_1));
    let cut = Input { reported: 17, ..input(&[0x40; 9]) };
    assert!((0..50).all(|_| !inference.try_on(&known, 80, Sender::Server, &cut)));
    assert_eq!(inference.tried, 0);
}

/// Three rounds of every message of a build, each number moved by so much, read as another build.
fn play(build: Build, by: u16, read_as: Build) -> (Inference, Vec<Sent>) {
    let (mut inference, known) = (Inference::default(), BuildTables::new(read_as));
    let all = messages(build);
    for _ in 0..3 {
        for (_, number, sender, body) in &all {
            inference.try_on(&known, number + by, *sender, &input(body));
        }
    }
    (inference, all)
}

#[test]
fn the_numbers_of_a_neighbour_are_read() {
    for (build, read_as) in [(V4_20, V5_1), ("4.17.0.268".parse().unwrap(), V4_18), (V4_20, V4_18)] {
        let (inference, all) = play(build, 0, read_as);
        for (name, number, sender, body) in all {
            let taken = inference.taken(number, sender);
            let by_number = taken.is_some_and(|taken| taken.lead != Lead::Name);
            assert!(taken.is_none_or(|taken| taken.program.message.name == name), "{name} {read_as}");
            assert!(taken.is_some() || body.len() < 4, "{name} {read_as}");
            assert!(!by_number || body.len() >= 4, "{name} {read_as}");
        }
    }
}

#[test]
fn shifted_numbers_yield_nothing() {
    let last: Build = "4.17.0.268".parse().unwrap();
    let third: Build = "3.1.0.0".parse().unwrap();
    let played = [(V4_20, V5_1), (last, V4_18), (V4_20, V4_18), (third, V3_9), (last, V3_9)];
    for (build, read_as) in played {
        for by in [1, 2, 5] {
            let (inference, _) = play(build, by, read_as);
            let taken: Vec<_> = inference.trials.values().filter_map(|trial| trial.taken).collect();
            assert!(taken.is_empty(), "{build} moved by {by} as {read_as}: {taken:?}");
        }
    }
}

#[test]
fn numbers_without_end_open_few_trials() {
    let (mut inference, known) = (Inference::default(), BuildTables::new(V4_18));
    for command in 0..=u16::MAX {
        inference.try_on(&known, command, Sender::Server, &input(&[0; 8]));
        inference.try_on(&known, command, Sender::Client, &input(&[0; 8]));
    }
    assert!(inference.trials.len() < MOST, "{}", inference.trials.len());
}
