//! Holds a reader to message vectors.

use std::path::Path;
use std::process::ExitCode;

use conformance::fill::fill;
use conformance::{files, load, run, Core, NotAVector, Reader};

const USAGE: &str = "\
usage: conformance [--via core|abi] FILE-OR-FOLDER...   hold a reader to vectors
       conformance --fill FILE...                       write the bytes of vectors that have none
A vector file is a JSON array of objects with message, version, channel, sender, bytes and fields.
Ends with 0 where all passed, 1 where one failed, 2 where a vector cannot be used.";

fn main() -> ExitCode {
    match start(std::env::args().skip(1).collect()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("conformance: {why}");
            ExitCode::from(2)
        }
    }
}

fn start(mut arguments: Vec<String>) -> Result<bool, String> {
    let mut via = "core".to_owned();
    match arguments.first().map(String::as_str) {
        Some("--help" | "-h") => {
            println!("{USAGE}");
            return Ok(true);
        }
        Some("--fill") => return fill_files(&arguments[1..]),
        Some("--via") => {
            via = arguments.get(1).cloned().unwrap_or_default();
            arguments.drain(..arguments.len().min(2));
        }
        _ => {}
    }
    if arguments.is_empty() {
        return Err(format!("which vectors?\n{USAGE}"));
    }
    let mut reader = reader(&via)?;
    let mut vectors = Vec::new();
    for path in arguments.iter().map(Path::new) {
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
    let summary =
        run(&mut *reader, &vectors, &mut std::io::stdout().lock()).map_err(|why| why.to_string())?;
    Ok(summary.failed == 0)
}

fn reader(via: &str) -> Result<Box<dyn Reader>, String> {
    match via {
        "core" => Ok(Box::<Core>::default()),
        _ => Err(format!("--via must be core, got \"{via}\"")),
    }
}

fn fill_files(paths: &[String]) -> Result<bool, String> {
    for path in paths {
        let text = std::fs::read_to_string(path).map_err(|why| format!("{path}: {why}"))?;
        let filled = fill(&text).map_err(|why| format!("{path}: {why}"))?;
        std::fs::write(path, filled).map_err(|why| format!("{path}: {why}"))?;
    }
    Ok(true)
}
