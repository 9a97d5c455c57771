//! The game's part of a datagram while it is read: what its messages were read with, for its item to tell.

use super::build::SessionBuild;
use super::keyring::KeySource;
use crate::capture::Sender;

/// What of a datagram is the game's, while it is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Part {
    /// Its `lol` item; `None` without nodes, and where an earlier result opened it.
    pub root: Option<usize>,
    /// Whether one of its payloads could be read.
    pub is_readable: bool,
    /// Whether points of it were put into world units.
    pub uses_origin: bool,
    /// The first node that is not written yet of what stands below the item.
    pub start: Option<usize>,
    /// Who sent it, where known.
    pub sender: Option<Sender>,
    /// Whether payloads of its session are enciphered.
    pub enciphered: bool,
    /// What its item tells of the match already.
    pub told: Facts,
}

/// What there is to tell of the match.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    /// Session, sender and how far the key is known: what is there of every datagram.
    pub session: bool,
    /// The key it is deciphered with: its place among those of its source, and that source.
    pub key: Option<(u32, KeySource)>,
    /// The build it is read as.
    pub build: Option<SessionBuild>,
    /// The map's origin.
    pub origin: bool,
}
