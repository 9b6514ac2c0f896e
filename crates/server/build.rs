//! Puts the built web app (`web/dist`) into the program: a list of its files, each with its bytes.
//!
//! Without a build of the web app the list is empty, and the server shows a page that says how to make one: so the Rust
//! part builds and is tested without Node.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    // Set by cargo for every build script.
    let here = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    let dist = here.join("../../web/dist");
    println!("cargo:rerun-if-changed=build.rs");
    // The folder may not be there yet: then its parent tells when it comes.
    let watched = if dist.is_dir() { dist.clone() } else { here.join("../../web") };
    println!("cargo:rerun-if-changed={}", watched.display());
    let mut files = Vec::new();
    collect(&dist, &mut files);
    files.sort();
    let mut list = String::from("&[\n");
    for file in files {
        println!("cargo:rerun-if-changed={}", file.display());
        let Ok(name) = file.strip_prefix(&dist) else { continue };
        let name = name.to_string_lossy().replace('\\', "/");
        // Writing to a string does not fail.
        let _ = writeln!(list, "    ({name:?}, include_bytes!({:?})),", file.display().to_string());
    }
    list.push(']');
    std::fs::write(out.join("assets.rs"), list).expect("cargo's own folder can be written to");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_none_or(|end| end != "map") {
            files.push(path);
        }
    }
}
