//! A private place to run tshark in: the plugin where it is looked for, and a user that Wireshark trusts.

use std::borrow::Cow;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::{chown, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use pcap_file::pcap::{PcapHeader, PcapPacket, PcapWriter};
use pcap_file::DataLink;
use tempfile::{Builder, TempDir};

use super::{pdml, Group};
use crate::item::Item;

/// Payloads are given to `lol` under the first user link type.
const USER0: &str = "uat:user_dlts:\"User 0 (DLT=147)\",\"lol\",\"0\",\"\",\"0\",\"\"";

/// A world-readable temporary folder, removed at the end.
pub(super) struct Stage {
    root: TempDir,
    user: Option<(u32, u32)>,
}

impl Stage {
    pub fn new(plugin: &Path) -> Result<Stage, String> {
        let bytes = fs::read(plugin).map_err(|error| format!("{}: {error}", plugin.display()))?;
        let version = plugin_version()?;
        // Wireshark takes no plugin from such a folder as root.
        let user = if id("-u", None)? == 0 {
            Some((id("-u", Some("nobody"))?, id("-g", Some("nobody"))?))
        } else {
            None
        };
        let mut name = Builder::new();
        name.prefix("riftshark-conformance.");
        // What root's TMPDIR names may be closed to that user.
        let root = if user.is_some() { name.tempdir_in("/tmp") } else { name.tempdir() };
        let root = root.map_err(|error| format!("no temporary folder: {error}"))?;
        let stage = Stage { root, user };
        let at = |error| format!("{}: {error}", stage.root.path().display());
        stage.lay_out(&version, &bytes).map_err(at)?;
        Ok(stage)
    }

    fn lay_out(&self, version: &str, plugin: &[u8]) -> std::io::Result<()> {
        let folder = self.root.path().join("plugins").join(version).join("epan");
        fs::create_dir_all(&folder)?;
        fs::create_dir_all(self.home())?;
        fs::write(folder.join("riftshark.so"), plugin)?;
        // The folder itself too, which is made for its owner alone.
        let inside = folder.ancestors().take_while(|path| path.starts_with(self.root.path()));
        let all = inside.map(Path::to_owned).chain([self.home(), folder.join("riftshark.so")]);
        all.into_iter().try_for_each(|path| fs::set_permissions(path, Permissions::from_mode(0o755)))?;
        match self.user {
            Some((user, group)) => chown(self.home(), Some(user), Some(group)),
            None => Ok(()),
        }
    }

    fn home(&self) -> PathBuf {
        self.root.path().join("home")
    }

    /// The protocols of each payload's packet.
    pub fn read(&self, group: &Group, payloads: &[&[u8]]) -> Result<Vec<Vec<Item>>, String> {
        let capture = self.root.path().join("payloads.pcap");
        let written = capture_of(payloads).and_then(|bytes| {
            fs::write(&capture, bytes).map_err(|error| error.to_string())?;
            let readable = Permissions::from_mode(0o644);
            fs::set_permissions(&capture, readable).map_err(|error| error.to_string())
        });
        written.map_err(|error| format!("{}: {error}", capture.display()))?;
        pdml::packets(&self.tshark(&capture, group)?)
    }

    /// Runs tshark on a capture of payloads; answers its PDML.
    fn tshark(&self, capture: &Path, (build, channel, sender): &Group) -> Result<String, String> {
        let failed = |error: std::io::Error| format!("tshark: {error}");
        let (out, err) = (self.root.path().join("output"), self.root.path().join("messages"));
        let mut command = Command::new("tshark");
        command.arg("-n").arg("-r").arg(capture).args(["-T", "pdml", "-o", USER0]);
        for (name, value) in
            [("build", build.as_str()), ("user_channel", &channel.to_string()), ("user_sender", sender)]
        {
            command.arg("-o").arg(format!("lol.{name}:{value}"));
        }
        command.current_dir(self.root.path()).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("LC_ALL", "C.UTF-8");
        command.env("HOME", self.home()).env("XDG_CONFIG_HOME", self.home().join(".config"));
        command.env("WIRESHARK_PLUGIN_DIR", self.root.path().join("plugins"));
        // A bug in the shim must end the program, not hide in a packet.
        command.env("WIRESHARK_ABORT_ON_DISSECTOR_BUG", "1");
        command.stdin(Stdio::null());
        command.stdout(File::create(&out).map_err(failed)?).stderr(File::create(&err).map_err(failed)?);
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        let status = command.status().map_err(failed)?;
        let said = fs::read_to_string(&err).map_err(failed)?;
        if !status.success() || !said.is_empty() {
            return Err(format!("tshark ends with {status}: {said}"));
        }
        fs::read_to_string(&out).map_err(failed)
    }
}

/// A capture of deciphered payloads under a user link type.
fn capture_of(payloads: &[&[u8]]) -> Result<Vec<u8>, String> {
    let header = PcapHeader { datalink: DataLink::USER0, ..PcapHeader::default() };
    let mut writer = PcapWriter::with_header(Vec::new(), header).map_err(|error| error.to_string())?;
    for (index, payload) in payloads.iter().enumerate() {
        let packet = PcapPacket {
            timestamp: Duration::from_millis(index as u64),
            orig_len: payload.len() as u32,
            data: Cow::Borrowed(payload),
        };
        writer.write_packet(&packet).map_err(|error| error.to_string())?;
    }
    Ok(writer.into_writer())
}

/// What `id` says of a user, of this one by default.
fn id(what: &str, user: Option<&str>) -> Result<u32, String> {
    let said = Command::new("id").arg(what).args(user).output().map_err(|error| format!("id: {error}"))?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    said.trim().parse().map_err(|_| format!("id {what} says no number: {said:?}"))
}

/// The folder name of plugins for the tshark that is installed, such as `4.0`.
fn plugin_version() -> Result<String, String> {
    let said =
        Command::new("tshark").arg("--version").output().map_err(|error| format!("tshark: {error}"))?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let version = said.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let mut parts = version.unwrap_or_default().split('.');
    // macOS takes a folder with a dot for a bundle.
    let between = if cfg!(target_os = "macos") { "-" } else { "." };
    match (parts.next(), parts.next()) {
        (Some(major), Some(minor)) => Ok(format!("{major}{between}{minor}")),
        _ => Err(format!("tshark does not say its version: {said:?}")),
    }
}
