//! The number that a float means to people: the shortest decimal that reads back as the same f32.

use std::fmt::Write;

/// Up to here every whole number is an f32, so a whole f32 is its own shortest decimal.
const WHOLE: f64 = 16_777_216.0;
/// Below this a float may need more places than [`TENS`] has.
const SMALL: f64 = 1e-3;
/// Adding it leaves no room for a fraction: rounds to the nearest whole number, where that is below 2^51. Sooner than `round`,
/// which is a call where the processor's oldest instructions must do.
const ROUNDS: f64 = 6_755_399_441_055_744.0;
/// Powers of ten that an f64 holds exactly, and what they are the reciprocals of as near as an f64 can be.
const TENS: [(f64, f64); 13] = [
    (1e0, 1e-0),
    (1e1, 1e-1),
    (1e2, 1e-2),
    (1e3, 1e-3),
    (1e4, 1e-4),
    (1e5, 1e-5),
    (1e6, 1e-6),
    (1e7, 1e-7),
    (1e8, 1e-8),
    (1e9, 1e-9),
    (1e10, 1e-10),
    (1e11, 1e-11),
    (1e12, 1e-12),
];

/// The f64 nearest to the shortest decimal that reads back as `value`: 480.1 for the f32 nearest to 480.1, where widening
/// gives 480.100006103516. What is no finite number is widened. Never allocates.
#[inline]
pub fn shortest(value: f32) -> f64 {
    let wide = f64::from(value);
    let size = wide.abs();
    if size <= WHOLE {
        if f64::from(wide as i32) == wide {
            return wide;
        }
        if size >= SMALL {
            return with_places(value, wide);
        }
    }
    by_digits(value, wide)
}

/// The fewest decimal places that do. A float between the bounds has few digits before the point, so the quotient of two
/// numbers that an f64 holds exactly is the f64 nearest to the decimal.
#[inline]
fn with_places(value: f32, wide: f64) -> f64 {
    // a decimal that reads back is no farther away than half a step between floats
    let near = wide.abs() * f64::from(f32::EPSILON);
    for (ten, tenth) in &TENS[1..] {
        let scaled = wide * ten;
        let digits = (scaled + ROUNDS) - ROUNDS;
        // tells most that fail, without the division
        if (digits * tenth - wide).abs() < near {
            // halves go away from zero, as people round and the standard library does
            let half = 0.5f64.copysign(wide);
            let digits = if scaled - digits == half { scaled + half } else { digits };
            let decimal = digits / ten;
            if decimal as f32 == value {
                return decimal;
            }
        }
    }
    by_digits(value, wide)
}

/// The same for any float, by the standard library's shortest digits.
#[cold]
fn by_digits(value: f32, wide: f64) -> f64 {
    let mut text = Digits { bytes: [0; 32], length: 0 };
    if !value.is_finite() || write!(text, "{value:e}").is_err() {
        return wide;
    }
    std::str::from_utf8(&text.bytes[..text.length]).ok().and_then(|text| text.parse().ok()).unwrap_or(wide)
}

/// Room for a float's digits in exponent form, which are 16 at most.
struct Digits {
    bytes: [u8; 32],
    length: usize,
}

impl Write for Digits {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let end = self.length + text.len();
        self.bytes.get_mut(self.length..end).ok_or(std::fmt::Error)?.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shortest digits as the standard library finds them.
    fn digits(value: f32) -> f64 {
        format!("{value:e}").parse().unwrap()
    }

    fn holds(value: f32) {
        let found = shortest(value);
        assert_eq!(found as f32, value, "{value:e} reads back");
        let (found, best) = (format!("{found:e}"), format!("{:e}", digits(value)));
        assert_eq!(found, best, "{value:e}");
    }

    #[test]
    fn what_people_write_is_what_they_get() {
        assert_eq!(shortest(480.1), 480.1);
        assert_eq!(shortest(-0.3), -0.3);
        assert_eq!(shortest(1e10), 1e10);
        assert_eq!(shortest(123_456_790.0), 123_456_790.0);
        assert_eq!(shortest(1.0e-7), 1.0e-7);
        assert_eq!(shortest(f32::MAX), 3.4028235e38);
        assert_eq!(shortest(f32::from_bits(1)), 1e-45);
        assert_eq!(shortest(0.0).to_bits(), 0f64.to_bits());
        assert_eq!(shortest(-0.0).to_bits(), (-0f64).to_bits());
        assert_eq!(shortest(f32::INFINITY), f64::INFINITY);
        assert_eq!(shortest(f32::NEG_INFINITY), f64::NEG_INFINITY);
        assert!(shortest(f32::NAN).is_nan());
    }

    #[test]
    fn no_shorter_decimal_reads_back() {
        // every exponent and both signs, with mantissas spread over all their values
        for exponent in 0..255u32 {
            for step in 0..400u32 {
                let mantissa = step.wrapping_mul(0x9E37_79B1) >> 9;
                holds(f32::from_bits(exponent << 23 | mantissa));
                holds(f32::from_bits(0x8000_0000 | exponent << 23 | mantissa));
            }
            for mantissa in [0, 1, 2, 0x40_0000, 0x7F_FFFE, 0x7F_FFFF] {
                holds(f32::from_bits(exponent << 23 | mantissa));
            }
        }
    }

    #[test]
    fn decimals_of_a_few_places_are_themselves() {
        for whole in 0..3000u32 {
            for places in [1u32, 2, 3] {
                let ten = f64::from(10u32.pow(places));
                let decimal = f64::from(whole * 37) / ten;
                assert_eq!(shortest(decimal as f32), decimal);
            }
        }
    }

    #[test]
    fn the_bounds_hold_on_both_sides() {
        for value in
            [16_777_215.0, 16_777_216.0, 16_777_218.0, 8_388_607.5, 1e-3, 9.999999e-4, 0.001_000_000_2]
        {
            holds(value);
            holds(-value);
        }
    }
}
