//! One sample as bytes.
//!
//! Nothing is rounded: what is read is what was written, bit for bit. Numbers that stand together (a plane, the shares of a policy) are
//! written in the shortest way that keeps them all, and the byte in front says which; the rest is left to the compressor.
//!
//! ```text
//!   what is known, one bit each | game, 8 bytes | each plane | globals | policy: how many, 2 bytes; places; shares
//!   | won, drawn, lost | score | owners | reply, 2 bytes | weight
//! ```

use super::{Sample, SetHeader};
use half::f16;

/// At most so many bytes of a sample are no numbers, the byte in front of each plane aside.
pub(super) const BESIDE: usize = 64;

/// What of a sample is known, or not as usual.
mod known {
    pub const POLICY: u8 = 1;
    pub const VALUE: u8 = 2;
    pub const SCORE: u8 = 4;
    pub const OWNERS: u8 = 8;
    pub const REPLY: u8 = 16;
    /// The weight is not 1.
    pub const WEIGHT: u8 = 32;
    pub const ALL: u8 = 63;
}

/// How numbers that stand together are written.
mod way {
    /// They are all zero.
    pub const ZERO: u8 = 0;
    /// They are all the same: one number.
    pub const SAME: u8 = 1;
    /// Each is 0 or 1: one bit each, the lowest first.
    pub const BITS: u8 = 2;
    /// Each is so many hundredths: a byte with a sign.
    pub const HUNDREDTHS: u8 = 3;
    /// Each is a number of half precision.
    pub const HALVES: u8 = 4;
    /// Each in full.
    pub const FULL: u8 = 5;
}

/// The hundredths that a number is, bit for bit.
fn hundredths(number: f32) -> Option<i8> {
    let whole = (number * 100.0).round();
    let byte = whole as i8;
    (f32::from(byte) / 100.0).to_bits().eq(&number.to_bits()).then_some(byte)
}

fn half(number: f32) -> Option<f16> {
    let half = f16::from_f32(number);
    (half.to_f32().to_bits() == number.to_bits()).then_some(half)
}

/// Writes numbers that stand together; their count is not written.
fn put(numbers: &[f32], out: &mut Vec<u8>) -> Result<(), String> {
    if let Some(odd) = numbers.iter().find(|number| !number.is_finite()) {
        return Err(format!("{odd} is no number to learn from"));
    }
    // Compared as bits, so that −0 stays what it is.
    let is = |wanted: f32| move |number: &f32| number.to_bits() == wanted.to_bits();
    let first = numbers.first().copied().unwrap_or(0.0);
    if numbers.iter().all(is(0.0)) {
        out.push(way::ZERO);
    } else if numbers.iter().all(is(first)) {
        out.push(way::SAME);
        out.extend(first.to_le_bytes());
    } else if numbers.iter().all(|number| is(0.0)(number) || is(1.0)(number)) {
        out.push(way::BITS);
        let byte =
            |chunk: &[f32]| (0..).zip(chunk).fold(0, |byte, (bit, &number)| byte | u8::from(number == 1.0) << bit);
        out.extend(numbers.chunks(8).map(byte));
    } else if numbers.iter().all(|&number| hundredths(number).is_some()) {
        out.push(way::HUNDREDTHS);
        out.extend(numbers.iter().filter_map(|&number| hundredths(number)).map(|byte| byte as u8));
    } else if numbers.iter().all(|&number| half(number).is_some()) {
        out.push(way::HALVES);
        out.extend(numbers.iter().filter_map(|&number| half(number)).flat_map(f16::to_le_bytes));
    } else {
        out.push(way::FULL);
        out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    Ok(())
}

/// Appends a sample; on an error there may be a part of one.
pub(super) fn pack(header: &SetHeader, sample: &Sample, out: &mut Vec<u8>) -> Result<(), String> {
    let lengths = [
        ("plane numbers", sample.planes.len(), header.plane_numbers()),
        ("globals", sample.globals.len(), header.globals),
        ("owners", sample.owners.len(), if sample.owners.is_empty() { 0 } else { header.points() }),
    ];
    for (name, length, wanted) in lengths {
        if length != wanted {
            return Err(format!("{length} {name} instead of {wanted}"));
        }
    }
    if sample.policy.len() > header.policy {
        return Err(format!("{} moves in a policy of {} places", sample.policy.len(), header.policy));
    }
    let places = sample.policy.iter().map(|&(place, _)| place).chain(sample.reply);
    if let Some(place) = places.into_iter().find(|&place| usize::from(place) >= header.policy) {
        return Err(format!("place {place} in a policy of {}", header.policy));
    }
    let flag = |is_known: bool, flag: u8| if is_known { flag } else { 0 };
    out.push(
        flag(!sample.policy.is_empty(), known::POLICY)
            | flag(sample.value.is_some(), known::VALUE)
            | flag(sample.score.is_some(), known::SCORE)
            | flag(!sample.owners.is_empty(), known::OWNERS)
            | flag(sample.reply.is_some(), known::REPLY)
            | flag(sample.weight != 1.0, known::WEIGHT),
    );
    out.extend(sample.game.to_le_bytes());
    // A board of no points has no planes worth a byte.
    for plane in sample.planes.chunks_exact(header.points().max(1)) {
        put(plane, out)?;
    }
    put(&sample.globals, out)?;
    if !sample.policy.is_empty() {
        // There are at most 65 536 places, all of which may be named: so one is taken off.
        out.extend(((sample.policy.len() - 1) as u16).to_le_bytes());
        out.extend(sample.policy.iter().flat_map(|(place, _)| place.to_le_bytes()));
        let shares: Vec<f32> = sample.policy.iter().map(|&(_, share)| share).collect();
        put(&shares, out)?;
    }
    if let Some(value) = &sample.value {
        put(value, out)?;
    }
    if let Some(score) = sample.score {
        put(&[score], out)?;
    }
    if !sample.owners.is_empty() {
        put(&sample.owners, out)?;
    }
    if let Some(reply) = sample.reply {
        out.extend(reply.to_le_bytes());
    }
    if sample.weight != 1.0 {
        put(&[sample.weight], out)?;
    }
    Ok(())
}

/// Bytes that are taken piece by piece.
pub(super) struct Pieces<'a>(&'a [u8]);

impl<'a> Pieces<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Pieces(bytes)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], String> {
        let (piece, rest) = self.0.split_at_checked(length).ok_or("a sample is cut short")?;
        self.0 = rest;
        Ok(piece)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (piece, rest) = self.0.split_first_chunk().ok_or("a sample is cut short")?;
        self.0 = rest;
        Ok(*piece)
    }

    fn place(&mut self, header: &SetHeader) -> Result<u16, String> {
        let place = u16::from_le_bytes(self.array()?);
        match usize::from(place) < header.policy {
            true => Ok(place),
            false => Err(format!("place {place} in a policy of {}", header.policy)),
        }
    }

    /// Reads numbers that stand together.
    fn numbers(&mut self, numbers: &mut [f32]) -> Result<(), String> {
        let finite = |number: f32| match number.is_finite() {
            true => Ok(number),
            false => Err(format!("{number} is no number to learn from")),
        };
        match self.array::<1>()?[0] {
            way::ZERO => numbers.fill(0.0),
            way::SAME => numbers.fill(finite(f32::from_le_bytes(self.array()?))?),
            way::BITS => {
                let bytes = self.take(numbers.len().div_ceil(8))?;
                for (chunk, &byte) in numbers.chunks_mut(8).zip(bytes) {
                    for (bit, number) in chunk.iter_mut().enumerate() {
                        *number = f32::from(byte >> bit & 1);
                    }
                }
            }
            way::HUNDREDTHS => {
                let bytes = self.take(numbers.len())?;
                numbers.iter_mut().zip(bytes).for_each(|(number, &byte)| *number = f32::from(byte as i8) / 100.0);
            }
            way::HALVES => {
                let (bytes, _) = self.take(2 * numbers.len())?.as_chunks();
                for (number, &bytes) in numbers.iter_mut().zip(bytes) {
                    *number = finite(f16::from_le_bytes(bytes).to_f32())?;
                }
            }
            way::FULL => {
                let (bytes, _) = self.take(4 * numbers.len())?.as_chunks();
                for (number, &bytes) in numbers.iter_mut().zip(bytes) {
                    *number = finite(f32::from_le_bytes(bytes))?;
                }
            }
            other => return Err(format!("numbers are written in way {other}, which is not known")),
        }
        Ok(())
    }

    fn number(&mut self) -> Result<f32, String> {
        let mut number = [0.0];
        self.numbers(&mut number)?;
        Ok(number[0])
    }
}

/// Takes the next sample.
pub(super) fn unpack(header: &SetHeader, pieces: &mut Pieces<'_>) -> Result<Sample, String> {
    let [flags] = pieces.array()?;
    if flags & !known::ALL != 0 {
        return Err("something is known of a sample that has no name".to_owned());
    }
    let is_known = |flag: u8| flags & flag != 0;
    let mut sample = Sample {
        game: u64::from_le_bytes(pieces.array()?),
        planes: vec![0.0; header.plane_numbers()],
        globals: vec![0.0; header.globals],
        weight: 1.0,
        ..Sample::default()
    };
    for plane in sample.planes.chunks_exact_mut(header.points().max(1)) {
        pieces.numbers(plane)?;
    }
    pieces.numbers(&mut sample.globals)?;
    if is_known(known::POLICY) {
        let length = usize::from(u16::from_le_bytes(pieces.array()?)) + 1;
        if length > header.policy {
            return Err(format!("{length} moves in a policy of {} places", header.policy));
        }
        let places = (0..length).map(|_| pieces.place(header)).collect::<Result<Vec<_>, _>>()?;
        let mut shares = vec![0.0; length];
        pieces.numbers(&mut shares)?;
        sample.policy = places.into_iter().zip(shares).collect();
    }
    if is_known(known::VALUE) {
        let mut value = [0.0; 3];
        pieces.numbers(&mut value)?;
        sample.value = Some(value);
    }
    if is_known(known::SCORE) {
        sample.score = Some(pieces.number()?);
    }
    if is_known(known::OWNERS) {
        sample.owners = vec![0.0; header.points()];
        pieces.numbers(&mut sample.owners)?;
    }
    if is_known(known::REPLY) {
        sample.reply = Some(pieces.place(header)?);
    }
    if is_known(known::WEIGHT) {
        sample.weight = pieces.number()?;
    }
    Ok(sample)
}
