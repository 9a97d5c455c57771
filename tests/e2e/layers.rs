//! The layers of a frame: ENet's, and below it one of the game's for each datagram that holds messages of it.

use std::collections::BTreeMap;

use pcap_file::DataLink;

use crate::carriers::{frames, IP};
use crate::lab::{Call, Lab};
use crate::pcap;
use crate::pdml::Packet;
use crate::{KEY, SECOND_KEY};

/// What `frame.protocols` says of each frame.
fn protocols(call: Call<'_>) -> Vec<String> {
    call.fields(&["frame.protocols"]).into_iter().map(|row| row[0].clone()).collect()
}

/// How many packets each protocol has in the hierarchy that `-z io,phs` counts.
fn hierarchy(call: Call<'_>) -> BTreeMap<String, usize> {
    let out = call.args(&["-q", "-z", "io,phs"]).clean();
    let row = |line: &str| {
        let (name, rest) = line.trim().split_once(' ')?;
        let count = rest.trim().strip_prefix("frames:")?.split(' ').next()?;
        Some((name.to_owned(), count.parse().ok()?))
    };
    out.lines().filter_map(row).collect()
}

/// Whether a packet has messages, or payloads of the game that stay bytes.
fn has_messages(packet: &&Packet) -> bool {
    packet.messages().next().is_some()
}

#[test]
fn a_datagram_with_messages_has_the_games_layer_below_enets() {
    let Some(lab) = Lab::new() else { return };
    for name in ["session.pcap", "bundle.pcap", "mid-session.pcap", "season8.pcap", "short.pcap"] {
        let capture = lab.capture(name);
        for passes in [&[][..], &["-2"]] {
            let call = || lab.tshark(&capture).args(passes).key(KEY).pref("lol.fallback_build", "1.0.0.136");
            let packets = call().pdml();
            let layers = protocols(call());
            let with = packets.iter().filter(has_messages).count();
            assert!(with > 0, "{name}");
            for (packet, layers) in packets.iter().zip(&layers) {
                let items = packet.of("lol").count();
                assert_eq!(items, usize::from(has_messages(&packet)), "{name} frame {}", packet.number);
                let end = if items == 1 { ":udp:enet:lol" } else { ":udp:enet" };
                let claimed = packet.of("enet").next().is_some();
                assert!(!claimed || layers.ends_with(end), "{name} frame {}: {layers}", packet.number);
                for fact in
                    ["lol.match", "lol.session", "lol.sender", "lol.key.state", "lol.build", "lol.map"]
                {
                    assert!(packet.values(fact).len() <= 1, "{name} frame {}: {fact}", packet.number);
                }
            }
            let counted = hierarchy(call());
            assert_eq!(counted["lol"], with, "{name}: once a datagram, whatever it holds");
        }
    }
}

/// Without a key, with the wrong one, or with the game's protocol switched off.
#[test]
fn payloads_that_stay_bytes_are_in_the_games_layer_unless_it_is_switched_off() {
    let Some(lab) = Lab::new() else { return };
    let session = lab.capture("session.pcap");
    let read = protocols(lab.tshark(&session).key(KEY));
    assert!(read.iter().any(|layers| layers.ends_with(":enet:lol")));
    assert_eq!(protocols(lab.tshark(&session)), read);
    assert_eq!(protocols(lab.tshark(&session).key(SECOND_KEY)), read);
    let without = || lab.tshark(&session).key(KEY).args(&["-2", "--disable-protocol", "lol"]);
    assert!(protocols(without()).iter().all(|layers| layers.ends_with(":udp:enet")));
    assert!(!hierarchy(without()).contains_key("lol"));
    // others are offered them as those of any game: each once, what came in fragments in one piece
    let packets = without().args(&["-d", "enet.payload,data-text-lines"]).pdml();
    let count = |name: &str| packets.iter().map(|packet| packet.values(name).len()).sum::<usize>();
    let taken = packets.iter().map(|packet| packet.of("data-text-lines").count()).sum::<usize>();
    let offered = count("enet.payload") - count("enet.fragmentNumber") + count("enet.fragments");
    assert!(taken == offered && taken > 40, "{taken} of {offered}");
    let read = lab.tshark(&session).key(KEY).args(&["-2", "-d", "enet.payload,data-text-lines"]).pdml();
    assert!(read.iter().all(|packet| packet.of("data-text-lines").next().is_none()), "they are the game's");
}

#[test]
fn nothing_but_the_tree_depends_on_whether_there_is_one() {
    let Some(lab) = Lab::new() else { return };
    for name in ["session.pcap", "short.pcap", "gap.pcap"] {
        let capture = lab.capture(name);
        let call = || lab.tshark(&capture).key(KEY);
        // plain tshark has no tree, and a filter that all pass has one
        let plain = call().clean();
        assert_eq!(call().args(&["-Y", "frame"]).clean(), plain, "{name}");
        let experts = |args: &[&str]| call().args(args).args(&["-q", "-z", "expert"]).clean();
        assert_eq!(experts(&["-Y", "frame && (lol || enet || ip)"]), experts(&[]), "{name}");
        let exported = |args: &[&str], name: &str| {
            let out = lab.home().join(name).to_str().expect("temporary paths are text").to_owned();
            call().args(args).args(&["-2", "-U", "League of Legends", "-w", &out]).clean();
            lab.tshark(&out).fields(&["frame.len", "exported_pdu.orig_fno", "lol.command"])
        };
        assert_eq!(exported(&["-R", "frame"], "one.pcapng"), exported(&[], "two.pcapng"), "{name}");
    }
}

/// PPP frames that carry so many IP packets each.
fn together(session: &[Vec<u8>], count: usize) -> Vec<Vec<u8>> {
    let pairs = session.chunks(count).map(|pair| {
        let subframe = |frame: &Vec<u8>| {
            let length = (frame.len() - IP + 2) as u16;
            // the protocol is there, and the length takes 14 bits
            [&(0xC000 | length).to_be_bytes()[..], &[0, 0x21], &frame[IP..]].concat()
        };
        let subframes: Vec<u8> = pair.iter().flat_map(subframe).collect();
        [&[0xFF, 3, 0, 0x59][..], &subframes].concat()
    });
    pairs.collect()
}

#[test]
fn each_datagram_of_a_frame_has_a_layer_of_its_own() {
    let Some(lab) = Lab::new() else { return };
    let session = frames("session.pcap");
    let alone = lab.tshark(&lab.capture("session.pcap")).args(&["-2"]).key(KEY).pdml();
    let capture = lab.file("pairs.pcap", &pcap::file(DataLink::PPP, &together(&session, 2)));
    for passes in [&[][..], &["-2"]] {
        let call = || lab.tshark(&capture).args(passes).key(KEY);
        let (packets, layers) = (call().pdml(), protocols(call()));
        assert_eq!(packets.len(), session.len() / 2);
        for ((packet, layers), pair) in packets.iter().zip(&layers).zip(alone.chunks(2)) {
            let of = |one: &Packet| if has_messages(&one) { ":ip:udp:enet:lol" } else { ":ip:udp:enet" };
            let wanted: String = pair.iter().map(of).collect();
            assert!(layers.ends_with(&format!("pppmux{wanted}")), "frame {}: {layers}", packet.number);
            let messages = pair.iter().map(|one| one.messages().count()).sum::<usize>();
            assert_eq!(packet.messages().count(), messages, "frame {}", packet.number);
            let items = pair.iter().map(|one| one.of("lol").count()).sum::<usize>();
            assert_eq!(packet.of("lol").count(), items, "frame {}", packet.number);
        }
    }
}

/// epan gives a packet up that has 500 layers.
#[test]
fn a_frame_of_very_many_datagrams_shows_all_of_them() {
    let Some(lab) = Lab::new() else { return };
    let session: Vec<_> = frames("session.pcap").into_iter().cycle().take(140).collect();
    let capture = lab.file("many.pcap", &pcap::file(DataLink::PPP, &together(&session, 140)));
    let packets = lab.tshark(&capture).key(KEY).pdml();
    assert_eq!(packets.len(), 1);
    assert_eq!(packets[0].of("enet").count(), 140);
    let alone = lab.tshark(&lab.capture("session.pcap")).args(&["-2"]).key(KEY).pdml();
    let with = session.iter().zip(alone.iter().cycle()).filter(|(_, packet)| has_messages(packet)).count();
    assert!(with > 60 && packets[0].of("lol").count() <= with, "{with}");
    assert!(packets[0].of("lol").count() > 40);
    assert_eq!(packets[0].experts().iter().filter(|name| name.starts_with("_ws.")).count(), 0);
}

#[test]
fn the_users_word_and_other_ways_in_end_in_the_games_layer() {
    let Some(lab) = Lab::new() else { return };
    let session = lab.capture("session.pcap");
    let decoded = || lab.tshark(&session).key(KEY).args(&["--disable-heuristic", "enet_udp"]);
    assert_eq!(protocols(decoded()).iter().filter(|layers| layers.contains("enet")).count(), 0);
    let forced = protocols(decoded().args(&["-d", "udp.port==5119,enet"]));
    assert_eq!(forced, protocols(lab.tshark(&session).key(KEY)));
    // a file of a user link type
    let payload = [101, 0, 0, 0, 0, 0xD8, 3, 0, 0, 0, 0];
    let user = lab.file("user.pcap", &pcap::user(&[payload, payload]));
    let call = || {
        let call = lab.tshark(&user).args(&["-o", pcap::USER0]).pref("lol.build", "1.0.0.136");
        call.pref("lol.user_channel", "4").pref("lol.user_sender", "server")
    };
    assert_eq!(protocols(call()), ["user_dlt:lol"; 2]);
    assert_eq!(hierarchy(call())["lol"], 2);
    assert_eq!(
        call().frames("lol.channel == 4 && lol.sender == \"server\" && waypoint.syncId == 984"),
        [1, 2]
    );
    // exported messages
    let out = lab.home().join("messages.pcapng").to_str().expect("temporary paths are text").to_owned();
    lab.tshark(&session).args(&["-2", "-U", "League of Legends", "-w", &out]).key(KEY).clean();
    let exported = || lab.tshark(&out).pref("lol.build", "1.0.0.136");
    let layers = protocols(exported());
    assert!(
        layers.len() > 40 && layers.iter().all(|layers| layers.ends_with("exported_pdu:lol")),
        "{layers:?}"
    );
    assert_eq!(hierarchy(exported())["lol"], layers.len());
}

#[test]
fn what_a_header_says_and_what_a_datagram_says_are_found_together() {
    let Some(lab) = Lab::new() else { return };
    let session = lab.capture("session.pcap");
    let packets = lab.tshark(&session).args(&["-2"]).key(KEY).pdml();
    let some = packets.iter().flat_map(|packet| packet.messages().map(move |message| (packet, message)));
    for (packet, message) in some.filter(|(_, message)| !message.value("lol.netId").is_empty()) {
        let [command, id] = ["lol.command", "lol.netId"].map(|name| message.value(name));
        let sender = packet.value("lol.sender");
        let filter = format!("lol.command == {command} && lol.netId == {id} && lol.sender == \"{sender}\"");
        let only = format!("frame.number == {} && {filter} && lol.session == 0", packet.number);
        if packet.number % 7 == 0 {
            let found = lab.tshark(&session).args(&["-2"]).key(KEY).frames(&only);
            assert_eq!(found, [packet.number], "{filter}");
        }
    }
}
