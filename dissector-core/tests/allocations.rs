//! Once its buffers are warm, reading a message allocates nothing.

mod common;

use common::{input, messages, own, shared};
use dissector_core::decode::{read, Facts};
use dissector_core::registry::REGISTRY;
use dissector_core::tree::Tree;

#[test]
fn reading_allocates_nothing_once_warm() {
    let mut all = own();
    all.extend(shared("vectors/generated.json").iter().flat_map(messages));
    let (mut tree, mut facts) = (Tree::default(), Facts::default());
    let tables: Vec<_> = all.iter().map(|message| REGISTRY.table(message.build)).collect();
    let mut pass = || {
        for (message, table) in all.iter().zip(&tables) {
            let found = table.program(&REGISTRY, Some(message.sender), message.command);
            let program = found.unwrap_or(message.program);
            let input = input(&message.body, message.body.len(), message.channel);
            tree.clear();
            read::<true>(program, &input, &mut tree, &mut facts);
            read::<false>(program, &input, &mut tree, &mut facts);
            // Cut bodies take other ways out.
            let half =
                common::input(&message.body[..message.body.len() / 2], message.body.len(), message.channel);
            read::<true>(program, &half, &mut tree, &mut facts);
        }
    };
    pass();
    let counted = allocation_counter::measure(pass);
    assert_eq!(counted.count_total, 0, "{counted:?}");
}
