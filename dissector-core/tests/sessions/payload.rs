//! One deciphered payload without ENet, and what it shows.

use dissector_core::capture::{Detail, Endpoint, Packet, Sender, Settings};
use dissector_core::engine::Engine;

use crate::lab::{show, Shown};
use crate::wire::Server;

/// Reads one deciphered payload of 1.0.0.136 that came without ENet.
pub fn bare(channel: u8, sender: Sender, bytes: &[u8], reported: usize) -> Shown {
    let settings = Settings { build: "1.0.0.136".into(), ..Settings::default() };
    bare_with(&settings, channel, sender, (bytes, reported), 0)
}

/// The same with settings, and after so many nodes of its frame.
pub fn bare_with(
    settings: &Settings,
    channel: u8,
    sender: Sender,
    (bytes, reported): (&[u8], usize),
    nodes_before: u32,
) -> Shown {
    bare_in_detail(settings, channel, sender, (bytes, reported), nodes_before, Detail::Labels)
}

/// The same, as much of it as is asked for.
pub fn bare_in_detail(
    settings: &Settings,
    channel: u8,
    sender: Sender,
    (bytes, reported): (&[u8], usize),
    nodes_before: u32,
    detail: Detail,
) -> Shown {
    let mut engine = Engine::new(settings);
    let nobody = Endpoint::default();
    let packet = Packet {
        bytes,
        reported: reported as u32,
        time: 0,
        frame: 1,
        datagram: 0,
        source: nobody,
        destination: nobody,
        detail,
        nodes_before,
        visited: false,
        in_error_pkt: false,
        decode_as: false,
        league_begun: false,
    };
    show(engine.message(&packet, channel, Some(sender)).expect("any payload is read"), bytes)
}

/// A payload of the server of which all was captured.
pub fn whole(channel: u8, bytes: &[u8]) -> Shown {
    bare(channel, Server, bytes, bytes.len())
}

/// Name, value, first byte and length of the nodes of a prefix.
pub fn nodes<'s>(shown: &'s Shown, prefix: &str) -> Vec<(&'s str, u64, u32, u32)> {
    let all = shown.items.iter().filter(|item| item.name.starts_with(prefix));
    all.map(|item| (item.name, item.value, item.place.2, item.place.3)).collect()
}

/// How many expert items say that something was cut.
pub fn cuts(shown: &Shown) -> usize {
    shown.told("lol.malformed").len() + shown.told("lol.short").len()
}
