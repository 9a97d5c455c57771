//! How units move on screen. Pages: Effects and looks, builds 1.0.0.130–3.1.0.0; builds 4.17 and 4.20.

use super::families::ANIMATION;
use super::pages;
use super::ranges::{V4_17, V4_20};
use super::structs::ANIMATION_OVERRIDE;
use crate::layout::*;
use crate::version::{builds, since, Range};

/// Has a unit play other animations than its own.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 and 4.20 beyond the pages.
pub static ANIMATION_OVERRIDES: Message = Message {
    name: "AnimationOverrides",
    family: &ANIMATION,
    blurb: "A server has the unit that the header names play some animations in place of others",
    exchange: Exchange::None,
    layouts: &[
        layout(
            builds(130, 137),
            &[command(builds(130, 131), 110), command(builds(132, 137), 111)],
            OVERRIDES,
        )
        .recorded(),
        // The page says for this range that a later pair of the same `from` replaces an earlier one.
        layout(builds(138, 143), &[command(builds(138, 143), 113)], OVERRIDES),
        layout(since(144), &[command(builds(144, 149), 107), command(since(150), 104)], OVERRIDES),
        layout(V4_17, &[command(V4_17, 107)], OVERRIDES).recorded(),
        layout(V4_20, &[command(V4_20, 107)], OVERRIDES).recorded(),
    ],
};

const OVERRIDES: &[Row] = &[
    u8("pairCount", "Pair count", "Pairs that follow"),
    list(
        "pairs",
        "Pair",
        "An animation and its stand-in",
        Count::In("pairCount"),
        Item::Struct(&ANIMATION_OVERRIDE),
    )
    .info(Info::Items("pair")),
];

/// Plays an animation.
///
/// While a locked one plays, nothing comes of the message. An emote ends first, and the speed is the normal one.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 beyond the pages.
pub static PLAY_ANIMATION: Message = Message {
    name: "PlayAnimation",
    family: &ANIMATION,
    blurb: "A server has the unit that the header names play an animation",
    exchange: Exchange::None,
    layouts: &[
        layout(
            builds(130, 151),
            &[
                command(builds(130, 131), 184),
                command(builds(132, 134), 185),
                command(builds(135, 135), 187),
                command(builds(136, 137), 185),
                command(builds(138, 138), 187),
                command(builds(139, 140), 186),
                command(builds(141, 143), 188),
                command(builds(144, 149), 176),
                command(builds(150, 151), 173),
            ],
            &[
                bits(
                    "flags",
                    FLAGS_TITLE,
                    FLAGS_BLURB,
                    4,
                    &[
                        LOOP,
                        HOLD_LAST_FRAME,
                        QUEUE,
                        QUEUE_LAST,
                        REPLACEABLE,
                        LOCKED,
                        bit(
                            "noRestart",
                            "No restart",
                            "Where the unit plays it already, it goes on undisturbed",
                            6,
                        ),
                        bit(
                            "noFadeIn",
                            "No fade-in",
                            "Switches without a blend, unless it has to wait its turn",
                            7,
                        ),
                        bit(
                            "jumpToEnd",
                            "Jump to end",
                            "Begins at its end: over at once, or held with holdLastFrame",
                            8,
                        ),
                        run("unused", "Unused", "Written as zero", 9, 31),
                    ],
                ),
                SCALE_TIME,
                PLAYED,
            ],
        )
        .recorded(),
        layout(
            since(152),
            &[command(since(152), 173)],
            &[
                bits(
                    "flags",
                    FLAGS_TITLE,
                    FLAGS_BLURB,
                    4,
                    &[
                        LOOP,
                        HOLD_LAST_FRAME,
                        QUEUE,
                        QUEUE_LAST,
                        REPLACEABLE,
                        LOCKED,
                        bit("noBlend", "No blend", "Switches at once rather than blending in", 6),
                        bit(
                            "lockedFromIdle",
                            "Locked from idle",
                            "Idling does not take its place by and by",
                            7,
                        ),
                        bit("reserved", "Reserved", "Not recorded; written as zero", 8),
                        run("unused", "Unused", "Written as zero", 9, 31),
                    ],
                ),
                SCALE_TIME,
                START_PROGRESS,
                PLAYED,
            ],
        ),
        layout(
            V4_17,
            &[command(V4_17, 176)],
            &[
                bits(
                    "flags",
                    FLAGS_TITLE,
                    FLAGS_BLURB,
                    4,
                    &[
                        bit("locked", "Locked", "While it plays the unit ignores this message", 0),
                        bit(
                            "lockedFromIdle",
                            "Locked from idle",
                            "Idling does not take its place by and by",
                            1,
                        ),
                        bit("noBlend", "No blend", "Switches at once rather than blending in", 2),
                        bit("loop", "Loop", "Plays over and over", 3),
                        bit("keepEmotes", "Keep emotes", "An emote is not stopped first", 4),
                        run("unused", "Unused", "Written as zero", 5, 31),
                    ],
                ),
                SCALE_TIME,
                START_PROGRESS,
                f32("speed", "Speed", "How fast it plays; 1 is its own speed"),
                PLAYED,
            ],
        )
        .recorded(),
    ],
};

/// Stops animations.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 beyond the pages.
pub static STOP_ANIMATION: Message = Message {
    name: "StopAnimation",
    family: &ANIMATION,
    blurb: "A server stops an animation of the unit that the header names, or all of them",
    exchange: Exchange::None,
    layouts: &[
        layout(
            builds(130, 137),
            &[command(builds(130, 137), 43)],
            &[bits(
                "flags",
                FLAGS_TITLE,
                FLAGS_BLURB,
                1,
                &[FADE, IGNORE_LOCK, bit("stopAll", "Stop all", "Every animation stops", 2), STOP_UNUSED],
            )],
        )
        .recorded(),
        layout(since(138), &[command(builds(138, 143), 43), command(since(144), 40)], STOP_NAMED),
        layout(V4_17, &[command(V4_17, 41)], STOP_NAMED).recorded(),
    ],
};

const STOP_NAMED: &[Row] = &[
    bits(
        "flags",
        FLAGS_TITLE,
        FLAGS_BLURB,
        1,
        &[
            FADE,
            IGNORE_LOCK,
            bit("stopAll", "Stop all", "Every animation stops, if the name is empty", 2),
            STOP_UNUSED,
        ],
    ),
    text("animation", ANIMATION_TITLE, "Name of the animation, or nothing", Extent::Zero),
];

/// Pauses or resumes an animation.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 beyond the pages.
pub static PAUSE_ANIMATION: Message = Message {
    name: "PauseAnimation",
    family: &ANIMATION,
    blurb: "A server pauses the animation of the unit that the header names, or lets it go on",
    exchange: Exchange::None,
    layouts: &[
        layout(
            builds(130, 146),
            &[
                command(builds(130, 131), 116),
                command(builds(132, 137), 117),
                command(builds(138, 143), 119),
                command(builds(144, 146), 113),
            ],
            &[u8("paused", "Paused", "Not zero pauses it, zero lets it go on").info(Info::Value("paused"))],
        ),
        layout(since(147), &[command(builds(147, 149), 113), command(since(150), 110)], PAUSE),
        layout(V4_17, &[command(V4_17, 113)], PAUSE).recorded(),
    ],
};

const PAUSE: &[Row] = &[bits(
    "state",
    "State",
    "Whether to pause",
    1,
    &[
        bit("paused", "Paused", "Set pauses it, clear lets it go on", 0),
        run("unused", "Unused", "Written as zero", 1, 7),
    ],
)];

/// Moves an animation on.
/// Page: Effects and looks, which gives it a name and no layout; 4.17 beyond the pages.
pub static ANIMATION_ADVANCED: Message = Message {
    name: "AnimationAdvanced",
    family: &ANIMATION,
    blurb: "A server moves an animation of the unit that the header names on by some time",
    exchange: Exchange::None,
    layouts: &[layout(
        V4_17,
        &[command(V4_17, 259)],
        &[
            f32("seconds", "Seconds", "Seconds by which it moves on").seconds().info(Info::Value("seconds")),
            text("animation", ANIMATION_TITLE, "Name of the animation", Extent::Fixed(64)),
        ],
    )
    .accepted()],
};

const fn layout(builds: Range, commands: &'static [Command], rows: &'static [Row]) -> Layout {
    Layout {
        builds,
        sender: Sender::Server,
        channel: channel::EVENTS,
        delivery: Delivery::Reliable,
        commands,
        page: pages::looks(builds),
        evidence: Evidence::Page,
        rows,
    }
}

const FLAGS_TITLE: &str = "Flags";
const FLAGS_BLURB: &str = "How the animation plays, or how it stops";

const LOOP: Run = bit("loop", "Loop", "Plays over and over", 0);
const HOLD_LAST_FRAME: Run =
    bit("holdLastFrame", "Hold last frame", "Keeps its last frame when it is over", 1);
const QUEUE: Run = bit("queue", "Queue", "Waits until the animation now playing is over", 2);
const QUEUE_LAST: Run = bit("queueLast", "Queue last", "Waits until all that wait already have played", 3);
const REPLACEABLE: Run =
    bit("replaceable", "Replaceable", "The next one queued after it may start at once", 4);
const LOCKED: Run = bit("locked", "Locked", "While it plays the unit ignores this message", 5);

const FADE: Run = bit("fade", "Fade", "The animation fades out", 0);
const IGNORE_LOCK: Run = bit("ignoreLock", "Ignore lock", "A locked animation stops too", 1);
const STOP_UNUSED: Run = run("unused", "Unused", "Written as zero", 3, 7);

const SCALE_TIME: Row = f32(
    "scaleTime",
    "Scale time",
    "Above zero: seconds it is made to take, slower or faster than its own time",
)
.seconds();

const START_PROGRESS: Row =
    f32("startProgress", "Start progress", "Where in the animation it starts, 0 to 1, where above zero");

const ANIMATION_TITLE: &str = "Animation";
const PLAYED: Row = text(
    "animation",
    ANIMATION_TITLE,
    "Name of the animation, at most 64 bytes with its zero; a name the unit lacks plays nothing",
    Extent::Zero,
);
