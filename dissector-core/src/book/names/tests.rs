use super::*;
use crate::book::MESSAGES;
use crate::registry::REGISTRY;
use crate::version::b;
use serde_json::Value;
use std::collections::BTreeMap;

fn named(build: Build, command: u16) -> Option<&'static str> {
    name(build, command).map(|(name, _)| name)
}

#[test]
fn listed_builds_state_their_names() {
    assert_eq!(name(b(131), 126), Some(("AI_Command", Source::Stated)));
    assert_eq!(name(b(109), 31), Some(("AI_Command", Source::Stated)));
    assert_eq!(name(b(110), 119), Some(("AI_Command", Source::Stated)));
    assert_eq!(name(Build::new(0, 8, 13, 26), 73), Some(("AI_TargetS2C", Source::Stated)));
    assert_eq!(name(SEASON4, 303), Some(("S2C_UnlockAnimation", Source::Stated)));
    assert_eq!(name(SEASON4, 304), None);
}

#[test]
fn a_build_between_two_that_agree_carries_their_name() {
    // 1.0.0.72 and 1.0.0.74 agree on the first and differ on the second.
    assert_eq!(name(b(73), 31), Some(("AI_Command", Source::Carried)));
    assert_eq!(named(b(72), 69), Some("AI_TargetS2C"));
    assert_eq!(named(b(74), 70), Some("AI_TargetS2C"));
    assert!([69, 70].iter().all(|n| named(b(73), *n) != Some("AI_TargetS2C")));
}

#[test]
fn later_builds_carry_moved_names() {
    assert_eq!(name(b(136), 127), Some(("AI_Command", Source::Carried)));
    assert_eq!(name(b(135), 43), Some(("S2C_StopAnimation", Source::Carried)));
    let last = Build::new(3, 1, 0, 0);
    assert_eq!(named(b(150), 40), named(last, 40));
    assert_eq!(name(Build::new(4, 17, 0, 267), 303), Some(("S2C_UnlockAnimation", Source::Carried)));
    assert_eq!(name(Build::new(4, 18, 0, 100), 303), Some(("S2C_UnlockAnimation", Source::Carried)));
    assert_eq!(name(Build::new(4, 20, 0, 314), 97), Some(("WaypointGroup", Source::Carried)));
}

#[test]
fn what_4_17_and_4_20_both_have_stands_under_one_number() {
    let (before, after) = (Build::new(4, 17, 0, 268), SEASON4);
    assert!(NEAR_SEASON4.holds(before) && !NEAR_SEASON4.holds(after));
    let number = |name, build| REGISTRY.program_of(name, build).map(|(_, number)| number);
    let numbers = MESSAGES.iter().filter_map(|m| Some((m, number(m.name, before)?, number(m.name, after)?)));
    let numbers: Vec<_> = numbers.collect();
    assert_eq!(numbers.len(), 25, "if it is fewer, they say less of what lies between");
    for (message, before, after) in numbers {
        assert_eq!(before, after, "{}: the names of 4.20 cannot be carried back", message.name);
    }
}

#[test]
fn no_table_no_name() {
    let outside = [
        Build::new(0, 8, 13, 25),
        Build::new(3, 1, 0, 1),
        Build::new(4, 16, 0, 9),
        Build::new(4, 20, 0, 316),
    ];
    for build in outside {
        let names = Names::of(build);
        assert!((0..=u16::MAX).all(|command| names.get(command).is_none()), "{build}");
    }
}

#[test]
fn lines_are_in_order() {
    let marks: Vec<_> = (0..LISTED.len()).map(early::mark).collect();
    assert!(marks.windows(2).all(|w| w[0] < w[1]) && LISTED.windows(2).all(|w| w[0] < w[1]));
    assert!(LINES.windows(2).all(|w| w[0].0 < w[1].0));
    for (name, pairs) in LINES {
        assert!(pairs.windows(2).all(|w| w[0].0 < w[1].0 && w[0].1 != w[1].1), "{name}");
        assert!(pairs.iter().all(|(from, _)| marks.contains(from)), "{name}");
    }
    for (place, build) in LISTED.iter().enumerate() {
        let mut numbers: Vec<_> =
            LINES.iter().map(|(_, pairs)| number_at(pairs, place)).filter(|n| *n != NONE).collect();
        let all = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), all, "two names share a number in {build}");
    }
}

/// What the shared table says of one build.
type Expected = BTreeMap<u16, (String, Source)>;

fn stated(shared: &Value, place: usize) -> Expected {
    let listed = shared["builds"].as_array().unwrap();
    let at = |build: &Value| listed.iter().position(|other| other == build).unwrap();
    let mut found = Expected::new();
    for line in shared["stated"].as_array().unwrap() {
        for run in line["runs"].as_array().unwrap() {
            if (at(&run["from"])..=at(&run["until"])).contains(&place) {
                let command = run["command"].as_u64().unwrap() as u16;
                found.insert(command, (line["name"].as_str().unwrap().to_owned(), Source::Stated));
            }
        }
    }
    found
}

fn listing(names: &Value, source: Source) -> Expected {
    let one = |(command, name): (&String, &Value)| {
        (command.parse().unwrap(), (name.as_str().unwrap().to_owned(), source))
    };
    names.as_object().unwrap().iter().map(one).collect()
}

fn compare(build: Build, expected: &Expected) {
    let names = Names::of(build);
    for command in (0..=600).chain([u16::MAX]) {
        let want = expected.get(&command).map(|(name, source)| (name.as_str(), *source));
        assert_eq!(names.get(command), want, "{build}, command {command}");
    }
}

fn build(value: &Value) -> Build {
    value.as_str().unwrap().parse().unwrap()
}

#[test]
fn every_name_is_as_the_shared_table_has_it() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/book/command-names.json");
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("skipped: no shared table of command names");
        return;
    };
    let shared: Value = serde_json::from_str(&text).unwrap();
    let listed: Vec<Build> = shared["builds"].as_array().unwrap().iter().map(build).collect();
    assert_eq!(listed, LISTED);
    let tables: Vec<Expected> = (0..listed.len()).map(|place| stated(&shared, place)).collect();
    for (build, table) in listed.iter().zip(&tables) {
        compare(*build, table);
    }
    for d in (25..131).filter(|d| !listed.contains(&b(*d))) {
        let next = listed.iter().position(|other| *other > b(d)).unwrap();
        let mut both = tables[next].clone();
        both.retain(|command, entry| tables[next - 1].get(command) == Some(entry));
        both.values_mut().for_each(|entry| entry.1 = Source::Carried);
        compare(b(d), &both);
    }
    for range in shared["carried"].as_array().unwrap() {
        let (from, until) = (build(&range["from"]), build(&range["until"]));
        let table = listing(&range["commands"], Source::Carried);
        let middle = (132..=154).map(b).filter(|build| from <= *build && *build <= until);
        middle.chain([from, until]).for_each(|build| compare(build, &table));
    }
    compare(SEASON4, &listing(&shared["4.20"], Source::Stated));
    for d in [233, 267, 268] {
        compare(Build::new(4, 17, 0, d), &listing(&shared["4.20"], Source::Carried));
    }
}
