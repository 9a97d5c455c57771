//! What ENet's numbers say: retransmissions, gaps, late and doubled commands, acknowledgements.

use dissector_core::capture::{Detail, Settings};
use dissector_core::enet::wire::write::Outgoing;
use dissector_core::enet::wire::HeaderVariant;

use crate::lab::{passes, read, shown, Run, MS};
use crate::wire::{built, group, keyed, Client, Server, Talk};

#[test]
fn of_three_transmissions_the_first_counts() {
    let mut talk = Talk::enciphered(HeaderVariant::Classic);
    talk.open();
    talk.register();
    let first = talk.reliable(Server, 3, 1, &group(984));
    let again = [
        talk.wait(500).reliable(Server, 3, 1, &group(984)),
        talk.wait(900).reliable(Server, 3, 1, &group(984)),
    ];
    let answer = talk.send(Client, vec![Outgoing::acknowledge(3, 1, 0)]);
    let (one, two) = passes(&built(keyed()), &talk.frames);
    for pass in [&one, &two] {
        assert!(!pass[first].as_ref().unwrap().has("enet.retransmission"));
        for frame in again {
            let shown = pass[frame].as_ref().unwrap();
            assert_eq!(shown.values("enet.retransmissionOf"), [u64::from(talk.frames[first].id.0)]);
            assert_eq!(shown.values("waypoint.syncId"), [984], "it is decoded all the same");
            assert!(shown.info.starts_with("[retransmission] WaypointGroup"), "{}", shown.info);
        }
    }
    let acked: Vec<_> =
        [first, again[0], again[1]].map(|frame| two[frame].as_ref().unwrap().values("enet.ackedIn")).concat();
    assert_eq!(acked, [u64::from(talk.frames[answer].id.0); 3]);
}

#[test]
fn the_same_bytes_in_another_frame_are_a_copy_and_no_retransmission() {
    let mut talk = Talk::new(HeaderVariant::Stock);
    talk.open();
    let first = talk.reliable(Client, 1, 1, b"order");
    let bytes = talk.frames[first].bytes.clone();
    let copy = talk.wait(20).capture(Client, bytes);
    let (one, two) = passes(&Settings::default(), &talk.frames);
    for pass in [&one, &two] {
        let shown = shown(pass);
        assert!(!shown[first].has("enet.duplicate"));
        assert_eq!(shown[copy].values("enet.duplicate"), [1]);
        assert_eq!(shown[copy].values("enet.duplicateOf"), [first as u64 + 1]);
        assert!(!shown[copy].has("enet.retransmission") && shown[copy].told("enet.retransmitted").is_empty());
        assert_eq!(shown[copy].info, "[duplicate] sendReliable on channel 1, 5 bytes");
    }
}

#[test]
fn a_newer_unreliable_command_makes_an_older_one_late() {
    let mut talk = Talk::enciphered(HeaderVariant::Classic);
    talk.open();
    talk.register();
    let payload = talk.sealed(&group(4));
    let frames = [(0, 1), (0, 3), (0, 2), (0, 3), (1, 1), (0, 9)]
        .map(|(after, number)| talk.send(Server, vec![Outgoing::unreliable(4, after, number, &payload)]));
    // the other direction counts for itself
    let other = talk.send(Client, vec![Outgoing::unreliable(4, 0, 1, &payload)]);
    let (one, two) = passes(&built(keyed()), &talk.frames);
    for pass in [&one, &two] {
        let shown = shown(pass);
        let flags = frames.map(|at| {
            let values = |name| shown[at].values(name).len();
            (values("enet.outOfOrder"), values("enet.duplicate"), values("enet.retransmission"))
        });
        assert_eq!(flags, [(0, 0, 0), (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 0), (1, 0, 0)]);
        let tags = frames.map(|at| shown[at].info.split("Waypoint").next().unwrap_or_default());
        assert_eq!(tags, ["", "", "[late] ", "[duplicate] ", "", "[late] "]);
        assert!(!shown[other].has("enet.outOfOrder") && !shown[other].has("enet.duplicate"));
        assert_eq!(shown[frames[2]].values("waypoint.syncId"), [4], "it is decoded all the same");
    }
}

#[test]
fn an_unsequenced_group_that_comes_again_is_a_duplicate() {
    let mut talk = Talk::new(HeaderVariant::Stock);
    talk.open();
    let frames = [(Server, 7), (Client, 7), (Server, 9), (Server, 7), (Server, 8)]
        .map(|(from, group)| talk.send(from, vec![Outgoing::unsequenced(2, group, b"chat")]));
    let (one, two) = passes(&Settings::default(), &talk.frames);
    for pass in [&one, &two] {
        let shown = shown(pass);
        let again = frames.map(|at| shown[at].values("enet.duplicate"));
        assert_eq!(again, [vec![], vec![], vec![], vec![1], vec![]]);
        assert!(frames.iter().all(|at| !shown[*at].has("enet.outOfOrder")));
    }
}

#[test]
fn a_gap_counts_down_as_what_was_missing_comes_late() {
    let mut talk = Talk::new(HeaderVariant::Stock);
    talk.open();
    talk.reliable(Server, 1, 1, b"a");
    let behind = talk.reliable(Server, 1, 4, b"d");
    // another channel and another direction have numbers of their own
    let others = [talk.reliable(Server, 2, 1, b"a"), talk.reliable(Client, 1, 1, b"a")];
    let late = [talk.reliable(Server, 1, 3, b"c"), talk.reliable(Server, 1, 2, b"b")];
    let never = talk.reliable(Server, 1, 6, b"f");
    let (one, two) = passes(&Settings::default(), &talk.frames);
    let (one, two) = (shown(&one), shown(&two));
    assert_eq!(one[behind].values("enet.gap"), [2]);
    assert!(!two[behind].has("enet.gap"), "nothing is missing any more");
    assert_eq!(two[behind].told("enet.missing"), [""; 0]);
    for at in late {
        assert_eq!(two[at].values("enet.outOfOrder"), [1]);
        assert!(!two[at].has("enet.retransmission") && !two[at].has("enet.gap"));
    }
    for at in others {
        assert!(!two[at].has("enet.gap") && !two[at].has("enet.outOfOrder"));
    }
    for shown in [&one, &two] {
        assert_eq!(shown[never].values("enet.gap"), [1]);
        let told = shown[never].told("enet.missing");
        assert_eq!(told, ["The command of this channel before this one is not in the capture"]);
    }
    assert_eq!(
        one[behind].told("enet.missing"),
        ["2 commands of this channel before this one are not in the capture"]
    );
}

#[test]
fn a_gap_that_is_filled_in_part_keeps_the_rest() {
    let mut talk = Talk::new(HeaderVariant::Stock);
    talk.open();
    talk.reliable(Server, 1, 1, b"a");
    let behind = talk.reliable(Server, 1, 5, b"e");
    talk.reliable(Server, 1, 3, b"c");
    let two = read(&Settings::default(), &talk.frames);
    assert_eq!(shown(&two)[behind].values("enet.gap"), [2]);
}

#[test]
fn acknowledgements_name_what_they_acknowledge_and_the_time_since() {
    for (from, to) in [(Client, Server), (Server, Client)] {
        let mut talk = Talk::new(HeaderVariant::Stock);
        talk.open();
        let sent = (talk.now / MS) as u16;
        let first = talk.reliable(from, 1, 1, b"once");
        let answer = talk.wait(40).send(to, vec![Outgoing::acknowledge(1, 1, sent)]);
        let both = vec![Outgoing::acknowledge(1, 1, sent), Outgoing::unsequenced(1, 1, b"!")];
        let twice = talk.wait(40).send(to, both);
        // nothing was sent under these, and an end does not acknowledge itself
        let of_nothing = vec![Outgoing::acknowledge(1, 2, sent), Outgoing::acknowledge(2, 1, sent)];
        let nothing = talk.send(to, of_nothing);
        let own = talk.send(from, vec![Outgoing::acknowledge(1, 1, sent)]);
        let (one, two) = passes(&Settings::default(), &talk.frames);
        assert!(!shown(&one)[first].has("enet.ackedIn"), "not yet");
        for pass in [&one, &two] {
            let shown = shown(pass);
            assert_eq!(shown[answer].values("enet.ackTo"), [first as u64 + 1]);
            assert_eq!(shown[answer].values("enet.rtt"), [41 * MS as u64]);
            assert_eq!(shown[twice].values("enet.rtt"), [82 * MS as u64]);
            assert!(!shown[nothing].has("enet.ackTo") && !shown[own].has("enet.ackTo"));
            assert!(!shown[nothing].has("enet.rtt"));
        }
        assert_eq!(shown(&two)[first].values("enet.ackedIn"), [answer as u64 + 1], "the first one counts");
    }
}

#[test]
fn an_acknowledgement_is_of_the_transmission_whose_sent_time_it_names() {
    let mut talk = Talk::new(HeaderVariant::Stock);
    talk.open();
    let times = [0, 500, 500].map(|pause| {
        talk.wait(pause);
        let sent = (talk.now / MS) as u16;
        (talk.reliable(Server, 1, 1, b"again"), sent)
    });
    let answers = times.map(|(_, sent)| talk.send(Client, vec![Outgoing::acknowledge(1, 1, sent)]));
    // a sent time of none of them: the last is meant
    let stray = talk.send(Client, vec![Outgoing::acknowledge(1, 1, 1)]);
    let two = read(&Settings::default(), &talk.frames);
    let shown = shown(&two);
    let named = answers.map(|at| shown[at].values("enet.ackTo")).concat();
    assert_eq!(named, times.map(|(at, _)| at as u64 + 1));
    assert_eq!(shown[stray].values("enet.ackTo"), [times[2].0 as u64 + 1]);
    for (at, _) in times {
        assert_eq!(shown[at].values("enet.ackedIn"), [answers[0] as u64 + 1]);
    }
}

#[test]
fn what_an_error_message_quotes_is_shown_and_counts_for_nothing() {
    let mut talk = Talk::new(HeaderVariant::Stock);
    talk.open();
    let quoted = talk.reliable(Client, 1, 1, b"order");
    talk.frames[quoted].in_error_pkt = true;
    let sent = talk.reliable(Client, 1, 1, b"order");
    let (one, two) = passes(&Settings::default(), &talk.frames);
    for pass in [&one, &two] {
        let shown = shown(pass);
        assert_eq!(shown[quoted].values("enet.command"), [6]);
        assert!(!shown[sent].has("enet.retransmission"));
    }
}

#[test]
fn a_frame_that_is_dissected_twice_on_the_first_pass_is_taken_in_once() {
    let mut talk = Talk::new(HeaderVariant::Stock);
    talk.open();
    let sent = talk.reliable(Client, 1, 1, b"order");
    let mut run = Run::new(&Settings::default(), Detail::Labels);
    run.pass(&talk.frames[..sent], false);
    let once = run.read(&talk.frames[sent], false).unwrap();
    assert_eq!(run.read(&talk.frames[sent], false).unwrap(), once);
    assert!(!once.has("enet.retransmission"));
}

#[test]
fn frames_that_a_read_filter_drops_are_taken_in_though_they_have_one_number() {
    let mut talk = Talk::new(HeaderVariant::Stock);
    talk.open();
    let first = talk.reliable(Server, 1, 1, b"a");
    for (sequence, pause) in [(2, 0), (3, 5), (4, 0)] {
        talk.wait(pause).reliable(Server, 1, sequence, b"b");
    }
    let number = talk.frames[first].id;
    talk.frames[first..].iter_mut().for_each(|frame| frame.id = number);
    // one of them came in the same instant as the one before
    talk.frames[first + 1].time = talk.frames[first].time;
    // and one is a copy of another
    let mut copy = talk.frames[first + 2].clone();
    copy.time += MS;
    talk.frames.insert(first + 3, copy);
    let mut run = Run::new(&Settings::default(), Detail::Labels);
    let one = run.pass(&talk.frames, false);
    let shown = shown(&one);
    let marks = (first..first + 5).map(|at| (shown[at].has("enet.gap"), shown[at].has("enet.duplicate")));
    let marks: Vec<_> = marks.collect();
    assert_eq!(marks, [(false, false), (false, false), (false, false), (false, true), (false, false)]);
}
