//! Datagrams that are lost, late, repeated, quoted or cut.

use super::Story;
use crate::lab::Lab;
use crate::pdml::{Item, Packet};
use crate::KEY;

#[test]
fn what_is_sent_again_is_marked_and_changes_nothing() {
    let Some(story) = Story::open("retransmission.pcap") else { return };
    let lost = story.noted("a MoveOrder the server never gets");
    let again = story.noted("the same again with a new sent time");
    let unheard = story.noted("an acknowledgement that gets lost");
    let delivered = story.noted("so the server sends the FaceDirection again");
    let middle = story.noted("fragment 2 of 5 again");
    let last = story.noted("the last fragment");
    let late = story.noted("fragment 4 of 5 again");
    let marked = [again, delivered, middle, late].map(|packet| packet.number);
    assert_eq!(story.with("enet.retransmission"), marked);
    assert_eq!(story.with("enet.retransmitted"), marked);
    assert_eq!(again.value("enet.retransmissionOf"), lost.number.to_string());
    assert_eq!(delivered.value("enet.retransmissionOf"), (unheard.number - 1).to_string());
    for (again, number) in [(middle, "1"), (late, "3")] {
        let first = story.frame(again.value("enet.retransmissionOf").parse().expect("a frame"));
        assert_eq!(
            (first.value("enet.fragmentNumber"), again.value("enet.fragmentNumber")),
            (number, number)
        );
    }
    // The acknowledgement names the second sending by its time, and its round trip counts from there.
    let ack = story.after(again);
    assert_eq!(ack.value("enet.ackTo"), again.number.to_string());
    assert_eq!(ack.value("enet.receivedSentTime"), again.value("enet.sentTime"));
    assert_eq!(lost.value("enet.ackedIn"), ack.number.to_string());
    // The message in fragments is read once.
    assert_eq!(story.only("lol.command", "88"), last.number);
    assert_eq!(story.with("enet.fragments"), [last.number]);
    story.assert_sound();
}

#[test]
fn every_payload_of_a_datagram_is_read() {
    let Some(story) = Story::open("bundle.pcap") else { return };
    let orders = story.noted("two MoveOrders and a ping");
    assert_eq!(orders.values("moveorder.kind"), ["2", "3"]);
    assert_eq!(orders.values("enet.command"), ["6", "6", "5"]);
    let three = story.noted("three acknowledgements");
    assert_eq!(three.values("lol.message"), ["FaceDirection", "Path", "WaypointGroup"]);
    assert_eq!(three.values("lol.channel"), ["3", "3", "4"]);
    assert_eq!(three.values("enet.ackTo"), vec![orders.number.to_string(); 3]);
    let answers = story.noted("the answers to the group");
    assert_eq!(answers.values("lol.message"), ["WaypointAck", "WaypointAck"]);
    assert_eq!(three.value("waypoint.ackIn"), answers.number.to_string());
    assert_eq!(three.value("path.ackIn"), answers.number.to_string());
    assert_eq!(answers.values("waypoint.ackTo"), vec![three.number.to_string(); 2]);
    story.assert_sound();
}

#[test]
fn what_overtakes_is_marked_where_it_comes_late() {
    let Some(story) = Story::open("reordering.pcap") else { return };
    let late = story.noted("Path 2 at last");
    let behind = story.noted("WaypointGroup 502 comes late");
    assert_eq!(story.with("enet.outOfOrder"), [late.number, behind.number]);
    for (note, sync) in [("Path 1", "1"), ("Path 3", "3"), ("Path 4", "4"), ("Path 2", "2")] {
        assert_eq!(story.noted(note).value("path.syncId"), sync);
    }
    // Everything came in the end, so no second pass misses anything.
    story.assert_none("enet.gap");
    story.assert_none("enet.retransmission");
    for (note, answered) in
        [("WaypointGroup 501", true), ("WaypointGroup 503", true), ("WaypointGroup 502", false)]
    {
        let group = story.noted(note);
        let answer = if answered { (group.number + 1).to_string() } else { String::new() };
        assert_eq!(group.value("waypoint.ackIn"), answer, "{note}");
    }
    story.assert_sound();
}

#[test]
fn what_never_comes_leaves_a_gap() {
    let Some(story) = Story::open("gap.pcap") else { return };
    let first = story.noted("Path 1");
    assert_eq!(story.with("enet.gap"), [first.number]);
    assert_eq!(first.value("enet.gap"), "1");
    assert_eq!(first.experts(), ["enet.missing"]);
    for note in ["Path 1", "Path 2", "Path 3"] {
        let path = story.noted(note);
        assert_eq!(path.value("enet.ackedIn"), story.after(path).number.to_string(), "{note}");
    }
    assert_eq!(story.noted("other channels go on").value("waypoint.syncId"), "700");
    story.assert_sound();
}

#[test]
fn numbers_that_wrap_leave_no_gap() {
    let Some(story) = Story::open("wrap.pcap") else { return };
    for field in ["enet.gap", "enet.outOfOrder", "enet.retransmission", "enet.duplicate"] {
        story.assert_none(field);
    }
    let number = |packet: &Packet| packet.value("enet.reliableSequenceNumber").to_owned();
    assert_eq!(number(story.noted("the first MoveOrder")), "65533");
    let fourth = story.noted("the fourth has reliable number 0");
    assert_eq!((number(fourth), fourth.value("lol.message")), ("0".to_owned(), "MoveOrder"));
    let joined = story.noted("the last of 3 fragments");
    let fragments: Vec<_> =
        joined.values("enet.fragment").iter().map(|frame| frame.parse().expect("a frame")).collect();
    let numbers: Vec<_> = fragments.iter().map(|frame| number(story.frame(*frame))).collect();
    assert_eq!(numbers, ["65534", "65535", "0"]);
    assert_eq!(joined.value("lol.command"), "88");
    let ping = story.noted("the client's second ping");
    assert_eq!((number(ping), ping.value("enet.command")), ("0".to_owned(), "5"));
    // Every reliable command is acknowledged, across the wrap of the clocks too, within a second.
    for ack in story.packets.iter().filter(|packet| packet.value("enet.command") == "1") {
        let to: u32 = ack.value("enet.ackTo").parse().expect("the frame that is acknowledged");
        assert_eq!(story.frame(to).value("enet.ackedIn"), ack.number.to_string());
        assert!(
            ack.value("enet.rtt").parse::<f64>().is_ok_and(|rtt| rtt > 0.0 && rtt < 1.0),
            "{}",
            ack.number
        );
    }
    story.assert_sound();
}

/// Every line of the reader's own trees. What ICMP quotes stands beside it in 4.0, and below it in later versions.
fn lines(packet: &Packet) -> Vec<&str> {
    let own = packet.all().into_iter().filter(|item| ["enet", "lol"].contains(&item.name.as_str()));
    own.flat_map(Item::all).map(|item| item.label.as_str()).collect()
}

#[test]
fn what_icmp_quotes_is_shown_and_counts_nowhere() {
    let Some(story) = Story::open("icmp.pcap") else { return };
    let order = story.noted("the server is gone");
    let quote = story.noted("ICMP port unreachable");
    let again = story.noted("the order again");
    assert_eq!(lines(quote), lines(order), "the quoted order looks as the order itself");
    assert!(quote.of("icmp").next().is_some());
    assert_eq!(again.value("enet.retransmissionOf"), order.number.to_string());
    story.assert_sound();
    // Without the quotes all else looks the same.
    let Some(lab) = Lab::new() else { return };
    let bare = lab.home().join("bare.pcap").to_str().expect("temporary paths are text").to_owned();
    let quotes = story.packets.iter().filter(|packet| packet.of("icmp").next().is_some());
    let quotes: Vec<_> = quotes.map(|packet| packet.number.to_string()).collect();
    let mut args = vec!["-F", "pcap"];
    let capture = lab.capture("icmp.pcap");
    args.extend([capture.as_str(), bare.as_str()]);
    args.extend(quotes.iter().map(String::as_str));
    lab.call("editcap").args(&args).clean();
    let without = lab.tshark(&bare).args(&["-2"]).key(KEY).pdml();
    let others: Vec<_> = story.packets.iter().filter(|packet| packet.of("icmp").next().is_none()).collect();
    assert_eq!(without.len(), others.len());
    for (with, without) in others.iter().zip(&without) {
        assert_eq!(lines(with), lines(without), "frame {}", with.number);
    }
}

#[test]
fn what_the_capture_cut_is_short_and_not_malformed() {
    let Some(story) = Story::open("short.pcap") else { return };
    let fragments = story.packets.iter().filter(|packet| packet.values("enet.command").contains(&"8"));
    let experts: Vec<_> = fragments.map(Packet::experts).collect();
    assert_eq!(experts, [["enet.short"]; 3], "a cut fragment says that its message cannot be put together");
    let group = story.noted("WaypointGroup 62");
    assert_eq!(group.value("waypoint.syncId"), "62");
    assert_eq!(group.experts(), ["lol.short"]);
    assert!(
        group.value("waypoint.movements.path.firstX").parse::<i32>().is_ok(),
        "the first movement is whole"
    );
    story.assert_sound();
    let whole = Story::open("session.pcap").expect("a lab was there before");
    whole.assert_none("lol.short");
}
