//! From a UDP datagram to the commands in it: header variants, the command tables, recognising and writing
//! them. Pure functions of bytes.

#[cfg(test)]
pub(crate) mod captures;
mod command;
mod form;
mod header;
mod recognise;
#[cfg(test)]
mod round_trip;
mod rows;
mod strict;
#[cfg(test)]
mod tests;
pub mod write;

pub use command::{Command, Commands, ConnectBody, Data, Fragment, Stop, Why, ACKNOWLEDGE, UNSEQUENCED};
pub use form::{begins, is_sound, is_too_short, Form};
pub use header::{checksum_fits, header, Header, HeaderCut, HeaderVariant, Part};
pub use recognise::{candidates, connect, Candidates, Settled};
pub use rows::{carries_data, head, id, rows, Row, HEAD_ROWS, MOST_ROWS};
