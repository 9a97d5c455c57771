//! Where the message at hand is deciphered and decompressed, in buffers that are used again.

use super::batch;
use super::crypt::{Seal, TRAILER};
use super::layouts::{id, layout};
use super::records::Record;
use super::unpack::{self, Fault, Form, Method, Unpacker};
use crate::capture::{DatagramId, Packet};

/// What a buffer may keep from one message to the next, bytes: a batch of megabytes is rare.
const ROOM: usize = 1 << 20;

/// How a message's batch came out.
#[derive(Clone, Copy, Debug)]
pub struct Opened {
    /// Where the message stands in the capture.
    pub id: DatagramId,
    /// The method and the bytes that say so; `None` where the byte means nothing.
    pub method: Option<(Method, usize)>,
    /// Why it did not come out whole; `None` where it did.
    pub fault: Option<Fault>,
}

/// Buffers for the message at hand.
#[derive(Debug, Default)]
pub struct Workbench {
    unpacker: Unpacker,
    /// The message deciphered, its message id first; empty where it came in clear.
    pub clear: Vec<u8>,
    /// The batch as it was decompressed; empty where it came as it is.
    pub batch: Vec<u8>,
    /// Which message `clear` and `batch` hold; `None` where they hold none.
    pub opened: Option<Opened>,
    /// Whether the next fit is to fail, as a fault of ours would.
    #[cfg(test)]
    pub panics: bool,
}

impl Workbench {
    /// Deciphers and decompresses a message as its record says, unless that was just done.
    pub fn open(&mut self, packet: &Packet<'_>, record: &Record) -> Opened {
        if let Some(opened) = self.opened.filter(|opened| opened.id == packet.id()) {
            return opened;
        }
        self.decipher(packet.bytes, record.seal);
        let content = content(packet.bytes, &self.clear, record.seal, packet.reported as usize);
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
        #[cfg(test)]
        assert!(!std::mem::take(&mut self.panics), "a test asks for it");
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

    /// Whether bytes that the capture cut short may be the start of a batch in this form.
    pub fn begins(&mut self, form: Form, bytes: &[u8]) -> bool {
        let Some((method, head)) = form.method(bytes) else { return false };
        let rest = &bytes[head..];
        match method {
            Method::None => batch::starts(rest),
            Method::Snappy => unpack::promises(rest),
            Method::Deflate | Method::Zlib => {
                let fault = self.unpacker.unpack(method, rest, &mut self.batch);
                !matches!(fault, Some(Fault::Corrupt(_))) && batch::starts(&self.batch)
            }
        }
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

/// What follows the message id of a message of `reported` bytes, in clear and without the trailer.
pub fn content<'a>(bytes: &'a [u8], clear: &'a [u8], seal: Seal, reported: usize) -> &'a [u8] {
    match seal {
        Seal::Deciphered { .. } => {
            // The capture may have cut the trailer only, or part of it.
            let end = clear.len().min(reported.saturating_sub(TRAILER));
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
        if packet.id() == id::MOVE_ACTOR_DELTA
            && layout(packet.id(), (None, Form::Whole(method)), body).is_some()
        {
            return true;
        }
        at = packet.end;
    }
    false
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::bedrock::Key;

    const BYTE: Form = Form::Byte;
    const BARE: Form = Form::Whole(Method::None);
    const DEFLATE: Form = Form::Whole(Method::Deflate);
    const ID: DatagramId = DatagramId { frame: 1, datagram: 0 };
    /// A packet 111 of protocol 1001 without a component.
    const STILL: [u8; 5] = [4, 0x6F, 2, 0, 0];

    fn deflated(bytes: &[u8], ends: bool) -> Vec<u8> {
        let mut writer = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        writer.write_all(bytes).unwrap();
        if ends {
            return writer.finish().unwrap();
        }
        writer.flush().unwrap();
        writer.get_ref().clone()
    }

    fn fit(expected: Option<Form>, known: bool, bytes: &[u8]) -> Option<Form> {
        let mut bench = Workbench::default();
        let form = bench.fit(expected, known, bytes, ID);
        assert!(form.is_none() || bench.opened.is_some(), "it is left opened");
        form
    }

    #[test]
    fn what_is_known_need_not_convince() {
        let text = [&[0xFF][..], &[2, 9, 1]].concat();
        assert_eq!([fit(None, false, &text), fit(None, true, &text)], [None, Some(BYTE)]);
        assert_eq!(fit(Some(BARE), true, &text[1..]), Some(BARE));
        // Bare packets are taken for a batch only where they are expected, or a handshake.
        assert_eq!([fit(None, true, &text[1..]), fit(Some(BYTE), true, &text[1..])], [None, None]);
        assert_eq!(fit(None, true, &[6, 0xC1, 1, 0, 0, 8, 0xA0]), Some(BARE));
        assert_eq!(fit(None, false, &[6, 0xC1, 1, 0, 0, 8, 0xA0]), Some(BARE));
        // Packets that do not fill the batch are no batch.
        assert_eq!(fit(Some(BYTE), true, &[0xFF, 3, 9, 1]), None);
        assert_eq!(fit(Some(BYTE), true, &[0xFF]), None);
        assert_eq!(fit(None, true, &[]), None);
    }

    #[test]
    fn a_stream_left_open_is_one_where_the_session_is_known() {
        let batch = STILL.repeat(3);
        for (ends, known, form) in [
            (true, false, Some(DEFLATE)),
            (true, true, Some(DEFLATE)),
            (false, true, Some(DEFLATE)),
            (false, false, None),
        ] {
            assert_eq!(fit(None, known, &deflated(&batch, ends)), form, "{ends} {known}");
        }
        let surplus = [&deflated(&batch, true)[..], &[1, 2]].concat();
        assert_eq!(fit(None, true, &surplus), None);
    }

    #[test]
    fn what_grows_as_expected_is_tried_no_further() {
        let zeros = deflated(&vec![0; 4 << 20], true);
        let mut bench = Workbench::default();
        assert_eq!(bench.fit(Some(DEFLATE), true, &zeros, ID), None);
        let opened = bench.opened.take().unwrap();
        assert!(matches!(opened.fault, Some(Fault::Grows(_))) && opened.method == Some((Method::Deflate, 0)));
        assert_eq!(bench.fit(Some(BYTE), true, &zeros, ID), None);
        assert!(bench.opened.is_none(), "another form that grows says nothing");
        // A Snappy block that is too small to say so: the next form is tried.
        let snappy = [&[0xFF, 0xFF, 0xFF, 0x7F][..], &[0; 4]].concat();
        assert_eq!(bench.fit(Some(BARE), true, &snappy, ID), None);
        assert!(bench.opened.is_none());
    }

    #[test]
    fn chance_is_ruled_out_by_length_or_by_a_layout() {
        assert!(convinces(Method::Deflate, &[1, 9, 1, 9, 1, 9, 1, 9]));
        assert!(!convinces(Method::Deflate, &[1, 9, 1, 9, 1, 9, 9]));
        assert!(!convinces(Method::None, &[1, 9].repeat(10)), "bare bytes are not checked by a stream");
        assert!(convinces(Method::None, &STILL));
        assert!(convinces(Method::None, &[&[1, 9][..], &STILL].concat()));
        assert!(!convinces(Method::None, &[2, 0x6F, 0x80]), "no layout fits");
        assert!(!convinces(Method::None, &[6, 0xC1, 1, 0, 0, 8, 0xA0]));
    }

    #[test]
    fn handshakes_are_known_by_their_sizes() {
        let of = |id: u8, size: usize| {
            let batch = [&[size as u8 + 2, 0x80 | id & 0x7F, 1][..], &vec![0; size]].concat();
            is_handshake(&batch)
        };
        assert_eq!([3, 4, 5].map(|size| of(193, size)), [false, true, false]);
        assert_eq!([9, 10, 12, 13].map(|size| of(143, size)), [false, true, true, false]);
        assert!(!of(194, 4) && !of(194, 10) && !is_handshake(&[]) && !is_handshake(&[0]));
        assert!(!is_handshake(&[6, 0xC1, 1, 0, 0, 8, 0xA0, 1, 9]));
    }

    #[test]
    fn a_start_is_judged_by_its_form() {
        let mut bench = Workbench::default();
        let pressed = deflated(&STILL.repeat(4), true);
        assert!(
            bench.begins(BYTE, &[0xFF, 9, 9]) && !bench.begins(BYTE, &[0xFF, 0]) && !bench.begins(BYTE, &[7])
        );
        assert!(bench.begins(DEFLATE, &pressed[..5]) && bench.begins(DEFLATE, &[]));
        assert!(!bench.begins(DEFLATE, &[1, 2, 0, 9, 9, 1]), "it is no deflate");
        assert!(!bench.begins(DEFLATE, &deflated(&[0; 9], true)), "it is no batch");
        assert!(bench.begins(Form::Whole(Method::Snappy), &[9]));
        assert!(!bench.begins(Form::Whole(Method::Snappy), &[0]));
    }

    #[test]
    fn content_is_without_the_trailer() {
        let bytes: Vec<u8> = (0..20).collect();
        let seal = Seal::Deciphered { key: Key::new([1; 32]), position: 0, counter: 0, proved: true };
        assert_eq!(content(&[], &bytes, seal, 20), &bytes[1..12]);
        assert_eq!(content(&[], &bytes, seal, 25), &bytes[1..17], "a part of the trailer was cut");
        assert_eq!(content(&[], &bytes, seal, 99), &bytes[1..]);
        assert_eq!(content(&bytes, &[], Seal::Clear, 20), &bytes[1..]);
        assert!(
            content(&[], &bytes[..8], seal, 8).is_empty() && content(&[], &[], Seal::Clear, 0).is_empty()
        );
    }

    #[test]
    fn rare_room_is_given_back() {
        let mut bench = Workbench::default();
        bench.clear.reserve_exact(ROOM * 3);
        bench.batch.reserve_exact(ROOM * 3);
        bench.tidy();
        assert_eq!(bench.clear.capacity(), 1 << 20);
        assert_eq!(bench.batch.capacity(), 1 << 20);
    }

    #[test]
    fn the_batch_is_taken_from_where_it_is() {
        let taken = |method: Option<Method>, batch: &[u8]| {
            let opened = method.map(|method| Opened { id: ID, method: Some((method, 1)), fault: None });
            Workbench { opened, batch: batch.to_vec(), ..Workbench::default() }.take_batch(&[7, 8, 9])
        };
        assert_eq!(taken(Some(Method::None), &[4]), [8, 9]);
        assert_eq!(taken(Some(Method::Snappy), &[4, 5]), [4, 5]);
        assert!(taken(None, &[4]).is_empty());
    }
}
