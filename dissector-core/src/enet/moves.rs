//! Sessions that go on between other ends: what tells that datagrams of two conversations are of one connection.
//!
//! A join that is wrong costs more than one that is missed, so all of this is asked: the same header variant, the same session
//! and peer each way, reliable numbers that go on and none that contradicts, clocks that go on, and a connection that has not
//! ended and was silent since, not for long.

use super::connection::Connection;
use super::numbers::Evidence;
use super::wire::{self, Commands, HeaderVariant};
use crate::capture::{Direction, Packet};

/// Nanoseconds a connection may have been silent: ENet's longest timeout.
const LONGEST_SILENCE: i64 = 30_000_000_000;
/// Milliseconds by which a sender's clock may seem to jump, since the way to the capture has changed too.
const CLOCK: u16 = 3_000;

/// What a datagram that goes this way says of a connection: by all but the ends.
pub fn evidence(
    connection: &Connection,
    variant: HeaderVariant,
    direction: Direction,
    packet: &Packet<'_>,
) -> Evidence {
    let (last, ended) = connection.latest();
    let silence = packet.time.saturating_sub(last);
    if connection.variant != variant || ended || !(0..=LONGEST_SILENCE).contains(&silence) {
        return Evidence::Against;
    }
    let Ok(header) = wire::header(variant, connection.sender(direction), packet.bytes) else {
        return Evidence::Against;
    };
    if !connection.is_named(direction, &header) {
        return Evidence::Against;
    }
    let sent_time = header.sent_time.map(|(time, _)| time);
    let jump = sent_time.and_then(|time| connection.numbers.jump(direction, packet.time, time));
    if jump.is_some_and(|jump| jump > CLOCK) {
        return Evidence::Against;
    }
    let mut found = Evidence::None;
    for command in Commands::new(packet.bytes, packet.reported as usize, &header).flatten() {
        match connection.numbers.follows(direction, &command) {
            Evidence::Against => return Evidence::Against,
            Evidence::None => {}
            Evidence::For => found = Evidence::For,
        }
    }
    found
}
