//! Families: messages that share the first part of their filter names, each a protocol of its own to Wireshark.

use crate::layout::Family;

/// Groups of moving units and the answers to them.
pub static WAYPOINT: Family =
    Family { prefix: "waypoint", title: "League of Legends waypoints", short_name: "LoL Waypoint" };

/// What a player asks a unit to do.
pub static MOVEORDER: Family =
    Family { prefix: "moveorder", title: "League of Legends move orders", short_name: "LoL MoveOrder" };

/// Paths of one unit in world units, which share one count per unit.
pub static PATH: Family =
    Family { prefix: "path", title: "League of Legends unit paths", short_name: "LoL Path" };

/// Which way a unit looks.
pub static FACING: Family =
    Family { prefix: "facing", title: "League of Legends facing", short_name: "LoL Facing" };

/// The circle that holds a view or a champion's orders.
pub static BOUNDS: Family =
    Family { prefix: "bounds", title: "League of Legends movement bounds", short_name: "LoL Bounds" };

/// Marks on the ground.
pub static NAVFLAGS: Family =
    Family { prefix: "navflags", title: "League of Legends navigation flags", short_name: "LoL NavFlags" };

/// Lasting effects in the slots of units.
pub static EFFECT: Family =
    Family { prefix: "effect", title: "League of Legends effects", short_name: "LoL Effect" };

/// Particles a client draws.
pub static PARTICLE: Family =
    Family { prefix: "particle", title: "League of Legends particles", short_name: "LoL Particle" };

/// Looks laid over a unit's own.
pub static APPEARANCE: Family =
    Family { prefix: "appearance", title: "League of Legends appearances", short_name: "LoL Appearance" };

/// How units move on screen.
pub static ANIMATION: Family =
    Family { prefix: "animation", title: "League of Legends animations", short_name: "LoL Animation" };

/// Units and minions that fade.
pub static FADE: Family = Family { prefix: "fade", title: "League of Legends fades", short_name: "LoL Fade" };

/// How each nexus looks.
pub static NEXUS: Family =
    Family { prefix: "nexus", title: "League of Legends nexus looks", short_name: "LoL Nexus" };

/// Tints of the screen.
pub static TINT: Family =
    Family { prefix: "tint", title: "League of Legends screen tints", short_name: "LoL Tint" };

/// Voices of units.
pub static VOICE: Family =
    Family { prefix: "voice", title: "League of Legends voices", short_name: "LoL Voice" };

/// Units that come into sight.
pub static SIGHT: Family =
    Family { prefix: "sight", title: "League of Legends sight", short_name: "LoL Sight" };

/// Values of units, restated as they change.
pub static REPLICATION: Family =
    Family { prefix: "replication", title: "League of Legends replication", short_name: "LoL Replication" };

/// How a match begins: who plays, which build, which map.
pub static SESSION: Family =
    Family { prefix: "session", title: "League of Legends session", short_name: "LoL Session" };
