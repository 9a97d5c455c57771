//! Messages to test with: the project's own vectors, and the shared ones where they are at hand.
#![allow(dead_code)] // each test uses a part

use std::fs;
use std::path::{Path, PathBuf};

use dissector_core::decode::head::Head;
use dissector_core::decode::{read, End, Facts, Input};
use dissector_core::layout::{channel, Sender};
use dissector_core::registry::{Program, REGISTRY};
use dissector_core::tree::Tree;
use dissector_core::version::Build;
use serde_json::Value as Json;

/// A message of a vector file.
pub struct Message {
    pub name: String,
    pub build: Build,
    pub channel: u8,
    pub sender: Sender,
    pub command: u16,
    pub body: Vec<u8>,
    pub program: &'static Program,
    pub fields: Json,
}

pub fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A file beside the project; `None`, and a word about it, in a checkout without.
pub fn shared(path: &str) -> Option<Json> {
    let file = folder("../../shared").join(path);
    match fs::read_to_string(&file) {
        Ok(text) => Some(serde_json::from_str(&text).unwrap()),
        Err(_) => {
            println!("skipped: no shared {path} here");
            None
        }
    }
}

/// The project's own vectors.
pub fn own() -> Vec<Message> {
    let mut files: Vec<_> =
        fs::read_dir(folder("../conformance/vectors")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let json = |file: &PathBuf| serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    files.iter().flat_map(|file| messages(&json(file))).collect()
}

/// The messages of a vector file that the book has.
pub fn messages(json: &Json) -> Vec<Message> {
    let message = |vector: &Json| {
        let build: Build = vector["version"].as_str().unwrap().parse().unwrap();
        let name = vector["message"].as_str().unwrap();
        let (program, _) = REGISTRY.program_of(name, build)?;
        let bytes = hex::decode(vector["bytes"].as_str().unwrap()).unwrap();
        let channel = vector["channel"].as_u64().unwrap() as u8;
        let (command, _, body) = match channel::has_net_id(channel) {
            true => Head::new(&bytes).read().unwrap(),
            false => (u16::from(bytes[0]), 0, 1),
        };
        Some(Message {
            name: name.to_owned(),
            build,
            channel,
            sender: if vector["sender"] == "client" { Sender::Client } else { Sender::Server },
            command,
            body: bytes[body as usize..].to_vec(),
            program,
            fields: vector["fields"].clone(),
        })
    };
    json.as_array().unwrap().iter().filter_map(message).collect()
}

/// A body as it stands in a packet: 5 bytes of header before it, nodes from depth 1 on.
pub fn input<'a>(bytes: &'a [u8], reported: usize, channel: u8) -> Input<'a> {
    Input {
        bytes,
        reported: reported as u32,
        base: 5,
        channel: Some(channel),
        depth: 1,
        origin: Some((6991, 7223)),
        ..Input::default()
    }
}

pub fn decode(program: &Program, input: &Input<'_>) -> (Tree, Facts, End) {
    let (mut tree, mut facts) = (Tree::default(), Facts::default());
    let end = read::<true>(program, input, &mut tree, &mut facts);
    (tree, facts, end)
}

pub fn name(field: u16) -> &'static str {
    &REGISTRY.fields[usize::from(field)].name
}
