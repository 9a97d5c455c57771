//! Units and minions that fade. Pages: Effects and looks, builds 1.0.0.130–3.1.0.0; build 4.17.

use super::families::FADE;
use super::pages;
use super::ranges::V4_17;
use crate::layout::*;
use crate::version::{builds, since, Range};

/// Fades a unit.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 beyond the pages.
pub static FADE_TO: Message = Message {
    name: "FadeTo",
    family: &FADE,
    blurb: "A server fades the unit that the header names to an opacity",
    exchange: Exchange::None,
    layouts: &[
        layout(
            builds(130, 140),
            &[
                command(builds(130, 131), 186),
                command(builds(132, 134), 187),
                command(builds(135, 135), 189),
                command(builds(136, 137), 187),
                command(builds(138, 138), 189),
                command(builds(139, 140), 188),
            ],
            &[FADE_NUMBER, TARGET, TIME],
        ),
        layout(
            since(141),
            &[command(builds(141, 143), 190), command(builds(144, 149), 178), command(since(150), 175)],
            &[FADE_NUMBER, TIME, TARGET],
        ),
        layout(V4_17, &[command(V4_17, 178)], &[FADE_NUMBER, TIME, TARGET]).recorded(),
    ],
};

/// Undoes a fade.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 beyond the pages.
pub static FADE_REMOVED: Message = Message {
    name: "FadeRemoved",
    family: &FADE,
    blurb: "A server undoes a fade of the unit that the header names",
    exchange: Exchange::None,
    layouts: &[
        layout(since(130), &[command(builds(130, 143), 52), command(since(144), 49)], &[FADE_NUMBER]),
        layout(V4_17, &[command(V4_17, 50)], &[FADE_NUMBER]).recorded(),
    ],
};

/// Fades a side's minions.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 beyond the pages.
pub static FADE_MINIONS: Message = Message {
    name: "FadeMinions",
    family: &FADE,
    blurb: "A server fades the minions of a side, or of both",
    exchange: Exchange::None,
    layouts: &[
        layout(
            since(130),
            &[
                command(builds(130, 131), 212),
                command(builds(132, 134), 213),
                command(builds(135, 135), 215),
                command(builds(136, 137), 213),
                command(builds(138, 138), 215),
                command(builds(139, 140), 214),
                command(builds(141, 143), 216),
                command(builds(144, 149), 203),
                command(since(150), 200),
            ],
            MINIONS,
        ),
        layout(V4_17, &[command(V4_17, 203)], MINIONS).recorded(),
    ],
};

const MINIONS: &[Row] = &[
    u8("side", "Side", "Side whose minions fade, 0 for both")
        .values(&[(0, "both")])
        .info(Info::Value("side")),
    f32("amount", "Amount", "Opacity at the end: 0 unseen, 1 solid").info(Info::Value("amount")),
    TIME,
];

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

const FADE_NUMBER: Row =
    i16("fade", "Fade", "Number that names the fade, for FadeRemoved").info(Info::Value("fade"));

const TARGET: Row =
    f32("target", "Target", "Opacity at the end: 0 unseen, 1 solid").info(Info::Value("target"));

const TIME: Row = f32("time", "Time", "Seconds the fade takes").seconds();
