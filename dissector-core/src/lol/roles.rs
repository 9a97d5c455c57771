//! Who sends what: the channels of the game that only one of its ends sends on.

use crate::capture::Sender;
use crate::layout::channel;

/// Bytes of a client's answer to the path of one unit: clients acknowledge single paths on the transient channel too.
const PATH_ANSWER: u32 = 10;

/// Who sends a payload of `length` bytes on a channel, where the channel tells: servers send on the channels of events
/// and, but for answers to paths, of transient messages, clients on that of requests.
pub fn sender_on(channel: u8, length: u32) -> Option<Sender> {
    match channel {
        channel::EVENTS => Some(Sender::Server),
        channel::TRANSIENT if length > PATH_ANSWER => Some(Sender::Server),
        channel::REQUESTS => Some(Sender::Client),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_of_one_end_tell_who_sends() {
        assert_eq!(sender_on(channel::EVENTS, 1), Some(Sender::Server));
        assert_eq!(sender_on(channel::REQUESTS, 100), Some(Sender::Client));
        assert_eq!(sender_on(channel::TRANSIENT, PATH_ANSWER + 1), Some(Sender::Server));
        assert_eq!(sender_on(channel::TRANSIENT, PATH_ANSWER), None, "it may be an answer");
        for channel in [channel::REGISTRATION, channel::CLOCK, channel::CHAT, 6, 7, 255] {
            assert_eq!(sender_on(channel, 100), None, "{channel}");
        }
    }
}
