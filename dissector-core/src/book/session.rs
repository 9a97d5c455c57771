//! How a match begins: who plays, which build, which map. Builds 4.17 and 4.20.

use super::families::SESSION;
use super::pages;
use super::ranges::{V4_17, V4_20};
use super::structs::SEAT;
use crate::field::ValueStrings;
use crate::layout::*;
use crate::version::Range;

/// Registers a client. Its command is one byte, without a net id.
/// No page states it: 4.17 and 4.20 are beyond the pages.
pub static REGISTER: Message = Message {
    name: "Register",
    family: &SESSION,
    blurb: "A client registers: who it is, its build, and the proof that it holds the key",
    exchange: Exchange::None,
    layouts: &[
        layout(V4_17, Sender::Client, channel::REGISTRATION, &[command(V4_17, 0)], REGISTER_ROWS).recorded(),
        layout(V4_20, Sender::Client, channel::REGISTRATION, &[command(V4_20, 0)], REGISTER_ROWS).recorded(),
    ],
};

const REGISTER_ROWS: &[Row] = &[
    LEADING,
    CLIENT_ID,
    PLAYER_ID,
    VERSION,
    i64("proof", "Proof", "The player's number, enciphered by itself with the key of the session"),
    TRAILING,
];

/// Answers a registration. Its command is one byte, without a net id.
/// No page states it: 4.17 and 4.20 are beyond the pages.
pub static REGISTERED: Message = Message {
    name: "Registered",
    family: &SESSION,
    blurb: "A server has taken a registration in, and says who it takes the client for",
    exchange: Exchange::None,
    layouts: &[
        layout(V4_17, Sender::Server, channel::REGISTRATION, &[command(V4_17, 0)], REGISTERED_ROWS)
            .accepted(),
        layout(V4_20, Sender::Server, channel::REGISTRATION, &[command(V4_20, 0)], REGISTERED_ROWS)
            .recorded(),
    ],
};

const REGISTERED_ROWS: &[Row] = &[
    LEADING,
    CLIENT_ID,
    PLAYER_ID,
    VERSION,
    // Bytes here, and a number in the client's: two kinds, two filter names.
    bytes("proof", "Proof, answered", "Eight bytes that a client does not check", Extent::Fixed(8))
        .filter("proofAnswered"),
    TRAILING,
];

const LEADING: Row =
    bytes("leading", "Leading", "Bytes left as they were in the sender's memory", Extent::Fixed(3));
const CLIENT_ID: Row =
    i32("clientId", "Client ID", "Number of the client in this match").info(Info::Value("client"));
const PLAYER_ID: Row = i64("playerId", "Player ID", "Number of the player's account");
const VERSION: Row =
    u32("version", "Version", "The client's build, digits run together: 42000315 is 4.20.0.315")
        .info(Info::Value("version"));
const TRAILING: Row = bytes("trailing", "Trailing", "Bytes without meaning", Extent::Fixed(4));

/// States the match: map, seats and settings.
/// No page states it: 4.17 and 4.20 are beyond the pages.
pub static VERSION_SYNC: Message = Message {
    name: "VersionSync",
    family: &SESSION,
    blurb: "A server states the match: whether the builds agree, the map, the seats and the settings",
    exchange: Exchange::None,
    layouts: &[
        from_server(
            V4_17,
            &[command(V4_17, 84)],
            &[
                bits(
                    "agreement",
                    AGREEMENT_TITLE,
                    AGREEMENT_BLURB,
                    1,
                    &[
                        BUILD_MATCHES,
                        bit("reportsToFile", "Reports to file", "Reports are written to a file", 1),
                        MATCHED,
                        REPORTING_READY,
                        AGREEMENT_UNKNOWN,
                    ],
                ),
                MAP,
                SEATS,
                BUILD,
                MODE,
                PLATFORM,
                VARIANTS,
                VARIANT_COUNT,
                TEAM_NAME,
                TEAM_TAG,
                OTHER_TEAM_NAME,
                OTHER_TEAM_TAG,
                METRICS_HOST,
                METRICS_PATH,
                METRICS_PORT,
                REPORTING_HOST,
                REPORTING_PATH,
                REPORTING_PORT,
                ALT_REPORTING_HOST,
                ALT_REPORTING_PATH,
                ALT_REPORTING_PORT,
                TIP,
                TIP_COLOUR,
                TIP_DURATION,
                bits(
                    "tipFlags",
                    TIP_FLAGS_TITLE,
                    TIP_FLAGS_BLURB,
                    1,
                    &[
                        bit("enabled", "Enabled", "Tips are shown", 0),
                        bit("replay", "Replay", "Tips are shown in replays", 1),
                        bit("loadingScreen", "Loading screen", "Tips are shown on the loading screen", 2),
                        bit("inGame", "In game", "Tips are shown in the game", 3),
                        bit("cycle", "Cycle", "One tip follows another", 4),
                        run("unused", "Unused", "Without meaning", 5, 7),
                    ],
                ),
                bits("features", FEATURES_TITLE, FEATURES_BLURB, 8, FEATURES),
                DISABLED_ITEMS,
                REPORTING_MESSAGES,
            ],
        )
        .recorded(),
        from_server(
            V4_20,
            &[command(V4_20, 84)],
            &[
                bits(
                    "agreement",
                    AGREEMENT_TITLE,
                    AGREEMENT_BLURB,
                    1,
                    &[
                        BUILD_MATCHES,
                        bit("unknown1", "Unknown 1", "Not recorded", 1),
                        MATCHED,
                        REPORTING_READY,
                        AGREEMENT_UNKNOWN,
                    ],
                ),
                MAP,
                SEATS,
                BUILD,
                MODE,
                PLATFORM,
                VARIANTS,
                VARIANT_COUNT,
                TEAM_NAME,
                TEAM_TAG,
                OTHER_TEAM_NAME,
                OTHER_TEAM_TAG,
                METRICS_HOST,
                METRICS_PATH,
                METRICS_PORT,
                REPORTING_HOST,
                REPORTING_PATH,
                REPORTING_PORT,
                ALT_REPORTING_HOST,
                ALT_REPORTING_PATH,
                ALT_REPORTING_PORT,
                TIP,
                TIP_COLOUR,
                TIP_DURATION,
                // A signed number here, a word of bits before: two kinds, two filter names.
                i8("tipFlags", TIP_FLAGS_TITLE, TIP_FLAGS_BLURB).filter("tipFlagsNumber"),
                u64("features", FEATURES_TITLE, FEATURES_BLURB).filter("features.raw"),
                DISABLED_ITEMS,
                REPORTING_MESSAGES,
            ],
        )
        .recorded(),
    ],
};

const AGREEMENT_TITLE: &str = "Agreement";
const AGREEMENT_BLURB: &str = "Whether the ends agree, and on what";
const BUILD_MATCHES: Run = bit("buildMatches", "Build matches", "Both ends are of one build", 0);
const MATCHED: Run = bit("matched", "Matched", "The match was made by matching players", 2);
const REPORTING_READY: Run = bit("reportingReady", "Reporting ready", "Reports can be sent", 3);
const AGREEMENT_UNKNOWN: Run = run("unknown", "Unknown", "Not recorded", 4, 7);

const MAP: Row = i32("map", "Map", "Number of the map").info(Info::Value("map"));
const SEATS: Row = list("seats", "Seat", "A place of the match", Count::Fixed(12), Item::Struct(&SEAT));
const BUILD: Row = text("build", "Build", "Build of the server, as text", Extent::Fixed(256));
const MODE: Row = text("mode", "Mode", "Mode the match is played in", Extent::Fixed(128));
const PLATFORM: Row = text("platform", "Platform", "Region the server belongs to", Extent::Fixed(32));
const VARIANTS: Row = list(
    "variants",
    "Variant",
    "Name of a variant of the rules",
    Count::Fixed(8),
    Item::Plain(&Type::Text(Extent::Fixed(64))),
);
const VARIANT_COUNT: Row = u8("variantCount", "Variant count", "How many of the variants are in use");

const TEAM_NAME: Row = text("teamName", "Team name", "Name of the team on the first side", Extent::Fixed(97));
const TEAM_TAG: Row = text("teamTag", "Team tag", "Tag of the team on the first side", Extent::Fixed(25));
const OTHER_TEAM_NAME: Row =
    text("otherTeamName", "Other team name", "Name of the team on the second side", Extent::Fixed(97));
const OTHER_TEAM_TAG: Row =
    text("otherTeamTag", "Other team tag", "Tag of the team on the second side", Extent::Fixed(25));

const METRICS_HOST: Row = text("metricsHost", "Metrics host", "Host that takes metrics", Extent::Fixed(256));
const METRICS_PATH: Row = text("metricsPath", "Metrics path", "Path on that host", Extent::Fixed(256));
const METRICS_PORT: Row = u16("metricsPort", "Metrics port", "Port of that host");
const REPORTING_HOST: Row =
    text("reportingHost", "Reporting host", "Host that takes reports", Extent::Fixed(256));
const REPORTING_PATH: Row = text("reportingPath", "Reporting path", "Path on that host", Extent::Fixed(256));
const REPORTING_PORT: Row = u16("reportingPort", "Reporting port", "Port of that host");
const ALT_REPORTING_HOST: Row =
    text("altReportingHost", "Other reporting host", "Host that takes reports instead", Extent::Fixed(256));
const ALT_REPORTING_PATH: Row =
    text("altReportingPath", "Other reporting path", "Path on that host", Extent::Fixed(256));
const ALT_REPORTING_PORT: Row = u16("altReportingPort", "Other reporting port", "Port of that host");

const TIP: Row = i8("tip", "Tip", "Number of the tip");
const TIP_COLOUR: Row = i8("tipColour", "Tip colour", "Number of the colour of the tip");
const TIP_DURATION: Row = i8("tipDuration", "Tip duration", "Number of the time the tip shows");
const TIP_FLAGS_TITLE: &str = "Tip flags";
const TIP_FLAGS_BLURB: &str = "Where tips are shown";

const FEATURES_TITLE: &str = "Features";
const FEATURES_BLURB: &str = "What the client offers, a bit each";
const SWITCH: &str = "Switch of this name; what it does is not recorded";
const UNNAMED: &str = "Not recorded";
const FEATURES: &[Run] = &[
    bit("balanceVoteCommands", "Balance vote commands", SWITCH, 0),
    bit("menuBack", "Menu back", SWITCH, 1),
    bit("menuBack2", "Menu back 2", SWITCH, 2),
    bit("quickChat", "Quick chat", SWITCH, 3),
    bit("missileWarning", "Missile warning", SWITCH, 4),
    bit("animatedCursors", "Animated cursors", SWITCH, 5),
    bit("shopUndo", "Shop undo", SWITCH, 6),
    bit("bit7", "Bit 7", UNNAMED, 7),
    bit("skillshotOutline", "Skillshot outline", SWITCH, 8),
    bit("championIndicator", "Champion indicator", SWITCH, 9),
    bit("altBounty", "Other bounty", SWITCH, 10),
    bit("bit11", "Bit 11", UNNAMED, 11),
    bit("turretRange", "Turret range", SWITCH, 12),
    bit("bit13", "Bit 13", UNNAMED, 13),
    bit("skinParticles", "Skin particles", SWITCH, 14),
    bit("networkMetrics", "Network metrics", SWITCH, 15),
    bit("hardwareMetrics", "Hardware metrics", SWITCH, 16),
    bit("lagMetrics", "Lag metrics", SWITCH, 17),
    bit("eventReports", "Event reports", SWITCH, 18),
    bit("logServerAddress", "Log server address", SWITCH, 19),
    bit("jungleTimers", "Jungle timers", SWITCH, 20),
    bit("traceroute", "Traceroute", SWITCH, 21),
    bit("bit22", "Bit 22", UNNAMED, 22),
    bit("bit23", "Bit 23", UNNAMED, 23),
    bit("bit24", "Bit 24", UNNAMED, 24),
    bit("clockSync", "Clock sync", SWITCH, 25),
    bit("bit26", "Bit 26", UNNAMED, 26),
    bit("farmBounty", "Farm bounty", SWITCH, 27),
    bit("turretsPersist", "Turrets persist", SWITCH, 28),
    bit("stateFlags", "State flags", SWITCH, 29),
    run("unused", "Unused", "Without meaning", 30, 31),
    run("unusedHigh", "Unused, high", "More bits without meaning", 32, 63),
];

const DISABLED_ITEMS: Row = list(
    "disabledItems",
    "Disabled item",
    "Number of an item that cannot be bought",
    Count::Fixed(64),
    Item::Plain(&Type::Int { bytes: 4, signed: false }),
);
const REPORTING_MESSAGES: Row = list(
    "reportingMessages",
    "Reporting message",
    "Whether a kind of report is sent",
    Count::Fixed(19),
    Item::Plain(&Type::Int { bytes: 1, signed: false }),
);

/// States the client's build.
/// No page states it: 4.17 and 4.20 are beyond the pages.
pub static CLIENT_VERSION: Message = Message {
    name: "ClientVersion",
    family: &SESSION,
    blurb: "A client states its build",
    exchange: Exchange::None,
    layouts: &[
        layout(V4_17, Sender::Client, channel::REQUESTS, &[command(V4_17, 189)], CLIENT_VERSION_ROWS)
            .recorded(),
        layout(V4_20, Sender::Client, channel::REQUESTS, &[command(V4_20, 189)], CLIENT_VERSION_ROWS)
            .recorded(),
    ],
};

const CLIENT_VERSION_ROWS: &[Row] = &[
    u32("clientId", "Client ID", "Number of the client in this match").info(Info::Value("client")),
    text("text", "Text", "The build as text, after the word Version", Extent::Fixed(256)),
];

/// Asks whether the server is ready.
/// No page states it: 4.17 and 4.20 are beyond the pages.
pub static QUERY_STATUS: Message = Message {
    name: "QueryStatus",
    family: &SESSION,
    blurb: "A client asks whether the server is ready",
    exchange: Exchange::None,
    layouts: &[
        layout(V4_17, Sender::Client, channel::REQUESTS, &[command(V4_17, 20)], &[]).recorded(),
        layout(V4_20, Sender::Client, channel::REQUESTS, &[command(V4_20, 20)], &[]).recorded(),
    ],
};

/// Says whether the server is ready.
/// No page states it: 4.17 and 4.20 are beyond the pages.
pub static QUERY_STATUS_ANSWER: Message = Message {
    name: "QueryStatusAnswer",
    family: &SESSION,
    blurb: "A server says whether it is ready",
    exchange: Exchange::None,
    layouts: &[
        from_server(V4_17, &[command(V4_17, 136)], &[READY]).accepted(),
        from_server(V4_20, &[command(V4_20, 136)], &[READY]).recorded(),
    ],
};

const NO_YES: ValueStrings = &[(0, "no"), (1, "yes")];
const READY: Row =
    u8("ready", "Ready", "Whether the server is ready").value_strings(NO_YES).info(Info::Value("ready"));

/// Sets the client's clock.
/// No page states it: 4.17 and 4.20 are beyond the pages.
pub static CLOCK_SYNC: Message = Message {
    name: "ClockSync",
    family: &SESSION,
    blurb: "A server states how long the match has run",
    exchange: Exchange::None,
    layouts: &[
        from_server(V4_17, &[command(V4_17, 193)], &[ELAPSED]).accepted(),
        from_server(V4_20, &[command(V4_20, 193)], &[ELAPSED]),
    ],
};

const ELAPSED: Row =
    f32("elapsed", "Elapsed", "Seconds the match has run").seconds().info(Info::Value("elapsed"));

/// Begins the making of the match's objects.
/// No page states it: 4.17 and 4.20 are beyond the pages.
pub static SPAWN_START: Message = Message {
    name: "SpawnStart",
    family: &SESSION,
    blurb: "A server begins to make the objects of the match",
    exchange: Exchange::None,
    layouts: &[
        from_server(V4_17, &[command(V4_17, 98)], BOTS).accepted(),
        from_server(V4_20, &[command(V4_20, 98)], BOTS),
    ],
};

const BOTS: &[Row] = &[
    u8("botsOnOneSide", "Bots on one side", "How many bots the first side has"),
    u8("botsOnTheOther", "Bots on the other", "How many bots the second side has"),
];

/// Ends the making of the match's objects.
/// No page states it: 4.17 and 4.20 are beyond the pages.
pub static SPAWN_END: Message = Message {
    name: "SpawnEnd",
    family: &SESSION,
    blurb: "A server has made the objects of the match",
    exchange: Exchange::None,
    layouts: &[
        from_server(V4_17, &[command(V4_17, 17)], &[]).accepted(),
        from_server(V4_20, &[command(V4_20, 17)], &[]),
    ],
};

/// Starts the match.
/// No page states it: 4.17 and 4.20 are beyond the pages.
pub static START_GAME: Message = Message {
    name: "StartGame",
    family: &SESSION,
    blurb: "A server starts the match",
    exchange: Exchange::None,
    layouts: &[
        from_server(
            V4_17,
            &[command(V4_17, 92)],
            &[bits(
                "rules",
                "Rules",
                "What the match allows",
                1,
                &[PAUSING, run("unused", "Unused", "Written as zero", 1, 7)],
            )],
        )
        .accepted(),
        from_server(
            V4_20,
            &[command(V4_20, 92)],
            &[bits(
                "rules",
                "Rules",
                "What the match allows",
                1,
                &[PAUSING, run("unknown", "Unknown", "Not recorded", 1, 7)],
            )],
        ),
    ],
};

const PAUSING: Run = bit("pausing", "Pausing", "The match can be paused", 0);

const fn from_server(builds: Range, commands: &'static [Command], rows: &'static [Row]) -> Layout {
    layout(builds, Sender::Server, channel::EVENTS, commands, rows)
}

const fn layout(
    builds: Range,
    sender: Sender,
    channel: u8,
    commands: &'static [Command],
    rows: &'static [Row],
) -> Layout {
    Layout {
        builds,
        sender,
        channel,
        delivery: Delivery::Reliable,
        commands,
        page: &pages::LATER,
        evidence: Evidence::Page,
        rows,
    }
}
