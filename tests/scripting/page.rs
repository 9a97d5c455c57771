//! The blocks of `docs/scripting.md`, and a folder in which they run as they are printed.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::lab::{skip, Lab};

/// A fenced block of the page.
#[derive(Debug, PartialEq)]
pub enum Block {
    /// A file to save: its name and text.
    File(String, String),
    /// What is typed, and what comes out.
    Console(Vec<(String, String)>),
}

/// The blocks of a page, in order.
pub fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else { continue };
        let text: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
        match language {
            "python" | "sh" => {
                let name = text[0].strip_prefix("# ").expect("such a block begins with the name of its file");
                blocks.push(Block::File(name.to_owned(), text[1..].join("\n") + "\n"));
            }
            "console" => blocks.push(Block::Console(commands(&text))),
            other => panic!("a block of {other:?} that nobody runs"),
        }
    }
    blocks
}

/// The commands of a console block: each goes on behind a backslash, and what follows is its output.
fn commands(lines: &[&str]) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    let mut goes_on = false;
    for line in lines {
        match (goes_on, line.strip_prefix("$ ")) {
            (true, _) => {
                let (command, _) = commands.last_mut().expect("something goes on");
                *command += &format!("\n{line}");
            }
            (false, Some(command)) => commands.push((command.to_owned(), String::new())),
            (false, None) => {
                let (_, output) = commands.last_mut().expect("a console block begins with what is typed");
                *output += &format!("{line}\n");
            }
        }
        goes_on = line.ends_with('\\') && (goes_on || line.starts_with("$ "));
    }
    commands
}

/// A folder like a checkout, with the project's captures, in which `tshark` has the plugin and runs as the lab's user.
pub struct Desk {
    /// Holds the plugin and the home of tshark.
    pub lab: Lab,
    folder: PathBuf,
    path: String,
    /// What is exported to every command.
    exports: Vec<(String, String)>,
}

/// The Python with the packages of the page; `None` where there is none, which is a failure only where
/// `RIFTSHARK_REQUIRE_E2E` was set before the packages were looked for.
fn python() -> Option<PathBuf> {
    match env::var("RIFTSHARK_PYTHON") {
        Err(_) => skip("RIFTSHARK_PYTHON is not set (./test.sh sets it)"),
        Ok(path) if path == "none" => println!("skipped: the Python packages could not be installed"),
        Ok(path) => return Some(path.into()),
    }
    None
}

impl Desk {
    /// A desk; `None` where the plugin or Python is missing.
    pub fn new() -> Option<Desk> {
        let python = python()?;
        let lab = Lab::new()?;
        let root = lab.home().parent().expect("a home is in a folder").to_owned();
        let (folder, bin) = (root.join("desk"), root.join("bin"));
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR"));
        for part in ["captures", "docs/elastic"] {
            copy(&checkout.join(part), &folder.join(part));
        }
        fs::create_dir_all(&bin).expect("a folder for programs");
        lab.file("bin/tshark", wrapper(&lab).as_bytes());
        let scripts = python.parent().expect("Python is in a folder").display().to_string();
        let path = format!("{}:{scripts}:{}", bin.display(), env::var("PATH").unwrap_or_default());
        Some(Desk { lab, folder, path, exports: Vec::new() })
    }

    /// Writes a file that everybody can read.
    pub fn write(&self, name: &str, text: &str) {
        self.lab.file(&format!("desk/{name}"), text.as_bytes());
    }

    /// Sets a variable for the commands that follow.
    pub fn export(&mut self, name: &str, value: &str) {
        self.exports.push((name.to_owned(), value.to_owned()));
    }

    /// Runs a program; it must succeed and say nothing on standard error. Answers its output.
    pub fn run(&self, program: &str, args: &[&str]) -> String {
        let mut command = Command::new(program);
        command.args(args).current_dir(&self.folder).env_clear().env("PATH", &self.path);
        command.env("HOME", &self.folder).env("LC_ALL", "C.UTF-8").envs(self.exports.iter().cloned());
        let Output { status, stdout, stderr } =
            command.output().unwrap_or_else(|error| panic!("{program}: {error}"));
        let said = String::from_utf8_lossy(&stderr);
        assert!(status.success() && said.is_empty(), "{program} {args:?}: {status}\n{said}");
        String::from_utf8(stdout).unwrap_or_else(|error| panic!("{program} {args:?}: {error}"))
    }

    /// Does what a block says, and holds the output to the printed one.
    pub fn follow(&mut self, block: &Block) {
        match block {
            Block::File(name, text) => self.write(name, text),
            Block::Console(commands) => commands.iter().for_each(|(command, output)| {
                if let Some((name, value)) =
                    command.strip_prefix("export ").and_then(|set| set.split_once('='))
                {
                    return self.export(name, value);
                }
                let script = format!("set -euo pipefail\n{command}\n");
                let came = self.run("bash", &["-c", &script]);
                // an engine's answer does not end its line
                let same = came.trim_end() == output.trim_end();
                assert!(same, "$ {command}\ncame out as\n{came}\nwhere the page prints\n{output}");
            }),
        }
    }
}

/// A script that runs the real tshark as the lab's user, in its home and with the plugin.
fn wrapper(lab: &Lab) -> String {
    let home = lab.home();
    let root = home.parent().expect("a home is in a folder").display().to_string();
    let (home, path) = (home.display(), env::var("PATH").unwrap_or_default());
    let user = lab.user.map(|(uid, gid)| format!("setpriv --reuid={uid} --regid={gid} --clear-groups "));
    format!(
        "#!/bin/sh\nexec {}env -i PATH='{path}' HOME='{home}' XDG_CONFIG_HOME='{home}/.config' LC_ALL=C.UTF-8 TZ=UTC \
         WIRESHARK_PLUGIN_DIR='{root}/plugins' WIRESHARK_ABORT_ON_DISSECTOR_BUG=1 tshark \"$@\"\n",
        user.unwrap_or_default()
    )
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap_or_else(|error| panic!("{}: {error}", to.display()));
    let entries = fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    for entry in entries.map(|entry| entry.expect("the folder can be listed").path()) {
        let to = to.join(entry.file_name().expect("a file has a name"));
        if entry.is_dir() {
            copy(&entry, &to);
        } else {
            fs::copy(&entry, &to).unwrap_or_else(|error| panic!("{}: {error}", entry.display()));
        }
    }
}

#[test]
fn a_page_is_taken_apart_into_files_and_commands() {
    let page = "# T\n\n```python\n# a.py\nprint(1)\n```\nText\n```console\n$ one \\\n  more\n$ two\nout\n  in\n```\n";
    let console =
        vec![("one \\\n  more".to_owned(), String::new()), ("two".to_owned(), "out\n  in\n".to_owned())];
    assert_eq!(
        blocks(page),
        [Block::File("a.py".to_owned(), "print(1)\n".to_owned()), Block::Console(console)]
    );
}
