//! Lints over the whole book and its field table: what a new message, layout or build must not get wrong.

use std::collections::{BTreeSet, HashMap, HashSet};

use dissector_core::book::{pages, MESSAGES};
use dissector_core::fields::experts;
use dissector_core::layout::{channel, Sender};
use dissector_core::registry::{BuildTable, REGISTRY};
use dissector_core::version::{Build, Range};

#[test]
fn a_filter_name_stands_once_whatever_it_names() {
    let mut seen = HashMap::new();
    let fields = REGISTRY.fields.iter().map(|field| field.name.as_str());
    for name in fields.chain(experts().map(|expert| expert.name)) {
        // epan takes a name twice without a word, and its preferences cannot tell `a.B` from `a.b`.
        let folded = name.to_ascii_lowercase().replace('.', "_");
        if let Some(other) = seen.insert(folded, name) {
            panic!("{name} and {other} are one name to somebody");
        }
    }
}

#[test]
fn no_part_of_a_name_is_empty_or_looks_like_a_number() {
    let fields = REGISTRY.fields.iter().map(|field| field.name.as_str());
    for name in fields.chain(experts().map(|expert| expert.name)) {
        for part in name.split('.') {
            assert!(part.starts_with(|c: char| c.is_ascii_alphabetic()), "{name}");
            assert!(part.chars().all(|c| c.is_ascii_alphanumeric()), "{name}");
        }
    }
}

#[test]
fn every_layout_is_reached_by_every_build_of_its_commands() {
    for program in &REGISTRY.programs {
        let layout = program.layout;
        let of = if channel::has_net_id(layout.channel) { BuildTable::program } else { BuildTable::bare };
        assert!(!layout.commands.is_empty(), "{} {}: no command", program.message.name, layout.builds);
        for command in layout.commands {
            for build in [command.builds.from, command.builds.until] {
                let table = REGISTRY.table(build);
                let found = of(&table, &REGISTRY, Some(layout.sender), command.number);
                let found = found.map(|found| (found.message.name, found.layout.builds));
                assert_eq!(found, Some((program.message.name, layout.builds)), "{build}");
                let other = layout.sender == Sender::Server;
                let other = if other { Sender::Client } else { Sender::Server };
                let found = of(&table, &REGISTRY, Some(other), command.number);
                assert!(found.is_none_or(|found| found.layout.sender == other), "{build}");
            }
        }
    }
}

/// Whether a range may end with one build and the next begin with the other: they follow each other, or a page ends
/// between them.
fn follow(until: Build, from: Build) -> bool {
    let next = until.number() + 1 == from.number();
    let ends = |range: Range| range.until == until;
    let begins = |range: Range| range.from == from;
    // The last page states 4.17 and 4.20 and nothing between them.
    let stated = || {
        let of_pages = pages::PAGES.iter().map(|page| page.builds);
        of_pages.chain([dissector_core::book::ranges::V4_17, dissector_core::book::ranges::V4_20])
    };
    next || stated().any(ends) && stated().any(begins)
}

#[test]
fn ranges_have_no_holes_that_no_page_has() {
    for message in MESSAGES {
        for pair in message.layouts.windows(2) {
            let (until, from) = (pair[0].builds.until, pair[1].builds.from);
            assert!(until < from, "{}: {} and {}", message.name, pair[0].builds, pair[1].builds);
            assert!(follow(until, from), "{}: nothing between {until} and {from}", message.name);
        }
        for layout in message.layouts {
            for pair in layout.commands.windows(2) {
                let (until, from) = (pair[0].builds.until, pair[1].builds.from);
                assert!(until < from, "{}: {} and {}", message.name, pair[0].builds, pair[1].builds);
                let next = until.number() + 1 == from.number();
                assert!(next, "{}: no command between {until} and {from}", message.name);
            }
        }
    }
}

#[test]
fn every_layout_stands_on_a_page() {
    for message in MESSAGES {
        for layout in message.layouts {
            let on_page = pages::PAGES.iter().any(|page| std::ptr::eq(*page, layout.page));
            assert!(on_page && layout.page.states(layout.builds), "{} {}", message.name, layout.builds);
        }
    }
}

#[test]
fn messages_of_one_name_or_one_layout_are_one_message() {
    let names: HashSet<_> = MESSAGES.iter().map(|message| message.name).collect();
    assert_eq!(names.len(), MESSAGES.len());
    for message in MESSAGES {
        assert!(!message.layouts.is_empty(), "{}: without a layout it cannot be read", message.name);
        assert!(!message.blurb.is_empty() && message.blurb != message.name, "{}", message.name);
    }
}

/// A field of the book's families is one that some layout shows, or one the reader works out for the family.
#[test]
fn no_field_stands_in_the_table_for_nothing() {
    let programs = REGISTRY.programs.iter().chain(&REGISTRY.bedrock).chain(&REGISTRY.unplaced);
    let shown: BTreeSet<_> = programs.flat_map(|program| program.fields()).collect();
    let families: BTreeSet<_> = MESSAGES.iter().map(|message| message.family.prefix).collect();
    let worked_out = ["ackIn", "ackTo", "ackTime"];
    for (index, field) in REGISTRY.fields.iter().enumerate() {
        let Some((prefix, rest)) = field.name.split_once('.') else { continue };
        if families.contains(prefix) && !worked_out.contains(&rest) {
            assert!(shown.contains(&(index as u16)), "{}: no layout has it", field.name);
        }
    }
}
