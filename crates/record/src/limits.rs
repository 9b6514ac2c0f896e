//! How much a file may hold: enough for every game there is, and not so much that a hostile one fills the memory.
//!
//! All readers take time in proportion to their text, walk it with a stack of their own instead of recursion, and give up here.

use crate::{FileError, GameTree};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::marker::PhantomData;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

/// Moves in a text, all its games and variations together; as many take some hundred megabytes.
pub const MOST_NODES: usize = 1_000_000;
/// Variations within variations.
pub const DEEPEST: usize = 10_000;
/// Marks on the boards of one game. A few letters of SGF mark a whole board.
pub const MOST_MARKS: usize = 500_000;
/// Bytes of a file that is read as a whole.
pub const MOST_BYTES: u64 = 256 << 20;

pub(crate) fn too_many(what: &str, most: usize) -> String {
    format!("there are more than {most} {what} in it")
}

/// Games one after the other, as long as they have no more than [`MOST_NODES`] moves together.
pub(crate) fn bounded<I: Iterator<Item = Result<GameTree, FileError>>>(games: I) -> Result<Vec<GameTree>, FileError> {
    let mut nodes = 0;
    let counted = games.map(|game| {
        nodes += game.as_ref().map_or(0, |game| game.nodes().len());
        if nodes > MOST_NODES { Err(FileError::new(too_many("moves", MOST_NODES))) } else { game }
    });
    counted.collect()
}

/// A list of JSON with no more than [`MOST_NODES`] entries: each may take two letters there, and hundreds of bytes here.
pub(crate) fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    struct List<T>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>> Visitor<'de> for List<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Vec<T>, A::Error> {
            let mut list = Vec::new();
            while let Some(entry) = entries.next_element()? {
                if list.len() >= MOST_NODES {
                    return Err(A::Error::custom(too_many("moves", MOST_NODES)));
                }
                list.push(entry);
            }
            Ok(list)
        }
    }
    deserializer.deserialize_seq(List(PhantomData))
}

/// A file of games or positions, to be read bit by bit. A device, which may never end, is refused.
pub fn open_file(path: &Path) -> Result<File, FileError> {
    let kind = std::fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(FileError::new("it is a directory"));
    }
    if kind.is_char_device() || kind.is_block_device() {
        return Err(FileError::new("it is a device, not a file"));
    }
    Ok(File::open(path)?)
}

/// The same as a whole, unless it is longer than [`MOST_BYTES`].
pub fn read_file(path: &Path) -> Result<Vec<u8>, FileError> {
    let file = open_file(path)?;
    let too_long = || FileError::new(format!("it is longer than {} MB", MOST_BYTES >> 20));
    if file.metadata()?.len() > MOST_BYTES {
        return Err(too_long());
    }
    // Pipes have no length, and files may grow.
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES { Err(too_long()) } else { Ok(bytes) }
}
