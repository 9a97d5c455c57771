//! The pages of the specification: where to look a layout up.

use super::animation::ANIMATION_ADVANCED;
use super::bedrock;
use super::effect::EFFECT_COUNTER;
use super::nexus::NEXUS_IDLE;
use super::particle::EMITTER_PAUSE;
use super::ranges::{EARLY, SINCE_0_9_22_14, V4};
use crate::layout::{Message, Page, Source};
use crate::version::{b, since, Range};

/// Movement in the earliest builds.
pub static MOVEMENT_EARLY: Page = Page { title: "Movement", builds: EARLY, source: Source::Page };

/// Movement from 1.0.0.130 on: another page of the same title.
pub static MOVEMENT: Page = Page { title: "Movement", builds: since(130), source: Source::Page };

/// Lasting effects, particles, looks, animations, fades, tints and voices.
pub static EFFECTS_AND_LOOKS: Page =
    Page { title: "Effects and looks", builds: since(130), source: Source::Page };

/// Shapes without their builds; here stand those in which the shapes are tried.
pub static SHAPES: Page = Page {
    title: "shared structs",
    builds: Range { from: SINCE_0_9_22_14.from, until: b(129) },
    source: Source::Untitled,
};

/// No page: tables of the last builds, of which recordings and a client's taking are the proof.
pub static LATER: Page = Page { title: "beyond the pages", builds: V4, source: Source::Beyond };

/// The Bedrock packet of which there is a page.
pub static MOVE_ACTOR_DELTA: Page =
    Page { title: "MoveActorDeltaPacket", builds: bedrock::STATED, source: Source::Page };

/// No page: Bedrock as other readers and writers of the protocol have it.
pub static BEDROCK_OTHERS: Page =
    Page { title: "other readers and writers", builds: bedrock::ALL, source: Source::Beyond };

/// What states the layouts of [`super::MESSAGES`].
pub static PAGES: &[&Page] = &[&MOVEMENT_EARLY, &MOVEMENT, &EFFECTS_AND_LOOKS, &LATER];

/// Messages that a page names without stating their command or layout.
pub static NAMED_ONLY: &[(&Message, &Page)] = &[
    (&EFFECT_COUNTER, &EFFECTS_AND_LOOKS),
    (&EMITTER_PAUSE, &EFFECTS_AND_LOOKS),
    (&ANIMATION_ADVANCED, &EFFECTS_AND_LOOKS),
    (&NEXUS_IDLE, &EFFECTS_AND_LOOKS),
];

/// The page of movement that states these builds, or what lies beyond; others are an error of the compiler.
pub(super) const fn movement(builds: Range) -> &'static Page {
    if MOVEMENT_EARLY.states(builds) {
        return &MOVEMENT_EARLY;
    }
    either(&MOVEMENT, builds)
}

/// The page of effects and looks, or what lies beyond it; builds of neither are an error of the compiler.
pub(super) const fn looks(builds: Range) -> &'static Page {
    either(&EFFECTS_AND_LOOKS, builds)
}

const fn either(page: &'static Page, builds: Range) -> &'static Page {
    if page.states(builds) {
        return page;
    }
    assert!(LATER.states(builds), "no page states all of these builds");
    &LATER
}
