//! Figures as TensorBoard reads them.
//!
//! A file is a row of records: length, its checksum, bytes, their checksum. The bytes are a protocol buffer: when, at which step, and a
//! list of names with their figures.

use std::io::{self, Write};

/// The checksum of records: CRC-32C, turned and moved so that a checksum of checksums says something.
fn masked(bytes: &[u8]) -> u32 {
    let mut crc = !0u32;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            // The polynomial of Castagnoli, its bits turned round.
            crc = if crc & 1 == 1 { crc >> 1 ^ 0x82f6_3b78 } else { crc >> 1 };
        }
    }
    (!crc).rotate_right(15).wrapping_add(0xa282_ead8)
}

fn varint(mut number: u64, to: &mut Vec<u8>) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

fn bytes(field: u8, bytes: &[u8], to: &mut Vec<u8>) {
    to.push(field << 3 | 2);
    varint(bytes.len() as u64, to);
    to.extend(bytes);
}

/// What begins every event: when it was, in seconds since 1970.
fn event(time: f64) -> Vec<u8> {
    let mut event = vec![1 << 3 | 1];
    event.extend(time.to_le_bytes());
    event
}

fn record(event: &[u8], mut to: impl Write) -> io::Result<()> {
    let length = (event.len() as u64).to_le_bytes();
    let mut record = length.to_vec();
    record.extend(masked(&length).to_le_bytes());
    record.extend(event);
    record.extend(masked(event).to_le_bytes());
    to.write_all(&record)
}

/// What a file begins with.
pub fn begin(time: f64, to: impl Write) -> io::Result<()> {
    let mut first = event(time);
    bytes(3, b"brain.Event:2", &mut first);
    record(&first, to)
}

/// The figures of a step.
pub fn write<'a>(
    time: f64,
    step: u64,
    figures: impl IntoIterator<Item = (&'a str, f32)>,
    to: impl Write,
) -> io::Result<()> {
    let mut one = event(time);
    one.push(2 << 3);
    varint(step, &mut one);
    let mut summary = Vec::new();
    for (name, figure) in figures {
        let mut value = Vec::new();
        bytes(1, name.as_bytes(), &mut value);
        value.push(2 << 3 | 5);
        value.extend(figure.to_le_bytes());
        bytes(1, &value, &mut summary);
    }
    bytes(5, &summary, &mut one);
    record(&one, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes that the package `tensorboard` 2.21 writes for the same events, as its reader reads them.
    #[test]
    fn records_are_those_of_tensorboard() {
        let mut file = Vec::new();
        begin(1.5, &mut file).unwrap();
        write(2.5, 300, [("loss", 0.25)], &mut file).unwrap();
        let hex: String = file.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, TENSORBOARD);
    }

    const TENSORBOARD: &str = concat!(
        "1800000000000000a37f4b2209000000000000f83f1a0d627261696e2e4576656e743a322a28646c",
        "1b000000000000001a0d9e1309000000000000044010ac022a0d0a0b0a046c6f7373150000803e205d3896",
    );
}
