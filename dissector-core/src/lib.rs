//! Decodes the old League of Legends client/server protocol, and movement in Minecraft Bedrock, into field trees.
//!
//! Data walks one way: datagram → [`enet`] → [`cipher`] → [`container`] → message → [`tree`]; what is remembered
//! between packets lives in [`conversation`]. The specification itself is data in [`book`]. [`bedrock`] reads what
//! RakNet carries.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod bedrock;
pub mod book;
pub mod cipher;
pub mod container;
pub mod conversation;
pub mod decode;
pub mod encode;
pub mod enet;
pub mod field;
pub mod layout;
pub mod name_list;
pub mod path;
pub mod registry;
pub mod tree;
pub mod version;
