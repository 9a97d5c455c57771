//! What the plugin registers and exports, and that Wireshark stays well with it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use dissector_core::field::{Base, Kind};
use dissector_core::fields::experts;
use dissector_core::registry::REGISTRY;

use crate::lab::{plugin, Lab};
use crate::pdml::Packet;

/// The type that epan shows for a kind of the registry's.
fn epan_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Protocol | Kind::Family => "a protocol",
        Kind::Record => "FT_NONE",
        Kind::U8 => "FT_UINT8",
        Kind::U16 => "FT_UINT16",
        Kind::U32 => "FT_UINT32",
        Kind::U64 => "FT_UINT64",
        Kind::I8 => "FT_INT8",
        Kind::I16 => "FT_INT16",
        Kind::I32 => "FT_INT32",
        Kind::I64 => "FT_INT64",
        Kind::Double => "FT_DOUBLE",
        Kind::Bool => "FT_BOOLEAN",
        Kind::Text => "FT_STRING",
        Kind::Bytes => "FT_BYTES",
        Kind::Frame => "FT_FRAMENUM",
        Kind::Duration => "FT_RELATIVE_TIME",
    }
}

fn epan_base(base: Base) -> &'static str {
    match base {
        Base::None => "BASE_NONE",
        Base::Dec => "BASE_DEC",
        Base::Hex => "BASE_HEX",
        Base::HexDec => "BASE_HEX_DEC",
    }
}

/// Lines of a report of tshark's, by columns.
fn report(lab: &Lab, what: &str) -> Vec<Vec<String>> {
    let out = lab.call("tshark").args(&["-G", what]).clean();
    out.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

#[test]
fn every_field_is_registered_as_the_registry_says() {
    let Some(lab) = Lab::new() else { return };
    let mut fields: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    let rows = report(&lab, "fields");
    let mut protocols = Vec::new();
    for columns in &rows {
        match columns[0].as_str() {
            "F" => fields.entry(columns[2].clone()).or_default().push(columns.clone()),
            _ => protocols.push((columns[2].as_str(), columns[1].as_str())),
        }
    }
    let name_of = |id: u16| REGISTRY.fields[usize::from(id)].name.as_str();
    for field in &REGISTRY.fields {
        let name = field.name.as_str();
        if field.kind.is_protocol() {
            let stated = (name, field.title.as_str());
            assert_eq!(protocols.iter().filter(|found| **found == stated).count(), 1, "protocol {name}");
            continue;
        }
        let found = fields.get(name).unwrap_or_else(|| panic!("{name} is not registered"));
        assert_eq!(found.len(), 1, "{name} is listed once");
        let columns: Vec<_> = found[0].iter().map(String::as_str).collect();
        let [_, title, _, kind, parent, base, mask, about] = columns[..] else { panic!("{found:?}") };
        assert_eq!(kind, epan_type(field.kind), "{name}");
        assert_eq!((title, about), (field.title.as_str(), field.blurb.as_str()), "{name}");
        assert_eq!(parent, name_of(field.owner), "{name}");
        if field.kind.is_integer() {
            // a number that is shown by the names of its values alone has no base, as epan's own states
            assert_eq!(base, epan_base(field.base), "{name}");
        }
        // of several registrations under one name tshark lists the first
        let first = field.masks.first().map(|first| ((8 * first.bytes).to_string(), 1u64 << first.bit));
        assert_eq!(mask, format!("0x{:x}", first.as_ref().map_or(0, |(_, mask)| *mask)), "{name}");
        assert!(first.is_none_or(|(width, _)| width == base), "{name} is a bit of {base}");
    }
    for expert in experts() {
        let found = fields.get(expert.name).unwrap_or_else(|| panic!("{} is not registered", expert.name));
        assert_eq!(found[0][4], name_of(REGISTRY.owner_of(expert.name).unwrap()), "{}", expert.name);
    }
    // Nothing else hangs below the plugin's protocols.
    let known = |name: &str| {
        REGISTRY.fields.iter().any(|field| field.name == name) || experts().any(|expert| expert.name == name)
    };
    let is_own =
        |name: &str| REGISTRY.fields.iter().any(|field| field.kind.is_protocol() && field.name == name);
    let own = fields.values().flatten().filter(|columns| is_own(&columns[4]));
    let unknown: Vec<_> = own.map(|columns| &columns[2]).filter(|name| !known(name)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

/// Words for values and units, as the table of fields has them.
#[test]
fn what_stands_beside_values_is_registered() {
    let Some(lab) = Lab::new() else { return };
    let rows = report(&lab, "values");
    let units: BTreeMap<&str, &str> = rows
        .iter()
        .filter(|row| row[0] == "U" && row.len() > 2)
        .map(|row| (row[1].as_str(), row[2].as_str()))
        .collect();
    let words: BTreeSet<(&str, &str)> = rows
        .iter()
        // a string of another protocol holds a line's end
        .filter(|row| row[0] == "V" && row.len() > 3)
        .map(|row| (row[1].as_str(), row[3].as_str()))
        .collect();
    let old_floats = crate::lab::plugin_version().starts_with("4.0");
    for field in &REGISTRY.fields {
        let name = field.name.as_str();
        // the shim writes the unit of a float where Wireshark would not
        if !(field.unit.is_empty() || old_floats && field.kind == Kind::Double) {
            assert_eq!(units.get(name).map(|unit| unit.trim()), Some(field.unit), "{name}");
        }
        for (_, word) in field.value_strings {
            assert!(words.contains(&(name, word)), "{name} has no {word}");
        }
    }
}

#[test]
fn every_protocol_is_listed_with_its_names() {
    let Some(lab) = Lab::new() else { return };
    let listed = report(&lab, "protocols");
    for field in REGISTRY.fields.iter().filter(|field| field.kind.is_protocol()) {
        let found: Vec<_> = listed.iter().filter(|row| row[2] == field.name).collect();
        assert_eq!(found.len(), 1, "{}", field.name);
        assert_eq!((found[0][0].as_str(), found[0][1].as_str()), (field.title.as_str(), field.short_name));
    }
    // a key that stands twice in the mapping would hide the fields of one of the two
    let mapping = lab.call("tshark").args(&["-G", "elastic-mapping"]).clean();
    for field in REGISTRY.fields.iter().filter(|field| field.kind.is_protocol()) {
        let key = format!("\"{}\": {{", field.name);
        assert_eq!(mapping.matches(&key).count(), 1, "{key}");
    }
}

/// Switched off, a family leaves the bodies of its messages as bytes, and everything else as it is.
#[test]
fn each_family_can_be_switched_off() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.capture("session.pcap");
    let call = || lab.tshark(&capture).key(crate::KEY).args(&["-2"]);
    let families = REGISTRY.fields.iter().filter(|field| field.kind == Kind::Family);
    let names = |packets: &[Packet]| -> Vec<(u32, String)> {
        let messages = packets.iter().flat_map(|packet| {
            packet.values("lol.message").into_iter().map(move |name| (packet.number, name.to_owned()))
        });
        messages.collect()
    };
    let on = call().pdml();
    let mut left = 0;
    for family in families {
        let off = call().args(&["--disable-protocol", &family.name]).pdml();
        assert_eq!(names(&off), names(&on), "{}: messages keep their names", family.name);
        let prefix = format!("{}.", family.name);
        let is_of = |name: &str| name == family.name || name.starts_with(&prefix);
        for (on, off) in on.iter().zip(&off) {
            let of_family = |packet: &Packet| packet.all().iter().filter(|item| is_of(&item.name)).count();
            assert_eq!(of_family(off), 0, "{} in frame {}", family.name, on.number);
            let bodies = |packet: &Packet| packet.values("lol.body").len();
            let messages = on.all().iter().filter(|item| item.name == family.name).count();
            assert_eq!(bodies(off), bodies(on) + messages, "{} in frame {}", family.name, on.number);
            left += messages;
            if of_family(on) == 0 {
                assert_eq!(on.protocols, off.protocols, "{} in frame {}", family.name, on.number);
            }
        }
    }
    assert!(left > 10, "{left} messages were left as bytes");
    // off in the profile, as the box of enabled protocols writes it
    lab.configure("disabled_protos", "waypoint\n");
    assert!(call().frames("waypoint").is_empty() && !call().frames("moveorder").is_empty());
    lab.configure("disabled_protos", "");
    assert!(!call().args(&["--enable-protocol", "waypoint"]).frames("waypoint").is_empty());
}

#[test]
fn exported_messages_have_a_row_for_each_sender_and_channel_of_the_game() {
    let Some(lab) = Lab::new() else { return };
    let out = lab.call("tshark").args(&["-G", "decodes"]).clean();
    let rows = out.lines().filter_map(|line| line.strip_prefix("lol.entry\t"));
    let mut rows: Vec<u32> = rows.filter_map(|row| row.strip_suffix("\tlol")?.parse().ok()).collect();
    rows.sort_unstable();
    let wanted: Vec<_> =
        (0..3).flat_map(|sender| (0..8).map(move |channel| sender * 256 + channel)).collect();
    assert_eq!(rows, wanted);
}

#[test]
fn every_report_of_wireshark_is_clean() {
    let Some(lab) = Lab::new() else { return };
    for report in [
        "column-formats",
        "currentprefs",
        "decodes",
        "defaultprefs",
        "dissector-tables",
        "elastic-mapping",
        "fieldcount",
        "folders",
        "ftypes",
        "heuristic-decodes",
        "plugins",
        "protocols",
        "values",
    ] {
        let with = lab.call("tshark").args(&["-G", report]).clean();
        assert!(!with.is_empty(), "{report}");
    }
    let plugins = lab.call("tshark").args(&["-G", "plugins"]).clean();
    let own: Vec<_> = plugins.lines().filter(|line| line.contains("riftshark.so")).collect();
    assert_eq!(own.len(), 1, "{plugins}");
    assert!(own[0].contains("dissector"), "{}", own[0]);
    assert!(own[0].contains(env!("CARGO_PKG_VERSION")), "{}", own[0]);
}

#[test]
fn wiresharks_own_statistics_run_beside_it() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.capture("session.pcap");
    for statistic in
        ["expert", "follow,udp,hex,0", "conv,udp", "endpoints,udp", "io,phs", "io,stat,1,enet,lol"]
    {
        let out = lab.tshark(&capture).key(crate::KEY).args(&["-q", "-2", "-z", statistic]).clean();
        assert!(!out.is_empty(), "{statistic}");
    }
    let hierarchy = lab.tshark(&capture).key(crate::KEY).args(&["-q", "-z", "io,phs"]).clean();
    assert!(hierarchy.contains("enet"), "{hierarchy}");
    // what is said of a message is filed under the game's protocol, what is said of a datagram under ENet's
    for (name, owner, summary) in [
        ("session.pcap", "LoL", "No layout for command 198 (SynchVersionC2S)"),
        ("short.pcap", "ENet", "of the fragment's"),
    ] {
        let capture = lab.capture(name);
        let experts = lab.tshark(&capture).key(crate::KEY).args(&["-q", "-z", "expert"]).clean();
        let line = experts.lines().find(|line| line.contains(summary));
        let line = line.unwrap_or_else(|| panic!("no {summary} in\n{experts}"));
        assert!(line.contains(&format!(" {owner} ")), "{line}");
    }
}

#[test]
fn a_second_copy_stays_out() {
    let Some(lab) = Lab::new() else { return };
    let Some(plugin) = plugin() else { return };
    lab.install(&plugin, "libriftshark.so");
    let done = lab
        .tshark(&lab.capture("session.pcap"))
        .key(crate::KEY)
        .args(&["-Y", "waypoint.syncId == 984"])
        .run();
    assert!(done.status.success(), "{}: {}\n{}", done.what, done.status, done.err);
    assert_eq!(done.out.lines().count(), 2, "the first copy reads");
    assert_eq!(done.err.lines().count(), 1, "one warning:\n{}", done.err);
    assert!(done.err.contains("Riftshark") && done.err.contains("Remove one"), "{}", done.err);
}

#[test]
fn exactly_five_symbols_are_exported() {
    let Some(plugin) = plugin() else { return };
    let out = Command::new("nm").args(["-D", "--defined-only"]).arg(&plugin).output().expect("nm runs");
    let out = String::from_utf8(out.stdout).expect("nm writes text");
    let mut names: Vec<_> = out.lines().filter_map(|line| line.split_whitespace().last()).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        ["plugin_describe", "plugin_register", "plugin_version", "plugin_want_major", "plugin_want_minor"]
    );
}

// A release build: 1.7 MB, of which 0.9 is code and 0.6 the tables of fields and layouts.
#[test]
fn the_plugin_is_small() {
    let Some(plugin) = plugin() else { return };
    let lab = Lab::bare();
    let stripped = lab.copy(&plugin);
    let done = Command::new("strip").arg(&stripped).status().expect("strip runs");
    assert!(done.success());
    let size = fs::metadata(&stripped).expect("it is still there").len();
    assert!(size < 2_000_000, "{size} bytes stripped");
}
