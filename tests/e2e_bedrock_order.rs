//! Minecraft Bedrock end to end: what comes twice or out of order, and what is read as which protocol.
//!
//! `RIFTSHARK_PLUGIN` names the plugin, as for the other end-to-end tests.

#[allow(dead_code)] // these are shared with the other end-to-end tests, and each uses a part of them
#[path = "e2e/lab.rs"]
mod lab;
#[allow(dead_code)]
#[path = "e2e/pdml.rs"]
mod pdml;

use lab::{shared, Lab};
use pdml::Packet;

/// Of each frame with a Bedrock message of `name`: its number and the values of `name`.
fn values(packets: &[Packet], name: &str) -> Vec<(u32, String)> {
    let of = |packet: &Packet| (packet.number, packet.values(name).join(" "));
    packets.iter().map(of).filter(|(_, values)| !values.is_empty()).collect()
}

fn pairs(values: &[(u32, String)]) -> Vec<(u32, &str)> {
    values.iter().map(|(frame, value)| (*frame, value.as_str())).collect()
}

#[test]
fn what_comes_twice_or_late_changes_nothing() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.capture("bedrock-order.pcap");
    for passes in [&[][..], &["-2"]] {
        let packets = lab.tshark(&capture).args(passes).pdml();
        let xs = [
            (10, "1"),
            (11, "3"),
            (12, "3"),
            (13, "3"),
            (14, "5 5 6"),
            (16, "7"),
            (17, "8"),
            (19, "8"),
            (20, "9"),
            (21, "9"),
            (22, "10"),
            (23, "12"),
            (24, "12"),
        ];
        assert_eq!(pairs(&values(&packets, "bedrock.actor.x")), xs, "{passes:?}");
        let resent = [(13, "10"), (14, "11"), (19, "16"), (24, "22")];
        assert_eq!(pairs(&values(&packets, "bedrock.resentFrom")), resent, "{passes:?}");
        // What the bytes say is shown all the same.
        let stated = values(&packets, "bedrock.moveActorDelta.newPositionX");
        assert_eq!(pairs(&stated)[2..5], [(12, "2"), (13, "1"), (14, "5 3 6")]);
    }
    assert_eq!(lab.tshark(&capture).frames("bedrock.resent"), [13, 14, 19, 24]);
    assert_eq!(lab.tshark(&capture).frames("bedrock.outdated"), [21]);
    let rows = lab.tshark(&capture).fields(&["_ws.col.Info"]);
    assert_eq!(rows[12], ["#5: [sent before]; MoveActorDelta 2 x=1"]);
    assert_eq!(rows[20], ["#13: [outdated]; MoveActorDelta 2 x=1"]);
}

#[test]
fn statistics_count_what_comes_twice_once() {
    let Some(lab) = Lab::new() else { return };
    let count = |capture: &str, name: &str, options: &[&str]| {
        let call = lab.tshark(&lab.capture(capture)).args(options);
        let statistics = call.args(&["-q", "-z", "bedrock,tree"]).clean();
        let line = statistics.lines().find(|line| line.trim_start().starts_with(name));
        line.and_then(|line| line.split_whitespace().nth(1)).expect("a count").to_owned()
    };
    for passes in [&[][..], &["-2"]] {
        assert_eq!(count("bedrock-order.pcap", "Packets", passes), "14");
        assert_eq!(count("bedrock-order.pcap", "MoveActorDelta", passes), "11");
    }
    // Of an enciphered session too: four actors moved, one of them was told twice.
    let key = "bedrock.key:52696674736861726b2073616d706c65206f6620426564726f636b206b657973";
    assert_eq!(count("bedrock-enciphered.pcap", "MoveActorDelta", &["-o", key]), "4");
}

#[test]
fn a_difference_is_no_position_and_a_note_says_what_is_true() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.capture("bedrock-stated.pcap");
    for passes in [&[][..], &["-2"]] {
        let packets = lab.tshark(&capture).args(passes).pdml();
        let differences = values(&packets, "bedrock.moveActorDelta.differenceX");
        assert_eq!(pairs(&differences), [(18, "1048576"), (27, "66060288")]);
        assert_eq!(pairs(&values(&packets, "bedrock.moveActorDelta.differenceZ")), [(18, "-3")]);
        let xs = [(37, "123456.75"), (47, "123456.75")];
        assert_eq!(pairs(&values(&packets, "bedrock.actor.x")), xs, "{passes:?}");
        assert_eq!(pairs(&values(&packets, "bedrock.packet.body"))[0].0, 9);
    }
    let notes = |frame: u32| {
        let filter = format!("frame.number == {frame}");
        lab.tshark(&capture).args(&["-Y", &filter]).fields(&["_ws.expert.message"])[0][0].clone()
    };
    assert!(notes(9).contains("before protocol 419 it states differences, not positions"), "{}", notes(9));
    assert_eq!([notes(18), notes(27)], ["", ""]);
    for (frame, number, layout) in [(37, 1500, "419 to 1001"), (47, 2300, "2193 to 2208")] {
        let text = format!(
            "No layout of MoveActorDelta is known for protocol {number}, which the client states in frame {}: that of \
             protocols {layout} fits and is used",
            frame - 2
        );
        assert_eq!(notes(frame), text);
    }
    let rows = lab.tshark(&capture).fields(&["_ws.col.Info"]);
    assert_eq!(rows[46], ["#2: MoveActorDelta 2 x=123456.8 z=-0.1"]);
}

#[test]
fn a_forced_protocol_without_a_layout_has_a_note() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.capture("bedrock.pcap");
    let forced = |number: &str, filter: &str| {
        lab.tshark(&capture)
            .pref("bedrock.protocol", number)
            .args(&["-Y", filter])
            .fields(&["_ws.expert.message"])
    };
    for number in ["1500", "2180", "2300", "65535"] {
        let rows = forced(number, "bedrock.inferred");
        let start =
            format!("No layout of MoveActorDelta is known for protocol {number}, which the preference");
        assert!(rows.len() == 1 && rows[0][0].starts_with(&start), "{rows:?}");
    }
    assert_eq!(forced("2200", "bedrock.inferred").len(), 0);
}

#[test]
fn shared_cases_are_read_right() {
    let Some(lab) = Lab::new() else { return };
    let read = |name: &str| {
        let path = shared(&format!("cases/{name}.pcap"))?;
        let path = lab.file(&format!("{name}.pcap"), &std::fs::read(path).expect("a shared capture"));
        Some(lab.tshark(&path).pdml())
    };
    for (name, resent) in [("bed-resend", vec![(13, "11")]), ("bed-order", vec![])] {
        let Some(packets) = read(name) else { return };
        let xs = [(11, "1"), (12, "3"), (13, "3"), (14, "3")];
        assert_eq!(pairs(&values(&packets, "bedrock.actor.x")), xs, "{name}");
        assert_eq!(pairs(&values(&packets, "bedrock.resentFrom")), resent, "{name}");
    }
    let Some(packets) = read("l2-388") else { return };
    assert!(values(&packets, "bedrock.actor.x").is_empty());
    assert_eq!(pairs(&values(&packets, "bedrock.moveActorDelta.differenceX"))[0], (9, "5872026"));
    let Some(packets) = read("gap-2300") else { return };
    let notes = values(&packets, "_ws.expert.message");
    assert!(notes
        .iter()
        .any(|(_, note)| note.contains("No layout of MoveActorDelta is known for protocol 2300")));
}
