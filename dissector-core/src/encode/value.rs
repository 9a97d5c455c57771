//! The fields of a body as values, and why they cannot be written.

use std::fmt;

use crate::version::{Build, Range};

/// The value of a row, a run of bits or a whole body.
#[derive(Clone, Debug)]
pub enum Value {
    /// The row is not there, as its condition says.
    Absent,
    /// A whole number of any width.
    Int(i128),
    /// A float of 4 bytes; a NaN keeps its bits.
    Float(f32),
    /// Text.
    Text(String),
    /// Bytes, or text that is not UTF-8.
    Bytes(Vec<u8>),
    /// Rows by name, in their order; a word of bits is a record of its runs.
    Record(Vec<(String, Value)>),
    /// The items of a list, in order.
    List(Vec<Value>),
}

/// Floats are equal when their bits are, so that NaN equals itself and -0 is not 0.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Absent, Value::Absent) => true,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::Bytes(a), Value::Bytes(b)) => a == b,
            (Value::Record(a), Value::Record(b)) => a == b,
            (Value::List(a), Value::List(b)) => a == b,
            _ => false,
        }
    }
}

impl Value {
    /// The row of a record that has this name; `None` for other values, and where there is none.
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Record(rows) => rows.iter().find(|(row, _)| row == name).map(|(_, value)| value),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Absent => f.write_str("absent"),
            Value::Int(value) => write!(f, "{value}"),
            Value::Float(value) if value.is_nan() => write!(f, "nan:{:08x}", value.to_bits()),
            Value::Float(value) => write!(f, "{value:?}"),
            Value::Text(text) => write!(f, "{text:?}"),
            Value::Bytes(bytes) => f.write_str(&hex::encode(bytes)),
            Value::Record(rows) => write!(f, "a record of {}", rows.len()),
            Value::List(items) => write!(f, "a list of {}", items.len()),
        }
    }
}

/// Why fields cannot be written as a body: which field, what was given, and the way out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EncodeError {
    /// The message has no number in that build.
    #[error("{message} has no command in {build}: this layout belongs to {builds}")]
    NoCommand {
        /// Name of the message.
        message: &'static str,
        /// The build it was to be written for.
        build: Build,
        /// The builds its layout belongs to.
        builds: Range,
    },
    /// A row that must be there is not.
    #[error("{path}: missing, give {wanted}")]
    Missing {
        /// Path of the field, such as `path.unit`.
        path: String,
        /// What the field holds.
        wanted: String,
    },
    /// A row the layout does not have.
    #[error("{path}: no such field, got {value}; leave it out, the fields are {fields}")]
    Surplus {
        /// Path of the field, as in [`EncodeError::Missing`].
        path: String,
        /// The value that was given.
        value: String,
        /// The fields that there are.
        fields: String,
    },
    /// A row that is not there under these values of other rows.
    #[error("{path}: there only where {condition}, got {value}; leave it out or change what it depends on")]
    Unwanted {
        /// Path of the field, as in [`EncodeError::Missing`].
        path: String,
        /// The value that was given.
        value: String,
        /// The condition under which it is there.
        condition: String,
    },
    /// A value of another type.
    #[error("{path}: expected {wanted}, got {value}")]
    Type {
        /// Path of the field, as in [`EncodeError::Missing`].
        path: String,
        /// The value that was given.
        value: String,
        /// What the field holds.
        wanted: String,
    },
    /// A whole number that does not fit.
    #[error("{path}: expected a whole number from {from} to {until}, got {value}")]
    Range {
        /// Path of the field, as in [`EncodeError::Missing`].
        path: String,
        /// The number that was given.
        value: i128,
        /// Smallest value.
        from: i128,
        /// Greatest value.
        until: i128,
    },
    /// A list, text or run of bytes of another size than another row says.
    #[error(
        "{path}: holds {got} {unit} where \"{rule}\" says {wanted}; give as many, or change what says so"
    )]
    Count {
        /// Path of the field, as in [`EncodeError::Missing`].
        path: String,
        /// How many items or bytes were given.
        got: u64,
        /// How many there must be, or may be at most.
        wanted: u64,
        /// What is counted: items or bytes.
        unit: &'static str,
        /// What settles the number.
        rule: String,
    },
    /// A text with a zero where zero ends it.
    #[error("{path}: {value} holds a zero byte, which would end it; take the zero out")]
    Zero {
        /// Path of the field, as in [`EncodeError::Missing`].
        path: String,
        /// The text that was given.
        value: String,
    },
}
