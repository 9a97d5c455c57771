//! Minecraft Bedrock end to end: the built plugin in a real tshark, on whole captures over RakNet.
//!
//! `RIFTSHARK_PLUGIN` names the plugin, as for the other end-to-end tests.

#[allow(dead_code)] // these are shared with the other end-to-end tests, and each uses a part of them
#[path = "e2e/lab.rs"]
mod lab;
#[allow(dead_code)]
#[path = "e2e/pdml.rs"]
mod pdml;
#[path = "../examples/support/mod.rs"]
#[allow(dead_code)]
mod support;

use std::collections::BTreeMap;
use std::time::Instant;

use lab::{shared, Lab};
use pcap_file::pcap::{PcapReader, PcapWriter};
use pdml::Packet;

/// The key of `bedrock-enciphered.pcap`.
const KEY: &str = "52696674736861726b2073616d706c65206f6620426564726f636b206b657973";

/// Frames from number `first` on, with every port `from` replaced by `to`.
fn changed(capture: &[u8], first: usize, (from, to): (u16, u16)) -> Vec<u8> {
    let mut reader = PcapReader::new(capture).expect("a capture");
    let mut writer = PcapWriter::with_header(Vec::new(), reader.header()).expect("a Vec takes all bytes");
    let mut number = 0;
    while let Some(packet) = reader.next_packet() {
        let mut packet = packet.expect("a whole frame").into_owned();
        let frame = packet.data.to_mut();
        for at in [34, 36] {
            if frame[at..at + 2] == from.to_be_bytes() {
                frame[at..at + 2].copy_from_slice(&to.to_be_bytes());
            }
        }
        frame[40..42].fill(0); // the checksum holds no longer
        number += 1;
        if number >= first {
            writer.write_packet(&packet).expect("a Vec takes all bytes");
        }
    }
    writer.into_writer()
}

/// What a message says: name, value and whether it is hidden, of all that its bytes state and of the actor's path.
fn said(packet: &Packet) -> Vec<(String, String)> {
    let of_session = ["bedrock.session", "bedrock.protocol", "bedrock.sender"];
    let all =
        packet.of("bedrock").flat_map(|item| item.all()).filter(|item| item.name.starts_with("bedrock."));
    all.filter(|item| !of_session.iter().any(|name| item.name.starts_with(name)))
        .filter(|item| item.name != "bedrock.inferred")
        .map(|item| (item.name.clone(), item.show.clone()))
        .collect()
}

/// The Bedrock messages of a capture by frame.
fn messages(packets: &[Packet]) -> BTreeMap<u32, Vec<(String, String)>> {
    // Several messages of one datagram stand below RakNet's item.
    let has = |packet: &&Packet| packet.all().iter().any(|item| item.name == "bedrock");
    packets.iter().filter(has).map(|packet| (packet.number, said(packet))).collect()
}

/// Bodies of packet 111 in the shared captures, in turn, by protocol: actor, components, ticks.
fn expected(number: &str) -> &'static [(&'static str, [&'static str; 3], &'static str)] {
    const ALL: (&str, [&str; 3], &str) = ("300", ["1.5", "-64", "123456.75"], "300");
    match number {
        "2208" => &[ALL, ("2", ["", "", ""], "0"), ("2", ["1", "", ""], "7")],
        "2168" => &[("2", ["1", "", "3"], ""), ("2", ["", "", ""], "")],
        _ => &[("2", ["1", "", "3"], ""), ("2", ["", "", ""], "")],
    }
}

/// Which of the bodies each message of a shared capture holds.
fn order(number: &str) -> Vec<Vec<usize>> {
    if number == "2208" {
        let all: Vec<usize> = [0, 1, 2].repeat(8);
        vec![vec![0], vec![1], vec![2], vec![0, 1, 2], vec![0], vec![0], all]
    } else {
        vec![vec![0], vec![1], vec![0, 1], vec![0], vec![0], [0, 1].repeat(8)]
    }
}

fn check_shared(packets: &[Packet], number: &str, cut: bool) {
    let moved: Vec<_> = packets
        .iter()
        .flat_map(|packet| packet.of("bedrock").filter(|item| item.find("bedrock.moveActorDelta").is_some()))
        .collect();
    let order = order(number);
    let order = if cut { &order[1..] } else { &order[..] };
    assert_eq!(moved.len(), order.len(), "{number}");
    for (item, bodies) in moved.iter().zip(order) {
        let deltas: Vec<_> =
            item.all().into_iter().filter(|item| item.name == "bedrock.moveActorDelta").collect();
        assert_eq!(deltas.len(), bodies.len(), "{number}");
        for (delta, body) in deltas.iter().zip(bodies) {
            let (actor, at, ticks) = expected(number)[*body];
            let value = |name: &str| delta.value(&format!("bedrock.moveActorDelta.{name}"));
            assert_eq!(value("actorRuntimeId"), actor);
            assert_eq!([value("newPositionX"), value("newPositionY"), value("newPositionZ")], at);
            assert_eq!(value("ticks"), ticks);
        }
        let experts: Vec<_> = item.experts().into_iter().filter(|name| *name != "bedrock.inferred").collect();
        assert_eq!(experts, [""; 0], "{number}");
    }
}

#[test]
fn shared_captures_are_read_exactly() {
    for name in ["2208", "2208-cookie", "2168", "1001"] {
        let Some(path) = shared(&format!("captures/bedrock-{name}.pcap")) else { return };
        let Some(lab) = Lab::new() else { return };
        let bytes = std::fs::read(path).expect("a shared capture");
        let number = name.split('-').next().expect("a protocol");
        for port in [19_132, 41_000] {
            let whole = lab.file("whole.pcap", &changed(&bytes, 1, (19_132, port)));
            for passes in [&[][..], &["-2"]] {
                check_shared(&lab.tshark(&whole).args(passes).pdml(), number, false);
            }
            let stated = lab.tshark(&whole).frames(&format!("bedrock.protocol == {number}"));
            assert_eq!(stated.len(), order(number).len() + 2, "{name} on {port}");
            let cut = lab.file("cut.pcap", &changed(&bytes, 11, (19_132, port)));
            let call = lab.tshark(&cut).args(&["-d", &format!("udp.port=={port},raknet")]);
            check_shared(&call.pdml(), number, true);
        }
    }
}

/// Every message of the project's own captures says the same on another port, in a second pass, and with the beginning
/// cut off as far as that is possible.
#[test]
fn own_captures_say_the_same_however_they_are_met() {
    let Some(lab) = Lab::new() else { return };
    for (name, port, count) in [("bedrock.pcap", 19_132, 10), ("bedrock-cookie.pcap", 41_000, 6)] {
        let bytes = std::fs::read(lab.capture(name)).expect("an own capture");
        let whole = lab.file("whole.pcap", &bytes);
        let once = messages(&lab.tshark(&whole).pdml());
        assert_eq!(once.len(), count, "{name}");
        assert_eq!(messages(&lab.tshark(&whole).args(&["-2"]).pdml()), once, "{name}");
        for other in [19_132, 19_133, 27_015] {
            let moved = lab.file("moved.pcap", &changed(&bytes, 1, (port, other)));
            assert_eq!(messages(&lab.tshark(&moved).pdml()), once, "{name} on {other}");
        }
        let cut = lab.file("cut.pcap", &changed(&bytes, 11, (port, 19_132)));
        let later = messages(&lab.tshark(&cut).pdml());
        let wanted: BTreeMap<_, _> = once
            .into_iter()
            .filter(|(frame, _)| *frame > 10)
            .map(|(frame, said)| (frame - 10, said))
            .collect();
        let without_path =
            |all: BTreeMap<u32, Vec<(String, String)>>| -> BTreeMap<u32, Vec<(String, String)>> {
                all.into_iter()
                    .map(|(frame, said)| {
                        (
                            frame,
                            said.into_iter().filter(|(name, _)| !name.starts_with("bedrock.actor")).collect(),
                        )
                    })
                    .collect()
            };
        // The path knows only what the capture holds.
        let (later, wanted) = (without_path(later), without_path(wanted));
        for (frame, said) in &later {
            assert_eq!(Some(said), wanted.get(frame), "{name}: frame {frame} of the cut capture");
        }
        assert!(later.len() + 1 >= wanted.len(), "{name}: {} of {}", later.len(), wanted.len());
    }
}

#[test]
fn the_old_dissector_and_its_preferences_change_nothing() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.capture("bedrock.pcap");
    let once = messages(&lab.tshark(&capture).pdml());
    let ways: [&[&str]; 5] = [
        &["-o", "mcpe.udp.port:19133"],
        &["-o", "mcpe.udp.port:0"],
        &["--disable-protocol", "mcpe"],
        &["--disable-heuristic", "mcpe_raknet"],
        &["--disable-heuristic", "bedrock_raknet"],
    ];
    for way in ways {
        assert_eq!(messages(&lab.tshark(&capture).args(way).pdml()), once, "{way:?}");
    }
    let bytes = std::fs::read(&capture).expect("an own capture");
    let moved = lab.file("moved.pcap", &changed(&bytes, 1, (19_132, 20_000)));
    let call = lab.tshark(&moved).pref("mcpe.udp.port", "20000");
    assert_eq!(messages(&call.pdml()), once, "on the port that the old dissector was moved to");
    let none = lab.tshark(&capture).args(&["--disable-protocol", "bedrock"]).frames("bedrock");
    assert_eq!(none, [0; 0]);
}

#[test]
fn layouts_of_all_protocols() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.capture("bedrock-layouts.pcap");
    let packets = lab.tshark(&capture).pdml();
    let moved: Vec<_> =
        packets.iter().filter(|packet| !packet.values("bedrock.moveActorDelta").is_empty()).collect();
    let protocols: Vec<_> = moved.iter().map(|packet| packet.value("bedrock.protocol")).collect();
    assert_eq!(protocols, ["500", "600", "1001", "2168", "2193"]);
    for packet in &moved {
        let value = |name: &str| packet.value(&format!("bedrock.moveActorDelta.{name}")).to_owned();
        assert_eq!(
            [value("newPositionX"), value("newPositionY"), value("newPositionZ")],
            ["1.5", "-64", "123456.75"]
        );
        assert_eq!([value("rotationX"), value("rotationX.degrees")], ["-128", "-180"]);
        assert_eq!([value("rotationYHead"), value("rotationYHead.degrees")], ["-1", "-1.40625"]);
        assert_eq!(packet.experts(), [""; 0]);
    }
    // One filter finds them whatever the layout.
    for filter in
        ["bedrock.moveActorDelta.isOnGround == 1", "bedrock.moveActorDelta.newPositionX.present == 1"]
    {
        assert_eq!(lab.tshark(&capture).frames(filter).len(), 5, "{filter}");
    }
    let unnamed = lab.tshark(&capture).frames("bedrock.packet.name == \"Login\" and bedrock.login");
    assert_eq!(unnamed.len(), 2);
    let forced =
        lab.tshark(&capture).pref("bedrock.protocol", "2208").frames("bedrock.malformed or bedrock.surplus");
    assert!(!forced.is_empty());
}

#[test]
fn names_columns_paths_and_statistics() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.capture("bedrock.pcap");
    assert_eq!(lab.tshark(&capture).frames("bedrock.packet.id == 500"), [14]);
    assert_eq!(lab.tshark(&capture).frames("bedrock.packet.targetSubClient == 2"), [15]);
    assert_eq!(lab.tshark(&capture).frames("bedrock.compression == 1"), [14]);
    assert_eq!(lab.tshark(&capture).frames("bedrock.actor.x == 1 and bedrock.actor.y == 70.5"), [13, 16]);
    let rows = lab.tshark(&capture).fields(&["_ws.col.Protocol", "_ws.col.Info"]);
    assert_eq!(rows[11], ["Bedrock", "#3: MoveActorDelta 2 x=1; MoveActorDelta 2"]);
    assert_eq!(rows[15], ["Bedrock", "#7: MoveActorDelta 2 x=1, MoveActorDelta 2 y=70.5 z=-3"]);
    let statistics = lab.tshark(&capture).args(&["-q", "-z", "bedrock,tree"]).clean();
    let line = |name: &str| -> Vec<String> {
        let line = statistics.lines().find(|line| line.trim_start().starts_with(name));
        line.expect("a line").split_whitespace().map(str::to_owned).collect()
    };
    assert_eq!(line("Packets")[1], "54");
    assert_eq!(line("MoveActorDelta")[1], "49");
    assert_eq!(line("RequestNetworkSettings")[1], "1");
    assert_eq!(line("Not named here")[3], "1");
}

#[test]
fn enciphered_sessions_need_a_key() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.capture("bedrock-enciphered.pcap");
    let by_address = |address: &str| format!("uat:bedrock_keys:\"{address}\",\"{KEY}\"");
    let ways: [&[&str]; 3] = [
        &["-o", &format!("bedrock.key:{} {KEY}", "11".repeat(32))],
        &["-o", &by_address("198.51.100.20")],
        &["-o", &by_address("")],
    ];
    for way in ways {
        for (passes, actors) in
            [(&[][..], vec!["1", "2", "1", "3", "5"]), (&["-2"], vec!["1", "2", "1", "4", "3", "5"])]
        {
            let packets = lab.tshark(&capture).args(way).args(passes).pdml();
            let found: Vec<_> = packets
                .iter()
                .flat_map(|packet| packet.values("bedrock.moveActorDelta.actorRuntimeId"))
                .collect();
            assert_eq!(found, actors, "{way:?} {passes:?}");
        }
        assert_eq!(lab.tshark(&capture).args(way).frames("bedrock.resent"), [15]);
        assert_eq!(lab.tshark(&capture).args(way).args(&["-2"]).frames("bedrock.lost"), [19]);
        assert_eq!(
            lab.tshark(&capture).args(way).frames("bedrock.key.state == \"verified\""),
            [12, 13, 14, 15, 17, 18]
        );
    }
    let elsewhere = by_address("203.0.113.1");
    let wrong = format!("bedrock.key:{}", "22".repeat(32));
    for (way, expert) in
        [(&[][..], "keyNeeded"), (&["-o", &elsewhere], "keyNeeded"), (&["-o", &wrong], "keyWrong")]
    {
        let packets = lab.tshark(&capture).args(way).pdml();
        let experts: Vec<_> =
            packets.iter().flat_map(Packet::experts).filter(|name| name.starts_with("bedrock.")).collect();
        assert_eq!(experts, [format!("bedrock.{expert}")], "{way:?}");
        assert_eq!(lab.tshark(&capture).args(way).frames("bedrock.enciphered").len(), 8);
        assert_eq!(lab.tshark(&capture).args(way).frames("bedrock.moveActorDelta"), [0; 0]);
    }
}

#[test]
fn what_should_not_be_sent_has_one_finding_each() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.capture("bedrock-hostile.pcap");
    let tale = support::bedrock::tales()
        .into_iter()
        .find(|tale| tale.file == "bedrock-hostile.pcap")
        .expect("a tale");
    for passes in [&[][..], &["-2"]] {
        let packets = lab.tshark(&capture).args(passes).pdml();
        let of = |(frame, _): &(usize, &str)| packets[frame - 1].experts().join(" ");
        let found: Vec<_> = tale.notes.iter().map(of).collect();
        let mut wanted = vec!["bedrock.malformed"; 7];
        wanted.extend(["bedrock.tooLarge", "bedrock.tooLarge", "bedrock.tooMany", ""]);
        assert_eq!(found, wanted);
    }
    let rows = lab.tshark(&capture).args(&["-Y", "bedrock.malformed"]).fields(&["_ws.expert.message"]);
    assert!(rows[0][0].contains("bedrock.moveActorDelta.ticks"), "{rows:?}");
    assert!(rows[1][0].contains("bedrock.moveActorDelta.actorRuntimeId"), "{rows:?}");
}

/// Ten times as much of what means harm takes about ten times as long.
#[test]
fn harm_costs_no_more_than_its_bytes() {
    let Some(lab) = Lab::new() else { return };
    let time = |count: usize| {
        let capture = lab.file("harm.pcap", &support::bedrock::tales::harm(count));
        let start = Instant::now();
        lab.tshark(&capture).args(&["-V"]).clean();
        start.elapsed()
    };
    let (once, tenfold) = (time(3), time(30));
    println!("{once:?} for n, {tenfold:?} for 10n");
    assert!(tenfold < once * 20, "{once:?}, {tenfold:?}");
}

/// The numbers of the frames that look otherwise with the plugin.
fn altered(with: &str, without: &str) -> Vec<usize> {
    // The hexadecimal dump of a frame with several data sources has a heading that begins alike.
    let whole = |text: &str| text.replace("\n\nFrame (", "\n\n(Frame ");
    let (with, without) = (whole(with), whole(without));
    let (with, without): (Vec<_>, Vec<_>) =
        (with.split("\n\nFrame ").collect(), without.split("\n\nFrame ").collect());
    assert_eq!(with.len(), without.len());
    (0..with.len()).filter(|frame| with[*frame] != without[*frame]).map(|frame| frame + 1).collect()
}

#[test]
fn others_look_the_same_with_and_without_the_plugin() {
    let Some(lab) = Lab::new() else { return };
    let bare = Lab::bare();
    let said = lab.call("tshark").args(&["--version"]).run().out;
    let before_4_4 =
        ["4.0.", "4.2."].iter().any(|minor| said.split_whitespace().take(4).any(|w| w.starts_with(minor)));
    // A server's cookie and the client's answer, which are read otherwise before 4.4.
    let others = support::bedrock::others();
    let cookie = others.notes.iter().find(|(_, note)| note.contains("cookie")).expect("a cookie").0;
    for (name, except) in [("raknet.pcap", vec![cookie, cookie + 1]), ("other-traffic.pcap", Vec::new())] {
        let except = if before_4_4 { except } else { Vec::new() };
        for way in [&[][..], &["-2"], &["-x"]] {
            let show = |lab: &Lab| lab.tshark(&lab.capture(name)).args(&["-V"]).args(way).clean();
            let (with, without) = (show(&lab), show(&bare));
            assert!(with.len() > 100_000, "{name}");
            // What follows the two frames is shown where without the plugin nothing could be.
            let found = altered(&with, &without);
            assert!(found.iter().take(except.len()).eq(&except), "{name} {way:?}: {found:?}");
            let after =
                if except.is_empty() { found.first() } else { found.iter().find(|frame| **frame < cookie) };
            assert_eq!(after, None, "{name} {way:?}: {found:?}");
        }
    }
}

#[test]
fn what_the_capture_cut_is_short_and_not_malformed() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.capture("bedrock.pcap");
    let mut cut = Vec::new();
    for length in ["70", "80", "90", "100", "120"] {
        let short = lab.home().join(format!("cut-{length}.pcap")).to_str().expect("text").to_owned();
        lab.call("editcap").args(&["-F", "pcap", "-s", length, &capture, &short]).clean();
        let mut here = 0;
        for packet in lab.tshark(&short).args(&["-2"]).pdml() {
            // several messages of one datagram stand below RakNet's item
            for message in packet.all().into_iter().filter(|item| item.name == "bedrock") {
                let experts = message.experts();
                let faults = experts.iter().filter(|name| **name != "bedrock.inferred").collect::<Vec<_>>();
                let about = format!("frame {} cut to {length}: {faults:?}", packet.number);
                assert!(faults.iter().all(|name| **name == "bedrock.short") && faults.len() < 2, "{about}");
                here += faults.len();
            }
        }
        cut.push(here);
    }
    assert_eq!(cut, [7, 5, 4, 3, 1], "packed batches and bare ones, fewer as more is kept");
}
