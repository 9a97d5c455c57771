//! A safe caller of this ABI for Rust programs that hold it to something: vectors, fuzzing, measuring.
//!
//! It sees what a C program sees, through the exported functions alone.

use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;

use libc::c_char;

use crate::abi::*;
use crate::engine::*;
use crate::table::*;

/// An engine of its own, freed at the end.
pub struct Client {
    engine: *mut riftshark_engine,
    frame: u32,
}

/// What a call found, good until the next one.
#[derive(Clone, Copy)]
pub struct Answer<'c> {
    /// Nodes, parents before children.
    pub nodes: &'c [riftshark_node],
    /// Expert items.
    pub experts: &'c [riftshark_expert_item],
    texts: &'c [riftshark_text],
    arena: *const c_char,
}

impl Answer<'_> {
    /// A text by the reference that a node or an expert item holds; `None` for none, or one that leads nowhere.
    pub fn text(&self, reference: u32) -> Option<&str> {
        let text = self.texts.get(reference.checked_sub(1)? as usize)?;
        let length = text.end.checked_sub(text.start)? as usize;
        // SAFETY: the texts of a result lie in its arena, which is good as long as this answer.
        let bytes = unsafe { slice(self.arena.cast::<u8>().wrapping_add(text.start as usize), length) };
        std::str::from_utf8(bytes).ok()
    }
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

impl Client {
    /// An engine that reads every message as one of this build; the error tells what is wrong with it.
    pub fn new(build: &str) -> Result<Client, String> {
        let text = CString::new(build).map_err(|error| format!("the build {build:?}: {error}"))?;
        let settings = riftshark_settings { build: text.as_ptr(), ..riftshark_settings::default() };
        // SAFETY: the texts outlive the call.
        let client = Client { engine: unsafe { riftshark_engine_new(&settings) }, frame: 0 };
        if client.engine.is_null() {
            return Err("the engine could not be made".to_owned());
        }
        // SAFETY: the engine is live, and its problems are a text of its own.
        let problems = unsafe { CStr::from_ptr(riftshark_engine_problems(client.engine)) };
        match problems.to_string_lossy().into_owned() {
            none if none.is_empty() => Ok(client),
            problems => Err(problems),
        }
    }

    /// Reads one deciphered payload: `sender` is 0 not known, 1 client, 2 server. The error is the status.
    pub fn message(&mut self, bytes: &[u8], channel: u8, sender: u8) -> Result<Answer<'_>, i32> {
        self.frame += 1;
        let packet = riftshark_packet {
            bytes: bytes.as_ptr(),
            captured: bytes.len(),
            reported: bytes.len(),
            frame: self.frame,
            ..riftshark_packet::default()
        };
        let mut result = MaybeUninit::uninit();
        // SAFETY: the engine is live and this thread's alone, the packet is good for the call, the result has room.
        let status = unsafe { riftshark_message(self.engine, &packet, channel, sender, result.as_mut_ptr()) };
        if status != RIFTSHARK_OK {
            return Err(status);
        }
        // SAFETY: filled in by a call that succeeded; its pointers are good until the next one, which needs this
        // client mutably.
        unsafe {
            let result: riftshark_result = result.assume_init();
            Ok(Answer {
                nodes: slice(result.nodes, result.node_count),
                experts: slice(result.experts, result.expert_count),
                texts: slice(result.texts, result.text_count),
                arena: result.arena,
            })
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // SAFETY: made by `riftshark_engine_new`, and freed here alone.
        unsafe { riftshark_engine_free(self.engine) };
    }
}

/// A field of the table: filter name and `RIFTSHARK_KIND_…`; `None` past the last.
pub fn field(index: u16) -> Option<(&'static str, u8)> {
    let mut field = MaybeUninit::<riftshark_field>::uninit();
    // SAFETY: there is room for one field, and its texts live as long as the program.
    unsafe {
        let status = riftshark_field_at(index.into(), field.as_mut_ptr());
        let field = (status == RIFTSHARK_OK).then(|| field.assume_init())?;
        Some((CStr::from_ptr(field.name).to_str().ok()?, field.kind))
    }
}

/// The filter name of a kind of expert information; `None` past the last.
pub fn expert(index: u16) -> Option<&'static str> {
    let mut expert = MaybeUninit::<riftshark_expert>::uninit();
    // SAFETY: as for a field.
    unsafe {
        let status = riftshark_expert_at(index.into(), expert.as_mut_ptr());
        let expert = (status == RIFTSHARK_OK).then(|| expert.assume_init())?;
        CStr::from_ptr(expert.name).to_str().ok()
    }
}
