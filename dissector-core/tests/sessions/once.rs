//! What is read more often than once, or quoted, is delivered once.

use dissector_core::capture::{Detail, Settings};
use dissector_core::enet::wire::write::{self, Outgoing};
use dissector_core::enet::wire::HeaderVariant;

use crate::lab::{packet, passes};
use crate::wire::{ack, built, group, other, Client, Server, Talk, KEY_TEXT};

/// Settings with two keys alike, of which seven payloads prove the first and fewer none.
fn undecided() -> Settings {
    built(Settings { keys: format!("{KEY_TEXT},{KEY_TEXT}"), ..Settings::default() })
}

/// Payloads that a wrong key makes nothing of.
fn speech(talk: &mut Talk, numbers: std::ops::Range<u16>) -> Vec<usize> {
    numbers
        .map(|number| {
            let body = other(100 + number, 0x4000_0019, &[number as u8; 9]);
            talk.reliable(Server, 3, number, &body)
        })
        .collect()
}

#[test]
fn a_payload_that_was_quoted_while_the_key_was_open_is_never_delivered() {
    for quoted in [false, true] {
        let mut talk = Talk::enciphered(HeaderVariant::Classic);
        talk.open();
        let payload = talk.sealed(&group(984));
        let asked = talk.send(Server, vec![Outgoing::unreliable(4, 0, 1, &payload)]);
        talk.frames[asked].in_error_pkt = quoted;
        speech(&mut talk, 1..8);
        let answer = talk.reliable(Client, 1, 1, &ack(984));
        let (one, two) = passes(&undecided(), &talk.frames);
        for pass in [&one, &two] {
            let named = pass[answer].as_ref().unwrap().values("waypoint.ackTo");
            assert_eq!(named, if quoted { vec![] } else { vec![asked as u64 + 1] });
        }
    }
}

#[test]
fn early_fragments_say_which_datagram_of_their_frame_they_were_in() {
    let mut talk = Talk { session: 1, ..Talk::new(HeaderVariant::Stock) };
    let cut = write::reliable((talk.variant, Some(Server)), 60, 3, 1, &[7; 90]);
    assert!(cut.len() >= 3, "{} fragments", cut.len());
    talk.reliable(Client, 3, 1, b"a long order");
    for command in cut {
        talk.send(Server, vec![command]);
    }
    // the first fragment is the second datagram of the first frame
    talk.frames[1].id = (1, 1);
    let mut engine = dissector_core::engine::Engine::new(&Settings::default());
    let mut early = Vec::new();
    for frame in &talk.frames {
        let packet = packet(frame, &frame.bytes, frame.reported, Detail::State, false);
        let Some(output) = engine.datagram(&packet) else { continue };
        early.extend(output.fragments.iter().map(|span| (span.early_frame, span.early_datagram)));
    }
    assert_eq!(early[..2], [(1, 1), (0, 0)]);
}
