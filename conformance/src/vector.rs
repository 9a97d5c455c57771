//! Vectors as files hold them.

use std::fs;
use std::path::{Path, PathBuf};

use dissector_core::decode::head::Head;
use dissector_core::layout::{channel, Sender};
use dissector_core::version::Build;
use serde_json::Value as Json;

/// One message: its bytes and the fields they decode to.
#[derive(Clone, Debug)]
pub struct Vector {
    /// Name of the message in the specification.
    pub message: String,
    /// Build it belongs to.
    pub version: Build,
    /// Channel it comes on.
    pub channel: u8,
    /// Who sends it.
    pub sender: Sender,
    /// The payload, from the command byte on.
    pub bytes: Vec<u8>,
    /// Bytes at the end of the payload that the layout leaves over.
    pub rest: Vec<u8>,
    /// The fields of the body.
    pub fields: Json,
    /// What it is there for; may be empty.
    pub note: String,
}

impl Vector {
    /// Command, net id (0 where the channel has none) and where the body begins; `None` where the header is cut.
    pub fn head(&self) -> Option<(u16, u32, usize)> {
        if channel::has_net_id(self.channel) {
            let (command, net_id, body) = Head::new(&self.bytes).read().ok()?;
            return Some((command, net_id, body as usize));
        }
        self.bytes.first().map(|command| (u16::from(*command), 0, 1))
    }
}

/// Why a file or a part of it cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NotAVector {
    /// The file cannot be read.
    #[error("{path}: {why}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: std::io::Error,
    },
    /// The file is not JSON.
    #[error("{path}: not JSON: {why}")]
    Json {
        /// The file.
        path: PathBuf,
        /// What is wrong and where.
        why: serde_json::Error,
    },
    /// The file is no array of vectors.
    #[error(
        "{path}: expected an array of vectors, each with message, version, channel, sender, bytes and fields"
    )]
    Form {
        /// The file.
        path: PathBuf,
    },
    /// A vector of the file lacks something.
    #[error("{path}: vector {index}: {key}: expected {wanted}, got {got}")]
    Key {
        /// The file.
        path: PathBuf,
        /// Place in the array, from 0.
        index: usize,
        /// The key.
        key: &'static str,
        /// What it holds.
        wanted: &'static str,
        /// What was there.
        got: String,
    },
}

/// The `.json` files of a folder, in the order of their names; a file stands for itself.
pub fn files(path: &Path) -> Result<Vec<PathBuf>, NotAVector> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let failed = |why| NotAVector::File { path: path.to_owned(), why };
    let entries: Result<Vec<_>, _> = fs::read_dir(path).map_err(failed)?.collect();
    let files = entries.map_err(failed)?.into_iter().map(|entry| entry.path());
    let mut files: Vec<_> = files.filter(|file| file.extension().is_some_and(|e| e == "json")).collect();
    files.sort();
    Ok(files)
}

/// The vectors of a file.
pub fn load(path: &Path) -> Result<Vec<Vector>, NotAVector> {
    let text = fs::read_to_string(path).map_err(|why| NotAVector::File { path: path.to_owned(), why })?;
    parse(path, &text)
}

/// The vectors of a file's text; errors name `path`.
pub fn parse(path: &Path, text: &str) -> Result<Vec<Vector>, NotAVector> {
    let json = serde_json::from_str(text).map_err(|why| NotAVector::Json { path: path.to_owned(), why })?;
    let Json::Array(entries) = json else { return Err(NotAVector::Form { path: path.to_owned() }) };
    entries.into_iter().enumerate().map(|(index, entry)| Entry { path, index, entry }.vector()).collect()
}

/// Writes vectors, one a line.
pub fn text_of(entries: &[Json]) -> String {
    let lines: Vec<_> = entries.iter().map(Json::to_string).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

struct Entry<'p> {
    path: &'p Path,
    index: usize,
    entry: Json,
}

impl Entry<'_> {
    fn vector(mut self) -> Result<Vector, NotAVector> {
        let sender = match self.text("sender")? {
            "client" => Sender::Client,
            "server" => Sender::Server,
            _ => return Err(self.wrong("sender", "client or server")),
        };
        let version =
            self.text("version")?.parse().map_err(|_| self.wrong("version", "a build such as 1.0.0.136"))?;
        let channel = self.entry["channel"].as_u64().and_then(|channel| u8::try_from(channel).ok());
        let hex =
            |key, text| hex::decode(text).map_err(|_| self.wrong(key, "hexadecimal digits, two a byte"));
        let rest = match self.entry.get("rest") {
            None | Some(Json::Null) => Vec::new(),
            Some(_) => hex("rest", self.text("rest")?)?,
        };
        Ok(Vector {
            message: self.text("message")?.to_owned(),
            version,
            channel: channel.ok_or_else(|| self.wrong("channel", "a number below 256"))?,
            sender,
            bytes: hex("bytes", self.text("bytes")?)?,
            rest,
            note: self.entry["note"].as_str().unwrap_or_default().to_owned(),
            fields: self.entry["fields"].take(),
        })
    }

    fn text(&self, key: &'static str) -> Result<&str, NotAVector> {
        self.entry[key].as_str().ok_or_else(|| self.wrong(key, "text"))
    }

    fn wrong(&self, key: &'static str, wanted: &'static str) -> NotAVector {
        let got = self.entry[key].to_string();
        NotAVector::Key { path: self.path.to_owned(), index: self.index, key, wanted, got }
    }
}
