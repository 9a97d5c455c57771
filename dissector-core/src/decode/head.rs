//! The header in front of a body: command, net id, and where the command byte says so the real command after them.

use crate::container::EXTENDED;

/// A part of the header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The command byte, where it is the command.
    Command,
    /// The command byte, where it says that a 16-bit command follows the net id.
    Escape,
    /// The network id, 4 bytes; on the channels that have one.
    NetId,
    /// The 16-bit command after the net id, where the command byte is [`EXTENDED`].
    ExtendedCommand,
}

/// Where each part stands: part, first byte and bytes.
const BARE: &[(Part, usize, usize)] = &[(Part::Command, 0, 1)];
const SHORT: &[(Part, usize, usize)] = &[(Part::Command, 0, 1), (Part::NetId, 1, 4)];
const LONG: &[(Part, usize, usize)] =
    &[(Part::Escape, 0, 1), (Part::NetId, 1, 4), (Part::ExtendedCommand, 5, 2)];

/// The header of one message, as far as it is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head<'a> {
    bytes: &'a [u8],
    parts: &'static [(Part, usize, usize)],
}

/// One part that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Read {
    /// What was read.
    pub part: Part,
    /// First byte in the message.
    pub offset: u32,
    /// Bytes it spans: 1, 2 or 4.
    pub length: u32,
    /// Its value: a command or a network id.
    pub value: u32,
}

/// A part that is not all there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Missing {
    /// What is missing.
    pub part: Part,
    /// First byte in the message.
    pub offset: u32,
    /// Bytes it needs: 1, 2 or 4.
    pub needs: u32,
    /// Bytes that are there, fewer than it needs.
    pub left: u32,
}

impl<'a> Head<'a> {
    /// The header of a message that begins with these bytes.
    pub fn new(bytes: &'a [u8]) -> Head<'a> {
        Head { bytes, parts: if bytes.first() == Some(&EXTENDED) { LONG } else { SHORT } }
    }

    /// The header of a message on a channel without net ids: the command byte alone.
    pub fn bare(bytes: &'a [u8]) -> Head<'a> {
        Head { bytes, parts: BARE }
    }

    /// The parts that are there, in the order of their bytes.
    pub fn parts(self) -> impl Iterator<Item = Read> + use<'a> {
        self.parts.iter().map_while(move |&(part, offset, length)| {
            let bytes = self.bytes.get(offset..offset + length)?;
            let value = bytes.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte));
            Some(Read { part, offset: offset as u32, length: length as u32, value })
        })
    }

    /// The command, the net id and where the body begins; or the first part that is not all there.
    pub fn read(self) -> Result<(u16, u32, u32), Missing> {
        let (mut command, mut net_id, mut body) = (0, 0, 0);
        let mut read = 0;
        for part in self.parts() {
            match part.part {
                Part::NetId => net_id = part.value,
                _ => command = part.value as u16,
            }
            body = part.offset + part.length;
            read += 1;
        }
        match self.parts.get(read) {
            None => Ok((command, net_id, body)),
            Some(&(part, offset, needs)) => Err(Missing {
                part,
                offset: offset as u32,
                needs: needs as u32,
                left: self.bytes.len().saturating_sub(offset) as u32,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_extended_headers() {
        assert_eq!(Head::new(&[101, 1, 0, 0, 0x40, 9]).read(), Ok((101, 0x4000_0001, 5)));
        assert_eq!(Head::new(&[254, 0, 0, 0, 0, 3, 1]).read(), Ok((259, 0, 7)));
    }

    #[test]
    fn a_header_that_was_cut_names_its_part() {
        let missing = |bytes: &[u8]| Head::new(bytes).read().map_err(|m| (m.part, m.offset, m.needs, m.left));
        assert_eq!(missing(&[]), Err((Part::Command, 0, 1, 0)));
        assert_eq!(missing(&[101, 1, 0]), Err((Part::NetId, 1, 4, 2)));
        assert_eq!(missing(&[254, 0, 0, 0, 0, 3]), Err((Part::ExtendedCommand, 5, 2, 1)));
        assert_eq!(Head::new(&[254, 0, 0, 0, 0, 3]).parts().count(), 2);
    }
}
