//! The checksum of stock ENet: the CRC-32 of header and commands, these as they were before they were compressed, with
//! the connection's id (0 while the receiver's peer is not assigned) in the checksum's place, as a little-endian host
//! keeps it in memory.

use super::header::Header;

/// The CRC-32 polynomial, lowest bit first.
const POLYNOMIAL: u32 = 0xEDB8_8320;

/// The bytes that a checksum is made of, without the four in its place; `None` where the header has none, or it was cut.
fn summed<'a>(header: &Header, datagram: &'a [u8], opened: Option<&'a [u8]>) -> Option<(u32, [&'a [u8]; 3])> {
    let (sum, part) = header.checksum?;
    let (start, end) = (part.offset as usize, part.offset as usize + 4);
    let head = datagram.get(end..header.size as usize)?;
    let commands = match header.is_compressed() {
        true => opened?,
        false => datagram.get(header.size as usize..)?,
    };
    Some((sum, [datagram.get(..start)?, head, commands]))
}

/// Whether a checksum fits its datagram and connection. `opened` are the commands of a compressed datagram.
///
/// `None` where the header has no checksum, or the datagram is compressed and was not opened.
pub fn checksum_fits(
    header: &Header,
    datagram: &[u8],
    opened: Option<&[u8]>,
    connect_id: u32,
) -> Option<bool> {
    let (sum, [before, head, commands]) = summed(header, datagram, opened)?;
    let mut crc = crc32fast::Hasher::new();
    crc.update(before);
    crc.update(&connect_id.to_le_bytes());
    crc.update(head);
    crc.update(commands);
    Some(crc.finalize() == sum)
}

/// The one connection id with which a checksum fits its datagram: for connections whose beginning is not known. `None` as
/// for [`checksum_fits`].
pub fn connect_id(header: &Header, datagram: &[u8], opened: Option<&[u8]>) -> Option<u32> {
    let (sum, [before, head, commands]) = summed(header, datagram, opened)?;
    // the register back from the end to behind the id, then past it as if it were 0
    let after =
        commands.iter().rev().chain(head.iter().rev()).fold(!sum, |register, byte| back(register, *byte));
    let with_zero = [0; 4].into_iter().fold(after, back);
    // the register takes the id in bit by bit, so what it lacks is the id
    Some(with_zero ^ !crc32fast::hash(before))
}

/// The register of the CRC as it was before it took in a byte.
fn back(register: u32, byte: u8) -> u32 {
    let undo = |register: u32, _| match register >> 31 {
        1 => (register ^ POLYNOMIAL) << 1 | 1,
        _ => register << 1,
    };
    (0..8).fold(register, undo) ^ u32::from(byte)
}
