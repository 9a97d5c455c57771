//! Keys, builds, and what has to wait for them.

use dissector_core::capture::Settings;
use dissector_core::enet::wire::write::Outgoing;
use dissector_core::enet::wire::HeaderVariant;
use dissector_core::lol::cipher::Schedule;

use crate::lab::{passes, read, Pass};
use crate::wire::*;

/// A key that is another.
const OTHER: [u8; 16] = *b"Riftshark second";
const OTHER_TEXT: &str = "52696674736861726b207365636f6e64";

fn classic() -> Talk {
    let mut talk = Talk::enciphered(HeaderVariant::Classic);
    talk.open();
    talk
}

fn keys(keys: &str) -> Settings {
    Settings { keys: keys.into(), ..Settings::default() }
}

/// The frames, by their place, that have a field.
fn with(pass: &Pass, field: &str) -> Vec<usize> {
    let has = |place: &usize| pass[*place].as_ref().is_some_and(|shown| shown.has(field));
    (0..pass.len()).filter(has).collect()
}

/// The frames that an expert item stands in.
fn noting(pass: &Pass, expert: &str) -> Vec<usize> {
    let has = |place: &usize| pass[*place].as_ref().is_some_and(|shown| !shown.told(expert).is_empty());
    (0..pass.len()).filter(has).collect()
}

/// What stands as the state of the key in a frame.
fn state(pass: &Pass, frame: usize) -> Vec<&str> {
    pass[frame].as_ref().map_or(Vec::new(), |shown| shown.texts("lol.key.state"))
}

#[test]
fn the_registration_proves_the_key() {
    let mut talk = classic();
    talk.register();
    let group_at = talk.reliable(Server, 3, 1, &group(984));
    let (first, second) = passes(&keys(&format!("{OTHER_TEXT},{KEY_TEXT}")), &talk.frames);
    for pass in [&first, &second] {
        assert_eq!(state(pass, group_at), ["verified"]);
        assert_eq!(pass[group_at].as_ref().unwrap().values("lol.key.number"), [2], "the second of the list");
        assert_eq!(pass[group_at].as_ref().unwrap().values("waypoint.syncId"), [984]);
        assert_eq!(state(pass, 3), ["verified"], "from the registration itself on");
        // the answer is enciphered, and its player is that of the registration
        assert_eq!(pass[4].as_ref().unwrap().values("lol.registration.playerId"), [7]);
        assert_eq!(pass[4].as_ref().unwrap().values("lol.enciphered"), [0; 0]);
    }
    let shown = second[group_at].as_ref().unwrap();
    let match_item = shown.all("lol.match")[0];
    let told = ": session 0, server, key verified, build 1.0.0.136";
    assert_eq!(match_item.text, told);
    assert_eq!(shown.payloads[0].clear, 1);
}

#[test]
fn a_key_that_the_registration_refutes_is_wrong_and_said_so_once() {
    let mut talk = classic();
    talk.register();
    talk.reliable(Server, 3, 1, &group(984));
    let (first, second) = passes(&keys(OTHER_TEXT), &talk.frames);
    for pass in [&first, &second] {
        assert_eq!(noting(pass, "lol.keyWrong"), [4], "at the first payload that cannot be read");
        assert_eq!(with(pass, "lol.enciphered"), [4, 5, 6]);
        assert_eq!(with(pass, "waypoint"), [0; 0]);
        assert_eq!(state(pass, 6), ["wrong"]);
        assert_eq!(noting(pass, "lol.buildUnknown"), [0; 0], "the key is what is to be said");
        assert_eq!(pass[6].as_ref().unwrap().payloads[0].clear, 0);
    }
    let info = &second[6].as_ref().unwrap().info;
    assert_eq!(info, "[enciphered] 11 bytes, channel 3");
    assert_eq!(second[6].as_ref().unwrap().all("lol")[0].text, ", enciphered, 11 bytes");
}

/// Who sends is not known yet as the registration passes: it must not take the note, since it is read in the end.
#[test]
fn the_note_on_the_key_is_told_in_a_capture_that_begins_with_the_registration() {
    let mut talk = classic();
    talk.register();
    for number in 1..5 {
        talk.reliable(Server, 3, number, &group(984));
        talk.reliable(Client, 1, number, &[200, 1, 0, 0, 0x40, 9, 9, 9]);
    }
    let frames = &talk.frames[3..];
    for (settings, expert) in [(Settings::default(), "lol.keyNeeded"), (keys(OTHER_TEXT), "lol.keyWrong")] {
        let (_, second) = passes(&settings, frames);
        let enciphered = with(&second, "lol.enciphered");
        assert!(with(&second, "lol.registration").contains(&0) && enciphered.len() > 4);
        let noted = noting(&second, expert);
        assert!(noted.len() == 1 && enciphered.contains(&noted[0]), "{expert}: {noted:?}");
    }
}

#[test]
fn without_a_key_payloads_stay_bytes_but_short_ones_are_clear() {
    let mut talk = classic();
    talk.register();
    talk.reliable(Server, 3, 1, &group(984));
    let short = talk.send(Client, vec![Outgoing::reliable(1, 2, &[200, 1, 0, 0, 0x40, 9, 9])]);
    let eight = talk.reliable(Client, 1, 3, &[200, 1, 0, 0, 0x40, 9, 9, 9]);
    let (_, second) = passes(&Settings::default(), &talk.frames);
    assert_eq!(noting(&second, "lol.keyNeeded"), [4]);
    assert_eq!(with(&second, "lol.enciphered"), [4, 5, 6, eight]);
    assert_eq!(
        second[short].as_ref().unwrap().values("lol.command"),
        [200],
        "seven bytes hold no whole block"
    );
    assert_eq!(state(&second, short), ["none"]);
}

#[test]
fn an_answer_in_clear_is_known_by_its_player() {
    let key = Schedule::new(&KEY).unwrap();
    let other = registration(&Schedule::new(&OTHER).unwrap(), 7);
    for (player, clear) in [(7u64, true), (8, false)] {
        let mut talk = classic();
        talk.send(Client, vec![Outgoing::reliable(0, 1, &other)]);
        let answer = talk.send(Server, vec![Outgoing::reliable(0, 1, &registration(&key, player))]);
        let pass = read(&keys(KEY_TEXT), &talk.frames);
        assert_eq!(with(&pass, "lol.enciphered").is_empty(), clear, "player {player}");
        let shown = pass[answer].as_ref().unwrap();
        assert_eq!(shown.values("lol.registration.playerId"), if clear { vec![7] } else { vec![] });
    }
    // an answer that asks for something else is not one in clear
    let mut talk = classic();
    talk.send(Client, vec![Outgoing::reliable(0, 1, &other)]);
    let mut asks = registration(&key, 7);
    asks[0] = 1;
    let answer = talk.send(Server, vec![Outgoing::reliable(0, 1, &asks)]);
    assert_eq!(with(&read(&keys(KEY_TEXT), &talk.frames), "lol.enciphered"), [answer]);
}

/// Messages of a server that a wrong key makes nothing of: about a unit, each beginning otherwise.
fn speech(count: u8) -> Vec<Vec<u8>> {
    (0..count).map(|number| other(100 + u16::from(number), 0x4000_0019, &[number; 9])).collect()
}

#[test]
fn without_a_registration_the_first_payload_that_makes_sense_shows_the_key() {
    let mut talk = classic();
    let frames: Vec<_> =
        speech(9).iter().zip(1..).map(|(body, n)| talk.reliable(Server, 3, n, body)).collect();
    let (first, second) = passes(&built(keyed()), &talk.frames);
    for pass in [&first, &second] {
        assert_eq!(with(pass, "lol.enciphered"), [0; 0]);
        assert!(frames.iter().all(|frame| state(pass, *frame) == ["unverified"]));
    }
}

#[test]
fn two_keys_that_make_sense_of_a_payload_decide_nothing() {
    let mut talk = classic();
    let frames: Vec<_> =
        speech(2).iter().zip(1..).map(|(body, n)| talk.reliable(Server, 3, n, body)).collect();
    // the same key twice: nothing ever tells the two apart, but seven payloads prove the first
    let (first, second) = passes(&built(keys(&format!("{KEY_TEXT},{KEY_TEXT}"))), &talk.frames);
    assert_eq!(with(&first, "lol.enciphered"), frames);
    assert_eq!(with(&second, "lol.enciphered"), frames);
    let mut talk = classic();
    let frames: Vec<_> =
        speech(7).iter().zip(1..).map(|(body, n)| talk.reliable(Server, 3, n, body)).collect();
    let (first, second) = passes(&built(keys(&format!("{KEY_TEXT},{KEY_TEXT}"))), &talk.frames);
    assert_eq!(with(&first, "lol.enciphered"), frames[..6]);
    assert_eq!(with(&second, "lol.enciphered"), [0; 0]);
    assert_eq!(second[frames[0]].as_ref().unwrap().values("lol.key.number"), [1]);
}

#[test]
fn a_key_that_convinced_is_given_up_where_later_payloads_refute_it() {
    let mut talk = classic();
    let good = talk.reliable(Server, 3, 1, &speech(1)[0]);
    let key = Schedule::new(&OTHER).unwrap();
    let mut refuting = Vec::new();
    // enciphered with another key: the given one makes nothing of them
    for number in 2..8 {
        let mut bytes = other(150, 0, &[number as u8; 11]);
        key.encipher(&mut bytes);
        refuting.push(talk.send(Server, vec![Outgoing::reliable(3, number, &bytes)]));
    }
    let (first, second) = passes(&built(keyed()), &talk.frames);
    assert_eq!(state(&first, good), ["unverified"], "it convinced");
    for pass in [&first, &second] {
        assert_eq!(state(pass, *refuting.last().unwrap()), ["wrong"]);
    }
    assert_eq!(with(&second, "lol.enciphered"), [vec![good], refuting].concat());
}

#[test]
fn payloads_that_the_capture_cut_say_nothing_against_a_key() {
    let mut talk = classic();
    let mut frames = vec![talk.reliable(Server, 3, 1, &speech(1)[0])];
    for number in 2..12 {
        let mut bodies = speech(12);
        bodies.rotate_left(number.into()); // a trial counts what begins otherwise
        let cut = talk.reliable(Server, 3, number, &together(&bodies));
        let bytes = &mut talk.frames[cut].bytes;
        bytes.truncate(bytes.len() - 24 - usize::from(number));
        frames.push(cut);
    }
    let (first, second) = passes(&built(keyed()), &talk.frames);
    for pass in [&first, &second] {
        assert!(frames.iter().all(|frame| state(pass, *frame) == ["unverified"]));
        assert_eq!(noting(pass, "lol.keyWrong"), [0; 0]);
    }
}

#[test]
fn once_the_key_in_use_is_refuted_another_may_convince() {
    let mut talk = classic();
    let mut payloads = vec![talk.reliable(Server, 3, 1, &speech(1)[0])];
    let key = Schedule::new(&OTHER).unwrap();
    for (number, mut bytes) in (2..).zip(speech(5)).skip(1) {
        key.encipher(&mut bytes);
        payloads.push(talk.send(Server, vec![Outgoing::reliable(3, number, &bytes)]));
    }
    let (first, _) = passes(&built(keys(&format!("{KEY_TEXT},{OTHER_TEXT}"))), &talk.frames);
    let used = |at: &usize| first[*at].as_ref().unwrap().values("lol.key.number");
    assert_eq!(payloads.iter().map(used).collect::<Vec<_>>(), [vec![1], vec![1], vec![], vec![2], vec![2]]);
}

#[test]
fn the_build_comes_from_the_text_of_the_client() {
    let mut talk = classic();
    talk.register();
    let frame = talk.reliable(Server, 3, 1, &group(984));
    let (first, second) = passes(&keyed(), &talk.frames);
    for pass in [&first, &second] {
        let shown = pass[frame].as_ref().unwrap();
        assert_eq!(
            (shown.texts("lol.build"), shown.texts("lol.build.source")),
            (vec!["1.0.0.136"], vec!["stated"])
        );
        assert_eq!(shown.values("lol.buildNumber"), [1_000_000_136]);
        assert_eq!(shown.values("lol.build.statedIn"), [6]);
    }
    assert_eq!(with(&second, "lol.build"), [3, 4, 5, frame], "later passes know it from the beginning on");
    assert_eq!(with(&first, "lol.build"), [5, frame]);
}

#[test]
fn the_build_comes_from_the_code_of_a_registration() {
    let key = Schedule::new(&KEY).unwrap();
    let mut talk = classic();
    let old = registration(&key, 7);
    let new = [&old[..16], &40_500_260u32.to_le_bytes(), &old[16..], &[1, 2, 3, 4]].concat();
    talk.send(Client, vec![Outgoing::reliable(0, 1, &new)]);
    let pass = read(&keyed(), &talk.frames);
    let shown = pass[3].as_ref().unwrap();
    assert_eq!(
        (shown.texts("lol.build"), shown.texts("lol.build.source")),
        (vec!["4.5.0.260"], vec!["registration"])
    );
    assert_eq!(shown.values("lol.build.statedIn"), [4]);
}

#[test]
fn a_build_that_is_demanded_stays_and_says_where_it_is_contradicted() {
    let mut talk = classic();
    talk.register();
    let frame = talk.reliable(Server, 3, 1, &group(984));
    let demanded = Settings { build: "1.0.0.139".into(), ..keyed() };
    let (first, second) = passes(&demanded, &talk.frames);
    for pass in [&first, &second] {
        assert_eq!(pass[frame].as_ref().unwrap().texts("lol.build.source"), ["preference"]);
        assert_eq!(noting(pass, "lol.buildContradicted"), [5]);
        let told = pass[5].as_ref().unwrap().told("lol.buildContradicted");
        assert!(told[0].contains("states build 1.0.0.136 and is read as 1.0.0.139"), "{told:?}");
        assert_eq!(pass[frame].as_ref().unwrap().values("lol.build.statedIn"), [0; 0]);
    }
    // the same build is no contradiction
    assert_eq!(noting(&read(&built(keyed()), &talk.frames), "lol.buildContradicted"), [0; 0]);
}

#[test]
fn a_build_to_fall_back_on_is_told_once_and_known_of_each_message() {
    let mut talk = classic();
    let key = Schedule::new(&KEY).unwrap();
    talk.send(Client, vec![Outgoing::reliable(0, 1, &registration(&key, 7))]);
    let groups = [1, 2].map(|number| talk.reliable(Server, 3, number, &group(900 + i64::from(number))));
    talk.reliable(Client, 1, 1, &ack(901));
    let fallback = Settings { fallback_build: "1.0.0.136".into(), ..keyed() };
    let (first, second) = passes(&fallback, &talk.frames);
    assert_eq!([&first, &second].map(|pass| noting(pass, "lol.inferred")), [&groups[..1]; 2]);
    assert_eq!(second[groups[1]].as_ref().unwrap().texts("lol.build.source"), ["fallback"]);
    assert_eq!(second[groups[1]].as_ref().unwrap().values("waypoint.syncId"), [902]);
    // without one that is said once, at the first message
    let (first, second) = passes(&keyed(), &talk.frames);
    for pass in [&first, &second] {
        assert_eq!(noting(pass, "lol.buildUnknown"), groups[..1]);
        assert_eq!(with(pass, "waypoint"), [0; 0]);
    }
}

#[test]
fn what_waits_for_its_build_is_linked_once_it_is_known() {
    let mut talk = classic();
    let key = Schedule::new(&KEY).unwrap();
    talk.send(Client, vec![Outgoing::reliable(0, 1, &registration(&key, 7))]);
    let asked = talk.reliable(Server, 3, 1, &group(984));
    talk.reliable(Server, 3, 1, &group(984));
    let answer = talk.reliable(Client, 1, 1, &ack(984));
    talk.reliable(Client, 1, 2, &version_text("1.0.0.136"));
    let late = talk.reliable(Client, 1, 3, &ack(984));
    let (first, second) = passes(&keyed(), &talk.frames);
    let frame = |place: usize| u64::from(talk.frames[place].id.0);
    assert_eq!(second[asked].as_ref().unwrap().values("waypoint.ackIn"), [frame(answer)]);
    assert_eq!(
        second[answer].as_ref().unwrap().values("waypoint.ackTo"),
        [frame(asked)],
        "not the retransmission"
    );
    assert_eq!(second[late].as_ref().unwrap().values("waypoint.ackTo"), [frame(asked)]);
    let took = |place: usize| (talk.frames[place].time - talk.frames[asked].time) as u64;
    assert_eq!(second[answer].as_ref().unwrap().values("waypoint.ackTime"), [took(answer)]);
    assert_eq!(second[late].as_ref().unwrap().values("waypoint.ackTime"), [took(late)]);
    assert_eq!(with(&first, "waypoint.ackTo"), [late], "one pass cannot know the build before it is stated");
}

#[test]
fn what_waits_for_its_key_is_linked_once_one_is_found() {
    // two keys alike: seven payloads decide, and all that came before is delivered
    let mut talk = classic();
    let asked = talk.reliable(Server, 3, 1, &group(984));
    let answer = talk.reliable(Client, 1, 1, &ack(984));
    for (number, body) in speech(6).iter().enumerate() {
        talk.reliable(Server, 3, number as u16 + 2, body);
    }
    let both = built(keys(&format!("{KEY_TEXT},{KEY_TEXT}")));
    let (_, second) = passes(&both, &talk.frames);
    let frame = |place: usize| u64::from(talk.frames[place].id.0);
    assert_eq!(second[asked].as_ref().unwrap().values("waypoint.ackIn"), [frame(answer)]);
    assert_eq!(second[answer].as_ref().unwrap().values("waypoint.ackTo"), [frame(asked)]);
}

#[test]
fn a_payload_that_the_capture_cut_is_read_by_whole_blocks() {
    let mut talk = classic();
    talk.register();
    let frame = talk.reliable(Server, 3, 1, &other(150, 0x4000_0019, &[7; 19]));
    let whole = talk.frames[frame].bytes.len();
    // 24 bytes of which 21 were captured: two blocks can be deciphered
    talk.frames[frame].bytes.truncate(whole - 3);
    let pass = read(&keyed(), &talk.frames);
    let shown = pass[frame].as_ref().unwrap();
    let body = shown.all("lol.body")[0];
    assert_eq!(body.place.3, 16 - 5, "the header's five bytes are part of the two blocks");
    assert_eq!(shown.told("lol.short"), ["The capture holds 21 of the payload's 24 bytes"]);
}
