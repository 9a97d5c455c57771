//! Builds between the books: the layouts of 1.0.0.131 under the command numbers of 1.0.0.126, and those of 4.17 with its
//! own numbers in a build of 4.18.

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
    let blurb = "A session of 1.0.0.126, a build between the books: command numbers of that build, the compact shape.";
    Story::told("between.pcap", blurb, &[KEY], vec![game])
}

/// The build whose layouts and numbers neighbour.pcap has, and the one it states.
const NEXT_DOOR: Build = Build::new(4, 17, 0, 268);
const STATED: u32 = 41_800_100;
/// Numbers that mean something else in that build: one whose bodies are of another size, and one whose bodies are empty.
const OTHER_SIZE: u16 = 248;
const EMPTY: u16 = 4;
/// The number of EffectCounter.
const COUNTER: u16 = 265;

/// Sends the messages of neighbour.pcap, each number moved `by` so much.
struct Moved<'g> {
    game: &'g mut Game,
    by: u16,
}

impl Moved<'_> {
    fn client(&mut self, message: Vec<u8>) -> usize {
        let made = self.game.reliable(Client, 1, &moved(message, self.by));
        self.game.tell(Client, &made)
    }

    fn server(&mut self, message: Vec<u8>) -> usize {
        let made = self.game.reliable(Server, 3, &moved(message, self.by));
        self.game.tell(Server, &made)
    }

    /// One round of play; answers the moments of the group and of the effect's counter.
    fn round(&mut self, count: u8) -> (usize, usize) {
        let x = 6700.0 + 90.0 * f32::from(count);
        let walk = Walk::new(CHAMPION, &[(x, 7000.0), (x + 40.0, 7100.0), (x + 90.0, 7025.0)]);
        self.client(move_order(NEXT_DOOR, 2, walk.points[2], 0, &walk));
        self.game.wait(16);
        let sync = 700 + u32::from(count);
        let group = moved(waypoint_group(NEXT_DOOR, sync, &[walk]), self.by);
        let group = self.game.unreliable(Server, 4, &group);
        let group = self.game.send(Server, &group);
        self.game.wait(8);
        self.client(waypoint_ack(NEXT_DOOR, sync, &[]));
        self.game.wait(40);
        let counter = fields! { "slot": 3, "counter": i32::from(count) };
        let counter = self.server(message(NEXT_DOOR, "EffectCounter", CHAMPION, 3, counter));
        if count % 2 == 0 {
            let on = fields! { "seconds": 0.25 * f32::from(count), "animation": "Run" };
            self.server(message(NEXT_DOOR, "AnimationAdvanced", RIVAL, 3, on));
        }
        if count % 4 == 1 {
            let how = fields! { "turnOverTime": 1, "unused": 0 };
            let turn =
                fields! { "towardX": 1.0, "towardY": 0.0, "towardZ": 0.0, "how": how, "turnTime": 0.25 };
            self.server(message(NEXT_DOOR, "FaceDirection", RIVAL, 3, turn));
        }
        if count % 4 == 3 {
            self.server(other(OTHER_SIZE, RIVAL, &[count; 12]));
            self.server(other(EMPTY, 0, &[]));
        }
        self.game.wait(160);
        (group, counter)
    }
}

/// A message under a number so much higher.
fn moved(mut message: Vec<u8>, by: u16) -> Vec<u8> {
    const EXTENDED: u8 = 254;
    match message[0] {
        // the number stands behind the net id
        EXTENDED => {
            let number = u16::from_le_bytes([message[5], message[6]]) + by;
            message[5..7].copy_from_slice(&number.to_le_bytes());
        }
        number => message[0] = number + by as u8,
    }
    message
}

/// neighbour.pcap.
pub fn neighbour() -> Story {
    let blurb = "A session that registers as 4.18.0.100, which no page of the book holds: numbers and layouts of 4.17, and \
                 some numbers that mean something else. Made up, as is its header: no such session was recorded.";
    played("neighbour.pcap", blurb, 0)
}

/// The same with every command number one higher, which must not be read as anything.
pub fn shifted() -> Story {
    played("shifted.pcap", "neighbour.pcap with every command number one higher.", 1)
}

fn played(file: &'static str, blurb: &'static str, by: u16) -> Story {
    let mut game = Game::new(HeaderVariant::Compact, CLIENT, SERVER, Some(KEY));
    shapes::register(&mut game, STATED);
    let mut play = Moved { game: &mut game, by };
    let rounds: Vec<_> = (0..12).map(|count| play.round(count)).collect();
    let odd = play.server(other(COUNTER, CHAMPION, &[3; 9]));
    let (group, counter) = rounds[11];
    game.note(
        group,
        "a WaypointGroup: its layout is inferred (`lol.layout.basis`), for its name leads to it",
    );
    game.note(
        counter,
        "an EffectCounter: no name leads to it, but 4.17.0.268 has it under this number (basis neighbour)",
    );
    game.note(counter + 2, "a number of 4.17 (248) that means something else: another size, shown as bytes");
    game.note(counter + 4, "a number of 4.17 (4) whose body is empty, which proves nothing: not read");
    game.note(odd, "the number of an EffectCounter, but not its size: shown as bytes");
    end(&mut game);
    Story::told(file, blurb, &[KEY], vec![game])
}
