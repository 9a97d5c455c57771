//! Decodes the old League of Legends client/server protocol, and movement in Minecraft Bedrock, into field trees.
//!
//! Data walks one way: datagram → [`engine`] → [`enet`] → [`lol`] → [`capture::Output`]; what RakNet carries goes to
//! [`bedrock`] instead. The specification itself is data in [`book`]. A room uses only those that stand before it:
//! `tests/rooms.rs` holds their order.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod container;
pub mod decimal;
pub mod field;
pub mod name_list;
pub mod path;
pub mod tree;
pub mod version;

pub mod book;
pub mod capture;
pub mod decode;
pub mod encode;
pub mod fields;
pub mod layout;
pub mod registry;

pub mod bedrock;
pub mod enet;
pub mod engine;
pub mod lol;
