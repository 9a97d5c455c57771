//! Const functions that rows and runs of bits are written with.

use super::{Count, Extent, Info, Item, Meaning, Presence, Role, Row, Run, StructDef, Type};
use crate::field::ValueStrings;
use crate::name_list::Named;
use crate::version::Range;

impl Row {
    const fn new(name: &'static str, title: &'static str, blurb: &'static str, ty: Type) -> Row {
        Row {
            name,
            filter: None,
            also: None,
            title,
            blurb,
            ty,
            present: Presence::Always,
            value_strings: &[],
            unit: "",
            meaning: Meaning::None,
            role: Role::None,
            info: Info::None,
        }
    }

    /// The same row, there only where the row at `path` is not zero.
    pub const fn when_set(mut self, path: &'static str) -> Row {
        self.present = Presence::Set(path);
        self
    }

    /// The same row, there only where the row at `path` holds `value`.
    pub const fn when(mut self, path: &'static str, value: i64) -> Row {
        self.present = Presence::Is(path, value);
        self
    }

    /// The same row, there only where run `run` of the bit array `path` holds `value` for this item.
    pub const fn when_group(mut self, path: &'static str, run: &'static str, value: i64) -> Row {
        self.present = Presence::GroupIs(path, run, value);
        self
    }

    /// The same row, there unless run `run` is all that is set in the word at `path`.
    pub const fn unless_alone(mut self, path: &'static str, run: &'static str) -> Row {
        self.present = Presence::UnlessAlone(path, run);
        self
    }

    /// The same row, there only where bytes are left.
    pub const fn when_remaining(mut self) -> Row {
        self.present = Presence::Remaining;
        self
    }

    /// The same row, there only where a byte in front of it says so.
    pub const fn optional(mut self) -> Row {
        self.present = Presence::Flagged;
        self
    }

    /// The same row under another last part of its filter name.
    pub const fn filter(mut self, name: &'static str) -> Row {
        self.filter = Some(name);
        self
    }

    /// The same row, a whole number, filterable under this whole name too.
    pub const fn also(mut self, name: &'static str) -> Row {
        self.also = Some(name);
        self
    }

    /// The same row with names for its values.
    pub const fn value_strings(mut self, value_strings: ValueStrings) -> Row {
        self.value_strings = value_strings;
        self
    }

    /// The same row in seconds.
    pub const fn seconds(mut self) -> Row {
        self.unit = "s";
        self
    }

    /// The same row, some of whose values mean something in this layout.
    pub const fn values(mut self, value_strings: ValueStrings) -> Row {
        self.meaning = Meaning::Values(value_strings);
        self
    }

    /// The same row, a number whose bits mean something each.
    pub const fn meaning(mut self, runs: &'static [Run]) -> Row {
        self.meaning = Meaning::Bits(runs);
        self
    }

    /// The same row with a role.
    pub const fn role(mut self, role: Role) -> Row {
        self.role = role;
        self
    }

    /// The same row, named in the Info column.
    pub const fn info(mut self, info: Info) -> Row {
        self.info = info;
        self
    }
}

impl Run {
    /// The same run, filterable as yes or no under this whole name too.
    pub const fn also(mut self, name: &'static str) -> Run {
        self.also = Some(name);
        self
    }

    /// The same run, without effect outside these builds.
    pub const fn acting(mut self, builds: Range) -> Run {
        self.acts = Some(builds);
        self
    }
}

macro_rules! int_rows {
    ($($(#[$doc:meta])* $name:ident $bytes:literal $signed:literal;)*) => {$(
        $(#[$doc])*
        pub const fn $name(name: &'static str, title: &'static str, blurb: &'static str) -> Row {
            Row::new(name, title, blurb, Type::Int { bytes: $bytes, signed: $signed })
        }
    )*};
}

int_rows! {
    /// An unsigned byte.
    u8 1 false;
    /// A signed byte.
    i8 1 true;
    /// An unsigned 16-bit number.
    u16 2 false;
    /// A signed 16-bit number.
    i16 2 true;
    /// An unsigned 32-bit number.
    u32 4 false;
    /// A signed 32-bit number.
    i32 4 true;
    /// An unsigned 64-bit number.
    u64 8 false;
    /// A signed 64-bit number.
    i64 8 true;
}

/// A signed 32-bit number, the highest byte first.
pub const fn i32_be(name: &'static str, title: &'static str, blurb: &'static str) -> Row {
    Row::new(name, title, blurb, Type::BigEndian { bytes: 4, signed: true })
}

/// An unsigned number of up to 64 bits in groups of seven.
pub const fn varint64(name: &'static str, title: &'static str, blurb: &'static str) -> Row {
    Row::new(name, title, blurb, Type::Varint { bits: 64 })
}

/// A signed number of 32 bits, its sign in the lowest bit, in groups of seven.
pub const fn zig_zag32(name: &'static str, title: &'static str, blurb: &'static str) -> Row {
    Row::new(name, title, blurb, Type::ZigZag { bits: 32 })
}

/// Yes or no.
pub const fn boolean(name: &'static str, title: &'static str, blurb: &'static str) -> Row {
    Row::new(name, title, blurb, Type::Bool)
}

/// A 4-byte float.
pub const fn f32(name: &'static str, title: &'static str, blurb: &'static str) -> Row {
    Row::new(name, title, blurb, Type::F32)
}

/// A network id: a u32 that also answers to `lol.unit`.
pub const fn unit(name: &'static str, title: &'static str, blurb: &'static str) -> Row {
    u32(name, title, blurb).role(Role::Unit)
}

/// The hash of a name: a u32 written in hexadecimal.
pub const fn name_hash(name: &'static str, title: &'static str, blurb: &'static str) -> Row {
    u32(name, title, blurb).role(Role::NameHash(Named::Thing))
}

/// The hash of a package's name, which is made by another rule.
pub const fn package_hash(name: &'static str, title: &'static str, blurb: &'static str) -> Row {
    u32(name, title, blurb).role(Role::NameHash(Named::Package))
}

/// A word of bits.
pub const fn bits(
    name: &'static str,
    title: &'static str,
    blurb: &'static str,
    bytes: u8,
    runs: &'static [Run],
) -> Row {
    Row::new(name, title, blurb, Type::Bits { bytes, runs })
}

/// Groups of bits without padding.
pub const fn bit_array(
    name: &'static str,
    title: &'static str,
    blurb: &'static str,
    count: Count,
    runs: &'static [Run],
) -> Row {
    Row::new(name, title, blurb, Type::BitArray { count, runs })
}

/// A record.
pub const fn record(
    name: &'static str,
    title: &'static str,
    blurb: &'static str,
    rows: &'static [Row],
) -> Row {
    Row::new(name, title, blurb, Type::Record(rows))
}

/// A shared struct.
pub const fn structure(
    name: &'static str,
    title: &'static str,
    blurb: &'static str,
    of: &'static StructDef,
) -> Row {
    Row::new(name, title, blurb, Type::Struct(of))
}

/// A list.
pub const fn list(
    name: &'static str,
    title: &'static str,
    blurb: &'static str,
    count: Count,
    of: Item,
) -> Row {
    Row::new(name, title, blurb, Type::List { count, of })
}

/// A list that fills as many bytes as the row at the path `bytes` says.
pub const fn list_bytes(
    name: &'static str,
    title: &'static str,
    blurb: &'static str,
    bytes: &'static str,
    of: Item,
) -> Row {
    Row::new(name, title, blurb, Type::ListBytes { bytes, of })
}

/// Text.
pub const fn text(name: &'static str, title: &'static str, blurb: &'static str, extent: Extent) -> Row {
    Row::new(name, title, blurb, Type::Text(extent))
}

/// Bytes.
pub const fn bytes(name: &'static str, title: &'static str, blurb: &'static str, extent: Extent) -> Row {
    Row::new(name, title, blurb, Type::Bytes(extent))
}

/// One bit of a word, which says yes or no.
pub const fn bit(name: &'static str, title: &'static str, blurb: &'static str, at: u8) -> Run {
    Run { is_flag: true, ..run(name, title, blurb, at, at) }
}

/// A run of bits of a word, both ends included: a number.
pub const fn run(name: &'static str, title: &'static str, blurb: &'static str, first: u8, last: u8) -> Run {
    Run {
        name,
        title,
        blurb,
        first,
        last,
        is_flag: false,
        value_strings: &[],
        also: None,
        acts: None,
        role: Role::None,
    }
}
