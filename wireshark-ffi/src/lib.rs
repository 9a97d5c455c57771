//! The C ABI over `dissector-core`.
//!
//! Every function catches panics and answers [`abi::RIFTSHARK_PANIC`] (or null) instead. No function calls back into
//! C. An engine may be used by one thread at a time.
#![deny(unsafe_op_in_unsafe_fn)]
#![warn(missing_docs)]
#![allow(non_camel_case_types)] // the names are C's

#[cfg(panic = "abort")]
compile_error!("the plugin must be able to catch panics: build with panic = \"unwind\"");

pub mod abi;
pub mod client;
pub mod engine;
pub mod keys;
pub mod table;
