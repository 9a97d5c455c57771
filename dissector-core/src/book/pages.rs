//! The pages of the specification, by what they state: where to look a layout up.

use super::animation::ANIMATION_ADVANCED;
use super::effect::EFFECT_COUNTER;
use super::families::{
    ANIMATION, APPEARANCE, BOUNDS, EFFECT, FACING, FADE, MOVEORDER, NAVFLAGS, NEXUS, PARTICLE, PATH, TINT,
    VOICE, WAYPOINT,
};
use super::nexus::NEXUS_IDLE;
use super::particle::EMITTER_PAUSE;
use super::ranges::{EARLY, V4};
use crate::layout::{Family, Layout, Message};
use crate::version::{since, Range};

/// One page.
#[derive(Debug)]
pub struct Page {
    /// What it is called.
    pub title: &'static str,
    /// Builds it states.
    pub builds: Range,
    /// The families it states; all where there are none.
    pub families: &'static [&'static Family],
    /// Whether it is a table from beyond the specification's pages, of which recordings are the proof.
    pub beyond: bool,
}

static EFFECTS_AND_LOOKS: Page = Page {
    title: "Effects and looks, 1.0.0.130–3.1.0.0",
    builds: since(130),
    families: &[&EFFECT, &PARTICLE, &APPEARANCE, &ANIMATION, &FADE, &NEXUS, &TINT, &VOICE],
    beyond: false,
};

/// The pages. Where two hold a layout, the first is the one that states it.
pub static PAGES: &[&Page] = &[
    &Page { title: "Movement, 0.8.13.26–1.0.0.24", builds: EARLY, families: &[], beyond: false },
    &Page {
        title: "Movement, 1.0.0.130–3.1.0.0",
        builds: since(130),
        families: &[&WAYPOINT, &MOVEORDER, &PATH, &FACING, &BOUNDS, &NAVFLAGS],
        beyond: false,
    },
    &EFFECTS_AND_LOOKS,
    &Page { title: "Later builds, 4.17.0.233–4.20.0.315", builds: V4, families: &[], beyond: true },
];

/// Messages that a page names without stating their command or layout.
pub static NAMED_ONLY: &[(&Message, &Page)] = &[
    (&EFFECT_COUNTER, &EFFECTS_AND_LOOKS),
    (&EMITTER_PAUSE, &EFFECTS_AND_LOOKS),
    (&ANIMATION_ADVANCED, &EFFECTS_AND_LOOKS),
    (&NEXUS_IDLE, &EFFECTS_AND_LOOKS),
];

/// The page that states a layout.
pub fn of(message: &Message, layout: &Layout) -> Option<&'static Page> {
    PAGES.iter().copied().find(|page| {
        let of_family = page.families.is_empty() || page.families.contains(&message.family);
        of_family && page.builds.holds(layout.builds.from) && page.builds.holds(layout.builds.until)
    })
}
