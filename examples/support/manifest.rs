//! The words that go with the sample captures.

use super::bedrock::Tale;
use super::stories::{Story, KEY, SYNC};
use std::fmt::Write;

/// The key of `session.pcap` and a sync id to look for, as shell variables.
pub fn session_env() -> String {
    format!("KEY={}\nSYNC={SYNC}\n", hex::encode(KEY))
}

const HEAD: &str = "\
# Sample captures

All of them are made, none is recorded. `cargo run --example make-captures` writes every file of this folder anew,
this one too but dtls.pcap, and a test holds the files to what it writes: to change a capture, change its story in
`examples/support/stories/`. Unless said otherwise the client is 192.0.2.10:50000, the server 198.51.100.20:5119, the
build 1.0.0.136, the header classic, the map number 1 with its origin at (6991, 7223). Unit 0x40000019 is the
client's champion, 0x4000001a another one, 0x40000123 a minion.

`session.env` gives the key of session.pcap and a sync id to look for in it, as shell variables.
";

const DTLS: &str = "
## dtls.pcap

The second session of stock.pcap through DTLS 1.2 with a pre-shared key (ports 50006 and 7788), made once with
`scripts/make-dtls.py`: its random numbers would be others each time. Read it with
`-o dtls.psk:52696674736861726b2044544c53`; the ENet datagrams are the last 22 frames.
";

/// `captures/README.md`. Traffic of others is listed as name, first and last frame.
pub fn manifest(stories: &[Story], tales: &[Tale], traffic: &[(&str, usize, usize)]) -> String {
    let mut text = HEAD.to_owned();
    for story in stories {
        write_story(&mut text, story).expect("a String takes all text");
    }
    for tale in tales {
        write_tale(&mut text, tale).expect("a String takes all text");
    }
    text.push_str(DTLS);
    text.push_str(
        "\n## other-traffic.pcap\n\nOther protocols, some made to resemble ENet: a reader of the game must take none of \
         these frames.\n`cargo run --example make-traffic` writes this file alone.\n\n| frames | what |\n|---|---|\n",
    );
    for (name, first, last) in traffic {
        writeln!(text, "| {first}–{last} | {name} |").expect("a String takes all text");
    }
    text
}

fn write_story(text: &mut String, story: &Story) -> std::fmt::Result {
    writeln!(text, "\n## {}\n\n{} {} frames.", story.file, story.blurb, story.capture.len())?;
    match story.keys.as_slice() {
        [] => writeln!(text, "No key.")?,
        keys => {
            let keys: Vec<_> = keys.iter().map(|key| format!("`{}`", hex::encode(key))).collect();
            writeln!(text, "Key: {}.", keys.join(", then "))?;
        }
    }
    writeln!(text, "\n| frame | what a reader has to find |\n|---|---|")?;
    story.notes.iter().try_for_each(|(frame, note)| writeln!(text, "| {frame} | {note} |"))
}

fn write_tale(text: &mut String, tale: &Tale) -> std::fmt::Result {
    writeln!(text, "\n## {}\n\n{} {} frames.", tale.file, tale.blurb, tale.capture.len())?;
    writeln!(text, "\n| frame | what a reader has to find |\n|---|---|")?;
    tale.notes.iter().try_for_each(|(frame, note)| writeln!(text, "| {frame} | {note} |"))
}
