//! Key texts in all their forms, lists of them, and what is said of those that are none.

use super::*;

const FORMS: &str = "must be 32 hex digits, 24 base64 characters or 16 characters of text, got";

fn refusal(text: &str) -> String {
    Key::parse(text).unwrap_err().to_string()
}

/// The bytes a text may stand for, likelier ones first.
fn readings(text: &str) -> Vec<Vec<u8>> {
    Key::parse(text).unwrap().readings().map(|reading| reading.bytes().to_vec()).collect()
}

#[test]
fn hex_digits_of_either_case_are_the_bytes_in_order() {
    let bytes: [u8; 16] = std::array::from_fn(|i| 0x0F + 0x10 * i as u8);
    assert_eq!(readings("0f1f2f3f4f5f6f7f8f9fafbfcfdfefff"), [bytes]);
    assert_eq!(readings("\t0F1F2F3F4F5F6F7F8F9FaFbFcFdFeFfF \r\n"), [bytes]);
    assert_eq!(Key::parse("0f1f2f3f4f5f6f7f8f9fafbfcfdfefff"), Ok(Key::from_bytes(bytes)));
    let told = format!("key {FORMS} 32 characters that are not all hex digits");
    for text in ["0f1f2f3f4f5f6f7f8f9fafbfcfdfeffg", "-f1f2f3f4f5f6f7f8f9fafbfcfdfefff", &"ä".repeat(32)] {
        assert_eq!(refusal(text), told, "{text}");
    }
    assert_eq!(refusal("0x0f1f2f3f4f5f6f7f8f9fafbfcfdfefff"), format!("key {FORMS} 34 characters"));
}

#[test]
fn the_unused_bits_of_base64_may_be_anything() {
    let bytes = [(0..16).map(|i| i * 0x11).collect::<Vec<u8>>()];
    // the last character of 16 bytes holds two bits of them and four of nothing
    for last in "wxyz0123456789+/".chars() {
        assert_eq!(readings(&format!("ABEiM0RVZneImaq7zN3u/{last}==")), bytes, "{last}");
    }
    assert_ne!(readings("ABEiM0RVZneImaq7zN3u/v=="), bytes, "one of the two bits");
}

#[test]
fn base64_of_other_than_sixteen_bytes_is_no_key() {
    let told = format!("key {FORMS} 24 characters that are not base64 of 16 bytes");
    for text in [
        "ABEiM0RVZneImaq7zN3u/w=A",
        "ABEiM0RVZneImaq7zN3u/wA=",
        "ABEiM0RVZneImaq7zN3u/wAA",
        "ABEiM0RVZneImaq7zN3u_w==",
        "ABEiM0RVZneImaq7zN3u*w==",
        "ABEiM0RVZneImaq7zN3u====",
    ] {
        assert_eq!(refusal(text), told, "{text}");
    }
    assert_eq!(refusal("ABEiM0RVZneImaq7zN3u/w"), format!("key {FORMS} 22 characters"), "without its end");
}

#[test]
fn sixteen_characters_are_the_key_itself_or_base64() {
    assert_eq!(readings("AAECAwQFBgcICQoL"), [b"AAECAwQFBgcICQoL".to_vec(), (0..12).collect()]);
    assert_eq!(readings("AAECAwQFBgcICQo="), [b"AAECAwQFBgcICQo=".to_vec(), (0..11).collect()]);
    assert_eq!(
        readings("!~AECAwQFBgcICQo"),
        [b"!~AECAwQFBgcICQo".to_vec()],
        "the first and the last graphic"
    );
    let told = format!("key {FORMS} 16 characters that are not all plain ASCII");
    for text in ["sixteen letters.", "sixteen\u{7f}letters.", "sixteenäletters."] {
        assert_eq!(refusal(text), told, "{text}");
    }
    for length in [0, 1, 15, 17, 23, 25, 31, 33] {
        assert_eq!(refusal(&"A".repeat(length)), format!("key {FORMS} {length} characters"));
    }
}

#[test]
fn lists_are_read_between_commas_semicolons_and_white_space() {
    let (keys, wrong) = parse_list(&format!(",{KEY};; {KEY}\t{KEY}\n,short\r\nAAECAwQFBgcICQoL  x"));
    assert_eq!((keys.len(), keys[0], keys[3]), (4, keys[2], Key::parse("AAECAwQFBgcICQoL").unwrap()));
    let told: Vec<_> = wrong.iter().map(|wrong| (wrong.number, wrong.got, wrong.to_string())).collect();
    assert_eq!(
        told,
        [
            (Some(4), 5, format!("key 4 {FORMS} 5 characters")),
            (Some(6), 1, format!("key 6 {FORMS} 1 characters"))
        ]
    );
    assert_eq!(parse_list(" ,;\n"), (vec![], vec![]));
}

#[test]
fn neither_keys_nor_schedules_are_written_to_a_log() {
    let key = Key::parse("AAECAwQFBgcICQoL").unwrap();
    let told = "Key { first: Reading(16 bytes), second: Some(Reading(12 bytes)) }";
    assert_eq!(format!("{key:?}"), told);
    assert_eq!(format!("{:?}", key.schedules().next().unwrap()), "Schedule(..)");
    assert_eq!(Reading::new(&[1; 17]), None);
}

#[test]
fn every_reading_of_a_text_has_a_schedule() {
    let block = |schedule: &Schedule| {
        let mut block = [7; BLOCK];
        schedule.encipher(&mut block);
        block
    };
    let of = |bytes: &[u8]| block(&Schedule::new(bytes).unwrap());
    let key = Key::parse("AAECAwQFBgcICQoL").unwrap();
    let made: Vec<_> = key.schedules().map(|schedule| block(&schedule)).collect();
    assert_eq!(made, [of(b"AAECAwQFBgcICQoL"), of(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])]);
    assert_eq!(Key::parse(KEY).unwrap().schedules().count(), 1);
}
