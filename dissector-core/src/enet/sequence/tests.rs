//! Tests of sequence numbers.

use super::*;

fn transmission(frame: u32) -> Transmission {
    Transmission { frame, time: 0, sent_time: Some(frame as u16), record: frame, content: 0 }
}

#[test]
fn numbers_wrap_without_a_gap() {
    let mut channel = Reliable::default();
    for (frame, number) in [65534u16, 65535, 0, 1].into_iter().enumerate() {
        let arrival = channel.arrive(number, transmission(frame as u32 + 1));
        assert_eq!((arrival.gap, arrival.out_of_order, arrival.first_seen), (0, false, None), "{number}");
    }
}

#[test]
fn a_retransmission_names_the_frame_before() {
    let mut channel = Reliable::default();
    channel.arrive(5, transmission(1));
    channel.arrive(6, transmission(2));
    assert_eq!(channel.arrive(5, transmission(3)).first_seen, Some(1));
    let (meant, all) = channel.acknowledged(5, 3).unwrap();
    assert_eq!((meant.frame, all.len()), (3, 2));
    assert_eq!(channel.acknowledged(5, 1).unwrap().0.frame, 1);
    assert!(channel.acknowledged(9, 1).is_none());
}

#[test]
fn a_gap_is_told_and_filled() {
    let mut channel = Reliable::default();
    channel.arrive(1, transmission(1));
    assert_eq!(channel.arrive(4, transmission(2)).gap, 2);
    let late = channel.arrive(3, transmission(3));
    assert_eq!((late.out_of_order, late.fills, late.first_seen), (true, Some(2), None));
    assert_eq!(channel.arrive(5, transmission(4)).gap, 0);
    // one that comes before the first that was captured is late, not repeated
    assert!(channel.arrive(0, transmission(5)).out_of_order);
}

#[test]
fn memory_is_bounded() {
    let mut channel = Reliable::default();
    for number in 0..200_000u32 {
        channel.arrive(number as u16, transmission(number));
    }
    assert!(channel.sent.len() <= REMEMBERED && channel.missing.is_empty());
    channel.arrive(40_000u16.wrapping_add(200_000u32 as u16), transmission(1));
    assert!(channel.missing.len() <= MOST_MISSING as usize);
}

#[test]
fn numbers_before_the_first_that_was_captured_are_told_apart() {
    let mut channel = Reliable::default();
    channel.arrive(1, transmission(1));
    for (number, unwrapped) in [(65_535, START - 1), (65_534, START - 2)] {
        assert_eq!(channel.unwrapped(number), unwrapped);
        let arrival = channel.arrive(number, transmission(2));
        assert_eq!((arrival.out_of_order, arrival.first_seen), (true, None), "{number}");
    }
    // only what lies between two that came is missing
    assert_eq!(channel.arrive(3, transmission(3)).gap, 1);
    assert_eq!(channel.arrive(0, transmission(4)).fills, None);
}

#[test]
fn of_a_long_channel_the_latest_are_remembered() {
    let window = |sent: u16, again: u16| {
        let mut channel = Reliable::default();
        (1..=sent).for_each(|number| {
            channel.arrive(number, transmission(number.into()));
        });
        let arrival = channel.arrive(again, transmission(9_999));
        (arrival.first_seen, arrival.out_of_order, channel.sent.len())
    };
    let most = REMEMBERED as u16;
    assert_eq!(window(most, 1), (Some(1), false, REMEMBERED));
    assert_eq!(window(most + 1, 2), (Some(2), false, REMEMBERED));
    assert_eq!(window(most + 1, 1), (Some(0), false, REMEMBERED), "its frame is forgotten");
    assert_eq!(window(most, 0), (Some(0), false, REMEMBERED), "as far as is known");
    assert_eq!(window(most - 1, 0), (None, true, REMEMBERED), "it never came");
    // a number that came is not missing once it is forgotten
    let mut channel = Reliable::default();
    [1].into_iter().chain(3..most + 9).for_each(|number| {
        channel.arrive(number, transmission(number.into()));
    });
    assert_eq!(channel.arrive(1, transmission(9_999)).first_seen, Some(0));
    assert_eq!(channel.arrive(2, transmission(9_999)).fills, Some(3));
}

#[test]
fn a_gap_is_filled_unless_it_is_too_wide() {
    let most = MOST_MISSING as u16;
    let filled = |gap: u16, late: u16| {
        let mut channel = Reliable::default();
        channel.arrive(0, transmission(1));
        assert_eq!(channel.arrive(gap + 1, transmission(7)).gap, gap);
        let arrival = channel.arrive(late, transmission(8));
        assert!(arrival.out_of_order && arrival.first_seen.is_none(), "{gap} {late}");
        arrival.fills
    };
    assert_eq!([filled(most, 1), filled(most, most)], [Some(7); 2]);
    assert_eq!([filled(most + 1, 1), filled(most + 1, most + 1)], [None; 2]);
    // of several gaps the latest numbers are remembered
    let mut channel = Reliable::default();
    channel.arrive(0, transmission(1));
    channel.arrive(3, transmission(2));
    channel.arrive(most + 3, transmission(3));
    assert_eq!(channel.missing.len(), MOST_MISSING as usize);
    assert_eq!([1, 2].map(|number| channel.arrive(number, transmission(9)).fills), [None, Some(2)]);
}

#[test]
fn so_many_transmissions_of_one_command_are_remembered() {
    let mut channel = Reliable::default();
    (1..=TRANSMISSIONS as u32 + 2).for_each(|frame| {
        channel.arrive(5, transmission(frame));
    });
    let frames: Vec<_> = channel.acknowledged(5, 1).unwrap().1.iter().map(|sent| sent.frame).collect();
    assert_eq!(frames, (1..=TRANSMISSIONS as u32).collect::<Vec<_>>(), "the first ones");
    // the last of them is meant where none has the sent time
    assert_eq!(channel.acknowledged(5, 999).unwrap().0.frame, TRANSMISSIONS as u32);
}

#[test]
fn late_and_doubled_unreliable_ones() {
    let mut channel = Unreliable::default();
    assert_eq!(channel.arrive(7, 1), (false, false));
    assert_eq!(channel.arrive(7, 3), (false, false));
    assert_eq!(channel.arrive(7, 2), (true, false));
    assert_eq!(channel.arrive(7, 3), (false, true));
    assert_eq!(channel.arrive(8, 1), (false, false));
    assert_eq!(channel.arrive(7, 9), (true, false));
    // behind one reliable command they may wrap
    assert_eq!(channel.arrive(9, 65_535), (false, false));
    assert_eq!(channel.arrive(9, 0), (false, false));
}

#[test]
fn groups_are_known_again_within_a_window() {
    let mut groups = Groups::default();
    assert!(!groups.arrive(4) && groups.arrive(4) && !groups.arrive(5));
    (100..100 + GROUPS as u16 - 2).for_each(|group| assert!(!groups.arrive(group)));
    assert!(groups.arrive(4), "the window holds so many");
    assert!(!groups.arrive(9_999) && !groups.arrive(4), "and not one more");
}

#[test]
fn a_message_in_fragments_is_named_by_what_it_follows_and_its_start() {
    let mut channel = ChannelState::default();
    channel.reliable.arrive(7, transmission(1));
    let first = channel.message_of_fragment(false, 7, 1);
    assert_eq!(channel.message_of_fragment(false, 7, 1), first);
    channel.reliable.arrive(8, transmission(2));
    let second = channel.message_of_fragment(false, 8, 1);
    assert_ne!(second, first, "the count begins anew behind a reliable command");
    assert_eq!(channel.message_of_fragment(false, 7, 1), first, "one that comes late keeps its name");
    // 65,536 later the same number is another message
    let mut start = 1u16;
    for _ in 0..65_536 {
        start = start.wrapping_add(1);
        assert_ne!(channel.message_of_fragment(false, 8, start), second);
    }
    assert_eq!(start, 1);
    assert_ne!(channel.message_of_fragment(true, 8, 8), channel.message_of_fragment(false, 8, 8));
    assert_eq!(channel.message_of_fragment(true, 9, 8), channel.message_of_fragment(true, 8, 8));
}

#[test]
fn a_fragment_that_comes_late_does_not_set_the_count_back() {
    let mut channel = ChannelState::default();
    let first = channel.message_of_fragment(false, 8, 0);
    for start in 1..=u16::MAX {
        channel.message_of_fragment(false, 8, start);
    }
    let late = channel.message_of_fragment(false, 7, 1);
    assert!(late < first);
    // after 65535 comes another message, whatever came late
    assert_ne!(channel.message_of_fragment(false, 8, 0), first);
}

#[test]
fn pieces_are_known_again_of_so_many_messages() {
    let mut pieces = Pieces::default();
    let message = |own: u64, total| ((0, own), 3, total);
    assert!(pieces.arrive(message(1, 9), 0) && pieces.arrive(message(1, 9), 1));
    assert!(!pieces.arrive(message(1, 9), 0), "it came before");
    assert!(pieces.arrive(message(1, 8), 0), "what states another length is of another message");
    (2..PIECED as u64).for_each(|own| assert!(pieces.arrive(message(own, 9), 0)));
    assert!(!pieces.arrive(message(1, 9), 1), "so many are remembered");
    assert!(pieces.arrive(message(99, 9), 0) && pieces.arrive(message(1, 9), 1), "and not one more");
}

#[test]
fn the_sent_time_tells_a_copy_from_a_retransmission() {
    let mut channel = Reliable::default();
    channel.arrive(5, transmission(1));
    channel.arrive(5, transmission(2));
    let sent = |frame, time| Transmission { sent_time: time, ..transmission(frame) };
    let copy = channel.arrive(5, sent(7, Some(2)));
    assert_eq!((copy.is_copy, copy.first_seen), (true, Some(2)));
    assert_eq!(channel.acknowledged(5, 2).unwrap().1.len(), 2, "it is no transmission of its own");
    assert!(!channel.arrive(5, sent(8, Some(9))).is_copy);
    let of = |frame, content| Transmission { content, ..sent(frame, Some(9)) };
    assert!(channel.arrive(5, of(11, 7)).is_copy, "what is not known is no other");
    assert!(!channel.arrive(6, of(12, 7)).is_copy && !channel.arrive(6, of(13, 8)).is_copy, "other bytes");
    assert!(channel.arrive(6, of(14, 8)).is_copy && channel.arrive(6, of(15, 7)).is_copy);
    assert!(!channel.arrive(5, sent(9, None)).is_copy && !channel.arrive(5, sent(10, None)).is_copy);
}
