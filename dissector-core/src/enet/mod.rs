//! ENet: what its datagrams hold (`wire`), and the transport half of a session: numbers, acknowledgements, fragments.
//!
//! Nothing here knows the game but the header variants.

mod candidate;
mod checksums;
mod connection;
mod copies;
mod moves;
mod names;
mod numbers;
mod opening;
mod reassembly;
mod records;
mod sequence;
mod settings;
mod show;
pub mod wire;

pub use candidate::{Candidate, Claim, Early};
pub use connection::{Connection, Surroundings, Taken};
pub use moves::evidence;
pub use names::{Name, Owner};
pub use numbers::Evidence;
pub use opening::opened;
pub use reassembly::{Reassemblies, Reassembly};
pub use records::Record;
pub use settings::Settings;
pub use show::{delivery_tag, summarise};
