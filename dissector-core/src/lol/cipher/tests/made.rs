//! What recorded captures bear out, with registrations and messages made here.

use super::*;

/// A registration of so many bytes, each part of it another value.
fn stated(len: usize) -> Vec<u8> {
    let mut payload: Vec<u8> = (1..=16).collect();
    if len > 24 {
        payload.extend(42_000_315u32.to_le_bytes());
    }
    payload.extend(101..=108);
    payload.resize(len, 0xCC);
    payload
}

#[test]
fn the_parts_of_a_registration_are_read_from_their_bytes() {
    for (len, version) in [(24, None), (28, Some(42_000_315)), (32, Some(42_000_315))] {
        let expected = Registration {
            action: 1,
            client_id: 0x0807_0605,
            player_id: [9, 10, 11, 12, 13, 14, 15, 16],
            version,
            proof: [101, 102, 103, 104, 105, 106, 107, 108],
        };
        assert_eq!(Registration::read(&stated(len)), Some(expected), "{len} bytes");
    }
    for len in (0..40).filter(|len| ![24, 28, 32].contains(len)) {
        assert_eq!(Registration::read(&vec![0; len]), None, "{len} bytes");
    }
}

#[test]
fn an_answer_is_known_by_its_second_block_alone() {
    let read = Registration::read(&stated(24)).unwrap();
    let answer = [&[0; 8][..], &read.proof].concat();
    assert!(read.is_answered_by(&answer), "16 bytes are enough");
    assert!(!read.is_answered_by(&answer[..15]) && !read.is_answered_by(&[]));
    assert!(!read.is_answered_by(&[&[0; 16][..], &read.proof].concat()));
}

#[test]
fn a_proof_is_the_number_of_the_player_under_the_key() {
    let (key, other) = (schedule(KEY), schedule("00112233445566778899aabbccddeefe"));
    let mut payload = stated(28);
    payload.copy_within(8..16, 20);
    key.encipher(&mut payload[20..28]);
    let read = Registration::read(&payload).unwrap();
    assert!(key.proves(&read) && !other.proves(&read));
    let refuted = Registration { player_id: [0; 8], ..read };
    assert!(!key.proves(&refuted), "another player");
}

/// Payloads as a session has them, no two of which begin alike: messages about few units, and containers.
fn session(random: &mut Random, count: u32) -> Vec<Payload> {
    let made = |number: u32| {
        let net_id = if number % 3 == 0 { 0 } else { 0x4000_0000 + number };
        let length = 8 + random.below(40);
        let body = random.bytes(length);
        let command = (1 + number % 250) as u8;
        if number % 5 > 0 {
            return [&[command][..], &net_id.to_le_bytes(), &body].concat();
        }
        let inner = crate::container::Outgoing { command, net_id, body: &body };
        let mut bytes = Vec::new();
        crate::container::write(&[inner, inner], &mut bytes).unwrap();
        bytes
    };
    let bytes: Vec<Vec<u8>> = (0..count).map(made).collect();
    let payload = |(number, bytes)| Payload {
        frame: number,
        from: Sender::Server,
        channel: 1 + (number % 4) as u8,
        bytes,
    };
    bytes.into_iter().enumerate().map(payload).collect()
}

#[test]
fn made_payloads_are_plausible_under_their_key_only() {
    let mut random = Random(16);
    let mut all = session(&mut random, 60);
    let key = schedule(KEY);
    all.iter_mut().for_each(|payload| key.encipher(&mut payload.bytes));
    assert_eq!(passing(&all, &key), (60, 60, Some(true)));
    let (mut sum, mut refused) = (0, 0);
    for _ in 0..200 {
        let wrong = Schedule::new(&random.bytes(16)).unwrap();
        let (yes, of, verdict) = passing(&all, &wrong);
        assert_eq!(of, 60);
        assert_ne!(verdict, Some(true));
        sum += yes;
        refused += usize::from(verdict == Some(false));
    }
    assert_eq!(refused, 200);
    assert!(sum < 200 * 60 / 8, "a wrong key passes {sum} of {} times", 200 * 60);
}
