//! The field tree: flat nodes in the order of the bytes, in buffers that are used again.

/// Index of a field in the registry.
pub type FieldId = u16;

/// Node flags.
pub mod flag {
    /// The node's bytes are those of the deciphered data, not of the packet itself.
    pub const DECIPHERED: u16 = 1;
    /// Worked out by the reader, not carried by the bytes.
    pub const GENERATED: u16 = 2;
    /// Found by filters, not shown.
    pub const HIDDEN: u16 = 4;
    /// `index` is the node's place in its list.
    pub const INDEXED: u16 = 8;
    /// `bit_first`, `bit_count` and `word_bytes` say which bits of a word the value is.
    pub const BITS: u16 = 16;
    /// `text` is appended to the label rather than being the value.
    pub const LABELLED: u16 = 32;
    /// The node's bytes are those of what came compressed and was opened, not of the packet itself.
    pub const DECOMPRESSED: u16 = 64;
}

/// One node. A node's children follow it with a greater depth.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Which field, by its index in the field table.
    pub field: FieldId,
    /// Flags, see [`flag`].
    pub flags: u16,
    /// How deep it stands; 0 is a protocol's own item.
    pub depth: u8,
    /// First bit of the value in its word, counted from the lowest.
    pub bit_first: u8,
    /// How many bits the value has, where it is a part of a word.
    pub bit_count: u8,
    /// Bytes of that word, 1 to 8.
    pub word_bytes: u8,
    /// First byte, counted from the start of the data source.
    pub offset: u32,
    /// Bytes it spans in the data source.
    pub length: u32,
    /// Its place in its list, from 0, where [`flag::INDEXED`] is set.
    pub index: u32,
    /// Text in the arena: 0 for none, else one more than its number.
    pub text: u32,
    /// The value: whole numbers as they are (signed ones sign-extended), floats as the bits of an f64.
    pub value: u64,
}

/// Nodes and texts of one call, cleared and used again.
#[derive(Debug)]
pub struct Tree {
    /// The nodes, parents before children.
    pub nodes: Vec<Node>,
    /// All texts, one after another, valid UTF-8 without zero bytes.
    pub arena: String,
    /// Where each text lies in the arena: start and end.
    pub texts: Vec<(u32, u32)>,
    /// Whether nodes were left out because there were too many.
    pub full: bool,
    /// How many nodes there may be: [`Tree::MOST_NODES`], less where the frame has had others already.
    pub most_nodes: usize,
    /// Headings of the records being read: scratch of [`crate::decode`].
    pub(crate) heading: String,
    /// Points of the path being read: scratch of [`crate::decode`].
    pub(crate) points: Vec<PathPoint>,
}

/// A resolved point of a compact path, path units, and the bytes that state it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathPoint {
    pub x: i32,
    pub z: i32,
    pub offset: u32,
    pub length: u32,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree {
            nodes: Vec::new(),
            arena: String::new(),
            texts: Vec::new(),
            full: false,
            most_nodes: Tree::MOST_NODES,
            heading: String::new(),
            points: Vec::new(),
        }
    }
}

impl Tree {
    /// Most nodes of a frame: below what makes Wireshark give a packet up (50,000 without advancing).
    pub const MOST_NODES: usize = 45_000;

    /// Nodes that a result, and the game's part of one, may have however many its frame has had: its item, and what is known of its session. A datagram
    /// holds so few results that they stay below Wireshark's bound all the same.
    pub const LEAST_NODES: usize = 24;

    /// Forgets all nodes and texts, keeping the buffers and `most_nodes`.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.arena.clear();
        self.texts.clear();
        self.full = false;
    }

    /// Adds a node and answers its place; past `most_nodes` it is left out and `full` set.
    #[inline]
    pub fn push(&mut self, node: Node) -> Option<usize> {
        let place = self.nodes.len();
        if place >= self.most_nodes {
            self.full = true;
            return None;
        }
        self.nodes.push(node);
        Some(place)
    }

    /// Keeps a text and answers its reference for [`Node::text`]. Zero bytes are written as `\0`.
    pub fn text(&mut self, text: &str) -> u32 {
        let start = self.arena.len() as u32;
        for part in text.split_inclusive('\0') {
            match part.strip_suffix('\0') {
                Some(head) => {
                    self.arena.push_str(head);
                    self.arena.push_str("\\0");
                }
                None => self.arena.push_str(part),
            }
        }
        self.texts.push((start, self.arena.len() as u32));
        self.texts.len() as u32
    }

    /// Keeps a text without zero bytes that `write` appends; 0 where it appends nothing.
    pub(crate) fn write_text(&mut self, write: impl FnOnce(&mut String)) -> u32 {
        let start = self.arena.len();
        write(&mut self.arena);
        if self.arena.len() == start {
            return 0;
        }
        self.texts.push((start as u32, self.arena.len() as u32));
        self.texts.len() as u32
    }

    /// Keeps bytes that ought to be text: what is not UTF-8 is escaped as `\xNN`.
    pub fn text_lossy(&mut self, bytes: &[u8]) -> u32 {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return self.text(text);
        }
        let mut shown = String::new();
        for chunk in bytes.utf8_chunks() {
            shown.push_str(chunk.valid());
            for byte in chunk.invalid() {
                shown.push_str(&format!("\\x{byte:02x}"));
            }
        }
        self.text(&shown)
    }

    /// The text a node refers to; `None` where it refers to none.
    pub fn text_of(&self, node: &Node) -> Option<&str> {
        let (start, end) = *self.texts.get(node.text.checked_sub(1)? as usize)?;
        self.arena.get(start as usize..end as usize)
    }
}

/// Why reading stopped before the end of a layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut {
    /// The field that could not be read.
    pub field: FieldId,
    /// Where it would begin, from the start of the data source.
    pub offset: u32,
    /// Bytes it needs; 0 where that is not known (a text without an end).
    pub needs: u32,
    /// Bytes that are there, fewer than it needs.
    pub left: u32,
    /// True where the capture, not the sender, left the bytes out (snap length).
    pub short: bool,
}
