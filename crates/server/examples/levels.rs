//! How strong the levels are: every level of a game against its neighbours, rated above a player of random moves.
//!
//! `cargo run --release -p tengen-server --example levels -- GAME [GAMES] [LEVELS]` plays so many games of each pairing (sides in turn, two
//! random moves first), of all levels or only so many of the lowest, and prints ratings for `games.toml`.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tengen_arena::stats::{Encounter, RatingOptions, rate};
use tengen_core::{Outcome, Rng, Side, Turn};
use tengen_record::Setup;
use tengen_server::{Catalog, LevelPlan, Spot, choose};
use tengen_table::open;

/// Games that go on for ever are drawn here.
const LONGEST: usize = 400;

fn main() {
    let argument = |at: usize| std::env::args().nth(at);
    let game = argument(1).unwrap_or_else(|| "tictactoe".to_owned());
    let games: usize = argument(2).and_then(|text| text.parse().ok()).unwrap_or(40);
    let last: usize = argument(3).and_then(|text| text.parse().ok()).unwrap_or(usize::MAX);
    let catalog = Catalog::bundled();
    let mut plans: Vec<Option<LevelPlan>> = vec![None];
    // A kind level is as strong as whoever plays against it.
    plans.extend(catalog.ladder(&game).iter().filter(|plan| !plan.kind).take(last).cloned().map(Some));
    // Neighbours, and the next but one: who is further apart has little to tell each other.
    let pairs: Vec<(usize, usize)> =
        (0..plans.len()).flat_map(|low| [(low, low + 1), (low, low + 2)]).filter(|pair| pair.1 < plans.len()).collect();
    let jobs: Vec<(usize, usize, usize)> =
        (0..games).flat_map(|number| pairs.iter().map(move |&(low, high)| (low, high, number))).collect();
    let table = Mutex::new(vec![[0u64; 3]; plans.len() * plans.len()]);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(&(low, high, number)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (first, second) = if number % 2 == 0 { (low, high) } else { (high, low) };
                    let seed = (number * 1000 + low * 30 + high) as u64;
                    let outcome = play(&game, [&plans[first], &plans[second]], seed);
                    let place = match outcome {
                        Outcome::Win(Side::First) => 0,
                        Outcome::Draw => 1,
                        Outcome::Win(Side::Second) => 2,
                    };
                    table.lock().expect("no panic")[first * plans.len() + second][place] += 1;
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
    let options = RatingOptions { anchors: vec![(0, 0.0)], ..RatingOptions::default() };
    match rate(plans.len(), &encounters, &options) {
        Ok(ratings) => {
            println!("# {game}: {games} games of each of {} pairings", pairs.len());
            for (plan, rating) in plans.iter().zip(&ratings.players).skip(1) {
                let (low, high) = rating.interval();
                let id = plan.as_ref().map_or("random", |plan| plan.id.as_str());
                println!(
                    "{id:<10} rating = {:.0}  error = {:.0}  ({:.1} of {}, {:?})",
                    rating.elo,
                    (high - low) / 2.0,
                    rating.points,
                    rating.games,
                    rating.standing
                );
            }
        }
        Err(error) => println!("{error}"),
    }
}

/// One game; nobody in the place of a level plays random moves.
fn play(game: &str, players: [&Option<LevelPlan>; 2], seed: u64) -> Outcome {
    // The two games of a pair begin alike.
    let (mut opening, mut rng) = (Rng::with_seed(seed / 2000), Rng::with_seed(seed));
    let stop = AtomicBool::new(false);
    let mut table = open(game, &Setup::standard()).expect("a game");
    for ply in 0..LONGEST {
        let view = table.view();
        match view.turn {
            Turn::Over(outcome) => return outcome,
            Turn::Chance => drop(table.roll(&mut rng)),
            Turn::Decision(side) => {
                let any = if ply < 2 { Some(&mut opening) } else { None };
                let mv = match (any, players[side.index()]) {
                    (Some(opening), _) => view.legal[opening.usize(..view.legal.len())].clone(),
                    (None, None) => view.legal[rng.usize(..view.legal.len())].clone(),
                    (None, Some(plan)) => {
                        let spot = Spot { game: game.to_owned(), setup: Setup::standard(), moves: table.moves() };
                        choose(&spot, plan, None, &stop, &mut rng).expect("a move").mv
                    }
                };
                table.play(&mv).expect("a legal move");
            }
        }
    }
    Outcome::Draw
}
