//! `tengen gtp`: any player behind the Go Text Protocol, for GoGui, Sabaki, KGS and the rest.

use crate::Outcome;
use std::num::NonZeroUsize;
use std::time::Duration;
use tengen_games::go::{Go, Go9, Scoring};
use tengen_search::Player;
use tengen_search::params::{ParamInfo, unknown};
use tengen_speak::gtp::{Judgement, Options, Players, serve};
use tengen_table::{PlayerSpec, players};

/// Speak GTP on stdin and stdout, as an engine for Go programs
#[derive(clap::Args)]
#[command(after_help = "Examples: tengen gtp
          tengen gtp --player \"mcts:visits=5000,rave=on\"
          tengen gtp --player \"go:threads=4\" --resign 0.05
Without a player it is the Go engine on all processors, two seconds a move or by the clock of the game.
docs/go.md says how to add it to GoGui, Sabaki, KGS and CGOS.")]
pub struct Arguments {
    /// Who plays, as `tengen players` lists them; it keeps its own limits and the game's clock
    #[arg(long)]
    player: Option<String>,
    /// Seconds a move when no clock has been set [default: 2 without --player]
    #[arg(long, value_parser = seconds)]
    seconds: Option<Duration>,
    /// Resign when the chance to win was below this for three moves; 0 never resigns
    #[arg(long, default_value_t = 0.0, value_parser = chance)]
    resign: f32,
    /// Milliseconds kept back at every move for the way to the clock
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(..=60_000))]
    lag: u64,
    /// Go on thinking while the opponent does
    #[arg(long)]
    ponder: bool,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let day = Duration::from_secs(86_400);
    seconds
        .filter(|time| !time.is_zero() && *time <= day)
        .ok_or_else(|| "a number of seconds above 0, at most a day".to_owned())
}

fn chance(text: &str) -> Result<f32, String> {
    let chance = text.parse::<f32>().ok().filter(|chance| (0.0..=0.5).contains(chance));
    chance.ok_or_else(|| "a chance from 0 to 0.5".to_owned())
}

pub fn run(arguments: &Arguments) -> Outcome {
    let (player, time) = match &arguments.player {
        Some(player) => (player.clone(), arguments.seconds),
        None => {
            let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get).min(256);
            let player = format!("go:threads={threads}");
            (player, arguments.seconds.or(Some(Duration::from_secs(2))))
        }
    };
    let lag = Duration::from_millis(arguments.lag);
    let options = Options { player, time, lag, resign: arguments.resign, ponder: arguments.ponder };
    match serve(std::io::stdin(), std::io::stdout(), Registry, options) {
        // A reader that went away is no mistake of ours.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome.map_err(|error| error.to_string()),
    }
}

/// All players of the registry, and the engine's judgement.
struct Registry;

/// Enough for dead stones to be told from living ones, little enough not to be waited for.
const JUDGING_PLAYOUTS: u32 = 1000;

impl Players for Registry {
    fn build<const CELLS: usize>(&self, text: &str) -> Result<Box<dyn Player<Go<CELLS>>>, String> {
        players::build(text).map_err(|error| error.to_string())
    }

    fn params(&self, text: &str) -> Result<Vec<(ParamInfo, String)>, String> {
        let spec = PlayerSpec::read(text).map_err(|error| error.to_string())?;
        let known = players::list().into_iter().find(|player| player.name == spec.name);
        let params = known.map(|player| player.params).unwrap_or_default();
        let value = |info: ParamInfo| {
            let set = spec.settings.iter().rev().find(|(name, _)| name == info.name).map(|(_, value)| value.clone());
            let value = set.unwrap_or_else(|| info.default.clone());
            (info, value)
        };
        Ok(params.into_iter().map(value).collect())
    }

    fn with_param(&self, text: &str, name: &str, value: &str) -> Result<String, String> {
        let mut spec = PlayerSpec::read(text).map_err(|error| error.to_string())?;
        let params = self.params(text)?;
        if !params.iter().any(|(info, _)| info.name == name) {
            return Err(unknown("parameter", name, params.iter().map(|(info, _)| info.name)));
        }
        spec.settings.retain(|(known, _)| known != name);
        spec.settings.push((name.to_owned(), value.to_owned()));
        let text = spec.to_string();
        // Whether the value is one, the player itself says best.
        players::build::<Go9>(&text).map_err(|error| error.to_string())?;
        Ok(text)
    }

    fn judge<const CELLS: usize>(&self, position: &Go<CELLS>) -> Judgement {
        let judgement = tengen_go::judge(position, JUDGING_PLAYOUTS, 1);
        let lead = match position.rules().scoring() {
            Scoring::Area => judgement.score_area,
            Scoring::Territory => judgement.score_territory,
        };
        Judgement {
            dead: judgement.dead_stones(),
            ownership: judgement.ownership,
            seki: Some(judgement.seki),
            lead: Some(lead),
        }
    }

    fn influence<const CELLS: usize>(&self, position: &Go<CELLS>) -> Vec<f32> {
        tengen_go::influence(position)
    }
}
