//! Numbers as the Info line and labels write them, without the machinery of `format!`: they stand on most lines.

/// Appends a number.
pub fn number(text: &mut String, value: i64) {
    text.push_str(itoa::Buffer::new().format(value));
}

/// Appends a number as `0x` and at least eight digits; `write!` takes thrice as long.
pub fn hexadecimal(text: &mut String, value: u64) {
    let mut digits = [0; 16];
    // sixteen digits are room enough for eight bytes
    let _ = hex::encode_to_slice(value.to_be_bytes(), &mut digits);
    let left_out = (value.leading_zeros() as usize / 4).min(8);
    text.push_str("0x");
    text.push_str(std::str::from_utf8(&digits[left_out..]).unwrap_or_default());
}

/// Appends how many of a noun, given in the singular, there are.
pub fn items(text: &mut String, count: i64, noun: &str) {
    number(text, count);
    text.push(' ');
    text.push_str(noun);
    text.push_str(if count == 1 { "" } else { "s" });
}

/// Appends a span of nanoseconds in milliseconds: below ten with one decimal, from ten thousand on as seconds.
pub fn span(text: &mut String, nanoseconds: i64) {
    let tenths = |text: &mut String, value: i64, unit: &str| {
        number(text, value / 10);
        if value % 10 != 0 {
            text.push('.');
            number(text, value % 10);
        }
        text.push_str(unit);
    };
    match nanoseconds.max(0) {
        short @ ..9_950_000 => tenths(text, (short + 50_000) / 100_000, " ms"),
        middle @ ..9_999_500_000 => tenths(text, (middle + 500_000) / 1_000_000 * 10, " ms"),
        long => tenths(text, long.saturating_add(50_000_000) / 100_000_000, " s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut String)) -> String {
        let mut text = String::new();
        write(&mut text);
        text
    }

    #[test]
    fn hexadecimal_as_format_writes_it() {
        for value in [0, 1, 0x0F, 0x0649_6EA8, 0xFFFF_FFFF, 0x1_0000_0000, u64::MAX] {
            assert_eq!(written(|text| hexadecimal(text, value)), format!("0x{value:08x}"));
        }
    }

    #[test]
    fn spans_are_told_as_closely_as_a_person_wants_them() {
        let told = |nanoseconds| written(|text| span(text, nanoseconds));
        assert_eq!(
            [told(0), told(49_999), told(50_000), told(1_000_000)],
            ["0 ms", "0 ms", "0.1 ms", "1 ms"]
        );
        assert_eq!([told(9_949_999), told(9_950_000), told(43_400_000)], ["9.9 ms", "10 ms", "43 ms"]);
        assert_eq!([told(43_500_000), told(9_999_400_000)], ["44 ms", "9999 ms"]);
        assert_eq!([told(9_999_499_999), told(9_999_500_000)], ["9999 ms", "10 s"], "it is rounded first");
        assert_eq!([told(10_000_000_000), told(12_340_000_000)], ["10 s", "12.3 s"]);
        assert_eq!(told(-5), "0 ms");
        assert!(told(i64::MAX).ends_with(" s"));
    }

    #[test]
    fn one_is_singular() {
        assert_eq!(
            [0, 1, 2].map(|count| written(|text| items(text, count, "byte"))),
            ["0 bytes", "1 byte", "2 bytes"]
        );
    }
}
