//! Short sessions in the header shapes other than the classic one.

use super::*;
use crate::support::messages::*;
use dissector_core::version::Build;

const LATER: Build = Build::new(1, 0, 0, 150);

/// Both ends register, with the version as the decimal code of a build.
pub(super) fn register(game: &mut Game, version: u32) {
    game.open();
    game.wait(380);
    let asked = messages::registration(game.key(), PLAYER, 0, Some(version));
    let asked = game.reliable(Client, 0, &asked);
    let moment = game.tell(Client, &asked);
    game.note(moment, format!("the client registers, in the clear, with version {version}"));
    game.wait(3);
    let answered = messages::registration(game.key(), PLAYER, 1, Some(version));
    let answered = game.reliable(Server, 0, &answered);
    game.tell(Server, &answered);
    game.wait(100);
}

/// A few messages of 1.0.0.150, one of them long.
fn play(game: &mut Game) {
    for count in 0..3_u8 {
        let x = 6700.0 + 90.0 * f32::from(count);
        let walk = Walk::new(CHAMPION, &[(x, 7000.0), (x + 90.0, 7025.0)]);
        let order = game.reliable(Client, 1, &move_order(LATER, 2, walk.points[1], 0, &walk));
        game.tell(Client, &order);
        game.wait(16);
        let sync = 20 + u32::from(count);
        let walk = if count == 2 { walk.token(1) } else { walk };
        let group = game.unreliable(Server, 4, &waypoint_group(LATER, sync, &[walk]));
        let moment = game.send(Server, &group);
        game.note(moment, format!("WaypointGroup {sync} (command 94)"));
        game.wait(8);
        let tokens: &[_] = if count == 2 { &[(CHAMPION, 1)] } else { &[] };
        let ack = game.unsequenced(Client, 1, &waypoint_ack(LATER, sync, tokens));
        game.send(Client, &ack);
        game.wait(240);
    }
    let how = fields! { "turnOverTime": 1, "unused": 0 };
    let turn = fields! { "towardX": 1.0, "towardY": 0.0, "towardZ": 0.0, "how": how, "turnTime": 0.25 };
    let turn = game.reliable(Server, 3, &message(LATER, "FaceDirection", RIVAL, 3, turn));
    game.tell(Server, &turn);
    for fragment in game.reliable(Server, 3, &long_message(2_100)) {
        game.tell(Server, std::slice::from_ref(&fragment));
    }
    pings(game);
    end(game);
}

/// compact.pcap.
pub fn compact() -> Story {
    let mut game = Game::new(HeaderVariant::Compact, CLIENT, SERVER, Some(KEY));
    register(&mut game, 10_000_150);
    play(&mut game);
    Story::told("compact.pcap", "A short session of 1.0.0.150 in compact headers.", &[KEY], vec![game])
}

/// prefixed.pcap.
pub fn prefixed() -> Story {
    let mut game = Game::new(HeaderVariant::Prefixed, CLIENT, SERVER, Some(KEY));
    register(&mut game, 10_000_150);
    play(&mut game);
    let blurb =
        "The messages of compact.pcap in prefixed headers. No such build wrote them: the shape is the story.";
    Story::told("prefixed.pcap", blurb, &[KEY], vec![game])
}

/// season8.pcap.
pub fn season8() -> Story {
    let mut game = Game::new(HeaderVariant::Season8, CLIENT, SERVER, Some(KEY));
    register(&mut game, 62_400_249);
    for count in 0..4_u8 {
        let asked = game.reliable(Client, 1, &other(0x72, CHAMPION, &[count; 21]));
        game.tell(Client, &asked);
        let stated = game.reliable(Server, 3, &other(0x0117, RIVAL, &[count; 12]));
        let moment = game.tell(Server, &stated);
        game.wait(100);
        let lost = game.unreliable(Server, 4, &other(0x61, 0, &[count; 30]));
        game.send(Server, &lost);
        game.wait(140);
        if count == 0 {
            game.note(
                moment,
                "an extended command, 279; no book reaches this build: number, net id and bytes are shown",
            );
        }
    }
    pings(&mut game);
    end(&mut game);
    let blurb = "A short session that registers as 6.24.0.249, which no book describes: only the client's datagrams have \
                 8 bytes in front.";
    Story::told("season8.pcap", blurb, &[KEY], vec![game])
}

/// What any game with ENet might say.
fn other_game(game: &mut Game) {
    game.open();
    for count in 0..4_u8 {
        let hello = game.reliable(Client, 0, format!("{{\"hello\":{count}}}").as_bytes());
        game.tell(Client, &hello);
        let place = game.unreliable(Server, 1, &[1, count, 0, 0, 0x20, 0x41, 0, 0, 0x80, 0x3F]);
        game.send(Server, &place);
        game.wait(50);
    }
}

/// stock.pcap.
pub fn stock() -> Story {
    let client = |port| endpoint(CLIENT.ip, port);
    let server = |port| endpoint(SERVER.ip, port);
    let mut checked = Game::new(HeaderVariant::StockChecksum, client(50_002), server(7_777), None).session(0);
    other_game(&mut checked);
    let fragments = checked.reliable(Server, 0, &[b'x'; 2_300]);
    for fragment in &fragments {
        checked.tell(Server, std::slice::from_ref(fragment));
    }
    pings(&mut checked);
    end(&mut checked);
    let mut plain = Game::new(HeaderVariant::Stock, client(50_003), server(7_778), None)
        .session(0)
        .beginning(checked.elapsed() + 2_000);
    other_game(&mut plain);
    // Peer 0, sent time, compressed; what follows only ENet's range coder could read.
    let mut packed = vec![0xC0, 0x00, 0x21, 0x07];
    packed.extend(Dice::new(13).bytes(41));
    let moment = plain.raw(Client, packed);
    plain.note(moment, "the compressed bit is set: the header is shown, the commands cannot be read");
    plain.wait(40);
    pings(&mut plain);
    end(&mut plain);
    let blurb = "Another game with stock ENet 1.3, nothing enciphered: first a session with checksums (ports 50002 and \
                 7777), then one without (50003 and 7778).";
    Story::told("stock.pcap", blurb, &[], vec![checked, plain])
}

/// packed.pcap.
pub fn packed() -> Story {
    let ends = |port| (endpoint(CLIENT.ip, port), endpoint(SERVER.ip, 17_091));
    let (client, server) = ends(50_004);
    let mut game = Game::new(HeaderVariant::StockChecksum, client, server, None).session(0).compressing();
    other_game(&mut game);
    game.note(
        0,
        "the client asks for a connection: the commands are compressed, the checksum is of what they open to",
    );
    let hello = game.reliable(Client, 0, br#"{"say":"hello","to":"everyone","and":"everyone else"}"#);
    let moment = game.tell(Client, &hello);
    game.note(moment, "a payload in compressed commands: `enet.payload` counts in the opened bytes");
    game.send(Client, &hello);
    game.wait(20);
    let mut last = 0;
    for fragment in game.reliable(Server, 0, &[b'x'; 2_300]) {
        last = game.tell(Server, std::slice::from_ref(&fragment));
    }
    game.note(last, "the last of 3 compressed fragments: here the payload of 2300 bytes is joined");
    let mut bytes = vec![0xC0, 0x00, 0x21, 0x07, 1, 2, 3, 4];
    bytes.extend(Dice::new(14).bytes(41));
    let moment = game.raw(Client, bytes);
    game.note(moment, "compressed, but not by the range coder: stays bytes");
    game.wait(40);
    pings(&mut game);
    end(&mut game);
    // Nobody answers: the client gives up before it was given a number.
    let (client, server) = ends(50_005);
    let mut alone = Game::new(HeaderVariant::StockChecksum, client, server, None)
        .session(0)
        .beginning(game.elapsed() + 2_000);
    let moment = alone.raw(Client, b"\x0F\xFF\xFF\xE0\x94\xD0\x44\xFF\x00\x02\0\0\0\0".to_vec());
    alone.note(moment, "a client without a number gives up: its checksum alone tells that it is ENet");
    let blurb = "Another game with stock ENet 1.3, checksums and ENet's range coder (ports 50004 and 17091), and a single \
                 datagram of a client that was never answered (50005).";
    Story::told("packed.pcap", blurb, &[], vec![game, alone])
}
