//! Findings about Bedrock messages: they follow those of [`crate::conversation`] in the table of experts.

use crate::conversation::experts::{self, ExpertSpec, Group, Severity};

/// The kinds, in the order of [`EXPERTS`].
#[allow(missing_docs)] // each is documented by its row in EXPERTS
#[repr(u16)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expert {
    Malformed,
    Short,
    Surplus,
    Unusual,
    TooLarge,
    Unread,
    Inferred,
    KeyNeeded,
    KeyWrong,
    Lost,
    Resent,
    TooMany,
}

impl Expert {
    /// Its index in the table of experts.
    pub const fn id(self) -> u16 {
        experts::EXPERTS.len() as u16 + self as u16
    }
}

const fn spec(name: &'static str, group: Group, severity: Severity, text: &'static str) -> ExpertSpec {
    ExpertSpec { name, group, severity, text }
}

use Group::{Assumption, Malformed, Protocol, Security, Sequence, Undecoded};
use Severity::{Error, Note, Warn};

/// The specifications, in the order of [`Expert`].
#[rustfmt::skip]
pub static EXPERTS: [ExpertSpec; 12] = [
    spec("bedrock.malformed", Malformed, Error, "The message ends before its layout does"),
    spec("bedrock.short", Undecoded, Note, "The capture cut the message short"),
    spec("bedrock.surplus", Malformed, Warn, "Bytes after the end of the packet's layout"),
    spec("bedrock.unusual", Protocol, Warn, "A value that no known writer writes"),
    spec("bedrock.tooLarge", Undecoded, Warn, "The batch grows beyond what is decompressed"),
    spec("bedrock.unread", Undecoded, Note, "The packet fits no layout"),
    spec("bedrock.inferred", Assumption, Note, "Worked out from the capture, not stated in it"),
    spec("bedrock.keyNeeded", Security, Note, "The session is enciphered and no key was given"),
    spec("bedrock.keyWrong", Security, Warn, "No given key fits this session"),
    spec("bedrock.lost", Sequence, Warn, "Messages before this one are missing, so it cannot be deciphered"),
    spec("bedrock.resent", Sequence, Note, "A message that was sent before"),
    spec("bedrock.tooMany", Undecoded, Warn, "More items than one packet may show; the rest is left out"),
];
