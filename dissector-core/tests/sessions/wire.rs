//! Two ends that talk ENet, written with the project's own writer: each scenario says which datagrams were captured.
#![allow(dead_code)] // each scenario uses a part

use dissector_core::capture::{Endpoint, Sender, Settings};
use dissector_core::container;
use dissector_core::decode::head::Head;
use dissector_core::encode::{self, Value};
use dissector_core::enet::wire::write::{Datagram, Opening, Outgoing};
use dissector_core::enet::wire::{id, HeaderVariant};
use dissector_core::fields::enet::Field;
use dissector_core::lol::cipher::Schedule;
use dissector_core::registry::REGISTRY;
use dissector_core::version::Build;

use crate::lab::{Frame, MS};

pub use dissector_core::capture::Sender::{Client, Server};

/// The key of the made sessions, as bytes and as a user types it.
pub const KEY: [u8; 16] = *b"Riftshark sample";
/// The same as hexadecimal digits.
pub const KEY_TEXT: &str = "52696674736861726b2073616d706c65";
/// The build of the made sessions.
pub const BUILD: Build = Build::new(1, 0, 0, 136);

/// Two ends, and what was captured of them.
pub struct Talk {
    /// The header variant of all datagrams.
    pub variant: HeaderVariant,
    /// Client and server.
    pub ends: [Endpoint; 2],
    /// The number of the connection in headers.
    pub session: u32,
    /// What each end writes as its peer number: client and server.
    pub peers: [u16; 2],
    /// What stands in for a checksum once the connection is granted.
    pub connect_id: u32,
    /// Whether both ends use ENet's range coder.
    pub compresses: bool,
    /// The cipher, where payloads are enciphered.
    pub key: Option<Schedule>,
    /// When the next datagram is captured, nanoseconds.
    pub now: i64,
    /// The frames so far.
    pub frames: Vec<Frame>,
}

impl Talk {
    /// Ends that have said nothing yet, in clear.
    pub fn new(variant: HeaderVariant) -> Talk {
        let end = |host: u8, port| Endpoint::new(2, &[192, 0, 2, host], port);
        Talk {
            variant,
            ends: [end(10, 50_000), end(20, 5_119)],
            session: 0x29,
            peers: [0, 0],
            connect_id: 0x5EA1_C0DE,
            compresses: false,
            key: None,
            now: 1_000 * MS,
            frames: Vec::new(),
        }
    }

    /// The same, enciphered with [`KEY`].
    pub fn enciphered(variant: HeaderVariant) -> Talk {
        Talk { key: Schedule::new(&KEY), ..Talk::new(variant) }
    }

    /// So many milliseconds pass.
    pub fn wait(&mut self, milliseconds: i64) -> &mut Talk {
        self.now += milliseconds * MS;
        self
    }

    /// The bytes of a datagram. It has a sent time where a command asks for an acknowledgement.
    pub fn bytes(&self, from: Sender, sent_time: u16, commands: Vec<Outgoing<'_>>) -> Vec<u8> {
        let unassigned = commands.iter().any(|command| command.flags & 0x0F == id::CONNECT);
        let asks = commands.iter().any(Outgoing::asks);
        let peer = self.peers[usize::from(from == Server)];
        let stock = !self.variant.is_league();
        let datagram = Datagram {
            variant: self.variant,
            from: Some(from),
            prefix: [0x28, 0x68, 0xBD, 0xEB, 1, 2, 3, 4],
            session: if unassigned && stock { 0 } else { self.session },
            peer: if unassigned { self.variant.unassigned() } else { peer },
            sent_time: asks.then_some(sent_time),
            connect_id: if unassigned { 0 } else { self.connect_id },
            commands,
        };
        if self.compresses {
            datagram.compressed()
        } else {
            datagram.bytes()
        }
    }

    /// A datagram of these bytes is captured; answers its place among the frames.
    pub fn capture(&mut self, from: Sender, bytes: Vec<u8>) -> usize {
        let [client, server] = self.ends;
        let frame = Frame {
            id: (self.frames.len() as u32 + 1, 0),
            time: self.now,
            ends: if from == Client { (client, server) } else { (server, client) },
            reported: bytes.len(),
            bytes,
            decode_as: false,
            in_error_pkt: false,
        };
        self.frames.push(frame);
        self.now += MS;
        self.frames.len() - 1
    }

    /// A datagram of these commands is captured, sent at the time it is captured; answers its place among the frames.
    pub fn send(&mut self, from: Sender, commands: Vec<Outgoing<'_>>) -> usize {
        let bytes = self.bytes(from, (self.now / MS) as u16, commands);
        self.capture(from, bytes)
    }

    /// What a connect or a verifyConnect states.
    pub fn opening(&self) -> Opening {
        let session = if self.variant.is_league() { self.session } else { self.connect_id };
        Opening { peer: 0, session, mtu: 996, window: 32_768, channels: 7 }
    }

    /// A connection is asked for, granted and acknowledged: three frames. Reliable numbers of the connection itself go on
    /// from 2.
    pub fn open(&mut self) {
        // each end states what the other has to call it
        let opening = |peer| Opening { peer, ..self.opening() };
        let mut verify = Outgoing::verify_connect(opening(self.peers[0]));
        // a server that was asked for any session grants that which headers name from then on
        let numbers = [Field::IncomingSessionId, Field::OutgoingSessionId];
        verify.fields.retain(|(field, _)| !numbers.contains(field));
        verify.fields.extend(numbers.map(|field| (field, self.session & 3)));
        let connect = Outgoing::connect(opening(self.peers[1]));
        self.send(Client, vec![connect]);
        self.send(Server, vec![verify]);
        let sent = (self.now / MS) as u16;
        self.send(Client, vec![Outgoing::acknowledge(0xFF, 1, sent)]);
    }

    /// A payload as it travels.
    pub fn sealed(&self, payload: &[u8]) -> Vec<u8> {
        let mut bytes = payload.to_vec();
        if let Some(key) = &self.key {
            key.encipher(&mut bytes);
        }
        bytes
    }

    /// A reliable message of a channel, enciphered where the session is; answers its place among the frames.
    pub fn reliable(&mut self, from: Sender, channel: u8, sequence: u16, payload: &[u8]) -> usize {
        let bytes = self.sealed(payload);
        self.send(from, vec![Outgoing::reliable(channel, sequence, &bytes)])
    }

    /// Both ends register and the client states [`BUILD`], each with the first numbers of channels 0 and 1: three frames.
    pub fn register(&mut self) {
        let key = Schedule::new(&KEY).expect("16 bytes are a key");
        let asked = registration(&key, 7);
        self.send(Client, vec![Outgoing::reliable(0, 1, &asked)]);
        let answer = self.sealed(&asked);
        self.send(Server, vec![Outgoing::reliable(0, 1, &answer)]);
        self.reliable(Client, 1, 1, &version_text("1.0.0.136"));
    }
}

/// Settings with the key of the made sessions.
pub fn keyed() -> Settings {
    Settings { keys: KEY_TEXT.into(), ..Settings::default() }
}

/// Settings that state the build.
pub fn built(settings: Settings) -> Settings {
    Settings { build: BUILD.to_string(), ..settings }
}

/// A registration of a player, as clients before 1.0.0.142 write it.
pub fn registration(key: &Schedule, player: u64) -> Vec<u8> {
    let mut proof = player.to_le_bytes();
    key.encipher(&mut proof);
    [&[0, 0xE7, 0x6F, 0, 0, 0, 0, 0][..], &player.to_le_bytes(), &proof].concat()
}

/// A client's message that states its build, with a command of no layout.
pub fn version_text(build: &str) -> Vec<u8> {
    let mut bytes = vec![0xC6];
    bytes.extend([0; 12]);
    bytes.extend(format!("Version {build} [PUBLIC]\0\0").bytes());
    bytes
}

/// Fields by name.
pub fn fields(all: &[(&str, Value)]) -> Value {
    Value::Record(all.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
}

/// A message of the book in [`BUILD`].
pub fn message(name: &str, net_id: u32, channel: u8, all: &[(&str, Value)]) -> Vec<u8> {
    let (program, _) = REGISTRY.program_of(name, BUILD).expect("a message of the book");
    encode::message(program, BUILD, net_id, Some(channel), &fields(all)).expect("fields of the layout")
}

/// A WaypointGroup without movements, which asks for an answer: 11 bytes.
pub fn group(sync: i64) -> Vec<u8> {
    let all = [
        ("syncId", Value::Int(sync.into())),
        ("movementCount", Value::Int(0)),
        ("movements", Value::List(vec![])),
    ];
    message("WaypointGroup", 0, 4, &all)
}

/// A WaypointAck without relocations, which answers a group.
pub fn ack(sync: i64) -> Vec<u8> {
    let all = [
        ("syncId", Value::Int(sync.into())),
        ("relocationCount", Value::Int(0)),
        ("relocations", Value::List(vec![])),
    ];
    message("WaypointAck", 0, 1, &all)
}

/// A message of a command without a layout.
pub fn other(command: u16, net_id: u32, body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode::head(3, command, net_id, &mut bytes);
    bytes.extend(body);
    bytes
}

/// Messages in one container.
pub fn together(messages: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let inner: Vec<_> = messages
        .iter()
        .map(|message| {
            let (command, net_id, body) = Head::new(message).read().expect("a message of the game");
            container::Outgoing { command: command as u8, net_id, body: &message[body as usize..] }
        })
        .collect();
    container::write(&inner, &mut bytes).expect("few and short enough");
    bytes
}
