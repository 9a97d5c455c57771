//! Follow: the messages of a session as text.

use crate::lab::{Call, Lab};
use crate::{KEY, SECOND_KEY};

/// The blocks of a followed stream: which end sends (0 the client), and the lines.
fn blocks(out: &str) -> Vec<(u8, Vec<String>)> {
    let body = out.split("Node 1: ").nth(1).expect("two ends").split_once('\n').expect("a heading").1;
    let mut blocks: Vec<(u8, Vec<String>)> = Vec::new();
    let mut left = 0;
    for line in body.lines().take_while(|line| !line.starts_with("====")).filter(|line| !line.is_empty()) {
        if left == 0 {
            left = line.trim().parse().expect("how many bytes follow");
            blocks.push((line.starts_with('\t').into(), Vec::new()));
            continue;
        }
        left -= line.len() + 1;
        blocks.last_mut().expect("a block has begun").1.push(line.to_owned());
    }
    blocks
}

fn follow<'l>(call: Call<'l>, what: &str) -> Call<'l> {
    call.args(&["-q", "-z", &format!("follow,{what}")])
}

/// The same text as the Info column has it, in plain ASCII.
fn plain(info: &str) -> String {
    info.replace('→', "->").replace('×', "x").replace('…', "...")
}

#[test]
fn a_session_is_told_message_by_message_and_by_direction() {
    let Some(lab) = Lab::new() else { return };
    let capture = lab.capture("two-clients.pcap");
    let keys = format!("{KEY},{SECOND_KEY}");
    let call = || lab.tshark(&capture).args(&["-2"]).key(&keys);
    let out = follow(call(), "lol,ascii,1").clean();
    for line in [
        "Follow: lol,ascii",
        "Filter: lol.session == 1",
        "Node 0: 192.0.2.11:50000",
        "Node 1: 198.51.100.20:5119",
    ] {
        assert!(out.lines().any(|other| other == line), "{line}\n{out}");
    }
    // every frame of this story holds one message, which its Info line tells
    let names = ["frame.number", "frame.time_relative", "lol.sender", "_ws.col.Info"];
    let start = call().args(&["-Y", "frame.number == 4"]).fields(&names[1..2]);
    let begun: f64 = start[0][0].parse().unwrap();
    let rows = call().args(&["-Y", "lol.session == 1"]).fields(&names);
    let expected: Vec<_> = rows
        .iter()
        .map(|row| {
            let time = row[1].parse::<f64>().unwrap() - begun;
            let what = plain(&row[3]);
            (u8::from(row[2] == "server"), format!("{time:.6} #{} {} {what}", row[0], row[2]))
        })
        .collect();
    let told = blocks(&out);
    assert_eq!(told.len(), expected.len());
    for ((end, lines), (from, line)) in told.iter().zip(&expected) {
        assert_eq!((end, lines), (from, &vec![line.clone()]));
    }
    assert!(told.len() == 12, "{}", told.len());
}

#[test]
fn the_messages_of_a_container_are_one_block_of_lines() {
    let Some(lab) = Lab::new() else { return };
    let out = follow(lab.tshark(&lab.capture("session.pcap")).key(KEY), "lol,ascii,0").clean();
    let told = blocks(&out);
    let container: Vec<_> = told.iter().filter(|(_, lines)| lines[0].contains(" #39 ")).collect();
    assert_eq!(container.len(), 1);
    let (end, lines) = container[0];
    assert_eq!((*end, lines.len()), (1, 6));
    assert!(lines.iter().all(|line| line.contains(" #39 server ")));
    assert_eq!(lines.iter().filter(|line| line.contains("server EffectAdded ")).count(), 3, "{lines:?}");
    // what was put together from fragments
    let joined =
        told.iter().find(|(_, lines)| lines[0].contains(" #19 server ")).expect("a message of fragments");
    assert!(
        joined.1[0].contains("[SynchVersionS2C]") && joined.1[0].contains("4412 bytes"),
        "{:?}",
        joined.1
    );
    // the same by its ends
    let by_ends = follow(
        lab.tshark(&lab.capture("session.pcap")).key(KEY),
        "lol,ascii,192.0.2.10:50000,198.51.100.20:5119",
    );
    assert_eq!(blocks(&by_ends.clean()), told);
}

#[test]
fn what_was_sent_again_is_told_once() {
    let Some(lab) = Lab::new() else { return };
    let call = || lab.tshark(&lab.capture("retransmission.pcap")).args(&["-2"]).key(KEY);
    let again = call().frames("enet.retransmission && lol.message");
    let out = follow(call(), "lol,ascii,0").clean();
    assert!(!again.is_empty());
    for frame in again {
        assert!(!out.contains(&format!(" #{frame} ")), "{frame}");
    }
    assert!(out.contains("client MoveOrder "), "{out}");
}

#[test]
fn without_a_key_there_are_bytes_to_count() {
    let Some(lab) = Lab::new() else { return };
    let out = follow(lab.tshark(&lab.capture("session.pcap")), "lol,ascii,0").clean();
    assert!(out.contains(" #8 client [enciphered] "), "{out}");
    // no other session is there
    let none = follow(lab.tshark(&lab.capture("session.pcap")).key(KEY), "lol,ascii,7").clean();
    assert!(none.contains("Filter: lol.session == 7") && !none.contains('#'), "{none}");
}

#[test]
fn a_stream_of_bytes_can_be_asked_for_as_hex() {
    let Some(lab) = Lab::new() else { return };
    let out = follow(lab.tshark(&lab.capture("session.pcap")).key(KEY), "lol,hex,0").clean();
    assert!(out.contains("00000000  30 2e 34"), "{out}");
    assert!(out.contains("0.426898"), "the text beside its bytes");
}

#[test]
fn bedrock_is_told_packet_by_packet() {
    let Some(lab) = Lab::new() else { return };
    let out = follow(lab.tshark(&lab.capture("bedrock.pcap")), "bedrock,ascii,0").clean();
    let told = blocks(&out);
    assert!(out.contains("Filter: bedrock.session == 0"), "{out}");
    assert_eq!(told[0], (0, vec!["0.000000 #8 client RequestNetworkSettings, 4 bytes".to_owned()]));
    assert_eq!(told[1], (1, vec!["0.005000 #9 server NetworkSettings, 10 bytes".to_owned()]));
    let moved = told.iter().find(|(_, lines)| lines[0].contains(" #13 ")).expect("frame 13");
    assert_eq!(moved.1.len(), 3);
    assert_eq!(moved.1[0], "0.025000 #13 server MoveActorDelta 2 y=70.5 z=-3");
}
