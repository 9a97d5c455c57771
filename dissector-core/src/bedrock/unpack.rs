//! Decompression, with bounds: a batch comes bare, as deflate, as zlib or as a Snappy block.

use flate2::{Decompress, FlushDecompress, Status};

/// A batch that grows past this many bytes is not decompressed any further.
pub const MOST_BYTES: usize = 16 << 20;
/// Nor one that grows past this many times its size.
pub const MOST_TIMES: usize = 1000;

/// How a batch is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Not at all.
    None,
    /// Deflate without a header.
    Deflate,
    /// Deflate with zlib's header and checksum.
    Zlib,
    /// A Snappy block.
    Snappy,
}

impl Method {
    /// Its name, as `bedrock.compression` tells it.
    pub const fn name(self) -> &'static str {
        match self {
            Method::None => "none",
            Method::Deflate => "deflate",
            Method::Zlib => "zlib",
            Method::Snappy => "Snappy",
        }
    }

    /// The method of the byte in front of a batch; `None` for a byte without meaning.
    pub const fn of_byte(byte: u8) -> Option<Method> {
        match byte {
            0 => Some(Method::Deflate),
            1 => Some(Method::Snappy),
            0xFF => Some(Method::None),
            _ => None,
        }
    }

    /// The method of the algorithm that NetworkSettings names; `None` for one without meaning.
    pub const fn of_algorithm(algorithm: u16) -> Option<Method> {
        match algorithm {
            0 => Some(Method::Deflate),
            1 => Some(Method::Snappy),
            0xFFFF => Some(Method::None),
            _ => None,
        }
    }
}

/// How the bytes behind the message id are to be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// All of them are the batch, compressed like this.
    Whole(Method),
    /// The first says how the rest is compressed.
    Byte,
}

impl Form {
    /// Every form, those first that tell themselves apart best.
    pub const ALL: [Form; 5] = [
        Form::Byte,
        Form::Whole(Method::None),
        Form::Whole(Method::Deflate),
        Form::Whole(Method::Zlib),
        Form::Whole(Method::Snappy),
    ];

    /// The method, and how many bytes say so; `None` where the byte means nothing or is missing.
    pub fn method(self, bytes: &[u8]) -> Option<(Method, usize)> {
        match self {
            Form::Whole(method) => Some((method, 0)),
            Form::Byte => Some((Method::of_byte(*bytes.first()?)?, 1)),
        }
    }
}

/// Why a batch did not come out whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It grows past this many bytes: [`MOST_BYTES`], or [`MOST_TIMES`] its size.
    Grows(usize),
    /// It is not what its compression writes, from about this byte on.
    Corrupt(usize),
    /// It ends before its compression does: cut by the capture, or by its sender.
    Ends,
    /// Bytes follow the end of the compressed data, from this one on.
    Surplus(usize),
}

/// Decompresses with buffers that are used again.
#[derive(Debug, Default)]
pub struct Unpacker {
    deflate: Option<Decompress>,
    zlib: Option<Decompress>,
}

impl Unpacker {
    /// Fills `out` with what `bytes` decompress to, as far as they do. [`Method::None`] copies nothing.
    pub fn unpack(&mut self, method: Method, bytes: &[u8], out: &mut Vec<u8>) -> Option<Fault> {
        out.clear();
        let most = MOST_BYTES.min(bytes.len().saturating_mul(MOST_TIMES));
        match method {
            Method::None => None,
            Method::Deflate => {
                let stream = self.deflate.get_or_insert_with(|| Decompress::new(false));
                stream.reset(false);
                inflate(stream, bytes, most, out)
            }
            Method::Zlib => {
                let stream = self.zlib.get_or_insert_with(|| Decompress::new(true));
                stream.reset(true);
                inflate(stream, bytes, most, out)
            }
            Method::Snappy => snappy(bytes, most, out),
        }
    }
}

fn inflate(stream: &mut Decompress, bytes: &[u8], most: usize, out: &mut Vec<u8>) -> Option<Fault> {
    loop {
        let (read, written) = (stream.total_in(), out.len());
        // Room grows with what has come out, never with what the bytes promise.
        let room = written.max(4 * bytes.len()).clamp(512, 1 << 20);
        out.reserve(room);
        let rest = bytes.get(read as usize..).unwrap_or(&[]);
        let status = stream.decompress_vec(rest, out, FlushDecompress::None);
        let read_now = stream.total_in();
        if out.len() > most {
            out.truncate(most);
            return Some(Fault::Grows(most));
        }
        match status {
            Err(_) => return Some(Fault::Corrupt(read_now as usize)),
            Ok(Status::StreamEnd) => {
                return ((read_now as usize) < bytes.len()).then_some(Fault::Surplus(read_now as usize));
            }
            // Neither read nor written: it waits for bytes that are not there.
            Ok(_) if read_now == read && out.len() == written => return Some(Fault::Ends),
            Ok(_) => {}
        }
    }
}

/// Whether a Snappy block that is not all there promises what a batch may be.
pub fn promises(bytes: &[u8]) -> bool {
    bytes.is_empty()
        || snap::raw::decompress_len(bytes).is_ok_and(|length| (1..=MOST_BYTES).contains(&length))
}

fn snappy(bytes: &[u8], most: usize, out: &mut Vec<u8>) -> Option<Fault> {
    let Ok(length) = snap::raw::decompress_len(bytes) else { return Some(Fault::Corrupt(0)) };
    if length > most {
        return Some(Fault::Grows(most));
    }
    // Three bytes make 64 at most: a greater promise is a lie, and no room is made for it.
    if length > bytes.len().saturating_mul(22) {
        return Some(Fault::Corrupt(0));
    }
    out.resize(length, 0);
    match snap::raw::Decoder::new().decompress(bytes, out) {
        Ok(written) => {
            out.truncate(written);
            None
        }
        Err(_) => {
            out.clear();
            Some(Fault::Corrupt(0))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const ALL: [Method; 4] = [Method::None, Method::Deflate, Method::Zlib, Method::Snappy];

    fn press(method: Method, bytes: &[u8]) -> Vec<u8> {
        let level = flate2::Compression::new(if bytes.len() < MOST_BYTES { 9 } else { 1 });
        match method {
            Method::None => bytes.to_vec(),
            Method::Deflate => {
                let mut writer = flate2::write::DeflateEncoder::new(Vec::new(), level);
                writer.write_all(bytes).unwrap();
                writer.finish().unwrap()
            }
            Method::Zlib => {
                let mut writer = flate2::write::ZlibEncoder::new(Vec::new(), level);
                writer.write_all(bytes).unwrap();
                writer.finish().unwrap()
            }
            Method::Snappy => snap::raw::Encoder::new().compress_vec(bytes).unwrap(),
        }
    }

    fn unpack(method: Method, bytes: &[u8]) -> (Option<Fault>, Vec<u8>) {
        let mut out = vec![9; 3];
        (Unpacker::default().unpack(method, bytes, &mut out), out)
    }

    #[test]
    fn numbers_and_names_of_methods() {
        assert_eq!(ALL.map(Method::name), ["none", "deflate", "zlib", "Snappy"]);
        let named = [Some(Method::Deflate), Some(Method::Snappy), Some(Method::None), None, None];
        assert_eq!([0, 1, 0xFF, 2, 0xFE].map(Method::of_byte), named);
        assert_eq!([0, 1, 0xFFFF, 2, 0xFF].map(Method::of_algorithm), named);
        assert_eq!(Form::Byte.method(&[1, 2]), Some((Method::Snappy, 1)));
        assert_eq!([Form::Byte.method(&[]), Form::Byte.method(&[9])], [None, None]);
        assert_eq!(Form::Whole(Method::Zlib).method(&[]), Some((Method::Zlib, 0)));
    }

    #[test]
    fn what_is_whole_comes_out_whole_with_one_unpacker() {
        let noise: Vec<u8> = (0..5000u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let (mut unpacker, mut out) = (Unpacker::default(), Vec::new());
        for bytes in [&b"once"[..], &[7; 3000], &noise, &[]] {
            for method in ALL {
                let fault = unpacker.unpack(method, &press(method, bytes), &mut out);
                let expected = if method == Method::None { &[][..] } else { bytes };
                assert_eq!((fault, out.as_slice()), (None, expected), "{method:?}");
            }
        }
    }

    #[test]
    fn every_fault_says_where() {
        let text = b"what is said twice is said twice what is said twice";
        for method in [Method::Deflate, Method::Zlib] {
            let pressed = press(method, text);
            let more = [&pressed[..], &[1, 2, 3]].concat();
            assert_eq!(unpack(method, &more), (Some(Fault::Surplus(pressed.len())), text.to_vec()));
            let (fault, out) = unpack(method, &pressed[..pressed.len() - 6]);
            assert_eq!(fault, Some(Fault::Ends), "{method:?}");
            assert!(text.starts_with(&out), "{method:?}");
            assert_eq!(unpack(method, &[]), (Some(Fault::Ends), Vec::new()));
        }
        // A stored block whose length is not what its complement says; zlib with a wrong checksum.
        assert!(matches!(unpack(Method::Deflate, &[1, 2, 0, 9, 9, 1]).0, Some(Fault::Corrupt(1..=5))));
        let mut pressed = press(Method::Zlib, text);
        *pressed.last_mut().unwrap() ^= 1;
        assert_eq!(unpack(Method::Zlib, &pressed).0, Some(Fault::Corrupt(pressed.len())));
        assert_eq!(unpack(Method::Snappy, &[0x80]), (Some(Fault::Corrupt(0)), Vec::new()));
        assert_eq!(unpack(Method::Snappy, &[9, 0xFF, 1, 2]), (Some(Fault::Corrupt(0)), Vec::new()));
    }

    /// Stored blocks and runs of zeros that come out as exactly so many bytes.
    #[test]
    fn growth_has_bounds() {
        // A thousand times the bytes: deflate makes 1032 of one at most.
        let pressed = press(Method::Deflate, &vec![0; 4 << 20]);
        let most = pressed.len() * MOST_TIMES;
        assert!(most < 4 << 20, "more than a thousand times");
        let (fault, out) = unpack(Method::Deflate, &pressed);
        assert_eq!((fault, out.len()), (Some(Fault::Grows(most)), most));
        // Bytes that follow raise the bound, until all of it may come out.
        let lacks = (4 << 20) - most;
        let filled = [&pressed[..], &vec![0; lacks.div_ceil(MOST_TIMES)]].concat();
        let (fault, out) = unpack(Method::Deflate, &filled);
        assert_eq!((fault, out.len()), (Some(Fault::Surplus(pressed.len())), 4 << 20));
        for (length, fault) in [(MOST_BYTES, None), (MOST_BYTES + 1, Some(Fault::Grows(MOST_BYTES)))] {
            // noise in front, so that a thousand times is more than enough
            let mut bytes: Vec<u8> =
                (0..200_000u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
            bytes.resize(length, 0);
            let (got, out) = unpack(Method::Deflate, &press(Method::Deflate, &bytes));
            assert_eq!((got, out.len()), (fault, MOST_BYTES), "{length}");
        }
    }

    #[test]
    fn what_snappy_promises_is_not_believed() {
        let promise = |length: u32, bytes: usize| {
            let mut block = Vec::new();
            let mut rest = length;
            while rest > 0x7F {
                block.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            block.push(rest as u8);
            block.resize(bytes, 0);
            unpack(Method::Snappy, &block).0
        };
        assert_eq!(promise(20_000, 20), Some(Fault::Corrupt(0)), "no room is made for it");
        assert_eq!(promise(20_001, 20), Some(Fault::Grows(20_000)));
        assert_eq!(promise(MOST_BYTES as u32 + 1, 1 << 20), Some(Fault::Grows(MOST_BYTES)));
        assert_eq!(promise(MOST_BYTES as u32, 1 << 20), Some(Fault::Corrupt(0)));
        // 64 bytes of three: as much as there can be.
        let copies = [&[0x81, 20, 0, 7][..], &[0xFE, 1, 0].repeat(40)].concat();
        let expected = vec![7; 2561];
        assert_eq!(copies.len() * 22, 2728);
        assert_eq!(unpack(Method::Snappy, &copies), (None, expected));
        let makes_room = |block: &[u8]| {
            let mut out = Vec::new();
            Unpacker::default().unpack(Method::Snappy, block, &mut out);
            out.capacity() > 0
        };
        assert!(makes_room(&[66, 0, 0]) && !makes_room(&[67, 0, 0]));
    }

    #[test]
    fn a_block_that_is_cut_promises_a_batch_or_none() {
        assert!(promises(&[]) && promises(&[1]) && promises(&[0x80, 0x80, 0x80, 8]));
        assert!(!promises(&[0]) && !promises(&[0x81, 0x80, 0x80, 8]) && !promises(&[0x80]));
    }
}
