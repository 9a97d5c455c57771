//! What an expert item is: one kind of finding about a packet, as epan registers it.

/// How much it matters.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// Ordinary, worth knowing: `Note` in Wireshark.
    Note,
    /// Unusual, may be an error: `Warning` in Wireshark.
    Warn,
    /// Wrong: `Error` in Wireshark.
    Error,
}

/// What part of a packet's life it concerns.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Bytes that do not fit their layout.
    Malformed,
    /// The order of packets.
    Sequence,
    /// Bytes that could not be read.
    Undecoded,
    /// What the protocol says.
    Protocol,
    /// Something the reader assumed.
    Assumption,
    /// Key and cipher.
    Security,
    /// Checksums.
    Checksum,
}

/// One kind of expert item.
#[derive(Clone, Copy, Debug)]
pub struct ExpertSpec {
    /// Filter name, such as `lol.malformed`.
    pub name: &'static str,
    /// Group that Wireshark lists it under.
    pub group: Group,
    /// How much it matters.
    pub severity: Severity,
    /// What it says where nothing more exact is said.
    pub text: &'static str,
}

/// An [`ExpertSpec`].
pub const fn expert(name: &'static str, group: Group, severity: Severity, text: &'static str) -> ExpertSpec {
    ExpertSpec { name, group, severity, text }
}
