//! How sure a layout is.

use super::Layout;

/// How sure a layout is, surest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Evidence {
    /// Recorded messages of one of its builds read to their last byte with it.
    Recorded,
    /// A client of one of its builds has taken messages that were written with it.
    Accepted,
    /// A page of the specification states it.
    Page,
    /// A part of it follows from other layouts, not from a page.
    Inferred,
}

impl Evidence {
    /// The word that documentation uses.
    pub const fn name(self) -> &'static str {
        match self {
            Evidence::Recorded => "recorded",
            Evidence::Accepted => "accepted",
            Evidence::Page => "page",
            Evidence::Inferred => "inferred",
        }
    }
}

impl Layout {
    /// The same layout, known from recorded messages.
    pub const fn recorded(mut self) -> Layout {
        self.evidence = Evidence::Recorded;
        self
    }

    /// The same layout, known to be taken by a client.
    pub const fn accepted(mut self) -> Layout {
        self.evidence = Evidence::Accepted;
        self
    }

    /// The same layout, of which a part is inferred.
    pub const fn inferred(mut self) -> Layout {
        self.evidence = Evidence::Inferred;
        self
    }
}
