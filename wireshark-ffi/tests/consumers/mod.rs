//! Calls the C and C++ consumers that the root package compiles for its ABI test.

use std::ffi::CString;

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

/// Has the C program read a message: its status, the value of the field, and how many nodes there were.
pub fn read_in_c(field: &str, message: &[u8]) -> (i32, u64, usize) {
    let (mut value, mut nodes) = (0, 0);
    let name = CString::new(field).expect("a filter name holds no zero byte");
    // SAFETY: all pointers are good for the call.
    let status =
        unsafe { consumer_c_read(name.as_ptr(), message.as_ptr(), message.len(), &mut value, &mut nodes) };
    (status, value, nodes)
}

/// How many fields the C++ program found described.
pub fn described_in_cpp() -> usize {
    // SAFETY: takes nothing.
    unsafe { consumer_cpp_described() }
}
