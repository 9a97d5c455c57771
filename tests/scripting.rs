//! The recipes of `docs/scripting.md`, run as the page prints them, and the index template held to what `-T ek` writes.
//!
//! `RIFTSHARK_PLUGIN` names the plugin, as for the other end-to-end tests; `RIFTSHARK_PYTHON` a Python with the packages of
//! `scripts/requirements.txt`, or `none`.

#[path = "scripting/engine.rs"]
mod engine;
#[allow(dead_code)] // these are shared with the other end-to-end tests, and each uses a part of them
#[path = "e2e/lab.rs"]
mod lab;
#[path = "scripting/page.rs"]
mod page;
#[path = "scripting/paths.rs"]
mod paths;
#[allow(dead_code)]
#[path = "e2e/pdml.rs"]
mod pdml;
#[path = "scripting/template.rs"]
mod template;

use std::collections::BTreeSet;
use std::path::Path;

use lab::{shared, Lab};
use page::{blocks, Block, Desk};
use serde_json::Value as Json;
use template::{Found, Template};

/// The keys of all captures: the samples' two, and that of the captures beside the checkout.
const KEYS: &str =
    "52696674736861726b2073616d706c65,52696674736861726b207365636f6e64,00112233445566778899aabbccddeeff";

/// The key of `bedrock-enciphered.pcap`.
const BEDROCK_KEY: &str = "52696674736861726b2073616d706c65206f6620426564726f636b206b657973";

const PAGE: &str = include_str!("../docs/scripting.md");

#[test]
fn every_recipe_does_what_the_page_prints() {
    let Some(mut desk) = Desk::new() else { return };
    let (address, taken) = engine::start();
    desk.export("ENGINE", &address);
    blocks(PAGE).iter().for_each(|block| desk.follow(block));
    let taken = taken.lock().expect("the engine did not panic");
    assert_eq!(taken.captures, ["reconnect", "session", "two-clients"].map(str::to_owned).into());
    assert_eq!(taken.documents, 96 + 46 + 54);
    assert!(taken.found.places.len() > 150, "{} places", taken.found.places.len());
    assert!(taken.found.misfits.is_empty(), "{:#?}", taken.found.misfits);
}

#[test]
fn the_data_frame_of_a_capture_equals_the_expected_paths() {
    let Some(desk) = Desk::new() else { return };
    for block in blocks(PAGE) {
        if let Block::File(name, text) = block {
            desk.write(&name, &text);
        }
    }
    for name in ["session", "two-clients", "epochs/4.17.0.268"] {
        let capture = format!("captures/{name}.pcap");
        let copy = desk.lab.capture(&format!("{name}.pcap"));
        let packets = desk.lab.tshark(&copy).args(&["-2"]).key(KEYS).pdml();
        // not every one of these holds the orders that tell the origin
        let options = format!("-o lol.key:{KEYS} -o lol.origin:6991,7223");
        paths::check(&desk, &capture, &options, &paths::of_packets(&packets));
    }
    let Some(expected) = shared("captures/game-1.0.0.136.expected.json") else { return };
    let expected: Json =
        serde_json::from_slice(&std::fs::read(expected).expect("it is there")).expect("JSON");
    let capture = desk.lab.copy(&shared("captures/game-1.0.0.136.pcap").expect("it stands beside it"));
    paths::check(&desk, &capture, &format!("-o lol.key:{KEYS}"), &paths::of_expected(&expected));
}

#[test]
fn every_value_ek_writes_of_ours_has_its_place_in_the_index_template() {
    let Some(lab) = Lab::new() else { return };
    let body = include_str!("../docs/elastic/riftshark-template.json");
    let template = Template::new(&serde_json::from_str(body).expect("a template is JSON"));
    let mut found = Found::default();
    for capture in captures() {
        let out = lab.tshark(&lab.copy(&capture)).args(&["-2", "-T", "ek"]).key(KEYS);
        for line in out.pref("bedrock.key", BEDROCK_KEY).clean().lines() {
            let document: Json = serde_json::from_str(line).expect("a line is JSON");
            if document.get("layers").is_some() {
                template.check(&document, &mut found);
            }
        }
    }
    assert!(found.misfits.is_empty(), "{:#?}", found.misfits);
    assert!(found.places.len() > 600, "only {} places", found.places.len());
}

/// The project's captures, and those beside the checkout.
fn captures() -> BTreeSet<std::path::PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("captures");
    let folders = [Some(own.join("epochs")), Some(own), shared("captures"), shared("cases")];
    let files =
        folders.iter().flatten().flat_map(|folder| std::fs::read_dir(folder).expect("a folder of captures"));
    let files = files.map(|entry| entry.expect("the folder can be listed").path());
    files.filter(|path| path.extension().is_some_and(|end| end == "pcap")).collect()
}
