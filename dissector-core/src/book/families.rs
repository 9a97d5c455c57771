//! Families: messages that share the first part of their filter names.

use crate::layout::Family;

/// Groups of moving units and the answers to them.
pub static WAYPOINT: Family = Family { prefix: "waypoint", title: "Waypoints" };

/// What a player asks a unit to do.
pub static MOVEORDER: Family = Family { prefix: "moveorder", title: "Move order" };

/// Paths of one unit in world units, which share one count per unit.
pub static PATH: Family = Family { prefix: "path", title: "Unit path" };

/// Which way a unit looks.
pub static FACING: Family = Family { prefix: "facing", title: "Facing" };

/// The circle that holds a view or a champion's orders.
pub static BOUNDS: Family = Family { prefix: "bounds", title: "Movement bounds" };

/// Marks on the ground.
pub static NAVFLAGS: Family = Family { prefix: "navflags", title: "Navigation flags" };

/// Lasting effects in the slots of units.
pub static EFFECT: Family = Family { prefix: "effect", title: "Effect" };

/// Particles a client draws.
pub static PARTICLE: Family = Family { prefix: "particle", title: "Particles" };

/// Looks laid over a unit's own.
pub static APPEARANCE: Family = Family { prefix: "appearance", title: "Appearance" };

/// How units move on screen.
pub static ANIMATION: Family = Family { prefix: "animation", title: "Animation" };

/// Units and minions that fade.
pub static FADE: Family = Family { prefix: "fade", title: "Fade" };

/// How each nexus looks.
pub static NEXUS: Family = Family { prefix: "nexus", title: "Nexus" };

/// Tints of the screen.
pub static TINT: Family = Family { prefix: "tint", title: "Screen tint" };

/// Voices of units.
pub static VOICE: Family = Family { prefix: "voice", title: "Voice" };

/// Units that come into sight.
pub static SIGHT: Family = Family { prefix: "sight", title: "Sight" };

/// Values of units, restated as they change.
pub static REPLICATION: Family = Family { prefix: "replication", title: "Replication" };

/// How a match begins: who plays, which build, which map.
pub static SESSION: Family = Family { prefix: "session", title: "Session" };
