//! A session as text: a line a packet.

use proptest::prelude::*;

use crate::lab::{batch, delta, Lab, MOVED, STILL};

fn lab() -> Lab {
    let mut lab = Lab::new();
    lab.follow();
    lab.agree(2208, 0xFFFF);
    lab
}

fn bare(packets: &[Vec<u8>]) -> Vec<u8> {
    [&[0xFE, 0xFF][..], &batch(packets)].concat()
}

#[test]
fn every_packet_is_a_line() {
    let mut lab = lab();
    let shown = lab.server(&bare(&[delta(&MOVED), vec![9, 1], delta(&STILL)])).unwrap();
    let lines = "0.002000 #3 server MoveActorDelta 2 x=1\n\
                 0.002000 #3 server Text, 1 byte\n\
                 0.002000 #3 server MoveActorDelta 2\n";
    assert_eq!(shown.follow, lines);
    assert_eq!(lab.at(0).unwrap().follow.lines().count(), 1);
    let again = lab.at(2).unwrap().follow;
    assert_eq!(again.lines().count(), 3);
    assert!(again.ends_with("#3 server MoveActorDelta 2\n"), "{again}");
}

#[test]
fn a_batch_of_many_packets_is_told_within_bounds() {
    let mut lab = lab();
    let many: Vec<_> = (0..5_000).map(|_| vec![9]).collect();
    let shown = lab.server(&bare(&many)).unwrap();
    assert_eq!(shown.follow.lines().count(), 4_097);
    assert!(
        shown.follow.ends_with("#3 server ... (+904 more)\n"),
        "{}",
        &shown.follow[shown.follow.len() - 80..]
    );
}

#[test]
fn nothing_is_written_while_nobody_follows() {
    let mut lab = Lab::new();
    lab.agree(2208, 0xFFFF);
    assert_eq!(lab.server(&bare(&[delta(&MOVED)])).unwrap().follow, "");
}

#[test]
fn what_was_sent_before_is_no_line_more() {
    let mut lab = lab();
    let message = bare(&[delta(&MOVED), vec![9, 1]]);
    assert_eq!(lab.ordered(2, (2, 0), &message).unwrap().follow.lines().count(), 2);
    let again = lab.ordered(2, (2, 0), &message).unwrap();
    assert_eq!((again.find("bedrock.resentFrom"), again.follow.as_str()), (Some(3), ""));
    assert_eq!(lab.again().unwrap().follow, "");
}

#[test]
fn whoever_logs_in_is_the_client_from_then_on() {
    let mut lab = lab();
    let login = [&[1][..], &2208i32.to_be_bytes()].concat();
    let shown = lab.server(&bare(&[login])).unwrap();
    assert_eq!(shown.follow, "0.002000 #3 client Login, 4 bytes\n");
    assert_eq!(lab.again().unwrap().follow, shown.follow);
}

proptest! {
    #[test]
    fn any_message_is_lines(bytes in prop::collection::vec(any::<u8>(), 0..200), form in 0u8..3) {
        let mut lab = lab();
        let message = [&[0xFE, [0xFF, 0, 1][usize::from(form)]][..], &bytes].concat();
        let shown = lab.server(&message).unwrap();
        prop_assert!(shown.follow.lines().count() <= 4_097);
        // a Login says that who sent it is the client
        let heads = ["0.002000 #3 server ", "0.002000 #3 client "];
        let is_headed = |head: &&str| shown.follow.lines().all(|line| line.starts_with(*head));
        prop_assert!(heads.iter().any(is_headed), "{}", shown.follow);
        prop_assert_eq!(&lab.again().unwrap().follow, &shown.follow);
    }
}
