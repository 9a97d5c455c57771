//! Findings about a packet as a whole: what epan shows as expert information.

/// How much it matters.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// Ordinary, worth knowing.
    Note,
    /// Unusual.
    Warn,
    /// Wrong.
    Error,
}

/// What it is about.
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
}

/// One kind of expert information.
#[derive(Clone, Copy, Debug)]
pub struct ExpertSpec {
    /// Filter name.
    pub name: &'static str,
    /// Group.
    pub group: Group,
    /// Severity.
    pub severity: Severity,
    /// What it says where nothing more exact is said.
    pub text: &'static str,
}

/// The kinds, in the order of [`EXPERTS`].
#[allow(missing_docs)] // each is documented by its row in EXPERTS
#[repr(u16)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expert {
    EnetMalformed,
    EnetShort,
    EnetSurplus,
    EnetRetransmitted,
    EnetMissing,
    EnetCompressed,
    EnetUndecided,
    LolMalformed,
    LolShort,
    LolSurplus,
    LolUnknown,
    LolInferred,
    LolKeyNeeded,
    LolKeyWrong,
    LolBuildUnknown,
    LolBuildContradicted,
    LolTooMany,
    LolInternal,
}

const fn spec(name: &'static str, group: Group, severity: Severity, text: &'static str) -> ExpertSpec {
    ExpertSpec { name, group, severity, text }
}

use Group::{Assumption, Malformed, Protocol, Security, Sequence, Undecoded};
use Severity::{Error, Note, Warn};

/// The specifications, in the order of [`Expert`].
pub static EXPERTS: [ExpertSpec; 18] = [
    spec("enet.malformed", Malformed, Error, "The datagram does not fit the ENet format"),
    spec("enet.short", Undecoded, Note, "The capture cut the datagram short"),
    spec("enet.surplus", Malformed, Warn, "Bytes after the last command"),
    spec("enet.retransmitted", Sequence, Note, "A command that was sent before"),
    spec("enet.missing", Sequence, Warn, "Commands before this one are missing from the capture"),
    spec("enet.compressed", Undecoded, Note, "The commands are compressed and shown as bytes"),
    spec("enet.undecided", Assumption, Note, "The header shape of this session is not settled yet"),
    spec("lol.malformed", Malformed, Error, "The message ends before its layout does"),
    spec("lol.short", Undecoded, Note, "The capture cut the message short"),
    spec("lol.surplus", Malformed, Warn, "Bytes after the end of the message's layout"),
    spec("lol.unknown", Undecoded, Note, "No layout for this command in this build"),
    spec("lol.inferred", Assumption, Note, "Worked out from the capture, not stated in it"),
    spec("lol.keyNeeded", Security, Note, "The session is enciphered and no key was given"),
    spec("lol.keyWrong", Security, Warn, "No given key fits this session"),
    spec("lol.buildUnknown", Undecoded, Note, "The build of the game is not known here"),
    spec(
        "lol.buildContradicted",
        Assumption,
        Warn,
        "The session states another build than the preference lol.build",
    ),
    spec("lol.tooMany", Undecoded, Warn, "More items than one packet may show; the rest is left out"),
    spec("lol.internal", Protocol, Error, "The reader failed; please report the capture"),
];
