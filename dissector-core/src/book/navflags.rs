//! Marks on the ground. Pages: Movement, builds 1.0.0.130–3.1.0.0; build 4.17.

use super::families::NAVFLAGS;
use super::pages;
use super::ranges::V4_17;
use crate::layout::*;
use crate::version::{builds, since, Range};

/// Marks the ground within circles.
/// Page: Movement of 1.0.0.130–3.1.0.0; 4.17 beyond the pages.
pub static NAVIGATION_FLAGS: Message = Message {
    name: "NavigationFlags",
    family: &NAVFLAGS,
    blurb: "A server marks the ground within circles, in place of the ones before",
    exchange: Exchange::None,
    layouts: &[
        // Clients of these builds fail on the first one of a match.
        layout(
            since(130),
            &[
                command(builds(130, 131), 71),
                command(builds(132, 143), 72),
                command(builds(144, 149), 67),
                command(since(150), 64),
            ],
            MARKS,
        ),
        layout(V4_17, &[command(V4_17, 65)], MARKS).accepted(),
    ],
};

const MARKS: &[Row] = &[
    u16("count", "Count", "Circles that follow"),
    i32("syncId", "Sync ID", "Number of this marking").role(Role::Sync).info(Info::Value("sync")),
    list(
        "circles",
        "Circle",
        "A circle of ground",
        Count::In("count"),
        Item::Record(&[
            f32("x", "X", "Centre on the first ground axis, world units"),
            f32("z", "Z", "Centre on the second ground axis, world units"),
            f32("radius", "Radius", "World units; from 1000 on nothing is marked"),
            u32("flags", "Flags", "Flags for each cell of ground; the low 16 bits act"),
        ]),
    )
    .info(Info::Items("circle")),
];

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
