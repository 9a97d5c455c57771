//! Which header variant a datagram has: nothing in it says so, and each variant is tried.

use super::header::{header, HeaderVariant};
use super::rows::id;
use super::strict::walk;
use crate::capture::Sender;

/// Number of [`TRIED`].
const HYPOTHESES: usize = 7;
const STOCK: u8 = 1 << 0 | 1 << 1;
const CLASSIC: u8 = 1 << 2;
const CLIENT: u8 = 1 << 5;
const SERVER: u8 = 1 << 6;

/// What a datagram is tried as, likelier ones first among those that read it alike; its place is its bit in a
/// set.
const TRIED: [(HeaderVariant, Option<Sender>); HYPOTHESES] = [
    (HeaderVariant::Stock, None),
    (HeaderVariant::StockChecksum, None),
    (HeaderVariant::Classic, None),
    (HeaderVariant::Compact, None),
    (HeaderVariant::Prefixed, None),
    (HeaderVariant::Season8, Some(Sender::Client)),
    (HeaderVariant::Season8, Some(Sender::Server)),
];

/// Which of several variants is likelier, where nothing tells them apart yet.
const LIKELIER: [usize; HYPOTHESES] = [2, 3, 4, 5, 6, 0, 1];

/// The header variants under which a datagram, or all those seen of a conversation, could have been written.
///
/// A conversation begins as [`Candidates::ANY`] and takes each datagram with [`Candidates::narrow`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidates {
    set: u8,
    /// Variants the datagram says nothing about: it could be one of them that another compressor has made smaller.
    open: u8,
    /// Whether a sent time stood where one of the variants has it.
    timed: bool,
    /// Whether a checksum fitted, which leaves no doubt.
    proven: bool,
    /// Whether bytes 1 to 3 are zero, as in the session number of all known classic clients.
    classic: bool,
    weight: u16,
}

/// A variant and, for [`HeaderVariant::Season8`], which end is the client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settled {
    /// The header variant.
    pub variant: HeaderVariant,
    /// Who sent the datagrams of the end that was taken as first, where the variant tells.
    pub first: Option<Sender>,
}

impl Candidates {
    /// Every variant: nothing was seen yet.
    pub const ANY: Candidates = Candidates {
        set: (1 << HYPOTHESES) - 1,
        open: 0,
        timed: false,
        proven: false,
        classic: false,
        weight: 0,
    };

    /// Whether no variant fits.
    pub fn is_empty(self) -> bool {
        self.set == 0
    }

    /// Whether nothing can be read but the datagram could be one of stock ENet in another compressor's form: it
    /// neither speaks for nor against a conversation of that kind.
    pub fn is_neutral(self) -> bool {
        self.set == 0 && self.open != 0
    }

    /// Whether a variant fits; `from` is who sends, where known, and matters to [`HeaderVariant::Season8`] only.
    pub fn holds(self, variant: HeaderVariant, from: Option<Sender>) -> bool {
        self.variants().any(|settled| {
            settled.variant == variant && (from.is_none() || settled.first.is_none() || settled.first == from)
        })
    }

    /// The variants that fit, likelier ones first.
    pub fn variants(self) -> impl Iterator<Item = Settled> {
        let known = LIKELIER.into_iter().filter(move |place| self.set & 1 << place != 0);
        known.map(|place| Settled { variant: TRIED[place].0, first: TRIED[place].1 })
    }

    /// The likeliest variant that fits. Where [`Candidates::decides`] is false it may turn out to be another
    /// one.
    pub fn likeliest(self) -> Option<Settled> {
        self.variants().next()
    }

    /// Whether one variant fits and no other.
    pub fn is_single(self) -> bool {
        self.set.count_ones() == 1
    }

    /// Whether the variant is settled: one fits, and a sent time was seen where it has it, or a checksum fitted.
    /// Without a sent time classic and prefixed headers are alike in all but names, and so are compact and stock ones.
    pub fn decides(self) -> bool {
        self.is_single() && (self.timed || self.proven)
    }

    /// Whether a checksum fitted that needs nobody's number: one datagram leaves no doubt then.
    pub fn is_proven(self) -> bool {
        self.proven && self.is_single()
    }

    /// The same without the variants for which the one a user demands does not stand; see
    /// [`HeaderVariant::stands_for`].
    pub fn only(mut self, demanded: HeaderVariant) -> Candidates {
        let stands = |(place, _): &(usize, _)| demanded.stands_for(TRIED[*place].0);
        let left = TRIED.iter().enumerate().filter(stands).fold(0, |left, (place, _)| left | 1 << place);
        self.set &= left;
        self.open &= left;
        self
    }

    /// Whether the bytes also look like the session number of a classic client: a hint where classic and
    /// another variant fit alike.
    pub fn hints_classic(self) -> bool {
        self.classic && self.set & CLASSIC != 0
    }

    /// About how many bits of the datagrams had to be right for a variant to fit, at least: how surely this is
    /// no other protocol. A datagram with one payload and nothing else has 25, one with only acknowledgements
    /// 4.
    pub fn weight(self) -> u16 {
        self.weight
    }

    /// The same set as seen by the other end: client and server of [`HeaderVariant::Season8`] change places.
    fn turned(mut self) -> Candidates {
        let (client, server) = (self.set & CLIENT, self.set & SERVER);
        self.set = self.set & !(CLIENT | SERVER) | client << 1 | server >> 1;
        self
    }

    /// Takes another datagram of the same conversation. `first` says whether it was sent by the end that is
    /// taken as the first one; [`Settled::first`] is about that end.
    pub fn narrow(&mut self, datagram: Candidates, first: bool) {
        let other = if first { datagram } else { datagram.turned() };
        self.set &= other.set | other.open;
        self.timed |= other.timed;
        self.proven |= other.proven;
        self.classic |= other.classic;
        self.weight = self.weight.saturating_add(other.weight);
    }
}

/// The variants under which a datagram could have been written; `bytes` are those captured of `reported`.
pub fn candidates(bytes: &[u8], reported: usize) -> Candidates {
    let reported = reported.max(bytes.len());
    let classic = bytes.get(1..4) == Some(&[0; 3]);
    let mut found = Candidates { set: 0, open: 0, timed: false, proven: false, classic, weight: 0 };
    for (place, (variant, from)) in TRIED.into_iter().enumerate() {
        let Some(walk) = walk(variant, from, bytes, reported) else { continue };
        found.weight = if found.set == 0 { walk.weight } else { found.weight.min(walk.weight) };
        found.set |= 1 << place;
        found.timed |= walk.header.sent_time.is_some();
        if walk.sum_fits == Some(true) {
            return Candidates { set: 1 << place, weight: walk.weight, proven: true, ..found };
        }
    }
    let stock = header(HeaderVariant::Stock, None, bytes);
    if found.set & STOCK == 0 && stock.is_ok_and(|header| header.is_compressed()) {
        found.open = STOCK;
    }
    found
}

/// The variant of a datagram that asks for a connection: `None` for any other datagram.
///
/// The whole connect has to be captured; what follows it has to be right as far as it was captured.
pub fn connect(bytes: &[u8], reported: usize) -> Option<HeaderVariant> {
    connect_of(None, bytes, reported)
}

/// The same where only a variant for which `demanded` stands will do.
pub fn connect_of(demanded: Option<HeaderVariant>, bytes: &[u8], reported: usize) -> Option<HeaderVariant> {
    let order = [
        HeaderVariant::Classic,
        HeaderVariant::Compact,
        HeaderVariant::Prefixed,
        HeaderVariant::Season8,
        HeaderVariant::Stock,
        HeaderVariant::StockChecksum,
    ];
    let asks = |variant: &HeaderVariant| {
        let walk = walk(*variant, Some(Sender::Client), bytes, reported.max(bytes.len()));
        walk.is_some_and(|walk| walk.first.id == id::CONNECT && walk.sum_fits != Some(false))
    };
    let mut wanted =
        order.into_iter().filter(|variant| demanded.is_none_or(|demanded| demanded.stands_for(*variant)));
    wanted.find(asks)
}
