//! Captures with bytes changed: whatever comes, no bug, no crash, no end of time.

use std::time::{Duration, Instant};

use dissector_core::fields::lol::Expert;

use crate::lab::Lab;
use crate::passes::CAPTURES;
use crate::{pcap, vectors, KEY, SECOND_KEY};

const SEEDS: u32 = 20;

/// After so long no further seed is begun: on a slow machine fewer seeds are enough, but not fewer than five.
const BUDGET: Duration = Duration::from_secs(75);

/// How tshark is called: with a tree and bytes, without, and with a first pass before.
const CALLS: [&[&str]; 3] = [&["-nVxr"], &["-nr"], &["-2", "-nVxr"]];

fn path_in(lab: &Lab, name: &str) -> String {
    lab.home().join(name).to_str().expect("temporary paths are text").to_owned()
}

/// One capture made of all: what is wrong in one session must not matter to the next.
fn all_captures(lab: &Lab) -> String {
    let all = path_in(lab, "all.pcap");
    let captures: Vec<_> = CAPTURES.iter().map(|name| lab.capture(name)).collect();
    let mut args = vec!["-a", "-F", "pcap", "-w", &all];
    args.extend(captures.iter().map(String::as_str));
    lab.call("mergecap").args(&args).clean();
    all
}

/// Reads a capture with each fiftieth byte behind the first `skip` of a packet changed, in every way of calling.
fn assert_harmless(lab: &Lab, capture: &str, seed: u32, skip: &str, prefs: &[(&str, &str)]) {
    let damaged = path_in(lab, "damaged.pcap");
    let seed = seed.to_string();
    let args = ["-E", "0.02", "-o", skip, "--seed", &seed, "-F", "pcap", capture, &damaged];
    let done = lab.call("editcap").args(&args).run();
    assert!(done.status.success(), "{}: {}", done.what, done.err);
    let failed = Expert::Internal.spec().text;
    for options in CALLS {
        let call = lab.call("tshark").args(options).args(&[&damaged, "-o", pcap::USER0]);
        let done = prefs.iter().fold(call, |call, (name, value)| call.pref(name, value)).run();
        let about = format!("seed {seed}, {skip} bytes left alone: {}", done.what);
        assert!(done.status.success(), "{about}: {}\n{}", done.status, done.err);
        // Other dissectors may fail on their part of the damage; this one reads no byte that is not there.
        for bad in ["issector bug", "[Malformed Packet: ENet", "[Malformed Packet: League", failed] {
            assert!(!done.err.contains(bad) && !done.out.contains(bad), "{about}: {bad}\n{}", done.err);
        }
    }
}

#[test]
fn damaged_captures_do_no_harm() {
    let Some(lab) = Lab::new() else { return };
    let start = Instant::now();
    let all = all_captures(&lab);
    let keys = format!("{KEY},{SECOND_KEY}");
    let prefs = [("lol.key", keys.as_str()), ("lol.fallback_build", "1.0.0.136")];
    for seed in 1..=SEEDS {
        if start.elapsed() > BUDGET {
            assert!(seed > 5, "only {} seeds in {} s", seed - 1, BUDGET.as_secs());
            println!("stopped after {} seeds", seed - 1);
            break;
        }
        // Every second time the headers below ENet are left alone, or few datagrams would get that far.
        assert_harmless(&lab, &all, seed, if seed % 2 == 0 { "42" } else { "0" }, &prefs);
    }
}

#[test]
fn damaged_messages_do_no_harm() {
    let Some(lab) = Lab::new() else { return };
    for ((build, channel, sender), payloads) in vectors::own_payloads() {
        if build == "1.0.0.136" {
            let capture = lab.file("messages.pcap", &pcap::user(&payloads));
            let channel = channel.to_string();
            let prefs =
                [("lol.build", build.as_str()), ("lol.user_channel", &channel), ("lol.user_sender", sender)];
            (1..=4).for_each(|seed| assert_harmless(&lab, &capture, seed, "0", &prefs));
        }
    }
}
