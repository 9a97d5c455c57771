//! The Info line: parts in their order, runs, and what has no room.

use super::*;

fn who(all: &[u32]) -> Subjects {
    let mut who = Subjects::default();
    all.iter().for_each(|one| who.add(*one));
    who
}

/// A line and its text, which each call of a test adds to.
#[derive(Default)]
struct Lab(Line, String);

impl Lab {
    fn message(&mut self, name: &str, about: &[u32], what: &str, bytes: u32) -> &str {
        let write_who = |text: &mut String, one: u32| text.push_str(&format!("u{one}"));
        let part = Part { name, who: &who(about), what, bytes, write_who: &write_who };
        self.0.add_message(&mut self.1, "; ", &part);
        &self.1
    }

    fn add(&mut self, part: &str) -> &str {
        self.0.add(&mut self.1, "; ", part, 1);
        &self.1
    }
}

#[test]
fn a_part_says_who_what_and_how_many() {
    assert_eq!(Lab::default().message("A", &[], "", 0), "A");
    assert_eq!(Lab::default().message("A", &[], "x=1", 0), "A x=1");
    assert_eq!(Lab::default().message("[A]", &[], "", 24), "[A] 24 bytes");
    assert_eq!(Lab::default().message("[A]", &[7], "", 1), "[A] u7, 1 byte");
    assert_eq!(Lab::default().message("A", &[0, 7, 8, 7], "x=1", 0), "A u7, u8, x=1");
    assert_eq!(Lab::default().message("A", &[1, 2, 3], "", 0), "A u1, u2, u3");
    assert_eq!(Lab::default().message("A", &[1, 2, 3, 2, 4], "x", 0), "A u1, u2, u3, …, x");
}

#[test]
fn messages_that_are_alike_are_counted() {
    let mut lab = Lab::default();
    (0..23).for_each(|_| drop(lab.message("[A]", &[], "", 2).to_owned()));
    assert_eq!(lab.message("[A]", &[], "", 3), "[A] ×24, 49 bytes", "their bytes in all");
    assert_eq!(lab.message("B", &[7], "x=1", 0), "[A] ×24, 49 bytes; B u7, x=1");
    assert_eq!(lab.message("B", &[7], "x=1", 0), "[A] ×24, 49 bytes; B ×2, u7, x=1");
    assert_eq!(lab.message("B", &[9], "x=1", 0), "[A] ×24, 49 bytes; B ×3, u7, u9, x=1");
    lab.message("B", &[1, 2], "x=1", 0);
    assert_eq!(lab.message("A", &[], "", 0), "[A] ×24, 49 bytes; B ×4, u7, u9, u1, …, x=1; A");
    assert!(lab.message("B", &[7], "x=1", 0).ends_with("; A; B u7, x=1"), "one that comes later is another");
}

#[test]
fn those_that_say_different_things_are_counted_from_three_on() {
    let mut lab = Lab::default();
    lab.message("A", &[1], "x=1", 0);
    assert_eq!(lab.message("A", &[1], "x=2", 0), "A u1, x=1; A u1, x=2");
    assert_eq!(lab.message("A", &[2], "x=3", 0), "A ×3, u1, u2");
    assert_eq!(lab.message("A", &[2], "x=3", 0), "A ×4, u1, u2");
    let mut lab = Lab::default();
    lab.message("A", &[1], "x=1", 0);
    assert_eq!(lab.message("A", &[1], "x=1", 0), "A ×2, u1, x=1");
    assert_eq!(lab.message("A", &[1], "x=2", 0), "A ×3, u1");
    // two of them that have no room side by side are counted
    let mut lab = Lab::default();
    let long = "x".repeat(120);
    lab.message("A", &[1], &long, 0);
    assert_eq!(lab.message("A", &[1], "short", 0), format!("A u1, {long}; A u1, short"));
    assert_eq!(lab.message("B", &[1], "1", 0), format!("A u1, {long}; A u1, short; B u1, 1"));
    assert_eq!(lab.message("B", &[1], &long, 0), format!("A u1, {long}; A u1, short; B ×2, u1"));
}

#[test]
fn other_parts_and_other_tags_stand_between() {
    let mut lab = Lab::default();
    lab.message("A", &[], "", 0);
    lab.add("B");
    assert_eq!(lab.message("A", &[], "", 0), "A; B; A");
    lab.0.tag = "[late] ";
    assert_eq!(lab.message("A", &[], "", 0), "A; B; A; [late] A");
    assert_eq!(lab.message("A", &[], "", 0), "A; B; A; [late] A ×2");
    assert_eq!(lab.add("C"), "A; B; A; [late] A ×2; [late] C");
    lab.0.tag = "";
    assert_eq!(lab.add("D"), "A; B; A; [late] A ×2; [late] C; D");
}

#[test]
fn what_has_no_room_is_counted() {
    let mut lab = Lab::default();
    // characters count, not bytes
    lab.add(&"→".repeat(LONGEST - 3));
    assert_eq!(lab.add("y").chars().count(), LONGEST, "as long as it may be");
    let begun = lab.1.clone();
    assert_eq!(lab.add("z"), format!("{begun} … (+1 more)"));
    lab.message("A", &[], "", 0);
    assert_eq!(lab.message("A", &[], "", 0), format!("{begun} … (+3 more)"));
    assert_eq!(lab.add(""), format!("{begun} … (+4 more)"), "nor what would fit behind them");
    let mut next = Lab::default();
    next.0.resume(&mut next.1, &lab.0, &lab.1);
    assert_eq!(next.add("B"), format!("{begun} … (+5 more)"));
    next.0.add(&mut next.1, "; ", "C ×7", 7);
    assert_eq!(next.1, format!("{begun} … (+12 more)"));
    next.0.left_out = 999_999_998;
    assert!(next.add("B").chars().count() <= 220);
    next.0.clear();
    next.1.clear();
    assert_eq!(next.add("B"), "B");
}

#[test]
fn a_part_that_is_too_long_alone_is_cut() {
    let mut lab = Lab::default();
    let long = lab.add(&"é".repeat(LONGEST + 1)).to_owned();
    assert_eq!((long.chars().count(), long.chars().last()), (LONGEST, Some('…')));
    assert_eq!(lab.message("A", &[], "", 0), format!("{long} … (+1 more)"));
    let mut lab = Lab::default();
    assert_eq!(lab.message("A", &[1], &"x".repeat(LONGEST), 0).chars().count(), LONGEST);
    let cut = lab.1.clone();
    assert_eq!(lab.message("A", &[1], "", 0), format!("{cut} … (+1 more)"), "it is not counted with another");
    assert_eq!(Lab::default().add(&"x".repeat(LONGEST)), "x".repeat(LONGEST));
}

#[test]
fn the_last_part_is_told_further_where_there_is_room() {
    let mut lab = Lab::default();
    lab.message("A", &[], "", 0);
    lab.0.extend(&mut lab.1, " of B");
    assert_eq!(lab.message("A", &[], "", 0), "A of B; A");
    lab.0.extend(&mut lab.1, &"x".repeat(LONGEST - 9));
    let full = lab.1.clone();
    assert_eq!(full.chars().count(), LONGEST);
    lab.0.extend(&mut lab.1, "y");
    assert_eq!(lab.1, full);
    assert_eq!(lab.add("B"), format!("{full} … (+1 more)"));
    lab.0.extend(&mut lab.1, "");
    assert_eq!(lab.1, format!("{full} … (+1 more)"));
}

#[test]
fn a_line_goes_on_where_another_ended() {
    let mut first = Lab::default();
    first.message("[A]", &[1], "", 4);
    let mut next = Lab::default();
    next.add("forgotten");
    next.0.resume(&mut next.1, &first.0, &first.1);
    assert_eq!(next.message("[A]", &[1], "", 4), "[A] ×2, u1, 8 bytes");
    assert_eq!(first.1, "[A] u1, 4 bytes");
}

#[test]
fn a_line_that_goes_on_is_tagged_anew() {
    let (mut before, mut lab) = (Lab::default(), Lab::default());
    before.0.tag = "[late] ";
    before.add("one");
    lab.1.push_str("of another packet");
    lab.0.resume(&mut lab.1, &before.0, &before.1);
    assert_eq!(lab.add("two"), "[late] one; two");
}
