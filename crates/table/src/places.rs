//! Where Tengen keeps what it makes: the game database, solved tables, runs.

use std::path::PathBuf;
use std::sync::OnceLock;

static CHOSEN: OnceLock<PathBuf> = OnceLock::new();

/// Chooses the data directory for the rest of the program; the first choice counts. `tengen serve --data DIR` does it.
pub fn choose_data_dir(dir: PathBuf) {
    let _ = CHOSEN.set(dir);
}

/// The data directory: the one chosen, else `TENGEN_DATA`, else the place that the system gives to programs. It need not exist yet.
pub fn data_dir() -> PathBuf {
    let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || from("HOME").map(|home| home.join(".local").join("share"));
    let shared = || from("XDG_DATA_HOME").or_else(home).map(|share| share.join("tengen"));
    let default = || from("TENGEN_DATA").or_else(shared).unwrap_or_else(|| PathBuf::from("tengen-data"));
    CHOSEN.get().cloned().unwrap_or_else(default)
}
