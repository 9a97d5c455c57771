//! The one argument that the makers of files take.

use std::path::{Path, PathBuf};

use lexopt::{Arg, Parser};

/// Where to write: the argument, or this place in the checkout.
pub fn target(default: &str) -> Result<PathBuf, String> {
    let mut arguments = Parser::from_env();
    let way_out =
        |why: lexopt::Error| format!("{why}; usage: one path, or none for {default} of the checkout");
    let target = match arguments.next().map_err(way_out)? {
        None => return Ok(Path::new(env!("CARGO_MANIFEST_DIR")).join(default)),
        Some(Arg::Value(path)) => PathBuf::from(path),
        Some(other) => return Err(way_out(other.unexpected())),
    };
    match arguments.next().map_err(way_out)? {
        None => Ok(target),
        Some(more) => Err(way_out(more.unexpected())),
    }
}
