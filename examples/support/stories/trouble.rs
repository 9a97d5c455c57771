//! Networks at work: datagrams lost, doubled, out of order, and numbers that wrap.

use super::*;
use crate::support::game::Made;
use crate::support::messages::*;

fn step(number: f32) -> [(f32, f32); 2] {
    [(7000.0 + 40.0 * number, 7200.0), (7040.0 + 40.0 * number, 7200.0)]
}

fn turn(game: &mut Game, unit: u32) -> Vec<Made> {
    let how = fields! { "turnOverTime": 0, "unused": 0 };
    let turn = fields! { "towardX": 1.0, "towardY": 0.0, "towardZ": 0.0, "how": how };
    game.reliable(Server, 3, &message(BUILD, "FaceDirection", unit, 3, turn))
}

/// retransmission.pcap.
pub fn retransmission() -> Story {
    let mut game = classic();
    begin(&mut game, PLAYER);
    let walk = Walk::new(CHAMPION, &step(0.0));
    let order = game.reliable(Client, 1, &move_order(BUILD, 2, walk.points[1], 0, &walk));
    let moment = game.lose(Client, &order);
    game.note(moment, "a MoveOrder the server never gets");
    game.wait(480);
    let moment = game.tell(Client, &order);
    game.note(
        moment,
        "the same again with a new sent time: no new message, and the acknowledgement names this one's time",
    );
    game.wait(300);
    let turned = turn(&mut game, RIVAL);
    game.send(Server, &turned);
    let moment = game.hear(Client);
    game.note(moment, "an acknowledgement that gets lost on the way to the server");
    game.wait(510);
    let moment = game.tell(Server, &turned);
    game.note(
        moment,
        "so the server sends the FaceDirection again: already delivered, acknowledged once more",
    );
    game.wait(200);
    let fragments = game.reliable(Server, 3, &long_message(4_417));
    for fragment in &fragments[..3] {
        game.tell(Server, std::slice::from_ref(fragment));
        game.wait(6);
    }
    let moment = game.tell(Server, &fragments[1..2]);
    game.note(moment, "fragment 2 of 5 again, before the message is complete");
    game.wait(6);
    game.tell(Server, &fragments[3..4]);
    game.wait(6);
    let moment = game.tell(Server, &fragments[4..]);
    game.note(moment, "the last fragment: the message is read here and only here");
    game.wait(400);
    let moment = game.tell(Server, &fragments[3..4]);
    game.note(moment, "fragment 4 of 5 again, after the message was complete");
    game.wait(300);
    pings(&mut game);
    end(&mut game);
    Story::told("retransmission.pcap", "Reliable datagrams and fragments sent again.", &[KEY], vec![game])
}

/// reordering.pcap.
pub fn reordering() -> Story {
    let mut game = classic();
    begin(&mut game, PLAYER);
    let made: Vec<_> = (1..=4_i64)
        .map(|count| {
            let path = path(BUILD, MINION, count, &step(count as f32));
            game.reliable(Server, 3, &path)
        })
        .collect();
    for (place, note) in [
        (0, "Path 1, in its place"),
        (2, "Path 3 comes early: it waits for Path 2"),
        (3, "Path 4 waits too"),
        (1, "Path 2 at last: now 2, 3 and 4 are delivered in this order, and none is behind another"),
    ] {
        let moment = game.tell(Server, &made[place]);
        game.note(moment, note);
        game.wait(14);
    }
    game.wait(200);
    let groups: Vec<_> = (1..=3_u32)
        .map(|count| {
            let walk = Walk::new(RIVAL, &step(10.0 + count as f32));
            game.unreliable(Server, 4, &waypoint_group(BUILD, 500 + count, &[walk]))
        })
        .collect();
    for (place, note) in [
        (0, "WaypointGroup 501, unreliable number 1"),
        (2, "WaypointGroup 503, unreliable number 3"),
        (1, "WaypointGroup 502 comes late: number 2 is behind number 3, so the client drops it and never answers"),
    ] {
        let moment = game.send(Server, &groups[place]);
        game.note(moment, note);
        game.wait(8);
        if place != 1 {
            let ack = game.unsequenced(Client, 1, &waypoint_ack(BUILD, 501 + place as u32, &[]));
            game.send(Client, &ack);
        }
        game.wait(30);
    }
    game.wait(300);
    pings(&mut game);
    end(&mut game);
    let blurb = "Reliable messages that overtake each other, and an unreliable one that comes too late.";
    Story::told("reordering.pcap", blurb, &[KEY], vec![game])
}

/// gap.pcap.
pub fn gap() -> Story {
    let mut game = classic();
    begin(&mut game, PLAYER);
    let turned = turn(&mut game, RIVAL);
    game.tell(Server, &turned);
    game.wait(100);
    // Made but never sent: its number is missing from here on.
    let _never = turn(&mut game, MINION);
    for count in 1..=3_i64 {
        let made = game.reliable(Server, 3, &path(BUILD, MINION, count, &step(count as f32)));
        let moment = game.tell(Server, &made);
        game.note(
            moment,
            format!(
                "Path {count}: acknowledged, but held back, for reliable number 2 of channel 3 never comes"
            ),
        );
        game.wait(150);
    }
    let group = waypoint_group(BUILD, 700, &[Walk::new(RIVAL, &step(2.0))]);
    let group = game.unreliable(Server, 4, &group);
    let moment = game.send(Server, &group);
    game.note(moment, "other channels go on: WaypointGroup 700 on channel 4");
    game.wait(9);
    let ack = game.unsequenced(Client, 1, &waypoint_ack(BUILD, 700, &[]));
    game.send(Client, &ack);
    pings(&mut game);
    pings(&mut game);
    end(&mut game);
    Story::told("gap.pcap", "A reliable number that never comes.", &[KEY], vec![game])
}

/// bundle.pcap.
pub fn bundle() -> Story {
    let mut game = classic();
    begin(&mut game, PLAYER);
    let walk = Walk::new(CHAMPION, &step(1.0));
    let order = game.reliable(Client, 1, &move_order(BUILD, 2, walk.points[1], 0, &walk));
    let other = game.reliable(Client, 1, &move_order(BUILD, 3, walk.points[1], RIVAL, &walk));
    let ping = game.ping(Client);
    let moment = game.send(Client, &[order, other, ping].concat());
    game.note(moment, "two MoveOrders and a ping in one datagram");
    let turned = turn(&mut game, RIVAL);
    let path = game.reliable(Server, 3, &path(BUILD, MINION, 1, &step(2.0)));
    let group = game.unreliable(Server, 4, &waypoint_group(BUILD, 800, &[walk]));
    let moment = game.tell_and_hear(Server, &[turned, path, group].concat(), &[]);
    game.note(
        moment,
        "three acknowledgements, a FaceDirection, a Path and a WaypointGroup: three messages on two channels",
    );
    game.wait(9);
    let acks = [
        game.unsequenced(Client, 1, &waypoint_ack(BUILD, 800, &[])),
        game.unsequenced(Client, 4, &path_ack(BUILD, 1)),
    ];
    let moment = game.send(Client, &acks.concat());
    game.note(moment, "the answers to the group and to the path, in one datagram too");
    game.wait(300);
    pings(&mut game);
    end(&mut game);
    let blurb = "Several commands in each datagram, as ENet sends what is ready: payloads of both ends, on several channels.";
    Story::told("bundle.pcap", blurb, &[KEY], vec![game])
}

/// wrap.pcap.
pub fn wrap() -> Story {
    let mut game = classic();
    for (end, channel, used) in
        [(Client, 1, 65_532), (Server, 3, 65_528), (Client, 8, 65_534), (Server, 8, 900)]
    {
        game.used(end, channel, used);
    }
    // The clocks wrap too, in the middle of the capture.
    game.clock(Client, 64_200);
    game.clock(Server, 63_600);
    for count in 0..5_u8 {
        let walk = Walk::new(CHAMPION, &step(count.into()));
        let order = game.reliable(Client, 1, &move_order(BUILD, 2, walk.points[1], 0, &walk));
        let moment = game.tell(Client, &order);
        match count {
            0 => game.note(moment, "the first MoveOrder of the capture has reliable number 65533"),
            3 => game.note(moment, "the fourth has reliable number 0, after 65535"),
            _ => {}
        }
        game.wait(17);
        let sync = 65_534 + u32::from(count);
        let group = game.unreliable(Server, 4, &waypoint_group(BUILD, sync, &[walk]));
        game.send(Server, &group);
        game.wait(9);
        let ack = game.unsequenced(Client, 1, &waypoint_ack(BUILD, sync, &[]));
        game.send(Client, &ack);
        let made = game.reliable(Server, 3, &path(BUILD, MINION, count.into(), &step(count.into())));
        game.tell(Server, &made);
        game.wait(200);
    }
    let fragments = game.reliable(Server, 3, &long_message(2_500));
    let mut moment = 0;
    for fragment in &fragments {
        moment = game.tell(Server, std::slice::from_ref(fragment));
        game.wait(2);
    }
    game.note(moment, "the last of 3 fragments numbered 65534, 65535 and 0 on channel 3");
    let ping = game.ping(Client);
    game.tell(Client, &ping);
    game.wait(480);
    let ping = game.ping(Client);
    let moment = game.tell(Client, &ping);
    game.note(
        moment,
        "the client's second ping has reliable number 0 after 65535, and its sent time has wrapped too",
    );
    pings(&mut game);
    let made = turn(&mut game, RIVAL);
    game.tell(Server, &made);
    let blurb = "A capture that begins in the middle of a session and sees every counter wrap: reliable numbers of both \
                 ends, pings, the clocks' sent times.";
    Story::told("wrap.pcap", blurb, &[KEY], vec![game])
}
