//! What all matches of a capture are read with: the settings, and the tables of the builds met so far.

use std::time::Instant;

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

    /// Looks whether the key file holds more, at most once a second.
    pub fn look_for_keys(&mut self) {
        if let Some(file) = &mut self.settings.key_file {
            file.look(Instant::now(), &mut self.settings.keys);
        }
    }

    /// Looks whether the key file holds more, now that a session begins: its key is written before.
    pub fn look_for_keys_of_a_session(&mut self) {
        if let Some(file) = &mut self.settings.key_file {
            file.look_now(Instant::now(), &mut self.settings.keys);
        }
    }
}
