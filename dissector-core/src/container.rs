//! Several messages in one payload: command byte 0xFF, a count, then messages that share what they can.

/// Command byte of a container.
pub const CONTAINER: u8 = 0xFF;
/// Command byte that says the real command is a u16 at the start of the body.
pub const EXTENDED: u8 = 0xFE;

/// Bytes of the command byte and the network id before a body.
const HEADER: usize = 5;
/// Size bits of a following message that say a size byte comes after the network id.
const LONG: u8 = 63;
const SAME_COMMAND: u8 = 1;
const DELTA: u8 = 2;

/// A part of a container.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// How many messages follow, 1 byte: 0 to 255.
    Count,
    /// The size byte of the first message, or the byte of flags and size of another.
    Size,
    /// The command byte; left out where the message has that of the one before.
    Command,
    /// The network id, 4 bytes, or its difference to the one before, 1 signed byte.
    NetId,
    /// The size byte of a message whose size does not fit beside its flags.
    ExtraSize,
    /// The body, as long as the size byte says.
    Body,
}

/// A run of bytes of a payload; it may reach past what was captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Span {
    /// First byte, counted from the start of the payload.
    pub offset: u32,
    /// How many bytes, on the wire.
    pub len: u32,
}

impl Span {
    fn new(offset: usize, len: usize) -> Span {
        Span { offset: offset as u32, len: len as u32 }
    }

    /// The bytes of it that were captured.
    pub fn of(self, payload: &[u8]) -> &[u8] {
        let rest = payload.get(self.offset as usize..).unwrap_or(&[]);
        &rest[..rest.len().min(self.len as usize)]
    }
}

/// One message of a container.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inner {
    /// Its place in the container, from 0.
    pub index: u8,
    /// All of it, from its size byte to the end of its body.
    pub all: Span,
    /// Its size byte (the first message) or its byte of flags and size, and what that byte holds.
    pub size: (Span, u8),
    /// Whether it has the command of the message before it and no command byte.
    pub same_command: bool,
    /// Its command byte: 254 says that the body begins with the real command; 255 would be a container in a
    /// container, which no sender writes and this reader does not open.
    pub command: u8,
    /// Its command byte; `None` where it has that of the message before.
    pub command_at: Option<Span>,
    /// The network id, with a stated difference added to the one before.
    pub net_id: u32,
    /// Its network id: 4 bytes, or 1 for a difference.
    pub net_id_at: Span,
    /// The difference to the network id of the message before, where it states that.
    pub net_id_delta: Option<i8>,
    /// Its size byte after the network id, where it has one.
    pub extra_size: Option<Span>,
    /// Its body, with the two bytes of an extended command.
    pub body: Span,
}

impl Inner {
    /// The command: the command byte, or the u16 at the start of the body where that byte is 254.
    ///
    /// `None` where the body is too short to hold it.
    pub fn full_command(&self, payload: &[u8]) -> Option<u16> {
        if self.command != EXTENDED {
            return Some(self.command.into());
        }
        self.body.of(payload).first_chunk().map(|bytes| u16::from_le_bytes(*bytes))
    }

    /// The body behind the command: all of it, or less the two bytes of an extended command.
    pub fn fields(&self) -> Span {
        let taken = if self.command == EXTENDED { self.body.len.min(2) } else { 0 };
        Span { offset: self.body.offset + taken, len: self.body.len - taken }
    }
}

/// Where and why a container could not be read further.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stop {
    /// What could not be read.
    pub part: Part,
    /// Place of its message, from 0.
    pub index: u8,
    /// First byte of it, counted from the start of the payload.
    pub offset: u32,
    /// Bytes it needs; for a first size below 5, which cannot hold command and network id: 5.
    pub needs: u32,
    /// Bytes that are there, fewer than it needs.
    pub left: u32,
    /// True where the capture, not the sender, left the bytes out.
    pub short: bool,
    /// Its message, where all but the body could be read; the body's span is the one stated.
    pub partial: Option<Inner>,
}

/// Takes a container apart: each message as `Ok`, then at most one `Err` that says what could not be read.
#[derive(Clone, Debug)]
pub struct Messages<'a> {
    payload: &'a [u8],
    reported: usize,
    count: Option<u8>,
    next: u8,
    at: usize,
    before: Option<(u8, u32)>,
    done: bool,
}

impl<'a> Messages<'a> {
    /// The messages of a payload whose first byte is 0xFF; `reported` is its length on the wire.
    ///
    /// `None` where it is not a container.
    pub fn new(payload: &'a [u8], reported: usize) -> Option<Messages<'a>> {
        (payload.first() == Some(&CONTAINER)).then(|| Messages {
            payload,
            reported: reported.max(payload.len()),
            count: payload.get(1).copied(),
            next: 0,
            at: 2,
            before: None,
            done: false,
        })
    }

    /// How many messages it says it holds; `None` where the byte is missing.
    pub fn stated(&self) -> Option<u8> {
        self.count
    }

    /// How many messages were read so far, 0 to 255.
    pub fn read(&self) -> u8 {
        self.next
    }

    /// What follows the last message: empty in a sound container. Of use once the messages are used up.
    pub fn left_over(&self) -> Span {
        Span::new(self.at, self.reported.saturating_sub(self.at))
    }

    fn stop(&self, part: Part, offset: usize, needs: usize) -> Stop {
        let short = offset + needs <= self.reported;
        let there = if short { self.payload.len() } else { self.reported };
        Stop {
            part,
            index: self.next,
            offset: offset as u32,
            needs: needs as u32,
            left: there.saturating_sub(offset) as u32,
            short,
            partial: None,
        }
    }

    fn take<const N: usize>(&self, at: &mut usize, part: Part) -> Result<([u8; N], Span), Stop> {
        let rest = self.payload.get(*at..).unwrap_or(&[]);
        let bytes = rest.first_chunk().ok_or_else(|| self.stop(part, *at, N))?;
        let span = Span::new(*at, N);
        *at += N;
        Ok((*bytes, span))
    }

    /// The message, if its body is all there.
    fn whole(&self, inner: Inner) -> Result<Inner, Stop> {
        let (at, len) = (inner.body.offset as usize, inner.body.len as usize);
        if at + len > self.payload.len() {
            return Err(Stop { partial: Some(inner), ..self.stop(Part::Body, at, len) });
        }
        Ok(inner)
    }

    fn first(&self) -> Result<Inner, Stop> {
        let mut at = self.at;
        let ([size], size_at) = self.take(&mut at, Part::Size)?;
        let len = (size as usize).checked_sub(HEADER).ok_or(Stop {
            short: false,
            left: size.into(),
            ..self.stop(Part::Size, self.at, HEADER)
        })?;
        let ([command], command_at) = self.take(&mut at, Part::Command)?;
        let (net_id, net_id_at) = self.take(&mut at, Part::NetId)?;
        self.whole(Inner {
            index: self.next,
            all: Span::new(self.at, at + len - self.at),
            size: (size_at, size),
            same_command: false,
            command,
            command_at: Some(command_at),
            net_id: u32::from_le_bytes(net_id),
            net_id_at,
            net_id_delta: None,
            extra_size: None,
            body: Span::new(at, len),
        })
    }

    fn following(&self, before: (u8, u32)) -> Result<Inner, Stop> {
        let mut at = self.at;
        let ([word], size_at) = self.take(&mut at, Part::Size)?;
        let same_command = word & SAME_COMMAND != 0;
        let (mut command, mut command_at) = (before.0, None);
        if !same_command {
            let ([byte], span) = self.take(&mut at, Part::Command)?;
            (command, command_at) = (byte, Some(span));
        }
        let (net_id, net_id_at, net_id_delta);
        if word & DELTA != 0 {
            let ([byte], span) = self.take(&mut at, Part::NetId)?;
            let delta = byte as i8;
            (net_id, net_id_at) = (before.1.wrapping_add_signed(delta.into()), span);
            net_id_delta = Some(delta);
        } else {
            let (bytes, span) = self.take(&mut at, Part::NetId)?;
            (net_id, net_id_at, net_id_delta) = (u32::from_le_bytes(bytes), span, None);
        }
        let (mut len, mut extra_size) = (word >> 2, None);
        if len == LONG {
            let ([byte], span) = self.take(&mut at, Part::ExtraSize)?;
            (len, extra_size) = (byte, Some(span));
        }
        self.whole(Inner {
            index: self.next,
            all: Span::new(self.at, at + usize::from(len) - self.at),
            size: (size_at, word),
            same_command,
            command,
            command_at,
            net_id,
            net_id_at,
            net_id_delta,
            extra_size,
            body: Span::new(at, len.into()),
        })
    }
}

impl Iterator for Messages<'_> {
    type Item = Result<Inner, Stop>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let Some(count) = self.count else {
            self.done = true;
            return Some(Err(self.stop(Part::Count, 1, 1)));
        };
        if self.next >= count {
            self.done = true;
            return None;
        }
        let read = match self.before {
            None => self.first(),
            Some(before) => self.following(before),
        };
        match &read {
            Ok(inner) => {
                self.at += inner.all.len as usize;
                self.before = Some((inner.command, inner.net_id));
                self.next += 1;
            }
            Err(_) => self.done = true,
        }
        Some(read)
    }
}

/// A message to be put into a container.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outgoing<'a> {
    /// Its command byte; for an extended command 0xFE, with the command first in `body`.
    pub command: u8,
    /// The network id of the unit it is about, 0 for none.
    pub net_id: u32,
    /// Its body: at most 250 bytes for the first of a container, 255 for others.
    pub body: &'a [u8],
}

/// Why messages do not fit into a container.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TooMuch {
    /// More messages than the count can state.
    #[error("a container holds at most 255 messages, got {0}")]
    Messages(usize),
    /// A body longer than its size can state.
    #[error("body of message {index} must be at most {most} bytes, got {len}")]
    Body {
        /// Place of the message, from 0.
        index: usize,
        /// Bytes that fit: 250 for the first message, 255 for others.
        most: usize,
        /// Bytes that were given.
        len: usize,
    },
}

/// Appends a container with these messages to `out`; each shares with the one before what it can. On an error
/// `out` is left as it was.
pub fn write(messages: &[Outgoing<'_>], out: &mut Vec<u8>) -> Result<(), TooMuch> {
    let count = u8::try_from(messages.len()).map_err(|_| TooMuch::Messages(messages.len()))?;
    for (index, message) in messages.iter().enumerate() {
        let (most, len) = (if index == 0 { 255 - HEADER } else { 255 }, message.body.len());
        if len > most {
            return Err(TooMuch::Body { index, most, len });
        }
    }
    out.extend([CONTAINER, count]);
    let mut before: Option<Outgoing<'_>> = None;
    for message in messages {
        match before {
            None => {
                out.extend([(message.body.len() + HEADER) as u8, message.command]);
                out.extend(message.net_id.to_le_bytes());
            }
            Some(before) => write_following(before, message, out),
        }
        out.extend(message.body);
        before = Some(*message);
    }
    Ok(())
}

fn write_following(before: Outgoing<'_>, message: &Outgoing<'_>, out: &mut Vec<u8>) {
    let delta = i8::try_from(message.net_id.wrapping_sub(before.net_id) as i32).ok();
    let same = message.command == before.command;
    let len = message.body.len();
    let bits = len.min(LONG.into()) as u8;
    let same_bit = if same { SAME_COMMAND } else { 0 };
    let delta_bit = if delta.is_some() { DELTA } else { 0 };
    out.push((bits << 2) | same_bit | delta_bit);
    if !same {
        out.push(message.command);
    }
    match delta {
        Some(delta) => out.push(delta as u8),
        None => out.extend(message.net_id.to_le_bytes()),
    }
    if bits == LONG {
        out.push(len as u8);
    }
}

#[cfg(test)]
mod tests;
