//! The match half of a session: key and build, from a payload to its messages, and what they mean to each other.

mod backlog;
mod build;
pub mod cipher;
mod context;
mod dispatch;
mod exchange;
mod framing;
mod game;
mod info;
mod item;
mod key;
mod knowledge;
mod layouts;
mod library;
mod links;
mod message;
mod origin;
mod part;
mod payload;
mod registration;
mod roles;
mod settings;
mod show;
mod walk;

pub use game::Match;
pub use library::Library;
pub use payload::Payload;
pub use roles::sender_on;
pub use settings::Settings;
