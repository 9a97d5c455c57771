//! What the functions do with null pointers, ids they never gave, and settings that cannot be used.

use std::ffi::CString;
use std::ptr::{null, null_mut};

use wireshark_ffi::abi;
use wireshark_ffi::engine::*;
use wireshark_ffi::keys::*;
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
        // no bytes are no datagram of ENet's
        assert_eq!(riftshark_datagram(engine, &packet, result.as_mut_ptr()), abi::RIFTSHARK_NOT_MINE);
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

#[test]
fn rows_of_keys_are_handed_on_as_text() {
    let (address, key) = (CString::new("192.0.2.300").unwrap(), CString::new("0123").unwrap());
    let row = |address: &CString| abi::riftshark_key_row {
        address: address.as_ptr(),
        port: null(),
        key: key.as_ptr(),
        build: null(),
        map: null(),
        origin: null(),
    };
    let rows = [row(&address), row(&key)];
    let settings = abi::riftshark_settings {
        key_rows: rows.as_ptr(),
        key_row_count: rows.len(),
        ..abi::riftshark_settings::default()
    };
    // SAFETY: rows and texts outlive the call, the problems' text the engine.
    unsafe {
        let engine = riftshark_engine_new(&settings);
        let problems =
            std::ffi::CStr::from_ptr(riftshark_engine_problems(engine)).to_str().unwrap().to_owned();
        riftshark_engine_free(engine);
        assert!(problems.contains("lol.keys: row 1: address must be an IPv4 or IPv6 address"), "{problems}");
        assert!(problems.contains("got \"192.0.2.300\"; key must be 32 hex digits"), "{problems}");
        assert!(problems.contains("lol.keys: row 2: address"), "{problems}");
    }
}

#[test]
fn a_column_is_checked_and_its_error_written_as_far_as_there_is_room() {
    let check = |column: u8, text: &str, room: usize| {
        let text = CString::new(text).unwrap();
        let mut out = vec![b'!' as libc::c_char; room + 1];
        let out_at = if room == 0 { null_mut() } else { out.as_mut_ptr() };
        // SAFETY: the text is ended by a zero byte, and there is room for what is said to be.
        let length = unsafe { riftshark_check_key_column(column, text.as_ptr(), out_at, room) };
        assert_eq!(out[room], b'!' as libc::c_char, "written past its room");
        let said: Vec<u8> = out.iter().map(|byte| *byte as u8).take_while(|byte| *byte != 0).collect();
        (length, String::from_utf8_lossy(&said).into_owned())
    };
    let (length, whole) = check(abi::RIFTSHARK_COLUMN_PORT, "→", 200);
    assert!(whole.ends_with("got \"→\"") && length == whole.len(), "{whole}");
    let (same, short) = check(abi::RIFTSHARK_COLUMN_PORT, "→", length - 1);
    assert_eq!((same, short.as_str()), (length, whole.split('→').next().unwrap()), "no half character");
    assert_eq!(check(abi::RIFTSHARK_COLUMN_PORT, "x", 1).1, "");
    assert!(check(abi::RIFTSHARK_COLUMN_PORT, "x", 0).0 > 0);
    for (column, good) in [
        (abi::RIFTSHARK_COLUMN_ADDRESS, "192.0.2.1"),
        (abi::RIFTSHARK_COLUMN_PORT, "5119"),
        (abi::RIFTSHARK_COLUMN_KEY, "00112233445566778899aabbccddeeff"),
        (abi::RIFTSHARK_COLUMN_BUILD, "1.0.0.136"),
        (abi::RIFTSHARK_COLUMN_MAP, "11"),
        (abi::RIFTSHARK_COLUMN_ORIGIN, "1,2"),
    ] {
        assert_eq!(check(column, good, 9).0, 0, "{good}");
        assert!(check(column, "?", 9).0 > 0, "{column}");
    }
    assert!(check(9, "", 99).1.contains("no column 9"));
    // SAFETY: null is an empty text.
    assert_eq!(unsafe { riftshark_check_key_column(abi::RIFTSHARK_COLUMN_KEY, null(), null_mut(), 0) }, 0);
}

#[test]
fn a_session_is_followed_where_that_was_asked_for() {
    let build = CString::new("1.0.0.136").unwrap();
    let settings = abi::riftshark_settings { build: build.as_ptr(), ..abi::riftshark_settings::default() };
    // A WaypointGroup without movements.
    let bytes = [101, 0, 0, 0, 0, 0xD8, 3, 0, 0, 0, 0];
    let packet = abi::riftshark_packet {
        bytes: bytes.as_ptr(),
        captured: bytes.len(),
        reported: bytes.len(),
        detail: abi::RIFTSHARK_DETAIL_COLUMNS,
        ..abi::riftshark_packet::default()
    };
    // SAFETY: null where null is allowed, else good for the call.
    unsafe {
        riftshark_engine_follow(null_mut(), 1);
        assert_eq!(riftshark_session_count(null(), 0), 0);
        let engine = riftshark_engine_new(&settings);
        let told = |wanted| {
            riftshark_engine_follow(engine, wanted);
            let mut result = std::mem::MaybeUninit::uninit();
            assert_eq!(riftshark_message(engine, &packet, 4, 2, result.as_mut_ptr()), abi::RIFTSHARK_OK);
            let result: abi::riftshark_result = result.assume_init();
            (std::ffi::CStr::from_ptr(result.follow).to_str().unwrap().to_owned(), result.follow_sender)
        };
        assert_eq!(told(0), (String::new(), 0));
        let (line, sender) = told(1);
        assert_eq!(line, "0.000000 #1 server WaypointGroup sync=984\n");
        assert_eq!((sender, told(0).1), (2, 0));
        assert_eq!((riftshark_session_count(engine, 0), riftshark_session_count(engine, 1)), (1, 0));
        riftshark_engine_free(engine);
    }
    assert_eq!(riftshark_field_link(usize::MAX), abi::RIFTSHARK_LINK_OTHER);
    let names = [
        (c"enet.ackTo", abi::RIFTSHARK_LINK_ACKNOWLEDGEMENT),
        (c"waypoint.ackTo", abi::RIFTSHARK_LINK_STATEMENT),
        (c"waypoint.ackIn", abi::RIFTSHARK_LINK_ANSWER),
        (c"enet.retransmissionOf", abi::RIFTSHARK_LINK_ORIGINAL),
        (c"lol.build", abi::RIFTSHARK_LINK_OTHER),
    ];
    for (name, link) in names {
        // SAFETY: the name is ended by a zero byte.
        let index = unsafe { riftshark_field_index(name.as_ptr()) };
        assert_eq!(riftshark_field_link(index as usize), link, "{name:?}");
    }
}
