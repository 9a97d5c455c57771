//! The house as `docs/architecture.md` draws it, held against the source: no import runs up, no circle of files, one type's
//! methods in one file, no file or function that has outgrown its place.

mod sizes;
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use source::{Arrow, Module, Source};

/// The rooms from the ground up, and which of those below each may use.
const ROOMS: &[(&str, &[&str])] = &[
    ("version", &[]),
    ("field", &[]),
    ("tree", &[]),
    ("name_list", &[]),
    ("container", &[]),
    ("path", &[]),
    ("decimal", &[]),
    ("capture", GROUND),
    ("layout", &["version", "field", "name_list", "path", "capture"]),
    ("book", &["version", "field", "name_list", "layout"]),
    ("fields", &["field", "book"]),
    ("registry", &["version", "field", "tree", "name_list", "capture", "layout", "book", "fields"]),
    ("decode", READ),
    ("encode", ENCODE),
    ("enet", &["tree", "capture", "fields"]),
    ("lol", LOL),
    ("bedrock", BEDROCK),
    ("engine", &["tree", "capture", "fields", "enet", "lol", "bedrock"]),
];
const GROUND: &[&str] = &["version", "field", "tree", "name_list", "container", "path"];
const READ: &[&str] = &[
    "version",
    "field",
    "tree",
    "name_list",
    "container",
    "path",
    "decimal",
    "capture",
    "layout",
    "registry",
];
const ENCODE: &[&str] =
    &["version", "field", "tree", "name_list", "container", "layout", "registry", "decode"];
const LOL: &[&str] = &[
    "version",
    "field",
    "tree",
    "name_list",
    "container",
    "path",
    "capture",
    "layout",
    "book",
    "fields",
    "registry",
    "decode",
];
const BEDROCK: &[&str] =
    &["version", "tree", "decimal", "capture", "layout", "book", "fields", "registry", "decode"];

/// Rooms in which a face and its own parts share types: one interpreter, one compiler, one vocabulary, cut into files.
const ONE_PIECE: [&str; 4] = ["layout", "registry", "decode", "encode"];

fn source() -> Source {
    Source::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

/// What is wrong with the arrows by the table of rooms.
fn wrong_arrows(arrows: &[Arrow]) -> Vec<String> {
    let allowed: BTreeMap<&str, &[&str]> = ROOMS.iter().copied().collect();
    let mut wrong = Vec::new();
    for arrow in arrows {
        let [Some(from), Some(to)] = [&arrow.from, &arrow.to].map(|module| module.first()) else { continue };
        let Some(may) = allowed.get(from.as_str()) else {
            wrong.push(format!("{from} is no room of the table"));
            continue;
        };
        if from != to && !may.contains(&to.as_str()) {
            wrong.push(format!("{} takes {} from {to}", arrow.from.join("::"), arrow.path));
        }
    }
    wrong
}

/// The files that import each other in a circle, each circle once.
fn circles(arrows: &[Arrow]) -> Vec<BTreeSet<Module>> {
    let mut next: BTreeMap<&Module, BTreeSet<&Module>> = BTreeMap::new();
    for arrow in arrows {
        let one_piece = arrow.from.first().is_some_and(|room| ONE_PIECE.contains(&room.as_str()));
        let to_its_face = arrow.from.starts_with(&arrow.to);
        if !(one_piece && to_its_face) {
            next.entry(&arrow.from).or_default().insert(&arrow.to);
        }
    }
    let reach = |start: &Module| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![start]);
        while let Some(at) = open.pop() {
            for to in next.get(at).into_iter().flatten() {
                if seen.insert((*to).clone()) {
                    open.push(to);
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&Module, BTreeSet<Module>> = next.keys().map(|from| (*from, reach(from))).collect();
    let mut found: Vec<BTreeSet<Module>> = Vec::new();
    for (from, seen) in &reached {
        if seen.contains(*from) && !found.iter().any(|circle| circle.contains(*from)) {
            let back = |to: &&Module| reached.get(*to).is_some_and(|back| back.contains(*from));
            found.push(seen.iter().filter(back).cloned().collect());
        }
    }
    found
}

#[test]
fn no_import_runs_up() {
    let wrong = wrong_arrows(&source().arrows());
    assert!(wrong.is_empty(), "imports against the order of rooms:\n{}", wrong.join("\n"));
}

#[test]
fn the_table_of_rooms_runs_down_and_names_every_room() {
    let place = |room: &str| ROOMS.iter().position(|(name, _)| *name == room);
    for (room, may) in ROOMS {
        assert!(may.iter().all(|below| place(below) < place(room)), "{room} may use what stands above it");
    }
    let source = source();
    let rooms: BTreeSet<&str> =
        source.files.keys().filter_map(|module| module.first()).map(String::as_str).collect();
    assert_eq!(rooms, ROOMS.iter().map(|(name, _)| *name).collect());
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let found = circles(&source().arrows());
    assert!(found.is_empty(), "circles of files: {found:#?}");
}

#[test]
fn an_import_that_runs_up_and_a_circle_are_found() {
    let module = |name: &str| name.split("::").map(str::to_owned).collect::<Module>();
    let arrow = |from, to, path: &str| Arrow { from: module(from), to: module(to), path: path.to_owned() };
    let up = arrow("enet::connection", "lol::roles", "lol::roles::sender_on");
    assert_eq!(wrong_arrows(&[up]), ["enet::connection takes lol::roles::sender_on from lol"]);
    assert_eq!(wrong_arrows(&[arrow("lol::game", "capture::output", "capture::Output")]), [""; 0]);
    let there = arrow("lol::show", "lol::message", "lol::message::read");
    let back = arrow("lol::message", "lol::show", "lol::show::cut");
    assert_eq!(circles(&[there.clone(), back]).len(), 1);
    assert_eq!(circles(&[there]).len(), 0);
}

/// Arrows are read from the source, not guessed: some that are known to be there.
#[test]
fn paths_are_followed_to_where_their_names_are_written() {
    let source = source();
    let arrows = source.arrows();
    let has = |from: &str, to: &str| {
        let name = |module: &Module| module.join("::");
        arrows.iter().any(|arrow| name(&arrow.from) == from && name(&arrow.to) == to)
    };
    assert!(has("engine::session", "enet::connection"), "by a name that enet hands on");
    assert!(has("lol::game", "lol::payload") && has("enet::wire::command", "enet::wire::rows"));
    assert!(has("lol::message", "lol::layouts::inference"), "from a list in braces");
    assert!(has("bedrock::show::packets", "bedrock::layouts"));
    assert!(!has("enet::connection", "enet"), "a face that only hands names on is nobody's home");
    assert!(arrows.len() > 200, "{}", arrows.len());
}

/// Methods of one type stand in one file: what grows too long becomes types of its own.
#[test]
fn one_types_methods_stand_in_one_file() {
    let source = source();
    let mut homes: BTreeMap<(String, String), BTreeSet<&str>> = BTreeMap::new();
    for (module, code) in &source.code {
        let Some(room) = module.first().filter(|room| !ONE_PIECE.contains(&room.as_str())) else { continue };
        for line in code.lines().filter(|line| line.starts_with("impl") && !line.contains(" for ")) {
            let name = line.trim_start_matches("impl").trim_start();
            let name =
                if name.starts_with('<') { name.split_once("> ").map_or("", |(_, rest)| rest) } else { name };
            let name = name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            let key = (room.clone(), name.to_owned());
            homes.entry(key).or_default().insert(&source.files[module]);
        }
    }
    let spread: Vec<_> = homes.iter().filter(|(_, files)| files.len() > 1).collect();
    assert!(spread.is_empty(), "{spread:#?}");
    assert!(homes.len() > 40, "{}", homes.len());
}
