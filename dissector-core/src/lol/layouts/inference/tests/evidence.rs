//! What is evidence for or against a layout, and how much is enough: a body below each bound, and one at it.

use super::*;

/// S2C_FaceDirection in 1.0.0.126, a table of which states the numbers: twelve bytes of floats.
const FACING: u16 = 83;

fn stated() -> BuildTables {
    BuildTables::new(b(126))
}

/// The number of a name in 1.0.0.126.
fn number(name: &str) -> u16 {
    let names = Names::of(b(126));
    (0..256).find(|command| names.get(*command).is_some_and(|(found, _)| found == name)).unwrap()
}

fn counts(inference: &Inference) -> (u32, u32, u32) {
    (inference.exact, inference.tried, inference.commands)
}

#[test]
fn a_basis_is_named_as_filters_write_it() {
    let all = [
        Basis::Book,
        Basis::Recorded,
        Basis::Inferred,
        Basis::Ambiguous { fits: true },
        Basis::Ambiguous { fits: false },
        Basis::Neighbour(V4_20),
        Basis::None,
    ];
    let names = all.map(Basis::name);
    assert_eq!(names, ["book", "recorded", "inferred", "inferred", "inferred", "neighbour", "none"]);
    let (recorded, page): (Vec<_>, Vec<_>) = REGISTRY.programs.iter().partition(|program| program.recorded);
    assert!(!recorded.is_empty() && recorded.iter().all(|program| Basis::of(program) == Basis::Recorded));
    assert!(!page.is_empty() && page.iter().all(|program| Basis::of(program) == Basis::Book));
}

#[test]
fn a_name_takes_its_layout_with_the_eighth_body() {
    let (mut inference, known) = (Inference::default(), stated());
    assert!(!feed(&mut inference, &known, FACING, &[0; 12], 7));
    assert_eq!((name_of(&inference, FACING), counts(&inference)), (None, (7, 7, 0)));
    assert!(inference.is_open(&known, FACING, Sender::Server));
    assert!(feed(&mut inference, &known, FACING, &[0; 12], 1));
    assert_eq!((name_of(&inference, FACING), counts(&inference)), (Some("FaceDirection"), (8, 8, 0)));
    assert!(!inference.is_open(&known, FACING, Sender::Server));
    // what was taken is tried no more
    assert!(!feed(&mut inference, &known, FACING, &[0; 12], 5));
    assert!(!feed(&mut inference, &known, FACING, &[0; 3], 5));
    assert_eq!((name_of(&inference, FACING), counts(&inference)), (Some("FaceDirection"), (8, 8, 0)));
    // of any other one body is enough
    let stop = number("WaypointGroup");
    assert!(feed(&mut inference, &known, stop, &[0; 6], 1));
    assert_eq!(name_of(&inference, stop), Some("WaypointGroup"));
}

#[test]
fn what_never_fitted_counts_once_and_what_did_fit_counts_each_time() {
    let (mut inference, known) = (Inference::default(), stated());
    let group = number("WaypointGroup");
    assert!(!feed(&mut inference, &known, group, &[0; 3], 9), "nothing is known of this message");
    assert_eq!(counts(&inference), (0, 1, 0));
    assert!(!inference.is_open(&known, group, Sender::Server));
    feed(&mut inference, &known, FACING, &[0; 12], 2);
    feed(&mut inference, &known, FACING, &[0; 3], 3);
    assert_eq!(counts(&inference), (2, 6, 0));
    assert!(!inference.is_open(&known, FACING, Sender::Server), "no layout fits all of its bodies");
    assert!(!feed(&mut inference, &known, FACING, &[0; 12], 20) && name_of(&inference, FACING).is_none());
}

#[test]
fn nine_of_ten_bodies_have_to_fit_before_a_name_is_believed() {
    // one or two bodies fit nothing; the last bodies of another message tip the scale
    for (wrong, right) in [(1, 8), (2, 17)] {
        let (mut inference, known) = (Inference::default(), stated());
        feed(&mut inference, &known, FACING, &[0; 12], 1);
        feed(&mut inference, &known, FACING, &[0; 3], wrong);
        let group = number("WaypointGroup");
        assert!(!feed(&mut inference, &known, group, &[0; 6], right - 1), "{wrong}");
        assert_eq!(name_of(&inference, group), None, "{wrong}");
        assert!(feed(&mut inference, &known, group, &[0; 6], 1), "{wrong}");
        assert_eq!(counts(&inference), (right as u32 + 1, (right + wrong) as u32 + 1, 0));
        assert_eq!((name_of(&inference, group), name_of(&inference, FACING)), (Some("WaypointGroup"), None));
    }
}

#[test]
fn where_the_number_is_sure_junk_in_floats_does_not_matter() {
    let (mut inference, known) = (Inference::default(), stated());
    assert!(feed(&mut inference, &known, FACING, &1e30f32.to_le_bytes().repeat(3), 8));
    assert_eq!(name_of(&inference, FACING), Some("FaceDirection"));
}

#[test]
fn floats_that_are_no_numbers_are_no_evidence_of_a_number() {
    let (mut inference, known) = (Inference::default(), BuildTables::new(V4_18));
    // a name leads to it all the same
    feed(&mut inference, &known, 80, &[0xFF; 17], 5);
    assert_eq!(counts(&inference), (0, 0, 0));
    assert!(inference.is_open(&known, 80, Sender::Server));
    feed(&mut inference, &known, 80, &[0; 17], 5);
    assert_eq!(counts(&inference), (0, 0, 0), "nor is what follows");
    let mut other = Inference::default();
    feed(&mut other, &known, 80, &[0; 17], 5);
    assert_eq!(counts(&other), (5, 5, 1));
}

#[test]
fn a_body_of_four_bytes_is_evidence_of_a_number_and_shorter_ones_are_not() {
    let (program, number) = REGISTRY.program_of("KillParticle", V4_20).unwrap();
    let candidate = Candidate::new(program, Lead::Number(V4_20));
    assert!(candidate.tells(&input(&[0; 4])) && candidate.tells(&input(&[0; 40])));
    assert!(!candidate.tells(&input(&[0; 3])) && !candidate.tells(&input(&[])));
    assert!(!Candidate { wild: true, ..candidate }.tells(&input(&[0; 4])));
    let (path, _) = REGISTRY.program_of("Path", b(130)).unwrap();
    assert!(!Candidate::new(path, Lead::Name).tells(&input(&[0; 40])), "it reaches to the end");
    let (mut inference, known) = (Inference::default(), BuildTables::new(V5_1));
    feed(&mut inference, &known, number, &[0x40; 4], 3);
    assert_eq!(counts(&inference), (3, 3, 1));
}

#[test]
fn a_name_alone_may_lead_to_floats_that_are_none() {
    let (program, _) = REGISTRY.program_of("FaceDirection", V4_20).unwrap();
    let fits = |lead, body: &[u8]| {
        let mut candidate = Candidate::new(program, lead);
        let fits = candidate.fits(&input(body));
        (fits, candidate.wild, candidate.strange)
    };
    let absurd = [&[0; 1][..], &1e30f32.to_le_bytes().repeat(4)].concat();
    for (lead, wild_fits) in [(Lead::Name, true), (Lead::Number(V4_20), false)] {
        assert_eq!(fits(lead, &[0; 17]), (true, false, 0));
        assert_eq!(fits(lead, &[0xFF; 17]), (wild_fits, true, 1));
        assert_eq!(fits(lead, &absurd), (true, false, 1));
        assert_eq!(fits(lead, &[0; 16]), (false, false, 0));
        assert_eq!(fits(lead, &[0xFF; 18]), (false, false, 0), "a body that it does not use up says nothing");
    }
    let mut candidate = Candidate::new(program, Lead::Name);
    assert!(candidate.fits(&input(&[0xFF; 17])) && candidate.fits(&input(&absurd)));
    assert!(candidate.fits(&input(&[0; 17])));
    assert_eq!((candidate.wild, candidate.strange), (true, 2), "what was wild once stays so");
}

#[test]
fn half_of_the_bodies_may_be_absurd_where_the_name_is_carried_and_no_more() {
    let (program, _) = REGISTRY.program_of("FaceDirection", V4_20).unwrap();
    let proven = Proven { names: true, numbers: true };
    let takes = |lead, own, exact, strange| {
        let candidate = Candidate { strange, ..Candidate::new(program, lead) };
        let mut trial = Trial { exact, telling: exact, ..Trial::new(vec![candidate], own) };
        let now = trial.take(proven);
        assert_eq!(now, trial.taken.is_some());
        assert!(!now || !trial.take(proven), "only once");
        now
    };
    for (exact, strange, taken) in [(4, 1, true), (4, 2, false), (5, 2, true), (5, 3, false), (9, 4, true)] {
        assert_eq!(takes(Lead::Name, 2, exact, strange), taken, "{strange} of {exact}");
        assert_eq!(takes(Lead::Number(V4_20), 2, exact, strange), taken, "{strange} of {exact}");
        assert!(takes(Lead::Name, 1, exact, strange), "the number is sure");
    }
    assert!(!takes(Lead::Name, 2, 1, 0) && takes(Lead::Name, 2, 2, 0) && takes(Lead::Name, 1, 1, 0));
    assert!(!takes(Lead::Name, 1, 0, 0));
    assert!(!takes(Lead::Number(V4_20), 2, 1, 0) && takes(Lead::Number(V4_20), 2, 2, 0));
    assert!(!Trial::new(vec![], 1).take(proven), "nothing is left of it");
}

#[test]
fn a_trial_takes_only_what_its_lead_was_proven_for() {
    let (program, _) = REGISTRY.program_of("FaceDirection", V4_20).unwrap();
    let takes = |lead, names, numbers| {
        let mut trial = Trial { exact: 9, telling: 9, ..Trial::new(vec![Candidate::new(program, lead)], 2) };
        trial.take(Proven { names, numbers })
    };
    assert!(takes(Lead::Name, true, false) && !takes(Lead::Name, false, true));
    assert!(takes(Lead::Number(V4_20), false, true) && !takes(Lead::Number(V4_20), true, false));
    // short bodies fit by chance, so they are no evidence, however many
    let candidate = Candidate::new(program, Lead::Number(V4_20));
    let mut trial = Trial { exact: 9, telling: 1, ..Trial::new(vec![candidate], 2) };
    assert!(!trial.take(Proven { names: true, numbers: true }));
}
