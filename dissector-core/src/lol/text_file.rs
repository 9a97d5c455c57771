//! Text files that people make: names, keys.

/// What stands at the start of a text of two bytes a character, as some programs of Windows write it.
pub const UTF_16: [u8; 2] = [0xFF, 0xFE];

/// The text of a file, in UTF-8 or marked as UTF-16; odd bytes are replaced.
pub fn text_of(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    let Some(wide) = bytes.strip_prefix(&UTF_16) else { return String::from_utf8_lossy(bytes) };
    let units: Vec<_> = wide.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    String::from_utf16_lossy(&units).into()
}
