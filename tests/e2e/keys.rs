//! Keys that are given, missing, wrong or no keys at all.

use crate::lab::Lab;
use crate::pdml::{Item, Packet};
use crate::KEY;

const WRONG: &str = "00000000000000000000000000000001";

fn lines<'p>(packet: &'p Packet, protocol: &'p str) -> Vec<&'p str> {
    packet.of(protocol).flat_map(Item::all).map(|item| item.label.as_str()).collect()
}

/// The session as it looks with these keys, in one pass or two.
fn session(lab: &Lab, keys: &str, passes: &[&str]) -> Vec<Packet> {
    lab.tshark(&lab.capture("session.pcap")).args(passes).key(keys).pdml()
}

/// Nothing enciphered is read: its bytes are shown as they came, in this state, with one note in the whole session.
fn assert_unread(packets: &[Packet], read: &[Packet], state: &str, note: &str) {
    let mut notes = 0;
    let mut unread = 0;
    for (packet, read) in packets.iter().zip(read) {
        assert_eq!(lines(packet, "enet"), lines(read, "enet"), "frame {}: ENet needs no key", packet.number);
        if packet.of("lol").next().is_some() {
            assert_eq!(packet.values("lol.key.state"), [state], "frame {}", packet.number);
        }
        let is_read = |message: &Item| message.find("lol.enciphered").is_none();
        assert!(packet.messages().any(is_read) || packet.value("lol.build").is_empty(), "{}", packet.number);
        for lol in packet.messages() {
            let Some(bytes) = lol.find("lol.enciphered") else {
                // The client's registration, and what is shorter than a block of the cipher.
                let clear = lol.find("lol.registration").is_some() || lol.place.1 < 8;
                assert!(clear, "frame {}: {} was read", packet.number, lol.label);
                continue;
            };
            unread += 1;
            for name in ["lol.command", "lol.netId", "lol.message"] {
                assert_eq!(lol.value(name), "", "frame {}: {name}", packet.number);
            }
            let whole = packet.all().into_iter().any(|item| {
                ["enet.payload", "enet.fragment.reassembledData"].contains(&item.name.as_str())
                    && item.value == bytes.value
            });
            assert!(whole, "frame {}: the bytes are the payload's", packet.number);
            notes += lol.experts().iter().filter(|name| **name == note).count();
        }
    }
    assert_eq!(notes, 1, "one {note} says what to do");
    assert!(unread > 40, "{unread}");
}

#[test]
fn a_build_that_the_session_contradicts_is_told_once() {
    let Some(lab) = Lab::new() else { return };
    let session = lab.capture("session.pcap");
    let told =
        |build: &str| lab.tshark(&session).key(KEY).pref("lol.build", build).frames("lol.buildContradicted");
    assert_eq!(told("1.0.0.135"), [8], "where the client states its build");
    assert_eq!(told("1.0.0.136"), [0; 0]);
    assert_eq!(told("auto"), [0; 0]);
    let registered = lab.capture("prefixed.pcap");
    let packets = lab.tshark(&registered).key(KEY).pref("lol.build", "4.17.0.267").pdml();
    let notes: Vec<_> =
        packets.iter().flat_map(Packet::experts).filter(|name| *name == "lol.buildContradicted").collect();
    assert_eq!(notes.len(), 1, "{notes:?}");
}

#[test]
fn without_a_key_bytes_are_shown_and_one_note() {
    let Some(lab) = Lab::new() else { return };
    for passes in [&[][..], &["-2"]] {
        let read = session(&lab, KEY, passes);
        assert_unread(&session(&lab, "", passes), &read, "none", "lol.keyNeeded");
        assert_unread(&session(&lab, WRONG, passes), &read, "wrong", "lol.keyWrong");
    }
}

#[test]
fn of_several_keys_the_handshake_picks() {
    let Some(lab) = Lab::new() else { return };
    let alone = session(&lab, KEY, &[]);
    let among = session(&lab, &format!("{WRONG}, {KEY}"), &[]);
    for (alone, among) in alone.iter().zip(&among) {
        let others = |packet: &Packet| -> Vec<String> {
            let lines = lines(packet, "lol").into_iter();
            lines.filter(|line| !line.starts_with("Key number")).map(str::to_owned).collect()
        };
        assert_eq!(others(among), others(alone), "frame {}", among.number);
        assert!(among.values("lol.key.number").iter().all(|number| *number == "2"), "frame {}", among.number);
    }
}

#[test]
fn without_a_handshake_the_key_that_reads_is_taken() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.capture("mid-session.pcap");
    for (keys, number) in [(KEY.to_owned(), "1"), (format!("{WRONG} {KEY}"), "2")] {
        let packets = lab.tshark(&capture).args(&["-2"]).key(&keys).pref("lol.build", "1.0.0.136").pdml();
        let keys: Vec<_> = packets
            .iter()
            .flat_map(|packet| packet.of("lol"))
            .map(|lol| (lol.value("lol.key.state"), lol.value("lol.key.number")))
            .collect();
        assert!(keys.len() > 15 && keys.iter().all(|key| *key == ("unverified", number)), "{keys:?}");
        assert!(packets.iter().any(|packet| packet.value("lol.message") == "WaypointGroup"));
    }
    let wrong = lab.tshark(&capture).args(&["-2"]).key(WRONG).pref("lol.build", "1.0.0.136").pdml();
    assert!(wrong.iter().all(|packet| packet.value("lol.message").is_empty()), "a wrong key reads nothing");
    let notes = wrong.iter().flat_map(Packet::experts).filter(|name| *name == "lol.keyWrong").count();
    assert_eq!(notes, 1);
}

#[test]
fn a_key_may_be_written_in_base64() {
    let Some(lab) = Lab::new() else { return };
    let frames = |key: &str| lab.tshark(&lab.capture("session.pcap")).key(key).frames("waypoint.syncId");
    assert_eq!(frames("UmlmdHNoYXJrIHNhbXBsZQ=="), frames(KEY));
    assert!(frames(KEY).len() > 10);
    // Sixteen characters are a key too, here a wrong one.
    assert_eq!(frames("sixteen.letters."), [] as [u32; 0]);
}

#[test]
fn preferences_that_cannot_be_used_are_named() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.capture("session.pcap");
    for (name, value) in [
        ("lol.key", "bad"),
        ("lol.build", "the newest"),
        ("lol.fallback_build", "1.0.0"),
        ("lol.origin", "somewhere"),
    ] {
        let done = lab.tshark(&capture).args(&["-2"]).pref(name, value).run();
        assert!(done.status.success(), "{}: {}", done.what, done.status);
        assert_eq!(done.err.lines().count(), 1, "{}: told once:\n{}", done.what, done.err);
        assert!(done.err.contains(&format!("{name}:")), "{}: {:?} does not name it", done.what, done.err);
        assert_eq!(done.out.lines().count(), 96, "{}: the capture is shown all the same", done.what);
    }
}
