//! Lasting effects in the slots of units. Pages: Effects and looks, builds 1.0.0.130–3.1.0.0; builds 4.17 and 4.20.

use super::families::EFFECT;
use super::pages;
use super::ranges::{V4_17, V4_20};
use super::structs::STACKS;
use crate::layout::*;
use crate::version::{builds, since, Range};

/// Puts an effect on a unit.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 and 4.20 beyond the pages.
pub static EFFECT_ADDED: Message = Message {
    name: "EffectAdded",
    family: &EFFECT,
    blurb: "A server puts a lasting effect into a slot of the unit that the header names",
    exchange: Exchange::None,
    layouts: &[
        layout(
            builds(130, 138),
            &[
                command(builds(130, 131), 191),
                command(builds(132, 134), 192),
                command(builds(135, 135), 194),
                command(builds(136, 137), 192),
                command(builds(138, 138), 194),
            ],
            &[SLOT, KIND, COUNT, HIDDEN, EFFECT_HASH, RUNNING_FOR, LASTS, CASTER],
        )
        .recorded(),
        layout(
            builds(139, 140),
            &[command(builds(139, 140), 193)],
            &[
                u8(
                    "slot",
                    SLOT_TITLE,
                    "Which of the unit's slots, 0 to 63; from 64 on a client ignores the message",
                )
                .info(Info::Value("slot")),
                KIND,
                u8("count", STACKS_TITLE, "How many are stacked in the slot; 0 clears the slot instead")
                    .also(STACKS),
                u8(
                    "hidden",
                    HIDDEN_TITLE,
                    "1 leaves it off the unit's row of icons; all other values show it",
                )
                .value_strings(HIDDEN_VALUES),
                name_hash(
                    "effect",
                    EFFECT_TITLE,
                    "Hash of the effect's name; a client ignores 0 and unknown names",
                )
                .info(Info::Value("effect")),
                RUNNING_FOR,
                LASTS_FROM_NOW,
                CASTER,
            ],
        ),
        layout(
            builds(141, 148),
            &[command(builds(141, 143), 195), command(builds(144, 148), 183)],
            &[SLOT, KIND, COUNT, HIDDEN, EFFECT_HASH, RUNNING_FOR, LASTS, CASTER],
        ),
        layout(since(149), &[command(builds(149, 149), 183), command(since(150), 180)], ADDED_OF_PACKAGE),
        layout(V4_17, &[command(V4_17, 183)], ADDED_OF_PACKAGE).accepted(),
        layout(V4_20, &[command(V4_20, 183)], ADDED_OF_PACKAGE).recorded(),
    ],
};

const ADDED_OF_PACKAGE: &[Row] =
    &[SLOT, KIND, COUNT, HIDDEN, EFFECT_HASH, PACKAGE, RUNNING_FOR, LASTS, CASTER];

/// Renews the effect of a slot.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 and 4.20 beyond the pages.
pub static EFFECT_REPLACED: Message = Message {
    name: "EffectReplaced",
    family: &EFFECT,
    blurb: "A server renews the effect in a slot that holds one already",
    exchange: Exchange::None,
    layouts: &[
        // The effect stays what it was: only its time and its caster change, and an empty slot stays empty.
        layout(
            builds(130, 143),
            &[command(builds(130, 143), 50)],
            &[SLOT, RUNNING_FOR_UNUSED, LASTS_ANEW, CASTER],
        ),
        // From here on an effect is put into the slot, which is kept rather than emptied first.
        layout(since(144), &[command(since(144), 47)], REPLACED),
        layout(V4_17, &[command(V4_17, 48)], REPLACED).recorded(),
        layout(V4_20, &[command(V4_20, 48)], REPLACED).recorded(),
    ],
};

const REPLACED: &[Row] = &[SLOT, RUNNING_FOR, LASTS, CASTER];

/// Restates how many are stacked.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 and 4.20 beyond the pages.
pub static EFFECT_COUNT: Message = Message {
    name: "EffectCount",
    family: &EFFECT,
    blurb: "A server restates how many of an effect are stacked in a slot of the unit that the header names",
    exchange: Exchange::None,
    layouts: &[
        // On an empty slot the message does nothing.
        layout(
            builds(130, 143),
            &[command(builds(130, 143), 31)],
            &[
                SLOT,
                u8("count", STACKS_TITLE, "Stacks there are now; 0 removes the effect")
                    .also(STACKS)
                    .info(Info::Value("stacks")),
                f32("timeLeft", TIME_LEFT_TITLE, "Seconds left from the arrival of the message")
                    .seconds()
                    .role(Role::TimeLeft),
                f32(
                    "runningFor",
                    RUNNING_FOR_TITLE,
                    "Seconds before the arrival at which a client counts its start",
                )
                .seconds()
                .role(Role::RunningFor),
                CASTER,
            ],
        )
        .recorded(),
        layout(since(144), &[command(since(144), 28)], COUNTED),
        layout(V4_17, &[command(V4_17, 28)], COUNTED).accepted(),
        layout(V4_20, &[command(V4_20, 28)], COUNTED).recorded(),
    ],
};

const COUNTED: &[Row] = &[
    SLOT,
    COUNT.info(Info::Value("stacks")),
    f32("timeLeft", TIME_LEFT_TITLE, "Seconds left; with runningFor it makes up the whole run")
        .seconds()
        .role(Role::TimeLeft),
    RUNNING_FOR,
    CASTER,
];

/// Takes an effect off a unit.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 and 4.20 beyond the pages.
pub static EFFECT_REMOVED: Message = Message {
    name: "EffectRemoved",
    family: &EFFECT,
    blurb: "A server takes the effect of a slot off the unit that the header names",
    exchange: Exchange::None,
    layouts: &[
        layout(
            builds(130, 137),
            &[command(builds(130, 131), 127), command(builds(132, 137), 128)],
            &[SLOT, EFFECT_HASH],
        )
        .recorded(),
        layout(
            since(138),
            &[command(builds(138, 143), 130), command(builds(144, 149), 124), command(since(150), 121)],
            REMOVED,
        ),
        layout(V4_17, &[command(V4_17, 123)], REMOVED).accepted(),
        layout(V4_20, &[command(V4_20, 123)], REMOVED).recorded(),
    ],
};

const REMOVED: &[Row] = &[SLOT, EFFECT_HASH, TIME_LEFT_THEN];

/// Sets the number on an icon.
/// Page: Effects and looks, which gives it a name and no layout; 4.17 beyond the pages.
pub static EFFECT_COUNTER: Message = Message {
    name: "EffectCounter",
    family: &EFFECT,
    blurb: "A server sets the number that an effect shows on its icon",
    exchange: Exchange::None,
    layouts: &[layout(
        V4_17,
        &[command(V4_17, 265)],
        &[SLOT, i32("counter", "Counter", "Number to show on the icon").info(Info::Value("counter"))],
    )
    .recorded()],
};

/// Puts one effect on several units.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 beyond the pages.
pub static EFFECT_ADDED_GROUP: Message = Message {
    name: "EffectAddedGroup",
    family: &EFFECT,
    blurb: "A server puts one effect on several units",
    exchange: Exchange::None,
    layouts: &[
        layout(
            builds(130, 137),
            &[command(builds(130, 131), 107), command(builds(132, 137), 108)],
            &[KIND, EFFECT_HASH, RUNNING_FOR, LASTS, ENTRY_COUNT, ADDED_ENTRIES],
        )
        .recorded(),
        layout(
            builds(138, 143),
            &[command(builds(138, 143), 110)],
            &[
                KIND,
                EFFECT_HASH,
                RUNNING_FOR,
                LASTS_FROM_NOW,
                ENTRY_COUNT,
                entries(&[
                    UNIT,
                    CASTER,
                    ENTRY_SLOT,
                    u8("stacks", STACKS_TITLE, "Stacks in that slot; 0 removes the effect").also(STACKS),
                    u8(
                        "hidden",
                        HIDDEN_TITLE,
                        "1 leaves it off the unit's row of icons; all other values show it",
                    ),
                ]),
            ],
        ),
        layout(
            builds(144, 148),
            &[command(builds(144, 148), 104)],
            &[KIND, EFFECT_HASH, RUNNING_FOR, LASTS, ENTRY_COUNT, ADDED_ENTRIES],
        ),
        layout(since(149), &[command(builds(149, 149), 104), command(since(150), 101)], GROUP_OF_PACKAGE),
        layout(V4_17, &[command(V4_17, 104)], GROUP_OF_PACKAGE).recorded(),
    ],
};

const GROUP_OF_PACKAGE: &[Row] =
    &[KIND, EFFECT_HASH, PACKAGE, RUNNING_FOR, LASTS, ENTRY_COUNT, ADDED_ENTRIES];

const ADDED_ENTRIES: Row = entries(&[
    UNIT,
    CASTER,
    ENTRY_SLOT,
    ENTRY_STACKS,
    u8("hidden", HIDDEN_TITLE, "Whether it is left off the unit's row of icons"),
]);

/// Renews the effects of several units.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 beyond the pages.
pub static EFFECT_REPLACED_GROUP: Message = Message {
    name: "EffectReplacedGroup",
    family: &EFFECT,
    blurb: "A server renews an effect of several units, one slot each",
    exchange: Exchange::None,
    layouts: &[
        // Each entry is taken as an EffectReplaced with these two times: an empty slot stays empty.
        layout(
            builds(130, 143),
            &[command(builds(130, 143), 33)],
            &[RUNNING_FOR_UNUSED, LASTS_ANEW, ENTRY_COUNT, REPLACED_ENTRIES],
        ),
        layout(since(144), &[command(since(144), 30)], REPLACED_GROUP),
        layout(V4_17, &[command(V4_17, 30)], REPLACED_GROUP).recorded(),
    ],
};

const REPLACED_GROUP: &[Row] = &[RUNNING_FOR, LASTS, ENTRY_COUNT, REPLACED_ENTRIES];

const REPLACED_ENTRIES: Row = entries(&[UNIT, CASTER, ENTRY_SLOT]);

/// Restates how many are stacked on several units.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 beyond the pages.
pub static EFFECT_COUNT_GROUP: Message = Message {
    name: "EffectCountGroup",
    family: &EFFECT,
    blurb: "A server restates how many of an effect are stacked on several units",
    exchange: Exchange::None,
    layouts: &[
        layout(
            builds(130, 138),
            &[
                command(builds(130, 131), 199),
                command(builds(132, 134), 200),
                command(builds(135, 135), 202),
                command(builds(136, 137), 200),
                command(builds(138, 138), 202),
            ],
            COUNT_GROUP,
        )
        .recorded(),
        layout(
            builds(139, 140),
            &[command(builds(139, 140), 201)],
            &[
                f32(
                    "lasts",
                    LASTS_TITLE,
                    "Seconds left from the arrival of the message, as EffectCount's timeLeft",
                )
                .seconds()
                .role(Role::Lasts),
                RUNNING_FOR,
                ENTRY_COUNT,
                entries(&[
                    UNIT,
                    CASTER,
                    ENTRY_SLOT,
                    u8("stacks", STACKS_TITLE, "Stacks there are now; 0 removes the effect").also(STACKS),
                ]),
            ],
        ),
        layout(
            since(141),
            &[command(builds(141, 143), 203), command(builds(144, 149), 191), command(since(150), 188)],
            COUNT_GROUP,
        ),
        layout(V4_17, &[command(V4_17, 191)], COUNT_GROUP).recorded(),
    ],
};

const COUNT_GROUP: &[Row] =
    &[LASTS, RUNNING_FOR, ENTRY_COUNT, entries(&[UNIT, CASTER, ENTRY_SLOT, ENTRY_STACKS])];

/// Takes one effect off several units.
/// Page: Effects and looks, 1.0.0.130–3.1.0.0; 4.17 beyond the pages.
pub static EFFECT_REMOVED_GROUP: Message = Message {
    name: "EffectRemovedGroup",
    family: &EFFECT,
    blurb: "A server takes one effect off several units",
    exchange: Exchange::None,
    layouts: &[
        layout(
            builds(130, 137),
            &[
                command(builds(130, 131), 155),
                command(builds(132, 134), 156),
                command(builds(135, 135), 158),
                command(builds(136, 137), 156),
            ],
            &[EFFECT_HASH, ENTRY_COUNT, entries(&[UNIT, ENTRY_SLOT])],
        ),
        layout(
            since(138),
            &[
                command(builds(138, 138), 158),
                command(builds(139, 143), 157),
                command(builds(144, 149), 148),
                command(since(150), 145),
            ],
            REMOVED_GROUP,
        ),
        layout(V4_17, &[command(V4_17, 148)], REMOVED_GROUP).recorded(),
    ],
};

const REMOVED_GROUP: &[Row] = &[EFFECT_HASH, ENTRY_COUNT, entries(&[UNIT, ENTRY_SLOT, TIME_LEFT_THEN])];

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

const fn entries(rows: &'static [Row]) -> Row {
    list("entries", "Entry", "A unit and its slot", Count::In("count"), Item::Record(rows))
        .info(Info::Items("unit"))
}

const STACKS_TITLE: &str = "Stacks";

const HIDDEN_TITLE: &str = "Hidden";
const HIDDEN_VALUES: crate::field::ValueStrings = &[(0, "shown"), (1, "hidden")];

const EFFECT_TITLE: &str = "Effect";
const SLOT_TITLE: &str = "Slot";
const LASTS_TITLE: &str = "Lasts";
const RUNNING_FOR_TITLE: &str = "Running for";
const TIME_LEFT_TITLE: &str = "Time left";

const ENTRY_SLOT: Row = u8("slot", SLOT_TITLE, "Slot of the unit, from 0");
const SLOT: Row = ENTRY_SLOT.info(Info::Value("slot"));

const KIND: Row = u8("kind", "Kind", "Sort of effect");

const COUNT: Row = u8("count", STACKS_TITLE, "How many are stacked in the slot").also(STACKS);

const HIDDEN: Row =
    u8("hidden", HIDDEN_TITLE, "Whether it is left off the unit's row of icons").value_strings(HIDDEN_VALUES);

const EFFECT_HASH: Row =
    name_hash("effect", EFFECT_TITLE, "Hash of the effect's name").info(Info::Value("effect"));

const PACKAGE: Row = package_hash("package", "Package", "Hash of the set of art and sound it is drawn with");

const RUNNING_FOR: Row =
    f32("runningFor", RUNNING_FOR_TITLE, "Seconds it has run already").seconds().role(Role::RunningFor);

const RUNNING_FOR_UNUSED: Row = f32(
    "runningFor",
    RUNNING_FOR_TITLE,
    "Seconds it has run already; without effect on when it starts or ends",
)
.seconds();

/// Recorded messages of 1.0.0.136 state what is left, against the page.
const LASTS: Row =
    f32("lasts", LASTS_TITLE, "Seconds it runs in all by the page; recorded messages state the seconds left")
        .seconds()
        .role(Role::Lasts);

const LASTS_FROM_NOW: Row = f32(
    "lasts",
    LASTS_TITLE,
    "Seconds left from the arrival of the message; the whole run is runningFor longer",
)
.seconds()
.role(Role::Lasts);

const LASTS_ANEW: Row =
    f32("lasts", LASTS_TITLE, "Seconds left from the arrival of the message, where its time begins anew")
        .seconds()
        .role(Role::Lasts);

const TIME_LEFT_THEN: Row =
    f32("timeLeft", TIME_LEFT_TITLE, "Seconds it had left when it was taken off").seconds();

const CASTER: Row = unit("caster", "Caster", "Unit that put it there");

const UNIT: Row = unit("unit", "Unit", "Unit that carries the effect").info(Info::Unit);

/// `count` is in the groups the number of units, elsewhere that of stacks: two things, two filter names.
const ENTRY_COUNT: Row = u8("count", "Entry count", "Units that follow").filter("entryCount");

const ENTRY_STACKS: Row = u8("stacks", STACKS_TITLE, "Stacks in that slot").also(STACKS);
