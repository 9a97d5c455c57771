//! sharkd, which dissects frames again in whatever order it is asked for them, as Wireshark's window does.

use serde_json::{json, Value as Json};

use crate::lab::Lab;

/// What sharkd shows of a frame.
pub struct Frame {
    /// Number of the frame.
    pub number: u32,
    /// The columns: number, time, source, destination, protocol, length, info.
    pub columns: Vec<String>,
    /// The tree.
    pub tree: Vec<Json>,
    /// What may be followed from here: the protocol, and the filter that leaves it.
    pub follows: Vec<[String; 2]>,
}

/// Has sharkd load captures one after another and show these frames of the last, in this order.
pub fn show(lab: &Lab, captures: &[&str], prefs: &[(&str, &str)], order: &[u32]) -> Vec<Frame> {
    let mut requests: Vec<_> =
        prefs.iter().map(|(name, value)| ("setconf", json!({"name": name, "value": value}))).collect();
    requests.extend(captures.iter().map(|capture| ("load", json!({"file": capture}))));
    let first = requests.len();
    requests
        .extend(order.iter().map(|frame| ("frame", json!({"frame": frame, "proto": true, "columns": true}))));
    requests.push(("bye", json!({})));
    let request = |(id, (method, params)): (usize, &(&str, Json))| {
        json!({"jsonrpc": "2.0", "id": id + 1, "method": method, "params": params}).to_string() + "\n"
    };
    let input: String = requests.iter().enumerate().map(request).collect();
    let done = lab.call("sharkd").args(&["-"]).input(&input).run();
    assert!(done.status.success(), "sharkd: {}\n{}", done.status, done.err);
    let answers: Vec<Json> = done.out.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    assert_eq!(answers.len(), requests.len(), "sharkd answers every request:\n{}", done.err);
    assert!(answers.iter().all(|answer| answer["error"].is_null()), "sharkd: {}", answers[0]);
    let frame = |(number, answer): (&u32, &Json)| Frame {
        number: *number,
        columns: list(&answer["result"]["col"]).iter().map(|column| text(column).to_owned()).collect(),
        tree: list(&answer["result"]["tree"]).to_vec(),
        follows: list(&answer["result"]["fol"])
            .iter()
            .map(|one| [0, 1].map(|part| text(&one[part]).to_owned()))
            .collect(),
    };
    order.iter().zip(&answers[first..]).map(frame).collect()
}

/// The items of a JSON list; none where it is not there.
pub fn list(json: &Json) -> &[Json] {
    json.as_array().map_or(&[], Vec::as_slice)
}

/// A JSON text; empty where it is not there.
pub fn text(json: &Json) -> &str {
    json.as_str().unwrap_or_default()
}
