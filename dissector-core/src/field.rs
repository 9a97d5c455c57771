//! What a field is to a reader of the tree: name, title, type, base and the names for its values.

/// The type of a field's value, as a filter sees it.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Kind {
    /// A protocol with fields of its own.
    Protocol,
    /// A family of messages: a protocol with fields of its own that stands inside the game's.
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
    /// Whether it is a protocol, a family among them: such own fields.
    pub const fn is_protocol(self) -> bool {
        matches!(self, Kind::Protocol | Kind::Family)
    }

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

/// One bit of a word that holds it: how a yes or no is carried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mask {
    /// Which bit, from the lowest, 0 to 31.
    pub bit: u8,
    /// Bytes of the word, 1 to 4.
    pub bytes: u8,
}

impl Mask {
    /// The widest word, bytes, whose bits are told by a mask.
    pub const WIDEST: u8 = 4;
}

/// A field that is not a row of the book: written down where it is read.
#[derive(Clone, Copy, Debug)]
pub struct FieldSpec {
    /// Filter name, such as `enet.sentTime`.
    pub name: &'static str,
    /// Title shown in the tree.
    pub title: &'static str,
    /// What a protocol is called in lists of protocols; empty for fields.
    pub short_name: &'static str,
    /// Type of its value, which filters compare with.
    pub kind: Kind,
    /// In which base a whole number is written.
    pub base: Base,
    /// Names for its values; may be empty.
    pub value_strings: ValueStrings,
    /// Unit shown behind its value, such as `ms`; may be empty.
    pub unit: &'static str,
    /// Which bits carry it; none where it is no bit of a word.
    pub masks: &'static [Mask],
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
    FieldSpec { name, title, short_name: "", kind, base, value_strings: &[], unit: "", masks: &[], blurb }
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
    FieldSpec { value_strings, ..field(name, title, kind, base, blurb) }
}

/// A [`FieldSpec`] of a quantity in a unit.
pub const fn measured(
    name: &'static str,
    title: &'static str,
    kind: Kind,
    base: Base,
    unit: &'static str,
    blurb: &'static str,
) -> FieldSpec {
    FieldSpec { unit, ..field(name, title, kind, base, blurb) }
}

/// A [`FieldSpec`] of a yes or no that is one bit of a word.
pub const fn flagged(
    name: &'static str,
    title: &'static str,
    masks: &'static [Mask],
    blurb: &'static str,
) -> FieldSpec {
    FieldSpec { masks, ..field(name, title, Kind::Bool, Base::None, blurb) }
}

/// A [`FieldSpec`] of a protocol.
pub const fn protocol(
    name: &'static str,
    title: &'static str,
    short_name: &'static str,
    blurb: &'static str,
) -> FieldSpec {
    FieldSpec { short_name, ..field(name, title, Kind::Protocol, Base::None, blurb) }
}
