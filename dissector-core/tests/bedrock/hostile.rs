//! Bytes that mean harm: bombs, lengths that lie, numbers without an end.

use dissector_core::tree::Tree;
use proptest::prelude::*;

use crate::lab::{batch, deflated, delta, Lab, MOVED};

proptest! {
    /// Whatever comes, nothing panics, nodes stay inside their bytes, and every pass shows the same.
    #[test]
    fn arbitrary_messages_are_survived(
        known in any::<bool>(),
        messages in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 1..6),
        form in prop_oneof![Just(None), Just(Some(0u8)), Just(Some(1)), Just(Some(0xFF))],
    ) {
        let mut lab = Lab::new();
        if known {
            lab.agree(2208, 0);
        }
        for message in messages {
            let bytes = [&[0xFE][..], form.as_slice(), &message].concat();
            let first = lab.server(&bytes);
            prop_assert_eq!(&lab.again(), &first);
            prop_assert_eq!(first.is_some(), known || first.is_some());
        }
    }
}

#[test]
fn what_grows_too_large_is_not_decompressed() {
    let zeros = vec![0u8; 40 << 20];
    let bomb = [&[0xFE, 0][..], &deflated(&zeros)].concat();
    // A Snappy block that promises 200 MB.
    let promise = [0xFE, 1, 0x80, 0x84, 0xAF, 0x5F, 0, 1];
    let mut lab = Lab::new();
    lab.agree(2208, 0);
    for message in [&bomb[..], &promise] {
        let shown = lab.server(message).unwrap();
        assert_eq!(shown.experts.len(), 1, "{:?}", shown.experts);
        assert_eq!(shown.experts[0].0, "bedrock.tooLarge");
        assert_eq!(shown.find("bedrock.packet"), None);
        assert!(Lab::new().server(message).is_none());
    }
}

#[test]
fn malformed_batches_say_what_is_wrong_once() {
    let cases: [(&[u8], &str, &str); 9] = [
        (&[0xFF], "bedrock.malformed", "the batch is empty"),
        (&[0xFF, 0], "bedrock.malformed", "bedrock.packet.length is 0"),
        (&[0xFF, 0x20, 0x6F, 2], "bedrock.malformed", "bedrock.packet.length says 32 bytes, there are 2"),
        (
            &[0xFF, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1],
            "bedrock.malformed",
            "within 5 bytes",
        ),
        (&[0xFF, 0x80], "bedrock.malformed", "no end: 1 bytes are left"),
        (&[0xFF, 1, 0x80], "bedrock.malformed", "bedrock.packet.header"),
        (&[7, 1, 2], "bedrock.malformed", "bedrock.compression is 7"),
        (&[0, 0xFF, 1, 2, 3], "bedrock.malformed", "bedrock.compressed is no deflate"),
        (&[1, 9, 0xFF, 1, 2], "bedrock.malformed", "bedrock.compressed is no Snappy"),
    ];
    for (bytes, expert, text) in cases {
        let mut lab = Lab::new();
        lab.agree(2208, 0);
        let shown = lab.server(&[&[0xFE][..], bytes].concat()).unwrap();
        let [(name, said)] = &shown.experts[..] else { panic!("{bytes:02x?}: {:?}", shown.experts) };
        assert_eq!(name, expert, "{bytes:02x?}");
        assert!(said.contains(text), "{bytes:02x?}: {said}");
    }
    // Deflate that stops in the middle.
    let mut lab = Lab::new();
    lab.agree(2208, 0);
    let pressed = deflated(&batch(&vec![delta(&MOVED); 50]));
    let shown = lab.server(&[&[0xFE, 0][..], &pressed[..pressed.len() - 4]].concat()).unwrap();
    assert_eq!(shown.experts.len(), 1, "{:?}", shown.experts);
    assert!(shown.experts[0].1.contains("ends before its deflate does"));
    assert!(shown.all("bedrock.packet.id").count() > 10);
}

#[test]
fn a_frame_has_no_more_items_than_epan_takes() {
    let mut lab = Lab::new();
    lab.agree(2208, 0);
    let bomb = [&[0xFE, 0][..], &deflated(&batch(&vec![vec![9]; 200_000]))].concat();
    let mut nodes = 0;
    for datagram in 0..4 {
        let shown = lab.in_frame(&bomb, datagram).unwrap();
        assert!(shown.experts.iter().any(|(name, _)| name == "bedrock.tooMany"), "{:?}", shown.experts);
        nodes += shown.nodes.len();
    }
    assert!(nodes <= Tree::MOST_NODES + 3 * Tree::LEAST_NODES && nodes + 64 > Tree::MOST_NODES, "{nodes}");
    // The next frame, and the same frame dissected again, start afresh.
    assert!(lab.server(&bomb).unwrap().nodes.len() > 40_000);
}

/// Memory goes with the bytes, whatever they are.
#[test]
fn hostile_bytes_cost_no_more_than_their_number() {
    let cost = |count: usize, make: &dyn Fn(usize) -> Vec<u8>| {
        let bytes = [&[0xFE, 0xFF][..], &make(count)].concat();
        let mut lab = Lab::new();
        lab.agree(2208, 0);
        let counted = allocation_counter::measure(|| assert!(lab.server(&bytes).is_some()));
        (counted.count_total, counted.bytes_total)
    };
    type Maker<'a> = (&'a str, &'a dyn Fn(usize) -> Vec<u8>);
    let makers: [Maker<'_>; 4] = [
        ("packets of one byte", &|count| [1, 9].repeat(count)),
        ("packets 111 without a body", &|count| [1, 0x6F].repeat(count)),
        ("bytes without an end", &|count| vec![0x80; 2 * count]),
        ("packets 111 of endless ids", &|count| [&[16, 0x6F][..], &[0xFF; 15]].concat().repeat(count / 8)),
    ];
    for (name, make) in makers {
        let (once, tenfold) = (cost(20_000, make), cost(200_000, make));
        assert!(tenfold.0 <= once.0 * 12 + 1000, "{name}: {once:?}, {tenfold:?}");
        assert!(tenfold.1 <= once.1 * 12 + (1 << 20), "{name}: {once:?}, {tenfold:?}");
    }
}
