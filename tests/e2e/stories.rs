//! Each sample capture shows what its story in `captures/README.md` says.
//!
//! Frames are named by what the README says of them, so that a capture may be made anew with other frames.

mod company;
mod datagrams;
mod meetings;
mod session;
mod shapes;

use std::fs;
use std::path::Path;

use crate::lab::Lab;
use crate::pdml::Packet;
use crate::{KEY, SECOND_KEY};

/// A sample capture as a pass shows it.
struct Story {
    name: &'static str,
    packets: Vec<Packet>,
}

impl Story {
    /// A capture read with both keys, and 1.0.0.136 where it states no build.
    fn open(name: &'static str) -> Option<Story> {
        Story::open_with(name, &["-2"])
    }

    /// The same with other arguments: without `-2` as the first pass shows it.
    fn open_with(name: &'static str, args: &[&str]) -> Option<Story> {
        let lab = Lab::new()?;
        let call = lab.tshark(&lab.capture(name)).args(args).key(&format!("{KEY},{SECOND_KEY}"));
        Some(Story { name, packets: call.pref("lol.fallback_build", "1.0.0.136").pdml() })
    }

    /// The packet with this number.
    fn frame(&self, number: u32) -> &Packet {
        &self.packets[number as usize - 1]
    }

    /// The packet of which the README says something that begins so.
    fn noted(&self, beginning: &str) -> &Packet {
        self.frame(note(self.name, beginning))
    }

    /// The one after it.
    fn after(&self, packet: &Packet) -> &Packet {
        self.frame(packet.number + 1)
    }

    /// The numbers of the packets that have a field.
    fn with(&self, field: &str) -> Vec<u32> {
        let holds = |packet: &&Packet| packet.all().iter().any(|item| item.name == field);
        self.packets.iter().filter(holds).map(|packet| packet.number).collect()
    }

    /// No packet has this field.
    fn assert_none(&self, field: &str) {
        let found = self.with(field);
        assert!(found.is_empty(), "{}: frames with {field}: {found:?}", self.name);
    }

    /// The number of the only packet that has this value of a field.
    fn only(&self, field: &str, value: &str) -> u32 {
        let holds = |packet: &&Packet| packet.values(field).contains(&value);
        let found: Vec<_> = self.packets.iter().filter(holds).map(|packet| packet.number).collect();
        assert_eq!(found.len(), 1, "{}: frames with {field} {value}: {found:?}", self.name);
        found[0]
    }

    /// No packet is called malformed, nor the reader broken.
    fn assert_sound(&self) {
        crate::session::assert_sound(&self.packets);
    }
}

/// The frame of which the README says something that begins so, in the part about a capture.
fn note(capture: &str, beginning: &str) -> u32 {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("captures/README.md");
    let text = fs::read_to_string(path).expect("captures/README.md is there");
    let part = text.split("\n## ").find(|part| part.starts_with(capture));
    let part = part.unwrap_or_else(|| panic!("captures/README.md does not tell of {capture}"));
    let row = part.lines().find_map(|line| {
        let (frame, said) = line.strip_prefix("| ")?.split_once(" | ")?;
        said.starts_with(beginning).then(|| frame.parse().ok())?
    });
    row.unwrap_or_else(|| panic!("captures/README.md, {capture}: nothing begins with {beginning:?}"))
}
