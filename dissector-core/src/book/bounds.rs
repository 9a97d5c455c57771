//! The circle that holds a view or a champion's orders. Pages: Movement, builds 0.8.13.26–1.0.0.24 and
//! 1.0.0.130–3.1.0.0; build 4.17.

use super::families::BOUNDS;
use super::pages;
use super::ranges::{SINCE_0_9_22_14, V4_17};
use crate::layout::*;
use crate::version::{builds, since, Build, Range};

/// Sets or lifts the circle.
/// Pages: Movement of 0.8.13.26–1.0.0.24, and of 1.0.0.130–3.1.0.0; 4.17 beyond the pages.
pub static MOVEMENT_BOUNDS: Message = Message {
    name: "MovementBounds",
    family: &BOUNDS,
    blurb: "A server sets a circle the client keeps its view or its champion's orders in",
    exchange: Exchange::None,
    layouts: &[
        // In the first two ranges it is the view alone that stays inside.
        layout(UNTIL_0_9_25_35, &[command(UNTIL_0_9_25_35, 127)], &[X, Y, Z, RADIUS]),
        layout(SINCE_0_9_25_36, &[command(SINCE_0_9_25_36, 126)], &[X, Y, Z, RADIUS]),
        layout(
            builds(130, 146),
            &[command(builds(130, 146), 6)],
            &[
                X,
                Y,
                Z,
                RADIUS,
                u8("camera", "Camera", "Not zero: the view stays inside too; zero changes nothing of it"),
            ],
        ),
        layout(since(147), &[command(since(147), 6)], FLAGGED),
        layout(V4_17, &[command(V4_17, 6)], FLAGGED).accepted(),
    ],
};

const FLAGGED: &[Row] = &[
    X,
    Y,
    Z,
    RADIUS,
    bits(
        "flags",
        "Flags",
        "What else stays inside",
        1,
        &[
            bit("camera", "Camera", "The view stays inside too", 0),
            run("unused", "Unused", "Written as zero", 1, 7),
        ],
    ),
];

/// The page parts these builds, and the command with them, here only.
const SINCE_0_9_25_36: Range = Range { from: Build::new(0, 9, 25, 36), until: SINCE_0_9_22_14.until };
const UNTIL_0_9_25_35: Range = Range { from: SINCE_0_9_22_14.from, until: Build::new(0, 9, 25, 35) };

const fn layout(builds: Range, commands: &'static [Command], rows: &'static [Row]) -> Layout {
    Layout {
        builds,
        sender: Sender::Server,
        channel: channel::EVENTS,
        delivery: Delivery::Reliable,
        commands,
        page: pages::movement(builds),
        evidence: Evidence::Page,
        rows,
    }
}

const X: Row = f32("x", "X", "Centre on the first ground axis, world units");
const Y: Row = f32("y", "Y", "Height of the centre, world units");
const Z: Row = f32("z", "Z", "Centre on the second ground axis, world units");
const RADIUS: Row =
    f32("radius", "Radius", "World units; zero or less lifts the bounds").info(Info::Value("radius"));
