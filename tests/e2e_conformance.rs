//! The vectors through a real tshark with the built plugin, as `conformance --via tshark` runs them.
//!
//! `RIFTSHARK_PLUGIN` names the plugin; without it the tests say that they skipped, and with `RIFTSHARK_REQUIRE_E2E=1`
//! they fail instead.

use std::env;
use std::path::{Path, PathBuf};

use conformance::{files, load, run, Tshark};

fn plugin() -> Option<PathBuf> {
    let plugin = env::var_os("RIFTSHARK_PLUGIN").map(PathBuf::from);
    if plugin.is_none() {
        let why = "RIFTSHARK_PLUGIN is not set (./test.sh sets it)";
        assert!(env::var_os("RIFTSHARK_REQUIRE_E2E").is_none_or(|value| value != "1"), "cannot run: {why}");
        println!("skipped: {why}");
    }
    plugin
}

/// Holds tshark to these files.
fn all_pass(paths: &[PathBuf]) {
    let Some(plugin) = plugin() else { return };
    let vectors: Vec<_> = paths.iter().flat_map(|path| load(path).expect("vectors")).collect();
    let mut tshark = Tshark::new(&plugin).unwrap_or_else(|why| panic!("{why}"));
    let mut out = Vec::new();
    let summary = run(&mut tshark, &vectors, &mut out).unwrap_or_else(|why| panic!("{why}"));
    let out = String::from_utf8(out).expect("what is printed is text");
    assert_eq!((summary.passed, summary.failed), (vectors.len(), 0), "{out}");
}

/// The project's own vectors, and those beside the checkout where there are any.
#[test]
fn every_vector_passes_through_tshark() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = files(&top.join("conformance/vectors")).expect("the project's own vectors");
    for name in ["recorded-1.0.0.136.json", "recorded-4.17-4.20.json", "generated.json"] {
        let path = top.join("../shared/vectors").join(name);
        if path.exists() {
            paths.push(path);
        } else {
            println!("skipped: no shared vectors {name} here");
        }
    }
    all_pass(&paths);
}
