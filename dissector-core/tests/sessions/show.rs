//! What of a datagram is shown: its nodes, its expert items and its Info line, whole or cut.

use dissector_core::capture::{Detail, Settings};
use dissector_core::enet::wire::write::Outgoing;
use dissector_core::enet::wire::{id, HeaderVariant, ACKNOWLEDGE};
use dissector_core::fields::enet::Field;
use dissector_core::tree::Tree;

use crate::lab::{packet, passes, read, show, shown, Run, Shown, BAD, GOOD, MS, UNVERIFIED};
use crate::wire::{built, group, keyed, Client, Server, Talk};

fn stock() -> Talk {
    let mut talk = Talk::new(HeaderVariant::Stock);
    talk.open();
    talk
}

/// What the last frame of a talk shows: the same in both passes.
fn last(talk: &Talk) -> Shown {
    let (one, two) = passes(&Settings::default(), &talk.frames);
    assert_eq!(one.last(), two.last());
    two.last().cloned().flatten().expect("a frame of a session")
}

/// The nodes of all frames from a node on: of its name, and what stands under or behind it.
fn outline_from(shown: &Shown, name: &str) -> Vec<String> {
    let outline = shown.outline();
    let at = outline.iter().position(|line| line.contains(name)).expect("a node of that name");
    outline[at..].iter().map(|line| line.trim().to_owned()).collect()
}

#[test]
fn a_datagram_is_shown_with_all_its_fields() {
    let mut talk = Talk { peers: [5, 6], session: 2, ..Talk::new(HeaderVariant::Stock) };
    talk.open();
    let command = Outgoing::reliable(3, 0x0102, b"order");
    let bytes = talk.bytes(Client, 0x0A0B, vec![Outgoing::acknowledge(0xFF, 7, 8), command]);
    talk.capture(Client, bytes);
    let wanted = [
        "enet 0 +0/23 , session 0x02, 2 commands",
        "  [enet.stream] 0",
        "  [enet.shape] 0 stock",
        "  enet.flags.sentTime 1 +0/2:15/1",
        "  enet.flags.compressed 0 +0/2:14/1",
        "  enet.sessionID 2 +0/2:12/2",
        "  enet.peerID 5 +0/2:0/12",
        "  enet.sentTime 2571 +2/2",
        "  enet.command.item 0 +4/8 : acknowledge 7",
        "    enet.command 1 +4/1:0/4",
        "    enet.command.acknowledge 0 +4/1:7/1",
        "    enet.command.unsequenced 0 +4/1:6/1",
        "    enet.channelID 255 +5/1",
        "    enet.reliableSequenceNumber 7 +6/2",
        "    enet.receivedReliableSequenceNumber 7 +8/2",
        "    enet.receivedSentTime 8 +10/2",
        "  enet.command.item 0 +12/11 : sendReliable, channel 3, 5 bytes",
        "    enet.command 6 +12/1:0/4",
        "    enet.command.acknowledge 1 +12/1:7/1",
        "    enet.command.unsequenced 0 +12/1:6/1",
        "    enet.channelID 3 +13/1",
        "    enet.reliableSequenceNumber 258 +14/2",
        "    enet.dataLength 5 +16/2",
        "    enet.payload 0 +18/5",
    ];
    assert_eq!(last(&talk).outline(), wanted);
}

#[test]
fn what_the_session_knows_of_a_command_stands_behind_its_fields() {
    let mut talk = stock();
    let sent = (talk.now / MS) as u16;
    talk.reliable(Server, 3, 1, b"a");
    let again = talk.reliable(Server, 3, 1, b"a");
    let gap = talk.reliable(Server, 3, 4, b"d");
    let late = talk.reliable(Server, 3, 3, b"c");
    let ack = talk.send(Client, vec![Outgoing::acknowledge(3, 1, sent)]);
    talk.send(Server, vec![Outgoing::unreliable(3, 4, 1, b"x"), Outgoing::unreliable(3, 4, 1, b"x")]);
    let two = read(&Settings::default(), &talk.frames);
    let all = shown(&two);
    let known = |at: usize| {
        let generated = |line: &String| line.starts_with("    [");
        let lines = all[at].outline().into_iter().filter(generated);
        lines.map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    let frame = |at: usize| at + 1;
    assert_eq!(
        known(again),
        [
            format!("[enet.ackedIn] {}", frame(ack)),
            "[enet.retransmission] 1".into(),
            format!("[enet.retransmissionOf] {}", frame(again) - 1)
        ]
    );
    assert_eq!(known(gap), ["[enet.gap] 1"]);
    assert_eq!(known(late), ["[enet.outOfOrder] 1"]);
    assert_eq!(known(ack), [format!("[enet.ackTo] {}", frame(again) - 1), format!("[enet.rtt] {}", 4 * MS)]);
    assert_eq!(known(ack + 1), ["[enet.duplicate] 1"]);
    for (at, expert) in [(again, "enet.retransmitted"), (gap, "enet.missing")] {
        let items: Vec<_> = all[at].experts.iter().map(|(name, _, node)| (*name, *node as usize)).collect();
        let item = all[at].items.iter().position(|item| item.name == "enet.command.item").unwrap();
        assert_eq!(items, [(expert, item)], "it is told of the command");
    }
}

#[test]
fn the_info_line_counts_commands_that_are_alike() {
    let mut talk = stock();
    let acks = [7, 8, 9].map(|number| Outgoing::acknowledge(0xFF, number, 5));
    talk.send(Client, [&acks[..], &[Outgoing::ping(2)]].concat());
    assert_eq!(last(&talk).info, "acknowledge ×3, ping");
    talk.send(Client, vec![Outgoing::ping(3), acks[0].clone()]);
    assert_eq!(last(&talk).info, "ping, acknowledge 7");
    talk.send(Client, vec![Outgoing::ping(2), acks[0].clone(), Outgoing::ping(2), Outgoing::ping(2)]);
    assert_eq!(last(&talk).info, "[retransmission] ping, acknowledge 7, ping ×2");
    talk.send(Client, vec![Outgoing::reliable(2, 1, b"abc"), Outgoing::unsequenced(2, 1, b"de")]);
    assert_eq!(last(&talk).info, "sendReliable on channel 2, 3 bytes, sendUnsequenced on channel 2, 2 bytes");
}

#[test]
fn each_payload_of_a_datagram_is_read_and_tagged_for_itself() {
    let mut talk = Talk::enciphered(HeaderVariant::Classic);
    talk.open();
    talk.register();
    let payloads = [1, 2].map(|sync| talk.sealed(&group(sync)));
    talk.send(Server, vec![Outgoing::reliable(3, 1, &payloads[0])]);
    let commands = vec![
        Outgoing::acknowledge(3, 1, 7),
        Outgoing::reliable(3, 1, &payloads[0]),
        Outgoing::reliable(3, 2, &payloads[1]),
        Outgoing::reliable(3, 2, &payloads[1]),
    ];
    let at = talk.send(Server, commands);
    let (one, two) = passes(&built(keyed()), &talk.frames);
    for pass in [&one, &two] {
        let shown = shown(pass)[at];
        let parts: Vec<_> = shown.info.split("; ").map(|part| part.split("Group").next().unwrap()).collect();
        assert_eq!(parts, ["[retransmission] Waypoint", "Waypoint", "[retransmission] Waypoint"]);
        assert_eq!(shown.values("waypoint.syncId"), [1, 2, 2]);
        let spans: Vec<_> =
            shown.payloads.iter().map(|span| (span.offset, span.channel, span.league)).collect();
        // header 8, acknowledgement 8, then each command of 6 and 11 bytes
        assert_eq!(spans, [(22, 3, 1), (39, 3, 1), (56, 3, 1)]);
        assert!(shown.league);
    }
}

#[test]
fn payloads_of_the_game_are_left_to_others_where_the_user_says_so() {
    let mut talk = Talk::enciphered(HeaderVariant::Classic);
    talk.open();
    talk.register();
    let at = talk.reliable(Server, 3, 1, &group(1));
    let empty = talk.reliable(Server, 3, 2, b"");
    let frames = &talk.frames;
    let spans = |settings: &Settings, at: usize| {
        let two = read(settings, frames);
        let shown = shown(&two)[at];
        let spans: Vec<_> =
            shown.payloads.iter().map(|span| (span.length, span.league, span.clear)).collect();
        (shown.league, spans, shown.has("lol"))
    };
    assert_eq!(spans(&keyed(), at), (true, vec![(11, 1, 1)], true));
    assert_eq!(spans(&Settings { without_league: true, ..keyed() }, at), (false, vec![(11, 0, 1)], false));
    assert_eq!(spans(&Settings::default(), at).1, [(11, 1, 0)], "it cannot be read without a key");
    assert_eq!(spans(&keyed(), empty), (false, vec![(0, 0, 1)], false), "there is nothing to read");
    let empty = read(&keyed(), frames)[empty].clone().unwrap();
    assert_eq!((empty.info.as_str(), empty.has("enet.payload")), ("sendReliable on channel 3", false));
}

#[test]
fn a_compressed_datagram_is_shown_as_bytes() {
    let mut talk = stock();
    talk.capture(Server, vec![0xD0, 0, 0, 9, 1, 2, 3, 4, 5]);
    let shown = last(&talk);
    assert_eq!(
        outline_from(&shown, "compressedData"),
        ["enet.compressedData 0 +4/5", "[enet.compressedSize] 5"]
    );
    let text =
        "The commands of this datagram are compressed, and not by ENet's own range coder: shown as bytes";
    let node = shown.items.iter().position(|item| item.name == "enet.compressedData").unwrap();
    assert_eq!((shown.told("enet.compressed"), shown.experts[0].2 as usize), (vec![text], node));
    assert_eq!(shown.info, "compressed commands, 5 bytes");
}

#[test]
fn a_checksum_is_made_with_the_number_of_the_connection() {
    let mut talk = Talk::new(HeaderVariant::StockChecksum);
    talk.open();
    talk.reliable(Client, 5, 1, b"one");
    let wrong = talk.reliable(Client, 5, 2, b"two");
    talk.frames[wrong].bytes[16] ^= 1;
    talk.capture(Server, vec![0xD0, 0, 0, 9, 1, 2, 3, 4, 5, 6]);
    let cut = talk.reliable(Client, 5, 3, b"three");
    talk.frames[cut].bytes.pop();
    let (one, two) = passes(&Settings::default(), &talk.frames);
    for pass in [&one, &two] {
        let status: Vec<_> = shown(pass).iter().map(|shown| shown.values("enet.checksum.status")).collect();
        // with a connect that asks, nobody has a number yet; of a part of a datagram nothing is known
        let wanted = [vec![GOOD], vec![GOOD], vec![GOOD], vec![GOOD], vec![BAD], vec![UNVERIFIED], vec![]];
        assert_eq!(status, wanted);
        let text = "The checksum does not fit: a receiver drops this datagram";
        assert_eq!(shown(pass)[wrong].told("enet.checksum.bad"), [text]);
        assert_eq!(shown(pass).iter().filter(|shown| !shown.told("enet.checksum.bad").is_empty()).count(), 1);
    }
    let status = &shown(&two)[0].all("enet.checksum.status")[0];
    assert_eq!(status.place, (1, 2, 4, 4), "it is of the checksum's bytes");
}

#[test]
fn without_the_connect_sums_that_agree_or_the_grant_are_enough() {
    let opened = || {
        let mut talk = Talk { session: 1, ..Talk::new(HeaderVariant::StockChecksum) };
        let verify = Outgoing::verify_connect(talk.opening());
        talk.send(Server, vec![verify]);
        talk
    };
    let chat = |talk: &mut Talk| {
        talk.reliable(Client, 5, 1, b"one");
        talk.reliable(Server, 5, 1, b"two");
        talk.reliable(Client, 5, 2, b"three");
    };
    let status = |talk: &Talk| {
        let (_, two) = passes(&Settings::default(), &talk.frames);
        shown(&two).iter().flat_map(|shown| shown.values("enet.checksum.status")).collect::<Vec<_>>()
    };
    let mut talk = Talk { session: 1, ..Talk::new(HeaderVariant::StockChecksum) };
    chat(&mut talk);
    assert_eq!(status(&talk), [GOOD; 3]);
    // whoever sums otherwise than ENet does cannot be told from one whose sums are wrong
    let mut talk = Talk { session: 1, ..Talk::new(HeaderVariant::StockChecksum) };
    chat(&mut talk);
    for (place, frame) in talk.frames.iter_mut().enumerate() {
        frame.bytes[4..8].copy_from_slice(&[place as u8; 4]);
    }
    assert_eq!(status(&talk), [UNVERIFIED; 3]);
    let mut talk = opened();
    chat(&mut talk);
    assert_eq!(status(&talk), [GOOD; 4]);
    // another program's grant may state another number than it was asked with
    let mut talk = Talk::new(HeaderVariant::StockChecksum);
    let connect = Outgoing::connect(talk.opening());
    talk.send(Client, vec![connect]);
    talk.connect_id = 0x1234;
    let verify = Outgoing::verify_connect(talk.opening());
    talk.send(Server, vec![verify]);
    chat(&mut talk);
    assert_eq!(status(&talk)[2..], [GOOD; 3]);
}

#[test]
fn an_unknown_command_ends_what_is_shown_of_a_datagram() {
    let mut talk = Talk::new(HeaderVariant::Classic);
    talk.open();
    let mut bytes = talk.bytes(Server, 7, vec![Outgoing::ping(2)]);
    bytes.extend([0x0D, 5, 0, 9, 1, 2, 3]);
    talk.capture(Server, bytes);
    let shown = last(&talk);
    assert_eq!(shown.values("enet.command"), [5, 13]);
    let wanted = [
        "enet.command.item 0 +12/7 : unknown, channel 5",
        "enet.command 13 +12/1:0/4",
        "enet.command.acknowledge 0 +12/1:7/1",
        "enet.command.unsequenced 0 +12/1:6/1",
        "enet.channelID 5 +13/1",
        "enet.reliableSequenceNumber 9 +14/2",
        "enet.payload 0 +16/3",
    ];
    assert_eq!(outline_from(&shown, "unknown"), wanted);
    let payload = shown.all("enet.payload")[0];
    assert_eq!(payload.place.0, 1, "it is of the datagram");
    let text = "enet.command is 13, which is no command of this header shape";
    assert_eq!(shown.told("enet.malformed"), [text]);
    assert_eq!(shown.items[shown.experts[0].2 as usize].text, ": unknown, channel 5");
    assert_eq!(shown.info, "[malformed]");
}

#[test]
fn a_command_that_asks_without_a_sent_time_is_the_last_that_a_receiver_takes() {
    let mut talk = stock();
    let mut bytes = talk.bytes(Server, 7, vec![Outgoing::ping(2), Outgoing::ping(3)]);
    bytes.drain(2..4);
    bytes[0] &= 0x7F;
    talk.capture(Server, bytes);
    let shown = last(&talk);
    assert_eq!(shown.values("enet.command"), [5], "what follows is not read");
    let text =
        "enet.sentTime is missing although the command before asks to be acknowledged: a receiver stops here";
    assert_eq!((shown.told("enet.malformed"), shown.experts[0].2), (vec![text], 0));
    assert_eq!(outline_from(&shown, "enet.payload"), ["enet.payload 0 +6/4"]);
    assert_eq!(shown.info, "[malformed]");
}

/// What a ping and a reliable command of 5 bytes show, of which the capture holds so many bytes: or the wire.
fn cut(held: usize, on_the_wire: bool) -> Shown {
    let mut talk = stock();
    let at = talk.send(Server, vec![Outgoing::ping(2), Outgoing::reliable(3, 1, b"order")]);
    let frame = &mut talk.frames[at];
    assert_eq!(frame.bytes.len(), 19);
    frame.bytes.truncate(held);
    if on_the_wire {
        frame.reported = held;
    }
    last(&talk)
}

#[test]
fn of_a_datagram_that_was_cut_all_that_is_there_is_shown() {
    let shown = cut(16, false);
    assert_eq!(shown.told("enet.short"), [""; 0], "its payload tells for itself");
    assert_eq!(outline_from(&shown, "enet.payload"), ["enet.payload 0 +14/2"]);
    assert_eq!(shown.all("enet.command.item")[1].place, (1, 32, 8, 8), "as much as was captured");
    let span = shown.payloads[0];
    assert_eq!((span.length, span.reported), (2, 5));

    let shown = cut(14, false);
    assert!(!shown.has("enet.payload"), "nothing of it is there");

    let shown = cut(13, false);
    assert_eq!(shown.told("enet.short"), ["enet.dataLength needs 2 bytes, the capture holds 1"]);
    assert_eq!(outline_from(&shown, "enet.payload"), ["enet.payload 0 +12/1"]);
    assert_eq!(shown.items[shown.experts[0].2 as usize].text, ": sendReliable, channel 3");
    assert_eq!((shown.info.as_str(), shown.payloads.len()), ("[cut short]", 0));

    let shown = cut(8, false);
    assert_eq!(shown.told("enet.short"), ["enet.command needs 1 bytes, the capture holds 0"]);
    assert_eq!((shown.experts[0].2, shown.has("enet.payload")), (0, false));
    assert_eq!(shown.values("enet.command"), [5]);
}

#[test]
fn a_datagram_that_ends_too_early_on_the_wire_is_malformed() {
    let shown = cut(16, true);
    assert_eq!(shown.told("enet.malformed"), ["enet.payload needs 5 bytes, there are 2"]);
    assert_eq!(outline_from(&shown, "enet.payload"), ["enet.payload 0 +14/2"], "once");
    assert_eq!(shown.info, "[malformed]");
    let shown = cut(13, true);
    assert_eq!(shown.told("enet.malformed"), ["enet.dataLength needs 2 bytes, there are 1"]);
    let shown = cut(3, false);
    assert_eq!(shown.told("enet.short"), ["enet.sentTime needs 2 bytes, the capture holds 1"]);
    assert_eq!((shown.has("enet.peerID"), shown.experts[0].2), (false, 0));
}

#[test]
fn items_past_what_a_packet_may_show_are_left_out_and_told() {
    let mut talk = stock();
    talk.send(Client, (1..=4).map(|sequence| Outgoing::reliable(1, sequence, b"order")).collect());
    let mut run = Run::new(&Settings::default(), Detail::Tree);
    let all = run.pass(&talk.frames, false).pop().flatten().expect("a datagram").items.len();
    assert!(all > Tree::LEAST_NODES, "{all} items");
    let frame = talk.frames.last().unwrap();
    for (room, kept) in [(all - 1, all - 1), (all, all), (0, Tree::LEAST_NODES)] {
        let mut packet = packet(frame, &frame.bytes, frame.reported, Detail::Tree, true);
        packet.nodes_before = (Tree::MOST_NODES - room) as u32;
        let output = run.engine.datagram(&packet).expect("a frame of a session");
        let shown = show(output, &frame.bytes);
        let text = format!("Items past the first {} are left out", Tree::MOST_NODES);
        let wanted = if kept < all { vec![text.as_str()] } else { vec![] };
        assert_eq!(shown.told("lol.tooMany"), wanted, "room for {room}");
        assert_eq!(shown.items.len(), kept);
    }
}

#[test]
fn a_command_is_shown_as_any_other_whatever_its_flags() {
    let mut talk = stock();
    let fields = vec![(Field::Data, 9)];
    let odd =
        Outgoing { flags: id::DISCONNECT | ACKNOWLEDGE | 0x40, channel: 4, sequence: 2, fields, data: &[] };
    talk.send(Server, vec![odd]);
    let shown = last(&talk);
    assert_eq!(shown.values("enet.command.acknowledge"), [1]);
    assert_eq!(shown.values("enet.command.unsequenced"), [1]);
    assert_eq!(
        (shown.texts("enet.command.item"), shown.values("enet.data")),
        (vec![": disconnect, channel 4"], vec![9])
    );
}
