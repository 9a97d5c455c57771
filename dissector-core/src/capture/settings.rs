//! What a user has set, as text: each room reads its own part, and tells what it cannot use.

/// The preferences of all protocols; what cannot be used is told and left out.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Keys, separated by commas, semicolons or white space.
    pub keys: String,
    /// The table of keys by session.
    pub key_rows: Vec<KeyRow>,
    /// Path of a file that keys are appended to, a line a match; empty for none.
    pub keylog_file: String,
    /// Path of a file of names, one a line; empty for none.
    pub names: String,
    /// Channel of messages that come without ENet; one above 255 is told as a problem.
    pub user_channel: u32,
    /// Whether payloads of the game in ENet are left to other dissectors.
    pub without_league: bool,
    /// Families that are switched off, by the first part of their filter names, separated by white space.
    pub disabled: String,
    /// `auto`, empty, or the build of every session such as `1.0.0.136`.
    pub build: String,
    /// The build of sessions that state none, such as `1.0.0.136`; may be empty.
    pub fallback_build: String,
    /// `auto`, empty, or the name of a header variant (preference `enet.shape`).
    pub variant: String,
    /// `auto`, empty, or the map's origin as `x,z`, world units.
    pub origin: String,
    /// UDP port ranges, both ends included, in which one datagram is enough to claim a conversation.
    pub ports: Vec<(u16, u16)>,
    /// `auto`, empty, or the protocol of every Bedrock session.
    pub bedrock_protocol: String,
    /// Keys of Bedrock sessions as `key` or `address=key`, separated by commas, semicolons or white space.
    pub bedrock_keys: String,
}

/// A row of the table of keys, as text: what is left empty is not said.
#[derive(Clone, Debug, Default)]
pub struct KeyRow {
    /// IP address of one end of the sessions it is for.
    pub address: String,
    /// UDP port of that end, or 0.
    pub port: String,
    /// Their key.
    pub key: String,
    /// The build they are read as.
    pub build: String,
    /// Number of their map.
    pub map: String,
    /// The map's origin as `x,z`, world units.
    pub origin: String,
}

/// Whether a text leaves the choice to the reader: empty, or `auto` in any case.
pub fn is_auto(text: &str) -> bool {
    text.is_empty() || text.eq_ignore_ascii_case("auto")
}

#[cfg(test)]
mod tests {
    use super::is_auto;

    #[test]
    fn auto_is_empty_or_the_word() {
        assert!(is_auto("") && is_auto("auto") && is_auto("AUTO"));
        assert!(!is_auto("automatic") && !is_auto(" ") && !is_auto("1.0.0.136"));
    }
}
