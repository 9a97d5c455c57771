//! What the functions do with null pointers, ids they never gave, and settings that cannot be used.

use std::ffi::CString;
use std::ptr::{null, null_mut};

use wireshark_ffi::abi;
use wireshark_ffi::engine::*;
use wireshark_ffi::table::*;

#[test]
fn null_pointers_are_refused_or_empty() {
    let packet = abi::riftshark_packet::default();
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
        assert_eq!(riftshark_reassembled(engine, &packet, 7, result.as_mut_ptr()), abi::RIFTSHARK_NOT_MINE);
        assert_eq!(riftshark_message(engine, &packet, 4, 2, result.as_mut_ptr()), abi::RIFTSHARK_OK);
        assert_eq!(riftshark_bedrock(engine, &packet, null(), result.as_mut_ptr()), abi::RIFTSHARK_NOT_MINE);
        let carrier = abi::riftshark_carrier { datagram: null(), length: 0, at: abi::RIFTSHARK_JOINED };
        assert_eq!(
            riftshark_bedrock(engine, &packet, &carrier, result.as_mut_ptr()),
            abi::RIFTSHARK_NOT_MINE
        );
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
    let settings = abi::riftshark_settings { keys: keys.as_ptr(), ..abi::riftshark_settings::default() };
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
