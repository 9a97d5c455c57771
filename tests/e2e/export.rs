//! Other ways in and out: exported messages, and Decode As.

use crate::lab::Lab;
use crate::pdml::Packet;
use crate::KEY;

/// What a message says, without what only its datagram or session told.
fn content(packets: &[Packet]) -> Vec<Vec<String>> {
    let context =
        ["lol.session", "lol.key.", "lol.build.", "lol.origin.", "lol.map", "_ws.", "lol.container"];
    let generated = [".ackIn", ".ackTo", ".ackTime", ".point.x", ".point.z"];
    let kept = |name: &str| {
        !context.iter().any(|start| name.starts_with(start))
            && !generated.iter().any(|end| name.ends_with(end))
    };
    let messages = packets.iter().flat_map(|packet| packet.messages().map(move |message| (packet, message)));
    let readable = messages.filter(|(_, message)| message.find("lol.enciphered").is_none());
    let lines = readable.map(|(packet, message)| {
        let items = message.all().into_iter().skip(1).filter(|item| kept(&item.name));
        let sender = format!("lol.sender={}", packet.value("lol.sender"));
        items.map(|item| format!("{}={}", item.name, item.show)).chain([sender]).collect()
    });
    lines.collect()
}

#[test]
fn exported_messages_are_read_again() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.capture("session.pcap");
    let out = lab.home().join("messages.pcapng").to_str().expect("temporary paths are text").to_owned();
    // Two passes, for fragments; nothing is displayed, so no tree is made.
    lab.tshark(&capture).args(&["-2", "-U", "League of Legends", "-w", &out]).key(KEY).clean();
    let exported = lab.tshark(&out).pref("lol.build", "1.0.0.136").pdml();
    let original = lab.tshark(&capture).args(&["-2"]).key(KEY).pdml();
    let (exported, original) = (content(&exported), content(&original));
    assert!(original.len() > 50, "{}", original.len());
    for (index, (exported, original)) in exported.iter().zip(&original).enumerate() {
        assert_eq!(exported, original, "message {index}");
    }
    assert_eq!(exported.len(), original.len());
}

#[test]
fn decode_as_claims_what_would_not_be() {
    let Some(lab) = Lab::new() else { return };
    let whole = lab.capture("session.pcap");
    // One order, of one side: too little to be sure of.
    let one = lab.home().join("one.pcap").to_str().expect("temporary paths are text").to_owned();
    let order = lab.tshark(&whole).key(KEY).frames("moveorder")[0].to_string();
    lab.call("editcap").args(&["-r", "-F", "pcap", &whole, &one, &order]).clean();
    assert_eq!(lab.tshark(&one).frames("enet"), [] as [u32; 0]);
    let forced = lab.tshark(&one).args(&["-d", "udp.port==5119,enet"]).pdml();
    assert_eq!(forced[0].value("enet.shape"), "classic");
    assert_eq!(forced[0].value("enet.command"), "6");
    // A range of server ports lowers the threshold, for these ports only.
    assert_eq!(lab.tshark(&one).pref("enet.ports", "5100-5200").frames("enet"), [1]);
    assert_eq!(lab.tshark(&one).pref("enet.ports", "6000-6100").frames("enet"), [] as [u32; 0]);
    // And back: what was claimed can be given to others, or to nobody.
    assert_eq!(lab.tshark(&whole).args(&["-d", "udp.port==5119,data"]).frames("enet"), [] as [u32; 0]);
    assert_eq!(lab.tshark(&whole).args(&["--disable-heuristic", "enet_udp"]).frames("enet"), [] as [u32; 0]);
    assert_eq!(lab.tshark(&whole).args(&["--disable-protocol", "enet"]).frames("enet"), [] as [u32; 0]);
    // Without the game's protocol its payloads are bytes that ENet carries, fragments among them.
    let without = lab.tshark(&whole).key(KEY).args(&["--disable-protocol", "lol"]).pdml();
    let all: Vec<_> = without.iter().flat_map(|packet| packet.all()).collect();
    assert!(all.iter().all(|item| !item.name.starts_with("lol") && item.name != "waypoint"));
    assert!(all.iter().any(|item| item.name == "enet.payload"), "the bytes are there");
    let columns = lab.tshark(&whole).args(&["--disable-protocol", "lol"]).fields(&["_ws.col.Protocol"]);
    assert!(columns.iter().all(|row| row[0] != "LoL"), "{columns:?}");
}
