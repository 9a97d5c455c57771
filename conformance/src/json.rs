//! Fields between JSON and the core's values.
//!
//! Whole numbers are numbers, floats the double they read back as (a NaN is `"nan:` and its bits in hexadecimal),
//! text is text, bytes are hexadecimal text, absent rows null.

use dissector_core::encode::Value;
use dissector_core::layout::{Item, Row, Type};
use serde_json::{json, Map, Value as Json};

/// Values as JSON.
pub fn to_json(value: &Value) -> Json {
    match value {
        Value::Absent => Json::Null,
        Value::Int(value) => match (i64::try_from(*value), u64::try_from(*value)) {
            (Ok(value), _) => json!(value),
            (_, Ok(value)) => json!(value),
            _ => json!(value.to_string()),
        },
        Value::Float(value) if value.is_finite() => json!(f64::from(*value)),
        Value::Float(value) if value.is_nan() => json!(format!("nan:{:08x}", value.to_bits())),
        Value::Float(value) => json!(if *value > 0.0 { "inf" } else { "-inf" }),
        Value::Text(text) => json!(text),
        Value::Bytes(bytes) => json!(hex::encode(bytes)),
        Value::Record(rows) => Json::Object(
            rows.iter().map(|(name, value)| (name.clone(), to_json(value))).collect::<Map<_, _>>(),
        ),
        Value::List(items) => Json::Array(items.iter().map(to_json).collect()),
    }
}

/// The values of a body's fields. What does not fit its row is taken as it stands: writing it will say so.
pub fn from_json(json: &Json, rows: &[Row]) -> Value {
    let Json::Object(fields) = json else { return plain(json) };
    let value = |(name, json): (&String, &Json)| {
        let row = rows.iter().find(|row| row.name == name);
        (name.clone(), row.map_or_else(|| plain(json), |row| typed(json, &row.ty)))
    };
    Value::Record(fields.iter().map(value).collect())
}

fn typed(json: &Json, ty: &Type) -> Value {
    match (ty, json) {
        (Type::F32, Json::Number(number)) => Value::Float(number.as_f64().unwrap_or(f64::NAN) as f32),
        (Type::F32, Json::String(text)) => float(text).map_or_else(|| plain(json), Value::Float),
        (Type::Bytes(_), Json::String(text)) => hex::decode(text).map_or_else(|_| plain(json), Value::Bytes),
        (Type::Record(rows), _) => from_json(json, rows),
        (Type::Struct(shape), _) => from_json(json, shape.rows),
        (Type::List { of, .. } | Type::ListBytes { of, .. }, Json::Array(items)) => {
            let item = |json| match of {
                Item::Record(rows) => from_json(json, rows),
                Item::Struct(shape) => from_json(json, shape.rows),
                Item::Plain(ty) => typed(json, ty),
            };
            Value::List(items.iter().map(item).collect())
        }
        _ => plain(json),
    }
}

fn float(text: &str) -> Option<f32> {
    match text {
        "inf" => Some(f32::INFINITY),
        "-inf" => Some(f32::NEG_INFINITY),
        _ => u32::from_str_radix(text.strip_prefix("nan:")?, 16).ok().map(f32::from_bits),
    }
}

fn plain(json: &Json) -> Value {
    match json {
        Json::Null => Value::Absent,
        Json::Bool(value) => Value::Int(i128::from(*value)),
        Json::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(value), _) => Value::Int(i128::from(value)),
            (_, Some(value)) => Value::Int(i128::from(value)),
            _ => Value::Float(number.as_f64().unwrap_or(f64::NAN) as f32),
        },
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(items) => Value::List(items.iter().map(plain).collect()),
        Json::Object(fields) => {
            Value::Record(fields.iter().map(|(name, value)| (name.clone(), plain(value))).collect())
        }
    }
}
