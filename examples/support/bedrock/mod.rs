//! Made sessions of Minecraft Bedrock over RakNet, and of others that use RakNet.

mod link;
mod order;
mod others;
mod packets;
mod stated;
pub mod tales;

pub use others::others;
pub use tales::tales;

use super::net::Capture;

/// The key of `bedrock-enciphered.pcap`.
pub const KEY: [u8; 32] = *b"Riftshark sample of Bedrock keys";

/// One sample capture.
pub struct Tale {
    /// Its file in `captures/`.
    pub file: &'static str,
    /// What it is, in a sentence or two.
    pub blurb: &'static str,
    /// The frames.
    pub capture: Capture,
    /// What a reader has to find, by frame.
    pub notes: Vec<(usize, &'static str)>,
}
