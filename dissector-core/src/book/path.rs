//! Paths of one unit in world units, and its stop. Pages: Movement, builds 0.8.13.26–1.0.0.24 and 1.0.0.130–3.1.0.0;
//! build 4.17.

use super::families::PATH;
use super::pages;
use super::ranges::{SINCE_0_9_22_14, UNTIL_0_9_22_13, V4_17};
use crate::layout::*;
use crate::version::{builds, since, Range};

/// Sets a unit walking.
/// Pages: Movement of 0.8.13.26–1.0.0.24, and of 1.0.0.130–3.1.0.0; 4.17 beyond the pages.
pub static PATH_MESSAGE: Message = Message {
    name: "Path",
    family: &PATH,
    blurb: "A server sets one unit walking, looking where it goes",
    exchange: Exchange::Asks,
    layouts: &[
        // Nothing is answered and nothing dropped; a body of less than 4 bytes fails a client.
        layout(UNTIL_0_9_22_13, &[command(UNTIL_0_9_22_13, 80)], &[SYNC_ID_UNREAD, POINTS]),
        layout(SINCE_0_9_22_14, &[command(SINCE_0_9_22_14, 77)], &[SYNC_ID, POINTS]),
        layout(
            since(130),
            &[
                command(builds(130, 131), 193),
                command(builds(132, 134), 194),
                command(builds(135, 135), 196),
                command(builds(136, 137), 194),
                command(builds(138, 138), 196),
                command(builds(139, 140), 195),
                command(builds(141, 143), 197),
                command(builds(144, 149), 185),
                command(since(150), 182),
            ],
            &[SYNC_ID, POINTS],
        ),
        layout(V4_17, &[command(V4_17, 185)], &[SYNC_ID, POINTS]).accepted(),
    ],
};

/// Sets a unit moving at a stated speed, perhaps through the air or behind another.
/// Pages: Movement of 0.8.13.26–1.0.0.24, and of 1.0.0.130–3.1.0.0; 4.17 beyond the pages.
pub static PATH_WITH_SPEED: Message = Message {
    name: "PathWithSpeed",
    family: &PATH,
    blurb: "A server sets one unit moving at a stated speed, in an arc or after another unit if it says so",
    exchange: Exchange::Asks,
    layouts: &[
        layout(
            UNTIL_0_9_22_13,
            &[command(UNTIL_0_9_22_13, 81)],
            &[SYNC_ID_UNREAD, SPEED, GRAVITY, ARC_X, ARC_Z, POINTS],
        ),
        // Checked against the unit's count, but not counted itself.
        layout(
            SINCE_0_9_22_14,
            &[command(SINCE_0_9_22_14, 78)],
            &[SYNC_ID, SPEED, GRAVITY, ARC_X, ARC_Z, POINTS],
        ),
        layout(
            builds(130, 151),
            &[
                command(builds(130, 131), 136),
                command(builds(132, 137), 137),
                command(builds(138, 138), 139),
                command(builds(139, 143), 138),
                command(builds(144, 149), 132),
                command(builds(150, 151), 129),
            ],
            &[
                SYNC_ID,
                SPEED,
                GRAVITY,
                ARC_X,
                ARC_Z,
                i8("facing", FACING_TITLE, FACING_BLURB).value_strings(FACING_VALUES),
                FOLLOW,
                FOLLOW_DISTANCE,
                BACK_OFF,
                TRAVEL_TIME,
                POINTS,
            ],
        ),
        layout(since(152), &[command(since(152), 129)], FACING_UNSIGNED),
        layout(V4_17, &[command(V4_17, 131)], FACING_UNSIGNED).accepted(),
    ],
};

const FACING_UNSIGNED: &[Row] = &[
    SYNC_ID,
    SPEED,
    GRAVITY,
    ARC_X,
    ARC_Z,
    u8("facing", FACING_TITLE, FACING_BLURB).value_strings(FACING_VALUES),
    FOLLOW,
    FOLLOW_DISTANCE,
    BACK_OFF,
    TRAVEL_TIME,
    POINTS,
];

/// Stops a unit where it stands.
/// Pages: Movement of 0.8.13.26–1.0.0.24, and of 1.0.0.130–3.1.0.0; 4.17 beyond the pages.
pub static UNIT_STOPPED: Message = Message {
    name: "UnitStopped",
    family: &PATH,
    blurb: "A server stops one unit at a place, looking one way",
    exchange: Exchange::None,
    layouts: &[
        // Without a sync id it is always applied.
        layout(UNTIL_0_9_22_13, &[command(UNTIL_0_9_22_13, 24)], &[X, Y, Z, FACING_X, FACING_Y, FACING_Z]),
        layout(
            SINCE_0_9_22_14,
            &[command(SINCE_0_9_22_14, 24)],
            &[
                X, Y, Z, FACING_X, FACING_Y, FACING_Z,
                // Behind is what is less than 1073741824 behind, counting the wrap.
                SYNC_ID,
            ],
        ),
        layout(since(130), &[command(builds(130, 143), 51), command(since(144), 48)], STOPPED),
        layout(V4_17, &[command(V4_17, 49)], STOPPED).accepted(),
    ],
};

const STOPPED: &[Row] = &[X, Y, Z, FACING_X, FACING_Y, FACING_Z, SYNC_ID];

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

const X: Row = f32("x", "X", "Place of the unit on the first ground axis, world units");
const Y: Row = f32("y", "Y", "Height of the unit, world units, kept as it is stated");
const Z: Row = f32("z", "Z", "Place of the unit on the second ground axis, world units");
const FACING_X: Row = f32("facingX", "Facing X", "Direction the unit looks, first ground axis");
const FACING_Y: Row = f32("facingY", "Facing Y", "Direction the unit looks, height");
const FACING_Z: Row = f32("facingZ", "Facing Z", "Direction the unit looks, second ground axis");

/// A client of these builds reads nothing of it, so there is no answer to link.
const SYNC_ID_UNREAD: Row =
    i32("syncId", "Sync ID", "Movement count of the unit; what lies behind the last taken is dropped");

const SYNC_ID: Row = SYNC_ID_UNREAD.role(Role::Sync).info(Info::Value("sync"));

const SPEED: Row = f32("speed", "Speed", "World units a second").info(Info::Value("speed"));

const GRAVITY: Row =
    f32("gravity", "Gravity", "Bend of a leap, in 150 world units a second squared; 0 or less is flat");

const ARC_X: Row = f32("arcX", "Arc X", "Start of the arc on the first ground axis, world units");

const ARC_Z: Row = f32("arcZ", "Arc Z", "Start of the arc on the second ground axis, world units");

const FACING_TITLE: &str = "Facing";
const FACING_BLURB: &str = "Whether the unit looks along its way or keeps looking where it did";
const FACING_VALUES: crate::field::ValueStrings = &[(0, "along"), (1, "keep")];

const FOLLOW: Row = unit("follow", "Follow", "Unit to follow, 0 for none").info(Info::Value("follow"));

const FOLLOW_DISTANCE: Row =
    f32("followDistance", "Follow distance", "World units to keep from the followed unit, if there is one");

const BACK_OFF: Row =
    f32("backOff", "Back off", "World units to fall back from the followed unit, if there is one");

const TRAVEL_TIME: Row =
    f32("travelTime", "Travel time", "Seconds the move takes, if a unit is followed").seconds();

const POINTS: Row = list(
    "points",
    "Point",
    "A point of the path",
    Count::ToEnd,
    Item::Record(&[
        f32("x", "X", "First ground axis, world units").role(Role::Point(Axis::X)),
        f32("z", "Z", "Second ground axis, world units").role(Role::Point(Axis::Z)),
    ]),
);
