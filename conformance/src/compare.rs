//! What differs between the fields a vector states and the fields a reader found.

use std::fmt;

use dissector_core::encode::Value;

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where, such as `movements[0].path.unit`.
    pub path: String,
    /// What the vector states.
    pub expected: String,
    /// What was found.
    pub got: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, got {}", self.path, self.expected, self.got)
    }
}

/// All differences, in the order of the expected fields. Floats are compared as f32, bit by bit.
pub fn differences(expected: &Value, got: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(String::new(), expected, got, &mut found);
    found
}

fn compare(path: String, expected: &Value, got: &Value, found: &mut Vec<Difference>) {
    match (expected, got) {
        (Value::Record(expected), Value::Record(got)) => {
            let names = expected.iter().chain(got).map(|(name, _)| name);
            let mut seen = Vec::new();
            for name in names {
                if seen.contains(&name) {
                    continue;
                }
                seen.push(name);
                let of = |rows: &[(String, Value)]| {
                    rows.iter().find(|(row, _)| row == name).map(|(_, value)| value.clone())
                };
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                match (of(expected), of(got)) {
                    (Some(expected), Some(got)) => compare(path, &expected, &got, found),
                    (Some(expected), None) => found.push(difference(path, &expected.to_string(), "nothing")),
                    (None, Some(got)) => found.push(difference(path, "nothing", &got.to_string())),
                    (None, None) => {}
                }
            }
        }
        (Value::List(expected), Value::List(got)) => {
            if expected.len() != got.len() {
                let items = |count| format!("{count} items");
                found.push(difference(path.clone(), &items(expected.len()), &items(got.len())));
            }
            for (index, (expected, got)) in expected.iter().zip(got).enumerate() {
                compare(format!("{path}[{index}]"), expected, got, found);
            }
        }
        _ if expected == got => {}
        _ => found.push(difference(path, &expected.to_string(), &got.to_string())),
    }
}

/// A difference from its parts.
pub fn difference(path: impl Into<String>, expected: &str, got: &str) -> Difference {
    Difference { path: path.into(), expected: expected.to_owned(), got: got.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(rows: &[(&str, Value)]) -> Value {
        Value::Record(rows.iter().map(|(name, value)| (name.to_string(), value.clone())).collect())
    }

    #[test]
    fn differences_name_the_place() {
        let expected = record(&[
            ("count", Value::Int(2)),
            ("items", Value::List(vec![record(&[("x", Value::Float(1.0))]), Value::Absent])),
        ]);
        let got = record(&[
            ("count", Value::Int(2)),
            ("items", Value::List(vec![record(&[("x", Value::Float(1.5)), ("y", Value::Int(0))])])),
        ]);
        let lines: Vec<_> = differences(&expected, &got).iter().map(Difference::to_string).collect();
        assert_eq!(
            lines,
            [
                "items: expected 2 items, got 1 items",
                "items[0].x: expected 1.0, got 1.5",
                "items[0].y: expected nothing, got 0",
            ]
        );
    }

    #[test]
    fn floats_differ_by_their_bits() {
        let nan = Value::Float(f32::from_bits(0x7fc0_0001));
        assert_eq!(differences(&nan, &nan), []);
        assert_eq!(differences(&nan, &Value::Float(f32::NAN)).len(), 1);
        assert_eq!(differences(&Value::Float(0.0), &Value::Float(-0.0)).len(), 1);
    }
}
