//! What a player asks a unit to do. Pages: Movement, builds 0.8.13.26–1.0.0.24 and 1.0.0.130–3.1.0.0; builds 4.17
//! and 4.20.

use super::families::MOVEORDER;
use super::pages;
use super::ranges::{EARLY, V4_17, V4_20};
use super::structs::{MOVEMENT, MOVEMENT_ROWS, MOVEMENT_V4};
use crate::layout::*;
use crate::version::{builds, since, Range};

/// Asks the server to move, fight or stop.
/// Pages: Movement of 0.8.13.26–1.0.0.24, and of 1.0.0.130–3.1.0.0; 4.17 and 4.20 beyond the pages.
pub static MOVE_ORDER: Message = Message {
    name: "MoveOrder",
    family: &MOVEORDER,
    blurb: "A client asks that a unit move, attack or stop; the server decides",
    exchange: Exchange::None,
    layouts: &[
        // No path yet: the server finds the way.
        layout(EARLY, &[command(EARLY, 20)], &[KIND, TARGET_X, TARGET_Y, TARGET_Z, TARGET]),
        layout(
            builds(130, 137),
            &[command(builds(130, 131), 117), command(builds(132, 137), 118)],
            &[KIND, TARGET_X, TARGET_Y, TARGET_Z, TARGET, MOVEMENT_WRITTEN_OUT],
        )
        .recorded(),
        layout(
            builds(138, 140),
            &[command(builds(138, 140), 120)],
            &[KIND, TARGET_X, TARGET_Z, TARGET, MOVEMENT_WRITTEN_OUT],
        ),
        layout(
            since(141),
            &[command(builds(141, 143), 120), command(builds(144, 149), 114), command(since(150), 111)],
            &[
                KIND,
                TARGET_X,
                TARGET_Z,
                TARGET,
                structure("movement", MOVEMENT_TITLE, MOVEMENT_BLURB, &MOVEMENT),
            ],
        ),
        layout(V4_17, &[command(V4_17, 114)], ORDER_V4).recorded(),
        layout(V4_20, &[command(V4_20, 114)], ORDER_V4).recorded(),
    ],
};

const ORDER_V4: &[Row] =
    &[KIND, TARGET_X, TARGET_Z, TARGET, structure("movement", MOVEMENT_TITLE, MOVEMENT_BLURB, &MOVEMENT_V4)];

const fn layout(builds: Range, commands: &'static [Command], rows: &'static [Row]) -> Layout {
    Layout {
        builds,
        sender: Sender::Client,
        channel: channel::REQUESTS,
        delivery: Delivery::Reliable,
        commands,
        page: pages::movement(builds),
        evidence: Evidence::Page,
        rows,
    }
}

/// The kind of order whose destination is the last point of its path.
const MOVE_TO_POSITION: i64 = 2;

const KIND: Row = u8("kind", "Kind", "What is asked for")
    .value_strings(&[(MOVE_TO_POSITION, "moveToPosition"), (3, "attack"), (10, "stop")])
    .role(Role::StatesOrigin(MOVE_TO_POSITION))
    .info(Info::Word);

const TARGET_X: Row = f32("targetX", "Target X", "Destination on the first ground axis, world units")
    .role(Role::Target(Axis::X));

const TARGET_Y: Row = f32("targetY", "Target Y", "Height of the destination, world units");

const TARGET_Z: Row = f32("targetZ", "Target Z", "Destination on the second ground axis, world units")
    .role(Role::Target(Axis::Z));

const TARGET: Row =
    unit("target", "Target", "Object the order is aimed at, 0 for open ground").info(Info::Value("target"));

const MOVEMENT_TITLE: &str = "Movement";
const MOVEMENT_BLURB: &str = "The path the client would take; without points there is only the unit";

const MOVEMENT_WRITTEN_OUT: Row = record("movement", MOVEMENT_TITLE, MOVEMENT_BLURB, MOVEMENT_ROWS);
