//! The layouts of MoveActorDelta by themselves.

use dissector_core::book::bedrock::{protocol, MOVE_ACTOR};
use dissector_core::decode::{self, Facts, Input};
use dissector_core::encode::{self, Value};
use dissector_core::registry::{Program, REGISTRY};
use dissector_core::tree::Tree;
use proptest::prelude::*;

fn program(number: u16) -> &'static Program {
    let of = |program: &&Program| {
        std::ptr::eq(program.message, &MOVE_ACTOR) && program.layout.builds.holds(protocol(number))
    };
    REGISTRY.bedrock.iter().find(of).expect("a protocol of the book")
}

fn input(bytes: &[u8]) -> Input<'_> {
    Input { bytes, reported: bytes.len() as u32, ..Input::default() }
}

#[test]
fn every_layout_is_made_ready() {
    assert_eq!(REGISTRY.problems, [""; 0]);
    assert_eq!(REGISTRY.bedrock.len(), 8);
    let of =
        |number| MOVE_ACTOR.layouts.iter().filter(|layout| layout.builds.holds(protocol(number))).count();
    for (number, layouts) in [
        (387, 0),
        (388, 1),
        (408, 1),
        (409, 0),
        (418, 0),
        (419, 1),
        (1001, 1),
        (1002, 0),
        (2167, 0),
        (2168, 1),
        (2169, 1),
        (2170, 0),
        (2193, 1),
        (2208, 1),
    ] {
        assert_eq!(of(number), layouts, "{number}");
    }
}

fn component() -> impl Strategy<Value = Option<f32>> {
    prop_oneof![Just(None), any::<f32>().prop_map(Some)]
}

prop_compose! {
    /// A body as its fields, of the protocol told.
    fn fields(number: u16)(
        actor in any::<u64>(),
        places in [component(), component(), component()],
        turns in any::<[Option<i8>; 3]>(),
        flags in any::<[bool; 4]>(),
        unused in 0..64i128,
        ticks in prop_oneof![0..200u64, any::<u64>()],
    ) -> Value {
        const PLACES: [&str; 3] = ["newPositionX", "newPositionY", "newPositionZ"];
        const TURNS: [&str; 3] = ["rotationX", "rotationY", "rotationYHead"];
        const FLAGS: [&str; 4] = ["isOnGround", "forceMove", "forceMoveLocalEntity", "forceCompletion"];
        let flag = |set: bool| Value::Int(set.into());
        let own = |(name, value): (&&str, Value)| ((*name).to_owned(), value);
        let mut rows = vec![("actorRuntimeId".to_owned(), Value::Int(actor.into()))];
        let set = FLAGS.iter().zip(flags.map(flag)).map(own);
        if number < 2168 {
            let there = places.map(|place| flag(place.is_some())).into_iter().chain(turns.map(|turn| flag(turn.is_some())));
            let mut header: Vec<_> = PLACES.iter().chain(&TURNS).zip(there).map(own).collect();
            header.extend(set.clone());
            header.push(("unused".to_owned(), Value::Int(unused)));
            rows.push(("header".to_owned(), Value::Record(header)));
        }
        let place = |place: Option<f32>| place.map_or(Value::Absent, Value::Float);
        let turn = |turn: Option<i8>| turn.map_or(Value::Absent, |turn| Value::Int(turn.into()));
        rows.extend(PLACES.iter().zip(places.map(place)).map(own));
        rows.extend(TURNS.iter().zip(turns.map(turn)).map(own));
        if number >= 2168 {
            rows.extend(set);
        }
        if number >= 2193 {
            rows.push(("ticks".to_owned(), Value::Int(ticks.into())));
        }
        Value::Record(rows)
    }
}

fn body() -> impl Strategy<Value = (u16, Value)> {
    prop_oneof![Just(1001u16), Just(2168), Just(2208)]
        .prop_flat_map(|number| fields(number).prop_map(move |fields| (number, fields)))
}

proptest! {
    /// Differences of all sizes are written and read back, to the last byte.
    #[test]
    fn written_differences_read_back(
        actor in any::<u64>(),
        differences in any::<[Option<i32>; 3]>(),
        word in 0..2i128,
    ) {
        const NAMES: [&str; 3] = ["differenceX", "differenceY", "differenceZ"];
        const REST: [&str; 6] =
            ["rotationX", "rotationY", "rotationYHead", "isOnGround", "forceMove", "forceMoveLocalEntity"];
        let own = |name: &str, value| (name.to_owned(), value);
        let mut header: Vec<_> =
            NAMES.iter().zip(differences).map(|(name, there)| own(name, Value::Int(there.is_some().into()))).collect();
        header.extend(REST.map(|name| own(name, Value::Int(if name.starts_with("rot") { 0 } else { word }))));
        header.push(own("unused", Value::Int(word * 127)));
        let mut rows = vec![own("actorRuntimeId", Value::Int(actor.into())), own("header", Value::Record(header))];
        let value = |there: Option<i32>| there.map_or(Value::Absent, |value| Value::Int(value.into()));
        rows.extend(NAMES.iter().zip(differences).map(|(name, there)| own(name, value(there))));
        rows.extend(REST[..3].iter().map(|name| own(name, Value::Absent)));
        let (program, fields) = (program(408), Value::Record(rows));
        let bytes = encode::body(program, None, &fields).unwrap();
        let (mut tree, mut facts) = (Tree::default(), Facts::default());
        let end = decode::read::<true>(program, &input(&bytes), &mut tree, &mut facts);
        prop_assert_eq!((end.cut, end.used as usize), (None, bytes.len()));
        prop_assert_eq!(facts.position, [None; 3]);
        prop_assert_eq!(encode::fields(program, &tree.nodes, &input(&bytes)), fields);
    }

    /// What is written is read, as the same fields and to the last byte; cut anywhere it names a field of the layout.
    #[test]
    fn written_bodies_read_back((number, fields) in body()) {
        let program = program(number);
        let bytes = encode::body(program, None, &fields).unwrap();
        let (mut tree, mut facts) = (Tree::default(), Facts::default());
        let end = decode::read::<true>(program, &input(&bytes), &mut tree, &mut facts);
        prop_assert_eq!((end.cut, end.used as usize), (None, bytes.len()));
        prop_assert!(!facts.odd);
        prop_assert_eq!(encode::fields(program, &tree.nodes, &input(&bytes)), fields);
        for length in 0..bytes.len() {
            tree.clear();
            let end = decode::read::<true>(program, &input(&bytes[..length]), &mut tree, &mut facts);
            let cut = end.cut.expect("a shorter body ends early");
            let name = &REGISTRY.fields[usize::from(cut.field)].name;
            prop_assert!(name.starts_with("bedrock.moveActorDelta."), "{}", name);
        }
    }

    /// A body is exactly used by one layout only, so that the protocol need not be known.
    #[test]
    fn layouts_tell_themselves_apart((number, fields) in body()) {
        let bytes = encode::body(program(number), None, &fields).unwrap();
        let exact = |other: u16| {
            let (mut tree, mut facts) = (Tree::default(), Facts::default());
            let end = decode::read::<false>(program(other), &input(&bytes), &mut tree, &mut facts);
            end.cut.is_none() && end.used as usize == bytes.len() && !facts.odd
        };
        let fitting: Vec<_> = [1001, 2168, 2208].into_iter().filter(|other| exact(*other)).collect();
        prop_assert_eq!(fitting, [number]);
    }
}
