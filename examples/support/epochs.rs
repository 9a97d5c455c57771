//! A capture per epoch: a session of a build at which numbers or shapes changed, with every message the book has there.

use std::path::Path;

use super::dice::Dice;
use super::game::{record, Game, Made};
use super::messages::{self, Value};
use super::net::{endpoint, Capture};
use conformance::json::from_json;
use conformance::{files, load, Vector};
use dissector_core::book::names::Names;
use dissector_core::encode;
use dissector_core::enet::wire::HeaderVariant;
use dissector_core::layout::{channel, Delivery, Sender};
use dissector_core::registry::{Program, REGISTRY};
use dissector_core::version::{b, Build};

/// The key of every one of them, that of the other samples: `52696674736861726b2073616d706c65`.
const KEY: [u8; 16] = super::stories::KEY;
/// From this build on a registration states the build.
const STATED: Build = b(142);
const PLAYER: u64 = 0x0001_0203_0405_0607;

/// File, build and header shape; where it is not known from which build on headers are compact, that shape is a guess.
const EPOCHS: [(&str, Build, HeaderVariant); 18] = [
    ("epochs/0.8.13.26.pcap", Build::new(0, 8, 13, 26), HeaderVariant::Classic),
    ("epochs/0.9.22.14.pcap", Build::new(0, 9, 22, 14), HeaderVariant::Classic),
    ("epochs/0.9.25.36.pcap", Build::new(0, 9, 25, 36), HeaderVariant::Classic),
    ("epochs/1.0.0.24.pcap", b(24), HeaderVariant::Classic),
    ("epochs/1.0.0.130.pcap", b(130), HeaderVariant::Classic),
    ("epochs/1.0.0.132.pcap", b(132), HeaderVariant::Classic),
    ("epochs/1.0.0.135.pcap", b(135), HeaderVariant::Classic),
    ("epochs/1.0.0.136.pcap", b(136), HeaderVariant::Classic),
    ("epochs/1.0.0.138.pcap", b(138), HeaderVariant::Classic),
    ("epochs/1.0.0.139.pcap", b(139), HeaderVariant::Classic),
    ("epochs/1.0.0.141.pcap", b(141), HeaderVariant::Classic),
    ("epochs/1.0.0.144.pcap", b(144), HeaderVariant::Compact),
    ("epochs/1.0.0.147.pcap", b(147), HeaderVariant::Compact),
    ("epochs/1.0.0.149.pcap", b(149), HeaderVariant::Compact),
    ("epochs/1.0.0.150.pcap", b(150), HeaderVariant::Compact),
    ("epochs/1.0.0.152.pcap", b(152), HeaderVariant::Compact),
    ("epochs/4.17.0.268.pcap", Build::new(4, 17, 0, 268), HeaderVariant::Compact),
    ("epochs/4.20.0.315.pcap", Build::new(4, 20, 0, 315), HeaderVariant::Prefixed),
];

/// One message as it was sent.
pub struct Sent {
    /// Frame in which it is complete.
    pub frame: usize,
    /// Its program.
    pub program: &'static Program,
    /// Who sent it.
    pub sender: Sender,
    /// Channel it came on.
    pub channel: u8,
    /// The fields of its body.
    pub fields: Value,
}

/// One capture.
pub struct Epoch {
    /// Its file in `captures/`.
    pub file: &'static str,
    /// Its build.
    pub build: Build,
    /// Its header shape.
    pub variant: HeaderVariant,
    /// The frames.
    pub capture: Capture,
    /// Every message of the book, in the order they were sent.
    pub sent: Vec<Sent>,
}

/// All of them, oldest first. The fields are those of the project's own vectors.
pub fn epochs() -> Vec<Epoch> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/vectors");
    let files = files(&folder).unwrap_or_else(|error| panic!("{error}"));
    let vectors: Vec<Vector> =
        files.iter().flat_map(|file| load(file).unwrap_or_else(|error| panic!("{error}"))).collect();
    EPOCHS.iter().map(|(file, build, variant)| epoch(file, *build, *variant, &vectors)).collect()
}

fn epoch(file: &'static str, build: Build, variant: HeaderVariant, vectors: &[Vector]) -> Epoch {
    let client = endpoint([192, 0, 2, 10], 50_000);
    let mut game = Game::new(variant, client, endpoint([198, 51, 100, 20], 5_119), Some(KEY));
    let mut sent = Vec::new();
    game.open();
    game.wait(300);
    let book = REGISTRY.programs.iter().filter_map(|program| {
        let (found, _) = REGISTRY.program_of(program.message.name, build)?;
        std::ptr::eq(found, program).then_some(program)
    });
    let (bare, named): (Vec<_>, Vec<_>) =
        book.partition(|program| !channel::has_net_id(program.layout.channel));
    // A session begins with its registration, whether the book has a layout for it or not.
    if bare.is_empty() {
        register(&mut game, build);
    }
    for program in bare {
        send(&mut game, build, program, vectors, &mut sent);
    }
    if build < STATED {
        let text = version_text(build);
        let made = game.reliable(Sender::Client, channel::REQUESTS, &text);
        game.tell(Sender::Client, &made);
    }
    for program in named {
        send(&mut game, build, program, vectors, &mut sent);
    }
    let bye = game.disconnect(Sender::Server, 4);
    game.tell(Sender::Server, &bye);
    let mut capture = Capture::new();
    for (frame, which) in record(vec![game], &mut capture) {
        if let Some(sent) = which.parse::<usize>().ok().and_then(|which| sent.get_mut(which)) {
            sent.frame = frame;
        }
    }
    Epoch { file, build, variant, capture, sent }
}

/// Both ends register, in the form of builds whose registration the book does not have.
fn register(game: &mut Game, build: Build) {
    let [.., last] = build.parts();
    let version = (build >= STATED).then_some(10_000_000 + u32::from(last));
    for (sender, client) in [(Sender::Client, 0), (Sender::Server, 1)] {
        let payload = messages::registration(game.key(), PLAYER, client, version);
        let made = game.reliable(sender, channel::REGISTRATION, &payload);
        game.tell(sender, &made);
        game.wait(40);
    }
}

/// What a client says of its build, under the number the message has there, if that is known.
fn version_text(build: Build) -> Vec<u8> {
    let names = Names::of(build);
    let known = (0..256).any(|number| names.get(number).is_some_and(|(name, _)| name == "SynchVersionC2S"));
    if known {
        messages::client_version_of(build, build)
    } else {
        messages::client_version(build)
    }
}

fn send(game: &mut Game, build: Build, program: &'static Program, vectors: &[Vector], sent: &mut Vec<Sent>) {
    let layout = program.layout;
    let (fields, net_id) = content(game, build, program, vectors);
    let payload = encode::message(program, build, net_id, Some(layout.channel), &fields)
        .unwrap_or_else(|error| panic!("{} {build}: {error}", program.message.name));
    let made: Vec<Made> = match layout.delivery {
        Delivery::Reliable => game.reliable(layout.sender, layout.channel, &payload),
        Delivery::Unreliable => game.unreliable(layout.sender, layout.channel, &payload),
        Delivery::Unsequenced => game.unsequenced(layout.sender, layout.channel, &payload),
    };
    let mut moment = 0;
    for part in &made {
        moment = game.tell(layout.sender, std::slice::from_ref(part));
        game.wait(15);
    }
    game.note(moment, sent.len().to_string());
    sent.push(Sent { frame: 0, program, sender: layout.sender, channel: layout.channel, fields });
}

/// The fields and the net id of a vector of this layout, that of the build itself if there is one.
fn content(game: &Game, build: Build, program: &Program, vectors: &[Vector]) -> (Value, u32) {
    let fits = |vector: &&Vector| {
        let found = REGISTRY.program_of(&vector.message, vector.version);
        found.is_some_and(|(found, _)| std::ptr::eq(found, program)) && vector.note.contains("build of")
    };
    let chosen = vectors.iter().filter(fits).max_by_key(|vector| vector.version == build);
    let vector = chosen.unwrap_or_else(|| panic!("no vector of {} {build}", program.message.name));
    let mut fields = from_json(&vector.fields, program.layout.rows);
    let (_, net_id, _) = vector.head().expect("a vector has a header");
    if !channel::has_net_id(program.layout.channel) {
        state(game, build, program.layout.sender, &mut fields);
    }
    (fields, net_id)
}

/// Makes a registration one of this session: its build, and the proof of its key.
fn state(game: &Game, build: Build, sender: Sender, fields: &mut Value) {
    let [a, b, c, d] = build.parts().map(i128::from);
    let mut proof = PLAYER.to_le_bytes();
    game.key().encipher(&mut proof);
    let Value::Record(rows) = fields else { return };
    for (name, value) in rows {
        match name.as_str() {
            "version" => *value = Value::Int(a * 10_000_000 + b * 100_000 + c * 10_000 + d),
            "playerId" => *value = Value::Int(PLAYER.into()),
            "proof" if sender == Sender::Client => *value = Value::Int(i64::from_le_bytes(proof).into()),
            "proof" => *value = Value::Bytes(proof.to_vec()),
            "trailing" => *value = Value::Bytes(Dice::new(d as u64).bytes(4)),
            _ => {}
        }
    }
}

/// The part of the README that lists them.
pub fn blurb(epochs: &[Epoch]) -> String {
    let mut text = "\n## epochs/\n\nA session of each build at which numbers or shapes changed, with every message the \
                    book has there, each with the fields of one of `conformance/vectors/`. A client of a build before \
                    1.0.0.142 states it in its version text, later ones in their registration. It is not known from \
                    which build on headers are compact.\nKey: `52696674736861726b2073616d706c65`.\n\n\
                    | file | header | frames | messages |\n|---|---|---|---|\n"
        .to_owned();
    for epoch in epochs {
        let file = epoch.file.trim_start_matches("epochs/");
        let row = format!(
            "| {file} | {} | {} | {} |\n",
            epoch.variant.name(),
            epoch.capture.len(),
            epoch.sent.len()
        );
        text.push_str(&row);
    }
    text
}
