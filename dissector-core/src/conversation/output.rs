//! What one call gives back: nodes, expert items, the Info line, bytes to show and fragments to join.

use super::experts::Expert;
use crate::layout::Sender;
use crate::tree::Tree;

/// How much of a packet is wanted. Each grade includes the ones before.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Grade {
    /// What later packets depend on, and expert items.
    State,
    /// Also the Info line.
    Columns,
    /// Also the nodes.
    Nodes,
}

/// An expert item.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExpertItem {
    /// Index into [`super::experts::EXPERTS`].
    pub expert: u16,
    /// Node it belongs to, `u32::MAX` for none.
    pub node: u32,
    /// Text in the arena, as in [`crate::tree::Node::text`].
    pub text: u32,
}

/// A fragment the packet carries, for epan to join with the others.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fragment {
    /// First byte of its data in the datagram.
    pub offset: u32,
    /// Bytes of data.
    pub length: u32,
    /// Number of the message it belongs to; never used twice in a capture.
    pub id: u32,
    /// Its number, from 0.
    pub number: u32,
    /// Node under which the joined message is described, `u32::MAX` for none.
    pub node: u32,
    /// 1 where more fragments follow it.
    pub more: u8,
    /// 1 where it completed its message (known from the first pass) or may do so now (first pass).
    pub join: u8,
}

/// A payload, for export and for other dissectors.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Payload {
    /// First byte in the datagram, and in the deciphered copy.
    pub offset: u32,
    /// Bytes captured.
    pub length: u32,
    /// ENet channel.
    pub channel: u8,
    /// 0 not known, 1 client, 2 server.
    pub sender: u8,
    /// 1 where it was read as a message of the game (else it is for other dissectors).
    pub league: u8,
    /// 1 where its bytes are readable: in clear, or deciphered.
    pub clear: u8,
}

/// The code of a sender in [`Payload::sender`] and in the keys of the table `lol.entry`.
pub const fn sender_code(sender: Option<Sender>) -> u8 {
    match sender {
        None => 0,
        Some(Sender::Client) => 1,
        Some(Sender::Server) => 2,
    }
}

/// The sender of a code.
pub const fn sender_of(code: u8) -> Option<Sender> {
    match code {
        1 => Some(Sender::Client),
        2 => Some(Sender::Server),
        _ => None,
    }
}

/// Everything one call gives back. Buffers are kept from call to call.
#[derive(Default, Debug)]
pub struct Output {
    /// Nodes and texts.
    pub tree: Tree,
    /// Expert items, in the order of their nodes.
    pub experts: Vec<ExpertItem>,
    /// The Info line.
    pub info: String,
    /// Whether the packet holds messages of the game, for the Protocol column.
    pub league: bool,
    /// A copy of the bytes with payloads deciphered, or what a batch decompresses to; empty where nothing was.
    pub plain: Vec<u8>,
    /// Fragments for epan to join.
    pub fragments: Vec<Fragment>,
    /// Payloads.
    pub payloads: Vec<Payload>,
}

impl Output {
    /// Forgets everything, keeping the buffers.
    pub fn clear(&mut self) {
        self.tree.clear();
        self.experts.clear();
        self.info.clear();
        self.league = false;
        self.plain.clear();
        self.fragments.clear();
        self.payloads.clear();
    }

    /// Adds an expert item on a node.
    pub fn expert(&mut self, expert: Expert, node: Option<usize>, text: &str) {
        self.expert_at(expert as u16, node, text);
    }

    /// Adds an expert item by its index in the table of experts.
    pub fn expert_at(&mut self, expert: u16, node: Option<usize>, text: &str) {
        let text = self.tree.text(text);
        let node = node.map_or(u32::MAX, |n| n as u32);
        self.experts.push(ExpertItem { expert, node, text });
    }
}
