//! `tengen duel`: two players over many games, and what that says about them.

use crate::Outcome;
use crate::live::Live;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tengen_arena::report::page;
use tengen_arena::{
    Adjudication, Bounds, Conduct, DrawRule, Entrant, Format, MOST_GAMES, OnCrash, OpeningSettings, Origin, Report,
    ResignRule, Settings, SprtSettings, Store, TimeControl, check, gather, run as run_match,
};
use tengen_record::database::Database;
use tengen_table::{Handicap, Setup};

/// Let two players play many games and say who is stronger
#[derive(clap::Args)]
#[command(after_help = "Examples: tengen duel alphabeta:depth=6 mcts:visits=800 --game connect4 --games 200
          tengen duel 'uci:stockfish [UCI_LimitStrength=true,UCI_Elo=1500]' uci:toga2 --game chess --games 100 --clock 5+0.05
          tengen duel 'gtp:gnugo --mode gtp --level 10 --chinese-rules' mcts:visits=5000,rave=on --game go9 --games 40
          tengen duel mcts:visits=800,rave=on mcts:visits=800 --game go9 --games 20000 --sprt 0,10 --out games.db --resume
Games are played in pairs: the same opening with sides exchanged. docs/arena.md says the rest.")]
pub struct Arguments {
    /// One player, as in mcts:visits=800, uci:stockfish or 'gtp:gnugo --mode gtp'
    a: String,
    /// The other one
    b: String,
    #[command(flatten)]
    games: Games,
    #[command(flatten)]
    conduct: ConductArguments,
}

/// What is played.
#[derive(clap::Args)]
struct Games {
    /// The game's id, as `tengen games` lists them
    #[arg(long)]
    game: String,
    /// How many games
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: u64,
    /// Openings, dice and the players' seeds follow from this number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Openings from this file: positions (.epd, .fen), games (.pgn, .sgf), or lines of moves; else seeded random walks
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Random moves before the players begin; 0 starts every game at the start
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=1000))]
    plies: Option<u32>,
    /// How far the random moves may change a quick search's opinion, from 0 to 1
    #[arg(long, value_name = "VALUE", default_value_t = 0.35)]
    balance: f32,
    /// Stop when it is clear whether the first player is ELO0 or ELO1 stronger
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// The chances of either error in the test
    #[arg(long, value_name = "ALPHA,BETA", default_value = "0.05,0.05", requires = "sprt")]
    risk: String,
    /// The test's differences are normalised Elo
    #[arg(long, requires = "sprt")]
    normalised: bool,
    /// A clock: 5+0.05, 40/60, 60+3x10 (byo-yomi), 60+25/300 (Canadian); given twice, one for each player
    #[arg(long, value_name = "CONTROL")]
    clock: Vec<String>,
    /// Milliseconds a move; given twice, one for each player
    #[arg(long, value_name = "N")]
    ms: Vec<u64>,
    /// Positions a move; given twice, one for each player
    #[arg(long, value_name = "N")]
    nodes: Vec<u64>,
    /// Plies to look ahead; given twice, one for each player
    #[arg(long, value_name = "N")]
    depth: Vec<u32>,
    /// Simulations a move; given twice, one for each player
    #[arg(long, value_name = "N")]
    visits: Vec<u64>,
    /// A game is lost when both players have valued it so for so many moves, as in 0.95,4
    #[arg(long, value_name = "VALUE,MOVES")]
    resign: Option<String>,
    /// A game is drawn when both have valued it less than this for so many moves from a ply on, as in 0.02,8,60
    #[arg(long, value_name = "VALUE,MOVES[,PLY]")]
    draw: Option<String>,
    /// After so many plies a game is a draw, or counted in Go
    #[arg(long, value_name = "PLIES")]
    max_moves: Option<u32>,
    /// A directory of Syzygy tablebases that end games of chess
    #[arg(long, value_name = "DIR")]
    tablebase: Option<PathBuf>,
    /// Games end when the game's solver knows the outcome at once (tic-tac-toe, Connect Four, Othello)
    #[arg(long)]
    solver: bool,
    /// Go: chinese, japanese, french, aga or tromp-taylor
    #[arg(long)]
    rules: Option<String>,
    /// Go: points for White
    #[arg(long, allow_hyphen_values = true)]
    komi: Option<f64>,
    /// Go: handicap stones for Black
    #[arg(long)]
    handicap: Option<u8>,
    /// Begin here instead of at the start
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// What the match is called in the database
    #[arg(long)]
    name: Option<String>,
}

/// How a match is run and shown: the same for duels and tournaments.
#[derive(clap::Args)]
pub struct ConductArguments {
    /// Games at the same time; never more than the cores can take
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub concurrency: usize,
    /// Every game stays on cores of its own (Linux): steadier times, if nothing else runs on the machine
    #[arg(long)]
    pub affinity: bool,
    /// What happens when an engine crashes or hangs: the match stops, or the game is lost and the engine started anew
    #[arg(long, value_name = "restart|stop", value_parser = ["restart", "stop"], default_value = "stop")]
    pub on_crash: String,
    /// Milliseconds over the time that are forgiven
    #[arg(long, value_name = "MS", default_value_t = 100, value_parser = clap::value_parser!(u64).range(..=86_400_000))]
    pub margin: u64,
    /// Keep all games in this database
    #[arg(long, value_name = "DB")]
    pub out: Option<PathBuf>,
    /// Go on with the match of this name in the database
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Write a page with tables, curves and all games on boards
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// One JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

impl ConductArguments {
    fn conduct(&self) -> Conduct {
        Conduct {
            concurrency: self.concurrency,
            affinity: self.affinity,
            on_crash: if self.on_crash == "restart" { OnCrash::Restart } else { OnCrash::Stop },
            margin: Duration::from_millis(self.margin),
            keep: self.report.is_some(),
        }
    }

    /// Checks the settings, plays, and says what came of it.
    pub fn play(&self, settings: &mut Settings, kind: &str) -> Outcome {
        check(settings)?;
        let origin = origin();
        let mut database = self.out.as_deref().map(Database::open).transpose().map_err(|error| error.to_string())?;
        let store = database.as_mut().map(|database| Store { database, resume: self.resume, kind, origin: &origin });
        let mut live = Live::new(settings);
        let report = run_match(settings, &self.conduct(), store, &mut live)?;
        live.finish();
        if let Some(file) = &self.report {
            let page = page(&gather(&report, &origin));
            std::fs::write(file, page).map_err(|error| format!("{}: {error}", file.display()))?;
        }
        self.show(&report)
    }

    fn show(&self, report: &Report) -> Outcome {
        if self.json {
            say!("{}", report.to_json());
        } else {
            say!("{}", report.to_text().trim_end());
            let rate = report.played as f64 / report.seconds.max(1e-9);
            say!("seconds   {:.1}, {rate:.*} games/s", report.seconds, if rate < 10.0 { 2 } else { 0 });
        }
        match &report.stopped {
            None => Ok(()),
            Some(why) => Err(format!("stopped by {why}{}", self.how_to_go_on())),
        }
    }

    fn how_to_go_on(&self) -> &'static str {
        match (&self.out, self.on_crash.as_str()) {
            (Some(_), "stop") => " (go on with --resume, and with --on-crash restart if it is to count as a lost game)",
            (None, "stop") => " (with --on-crash restart it counts as a lost game)",
            _ => "",
        }
    }
}

/// Where the figures of this run come from.
pub fn origin() -> Origin {
    Origin { command: command(), revision: env!("TENGEN_VERSION").to_owned() }
}

/// The command line that was given, as a shell would read it again.
fn command() -> String {
    let plain = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || "-_=.,:/+".contains(c));
    let words = std::env::args().skip(1);
    let quoted = words.map(|word| if plain(&word) { word } else { format!("'{}'", word.replace('\'', "'\\''")) });
    std::iter::once("tengen".to_owned()).chain(quoted).collect::<Vec<_>>().join(" ")
}

pub fn run(arguments: &Arguments) -> Outcome {
    let mut settings = settings(arguments)?;
    arguments.conduct.play(&mut settings, "duel")
}

fn settings(arguments: &Arguments) -> Result<Settings, String> {
    let games = &arguments.games;
    let bounds = [bounds(games, 0)?, bounds(games, 1)?];
    let mut players = [Entrant::new(&arguments.a), Entrant::new(&arguments.b)];
    let mut limits = Bounds::default();
    if bounds[0] == bounds[1] {
        limits = bounds[0].clone();
    } else {
        for (player, bounds) in players.iter_mut().zip(bounds) {
            player.limits = Some(bounds);
        }
    }
    Ok(Settings {
        name: games.name.clone().unwrap_or_default(),
        game: games.game.clone(),
        setup: Setup {
            position: games.position.clone(),
            rules: games.rules.clone(),
            komi: games.komi,
            handicap: games.handicap.map(Handicap::Fixed),
            seed: None,
        },
        format: Format::RoundRobin,
        games: games.games,
        rounds: None,
        seed: games.seed,
        openings: OpeningSettings {
            plies: games.plies,
            balance: games.balance,
            file: absolute(games.openings.as_deref())?,
            digest: None,
        },
        limits,
        adjudication: Adjudication {
            resign: games.resign.as_deref().map(resign).transpose()?,
            draw: games.draw.as_deref().map(draw).transpose()?,
            max_plies: games.max_moves,
            tablebase: games.tablebase.clone(),
            solver: games.solver,
        },
        sprt: games.sprt.as_deref().map(|text| sprt(text, games)).transpose()?,
        needs: None,
        players: players.to_vec(),
    })
}

/// A path that means the same wherever the match goes on.
fn absolute(path: Option<&Path>) -> Result<Option<PathBuf>, String> {
    path.map(|path| std::path::absolute(path).map_err(|error| format!("{}: {error}", path.display()))).transpose()
}

/// The bounds of one of the two players: an option that was given once is for both.
fn bounds(games: &Games, player: usize) -> Result<Bounds, String> {
    fn one<T: Clone>(name: &str, values: &[T], player: usize) -> Result<Option<T>, String> {
        match values.len() {
            0..=2 => Ok(values.get(player).or(values.first()).cloned()),
            more => Err(format!("--{name} was given {more} times: it is for both players, or one for each")),
        }
    }
    let clock = one("clock", &games.clock, player)?;
    Ok(Bounds {
        clock: clock.map(|text| TimeControl::read(&text)).transpose()?,
        ms: one("ms", &games.ms, player)?,
        nodes: one("nodes", &games.nodes, player)?,
        depth: one("depth", &games.depth, player)?,
        visits: one("visits", &games.visits, player)?,
    })
}

/// Numbers between commas.
fn numbers(name: &str, text: &str, form: &str) -> Result<Vec<f64>, String> {
    let numbers = text.split(',').map(|part| part.trim().parse::<f64>().ok().filter(|number| number.is_finite()));
    numbers.collect::<Option<Vec<f64>>>().ok_or_else(|| format!("--{name} is {form}, not `{text}`"))
}

fn resign(text: &str) -> Result<ResignRule, String> {
    let form = "VALUE,MOVES as in 0.95,4";
    match *numbers("resign", text, form)?.as_slice() {
        [value, moves] if moves >= 1.0 => Ok(ResignRule { value: value as f32, moves: moves as u32 }),
        _ => Err(format!("--resign is {form}, not `{text}`")),
    }
}

fn draw(text: &str) -> Result<DrawRule, String> {
    let form = "VALUE,MOVES[,PLY] as in 0.02,8,60";
    match *numbers("draw", text, form)?.as_slice() {
        [value, moves] if moves >= 1.0 => Ok(DrawRule { value: value as f32, moves: moves as u32, from: 0 }),
        [value, moves, from] if moves >= 1.0 => {
            Ok(DrawRule { value: value as f32, moves: moves as u32, from: from as u32 })
        }
        _ => Err(format!("--draw is {form}, not `{text}`")),
    }
}

fn sprt(text: &str, games: &Games) -> Result<SprtSettings, String> {
    let two = |name: &str, text: &str| match *numbers(name, text, "two numbers with a comma")?.as_slice() {
        [a, b] => Ok((a, b)),
        _ => Err(format!("--{name} is two numbers with a comma, not `{text}`")),
    };
    let ((elo0, elo1), (alpha, beta)) = (two("sprt", text)?, two("risk", &games.risk)?);
    Ok(SprtSettings { elo0, elo1, alpha, beta, normalised: games.normalised })
}
