//! One game being played, seen from outside: everything is text, and every text is checked.

use crate::face::Tell;
use crate::game::Game;
use crate::registry::{Visitor, with_game};
use crate::shown::Show;
use crate::{Setup, SetupError, players};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Instant;
use tengen_core::perft::{divide, perft};
use tengen_core::{Drawn, Line, Outcome, Position, Pov, Reason, Rng, Side, TextError, Turn, Value, refuse, sample};
use tengen_lore::solve::{Exact, Leash, Solve};
use tengen_search::{Clock, Lead, Limits, Player, PlayerError, Thought, Watch};

/// The moves of chance with their probabilities.
pub type Chances = Vec<(String, f32)>;

/// A piece to be put on the board: its side and its shape, as they are drawn.
pub type Placed = (Side, String);

/// Everything there is to see at a table.
#[derive(Clone, PartialEq, Debug)]
pub struct View {
    /// The position as text.
    pub position: String,
    /// What comes next.
    pub turn: Turn,
    /// The side that decides or rolls.
    pub to_move: Side,
    /// The legal moves; empty at a chance event and at the end.
    pub legal: Vec<String>,
    /// What chance may bring; empty unless it is chance's turn.
    pub chances: Chances,
    /// Moves played so far.
    pub ply: usize,
    /// The position's key.
    pub key: u64,
    /// What to draw.
    pub drawn: Drawn,
    /// What the sides are called.
    pub sides: [&'static str; 2],
    /// The last move, and the cells it touched.
    pub last: Option<(String, Vec<String>)>,
}

impl View {
    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.turn {
            Turn::Over(outcome) => Some(outcome),
            _ => None,
        }
    }
}

/// A candidate move in text.
#[derive(Clone, PartialEq, Debug)]
pub struct TextCandidate {
    /// The move.
    pub mv: String,
    /// Simulations or nodes spent on it.
    pub visits: u64,
    /// Its value.
    pub value: Pov<Value>,
    /// How good it looked at first sight.
    pub prior: Option<f32>,
    /// Who is how far ahead after it.
    pub lead: Option<Pov<Lead>>,
    /// The line it expects, beginning with the move.
    pub pv: Vec<String>,
}

/// A thought in text.
#[derive(Clone, PartialEq, Debug)]
pub struct TextThought {
    /// The move the player would play.
    pub best: String,
    /// The position's value.
    pub value: Pov<Value>,
    /// Positions looked at.
    pub nodes: u64,
    /// Depth reached.
    pub depth: u32,
    /// The line it expects.
    pub pv: Vec<String>,
    /// All moves it looked at, the best first.
    pub candidates: Vec<TextCandidate>,
    /// Who is how far ahead.
    pub lead: Option<Pov<Lead>>,
    /// To whom each cell will belong, as drawn: +1 `First`, −1 `Second`; empty unless the player estimates it.
    pub ownership: Vec<f32>,
}

/// Exact values in text, for the side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct TextSolution {
    /// What the position is worth.
    pub exact: Exact,
    /// Every legal move with its worth, the best first.
    pub moves: Vec<(String, Exact)>,
}

/// The caller's side of a thought: see [`Watch`].
pub struct TextWatch<'a> {
    /// Time since the thinking began.
    pub clock: &'a dyn Clock,
    /// Set to have the answer now.
    pub stop: &'a AtomicBool,
    /// Hears what has been found so far.
    pub report: &'a mut dyn FnMut(&TextThought),
}

/// Why something could not be done at a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayError {
    /// What is wrong.
    Refused(TextError),
    /// The player gives the game up.
    Resigned,
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::Refused(why) => why.fmt(f),
            PlayError::Resigned => PlayerError::Resigned.fmt(f),
        }
    }
}

impl std::error::Error for PlayError {}

impl From<TextError> for PlayError {
    fn from(error: TextError) -> Self {
        PlayError::Refused(error)
    }
}

fn refused(what: impl Into<String>) -> PlayError {
    TextError::because(Reason::Illegal, what).into()
}

/// One game being played.
pub trait Table: Tell + Show + Send {
    /// Everything there is to see.
    fn view(&self) -> View;

    /// What comes next, and the side that decides or rolls: of all there is to see what costs little.
    fn turn(&self) -> (Turn, Side);

    /// The position as text.
    fn position(&self) -> String;

    /// Plays a move, or at a chance event says what chance brought.
    fn play(&mut self, mv: &str) -> Result<(), PlayError>;

    /// Begins anew from the position now with these cells changed, each empty or a side and a shape: on a board that was `cleared` first,
    /// or as it is. Without a side it is the turn of the same one.
    fn edit(
        &mut self,
        puts: &[(String, Option<Placed>)],
        to_move: Option<Side>,
        cleared: bool,
    ) -> Result<(), PlayError>;

    /// Lets chance decide; says what it brought, or `None` if it was not chance's turn.
    fn roll(&mut self, rng: &mut Rng) -> Option<String>;

    /// Takes moves back, and forgets them.
    fn undo(&mut self, plies: usize) -> Result<(), PlayError>;

    /// Goes to a ply of the line without forgetting what came after it.
    fn seek(&mut self, ply: usize) -> Result<(), PlayError>;

    /// Lets a player think about the position; nothing is played. A player is kept from move to move, with what it
    /// remembers of the game.
    fn think(&mut self, player: &str, limits: &Limits, watch: &mut TextWatch<'_>) -> Result<TextThought, PlayError>;

    /// Lets a player think on while it is somebody else's turn, until anything else is asked of the table. What it finds
    /// stays with it, so it helps players that remember, such as `mcts` and `alphabeta`.
    fn ponder(&mut self, player: &str) -> Result<(), PlayError>;

    /// Sends all players away: the next ones begin afresh.
    fn dismiss(&mut self);

    /// Checks that a player can be had for this game.
    fn check_player(&self, player: &str) -> Result<(), PlayError>;

    /// The exact value of the position and of every move, where it is solved and that takes no time. Nothing where something has to be
    /// searched first, at a chance event and at the end.
    fn exact(&mut self) -> Option<TextSolution>;

    /// Lines of this length from here.
    fn perft(&self, depth: u32) -> u64;

    /// The same for each move by itself.
    fn divide(&self, depth: u32) -> Vec<(String, u64)>;

    /// The moves played so far.
    fn moves(&self) -> Vec<String>;

    /// The keys of all positions of the line, the one now last.
    fn keys(&self) -> Vec<u64>;

    /// The keys of the positions that the next move, or chance, may bring.
    fn keys_after(&self) -> Vec<u64>;
}

/// Opens a table for a game.
pub fn open(id: &str, setup: &Setup) -> Result<Box<dyn Table>, SetupError> {
    struct Open;
    impl Visitor for Open {
        type Out = Box<dyn Table>;
        fn visit<P: Game>(self, start: P) -> Self::Out {
            Box::new(seat(start))
        }
    }
    with_game(id, setup, Open)
}

/// A table at which the type of the game is still known.
pub fn seat<P: Game>(start: P) -> Seat<P> {
    Seat { line: Line::new(start), later: Vec::new(), players: HashMap::new(), pondering: None, solver: None }
}

/// What comes next, and what may be played or rolled.
struct Options<M> {
    turn: Turn,
    moves: Vec<M>,
    outcomes: Vec<(M, f32)>,
}

/// The table of one game.
pub struct Seat<P: Game> {
    pub(crate) line: Line<P>,
    /// Moves beyond the ply we went back to, the next one last.
    later: Vec<P::Move>,
    /// By their texts.
    players: HashMap<String, Box<dyn Player<P>>>,
    pondering: Option<Pondering<P>>,
    /// Once it has been asked for: what solves the game, if anything does.
    solver: Option<Option<Box<dyn Solve<P>>>>,
}

/// Room for the solver behind [`Table::exact`], which is asked only where it needs little.
const SOLVER_BYTES: usize = 16 << 20;

/// A player that thinks in the background.
struct Pondering<P: Game> {
    name: String,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Box<dyn Player<P>>>,
}

impl<P: Game> Drop for Seat<P> {
    fn drop(&mut self) {
        self.stop_pondering();
    }
}

impl<P: Game> Seat<P> {
    /// Calls a pondering player back, with what it found.
    fn stop_pondering(&mut self) {
        if let Some(pondering) = self.pondering.take() {
            pondering.stop.store(true, Ordering::Relaxed);
            // A player that panicked while nobody looked is not called again.
            if let Ok(player) = pondering.thread.join() {
                self.players.insert(pondering.name, player);
            }
        }
    }

    /// A player by its text, made if it is not there yet. It is to be put back.
    fn take_player(&mut self, text: &str) -> Result<Box<dyn Player<P>>, PlayError> {
        match self.players.remove(text) {
            Some(known) => Ok(known),
            None => players::build::<P>(text).map_err(|error| refused(error.to_string())),
        }
    }

    fn thought(&self, thought: &Thought<P::Move>) -> TextThought {
        let position = self.line.position();
        let candidate = |candidate: &tengen_search::Candidate<P::Move>| TextCandidate {
            mv: position.write_move(candidate.mv),
            visits: candidate.visits,
            value: candidate.value,
            prior: candidate.prior,
            lead: candidate.lead,
            pv: self.line_text(&candidate.pv),
        };
        TextThought {
            best: position.write_move(thought.best),
            value: thought.value,
            nodes: thought.nodes,
            depth: thought.depth,
            pv: self.line_text(&thought.pv),
            candidates: thought.candidates.iter().map(candidate).collect(),
            lead: thought.lead,
            ownership: thought.ownership.clone(),
        }
    }

    /// Moves to be played one after the other from here, in text.
    fn line_text(&self, moves: &[P::Move]) -> Vec<String> {
        let mut along = self.line.position().clone();
        let write = |&mv: &P::Move| {
            let text = along.write_move(mv);
            along.play(mv);
            text
        };
        moves.iter().map(write).collect()
    }

    /// What comes next, with all moves, those of chance included.
    fn options(&self) -> Options<P::Move> {
        let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
        let turn = self.line.turn(&mut moves);
        if turn == Turn::Chance {
            self.line.position().chance(&mut outcomes);
        }
        Options { turn, moves, outcomes }
    }
}

impl<P: Game> Table for Seat<P> {
    fn view(&self) -> View {
        let position = self.line.position();
        let Options { turn, moves, outcomes } = self.options();
        let last = self.line.moves().last().map(|&mv| {
            // A move is written and drawn from the position it was played in.
            let before = &self.line.positions()[self.line.ply() - 1];
            (before.write_move(mv), before.touched(mv))
        });
        View {
            position: position.write(),
            turn,
            to_move: position.to_move(),
            legal: moves.iter().map(|&mv| position.write_move(mv)).collect(),
            chances: outcomes.iter().map(|&(mv, chance)| (position.write_move(mv), chance)).collect(),
            ply: self.line.ply(),
            key: position.key(),
            drawn: position.draw(),
            sides: P::SIDES,
            last,
        }
    }

    fn turn(&self) -> (Turn, Side) {
        (self.line.turn(&mut Vec::new()), self.line.position().to_move())
    }

    fn position(&self) -> String {
        self.line.position().write()
    }

    fn play(&mut self, mv: &str) -> Result<(), PlayError> {
        let Options { turn, moves, outcomes } = self.options();
        if let Turn::Over(outcome) = turn {
            let ended = match outcome {
                Outcome::Draw => "the game is over: it is a draw".to_owned(),
                Outcome::Win(side) => format!("the game is over: {} has won", P::SIDES[side.index()]),
            };
            return Err(TextError::because(Reason::Over, ended).into());
        }
        let mv = self.line.position().read_move(mv)?;
        if !moves.contains(&mv) && !outcomes.iter().any(|&(roll, _)| roll == mv) {
            return Err(match self.line.repeats(mv) {
                true => TextError::because(Reason::Ko, "ko: this would repeat an earlier position").into(),
                false => refused("this move is not legal here"),
            });
        }
        self.line.push(mv);
        self.later.clear();
        Ok(())
    }

    fn edit(
        &mut self,
        puts: &[(String, Option<Placed>)],
        to_move: Option<Side>,
        cleared: bool,
    ) -> Result<(), PlayError> {
        let position = self.line.position();
        let drawn = position.draw();
        let stands = |cell: &tengen_core::Cell| cell.piece.map(|piece| (piece.side, piece.shape)).filter(|_| !cleared);
        let mut cells: Vec<Option<(Side, &str)>> = drawn.cells.iter().map(stands).collect();
        for (name, piece) in puts {
            let cell = drawn.cells.iter().position(|cell| cell.name == *name);
            let cell =
                cell.ok_or_else(|| TextError::new(format!("there is no cell {} on this board", refuse(name))))?;
            cells[cell] = piece.as_ref().map(|(side, shape)| (*side, shape.as_str()));
        }
        let edited = position.arranged(&cells, to_move.unwrap_or(position.to_move()), cleared)?;
        *self = seat(edited);
        Ok(())
    }

    fn roll(&mut self, rng: &mut Rng) -> Option<String> {
        let outcomes = self.options().outcomes;
        if outcomes.is_empty() {
            return None;
        }
        let mv = sample(&outcomes, rng);
        let text = self.line.position().write_move(mv);
        self.line.push(mv);
        self.later.clear();
        Some(text)
    }

    fn undo(&mut self, plies: usize) -> Result<(), PlayError> {
        if plies > self.line.ply() {
            return Err(refused(format!("cannot take back {plies} moves: only {} were played", self.line.ply())));
        }
        for _ in 0..plies {
            self.line.pop();
        }
        self.later.clear();
        Ok(())
    }

    fn seek(&mut self, ply: usize) -> Result<(), PlayError> {
        let last = self.line.ply() + self.later.len();
        if ply > last {
            return Err(refused(format!("there is no ply {ply}: the line has {last}")));
        }
        while self.line.ply() > ply
            && let Some(mv) = self.line.pop()
        {
            self.later.push(mv);
        }
        while self.line.ply() < ply
            && let Some(mv) = self.later.pop()
        {
            self.line.push(mv);
        }
        Ok(())
    }

    fn think(&mut self, player: &str, limits: &Limits, watch: &mut TextWatch<'_>) -> Result<TextThought, PlayError> {
        self.stop_pondering();
        // Taken out while it thinks, so that its news can be written down with the line at hand.
        let mut thinker = self.take_player(player)?;
        let report = &mut *watch.report;
        let mut watch = Watch { clock: watch.clock, stop: watch.stop, report: &mut |news| report(&self.thought(news)) };
        let thought = thinker.think(&self.line, limits, &mut watch).map_err(|error| match error {
            PlayerError::Resigned => PlayError::Resigned,
            other => refused(other.to_string()),
        });
        self.players.insert(player.to_owned(), thinker);
        Ok(self.thought(&thought?))
    }

    fn ponder(&mut self, player: &str) -> Result<(), PlayError> {
        self.stop_pondering();
        if !matches!(self.options().turn, Turn::Decision(_)) {
            return Ok(());
        }
        let (mut thinker, line) = (self.take_player(player)?, self.line.clone());
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&stop);
        let think = move || {
            let mut watch = Watch { clock: &Instant::now(), stop: &told, report: &mut |_| {} };
            // Whatever comes of it is kept in the player's memory; there is nothing to answer.
            let _ = thinker.think(&line, &Limits { endless: true, ..Limits::default() }, &mut watch);
            thinker
        };
        let thread = std::thread::spawn(think);
        self.pondering = Some(Pondering { name: player.to_owned(), stop, thread });
        Ok(())
    }

    fn dismiss(&mut self) {
        self.stop_pondering();
        self.players.clear();
    }

    fn check_player(&self, player: &str) -> Result<(), PlayError> {
        players::build::<P>(player).map(|_| ()).map_err(|error| refused(error.to_string()))
    }

    fn exact(&mut self) -> Option<TextSolution> {
        if !matches!(self.line.turn(&mut Vec::new()), Turn::Decision(_)) {
            return None;
        }
        let position = self.line.position();
        let solver = self.solver.get_or_insert_with(|| P::solver(SOLVER_BYTES).ok()).as_mut()?;
        if !solver.is_instant(position) {
            return None;
        }
        let (stop, mut report) = (AtomicBool::new(false), |_| {});
        let solution = solver.solution(position, &mut Leash::new(&stop, &mut report)).ok()?;
        let moves = solution.moves.iter().map(|&(mv, exact)| (position.write_move(mv), exact)).collect();
        Some(TextSolution { exact: solution.exact, moves })
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(self.line.position(), depth)
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let position = self.line.position();
        divide(position, depth).into_iter().map(|(mv, nodes)| (position.write_move(mv), nodes)).collect()
    }

    fn moves(&self) -> Vec<String> {
        let played = self.line.positions().iter().zip(self.line.moves());
        played.map(|(position, &mv)| position.write_move(mv)).collect()
    }

    fn keys(&self) -> Vec<u64> {
        self.line.positions().iter().map(Position::key).collect()
    }

    fn keys_after(&self) -> Vec<u64> {
        let Options { moves, outcomes, .. } = self.options();
        let after = |mv: P::Move| {
            let mut position = self.line.position().clone();
            position.play(mv);
            position.key()
        };
        moves.into_iter().chain(outcomes.into_iter().map(|(roll, _)| roll)).map(after).collect()
    }
}
