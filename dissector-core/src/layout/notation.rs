//! How a specification page writes what a row says: for comparing the book with it, and for documentation.

use std::fmt;

use super::{channel, Count, Delivery, Extent, Item, Presence, Row, Run, Type};

impl Type {
    /// The type as the page writes it, such as `count in header.pointCount minus 1 × record`.
    pub fn notation(&self) -> String {
        match self {
            Type::Int { bytes, signed } => {
                format!("{}{}", if *signed { 'i' } else { 'u' }, 8 * u32::from(*bytes))
            }
            Type::BigEndian { bytes, signed } => {
                format!("{}{} big-endian", if *signed { 'i' } else { 'u' }, 8 * u32::from(*bytes))
            }
            Type::Varint { bits } => format!("varuint{bits}"),
            Type::ZigZag { bits } => format!("varint{bits} zigzag"),
            Type::Bool => "boolean".into(),
            Type::F32 => "f32".into(),
            Type::Bits { bytes, .. } => format!("{bytes}-byte bits"),
            Type::BitArray { count, .. } => format!("bits, {count}"),
            Type::Record(_) => "record".into(),
            Type::Struct(def) => def.name.into(),
            Type::List { count, of } => format!("{count} × {}", of.notation()),
            Type::ListBytes { bytes, of } => format!("bytes in {bytes} × {}", of.notation()),
            Type::Text(extent) => format!("text, {extent}"),
            Type::Bytes(extent) => format!("bytes, {extent}"),
        }
    }
}

impl Item {
    /// The item as the page writes it.
    pub fn notation(&self) -> String {
        match self {
            Item::Record(_) => "record".into(),
            Item::Struct(def) => def.name.into(),
            Item::Plain(Type::Text(_)) => "string".into(),
            Item::Plain(ty) => ty.notation(),
        }
    }

    /// The rows of an item; `None` for bare values.
    pub fn rows(&self) -> Option<&'static [Row]> {
        match self {
            Item::Record(rows) => Some(rows),
            Item::Struct(def) => Some(def.rows),
            Item::Plain(_) => None,
        }
    }
}

impl Run {
    /// The bits as the page writes them, such as `bit 16 to 22`.
    pub fn notation(&self) -> String {
        if self.first == self.last {
            format!("bit {}", self.first)
        } else {
            format!("bit {} to {}", self.first, self.last)
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Count::In(path) | Count::InSigned(path) | Count::InUnlessOn(path, _) => {
                write!(f, "count in {path}")
            }
            Count::InLess1(path) => write!(f, "count in {path} minus 1"),
            Count::Fixed(count) => write!(f, "count {count}"),
            Count::ToEnd => f.write_str("to the end"),
        }
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Extent::Zero => f.write_str("ended by a zero byte"),
            Extent::Fixed(count) => write!(f, "{count}"),
            Extent::In(path) => write!(f, "length in {path}"),
            Extent::Rest => f.write_str("to the end"),
        }
    }
}

impl Presence {
    /// The condition as the page writes it; `None` where the row is always there.
    pub fn notation(&self) -> Option<String> {
        match self {
            Presence::Always => None,
            Presence::UnlessAlone(path, run) => Some(format!("{path}.{run} = 0")),
            Presence::Remaining => Some("remaining set".into()),
            Presence::Flagged => Some("optional".into()),
            Presence::Set(path) => Some(format!("{path} set")),
            Presence::Is(path, value) => Some(format!("{path} = {value}")),
            Presence::GroupIs(path, run, 1) => Some(format!("{path}[step].{run} set")),
            Presence::GroupIs(path, run, value) => Some(format!("{path}[step].{run} = {value}")),
        }
    }
}

impl Delivery {
    /// The delivery as the page writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Delivery::Reliable => "reliable",
            Delivery::Unreliable => "unreliable",
            Delivery::Unsequenced => "unsequenced",
        }
    }
}

/// A channel's family as the page names it; `None` above 5.
pub const fn channel_name(number: u8) -> Option<&'static str> {
    match number {
        channel::REGISTRATION => Some("registration"),
        channel::REQUESTS => Some("requests"),
        channel::CLOCK => Some("clock"),
        channel::EVENTS => Some("events"),
        channel::TRANSIENT => Some("transient"),
        channel::CHAT => Some("chat"),
        _ => None,
    }
}
