//! What all matches of a capture are read with: the settings, and the tables of the builds met so far.

use super::info::Words;
use super::layouts::Builds;
use super::settings::Settings;

/// What all matches of a capture are read with.
#[derive(Debug, Default)]
pub struct Library {
    /// The preferences, as this protocol reads them.
    pub settings: Settings,
    /// Tables of builds.
    pub builds: Builds,
    /// What is said of the message at hand: buffers, used again.
    pub words: Words,
}

impl Library {
    /// A library with these settings.
    pub fn new(settings: Settings) -> Library {
        Library { settings, builds: Builds::default(), words: Words::default() }
    }
}
