//! The texts of a row of the table of keys, or of a line of the key file: each checked with an error that says what to write.

use std::net::IpAddr;

use super::cipher::Key;
use super::keyring::{KeyTerms, Scope};
use super::origin::{Ground, MAPS};
use crate::capture::{is_auto, KeyRow};
use crate::version::Build;

/// A column of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyColumn {
    /// Address of one end.
    Address,
    /// UDP port of that end.
    Port,
    /// The key.
    Key,
    /// The build.
    Build,
    /// Number of the map.
    Map,
    /// Origin of the map.
    Origin,
}

impl KeyColumn {
    /// The columns in the order of the table.
    pub const ALL: [KeyColumn; 6] = [
        KeyColumn::Address,
        KeyColumn::Port,
        KeyColumn::Key,
        KeyColumn::Build,
        KeyColumn::Map,
        KeyColumn::Origin,
    ];

    /// Whether a text may stand in this column; the error names the column, the text and what may stand there. A key is
    /// never repeated in an error.
    pub fn check(self, text: &str) -> Result<(), String> {
        let mut row = KeyTerms::default();
        self.read(text, &mut row)
    }

    /// Reads a text of this column into a row.
    fn read(self, text: &str, row: &mut KeyTerms) -> Result<(), String> {
        let text = text.trim();
        match self {
            KeyColumn::Address => row.scope.address = address(text)?,
            KeyColumn::Port => row.scope.port = port(text)?,
            KeyColumn::Key if text.is_empty() => row.key = None,
            KeyColumn::Key => row.key = Some(Key::parse(text).map_err(|error| error.to_string())?),
            KeyColumn::Build if is_auto(text) => row.terms.build = None,
            KeyColumn::Build => {
                row.terms.build = Some(text.parse::<Build>().map_err(|error| error.to_string())?);
            }
            KeyColumn::Map => {
                let map = map(text)?;
                row.terms.ground = row.terms.ground.or(map);
            }
            KeyColumn::Origin => {
                // the origin says where the map lies, the map only which it is
                let map = row.terms.ground.and_then(|ground| ground.map);
                let given = origin(text).map_err(|error| format!("origin {error}"))?;
                let given = given.map(|origin| Ground { origin, map });
                row.terms.ground = given.or(row.terms.ground);
            }
        }
        Ok(())
    }
}

/// Reads a row of the table; the error tells all that is wrong with it.
pub fn parse(row: &KeyRow) -> Result<KeyTerms, String> {
    let texts = [&row.address, &row.port, &row.key, &row.build, &row.map, &row.origin];
    let mut read = KeyTerms::default();
    let columns = KeyColumn::ALL.iter().zip(texts);
    let wrong: Vec<_> = columns.filter_map(|(column, text)| column.read(text, &mut read).err()).collect();
    match wrong.is_empty() {
        true => Ok(read),
        false => Err(wrong.join("; ")),
    }
}

/// Reads a line of the key file behind its first word: the key, then end, build, map and origin, each of which may be `-`
/// or left out.
pub fn parse_line<'l>(words: impl Iterator<Item = &'l str>) -> Result<KeyTerms, String> {
    let mut read = KeyTerms::default();
    let mut words = words.map(|word| if word == "-" { "" } else { word });
    let key = words.next().unwrap_or_default();
    // a line without a key has nothing to open
    read.key = Some(Key::parse(key).map_err(|error| error.to_string())?);
    read.scope = end(words.next().unwrap_or_default())?;
    for column in [KeyColumn::Build, KeyColumn::Map, KeyColumn::Origin] {
        column.read(words.next().unwrap_or_default(), &mut read)?;
    }
    match words.next() {
        None => Ok(read),
        Some(word) => Err(format!(
            "behind the origin may stand only a comment, which begins with #, got \"{}\"",
            shortened(word)
        )),
    }
}

/// Most characters of a text that an error repeats.
const MOST_REPEATED: usize = 60;

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(MOST_REPEATED).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

fn address(text: &str) -> Result<Option<IpAddr>, String> {
    let parsed = (!text.is_empty()).then(|| text.parse()).transpose();
    parsed.map_err(|_| {
        format!(
            "address must be an IPv4 or IPv6 address such as 192.0.2.10, or empty for any, got \"{}\"",
            shortened(text)
        )
    })
}

fn port(text: &str) -> Result<u16, String> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match (text.is_empty(), text.parse()) {
        (true, _) => Ok(0),
        (false, Ok(port)) if digits => Ok(port),
        _ => {
            Err(format!("port must be a UDP port from 1 to 65535, or 0 for any, got \"{}\"", shortened(text)))
        }
    }
}

/// An end as `address`, `address:port`, `[address]:port` or `:port`.
fn end(text: &str) -> Result<Scope, String> {
    // an IPv6 address has colons of its own
    if text.is_empty() || text.parse::<IpAddr>().is_ok() {
        return Ok(Scope { address: address(text)?, port: 0 });
    }
    let wrong = || {
        format!(
            "the end must be an address with or without a port, such as 192.0.2.10:5119 or [2001:db8::1]:5119, or - for any, got \"{}\"",
            shortened(text)
        )
    };
    let (host, number) = text.rsplit_once(':').ok_or_else(wrong)?;
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    if number.is_empty() || bare.is_none() && host.contains(':') {
        return Err(wrong());
    }
    let address = address(bare.unwrap_or(host)).map_err(|_| wrong())?;
    Ok(Scope { address, port: port(number).map_err(|_| wrong())? })
}

fn map(text: &str) -> Result<Option<Ground>, String> {
    let known = MAPS.iter().find(|(number, _)| text == number.to_string());
    match known {
        Some(&(number, origin)) => Ok(Some(Ground { origin, map: Some(number) })),
        None if is_auto(text) => Ok(None),
        None => {
            let all: Vec<_> = MAPS.iter().map(|(number, _)| number.to_string()).collect();
            Err(format!(
                "map must be the number of a map whose origin is known ({}), or empty (give the origin of another as x,z), got \"{}\"",
                all.join(", "),
                shortened(text)
            ))
        }
    }
}

/// An origin as `x,z`, world units; `None` for `auto` or nothing. The error says what to write.
pub fn origin(text: &str) -> Result<Option<(i32, i32)>, String> {
    if is_auto(text) {
        return Ok(None);
    }
    let number = |part: &str| part.trim().parse::<i16>().ok().map(i32::from);
    let origin = text.split_once(',').and_then(|(x, z)| Some((number(x)?, number(z)?)));
    origin.map(Some).ok_or_else(|| {
        format!(
            "must be auto or two whole numbers from -32768 to 32767 as x,z (such as 6991,7223), got \"{}\"",
            shortened(text)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::keyring::Terms;
    use super::*;

    const KEY: &str = "00112233445566778899aabbccddeeff";

    fn line(text: &str) -> Result<KeyTerms, String> {
        parse_line(text.split_whitespace())
    }

    #[test]
    fn a_column_says_what_may_stand_in_it() {
        for (column, good, wrong, told) in [
            (KeyColumn::Address, "2001:db8::1", "192.0.2.10:5119", "192.0.2.10, or empty for any"),
            (KeyColumn::Port, "65535", "65536", "1 to 65535, or 0 for any"),
            (KeyColumn::Port, "0", "+1", "got \"+1\""),
            (KeyColumn::Key, KEY, "0011", "32 hex digits"),
            (KeyColumn::Build, "1.0.0.136", "1.0.136", "such as 1.0.0.136"),
            (KeyColumn::Map, "11", "2", "(1, 8, 10, 11, 12), or empty"),
            (KeyColumn::Origin, "-5,9", "5", "6991,7223"),
        ] {
            assert_eq!(column.check(good), Ok(()));
            assert_eq!(column.check(""), Ok(()), "{column:?} may be left empty");
            let error = column.check(wrong).unwrap_err();
            let name = format!("{column:?}").to_lowercase();
            assert!(error.starts_with(&name) && error.contains(told), "{error}");
        }
        let secret = KeyColumn::Key.check("a key nobody may read in a log").unwrap_err();
        assert!(!secret.contains("nobody"), "{secret}");
    }

    #[test]
    fn a_row_holds_what_its_texts_say() {
        let row = KeyRow {
            address: "192.0.2.10".into(),
            port: " 5119 ".into(),
            key: KEY.into(),
            build: "1.0.0.136".into(),
            map: "1".into(),
            origin: String::new(),
        };
        let read = parse(&row).unwrap();
        assert_eq!(read.scope, Scope { address: Some(IpAddr::from([192, 0, 2, 10])), port: 5119 });
        assert_eq!(read.key, Key::parse(KEY).ok());
        assert_eq!(read.terms.build, Some(Build::new(1, 0, 0, 136)));
        assert_eq!(read.terms.ground, Some(Ground { origin: (6991, 7223), map: Some(1) }));
        let both = parse(&KeyRow { origin: "7000,-7".into(), ..row.clone() }).unwrap();
        assert_eq!(both.terms.ground, Some(Ground { origin: (7000, -7), map: Some(1) }));
        let wrong = parse(&KeyRow { port: "x".into(), map: "9".into(), ..row }).unwrap_err();
        assert!(wrong.contains("port must be") && wrong.contains("; map must be"), "{wrong}");
        assert_eq!(parse(&KeyRow::default()), Ok(KeyTerms::default()));
    }

    #[test]
    fn a_line_names_its_end_in_one_word() {
        let end =
            |text: &str| line(&format!("{KEY} {text}")).map(|read| (read.scope.address, read.scope.port));
        let (v4, v6) = (IpAddr::from([192, 0, 2, 10]), "2001:db8::1".parse::<IpAddr>().unwrap());
        for (text, address, port) in [
            ("", None, 0),
            ("-", None, 0),
            ("192.0.2.10", Some(v4), 0),
            ("192.0.2.10:5119", Some(v4), 5119),
            (":5119", None, 5119),
            ("2001:db8::1", Some(v6), 0),
            ("[2001:db8::1]:5119", Some(v6), 5119),
        ] {
            assert_eq!(end(text), Ok((address, port)), "{text}");
        }
        let bare = "1:2:3:4:5:6:7:8:5119"; // of an address without brackets nobody knows where it ends
        for wrong in
            ["192.0.2.10:", "[2001:db8::1]", "192.0.2.300:5", "host:5", "192.0.2.10:70000", "1:2:5", bare]
        {
            let error = end(wrong).unwrap_err();
            assert!(error.starts_with("the end must be an address") && error.contains(wrong), "{error}");
        }
    }

    #[test]
    fn a_line_may_leave_out_what_it_does_not_know() {
        let read = line(&format!("{KEY} - 1.0.0.136 - 5,6")).unwrap();
        assert_eq!(read.scope, Scope::default());
        assert_eq!(read.terms.build, Some(Build::new(1, 0, 0, 136)));
        assert_eq!(read.terms.ground, Some(Ground { origin: (5, 6), map: None }));
        assert_eq!(line(KEY).map(|read| read.terms), Ok(Terms::default()));
        for (text, told) in [
            ("", "32 hex digits"),
            ("-", "32 hex digits"),
            ("0011", "got 4 characters"),
            (&format!("{KEY} 1.0.0.136 1"), "such as 1.0.0.136, got \"1\""),
            (&format!("{KEY} - - - - more"), "only a comment"),
        ] {
            assert!(line(text).unwrap_err().contains(told), "{text}");
        }
    }
}
