//! What is the same for all messages of a payload.

use super::build::SessionBuild;
use super::payload::Payload;
use super::walk::Message;
use crate::capture::Detail;
use crate::decode::Input;

/// Depth of what stands directly under a message's record, which is in the `lol` item of its datagram.
pub const UNDER: u8 = 2;

/// What is the same for all messages of a payload.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The payload that is read.
    pub payload: &'a Payload<'a>,
    /// Its readable bytes: deciphered, or as they came.
    pub bytes: &'a [u8],
    /// Flags for nodes of these bytes.
    pub flags: u16,
    /// The build it is read as; `None` while that is not known.
    pub build: Option<SessionBuild>,
}

impl<'a> Context<'a> {
    /// Whether nodes are wanted.
    pub fn nodes(&self) -> bool {
        self.payload.detail >= Detail::Tree
    }

    /// Whether the Info line is wanted.
    pub fn columns(&self) -> bool {
        self.payload.detail >= Detail::Columns
    }

    /// Position and length in the data source.
    pub fn at(&self, offset: u32, length: u32) -> (u32, u32) {
        (self.payload.base + offset, length)
    }

    /// The body of a message as the decoder wants it, without origin and names.
    pub fn input(&self, message: &Message) -> Input<'a> {
        let body = self.bytes.get(message.body as usize..).unwrap_or(&[]);
        Input {
            bytes: &body[..body.len().min(message.length as usize)],
            reported: message.length,
            base: self.payload.base + message.body,
            channel: Some(self.payload.channel),
            flags: self.flags,
            depth: UNDER + 1,
            origin: None,
            build: self.build.map(|known| known.build),
            labels: self.payload.detail >= Detail::Labels,
            names: None,
        }
    }
}
