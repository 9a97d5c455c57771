//! Shapes that several messages share. Pages: Movement, builds 0.8.13.26–1.0.0.24 and 1.0.0.130–3.1.0.0; Effects and
//! looks; the page of shared structs; builds 4.17 and 4.20.

use super::particle_flags::{GROUP_FLAGS, GROUP_FLAGS_V4};
use super::ranges::{SINCE_0_9_22_14, SINCE_1_0_0_130, V4};
use crate::layout::*;
use crate::version::since;

/// One unit's path, compact: whole numbers, each stated against the point before.
pub static MOVEMENT: StructDef = StructDef { name: "Movement", builds: since(130), rows: MOVEMENT_ROWS };

/// The rows of [`MOVEMENT`], which the page writes out where an order holds them before 1.0.0.141.
pub static MOVEMENT_ROWS: &[Row] = &[HEADER, record("path", "Path", "Unit and points", PATH_ROWS)];

/// [`MOVEMENT`] with the terms of the travel before the points.
pub static MOVEMENT_AT_SPEED: StructDef = StructDef {
    name: "MovementAtSpeed",
    builds: since(130),
    rows: &[HEADER, record("path", "Path", "Unit, terms and points", PATH_AT_SPEED_ROWS)],
};

/// [`MOVEMENT`] with a header of one byte.
pub static MOVEMENT_V4: StructDef = StructDef {
    name: "Movement",
    builds: V4,
    rows: &[HEADER_V4, record("path", "Path", "Unit and points", PATH_ROWS)],
};

/// [`MOVEMENT_AT_SPEED`] with a header of one byte.
pub static MOVEMENT_AT_SPEED_V4: StructDef = StructDef {
    name: "MovementAtSpeed",
    builds: V4,
    rows: &[HEADER_V4, record("path", "Path", "Unit, terms and points", PATH_AT_SPEED_ROWS)],
};

/// One unit's path in world units. The width of its count is inferred.
pub static MOVEMENT_WORLD: StructDef = StructDef {
    name: "Movement",
    builds: SINCE_0_9_22_14,
    rows: &[HEADER_WORLD, record("path", "Path", "Unit and points", &[UNIT, POINTS_WORLD])],
};

/// [`MOVEMENT_WORLD`] with the terms of the travel before the points.
pub static MOVEMENT_AT_SPEED_WORLD: StructDef = StructDef {
    name: "MovementAtSpeed",
    builds: SINCE_0_9_22_14,
    rows: &[
        HEADER_WORLD,
        record(
            "path",
            "Path",
            "Unit, terms and points",
            &[UNIT, structure("terms", TERMS_TITLE, TERMS_BLURB, &SPEED_PARAMS_SHORT), POINTS_WORLD],
        ),
    ],
};

/// The terms of these builds are inferred to be the shortest of those the page of shared structs holds.
pub static SPEED_PARAMS_SHORT: StructDef =
    StructDef { name: "SpeedParams", builds: SINCE_0_9_22_14, rows: &[SPEED, GRAVITY, FROM_X, FROM_Z] };

pub(super) const SPEED: Row = f32("speed", "Speed", "World units a second, in place of the unit's own pace");
pub(super) const GRAVITY: Row =
    f32("gravity", "Gravity", "How hard the flight bends down; 0 stays on the ground");
pub(super) const FROM_X: Row =
    f32("fromX", "From X", "Start of the travel on the first ground axis, world units");
pub(super) const FROM_Z: Row =
    f32("fromZ", "From Z", "Start of the travel on the second ground axis, world units");

/// How a unit travels where the sender says so.
pub static SPEED_PARAMS: StructDef = StructDef {
    name: "SpeedParams",
    builds: SINCE_1_0_0_130,
    rows: &[
        SPEED,
        GRAVITY,
        FROM_X,
        FROM_Z,
        KEEP_FACING,
        FOLLOWS,
        FOLLOW_DISTANCE,
        FOLLOW_BACK_DISTANCE,
        f32(
            "followTime",
            "Follow time",
            "Seconds in which to reach the followed unit; 0 or less sets no time",
        )
        .seconds(),
    ],
};

pub(super) const KEEP_FACING: Row =
    u8("keepFacing", "Keep facing", "Whether the unit looks where it goes or where it looked before")
        .value_strings(&[(0, "faceTheWayItGoes"), (1, "holdItsFacing")]);
pub(super) const FOLLOWS: Row = unit("follows", "Follows", "Unit it is made to follow, 0 for none");
pub(super) const FOLLOW_DISTANCE: Row =
    f32("followDistance", "Follow distance", "World units to keep from the followed unit, if there is one");
pub(super) const FOLLOW_BACK_DISTANCE: Row =
    f32("followBackDistance", "Follow back distance", "World units to stay behind the followed unit, if any");

const HEADER: Row = bits(
    "header",
    "Header",
    HEADER_BLURB,
    4,
    &[
        HAS_TELEPORT_TOKEN,
        run("unused", "Unused", "Bits without meaning, often junk", 1, 15),
        run("pointCount", POINT_COUNT_TITLE, POINT_COUNT_BLURB, 16, 22),
        run("unusedHigh", "Unused, high", "More bits without meaning", 23, 31),
    ],
);

const HEADER_V4: Row = bits(
    "header",
    "Header",
    HEADER_BLURB,
    1,
    &[HAS_TELEPORT_TOKEN, run("pointCount", POINT_COUNT_TITLE, POINT_COUNT_BLURB, 1, 7)],
);

pub(super) const HEADER_WORLD: Row =
    record("header", "Header", HEADER_BLURB, &[u16("pointCount", POINT_COUNT_TITLE, POINT_COUNT_BLURB)]);

pub(super) const HAS_TELEPORT_TOKEN: Run = bit(
    "hasTeleportToken",
    "Has teleport token",
    "A relocation token follows the unit; only servers set it",
    0,
);
pub(super) const HEADER_BLURB: &str =
    "How many points the path has; from 1.0.0.130 on also whether a token follows the unit";
pub(super) const POINT_COUNT_TITLE: &str = "Point count";
pub(super) const POINT_COUNT_BLURB: &str = "Points of the path, the first included";

pub(super) const POINTS_WORLD: Row = list(
    "points",
    "Point",
    "A point of the path",
    // A client reads the count as signed; its width is inferred.
    Count::InSigned("header.pointCount"),
    Item::Record(&[
        f32("x", "X", "First ground axis, world units").role(Role::Point(Axis::X)),
        f32("z", "Z", "Second ground axis, world units").role(Role::Point(Axis::Z)),
    ]),
);

pub(super) const UNIT: Row = unit("unit", "Unit", "Unit that takes the path").info(Info::Unit);

pub(super) const TOKEN: Row =
    u8("teleportToken", "Teleport token", "A number the unit did not have before may relocate it")
        .when_set("header.hasTeleportToken");

const FLAGS: Row = bit_array(
    "flags",
    "Step flags",
    "Two bits for each point after the first, run together from the lowest bit",
    Count::InLess1("header.pointCount"),
    &[
        bit("xIsStep", "X is a step", "This point's X is added to the one before", 0),
        bit("zIsStep", "Z is a step", "This point's Z is added to the one before", 1),
    ],
);

const FIRST_X: Row = i16("firstX", "First X", "First point on the first ground axis, path units")
    .when_set("header.pointCount")
    .role(Role::First(Axis::X));

const FIRST_Z: Row = i16("firstZ", "First Z", "First point on the second ground axis, path units")
    .when_set("header.pointCount")
    .role(Role::First(Axis::Z));

const STEPS: Row = list(
    "steps",
    "Step",
    "A point after the first",
    Count::InLess1("header.pointCount"),
    Item::Record(&[
        i8("xStep", "X step", "Path units to add to the X of the point before")
            .when_group("flags", "xIsStep", 1)
            .role(Role::Step(Axis::X)),
        i16("xWhole", "X", "X stated afresh, path units")
            .when_group("flags", "xIsStep", 0)
            .role(Role::Whole(Axis::X)),
        i8("zStep", "Z step", "Path units to add to the Z of the point before")
            .when_group("flags", "zIsStep", 1)
            .role(Role::Step(Axis::Z)),
        i16("zWhole", "Z", "Z stated afresh, path units")
            .when_group("flags", "zIsStep", 0)
            .role(Role::Whole(Axis::Z)),
    ]),
);

static PATH_ROWS: &[Row] = &[UNIT, TOKEN, FLAGS, FIRST_X, FIRST_Z, STEPS];

pub(super) const TERMS_TITLE: &str = "Terms";
pub(super) const TERMS_BLURB: &str = "How the unit travels";

static PATH_AT_SPEED_ROWS: &[Row] = &[
    UNIT,
    TOKEN,
    structure("terms", TERMS_TITLE, TERMS_BLURB, &SPEED_PARAMS),
    FLAGS,
    FIRST_X,
    FIRST_Z,
    STEPS,
];

/// One animation played in place of another. A length of 0, or above 2147483647, is followed by no name.
pub static ANIMATION_OVERRIDE: StructDef = StructDef {
    name: "AnimationOverride",
    builds: SINCE_1_0_0_130,
    rows: &[
        u32("fromLength", "From length", "Bytes of the name that follows"),
        text("from", "From", "Animation that is replaced", Extent::In("fromLength")),
        u32("toLength", "To length", "Bytes of the name that follows"),
        text("to", "To", "Animation played instead", Extent::In("toLength")),
    ],
};

/// Particles of one name, made together.
pub static PARTICLE_GROUP: StructDef = StructDef {
    name: "ParticleGroup",
    builds: since(130),
    rows: &[PARTICLE_NAME, GROUP_FLAGS, TARGET_BONE, BONE, PARTICLE_COUNT, particles(&PARTICLE)],
};

/// One particle of a group.
pub static PARTICLE: StructDef = StructDef {
    name: "Particle",
    builds: since(130),
    rows: &[
        PARTICLE_TARGET,
        PARTICLE_OWN_ID,
        BOUND_TO,
        AT_X,
        AT_Y,
        AT_Z,
        TOWARD_X,
        TOWARD_Y,
        TOWARD_Z,
        OWNER_X,
        OWNER_Y,
        OWNER_Z,
        FACING_X,
        FACING_Y,
        FACING_Z,
        RUNNING_FOR,
    ],
};

const fn particles(of: &'static StructDef) -> Row {
    list("particles", "Particle", "A particle of the group", Count::In("particleCount"), Item::Struct(of))
}

/// A particle's own id goes by one name wherever it stands, since `particle` is elsewhere the hash of a name.
pub const PARTICLE_ID: &str = "particle.id";

const PARTICLE_NAME: Row =
    name_hash("particle", "Particle name", "Hash of the name the particles are made by");
const TARGET_BONE: Row =
    name_hash("targetBone", "Target bone", "Hash of the place on the target they hang on");
const BONE: Row = name_hash("bone", "Bone", "Hash of the place on the unit that made them they hang on");
const PARTICLE_COUNT: Row = u8("particleCount", "Particle count", "Particles that follow");

const PARTICLE_TARGET: Row = unit("target", "Target", "Unit the particle is aimed at, 0 for none");
const PARTICLE_OWN_ID: Row =
    unit("particle", "Particle", "Id the particle answers to in later messages").also(PARTICLE_ID);
const BOUND_TO: Row =
    unit("boundTo", "Bound to", "Unit the particle hangs on, 0 for none; it may have to wait for that unit");

const AT_X: Row = i16("atX", "At X", "Place of the particle on the first ground axis, path units")
    .role(Role::Packed(Axis::X));
const AT_Y: Row = f32("atY", "At Y", "Height of the particle, world units");
const AT_Z: Row = i16("atZ", "At Z", "Place of the particle on the second ground axis, path units")
    .role(Role::Packed(Axis::Z));
const TOWARD_X: Row = i16("towardX", "Toward X", "Place it is aimed at on the first ground axis, path units")
    .role(Role::Packed(Axis::X));
const TOWARD_Y: Row = f32("towardY", "Toward Y", "Height of the place it is aimed at, world units");
const TOWARD_Z: Row =
    i16("towardZ", "Toward Z", "Place it is aimed at on the second ground axis, path units")
        .role(Role::Packed(Axis::Z));
const OWNER_X: Row =
    i16("ownerX", "Owner X", "Place of the unit that made it, first ground axis, path units")
        .role(Role::Packed(Axis::X));
const OWNER_Y: Row = f32("ownerY", "Owner Y", "Height of the unit that made it, world units");
const OWNER_Z: Row =
    i16("ownerZ", "Owner Z", "Place of the unit that made it, second ground axis, path units")
        .role(Role::Packed(Axis::Z));
const FACING_X: Row = f32("facingX", "Facing X", "Direction the particle looks, first ground axis");
const FACING_Y: Row = f32("facingY", "Facing Y", "Direction the particle looks, height");
const FACING_Z: Row = f32("facingZ", "Facing Z", "Direction the particle looks, second ground axis");
const RUNNING_FOR: Row = f32("runningFor", "Running for", "Seconds the particle has run already").seconds();

/// [`PARTICLE_GROUP`] with the package it is drawn with.
pub static PARTICLE_GROUP_V4: StructDef = StructDef {
    name: "ParticleGroup",
    builds: V4,
    rows: &[
        package_hash("package", "Package", "Hash of the set of art and sound they are drawn with"),
        PARTICLE_NAME,
        GROUP_FLAGS_V4,
        TARGET_BONE,
        BONE,
        PARTICLE_COUNT,
        particles(&PARTICLE_V4),
    ],
};

/// [`PARTICLE`] with its caster and its scale.
pub static PARTICLE_V4: StructDef = StructDef {
    name: "Particle",
    builds: V4,
    rows: &[
        PARTICLE_TARGET,
        PARTICLE_OWN_ID,
        unit("caster", "Caster", "Unit that made the particle"),
        BOUND_TO,
        u32("unknown1", "Unknown", "Not recorded"),
        AT_X,
        AT_Y,
        AT_Z,
        TOWARD_X,
        TOWARD_Y,
        TOWARD_Z,
        OWNER_X,
        OWNER_Y,
        OWNER_Z,
        FACING_X,
        FACING_Y,
        FACING_Z,
        RUNNING_FOR,
        f32("scale", "Scale", "Size of the particle; 1 is its own"),
    ],
};

/// Values of one unit that have changed, in groups.
pub static REPLICATION: StructDef = StructDef {
    name: "Replication",
    builds: V4,
    rows: &[
        bits(
            "present",
            "Present",
            "Which groups follow",
            1,
            &[
                bit("group0", "Group 0", "Group 0 follows", 0),
                bit("group1", "Group 1", "Group 1 follows", 1),
                bit("group2", "Group 2", "Group 2 follows", 2),
                bit("group3", "Group 3", "Group 3 follows", 3),
                bit("group4", "Group 4", "Group 4 follows, behind group 5", 4),
                bit("group5", "Group 5", "Group 5 follows, before group 4", 5),
                run("unknown", "Unknown", "Not recorded", 6, 7),
            ],
        ),
        unit("unit", "Unit", "Unit whose values they are").info(Info::Unit),
        record("group0", "Group 0", GROUP_BLURB, GROUP_ROWS).when_set("present.group0"),
        record("group1", "Group 1", GROUP_BLURB, GROUP_ROWS).when_set("present.group1"),
        record("group2", "Group 2", GROUP_BLURB, GROUP_ROWS).when_set("present.group2"),
        record("group3", "Group 3", GROUP_BLURB, GROUP_ROWS).when_set("present.group3"),
        // The last two stand the other way round than their bits.
        record("group5", "Group 5", GROUP_BLURB, GROUP_ROWS).when_set("present.group5"),
        record("group4", "Group 4", GROUP_BLURB, GROUP_ROWS).when_set("present.group4"),
    ],
};

const GROUP_BLURB: &str = "Values of this group";

static GROUP_ROWS: &[Row] = &[
    u32("which", "Which", "A bit for each value the group holds"),
    u8("length", "Length", "Bytes of the values"),
    bytes("values", "Values", "The values, one behind another", Extent::In("length")),
];

/// A message inside another.
pub static CARRIED_MESSAGE: StructDef = StructDef {
    name: "CarriedMessage",
    builds: V4,
    rows: &[
        u16("size", "Size", "Bytes of the message"),
        bytes("body", "Body", "The message, header and all", Extent::In("size")),
    ],
};

/// An item that a unit holds.
pub static HELD_ITEM: StructDef = StructDef {
    name: "HeldItem",
    builds: V4,
    rows: &[
        u8("slot", "Slot", "Place among the unit's items"),
        u8("inSlot", "In slot", "How many of it lie there"),
        u8("charges", "Charges", "How often it can be used"),
        u32("item", "Item", "Number of the item"),
    ],
};

/// A look of a unit.
pub static APPEARANCE: StructDef = StructDef {
    name: "Appearance",
    builds: V4,
    rows: &[
        u32("assetSize", "Asset size", "Bytes of the name that follows"),
        text("asset", "Asset", "Name the client loads the look under", Extent::In("assetSize"))
            .role(Role::UnitName),
        u32("skin", "Skin", "Skin of the look"),
        bits(
            "how",
            "How",
            "What the look changes",
            1,
            &[
                bit("overrideSpells", "Override spells", "The look brings spells of its own", 0),
                bit("modelOnly", "Model only", "The look changes the model alone", 1),
                bit("replacePackage", "Replace package", "The art and sound change too", 2),
                run("unknown", "Unknown", "Not recorded", 3, 7),
            ],
        ),
        u32("layer", "Layer", "Number that names the look"),
    ],
};

/// How many of an effect are stacked in a slot.
pub static EFFECT_STACK: StructDef = StructDef {
    name: "EffectStack",
    builds: V4,
    rows: &[
        u8("slot", "Slot", "Slot of the unit, from 0"),
        i32("count", "Stacks", "How many are stacked in the slot").also(STACKS),
    ],
};

/// Stacks go by two names in the pages, `count` and `stacks`; this one finds all.
pub const STACKS: &str = "effect.stacks";

/// A place of the match, and who holds it.
pub static SEAT: StructDef = StructDef {
    name: "Seat",
    builds: V4,
    rows: &[
        i64("player", "Player", "Number of the player's account; negative where the seat is empty"),
        u16("level", "Level", "Level the player has reached across matches"),
        name_hash("summoner", "Summoner spell", "Hash of the name of the first summoner spell"),
        name_hash("otherSummoner", "Other summoner spell", "Hash of the name of the second summoner spell"),
        u8(
            "flags",
            "Flags",
            "Bit 0: a bot holds the seat; bit 1: its champion shows in vintage art; others have no effect",
        )
        .meaning(&[
            bit("bot", "Held by a bot", "A bot holds the seat: the loading screen takes it for loaded", 0),
            bit(
                "vintage",
                "Vintage art",
                "The loading screen shows the champion in its skin's vintage art",
                1,
            ),
        ]),
        u32("side", "Side", "Side the seat is on, 0 where it is empty").values(&[(0, "empty seat")]),
        text("botName", "Bot name", "Name of the bot", Extent::Fixed(64)),
        text("botAsset", "Bot asset", "Name the client loads the bot's art under", Extent::Fixed(64)),
        text("standing", "Standing", "League the player stands in", Extent::Fixed(16)),
        i32("botSkin", "Bot skin", "Skin of the bot"),
        i32(
            "botDifficulty",
            "Bot difficulty",
            "How well the bot plays: beginner 0, intermediate 1, advanced 2, top 3, tutorial 4, intro 5",
        )
        .values(&[
            (0, "beginner"),
            (1, "intermediate"),
            (2, "advanced"),
            (3, "top"),
            (4, "tutorial"),
            (5, "intro"),
        ]),
        i32("icon", "Icon", "Profile icon; a negative number shows icon 0"),
        u8("allyBadge", "Ally badge", "Badge that allies see"),
        u8("enemyBadge", "Enemy badge", "Badge that enemies see"),
    ],
};
