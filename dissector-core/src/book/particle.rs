//! Particles a client draws. Pages: Effects and looks, builds 1.0.0.130–3.1.0.0; builds 4.17 and 4.20.

use super::families::PARTICLE;
use super::ranges::{V4_17, V4_20};
use super::structs::{PARTICLE_GROUP, PARTICLE_GROUP_V4, PARTICLE_ID};
use crate::layout::*;
use crate::version::{builds, since, Range};

/// Starts particles.
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

/// How the particles of a group behave. The page of shared structs holds two texts on it and names no builds; the shapes
/// there stand oldest first, so the fuller text is taken for builds up to the one after which the page splits the
/// command, and the other for those from there on.
pub(super) const GROUP_FLAGS: Row = u16("flags", GROUP_FLAGS_TITLE, GROUP_FLAGS_BLURB).meaning(&[
    KEPT_ALIVE,
    SCALED,
    PLACED,
    bit("unturned", "Not turned", "They are not turned to follow their direction", 4).acting(FULL_FLAGS),
    SIMULATED,
    bit("flat", "Flat", "They lie flat on the slope of the ground", 6).acting(FULL_FLAGS),
    bit("facesTarget", "Faces target", "They face their target", 7).acting(FULL_FLAGS),
    bit("resourceDriven", "Resource driven", "The resource bar of the unit they are bound to drives them", 8)
        .acting(FULL_FLAGS),
]);

/// The same where no page says what they do: the bits on which both texts of the earlier builds agree.
pub(super) const GROUP_FLAGS_V4: Row =
    u16("flags", GROUP_FLAGS_TITLE, GROUP_FLAGS_BLURB).meaning(&[KEPT_ALIVE, SCALED, PLACED, SIMULATED]);

const FULL_FLAGS: Range = builds(130, 145);

const GROUP_FLAGS_TITLE: &str = "Flags";
const GROUP_FLAGS_BLURB: &str = "How each particle of the group behaves, one bit each";

const KEPT_ALIVE: Run = bit("keptAlive", "Kept alive", "They do not end by themselves", 0);
const SCALED: Run = bit("scaled", "Scaled", "They take the size of the unit they are bound to", 2);
const PLACED: Run =
    bit("placed", "Placed", "They stand at the positions given, instead of hanging on the bones", 3);
const SIMULATED: Run = bit("simulated", "Simulated off screen", "They run on while nobody sees them", 5);

const fn layout(builds: Range, commands: &'static [Command], rows: &'static [Row]) -> Layout {
    Layout {
        builds,
        sender: Sender::Server,
        channel: channel::EVENTS,
        delivery: Delivery::Reliable,
        commands,
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
        .info(Info::Value("unit"));

const SLOT: Row = u8("slot", "Slot", "Which input of the particles is driven").info(Info::Value("slot"));

const POINT: Row = u8("point", "Point", "Which capture point; without effect for any other source");

const SOURCE_TITLE: &str = "Source";
