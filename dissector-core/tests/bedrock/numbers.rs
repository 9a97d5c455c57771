//! What RakNet's numbers say: what came before changes nothing, and the order of a channel decides what holds.

use dissector_core::capture::Settings;
use proptest::prelude::*;

use crate::lab::{batch, deflated, delta, Lab, Shown, STILL};
use crate::sealed::{actor, enciphered, sealed, Sealer, KEY};

/// Actor 2 goes to an x.
fn east(x: f32) -> Vec<u8> {
    let x = x.to_le_bytes();
    [&[0xFE, 0xFF][..], &batch(&[delta(&[&[2, 1][..], &x, &[0; 10]].concat()), delta(&STILL)])].concat()
}

/// Where actor 2 is after each packet of a message.
fn xs(shown: &Shown) -> Vec<f64> {
    shown.all("bedrock.actor.x").map(f64::from_bits).collect()
}

fn x(shown: Option<Shown>) -> f64 {
    xs(&shown.unwrap())[0]
}

fn agreed() -> Lab {
    let mut lab = Lab::new();
    lab.agree(2208, 0);
    lab
}

#[test]
fn what_came_before_changes_nothing_and_says_so() {
    let mut lab = agreed();
    let first = lab.ordered(2, (2, 0), &east(1.0)).unwrap();
    assert_eq!((xs(&first), first.find("bedrock.resentFrom"), first.experts.len()), (vec![1.0; 2], None, 0));
    assert_eq!(x(lab.ordered(3, (3, 0), &east(3.0))), 3.0);
    let again = lab.ordered(2, (2, 0), &east(1.0)).unwrap();
    assert_eq!((xs(&again), again.find("bedrock.resentFrom")), (vec![3.0; 2], Some(3)));
    let text = "The same message was sent before, in frame 3";
    assert_eq!(again.experts, [("bedrock.resent".to_owned(), text.to_owned())]);
    assert_eq!(again.info, "[sent before]; MoveActorDelta 2 x=1; MoveActorDelta 2");
    assert_eq!(again.value("bedrock.protocol"), 2208);
    assert_eq!(lab.again(), Some(again), "a later pass shows the same");
    // The frame named is that of the first, however often it comes.
    assert_eq!(lab.ordered(2, (2, 0), &east(1.0)).unwrap().value("bedrock.resentFrom"), 3);
    // The same words under another number are said once more, and the other end counts for itself.
    let shown = lab.ordered(4, (4, 0), &east(1.0)).unwrap();
    assert_eq!((xs(&shown), shown.find("bedrock.resentFrom")), (vec![1.0; 2], None));
    let message = east(1.0);
    let shown = lab.numbered(2, &[2, 0, 0], &message).client(&message).unwrap();
    assert_eq!(shown.find("bedrock.resentFrom"), None);
}

#[test]
fn what_came_before_teaches_no_protocol_and_no_compression() {
    let mut lab = agreed();
    let login = |protocol: u16| {
        let [high, low] = protocol.to_be_bytes();
        [&[0xFE, 0xFF][..], &batch(&[[&[1, 0, 0, high, low][..], b"tokens"].concat()])].concat()
    };
    let say = |lab: &mut Lab, number: u8, protocol| {
        let message = login(protocol);
        lab.numbered(2, &[number, 0, 0], &message).client(&message).unwrap()
    };
    assert_eq!(say(&mut lab, 1, 2168).value("bedrock.protocol"), 2168);
    assert_eq!(say(&mut lab, 2, 1001).value("bedrock.protocol"), 1001);
    assert_eq!(say(&mut lab, 1, 2168).value("bedrock.protocol"), 2168, "as it was read");
    let text = [&[0xFE, 0xFF][..], &batch(&[vec![9, 1]])].concat();
    assert_eq!(lab.server(&text).unwrap().value("bedrock.protocol"), 1001, "and nothing changed");
    // Packet 3 once more begins no encryption.
    let handshake = [&[0xFE, 0xFF][..], &batch(&[[&[3, 4][..], b"jwt."].concat()])].concat();
    lab.ordered(9, (9, 0), &handshake).unwrap();
    let shown = lab.ordered(9, (9, 0), &handshake).unwrap();
    assert_eq!((shown.find("bedrock.resentFrom"), shown.info.contains("enciphered")), (Some(7), false));
}

#[test]
fn what_came_before_is_read_by_the_protocol_of_its_time() {
    let mut lab = agreed();
    lab.ordered(2, (2, 0), &east(1.0)).unwrap();
    // a protocol without a layout
    let login = [&[0xFE, 0xFF][..], &batch(&[vec![1, 0, 0, 0, 1]])].concat();
    assert_eq!(lab.client(&login).unwrap().value("bedrock.protocol"), 1);
    assert_eq!(xs(&lab.ordered(3, (3, 0), &east(3.0)).unwrap()), [0.0; 0]);
    let again = lab.ordered(2, (2, 0), &east(1.0)).unwrap();
    assert_eq!((xs(&again), again.value("bedrock.protocol")), (vec![1.0; 2], 2208));
    assert_eq!(lab.again(), Some(again));
}

proptest! {
    /// Whatever stands around a message, it is read, and a datagram that says nothing of it changes nothing.
    #[test]
    fn hostile_datagrams_do_no_harm(
        datagram in prop::collection::vec(any::<u8>(), 0..60),
        at in prop::option::of(0..70usize),
        head in any::<bool>(),
    ) {
        let mut lab = agreed();
        for x in [1.0, 3.0] {
            let datagram = if head { [&[0x84, 0, 0, 0, 0x60, 0, 8][..], &datagram].concat() } else { datagram.clone() };
            let shown = lab.carried(datagram, at).server(&east(x)).unwrap();
            prop_assert_eq!(shown.all("bedrock.moveActorDelta.newPositionX").count(), 1);
            prop_assert_eq!(lab.again().unwrap(), shown);
        }
    }
}

#[test]
fn the_order_of_a_channel_decides_what_holds() {
    let mut lab = agreed();
    assert_eq!(x(lab.ordered(2, (2, 0), &east(1.0))), 1.0);
    assert_eq!(x(lab.ordered(3, (4, 0), &east(3.0))), 3.0);
    let late = lab.ordered(4, (3, 0), &east(2.0)).unwrap();
    assert_eq!((xs(&late), late.experts.len()), (vec![3.0; 2], 0));
    assert_eq!(lab.again(), Some(late));
    // Each coordinate for itself: a late one may state what nobody has stated since.
    let up = [2, 0, 1, 0, 0, 0x80, 0x42, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let up = [&[0xFE, 0xFF][..], &batch(&[delta(&up)])].concat();
    let shown = lab.ordered(5, (1, 0), &up).unwrap();
    assert_eq!((xs(&shown), f64::from_bits(shown.value("bedrock.actor.y"))), (vec![3.0], 64.0));
    // Another channel has an order of its own, and what nothing orders holds when it comes.
    assert_eq!(x(lab.ordered(6, (1, 1), &east(5.0))), 5.0);
    assert_eq!(x(lab.server(&east(6.0))), 6.0);
    assert_eq!(x(lab.ordered(7, (3, 0), &east(7.0))), 7.0);
    // The counter goes on from 0 where its 24 bits end.
    let mut lab = agreed();
    assert_eq!(x(lab.ordered(0xFF_FFFE, (0xFF_FFFE, 0), &east(1.0))), 1.0);
    assert_eq!(x(lab.ordered(0, (0, 0), &east(3.0))), 3.0);
    assert_eq!(x(lab.ordered(0xFF_FFFF, (0xFF_FFFF, 0), &east(2.0))), 3.0);
    assert_eq!(x(lab.ordered(1, (1, 0), &east(4.0))), 4.0);
}

#[test]
fn older_ones_of_a_sequence_are_dropped() {
    let mut lab = agreed();
    let mut say = |sequence: u8, message: &[u8]| {
        lab.numbered(1, &[sequence, 0, 0, 5, 0, 0, 0], message).server(message).unwrap()
    };
    assert_eq!(xs(&say(3, &east(3.0))), [3.0; 2]);
    let shown = say(2, &east(2.0));
    assert_eq!((xs(&shown), shown.find("bedrock.resentFrom")), (vec![3.0; 2], None));
    assert_eq!((shown.experts.len(), shown.experts[0].0.as_str()), (1, "bedrock.outdated"));
    assert_eq!(shown.info, "[outdated]; MoveActorDelta 2 x=2; MoveActorDelta 2");
    assert_eq!(xs(&say(4, &east(4.0))), [4.0; 2]);
    // What it says else is dropped too.
    let settings = [&[0xFE, 0xFF][..], &batch(&[vec![0x8F, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0]])].concat();
    say(1, &settings);
    assert_eq!(
        lab.server(&[&[0xFE, 0][..], &deflated(&batch(&[vec![9, 1]]))].concat()).unwrap().info,
        "Text"
    );
}

#[test]
fn another_connection_on_the_same_ports_counts_anew() {
    let mut lab = Lab::new();
    assert_eq!(x(lab.ordered(7, (9, 0), &east(1.0))), 1.0);
    assert_eq!(x(lab.ordered(8, (10, 0), &east(2.0))), 2.0);
    let shown = lab.ordered(7, (1, 0), &east(5.0)).unwrap();
    assert_eq!((xs(&shown), shown.find("bedrock.resentFrom")), (vec![5.0; 2], None));
    assert_eq!(x(lab.ordered(8, (2, 0), &east(6.0))), 6.0);
}

#[test]
fn an_enciphered_message_of_a_number_seen_before_is_known_too() {
    let mut lab = enciphered(KEY);
    let mut server = Sealer::new();
    let [one, two] = [1.0, 3.0].map(|x| server.seal(&east(x)[1..]));
    assert_eq!(x(lab.ordered(2, (2, 0), &one)), 1.0);
    assert_eq!(x(lab.ordered(3, (3, 0), &two)), 3.0);
    let shown = lab.ordered(2, (2, 0), &one).unwrap();
    assert_eq!((xs(&shown), shown.value("bedrock.resentFrom")), (vec![3.0; 2], 4));
    assert_eq!((shown.text("bedrock.key.state"), shown.value("bedrock.counter")), ("verified".into(), 0));
    assert_eq!(lab.again(), Some(shown));
    // Without numbers they are known by their bytes, and change as little.
    assert_eq!(x(lab.server(&one)), 3.0);
    assert_eq!(x(lab.server(&server.seal(&east(4.0)[1..]))), 4.0);
}

#[test]
fn a_copy_of_what_waits_is_opened_with_it() {
    let mut lab = enciphered(KEY);
    let sealed = sealed(3);
    assert_eq!(actor(&lab.server(&sealed[0])), Some(1));
    assert_eq!(lab.server(&sealed[2]).unwrap().text("bedrock.key.state"), "waiting");
    let shown = lab.server(&sealed[2]).unwrap();
    assert_eq!((shown.text("bedrock.key.state"), shown.value("bedrock.resentFrom")), ("waiting".into(), 5));
    let place = lab.place();
    assert_eq!(actor(&lab.server(&sealed[1])), Some(2));
    let shown = lab.at(place).unwrap();
    assert_eq!((shown.text("bedrock.key.state"), shown.value("bedrock.resentFrom")), ("verified".into(), 5));
    assert_eq!(actor(&Some(shown)), Some(3));
    // One that nothing ever opens stays lost.
    let mut lab = enciphered(KEY);
    assert_eq!(actor(&lab.server(&sealed[0])), Some(1));
    lab.server(&sealed[2]);
    lab.server(&sealed[2]);
    assert_eq!(lab.again().unwrap().text("bedrock.key.state"), "lost");
}

#[test]
fn a_cut_message_lets_those_behind_it_be_tried_with_every_key() {
    let mut lab = enciphered(&format!("{} {KEY}", "11".repeat(32)));
    let sealed = sealed(3);
    assert_eq!(lab.server(&sealed[1]).unwrap().text("bedrock.key.state"), "wrong");
    let place = lab.place();
    lab.cut(&sealed[0], 20).unwrap();
    assert_eq!(actor(&lab.at(place)), Some(2));
    assert_eq!(actor(&lab.server(&sealed[2])), Some(3));
}

/// What waits at one end is opened as soon as the other end proves the key, though nothing else comes there.
#[test]
fn a_key_proved_by_one_end_opens_what_waits_at_the_other() {
    let mut lab = enciphered(KEY);
    let (mut client, sealed) = (Sealer::new(), sealed(2));
    // So many cut ones that those which wait are tried with unproved keys no more.
    for number in 0..65u8 {
        let message = client.seal(&[0xFF, 9, 9, number, 1, 2, 3, 4, 5, 6, 7]);
        let cut = message.len() - 1;
        let (bytes, reported) = (&message[..cut], message.len());
        lab.cut_of_client(bytes, reported).unwrap();
    }
    assert_eq!(lab.server(&sealed[1]).unwrap().text("bedrock.key.state"), "wrong");
    let place = lab.place();
    lab.cut(&sealed[0], 20).unwrap();
    assert_eq!(actor(&lab.at(place)), None, "no key is proved");
    let shown = lab.client(&client.seal(&[0xFF, 1, 4])).unwrap();
    assert_eq!(shown.text("bedrock.key.state"), "verified");
    assert_eq!(actor(&lab.at(place)), Some(2));
}

#[test]
fn a_request_that_comes_again_and_again_is_measured_from_the_first() {
    let request = [0xFE, 6, 0xC1, 1, 0, 0, 8, 0xA0];
    let mut lab = agreed();
    for (seconds, session) in [(6, 0), (6, 1), (6, 1), (6, 2)] {
        lab.wait(seconds);
        assert_eq!(lab.client(&request).unwrap().value("bedrock.session"), session);
    }
}

#[test]
fn a_message_is_shown_as_itself_though_others_wait() {
    let mut lab = enciphered(KEY);
    let mut server = Sealer::new();
    let messages: Vec<_> = (0..4).map(|number| server.seal(&[0xFF, 4, 9, number, 7, 7])).collect();
    assert_eq!(lab.server(&messages[3]).unwrap().text("bedrock.key.state"), "wrong");
    // While the first is taken in, the last is tried and does not fit.
    for message in &messages[..2] {
        let shown = lab.server(message).unwrap();
        assert_eq!((shown.info.as_str(), shown.experts.len()), ("Text", 0));
    }
    // And here it does.
    assert_eq!(lab.server(&messages[2]).unwrap().info, "Text");
}

#[test]
fn an_early_message_that_was_cut_is_known_when_it_comes_whole() {
    let mut lab = Lab::with(&Settings { bedrock_keys: KEY.into(), ..Settings::default() });
    lab.agree(2208, 0);
    let text = [&[0xFE, 0xFF][..], &batch(&[[&[9][..], &[1; 40]].concat()])].concat();
    lab.cut(&text, 30).unwrap();
    let handshake = [&[0xFE, 0xFF][..], &batch(&[[&[3, 4][..], b"jwt."].concat()])].concat();
    lab.server(&handshake).unwrap();
    assert_eq!(actor(&lab.server(&sealed(1)[0])), Some(1));
    let shown = lab.server(&text).unwrap();
    assert_eq!((shown.find("bedrock.resentFrom"), shown.info.as_str()), (Some(3), "[sent before]; Text"));
}

#[test]
fn what_a_cut_message_says_is_shown_and_not_believed() {
    // All but a part of the trailer; and as much as would be a batch of its first packet with a trailer behind it.
    for captured in [east(9.0).len() + 4, 2 + 18 + 8] {
        let mut lab = enciphered(KEY);
        let mut server = Sealer::new();
        let one = server.seal(&east(1.0)[1..]);
        let two = server.seal(&east(9.0)[1..]);
        let still = server.seal(&[&[0xFF][..], &batch(&[delta(&STILL)])].concat());
        assert_eq!(x(lab.server(&one)), 1.0);
        let shown = lab.cut(&two, captured).unwrap();
        assert_eq!(shown.text("bedrock.key.state"), "unverified");
        assert_eq!(f64::from_bits(shown.value("bedrock.moveActorDelta.newPositionX")), 9.0, "{captured}");
        assert_eq!(shown.find("bedrock.actor.x"), None);
        assert_eq!(x(lab.server(&still)), 1.0, "{captured}");
    }
}
