//! Particles a client draws. Pages: Effects and looks, builds 1.0.0.130–3.1.0.0; builds 4.17 and 4.20.

use super::families::PARTICLE;
use super::pages;
use super::ranges::{V4_17, V4_20};
use super::structs::{PARTICLE_GROUP, PARTICLE_GROUP_V4, PARTICLE_ID};
use crate::layout::*;
use crate::version::{builds, since, Range};

/// Starts particles.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 and 4.20 beyond the pages.
pub static PARTICLES_CREATED: Message = Message {
    name: "ParticlesCreated",
    family: &PARTICLE,
    blurb: "A server starts sets of particles, each particle with an id of its own",
    exchange: Exchange::None,
    layouts: &[
        layout(
            since(130),
            &[
                command(builds(130, 131), 140),
                command(builds(132, 137), 141),
                command(builds(138, 138), 143),
                command(builds(139, 143), 142),
                // The number stays and the meaning of a group's flags changes.
                command(builds(144, 145), 136),
                command(builds(146, 149), 136),
                command(since(150), 133),
            ],
            &[GROUP_COUNT, groups(&PARTICLE_GROUP)],
        )
        .recorded(),
        layout(V4_17, &[command(V4_17, 135)], CREATED_V4).accepted(),
        layout(V4_20, &[command(V4_20, 135)], CREATED_V4).recorded(),
    ],
};

const CREATED_V4: &[Row] = &[GROUP_COUNT, groups(&PARTICLE_GROUP_V4)];

/// Stops a particle.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 and 4.20 beyond the pages.
pub static KILL_PARTICLE: Message = Message {
    name: "KillParticle",
    family: &PARTICLE,
    blurb: "A server stops a particle",
    exchange: Exchange::None,
    layouts: &[
        layout(builds(130, 143), &[command(builds(130, 143), 61)], KILL).recorded(),
        // From here on the header names the particle too.
        layout(since(144), &[command(builds(144, 149), 58), command(since(150), 55)], KILL),
        layout(V4_17, &[command(V4_17, 56)], KILL).recorded(),
        layout(V4_20, &[command(V4_20, 56)], KILL).recorded(),
    ],
};

const KILL: &[Row] =
    &[unit("particle", "Particle", "Particle to stop").also(PARTICLE_ID).info(Info::Value("particle"))];

/// Ties a value of lasting particles to something that changes.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 beyond the pages.
pub static PARTICLE_SOURCE: Message = Message {
    name: "ParticleSource",
    family: &PARTICLE,
    blurb: "A server ties an input of a unit's lasting particles to a quantity that changes",
    exchange: Exchange::None,
    layouts: &[
        layout(
            builds(130, 149),
            &[
                command(builds(130, 131), 219),
                command(builds(132, 134), 220),
                command(builds(135, 135), 222),
                command(builds(136, 137), 220),
                command(builds(138, 138), 222),
                command(builds(139, 140), 221),
                command(builds(141, 143), 223),
                command(builds(144, 149), 210),
            ],
            &[
                UNIT,
                SLOT,
                POINT,
                u8("source", SOURCE_TITLE, "Quantity it follows; other values untie it")
                    .value_strings(&[(0, "capturePoint"), (1, "resource")])
                    .info(Info::Word),
            ],
        ),
        layout(since(150), &[command(since(150), 207)], SOURCE),
        layout(V4_17, &[command(V4_17, 210)], SOURCE).accepted(),
    ],
};

const SOURCE: &[Row] = &[
    UNIT,
    SLOT,
    POINT,
    u8("source", SOURCE_TITLE, "Quantity it follows; with other values it follows none")
        .value_strings(&[(0, "capturePoint"), (1, "resource"), (2, "resourceSmoothed")])
        .info(Info::Word),
];

/// Stops and starts emitters.
/// Page: Effects and looks, which gives it a name and no layout; 4.17 beyond the pages.
pub static EMITTER_PAUSE: Message = Message {
    name: "EmitterPause",
    family: &PARTICLE,
    blurb: "A server pauses or resumes a named group of emitters",
    exchange: Exchange::None,
    layouts: &[layout(
        V4_17,
        &[command(V4_17, 248)],
        &[
            text("group", "Group", "Name of the emitters' group", Extent::Fixed(256)),
            u32("operation", "Operation", "What is done to the group").info(Info::Value("operation")),
            u8("groupOperation", "Group operation", "What of the group it is done to")
                .value_strings(&[(0, "emission")]),
        ],
    )
    .recorded()],
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

const fn groups(of: &'static StructDef) -> Row {
    list("groups", "Group", "Particles of one name", Count::In("groupCount"), Item::Struct(of))
        .info(Info::Items("group"))
}

const GROUP_COUNT: Row = u8("groupCount", "Group count", "Groups that follow");

const UNIT: Row =
    unit("unit", "Unit", "Champion, minion, turret or other; one unknown to the client has no effect")
        .info(Info::Unit);

const SLOT: Row = u8("slot", "Slot", "Which input of the particles is driven").info(Info::Value("slot"));

const POINT: Row = u8("point", "Point", "Which capture point; without effect for any other source");

const SOURCE_TITLE: &str = "Source";
