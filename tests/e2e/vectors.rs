//! Vectors as payloads without ENet: every field through tshark, and every length to which a payload may be cut.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use conformance::{files, load, Core, Reader, Vector};
use dissector_core::layout::Sender;
use dissector_core::registry::REGISTRY;

use crate::expected::differences;
use crate::lab::{shared, Lab};
use crate::pcap;
use crate::pdml::{Item, Packet};

/// What the preferences must say of a payload: build, channel, sender.
pub type Group = (String, u8, &'static str);

fn own_files() -> Vec<PathBuf> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/vectors"))
        .expect("the project's own vectors")
}

/// Vectors of these files whose message the reader knows, by what the preferences must say. Registrations, on channel 0,
/// have no command and are shown under names of their own.
fn groups(paths: &[PathBuf]) -> BTreeMap<Group, Vec<Vector>> {
    let mut groups: BTreeMap<Group, Vec<Vector>> = BTreeMap::new();
    for path in paths {
        for vector in load(path).unwrap_or_else(|error| panic!("{error}")) {
            if vector.channel != 0 && REGISTRY.program_of(&vector.message, vector.version).is_some() {
                let sender = match vector.sender {
                    Sender::Client => "client",
                    Sender::Server => "server",
                };
                groups.entry((vector.version.to_string(), vector.channel, sender)).or_default().push(vector);
            }
        }
    }
    groups
}

/// The payloads of the project's own vectors, by what the preferences must say.
pub fn own_payloads() -> BTreeMap<Group, Vec<Vec<u8>>> {
    let payloads = |vectors: Vec<Vector>| vectors.into_iter().map(|vector| vector.bytes).collect();
    groups(&own_files()).into_iter().map(|(group, vectors)| (group, payloads(vectors))).collect()
}

/// The packets of a file of payloads under a user link type.
fn read(lab: &Lab, (build, channel, sender): &Group, file: &[u8]) -> Vec<Packet> {
    let capture = lab.file("payloads.pcap", file);
    let call = lab.tshark(&capture).args(&["-o", pcap::USER0]).pref("lol.build", build);
    call.pref("lol.user_channel", &channel.to_string()).pref("lol.user_sender", sender).pdml()
}

fn only_message(packet: &Packet) -> &Item {
    assert_eq!(packet.of("lol").count(), 1, "packet {}", packet.number);
    let mut messages = packet.messages();
    let first = messages.next().expect("a payload is a message");
    assert!(messages.next().is_none(), "a payload is one message: packet {}", packet.number);
    first
}

/// What the reader says of how far it could read; not what it says of where a layout is known from, or of values.
fn notes(packet: &Packet) -> Vec<&str> {
    const NOTES: [&str; 7] = [
        "lol.malformed",
        "lol.short",
        "lol.surplus",
        "lol.unknown",
        "lol.buildUnknown",
        "lol.tooMany",
        "lol.internal",
    ];
    packet.experts().into_iter().filter(|name| NOTES.contains(name)).collect()
}

/// What is wrong with a packet that holds the payload of a vector.
fn problems(vector: &Vector, packet: &Packet) -> Vec<String> {
    let lol = only_message(packet);
    let mut found = differences(&vector.message, &vector.fields, lol);
    let mut expect = |what: &str, wanted: &str, got: &str| {
        if wanted != got {
            found.push(format!("{what}: expected {wanted:?}, got {got:?}"));
        }
    };
    expect("build", &vector.version.to_string(), packet.value("lol.build"));
    expect("channel", &vector.channel.to_string(), lol.value("lol.channel"));
    let left_over = lol.find("lol.leftOver").map_or("", |item| item.value.as_str());
    expect("left over", &hex::encode(&vector.rest), left_over);
    let surplus = if vector.rest.is_empty() { "" } else { "lol.surplus" };
    expect("experts", surplus, &notes(packet).join(" "));
    found
        .iter()
        .map(|what| format!("{} {} {}: {what}", vector.message, vector.version, vector.note))
        .collect()
}

fn check_all(paths: &[PathBuf]) -> Option<usize> {
    let lab = Lab::new()?;
    let (mut count, mut found) = (0, Vec::new());
    for (group, vectors) in groups(paths) {
        let payloads: Vec<_> = vectors.iter().map(|vector| &vector.bytes).collect();
        let packets = read(&lab, &group, &pcap::user(&payloads));
        assert_eq!(packets.len(), payloads.len());
        found.extend(vectors.iter().zip(&packets).flat_map(|(vector, packet)| problems(vector, packet)));
        count += vectors.len();
    }
    found.truncate(20);
    assert!(found.is_empty(), "of {count} vectors, first {found:#?}");
    Some(count)
}

#[test]
fn own_vectors_have_every_field() {
    let Some(count) = check_all(&own_files()) else { return };
    assert!(count >= 137, "{count} vectors");
}

#[test]
fn recorded_vectors_have_every_field() {
    let Some(path) = shared("vectors/recorded-1.0.0.136.json") else { return };
    let Some(count) = check_all(&[path]) else { return };
    assert_eq!(count, 272);
}

#[test]
fn generated_vectors_have_every_field() {
    let Some(path) = shared("vectors/generated.json") else { return };
    let Some(count) = check_all(&[path]) else { return };
    assert!(count >= 320, "{count} vectors: the messages of the movement page alone are more");
}

/// One vector of each layout, the longest, so that every row of it has bytes somewhere.
fn one_per_layout(paths: &[PathBuf]) -> Vec<(Group, Vector)> {
    let mut chosen: BTreeMap<usize, (Group, Vector)> = BTreeMap::new();
    for (group, vectors) in groups(paths) {
        for vector in vectors {
            let (program, _) =
                REGISTRY.program_of(&vector.message, vector.version).expect("groups() asked already");
            // A layout is written once, so its place in memory tells it from the others.
            let layout = std::ptr::from_ref(program.layout) as usize;
            let longer = chosen.get(&layout).is_none_or(|(_, other)| other.bytes.len() < vector.bytes.len());
            if longer && vector.rest.is_empty() && vector.bytes.len() < 400 {
                chosen.insert(layout, (group.clone(), vector));
            }
        }
    }
    chosen.into_values().collect()
}

/// The leaves of a message's body with what they show, in order; what the reader fills in at the end is left out.
fn leaves(lol: &Item) -> Vec<(&str, &str)> {
    let all = lol.all().into_iter().filter(|item| item.items.is_empty() && item.place.1 > 0);
    let stated = all.filter(|item| !item.name.contains(".point") && !item.name.starts_with("_ws."));
    stated
        .filter(|item| item.name != "lol.leftOver")
        .map(|item| (item.name.as_str(), item.show.as_str()))
        .collect()
}

/// What is left of a payload, and what must be said of it.
struct Cut<'v> {
    vector: &'v Vector,
    length: usize,
    /// Whether the capture says that there was more.
    by_capture: bool,
}

impl Cut<'_> {
    /// The field that the bytes end in, as the core says; `None` where a row goes on to the end and may end here.
    fn field(&self) -> Option<String> {
        let mut cut = self.vector.clone();
        cut.bytes.truncate(self.length);
        Core::default().read(&cut).map_or_else(|_| Some("lol.".to_owned()), |reading| reading.cut)
    }

    fn check(&self, packet: &Packet, whole: &[(&str, &str)]) {
        let lol = only_message(packet);
        let about =
            format!("{} of {} cut to {} bytes", self.vector.message, self.vector.version, self.length);
        let shown = leaves(lol);
        assert!(whole.starts_with(&shown), "{about}: {shown:?} is not how {whole:?} begins");
        let (experts, field) = (notes(packet), self.field());
        if self.by_capture {
            assert_eq!(experts, ["lol.short"], "{about}");
            return;
        }
        let malformed = experts.iter().filter(|name| **name == "lol.malformed").count();
        assert!(
            experts.iter().all(|name| ["lol.malformed", "lol.surplus"].contains(name)),
            "{about}: {experts:?}"
        );
        assert_eq!(malformed, usize::from(field.is_some()), "{about}: {experts:?}");
        if let Some(field) = field {
            let said = lol.find("lol.malformed").map_or("", |item| item.label.as_str());
            assert!(said.contains(&field), "{about}: {said:?} does not name {field}");
        }
    }
}

/// Cuts each vector at every length and reads all of that in one file per group.
fn check_cuts(vectors: Vec<(Group, Vector)>, by_capture: bool) {
    let Some(lab) = Lab::new() else { return };
    let mut groups: BTreeMap<Group, Vec<Vector>> = BTreeMap::new();
    vectors.into_iter().for_each(|(group, vector)| groups.entry(group).or_default().push(vector));
    for (group, vectors) in groups {
        let mut payloads = Vec::new();
        for Vector { bytes, .. } in &vectors {
            let before = |length| if by_capture { bytes.len() } else { length };
            payloads.extend((1..=bytes.len()).map(|length| (&bytes[..length], before(length))));
        }
        let packets = read(&lab, &group, &pcap::user_cut(&payloads));
        assert_eq!(packets.len(), payloads.len());
        let mut packets = packets.into_iter();
        for vector in &vectors {
            let lengths: Vec<_> = packets.by_ref().take(vector.bytes.len()).collect();
            let whole = leaves(only_message(lengths.last().expect("at least the whole payload")));
            for (index, packet) in lengths.iter().enumerate().take(vector.bytes.len() - 1) {
                Cut { vector, length: index + 1, by_capture }.check(packet, &whole);
            }
        }
    }
}

#[test]
fn own_vectors_cut_at_every_length() {
    check_cuts(one_per_layout(&own_files()), false);
}

#[test]
fn own_vectors_cut_by_the_capture() {
    check_cuts(one_per_layout(&own_files()), true);
}

#[test]
fn generated_vectors_cut_at_every_length() {
    let Some(path) = shared("vectors/generated.json") else { return };
    check_cuts(one_per_layout(&[path]), false);
}
