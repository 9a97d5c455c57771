//! What is not the game's, or ENet at all, is left alone.

use pcap_file::DataLink;

use crate::lab::Lab;
use crate::pcap;

/// Small random numbers (xorshift64*), the same in every run.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, end: u64) -> u64 {
        (self.next() >> 16) % end
    }
}

/// An IPv4 packet without link layer that carries a UDP datagram; checksums are left out, as offloading does.
fn packet(
    dice: &mut Dice,
    pool: &[u8],
    (source, destination): (u32, u32),
    (from, to): (u16, u16),
) -> Vec<u8> {
    // Short ones more often: that is where chance has the best hand.
    let length = if dice.below(2) == 0 { 4 + dice.below(60) } else { 4 + dice.below(1397) } as usize;
    let mut bytes = Vec::with_capacity(28 + length);
    bytes.extend([0x45, 0]);
    bytes.extend((28 + length as u16).to_be_bytes());
    bytes.extend([0, 0, 0, 0, 64, 17, 0, 0]);
    bytes.extend(source.to_be_bytes());
    bytes.extend(destination.to_be_bytes());
    bytes.extend(from.to_be_bytes());
    bytes.extend(to.to_be_bytes());
    bytes.extend((8 + length as u16).to_be_bytes());
    bytes.extend([0, 0]);
    let at = dice.below((pool.len() - length) as u64) as usize;
    bytes.extend(&pool[at..at + length]);
    bytes
}

/// Random datagrams of 4 to 1400 bytes in random conversations, of which each has about sixteen, in both directions. Each
/// is a piece of a megabyte of random bytes: a test without optimisation takes too long to throw every byte anew.
fn noise(seed: u64, count: usize) -> Vec<u8> {
    let mut dice = Dice(seed);
    let conversations = count as u64 / 16;
    let pool: Vec<u8> = (0..131_072).flat_map(|_| dice.next().to_le_bytes()).collect();
    let packets: Vec<_> = (0..count)
        .map(|_| {
            let number = dice.below(conversations) as u32;
            let (client, server) = (0x0A00_0000 + number, 0xC633_6400 + number % 200);
            let (port, service) = (40_000 + (number % 20_000) as u16, 5000 + (number % 500) as u16);
            if dice.below(2) == 0 {
                packet(&mut dice, &pool, (client, server), (port, service))
            } else {
                packet(&mut dice, &pool, (server, client), (service, port))
            }
        })
        .collect();
    pcap::file(DataLink::IPV4, &packets)
}

#[test]
fn random_datagrams_are_not_claimed() {
    // A million, in batches that the disk does not mind.
    const BATCH: usize = 50_000;
    let Some(lab) = Lab::new() else { return };
    for batch in 0..20 {
        // The same name each time, so that one batch is kept at most.
        let capture = lab.file("noise.pcap", &noise(0x5EED_0000 + batch, BATCH));
        assert_eq!(lab.tshark(&capture).frames("enet or lol"), [] as [u32; 0], "batch {batch}");
    }
}

#[test]
fn other_protocols_are_not_claimed() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.capture("other-traffic.pcap");
    for passes in [&[][..], &["-2"]] {
        assert_eq!(lab.tshark(&capture).args(passes).frames("enet or lol"), [] as [u32; 0]);
    }
    // The filter would find them: with the dissector forced onto a port the frames are ENet.
    let ports = lab.tshark(&capture).fields(&["udp.dstport"]);
    let port = &ports.iter().find(|row| !row[0].is_empty()).expect("a UDP port")[0];
    let forced = lab.tshark(&capture).args(&["-d", &format!("udp.port=={port},enet")]).frames("enet");
    assert!(!forced.is_empty(), "port {port}");
}
