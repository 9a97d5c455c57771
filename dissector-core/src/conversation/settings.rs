//! What a user has set, read once: keys, build, header shape, origin, ports, names. What cannot be read is told, not guessed.

use std::io::Read;

use super::packet::Settings;
use crate::cipher::{self, Schedule};
use crate::enet::Shape;
use crate::name_list::NameList;
use crate::version::Build;

/// Longest list of names, bytes: more than any list needs, and little enough to be read at every start.
const LARGEST_LIST: u64 = 16 << 20;

/// Settings ready for use.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    /// A schedule for every reading of every key, with the key's place in the list, from 1.
    pub schedules: Vec<(u32, Schedule)>,
    /// The build every session is read as.
    pub build: Option<Build>,
    /// The build a session is read as that never states one.
    pub fallback: Option<Build>,
    /// The header shape of every session.
    pub shape: Option<Shape>,
    /// The origin of every match.
    pub origin: Option<(i32, i32)>,
    /// Ports in which one datagram is enough; also those of servers.
    pub ports: Vec<(u16, u16)>,
    /// Names behind name numbers.
    pub names: NameList,
    /// Whether the game's payloads are left to other dissectors.
    pub without_league: bool,
    /// What could not be used.
    pub problems: Vec<String>,
}

impl Parsed {
    pub fn new(settings: &Settings) -> Parsed {
        let mut parsed = Parsed {
            ports: settings.ports.clone(),
            without_league: settings.without_league,
            ..Parsed::default()
        };
        let (keys, wrong) = cipher::parse_list(&settings.keys);
        for (index, key) in keys.iter().enumerate() {
            parsed.schedules.extend(key.schedules().map(|schedule| (index as u32 + 1, schedule)));
        }
        parsed.problems.extend(wrong.iter().map(|error| format!("lol.key: {error}")));
        parsed.build = parsed.build_of("lol.build", &settings.build);
        parsed.fallback = parsed.build_of("lol.fallback_build", &settings.fallback_build);
        parsed.shape = parsed.shape_of(&settings.shape);
        parsed.origin = parsed.origin_of(&settings.origin);
        parsed.names = parsed.names_of(&settings.names);
        if settings.user_channel > u8::MAX.into() {
            let text =
                format!("lol.user_channel: must be a channel from 0 to 255, got {}", settings.user_channel);
            parsed.problems.push(text);
        }
        parsed
    }

    fn build_of(&mut self, preference: &str, text: &str) -> Option<Build> {
        let text = text.trim();
        if is_auto(text) {
            return None;
        }
        let build = text.parse();
        build.map_err(|error| self.problems.push(format!("{preference}: {error}"))).ok()
    }

    fn shape_of(&mut self, text: &str) -> Option<Shape> {
        let text = text.trim();
        if is_auto(text) {
            return None;
        }
        let shape = Shape::from_name(text);
        if shape.is_none() {
            self.problems.push(format!(
                "enet.shape: must be auto, stock, stockChecksum, classic, compact, prefixed or season8, got \"{text}\""
            ));
        }
        shape
    }

    fn origin_of(&mut self, text: &str) -> Option<(i32, i32)> {
        let text = text.trim();
        if is_auto(text) {
            return None;
        }
        let number = |part: &str| part.trim().parse::<i16>().ok().map(i32::from);
        let origin = text.split_once(',').and_then(|(x, z)| Some((number(x)?, number(z)?)));
        if origin.is_none() {
            self.problems.push(format!(
                "lol.origin: must be auto or two whole numbers from -32768 to 32767 as x,z (such as 6991,7223), got \"{text}\""
            ));
        }
        origin
    }

    /// The names of a file.
    fn names_of(&mut self, file: &str) -> NameList {
        if file.is_empty() {
            return NameList::default();
        }
        let read = std::fs::File::open(file).and_then(|file| {
            let mut bytes = Vec::new();
            file.take(LARGEST_LIST + 1).read_to_end(&mut bytes)?;
            Ok(bytes)
        });
        match read {
            Ok(bytes) if bytes.len() as u64 > LARGEST_LIST => {
                self.problems.push(format!(
                    "lol.names: {file} has more than {} MiB; a list of names has one name a line",
                    LARGEST_LIST >> 20
                ));
                NameList::default()
            }
            Ok(bytes) => {
                let names = NameList::parse(&text_of(&bytes));
                if names.is_empty() || bytes.contains(&0) && !bytes.starts_with(&UTF_16) {
                    self.problems.push(format!(
                        "lol.names: {file} holds no names; it must be a text file with one name a line"
                    ));
                }
                names
            }
            Err(error) => {
                self.problems.push(format!(
                    "lol.names: {file} cannot be read ({error}); it must be a text file with one name a line"
                ));
                NameList::default()
            }
        }
    }

    /// Whether a port is one of those set for servers.
    pub fn is_server_port(&self, port: u16) -> bool {
        self.ports.iter().any(|&(first, last)| first <= port && port <= last)
    }

    /// Whether any usable key was given.
    pub fn has_keys(&self) -> bool {
        !self.schedules.is_empty()
    }
}

/// What stands at the start of a text of two bytes a character, as some programs of Windows write it.
const UTF_16: [u8; 2] = [0xFF, 0xFE];

/// The text of a file, in UTF-8 or marked as UTF-16; odd bytes are replaced.
fn text_of(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    let Some(words) = bytes.strip_prefix(&UTF_16) else { return String::from_utf8_lossy(bytes) };
    let words: Vec<_> = words.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    String::from_utf16_lossy(&words).into()
}

fn is_auto(text: &str) -> bool {
    text.is_empty() || text.eq_ignore_ascii_case("auto")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_preference_the_value_and_the_way_out() {
        let settings = Settings {
            keys: "00112233445566778899aabbccddee".into(),
            build: "1.0.136".into(),
            fallback_build: "x".into(),
            shape: "old".into(),
            origin: "7000".into(),
            ..Settings::default()
        };
        let parsed = Parsed::new(&settings);
        assert_eq!(parsed.problems.len(), 5, "{:?}", parsed.problems);
        assert!(
            parsed.problems[0].contains("32 hex digits") && parsed.problems[0].contains("got 30 characters")
        );
        assert!(parsed.problems[1].contains("lol.build") && parsed.problems[1].contains("1.0.0.136"));
        assert!(parsed.problems[3].contains("classic") && parsed.problems[3].contains("\"old\""));
        assert!(parsed.problems[4].contains("6991,7223"));
    }

    #[test]
    fn good_settings_are_taken() {
        let settings = Settings {
            keys: "00112233445566778899aabbccddeeff, ABEiM0RVZneImaq7zN3u/w==".into(),
            build: "1.0.0.136".into(),
            fallback_build: "auto".into(),
            shape: "compact".into(),
            origin: "6991, 7223".into(),
            ports: vec![(5000, 5500)],
            ..Settings::default()
        };
        let parsed = Parsed::new(&settings);
        assert!(parsed.problems.is_empty(), "{:?}", parsed.problems);
        assert_eq!(parsed.schedules.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(parsed.build, Some(Build::new(1, 0, 0, 136)));
        assert_eq!((parsed.fallback, parsed.shape), (None, Some(Shape::Compact)));
        assert_eq!(parsed.origin, Some((6991, 7223)));
        assert!(parsed.is_server_port(5119) && !parsed.is_server_port(4999));
    }
}
