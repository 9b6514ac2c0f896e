//! `tengen go`: what each idea of the Go engine is worth, by matches of the engine with it against the engine without it.

use crate::Outcome;
use crate::duel::origin;
use crate::live::Live;
use serde_json::json;
use std::path::PathBuf;
use tengen_arena::stats::{Wdl, Z95};
use tengen_arena::{Conduct, Entrant, OpeningSettings, Settings, Store, check, run as run_match};
use tengen_go::opening::SMALLEST;
use tengen_record::database::Database;

/// Look into the Go engine
#[derive(clap::Args)]
#[command(after_help = "Examples: tengen go ablate
          tengen go ablate --game go19 --playouts 2000 --games 40
          tengen go ablate --only nakade --playouts 10000 --games 2000 --json
          tengen go ablate --games 400 --out ablation.db
With --out the same command goes on where it was broken off.")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Play the engine with each of its ideas against itself without it, and print the table beside MoGo's figures
    Ablate(Ablate),
}

#[derive(clap::Args)]
struct Ablate {
    /// The board: go9, go13, go19
    #[arg(long, default_value = "go9")]
    game: String,
    /// Simulations a move of both players
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    playouts: u64,
    /// Games an idea; an even number, for colours are exchanged
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    games: u64,
    /// All games follow from this number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// This idea alone
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Games at the same time; never more than the cores can take
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    concurrency: usize,
    /// Keep all games in this database, and go on with those that are in it
    #[arg(long, value_name = "DB")]
    out: Option<PathBuf>,
    /// One JSON object an idea instead of a table
    #[arg(long)]
    json: bool,
}

/// An idea: the settings that have it, and those that do not.
struct Idea {
    name: &'static str,
    with: &'static str,
    without: &'static str,
    /// The smallest board on which it makes a difference.
    smallest: usize,
    /// Board, simulations a move, and the share of games that MoGo won with the idea, in per cent.
    figures: &'static [(&'static str, u64, f64)],
}

/// The document's experiments first, with its own playouts (no learnt weights), then ideas it has no figure for.
const IDEAS: [Idea; 13] = [
    Idea {
        name: "nakade",
        with: "policy=0,net=0,learnt_rate=0,learnt_tries=0,nakade_rate=100,nakade_size=3",
        without: "policy=0,net=0,learnt_rate=0,learnt_tries=0,nakade_rate=0",
        smallest: 2,
        figures: &[("go9", 10_000, 52.8), ("go9", 100_000, 55.6), ("go19", 100_000, 53.2)],
    },
    Idea {
        name: "fill-board",
        with: "policy=0,net=0,learnt_rate=0,learnt_tries=0,fill_tries=5,fill_from=2",
        without: "policy=0,net=0,learnt_rate=0,learnt_tries=0,fill_tries=0",
        smallest: 2,
        figures: &[("go9", 10_000, 52.9), ("go9", 100_000, 55.2), ("go19", 100_000, 73.7), ("go19", 200_000, 78.4)],
    },
    Idea {
        name: "approach",
        with: "policy=0,net=0,learnt_rate=0,learnt_tries=0,approach_rate=50",
        without: "policy=0,net=0,learnt_rate=0,learnt_tries=0,approach_rate=0",
        smallest: 2,
        figures: &[("go9", 20_000, 52.68), ("go19", 50_000, 54.69)],
    },
    Idea {
        name: "shapes",
        with: "policy=0,net=0,learnt_rate=0,learnt_tries=0,prior_line=6.67,shape_peep=5,shape_hane=5,shape_connect=5,shape_wall=3.33,\
               shape_bad_kogeima=2.5,shape_empty_triangle=5",
        without: "policy=0,net=0,learnt_rate=0,learnt_tries=0,prior_line=0,shape_peep=0,shape_hane=0,shape_connect=0,shape_wall=0,\
                  shape_cross_cut=0,shape_kogeima=0,shape_kosumi=0,shape_tobi=0,shape_kata=0,shape_bad_kogeima=0,\
                  shape_bad_tobi=0,shape_empty_triangle=0,shape_full_triangle=0",
        smallest: 2,
        figures: &[("go19", 0, 63.9)],
    },
    Idea {
        name: "rave",
        with: "policy=0,net=0",
        without: "policy=0,net=0,bandit=tuned,exploration=0.5",
        smallest: 2,
        figures: &[],
    },
    Idea {
        name: "self-atari-bandit",
        with: "self_atari_bandit=on",
        without: "self_atari_bandit=off",
        smallest: 2,
        figures: &[],
    },
    Idea { name: "widening", with: "widening=4,widening_power=0.35", without: "widening=0", smallest: 2, figures: &[] },
    Idea { name: "two-liberties", with: "two_rate=100", without: "two_rate=0", smallest: 2, figures: &[] },
    Idea {
        name: "patterns",
        with: "learnt_rate=0",
        without: "learnt_rate=0,pattern_rate=0",
        smallest: 2,
        figures: &[],
    },
    Idea {
        name: "learnt-playouts",
        with: "learnt_rate=100",
        without: "learnt_rate=0,learnt_tries=0",
        smallest: 2,
        figures: &[],
    },
    Idea { name: "learnt-policy", with: "policy=0.25,net=0", without: "policy=0,net=0", smallest: 2, figures: &[] },
    Idea {
        name: "opening",
        with: "net=0,policy_opening=4,prior_opening=40",
        without: "net=0,policy_opening=1,prior_opening=0",
        smallest: SMALLEST,
        figures: &[],
    },
    Idea { name: "network", with: "net=3", without: "net=0", smallest: 14, figures: &[] },
];

pub fn run(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::Ablate(ablate) => run_ablate(ablate),
    }
}

fn run_ablate(ablate: &Ablate) -> Outcome {
    // Step 1. What is wanted.
    if !ablate.game.starts_with("go") {
        return Err(format!("the experiments are for Go (go9, go13, go19), not for `{}`", ablate.game));
    }
    let size = ablate.game.trim_start_matches("go").parse().unwrap_or(usize::MAX);
    let wanted: Vec<&Idea> = match &ablate.only {
        None => IDEAS.iter().filter(|idea| idea.smallest <= size).collect(),
        Some(name) => {
            let found = IDEAS.iter().filter(|idea| idea.name == name).collect::<Vec<_>>();
            if found.is_empty() {
                let names: Vec<&str> = IDEAS.iter().map(|idea| idea.name).collect();
                return Err(format!("there is no idea `{name}`; known: {}", names.join(" ")));
            }
            if let Some(idea) = found.iter().find(|idea| idea.smallest > size) {
                return Err(format!("`{name}` is for boards from {0}x{0} on", idea.smallest));
            }
            found
        }
    };
    let experiments: Vec<(&Idea, Settings)> =
        wanted.iter().map(|idea| Ok((*idea, experiment(ablate, idea)?))).collect::<Result<_, String>>()?;
    let origin = origin();
    let mut database = ablate.out.as_deref().map(Database::open).transpose().map_err(|error| error.to_string())?;
    if !ablate.json {
        say!("{:18} {:>8} {:>6}   {:21} MoGo", "idea", "playouts", "games", "with it, 95 % interval");
    }
    // Step 2. A match an idea.
    for (number, (idea, settings)) in experiments.iter().enumerate() {
        let mut live = Live::new(settings);
        live.announce(&format!("{} ({} of {})", idea.name, number + 1, wanted.len()));
        let conduct = Conduct { concurrency: ablate.concurrency, ..Conduct::default() };
        let store = database.as_mut().map(|database| Store { database, resume: true, kind: "duel", origin: &origin });
        let report = run_match(settings, &conduct, store, &mut live)?;
        live.finish();
        show(ablate, idea, report.standings.wdl(0, 1));
    }
    Ok(())
}

/// The match of an idea: the engine with it against the engine without it.
fn experiment(ablate: &Ablate, idea: &Idea) -> Result<Settings, String> {
    let player = |name: &str, settings: &str| Entrant {
        name: name.to_owned(),
        player: format!("go:playouts={},{settings}", ablate.playouts),
        limits: None,
    };
    let mut settings = Settings {
        name: format!("{} on {} at {} playouts, seed {}", idea.name, ablate.game, ablate.playouts, ablate.seed),
        game: ablate.game.clone(),
        games: ablate.games,
        seed: ablate.seed,
        openings: OpeningSettings { plies: Some(0), ..OpeningSettings::default() },
        players: vec![player("with", idea.with), player("without", idea.without)],
        ..Settings::default()
    };
    check(&mut settings)?;
    Ok(settings)
}

/// One line of the table.
fn show(ablate: &Ablate, idea: &Idea, wdl: Wdl) {
    let (low, high) = interval(wdl);
    let share = wdl.score().unwrap_or(0.5);
    if ablate.json {
        let figures: Vec<_> = idea
            .figures
            .iter()
            .map(|&(game, playouts, percent)| json!({ "game": game, "playouts": playouts, "percent": percent }))
            .collect();
        say!(
            "{}",
            json!({
                "idea": idea.name, "game": ablate.game, "playouts": ablate.playouts, "seed": ablate.seed,
                "games": wdl.games(), "wins": wdl.wins, "draws": wdl.draws, "losses": wdl.losses,
                "score": share, "interval": [low, high],
                "with": idea.with, "without": idea.without, "mogo": figures,
            })
        );
        return;
    }
    let theirs: Vec<String> = idea
        .figures
        .iter()
        .map(|&(game, playouts, percent)| match playouts {
            0 => format!("{percent} % {game}"),
            _ => format!("{percent} % {game} at {playouts}"),
        })
        .collect();
    say!(
        "{:18} {:>8} {:>6}   {:5.1} % ({:4.1} to {:5.1})  {}",
        idea.name,
        ablate.playouts,
        wdl.games(),
        100.0 * share,
        100.0 * low,
        100.0 * high,
        theirs.join(", ")
    );
}

/// Where the true share lies with 95 %.
///
/// CITE: Wilson 1927, the score interval, which also holds for few games and for shares near 0 and 1.
fn interval(wdl: Wdl) -> (f64, f64) {
    let games = wdl.games() as f64;
    let Some(share) = wdl.score() else { return (0.0, 1.0) };
    let square = Z95 * Z95 / games;
    let middle = (share + square / 2.0) / (1.0 + square);
    let half = (square * share * (1.0 - share) + square * square / 4.0).sqrt() / (1.0 + square);
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_search::params::Params;

    #[test]
    fn ideas_use_the_engines_own_parameters() {
        for idea in &IDEAS {
            for text in [idea.with, idea.without] {
                let mut params = tengen_go::GoParams::default();
                for setting in text.split(',') {
                    let (name, value) = setting.trim().split_once('=').expect("a setting");
                    params.set(name, value).unwrap_or_else(|error| panic!("{}: {error}", idea.name));
                }
            }
        }
    }

    #[test]
    fn intervals_hold_for_few_games_and_extreme_shares() {
        assert_eq!(interval(Wdl::new(0, 0, 0)), (0.0, 1.0));
        let (low, high) = interval(Wdl::new(10, 0, 0));
        assert!((0.70..0.75).contains(&low) && (1.0 - 1e-9..=1.0).contains(&high), "{low} {high}");
        let (low, high) = interval(Wdl::new(50, 0, 50));
        assert!((low - 0.4038).abs() < 0.001 && (high - 0.5962).abs() < 0.001, "{low} {high}");
    }
}
