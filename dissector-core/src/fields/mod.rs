//! Tables of the fields and expert items that no page of the book states, one file a protocol.
//!
//! A field's number, and an expert item's, counts through all tables in the order [`all`] and [`experts`] give them.

pub mod bedrock;
pub mod enet;
mod expert;
mod links;
pub mod lol;
mod table;

pub use expert::{ExpertSpec, Group, Severity};
pub use links::{link_of, Link};

use crate::field::FieldSpec;

/// The fields of all tables, in the order of their numbers.
pub fn all() -> impl Iterator<Item = &'static FieldSpec> {
    enet::FIELDS.iter().chain(&lol::FIELDS).chain(&bedrock::FIELDS)
}

/// The expert items of all tables, in the order of their numbers.
pub fn experts() -> impl Iterator<Item = &'static ExpertSpec> {
    enet::EXPERTS.iter().chain(&lol::EXPERTS).chain(&bedrock::EXPERTS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn numbers_are_places_in_all_tables() {
        let name = |id: u16| all().nth(id.into()).map(|spec| spec.name);
        assert_eq!(name(enet::Field::Enet.id()), Some("enet"));
        assert_eq!(name(enet::Field::FragmentReassembledData.id()), Some("enet.fragment.reassembledData"));
        assert_eq!(name(lol::Field::Lol.id()), Some("lol"));
        assert_eq!(name(lol::Field::RegistrationTrailing.id()), Some("lol.registration.trailing"));
        assert_eq!(name(bedrock::Field::Bedrock.id()), Some("bedrock"));
        assert_eq!(name(bedrock::Field::ActorZ.id()), Some("bedrock.actor.z"));
        let expert = |id: u16| experts().nth(id.into()).map(|spec| spec.name);
        assert_eq!(expert(enet::Expert::Undecided.id()), Some("enet.undecided"));
        assert_eq!(expert(lol::Expert::Malformed.id()), Some("lol.malformed"));
        assert_eq!(expert(bedrock::Expert::TooMany.id()), Some("bedrock.tooMany"));
        assert_eq!(bedrock::Expert::TooMany.spec().name, "bedrock.tooMany");
    }

    #[test]
    fn names_stand_once_and_under_their_protocol() {
        let mut seen = HashSet::new();
        let names = all().map(|spec| spec.name).chain(experts().map(|spec| spec.name));
        for name in names {
            let family = name.split('.').next().unwrap_or_default();
            assert!(["enet", "lol", "bedrock"].contains(&family), "{name}");
            assert!(seen.insert(name), "{name} twice");
        }
    }
}
