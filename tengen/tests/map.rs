//! `ARCHITECTURE.md` is true: its list of crates is the order of dependency, and what it says is absent is absent.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The crates in the order of the map, lowest first.
fn map() -> Vec<String> {
    let text = read(&root().join("ARCHITECTURE.md"));
    let block = text.split("```").nth(1).expect("the map is the first block");
    let within = block.lines().skip_while(|line| *line != "crates/").skip(1);
    let lines = within.take_while(|line| line.starts_with("  "));
    lines.map(|line| line.split_whitespace().next().expect("a name").to_owned()).collect()
}

/// The sources of a crate without their tests.
fn sources(name: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("crates").join(name).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs") {
                let text = read(&path);
                let code = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
                found.push((path, code));
            }
        }
    }
    assert!(!found.is_empty(), "{name} has sources");
    found
}

#[test]
fn the_map_lists_every_crate() {
    let entries = fs::read_dir(root().join("crates")).expect("the crates");
    let folders = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name"));
    assert_eq!(map().into_iter().collect::<BTreeSet<_>>(), folders.collect());
}

#[test]
fn a_crate_uses_only_what_stands_above_it() {
    let map = map();
    for (place, name) in map.iter().enumerate() {
        let manifest = read(&root().join("crates").join(name).join("Cargo.toml"));
        let used = manifest.split("\n[").find(|part| part.starts_with("dependencies]")).unwrap_or_default();
        for line in used.lines() {
            if let Some(other) = line.strip_prefix("tengen-").and_then(|line| line.split(['.', ' ']).next()) {
                assert!(map[..place].iter().any(|above| above == other), "{name} uses {other}, which is not above it");
            }
        }
    }
}

/// The crates in which none of the words may stand.
fn absent(words: &[&str], crates: &[&str]) {
    for name in crates {
        for (path, code) in sources(name) {
            for (number, line) in code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
                for word in words {
                    assert!(!line.contains(word), "{}:{}: `{word}`", path.display(), number + 1);
                }
            }
        }
    }
}

/// All crates but these.
fn all_but<'a>(map: &'a [String], exceptions: &[&str]) -> Vec<&'a str> {
    map.iter().map(String::as_str).filter(|name| !exceptions.contains(name)).collect()
}

#[test]
fn absences_are_absent() {
    let map = map();
    absent(&["println!", "eprintln!", "print!("], &all_but(&map, &[]));
    absent(&["std::process", "Command::new"], &all_but(&map, &["external"]));
    absent(&["async ", ".await", "tokio", "std::net"], &all_but(&map, &["server"]));
    let thinking = ["core", "games", "net", "encode", "search", "explain"];
    absent(&["std::fs", "File::open", "File::create"], &thinking);
    absent(&["Instant::now", "SystemTime::now", "std::env"], &thinking);
    absent(&["fastrand::", "Rng::new()", "getrandom"], &all_but(&map, &["core", "server"]));
}
