//! A whole game in small: every message of the movement book, in a session from connect to disconnect.

use super::*;
use crate::support::messages::*;

/// Moves the champion as a client wants it: the order, the group that echoes it, the answer.
fn walk(game: &mut Game, sync: u32, walk: &Walk) {
    let to = *walk.points.last().expect("a walk has an end");
    let order = move_order(BUILD, 2, to, 0, walk);
    let order = game.reliable(Client, 1, &order);
    let asked = game.tell(Client, &order);
    game.wait(18);
    let group = waypoint_group(BUILD, sync, std::slice::from_ref(walk));
    let group = game.unreliable(Server, 4, &group);
    let stated = game.send(Server, &group);
    game.wait(9);
    answer(game, sync, &[]);
    game.note(
        asked,
        format!("a MoveOrder, answered by the group with `waypoint.syncId` {sync}, path unchanged"),
    );
    game.note(stated, format!("WaypointGroup {sync}, answered in the next frame"));
    game.wait(420);
}

fn answer(game: &mut Game, sync: u32, relocations: &[(u32, u8)]) -> usize {
    let ack = waypoint_ack(BUILD, sync, relocations);
    let ack = game.unsequenced(Client, 1, &ack);
    game.send(Client, &ack)
}

/// Something the server states reliably on the channel of events.
fn state(game: &mut Game, message: &[u8]) -> usize {
    let made = game.reliable(Server, 3, message);
    let moment = game.tell(Server, &made);
    game.wait(160);
    moment
}

/// A path of one unit, and the client's answer at once: unsequenced, on the transient channel.
fn state_path(game: &mut Game, sync: u32, message: &[u8]) -> usize {
    let made = game.reliable(Server, 3, message);
    let ack = game.unsequenced(Client, 4, &path_ack(BUILD, sync));
    let moment = game.tell_and_hear(Server, &made, &ack);
    game.wait(280);
    moment
}

/// What goes on before a match: loading, clocks, a long message, a container.
fn load(game: &mut Game) {
    let query = game.reliable(Client, 1, &other(23, 0, &[]));
    game.tell(Client, &query);
    game.wait(5);
    let reply = game.reliable(Server, 3, &other(142, 0, &[1]));
    game.tell(Server, &reply);
    game.wait(30);
    let fragments = game.reliable(Server, 3, &long_message(4_417));
    let mut last = 0;
    for (number, fragment) in fragments.iter().enumerate() {
        last = game.send(Server, std::slice::from_ref(fragment));
        if number % 3 == 2 {
            game.hear(Client);
        }
    }
    game.hear(Client);
    game.note(
        last,
        "the last of 5 fragments: here the message of 4417 bytes is read (command 88, outside the book)",
    );
    game.wait(80);
    let join = game.reliable(Client, 6, &[100, 0, 0, 0, 0, 0, 0, 0, 100, 0, 0, 0]);
    game.tell(Client, &join);
    for _ in 0..2 {
        let loading = game.unreliable(Client, 1, &other(25, 0, &[0; 25]));
        game.send(Client, &loading);
        game.wait(24);
        let loading = game.unreliable(Server, 4, &other(158, 0, &[0; 25]));
        game.send(Server, &loading);
        pings(game);
    }
    let clock = game.reliable(Client, 2, &other(8, 0, &[0; 8]));
    game.tell(Client, &clock);
    let clock = game.reliable(Server, 2, &other(122, 0, &[0; 4]));
    game.tell(Server, &clock);
    game.wait(200);
    let moment = state(game, &container());
    game.note(
        moment,
        "a container of 6: three EffectAdded (by delta 1, then with an absolute id) and an unknown command \
         by delta -120, AnimationOverrides of 74 bytes in the long form, an unknown command without a body",
    );
}

fn container() -> Vec<u8> {
    let attacks = [("attack1", "Attack_Tumble"), ("attack2", "Attack_Tumble"), ("idle1", "Idle")];
    together(&[
        effect_added(BUILD, CHAMPION, 0, 105_475_752, 480.0),
        effect_added(BUILD, RIVAL, 0, 104_222_500, 420.5),
        effect_added(BUILD, MINION, 3, 104_222_500, 12.25),
        other(38, MINION - 120, &[0; 8]),
        animation_overrides(BUILD, RIVAL, &attacks),
        other(18, 0, &[]),
    ])
}

/// Orders and groups. Their destinations lie so that only the origin of map 1 explains them all.
fn movement(game: &mut Game) {
    let at = |x: f32, z: f32| (ORIGIN.0 as f32 + x, ORIGIN.1 as f32 + z);
    walk(game, SYNC, &Walk::new(CHAMPION, &[at(40.0, -60.0), at(309.1, -491.9)]));
    let turns = [at(309.1, -491.9), at(420.0, -300.0), at(500.0, 40.5), at(511.9, 309.1)];
    walk(game, SYNC + 1, &Walk::new(CHAMPION, &turns));
    walk(game, SYNC + 2, &Walk::new(CHAMPION, &[at(511.9, 309.1), at(260.0, 400.0), at(-491.9, 511.9)]));
    let group = [
        Walk::new(RIVAL, &[at(800.0, 750.0), at(640.0, 600.0)]).token(2),
        Walk::new(MINION, &[at(-200.0, -200.0), at(-90.0, -100.0)]),
        Walk::new(CHAMPION, &[at(-491.9, 511.9)]).token(1),
    ];
    let stated = game.unreliable(Server, 4, &waypoint_group(BUILD, SYNC + 3, &group));
    let moment = game.send(Server, &stated);
    game.note(moment, "a WaypointGroup of three units, two of them with relocation tokens");
    game.wait(11);
    let moment = answer(game, SYNC + 3, &[(RIVAL, 2), (CHAMPION, 1)]);
    game.note(moment, "the answer names exactly the two units with tokens");
    game.wait(300);
    let attack = Walk::new(CHAMPION, &[at(-491.9, 511.9)]);
    let attack = move_order(BUILD, 3, at(640.0, 600.0), RIVAL, &attack);
    let attack = game.reliable(Client, 1, &attack);
    let moment = game.tell(Client, &attack);
    game.note(moment, "a MoveOrder of kind 3 (attack) that no group answers");
    let stop = move_order(BUILD, 10, at(-491.9, 511.9), 0, &Walk::new(CHAMPION, &[]));
    let stop = game.reliable(Client, 1, &stop);
    let moment = game.tell(Client, &stop);
    game.note(moment, "a MoveOrder of kind 10 (stop): no points, only the unit");
    pings(game);
    let thrown = Walk::new(RIVAL, &[at(640.0, 600.0), at(330.0, 640.0)]);
    let thrown = game.reliable(Server, 3, &waypoint_group_at_speed(BUILD, SYNC + 4, &thrown, 895.0, 0));
    let ack = game.unsequenced(Client, 1, &waypoint_ack(BUILD, SYNC + 4, &[]));
    let moment = game.tell_and_hear(Server, &thrown, &ack);
    game.note(moment, "WaypointGroupAtSpeed 988 on channel 3, answered in the next frame");
    game.wait(250);
}

/// What turns, bounds and stops units, and marks the ground.
fn standing(game: &mut Game) {
    let turn = fields! {
        "towardX": 0.6, "towardY": 0.0, "towardZ": -0.8,
        "how": fields! { "turnOverTime": 1, "unused": 0 },
    };
    let moment = state(game, &message(BUILD, "FaceDirection", RIVAL, 3, turn));
    game.note(moment, "FaceDirection: command 84 from the server");
    let turned = fields! { "directionX": 0.0, "directionY": 0.0, "directionZ": 1.0, "unused": 0 };
    let turned = game.reliable(Client, 1, &message(BUILD, "FacePosition", CHAMPION, 1, turned));
    let moment = game.tell(Client, &turned);
    game.note(moment, "FacePosition: command 84 from the client");
    game.wait(90);
    let bounds = |radius: f32| fields! { "x": 7000.0, "y": 50.0, "z": 7200.0, "radius": radius, "camera": 1 };
    let moment = state(game, &message(BUILD, "MovementBounds", 0, 3, bounds(1500.0)));
    game.note(moment, "MovementBounds of radius 1500");
    let moment = state(game, &message(BUILD, "MovementBounds", 0, 3, bounds(0.0)));
    game.note(moment, "MovementBounds of radius 0: lifted");
    let moment = state_path(
        game,
        3,
        &path(BUILD, MINION, 3, &[(6800.0, 7000.0), (6900.5, 7100.25), (7000.0, 7150.0)]),
    );
    game.note(moment, "Path, count 3 of its unit; answered in the next frame, on channel 4, with 10 bytes");
    let leap = [(6900.5, 7100.25), (7300.0, 7150.0)];
    let moment = state_path(game, 4, &path_with_speed(BUILD, MINION, 4, 700.0, &leap));
    game.note(moment, "PathWithSpeed, count 4, an arc");
    let moment = state(game, &unit_stopped(BUILD, MINION, 5, (7300.0, 7150.0)));
    game.note(moment, "UnitStopped, count 5");
    let moment = state_path(game, 4, &path(BUILD, MINION, 4, &[(7300.0, 7150.0), (7310.0, 7160.0)]));
    game.note(moment, "Path, count 4 again: behind the last taken, so the client answers it and drops it");
    let circle = |x: f32, radius: f32| fields! { "x": x, "z": 7200.0, "radius": radius, "flags": 2 };
    let circles = vec![circle(7000.0, 120.0), circle(7400.0, 1000.0)];
    let marks = fields! { "count": 2, "syncId": 1, "circles": circles };
    let moment = state(game, &message(BUILD, "NavigationFlags", 0, 3, marks));
    game.note(moment, "NavigationFlags with two circles; the radius of the second, 1000, marks nothing");
}

/// session.pcap.
pub fn session() -> Story {
    let mut game = classic();
    begin(&mut game, PLAYER);
    load(&mut game);
    movement(&mut game);
    standing(&mut game);
    for count in 0..3 {
        let replicated = game.unsequenced(Server, 4, &other(205, 0, &[count; 37]));
        game.send(Server, &replicated);
        game.wait(15);
        let heard = game.unsequenced(Client, 1, &other(177, 0, &[count; 4]));
        game.send(Client, &heard);
        game.wait(200);
    }
    pings(&mut game);
    let late = Walk::new(CHAMPION, &[(6600.0, 7700.0), (6700.0, 7800.0)]);
    let late = game.reliable(Client, 1, &move_order(BUILD, 2, (6700.0, 7800.0), 0, &late));
    let moment = game.tell(Client, &late);
    game.note(moment, "a MoveOrder shortly before the end, never answered");
    game.wait(100);
    end(&mut game);
    Story::told(
        "session.pcap",
        "A whole enciphered session of 1.0.0.136, from connect to disconnect: registration, loading, every message of \
         the movement book, fragments, a container.",
        &[KEY],
        vec![game],
    )
}
