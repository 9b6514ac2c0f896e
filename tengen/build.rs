//! Tells the program which revision it was built from, so that figures can name it.

use std::process::Command;

fn main() {
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    // Only for what people run: while one develops, every commit would build the program again.
    let released = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let revision = released.then(revision).flatten().map_or(String::new(), |revision| format!(" ({revision})"));
    println!("cargo::rustc-env=TENGEN_VERSION={version}{revision}");
    println!("cargo::rerun-if-changed=build.rs");
    if released {
        println!("cargo::rerun-if-changed=../.git/logs/HEAD");
    }
}

/// The commit that is checked out; nothing outside a repository.
fn revision() -> Option<String> {
    let output = Command::new("git").args(["describe", "--always", "--dirty"]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
