//! Sessions told with the project's own writer and read by an engine in both passes, a rule each.

mod claims;
mod compressed;
mod connections;
mod containers;
mod copies;
mod engine;
mod follow;
mod forced;
mod foreign;
mod fragments;
mod game_fragments;
mod info;
mod item;
mod keyring;
mod keys;
mod lab;
mod layouts;
mod messages;
mod moves;
mod once;
mod payload;
mod recorded;
mod roles;
mod show;
mod transport;
mod wire;
