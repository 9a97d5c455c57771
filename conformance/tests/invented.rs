//! A message that is added to the book is everywhere at once: in the filters, the documentation, the vectors to write, and
//! what reads and writes them. Nothing but the list of messages knows of it.

use std::path::Path;

use conformance::vector::{parse, text_of};
use conformance::{complete, docs, files, fill, load, run, Core, Vector};
use dissector_core::book::MESSAGES;
use dissector_core::field::Kind;
use dissector_core::layout::*;
use dissector_core::registry::Registry;
use dissector_core::version::builds;

static FAMILY: Family = Family { prefix: "lantern", title: "Lantern", short_name: "Lantern" };

static PAGE: Page = Page { title: "Lanterns", builds: builds(136, 140), source: Source::Page };

static INVENTED: Message = Message {
    name: "LanternLit",
    family: &FAMILY,
    blurb: "A server lights lanterns that no page knows of",
    exchange: Exchange::None,
    layouts: &[Layout {
        builds: builds(136, 140),
        sender: Sender::Server,
        channel: channel::EVENTS,
        delivery: Delivery::Reliable,
        commands: &[command(builds(136, 137), 700), command(builds(138, 140), 701)],
        page: &PAGE,
        evidence: Evidence::Inferred,
        rows: &[
            unit("bearer", "Bearer", "Unit that bears the lanterns"),
            u8("lanternCount", "Lantern count", "Lanterns that follow"),
            list(
                "lanterns",
                "Lantern",
                "A lantern and how it burns",
                Count::In("lanternCount"),
                Item::Record(&[
                    bits("how", "How", "How it burns", 1, &[bit("named", "Named", "A name follows", 0)]),
                    f32("glow", "Glow", "How bright it burns"),
                    text("name", "Name", "What it is called", Extent::Zero).when_set("how.named"),
                ]),
            ),
        ],
    }],
};

fn with_invented() -> (&'static [&'static Message], &'static Registry) {
    let mut messages = MESSAGES.to_vec();
    messages.push(&INVENTED);
    let messages: &'static [&'static Message] = messages.leak();
    (messages, Box::leak(Box::new(Registry::new(messages))))
}

#[test]
fn it_is_in_the_filters() {
    let (_, registry) = with_invented();
    assert_eq!(registry.problems, [""; 0]);
    let kind = |name: &str| registry.field(name).map(|field| registry.fields[usize::from(field)].kind);
    assert_eq!(kind("lantern"), Some(Kind::Family));
    assert_eq!(kind("lantern.bearer"), Some(Kind::U32));
    assert_eq!(kind("lantern.lanterns"), Some(Kind::Record));
    assert_eq!(kind("lantern.lanterns.how.named"), Some(Kind::Bool));
    assert_eq!(kind("lantern.lanterns.how.raw"), Some(Kind::U8));
    assert_eq!(kind("lantern.lanterns.glow"), Some(Kind::Double));
    assert_eq!(kind("lantern.lanterns.name"), Some(Kind::Text));
    let before = Registry::new(MESSAGES);
    // The fields there were are what they were.
    for old in &before.fields {
        assert_eq!(kind(&old.name), Some(old.kind), "{}", old.name);
    }
    assert_eq!(registry.fields.len(), before.fields.len() + 9);
}

#[test]
fn it_is_in_the_documentation() {
    let (messages, registry) = with_invented();
    let text = docs::messages(messages);
    assert!(text.starts_with(&docs::messages(MESSAGES)));
    assert!(text.contains("## Lantern (`lantern`)"));
    let row = "| LanternLit | 1.0.0.136–1.0.0.140 | 700 (1.0.0.136–1.0.0.137), 701 (1.0.0.138–1.0.0.140) \
               | server, events | Lanterns, 1.0.0.136–1.0.0.140 | inferred |";
    assert!(text.contains(row), "{text}");
    let text = docs::fields(registry);
    let row = "| `lantern.lanterns.glow` | double | Glow | LanternLit | 1.0.0.136–1.0.0.140 | How bright it burns |";
    assert!(text.contains(row));
}

#[test]
fn it_is_in_the_conformance() {
    let (_, registry) = with_invented();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    let own: Vec<Vector> = files(&folder).unwrap().iter().flat_map(|file| load(file).unwrap()).collect();
    let gaps = complete::gaps(registry, &own);
    let names: Vec<_> = gaps.iter().map(|gap| (gap.message, gap.build.to_string())).collect();
    let wanted = ["1.0.0.136", "1.0.0.137", "1.0.0.138", "1.0.0.140"].map(|b| ("LanternLit", b.to_owned()));
    assert_eq!(names, wanted);
    let entries = complete::entries(registry, &own).remove("lantern").unwrap();
    let filled = fill::fill_by(registry, &text_of(&entries)).unwrap();
    let vectors = parse(Path::new("lantern.json"), &filled).unwrap();
    // Command 700 travels behind the escape.
    assert!(vectors[0].bytes.starts_with(&[254, 0, 0, 0, 0, 0xBC, 2]), "{:?}", vectors[0].bytes);
    let mut out = Vec::new();
    let summary = run(&mut Core::over(registry), &vectors, &mut out).unwrap();
    assert_eq!((summary.passed, summary.failed), (4, 0), "{}", String::from_utf8_lossy(&out));
    // The project's own book knows nothing of it.
    let summary = run(&mut Core::default(), &vectors, &mut Vec::new()).unwrap();
    assert_eq!((summary.passed, summary.skipped["LanternLit"]), (0, 4));
}
