//! The key file, in the manner of key logs: a line a match, appended while a capture runs.
//!
//! ```text
//! KEY 00112233445566778899aabbccddeeff 192.0.2.10:5119 1.0.0.136 1 6991,7223   # key, end, build, map, origin
//! KEY ABEiM0RVZneImaq7zN3u/w== - 1.0.0.136
//! ```
//!
//! The whole file is read anew where it has changed: what was appended, shortened or put in its place is then all one.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use foldhash::HashSet;

use super::key_row;
use super::keyring::{KeySource, KeyTerms, Keyring};
use super::text_file;

/// Longest file, bytes: what is past it is not read.
const LARGEST: u64 = 1 << 20;
/// Keys taken from a file: each makes a schedule of 4 KiB, and is tried on sessions without a handshake.
const MOST_KEYS: usize = 1024;
/// Longest line, bytes.
const LONGEST_LINE: usize = 1024;
/// How long the file is left alone after a look at it.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// A file that keys are appended to.
#[derive(Debug)]
pub struct KeyFile {
    path: PathBuf,
    looked: Instant,
    /// Length and time of change when it was last read.
    stamp: Option<(u64, SystemTime)>,
    lines: Lines,
}

impl KeyFile {
    /// Reads the file into the ring; `None` for an empty path. What is wrong with it is told, once.
    pub fn open(path: &str, ring: &mut Keyring, problems: &mut Vec<String>) -> Option<KeyFile> {
        if path.is_empty() {
            return None;
        }
        let (looked, lines) = (Instant::now(), Lines::default());
        let mut file = KeyFile { path: path.into(), looked, stamp: None, lines };
        match file.read() {
            Ok(Some(bytes)) => {
                file.lines.take(&bytes, ring);
                let told = file.lines.problem(bytes.len() as u64 > LARGEST);
                problems.extend(told.map(|told| format!("lol.keylog_file: {path}: {told}")));
            }
            Ok(None) => {}
            Err(error) => problems.push(format!(
                "lol.keylog_file: {path} cannot be read ({error}); it must be a text file with a line \"KEY …\" for each match, and is looked for again while the capture runs"
            )),
        }
        Some(file)
    }

    /// Looks whether there is more in it, at most once a second.
    pub fn look(&mut self, now: Instant, ring: &mut Keyring) {
        if now.saturating_duration_since(self.looked) >= LOOK_AGAIN {
            self.look_now(now, ring);
        }
    }

    /// Looks whether there is more in it.
    pub fn look_now(&mut self, now: Instant, ring: &mut Keyring) {
        self.looked = now;
        // a file that is not there yet has been told of
        if let Ok(Some(bytes)) = self.read() {
            self.lines.take(&bytes, ring);
        }
    }

    /// The bytes of the file, at most one more than may be; `None` where it has not changed.
    fn read(&mut self) -> io::Result<Option<Vec<u8>>> {
        let about = fs::metadata(&self.path)?;
        if !about.is_file() {
            // a pipe would keep the whole program waiting
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
        }
        let stamp = (about.len(), about.modified().unwrap_or(SystemTime::UNIX_EPOCH));
        if self.stamp == Some(stamp) {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        File::open(&self.path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
        self.stamp = Some(stamp);
        Ok(Some(bytes))
    }
}

/// The lines of a key file that were taken so far.
#[derive(Debug, Default)]
struct Lines {
    seen: HashSet<String>,
    keys: usize,
    /// The last line, where no line end follows yet, and its row: it may be half written.
    unfinished: Option<(String, usize)>,
    /// The first line that is not understood, why, and how many there are.
    wrong: Option<(usize, String, usize)>,
    is_full: bool,
}

impl Lines {
    /// Takes the lines of the file that are new.
    fn take(&mut self, bytes: &[u8], ring: &mut Keyring) {
        let bytes = &bytes[..bytes.len().min(LARGEST as usize)];
        let text = text_file::text_of(bytes);
        let text = text.trim_start_matches('\u{FEFF}'); // as some programs of Windows begin a file
        let mut unfinished = self.unfinished.take();
        self.wrong = None;
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            let is_whole = line.ends_with('\n');
            let line = line.trim();
            if let Some((known, row)) = unfinished.take_if(|(known, _)| known == line) {
                match is_whole {
                    true => drop(self.seen.insert(known)),
                    false => self.unfinished = Some((known, row)),
                }
            } else if !self.seen.contains(line) {
                self.take_line(number, line, is_whole, ring);
            }
        }
        if let Some((_, row)) = unfinished {
            ring.withdraw(row);
        }
    }

    fn take_line(&mut self, number: usize, line: &str, is_whole: bool, ring: &mut Keyring) {
        let row = match parse(line) {
            Ok(None) => return,
            Ok(Some(row)) => row,
            Err(why) => {
                let (_, _, count) = self.wrong.get_or_insert((number, why, 0));
                *count += 1;
                return;
            }
        };
        if self.keys >= MOST_KEYS {
            self.is_full = true;
            return;
        }
        self.keys += 1;
        let place = ring.add_row(KeySource::File, u32::try_from(number).unwrap_or(u32::MAX), &row);
        match is_whole {
            true => drop(self.seen.insert(line.to_owned())),
            false => self.unfinished = Some((line.to_owned(), place)),
        }
    }

    /// What is wrong with the file, in one line; `None` where nothing is.
    fn problem(&self, is_longer: bool) -> Option<String> {
        let mut told = Vec::new();
        if let Some((number, why, count)) = &self.wrong {
            let more = match count - 1 {
                0 => String::new(),
                1 => ", and so is 1 more line".to_owned(),
                more => format!(", and so are {more} more lines"),
            };
            told.push(format!("line {number} is left out ({why}){more}"));
        }
        if is_longer || self.is_full {
            told.push(format!(
                "only its first {} MiB and {MOST_KEYS} keys are read: begin a new file",
                LARGEST >> 20
            ));
        }
        (!told.is_empty()).then(|| told.join("; "))
    }
}

/// Reads a line; `None` where it is empty or a comment.
fn parse(line: &str) -> Result<Option<KeyTerms>, String> {
    if line.len() > LONGEST_LINE {
        return Err(format!("it has {} bytes, a line has at most {LONGEST_LINE}", line.len()));
    }
    let mut words = line.split_whitespace().take_while(|word| !word.starts_with('#'));
    match words.next() {
        None => Ok(None),
        Some(word) if word.eq_ignore_ascii_case("KEY") => key_row::parse_line(words).map(Some),
        // the word may be a key whose KEY was forgotten
        Some(_) => Err("a line begins with KEY, or is a comment that begins with #".to_owned()),
    }
}

#[cfg(test)]
mod tests;
