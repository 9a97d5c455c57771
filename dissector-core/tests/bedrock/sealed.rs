//! Enciphered sessions.

use dissector_core::bedrock::Key;
use dissector_core::capture::Settings;

use crate::lab::{batch, deflated, delta, Lab, Shown};

pub const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// One direction of an enciphered session, as its sender writes it.
pub struct Sealer {
    pub key: Key,
    position: u64,
    counter: u64,
}

impl Sealer {
    pub fn new() -> Sealer {
        Sealer { key: Key::parse(KEY).unwrap(), position: 0, counter: 0 }
    }

    pub fn seal(&mut self, content: &[u8]) -> Vec<u8> {
        let mut bytes = content.to_vec();
        bytes.extend(self.key.trailer(self.counter, content));
        assert!(self.key.apply(self.position, &mut bytes));
        self.position += bytes.len() as u64;
        self.counter += 1;
        bytes.insert(0, 0xFE);
        bytes
    }
}

/// A session up to where encryption begins, with this key.
pub fn enciphered(keys: &str) -> Lab {
    let mut lab = Lab::with(&Settings { bedrock_keys: keys.into(), ..Settings::default() });
    lab.agree(2208, 0);
    let handshake = [&[3, 4][..], b"jwt."].concat();
    let shown = lab.server(&[&[0xFE, 0xFF][..], &batch(&[handshake])].concat()).unwrap();
    assert!(shown.experts.is_empty());
    lab
}

/// So many enciphered messages of the server, each with an actor of its number; deflated and bare in turn.
pub fn sealed(count: u8) -> Vec<Vec<u8>> {
    let mut sealer = Sealer::new();
    let message = |number: u8| {
        let plain = batch(&[delta(&[number, 1, 0, 0, 0x80, 0x3F, 0, 0, 0, 0, 0, 1, 0, 0, 0, 7])]);
        match number % 2 {
            0 => [&[0xFF][..], &plain].concat(),
            _ => [&[0][..], &deflated(&plain)].concat(),
        }
    };
    (1..=count).map(|number| sealer.seal(&message(number))).collect()
}

pub fn actor(shown: &Option<Shown>) -> Option<u64> {
    shown.as_ref()?.find("bedrock.moveActorDelta.actorRuntimeId")
}

#[test]
fn enciphered_sessions_are_read_in_order_and_once() {
    let mut lab = enciphered(&format!("{} {KEY}", "11".repeat(32)));
    let mut client = Sealer::new();
    let shown = lab.client(&client.seal(&[0xFF, 1, 4])).unwrap();
    assert_eq!((shown.value("bedrock.packet.id"), shown.experts.len()), (4, 0));
    let sealed = sealed(6);
    assert_eq!(actor(&lab.server(&sealed[0])), Some(1));
    assert_eq!(actor(&lab.server(&sealed[1])), Some(2));
    let again = lab.server(&sealed[0]);
    assert_eq!(actor(&again), Some(1));
    assert_eq!(again.unwrap().experts[0].0, "bedrock.resent");
    // The fourth overtakes the third: the first pass cannot read it, the second can.
    let early = lab.server(&sealed[3]);
    assert_eq!(actor(&early), None);
    assert_eq!(early.unwrap().experts[0].0, "bedrock.inferred");
    let place = lab.place();
    assert_eq!(actor(&lab.server(&sealed[2])), Some(3));
    assert_eq!(actor(&lab.server(&sealed[4])), Some(5));
    let later = lab.at(place).unwrap();
    assert_eq!(later.find("bedrock.moveActorDelta.actorRuntimeId"), Some(4));
    assert_eq!((later.text("bedrock.key.state"), later.value("bedrock.counter")), ("verified".into(), 3));
    assert!(later.experts.is_empty());
}

#[test]
fn a_lost_message_ends_its_direction_and_says_so_once() {
    let mut lab = enciphered(KEY);
    let sealed = sealed(100);
    assert_eq!(actor(&lab.server(&sealed[0])), Some(1));
    let later: Vec<_> = sealed[2..].iter().map(|message| lab.server(message).unwrap()).collect();
    assert!(later.iter().all(|shown| shown.find("bedrock.packet.id").is_none()));
    let of =
        |name| later.iter().filter(|shown| shown.experts.iter().any(|(expert, _)| expert == name)).count();
    assert_eq!(of("bedrock.lost"), 1);
    assert_eq!(later.last().unwrap().text("bedrock.key.state"), "lost");
}

#[test]
fn without_a_key_there_is_one_note_and_no_garbage() {
    for (keys, expert) in [(String::new(), "bedrock.keyNeeded"), ("22".repeat(32), "bedrock.keyWrong")] {
        let mut lab = enciphered(&keys);
        let shown: Vec<_> = sealed(100).iter().map(|message| lab.server(message).unwrap()).collect();
        assert!(shown.iter().all(|shown| shown.find("bedrock.packet.id").is_none()));
        let experts: Vec<_> = shown.iter().flat_map(|shown| &shown.experts).map(|(name, _)| name).collect();
        assert_eq!(experts, [expert]);
        assert!(shown[0].info.starts_with("[enciphered]"), "{}", shown[0].info);
    }
}

#[test]
fn keys_belong_to_addresses() {
    for (address, there) in [("198.51.100.20", true), ("198.51.100.21", false)] {
        let mut lab = enciphered(&format!("{address}={KEY}"));
        assert_eq!(actor(&lab.server(&sealed(1)[0])).is_some(), there, "{address}");
    }
}
