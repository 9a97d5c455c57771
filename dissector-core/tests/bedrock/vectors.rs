//! The shared vectors of MoveActorDelta, as messages of a session.

use crate::lab::{batch, delta, Lab};

fn shared(name: &str) -> Option<serde_json::Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/vectors/").to_owned() + name;
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: ../shared/vectors/{name} is not here");
        return None;
    };
    Some(serde_json::from_str(&text).expect("vectors are JSON"))
}

#[test]
fn shared_vectors_read_exactly() {
    let Some(file) = shared("bedrock-move-actor-delta.json") else { return };
    for vector in file["vectors"].as_array().unwrap() {
        let name = vector["name"].as_str().unwrap();
        let (number, word) = match &name[..5] {
            "v1001" => (1001, true),
            "v2168" => (2168, false),
            _ => (2208, false),
        };
        let mut lab = Lab::new();
        lab.agree(number, 0);
        let bytes = hex::decode(vector["body_hex"].as_str().unwrap()).unwrap();
        let shown = lab.server(&[&[0xFE, 0xFF][..], &batch(&[delta(&bytes)])].concat()).unwrap();
        let expected = &vector["expected"];
        if let Some(error) = expected["error"].as_str() {
            let field = if error.contains("ticks") { "ticks" } else { "actorRuntimeId" };
            let [(expert, text)] = &shown.experts[..] else { panic!("{name}: {:?}", shown.experts) };
            assert_eq!(expert, "bedrock.malformed", "{name}");
            assert!(text.contains(&format!("bedrock.moveActorDelta.{field}")), "{name}: {text}");
            continue;
        }
        assert!(shown.experts.is_empty(), "{name}: {:?}", shown.experts);
        let value = |field: &str| shown.value(&format!("bedrock.moveActorDelta.{field}"));
        let number = |key: &str| expected[key].as_f64();
        assert_eq!(value("actorRuntimeId") as f64, number("runtime_id").unwrap(), "{name}");
        for (field, key) in [("newPositionX", "x"), ("newPositionY", "y"), ("newPositionZ", "z")] {
            let got = shown.find(&format!("bedrock.moveActorDelta.{field}")).map(f64::from_bits);
            assert_eq!(got, number(key), "{name} {field}");
            assert_eq!(
                value(&format!("{field}.present")),
                u64::from(number(key).is_some()),
                "{name} {field}"
            );
        }
        for (field, key) in [("rotationX", "rot_x"), ("rotationY", "rot_y"), ("rotationYHead", "rot_y_head")]
        {
            let raw = shown.find(&format!("bedrock.moveActorDelta.{field}")).map(|raw| raw as i64 as f64);
            assert_eq!(raw, number(&format!("{key}_raw")), "{name} {field}");
            let degrees = shown.find(&format!("bedrock.moveActorDelta.{field}.degrees")).map(f64::from_bits);
            assert_eq!(degrees, number(&format!("{key}_deg")), "{name} {field}");
        }
        let flags = [
            ("isOnGround", "on_ground"),
            ("forceMove", "force_move"),
            ("forceMoveLocalEntity", "force_move_local_entity"),
            ("forceCompletion", "force_completion"),
        ];
        for (field, key) in flags {
            assert_eq!(value(field) != 0, expected[key].as_bool().unwrap_or(false), "{name} {field}");
        }
        if let Some(ticks) = expected["ticks"].as_u64() {
            assert_eq!(value("ticks"), ticks, "{name}");
        }
        if let Some(flags) = expected["flags"].as_u64().filter(|_| word) {
            assert_eq!(value("header.raw"), flags, "{name}");
        }
    }
}
