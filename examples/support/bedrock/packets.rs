//! Packets and batches of Bedrock, written by the project's own encoder.

use std::io::Write;

use dissector_core::book::bedrock::{protocol, MOVE_ACTOR};
use dissector_core::encode::{self, Value};
use dissector_core::registry::REGISTRY;

/// The byte in front of every game packet.
pub const GAME_PACKET: u8 = 0xFE;

/// What a MoveActorDelta states; what is left out has not changed.
#[derive(Clone, Copy, Default)]
pub struct Move {
    /// The actor.
    pub actor: u64,
    /// Where it is now.
    pub at: [Option<f32>; 3],
    /// Pitch, yaw and yaw of the head, in 256ths of a circle.
    pub turn: [Option<i8>; 3],
    /// On the ground, put there, put there if it is the receiver's own, own movement completed.
    pub flags: [bool; 4],
    /// Until the next update.
    pub ticks: u64,
}

impl Move {
    /// The packet in a protocol, with the sub-clients it is between.
    pub fn packet(self, number: u16, sender: u16, target: u16) -> Vec<u8> {
        let of = |program: &&dissector_core::registry::Program| {
            std::ptr::eq(program.message, &MOVE_ACTOR) && program.layout.builds.holds(protocol(number))
        };
        let program = REGISTRY.bedrock.iter().find(of).expect("a protocol of the book");
        let body = encode::body(program, None, &self.fields(number)).expect("the fields of the layout");
        let header = 111 | sender << 10 | target << 12;
        [varint(header.into()), body].concat()
    }

    fn fields(self, number: u16) -> Value {
        const PARTS: [&str; 6] =
            ["newPositionX", "newPositionY", "newPositionZ", "rotationX", "rotationY", "rotationYHead"];
        const FLAGS: [&str; 4] = ["isOnGround", "forceMove", "forceMoveLocalEntity", "forceCompletion"];
        let at = self.at.map(|value| value.map_or(Value::Absent, Value::Float));
        let turn = self.turn.map(|value| value.map_or(Value::Absent, |value| Value::Int(value.into())));
        let parts: Vec<Value> = at.into_iter().chain(turn).collect();
        let flags = FLAGS.iter().zip(self.flags).map(|(name, set)| ((*name).into(), Value::Int(set.into())));
        let mut rows = vec![("actorRuntimeId".to_owned(), Value::Int(self.actor.into()))];
        if number < 2168 {
            let there = |value: &Value| Value::Int((*value != Value::Absent).into());
            let mut header: Vec<_> =
                PARTS.iter().zip(&parts).map(|(name, value)| ((*name).to_owned(), there(value))).collect();
            header.extend(flags.clone());
            header.push(("unused".to_owned(), Value::Int(0)));
            rows.push(("header".to_owned(), Value::Record(header)));
        }
        rows.extend(PARTS.iter().zip(parts).map(|(name, value)| ((*name).to_owned(), value)));
        if number >= 2168 {
            rows.extend(flags);
        }
        if number >= 2193 {
            rows.push(("ticks".to_owned(), Value::Int(self.ticks.into())));
        }
        Value::Record(rows)
    }
}

/// A number in groups of seven bits.
pub fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 0x7F {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

/// A packet by number.
pub fn packet(id: u64, body: &[u8]) -> Vec<u8> {
    [&varint(id), body].concat()
}

/// The client asks how batches are compressed.
pub fn request_network_settings(number: u16) -> Vec<u8> {
    packet(193, &i32::from(number).to_be_bytes())
}

/// The server says how: 0 deflate, 1 Snappy, 65535 not at all.
pub fn network_settings(algorithm: u16) -> Vec<u8> {
    let mut body = vec![0, 1];
    body.extend(algorithm.to_le_bytes());
    body.extend([0, 0, 0, 0, 0, 0]);
    packet(143, &body)
}

/// The client says who plays; the tokens are made up.
pub fn login(number: u16) -> Vec<u8> {
    let tokens = b"{\"chain\":[\"made.up.token\"]}";
    let request = [&(tokens.len() as u32).to_le_bytes()[..], tokens, &[0; 4]].concat();
    packet(1, &[&i32::from(number).to_be_bytes()[..], &varint(request.len() as u64), &request].concat())
}

/// Packets with their lengths in front.
pub fn batch(packets: &[Vec<u8>]) -> Vec<u8> {
    packets.iter().flat_map(|packet| [varint(packet.len() as u64), packet.clone()].concat()).collect()
}

/// Deflate without a header.
pub fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    writer.write_all(bytes).expect("a Vec takes all bytes");
    writer.finish().expect("a Vec takes all bytes")
}

/// Deflate with zlib's header and checksum.
pub fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    writer.write_all(bytes).expect("a Vec takes all bytes");
    writer.finish().expect("a Vec takes all bytes")
}

/// A Snappy block.
pub fn snappy(bytes: &[u8]) -> Vec<u8> {
    snap::raw::Encoder::new().compress_vec(bytes).expect("the batch is small")
}
