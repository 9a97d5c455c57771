//! What a field is to a reader of the tree: name, title, type, base and the names for its values.

/// The type of a field's value, as a filter sees it.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Kind {
    /// A protocol with fields of its own.
    Protocol,
    /// A protocol in name only: a family of messages, filterable by its prefix.
    Family,
    /// A node that only holds others.
    Record,
    /// Unsigned, 8 bits.
    U8,
    /// Unsigned, 16 bits.
    U16,
    /// Unsigned, 32 bits.
    U32,
    /// Unsigned, 64 bits.
    U64,
    /// Signed, 8 bits.
    I8,
    /// Signed, 16 bits.
    I16,
    /// Signed, 32 bits.
    I32,
    /// Signed, 64 bits.
    I64,
    /// A float; the node's value holds the bits of an f64.
    Double,
    /// Yes or no.
    Bool,
    /// Text; the node's `text` names it in the text arena.
    Text,
    /// The bytes the node spans.
    Bytes,
    /// The number of a frame.
    Frame,
    /// A span of time; the node's value is nanoseconds, signed.
    Duration,
}

impl Kind {
    /// Whether values of this kind are whole numbers.
    pub const fn is_integer(self) -> bool {
        matches!(
            self,
            Kind::U8 | Kind::U16 | Kind::U32 | Kind::U64 | Kind::I8 | Kind::I16 | Kind::I32 | Kind::I64
        )
    }

    /// Whether values of this kind are signed whole numbers.
    pub const fn is_signed(self) -> bool {
        matches!(self, Kind::I8 | Kind::I16 | Kind::I32 | Kind::I64)
    }
}

/// How a whole number is written.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Base {
    /// Not a number.
    None,
    /// Decimal.
    Dec,
    /// Hexadecimal.
    Hex,
    /// Hexadecimal, then decimal in parentheses: network ids and hashes.
    HexDec,
}

/// Names for the values of a field.
pub type ValueStrings = &'static [(i64, &'static str)];

/// A field that is not a row of the book: written down where it is read.
#[derive(Clone, Copy, Debug)]
pub struct FieldSpec {
    /// Filter name, such as `enet.sentTime`.
    pub name: &'static str,
    /// Title shown in the tree.
    pub title: &'static str,
    /// Type of its value, which filters compare with.
    pub kind: Kind,
    /// In which base a whole number is written.
    pub base: Base,
    /// Names for its values; may be empty.
    pub value_strings: ValueStrings,
    /// One line saying what it is, with unit and range.
    pub blurb: &'static str,
}

/// A [`FieldSpec`] without names for values.
pub const fn field(
    name: &'static str,
    title: &'static str,
    kind: Kind,
    base: Base,
    blurb: &'static str,
) -> FieldSpec {
    FieldSpec { name, title, kind, base, value_strings: &[], blurb }
}

/// A [`FieldSpec`] some of whose values have names.
pub const fn valued(
    name: &'static str,
    title: &'static str,
    kind: Kind,
    base: Base,
    value_strings: ValueStrings,
    blurb: &'static str,
) -> FieldSpec {
    FieldSpec { name, title, kind, base, value_strings, blurb }
}
