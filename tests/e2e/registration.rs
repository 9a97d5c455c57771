//! What the plugin registers and exports, and that Wireshark stays well with it.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use dissector_core::field::{Base, Kind};
use dissector_core::fields::experts;
use dissector_core::registry::REGISTRY;

use crate::lab::{plugin, Lab};

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

/// The experts of all protocols.
#[test]
fn every_field_is_registered_as_the_registry_says() {
    let Some(lab) = Lab::new() else { return };
    let out = lab.call("tshark").args(&["-G", "fields"]).clean();
    let mut fields: BTreeMap<&str, Vec<Vec<&str>>> = BTreeMap::new();
    let mut protocols = Vec::new();
    for line in out.lines() {
        let columns: Vec<_> = line.split('\t').collect();
        match columns[0] {
            "F" => fields.entry(columns[2]).or_default().push(columns),
            _ => protocols.push((columns[2], columns[1])),
        }
    }
    for field in &REGISTRY.fields {
        if matches!(field.kind, Kind::Protocol | Kind::Family) {
            assert!(
                protocols.contains(&(field.name.as_str(), field.title.as_str())),
                "protocol {}",
                field.name
            );
            continue;
        }
        let found =
            fields.get(field.name.as_str()).unwrap_or_else(|| panic!("{} is not registered", field.name));
        assert_eq!(found.len(), 1, "{} is registered once", field.name);
        let [_, title, _, kind, parent, base, _, about] = found[0][..] else { panic!("{found:?}") };
        assert_eq!(kind, epan_type(field.kind), "{}", field.name);
        assert_eq!((title, about), (field.title.as_str(), field.blurb.as_str()), "{}", field.name);
        let owner = field.name.split('.').next().filter(|prefix| ["enet", "bedrock"].contains(prefix));
        assert_eq!(parent, owner.unwrap_or("lol"), "{}", field.name);
        if field.kind.is_integer() {
            // a number that is shown by the names of its values alone has no base, as epan's own states
            assert_eq!(base, epan_base(field.base), "{}", field.name);
        }
    }
    for expert in experts() {
        assert!(fields.contains_key(expert.name), "{} is not registered", expert.name);
    }
    // Nothing else hangs below the plugin's protocols.
    let known = |name: &str| {
        REGISTRY.fields.iter().any(|field| field.name == name) || experts().any(|expert| expert.name == name)
    };
    let own = fields.values().flatten().filter(|columns| ["enet", "lol", "bedrock"].contains(&columns[4]));
    let unknown: Vec<_> = own.map(|columns| columns[2]).filter(|name| !known(name)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
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

#[test]
fn the_plugin_is_small() {
    let Some(plugin) = plugin() else { return };
    let lab = Lab::bare();
    let stripped = lab.copy(&plugin);
    let done = Command::new("strip").arg(&stripped).status().expect("strip runs");
    assert!(done.success());
    let size = fs::metadata(&stripped).expect("it is still there").len();
    assert!(size < 1_500_000, "{size} bytes stripped");
}
