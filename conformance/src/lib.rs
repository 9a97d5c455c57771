//! Holds a reader of the protocol to vectors: messages as bytes with the fields they decode to.
//!
//! A [`Reader`] reads each vector's bytes; what it finds is compared with the vector's fields, and the fields are
//! written back to bytes and compared with the vector's. See the README for the format of a vector.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod abi;
pub mod compare;
pub mod complete;
pub mod docs;
pub mod elastic;
pub mod fill;
pub mod item;
pub mod json;
pub mod make;
pub mod reader;
pub mod run;
pub mod sample;
pub mod tshark;
pub mod vector;

pub use abi::Abi;
pub use reader::{Core, Reader, Reading};
pub use run::{check, run, Outcome, Summary};
pub use tshark::Tshark;
pub use vector::{files, load, NotAVector, Vector};
