//! Who, what and how many: the Info line, the headings of closed records, and the one note on what is not read.

use dissector_core::capture::{Detail, Settings};
use dissector_core::encode::Value;
use dissector_core::enet::wire::write::Outgoing;
use dissector_core::enet::wire::HeaderVariant;

use crate::game_fragments::halves;
use crate::lab::{passes, read, shown, Pass, Shown};
use crate::payload::{bare, whole};
use crate::wire::*;

/// A unit and its path of two points, in a group.
fn movement(unit: i128, z: i128) -> Value {
    let header = fields(&[
        ("hasTeleportToken", Value::Int(0)),
        ("unused", Value::Int(0x2AAA)),
        ("pointCount", Value::Int(2)),
        ("unusedHigh", Value::Int(0)),
    ]);
    let step = fields(&[
        ("xStep", Value::Int(100)),
        ("xWhole", Value::Absent),
        ("zStep", Value::Absent),
        ("zWhole", Value::Int(z)),
    ]);
    let path = fields(&[
        ("unit", Value::Int(unit)),
        ("teleportToken", Value::Absent),
        ("flags", Value::List(vec![fields(&[("xIsStep", Value::Int(1)), ("zIsStep", Value::Int(0))])])),
        ("firstX", Value::Int(-2976)),
        ("firstZ", Value::Int(-3185)),
        ("steps", Value::List(vec![step])),
    ]);
    fields(&[("header", header), ("path", path)])
}

/// A group that moves these units.
fn moving(sync: i128, units: &[i128]) -> Vec<u8> {
    let movements = units.iter().map(|unit| movement(*unit, 5)).collect::<Vec<_>>();
    let all = [
        ("syncId", Value::Int(sync)),
        ("movementCount", Value::Int(movements.len() as i128)),
        ("movements", Value::List(movements)),
    ];
    message("WaypointGroup", 0, 4, &all)
}

fn effect(unit: u32, slot: i128, name: i128) -> Vec<u8> {
    let all = [
        ("slot", Value::Int(slot)),
        ("kind", Value::Int(2)),
        ("count", Value::Int(1)),
        ("hidden", Value::Int(0)),
        ("effect", Value::Int(name)),
        ("runningFor", Value::Float(0.5)),
        ("lasts", Value::Float(4.0)),
        ("caster", Value::Int(0x4000_0020)),
    ];
    message("EffectAdded", unit, 3, &all)
}

/// A session of the game that begins as any.
fn registered() -> Talk {
    let mut talk = Talk::enciphered(HeaderVariant::Classic);
    talk.open();
    talk.register();
    talk
}

#[test]
fn a_row_names_the_units_it_is_about() {
    let info = |channel, bytes: &[u8]| whole(channel, bytes).info;
    let far = "2 points → (-2876, 5) in path units";
    assert_eq!(info(4, &moving(7, &[0x4000_0019])), format!("WaypointGroup 0x40000019, sync=7, {far}"));
    assert_eq!(
        info(4, &moving(7, &[1, 2, 3, 4])),
        "WaypointGroup 0x00000001, 0x00000002, 0x00000003, …, sync=7, 4 units"
    );
    let unit = "EffectAdded 0x40000019, slot=3, effect=0x00000007";
    assert_eq!(info(3, &effect(0x4000_0019, 3, 7)), unit, "the header's, not the caster");
    assert_eq!(info(3, &effect(0, 3, 7)), unit.replace("19,", "20,"), "any is better than none");
    assert_eq!(info(3, &other(88, 0x4000_0019, &[1, 2])), "[SynchVersionS2C] 0x40000019, 2 bytes");
    let kill = message("KillParticle", 0, 3, &[("particle", Value::Int(0x4000_0040))]);
    assert_eq!(info(3, &kill), "KillParticle particle=0x40000040", "it is named once");
}

#[test]
fn a_unit_goes_by_the_name_that_a_message_gives_it() {
    let mut talk = registered();
    let before = talk.reliable(Server, 3, 1, &other(88, 0x4000_0019, &[1]));
    let look = [
        ("entry", Value::Int(1)),
        ("overrideSpells", Value::Int(0)),
        ("modelOnly", Value::Int(0)),
        ("asset", Value::Text("Kassadin".into())),
    ];
    let named = talk.reliable(Server, 3, 2, &message("AppearancePushed", 0x4000_0019, 3, &look));
    let after =
        talk.reliable(Server, 3, 3, &together(&[moving(7, &[0x4000_0019]), effect(0x4000_0019, 1, 2)]));
    let (one, two) = passes(&built(keyed()), &talk.frames);
    let first = [before, named, after].map(|at| shown(&one)[at].info.clone());
    assert_eq!(first[0], "[SynchVersionS2C] 0x40000019, 1 byte");
    assert_eq!(first[1], "AppearancePushed Kassadin (0x40000019), entry=1");
    assert!(first[2].contains("WaypointGroup Kassadin (0x40000019), sync=7"), "{}", first[2]);
    assert!(first[2].contains("EffectAdded Kassadin (0x40000019), slot=1"), "{}", first[2]);
    let second = [before, named, after].map(|at| shown(&two)[at].info.clone());
    assert_eq!(second[0], "[SynchVersionS2C] Kassadin (0x40000019), 1 byte", "a later pass knows it before");
    assert_eq!(second[1..], first[1..]);
}

#[test]
fn messages_that_are_alike_are_counted_across_payloads() {
    let mut talk = registered();
    let turret = other(88, 0, &[1, 2]);
    let all = [together(&[turret.clone(), turret.clone()]), turret.clone(), effect(1, 2, 3)];
    let sealed = all.map(|bytes| talk.sealed(&bytes));
    let send = |talk: &mut Talk| {
        let commands = sealed.iter().zip(1..).map(|(bytes, number)| Outgoing::reliable(3, number, bytes));
        talk.send(Server, commands.collect())
    };
    let (at, again) = (send(&mut talk), send(&mut talk));
    let (one, two) = passes(&built(keyed()), &talk.frames);
    let line = "[SynchVersionS2C] ×3, 6 bytes; EffectAdded 0x00000001, slot=2, effect=0x00000003";
    for pass in [&one, &two] {
        assert_eq!(shown(pass)[at].info, line);
        let tagged = format!("[retransmission] {}", line.replace("; ", "; [retransmission] "));
        assert_eq!(shown(pass)[again].info, tagged);
    }
}

#[test]
fn an_answer_says_after_what_time_it_comes() {
    let mut talk = registered();
    let sent = talk.now;
    talk.reliable(Server, 4, 1, &group(984));
    talk.wait(42);
    let answer = talk.reliable(Client, 1, 2, &ack(984));
    let acks = talk.send(Client, vec![Outgoing::acknowledge(4, 1, (sent / 1_000_000) as u16)]);
    let (one, two) = passes(&built(keyed()), &talk.frames);
    for pass in [&one, &two] {
        assert_eq!(shown(pass)[answer].info, "WaypointAck sync=984, after 43 ms");
        assert_eq!(shown(pass)[acks].info, "acknowledge 1, after 44 ms");
        let command = &shown(pass)[acks].all("enet.command.item")[0].text;
        assert_eq!(command, ": acknowledge 1, channel 4, after 44 ms");
        assert_eq!(shown(pass)[acks].all("enet")[0].text, ", session 0x29, 1 command");
    }
}

/// Whether a line ends as it may, and how many messages it leaves out.
fn left_out(line: &str) -> usize {
    assert!(line.chars().count() <= 220, "{line}");
    match line.rsplit_once(" … (+") {
        Some((_, rest)) => rest.strip_suffix(" more)").expect("an end").parse().expect("a number"),
        None => 0,
    }
}

#[test]
fn a_line_ends_within_its_bound_and_counts_what_is_left_out() {
    let mut talk = registered();
    let bodies: Vec<_> = (0..200).map(|number| other(100 + number % 2 * 50, 9, &[1])).collect();
    let sealed = talk.sealed(&together(&bodies));
    let long = talk.send(Server, vec![Outgoing::reliable(3, 1, &sealed)]);
    // and a message in fragments in the same datagram: one line of both
    let [first, last] = halves(&talk, 1, &group(984));
    talk.send(Server, vec![first]);
    let joined = talk.send(Server, vec![Outgoing::reliable(3, 2, &sealed), last]);
    let (one, two) = passes(&built(keyed()), &talk.frames);
    for pass in [&one, &two] {
        let frames = shown(pass);
        let line = &frames[long].info;
        assert_eq!(left_out(line) + line.split("; ").count(), 200, "{line}");
        let (line, more) = (&frames[joined].info, &frames[joined].messages[0].info);
        assert_eq!(left_out(line) + 1, left_out(more), "{more}");
        assert_eq!(line.split(" … ").next(), more.split(" … ").next());
    }
}

#[test]
fn closed_records_say_what_is_inside() {
    let text =
        |shown: &Shown, name: &str| shown.all(name).iter().map(|item| item.text.clone()).collect::<Vec<_>>();
    let group = moving(7, &[0x4000_0019, 0x4000_001A]);
    let all = whole_in_detail(4, &group, Detail::Labels);
    let far = "2 points → (1239, 7233)";
    assert_eq!(
        text(&all, "waypoint.movements"),
        [format!(": unit 0x40000019, {far}"), format!(": unit 0x4000001a, {far}")]
    );
    assert_eq!(text(&all, "waypoint.movements.path")[1], format!(": unit 0x4000001a, {far}"));
    assert_eq!(text(&all, "waypoint.movements.header")[0], " (point count 2)", "without what is unused");
    assert_eq!(text(&all, "waypoint.movements.path.steps")[0], ": x step 100, z 5");
    assert_eq!(text(&all, "waypoint.point")[0], ": (1039, 853)");
    assert_eq!(text(&all, "waypoint"), [": sync=7, 2 units"]);
    // where nobody looks at the tree that is not worth its time
    let unseen = whole_in_detail(4, &group, Detail::Tree);
    assert_eq!(unseen.items.len(), all.items.len());
    for name in ["lol", "lol.match", "lol.message.item", "waypoint", "waypoint.movements.path"] {
        assert!(text(&unseen, name).iter().all(String::is_empty), "{name}");
    }
}

/// A payload of the server, read in some detail.
fn whole_in_detail(channel: u8, bytes: &[u8], detail: Detail) -> Shown {
    let settings = Settings { origin: "6991,7223".into(), ..built(Settings::default()) };
    crate::payload::bare_in_detail(&settings, channel, Server, (bytes, bytes.len()), 0, detail)
}

#[test]
fn records_of_all_families_say_what_is_inside() {
    let text =
        |shown: &Shown, name: &str| shown.all(name).iter().map(|item| item.text.clone()).collect::<Vec<_>>();
    let entry = |unit: i128, slot: i128| {
        fields(&[
            ("unit", Value::Int(unit)),
            ("caster", Value::Int(0)),
            ("slot", Value::Int(slot)),
            ("stacks", Value::Int(1)),
            ("hidden", Value::Int(0)),
        ])
    };
    let all = [
        ("kind", Value::Int(1)),
        ("effect", Value::Int(7)),
        ("runningFor", Value::Float(0.0)),
        ("lasts", Value::Float(2.0)),
        ("count", Value::Int(2)),
        ("entries", Value::List(vec![entry(0x4000_0019, 3), entry(0x4000_001A, 4)])),
    ];
    let shown = whole_in_detail(3, &message("EffectAddedGroup", 0, 3, &all), Detail::Labels);
    assert_eq!(
        text(&shown, "effect.entries"),
        [": unit 0x40000019, slot 3, stacks 1, hidden 0", ": unit 0x4000001a, slot 4, stacks 1, hidden 0"]
    );
    let long = "x".repeat(60);
    let pair = fields(&[
        ("fromLength", Value::Int(60)),
        ("from", Value::Text(long.clone())),
        ("toLength", Value::Int(3)),
        ("to", Value::Text("Run".into())),
    ]);
    let all = [("pairCount", Value::Int(1)), ("pairs", Value::List(vec![pair]))];
    let shown = whole_in_detail(3, &message("AnimationOverrides", 5, 3, &all), Detail::Labels);
    assert_eq!(text(&shown, "animation.pairs"), [format!(": from \"{}…\", to \"Run\"", &long[..40])]);
    // a body that ends early heads what is there
    let bytes = message("AnimationOverrides", 5, 3, &all);
    for left in 0..bytes.len() {
        let shown = whole_in_detail(3, &bytes[..left], Detail::Labels);
        assert!(text(&shown, "animation.pairs")
            .iter()
            .all(|text| text.starts_with(": from") || text.is_empty()));
    }
}

/// How many messages of a pass are not read though a receiver takes them, and where.
fn unread(pass: &Pass) -> (usize, Vec<usize>) {
    let frames = pass.iter().enumerate().filter_map(|(at, shown)| Some((at, shown.as_ref()?)));
    let found: Vec<_> = frames
        .filter(|(_, shown)| !shown.info.contains("[retransmission]"))
        .flat_map(|(at, shown)| {
            shown.texts("lol.layout.basis").into_iter().map(move |basis| (at, basis == "none"))
        })
        .filter(|(_, none)| *none)
        .map(|(at, _)| at)
        .collect();
    (found.len(), found)
}

#[test]
fn one_note_a_session_counts_what_is_not_read() {
    let mut talk = Talk::enciphered(HeaderVariant::Classic);
    talk.open();
    let key = dissector_core::lol::cipher::Schedule::new(&KEY).unwrap();
    talk.send(Client, vec![Outgoing::reliable(0, 1, &registration(&key, 7))]);
    // before the session states its build nothing is read, though some of it will be
    let early = talk.reliable(Server, 3, 1, &together(&[group(1), other(88, 0, &[1]), other(150, 0, &[1])]));
    talk.reliable(Client, 1, 1, &version_text("1.0.0.136"));
    for number in 2..6 {
        talk.reliable(Server, 3, number, &together(&[group(number.into()), other(88, 0, &[1])]));
    }
    talk.reliable(Server, 3, 5, &other(88, 0, &[1]));
    let (one, two) = passes(&keyed(), &talk.frames);
    let notes = |pass: &Pass| -> Vec<_> {
        let all = shown(pass).into_iter().enumerate();
        all.flat_map(|(at, shown)| {
            let told = [shown.told("lol.unknown"), shown.told("lol.buildUnknown")].concat();
            told.into_iter().map(|text| (at, text.to_owned())).collect::<Vec<_>>()
        })
        .collect()
    };
    let first = notes(&one);
    assert_eq!((first.len(), first[0].0), (1, early), "{first:?}");
    assert!(first[0].1.starts_with("The session has not stated its build here"), "{first:?}");
    let second = notes(&two);
    let text = "7 messages are not read: build 1.0.0.136 has no layout for command 88 SynchVersionS2C ×5, \
        150 ServerGameSettings, 198 SynchVersionC2S; lol.layout.basis == \"none\" finds all that is not read";
    assert_eq!(second, [(early, text.to_owned())]);
    assert_eq!(unread(&two).0, 7, "as many as the filter finds");
}

#[test]
fn whatever_is_not_read_is_found_by_one_filter() {
    let basis = |shown: Shown| shown.texts("lol.layout.basis").concat();
    assert_eq!(basis(whole(3, &other(88, 0, &[1]))), "none");
    assert_eq!(basis(whole(3, &[1, 2])), "none", "its header is cut");
    assert_eq!(
        basis(whole(3, &[0xFF, 1, 6, 254, 0, 0, 0, 0, 3])),
        "none",
        "so is that of one in a container"
    );
    assert_eq!(basis(whole(5, b"hello")), "none", "chat");
    assert_eq!(basis(whole(0, &[0; 25])), "none", "a registration of no known length");
    assert_eq!(basis(bare(4, Server, &group(1), 11)), "book");
    let mut talk = registered();
    let at = talk.reliable(Server, 3, 1, &group(1));
    let pass = read(&Settings::default(), &talk.frames);
    assert_eq!(shown(&pass)[at].texts("lol.layout.basis"), ["none"], "without its key");
}
