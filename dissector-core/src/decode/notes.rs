//! What a value means besides its node: registers, points, the Info column, generated nodes.

use super::reader::{Reader, Stand};
use super::{Point, Said};
use crate::layout::{Axis, Info, Role};
use crate::path::{world, Coordinate};
use crate::registry::{PointFields, Step, NO_REGISTER};
use crate::tree::{flag, FieldId, Node, PathPoint};

impl<const NODES: bool> Reader<'_, NODES> {
    #[inline]
    pub fn note_int(&mut self, step: &Step, stand: Stand, start: usize, value: i64) {
        if step.keep != NO_REGISTER {
            self.registers[usize::from(step.keep)] = value;
        }
        if NODES {
            self.mean(step, stand, start, value);
        }
        match step.role {
            Role::None
            | Role::Point(_)
            | Role::Target(_)
            | Role::Coordinate(_)
            | Role::UnitName
            | Role::RunningFor
            | Role::Lasts
            | Role::TimeLeft => {}
            // zero names no unit
            Role::Unit if value == 0 => {}
            Role::Unit => self.note_unit(step, stand, start, value as u32),
            Role::NameHash(what) => self.push_name(what, stand, start, value),
            Role::Packed(axis) => self.push_world(step.converted, axis, stand, start, value),
            Role::Sync => self.facts.sync = Some(value),
            Role::First(axis) => {
                if axis == Axis::X {
                    self.point_at = start;
                }
                self.coordinate(axis, Coordinate::Whole(value as i32));
            }
            Role::Step(axis) => self.coordinate(axis, Coordinate::Step(value as i32)),
            Role::Whole(axis) => self.coordinate(axis, Coordinate::Whole(value as i32)),
            Role::StatesOrigin(kind) => self.facts.states_origin = value == kind,
            Role::Actor => self.facts.actor = Some(value as u64),
            Role::Turn => self.push_degrees(step.converted, stand, start, value),
        }
        self.push_hidden(step.also, stand, start, value as u64);
        match step.info {
            Info::None | Info::Items(_) | Info::Unit => {}
            Info::Value(_) if step.role == Role::Unit && value == 0 => {}
            Info::Value(label) => self.say(match step.role {
                Role::NameHash(_) => Said::Name(label, step.field, value),
                Role::Unit => Said::Unit(label, value as u32),
                _ => Said::Int(label, step.field, value),
            }),
            Info::Word => self.say(Said::Word(step.field, value)),
        }
    }

    #[inline]
    fn note_unit(&mut self, step: &Step, stand: Stand, start: usize, unit: u32) {
        self.push_hidden(self.generated.unit, stand, start, unit.into());
        match step.info {
            Info::Unit => self.facts.units.add(unit),
            Info::None if self.facts.other_unit == 0 => self.facts.other_unit = unit,
            _ => {}
        }
    }

    #[inline]
    pub fn note_float(&mut self, step: &Step, stand: Stand, start: usize, value: f32) {
        match step.role {
            Role::RunningFor | Role::Lasts | Role::TimeLeft => self.note_time(step.role, stand, start, value),
            Role::Point(Axis::X) => self.world_x = value,
            Role::Point(Axis::Z) => {
                let point = Point::World(self.world_x, value);
                self.point(point);
            }
            Role::Target(Axis::X) => self.world_x = value,
            Role::Target(Axis::Z) => self.facts.target = Some((self.world_x, value)),
            Role::Coordinate(axis) => {
                if let Some(known) = self.facts.position.get_mut(usize::from(axis)) {
                    *known = Some(value);
                }
            }
            _ => {}
        }
        if let Info::Value(label) = step.info {
            self.say(Said::Float(label, value));
        }
    }

    /// Keeps something for the Info column; what is past its four places is not said.
    pub fn say(&mut self, what: Said) {
        if let Some(place) = self.facts.said.get_mut(self.said) {
            *place = Some(what);
            self.said += 1;
        }
    }

    #[inline]
    fn push_hidden(&mut self, field: Option<FieldId>, stand: Stand, start: usize, value: u64) {
        if let (true, Some(field)) = (NODES, field) {
            let hidden = Stand { flags: self.flags | flag::GENERATED | flag::HIDDEN, index: 0, ..stand };
            self.push(field, hidden, start, self.at - start, value);
        }
    }

    fn push_degrees(&mut self, field: Option<FieldId>, stand: Stand, start: usize, value: i64) {
        if let (true, Some(field)) = (NODES, field) {
            let stand = Stand { flags: self.flags | flag::GENERATED, index: 0, ..stand };
            let degrees = value as f64 * 360.0 / 256.0;
            self.push(field, stand, start, self.at - start, degrees.to_bits());
        }
    }

    #[inline]
    fn coordinate(&mut self, axis: Axis, coordinate: Coordinate) {
        if let Some((x, z)) = self.resolver.take(axis, coordinate) {
            self.point(Point::Path(x, z));
            if NODES {
                let offset = self.base.wrapping_add(self.point_at as u32);
                let length = (self.at - self.point_at) as u32;
                self.tree.points.push(PathPoint { x, z, offset, length });
            }
        }
    }

    #[inline]
    fn point(&mut self, point: Point) {
        self.path_points += 1;
        if NODES {
            self.last_point = Some(point);
        }
        if self.facts.paths == 0 {
            self.facts.points = self.path_points;
            self.facts.last = Some(point);
        }
    }

    /// A path is over: it counts if it had a point.
    #[inline]
    pub fn path_counts(&mut self) {
        self.facts.paths += u32::from(self.path_points > 0);
        self.tell_path(self.path_points, self.last_point);
        self.path_points = 0;
    }

    /// A record with a compact path is over: its points follow its rows, if all of them were there.
    #[inline]
    pub fn path_ends(&mut self, stand: Stand, whole: bool) {
        self.path_counts();
        if let (true, true, Some(fields)) = (NODES, whole, self.generated.point) {
            let stand = stand.below(self.flags | flag::GENERATED);
            for index in 0..self.tree.points.len() {
                self.push_point(fields, stand, index);
            }
        }
    }

    #[inline]
    fn push_point(&mut self, fields: PointFields, stand: Stand, index: usize) {
        let PathPoint { x, z, offset, length } = self.tree.points[index];
        let record = Node {
            field: fields.point,
            flags: stand.flags | flag::INDEXED,
            depth: stand.depth,
            bit_first: 0,
            bit_count: 0,
            word_bytes: 0,
            offset,
            length,
            index: index as u32,
            text: 0,
            value: 0,
        };
        self.tree.push(record);
        self.head_point(Point::Path(x, z));
        let inner = Node { flags: stand.flags, depth: stand.depth.saturating_add(1), index: 0, ..record };
        if let Some((origin_x, origin_z)) = self.origin {
            let place = |origin, unit| (world(origin, unit) as f64).to_bits();
            self.tree.push(Node { field: fields.x, value: place(origin_x, x), ..inner });
            self.tree.push(Node { field: fields.z, value: place(origin_z, z), ..inner });
        }
        self.tree.push(Node { field: fields.raw_x, value: i64::from(x) as u64, ..inner });
        self.tree.push(Node { field: fields.raw_z, value: i64::from(z) as u64, ..inner });
    }
}
