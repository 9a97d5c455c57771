//! The specification as data: each message with the layouts it has, and nothing else.
//!
//! A layout stands in the order its bytes come, readable beside the page it states. Adding a message or a build
//! is adding data here: fields, filters, decoding and encoding follow from it.

pub mod animation;
pub mod appearance;
pub mod bedrock;
pub mod bedrock_names;
pub mod bounds;
pub mod effect;
pub mod facing;
pub mod fade;
pub mod families;
pub mod moveorder;
pub mod named_only;
pub mod names;
pub mod navflags;
pub mod nexus;
pub mod pages;
pub mod particle;
mod particle_flags;
pub mod path;
pub mod ranges;
pub mod replication;
pub mod session;
pub mod sight;
pub mod structs;
pub mod tint;
pub mod unplaced;
pub mod voice;
pub mod waypoint;

use crate::layout::Message;

/// All messages, those of one family together.
pub static MESSAGES: &[&Message] = &[
    &waypoint::WAYPOINT_GROUP,
    &waypoint::WAYPOINT_GROUP_AT_SPEED,
    &waypoint::WAYPOINT_ACK,
    &moveorder::MOVE_ORDER,
    &path::PATH_MESSAGE,
    &path::PATH_WITH_SPEED,
    &path::UNIT_STOPPED,
    &facing::FACE_DIRECTION,
    &facing::FACE_POSITION,
    &bounds::MOVEMENT_BOUNDS,
    &navflags::NAVIGATION_FLAGS,
    &effect::EFFECT_ADDED,
    &effect::EFFECT_REPLACED,
    &effect::EFFECT_COUNT,
    &effect::EFFECT_REMOVED,
    &effect::EFFECT_COUNTER,
    &effect::EFFECT_ADDED_GROUP,
    &effect::EFFECT_REPLACED_GROUP,
    &effect::EFFECT_COUNT_GROUP,
    &effect::EFFECT_REMOVED_GROUP,
    &particle::PARTICLES_CREATED,
    &particle::KILL_PARTICLE,
    &particle::PARTICLE_SOURCE,
    &particle::EMITTER_PAUSE,
    &appearance::APPEARANCE_PUSHED,
    &appearance::APPEARANCE_POPPED,
    &appearance::APPEARANCE_CLEARED,
    &animation::ANIMATION_OVERRIDES,
    &animation::PLAY_ANIMATION,
    &animation::STOP_ANIMATION,
    &animation::PAUSE_ANIMATION,
    &animation::ANIMATION_ADVANCED,
    &fade::FADE_TO,
    &fade::FADE_REMOVED,
    &fade::FADE_MINIONS,
    &nexus::NEXUS_IDLE,
    &nexus::NEXUS_SKIN,
    &tint::SCREEN_TINT,
    &voice::VOICE_OVERRIDE,
    &sight::ENTER_SIGHT,
    &replication::REPLICATION_MESSAGE,
    &replication::TRANSIENT_ACK,
    &session::REGISTER,
    &session::REGISTERED,
    &session::VERSION_SYNC,
    &session::CLIENT_VERSION,
    &session::QUERY_STATUS,
    &session::QUERY_STATUS_ANSWER,
    &session::CLOCK_SYNC,
    &session::SPAWN_START,
    &session::SPAWN_END,
    &session::START_GAME,
];
