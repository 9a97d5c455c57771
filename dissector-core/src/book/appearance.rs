//! Looks laid over a unit's own. Pages: Effects and looks, builds 1.0.0.130–3.1.0.0; build 4.17.

use super::families::APPEARANCE;
use super::pages;
use super::ranges::V4_17;
use crate::layout::*;
use crate::version::{builds, since, Range};

/// Lays a look over a unit's own.
///
/// A client first stops the basic attack of the unit. An animated building looks for a look of that name whose skin is
/// `entry`, and takes up the new one where it has none; a building ignores the message from 1.0.0.139 to 143.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 beyond the pages.
pub static APPEARANCE_PUSHED: Message = Message {
    name: "AppearancePushed",
    family: &APPEARANCE,
    blurb: "A server lays a look over those of the unit that the header names; the newest shows",
    exchange: Exchange::None,
    layouts: &[
        layout(
            builds(130, 134),
            &[command(builds(130, 131), 159), command(builds(132, 134), 160)],
            &[ENTRY, OVERRIDE_SPELLS, ASSET],
        ),
        layout(
            builds(135, 138),
            &[command(builds(135, 135), 162), command(builds(136, 137), 160), command(builds(138, 138), 162)],
            &[ENTRY, OVERRIDE_SPELLS, MODEL_ONLY, ASSET],
        ),
        layout(
            builds(139, 143),
            &[command(builds(139, 143), 161)],
            &[
                ENTRY,
                OVERRIDE_SPELLS,
                MODEL_ONLY,
                text("asset", ASSET_TITLE, "Name the client loads the look under", Extent::Zero)
                    .role(Role::UnitName),
            ],
        ),
        layout(
            builds(144, 146),
            &[command(builds(144, 146), 151)],
            &[ENTRY, OVERRIDE_SPELLS, MODEL_ONLY, ASSET],
        ),
        layout(
            since(147),
            &[command(builds(147, 149), 151), command(since(150), 148)],
            &[
                ENTRY,
                bits(
                    "how",
                    HOW_TITLE,
                    HOW_BLURB,
                    1,
                    &[SPELLS_BIT, MODEL_BIT, run("unused", "Unused", "Written as zero", 2, 7)],
                ),
                ASSET,
            ],
        ),
        layout(
            V4_17,
            &[command(V4_17, 151)],
            &[
                ENTRY,
                bits(
                    "how",
                    HOW_TITLE,
                    HOW_BLURB,
                    1,
                    &[
                        SPELLS_BIT,
                        MODEL_BIT,
                        bit("replacePackage", "Replace package", "The art and sound change too", 2),
                        run("unused", "Unused", "Written as zero", 3, 7),
                    ],
                ),
                i32("skin", "Skin", "Skin of the look"),
                ASSET,
            ],
        )
        .recorded(),
    ],
};

/// Takes a look away.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 beyond the pages.
pub static APPEARANCE_POPPED: Message = Message {
    name: "AppearancePopped",
    family: &APPEARANCE,
    blurb: "A server takes one look off the unit that the header names",
    exchange: Exchange::None,
    layouts: &[
        layout(
            since(130),
            &[
                command(builds(130, 131), 106),
                command(builds(132, 137), 107),
                command(builds(138, 143), 109),
                command(builds(144, 149), 103),
                command(since(150), 100),
            ],
            &[ENTRY],
        ),
        layout(V4_17, &[command(V4_17, 103)], &[ENTRY]).recorded(),
    ],
};

/// Takes all looks away.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 beyond the pages.
pub static APPEARANCE_CLEARED: Message = Message {
    name: "AppearanceCleared",
    family: &APPEARANCE,
    blurb: "A server takes every look off the unit that the header names",
    exchange: Exchange::None,
    layouts: &[
        layout(
            since(135),
            &[
                command(builds(135, 135), 212),
                command(builds(136, 137), 210),
                command(builds(138, 138), 212),
                command(builds(139, 140), 211),
                command(builds(141, 143), 213),
                command(builds(144, 149), 200),
                command(since(150), 197),
            ],
            &[],
        ),
        layout(V4_17, &[command(V4_17, 200)], &[]).recorded(),
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

const ENTRY: Row =
    u32("entry", "Entry", "Number that names the look, for AppearancePopped").info(Info::Value("entry"));

const OVERRIDE_SPELLS: Row =
    u8("overrideSpells", "Override spells", "Not zero: the look brings spells of its own");

const MODEL_ONLY: Row = u8("modelOnly", "Model only", "Not zero: the look changes the model alone");

const HOW_TITLE: &str = "How";
const HOW_BLURB: &str = "What the look changes";
const SPELLS_BIT: Run = bit("overrideSpells", "Override spells", "The look brings spells of its own", 0);
const MODEL_BIT: Run = bit("modelOnly", "Model only", "The look changes the model alone", 1);

const ASSET_TITLE: &str = "Asset";
const ASSET: Row = text(
    "asset",
    ASSET_TITLE,
    "Name the client loads the look under, at most 64 bytes with its zero",
    Extent::Zero,
)
.role(Role::UnitName);
