use super::*;

/// A destination in world units, and as the path states it.
type Order = ((f32, f32), (i32, i32));

fn order(origin: (i32, i32), world: (f32, f32)) -> Order {
    let encode = |origin: i32, world: f32| i32::from(path::encoded(origin, world));
    (world, (encode(origin.0, world.0), encode(origin.1, world.1)))
}

#[test]
fn one_order_is_enough_for_a_known_map() {
    let mut origin = Origin::default();
    let (world, encoded) = order((6991, 7223), (1038.23, 852.65));
    origin.weigh(world, encoded);
    assert_eq!(origin.known(), Some(((6991, 7223), Source::Orders)));
    assert_eq!(origin.map(), Some(1));
}

#[test]
fn an_unknown_map_takes_agreement_and_outliers_do_not_decide() {
    let mut origin = Origin::default();
    let truth = (5000, 4001);
    origin.weigh((212.0, 134.0), (7, 9));
    for step in 0..12 {
        let world = (4000.0 + 37.25 * step as f32, 6100.0 - 91.75 * step as f32);
        let (world, encoded) = order(truth, world);
        origin.weigh(world, encoded);
    }
    assert_eq!(origin.known().map(|(origin, _)| origin), Some(truth));
    assert_eq!(origin.map(), None);
}

#[test]
fn a_preference_stays() {
    let mut origin = Origin::new(Some((1, 2)));
    let (world, encoded) = order((6991, 7223), (1038.0, 852.0));
    origin.weigh(world, encoded);
    assert_eq!(origin.known(), Some(((1, 2), Source::Preference)));
}

/// A map that is none of the known ones.
const TRUTH: (i32, i32) = (5000, 4001);

/// An order 200 world units and a part from an origin: half a unit leaves this origin and the one below it,
/// one and a half this and the one above.
fn beyond(origin: (i32, i32), by: (f32, f32)) -> Order {
    order(origin, (origin.0 as f32 + 200.0 + by.0, origin.1 as f32 + 200.0 + by.1))
}

/// Orders weighed one after another.
fn weighed(orders: &[Order]) -> Origin {
    let mut origin = Origin::default();
    for (world, encoded) in orders {
        origin.weigh(*world, *encoded);
    }
    origin
}

/// An order that agrees with no other.
fn stray(number: i32) -> Order {
    beyond((-40_000 - 100 * number, -90_000 + 100 * number), (0.5, 0.5))
}

const BELOW: (f32, f32) = (0.5, 0.5);
const ABOVE: (f32, f32) = (1.5, 1.5);

#[test]
fn every_map_has_its_number() {
    for (map, origin) in MAPS {
        assert_eq!(Origin::new(Some(origin)).map(), Some(map));
        assert_eq!(weighed(&[beyond(origin, ABOVE)]).known(), Some((origin, Source::Orders)), "map {map}");
    }
    assert_eq!((Origin::new(Some((6991, 7224))).map(), Origin::default().map()), (None, None));
    assert_eq!((Source::Preference.name(), Source::Orders.name()), ("preference", "orders"));
}

#[test]
fn a_known_map_needs_more_than_half_of_the_orders() {
    let (_, map) = MAPS[3];
    let (fits, other) = (beyond(map, BELOW), stray(0));
    assert_eq!(weighed(&[other, fits]).known(), None, "one of two");
    assert_eq!(weighed(&[other, fits, fits]).map(), Some(11), "two of three");
    assert_eq!(weighed(&[other, stray(1), fits, fits]).known(), None, "two of four");
    // alike orders leave four corners, of which a known map is taken all the same
    assert_eq!(weighed(&[other, stray(1), fits, fits, fits]).map(), Some(11), "three of five");
    // both axes have to fit
    let half = beyond((map.0, map.1 + 500), BELOW);
    assert_eq!(weighed(&[half]).known(), None);
}

#[test]
fn another_map_needs_three_orders_that_leave_one_origin() {
    let (low, high) = (beyond(TRUTH, BELOW), beyond(TRUTH, ABOVE));
    let known = |orders: &[_]| weighed(orders).known().map(|(origin, _)| origin);
    assert_eq!(known(&[low, high]), None, "two orders");
    assert_eq!(known(&[low, high, low]), Some(TRUTH));
    assert_eq!(known(&[low, high, stray(0)]), None, "two that agree and another");
    assert_eq!(known(&[stray(0), low, high, low]), Some(TRUTH), "three of four");
    assert_eq!(known(&[stray(0), stray(1), low, high, low]), Some(TRUTH), "three of five");
    assert_eq!(known(&[stray(0), stray(1), stray(2), low, high, low]), None, "three of six");
    assert_eq!(known(&[low, low, low, low]), None, "they leave two on either axis");
    let one_axis = beyond(TRUTH, (1.5, 0.5));
    assert_eq!(known(&[low, one_axis, low, one_axis]), None, "they leave two on one");
    assert_eq!(known(&[low, one_axis, low, one_axis, high]), Some(TRUTH));
}

#[test]
fn thirty_two_orders_are_weighed_and_no_more() {
    let fits = beyond(MAPS[0].1, BELOW);
    let after = |strays: i32, fitting: usize| {
        let all: Vec<_> = (0..strays).map(stray).chain(vec![fits; fitting]).collect();
        weighed(&all)
    };
    assert_eq!(after(15, 15).known(), None, "15 of 30");
    assert_eq!(after(15, 16).map(), Some(1), "16 of 31");
    assert_eq!(after(16, 16).known(), None, "16 of 32");
    let late = after(16, 100);
    assert_eq!((late.known(), late.windows.len()), (None, 32));
    // the last of them leaves one origin of the two that 16 have left on either axis
    let (low, high) = (beyond(TRUTH, BELOW), beyond(TRUTH, ABOVE));
    for (strays, known) in [(15, Some((TRUTH, Source::Orders))), (16, None)] {
        let all: Vec<_> = (0..strays).map(stray).chain(vec![low; 16]).chain([high; 2]).collect();
        assert_eq!(weighed(&all).known(), known, "{strays}");
    }
}

#[test]
fn an_order_out_of_reach_is_not_weighed() {
    let mut origin = Origin::default();
    for world in [(f32::NAN, 0.0), (0.0, f32::INFINITY), (2e6, 0.0), (0.0, -2e6)] {
        origin.weigh(world, (0, 0));
    }
    assert_eq!(origin.windows.len(), 0);
}

#[test]
fn what_is_known_is_not_weighed_again() {
    let mut origin = weighed(&[beyond(MAPS[1].1, BELOW)]);
    for _ in 0..10 {
        let (world, encoded) = beyond(MAPS[2].1, BELOW);
        origin.weigh(world, encoded);
    }
    assert_eq!((origin.map(), origin.windows.len()), (Some(8), 1));
}
