//! The solved small Yokai board on disk: the table of all positions, and the checkpoints of its making.
//!
//! ```text
//!   table       header, 64 bytes: magic, version, positions, won, lost, drawn
//!               for each block of 1024 positions where it ends in the file, 8 bytes; a checksum of all this
//!               the blocks: a bit a position that is set unless it is won in one move; a byte for each that is set; a checksum
//!   checkpoint  magic, the next pass, a byte a position, a checksum
//! ```
//!
//! Numbers are little-endian. Every block is checked when it is read, so that opening a table takes no time and no damage goes unseen.
//! Files are written under another name and renamed when they are whole.

use crate::places::data_dir;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tengen_lore::solve::Verdict;
use tengen_lore::solve::yokai::{All, Cell, Lookup, Retrograde, Space, checksum};

const MAGIC: &[u8; 24] = b"tengen yokai34 table\n\0\0\0";
const CHECKPOINT_MAGIC: &[u8; 24] = b"tengen yokai34 checkpt\n\0";
const VERSION: u64 = 1;
const HEADER: usize = 64;
const BLOCK: usize = 1024;
const BITS: usize = BLOCK / 8;

/// Where the table is looked for: `yokai34.table` in the data directory.
pub fn default_path() -> PathBuf {
    data_dir().join("yokai34.table")
}

/// How many positions are won, lost and drawn for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Won.
    pub won: u64,
    /// Lost.
    pub lost: u64,
    /// Drawn.
    pub drawn: u64,
}

/// The win that takes longest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Longest {
    /// How many plies it takes.
    pub plies: u32,
    /// One of the positions where it does.
    pub number: usize,
}

/// What to do about a table that is no good.
const ANEW: &str = "remove it and make it anew with `tengen solve yokai34`";

/// A table that stays on disk and is read where it is asked.
pub struct TableFile {
    path: PathBuf,
    file: File,
    counts: Counts,
    /// How many positions there are.
    size: usize,
    /// Where each block ends.
    ends: Vec<u64>,
    /// The block that was read last, with its number.
    block: Option<(usize, Vec<u8>)>,
}

impl TableFile {
    /// Opens the table of all positions; or says in one line what is wrong with the file.
    pub fn open(path: &Path) -> Result<Self, String> {
        Self::open_of(path, All.size())
    }

    /// Opens a table of so many positions.
    fn open_of(path: &Path, size: usize) -> Result<Self, String> {
        let complaint = |what: &str| format!("{}: {what}", path.display());
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => {
                complaint("there is no table yet; `tengen solve yokai34` makes it once, in some minutes (150 MB)")
            }
            io::ErrorKind::UnexpectedEof => complaint(&format!("this table is damaged: it ends too soon; {ANEW}")),
            _ => complaint(&error.to_string()),
        };
        let mut file = File::open(path).map_err(failed)?;
        let mut head = vec![0; HEADER];
        let foreign = || complaint("this is not a table of yokai34; move it away, or name another file");
        file.read_exact(&mut head).map_err(|_| foreign())?;
        let number = |bytes: &[u8], at: usize| word(&bytes[at..]);
        if head[..24] != *MAGIC {
            return Err(foreign());
        }
        if number(&head, 24) != VERSION || number(&head, 32) != size as u64 {
            return Err(complaint(&format!("this table was made by another version of Tengen; {ANEW}")));
        }
        let counts = Counts { won: number(&head, 40), lost: number(&head, 48), drawn: number(&head, 56) };
        head.resize(HEADER + 8 * size.div_ceil(BLOCK), 0);
        file.read_exact(&mut head[HEADER..]).map_err(failed)?;
        let mut sum = [0; 8];
        file.read_exact(&mut sum).map_err(failed)?;
        let damaged = || complaint(&format!("this table is damaged: its checksum is wrong; {ANEW}"));
        if checksum(&head) != u64::from_le_bytes(sum) {
            return Err(damaged());
        }
        let ends: Vec<u64> = head[HEADER..].chunks(8).map(word).collect();
        let mut begin = head.len() as u64 + 8;
        for &end in &ends {
            if !end.checked_sub(begin).is_some_and(|length| (BITS + 8..=BITS + BLOCK + 8).contains(&(length as usize)))
            {
                return Err(damaged());
            }
            begin = end;
        }
        if begin != file.metadata().map_err(failed)?.len() {
            return Err(complaint(&format!("this table is damaged: it is too short or too long; {ANEW}")));
        }
        Ok(TableFile { path: path.to_owned(), file, counts, size, ends, block: None })
    }

    /// How many positions are won, lost and drawn.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Reads and checks every block, and finds the longest win; `progress` hears how many blocks are done, of how many.
    pub fn check(&mut self, mut progress: impl FnMut(u64, u64)) -> Result<Longest, String> {
        let (size, blocks) = (self.size, self.ends.len());
        let (mut counts, mut longest) = (Counts::default(), Longest::default());
        for block in 0..blocks {
            let first = block * BLOCK;
            let bytes = self.read(block)?;
            // `read` has seen to it that there are bits, as many bytes as bits are set, and a checksum.
            let (bits, bytes) = bytes[..bytes.len() - 8].split_at(BITS);
            counts.won += (BLOCK.min(size - first) - bytes.len()) as u64;
            let places = (0..BLOCK).filter(|place| bits[place / 8] >> (place % 8) & 1 == 1);
            for (place, &byte) in places.zip(bytes) {
                let exact = Cell(byte).exact();
                match (exact.verdict, exact.plies) {
                    (Verdict::Win, Some(plies)) => {
                        counts.won += 1;
                        if plies > longest.plies {
                            longest = Longest { plies, number: first + place };
                        }
                    }
                    (Verdict::Loss, _) => counts.lost += 1,
                    _ => counts.drawn += 1,
                }
            }
            if block.is_multiple_of(256) {
                progress(block as u64, blocks as u64);
            }
        }
        if counts != self.counts {
            return Err(format!("{}: this table does not hold what its head says; {ANEW}", self.path.display()));
        }
        Ok(longest)
    }

    fn read(&mut self, number: usize) -> Result<&[u8], String> {
        if self.block.as_ref().is_none_or(|(known, _)| *known != number) {
            let begin =
                number.checked_sub(1).map_or(HEADER as u64 + 8 * (self.ends.len() as u64 + 1), |n| self.ends[n]);
            let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", self.path.display());
            // The ends are checked, so that blocks are small and never empty.
            let mut bytes = vec![0; (self.ends[number] - begin) as usize];
            self.file.seek(SeekFrom::Start(begin)).map_err(|error| failed(&error))?;
            self.file.read_exact(&mut bytes).map_err(|error| failed(&error))?;
            let whole = bytes.split_last_chunk().is_some_and(|(body, sum)| {
                let set = |bits: &[u8]| bits.iter().map(|byte| byte.count_ones() as usize).sum::<usize>();
                let fits = body.split_at_checked(BITS).is_some_and(|(bits, bytes)| bytes.len() == set(bits));
                fits && checksum(body) == u64::from_le_bytes(*sum)
            });
            if !whole {
                return Err(failed(&format!("this table is damaged: a checksum is wrong; {ANEW}")));
            }
            self.block = Some((number, bytes));
        }
        // It is there now.
        Ok(self.block.as_ref().map_or(&[], |(_, bytes)| bytes))
    }
}

/// The first eight bytes as a number.
fn word(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

impl Lookup for TableFile {
    fn cell(&mut self, number: usize) -> Result<Cell, String> {
        let block = self.read(number / BLOCK)?;
        let place = number % BLOCK;
        let (bits, bytes) = block.split_at(BITS);
        if bits[place / 8] >> (place % 8) & 1 == 0 {
            return Ok(WON_IN_ONE);
        }
        let before: u32 = bits[..place / 8].iter().map(|byte| byte.count_ones()).sum();
        let before = before + (bits[place / 8] & ((1 << (place % 8)) - 1)).count_ones();
        Ok(Cell(bytes[before as usize]))
    }
}

const WON_IN_ONE: Cell = Cell(1);

/// Writes the table of a finished analysis; `progress` hears how many blocks are done, of how many.
pub fn write<S: Space>(
    path: &Path,
    analysis: &Retrograde<S>,
    mut progress: impl FnMut(u64, u64),
) -> io::Result<Counts> {
    let blocks = analysis.size().div_ceil(BLOCK);
    let mut counts = Counts::default();
    let mut ends = Vec::with_capacity(blocks);
    whole(path, |file| {
        let head = HEADER + 8 * (blocks + 1);
        // Room for the head, which is known at the end.
        file.write_all(&vec![0; head])?;
        let mut end = head as u64;
        for block in 0..blocks {
            let numbers = block * BLOCK..((block + 1) * BLOCK).min(analysis.size());
            let mut bytes = vec![0; BITS];
            for number in numbers {
                let cell = analysis.cell(number);
                match cell.exact().verdict {
                    Verdict::Win => counts.won += 1,
                    Verdict::Loss => counts.lost += 1,
                    _ => counts.drawn += 1,
                }
                let cell = if cell.exact().verdict == Verdict::Draw { Cell::DRAW } else { cell };
                if !cell.is_capture() && cell != WON_IN_ONE {
                    let place = number % BLOCK;
                    bytes[place / 8] |= 1 << (place % 8);
                    bytes.push(cell.0);
                }
            }
            bytes.extend(checksum(&bytes).to_le_bytes());
            file.write_all(&bytes)?;
            end += bytes.len() as u64;
            ends.push(end);
            if block.is_multiple_of(256) {
                progress(block as u64, blocks as u64);
            }
        }
        let mut head = MAGIC.to_vec();
        for number in [VERSION, analysis.size() as u64, counts.won, counts.lost, counts.drawn].into_iter().chain(ends) {
            head.extend(number.to_le_bytes());
        }
        head.extend(checksum(&head).to_le_bytes());
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&head)
    })?;
    Ok(counts)
}

/// Makes sure that a table can be written here, before hours go into one that cannot.
pub fn prepare(path: &Path) -> io::Result<()> {
    whole(&checkpoint_path(path).with_extension("trial"), |_| Ok(()))?;
    fs::remove_file(checkpoint_path(path).with_extension("trial"))
}

/// Where the checkpoint of a table in the making is.
pub fn checkpoint_path(table: &Path) -> PathBuf {
    let mut name = table.as_os_str().to_owned();
    name.push(".checkpoint");
    name.into()
}

/// How much of a checkpoint is read, written and summed up at a time.
const PIECE: usize = 1 << 20;

/// Writes down an analysis between two passes.
pub fn save<S: Space>(path: &Path, analysis: &Retrograde<S>) -> io::Result<()> {
    whole(path, |file| {
        file.write_all(CHECKPOINT_MAGIC)?;
        let mut sum = u64::from(analysis.ply());
        file.write_all(&sum.to_le_bytes())?;
        let mut piece = vec![0; PIECE];
        let mut from = 0;
        while from < analysis.size() {
            let length = analysis.cells(from, &mut piece);
            file.write_all(&piece[..length])?;
            sum = sum.rotate_left(1) ^ checksum(&piece[..length]);
            from += length;
        }
        file.write_all(&sum.to_le_bytes())
    })
}

/// Takes up an analysis that was written down; `None` if there is none.
pub fn load<S: Space>(path: &Path, space: S) -> Result<Option<Retrograde<S>>, String> {
    let complaint = |what: &str| format!("{}: {what}", path.display());
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(complaint(&error.to_string())),
    };
    let damaged = || complaint("this checkpoint is damaged or from somewhere else: remove it to begin anew");
    let mut head = [0; 32];
    file.read_exact(&mut head).map_err(|_| damaged())?;
    let ply = word(&head[24..]);
    if head[..24] != *CHECKPOINT_MAGIC || ply > 255 {
        return Err(damaged());
    }
    let mut cells = vec![0; space.size()];
    let mut sum = ply;
    for piece in cells.chunks_mut(PIECE) {
        file.read_exact(piece).map_err(|_| damaged())?;
        sum = sum.rotate_left(1) ^ checksum(piece);
    }
    let mut expected = [0; 8];
    file.read_exact(&mut expected).map_err(|_| damaged())?;
    if sum != u64::from_le_bytes(expected) {
        return Err(damaged());
    }
    Retrograde::resume(space, cells, ply as u8).ok_or_else(damaged).map(Some)
}

/// Writes a file under another name, makes sure that it is on the disk, and gives it its own.
fn whole(path: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    let written = (|| {
        let mut file = BufWriter::with_capacity(PIECE, File::create(&part)?);
        fill(&mut file)?;
        file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(&part, path)
    })();
    if written.is_err() {
        // Nothing useful can be done if that fails too.
        let _ = fs::remove_file(&part);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_lore::solve::Exact;
    use tengen_lore::solve::yokai::{Placement, WithoutDrops};

    /// The game without drops: made with a break, written, read, damaged.
    #[test]
    fn files_of_the_small_game() {
        let directory = tempfile::tempdir().expect("a place for files");
        let (table, checkpoint) = (directory.path().join("new/table"), directory.path().join("checkpoint"));
        let mut analysis = Retrograde::begin(WithoutDrops::new(), 2, &|_, _| {});
        for _ in 0..4 {
            analysis.pass(2, &|_, _| {});
        }
        save(&checkpoint, &analysis).expect("there is room");
        let space = analysis.space().clone();
        let mut again = load(&checkpoint, space.clone()).expect("it is whole").expect("it is there");
        while analysis.pass(2, &|_, _| {}) {}
        while again.pass(2, &|_, _| {}) {}
        assert!((0..analysis.size()).all(|number| analysis.cell(number).exact() == again.cell(number).exact()));

        let counts = write(&table, &again, |done, total| assert!(done < total)).expect("there is room");
        assert_eq!(counts.won + counts.lost + counts.drawn, space.size() as u64);
        let mut file = TableFile::open_of(&table, space.size()).expect("it is whole");
        assert_eq!(file.counts(), counts);
        for number in (0..space.size()).step_by(61) {
            assert_eq!(file.cell(number).map(Cell::exact), Ok(analysis.cell(number).exact()), "{number}");
        }
        let start = space.number(&Placement::start()).expect("the first of all");
        assert_eq!(file.cell(start).map(|cell| cell.exact().verdict), Ok(Verdict::Draw));
        let longest = file.check(|_, _| {}).expect("it is whole");
        let plies = |number: usize| match analysis.cell(number).exact() {
            Exact { verdict: Verdict::Win, plies: Some(plies), .. } => plies,
            _ => 0,
        };
        assert_eq!((0..space.size()).map(plies).max(), Some(longest.plies));
        assert_eq!(plies(longest.number), longest.plies);

        // Whatever byte is changed and wherever the file is cut, it is noticed.
        let bytes = fs::read(&table).expect("it is there");
        let complaint = |bytes: &[u8], of: &[u8]| {
            let path = directory.path().join("damaged");
            fs::write(&path, bytes).expect("there is room");
            let opened = TableFile::open_of(&path, space.size());
            let said = opened.and_then(|mut file| file.check(|_, _| {})).expect_err("damage is seen");
            assert!(of.is_empty() || said.contains(std::str::from_utf8(of).expect("a word")), "{said}");
        };
        for at in [0, 30, 41, 100, 2_000, 50_000, bytes.len() / 2, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            complaint(&damaged, b"");
        }
        for length in [0, 10, 64, 5_000, bytes.len() - 1] {
            complaint(&bytes[..length], b"");
        }
        // Nor does a file with right checksums and wrong contents do any harm: a block that says it has more bytes than it has.
        let mut forged = bytes.clone();
        let head = HEADER + 8 * (space.size().div_ceil(BLOCK) + 1);
        forged[head..head + BITS].fill(0xff);
        let end = word(&forged[HEADER..]) as usize;
        let sum = checksum(&forged[head..end - 8]);
        forged[end - 8..end].copy_from_slice(&sum.to_le_bytes());
        complaint(&forged, b"damaged");
        // Or one whose blocks end where they should not.
        let mut forged = bytes.clone();
        forged[HEADER..HEADER + 8].fill(0xff);
        let sum = checksum(&forged[..head - 8]);
        forged[head - 8..head].copy_from_slice(&sum.to_le_bytes());
        complaint(&forged, b"damaged");
        // Or one whose head counts otherwise.
        let mut forged = bytes.clone();
        forged[40] ^= 1;
        let sum = checksum(&forged[..head - 8]);
        forged[head - 8..head].copy_from_slice(&sum.to_le_bytes());
        complaint(&forged, b"head");
        complaint(
            b"PNG, or whatever else people have on their disks, quite a lot of it, and of any length",
            b"not a table",
        );
        assert!(TableFile::open(&table).is_err_and(|said| said.contains("another version")));
        assert!(
            TableFile::open(&directory.path().join("none")).is_err_and(|said| said.contains("tengen solve yokai34"))
        );

        let bytes = fs::read(&checkpoint).expect("it is there");
        assert!(matches!(load(&directory.path().join("none"), space.clone()), Ok(None)));
        for at in [3, 24, 5_000, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            fs::write(&checkpoint, &damaged).expect("there is room");
            assert!(load(&checkpoint, space.clone()).is_err(), "byte {at}");
        }
        fs::write(&checkpoint, &bytes[..bytes.len() / 2]).expect("there is room");
        assert!(load(&checkpoint, space).is_err());
    }
}
