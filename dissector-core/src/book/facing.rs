//! Which way a unit looks. Pages: Movement, builds 0.8.13.26–1.0.0.24 and 1.0.0.130–3.1.0.0; builds 4.17 and 4.20.

use super::families::FACING;
use super::pages;
use super::ranges::{EARLY, SINCE_0_9_22_14, UNTIL_0_9_22_13, V4_17, V4_20};
use crate::layout::*;
use crate::version::{builds, since, Range};

/// Turns a unit.
/// Pages: Movement of 0.8.13.26–1.0.0.24, and of 1.0.0.130–3.1.0.0; 4.17 and 4.20 beyond the pages.
pub static FACE_DIRECTION: Message = Message {
    name: "FaceDirection",
    family: &FACING,
    blurb: "A server turns a unit toward a direction",
    exchange: Exchange::None,
    layouts: &[
        // With both ground axes 0 a client does nothing; the height is not read.
        from_server(UNTIL_0_9_22_13, &[command(UNTIL_0_9_22_13, 96)], &[TOWARD_X, TOWARD_Y, TOWARD_Z]),
        // With both ground axes 0 a client does not turn the unit at once, but keeps that direction for later.
        from_server(SINCE_0_9_22_14, &[command(SINCE_0_9_22_14, 93)], &[TOWARD_X, TOWARD_Y, TOWARD_Z]),
        from_server(
            builds(130, 135),
            &[command(builds(130, 131), 83), command(builds(132, 135), 84)],
            &[TOWARD_X, TOWARD_Y, TOWARD_Z],
        ),
        from_server(builds(136, 137), &[command(builds(136, 137), 84)], &[TOWARD_X, TOWARD_Y, TOWARD_Z, HOW])
            .recorded(),
        from_server(builds(138, 143), &[command(builds(138, 143), 86)], &[TOWARD_X, TOWARD_Y, TOWARD_Z, HOW]),
        from_server(
            since(144),
            &[command(builds(144, 149), 80), command(since(150), 77)],
            &[TOWARD_X, TOWARD_Y, TOWARD_Z, HOW, TURN_TIME],
        ),
        from_server(V4_17, &[command(V4_17, 80)], &[TOWARD_X, TOWARD_Y, TOWARD_Z, HOW, TURN_TIME]).accepted(),
        from_server(
            V4_20,
            &[command(V4_20, 80)],
            &[
                bits(
                    "how",
                    HOW_TITLE,
                    HOW_BLURB,
                    1,
                    &[OVER_TIME, run("unknown", "Unknown", "Not recorded", 1, 7)],
                ),
                TOWARD_X,
                TOWARD_Y,
                TOWARD_Z,
                TURN_TIME,
            ],
        )
        .recorded(),
    ],
};

/// Tells that a script turned a unit.
/// Pages: Movement of 0.8.13.26–1.0.0.24, and of 1.0.0.130–3.1.0.0.
pub static FACE_POSITION: Message = Message {
    name: "FacePosition",
    family: &FACING,
    blurb: "A script of the client turned a unit toward a point; a server need do nothing",
    exchange: Exchange::None,
    layouts: &[
        from_client(
            EARLY,
            &[command(UNTIL_0_9_22_13, 96), command(SINCE_0_9_22_14, 93)],
            &[DIRECTION_X, DIRECTION_Y, DIRECTION_Z],
        ),
        from_client(
            builds(130, 135),
            &[command(builds(130, 131), 83), command(builds(132, 135), 84)],
            &[DIRECTION_X, DIRECTION_Y, DIRECTION_Z],
        ),
        from_client(
            builds(136, 137),
            &[command(builds(136, 137), 84)],
            &[DIRECTION_X, DIRECTION_Y, DIRECTION_Z, UNUSED],
        ),
        from_client(
            builds(138, 143),
            &[command(builds(138, 143), 86)],
            &[DIRECTION_X, DIRECTION_Y, DIRECTION_Z, UNUSED],
        ),
        from_client(
            since(144),
            &[command(builds(144, 149), 80), command(since(150), 77)],
            &[
                DIRECTION_X,
                DIRECTION_Y,
                DIRECTION_Z,
                UNUSED,
                f32("unknown", "Unknown", "Never written by a client: whatever lay there"),
            ],
        ),
    ],
};

const fn from_server(builds: Range, commands: &'static [Command], rows: &'static [Row]) -> Layout {
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

const fn from_client(builds: Range, commands: &'static [Command], rows: &'static [Row]) -> Layout {
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

const TOWARD_X: Row = f32("towardX", "Toward X", "Direction to look, first ground axis");
const TOWARD_Y: Row = f32("towardY", "Toward Y", "Direction to look, height");
const TOWARD_Z: Row = f32("towardZ", "Toward Z", "Direction to look, second ground axis");

const HOW: Row =
    bits("how", HOW_TITLE, HOW_BLURB, 1, &[OVER_TIME, run("unused", "Unused", "Written as zero", 1, 7)]);

const HOW_TITLE: &str = "How";
const HOW_BLURB: &str = "Whether the turn takes time";
const OVER_TIME: Run =
    bit("turnOverTime", "Turn over time", "Turns by and by; clear, the unit looks there at once", 0);

const TURN_TIME: Row =
    f32("turnTime", "Turn time", "Seconds the turn takes, where it is to take time").seconds();

const DIRECTION_X: Row =
    f32("directionX", "Direction X", "Way the unit looks now, length one, first ground axis");
const DIRECTION_Y: Row = f32("directionY", "Direction Y", "Way the unit looks now, length one, height");
const DIRECTION_Z: Row =
    f32("directionZ", "Direction Z", "Way the unit looks now, length one, second ground axis");

const UNUSED: Row = u8(
    "unused",
    "Unused",
    "Zero; from 1.0.0.138 to 143 it is 1 where the script turns the unit rather than snaps it",
);
