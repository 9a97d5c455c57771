//! Messages that the pages name and leave at that.

use super::animation::ANIMATION_ADVANCED;
use super::effect::EFFECT_COUNTER;
use super::nexus::NEXUS_IDLE;
use super::pages::EFFECTS_AND_LOOKS;
use super::particle::EMITTER_PAUSE;
use crate::layout::{Message, Page};

/// Messages that a page names without stating their command or layout.
pub static NAMED_ONLY: &[(&Message, &Page)] = &[
    (&EFFECT_COUNTER, &EFFECTS_AND_LOOKS),
    (&EMITTER_PAUSE, &EFFECTS_AND_LOOKS),
    (&ANIMATION_ADVANCED, &EFFECTS_AND_LOOKS),
    (&NEXUS_IDLE, &EFFECTS_AND_LOOKS),
];
