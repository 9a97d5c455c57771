//! What one call gives back: nodes, expert items, the Info line, bytes to show, payloads and fragments.

use super::follow::Follow;
use super::line::{Line, Part};
use crate::tree::{flag, FieldId, Node, Tree};

/// An expert item: what is worth a look, at a node of the tree.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExpertItem {
    /// Number of its kind, counted through all tables of [`crate::fields`].
    pub expert: u16,
    /// Node it belongs to, `u32::MAX` for none.
    pub node: u32,
    /// Text in the arena, as in [`crate::tree::Node::text`].
    pub text: u32,
}

/// A fragment the packet carries, for epan to join with the others.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FragmentSpan {
    /// First byte of its data: in the datagram, in [`Output::decompressed`] where there is any, or in [`Output::early`] where `early_frame` is not 0.
    pub offset: u32,
    /// Bytes of its data, all of them captured.
    pub length: u32,
    /// Number of its reassembly; never used twice in a capture.
    pub id: u32,
    /// Which fragment of its message it is, from 0.
    pub number: u32,
    /// Node under which the reassembled message is described, `u32::MAX` for none.
    pub node: u32,
    /// 0, or the earlier frame it came in, before the conversation was claimed.
    pub early_frame: u32,
    /// Which datagram of `early_frame`, as in [`super::DatagramId`].
    pub early_datagram: u32,
    /// 1 where more fragments follow it.
    pub more: u8,
    /// 1 where it completed its message (known from the first pass) or may do so now (first pass).
    pub completes: u8,
}

/// A payload, for export and for other dissectors.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PayloadSpan {
    /// First byte in the datagram (in [`Output::decompressed`] where there is any), and in the deciphered copy.
    pub offset: u32,
    /// Bytes of it that were captured.
    pub length: u32,
    /// Bytes it had on the wire, at least `length`.
    pub reported: u32,
    /// ENet channel, 0 to 255.
    pub channel: u8,
    /// Who sent it: 0 not known, 1 client, 2 server.
    pub sender: u8,
    /// 1 where it was read as a message of the game (else it is for other dissectors).
    pub league: u8,
    /// 1 where its bytes are readable: in clear, or deciphered.
    pub clear: u8,
}

/// Everything one call gives back. Buffers are kept from call to call.
#[derive(Default, Debug)]
pub struct Output {
    /// Nodes, and the texts of nodes and of expert items.
    pub tree: Tree,
    /// Expert items, in the order of their nodes.
    pub experts: Vec<ExpertItem>,
    /// The Info line, written from [`super::Detail::Columns`] on.
    pub info: String,
    /// What is known of the Info line besides its text.
    line: Line,
    /// Whether the packet holds messages of the game, for the Protocol column.
    pub league: bool,
    /// The first node of the game's part, which goes on to the last node: it is shown as a layer of its own. `None` where
    /// there is no such part.
    pub league_nodes: Option<u32>,
    /// The commands of a datagram that came compressed; empty where they did not. Fragments and payloads count in them
    /// then.
    pub decompressed: Vec<u8>,
    /// The data source that nodes count in from here on: 0 for the packet, or [`flag::DECOMPRESSED`].
    pub source: u16,
    /// A copy of the bytes with payloads deciphered, or what a batch decompresses to; empty where nothing was.
    pub plain: Vec<u8>,
    /// Fragments for epan to join.
    pub fragments: Vec<FragmentSpan>,
    /// Data of those fragments that came before the conversation was claimed.
    pub early: Vec<u8>,
    /// Payloads of the datagram or message, in order.
    pub payloads: Vec<PayloadSpan>,
    /// What the Info line says of messages, as lines for those who follow sessions.
    pub follow: Follow,
}

impl Output {
    /// Forgets everything, keeping the buffers; `nodes_before` is that of [`super::Packet`].
    pub fn clear(&mut self, nodes_before: u32) {
        self.clear_but_info(nodes_before);
        self.info.clear();
        self.line.clear();
    }

    /// Forgets everything but the Info line, which goes on where it ended.
    pub fn clear_but_info(&mut self, nodes_before: u32) {
        // the zero byte that ends it where it was handed over
        self.info.truncate(self.info.trim_end_matches('\0').len());
        self.tree.clear();
        self.tree.most_nodes = Tree::MOST_NODES.saturating_sub(nodes_before as usize).max(Tree::LEAST_NODES);
        self.experts.clear();
        self.league = false;
        self.league_nodes = None;
        self.decompressed.clear();
        self.source = 0;
        self.plain.clear();
        self.fragments.clear();
        self.early.clear();
        self.payloads.clear();
        self.follow.clear();
    }

    /// Begins the game's part, which has the least that a result may have however many nodes came before it.
    pub fn begin_league(&mut self) {
        let before = self.tree.nodes.len();
        self.league_nodes = Some(before as u32);
        self.tree.most_nodes = self.tree.most_nodes.max(before + Tree::LEAST_NODES);
    }

    /// Adds a node at a place (first byte, bytes) of its data source; answers it unless it was left out.
    pub fn node(
        &mut self,
        depth: u8,
        field: FieldId,
        at: (u32, u32),
        value: u64,
        flags: u16,
    ) -> Option<usize> {
        self.tree.push(Node {
            field,
            flags: flags | self.source,
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

    /// Adds a node for bits (the lowest, how many) of the word at a place.
    pub fn bits(
        &mut self,
        depth: u8,
        field: FieldId,
        at: (u32, u32),
        bits: (u8, u8),
        value: u64,
        flags: u16,
    ) -> Option<usize> {
        let place = self.node(depth, field, at, value, flags | flag::BITS);
        if let Some(node) = self.at(place) {
            (node.bit_first, node.bit_count, node.word_bytes) = (bits.0, bits.1, at.1.min(8) as u8);
        }
        place
    }

    /// Adds a node whose value is text.
    pub fn text(
        &mut self,
        depth: u8,
        field: FieldId,
        at: (u32, u32),
        text: &str,
        flags: u16,
    ) -> Option<usize> {
        let text = self.tree.text(text);
        let place = self.node(depth, field, at, 0, flags);
        if let Some(node) = self.at(place) {
            node.text = text;
        }
        place
    }

    /// Appends to the label of a node that has no text yet.
    pub fn label(&mut self, place: Option<usize>, label: &str) {
        if place.is_none() {
            return;
        }
        let text = self.tree.text(label);
        if let Some(node) = self.at(place) {
            node.text = text;
            node.flags |= flag::LABELLED;
        }
    }

    /// Sets the byte at which a node ends.
    pub fn close(&mut self, place: Option<usize>, end: u32) {
        if let Some(node) = self.at(place) {
            node.length = end.saturating_sub(node.offset);
        }
    }

    /// A node that was added; `None` where it was left out.
    pub fn at(&mut self, place: Option<usize>) -> Option<&mut Node> {
        self.tree.nodes.get_mut(place?)
    }

    /// Adds an expert item on a node, by its number.
    pub fn expert(&mut self, expert: u16, node: Option<usize>, text: &str) {
        let text = self.tree.text(text);
        let node = node.map_or(u32::MAX, |node| node as u32);
        self.experts.push(ExpertItem { expert, node, text });
    }

    /// Adds a part to the Info line; `separator` stands between parts. Past about 200 characters parts are counted only.
    pub fn add_info(&mut self, separator: &str, part: &str) {
        self.follow_part(separator, part);
        self.line.add(&mut self.info, separator, part, 1);
    }

    /// The same with a part that stands for so many messages or commands.
    pub fn add_info_of(&mut self, separator: &str, part: &str, count: u32) {
        self.follow_part(separator, part);
        self.line.add(&mut self.info, separator, part, count);
    }

    fn follow_part(&mut self, separator: &str, part: &str) {
        if separator == "; " {
            self.follow.add(part);
        } else {
            self.follow.extend(separator);
            self.follow.extend(part);
        }
    }

    /// Adds what the Info line says of a message, counted together with those before it where they are alike.
    pub fn add_message(&mut self, part: &Part<'_>) {
        if self.follow.is_open() {
            let mut whole = String::new();
            part.write(&mut whole);
            self.follow.add(&whole);
        }
        self.line.add_message(&mut self.info, "; ", part);
    }

    /// Appends to the last part of the Info line, where there is room.
    pub fn extend_info(&mut self, more: &str) {
        self.follow.extend(more);
        self.line.extend(&mut self.info, more);
    }

    /// What stands in front of every part added from now on: how a receiver takes it, with a space behind it.
    pub fn tag_info(&mut self, tag: &'static str) {
        self.line.tag = tag;
    }

    /// Goes on with the Info line of another output of the same packet.
    pub fn resume_info(&mut self, other: &Output) {
        self.line.resume(&mut self.info, &other.line, other.info.trim_end_matches('\0'));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_full_tree_leaves_out_touches_no_other_node() {
        let mut out = Output::default();
        out.clear(u32::MAX);
        let kept: Vec<_> = (0..Tree::LEAST_NODES).map(|_| out.node(0, 1, (0, 8), 7, 0)).collect();
        let before = out.tree.nodes.clone();
        for place in [
            out.node(1, 2, (0, 1), 1, 0),
            out.bits(1, 2, (0, 1), (3, 2), 1, 0),
            out.text(1, 2, (0, 1), "left out", 0),
        ] {
            assert_eq!(place, None);
            out.label(place, "of nothing");
            out.close(place, 5);
            out.expert(3, place, "kept all the same");
        }
        assert!(kept.iter().all(Option::is_some) && out.tree.full);
        assert_eq!(out.tree.nodes, before);
        assert!(out.experts.iter().all(|item| item.node == u32::MAX) && out.experts.len() == 3);
        out.clear(Tree::MOST_NODES as u32 - 100);
        assert_eq!(out.tree.most_nodes, 100);
        out.clear(0);
        assert_eq!(out.tree.most_nodes, Tree::MOST_NODES);
        assert!(!out.tree.full && out.node(0, 1, (0, 1), 0, 0) == Some(0));
    }

    #[test]
    fn nodes_stand_where_they_were_put() {
        let mut out = Output::default();
        let outer = out.node(0, 1, (2, 9), 7, flag::DECIPHERED);
        let bits = out.bits(1, 2, (4, 2), (3, 5), 6, flag::DECIPHERED);
        let wide = out.bits(1, 3, (0, 16), (0, 1), 1, flag::BITS);
        let text = out.text(1, 4, (6, 1), "words", flag::GENERATED);
        assert_eq!([outer, bits, wide, text], [Some(0), Some(1), Some(2), Some(3)]);
        let nodes = &out.tree.nodes;
        let first = nodes[0];
        assert_eq!((first.depth, first.field, first.offset, first.length), (0, 1, 2, 9));
        assert_eq!((first.value, first.flags, first.text, first.word_bytes), (7, flag::DECIPHERED, 0, 0));
        assert_eq!((nodes[1].bit_first, nodes[1].bit_count, nodes[1].word_bytes), (3, 5, 2));
        assert_eq!((nodes[1].value, nodes[1].flags), (6, flag::DECIPHERED | flag::BITS));
        assert_eq!((nodes[2].word_bytes, nodes[2].flags), (8, flag::BITS), "a word has at most eight bytes");
        assert_eq!((nodes[3].flags, out.tree.text_of(&nodes[3])), (flag::GENERATED, Some("words")));
    }

    #[test]
    fn a_label_and_an_end_are_set_on_their_node_only() {
        let mut out = Output::default();
        let (one, two) = (out.node(0, 1, (4, 9), 0, flag::HIDDEN), out.node(0, 2, (4, 9), 0, 0));
        out.label(one, ", first");
        out.close(one, 10);
        out.expert(5, two, "odd");
        out.expert(6, None, "lost");
        let nodes = &out.tree.nodes;
        assert_eq!((nodes[0].flags, nodes[0].length), (flag::HIDDEN | flag::LABELLED, 6));
        assert_eq!(out.tree.text_of(&nodes[0]), Some(", first"));
        assert_eq!((nodes[1].flags, nodes[1].length, nodes[1].text), (0, 9, 0));
        let experts: Vec<_> = out.experts.iter().map(|item| (item.expert, item.node, item.text)).collect();
        assert_eq!(experts, [(5, 1, 2), (6, u32::MAX, 3)]);
        out.close(one, 3);
        assert_eq!(out.tree.nodes[0].length, 0, "it ends before it begins");
        let length = out.tree.texts.len();
        out.label(None, "of nothing");
        assert_eq!(out.tree.texts.len(), length);
    }

    #[test]
    fn nothing_is_left_of_the_call_before() {
        let mut out = Output::default();
        out.text(0, 1, (0, 1), "text", 0);
        out.expert(1, None, "odd");
        out.add_info("; ", "part");
        (out.league, out.plain, out.early) = (true, vec![1], vec![2]);
        let fragment = FragmentSpan {
            offset: 0,
            length: 1,
            id: 1,
            number: 0,
            node: 0,
            early_frame: 0,
            early_datagram: 0,
            more: 0,
            completes: 0,
        };
        out.fragments.push(fragment);
        out.payloads.push(PayloadSpan {
            offset: 0,
            length: 1,
            reported: 1,
            channel: 0,
            sender: 0,
            league: 0,
            clear: 0,
        });
        out.clear(0);
        assert!(out.tree.nodes.is_empty() && out.tree.texts.is_empty() && out.tree.arena.is_empty());
        assert!(out.experts.is_empty() && out.info.is_empty() && !out.league);
        assert!(out.plain.is_empty() && out.early.is_empty());
        assert!(out.fragments.is_empty() && out.payloads.is_empty());
    }
}
