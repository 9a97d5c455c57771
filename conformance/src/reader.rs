//! Readers that vectors can be held against.

use dissector_core::decode::{read, Facts, Input};
use dissector_core::encode::{fields, Value};
use dissector_core::layout::channel;
use dissector_core::registry::{BuildTable, Registry, REGISTRY};
use dissector_core::tree::Tree;

use crate::vector::Vector;

/// What a reader made of a payload.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Name of the message whose layout it read.
    pub message: String,
    /// The fields of the body.
    pub fields: Value,
    /// Bytes left over behind the layout.
    pub rest: Vec<u8>,
    /// The field that could not be read, if the body ended early.
    pub cut: Option<String>,
}

/// Reads payloads into fields.
pub trait Reader {
    /// Told of all vectors before the first is read, for readers that read many at once.
    fn prepare(&mut self, vectors: &[Vector]) -> Result<(), String> {
        let _ = vectors;
        Ok(())
    }

    /// The registry whose layouts it reads by: vectors are written back by the same.
    fn registry(&self) -> &'static Registry {
        &REGISTRY
    }

    /// Reads a vector's payload; the error says why it cannot.
    fn read(&mut self, vector: &Vector) -> Result<Reading, String>;
}

/// The core itself: table, interpreter, nodes back into fields.
pub struct Core {
    registry: &'static Registry,
    tree: Tree,
    facts: Facts,
}

impl Default for Core {
    fn default() -> Core {
        Core::over(&REGISTRY)
    }
}

impl Core {
    /// The core with the layouts of another registry than the project's.
    pub fn over(registry: &'static Registry) -> Core {
        Core { registry, tree: Tree::default(), facts: Facts::default() }
    }
}

impl Reader for Core {
    fn registry(&self) -> &'static Registry {
        self.registry
    }

    fn read(&mut self, vector: &Vector) -> Result<Reading, String> {
        let (command, _, length) = vector.head().ok_or("no message header")?;
        let table = self.registry.table(vector.version);
        let of = if channel::has_net_id(vector.channel) { BuildTable::program } else { BuildTable::bare };
        let program = of(&table, self.registry, Some(vector.sender), command)
            .ok_or_else(|| format!("no layout for command {command} from a {}", vector.sender.name()))?;
        let body = &vector.bytes[length..];
        let input = Input {
            bytes: body,
            reported: body.len() as u32,
            base: length as u32,
            channel: Some(vector.channel),
            depth: 1,
            build: Some(vector.version),
            ..Input::default()
        };
        self.tree.clear();
        let end = read::<true>(program, &input, &mut self.tree, &mut self.facts);
        Ok(Reading {
            message: program.message.name.to_owned(),
            fields: fields(program, &self.tree.nodes, &input),
            rest: body[end.used as usize..].to_vec(),
            cut: end.cut.map(|cut| self.registry.fields[usize::from(cut.field)].name.clone()),
        })
    }
}
