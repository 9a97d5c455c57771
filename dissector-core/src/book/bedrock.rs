//! Minecraft Bedrock. Page: MoveActorDeltaPacket, protocol 2208; earlier protocols after what clients and servers write.
//!
//! Protocols stand where builds do: protocol 2208 is 0.0.0.2208, which no build of the other books is.

use crate::layout::*;
use crate::version::{Build, Range};

/// The build that stands for a protocol.
pub const fn protocol(number: u16) -> Build {
    Build::new(0, 0, 0, number)
}

const fn protocols(from: u16, until: u16) -> Range {
    Range { from: protocol(from), until: protocol(until) }
}

/// The last protocol of the book.
pub const LATEST: u16 = 2208;
/// From here on a connection begins with RequestNetworkSettings, uncompressed until NetworkSettings.
pub const NEGOTIATES: u16 = 554;
/// From here on a byte in front of each batch names its compression, once NetworkSettings has been sent.
pub const NAMES_COMPRESSION: u16 = 649;
/// The last protocol whose batches are zlib streams; until [`NEGOTIATES`] they are bare deflate.
pub const LAST_ZLIB: u16 = 389;

/// Protocols whose MoveActorDelta has a word of flags and differences of places.
pub const DIFFERING: Range = protocols(388, 408);
/// Protocols whose numbers are known and whose MoveActorDelta has a word of flags and absolute places.
pub const FLAGGED: Range = protocols(419, 1001);
/// Protocols in which each component says for itself whether it is there.
pub const OPTIONAL: Range = protocols(2168, 2169);
/// The protocol that the page of MoveActorDelta states.
pub const STATED: Range = protocols(LATEST, LATEST);
/// Protocols that add ticks.
pub const TICKING: Range = protocols(2193, LATEST);

/// The Bedrock packet of which there is a page.
pub static MOVE_ACTOR_DELTA_PAGE: Page =
    Page { title: "MoveActorDeltaPacket", builds: STATED, source: Source::Page };

/// No page: Bedrock as other readers and writers of the protocol have it.
pub static OTHERS_PAGE: Page =
    Page { title: "other readers and writers", builds: ALL, source: Source::Beyond };

static MOVE_ACTOR_DELTA: Family =
    Family { prefix: "bedrock.moveActorDelta", title: "Move Data", short_name: "" };
static REQUEST_NETWORK_SETTINGS: Family =
    Family { prefix: "bedrock.requestNetworkSettings", title: "Network settings request", short_name: "" };
static NETWORK_SETTINGS: Family =
    Family { prefix: "bedrock.networkSettings", title: "Network settings", short_name: "" };
static LOGIN: Family = Family { prefix: "bedrock.login", title: "Login", short_name: "" };

/// The packets of the book.
pub static MESSAGES: &[&Message] = &[&MOVE_ACTOR, &NETWORK_SETTINGS_REQUEST, &SETTINGS, &LOGIN_PACKET];

/// Where an actor has got to since the server said so last.
/// Page: MoveActorDeltaPacket, protocol 2208; earlier ones as other readers and writers have them.
pub static MOVE_ACTOR: Message = Message {
    name: "MoveActorDelta",
    family: &MOVE_ACTOR_DELTA,
    blurb: "A server states what has changed of an actor's position, rotation and head rotation",
    exchange: Exchange::None,
    layouts: &[
        from_server(
            DIFFERING,
            &[command(DIFFERING, 111)],
            &[
                ACTOR,
                bits("header", "Header", "Which components follow, and how to move", 2, EARLY_FLAGS),
                zig_zag32("differenceX", "Difference X", DIFFERENCE).when_set("header.differenceX"),
                zig_zag32("differenceY", "Difference Y", DIFFERENCE).when_set("header.differenceY"),
                zig_zag32("differenceZ", "Difference Z", DIFFERENCE).when_set("header.differenceZ"),
                ROTATION_X.when_set("header.rotationX"),
                ROTATION_Y.when_set("header.rotationY"),
                ROTATION_Y_HEAD.when_set("header.rotationYHead"),
            ],
        ),
        from_server(
            FLAGGED,
            &[command(FLAGGED, 111)],
            &[
                ACTOR,
                bits("header", "Header", "Which components follow, and how to move", 2, FLAGS),
                NEW_POSITION_X.when_set("header.newPositionX"),
                NEW_POSITION_Y.when_set("header.newPositionY"),
                NEW_POSITION_Z.when_set("header.newPositionZ"),
                ROTATION_X.when_set("header.rotationX"),
                ROTATION_Y.when_set("header.rotationY"),
                ROTATION_Y_HEAD.when_set("header.rotationYHead"),
            ],
        ),
        from_server(
            OPTIONAL,
            &[command(OPTIONAL, 111)],
            &[
                ACTOR,
                NEW_POSITION_X.optional(),
                NEW_POSITION_Y.optional(),
                NEW_POSITION_Z.optional(),
                ROTATION_X.optional(),
                ROTATION_Y.optional(),
                ROTATION_Y_HEAD.optional(),
                IS_ON_GROUND,
                FORCE_MOVE,
                FORCE_MOVE_LOCAL_ENTITY,
                FORCE_COMPLETION,
            ],
        ),
        from_server(
            TICKING,
            &[command(TICKING, 111)],
            &[
                ACTOR,
                NEW_POSITION_X.optional(),
                NEW_POSITION_Y.optional(),
                NEW_POSITION_Z.optional(),
                ROTATION_X.optional(),
                ROTATION_Y.optional(),
                ROTATION_Y_HEAD.optional(),
                IS_ON_GROUND,
                FORCE_MOVE,
                FORCE_MOVE_LOCAL_ENTITY,
                FORCE_COMPLETION,
                varint64(
                    "ticks",
                    "Ticks",
                    "Ticks expected until the next update, over which a client interpolates",
                ),
            ],
        )
        .on_page(&MOVE_ACTOR_DELTA_PAGE),
    ],
};

const ACTOR: Row =
    varint64("actorRuntimeId", "Actor Runtime ID", "Runtime id of the actor that moves").role(Role::Actor);

const NEW_POSITION_X: Row =
    f32("newPositionX", "New Position X", "New X coordinate, blocks; absent where it has not changed")
        .role(Role::Coordinate(0));
const NEW_POSITION_Y: Row = f32(
    "newPositionY",
    "New Position Y",
    "New Y coordinate (height), blocks; absent where it has not changed",
)
.role(Role::Coordinate(1));
const NEW_POSITION_Z: Row =
    f32("newPositionZ", "New Position Z", "New Z coordinate, blocks; absent where it has not changed")
        .role(Role::Coordinate(2));

const ROTATION_X: Row =
    i8("rotationX", "Rotation X", "New pitch in 256ths of a circle; absent where it has not changed")
        .role(Role::Turn);
const ROTATION_Y: Row =
    i8("rotationY", "Rotation Y", "New yaw in 256ths of a circle; absent where it has not changed")
        .role(Role::Turn);
const ROTATION_Y_HEAD: Row = i8(
    "rotationYHead",
    "Rotation Y Head",
    "New yaw of the head in 256ths of a circle; absent where it has not changed or the actor is no mob",
)
.role(Role::Turn);

const IS_ON_GROUND: Row = boolean("isOnGround", "Is On Ground", ON_GROUND);
const FORCE_MOVE: Row = boolean("forceMove", "Force Move", SNAP);
const FORCE_MOVE_LOCAL_ENTITY: Row = boolean("forceMoveLocalEntity", "Force Move Local Entity", SNAP_LOCAL);
const FORCE_COMPLETION: Row = boolean("forceCompletion", "Force Completion", COMPLETE);

const DIFFERENCE: &str =
    "By how much the 32 bits of this coordinate's float have grown since the server stated it last: no position by itself";
const ON_GROUND: &str = "Whether the actor stands on the ground after this update";
const SNAP: &str = "Whether the actor is put there at once, without interpolation";
const SNAP_LOCAL: &str = "Whether an actor that the receiver owns is put there at once";
const COMPLETE: &str = "Whether a movement of the receiver's own is completed first";

/// The word of flags of the earlier layout. Writers may set the unused bits: they are to be ignored.
const FLAGS: &[Run] = &[
    bit("newPositionX", "X follows", "Whether New Position X follows", 0)
        .also("bedrock.moveActorDelta.newPositionX.present"),
    bit("newPositionY", "Y follows", "Whether New Position Y follows", 1)
        .also("bedrock.moveActorDelta.newPositionY.present"),
    bit("newPositionZ", "Z follows", "Whether New Position Z follows", 2)
        .also("bedrock.moveActorDelta.newPositionZ.present"),
    bit("rotationX", "Pitch follows", "Whether Rotation X follows", 3)
        .also("bedrock.moveActorDelta.rotationX.present"),
    bit("rotationY", "Yaw follows", "Whether Rotation Y follows", 4)
        .also("bedrock.moveActorDelta.rotationY.present"),
    bit("rotationYHead", "Head yaw follows", "Whether Rotation Y Head follows", 5)
        .also("bedrock.moveActorDelta.rotationYHead.present"),
    bit("isOnGround", "Is On Ground", ON_GROUND, 6).also("bedrock.moveActorDelta.isOnGround"),
    bit("forceMove", "Force Move", SNAP, 7).also("bedrock.moveActorDelta.forceMove"),
    bit("forceMoveLocalEntity", "Force Move Local Entity", SNAP_LOCAL, 8)
        .also("bedrock.moveActorDelta.forceMoveLocalEntity"),
    bit("forceCompletion", "Force Completion", COMPLETE, 9).also("bedrock.moveActorDelta.forceCompletion"),
    run("unused", "Unused", "Bits without meaning, set or not", 10, 15),
];

/// The word of flags where differences follow it.
const EARLY_FLAGS: &[Run] = &[
    bit("differenceX", "X follows", "Whether Difference X follows", 0),
    bit("differenceY", "Y follows", "Whether Difference Y follows", 1),
    bit("differenceZ", "Z follows", "Whether Difference Z follows", 2),
    bit("rotationX", "Pitch follows", "Whether Rotation X follows", 3)
        .also("bedrock.moveActorDelta.rotationX.present"),
    bit("rotationY", "Yaw follows", "Whether Rotation Y follows", 4)
        .also("bedrock.moveActorDelta.rotationY.present"),
    bit("rotationYHead", "Head yaw follows", "Whether Rotation Y Head follows", 5)
        .also("bedrock.moveActorDelta.rotationYHead.present"),
    bit("isOnGround", "Is On Ground", ON_GROUND, 6).also("bedrock.moveActorDelta.isOnGround"),
    bit("forceMove", "Force Move", SNAP, 7).also("bedrock.moveActorDelta.forceMove"),
    bit("forceMoveLocalEntity", "Force Move Local Entity", SNAP_LOCAL, 8)
        .also("bedrock.moveActorDelta.forceMoveLocalEntity"),
    run("unused", "Unused", "Bits without meaning, set or not", 9, 15),
];

/// Every protocol a client may state.
pub const ALL: Range = protocols(1, u16::MAX);
const UNTIL_553: Range = protocols(388, NEGOTIATES - 1);
const SINCE_554: Range = protocols(NEGOTIATES, u16::MAX);

/// How a client of protocol 554 and later opens a connection.
/// No page: as other readers and writers have it.
pub static NETWORK_SETTINGS_REQUEST: Message = Message {
    name: "RequestNetworkSettings",
    family: &REQUEST_NETWORK_SETTINGS,
    blurb: "A client states its protocol and asks how batches are compressed",
    exchange: Exchange::None,
    layouts: &[Layout {
        sender: Sender::Client,
        ..from_server(
            SINCE_554,
            &[command(SINCE_554, 193)],
            &[i32_be("clientNetworkVersion", "Client Network Version", "Protocol that the client speaks")],
        )
    }],
};

/// How batches are compressed from now on.
/// No page: as other readers and writers have it.
pub static SETTINGS: Message = Message {
    name: "NetworkSettings",
    family: &NETWORK_SETTINGS,
    blurb: "A server states how batches are compressed",
    exchange: Exchange::None,
    layouts: &[
        from_server(UNTIL_553, &[command(UNTIL_553, 143)], &[THRESHOLD]),
        from_server(
            SINCE_554,
            &[command(SINCE_554, 143)],
            &[
                THRESHOLD,
                u16(
                    "compressionAlgorithm",
                    "Compression Algorithm",
                    "How batches are compressed from now on",
                )
                .value_strings(ALGORITHMS),
                boolean("clientThrottleEnabled", "Client Throttle Enabled", "Whether clients are throttled"),
                u8("clientThrottleThreshold", "Client Throttle Threshold", "Players from which on they are"),
                f32("clientThrottleScalar", "Client Throttle Scalar", "By how much they are"),
            ],
        ),
    ],
};

const THRESHOLD: Row = u16(
    "compressionThreshold",
    "Compression Threshold",
    "Bytes from which on a batch is compressed; 0 is never",
);

const ALGORITHMS: crate::field::ValueStrings = &[(0, "deflate"), (1, "Snappy"), (65535, "none")];

/// Who joins; the first packet of a connection before protocol 554.
/// No page: as other readers and writers have it.
pub static LOGIN_PACKET: Message = Message {
    name: "Login",
    family: &LOGIN,
    blurb: "A client states its protocol and who plays",
    exchange: Exchange::None,
    layouts: &[Layout {
        sender: Sender::Client,
        ..from_server(
            ALL,
            &[command(ALL, 1)],
            &[
                i32_be("clientNetworkVersion", "Client Network Version", "Protocol that the client speaks"),
                bytes(
                    "connectionRequest",
                    "Connection Request",
                    "The player's tokens with their length in front",
                    Extent::Rest,
                ),
            ],
        )
    }],
};

const fn from_server(builds: Range, commands: &'static [Command], rows: &'static [Row]) -> Layout {
    Layout {
        builds,
        sender: Sender::Server,
        channel: 0,
        delivery: Delivery::Reliable,
        commands,
        page: &OTHERS_PAGE,
        evidence: Evidence::Page,
        rows,
    }
}
