//! What the datagrams of a connection name it by, each way: session and peer. By them its own are told from others.

use super::wire::{self, compressed, id, Command, Form, Header, HeaderVariant};
use crate::capture::{Direction, Packet, Sender};

/// What datagrams of one direction name: session and the receiver's number for the sender.
pub type Name = (u32, u16);

/// The names of a connection's two directions.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// What the first sound datagram of each direction named.
    known: [Option<Name>; 2],
    /// The peer that the other end asked to be named, in connect and verifyConnect.
    stated: [Option<u16>; 2],
    /// What the client asked for: its session, in stock ENet its connection.
    asked: Option<u32>,
    /// The session that the server grants for its own headers: in stock ENet only.
    granted: Option<u8>,
}

/// Whose a datagram is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// The connection's: it names what the others of its direction do, or what was asked for.
    This,
    /// The connection's for want of another: nothing is known of its direction yet, and all of it is sound.
    First,
    /// The connection's for want of another: the server's, sound, and of the right peer, but of another session than the
    /// others. A client refuses it.
    Stray,
    /// Somebody else's: of no form of the header variant, or of another peer and session.
    Other,
}

impl Names {
    /// Whose a datagram is; `sender` is who sends this way, where known.
    ///
    /// A datagram that is damaged behind the first command's number is still the connection's where its header names the
    /// connection; while nothing is known of a direction, it must be sound or name the peer that was asked for.
    pub fn owner(
        &self,
        variant: HeaderVariant,
        (direction, sender): (Direction, Option<Sender>),
        packet: &Packet<'_>,
    ) -> Owner {
        let header = match wire::begins(variant, sender, packet.bytes, packet.reported as usize) {
            Form::Foreign => return Owner::Other,
            Form::Cut => return Owner::This,
            Form::Begun(header) => header,
        };
        let is_sound = || wire::is_sound(variant, sender, packet.bytes, packet.reported as usize);
        let (session, peer) = (header.session.0, header.peer.0);
        if header.is_unassigned() {
            let fits = !variant.is_league() || self.is_session(session);
            return if fits || is_sound() { Owner::This } else { Owner::Other };
        }
        match self.known[direction.index()] {
            Some(name) if name == (session, peer) => Owner::This,
            Some((_, known)) => {
                let answers = self.asked.is_some() && sender == Some(Sender::Server) && is_sound();
                let grants = || first_id(&header, packet) == Some(id::VERIFY_CONNECT);
                match answers {
                    true if self.stated[direction.index()] == Some(peer) && grants() => Owner::This,
                    true if variant.is_league() && known == peer => Owner::Stray,
                    _ => Owner::Other,
                }
            }
            None if self.stated[direction.index()] == Some(peer) => Owner::This,
            // the game's sessions are one number for both directions
            None if variant.is_league() && self.is_session(session) => Owner::This,
            None if is_sound() && sender == Some(Sender::Client) && self.asked.is_some() => Owner::This,
            None if is_sound() => Owner::First,
            None => Owner::Other,
        }
    }

    /// Whether a session of the game is that which the client asked for, or that of the other direction.
    fn is_session(&self, session: u32) -> bool {
        self.asked
            .into_iter()
            .chain(self.known.iter().flatten().map(|(session, _)| *session))
            .any(|known| known == session)
    }

    /// Names the directions by what several datagrams have named.
    pub fn set(&mut self, names: [Option<Name>; 2]) {
        self.known = names;
    }

    /// Whether both directions have a name.
    pub fn are_both_known(&self) -> bool {
        self.known.iter().all(Option::is_some)
    }

    /// Whether a header names what the datagrams of this direction do.
    pub fn agrees(&self, direction: Direction, header: &Header) -> bool {
        self.known[direction.index()] == Some((header.session.0, header.peer.0))
    }

    /// Takes in a datagram of the connection: the first sound one of a direction names it from then on.
    pub fn take(
        &mut self,
        header: &Header,
        (direction, sender): (Direction, Option<Sender>),
        packet: &Packet<'_>,
    ) {
        if self.known[direction.index()].is_some() || header.is_unassigned() {
            return;
        }
        if wire::is_sound(header.variant, sender, packet.bytes, packet.reported as usize) {
            self.known[direction.index()] = Some((header.session.0, header.peer.0));
        }
    }

    /// Takes in what a connect or a verifyConnect states: the peer that the other end has to name, and the number of the
    /// connection.
    pub fn state(&mut self, direction: Direction, header: &Header, command: &Command) {
        let Some(body) = command.connect_body() else { return };
        if command.id == id::CONNECT {
            if !header.is_unassigned() {
                return;
            }
            self.asked = body.session;
        } else {
            // whatever was taken for an answer before: this is the one
            self.known[direction.index()] = Some((header.session.0, header.peer.0));
            self.granted = body.session_bits.map(|(incoming, _)| incoming);
        }
        self.stated[direction.reverse().index()] = Some(body.outgoing_peer);
    }

    /// Why a client refuses a command of its server; `None` where it does not.
    ///
    /// The game's client asks for a session, which every header of the server has to name. That of stock ENet asks for a
    /// connection, which verifyConnect has to repeat, and takes the session of headers from there.
    pub fn refusal(&self, header: &Header, command: &Command) -> Option<String> {
        let asked = self.asked?;
        let named = header.session.0;
        if header.variant.is_league() {
            let text = format!(
                "The server names session {named:#x}, the client asked for {asked:#x}: a client refuses it"
            );
            return (named != asked).then_some(text);
        }
        let stated = command.connect_body().filter(|_| command.id == id::VERIFY_CONNECT);
        if let Some(other) = stated.and_then(|body| body.session).filter(|stated| *stated != asked) {
            let text = format!("The server grants connection {other:#x}, the client asked for {asked:#x}: a client refuses it");
            return Some(text);
        }
        let granted = self.granted.filter(|granted| u32::from(*granted) != named)?;
        Some(format!(
            "The server names session {named}, its verifyConnect grants {granted}: a client refuses it"
        ))
    }
}

/// The number of a datagram's first command.
fn first_id(header: &Header, packet: &Packet<'_>) -> Option<u8> {
    let commands = packet.bytes.get(header.size as usize..)?;
    let first = match header.is_compressed() {
        true => *compressed::decompress(commands)?.first()?,
        false => *commands.first()?,
    };
    Some(first & 0x0F)
}
