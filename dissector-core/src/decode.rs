//! A layout × bytes → nodes and facts. One interpreter for all messages of all builds.

pub mod head;
mod headings;
mod meaning;
mod notes;
mod parts;
mod reader;

pub use headings::write_point;

use crate::capture::Subjects;
use crate::name_list::NameList;
use crate::registry::Program;
use crate::tree::{Cut, FieldId, Tree};
use crate::version::Build;

/// The body of one message and what is known about it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Input<'a> {
    /// Bytes of the body that were captured.
    pub bytes: &'a [u8],
    /// Bytes the body had on the wire, at least `bytes.len()`.
    pub reported: u32,
    /// Where `bytes` begin in their data source: node offsets count from there.
    pub base: u32,
    /// The ENet channel it came on, where known: some layouts depend on it.
    pub channel: Option<u8>,
    /// Flags for every node, such as [`crate::tree::flag::DECIPHERED`].
    pub flags: u16,
    /// Depth of the body's first level of nodes.
    pub depth: u8,
    /// Origin of the map, where known: path units become world units.
    pub origin: Option<(i32, i32)>,
    /// The build, where known: some bits mean something in a part of a layout's builds only.
    pub build: Option<Build>,
    /// Whether records are headed with what they hold: someone looks at the tree.
    pub labels: bool,
    /// Names to show beside name numbers; `None` shows the numbers alone.
    pub names: Option<&'a NameList>,
}

/// A point on the ground plane.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Point {
    /// Path units from the map's origin on, two world units each.
    Path(i32, i32),
    /// World units, as a map counts them.
    World(f32, f32),
}

/// Something the Info column says.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Said {
    /// `label=value` for a whole number; the field gives its base.
    Int(&'static str, FieldId, i64),
    /// `label=unit` for a unit.
    Unit(&'static str, u32),
    /// `label=name` for a name number; the number where its name is not known.
    Name(&'static str, FieldId, i64),
    /// `label=value` for a float.
    Float(&'static str, f32),
    /// The word for a value; the number where it has none.
    Word(FieldId, i64),
    /// So many of a noun, which is given in the singular.
    Items(&'static str, u32),
}

/// What the session and the Info column want of a body, without nodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    /// The sync id, which a statement and its answer name alike.
    pub sync: Option<i64>,
    /// What the Info column says, in order; at most four.
    pub said: [Option<Said>; 4],
    /// The units it is about.
    pub units: Subjects,
    /// The first unit it names besides those it is about and those it says; 0 for none.
    pub other_unit: u32,
    /// Where the body names the unit of the header: first byte of the text, and bytes.
    pub unit_name: Option<(u32, u32)>,
    /// How many paths it holds that have a point.
    pub paths: u32,
    /// How many points the first path has.
    pub points: u32,
    /// The last point of the first path: where the unit goes.
    pub last: Option<Point>,
    /// The destination of an order, world units.
    pub target: Option<(f32, f32)>,
    /// Whether `target` and `last` are the same place.
    pub states_origin: bool,
    /// Whether coordinates that are no points of its paths were told in world units too.
    pub packed: bool,
    /// The runtime id of the actor the body is about (Bedrock).
    pub actor: Option<u64>,
    /// Where that actor is, as far as the body says: x, y and z, blocks.
    pub position: [Option<f32>; 3],
    /// Whether a byte that says yes or no was neither 0 nor 1.
    pub odd: bool,
    /// Whether a float was no number, or so small that it is rather a whole number: nobody sends such ones on purpose.
    pub wild: bool,
    /// Whether a float is so small or large that no game would state it; fields without effect hold such at times.
    pub strange: bool,
}

/// How reading ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End {
    /// Bytes of the body that were read.
    pub used: u32,
    /// What could not be read, if the body ended early.
    pub cut: Option<Cut>,
}

/// Reads a body. With `NODES` the tree is filled; the facts are gathered either way, from nothing.
///
/// Generated nodes ([`crate::tree::flag::GENERATED`]) stand beside those of the bytes: one of `lol.unit` behind
/// each network id, a name behind each name number that the list of names knows, and behind the rows of a compact path one
/// record per resolved point.
pub fn read<const NODES: bool>(
    program: &Program,
    input: &Input<'_>,
    tree: &mut Tree,
    facts: &mut Facts,
) -> End {
    *facts = Facts::default();
    tree.heading.clear();
    reader::Reader::<NODES>::new(program, input, tree, facts).run(program)
}
