//! What the makers of the sample captures share.

pub mod dice;
pub mod game;
pub mod manifest;
pub mod messages;
pub mod net;
pub mod stories;
pub mod traffic;

/// Every file of `captures/`: name and bytes.
pub fn files() -> Vec<(&'static str, Vec<u8>)> {
    let stories = stories::stories();
    let (traffic, index) = traffic::capture();
    let mut files: Vec<_> = stories.iter().map(|story| (story.file, story.capture.pcap())).collect();
    files.push(("other-traffic.pcap", traffic.pcap()));
    files.push(("session.env", manifest::session_env().into_bytes()));
    files.push(("README.md", manifest::manifest(&stories, &index).into_bytes()));
    files
}
