//! What the makers of the sample captures share.

pub mod bedrock;
pub mod dice;
pub mod epochs;
pub mod game;
pub mod manifest;
pub mod messages;
pub mod net;
pub mod stories;
pub mod target;
pub mod traffic;

/// Every file of `captures/`: name and bytes.
pub fn files() -> Vec<(&'static str, Vec<u8>)> {
    let stories = stories::stories();
    let (traffic, index) = traffic::capture();
    let mut files: Vec<_> = stories.iter().map(|story| (story.file, story.capture.pcap())).collect();
    files.push(("other-traffic.pcap", traffic.pcap()));
    let mut tales = bedrock::tales();
    tales.push(bedrock::others());
    files.extend(tales.iter().map(|tale| (tale.file, tale.capture.pcap())));
    let epochs = epochs::epochs();
    files.extend(epochs.iter().map(|epoch| (epoch.file, epoch.capture.pcap())));
    files.push(("session.env", manifest::session_env().into_bytes()));
    let readme = manifest::manifest(&stories, &tales, &index) + &epochs::blurb(&epochs);
    files.push(("README.md", readme.into_bytes()));
    files
}
