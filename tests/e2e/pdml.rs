//! Packets as `tshark -T pdml` prints them.

use std::collections::HashSet;
use std::sync::LazyLock;

use dissector_core::field::Kind;
use dissector_core::registry::REGISTRY;
use roxmltree::{Document, ParsingOptions};

/// One packet.
#[derive(Debug)]
pub struct Packet {
    /// Its frame number.
    pub number: u32,
    /// Its protocols, without what tshark says about the frame itself.
    pub protocols: Vec<Item>,
}

/// One line of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Filter name; empty for text alone.
    pub name: String,
    /// The line as it is shown.
    pub label: String,
    /// The value as a filter would have it.
    pub show: String,
    /// The bytes, in hexadecimal.
    pub value: String,
    /// Offset and length in its data source.
    pub place: (u32, u32),
    /// Whether it is left out of the tree that people see.
    pub hidden: bool,
    /// What hangs below.
    pub items: Vec<Item>,
}

/// The packets of a PDML document.
pub fn parse(text: &str) -> Vec<Packet> {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: u32::MAX, ..ParsingOptions::default() };
    let document =
        Document::parse_with_options(text, options).unwrap_or_else(|error| panic!("bad PDML: {error}"));
    let packets = document.root_element().children().filter(|node| node.has_tag_name("packet"));
    packets.map(packet).collect()
}

fn packet(node: roxmltree::Node<'_, '_>) -> Packet {
    let mut number = None;
    let mut protocols = Vec::new();
    for proto in node.children().filter(roxmltree::Node::is_element) {
        match proto.attribute("name") {
            Some("geninfo") => {
                let num = proto.children().find(|field| field.attribute("name") == Some("num"));
                number = num.and_then(|field| field.attribute("show")?.parse().ok());
            }
            // The bulk of a document, and nothing a test looks at.
            Some("frame" | "eth" | "ip" | "udp") => {}
            _ => protocols.push(item(proto)),
        }
    }
    Packet { number: number.expect("a packet has a number"), protocols }
}

fn item(node: roxmltree::Node<'_, '_>) -> Item {
    let text = |name| node.attribute(name).unwrap_or_default().to_owned();
    let number = |name| node.attribute(name).and_then(|text| text.parse().ok()).unwrap_or(0);
    Item {
        name: text("name"),
        label: node.attribute("showname").map_or_else(|| text("show"), str::to_owned),
        show: plain(&text("name"), text("show")),
        value: text("value"),
        place: (number("pos"), number("size")),
        hidden: node.attribute("hide") == Some("yes"),
        items: node.children().filter(roxmltree::Node::is_element).map(item).collect(),
    }
}

/// The value of a field as every release of Wireshark would show it: a yes or no is 1 or 0 on 4.0, True or False later.
pub fn plain(name: &str, show: String) -> String {
    static FLAGS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        let flags = REGISTRY.fields.iter().filter(|field| field.kind == Kind::Bool);
        flags.map(|field| field.name.as_str()).collect()
    });
    if !FLAGS.contains(name) {
        return show;
    }
    let digit = |value: &str| match value {
        "True" => "1".to_owned(),
        "False" => "0".to_owned(),
        other => other.to_owned(),
    };
    show.split(',').map(digit).collect::<Vec<_>>().join(",")
}

impl Packet {
    /// The items of a protocol, in order: of `lol` there is one for each datagram with messages. What a frame carries many
    /// of, some releases hang below the item of the protocol that carries them.
    pub fn of<'p>(&'p self, protocol: &'p str) -> impl Iterator<Item = &'p Item> {
        self.all().into_iter().filter(move |item| item.name == protocol)
    }

    /// The game's messages, in order: what stands of each in the items of `lol`.
    pub fn messages(&self) -> impl Iterator<Item = &Item> {
        self.of("lol").flat_map(|lol| lol.items.iter().filter(|item| item.name == "lol.message.item"))
    }

    /// Every item, each before what hangs below it.
    pub fn all(&self) -> Vec<&Item> {
        self.protocols.iter().flat_map(Item::all).collect()
    }

    /// The values of a field in the whole packet, in order.
    pub fn values(&self, name: &str) -> Vec<&str> {
        self.all().into_iter().filter(|item| item.name == name).map(|item| item.show.as_str()).collect()
    }

    /// The first value of a field; empty where there is none.
    pub fn value(&self, name: &str) -> &str {
        self.values(name).first().copied().unwrap_or_default()
    }

    /// The names of its expert items, in order.
    pub fn experts(&self) -> Vec<&str> {
        self.protocols.iter().flat_map(Item::experts).collect()
    }
}

impl Item {
    /// This item and every one below, each before what hangs below it.
    pub fn all(&self) -> Vec<&Item> {
        let mut all = vec![self];
        all.extend(self.items.iter().flat_map(Item::all));
        all
    }

    /// The values of a field here and below, in order.
    pub fn values(&self, name: &str) -> Vec<&str> {
        self.all().into_iter().filter(|item| item.name == name).map(|item| item.show.as_str()).collect()
    }

    /// The first value of a field; empty where there is none.
    pub fn value(&self, name: &str) -> &str {
        self.values(name).first().copied().unwrap_or_default()
    }

    /// The first item of that name, here or below.
    pub fn find(&self, name: &str) -> Option<&Item> {
        self.all().into_iter().find(|item| item.name == name)
    }

    /// The names of the expert items here and below, in order.
    pub fn experts(&self) -> Vec<&str> {
        let of = |item: &&Item| item.name == "_ws.expert";
        let experts = self.all().into_iter().filter(of).filter_map(|item| item.items.first());
        experts.map(|item| item.name.as_str()).collect()
    }
}
