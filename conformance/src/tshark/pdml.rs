//! Packets as `tshark -T pdml` prints them.

use roxmltree::{Document, Node, ParsingOptions};

use crate::item::Item;

/// The protocols of each packet of a PDML document, without what tshark says about the frame itself.
pub fn packets(text: &str) -> Result<Vec<Vec<Item>>, String> {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: u32::MAX, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options);
    let document = document.map_err(|error| format!("tshark's PDML cannot be read: {error}"))?;
    let packets = document.root_element().children().filter(|node| node.has_tag_name("packet"));
    Ok(packets.map(protocols).collect())
}

fn protocols(packet: Node<'_, '_>) -> Vec<Item> {
    let elements = packet.children().filter(Node::is_element);
    let about_frame = |node: &Node<'_, '_>| matches!(node.attribute("name"), Some("geninfo" | "frame"));
    elements.filter(|node| !about_frame(node)).map(item).collect()
}

fn item(node: Node<'_, '_>) -> Item {
    let text = |name| node.attribute(name).unwrap_or_default();
    let show = text("show");
    Item {
        name: text("name").to_owned(),
        whole: whole(show),
        float: show.parse().ok(),
        text: Some(show.to_owned()),
        bytes: hex::decode(text("value")).unwrap_or_default(),
        hidden: node.attribute("hide") == Some("yes"),
        items: node.children().filter(Node::is_element).map(item).collect(),
    }
}

/// A whole number as tshark shows it, in any base.
pub fn whole(show: &str) -> Option<i128> {
    match show {
        "True" => Some(1),
        "False" => Some(0),
        _ => match show.strip_prefix("0x") {
            Some(digits) => i128::from_str_radix(digits, 16).ok(),
            None => show.parse().ok(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_have_their_values_and_what_is_below() {
        let text = r#"<?xml version="1.0"?><pdml><packet><proto name="geninfo"><field name="num" show="1"/></proto>
            <proto name="lol"><field name="lol.unit" hide="yes" show="0x00000019" value="19000000"/>
            <proto name="voice"><field name="voice.voice" show="Ahri" value="4168726900"/></proto></proto>
            </packet></pdml>"#;
        let packets = packets(text).unwrap();
        let [packet] = packets.as_slice() else { panic!("one packet") };
        let [lol] = packet.as_slice() else { panic!("one protocol") };
        let unit = lol.find("lol.unit").unwrap();
        assert_eq!((unit.whole, unit.hidden, unit.bytes.as_slice()), (Some(25), true, &[25, 0, 0, 0][..]));
        assert_eq!(lol.find("voice.voice").unwrap().text.as_deref(), Some("Ahri"));
        assert!(packets_fails("<pdml>"));
    }

    fn packets_fails(text: &str) -> bool {
        packets(text).is_err()
    }

    #[test]
    fn numbers_in_any_base() {
        assert_eq!(
            [whole("-3"), whole("0x0a"), whole("True"), whole("x")],
            [Some(-3), Some(10), Some(1), None]
        );
    }
}
