//! Groups of moving units, and the client's answers. Pages: Movement, builds 0.8.13.26–1.0.0.24 and
//! 1.0.0.130–3.1.0.0; builds 4.17 and 4.20.

use super::families::{PATH, WAYPOINT};
use super::pages;
use super::ranges::{SINCE_0_9_22_14, V4_17, V4_20};
use super::structs::{
    MOVEMENT, MOVEMENT_AT_SPEED, MOVEMENT_AT_SPEED_V4, MOVEMENT_AT_SPEED_WORLD, MOVEMENT_V4, MOVEMENT_WORLD,
};
use crate::layout::*;
use crate::version::{builds, since, Range};

/// Moves units along paths.
/// Pages: Movement of 0.8.13.26–1.0.0.24, and of 1.0.0.130–3.1.0.0; 4.17 and 4.20 beyond the pages.
pub static WAYPOINT_GROUP: Message = Message {
    name: "WaypointGroup",
    family: &WAYPOINT,
    blurb: "A server moves units along paths",
    exchange: Exchange::Asks,
    layouts: &[
        group(
            SINCE_0_9_22_14,
            &[command(SINCE_0_9_22_14, 121)],
            &[
                // A client answers always, and applies a path only where this is not behind the last the unit took.
                SYNC_ID,
                MOVEMENT_COUNT,
                movements(&MOVEMENT_WORLD),
            ],
        )
        .inferred(),
        group(
            since(130),
            &[
                command(builds(130, 131), 100),
                command(builds(132, 137), 101),
                command(builds(138, 140), 103),
                command(builds(141, 143), 103),
                command(builds(144, 149), 97),
                command(since(150), 94),
            ],
            &[SYNC_ID, MOVEMENT_COUNT, movements(&MOVEMENT)],
        )
        .recorded(),
        group(V4_17, &[command(V4_17, 97)], GROUP_V4).accepted(),
        group(V4_20, &[command(V4_20, 97)], GROUP_V4).recorded(),
    ],
};

const GROUP_V4: &[Row] = &[SYNC_ID, MOVEMENT_COUNT, movements(&MOVEMENT_V4)];

const fn group(builds: Range, commands: &'static [Command], rows: &'static [Row]) -> Layout {
    Layout {
        builds,
        sender: Sender::Server,
        channel: channel::TRANSIENT,
        delivery: Delivery::Unreliable,
        commands,
        page: pages::movement(builds),
        evidence: Evidence::Page,
        rows,
    }
}

const fn movements(of: &'static StructDef) -> Row {
    list(
        "movements",
        "Movement",
        "One unit and its path, with the terms of its travel where they are stated",
        Count::InSigned("movementCount"),
        Item::Struct(of),
    )
    .info(Info::Items("unit"))
}

/// Moves units along paths and says how they travel.
/// Pages: Movement of 0.8.13.26–1.0.0.24, and of 1.0.0.130–3.1.0.0; 4.17 and 4.20 beyond the pages.
pub static WAYPOINT_GROUP_AT_SPEED: Message = Message {
    name: "WaypointGroupAtSpeed",
    family: &WAYPOINT,
    blurb: "A server throws, drags or carries units along paths, each at a stated speed",
    exchange: Exchange::Asks,
    layouts: &[
        group_at_speed(
            SINCE_0_9_22_14,
            &[command(SINCE_0_9_22_14, 122)],
            &[SYNC_ID, MOVEMENT_COUNT, movements(&MOVEMENT_AT_SPEED_WORLD)],
        )
        .inferred(),
        group_at_speed(
            since(130),
            &[
                command(builds(130, 131), 103),
                command(builds(132, 137), 104),
                command(builds(138, 140), 106),
                command(builds(141, 143), 106),
                command(builds(144, 149), 100),
                command(since(150), 97),
            ],
            &[SYNC_ID, MOVEMENT_COUNT, movements(&MOVEMENT_AT_SPEED)],
        )
        .recorded(),
        group_at_speed(V4_17, &[command(V4_17, 100)], AT_SPEED_V4).accepted(),
        group_at_speed(V4_20, &[command(V4_20, 100)], AT_SPEED_V4).recorded(),
    ],
};

const AT_SPEED_V4: &[Row] = &[SYNC_ID, MOVEMENT_COUNT, movements(&MOVEMENT_AT_SPEED_V4)];

const fn group_at_speed(builds: Range, commands: &'static [Command], rows: &'static [Row]) -> Layout {
    Layout { channel: channel::EVENTS, delivery: Delivery::Reliable, ..group(builds, commands, rows) }
}

/// Answers a group, or a path of one unit.
/// Pages: Movement of 0.8.13.26–1.0.0.24, and of 1.0.0.130–3.1.0.0; 4.17 and 4.20 beyond the pages.
pub static WAYPOINT_ACK: Message = Message {
    name: "WaypointAck",
    family: &WAYPOINT,
    blurb: "A client has taken in a group or a path, and lists the units that were to be relocated",
    // an answer to a path of one unit comes on the transient channel
    exchange: Exchange::Answers(&[(&PATH, Some(channel::TRANSIENT)), (&WAYPOINT, None)]),
    layouts: &[
        // Nothing can relocate a unit yet, so the answer is the number alone.
        ack(SINCE_0_9_22_14, Delivery::Unsequenced, &[command(SINCE_0_9_22_14, 120)], &[SYNC_ID]),
        ack(
            since(130),
            Delivery::Unsequenced,
            &[
                command(builds(130, 131), 122),
                command(builds(132, 137), 123),
                command(builds(138, 143), 125),
                command(builds(144, 149), 119),
                command(since(150), 116),
            ],
            ACK,
        )
        .recorded(),
        ack(V4_17, Delivery::Reliable, &[command(V4_17, 119)], ACK).recorded(),
        ack(V4_20, Delivery::Reliable, &[command(V4_20, 119)], ACK).recorded(),
    ],
};

const ACK: &[Row] = &[
    SYNC_ID,
    u8("relocationCount", "Relocation count", "Relocations that follow; unwritten on the transient channel"),
    list(
        "relocations",
        "Relocation",
        "A unit the group carried a token for",
        // There the answer is one to a path, and the byte was never written.
        Count::InUnlessOn("relocationCount", channel::TRANSIENT),
        Item::Record(&[
            unit("unit", "Unit", "Unit the token came with").info(Info::Unit),
            u8("token", "Token", "Token that came with the unit"),
        ]),
    )
    .info(Info::Items("relocation")),
];

const fn ack(
    builds: Range,
    delivery: Delivery,
    commands: &'static [Command],
    rows: &'static [Row],
) -> Layout {
    Layout {
        builds,
        sender: Sender::Client,
        channel: channel::REQUESTS,
        delivery,
        commands,
        page: pages::movement(builds),
        evidence: Evidence::Page,
        rows,
    }
}

pub(super) const SYNC_ID: Row =
    u32("syncId", "Sync ID", "Number of the statement of movement, returned by its answer")
        .role(Role::Sync)
        .info(Info::Value("sync"));

pub(super) const MOVEMENT_COUNT: Row =
    u16("movementCount", "Movement count", "Units that follow; above 32767 none do");
