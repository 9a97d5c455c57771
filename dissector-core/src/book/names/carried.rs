//! Command names of 1.0.0.132 to 3.1.0.0, carried on from 1.0.0.131.
//!
//! No table of these builds is public. Numbers moved in whole runs, though, and the book's own messages show by how much:
//! a number is carried only where the nearest book message below and the nearest above moved by the same amount.

use crate::version::{builds, since, Range};

/// What moved by how much in a range of builds.
pub struct Moved {
    /// The builds.
    pub builds: Range,
    /// The runs of numbers; a number outside them carries no name.
    pub spans: &'static [Span],
}

/// A run of numbers that moved together.
pub struct Span {
    /// First number at 1.0.0.131.
    pub first: u8,
    /// Last number at 1.0.0.131.
    pub last: u8,
    /// What to add to it.
    pub by: i8,
}

/// The numbers `first` to `last` of 1.0.0.131, moved `by`.
const fn span(first: u8, last: u8, by: i8) -> Span {
    Span { first, last, by }
}

/// The ranges, oldest first.
#[rustfmt::skip]
pub static MOVED: &[Moved] = &[
    Moved { builds: builds(132, 134), spans: &[span(6, 61, 0), span(71, 228, 1)] },
    Moved { builds: builds(135, 135), spans: &[span(6, 61, 0), span(71, 140, 1), span(155, 228, 3)] },
    Moved { builds: builds(136, 137), spans: &[span(6, 61, 0), span(71, 228, 1)] },
    Moved { builds: builds(138, 138), spans: &[span(6, 61, 0), span(71, 71, 1), span(83, 228, 3)] },
    Moved { builds: builds(139, 140), spans: &[span(6, 61, 0), span(71, 71, 1), span(83, 127, 3), span(136, 228, 2)] },
    Moved { builds: builds(141, 143), spans: &[
        span(6, 61, 0), span(71, 71, 1), span(83, 127, 3), span(136, 159, 2), span(184, 228, 4),
    ] },
    Moved { builds: builds(144, 149), spans: &[
        span(6, 6, 0), span(31, 61, -3), span(71, 71, -4), span(83, 127, -3), span(136, 140, -4), span(155, 155, -7),
        span(158, 199, -8), span(212, 228, -9),
    ] },
    Moved { builds: since(150), spans: &[
        span(6, 6, 0), span(31, 52, -3), span(61, 61, -6), span(71, 71, -7), span(83, 127, -6), span(136, 140, -7),
        span(155, 155, -10), span(158, 199, -11), span(212, 228, -12),
    ] },
];
