//! What numbers mean, in words: bits by build, colours, sides, times, and names from a list.

use crate::lab::{Call, Lab};
use crate::pcap;
use crate::pdml::{Item, Packet};
use crate::KEY;

/// SummonerFlash and SummonerDot by their name numbers.
const FLASH: u32 = 105_475_752;
const DOT: u32 = 104_222_500;

/// A payload of the game: command, a net id of zero, the body.
fn payload(command: u8, body: &[u8]) -> Vec<u8> {
    [&[command, 0, 0, 0, 0], body].concat()
}

/// Reads one payload from a server on channel 3, as of a build.
fn read(lab: &Lab, build: &str, payload: Vec<u8>) -> Packet {
    let mut packets = call(lab, build, &[payload]).pdml();
    assert_eq!(packets.len(), 1);
    packets.remove(0)
}

fn call<'l>(lab: &'l Lab, build: &str, payloads: &[Vec<u8>]) -> Call<'l> {
    let capture = lab.file(&format!("{build}.pcap"), &pcap::user(payloads));
    let call = lab.tshark(&capture).args(&["-o", pcap::USER0]);
    call.pref("lol.build", build).pref("lol.user_channel", "3").pref("lol.user_sender", "server")
}

/// The line of a field.
fn label<'p>(packet: &'p Packet, name: &str) -> &'p str {
    let all = packet.all();
    let item: &Item =
        all.into_iter().find(|item| item.name == name).unwrap_or_else(|| panic!("no {name}: {packet:?}"));
    &item.label
}

/// ParticlesCreated of one group without particles.
fn group(flags: u16) -> Vec<u8> {
    [&[1][..], &FLASH.to_le_bytes(), &flags.to_le_bytes(), &DOT.to_le_bytes(), &[0; 4], &[0]].concat()
}

#[test]
fn flags_of_particles_act_in_the_builds_whose_page_says_so() {
    let Some(lab) = Lab::new() else { return };
    let before = read(&lab, "1.0.0.145", payload(136, &group(0x1FF)));
    assert_eq!(
        label(&before, "particle.groups.flags"),
        "Flags: 511 (kept alive, scaled, placed, not turned, simulated off screen, flat, faces target, resource driven, others 0x2)"
    );
    assert_eq!(before.value("particle.groups.flags.facesTarget"), "1");
    assert!(!label(&before, "particle.groups.flags.facesTarget").contains("without effect"));

    let after = read(&lab, "1.0.0.146", payload(136, &group(0x1FF)));
    assert_eq!(
        label(&after, "particle.groups.flags"),
        "Flags: 511 (kept alive, scaled, placed, simulated off screen, others 0x2)"
    );
    assert_eq!(after.value("particle.groups.flags.facesTarget"), "1");
    assert!(label(&after, "particle.groups.flags.facesTarget").ends_with(", without effect in this build"));
    assert!(!label(&after, "particle.groups.flags.simulated").contains("without effect"));

    // what has no meaning is not left out of sight
    let other = read(&lab, "1.0.0.146", payload(136, &group(0x8003)));
    assert_eq!(label(&other, "particle.groups.flags"), "Flags: 32771 (kept alive, others 0x8002)");

    // a bit that is not set is nothing to remark on, and no bit at all is no text
    let none = read(&lab, "1.0.0.146", payload(136, &group(0)));
    assert_eq!(label(&none, "particle.groups.flags"), "Flags: 0");
    assert!(!label(&none, "particle.groups.flags.flat").contains("without effect"));
    let payloads = [payload(136, &group(0x20)), payload(136, &group(0x1F))];
    assert_eq!(call(&lab, "1.0.0.144", &payloads).frames("particle.groups.flags.simulated == 1"), [1]);
}

#[test]
fn places_of_particles_are_told_in_world_units_once_the_origin_is_known() {
    let Some(lab) = Lab::new() else { return };
    let mut particle = vec![0; 52];
    particle[12..14].copy_from_slice(&(-2976i16).to_le_bytes());
    particle[18..20].copy_from_slice(&(-3185i16).to_le_bytes());
    let created = [&group(0)[..group(0).len() - 1], &[1], &particle].concat();
    let call = || call(&lab, "1.0.0.136", &[payload(141, &created)]);
    let known = call().pref("lol.origin", "6991,7223").pdml();
    let place = ["atX", "atX.world", "atZ.world"].map(|name| format!("particle.groups.particles.{name}"));
    assert_eq!(place.each_ref().map(|name| known[0].value(name)), ["-2976", "1039", "853"]);
    assert_eq!(known[0].value("lol.origin.x"), "6991");
    let unknown = call().pdml();
    assert_eq!((unknown[0].value(&place[0]), unknown[0].values(&place[1]).len()), ("-2976", 0));
}

#[test]
fn a_tint_is_told_by_its_colours_and_its_side() {
    let Some(lab) = Lab::new() else { return };
    // fadeIn, time, side, colour, weight
    let body =
        |side: u32| [&[1, 0, 0, 0x80, 0x3E][..], &side.to_le_bytes(), &[50, 1, 2, 255], &[0; 4]].concat();
    let tint = read(&lab, "1.0.0.139", payload(230, &body(0)));
    assert_eq!(label(&tint, "tint.colour"), "Colour: 4278321458 (blue 50, green 1, red 2, opacity 255)");
    let shares =
        ["blue", "green", "red", "opacity"].map(|colour| tint.value(&format!("tint.colour.{colour}")));
    assert_eq!(shares, ["50", "1", "2", "255"]);
    assert_eq!(label(&tint, "tint.fadeIn"), "Fade in: 1 (brings the tint in)");
    assert_eq!(label(&tint, "tint.side"), "Side: 0 (everyone)");
    assert_eq!(label(&read(&lab, "1.0.0.139", payload(230, &body(100))), "tint.side"), "Side: 100");
    // the pages of other builds do not say what a side of 0 is
    assert_eq!(label(&read(&lab, "1.0.0.138", payload(231, &body(0))), "tint.side"), "Side: 0");

    let minions = [&[0][..], &[0; 8]].concat();
    assert_eq!(label(&read(&lab, "1.0.0.136", payload(213, &minions)), "fade.side"), "Side: 0 (both)");
}

#[test]
fn an_effect_tells_its_whole_run() {
    let Some(lab) = Lab::new() else { return };
    let times = [49.25f32.to_le_bytes(), 370.75f32.to_le_bytes()].concat();
    let added = [&[0, 1, 1, 0][..], &FLASH.to_le_bytes(), &times, &[0x19, 0, 0, 0x40]].concat();
    let added = read(&lab, "1.0.0.136", payload(192, &added));
    assert_eq!((added.value("effect.timeLeft"), added.value("effect.total")), ("370.75", "420"));
    assert_eq!(added.value("effect.lasts"), "370.75");
    // the time that has run changes nothing there, so there is no whole run to tell
    let replaced = [&[0][..], &times, &[0x19, 0, 0, 0x40]].concat();
    let old = read(&lab, "1.0.0.143", payload(50, &replaced));
    assert_eq!((old.value("effect.timeLeft"), old.values("effect.total").len()), ("370.75", 0));
    let new = read(&lab, "1.0.0.144", payload(47, &replaced));
    assert_eq!(new.value("effect.total"), "420");
}

#[test]
fn names_of_a_list_stand_for_their_numbers() {
    let Some(lab) = Lab::new() else { return };
    let list = lab.file("names.txt", b"SummonerFlash\r\n\n  summonerdot\nNobody\n");
    let session = lab.capture("session.pcap");
    let read = || lab.tshark(&session).key(KEY).pref("lol.names", &list);
    assert_eq!(read().frames("effect.name == \"SummonerFlash\""), [39]);
    assert_eq!(read().frames("effect.name == \"Nobody\""), [0; 0]);
    let info = read().args(&["-Y", "effect"]).fields(&["_ws.col.Info", "effect.name"]);
    assert!(info[0][0].starts_with("EffectAdded ×3, 0x4000"), "three that differ are counted: {info:?}");
    assert_eq!(info[0][1], "SummonerFlash,summonerdot,summonerdot");
    // as some programs of Windows write it
    let words: Vec<u8> = "\u{FEFF}SummonerFlash\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let wide = lab.file("wide.txt", &words);
    let flash =
        lab.tshark(&session).key(KEY).pref("lol.names", &wide).frames("effect.name == \"SummonerFlash\"");
    assert_eq!(flash, [39]);
    // names of one number are each found
    let both = lab.file("both.txt", b"SummonerFlash\nSummonerFlarx\n");
    let both = || lab.tshark(&session).key(KEY).pref("lol.names", &both);
    for name in ["SummonerFlash", "SummonerFlarx"] {
        assert_eq!(both().frames(&format!("effect.name == \"{name}\"")), [39], "{name}");
    }
    let shown = both().args(&["-Y", "effect", "-V"]).clean();
    assert!(shown.contains("effect=SummonerFlash or SummonerFlarx"), "each message says its own");
    // without a list the number stays what it is
    let bare = lab.tshark(&session).key(KEY).args(&["-Y", "effect"]).fields(&["_ws.col.Info", "effect.name"]);
    assert!(bare[0][0].starts_with("EffectAdded ×3, 0x4000"), "{bare:?}");
    assert_eq!(bare[0].get(1).map_or("", String::as_str), "");

    // a package goes by its character, and its number by another rule
    let packages = lab.file("packages.txt", b"Kassadin\n");
    let added = [&[0, 1, 1, 0][..], &FLASH.to_le_bytes(), &0x0611_108Du32.to_le_bytes(), &[0; 12]].concat();
    let added = call(&lab, "1.0.0.150", &[payload(180, &added)]).pref("lol.names", &packages);
    assert_eq!(added.fields(&["effect.name", "effect.package"]), [["Kassadin", "0x0611108d"]]);

    let particles = call(&lab, "1.0.0.136", &[payload(141, &group(0))]).pref("lol.names", &list);
    assert_eq!(particles.fields(&["particle.name"]), [["SummonerFlash,summonerdot"]]);
}

#[test]
fn a_list_that_cannot_be_read_is_told_with_its_name() {
    let Some(lab) = Lab::new() else { return };
    let session = lab.capture("session.pcap");
    for (name, bytes) in [("empty.txt", &b"\n \n"[..]), ("picture.png", &[0x89, b'P', 0, 0, 1])] {
        let file = lab.file(name, bytes);
        let done = lab.tshark(&session).key(KEY).pref("lol.names", &file).run();
        assert!(
            done.status.success() && done.err.contains(&format!("{name} holds no names")),
            "{}",
            done.err
        );
    }
    let done = lab.tshark(&session).key(KEY).pref("lol.names", "/no/such/list.txt").run();
    assert!(done.status.success(), "{}", done.err);
    assert!(done.err.contains("lol.names: /no/such/list.txt cannot be read"), "{}", done.err);
    assert!(done.err.contains("one name a line"), "{}", done.err);
    assert_eq!(done.err.matches("lol.names").count(), 1, "{}", done.err);
}
