//! The C ABI: the committed header is the one the Rust source makes, both sides agree on every size and offset, and
//! a C and a C++ program can use it.

use std::mem::{offset_of, size_of};

// The C and C++ consumers are linked to this package's library.
use riftshark as _;
use wireshark_ffi::abi;
use wireshark_ffi::table::riftshark_field_count;

#[allow(non_camel_case_types, non_upper_case_globals, dead_code, clippy::all)]
mod bindings {
    include!(concat!(env!("OUT_DIR"), "/bindings.rs"));
}

// Calling C is unsafe, and unsafe Rust stands in `wireshark-ffi` alone.
#[path = "../wireshark-ffi/tests/consumers/mod.rs"]
mod consumers;

#[test]
fn the_committed_header_is_fresh() {
    let made = std::fs::read_to_string(concat!(env!("OUT_DIR"), "/riftshark.h")).unwrap();
    let committed = include_str!("../wireshark-ffi/include/riftshark.h");
    assert!(
        made == committed,
        "wireshark-ffi/include/riftshark.h is not what the source makes; write it anew with\n  \
         cbindgen --config wireshark-ffi/cbindgen.toml -o wireshark-ffi/include/riftshark.h wireshark-ffi"
    );
}

/// Asserts that a structure has the same size and the same offsets on both sides.
macro_rules! same_layout {
    ($($name:ident { $($field:ident),* })*) => {$(
        assert_eq!(size_of::<bindings::$name>(), size_of::<abi::$name>(), stringify!($name));
        $(assert_eq!(
            offset_of!(bindings::$name, $field),
            offset_of!(abi::$name, $field),
            concat!(stringify!($name), ".", stringify!($field))
        );)*
    )*};
}

#[test]
fn both_sides_agree_on_every_size_and_offset() {
    same_layout! {
        riftshark_value_string { value, name }
        riftshark_mask { bit, bytes }
        riftshark_field {
            name, title, short_name, blurb, unit, value_strings, value_string_count, masks, mask_count, owner, kind, base
        }
        riftshark_expert { name, text, owner, group, severity }
        riftshark_ports { first, last }
        riftshark_key_row { address, port, key, build, map, origin }
        riftshark_settings { keys, key_rows, key_row_count, keylog_file, build, names, fallback_build, variant, origin, ports, port_count, bedrock_protocol, bedrock_keys, disabled, user_channel, without_league }
        riftshark_endpoint { address, length, kind, port }
        riftshark_packet {
            bytes, captured, reported, time, frame, datagram, source, destination,
            nodes_before, detail, visited, in_error_pkt, decode_as, league_begun
        }
        riftshark_carrier { datagram, length, at }
        riftshark_node { field, flags, depth, bit_first, bit_count, word_bytes, offset, length, index, text, value }
        riftshark_text { start, end }
        riftshark_expert_item { expert, node, text }
        riftshark_fragment_span { offset, length, id, number, node, early_frame, early_datagram, more, completes }
        riftshark_payload_span { offset, length, reported, channel, sender, league, clear }
        riftshark_result {
            nodes, node_count, texts, text_count, arena, experts, expert_count, fragments, fragment_count, payloads,
            payload_count, decompressed, decompressed_length, plain, plain_length, early, early_length, info, follow, follow_sender, league_nodes, league
        }
    }
    assert_eq!(bindings::RIFTSHARK_ABI_VERSION, abi::RIFTSHARK_ABI_VERSION);
    assert_eq!(bindings::RIFTSHARK_NO_NODE, abi::RIFTSHARK_NO_NODE);
    assert_eq!(bindings::RIFTSHARK_JOINED, abi::RIFTSHARK_JOINED);
}

#[test]
fn every_exported_function_is_in_the_header() {
    let header = include_str!("../wireshark-ffi/include/riftshark.h");
    let sources = [
        include_str!("../wireshark-ffi/src/engine.rs"),
        include_str!("../wireshark-ffi/src/keys.rs"),
        include_str!("../wireshark-ffi/src/table.rs"),
    ];
    let mut exported = 0;
    for source in sources {
        for line in source.lines().filter(|line| line.contains("extern \"C\" fn riftshark_")) {
            let name = line.split("fn ").nth(1).and_then(|rest| rest.split('(').next()).unwrap();
            assert!(header.contains(&format!("{name}(")), "{name}");
            exported += 1;
        }
    }
    assert_eq!(exported, 17, "the list of functions has changed: look at this test too");
}

/// A WaypointGroup of build 1.0.0.136: one unit, two points.
const GROUP: [u8; 28] = [
    101, 0, 0, 0, 0, 0xD8, 3, 0, 0, 1, 0, 0, 0, 2, 0, 0x19, 0, 0, 0x40, 0, 0x72, 0xF2, 0x72, 0xF2, 0x60,
    0xF4, 0x8F, 0xF3,
];

#[test]
fn a_c_program_reads_a_message() {
    let (status, value, nodes) = consumers::read_in_c("waypoint.syncId", &GROUP);
    assert_eq!((status, value), (abi::RIFTSHARK_OK, 984));
    assert!(nodes > 20, "{nodes}");
}

#[test]
fn a_cpp_program_walks_the_field_table() {
    assert_eq!(consumers::described_in_cpp(), riftshark_field_count());
    assert!(riftshark_field_count() > 100);
}
