//! Arbitrary bytes that are the same on every run, and a builder for network byte order.

/// A small generator of numbers (splitmix64), started from a fixed seed.
pub struct Dice(u64);

impl Dice {
    /// A generator that gives the same numbers for the same seed.
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number from 0 up to, not including, `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// So many bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }
}

/// Bytes put one after another, numbers in network byte order.
#[derive(Clone, Default)]
pub struct Out(Vec<u8>);

impl Out {
    /// Nothing yet.
    pub fn new() -> Out {
        Out::default()
    }

    /// Adds a byte.
    pub fn u8(self, value: u8) -> Out {
        self.bytes([value])
    }

    /// Adds two bytes.
    pub fn u16(self, value: u16) -> Out {
        self.bytes(value.to_be_bytes())
    }

    /// Adds four bytes.
    pub fn u32(self, value: u32) -> Out {
        self.bytes(value.to_be_bytes())
    }

    /// Adds eight bytes.
    pub fn u64(self, value: u64) -> Out {
        self.bytes(value.to_be_bytes())
    }

    /// Adds bytes as they are.
    pub fn bytes(mut self, bytes: impl AsRef<[u8]>) -> Out {
        self.0.extend_from_slice(bytes.as_ref());
        self
    }

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The bytes.
    pub fn done(self) -> Vec<u8> {
        self.0
    }
}

/// The common CRC-32, as STUN fingerprints and ENet checksums use it.
pub fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    !crc
}
