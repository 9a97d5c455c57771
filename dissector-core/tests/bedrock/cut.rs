//! Enciphered messages that the capture cut short: nothing proves them, so they are read only with a proven key, and they
//! keep their place whatever becomes of them.

use crate::lab::{batch, delta, Lab, Shown, MOVED};
use crate::sealed::{actor, enciphered, sealed, Sealer, KEY};

fn state(shown: &Option<Shown>) -> (String, Vec<&str>) {
    let shown = shown.as_ref().unwrap();
    let experts = shown.experts.iter().map(|(name, _)| name.as_str()).collect();
    (shown.text("bedrock.key.state"), experts)
}

fn unread() -> (String, Vec<&'static str>) {
    ("unverified".into(), vec!["bedrock.short"])
}

/// A bare batch of some moves, which can be cut inside.
fn long(sealer: &mut Sealer) -> Vec<u8> {
    sealer.seal(&[&[0xFF][..], &batch(&vec![delta(&MOVED); 5])].concat())
}

#[test]
fn without_a_proven_key_a_cut_message_stays_bytes_and_keeps_its_place() {
    for keys in [KEY.to_owned(), format!("{} {KEY}", "11".repeat(32)), format!("{KEY} {}", "11".repeat(32))] {
        let mut lab = enciphered(&keys);
        let sealed = sealed(6);
        for message in &sealed[..3] {
            let shown = lab.cut(message, message.len() - 1);
            assert_eq!((state(&shown), actor(&shown)), (unread(), None));
            let length = message.len() as u64 - 1;
            let shown = shown.unwrap();
            assert_eq!(shown.info, format!("[enciphered] {length} bytes"), "as many as were sent");
            assert_eq!(shown.find("bedrock.counter"), None);
            assert_eq!(shown.find("bedrock.compression"), None);
            assert!(
                shown.lines.contains(&format!("  bedrock.enciphered 1+{}", length - 1)),
                "{:?}",
                shown.lines
            );
            assert_eq!(lab.again().unwrap(), shown);
        }
        let shown = lab.server(&sealed[3]);
        assert_eq!((state(&shown), actor(&shown)), (("verified".into(), vec![]), Some(4)));
        assert_eq!(shown.unwrap().value("bedrock.counter"), 3);
        // What could not be proved is not proved by what came later.
        let place = lab.place() - 3;
        assert_eq!(actor(&lab.at(place)), None);
    }
}

#[test]
fn a_proven_key_reads_a_cut_message_as_far_as_it_goes() {
    let mut lab = enciphered(KEY);
    let mut sealer = Sealer::new();
    assert_eq!(actor(&lab.server(&long(&mut sealer))), Some(2));
    let message = long(&mut sealer);
    let shown = lab.cut(&message, 2 + 18 + 18 + 5).unwrap();
    assert_eq!(shown.text("bedrock.key.state"), "unverified");
    assert_eq!((shown.value("bedrock.packetCount"), shown.value("bedrock.counter")), (3, 1));
    assert_eq!(shown.find("bedrock.trailer"), None);
    let [(expert, text)] = &shown.experts[..] else { panic!("{:?}", shown.experts) };
    assert_eq!((expert.as_str(), text.contains("the capture holds 4")), ("bedrock.short", true), "{text}");
    // The path of an actor is made of what is proved.
    assert_eq!(shown.find("bedrock.actor"), None);
    assert_eq!(lab.again().unwrap(), shown);
    // Only the trailer was cut, or a part of it: it is no packet.
    for missing in [1, 7, 8] {
        let message = long(&mut sealer);
        let shown = lab.cut(&message, message.len() - missing).unwrap();
        assert_eq!((shown.value("bedrock.packetCount"), shown.experts.len()), (5, 0), "{missing}");
    }
    let shown = lab.server(&long(&mut sealer));
    assert_eq!(state(&shown), ("verified".into(), vec![]));
    assert_eq!(shown.unwrap().value("bedrock.counter"), 5);
}

#[test]
fn a_start_that_makes_no_sense_is_not_read() {
    let mut lab = enciphered(KEY);
    let sealed = sealed(20);
    assert_eq!(actor(&lab.server(&sealed[0])), Some(1));
    // The second is late: each cut one is read one place too early, and none is taken for a batch.
    for message in &sealed[2..8] {
        assert_eq!(state(&lab.cut(message, message.len() - 2)), unread());
    }
    assert_eq!(state(&lab.server(&sealed[8])).0, "waiting");
    let place = lab.place();
    assert_eq!(actor(&lab.server(&sealed[1])), Some(2));
    assert_eq!(actor(&lab.at(place)), Some(9), "it stood behind them all");
    assert_eq!(actor(&lab.server(&sealed[9])), Some(10));
}

#[test]
fn a_cut_message_may_be_the_one_that_others_wait_for() {
    let mut lab = enciphered(KEY);
    let sealed = sealed(4);
    assert_eq!(actor(&lab.server(&sealed[0])), Some(1));
    assert_eq!(state(&lab.server(&sealed[2])).0, "waiting");
    let place = lab.place();
    let shown = lab.cut(&sealed[1], sealed[1].len() - 1);
    assert_eq!((state(&shown).0.as_str(), actor(&shown)), ("unverified", Some(2)));
    assert_eq!(actor(&lab.at(place)), Some(3));
    assert_eq!(actor(&lab.server(&sealed[3])), Some(4));
}

#[test]
fn a_cut_message_that_comes_again_keeps_one_place() {
    let mut lab = enciphered(KEY);
    let sealed = sealed(6);
    assert_eq!(actor(&lab.server(&sealed[0])), Some(1));
    // Cut twice, each time elsewhere; then again when the whole of another has come.
    let shown = lab.cut(&sealed[1], 20);
    assert!(shown.unwrap().find("bedrock.resentFrom").is_none());
    let shown = lab.cut(&sealed[1], 15).unwrap();
    assert_eq!((shown.value("bedrock.resentFrom"), shown.value("bedrock.counter")), (5, 1));
    let shown = lab.server(&sealed[2]).unwrap();
    assert_eq!((shown.value("bedrock.counter"), shown.text("bedrock.key.state")), (2, "verified".into()));
    // A copy of a proven one has no trailer where it is cut.
    let shown = lab.cut(&sealed[2], sealed[2].len() - 3).unwrap();
    assert_eq!(
        (shown.value("bedrock.resentFrom"), shown.text("bedrock.key.state")),
        (7, "unverified".into())
    );
    assert_eq!(shown.find("bedrock.trailer"), None);
    assert_eq!(shown.value("bedrock.moveActorDelta.actorRuntimeId"), 3);
    // Cut at first, whole at last: it proves itself.
    assert_eq!(state(&lab.cut(&sealed[3], 12)).0, "unverified");
    let shown = lab.server(&sealed[3]).unwrap();
    assert_eq!(
        (shown.find("bedrock.resentFrom"), shown.text("bedrock.key.state")),
        (None, "verified".into())
    );
    assert_eq!(lab.server(&sealed[3]).unwrap().value("bedrock.resentFrom"), 10);
    assert_eq!(actor(&lab.server(&sealed[4])), Some(5));
}

#[test]
fn what_is_cut_to_almost_nothing_keeps_its_place_too() {
    for captured in [1, 2, 8] {
        let mut lab = enciphered(KEY);
        let sealed = sealed(5);
        for message in &sealed[..3] {
            let shown = lab.cut(message, captured).unwrap();
            assert_eq!(shown.find("bedrock.enciphered").is_some(), captured > 1);
            assert_eq!(shown.find("bedrock.resentFrom"), None);
        }
        assert_eq!(actor(&lab.server(&sealed[3])), Some(4), "{captured}");
        assert!(lab.cut(&sealed[4], 1).unwrap().find("bedrock.packetCount").is_none());
    }
}

#[test]
fn a_key_that_is_wrong_or_missing_is_told_for_cut_messages_as_for_others() {
    let mut lab = enciphered(&"22".repeat(32));
    let sealed = sealed(3);
    assert_eq!(state(&lab.cut(&sealed[0], 20)), unread());
    assert_eq!(state(&lab.server(&sealed[1])), ("wrong".into(), vec!["bedrock.keyWrong"]));
    let mut lab: Lab = enciphered("");
    assert_eq!(state(&lab.cut(&sealed[0], 20)), ("none".into(), vec!["bedrock.keyNeeded"]));
}
