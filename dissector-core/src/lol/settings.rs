//! The preferences of `lol`, read once: keys, builds, origin, names. What cannot be read is told, not guessed.

use std::io::Read;

use super::cipher;
use super::key_file::KeyFile;
use super::key_row;
use super::keyring::{KeySource, Keyring};
use super::text_file::{self, UTF_16};
use crate::capture::{self, is_auto};
use crate::name_list::NameList;
use crate::registry::REGISTRY;
use crate::tree::FieldId;
use crate::version::Build;

/// Longest list of names, bytes: more than any list needs, and little enough to be read at every start.
const LARGEST_LIST: u64 = 16 << 20;

/// The preferences of `lol`, ready for use.
#[derive(Debug, Default)]
pub struct Settings {
    /// All keys, and what is said of their sessions.
    pub keys: Keyring,
    /// The file that keys are appended to; `None` where there is none.
    pub key_file: Option<KeyFile>,
    /// The build every session is read as; `None` where sessions say.
    pub build: Option<Build>,
    /// The build a session is read as that never states one.
    pub fallback: Option<Build>,
    /// The origin of every match, world units.
    pub origin: Option<(i32, i32)>,
    /// Names that name numbers are shown by; may be empty.
    pub names: NameList,
    /// Whether the game's payloads are left to other dissectors.
    pub without_league: bool,
    /// Families whose bodies are left as bytes, by their field.
    pub disabled: Vec<FieldId>,
}

impl Settings {
    /// Reads them; what cannot be used is told.
    pub fn new(settings: &capture::Settings, problems: &mut Vec<String>) -> Settings {
        let mut read = Settings { without_league: settings.without_league, ..Settings::default() };
        // the keys that are meant for a session are tried before those for any
        for (number, row) in (1..).zip(&settings.key_rows) {
            match key_row::parse(row) {
                Ok(row) => drop(read.keys.add_row(KeySource::Table, number, &row)),
                Err(error) => problems.push(format!("lol.keys: row {number}: {error}")),
            }
        }
        read.key_file = KeyFile::open(&settings.keylog_file, &mut read.keys, problems);
        let (keys, wrong) = cipher::parse_list(&settings.keys);
        (1..).zip(&keys).for_each(|(number, key)| read.keys.add(number, key));
        problems.extend(wrong.iter().map(|error| format!("lol.key: {error}")));
        read.build = build_of("lol.build", &settings.build, problems);
        let disabled = settings.disabled.split_whitespace();
        read.disabled = disabled.filter_map(|family| REGISTRY.field(family)).collect();
        read.fallback = build_of("lol.fallback_build", &settings.fallback_build, problems);
        read.origin = origin_of(&settings.origin, problems);
        read.names = names_of(&settings.names, problems);
        if settings.user_channel > u8::MAX.into() {
            let text =
                format!("lol.user_channel: must be a channel from 0 to 255, got {}", settings.user_channel);
            problems.push(text);
        }
        read
    }
}

fn build_of(preference: &str, text: &str, problems: &mut Vec<String>) -> Option<Build> {
    let text = text.trim();
    if is_auto(text) {
        return None;
    }
    let build = text.parse();
    build.map_err(|error| problems.push(format!("{preference}: {error}"))).ok()
}

fn origin_of(text: &str, problems: &mut Vec<String>) -> Option<(i32, i32)> {
    let origin = key_row::origin(text.trim());
    origin.map_err(|error| problems.push(format!("lol.origin: {error}"))).ok().flatten()
}

/// The names of a file; none for an empty path.
fn names_of(file: &str, problems: &mut Vec<String>) -> NameList {
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
            problems.push(format!(
                "lol.names: {file} has more than {} MiB; a list of names has one name a line",
                LARGEST_LIST >> 20
            ));
            NameList::default()
        }
        Ok(bytes) => {
            let names = NameList::parse(&text_file::text_of(&bytes));
            if names.is_empty() || bytes.contains(&0) && !bytes.starts_with(&UTF_16) {
                problems.push(format!(
                    "lol.names: {file} holds no names; it must be a text file with one name a line"
                ));
            }
            names
        }
        Err(error) => {
            problems.push(format!(
                "lol.names: {file} cannot be read ({error}); it must be a text file with one name a line"
            ));
            NameList::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_preference_the_value_and_the_way_out() {
        let given = capture::Settings {
            keys: "00112233445566778899aabbccddee".into(),
            build: "1.0.136".into(),
            fallback_build: "x".into(),
            origin: "7000".into(),
            user_channel: 256,
            ..capture::Settings::default()
        };
        let mut problems = Vec::new();
        Settings::new(&given, &mut problems);
        assert_eq!(problems.len(), 5, "{problems:?}");
        assert!(problems[0].contains("32 hex digits") && problems[0].contains("got 30 characters"));
        assert!(problems[1].contains("lol.build") && problems[1].contains("1.0.0.136"));
        assert!(problems[3].contains("6991,7223"));
        assert!(problems[4].contains("0 to 255") && problems[4].contains("got 256"));
    }

    #[test]
    fn good_settings_are_taken() {
        let given = capture::Settings {
            keys: "00112233445566778899aabbccddeeff, ABEiM0RVZneImaq7zN3u/w==".into(),
            build: "1.0.0.136".into(),
            fallback_build: "auto".into(),
            origin: "6991, 7223".into(),
            user_channel: 255,
            ..capture::Settings::default()
        };
        let mut problems = Vec::new();
        let read = Settings::new(&given, &mut problems);
        assert!(problems.is_empty(), "{problems:?}");
        let numbers = (0..read.keys.len()).filter_map(|place| read.keys.get(place)).map(|key| key.number);
        assert_eq!(numbers.collect::<Vec<_>>(), [1, 2]);
        assert_eq!((read.build, read.fallback), (Some(Build::new(1, 0, 0, 136)), None));
        assert_eq!(read.origin, Some((6991, 7223)));
    }

    #[test]
    fn lists_of_names_are_text_of_a_bounded_size() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let path = file.path().to_str().unwrap();
        let read = |bytes: &[u8]| {
            std::fs::write(path, bytes).unwrap();
            let mut problems = Vec::new();
            (names_of(path, &mut problems).is_empty(), problems.join(" "))
        };
        assert_eq!(read(b"Flash\nSpeed\n"), (false, String::new()));
        let wide: Vec<u8> = "Flash\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&[&UTF_16[..], &wide].concat()), (false, String::new()));
        assert!(read(b"").1.contains("holds no names"));
        assert!(read(b"Flash\n\0").1.contains("holds no names"), "a zero byte is no text");
        let (none, told) = read(&vec![b'a'; LARGEST_LIST as usize + 1]);
        assert!(none && told.contains("more than 16 MiB"), "{told}");
        assert!(!read(&vec![b'\n'; LARGEST_LIST as usize]).1.contains("MiB"), "as long as it may be");
        let mut problems = Vec::new();
        names_of("/no/such/file", &mut problems);
        assert!(problems[0].contains("cannot be read"), "{problems:?}");
    }
}
