//! Compact paths: points stated against the point before, in units of two world units from the map's origin.

/// An axis of the ground plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// The first axis, x of a point.
    X,
    /// The second axis, z of a point; y is the height, which paths leave out.
    Z,
}

/// One coordinate of a compact path as the bytes state it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coordinate {
    /// As it stands: the first point's, or one stated afresh.
    Whole(i32),
    /// To be added to that of the point before, as that point resolved.
    Step(i32),
}

/// Resolves a path's coordinates, in the order they come, into points.
#[derive(Clone, Copy, Default, Debug)]
pub struct Resolver {
    x: i32,
    z: i32,
}

impl Resolver {
    /// Takes a coordinate; with the second of a point answers that point, in path units.
    #[inline]
    pub fn take(&mut self, axis: Axis, coordinate: Coordinate) -> Option<(i32, i32)> {
        let held = match axis {
            Axis::X => &mut self.x,
            Axis::Z => &mut self.z,
        };
        *held = match coordinate {
            Coordinate::Whole(value) => value,
            Coordinate::Step(step) => held.wrapping_add(step),
        };
        (axis == Axis::Z).then_some((self.x, self.z))
    }
}

/// World units of a path coordinate.
#[inline]
pub const fn world(origin: i32, path_unit: i32) -> i64 {
    origin as i64 + 2 * path_unit as i64
}

/// Path units of a world coordinate: truncated toward zero, held within what a path can state.
pub fn encoded(origin: i32, world: f32) -> i16 {
    ((f64::from(world) - f64::from(origin)) / 2.0) as i16
}

/// The origins, both ends included, under which a world coordinate is written as `encoded`.
///
/// Truncation leaves two whole numbers on the side the sign says, and up to four (three where the coordinate is
/// whole) where `encoded` is 0. `None` where the coordinate is not a number or out of any map's reach.
pub fn origins(world: f32, encoded: i32) -> Option<(i32, i32)> {
    const REACH: f64 = 1e6;
    let (world, unit) = (f64::from(world), f64::from(encoded));
    if !(world.abs() <= REACH && unit.abs() <= REACH) {
        return None;
    }
    let exact = world - 2.0 * unit;
    let (from, until) = match encoded {
        0 => ((exact - 2.0).floor() + 1.0, (exact + 2.0).ceil() - 1.0),
        1.. => ((exact - 2.0).floor() + 1.0, exact.floor()),
        _ => (exact.ceil(), (exact + 2.0).ceil() - 1.0),
    };
    Some((from as i32, until as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_add_to_the_resolved_point() {
        let mut path = Resolver::default();
        assert_eq!(path.take(Axis::X, Coordinate::Whole(100)), None);
        assert_eq!(path.take(Axis::Z, Coordinate::Whole(-7)), Some((100, -7)));
        path.take(Axis::X, Coordinate::Step(-128));
        assert_eq!(path.take(Axis::Z, Coordinate::Whole(300)), Some((-28, 300)));
        path.take(Axis::X, Coordinate::Whole(5));
        assert_eq!(path.take(Axis::Z, Coordinate::Step(127)), Some((5, 427)));
    }

    #[test]
    fn world_and_back() {
        assert_eq!(world(6991, 3053), 13097);
        assert_eq!(world(i32::MIN, i32::MIN), 3 * i64::from(i32::MIN));
        assert_eq!(encoded(6991, 13098.013), 3053);
        assert_eq!(encoded(6991, 6989.5), 0);
        assert_eq!(encoded(0, f32::NAN), 0);
    }

    #[test]
    fn a_recorded_order_betrays_the_origin() {
        for (target, unit, origin) in [(13098.013, 3053, 6991), (13130.365, 2953, 7223)] {
            let (from, until) = origins(target, unit).unwrap();
            assert!(from <= origin && origin <= until);
            assert_eq!(until - from, 1);
        }
    }

    #[test]
    fn windows_hold_exactly_the_origins_that_encode_alike() {
        for whole in [-5000, -3, -2, -1, 0, 1, 2, 3, 4999] {
            for part in [0.0, 0.25, 0.5, 0.75] {
                let place = whole as f32 + part;
                for origin in whole - 12..whole + 12 {
                    let unit = i32::from(encoded(origin, place));
                    let (from, until) = origins(place, unit).unwrap();
                    let alike = |o: i32| i32::from(encoded(o, place)) == unit;
                    assert!(from <= origin && origin <= until, "{place} {origin}");
                    assert!(
                        (from..=until).all(alike) && !alike(from - 1) && !alike(until + 1),
                        "{place} {origin}"
                    );
                }
            }
        }
        assert_eq!(origins(f32::NAN, 0), None);
        assert_eq!(origins(f32::INFINITY, 0), None);
    }
}
