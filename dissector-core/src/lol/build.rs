//! The build of a session: where it is stated, and where else it comes from.

use super::cipher::Registration;
use crate::capture::Sender;
use crate::layout::channel;
use crate::version::Build;

/// How far into a client's message its version text may begin, bytes.
const VERSION_REACH: usize = 64;

/// Where a session's build comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuildSource {
    /// The user says so.
    Preference,
    /// A row of the table of keys, or a line of the key file, says so.
    Keys,
    /// The client's version text.
    Stated,
    /// The number in the client's registration.
    Registration,
    /// The user's build for sessions that state none.
    Fallback,
}

impl BuildSource {
    /// The word `lol.build.source` shows.
    pub fn name(self) -> &'static str {
        match self {
            BuildSource::Preference => "preference",
            BuildSource::Keys => "keys",
            BuildSource::Stated => "stated",
            BuildSource::Registration => "registration",
            BuildSource::Fallback => "fallback",
        }
    }
}

/// A session's build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SessionBuild {
    /// The build that bodies are read as.
    pub build: Build,
    /// How it is known.
    pub source: BuildSource,
    /// Frame that states it; 0 where none does.
    pub frame: u32,
}

impl BuildSource {
    /// What demands the build of every session, or of this one, whatever the session states; `None` where nothing does.
    pub fn demanded_by(self) -> Option<&'static str> {
        match self {
            BuildSource::Preference => Some("lol.build demands: set it to auto"),
            BuildSource::Keys => {
                Some("a row of lol.keys or a line of lol.keylog_file demands: leave its build out")
            }
            _ => None,
        }
    }
}

impl SessionBuild {
    /// A build that no frame states.
    pub fn given(build: Build, source: BuildSource) -> SessionBuild {
        SessionBuild { build, source, frame: 0 }
    }
}

/// The build that a client's registration or version text states; `plain` is a deciphered payload.
pub fn stated(sender: Option<Sender>, channel: u8, plain: &[u8]) -> Option<(Build, BuildSource)> {
    if sender == Some(Sender::Server) {
        return None;
    }
    match channel {
        channel::REGISTRATION => Registration::read(plain)
            .and_then(|registration| Build::from_code(registration.version?))
            .map(|build| (build, BuildSource::Registration)),
        channel::REQUESTS => version_text(plain).map(|build| (build, BuildSource::Stated)),
        _ => None,
    }
}

/// The build in a text `Version a.b.c.d [`, if one begins near the start of the message.
fn version_text(plain: &[u8]) -> Option<Build> {
    const SIGN: &[u8] = b"Version ";
    /// Longest text of a build: four numbers of five digits and their dots.
    const LONGEST: usize = 23;
    let near = &plain[..plain.len().min(VERSION_REACH)];
    let start = near.windows(SIGN.len()).position(|window| window == SIGN)? + SIGN.len();
    let rest = &plain[start..plain.len().min(start + LONGEST + 2)];
    let end = rest.windows(2).position(|window| window == b" [")?;
    std::str::from_utf8(&rest[..end]).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_text_is_found_near_the_start_only() {
        let mut message = vec![0xC6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        message.extend_from_slice(b"Version 1.0.0.136 [PUBLIC]\0\0");
        assert_eq!(version_text(&message), Some(Build::new(1, 0, 0, 136)));
        for text in ["Version 1.0.0 [", "Version 1.0.0.136", "Version 1.0.0.99999 [", "version 1.0.0.136 ["] {
            assert_eq!(version_text(text.as_bytes()), None, "{text}");
        }
        let longest = b"Version 65535.65535.65535.65535 [";
        assert_eq!(version_text(longest), Some(Build::new(65535, 65535, 65535, 65535)));
        let longer = b"Version 065535.65535.65535.65535 [";
        assert_eq!(version_text(longer), None, "no build is written in 24 characters");
        let at = |ahead: usize| version_text(&[&vec![0; ahead][..], b"Version 1.0.0.136 [PUBLIC]"].concat());
        assert!(at(VERSION_REACH - 8).is_some() && at(VERSION_REACH - 7).is_none());
        assert_eq!(version_text(&[]), None);
    }

    #[test]
    fn a_server_states_no_build() {
        let text = b"Version 1.0.0.136 [PUBLIC]";
        let of = |sender, channel| stated(sender, channel, text).map(|(_, source)| source);
        assert_eq!(of(Some(Sender::Client), channel::REQUESTS), Some(BuildSource::Stated));
        assert_eq!(of(None, channel::REQUESTS), Some(BuildSource::Stated));
        assert_eq!(of(Some(Sender::Server), channel::REQUESTS), None);
        assert_eq!(of(Some(Sender::Client), channel::EVENTS), None);
        let mut registration = [0; 32];
        registration[16..20].copy_from_slice(&42_000_315u32.to_le_bytes());
        let found = stated(Some(Sender::Client), channel::REGISTRATION, &registration);
        assert_eq!(found, Some((Build::new(4, 20, 0, 315), BuildSource::Registration)));
        assert_eq!(stated(Some(Sender::Client), channel::REGISTRATION, &registration[..24]), None);
    }
}
