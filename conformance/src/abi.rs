//! The reader as a C program meets it: through the functions of the ABI alone.

use std::collections::hash_map::{Entry, HashMap};

use dissector_core::layout::Sender;
use dissector_core::version::Build;
use wireshark_ffi::abi::{
    riftshark_node, RIFTSHARK_KIND_DOUBLE, RIFTSHARK_KIND_TEXT, RIFTSHARK_NODE_GENERATED,
    RIFTSHARK_NODE_HIDDEN,
};
use wireshark_ffi::client::{expert, field, Answer, Client};

use crate::item::{only_message, reading, Item};
use crate::reader::{Reader, Reading};
use crate::vector::Vector;

/// Reads through the C ABI, with an engine for each build.
#[derive(Default)]
pub struct Abi {
    clients: HashMap<Build, Client>,
}

impl Reader for Abi {
    fn read(&mut self, vector: &Vector) -> Result<Reading, String> {
        let client = match self.clients.entry(vector.version) {
            Entry::Occupied(there) => there.into_mut(),
            Entry::Vacant(free) => free.insert(Client::new(&vector.version.to_string())?),
        };
        let sender = if vector.sender == Sender::Client { 1 } else { 2 };
        let answer = client.message(&vector.bytes, vector.channel, sender);
        let answer = answer.map_err(|status| format!("riftshark_message answers {status}"))?;
        let roots = tree(&answer, &vector.bytes)?;
        let [lol] = roots.as_slice() else {
            return Err(format!("{} items where a payload is one", roots.len()));
        };
        let mut reading = reading(lol, only_message(lol)?, vector.version)?;
        reading.cut = malformed(&answer);
        Ok(reading)
    }
}

fn malformed(answer: &Answer<'_>) -> Option<String> {
    let is_malformed = |index: u16| expert(index) == Some("lol.malformed");
    let item = answer.experts.iter().find(|item| is_malformed(item.expert))?;
    Some(answer.text(item.text).unwrap_or("lol.malformed").to_owned())
}

/// The items of an answer, nested as their depths say.
fn tree(answer: &Answer<'_>, payload: &[u8]) -> Result<Vec<Item>, String> {
    // Above the roots stands one that takes them.
    let mut open = vec![Item::default()];
    for node in answer.nodes {
        if usize::from(node.depth) >= open.len() {
            return Err("a node stands deeper than one level below its parent".to_owned());
        }
        close(&mut open, usize::from(node.depth) + 1);
        open.push(item(answer, node, payload)?);
    }
    close(&mut open, 1);
    Ok(open.remove(0).items)
}

/// Puts open items into their parents until `left` are open.
fn close(open: &mut Vec<Item>, left: usize) {
    while open.len() > left {
        let Some(done) = open.pop() else { return };
        if let Some(parent) = open.last_mut() {
            parent.items.push(done);
        }
    }
}

fn item(answer: &Answer<'_>, node: &riftshark_node, payload: &[u8]) -> Result<Item, String> {
    let (name, kind) = field(node.field).ok_or("a node of a field that is not in the table")?;
    let bytes = payload.get(node.offset as usize..).and_then(|rest| rest.get(..node.length as usize));
    // What was worked out may be filterable under the name of a row, but it is no row.
    let generated = RIFTSHARK_NODE_GENERATED | RIFTSHARK_NODE_HIDDEN;
    let (is_float, is_text) = (kind == RIFTSHARK_KIND_DOUBLE, kind == RIFTSHARK_KIND_TEXT);
    Ok(Item {
        name: name.to_owned(),
        whole: (!is_float && !is_text).then(|| whole(node, kind)),
        float: is_float.then(|| f64::from_bits(node.value)),
        text: if is_text { answer.text(node.text).map(str::to_owned) } else { None },
        bytes: bytes.ok_or_else(|| format!("{name} spans bytes that are not there"))?.to_vec(),
        hidden: node.flags & generated != 0,
        items: Vec::new(),
    })
}

/// A whole number with the sign its field has.
fn whole(node: &riftshark_node, kind: u8) -> i128 {
    use wireshark_ffi::abi::{RIFTSHARK_KIND_I64, RIFTSHARK_KIND_I8};
    if (RIFTSHARK_KIND_I8..=RIFTSHARK_KIND_I64).contains(&kind) {
        i128::from(node.value as i64)
    } else {
        i128::from(node.value)
    }
}
