//! Whole sessions: compression by protocol, sub-clients, what is refused.

use dissector_core::capture::Settings;

use crate::lab::{batch, deflated, delta, snappy, zlib, Lab, Shown, MOVED, STILL};

fn moved(shown: &Option<Shown>) -> u64 {
    let shown = shown.as_ref().expect("a message of Bedrock's");
    assert!(shown.experts.is_empty(), "{:?}", shown.experts);
    shown.all("bedrock.moveActorDelta.ticks").filter(|ticks| *ticks == 7).count() as u64
}

#[test]
fn every_compression_of_every_protocol_is_read() {
    let plain = batch(&[delta(&MOVED), delta(&STILL), delta(&MOVED)]);
    let mut lab = Lab::new();
    lab.agree(2208, 0);
    for (byte, bytes) in [(0xFF, plain.clone()), (0, deflated(&plain)), (1, snappy(&plain))] {
        assert_eq!(moved(&lab.server(&[&[0xFE, byte][..], &bytes].concat())), 2, "{byte}");
    }
    // The same with nothing seen of the beginning.
    for (byte, bytes) in [(0xFF, plain.clone()), (0, deflated(&plain)), (1, snappy(&plain))] {
        let shown = Lab::new().server(&[&[0xFE, byte][..], &bytes].concat()).unwrap();
        assert_eq!(shown.all("bedrock.moveActorDelta.ticks").collect::<Vec<_>>(), [7, 0, 7]);
        assert_eq!(shown.experts.len(), 1, "{:?}", shown.experts);
        assert_eq!(shown.experts[0].0, "bedrock.inferred");
    }
    let old = batch(&[delta(&[2, 0x55, 0, 0, 0, 0x80, 0x3F, 0, 0, 0x40, 0x40, 0x40])]);
    let x =
        |shown: Option<Shown>| f64::from_bits(shown.unwrap().value("bedrock.moveActorDelta.newPositionX"));
    // Negotiated, but not named by a byte.
    for (algorithm, bytes) in [(0, deflated(&old)), (1, snappy(&old)), (0xFFFF, old.clone())] {
        let mut lab = Lab::new();
        lab.agree(600, algorithm);
        assert_eq!(x(lab.server(&[&[0xFE][..], &bytes].concat())), 1.0, "{algorithm}");
    }
    // Compressed from the start.
    for (number, press) in [(500, deflated as fn(&[u8]) -> Vec<u8>), (389, zlib)] {
        let mut lab = Lab::new();
        let login = [&[1, 0, 0, (number >> 8) as u8, number as u8][..], b"tokens"].concat();
        let shown = lab.client(&[&[0xFE][..], &press(&batch(&[login]))].concat()).unwrap();
        assert_eq!(shown.value("bedrock.protocol"), number);
        let shown = lab.server(&[&[0xFE][..], &press(&old)].concat()).unwrap();
        // Before protocol 419 these bytes are a difference.
        let found = shown.find("bedrock.moveActorDelta.newPositionX").is_some();
        assert_eq!((found, shown.all("bedrock.packet").count()), (number == 500, 1), "{number}");
    }
}

#[test]
fn sub_clients_and_paths() {
    let mut lab = Lab::new();
    lab.agree(2208, 0);
    let for_second = [&[0xEF, 0x48][..], &STILL].concat();
    let plain = batch(&[delta(&MOVED), delta(&STILL), for_second, vec![9, 1, 2, 3], vec![0xFF, 0x1F]]);
    let shown = lab.server(&[&[0xFE, 0xFF][..], &plain].concat()).unwrap();
    assert_eq!(shown.all("bedrock.packet.senderSubClient").collect::<Vec<_>>(), [0, 0, 1, 0, 3]);
    assert_eq!(shown.all("bedrock.packet.targetSubClient").collect::<Vec<_>>(), [0, 0, 2, 0, 0]);
    assert_eq!(shown.all("bedrock.packet.id").collect::<Vec<_>>(), [111, 111, 111, 9, 1023]);
    // The second player's actor 2 is another one.
    assert_eq!(shown.all("bedrock.actor.x").map(f64::from_bits).collect::<Vec<_>>(), [1.0, 1.0]);
    assert_eq!(shown.value("bedrock.packetCount"), 5);
    assert_eq!(lab.again().unwrap(), shown);
    assert!(shown
        .info
        .starts_with("MoveActorDelta 2 x=1; MoveActorDelta 2; MoveActorDelta 2; Text; packet 1023"));
    // A later Y and Z join the X of before.
    let far = [2, 0, 1, 0, 0, 0, 0x40, 1, 0, 0, 0x40, 0x40, 0, 0, 0, 0, 0, 0, 0, 0];
    let shown = lab.server(&[&[0xFE, 0xFF][..], &batch(&[delta(&far)])].concat()).unwrap();
    let at = ["x", "y", "z"].map(|axis| f64::from_bits(shown.value(&format!("bedrock.actor.{axis}"))));
    assert_eq!(at, [1.0, 2.0, 3.0]);
}

#[test]
fn a_preference_forces_the_protocol() {
    let settings = Settings { bedrock_protocol: "2168".into(), ..Settings::default() };
    let mut lab = Lab::with(&settings);
    lab.agree(2208, 0);
    let shown = lab.server(&[&[0xFE, 0xFF][..], &batch(&[delta(&MOVED)])].concat()).unwrap();
    assert_eq!(shown.value("bedrock.protocol"), 2168);
    assert_eq!(shown.experts[0].0, "bedrock.surplus");
}

#[test]
fn messages_of_others_are_refused() {
    let mut noise = 7u64;
    let mut random = |length: usize| -> Vec<u8> {
        (0..length)
            .map(|_| {
                noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (noise >> 40) as u8
            })
            .collect()
    };
    let old_batch = [&[0xFE, 6, 0, 0, 0, 40][..], &zlib(&[0, 0, 0, 2, 9, 1])].concat();
    let old_login = [&[0xFE, 1, 0, 0, 0, 84, 0, 0, 1, 0][..], &zlib(&[7; 300])].concat();
    let old_handshake = [0xFE, 3, 0, 4, b'k', b'e', b'y', b's', 0, 2, 1, 2].to_vec();
    let mut messages = vec![old_batch, old_login, old_handshake, vec![0x86, 1, 2], vec![0xFE], Vec::new()];
    let lengths = (0..100_000).map(|index| 1 + index % 97);
    messages.extend(lengths.map(|length| [&[0xFE][..], &random(length)].concat()));
    let taken: Vec<_> = messages.iter().filter(|message| Lab::new().server(message).is_some()).collect();
    assert!(taken.is_empty(), "{taken:02x?}");
}

#[test]
fn a_request_that_is_sent_again_changes_nothing_and_a_new_one_begins_anew() {
    let mut lab = Lab::new();
    lab.agree(2208, 0);
    let request = [0xFE, 6, 0xC1, 1, 0, 0, 8, 0xA0];
    assert_eq!(lab.client(&request).unwrap().value("bedrock.session"), 0);
    let plain = batch(&[delta(&MOVED)]);
    assert_eq!(moved(&lab.server(&[&[0xFE, 0xFF][..], &plain].concat())), 1);
    lab.wait(60);
    assert_eq!(lab.client(&request).unwrap().value("bedrock.session"), 1);
    // Before the new settings nothing is compressed, nor does a byte say so.
    assert_eq!(moved(&lab.server(&[&[0xFE][..], &plain].concat())), 1);
}

#[test]
fn ends_are_known_by_what_they_send() {
    let mut lab = Lab::new();
    let shown = lab.server(&[&[0xFE, 0xFF][..], &batch(&[delta(&MOVED)])].concat()).unwrap();
    assert_eq!(shown.text("bedrock.sender"), "server");
    let shown = lab.client(&[&[0xFE, 0xFF][..], &batch(&[vec![9, 1]])].concat()).unwrap();
    assert_eq!(shown.text("bedrock.sender"), "client");
}
