//! Sessions told with the project's own writer and read by an engine in both passes, a rule each.

mod lab;
mod transport;
mod wire;
