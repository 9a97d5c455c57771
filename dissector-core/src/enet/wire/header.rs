//! The header of a datagram in each of the variants it has had.
//!
//! A variant is not signalled in the bytes: it is known from the connection's start, found by trying, or set by
//! hand.

use crate::capture::Sender;
use crate::fields::enet::Field;
use crate::tree::Cut;

/// How a datagram's header is laid out, and with it two fields of connect and verifyConnect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HeaderVariant {
    /// ENet 1.3 as published.
    Stock,
    /// ENet 1.3 with a checksum at the end of the header.
    StockChecksum,
    /// ENet 1.2.5 as published, without checksum: the game up to July 2012 at least.
    Classic,
    /// One byte each for session and peer: the game up to 4.17.
    Compact,
    /// The compact header behind 4 bytes of unknown meaning: the game in 4.20.
    Prefixed,
    /// The compact header, behind 8 bytes of unknown meaning where the client sends: the game from 5 to 8.
    Season8,
}

/// Part of a header: where it stands in the datagram and which bits of that word it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// First byte, counted from the start of the datagram.
    pub offset: u32,
    /// Bytes of the word, or of the run without a value.
    pub width: u8,
    /// Lowest bit of the value in the word.
    pub bit_first: u8,
    /// How many bits, from `bit_first` on; 0 for the whole word.
    pub bit_count: u8,
}

impl Part {
    /// A whole word, or bytes without a value.
    pub const fn whole(offset: u32, width: u8) -> Part {
        Part { offset, width, bit_first: 0, bit_count: 0 }
    }

    /// Some bits of a word.
    pub const fn bits(offset: u32, width: u8, bit_first: u8, bit_count: u8) -> Part {
        Part { offset, width, bit_first, bit_count }
    }
}

/// A header that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The header variant it was read with.
    pub variant: HeaderVariant,
    /// Bytes of unknown meaning in front, in variants that have them.
    pub prefix: Option<Part>,
    /// The checksum, where the variant has one.
    pub checksum: Option<(u32, Part)>,
    /// Number of the connection; in the classic variant as a little-endian host wrote it.
    pub session: (u32, Part),
    /// The receiver's number for the sender, see [`Header::is_unassigned`].
    pub peer: (u16, Part),
    /// Whether a sent time follows: the top bit of the peer's word.
    pub has_sent_time: (bool, Part),
    /// Whether the commands are compressed; only stock variants can say so.
    pub compressed: Option<(bool, Part)>,
    /// Low 16 bits of the sender's clock, milliseconds.
    pub sent_time: Option<(u16, Part)>,
    /// Bytes of the whole header; the commands follow.
    pub size: u32,
}

/// The datagram ended within the header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeaderCut {
    /// The part that could not be read.
    pub field: Field,
    /// First byte of that part, from the start of the datagram.
    pub offset: u32,
    /// Bytes that part needs.
    pub needs: u32,
    /// Bytes that are there, fewer than it needs.
    pub left: u32,
}

impl HeaderCut {
    /// The same for the tree; `reported` is the datagram's length on the wire.
    pub fn cut(&self, reported: usize) -> Cut {
        Cut {
            field: self.field.id(),
            offset: self.offset,
            needs: self.needs,
            left: self.left,
            short: (self.offset + self.needs) as usize <= reported,
        }
    }
}

impl HeaderVariant {
    /// Every variant.
    pub const ALL: [HeaderVariant; 6] = [
        HeaderVariant::Stock,
        HeaderVariant::StockChecksum,
        HeaderVariant::Classic,
        HeaderVariant::Compact,
        HeaderVariant::Prefixed,
        HeaderVariant::Season8,
    ];

    /// Its name as `enet.variant` shows it; a checksum makes no difference to it.
    pub const fn name(self) -> &'static str {
        match self {
            HeaderVariant::Stock | HeaderVariant::StockChecksum => "stock",
            HeaderVariant::Classic => "classic",
            HeaderVariant::Compact => "compact",
            HeaderVariant::Prefixed => "prefixed",
            HeaderVariant::Season8 => "season8",
        }
    }

    /// The variant of a name, `None` for other names; `stockChecksum` is the one with a checksum.
    pub fn from_name(name: &str) -> Option<HeaderVariant> {
        match name {
            "stockChecksum" => Some(HeaderVariant::StockChecksum),
            _ => HeaderVariant::ALL.into_iter().find(|variant| variant.name() == name),
        }
    }

    /// Whether a datagram of `other` is one of this variant as a user names it: stock is ENet 1.3 with a checksum or
    /// without.
    pub fn stands_for(self, other: HeaderVariant) -> bool {
        self == other || self == HeaderVariant::Stock && other == HeaderVariant::StockChecksum
    }

    /// Whether the game uses it, rather than any program with ENet 1.3.
    pub const fn is_league(self) -> bool {
        !matches!(self, HeaderVariant::Stock | HeaderVariant::StockChecksum)
    }

    /// The peer id that means "not assigned yet".
    pub const fn unassigned(self) -> u16 {
        match self {
            HeaderVariant::Stock | HeaderVariant::StockChecksum => 0x0FFF,
            HeaderVariant::Classic => 0x7FFF,
            HeaderVariant::Compact | HeaderVariant::Prefixed | HeaderVariant::Season8 => 0x7F,
        }
    }

    /// Bytes in front of session and peer; `from` matters to [`HeaderVariant::Season8`] only.
    pub const fn prefix_size(self, from: Option<Sender>) -> u8 {
        match (self, from) {
            (HeaderVariant::Prefixed, _) => 4,
            (HeaderVariant::Season8, Some(Sender::Client)) => 8,
            _ => 0,
        }
    }

    /// Bytes of the largest header, by which a sender reckons how much fits into a datagram.
    pub const fn largest_header(self, from: Option<Sender>) -> u32 {
        match self {
            HeaderVariant::Stock => 4,
            HeaderVariant::StockChecksum | HeaderVariant::Classic => 8,
            HeaderVariant::Compact | HeaderVariant::Prefixed | HeaderVariant::Season8 => {
                4 + self.prefix_size(from) as u32
            }
        }
    }
}

impl Header {
    /// Whether the peer is not assigned yet, as in the datagram that asks for a connection.
    pub fn is_unassigned(&self) -> bool {
        self.peer.0 == self.variant.unassigned()
    }

    /// Whether the commands are compressed: they can be read only once they are opened.
    pub fn is_compressed(&self) -> bool {
        matches!(self.compressed, Some((true, _)))
    }

    /// The header of the same datagram once its commands were opened: they are in a place of their own, from its first
    /// byte on.
    pub fn opened(self) -> Header {
        let compressed = self.compressed.map(|(_, part)| (false, part));
        Header { compressed, size: 0, ..self }
    }

    /// The parts in the order of their bytes: field, place and value (0 for the prefix, which is bytes).
    pub fn parts(&self) -> impl Iterator<Item = (Field, Part, u64)> {
        [
            self.prefix.map(|part| (Field::Prefix, part, 0)),
            self.compressed.is_none().then_some((Field::SessionId, self.session.1, self.session.0.into())),
            Some((Field::FlagSentTime, self.has_sent_time.1, self.has_sent_time.0.into())),
            self.compressed.map(|(set, part)| (Field::FlagCompressed, part, set.into())),
            self.compressed.map(|_| (Field::SessionId, self.session.1, self.session.0.into())),
            Some((Field::PeerId, self.peer.1, self.peer.0.into())),
            self.sent_time.map(|(time, part)| (Field::SentTime, part, time.into())),
            self.checksum.map(|(sum, part)| (Field::Checksum, part, sum.into())),
        ]
        .into_iter()
        .flatten()
    }
}

/// Reads a header with a variant. `from` is who sent the datagram, where known; `bytes` are those captured.
pub fn header(variant: HeaderVariant, from: Option<Sender>, bytes: &[u8]) -> Result<Header, HeaderCut> {
    match variant {
        HeaderVariant::Stock | HeaderVariant::StockChecksum => stock(variant, bytes),
        HeaderVariant::Classic => classic(bytes),
        HeaderVariant::Compact | HeaderVariant::Prefixed | HeaderVariant::Season8 => {
            compact(variant, from, bytes)
        }
    }
}

/// The `N` bytes at `offset`, or which field is missing.
fn take<const N: usize>(bytes: &[u8], offset: u32, field: Field) -> Result<[u8; N], HeaderCut> {
    let rest = bytes.get(offset as usize..).unwrap_or(&[]);
    match rest.first_chunk() {
        Some(chunk) => Ok(*chunk),
        None => Err(HeaderCut { field, offset, needs: N as u32, left: rest.len() as u32 }),
    }
}

fn time(present: bool, bytes: &[u8], offset: u32) -> Result<(Option<(u16, Part)>, u32), HeaderCut> {
    if !present {
        return Ok((None, offset));
    }
    let value = u16::from_be_bytes(take(bytes, offset, Field::SentTime)?);
    Ok((Some((value, Part::whole(offset, 2))), offset + 2))
}

fn stock(variant: HeaderVariant, bytes: &[u8]) -> Result<Header, HeaderCut> {
    let word = u16::from_be_bytes(take(bytes, 0, Field::PeerId)?);
    let timed = word & 0x8000 != 0;
    let (sent_time, mut size) = time(timed, bytes, 2)?;
    let mut checksum = None;
    if variant == HeaderVariant::StockChecksum {
        let value = u32::from_be_bytes(take(bytes, size, Field::Checksum)?);
        checksum = Some((value, Part::whole(size, 4)));
        size += 4;
    }
    Ok(Header {
        variant,
        prefix: None,
        checksum,
        session: (u32::from((word >> 12) & 3), Part::bits(0, 2, 12, 2)),
        peer: (word & 0x0FFF, Part::bits(0, 2, 0, 12)),
        has_sent_time: (timed, Part::bits(0, 2, 15, 1)),
        compressed: Some((word & 0x4000 != 0, Part::bits(0, 2, 14, 1))),
        sent_time,
        size,
    })
}

fn classic(bytes: &[u8]) -> Result<Header, HeaderCut> {
    // the sender copies the number from memory, and every known one is little-endian
    let session = u32::from_le_bytes(take(bytes, 0, Field::SessionId)?);
    let word = u16::from_be_bytes(take(bytes, 4, Field::PeerId)?);
    let timed = word & 0x8000 != 0;
    let (sent_time, size) = time(timed, bytes, 6)?;
    Ok(Header {
        variant: HeaderVariant::Classic,
        prefix: None,
        checksum: None,
        session: (session, Part::whole(0, 4)),
        peer: (word & 0x7FFF, Part::bits(4, 2, 0, 15)),
        has_sent_time: (timed, Part::bits(4, 2, 15, 1)),
        compressed: None,
        sent_time,
        size,
    })
}

fn compact(variant: HeaderVariant, from: Option<Sender>, bytes: &[u8]) -> Result<Header, HeaderCut> {
    let ahead = variant.prefix_size(from);
    let at = u32::from(ahead);
    let prefix = match ahead {
        0 => None,
        4 => take::<4>(bytes, 0, Field::Prefix).map(|_| Some(Part::whole(0, 4)))?,
        _ => take::<8>(bytes, 0, Field::Prefix).map(|_| Some(Part::whole(0, 8)))?,
    };
    let [session] = take(bytes, at, Field::SessionId)?;
    let [peer] = take(bytes, at + 1, Field::PeerId)?;
    let timed = peer & 0x80 != 0;
    let (sent_time, size) = time(timed, bytes, at + 2)?;
    Ok(Header {
        variant,
        prefix,
        checksum: None,
        session: (session.into(), Part::whole(at, 1)),
        peer: (u16::from(peer & 0x7F), Part::bits(at + 1, 1, 0, 7)),
        has_sent_time: (timed, Part::bits(at + 1, 1, 7, 1)),
        compressed: None,
        sent_time,
        size,
    })
}
