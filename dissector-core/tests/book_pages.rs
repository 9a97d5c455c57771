//! The book against the specification pages as tables, where a checkout has them beside it: nothing missing, nothing extra.

mod common;

use std::collections::BTreeMap;

use dissector_core::book::{bedrock, pages, ranges, structs, unplaced, MESSAGES};
use dissector_core::layout::{channel_name, Item, Layout, Row, Run, Source, StructDef, Type};
use dissector_core::version::{Build, Range};
use serde_json::Value;

/// A page as a table: its file, the builds it covers, and what book.md counts in it.
struct Table {
    file: &'static str,
    builds: Range,
    messages: usize,
    layouts: usize,
    rows: usize,
    commands: usize,
}

const BOOK: Range = Range { from: Build::new(1, 0, 0, 130), until: Build::new(3, 1, 0, 0) };

const TABLES: [Table; 4] = [
    Table {
        file: "movement-1.0.0.130-3.1.0.0.json",
        builds: BOOK,
        messages: 11,
        layouts: 21,
        rows: 157,
        commands: 59,
    },
    Table {
        file: "movement-0.8.13.26-1.0.0.24.json",
        builds: ranges::EARLY,
        messages: 10,
        layouts: 15,
        rows: 66,
        commands: 16,
    },
    Table {
        file: "effects-1.0.0.130-3.1.0.0.json",
        builds: BOOK,
        messages: 25,
        layouts: 52,
        rows: 267,
        commands: 151,
    },
    Table {
        file: "all-4.17.0.233-4.20.0.315.json",
        builds: ranges::V4,
        messages: 51,
        layouts: 76,
        rows: 440,
        commands: 76,
    },
];

/// Rows where the book follows another source than the table, with the reason.
const KNOWN: [(&str, &str, &str); 4] = [
    ("Movement 4.17.0.233–4.20.0.315", "path.firstX", ONLY_WITH_POINTS),
    ("Movement 4.17.0.233–4.20.0.315", "path.firstZ", ONLY_WITH_POINTS),
    ("MovementAtSpeed 4.17.0.233–4.20.0.315", "path.firstX", ONLY_WITH_POINTS),
    ("MovementAtSpeed 4.17.0.233–4.20.0.315", "path.firstZ", ONLY_WITH_POINTS),
];

const ONLY_WITH_POINTS: &str =
    "an order without points ends behind its unit: there is no first point to read";

/// The one layout a table allows on a second channel: a layout has one, and a command is looked up without it.
const ALSO_ON_EVENTS: &str = "Replication 4.20.0.315";

/// Shapes of the tables that no message of theirs holds.
const UNUSED_SHAPES: [&str; 2] = ["Effect", "EffectGroup"];

fn table(file: &str) -> Option<Value> {
    common::shared(&format!("book/{file}"))
}

/// A row as a table states it: type, condition and words.
type Stated = (String, Option<String>, BTreeMap<String, String>);

/// Rows by path, in order.
fn written(rows: &[Row]) -> Vec<(String, Stated)> {
    let mut all = Vec::new();
    flatten(rows, "", &mut all);
    all
}

fn flatten(rows: &[Row], prefix: &str, into: &mut Vec<(String, Stated)>) {
    for row in rows {
        let path = format!("{prefix}{}", row.name);
        let words =
            row.value_strings.iter().map(|(value, word)| (value.to_string(), (*word).to_owned())).collect();
        into.push((path.clone(), (row.ty.notation(), row.present.notation(), words)));
        match row.ty {
            Type::Record(rows) => flatten(rows, &format!("{path}."), into),
            Type::List { of: Item::Record(rows), .. } | Type::ListBytes { of: Item::Record(rows), .. } => {
                flatten(rows, &format!("{path}[]."), into);
            }
            Type::Bits { runs, .. } | Type::BitArray { runs, .. } => into.extend(runs.iter().map(|run| {
                let Run { name, .. } = run;
                (format!("{path}.{name}"), (run.notation(), None, BTreeMap::new()))
            })),
            _ => {}
        }
    }
}

fn stated(fields: &Value) -> Vec<(String, Stated)> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    fields
        .as_array()
        .expect("fields")
        .iter()
        .map(|field| {
            let words = field["values"].as_object().into_iter().flatten();
            let words =
                words.filter(|(_, word)| word.is_string()).map(|(v, w)| (v.clone(), text(w).unwrap()));
            (
                text(&field["path"]).unwrap(),
                (text(&field["type"]).unwrap(), text(&field["present"]), words.collect()),
            )
        })
        .collect()
}

fn range(value: &Value) -> Range {
    let build = |key: &str| value[key].as_str().expect(key).parse().expect(key);
    Range { from: build("from"), until: build("until") }
}

fn compare_rows(at: &str, book: &[(String, Stated)], page: &[(String, Stated)], wrong: &mut Vec<String>) {
    let names = |rows: &[(String, Stated)]| rows.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
    if names(book) != names(page) {
        wrong.push(format!("{at}: rows {:?}, page {:?}", names(book), names(page)));
        return;
    }
    for ((path, book), (_, page)) in book.iter().zip(page) {
        if book != page && !KNOWN.iter().any(|(known, row, _)| *known == at && row == path) {
            wrong.push(format!("{at} {path}: {book:?}, page {page:?}"));
        }
    }
}

fn compare_layout(at: &str, book: &Layout, page: &Value, wrong: &mut Vec<String>) {
    let how = [channel_name(book.channel).unwrap_or("?"), book.sender.name(), book.delivery.name()];
    let page_how = ["channel", "sender", "delivery"].map(|key| page[key].as_str().unwrap_or("?"));
    if how != page_how {
        wrong.push(format!("{at}: {how:?}, page {page_how:?}"));
    }
    let also_on = page["alsoOn"].as_array().map_or(0, Vec::len);
    if also_on != usize::from(at == ALSO_ON_EVENTS) {
        wrong.push(format!("{at}: also on {:?}", page["alsoOn"]));
    }
    let commands: Vec<_> = book.commands.iter().map(|c| (c.builds, u64::from(c.number))).collect();
    let page_commands = page["commands"].as_array().expect("commands").iter();
    let page_commands: Vec<_> = page_commands.map(|c| (range(c), c["command"].as_u64().unwrap())).collect();
    if commands != page_commands {
        wrong.push(format!("{at}: commands {commands:?}, page {page_commands:?}"));
    }
    compare_rows(at, &written(book.rows), &stated(&page["fields"]), wrong);
}

fn within(inner: Range, outer: Range) -> bool {
    outer.holds(inner.from) && outer.holds(inner.until)
}

fn compare_page(page: &Table, table: &Value, wrong: &mut Vec<String>) {
    let (mut layouts, mut rows, mut commands) = (0, 0, 0);
    let messages = table["messages"].as_array().expect("messages");
    for stated in messages {
        let name = stated["name"].as_str().expect("name");
        let Some(message) = MESSAGES.iter().find(|message| message.name == name) else {
            wrong.push(format!("{name}: not in the book"));
            continue;
        };
        let stated = stated["layouts"].as_array().expect("layouts");
        let book: Vec<_> = message.layouts.iter().filter(|l| within(l.builds, page.builds)).collect();
        if book.iter().map(|l| l.builds).ne(stated.iter().map(range)) {
            wrong.push(format!("{name}: other ranges than the page's"));
            continue;
        }
        for (layout, stated) in book.iter().zip(stated) {
            compare_layout(&format!("{name} {}", layout.builds), layout, stated, wrong);
            layouts += 1;
            rows += written(layout.rows).len();
            commands += layout.commands.len();
        }
    }
    let counts = (messages.len(), layouts, rows, commands);
    println!(
        "{}: {} messages, {layouts} layouts, {rows} rows, {commands} commands",
        page.file,
        messages.len()
    );
    if counts != (page.messages, page.layouts, page.rows, page.commands) {
        wrong.push(format!("{}: counts {counts:?}", page.file));
    }
}

#[test]
fn the_book_holds_what_the_pages_state() {
    let mut wrong = Vec::new();
    for page in &TABLES {
        let Some(table) = table(page.file) else { return };
        compare_page(page, &table, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_book_holds_nothing_else() {
    let mut named = Vec::new();
    for page in &TABLES {
        let Some(table) = table(page.file) else { return };
        for message in table["messages"].as_array().expect("messages") {
            let name = message["name"].as_str().expect("name").to_owned();
            named.extend(
                message["layouts"].as_array().expect("layouts").iter().map(|l| (name.clone(), range(l))),
            );
        }
    }
    for message in MESSAGES {
        for layout in message.layouts {
            let named = named.iter().any(|(name, range)| name == message.name && *range == layout.builds);
            assert!(named, "{} {}: on no page", message.name, layout.builds);
        }
    }
    let layouts: usize = MESSAGES.iter().map(|message| message.layouts.len()).sum();
    assert_eq!((MESSAGES.len(), layouts), (52, 164));
}

/// All shapes the layouts lead to.
fn shapes_in_use() -> Vec<&'static StructDef> {
    fn walk(rows: &'static [Row], into: &mut Vec<&'static StructDef>) {
        for row in rows {
            match row.ty {
                Type::Record(rows) => walk(rows, into),
                Type::Struct(def) => enter(def, into),
                Type::List { of, .. } | Type::ListBytes { of, .. } => match of {
                    Item::Record(rows) => walk(rows, into),
                    Item::Struct(def) => enter(def, into),
                    Item::Plain(_) => {}
                },
                _ => {}
            }
        }
    }
    fn enter(def: &'static StructDef, into: &mut Vec<&'static StructDef>) {
        if !into.iter().any(|known| std::ptr::eq(*known, def)) {
            into.push(def);
            walk(def.rows, into);
        }
    }
    let mut all = Vec::new();
    MESSAGES.iter().flat_map(|message| message.layouts).for_each(|layout| walk(layout.rows, &mut all));
    all
}

#[test]
fn shared_shapes_hold_what_the_tables_state() {
    let used = shapes_in_use();
    let mut wrong = Vec::new();
    let mut met = Vec::new();
    for file in ["types.json", "all-4.17.0.233-4.20.0.315.json"] {
        let Some(table) = table(file) else { return };
        for stated_shape in table["types"].as_array().expect("types") {
            let name = stated_shape["name"].as_str().expect("name");
            if UNUSED_SHAPES.contains(&name) {
                continue;
            }
            let range = range(stated_shape);
            match used.iter().find(|def| def.name == name && within(range, def.builds)) {
                None => wrong.push(format!("{name} {range}: no such shape in use")),
                Some(def) => {
                    met.push(*def as *const StructDef);
                    let at = format!("{name} {range}");
                    compare_rows(&at, &written(def.rows), &stated(&stated_shape["fields"]), &mut wrong);
                }
            }
        }
    }
    wrong.extend(
        used.iter()
            .filter(|s| !met.contains(&(**s as *const StructDef)))
            .map(|s| format!("{}: unstated", s.name)),
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(used.iter().any(|def| std::ptr::eq(*def, &structs::MOVEMENT)));
}

#[test]
fn every_layout_names_what_states_it() {
    let of_messages = MESSAGES.iter().chain(bedrock::MESSAGES).flat_map(|message| message.layouts);
    for layout in of_messages.chain(unplaced::UNPLACED.iter().flat_map(|(_, layouts)| *layouts)) {
        assert!(!layout.page.title.is_empty());
        // The packet's page states one protocol, and its layout is that of some earlier ones too.
        let one = std::ptr::eq(layout.page, &bedrock::MOVE_ACTOR_DELTA_PAGE);
        let stated = layout.page.states(layout.builds) || one && layout.builds.holds(bedrock::STATED.from);
        assert!(stated, "{}: {}", layout.page.title, layout.builds);
    }
}

/// Each page of the specification begins with its title, or has it below the line that says its protocol.
#[test]
fn pages_are_called_by_their_own_titles() {
    let Ok(seeds) = std::fs::read_dir(common::folder("../../shared/seeds")) else {
        println!("skipped: no shared seeds here");
        return;
    };
    let seeds = seeds.map(|seed| std::fs::read_to_string(seed.unwrap().path()).unwrap());
    let heads: Vec<Vec<String>> =
        seeds.map(|seed| seed.lines().take(HEAD).map(str::to_owned).collect()).collect();
    let called = |title: &str| heads.iter().filter(|head| head.iter().any(|line| line == title)).count();
    let pages: Vec<_> =
        pages::PAGES.iter().copied().chain([&bedrock::MOVE_ACTOR_DELTA_PAGE, &pages::SHAPES]).collect();
    for page in &pages {
        let of_title = pages.iter().filter(|other| other.title == page.title).count();
        let wanted = if page.source == Source::Page { of_title } else { 0 };
        assert_eq!(called(page.title), wanted, "{}", page.title);
    }
    let with_page = pages.iter().filter(|page| page.source != Source::Beyond).count();
    assert_eq!(heads.len(), with_page, "every page is in the book");
}

/// Lines of a page in which its title is looked for.
const HEAD: usize = 8;
