//! A batch: packets one after another, each with its length in front.

/// Numbers from here on are no packet header: 10 bits of id and 2 bits for each sub-client.
const HEADERS: u32 = 1 << 14;

/// One packet of a batch, by offsets into the batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Packet {
    /// Where its length begins.
    pub at: usize,
    /// Where its header begins.
    pub header_at: usize,
    /// Where its body begins.
    pub body: usize,
    /// Where it ends, as far as the batch goes.
    pub end: usize,
    /// Its length as stated.
    pub length: u32,
    /// Its header.
    pub header: u32,
}

impl Packet {
    /// What it is.
    pub const fn id(&self) -> u16 {
        (self.header & 0x3FF) as u16
    }

    /// Which player of the sender's it comes from.
    pub const fn sender(&self) -> u8 {
        (self.header >> 10 & 3) as u8
    }

    /// Which player of the receiver's it is for.
    pub const fn target(&self) -> u8 {
        (self.header >> 12 & 3) as u8
    }

    /// How many of its bytes are missing.
    pub const fn missing(&self) -> usize {
        (self.length as usize).saturating_sub(self.end - self.header_at)
    }
}

/// Why no packet begins here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bad {
    /// The length has no end: so many bytes are left.
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
}
