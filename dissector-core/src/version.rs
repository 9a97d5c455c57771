//! Builds of the game client: four numbers, ranges of them, and how they are written.

use std::fmt;
use std::str::FromStr;

/// One build of the client, such as `1.0.0.136`. Orders as its numbers do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Build(u64);

impl Build {
    /// A build from its four numbers, each below 65,536.
    pub const fn new(a: u16, b: u16, c: u16, d: u16) -> Build {
        Build((a as u64) << 48 | (b as u64) << 32 | (c as u64) << 16 | d as u64)
    }

    /// One number that sorts as the builds do: the four numbers, 16 bits each, the first on top.
    pub const fn number(self) -> u64 {
        self.0
    }

    /// The same as a decimal number that can be read and typed: 1.0.0.136 is 1000000136, 4.20.0.315 is 4200000315.
    ///
    /// Sorts as the builds do as long as the second and third numbers are below 100 and the fourth below 100,000, as
    /// those of all known builds are.
    pub const fn decimal(self) -> u64 {
        let [a, b, c, d] = self.parts();
        a as u64 * 1_000_000_000 + b as u64 * 10_000_000 + c as u64 * 100_000 + d as u64
    }

    /// The four numbers, the most significant first.
    pub const fn parts(self) -> [u16; 4] {
        [(self.0 >> 48) as u16, (self.0 >> 32) as u16, (self.0 >> 16) as u16, self.0 as u16]
    }

    /// A build from the decimal code a registration states: 42000315 is 4.20.0.315.
    ///
    /// `None` where the digits cannot be a build (zero, or a first number above 99).
    pub fn from_code(code: u32) -> Option<Build> {
        let (a, b, c, d) = (code / 10_000_000, code / 100_000 % 100, code / 10_000 % 10, code % 10_000);
        (a > 0 && a < 100).then(|| Build::new(a as u16, b as u16, c as u16, d as u16))
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.parts();
        write!(f, "{a}.{b}.{c}.{d}")
    }
}

impl fmt::Debug for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What was given in place of a build: four numbers below 65536 between dots.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("build must be four numbers up to 65535 joined by dots, such as 1.0.0.136, got \"{0}\"")]
pub struct NotABuild(pub String);

impl FromStr for Build {
    type Err = NotABuild;

    fn from_str(text: &str) -> Result<Build, NotABuild> {
        let wrong = || NotABuild(text.to_owned());
        let mut parts = [0u16; 4];
        let mut given = text.trim().split('.');
        for part in &mut parts {
            let digits = given.next().ok_or_else(wrong)?;
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err(wrong());
            }
            *part = digits.parse().map_err(|_| wrong())?;
        }
        let [a, b, c, d] = parts;
        if given.next().is_some() {
            Err(wrong())
        } else {
            Ok(Build::new(a, b, c, d))
        }
    }
}

/// A range of builds, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// First build of the range.
    pub from: Build,
    /// Last build of the range, which belongs to it.
    pub until: Build,
}

impl Range {
    /// Whether the build lies in the range, ends included.
    pub const fn holds(&self, build: Build) -> bool {
        self.from.0 <= build.0 && build.0 <= self.until.0
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.from == self.until {
            write!(f, "{}", self.from)
        } else {
            write!(f, "{}–{}", self.from, self.until)
        }
    }
}

/// Builds 1.0.0.`d`, which most ranges are made of.
pub const fn b(d: u16) -> Build {
    Build::new(1, 0, 0, d)
}

/// The range 1.0.0.`from` to 1.0.0.`until`.
pub const fn builds(from: u16, until: u16) -> Range {
    Range { from: b(from), until: b(until) }
}

/// The range 1.0.0.`from` to 3.1.0.0, the last build of the second book.
pub const fn since(from: u16) -> Range {
    Range { from: b(from), until: Build::new(3, 1, 0, 0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_read_print_and_order() {
        let build: Build = "1.0.0.136".parse().unwrap();
        assert_eq!(build, b(136));
        assert_eq!(build.to_string(), "1.0.0.136");
        assert!(b(136) < Build::new(3, 1, 0, 0) && b(9) < b(10));
        for text in ["", "1.0.0", "1.0.0.1.2", "1.0.0.x", "1.0.0.65536", "1..0.1", "+1.0.0.1"] {
            assert!(text.parse::<Build>().is_err(), "{text}");
        }
    }

    #[test]
    fn decimals_sort_as_builds_do() {
        let builds = [
            "0.8.13.26",
            "0.9.22.14",
            "0.9.25.36",
            "1.0.0.24",
            "1.0.0.136",
            "3.1.0.0",
            "4.17.0.233",
            "4.20.0.315",
        ];
        let builds: Vec<Build> = builds.iter().map(|text| text.parse().unwrap()).collect();
        assert!(builds.windows(2).all(|pair| pair[0].decimal() < pair[1].decimal()));
        assert_eq!(b(136).decimal(), 1_000_000_136);
        assert_eq!(Build::new(4, 20, 0, 315).decimal(), 4_200_000_315);
    }

    #[test]
    fn codes_of_registrations() {
        assert_eq!(Build::from_code(42_000_315), Some(Build::new(4, 20, 0, 315)));
        assert_eq!(Build::from_code(40_500_260), Some(Build::new(4, 5, 0, 260)));
        assert_eq!(Build::from_code(41_700_267), Some(Build::new(4, 17, 0, 267)));
        assert_eq!(Build::from_code(0), None);
        assert_eq!(Build::from_code(u32::MAX), None);
    }

    #[test]
    fn ranges_hold_both_ends() {
        let range = builds(130, 137);
        assert!(range.holds(b(130)) && range.holds(b(137)));
        assert!(!range.holds(b(129)) && !range.holds(b(138)));
        assert!(since(150).holds(Build::new(3, 1, 0, 0)));
        assert_eq!(range.to_string(), "1.0.0.130–1.0.0.137");
    }
}
