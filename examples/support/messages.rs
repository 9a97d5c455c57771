//! Messages of the made games, written by the project's own encoder.

use dissector_core::book::names::Names;
use dissector_core::container;
use dissector_core::decode::head::Head;
use dissector_core::encode;
use dissector_core::layout::channel;
use dissector_core::lol::cipher::Schedule;
use dissector_core::path::encoded;
use dissector_core::registry::REGISTRY;
use dissector_core::version::Build;

pub use dissector_core::encode::Value;

/// The build most made games run.
pub const BUILD: Build = Build::new(1, 0, 0, 136);
/// The origin of map 1, world units.
pub const ORIGIN: (i32, i32) = (6991, 7223);

/// Something that can stand as the value of a field.
pub trait Given {
    /// The value.
    fn value(self) -> Value;
}

impl Given for Value {
    fn value(self) -> Value {
        self
    }
}

impl Given for i32 {
    fn value(self) -> Value {
        Value::Int(self.into())
    }
}

impl Given for i64 {
    fn value(self) -> Value {
        Value::Int(self.into())
    }
}

impl Given for u32 {
    fn value(self) -> Value {
        Value::Int(self.into())
    }
}

impl Given for f32 {
    fn value(self) -> Value {
        Value::Float(self)
    }
}

impl Given for &str {
    fn value(self) -> Value {
        Value::Text(self.to_owned())
    }
}

impl Given for Vec<Value> {
    fn value(self) -> Value {
        Value::List(self)
    }
}

impl<T: Given> Given for Option<T> {
    fn value(self) -> Value {
        self.map_or(Value::Absent, Given::value)
    }
}

/// Fields by name.
macro_rules! fields {
    ($($name:literal: $value:expr),* $(,)?) => {
        Value::Record(vec![$(($name.to_owned(), Given::value($value))),*])
    };
}
pub(crate) use fields;

/// A message of the book on a channel.
pub fn message(build: Build, name: &str, net_id: u32, channel: u8, fields: Value) -> Vec<u8> {
    let (program, _) = REGISTRY.program_of(name, build).unwrap_or_else(|| panic!("{build} has no {name}"));
    let written = encode::message(program, build, net_id, Some(channel), &fields);
    written.unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A message outside the book.
pub fn other(command: u16, net_id: u32, body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode::head(channel::EVENTS, command, net_id, &mut bytes);
    bytes.extend(body);
    bytes
}

/// Messages of the game put into one payload. None of them may have an extended command.
pub fn together(messages: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let inner: Vec<_> = messages
        .iter()
        .map(|message| {
            let (command, net_id, body) = Head::new(message).read().expect("a message of the game");
            container::Outgoing { command: command as u8, net_id, body: &message[body as usize..] }
        })
        .collect();
    container::write(&inner, &mut bytes).expect("few and short enough");
    bytes
}

/// What both ends say first on channel 0; with a version from 1.0.0.142 on. Some of its bytes are whatever memory held.
pub fn registration(key: &Schedule, player: u64, client: u32, version: Option<u32>) -> Vec<u8> {
    let mut proof = player.to_le_bytes();
    key.encipher(&mut proof);
    let mut bytes = vec![0, 0xE7, 0x6F, 0];
    bytes.extend(client.to_le_bytes());
    bytes.extend(player.to_le_bytes());
    bytes.extend(version.into_iter().flat_map(u32::to_le_bytes));
    bytes.extend(proof);
    bytes.extend(version.map(|_| [0x10, 0xC4, 0x2F, 0]).into_iter().flatten());
    bytes
}

/// What a client says of its build, in the 269 bytes that 1.0.0.136 uses.
pub fn client_version(build: Build) -> Vec<u8> {
    version_text(198, build)
}

/// The same of another build, under the number the message has in `numbers`.
pub fn client_version_of(numbers: Build, build: Build) -> Vec<u8> {
    let names = Names::of(numbers);
    let named = |number: &u16| names.get(*number).is_some_and(|(name, _)| name == "SynchVersionC2S");
    version_text((0..256).find(named).expect("a number for the version text"), build)
}

fn version_text(command: u16, build: Build) -> Vec<u8> {
    let mut body = vec![0; 8];
    body.extend(format!("Version {build} [PUBLIC]").bytes());
    body.resize(264, 0);
    other(command, 0, &body)
}

/// A path in world units, for the unit that takes it.
#[derive(Clone)]
pub struct Walk {
    /// The unit.
    pub unit: u32,
    /// The relocation token, if the server states one.
    pub token: Option<u8>,
    /// Where it begins, turns and ends.
    pub points: Vec<(f32, f32)>,
}

impl Walk {
    /// A walk without a token.
    pub fn new(unit: u32, points: &[(f32, f32)]) -> Walk {
        Walk { unit, token: None, points: points.to_vec() }
    }

    /// The same with a token.
    pub fn token(mut self, token: u8) -> Walk {
        self.token = Some(token);
        self
    }

    /// The walk as a compact movement of a build; `terms` go in front of the points where the message has them.
    pub fn movement(&self, build: Build, terms: Option<Value>) -> Value {
        let points: Vec<(i64, i64)> = self
            .points
            .iter()
            .map(|(x, z)| (encoded(ORIGIN.0, *x).into(), encoded(ORIGIN.1, *z).into()))
            .collect();
        let (token, count) = (self.token.is_some() as i64, points.len() as i64);
        // From 4.17 on the header is one byte, without room for junk.
        let header = if build < Build::new(4, 17, 0, 0) {
            fields! { "hasTeleportToken": token, "unused": 0, "pointCount": count, "unusedHigh": 0 }
        } else {
            fields! { "hasTeleportToken": token, "pointCount": count }
        };
        let mut flags = Vec::new();
        let mut steps = Vec::new();
        for pair in points.windows(2) {
            let x = coordinate(pair[0].0, pair[1].0);
            let z = coordinate(pair[0].1, pair[1].1);
            flags.push(fields! { "xIsStep": x.0.is_some() as i64, "zIsStep": z.0.is_some() as i64 });
            steps.push(fields! { "xStep": x.0, "xWhole": x.1, "zStep": z.0, "zWhole": z.1 });
        }
        let (x, z) = points.first().copied().unzip();
        let mut path = vec![("unit".to_owned(), self.unit.value())];
        path.push(("teleportToken".to_owned(), self.token.map(u32::from).value()));
        path.extend(terms.map(|terms| ("terms".to_owned(), terms)));
        path.push(("flags".to_owned(), flags.value()));
        path.push(("firstX".to_owned(), x.value()));
        path.push(("firstZ".to_owned(), z.value()));
        path.push(("steps".to_owned(), steps.value()));
        fields! { "header": header, "path": Value::Record(path) }
    }
}

/// A coordinate after another: a step where it fits a byte, else stated whole.
fn coordinate(before: i64, now: i64) -> (Option<i64>, Option<i64>) {
    match i8::try_from(now - before) {
        Ok(step) => (Some(step.into()), None),
        Err(_) => (None, Some(now)),
    }
}

/// An order, at `kind` (2 move, 3 attack, 10 stop), a place and perhaps a target.
pub fn move_order(build: Build, kind: i64, to: (f32, f32), target: u32, walk: &Walk) -> Vec<u8> {
    let mut order = vec![("kind".to_owned(), kind.value()), ("targetX".to_owned(), to.0.value())];
    // From 1.0.0.138 on the height is not stated.
    if build < Build::new(1, 0, 0, 138) {
        order.push(("targetY".to_owned(), 54.5.value()));
    }
    order.push(("targetZ".to_owned(), to.1.value()));
    order.push(("target".to_owned(), target.value()));
    order.push(("movement".to_owned(), walk.movement(build, None)));
    message(build, "MoveOrder", walk.unit, 1, Value::Record(order))
}

/// A group of movements.
pub fn waypoint_group(build: Build, sync: u32, walks: &[Walk]) -> Vec<u8> {
    let movements: Vec<_> = walks.iter().map(|walk| walk.movement(build, None)).collect();
    let group = fields! { "syncId": sync, "movementCount": walks.len() as i64, "movements": movements };
    message(build, "WaypointGroup", 0, 4, group)
}

/// A movement at a speed of its own.
pub fn waypoint_group_at_speed(build: Build, sync: u32, walk: &Walk, speed: f32, follows: u32) -> Vec<u8> {
    let (x, z) = walk.points[0];
    let terms = fields! {
        "speed": speed, "gravity": 0.0, "fromX": x, "fromZ": z, "keepFacing": 0, "follows": follows,
        "followDistance": 0.0, "followBackDistance": 0.0, "followTime": 0.0,
    };
    let movements = vec![walk.movement(build, Some(terms))];
    let group = fields! { "syncId": sync, "movementCount": 1, "movements": movements };
    message(build, "WaypointGroupAtSpeed", 0, 3, group)
}

/// The answer to a group: the units that carried a token.
pub fn waypoint_ack(build: Build, sync: u32, relocations: &[(u32, u8)]) -> Vec<u8> {
    let listed: Vec<_> = relocations
        .iter()
        .map(|(unit, token)| fields! { "unit": *unit, "token": u32::from(*token) })
        .collect();
    let ack = fields! { "syncId": sync, "relocationCount": relocations.len() as i64, "relocations": listed };
    message(build, "WaypointAck", 0, 1, ack)
}

/// The answer to a path of one unit: the last byte is whatever memory held.
pub fn path_ack(build: Build, sync: u32) -> Vec<u8> {
    let ack = fields! { "syncId": sync, "relocationCount": 0x77, "relocations": Vec::new() };
    message(build, "WaypointAck", 0, 4, ack)
}

/// Points in world units.
fn points(points: &[(f32, f32)]) -> Vec<Value> {
    points.iter().map(|(x, z)| fields! { "x": *x, "z": *z }).collect()
}

/// A path of one unit.
pub fn path(build: Build, unit: u32, sync: i64, along: &[(f32, f32)]) -> Vec<u8> {
    message(build, "Path", unit, 3, fields! { "syncId": sync, "points": points(along) })
}

/// A path of one unit at a speed of its own, in an arc.
pub fn path_with_speed(build: Build, unit: u32, sync: i64, speed: f32, along: &[(f32, f32)]) -> Vec<u8> {
    let fields = fields! {
        "syncId": sync, "speed": speed, "gravity": 8.5, "arcX": along[0].0, "arcZ": along[0].1, "facing": 1,
        "follow": 0, "followDistance": 0.0, "backOff": 0.0, "travelTime": 0.0, "points": points(along),
    };
    message(build, "PathWithSpeed", unit, 3, fields)
}

/// A unit told to stand.
pub fn unit_stopped(build: Build, unit: u32, sync: i64, at: (f32, f32)) -> Vec<u8> {
    let fields = fields! {
        "x": at.0, "y": 54.5, "z": at.1, "facingX": 0.6, "facingY": 0.0, "facingZ": 0.8, "syncId": sync,
    };
    message(build, "UnitStopped", unit, 3, fields)
}

/// An effect, its first time or again, on a unit. For builds whose effects name no package.
pub fn effect_added(build: Build, unit: u32, slot: i64, effect: u32, lasts: f32) -> Vec<u8> {
    let fields = fields! {
        "slot": slot, "kind": 1, "count": 1, "hidden": 0, "effect": effect, "runningFor": 0.0, "lasts": lasts,
        "caster": unit,
    };
    message(build, "EffectAdded", unit, 3, fields)
}

/// Animations played in place of others.
pub fn animation_overrides(build: Build, unit: u32, pairs: &[(&str, &str)]) -> Vec<u8> {
    let listed: Vec<_> = pairs
        .iter()
        .map(|(from, to)| {
            let lengths = (from.len() as i64, to.len() as i64);
            fields! { "fromLength": lengths.0, "from": *from, "toLength": lengths.1, "to": *to }
        })
        .collect();
    message(
        build,
        "AnimationOverrides",
        unit,
        3,
        fields! { "pairCount": pairs.len() as i64, "pairs": listed },
    )
}
