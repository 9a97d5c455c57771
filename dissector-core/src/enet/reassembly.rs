//! Fragments: which of them epan joins, and which message each belongs to.

use foldhash::HashSet;

use super::connection::{Connection, Taken};
use super::records::Record;
use super::show;
use super::wire::Fragment;
use crate::capture::{DatagramId, Detail, Direction, FragmentSpan, Output, Packet};
use crate::fields::enet::Expert;

/// A message that is put together from fragments.
#[derive(Debug, Default)]
pub struct Reassembly {
    /// Number of its session, from 0.
    pub session: usize,
    /// Which end sends it.
    pub direction: Direction,
    /// Its ENet channel.
    pub channel: u8,
    /// Bytes its fragments say it has in all.
    total: u32,
    /// How many fragments they say there are.
    count: u32,
    /// The datagram that completed it, and the last of its fragments there.
    pub completed: Option<(DatagramId, u16)>,
    /// The last fragment given to epan, and when it came, nanoseconds.
    last: (DatagramId, u16),
    /// When that one came, nanoseconds.
    pub time: i64,
    /// Fragments seen, for those that are sent without a number of their own.
    seen: HashSet<u32>,
}

/// The reassemblies of a capture. Their numbers are never used twice, so that epan cannot mistake one for another.
#[derive(Debug, Default)]
pub struct Reassemblies(Vec<Reassembly>);

impl Reassemblies {
    /// The frame that completes the message of a fragment, where it is known.
    pub fn completed_in(&self, record: &Record) -> Option<u32> {
        let reassembly = self.0.get(record.reassembly.checked_sub(1)? as usize)?;
        reassembly.completed.map(|(at, _)| at.frame)
    }

    /// The reassembly of a number that epan has put together; `writes` notes that it is complete. `None` for a number
    /// no fragment was given.
    pub fn complete(&mut self, number: u32, writes: bool) -> Option<&Reassembly> {
        let reassembly = self.0.get_mut(number as usize)?;
        if writes && reassembly.completed.is_none() {
            reassembly.completed = Some(reassembly.last);
            reassembly.seen = HashSet::default();
        }
        Some(reassembly)
    }

    /// Hands a fragment to epan, or says why not.
    pub fn read_fragment(
        &mut self,
        connection: &mut Connection,
        direction: Direction,
        packet: &Packet<'_>,
        (taken, writes): (&Taken, bool),
        out: &mut Output,
    ) {
        let (Some(fragment), Some(data)) = (taken.command.fragment(), taken.command.data) else { return };
        let mut record = taken.record;
        if writes && fragment.fault(data.len).is_none() {
            record = self.note(connection, direction, packet, taken, &fragment);
        }
        let number = record.reassembly.checked_sub(1);
        let reassembly = number.and_then(|number| Some((number, self.0.get(number as usize)?)));
        show_faults(&fragment, taken, reassembly.map(|(_, reassembly)| reassembly), out);
        if let Some((id, reassembly)) = reassembly.filter(|_| record.has(Record::REASSEMBLED)) {
            let completes = reassembly.completed == Some((packet.id(), taken.index));
            out.fragments.push(FragmentSpan {
                offset: data.offset,
                length: data.captured,
                id,
                number: fragment.number,
                node: taken.item.map_or(u32::MAX, |item| item as u32),
                early_frame: 0,
                early_datagram: 0,
                more: (fragment.number + 1 < fragment.count).into(),
                completes: (writes || completes).into(),
            });
        }
        if packet.detail >= Detail::Columns {
            let part = format!(
                "fragment {} of {} on channel {}",
                u64::from(fragment.number) + 1,
                fragment.count,
                taken.command.channel
            );
            out.tag_info(show::delivery_tag(&record));
            out.add_info("; ", &part);
            out.tag_info("");
        }
    }

    /// Notes a fragment on the first pass, and whether it goes to epan: once each, whole, and in agreement.
    fn note(
        &mut self,
        connection: &mut Connection,
        direction: Direction,
        packet: &Packet<'_>,
        taken: &Taken,
        fragment: &Fragment,
    ) -> Record {
        let mut record = taken.record;
        let Some(data) = taken.command.data else { return record };
        let fresh = self.0.len() as u32;
        let number = connection.numbers.reassembly(direction, &taken.command, fragment.start, fresh);
        if number == fresh {
            self.0.push(Reassembly {
                session: connection.number as usize,
                direction,
                channel: taken.command.channel,
                count: fragment.count,
                total: fragment.total,
                ..Reassembly::default()
            });
        }
        record.reassembly = number + 1;
        if let Some(reassembly) = self.0.get_mut(number as usize) {
            if reassembly.agrees(fragment)
                && data.captured == data.len
                && reassembly.completed.is_none()
                && record.is_delivered()
                && reassembly.seen.insert(fragment.number)
            {
                record.flags |= Record::REASSEMBLED;
                reassembly.last = (packet.id(), taken.index);
                reassembly.time = packet.time;
            }
        }
        connection.records.set(packet.id(), taken.index, record);
        record
    }
}

impl Reassembly {
    /// What is wrong with so many bytes put together; `None` where they are as many as the fragments say.
    pub fn fault(&self, length: u32) -> Option<String> {
        let total = self.total;
        (length != total).then(|| format!("The fragments make {length} bytes, their headers say {total}"))
    }

    /// Whether a fragment states the same count and length as the first that was seen.
    fn agrees(&self, fragment: &Fragment) -> bool {
        (self.count, self.total) == (fragment.count, fragment.total)
    }
}

/// Says why a fragment cannot be put together with the others.
fn show_faults(fragment: &Fragment, taken: &Taken, reassembly: Option<&Reassembly>, out: &mut Output) {
    let Some(data) = taken.command.data else { return };
    if data.captured < data.len {
        let text = format!(
            "The capture holds {} of the fragment's {} bytes: its message cannot be put together",
            data.captured, data.len
        );
        out.expert(Expert::Short.id(), taken.item, &text);
    }
    if let Some(text) = fragment.fault(data.len) {
        out.expert(Expert::Malformed.id(), taken.item, &text);
    } else if let Some(reassembly) = reassembly.filter(|reassembly| !reassembly.agrees(fragment)) {
        let text = format!(
            "This fragment states {} fragments of {} bytes in all, the first seen of its message {} of {}",
            fragment.count, fragment.total, reassembly.count, reassembly.total
        );
        out.expert(Expert::Malformed.id(), taken.item, &text);
    }
}
