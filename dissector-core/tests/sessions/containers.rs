//! Several messages in one payload.

use dissector_core::capture::Settings;
use dissector_core::tree::{flag, Tree};

use crate::payload::{bare, bare_with, cuts, nodes, whole};
use crate::wire::*;

/// A container of three: a message of its own id, the same command by a step, and a long body.
fn container() -> Vec<u8> {
    let all = [
        other(150, 0x4000_0019, &[1, 2]),
        other(150, 0x4000_0010, &[3; 3]),
        other(151, 0x5000_0000, &[4; 70]),
    ];
    together(&all)
}

#[test]
fn a_container_shows_each_message_with_its_framing() {
    let bytes = container();
    let shown = whole(3, &bytes);
    assert_eq!(shown.values("lol.command"), [150, 150, 151]);
    assert_eq!(shown.values("lol.netId"), [0x4000_0019, 0x4000_0010, 0x5000_0000]);
    assert_eq!(nodes(&shown, "lol.container.count"), [("lol.container.count", 3, 1, 1)]);
    assert_eq!(shown.values("lol.container.index"), [0, 1, 2]);
    // size 7 of the first; then same command, step -9, 3 bytes; then neither, 63 and 70 in a byte of its own
    assert_eq!(
        nodes(&shown, "lol.container.size"),
        [("lol.container.size", 7, 2, 1), ("lol.container.size", 70, 21, 1)]
    );
    assert_eq!(shown.values("lol.container.word"), [3 << 2 | 3, 63 << 2]);
    assert_eq!(
        (shown.values("lol.container.sameCommand"), shown.values("lol.container.deltaNetId")),
        (vec![1, 0], vec![1, 0])
    );
    assert_eq!(shown.values("lol.container.bodySize"), [3, 63]);
    assert_eq!(
        nodes(&shown, "lol.container.netIdDelta"),
        [("lol.container.netIdDelta", -9i64 as u64, 11, 1)]
    );
    let labels: Vec<_> = shown.all("lol.container").iter().map(|item| item.text.as_str()).collect();
    assert_eq!(labels, [", message 1 of 3", ", message 2 of 3", ", message 3 of 3"]);
    let places = |name| shown.all(name).iter().map(|item| (item.place.2, item.place.3)).collect::<Vec<_>>();
    let bytes = "the first brings the container's own bytes";
    assert_eq!(places("lol.message.item"), [(0, 10), (10, 5), (15, 77)], "{bytes}");
    assert_eq!(
        (places("lol"), shown.all("lol")[0].text.as_str()),
        (vec![(0, 92)], ", 1.0.0.136, 3 messages: [ServerGameSettings] ×2, [S2C_ModifyDebugCircleColor]")
    );
    let commands: Vec<_> = shown.all("lol.command").iter().map(|item| (item.place.2, item.place.3)).collect();
    assert_eq!(
        commands,
        [(3, 1), (10, 1), (16, 1)],
        "one that is not carried stands at the byte that says so"
    );
    assert_eq!(shown.all("lol.command")[1].place.1 & flag::GENERATED, flag::GENERATED);
    assert_eq!(shown.all("lol.command")[0].place.1 & flag::GENERATED, 0);
    assert_eq!(
        nodes(&shown, "lol.body"),
        [("lol.body", 0, 8, 2), ("lol.body", 0, 12, 3), ("lol.body", 0, 22, 70)]
    );
    let parts = [
        "[ServerGameSettings] ×2, 0x40000019, 0x40000010, 5 bytes",
        "[S2C_ModifyDebugCircleColor] 0x50000000, 70 bytes",
    ];
    assert_eq!(shown.info, parts.join("; "));
}

#[test]
fn a_container_that_is_cut_at_any_byte_says_so_once() {
    let bytes = container();
    for left in 1..bytes.len() {
        for reported in [left, bytes.len()] {
            let shown = bare(3, Server, &bytes[..left], reported);
            assert_eq!(cuts(&shown), 1, "{left} of {reported}: {:?}", shown.experts);
            assert_eq!(shown.told("lol.short").len(), usize::from(reported > left), "{left} of {reported}");
            assert!(!shown.info.is_empty() && shown.has("lol"), "{left} of {reported}");
        }
    }
    let shown = whole(3, &bytes[..1]);
    assert_eq!(shown.told("lol.malformed"), ["lol.container.count needs 1 byte, none is left"]);
    assert_eq!(shown.info, "[container message 1 of 0]");
    let shown = whole(3, &bytes[..12]);
    assert_eq!(
        shown.info.split("; ").last(),
        Some("[ServerGameSettings] ×2, 0x40000019, 0x40000010, 2 bytes"),
        "what is there of the second is shown"
    );
    let shown = whole(3, &bytes[..16]);
    assert_eq!(
        (shown.told("lol.malformed"), shown.info.split("; ").last()),
        (vec!["lol.command needs 1 byte, none is left"], Some("[container message 3 of 3]"))
    );
}

#[test]
fn what_a_container_holds_besides_its_messages_is_left_over() {
    let mut bytes = together(&[other(150, 0, &[1])]);
    bytes.extend([7, 8]);
    let shown = whole(3, &bytes);
    assert_eq!(shown.told("lol.surplus"), ["2 bytes after the 1 messages of the container"]);
    assert_eq!(nodes(&shown, "lol.leftOver"), [("lol.leftOver", 0, 9, 2)]);
    assert_eq!(shown.info, "[ServerGameSettings] 1 byte; [container of 1 message]");
    let shown = whole(3, &[0xFF, 0]);
    assert_eq!((shown.told("lol.surplus"), shown.info.as_str()), (vec![], "[empty container]"));
    assert_eq!(shown.values("lol.container.count"), [0]);
    assert_eq!(nodes(&shown, "lol.command"), [("lol.command", 255, 0, 1)]);
    let shown = whole(3, &[0xFF, 0, 5]);
    assert_eq!(shown.told("lol.surplus"), ["1 bytes after the 0 messages of the container"]);
    assert_eq!(nodes(&shown, "lol.leftOver"), [("lol.leftOver", 0, 2, 1)]);
    let shown = whole(3, &[0xFF, 1, 4, 150, 0, 0, 0, 0]);
    assert_eq!(shown.told("lol.malformed"), ["lol.container.size needs 5 bytes, 4 are left"]);
}

#[test]
fn an_extended_command_in_a_container_stands_in_its_body() {
    let inner = [6 + 1, 254, 0, 0, 0, 0, 3, 1];
    let shown = whole(3, &[&[0xFF, 1][..], &inner].concat());
    assert_eq!((shown.values("lol.command.escape"), shown.values("lol.command")), (vec![254], vec![259]));
    assert_eq!(nodes(&shown, "lol.command")[1], ("lol.command", 259, 8, 2));
    let shown = whole(3, &[0xFF, 1, 6, 254, 0, 0, 0, 0, 3]);
    assert_eq!(shown.told("lol.malformed"), ["lol.command needs 2 bytes, 1 are left"]);
    let shown = bare(3, Server, &[0xFF, 1, 7, 254, 0, 0, 0, 0, 3], 10);
    assert_eq!(shown.told("lol.short"), ["lol.command needs 2 bytes, the capture holds 1 of them"]);
}

#[test]
fn what_a_full_frame_leaves_out_is_told_once_and_loses_nothing_else() {
    let bytes = container();
    let settings = Settings { build: "1.0.0.136".into(), ..Settings::default() };
    let shown = bare_with(&settings, 3, Server, (&bytes, bytes.len()), Tree::MOST_NODES as u32);
    let count = shown.items.len();
    assert!(count <= Tree::LEAST_NODES && shown.has("lol.match") && shown.has("lol.message.item"), "{count}");
    assert_eq!(shown.told("lol.tooMany"), ["Items past the first 45000 are left out"]);
    let whole = whole(3, &bytes);
    assert_eq!(shown.items[1..], whole.items[1..count], "labels of what was left out land nowhere");
    assert!(shown.items[0].text.ends_with(" …"), "{}", shown.items[0].text);
    assert_eq!(shown.info, whole.info);
    assert_eq!(shown.told("lol.unknown"), whole.told("lol.unknown"));
    assert!(shown
        .experts
        .iter()
        .all(|(_, _, node)| *node == u32::MAX || (*node as usize) < shown.items.len()));
    assert_eq!(whole.told("lol.tooMany"), [""; 0]);
}
