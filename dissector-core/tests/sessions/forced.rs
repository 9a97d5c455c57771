//! A header variant that the user forces: all its forms, and no other.

use dissector_core::capture::{Sender, Settings};
use dissector_core::enet::wire::write::Outgoing;
use dissector_core::enet::wire::HeaderVariant;

use crate::lab::{passes, read, shown, streams, Pass, Shown, GOOD};
use crate::wire::{Client, Server, Talk};

fn forced(variant: &str) -> Settings {
    Settings { variant: variant.into(), ..Settings::default() }
}

/// A conversation whose connect was not captured; with Decode As, or without.
fn middle(variant: HeaderVariant, decode_as: bool) -> Talk {
    let mut talk = Talk { session: 1, ..Talk::new(variant) };
    for number in 1..=3 {
        talk.reliable(Client, 0, number, format!("{{\"hello\":{number}}}").as_bytes());
        talk.send(Server, vec![Outgoing::acknowledge(0, number, 7)]);
        talk.send(Server, vec![Outgoing::unreliable(1, 0, number, b"0123456789")]);
    }
    talk.send(Client, vec![Outgoing::ping(1)]);
    talk.frames.iter_mut().for_each(|frame| frame.decode_as = decode_as);
    talk
}

/// What each frame shows, without what says how sure the variant is.
fn rows(pass: &Pass) -> Vec<Option<Vec<String>>> {
    pass.iter().map(|shown| Some(shown.as_ref()?.outline())).collect()
}

#[test]
fn a_forced_variant_is_read_as_one_that_was_found_out() {
    for variant in HeaderVariant::ALL {
        for decode_as in [false, true] {
            let talk = middle(variant, decode_as);
            let found = read(&forced("auto"), &talk.frames);
            assert_eq!(streams(&found), vec![Some(0); talk.frames.len()], "{variant:?}");
            let (one, two) = passes(&forced(variant.name()), &talk.frames);
            assert_eq!(rows(&two), rows(&found), "{variant:?} {decode_as}");
            if variant == HeaderVariant::StockChecksum {
                assert!(shown(&two).iter().all(|shown| shown.values("enet.checksum.status") == [GOOD]));
                let first = one.iter().flatten().next().unwrap();
                assert!(first.has("enet.checksum"), "{decode_as}");
            }
        }
    }
}

#[test]
fn a_connect_of_any_form_begins_a_session_of_a_forced_variant() {
    for variant in HeaderVariant::ALL {
        let mut talk = Talk::new(variant);
        talk.open();
        let two = read(&forced(variant.name()), &talk.frames);
        assert_eq!(streams(&two), [Some(0); 3], "{variant:?}");
        assert_eq!(shown(&two)[0].has("enet.checksum"), variant == HeaderVariant::StockChecksum);
    }
}

#[test]
fn a_form_that_was_forced_alone_is_the_only_one() {
    for (variant, fits) in [(HeaderVariant::StockChecksum, true), (HeaderVariant::Stock, false)] {
        let talk = middle(variant, false);
        let two = read(&forced("stockChecksum"), &talk.frames);
        assert_eq!(streams(&two)[0].is_some(), fits, "{variant:?}");
        let mut talk = Talk::new(variant);
        talk.open();
        let two = read(&forced("stockChecksum"), &talk.frames);
        assert_eq!(streams(&two)[0].is_some(), fits, "{variant:?}");
    }
}

#[test]
fn a_single_datagram_of_a_forced_variant_takes_the_form_that_fits() {
    let of = |variant, from: Sender| {
        let mut talk = Talk { session: 1, ..Talk::new(variant) };
        let at = talk.send(from, vec![Outgoing::unreliable(1, 0, 1, b"0123456789")]);
        talk.frames[at].decode_as = true;
        let (one, two) = passes(&forced(variant.name()), &talk.frames);
        assert_eq!(streams(&one), [Some(0)], "{variant:?}");
        two[at].clone().unwrap()
    };
    let summed = |shown: &Shown| shown.has("enet.checksum");
    assert!(!summed(&of(HeaderVariant::Stock, Client)) && summed(&of(HeaderVariant::StockChecksum, Server)));
    let prefixed = |shown: &Shown| shown.has("enet.prefix");
    assert!(prefixed(&of(HeaderVariant::Season8, Client)) && !prefixed(&of(HeaderVariant::Season8, Server)));
}

#[test]
fn checksums_that_agree_are_enough_whoever_sends_and_whatever_it_is() {
    let pings = |variant| {
        let mut talk = Talk { session: 1, ..Talk::new(variant) };
        for number in 1..=4 {
            talk.send(Client, vec![Outgoing::ping(number)]);
        }
        talk
    };
    let talk = pings(HeaderVariant::StockChecksum);
    assert_eq!(streams(&read(&forced("auto"), &talk.frames)), [Some(0); 4]);
    let talk = pings(HeaderVariant::Stock);
    assert_eq!(streams(&read(&forced("auto"), &talk.frames)), [None; 4]);
    // copies of one datagram agree with themselves only
    let mut talk = pings(HeaderVariant::StockChecksum);
    let bytes = talk.frames[0].bytes.clone();
    talk.frames.iter_mut().for_each(|frame| frame.bytes = bytes.clone());
    assert_eq!(streams(&read(&forced("auto"), &talk.frames)), [None; 4]);
    // nor do sums that fit no connection
    let mut talk = pings(HeaderVariant::StockChecksum);
    for (place, frame) in talk.frames.iter_mut().enumerate() {
        frame.bytes[4..8].copy_from_slice(&[place as u8 | 0x70; 4]);
    }
    assert_eq!(streams(&read(&forced("auto"), &talk.frames)), [None; 4]);
}
