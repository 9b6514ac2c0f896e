//! `tengen data import`: samples from files of games, positions replayed by the game's own rules.
//!
//! A game that cannot be read or played is named and left out.

use super::Progress;
use super::scribe::{Scribe, Target, of_outcome, without_draws};
use crate::Outcome;
use serde_json::json;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use tengen_core::Side;
use tengen_record::limits::{open_file, read_file};
use tengen_record::npz::{self, Array};
use tengen_record::samples::{Sample, SampleWriter};
use tengen_record::{GameTree, Setup, pgn};
use tengen_table::{Shown, encoder};

/// Make samples of games in files: NumPy's npz, SGF, PGN, and whatever else Tengen reads
#[derive(clap::Args)]
#[command(after_help = "Examples: tengen data import games.sgf --game go9 --out go9
          tengen data import masters.pgn --game chess --out chess --encoder chess-d
          tengen data import games-0.npz games-1.npz --game go9 --out teacher

From SGF, PGN and other games the policy is the move played and the value the result; in chess the value of a position is that of [%eval]
before the move, where there is one: 1 / (1 + e^(-0.368 pawns)) of the games are won. The answer to a move is the next move played.

An npz holds games of Go, one after the other, in these arrays (all but the first two may be missing):
  game_start  [games + 1]     where each game begins among the positions; the last entry is the number of positions
  move        [positions]     the move played: row * size + column from the top left, size * size for a pass, more for none
  komi        [games]         7.5 if it is missing
  policy      [positions, size * size + 1]   shares of the moves, numbered alike
  winrate     [positions]     from 0 to 1, for the side to move
  score_lead  [positions]     points, for the side to move
  ownership   [positions, size * size]       from -100 to 100, above zero where the side to move owns the point")]
pub struct Arguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The game; games of others are left out
    #[arg(long, value_name = "GAME")]
    game: String,
    /// How positions are shown; without it, as the game's default encoder does
    #[arg(long)]
    encoder: Option<String>,
    /// The directory of the new set
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Rules of the games in npz files
    #[arg(long, default_value = "tromp-taylor")]
    rules: String,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let shown = encoder(&arguments.game, arguments.encoder.as_deref()).map_err(|error| error.to_string())?;
    // A slip in a name is to be seen before hours of work.
    let mut bytes = 0;
    for path in &arguments.files {
        let file = open_file(path).map_err(|error| format!("{}: {error}", path.display()))?;
        // They are looked at twice, so nothing may come through a pipe.
        let data = file.metadata().ok().filter(Metadata::is_file);
        bytes += data.ok_or_else(|| format!("{}: it is no plain file", path.display()))?.len();
    }
    let writer = SampleWriter::create(&arguments.out, &shown.header()).map_err(|error| error.to_string())?;
    let progress = Progress::new("kB", bytes / 1000, 0);
    let mut import = Import { shown: &*shown, writer, progress, games: 0, left_out: 0, before: 0, samples: 0 };
    for path in &arguments.files {
        import.file(path, &arguments.rules).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let Import { writer, games, left_out, .. } = import;
    let samples = writer.finish().map_err(|error| error.to_string())?;
    if arguments.json {
        say!("{}", json!({"games": games, "left_out": left_out, "samples": samples, "out": arguments.out}));
    } else {
        say!("{samples} samples from {games} games in {}", arguments.out.display());
        if left_out > 0 {
            say!("{left_out} games left out");
        }
    }
    match samples {
        0 => Err("there was nothing to learn from in the files".to_owned()),
        _ => Ok(()),
    }
}

struct Import<'a> {
    shown: &'a dyn Shown,
    writer: SampleWriter,
    progress: Progress,
    games: u64,
    left_out: u64,
    /// Bytes of the files that are done.
    before: u64,
    samples: u64,
}

impl Import<'_> {
    fn file(&mut self, path: &Path, rules: &str) -> Outcome {
        let mut file = open_file(path).map_err(|error| error.to_string())?;
        let length = file.metadata().map_err(|error| error.to_string())?.len();
        let mut start = [0; 2];
        let is_zip = file.read_exact(&mut start).is_ok() && start == *b"PK";
        // Where a file is read as a whole, it is as far as its games are.
        let part = |game: usize, games: usize| length * (game as u64 + 1) / games.max(1) as u64;
        if is_zip {
            let arrays = npz::read(path).map_err(|error| error.to_string())?;
            let teacher = Teacher::new(&arrays, self.shown, rules)?;
            for game in 0..teacher.games() {
                let samples = teacher.samples(self.shown, game, self.games + self.left_out);
                self.game(path, samples, part(game, teacher.games()))?;
            }
        } else if path.extension().is_some_and(|end| end == "pgn") {
            // Game by game, for such files may be larger than memory.
            let read = Cell::new(0);
            let file = Counted { file: open_file(path).map_err(|error| error.to_string())?, read: &read };
            for game in pgn::games(BufReader::new(file)) {
                let game = game.map_err(|error| error.to_string());
                let number = self.games + self.left_out;
                self.game(path, game.and_then(|game| played(self.shown, &game, number)), read.get())?;
            }
        } else {
            let bytes = read_file(path).map_err(|error| error.to_string())?;
            let games = tengen_record::import(&bytes).map_err(|error| error.to_string())?;
            for (at, game) in games.iter().enumerate() {
                let samples = played(self.shown, game, self.games + self.left_out);
                self.game(path, samples, part(at, games.len()))?;
            }
        }
        self.before += length;
        Ok(())
    }

    /// Takes in what became of a game, which ends at this byte of its file.
    fn game(&mut self, path: &Path, samples: Result<Vec<Sample>, String>, end: u64) -> Outcome {
        match samples {
            Ok(samples) => {
                samples.iter().try_for_each(|sample| self.writer.push(sample)).map_err(|error| error.to_string())?;
                self.games += 1;
                self.samples += samples.len() as u64;
            }
            Err(complaint) => {
                self.progress.note(&format!("{}: {complaint}", path.display()));
                self.left_out += 1;
            }
        }
        let (games, samples) = (self.games, self.samples);
        self.progress.at((self.before + end) / 1000, || format!("{games} games, {samples} samples"));
        Ok(())
    }
}

/// A file that says how much of it has been read.
struct Counted<'a> {
    file: File,
    read: &'a Cell<u64>,
}

impl Read for Counted<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let count = self.file.read(bytes)?;
        self.read.set(self.read.get() + count as u64);
        Ok(count)
    }
}

/// The samples of a game of which the moves and the result are known, and perhaps what was written beside the moves.
fn played(shown: &dyn Shown, game: &GameTree, number: u64) -> Result<Vec<Sample>, String> {
    if game.head.game != shown.game() {
        return Err(format!("a game of {} left out", game.head.game));
    }
    let mut scribe = Scribe::new(shown, &game.head.setup, number)?;
    let outcome = game.head.ending.as_ref().map(|ending| ending.outcome);
    let is_chess = game.head.game.starts_with("chess");
    // What was said of the position that the last move led to, and by whom.
    let mut said: Option<(Side, f32)> = None;
    for (ply, &at) in game.main_line().iter().enumerate().skip(1) {
        let played = &game.node(at).played;
        let wrong = |error: String| format!("game {}, move {ply}: {error}", number + 1);
        let Some(sight) = scribe.sight() else {
            // Chance decides nothing that could be learnt.
            scribe.table.play(&played.text).map_err(|error| wrong(error.to_string()))?;
            continue;
        };
        let side = sight.side;
        let evaluation = said.map(|(teller, value)| without_draws(if teller == side { value } else { -value }));
        let target = Target {
            policy: vec![(played.text.clone(), 1.0)],
            value: evaluation.or(outcome.map(|outcome| of_outcome(outcome, side))),
            ..Target::default()
        };
        scribe.step(sight, Some(target), Some(&played.text)).map_err(wrong)?;
        let mate = played.value.filter(|value| value.abs() == 1.0);
        said = mate.or(played.lead.map(expected)).filter(|_| is_chess).map(|value| (side, value));
    }
    Ok(scribe.finish())
}

/// The expected outcome of so many pawns.
///
/// CITE: the curve that lichess.org fits to its players' games.
fn expected(pawns: f32) -> f32 {
    2.0 / (1.0 + (-0.368_208 * pawns).exp()) - 1.0
}

/// Games of Go in the arrays of one npz.
struct Teacher<'a> {
    starts: Vec<usize>,
    moves: &'a Array,
    komi: Option<&'a Array>,
    policy: Option<&'a Array>,
    winrate: Option<&'a Array>,
    lead: Option<&'a Array>,
    ownership: Option<&'a Array>,
    rules: String,
    size: usize,
    /// What each number of a move is called.
    names: Vec<String>,
}

impl<'a> Teacher<'a> {
    /// Checks all shapes, so that nothing is amiss when games are read.
    fn new(arrays: &'a BTreeMap<String, Array>, shown: &dyn Shown, rules: &str) -> Result<Self, String> {
        let size = shown.header().width;
        if shown.game() != format!("go{size}") {
            return Err(format!("npz files hold games of Go, not of {}", shown.game()));
        }
        let needed = |name: &str| arrays.get(name).ok_or_else(|| format!("there is no array `{name}`"));
        let (game_start, moves) = (needed("game_start")?, needed("move")?);
        let starts: Vec<usize> = (0..game_start.len()).map(|at| game_start.number(at) as usize).collect();
        let positions = moves.len();
        if starts.first() != Some(&0) || starts.last() != Some(&positions) || !starts.is_sorted() {
            return Err(format!("game_start does not divide the {positions} positions into games"));
        }
        let shaped = |name: &str, shape: &[usize]| match arrays.get(name) {
            Some(array) if array.shape() != shape => {
                Err(format!("array `{name}` has shape {:?} instead of {shape:?}", array.shape()))
            }
            found => Ok(found),
        };
        let points = size * size;
        // Columns leave out the letter I, and rows are counted from below.
        let name = |at: usize| {
            let letter = (b'A'..=b'Z').filter(|&letter| letter != b'I').nth(at % size).map_or('?', char::from);
            format!("{letter}{}", size - at / size)
        };
        Ok(Teacher {
            komi: shaped("komi", &[starts.len() - 1])?,
            policy: shaped("policy", &[positions, points + 1])?,
            winrate: shaped("winrate", &[positions])?,
            lead: shaped("score_lead", &[positions])?,
            ownership: shaped("ownership", &[positions, points])?,
            rules: rules.to_owned(),
            names: (0..points).map(name).chain(["pass".to_owned()]).collect(),
            starts,
            moves,
            size,
        })
    }

    fn games(&self) -> usize {
        self.starts.len() - 1
    }

    fn samples(&self, shown: &dyn Shown, game: usize, number: u64) -> Result<Vec<Sample>, String> {
        let komi = self.komi.map_or(7.5, |komi| komi.number(game));
        let setup = Setup { rules: Some(self.rules.clone()), komi: Some(komi), ..Setup::standard() };
        let wrong = |error: String| format!("game {}: {error}", game + 1);
        let mut scribe = Scribe::new(shown, &setup, number).map_err(wrong)?;
        for at in self.starts[game]..self.starts[game + 1] {
            // Behind the last move stands the end, of which there is nothing to learn.
            let Some(sight) = scribe.sight() else { break };
            let wrong = |error: String| format!("game {}, move {}: {error}", game + 1, at - self.starts[game] + 1);
            let mv = self.names.get(self.moves.number(at) as usize);
            scribe.step(sight, Some(self.target(at)), mv.map(String::as_str)).map_err(wrong)?;
            if mv.is_none() {
                break;
            }
        }
        Ok(scribe.finish())
    }

    /// What the arrays say of a position.
    fn target(&self, at: usize) -> Target {
        let points = self.size * self.size;
        let number = |array: &Array| array.number(at) as f32;
        let policy = self.policy.map(|policy| {
            let share =
                |(place, name): (usize, &String)| (name.clone(), policy.number(at * (points + 1) + place) as f32);
            self.names.iter().enumerate().map(share).filter(|(_, share)| *share > 0.0).collect()
        });
        let owners = self.ownership.map(|owners| {
            let owner = |point| (owners.number(at * points + point) as f32 / 100.0).clamp(-1.0, 1.0);
            (0..points).map(owner).collect()
        });
        Target {
            policy: policy.unwrap_or_default(),
            value: self.winrate.map(|rate| number(rate).clamp(0.0, 1.0)).map(|won| [won, 0.0, 1.0 - won]),
            score: self.lead.map(number),
            owners: owners.unwrap_or_default(),
        }
    }
}
