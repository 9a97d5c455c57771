//! Rules that the book and the field table keep, whatever is added to them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use dissector_core::book::MESSAGES;
use dissector_core::field::{Base, Kind};
use dissector_core::layout::{channel, Message, Sender};
use dissector_core::registry::REGISTRY;
use dissector_core::version::Build;

#[test]
fn every_layout_is_made_ready() {
    assert_eq!(REGISTRY.problems, [""; 0]);
    let layouts: usize = MESSAGES.iter().map(|message| message.layouts.len()).sum();
    assert_eq!(REGISTRY.programs.len(), layouts);
}

/// A name outside these rules keeps Wireshark from starting, or makes a field unreachable.
#[test]
fn names_are_ones_epan_takes() {
    const KEYWORDS: [&str; 22] = [
        "eq",
        "ne",
        "all_eq",
        "any_eq",
        "all_ne",
        "any_ne",
        "gt",
        "ge",
        "lt",
        "le",
        "bitwise_and",
        "contains",
        "matches",
        "not",
        "and",
        "or",
        "in",
        "any",
        "all",
        "true",
        "false",
        "nan",
    ];
    let families: BTreeSet<_> = MESSAGES.iter().map(|message| message.family.prefix).collect();
    for field in &REGISTRY.fields {
        let name = field.name.as_str();
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.'), "{name}");
        assert!(name.len() >= 2 && name.len() < 120, "{name}");
        assert!(name.starts_with(|c: char| c.is_ascii_lowercase()), "{name}");
        assert!(!name.ends_with('.') && !name.contains(".."), "{name}");
        assert!(!KEYWORDS.contains(&name), "{name}");
        let prefix = name.split('.').next().unwrap();
        let ours = ["lol", "enet", "bedrock"].contains(&prefix) || families.contains(prefix);
        assert!(ours, "{name}: no protocol of ours");
    }
}

#[test]
fn no_two_names_are_hard_to_tell_apart() {
    let mut seen = HashMap::new();
    for field in &REGISTRY.fields {
        let folded = field.name.to_ascii_lowercase().replace('.', "_");
        if let Some(other) = seen.insert(folded, &field.name) {
            panic!("{} and {other} differ only by case or by a dot", field.name);
        }
    }
}

#[test]
fn every_field_says_what_it_is() {
    for field in &REGISTRY.fields {
        let last = field.name.rsplit('.').next().unwrap();
        assert!(!field.title.trim().is_empty() && !field.blurb.trim().is_empty(), "{}", field.name);
        for text in [&field.title, &field.blurb] {
            assert_eq!(text.trim(), text, "{}", field.name);
            assert!(!text.contains(['\n', '\0']), "{}", field.name);
        }
        assert_ne!(field.blurb, field.name);
        assert_ne!(field.blurb, last, "{}", field.name);
        assert_ne!(field.blurb, field.title, "{}", field.name);
        assert!(field.blurb.len() < 240, "{}: {}", field.name, field.blurb.len());
    }
}

/// epan refuses a number without a base, a base without a number, and hexadecimal with a sign.
#[test]
fn bases_go_with_their_kinds() {
    for field in &REGISTRY.fields {
        match field.base {
            // a number without a base is shown by the names of its values alone
            Base::None => {
                assert!(!field.kind.is_integer() || !field.value_strings.is_empty(), "{}", field.name);
            }
            Base::Dec => assert!(field.kind.is_integer(), "{}", field.name),
            Base::Hex | Base::HexDec => {
                assert!(field.kind.is_integer() && !field.kind.is_signed(), "{}", field.name);
            }
        }
        let mut values: Vec<_> = field.value_strings.iter().map(|(value, _)| value).collect();
        values.sort();
        values.dedup();
        assert_eq!(values.len(), field.value_strings.len(), "{}: one value, two words", field.name);
        assert!(field.value_strings.is_empty() || field.kind.is_integer(), "{}", field.name);
    }
}

#[test]
fn a_family_stands_together_and_is_a_field() {
    for message in MESSAGES {
        let id = REGISTRY.field(message.family.prefix).unwrap();
        assert_eq!(REGISTRY.fields[usize::from(id)].kind, Kind::Family);
    }
    for program in &REGISTRY.programs {
        assert_eq!(REGISTRY.fields[usize::from(program.family)].name, program.message.family.prefix);
    }
    for paths in ["waypoint", "moveorder"] {
        for part in ["point", "point.x", "point.z", "point.rawX", "point.rawZ"] {
            assert!(REGISTRY.field(&format!("{paths}.{part}")).is_some());
        }
    }
    assert!(REGISTRY.field("path.point.x").is_none());
    assert!(REGISTRY.field("lol.unit").is_some());
}

/// The first and last build of each range there is: between them nothing changes.
fn turning_points() -> BTreeSet<Build> {
    let layouts = MESSAGES.iter().flat_map(|message| message.layouts);
    let ranges = layouts.flat_map(|layout| layout.commands.iter().map(|c| c.builds).chain([layout.builds]));
    ranges.flat_map(|range| [range.from, range.until]).collect()
}

#[test]
fn one_command_of_one_sender_is_one_message() {
    for build in turning_points() {
        let mut seen: BTreeMap<(bool, bool, u16), &Message> = BTreeMap::new();
        for message in MESSAGES {
            for layout in message.layouts {
                for command in layout.commands.iter().filter(|command| command.builds.holds(build)) {
                    let bare = !channel::has_net_id(layout.channel);
                    let key = (bare, layout.sender == Sender::Server, command.number);
                    if let Some(other) = seen.insert(key, message) {
                        panic!("{build}: {} and {} are both {key:?}", message.name, other.name);
                    }
                }
            }
        }
    }
}

#[test]
fn layouts_and_commands_cover_the_same_builds() {
    for message in MESSAGES {
        for layout in message.layouts {
            assert_eq!(layout.commands[0].builds.from, layout.builds.from, "{}", message.name);
            assert_eq!(layout.commands.last().unwrap().builds.until, layout.builds.until, "{}", message.name);
            for pair in layout.commands.windows(2) {
                assert!(pair[0].builds.until < pair[1].builds.from, "{} {}", message.name, pair[1].builds);
            }
        }
        for pair in message.layouts.windows(2) {
            assert!(pair[0].builds.until < pair[1].builds.from, "{} {}", message.name, pair[1].builds);
        }
    }
}

#[test]
fn tables_find_what_the_layouts_say() {
    for build in turning_points() {
        let table = REGISTRY.table(build);
        assert_eq!(table.build, build);
        let mut found = 0;
        for command in 0..=1000 {
            for sender in [Sender::Client, Sender::Server] {
                let game = table.program(&REGISTRY, Some(sender), command);
                let bare = table.bare(&REGISTRY, Some(sender), command);
                assert!(game.is_none_or(|program| channel::has_net_id(program.layout.channel)));
                assert!(bare.is_none_or(|program| !channel::has_net_id(program.layout.channel)));
                for program in game.into_iter().chain(bare) {
                    assert_eq!(program.layout.sender, sender);
                    assert_eq!(program.message.layout(build).unwrap().1, command);
                    found += 1;
                }
            }
        }
        assert_eq!(
            found,
            MESSAGES.iter().filter(|message| message.layout(build).is_some()).count(),
            "{build}"
        );
        assert!(table.program(&REGISTRY, None, u16::MAX).is_none());
    }
}

#[test]
fn a_sender_is_needed_only_where_a_command_means_two_messages() {
    let table = REGISTRY.table(Build::new(1, 0, 0, 136));
    let name =
        |sender, command| table.program(&REGISTRY, sender, command).map(|program| program.message.name);
    assert_eq!(name(Some(Sender::Server), 84), Some("FaceDirection"));
    assert_eq!(name(Some(Sender::Client), 84), Some("FacePosition"));
    assert_eq!(name(None, 84), None);
    assert_eq!(name(None, 101), Some("WaypointGroup"));
    assert_eq!(name(Some(Sender::Client), 101), None);
}

#[test]
fn one_name_has_one_kind() {
    let kind = |name: &str| REGISTRY.fields[usize::from(REGISTRY.field(name).unwrap())].kind;
    // i8 in one range of builds and u8 in the next.
    assert_eq!(kind("path.facing"), Kind::I32);
    assert_eq!(kind("path.syncId"), Kind::I32);
    assert_eq!(kind("waypoint.syncId"), Kind::U32);
    assert_eq!(kind("waypoint.movements"), Kind::Record);
    assert_eq!(kind("waypoint.movements.header.raw"), Kind::U32);
    assert_eq!(kind("waypoint.movements.header.unused"), Kind::U16);
    assert_eq!(kind("waypoint.movements.path.flags.raw"), Kind::Bytes);
    assert_eq!(kind("waypoint.movements.path.steps.xStep"), Kind::I8);
    assert_eq!(kind("moveorder.targetX"), Kind::Double);
    let unit = &REGISTRY.fields[usize::from(REGISTRY.field("moveorder.target").unwrap())];
    assert_eq!(unit.base, Base::HexDec);
}
