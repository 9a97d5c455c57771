//! Commands that ENet's own compressor, an adaptive range coder, has made smaller.
//!
//! Which compressor a host uses is agreed outside the protocol, so whether bytes are the range coder's is known only by
//! what comes out of them.

use rusty_enet::{Compressor, RangeCoder};

/// Most bytes the commands of a datagram may become: more than any datagram has.
pub const MOST_BYTES: usize = 1 << 16;
/// How many times their compressed size they may become at the most.
pub const MOST_GROWTH: usize = 1000;

/// Opens compressed commands. `None` where the bytes are not the range coder's, or grow past [`MOST_BYTES`] or
/// [`MOST_GROWTH`].
pub fn decompress(compressed: &[u8]) -> Option<Vec<u8>> {
    within(compressed, MOST_BYTES)
}

/// The same with at most `most` bytes.
pub(super) fn within(compressed: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut out = vec![0; most.min(compressed.len().saturating_mul(MOST_GROWTH))];
    let size = RangeCoder::new().decompress(compressed, &mut out);
    out.truncate(size);
    // it answers 0 for failure
    (size > 0).then_some(out)
}

/// The first byte of compressed commands, without opening the rest: 0, which is no command, where there is none.
pub(super) fn first_byte(compressed: &[u8]) -> u8 {
    let mut out = [0];
    // there is no room for more, which ends it
    RangeCoder::new().decompress(compressed, &mut out);
    out[0]
}

/// Compresses commands as ENet does; `None` where that makes them no smaller, for ENet sends them as they are then.
pub fn compress(commands: &[u8]) -> Option<Vec<u8>> {
    let mut out = vec![0; commands.len()];
    let size = RangeCoder::new().compress(&[commands], commands.len(), &mut out);
    out.truncate(size);
    (size > 0 && size < commands.len()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The connect that a public report of another game shows (case `growtopia`): what compresses to these 30 bytes.
    const CONNECT: &str =
        "82ff00010000ffff0000057800010000000000020000000000000000000013880000000200000002643d5a2700000000";
    const PACKED: &str = "837b88b1fdf1df576b999b36fcbb243e8a642656d33abdab28341ff38385";

    fn bytes(text: &str) -> Vec<u8> {
        hex::decode(text).unwrap()
    }

    #[test]
    fn a_published_connect_opens_and_is_written_alike() {
        assert_eq!(hex::encode(decompress(&bytes(PACKED)).unwrap()), CONNECT);
        assert_eq!(hex::encode(compress(&bytes(CONNECT)).unwrap()), PACKED);
        assert_eq!(first_byte(&bytes(PACKED)), 0x82);
    }

    #[test]
    fn what_is_not_there_does_not_open() {
        assert_eq!(decompress(&[]), None);
        assert_eq!(first_byte(&[]), 0);
        assert_eq!(compress(&[]), None);
        assert_eq!(compress(b"abc"), None, "nothing is gained");
        assert_ne!(decompress(&bytes(PACKED)[..20]), Some(bytes(CONNECT)));
    }

    #[test]
    fn what_grows_past_the_bounds_does_not_open() {
        let long = |length| compress(&vec![7; length]).unwrap();
        assert_eq!(decompress(&long(MOST_BYTES)), Some(vec![7; MOST_BYTES]));
        assert_eq!(decompress(&long(MOST_BYTES + 1)), None);
        let packed = compress(&[7; 4096]).unwrap();
        assert_eq!(within(&packed, 4096).map(|out| out.len()), Some(4096));
        assert_eq!(within(&packed, 4095), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_bytes_open_within_bounds_or_not_at_all(packed in prop::collection::vec(any::<u8>(), 0..300)) {
            if let Some(out) = decompress(&packed) {
                prop_assert!(!out.is_empty() && out.len() <= MOST_BYTES && out.len() <= MOST_GROWTH * packed.len());
                prop_assert_eq!(first_byte(&packed), out[0]);
                let half = within(&packed, out.len() / 2);
                prop_assert_eq!(half, None);
            }
        }

        #[test]
        fn bytes_that_were_changed_after_compressing_do_no_harm(
            plain in prop::collection::vec(0u8..6, 1..2000), at in any::<prop::sample::Index>(), with in any::<u8>(), cut in 0usize..8,
        ) {
            let Some(mut packed) = compress(&plain) else { return Ok(()) };
            let at = at.index(packed.len());
            packed[at] = with;
            packed.truncate(packed.len() - cut.min(packed.len()));
            if let Some(out) = decompress(&packed) {
                prop_assert!(out.len() <= MOST_GROWTH * packed.len());
            }
        }

        #[test]
        fn what_was_compressed_opens_again(mut plain in prop::collection::vec(any::<u8>(), 1..600), few in any::<bool>(), times in 1usize..8) {
            // some with few values, some longer than its table of contexts holds at once
            plain.iter_mut().for_each(|byte| *byte &= if few { 3 } else { 0xFF });
            let plain = plain.repeat(times);
            if let Some(packed) = compress(&plain) {
                prop_assert!(packed.len() < plain.len());
                prop_assert_eq!(decompress(&packed), Some(plain));
            }
        }
    }
}
