//! From a table to what a page draws.

use crate::message::{Ahead, Area, By, Candidate, Chance, Fall, GameResult, Move, View, Winner};
use tengen_core::{Pov, Side};
use tengen_search::Lead;
use tengen_table::{End, Spelling, Table, TextCandidate, TextThought, Why};

impl From<Spelling> for Move {
    fn from(spelt: Spelling) -> Self {
        Move { mv: spelt.text, label: spelt.label, touched: spelt.touched }
    }
}

impl From<Why> for By {
    fn from(why: Why) -> Self {
        match why {
            Why::Score => By::Score,
            Why::Checkmate => By::Checkmate,
            Why::Stalemate => By::Stalemate,
            Why::Repetition => By::Repetition,
            Why::FiftyMoves => By::FiftyMoves,
            Why::Material => By::Material,
            Why::Line => By::Line,
            Why::Full => By::Full,
            Why::Capture => By::Capture,
            Why::Goal => By::Goal,
            Why::Rules => By::Rules,
        }
    }
}

impl By {
    /// In a few words, for a record.
    pub fn words(self) -> &'static str {
        match self {
            By::Resign => "resignation",
            By::Time => "time",
            By::Score => "score",
            By::Checkmate => "checkmate",
            By::Stalemate => "stalemate",
            By::Repetition => "repetition",
            By::FiftyMoves => "fifty moves",
            By::Material => "insufficient material",
            By::Agreement => "agreement",
            By::Line => "line",
            By::Full => "full board",
            By::Capture => "capture",
            By::Goal => "goal",
            By::Abandoned => "abandoned",
            By::Rules => "",
        }
    }
}

impl From<End> for GameResult {
    fn from(end: End) -> Self {
        GameResult { winner: end.outcome.into(), by: end.why.into(), points: end.lead.map(f32::abs) }
    }
}

impl From<tengen_table::Fall> for Fall {
    fn from(fall: tengen_table::Fall) -> Self {
        use tengen_table::Area as Told;
        let area = match fall.area {
            Told::TopLeft => Area::TopLeft,
            Told::Top => Area::Top,
            Told::TopRight => Area::TopRight,
            Told::Left => Area::Left,
            Told::Centre => Area::Centre,
            Told::Right => Area::Right,
            Told::BottomLeft => Area::BottomLeft,
            Told::Bottom => Area::Bottom,
            Told::BottomRight => Area::BottomRight,
        };
        Fall { side: fall.side, stones: fall.stones as u32, area, taken: fall.taken.map(|number| number as u32) }
    }
}

/// The result of a count.
pub fn counted([first, second]: [f32; 2]) -> GameResult {
    let winner = match first.total_cmp(&second) {
        std::cmp::Ordering::Greater => Winner::First,
        std::cmp::Ordering::Less => Winner::Second,
        std::cmp::Ordering::Equal => Winner::Draw,
    };
    GameResult { winner, by: By::Score, points: Some((first - second).abs()) }
}

/// What a page draws.
pub fn view(table: &dyn Table) -> View {
    let seen = table.view();
    View {
        position: seen.position,
        // No game lasts four thousand million plies.
        ply: seen.ply as u32,
        turn: seen.turn.into(),
        to_move: seen.to_move,
        drawn: seen.drawn,
        sides: seen.sides,
        legal: table.choices().into_iter().map(Move::from).collect(),
        chances: seen.chances.into_iter().map(|(mv, chance)| Chance { mv, chance }).collect(),
        last: table.last().map(Move::from),
        check: table.check(),
        result: table.end().map(GameResult::from),
    }
}

/// A lead as a page has it: for `First`.
pub fn ahead(lead: Pov<Lead>) -> Ahead {
    match lead.seen_by(Side::First) {
        Lead::Points(points) => Ahead { points: Some(points), end_in: None },
        Lead::EndIn(plies) => Ahead { points: None, end_in: Some(plies) },
    }
}

/// A candidate of the table's position, for a page.
pub fn candidate(table: &dyn Table, found: &TextCandidate) -> Candidate {
    let mut pv: Vec<Move> = table.spell(&found.pv).into_iter().map(Move::from).collect();
    let mv = pv.first().cloned().or_else(|| table.spell(std::slice::from_ref(&found.mv)).pop().map(Move::from));
    // Longer lines than this nobody follows on a board.
    pv.truncate(20);
    Candidate {
        mv: mv.unwrap_or_else(|| Move { mv: found.mv.clone(), label: found.mv.clone(), touched: Vec::new() }),
        visits: found.visits,
        value: found.value.seen_by(Side::First),
        lead: found.lead.map(ahead),
        prior: found.prior,
        pv,
    }
}

/// The move that a thought would play, with all it knows about it.
pub fn best(table: &dyn Table, thought: &TextThought) -> Candidate {
    let known = thought.candidates.iter().find(|candidate| candidate.mv == thought.best);
    let best = TextCandidate {
        mv: thought.best.clone(),
        visits: known.map_or(thought.nodes, |known| known.visits),
        value: thought.value,
        prior: known.and_then(|known| known.prior),
        lead: thought.lead,
        pv: thought.pv.clone(),
    };
    candidate(table, &best)
}
