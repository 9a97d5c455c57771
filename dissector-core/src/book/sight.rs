//! Units that come into sight. Builds 4.17 and 4.20.

use super::families::SIGHT;
use super::pages;
use super::ranges::{V4_17, V4_20};
use super::structs::{
    APPEARANCE, CARRIED_MESSAGE, EFFECT_STACK, HELD_ITEM, MOVEMENT_AT_SPEED_V4, MOVEMENT_V4,
};
use crate::field::ValueStrings;
use crate::layout::*;
use crate::version::Range;

/// Shows a unit to a client.
/// No page states it: 4.17 and 4.20 are beyond the pages.
pub static ENTER_SIGHT: Message = Message {
    name: "EnterSight",
    family: &SIGHT,
    blurb: "A server shows the unit that the header names to a client: what made it, what it holds and how it moves",
    exchange: Exchange::None,
    layouts: &[
        layout(
            V4_17,
            &[command(V4_17, 186)],
            &[
                bits("carried", CARRIED_TITLE, CARRIED_BLURB, 2, &[SIZE, run("unused", "Unused", "Written as zero", 13, 15)]),
                MESSAGES,
                ITEM_COUNT,
                ITEMS,
                // Objects that neither fight nor move end here.
                record("view", "View", "How the unit looks and moves", VIEW).when_remaining(),
            ],
        ),
        layout(
            V4_20,
            &[command(V4_20, 186)],
            &[
                bits("carried", CARRIED_TITLE, CARRIED_BLURB, 2, &[SIZE, run("unknown", "Unknown", "Not recorded", 13, 15)]),
                MESSAGES,
                ITEM_COUNT,
                ITEMS,
                HAS_SHIELDS,
                MAGIC_SHIELD,
                PHYSICAL_SHIELD,
                SHIELD,
                APPEARANCE_COUNT,
                APPEARANCES,
                LOOKING_AT,
                LOOK_KIND,
                LOOK_X,
                LOOK_Y,
                LOOK_Z,
                EFFECT_STACK_COUNT,
                EFFECT_STACKS,
                IS_CHAMPION,
                MOVEMENT_KIND,
                SYNC_ID,
                MOVEMENT,
                MOVEMENT_AT_SPEED,
                AT_X,
                AT_Z,
                FACING_X,
                FACING_Z,
            ],
        ),
    ],
};

const VIEW: &[Row] = &[
    HAS_SHIELDS,
    MAGIC_SHIELD,
    PHYSICAL_SHIELD,
    SHIELD,
    APPEARANCE_COUNT,
    APPEARANCES,
    LOOKING_AT,
    LOOK_KIND,
    LOOK_X,
    LOOK_Y,
    LOOK_Z,
    EFFECT_STACK_COUNT,
    EFFECT_STACKS,
    IS_CHAMPION,
    record(
        "movementState",
        "Movement state",
        "How the unit moves, or where it stands",
        &[MOVEMENT_KIND, SYNC_ID, MOVEMENT, MOVEMENT_AT_SPEED, AT_X, AT_Z, FACING_X, FACING_Z],
    )
    .when_remaining(),
];

const fn layout(builds: Range, commands: &'static [Command], rows: &'static [Row]) -> Layout {
    Layout {
        builds,
        sender: Sender::Server,
        channel: channel::EVENTS,
        delivery: Delivery::Reliable,
        commands,
        page: &pages::LATER,
        evidence: Evidence::Page,
        rows,
    }
}

const NO_YES: ValueStrings = &[(0, "no"), (1, "yes")];

const CARRIED_TITLE: &str = "Carried";
const CARRIED_BLURB: &str = "Bytes of the messages inside";
const SIZE: Run = run("size", "Size", "Bytes of the messages that follow, sizes included", 0, 12);

const MESSAGES: Row = list_bytes(
    "messages",
    "Message",
    "A message that makes the unit",
    "carried.size",
    Item::Struct(&CARRIED_MESSAGE),
)
.info(Info::Items("message"));

const ITEM_COUNT: Row = u8("itemCount", "Item count", "Items that follow");
const ITEMS: Row =
    list("items", "Item", "An item the unit holds", Count::In("itemCount"), Item::Struct(&HELD_ITEM));

const HAS_SHIELDS: Row = u8("hasShields", "Has shields", "Whether shields follow").value_strings(NO_YES);
const MAGIC_SHIELD: Row =
    f32("magicShield", "Magic shield", "What is left of the shield against magic").when_set("hasShields");
const PHYSICAL_SHIELD: Row =
    f32("physicalShield", "Physical shield", "What is left of the shield against weapons")
        .when_set("hasShields");
const SHIELD: Row = f32("shield", "Shield", "What is left of the shield against all").when_set("hasShields");

const APPEARANCE_COUNT: Row = u32("appearanceCount", "Appearance count", "Looks that follow");
const APPEARANCES: Row = list(
    "appearance",
    "Appearance",
    "A look laid over the unit's own",
    Count::In("appearanceCount"),
    Item::Struct(&APPEARANCE),
);

const LOOKING_AT: Row = unit("lookingAt", "Looking at", "Unit it looks at, 0 for none");
const LOOK_KIND: Row = u8("lookKind", "Look kind", "What it looks at: a unit, a place or a direction");
const LOOK_X: Row = f32("lookX", "Look X", "Where it looks, first ground axis");
const LOOK_Y: Row = f32("lookY", "Look Y", "Where it looks, height");
const LOOK_Z: Row = f32("lookZ", "Look Z", "Where it looks, second ground axis");

const EFFECT_STACK_COUNT: Row =
    u32("effectStackCount", "Effect stack count", "Slots with stacks that follow");
const EFFECT_STACKS: Row = list(
    "effectStacks",
    "Effect stack",
    "Stacks of the effect in a slot",
    Count::In("effectStackCount"),
    Item::Struct(&EFFECT_STACK),
);

const IS_CHAMPION: Row =
    u8("isChampion", "Is champion", "Whether the unit is a champion").value_strings(NO_YES);

/// The values of `movementKind` that say what follows it.
const AT_SPEED: i64 = 1;
const MOVING: i64 = 2;
const STANDING: i64 = 3;

const MOVEMENT_KIND: Row = u8("movementKind", "Movement kind", "How the unit moves")
    .value_strings(&[
        (0, "nothing"),
        (AT_SPEED, "movingAtASpeed"),
        (MOVING, "moving"),
        (STANDING, "standing"),
    ])
    .info(Info::Word);
const SYNC_ID: Row = u32("syncId", "Sync ID", "Number of the statement of movement");
const MOVEMENT: Row =
    structure("movement", "Movement", "Path of the unit", &MOVEMENT_V4).when("movementKind", MOVING);
const MOVEMENT_AT_SPEED: Row = structure(
    "movementAtSpeed",
    "Movement at speed",
    "Path of the unit and how it travels",
    &MOVEMENT_AT_SPEED_V4,
)
.when("movementKind", AT_SPEED);
const AT_X: Row = f32("atX", "At X", "Place of the unit on the first ground axis, world units")
    .when("movementKind", STANDING);
const AT_Z: Row = f32("atZ", "At Z", "Place of the unit on the second ground axis, world units")
    .when("movementKind", STANDING);
const FACING_X: Row =
    f32("facingX", "Facing X", "Direction the unit looks, first ground axis").when("movementKind", STANDING);
const FACING_Z: Row =
    f32("facingZ", "Facing Z", "Direction the unit looks, second ground axis").when("movementKind", STANDING);
