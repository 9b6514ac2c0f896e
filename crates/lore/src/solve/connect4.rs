//! Connect Four, solved from any position: the empty board takes seconds.
//!
//! Alpha-beta on bitboards with windows of width one, a table of proven bounds, and two rules of parity that see the
//! end of many games long before it comes. A score is 22 minus the number of discs the winner has on the board at the
//! end, positive if the side to move wins, negative if it loses, 0 for a draw.

use super::{Leash, prefetch, unleashed};
use tengen_core::{Outcome, Position, Turn};
use tengen_games::connect4::{BOARD, BOTTOM, Connect4, SQUARES, WIDTH, column_squares, completing, has_four, mirrored};

/// Squares of the first, third and fifth row from below: those that go to First if Second always answers on top.
const ODD_ROWS: u64 = 0b010101 * BOTTOM;

/// Squares of the second, fourth and sixth row.
const EVEN_ROWS: u64 = ODD_ROWS << 1;

/// Columns from the middle outwards.
const COLUMNS: [u8; WIDTH as usize] = [3, 2, 4, 1, 5, 0, 6];

/// Solves positions exactly, and remembers what it proved from one to the next.
pub struct Solver {
    table: Table,
    nodes: u64,
}

impl Solver {
    /// A solver whose table takes at most so many bytes (but at least 8 kB). 64 MB are enough, even for the empty
    /// board.
    pub fn new(table_bytes: usize) -> Self {
        Solver { table: Table::new(table_bytes), nodes: 0 }
    }

    /// Positions searched so far, in all solutions together.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The score of a position for the side to move.
    pub fn solve(&mut self, position: &Connect4) -> i32 {
        unleashed(|leash| self.solve_on(position, leash))
    }

    /// The same, or `None` if the leash is pulled first.
    pub fn solve_on(&mut self, position: &Connect4, leash: &mut Leash<'_>) -> Option<i32> {
        let (mover, mask, ply) = (position.mover(), position.mask(), position.ply() as i32);
        match position.turn(&mut Vec::new()) {
            // Whoever is next has lost to the disc before.
            Turn::Over(Outcome::Win(_)) => return Some(-fastest_win(ply - 1)),
            Turn::Over(Outcome::Draw) => return Some(0),
            _ if completing(mover) & position.playable() != 0 => return Some(fastest_win(ply)),
            _ => {}
        }
        let root = Node { mover, mask, threats: completing(mover ^ mask) & BOARD & !mask, ply };
        let (mut low, mut high) = (-fastest_win(ply + 1), fastest_win(ply + 2));
        // First who wins, then by halves how fast.
        while low < high {
            let middle = if low < 0 && high > 0 { 0 } else { (low + high).div_euclid(2) };
            let score = self.search(&root, middle, leash)?;
            if score <= middle {
                high = score;
            } else {
                low = score;
            }
        }
        Some(low)
    }

    /// The score of every legal move, for the side that makes it.
    pub fn analyse(&mut self, position: &Connect4) -> Vec<(u8, i32)> {
        unleashed(|leash| self.analyse_on(position, leash))
    }

    /// The same, or `None` if the leash is pulled first.
    pub fn analyse_on(&mut self, position: &Connect4, leash: &mut Leash<'_>) -> Option<Vec<(u8, i32)>> {
        let mut moves = Vec::new();
        position.turn(&mut moves);
        // Two moves may lead to mirror images.
        let mut solved: Vec<(u64, i32)> = Vec::new();
        let score = |mv| {
            let mut next = *position;
            next.play(mv);
            let image = next.packed().min(mirrored(next.packed()));
            if let Some(&(_, score)) = solved.iter().find(|known| known.0 == image) {
                return Some((mv, score));
            }
            let score = -self.solve_on(&next, leash)?;
            solved.push((image, score));
            Some((mv, score))
        };
        moves.into_iter().map(score).collect()
    }

    /// Whether the node's score is greater than `bound`. Fail-soft: a result above it is a lower bound of the score,
    /// any other an upper bound. The game is not over, and the side to move cannot win at once.
    fn search(&mut self, node: &Node, bound: i32, leash: &mut Leash<'_>) -> Option<i32> {
        let before = self.nodes;
        self.nodes += 1;
        leash.tick(self.nodes)?;

        // Step 1. Moves that do not lose at once. On the last two squares nothing can happen any more.
        let moves = node.moves();
        if moves == 0 {
            return Some(-fastest_win(node.ply + 1));
        }
        if node.ply >= SQUARES as i32 - 2 {
            return Some(0);
        }

        // Step 2. Neither side can win with its next disc, and there are rules of parity: both limit the score.
        let lowest = -fastest_win(node.ply + 3);
        if lowest > bound {
            return Some(lowest);
        }
        let parity = if node.ply % 2 == 0 { node.second_follows_up() } else { node.first_waits(bound) };
        let highest = parity.min(fastest_win(node.ply + 2));
        if highest <= bound {
            return Some(highest);
        }

        // Step 3. A forced move has no alternatives worth remembering.
        if moves & (moves - 1) == 0 {
            return Some(-self.search(&node.after(moves), -bound - 1, leash)?);
        }

        // Step 4. The table is slow to answer: ask now, listen after the moves are in order.
        let key = node.key();
        self.table.fetch(key);

        // Step 5. Order the moves, unless one of them wins because every reply loses.
        let mut children = [(Node::default(), 0); WIDTH as usize];
        let mut count = 0;
        for column in COLUMNS {
            let disc = moves & column_squares(column);
            if disc == 0 {
                continue;
            }
            let child = node.after(disc);
            if child.moves() == 0 {
                return Some(fastest_win(node.ply + 2));
            }
            let promise = child.promise(disc);
            let mut place = count;
            while place > 0 && children[place - 1].1 < promise {
                children[place] = children[place - 1];
                place -= 1;
            }
            children[place] = (child, promise);
            count += 1;
        }

        // Step 6. What is known already.
        let (mut known_low, mut known_high) = self.table.get(key).unwrap_or((lowest, highest));
        if known_low > bound {
            return Some(known_low);
        }
        if known_high <= bound {
            return Some(known_high);
        }

        // Step 7. Search, and remember what it proved.
        let mut best = i32::MIN;
        for (child, _) in &children[..count] {
            best = best.max(-self.search(child, -bound - 1, leash)?);
            if best > bound {
                break;
            }
        }
        if best > bound {
            known_low = best;
        } else {
            known_high = best;
        }
        self.table.put(key, (known_low, known_high), self.nodes - before);
        Some(best)
    }
}

/// How many moves are left until the end if both sides play for this score, which belongs to the position: the winner
/// for a quick end, the loser for a late one.
pub fn plies_left(position: &Connect4, score: i32) -> u32 {
    let ply = position.ply() as i32;
    let plies = match score {
        0 => SQUARES as i32 - ply,
        // The winner's discs at the end, less those he has, each after one of the loser's; but his first comes at once.
        1.. => 2 * (22 - score - ply / 2) - 1,
        _ => 2 * (22 + score - (ply + 1) / 2),
    };
    // A score that does not belong to the position makes no sense, but no harm either.
    plies.max(0) as u32
}

/// The score of the side that completes four with the disc after `ply` others.
fn fastest_win(ply: i32) -> i32 {
    // It has half of them, and this one.
    22 - (ply / 2 + 1)
}

/// A position as the search sees it.
#[derive(Clone, Copy, Default)]
struct Node {
    /// The discs of the side to move.
    mover: u64,
    /// The discs of both.
    mask: u64,
    /// Empty squares where the other side would complete a four.
    threats: u64,
    /// How many discs there are: First moves when this is even.
    ply: i32,
}

impl Node {
    /// Where the next disc can land.
    #[inline]
    fn landing(&self) -> u64 {
        (self.mask + BOTTOM) & BOARD
    }

    /// The moves after which the other side cannot win at once; none of them means that the game is lost.
    #[inline]
    fn moves(&self) -> u64 {
        let landing = self.landing();
        let forced = landing & self.threats;
        let moves = match forced {
            0 => landing,
            _ if forced & (forced - 1) == 0 => forced,
            _ => 0,
        };
        // Nor may a disc lie below a square where the other side wins.
        moves & !(self.threats >> 1)
    }

    #[inline]
    fn after(&self, disc: u64) -> Node {
        let mask = self.mask | disc;
        let threats = completing(self.mover | disc) & BOARD & !mask;
        Node { mover: self.mover ^ self.mask, mask, threats, ply: self.ply + 1 }
    }

    /// The same number for a position and its mirror image, never zero.
    #[inline]
    fn key(&self) -> u64 {
        let key = self.mover + self.mask + BOTTOM;
        key.min(mirrored(key))
    }

    /// How good the move that led here looks: it made threats, best such as need no answer yet; or it lies on many
    /// lines.
    #[inline]
    fn promise(&self, disc: u64) -> i32 {
        if self.threats == 0 {
            return i32::from(LINES[disc.trailing_zeros() as usize]) / 2;
        }
        let answered = i32::from(self.threats & self.landing() != 0);
        32 * self.threats.count_ones() as i32 - 16 * answered
    }

    /// An upper bound of the score of First, to move, because Second can always answer on top.
    ///
    /// Then First gets the odd rows and Second the even ones. In columns with an odd number of discs the lowest empty
    /// square is *loose*: there is an even number of such columns, and when First takes one loose square Second takes
    /// another. So if First has no four with its discs, all loose squares and all odd rows, it does not win; and if
    /// moreover Second has one with its discs and the even rows without the loose squares, Second does. Above a square
    /// of an even row where Second wins, First gets nothing: it cannot move below that square without losing.
    ///
    /// CITE: Allis 1988, A Knowledge-based Approach of Connect-Four (follow-up, claimeven, baseinverse).
    #[inline]
    fn second_follows_up(&self) -> i32 {
        let empty = BOARD & !self.mask;
        let loose = self.landing() & EVEN_ROWS;
        let fatal = self.threats & EVEN_ROWS & !loose;
        let above_fatal = fatal << 1 | fatal << 3;
        if has_four(self.mover | loose | empty & ODD_ROWS & !above_fatal) {
            i32::MAX
        } else if has_four(self.mover ^ self.mask | empty & EVEN_ROWS & !loose) {
            -1
        } else {
            0
        }
    }

    /// An upper bound of the score of Second, to move, no better than needed to be at most `bound`, because First has
    /// a threat on an odd row and can wait until Second must play below it.
    ///
    /// Call *lane* the column of the threat from the square below it upwards. Outside the lane an even number of
    /// squares is empty, and there First can always answer on top, or one loose square with another, until only the
    /// lane is left. If Second has no four with all it can get meanwhile, it loses. Above a square of an even row
    /// where First wins, Second gets nothing.
    ///
    /// CITE: Allis 1988 again, on zugzwang and odd threats.
    #[inline]
    fn first_waits(&self, bound: i32) -> i32 {
        let (empty, landing) = (BOARD & !self.mask, self.landing());
        let mut threats = self.threats & ODD_ROWS & !landing;
        while threats != 0 {
            let threat = threats & threats.wrapping_neg();
            threats ^= threat;
            let column = column_squares((threat.trailing_zeros() / 7) as u8);
            let below = empty & column & ((threat >> 1) - 1);
            let outside = SQUARES as i32 - self.ply - (empty & column & !below).count_ones() as i32;
            // First wins with the disc after all those outside and Second's in the lane, if not sooner.
            let score = -fastest_win(self.ply + outside + 1);
            if score > bound {
                continue;
            }
            let fatal = self.threats & EVEN_ROWS & !landing;
            let above_fatal = fatal << 1 | fatal << 3;
            // In the threat's own column the pairs stand the other way round.
            let others = (empty & ODD_ROWS & !above_fatal | landing & EVEN_ROWS) & !column;
            let own = below & (EVEN_ROWS | landing & ODD_ROWS) | threat >> 1;
            if !has_four(self.mover | others | own) {
                return score;
            }
        }
        i32::MAX
    }
}

/// How many lines of four run through each square, column by column, with the spare squares on top.
const LINES: [u8; 49] = [
    3, 4, 5, 5, 4, 3, 0, //
    4, 6, 8, 8, 6, 4, 0, //
    5, 8, 11, 11, 8, 5, 0, //
    7, 10, 13, 13, 10, 7, 0, //
    5, 8, 11, 11, 8, 5, 0, //
    4, 6, 8, 8, 6, 4, 0, //
    3, 4, 5, 5, 4, 3, 0,
];

/// Proven bounds of scores, in pairs of entries: the first for what took much work, the second for what came last.
///
/// An entry is one number: 49 bits of key, all there are, so that no position is taken for another; 6 bits for each
/// bound; and 3 for the work.
struct Table {
    entries: Vec<u64>,
    /// What is left of a spread key when it is shifted by this is a place in the table.
    shift: u32,
}

impl Table {
    const KEY: u64 = (1 << 49) - 1;

    fn new(bytes: usize) -> Self {
        let bits = (bytes / size_of::<u64>()).max(1 << 10).ilog2();
        Table { entries: vec![0; 1 << bits], shift: u64::BITS - bits }
    }

    /// The first place of the pair.
    #[inline]
    fn place(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize & !1
    }

    #[inline]
    fn fetch(&self, key: u64) {
        prefetch(&self.entries, self.place(key));
    }

    #[inline]
    fn get(&self, key: u64) -> Option<(i32, i32)> {
        let place = self.place(key);
        let entry =
            [place, place + 1].map(|place| self.entries[place]).into_iter().find(|entry| entry & Self::KEY == key)?;
        Some(((entry >> 49 & 63) as i32 - 22, (entry >> 55 & 63) as i32 - 22))
    }

    /// Remembers the bounds of a position that took so many nodes, at least one.
    #[inline]
    fn put(&mut self, key: u64, (low, high): (i32, i32), nodes: u64) {
        let place = self.place(key);
        let work = u64::from(nodes.ilog2() / 2).min(7);
        let entry = key | ((low + 22) as u64) << 49 | ((high + 22) as u64) << 55 | work << 61;
        let first = self.entries[place];
        if first & Self::KEY == key {
            self.entries[place] = entry;
        } else if work >= first >> 61 {
            self.entries[place] = entry;
            self.entries[place + 1] = first;
        } else {
            self.entries[place + 1] = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};
    use tengen_core::{Notation, Rng, Symmetry};

    /// The score by looking at everything.
    fn minimax(position: &Connect4) -> i32 {
        let mut moves = Vec::new();
        match position.turn(&mut moves) {
            Turn::Over(Outcome::Win(_)) => (position.ply() as i32 + 1) / 2 - 22,
            Turn::Over(Outcome::Draw) => 0,
            _ => {
                let after = |mv| {
                    let mut next = *position;
                    next.play(mv);
                    -minimax(&next)
                };
                moves.into_iter().map(after).max().expect("a move")
            }
        }
    }

    /// A random game broken off after so many moves; `None` if it ended before.
    fn random(rng: &mut Rng, plies: u32) -> Option<Connect4> {
        let mut position = Connect4::new();
        position.playout(rng, plies, |_, _| {}).is_none().then_some(position)
    }

    #[test]
    fn equals_minimax() {
        let mut rng = Rng::with_seed(1);
        let mut solver = Solver::new(1 << 20);
        let mut solved = 0;
        while solved < 1000 {
            let plies = rng.u32(30..=42);
            if let Some(position) = random(&mut rng, plies) {
                assert_eq!(solver.solve(&position), minimax(&position), "{}", position.write());
                solved += 1;
            }
        }
    }

    #[test]
    fn games_that_are_over_or_nearly() {
        let mut solver = Solver::new(0);
        for (text, score) in [
            ("1212121", -18),
            ("12121272", -18),
            ("121212", 18),
            ("OXOXOXO/XOXOXOX/XOXOXOX/XOXOXOX/OXOXOXO/OXOXOXO", 0),
            ("OXOXOX./XOXOXOX/XOXOXOX/XOXOXOX/OXOXOXO/OXOXOXO", 0),
        ] {
            let position = Connect4::read(text).expect("a position");
            assert_eq!(solver.solve(&position), score, "{text}");
        }
    }

    #[test]
    fn published_scores() {
        let mut solver = Solver::new(16 << 20);
        for (columns, score) in [
            ("6146", 18),
            ("32164625", 11),
            ("265756512", -12),
            ("24657443354", -9),
            ("7234472553", 10),
            ("243335424257", 12),
            ("737534232264", -10),
            ("441672735", 11),
            ("17516442226766", 8),
            ("43745416472735", -13),
            ("2252576253462244111563365343671351441", -1),
        ] {
            let position = Connect4::read(columns).expect("a position");
            assert_eq!(solver.solve(&position), score, "{columns}");
            assert_eq!(solver.solve(&position.transformed(1)), score, "the mirror image of {columns}");
        }
    }

    /// Follows best moves to the end: score and distance must agree with each other all the way.
    #[test]
    fn best_play_ends_when_it_should() {
        let mut rng = Rng::with_seed(2);
        let mut solver = Solver::new(16 << 20);
        let mut games = 0;
        while games < 30 {
            let Some(mut position) = random(&mut rng, 18) else { continue };
            games += 1;
            let mut score = solver.solve(&position);
            let mut left = plies_left(&position, score);
            while left > 0 {
                let moves = solver.analyse(&position);
                let &(mv, best) = moves.iter().max_by_key(|(_, score)| *score).expect("not over yet");
                assert_eq!(best, score, "{}", position.write());
                position.play(mv);
                (score, left) = (-score, left - 1);
                assert_eq!(plies_left(&position, score), left, "{}", position.write());
            }
            let Turn::Over(outcome) = position.turn(&mut Vec::new()) else { panic!("not over: {}", position.write()) };
            assert_eq!(outcome.value_for(position.to_move()), score.signum() as f32);
        }
    }

    #[test]
    fn a_pulled_leash_stops_it() {
        let stop = AtomicBool::new(false);
        let mut heard = Vec::new();
        let mut report = |nodes| {
            heard.push(nodes);
            stop.store(nodes >= 50_000, Ordering::Relaxed);
        };
        let mut solver = Solver::new(1 << 20);
        assert_eq!(solver.solve_on(&Connect4::new(), &mut Leash::new(&stop, &mut report)), None);
        assert_eq!(heard, [1, 16_385, 32_769, 49_153, 65_537]);
        assert_eq!(solver.nodes(), 65_537);
    }
}
