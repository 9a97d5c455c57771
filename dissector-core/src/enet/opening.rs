//! Opening the commands of a datagram that came compressed.

use super::checksums::{ChecksumStatus, Checksums};
use super::wire::{compressed, Commands, Header};
use crate::capture::Packet;

/// The commands of a compressed datagram. `None` where they are not compressed, were not captured whole, or another
/// compressor than ENet's own has written them: almost any bytes can be opened, so what comes out has to be commands to
/// the last byte, or fit the checksum.
pub fn open(header: &Header, packet: &Packet<'_>, sums: &Checksums) -> Option<Vec<u8>> {
    if !header.is_compressed() || !packet.is_whole() {
        return None;
    }
    let commands = compressed::decompress(packet.bytes.get(header.size as usize..)?)?;
    let fits = sums.status(header, packet, Some(&commands)) == Some(ChecksumStatus::Good);
    let walks = || Commands::new(&commands, commands.len(), &header.opened()).all(|command| command.is_ok());
    (fits || walks()).then_some(commands)
}

/// A datagram as its commands are read: those that were opened instead of its bytes, where there are any.
pub fn opened<'a>(packet: &Packet<'a>, decompressed: &'a [u8]) -> Packet<'a> {
    if decompressed.is_empty() {
        return *packet;
    }
    Packet { bytes: decompressed, reported: decompressed.len() as u32, ..*packet }
}
