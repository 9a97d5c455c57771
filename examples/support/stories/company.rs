//! What stands beside a session: datagrams of others on its ports, copies, other ends, clocks that were set back.

use super::meetings::play;
use super::*;
use crate::support::messages::*;

/// A STUN message of this type with this attribute.
fn stun(kind: u16, attribute: &[u8]) -> Vec<u8> {
    let mut bytes = kind.to_be_bytes().to_vec();
    bytes.extend((attribute.len() as u16).to_be_bytes());
    bytes.extend([0x21, 0x12, 0xA4, 0x42]);
    bytes.extend(b"riftshark...");
    bytes.extend(attribute);
    bytes
}

/// company.pcap.
pub fn company() -> Story {
    let mut game =
        Game::new(HeaderVariant::Stock, endpoint(CLIENT.ip, 50_004), endpoint(SERVER.ip, 7_779), None)
            .session(0)
            .numbered(1);
    let talk = |game: &mut Game, count: u8| {
        let hello = game.reliable(Client, 0, format!("{{\"hello\":{count}}}").as_bytes());
        game.tell(Client, &hello);
        game.wait(40);
    };
    let other = |game: &mut Game, from, bytes: Vec<u8>, note: &str| {
        let moment = game.raw(from, bytes);
        game.note(moment, note);
        game.wait(20);
    };
    other(&mut game, Client, stun(1, &[]), "STUN before the connect");
    game.open();
    talk(&mut game, 1);
    other(&mut game, Client, stun(1, &[]), "STUN on the same ports: its first word would be peer 1");
    let address = [0, 0x20, 0, 8, 0, 1, 0xE2, 0x46, 0xE1, 0x12, 0xA6, 0x48];
    other(&mut game, Server, stun(0x0101, &address), "the answer of STUN");
    talk(&mut game, 2);
    other(&mut game, Client, b"hello world".to_vec(), "text: would be compressed commands of another peer");
    other(&mut game, Client, b"\xFF\xFF\xFF\xFFgetinfo xxx".to_vec(), "a query of another protocol");
    other(&mut game, Client, vec![0xFF, 0xFF, 1, 6], "a ping of a server list");
    let pong = vec![0xFF, 0xFF, 1, 6, 2, 0x81, 4, 1, 0, 0, b'h', b'i'];
    other(&mut game, Server, pong, "its answer: would be compressed commands without a peer");
    other(&mut game, Client, vec![0], "a keep-alive of one byte");
    other(&mut game, Client, vec![0; 4], "four zeros: a header of peer 0 and no command");
    other(&mut game, Client, vec![0x80, 9, 0x21, 7, 0x85, 0xFF, 0, 3], "a ping of another peer of ENet");
    talk(&mut game, 3);
    let cut = vec![0x80, 1, 0x21, 9, 0x86, 0, 0, 9, 0, 40, b'c', b'u', b't'];
    other(&mut game, Client, cut, "the session's own, but damaged: its payload ends too early");
    pings(&mut game);
    end(&mut game);
    let blurb = "Another game with stock ENet 1.3 (ports 50004 and 7779) that shares its ports: with STUN, a server list, \
                 keep-alives, another ENet peer.";
    Story::told("company.pcap", blurb, &[], vec![game])
}

/// refused.pcap.
pub fn refused() -> Story {
    let mut game = Game::new(HeaderVariant::Compact, CLIENT, SERVER, Some(KEY)).session(0xA7);
    let connect = game.connect();
    let moment = game.send(Client, &connect);
    game.note(moment, "the client asks for session 0xa7");
    game.rename(0x29);
    let verify = game.verify();
    game.wait(22);
    game.forget(Server);
    let moment = game.send(Server, &verify);
    game.note(moment, "the server grants one, in session 0x29: the client refuses it");
    game.rename(0xA7);
    game.forget(Client);
    game.wait(470);
    let moment = game.send(Client, &connect);
    game.note(moment, "the client asks again");
    game.rename(0x29);
    game.forget(Server);
    game.wait(22);
    let moment = game.send(Server, &verify);
    game.note(moment, "the server grants it again, in session 0x29");
    game.wait(500);
    let ping = game.ping(Server);
    let moment = game.send(Server, &ping);
    game.note(moment, "a ping in session 0x29: said already");
    let blurb = "A server with a fixed session that the client did not ask for, so that nothing comes about.";
    Story::told("refused.pcap", blurb, &[KEY], vec![game])
}

/// mirrored.pcap.
pub fn mirrored() -> Story {
    let mut game = classic();
    begin(&mut game, PLAYER);
    play(&mut game, CHAMPION, 900, 2);
    let walk = Walk::new(CHAMPION, &[(7070.0, 7220.0), (7200.0, 7300.0)]);
    let order = game.reliable(Client, 1, &move_order(BUILD, 2, walk.points[1], 0, &walk));
    game.lose(Client, &order);
    game.wait(480);
    let moment = game.tell(Client, &order);
    game.note(moment, "a MoveOrder sent again: a retransmission, and behind it its copy");
    pings(&mut game);
    end(&mut game);
    game.mirror(Client);
    let blurb =
        "A session of which every datagram of the client was captured twice, as a mirror port shows it.";
    Story::told("mirrored.pcap", blurb, &[KEY], vec![game])
}

/// jitter.pcap.
pub fn jitter() -> Story {
    let mut game =
        Game::new(HeaderVariant::Stock, endpoint(CLIENT.ip, 50_005), endpoint(SERVER.ip, 7_780), None)
            .session(0);
    game.open();
    let fragments = game.unreliable_fragments(Server, 1, &[b'x'; 2_300]);
    for (place, note) in [
        (2, "fragment 3 of 3 comes first"),
        (0, "fragment 1 of 3"),
        (0, "fragment 1 of 3 once more"),
        (1, "fragment 2 of 3: the message is complete"),
        (2, "fragment 3 of 3 once more, after the message was complete"),
    ] {
        // A message of its own beside each, so that no two datagrams are the same.
        let beside = game.unsequenced(Server, 2, &[place as u8; 3]);
        let moment = game.send(Server, &[&fragments[place..=place], &beside].concat());
        game.note(moment, note);
        game.wait(7);
    }
    pings(&mut game);
    end(&mut game);
    let blurb = "Another game with stock ENet 1.3 (ports 50005 and 7780): unreliable fragments in disorder, two sent twice.";
    Story::told("jitter.pcap", blurb, &[], vec![game])
}

/// backwards.pcap.
pub fn backwards() -> Story {
    let mut game = classic();
    begin(&mut game, PLAYER);
    let walk = Walk::new(CHAMPION, &[(7070.0, 7220.0), (7200.0, 7300.0)]);
    let order = game.reliable(Client, 1, &move_order(BUILD, 2, walk.points[1], 0, &walk));
    game.send(Client, &order);
    let moment = game.hear(Server);
    game.misstamp(moment, 40_000);
    game.note(moment, "the acknowledgement of a MoveOrder, stamped before it");
    game.wait(20);
    let group = game.unreliable(Server, 4, &waypoint_group(BUILD, 950, &[walk]));
    game.send(Server, &group);
    game.wait(6);
    let ack = game.unsequenced(Client, 1, &waypoint_ack(BUILD, 950, &[]));
    let moment = game.send(Client, &ack);
    game.misstamp(moment, 40_000);
    game.note(moment, "a WaypointAck, stamped before the group it answers");
    play(&mut game, CHAMPION, 951, 1);
    end(&mut game);
    let blurb = "A capture in which the time of two frames runs back, as where the clock was set or files were merged.";
    Story::told("backwards.pcap", blurb, &[KEY], vec![game])
}

/// moved.pcap.
pub fn moved() -> Story {
    let mut game = classic();
    begin(&mut game, PLAYER);
    play(&mut game, CHAMPION, 970, 2);
    pings(&mut game);
    game.relocate(Client, endpoint([203, 0, 113, 7], 61_000));
    let walk = Walk::new(CHAMPION, &[(7070.0, 7220.0), (7200.0, 7300.0)]);
    let order = game.reliable(Client, 1, &move_order(BUILD, 2, walk.points[1], 0, &walk));
    let moment = game.tell(Client, &order);
    game.note(moment, "the client is 203.0.113.7:61000 from here on, and its numbers go on");
    game.wait(90);
    play(&mut game, CHAMPION, 972, 2);
    pings(&mut game);
    end(&mut game);
    let blurb = "A session whose client gets another address and port in the middle, as behind NAT.";
    Story::told("moved.pcap", blurb, &[KEY], vec![game])
}
