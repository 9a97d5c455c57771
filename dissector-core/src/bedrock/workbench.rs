//! Where the message at hand is deciphered and decompressed, in buffers that are used again.

use super::batch;
use super::crypt::{Seal, TRAILER};
use super::layouts::{id, layout};
use super::records::Record;
use super::unpack::{Fault, Form, Method, Unpacker};
use crate::capture::{DatagramId, Packet};

/// What a buffer may keep from one message to the next, bytes: a batch of megabytes is rare.
const ROOM: usize = 1 << 20;

/// How a message's batch came out.
#[derive(Clone, Copy, Debug)]
pub struct Opened {
    /// Which message.
    pub id: DatagramId,
    /// The method and the bytes that say so; `None` where the byte means nothing.
    pub method: Option<(Method, usize)>,
    /// Why it did not come out whole.
    pub fault: Option<Fault>,
}

/// Buffers for the message at hand.
#[derive(Debug, Default)]
pub struct Workbench {
    unpacker: Unpacker,
    /// The message deciphered, and its batch decompressed.
    pub clear: Vec<u8>,
    /// The batch, where it was compressed.
    pub batch: Vec<u8>,
    /// What `clear` and `batch` hold.
    pub opened: Option<Opened>,
}

impl Workbench {
    /// Deciphers and decompresses a message as its record says, unless that was just done.
    pub fn open(&mut self, packet: &Packet<'_>, record: &Record) -> Opened {
        if let Some(opened) = self.opened.filter(|opened| opened.id == packet.id()) {
            return opened;
        }
        self.decipher(packet.bytes, record.seal);
        let content = content(packet.bytes, &self.clear, record.seal, packet.is_whole());
        let method = record.form.method(content);
        let fault =
            method.and_then(|(method, head)| self.unpacker.unpack(method, &content[head..], &mut self.batch));
        let opened = Opened { id: packet.id(), method, fault };
        self.opened = Some(opened);
        opened
    }

    /// Fills `clear` with a message of which all that follows the message id is deciphered.
    pub fn decipher(&mut self, bytes: &[u8], seal: Seal) {
        self.clear.clear();
        if let Seal::Deciphered { key, position, .. } = seal {
            self.clear.extend(bytes);
            if let Some(rest) = self.clear.get_mut(1..) {
                key.apply(position, rest);
            }
        }
    }

    /// The form in which the bytes are exactly one batch; `expected` first. It is left opened.
    ///
    /// Where the session is not known to be Bedrock's, chance must be ruled out too.
    pub fn fit(&mut self, expected: Option<Form>, known: bool, bytes: &[u8], id: DatagramId) -> Option<Form> {
        let others = Form::ALL.into_iter().filter(|form| Some(*form) != expected);
        for form in expected.into_iter().chain(others) {
            let Some((method, head)) = form.method(bytes) else { continue };
            let fault = self.unpacker.unpack(method, &bytes[head..], &mut self.batch);
            let opened = Opened { id, method: Some((method, head)), fault };
            if matches!(fault, Some(Fault::Grows(_))) && Some(form) == expected {
                self.opened = Some(opened);
                return None;
            }
            let batch = if method == Method::None { &bytes[head..] } else { &self.batch };
            // A writer may leave its stream open; random bytes are such a stream too often.
            let ends = fault.is_none() || known && fault == Some(Fault::Ends);
            let bare = form == Form::Whole(Method::None) && Some(form) != expected;
            let likely = if bare { is_handshake(batch) } else { known || convinces(method, batch) };
            if ends && batch::count(batch).is_some() && likely {
                self.opened = Some(opened);
                return Some(form);
            }
        }
        None
    }

    /// The batch of the message that was opened last, taken out; `content` is what follows the message id, in clear.
    pub fn take_batch(&mut self, content: &[u8]) -> Vec<u8> {
        match self.opened {
            Some(Opened { method: Some((Method::None, head)), .. }) => {
                content.get(head..).unwrap_or(&[]).to_vec()
            }
            Some(Opened { method: Some(_), .. }) => std::mem::take(&mut self.batch),
            _ => Vec::new(),
        }
    }

    /// Gives room back that only a rare message needs.
    pub fn tidy(&mut self) {
        self.clear.shrink_to(ROOM);
        self.batch.shrink_to(ROOM);
    }
}

/// What follows the message id, in clear and without the trailer.
pub fn content<'a>(bytes: &'a [u8], clear: &'a [u8], seal: Seal, whole: bool) -> &'a [u8] {
    match seal {
        Seal::Deciphered { .. } => {
            let end = if whole { clear.len().saturating_sub(TRAILER) } else { clear.len() };
            clear.get(1..end).unwrap_or(&[])
        }
        _ => bytes.get(1..).unwrap_or(&[]),
    }
}

/// Whether a batch is one of those that are sent bare before anything is agreed on.
fn is_handshake(batch: &[u8]) -> bool {
    let Some(Ok(first)) = batch::packet(batch, 0) else { return false };
    let size = first.end - first.body;
    first.end == batch.len()
        && match first.id() {
            id::REQUEST_NETWORK_SETTINGS => size == 4,
            id::NETWORK_SETTINGS => (10..=12).contains(&size),
            _ => false,
        }
}

/// Whether a batch that came out whole is more than chance: random bytes do so once in some thousand times.
fn convinces(method: Method, batch: &[u8]) -> bool {
    if method != Method::None && batch.len() >= 8 {
        return true;
    }
    let mut at = 0;
    while let Some(Ok(packet)) = batch::packet(batch, at) {
        let body = &batch[packet.body..packet.end];
        if packet.id() == id::MOVE_ACTOR_DELTA && layout(packet.id(), None, body).is_some() {
            return true;
        }
        at = packet.end;
    }
    false
}
