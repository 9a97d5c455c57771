//! Chance and other protocols: what is not ENet is not taken for it. Slow, so apart from the rest.

use dissector_core::enet::wire::{candidates, connect, HeaderVariant};

/// SplitMix64: the same numbers each time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next() as u8).collect()
    }
}

#[test]
fn random_datagrams_are_refused() {
    let mut random = Random(20_091_027);
    let pool: Vec<u8> = (0..1 << 19).flat_map(|_| random.next().to_le_bytes()).collect();
    let (mut accepted, mut firm, mut by_shape) = (0, 0, [0; 6]);
    for turn in 0..1_000_000 {
        let len = 4 + random.below(1397);
        let start = random.below(pool.len() - len);
        let bytes = &pool[start..start + len];
        let found = candidates(bytes, len);
        accepted += usize::from(!found.is_empty());
        firm += usize::from(found.weight() >= 20);
        for (count, variant) in by_shape.iter_mut().zip(HeaderVariant::ALL) {
            *count += usize::from(found.holds(variant, None));
        }
        if turn % 16 == 0 {
            assert_eq!(connect(bytes, len), None);
        }
    }
    println!(
        "of 1,000,000 random datagrams {accepted} accepted, {firm} with weight 20 or more; {by_shape:?}"
    );
    let short = (0..1_000_000).map(|_| random.below(pool.len() - 32)).zip((8..32).cycle());
    let short = short
        .map(|(start, len)| candidates(&pool[start..start + len], len))
        .filter(|found| !found.is_empty());
    let weights: Vec<u16> = short.map(|found| found.weight()).collect();
    let firm = weights.iter().filter(|weight| **weight >= 20).count();
    println!("of 1,000,000 of 8 to 31 bytes {} accepted, {firm} with weight 20 or more", weights.len());
    assert!(weights.len() <= 1000 && firm <= 20);
    assert!(accepted <= 40 && firm <= 10, "{accepted} {firm}");
}

/// Datagrams of other protocols, with random numbers where theirs are random.
fn foreign(random: &mut Random) -> Vec<(&'static str, Vec<u8>)> {
    let n = random.next().to_be_bytes();
    let count = (random.next() % 4096) as u16;
    let (low, high) = (count as u8, (count >> 8) as u8);
    let join = |parts: &[&[u8]]| parts.concat();
    let name = b"\x07example\x03com\x00\x00\x01\x00\x01";
    let length = 24 + random.below(140);
    let tail = random.bytes(length);
    vec![
        ("dns query", join(&[&n[..2], &[1, 0, 0, 1, 0, 0, 0, 0, 0, 0], name])),
        (
            "dns query edns",
            join(&[
                &n[..2],
                &[1, 0x20, 0, 1, 0, 0, 0, 0, 0, 1],
                name,
                &[0, 0, 41, 4, 0xD0, 0, 0, 0, 0, 0, 0],
            ]),
        ),
        (
            "dns answer",
            join(&[
                &n[..2],
                &[0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0],
                name,
                &[0xC0, 12, 0, 1, 0, 1],
                &n[2..6],
                &[0, 4],
                &n[..4],
            ]),
        ),
        ("rtp", join(&[&[0x80, n[0] & 0x80 | 96, high, low], &n, &tail])),
        ("rtcp", join(&[&[0x80, 200, 0, 6], &n, &tail[..20]])),
        ("stun", join(&[&[0, 1, 0, 0, 0x21, 0x12, 0xA4, 0x42], &n, &n[..4]])),
        ("quic initial", join(&[&[0xC0 | n[0] & 15, 0, 0, 0, 1, 8], &n, &[0, 0, 0x44, 0x9E], &tail])),
        ("quic short", join(&[&[0x40 | n[0] & 63], &n, &tail])),
        (
            "raknet ping",
            join(&[&[1], &n, &[0, 0xFF, 0xFF, 0, 0xFE, 0xFE, 0xFE, 0xFE, 0xFD, 0xFD, 0xFD, 0xFD], &n[..4]]),
        ),
        (
            "raknet ack",
            join(&[&[0xC0, 0, 1, n[0] & 1, low, high, 0, low.wrapping_add(n[0] & 3), high, 0]
                [..if n[0] & 1 == 0 { 10 } else { 7 }]]),
        ),
        ("raknet frames", join(&[&[0x84, low, high, 0, 0x60, 1, 0, low, high, 0, 0, 0, 0, 0], &tail])),
        ("wireguard handshake", join(&[&[1, 0, 0, 0], &n, &random.bytes(136)])),
        ("wireguard data", join(&[&[4, 0, 0, 0], &n[..4], &[low, high, 0, 0, 0, 0, 0, 0], &tail])),
        ("source query", join(&[b"\xFF\xFF\xFF\xFFTSource Engine Query\0", &n[..4]])),
        ("source answer", join(&[b"\xFF\xFF\xFF\xFFI\x11", &tail])),
        ("quake", join(&[&[low, high, 0, n[0] & 0x80, low, high, 0, 0], &tail])),
        ("ntp", join(&[&[0x23, 2, 6, 0xE9], &n, &n, &random.bytes(28)])),
        ("counter le", join(&[&[n[0] & 15, 0], &u32::from(count).to_le_bytes(), &tail])),
        ("counter be", join(&[&[n[0] & 15, 0], &u32::from(count).to_be_bytes(), &tail])),
    ]
}

#[test]
fn datagrams_of_other_protocols_are_refused() {
    let mut random = Random(7);
    let mut counts = std::collections::BTreeMap::<&str, (usize, usize)>::new();
    for _ in 0..10_000 {
        for (name, bytes) in foreign(&mut random) {
            let found = candidates(&bytes, bytes.len());
            let count = counts.entry(name).or_default();
            count.0 += usize::from(!found.is_empty());
            count.1 += usize::from(found.weight() > 4);
            assert_eq!(connect(&bytes, bytes.len()), None, "{name}");
        }
    }
    println!("of 10,000 each, accepted and accepted with weight above 4:");
    for (name, (accepted, weighty)) in counts {
        println!("    {name}: {accepted}, {weighty}");
        assert!(weighty <= 10, "{name}");
    }
}
