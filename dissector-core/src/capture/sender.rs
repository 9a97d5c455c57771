//! Which end of a session sends.

/// Who sends a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Sender {
    /// The game client.
    Client,
    /// The game server.
    Server,
}

impl Sender {
    /// `client` or `server`, as filters and vectors write it.
    pub const fn name(self) -> &'static str {
        match self {
            Sender::Client => "client",
            Sender::Server => "server",
        }
    }

    /// The other end.
    pub const fn other(self) -> Sender {
        match self {
            Sender::Client => Sender::Server,
            Sender::Server => Sender::Client,
        }
    }

    /// The sender's number in [`super::PayloadSpan::sender`] and in the keys of the table `lol.entry`: 0 not known,
    /// 1 client, 2 server.
    pub const fn number(sender: Option<Sender>) -> u8 {
        match sender {
            None => 0,
            Some(Sender::Client) => 1,
            Some(Sender::Server) => 2,
        }
    }

    /// The sender of such a number; any other number is nobody's.
    pub const fn from_number(number: u8) -> Option<Sender> {
        match number {
            1 => Some(Sender::Client),
            2 => Some(Sender::Server),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lead_back() {
        for sender in [None, Some(Sender::Client), Some(Sender::Server)] {
            assert_eq!(Sender::from_number(Sender::number(sender)), sender);
        }
        assert_eq!([Sender::number(None), Sender::number(Some(Sender::Client))], [0, 1]);
        assert_eq!([1, 2].map(Sender::from_number), [Some(Sender::Client), Some(Sender::Server)]);
        assert_eq!([0, 3, u8::MAX].map(Sender::from_number), [None; 3]);
        assert_eq!((Sender::Client.other().name(), Sender::Server.other().name()), ("server", "client"));
    }
}
