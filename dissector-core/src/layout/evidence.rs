//! How sure a layout is, and what states it.

use super::Layout;
use crate::version::Range;

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

/// What states a layout.
#[derive(Debug)]
pub struct Page {
    /// The title as the page itself writes it; words of our own for what is no page or has no title.
    pub title: &'static str,
    /// Builds it states, protocols of Bedrock as [`crate::book::bedrock::protocol`] writes them.
    pub builds: Range,
    /// Whether it is a page, and has a title.
    pub source: Source,
}

/// What kind of thing states a layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A page of the specification, called by its own title.
    Page,
    /// A page of the specification that has no title.
    Untitled,
    /// No page: tables and recordings from beyond the specification.
    Beyond,
}

impl Page {
    /// Whether it states all builds of the range.
    pub const fn states(&self, builds: Range) -> bool {
        self.builds.holds(builds.from) && self.builds.holds(builds.until)
    }
}

impl Layout {
    /// The same layout, stated by another page.
    pub const fn on_page(mut self, page: &'static Page) -> Layout {
        self.page = page;
        self
    }

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
