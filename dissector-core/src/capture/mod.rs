//! What comes in and what goes out, knowing no protocol: packets, where they stand, settings, and what one call gives back.

mod output;
mod packet;
mod place;
mod sender;
mod settings;

pub use output::{ExpertItem, FragmentSpan, Output, PayloadSpan};
pub use packet::{ConversationKey, Detail, Direction, Endpoint, Packet};
pub use place::{DatagramId, MessageId};
pub use sender::Sender;
pub use settings::{is_auto, Settings};
