//! Names and services: DNS, mDNS, SSDP.

use super::{Dice, Talk};
use crate::support::dice::Out;

const A: u16 = 1;
const PTR: u16 = 12;
const TXT: u16 = 16;
const AAAA: u16 = 28;
const SRV: u16 = 33;
/// A name that points at the one in the question.
const SAME: [u8; 2] = [0xC0, 0x0C];

fn name(text: &str) -> Vec<u8> {
    let mut bytes: Vec<u8> =
        text.split('.').flat_map(|label| [&[label.len() as u8], label.as_bytes()].concat()).collect();
    bytes.push(0);
    bytes
}

fn question(id: u16, host: &str, kind: u16) -> Vec<u8> {
    let head = Out::new().u16(id).u16(0x0100).u16(1).u16(0).u16(0).u16(1);
    let asked = head.bytes(name(host)).u16(kind).u16(1);
    asked.u8(0).u16(41).u16(1_232).u32(0).u16(0).done()
}

fn reply(id: u16, host: &str, kind: u16, answers: &[Vec<u8>]) -> Vec<u8> {
    let flags = if answers.is_empty() { 0x8183 } else { 0x8180 };
    let head = Out::new().u16(id).u16(flags).u16(1).u16(answers.len() as u16).u16(0).u16(0);
    let asked = head.bytes(name(host)).u16(kind).u16(1);
    let answered = answers.iter().fold(asked, |out, data| {
        out.bytes(SAME).u16(kind).u16(1).u32(300).u16(data.len() as u16).bytes(data)
    });
    answered.done()
}

/// Look-ups of several kinds, one of a name that does not exist.
pub fn dns(talk: &mut Talk, dice: &mut Dice) {
    let text = |text: &str| [&[text.len() as u8], text.as_bytes()].concat();
    let six = Out::new().u32(0x2001_0DB8).u64(0).u32(0x50).done();
    let lookups: [(&str, u16, Vec<Vec<u8>>); 6] = [
        ("www.example.com", A, vec![vec![203, 0, 113, 80]]),
        ("www.example.com", AAAA, vec![six]),
        ("example.org", TXT, vec![text("v=spf1 -all"), text("note=made for a test")]),
        ("cdn.example.net", A, vec![vec![203, 0, 113, 7], vec![203, 0, 113, 8], vec![203, 0, 113, 9]]),
        ("80.113.0.203.in-addr.arpa", PTR, vec![name("www.example.com")]),
        ("nowhere.example.com", A, vec![]),
    ];
    for (host, kind, answers) in lookups {
        let id = dice.next() as u16;
        talk.ask(question(id, host, kind));
        talk.wait(12);
        talk.answer(reply(id, host, kind, &answers));
        talk.wait(40);
    }
}

/// A printer looked for and found in the local network.
pub fn mdns(talk: &mut Talk, _: &mut Dice) {
    let group = [224, 0, 0, 251];
    let service = "_ipp._tcp.local";
    let ask = |kind: u16| {
        Out::new().u16(0).u16(0).u16(1).u16(0).u16(0).u16(0).bytes(name(service)).u16(kind).u16(1).done()
    };
    let found = |kind: u16, data: &[u8]| {
        let head = Out::new().u16(0).u16(0x8400).u16(0).u16(1).u16(0).u16(0).bytes(name(service));
        head.u16(kind).u16(0x8001).u32(120).u16(data.len() as u16).bytes(data).done()
    };
    for _ in 0..3 {
        talk.call(group, ask(PTR));
        talk.wait(20);
        talk.answer(found(PTR, &name("Printer._ipp._tcp.local")));
        talk.wait(980);
    }
    talk.call(group, ask(SRV));
    let place = Out::new().u16(0).u16(0).u16(631).bytes(name("printer.local")).done();
    talk.answer(found(SRV, &place));
    talk.answer(found(TXT, b"\x09txtvers=1\x0Brp=ipp/made\x08pdl=none"));
}

/// A search for devices and what they answer.
pub fn ssdp(talk: &mut Talk, _: &mut Dice) {
    let group = [239, 255, 255, 250];
    for target in ["ssdp:all", "upnp:rootdevice", "urn:schemas-upnp-org:device:MediaServer:1"] {
        talk.call(
            group,
            format!(
                "M-SEARCH * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nMAN: \"ssdp:discover\"\r\nMX: 2\r\nST: {target}\r\n\r\n"
            ),
        );
        talk.wait(300);
        talk.answer(format!(
            "HTTP/1.1 200 OK\r\nCACHE-CONTROL: max-age=1800\r\nEXT:\r\nLOCATION: http://198.51.100.44:8200/root.xml\r\n\
             SERVER: Made/1.0 UPnP/1.0\r\nST: {target}\r\nUSN: uuid:00000000-0000-4000-8000-000000000001::{target}\r\n\r\n"
        ));
        talk.wait(700);
    }
}
