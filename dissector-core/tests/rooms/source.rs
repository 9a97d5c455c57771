//! The source as rooms see it: modules and their files, and where each path that begins with `crate` or `super` leads.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A module's name from the crate's root on.
pub type Module = Vec<String>;

/// The crate's code without its tests.
pub struct Source {
    /// File of each module, from the source folder.
    pub files: BTreeMap<Module, String>,
    /// Its text, without comments, texts and tests.
    pub code: BTreeMap<Module, String>,
}

/// Where one file takes something from another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Arrow {
    /// Who takes it.
    pub from: Module,
    /// Who has it.
    pub to: Module,
    /// The path as it is written, from the crate's root on.
    pub path: String,
}

impl Source {
    /// Reads the modules below a source folder.
    pub fn read(root: &Path) -> Source {
        let mut source = Source { files: BTreeMap::new(), code: BTreeMap::new() };
        source.enter(root, &root.join("lib.rs"), Vec::new());
        source
    }

    fn enter(&mut self, root: &Path, file: &Path, module: Module) {
        let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let code = without_tests(&bare(&text));
        let face = ["lib.rs", "mod.rs"].iter().any(|name| file.ends_with(name));
        let folder = if face { file.with_file_name("") } else { file.with_extension("") };
        for name in declared(&code) {
            let candidates: [PathBuf; 2] =
                [folder.join(format!("{name}.rs")), folder.join(&name).join("mod.rs")];
            let file = candidates.iter().find(|file| file.exists()).expect("a declared module has a file");
            self.enter(root, file, [&module[..], &[name]].concat());
        }
        let shown = file.strip_prefix(root).unwrap_or(file).display().to_string();
        self.files.insert(module.clone(), shown);
        self.code.insert(module, code);
    }

    /// Every arrow between two files.
    pub fn arrows(&self) -> Vec<Arrow> {
        let mut found = Vec::new();
        for (from, code) in &self.code {
            for path in paths(code, from) {
                let to = self.home(&path, 0);
                if to != *from {
                    found.push(Arrow { from: from.clone(), to, path: path.join("::") });
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// The module in which the last part of a path is written down: re-exports are followed.
    fn home(&self, path: &[String], depth: usize) -> Module {
        let known =
            (0..=path.len()).rev().find(|length| self.files.contains_key(&path[..*length])).unwrap_or(0);
        let (module, rest) = path.split_at(known);
        let Some(name) = rest.first().filter(|_| depth < 8) else { return module.to_vec() };
        for export in exports(&self.code[module], module) {
            if export.last() == Some(name) && export[..] != path[..known + 1] {
                return self.home(&export, depth + 1);
            }
        }
        module.to_vec()
    }
}

/// A text without comments, and with texts and characters emptied, so that only code is left.
pub fn bare(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == '"' {
            closing(&rest[1..]) + 2
        } else if first == '\'' && character(rest).is_some() {
            character(rest).unwrap_or(1)
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        rest = rest.get(skipped..).unwrap_or("");
    }
    out
}

/// Where a text ends: the first quotation mark that is not escaped.
fn closing(text: &str) -> usize {
    let mut escaped = false;
    text.char_indices()
        .find(|(_, c)| {
            let ends = *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            ends
        })
        .map_or(text.len(), |(at, _)| at)
}

/// The length of a character literal; `None` for a lifetime.
fn character(text: &str) -> Option<usize> {
    let inner = &text[1..];
    let first = inner.chars().next()?;
    let length = if first == '\\' { inner[2..].find('\'')? + 3 } else { first.len_utf8() + 1 };
    inner[..length].ends_with('\'').then_some(length + 1)
}

/// Code without what is compiled for tests only.
fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut out = String::new();
    let mut rest = code;
    while let Some(at) = rest.find(MARK) {
        out.push_str(&rest[..at]);
        rest = &rest[at + MARK.len()..];
        let (semicolon, brace) = (rest.find(';'), rest.find('{'));
        rest = match (semicolon, brace) {
            (Some(semicolon), Some(brace)) if brace < semicolon => &rest[brace + block(&rest[brace..])..],
            (None, Some(brace)) => &rest[brace + block(&rest[brace..])..],
            (Some(semicolon), _) => &rest[semicolon + 1..],
            (None, None) => "",
        };
    }
    out + rest
}

/// The length of a block that begins with a brace.
pub fn block(code: &str) -> usize {
    let mut depth = 0;
    for (at, c) in code.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    code.len()
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn name_at(code: &str) -> &str {
    &code[..code.find(|c| !is_name(c)).unwrap_or(code.len())]
}

/// The modules that code declares in files of their own.
fn declared(code: &str) -> Vec<String> {
    let declares = |line: &str| {
        let line = line.trim_start();
        let line = line.strip_prefix("pub(crate) ").or(line.strip_prefix("pub ")).unwrap_or(line);
        let name = line.strip_prefix("mod ")?.strip_suffix(';')?;
        Some(name.to_owned())
    };
    code.lines().filter_map(declares).collect()
}

/// The paths that begin with `crate` or `super`, from the crate's root on.
fn paths(code: &str, module: &Module) -> Vec<Module> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::").chain(code.match_indices("super::")) {
        if code[..at].chars().next_back().is_some_and(|c| is_name(c) || c == ':') {
            continue;
        }
        let (start, tail) = root(&code[at..], module);
        tree(tail, &start, &mut found);
    }
    found
}

/// The names a module hands on under its own name: the paths they lead to.
fn exports(code: &str, module: &[String]) -> Vec<Module> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("pub use ").chain(code.match_indices("pub(crate) use ")) {
        let rest = code[at..].split_once("use ").map_or("", |(_, rest)| rest);
        let begins = rest.starts_with("crate::") || rest.starts_with("super::");
        let (start, tail) = if begins { root(rest, &module.to_vec()) } else { (module.to_vec(), rest) };
        tree(tail, &start, &mut found);
    }
    found
}

/// Takes `crate::` or every `super::` off a path; answers where it begins.
fn root<'c>(code: &'c str, module: &Module) -> (Module, &'c str) {
    if let Some(rest) = code.strip_prefix("crate::") {
        return (Vec::new(), rest);
    }
    let (mut start, mut rest) = (module.clone(), code);
    while let Some(next) = rest.strip_prefix("super::") {
        start.pop();
        rest = next;
    }
    (start, rest)
}

/// Reads what follows `::`: a name, more names, or a list of them; answers what is left of the code.
fn tree<'c>(code: &'c str, start: &Module, found: &mut Vec<Module>) -> &'c str {
    let code = code.trim_start();
    if let Some(mut rest) = code.strip_prefix('{') {
        loop {
            rest = rest.trim_start();
            if let Some(rest) = rest.strip_prefix('}') {
                return rest;
            }
            let before = rest.len();
            rest = tree(rest, start, found).trim_start();
            rest = rest.strip_prefix(',').unwrap_or(rest);
            if rest.len() == before {
                return rest;
            }
        }
    }
    let name = name_at(code);
    let rest = &code[name.len()..];
    let path = match name {
        "" | "self" => start.clone(),
        name => [&start[..], &[name.to_owned()]].concat(),
    };
    match rest.strip_prefix("::") {
        Some(next) if !name.is_empty() => tree(next, &path, found),
        _ => {
            found.push(path);
            rest.strip_prefix('*').unwrap_or(rest)
        }
    }
}
