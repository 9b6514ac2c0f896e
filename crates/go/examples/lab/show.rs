//! Writes labelled games as the network sees them, for `lab/pupil.py`.
//!
//! ```text
//! lab show DIRECTORY
//! ```
//!
//! For every shard `S` of `lab teach`, `S.planes` gets three bytes a point and position, a bit a plane, and `S.black` a byte a position: whether
//! Black is to move.

use crate::Failure;
use crate::train::Shard;
use std::fs::File;
use std::io::{BufWriter, Write};
use tengen_go::field::{BLACK, Field};
use tengen_go::planes::{PLANES, fill};
use tengen_net::Board;

fn show<const CELLS: usize, const WORDS: usize>(shard: &Shard, name: &str) -> Result<usize, Failure> {
    let mut planes_file = BufWriter::new(File::create(format!("{name}.planes"))?);
    let mut black = Vec::new();
    let board = Board::new(shard.size);
    let mut planes = Vec::new();
    let mut bytes = Vec::new();
    let mut failed = None;
    shard.replay::<CELLS, WORDS>(|_, field: &Field<CELLS, WORDS>| {
        planes.clear();
        planes.resize(board.cells(), [0.0; PLANES]);
        fill(field, board, &mut planes);
        bytes.clear();
        for cell in board.points() {
            let bits = (0..PLANES).fold(0u32, |bits, at| bits | u32::from(planes[cell][at] > 0.0) << at);
            bytes.extend(&bits.to_le_bytes()[..PLANES / 8]);
        }
        black.push(u8::from(field.to_move() == BLACK));
        failed = failed.take().or(planes_file.write_all(&bytes).err());
    });
    failed.map_or(Ok(()), Err)?;
    planes_file.flush()?;
    std::fs::write(format!("{name}.black"), &black)?;
    Ok(black.len())
}

/// Writes all shards of a directory.
pub fn main(words: &[String]) -> Result<(), Failure> {
    let [directory] = words else {
        return Err("lab show DIRECTORY".into());
    };
    let mut number = 0;
    while std::fs::exists(format!("{directory}/{number}.move"))? {
        let shard = Shard::read(directory, number)?;
        let name = format!("{directory}/{number}");
        let positions = match shard.size {
            ..=9 => show::<111, 2>(&shard, &name)?,
            10..=13 => show::<211, 4>(&shard, &name)?,
            _ => show::<421, 7>(&shard, &name)?,
        };
        println!("{name}: {positions} positions");
        number += 1;
    }
    Ok(())
}
