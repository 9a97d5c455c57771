//! Ranges of builds that the pages name outside 1.0.0.130–3.1.0.0.

use crate::version::{b, Build, Range};

/// All builds of the earliest page.
pub const EARLY: Range = Range { from: Build::new(0, 8, 13, 26), until: b(24) };

/// Those of its builds whose paths carry no sync id that counts.
pub const UNTIL_0_9_22_13: Range = Range { from: EARLY.from, until: Build::new(0, 9, 22, 13) };

/// The rest of its builds.
pub const SINCE_0_9_22_14: Range = Range { from: Build::new(0, 9, 22, 14), until: EARLY.until };

/// Builds 4.17.
pub const V4_17: Range = Range { from: Build::new(4, 17, 0, 233), until: Build::new(4, 17, 0, 268) };

/// Build 4.20.
pub const V4_20: Range = Range { from: Build::new(4, 20, 0, 315), until: Build::new(4, 20, 0, 315) };

/// All builds 4.17–4.20.
pub const V4: Range = Range { from: V4_17.from, until: V4_20.until };

/// From 1.0.0.130 to the last build there is.
pub const SINCE_1_0_0_130: Range = Range { from: b(130), until: V4.until };
