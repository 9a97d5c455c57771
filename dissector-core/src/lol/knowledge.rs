//! What is known of a match: how its payloads are read, and what its messages mean to each other.

use super::build::{self, BuildSource, SessionBuild};
use super::exchange::{Exchanges, Link};
use super::key::{Learnt, SessionKey};
use super::keyring::Keyring;
use super::layouts::{Inference, Progress};
use super::origin::Origin;
use super::part::Part;
use super::payload::Payload;
use super::settings::Settings;
use super::units::Units;
use super::unread::Unread;
use crate::capture::{ConversationKey, MessageId};
use crate::decode::{self, Facts, Input, Point};
use crate::layout::{channel, Exchange, Role};
use crate::registry::Program;
use crate::tree::Tree;
use crate::version::Build;
use foldhash::{HashMap, HashMapExt};

/// A message on its way to what the match holds.
#[derive(Clone, Copy, Debug)]
pub struct Delivery<'a> {
    /// The layout its body was read with.
    pub program: &'static Program,
    /// What its body says.
    pub facts: &'a Facts,
    /// The ENet channel its payload came on.
    pub channel: u8,
    /// The network object its header names; 0 for none.
    pub net_id: u32,
    /// Its body, as far as it is there.
    pub body: &'a [u8],
    /// Where it stands in the capture.
    pub id: MessageId,
    /// When it was captured, nanoseconds since 1970.
    pub time: i64,
    /// Whether its payload had to wait, so that a part of it may have been delivered before.
    pub is_replay: bool,
}

/// What is known of a match.
#[derive(Debug)]
pub struct Knowledge {
    /// Number of its session in the capture, from 0.
    pub number: u32,
    /// The ends of its session.
    ends: ConversationKey,
    /// The key of its session, as far as that is known.
    pub key: SessionKey,
    /// Layouts found by trying, for builds without a page.
    pub inference: Inference,
    build: Option<SessionBuild>,
    /// The build to read it as where it states none.
    fallback: Option<SessionBuild>,
    /// Where the session states another build than the user does, and which.
    contradicted: Option<(MessageId, Build)>,
    origin: Origin,
    exchanges: Exchanges,
    /// The first payload that could not be read for want of a key: it carries the note.
    key_note: Option<(MessageId, bool)>,
    /// What units are called.
    pub units: Units,
    /// The messages that are not read.
    pub unread: Unread,
    /// The first message read by each assumption, which carries the note: by command, or by the build alone.
    assumed: HashMap<Option<u16>, MessageId>,
    /// The game's part of the datagram that is read.
    pub part: Part,
}

impl Knowledge {
    /// What the settings say of every match.
    pub fn new(number: u32, ends: ConversationKey, settings: &Settings) -> Knowledge {
        let given = |build: Option<Build>, source| build.map(|build| SessionBuild::given(build, source));
        let mut known = Knowledge {
            number,
            ends,
            key: SessionKey::default(),
            inference: Inference::default(),
            build: given(settings.build, BuildSource::Preference),
            fallback: given(settings.fallback, BuildSource::Fallback),
            contradicted: None,
            origin: Origin::new(settings.origin),
            exchanges: Exchanges::default(),
            key_note: None,
            units: Units::default(),
            unread: Unread::default(),
            assumed: HashMap::new(),
            part: Part::default(),
        };
        known.take_terms(&settings.keys);
        known
    }

    /// Takes what is said of the sessions between these ends, or of those with this key.
    fn take_terms(&mut self, ring: &Keyring) {
        let terms = ring.terms(&self.ends, self.key.state.schedule());
        if let Some(build) = terms.build {
            self.build = Some(SessionBuild::given(build, BuildSource::Keys));
        }
        if let Some(ground) = terms.ground {
            self.origin.set(ground);
        }
    }

    /// Takes from a payload what it teaches of the key.
    pub fn learn_key(&mut self, ring: &Keyring, payload: &Payload<'_>) -> Learnt {
        let learnt = self.key.learn(ring, &self.ends, payload);
        if learnt == Learnt::Usable {
            self.take_terms(ring);
        }
        learnt
    }

    /// The build it is read as, and where it comes from.
    pub fn build(&self) -> Option<SessionBuild> {
        self.build.or(self.fallback)
    }

    /// The map's origin.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// What a message is linked to; `None` where to nothing.
    pub fn link(&self, id: MessageId) -> Option<Link> {
        self.exchanges.link(id)
    }

    /// Takes the build from a client's registration or version text; `plain` is the payload deciphered.
    #[inline(always)]
    pub fn learn_build(&mut self, payload: &Payload<'_>, plain: &[u8]) -> Progress {
        if !payload.writes {
            return Progress::default();
        }
        let stated = || build::stated(payload.sender, payload.channel, plain);
        match self.build {
            None => {
                let frame = payload.id.frame;
                self.build = stated().map(|(build, source)| SessionBuild { build, source, frame });
                Progress { is_undecided: self.build.is_none(), is_settled: self.build.is_some() }
            }
            Some(known) => {
                if known.source.demanded_by().is_some() && self.contradicted.is_none() {
                    let other = stated().filter(|(build, _)| *build != known.build);
                    self.contradicted = other.map(|(build, _)| (payload.id, build));
                }
                Progress::default()
            }
        }
    }

    /// The build that a payload states although the user says another; `None` where it does not.
    pub fn contradicted_by(&self, payload: MessageId) -> Option<Build> {
        self.contradicted.filter(|(id, _)| *id == payload).map(|(_, build)| build)
    }

    /// Notes a payload that cannot be read for want of a key.
    pub fn lacks_key(&mut self, payload: &Payload<'_>) {
        // of a sender that is not known yet it may turn out to be the client's registration, which is in the clear
        let is_sure = payload.sender.is_some() || payload.channel != channel::REGISTRATION;
        if payload.writes && self.key_note.is_none_or(|(_, was_sure)| is_sure && !was_sure) {
            self.key_note = Some((payload.id, is_sure));
        }
    }

    /// Whether a payload carries the note on the key.
    pub fn notes_key(&self, payload: MessageId) -> bool {
        self.key_note.is_some_and(|(id, _)| id == payload)
    }

    /// Whether a message carries the note on an assumption it is read by, of its command or of the build: once a session.
    pub fn notes_assumption(&mut self, command: Option<u16>, id: MessageId, writes: bool) -> bool {
        match writes {
            true => *self.assumed.entry(command).or_insert(id) == id,
            false => self.assumed.get(&command) == Some(&id),
        }
    }

    /// Whether a message that is not read carries the note on all of them; on the first pass it is counted too.
    pub fn notes_unread(&mut self, payload: &Payload<'_>, id: MessageId, command: u16) -> bool {
        if payload.delivers() {
            self.unread.take(id, command);
        }
        payload.delivers() == payload.writes && self.unread.notes(id, payload.writes)
    }

    /// Takes an order's word on the map's origin, before it is shown: what betrays the origin is itself shown with it.
    #[inline(always)]
    pub fn learn_origin(&mut self, program: &Program, input: &Input<'_>, scratch: &mut Tree) {
        let betrays = |program: &Program| {
            program.layout.rows.iter().any(|row| matches!(row.role, Role::StatesOrigin(_)))
        };
        if self.origin.known().is_some() || !betrays(program) {
            return;
        }
        let mut facts = Facts::default();
        decode::read::<false>(program, input, scratch, &mut facts);
        if let (true, Some(target), Some(Point::Path(x, z))) = (facts.states_origin, facts.target, facts.last)
        {
            self.origin.weigh(target, (x, z));
        }
    }

    /// What a message changes in the match. Every message comes here once, in the order the receiver hands them on.
    #[inline(always)]
    pub fn deliver(&mut self, delivery: &Delivery<'_>) {
        let message = delivery.program.message;
        if let Some((start, length)) = delivery.facts.unit_name {
            let name = delivery.body.get(start as usize..).unwrap_or(&[]);
            self.units.learn(delivery.net_id, &name[..name.len().min(length as usize)]);
        }
        if let (Some(sync), true) = (delivery.facts.sync, message.exchange != Exchange::None) {
            let at = (delivery.id, delivery.time);
            self.exchanges.take(message, delivery.channel, sync, at, delivery.is_replay);
        }
    }
}
