//! The vocabulary a message layout is written in. A layout is a plain `static` in [`crate::book`].
//!
//! Rows stand in the order the bytes come. A row that another row counts, switches or indexes is named by its
//! path as the specification page writes it, looked for in the record at hand and then outwards.

mod evidence;
mod notation;
mod rows;

use crate::field::ValueStrings;
use crate::name_list::Named;
use crate::version::{Build, Range};

pub use crate::capture::Sender;
pub use crate::path::Axis;
pub use evidence::{Evidence, Page, Source};
pub use notation::channel_name;
pub use rows::*;

/// Channels by the number ENet carries them under.
pub mod channel {
    /// Registration and its answer.
    pub const REGISTRATION: u8 = 0;
    /// What a client asks.
    pub const REQUESTS: u8 = 1;
    /// Clock readings.
    pub const CLOCK: u8 = 2;
    /// What a server states, reliably.
    pub const EVENTS: u8 = 3;
    /// What a server states and may lose.
    pub const TRANSIENT: u8 = 4;
    /// Chat.
    pub const CHAT: u8 = 5;
    /// The last channel of the game: it has seven, from about 4.5 on eight (connects ask for so many).
    pub const LAST: u8 = 7;
    /// Stands for a channel that is not told; in ENet it carries the connection's own commands and no payloads.
    pub const OTHER: u8 = 255;

    /// Whether a net id follows the command; on the other channels the command is all there is before a body.
    pub const fn has_net_id(channel: u8) -> bool {
        matches!(channel, REQUESTS..=TRANSIENT)
    }
}

/// How a message is carried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delivery {
    /// In order, sent again until acknowledged.
    Reliable,
    /// In order, older ones dropped.
    Unreliable,
    /// In any order.
    Unsequenced,
}

/// A family of messages: they share the first part of their filter names.
#[derive(Debug, PartialEq, Eq)]
pub struct Family {
    /// First part of the filter names, such as `waypoint`.
    pub prefix: &'static str,
    /// What it is called as a protocol, such as `League of Legends waypoints`: no other protocol may be.
    pub title: &'static str,
    /// Its name in lists of protocols, such as `LoL Waypoint`: no other protocol may have it either.
    pub short_name: &'static str,
}

/// One message of the protocol, with each layout it has.
#[derive(Debug)]
pub struct Message {
    /// Name in the specification, such as `WaypointGroup`.
    pub name: &'static str,
    /// The family whose filter names it shares.
    pub family: &'static Family,
    /// What it is for, in one line.
    pub blurb: &'static str,
    /// What the session does with it besides showing it.
    pub exchange: Exchange,
    /// Its layouts, oldest first.
    pub layouts: &'static [Layout],
}

/// How a message takes part in a question and its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exchange {
    /// It does not.
    None,
    /// The other end answers it, naming its sync id.
    Asks,
    /// It answers the message whose sync id it names: of the first of these families that has one open, where the
    /// answer came on the channel told (any, where none is).
    Answers(&'static [(&'static Family, Option<u8>)]),
}

/// One layout of a message: its body in a range of builds.
#[derive(Debug)]
pub struct Layout {
    /// Builds that have it, none of which another layout of the message has.
    pub builds: Range,
    /// Which end sends it.
    pub sender: Sender,
    /// The channel the page names; a message is looked up without it.
    pub channel: u8,
    /// The delivery the page names.
    pub delivery: Delivery,
    /// Its command numbers, whose builds together are `builds`; none where it is only tried.
    pub commands: &'static [Command],
    /// The page that states it.
    pub page: &'static Page,
    /// How sure the layout is.
    pub evidence: Evidence,
    /// The rows of the body, in the order of their bytes.
    pub rows: &'static [Row],
}

/// A command number in a range of builds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Command {
    /// Builds that use it, within those of the layout.
    pub builds: Range,
    /// The number; from 256 on it travels as an extended command.
    pub number: u16,
}

/// A [`Command`]: this number in these builds.
pub const fn command(builds: Range, number: u16) -> Command {
    Command { builds, number }
}

/// A shape shared by several messages, such as `Movement`.
#[derive(Debug)]
pub struct StructDef {
    /// Name in the specification, such as `Movement`.
    pub name: &'static str,
    /// Builds whose messages hold it.
    pub builds: Range,
    /// Its rows, in the order of their bytes.
    pub rows: &'static [Row],
}

/// One row of a layout.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Last part of its path in the specification, such as `unit`.
    pub name: &'static str,
    /// Last part of its filter name, where its own would mean two things in one family.
    pub filter: Option<&'static str>,
    /// A whole filter name it answers to besides its own.
    pub also: Option<&'static str>,
    /// Title in the tree, such as `Point count`.
    pub title: &'static str,
    /// What its value says, in one line, with its unit where it has one.
    pub blurb: &'static str,
    /// How its bytes are read: type and width.
    pub ty: Type,
    /// Under which condition it is there.
    pub present: Presence,
    /// Names for its values, shown beside the number; may be empty.
    pub value_strings: ValueStrings,
    /// Unit of its value, shown behind it; may be empty.
    pub unit: &'static str,
    /// What a page says its value means, besides those words.
    pub meaning: Meaning,
    /// What the reader does with it besides showing it.
    pub role: Role,
    /// Whether and how the Info column names it.
    pub info: Info,
}

/// What the text of a page says a whole number means. It is shown beside the number, which stays what it is.
#[derive(Debug, Clone, Copy)]
pub enum Meaning {
    /// No more than the number.
    None,
    /// Values with a meaning in this layout; in others they may have none.
    Values(ValueStrings),
    /// Runs of its bits with a meaning each, shown below it as fields of their own.
    Bits(&'static [Run]),
}

/// How the bytes of a row are read. Numbers are little-endian where nothing else is said.
#[derive(Debug, Clone, Copy)]
pub enum Type {
    /// A whole number of 1, 2, 4 or 8 bytes.
    Int {
        /// Bytes it takes: 1, 2, 4 or 8.
        bytes: u8,
        /// Whether it is signed.
        signed: bool,
    },
    /// A whole number of 1, 2, 4 or 8 bytes, the highest byte first.
    BigEndian {
        /// Bytes it takes: 1, 2, 4 or 8.
        bytes: u8,
        /// Whether it is signed.
        signed: bool,
    },
    /// An unsigned number in groups of seven bits, the lowest first; each byte but the last has its top bit set.
    Varint {
        /// Bits of the number: 32 or 64. More bytes than these need are an error.
        bits: u8,
    },
    /// A signed number written as the unsigned one of [`Type::Varint`], its sign in the lowest bit: 0, -1, 1, -2 and on.
    ZigZag {
        /// Bits of the number: 32 or 64.
        bits: u8,
    },
    /// A byte that is 0 or 1; readers take anything else for 1.
    Bool,
    /// A float of 4 bytes, little-endian.
    F32,
    /// A word of bits, named in runs from the low bit up.
    Bits {
        /// Bytes of the word, at most 8.
        bytes: u8,
        /// The runs, from the lowest bit up, no bit twice.
        runs: &'static [Run],
    },
    /// Groups of bits that run on without padding, from the low bit of the first byte.
    BitArray {
        /// How many groups follow.
        count: Count,
        /// The runs of one group, from its lowest bit up.
        runs: &'static [Run],
    },
    /// Rows of its own.
    Record(&'static [Row]),
    /// A shared struct.
    Struct(&'static StructDef),
    /// A run of items.
    List {
        /// How many items follow.
        count: Count,
        /// What each item is.
        of: Item,
    },
    /// Items until a number of bytes is used up.
    ListBytes {
        /// Path of the row that holds the number of bytes.
        bytes: &'static str,
        /// What each item is.
        of: Item,
    },
    /// Text in UTF-8; what is not is shown escaped.
    Text(Extent),
    /// Bytes without a reading of their own.
    Bytes(Extent),
}

/// How far a text or a run of bytes reaches.
#[derive(Debug, Clone, Copy)]
pub enum Extent {
    /// Up to a zero byte, which belongs to it.
    Zero,
    /// So many bytes; a text's trailing zeros are padding.
    Fixed(u32),
    /// As many bytes as the row at this path says; 0 or above 2147483647 takes none.
    In(&'static str),
    /// Up to the end of the body.
    Rest,
}

/// What a list holds.
#[derive(Debug, Clone, Copy)]
pub enum Item {
    /// Records of these rows.
    Record(&'static [Row]),
    /// A shared struct.
    Struct(&'static StructDef),
    /// Bare values.
    Plain(&'static Type),
}

/// A run of bits of a word, both ends included, bit 0 lowest.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// Last part of its path in the specification.
    pub name: &'static str,
    /// Title in the tree, such as `Has teleport token`.
    pub title: &'static str,
    /// What it says, in one line.
    pub blurb: &'static str,
    /// Lowest bit of the word, from 0.
    pub first: u8,
    /// Highest bit of the word, at least `first`.
    pub last: u8,
    /// Whether it is one bit that says yes or no, rather than a number that may have one bit in this layout.
    pub is_flag: bool,
    /// Names for its values, shown beside the number; may be empty.
    pub value_strings: ValueStrings,
    /// A whole filter name it answers to besides its own, as yes or no.
    pub also: Option<&'static str>,
    /// Builds in which it has an effect, where that is not all its layout has.
    pub acts: Option<Range>,
    /// What the reader does with it besides showing it.
    pub role: Role,
}

/// How many items follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// As many as the row at this path says.
    In(&'static str),
    /// As the row at this path says, read as a signed number of its width: negative is none.
    InSigned(&'static str),
    /// One less than the row at this path says; none for zero.
    InLess1(&'static str),
    /// As the row at this path says, but none where the message comes on this channel.
    InUnlessOn(&'static str, u8),
    /// Always so many.
    Fixed(u32),
    /// As many whole items as the body holds; a remainder is left over.
    ToEnd,
}

/// When a row is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// Always.
    Always,
    /// Where the row at this path is not zero.
    Set(&'static str),
    /// Where the row at this path holds this value.
    Is(&'static str, i64),
    /// Where this run of the bit array at this path, in the group of the list item at hand, holds this value.
    GroupIs(&'static str, &'static str, i64),
    /// Unless this run is all that is set in the word at this path: read as its run being 0, compared as a whole word.
    UnlessAlone(&'static str, &'static str),
    /// Where bytes are left.
    Remaining,
    /// Where the byte in front of it, which belongs to it, is not 0.
    Flagged,
}

/// What a row means to the reader besides its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Nothing more.
    None,
    /// A network id: filterable as `lol.unit`, written in hexadecimal.
    Unit,
    /// A text that names the unit of the message's header.
    UnitName,
    /// The number of a name, written in hexadecimal too.
    NameHash(Named),
    /// The number that names a statement and its answer.
    Sync,
    /// First point of a compact path, path units.
    First(Axis),
    /// A step of a compact path from the point before, path units.
    Step(Axis),
    /// A coordinate of a compact path stated afresh, path units.
    Whole(Axis),
    /// A coordinate in path units that is no part of a path: told in world units too, once the origin is known.
    Packed(Axis),
    /// A coordinate of a point of a path stated in world units.
    Point(Axis),
    /// A coordinate of the destination of an order, world units.
    Target(Axis),
    /// Where it holds this value, the destination is the last point of the path: it betrays the map's origin.
    StatesOrigin(i64),
    /// A turn in 256ths of a circle: shown in degrees too.
    Turn,
    /// Seconds something has run already: with those left, the whole run is shown.
    RunningFor,
    /// Seconds left, under a name that a page gives to the whole run: shown as time left too.
    Lasts,
    /// Seconds left.
    TimeLeft,
    /// The number of the actor that the body is about.
    Actor,
    /// A coordinate of that actor's position, blocks: 0 for x, 1 for y (height), 2 for z.
    Coordinate(u8),
}

/// How the Info column names a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Info {
    /// It does not.
    None,
    /// A unit that the message is about: named in front of all else.
    Unit,
    /// `label=value`; a unit only where there is one.
    Value(&'static str),
    /// The word for its value.
    Word,
    /// `N noun` or `N nouns`: how many items a list has.
    Items(&'static str),
}

impl Message {
    /// The layout and command number of this message in a build, if it has one there.
    pub fn layout(&self, build: Build) -> Option<(&'static Layout, u16)> {
        self.layouts.iter().find_map(|layout| {
            let command = layout.commands.iter().find(|c| c.builds.holds(build))?;
            Some((layout, command.number))
        })
    }
}
