//! The preferences of `enet`, read once.

use super::wire::HeaderVariant;
use crate::capture::{self, is_auto};

/// The preferences of `enet`, ready for use.
#[derive(Debug, Default)]
pub struct Settings {
    /// The header variant of every session.
    pub variant: Option<HeaderVariant>,
    /// UDP port ranges, both ends included, in which one datagram is enough; also those of servers.
    ports: Vec<(u16, u16)>,
}

impl Settings {
    /// Reads them; what cannot be used is told.
    pub fn new(settings: &capture::Settings, problems: &mut Vec<String>) -> Settings {
        Settings { variant: variant_of(settings.variant.trim(), problems), ports: settings.ports.clone() }
    }

    /// Whether a UDP port is one of those set for servers.
    pub fn is_server_port(&self, port: u16) -> bool {
        self.ports.iter().any(|&(first, last)| first <= port && port <= last)
    }
}

fn variant_of(text: &str, problems: &mut Vec<String>) -> Option<HeaderVariant> {
    if is_auto(text) {
        return None;
    }
    let variant = HeaderVariant::from_name(text);
    if variant.is_none() {
        problems.push(format!(
            "enet.shape: must be auto, stock, stockChecksum, classic, compact, prefixed or season8, got \"{text}\""
        ));
    }
    variant
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_and_ports_are_read_or_told() {
        let mut problems = Vec::new();
        let given = capture::Settings {
            variant: " compact ".into(),
            ports: vec![(5000, 5500)],
            ..capture::Settings::default()
        };
        let read = Settings::new(&given, &mut problems);
        assert_eq!((read.variant, problems.len()), (Some(HeaderVariant::Compact), 0));
        let ports = [4999, 5000, 5500, 5501].map(|port| read.is_server_port(port));
        assert_eq!(ports, [false, true, true, false]);
        let wrong = capture::Settings { variant: "old".into(), ..capture::Settings::default() };
        assert_eq!(Settings::new(&wrong, &mut problems).variant, None);
        assert!(problems[0].contains("classic") && problems[0].contains("\"old\""), "{problems:?}");
        assert_eq!(Settings::new(&capture::Settings::default(), &mut problems).variant, None);
        assert_eq!(problems.len(), 1);
    }
}
