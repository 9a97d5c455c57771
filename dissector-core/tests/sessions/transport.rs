//! What ENet's numbers say: retransmissions, gaps, late and doubled commands, acknowledgements.

use dissector_core::enet::wire::write::Outgoing;
use dissector_core::enet::wire::HeaderVariant;

use crate::lab::passes;
use crate::wire::{built, group, keyed, Client, Server, Talk};

#[test]
fn of_three_transmissions_the_first_counts() {
    let mut talk = Talk::enciphered(HeaderVariant::Classic);
    talk.open();
    talk.register();
    let first = talk.reliable(Server, 3, 1, &group(984));
    let again = [
        talk.wait(500).reliable(Server, 3, 1, &group(984)),
        talk.wait(900).reliable(Server, 3, 1, &group(984)),
    ];
    let answer = talk.send(Client, vec![Outgoing::acknowledge(3, 1, 0)]);
    let (one, two) = passes(&built(keyed()), &talk.frames);
    for pass in [&one, &two] {
        assert!(!pass[first].as_ref().unwrap().has("enet.retransmission"));
        for frame in again {
            let shown = pass[frame].as_ref().unwrap();
            assert_eq!(shown.values("enet.retransmissionOf"), [u64::from(talk.frames[first].id.0)]);
            assert_eq!(shown.values("waypoint.syncId"), [984], "it is decoded all the same");
            assert!(shown.info.starts_with("[retransmission] WaypointGroup"), "{}", shown.info);
        }
    }
    let acked: Vec<_> =
        [first, again[0], again[1]].map(|frame| two[frame].as_ref().unwrap().values("enet.ackedIn")).concat();
    assert_eq!(acked, [u64::from(talk.frames[answer].id.0); 3]);
}
