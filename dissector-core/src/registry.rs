//! The field table, and layouts made ready to be read: built once from the book.

mod compile;
mod fields;
mod generated;
mod program;
mod refer;
mod table;

use once_cell::sync::Lazy;

use crate::field::{Base, Kind, Mask, ValueStrings};
use crate::layout::{channel, Family, Message, Sender};
use crate::tree::FieldId;
use crate::version::Build;

#[cfg(test)]
pub(crate) use program::least;
pub use program::Program;
pub(crate) use program::{
    bits, extent, reach_the_end, Check, Generated, ItemSteps, Meant, Op, PointFields, Reach, Register,
    RunStep, Step, Times, NO_REGISTER, REGISTERS,
};
use table::{Table, Wanted};

/// One field as epan registers it.
#[derive(Debug)]
pub struct Field {
    /// Filter name.
    pub name: String,
    /// Title in the tree.
    pub title: String,
    /// What a protocol is called in lists of protocols; empty for fields.
    pub short_name: &'static str,
    /// Type of its values, wide enough for every build that uses the name.
    pub kind: Kind,
    /// How it is written.
    pub base: Base,
    /// Names for its values.
    pub value_strings: ValueStrings,
    /// Unit shown behind its value; may be empty.
    pub unit: &'static str,
    /// Which bits carry it, one of them at a time; none where it is no bit of a word of up to [`Mask::WIDEST`] bytes.
    pub masks: Vec<Mask>,
    /// The protocol it belongs to; a protocol is its own.
    pub owner: FieldId,
    /// One line on what it is.
    pub blurb: String,
}

/// Messages of one build by command and sender.
#[derive(Debug)]
pub struct BuildTable {
    /// The build whose table it is.
    pub build: Build,
    game: ByCommand,
    bare: ByCommand,
}

/// By command and sender: one more than the number of a program, 0 for none.
#[derive(Debug, Default)]
struct ByCommand(Vec<u16>);

/// The field table and all programs.
#[derive(Debug)]
pub struct Registry {
    /// All fields; a [`FieldId`] is an index into it. Those of [`crate::fields`] come first, then the books'.
    pub fields: Vec<Field>,
    /// All programs of the game's books.
    pub programs: Vec<Program>,
    /// The programs of [`crate::book::bedrock`].
    pub bedrock: Vec<Program>,
    /// Programs of layouts that no page surely places in a build, likelier ones first: tried, never looked up.
    pub unplaced: Vec<Program>,
    /// What is wrong with the book: layouts named here have no program. A test holds it empty.
    pub problems: Vec<String>,
}

/// The registry of this project's book.
pub static REGISTRY: Lazy<Registry> = Lazy::new(|| {
    let mut table = with_fixed_fields();
    let programs = compile_all(&mut table, crate::book::MESSAGES);
    let bedrock = compile_all(&mut table, crate::book::bedrock::MESSAGES);
    let unplaced = compile_unplaced(&mut table);
    table.settle_owners();
    Registry { fields: table.fields, programs, bedrock, unplaced, problems: table.problems }
});

fn with_fixed_fields() -> Table {
    let mut table = Table::default();
    crate::fields::all().for_each(|spec| table.fixed(spec));
    table
}

/// The programs of messages, family by family; their fields go into the table.
fn compile_all(table: &mut Table, messages: &'static [&'static Message]) -> Vec<Program> {
    let mut families: Vec<(&'static Family, FieldId)> = Vec::new();
    for message in messages {
        if !families.iter().any(|(family, _)| *family == message.family) {
            families.push((message.family, family_field(table, message.family, messages)));
        }
    }
    let mut programs = Vec::new();
    for (family, id) in &families {
        let generated = generated::generated(table, family, messages);
        generated::link_fields(table, family, messages);
        for message in messages.iter().filter(|message| message.family == *family) {
            for layout in message.layouts {
                programs.extend(compile::compile(table, message, layout, *id, generated));
            }
        }
    }
    programs
}

/// The programs of layouts without a sure place; their messages are in the table already.
fn compile_unplaced(table: &mut Table) -> Vec<Program> {
    let mut programs = Vec::new();
    for (message, layouts) in crate::book::unplaced::UNPLACED {
        let family = family_field(table, message.family, crate::book::MESSAGES);
        let generated = generated::generated(table, message.family, crate::book::MESSAGES);
        for layout in *layouts {
            programs.extend(compile::compile(table, message, layout, family, generated));
        }
    }
    programs
}

impl Registry {
    /// Builds the registry from messages.
    pub fn new(messages: &'static [&'static Message]) -> Registry {
        let mut table = with_fixed_fields();
        let programs = compile_all(&mut table, messages);
        table.settle_owners();
        Registry {
            fields: table.fields,
            programs,
            bedrock: Vec::new(),
            unplaced: Vec::new(),
            problems: table.problems,
        }
    }

    /// Field by name.
    pub fn field(&self, name: &str) -> Option<FieldId> {
        self.fields.iter().position(|f| f.name == name).map(|i| i as FieldId)
    }

    /// The protocol that a filter name belongs to: the one named by its first part.
    pub fn owner_of(&self, name: &str) -> Option<FieldId> {
        let owner = self.field(name.split('.').next()?)?;
        self.fields[usize::from(owner)].kind.is_protocol().then_some(owner)
    }

    /// The program of a message in a build, with its command number there.
    pub fn program_of(&self, message: &str, build: Build) -> Option<(&Program, u16)> {
        self.programs.iter().filter(|program| program.message.name == message).find_map(|program| {
            let command = program.layout.commands.iter().find(|command| command.builds.holds(build))?;
            Some((program, command.number))
        })
    }

    /// The messages of a build.
    pub fn table(&self, build: Build) -> BuildTable {
        let mut table = BuildTable { build, game: ByCommand::default(), bare: ByCommand::default() };
        for (index, program) in self.programs.iter().enumerate() {
            let layout = program.layout;
            let by_command =
                if channel::has_net_id(layout.channel) { &mut table.game } else { &mut table.bare };
            for command in layout.commands.iter().filter(|command| command.builds.holds(build)) {
                by_command.set(layout.sender, command.number, index);
            }
        }
        table
    }
}

impl ByCommand {
    const fn place(sender: Sender, command: u16) -> usize {
        2 * command as usize + matches!(sender, Sender::Server) as usize
    }

    fn set(&mut self, sender: Sender, command: u16, program: usize) {
        let place = ByCommand::place(sender, command);
        if self.0.len() <= place {
            self.0.resize(place + 1, 0);
        }
        self.0[place] = u16::try_from(program + 1).unwrap_or(0);
    }

    #[inline]
    fn get(
        &self,
        registry: &'static Registry,
        sender: Option<Sender>,
        command: u16,
    ) -> Option<&'static Program> {
        let of = |sender| {
            let place = *self.0.get(ByCommand::place(sender, command))?;
            registry.programs.get(usize::from(place).checked_sub(1)?)
        };
        match sender {
            Some(sender) => of(sender),
            None => match (of(Sender::Client), of(Sender::Server)) {
                (Some(program), None) | (None, Some(program)) => Some(program),
                _ => None,
            },
        }
    }
}

impl BuildTable {
    /// The program of a command of the channels that carry a net id, whichever of them it came on. Where the sender
    /// is not known the command must mean one message only.
    #[inline]
    pub fn program(
        &self,
        registry: &'static Registry,
        sender: Option<Sender>,
        command: u16,
    ) -> Option<&'static Program> {
        self.game.get(registry, sender, command)
    }

    /// The program of a command of the registration channel, where the command byte is the whole header.
    #[inline]
    pub fn bare(
        &self,
        registry: &'static Registry,
        sender: Option<Sender>,
        command: u16,
    ) -> Option<&'static Program> {
        self.bare.get(registry, sender, command)
    }
}

fn family_field(table: &mut Table, family: &'static Family, messages: &[&'static Message]) -> FieldId {
    let names: Vec<_> = messages.iter().filter(|m| m.family == family).map(|m| m.name).collect();
    // A family inside another protocol is no protocol of its own.
    let kind = if family.prefix.contains('.') { Kind::Record } else { Kind::Family };
    let blurb = format!("Body of {}", names.join(", "));
    let id = table.want(Wanted::new(family.prefix.to_owned(), family.title, kind, Base::None, &blurb));
    table.name_family(id, family.short_name);
    id
}
