//! Fields → bytes, the inverse of [`crate::decode`], and nodes → fields.

mod collect;
mod value;
mod write;

use crate::container::EXTENDED;
use crate::layout::channel;
use crate::registry::Program;
use crate::version::Build;

pub use collect::fields;
pub use value::{EncodeError, Value};

/// Writes what precedes the body of a message: on a channel with net ids the command and the net id, the command
/// behind it in 16 bits where a byte cannot carry it; on others the command byte alone.
pub fn head(channel: u8, command: u16, net_id: u32, into: &mut Vec<u8>) {
    let byte = u8::try_from(command).ok().filter(|command| *command < EXTENDED);
    into.push(byte.unwrap_or(EXTENDED));
    if channel::has_net_id(channel) {
        into.extend(net_id.to_le_bytes());
        if byte.is_none() {
            into.extend(command.to_le_bytes());
        }
    }
}

/// The body of a message. The channel matters where a count holds on some channels only.
pub fn body(program: &Program, channel: Option<u8>, fields: &Value) -> Result<Vec<u8>, EncodeError> {
    write::body(program, channel, fields)
}

/// A whole message: header and body. The net id is not written on a channel that has none.
pub fn message(
    program: &Program,
    build: Build,
    net_id: u32,
    channel: Option<u8>,
    fields: &Value,
) -> Result<Vec<u8>, EncodeError> {
    let command = program.layout.commands.iter().find(|command| command.builds.holds(build));
    let command = command.ok_or(EncodeError::NoCommand {
        message: program.message.name,
        build,
        builds: program.layout.builds,
    })?;
    let mut bytes = Vec::new();
    head(program.layout.channel, command.number, net_id, &mut bytes);
    bytes.extend(body(program, channel, fields)?);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::head::Head;

    #[test]
    fn headers_are_read_as_written() {
        for (command, length) in [(0, 5), (101, 5), (253, 5), (254, 7), (255, 7), (256, 7), (65535, 7)] {
            let mut bytes = Vec::new();
            head(channel::EVENTS, command, 0x4000_0019, &mut bytes);
            assert_eq!(Head::new(&bytes).read(), Ok((command, 0x4000_0019, length)));
        }
    }

    #[test]
    fn registration_has_a_command_alone() {
        let mut bytes = Vec::new();
        head(channel::REGISTRATION, 0, 7, &mut bytes);
        assert_eq!(bytes, [0]);
    }
}
