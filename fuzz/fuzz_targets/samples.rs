//! Any bytes as a shard of samples, with its sums and behind them: refused with a reason, or as many samples as it says.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tengen_record::samples::{SetHeader, read_block, read_shard};

fuzz_target!(|bytes: &[u8]| {
    let (game, encoder) = ("tictactoe".to_owned(), "tictactoe-1".to_owned());
    let header = SetHeader { game, encoder, planes: 2, height: 3, width: 3, globals: 1, policy: 10 };
    assert!(read_shard(&header, bytes).is_err(), "nobody guesses three checksums");
    let Some((&count, block)) = bytes.split_first() else { return };
    if let Ok(samples) = read_block(&header, count.into(), block) {
        assert_eq!(samples.len(), usize::from(count));
        for sample in samples {
            assert!(sample.planes.len() == 18 && sample.planes.iter().all(|number| number.is_finite()));
            assert!(sample.policy.iter().all(|&(place, _)| place < 10));
        }
    }
});
