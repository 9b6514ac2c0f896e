//! Any text as a written tree: refused with a reason, or written back and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tengen_core::Notation;
use tengen_search::Literal;

fuzz_target!(|text: &str| {
    if let Ok(tree) = Literal::read(text) {
        let written = tree.write();
        assert!(Literal::read(&written).is_ok(), "{written}");
    }
});
