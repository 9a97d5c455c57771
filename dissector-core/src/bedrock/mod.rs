//! Minecraft Bedrock above RakNet: game packet → encryption → compression → batch → packets → MoveActorDelta.
//!
//! As elsewhere, the first pass writes and later passes read: how a message is taken is kept under its frame.

mod arrivals;
mod batch;
mod crypt;
mod keystream;
mod layouts;
mod learn;
mod raknet;
mod reader;
mod records;
mod session;
mod show;
mod unpack;
mod workbench;

pub use crypt::Key;
pub use layouts::GAME_PACKET;
pub use raknet::Carrier;
pub use reader::Bedrock;
