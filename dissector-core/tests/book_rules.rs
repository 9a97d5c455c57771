//! What the book says beyond the tables: names, hidden nodes, and messages no shared vector holds.

mod common;

use common::{decode, input, name};
use dissector_core::decode::Said;
use dissector_core::encode::{body, fields, Value};
use dissector_core::registry::{Program, REGISTRY};
use dissector_core::tree::flag;
use dissector_core::version::Build;

const B136: Build = Build::new(1, 0, 0, 136);
const V4_17: Build = Build::new(4, 17, 0, 267);
const V4_20: Build = Build::new(4, 20, 0, 315);

fn program(message: &str, build: Build) -> &'static Program {
    REGISTRY.program_of(message, build).unwrap_or_else(|| panic!("{message} {build}")).0
}

/// Values of the nodes of a field: those of the bytes, or those the reader added.
fn values(message: &str, build: Build, bytes: &[u8], field: &str, hidden: bool) -> Vec<u64> {
    let (tree, _, end) = decode(program(message, build), &input(bytes, bytes.len(), 3));
    assert_eq!((end.cut, end.used as usize), (None, bytes.len()), "{message}");
    let nodes = tree.nodes.iter().filter(|node| name(node.field) == field);
    nodes.filter(|node| (node.flags & flag::HIDDEN != 0) == hidden).map(|node| node.value).collect()
}

#[test]
fn a_count_of_units_and_a_count_of_stacks_have_two_names() {
    let added = [2, 1, 7, 0, 5, 0x63, 0xF9, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0x1A, 0, 0, 0x40];
    assert_eq!(values("EffectAdded", B136, &added, "effect.count", false), [7]);
    assert_eq!(values("EffectAdded", B136, &added, "effect.stacks", true), [7]);
    assert_eq!(values("EffectAdded", B136, &added, "lol.unit", true), [0x4000_001A]);
    let (_, facts, _) = decode(program("EffectAdded", B136), &input(&added, added.len(), 3));
    let field = |name: &str| REGISTRY.field(name).unwrap();
    let said = [
        Some(Said::Int("slot", field("effect.slot"), 2)),
        Some(Said::Name("effect", field("effect.effect"), 0x06F9_6305)),
    ];
    assert_eq!(facts.said[..2], said);

    let entry = [1, 0, 0, 0x40, 2, 0, 0, 0x40, 3, 9];
    let group = [&[0; 8][..], &[2], &entry, &entry].concat();
    assert_eq!(values("EffectCountGroup", B136, &group, "effect.entryCount", false), [2]);
    assert_eq!(values("EffectCountGroup", B136, &group, "effect.count", false), [0; 0]);
    assert_eq!(values("EffectCountGroup", B136, &group, "effect.stacks", true), [9, 9]);
    assert_eq!(values("EffectCountGroup", B136, &group, "effect.entries.stacks", false), [9, 9]);
    let units = [0x4000_0001, 0x4000_0002, 0x4000_0001, 0x4000_0002];
    assert_eq!(values("EffectCountGroup", B136, &group, "lol.unit", true), units);
}

#[test]
fn a_particle_has_one_name_wherever_it_stands() {
    let killed = [0x4A, 0x11, 0, 0x40];
    assert_eq!(values("KillParticle", B136, &killed, "particle.id", true), [0x4000_114A]);
    assert_eq!(values("KillParticle", B136, &killed, "particle.particle", false), [0x4000_114A]);
    let mut particle = vec![0; 52];
    particle[4..8].copy_from_slice(&killed);
    let created = [&[1, 7, 0, 0, 0][..], &[0; 10], &[1], &particle].concat();
    assert_eq!(values("ParticlesCreated", B136, &created, "particle.id", true), [0x4000_114A]);
    assert_eq!(values("ParticlesCreated", B136, &created, "particle.groups.particle", false), [7]);
}

/// Every field's name follows from its page, but for these.
#[test]
fn names_apart_from_the_pages_are_few() {
    let mut apart: Vec<_> = Vec::new();
    for program in &REGISTRY.programs {
        let named =
            program.layout.rows.iter().filter_map(|row| Some((program.message.name, row.name, row.filter?)));
        apart.extend(named);
    }
    apart.dedup();
    let groups = ["EffectAddedGroup", "EffectReplacedGroup", "EffectCountGroup", "EffectRemovedGroup"];
    let mut expected: Vec<_> = groups.iter().map(|message| (*message, "count", "entryCount")).collect();
    expected.extend([
        ("Registered", "proof", "proofAnswered"),
        ("VersionSync", "tipFlags", "tipFlagsNumber"),
        ("VersionSync", "features", "features.raw"),
    ]);
    assert_eq!(apart, expected);
}

fn whole(message: &str, build: Build, bytes: &[u8]) -> Value {
    let (program, input) = (program(message, build), input(bytes, bytes.len(), 3));
    let (tree, _, end) = decode(program, &input);
    assert_eq!((end.cut, end.used as usize), (None, bytes.len()), "{message} {build}");
    let read = fields(program, &tree.nodes, &input);
    assert_eq!(body(program, Some(3), &read).unwrap(), bytes, "{message} {build}");
    read
}

fn at<'v>(value: &'v Value, path: &str) -> &'v Value {
    path.split('.')
        .fold(value, |value, part| value.get(part).unwrap_or_else(|| panic!("no {part} of {path}")))
}

/// Carried messages of 3 bytes in all, one item, and what stands behind them.
fn sight(rest: &[u8]) -> Vec<u8> {
    [&[3, 0, 1, 0, 0x3C, 1, 5, 1, 0, 0xE9, 3, 0, 0][..], rest].concat()
}

/// No shields, one look, looking ahead, one effect with two stacks, a champion.
fn view() -> Vec<u8> {
    let mut view = vec![0, 1, 0, 0, 0, 4, 0, 0, 0, b'A', b'h', b'r', b'i', 2, 0, 0, 0, 1, 0, 0, 0, 0];
    view.extend([0; 4]); // looks at nothing
    view.extend([1; 13]);
    view.extend([1, 0, 0, 0, 6, 2, 0, 0, 0, 1]);
    view
}

#[test]
fn enter_sight_ends_where_its_object_has_no_more_to_say() {
    let bare = whole("EnterSight", V4_17, &sight(&[]));
    assert_eq!(at(&bare, "view"), &Value::Absent);
    assert_eq!(at(&bare, "itemCount"), &Value::Int(1));

    let seen = whole("EnterSight", V4_17, &sight(&view()));
    assert_eq!(at(&seen, "view.movementState"), &Value::Absent);
    assert_eq!(at(&seen, "view.magicShield"), &Value::Absent);

    let moving = [&[2, 9, 0, 0, 0][..], &[2 << 1, 1, 0, 0, 0x40, 3, 10, 0, 20, 0, 1, 2]].concat();
    let standing = [&[3, 9, 0, 0, 0][..], &[0; 16]].concat();
    for (state, there, absent) in [(&moving, "movement", "atX"), (&standing, "atX", "movement")] {
        let bytes = sight(&[view(), state.clone()].concat());
        let read = whole("EnterSight", V4_17, &bytes);
        assert_ne!(at(&read, &format!("view.movementState.{there}")), &Value::Absent);
        assert_eq!(at(&read, &format!("view.movementState.{absent}")), &Value::Absent);
        // The same bytes are one flat row of fields in 4.20.
        let flat = whole("EnterSight", V4_20, &bytes);
        assert_eq!(at(&flat, there), at(&read, &format!("view.movementState.{there}")));
        assert_eq!(values("EnterSight", V4_20, &bytes, "effect.stacks", true), [2]);
    }
    let bytes = sight(&[view(), moving].concat());
    assert_eq!(values("EnterSight", V4_20, &bytes, "sight.point.rawX", false), [10, 11]);
    assert_eq!(values("EnterSight", V4_20, &bytes, "lol.unit", true), [0x4000_0001]);
}

#[test]
fn version_sync_is_as_long_as_its_rows() {
    let seat = 8 + 2 + 4 + 4 + 1 + 4 + 64 + 64 + 16 + 4 + 4 + 4 + 1 + 1;
    let texts = 256 + 128 + 32 + 8 * 64 + 1 + 2 * (97 + 25) + 3 * (256 + 256 + 2);
    let size = 1 + 4 + 12 * seat + texts + 4 + 8 + 64 * 4 + 19;
    let mut bytes = vec![0; size];
    bytes[1] = 11; // the map
    for build in [V4_17, V4_20] {
        assert_eq!(at(&whole("VersionSync", build, &bytes), "map"), &Value::Int(11));
        assert_eq!(values("VersionSync", build, &bytes, "session.map", false), [11]);
        // Whichever way the build states them, one filter finds the switches.
        assert_eq!(values("VersionSync", build, &bytes, "session.features.raw", false), [0]);
    }
}

#[test]
fn what_is_cut_is_read_up_to_the_cut() {
    let sights = sight(&view());
    for (message, bytes) in [("EnterSight", &sights), ("VersionSync", &vec![1; 5000])] {
        for build in [V4_17, V4_20] {
            for left in 0..bytes.len() {
                let (_, _, end) = decode(program(message, build), &input(&bytes[..left], bytes.len(), 3));
                assert!(end.used as usize <= left, "{message} {build} cut to {left}");
            }
        }
    }
}

#[test]
fn a_voice_is_reset_by_its_bit_or_by_the_whole_byte() {
    let name = |read: &Value| at(read, "voice").clone();
    for build in [B136, Build::new(1, 0, 0, 146)] {
        assert_eq!(name(&whole("VoiceOverride", build, &[1])), Value::Absent);
        assert_eq!(name(&whole("VoiceOverride", build, b"\x03Ahri\0")), Value::Text("Ahri".into()));
    }
    let later = Build::new(1, 0, 0, 147);
    assert_eq!(name(&whole("VoiceOverride", later, &[3])), Value::Absent);
    assert_eq!(name(&whole("VoiceOverride", later, b"\x02Ahri\0")), Value::Text("Ahri".into()));
}
