//! Which datagrams a sender of a variant really writes: stricter than walking them needs, for telling them from
//! chance.

use super::command::{Command, Commands, Why, ACKNOWLEDGE, UNSEQUENCED};
use super::header::{header, Header, HeaderVariant};
use super::rows::id;
use crate::capture::Sender;
use crate::fields::enet::Field;

/// Most bytes of a datagram: ENet's largest MTU.
const LONGEST: usize = 4096;
/// Most commands of a datagram.
const MOST_COMMANDS: u32 = 32;
/// Channel of the connection's own commands.
const CONTROL: u8 = 0xFF;
/// Peer ids that classic servers are given: more players than any had.
const CLASSIC_PEERS: u16 = 4096;

/// A datagram that walks strictly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    /// Its header.
    pub header: Header,
    /// Its first command.
    pub first: Command,
    /// How much it says for the variant: about as many bits as had to be right.
    pub weight: u16,
}

/// Walks a datagram strictly; `None` where no sender of the variant writes it.
///
/// Where the capture cut it off, what was captured has to be right and hold at least one command.
pub(super) fn walk(
    variant: HeaderVariant,
    from: Option<Sender>,
    bytes: &[u8],
    reported: usize,
) -> Option<Walk> {
    let header = header(variant, from, bytes).ok()?;
    if reported > LONGEST
        || header.is_compressed()
        || variant == HeaderVariant::Classic && !classic_peer(&header)
    {
        return None;
    }
    let (mut first, mut count, mut weight, mut asks, mut cut) = (None, 0, 0, false, false);
    let mut sends = false;
    for command in Commands::new(bytes, reported, &header) {
        match command {
            Ok(command) => {
                if !sound(variant, &command) || header.is_unassigned() && !opens(first.as_ref(), &command) {
                    return None;
                }
                let last = (command.offset + command.size) as usize == reported;
                weight += weigh(&command, last);
                asks |= command.acknowledge;
                sends |= command.id != id::ACKNOWLEDGE;
                count += 1;
                first.get_or_insert(command);
            }
            Err(stop) => {
                cut = stop.cut.short && stop.why == Why::TooShort;
                if !cut {
                    return None;
                }
            }
        }
    }
    let first = first?;
    let timed = header.sent_time.is_some();
    // a command that the capture cut off may be the one that asks
    let timed_rightly = timed == asks || cut && timed;
    let connects = first.id == id::CONNECT;
    if count > MOST_COMMANDS || !timed_rightly || connects != header.is_unassigned() {
        return None;
    }
    let wrong_end = match from {
        Some(Sender::Client) => first.id == id::VERIFY_CONNECT,
        Some(Sender::Server) => connects,
        None => false,
    };
    if wrong_end || connects && !numbered(&header, &first) {
        return None;
    }
    // datagrams of acknowledgements only are short and alike, and other protocols have such too
    Some(Walk { header, first, weight: if sends { weight } else { weight.min(4) } })
}

fn classic_peer(header: &Header) -> bool {
    header.peer.0 < CLASSIC_PEERS || header.is_unassigned()
}

/// Whether a connect fits its header: the same session number in both, none yet in stock ENet.
fn numbered(header: &Header, connect: &Command) -> bool {
    if header.variant.is_league() {
        connect.value(Field::SessionId) == Some(header.session.0)
    } else {
        header.session.0 == 0
    }
}

/// Whether a command may stand in a datagram of a peer that has no number yet: the first, which asks for one.
fn opens(first: Option<&Command>, command: &Command) -> bool {
    first.is_some() || command.id == id::CONNECT
}

/// Whether a sender of the variant writes such a command.
fn sound(variant: HeaderVariant, command: &Command) -> bool {
    let flags = command.flags & 0xF0;
    let control = command.channel == CONTROL;
    let highest = if variant.is_league() { 7 } else { 254 };
    let carries = command.channel <= highest && command.data.is_some_and(|data| data.len > 0);
    match command.id {
        id::ACKNOWLEDGE => flags == 0 && (control || command.channel <= highest),
        id::CONNECT | id::VERIFY_CONNECT => flags == ACKNOWLEDGE && control && connection(variant, command),
        id::DISCONNECT => (flags == ACKNOWLEDGE || flags == UNSEQUENCED) && control,
        id::PING | id::BANDWIDTH_LIMIT | id::THROTTLE_CONFIGURE => flags == ACKNOWLEDGE && control,
        id::SEND_RELIABLE => flags == ACKNOWLEDGE && carries,
        id::SEND_UNRELIABLE => flags == 0 && carries,
        id::SEND_UNSEQUENCED => flags == UNSEQUENCED && carries,
        id::SEND_FRAGMENT => flags == ACKNOWLEDGE && carries && fragment(command),
        id::SEND_UNRELIABLE_FRAGMENT => flags == 0 && carries && fragment(command),
        _ => false,
    }
}

fn connection(variant: HeaderVariant, command: &Command) -> bool {
    let Some(stated) = command.connect_body() else { return false };
    stated.outgoing_peer < variant.unassigned()
        && (576..=4096).contains(&stated.mtu)
        && (1..=255).contains(&stated.channels)
        && (4096..=65536).contains(&stated.window)
        && command.sequence == 1
}

/// Whether a fragment is one of those a payload is cut into: all of one length but the last.
fn fragment(command: &Command) -> bool {
    let (Some(stated), Some(data)) = (command.fragment(), command.data) else { return false };
    let (len, total) = (u64::from(data.len), u64::from(stated.total));
    let (count, number, offset) =
        (u64::from(stated.count), u64::from(stated.number), u64::from(stated.offset));
    if number >= count {
        return false;
    }
    let numbered = command.sequence == stated.start.wrapping_add(stated.number as u16);
    if command.id == id::SEND_FRAGMENT && !numbered {
        return false;
    }
    if number + 1 < count {
        offset == number * len && count == total.div_ceil(len)
    } else if number == 0 {
        offset == 0 && len == total
    } else {
        offset + len == total && offset % number == 0 && len <= offset / number
    }
}

/// About how many bits of a command had to be right to be taken for one. `last`: it ends the datagram
/// exactly.
fn weigh(command: &Command, last: bool) -> u16 {
    let head = if command.channel == CONTROL { 12 } else { 9 };
    head + match command.id {
        id::CONNECT | id::VERIFY_CONNECT => 80,
        id::SEND_FRAGMENT | id::SEND_UNRELIABLE_FRAGMENT => 80,
        _ if command.data.is_some() => {
            if last {
                16
            } else {
                6
            }
        }
        _ => 0,
    }
}
