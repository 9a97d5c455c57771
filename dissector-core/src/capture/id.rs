//! Where in a capture something stands: what the first pass writes down is found again by it.

/// A datagram: its frame, and which datagram of the frame. Sorts as datagrams are dissected.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct DatagramId {
    /// Frame number, from 1.
    pub frame: u32,
    /// Which datagram of the frame: grows with every datagram that is taken, not always by one.
    pub datagram: u32,
}

/// A message: its datagram, the command that carries or completes it, and its place in a container.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct MessageId {
    /// Frame number, from 1.
    pub frame: u32,
    /// Which datagram of the frame, as in [`DatagramId`].
    pub datagram: u32,
    /// Which command of the datagram, from 0.
    pub command: u16,
    /// 0 for a message of its own, else its place in a container, from 1.
    pub inner: u16,
}

impl DatagramId {
    /// The payload of one of its commands.
    pub const fn payload(self, command: u16) -> MessageId {
        MessageId { frame: self.frame, datagram: self.datagram, command, inner: 0 }
    }
}

impl MessageId {
    /// The message at this place of the payload: 0 where it fills the payload, else from 1.
    pub const fn inner(self, inner: u16) -> MessageId {
        MessageId { inner, ..self }
    }
}
