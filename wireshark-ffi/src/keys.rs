//! The table of keys: its rows, and what may stand in its columns.

use std::panic::catch_unwind;

use dissector_core::capture::KeyRow;
use dissector_core::lol::KeyColumn;
use libc::c_char;

use crate::abi::*;
use crate::engine::text;

/// # Safety
/// The texts are null or ended by a zero byte, and good for the call.
pub(crate) unsafe fn key_row(row: &riftshark_key_row) -> KeyRow {
    // SAFETY: by the caller's contract.
    let [address, port, key, build, map, origin] =
        [row.address, row.port, row.key, row.build, row.map, row.origin]
            .map(|column| unsafe { text(column) }.into_owned());
    KeyRow { address, port, key, build, map, origin }
}

fn column_of(number: u8) -> Option<KeyColumn> {
    Some(match number {
        RIFTSHARK_COLUMN_ADDRESS => KeyColumn::Address,
        RIFTSHARK_COLUMN_PORT => KeyColumn::Port,
        RIFTSHARK_COLUMN_KEY => KeyColumn::Key,
        RIFTSHARK_COLUMN_BUILD => KeyColumn::Build,
        RIFTSHARK_COLUMN_MAP => KeyColumn::Map,
        RIFTSHARK_COLUMN_ORIGIN => KeyColumn::Origin,
        _ => return None,
    })
}

/// Says whether a text may stand in a column of the table of keys, a `RIFTSHARK_COLUMN_…`.
///
/// Answers 0 where it may, else how many bytes the sentence has that says what may stand there. Of that sentence, as much
/// as there is room for is written to `out` as UTF-8 and ended by a zero byte; `out` may be null where `capacity` is 0.
/// A sentence about a key does not repeat it.
///
/// # Safety
/// `given` is null or ended by a zero byte; `out` has room for `capacity` bytes.
#[no_mangle]
pub unsafe extern "C" fn riftshark_check_key_column(
    column: u8,
    given: *const c_char,
    out: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: by the caller's contract; the text is copied before anything else.
    let given = unsafe { text(given) }.into_owned();
    let checked = catch_unwind(|| match column_of(column) {
        Some(column) => column.check(&given),
        None => Err(format!("the table of keys has no column {column}")),
    });
    let told = match checked {
        Ok(Ok(())) => return 0,
        Ok(Err(told)) => told,
        Err(_) => "the reader failed over this text".to_owned(),
    };
    if let (false, Some(room)) = (out.is_null(), capacity.checked_sub(1)) {
        let mut end = room.min(told.len());
        while !told.is_char_boundary(end) {
            end -= 1;
        }
        // SAFETY: not null, and `end` is at most one less than what there is room for, by the caller's contract.
        unsafe {
            std::ptr::copy_nonoverlapping(told.as_ptr().cast(), out, end);
            out.add(end).write(0);
        }
    }
    told.len()
}
