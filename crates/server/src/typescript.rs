//! The messages as TypeScript, in one file without imports.

use crate::message;
use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};
use ts_rs::{Config, TS, TypeVisitor};

/// Where the file belongs, seen from the root of the repository.
pub const FILE: &str = "web/src/protocol/messages.ts";

/// Every type that a page can meet, in the order of their names.
pub fn declarations() -> String {
    struct Walk {
        config: Config,
        seen: HashSet<TypeId>,
        found: BTreeMap<String, String>,
    }
    impl TypeVisitor for Walk {
        fn visit<T: TS + 'static + ?Sized>(&mut self) {
            if !self.seen.insert(TypeId::of::<T>()) {
                return;
            }
            // Only types that are declared by somebody have a file of their own.
            if T::output_path().is_some() {
                let docs = T::docs().unwrap_or_default();
                self.found.insert(T::name(&self.config), format!("{docs}export {}", T::decl(&self.config)));
            }
            T::visit_dependencies(self);
            T::visit_generics(self);
        }
    }
    let mut walk = Walk { config: Config::default(), seen: HashSet::new(), found: BTreeMap::new() };
    walk.visit::<message::Request>();
    walk.visit::<message::Event>();
    walk.visit::<message::Trouble>();
    walk.visit::<message::GameInfo>();
    walk.visit::<message::Frame>();
    walk.visit::<message::NewTable>();
    walk.visit::<message::Opened>();
    walk.visit::<message::Line>();
    walk.visit::<message::Edit>();
    walk.visit::<message::Import>();
    walk.visit::<message::Explain>();
    walk.visit::<message::Solve>();
    walk.visit::<message::Solved>();
    walk.visit::<message::LibraryPage>();
    walk.visit::<message::LibraryRecord>();
    let declarations: Vec<String> = walk.found.into_values().collect();
    format!(
        "// Made from crates/server/src/message: change that, then run `make protocol`.\n\n{}\n",
        declarations.join("\n\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_types_are_the_servers() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(FILE);
        if std::env::var_os("TENGEN_WRITE_PROTOCOL").is_some() {
            std::fs::create_dir_all(path.parent().expect("a file in a folder")).expect("a writable folder");
            std::fs::write(&path, declarations()).expect("a writable file");
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(written == declarations(), "{FILE} is out of date: run `make protocol`");
    }
}
