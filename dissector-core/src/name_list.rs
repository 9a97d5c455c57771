//! The names behind name numbers: effects, particles, bones, packages and spells are named on the wire by a number
//! made from their name. Whoever has a list of names can have them shown.
//!
//! The rule is that of the later specification (reference pages, "what else a capture tells"): 32 bits, lower-cased.

use foldhash::{HashMap, HashMapExt};

/// The name number of a name. Letters of ASCII count as their small ones.
///
/// ```
/// assert_eq!(dissector_core::name_list::number("SummonerFlash"), 105_475_752);
/// ```
pub fn number(name: &str) -> u32 {
    name.bytes().fold(0u32, |number, byte| {
        let number = (number << 4).wrapping_add(byte.to_ascii_lowercase().into());
        let top = number & 0xF000_0000;
        number ^ top ^ top >> 24
    })
}

/// Names by their number.
#[derive(Clone, Debug, Default)]
pub struct NameList {
    names: HashMap<u32, String>,
}

impl NameList {
    /// The names of a text, one a line. White space around a name does not count; empty lines are passed over.
    ///
    /// Names that share a number are shown together, joined by ` or `.
    pub fn parse(text: &str) -> NameList {
        let mut names: HashMap<u32, String> = HashMap::new();
        for name in text.trim_start_matches('\u{FEFF}').lines().map(str::trim).filter(|name| !name.is_empty())
        {
            names
                .entry(number(name))
                .and_modify(|known| {
                    if !known.split(OR).any(|other| other.eq_ignore_ascii_case(name)) {
                        known.push_str(OR);
                        known.push_str(name);
                    }
                })
                .or_insert_with(|| name.to_owned());
        }
        NameList { names }
    }

    /// The name behind a number.
    #[inline]
    pub fn get(&self, number: u32) -> Option<&str> {
        self.names.get(&number).map(String::as_str)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// What stands between names that share a number.
const OR: &str = " or ";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_known_names() {
        assert_eq!(number("SummonerFlash"), 105_475_752);
        assert_eq!(number("summonerdot"), 104_222_500);
        assert_eq!(number(""), 0);
        // longer than seven letters: the top bits are folded back in
        assert_ne!(number("aaaaaaaaaaaaaaaa"), number("aaaaaaaaaaaaaaa"));
    }

    #[test]
    fn a_list_is_one_name_a_line() {
        let list = NameList::parse("\u{FEFF}SummonerFlash\r\n\n  SummonerDot \nsummonerflash\n");
        assert_eq!(list.get(105_475_752), Some("SummonerFlash"));
        assert_eq!(list.get(104_222_500), Some("SummonerDot"));
        assert_eq!(list.get(1), None);
        assert!(NameList::parse(" \n").is_empty());
    }

    #[test]
    fn names_of_one_number_are_told_together() {
        // "b" + 0x10 - "a" * 16: two letters that carry into each other
        assert_eq!(number("bP"), number("aP") + 16);
        let (one, other) = ("b!", "a1");
        assert_eq!(number(one), number(other));
        assert_eq!(NameList::parse("b!\na1\nB!").get(number(one)), Some("b! or a1"));
    }
}
