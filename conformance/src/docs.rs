//! The tables of `docs/`, written from the book and from the registry that the plugin registers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use dissector_core::book::{bedrock, named_only, unplaced};
use dissector_core::field::{Base, Kind};
use dissector_core::fields;
use dissector_core::layout::{channel_name, Layout, Message, Page, Source};
use dissector_core::registry::{Field, Program, Registry};
use dissector_core::tree::FieldId;
use dissector_core::version::{Build, Range};

const MESSAGES: &str = "\
# Messages

Every layout the reader knows, written from `dissector-core/src/book/` by `cargo run --example make-docs`; a test holds
this file to what it writes.

A message is looked up by build, sender and command, whatever channel it comes on; the channel here is the one its page
names. A page is called by its own title and the builds it states; *beyond the pages* stands where none does, and
recordings or a client bear the layout out. Evidence: *recorded*, recorded messages of one of these builds read to their
last byte with this layout; *accepted*, a client of one of these builds has taken messages written with it; *page*, a
page states it; *inferred*, a part of it follows from other layouts; *not recorded*, a page names the message and no
more. In a build outside these ranges no page gives a message a layout; what is tried there:
[below](#tried-between-the-pages).
";

/// `docs/messages.md`: each message with its layouts, their builds, commands, pages and evidence.
pub fn messages(book: &[&Message]) -> String {
    let mut text = MESSAGES.to_owned();
    let mut families: Vec<&str> = Vec::new();
    for message in book {
        if !families.contains(&message.family.prefix) {
            families.push(message.family.prefix);
            let about = format!("\n## {} (`{}`)\n", message.family.title, message.family.prefix);
            text.push_str(&about);
            text.push_str("\n| message | builds | command | sender, channel | page | evidence |\n|---|---|---|---|---|---|\n");
            for message in book.iter().filter(|other| other.family == message.family) {
                named_only::NAMED_ONLY
                    .iter()
                    .filter(|(named, _)| std::ptr::eq(*named, *message))
                    .for_each(|(_, page)| text.push_str(&named_row(message, page)));
                message.layouts.iter().for_each(|layout| text.push_str(&layout_row(message, layout)));
            }
        }
    }
    text
}

/// A message that a page names without its command or layout.
fn named_row(message: &Message, page: &Page) -> String {
    format!("| {} | {} |  |  | {} | not recorded |\n", message.name, page.builds, stated(page))
}

/// What states a layout: the title of a page, with its builds, since two pages have one title.
fn stated(page: &Page) -> String {
    match page.source {
        Source::Page => format!("{}, {}", page.title, page.builds),
        Source::Untitled => format!("{}, a page without a title", page.title),
        Source::Beyond => page.title.to_owned(),
    }
}

fn layout_row(message: &Message, layout: &Layout) -> String {
    let commands: Vec<_> = layout
        .commands
        .iter()
        .map(|command| match layout.commands.len() {
            1 => command.number.to_string(),
            _ => format!("{} ({})", command.number, command.builds),
        })
        .collect();
    format!(
        "| {} | {} | {} | {}, {} | {} | {} |\n",
        message.name,
        layout.builds,
        commands.join(", "),
        layout.sender.name(),
        channel_name(layout.channel).unwrap_or("other"),
        stated(layout.page),
        layout.evidence.name()
    )
}

const BEDROCK: &str = "
## Minecraft Bedrock (`bedrock`)

Protocol numbers stand where builds do. The page states protocol 2208; the earlier ones are as other readers and writers
of the protocol have them.

| packet | protocols | number | sender | page |
|---|---|---|---|---|
";

const TRIED: &str = "
## Tried between the pages

Layouts that no page surely places in a build. They are tried on whole sessions, and taken only where many bodies are used
up exactly. So are, in builds that no page holds, the layouts above: those that the name of a command leads to, and after
1.0.0.131 those that the nearest builds with a page have under its number (`lol.layout.basis` neighbour).

| message | tried in builds | sender, channel | page | evidence |
|---|---|---|---|---|
";

/// The layouts without a sure place, to be put behind [`messages`].
pub fn tried() -> String {
    let mut text = TRIED.to_owned();
    for (message, layouts) in unplaced::UNPLACED {
        for layout in *layouts {
            let row = format!(
                "| {} | {} | {}, {} | {} | {} |\n",
                message.name,
                layout.builds,
                layout.sender.name(),
                channel_name(layout.channel).unwrap_or("other"),
                stated(layout.page),
                layout.evidence.name()
            );
            text.push_str(&row);
        }
    }
    text
}

/// The packets of the Bedrock book, to be put behind [`messages`].
pub fn packets() -> String {
    let mut text = BEDROCK.to_owned();
    for message in bedrock::MESSAGES {
        for layout in message.layouts {
            let number = layout.commands.first().map_or_else(String::new, |c| c.number.to_string());
            let row = format!(
                "| {} | {} | {number} | {} | {} |\n",
                message.name,
                protocols(layout.builds),
                layout.sender.name(),
                match layout.page.source {
                    Source::Beyond => layout.page.title.to_owned(),
                    _ => format!("{}, protocol {}", layout.page.title, protocols(layout.page.builds)),
                },
            );
            text.push_str(&row);
        }
    }
    text
}

fn protocols(range: Range) -> String {
    let [from, until] = [range.from, range.until].map(|build| build.parts()[3]);
    if from == until {
        from.to_string()
    } else {
        format!("{from}–{until}")
    }
}

const FIELDS: &str = "\
# Fields

Every filter name the plugin registers, written from its tables of fields and expert items by `cargo run --example make-docs`; a test
holds this file to what it writes. The type is the one filters compare with: numbers are as wide as any build needs;
`record` only holds others, `family` is a protocol of its own inside the game's: the body of a message. A unit behind the
type stands behind the value too where it is shown; filters and exports have the number alone. Floats are `double` and
hold the shortest decimal that reads back as the float on the wire, so what is shown can be typed. `yes or no` is 1 or 0
in filters of every Wireshark. Builds are those of the messages' layouts that hold
the field, tried ones included; a field without messages does not depend on the build.

| filter | type | title | messages | builds | what it is |
|---|---|---|---|---|---|
";

/// `docs/fields.md`: each field of the registry with the messages and builds that have it.
pub fn fields(registry: &Registry) -> String {
    let mut holders: BTreeMap<FieldId, Holders<'_>> = BTreeMap::new();
    for program in registry.programs.iter().chain(&registry.bedrock).chain(&registry.unplaced) {
        for field in program.fields() {
            holders.entry(field).or_default().take(program);
        }
    }
    let mut text = FIELDS.to_owned();
    let mut order: Vec<_> = (0..registry.fields.len()).collect();
    order.sort_by_key(|index| registry.fields[*index].name.as_str());
    for index in order {
        let field = &registry.fields[index];
        // What links a message with others is worked out for any message of its family.
        let family = field.name.split_once('.').and_then(|(prefix, _)| registry.field(prefix));
        let held = holders.get(&(index as FieldId)).or_else(|| holders.get(&family?));
        let held = held.cloned().unwrap_or_default();
        writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} |",
            field.name,
            kind_name(field),
            field.title,
            held.messages(),
            held.builds(),
            field.blurb.replace('|', "\\|"),
        )
        .expect("a String takes all text");
    }
    text
}

const EXPERTS: &str = "
## Expert items

Filters that find the packets of which something is said in *Expert Information*, and what is said where nothing more exact is.

| filter | group | severity | what it says |
|---|---|---|---|
";

/// The filters of expert items, to be put behind [`fields`].
pub fn experts() -> String {
    let mut all: Vec<_> = fields::experts().collect();
    all.sort_by_key(|expert| expert.name);
    let mut text = EXPERTS.to_owned();
    for expert in all {
        let (group, severity) = (format!("{:?}", expert.group), format!("{:?}", expert.severity));
        let row = format!(
            "| `{}` | {} | {} | {} |\n",
            expert.name,
            group.to_lowercase(),
            severity.to_lowercase(),
            expert.text
        );
        text.push_str(&row);
    }
    text
}

/// Messages that have a field, and the builds they have it in.
#[derive(Clone, Default)]
struct Holders<'r> {
    messages: Vec<&'r str>,
    ranges: BTreeSet<(Build, Build)>,
    protocols: bool,
}

/// Messages named one by one; more are told by their number.
const MOST_NAMED: usize = 6;

impl<'r> Holders<'r> {
    fn take(&mut self, program: &'r Program) {
        if !self.messages.contains(&program.message.name) {
            self.messages.push(program.message.name);
        }
        self.ranges.insert((program.layout.builds.from, program.layout.builds.until));
        self.protocols |= bedrock::MESSAGES.iter().any(|message| message.name == program.message.name);
    }

    fn messages(&self) -> String {
        match self.messages.len() {
            count if count > MOST_NAMED => format!("{count} messages"),
            _ => self.messages.join(", "),
        }
    }

    /// The ranges, those that meet or overlap taken together.
    fn builds(&self) -> String {
        let mut joined: Vec<Range> = Vec::new();
        for &(from, until) in &self.ranges {
            match joined.last_mut() {
                Some(last) if meets(last.until, from) => last.until = last.until.max(until),
                _ => joined.push(Range { from, until }),
            }
        }
        let text = |range: &Range| match self.protocols {
            true => format!("protocol {}", protocols(*range)),
            false => range.to_string(),
        };
        joined.iter().map(text).collect::<Vec<_>>().join(", ")
    }
}

/// Whether a range that begins with `from` goes on where one ends with `until`.
fn meets(until: Build, from: Build) -> bool {
    from.number() <= until.number() + 1
}

fn kind_name(field: &Field) -> String {
    let name = match field.kind {
        Kind::Protocol => "protocol",
        Kind::Family => "family",
        Kind::Record => "record",
        Kind::U8 => "u8",
        Kind::U16 => "u16",
        Kind::U32 => "u32",
        Kind::U64 => "u64",
        Kind::I8 => "i8",
        Kind::I16 => "i16",
        Kind::I32 => "i32",
        Kind::I64 => "i64",
        Kind::Double => "double",
        Kind::Bool => "yes or no",
        Kind::Text => "text",
        Kind::Bytes => "bytes",
        Kind::Frame => "frame number",
        Kind::Duration => "duration",
    };
    let base = match field.base {
        Base::Hex | Base::HexDec => ", hexadecimal",
        Base::None | Base::Dec => "",
    };
    let unit = if field.unit.is_empty() { String::new() } else { format!(", {}", field.unit) };
    format!("{name}{base}{unit}")
}
