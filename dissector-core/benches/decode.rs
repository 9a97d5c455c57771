//! How fast messages are read, one thread: recorded ones where they are at hand, else the project's own.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use dissector_core::capture::{Detail, Endpoint, Packet, Settings};
use dissector_core::decode::head::Head;
use dissector_core::decode::{read, Facts, Input};
use dissector_core::engine::Engine;
use dissector_core::layout::Sender;
use dissector_core::registry::{BuildTable, REGISTRY};
use dissector_core::tree::Tree;
use divan::counter::{BytesCount, ItemsCount};
use divan::Bencher;
use serde_json::Value as Json;

fn main() {
    divan::main();
}

struct Payload {
    bytes: Vec<u8>,
    channel: u8,
    sender: Sender,
    table: usize,
}

struct Mix {
    payloads: Vec<Payload>,
    tables: Vec<BuildTable>,
}

/// Families of the movement page; the other mix is every message the book has.
const MOVEMENT: [&str; 6] = ["waypoint", "moveorder", "path", "facing", "bounds", "navflags"];
const MIXES: [&str; 2] = ["movement", "all"];

fn mix(which: &str) -> Mix {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let recorded = root.join("../../shared/vectors/recorded-1.0.0.136.json");
    let files = match recorded.exists() {
        true => vec![recorded],
        false => {
            let own = fs::read_dir(root.join("../conformance/vectors")).expect("the project's own vectors");
            own.map(|entry| entry.expect("a vector file").path()).collect()
        }
    };
    let mut mix = Mix { payloads: Vec::new(), tables: Vec::new() };
    for file in files {
        let json: Json =
            serde_json::from_str(&fs::read_to_string(file).expect("a vector file")).expect("JSON");
        json.as_array().expect("an array").iter().for_each(|vector| mix.add(vector, which));
    }
    mix
}

impl Mix {
    fn add(&mut self, vector: &Json, which: &str) {
        let text = |key: &str| vector[key].as_str().expect("text");
        let build = text("version").parse().expect("a build");
        let Some((program, _)) = REGISTRY.program_of(text("message"), build) else { return };
        if which == "movement" && !MOVEMENT.contains(&program.message.family.prefix) {
            return;
        }
        let table = self.tables.iter().position(|table| table.build == build).unwrap_or_else(|| {
            self.tables.push(REGISTRY.table(build));
            self.tables.len() - 1
        });
        self.payloads.push(Payload {
            bytes: hex::decode(text("bytes")).expect("hexadecimal digits"),
            channel: vector["channel"].as_u64().expect("a channel") as u8,
            sender: if text("sender") == "client" { Sender::Client } else { Sender::Server },
            table,
        });
    }

    /// Header, table and body of every message; the tree is cleared between them.
    fn read<const NODES: bool>(&self, tree: &mut Tree) -> usize {
        let (mut facts, mut nodes) = (Facts::default(), 0);
        for payload in &self.payloads {
            let Ok((command, _, length)) = Head::new(&payload.bytes).read() else { continue };
            let table = &self.tables[payload.table];
            let Some(program) = table.program(&REGISTRY, Some(payload.sender), command) else {
                continue;
            };
            let body = &payload.bytes[length as usize..];
            let input = Input {
                bytes: body,
                reported: body.len() as u32,
                base: length,
                channel: Some(payload.channel),
                depth: 1,
                origin: Some((6991, 7223)),
                ..Input::default()
            };
            tree.clear();
            black_box(read::<NODES>(program, &input, tree, &mut facts));
            black_box(&facts);
            nodes += tree.nodes.len();
        }
        nodes
    }
}

fn bench<const NODES: bool>(bencher: Bencher<'_, '_>, which: &str) {
    let (mix, mut tree) = (mix(which), Tree::default());
    let bytes: usize = mix.payloads.iter().map(|payload| payload.bytes.len()).sum();
    bencher
        .counter(ItemsCount::new(mix.payloads.len()))
        .counter(BytesCount::new(bytes))
        .bench_local(move || black_box(mix.read::<NODES>(&mut tree)));
}

/// With every node and generated point.
#[divan::bench(args = MIXES)]
fn messages_with_tree(bencher: Bencher<'_, '_>, which: &str) {
    bench::<true>(bencher, which);
}

/// A capture's way: messages without ENet through an engine, as a later pass over the packet list reads them.
fn bench_engine(bencher: Bencher<'_, '_>, which: &str, detail: Detail) {
    let mix = mix(which);
    let settings = Settings { build: "1.0.0.136".into(), origin: "6991,7223".into(), ..Settings::default() };
    let mut engine = Engine::new(&settings);
    let nobody = Endpoint::default();
    let mut frame = 0;
    bencher.counter(ItemsCount::new(mix.payloads.len())).bench_local(move || {
        for payload in &mix.payloads {
            frame += 1;
            let packet = Packet {
                bytes: &payload.bytes,
                reported: payload.bytes.len() as u32,
                time: 0,
                frame,
                datagram: 0,
                source: nobody,
                destination: nobody,
                detail,
                nodes_before: 0,
                visited: true,
                in_error_pkt: false,
                decode_as: false,
                league_begun: false,
            };
            let output = engine.message(&packet, payload.channel, Some(payload.sender));
            black_box(output.map(|output| output.info.len()));
        }
    });
}

/// With the Info line.
#[divan::bench(args = MIXES)]
fn engine_with_columns(bencher: Bencher<'_, '_>, which: &str) {
    bench_engine(bencher, which, Detail::Columns);
}

/// With the Info line and the tree, as somebody looks at it.
#[divan::bench(args = MIXES)]
fn engine_with_labels(bencher: Bencher<'_, '_>, which: &str) {
    bench_engine(bencher, which, Detail::Labels);
}

/// What the first pass does.
#[divan::bench(args = MIXES)]
fn messages_without_tree(bencher: Bencher<'_, '_>, which: &str) {
    bench::<false>(bencher, which);
}
