//! The numbers of a connection's commands: what is new, what was sent before, what acknowledges what.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use foldhash::HashMap;

use super::records::{Record, Records};
use super::sequence::{ChannelState, Groups, Transmission};
use super::wire::{id, Command, Fragment, Header};
use crate::capture::{Direction, Packet};

/// How far numbers may go on where a part of them was not captured.
const STEP: i16 = 16;

/// What datagrams say of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// They cannot be its.
    Against,
    /// They may be its.
    None,
    /// Its reliable numbers go on in them.
    For,
}

/// One direction of a connection.
#[derive(Debug, Default)]
struct DirectionState {
    channels: HashMap<u8, ChannelState>,
    groups: Groups,
    /// When its latest sent time was captured, nanoseconds, and that sent time, milliseconds.
    clock: Option<(i64, u16)>,
    /// Reassemblies by channel, kind of command, and what names the message.
    reassemblies: HashMap<(u8, u8, (u64, u64)), u32>,
}

/// The numbers of both directions.
#[derive(Debug, Default)]
pub struct Numbers {
    directions: [DirectionState; 2],
}

impl Numbers {
    /// Takes in a command; what it is by its numbers is noted in `record`, the next of `records`.
    pub fn take(
        &mut self,
        (direction, packet): (Direction, &Packet<'_>),
        (header, command): (&Header, &Command),
        records: &mut Records,
        record: &mut Record,
    ) {
        let transmission = Transmission {
            frame: packet.frame,
            time: packet.time,
            sent_time: header.sent_time.map(|(time, _)| time),
            record: records.next(),
            content: content(packet, header, command),
        };
        if let Some(sent_time) = transmission.sent_time {
            self.directions[direction.index()].clock = Some((packet.time, sent_time));
        }
        if let Some((number, sent_time)) = command.acknowledged() {
            self.acknowledge(direction, (command.channel, number, sent_time), packet, (records, record));
        } else if command.acknowledge {
            self.take_reliable(direction, command, transmission, (records, record));
        } else if let Some(group) = command.unsequenced_group() {
            if self.directions[direction.index()].groups.arrive(group) {
                record.flags |= Record::DUPLICATE;
            }
        } else if let Some(number) = command.unreliable_sequence() {
            self.take_unreliable(direction, command, number, record);
        } else if let Some(fragment) = command.fragment() {
            self.take_piece(direction, command, &fragment, record);
        }
    }

    fn channel(&mut self, direction: Direction, channel: u8) -> &mut ChannelState {
        self.directions[direction.index()].channels.entry(channel).or_default()
    }

    /// Tells a retransmission, a gap and a late comer apart by the reliable number.
    fn take_reliable(
        &mut self,
        direction: Direction,
        command: &Command,
        transmission: Transmission,
        (records, record): (&mut Records, &mut Record),
    ) {
        let channel = self.channel(direction, command.channel);
        let arrival = channel.reliable.arrive(command.sequence, transmission);
        record.gap = arrival.gap;
        if let Some(frame) = arrival.first_seen {
            record.flags |= if arrival.is_copy { Record::DUPLICATE } else { Record::RETRANSMISSION };
            record.original = frame;
        }
        if arrival.out_of_order {
            record.flags |= Record::OUT_OF_ORDER;
        }
        if let Some(gap) = arrival.fills.and_then(|number| records.get_mut(number)) {
            gap.gap = gap.gap.saturating_sub(1);
        }
    }

    fn take_unreliable(&mut self, direction: Direction, command: &Command, number: u16, record: &mut Record) {
        let channel = self.channel(direction, command.channel);
        // the header of an unreliable command names the reliable one it follows
        let reliable = channel.reliable.unwrapped(command.sequence);
        let (late, duplicate) = channel.unreliable.arrive(reliable, number);
        if late {
            record.flags |= Record::LATE | Record::OUT_OF_ORDER;
        }
        if duplicate {
            record.flags |= Record::DUPLICATE;
        }
    }

    /// Tells an unreliable fragment that came before from a new one: whole ones that can be part of a message.
    fn take_piece(
        &mut self,
        direction: Direction,
        command: &Command,
        fragment: &Fragment,
        record: &mut Record,
    ) {
        let Some(data) = command.data.filter(|data| data.captured == data.len) else { return };
        if fragment.fault(data.len).is_some() {
            return;
        }
        let channel = self.channel(direction, command.channel);
        let message = channel.message_of_fragment(false, command.sequence, fragment.start);
        if !channel.pieces.arrive((message, fragment.count, fragment.total), fragment.number) {
            record.flags |= Record::DUPLICATE;
        }
    }

    /// Links an acknowledgement (channel, reliable number, sent time it names) with what it acknowledges.
    fn acknowledge(
        &mut self,
        direction: Direction,
        (channel, number, sent_time): (u8, u16, u16),
        packet: &Packet<'_>,
        (records, record): (&mut Records, &mut Record),
    ) {
        let Some(channel) = self.directions[direction.reverse().index()].channels.get(&channel) else {
            return;
        };
        let Some((meant, all)) = channel.reliable.acknowledged(number, sent_time) else { return };
        record.ack_to = meant.frame;
        record.rtt = packet.time.saturating_sub(meant.time);
        for transmission in all {
            if let Some(acked) = records.get_mut(transmission.record) {
                if acked.acked_in == 0 {
                    acked.acked_in = packet.frame;
                }
            }
        }
    }

    /// By how many milliseconds the clock of a direction seems to have jumped at a datagram of this sent time; `None` where
    /// none was seen before.
    pub fn jump(&self, direction: Direction, time: i64, sent_time: u16) -> Option<u16> {
        let (then, clock) = self.directions[direction.index()].clock?;
        let passed = time.saturating_sub(then) / 1_000_000;
        Some((sent_time.wrapping_sub(clock).wrapping_sub(passed as u16) as i16).unsigned_abs())
    }

    /// What the number of a command says of whether it follows those seen so far.
    pub fn follows(&self, direction: Direction, command: &Command) -> Evidence {
        let (direction, number) = match command.acknowledged() {
            Some((number, _)) => (direction.reverse(), number),
            None if command.acknowledge || command.unreliable_sequence().is_some() => {
                (direction, command.sequence)
            }
            None => return Evidence::None,
        };
        let channel = self.directions[direction.index()].channels.get(&command.channel);
        // a channel that was not used yet begins with 1, and is 0 until then
        let last = channel.and_then(|channel| channel.reliable.last()).unwrap_or(0);
        match number.wrapping_sub(last) as i16 {
            1..=STEP if command.acknowledge => Evidence::For,
            step if (-STEP..=STEP).contains(&step) => Evidence::None,
            _ => Evidence::Against,
        }
    }

    /// The number of the reassembly that a fragment belongs to, or `fresh` where it is the first of its message.
    pub fn reassembly(&mut self, direction: Direction, command: &Command, start: u16, fresh: u32) -> u32 {
        let message = self.channel(direction, command.channel).message_of_fragment(
            command.id == id::SEND_FRAGMENT,
            command.sequence,
            start,
        );
        let known = &mut self.directions[direction.index()].reassemblies;
        *known.entry((command.channel, command.id, message)).or_insert(fresh)
    }
}
/// A number of the bytes of a command; 0 where they are not all there, or were opened elsewhere.
fn content(packet: &Packet<'_>, header: &Header, command: &Command) -> u32 {
    if header.size == 0 {
        return 0;
    }
    let start = command.offset as usize;
    let bytes = packet.bytes.get(start..start + command.size as usize);
    bytes.map_or(0, |bytes| (FixedState::default().hash_one(bytes) as u32).max(1))
}
