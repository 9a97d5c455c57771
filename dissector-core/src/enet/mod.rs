//! From a UDP datagram to the commands in it: header shapes, the command tables, recognising and writing
//! them.

#[cfg(test)]
pub(crate) mod captures;
mod command;
mod fields;
mod recognise;
#[cfg(test)]
mod round_trip;
mod rows;
mod shape;
mod strict;
#[cfg(test)]
mod tests;
pub mod write;

pub use command::{Command, Commands, Connection, Data, Fragment, Stop, Why, ACKNOWLEDGE, UNSEQUENCED};
pub use fields::{command_name, Field, COMMANDS, COUNT, FIELDS};
pub use recognise::{candidates, connect, Candidates, Settled};
pub use rows::{carries_data, head, id, rows, Row, HEAD_ROWS, MOST_ROWS};
pub use shape::{checksum_fits, header, Header, HeaderCut, Part, Shape};
