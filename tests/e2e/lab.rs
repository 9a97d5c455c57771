//! A private place to run Wireshark's programs in, and the running of them.

use std::env;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::{chown, PermissionsExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::{Builder, TempDir};

use crate::pdml::{self, Packet};

/// How long a program may take before it counts as hanging.
const LIMIT: Duration = Duration::from_secs(120);

/// A world-readable temporary folder with the plugin where Wireshark looks for it, and a home for the user the programs
/// run as; removed at the end.
pub struct Lab {
    root: TempDir,
    /// User and group that programs run as; `None` for those of the test.
    pub user: Option<(u32, u32)>,
}

/// Says that a test did not run, or fails where that is not allowed.
pub fn skip(why: &str) {
    assert!(env::var_os("RIFTSHARK_REQUIRE_E2E").is_none_or(|value| value != "1"), "cannot run: {why}");
    println!("skipped: {why}");
}

/// A file of the folder beside the checkout that only this project's own machines have.
pub fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(name);
    if !path.exists() {
        println!("skipped: ../shared/{name} is not here");
        return None;
    }
    Some(path)
}

/// The path of the plugin under test.
pub fn plugin() -> Option<PathBuf> {
    let path = env::var_os("RIFTSHARK_PLUGIN").map(PathBuf::from);
    if path.is_none() {
        skip("RIFTSHARK_PLUGIN is not set (./test.sh sets it)");
    }
    path
}

impl Lab {
    /// A lab with the plugin installed; `None` where there is none to test.
    pub fn new() -> Option<Lab> {
        let plugin = plugin()?;
        let lab = Lab::bare();
        lab.install(&plugin, "riftshark.so");
        Some(lab)
    }

    /// A lab without the plugin.
    pub fn bare() -> Lab {
        let user = (number_of(&["-u"]) == 0).then(unprivileged);
        let mut name = Builder::new();
        name.prefix("riftshark-e2e.");
        // What root's TMPDIR names may be closed to the user that the programs run as.
        let root = if user.is_some() { name.tempdir_in("/tmp") } else { name.tempdir() };
        let lab = Lab { root: root.expect("a temporary folder"), user };
        // It is made for its owner alone.
        folder(lab.root.path());
        folder(&lab.home());
        if let Some((uid, gid)) = lab.user {
            chown(lab.home(), Some(uid), Some(gid)).expect("the home is handed over");
        }
        lab
    }

    /// Puts a plugin file where Wireshark finds it.
    pub fn install(&self, plugin: &Path, name: &str) {
        let mut at = self.root.path().join("plugins");
        folder(&at);
        for part in [plugin_version(), "epan"] {
            at.push(part);
            folder(&at);
        }
        let bytes = fs::read(plugin).unwrap_or_else(|error| panic!("{}: {error}", plugin.display()));
        self.put(&at.join(name), &bytes);
    }

    /// The folder that programs may write to.
    pub fn home(&self) -> PathBuf {
        self.root.path().join("home")
    }

    /// Writes a file of the profile that the programs use.
    pub fn profile_file(&self, name: &str, text: &str) {
        let mut at = self.home();
        for part in [".config", "wireshark"] {
            at.push(part);
            folder(&at);
        }
        self.put(&at.join(name), text.as_bytes());
    }

    /// Lets the user that the programs run as write to a file.
    pub fn open_to_all(&self, path: &str) {
        fs::set_permissions(path, Permissions::from_mode(0o777)).expect("own files can be opened to all");
    }

    /// Writes a file that every user can read; answers its path.
    pub fn file(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.root.path().join(name);
        self.put(&path, bytes);
        text(&path)
    }

    /// Writes a file of the profile that the programs run with.
    pub fn configure(&self, name: &str, text: &str) {
        let mut at = self.home();
        for part in [".config", "wireshark"] {
            at.push(part);
            folder(&at);
        }
        self.put(&at.join(name), text.as_bytes());
    }

    /// A copy of a capture of this project.
    pub fn capture(&self, name: &str) -> String {
        self.copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("captures").join(name))
    }

    /// A copy of a file.
    pub fn copy(&self, from: &Path) -> String {
        let bytes = fs::read(from).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
        let name = from.file_name().and_then(|name| name.to_str()).expect("a file has a name");
        self.file(name, &bytes)
    }

    fn put(&self, path: &Path, bytes: &[u8]) {
        fs::write(path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        fs::set_permissions(path, Permissions::from_mode(0o755)).expect("own files can be opened to all");
    }

    /// A call of a program of Wireshark's.
    pub fn call(&self, program: &str) -> Call<'_> {
        Call { lab: self, program: program.to_owned(), args: Vec::new(), input: Vec::new() }
    }

    /// A call of tshark that reads a capture.
    pub fn tshark(&self, capture: &str) -> Call<'_> {
        self.call("tshark").args(&["-n", "-r", capture])
    }
}

fn folder(path: &Path) {
    fs::create_dir_all(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    fs::set_permissions(path, Permissions::from_mode(0o755)).expect("own folders can be opened to all");
}

fn text(path: &Path) -> String {
    path.to_str().expect("temporary paths are text").to_owned()
}

/// What `id` says with these arguments.
fn number_of(args: &[&str]) -> u32 {
    let out = Command::new("id").args(args).output().expect("id runs");
    String::from_utf8_lossy(&out.stdout)
        .trim()
        .parse()
        .unwrap_or_else(|_| panic!("id {args:?} says no number"))
}

/// User and group for what root starts: Wireshark takes no plugin from these folders as root.
fn unprivileged() -> (u32, u32) {
    let name = env::var("RIFTSHARK_TEST_USER").unwrap_or_else(|_| "nobody".to_owned());
    (number_of(&["-u", &name]), number_of(&["-g", &name]))
}

/// The folder name of plugins for the tshark that is installed, such as `4.0`.
pub fn plugin_version() -> &'static str {
    static VERSION: OnceLock<String> = OnceLock::new();
    VERSION.get_or_init(|| {
        let out = Command::new("tshark").arg("--version").output().expect("tshark runs");
        let said = String::from_utf8_lossy(&out.stdout).into_owned();
        let version = said.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        let mut parts = version.expect("tshark says its version").split('.');
        let between = if cfg!(target_os = "macos") { "-" } else { "." };
        format!("{}{between}{}", parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
    })
}

/// One run of a program, to be filled in.
pub struct Call<'l> {
    lab: &'l Lab,
    program: String,
    args: Vec<String>,
    input: Vec<u8>,
}

/// What a program did.
#[derive(Debug)]
pub struct Done {
    /// How it ended.
    pub status: ExitStatus,
    /// Its standard output.
    pub out: String,
    /// Its standard error.
    pub err: String,
    /// What was called.
    pub what: String,
}

impl Call<'_> {
    /// More arguments.
    pub fn args(mut self, args: &[&str]) -> Self {
        self.args.extend(args.iter().map(|arg| (*arg).to_owned()));
        self
    }

    /// A preference.
    pub fn pref(self, name: &str, value: &str) -> Self {
        self.args(&["-o", &format!("{name}:{value}")])
    }

    /// The keys.
    pub fn key(self, keys: &str) -> Self {
        self.pref("lol.key", keys)
    }

    /// What the program reads from standard input.
    pub fn input(mut self, input: &str) -> Self {
        self.input = input.as_bytes().to_vec();
        self
    }

    /// Runs it, whatever comes of it.
    pub fn run(self) -> Done {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let what = format!("{} {}", self.program, self.args.join(" "));
        let stem = self.lab.root.path().join(format!("run.{}", NEXT.fetch_add(1, Relaxed)));
        let [out, err, input] = ["out", "err", "in"].map(|end| stem.with_extension(format!("{end}put")));
        fs::write(&input, &self.input).expect("the input is written");
        let mut command = Command::new(&self.program);
        command.args(&self.args).current_dir(self.lab.root.path()).env_clear();
        command
            .env("PATH", env::var_os("PATH").unwrap_or_default())
            .env("LC_ALL", "C.UTF-8")
            .env("TZ", "UTC");
        command.env("HOME", self.lab.home()).env("XDG_CONFIG_HOME", self.lab.home().join(".config"));
        command.env("WIRESHARK_PLUGIN_DIR", self.lab.root.path().join("plugins"));
        // A bug in the shim must end the program, not hide in a packet.
        command.env("WIRESHARK_ABORT_ON_DISSECTOR_BUG", "1");
        command.stdin(File::open(&input).expect("the input opens"));
        command.stdout(File::create(&out).expect("a file for the output"));
        command.stderr(File::create(&err).expect("a file for the messages"));
        if let Some((uid, gid)) = self.lab.user {
            command.uid(uid).gid(gid);
        }
        let child = command.spawn().unwrap_or_else(|error| panic!("{what}: {error}"));
        let status = wait(child, &what);
        let read = |path: &Path| {
            let text = String::from_utf8(fs::read(path).expect("the output is there"));
            // The output of a capture of many thousand frames is not kept longer than needed.
            let _ = fs::remove_file(path);
            text.unwrap_or_else(|error| panic!("{what}: output that is not UTF-8: {error}"))
        };
        let (out, err) = (read(&out), read(&err));
        Done { status, out, err, what }
    }

    /// Runs it; it must succeed and say nothing on standard error. Answers its output.
    pub fn clean(self) -> String {
        let done = self.run();
        done.assert_clean();
        done.out
    }

    /// Runs tshark; answers the packets with all their items.
    pub fn pdml(self) -> Vec<Packet> {
        pdml::parse(&self.args(&["-T", "pdml"]).clean())
    }

    /// Runs tshark; answers one line per packet with the values of these fields, several values between commas.
    pub fn fields(self, names: &[&str]) -> Vec<Vec<String>> {
        let wanted: Vec<_> = names.iter().flat_map(|name| ["-e", name]).collect();
        let out = self.args(&["-T", "fields"]).args(&wanted).clean();
        let row = |line: &str| {
            let values = line.split('\t').zip(names);
            values.map(|(value, name)| pdml::plain(name, value.to_owned())).collect()
        };
        out.lines().map(row).collect()
    }

    /// Runs tshark with a display filter; answers the numbers of the frames that pass it.
    pub fn frames(self, filter: &str) -> Vec<u32> {
        let rows = self.args(&["-Y", filter]).fields(&["frame.number"]);
        rows.iter().map(|row| row[0].parse().expect("a frame number")).collect()
    }
}

impl Done {
    /// Fails unless the program succeeded in silence.
    pub fn assert_clean(&self) {
        assert!(
            self.status.success(),
            "{}: {} (signal {:?})\n{}",
            self.what,
            self.status,
            self.status.signal(),
            self.err
        );
        assert!(self.err.is_empty(), "{} says:\n{}", self.what, self.err);
    }
}

/// Waits for a program, and ends one that hangs.
fn wait(mut child: Child, what: &str) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return status;
        }
        if start.elapsed() > LIMIT {
            child.kill().expect("own children can be killed");
            let _ = child.wait();
            panic!("{what}: still running after {} s", LIMIT.as_secs());
        }
        sleep(Duration::from_millis(3));
    }
}
