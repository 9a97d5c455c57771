//! One capture: which session a packet belongs to, the sessions, and the messages they put together.

mod capture_reader;
mod moves;
mod router;
mod session;

pub use capture_reader::Engine;
