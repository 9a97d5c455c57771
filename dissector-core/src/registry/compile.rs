//! Layouts into programs: every row gets its field id, every reference its register.

use super::program::*;
use super::refer::{find, forgetting, silencing, Found};
use super::table::{signed, unsigned, Table, Wanted};
use crate::field::{Base, Kind, Mask};
use crate::layout::{
    Count, Evidence, Extent, Info, Item, Layout, Meaning, Message, Presence, Role, Row, Run, Source, Type,
};
use crate::tree::FieldId;

/// A layout's program; problems go into the table.
pub(super) fn compile(
    table: &mut Table,
    message: &'static Message,
    layout: &'static Layout,
    family: FieldId,
    generated: Generated,
) -> Option<Program> {
    let before = table.problems.len();
    let at = format!("{} {}", message.name, layout.builds);
    let mut compiler = Compiler { table, at, scopes: Vec::new(), registers: 0 };
    let steps = compiler.block(layout.rows, message.family.prefix);
    if usize::from(compiler.registers) > REGISTERS {
        compiler.problem(format!("more than {REGISTERS} rows are referred to"));
    }
    // A later row may have given an earlier one its register, so this waits until all rows are made.
    let steps = silencing(forgetting(steps));
    let recorded = layout.page.source == Source::Beyond && layout.evidence <= Evidence::Accepted;
    (table.problems.len() == before).then_some(Program {
        message,
        layout,
        family,
        recorded,
        steps,
        generated,
    })
}

struct Compiler<'t> {
    table: &'t mut Table,
    at: String,
    /// The steps made so far of each record that is open, outermost first.
    scopes: Vec<Vec<Step>>,
    registers: Register,
}

impl Compiler<'_> {
    fn problem(&mut self, what: String) {
        self.table.problems.push(format!("{}: {what}", self.at));
    }

    fn block(&mut self, rows: &'static [Row], prefix: &str) -> Box<[Step]> {
        self.scopes.push(Vec::with_capacity(rows.len()));
        for row in rows {
            let name = format!("{prefix}.{}", row.filter.unwrap_or(row.name));
            let present = self.check(row.present, &name);
            let step = self.step(row, &row.ty, &name, present);
            if let Some(scope) = self.scopes.last_mut() {
                scope.push(step);
            }
        }
        self.scopes.pop().unwrap_or_default().into_boxed_slice()
    }

    fn step(&mut self, row: &'static Row, ty: &'static Type, name: &str, present: Check) -> Step {
        let field = self.field(row, ty, name);
        let op = match ty {
            Type::Int { bytes, signed } => Op::Int { size: *bytes, signed: *signed },
            Type::BigEndian { bytes, signed } => Op::BigEndian { size: *bytes, signed: *signed },
            Type::Varint { bits } => Op::Varint { bits: *bits },
            Type::ZigZag { bits } => Op::ZigZag { bits: *bits },
            Type::Bool => Op::Bool,
            Type::F32 => Op::F32,
            Type::Bits { bytes, runs } => self.bits(row, name, *bytes, runs),
            Type::BitArray { count, runs } => self.bit_array(row, name, *count, runs),
            Type::Record(rows) => self.record(rows, name),
            Type::Struct(def) => self.record(def.rows, name),
            Type::List { count, of } => {
                let times = self.times(*count, name);
                Op::List { times, item: self.item(row, of, name) }
            }
            Type::ListBytes { bytes, of } => {
                let size = self.register(bytes, name);
                Op::ListBytes { size, item: self.item(row, of, name) }
            }
            Type::Text(extent) => Op::Text(self.reach(*extent, name)),
            Type::Bytes(extent) => Op::Bytes(self.reach(*extent, name)),
        };
        let info = if matches!(row.info, Info::Items(_)) && !is_list(&op) { Info::None } else { row.info };
        let also = row.also.and_then(|also| match ty {
            Type::Int { .. } => Some(self.field(row, ty, also)),
            _ => {
                self.problem(format!("{name}: only a whole number has another name"));
                None
            }
        });
        let converted = self.converted(row, name);
        let meaning = self.meaning(row, ty, name);
        let noted = row.role != Role::None
            || info != Info::None
            || also.is_some()
            || !matches!(meaning, Meant::Nothing);
        Step {
            row,
            field,
            present,
            keep: NO_REGISTER,
            noted,
            told: !matches!(row.role, Role::First(_)),
            role: row.role,
            also,
            converted,
            meaning,
            info,
            forget: Box::new([]),
            op,
        }
    }

    fn meaning(&mut self, row: &'static Row, ty: &'static Type, name: &str) -> Meant {
        match (row.meaning, ty) {
            (Meaning::None, _) => Meant::Nothing,
            (Meaning::Values(value_strings), Type::Int { .. }) => Meant::Values(value_strings),
            (Meaning::Bits(runs), Type::Int { bytes, .. }) => {
                if runs.iter().any(|run| run.last >= 8 * bytes) {
                    self.problem(format!("{name}: a number of {bytes} bytes cannot hold its runs"));
                }
                Meant::Bits(self.runs(name, Some(*bytes), runs))
            }
            _ => {
                self.problem(format!("{name}: only a whole number has values or bits with a meaning"));
                Meant::Nothing
            }
        }
    }

    fn field(&mut self, row: &'static Row, ty: &'static Type, name: &str) -> FieldId {
        let (kind, base) = kind_of(ty, row.role);
        let plain = Wanted::new(name.to_owned(), row.title, kind, base, row.blurb);
        self.table.want(Wanted { value_strings: row.value_strings, unit: row.unit, ..plain })
    }

    /// The field of the node that says a value in other units.
    fn converted(&mut self, row: &'static Row, name: &str) -> Option<FieldId> {
        let (part, title, kind, base, how) = match row.role {
            Role::Turn => {
                ("degrees", "Degrees", Kind::Double, Base::None, "in degrees, from -180 up to 178.59375")
            }
            Role::Packed(_) => (
                "world",
                "World units",
                Kind::I32,
                Base::Dec,
                "in world units, once the map's origin is known",
            ),
            _ => return None,
        };
        let (name, blurb) = (format!("{name}.{part}"), format!("{} {how}", row.title));
        Some(self.table.want(Wanted::new(name, title, kind, base, &blurb)))
    }

    fn flag(&mut self, name: &str) -> FieldId {
        let name = format!("{name}.present");
        self.table.want(Wanted::new(name, "Present", Kind::Bool, Base::None, "Whether the value follows"))
    }

    fn raw(&mut self, row: &'static Row, name: &str, kind: Kind) -> FieldId {
        let (base, what) = match kind {
            Kind::Bytes => (Base::None, "Bytes"),
            _ => (Base::Hex, "Word"),
        };
        let blurb = format!("{} as the bytes carry it, before it is taken apart", row.title);
        self.table.want(Wanted::new(format!("{name}.raw"), what, kind, base, &blurb))
    }

    fn bits(&mut self, row: &'static Row, name: &str, size: u8, runs: &'static [Run]) -> Op {
        let bits = 8 * u32::from(size);
        if !matches!(size, 1 | 2 | 4 | 8) || runs.iter().any(|run| u32::from(run.last) >= bits) {
            self.problem(format!("{name}: a word of {size} bytes cannot hold its runs"));
        }
        let raw = self.raw(row, name, unsigned(bits));
        Op::Bits { size, raw, runs: self.runs(name, Some(size), runs) }
    }

    fn bit_array(&mut self, row: &'static Row, name: &str, count: Count, runs: &'static [Run]) -> Op {
        let times = self.times(count, name);
        if matches!(times, Times::ToEnd) {
            self.problem(format!("{name}: groups of bits need a count"));
        }
        let raw = self.raw(row, name, Kind::Bytes);
        let stride = runs.iter().map(|run| run.last + 1).max().unwrap_or(1);
        Op::BitArray { times, raw, stride, runs: self.runs(name, None, runs) }
    }

    /// The field of a run of so many bits: a flag of a word that epan can mask is a yes or no.
    fn run(&mut self, name: &str, run: &'static Run, size: Option<u8>, count: u8) -> FieldId {
        let mask = size.filter(|size| run.is_flag && *size <= Mask::WIDEST);
        let mask = mask.map(|bytes| Mask { bit: run.first, bytes });
        let (kind, base) = match mask {
            Some(_) => (Kind::Bool, Base::None),
            None => (unsigned(u32::from(count)), Base::Dec),
        };
        let plain = Wanted::new(format!("{name}.{}", run.name), run.title, kind, base, run.blurb);
        self.table.want(Wanted { value_strings: run.value_strings, mask, ..plain })
    }

    /// The runs of a word of so many bytes, or of groups of bits without padding.
    fn runs(&mut self, name: &str, size: Option<u8>, runs: &'static [Run]) -> Box<[RunStep]> {
        let mut taken = 0u64;
        let mut steps = Vec::with_capacity(runs.len());
        for run in runs {
            if run.first > run.last || run.last > 63 || run.is_flag && run.first != run.last {
                self.problem(format!("{name}.{}: bits {} to {} are no run", run.name, run.first, run.last));
                continue;
            }
            let count = run.last - run.first + 1;
            let mask = u64::MAX >> (64 - u32::from(count));
            if taken & mask << run.first != 0 {
                self.problem(format!("{name}.{}: overlaps another run", run.name));
            }
            taken |= mask << run.first;
            let field = self.run(name, run, size, count);
            let also = run.also.map(|also| {
                let name = also.to_owned();
                self.table.want(Wanted::new(name, run.title, Kind::Bool, Base::None, run.blurb))
            });
            let is_unused = run.name.starts_with("unused") || run.name.starts_with("unknown");
            steps.push(RunStep {
                run,
                field,
                keep: NO_REGISTER,
                also,
                first: run.first,
                count,
                mask,
                is_unused,
            });
        }
        steps.into_boxed_slice()
    }

    fn record(&mut self, rows: &'static [Row], name: &str) -> Op {
        let steps = self.block(rows, name);
        let path = steps.iter().any(|step| matches!(step.role, Role::First(_)));
        Op::Record { steps, path }
    }

    fn item(&mut self, row: &'static Row, of: &'static Item, name: &str) -> ItemSteps {
        let steps = match of {
            Item::Record(rows) => self.block(rows, name),
            Item::Struct(def) => self.block(def.rows, name),
            Item::Plain(ty) => {
                self.scopes.push(Vec::new());
                let step = self.step(row, ty, name, Check::Always);
                self.scopes.pop();
                Box::new([step])
            }
        };
        ItemSteps {
            record: !matches!(of, Item::Plain(_)),
            points: steps.iter().any(|step| matches!(step.role, Role::Point(_))),
            least: least(&steps),
            steps,
        }
    }

    fn times(&mut self, count: Count, name: &str) -> Times {
        match count {
            Count::In(path) => Times::In(self.register(path, name)),
            Count::InLess1(path) => Times::InLess1(self.register(path, name)),
            Count::InUnlessOn(path, channel) => Times::InUnlessOn(self.register(path, name), channel),
            Count::InSigned(path) => {
                let (register, bits) = self.register_and_bits(path, name);
                Times::InSigned(register, bits)
            }
            Count::Fixed(count) => Times::Fixed(count),
            Count::ToEnd => Times::ToEnd,
        }
    }

    fn reach(&mut self, extent: Extent, name: &str) -> Reach {
        match extent {
            Extent::Zero => Reach::Zero,
            Extent::Fixed(size) => Reach::Fixed(size),
            Extent::In(path) => Reach::In(self.register(path, name)),
            Extent::Rest => Reach::Rest,
        }
    }

    fn check(&mut self, present: Presence, name: &str) -> Check {
        match present {
            Presence::Always => Check::Always,
            Presence::UnlessAlone(path, run) => self.alone_check(path, run, name),
            Presence::Remaining => Check::Remaining,
            Presence::Flagged => Check::Flagged(self.flag(name)),
            Presence::Set(path) => Check::Set(self.register(path, name)),
            Presence::Is(path, value) => Check::Is(self.register(path, name), value),
            Presence::GroupIs(path, run, value) => self.group_check(path, run, value, name),
        }
    }

    fn group_check(&mut self, path: &str, run: &str, value: i64, name: &str) -> Check {
        let found = find(&mut self.scopes, path, &mut self.registers).and_then(|found| match found {
            Found::Step(Step { op: Op::BitArray { stride, runs, .. }, keep, .. }) => {
                let run = runs.iter().find(|step| step.run.name == run)?;
                Some(GroupCheck { array: *keep, stride: *stride, first: run.first, width: run.count, value })
            }
            _ => None,
        });
        found.map(Check::Group).unwrap_or_else(|| {
            self.problem(format!("{name}: no bit array {path} with a run {run} before it"));
            Check::Always
        })
    }

    fn alone_check(&mut self, path: &str, run: &str, name: &str) -> Check {
        let found = find(&mut self.scopes, path, &mut self.registers).and_then(|found| match found {
            Found::Step(Step { op: Op::Bits { runs, .. }, keep, .. }) => {
                let run = runs.iter().find(|step| step.run.name == run)?;
                Some(Check::IsNot(*keep, (run.mask << run.first) as i64))
            }
            _ => None,
        });
        found.unwrap_or_else(|| {
            self.problem(format!("{name}: no word {path} with a run {run} before it"));
            Check::Always
        })
    }

    fn register(&mut self, path: &str, name: &str) -> Register {
        self.register_and_bits(path, name).0
    }

    fn register_and_bits(&mut self, path: &str, name: &str) -> (Register, u8) {
        let found = find(&mut self.scopes, path, &mut self.registers).and_then(|found| match found {
            Found::Step(Step { op: Op::Int { size, .. } | Op::Bits { size, .. }, keep, .. }) => {
                Some((*keep, 8 * size))
            }
            Found::Run(run) => Some((run.keep, run.count)),
            Found::Step(_) => None,
        });
        found.unwrap_or_else(|| {
            self.problem(format!("{name}: no whole number {path} before it"));
            (0, 1)
        })
    }
}

fn is_list(op: &Op) -> bool {
    matches!(op, Op::List { .. } | Op::ListBytes { .. })
}

/// The kind and base of a row's field.
fn kind_of(ty: &Type, role: Role) -> (Kind, Base) {
    match ty {
        Type::Int { bytes, signed: sign } => {
            let bits = 8 * u32::from(*bytes);
            let base = if matches!(role, Role::Unit | Role::NameHash(_)) { Base::HexDec } else { Base::Dec };
            (if *sign { signed(bits) } else { unsigned(bits) }, base)
        }
        Type::BigEndian { bytes, signed: sign } => {
            let bits = 8 * u32::from(*bytes);
            (if *sign { signed(bits) } else { unsigned(bits) }, Base::Dec)
        }
        Type::Varint { bits } => (unsigned(u32::from(*bits)), Base::Dec),
        Type::ZigZag { bits } => (signed(u32::from(*bits)), Base::Dec),
        Type::Bool => (Kind::Bool, Base::None),
        Type::F32 => (Kind::Double, Base::None),
        Type::Text(_) => (Kind::Text, Base::None),
        Type::Bytes(_) => (Kind::Bytes, Base::None),
        Type::List { of: Item::Plain(ty), .. } | Type::ListBytes { of: Item::Plain(ty), .. } => {
            kind_of(ty, role)
        }
        Type::Bits { .. }
        | Type::BitArray { .. }
        | Type::Record(_)
        | Type::Struct(_)
        | Type::List { .. }
        | Type::ListBytes { .. } => (Kind::Record, Base::None),
    }
}
