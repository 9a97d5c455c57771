//! What the frame numbers among the fields lead to: the window marks such frames in its packet list.

/// What the frame is to the packet that names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Link {
    /// Something else: where fragments came together, where a thing is stated.
    Other,
    /// The statement that the packet answers.
    Statement,
    /// The answer to the packet.
    Answer,
    /// The packet's acknowledgement, or what it acknowledges.
    Acknowledgement,
    /// The same, sent before.
    Original,
}

/// What a frame number with this filter name leads to.
pub fn link_of(name: &str) -> Link {
    match name {
        "enet.ackTo" | "enet.ackedIn" => Link::Acknowledgement,
        "enet.retransmissionOf" | "enet.duplicateOf" | "bedrock.resentFrom" => Link::Original,
        _ => match name.rsplit('.').next() {
            Some("ackTo") => Link::Statement,
            Some("ackIn") => Link::Answer,
            _ => Link::Other,
        },
    }
}
