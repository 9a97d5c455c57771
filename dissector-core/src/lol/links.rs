//! The fields that link the messages of a family with their answers.

use once_cell::sync::Lazy;

use crate::layout::Family;
use crate::registry::REGISTRY;
use crate::tree::FieldId;

/// Fields that link the messages of a family with their answers.
#[derive(Clone, Copy, Debug)]
pub struct Links {
    family: &'static str,
    /// `ackIn`: frame of the answer.
    pub answered_in: Option<FieldId>,
    /// `ackTo`: frame of the statement that is answered.
    pub answers: Option<FieldId>,
    /// `ackTime`: time between the two.
    pub time: Option<FieldId>,
}

static LINKS: Lazy<Vec<Links>> = Lazy::new(|| {
    let mut found: Vec<Links> = Vec::new();
    for program in &REGISTRY.programs {
        let family = program.message.family.prefix;
        if !found.iter().any(|links| links.family == family) {
            let field = |name: &str| REGISTRY.field(&format!("{family}.{name}"));
            let (answered_in, answers) = (field("ackIn"), field("ackTo"));
            found.push(Links { family, answered_in, answers, time: field("ackTime") });
        }
    }
    found
});

/// The link fields of a family; `None` where it has none.
pub fn of(family: &Family) -> Option<Links> {
    LINKS.iter().find(|links| links.family == family.prefix).copied()
}
