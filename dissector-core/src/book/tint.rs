//! Tints of the screen. Pages: Effects and looks, builds 1.0.0.130–3.1.0.0; build 4.17.

use super::families::TINT;
use super::pages;
use super::ranges::V4_17;
use crate::layout::*;
use crate::version::{builds, since, Range};

/// Tints the screens of a side.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 beyond the pages.
pub static SCREEN_TINT: Message = Message {
    name: "ScreenTint",
    family: &TINT,
    blurb: "A server tints the screens of a side, or takes the tint away",
    exchange: Exchange::None,
    layouts: &[
        layout(
            builds(130, 138),
            &[
                command(builds(130, 131), 228),
                command(builds(132, 134), 229),
                command(builds(135, 135), 231),
                command(builds(136, 137), 229),
                command(builds(138, 138), 231),
            ],
            &[FADE_IN, TIME, SIDE, COLOUR.when_set("fadeIn"), WEIGHT.when_set("fadeIn")],
        ),
        layout(
            builds(139, 140),
            &[command(builds(139, 140), 230)],
            &[
                FADE_IN,
                TIME,
                i32(
                    "side",
                    "Side",
                    "Who sees it: 0 is everyone; a client without a player takes only 0 and 100",
                )
                .values(&[(0, "everyone")])
                .info(Info::Value("side")),
                COLOUR.when_set("fadeIn"),
                WEIGHT.when_set("fadeIn"),
            ],
        ),
        layout(
            since(141),
            &[command(builds(141, 143), 232), command(builds(144, 149), 219), command(since(150), 216)],
            &[FADE_IN, TIME, SIDE, COLOUR.when_set("fadeIn"), WEIGHT.when_set("fadeIn")],
        ),
        layout(
            V4_17,
            &[command(V4_17, 219)],
            &[FADE_IN, TIME, SIDE, COLOUR.when("fadeIn", 1), WEIGHT.when("fadeIn", 1)],
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

const FADE_IN: Row = u8("fadeIn", "Fade in", "1 brings a tint in, stated below; 0 takes it away")
    .values(&[(0, "takes the tint away"), (1, "brings the tint in")])
    .info(Info::Value("fadeIn"));

const TIME: Row = f32("time", "Time", "Seconds the change takes").seconds();

const SIDE: Row = i32("side", "Side", "Side that sees it").info(Info::Value("side"));

const COLOUR: Row =
    u32("colour", "Colour", "The tint: a byte each of blue, green, red and opacity").meaning(&[
        run("blue", "Blue", "Blue of the tint, 0 to 255", 0, 7),
        run("green", "Green", "Green of the tint, 0 to 255", 8, 15),
        run("red", "Red", "Red of the tint, 0 to 255", 16, 23),
        run("opacity", "Opacity", "Opacity of the tint, 0 to 255", 24, 31),
    ]);

const WEIGHT: Row = f32("weight", "Weight", "How strongly it acts at most");
