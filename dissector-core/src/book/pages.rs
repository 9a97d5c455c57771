//! The pages of the specification: where to look a layout up.

use super::ranges::{EARLY, SINCE_0_9_22_14, V4};
use crate::layout::{Page, Source};
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

/// What states the layouts of [`super::MESSAGES`].
pub static PAGES: &[&Page] = &[&MOVEMENT_EARLY, &MOVEMENT, &EFFECTS_AND_LOOKS, &LATER];

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
