//! Proves short mates beside the search, which leaves out what looks hopeless and so may pass by a mate that begins with a sacrifice.
//!
//! Proof numbers lead where the defence has the fewest ways out, whatever the material says. Of the attacker's quiet moves only
//! threats count: those after which checks alone would mate if the defender did nothing. What is proven goes into the
//! table of the search, and there the search meets it.
//!
//! CITE: Allis, van der Meulen & van den Herik 1994 (proof numbers); Nagai 2002 (depth first); Thomsen 2000 (threats).

use crate::board::{Kind, SearchBoard, Verdict};
use crate::mv::{Mv, Ranked};
use crate::score::{MATE, NO_EVAL};
use crate::table::{Entry, Table};
use tengen_core::mix;
use tengen_search::Bound;

/// What is to be settled of a position.
#[derive(Clone, Copy)]
struct Goal {
    /// Moves that the attacker has left to mate; at least one where he is to move.
    left: u32,
    /// Whether he may play quiet moves that threaten mate, or checks alone.
    quiet: bool,
    /// Whether it is he who moves.
    attacks: bool,
}

impl Goal {
    /// The goal after a move.
    fn next(self) -> Goal {
        Goal { left: self.left - u32::from(self.attacks), attacks: !self.attacks, ..self }
    }

    /// Where the position is remembered with this goal.
    fn address(self, key: u64) -> u64 {
        key ^ mix(u64::from(self.left) << 2 | u64::from(self.quiet) << 1 | u64::from(self.attacks))
    }
}

/// How many positions more must be settled at least to show that the side to move succeeds (the attacker mates, the defender
/// escapes), and to show that it fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Numbers {
    succeed: u32,
    fail: u32,
}

/// More than can be reached; sums of it stay within their type.
const NEVER: u32 = 1 << 24;
const SUCCEEDS: Numbers = Numbers { succeed: 0, fail: NEVER };
const FAILS: Numbers = Numbers { succeed: NEVER, fail: 0 };
const OPEN: Numbers = Numbers { succeed: 1, fail: 1 };
/// For the defender after a quiet move: the threat must be shown and then be good against all replies.
const QUIET: Numbers = Numbers { succeed: 1, fail: 8 };
const NO_LIMIT: Numbers = Numbers { succeed: NEVER, fail: NEVER };

impl Numbers {
    fn is_settled(self) -> bool {
        self.succeed == 0 || self.fail == 0
    }

    /// The same for the other side.
    fn turned(self) -> Numbers {
        Numbers { succeed: self.fail, fail: self.succeed }
    }
}

/// A move with the numbers of the side that moves after it.
#[derive(Clone, Copy)]
struct Child {
    mv: Mv,
    numbers: Numbers,
}

#[derive(Clone, Copy)]
struct Slot {
    address: u64,
    numbers: Numbers,
}

/// A megabyte of them.
const SLOTS: usize = 1 << 16;

/// What is proven holds however deep the search looks.
const ANY_DEPTH: i32 = 255;

/// What has come out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Proof {
    /// Nothing yet.
    Open,
    /// There is no mate of this kind and length.
    NoMate,
    /// This move mates, after so many plies at most. The table knows how it goes on.
    Mate(Mv, i32),
}

/// Looks for a mate by the side to move.
#[derive(Default)]
pub(crate) struct Prover {
    slots: Vec<Slot>,
    /// Stacks for the nodes on the path.
    children: Vec<Child>,
    moves: Vec<Ranked>,
    /// The keys of the game so far: coming back to one of its positions is no way to mate.
    past: Vec<u64>,
    /// The most promising move of the node that was settled last.
    best: Mv,
    /// Positions looked at so far, and at how many to stop.
    spent: u64,
    budget: u64,
}

impl Prover {
    /// Another position, with the keys of the game before it.
    pub fn prepare(&mut self, past: &[u64]) {
        self.past.clear();
        self.past.extend_from_slice(past);
        self.slots.clear();
        self.spent = 0;
    }

    /// Positions looked at since the last preparation.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Goes on looking for a mate in at most so many moves, for about `effort` positions more.
    pub fn prove<B: SearchBoard>(&mut self, board: &B, moves: u32, effort: u64, table: &Table) -> Proof {
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, Slot { address: 0, numbers: OPEN });
        }
        self.budget = self.spent + effort;
        let goal = Goal { left: moves.max(1), quiet: true, attacks: true };
        match self.settle(board, goal, NO_LIMIT) {
            Numbers { succeed: 0, .. } => {
                let mv = self.best;
                // What has been overwritten of the proof is soon found again; if it is not, there is none to show.
                self.budget += self.spent;
                let told = self.tell_attack(board, goal, 0, table);
                self.moves.clear();
                told.map_or(Proof::NoMate, |plies| Proof::Mate(mv, plies))
            }
            Numbers { fail: 0, .. } => Proof::NoMate,
            _ => Proof::Open,
        }
    }

    /// Works on a position until it is settled or one of its numbers reaches its limit: always on the move that is nearest to
    /// success, and as long as it is.
    fn settle<B: SearchBoard>(&mut self, board: &B, goal: Goal, limit: Numbers) -> Numbers {
        if !goal.attacks
            && !board.in_check()
            && let Some(numbers) = self.answers_no_threat(board, goal, limit)
        {
            self.remember(board, goal, numbers);
            return numbers;
        }
        let start = self.children.len();
        self.list_children(board, goal);
        let numbers = loop {
            // One move that makes the other side fail is success; all must let it succeed for a failure.
            let mut numbers = Numbers { succeed: NEVER, fail: 0 };
            let (mut best, mut second) = (start, NEVER);
            for (index, child) in self.children.iter().enumerate().skip(start) {
                numbers.fail = (numbers.fail + child.numbers.succeed).min(NEVER);
                if child.numbers.fail < numbers.succeed {
                    second = numbers.succeed;
                    (numbers.succeed, best) = (child.numbers.fail, index);
                } else {
                    second = second.min(child.numbers.fail);
                }
            }
            let reached = numbers.succeed >= limit.succeed || numbers.fail >= limit.fail;
            if numbers.is_settled() || reached || self.spent >= self.budget {
                self.best = self.children.get(best).map_or(Mv::NONE, |child| child.mv);
                break numbers;
            }
            let child = self.children[best];
            let mut next = board.clone();
            next.play(child.mv);
            let limit = Numbers {
                succeed: limit.fail - numbers.fail + child.numbers.succeed,
                fail: limit.succeed.min(second.saturating_add(1)),
            };
            self.children[best].numbers = self.settle(&next, goal.next(), limit);
        };
        self.children.truncate(start);
        self.remember(board, goal, numbers);
        numbers
    }

    /// The defender is not in check. As long as it is not shown that checks would mate him if he passed, that is the question, and
    /// these are his numbers.
    fn answers_no_threat<B: SearchBoard>(&mut self, board: &B, goal: Goal, limit: Numbers) -> Option<Numbers> {
        let mut passed = board.clone();
        if !passed.pass() {
            return None;
        }
        let threat = Goal { quiet: false, attacks: true, ..goal };
        let numbers = match self.known(&passed, threat) {
            Some(numbers) if numbers.is_settled() => numbers,
            _ => self.settle(&passed, threat, limit.turned()),
        };
        (numbers.succeed > 0).then_some(numbers.turned())
    }

    /// Puts the moves of a position on the stack with what can be said of them at first sight.
    fn list_children<B: SearchBoard>(&mut self, board: &B, goal: Goal) {
        self.spent += 1;
        let first = self.list_moves(board);
        if self.moves.len() == first && !goal.attacks && board.stuck() != Verdict::Lost {
            self.children.push(Child { mv: Mv::NONE, numbers: FAILS });
        }
        for index in first..self.moves.len() {
            let mv = self.moves[index].mv;
            let mut next = board.clone();
            next.play(mv);
            let numbers = self.first_sight(&next, goal.next());
            self.children.push(Child { mv, numbers });
            // There is no need for another one.
            if numbers.fail == 0 {
                break;
            }
        }
        self.moves.truncate(first);
    }

    fn first_sight<B: SearchBoard>(&mut self, board: &B, goal: Goal) -> Numbers {
        // A draw is what the defender wants.
        let drawn = if goal.attacks { FAILS } else { SUCCEEDS };
        match board.verdict() {
            Some(Verdict::Won) => return SUCCEEDS,
            Some(Verdict::Lost) => return FAILS,
            Some(Verdict::Drawn) => return drawn,
            None if self.past.contains(&board.key()) => return drawn,
            None => {}
        }
        if goal.attacks {
            return self.known(board, goal).unwrap_or(OPEN);
        }
        let check = board.in_check();
        if !check && (goal.left == 0 || !goal.quiet) {
            return SUCCEEDS;
        }
        if let Some(numbers) = self.known(board, goal) {
            return numbers;
        }
        if !check {
            return QUIET;
        }
        let first = self.list_moves(board);
        let replies = (self.moves.len() - first) as u32;
        self.moves.truncate(first);
        match replies {
            0 if board.stuck() == Verdict::Lost => FAILS,
            0 => SUCCEEDS,
            _ if goal.left == 0 => SUCCEEDS,
            _ => Numbers { succeed: 1, fail: replies },
        }
    }

    /// Puts the legal moves on the stack and says where they begin.
    fn list_moves<B: SearchBoard>(&mut self, board: &B) -> usize {
        let first = self.moves.len();
        board.list(Kind::Noisy, &mut self.moves);
        board.list(Kind::Quiet, &mut self.moves);
        let mut end = first;
        for index in first..self.moves.len() {
            if board.is_safe(self.moves[index].mv) {
                self.moves[end] = self.moves[index];
                end += 1;
            }
        }
        self.moves.truncate(end);
        first
    }

    fn known<B: SearchBoard>(&self, board: &B, goal: Goal) -> Option<Numbers> {
        let address = goal.address(board.key());
        let slot = self.slots[address as usize % SLOTS];
        (slot.address == address).then_some(slot.numbers)
    }

    fn remember<B: SearchBoard>(&mut self, board: &B, goal: Goal, numbers: Numbers) {
        let address = goal.address(board.key());
        self.slots[address as usize % SLOTS] = Slot { address, numbers };
    }

    /// Writes a position in which the attacker mates, and all below it, into the table of the search; says how many plies it takes.
    /// `None` if the proof could not be found again in time.
    fn tell_attack<B: SearchBoard>(&mut self, board: &B, goal: Goal, ply: usize, table: &Table) -> Option<i32> {
        // Other moves may have led here before.
        if let Some(entry) = table.probe(board.key(), ply)
            && entry.depth == ANY_DEPTH
            && entry.bound == Some(Bound::Lower)
        {
            let plies = MATE - ply as i32 - entry.score;
            if plies < 2 * goal.left as i32 {
                return Some(plies);
            }
        }
        if self.settle(board, goal, NO_LIMIT).succeed > 0 {
            return None;
        }
        let mv = self.best;
        let mut next = board.clone();
        next.play(mv);
        let plies = 1 + self.tell_defence(&next, goal.next(), ply + 1, table)?;
        let score = MATE - ply as i32 - plies;
        let entry = Entry { mv, score, eval: NO_EVAL, depth: ANY_DEPTH, bound: Some(Bound::Lower), was_pv: true };
        table.store(board.key(), entry, ply);
        Some(plies)
    }

    fn tell_defence<B: SearchBoard>(&mut self, board: &B, goal: Goal, ply: usize, table: &Table) -> Option<i32> {
        if board.verdict().is_some() {
            return Some(0);
        }
        let first = self.list_moves(board);
        let mut plies = 0;
        for index in first..self.moves.len() {
            let mut next = board.clone();
            next.play(self.moves[index].mv);
            if next.verdict().is_none() {
                plies = plies.max(1 + self.tell_attack(&next, goal.next(), ply + 1, table)?);
            }
        }
        self.moves.truncate(first);
        let (mv, score) = (Mv::NONE, ply as i32 + plies - MATE);
        let entry = Entry { mv, score, eval: NO_EVAL, depth: ANY_DEPTH, bound: Some(Bound::Upper), was_pv: true };
        table.store(board.key(), entry, ply);
        Some(plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Orthodox;
    use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};
    use tengen_core::Rng;

    fn rules(fen: &str) -> Chess {
        fen.parse::<Fen>().expect(fen).into_position(CastlingMode::Standard).expect(fen)
    }

    fn prove(position: &Chess, moves: u32, past: &[u64]) -> (Proof, Table, Orthodox) {
        let (mut prover, table, board) =
            (Prover::default(), Table::new(1).expect("a megabyte"), Orthodox::new(position));
        prover.prepare(past);
        (prover.prove(&board, moves, 200_000, &table), table, board)
    }

    fn proven(fen: &str, moves: u32) -> Option<String> {
        let position = rules(fen);
        match prove(&position, moves, &[]).0 {
            Proof::Mate(mv, _) => Some(format!("{}{}", mv.from(), mv.to())),
            Proof::NoMate => None,
            Proof::Open => panic!("{fen}: not settled"),
        }
    }

    #[test]
    fn mates_by_checks_and_by_threats() {
        // On the back rank, smothered after giving the queen, and by a quiet move: the rook's lift after two sacrifices.
        assert_eq!(proven("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1).as_deref(), Some("a1a8"));
        assert_eq!(proven("5r1k/6pp/7N/8/2Q5/8/6PP/6K1 w - - 0 1", 2).as_deref(), Some("c4g8"));
        assert_eq!(proven("2n2rk1/5p2/5Bp1/8/8/5R2/6PP/6K1 w - - 0 1", 2).as_deref(), Some("f3h3"));
        assert_eq!(proven("r3r1k1/pp1q1pp1/4b1p1/3p2B1/3Q1R2/8/PPP3PP/4R1K1 w - - 0 1", 4).as_deref(), Some("d4g7"));
    }

    #[test]
    fn what_is_no_mate_is_not_proven() {
        // Too few moves; ways out; a stalemate instead.
        assert_eq!(proven("5r1k/6pp/7N/8/2Q5/8/6PP/6K1 w - - 0 1", 1), None);
        assert_eq!(proven("7k/5K2/8/8/6N1/8/8/8 w - - 0 1", 3), None);
        assert_eq!(proven("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 1), None);
        assert_eq!(proven("6k1/5pp1/7p/8/8/8/8/R5K1 w - - 0 1", 1), None);
    }

    #[test]
    fn a_position_of_the_game_is_no_step_to_mate() {
        let position = rules("5r1k/6pp/7N/8/2Q5/8/6PP/6K1 w - - 0 1");
        let mut after: Orthodox = Orthodox::new(&position);
        after.play(Mv::new(shakmaty::Square::C4, shakmaty::Square::G8));
        assert_eq!(prove(&position, 2, &[after.key()]).0, Proof::NoMate);
    }

    #[test]
    fn the_table_learns_how_far_it_is() {
        let (answer, table, board) = prove(&rules("5r1k/6pp/7N/8/2Q5/8/6PP/6K1 w - - 0 1"), 5, &[]);
        let Proof::Mate(mv, 3) = answer else { panic!("{answer:?}") };
        let entry = table.probe(board.key(), 0).expect("told");
        assert_eq!((entry.mv, entry.score, entry.bound), (mv, MATE - 3, Some(Bound::Lower)));
        let mut next = board.clone();
        next.play(mv);
        let entry = table.probe(next.key(), 1).expect("told");
        assert_eq!((entry.score, entry.bound), (3 - MATE, Some(Bound::Upper)));
    }

    /// Whether there is a mate in so many moves, by trying everything; `checks` leaves the attacker only checks.
    fn mates(position: &Chess, moves: u32, checks: bool) -> bool {
        position.legal_moves().iter().any(|&mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            if !next.is_check() && (checks || moves == 1) || next.is_insufficient_material() {
                return false;
            }
            let replies = next.legal_moves();
            let mated = |&reply: &shakmaty::Move| {
                let mut answered = next.clone();
                answered.play_unchecked(reply);
                !answered.is_insufficient_material() && mates(&answered, moves - 1, checks)
            };
            if replies.is_empty() { next.is_check() } else { moves > 1 && replies.iter().all(mated) }
        })
    }

    #[test]
    fn it_says_what_trying_everything_says() {
        let mut rng = Rng::with_seed(5);
        let (mut found, mut looked) = (0, 0);
        while looked < 400 {
            // Games of random moves from bare, open positions: full of mates.
            let mut position = rules("rqbqkbqr/8/8/8/8/8/8/RQBQKBQR w - - 0 1");
            for _ in 0..rng.usize(0..40) {
                let legal = position.legal_moves();
                if legal.is_empty() || position.is_insufficient_material() {
                    break;
                }
                position.play_unchecked(legal[rng.usize(0..legal.len())]);
            }
            if position.legal_moves().is_empty() || position.is_insufficient_material() {
                continue;
            }
            looked += 1;
            let answer = match prove(&position, 2, &[]).0 {
                Proof::Mate(..) => true,
                Proof::NoMate => false,
                Proof::Open => panic!("{position:?}: not settled"),
            };
            found += usize::from(answer);
            assert!(!answer || mates(&position, 2, false), "{position:?}: there is none");
            assert!(answer || !mates(&position, 2, true), "{position:?}: missed");
        }
        assert!(found > 20, "{found} mates");
    }
}
