//! One session: a conversation's life from connect to disconnect, its transport and its match.

use crate::capture::{ConversationKey, DatagramId, Detail, Direction, FollowHead, Output, Packet, Sender};
use crate::enet::wire::HeaderVariant;
use crate::enet::{self, Connection, Reassemblies, Reassembly, Record, Taken};
use crate::lol::{self, Library, Match, Payload};

/// A session.
#[derive(Debug)]
pub struct Session {
    /// Its transport: the ENet connection.
    pub connection: Connection,
    /// Its match: key, build and what messages say.
    pub game: Match,
    /// When its first datagram was captured, nanoseconds.
    began: Option<i64>,
}

/// What a session needs of the engine to read a datagram.
pub struct Tools<'e> {
    /// What matches are read with.
    pub library: &'e mut Library,
    /// Messages put together from fragments.
    pub reassemblies: &'e mut Reassemblies,
}

impl Session {
    /// A session between these ends that begins with this datagram; `number` counts through the capture.
    pub fn new(
        number: u32,
        ends: ConversationKey,
        (start, variant): (DatagramId, HeaderVariant),
        library: &mut Library,
    ) -> Session {
        library.look_for_keys_of_a_session();
        Session {
            connection: Connection::new(number, start, variant),
            game: Match::new(number, ends, library),
            began: None,
        }
    }

    /// Has the match read a payload; those who follow the session get the lines of its messages.
    fn read_game(
        &mut self,
        library: &mut Library,
        payload: &Payload<'_>,
        record: Option<&enet::Record>,
        out: &mut Output,
    ) -> bool {
        out.follow.open();
        let clear = self.game.read(library, payload, out);
        let is_copy = record.is_some_and(enet::Record::is_copy);
        if is_copy {
            // what was sent before is no further message
            out.follow.open();
        }
        let tag = if record.is_some_and(|record| !record.is_delivered()) { "[late] " } else { "" };
        let began = self.began.unwrap_or(payload.time);
        let time = payload.time.saturating_sub(began);
        out.follow.close(&FollowHead { time, frame: payload.id.frame, sender: payload.sender, tag });
        clear
    }

    /// Notes when its first datagram was captured.
    fn note_begin(&mut self, packet: &Packet<'_>, writes: bool) {
        if writes {
            self.began.get_or_insert(packet.time);
        }
    }

    /// Whether its payloads are the game's, and asked for.
    fn is_read(&self, library: &Library) -> bool {
        self.connection.variant.is_league() && !library.settings.without_league
    }

    /// Reads a datagram: its commands, then what they carry.
    pub fn read_datagram(
        &mut self,
        tools: Tools<'_>,
        direction: Direction,
        packet: &Packet<'_>,
        out: &mut Output,
    ) {
        let Tools { library, reassemblies } = tools;
        let writes = self.connection.writes(packet);
        self.note_begin(packet, writes);
        let is_league = self.connection.variant.is_league();
        let surroundings = enet::Surroundings {
            sender_on: &|channel, length| lol::sender_on(channel, length).filter(|_| is_league),
            completed_in: &|record| reassemblies.completed_in(record),
        };
        let taken = self.connection.read(direction, packet, writes, &surroundings, out);
        // taken out while payloads are read into the same output
        let decompressed = std::mem::take(&mut out.decompressed);
        let packet = &enet::opened(packet, &decompressed);
        let is_read = self.is_read(library);
        for taken in &taken {
            if taken.command.fragment().is_some() {
                out.league |= is_read;
                reassemblies.read_fragment(&mut self.connection, direction, packet, (taken, writes), out);
            } else {
                // a copy is shown, and changes nothing
                let writes = writes && !taken.record.has(Record::COPY);
                self.read_payload(library, (direction, packet, writes, is_read), taken, out);
            }
        }
        self.game.close(library, out);
        if packet.detail >= Detail::Columns && out.info.is_empty() {
            enet::summarise(taken.iter().map(|taken| (&taken.command, &taken.record)), out);
        }
        out.decompressed = decompressed;
    }

    fn read_payload(
        &mut self,
        library: &mut Library,
        (direction, packet, writes, is_read): (Direction, &Packet<'_>, bool, bool),
        taken: &Taken,
        out: &mut Output,
    ) {
        let Some(data) = taken.command.data else { return };
        let payload = Payload {
            source: packet.bytes,
            base: data.offset,
            length: data.captured,
            reported: data.len,
            channel: taken.command.channel,
            sender: self.connection.sender(direction),
            id: packet.id().payload(taken.index),
            time: packet.time,
            writes,
            is_delivered: taken.record.is_delivered(),
            enciphered: true,
            is_continued: packet.league_begun,
            detail: packet.detail,
        };
        if !is_read || data.len == 0 {
            out.payloads.push(payload.span(true, false));
            return;
        }
        out.tag_info(enet::delivery_tag(&taken.record));
        let clear = self.read_game(library, &payload, Some(&taken.record), out);
        out.tag_info("");
        out.payloads.push(payload.span(clear, true));
    }

    /// Reads a message that was put together from fragments; `packet` holds its bytes.
    pub fn read_reassembled(
        &mut self,
        library: &mut Library,
        reassembly: &Reassembly,
        packet: &Packet<'_>,
        out: &mut Output,
    ) {
        if let Some(text) = reassembly.fault(packet.reported) {
            out.expert(crate::fields::enet::Expert::Malformed.id(), None, &text);
        }
        let (at, command) = reassembly.completed.unwrap_or((packet.id(), 0));
        let payload = Payload {
            channel: reassembly.channel,
            sender: self.connection.sender(reassembly.direction),
            id: at.payload(command),
            time: reassembly.time,
            enciphered: true,
            ..whole(packet)
        };
        let is_read = self.is_read(library);
        let clear = !is_read || self.read_game(library, &payload, None, out);
        self.game.close(library, out);
        out.payloads.push(payload.span(clear, is_read));
    }

    /// Reads a deciphered payload that came without ENet, on this channel and from this sender.
    pub fn read_bare(
        &mut self,
        library: &mut Library,
        packet: &Packet<'_>,
        (channel, sender): (u8, Option<Sender>),
        out: &mut Output,
    ) {
        let payload = Payload { channel, sender, ..whole(packet) };
        self.note_begin(packet, packet.writes());
        self.read_game(library, &payload, None, out);
        self.game.close(library, out);
        out.payloads.push(payload.span(true, true));
    }
}

/// A packet that is a payload as a whole, in clear.
fn whole<'p>(packet: &Packet<'p>) -> Payload<'p> {
    Payload {
        source: packet.bytes,
        base: 0,
        length: packet.bytes.len() as u32,
        reported: packet.reported,
        channel: 0,
        sender: None,
        id: packet.id().payload(0),
        time: packet.time,
        writes: packet.writes(),
        is_delivered: true,
        enciphered: false,
        is_continued: packet.league_begun,
        detail: packet.detail,
    }
}
