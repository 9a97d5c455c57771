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
    /// Its name, as the field tells it.
    pub const fn name(self) -> &'static str {
        match self {
            Method::None => "none",
            Method::Deflate => "deflate",
            Method::Zlib => "zlib",
            Method::Snappy => "Snappy",
        }
    }

    /// The method of the byte in front of a batch.
    pub const fn of_byte(byte: u8) -> Option<Method> {
        match byte {
            0 => Some(Method::Deflate),
            1 => Some(Method::Snappy),
            0xFF => Some(Method::None),
            _ => None,
        }
    }

    /// The method of the algorithm that NetworkSettings names.
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
    /// It grows past this many bytes.
    Grows(usize),
    /// It is not what its compression writes, from about this byte on.
    Corrupt(usize),
    /// It ends before its compression does.
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
