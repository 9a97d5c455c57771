//! The field and expert tables, as C texts that live as long as the program.

use std::ffi::CString;
use std::panic::catch_unwind;

use dissector_core::field::{Base, Kind};
use dissector_core::fields::{self, link_of, Group, Link, Severity};
use dissector_core::registry::REGISTRY;
use libc::c_char;
use once_cell::sync::Lazy;

use crate::abi::*;

struct Table {
    fields: Vec<riftshark_field>,
    experts: Vec<riftshark_expert>,
}

// The pointers lead to texts that are leaked on purpose and never change.
unsafe impl Send for Table {}
unsafe impl Sync for Table {}

static TABLE: Lazy<Table> = Lazy::new(|| Table {
    fields: REGISTRY
        .fields
        .iter()
        .map(|field| {
            let names: Vec<riftshark_value_string> = field
                .value_strings
                .iter()
                .map(|&(value, name)| riftshark_value_string { value, name: leak(name) })
                .collect();
            let names = Box::leak(names.into_boxed_slice());
            let masks: Vec<riftshark_mask> =
                field.masks.iter().map(|mask| riftshark_mask { bit: mask.bit, bytes: mask.bytes }).collect();
            let masks = Box::leak(masks.into_boxed_slice());
            riftshark_field {
                name: leak(&field.name),
                title: leak(&field.title),
                short_name: leak(field.short_name),
                blurb: leak(&field.blurb),
                unit: leak(field.unit),
                value_strings: if names.is_empty() { std::ptr::null() } else { names.as_ptr() },
                value_string_count: names.len(),
                masks: if masks.is_empty() { std::ptr::null() } else { masks.as_ptr() },
                mask_count: masks.len(),
                owner: field.owner,
                kind: kind_number(field.kind),
                base: base_number(field.base),
            }
        })
        .collect(),
    experts: fields::experts()
        .map(|expert| riftshark_expert {
            name: leak(expert.name),
            text: leak(expert.text),
            owner: REGISTRY.owner_of(expert.name).unwrap_or(0),
            group: group_number(expert.group),
            severity: severity_number(expert.severity),
        })
        .collect(),
});

fn leak(text: &str) -> *const c_char {
    // A zero byte cannot stand in a C text; the lints of the registry forbid one anyway.
    CString::new(text.replace('\0', " ")).unwrap_or_default().into_raw()
}

fn kind_number(kind: Kind) -> u8 {
    match kind {
        Kind::Protocol => RIFTSHARK_KIND_PROTOCOL,
        Kind::Family => RIFTSHARK_KIND_FAMILY,
        Kind::Record => RIFTSHARK_KIND_RECORD,
        Kind::U8 => RIFTSHARK_KIND_U8,
        Kind::U16 => RIFTSHARK_KIND_U16,
        Kind::U32 => RIFTSHARK_KIND_U32,
        Kind::U64 => RIFTSHARK_KIND_U64,
        Kind::I8 => RIFTSHARK_KIND_I8,
        Kind::I16 => RIFTSHARK_KIND_I16,
        Kind::I32 => RIFTSHARK_KIND_I32,
        Kind::I64 => RIFTSHARK_KIND_I64,
        Kind::Double => RIFTSHARK_KIND_DOUBLE,
        Kind::Bool => RIFTSHARK_KIND_BOOL,
        Kind::Text => RIFTSHARK_KIND_TEXT,
        Kind::Bytes => RIFTSHARK_KIND_BYTES,
        Kind::Frame => RIFTSHARK_KIND_FRAME,
        Kind::Duration => RIFTSHARK_KIND_DURATION,
    }
}

fn base_number(base: Base) -> u8 {
    match base {
        Base::None => RIFTSHARK_BASE_NONE,
        Base::Dec => RIFTSHARK_BASE_DEC,
        Base::Hex => RIFTSHARK_BASE_HEX,
        Base::HexDec => RIFTSHARK_BASE_HEX_DEC,
    }
}

fn group_number(group: Group) -> u8 {
    match group {
        Group::Malformed => RIFTSHARK_GROUP_MALFORMED,
        Group::Sequence => RIFTSHARK_GROUP_SEQUENCE,
        Group::Undecoded => RIFTSHARK_GROUP_UNDECODED,
        Group::Protocol => RIFTSHARK_GROUP_PROTOCOL,
        Group::Assumption => RIFTSHARK_GROUP_ASSUMPTION,
        Group::Security => RIFTSHARK_GROUP_SECURITY,
        Group::Checksum => RIFTSHARK_GROUP_CHECKSUM,
    }
}

fn severity_number(severity: Severity) -> u8 {
    match severity {
        Severity::Note => RIFTSHARK_SEVERITY_NOTE,
        Severity::Warn => RIFTSHARK_SEVERITY_WARN,
        Severity::Error => RIFTSHARK_SEVERITY_ERROR,
    }
}

/// # Safety
/// `out` is null or points to room for one T.
unsafe fn entry<T: Copy + 'static>(
    of: impl Fn(&'static Table) -> &'static [T],
    index: usize,
    out: *mut T,
) -> i32 {
    if out.is_null() {
        return RIFTSHARK_NULL_ARGUMENT;
    }
    match catch_unwind(std::panic::AssertUnwindSafe(|| of(&TABLE).get(index).copied())) {
        Ok(Some(found)) => {
            // SAFETY: `out` is not null and, by the caller's contract, points to room for one T.
            unsafe { out.write(found) };
            RIFTSHARK_OK
        }
        Ok(None) => RIFTSHARK_NO_SUCH_INDEX,
        Err(_) => RIFTSHARK_PANIC,
    }
}

/// Version of the ABI: [`RIFTSHARK_ABI_VERSION`] of the library that is linked.
#[no_mangle]
pub extern "C" fn riftshark_abi_version() -> u32 {
    RIFTSHARK_ABI_VERSION
}

/// How many fields there are; 0 where the table cannot be built.
#[no_mangle]
pub extern "C" fn riftshark_field_count() -> usize {
    catch_unwind(|| TABLE.fields.len()).unwrap_or(0)
}

/// Writes field `index` to `out`.
///
/// Answers `RIFTSHARK_OK`, `RIFTSHARK_NULL_ARGUMENT`, `RIFTSHARK_NO_SUCH_INDEX` or `RIFTSHARK_PANIC`.
///
/// # Safety
/// `out` is null or points to room for one field.
#[no_mangle]
pub unsafe extern "C" fn riftshark_field_at(index: usize, out: *mut riftshark_field) -> i32 {
    // SAFETY: as documented.
    unsafe { entry(|t| &t.fields, index, out) }
}

/// What the frame number of field `index` leads to, a `RIFTSHARK_LINK_…`; `RIFTSHARK_LINK_OTHER` for other fields.
#[no_mangle]
pub extern "C" fn riftshark_field_link(index: usize) -> u8 {
    let link = || REGISTRY.fields.get(index).map_or(Link::Other, |field| link_of(&field.name));
    match catch_unwind(link).unwrap_or(Link::Other) {
        Link::Other => RIFTSHARK_LINK_OTHER,
        Link::Statement => RIFTSHARK_LINK_STATEMENT,
        Link::Answer => RIFTSHARK_LINK_ANSWER,
        Link::Acknowledgement => RIFTSHARK_LINK_ACKNOWLEDGEMENT,
        Link::Original => RIFTSHARK_LINK_ORIGINAL,
    }
}

/// Index of the field with this name, or -1.
///
/// # Safety
/// `name` is null or a text ended by a zero byte.
#[no_mangle]
pub unsafe extern "C" fn riftshark_field_index(name: *const c_char) -> i32 {
    if name.is_null() {
        return -1;
    }
    // SAFETY: not null, and ended by a zero byte by the caller's contract.
    let name = unsafe { std::ffi::CStr::from_ptr(name) };
    let find = || name.to_str().ok().and_then(|name| REGISTRY.field(name)).map_or(-1, i32::from);
    catch_unwind(find).unwrap_or(-1)
}

/// How many kinds of expert information there are.
#[no_mangle]
pub extern "C" fn riftshark_expert_count() -> usize {
    catch_unwind(|| TABLE.experts.len()).unwrap_or(0)
}

/// Writes kind `index` of expert information to `out`; answers as [`riftshark_field_at`].
///
/// # Safety
/// `out` is null or points to room for one.
#[no_mangle]
pub unsafe extern "C" fn riftshark_expert_at(index: usize, out: *mut riftshark_expert) -> i32 {
    // SAFETY: as documented.
    unsafe { entry(|t| &t.experts, index, out) }
}
