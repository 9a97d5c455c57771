//! From a readable payload to its messages: which framing it has, and where each message begins and ends.
//!
//! Both doors of a match walk by this: the one that shows, and the one that delivers what had to wait.

use crate::container::{Inner, Messages, Span, Stop, CONTAINER};
use crate::decode::head::{Head, Missing};
use crate::layout::channel;

/// A message, wherever it stood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Message {
    /// Its command, from 256 on an extended one.
    pub command: u16,
    /// The network object it is about; 0 for none, and on channels without net ids.
    pub net_id: u32,
    /// First byte of its body, from the start of the payload.
    pub body: u32,
    /// Bytes of its body on the wire; fewer may be captured.
    pub length: u32,
    /// 0 where it fills its payload, else its place in a container, from 1.
    pub inner: u16,
}

/// How a payload holds messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Framing {
    /// The handshake, told apart by its length.
    Registration,
    /// Several messages, which share what they can.
    Container,
    /// One message that fills it.
    Single,
    /// A channel whose messages this reader does not take apart: chat, roster.
    Plain,
}

impl Framing {
    /// The framing of a payload. `in_book` says that the book of the build has a layout for a handshake that begins so.
    pub fn of(channel: u8, bytes: &[u8], in_book: bool) -> Framing {
        match channel {
            channel::REGISTRATION if !in_book => Framing::Registration,
            channel::REQUESTS..=channel::TRANSIENT if bytes.first() == Some(&CONTAINER) => Framing::Container,
            channel::REGISTRATION..=channel::TRANSIENT => Framing::Single,
            _ => Framing::Plain,
        }
    }
}

/// The header of a message that fills its payload.
pub fn head(channel: u8, bytes: &[u8]) -> Head<'_> {
    if channel::has_net_id(channel) {
        Head::new(bytes)
    } else {
        Head::bare(bytes)
    }
}

/// The message behind such a header; `reported` is the payload's length on the wire.
pub fn single(head: Head<'_>, reported: u32) -> Result<Message, Missing> {
    let (command, net_id, body) = head.read()?;
    Ok(Message { command, net_id, body, length: reported.saturating_sub(body), inner: 0 })
}

/// A message of a container, whose body has `length` bytes on the wire; `None` where its command is cut off.
pub fn inner(inner: &Inner, bytes: &[u8], length: u32) -> Option<Message> {
    let command = inner.full_command(bytes)?;
    let fields = inner.fields();
    Some(Message {
        command,
        net_id: inner.net_id,
        body: fields.offset,
        length: length.saturating_sub(fields.offset - inner.body.offset),
        inner: u16::from(inner.index) + 1,
    })
}

/// The last message of a container that ends within it, as far as it is there, and its body's length on the wire.
pub fn partial(stop: &Stop, bytes: &[u8]) -> Option<(Inner, u32)> {
    let inner = stop.partial?;
    let there = (bytes.len() as u32).saturating_sub(inner.body.offset).min(inner.body.len);
    let length = if stop.short { inner.body.len } else { there };
    let cut = Inner {
        body: Span { offset: inner.body.offset, len: there },
        all: Span { offset: inner.all.offset, len: inner.body.offset + there - inner.all.offset },
        ..inner
    };
    Some((cut, length))
}

/// The messages of a payload that has this framing, as far as their headers are there.
pub fn messages(framing: Framing, channel: u8, bytes: &[u8], reported: u32) -> Vec<Message> {
    match framing {
        Framing::Registration | Framing::Plain => Vec::new(),
        Framing::Single => single(head(channel, bytes), reported).into_iter().collect(),
        Framing::Container => {
            let found = Messages::new(bytes, reported as usize).into_iter().flatten();
            let message = |next: Result<Inner, Stop>| match next {
                Ok(whole) => inner(&whole, bytes, whole.body.len),
                Err(stop) => partial(&stop, bytes).and_then(|(cut, length)| inner(&cut, bytes, length)),
            };
            found.filter_map(message).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::{write, Outgoing};

    #[test]
    fn the_channel_tells_the_framing() {
        let of = |channel, first, in_book| Framing::of(channel, &[first, 1], in_book);
        assert_eq!(of(0, 0, false), Framing::Registration);
        assert_eq!(of(0, 0, true), Framing::Single);
        for channel in 1..=4 {
            assert_eq!(of(channel, 0xFF, false), Framing::Container);
            assert_eq!(of(channel, 0xFE, false), Framing::Single);
        }
        assert_eq!(of(0, 0xFF, true), Framing::Single, "no containers outside the game's channels");
        assert_eq!([of(5, 0xFF, false), of(6, 0, true), of(255, 0, true)], [Framing::Plain; 3]);
        assert_eq!(Framing::of(3, &[], false), Framing::Single);
    }

    #[test]
    fn a_container_yields_its_messages_and_what_is_there_of_the_last() {
        let body = [9; 6];
        let outgoing = |command| Outgoing { command, net_id: 0x4000_0019, body: &body };
        let mut bytes = Vec::new();
        write(&[outgoing(11), outgoing(12), outgoing(12)], &mut bytes).unwrap();
        let all = messages(Framing::Container, 3, &bytes, bytes.len() as u32);
        let told = |all: &[Message]| all.iter().map(|m| (m.command, m.length, m.inner)).collect::<Vec<_>>();
        assert_eq!(told(&all), [(11, 6, 1), (12, 6, 2), (12, 6, 3)]);
        assert!(all.iter().all(|m| bytes[m.body as usize..][..6] == body));
        let cut = bytes.len() - 2;
        let ended = messages(Framing::Container, 3, &bytes[..cut], cut as u32);
        assert_eq!(told(&ended), [(11, 6, 1), (12, 6, 2), (12, 4, 3)], "the sender ended it");
        let short = messages(Framing::Container, 3, &bytes[..cut], bytes.len() as u32);
        assert_eq!(told(&short), [(11, 6, 1), (12, 6, 2), (12, 6, 3)], "the capture cut it off");
    }

    #[test]
    fn a_message_of_its_own_begins_behind_its_header() {
        let found = messages(Framing::Single, 3, &[101, 1, 0, 0, 0x40, 7, 8], 9);
        assert_eq!(found, [Message { command: 101, net_id: 0x4000_0001, body: 5, length: 4, inner: 0 }]);
        let bare = messages(Framing::Single, 0, &[101, 1, 2], 3);
        assert_eq!(bare, [Message { command: 101, net_id: 0, body: 1, length: 2, inner: 0 }]);
        assert_eq!(messages(Framing::Single, 3, &[101, 1], 2), []);
        assert_eq!(messages(Framing::Plain, 5, &[101, 1, 2, 3, 4, 5], 6), []);
    }
}
