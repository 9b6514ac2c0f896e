//! How strong the levels are: every level of a game against its neighbours, rated above a player of random moves.
//!
//! `cargo run --release -p tengen-server --example levels -- GAME [GAMES] [SECONDS] [LEVEL]` plays so many games of each pairing (sides in turn, two
//! random moves first), or as many as begin within so many seconds, and prints ratings for `games.toml`. With a level that is rated already
//! only those above it are measured, from its rating on.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tengen_arena::stats::{Encounter, RatingOptions, rate};
use tengen_core::{Outcome, Rng, Side, Turn};
use tengen_record::Setup;
use tengen_server::{Catalog, LevelPlan, Mind, Spot};
use tengen_table::open;

/// Games that go on for ever are drawn here.
const LONGEST: usize = 400;

fn main() {
    let argument = |at: usize| std::env::args().nth(at);
    let game = argument(1).unwrap_or_else(|| "tictactoe".to_owned());
    let games: usize = argument(2).and_then(|text| text.parse().ok()).unwrap_or(40);
    let patience = argument(3).and_then(|text| text.parse().ok()).map_or(Duration::MAX, Duration::from_secs);
    let catalog = Catalog::bundled();
    // A kind level is as strong as whoever plays against it.
    let ladder = catalog.ladder(&game).iter().filter(|plan| !plan.kind).cloned().map(Some);
    let mut plans: Vec<Option<LevelPlan>> = std::iter::once(None).chain(ladder).collect();
    let (mut anchor, mut doubt) = (0.0, 0.0);
    if let Some(from) = argument(4) {
        plans.retain(Option::is_some);
        let rated = |plan: &LevelPlan| plan.id == from && plan.rating.is_some();
        let Some(at) = plans.iter().flatten().position(rated) else {
            println!("{game} has no level {from} with a rating to begin from");
            return;
        };
        plans.drain(..at);
        let known = plans.iter().flatten().next();
        anchor = known.and_then(|plan| plan.rating).unwrap_or(0.0);
        doubt = known.and_then(|plan| plan.error).unwrap_or(0.0);
    }
    // Neighbours, and the next but one: who is further apart has little to tell each other.
    let pairs: Vec<(usize, usize)> =
        (0..plans.len()).flat_map(|low| [(low, low + 1), (low, low + 2)]).filter(|pair| pair.1 < plans.len()).collect();
    // Of either game of a pair: the next one's number, and the time spent.
    let state = Mutex::new(pairs.iter().map(|&pair| (pair, 0, Duration::ZERO)).collect::<Vec<_>>());
    let table = Mutex::new(vec![[0u64; 3]; plans.len() * plans.len()]);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some((at, (low, high), number)) = take(&mut state.lock().expect("no panic"), games, patience)
                    else {
                        return;
                    };
                    let begun = Instant::now();
                    let (first, second) = if number % 2 == 0 { (low, high) } else { (high, low) };
                    let seed = (number * 1000 + low * 30 + high) as u64;
                    let place = match play(&game, [&plans[first], &plans[second]], seed) {
                        Outcome::Win(Side::First) => 0,
                        Outcome::Draw => 1,
                        Outcome::Win(Side::Second) => 2,
                    };
                    table.lock().expect("no panic")[first * plans.len() + second][place] += 1;
                    state.lock().expect("no panic")[at].2 += begun.elapsed();
                }
            });
        }
    });
    let table = table.into_inner().expect("no panic");
    let encounters: Vec<Encounter> = (0..plans.len() * plans.len())
        .map(|at| (at / plans.len(), at % plans.len(), table[at]))
        .filter(|(.., counts)| *counts != [0; 3])
        .map(|(first, second, [wins, draws, losses])| Encounter { first, second, wins, draws, losses })
        .collect();
    let options = RatingOptions { anchors: vec![(0, f64::from(anchor))], ..RatingOptions::default() };
    match rate(plans.len(), &encounters, &options) {
        Ok(ratings) => {
            println!("# {game}: at most {games} games of each of {} pairings", pairs.len());
            for (plan, rating) in plans.iter().zip(&ratings.players).skip(1) {
                let (low, high) = rating.interval();
                let id = plan.as_ref().map_or("random", |plan| plan.id.as_str());
                println!(
                    "{id:<10} rating = {:.0}  error = {:.0}  ({:.1} of {}, {:?})",
                    rating.elo,
                    // What is not known of the anchor is not known of anybody above it.
                    ((high - low) / 2.0).hypot(f64::from(doubt)),
                    rating.points,
                    rating.games,
                    rating.standing
                );
            }
        }
        Err(error) => println!("{error}"),
    }
}

/// The next game of the first pairing that is not done.
fn take(
    state: &mut [((usize, usize), usize, Duration)],
    games: usize,
    patience: Duration,
) -> Option<(usize, (usize, usize), usize)> {
    // A pair of games that was begun is ended: whoever moves first must not matter.
    let is_open = |&(_, played, spent): &((usize, usize), usize, Duration)| {
        played < games && (spent < patience || played % 2 == 1)
    };
    let at = state.iter().position(is_open)?;
    let (pair, played, _) = &mut state[at];
    *played += 1;
    Some((at, *pair, *played - 1))
}

/// One game; nobody in the place of a level plays random moves.
fn play(game: &str, players: [&Option<LevelPlan>; 2], seed: u64) -> Outcome {
    // The two games of a pair begin alike.
    let (mut opening, mut rng) = (Rng::with_seed(seed / 2000), Rng::with_seed(seed));
    let stop = AtomicBool::new(false);
    let mut table = open(game, &Setup::standard()).expect("a game");
    // They remember, as they do at the tables of the server.
    let spot = Spot { game: game.to_owned(), setup: Setup::standard(), moves: Vec::new() };
    let mut sit = |plan: &Option<LevelPlan>| {
        plan.clone().map(|plan| Mind::new(&spot, plan, rng.fork()).expect("a level of this game"))
    };
    let mut players = players.map(&mut sit);
    for ply in 0..LONGEST {
        let view = table.view();
        match view.turn {
            // As people would agree on it, where dead stones may be left on the board.
            Turn::Over(outcome) => {
                return table.count(&table.dead(200, seed)).map_or(outcome, |count| leader(count.points));
            }
            Turn::Chance => drop(table.roll(&mut rng)),
            Turn::Decision(side) => {
                let any = if ply < 2 { Some(&mut opening) } else { None };
                let mv = match (any, &mut players[side.index()]) {
                    (Some(opening), _) => view.legal[opening.usize(..view.legal.len())].clone(),
                    (None, None) => view.legal[rng.usize(..view.legal.len())].clone(),
                    (None, Some(mind)) => mind.choose(&table.moves(), None, &stop).expect("a move").mv,
                };
                table.play(&mv).expect("a legal move");
            }
        }
    }
    Outcome::Draw
}

fn leader([first, second]: [f32; 2]) -> Outcome {
    match first.total_cmp(&second) {
        std::cmp::Ordering::Greater => Outcome::Win(Side::First),
        std::cmp::Ordering::Less => Outcome::Win(Side::Second),
        std::cmp::Ordering::Equal => Outcome::Draw,
    }
}
