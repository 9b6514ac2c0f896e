//! Where games begin: openings from files, or random walks that leave both sides a game.
//!
//! Each opening is played twice with sides exchanged. Walks are drawn one after the other from the seed, so that a longer match begins
//! with the openings of a shorter one; no two end in the same position, and a quick search has looked at each.

use crate::settings::{OpeningSettings, Settings};
use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tengen_core::{Line, Rng, Side, Turn, mix};
use tengen_record::{Setup, read_file};
use tengen_search::{Limits, Watch};
use tengen_table::registry::{self, Visitor, with_game};
use tengen_table::{Game, players};

/// How a game begins.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Opening {
    /// The position, if it is not the usual start.
    pub position: Option<String>,
    /// Moves from there.
    pub moves: Vec<String>,
}

/// The openings of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Openings {
    /// At least one; when there are fewer than pairs of games, they are used again in turn.
    pub list: Vec<Opening>,
    /// In words: `random walks of 8 plies`, `openings.epd`.
    pub source: String,
}

impl Openings {
    /// The opening of a pair.
    pub fn of(&self, pair: u64) -> &Opening {
        &self.list[(pair % self.list.len() as u64) as usize]
    }
}

/// A fresh walk that ends badly or where another ended is thrown away; after so many in a row there seem to be no more.
const MOST_TRIES: u32 = 400;

/// The openings for so many pairs. `progress` hears how many there are so far.
pub fn prepare(settings: &Settings, pairs: u64, progress: &mut dyn FnMut(u64, u64)) -> Result<Openings, String> {
    let found = match &settings.openings.file {
        Some(file) => from_file(settings, file),
        None => {
            let walk = Walk { settings, pairs, progress };
            with_game(&settings.game, &settings.setup, walk).map_err(|error| error.to_string())?
        }
    };
    found.and_then(|found| if found.list.is_empty() { Err("there are no openings".to_owned()) } else { Ok(found) })
}

/// Draws random walks.
struct Walk<'a> {
    settings: &'a Settings,
    pairs: u64,
    progress: &'a mut dyn FnMut(u64, u64),
}

impl Visitor for Walk<'_> {
    type Out = Result<Openings, String>;

    fn visit<P: Game>(self, start: P) -> Self::Out {
        let OpeningSettings { plies, balance, .. } = self.settings.openings;
        let info = registry::info(&self.settings.game).ok_or("this game is in no list")?;
        let plies = plies.unwrap_or(info.walk);
        if plies == 0 {
            let source = "the start position".to_owned();
            return Ok(Openings { list: vec![Opening::default()], source });
        }
        let mut judge = players::build::<P>(info.judge).map_err(|error| error.to_string())?;
        let stop = AtomicBool::new(false);
        let mut rng = Rng::with_seed(mix(self.settings.seed ^ 0x6f70_656e));
        let (mut list, mut seen, mut moves) = (Vec::new(), HashSet::new(), Vec::new());
        // The judge's value for the first side; nothing where nobody decides.
        let mut value = |line: &Line<P>| -> Option<f32> {
            let Turn::Decision(_) = line.turn(&mut Vec::new()) else { return None };
            let mut watch = Watch { clock: &Instant::now(), stop: &stop, report: &mut |_| {} };
            let thought = judge.think(line, &Limits::default(), &mut watch).ok()?;
            Some(thought.value.seen_by(Side::First))
        };
        // Komi, a handicap or a position of one's own may favour a side, and quick judges have their leanings: a walk is measured by
        // what it changes.
        let level = value(&Line::new(start.clone())).unwrap_or(0.0);
        let mut tries = 0;
        'walks: while (list.len() as u64) < self.pairs && tries < MOST_TRIES {
            tries += 1;
            let mut line = Line::new(start.clone());
            let mut texts = Vec::new();
            for _ in 0..plies {
                // Dice are rolled in the game itself: a walk ends where they fall.
                let Turn::Decision(_) = line.turn(&mut moves) else { break };
                // In Go a random pass would be half a game given away.
                let choices: Vec<P::Move> =
                    moves.iter().copied().filter(|&mv| line.position().write_move(mv) != "pass").collect();
                let choices = if choices.is_empty() { &moves } else { &choices };
                let mv = choices[rng.usize(..choices.len())];
                texts.push(line.position().write_move(mv));
                line.push(mv);
            }
            match line.turn(&mut moves) {
                Turn::Over(_) => continue 'walks,
                Turn::Chance => {}
                Turn::Decision(_) if seen.contains(&line.position().key()) => continue 'walks,
                Turn::Decision(_) if value(&line).is_some_and(|value| (value - level).abs() <= balance) => {}
                Turn::Decision(_) => continue 'walks,
            }
            if seen.insert(line.position().key()) {
                list.push(Opening { position: None, moves: texts });
                (self.progress)(list.len() as u64, self.pairs);
                tries = 0;
            }
        }
        if list.is_empty() {
            return Err(format!(
                "no random walk of {plies} plies leaves both sides a game (balance {balance}): allow fewer (--plies) or more imbalance (--balance)"
            ));
        }
        Ok(Openings { list, source: format!("random walks of {plies} plies") })
    }
}

/// Games in a file that are longer than this are openings only up to here, unless somebody says how far.
const LONGEST: u32 = 20;

/// Openings from a file, each of them tried.
fn from_file(settings: &Settings, file: &Path) -> Result<Openings, String> {
    let text = read_text(file)?;
    let shown = file.display();
    let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_ascii_lowercase();
    let mut list: Vec<Opening> = match extension.as_str() {
        "epd" | "fen" | "pgn" | "sgf" | "json" | "jsonl" => {
            let found = tengen_record::openings_in(text.as_bytes()).map_err(|error| format!("{shown}: {error}"))?;
            let read = (1..).zip(found).map(|(number, opening)| {
                resolved(settings, opening).map_err(|error| format!("{shown}, opening {number}: {error}"))
            });
            read.collect::<Result<_, _>>()?
        }
        _ => {
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
            let moves = lines.map(|line| line.split_whitespace().map(str::to_owned).collect());
            moves.map(|moves| Opening { position: None, moves }).collect()
        }
    };
    let longest = settings.openings.plies.unwrap_or(LONGEST) as usize;
    for (number, opening) in (1..).zip(&mut list) {
        opening.moves.truncate(longest);
        check(settings, opening).map_err(|error| format!("{shown}, opening {number}: {error}"))?;
    }
    Ok(Openings { list, source: format!("{shown}") })
}

/// An opening of a file as a position and moves. Komi and rules of the match go before those of a game that begins on the empty board.
fn resolved(settings: &Settings, opening: tengen_record::Opening) -> Result<Opening, String> {
    struct Text;
    impl Visitor for Text {
        type Out = String;
        fn visit<P: Game>(self, start: P) -> String {
            start.write()
        }
    }
    let own = opening.setup.position.is_some() || opening.setup.handicap.is_some();
    let position = match own {
        true => Some(with_game(&settings.game, &opening.setup, Text).map_err(|error| error.to_string())?),
        false => None,
    };
    Ok(Opening { position, moves: opening.moves })
}

/// The text of a file, or one line that says why there is none; a mistyped name is answered with the nearest there is.
pub fn read_text(file: &Path) -> Result<String, String> {
    let bytes = read_file(file).map_err(|error| {
        let dir = file.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let names: Vec<String> = std::fs::read_dir(dir)
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let near = tengen_search::params::unknown("file", name, names.iter().map(String::as_str));
        let hint =
            near.split_once("; did you mean ").map_or(String::new(), |(_, near)| format!("; did you mean {near}"));
        format!("cannot read {}: {error}{hint}", file.display())
    })?;
    String::from_utf8(bytes).map_err(|_| format!("{} is not text", file.display()))
}

/// A number that changes when the file does.
pub fn digest(text: &str) -> String {
    let mut hasher = std::hash::DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Plays an opening as a match would.
fn check(settings: &Settings, opening: &Opening) -> Result<(), String> {
    struct Try<'a>(&'a Opening);
    impl Visitor for Try<'_> {
        type Out = Result<(), String>;
        fn visit<P: Game>(self, start: P) -> Self::Out {
            let line = begin(&start, self.0)?;
            match line.turn(&mut Vec::new()) {
                Turn::Over(_) => Err("the game is over in this position".to_owned()),
                _ => Ok(()),
            }
        }
    }
    // Positions carry their own komi and the like.
    let setup = if opening.position.is_some() { Setup::standard() } else { settings.setup.clone() };
    with_game(&settings.game, &setup, Try(opening)).map_err(|error| error.to_string())?
}

/// The line at which the players begin.
pub(crate) fn begin<P: Game>(start: &P, opening: &Opening) -> Result<Line<P>, String> {
    let start = match &opening.position {
        Some(text) => P::read(text).map_err(|error| error.to_string())?,
        None => start.clone(),
    };
    let mut line = Line::new(start);
    let mut moves = Vec::new();
    for text in &opening.moves {
        let turn = line.turn(&mut moves);
        let mv = line.position().read_move(text).map_err(|error| format!("move {}: {error}", line.ply() + 1))?;
        if matches!(turn, Turn::Decision(_)) && !moves.contains(&mv) || matches!(turn, Turn::Over(_)) {
            return Err(format!("move {}: {text} is not legal", line.ply() + 1));
        }
        line.push(mv);
    }
    Ok(line)
}
