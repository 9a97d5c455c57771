//! What a session knows, what it keeps, and what it tells of faults.

use dissector_core::capture::Settings;

use crate::lab::{batch, deflated, delta, snappy, zlib, Lab, Shown, MOVED, STILL};
use crate::sealed::{actor, enciphered, sealed, Sealer, KEY};

const REQUEST: [u8; 8] = [0xFE, 6, 0xC1, 1, 0, 0, 8, 0xA0];

fn bare(packets: &[Vec<u8>]) -> Vec<u8> {
    [&[0xFE, 0xFF][..], &batch(packets)].concat()
}

fn experts(shown: &Shown) -> Vec<(&str, &str)> {
    shown.experts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect()
}

/// Actor `number` moves, as protocol 1001 has it: to x 1, or nowhere.
fn old(number: u8, to: Option<f32>) -> Vec<u8> {
    let x = to.map_or(Vec::new(), |x| x.to_le_bytes().to_vec());
    delta(&[&[0x80 | number & 0x7F, number >> 7, u8::from(to.is_some()), 0][..], &x].concat())
}

#[test]
fn a_negative_protocol_is_shown_and_states_none() {
    for (stated, value) in [([0xFF, 0xFF, 0xFF, 0xFE], -2i64), ([0x80, 0, 0, 0], i64::from(i32::MIN))] {
        let mut lab = Lab::new();
        let shown = lab.client(&[&[0xFE, 6, 0xC1, 1][..], &stated].concat()).unwrap();
        let name = "bedrock.requestNetworkSettings.clientNetworkVersion";
        assert_eq!(shown.find(name).map(|value| value as i64), Some(value));
        assert_eq!((shown.find("bedrock.protocol"), shown.text("bedrock.sender")), (None, String::new()));
        assert!(shown.experts.is_empty());
    }
}

#[test]
fn a_request_begins_a_session_by_its_protocol_and_its_time() {
    // Two messages later, each a millisecond after the one before, ten seconds have passed or one nanosecond less.
    for (nanoseconds, session) in [(9_998_000_000 - 1, 0), (9_998_000_000, 1)] {
        let mut lab = Lab::new();
        lab.agree(2208, 0);
        lab.wait_nanoseconds(nanoseconds);
        assert_eq!(lab.client(&REQUEST).unwrap().value("bedrock.session"), session, "{nanoseconds}");
    }
    let mut lab = Lab::new();
    lab.agree(2208, 0);
    lab.wait(-5);
    assert_eq!(lab.client(&REQUEST).unwrap().value("bedrock.session"), 0, "a little earlier");
    lab.wait(-60);
    assert_eq!(lab.client(&REQUEST).unwrap().value("bedrock.session"), 1, "much earlier");
    let shown = lab.client(&[0xFE, 6, 0xC1, 1, 0, 0, 8, 0x78]).unwrap();
    assert_eq!((shown.value("bedrock.session"), shown.value("bedrock.protocol")), (2, 2168));
    // Other ports are other sessions, and what was seen from the middle ends with a request.
    lab.port += 1;
    let shown = lab.server(&bare(&[delta(&MOVED)])).unwrap();
    assert_eq!((shown.value("bedrock.session"), shown.find("bedrock.protocol")), (3, None));
    assert_eq!(lab.client(&REQUEST).unwrap().value("bedrock.session"), 4);
    lab.port -= 1;
    assert_eq!(lab.server(&bare(&[delta(&MOVED)])).unwrap().value("bedrock.session"), 2);
}

#[test]
fn packets_teach_which_end_is_which() {
    let server = |shown: Option<Shown>| shown.unwrap().text("bedrock.sender");
    let text = bare(&[vec![9, 1, 2, 3, 4, 5, 6, 7]]);
    // NetworkSettings come from a server, a login and a request beside others from a client.
    let settings = [0xFE, 12, 0x8F, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let mut lab = Lab::new();
    assert_eq!(server(lab.client(&settings)), "server");
    assert_eq!([server(lab.client(&text)), server(lab.server(&text))], ["server", "client"]);
    let mut lab = Lab::new();
    lab.server(&bare(&[delta(&MOVED)])).unwrap();
    let login = bare(&[[&[1, 0, 0, 8, 0x78][..], b"tokens"].concat()]);
    let shown = lab.server(&login).unwrap();
    assert_eq!((shown.value("bedrock.protocol"), shown.text("bedrock.sender")), (2168, "client".into()));
    assert_eq!(shown.value("bedrock.protocol.statedIn"), 2);
    let shown = lab.server(&bare(&[vec![1, 0, 0, 0, 0]])).unwrap();
    assert_eq!(shown.value("bedrock.protocol"), 2168, "zero is no protocol");
    // Settings that are cut name no algorithm.
    let mut lab = Lab::new();
    lab.client(&REQUEST).unwrap();
    lab.server(&[0xFE, 5, 0x8F, 1, 1, 0, 0]).unwrap();
    assert_eq!(lab.server(&[0xFE, 1, 9]).unwrap().info, "Text");
}

#[test]
fn a_form_that_was_found_is_kept_where_nobody_names_one() {
    let long = batch(&[delta(&MOVED), delta(&STILL)]);
    let text = batch(&[vec![9, 1]]);
    for (press, name) in [(deflated as fn(&[u8]) -> Vec<u8>, "deflate"), (zlib, "zlib"), (snappy, "Snappy")] {
        let mut lab = Lab::new();
        let shown = lab.server(&[&[0xFE][..], &press(&long)].concat()).unwrap();
        assert_eq!(
            (shown.text("bedrock.compression.method"), shown.find("bedrock.compression")),
            (name.into(), None)
        );
        let shown = lab.server(&[&[0xFE][..], &press(&text)].concat()).unwrap();
        assert_eq!((shown.text("bedrock.compression.method"), shown.info), (name.into(), "Text".into()));
        // What does not fit is told as what was found.
        let shown = lab.server(&[0xFE, 0x7F, 0xFF, 0xFF]).unwrap();
        assert_eq!(shown.text("bedrock.compression.method"), name);
    }
    // A bare handshake in the middle is no form to keep.
    let mut lab = Lab::new();
    lab.server(&[&[0xFE][..], &deflated(&long)].concat()).unwrap();
    lab.server(&[0xFE, 12, 0x8F, 1, 1, 0, 9, 0, 0, 0, 0, 0, 0, 0]).unwrap();
    assert_eq!(lab.server(&[0xFE, 0x7F, 0xFF]).unwrap().text("bedrock.compression.method"), "deflate");
    // Nor is a request that opens a session.
    let mut lab = Lab::new();
    lab.client(&[0xFE, 6, 0xC1, 1, 0, 0, 0, 9]).unwrap();
    assert_eq!(lab.server(&[0xFE, 7, 7]).unwrap().text("bedrock.compression.method"), "zlib");
    let mut lab = Lab::new();
    lab.client(&[0xFE, 6, 0xC1, 1, 0xFF, 0, 0, 9]).unwrap();
    let shown = lab.server(&[0xFE, 7, 7]).unwrap();
    assert_eq!(
        experts(&shown),
        [("bedrock.malformed", "bedrock.compression is 7, which names no compression")]
    );
    assert_eq!((shown.info.as_str(), shown.stands[0].as_str()), ("[malformed]", "bedrock"));
    let shown = lab.server(&[0xFE]).unwrap();
    assert_eq!(experts(&shown), [("bedrock.malformed", "bedrock.compression needs 1 byte, none is left")]);
    assert_eq!((shown.find("bedrock.compression"), shown.find("bedrock.compression.method")), (None, None));
}

#[test]
fn a_layout_found_by_fit_is_told_once() {
    let mut lab = Lab::new();
    let shown = lab.server(&bare(&[delta(&MOVED), delta(&MOVED)])).unwrap();
    assert_eq!(experts(&shown)[0].0, "bedrock.inferred");
    assert_eq!((shown.experts.len(), shown.stands[0].as_str()), (1, "bedrock.packet"));
    assert!(lab.server(&bare(&[delta(&MOVED)])).unwrap().experts.is_empty());
    // What fits none is told as often as it comes, where all of it is there.
    let shown = lab.server(&bare(&[delta(&[2, 9, 9, 9]), delta(&[2, 9, 9, 9])])).unwrap();
    let text =
        "The session does not say which protocol it is of, and the body fits no layout of MoveActorDelta";
    assert_eq!(experts(&shown), [("bedrock.unread", text); 2]);
    assert_eq!(shown.all("bedrock.packet.body").count(), 2);
    let shown = lab.server(&[0xFE, 0xFF, 9, 0x6F, 2, 9, 9]).unwrap();
    assert_eq!(experts(&shown), [("bedrock.malformed", "bedrock.packet.length says 9 bytes, there are 4")]);
    assert_eq!(
        (shown.info.as_str(), shown.stands[0].as_str()),
        ("MoveActorDelta [malformed]", "bedrock.packet")
    );
}

#[test]
fn bodies_say_what_is_wrong_with_them() {
    let mut lab = Lab::new();
    lab.agree(2208, 0);
    let surplus = [&STILL[..], &[1, 2]].concat();
    let shown = lab.server(&bare(&[vec![9], delta(&surplus)])).unwrap();
    assert_eq!(experts(&shown), [("bedrock.surplus", "2 bytes after the end of MoveActorDelta")]);
    assert!(shown.lines.contains(&"      bedrock.packet.leftOver 18+2".to_owned()), "{:?}", shown.lines);
    assert_eq!((shown.stands[0].as_str(), shown.info.as_str()), ("bedrock.packet", "Text; MoveActorDelta 2"));
    let mut odd = STILL;
    odd[7] = 2;
    let shown = lab.server(&bare(&[delta(&odd)])).unwrap();
    assert_eq!(experts(&shown), [("bedrock.unusual", "A byte that says yes or no is neither 0 nor 1")]);
    let endless = delta(&[0xFF; 12]);
    let shown = lab.server(&bare(&[endless])).unwrap();
    let text = "bedrock.moveActorDelta.actorRuntimeId does not end within 10 bytes";
    assert_eq!(experts(&shown), [("bedrock.malformed", text)]);
    assert_eq!(shown.find("bedrock.actor"), None);
    // A packet that is not all there says so once, however its body ends.
    let shown = lab.server(&[0xFE, 0xFF, 13, 0x6F, 2, 0]).unwrap();
    assert_eq!(experts(&shown), [("bedrock.malformed", "bedrock.packet.length says 13 bytes, there are 3")]);
    let shown = lab.cut(&bare(&[delta(&STILL)]), 6).unwrap();
    assert_eq!(
        experts(&shown),
        [("bedrock.short", "bedrock.packet.length says 13 bytes, the capture holds 3")]
    );
    assert_eq!(shown.info, "MoveActorDelta [cut short]");
}

#[test]
fn what_is_left_over_says_why() {
    let cases: [(&[u8], &str, u64); 5] = [
        (&[0], "bedrock.packet.length is 0, but a packet has a header", 1),
        (&[0x80, 0x80, 0x80, 0x80], "bedrock.packet.length has no end: 4 bytes are left", 4),
        (&[0x80; 5], "bedrock.packet.length does not end within 5 bytes, or is above 4294967295", 5),
        (
            &[0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
            "bedrock.packet.length does not end within 5 bytes, or is above 4294967295",
            5,
        ),
        (&[2, 0x80, 0x80, 9], "bedrock.packet.header does not end within the packet, or within 5 bytes", 4),
    ];
    for (bytes, text, left) in cases {
        let mut lab = Lab::new();
        lab.agree(2208, 0);
        let message = [&[0xFE, 0xFF, 1, 9][..], bytes].concat();
        let shown = lab.server(&message).unwrap();
        assert_eq!(experts(&shown), [("bedrock.malformed", text)]);
        assert_eq!(
            (shown.info.as_str(), shown.stands[0].as_str()),
            ("Text [malformed]", "bedrock.packet.leftOver")
        );
        assert_eq!(shown.lines.last().unwrap(), &format!("  bedrock.packet.leftOver 4+{left}"));
        let whole = [&message[..], &[9; 9]].concat();
        let shown = lab.cut(&whole, message.len()).unwrap();
        assert_eq!((experts(&shown)[0], shown.info.as_str()), (("bedrock.short", text), "Text [cut short]"));
    }
    let mut lab = Lab::new();
    lab.agree(2208, 0);
    let text = "bedrock.packet.length needs 1 byte, none is left: the batch is empty";
    let shown = lab.cut(&[0xFE, 0xFF, 9, 9], 2).unwrap();
    assert_eq!((experts(&shown), shown.stands[0].as_str()), (vec![("bedrock.short", text)], "bedrock"));
    let shown = lab.server(&[&[0xFE, 0][..], &deflated(&[])].concat()).unwrap();
    assert_eq!(experts(&shown), [("bedrock.malformed", text)]);
}

#[test]
fn faults_of_compression_say_where() {
    let plain = batch(&vec![delta(&MOVED); 30]);
    let pressed = deflated(&plain);
    let mut lab = Lab::new();
    lab.agree(2208, 0);
    let shown = lab.server(&[&[0xFE, 0][..], &pressed, &[1, 2]].concat()).unwrap();
    let text = format!("bedrock.compressed goes on after its deflate ends at byte {}", pressed.len());
    assert_eq!(experts(&shown), [("bedrock.surplus", text.as_str())]);
    assert_eq!((shown.value("bedrock.packetCount"), &shown.info[..11]), (30, "[malformed]"));
    let message = [&[0xFE, 0][..], &pressed].concat();
    let shown = lab.cut(&message, message.len() - 5).unwrap();
    let length = shown.value("bedrock.decompressedLength");
    assert!(length > 0 && length < plain.len() as u64);
    let text = format!("The capture cut the deflate batch short; decompressed bytes: {length}");
    assert_eq!(experts(&shown), [("bedrock.short", text.as_str())]);
    assert!(shown.info.starts_with("[cut short]; MoveActorDelta"), "{}", shown.info);
    let shown = lab.server(&message[..message.len() - 5]).unwrap();
    assert_eq!(experts(&shown), [("bedrock.malformed", "bedrock.compressed ends before its deflate does")]);
    assert!(shown.info.starts_with("[malformed]; MoveActorDelta"), "{}", shown.info);
    // Only the end of the stream is missing: all packets are there.
    let open = [&[0xFE, 0, 0, 2, 0, 0xFD, 0xFF][..], &[1, 9]].concat();
    let shown = lab.server(&open).unwrap();
    assert_eq!((shown.experts.len(), shown.info.as_str()), (0, "Text"));
    let shown = lab.server(&[0xFE, 1, 9, 0xFF, 1, 2]).unwrap();
    assert_eq!(
        experts(&shown),
        [("bedrock.malformed", "bedrock.compressed is no Snappy from about byte 0 on")]
    );
    let shown = lab.server(&[0xFE, 1, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0]).unwrap();
    assert_eq!(
        experts(&shown),
        [("bedrock.tooLarge", "The Snappy batch grows past 6000 bytes: it is not decompressed")]
    );
    assert_eq!((shown.find("bedrock.packetCount"), shown.info.as_str()), (None, "[malformed]"));
}

#[test]
fn places_are_kept_in_step_with_the_bytes() {
    let mut lab = Lab::new();
    lab.agree(1001, 0);
    let message = [&[0xFE, 0][..], &deflated(&batch(&vec![old(2, Some(1.0)); 400]))].concat();
    let kept = 16 + (message.len() - 1) / 2;
    assert!(kept < 400);
    for _ in 0..2 {
        let shown = lab.server(&message).unwrap();
        assert_eq!(shown.all("bedrock.actor.x").count(), kept);
        assert_eq!(lab.again().unwrap(), shown);
    }
    let shown = lab.server(&bare(&[old(3, Some(5.0)), old(2, None)])).unwrap();
    assert_eq!(shown.all("bedrock.actor.x").map(f64::from_bits).collect::<Vec<_>>(), [5.0, 1.0]);
    // Bare bytes give room to many actors: none of a hundred is forgotten.
    let mut lab = Lab::new();
    lab.agree(1001, 0);
    lab.server(&bare(&(0..100).map(|number| old(number, Some(1.0))).collect::<Vec<_>>())).unwrap();
    let shown = lab.server(&bare(&(0..100).map(|number| old(number, None)).collect::<Vec<_>>())).unwrap();
    assert_eq!(shown.all("bedrock.actor.x").count(), 100);
}

#[test]
fn the_first_messages_are_known_again_once_the_session_is_enciphered() {
    for (others, known) in [(61, true), (62, false)] {
        let mut lab = Lab::with(&Settings { bedrock_keys: KEY.into(), ..Settings::default() });
        lab.agree(2208, 0);
        for number in 0..others {
            lab.server(&bare(&[vec![9, number]])).unwrap();
        }
        let handshake = bare(&[[&[3, 4][..], b"jwt."].concat()]);
        lab.server(&handshake).unwrap();
        assert_eq!(actor(&lab.server(&sealed(1)[0])), Some(1));
        let shown = lab.server(&handshake).unwrap();
        assert_eq!(shown.find("bedrock.resentFrom"), known.then_some(u64::from(others) + 3), "{others}");
        assert_eq!(shown.find("bedrock.packet.id"), known.then_some(3));
        // A request is always in clear.
        let shown = lab.client(&REQUEST).unwrap();
        assert_eq!((shown.value("bedrock.packet.id"), shown.value("bedrock.session")), (193, 0));
    }
}

#[test]
fn a_resent_message_that_nobody_can_read_is_no_news() {
    for keys in [String::new(), "22".repeat(32)] {
        let mut lab = enciphered(&keys);
        let sealed = sealed(1);
        assert_eq!(lab.server(&sealed[0]).unwrap().experts.len(), 1);
        let shown = lab.server(&sealed[0]).unwrap();
        assert_eq!((shown.experts.len(), shown.find("bedrock.resentFrom")), (0, None));
    }
}

#[test]
fn what_waits_is_told_apart_from_what_is_lost() {
    let mut lab = enciphered(KEY);
    let sealed = sealed(70);
    assert_eq!(actor(&lab.server(&sealed[0])), Some(1));
    let shown = lab.server(&sealed[2]).unwrap();
    let text = "This message does not follow those before: one in front of it comes later or never";
    assert_eq!(
        (experts(&shown), shown.text("bedrock.key.state")),
        (vec![("bedrock.inferred", text)], "waiting".into())
    );
    let shown = lab.again().unwrap();
    let text = "Messages in front of this one are missing from the capture, so it cannot be deciphered";
    assert_eq!(
        (experts(&shown), shown.text("bedrock.key.state")),
        (vec![("bedrock.lost", text)], "lost".into())
    );
    let length = sealed[2].len() - 1;
    assert!(shown.lines.contains(&format!("  bedrock.enciphered 1+{length}")), "{:?}", shown.lines);
    assert_eq!(
        (shown.info.clone(), shown.find("bedrock.counter")),
        (format!("[enciphered] {length} bytes"), None)
    );
    // A key that the client's half proves opens what waits at the server's.
    let mut lab = enciphered(&format!("{} {KEY}", "11".repeat(32)));
    assert_eq!(lab.server(&sealed[1]).unwrap().text("bedrock.key.state"), "wrong");
    let place = lab.place();
    assert_eq!(actor(&lab.server(&sealed[0])), Some(1));
    assert_eq!(actor(&lab.at(place)), Some(2));
    assert_eq!(lab.client(&Sealer::new().seal(&[0xFF, 1, 4])).unwrap().value("bedrock.packet.id"), 4);
}
