//! Holds a reader to message vectors.

use std::path::PathBuf;
use std::process::ExitCode;

use conformance::complete;
use conformance::fill::fill;
use conformance::vector::text_of;
use conformance::{files, load, run, Abi, Core, NotAVector, Reader, Tshark, Vector};
use dissector_core::registry::REGISTRY;
use lexopt::{Arg, Parser, ValueExt};
use serde_json::Value as Json;

const USAGE: &str = "\
usage: conformance [--via core|abi|tshark] [--plugin FILE] FILE-OR-FOLDER...   hold a reader to vectors
       conformance --fill FILE...          write the bytes of vectors that have none
       conformance --complete FOLDER       add vectors for each layout and command that FOLDER does not cover
--via core (the default) asks the Rust core, abi goes through the C interface, tshark through a real tshark with
the built plugin: FILE of --plugin, else what RIFTSHARK_PLUGIN names.
A vector file is a JSON array of objects with message, version, channel, sender, bytes and fields.
Ends with 0 where all passed, 1 where one failed, 2 where a vector cannot be used or none was checked.";

fn main() -> ExitCode {
    match start(Parser::from_env()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("conformance: {why}");
            ExitCode::from(2)
        }
    }
}

/// What the arguments ask for.
enum Task {
    Check,
    Fill,
    Complete,
}

fn start(mut arguments: Parser) -> Result<bool, String> {
    let (mut task, mut via, mut plugin, mut paths) = (Task::Check, None, None, Vec::new());
    let way_out = |why: lexopt::Error| format!("{why}\n{USAGE}");
    while let Some(argument) = arguments.next().map_err(way_out)? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => {
                println!("{USAGE}");
                return Ok(true);
            }
            Arg::Long("fill") => task = Task::Fill,
            Arg::Long("complete") => task = Task::Complete,
            Arg::Long("via") => via = Some(arguments.value().and_then(ValueExt::string).map_err(way_out)?),
            Arg::Long("plugin") => plugin = Some(PathBuf::from(arguments.value().map_err(way_out)?)),
            Arg::Value(path) => paths.push(PathBuf::from(path)),
            other => return Err(way_out(other.unexpected())),
        }
    }
    if paths.is_empty() {
        return Err(format!("which vectors?\n{USAGE}"));
    }
    if !matches!(task, Task::Check) && (via.is_some() || plugin.is_some()) {
        return Err(format!(
            "--via and --plugin choose what reads: neither --fill nor --complete has a use for them\n{USAGE}"
        ));
    }
    match task {
        Task::Check => check(via.as_deref().unwrap_or("core"), plugin, &paths),
        Task::Fill => fill_files(&paths),
        Task::Complete => complete_folders(&paths),
    }
}

fn check(via: &str, plugin: Option<PathBuf>, paths: &[PathBuf]) -> Result<bool, String> {
    let mut reader = reader(via, plugin)?;
    let vectors = load_all(paths)?;
    let summary =
        run(&mut *reader, &vectors, &mut std::io::stdout().lock()).map_err(|why| why.to_string())?;
    if summary.passed + summary.failed == 0 {
        return Err(
            "nothing was checked: no file given holds a vector of a message that the book has".to_owned()
        );
    }
    Ok(summary.failed == 0)
}

fn load_all(paths: &[PathBuf]) -> Result<Vec<Vector>, String> {
    let mut vectors = Vec::new();
    for path in paths.iter().map(PathBuf::as_path) {
        for file in files(path).map_err(|why| why.to_string())? {
            match load(&file) {
                Ok(more) => vectors.extend(more),
                // A folder may hold other files; one that was named must be of use.
                Err(NotAVector::Form { path: other }) if path.is_dir() => {
                    println!("{}: passed over, no array of vectors", other.display());
                }
                Err(why) => return Err(why.to_string()),
            }
        }
    }
    Ok(vectors)
}

fn reader(via: &str, plugin: Option<PathBuf>) -> Result<Box<dyn Reader>, String> {
    match via {
        "core" => Ok(Box::<Core>::default()),
        "abi" => Ok(Box::<Abi>::default()),
        "tshark" => {
            let plugin = plugin.or_else(|| std::env::var_os("RIFTSHARK_PLUGIN").map(PathBuf::from));
            let plugin = plugin.ok_or("which plugin? Name it with --plugin FILE or in RIFTSHARK_PLUGIN")?;
            Ok(Box::new(Tshark::new(&plugin)?))
        }
        _ => Err(format!("--via must be core, abi or tshark, got \"{via}\"")),
    }
}

fn fill_files(paths: &[PathBuf]) -> Result<bool, String> {
    for path in paths {
        let failed = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
        let text = std::fs::read_to_string(path).map_err(|why| failed(&why))?;
        let filled = fill(&text).map_err(|why| failed(&why))?;
        std::fs::write(path, filled).map_err(|why| failed(&why))?;
    }
    Ok(true)
}

/// Adds entries without bytes to the files of their families, to be looked over before they are filled.
fn complete_folders(folders: &[PathBuf]) -> Result<bool, String> {
    for folder in folders {
        let vectors = load_all(std::slice::from_ref(folder))?;
        for (family, more) in complete::entries(&REGISTRY, &vectors) {
            let path = folder.join(format!("{family}.json"));
            let failed = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
            let mut entries: Vec<Json> = if path.exists() {
                let text = std::fs::read_to_string(&path).map_err(|why| failed(&why))?;
                serde_json::from_str(&text).map_err(|why| failed(&why))?
            } else {
                Vec::new()
            };
            println!("{}: {} more", path.display(), more.len());
            entries.extend(more);
            std::fs::write(&path, text_of(&entries)).map_err(|why| failed(&why))?;
        }
    }
    Ok(true)
}
