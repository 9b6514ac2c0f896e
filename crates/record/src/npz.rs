//! NumPy's `.npz`: a zip of arrays, each in a file of its own with its type and shape in front.
//!
//! CITE: NumPy Enhancement Proposal 1, "A simple file format for NumPy arrays".

use crate::FileError;
use crate::limits::open_file;
use half::f16;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;
use tengen_core::refuse;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// No array that is read has more bytes: they are read as a whole.
const MOST_BYTES: u64 = 1 << 30;
/// Arrays in a file.
const MOST_ARRAYS: usize = 1000;
const MAGIC: &[u8] = b"\x93NUMPY";

/// What the numbers of an array are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Kind {
    F16,
    F32,
    F64,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
}

impl Kind {
    const ALL: [(Kind, &'static str, usize); 11] = [
        (Kind::F16, "f2", 2),
        (Kind::F32, "f4", 4),
        (Kind::F64, "f8", 8),
        (Kind::I8, "i1", 1),
        (Kind::U8, "u1", 1),
        (Kind::I16, "i2", 2),
        (Kind::U16, "u2", 2),
        (Kind::I32, "i4", 4),
        (Kind::U32, "u4", 4),
        (Kind::I64, "i8", 8),
        (Kind::U64, "u8", 8),
    ];

    /// NumPy's name without the order of bytes, and how many bytes a number has.
    fn entry(self) -> (&'static str, usize) {
        // Every kind stands in the list.
        Self::ALL.iter().find(|entry| entry.0 == self).map_or(("f8", 8), |entry| (entry.1, entry.2))
    }
}

/// An array of numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    kind: Kind,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl Array {
    /// How long it is in each direction.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.kind.entry().1
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// A number, counted through all rows.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn number(&self, at: usize) -> f64 {
        let size = self.kind.entry().1;
        let bytes = &self.bytes[at * size..(at + 1) * size];
        macro_rules! of {
            ($type:ty) => {
                // The slice was cut to the size of the type.
                bytes.try_into().map_or(<$type>::default(), <$type>::from_le_bytes)
            };
        }
        match self.kind {
            Kind::F16 => of!(f16).to_f64(),
            Kind::F32 => of!(f32).into(),
            Kind::F64 => of!(f64),
            Kind::I8 => of!(i8).into(),
            Kind::U8 => of!(u8).into(),
            Kind::I16 => of!(i16).into(),
            Kind::U16 => of!(u16).into(),
            Kind::I32 => of!(i32).into(),
            Kind::U32 => of!(u32).into(),
            // As far as a number of double precision reaches.
            Kind::I64 => of!(i64) as f64,
            Kind::U64 => of!(u64) as f64,
        }
    }

    /// A file of one array.
    fn read(file: impl Read) -> Result<Array, String> {
        let mut file = file.take(MOST_BYTES + (1 << 17));
        let failed = |error: std::io::Error| error.to_string();
        let mut start = [0; 8];
        file.read_exact(&mut start).map_err(failed)?;
        if !start.starts_with(MAGIC) {
            return Err("it is no NumPy array".to_owned());
        }
        let length = if start[6] == 1 {
            let mut length = [0; 2];
            file.read_exact(&mut length).map_err(failed)?;
            u64::from(u16::from_le_bytes(length))
        } else {
            let mut length = [0; 4];
            file.read_exact(&mut length).map_err(failed)?;
            u64::from(u32::from_le_bytes(length)).min(1 << 16)
        };
        let mut head = Vec::new();
        file.by_ref().take(length).read_to_end(&mut head).map_err(failed)?;
        let (kind, shape) = head_of(&String::from_utf8_lossy(&head))?;
        let mut wanted = kind.entry().1 as u64;
        for &side in &shape {
            wanted = wanted.saturating_mul(side as u64);
        }
        if wanted > MOST_BYTES {
            return Err(format!("it has more than {} MB", MOST_BYTES >> 20));
        }
        let mut bytes = Vec::new();
        file.take(wanted + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 != wanted {
            return Err(format!("its shape is {shape:?}, and it has not as many numbers"));
        }
        Ok(Array { kind, shape, bytes })
    }
}

/// What the text in front of an array says: `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }`.
fn head_of(text: &str) -> Result<(Kind, Vec<usize>), String> {
    let odd = || format!("{} is no head of an array", refuse(text.trim()));
    let after = |key: &str| text.split_once(key).map(|(_, rest)| rest.trim_start_matches([':', ' '])).ok_or_else(odd);
    let name = after("'descr'")?.trim_start_matches('\'').split('\'').next().ok_or_else(odd)?;
    if after("'fortran_order'")?.starts_with("True") {
        return Err("it is stored column by column: save it with numpy.ascontiguousarray".to_owned());
    }
    let known = Kind::ALL.iter().find(|entry| name.trim_start_matches(['<', '|']) == entry.1);
    let kind = known.ok_or_else(|| format!("its numbers are {}: only plain ones are read", refuse(name)))?.0;
    let inside = after("'shape'")?.trim_start_matches('(').split_once(')').ok_or_else(odd)?.0;
    let sides = inside.split(',').map(str::trim).filter(|side| !side.is_empty());
    let shape = sides.map(|side| side.parse().map_err(|_| odd())).collect::<Result<Vec<_>, _>>()?;
    Ok((kind, shape))
}

/// All arrays of a file by their names.
pub fn read(path: &Path) -> Result<BTreeMap<String, Array>, FileError> {
    let failed = |error: zip::result::ZipError| FileError::new(format!("not a whole .npz: {error}"));
    let mut zip = ZipArchive::new(BufReader::new(open_file(path)?)).map_err(failed)?;
    if zip.len() > MOST_ARRAYS {
        return Err(FileError::new(format!("there are more than {MOST_ARRAYS} arrays in it")));
    }
    let mut arrays = BTreeMap::new();
    for index in 0..zip.len() {
        let file = zip.by_index(index).map_err(failed)?;
        let Some(name) = file.name().map_err(failed)?.strip_suffix(".npy").map(str::to_owned) else { continue };
        let array = Array::read(file).map_err(|what| FileError::new(format!("array {}: {what}", refuse(&name))))?;
        arrays.insert(name, array);
    }
    Ok(arrays)
}

/// Writes a file array by array.
pub struct Writer {
    zip: ZipWriter<BufWriter<File>>,
    /// Bytes of the array being written that are still to come.
    missing: u64,
}

impl Writer {
    /// Begins a file.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        Ok(Writer { zip: ZipWriter::new(BufWriter::new(File::create(path)?)), missing: 0 })
    }

    /// Begins an array of this shape: its numbers follow.
    pub fn array(&mut self, name: &str, kind: Kind, shape: &[usize]) -> Result<(), FileError> {
        self.whole()?;
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated).large_file(true);
        let failed = |error: zip::result::ZipError| FileError::new(error.to_string());
        self.zip.start_file(format!("{name}.npy"), options).map_err(failed)?;
        let sides: String = shape.iter().map(|side| format!("{side}, ")).collect();
        let (name, size) = kind.entry();
        let order = if size == 1 { '|' } else { '<' };
        let mut head = format!("{{'descr': '{order}{name}', 'fortran_order': False, 'shape': ({sides}), }}");
        if shape.is_empty() {
            head = head.replace("(, )", "()");
        }
        // Numbers begin at a multiple of 64 bytes, behind a line break.
        let length = (10 + head.len() + 1).next_multiple_of(64);
        head.extend(std::iter::repeat_n(' ', length - 10 - head.len() - 1));
        head.push('\n');
        self.zip.write_all(MAGIC)?;
        self.zip.write_all(&[1, 0])?;
        self.zip.write_all(&((length - 10) as u16).to_le_bytes())?;
        self.zip.write_all(head.as_bytes())?;
        self.missing = (size * shape.iter().product::<usize>()) as u64;
        Ok(())
    }

    /// Writes numbers of the array, the lowest byte of each first.
    pub fn numbers(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        let missing = self.missing.checked_sub(bytes.len() as u64);
        self.missing = missing.ok_or_else(|| FileError::new("more numbers than the array's shape says"))?;
        Ok(self.zip.write_all(bytes)?)
    }

    fn whole(&self) -> Result<(), FileError> {
        match self.missing {
            0 => Ok(()),
            missing => Err(FileError::new(format!("{missing} bytes of an array are missing"))),
        }
    }

    /// Ends the file and makes sure that it is on the disk.
    pub fn finish(self) -> Result<(), FileError> {
        self.whole()?;
        let file = self.zip.finish().map_err(|error| FileError::new(error.to_string()))?;
        file.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of one array as NumPy writes it.
    fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        let mut head = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
        head.push_str(&" ".repeat(117 - head.len()));
        head.push('\n');
        [b"\x93NUMPY\x01\x00\x76\x00", head.as_bytes(), data].concat()
    }

    #[test]
    fn arrays_are_read() {
        let check = |descr: &str, data: &[u8], expected: &[f64]| {
            let shape = format!("({},)", expected.len());
            let array = Array::read(&npy(descr, &shape, data)[..]).expect(descr);
            assert_eq!((0..array.len()).map(|at| array.number(at)).collect::<Vec<_>>(), expected, "{descr}");
        };
        check("<f2", &[0, 0x3e, 0, 0xc0], &[1.5, -2.0]);
        check("<f4", &1.25f32.to_le_bytes(), &[1.25]);
        check("<f8", &(-0.1f64).to_le_bytes(), &[-0.1]);
        check("|i1", &[156, 100], &[-100.0, 100.0]);
        check("|u1", &[255], &[255.0]);
        check("<i4", &(-7i32).to_le_bytes(), &[-7.0]);
        check("<u2", &500u16.to_le_bytes(), &[500.0]);
        check("<i8", &(1i64 << 40).to_le_bytes(), &[(1u64 << 40) as f64]);
        let table = Array::read(&npy("|u1", "(2, 3)", &[1, 2, 3, 4, 5, 6])[..]).expect("a table");
        assert_eq!((table.shape(), table.number(4)), (&[2, 3][..], 5.0));
        assert_eq!(Array::read(&npy("<f4", "()", &[0; 4])[..]).expect("one number").shape(), &[] as &[usize]);
    }

    #[test]
    fn what_is_no_array_is_refused() {
        let check = |bytes: &[u8], wanted: &str| {
            let complaint = Array::read(bytes).expect_err(wanted);
            assert!(complaint.contains(wanted), "{complaint}");
        };
        check(b"PNG, or so, and more", "no NumPy array");
        check(&npy("<f4", "(2,)", &[0; 7]), "not as many numbers");
        check(&npy("<f4", "(2,)", &[0; 9]), "not as many numbers");
        check(&npy("<f4", "(99999999999, 99999999999)", &[0; 9]), "more than 1024 MB");
        check(&npy("<f4", "(-1,)", &[]), "no head of an array");
        check(&npy("|O", "(1,)", &[]), "only plain ones");
        check(&npy(">f4", "(1,)", &[]), "only plain ones");
        check(b"\x93NUMPY\x01\x00\x02\x00{}", "no head of an array");
        check(b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}", "no head of an array");
        check(b"\x93NUMPY\x01", "");
    }

    #[test]
    fn what_is_written_is_read() {
        let dir = tempfile::tempdir().expect("a place for files");
        let path = dir.path().join("x.npz");
        let mut writer = Writer::create(&path).expect("room");
        writer.array("planes", Kind::F32, &[2, 1, 3]).expect("room");
        for number in 0..6 {
            writer.numbers(&(number as f32 / 4.0).to_le_bytes()).expect("room");
        }
        writer.array("reply", Kind::I32, &[2]).expect("room");
        writer.numbers(&[255; 8]).expect("room");
        assert!(writer.numbers(&[0]).is_err());
        writer.finish().expect("room");
        let arrays = read(&path).expect("it is whole");
        assert_eq!(arrays.keys().collect::<Vec<_>>(), ["planes", "reply"]);
        let (planes, reply) = (&arrays["planes"], &arrays["reply"]);
        assert_eq!((planes.shape(), planes.number(5)), (&[2, 1, 3][..], 1.25));
        assert_eq!((reply.shape(), reply.number(1)), (&[2][..], -1.0));

        let whole = std::fs::read(&path).expect("it is there");
        for length in [0, 10, whole.len() / 2, whole.len() - 1] {
            std::fs::write(&path, &whole[..length]).expect("room");
            assert!(read(&path).is_err(), "{length} bytes of {}", whole.len());
        }
        let mut writer = Writer::create(&path).expect("room");
        writer.array("short", Kind::F32, &[2]).expect("room");
        assert!(writer.finish().is_err());
    }
}
