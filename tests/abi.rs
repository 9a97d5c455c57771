//! The C ABI: the committed header is the one the Rust source makes, both sides agree on every size and offset, and
//! a C and a C++ program can use it.

use std::ffi::CString;
use std::mem::{offset_of, size_of};
use std::ptr::{null, null_mut};

// The C and C++ consumers are linked to this package's library.
use riftshark as _;
use wireshark_ffi::abi;
use wireshark_ffi::engine::*;
use wireshark_ffi::table::*;

#[allow(non_camel_case_types, non_upper_case_globals, dead_code, clippy::all)]
mod bindings {
    include!(concat!(env!("OUT_DIR"), "/bindings.rs"));
}

extern "C" {
    fn consumer_c_read(
        name: *const libc::c_char,
        bytes: *const u8,
        length: usize,
        value: *mut u64,
        nodes: *mut usize,
    ) -> i32;
    fn consumer_cpp_described() -> usize;
}

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
        riftshark_word { value, word }
        riftshark_field { name, title, about, words, word_count, kind, base }
        riftshark_expert { name, text, group, severity }
        riftshark_ports { first, last }
        riftshark_settings { keys, build, fallback_build, shape, origin, ports, port_count, bedrock_protocol, bedrock_keys }
        riftshark_endpoint { address, length, kind, port }
        riftshark_packet {
            bytes, captured, reported, time, frame, datagram, source, destination, grade, visited, quoted, forced
        }
        riftshark_node { field, flags, depth, bit_first, bit_count, word_bytes, offset, length, index, text, value }
        riftshark_text { start, end }
        riftshark_expert_item { expert, node, text }
        riftshark_fragment { offset, length, id, number, node, more, join }
        riftshark_payload { offset, length, channel, sender, league, clear }
        riftshark_result {
            nodes, node_count, texts, text_count, arena, experts, expert_count, fragments, fragment_count, payloads,
            payload_count, plain, plain_length, info, league
        }
    }
    assert_eq!(bindings::RIFTSHARK_ABI_VERSION, abi::RIFTSHARK_ABI_VERSION);
    assert_eq!(bindings::RIFTSHARK_NO_NODE, abi::RIFTSHARK_NO_NODE);
}

#[test]
fn every_exported_function_is_in_the_header() {
    let header = include_str!("../wireshark-ffi/include/riftshark.h");
    let sources =
        [include_str!("../wireshark-ffi/src/engine.rs"), include_str!("../wireshark-ffi/src/table.rs")];
    let mut exported = 0;
    for source in sources {
        for line in source.lines().filter(|line| line.contains("extern \"C\" fn riftshark_")) {
            let name = line.split("fn ").nth(1).and_then(|rest| rest.split('(').next()).unwrap();
            assert!(header.contains(&format!("{name}(")), "{name}");
            exported += 1;
        }
    }
    assert_eq!(exported, 13, "the list of functions has changed: look at this test too");
}

/// A WaypointGroup of build 1.0.0.136: one unit, two points.
const GROUP: [u8; 28] = [
    101, 0, 0, 0, 0, 0xD8, 3, 0, 0, 1, 0, 0, 0, 2, 0, 0x19, 0, 0, 0x40, 0, 0x72, 0xF2, 0x72, 0xF2, 0x60,
    0xF4, 0x8F, 0xF3,
];

#[test]
fn a_c_program_reads_a_message() {
    let (mut value, mut nodes) = (0, 0);
    let name = CString::new("waypoint.syncId").unwrap();
    // SAFETY: all pointers are good for the call.
    let status =
        unsafe { consumer_c_read(name.as_ptr(), GROUP.as_ptr(), GROUP.len(), &mut value, &mut nodes) };
    assert_eq!((status, value), (abi::RIFTSHARK_OK, 984));
    assert!(nodes > 20, "{nodes}");
}

#[test]
fn a_cpp_program_walks_the_field_table() {
    // SAFETY: takes nothing.
    assert_eq!(unsafe { consumer_cpp_described() }, riftshark_field_count());
    assert!(riftshark_field_count() > 100);
}

#[test]
fn null_pointers_are_refused_or_empty() {
    let packet = abi::riftshark_packet {
        bytes: null(),
        captured: 0,
        reported: 0,
        time: 0,
        frame: 1,
        datagram: 0,
        source: abi::riftshark_endpoint { address: null(), length: 0, kind: 0, port: 0 },
        destination: abi::riftshark_endpoint { address: null(), length: 0, kind: 0, port: 0 },
        grade: abi::RIFTSHARK_GRADE_NODES,
        visited: 0,
        quoted: 0,
        forced: 1,
    };
    // SAFETY: null where null is allowed, else good for the call.
    unsafe {
        let mut result = std::mem::MaybeUninit::uninit();
        let refused = abi::RIFTSHARK_NULL_ARGUMENT;
        assert_eq!(riftshark_datagram(null_mut(), &packet, result.as_mut_ptr()), refused);
        assert_eq!(result.assume_init_ref().node_count, 0);
        let engine = riftshark_engine_new(null());
        assert!(!engine.is_null());
        assert_eq!(riftshark_datagram(engine, null(), result.as_mut_ptr()), refused);
        assert_eq!(riftshark_datagram(engine, &packet, null_mut()), refused);
        assert_eq!(riftshark_datagram(engine, &packet, result.as_mut_ptr()), abi::RIFTSHARK_OK);
        assert_eq!(riftshark_joined(engine, &packet, 7, result.as_mut_ptr()), abi::RIFTSHARK_NOT_MINE);
        assert_eq!(riftshark_message(engine, &packet, 4, 2, result.as_mut_ptr()), abi::RIFTSHARK_OK);
        assert_eq!(riftshark_bedrock(engine, &packet, result.as_mut_ptr()), abi::RIFTSHARK_NOT_MINE);
        assert!(!result.assume_init_ref().info.is_null());
        assert_eq!(riftshark_field_at(0, null_mut()), refused);
        let mut field = std::mem::MaybeUninit::uninit();
        assert_eq!(riftshark_field_at(usize::MAX, field.as_mut_ptr()), abi::RIFTSHARK_NO_SUCH_INDEX);
        assert_eq!(riftshark_field_index(null()), -1);
        riftshark_engine_free(engine);
        riftshark_engine_free(null_mut());
    }
}

#[test]
fn settings_that_cannot_be_used_are_told() {
    let keys = CString::new("0123").unwrap();
    let settings = abi::riftshark_settings {
        keys: keys.as_ptr(),
        build: null(),
        fallback_build: null(),
        shape: null(),
        origin: null(),
        ports: null(),
        port_count: 0,
        bedrock_protocol: null(),
        bedrock_keys: null(),
    };
    // SAFETY: the texts outlive the call, the problems' text the engine.
    unsafe {
        let engine = riftshark_engine_new(&settings);
        let problems =
            std::ffi::CStr::from_ptr(riftshark_engine_problems(engine)).to_str().unwrap().to_owned();
        riftshark_engine_free(engine);
        assert!(
            problems.contains("lol.key") && problems.contains("32 hex digits") && problems.contains("got 4")
        );
    }
}
