//! Tests of recognising: which variants a datagram fits, and how a conversation leaves fewer of them.

use super::*;

use HeaderVariant::{Classic, Compact, Prefixed, Season8, Stock, StockChecksum};

const CLIENT: Option<Sender> = Some(Sender::Client);
const SERVER: Option<Sender> = Some(Sender::Server);
/// All of them, likelier ones first.
const EVERY: [(HeaderVariant, Option<Sender>); 7] = [
    (Classic, None),
    (Compact, None),
    (Prefixed, None),
    (Season8, CLIENT),
    (Season8, SERVER),
    (Stock, None),
    (StockChecksum, None),
];

fn found(datagram: &Datagram) -> Candidates {
    let bytes = datagram.bytes();
    candidates(&bytes, bytes.len())
}

fn fits(candidates: Candidates) -> Vec<(HeaderVariant, Option<Sender>)> {
    candidates.variants().map(|settled| (settled.variant, settled.first)).collect()
}

/// A payload of one end, which only its variant explains.
fn payload(variant: HeaderVariant, from: Option<Sender>) -> Datagram<'static> {
    let sent = datagram(variant, Some(5), vec![Outgoing::reliable(1, 1, b"payload")]);
    Datagram { from, ..sent }
}

/// A compressed datagram of stock ENet, which nobody reads.
fn compressed() -> Candidates {
    let mut bytes = payload(Stock, None).bytes();
    bytes[0] |= 0x40;
    candidates(&bytes, bytes.len())
}

#[test]
fn everything_fits_before_anything_was_seen() {
    let any = Candidates::ANY;
    assert_eq!(fits(any), EVERY);
    assert_eq!(any.likeliest(), Some(Settled { variant: Classic, first: None }));
    assert!(!any.is_empty() && !any.is_neutral() && !any.decides() && !any.hints_classic());
    assert_eq!(any.weight(), 0);
    for (variant, from) in EVERY {
        assert!(any.holds(variant, from) && any.holds(variant, None), "{variant:?}");
    }
    let nothing = candidates(&[], 0);
    assert!(nothing.is_empty() && !nothing.is_neutral() && !nothing.decides());
    assert_eq!((nothing.likeliest(), nothing.weight()), (None, 0));
}

#[test]
fn payloads_fit_their_variant_and_those_written_alike() {
    for (variant, from, alike) in [
        (Stock, None, vec![Stock]),
        (StockChecksum, None, vec![StockChecksum]),
        (Classic, None, vec![Classic]),
        (Compact, None, vec![Compact, Season8]),
        (Prefixed, None, vec![Prefixed]),
        (Season8, CLIENT, vec![Season8]),
        (Season8, SERVER, vec![Compact, Season8]),
    ] {
        let found = found(&payload(variant, from));
        assert_eq!(found.variants().map(|settled| settled.variant).collect::<Vec<_>>(), alike, "{from:?}");
        assert_eq!((found.decides(), found.weight()), (alike.len() == 1, 25), "{variant:?}");
        assert!(!found.is_empty() && !found.is_neutral());
        assert_eq!(found.likeliest().map(|settled| settled.variant), alike.first().copied());
        for other in HeaderVariant::ALL {
            assert_eq!(found.holds(other, None), alike.contains(&other), "{variant:?} {other:?}");
            let ends = [CLIENT, SERVER].map(|end| found.holds(other, end));
            let expected = match other {
                Season8 if variant == Season8 => [from == CLIENT, from == SERVER],
                Season8 if variant == Compact => [false, true],
                _ => [alike.contains(&other); 2],
            };
            assert_eq!(ends, expected, "{variant:?} {other:?}");
        }
    }
}

#[test]
fn without_a_sent_time_nothing_is_decided() {
    let quiet = |variant, session, peer| {
        let sent = datagram(variant, None, vec![Outgoing::unreliable(1, 1, 1, b"data")]);
        found(&Datagram { from: None, session, peer, ..sent })
    };
    let alike = quiet(Classic, 0x29, 1);
    assert_eq!(fits(alike), [(Classic, None), (Prefixed, None), (StockChecksum, None)]);
    assert!(!alike.decides() && alike.hints_classic());
    // read as any other, such a session or peer says that a time follows
    let alone = quiet(Classic, 0xA9, 0x0081);
    assert_eq!(fits(alone), [(Classic, None)]);
    assert!(!alone.decides());
    // and with a time two can be alike
    let sent = datagram(Compact, Some(5), vec![Outgoing::ping(1)]);
    let timed = found(&Datagram { session: 0x80, ..sent });
    assert_eq!(fits(timed), [(Compact, None), (Season8, SERVER), (Stock, None)]);
    assert!(!timed.decides());
}

#[test]
fn the_session_of_classic_clients_is_a_hint() {
    for (session, hints) in [(0x29, true), (0x129, false), (0x0001_0029, false), (0x0100_0029, false)] {
        let found = found(&Datagram { session, ..payload(Classic, None) });
        assert_eq!((fits(found), found.hints_classic()), (vec![(Classic, None)], hints), "{session:#x}");
    }
    let other = found(&Datagram { prefix: [0x29, 0, 0, 0, 0, 0, 0, 0], ..payload(Prefixed, None) });
    assert!(other.holds(Prefixed, None) && !other.holds(Classic, None) && !other.hints_classic());
    let mut both = Candidates::ANY;
    both.narrow(other, true);
    assert!(!both.hints_classic());
    let mut conversation = Candidates::ANY;
    conversation.narrow(found(&Datagram { session: 0x129, ..payload(Classic, None) }), true);
    assert!(!conversation.hints_classic());
    conversation.narrow(found(&payload(Classic, None)), false);
    assert!(conversation.hints_classic());
}

#[test]
fn conversations_tell_client_from_server() {
    let (client, server) = (found(&payload(Season8, CLIENT)), found(&payload(Season8, SERVER)));
    assert_eq!(fits(client), [(Season8, CLIENT)]);
    assert_eq!(fits(server), [(Compact, None), (Season8, SERVER)]);
    for (datagram, first, expected) in [
        (client, true, vec![(Season8, CLIENT)]),
        (client, false, vec![(Season8, SERVER)]),
        (server, true, vec![(Compact, None), (Season8, SERVER)]),
        (server, false, vec![(Compact, None), (Season8, CLIENT)]),
    ] {
        let mut conversation = Candidates::ANY;
        conversation.narrow(datagram, first);
        assert_eq!(fits(conversation), expected, "{first}");
        assert_eq!((conversation.weight(), conversation.decides()), (25, expected.len() == 1));
    }
    for (first, expected) in [(true, CLIENT), (false, SERVER)] {
        for order in [[0, 1], [1, 0]] {
            let (both, mut conversation) = ([(client, first), (server, !first)], Candidates::ANY);
            for (datagram, first) in order.map(|place| both[place]) {
                conversation.narrow(datagram, first);
            }
            assert_eq!(fits(conversation), [(Season8, expected)], "{order:?}");
            assert!(conversation.decides());
            assert_eq!(conversation.weight(), 50);
            conversation.narrow(client, !first);
            assert!(conversation.is_empty() && !conversation.decides() && conversation.likeliest().is_none());
        }
    }
}

#[test]
fn turning_leaves_all_others_as_they_are() {
    for (variant, from) in EVERY {
        let seen = found(&payload(variant, from));
        for first in [true, false] {
            let mut conversation = Candidates::ANY;
            conversation.narrow(seen, first);
            for other in [Stock, StockChecksum, Classic, Compact, Prefixed] {
                assert_eq!(conversation.holds(other, None), seen.holds(other, None), "{variant:?} {other:?}");
            }
            for end in [CLIENT, SERVER] {
                let same = if first { end } else { end.map(Sender::other) };
                assert_eq!(conversation.holds(Season8, end), seen.holds(Season8, same), "{variant:?}");
            }
        }
    }
}

#[test]
fn weights_add_up() {
    let mut conversation = Candidates::ANY;
    for seen in 1..4 {
        conversation.narrow(found(&payload(Classic, None)), true);
        assert_eq!(conversation.weight(), 25 * seen);
    }
    for _ in 0..3000 {
        conversation.narrow(found(&payload(Classic, None)), true);
    }
    assert_eq!(conversation.weight(), u16::MAX);
    let receipts = datagram(Classic, None, vec![Outgoing::acknowledge(1, 1, 1); 3]);
    assert_eq!(found(&receipts).weight(), 4);
}

#[test]
fn compressed_datagrams_speak_for_none_but_stock() {
    assert!(compressed().is_neutral() && compressed().is_empty() && compressed().weight() == 0);
    for (variant, stays) in [(Stock, true), (StockChecksum, true), (Classic, false), (Prefixed, false)] {
        let mut conversation = Candidates::ANY;
        conversation.narrow(found(&payload(variant, None)), true);
        conversation.narrow(compressed(), true);
        assert_eq!(fits(conversation), if stays { vec![(variant, None)] } else { vec![] });
        assert_eq!(conversation.decides(), stays);
        assert!(!conversation.is_neutral());
    }
    // what another variant explains may still be compressed, and is not neutral
    let seen = found(&Datagram { session: 0x40, ..payload(Compact, None) });
    assert!(seen.holds(Compact, None) && !seen.holds(Stock, None));
    assert!(!seen.is_empty() && !seen.is_neutral());
    let mut conversation = Candidates::ANY;
    conversation.narrow(seen, true);
    assert_eq!(
        fits(conversation),
        [(Compact, None), (Season8, SERVER), (Stock, None), (StockChecksum, None)]
    );
    let only = |variant| fits(conversation.only(variant));
    assert_eq!(only(Stock), [(Stock, None), (StockChecksum, None)], "with a checksum or without");
    assert_eq!(only(StockChecksum), [(StockChecksum, None)]);
    assert_eq!((only(Season8), only(Classic)), (vec![(Season8, SERVER)], vec![]));
    let single = [Compact, Stock, Classic].map(|variant| conversation.only(variant).is_single());
    assert_eq!(single, [true, false, false]);
    assert!(seen.only(Stock).is_neutral() && !seen.only(Classic).is_neutral());
    let junk = candidates(&[0x0F; 40], 40);
    assert!(junk.is_empty() && !junk.is_neutral());
}

#[test]
fn connections_start_with_a_connect_that_fits() {
    for variant in HeaderVariant::ALL {
        let bytes = asking(variant);
        assert_eq!(connect(&bytes, bytes.len()), Some(variant));
        assert_eq!(connect(&bytes, 0), Some(variant), "as long as what was captured, at least");
        assert_eq!(connect(&bytes, bytes.len() + 1), Some(variant), "more was cut by the capture");
        assert_eq!(connect(&bytes[..bytes.len() - 1], bytes.len()), None, "not captured whole");
        for commands in [vec![Outgoing::ping(1)], vec![Outgoing::verify_connect(OPENING)]] {
            let bytes = datagram(variant, Some(1), commands).bytes();
            assert_eq!(connect(&bytes, bytes.len()), None, "{variant:?}");
        }
        let found = candidates(&bytes, bytes.len());
        assert_eq!((found.weight(), found.decides(), fits(found).len()), (92, true, 1), "{variant:?}");
        let client = if variant == Season8 { CLIENT } else { None };
        assert_eq!(found.likeliest(), Some(Settled { variant, first: client }));
    }
    let mut bytes = asking(StockChecksum);
    bytes[5] ^= 1;
    assert_eq!(connect(&bytes, bytes.len()), None, "another sum");
    assert!(candidates(&bytes, bytes.len()).holds(StockChecksum, None), "the sum is not asked for");
    // the rest would be needed to know the sum
    assert_eq!(connect(&bytes, bytes.len() + 1), Some(StockChecksum));
}

#[test]
fn a_sum_that_fits_leaves_one_variant() {
    let bytes = asking(StockChecksum);
    let found = candidates(&bytes, bytes.len());
    assert!(found.decides() && fits(found) == [(StockChecksum, None)]);
    // one that gives up has no sent time, and is settled by its sum alone
    let given_up = |variant: HeaderVariant| {
        let sent = datagram(variant, None, vec![Outgoing::disconnect_now(0)]);
        let bytes = Datagram { peer: variant.unassigned(), session: 0, connect_id: 0, ..sent }.bytes();
        candidates(&bytes, bytes.len())
    };
    assert!(given_up(StockChecksum).decides() && !given_up(Stock).decides());
    let mut conversation = Candidates::ANY;
    conversation.narrow(given_up(StockChecksum), true);
    assert!(conversation.decides());
}

#[test]
fn a_connect_is_looked_for_among_the_forms_of_a_demanded_variant() {
    for variant in HeaderVariant::ALL {
        let bytes = asking(variant);
        for demanded in HeaderVariant::ALL {
            let found = connect_of(Some(demanded), &bytes, bytes.len());
            assert_eq!(found, demanded.stands_for(variant).then_some(variant), "{demanded:?}");
        }
    }
}
