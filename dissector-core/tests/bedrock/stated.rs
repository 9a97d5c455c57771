//! What is read as which protocol, and what is said of a protocol without a layout.

use dissector_core::capture::Settings;

use crate::lab::{batch, deflated, delta, zlib, Lab, Shown, MOVED};

/// Actor 7 as protocols 388 to 408 have it: X by 2^20 bits up, Z by 3 down, yaw, on the ground, not meant: bit 9.
const DIFFERENCES: [u8; 9] = [7, 0x55, 0x02, 0x80, 0x80, 0x80, 0x01, 0x05, 0x40];
/// A word of flags and X 1, which is also a difference of four bytes and more.
const FLAGGED: [u8; 7] = [7, 1, 0, 0, 0, 0x80, 0x3F];

/// A session whose client's login states a protocol, and what it then shows of these bodies, a message each.
fn old(number: u16, press: fn(&[u8]) -> Vec<u8>, bodies: &[&[u8]]) -> Vec<Shown> {
    let mut lab = Lab::new();
    let [high, low] = number.to_be_bytes();
    let login = [&[1, 0, 0, high, low][..], b"tokens"].concat();
    let shown = lab.client(&[&[0xFE][..], &press(&batch(&[login]))].concat()).unwrap();
    assert_eq!(shown.value("bedrock.protocol"), u64::from(number));
    bodies
        .iter()
        .map(|body| lab.server(&[&[0xFE][..], &press(&batch(&[delta(body)]))].concat()).unwrap())
        .collect()
}

fn moved(shown: &Shown, name: &str) -> Option<i64> {
    shown.find(&format!("bedrock.moveActorDelta.{name}")).map(|value| value as i64)
}

/// Whether anything at all is taken for a position.
fn has_position(shown: &Shown) -> bool {
    let names = ["bedrock.actor.x", "bedrock.actor.y", "bedrock.actor.z"];
    shown.nodes.iter().any(|(name, _, _)| names.contains(&name.as_str()) || name.contains("newPosition"))
}

#[test]
fn differences_are_read_as_differences() {
    for (number, press) in
        [(388, zlib as fn(&[u8]) -> Vec<u8>), (389, zlib), (390, deflated), (408, deflated)]
    {
        let shown = &old(number, press, &[&DIFFERENCES])[0];
        let read = ["differenceX", "differenceY", "differenceZ"].map(|name| moved(shown, name));
        assert_eq!(read, [Some(1 << 20), None, Some(-3)], "{number}");
        assert_eq!(moved(shown, "rotationY"), Some(64));
        assert_eq!([moved(shown, "isOnGround"), moved(shown, "header.unused")], [Some(1), Some(1)]);
        assert!(!has_position(shown) && shown.experts.is_empty(), "{number}: {:?}", shown.experts);
        assert_eq!(shown.info, "MoveActorDelta 7");
    }
    // A number of 32 bits: its ends, and five bytes that are more than it has.
    let read =
        |bytes: &[u8]| moved(&old(400, deflated, &[&[&[7, 1, 0][..], bytes].concat()])[0], "differenceX");
    assert_eq!(read(&[0xFF, 0xFF, 0xFF, 0xFF, 0x0F]), Some(i64::from(i32::MIN)));
    assert_eq!(read(&[0xFE, 0xFF, 0xFF, 0xFF, 0x0F]), Some(i64::from(i32::MAX)));
    assert_eq!(read(&[0x81, 0x80, 0x80, 0x80, 0x10]), Some(-1));
    assert_eq!(read(&[0]), Some(0));
    let shown = &old(400, deflated, &[&[7, 1, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]])[0];
    let text = "bedrock.moveActorDelta.differenceX does not end within 5 bytes";
    assert_eq!(shown.experts, [("bedrock.malformed".to_owned(), text.to_owned())]);
}

#[test]
fn before_positions_nothing_is_taken_for_one() {
    for (number, press) in
        [(291, zlib as fn(&[u8]) -> Vec<u8>), (361, zlib), (387, zlib), (409, deflated), (418, deflated)]
    {
        let all = old(number, press, &[&FLAGGED, &FLAGGED, &MOVED]);
        let text = format!(
            "No layout of MoveActorDelta is read for protocol {number}, which the client states in frame 1: before \
             protocol 419 it states differences, not positions"
        );
        assert_eq!(all[0].experts, [("bedrock.unread".to_owned(), text)], "told once");
        assert!(all.iter().all(|shown| !has_position(shown) && shown.value("bedrock.packet.id") == 111));
        assert!(all[1..].iter().all(|shown| shown.experts.is_empty()));
        assert!(all.iter().all(|shown| shown.find("bedrock.packet.body").is_some()));
    }
    let shown = &old(419, deflated, &[&FLAGGED])[0];
    assert!(has_position(shown) && shown.experts.is_empty());
}

#[test]
fn where_no_protocol_is_stated_differences_are_not_taken_for_positions() {
    let of = |press: fn(&[u8]) -> Vec<u8>, body: &[u8]| {
        // Something that convinces, in the same batch.
        let plain = batch(&[vec![9, 1, 2, 3, 4, 5, 6, 7, 8, 9], delta(body)]);
        Lab::new().server(&[&[0xFE][..], &press(&plain)].concat()).unwrap()
    };
    // A stream of zlib is of protocol 389 or before.
    let shown = of(zlib, &FLAGGED);
    assert!(!has_position(&shown), "{:?}", shown.nodes);
    assert_eq!(shown.experts.len(), 1);
    assert!(shown.experts[0].1.contains("its batches are zlib streams"), "{:?}", shown.experts);
    // Without a header it may be of any: what is no coordinate of a world is none.
    assert!(has_position(&of(deflated, &FLAGGED)));
    for x in [0.0f32, 1e-6, -30_000_000.0, 9.9e8] {
        let body = [&[7, 1, 0][..], &x.to_le_bytes()].concat();
        assert!(has_position(&of(deflated, &body)), "{x}");
    }
    for x in [1e-35f32, -9e-7, 1.1e9, f32::NAN, f32::INFINITY] {
        let body = [&[7, 1, 0][..], &x.to_le_bytes()].concat();
        let shown = of(deflated, &body);
        assert!(!has_position(&shown), "{x}");
        assert_eq!(shown.experts[0].0, "bedrock.unread");
    }
    // Where the layout is known, all is shown as it is.
    let tiny = [&[7, 1, 0][..], &1e-35f32.to_le_bytes()].concat();
    assert!(has_position(&old(419, deflated, &[&tiny])[0]));
}

/// The finding of a message of this body in a session whose request states a protocol, or none of it.
fn note(settings: &Settings, stated: Option<u16>, body: &[u8]) -> (Vec<(String, String)>, usize) {
    let mut lab = Lab::with(settings);
    if let Some(number) = stated {
        lab.agree(number, 0);
    }
    let message = [&[0xFE, 0xFF][..], &batch(&[delta(body), delta(body)])].concat();
    let shown = lab.server(&message).unwrap();
    let later = lab.again().unwrap();
    assert_eq!((&later.experts, &later.nodes), (&shown.experts, &shown.nodes));
    let experts: Vec<_> = shown.experts.into_iter().filter(|(name, _)| name != "bedrock.surplus").collect();
    (experts, lab.server(&message).unwrap().experts.len())
}

#[test]
fn a_stated_protocol_without_a_layout_is_told_as_that() {
    let auto = Settings::default();
    let inferred = |text: &str| (vec![("bedrock.inferred".to_owned(), text.to_owned())], 0);
    for (number, body, layout) in [
        (2300, &MOVED[..], "2193 to 2208"),
        (2180, &MOVED[..15], "2168 to 2169"),
        (1500, &FLAGGED, "419 to 1001"),
    ] {
        let text = format!(
            "No layout of MoveActorDelta is known for protocol {number}, which the client states in frame 1: that of \
             protocols {layout} fits and is used"
        );
        assert_eq!(note(&auto, Some(number), body), inferred(&text));
        let forced = Settings { bedrock_protocol: number.to_string(), ..Settings::default() };
        let text = format!(
            "No layout of MoveActorDelta is known for protocol {number}, which the preference bedrock.protocol sets: \
             that of protocols {layout} fits and is used"
        );
        assert_eq!(note(&forced, None, body), inferred(&text));
        assert_eq!(note(&forced, Some(2208), body), inferred(&text));
        let text = format!(
            "The session does not say which protocol it is of: the layout is the one that fits, that of protocols {layout}"
        );
        assert_eq!(note(&auto, None, body), inferred(&text));
    }
    assert_eq!(note(&auto, Some(2208), &MOVED), (vec![], 0));
    // What fits none.
    let text = "No layout of MoveActorDelta is known for protocol 2300, which the client states in frame 1, and none of \
                the known ones fits";
    let (experts, later) = note(&auto, Some(2300), &[7, 9, 9, 9]);
    assert_eq!((experts, later), (vec![("bedrock.unread".to_owned(), text.to_owned()); 2], 2));
    // A layout of positions is not tried where the preference names a protocol before them.
    let forced = Settings { bedrock_protocol: "300".into(), ..Settings::default() };
    let mut lab = Lab::with(&forced);
    lab.agree(2208, 0);
    let shown = lab.server(&[&[0xFE][..], &zlib(&batch(&[delta(&FLAGGED)]))].concat()).unwrap();
    assert!(shown.experts[0]
        .1
        .starts_with("No layout of MoveActorDelta is read for protocol 300, which the preference"));
}

#[test]
fn a_number_of_the_info_line_has_at_most_seven_digits() {
    let info = |x: f32| {
        let mut lab = Lab::new();
        lab.agree(1001, 0xFFFF);
        let body = [&[7, 1, 0][..], &x.to_le_bytes()].concat();
        let shown = lab.server(&[&[0xFE, 0xFF][..], &batch(&[delta(&body)])].concat()).unwrap();
        shown.info.strip_prefix("MoveActorDelta 7 x=").unwrap().to_owned()
    };
    for (x, text) in [
        (1.0, "1"),
        (-64.0, "-64"),
        (0.1, "0.1"),
        (123_456.75, "123456.8"),
        (123_456_790.0, "123456800"),
        (16_777_216.0, "16777220"),
        (-0.0, "-0"),
        (0.000_123_456_79, "0.0001234568"),
        (1.234_567_9e-5, "1.234568e-5"),
        (1e-35, "1e-35"),
        (1e9, "1e9"),
        (f32::MAX, "3.402823e38"),
        (f32::NAN, "NaN"),
        (f32::NEG_INFINITY, "-inf"),
    ] {
        assert_eq!(info(x), text, "{x}");
    }
}

#[test]
fn a_protocol_that_the_client_contradicts_is_told_once() {
    let request = [0xFE, 6, 0xC1, 1, 0, 0, 8, 0xA0]; // 2208
    let told = |forced: &str| {
        let settings = Settings { bedrock_protocol: forced.into(), ..Settings::default() };
        let mut lab = Lab::with(&settings);
        let told = |shown: Shown| {
            let found = shown.experts.into_iter().filter(|(name, _)| name == "bedrock.protocolContradicted");
            found.map(|(_, text)| text).collect::<Vec<_>>()
        };
        [told(lab.client(&request).unwrap()), told(lab.client(&request).unwrap())]
    };
    let text = "The client states protocol 2208, and the session is read as 1001, which bedrock.protocol demands: set it to auto unless that is meant";
    assert_eq!(told("1001"), [vec![text.to_owned()], vec![]]);
    assert_eq!(told("2208"), [vec![], vec![]] as [Vec<String>; 2]);
    assert_eq!(told("auto"), [vec![], vec![]] as [Vec<String>; 2]);
}
