//! Datagrams whose commands ENet's range coder has made smaller: they are opened, and read as any.

use std::io::Write;

use dissector_core::capture::Settings;
use dissector_core::enet::wire::write::{reliable, Outgoing};
use dissector_core::enet::wire::{compressed, HeaderVariant};
use dissector_core::tree::flag;
use proptest::prelude::*;

use crate::lab::{passes, read, shown, streams, Pass, Shown, BAD, GOOD, UNVERIFIED};
use crate::wire::{Client, Server, Talk};

const STOCK: [HeaderVariant; 2] = [HeaderVariant::Stock, HeaderVariant::StockChecksum];

/// Ends that compress what they say, or do not.
fn talk(variant: HeaderVariant, compresses: bool) -> Talk {
    Talk { session: 0, compresses, ..Talk::new(variant) }
}

/// What is shown of the commands of a datagram: names, values and texts, without their places.
fn commands(shown: &Shown) -> Vec<(&'static str, u64, String)> {
    let begin = shown.items.iter().position(|item| item.name == "enet.command.item");
    let items = &shown.items[begin.unwrap_or(shown.items.len())..];
    items.iter().map(|item| (item.name, item.value, item.text.clone())).collect()
}

/// A conversation with all that a connection keeps of commands: numbers, acknowledgements, retransmissions, fragments.
fn chat(talk: &mut Talk) {
    talk.open();
    let long = [b'x'; 2_300];
    for command in reliable((talk.variant, Some(Server)), 996, 0, 1, &long) {
        talk.send(Server, vec![command]);
    }
    let sent = [1_003, 1_004, 1_005];
    let acks = sent.into_iter().zip(1..).map(|(sent, number)| Outgoing::acknowledge(0, number, sent));
    talk.send(Client, acks.collect());
    talk.reliable(Client, 1, 1, b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    talk.reliable(Client, 1, 1, b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    for _ in 0..2 {
        talk.send(Server, vec![Outgoing::unreliable(2, 0, 1, &[0; 40])]);
    }
    talk.send(Server, vec![Outgoing::disconnect(2, 7)]);
}

#[test]
fn compressed_commands_are_read_as_any() {
    for variant in STOCK {
        let [plain, packed] = [false, true].map(|compresses| {
            let mut talk = talk(variant, compresses);
            chat(&mut talk);
            passes(&Settings::default(), &talk.frames)
        });
        let mut opened = 0;
        for (plain, packed) in [(&plain.0, &packed.0), (&plain.1, &packed.1)] {
            for (plain, packed) in shown(plain).into_iter().zip(shown(packed)) {
                assert_eq!(commands(plain), commands(packed), "{variant:?}");
                assert_eq!(plain.values("enet.checksum.status"), packed.values("enet.checksum.status"));
                assert!(!packed.values("enet.checksum.status").contains(&BAD));
                assert_eq!((&plain.info, &plain.experts.len()), (&packed.info, &packed.experts.len()));
                let joined =
                    |shown: &Shown| shown.messages.iter().map(|all| all.bytes.clone()).collect::<Vec<_>>();
                assert_eq!(joined(plain), joined(packed));
                opened += usize::from(!packed.decompressed.is_empty());
            }
        }
        assert!(opened >= 14, "{opened}");
    }
}

#[test]
fn what_was_opened_is_a_source_of_its_own() {
    for (variant, header) in STOCK.into_iter().zip([4, 8]) {
        let mut talk = talk(variant, true);
        talk.open();
        let at = talk.reliable(Client, 1, 1, &[b'a'; 100]);
        let size = talk.frames[at].bytes.len() as u64 - header;
        let two = read(&Settings::default(), &talk.frames);
        let last = shown(&two)[at];
        let sizes = ["enet.compressedSize", "enet.decompressedSize"].map(|name| last.values(name));
        assert_eq!(sizes, [[size], [106]], "command header, length and payload");
        let data = last.all("enet.compressedData")[0];
        assert_eq!(data.place, (1, 0, header as u32, size as u32), "of the packet's own bytes");
        let payload = last.all("enet.payload")[0];
        assert_eq!(payload.place, (2, flag::DECOMPRESSED, 6, 100));
        assert_eq!(last.decompressed[6..], [b'a'; 100]);
        assert_eq!(
            (last.payloads[0].offset, last.payloads[0].length, last.payloads[0].reported),
            (6, 100, 100)
        );
        assert!(last.all("enet.flags.compressed")[0].value == 1 && last.experts.is_empty());
        let here = |name| last.all(name)[0].place.1 & flag::DECOMPRESSED;
        assert_eq!(
            ["enet", "enet.peerID", "enet.sentTime"].map(here),
            [0; 3],
            "the header stands in the packet"
        );
        assert_eq!(last.info, "sendReliable on channel 1, 100 bytes");
    }
}

/// The datagrams of case `growtopia`, as they were published.
const PUBLISHED: [&str; 4] = [
    "cfff500accbd5df3837b88b1fdf1df576b999b36fcbb243e8a642656d33abdab28341ff38385",
    "cfff520832476e1d837b88b1fdf1df576b999b36fcbb243e8a642656d33abdab28341ff38385",
    "cfff55f31b20ce9e837b88b1fdf1df576b999b36fcbb243e8a642656d33abdab28341ff38385",
    "0fffffe094d044ff000200000000",
];

fn published(pass: &Pass) {
    let shown = shown(pass);
    assert_eq!(shown[0].values("enet.command"), [2]);
    assert_eq!(shown[0].values("enet.connectID"), [0x275A_3D64], "as a little-endian host wrote it");
    assert_eq!(
        [30, 48],
        ["enet.compressedSize", "enet.decompressedSize"].map(|name| shown[0].values(name)[0])
    );
    assert_eq!(
        (shown[3].values("enet.command"), shown[3].values("enet.checksum")),
        (vec![4], vec![0xFFE0_94D0])
    );
    for shown in shown {
        assert_eq!(shown.values("enet.checksum.status"), [GOOD]);
    }
}

#[test]
fn published_datagrams_of_another_game_are_opened_and_fit_their_sums() {
    for (decode_as, shape) in [(false, "auto"), (true, "auto"), (true, "stock"), (false, "stockChecksum")] {
        let mut talk = Talk::new(HeaderVariant::StockChecksum);
        for datagram in PUBLISHED {
            let at = talk.capture(Client, hex::decode(datagram).unwrap());
            talk.frames[at].decode_as = decode_as;
        }
        let settings = Settings { variant: shape.into(), ..Settings::default() };
        let (one, two) = passes(&settings, &talk.frames);
        published(&one);
        published(&two);
        assert_eq!(streams(&two), [Some(0); 4]);
    }
}

#[test]
fn a_checksum_that_needs_no_number_settles_a_datagram_alone() {
    let mut talk = Talk::new(HeaderVariant::StockChecksum);
    let at = talk.capture(Client, hex::decode(PUBLISHED[3]).unwrap());
    for decode_as in [false, true] {
        talk.frames[at].decode_as = decode_as;
        let two = read(&Settings::default(), &talk.frames);
        assert_eq!((streams(&two), shown(&two)[0].values("enet.command")), (vec![Some(0)], vec![4]));
    }
    // with another sum it is settled by nothing
    talk.frames[at].bytes[2] ^= 1;
    let two = read(&Settings::default(), &talk.frames);
    assert_eq!(streams(&two), [None]);
}

#[test]
fn the_middle_of_a_compressed_conversation_is_found_with_its_early_fragments() {
    for variant in STOCK {
        let mut talk = talk(variant, true);
        for command in reliable((variant, Some(Server)), 996, 0, 1, &[b'x'; 1_800]) {
            talk.send(Server, vec![command]);
        }
        talk.send(Client, vec![Outgoing::acknowledge(0, 1, 1_000), Outgoing::acknowledge(0, 2, 1_001)]);
        talk.reliable(Client, 1, 1, &[b'y'; 60]);
        let (one, two) = passes(&Settings::default(), &talk.frames);
        let claimed = one.iter().filter(|shown| shown.is_some()).count();
        assert!((1..=2).contains(&claimed), "{variant:?}");
        assert_eq!(streams(&two), [Some(0); 4], "{variant:?}");
        assert_eq!(shown(&two)[1].messages[0].bytes, [b'x'; 1_800], "{variant:?}");
        assert!(shown(&two)
            .iter()
            .all(|shown| !shown.has("enet.payload") || shown.has("enet.decompressedSize")));
    }
}

#[test]
fn another_compressor_leaves_bytes_and_a_note() {
    let zlib = |plain: &[u8]| {
        let mut out = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        out.write_all(plain).unwrap();
        out.finish().unwrap()
    };
    let junk: Vec<u8> = (0..60_u8).map(|place| place.wrapping_mul(37) ^ 0x5A).collect();
    for variant in STOCK {
        for packed in [zlib(&[b'z'; 300]), junk.clone(), vec![0; 40], vec![0xFF; 9]] {
            let mut talk = talk(variant, false);
            talk.open();
            let mut bytes = talk.bytes(Client, 9, vec![Outgoing::ping(2)]);
            bytes.truncate(if variant == HeaderVariant::Stock { 4 } else { 8 });
            bytes[0] |= 0x40;
            bytes.extend(&packed);
            let at = talk.capture(Client, bytes);
            talk.reliable(Client, 1, 1, b"more");
            let two = read(&Settings::default(), &talk.frames);
            let odd = shown(&two)[at];
            assert_eq!(
                (odd.values("enet.command").len(), odd.told("enet.compressed").len()),
                (0, 1),
                "{packed:?}"
            );
            assert_eq!(odd.values("enet.compressedSize"), [packed.len() as u64]);
            assert!(odd.decompressed.is_empty() && !odd.has("enet.decompressedSize"));
            let sums = odd.values("enet.checksum.status");
            assert!(sums.iter().all(|status| *status == UNVERIFIED));
            assert_eq!(odd.info, format!("compressed commands, {} bytes", packed.len()));
        }
    }
}

#[test]
fn what_the_capture_cut_off_or_grows_too_far_stays_bytes() {
    let mut talk = talk(HeaderVariant::Stock, true);
    talk.open();
    let cut = talk.reliable(Client, 1, 1, &[b'a'; 200]);
    talk.frames[cut].bytes.pop();
    let packed = compressed::compress(&vec![0; compressed::MOST_BYTES + 1]).unwrap();
    let bomb = talk.capture(Client, [&[0xC0, 0, 0, 9][..], &packed].concat());
    let (one, two) = passes(&Settings::default(), &talk.frames);
    for pass in [&one, &two] {
        let shown = shown(pass);
        assert_eq!(
            shown[cut].told("enet.short"),
            ["The capture cut off these compressed commands: shown as bytes"]
        );
        assert!(shown[cut].told("enet.compressed").is_empty() && !shown[cut].has("enet.command"));
        assert_eq!(shown[bomb].told("enet.compressed").len(), 1);
        assert!(shown[bomb].decompressed.is_empty());
    }
}

#[test]
fn commands_of_64_kib_are_opened() {
    let mut talk = talk(HeaderVariant::Stock, true);
    talk.open();
    let at = talk.reliable(Client, 1, 1, &[b'a'; 65_530]);
    let two = read(&Settings::default(), &talk.frames);
    assert_eq!(shown(&two)[at].values("enet.decompressedSize"), [65_536]);
    assert_eq!(shown(&two)[at].payloads[0].length, 65_530);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_compressed_bytes_do_no_harm(
        all in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..120), 1..6), summed in any::<bool>(), opened in any::<bool>(),
    ) {
        let mut talk = talk(STOCK[usize::from(summed)], true);
        if opened {
            talk.open();
        }
        for bytes in all {
            let at = talk.capture(Client, [&[0xC0, 0][..], &bytes].concat());
            talk.frames[at].decode_as = true;
        }
        let (one, two) = passes(&Settings::default(), &talk.frames);
        for shown in one.iter().chain(&two).flatten() {
            prop_assert!(shown.decompressed.len() <= compressed::MOST_BYTES);
        }
    }
}
