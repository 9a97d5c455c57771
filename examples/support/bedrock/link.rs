//! Two ends that talk RakNet, into a capture.

use super::super::dice::Out;
use super::super::net::{endpoint, Capture, Endpoint};

/// The bytes by which RakNet knows its own offline messages.
pub const MAGIC: [u8; 16] = *b"\x00\xFF\xFF\x00\xFE\xFE\xFE\xFE\xFD\xFD\xFD\xFD\x12\x34\x56\x78";
const CLIENT_GUID: u64 = 0x0102_0304_0506_0708;
const SERVER_GUID: u64 = 0x1112_1314_1516_1718;
const COOKIE: u32 = 0xC0FF_EE01;
const MTU: u16 = 1400;
/// Bytes of a message that go into one datagram here.
const PIECE: usize = 300;

/// How a connection is opened.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Handshake {
    /// Without anything special.
    Plain,
    /// With a cookie that the client repeats, which is no encryption.
    Cookie,
    /// With RakNet's own encryption: a key, a challenge and an answer.
    Secure,
}

#[derive(Default)]
struct Direction {
    datagram: u32,
    message: u32,
    order: u32,
    split: u16,
}

/// A connection.
pub struct Link<'c> {
    capture: &'c mut Capture,
    at: u64,
    client: Endpoint,
    server: Endpoint,
    directions: [Direction; 2],
}

fn little(number: u32) -> [u8; 3] {
    let [a, b, c, _] = number.to_le_bytes();
    [a, b, c]
}

fn address(end: Endpoint) -> Vec<u8> {
    Out::new().u8(4).bytes(end.ip.map(|octet| !octet)).u16(end.port).done()
}

impl Link<'_> {
    /// A connection from a port of the client's to one of the server's, from a moment on in milliseconds.
    pub fn new(capture: &mut Capture, at: u64, client: u16, server: u16) -> Link<'_> {
        Link {
            capture,
            at: at * 1_000,
            client: endpoint([192, 0, 2, 10], client),
            server: endpoint([198, 51, 100, 20], server),
            directions: Default::default(),
        }
    }

    /// The last frame's number.
    pub fn frame(&self) -> usize {
        self.capture.len()
    }

    fn send(&mut self, from_client: bool, payload: &[u8]) {
        let (from, to) = if from_client { (self.client, self.server) } else { (self.server, self.client) };
        self.capture.udp(self.at, from, to, payload);
        self.at += 5_000;
    }

    /// The way to a connection.
    pub fn open(&mut self, handshake: Handshake) {
        self.offline(handshake);
        if handshake != Handshake::Secure {
            self.connect();
        }
    }

    fn offline(&mut self, handshake: Handshake) {
        let (client, server) = (self.client, self.server);
        self.send(true, &Out::new().u8(5).bytes(MAGIC).u8(11).bytes([0; 60]).done());
        let reply = Out::new().u8(6).bytes(MAGIC).u64(SERVER_GUID).u8((handshake != Handshake::Plain).into());
        let reply = match handshake {
            Handshake::Plain => reply,
            Handshake::Cookie => reply.u32(COOKIE),
            Handshake::Secure => reply.u32(COOKIE).bytes([0x5A; 64]),
        };
        self.send(false, &reply.u16(MTU).done());
        let request = Out::new().u8(7).bytes(MAGIC);
        let request = match handshake {
            Handshake::Plain => request,
            Handshake::Cookie => request.u32(COOKIE).u8(0),
            Handshake::Secure => request.u32(COOKIE).u8(1).bytes([0xA5; 64]),
        };
        self.send(true, &request.bytes(address(server)).u16(MTU).u64(CLIENT_GUID).done());
        let reply = Out::new().u8(8).bytes(MAGIC).u64(SERVER_GUID).bytes(address(client)).u16(MTU);
        let secure = handshake == Handshake::Secure;
        let reply = reply.u8(secure.into()).bytes(if secure { vec![0x3C; 128] } else { Vec::new() });
        self.send(false, &reply.done());
    }

    fn connect(&mut self) {
        let (client, server) = (self.client, self.server);
        let nowhere = [4u8, 255, 255, 255, 255, 0, 0].repeat(10);
        self.message(true, &Out::new().u8(9).u64(CLIENT_GUID).u64(1_000).u8(0).done());
        let accepted = Out::new().u8(16).bytes(address(client)).u16(0).bytes(&nowhere).u64(1_000).u64(2_000);
        self.message(false, &accepted.done());
        let arrived = Out::new().u8(19).bytes(address(server)).bytes(&nowhere).u64(2_000).u64(1_010);
        self.message(true, &arrived.done());
    }

    /// Somebody says something, reliably and in order; in pieces where it is long.
    pub fn message(&mut self, from_client: bool, bytes: &[u8]) {
        if bytes.len() <= PIECE {
            self.messages(from_client, &[bytes.to_vec()]);
            return;
        }
        let pieces: Vec<&[u8]> = bytes.chunks(PIECE).collect();
        let direction = &mut self.directions[usize::from(from_client)];
        let (order, split) = (direction.order, direction.split);
        direction.order += 1;
        direction.split += 1;
        for (index, piece) in pieces.iter().enumerate() {
            let part = Out::new().u32(pieces.len() as u32).u16(split).u32(index as u32).bytes(piece).done();
            let datagram = self.datagram(from_client, &[(0x70, order, piece.len(), part)]);
            self.send(from_client, &datagram);
        }
    }

    /// Several messages in one datagram.
    pub fn messages(&mut self, from_client: bool, messages: &[Vec<u8>]) {
        let datagram = self.prepare(from_client, messages);
        self.send(from_client, &datagram);
    }

    /// A datagram that is to be sent later, or more than once.
    pub fn prepare(&mut self, from_client: bool, messages: &[Vec<u8>]) -> Vec<u8> {
        let mut parts = Vec::new();
        for message in messages {
            let direction = &mut self.directions[usize::from(from_client)];
            parts.push((0x60, direction.order, message.len(), message.clone()));
            direction.order += 1;
        }
        self.datagram(from_client, &parts)
    }

    /// Sends a datagram as it is.
    pub fn datagram_as_is(&mut self, from_client: bool, datagram: &[u8]) {
        self.send(from_client, datagram);
    }

    /// Says something from the server in frames of the caller's own: flags, bytes of numbers, and payload.
    pub fn frames(&mut self, frames: &[(u8, Vec<u8>, Vec<u8>)]) {
        let direction = &mut self.directions[0];
        let mut out = Out::new().u8(0x84).bytes(little(direction.datagram));
        direction.datagram += 1;
        for (flags, numbers, bytes) in frames {
            out = out.u8(*flags).u16(bytes.len() as u16 * 8).bytes(numbers).bytes(bytes);
        }
        self.send(false, &out.done());
    }

    fn datagram(&mut self, from_client: bool, parts: &[(u8, u32, usize, Vec<u8>)]) -> Vec<u8> {
        let direction = &mut self.directions[usize::from(from_client)];
        let mut out = Out::new().u8(0x84).bytes(little(direction.datagram));
        direction.datagram += 1;
        for (flags, order, length, bytes) in parts {
            out = out.u8(*flags).u16(*length as u16 * 8).bytes(little(direction.message));
            out = out.bytes(little(*order)).u8(0).bytes(bytes);
            direction.message += 1;
        }
        out.done()
    }
}
