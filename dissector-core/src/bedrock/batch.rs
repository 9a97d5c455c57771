//! A batch: packets one after another, each with its length in front.

/// Numbers from here on are no packet header: 10 bits of id and 2 bits for each sub-client.
const HEADERS: u32 = 1 << 14;

/// One packet of a batch, by offsets into the batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Packet {
    /// First byte of its length, from the start of the batch.
    pub at: usize,
    /// First byte of its header, a varint behind the length.
    pub header_at: usize,
    /// First byte of its body, from the start of the batch.
    pub body: usize,
    /// One past its last byte; where the batch is cut, its end.
    pub end: usize,
    /// Bytes of header and body as stated; those there may be fewer, see [`Packet::missing`].
    pub length: u32,
    /// Number and sub-clients in one number, see [`Packet::id`].
    pub header: u32,
}

impl Packet {
    /// Which packet it is, 0 to 1023; 111 is MoveActorDelta.
    pub const fn id(&self) -> u16 {
        (self.header & 0x3FF) as u16
    }

    /// Which player of the sender's it comes from, 0 to 3: more than one share a split screen.
    pub const fn sender(&self) -> u8 {
        (self.header >> 10 & 3) as u8
    }

    /// Which player of the receiver's it is for, 0 to 3.
    pub const fn target(&self) -> u8 {
        (self.header >> 12 & 3) as u8
    }

    /// Bytes that are stated and not there; 0 for a whole packet.
    pub const fn missing(&self) -> usize {
        (self.length as usize).saturating_sub(self.end - self.header_at)
    }
}

/// Why no packet begins here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bad {
    /// The length does not end within five bytes or 32 bits: so many bytes are left.
    Length(usize),
    /// The length is zero.
    Empty,
    /// The packet has no whole header.
    Header,
}

/// An unsigned number of up to 32 bits in groups of seven, and its bytes; `None` where it does not end within five.
pub fn varint(bytes: &[u8]) -> Option<(u32, usize)> {
    let mut value = 0u64;
    for (place, byte) in bytes.iter().take(5).enumerate() {
        value |= u64::from(byte & 0x7F) << (7 * place);
        if byte & 0x80 == 0 {
            return Some((u32::try_from(value).ok()?, place + 1));
        }
    }
    None
}

/// The packet that begins at `at`; `None` at the end of the batch.
pub fn packet(batch: &[u8], at: usize) -> Option<Result<Packet, Bad>> {
    let rest = batch.get(at..).filter(|rest| !rest.is_empty())?;
    let Some((length, size)) = varint(rest) else { return Some(Err(Bad::Length(rest.len()))) };
    if length == 0 {
        return Some(Err(Bad::Empty));
    }
    let header_at = at + size;
    let end = header_at + (length as usize).min(batch.len() - header_at);
    Some(match varint(&batch[header_at..end]) {
        Some((header, size)) => Ok(Packet { at, header_at, body: header_at + size, end, length, header }),
        None => Err(Bad::Header),
    })
}

/// Whether bytes may be the start of a batch, as far as they go.
pub fn starts(bytes: &[u8]) -> bool {
    match packet(bytes, 0) {
        Some(Ok(packet)) => packet.header < HEADERS,
        // no more bytes are there than an unfinished number has
        Some(Err(Bad::Length(left))) => left < 5,
        Some(Err(Bad::Header)) => bytes.len() < 10,
        Some(Err(Bad::Empty)) => false,
        None => true,
    }
}

/// Whether packets fill the batch exactly, and how many; `None` where they do not.
pub fn count(batch: &[u8]) -> Option<u32> {
    let (mut at, mut count) = (0, 0);
    while let Some(packet) = packet(batch, at) {
        let packet = packet.ok().filter(|packet| packet.missing() == 0 && packet.header < HEADERS)?;
        (at, count) = (packet.end, count + 1);
    }
    (count > 0).then_some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_name_packet_and_sub_clients() {
        let batch = [2, 0xEF, 0x48, 1, 0x6F];
        let first = packet(&batch, 0).unwrap().unwrap();
        assert_eq!((first.id(), first.sender(), first.target(), first.body), (111, 1, 2, 3));
        assert_eq!(count(&batch), Some(2));
        let batch = [3, 0xEF, 0x48, 0];
        assert_eq!(packet(&batch, 0).unwrap().unwrap().header, 0x246F);
    }

    #[test]
    fn what_is_no_batch_says_why() {
        assert_eq!(packet(&[], 0), None);
        assert_eq!(packet(&[0, 1], 0), Some(Err(Bad::Empty)));
        assert_eq!(packet(&[0x80; 11], 0), Some(Err(Bad::Length(11))));
        assert_eq!(packet(&[1, 0x80], 0), Some(Err(Bad::Header)));
        assert_eq!(packet(&[9, 0x6F, 1], 0).unwrap().unwrap().missing(), 7);
        assert_eq!([count(&[]), count(&[0]), count(&[2, 0x6F]), count(&[3, 0x80, 0x80, 1])], [None; 4]);
    }

    #[test]
    fn numbers_end_within_five_bytes_and_32_bits() {
        for (bytes, number) in [
            (&[0][..], Some((0, 1))),
            (&[0x7F, 9], Some((0x7F, 1))),
            (&[0x80, 1], Some((0x80, 2))),
            (&[0xFF, 0x7F], Some((0x3FFF, 2))),
            (&[0x80, 0x80, 1], Some((0x4000, 3))),
            (&[0xFF, 0xFF, 0xFF, 0xFF, 0x0F], Some((u32::MAX, 5))),
            (&[0xFF, 0xFF, 0xFF, 0xFF, 0x1F], None),
            (&[0x80, 0x80, 0x80, 0x80, 0x80, 1], None),
            (&[0x81, 0x80, 0x80, 0x80, 0], Some((1, 5))),
            (&[0x80, 0x80, 0x80, 0x80], None),
            (&[], None),
        ] {
            assert_eq!(varint(bytes), number, "{bytes:02x?}");
        }
    }

    #[test]
    fn offsets_count_from_the_start_of_the_batch() {
        let long = [&[0x82, 1, 0x6F][..], &[7; 129], &[2, 0xEF, 0x48], &[5, 9, 1]].concat();
        let first = packet(&long, 0).unwrap().unwrap();
        let expected = Packet { at: 0, header_at: 2, body: 3, end: 132, length: 130, header: 0x6F };
        assert_eq!((first, first.missing()), (expected, 0));
        let second = packet(&long, first.end).unwrap().unwrap();
        let expected = Packet { at: 132, header_at: 133, body: 135, end: 135, length: 2, header: 0x246F };
        assert_eq!((second, second.missing()), (expected, 0));
        let third = packet(&long, second.end).unwrap().unwrap();
        let expected = Packet { at: 135, header_at: 136, body: 137, end: 138, length: 5, header: 9 };
        assert_eq!((third, third.missing()), (expected, 3));
        assert_eq!((packet(&long, third.end), packet(&long, 1000)), (None, None));
        let all = Packet { header: 0x2C6F, ..third };
        assert_eq!((all.id(), all.sender(), all.target()), (0x6F, 3, 2));
        assert_eq!(count(&[1, 9, 2, 0xFF, 0x7F, 1, 8]), Some(3));
        assert_eq!(count(&[3, 0xFF, 0xFF, 0]), Some(1), "the greatest header, in three bytes");
        assert_eq!(count(&[1, 9, 4, 9]), None);
    }

    #[test]
    fn a_start_may_be_unfinished_but_not_impossible() {
        for bytes in [&[][..], &[0x80], &[0x80, 0x80, 0x80, 0x80], &[9, 0x6F, 1], &[9, 0x80], &[9]] {
            assert!(starts(bytes), "{bytes:02x?}");
        }
        let endless = [&[9][..], &[0x80; 9]].concat();
        for bytes in [&[0, 1][..], &[0x80; 5], &[3, 0x80, 0x80, 1], &endless] {
            assert!(!starts(bytes), "{bytes:02x?}");
        }
        assert!(starts(&endless[..9]), "nine bytes may hold two unfinished numbers");
    }
}
