//! Values of units, restated as they change. Builds 4.17 and 4.20.

use super::families::REPLICATION;
use super::pages;
use super::ranges::{V4_17, V4_20};
use super::structs;
use crate::layout::*;
use crate::version::Range;

/// Restates values of units.
/// No page states it: 4.17 and 4.20 are beyond the pages.
pub static REPLICATION_MESSAGE: Message = Message {
    name: "Replication",
    family: &REPLICATION,
    blurb: "A server restates those values of units that have changed",
    exchange: Exchange::Asks,
    layouts: &[
        layout(V4_17, Sender::Server, &[command(V4_17, 196)], CHANGES).recorded(),
        // Carried on the events channel too.
        layout(V4_20, Sender::Server, &[command(V4_20, 196)], CHANGES),
    ],
};

/// Answers a restatement.
/// No page states it: 4.17 and 4.20 are beyond the pages.
pub static TRANSIENT_ACK: Message = Message {
    name: "TransientAck",
    family: &REPLICATION,
    blurb: "A client has taken in a restatement of values",
    exchange: Exchange::Answers(&[(&REPLICATION, None)]),
    layouts: &[
        layout(V4_17, Sender::Client, &[command(V4_17, 168)], &[SYNC_ID]).recorded(),
        layout(V4_20, Sender::Client, &[command(V4_20, 168)], &[SYNC_ID]),
    ],
};

const CHANGES: &[Row] = &[
    SYNC_ID,
    u8("unitCount", "Unit count", "Units that follow"),
    list(
        "units",
        "Unit",
        "A unit and its values",
        Count::In("unitCount"),
        Item::Struct(&structs::REPLICATION),
    )
    .info(Info::Items("unit")),
];

const fn layout(builds: Range, sender: Sender, commands: &'static [Command], rows: &'static [Row]) -> Layout {
    let (channel, delivery) = match sender {
        Sender::Server => (channel::TRANSIENT, Delivery::Unreliable),
        Sender::Client => (channel::REQUESTS, Delivery::Reliable),
    };
    Layout {
        builds,
        sender,
        channel,
        delivery,
        commands,
        page: &pages::LATER,
        evidence: Evidence::Page,
        rows,
    }
}

const SYNC_ID: Row = u32("syncId", "Sync ID", "Number of the restatement, returned by its answer")
    .role(Role::Sync)
    .info(Info::Value("sync"));
