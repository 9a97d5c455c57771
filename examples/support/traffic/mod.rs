//! Conversations of other protocols, which no reader of the game's protocol may take for its own.

mod games;
mod lookalikes;
mod names;
mod peers;
mod plain;
mod secure;
mod voice;

use super::dice::Dice;
use super::net::{endpoint, Capture, Endpoint};

const CLIENT: [u8; 4] = [192, 0, 2, 33];
const SERVER: [u8; 4] = [198, 51, 100, 44];

/// One conversation: what it is, between which ports, and how it goes.
struct Conversation {
    name: &'static str,
    ports: (u16, u16),
    go: fn(&mut Talk, &mut Dice),
}

/// A conversation going on: two ends and a clock.
struct Talk<'a> {
    capture: &'a mut Capture,
    at: u64,
    client: Endpoint,
    server: Endpoint,
}

impl Talk<'_> {
    /// The client says something.
    fn ask(&mut self, bytes: impl AsRef<[u8]>) {
        self.capture.udp(self.at, self.client, self.server, bytes.as_ref());
        self.at += 1_300;
    }

    /// The server says something.
    fn answer(&mut self, bytes: impl AsRef<[u8]>) {
        self.capture.udp(self.at, self.server, self.client, bytes.as_ref());
        self.at += 900;
    }

    /// The client says something to a group.
    fn call(&mut self, group: [u8; 4], bytes: impl AsRef<[u8]>) {
        let to = endpoint(group, self.server.port);
        self.capture.udp(self.at, self.client, to, bytes.as_ref());
        self.at += 1_100;
    }

    /// So many milliseconds pass.
    fn wait(&mut self, milliseconds: u64) {
        self.at += milliseconds * 1_000;
    }
}

const fn conversation(name: &'static str, ports: (u16, u16), go: fn(&mut Talk, &mut Dice)) -> Conversation {
    Conversation { name, ports, go }
}

/// All conversations, in the order of the capture. Many servers sit where the game's do, at 5000 to 5500.
const CONVERSATIONS: &[Conversation] = &[
    conversation("DNS", (40_001, 53), names::dns),
    conversation("mDNS", (5_353, 5_353), names::mdns),
    conversation("SSDP", (40_003, 1_900), names::ssdp),
    conversation("NTP", (123, 123), plain::ntp),
    conversation("syslog", (40_005, 514), plain::syslog),
    conversation("TFTP", (40_006, 69), plain::tftp),
    conversation("iperf", (40_007, 5_001), plain::iperf),
    conversation("RTP", (40_008, 5_004), voice::rtp),
    conversation("RTCP", (40_009, 5_005), voice::rtcp),
    conversation("STUN", (40_010, 5_349), voice::stun),
    conversation("TURN", (40_011, 3_478), voice::turn),
    conversation("SIP", (5_060, 5_060), voice::sip),
    conversation("QUIC", (40_013, 443), secure::quic),
    conversation("WireGuard", (51_820, 51_820), secure::wireguard),
    conversation("DTLS", (40_015, 4_433), secure::dtls),
    conversation("OpenVPN", (40_016, 1_194), secure::openvpn),
    conversation("ESP in UDP", (4_500, 4_500), secure::esp),
    conversation("RakNet, offline", (40_018, 61_111), games::raknet_offline),
    conversation("RakNet, connected", (40_019, 61_111), games::raknet_connected),
    conversation("Source queries", (40_020, 27_015), games::source),
    conversation("Quake 3 queries", (40_021, 27_960), games::quake),
    conversation("GameSpy queries", (40_022, 29_900), games::gamespy),
    conversation("Source netchannel", (40_023, 5_119), games::netchannel),
    conversation("uTP", (40_024, 6_881), peers::utp),
    conversation("BitTorrent DHT", (40_025, 6_881), peers::dht),
    conversation("KCP", (40_026, 5_120), peers::kcp),
    conversation("random payloads", (40_027, 5_142), plain::random),
    conversation("all zeros, all ones", (40_028, 5_100), lookalikes::flat),
    conversation("keepalives that walk as a classic ping", (40_029, 5_101), lookalikes::classic_keepalive),
    conversation(
        "keepalives that walk as a compact acknowledgement",
        (40_030, 5_102),
        lookalikes::compact_keepalive,
    ),
    conversation("one datagram walks as classic", (40_031, 5_103), lookalikes::one_classic),
    conversation("one datagram walks as compact", (40_032, 5_104), lookalikes::one_compact),
    conversation("each walks, in another shape every time", (40_033, 5_105), lookalikes::every_shape),
    conversation("each walks, as a session of its own", (40_034, 5_106), lookalikes::every_session),
    conversation("a stock connect that cannot be", (40_035, 5_107), lookalikes::stock_connect),
    conversation("a classic connect that cannot be", (40_036, 5_108), lookalikes::classic_connect),
    conversation(
        "telemetry with a counter where a session id would be",
        (40_037, 5_109),
        lookalikes::telemetry,
    ),
];

/// The capture of all conversations, and each one's name with its first and last frame.
pub fn capture() -> (Capture, Vec<(&'static str, usize, usize)>) {
    let mut capture = Capture::new();
    let mut index = Vec::new();
    for (place, conversation) in CONVERSATIONS.iter().enumerate() {
        let first = capture.len() + 1;
        let (client, server) = conversation.ports;
        let mut talk = Talk {
            capture: &mut capture,
            at: place as u64 * 20_000_000,
            client: endpoint(CLIENT, client),
            server: endpoint(SERVER, server),
        };
        // A seed of its own: changing one conversation leaves the others as they are.
        (conversation.go)(&mut talk, &mut Dice::new(place as u64 + 1));
        index.push((conversation.name, first, capture.len()));
    }
    (capture, index)
}
