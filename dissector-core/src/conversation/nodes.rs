//! Short ways to add nodes that no layout states.

use super::output::Output;
use crate::tree::{flag, FieldId, Node};

impl Output {
    /// Adds a node.
    pub(crate) fn node(
        &mut self,
        depth: u8,
        field: FieldId,
        at: (u32, u32),
        value: u64,
        flags: u16,
    ) -> usize {
        self.tree.push(Node {
            field,
            flags,
            depth,
            bit_first: 0,
            bit_count: 0,
            word_bytes: 0,
            offset: at.0,
            length: at.1,
            index: 0,
            text: 0,
            value,
        })
    }

    /// Adds a node for bits of a word of `word_bytes` bytes.
    pub(crate) fn bits(
        &mut self,
        depth: u8,
        field: FieldId,
        at: (u32, u32),
        bits: (u8, u8),
        value: u64,
        flags: u16,
    ) -> usize {
        let place = self.node(depth, field, at, value, flags | flag::BITS);
        if let Some(node) = self.tree.nodes.get_mut(place) {
            (node.bit_first, node.bit_count, node.word_bytes) = (bits.0, bits.1, at.1.min(8) as u8);
        }
        place
    }

    /// Adds a node whose value is text.
    pub(crate) fn text(
        &mut self,
        depth: u8,
        field: FieldId,
        at: (u32, u32),
        text: &str,
        flags: u16,
    ) -> usize {
        let text = self.tree.text(text);
        let place = self.node(depth, field, at, 0, flags);
        if let Some(node) = self.tree.nodes.get_mut(place) {
            node.text = text;
        }
        place
    }

    /// Appends to the label of a node that has no text yet.
    pub(crate) fn label(&mut self, node: usize, label: &str) {
        let text = self.tree.text(label);
        if let Some(node) = self.tree.nodes.get_mut(node) {
            node.text = text;
            node.flags |= flag::LABELLED;
        }
    }

    /// Sets where a node ends.
    pub(crate) fn close(&mut self, node: usize, end: u32) {
        if let Some(node) = self.tree.nodes.get_mut(node) {
            node.length = end.saturating_sub(node.offset);
        }
    }
}
