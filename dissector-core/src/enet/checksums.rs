//! What is known of a connection's checksums: the number that stands in for the sum while it is made, stated by the
//! connection's start or worked out from sums that agree.

use super::wire::{self, compressed, Header, HeaderVariant};
use crate::capture::Packet;

/// Whether a checksum fits, in epan's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChecksumStatus {
    /// Another sum was due: a receiver drops the datagram.
    Bad = 0,
    /// It fits.
    Good = 1,
    /// It cannot be told.
    Unverified = 2,
}

/// The checksums of a connection.
#[derive(Debug, Default)]
pub struct Checksums {
    connect_id: Option<u32>,
    /// Of the datagram with a sum that was seen last: the sum, and the number that it asks for.
    last: Option<(u32, u32)>,
}

impl Checksums {
    /// The connection's id, where it is known.
    pub fn connect_id(&self) -> Option<u32> {
        self.connect_id
    }

    /// The connection's start states its id.
    pub fn state(&mut self, connect_id: Option<u32>) {
        self.connect_id = connect_id.or(self.connect_id);
    }

    /// Takes in a datagram; `opened` are its commands where they came compressed. Two different sums that ask for the same
    /// id have it: no other protocol's bytes do that but once in four thousand million times.
    pub fn take(&mut self, header: &Header, packet: &Packet<'_>, opened: Option<&[u8]>) {
        if self.connect_id.is_some() || header.is_unassigned() || !packet.is_whole() {
            return;
        }
        let Some((sum, _)) = header.checksum else { return };
        let Some(id) = wire::connect_id(header, packet.bytes, opened) else { return };
        let agree = self.last.is_some_and(|(last_sum, last_id)| last_sum != sum && last_id == id);
        self.connect_id = agree.then_some(id);
        self.last = Some((sum, id));
    }

    /// Takes in a datagram of a conversation that may be one with checksums.
    pub fn read(&mut self, packet: &Packet<'_>) {
        let Ok(header) = wire::header(HeaderVariant::StockChecksum, None, packet.bytes) else { return };
        let opened = match header.is_compressed() {
            true => compressed::decompress(packet.bytes.get(header.size as usize..).unwrap_or(&[])),
            false => None,
        };
        self.take(&header, packet, opened.as_deref());
    }

    /// Whether the checksum of a datagram fits; `None` where it has none, or the capture cut it off.
    pub fn status(
        &self,
        header: &Header,
        packet: &Packet<'_>,
        opened: Option<&[u8]>,
    ) -> Option<ChecksumStatus> {
        header.checksum.filter(|_| packet.is_whole())?;
        // nobody has a number before a connection is granted
        let seed = if header.is_unassigned() { Some(0) } else { self.connect_id };
        let fits = seed.and_then(|seed| wire::checksum_fits(header, packet.bytes, opened, seed));
        Some(match fits {
            Some(true) => ChecksumStatus::Good,
            Some(false) => ChecksumStatus::Bad,
            None => ChecksumStatus::Unverified,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::{Detail, Endpoint};
    use crate::enet::wire::write::{Datagram, Outgoing};

    const ID: u32 = 0x5EA1_C0DE;

    /// A datagram of a connection under way.
    fn datagram(number: u16) -> Vec<u8> {
        let datagram = Datagram {
            variant: HeaderVariant::StockChecksum,
            from: None,
            prefix: [0; 8],
            session: 0,
            peer: 3,
            sent_time: Some(number),
            connect_id: ID,
            commands: vec![Outgoing::ping(number)],
        };
        datagram.bytes()
    }

    fn read(sums: &mut Checksums, bytes: &[u8]) {
        let packet = Packet {
            bytes,
            reported: bytes.len() as u32,
            time: 0,
            frame: 1,
            datagram: 0,
            source: Endpoint::default(),
            destination: Endpoint::default(),
            detail: Detail::State,
            nodes_before: 0,
            visited: false,
            in_error_pkt: false,
            decode_as: false,
            league_begun: false,
        };
        sums.read(&packet);
    }

    #[test]
    fn the_same_sum_once_more_proves_no_id() {
        let mut sums = Checksums::default();
        for _ in 0..3 {
            read(&mut sums, &datagram(1));
            assert_eq!(sums.connect_id(), None);
        }
        read(&mut sums, &datagram(2));
        assert_eq!(sums.connect_id(), Some(ID));
    }

    #[test]
    fn a_start_that_states_no_id_takes_none_away() {
        let mut sums = Checksums::default();
        sums.state(Some(ID));
        sums.state(None);
        assert_eq!(sums.connect_id(), Some(ID));
        sums.state(Some(7));
        assert_eq!(sums.connect_id(), Some(7), "another connection");
    }
}
