//! Plausible fields of any message: what a vector or a made capture holds where nobody has chosen the values.

use dissector_core::encode::Value;
use dissector_core::layout::{Axis, Role, Row};
use dissector_core::registry::Program;

use crate::make::{make, Choices, Use, Wanted};

/// Words for texts, none of them longer than the shortest text of fixed size.
const WORDS: [&str; 8] =
    ["Idle1", "Run", "Spell3", "Attack2", "Death", "Channel_Loop", "Crystal", "Ambient_02"];

/// Fields of a body that this program's layout allows on its own channel. The same seed makes the same fields.
pub fn sample(program: &Program, seed: u32) -> Value {
    make(program, program.layout.channel, &mut Sample { turn: seed })
}

/// Hands out one value after another.
struct Sample {
    turn: u32,
}

impl Sample {
    fn next(&mut self) -> u32 {
        self.turn = self.turn.wrapping_add(1);
        self.turn
    }

    /// A number that looks like the hash of a name.
    fn hash(&mut self) -> i128 {
        i128::from(self.next().wrapping_mul(0x0193_2D4F) & 0x0FFF_FFFF)
    }
}

impl Choices for Sample {
    fn whole(&mut self, wanted: &Wanted) -> i128 {
        let turn = i128::from(self.next());
        match (wanted.purpose, wanted.role) {
            (Use::Items | Use::SignedItems, _) if wanted.name == "pointCount" => 2 + turn % 2,
            (Use::Items | Use::SignedItems, _) => 1 + turn % 2,
            (Use::Length, _) => WORDS[turn as usize % WORDS.len()].len() as i128,
            (Use::Switch, _) if wanted.value_strings.is_empty() => turn % 2,
            (_, Role::Unit) => 0x4000_0010 + turn % 16,
            (_, Role::NameHash(_)) => self.hash(),
            (_, Role::Step(_)) => turn * 37 % 200 - 100,
            (_, Role::First(Axis::X) | Role::Whole(Axis::X)) => 40 + turn * 13 % 400,
            (_, Role::First(Axis::Z) | Role::Whole(Axis::Z)) => -30 - turn * 17 % 400,
            (_, Role::Sync) => 900 + turn % 100,
            // Bits that mean nothing, or nothing known, are written as zero.
            _ if wanted.name.starts_with("un") => 0,
            _ if wanted.most == 1 => turn % 2,
            _ if !wanted.value_strings.is_empty() => {
                i128::from(wanted.value_strings[turn as usize % wanted.value_strings.len()].0)
            }
            _ => turn % 7 + 1,
        }
    }

    fn float(&mut self, row: &Row) -> f32 {
        let turn = (self.next() % 40) as f32;
        match row.role {
            Role::Point(Axis::X) | Role::Target(Axis::X) => 6991.0 + 12.5 * turn,
            Role::Point(Axis::Z) | Role::Target(Axis::Z) => 7223.0 - 8.25 * turn,
            _ => (turn % 16.0 + 1.0) / 16.0,
        }
    }

    fn items(&mut self, _: &Row) -> usize {
        2
    }

    fn goes_on(&mut self, _: &Row) -> bool {
        true
    }

    fn bytes(&mut self, _: &Row, most: usize) -> Vec<u8> {
        let turn = self.next() as usize;
        let exact = WORDS.iter().find(|word| word.len() == most);
        let word = exact.unwrap_or(&WORDS[turn % WORDS.len()]).as_bytes();
        word[..word.len().min(most)].to_vec()
    }
}
