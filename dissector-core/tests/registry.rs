//! Rules that the book and the field table keep, whatever is added to them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use dissector_core::book::{bedrock, MESSAGES};
use dissector_core::field::{Base, Kind, Mask};
use dissector_core::fields::experts;
use dissector_core::layout::{channel, Item, Meaning, Message, Row, Run, Sender, Type};
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

/// Wireshark does not start where two protocols share a name of any kind, or where one is a word of its filters.
#[test]
fn protocols_have_names_that_no_other_has() {
    const WORDS: &str =
        "eq ne all_eq any_eq all_ne any_ne gt ge lt le bitwise_and contains matches not and or xor in any \
                         all true false nan inf infinity upper lower len";
    let mut seen = HashSet::new();
    let protocols: Vec<_> = REGISTRY.fields.iter().filter(|field| field.kind.is_protocol()).collect();
    assert_eq!(protocols.len(), 20);
    for protocol in protocols {
        for name in [&protocol.name, &protocol.title, protocol.short_name] {
            assert!(!name.is_empty() && name.trim() == name, "{name}");
        }
        // modules of preferences are told apart without case
        assert!(seen.insert(protocol.name.to_ascii_lowercase()), "{}", protocol.name);
        assert!(seen.insert(format!("title {}", protocol.title.to_ascii_lowercase())), "{}", protocol.title);
        let short = format!("short {}", protocol.short_name.to_ascii_lowercase());
        assert!(seen.insert(short), "{}", protocol.short_name);
        let name = &protocol.name;
        assert!(name.len() >= 2 && name.chars().all(|c| c.is_ascii_lowercase()), "{name}");
        assert!(WORDS.split_whitespace().all(|word| word != name), "{name} is a word of filters");
        if protocol.kind == Kind::Family {
            assert!(
                protocol.title.starts_with("League of Legends "),
                "{} does not say whose it is",
                protocol.title
            );
            assert!(
                protocol.short_name.starts_with("LoL "),
                "{} does not say whose it is",
                protocol.short_name
            );
        }
    }
}

#[test]
fn every_name_belongs_to_the_protocol_it_begins_with() {
    for (at, field) in REGISTRY.fields.iter().enumerate() {
        let owner = &REGISTRY.fields[usize::from(field.owner)];
        assert_eq!(field.name.split('.').next(), Some(owner.name.as_str()));
        assert_eq!(usize::from(field.owner) == at, field.kind.is_protocol(), "{}", field.name);
        assert!(
            owner.kind.is_protocol() && field.short_name.is_empty() != field.kind.is_protocol(),
            "{}",
            field.name
        );
    }
    for expert in experts() {
        assert!(REGISTRY.owner_of(expert.name).is_some(), "{}", expert.name);
    }
}

/// What epan shows beside a value hangs at one pointer: a unit or names, not both; and a mask must fit its word.
#[test]
fn units_and_masks_go_with_their_kinds() {
    for field in &REGISTRY.fields {
        let name = &field.name;
        if !field.unit.is_empty() {
            assert!(field.value_strings.is_empty() && ["s", "ms"].contains(&field.unit), "{name}");
            assert!(
                field.kind == Kind::Double || field.kind.is_integer() && field.base == Base::Dec,
                "{name}"
            );
        }
        let is_time = |word: &str| field.blurb.to_lowercase().split([' ', ',', ';']).any(|part| part == word);
        let counts = field.kind.is_integer() || field.kind == Kind::Double;
        let unit = if is_time("milliseconds") { "ms" } else { "s" };
        if counts && (is_time("seconds") || is_time("milliseconds")) {
            assert_eq!(field.unit, unit, "{name}: {}", field.blurb);
        }
        let mut masks = HashSet::new();
        for mask in &field.masks {
            assert_eq!(field.kind, Kind::Bool, "{name}");
            assert!(mask.bytes <= Mask::WIDEST && mask.bit < 8 * mask.bytes, "{name}");
            assert!(masks.insert((mask.bit, mask.bytes)), "{name} has a mask twice");
        }
    }
}

/// A bit that says yes or no is a yes or no of its word, as far as epan's masks reach; groups of bits have no word.
#[test]
fn flags_are_told_by_masks() {
    fn words(rows: &'static [Row], prefix: &str, check: &mut impl FnMut(&str, u8, &'static [Run])) {
        for row in rows {
            let name = format!("{prefix}.{}", row.filter.unwrap_or(row.name));
            match (&row.ty, row.meaning) {
                (Type::Bits { bytes, runs }, _) => check(&name, *bytes, runs),
                (Type::Int { bytes, .. }, Meaning::Bits(runs)) => check(&name, *bytes, runs),
                (Type::Record(rows), _) => words(rows, &name, check),
                (Type::Struct(def), _) => words(def.rows, &name, check),
                (Type::List { of, .. } | Type::ListBytes { of, .. }, _) => match of {
                    Item::Record(rows) => words(rows, &name, check),
                    Item::Struct(def) => words(def.rows, &name, check),
                    Item::Plain(_) => {}
                },
                _ => {}
            }
        }
    }
    let mut flags = 0;
    for message in MESSAGES.iter().chain(bedrock::MESSAGES) {
        for layout in message.layouts {
            words(layout.rows, message.family.prefix, &mut |name, bytes, runs| {
                for run in runs {
                    let field = REGISTRY.field(&format!("{name}.{}", run.name)).unwrap();
                    let field = &REGISTRY.fields[usize::from(field)];
                    let mask = Mask { bit: run.first, bytes };
                    let is_masked = run.is_flag && bytes <= Mask::WIDEST;
                    assert_eq!(field.masks.contains(&mask), is_masked, "{}", field.name);
                    assert_eq!(field.kind == Kind::Bool, is_masked, "{}", field.name);
                    flags += usize::from(is_masked);
                }
            });
        }
    }
    assert!(flags > 100, "{flags}");
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

#[test]
fn every_frame_number_says_what_it_leads_to() {
    use dissector_core::fields::{link_of, Link};
    let all = REGISTRY.fields.iter().filter(|field| field.kind == Kind::Frame);
    let of = |link: Link| -> Vec<&str> {
        all.clone().map(|field| field.name.as_str()).filter(|name| link_of(name) == link).collect()
    };
    assert_eq!(of(Link::Acknowledgement), ["enet.ackedIn", "enet.ackTo"]);
    assert_eq!(of(Link::Original), ["enet.retransmissionOf", "enet.duplicateOf", "bedrock.resentFrom"]);
    assert_eq!(of(Link::Statement), ["waypoint.ackTo", "replication.ackTo"]);
    assert_eq!(of(Link::Answer), ["waypoint.ackIn", "path.ackIn", "replication.ackIn"]);
    let others = [
        "enet.reassembledIn",
        "enet.fragment",
        "enet.fragment.error",
        "enet.fragment.reassembledIn",
        "lol.build.statedIn",
        "bedrock.protocol.statedIn",
    ];
    assert_eq!(of(Link::Other), others);
}
