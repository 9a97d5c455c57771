//! A game between a client and its server as a capture at the client's side sees it: numbers, acknowledgements, clocks.

mod oddities;

use super::dice::Dice;
use super::net::{Capture, Endpoint};
use dissector_core::enet::wire::write::{reliable, Datagram, Opening, Outgoing};
use dissector_core::enet::wire::{id, HeaderVariant};
use dissector_core::fields::enet::Field;
use dissector_core::layout::Sender;
use dissector_core::lol::cipher::Schedule;

pub use oddities::record;

/// Largest datagram both ends agree on, bytes.
const MTU: u32 = 996;
/// The channel of the connection's own commands.
const CONTROL: u8 = 0xFF;
/// Microseconds a client takes to acknowledge.
const PROMPT: u64 = 70;

/// A command made ready: it has its numbers, its payload is enciphered. Sending it twice is a retransmission.
#[derive(Clone)]
pub struct Made {
    flags: u8,
    channel: u8,
    sequence: u16,
    fields: Vec<(Field, u32)>,
    data: Vec<u8>,
}

impl Made {
    fn new(command: Outgoing<'_>) -> Made {
        let Outgoing { flags, channel, sequence, fields, data } = command;
        Made { flags, channel, sequence, fields, data: data.to_vec() }
    }

    fn command(&self) -> Outgoing<'_> {
        let Made { flags, channel, sequence, ref fields, ref data } = *self;
        Outgoing { flags, channel, sequence, fields: fields.clone(), data }
    }
}

/// One end.
struct End {
    at: Endpoint,
    /// What its clock shows when the capture begins, milliseconds.
    clock: u64,
    /// The number it writes into headers: what the other end calls it.
    peer: u16,
    /// Reliable number used last: 0 to 7 are the channels, 8 is the connection's own.
    reliable: [u16; 9],
    /// Unreliable number used last since the reliable one.
    unreliable: [u16; 8],
    group: u16,
    /// What it has yet to acknowledge: channel, number, sent time.
    owed: Vec<(u8, u16, u16)>,
}

enum Seen {
    Datagram {
        from: Endpoint,
        to: Endpoint,
        bytes: Vec<u8>,
    },
    /// The receiver of an earlier datagram says that nobody listens there.
    Unreachable(usize),
}

/// A game, and what the capture has seen of it. Moments are numbers of what was seen, from 0.
pub struct Game {
    variant: HeaderVariant,
    session: u32,
    connect_id: u32,
    key: Option<Schedule>,
    /// Whether both ends use ENet's range coder.
    compresses: bool,
    /// Microseconds since the capture began.
    now: u64,
    dice: Dice,
    ends: [End; 2],
    seen: Vec<(u64, Seen)>,
    notes: Vec<(usize, String)>,
    misstamped: Vec<(usize, u64)>,
}

const fn place(end: Sender) -> usize {
    match end {
        Sender::Client => 0,
        Sender::Server => 1,
    }
}

impl Game {
    /// A game about to begin. Without a key nothing is enciphered.
    pub fn new(variant: HeaderVariant, client: Endpoint, server: Endpoint, key: Option<[u8; 16]>) -> Game {
        let end = |at, clock| End {
            at,
            clock,
            peer: 0,
            reliable: [0; 9],
            unreliable: [0; 8],
            group: 0,
            owed: Vec::new(),
        };
        Game {
            variant,
            session: 0x29,
            connect_id: 0x5EA1_C0DE,
            key: key.map(|key| Schedule::new(&key).expect("16 bytes are a key")),
            compresses: false,
            now: 0,
            dice: Dice::new(u64::from(client.port)),
            ends: [end(client, 37), end(server, 3_958)],
            seen: Vec::new(),
            notes: Vec::new(),
            misstamped: Vec::new(),
        }
    }

    /// The same with a number of its own on the server, which the client then writes into its headers.
    pub fn numbered(mut self, peer: u16) -> Game {
        self.ends[0].peer = peer;
        self
    }

    /// The same with another session id; stock ENet starts from 0.
    pub fn session(mut self, session: u32) -> Game {
        self.session = session;
        self
    }

    /// The same with commands compressed by ENet's range coder, as far as that makes them smaller.
    pub fn compressing(mut self) -> Game {
        self.compresses = true;
        self
    }

    /// The same, going on after the end of another on these ports, or beside it, so many milliseconds into the capture.
    pub fn beginning(mut self, milliseconds: u64) -> Game {
        self.now = milliseconds * 1_000;
        self
    }

    /// Sets the clock of an end, in milliseconds when the capture begins.
    pub fn clock(&mut self, end: Sender, milliseconds: u64) {
        self.ends[place(end)].clock = milliseconds;
    }

    /// Sets the reliable number an end used last on a channel (8 for the connection's own commands).
    pub fn used(&mut self, end: Sender, channel: usize, number: u16) {
        self.ends[place(end)].reliable[channel] = number;
    }

    /// The key's schedule.
    pub fn key(&self) -> &Schedule {
        self.key.as_ref().expect("this game has a key")
    }

    /// Milliseconds the next datagram is seen after the beginning.
    pub fn elapsed(&self) -> u64 {
        self.now / 1_000
    }

    /// So many milliseconds pass, give or take a few tens of microseconds.
    pub fn wait(&mut self, milliseconds: u64) {
        self.now += milliseconds * 1_000 + self.dice.below(90);
    }

    /// A line for the reader of the capture about a moment.
    pub fn note(&mut self, moment: usize, text: impl Into<String>) {
        self.notes.push((moment, text.into()));
    }

    fn number(&mut self, from: Sender, channel: u8, count: u16) -> u16 {
        let end = &mut self.ends[place(from)];
        let slot = if channel == CONTROL { 8 } else { usize::from(channel) };
        let first = end.reliable[slot].wrapping_add(1);
        end.reliable[slot] = end.reliable[slot].wrapping_add(count);
        if channel != CONTROL {
            end.unreliable[slot] = 0;
        }
        first
    }

    /// A payload as it travels: what a client says on channel 0 is clear.
    fn enciphered(&self, from: Sender, channel: u8, payload: &[u8]) -> Vec<u8> {
        let mut bytes = payload.to_vec();
        if let (Some(key), false) = (&self.key, channel == 0 && from == Sender::Client) {
            key.encipher(&mut bytes);
        }
        bytes
    }

    /// A reliable message: one command, or its fragments.
    pub fn reliable(&mut self, from: Sender, channel: u8, payload: &[u8]) -> Vec<Made> {
        let bytes = self.enciphered(from, channel, payload);
        let variant = (self.variant, Some(from));
        let count = reliable(variant, MTU, channel, 0, &bytes).len() as u16;
        let first = self.number(from, channel, count);
        reliable(variant, MTU, channel, first, &bytes).into_iter().map(Made::new).collect()
    }

    /// A message that may be lost.
    pub fn unreliable(&mut self, from: Sender, channel: u8, payload: &[u8]) -> Vec<Made> {
        let bytes = self.enciphered(from, channel, payload);
        let end = &mut self.ends[place(from)];
        let slot = usize::from(channel);
        end.unreliable[slot] = end.unreliable[slot].wrapping_add(1);
        let command = Outgoing::unreliable(channel, end.reliable[slot], end.unreliable[slot], &bytes);
        vec![Made::new(command)]
    }

    /// A message that may be lost and comes in any order.
    pub fn unsequenced(&mut self, from: Sender, channel: u8, payload: &[u8]) -> Vec<Made> {
        let bytes = self.enciphered(from, channel, payload);
        let end = &mut self.ends[place(from)];
        end.group = end.group.wrapping_add(1);
        let command = Outgoing::unsequenced(channel, end.group, &bytes);
        vec![Made::new(command)]
    }

    /// A sign of life.
    pub fn ping(&mut self, from: Sender) -> Vec<Made> {
        let number = self.number(from, CONTROL, 1);
        vec![Made::new(Outgoing::ping(number))]
    }

    /// The end of the connection.
    pub fn disconnect(&mut self, from: Sender, data: u32) -> Vec<Made> {
        let number = self.number(from, CONTROL, 1);
        vec![Made::new(Outgoing::disconnect(number, data))]
    }

    /// A datagram of these commands, behind what the sender has to acknowledge, arrives.
    pub fn send(&mut self, from: Sender, commands: &[Made]) -> usize {
        let time = self.sent_time(from);
        let other = &mut self.ends[place(from.other())];
        for made in commands.iter().filter(|made| made.command().asks()) {
            other.owed.push((made.channel, made.sequence, time));
        }
        self.write(from, commands)
    }

    /// A datagram that the capture sees leave but that never arrives.
    pub fn lose(&mut self, from: Sender, commands: &[Made]) -> usize {
        self.write(from, commands)
    }

    /// The end `by` acknowledges what it has to, as soon as it would.
    pub fn hear(&mut self, by: Sender) -> usize {
        self.travel(by);
        self.send(by, &[])
    }

    /// An end sends these commands, and the other acknowledges what asks for it: ENet sends no datagram without a command.
    pub fn tell(&mut self, from: Sender, commands: &[Made]) -> usize {
        let moment = self.send(from, commands);
        if !self.ends[place(from.other())].owed.is_empty() {
            self.hear(from.other());
        }
        moment
    }

    /// The same, where the other end has something to say at once: it goes into the datagram that acknowledges.
    pub fn tell_and_hear(&mut self, from: Sender, commands: &[Made], answer: &[Made]) -> usize {
        let moment = self.send(from, commands);
        self.travel(from.other());
        self.send(from.other(), answer);
        moment
    }

    /// Acknowledgements an end owes are lost, or will never be sent.
    pub fn forget(&mut self, by: Sender) {
        self.ends[place(by)].owed.clear();
    }

    /// The receiver of a datagram answers that nobody listens at its port.
    pub fn unreachable(&mut self, moment: usize) -> usize {
        self.travel(Sender::Server);
        self.saw(Seen::Unreachable(moment))
    }

    /// A datagram with these bytes, whatever they are.
    pub fn raw(&mut self, from: Sender, bytes: Vec<u8>) -> usize {
        let (at, to) = (self.ends[place(from)].at, self.ends[place(from.other())].at);
        self.saw(Seen::Datagram { from: at, to, bytes })
    }

    /// A connection is asked for, granted, and acknowledged.
    pub fn open(&mut self) {
        let connect = self.connect();
        let moment = self.send(Sender::Client, &connect);
        self.note(moment, "the client asks for a connection");
        let verify = self.verify();
        self.travel(Sender::Server);
        // Granting is the acknowledgement.
        self.forget(Sender::Server);
        self.tell(Sender::Server, &verify);
    }

    fn opening(&self, by: Sender, mtu: u16) -> Opening {
        let session = if is_stock(self.variant) { self.connect_id } else { self.session };
        Opening { peer: self.ends[place(by.other())].peer, session, mtu, window: 32_768, channels: 7 }
    }

    /// What asks for a connection.
    pub fn connect(&mut self) -> Vec<Made> {
        let sequence = self.number(Sender::Client, CONTROL, 1);
        let connect = Outgoing::connect(self.opening(Sender::Client, 1_400));
        vec![Made::new(Outgoing { sequence, ..connect })]
    }

    /// What grants it.
    pub fn verify(&mut self) -> Vec<Made> {
        let sequence = self.number(Sender::Server, CONTROL, 1);
        let granted = Outgoing::verify_connect(self.opening(Sender::Server, MTU as u16));
        let mut verify = Outgoing { sequence, ..granted };
        // A server that was asked for any session grants number 0.
        let numbers = [Field::IncomingSessionId, Field::OutgoingSessionId];
        verify.fields.retain(|(field, _)| !numbers.contains(field));
        vec![Made::new(verify)]
    }

    /// The time until `by` can say something about what was just seen.
    fn travel(&mut self, by: Sender) {
        self.now += match by {
            Sender::Client => PROMPT + self.dice.below(20),
            Sender::Server => 21_000 + self.dice.below(6_000),
        };
    }

    fn sent_time(&self, from: Sender) -> u16 {
        // What arrives from the server left it half a round trip ago.
        let back = if from == Sender::Server { 11 } else { 0 };
        (self.now / 1_000 + self.ends[place(from)].clock - back) as u16
    }

    fn write(&mut self, from: Sender, commands: &[Made]) -> usize {
        let owed = std::mem::take(&mut self.ends[place(from)].owed);
        let acks = owed.iter().map(|(channel, number, time)| Outgoing::acknowledge(*channel, *number, *time));
        let commands: Vec<_> = acks.chain(commands.iter().map(Made::command)).collect();
        let unassigned = commands.iter().any(|command| command.flags & 0x0F == id::CONNECT);
        let asks = commands.iter().any(Outgoing::asks);
        let datagram = Datagram {
            variant: self.variant,
            from: Some(from),
            prefix: prefix(self.variant, from),
            // The session bits of a stock header stay clear until a peer has a number.
            session: self.session,
            peer: if unassigned { self.variant.unassigned() } else { self.ends[place(from)].peer },
            sent_time: asks.then(|| self.sent_time(from)),
            connect_id: if unassigned { 0 } else { self.connect_id },
            commands,
        };
        let bytes = if self.compresses { datagram.compressed() } else { datagram.bytes() };
        self.raw(from, bytes)
    }

    fn saw(&mut self, seen: Seen) -> usize {
        self.seen.push((self.now, seen));
        self.now += 4;
        self.seen.len() - 1
    }
}

const fn is_stock(variant: HeaderVariant) -> bool {
    matches!(variant, HeaderVariant::Stock | HeaderVariant::StockChecksum)
}

/// The bytes in front of a header, whose meaning nobody knows, as each end was seen to write them.
fn prefix(variant: HeaderVariant, from: Sender) -> [u8; 8] {
    match (variant, from) {
        (HeaderVariant::Prefixed, Sender::Client) => [0x28, 0x68, 0xBD, 0xEB, 0, 0, 0, 0],
        (HeaderVariant::Prefixed, Sender::Server) => [0x29, 0, 0, 0, 0, 0, 0, 0],
        _ => [0x9C, 0x31, 0x5B, 0x07, 0xE2, 0x64, 0x18, 0xAF],
    }
}
