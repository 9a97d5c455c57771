//! Sessions told with the project's own writer and read by an engine in both passes, a rule each.

mod claims;
mod containers;
mod fragments;
mod keys;
mod lab;
mod layouts;
mod messages;
mod payload;
mod recorded;
mod transport;
mod wire;
