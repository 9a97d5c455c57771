//! Keys by session, from the table of a profile, and from a file that grows.

use crate::lab::{Call, Lab};
use crate::{KEY, SECOND_KEY};

const FIRST_CLIENT: &str = "192.0.2.10";
const SECOND_CLIENT: &str = "192.0.2.11";

/// A row of the table as it is written in the profile.
fn row(columns: [&str; 6]) -> String {
    columns.map(|column| format!("\"{column}\"")).join(",")
}

fn with_rows<'l>(call: Call<'l>, rows: &[[&str; 6]]) -> Call<'l> {
    rows.iter().fold(call, |call, columns| call.pref("uat:lol_keys", &row(*columns)))
}

/// Session, key, its source and number, build and its source of each frame that says so, each set once and in order.
fn told(call: Call<'_>, fields: &[&str]) -> Vec<Vec<String>> {
    let mut rows = call.args(&["-Y", "lol.message"]).fields(fields);
    rows.sort();
    rows.dedup();
    rows
}

#[test]
fn a_row_opens_the_sessions_of_its_address() {
    let Some(lab) = Lab::new() else { return };
    let clients = || lab.tshark(&lab.capture("two-clients.pcap")).args(&["-2"]);
    let rows = [[FIRST_CLIENT, "", KEY, "", "", ""], [SECOND_CLIENT, "50000", SECOND_KEY, "", "", ""]];
    let fields = ["lol.session", "lol.key.source", "lol.key.number"];
    let both = told(with_rows(clients(), &rows), &fields);
    assert_eq!(both, [["0", "table", "1"], ["1", "table", "2"]]);
    assert_eq!(
        told(with_rows(clients(), &rows[1..]), &fields),
        [["1", "table", "1"]],
        "the other stays shut"
    );
    // the port must be that of the same end
    let elsewhere = [SECOND_CLIENT, "5119", SECOND_KEY, "", "", ""];
    assert_eq!(told(with_rows(clients(), &[elsewhere]), &fields), [[""; 3]; 0]);
    // the keys for all are tried where the row's does not fit
    let swapped = [[FIRST_CLIENT, "0", SECOND_KEY, "", "", ""]];
    let general = told(with_rows(clients(), &swapped).key(&format!("{KEY},{SECOND_KEY}")), &fields);
    assert_eq!(general, [["0", "preference", "1"], ["1", "preference", "2"]]);
}

#[test]
fn a_row_overrides_build_and_map_of_its_sessions() {
    let Some(lab) = Lab::new() else { return };
    let call = lab.tshark(&lab.capture("two-clients.pcap")).args(&["-2"]).key(&format!("{KEY},{SECOND_KEY}"));
    let rows = [[FIRST_CLIENT, "0", "", "1.0.0.135", "11", ""], [SECOND_CLIENT, "0", "", "", "", "7000,-7"]];
    let packets = with_rows(call, &rows).pdml();
    let of = |session: &str, name: &str| -> Vec<String> {
        let lols = packets.iter().filter(|packet| packet.values("lol.session").contains(&session));
        let mut all: Vec<_> = lols.flat_map(|packet| packet.values(name)).map(str::to_owned).collect();
        all.sort();
        all.dedup();
        all
    };
    assert_eq!(
        (of("0", "lol.build"), of("0", "lol.build.source")),
        (vec!["1.0.0.135".to_owned()], vec!["keys".to_owned()])
    );
    assert_eq!(
        (of("1", "lol.build"), of("1", "lol.build.source")),
        (vec!["1.0.0.136".to_owned()], vec!["stated".to_owned()])
    );
    assert_eq!(
        (of("0", "lol.origin.x"), of("0", "lol.map")),
        (vec!["7358".to_owned()], vec!["11".to_owned()])
    );
    assert_eq!(
        (of("1", "lol.origin.z"), of("1", "lol.origin.source")),
        (vec!["-7".to_owned()], vec!["keys".to_owned()])
    );
    let noted: Vec<_> =
        packets.iter().filter(|packet| packet.experts().contains(&"lol.buildContradicted")).collect();
    assert_eq!(noted.iter().map(|packet| packet.number).collect::<Vec<_>>(), [12]);
}

#[test]
fn the_table_is_a_file_of_the_profile() {
    let Some(lab) = Lab::new() else { return };
    lab.profile_file("lol_keys", &(row(["", "5119", KEY, "", "", ""]) + "\n"));
    let call = lab.tshark(&lab.capture("session.pcap"));
    assert_eq!(call.frames("waypoint.syncId == 984"), [43, 44]);
}

#[test]
fn a_column_says_what_may_stand_in_it() {
    let Some(lab) = Lab::new() else { return };
    for (place, wrong, told) in [
        (0, "192.0.2.300", "address must be an IPv4 or IPv6 address such as 192.0.2.10, or empty for any, got \"192.0.2.300\""),
        (1, "70000", "port must be a UDP port from 1 to 65535, or 0 for any, got \"70000\""),
        (2, "0123", "key must be 32 hex digits, 24 base64 characters or 16 characters of text, got 4 characters"),
        (3, "1.0.136", "build must be four numbers up to 65535 joined by dots, such as 1.0.0.136, got \"1.0.136\""),
        (4, "2", "map must be the number of a map whose origin is known (1, 8, 10, 11, 12)"),
        (5, "7000", "origin must be auto or two whole numbers from -32768 to 32767 as x,z (such as 6991,7223), got \"7000\""),
    ] {
        let mut columns = ["", "", KEY, "", "", ""];
        columns[place] = wrong;
        let done = with_rows(lab.tshark(&lab.capture("session.pcap")), &[columns]).run();
        assert!(!done.status.success(), "{wrong} is taken");
        assert!(done.err.contains(told), "{}", done.err);
    }
}

#[test]
fn a_file_holds_the_keys_of_all_matches() {
    let Some(lab) = Lab::new() else { return };
    let text = format!(
        "# proxy\nKEY {KEY}\nCLIENT_RANDOM 00 11\nKEY {SECOND_KEY} 192.0.2.11:50000 1.0.0.136 11 # last"
    );
    let file = lab.file("keys.txt", text.as_bytes());
    let done =
        lab.tshark(&lab.capture("two-clients.pcap")).args(&["-2"]).pref("lol.keylog_file", &file).run();
    let said = format!("lol.keylog_file: {file}: line 3 is left out (a line begins with KEY");
    assert!(
        done.status.success() && done.err.lines().count() == 1 && done.err.contains(&said),
        "{}",
        done.err
    );
    let file = lab.file("keys.txt", text.replace("CLIENT", "# CLIENT").as_bytes());
    let call = lab.tshark(&lab.capture("two-clients.pcap")).args(&["-2"]).pref("lol.keylog_file", &file);
    let rows = told(call, &["lol.session", "lol.key.source", "lol.key.number", "lol.build.source"]);
    assert_eq!(rows, [["0", "file", "2", "stated"], ["1", "file", "4", "keys"]]);
    let missing = lab.tshark(&lab.capture("session.pcap")).pref("lol.keylog_file", "nowhere.txt").run();
    assert!(missing.status.success() && missing.err.lines().count() == 1, "{}", missing.err);
    assert!(missing.err.contains("lol.keylog_file: nowhere.txt cannot be read"), "{}", missing.err);
}

#[test]
fn a_key_that_is_appended_while_a_capture_runs_opens_what_follows() {
    let Some(lab) = Lab::new() else { return };
    let keys = lab.file("keys.txt", b"");
    let capture = lab.capture("session.pcap");
    // some time behind the registration the key comes, and a moment later the rest of the capture
    let script = format!(
        "(head -c 8000 {capture}; until [ -s $HOME/out ]; do sleep 0.05; done; sleep 0.2
          echo KEY {KEY} >> {keys}; sleep 1.2; tail -c +8001 {capture}) |
         tshark -n -l -r - -o lol.keylog_file:{keys} -T fields -e frame.number -e lol.enciphered -e lol.build -Y lol > $HOME/out
         cat $HOME/out"
    );
    lab.open_to_all(&keys);
    let out = lab.call("sh").args(&["-c", &script]).clean();
    let rows: Vec<Vec<&str>> = out.lines().map(|line| line.split('\t').collect()).collect();
    let shut = rows.iter().rposition(|row| !row[1].is_empty()).expect("some could not be read");
    let first: u32 = rows[shut + 1][0].parse().expect("a frame number");
    assert!(first > 20 && first < 96, "{first}");
    // the build was stated in what could not be read then
    let builds: Vec<_> = rows[shut + 1..].iter().flat_map(|row| row[2].split(',')).collect();
    assert!(builds.iter().all(|build| *build == "1.0.0.136"), "{builds:?}");
    // read anew, all of it is open
    let again = lab.tshark(&capture).pref("lol.keylog_file", &keys);
    assert_eq!(again.frames("lol.enciphered"), [0; 0]);
}
