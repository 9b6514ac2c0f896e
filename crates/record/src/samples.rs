//! Positions to learn from, on disk: sets of samples in shards.
//!
//! A set is a directory: `set.toml` says what its samples have in common, and the samples lie in `00000.samples`, `00001.samples` and so on, some
//! thousands in each. A shard is written under another name, brought to the disk and then renamed, so that whatever happens only the
//! open one is lost; and it is read as a whole, so that a set of any size streams through little memory. A damaged shard costs
//! nothing but itself. This module knows no game, no encoder and no network.
//!
//! ```text
//!   magic 8 | version | samples | bytes, packed | bytes, compressed | sum of set.toml's contents | sum of the block | sum of this head | block
//! ```
//!
//! Each number is four bytes, the lowest first; sums are CRC-32; the block is one frame of Zstandard. What is in it, the module `pack` tells.

mod pack;

use pack::{Pieces, pack, unpack};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// What all samples of a set have in common.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetHeader {
    /// The id of the game.
    pub game: String,
    /// The encoder that made the numbers out of positions.
    pub encoder: String,
    /// Planes of a position.
    pub planes: usize,
    /// Rows of a plane.
    pub height: usize,
    /// Columns of a plane.
    pub width: usize,
    /// Numbers for the whole board.
    pub globals: usize,
    /// Places of the policy.
    pub policy: usize,
}

/// One position, what it showed, and what should be said of it: all for the side to move.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sample {
    /// Which game it is of: whoever divides a set never cuts a game.
    pub game: u64,
    /// Plane after plane, each row by row, as encoded.
    pub planes: Vec<f32>,
    /// The numbers for the whole board, as encoded.
    pub globals: Vec<f32>,
    /// Places of the policy and their shares, which sum to one; places that are not named have none. Empty if no policy is known.
    pub policy: Vec<(u16, f32)>,
    /// Shares of won, drawn and lost games.
    pub value: Option<[f32; 3]>,
    /// Points of lead.
    pub score: Option<f32>,
    /// Whose each point will be, from −1 (the other's) to 1 (own); empty if that is not known.
    pub owners: Vec<f32>,
    /// The opponent's answer, as a place in the policy as the opponent sees it.
    pub reply: Option<u16>,
    /// How much it counts: usually 1; more for a position that stands for several.
    pub weight: f32,
}

/// Why samples cannot be read or written: in which file, and what is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SamplesError {
    path: PathBuf,
    what: String,
}

impl SamplesError {
    fn new(path: &Path, what: impl fmt::Display) -> Self {
        SamplesError { path: path.to_owned(), what: what.to_string() }
    }

    /// The file or directory it is about.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl fmt::Display for SamplesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.what)
    }
}

impl std::error::Error for SamplesError {}

const MAGIC: &[u8; 8] = b"tg-smpls";
const VERSION: u32 = 1;
const HEAD: usize = 8 + 7 * 4;
/// The name of the file that says what the samples of a set have in common.
const HEADER_FILE: &str = "set.toml";
const EXTENSION: &str = "samples";
/// No header is longer.
const LONGEST_HEADER: u64 = 1 << 16;
/// Samples in a shard, unless they are large.
const MOST_SAMPLES: usize = 4096;
/// How many numbers a shard holds at most, where a sample is not larger by itself: 32 MB of them.
const MOST_NUMBERS: usize = 8 << 20;
/// The level that Zstandard chooses unless told otherwise.
const LEVEL: i32 = 3;

impl SetHeader {
    /// Points of the board.
    pub fn points(&self) -> usize {
        self.height * self.width
    }

    /// How many numbers the planes of a sample are together.
    pub fn plane_numbers(&self) -> usize {
        self.planes * self.points()
    }

    /// Refuses what no sample can be like; behind it no product of the sizes overflows, and nothing takes much memory.
    fn check(&self) -> Result<(), String> {
        let limits = [
            ("planes", self.planes, 1 << 12),
            ("height", self.height, 1 << 10),
            ("width", self.width, 1 << 10),
            ("globals", self.globals, 1 << 20),
            ("policy", self.policy, 1 << 16),
        ];
        for (name, number, limit) in limits {
            if number > limit {
                return Err(format!("{name} is {number}, and {limit} is the most"));
            }
        }
        match self.numbers() {
            0 => Err("a sample shows nothing".to_owned()),
            numbers if numbers > MOST_NUMBERS => {
                Err(format!("a sample has {numbers} numbers, and {MOST_NUMBERS} is the most"))
            }
            _ => Ok(()),
        }
    }

    /// At most so many numbers make up a sample.
    fn numbers(&self) -> usize {
        self.plane_numbers() + self.points() + self.globals + 2 * self.policy
    }

    /// Samples in a shard that is full.
    fn capacity(&self) -> usize {
        (MOST_NUMBERS / self.numbers()).clamp(1, MOST_SAMPLES)
    }

    /// At most so many bytes make up so many samples.
    fn longest(&self, samples: usize) -> usize {
        samples * (4 * self.numbers() + self.planes + pack::BESIDE)
    }

    fn sum(&self) -> u32 {
        let mut sum = crc32fast::Hasher::new();
        for name in [&self.game, &self.encoder] {
            sum.update(name.as_bytes());
            sum.update(&[0]);
        }
        for number in [self.planes, self.height, self.width, self.globals, self.policy] {
            sum.update(&(number as u64).to_le_bytes());
        }
        sum.finalize()
    }
}

/// Writes a set, shard by shard.
pub struct SampleWriter {
    dir: PathBuf,
    header: SetHeader,
    /// The number of the shard to be written next.
    next: u64,
    packed: Vec<u8>,
    /// Samples in the open shard, and in those that are written.
    open: usize,
    written: u64,
    /// The game of the last sample.
    game: Option<u64>,
}

impl SampleWriter {
    /// Begins a new set in a directory, which is made if it is not there. A directory that holds a set already is refused.
    pub fn create(dir: &Path, header: &SetHeader) -> Result<Self, SamplesError> {
        header.check().map_err(|what| SamplesError::new(dir, what))?;
        fs::create_dir_all(dir).map_err(|error| SamplesError::new(dir, error))?;
        let path = dir.join(HEADER_FILE);
        if path.exists() || !shards_in(dir)?.is_empty() {
            return Err(SamplesError::new(dir, "there is a set of samples already: name another directory"));
        }
        let text = toml::to_string(header).map_err(|error| SamplesError::new(&path, error))?;
        write_whole(&path, &[text.as_bytes()])?;
        Ok(Self::at(dir, header, 0))
    }

    /// Goes on with a set that is there, in a new shard.
    pub fn resume(dir: &Path, header: &SetHeader) -> Result<Self, SamplesError> {
        let set = SampleSet::open(dir)?;
        if set.header != *header {
            return Err(SamplesError::new(dir, "the samples there are of another game, board or encoder"));
        }
        let next = set.shards.last().map_or(0, |shard| shard.number + 1);
        Ok(Self::at(dir, header, next))
    }

    fn at(dir: &Path, header: &SetHeader, next: u64) -> Self {
        let (dir, header) = (dir.to_owned(), header.clone());
        SampleWriter { dir, header, next, packed: Vec::new(), open: 0, written: 0, game: None }
    }

    /// Adds a sample. A shard that is full ends with its last game, so that what is on the disk is whole games; only a game
    /// that is longer than a shard is spread over several.
    pub fn push(&mut self, sample: &Sample) -> Result<(), SamplesError> {
        let capacity = self.header.capacity();
        if self.open >= capacity && (self.game != Some(sample.game) || self.open >= 2 * capacity) {
            self.cut()?;
        }
        let before = self.packed.len();
        if let Err(what) = pack(&self.header, sample, &mut self.packed) {
            self.packed.truncate(before);
            return Err(SamplesError::new(&self.dir, format!("not a sample of this set: {what}")));
        }
        self.open += 1;
        self.game = Some(sample.game);
        Ok(())
    }

    /// Brings to the disk what has been pushed; the next sample begins another shard.
    pub fn cut(&mut self) -> Result<(), SamplesError> {
        if self.open == 0 {
            return Ok(());
        }
        let path = self.dir.join(format!("{:05}.{EXTENSION}", self.next));
        let block = zstd::bulk::compress(&self.packed, LEVEL).map_err(|error| SamplesError::new(&path, error))?;
        let mut head = MAGIC.to_vec();
        // All of these are small: a shard holds at most twice `MOST_NUMBERS` numbers.
        let numbers = [self.open, self.packed.len(), block.len()].map(|number| number as u32);
        for number in [VERSION].into_iter().chain(numbers).chain([self.header.sum(), crc32fast::hash(&block)]) {
            head.extend(number.to_le_bytes());
        }
        head.extend(crc32fast::hash(&head).to_le_bytes());
        write_whole(&path, &[&head, &block])?;
        self.next += 1;
        self.written += self.open as u64;
        self.open = 0;
        self.packed.clear();
        Ok(())
    }

    /// Writes the last shard and says how many samples this writer has written.
    pub fn finish(mut self) -> Result<u64, SamplesError> {
        self.cut()?;
        Ok(self.written)
    }
}

/// Writes a file under another name, makes sure that it is on the disk, and gives it its own.
fn write_whole(path: &Path, parts: &[&[u8]]) -> Result<(), SamplesError> {
    let part = path.with_extension("part");
    let written = (|| {
        let mut file = File::create(&part)?;
        parts.iter().try_for_each(|bytes| file.write_all(bytes))?;
        file.sync_all()?;
        fs::rename(&part, path)
    })();
    if written.is_err() {
        // Nothing useful can be done if that fails too.
        let _ = fs::remove_file(&part);
    } else if let Some(Ok(dir)) = path.parent().map(File::open) {
        // The new name is to last as well; where a directory cannot be opened, the system sees to that by itself.
        let _ = dir.sync_all();
    }
    written.map_err(|error: io::Error| SamplesError::new(path, error))
}

/// The shards of a directory in the order of their numbers.
fn shards_in(dir: &Path) -> Result<Vec<(u64, PathBuf)>, SamplesError> {
    let failed = |error: io::Error| SamplesError::new(dir, error);
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let digits = path.file_stem().and_then(OsStr::to_str).filter(|stem| stem.bytes().all(|b| b.is_ascii_digit()));
        if path.extension() == Some(OsStr::new(EXTENSION))
            && let Some(number) = digits.and_then(|digits| digits.parse().ok())
        {
            found.push((number, path));
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// What stands at the beginning of a shard.
struct Head {
    samples: usize,
    packed: usize,
    compressed: usize,
    sum: u32,
}

impl Head {
    /// Believes nothing: behind it all sizes are those of a shard of such a set.
    fn read(header: &SetHeader, bytes: &[u8]) -> Result<Head, String> {
        let damaged = || "this shard is damaged".to_owned();
        let bytes: &[u8; HEAD] = bytes.first_chunk().ok_or_else(|| "this shard is cut short".to_owned())?;
        if !bytes.starts_with(MAGIC) {
            return Err("this is no shard of samples".to_owned());
        }
        let number = |place: usize| {
            let at = 8 + 4 * place;
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        if number(6) != crc32fast::hash(&bytes[..HEAD - 4]) {
            return Err(damaged());
        }
        if number(0) != VERSION {
            return Err(format!("this shard is of version {}, and only {VERSION} is known", number(0)));
        }
        if number(4) != header.sum() {
            return Err("this shard belongs to another set: its game, board or encoder is different".to_owned());
        }
        let [samples, packed, compressed] = [1, 2, 3].map(|place| number(place) as usize);
        let fits = (1..=2 * header.capacity()).contains(&samples)
            && packed <= header.longest(samples)
            && compressed <= zstd::zstd_safe::compress_bound(packed);
        if !fits {
            return Err(damaged());
        }
        Ok(Head { samples, packed, compressed, sum: number(5) })
    }
}

/// The samples of one shard, from the bytes of its file.
pub fn read_shard(header: &SetHeader, bytes: &[u8]) -> Result<Vec<Sample>, String> {
    header.check()?;
    let head = Head::read(header, bytes)?;
    let block = &bytes[HEAD..];
    if block.len() != head.compressed {
        let how = if block.len() < head.compressed { "short" } else { "long" };
        return Err(format!("this shard is too {how}"));
    }
    let damaged = |what: &dyn fmt::Display| format!("this shard is damaged: {what}");
    if crc32fast::hash(block) != head.sum {
        return Err(damaged(&"its checksum is wrong"));
    }
    let packed = zstd::bulk::decompress(block, head.packed).map_err(|error| damaged(&error))?;
    read_block(header, head.samples, &packed).map_err(|what| damaged(&what))
}

/// So many samples, from the decompressed bytes of a shard's block.
pub fn read_block(header: &SetHeader, samples: usize, bytes: &[u8]) -> Result<Vec<Sample>, String> {
    let mut pieces = Pieces::new(bytes);
    let samples = (0..samples).map(|_| unpack(header, &mut pieces)).collect::<Result<Vec<_>, _>>()?;
    match pieces.is_empty() {
        true => Ok(samples),
        false => Err("something follows the last sample".to_owned()),
    }
}

/// A shard of a set that has been opened.
struct Shard {
    number: u64,
    path: PathBuf,
    /// How many samples it says it has, or what is wrong with it.
    samples: Result<usize, String>,
}

/// A set of samples on disk.
pub struct SampleSet {
    header: SetHeader,
    shards: Vec<Shard>,
}

impl SampleSet {
    /// Opens a set: reads its header and the first bytes of each shard. Damaged shards are no reason to refuse the others.
    pub fn open(dir: &Path) -> Result<Self, SamplesError> {
        let path = dir.join(HEADER_FILE);
        let file = File::open(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => SamplesError::new(dir, "there is no set of samples: no set.toml"),
            _ => SamplesError::new(&path, error),
        })?;
        let mut text = String::new();
        file.take(LONGEST_HEADER).read_to_string(&mut text).map_err(|error| SamplesError::new(&path, error))?;
        let header: SetHeader = toml::from_str(&text).map_err(|error| SamplesError::new(&path, error))?;
        header.check().map_err(|what| SamplesError::new(&path, what))?;
        let shard = |(number, path): (u64, PathBuf)| {
            let samples = look(&header, &path);
            Shard { number, path, samples }
        };
        let shards = shards_in(dir)?.into_iter().map(shard).collect();
        Ok(SampleSet { header, shards })
    }

    /// What all its samples have in common.
    pub fn header(&self) -> &SetHeader {
        &self.header
    }

    /// How many samples there are in shards that seem whole.
    pub fn len(&self) -> u64 {
        (0..self.shards()).map(|shard| self.samples(shard) as u64).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many shards there are, damaged ones included.
    pub fn shards(&self) -> usize {
        self.shards.len()
    }

    /// How many samples a shard says it has; none if it is damaged.
    ///
    /// # Panics
    /// If there is no such shard.
    pub fn samples(&self, shard: usize) -> usize {
        *self.shards[shard].samples.as_ref().unwrap_or(&0)
    }

    /// Reads a shard, and checks all of it.
    ///
    /// # Panics
    /// If there is no such shard.
    pub fn read(&self, shard: usize) -> Result<Vec<Sample>, SamplesError> {
        let Shard { path, samples, .. } = &self.shards[shard];
        let failed = |what: String| SamplesError::new(path, what);
        samples.as_ref().map_err(|what| failed(what.clone()))?;
        // A file that has grown since it was looked at is refused and not read.
        let limit = HEAD + zstd::zstd_safe::compress_bound(self.header.longest(2 * self.header.capacity()));
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(|error| failed(error.to_string()))?;
        file.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(|error| failed(error.to_string()))?;
        read_shard(&self.header, &bytes).map_err(failed)
    }
}

/// How many samples a shard says it has, or what is seen to be wrong with it without reading it.
fn look(header: &SetHeader, path: &Path) -> Result<usize, String> {
    let failed = |error: io::Error| error.to_string();
    let file = File::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    let mut bytes = Vec::with_capacity(HEAD);
    file.take(HEAD as u64).read_to_end(&mut bytes).map_err(failed)?;
    let head = Head::read(header, &bytes)?;
    match length.cmp(&((HEAD + head.compressed) as u64)) {
        std::cmp::Ordering::Less => Err("this shard is too short".to_owned()),
        std::cmp::Ordering::Equal => Ok(head.samples),
        std::cmp::Ordering::Greater => Err("this shard is too long".to_owned()),
    }
}

#[cfg(test)]
mod tests;
