//! What reading makes of whole bodies, and of bodies cut at every byte.

mod common;

use common::{decode, input, messages, name, own, shared, Message};
use dissector_core::decode::{read, Facts, Input, Point, Said};
use dissector_core::field::Kind;
use dissector_core::layout::{Count, Presence, Row, Type};
use dissector_core::registry::REGISTRY;
use dissector_core::tree::{flag, Node, Tree};

fn all() -> Vec<Message> {
    let mut all = own();
    for file in ["vectors/recorded-1.0.0.136.json", "vectors/generated.json"] {
        all.extend(shared(file).iter().flat_map(messages));
    }
    all
}

/// Where the run to the end of the body begins, if the layout ends with one: no cut can come behind it.
fn open_end(message: &Message) -> Option<usize> {
    let last = message.program.layout.rows.last()?;
    let Type::List { count: Count::ToEnd, .. } = last.ty else { return None };
    let item = format!("{}.{}", message.program.message.family.prefix, last.name);
    let (tree, _, end) = decode(message.program, &input(&message.body, message.body.len(), message.channel));
    let first = tree.nodes.iter().find(|node| name(node.field) == item);
    Some(first.map_or(end.used as usize, |node| node.offset as usize - 5))
}

/// Where the rows begin that stand only where bytes are left: a body may end there.
fn early_ends(message: &Message) -> Vec<usize> {
    fn names(rows: &[Row], prefix: &str, into: &mut Vec<String>) {
        for row in rows {
            let name = format!("{prefix}.{}", row.name);
            if let Type::Record(rows) = row.ty {
                names(rows, &name, into);
            }
            if row.present == Presence::Remaining {
                into.push(name);
            }
        }
    }
    let mut rows = Vec::new();
    names(message.program.layout.rows, message.program.message.family.prefix, &mut rows);
    let (tree, _, _) = decode(message.program, &input(&message.body, message.body.len(), message.channel));
    let begins = tree.nodes.iter().filter(|node| rows.iter().any(|row| name(node.field) == row));
    begins.map(|node| node.offset as usize - 5).collect()
}

/// A node but for the length of what holds others, which a cut shortens.
fn shape(node: &Node) -> Node {
    let holds = REGISTRY.fields[usize::from(node.field)].kind == Kind::Record;
    Node { length: if holds { 0 } else { node.length }, ..*node }
}

#[test]
fn a_body_cut_at_any_byte_keeps_what_was_before() {
    for message in all() {
        let (channel, body) = (message.channel, &message.body);
        let (whole, _, end) = decode(message.program, &input(body, body.len(), channel));
        assert_eq!(end.cut, None, "{} {}", message.name, message.build);
        let whole: Vec<_> = whole.nodes.iter().map(shape).collect();
        let (open_end, early_ends) = (open_end(&message), early_ends(&message));
        for left in 0..body.len() {
            for reported in [left, body.len()] {
                let (tree, _, now) = decode(message.program, &input(&body[..left], reported, channel));
                let at = format!("{} {} cut to {left}, reported {reported}", message.name, message.build);
                let nodes: Vec<_> = tree.nodes.iter().map(shape).collect();
                assert!(nodes.len() <= whole.len() && nodes == whole[..nodes.len()], "{at}");
                let past = tree.nodes.iter().find(|node| (node.offset + node.length) as usize > 5 + left);
                assert_eq!(past, None, "{at}");
                let complete = left >= end.used as usize
                    || reported == left && open_end.is_some_and(|from| left >= from)
                    || reported == left && early_ends.contains(&left);
                assert_eq!(now.cut.is_none(), complete, "{at}: {now:?}");
                let Some(cut) = now.cut else { continue };
                assert_eq!(cut.offset, 5 + now.used, "{at}");
                assert_eq!(cut.left as usize, left - now.used as usize, "{at}");
                // 0 where nobody can know: a text whose end is missing.
                assert!(cut.needs == 0 || cut.needs > cut.left, "{at}");
                assert_eq!(cut.short, reported > left, "{at}");
                let prefix = message.program.message.family.prefix;
                assert!(name(cut.field).starts_with(prefix) && name(cut.field) != prefix, "{at}");
            }
        }
    }
}

#[test]
fn facts_are_the_same_with_and_without_nodes() {
    for message in all() {
        for left in 0..=message.body.len() {
            let input = input(&message.body[..left], message.body.len(), message.channel);
            let (_, facts, end) = decode(message.program, &input);
            let (mut tree, mut bare) = (Tree::default(), Facts::default());
            assert_eq!(read::<false>(message.program, &input, &mut tree, &mut bare), end);
            assert_eq!(format!("{bare:?}"), format!("{facts:?}"));
            assert!(tree.nodes.is_empty());
        }
    }
}

#[test]
fn a_cut_names_the_field_and_what_it_lacks() {
    let order = own().into_iter().find(|message| message.name == "MoveOrder").unwrap();
    let (_, _, end) = decode(order.program, &input(&order.body[..3], 3, 1));
    let cut = end.cut.unwrap();
    assert_eq!(
        (name(cut.field), cut.offset, cut.needs, cut.left, cut.short),
        ("moveorder.targetX", 6, 4, 2, false)
    );
    let (_, _, end) = decode(order.program, &input(&order.body[..3], order.body.len(), 1));
    assert!(end.cut.unwrap().short);
    // Two bytes on the wire of which one was captured: neither end left out enough to hold the field.
    let (_, _, end) = decode(order.program, &input(&order.body[..2], 3, 1));
    assert!(!end.cut.unwrap().short);
}

fn find<'a>(messages: &'a [Message], name: &str, fits: impl Fn(&Message) -> bool) -> &'a Message {
    messages.iter().find(|message| message.name == name && fits(message)).unwrap()
}

#[test]
fn facts_of_groups_orders_and_paths() {
    let own = own();
    let group = find(&own, "WaypointGroup", |m| m.fields["syncId"] == 991);
    let (_, facts, _) = decode(group.program, &input(&group.body, group.body.len(), group.channel));
    assert_eq!((facts.sync, facts.paths, facts.points), (Some(991), 1, 2));
    assert_eq!(facts.last, Some(Point::Path(1039, 853)));
    let sync = REGISTRY.field("waypoint.syncId").unwrap();
    assert_eq!(facts.said[..3], [Some(Said::Int("sync", sync, 991)), Some(Said::Items("unit", 1)), None]);

    let order = find(&own, "MoveOrder", |m| m.fields["kind"] == 2);
    let (_, facts, _) = decode(order.program, &input(&order.body, order.body.len(), 1));
    let kind = REGISTRY.field("moveorder.kind").unwrap();
    assert_eq!(facts.said[0], Some(Said::Word(kind, 2)));
    assert!(facts.states_origin && facts.target.is_some());
    let other = find(&own, "MoveOrder", |m| m.fields["kind"] == 3);
    assert!(!decode(other.program, &input(&other.body, other.body.len(), 1)).1.states_origin);
    let stop = find(&own, "MoveOrder", |m| m.fields["kind"] == 10);
    let (_, facts, _) = decode(stop.program, &input(&stop.body, stop.body.len(), 1));
    assert_eq!((facts.paths, facts.points, facts.last, facts.states_origin), (0, 0, None, false));

    let path =
        find(&own, "Path", |m| m.fields["syncId"] == 3 && m.fields["points"].as_array().unwrap().len() == 2);
    let (_, facts, _) = decode(path.program, &input(&path.body, path.body.len(), 3));
    assert_eq!((facts.paths, facts.points, facts.last), (1, 2, Some(Point::World(7300.5, 7050.25))));
}

#[test]
fn resolved_points_follow_their_path() {
    let own = own();
    let group = find(&own, "WaypointGroup", |m| m.fields["syncId"] == 991);
    let (tree, _, _) = decode(group.program, &input(&group.body, group.body.len(), group.channel));
    let values = |wanted: &str| -> Vec<u64> {
        tree.nodes.iter().filter(|node| name(node.field) == wanted).map(|node| node.value).collect()
    };
    assert_eq!(values("waypoint.point.rawX"), [12, 1039]);
    assert_eq!(values("waypoint.point.rawZ"), [-34i64 as u64, 853]);
    assert_eq!(
        values("waypoint.point.x").into_iter().map(f64::from_bits).collect::<Vec<_>>(),
        [7015.0, 9069.0]
    );
    assert_eq!(
        values("waypoint.point.z").into_iter().map(f64::from_bits).collect::<Vec<_>>(),
        [7155.0, 8929.0]
    );
    assert_eq!(values("lol.unit").len(), 1);
    for node in &tree.nodes {
        let generated = name(node.field).starts_with("waypoint.point") || name(node.field) == "lol.unit";
        assert_eq!(node.flags & flag::GENERATED != 0, generated, "{}", name(node.field));
        assert_eq!(node.flags & flag::HIDDEN != 0, name(node.field) == "lol.unit");
    }
    let unknown = dissector_core::decode::Input { origin: None, ..input(&group.body, group.body.len(), 4) };
    let (tree, _, _) = decode(group.program, &unknown);
    assert!(tree.nodes.iter().all(|node| name(node.field) != "waypoint.point.x"));
    assert!(tree.nodes.iter().any(|node| name(node.field) == "waypoint.point.rawX"));
}

#[test]
fn runs_say_which_bits_they_are() {
    let own = own();
    let group = find(&own, "WaypointGroup", |m| m.fields["syncId"] == 990);
    let (tree, _, _) = decode(group.program, &input(&group.body, group.body.len(), group.channel));
    let count = tree.nodes.iter().find(|node| name(node.field).ends_with("header.pointCount")).unwrap();
    assert_eq!((count.bit_first, count.bit_count, count.word_bytes, count.value), (16, 7, 4, 14));
    let groups: Vec<_> = tree.nodes.iter().filter(|n| name(n.field).ends_with("flags.zIsStep")).collect();
    assert_eq!(groups.len(), 13);
    let fifth = groups[4];
    assert_eq!((fifth.bit_first, fifth.bit_count, fifth.word_bytes), (1, 1, 1));
    assert_eq!(fifth.offset, groups[0].offset + 1);
}

#[test]
fn counts_a_client_reads_otherwise() {
    let own = own();
    let group = find(&own, "WaypointGroup", |m| m.fields["movementCount"] == 40000);
    let mut body = group.body.clone();
    body.extend([1, 2, 3]);
    let (tree, _, end) = decode(group.program, &input(&body, body.len(), 4));
    assert_eq!((end.used, end.cut), (6, None));
    assert!(tree.nodes.iter().all(|node| name(node.field) != "waypoint.movements"));

    let ack = find(&own, "WaypointAck", |m| m.channel == 4 && m.fields["relocationCount"] == 167);
    assert_eq!(decode(ack.program, &input(&ack.body, 5, 4)).2.cut, None);
    let (_, _, end) = decode(ack.program, &input(&ack.body, 5, 1));
    assert_eq!(name(end.cut.unwrap().field), "waypoint.relocations.unit");
}

#[test]
fn deciphered_bytes_are_flagged_on_every_node() {
    for message in own() {
        let input = dissector_core::decode::Input {
            flags: flag::DECIPHERED,
            ..input(&message.body, message.body.len(), message.channel)
        };
        let (tree, _, _) = decode(message.program, &input);
        assert!(tree.nodes.iter().all(|node| node.flags & flag::DECIPHERED != 0));
    }
}

#[test]
fn a_full_tree_leaves_nodes_out_and_facts_whole() {
    let own = own();
    let path = find(&own, "Path", |m| m.fields["syncId"] == 3);
    let body: Vec<u8> = (0..4 + 8 * 20_000).map(|at| at as u8).collect();
    let (tree, facts, end) = decode(path.program, &input(&body, body.len(), 3));
    assert!(tree.full);
    assert_eq!(tree.nodes.len(), Tree::MOST_NODES);
    assert_eq!((end.used as usize, end.cut, facts.points), (body.len(), None, 20_000));
    let whole =
        tree.nodes.iter().filter(|node| name(node.field) == "path.points" && node.length == 8).count();
    assert!(whole >= Tree::MOST_NODES / 3 - 1);
}

#[test]
fn a_heading_that_is_full_takes_the_path_of_a_record_inside_and_none_of_its_rows() {
    let mut full = 0;
    for message in own().into_iter().filter(|message| message.name == "EnterSight") {
        let body = input(&message.body, message.body.len(), message.channel);
        let (tree, ..) = decode(message.program, &Input { labels: true, ..body });
        let views = tree.nodes.iter().filter(|node| name(node.field) == "sight.view");
        for text in views.filter_map(|node| tree.text_of(node)) {
            let Some((_, rest)) = text.split_once(", …") else { continue };
            full += 1;
            assert!(rest.is_empty() || rest.contains(" → (") && rest.len() < 40, "{text}");
        }
    }
    assert!(full > 2);
}

/// Bytes of a label after which epan cuts it.
const LONGEST_LABEL: usize = 240;

#[test]
fn what_heads_a_record_fits_in_a_label() {
    for message in own() {
        let body = input(&message.body, message.body.len(), message.channel);
        let (tree, ..) = decode(message.program, &Input { labels: true, ..body });
        for node in tree.nodes.iter().filter(|node| node.flags & flag::LABELLED != 0) {
            let text = tree.text_of(node).unwrap_or_default();
            assert!(text.len() < LONGEST_LABEL, "{} {}{text}", message.name, name(node.field));
        }
    }
}
