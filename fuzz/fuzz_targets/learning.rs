//! Any bytes as a network, a description or a shard of samples: refused with a reason, or what is written again is the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tengen_net::description::Description;
use tengen_net::file::{self, Digits};
use tengen_net::model;
use tengen_record::samples::{SetHeader, read_shard};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(found) = file::read(bytes) {
        let written = file::write(&found.model, &found.card, Digits::All).expect("what was read can be written");
        assert_eq!(file::read(&written).expect("our own file").model, found.model);
    }
    if let Ok(description) = std::str::from_utf8(bytes).map_err(|_| ()).and_then(|text| Description::read(text).map_err(|_| ())) {
        assert_eq!(Description::read(&description.write()).expect("our own text"), description);
        let _ = model::parameters(&description);
    }
    let (game, encoder) = ("go9".to_owned(), "go-1".to_owned());
    let header = SetHeader { game, encoder, planes: 17, height: 9, width: 9, globals: 6, policy: 82 };
    let _ = read_shard(&header, bytes);
});
