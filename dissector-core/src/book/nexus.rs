//! How each nexus looks. Pages: Effects and looks, builds 1.0.0.130–3.1.0.0; build 4.17.

use super::families::NEXUS;
use super::pages;
use super::ranges::V4_17;
use crate::layout::*;
use crate::version::{builds, since, Range};

/// Has each nexus show the particles of its idle state.
/// Page: Effects and looks, which gives it a name and no layout; 4.17 beyond the pages.
pub static NEXUS_IDLE: Message = Message {
    name: "NexusIdle",
    family: &NEXUS,
    blurb: "A server has each nexus show the particles of its idle state",
    exchange: Exchange::None,
    layouts: &[layout(V4_17, &[command(V4_17, 4)], &[]).recorded()],
};

/// Changes how a nexus looks.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 beyond the pages.
pub static NEXUS_SKIN: Message = Message {
    name: "NexusSkin",
    family: &NEXUS,
    blurb: "A server changes how the nexus of a side looks",
    exchange: Exchange::None,
    layouts: &[
        layout(
            since(130),
            &[
                command(builds(130, 131), 119),
                command(builds(132, 137), 120),
                command(builds(138, 143), 122),
                command(builds(144, 149), 116),
                command(since(150), 113),
            ],
            SKIN,
        ),
        layout(V4_17, &[command(V4_17, 116)], SKIN).recorded(),
    ],
};

const SKIN: &[Row] = &[
    u8("side", "Side", "Side whose nexus it is").info(Info::Value("side")),
    u32("skin", "Skin", "Look it takes on").info(Info::Value("skin")),
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
