//! Who of a session is the server, and what is shown where the header variant is not settled.

use dissector_core::capture::{Endpoint, Sender, Settings};
use dissector_core::enet::wire::write::Outgoing;
use dissector_core::enet::wire::HeaderVariant;

use crate::lab::{passes, read, shown, streams, Pass};
use crate::wire::{Client, Server, Talk};

/// Talks of a variant without their connect: with the server's end behind the client's, and before it.
fn unopened(variant: HeaderVariant) -> [Talk; 2] {
    [10, 30].map(|host| {
        let talk = Talk { session: 1, ..Talk::new(variant) };
        let client = Endpoint::new(2, &[192, 0, 2, host], 50_000);
        Talk { ends: [client, talk.ends[1]], ..talk }
    })
}

/// Who sent the payloads of each frame: `None` where that is not known.
fn senders(pass: &Pass) -> Vec<Option<Sender>> {
    let all = shown(pass);
    all.iter().flat_map(|shown| &shown.payloads).map(|span| Sender::from_number(span.sender)).collect()
}

fn ports(first: u16, last: u16) -> Settings {
    Settings { ports: vec![(first, last)], ..Settings::default() }
}

/// Three datagrams with payloads on a channel both ends use.
fn chat(talk: &mut Talk) {
    talk.reliable(Client, 5, 1, b"one");
    talk.reliable(Server, 5, 1, b"two");
    talk.reliable(Client, 5, 2, b"three");
}

#[test]
fn the_connect_tells_who_serves_in_every_variant() {
    for variant in HeaderVariant::ALL {
        for mut talk in unopened(variant) {
            talk.open();
            chat(&mut talk);
            let (one, two) = passes(&Settings::default(), &talk.frames);
            for pass in [&one, &two] {
                assert_eq!(senders(pass), [Some(Client), Some(Server), Some(Client)], "{variant:?}");
            }
        }
    }
}

#[test]
fn without_a_connect_only_the_header_of_season_8_tells_who_serves() {
    for variant in HeaderVariant::ALL {
        for mut talk in unopened(variant) {
            chat(&mut talk);
            let two = read(&Settings::default(), &talk.frames);
            let known = variant == HeaderVariant::Season8;
            let wanted = [Client, Server, Client].map(|sender| known.then_some(sender));
            assert_eq!(senders(&two), wanted, "{variant:?}");
            if known {
                let ahead = shown(&two).iter().map(|shown| shown.has("enet.prefix")).collect::<Vec<_>>();
                assert_eq!(ahead, [true, false, true], "a client writes bytes in front");
            }
        }
    }
}

#[test]
fn the_end_with_a_server_port_serves() {
    for mut talk in unopened(HeaderVariant::Classic) {
        chat(&mut talk);
        let wanted = [Some(Client), Some(Server), Some(Client)];
        assert_eq!(senders(&read(&ports(5_119, 5_119), &talk.frames)), wanted);
        // the port of the client was set: the user's word counts
        let turned = [Some(Server), Some(Client), Some(Server)];
        assert_eq!(senders(&read(&ports(50_000, 50_000), &talk.frames)), turned);
        // two such ends, or none, tell nothing
        assert_eq!(senders(&read(&ports(1, 65_535), &talk.frames)), [None; 3]);
        assert_eq!(senders(&read(&ports(1, 2), &talk.frames)), [None; 3]);
    }
}

#[test]
fn the_header_of_season_8_outweighs_the_ports() {
    for mut talk in unopened(HeaderVariant::Season8) {
        chat(&mut talk);
        let two = read(&ports(50_000, 50_000), &talk.frames);
        assert_eq!(senders(&two), [Some(Client), Some(Server), Some(Client)]);
    }
}

#[test]
fn a_channel_that_one_end_sends_on_tells_who_serves() {
    let long = [7; 11];
    for (from, channel, known) in
        [(Server, 3, true), (Server, 4, true), (Client, 1, true), (Client, 5, false), (Server, 0, false)]
    {
        for variant in [HeaderVariant::Classic, HeaderVariant::Compact, HeaderVariant::Prefixed] {
            for mut talk in unopened(variant) {
                chat(&mut talk);
                talk.reliable(from, channel, 9, &long);
                if known {
                    // what is known once stays so
                    talk.reliable(Client, 3, 9, &long);
                }
                talk.reliable(Client, 5, 3, b"three");
                let (_, two) = passes(&Settings::default(), &talk.frames);
                let known_from = |sender| known.then_some(sender);
                let all = senders(&two);
                assert_eq!(all[3], known_from(from), "{variant:?}, channel {channel}");
                if known {
                    assert_eq!(all[4..], [Some(Client); 2], "{variant:?}, channel {channel}");
                }
            }
        }
    }
}

#[test]
fn the_channels_of_another_program_tell_nothing() {
    for mut talk in unopened(HeaderVariant::Stock) {
        chat(&mut talk);
        talk.reliable(Server, 3, 1, &[7; 11]);
        assert_eq!(senders(&read(&Settings::default(), &talk.frames)), [None; 4]);
    }
}

#[test]
fn a_datagram_that_settles_nothing_is_shown_as_its_likeliest_variant() {
    for mut talk in unopened(HeaderVariant::Season8) {
        let at =
            talk.send(Client, vec![Outgoing::unreliable(5, 0, 1, b"one"), Outgoing::acknowledge(5, 1, 9)]);
        talk.frames[at].decode_as = true;
        let (one, two) = passes(&Settings::default(), &talk.frames);
        for pass in [&one, &two] {
            assert_eq!(streams(pass), [None], "it is of no session");
            let shown = shown(pass)[0];
            assert_eq!(shown.texts("enet.shape"), ["season8"]);
            assert_eq!(shown.values("enet.command"), [7, 1]);
            let told = shown.told("enet.undecided").concat();
            assert!(told.starts_with("Read with the likeliest header shape, season8: "), "{told}");
            assert_eq!(shown.experts[0].2, 0, "it is told of the whole datagram");
            assert_eq!(shown.info, "sendUnreliable on channel 5, 3 bytes, acknowledge 1");
            let prefix = shown.all("enet.prefix")[0].place;
            assert_eq!((prefix.2, prefix.3), (0, 8), "the sender is the client");
        }
    }
}

#[test]
fn a_datagram_without_commands_that_can_be_read_is_shown_provisionally() {
    let [mut talk, _] = unopened(HeaderVariant::Compact);
    let cut = talk.send(Server, vec![Outgoing::unreliable(5, 0, 1, b"one"), Outgoing::acknowledge(5, 1, 9)]);
    talk.frames[cut].bytes.truncate(15);
    let compressed = talk.capture(Server, vec![0x50, 0, 1, 2, 3]);
    let short = talk.capture(Server, vec![1, 0x85, 7]);
    for frame in &mut talk.frames {
        frame.decode_as = true;
    }
    // each alone: together they would be held against each other
    let alone = |at: usize| read(&Settings::default(), &talk.frames[at..=at])[0].clone().unwrap();
    let shown = alone(cut);
    assert_eq!(shown.values("enet.command"), [7, 1]);
    assert_eq!(shown.told("enet.short"), ["enet.reliableSequenceNumber needs 2 bytes, the capture holds 0"]);
    assert_eq!(shown.info, "[cut short], sendUnreliable on channel 5, 3 bytes");
    let shown = alone(compressed);
    assert_eq!((shown.has("enet.compressedData"), shown.has("enet.command")), (true, false));
    assert_eq!(shown.info, "compressed commands, 3 bytes");
    let demanded = Settings { variant: "classic".into(), ..Settings::default() };
    assert_eq!(read(&demanded, &talk.frames[short..]), [None], "not even a header is there");
}

#[test]
fn a_datagram_that_fits_no_variant_is_left_to_others_whatever_the_user_says() {
    let [mut talk, _] = unopened(HeaderVariant::Stock);
    let at = talk.capture(Client, vec![0x17, 0xFE, 0xFD, 0, 1, 0, 0]);
    talk.frames[at].decode_as = true;
    let (one, two) = passes(&Settings::default(), &talk.frames);
    assert_eq!((one, two), (vec![None], vec![None]));
}

#[test]
fn what_was_shown_provisionally_is_of_the_session_once_it_is_settled() {
    let [mut talk, _] = unopened(HeaderVariant::Compact);
    talk.send(Server, vec![Outgoing::unreliable(5, 0, 1, b"one")]);
    talk.reliable(Client, 5, 1, b"two");
    talk.frames.iter_mut().for_each(|frame| frame.decode_as = true);
    let (one, two) = passes(&Settings::default(), &talk.frames);
    assert_eq!(streams(&one), [None, Some(0)]);
    assert!(shown(&one)[0].has("enet.command"));
    assert_eq!(streams(&two), [Some(0); 2]);
    assert_eq!(shown(&two)[0].told("enet.undecided"), [""; 0]);
}
