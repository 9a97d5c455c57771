//! Which datagrams a sender of a variant really writes: stricter than walking them needs, for telling them from
//! chance.

use super::checksum::checksum_fits;
use super::command::{Command, Commands, Why, ACKNOWLEDGE, UNSEQUENCED};
use super::compressed::{first_byte, within};
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
    /// Whether its checksum fits, where nobody's number is needed to know it.
    pub sum_fits: Option<bool>,
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
    if reported > LONGEST || variant == HeaderVariant::Classic && !classic_peer(&header) {
        return None;
    }
    let opened = match header.is_compressed() {
        true => Some(open(&header, bytes, reported)?),
        false => None,
    };
    let sum_fits = unassigned_sum(&header, bytes, reported, opened.as_deref());
    let (commands, reported, begin) = match &opened {
        Some(opened) => (&opened[..], opened.len(), header.opened()),
        None => (bytes, reported, header),
    };
    let (mut first, mut count, mut weight, mut asks, mut cut) = (None, 0, 0, false, false);
    let mut sends = false;
    for command in Commands::new(commands, reported, &begin) {
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
    if count > MOST_COMMANDS || !timed_rightly || !begins_rightly(&header, &first, from) {
        return None;
    }
    // datagrams of acknowledgements only are short and alike, and other protocols have such too
    Some(Walk { header, first, weight: if sends { weight } else { weight.min(4) }, sum_fits })
}

/// The commands of a compressed datagram; `None` where ENet has not written it: it compresses what gets smaller by it.
fn open(header: &Header, bytes: &[u8], reported: usize) -> Option<Vec<u8>> {
    let packed = bytes.get(header.size as usize..)?;
    // most of what is no ENet ends here, before all of it is opened
    let first = first_byte(packed);
    let begins = (1..=12).contains(&(first & 0x0F)) && matches!(first & 0xF0, 0 | ACKNOWLEDGE | UNSEQUENCED);
    if bytes.len() < reported || !begins {
        return None;
    }
    within(packed, LONGEST).filter(|commands| commands.len() > packed.len())
}

/// Whether the checksum fits of a datagram to a peer without a number, which needs no connection's id; `None` for others,
/// and where the capture cut it off.
fn unassigned_sum(header: &Header, bytes: &[u8], reported: usize, opened: Option<&[u8]>) -> Option<bool> {
    let whole = bytes.len() == reported && header.is_unassigned();
    checksum_fits(header, bytes, opened, 0).filter(|_| whole)
}

/// Whether a datagram's first command is one for the peer it is sent to, and of this end.
fn begins_rightly(header: &Header, first: &Command, from: Option<Sender>) -> bool {
    let wrong_end = match from {
        Some(Sender::Client) => first.id == id::VERIFY_CONNECT,
        Some(Sender::Server) => first.id == id::CONNECT,
        None => false,
    };
    let for_peer = match first.id {
        id::CONNECT => header.is_unassigned() && numbered(header, first),
        _ => !header.is_unassigned() || gives_up(first),
    };
    !wrong_end && for_peer
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

/// Whether a command may stand in a datagram of a peer that has no number yet: the first, which asks for one, what follows
/// it, and one that no longer asks.
fn opens(first: Option<&Command>, command: &Command) -> bool {
    match first {
        Some(first) => !gives_up(first),
        None => command.id == id::CONNECT || gives_up(command),
    }
}

/// Whether a command ends a connection at once, as one does that was never granted.
fn gives_up(command: &Command) -> bool {
    command.id == id::DISCONNECT && command.unsequenced
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
