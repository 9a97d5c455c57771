//! The transport half of a session, from connect to disconnect: its commands, their numbers, and who serves.

use super::checksums::Checksums;
use super::copies::Copies;
use super::names::{Name, Names, Owner};
use super::numbers::Numbers;
use super::opening;
use super::records::{Record, Records};
use super::show;
use super::wire::{self, id, Command, Commands, Header, HeaderVariant, Settled};
use crate::capture::{DatagramId, Detail, Direction, Output, Packet, Sender};
use crate::fields::enet::{Expert, Field};
use crate::tree::flag;

/// How long a client asks for a connection at the most before it gives up, nanoseconds: ENet's longest timeout.
const LONGEST_CONNECT: i64 = 30_000_000_000;

/// A command with what the session knows of it.
pub struct Taken {
    /// The command as it was read.
    pub command: Command,
    /// What is known of it besides its bytes.
    pub record: Record,
    /// Which command of its datagram, from 0.
    pub index: u16,
    /// Node of the command, `None` without nodes.
    pub item: Option<usize>,
}

/// What a connection asks of those who know more: its program's roles, and where fragments come together.
pub struct Surroundings<'a> {
    /// Who sends a payload of so many bytes on a channel, as far as the program that uses ENet tells by that.
    pub sender_on: &'a dyn Fn(u8, u32) -> Option<Sender>,
    /// The frame that completes the message of a fragment with this record, where it is known.
    pub completed_in: &'a dyn Fn(&Record) -> Option<u32>,
}

/// The connect that began a connection.
#[derive(Debug, Default)]
struct Connect {
    /// Its datagram; empty where it was not seen.
    bytes: Vec<u8>,
    /// When it was last seen, nanoseconds.
    time: i64,
}

/// A connection.
#[derive(Debug)]
pub struct Connection {
    /// Number of the session in the capture, from 0.
    pub number: u32,
    /// Where its first datagram stands.
    pub start: DatagramId,
    /// The header variant its datagrams have.
    pub variant: HeaderVariant,
    /// Which way the server sends, where it is known.
    pub server: Option<Direction>,
    /// What is known of each command.
    pub records: Records,
    /// The datagram that was taken in last: where it stands, when it came, its bytes.
    last: (DatagramId, i64, Vec<u8>),
    names: Names,
    copies: Copies,
    /// Whether a datagram was told that names another session than the client asked for.
    refused: bool,
    /// The datagrams from which on it has other ends, in the order of the capture, and what is said of each.
    moves: Vec<(DatagramId, String)>,
    connect: Connect,
    sums: Checksums,
    established: bool,
    ended: bool,
    /// The numbers of its commands.
    pub numbers: Numbers,
}

impl Connection {
    /// A connection that begins with this datagram.
    pub fn new(number: u32, start: DatagramId, variant: HeaderVariant) -> Connection {
        Connection {
            number,
            start,
            variant,
            server: None,
            records: Records::default(),
            last: Default::default(),
            names: Names::default(),
            copies: Copies::default(),
            refused: false,
            moves: Vec::new(),
            connect: Connect::default(),
            sums: Checksums::default(),
            established: false,
            ended: false,
            numbers: Numbers::default(),
        }
    }

    /// Who sends this way, where it is known.
    pub fn sender(&self, direction: Direction) -> Option<Sender> {
        self.server.map(|server| if server == direction { Sender::Server } else { Sender::Client })
    }

    /// Notes that this end sends this way, where nothing is known yet.
    fn learn_sender(&mut self, direction: Direction, sender: Option<Sender>) {
        if let (Some(sender), None) = (sender, self.server) {
            self.server = Some(if sender == Sender::Server { direction } else { direction.reverse() });
        }
    }

    /// Whether what a datagram says is to be written down: on the first pass, and once.
    ///
    /// epan may dissect a frame more often than once on the first pass. The place alone does not tell that: while a read
    /// filter drops frames, all of them have the number of the next one that it lets pass, and what that one writes is
    /// what counts.
    pub fn writes(&mut self, packet: &Packet<'_>) -> bool {
        if !packet.writes() {
            return false;
        }
        let (id, time, bytes) = &mut self.last;
        if (*id, *time) == (packet.id(), packet.time) && bytes.as_slice() == packet.bytes {
            return false;
        }
        (*id, *time) = (packet.id(), packet.time);
        bytes.clear();
        bytes.extend_from_slice(packet.bytes);
        true
    }

    /// Whose a datagram of this conversation is: on later passes as it was found on the first.
    pub fn owner(&self, direction: Direction, packet: &Packet<'_>) -> Owner {
        let sender = self.sender(direction);
        if !packet.visited || packet.in_error_pkt {
            return self.names.owner(self.variant, (direction, sender), packet);
        }
        let begun = || wire::begins(self.variant, sender, packet.bytes, packet.reported as usize);
        match self.records.has(packet.id()) && begun() != wire::Form::Foreign {
            true => Owner::This,
            false => Owner::Other,
        }
    }

    /// Notes what the datagrams of each direction name, where several have shown it.
    pub fn name(&mut self, names: [Option<Name>; 2]) {
        self.names.set(names);
    }

    /// Notes that a datagram is somebody else's, which may have the number of one that a read filter dropped.
    pub fn disown(&mut self, packet: &Packet<'_>) {
        if packet.writes() {
            self.records.forget(packet.id());
        }
    }

    /// When its last datagram came, nanoseconds, and whether it has ended.
    pub fn latest(&self) -> (i64, bool) {
        (self.last.1, self.ended)
    }

    /// Where its last datagram stands.
    pub fn latest_id(&self) -> DatagramId {
        self.last.0
    }

    /// Whether a header names what the datagrams of this direction do, and those of the other are known too.
    pub fn is_named(&self, direction: Direction, header: &Header) -> bool {
        self.names.are_both_known() && self.names.agrees(direction, header)
    }

    /// Notes that from a datagram on it has other ends, and what is to be said of that.
    pub fn note_move(&mut self, datagram: DatagramId, text: String) {
        self.moves.push((datagram, text));
    }

    /// Whether a datagram that asks for a connection begins another session on the same ports.
    ///
    /// The same bytes again are a duplicate while the connection they asked for may be coming about; later they are
    /// another game of a client that counts its time and its sessions the same way. A connect is repeated (with another
    /// sent time) only until it is answered.
    pub fn is_reconnect(&self, packet: &Packet<'_>) -> bool {
        if self.connect.bytes == packet.bytes && !self.ended {
            return packet.time.saturating_sub(self.connect.time) > LONGEST_CONNECT;
        }
        self.ended || self.established || self.connect.bytes.is_empty()
    }

    /// Reads header and commands of a datagram: takes them in where `writes`, and shows them.
    pub fn read(
        &mut self,
        direction: Direction,
        packet: &Packet<'_>,
        writes: bool,
        around: &Surroundings<'_>,
        out: &mut Output,
    ) -> Vec<Taken> {
        let mut taken = Vec::new();
        let root = show::datagram(packet, self.variant, Some(self.number), out);
        if let Ok(at) = self.moves.binary_search_by_key(&packet.id(), |(datagram, _)| *datagram) {
            out.expert(Expert::Moved.id(), root, &self.moves[at].1);
        }
        let mut copied = None;
        if writes {
            self.records.begin(packet.id());
            copied = self.copies.take(direction, packet);
            if copied.is_some() && self.connect.bytes == packet.bytes {
                self.connect.time = packet.time;
            }
        }
        let Some(header) = self.read_header(direction, packet, (root, writes), out) else { return taken };
        if writes {
            self.names.take(&header, (direction, self.sender(direction)), packet);
        }
        // taken out while nodes are added to the same output
        let opened = std::mem::take(&mut out.decompressed);
        let inside = opening::opened(packet, &opened);
        for (index, next) in Commands::new(inside.bytes, inside.reported as usize, &header).enumerate() {
            let index = index.min(usize::from(u16::MAX)) as u16;
            match next {
                Ok(command) => {
                    let record = match (writes, copied) {
                        (true, Some(frame)) => self.records.copy(packet.id(), frame),
                        (true, None) => self.take(direction, packet, &header, &command, around),
                        (false, _) => self.records.of(packet.id(), index),
                    };
                    let item = show::command(&inside, &command, &record, out);
                    if record.has(Record::REFUSED) {
                        show::refused(self.names.refusal(&header, &command), root, out);
                    }
                    if let (Some(frame), Some(_)) = ((around.completed_in)(&record), item) {
                        out.node(2, Field::ReassembledIn.id(), (0, 0), frame.into(), flag::GENERATED);
                    }
                    taken.push(Taken { command, record, index, item });
                }
                Err(stop) => show::stop(&inside, &stop, root, out),
            }
        }
        show::head(root, &header, taken.len(), out);
        out.decompressed = opened;
        taken
    }

    /// Reads the header and shows it, and opens what came compressed into [`Output::decompressed`]; `None` where the header
    /// is not all there, or the commands cannot be opened.
    fn read_header(
        &mut self,
        direction: Direction,
        packet: &Packet<'_>,
        (root, writes): (Option<usize>, bool),
        out: &mut Output,
    ) -> Option<Header> {
        let header = match wire::header(self.variant, self.sender(direction), packet.bytes) {
            Ok(header) => header,
            Err(cut) => {
                show::cut(out, root, &cut.cut(packet.reported as usize));
                return None;
            }
        };
        let opened = opening::open(&header, packet, &self.sums);
        if writes {
            self.sums.take(&header, packet, opened.as_deref());
        }
        if packet.detail >= Detail::Tree {
            show::header(&header, out);
        }
        if let Some(status) = self.sums.status(&header, packet, opened.as_deref()) {
            show::checksum(&header, packet, (root, status), out);
        }
        if !header.is_compressed() {
            return Some(header);
        }
        show::compressed(&header, packet, (root, opened.as_deref()), out);
        let Some(opened) = opened else {
            show::head(root, &header, 0, out);
            return None;
        };
        out.decompressed = opened;
        out.source = flag::DECOMPRESSED;
        Some(header.opened())
    }

    /// Takes in one command on the first pass; answers its record, which is kept.
    fn take(
        &mut self,
        direction: Direction,
        packet: &Packet<'_>,
        header: &Header,
        command: &Command,
        around: &Surroundings<'_>,
    ) -> Record {
        if command.id == id::CONNECT && header.is_unassigned() {
            self.server = Some(direction.reverse());
        }
        if let (Some(data), None) = (command.data, self.server) {
            self.learn_sender(direction, (around.sender_on)(command.channel, data.len));
        }
        let refused = self.take_names(direction, header, command);
        self.take_control(direction, packet, header, command);
        let mut record = Record { flags: refused, ..Record::default() };
        self.numbers.take((direction, packet), (header, command), &mut self.records, &mut record);
        self.records.push(packet.id(), record);
        record
    }

    /// Takes from a command what the two ends agree on; answers the flag of one that a client refuses for its session: each
    /// that grants a connection, and else the first.
    fn take_names(&mut self, direction: Direction, header: &Header, command: &Command) -> u8 {
        self.names.state(direction, header, command);
        let served = self.sender(direction) == Some(Sender::Server);
        let told = self.refused && command.id != id::VERIFY_CONNECT;
        if !served || told || self.names.refusal(header, command).is_none() {
            return 0;
        }
        self.refused = true;
        Record::REFUSED
    }

    /// What a command does to the connection as a whole.
    fn take_control(
        &mut self,
        direction: Direction,
        packet: &Packet<'_>,
        header: &Header,
        command: &Command,
    ) {
        let stated = command.connect_body().and_then(|body| body.session);
        match command.id {
            id::CONNECT if header.is_unassigned() => {
                self.connect.bytes.clear();
                self.connect.bytes.extend_from_slice(packet.bytes);
                self.connect.time = packet.time;
                self.sums.state(stated);
            }
            id::CONNECT => {}
            id::VERIFY_CONNECT => self.sums.state(stated),
            id::DISCONNECT => self.ended = true,
            // a client that says more than its connect has been answered
            _ => self.established |= self.server != Some(direction),
        }
    }

    /// Shows a datagram of a conversation whose header variant is not settled, as its likeliest variant has it.
    pub fn show_provisional(settled: Settled, direction: Direction, packet: &Packet<'_>, out: &mut Output) {
        let mut connection = Connection::new(0, DatagramId::default(), settled.variant);
        connection.learn_sender(Direction::Forward, settled.first);
        let root = show::datagram(packet, settled.variant, None, out);
        let text = format!(
            "Read with the likeliest header shape, {}: no datagram of this conversation has settled it",
            settled.variant.name()
        );
        out.expert(Expert::Undecided.id(), root, &text);
        let Some(header) = connection.read_header(direction, packet, (root, false), out) else { return };
        let opened = std::mem::take(&mut out.decompressed);
        let inside = opening::opened(packet, &opened);
        let mut taken = Vec::new();
        for next in Commands::new(inside.bytes, inside.reported as usize, &header) {
            match next {
                Ok(command) => {
                    let record = Record::default();
                    let item = show::command(&inside, &command, &record, out);
                    taken.push((command, record, item));
                }
                Err(stop) => show::stop(&inside, &stop, root, out),
            }
        }
        show::head(root, &header, taken.len(), out);
        out.decompressed = opened;
        if packet.detail >= Detail::Columns {
            show::summarise(taken.iter().map(|(command, record, _)| (command, record)), out);
        }
    }
}
