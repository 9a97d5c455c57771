//! Tests of the engine as a whole, on the recorded captures beside the project.

use std::collections::HashMap;

use serde_json::Value;

use super::fields::Field;
use super::output::{Grade, Output};
use super::{Endpoint, Engine, Packet, Settings};
use crate::enet::captures::{self, KEY};
use crate::layout::Sender;
use crate::registry::REGISTRY;
use crate::tree::FieldId;

/// Stands in for epan: passes a capture's datagrams to an engine and joins fragments.
struct Run {
    engine: Engine,
    parts: HashMap<u32, HashMap<u32, Vec<u8>>>,
    joined: HashMap<u32, Vec<u8>>,
    grade: Grade,
}

/// One message as it was shown.
#[derive(Debug, PartialEq)]
struct Shown {
    frame: usize,
    channel: u64,
    sender: String,
    command: Option<u64>,
    net_id: Option<u64>,
    message: Option<String>,
    name: Option<String>,
}

impl Run {
    fn new(settings: Settings, grade: Grade) -> Run {
        Run { engine: Engine::new(&settings), parts: HashMap::new(), joined: HashMap::new(), grade }
    }

    fn packet<'a>(&self, frame: usize, from: Sender, bytes: &'a [u8], visited: bool) -> Packet<'a> {
        let (client, server) = (Endpoint::new(1, &[1; 4], 50_000), Endpoint::new(1, &[2; 4], 5119));
        let (source, destination) = if from == Sender::Client { (client, server) } else { (server, client) };
        Packet {
            bytes,
            reported: bytes.len() as u32,
            time: frame as i64 * 1_000_000,
            frame: frame as u32,
            datagram: 0,
            source,
            destination,
            grade: self.grade,
            visited,
            quoted: false,
            forced: false,
        }
    }

    /// Reads one datagram and what it completes; `None` where it is not the engine's.
    fn read(&mut self, frame: usize, from: Sender, bytes: &[u8], visited: bool) -> Option<Vec<Shown>> {
        let packet = self.packet(frame, from, bytes, visited);
        let output = self.engine.datagram(&packet)?;
        let mut shown = messages(frame, output);
        for fragment in output.fragments.clone().iter().filter(|fragment| fragment.join == 1) {
            let (start, end) = (fragment.offset as usize, (fragment.offset + fragment.length) as usize);
            let parts = self.parts.entry(fragment.id).or_default();
            parts.insert(fragment.number, bytes[start..end].to_vec());
            if fragment.more == 0 {
                self.joined.insert(fragment.id, vec![0; fragment.number as usize + 1]);
            }
            let Some(count) = self.joined.get(&fragment.id).map(Vec::len) else { continue };
            if parts.len() == count {
                let whole: Vec<u8> = (0..count as u32).flat_map(|number| parts[&number].clone()).collect();
                let packet =
                    Packet { reported: whole.len() as u32, ..self.packet(frame, from, &whole, visited) };
                shown.extend(messages(frame, self.engine.joined(&packet, fragment.id).unwrap()));
            }
        }
        Some(shown)
    }
}

fn messages(frame: usize, output: &Output) -> Vec<Shown> {
    let nodes = &output.tree.nodes;
    let roots = (0..nodes.len()).filter(|place| nodes[*place].field == Field::Lol.id());
    roots
        .map(|root| {
            let under: Vec<_> = nodes[root + 1..].iter().take_while(|node| node.depth > 0).collect();
            let find = |field: FieldId| under.iter().find(|node| node.field == field);
            let text =
                |field: FieldId| find(field).and_then(|node| output.tree.text_of(node)).map(str::to_owned);
            Shown {
                frame,
                channel: find(Field::Channel.id()).unwrap().value,
                sender: text(Field::Sender.id()).unwrap_or_default(),
                command: find(Field::Command.id()).map(|node| node.value),
                net_id: find(Field::NetId.id()).map(|node| node.value),
                message: text(Field::Message.id()),
                name: text(Field::CommandName.id()),
            }
        })
        .collect()
}

/// The messages a capture must show: command, net id and place of all, names of those this book holds.
fn expected(name: &str) -> Option<Vec<Shown>> {
    let file = captures::shared(&format!("{name}.expected.json"))?;
    let file: Value = serde_json::from_slice(&file).unwrap();
    let known = |name: &str| REGISTRY.programs.iter().any(|program| program.message.name == name);
    let all = file["messages"].as_array().unwrap().iter().map(|message| Shown {
        frame: message["frame"].as_u64().unwrap() as usize,
        channel: message["channel"].as_u64().unwrap(),
        sender: message["sender"].as_str().unwrap().into(),
        command: message["command"].as_u64(),
        net_id: message["netId"].as_u64(),
        message: message["message"].as_str().filter(|name| known(name)).map(str::to_owned),
        name: None,
    });
    Some(all.collect())
}

fn same(shown: &[Shown], expected: &[Shown]) {
    for (at, (one, other)) in shown.iter().zip(expected).enumerate() {
        let shown = Shown { name: None, ..copy(one) };
        assert_eq!(&shown, other, "message {at}");
    }
    assert_eq!(shown.len(), expected.len());
}

fn copy(shown: &Shown) -> Shown {
    Shown { sender: shown.sender.clone(), message: shown.message.clone(), name: shown.name.clone(), ..*shown }
}

fn keyed(key: &str) -> Settings {
    Settings { keys: key.into(), ..Settings::default() }
}

#[test]
fn recorded_captures_show_every_message() {
    for (name, percent) in [("session-1.0.0.136", 90), ("game-1.0.0.136", 95)] {
        let (Some(datagrams), Some(expected)) = (captures::datagrams(name), expected(name)) else { return };
        let mut run = Run::new(keyed(KEY), Grade::Nodes);
        for visited in [false, true] {
            let mut all = Vec::new();
            for datagram in &datagrams {
                all.extend(run.read(datagram.frame, datagram.from, &datagram.bytes, visited).unwrap());
            }
            same(&all, &expected);
            if visited {
                let game = all.iter().filter(|shown| (1..=4).contains(&shown.channel)).count();
                let named = all.iter().filter(|shown| shown.name.is_some()).count();
                println!("{name}: {named} of {game} messages on channels 1 to 4 have a name");
                assert!(named * 100 >= game * percent);
            }
        }
        assert_eq!(run.engine.sessions(), 1);
    }
}

#[test]
fn the_same_with_the_first_frames_cut_off() {
    let name = "game-1.0.0.136";
    let (Some(datagrams), Some(expected)) = (captures::datagrams(name), expected(name)) else { return };
    let settings = Settings { build: "1.0.0.136".into(), ..keyed(KEY) };
    let mut run = Run::new(settings, Grade::Nodes);
    let mut seen = Vec::new();
    for datagram in &datagrams[50..] {
        seen.extend(run.read(datagram.frame, datagram.from, &datagram.bytes, false).unwrap_or_default());
    }
    let mut again = Vec::new();
    for datagram in &datagrams[50..] {
        again.extend(run.read(datagram.frame, datagram.from, &datagram.bytes, true).unwrap_or_default());
    }
    let expected: Vec<_> = expected.into_iter().filter(|shown| shown.frame > 50).collect();
    println!("one pass shows {} of {} messages, the second {}", seen.len(), expected.len(), again.len());
    same(&again, &expected);
    let book = |all: &[Shown]| all.iter().filter(|shown| shown.message.is_some()).count();
    assert_eq!(book(&seen), book(&expected), "one pass loses no book message here");
}

#[test]
fn without_a_key_nothing_is_invented() {
    let Some(datagrams) = captures::datagrams("session-1.0.0.136") else { return };
    for key in ["", "ffeeddccbbaa99887766554433221100"] {
        let mut run = Run::new(keyed(key), Grade::Nodes);
        let mut notes = 0;
        for visited in [false, true] {
            for datagram in &datagrams {
                let shown = run.read(datagram.frame, datagram.from, &datagram.bytes, visited).unwrap();
                assert!(shown.iter().all(|shown| shown.message.is_none()), "frame {}", datagram.frame);
                let output = &run.engine.datagram;
                if visited {
                    let about_key = |item: &&super::output::ExpertItem| {
                        let name = super::experts::EXPERTS[item.expert as usize].name;
                        name == "lol.keyNeeded" || name == "lol.keyWrong"
                    };
                    notes += output.experts.iter().filter(about_key).count();
                }
            }
        }
        assert_eq!(notes, 1);
    }
}

#[test]
fn grades_agree_on_expert_items() {
    let Some(datagrams) = captures::datagrams("game-1.0.0.136") else { return };
    let experts = |grade| {
        let mut run = Run::new(keyed(KEY), grade);
        let mut all = Vec::new();
        for datagram in &datagrams {
            run.read(datagram.frame, datagram.from, &datagram.bytes, false).unwrap();
            all.extend(run.engine.datagram.experts.iter().map(|item| (datagram.frame, item.expert)));
        }
        all
    };
    let nodes = experts(Grade::Nodes);
    assert_eq!(experts(Grade::State), nodes);
    assert_eq!(experts(Grade::Columns), nodes);
}
