//! Any fields a layout allows → bytes → fields, for every layout of the book.
//!
//! `RIFTSHARK_CASES=10000 cargo test --release -p conformance --test round_trip` tries so many of each.

use conformance::make::{make, Choices, Use, Wanted};
use dissector_core::decode::{read, Facts, Input};
use dissector_core::encode::{body, fields};
use dissector_core::layout::Row;
use dissector_core::registry::{Program, REGISTRY};
use dissector_core::tree::{flag, Tree};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// Cases of each layout where nobody asks for another number.
const FEW: u32 = 40;

/// Choices out of arbitrary bytes; where they run out, zeros.
struct Arbitrary {
    bytes: std::vec::IntoIter<u8>,
    /// Items that may still be made: lists in lists would grow without end.
    left: usize,
}

impl Arbitrary {
    fn byte(&mut self) -> u8 {
        self.bytes.next().unwrap_or(0)
    }

    fn number(&mut self, bytes: usize) -> u64 {
        (0..bytes).fold(0, |number, _| number << 8 | u64::from(self.byte()))
    }

    /// Few items mostly, sometimes as many as a count of a byte can say.
    fn some_items(&mut self) -> usize {
        let few = usize::from(self.byte());
        let wanted = if few > 250 { usize::from(self.byte()) } else { few % 6 };
        let given = wanted.min(self.left);
        self.left -= given;
        given
    }
}

impl Choices for Arbitrary {
    fn whole(&mut self, wanted: &Wanted) -> i128 {
        match wanted.purpose {
            Use::Items => self.some_items().min(wanted.most as usize) as i128,
            Use::SignedItems if self.byte() % 8 == 0 => wanted.most - i128::from(self.byte()),
            Use::SignedItems => self.some_items() as i128,
            Use::Length if self.byte() % 8 == 0 && wanted.most > i128::from(i32::MAX) => {
                wanted.most - i128::from(self.number(3))
            }
            Use::Length => i128::from(self.byte() % 24),
            _ if !wanted.value_strings.is_empty() && self.byte() % 4 != 0 => {
                i128::from(wanted.value_strings[usize::from(self.byte()) % wanted.value_strings.len()].0)
            }
            _ => match self.byte() % 6 {
                0 => wanted.least,
                1 => wanted.most,
                2 => i128::from(self.byte() % 4),
                _ => {
                    let span = wanted.most - wanted.least + 1;
                    wanted.least + i128::from(self.number(8)) % span
                }
            },
        }
    }

    fn float(&mut self, _: &Row) -> f32 {
        const SPECIAL: [f32; 6] = [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE];
        match self.byte() {
            special if special % 8 == 0 => SPECIAL[usize::from(special / 8) % SPECIAL.len()],
            // NaN with any payload among them.
            special if special % 8 == 1 => f32::from_bits(0x7F80_0000 | self.number(4) as u32),
            _ => f32::from_bits(self.number(4) as u32),
        }
    }

    fn items(&mut self, _: &Row) -> usize {
        self.some_items()
    }

    fn goes_on(&mut self, _: &Row) -> bool {
        self.byte() % 4 != 0
    }

    fn bytes(&mut self, _: &Row, most: usize) -> Vec<u8> {
        let length = match self.byte() % 4 {
            0 => most,
            1 => 0,
            _ => usize::from(self.byte()) % (most + 1),
        };
        // Mostly text; sometimes whatever there is, zeros and broken UTF-8 included.
        let any = self.byte() % 4 == 0;
        (0..length).map(|_| if any { self.byte() } else { b' ' + self.byte() % 95 }).collect()
    }
}

fn check(program: &Program, choices: Vec<u8>, channel: u8) -> Result<(), TestCaseError> {
    let fail = |what: String| {
        TestCaseError::fail(format!("{} {}: {what}", program.message.name, program.layout.builds))
    };
    let wanted = make(program, channel, &mut Arbitrary { bytes: choices.into_iter(), left: 300 });
    let written = body(program, Some(channel), &wanted).map_err(|why| fail(why.to_string()))?;
    let input = Input {
        bytes: &written,
        reported: written.len() as u32,
        base: 0,
        channel: Some(channel),
        flags: flag::DECIPHERED,
        depth: 2,
        ..Input::default()
    };
    let (mut tree, mut facts) = (Tree::default(), Facts::default());
    let end = read::<true>(program, &input, &mut tree, &mut facts);
    if let Some(cut) = end.cut {
        return Err(fail(format!("cut short, {cut:?}")));
    }
    if end.used as usize != written.len() {
        return Err(fail(format!("{} of {} bytes used", end.used, written.len())));
    }
    let found = fields(program, &tree.nodes, &input);
    if found != wanted {
        return Err(fail(format!("wrote {wanted:?}\nread {found:?}")));
    }
    Ok(())
}

#[test]
fn what_a_layout_allows_is_read_as_written() {
    let cases = std::env::var("RIFTSHARK_CASES").map_or(FEW, |text| text.parse().expect("a number of cases"));
    let start = std::time::Instant::now();
    let programs = REGISTRY.programs.iter().chain(&REGISTRY.bedrock).chain(&REGISTRY.unplaced);
    let mut count = 0;
    for program in programs {
        // The channel matters to some counts; others take any.
        let choices = (prop::collection::vec(any::<u8>(), 0..400), 0u8..8);
        let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
        let result =
            TestRunner::new(config).run(&choices, |(choices, channel)| check(program, choices, channel));
        result.unwrap_or_else(|why| panic!("{why}"));
        count += 1;
    }
    println!("{count} layouts, {cases} cases each, {:.1} s", start.elapsed().as_secs_f32());
}
