//! Messages of the game put together from fragments.

use dissector_core::capture::{Sender, Settings};
use dissector_core::enet::wire::write::{self, Outgoing};
use dissector_core::enet::wire::HeaderVariant;

use crate::lab::{passes, read, shown, MS};
use crate::wire::{ack, built, group, keyed, together, Client, Server, Talk};

/// The two fragments of a server's message on channel 4.
pub fn halves(talk: &Talk, sequence: u16, bytes: &[u8]) -> [Outgoing<'static>; 2] {
    // leaked, so that a talk may be changed while they are held: a few bytes
    let bytes = Vec::leak(talk.sealed(bytes));
    let cut = write::reliable((talk.variant, Some(Server)), 40, 4, sequence, bytes);
    cut.try_into().expect("16 bytes or less, more than 8")
}

#[test]
fn a_message_of_the_game_is_read_from_its_fragments() {
    let mut talk = Talk::enciphered(HeaderVariant::Classic);
    talk.open();
    talk.register();
    let frames = halves(&talk, 1, &group(984)).map(|command| talk.send(Server, vec![command]));
    let answer = talk.wait(20).reliable(Client, 1, 2, &ack(984));
    let (one, two) = passes(&built(keyed()), &talk.frames);
    for pass in [&one, &two] {
        let shown = shown(pass);
        assert!(!shown[frames[0]].has("waypoint.syncId"));
        assert_eq!(shown[frames[1]].values("waypoint.syncId"), [984]);
        let message = &shown[frames[1]].messages[0];
        assert_eq!((message.texts("lol.sender"), message.values("lol.channel")), (vec!["server"], vec![4]));
        assert_eq!(shown[frames[1]].info, "fragment 2 of 2 on channel 4");
        assert_eq!(message.info, "fragment 2 of 2 on channel 4; WaypointGroup sync=984", "one line of both");
        let span = message.payloads[0];
        assert_eq!((span.league, span.clear), (1, 1));
        assert!(shown[frames[0]].league && shown[frames[1]].league);
        assert_eq!(shown[answer].values("waypoint.ackTo"), [frames[1] as u64 + 1]);
        assert_eq!(shown[answer].values("waypoint.ackTime"), [21 * MS as u64]);
    }
    assert_eq!(shown(&two)[frames[1]].values("waypoint.ackIn"), [answer as u64 + 1]);
}

#[test]
fn fragments_of_the_game_are_left_to_others_where_the_user_says_so() {
    let mut talk = Talk::enciphered(HeaderVariant::Classic);
    talk.open();
    let frames = halves(&talk, 1, &group(984)).map(|command| talk.send(Server, vec![command]));
    let settings = Settings { without_league: true, ..keyed() };
    let two = read(&settings, &talk.frames);
    let two = shown(&two);
    assert!(frames.iter().all(|at| !two[*at].league));
    let message = &two[frames[1]].messages[0];
    assert_eq!((message.payloads[0].league, message.payloads[0].clear), (0, 1));
    assert!(message.items.is_empty(), "{:?}", message.outline());
}

#[test]
fn a_container_may_come_in_fragments() {
    let mut talk = Talk::enciphered(HeaderVariant::Compact);
    talk.open();
    talk.register();
    let all: Vec<_> = (1..=9).map(group).collect();
    let bytes = talk.sealed(&together(&all));
    let cut = write::reliable((talk.variant, Some(Server)), 60, 4, 1, &bytes);
    // all fragments in one datagram: the last of them completes
    let at = talk.send(Server, cut);
    let two = read(&built(keyed()), &talk.frames);
    assert_eq!(shown(&two)[at].messages.len(), 1);
    assert_eq!(shown(&two)[at].values("waypoint.syncId"), (1..=9).collect::<Vec<_>>());
}

#[test]
fn messages_that_one_datagram_completes_have_answers_of_their_own() {
    let mut talk = Talk::enciphered(HeaderVariant::Classic);
    talk.open();
    talk.register();
    let ([one, one_end], [two, two_end]) = (halves(&talk, 1, &group(7)), halves(&talk, 3, &group(8)));
    talk.send(Server, vec![one, two]);
    let whole = talk.send(Server, vec![one_end, two_end]);
    let answers = [8, 7].map(|sync| talk.reliable(Client, 1, 10 - sync as u16, &ack(sync)));
    let two = read(&built(keyed()), &talk.frames);
    let messages = &shown(&two)[whole].messages;
    let answered: Vec<_> = messages.iter().map(|message| message.values("waypoint.ackIn")).collect();
    assert_eq!(answered, [[answers[1] as u64 + 1], [answers[0] as u64 + 1]]);
}

#[test]
fn a_message_is_of_the_session_of_its_fragments() {
    let mut talk = Talk::enciphered(HeaderVariant::Classic);
    for number in 0..2 {
        talk.open();
        talk.register();
        let [start, end] = halves(&talk, 1, &group(7));
        talk.send(Server, vec![start]);
        let whole = talk.send(Server, vec![end]);
        let two = read(&built(keyed()), &talk.frames);
        let message = &shown(&two)[whole].messages[0];
        assert_eq!(message.values("lol.session"), [number]);
        talk.send(Server, vec![Outgoing::disconnect(9, 0)]);
    }
}

#[test]
fn a_message_that_was_whole_before_the_claim_came_when_its_last_fragment_did() {
    let mut talk = Talk::enciphered(HeaderVariant::Classic);
    let [start, end] = halves(&talk, 1, &group(984));
    talk.send(Server, vec![start]);
    let whole = talk.send(Server, vec![end]);
    let claims = talk.wait(100).reliable(Client, 5, 1, &group(1));
    let answer = talk.wait(100).reliable(Client, 1, 1, &ack(984));
    let (one, two) = passes(&built(keyed()), &talk.frames);
    assert!(one[whole].is_none() && one[claims].is_some());
    let two = shown(&two);
    assert_eq!(two[whole].values("waypoint.ackIn"), [answer as u64 + 1]);
    assert_eq!(two[answer].values("waypoint.ackTo"), [whole as u64 + 1]);
    assert_eq!(two[answer].values("waypoint.ackTime"), [202 * MS as u64]);
    assert_eq!(two[whole].messages[0].payloads[0].sender, Sender::number(Some(Server)));
}
