//! The paths that captures state, found without the recipe, and the recipe's data frame held to them.

use std::collections::BTreeSet;

use serde_json::{json, Value as Json};

use crate::page::Desk;
use crate::pdml::{Item, Packet};

/// Origin of the map of all captures here, world units.
const ORIGIN: (f64, f64) = (6991.0, 7223.0);

/// One path: its unit, frame and message, and its points in world units.
#[derive(Debug, PartialEq)]
pub struct Row {
    unit: u64,
    frame: u64,
    message: String,
    points: Vec<(f64, f64)>,
}

/// Holds what the recipe makes of a capture to the expected rows, unit by unit; also of a unit that has no path.
pub fn check(desk: &Desk, capture: &str, options: &str, expected: &[Row]) {
    const SCRIPT: &str = "
import json, sys, paths
capture, options, *units = sys.argv[1:]
rows = [row for unit in units for row in
        paths.paths(capture, int(unit), *options.split()).assign(unit=int(unit)).to_dict('records')]
print(json.dumps(rows))
";
    assert!(expected.len() > 2, "{capture}: only {} paths", expected.len());
    let mut units: BTreeSet<u64> = expected.iter().map(|row| row.unit).collect();
    units.insert(1);
    let named: Vec<_> = units.iter().map(u64::to_string).collect();
    let mut args = vec!["-c", SCRIPT, capture, options];
    args.extend(named.iter().map(String::as_str));
    let got: Json = serde_json::from_str(&desk.run("python3", &args)).expect("the script writes JSON");
    let got: Vec<_> = got.as_array().expect("a list").iter().map(row).collect();
    let wanted: Vec<_> =
        units.iter().flat_map(|unit| expected.iter().filter(move |row| row.unit == *unit)).collect();
    assert_eq!(got.len(), wanted.len(), "{capture}: {got:#?}");
    got.iter().zip(wanted).for_each(|(got, wanted)| assert_eq!(got, wanted, "{capture}"));
}

fn row(row: &Json) -> Row {
    let points = row["points"].as_array().expect("a list of points").iter();
    let number = |value: &Json| value.as_f64().expect("a number");
    assert!(row["seconds"].as_f64().is_some_and(|seconds| seconds >= 0.0), "{row}");
    Row {
        unit: row["unit"].as_u64().expect("a unit"),
        frame: row["frame"].as_u64().expect("a frame"),
        message: row["message"].as_str().expect("a message").to_owned(),
        points: points.map(|point| (number(&point[0]), number(&point[1]))).collect(),
    }
}

/// Adds up a compact path: its first point, and each axis of the others stated afresh or as a step.
fn resolve(first: [i64; 2], steps: impl Iterator<Item = [(Option<i64>, Option<i64>); 2]>) -> Vec<(f64, f64)> {
    let mut at = first;
    let mut raw = vec![at];
    for axes in steps {
        for (at, (step, whole)) in at.iter_mut().zip(axes) {
            *at = whole.unwrap_or_else(|| *at + step.expect("an axis is stated one way or the other"));
        }
        raw.push(at);
    }
    raw.into_iter().map(|[x, z]| (2.0 * x as f64 + ORIGIN.0, 2.0 * z as f64 + ORIGIN.1)).collect()
}

/// The paths of the messages that a capture is expected to hold.
pub fn of_expected(expected: &Json) -> Vec<Row> {
    let mut rows = Vec::new();
    for message in expected["messages"].as_array().expect("messages") {
        let Some(name) = message["message"].as_str() else { continue };
        let make = |unit: &Json, points| Row {
            unit: unit.as_u64().expect("a unit"),
            frame: message["frame"].as_u64().expect("a frame"),
            message: name.to_owned(),
            points,
        };
        let mut found = Vec::new();
        compact(&message["fields"], &mut found);
        rows.extend(found.into_iter().map(|(unit, points)| make(unit, points)));
        if ["Path", "PathWithSpeed"].contains(&name) {
            let points = message["fields"]["points"].as_array().expect("a list of points").iter();
            let axis = |point: &Json, axis| point[axis].as_f64().expect("a number");
            let points = points.map(|point| (axis(point, "x"), axis(point, "z"))).collect();
            rows.push(make(&message["netId"], points));
        }
    }
    rows
}

/// The compact paths in fields: records with a unit and a first point.
fn compact<'j>(fields: &'j Json, found: &mut Vec<(&'j Json, Vec<(f64, f64)>)>) {
    let children: Vec<&Json> = match fields {
        Json::Array(items) => items.iter().collect(),
        Json::Object(rows) => rows.values().collect(),
        _ => return,
    };
    if fields.get("steps").is_some() && fields.get("unit").is_some() {
        let number = |value: &Json| value.as_i64();
        let first = ["firstX", "firstZ"].map(|name| number(&fields[name]));
        let steps = fields["steps"].as_array().expect("a list of steps").iter();
        let axes = steps.map(|step| {
            [("xStep", "xWhole"), ("zStep", "zWhole")].map(|(by, to)| (number(&step[by]), number(&step[to])))
        });
        found.push((&fields["unit"], points(first, axes)));
    }
    children.into_iter().for_each(|child| compact(child, found));
}

/// A path of no points states no first one either.
fn points(
    first: [Option<i64>; 2],
    axes: impl Iterator<Item = [(Option<i64>, Option<i64>); 2]>,
) -> Vec<(f64, f64)> {
    match first {
        [Some(x), Some(z)] => resolve([x, z], axes),
        _ => Vec::new(),
    }
}

/// The paths in what tshark prints of a capture, worked out of the rows of the pages alone.
pub fn of_packets(packets: &[Packet]) -> Vec<Row> {
    let mut rows = Vec::new();
    for packet in packets {
        let all = packet.all();
        let messages = all.into_iter().filter(|item| item.items.iter().any(|row| row.name == "lol.message"));
        for message in messages {
            let make = |unit, points| Row {
                unit,
                frame: packet.number.into(),
                message: message.value("lol.message").to_owned(),
                points,
            };
            for path in message.all().into_iter().filter(|item| item.name.ends_with(".path")) {
                rows.push(make(unit(path.value(&format!("{}.unit", path.name))), compact_item(path)));
            }
            let given = message.all().into_iter().filter(|item| item.name == "path.points").map(|point| {
                let axis = |name| point.value(name).parse::<f64>().expect("a number");
                (axis("path.points.x"), axis("path.points.z"))
            });
            let given: Vec<_> = given.collect();
            if !given.is_empty() {
                rows.push(make(unit(message.value("lol.netId")), given));
            }
        }
    }
    rows
}

fn unit(text: &str) -> u64 {
    text.strip_prefix("0x")
        .map_or_else(|| text.parse(), |digits| u64::from_str_radix(digits, 16))
        .unwrap_or_else(|error| panic!("unit {text:?}: {error}"))
}

fn compact_item(path: &Item) -> Vec<(f64, f64)> {
    let number = |item: &Item, name: &str| item.value(&format!("{}.{name}", path.name)).parse().ok();
    let first = ["firstX", "firstZ"].map(|name| number(path, name));
    let name = format!("{}.steps", path.name);
    let steps = path.items.iter().filter(|item| item.name == name);
    let axes = steps.map(|step| {
        [("xStep", "xWhole"), ("zStep", "zWhole")]
            .map(|(by, to)| (number(step, &format!("steps.{by}")), number(step, &format!("steps.{to}"))))
    });
    points(first, axes)
}

#[test]
fn a_compact_path_is_added_up() {
    let fields = json!({"movements": [{"path": {"unit": 7, "firstX": 1, "firstZ": -2, "steps": [
        {"xStep": 3, "xWhole": null, "zStep": null, "zWhole": 10},
        {"xStep": -1, "xWhole": null, "zStep": 5, "zWhole": null},
    ]}}]});
    let mut found = Vec::new();
    compact(&fields, &mut found);
    assert_eq!(found, [(&json!(7), vec![(6993.0, 7219.0), (6999.0, 7243.0), (6997.0, 7253.0)])]);
}
