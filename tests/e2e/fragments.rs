//! Fragments and payloads as epan gets them: what the core alone cannot show.

use dissector_core::enet::wire::write::{reliable, Datagram, Opening, Outgoing};
use dissector_core::enet::wire::{id, HeaderVariant};
use dissector_core::fields::enet::Field;
use dissector_core::layout::Sender;
use dissector_core::lol::cipher::Schedule;
use dissector_core::registry::REGISTRY;
use dissector_core::tree::Tree;
use dissector_core::version::Build;
use pcap_file::DataLink;

use crate::lab::Lab;
use crate::{pcap, KEY};

/// The key of [`KEY`] as bytes.
const KEY_BYTES: [u8; 16] = *b"Riftshark sample";

/// A conversation in the making: IPv4 packets without link layer.
struct Talk {
    variant: HeaderVariant,
    packets: Vec<Vec<u8>>,
}

impl Talk {
    fn new(variant: HeaderVariant) -> Talk {
        Talk { variant, packets: Vec::new() }
    }

    fn send(&mut self, from: Sender, commands: Vec<Outgoing<'_>>) {
        let unassigned = commands.iter().any(|command| command.flags & 0x0F == id::CONNECT);
        let datagram = Datagram {
            variant: self.variant,
            from: Some(from),
            prefix: [0; 8],
            session: if self.variant.is_league() { 0x29 } else { 0 },
            peer: if unassigned { self.variant.unassigned() } else { 0 },
            sent_time: commands.iter().any(Outgoing::asks).then_some(self.packets.len() as u16),
            connect_id: 0,
            commands,
        };
        let (client, server) = ([192, 0, 2, 10, 0xC3, 0x50], [198, 51, 100, 20, 0x13, 0xFF]);
        let (source, destination) = if from == Sender::Client { (client, server) } else { (server, client) };
        let bytes = datagram.bytes();
        let length = |ahead: usize| ((ahead + bytes.len()) as u16).to_be_bytes();
        let packet = [
            &[0x45, 0][..],
            &length(28),
            &[0, 0, 0, 0, 64, 17, 0, 0],
            &source[..4],
            &destination[..4],
            &source[4..],
            &destination[4..],
            &length(8),
            &[0, 0],
            &bytes,
        ];
        self.packets.push(packet.concat());
    }

    fn open(&mut self) {
        let opening = Opening { peer: 0, session: 0x29, mtu: 996, window: 32_768, channels: 7 };
        self.send(Sender::Client, vec![Outgoing::connect(opening)]);
        let mut verify = Outgoing::verify_connect(opening);
        verify.fields.retain(|(field, _)| *field != Field::IncomingSessionId);
        verify.fields.retain(|(field, _)| *field != Field::OutgoingSessionId);
        self.send(Sender::Server, vec![verify]);
    }

    fn file(&self, lab: &Lab, name: &str) -> String {
        lab.file(name, &pcap::file(DataLink::IPV4, &self.packets))
    }
}

/// Both halves of a message as unreliable fragments, behind the reliable number `behind`.
fn halves(text: &str, behind: u16) -> [Outgoing<'_>; 2] {
    let middle = text.len() / 2;
    [(0, &text[..middle]), (1, &text[middle..])].map(|(number, part)| Outgoing {
        flags: id::SEND_UNRELIABLE_FRAGMENT,
        channel: 1,
        sequence: behind,
        fields: vec![
            (Field::StartSequenceNumber, 1),
            (Field::FragmentCount, 2),
            (Field::FragmentNumber, number),
            (Field::TotalLength, text.len() as u32),
            (Field::FragmentOffset, number * middle as u32),
        ],
        data: part.as_bytes(),
    })
}

#[test]
fn unreliable_fragments_come_together_around_reliable_messages() {
    let Some(lab) = Lab::new() else { return };
    let mut talk = Talk::new(HeaderVariant::Stock);
    talk.open();
    for (behind, text) in [r#"{"message": 0}"#, r#"{"message": 1}"#, r#"{"message": 2}"#].iter().enumerate() {
        for half in halves(text, behind as u16) {
            talk.send(Sender::Server, vec![half]);
        }
        talk.send(Sender::Server, vec![Outgoing::reliable(1, behind as u16 + 1, b"[]")]);
    }
    let capture = talk.file(&lab, "halves.pcap");
    for passes in [&[][..], &["-2"]] {
        let call = lab.tshark(&capture).args(passes).args(&["-d", "enet.payload,json"]);
        let rows = call.args(&["-Y", "json.member"]).fields(&["frame.number", "json.value.number"]);
        assert_eq!(rows, [["4", "0"], ["7", "1"], ["10", "2"]], "{passes:?}");
    }
}

#[test]
fn a_message_whose_first_fragments_came_before_the_claim_is_read() {
    let Some(lab) = Lab::new() else { return };
    let whole = lab.capture("session.pcap");
    let cut = lab.home().join("cut.pcap").to_str().expect("temporary paths are text").to_owned();
    // what is left begins with a message of five fragments, of which three come before the first word of the client
    lab.call("editcap").args(&["-F", "pcap", &whole, &cut, "1-13"]).clean();
    let call = || lab.tshark(&cut).key(KEY).pref("lol.build", "1.0.0.136");
    let fields = ["frame.number", "enet.fragment", "lol.command"];
    for passes in [&[][..], &["-2"]] {
        let rows = call().args(passes).args(&["-Y", "lol.command == 88"]).fields(&fields);
        assert_eq!(rows, [["6", "1,2,3,5,6", "88"]], "{passes:?}");
    }
    let complete = call().args(&["-2"]).frames("enet.reassembledIn == 6");
    assert_eq!(complete, [1, 2, 3, 5, 6], "each says where");
}

/// A session whose key is proven, ready for messages of the server.
fn registered() -> (Talk, Schedule) {
    let key = Schedule::new(&KEY_BYTES).expect("16 bytes are a key");
    let mut proof = 7_u64.to_le_bytes();
    key.encipher(&mut proof);
    let registration = [&[0; 8][..], &7_u64.to_le_bytes(), &proof].concat();
    let mut talk = Talk::new(HeaderVariant::Classic);
    talk.open();
    talk.send(Sender::Client, vec![Outgoing::reliable(0, 1, &registration)]);
    (talk, key)
}

#[test]
fn a_payload_that_was_cut_says_how_long_it_was() {
    let Some(lab) = Lab::new() else { return };
    let (mut talk, key) = registered();
    let mut messages = [vec![9; 100], vec![9; 300]];
    messages.iter_mut().for_each(|message| key.encipher(message));
    let both = [1, 2].into_iter().zip(&messages);
    talk.send(Sender::Server, both.map(|(number, data)| Outgoing::reliable(3, number, data)).collect());
    // the capture holds 40 bytes of the first payload, and nothing of the second
    let (last, before) = talk.packets.split_last().expect("packets were sent");
    let cut = &last[..28 + 8 + 6 + 40];
    let mut frames: Vec<_> = before.iter().map(|packet| (&packet[..], packet.len())).collect();
    frames.push((cut, last.len()));
    let capture = lab.file("cut.pcap", &pcap::cut(DataLink::IPV4, &frames));
    let out = lab.home().join("messages.pcapng").to_str().expect("temporary paths are text").to_owned();
    lab.tshark(&capture).args(&["-U", "League of Legends", "-w", &out]).key(KEY).clean();
    let rows = lab.tshark(&out).fields(&["frame.len", "frame.cap_len"]);
    let row = rows.last().expect("messages were exported");
    let [length, captured] = [&row[0], &row[1]].map(|text| text.parse::<usize>().expect("a number"));
    assert_eq!(length - captured, 60, "what the datagram lacks besides is not the payload's: {row:?}");
}

#[test]
fn the_messages_of_a_frame_together_have_no_more_items_than_epan_takes() {
    let Some(lab) = Lab::new() else { return };
    let (mut talk, key) = registered();
    let (_, command) = REGISTRY.program_of("Path", Build::new(1, 0, 0, 136)).expect("a message of the book");
    // two paths of 20,000 points each, in fragments, complete in one datagram
    let mut path = [&[command as u8, 0x19, 0, 0, 0x40, 1, 0, 0, 0][..], &[0; 8 * 20_000]].concat();
    key.encipher(&mut path);
    let fragments = reliable((HeaderVariant::Classic, Some(Sender::Server)), 4_000, 3, 1, &path);
    let other: Vec<_> = fragments.iter().map(|made| Outgoing { channel: 4, ..made.clone() }).collect();
    for made in [&fragments, &other] {
        made[..made.len() - 1].iter().for_each(|one| talk.send(Sender::Server, vec![one.clone()]));
    }
    let last = [&fragments, &other].map(|made| made[made.len() - 1].clone());
    talk.send(Sender::Server, last.to_vec());
    let capture = talk.file(&lab, "paths.pcap");
    let count = talk.packets.len() as u32;
    let packets = lab.tshark(&capture).key(KEY).pref("lol.build", "1.0.0.136").pdml();
    let packet = &packets[count as usize - 1];
    assert_eq!((packet.of("lol").count(), packet.messages().count()), (1, 2));
    let heading = &packet.of("lol").next().expect("it is there").label;
    assert_eq!(heading.matches("Path").count(), 2, "{heading}");
    assert_eq!(packet.values("lol.session").len(), 1, "the match is told once");
    let ours =
        |name: &str| ["enet", "lol", "path"].iter().any(|family| name.split('.').next() == Some(family));
    let items = packet.all().iter().filter(|item| ours(&item.name)).count();
    // those of the fragments' list are epan's own
    assert!(items > 40_000 && items < Tree::MOST_NODES + 200, "{items}");
}

#[test]
fn what_came_on_any_channel_is_exported_and_read_again() {
    let Some(lab) = Lab::new() else { return };
    let (mut talk, key) = registered();
    // the game has the channels 0 to 7, ENet as many as are agreed on
    let channels = [1, 3, 5, 6, 7, 8, 9, 31, 254];
    let text = |channel: u8| [&[1, 2, 3, 4, 5, 6, 7][..], &[channel; 5]].concat();
    for from in [Sender::Client, Sender::Server] {
        for channel in channels {
            let mut sealed = text(channel);
            key.encipher(&mut sealed);
            let number = if channel == 1 { 2 } else { 1 };
            talk.send(from, vec![Outgoing::reliable(channel, number, &sealed)]);
        }
    }
    let capture = talk.file(&lab, "channels.pcap");
    let out = lab.home().join("messages.pcapng").to_str().expect("temporary paths are text").to_owned();
    lab.tshark(&capture).args(&["-U", "League of Legends", "-w", &out]).key(KEY).clean();
    let packets = lab.tshark(&out).pref("lol.build", "1.0.0.136").pdml();
    let sent = packets.len() - 2 * channels.len();
    let expected = ["client", "server"].into_iter().flat_map(|from| channels.map(|channel| (from, channel)));
    for (packet, (from, channel)) in packets[sent..].iter().zip(expected) {
        let about = format!("{channel} from the {from}");
        assert_eq!((packet.of("lol").count(), packet.messages().count()), (1, 1), "{about}");
        assert_eq!(packet.values("lol.sender"), [from], "{about}");
        let told = if channel < 8 { vec![channel.to_string()] } else { vec![] };
        assert_eq!(packet.values("lol.channel"), told, "{about}");
        // beside it stands what the exporting program knew
        let sender = if from == "client" { 1 } else { 2 };
        let place = format!("{}", sender * 256 + u32::from(channel));
        assert_eq!(packet.values("exported_pdu.dis_table_val"), [place.as_str()], "{about}");
        let body = packet.all().into_iter().find(|item| item.name == "lol.body").expect("bytes");
        assert!(hex::encode(text(channel)).ends_with(&body.value), "{about}: {}", body.value);
        assert_eq!(body.value.len(), if (1..5).contains(&channel) { 14 } else { 24 }, "{about}");
    }
    let layers = lab.tshark(&out).fields(&["frame.protocols"]);
    assert!(layers.iter().all(|row| row[0].ends_with("exported_pdu:lol")), "{layers:?}");
    let infos = lab.tshark(&out).pref("lol.build", "1.0.0.136").fields(&["_ws.col.Info"]);
    let told: Vec<_> = infos[sent..].iter().map(|row| row[0].as_str()).take(channels.len()).collect();
    assert_eq!(told[2..5], ["[chat] 12 bytes", "[roster] 12 bytes", "[roster] 12 bytes"]);
    assert_eq!(told[5..], ["[another channel] 12 bytes"; 4]);
}
