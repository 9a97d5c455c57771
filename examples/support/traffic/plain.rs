//! Protocols of few words: NTP, syslog, TFTP, iperf; and bytes without any sense.

use super::{Dice, Talk};
use crate::support::dice::Out;

/// Four readings of a clock.
pub fn ntp(talk: &mut Talk, dice: &mut Dice) {
    let mut now = 0xD347_1200_0000_0000_u64;
    let mut last = 0;
    for _ in 0..4 {
        now += 64 << 32 | dice.below(1 << 32);
        let sent = now;
        talk.ask(
            Out::new()
                .u8(0x23)
                .u8(0)
                .u8(6)
                .u8(0xEC)
                .u32(0)
                .u32(0)
                .u32(0)
                .u64(0)
                .u64(0)
                .u64(0)
                .u64(sent)
                .done(),
        );
        talk.wait(9);
        let received = sent + (9 << 22);
        let head = Out::new().u8(0x24).u8(1).u8(6).u8(0xE9).u32(0).u32(0x12).bytes(b"GPS\0").u64(last);
        talk.answer(head.u64(sent).u64(received).u64(received + 40_000).done());
        last = received;
        talk.wait(4_000);
    }
}

/// Lines of a log in both formats; the collector answers nothing but one line of its own.
pub fn syslog(talk: &mut Talk, dice: &mut Dice) {
    for count in 0..8 {
        let process = 400 + dice.below(9_000);
        talk.ask(format!("<34>May  1 12:00:{count:02} gate su[{process}]: session opened for user made"));
        talk.ask(format!(
            "<165>1 2012-05-01T12:00:{count:02}.003Z gate.example.com made {process} ID47 [a@32473 n=\"{count}\"] started"
        ));
        talk.wait(700);
    }
    talk.answer("<14>May  1 12:00:09 collector syslogd: restart");
}

/// A file read in blocks, each acknowledged.
pub fn tftp(talk: &mut Talk, dice: &mut Dice) {
    talk.ask(Out::new().u16(1).bytes(b"boot/image.bin\0octet\0").done());
    for block in 1..=4 {
        let size = if block == 4 { 77 } else { 512 };
        talk.answer(Out::new().u16(3).u16(block).bytes(dice.bytes(size)).done());
        talk.ask(Out::new().u16(4).u16(block).done());
    }
}

/// A measurement: numbered datagrams filled with a pattern, and the receiver's report.
pub fn iperf(talk: &mut Talk, dice: &mut Dice) {
    let fill: Vec<u8> = (0..88).map(|at| b'0' + at % 10).collect();
    let datagram = |number: i32, micros: u32| {
        Out::new().u32(number as u32).u32(1_335_873_720).u32(micros).bytes(&fill).done()
    };
    let mut micros = 0;
    for number in 0..9 {
        micros += 11_000 + dice.below(900) as u32;
        talk.ask(datagram(number, micros));
        talk.wait(10);
    }
    for _ in 0..2 {
        talk.ask(datagram(-9, micros));
        let report = Out::new().u32(0).u32(0).u32(1_260).u32(0).u32(131_000).u32(0).u32(0).u32(9).u32(0);
        talk.answer(Out::new().bytes(datagram(-9, micros)).bytes(report.done()).done());
    }
}

/// Payloads of many lengths without any sense.
pub fn random(talk: &mut Talk, dice: &mut Dice) {
    for length in [1, 2, 4, 6, 8, 10, 12, 14, 16, 24, 40, 44, 48, 52, 100, 301] {
        let bytes = dice.bytes(length);
        if dice.below(2) == 0 {
            talk.ask(bytes);
        } else {
            talk.answer(bytes);
        }
        talk.wait(30);
    }
    talk.ask([]);
    talk.answer([]);
}
