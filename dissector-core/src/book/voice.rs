//! Voices of units. Pages: Effects and looks, builds 1.0.0.130–3.1.0.0; build 4.17.

use super::families::VOICE;
use super::pages;
use super::ranges::V4_17;
use crate::layout::*;
use crate::version::{builds, since, Range};

/// Changes or resets a voice.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 beyond the pages.
pub static VOICE_OVERRIDE: Message = Message {
    name: "VoiceOverride",
    family: &VOICE,
    blurb: "A server gives the unit that the header names another voice, or its own again",
    exchange: Exchange::None,
    layouts: &[
        layout(
            builds(130, 146),
            &[
                command(builds(130, 131), 158),
                command(builds(132, 134), 159),
                command(builds(135, 135), 161),
                command(builds(136, 137), 159),
                command(builds(138, 138), 161),
                command(builds(139, 143), 160),
                command(builds(144, 146), 150),
            ],
            &[
                bits(
                    "flags",
                    "Flags",
                    "Whether to reset; a client of these builds does so only where the byte is 1",
                    1,
                    FLAGS,
                ),
                VOICE_NAME.unless_alone("flags", "reset"),
            ],
        ),
        layout(
            since(147),
            &[command(builds(147, 149), 150), command(since(150), 147)],
            &[bits("flags", "Flags", "Whether to reset", 1, FLAGS), VOICE_NAME.when("flags.reset", 0)],
        ),
        layout(
            V4_17,
            &[command(V4_17, 150)],
            &[
                bits("flags", "Flags", "Whether to reset", 1, FLAGS),
                VOICE_NAME.when("flags.reset", 0),
                u8("leftover", "Leftover", "A byte without meaning in place of the name")
                    .when("flags.reset", 1),
            ],
        )
        .recorded(),
    ],
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

const FLAGS: &[Run] = &[
    bit("reset", "Reset", "The unit speaks with its own voice again, and no name follows", 0),
    run("unused", "Unused", "Written as zero", 1, 7),
];

const VOICE_NAME: Row = text("voice", "Voice", "Name of the voice", Extent::Zero);
