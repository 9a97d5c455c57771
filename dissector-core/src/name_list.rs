//! The names behind name numbers: effects, particles, bones, packages and spells are named on the wire by a number
//! made from their name. Whoever has a list of names can have them shown.
//!
//! Names are made into numbers by the rule of the reference pages ("what else a capture tells"), lower-cased. Packages are
//! not: both that are recorded, 0x0611108d and 0x9179c08d, are those of `[Character]Kassadin00` and
//! `[Character]Blue_Minion_MechCannon00` by another rule, and the second is above what the first rule can give.

/// What a number is the name of: each has its rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    /// An effect, a particle, a bone, a spell.
    Thing,
    /// A set of art and sound: `[Character]`, a name, two digits for the skin.
    Package,
}

impl Named {
    /// The number of a name. Letters of ASCII count as their small ones.
    ///
    /// ```
    /// use dissector_core::name_list::Named;
    ///
    /// assert_eq!(Named::Thing.number("SummonerFlash"), 105_475_752);
    /// assert_eq!(Named::Package.number("[Character]Kassadin00"), 0x0611_108D);
    /// ```
    pub fn number(self, name: &str) -> u32 {
        let letters = name.bytes().map(|byte| u32::from(byte.to_ascii_lowercase()));
        match self {
            Named::Thing => letters.fold(0, |number: u32, letter| {
                let number = (number << 4).wrapping_add(letter);
                let top = number & 0xF000_0000;
                number ^ top ^ top >> 24
            }),
            Named::Package => {
                letters.fold(0, |number: u32, letter| number.wrapping_mul(65_599).wrapping_add(letter))
            }
        }
    }
}

/// Names by their number.
#[derive(Clone, Debug, Default)]
pub struct NameList {
    /// All names, one after another.
    text: String,
    things: Vec<Entry>,
    packages: Vec<Entry>,
}

/// A number and the place of its name: lists are long, so each name is kept once. Sorted by number, then as in the list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Entry {
    number: u32,
    start: u32,
    end: u32,
}

impl NameList {
    /// The names of a text, one a line. White space around a name does not count; empty lines are passed over.
    ///
    /// A line may end as on any system. A control character is shown as `\u{FFFD}`. A name alone also stands for the
    /// package of that character, in its first skin where it does not end in the two digits of another. What is beyond
    /// 4 GiB is left out.
    pub fn parse(text: &str) -> NameList {
        let mut list = NameList::default();
        let lines = text.trim_start_matches('\u{FEFF}').split(['\n', '\r']).map(str::trim);
        for name in lines.filter(|name| !name.is_empty()) {
            list.add(name);
        }
        let NameList { text, things, packages } = &mut list;
        let name = |entry: &Entry| &text[entry.start as usize..entry.end as usize];
        for entries in [things, packages] {
            entries.sort_unstable();
            // lists are put together from others, and hold names twice
            entries.dedup_by(|a, b| a.number == b.number && name(a).eq_ignore_ascii_case(name(b)));
        }
        list
    }

    fn add(&mut self, name: &str) {
        let start = self.text.len();
        self.text.extend(name.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c }));
        let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(self.text.len())) else { return };
        let entry = |number| Entry { number, start, end };
        self.things.push(entry(Named::Thing.number(name)));
        self.packages.push(entry(Named::Package.number(name)));
        for skin in ["", FIRST_SKIN] {
            self.packages.push(entry(Named::Package.number(&format!("{CHARACTER}{name}{skin}"))));
        }
    }

    /// The names behind a number: several where they share it.
    #[inline]
    pub fn get(&self, what: Named, number: u32) -> impl Iterator<Item = &str> {
        let entries = match what {
            Named::Thing => &self.things,
            Named::Package => &self.packages,
        };
        let first = entries.partition_point(|entry| entry.number < number);
        let found = entries[first..].iter().take_while(move |entry| entry.number == number);
        found.filter_map(|entry| self.text.get(entry.start as usize..entry.end as usize))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.things.is_empty()
    }
}

/// What stands in front of a character's name in the name of its package, and behind it for its first skin.
const CHARACTER: &str = "[Character]";
const FIRST_SKIN: &str = "00";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_known_names() {
        let number = |name| Named::Thing.number(name);
        assert_eq!(number("SummonerFlash"), 105_475_752);
        assert_eq!(number("summonerdot"), 104_222_500);
        assert_eq!(number(""), 0);
        // of bones that recorded particles hang on
        assert_eq!((number("root"), number("C_BUFFBONE_GLB_CHEST_LOC")), (0x0007_9664, 0x04AF_EA23));
        // longer than seven letters: the top bits are folded back in
        assert_ne!(number("aaaaaaaaaaaaaaaa"), number("aaaaaaaaaaaaaaa"));
    }

    #[test]
    fn a_list_is_one_name_a_line() {
        let list = NameList::parse("\u{FEFF}SummonerFlash\r\n\n  SummonerDot \nsummonerflash\rroot\tx\n");
        let get = |number| list.get(Named::Thing, number).collect::<Vec<_>>();
        assert_eq!(get(105_475_752), ["SummonerFlash"]);
        assert_eq!(get(104_222_500), ["SummonerDot"]);
        assert_eq!(get(Named::Thing.number("root\tx")), ["root\u{FFFD}x"]);
        assert!(get(1).is_empty());
        assert!(NameList::parse(" \n").is_empty());
    }

    #[test]
    fn packages_go_by_the_character_and_its_skin() {
        let number = |name| Named::Package.number(name);
        assert_eq!(number("[character]blue_minion_mechcannon00"), 0x9179_C08D);
        let list = NameList::parse("Kassadin\nKassadin04\n[Character]Blue_Minion_MechCannon00");
        let get = |number| list.get(Named::Package, number).collect::<Vec<_>>();
        assert_eq!(get(0x0611_108D), ["Kassadin"]);
        assert_eq!(get(number("[Character]Kassadin04")), ["Kassadin04"]);
        assert_eq!(get(0x9179_C08D), ["[Character]Blue_Minion_MechCannon00"]);
        assert_eq!(list.get(Named::Thing, 0x0611_108D).next(), None);
    }

    #[test]
    fn names_of_one_number_are_all_told() {
        let (one, other) = (Named::Thing.number("b!"), Named::Thing.number("a1"));
        assert_eq!(one, other, "the second letter carries into the first");
        let list = NameList::parse("b!\nB!\na1");
        assert_eq!(list.get(Named::Thing, one).collect::<Vec<_>>(), ["b!", "a1"]);
    }
}
