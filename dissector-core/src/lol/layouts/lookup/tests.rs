use super::*;
use crate::version::{b, Build};

const V5_1: Build = Build::new(5, 1, 0, 0);
const V4_20: Build = Build::new(4, 20, 0, 315);
/// A build whose page leaves a part of WaypointGroupAtSpeed open.
const OPEN: Build = Build::new(0, 9, 22, 14);
/// The number of that message there.
const AT_SPEED: u16 = 122;

const SERVER: Option<Sender> = Some(Sender::Server);
const CLIENT: Option<Sender> = Some(Sender::Client);

fn input(bytes: &[u8]) -> Input<'_> {
    Input { bytes, reported: bytes.len() as u32, ..Input::default() }
}

/// What is found for a body of a session that has taught nothing yet.
fn found(build: Build, which: (u8, Option<Sender>, u16), body: &[u8]) -> Found {
    let tables = BuildTables::new(build);
    find(Some(&tables), &mut Inference::default(), which, &input(body), Learning::Trial)
}

fn told(found: &Found) -> (Option<&'static str>, Basis) {
    (found.program.map(|program| program.message.name), found.basis)
}

#[test]
fn progress_is_that_of_any_part() {
    let progress = |is_undecided, is_settled| Progress { is_undecided, is_settled };
    for one in [false, true] {
        for other in [false, true] {
            let none = progress(false, false);
            assert_eq!(progress(one, false).and(progress(other, false)), progress(one || other, false));
            assert_eq!(progress(false, one).and(progress(false, other)), progress(false, one || other));
            assert_eq!(progress(one, other).and(none), progress(one, other));
            assert_eq!(none.and(progress(one, other)), progress(one, other));
        }
    }
}

#[test]
fn without_a_build_there_is_no_layout() {
    let found = find(None, &mut Inference::default(), (3, SERVER, 97), &input(&[0; 6]), Learning::Trial);
    assert_eq!((told(&found), found.progress), ((None, Basis::None), Progress::default()));
}

#[test]
fn what_a_page_holds_is_read_by_it_whatever_the_body_is() {
    let (program, number) = REGISTRY.program_of("WaypointGroup", b(136)).unwrap();
    for body in [&[0; 6][..], &[], &[9; 40]] {
        let found = found(b(136), (channel::TRANSIENT, SERVER, number), body);
        assert!(std::ptr::eq(found.program.unwrap(), program));
        assert_eq!((found.basis, found.progress), (Basis::Book, Progress::default()));
    }
    assert_eq!(told(&found(b(136), (3, CLIENT, number), &[0; 6])).0, None, "the server's");
}

#[test]
fn a_command_without_a_net_id_is_another_one() {
    for sender in [CLIENT, SERVER] {
        let bare = found(V4_20, (channel::REGISTRATION, sender, 0), &[0; 8]);
        let expected = REGISTRY.table(V4_20).bare(&REGISTRY, sender, 0).expect("a registration");
        assert!(std::ptr::eq(bare.program.unwrap(), expected));
        assert!(!channel::has_net_id(expected.layout.channel));
        assert_eq!((bare.basis, bare.progress), (Basis::of(expected), Progress::default()));
        let with = found(V4_20, (channel::EVENTS, sender, 0), &[0; 8]);
        assert!(with.program.is_none_or(|program| channel::has_net_id(program.layout.channel)));
    }
    // nothing is tried on such a channel, whatever its number means on others
    let none = found(V5_1, (channel::REGISTRATION, SERVER, 56), &[0; 4]);
    assert_eq!((told(&none), none.progress), ((None, Basis::None), Progress::default()));
}

#[test]
fn of_the_shapes_a_page_leaves_open_the_one_that_fits_is_taken() {
    let tables = BuildTables::new(OPEN);
    let page = tables.table.program(&REGISTRY, SERVER, AT_SPEED).unwrap();
    let shapes = [page, tables.others[0], tables.others[1]];
    // one movement without points: the terms of its travel are of three lengths
    let body = |size: usize| {
        let mut body = vec![0; size];
        body[4] = 1;
        body
    };
    for (size, fitting) in [(27, None), (28, Some(0)), (29, Some(1)), (30, None), (40, None), (41, Some(2))] {
        let found = found(OPEN, (channel::EVENTS, SERVER, AT_SPEED), &body(size));
        assert!(std::ptr::eq(found.program.unwrap(), shapes[fitting.unwrap_or(0)]), "{size} bytes");
        assert_eq!(found.basis, Basis::Ambiguous { fits: fitting.is_some() }, "{size} bytes");
        assert_eq!(found.progress, Progress::default());
    }
    let (_, number) = REGISTRY.program_of("WaypointGroup", OPEN).unwrap();
    let sure = found(OPEN, (channel::TRANSIENT, SERVER, number), &[0; 6]);
    assert_eq!(told(&sure), (Some("WaypointGroup"), Basis::Book), "the page leaves nothing of this one open");
}

#[test]
fn nothing_is_tried_where_a_page_holds_the_build_or_nobody_knows_who_sent_it() {
    let names = BuildTables::new(b(136)).names;
    let table = REGISTRY.table(b(136));
    let named = (0..256)
        .find(|number| names.get(*number).is_some() && table.program(&REGISTRY, SERVER, *number).is_none());
    let which = (3, SERVER, named.expect("a name without a layout"));
    for learning in [Learning::Trial, Learning::Replay, Learning::Nothing] {
        let (tables, mut inference) = (BuildTables::new(b(136)), Inference::default());
        let unknown = find(Some(&tables), &mut inference, which, &input(&[0; 6]), learning);
        assert_eq!((told(&unknown), unknown.progress), ((None, Basis::None), Progress::default()));
    }
    let nobody = found(V5_1, (3, None, 56), &[0; 4]);
    assert_eq!((told(&nobody), nobody.progress), ((None, Basis::None), Progress::default()));
    let somebody = found(V5_1, (3, SERVER, 56), &[0; 4]);
    assert_eq!(told(&somebody), (None, Basis::None));
    assert_eq!(somebody.progress, Progress { is_undecided: true, is_settled: false });
}

/// KillParticle, EffectRemoved, EffectCount and FaceDirection of 4.20: number and size.
const FOUR: [(u16, usize); 4] = [(56, 4), (123, 9), (28, 14), (80, 17)];

#[test]
fn a_layout_is_tried_once_taken_with_the_last_body_and_replayed() {
    let (tables, mut inference) = (BuildTables::new(V5_1), Inference::default());
    let mut read = |(command, size), learning| {
        let body = vec![0x40; size];
        let found = find(Some(&tables), &mut inference, (3, SERVER, command), &input(&body), learning);
        (told(&found), found.progress.is_undecided, found.progress.is_settled)
    };
    let none = (None, Basis::None);
    for which in FOUR {
        for _ in 0..if which.0 == 80 { 5 } else { 6 } {
            assert_eq!(read(which, Learning::Trial), (none, true, false), "23 bodies are too few");
        }
    }
    // neither a replay nor a later pass is evidence
    for _ in 0..10 {
        assert_eq!(read(FOUR[3], Learning::Replay), (none, true, false));
        assert_eq!(read(FOUR[3], Learning::Nothing), (none, false, false));
    }
    let face = (Some("FaceDirection"), Basis::Neighbour(V4_20));
    assert_eq!(read(FOUR[3], Learning::Trial), (face, true, true), "what came before is taken in first");
    for learning in [Learning::Trial, Learning::Replay, Learning::Nothing] {
        assert_eq!(read(FOUR[3], learning), (face, false, false), "{learning:?}");
        let kill = (Some("KillParticle"), Basis::Neighbour(V4_20));
        assert_eq!(read(FOUR[0], learning), (kill, false, false), "{learning:?}");
        // a body that does not fit may be another message
        assert_eq!(read((56, 5), learning), (none, false, false), "{learning:?}");
    }
    assert_eq!(read((60_000, 4), Learning::Trial), (none, false, false), "nothing leads to a layout");
}

#[test]
fn what_a_name_led_to_is_read_even_where_it_does_not_fit() {
    let (tables, mut inference) = (BuildTables::new(b(126)), Inference::default());
    let mut read = |size, learning| {
        let body = vec![0; size];
        told(&find(Some(&tables), &mut inference, (3, SERVER, 83), &input(&body), learning))
    };
    for _ in 0..7 {
        assert_eq!(read(12, Learning::Trial), (None, Basis::None));
    }
    let face = (Some("FaceDirection"), Basis::Inferred);
    assert_eq!(read(12, Learning::Trial), face);
    assert_eq!([3, 13].map(|size| read(size, Learning::Nothing)), [face; 2], "cut short, or grown");
}
