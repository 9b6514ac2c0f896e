//! Planes in few bytes, for samples on disk: most are zeros and ones.
//!
//! Every plane is a byte that says how it is written, and then
//!
//! ```text
//! 0   nothing: all numbers are zero
//! 1   the one number that all are, four bytes
//! 2   a bit a point, eight points a byte from its lowest bit: zero or one
//! 3   two bytes a point: half precision, where it loses nothing
//! 4   four bytes a point
//! ```
//!
//! All numbers are little-endian, and come back bit for bit. The numbers for the whole board are packed as one plane.

use half::f16;
use std::fmt;

const ZEROS: u8 = 0;
const SAME: u8 = 1;
const BITS: u8 = 2;
const HALVES: u8 = 3;
const FLOATS: u8 = 4;

/// Appends planes of so many points each, the shortest way that loses nothing.
pub fn pack(planes: &[f32], points: usize, bytes: &mut Vec<u8>) {
    debug_assert!(planes.is_empty() || points > 0 && planes.len().is_multiple_of(points));
    for plane in planes.chunks(points.max(1)) {
        let is_all = |number: f32| plane.iter().all(|&other| other.to_bits() == number.to_bits());
        let is_bit = |number: &f32| [0.0_f32, 1.0].map(f32::to_bits).contains(&number.to_bits());
        let is_half = |&number: &f32| f16::from_f32(number).to_f32().to_bits() == number.to_bits();
        if is_all(0.0) {
            bytes.push(ZEROS);
        } else if is_all(plane[0]) {
            bytes.push(SAME);
            bytes.extend(plane[0].to_le_bytes());
        } else if plane.iter().all(is_bit) {
            bytes.push(BITS);
            let byte = |bits: &[f32]| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit == 1.0));
            bytes.extend(plane.chunks(8).map(byte));
        } else if plane.iter().all(is_half) {
            bytes.push(HALVES);
            bytes.extend(plane.iter().flat_map(|&number| f16::from_f32(number).to_le_bytes()));
        } else {
            bytes.push(FLOATS);
            bytes.extend(plane.iter().flat_map(|number| number.to_le_bytes()));
        }
    }
}

/// Fills planes of so many points each from the beginning of what has been packed, and returns the rest.
pub fn unpack<'b>(bytes: &'b [u8], points: usize, planes: &mut [f32]) -> Result<&'b [u8], Damaged> {
    debug_assert!(planes.is_empty() || points > 0 && planes.len().is_multiple_of(points));
    let mut rest = bytes;
    for plane in planes.chunks_mut(points.max(1)) {
        let &way = take(&mut rest, 1)?.first().ok_or(Damaged::Short)?;
        match way {
            ZEROS => plane.fill(0.0),
            SAME => plane.fill(float(take(&mut rest, 4)?)),
            BITS => {
                let bits = take(&mut rest, plane.len().div_ceil(8))?;
                for (numbers, &byte) in plane.chunks_mut(8).zip(bits) {
                    for (bit, number) in numbers.iter_mut().enumerate() {
                        *number = f32::from(byte >> bit & 1);
                    }
                }
            }
            HALVES => {
                let halves = take(&mut rest, 2 * plane.len())?.chunks_exact(2);
                plane.iter_mut().zip(halves).for_each(|(number, half)| {
                    *number = f16::from_le_bytes([half[0], half[1]]).to_f32();
                });
            }
            FLOATS => {
                let floats = take(&mut rest, 4 * plane.len())?.chunks_exact(4);
                plane.iter_mut().zip(floats).for_each(|(number, bytes)| *number = float(bytes));
            }
            other => return Err(Damaged::Way(other)),
        }
    }
    Ok(rest)
}

/// The next bytes, so many.
fn take<'b>(rest: &mut &'b [u8], count: usize) -> Result<&'b [u8], Damaged> {
    let (taken, left) = rest.split_at_checked(count).ok_or(Damaged::Short)?;
    *rest = left;
    Ok(taken)
}

/// The number in four bytes.
fn float(bytes: &[u8]) -> f32 {
    bytes.first_chunk().map_or(f32::NAN, |&bytes| f32::from_le_bytes(bytes))
}

/// Why packed planes cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Damaged {
    /// They end before the last plane does.
    Short,
    /// There is no way to write a plane with this number.
    Way(u8),
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damaged::Short => f.write_str("the packed planes end too early"),
            Damaged::Way(way) => write!(f, "a packed plane begins with {way}: there are 0 to {FLOATS}"),
        }
    }
}

impl std::error::Error for Damaged {}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::Rng;

    fn packed(planes: &[f32], points: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        pack(planes, points, &mut bytes);
        bytes
    }

    #[test]
    fn every_plane_is_written_the_shortest_way() {
        assert_eq!(packed(&[0.0; 9], 9), [ZEROS]);
        assert_eq!(packed(&[1.0; 9], 9), [SAME, 0, 0, 128, 63]);
        assert_eq!(packed(&[0., 1., 1., 0., 0., 0., 0., 0., 1.], 9), [BITS, 0b110, 1]);
        assert_eq!(packed(&[0.5, -2.0], 2), [HALVES, 0, 0x38, 0, 0xc0]);
        assert_eq!(packed(&[0.5, 0.1], 2).len(), 1 + 8);
        assert_eq!(packed(&[0., 0., 0., 1.], 2), [ZEROS, BITS, 2]);
        // A zero with a sign is no bit, and comes back with its sign.
        assert_eq!(packed(&[-0.0, 1.0], 2), [HALVES, 0, 128, 0, 60]);
        assert_eq!(packed(&[], 0), [0_u8; 0]);
        assert_eq!(unpack(&[7], 0, &mut []), Ok(&[7][..]));
    }

    #[test]
    fn what_is_packed_comes_back_bit_for_bit() {
        let mut rng = Rng::with_seed(1);
        for _ in 0..2000 {
            let points = rng.usize(1..40);
            let mut planes = Vec::new();
            for _ in 0..rng.usize(..6) {
                let kind = rng.u8(..6);
                let same = f32::from_bits(rng.u32(..));
                planes.extend((0..points).map(|_| match kind {
                    0 => 0.0,
                    1 => same,
                    2 => f32::from(rng.u8(..2)),
                    3 => f32::from(rng.i8(..)) / 8.0,
                    4 => [0.0, -0.0, 1.0, f32::NAN, f32::INFINITY, f32::MIN_POSITIVE][rng.usize(..6)],
                    _ => f32::from_bits(rng.u32(..)),
                }));
            }
            let mut bytes = packed(&planes, points);
            bytes.push(99);
            let mut back = vec![f32::NAN; planes.len()];
            assert_eq!(unpack(&bytes, points, &mut back), Ok(&[99][..]));
            let bits = |numbers: &[f32]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&back), bits(&planes));
            // Cut short anywhere it is refused, and changed anywhere it does no harm.
            let short = &bytes[..rng.usize(..bytes.len())];
            assert!(short.len() + 1 == bytes.len() || unpack(short, points, &mut back) == Err(Damaged::Short));
            let at = rng.usize(..bytes.len());
            bytes[at] = rng.u8(..);
            let _ = unpack(&bytes, points, &mut back);
        }
        assert_eq!(unpack(&[5], 3, &mut [0.0; 3]), Err(Damaged::Way(5)));
        assert_eq!(Damaged::Way(5).to_string(), "a packed plane begins with 5: there are 0 to 4");
    }
}
