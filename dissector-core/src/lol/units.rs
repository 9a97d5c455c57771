//! What units are called: learnt from messages that name them.

use foldhash::HashMap;

use crate::capture::words;

/// Units whose names are kept; further ones go by their number.
const MOST_UNITS: usize = 65_536;
/// Characters of a name that are kept.
const LONGEST_NAME: usize = 40;

/// Names of units by their network id.
#[derive(Debug, Default)]
pub struct Units {
    names: HashMap<u32, Box<str>>,
}

impl Units {
    /// Takes in the name that a message gives a unit. The first one stays, so that no later pass calls it otherwise.
    pub fn learn(&mut self, unit: u32, name: &[u8]) {
        if unit == 0 || self.names.len() >= MOST_UNITS || self.names.contains_key(&unit) {
            return;
        }
        // as many bytes as so many characters can have
        let name = String::from_utf8_lossy(&name[..name.len().min(4 * LONGEST_NAME)]);
        let shown = name.trim().chars().take(LONGEST_NAME);
        let name: String = shown.map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect();
        if !name.is_empty() {
            self.names.insert(unit, name.into());
        }
    }

    /// Appends what a unit is called, `Kassadin (0x40000019)`; its number alone where that is not known.
    pub fn write(&self, text: &mut String, unit: u32) {
        // most captures name no unit at all
        match self.names.get(&unit).filter(|_| !self.names.is_empty()) {
            Some(name) => {
                text.push_str(name);
                text.push_str(" (");
                words::hexadecimal(text, unit.into());
                text.push(')');
            }
            None => words::hexadecimal(text, unit.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(units: &Units, unit: u32) -> String {
        let mut text = String::new();
        units.write(&mut text, unit);
        text
    }

    #[test]
    fn the_first_name_of_a_unit_stays() {
        let mut units = Units::default();
        assert_eq!(called(&units, 0x4000_0019), "0x40000019");
        units.learn(0x4000_0019, b" Kassadin ");
        units.learn(0x4000_0019, b"Nidalee");
        units.learn(0, b"Nobody");
        units.learn(7, b"  ");
        assert_eq!(called(&units, 0x4000_0019), "Kassadin (0x40000019)");
        assert_eq!([called(&units, 0), called(&units, 7)], ["0x00000000", "0x00000007"]);
    }

    #[test]
    fn a_name_is_text_of_a_bounded_length() {
        let mut units = Units::default();
        units.learn(1, "\u{7}é".repeat(LONGEST_NAME).as_bytes());
        let (name, _) =
            called(&units, 1).split_once(" (").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        assert_eq!(name, "\u{FFFD}é".repeat(LONGEST_NAME / 2));
        units.learn(2, b"a\xFFb");
        assert_eq!(called(&units, 2), "a\u{FFFD}b (0x00000002)");
        (3..MOST_UNITS as u32 + 10).for_each(|unit| units.learn(unit, b"x"));
        assert_eq!(units.names.len(), MOST_UNITS);
    }
}
