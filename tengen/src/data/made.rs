//! `tengen data make`: samples from games that players play for the purpose, each position judged by a teacher.
//!
//! A game follows from the seed and its number, whichever thread plays it, and games are written in the order of their numbers: so a set
//! that was broken off goes on with the game after its last one.

use super::Progress;
use super::scribe::{Scribe, Target, sample, without_draws};
use crate::Outcome;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use tengen_core::{Rng, Side, mix};
use tengen_record::Setup;
use tengen_record::samples::{Sample, SampleSet, SampleWriter};
use tengen_search::{Lead, Limits};
use tengen_table::{PlayError, Shown, Sight, Table, TextThought, TextWatch, encoder, open};

/// Let players play games, and make samples of their positions
#[derive(clap::Args)]
#[command(after_help = "Examples: tengen data make tictactoe --all --teacher perfect --out ttt
          tengen data make tictactoe --player mcts:visits=100 --games 20 --out ttt-mcts
          tengen data make connect4 --player mcts:visits=50 --teacher mcts:visits=200 --games 4 --out c4

A game begins with up to --random-plies random moves. Each position after them is shown to the teacher: the value is what it thinks; the policy
is its visits if it searches a tree, else its move; `perfect` shares it among all moves that are as good as the best. The same command goes on with
a set that was broken off, and with more --games it adds to one that was finished.")]
pub struct Arguments {
    /// The game's id, as `tengen games` lists them
    game: String,
    /// Who plays, both sides
    #[arg(long, required_unless_present = "all", conflicts_with = "all")]
    player: Option<String>,
    /// Who judges; without it, the player
    #[arg(long, required_unless_present = "player")]
    teacher: Option<String>,
    /// Every position that can be reached instead of games: for games as small as tic-tac-toe
    #[arg(long)]
    all: bool,
    /// How many games
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Decides all that is random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// At most so many random moves begin a game
    #[arg(long, default_value_t = 6)]
    random_plies: u32,
    /// Moves are drawn by the player's policy to the power of one over this; 0: always its best
    #[arg(long, default_value_t = 1.0, value_parser = temperature, allow_hyphen_values = true)]
    temperature: f32,
    /// From this ply on the player plays its best move
    #[arg(long, default_value_t = u32::MAX, hide_default_value = true)]
    temperature_plies: u32,
    /// Games are broken off here, and say nothing of how they would have ended
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    longest: u32,
    /// Games at a time; without it, one on each core
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// How positions are shown; without it, as the game's default encoder does
    #[arg(long)]
    encoder: Option<String>,
    /// The directory of the set
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

fn temperature(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| (0.0..=100.0).contains(number));
    number.ok_or_else(|| "a temperature is from 0 to 100".to_owned())
}

/// What decides the games of a set; the file beside it says so, and whoever goes on must say the same.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Recipe {
    player: String,
    teacher: String,
    seed: u64,
    random_plies: u32,
    temperature: f32,
    temperature_plies: u32,
    longest: u32,
}

/// The name of that file.
const RECIPE: &str = "made.toml";
/// Players that search a tree: their visits are a policy.
const BY_VISITS: [&str; 4] = ["mcts", "puct", "gumbel", "go"];
/// The player that knows.
const PERFECT: &str = "perfect";
/// What is made goes to the disk at least this often.
const SAFE: Duration = Duration::from_secs(60);
/// No game with more positions is looked at as a whole.
const MOST_POSITIONS: usize = 1_000_000;

pub fn run(arguments: &Arguments) -> Outcome {
    let shown = encoder(&arguments.game, arguments.encoder.as_deref()).map_err(|error| error.to_string())?;
    // Clap has seen to it that there is one of the two.
    let player = arguments.player.as_ref().or(arguments.teacher.as_ref()).cloned().unwrap_or_default();
    let teacher = arguments.teacher.clone().unwrap_or_else(|| player.clone());
    let table = open(&arguments.game, &Setup::standard()).map_err(|error| error.to_string())?;
    for name in [&player, &teacher] {
        table.check_player(name).map_err(|error| error.to_string())?;
    }
    let recipe = Recipe {
        player,
        teacher,
        seed: arguments.seed,
        random_plies: arguments.random_plies,
        temperature: arguments.temperature,
        temperature_plies: arguments.temperature_plies,
        longest: arguments.longest,
    };
    let samples = if arguments.all {
        make_all(&*shown, &recipe.teacher, &arguments.out)?
    } else {
        make_games(&*shown, &recipe, arguments)?
    };
    if arguments.json {
        say!("{}", json!({"samples": samples, "out": arguments.out}));
    } else {
        say!("{samples} samples in {}", arguments.out.display());
    }
    Ok(())
}

/// Whoever is asked about positions of one game.
struct Judgement {
    thought: TextThought,
    /// Moves and their shares.
    policy: Vec<(String, f32)>,
}

/// Lets a player think about the position of a table; `None` if it gives up.
fn ask(table: &mut dyn Table, player: &str) -> Result<Option<Judgement>, String> {
    let stop = AtomicBool::new(false);
    let mut watch = TextWatch { clock: &Instant::now(), stop: &stop, report: &mut |_| {} };
    match table.think(player, &Limits::default(), &mut watch) {
        Ok(thought) => Ok(Some(Judgement { policy: policy(&thought, name(player)), thought })),
        Err(PlayError::Resigned) => Ok(None),
        Err(error) => Err(format!("{player}: {error}")),
    }
}

/// What stands before the colon in a player's text.
fn name(player: &str) -> &str {
    player.split(':').next().unwrap_or("").trim()
}

/// The moves a player would play, and how much of each.
fn policy(thought: &TextThought, name: &str) -> Vec<(String, f32)> {
    let candidates = &thought.candidates;
    if name == PERFECT
        && let Some(best) = candidates.first()
    {
        let as_good = candidates.iter().filter(|other| other.value == best.value && other.lead == best.lead);
        return as_good.map(|candidate| (candidate.mv.clone(), 1.0)).collect();
    }
    if BY_VISITS.contains(&name) && candidates.iter().any(|candidate| candidate.visits > 0) {
        return candidates.iter().map(|candidate| (candidate.mv.clone(), candidate.visits as f32)).collect();
    }
    vec![(thought.best.clone(), 1.0)]
}

/// What the teacher's thought says of what is seen.
fn target(judgement: Judgement, teacher: &str, shown: &dyn Shown, side: Side) -> Target {
    let Judgement { thought, policy } = judgement;
    let value = match thought.value.seen_by(side) {
        // Whoever knows that nobody wins knows more than that both win as often.
        0.0 if name(teacher) == PERFECT => [0.0, 1.0, 0.0],
        value => without_draws(value),
    };
    let is_go = shown.game().strip_prefix("go").is_some_and(|size| size.parse::<u32>().is_ok());
    let score = match thought.lead.map(|lead| lead.seen_by(side)) {
        Some(Lead::Points(points)) if is_go || shown.game().starts_with("othello") => Some(points),
        _ => None,
    };
    // In Go, cells are drawn in the order in which points are numbered, whoever is to move.
    let own = if side == Side::First { 1.0 } else { -1.0 };
    let owners: Vec<f32> = thought.ownership.iter().map(|owner| (own * owner).clamp(-1.0, 1.0)).collect();
    let owners = if is_go && owners.len() == shown.header().points() { owners } else { Vec::new() };
    Target { policy, value: Some(value), score, owners }
}

/// One of the moves: the likeliest at temperature zero.
fn draw<'a>(policy: &'a [(String, f32)], temperature: f32, rng: &mut Rng) -> Option<&'a str> {
    let most = policy.iter().map(|(_, share)| *share).fold(0.0, f32::max);
    let weight = |share: f32| match temperature {
        0.0 => f32::from(u8::from(share == most)),
        _ => (share / most).powf(1.0 / temperature),
    };
    let sum: f32 = policy.iter().map(|(_, share)| weight(*share)).sum();
    let mut rest = rng.f32() * sum;
    for (mv, share) in policy {
        rest -= weight(*share);
        if rest < 0.0 {
            return Some(mv);
        }
    }
    policy.first().map(|(mv, _)| mv.as_str())
}

/// Plays a game and makes samples of it.
fn play(shown: &dyn Shown, recipe: &Recipe, number: u64) -> Result<Vec<Sample>, String> {
    let mut rng = Rng::with_seed(mix(recipe.seed ^ mix(number)));
    let mut scribe = Scribe::new(shown, &Setup::standard(), number)?;
    let mut random = rng.u32(0..=recipe.random_plies);
    for ply in 0..recipe.longest {
        let Some(sight) = scribe.sight() else {
            match scribe.table.roll(&mut rng) {
                Some(_) => continue,
                None => break,
            }
        };
        if random > 0 {
            random -= 1;
            // At a decision there is at least one move.
            let mv = sight.moves[rng.usize(..sight.moves.len())].0.clone();
            scribe.step(sight, None, Some(&mv))?;
            continue;
        }
        let Some(judgement) = ask(&mut *scribe.table, &recipe.teacher)? else { break };
        let mine = match recipe.player == recipe.teacher {
            true => None,
            false => match ask(&mut *scribe.table, &recipe.player)? {
                Some(mine) => Some(mine.policy),
                None => break,
            },
        };
        let temperature = if ply < recipe.temperature_plies { recipe.temperature } else { 0.0 };
        let mv = draw(mine.as_ref().unwrap_or(&judgement.policy), temperature, &mut rng).map(str::to_owned);
        let target = target(judgement, &recipe.teacher, shown, sight.side);
        scribe.step(sight, Some(target), mv.as_deref())?;
    }
    Ok(scribe.finish())
}

/// The writer of a new set, or of one to go on with, and the game to begin with.
fn writer(shown: &dyn Shown, recipe: &Recipe, out: &Path) -> Result<(SampleWriter, u64), String> {
    let path = out.join(RECIPE);
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    if !path.exists() {
        let writer = SampleWriter::create(out, &shown.header()).map_err(|error| error.to_string())?;
        let text = toml::to_string(recipe).map_err(|error| failed(&error))?;
        fs::write(&path, text).map_err(|error| failed(&error))?;
        return Ok((writer, 0));
    }
    let text = fs::read_to_string(&path).map_err(|error| failed(&error))?;
    let known: Recipe = toml::from_str(&text).map_err(|error| failed(&error))?;
    if known != *recipe {
        return Err(failed(&"the set there was made in another way: say the same, or name another directory"));
    }
    let writer = SampleWriter::resume(out, &shown.header()).map_err(|error| error.to_string())?;
    let set = SampleSet::open(out).map_err(|error| error.to_string())?;
    // Games are written in order and shards end with whole games, so the last sample says how far it came.
    let last = match set.shards() {
        0 => None,
        shards => set.read(shards - 1).map_err(|error| format!("{error}: remove it to go on"))?.last().map(|s| s.game),
    };
    Ok((writer, last.map_or(0, |game| game + 1)))
}

fn make_games(shown: &dyn Shown, recipe: &Recipe, arguments: &Arguments) -> Result<u64, String> {
    let (mut writer, first) = writer(shown, recipe, &arguments.out)?;
    let threads =
        arguments.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let games = arguments.games;
    let next = AtomicU64::new(first);
    let mut progress = Progress::new("games", games, first.min(games));
    // So few games wait to be written that memory does not grow, however slow one of them is.
    let (send, receive) = mpsc::sync_channel(threads);
    let made = std::thread::scope(|scope| {
        for _ in 0..threads {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    // Nobody listens any more once something has gone wrong.
                    if number >= games || send.send((number, play(shown, recipe, number))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let mut waiting = BTreeMap::new();
        let (mut due, mut saved) = (first, Instant::now());
        // The channel ends with this block, and with it the threads.
        for (number, samples) in receive {
            waiting.insert(number, samples);
            while let Some(samples) = waiting.remove(&due) {
                let samples = samples.map_err(|error| format!("game {}: {error}", due + 1))?;
                samples.iter().try_for_each(|sample| writer.push(sample)).map_err(|error| error.to_string())?;
                due += 1;
                if saved.elapsed() > SAFE {
                    writer.cut().map_err(|error| error.to_string())?;
                    saved = Instant::now();
                }
            }
            progress.at(due, String::new);
        }
        Ok::<(), String>(())
    });
    drop(progress);
    // What came before the trouble is kept.
    let written = writer.finish().map_err(|error| error.to_string())?;
    made.map(|()| written)
}

/// Every position that can be reached, each a game of its own.
fn make_all(shown: &dyn Shown, teacher: &str, out: &Path) -> Result<u64, String> {
    let mut table = open(shown.game(), &Setup::standard()).map_err(|error| error.to_string())?;
    let mut writer = SampleWriter::create(out, &shown.header()).map_err(|error| error.to_string())?;
    let mut known = HashSet::new();
    let mut number = 0;
    // The moves that are still to be tried on the way here.
    let mut way: Vec<Vec<String>> = Vec::new();
    loop {
        let sight: Option<Sight> =
            if known.insert(table.keys().last().copied()) { table.show(shown.id()) } else { None };
        if known.len() > MOST_POSITIONS {
            return Err(format!(
                "{} has more than {MOST_POSITIONS} positions: without --all, games are played",
                shown.game()
            ));
        }
        let mut moves = Vec::new();
        if let Some(sight) = sight {
            moves = sight.moves.iter().map(|(mv, _)| mv.clone()).collect();
            if let Some(judgement) = ask(&mut *table, teacher)? {
                let target = target(judgement, teacher, shown, sight.side);
                writer.push(&sample(number, sight, target)).map_err(|error| error.to_string())?;
                number += 1;
            }
        }
        way.push(moves);
        // Back to where something is left to be tried.
        let mv = loop {
            match way.last_mut() {
                None => return writer.finish().map_err(|error| error.to_string()),
                Some(moves) => match moves.pop() {
                    Some(mv) => break mv,
                    None => {
                        way.pop();
                        if !way.is_empty() {
                            table.undo(1).map_err(|error| error.to_string())?;
                        }
                    }
                },
            }
        };
        table.play(&mv).map_err(|error| error.to_string())?;
    }
}
