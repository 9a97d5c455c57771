//! One payload as it was carried.

use crate::capture::{Detail, MessageId, PayloadSpan, Sender};

/// A payload as it was carried.
#[derive(Clone, Copy, Debug)]
pub struct Payload<'a> {
    /// The bytes of the data source it lies in.
    pub source: &'a [u8],
    /// Its first byte in `source`.
    pub base: u32,
    /// Bytes of it that were captured, at most `reported`.
    pub length: u32,
    /// Bytes it had on the wire.
    pub reported: u32,
    /// The ENet channel it came on.
    pub channel: u8,
    /// Who sent it, where known.
    pub sender: Option<Sender>,
    /// Where its command stands in the capture.
    pub id: MessageId,
    /// When it was captured, nanoseconds since 1970.
    pub time: i64,
    /// Whether the session's state may be written.
    pub writes: bool,
    /// Whether a receiver hands it on: not for a second time, not behind a newer one.
    pub is_delivered: bool,
    /// Whether payloads of this session are enciphered: false for those that come without ENet.
    pub enciphered: bool,
    /// Whether it is shown in a `lol` item that an earlier result opened.
    pub is_continued: bool,
    /// How much of the result is wanted.
    pub detail: Detail,
}

impl<'a> Payload<'a> {
    /// Its bytes as captured.
    pub fn wire(&self) -> &'a [u8] {
        let start = (self.base as usize).min(self.source.len());
        let end = (start + self.length as usize).min(self.source.len());
        &self.source[start..end]
    }

    /// Whether what it says changes what the match holds: once, on the first pass.
    pub fn delivers(&self) -> bool {
        self.writes && self.is_delivered
    }

    /// Its span, for export and for other dissectors: whether its bytes are readable, and whether it is the game's.
    pub fn span(&self, clear: bool, league: bool) -> PayloadSpan {
        PayloadSpan {
            offset: self.base,
            length: self.length,
            reported: self.reported,
            channel: self.channel,
            sender: Sender::number(self.sender),
            league: league.into(),
            clear: clear.into(),
        }
    }
}
