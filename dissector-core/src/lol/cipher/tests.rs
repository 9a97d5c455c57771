mod made;
mod texts;
mod vectors;

use proptest::prelude::*;

use super::*;
use crate::capture::Sender;
use crate::enet::wire::captures::{payloads, Payload, Random, GAME, KEY};

fn schedule(text: &str) -> Schedule {
    Key::parse(text).unwrap().schedules().next().unwrap()
}

#[test]
fn keys_are_read_in_all_forms() {
    let bytes: Vec<u8> = (0..16).map(|i| i * 0x11).collect();
    for text in
        [KEY, "00112233445566778899AABBCCDDEEFF", "ABEiM0RVZneImaq7zN3u/w==", " ABEiM0RVZneImaq7zN3u/x==\n"]
    {
        let key = Key::parse(text).unwrap();
        assert_eq!(key.readings().collect::<Vec<_>>(), [Reading::new(&bytes).unwrap()], "{text}");
    }
    let key = Key::parse("GLzvuWtyCfHyGhF2").unwrap();
    let readings: Vec<Vec<u8>> = key.readings().map(|reading| reading.bytes().to_vec()).collect();
    assert_eq!(readings[0], b"GLzvuWtyCfHyGhF2");
    assert_eq!((readings.len(), readings[1].len(), key.schedules().count()), (2, 12, 2));
    assert_eq!(Key::parse("GLzvuWty-fHyGhF2").unwrap().readings().count(), 1);
}

#[test]
fn wrong_keys_are_refused_without_being_told() {
    let told = |text: &str| Key::parse(text).unwrap_err().to_string();
    let forms = "key must be 32 hex digits, 24 base64 characters or 16 characters of text, got";
    assert_eq!(told(&"k".repeat(30)), format!("{forms} 30 characters"));
    assert_eq!(told(""), format!("{forms} 0 characters"));
    assert_eq!(told(&"g".repeat(32)), format!("{forms} 32 characters that are not all hex digits"));
    assert_eq!(
        told(&format!("+{}", "1".repeat(31))),
        format!("{forms} 32 characters that are not all hex digits")
    );
    assert_eq!(told(&"A".repeat(24)), format!("{forms} 24 characters that are not base64 of 16 bytes"));
    assert_eq!(told(&"ä".repeat(16)), format!("{forms} 16 characters that are not all plain ASCII"));
    let (keys, wrong) = parse_list(&format!(" {KEY},short;GLzvuWtyCfHyGhF2\nx ,"));
    assert_eq!(keys.len(), 2);
    let told: Vec<String> = wrong.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            forms.replacen("key", "key 2", 1) + " 5 characters",
            forms.replacen("key", "key 4", 1) + " 1 characters"
        ]
    );
    assert!(!format!("{:?} {:?}", keys[0], keys[0].schedules().next()).contains("22"));
}

proptest! {
    #[test]
    fn whole_blocks_come_back_and_tails_stay(key in any::<[u8; 16]>(), plain in proptest::collection::vec(any::<u8>(), 0..50)) {
        let schedule = Key::from_bytes(key).schedules().next().unwrap();
        let mut bytes = plain.clone();
        schedule.encipher(&mut bytes);
        let whole = plain.len() / BLOCK * BLOCK;
        prop_assert_eq!(&bytes[whole..], &plain[whole..]);
        prop_assert!(whole == 0 || bytes[..whole] != plain[..whole]);
        schedule.decipher(&mut bytes);
        prop_assert_eq!(bytes, plain);
    }
}

#[test]
fn registrations_prove_their_key() {
    let key = Key::parse("GLzvuWtyCfHyGhF2").unwrap();
    for (reading, schedule) in key.schedules().enumerate() {
        let mut proof = [9, 8, 7, 6, 0, 0, 0, 0];
        schedule.encipher(&mut proof);
        for len in [24, 28, 32] {
            let mut payload = vec![0, 0xE7, 0x6F, 0, 3, 0, 0, 0, 9, 8, 7, 6, 0, 0, 0, 0];
            if len > 24 {
                payload.extend(42_000_315u32.to_le_bytes());
            }
            payload.extend(proof);
            payload.resize(len, 0xCC);
            let read = Registration::read(&payload).unwrap();
            assert_eq!((read.action, read.client_id, read.proof), (0, 3, proof));
            assert_eq!(read.version, (len > 24).then_some(42_000_315));
            let proves: Vec<bool> = key.schedules().map(|s| s.proves(&read)).collect();
            assert_eq!(proves, [reading == 0, reading == 1]);
            schedule.encipher(&mut payload);
            assert!(read.is_answered_by(&payload));
            assert!(Registration::read(&payload[..len - 1]).is_none());
        }
    }
}

#[test]
fn recorded_registrations_prove_the_key() {
    let (right, wrong) = (schedule(KEY), schedule("00112233445566778899aabbccddeefe"));
    for (name, variant) in GAME {
        let Some(all) = payloads(name, variant) else { return };
        let mut handshake = all.iter().filter(|payload| payload.channel == 0);
        let asked = handshake.find(|payload| payload.from == Sender::Client).expect(name);
        let read = Registration::read(&asked.bytes).unwrap();
        assert!(right.proves(&read) && !wrong.proves(&read), "{name}");
        let answers = all.iter().filter(|payload| payload.channel == 0 && payload.from == Sender::Server);
        println!(
            "{name}: version {:?}, answered {:?}",
            read.version,
            answers.map(|a| read.is_answered_by(&a.bytes)).collect::<Vec<_>>()
        );
    }
}

/// How many of the payloads that say something look like messages under a key, of how many, and what a trial
/// says.
fn passing(all: &[Payload], key: &Schedule) -> (usize, usize, Option<bool>) {
    let (mut buffer, mut trial, mut yes, mut of) = (Vec::new(), KeyTrial::default(), 0, 0);
    for payload in all {
        buffer.clear();
        buffer.extend(&payload.bytes);
        key.decipher(&mut buffer);
        trial.take(&payload.bytes, &buffer, payload.channel);
        if let Some(verdict) = plausible(&buffer, payload.channel) {
            (yes, of) = (yes + usize::from(verdict), of + 1);
        }
    }
    (yes, of, trial.verdict())
}

#[test]
fn recorded_payloads_are_plausible_under_their_key_only() {
    let mut random = Random(16);
    for (name, variant) in GAME {
        let Some(mut all) = payloads(name, variant) else { return };
        let (yes, of, verdict) = passing(&all, &schedule(KEY));
        println!("{name}: {yes} of {of} plausible under the key");
        assert_eq!((yes, verdict), (of, Some(true)), "{name}");
        all.truncate(60);
        let (mut sum, mut most, mut of, mut refused) = (0, 0, 0, 0);
        for _ in 0..1000 {
            let wrong = Schedule::new(&random.bytes(16)).unwrap();
            let (yes, all, verdict) = passing(&all, &wrong);
            (sum, most, of) = (sum + yes, most.max(yes), all);
            refused += usize::from(verdict == Some(false));
            assert_ne!(verdict, Some(true), "{name}");
        }
        let mean = f64::from(sum as u32) / 1000.0;
        println!("    under 1000 wrong keys {mean:.2} of {of} on average, {most} at most; {refused} refused by trial");
        assert!(sum < 1000 * of / 8);
    }
}

/// A message of 12 bytes: command, net id, and the byte behind the sixth.
fn message(command: u8, net_id: u32, sixth: u8) -> Vec<u8> {
    [&[command][..], &net_id.to_le_bytes(), &[9, sixth, 0, 0, 0, 0, 0]].concat()
}

#[test]
fn plausible_are_messages_about_no_unit_or_one_of_the_ranges() {
    let on = |message: &[u8]| plausible(message, 3);
    for (net_id, fits) in [
        (0, true),
        (1, false),
        (0x3FFF_FFFF, false),
        (0x4000_0000, true),
        (0x40FF_FFFF, true),
        (0x4100_0000, false),
        (0xFEFF_FFFF, false),
        (0xFF00_0000, true),
        (0xFFFF_FFFF, true),
    ] {
        assert_eq!(on(&message(101, net_id, 0)), Some(fits), "{net_id:#x}");
        assert_eq!(on(&message(0, net_id, 0)), Some(false), "there is no command 0");
    }
    // an extended command is below 1,024
    assert_eq!([3, 4].map(|high| on(&message(EXTENDED, 0, high))), [Some(true), Some(false)]);
    assert_eq!(on(&message(101, 0, 4)), Some(true), "which no other has there");
    let channels: Vec<u8> =
        (0..=8).filter(|channel| plausible(&message(101, 0, 0), *channel).is_some()).collect();
    assert_eq!(channels, [1, 2, 3, 4]);
    assert_eq!(on(&message(101, 0, 0)[..7]), None, "less than a block says nothing");
    assert_eq!(on(&message(101, 0, 0)[..8]), Some(true));
}

#[test]
fn plausible_containers_are_used_up_by_plausible_messages() {
    let inner = |command, net_id| crate::container::Outgoing { command, net_id, body: &[7; 3] };
    let container = |all: &[crate::container::Outgoing<'_>]| {
        let mut bytes = Vec::new();
        crate::container::write(all, &mut bytes).unwrap();
        bytes
    };
    let sound = container(&[inner(101, 0), inner(102, 0x4000_0001)]);
    assert_eq!(plausible(&sound, 3), Some(true));
    assert_eq!(plausible(&[&sound[..], &[1]].concat(), 3), Some(false), "a byte is left over");
    assert_eq!(plausible(&sound[..sound.len() - 1], 3), Some(false), "a byte is missing");
    assert_eq!(plausible(&container(&[inner(101, 0), inner(102, 0x1234_5678)]), 3), Some(false));
    assert_eq!(plausible(&container(&[inner(CONTAINER, 0)]), 3), Some(false), "they do not nest");
    assert_eq!(plausible(&[CONTAINER, 0, 0, 0, 0, 0, 0, 0], 3), Some(false), "nothing is left of none");
    assert_eq!(plausible(&[CONTAINER, 0], 3), None);
    assert!(!plausible_container(&[CONTAINER, 0]), "a container of none is used up, but says nothing");
}

#[test]
fn convincing_are_containers_and_messages_about_few_units() {
    assert!(convincing(&[CONTAINER, 9, 9, 9, 9]) && !convincing(&[CONTAINER, 9, 9, 9]));
    for (net_id, convinces) in [
        (0, true),
        (1, false),
        (0x4000_0000, true),
        (0x400F_FFFF, true),
        (0x4010_0000, false),
        (0xFF00_0000, false),
    ] {
        assert_eq!(convincing(&message(101, net_id, 0)), convinces, "{net_id:#x}");
    }
}

#[test]
fn a_trial_takes_seven_different_payloads_or_two_that_refuse() {
    let good = message(101, 0, 0);
    let (mut trial, sealed) = (KeyTrial::default(), |number: u8| [number; 12]);
    for number in 0..6 {
        trial.take(&sealed(number), &good, 3);
        trial.take(&sealed(number), &good, 3);
    }
    assert_eq!((trial.standing(), trial.verdict()), ((6, 0), None), "each beginning counts once");
    trial.take(&sealed(6), &good, 5);
    trial.take(&[6; 7], &good[..7], 3);
    assert_eq!(trial.standing(), (6, 0), "what says nothing does not count");
    trial.take(&sealed(6), &message(0, 0, 0), 3);
    assert_eq!((trial.standing(), trial.verdict()), ((6, 1), None), "one may be of a kind not met yet");
    trial.take(&sealed(7), &good, 3);
    assert_eq!((trial.standing(), trial.verdict()), ((7, 1), Some(true)));
    trial.take(&sealed(8), &message(0, 0, 0), 3);
    assert_eq!(trial.standing(), (7, 1), "a verdict stands");
    let mut trial = KeyTrial::default();
    (0..2).for_each(|number| trial.take(&sealed(number), &message(0, 0, 0), 3));
    assert_eq!((trial.standing(), trial.verdict()), ((0, 2), Some(false)));
}

#[test]
fn an_answer_about_another_player_is_not_its_own() {
    let key = schedule(KEY);
    let mut payload = [&[0; 8][..], &[1; 8], &[0; 8]].concat();
    key.encipher(&mut payload[16..]);
    let read = Registration::read(&payload).unwrap();
    assert!(!read.is_answered_by(&payload) && !read.is_answered_by(&read.proof));
    assert!(read.is_answered_by(&[&[0; 8][..], &read.proof, &[0; 8]].concat()));
}

#[test]
fn the_parts_of_a_registration_cover_it() {
    use RegistrationPart::*;
    for (length, expected) in [
        (24, vec![(Action, 0, 1), (Padding, 1, 3), (ClientId, 4, 4), (PlayerId, 8, 8), (Proof, 16, 8)]),
        (
            28,
            vec![
                (Action, 0, 1),
                (Padding, 1, 3),
                (ClientId, 4, 4),
                (PlayerId, 8, 8),
                (Version, 16, 4),
                (Proof, 20, 8),
            ],
        ),
    ] {
        let read = Registration::read(&vec![0; length]).unwrap();
        assert_eq!(read.parts(length as u32).collect::<Vec<_>>(), expected);
    }
    let read = Registration::read(&[0; 32]).unwrap();
    assert_eq!(read.parts(32).last(), Some((Trailing, 28, 4)));
}
