//! Layouts that a page states without saying surely in which builds: tried there, and taken only where they fit.
//! Pages: the page of shared structs; Movement, builds 0.8.13.26–1.0.0.24.

use super::pages::SHAPES;
use super::ranges::SINCE_0_9_22_14;
use super::structs::{
    FOLLOWS, FOLLOW_BACK_DISTANCE, FOLLOW_DISTANCE, FROM_X, FROM_Z, GRAVITY, HAS_TELEPORT_TOKEN,
    HEADER_BLURB, HEADER_WORLD, KEEP_FACING, POINTS_WORLD, POINT_COUNT_BLURB, POINT_COUNT_TITLE, SPEED,
    SPEED_PARAMS, SPEED_PARAMS_SHORT, TERMS_BLURB, TERMS_TITLE, TOKEN, UNIT,
};
use super::waypoint::{MOVEMENT_COUNT, SYNC_ID, WAYPOINT_GROUP, WAYPOINT_GROUP_AT_SPEED};
use crate::layout::*;
use crate::version::{builds, Range};

/// Builds between the two Movement pages, of which no page says anything.
const BETWEEN: Range = builds(25, 129);

/// Each message's further layouts, likelier ones first; `builds` says where each is tried.
pub static UNPLACED: &[(&Message, &[Layout])] = &[
    (&WAYPOINT_GROUP, &[group(BETWEEN, channel::TRANSIENT, Delivery::Unreliable, GROUP_TOKEN)]),
    (
        &WAYPOINT_GROUP_AT_SPEED,
        &[
            at_speed(SINCE_0_9_22_14, AT_SPEED_FACING),
            at_speed(SINCE_0_9_22_14, AT_SPEED_FOLLOWING),
            at_speed(BETWEEN, AT_SPEED_TOKEN),
            at_speed(BETWEEN, AT_SPEED_TOKEN_SHORT),
        ],
    ),
];

const fn group(builds: Range, channel: u8, delivery: Delivery, rows: &'static [Row]) -> Layout {
    Layout {
        builds,
        sender: Sender::Server,
        channel,
        delivery,
        commands: &[],
        page: &SHAPES,
        evidence: Evidence::Inferred,
        rows,
    }
}

const fn at_speed(builds: Range, rows: &'static [Row]) -> Layout {
    group(builds, channel::EVENTS, Delivery::Reliable, rows)
}

const fn movements(of: &'static StructDef) -> Row {
    list("movements", "Movement", "One unit and its path", Count::InSigned("movementCount"), Item::Struct(of))
        .info(Info::Items("unit"))
}

const GROUP_TOKEN: &[Row] = &[SYNC_ID, MOVEMENT_COUNT, movements(&MOVEMENT_TOKEN)];
const AT_SPEED_TOKEN: &[Row] = &[SYNC_ID, MOVEMENT_COUNT, movements(&MOVEMENT_AT_SPEED_TOKEN)];
const AT_SPEED_TOKEN_SHORT: &[Row] = &[SYNC_ID, MOVEMENT_COUNT, movements(&MOVEMENT_AT_SPEED_TOKEN_SHORT)];
const AT_SPEED_FACING: &[Row] = &[SYNC_ID, MOVEMENT_COUNT, movements(&MOVEMENT_AT_SPEED_FACING)];
const AT_SPEED_FOLLOWING: &[Row] = &[SYNC_ID, MOVEMENT_COUNT, movements(&MOVEMENT_AT_SPEED_FOLLOWING)];

/// World floats behind a header of four bytes: a third shape, which the page ties to no build.
static MOVEMENT_TOKEN: StructDef = StructDef {
    name: "Movement",
    builds: BETWEEN,
    rows: &[HEADER_TOKEN, record("path", "Path", "Unit and points", &[UNIT, TOKEN, POINTS_WORLD])],
};

static MOVEMENT_AT_SPEED_TOKEN: StructDef = StructDef {
    name: "MovementAtSpeed",
    builds: BETWEEN,
    rows: &[
        HEADER_TOKEN,
        record(
            "path",
            "Path",
            "Unit, terms and points",
            &[UNIT, TOKEN, structure("terms", TERMS_TITLE, TERMS_BLURB, &SPEED_PARAMS), POINTS_WORLD],
        ),
    ],
};

static MOVEMENT_AT_SPEED_TOKEN_SHORT: StructDef = StructDef {
    name: "MovementAtSpeed",
    builds: BETWEEN,
    rows: &[
        HEADER_TOKEN,
        record(
            "path",
            "Path",
            "Unit, terms and points",
            &[UNIT, TOKEN, structure("terms", TERMS_TITLE, TERMS_BLURB, &SPEED_PARAMS_SHORT), POINTS_WORLD],
        ),
    ],
};

const HEADER_TOKEN: Row = bits(
    "header",
    "Header",
    HEADER_BLURB,
    4,
    &[
        HAS_TELEPORT_TOKEN,
        run("unused", "Unused", "Bits without meaning", 1, 15),
        run("pointCount", POINT_COUNT_TITLE, POINT_COUNT_BLURB, 16, 30),
        run("unusedHigh", "Unused, high", "More bits without meaning", 31, 31),
    ],
);

static MOVEMENT_AT_SPEED_FACING: StructDef = StructDef {
    name: "MovementAtSpeed",
    builds: SINCE_0_9_22_14,
    rows: &[
        HEADER_WORLD,
        record(
            "path",
            "Path",
            "Unit, terms and points",
            &[UNIT, structure("terms", TERMS_TITLE, TERMS_BLURB, &SPEED_PARAMS_FACING), POINTS_WORLD],
        ),
    ],
};

static MOVEMENT_AT_SPEED_FOLLOWING: StructDef = StructDef {
    name: "MovementAtSpeed",
    builds: SINCE_0_9_22_14,
    rows: &[
        HEADER_WORLD,
        record(
            "path",
            "Path",
            "Unit, terms and points",
            &[UNIT, structure("terms", TERMS_TITLE, TERMS_BLURB, &SPEED_PARAMS_FOLLOWING), POINTS_WORLD],
        ),
    ],
};

/// The longer terms the page of shared structs holds for builds it does not name.
static SPEED_PARAMS_FACING: StructDef = StructDef {
    name: "SpeedParams",
    builds: SINCE_0_9_22_14,
    rows: &[SPEED, GRAVITY, FROM_X, FROM_Z, KEEP_FACING],
};

static SPEED_PARAMS_FOLLOWING: StructDef = StructDef {
    name: "SpeedParams",
    builds: SINCE_0_9_22_14,
    rows: &[SPEED, GRAVITY, FROM_X, FROM_Z, FOLLOWS, FOLLOW_DISTANCE, FOLLOW_BACK_DISTANCE, KEEP_FACING],
};
