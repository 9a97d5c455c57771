//! A build between the books: the layouts of 1.0.0.131 under the command numbers of 1.0.0.126.

use super::*;
use crate::support::messages::*;
use dissector_core::book::names::Names;
use dissector_core::version::{b, Build};

const PAGE: Build = b(131);
const PLAYED: Build = b(126);

/// A message of 1.0.0.131 under the number its name has in 1.0.0.126.
fn renumbered(mut message: Vec<u8>) -> Vec<u8> {
    let (name, _) = Names::of(PAGE).get(message[0].into()).expect("a name in 1.0.0.131");
    let names = Names::of(PLAYED);
    let same = |number: &u8| names.get((*number).into()).is_some_and(|(found, _)| found == name);
    message[0] = (0..=u8::MAX).find(same).unwrap_or_else(|| panic!("no {name} in {PLAYED}"));
    message
}

/// between.pcap.
pub fn between() -> Story {
    let mut game = classic();
    game.open();
    let asked = messages::registration(game.key(), PLAYER, 0, None);
    let asked = game.reliable(Client, 0, &asked);
    game.tell(Client, &asked);
    let version = renumbered(messages::client_version_of(PAGE, PLAYED));
    let version = game.reliable(Client, 1, &version);
    let moment = game.tell(Client, &version);
    game.note(moment, "the client states 1.0.0.126, which no page of the book holds");
    game.wait(60);
    let mut taken = 0;
    for count in 0..10_u8 {
        let x = 6700.0 + 90.0 * f32::from(count);
        let walk = Walk::new(CHAMPION, &[(x, 7000.0), (x + 40.0, 7100.0), (x + 90.0, 7025.0)]);
        let order = renumbered(move_order(PAGE, 2, walk.points[2], 0, &walk));
        let order = game.reliable(Client, 1, &order);
        game.tell(Client, &order);
        game.wait(16);
        let sync = 500 + u32::from(count);
        let group = renumbered(waypoint_group(PAGE, sync, &[walk]));
        let group = game.unreliable(Server, 4, &group);
        let moment = game.send(Server, &group);
        game.wait(8);
        let ack = renumbered(waypoint_ack(PAGE, sync, &[]));
        let ack = game.unsequenced(Client, 1, &ack);
        game.send(Client, &ack);
        game.wait(240);
        taken = moment;
    }
    game.note(
        taken,
        "a WaypointGroup: its layout is inferred (`lol.layout.basis`), since so many bodies are used up exactly",
    );
    end(&mut game);
    let about = "A session of 1.0.0.126, a build between the books: command numbers of that build, the compact shape.";
    Story::told("between.pcap", about, &[KEY], vec![game])
}
