//! The same value wherever it is asked for: tree, fields, columns, filters, JSON and elastic JSON.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::lab::{Call, Lab};
use crate::pdml::Packet;
use crate::KEY;

/// Fields that are asked for: of the session, of a message, of a path, and one that every message has.
const FIELDS: [&str; 7] = [
    "waypoint.syncId",
    "waypoint.movements.path.unit",
    "moveorder.targetX",
    "bounds.radius",
    "lol.unit",
    "lol.message",
    "enet.reliableSequenceNumber",
];

/// The values of a field by frame.
type Values = BTreeMap<u32, Vec<String>>;

fn call<'l>(lab: &'l Lab, capture: &str) -> Call<'l> {
    lab.tshark(capture).args(&["-2"]).key(KEY)
}

fn tree(packets: &[Packet], field: &str) -> Values {
    let values = |packet: &Packet| packet.values(field).into_iter().map(str::to_owned).collect();
    let rows = packets.iter().map(|packet| (packet.number, values(packet)));
    rows.filter(|(_, values): &(_, Vec<_>)| !values.is_empty()).collect()
}

/// What `-T fields` or a custom column gives: values between commas.
fn split(rows: Vec<Vec<String>>) -> Values {
    let rows = rows.into_iter().filter(|row| row.len() > 1 && !row[1].is_empty());
    rows.map(|row| (row[0].parse().expect("a frame"), row[1].split(',').map(str::to_owned).collect()))
        .collect()
}

/// The values under a key anywhere in a JSON tree, in order.
fn collect(json: &Json, key: &str, found: &mut Vec<String>) {
    match json {
        Json::Object(rows) => {
            for (name, value) in rows {
                match value {
                    Json::String(text) if name == key => found.push(text.clone()),
                    Json::Array(items) if name == key && items.iter().all(Json::is_string) => {
                        found.extend(items.iter().filter_map(Json::as_str).map(str::to_owned));
                    }
                    _ => collect(value, key, found),
                }
            }
        }
        Json::Array(items) => items.iter().for_each(|item| collect(item, key, found)),
        _ => {}
    }
}

/// Packets as JSON, each with its frame number.
fn json(lab: &Lab, capture: &str) -> Vec<(u32, Json)> {
    let out = call(lab, capture).args(&["-T", "json", "--no-duplicate-keys"]).clean();
    let packets: Vec<Json> = serde_json::from_str(&out).expect("tshark writes JSON");
    packets
        .into_iter()
        .map(|packet| (number(&packet["_source"]["layers"]["frame"]["frame.number"]), packet))
        .collect()
}

/// The same of the lines that Elasticsearch takes.
fn ek(lab: &Lab, capture: &str) -> Vec<(u32, Json)> {
    let out = call(lab, capture).args(&["-T", "ek"]).clean();
    let lines = out.lines().map(|line| serde_json::from_str::<Json>(line).expect("a line of JSON"));
    let packets = lines.filter(|line| !line["layers"].is_null());
    packets.map(|packet| (number(&packet["layers"]["frame"]["frame_frame_number"]), packet)).collect()
}

fn number(json: &Json) -> u32 {
    json.as_str().and_then(|text| text.parse().ok()).expect("a frame number")
}

/// What a field is called there.
fn ek_name(field: &str) -> String {
    let protocol = field.split('.').next().unwrap_or_default();
    format!("{protocol}_{}", field.replace('.', "_"))
}

fn by_frame(packets: &[(u32, Json)], key: &str) -> Values {
    let mut values = Values::new();
    for (number, packet) in packets {
        let mut found = Vec::new();
        collect(packet, key, &mut found);
        if !found.is_empty() {
            values.insert(*number, found);
        }
    }
    values
}

/// The values as numbers where they are numbers: a column may show one in two bases.
fn plain(values: Values) -> BTreeMap<u32, Vec<String>> {
    let first = |text: &str| text.split(' ').next().and_then(conformance::tshark::whole);
    let number = |text: String| first(&text).map_or(text, |number| number.to_string());
    values.into_iter().map(|(frame, values)| (frame, values.into_iter().map(number).collect())).collect()
}

#[test]
fn a_value_is_the_same_everywhere() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.capture("session.pcap");
    let packets = call(&lab, &capture).pdml();
    let (json, ek) = (json(&lab, &capture), ek(&lab, &capture));
    for field in FIELDS {
        let wanted = plain(tree(&packets, field));
        assert!(!wanted.is_empty(), "{field}");
        let fields = call(&lab, &capture).fields(&["frame.number", field]);
        assert_eq!(plain(split(fields)), wanted, "-T fields -e {field}");
        assert_eq!(plain(by_frame(&json, field)), wanted, "-T json: {field}");
        // tshark's own writer repeats the key of what occurs at several depths, as it does for eth.addr.
        if field != "lol.unit" {
            assert_eq!(plain(by_frame(&ek, &ek_name(field))), wanted, "-T ek: {field}");
        }
        let filtered = call(&lab, &capture).frames(field);
        assert_eq!(filtered, wanted.keys().copied().collect::<Vec<_>>(), "-Y {field}");
    }
}

#[test]
fn a_custom_column_shows_the_field() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.capture("session.pcap");
    let packets = call(&lab, &capture).pdml();
    for field in FIELDS {
        let format = format!("gui.column.format:\"N\",\"%m\",\"F\",\"%Cus:{field}:0:R\"");
        let out = call(&lab, &capture).args(&["-o", &format]).clean();
        let rows = out.lines().map(|line| {
            let (number, value) = line.trim_start().split_once(' ').unwrap_or((line.trim(), ""));
            vec![number.to_owned(), value.trim().to_owned()]
        });
        let wanted = plain(tree(&packets, field));
        assert_eq!(plain(split(rows.collect())), wanted, "column {field}");
    }
}

#[test]
fn filters_compare_values() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.capture("session.pcap");
    let frames = |filter: &str| call(&lab, &capture).frames(filter);
    let exchange = frames("waypoint.syncId == 984");
    assert_eq!(exchange.len(), 2, "a group and its answer");
    assert_eq!(frames("waypoint.syncId == 984 && lol.message == \"WaypointAck\""), exchange[1..]);
    assert_eq!(frames("lol.message matches \"^Waypoint\" && waypoint.syncId in {984, 985}").len(), 4);
    assert_eq!(frames("bounds.radius == 1500").len(), 1);
    assert_eq!(frames("lol.buildNumber >= 1000000130"), frames("lol.build"));
    assert_eq!(frames("lol.unit == 0x40000019 && moveorder").len(), frames("moveorder").len());
    assert_eq!(frames("enet.command == \"sendFragment\"").len(), 5);
    assert_eq!(frames("waypoint"), frames("lol.message matches \"^Waypoint\""));
    assert_eq!(frames("lol.malformed || enet.malformed || _ws.malformed"), [] as [u32; 0]);
}

#[test]
fn what_is_worked_out_stands_in_brackets() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.capture("session.pcap");
    let out = call(&lab, &capture).args(&["-V"]).clean();
    let shown = |start: &str| out.lines().any(|line| line.trim_start().starts_with(start));
    for worked_out in
        ["Stream: ", "Acknowledged in: ", "Round trip: ", "Build: 1.0.0.136", "Answered in: ", "Raw X: "]
    {
        assert!(shown(&format!("[{worked_out}")) && !shown(worked_out), "{worked_out}");
    }
    for on_the_wire in ["Sync ID: ", "Reliable sequence number: ", "Command: 101"] {
        assert!(shown(on_the_wire) && !shown(&format!("[{on_the_wire}")), "{on_the_wire}");
    }
    // The unit of whatever name is there for filters only.
    let packets = call(&lab, &capture).pdml();
    let units: Vec<_> =
        packets.iter().flat_map(|packet| packet.all()).filter(|item| item.name == "lol.unit").collect();
    assert!(units.len() > 20 && units.iter().all(|item| item.hidden), "{}", units.len());
}
