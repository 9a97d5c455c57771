//! The reader as people meet it: the built plugin in a real tshark, its tree read back from PDML.

mod pdml;
mod stage;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use dissector_core::layout::Sender;

use crate::item::{only_message, reading, Item};
use crate::reader::{Reader, Reading};
use crate::vector::Vector;
pub use pdml::{packets, whole};
use stage::Stage;

/// What the preferences must say of payloads that come without ENet: build, channel, sender.
type Group = (String, u8, &'static str);

/// Reads through tshark: payloads of one build, channel and sender go into one capture.
pub struct Tshark {
    stage: Stage,
    readings: HashMap<(Group, Vec<u8>), Result<Reading, String>>,
}

impl Tshark {
    /// Lays the plugin out where tshark loads it from; the error says what is missing.
    pub fn new(plugin: &Path) -> Result<Tshark, String> {
        Ok(Tshark { stage: Stage::new(plugin)?, readings: HashMap::new() })
    }
}

fn group(vector: &Vector) -> Group {
    let sender = if vector.sender == Sender::Client { "client" } else { "server" };
    (vector.version.to_string(), vector.channel, sender)
}

impl Reader for Tshark {
    /// A run of tshark takes a good part of a second whatever it reads, so all that it can read in one go it does.
    fn prepare(&mut self, vectors: &[Vector]) -> Result<(), String> {
        let mut groups: BTreeMap<Group, Vec<&Vector>> = BTreeMap::new();
        for vector in vectors {
            let of = groups.entry(group(vector)).or_default();
            if !of.iter().any(|other| other.bytes == vector.bytes) {
                of.push(vector);
            }
        }
        for (group, vectors) in groups {
            let payloads: Vec<&[u8]> = vectors.iter().map(|vector| vector.bytes.as_slice()).collect();
            let packets = self.stage.read(&group, &payloads)?;
            if packets.len() != vectors.len() {
                return Err(format!("tshark shows {} packets of {}", packets.len(), vectors.len()));
            }
            for (vector, packet) in vectors.into_iter().zip(&packets) {
                let key = (group.clone(), vector.bytes.clone());
                self.readings.insert(key, message(packet, vector));
            }
        }
        Ok(())
    }

    fn read(&mut self, vector: &Vector) -> Result<Reading, String> {
        let key = (group(vector), vector.bytes.clone());
        if !self.readings.contains_key(&key) {
            self.prepare(std::slice::from_ref(vector))?;
        }
        self.readings.get(&key).cloned().unwrap_or_else(|| Err("tshark did not read it".to_owned()))
    }
}

/// What a packet says of the one message it holds.
fn message(protocols: &[Item], vector: &Vector) -> Result<Reading, String> {
    let mut items = protocols.iter().filter(|item| item.name == "lol");
    let (Some(lol), None) = (items.next(), items.next()) else {
        return Err("the packet does not hold exactly one item lol".to_owned());
    };
    let root = only_message(lol)?;
    // A note on a malformed field brings a hidden item of the first name; shown, it says that a dissector threw.
    let fault = protocols.iter().flat_map(Item::all).find(|item| {
        !item.hidden && ["_ws.malformed", "_ws.short", "lol.internal"].contains(&item.name.as_str())
    });
    if let Some(fault) = fault {
        return Err(format!("{} in the tree", fault.name));
    }
    let mut reading = reading(lol, root, vector.version)?;
    let holds = |item: &&Item| item.name == "_ws.expert" && item.find("lol.malformed").is_some();
    let cut = root.all().find(holds);
    reading.cut = cut.map(|item| {
        let said = item.find("_ws.expert.message").and_then(|message| message.text.clone());
        said.unwrap_or_else(|| "lol.malformed".to_owned())
    });
    Ok(reading)
}
