//! What comes in and what goes out, knowing no protocol: packets, where they stand, settings, and what one call gives back.

mod follow;
mod id;
mod line;
mod output;
mod packet;
mod sender;
mod settings;
pub mod words;

pub use follow::{Follow, FollowHead};
pub use id::{DatagramId, MessageId};
pub use line::{Part, Subjects};
pub use output::{ExpertItem, FragmentSpan, Output, PayloadSpan};
pub use packet::{ConversationKey, Detail, Direction, Endpoint, Packet};
pub use sender::Sender;
pub use settings::{is_auto, KeyRow, Settings};
