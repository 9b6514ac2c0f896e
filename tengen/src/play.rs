//! `tengen play`: a game in the terminal, against a player or between two of them.

use crate::Outcome;
use crate::board::{Paint, render};
use crate::env::read_line;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tengen_core::{Rng, Side, Turn};
use tengen_search::Limits;
use tengen_table::registry::{self, GAMES};
use tengen_table::{Handicap, PlayError, Setup, Table, TextThought, TextWatch, View, open};

/// Play a game in the terminal
#[derive(clap::Args, Default)]
#[command(after_help = "Examples: tengen play go9
          tengen play chess --first human --second minimax:depth=3
          tengen play othello --first random --second minimax")]
pub struct Arguments {
    /// The game's id, as `tengen games` lists them; without one there is a menu
    game: Option<String>,
    /// Who plays first: `human` or a player like `minimax:depth=4`
    #[arg(long)]
    first: Option<String>,
    /// Who plays second
    #[arg(long)]
    second: Option<String>,
    /// Begin here instead of at the start
    #[arg(long)]
    position: Option<String>,
    /// Go: chinese, japanese, french, aga or tromp-taylor; Yokai 5x6: yokai or gorogoro
    #[arg(long)]
    rules: Option<String>,
    /// Go: points for White
    #[arg(long, allow_hyphen_values = true)]
    komi: Option<f64>,
    /// Go: handicap stones for Black
    #[arg(long)]
    handicap: Option<u8>,
    /// Decides dice and the start position of Chess960; without one they differ from game to game
    #[arg(long)]
    seed: Option<u64>,
    /// Let the machine think on your time too
    #[arg(long)]
    ponder: bool,
    /// No colours
    #[arg(long)]
    plain: bool,
}

const HUMAN: &str = "human";

const HELP: &str = "  a move      as the board names it (`moves` lists them all)
  moves       the legal moves
  hint        what the machine would play
  undo        take your last move back
  board       show the board again
  position    the position as text, for --position
  resign      give up
  quit        leave";

pub fn run(arguments: &Arguments) -> Outcome {
    let mut input = Input;
    let game = match &arguments.game {
        Some(game) => game.clone(),
        None => match menu(&mut input) {
            Some(game) => game,
            None => return Ok(()),
        },
    };
    let setup = Setup {
        position: arguments.position.clone(),
        rules: arguments.rules.clone(),
        komi: arguments.komi,
        handicap: arguments.handicap.map(Handicap::Fixed),
        seed: arguments.seed,
    };
    let table = open(&game, &setup).map_err(|error| error.to_string())?;
    let opponent = registry::opponent(&game);
    let players = [
        arguments.first.clone().unwrap_or_else(|| HUMAN.to_owned()),
        arguments.second.clone().unwrap_or_else(|| opponent.to_owned()),
    ];
    for player in players.iter().filter(|player| *player != HUMAN) {
        table.check_player(player).map_err(|error| error.to_string())?;
    }
    let colour = !arguments.plain && io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let rng = arguments.seed.map_or_else(Rng::new, Rng::with_seed);
    let ponder = arguments.ponder;
    Game { table, players, opponent, paint: Paint { colour }, rng, input, ponder }.play()
}

/// Lines from the keyboard; `None` when there are no more.
struct Input;

impl Input {
    fn ask(&mut self, prompt: &str) -> Option<String> {
        let mut output = io::stdout();
        let _ = write!(output, "{prompt}").and_then(|()| output.flush());
        // What is too long or no text is no move either: it reads as an empty line.
        read_line(&mut io::stdin().lock()).ok()?.map(|line| line.unwrap_or_default().trim().to_owned())
    }
}

/// Asks for a game until one is named; `None` when the input ends.
fn menu(input: &mut Input) -> Option<String> {
    say!("Tengen plays:\n");
    for (number, game) in (1..).zip(GAMES) {
        say!("  {number:>2}  {:<12} {}: {}", game.id, game.title, game.about);
    }
    loop {
        let answer = input.ask("\nWhich one (number or id, quit to leave)? ")?;
        if answer == "quit" || answer == "q" {
            return None;
        }
        let by_number = answer.parse::<usize>().ok().and_then(|number| GAMES.get(number.checked_sub(1)?));
        if let Some(game) = by_number {
            return Some(game.id.to_owned());
        }
        match open(&answer, &Setup::standard()) {
            Ok(_) => return Some(answer),
            Err(error) => say!("{error}"),
        }
    }
}

struct Game {
    table: Box<dyn Table>,
    players: [String; 2],
    /// Whom to ask for a hint.
    opponent: &'static str,
    paint: Paint,
    rng: Rng,
    input: Input,
    ponder: bool,
}

/// What a person wants next.
enum Wish {
    GoOn,
    Leave,
}

impl Game {
    fn play(&mut self) -> Outcome {
        say!("Type a move, or help.\n");
        self.show();
        loop {
            let view = self.table.view();
            match view.turn {
                Turn::Over(outcome) => {
                    say!("{}", sentence(outcome, view.sides));
                    return Ok(());
                }
                Turn::Chance => {
                    if let Some(roll) = self.table.roll(&mut self.rng) {
                        say!("{} rolls {}", view.sides[view.to_move.index()], self.paint.style("1", &roll));
                    }
                }
                Turn::Decision(side) if self.players[side.index()] == HUMAN => {
                    if let Wish::Leave = self.ask(&view, side) {
                        return Ok(());
                    }
                }
                Turn::Decision(side) => {
                    let player = self.players[side.index()].clone();
                    let name = view.sides[side.index()];
                    let thought = match self.think(&player) {
                        Err(PlayError::Resigned) => {
                            say!("{name} resigns. {}", sentence(tengen_core::Outcome::Win(side.other()), view.sides));
                            return Ok(());
                        }
                        thought => thought.map_err(|error| error.to_string())?,
                    };
                    say!("{name} plays {}  {}", self.paint.style("1", &thought.best), opinion(&thought, side));
                    self.table.play(&thought.best).map_err(|error| format!("{player} answered nonsense: {error}"))?;
                    self.show();
                }
            }
        }
    }

    fn show(&self) {
        say!("\n{}", render(&self.table.view(), self.paint));
    }

    /// One line from a person.
    fn ask(&mut self, view: &View, side: Side) -> Wish {
        let machine = &self.players[side.other().index()];
        if self.ponder && machine != HUMAN {
            // A player that cannot ponder only loses time nobody misses.
            let _ = self.table.ponder(machine);
        }
        let prompt = format!("{} to move: ", view.sides[side.index()]);
        let Some(answer) = self.input.ask(&prompt) else {
            say!("");
            return Wish::Leave;
        };
        match answer.as_str() {
            "" => {}
            "help" | "?" => say!("{HELP}"),
            "moves" => say!("  {}", view.legal.join("  ")),
            "board" => self.show(),
            "position" => say!("  {}", view.position),
            "hint" => match self.think(self.opponent) {
                Ok(thought) => say!("  {}  {}", thought.best, opinion(&thought, side)),
                Err(complaint) => say!("  {complaint}"),
            },
            "undo" => {
                self.undo();
                self.show();
            }
            "resign" => {
                say!("{}", sentence(tengen_core::Outcome::Win(side.other()), view.sides));
                return Wish::Leave;
            }
            "quit" | "exit" => return Wish::Leave,
            mv => match self.table.play(mv) {
                Ok(()) => self.show(),
                Err(error) => say!("  {error} — `moves` lists what is legal, `help` everything else"),
            },
        }
        Wish::GoOn
    }

    /// Back to the last decision of a person.
    fn undo(&mut self) {
        let now = self.table.view().ply;
        let back = (0..now).rev().find(|&ply| {
            let turn = self.table.seek(ply).map(|()| self.table.view().turn);
            matches!(turn, Ok(Turn::Decision(side)) if self.players[side.index()] == HUMAN)
        });
        // Looking for it walked along the line: come back before anything is forgotten.
        let undone = self.table.seek(now).and_then(|()| self.table.undo(back.map_or(0, |ply| now - ply)));
        if back.is_none() || undone.is_err() {
            say!("  there is nothing to take back");
        }
    }

    fn think(&mut self, player: &str) -> Result<TextThought, PlayError> {
        let (start, stop) = (Instant::now(), AtomicBool::new(false));
        let mut watch = TextWatch { clock: &start, stop: &stop, report: &mut |_| {} };
        self.table.think(player, &Limits::default(), &mut watch)
    }
}

/// What the machine makes of it, in words a player understands.
fn opinion(thought: &TextThought, side: Side) -> String {
    let chance = (thought.value.seen_by(side) + 1.0) * 50.0;
    format!("({chance:.0} % for it, {} positions)", thought.nodes)
}

fn sentence(outcome: tengen_core::Outcome, sides: [&str; 2]) -> String {
    match outcome {
        tengen_core::Outcome::Draw => "It is a draw.".to_owned(),
        tengen_core::Outcome::Win(side) => format!("{} wins.", sides[side.index()]),
    }
}
