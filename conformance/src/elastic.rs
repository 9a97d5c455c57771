//! The index template for Elasticsearch and OpenSearch: a type for every value that `tshark -T ek` writes of our fields,
//! at the place where it writes it.
//!
//! epan's own `-G elastic-mapping` puts each protocol at the top; `-T ek` writes one that stands in another's tree inside
//! that. Records and expert items have no value (`null`) and no place here.

use std::collections::BTreeMap;

use dissector_core::field::{Base, Kind};
use dissector_core::registry::{Field, Registry};
use serde_json::{json, Map, Value as Json};

/// Longest text that is indexed, characters: an engine refuses a document over a term of more than 32,766 bytes.
const LONGEST_TERM: u32 = 8191;

/// Most fields of an index: ours, and room for those of other protocols, which come as they are met.
const MOST_FIELDS: u32 = 10_000;

/// Protocols that stand at the top of a packet.
const TOP: [&str; 3] = ["enet", "lol", "bedrock"];

/// Protocols whose errors quote a datagram: from Wireshark 4.4 on it stands within their item, before that at the top.
const QUOTING: [&str; 2] = ["icmp", "icmpv6"];

/// `docs/elastic/riftshark-template.json`: the template as an index template's request body.
pub fn template(registry: &Registry) -> String {
    let body = json!({
        "index_patterns": ["packets-*"],
        "priority": 200,
        "_meta": {"description": "Packets as tshark -T ek writes them with Riftshark (cargo run --example make-docs)"},
        "template": {
            "settings": {"index.mapping.total_fields.limit": MOST_FIELDS},
            "mappings": {
                "date_detection": false,
                "dynamic_templates": [{"others": {"match_mapping_type": "string", "mapping": text()}}],
                "properties": {
                    "timestamp": {"type": "date", "format": "epoch_millis"},
                    "capture": text(),
                    "layers": {"properties": layers(registry)},
                },
            },
        },
    });
    let mut text = String::new();
    write(&body, 0, &mut text);
    text + "\n"
}

/// JSON with a line for each field, and for each list.
fn write(value: &Json, depth: usize, text: &mut String) {
    let Some(members) = value.as_object().filter(|members| !members.get("type").is_some_and(Json::is_string))
    else {
        return text.push_str(&value.to_string());
    };
    for (at, (name, member)) in members.iter().enumerate() {
        text.push_str(if at == 0 { "{\n" } else { ",\n" });
        text.push_str(&" ".repeat(depth + 1));
        text.push_str(&format!("{}: ", Json::from(name.as_str())));
        write(member, depth + 1, text);
    }
    text.push_str(&format!("\n{}}}", " ".repeat(depth)));
}

/// The name `-T ek` gives a field: dots are underscores, and its protocol stands in front once more.
pub fn key(field: &str) -> String {
    format!("{}_{}", protocol(field), field.replace('.', "_"))
}

fn protocol(field: &str) -> &str {
    field.split('.').next().unwrap_or_default()
}

fn layers(registry: &Registry) -> Json {
    let mut layers = Map::from_iter([
        (
            "frame".to_owned(),
            json!({"properties": {
                "frame_frame_number": {"type": "long"},
                "frame_frame_len": {"type": "long"},
                "frame_frame_time_relative": {"type": "double"},
            }}),
        ),
        ("ip".to_owned(), json!({"properties": {"ip_ip_src": {"type": "ip"}, "ip_ip_dst": {"type": "ip"}}})),
        (
            "udp".to_owned(),
            json!({"properties": {"udp_udp_srcport": {"type": "long"}, "udp_udp_dstport": {"type": "long"}}}),
        ),
    ]);
    let ours = ours(registry);
    let raknet = json!({"properties": {"bedrock": ours["bedrock"]}});
    for quoting in QUOTING {
        let mut inner = ours.clone();
        inner.insert("raknet".to_owned(), raknet.clone());
        layers.insert(quoting.to_owned(), json!({"properties": inner}));
    }
    // it shows what follows the first message of a datagram within its own item
    layers.insert("raknet".to_owned(), raknet);
    layers.extend(ours);
    Json::Object(layers)
}

/// Our protocols, the families in that of the game.
fn ours(registry: &Registry) -> Map<String, Json> {
    let own = |name| properties(registry.fields.iter().filter(|field| protocol(&field.name) == name));
    let mut ours: Map<_, _> =
        TOP.map(|name| (name.to_owned(), json!({"properties": own(name)}))).into_iter().collect();
    let lol = ours["lol"]["properties"].as_object_mut().expect("the properties of lol were just put there");
    for (family, fields) in shown_in_families(registry) {
        lol.insert(family.to_owned(), json!({"properties": properties(fields.into_values())}));
    }
    ours
}

/// The fields that stand in the item of each family: its own, and those of lol that its messages show there.
fn shown_in_families(registry: &Registry) -> BTreeMap<&str, BTreeMap<&str, &Field>> {
    let mut shown: BTreeMap<&str, BTreeMap<&str, &Field>> = BTreeMap::new();
    for field in registry.fields.iter().filter(|field| !TOP.contains(&protocol(&field.name))) {
        shown.entry(protocol(&field.name)).or_default().insert(&field.name, field);
    }
    for program in registry.programs.iter().chain(&registry.unplaced) {
        let fields = program.fields();
        let fields = fields.into_iter().map(|id| &registry.fields[usize::from(id)]);
        shown
            .entry(program.message.family.prefix)
            .or_default()
            .extend(fields.map(|field| (field.name.as_str(), field)));
    }
    shown
}

fn properties<'r>(fields: impl Iterator<Item = &'r Field>) -> Json {
    let sorted: BTreeMap<_, _> =
        fields.filter_map(|field| Some((key(&field.name), mapping(field)?))).collect();
    Json::Object(sorted.into_iter().collect())
}

/// What takes the values of a field; `None` for what has none.
fn mapping(field: &Field) -> Option<Json> {
    Some(match field.kind {
        Kind::Protocol | Kind::Family | Kind::Record => return None,
        // hexadecimal text up to Wireshark 4.4, decimal from 4.6 on
        kind if kind.is_integer() && field.base != Base::Dec => text(),
        Kind::U64 => json!({"type": "unsigned_long"}),
        kind if kind.is_integer() => json!({"type": "long"}),
        Kind::Frame => json!({"type": "long"}),
        // a value that is no number is left unindexed, its document kept
        Kind::Double => json!({"type": "double", "ignore_malformed": true}),
        Kind::Duration => json!({"type": "double"}),
        Kind::Bool => json!({"type": "boolean"}),
        _ => text(),
    })
}

fn text() -> Json {
    json!({"type": "keyword", "ignore_above": LONGEST_TERM})
}

#[cfg(test)]
mod tests {
    use super::*;
    use dissector_core::registry::REGISTRY;

    fn at<'j>(template: &'j Json, place: &[&str]) -> &'j Json {
        place.iter().fold(&template["template"]["mappings"], |node, part| &node["properties"][part])
    }

    #[test]
    fn a_field_stands_where_ek_writes_it_with_a_type_that_takes_it() {
        let template: Json = serde_json::from_str(&template(&REGISTRY)).expect("JSON");
        let kind = |place: &[&str]| at(&template, place)["type"].as_str().unwrap_or_default().to_owned();
        assert_eq!(kind(&["timestamp"]), "date");
        assert_eq!(kind(&["layers", "enet", "enet_enet_rtt"]), "double");
        assert_eq!(kind(&["layers", "enet", "enet_enet_ackedIn"]), "long");
        assert_eq!(kind(&["layers", "enet", "enet_enet_retransmission"]), "boolean");
        assert_eq!(kind(&["layers", "lol", "lol_lol_command"]), "long");
        assert_eq!(kind(&["layers", "lol", "lol_lol_netId"]), "keyword");
        assert_eq!(kind(&["layers", "lol", "waypoint", "waypoint_waypoint_syncId"]), "long");
        assert_eq!(kind(&["layers", "lol", "waypoint", "waypoint_waypoint_movements_path_unit"]), "keyword");
        assert_eq!(kind(&["layers", "lol", "waypoint", "lol_lol_unit"]), "keyword");
        assert_eq!(kind(&["layers", "bedrock", "bedrock_bedrock_actor_id"]), "unsigned_long");
        assert_eq!(kind(&["layers", "icmp", "lol", "waypoint", "waypoint_waypoint_syncId"]), "long");
        assert_eq!(kind(&["layers", "raknet", "bedrock", "bedrock_bedrock_actor_x"]), "double");
    }

    #[test]
    fn every_field_with_a_value_has_a_place_and_what_has_none_has_none() {
        let template = template(&REGISTRY);
        for field in &REGISTRY.fields {
            let named = template.contains(&format!("\"{}\": {{\"type\"", key(&field.name)));
            let valueless = matches!(field.kind, Kind::Protocol | Kind::Family | Kind::Record);
            assert_eq!(named, !valueless, "{}", field.name);
        }
    }

    #[test]
    fn all_fields_fit_an_index_with_room_for_others() {
        let count = template(&REGISTRY).matches("{\"type\":").count();
        assert!(count < MOST_FIELDS as usize / 2, "{count} fields");
    }
}
