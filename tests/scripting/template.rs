//! Whether what `-T ek` writes fits the index template: a place for every value of our protocols, with a type that takes it.

use std::collections::BTreeSet;

use dissector_core::field::Kind;
use dissector_core::registry::REGISTRY;
use serde_json::{Map, Value as Json};

/// What a check found.
#[derive(Default)]
pub struct Found {
    /// The places of values of our protocols that were met.
    pub places: BTreeSet<String>,
    /// What does not fit, each once.
    pub misfits: BTreeSet<String>,
}

/// An index template, as an engine takes it.
pub struct Template {
    mappings: Json,
    ours: Vec<String>,
}

impl Template {
    /// The template of a request's body.
    pub fn new(body: &Json) -> Template {
        let protocols =
            REGISTRY.fields.iter().filter(|field| matches!(field.kind, Kind::Protocol | Kind::Family));
        Template {
            mappings: body["template"]["mappings"].clone(),
            ours: protocols.map(|field| format!("{0}_{0}_", field.name)).collect(),
        }
    }

    /// Holds a document to the template.
    pub fn check(&self, document: &Json, found: &mut Found) {
        let document = document.as_object().expect("a document is an object");
        self.walk(document, &self.mappings, "", found);
    }

    fn walk(&self, node: &Map<String, Json>, mapping: &Json, place: &str, found: &mut Found) {
        for (name, value) in node {
            let (mapping, place) = (&mapping["properties"][name], format!("{place}.{name}"));
            // a list is each of its values, and null is none
            let values = match value {
                Json::Array(values) => values.as_slice(),
                _ => std::slice::from_ref(value),
            };
            for value in values.iter().filter(|value| !value.is_null()) {
                match value {
                    Json::Object(inner) => self.walk(inner, mapping, &place, found),
                    _ => self.leaf(name, value, mapping, &place, found),
                }
            }
        }
    }

    fn leaf(&self, name: &str, value: &Json, mapping: &Json, place: &str, found: &mut Found) {
        let is_ours = self.ours.iter().any(|prefix| name.starts_with(prefix));
        if is_ours {
            found.places.insert(place.to_owned());
        }
        match mapping["type"].as_str() {
            Some(kind) if takes(kind, mapping, value) => {}
            Some(kind) => drop(found.misfits.insert(format!("{place}: {kind} does not take {value}"))),
            None if is_ours => drop(found.misfits.insert(format!("{place} has no place, with {value}"))),
            None => {}
        }
    }
}

/// Whether a field of this type takes this value, as Elasticsearch and OpenSearch coerce it.
fn takes(kind: &str, mapping: &Json, value: &Json) -> bool {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match kind {
        "keyword" => value.is_string(),
        "long" => text.parse::<i64>().is_ok(),
        "unsigned_long" => text.parse::<u64>().is_ok(),
        // one that is no number is refused with its document, unless it may be left unindexed
        "double" => {
            text.parse::<f64>().is_ok_and(|number| number.is_finite() || mapping["ignore_malformed"] == true)
        }
        "boolean" => matches!(text.as_str(), "true" | "false"),
        "date" => mapping["format"] == "epoch_millis" && text.parse::<i64>().is_ok(),
        "ip" => text.parse::<std::net::IpAddr>().is_ok(),
        _ => false,
    }
}

#[test]
fn a_value_without_a_place_or_of_another_type_is_found() {
    let text = conformance::elastic::template(&REGISTRY);
    let template = Template::new(&serde_json::from_str(&text).expect("JSON"));
    let misfits = |document: &str| {
        let mut found = Found::default();
        template.check(&serde_json::from_str(document).expect("JSON"), &mut found);
        (found.places.len(), found.misfits.into_iter().collect::<Vec<_>>())
    };
    let fits =
        r#"{"layers": {"lol": {"lol_lol_command": ["1", "2"], "lol_lol_match": null}, "dns": {"a": "b"}}}"#;
    assert_eq!(misfits(fits), (1, vec![]));
    let elsewhere = r#"{"layers": {"waypoint": {"waypoint_waypoint_syncId": "984"}}}"#;
    assert_eq!(
        misfits(elsewhere),
        (1, vec![r#".layers.waypoint.waypoint_waypoint_syncId has no place, with "984""#.to_owned()])
    );
    let other = r#"{"layers": {"lol": [{"lol_lol_command": "0x65"}]}}"#;
    assert_eq!(
        misfits(other),
        (1, vec![r#".layers.lol.lol_lol_command: long does not take "0x65""#.to_owned()])
    );
}
