//! Who meets whom: reconnects, two clients, captures that begin late, ends that are gone, captures cut short.

use super::*;
use crate::support::messages::*;

/// A few orders and what they bring about, with sync ids from `sync` on.
pub(super) fn play(game: &mut Game, unit: u32, sync: u32, rounds: u32) {
    for count in 0..rounds {
        let from = (6950.0 + 60.0 * count as f32, 7150.0 + 35.0 * count as f32);
        let walk = Walk::new(unit, &[from, (from.0 + 60.0, from.1 + 35.0)]);
        let order = game.reliable(Client, 1, &move_order(BUILD, 2, walk.points[1], 0, &walk));
        game.tell(Client, &order);
        game.wait(15);
        let group = game.unreliable(Server, 4, &waypoint_group(BUILD, sync + count, &[walk]));
        game.send(Server, &group);
        game.wait(8);
        let ack = game.unsequenced(Client, 1, &waypoint_ack(BUILD, sync + count, &[]));
        game.send(Client, &ack);
        game.wait(260);
    }
}

/// reconnect.pcap.
pub fn reconnect() -> Story {
    let mut first = classic();
    begin(&mut first, PLAYER);
    play(&mut first, CHAMPION, 100, 2);
    pings(&mut first);
    end(&mut first);
    let mut second = Game::new(HeaderVariant::Classic, CLIENT, SERVER, Some(SECOND_KEY))
        .beginning(first.elapsed() + 8_000);
    begin(&mut second, PLAYER);
    second.note(
        0,
        "the second session: same ports, same session id, another key, every number from the beginning",
    );
    play(&mut second, RIVAL, 100, 2);
    pings(&mut second);
    end(&mut second);
    let blurb = "Two sessions one after another between the same ports, with the same session id; the second has another \
                 key, and its sync ids and numbers begin anew.";
    Story::told("reconnect.pcap", blurb, &[KEY, SECOND_KEY], vec![first, second])
}

/// two-clients.pcap.
pub fn two_clients() -> Story {
    let mut one = classic();
    let neighbour = endpoint([192, 0, 2, 11], 50_000);
    let mut two =
        Game::new(HeaderVariant::Classic, neighbour, SERVER, Some(SECOND_KEY)).numbered(1).beginning(130);
    begin(&mut one, PLAYER);
    begin(&mut two, PLAYER + 1);
    two.note(0, "the second client, 192.0.2.11; the server calls it peer 1 and both clients peer 0 in its own headers");
    play(&mut one, CHAMPION, 300, 3);
    play(&mut two, RIVAL, 300, 3);
    for game in [&mut one, &mut two] {
        pings(game);
        end(game);
    }
    let blurb = "Two clients (192.0.2.10 and 192.0.2.11) with a key each on one server port, at the same time; the server \
                 uses the same sync ids towards both.";
    Story::told("two-clients.pcap", blurb, &[KEY, SECOND_KEY], vec![one, two])
}

/// mid-session.pcap.
pub fn mid_session() -> Story {
    let mut game = classic();
    for (end, channel, used) in [(Client, 1, 211), (Server, 3, 4_730), (Client, 8, 61), (Server, 8, 63)] {
        game.used(end, channel, used);
    }
    game.clock(Client, 31_000);
    game.clock(Server, 35_100);
    let group = game.unreliable(
        Server,
        4,
        &waypoint_group(BUILD, 2_239, &[Walk::new(RIVAL, &[(7100.0, 7300.0), (7000.0, 7260.0)])]),
    );
    let moment = game.send(Server, &group);
    game.note(
        moment,
        "no connect was seen: the shape, who is the server, the key and the build have to be found out",
    );
    game.wait(9);
    let ack = game.unsequenced(Client, 1, &waypoint_ack(BUILD, 2_239, &[]));
    game.send(Client, &ack);
    play(&mut game, CHAMPION, 2_240, 4);
    let effects = together(&[
        effect_added(BUILD, CHAMPION, 2, 105_475_752, 15.0),
        effect_added(BUILD, RIVAL, 2, 105_475_752, 15.0),
    ]);
    let effects = game.reliable(Server, 3, &effects);
    let moment = game.tell(Server, &effects);
    game.note(moment, "a container: under a wrong key it would not come out even");
    pings(&mut game);
    play(&mut game, CHAMPION, 2_244, 2);
    let blurb = "A capture that begins and ends in the middle of a session, with both directions.";
    Story::told("mid-session.pcap", blurb, &[KEY], vec![game])
}

/// icmp.pcap.
pub fn icmp() -> Story {
    let mut game = classic();
    begin(&mut game, PLAYER);
    play(&mut game, CHAMPION, 40, 2);
    pings(&mut game);
    let walk = Walk::new(CHAMPION, &[(7070.0, 7220.0), (7200.0, 7300.0)]);
    let order = game.reliable(Client, 1, &move_order(BUILD, 2, walk.points[1], 0, &walk));
    let moment = game.lose(Client, &order);
    game.note(moment, "the server is gone when this MoveOrder arrives");
    let moment = game.unreachable(moment);
    game.note(moment, "ICMP port unreachable, quoting the datagram before: shown, and counted nowhere");
    game.wait(500);
    let moment = game.lose(Client, &order);
    game.note(moment, "the order again");
    game.unreachable(moment);
    Story::told("icmp.pcap", "A session whose server vanishes.", &[KEY], vec![game])
}

/// short.pcap.
pub fn short() -> Story {
    let mut game = classic();
    begin(&mut game, PLAYER);
    play(&mut game, CHAMPION, 60, 2);
    let long = [(6950.0, 7150.0), (6990.0, 7400.0), (7300.0, 7420.0), (7320.0, 7900.0), (7700.0, 7990.0)];
    let group = [Walk::new(RIVAL, &long), Walk::new(CHAMPION, &long), Walk::new(MINION, &long)];
    let group = waypoint_group(BUILD, 62, &group);
    let made = game.unreliable(Server, 4, &group);
    let moment = game.send(Server, &made);
    let note =
        format!("WaypointGroup 62: of its {} bytes 40 were kept, so it is short, not malformed", group.len());
    game.note(moment, note);
    game.wait(10);
    let ack = game.unsequenced(Client, 1, &waypoint_ack(BUILD, 62, &[]));
    game.send(Client, &ack);
    for fragment in game.reliable(Server, 3, &long_message(2_500)) {
        game.tell(Server, std::slice::from_ref(&fragment));
    }
    pings(&mut game);
    end(&mut game);
    let blurb = "A session of which the capture kept 96 bytes of each frame.";
    Story::cut("short.pcap", blurb, &[KEY], vec![game], Capture::snapped(96))
}
