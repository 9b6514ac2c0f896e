//! What a game tells people beyond its rules: how its moves are spelt, why it ended, whose king is in check, and how a
//! board is counted. Games say it in [`Face`]; a table passes it on through [`Tell`], with all types erased.

use crate::game::Game;
use crate::table::Seat;
use shakmaty::Position as _;
use std::sync::atomic::AtomicBool;
use tengen_core::{Line, Notation, Outcome, Picture, Position, Side, Turn};
use tengen_explain::{ExplainError, Request, Trace, record};
use tengen_games::backgammon::Backgammon;
use tengen_games::chess::{Board, Variant};
use tengen_games::connect4::Connect4;
use tengen_games::go::{Board as GoBoard, Go, Point, read_point};
use tengen_games::othello::Othello;
use tengen_games::pig::Pig;
use tengen_games::tictactoe::TicTacToe;
use tengen_games::yokai::{Rules, Yokai};
use tengen_go::{influence, judge};

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// Points or discs were counted.
    Score,
    /// The king is mate.
    Checkmate,
    /// No move is left, and no check given.
    Stalemate,
    /// The position came back.
    Repetition,
    /// Fifty moves without a capture or a pawn's move.
    FiftyMoves,
    /// Neither side can mate any more.
    Material,
    /// So many in a row.
    Line,
    /// The board is full.
    Full,
    /// The piece that must not be lost is lost.
    Capture,
    /// A goal was reached: the last row, the hill, the third check, a hundred points, all checkers off.
    Goal,
    /// By the rules, in a way that has no word of its own.
    Rules,
}

impl Why {
    /// In a few words, for a record.
    pub fn words(self) -> &'static str {
        match self {
            Why::Score => "score",
            Why::Checkmate => "checkmate",
            Why::Stalemate => "stalemate",
            Why::Repetition => "repetition",
            Why::FiftyMoves => "fifty moves",
            Why::Material => "insufficient material",
            Why::Line => "line",
            Why::Full => "full board",
            Why::Capture => "capture",
            Why::Goal => "goal",
            Why::Rules => "",
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct End {
    /// Who won.
    pub outcome: Outcome,
    /// Why.
    pub why: Why,
    /// By how many points `First` is ahead, where they decide.
    pub lead: Option<f32>,
}

/// A move as people see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spelling {
    /// What a table understands.
    pub text: String,
    /// What people write: SAN in chess.
    pub label: String,
    /// The cells it touches, the last one being where it ends.
    pub touched: Vec<String>,
}

/// The count of a board.
#[derive(Clone, PartialEq, Debug)]
pub struct BoardCount {
    /// The points of `First` and `Second`.
    pub points: [f32; 2],
    /// Whose each cell is, in the order in which they are drawn.
    pub owners: Vec<Option<Side>>,
}

/// A part of a board as people speak of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Area {
    TopLeft,
    Top,
    TopRight,
    Left,
    Centre,
    Right,
    BottomLeft,
    Bottom,
    BottomRight,
}

/// Stones that a side lost together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fall {
    /// Whose they were.
    pub side: Side,
    /// How many.
    pub stones: usize,
    /// Where.
    pub area: Area,
    /// The number of the move that took them; none if they stand on the board to the end, dead.
    pub taken: Option<usize>,
}

/// What a game tells people.
pub trait Face: Notation + Picture {
    /// The move as people write it.
    fn label(&self, mv: Self::Move) -> String {
        self.write_move(mv)
    }

    /// Why the position is the end of the game, which it is.
    fn why_over(&self) -> Why;

    /// By how many points `First` is ahead at the end, if points decide.
    fn lead_at_end(&self) -> Option<f32> {
        None
    }

    /// The cell of a king in check.
    fn check(&self) -> Option<String> {
        None
    }

    /// The count if the stones on these cells are dead, in games that are counted after agreement.
    fn count(&self, _dead: &[String]) -> Option<BoardCount> {
        None
    }

    /// All stones that live and die with the one on this cell; none if it is empty.
    fn chain(&self, _cell: &str) -> Vec<String> {
        Vec::new()
    }

    /// To whom each cell belongs by this many quick games from here: +1 `First`, −1 `Second`. Empty where that means nothing.
    fn ownership(&self, _games: u32, _seed: u64) -> Vec<f32> {
        Vec::new()
    }

    /// The cells with dead stones by this many quick games from here, in games that are counted after agreement.
    fn dead(&self, _games: u32, _seed: u64) -> Vec<String> {
        Vec::new()
    }

    /// The most stones that a side lost at once on the way here, or has dead on these cells, where that tells how the game went.
    fn greatest_fall(_line: &Line<Self>, _side: Side, _dead: &[String]) -> Option<Fall> {
        None
    }

    /// Who is strong where, without reading a move: +1 `First`, −1 `Second`. Empty where that means nothing.
    fn influence(&self) -> Vec<f32> {
        Vec::new()
    }
}

impl Face for TicTacToe {
    fn why_over(&self) -> Why {
        line_or_full(self)
    }
}

impl Face for Connect4 {
    fn why_over(&self) -> Why {
        line_or_full(self)
    }
}

fn line_or_full<P: Position>(position: &P) -> Why {
    match position.turn(&mut Vec::new()) {
        Turn::Over(Outcome::Win(_)) => Why::Line,
        _ => Why::Full,
    }
}

impl<const N: usize> Face for Othello<N> {
    fn why_over(&self) -> Why {
        Why::Score
    }

    fn lead_at_end(&self) -> Option<f32> {
        Some(self.lead(Side::First) as f32)
    }
}

impl<R: Rules> Face for Yokai<R> {
    fn why_over(&self) -> Why {
        match (self.captor(), self.turn(&mut Vec::new())) {
            (Some(_), _) => Why::Capture,
            (None, Turn::Over(Outcome::Win(_))) if R::SHOGI => Why::Checkmate,
            (None, Turn::Over(Outcome::Win(_))) => Why::Goal,
            _ => Why::Rules,
        }
    }
}

impl Face for Pig {
    fn why_over(&self) -> Why {
        Why::Goal
    }
}

impl Face for Backgammon {
    fn why_over(&self) -> Why {
        Why::Goal
    }
}

impl<V: Variant> Face for Board<V> {
    fn label(&self, mv: Self::Move) -> String {
        self.san(mv)
    }

    fn why_over(&self) -> Why {
        if V::ended(self.rules()).is_some() {
            // Only these two end by what is lost; the others by what is reached.
            return if matches!(V::ID, "atomic" | "horde") { Why::Capture } else { Why::Goal };
        }
        let mut moves = Vec::new();
        V::list(self.rules(), &mut moves);
        match (moves.is_empty(), self.rules().is_check()) {
            (true, true) => Why::Checkmate,
            (true, false) if V::stuck(self.rules()) == Outcome::Draw => Why::Stalemate,
            (true, false) => Why::Goal,
            (false, _) if self.rules().is_insufficient_material() => Why::Material,
            (false, _) => Why::FiftyMoves,
        }
    }

    fn check(&self) -> Option<String> {
        let rules = self.rules();
        rules.is_check().then(|| rules.board().king_of(rules.turn())).flatten().map(|king| king.to_string())
    }
}

/// Where most of these stones are: the board in three by three parts.
fn area<const CELLS: usize>(board: &GoBoard<CELLS>, stones: &[Point]) -> Area {
    let (mut columns, mut rows) = (0, 0);
    for &point in stones {
        let (column, row) = board.coordinates(point);
        columns += column;
        rows += row;
    }
    let part = |sum: usize| 3 * (2 * sum + stones.len()) / (2 * board.size() * stones.len()).max(1);
    match (part(columns), part(rows)) {
        (0, 0) => Area::TopLeft,
        (1, 0) => Area::Top,
        (_, 0) => Area::TopRight,
        (0, 1) => Area::Left,
        (1, 1) => Area::Centre,
        (_, 1) => Area::Right,
        (0, _) => Area::BottomLeft,
        (1, _) => Area::Bottom,
        _ => Area::BottomRight,
    }
}

/// Stones that lie close together: none of a cluster is more than two lines from its next.
fn clusters<const CELLS: usize>(board: &GoBoard<CELLS>, mut stones: Vec<Point>) -> Vec<Vec<Point>> {
    let mut clusters = Vec::new();
    while let Some(first) = stones.pop() {
        let mut cluster = vec![first];
        let mut next = 0;
        while let Some(&from) = cluster.get(next) {
            next += 1;
            let (column, row) = board.coordinates(from);
            let is_near = |&mut point: &mut Point| {
                let (x, y) = board.coordinates(point);
                x.abs_diff(column) <= 2 && y.abs_diff(row) <= 2
            };
            cluster.extend(stones.extract_if(.., is_near));
        }
        clusters.push(cluster);
    }
    clusters
}

impl<const CELLS: usize> Face for Go<CELLS> {
    fn why_over(&self) -> Why {
        Why::Score
    }

    fn lead_at_end(&self) -> Option<f32> {
        Some(Go::count(self, &[]).lead())
    }

    fn count(&self, dead: &[String]) -> Option<BoardCount> {
        let dead: Vec<Point> = dead.iter().filter_map(|cell| read_point(self.size(), cell).ok()).collect();
        let count = Go::count(self, &dead);
        Some(BoardCount { points: [count.black, count.white], owners: count.owners })
    }

    fn chain(&self, cell: &str) -> Vec<String> {
        let point = read_point(self.size(), cell).ok().filter(|&point| self.board().colour(point).is_some());
        let stones = point.into_iter().flat_map(|point| self.board().chain_stones(point));
        stones.map(|point| self.point_name(point)).collect()
    }

    fn ownership(&self, games: u32, seed: u64) -> Vec<f32> {
        judge(self, games, seed).ownership
    }

    fn greatest_fall(line: &Line<Self>, side: Side, dead: &[String]) -> Option<Fall> {
        /// Fewer are no story.
        const WORTH_TELLING: usize = 4;
        let board = line.position().board();
        let fall = |stones: &[Point], taken| Fall { side, stones: stones.len(), area: area(board, stones), taken };
        let taken = line.positions().windows(2).enumerate().map(|(index, pair)| {
            let own = |go: &Self, point| go.board().colour(point) == Some(side);
            let lost = |&point: &Point| own(&pair[0], point) && !own(&pair[1], point);
            fall(&board.points().filter(lost).collect::<Vec<_>>(), Some(index + 1))
        });
        let own = |&point: &Point| board.colour(point) == Some(side);
        let dead: Vec<Point> = dead.iter().filter_map(|cell| read_point(board.size(), cell).ok()).filter(own).collect();
        let left = clusters(board, dead).into_iter().map(|stones| fall(&stones, None));
        taken.chain(left).filter(|fall| fall.stones >= WORTH_TELLING).max_by_key(|fall| fall.stones)
    }

    fn dead(&self, games: u32, seed: u64) -> Vec<String> {
        judge(self, games, seed).dead_stones().into_iter().map(|point| self.point_name(point)).collect()
    }

    fn influence(&self) -> Vec<f32> {
        influence(self)
    }
}

/// What a table tells people about its game.
pub trait Tell {
    /// The legal moves as people see them; empty at a chance event and at the end.
    fn choices(&self) -> Vec<Spelling>;

    /// These moves as people see them, played one after the other from here; as far as they are legal.
    fn spell(&self, moves: &[String]) -> Vec<Spelling>;

    /// The last move as people see it.
    fn last(&self) -> Option<Spelling>;

    /// How the game ended, if it has.
    fn end(&self) -> Option<End>;

    /// The cell of a king in check.
    fn check(&self) -> Option<String>;

    /// The count if the stones on these cells are dead, in games that are counted after agreement.
    fn count(&self, dead: &[String]) -> Option<BoardCount>;

    /// All stones that live and die with the one on this cell.
    fn chain(&self, cell: &str) -> Vec<String>;

    /// To whom each cell belongs by this many quick games: see [`Face::ownership`].
    fn ownership(&self, games: u32, seed: u64) -> Vec<f32>;

    /// The cells with dead stones by this many quick games: see [`Face::dead`].
    fn dead(&self, games: u32, seed: u64) -> Vec<String>;

    /// The most stones that a side lost at once: see [`Face::greatest_fall`].
    fn greatest_fall(&self, side: Side, dead: &[String]) -> Option<Fall>;

    /// Who is strong where: see [`Face::influence`].
    fn influence(&self) -> Vec<f32>;

    /// Searches from here and writes down every step; when `stop` is set, no more than has to be.
    fn explain(&self, request: &Request, stop: &AtomicBool) -> Result<Trace, ExplainError>;
}

fn spelling<P: Game>(position: &P, mv: P::Move) -> Spelling {
    Spelling { text: position.write_move(mv), label: position.label(mv), touched: position.touched(mv) }
}

impl<P: Game> Tell for Seat<P> {
    fn choices(&self) -> Vec<Spelling> {
        let mut moves = Vec::new();
        self.line.turn(&mut moves);
        moves.into_iter().map(|mv| spelling(self.line.position(), mv)).collect()
    }

    fn spell(&self, moves: &[String]) -> Vec<Spelling> {
        let mut along = self.line.position().clone();
        let spell = |text: &String| {
            let mv = along.read_move(text).ok()?;
            // `read_move` names legal moves only, repetition apart, and that harms no drawing.
            let spelt = spelling(&along, mv);
            along.play(mv);
            Some(spelt)
        };
        moves.iter().map_while(spell).collect()
    }

    fn last(&self) -> Option<Spelling> {
        let before = self.line.positions().iter().rev().nth(1)?;
        self.line.moves().last().map(|&mv| spelling(before, mv))
    }

    fn end(&self) -> Option<End> {
        let Turn::Over(outcome) = self.line.turn(&mut Vec::new()) else {
            return None;
        };
        let position = self.line.position();
        let by_position = matches!(position.turn(&mut Vec::new()), Turn::Over(_));
        // What only the line knows is repetition, or a goal held until the other had his say (Yokai 3x4).
        let why = match outcome {
            _ if by_position => position.why_over(),
            Outcome::Win(_) => Why::Goal,
            Outcome::Draw => Why::Repetition,
        };
        Some(End { outcome, why, lead: position.lead_at_end().filter(|_| why == Why::Score) })
    }

    fn check(&self) -> Option<String> {
        self.line.position().check()
    }

    fn count(&self, dead: &[String]) -> Option<BoardCount> {
        Face::count(self.line.position(), dead)
    }

    fn chain(&self, cell: &str) -> Vec<String> {
        Face::chain(self.line.position(), cell)
    }

    fn ownership(&self, games: u32, seed: u64) -> Vec<f32> {
        Face::ownership(self.line.position(), games, seed)
    }

    fn dead(&self, games: u32, seed: u64) -> Vec<String> {
        Face::dead(self.line.position(), games, seed)
    }

    fn greatest_fall(&self, side: Side, dead: &[String]) -> Option<Fall> {
        P::greatest_fall(&self.line, side, dead)
    }

    fn explain(&self, request: &Request, stop: &AtomicBool) -> Result<Trace, ExplainError> {
        record(&self.line, &mut P::heuristic(), request, stop)
    }

    fn influence(&self) -> Vec<f32> {
        Face::influence(self.line.position())
    }
}
