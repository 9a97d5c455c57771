//! Bytes written for entries that have none.

use conformance::fill::fill;

#[test]
fn bytes_come_from_the_fields_and_the_net_id() {
    let entry = r#"[{"message": "UnitStopped", "version": "1.0.0.136", "channel": 3, "sender": "server", "netId": 258,
        "fields": {"x": 1.0, "y": 0.0, "z": 0.0, "facingX": 0.0, "facingY": 0.0, "facingZ": 0.0, "syncId": -1},
        "from": "made", "note": "n"}]"#;
    let filled = fill(entry).unwrap();
    let bytes = "33020100000000803f0000000000000000000000000000000000000000ffffffff";
    assert!(filled.contains(&format!("\"sender\":\"server\",\"bytes\":\"{bytes}\",\"fields\"")), "{filled}");
    assert!(!filled.contains("netId"));
    assert_eq!(fill(&filled).unwrap(), filled);
}

#[test]
fn what_cannot_be_written_says_where_and_why() {
    let entry = |fields: &str| {
        format!(
            r#"[{{"message": "WaypointAck", "version": "1.0.0.136", "channel": 1, "sender": "client", "fields": {fields}}}]"#
        )
    };
    let why = |fields: &str| fill(&entry(fields)).unwrap_err();
    assert_eq!(
        why(r#"{"syncId": 1, "relocationCount": 2, "relocations": []}"#),
        "vector 0: relocations: holds 0 items where \"count in relocationCount × record\" says 2; \
         give as many, or change what says so"
    );
    assert_eq!(
        why(r#"{"syncId": -1, "relocationCount": 0, "relocations": []}"#),
        "vector 0: syncId: expected a whole number from 0 to 4294967295, got -1"
    );
    assert_eq!(why(r#"{"relocationCount": 0, "relocations": []}"#), "vector 0: syncId: missing, give u32");
    assert_eq!(
        why(r#"{"syncId": 1, "relocationCount": 1, "relocations": [{"unit": 1, "token": 2, "more": 3}]}"#),
        "vector 0: relocations[0].more: no such field, got 3; leave it out, the fields are unit, token"
    );
    assert!(fill("{}").is_err());
}
