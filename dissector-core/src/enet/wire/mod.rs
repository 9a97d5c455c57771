//! From a UDP datagram to the commands in it: header variants, the command tables, recognising and writing
//! them. Pure functions of bytes.

#[cfg(test)]
pub(crate) mod captures;
mod checksum;
mod command;
pub mod compressed;
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

pub use checksum::{checksum_fits, connect_id};
pub use command::{Command, Commands, ConnectBody, Data, Fragment, Stop, Why, ACKNOWLEDGE, UNSEQUENCED};
pub use form::{begins, is_sound, is_too_short, Form};
pub use header::{header, Header, HeaderCut, HeaderVariant, Part};
pub use recognise::{candidates, connect, connect_of, Candidates, Settled};
pub use rows::{carries_data, head, id, rows, Row, HEAD_ROWS, MOST_ROWS};
