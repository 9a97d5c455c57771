//! Which layout a message is read with: what its build's page holds, what the session's bodies bear out, or none.

mod builds;
mod inference;
mod lookup;
mod neighbours;

pub use builds::{BuildTables, Builds};
pub use inference::{Basis, Inference};
pub use lookup::{find, Learning, Progress};
