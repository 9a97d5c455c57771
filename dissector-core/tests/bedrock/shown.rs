//! Every node of a message with its bytes, value and flags, the Info line, and where findings stand.

use dissector_core::capture::Detail;

use crate::lab::{batch, deflated, delta, snappy, Lab, Shown, MOVED, STILL};
use crate::sealed::{enciphered, Sealer, KEY};

/// What the packets of [`plain`] show from byte 0 on.
const PACKETS: &str = "
  bedrock.packetCount 0+0 =0x4 g
  bedrock.packet 0+9 ': MoveActorDelta' [0] l
    bedrock.packet.length 0+1 =0x8
    bedrock.packet.header 1+2 =0x246f
      bedrock.packet.id 1+2 =0x6f
      bedrock.packet.name 1+2 'MoveActorDelta' g
      bedrock.packet.senderSubClient 1+2 =0x1
      bedrock.packet.targetSubClient 1+2 =0x2
    bedrock.moveActorDelta 3+6
      bedrock.moveActorDelta.actorRuntimeId 3+1 =0x5
      bedrock.moveActorDelta.newPositionX.present 4+1 =0x1
      bedrock.moveActorDelta.newPositionX 5+4 =0x3ff0000000000000
  bedrock.packet 9+14 ': MoveActorDelta' [1] l
    bedrock.packet.length 9+1 =0xd
    bedrock.packet.header 10+1 =0x6f
      bedrock.packet.id 10+1 =0x6f
      bedrock.packet.name 10+1 'MoveActorDelta' g
      bedrock.packet.senderSubClient 10+1
      bedrock.packet.targetSubClient 10+1
    bedrock.moveActorDelta 11+12
      bedrock.moveActorDelta.actorRuntimeId 11+1 =0x2
      bedrock.moveActorDelta.newPositionX.present 12+1
      bedrock.moveActorDelta.newPositionY.present 13+1
      bedrock.moveActorDelta.newPositionZ.present 14+1
      bedrock.moveActorDelta.rotationX.present 15+1
      bedrock.moveActorDelta.rotationY.present 16+1
      bedrock.moveActorDelta.rotationYHead.present 17+1
      bedrock.moveActorDelta.isOnGround 18+1
      bedrock.moveActorDelta.forceMove 19+1
      bedrock.moveActorDelta.forceMoveLocalEntity 20+1
      bedrock.moveActorDelta.forceCompletion 21+1
      bedrock.moveActorDelta.ticks 22+1
    bedrock.actor 11+12 g
      bedrock.actor.id 11+12 =0x2 g
      bedrock.actor.x 11+12 =0x3ff0000000000000 g
      bedrock.actor.z 11+12 =0x4008000000000000 g
  bedrock.packet 23+5 ': Text' [2] l
    bedrock.packet.length 23+1 =0x4
    bedrock.packet.header 24+1 =0x9
      bedrock.packet.id 24+1 =0x9
      bedrock.packet.name 24+1 'Text' g
      bedrock.packet.senderSubClient 24+1
      bedrock.packet.targetSubClient 24+1
    bedrock.packet.body 25+3
  bedrock.packet 28+3 ': 1023' [3] l
    bedrock.packet.length 28+1 =0x2
    bedrock.packet.header 29+2 =0xfff
      bedrock.packet.id 29+2 =0x3ff
      bedrock.packet.senderSubClient 29+2 =0x3
      bedrock.packet.targetSubClient 29+2";

/// A move that ends early, one that changes nothing, one of a text, and one without a name or body.
fn plain() -> Vec<u8> {
    let early = [&[0xEF, 0x48][..], &[5, 1, 0, 0, 0x80, 0x3F]].concat();
    batch(&[early, delta(&STILL), vec![9, 1, 2, 3], vec![0xFF, 0x1F]])
}

/// Actor 2 at x 1 and z 3.
fn placed() -> Vec<u8> {
    batch(&[delta(&[2, 1, 0, 0, 0x80, 0x3F, 0, 1, 0, 0, 0x40, 0x40, 0, 0, 0, 0, 0, 0, 0, 0])])
}

/// The lines of packets that begin at `base`, marked where their bytes are deciphered or decompressed.
fn packets(base: usize, deciphered: bool) -> Vec<String> {
    let lines = PACKETS.lines().skip(1).map(|line| {
        let at = line.find('+').unwrap();
        let from = line[..at].rfind(' ').unwrap() + 1;
        let mut moved =
            format!("{}{}{}", &line[..from], base + line[from..at].parse::<usize>().unwrap(), &line[at..]);
        if deciphered {
            let marks = moved.len() - moved.chars().rev().take_while(|c| "gl".contains(*c)).count();
            match moved[..marks].ends_with(' ') {
                true => moved.insert(marks, 'd'),
                false => moved.push_str(" d"),
            }
        }
        moved
    });
    lines.collect()
}

fn same(shown: &Shown, head: &[&str], base: usize, deciphered: bool) {
    let expected: Vec<_> =
        head.iter().map(|line| (*line).to_owned()).chain(packets(base, deciphered)).collect();
    assert_eq!(shown.lines, expected);
    assert_eq!(shown.info, "MoveActorDelta [malformed]; MoveActorDelta 2; Text; packet 1023");
    let text = "bedrock.moveActorDelta.newPositionY.present needs 1 bytes, 0 are left";
    assert_eq!(shown.experts, [("bedrock.malformed".to_owned(), text.to_owned())]);
    assert_eq!(shown.stands, ["bedrock.packet"]);
}

const SESSION: [&str; 6] = [
    "  bedrock.session 0+0 g",
    "  bedrock.protocol 0+0 =0x8a0 g",
    "  bedrock.protocol.source 0+0 'stated' g",
    "  bedrock.protocol.statedIn 0+0 =0x1 g",
    "  bedrock.sender 0+0 'server' g",
    "  bedrock.messageId 0+1 =0xfe",
];

/// The item of a message, what is known of its session, and what is said of this one.
fn head<'a>(root: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&[root][..], &SESSION, more].concat()
}

#[test]
fn every_node_of_a_bare_and_of_a_compressed_batch() {
    let plain = plain();
    let mut lab = Lab::new();
    lab.agree(2208, 0);
    lab.server(&[&[0xFE, 0xFF][..], &placed()].concat()).unwrap();
    let shown = lab.server(&[&[0xFE, 0xFF][..], &plain].concat()).unwrap();
    let bare = ["  bedrock.compression 1+1 =0xff", "  bedrock.compression.method 1+1 'none' g"];
    same(&shown, &head("bedrock 0+33", &bare), 2, false);
    assert_eq!(lab.again().unwrap(), shown);
    let pressed = deflated(&plain);
    let shown = lab.server(&[&[0xFE, 0][..], &pressed].concat()).unwrap();
    let (root, compressed) = (format!("bedrock 0+{}", pressed.len() + 2), pressed.len());
    let (bytes, length) = (
        format!("  bedrock.compressed 2+{compressed}"),
        format!("  bedrock.decompressedLength 2+{compressed} =0x1f g"),
    );
    let more = ["  bedrock.compression 1+1", "  bedrock.compression.method 1+1 'deflate' g", &bytes, &length];
    same(&shown, &head(&root, &more), 0, true);
    assert_eq!(lab.again().unwrap(), shown);
}

#[test]
fn every_node_of_an_enciphered_batch() {
    let plain = plain();
    let (mut lab, mut sealer) = (enciphered(KEY), Sealer::new());
    lab.server(&sealer.seal(&[&[0xFF][..], &placed()].concat())).unwrap();
    let content = [&[0xFF][..], &plain].concat();
    let trailer = u64::from_be_bytes(sealer.key.trailer(1, &content));
    let shown = lab.server(&sealer.seal(&content)).unwrap();
    let trailer = format!("  bedrock.trailer 33+8 ={trailer:#x}");
    let mut more = vec!["  bedrock.key.state 0+0 'verified' g", "  bedrock.counter 0+0 =0x1 g", &trailer];
    more.extend(["  bedrock.compression 1+1 =0xff", "  bedrock.compression.method 1+1 'none' g"]);
    same(&shown, &head("bedrock 0+41", &more), 2, true);
    assert_eq!(lab.again().unwrap(), shown);
    // The same message again.
    let message = Sealer::new().seal(&[&[0xFF][..], &placed()].concat());
    let shown = lab.server(&message).unwrap();
    assert!(shown.lines.contains(&"  bedrock.resentFrom 0+0 =0x4 g".to_owned()), "{:?}", shown.lines);
    assert_eq!(
        shown.experts,
        [("bedrock.resent".into(), "The same message was sent before, in frame 4".into())]
    );
    assert_eq!(
        (shown.info.as_str(), &shown.stands[0][..]),
        ("[sent before]; MoveActorDelta 2 x=1 z=3", "bedrock")
    );
    let pressed = snappy(&plain);
    let shown = lab.server(&sealer.seal(&[&[1][..], &pressed].concat())).unwrap();
    let compressed = format!("  bedrock.compressed 2+{}", pressed.len());
    assert!(
        shown.lines.contains(&compressed) && shown.lines.ends_with(&packets(0, true)),
        "{:?}",
        shown.lines
    );
}

#[test]
fn every_node_of_a_request_and_a_forced_protocol() {
    let shown = Lab::new().client(&[0xFE, 6, 0xC1, 1, 0, 0, 8, 0xA0]).unwrap();
    let after: Vec<_> = shown.lines[5..].iter().map(String::as_str).collect();
    assert_eq!(
        after,
        [
            "  bedrock.sender 0+0 'client' g",
            "  bedrock.messageId 0+1 =0xfe",
            "  bedrock.compression.method 1+0 'none' g",
            "  bedrock.packetCount 1+0 =0x1 g",
            "  bedrock.packet 1+7 ': RequestNetworkSettings' [0] l",
            "    bedrock.packet.length 1+1 =0x6",
            "    bedrock.packet.header 2+2 =0xc1",
            "      bedrock.packet.id 2+2 =0xc1",
            "      bedrock.packet.name 2+2 'RequestNetworkSettings' g",
            "      bedrock.packet.senderSubClient 2+2",
            "      bedrock.packet.targetSubClient 2+2",
            "    bedrock.requestNetworkSettings 4+4",
            "      bedrock.requestNetworkSettings.clientNetworkVersion 4+4 =0x8a0",
        ]
    );
    let settings =
        dissector_core::capture::Settings { bedrock_protocol: " 2168 ".into(), ..Default::default() };
    let shown =
        Lab::with(&settings).server(&[&[0xFE, 0xFF][..], &batch(&[delta(&STILL[..11])])].concat()).unwrap();
    assert_eq!(
        shown.lines[1..4],
        [
            "  bedrock.session 0+0 g",
            "  bedrock.protocol 0+0 =0x878 g",
            "  bedrock.protocol.source 0+0 'preference' g"
        ]
    );
    assert_eq!(shown.find("bedrock.protocol.statedIn"), None);
}

#[test]
fn what_is_not_asked_for_is_not_made() {
    let mut lab = Lab::new();
    lab.agree(2208, 0);
    let bytes = [&[0xFE, 0xFF][..], &plain()].concat();
    lab.detail = Detail::Columns;
    let shown = lab.server(&bytes).unwrap();
    assert_eq!((shown.lines.len(), &shown.info[..14], shown.experts.len()), (0, "MoveActorDelta", 1));
    lab.detail = Detail::State;
    let shown = lab.server(&bytes).unwrap();
    assert_eq!((shown.lines.len(), shown.info.as_str()), (0, "[malformed]"));
    assert_eq!((shown.experts.len(), shown.stands[0].as_str()), (1, "nowhere"));
    // Enciphered, and malformed: no nodes either.
    let mut lab = enciphered("");
    lab.detail = Detail::Columns;
    let shown = lab.server(&Sealer::new().seal(&[0xFF, 1, 9])).unwrap();
    assert_eq!((shown.lines.len(), shown.info.as_str()), (0, "[enciphered] 11 bytes"));
    for bytes in [&[0xFE, 0xFF, 0][..], &[0xFE, 7, 7]] {
        let mut lab = Lab::new();
        lab.agree(2208, 0);
        lab.detail = Detail::Columns;
        let shown = lab.server(bytes).unwrap();
        assert_eq!((shown.lines.len(), shown.experts.len(), shown.stands[0].as_str()), (0, 1, "nowhere"));
    }
}

#[test]
fn packets_are_shown_while_there_is_room_for_a_whole_one() {
    // Beside the packets there are ten nodes: the item, the session's and the batch's.
    let bytes = [&[0xFE, 0xFF][..], &batch(&vec![vec![9]; 3])].concat();
    let of_one = 7;
    for (left, packets) in [(10 + 63, 0), (10 + 64, 1), (10 + 64 + of_one, 2), (10 + 64 + 2 * of_one, 3)] {
        let mut lab = Lab::new();
        lab.agree(2208, 0);
        lab.nodes_before = 45_000 - left;
        let shown = lab.server(&bytes).unwrap();
        assert_eq!(shown.all("bedrock.packet.length").count(), packets, "{left}");
        assert_eq!(shown.value("bedrock.packetCount"), 3);
        assert_eq!(shown.info, "Text; Text; Text");
        let text = "Items past the first 45000 of a frame are left out".to_owned();
        let expected = if packets < 3 { vec![("bedrock.tooMany".to_owned(), text)] } else { Vec::new() };
        assert_eq!(shown.experts, expected, "{left}");
        assert_eq!(lab.again().unwrap(), shown);
    }
    // What is left over takes the same room.
    for (left, shows) in [(10 + 63, false), (10 + 64, true)] {
        let mut lab = Lab::new();
        lab.agree(2208, 0);
        lab.nodes_before = 45_000 - left;
        let shown = lab.server(&[0xFE, 0xFF, 0, 1]).unwrap();
        assert_eq!(shown.find("bedrock.packet.leftOver").is_some(), shows, "{left}");
        assert_eq!(shown.stands[0], if shows { "bedrock.packet.leftOver" } else { "bedrock" });
    }
}

#[test]
fn a_message_of_garbage_has_no_more_than_a_hundred_findings() {
    for (moves, findings) in [(99, 99), (100, 100), (101, 100), (300, 100)] {
        let mut lab = Lab::new();
        lab.agree(2208, 0);
        let shown =
            lab.server(&[&[0xFE, 0xFF][..], &batch(&vec![delta(&MOVED[..3]); moves])].concat()).unwrap();
        assert_eq!(shown.experts.len(), findings);
    }
}
