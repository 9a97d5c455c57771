//! A stand-in for Elasticsearch and OpenSearch: takes an index template and bulk requests, and holds every document to the
//! template, as an engine would.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::Value as Json;

use crate::template::{Found, Template};

/// What an engine was given.
#[derive(Default)]
pub struct Taken {
    template: Option<Template>,
    /// Documents that were taken.
    pub documents: usize,
    /// Their captures.
    pub captures: std::collections::BTreeSet<String>,
    /// What the documents were found to hold.
    pub found: Found,
}

/// Starts an engine; answers its address and what it is given.
pub fn start() -> (String, Arc<Mutex<Taken>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("a bound socket has an address");
    let taken = Arc::new(Mutex::new(Taken::default()));
    let shared = Arc::clone(&taken);
    thread::spawn(move || {
        for stream in listener.incoming() {
            answer(stream.expect("a connection"), &mut shared.lock().expect("nobody else panicked"));
        }
    });
    (format!("http://{address}"), taken)
}

/// Reads one request and answers it.
fn answer(mut stream: TcpStream, taken: &mut Taken) {
    let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
    let mut line = String::new();
    reader.read_line(&mut line).expect("a request line");
    let mut head = line.split(' ').map(str::to_owned);
    let (method, target) = (head.next().unwrap_or_default(), head.next().unwrap_or_default());
    let (mut length, mut kind) = (0, String::new());
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).expect("a header");
        let Some((name, value)) = header.trim().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().expect("a length"),
            "content-type" => kind = value.to_owned(),
            "expect" => stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").expect("the client waits"),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("the body");
    let body = String::from_utf8(body).expect("JSON is UTF-8");
    let (status, answer) = match (method.as_str(), target.as_str(), kind.as_str()) {
        ("PUT", "/_index_template/riftshark", "application/json") => put_template(&body, taken),
        ("POST", "/_bulk?filter_path=errors", "application/x-ndjson") => bulk(&body, taken),
        _ => ("400 Bad Request", format!("{{\"error\":\"{method} {target} of {kind}\"}}")),
    };
    let length = answer.len();
    write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{answer}")
        .expect("the client takes the answer");
}

fn put_template(body: &str, taken: &mut Taken) -> (&'static str, String) {
    let body: Json = serde_json::from_str(body).expect("a template is JSON");
    assert_eq!(body["index_patterns"], serde_json::json!(["packets-*"]));
    taken.template = Some(Template::new(&body));
    ("200 OK", "{\"acknowledged\":true}".to_owned())
}

/// Takes lines in pairs: where a document goes, and the document.
fn bulk(body: &str, taken: &mut Taken) -> (&'static str, String) {
    let template = taken.template.as_ref().expect("the template comes before the documents");
    let lines: Vec<Json> =
        body.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    assert!(lines.len() % 2 == 0 && body.ends_with('\n'), "a bulk request of {} lines", lines.len());
    for pair in lines.chunks(2) {
        let to = pair[0]["index"].as_object().expect("the first of two lines says where the second goes");
        // engines of today know no types, and refuse the request
        assert!(
            to.len() == 1 && to["_index"].as_str().is_some_and(|name| name.starts_with("packets-")),
            "{to:?}"
        );
        template.check(&pair[1], &mut taken.found);
        taken.captures.extend(pair[1]["capture"].as_str().map(str::to_owned));
        taken.documents += 1;
    }
    ("200 OK", format!("{{\"errors\":{}}}", !taken.found.misfits.is_empty()))
}
