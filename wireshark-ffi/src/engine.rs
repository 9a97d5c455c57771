//! The engine behind an opaque handle: one per capture.

use std::ffi::CStr;
use std::panic::{catch_unwind, AssertUnwindSafe};

use dissector_core::bedrock::Carrier;
use dissector_core::capture::{
    Detail, Endpoint, ExpertItem, FragmentSpan, Output, Packet, PayloadSpan, Sender, Settings,
};
use dissector_core::engine::Engine;
use dissector_core::tree::Node;
use libc::c_char;

use crate::abi::*;
use crate::keys::key_row;

/// An engine. Made by [`riftshark_engine_new`], freed by [`riftshark_engine_free`].
pub struct riftshark_engine {
    engine: Engine,
    problems: std::ffi::CString,
}

/// Holds a structure of the core to the one it is handed over as: same size, and every field in the same place with the
/// same type.
macro_rules! same_layout {
    ($core:ident => $abi:ident: $($field:ident),* $(,)?) => {
        const _: () = {
            use std::mem::{align_of, offset_of, size_of};
            assert!(size_of::<$core>() == size_of::<$abi>() && align_of::<$core>() == align_of::<$abi>());
            $(assert!(offset_of!($core, $field) == offset_of!($abi, $field));)*
            // what is not named here would not be compared
            #[allow(dead_code)]
            fn same_types(core: $core) -> $abi {
                let $core { $($field),* } = core;
                $abi { $($field),* }
            }
        };
    };
}
same_layout!(Node => riftshark_node:
    field, flags, depth, bit_first, bit_count, word_bytes, offset, length, index, text, value);
same_layout!(ExpertItem => riftshark_expert_item: expert, node, text);
same_layout!(FragmentSpan => riftshark_fragment_span:
    offset, length, id, number, node, early_frame, early_datagram, more, completes);
same_layout!(PayloadSpan => riftshark_payload_span:
    offset, length, reported, channel, sender, league, clear);
const _: () = {
    use std::mem::{align_of, offset_of, size_of};
    assert!(size_of::<(u32, u32)>() == size_of::<riftshark_text>());
    assert!(align_of::<(u32, u32)>() == align_of::<riftshark_text>());
    assert!(offset_of!((u32, u32), 0) == offset_of!(riftshark_text, start));
    assert!(offset_of!((u32, u32), 1) == offset_of!(riftshark_text, end));
};

/// # Safety
/// `text` is null or ended by a zero byte, and outlives the borrow.
pub(crate) unsafe fn text<'a>(text: *const c_char) -> std::borrow::Cow<'a, str> {
    if text.is_null() {
        return "".into();
    }
    // SAFETY: not null, ended by a zero byte by the caller's contract.
    unsafe { CStr::from_ptr(text) }.to_string_lossy()
}

/// # Safety
/// `data` is null or points to `length` elements that outlive the borrow.
unsafe fn slice<'a, T>(data: *const T, length: usize) -> &'a [T] {
    if data.is_null() || length == 0 {
        return &[];
    }
    // SAFETY: not null, and as long as said by the caller's contract.
    unsafe { std::slice::from_raw_parts(data, length) }
}

/// Makes an engine from settings (null for the defaults).
///
/// The engine belongs to the caller, who frees it with [`riftshark_engine_free`]. Null where it cannot be made.
/// Settings that cannot be used are left out and told by [`riftshark_engine_problems`].
///
/// # Safety
/// `settings` is null or points to settings whose pointers are as documented there.
#[no_mangle]
pub unsafe extern "C" fn riftshark_engine_new(settings: *const riftshark_settings) -> *mut riftshark_engine {
    let made = catch_unwind(|| {
        // SAFETY: null or valid by the caller's contract; the texts are copied.
        let settings = unsafe {
            match settings.as_ref() {
                None => Settings::default(),
                Some(s) => Settings {
                    keys: text(s.keys).into_owned(),
                    key_rows: slice(s.key_rows, s.key_row_count).iter().map(|row| key_row(row)).collect(),
                    keylog_file: text(s.keylog_file).into_owned(),
                    names: text(s.names).into_owned(),
                    build: text(s.build).into_owned(),
                    fallback_build: text(s.fallback_build).into_owned(),
                    variant: text(s.variant).into_owned(),
                    origin: text(s.origin).into_owned(),
                    ports: slice(s.ports, s.port_count).iter().map(|p| (p.first, p.last)).collect(),
                    bedrock_protocol: text(s.bedrock_protocol).into_owned(),
                    bedrock_keys: text(s.bedrock_keys).into_owned(),
                    disabled: text(s.disabled).into_owned(),
                    user_channel: s.user_channel,
                    without_league: s.without_league != 0,
                },
            }
        };
        let engine = Engine::new(&settings);
        let problems = engine.problems().join("\n").replace('\0', " ");
        let problems = std::ffi::CString::new(problems).unwrap_or_default();
        Box::into_raw(Box::new(riftshark_engine { engine, problems }))
    });
    made.unwrap_or(std::ptr::null_mut())
}

/// Frees an engine; null is allowed.
///
/// # Safety
/// `engine` is null or was made by [`riftshark_engine_new`] and not freed since.
#[no_mangle]
pub unsafe extern "C" fn riftshark_engine_free(engine: *mut riftshark_engine) {
    if !engine.is_null() {
        // SAFETY: made by Box::into_raw and not freed since, by the caller's contract.
        let engine = AssertUnwindSafe(unsafe { Box::from_raw(engine) });
        let _ = catch_unwind(move || drop(engine));
    }
}

/// What was wrong with the settings, a line each; empty where nothing was. The text belongs to the engine.
///
/// # Safety
/// `engine` is null or a live engine.
#[no_mangle]
pub unsafe extern "C" fn riftshark_engine_problems(engine: *const riftshark_engine) -> *const c_char {
    // SAFETY: null or live by the caller's contract.
    match unsafe { engine.as_ref() } {
        Some(engine) => engine.problems.as_ptr(),
        None => c"".as_ptr(),
    }
}

/// How many sessions there are so far: those of `lol.session` and `enet.stream`, or where `bedrock` is not 0 those of
/// `bedrock.session`. 0 for null.
///
/// # Safety
/// `engine` is null or a live engine.
#[no_mangle]
pub unsafe extern "C" fn riftshark_session_count(engine: *const riftshark_engine, bedrock: u8) -> u32 {
    // SAFETY: null or live by the caller's contract.
    let Some(engine) = (unsafe { engine.as_ref() }) else { return 0 };
    let count = if bedrock != 0 { engine.engine.bedrock_sessions() } else { engine.engine.sessions() };
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Says whether somebody follows sessions: results have lines of their text from now on where `wanted` is not 0.
///
/// # Safety
/// `engine` is null or a live engine.
#[no_mangle]
pub unsafe extern "C" fn riftshark_engine_follow(engine: *mut riftshark_engine, wanted: u8) {
    // SAFETY: null or live by the caller's contract.
    if let Some(engine) = unsafe { engine.as_mut() } {
        engine.engine.follow(wanted != 0);
    }
}

/// # Safety
/// As for [`riftshark_packet`].
unsafe fn packet_of<'a>(packet: &riftshark_packet) -> Packet<'a> {
    // SAFETY: pointers and lengths are as documented, by the caller's contract.
    unsafe {
        let bytes = slice(packet.bytes, packet.captured);
        Packet {
            bytes,
            reported: u32::try_from(packet.reported.max(bytes.len())).unwrap_or(u32::MAX),
            time: packet.time,
            frame: packet.frame,
            datagram: packet.datagram,
            source: endpoint_of(&packet.source),
            destination: endpoint_of(&packet.destination),
            detail: match packet.detail {
                RIFTSHARK_DETAIL_STATE => Detail::State,
                RIFTSHARK_DETAIL_COLUMNS => Detail::Columns,
                RIFTSHARK_DETAIL_TREE => Detail::Tree,
                _ => Detail::Labels,
            },
            nodes_before: packet.nodes_before,
            visited: packet.visited != 0,
            in_error_pkt: packet.in_error_pkt != 0,
            decode_as: packet.decode_as != 0,
            league_begun: packet.league_begun != 0,
        }
    }
}

/// # Safety
/// As for [`riftshark_endpoint`].
unsafe fn endpoint_of(end: &riftshark_endpoint) -> Endpoint {
    // SAFETY: as long as said, by the caller's contract.
    Endpoint::new(end.kind, unsafe { slice(end.address, end.length) }, end.port)
}

fn hand_over(output: &mut Output, result: &mut riftshark_result) {
    // The Info line is handed over as a C text: it holds names and numbers, and a zero byte would only cut it.
    output.info.push('\0');
    output.follow.text.push('\0');
    *result = riftshark_result {
        nodes: output.tree.nodes.as_ptr().cast(),
        node_count: output.tree.nodes.len(),
        texts: output.tree.texts.as_ptr().cast(),
        text_count: output.tree.texts.len(),
        arena: output.tree.arena.as_ptr().cast(),
        experts: output.experts.as_ptr().cast(),
        expert_count: output.experts.len(),
        fragments: output.fragments.as_ptr().cast(),
        fragment_count: output.fragments.len(),
        payloads: output.payloads.as_ptr().cast(),
        payload_count: output.payloads.len(),
        decompressed: if output.decompressed.is_empty() {
            std::ptr::null()
        } else {
            output.decompressed.as_ptr()
        },
        decompressed_length: output.decompressed.len(),
        plain: if output.plain.is_empty() { std::ptr::null() } else { output.plain.as_ptr() },
        plain_length: output.plain.len(),
        early: if output.early.is_empty() { std::ptr::null() } else { output.early.as_ptr() },
        early_length: output.early.len(),
        info: output.info.as_ptr().cast(),
        follow: output.follow.text.as_ptr().cast(),
        follow_sender: Sender::number(output.follow.sender),
        league_nodes: output.league_nodes.unwrap_or(RIFTSHARK_NO_NODE),
        league: output.league.into(),
    };
}

const EMPTY: riftshark_result = riftshark_result {
    nodes: std::ptr::null(),
    node_count: 0,
    texts: std::ptr::null(),
    text_count: 0,
    arena: std::ptr::null(),
    experts: std::ptr::null(),
    expert_count: 0,
    fragments: std::ptr::null(),
    fragment_count: 0,
    payloads: std::ptr::null(),
    payload_count: 0,
    decompressed: std::ptr::null(),
    decompressed_length: 0,
    plain: std::ptr::null(),
    plain_length: 0,
    early: std::ptr::null(),
    early_length: 0,
    info: c"".as_ptr(),
    follow: c"".as_ptr(),
    follow_sender: 0,
    league_nodes: RIFTSHARK_NO_NODE,
    league: 0,
};

/// The pattern of every call that reads a packet: check, catch, hand over.
///
/// # Safety
/// The pointers are null or valid, as documented by the callers.
unsafe fn call(
    engine: *mut riftshark_engine,
    packet: *const riftshark_packet,
    out: *mut riftshark_result,
    work: impl for<'a> FnOnce(&'a mut Engine, &Packet<'_>) -> Option<&'a mut Output>,
) -> i32 {
    if out.is_null() {
        return RIFTSHARK_NULL_ARGUMENT;
    }
    // SAFETY: not null; room for one result by the caller's contract.
    unsafe { out.write(EMPTY) };
    // SAFETY: null or live and used by one thread, by the caller's contract.
    let (engine, packet) = match unsafe { (engine.as_mut(), packet.as_ref()) } {
        (Some(engine), Some(packet)) => (engine, packet),
        _ => return RIFTSHARK_NULL_ARGUMENT,
    };
    // SAFETY: the packet's pointers are as documented.
    let packet = unsafe { packet_of(packet) };
    let found = catch_unwind(AssertUnwindSafe(|| match work(&mut engine.engine, &packet) {
        Some(output) => {
            let mut result = EMPTY;
            hand_over(output, &mut result);
            Some(result)
        }
        None => None,
    }));
    match found {
        Ok(Some(result)) => {
            // SAFETY: as above.
            unsafe { out.write(result) };
            RIFTSHARK_OK
        }
        Ok(None) => RIFTSHARK_NOT_MINE,
        Err(_) => RIFTSHARK_PANIC,
    }
}

/// Reads a UDP datagram. Answers `RIFTSHARK_NOT_MINE` where it belongs to no session of the protocol.
///
/// `out` is filled in with pointers that are good until the next call of this function on the engine.
///
/// # Safety
/// `engine` is null or live, `packet` null or as documented, `out` null or room for one result.
#[no_mangle]
pub unsafe extern "C" fn riftshark_datagram(
    engine: *mut riftshark_engine,
    packet: *const riftshark_packet,
    out: *mut riftshark_result,
) -> i32 {
    // SAFETY: as documented.
    unsafe { call(engine, packet, out, |engine, packet| engine.datagram(packet)) }
}

/// Reads a message that epan has put together from fragments: `packet.bytes` are its bytes, everything else as for the
/// datagram that completed it, `id` the fragments' `id`. Answers `RIFTSHARK_NOT_MINE` for an id it never gave.
///
/// `out` is filled in with pointers that are good until the next call of this function or of
/// [`riftshark_message`] on the engine.
///
/// # Safety
/// As for [`riftshark_datagram`].
#[no_mangle]
pub unsafe extern "C" fn riftshark_reassembled(
    engine: *mut riftshark_engine,
    packet: *const riftshark_packet,
    id: u32,
    out: *mut riftshark_result,
) -> i32 {
    // SAFETY: as documented.
    unsafe { call(engine, packet, out, |engine, packet| engine.reassembled(packet, id)) }
}

/// Reads one deciphered payload that came without ENet (a DLT_USER file, an exported PDU): `channel` 0 to 254, or 255
/// where it is not known; `sender` 0 not known, 1 client, 2 server.
///
/// `out` is filled in with pointers that are good until the next call of this function or of [`riftshark_reassembled`]
/// on the engine.
///
/// # Safety
/// As for [`riftshark_datagram`].
#[no_mangle]
pub unsafe extern "C" fn riftshark_message(
    engine: *mut riftshark_engine,
    packet: *const riftshark_packet,
    channel: u8,
    sender: u8,
    out: *mut riftshark_result,
) -> i32 {
    let sender = Sender::from_number(sender);
    // SAFETY: as documented.
    unsafe { call(engine, packet, out, |engine, packet| engine.message(packet, channel, sender)) }
}

/// Reads one user message of RakNet, from its message id on, as Minecraft Bedrock. `packet.datagram` counts the messages
/// of the frame, `carrier` may be null. Answers `RIFTSHARK_NOT_MINE` where it is none of Bedrock's, which the first pass
/// decides once.
///
/// `out` is filled in with pointers that are good until the next call of this function on the engine.
///
/// # Safety
/// As for [`riftshark_datagram`].
#[no_mangle]
pub unsafe extern "C" fn riftshark_bedrock(
    engine: *mut riftshark_engine,
    packet: *const riftshark_packet,
    carrier: *const riftshark_carrier,
    out: *mut riftshark_result,
) -> i32 {
    // SAFETY: null or good for the call, by the caller's contract.
    let carrier = unsafe { carrier.as_ref() }.map(|carrier| Carrier {
        // SAFETY: as documented.
        datagram: unsafe { slice(carrier.datagram, carrier.length) },
        at: (carrier.at != RIFTSHARK_JOINED).then_some(carrier.at as usize),
    });
    // SAFETY: as documented.
    unsafe { call(engine, packet, out, |engine, packet| engine.bedrock(packet, carrier)) }
}
