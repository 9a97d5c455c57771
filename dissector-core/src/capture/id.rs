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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_a_container_keeps_that_of_its_payload() {
        let payload = DatagramId { frame: 7, datagram: 2 }.payload(3);
        assert_eq!(payload, MessageId { frame: 7, datagram: 2, command: 3, inner: 0 });
        assert_eq!(payload.inner(4), MessageId { inner: 4, ..payload });
    }

    #[test]
    fn places_sort_as_messages_are_dissected() {
        let at = |frame, datagram, command, inner| MessageId { frame, datagram, command, inner };
        let sorted = [at(1, 9, 9, 9), at(2, 0, 9, 9), at(2, 1, 0, 9), at(2, 1, 1, 0), at(2, 1, 1, 1)];
        assert!(sorted.is_sorted() && sorted.windows(2).all(|two| two[0] < two[1]));
    }
}
