//! `tengen data export`: a set of samples as a file of NumPy arrays, for Python.

use super::split::each;
use crate::Outcome;
use serde_json::json;
use std::path::{Path, PathBuf};
use tengen_record::npz::{Kind, Writer};
use tengen_record::samples::{Sample, SampleSet};

/// Write a set of samples as NumPy arrays
#[derive(clap::Args)]
#[command(after_help = "Examples: tengen data export ttt --out ttt.npz
          python3 -c 'import numpy; data = numpy.load(\"ttt.npz\"); print(data[\"planes\"].shape)'

The arrays, a row for each sample (what is not known is NaN, and -1 for a reply):
  planes   float32 [n, planes, height, width]      globals  float32 [n, globals]
  value    float32 [n, 3]: won, drawn, lost        score    float32 [n]
  owners   float32 [n, height, width]              reply    int32 [n]
  weight   float32 [n]                             game     uint64 [n]
  policy_start int64 [n + 1], policy_place uint16 and policy_share float32: the policy of sample i is in the
           entries from policy_start[i] to policy_start[i + 1]: places and their shares; all other places have none.")]
pub struct Arguments {
    /// The directory of the set
    #[arg(value_name = "DIR")]
    set: PathBuf,
    /// The file to write
    #[arg(long, value_name = "NPZ")]
    out: PathBuf,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let set = SampleSet::open(&arguments.set).map_err(|error| error.to_string())?;
    // Arrays are written one after the other, so the set is read once for each, and memory does not grow with it.
    let (mut samples, mut entries) = (0, 0);
    each(&set, |sample| {
        samples += 1;
        entries += sample.policy.len();
        Ok(())
    })?;
    // What is there already is replaced only by a whole file.
    let part = arguments.out.with_added_extension("part");
    let written = write(&set, samples, entries, &part);
    let written = written.and_then(|()| std::fs::rename(&part, &arguments.out).map_err(|error| error.to_string()));
    if let Err(error) = written {
        // Nothing useful can be done if that fails too.
        let _ = std::fs::remove_file(&part);
        return Err(format!("{}: {error}", arguments.out.display()));
    }
    if arguments.json {
        say!("{}", json!({"samples": samples, "out": arguments.out}));
    } else {
        say!("{samples} samples in {}", arguments.out.display());
    }
    Ok(())
}

/// A row of an array: the numbers of a sample as bytes.
type Row<'a> = &'a dyn Fn(&Sample, &mut Vec<u8>);

fn write(set: &SampleSet, samples: usize, entries: usize, path: &Path) -> Outcome {
    let header = set.header();
    let (height, width) = (header.height, header.width);
    fn all(numbers: &[f32], out: &mut Vec<u8>) {
        out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    let unknown = vec![f32::NAN; header.points()];
    let arrays: [(&str, Kind, &[usize], Row); 10] = [
        ("planes", Kind::F32, &[samples, header.planes, height, width], &|sample, out| all(&sample.planes, out)),
        ("globals", Kind::F32, &[samples, header.globals], &|sample, out| all(&sample.globals, out)),
        ("value", Kind::F32, &[samples, 3], &|sample, out| all(&sample.value.unwrap_or([f32::NAN; 3]), out)),
        ("score", Kind::F32, &[samples], &|sample, out| all(&[sample.score.unwrap_or(f32::NAN)], out)),
        ("owners", Kind::F32, &[samples, height, width], &|sample, out| {
            all(if sample.owners.is_empty() { &unknown } else { &sample.owners }, out);
        }),
        ("reply", Kind::I32, &[samples], &|sample, out| {
            out.extend(sample.reply.map_or(-1, i32::from).to_le_bytes());
        }),
        ("weight", Kind::F32, &[samples], &|sample, out| all(&[sample.weight], out)),
        ("game", Kind::U64, &[samples], &|sample, out| out.extend(sample.game.to_le_bytes())),
        ("policy_place", Kind::U16, &[entries], &|sample, out| {
            out.extend(sample.policy.iter().flat_map(|(place, _)| place.to_le_bytes()));
        }),
        ("policy_share", Kind::F32, &[entries], &|sample, out| {
            out.extend(sample.policy.iter().flat_map(|(_, share)| share.to_le_bytes()));
        }),
    ];
    let failed = |error: tengen_record::FileError| error.to_string();
    let mut file = Writer::create(path).map_err(failed)?;
    let mut bytes = Vec::new();
    for (name, kind, shape, row) in arrays {
        file.array(name, kind, shape).map_err(failed)?;
        each(set, |sample| {
            bytes.clear();
            row(&sample, &mut bytes);
            file.numbers(&bytes).map_err(failed)
        })?;
    }
    file.array("policy_start", Kind::I64, &[samples + 1]).map_err(failed)?;
    let mut start = 0i64;
    file.numbers(&start.to_le_bytes()).map_err(failed)?;
    each(set, |sample| {
        start += sample.policy.len() as i64;
        file.numbers(&start.to_le_bytes()).map_err(failed)
    })?;
    file.finish().map_err(failed)
}
