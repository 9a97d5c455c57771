//! The map's origin, inferred from what clients order: nothing on the wire states it.

use crate::path;

/// Origins of maps, from the later specification: map number, then the two axes, world units.
pub const MAPS: [(u32, (i32, i32)); 5] =
    [(1, (6991, 7223)), (8, (6947, 6609)), (10, (7708, 7227)), (11, (7358, 7412)), (12, (6560, 6309))];

/// Orders that are weighed; later ones change nothing.
const MOST_ORDERS: usize = 32;
/// Orders that must agree before an origin of no known map is taken.
const ENOUGH: usize = 3;

/// Closed intervals in which one order places the origin, per axis.
type Window = [(i32, i32); 2];

/// Where a map lies: its origin, and which map it is where that was said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ground {
    /// The midpoint, world units.
    pub origin: (i32, i32),
    /// The number of the map; `None` where only its origin was said.
    pub map: Option<u32>,
}

/// Where a session's origin comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The user says so.
    Preference,
    /// A row of the table of keys, or a line of the key file, says so.
    Keys,
    /// The client's orders agree on it.
    Orders,
}

impl Source {
    pub fn name(self) -> &'static str {
        match self {
            Source::Preference => "preference",
            Source::Keys => "keys",
            Source::Orders => "orders",
        }
    }
}

/// A session's origin: once known it stays.
#[derive(Debug, Default)]
pub struct Origin {
    known: Option<((i32, i32), Source)>,
    /// The map that was said beside the origin.
    map: Option<u32>,
    windows: Vec<Window>,
}

impl Origin {
    pub fn new(preference: Option<(i32, i32)>) -> Origin {
        Origin { known: preference.map(|origin| (origin, Source::Preference)), ..Origin::default() }
    }

    /// Takes what is said of the sessions of a key: it goes before all else.
    pub fn set(&mut self, ground: Ground) {
        (self.known, self.map) = (Some((ground.origin, Source::Keys)), ground.map);
    }

    /// The origin and where it comes from.
    pub fn known(&self) -> Option<((i32, i32), Source)> {
        self.known
    }

    /// The number of the map with this origin.
    pub fn map(&self) -> Option<u32> {
        let (origin, _) = self.known?;
        self.map.or_else(|| MAPS.iter().find(|(_, of)| *of == origin).map(|(map, _)| *map))
    }

    /// Weighs an order whose destination in world units is the last point of its path in path units.
    pub fn weigh(&mut self, world: (f32, f32), encoded: (i32, i32)) {
        if self.known.is_some() || self.windows.len() >= MOST_ORDERS {
            return;
        }
        if let (Some(x), Some(z)) = (path::origins(world.0, encoded.0), path::origins(world.1, encoded.1)) {
            self.windows.push([x, z]);
            self.known = self.decide().map(|origin| (origin, Source::Orders));
        }
    }

    fn agreeing(&self, (x, z): (i32, i32)) -> usize {
        let holds = |(low, high): (i32, i32), value| low <= value && value <= high;
        self.windows.iter().filter(|w| holds(w[0], x) && holds(w[1], z)).count()
    }

    /// A known map is taken when most orders so far fit it; any other origin when enough orders leave nothing else.
    fn decide(&self) -> Option<(i32, i32)> {
        let most = self.windows.len() / 2 + 1;
        let map = MAPS.iter().map(|(_, origin)| *origin).find(|origin| self.agreeing(*origin) >= most);
        if map.is_some() || self.windows.len() < ENOUGH {
            return map;
        }
        // every candidate is a corner of some window; outliers are outvoted
        let corners = self
            .windows
            .iter()
            .flat_map(|w| [(w[0].0, w[1].0), (w[0].0, w[1].1), (w[0].1, w[1].0), (w[0].1, w[1].1)]);
        let best = corners.clone().map(|corner| self.agreeing(corner)).max()?;
        if best < ENOUGH.max(most) {
            return None;
        }
        let mut winners = corners.filter(|corner| self.agreeing(*corner) == best);
        let first = winners.next()?;
        winners.all(|winner| winner == first).then_some(first)
    }
}

#[cfg(test)]
mod tests;
