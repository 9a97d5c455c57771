//! All keys that are given for a capture, the sessions each is for, and what is said of those sessions beside the key.

use std::net::IpAddr;

use super::cipher::{Key, Schedule};
use super::origin::Ground;
use crate::capture::{ConversationKey, Endpoint};
use crate::version::Build;

/// Where a key comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeySource {
    /// A row of the table `lol.keys`.
    Table,
    /// A line of the file `lol.keylog_file`.
    File,
    /// The list `lol.key`.
    Preference,
}

impl KeySource {
    /// The word `lol.key.source` shows.
    pub fn name(self) -> &'static str {
        match self {
            KeySource::Table => "table",
            KeySource::File => "file",
            KeySource::Preference => "preference",
        }
    }
}

/// Which sessions a key or what stands beside it is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Scope {
    /// The address that one end has; `None` for any.
    pub address: Option<IpAddr>,
    /// The UDP port that the same end has; 0 for any.
    pub port: u16,
}

impl Scope {
    /// Whether a session between these ends is meant.
    fn covers(&self, ends: &ConversationKey) -> bool {
        let is_here = |end: &Endpoint| match self.address {
            None => true,
            Some(IpAddr::V4(address)) => end.address() == address.octets(),
            Some(IpAddr::V6(address)) => end.address() == address.octets(),
        };
        ends.ends().iter().any(|end| is_here(end) && [0, end.port].contains(&self.port))
    }

    /// Whether it names an end at all.
    fn is_specific(&self) -> bool {
        *self != Scope::default()
    }
}

/// What is said of sessions beside their key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Terms {
    /// The build they are read as.
    pub build: Option<Build>,
    /// Where their map lies.
    pub ground: Option<Ground>,
}

/// A row of the table or a line of the file, read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KeyTerms {
    /// The sessions it is for.
    pub scope: Scope,
    /// Their key, where it gives one.
    pub key: Option<Key>,
    /// What it says of them beside that.
    pub terms: Terms,
}

/// A key ready for use. A text that may be read in two ways is two of them, with the same number.
#[derive(Clone, Debug)]
pub struct GivenKey {
    /// Where it is given.
    pub source: KeySource,
    /// Its place there, from 1: in the list, the row of the table, the line of the file.
    pub number: u32,
    /// What deciphers with it.
    pub schedule: Schedule,
    /// The row that gives it; `None` for the keys of the list, which are for all sessions.
    row: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    /// `None` once it is withdrawn.
    scope: Option<Scope>,
    has_key: bool,
    terms: Terms,
}

/// All keys of a capture. They are only ever added: a session calls its key by its place here.
#[derive(Debug, Default)]
pub struct Keyring {
    keys: Vec<GivenKey>,
    rows: Vec<Row>,
}

impl Keyring {
    /// Adds a key for all sessions, the `number`th of its list.
    pub fn add(&mut self, number: u32, key: &Key) {
        let source = KeySource::Preference;
        self.keys.extend(key.schedules().map(|schedule| GivenKey { source, number, schedule, row: None }));
    }

    /// Adds a row; answers its place, for [`Keyring::withdraw`].
    pub fn add_row(&mut self, source: KeySource, number: u32, given: &KeyTerms) -> usize {
        let place = self.rows.len();
        self.rows.push(Row { scope: Some(given.scope), has_key: given.key.is_some(), terms: given.terms });
        let schedules = given.key.iter().flat_map(Key::schedules);
        let row = Some(place);
        self.keys.extend(schedules.map(|schedule| GivenKey { source, number, schedule, row }));
        place
    }

    /// Takes a row back: sessions that do not use its key yet never will.
    pub fn withdraw(&mut self, row: usize) {
        if let Some(row) = self.rows.get_mut(row) {
            (row.scope, row.terms) = (None, Terms::default());
        }
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// A key by its place.
    pub fn get(&self, place: usize) -> Option<&GivenKey> {
        self.keys.get(place)
    }

    /// The places, from `from` on, of keys that may be those of a session between these ends.
    pub fn of<'r>(&'r self, ends: &'r ConversationKey, from: usize) -> impl Iterator<Item = usize> + 'r {
        let row = |key: &GivenKey| key.row.and_then(|row| self.rows.get(row));
        let is_for = move |place: &usize| {
            let key = self.keys.get(*place);
            key.is_some_and(|key| row(key).is_none_or(|row| row.scope.is_some_and(|s| s.covers(ends))))
        };
        (from..self.keys.len()).filter(is_for)
    }

    /// What is said of a session between these ends, which is read with this key, if with any. First comes the row whose
    /// key it is, then rows in their order; one with another key must name an end to say anything of it.
    pub fn terms(&self, ends: &ConversationKey, key: Option<usize>) -> Terms {
        let used = key.and_then(|place| self.keys.get(place)?.row);
        let applies = |(place, row): &(usize, &Row)| {
            let scope = row.scope.filter(|scope| scope.covers(ends));
            used != Some(*place) && scope.is_some_and(|scope| !row.has_key || scope.is_specific())
        };
        let others = self.rows.iter().enumerate().filter(applies).map(|(_, row)| row);
        let all = used.and_then(|place| self.rows.get(place)).into_iter().chain(others);
        all.fold(Terms::default(), |known, row| Terms {
            build: known.build.or(row.terms.build),
            ground: known.ground.or(row.terms.ground),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(hosts: [u8; 2], ports: [u16; 2]) -> ConversationKey {
        let end = |at: usize| Endpoint::new(2, &[192, 0, 2, hosts[at]], ports[at]);
        ConversationKey::between(end(0), end(1)).0
    }

    fn scope(host: u8, port: u16) -> Scope {
        Scope { address: (host > 0).then(|| IpAddr::from([192, 0, 2, host])), port }
    }

    fn row(scope: Scope, key: Option<u8>, build: Option<u16>) -> KeyTerms {
        let build = build.map(|last| Build::new(1, 0, 0, last));
        KeyTerms {
            scope,
            key: key.map(|byte| Key::from_bytes([byte; 16])),
            terms: Terms { build, ground: None },
        }
    }

    #[test]
    fn address_and_port_must_be_those_of_one_end() {
        let here = ends([1, 2], [5000, 5119]);
        for (host, port, covers) in [
            (0, 0, true),
            (1, 0, true),
            (2, 0, true),
            (3, 0, false),
            (0, 5119, true),
            (0, 5120, false),
            (2, 5119, true),
            (1, 5119, false),
            (2, 5000, false),
        ] {
            assert_eq!(scope(host, port).covers(&here), covers, "{host}:{port}");
        }
        let v6 = Scope { address: "2001:db8::1".parse().ok(), port: 0 };
        assert!(!v6.covers(&here));
    }

    #[test]
    fn a_session_is_offered_its_own_keys_and_those_for_all() {
        let mut ring = Keyring::default();
        ring.add_row(KeySource::Table, 1, &row(scope(1, 0), Some(1), None));
        ring.add_row(KeySource::Table, 2, &row(scope(9, 0), Some(2), None));
        ring.add(1, &Key::from_bytes([3; 16]));
        let late = ring.add_row(KeySource::File, 7, &row(Scope::default(), Some(4), None));
        let here = ends([1, 2], [5000, 5119]);
        assert_eq!(ring.of(&here, 0).collect::<Vec<_>>(), [0, 2, 3]);
        assert_eq!(ring.of(&here, 1).collect::<Vec<_>>(), [2, 3]);
        let told = |place| ring.get(place).map(|key| (key.source.name(), key.number));
        assert_eq!([0, 2, 3].map(told), [("table", 1), ("preference", 1), ("file", 7)].map(Some));
        ring.withdraw(late);
        assert_eq!(ring.of(&here, 0).collect::<Vec<_>>(), [0, 2]);
        assert_eq!((ring.len(), ring.get(4).is_none()), (4, true));
    }

    #[test]
    fn what_was_withdrawn_says_nothing_any_more_even_where_its_key_is_used() {
        let mut ring = Keyring::default();
        let half_written = ring.add_row(KeySource::File, 1, &row(scope(1, 0), Some(1), Some(13)));
        let here = ends([1, 2], [5000, 5119]);
        assert_eq!(ring.terms(&here, Some(0)).build, Some(Build::new(1, 0, 0, 13)));
        ring.withdraw(half_written);
        assert_eq!(ring.terms(&here, Some(0)), Terms::default());
        ring.add_row(KeySource::File, 1, &row(scope(1, 0), Some(1), Some(136)));
        assert_eq!(ring.terms(&here, Some(0)).build, Some(Build::new(1, 0, 0, 136)));
    }

    #[test]
    fn the_row_whose_key_it_is_speaks_first() {
        let mut ring = Keyring::default();
        let here = ends([1, 2], [5000, 5119]);
        let build = |ring: &Keyring, key| ring.terms(&here, key).build.map(|build| build.parts()[3]);
        assert_eq!(build(&ring, None), None);
        ring.add_row(KeySource::Table, 1, &row(Scope::default(), Some(1), Some(101)));
        assert_eq!(build(&ring, None), None, "a key for any session speaks for those it opens");
        ring.add_row(KeySource::Table, 2, &row(scope(2, 0), Some(2), Some(102)));
        ring.add_row(KeySource::Table, 3, &row(Scope::default(), None, Some(103)));
        assert_eq!(build(&ring, None), Some(102));
        assert_eq!(build(&ring, Some(0)), Some(101));
        assert_eq!(build(&ring, Some(1)), Some(102));
        ring.withdraw(1);
        assert_eq!(build(&ring, None), Some(103));
    }
}
