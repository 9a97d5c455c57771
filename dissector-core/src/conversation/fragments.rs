//! Fragments: which of them epan joins, and which message each belongs to.

use super::datagram::{mark, Taken};
use super::experts::Expert;
use super::info;
use super::output::{Fragment as Told, Grade, Output};
use super::packet::Packet;
use super::packet::Side;
use super::records::Record;
use super::{Engine, Join};
use crate::enet::Fragment;

impl Engine {
    /// Hands a fragment to epan, or says why not.
    pub(super) fn read_fragment(
        &mut self,
        index: usize,
        side: Side,
        packet: &Packet<'_>,
        taken: &Taken,
        writes: bool,
        out: &mut Output,
    ) {
        let (Some(fragment), Some(data)) = (taken.command.fragment(), taken.command.data) else { return };
        out.league |= self.shared.reads(&self.sessions[index]);
        let mut record = taken.record;
        if writes {
            record = self.join(index, side, packet, taken, &fragment);
        }
        let join = record.join.checked_sub(1).and_then(|id| Some((id, self.joins.get(id as usize)?)));
        let wrong = fragment_fault(&fragment, data.len);
        if data.captured < data.len {
            let text = format!(
                "The capture holds {} of the fragment's {} bytes: its message cannot be put together",
                data.captured, data.len
            );
            out.expert(Expert::EnetShort, taken.item, &text);
        }
        if let Some(text) = &wrong {
            out.expert(Expert::EnetMalformed, taken.item, text);
        } else if let Some((_, join)) = join {
            if (join.count, join.total) != (fragment.count, fragment.total) {
                let text = format!(
                    "This fragment states {} fragments of {} bytes in all, the first seen of its message {} of {}",
                    fragment.count, fragment.total, join.count, join.total
                );
                out.expert(Expert::EnetMalformed, taken.item, &text);
            }
        }
        if let Some((id, join)) = join {
            let here = (packet.moment(), taken.index);
            let completes = join.completed.is_some_and(|completed| completed == here);
            if record.has(Record::JOINED) {
                out.fragments.push(Told {
                    offset: data.offset,
                    length: data.captured,
                    id,
                    number: fragment.number,
                    node: taken.item.map_or(u32::MAX, |item| item as u32),
                    more: (fragment.number + 1 < fragment.count).into(),
                    join: if writes { 1 } else { completes.into() },
                });
            }
        }
        if packet.grade >= Grade::Columns {
            let start = out.info.len();
            let part = format!(
                "fragment {} of {} on channel {}",
                u64::from(fragment.number) + 1,
                fragment.count,
                taken.command.channel
            );
            info::join(&mut out.info, "; ", &part);
            mark(&record, start, packet.grade, out);
        }
    }

    /// Notes a fragment on the first pass, and whether it goes to epan: once each, whole, and in agreement.
    fn join(
        &mut self,
        index: usize,
        side: Side,
        packet: &Packet<'_>,
        taken: &Taken,
        fragment: &Fragment,
    ) -> Record {
        let mut record = taken.record;
        let Some(data) = taken.command.data else { return record };
        if fragment_fault(fragment, data.len).is_some() {
            return record;
        }
        let session = &mut self.sessions[index];
        let fresh = self.joins.len() as u32;
        let id = session.join_number(side, &taken.command, fragment.start, fresh);
        if id == fresh {
            let (count, total) = (fragment.count, fragment.total);
            let channel = taken.command.channel;
            self.joins.push(Join { session: index, side, channel, count, total, ..Join::default() });
        }
        record.join = id + 1;
        if let Some(join) = self.joins.get_mut(id as usize) {
            let agrees = (join.count, join.total) == (fragment.count, fragment.total);
            let whole = data.captured == data.len;
            if agrees
                && whole
                && join.completed.is_none()
                && record.counts()
                && join.seen.insert(fragment.number)
            {
                record.flags |= Record::JOINED;
                join.last = (packet.moment(), taken.index);
            }
        }
        session.records.set(packet.moment(), taken.index, record);
        record
    }
}

/// The frame that completes a fragment's message, where it is known.
pub(super) fn completed_in(joins: &[Join], record: &Record) -> Option<u32> {
    let join = joins.get(record.join.checked_sub(1)? as usize)?;
    join.completed.map(|(at, _)| at.frame)
}

/// Why a fragment cannot be part of any message; `None` where it can.
fn fragment_fault(fragment: &Fragment, length: u32) -> Option<String> {
    let Fragment { count, number, total, offset, .. } = *fragment;
    if number >= count {
        return Some(format!("enet.fragmentNumber is {number}, but there are {count} fragments"));
    }
    if count > total {
        return Some(format!("enet.fragmentCount is {count}, more than the {total} bytes there are"));
    }
    let end = u64::from(offset) + u64::from(length);
    (end > u64::from(total))
        .then(|| format!("the fragment ends at byte {end} of a message of {total} bytes (enet.totalLength)"))
}
