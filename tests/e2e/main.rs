//! End to end: the built plugin in a real tshark and sharkd, on whole captures.
//!
//! `RIFTSHARK_PLUGIN` names the plugin to test; without it the tests say that they skipped, and with
//! `RIFTSHARK_REQUIRE_E2E=1` they fail instead. Every test works in a folder of its own.

mod carriers;
mod claims;
mod columns;
mod expected;
mod export;
mod follow;
mod fragments;
mod fuzz;
mod game;
mod info;
mod key_table;
mod keys;
mod lab;
mod layers;
mod links;
mod meanings;
mod passes;
mod pcap;
mod pdml;
mod registration;
mod session;
mod sharkd;
mod stories;
mod typed;
mod vectors;

/// The key of the sample captures, and that of their second session or client.
const KEY: &str = "52696674736861726b2073616d706c65";
const SECOND_KEY: &str = "52696674736861726b207365636f6e64";

/// The key of the shared captures.
const SHARED_KEY: &str = "00112233445566778899aabbccddeeff";
