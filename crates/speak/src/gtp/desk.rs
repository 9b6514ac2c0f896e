//! The game on the board, as the protocol has it: any colour may play at any time, and the game may go on after two passes.
//!
//! Our own [`Line`] knows neither, so it is begun anew wherever the order of moves is broken, and the positions before are remembered for
//! superko. Several black stones before White's first move are handicap, however they were sent: else engines take the game for an
//! even one.

use super::Players;
use super::command::Refusal;
use super::judge::Judgement;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tengen_core::{Line, Notation, Position, Pov, Repetition, Side, TextError, Turn};
use tengen_games::go::{Board, Count, Go, Go9, Go13, Go19, Go25, Komi, Move, Point, Rules, read_point, star_points};
use tengen_record::{Handicap, Played, Record, Setup};
use tengen_search::{Clock, Lead, Limits, Player, PlayerError, Thought, Watch};

/// What a player found, in text. Values and leads are for the side that was asked.
#[derive(Clone, Debug, Default)]
pub(super) struct Finding {
    pub best: String,
    pub value: f32,
    pub visits: u64,
    pub lead: Option<f32>,
    pub candidates: Vec<Choice>,
    /// Row by row from the top left, +1 for Black; empty if the player does not say.
    pub ownership: Vec<f32>,
}

/// A move that the player looked at.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub mv: String,
    pub visits: u64,
    pub value: f32,
    pub prior: Option<f32>,
    pub lead: Option<f32>,
    pub pv: Vec<String>,
}

/// Why there is no move.
pub(super) enum NoMove {
    /// The player gives up.
    Resigns,
    Fails(String),
}

/// How a thought is watched.
pub(super) struct Eye<'a> {
    pub clock: &'a dyn Clock,
    pub stop: &'a AtomicBool,
    pub report: &'a mut dyn FnMut(&Finding),
}

/// What `final_status_list` can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    Alive,
    Dead,
    Seki,
    Territory(Side),
    Dame,
}

/// A game of any size, with the size's type erased.
pub(super) trait Desk: Send {
    fn size(&self) -> usize;
    fn rules(&self) -> Rules;
    fn komi(&self) -> Komi;
    fn ply(&self) -> usize;
    fn to_move(&self) -> Side;
    fn is_empty(&self) -> bool;
    fn clear(&mut self);
    fn set_rules(&mut self, rules: Rules) -> Result<(), Refusal>;
    fn set_komi(&mut self, komi: Komi) -> Result<(), Refusal>;
    fn set_player(&mut self, text: &str) -> Result<(), Refusal>;
    /// Stones for Black before the first move.
    fn set_handicap(&mut self, points: &[Point]) -> Result<(), Refusal>;
    /// Plays, whoever's turn it is.
    fn play(&mut self, side: Side, text: &str) -> Result<(), Refusal>;
    /// Takes back as many moves as this, and says which is the last one left.
    fn undo(&mut self, plies: usize) -> Result<(), Refusal>;
    /// Replaces the game by this one, up to so many moves.
    fn load(&mut self, record: &Record, plies: usize) -> Result<(), Refusal>;
    fn record(&self) -> Record;
    /// Lets the player think about a move of this side; nothing is played.
    fn think(&mut self, side: Side, limits: &Limits, eye: &mut Eye<'_>) -> Result<Finding, NoMove> {
        self.think_among(side, &|_| true, limits, eye)
    }
    /// The same for some moves only; a pass if none of them can be played.
    fn think_among(
        &mut self,
        side: Side,
        is_wanted: &dyn Fn(&str) -> bool,
        limits: &Limits,
        eye: &mut Eye<'_>,
    ) -> Result<Finding, NoMove>;
    /// The same as `think` for a board on which every stone must be taken before it is counted.
    fn think_cleanup(&mut self, side: Side, limits: &Limits, eye: &mut Eye<'_>) -> Result<Finding, NoMove>;
    /// How far Black is ahead when the dead stones are taken off.
    fn score(&mut self) -> f32;
    /// Points of a kind, one list a chain or region.
    fn status(&mut self, status: Status) -> Vec<Vec<String>>;
    /// To whom each point will belong, row by row from the top left, +1 for Black.
    fn ownership(&mut self) -> Vec<f32>;
    fn influence(&self) -> Vec<f32>;
    fn draw(&self) -> String;
}

/// A desk with a board of this size.
pub(super) fn open<P: Players>(
    players: &Arc<P>,
    player: &str,
    size: usize,
    rules: Rules,
    komi: Komi,
) -> Result<Box<dyn Desk>, Refusal> {
    fn boxed<P: Players, const CELLS: usize>(
        players: &Arc<P>,
        player: &str,
        start: Go<CELLS>,
    ) -> Result<Box<dyn Desk>, Refusal> {
        let player = players.build::<CELLS>(player)?;
        Ok(Box::new(Sitting {
            players: Arc::clone(players),
            player,
            size: start.size(),
            rules: start.rules(),
            komi: start.komi(),
            start: Start::Empty,
            history: Vec::new(),
            line: Line::new(start),
            earlier: Vec::new(),
            judged: None,
        }))
    }
    let refused = |error: TextError| error.to_string();
    let komi = Some(komi);
    match size {
        ..10 => boxed(players, player, Go9::new(size, rules, komi).map_err(refused)?),
        10..14 => boxed(players, player, Go13::new(size, rules, komi).map_err(refused)?),
        14..20 => boxed(players, player, Go19::new(size, rules, komi).map_err(refused)?),
        _ => boxed(players, player, Go25::new(size, rules, komi).map_err(refused)?),
    }
}

/// What stands on the board before the first move.
#[derive(Clone, PartialEq, Debug)]
enum Start {
    Empty,
    Handicap(Vec<Point>),
    /// Anything else, as text.
    Position(String),
}

struct Sitting<P: Players, const CELLS: usize> {
    players: Arc<P>,
    player: Box<dyn Player<Go<CELLS>>>,
    size: usize,
    rules: Rules,
    komi: Komi,
    start: Start,
    /// Every move since the start, as it was sent.
    history: Vec<(Side, Move)>,
    /// The moves since the order of moves was last broken.
    line: Line<Go<CELLS>>,
    /// The repetition keys of all positions before that.
    earlier: Vec<u64>,
    /// What the position with this key was judged to be.
    judged: Option<(u64, Judgement)>,
}

impl<P: Players, const CELLS: usize> Sitting<P, CELLS> {
    fn board(&self) -> &Board<CELLS> {
        self.line.position().board()
    }

    fn read_move(&self, text: &str) -> Result<Move, Refusal> {
        if text.eq_ignore_ascii_case("pass") {
            return Ok(Move::Pass);
        }
        read_point(self.size, text).map(Move::At).map_err(|error| format!("invalid vertex: {error}"))
    }

    fn name(&self, mv: Move) -> String {
        match mv {
            Move::Pass => "pass".to_owned(),
            Move::At(point) => self.line.position().point_name(point),
        }
    }

    /// The position before the first move, and how many moves of the history it has swallowed as handicap.
    fn beginning(&self) -> Result<(Go<CELLS>, usize), TextError> {
        let (size, rules, komi) = (self.size, self.rules, Some(self.komi));
        match &self.start {
            Start::Handicap(points) => Ok((Go::with_free_handicap(size, rules, komi, points)?, 0)),
            Start::Position(text) => {
                let go = Go::read(text)?;
                let side = go.to_move();
                Ok((edited(&go, side, self.rules, self.komi), 0))
            }
            Start::Empty => {
                let stone = |&(side, mv): &(Side, Move)| match (side, mv) {
                    (Side::First, Move::At(point)) => Some(point),
                    _ => None,
                };
                let points: Vec<Point> = self.history.iter().map_while(stone).collect();
                // Two stones on one point are no handicap but a mistake, which is found when they are played.
                match Go::with_free_handicap(size, rules, komi, &points) {
                    Ok(go) => Ok((go, points.len())),
                    Err(_) => Ok((Go::new(size, rules, komi)?, 0)),
                }
            }
        }
    }

    /// Plays the whole history again. If that cannot be done, everything stays as it was.
    fn replay(&mut self) -> Result<(), Refusal> {
        let (start, swallowed) = self.beginning().map_err(|error| error.to_string())?;
        let before = (std::mem::replace(&mut self.line, Line::new(start)), std::mem::take(&mut self.earlier));
        for index in swallowed..self.history.len() {
            let (side, mv) = self.history[index];
            if let Err(why) = self.advance(side, mv) {
                (self.line, self.earlier) = before;
                return Err(why);
            }
        }
        Ok(())
    }

    /// Tries something that changes the start or the history: on refusal nothing has changed.
    fn attempt(&mut self, change: impl FnOnce(&mut Self)) -> Result<(), Refusal> {
        let before = (self.start.clone(), self.history.clone(), self.rules, self.komi);
        change(self);
        let outcome = self.replay();
        if outcome.is_err() {
            (self.start, self.history, self.rules, self.komi) = before;
        }
        outcome
    }

    /// Plays one move on the line, which is begun anew if it is not this side's turn there.
    fn advance(&mut self, side: Side, mv: Move) -> Result<(), Refusal> {
        if !self.stands_for(side) {
            let fresh = edited(self.line.position(), side, self.rules, self.komi);
            let keys = self.line.positions().iter().map(Position::repetition_key);
            let mut keys: Vec<u64> = keys.collect();
            self.check(&fresh, mv, keys.as_slice())?;
            self.earlier.append(&mut keys);
            self.line = Line::new(fresh);
        } else {
            self.check(self.line.position(), mv, &[])?;
            if self.line.repeats(mv) {
                return Err(SUPERKO.to_owned());
            }
        }
        self.line.push(mv);
        Ok(())
    }

    /// Whether the line can go on with a move of this side.
    fn stands_for(&self, side: Side) -> bool {
        self.line.position().to_move() == side && matches!(self.line.turn(&mut Vec::new()), Turn::Decision(_))
    }

    /// Whether the rules allow a move here, the positions of earlier lines and these considered.
    fn check(&self, position: &Go<CELLS>, mv: Move, more: &[u64]) -> Result<(), Refusal> {
        let Move::At(point) = mv else { return Ok(()) };
        position.check(point).map_err(|why| format!("illegal move: {why}"))?;
        let is_known = |key| self.earlier.contains(&key) || more.contains(&key);
        let is_repeated =
            position.repetition() == Repetition::Forbidden && position.repetition_key_after(mv).is_some_and(is_known);
        if is_repeated { Err(SUPERKO.to_owned()) } else { Ok(()) }
    }

    /// The line with this side to move.
    fn line_for(&self, side: Side) -> Line<Go<CELLS>> {
        if self.stands_for(side) {
            self.line.clone()
        } else {
            Line::new(edited(self.line.position(), side, self.rules, self.komi))
        }
    }

    /// A thought about a position with this side to move, in the protocol's words: values are for that side.
    fn finding(&self, thought: &Thought<Move>, side: Side) -> Finding {
        let points = |lead: Option<Pov<Lead>>| match lead?.seen_by(side) {
            Lead::Points(points) => Some(points),
            Lead::EndIn(_) => None,
        };
        let candidates = thought.candidates.iter().map(|candidate| Choice {
            mv: self.name(candidate.mv),
            visits: candidate.visits,
            value: candidate.value.seen_by(side),
            prior: candidate.prior,
            lead: points(candidate.lead),
            pv: candidate.pv.iter().map(|&mv| self.name(mv)).collect(),
        });
        let mut candidates: Vec<Choice> = candidates.collect();
        let best = self.name(thought.best);
        let pv = || thought.pv.iter().map(|&mv| self.name(mv)).collect::<Vec<_>>();
        match candidates.iter().position(|choice| choice.mv == best) {
            // What the player would play comes first, whatever the numbers say.
            Some(place) => candidates[..=place].rotate_right(1),
            None => candidates.insert(
                0,
                Choice {
                    mv: best.clone(),
                    visits: thought.nodes,
                    value: thought.value.seen_by(side),
                    prior: None,
                    lead: points(thought.lead),
                    pv: pv(),
                },
            ),
        }
        if candidates[0].pv.len() < thought.pv.len() {
            candidates[0].pv = pv();
        }
        Finding {
            best,
            value: thought.value.seen_by(side),
            visits: thought.nodes,
            lead: points(thought.lead),
            candidates,
            ownership: thought.ownership.clone(),
        }
    }

    /// Lets the player think about some moves, or about all if none is named.
    fn think_on(
        &mut self,
        line: &Line<Go<CELLS>>,
        wanted: &[Move],
        limits: &Limits,
        eye: &mut Eye<'_>,
    ) -> Result<Finding, NoMove> {
        let report = &mut *eye.report;
        let side = line.position().to_move();
        // The player is borrowed while it thinks; its news are written with the rest of the desk.
        let mut player = std::mem::replace(&mut self.player, Box::new(Absent));
        let mut watch =
            Watch { clock: eye.clock, stop: eye.stop, report: &mut |thought| report(&self.finding(thought, side)) };
        let outcome = player.think_among(line, wanted, limits, &mut watch);
        self.player = player;
        match outcome {
            Ok(thought) => Ok(self.finding(&thought, side)),
            Err(PlayerError::Resigned) => Err(NoMove::Resigns),
            Err(error) => Err(NoMove::Fails(error.to_string())),
        }
    }

    /// What was found, with the first move as the best that is wanted and may be played, a pass if there is none: a player may not know what
    /// happened before the line began.
    fn among(&self, side: Side, mut finding: Finding, is_wanted: &dyn Fn(&str) -> bool) -> Finding {
        let is_lawful = |text: &str| {
            let Ok(mv) = self.read_move(text) else { return false };
            let line = self.line_for(side);
            is_wanted(text) && self.check(line.position(), mv, &self.keys_before(side)).is_ok() && !line.repeats(mv)
        };
        if is_lawful(&finding.best) {
            return finding;
        }
        let other = finding.candidates.iter().find(|choice| is_lawful(&choice.mv));
        finding.best = other.map_or("pass".to_owned(), |choice| choice.mv.clone());
        finding
    }

    /// The keys of the line now, if it would have to be begun anew for this side.
    fn keys_before(&self, side: Side) -> Vec<u64> {
        if self.stands_for(side) {
            Vec::new()
        } else {
            self.line.positions().iter().map(Position::repetition_key).collect()
        }
    }

    fn judgement(&mut self) -> &Judgement {
        let key = self.line.position().key();
        if self.judged.as_ref().is_none_or(|(known, _)| *known != key) {
            self.judged = Some((key, self.players.judge(self.line.position())));
        }
        // It has just been put there if it was not there before.
        let (_, judgement) = self.judged.get_or_insert_with(|| (key, Judgement::default()));
        judgement
    }

    fn count(&mut self) -> Count {
        let dead = self.judgement().dead.clone();
        self.line.position().count(&dead)
    }

    /// All chains, each with its stones.
    fn chains(&self) -> Vec<Vec<Point>> {
        let board = self.board();
        let first = board.points().filter(|&point| board.chain(point) == Some(point));
        first.map(|point| board.chain_stones(point).collect()).collect()
    }

    /// The chains that live in seki. If the judge does not say: nothing around them is their own, and what is nobody's they share with such a chain of the other side.
    fn seki(&mut self) -> Vec<Vec<Point>> {
        if let Some(seki) = &self.judgement().seki {
            return seki.clone();
        }
        let owners = self.count().owners;
        let dead = self.judgement().dead.clone();
        let board = self.board();
        let is_owned = |point: Point| owners[board.index(point)].is_some();
        let bare = |chain: &Vec<Point>| {
            !dead.contains(&chain[0]) && board.liberties(chain[0]).all(|liberty| !is_owned(liberty))
        };
        let chains: Vec<Vec<Point>> = self.chains().into_iter().filter(bare).collect();
        let shares = |chain: &Vec<Point>| {
            let others = chains.iter().filter(|other| board.colour(other[0]) != board.colour(chain[0]));
            let liberties: Vec<Point> = board.liberties(chain[0]).collect();
            others.into_iter().any(|other| board.liberties(other[0]).any(|liberty| liberties.contains(&liberty)))
        };
        let shared: Vec<bool> = chains.iter().map(shares).collect();
        chains.iter().zip(shared).filter(|&(_, is_shared)| is_shared).map(|(chain, _)| chain.clone()).collect()
    }
}

/// So much of a game may go for taking a dead stone a move earlier.
const CLEANUP_COST: f32 = 0.1;

const SUPERKO: &str = "illegal move: superko, this would repeat an earlier position";

/// Stands in for a player that is thinking.
struct Absent;

impl<P: Position> Player<P> for Absent {
    fn think(&mut self, _: &Line<P>, _: &Limits, _: &mut Watch<'_, P::Move>) -> Result<Thought<P::Move>, PlayerError> {
        Err(PlayerError::Failed("the player is busy".to_owned()))
    }
}

/// The position with this side to move and nobody having passed.
fn edited<const CELLS: usize>(go: &Go<CELLS>, side: Side, rules: Rules, komi: Komi) -> Go<CELLS> {
    go.taken_up_by(side).under(rules, komi)
}

impl<P: Players, const CELLS: usize> Desk for Sitting<P, CELLS> {
    fn size(&self) -> usize {
        self.size
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn komi(&self) -> Komi {
        self.komi
    }

    fn ply(&self) -> usize {
        self.history.len()
    }

    fn to_move(&self) -> Side {
        self.line.position().to_move()
    }

    fn is_empty(&self) -> bool {
        self.history.is_empty() && Side::BOTH.iter().all(|&side| self.board().stones(side) == 0)
    }

    fn clear(&mut self) {
        self.start = Start::Empty;
        self.history.clear();
        // An empty board of this size was made before.
        let _ = self.replay();
    }

    fn set_rules(&mut self, rules: Rules) -> Result<(), Refusal> {
        self.attempt(|desk| desk.rules = rules).map_err(|why| format!("the game so far breaks these rules: {why}"))
    }

    fn set_komi(&mut self, komi: Komi) -> Result<(), Refusal> {
        self.attempt(|desk| desk.komi = komi)
    }

    fn set_player(&mut self, text: &str) -> Result<(), Refusal> {
        self.player = self.players.build::<CELLS>(text)?;
        Ok(())
    }

    fn set_handicap(&mut self, points: &[Point]) -> Result<(), Refusal> {
        self.attempt(|desk| {
            desk.start = Start::Handicap(points.to_vec());
            desk.history.clear();
        })
    }

    fn play(&mut self, side: Side, text: &str) -> Result<(), Refusal> {
        let mv = self.read_move(text)?;
        let is_stone = |&(side, mv): &(Side, Move)| side == Side::First && mv != Move::Pass;
        let is_handicap = self.start == Start::Empty && is_stone(&(side, mv)) && !self.history.is_empty();
        if is_handicap && self.history.iter().all(is_stone) {
            // The stones before it were no moves of an even game after all.
            return self.attempt(|desk| desk.history.push((side, mv)));
        }
        self.advance(side, mv)?;
        self.history.push((side, mv));
        Ok(())
    }

    fn undo(&mut self, plies: usize) -> Result<(), Refusal> {
        let left = self.history.len().checked_sub(plies).ok_or("cannot undo")?;
        self.attempt(|desk| desk.history.truncate(left))
    }

    fn load(&mut self, record: &Record, plies: usize) -> Result<(), Refusal> {
        let refused = |error: TextError| error.to_string();
        let setup = &record.setup;
        let rules = setup.rules.as_deref().map_or(Ok(self.rules), str::parse).map_err(refused)?;
        let komi = setup.komi.map_or(Ok(self.komi), Komi::new).map_err(refused)?;
        let (start, rules, komi, first) = match (&setup.position, &setup.handicap) {
            (Some(text), _) => {
                let go = Go::<CELLS>::read(text).map_err(refused)?;
                (Start::Position(text.clone()), go.rules(), go.komi(), go.to_move())
            }
            (None, Some(Handicap::Fixed(0)) | None) => (Start::Empty, rules, komi, Side::First),
            (None, Some(handicap)) => {
                let points = match handicap {
                    Handicap::Fixed(stones) => {
                        tengen_games::go::fixed_handicap(self.size, usize::from(*stones)).map_err(refused)?
                    }
                    Handicap::Free(points) => {
                        let points = points.iter().map(|text| read_point(self.size, text));
                        points.collect::<Result<_, _>>().map_err(refused)?
                    }
                };
                (Start::Handicap(points), rules, komi, Side::Second)
            }
        };
        let mut side = first;
        let mut history = Vec::new();
        for played in record.moves.iter().take(plies) {
            history.push((side, self.read_move(&played.text)?));
            side = side.other();
        }
        self.attempt(|desk| (desk.start, desk.history, desk.rules, desk.komi) = (start, history, rules, komi))
    }

    fn record(&self) -> Record {
        let (rules, komi) = (Some(self.rules.to_string()), Some(f64::from(self.komi.points())));
        let choices = Setup { rules, komi, ..Setup::standard() };
        let free = |points: &[Point]| Handicap::Free(points.iter().map(|&point| self.name(Move::At(point))).collect());
        // The same rule by which stones are taken as handicap when they are played.
        let swallowed = self.beginning().map_or(0, |(_, swallowed)| swallowed);
        let early: Vec<Point> = self.history[..swallowed]
            .iter()
            .filter_map(|&(_, mv)| match mv {
                Move::At(point) => Some(point),
                Move::Pass => None,
            })
            .collect();
        let (setup, first) = match &self.start {
            Start::Empty if early.is_empty() => (choices, Side::First),
            Start::Empty => (Setup { handicap: Some(free(&early)), ..choices }, Side::Second),
            Start::Handicap(points) => (Setup { handicap: Some(free(points)), ..choices }, Side::Second),
            Start::Position(_) => {
                let start = self.beginning().map(|(start, _)| (start.write(), start.to_move()));
                start.map_or((choices, Side::First), |(text, side)| (Setup::at(text), side))
            }
        };
        let mut moves = Vec::new();
        let mut to_move = first;
        for &(side, mv) in &self.history[swallowed..] {
            if side != to_move {
                moves.push(Played::new("pass"));
            }
            moves.push(Played::new(self.name(mv)));
            to_move = side.other();
        }
        Record { game: format!("go{}", self.size), setup, moves, ..Record::default() }
    }

    fn think_among(
        &mut self,
        side: Side,
        is_wanted: &dyn Fn(&str) -> bool,
        limits: &Limits,
        eye: &mut Eye<'_>,
    ) -> Result<Finding, NoMove> {
        let line = self.line_for(side);
        let mut legal = Vec::new();
        line.turn(&mut legal);
        let mut wanted = legal.clone();
        wanted.retain(|&mv| is_wanted(&self.name(mv)));
        // A player that is kept to all moves may go on from its last thought.
        let wanted = if wanted.len() == legal.len() { &[] } else { wanted.as_slice() };
        let finding = self.think_on(&line, wanted, limits, eye)?;
        Ok(self.among(side, finding, is_wanted))
    }

    fn think_cleanup(&mut self, side: Side, limits: &Limits, eye: &mut Eye<'_>) -> Result<Finding, NoMove> {
        let position = self.line.position().clone();
        let dead = self.judgement().dead.clone();
        let is_clean = !dead.iter().any(|&point| position.board().colour(point) == Some(side.other()));
        // Where every stone counts as alive, taking the dead ones pays; only the rules of suicide are not ours.
        let line = Line::new(edited(&position, side, Rules::TrompTaylor, self.komi));
        let mut finding = self.think_on(&line, &[], limits, eye)?;
        // A stone that is as good as taken leaves the player indifferent, but it must be taken now: among moves that cost nothing, those on
        // the liberties of dead stones come first.
        let liberties: Vec<String> = dead
            .iter()
            .filter(|&&point| position.board().colour(point) == Some(side.other()))
            .flat_map(|&point| position.board().liberties(point).collect::<Vec<_>>())
            .map(|point| self.name(Move::At(point)))
            .collect();
        let best = finding.candidates.iter().filter(|choice| choice.mv != "pass").map(|choice| choice.value);
        let enough = best.fold(f32::MIN, f32::max) - CLEANUP_COST;
        let is_taking =
            |choice: &&Choice| choice.value >= enough && choice.visits > 0 && liberties.contains(&choice.mv);
        let taking = finding.candidates.iter().filter(is_taking).max_by(|a, b| a.value.total_cmp(&b.value));
        if let Some(mv) = taking.map(|choice| choice.mv.clone()) {
            finding.best = mv;
        }
        Ok(self.among(side, finding, &|text| is_clean || text != "pass"))
    }

    fn score(&mut self) -> f32 {
        self.judgement().lead.unwrap_or_else(|| self.count().lead())
    }

    fn status(&mut self, status: Status) -> Vec<Vec<String>> {
        let dead = self.judgement().dead.clone();
        let owners = self.count().owners;
        let board = self.board();
        let regions = |is_of: &dyn Fn(Option<Side>) -> bool| -> Vec<Vec<Point>> {
            let is_counted = |&point: &Point| board.colour(point).is_none() && is_of(owners[board.index(point)]);
            let points: Vec<Point> = board.points().filter(is_counted).collect();
            points.into_iter().map(|point| vec![point]).collect()
        };
        let lists = match status {
            Status::Dead => self.chains().into_iter().filter(|chain| dead.contains(&chain[0])).collect(),
            Status::Seki => self.seki(),
            Status::Alive => {
                let seki = self.seki();
                let is_seki = |chain: &Vec<Point>| seki.iter().any(|shared| shared.contains(&chain[0]));
                let lives = |chain: &Vec<Point>| !dead.contains(&chain[0]) && !is_seki(chain);
                self.chains().into_iter().filter(lives).collect()
            }
            Status::Territory(side) => regions(&|owner| owner == Some(side)),
            Status::Dame => regions(&|owner| owner.is_none()),
        };
        lists.iter().map(|chain| chain.iter().map(|&point| self.name(Move::At(point))).collect()).collect()
    }

    fn ownership(&mut self) -> Vec<f32> {
        self.judgement().ownership.clone()
    }

    fn influence(&self) -> Vec<f32> {
        self.players.influence(self.line.position())
    }

    fn draw(&self) -> String {
        let position = self.line.position();
        let board = position.board();
        let letters: Vec<String> = (0..self.size)
            .filter_map(|column| board.point(column, 0))
            .map(|point| position.point_name(point).chars().take(1).collect())
            .collect();
        let header = format!("   {}", letters.join(" "));
        let stars = star_points(self.size);
        let last = match position.last_move() {
            Some(Move::At(point)) => Some(point),
            _ => None,
        };
        let is_right_of = |point: Point, other: Point| {
            let ((column, row), (left, same)) = (board.coordinates(point), board.coordinates(other));
            row == same && column == left + 1
        };
        let mut lines = vec![String::new(), header.clone()];
        for row in 0..self.size {
            let mut line = format!("{:2}", self.size - row);
            for point in (0..self.size).filter_map(|column| board.point(column, row)) {
                let letter = match board.colour(point) {
                    Some(Side::First) => 'X',
                    Some(Side::Second) => 'O',
                    None if stars.contains(&point) => '+',
                    None => '.',
                };
                // The last move stands between brackets.
                line.push(match last {
                    Some(last) if last == point => '(',
                    Some(last) if is_right_of(point, last) => ')',
                    _ => ' ',
                });
                line.push(letter);
            }
            let ends_with_last = last.is_some_and(|last| board.coordinates(last) == (self.size - 1, row));
            let end = if ends_with_last { ')' } else { ' ' };
            lines.push(format!("{line}{end}{}", self.size - row));
        }
        lines.push(header);
        let board = lines.join("\n");
        let [black, white] = Side::BOTH.map(|side| position.prisoners(side));
        let to_move = if self.to_move() == Side::First { "Black" } else { "White" };
        format!(
            "{board}\nBlack (X) has captured {black} stones, White (O) {white}.\n{to_move} to move; rules {}, komi {}.",
            self.rules, self.komi
        )
    }
}
