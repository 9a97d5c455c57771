//! Giving vectors their bytes: the fields are chosen by hand, the bytes written from them.

use dissector_core::encode::message;
use dissector_core::registry::{Registry, REGISTRY};
use serde_json::{json, Value as Json};

use crate::json::from_json;
use crate::vector::text_of;

/// [`fill_by`] the project's own book.
pub fn fill(text: &str) -> Result<String, String> {
    fill_by(&REGISTRY, text)
}

/// The text of a vector file with bytes written for each entry that has none; `netId` says what the header names.
pub fn fill_by(registry: &Registry, text: &str) -> Result<String, String> {
    let mut entries: Vec<Json> =
        serde_json::from_str(text).map_err(|why| format!("no array of vectors: {why}"))?;
    for (index, entry) in entries.iter_mut().enumerate() {
        if entry.get("bytes").is_none() {
            let bytes = bytes_of(registry, entry).map_err(|why| format!("vector {index}: {why}"))?;
            insert_bytes(entry, hex::encode(bytes));
        }
    }
    Ok(text_of(&entries))
}

fn bytes_of(registry: &Registry, entry: &Json) -> Result<Vec<u8>, String> {
    let text =
        |key: &str| entry[key].as_str().ok_or_else(|| format!("{key}: expected text, got {}", entry[key]));
    let number = |key: &str, most: u64| match &entry[key] {
        Json::Null => Ok(0),
        other => other
            .as_u64()
            .filter(|n| *n <= most)
            .ok_or_else(|| format!("{key}: expected 0 to {most}, got {other}")),
    };
    let build = text("version")?.parse().map_err(|why| format!("version: {why}"))?;
    let (name, channel) = (text("message")?, number("channel", 255)? as u8);
    let (program, _) = registry.program_of(name, build).ok_or_else(|| format!("{name} is not in {build}"))?;
    let fields = from_json(&entry["fields"], program.layout.rows);
    let net_id = number("netId", u64::from(u32::MAX))? as u32;
    let mut bytes = message(program, build, net_id, Some(channel), &fields).map_err(|why| why.to_string())?;
    let rest = hex::decode(entry["rest"].as_str().unwrap_or_default());
    let rest = rest.map_err(|why| format!("rest: expected hexadecimal digits: {why}"))?;
    bytes.extend(rest);
    Ok(bytes)
}

/// Puts the bytes before the fields, where other vectors have them; the net id is in them from here on.
fn insert_bytes(entry: &mut Json, hex: String) {
    let Json::Object(old) = std::mem::take(entry) else { return };
    let mut new = serde_json::Map::new();
    for (key, value) in old {
        if key == "fields" {
            new.insert("bytes".to_owned(), json!(hex));
        }
        if key != "netId" {
            new.insert(key, value);
        }
    }
    *entry = Json::Object(new);
}
