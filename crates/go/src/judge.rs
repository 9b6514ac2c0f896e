//! Life, death and the count, by playing a position out many times.
//!
//! [`judge`] is for positions in which the game is over or nearly so: it says whose each point becomes, which chains are dead,
//! which stand in seki, and how the game is counted by area and by territory. It works in three passes: life that no play can take away is
//! found for certain (Benson), everything else is played out from both sides' first move, and what is lost then is
//! played out again by players who never put their own stones into atari. What stays on the board then, shoulder
//! to shoulder with opponents, and cannot be caught in a tree search either, is seki.

use crate::field::{BLACK, BORDER, Cell, Cells, Colour, EMPTY, Field, WHITE, opponent};
use crate::knowledge::Prior;
use crate::node::Node;
use crate::params::GoParams;
use crate::playout::Policy;
use crate::search::{Root, Walker};
use std::sync::atomic::AtomicUsize;
use tengen_core::{Rng, mix};
use tengen_games::go::{Go, Point, Scoring};

/// What has been found about a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// Whose each point becomes, from −1 (White's) to 1 (Black's), row by row from the top left.
    pub ownership: Vec<f32>,
    /// The dead chains, each with all its stones.
    pub dead: Vec<Vec<Point>>,
    /// The living chains.
    pub alive: Vec<Vec<Point>>,
    /// The chains in seki, which live as well, but surround nothing under Japanese rules.
    pub seki: Vec<Vec<Point>>,
    /// Black's lead by area, with komi and handicap.
    pub score_area: f32,
    /// Black's lead by territory and prisoners, with komi.
    pub score_territory: f32,
}

impl Judgement {
    /// All dead stones.
    pub fn dead_stones(&self) -> Vec<Point> {
        self.dead.concat()
    }

    /// All stones in seki.
    pub fn seki_stones(&self) -> Vec<Point> {
        self.seki.concat()
    }
}

/// Judges a position by this many playouts; about a thousand make it reliable. Whose turn it is does not matter.
pub fn judge<const CELLS: usize>(go: &Go<CELLS>, playouts: u32, seed: u64) -> Judgement {
    match CELLS {
        111 => Judge::<CELLS, 2>::new(go).judge(playouts, seed),
        211 => Judge::<CELLS, 4>::new(go).judge(playouts, seed),
        421 => Judge::<CELLS, 7>::new(go).judge(playouts, seed),
        _ => Judge::<CELLS, 11>::new(go).judge(playouts, seed),
    }
}

/// A chain is dead if its points become the opponent's more often than this.
const DEAD: f32 = 0.5;
/// And doubtful from this share on.
const DOUBTFUL: f32 = 0.15;

struct Judge<'g, const CELLS: usize, const WORDS: usize> {
    go: &'g Go<CELLS>,
    start: Field<CELLS, WORDS>,
}

/// Sums over playouts.
struct Played<const CELLS: usize> {
    /// How often a cell ended as Black's more than as White's.
    ownership: [i32; CELLS],
    /// How often a cell ended empty and nobody's.
    neutral: [u32; CELLS],
    playouts: u32,
}

impl<'g, const CELLS: usize, const WORDS: usize> Judge<'g, CELLS, WORDS> {
    fn new(go: &'g Go<CELLS>) -> Self {
        let mut start = Field::of(go);
        start.resume();
        Judge { go, start }
    }

    fn judge(&self, playouts: u32, seed: u64) -> Judgement {
        let board = self.go.board();
        let cell_of = |point: Point| Field::<CELLS, WORDS>::cell_of(board, point);
        // Step 1. What lives for certain, and what it surrounds.
        let certain = [BLACK, WHITE].map(|colour| self.benson(colour));
        // Step 2. Playouts; certain cells are whose they are.
        let params = GoParams { mercy: 0.0, two_rate: 100, ..GoParams::default() };
        let played = self.play_out(&params, playouts, seed, params.self_atari as u8);
        let owner = |cell: Cell| -> f32 {
            if certain[0].has(cell) {
                1.0
            } else if certain[1].has(cell) {
                -1.0
            } else {
                played.ownership[cell] as f32 / played.playouts.max(1) as f32
            }
        };
        let chains: Vec<Vec<Point>> = board
            .points()
            .filter(|&point| board.chain(point) == Some(point))
            .map(|point| board.chain_stones(point).collect())
            .collect();
        // How often the chain is lost.
        let lost: Vec<f32> = chains
            .iter()
            .map(|chain| {
                let sum: f32 = chain.iter().map(|&stone| owner(cell_of(stone))).sum();
                let mean = sum / chain.len() as f32;
                (1.0 - if self.start.colour(cell_of(chain[0])) == BLACK { mean } else { -mean }) / 2.0
            })
            .collect();
        // Step 3. Chains that would only be lost by somebody's self-atari, and cannot be caught by the opponent's best
        // play either, are in seki; there are always two of them that hold each other.
        let mut in_seki = vec![false; chains.len()];
        if lost.iter().any(|&lost| lost > DOUBTFUL) {
            let careful = self.play_out(&params, playouts / 2, seed ^ 1, 2);
            for (chain, is_seki) in chains.iter().zip(&mut in_seki) {
                *is_seki = self.holds(&careful, chain.iter().map(|&stone| cell_of(stone)));
            }
            for at in 0..chains.len() {
                in_seki[at] &= self.has_partner(&chains, &in_seki, at)
                    && (lost[at] < DOUBTFUL || self.survives(cell_of(chains[at][0]), playouts, seed));
            }
            in_seki = (0..chains.len()).map(|at| in_seki[at] && self.has_partner(&chains, &in_seki, at)).collect();
        }
        let mut judgement = Judgement {
            ownership: board.points().map(|point| owner(cell_of(point))).collect(),
            dead: Vec::new(),
            alive: Vec::new(),
            seki: Vec::new(),
            score_area: 0.0,
            score_territory: 0.0,
        };
        for (at, chain) in chains.into_iter().enumerate() {
            if in_seki[at] {
                judgement.seki.push(chain);
            } else if lost[at] > DEAD {
                judgement.dead.push(chain);
            } else {
                judgement.alive.push(chain);
            }
        }
        // Step 4. The count.
        let (dead, seki) = (judgement.dead_stones(), judgement.seki_stones());
        judgement.score_area = self.go.count_by(Scoring::Area, &dead, &seki).lead();
        judgement.score_territory = self.go.count_by(Scoring::Territory, &dead, &seki).lead();
        judgement
    }

    fn play_out(&self, params: &GoParams, playouts: u32, seed: u64, threshold: u8) -> Played<CELLS> {
        let policy = Policy::new(params, false);
        let mut rng = Rng::with_seed(mix(seed ^ self.start.key()));
        let mut played = Played { ownership: [0; CELLS], neutral: [0; CELLS], playouts };
        let mut field = self.start.clone();
        for number in 0..playouts {
            field.clone_from(&self.start);
            // Either side may begin, so that nobody's move decides.
            let first = if number % 2 == 0 { BLACK } else { WHITE };
            if field.to_move() != first {
                field.pass();
                field.resume();
            }
            policy.play(&mut field, &mut rng, [threshold; 2], |_, _| ());
            for cell in 0..CELLS {
                if self.start.colour(cell) != BORDER {
                    let owner = field.settled_owner(cell);
                    played.ownership[cell] += owner;
                    played.neutral[cell] += u32::from(owner == 0);
                }
            }
        }
        played
    }

    /// Whether a chain stays on the board when nobody puts himself into atari, with a liberty that stays nobody's.
    fn holds(&self, careful: &Played<CELLS>, stones: impl Iterator<Item = Cell>) -> bool {
        let mut keeps = true;
        let mut has_neutral = false;
        for stone in stones {
            let share = careful.ownership[stone] as f32 / careful.playouts.max(1) as f32;
            keeps &= if self.start.colour(stone) == BLACK { share > 0.4 } else { share < -0.4 };
            for near in Field::<CELLS, WORDS>::beside(stone) {
                has_neutral |= self.start.colour(near) == EMPTY && 2 * careful.neutral[near] > careful.playouts;
            }
        }
        keeps && has_neutral
    }

    /// Whether a chain lives although the opponent moves first, as far as a tree search can see.
    fn survives(&self, stone: Cell, simulations: u32, seed: u64) -> bool {
        let own = self.start.colour(stone);
        let mut field = self.start.clone();
        if field.to_move() == own {
            field.pass();
            field.resume();
        }
        let params = GoParams::default();
        let nodes = AtomicUsize::new(0);
        let root = Root {
            params: &params,
            field,
            rules: self.go.rules(),
            komi_halves: 0,
            shift_halves: 0,
            keys: Vec::new(),
            nodes: &nodes,
            most_nodes: usize::MAX,
            alone: true,
            target: stone,
            // Its owner need not do anything; the opponent may sacrifice what he likes.
            thresholds: if own == BLACK { [2, 7] } else { [7, 2] },
        };
        let top = Node::new(0, Prior::default());
        top.branch_or(|| root.open(&root.field, &[], &mut Vec::new()));
        let mut walker = Walker::new(&root, mix(seed ^ stone as u64), false);
        for _ in 0..simulations {
            walker.simulate(&root, &top);
        }
        // What the opponent's best try leads to.
        let tries = top.branch().into_iter().flat_map(|branch| branch.nodes.iter());
        tries.max_by_key(|node| node.own.visits()).is_none_or(|node| {
            let (visits, alive) = node.own.read(own);
            alive > 0.5 * visits
        })
    }

    /// Whether a chain shares a liberty with an opponent's chain that is in seki as well.
    fn has_partner(&self, chains: &[Vec<Point>], in_seki: &[bool], at: usize) -> bool {
        let cell_of = |point: Point| Field::<CELLS, WORDS>::cell_of(self.go.board(), point);
        let own = cell_of(chains[at][0]);
        (0..chains.len()).any(|other| {
            let stone = cell_of(chains[other][0]);
            in_seki[other]
                && self.start.colour(stone) == opponent(self.start.colour(own))
                && self.start.liberties(own).iter().any(|liberty| self.start.liberties(stone).has(liberty))
        })
    }

    /// The cells of chains of a colour that live even if their owner never moves again, and of the regions they close.
    ///
    /// CITE: Benson 1976, "Life in the game of Go".
    fn benson(&self, own: Colour) -> Cells<WORDS> {
        let field = &self.start;
        let points: Vec<Cell> =
            self.go.board().points().map(|point| Field::<CELLS, WORDS>::cell_of(self.go.board(), point)).collect();
        // Step 1. The regions without own stones, and the chains around each of them.
        let mut region_of = vec![usize::MAX; CELLS];
        let mut regions: Vec<Vec<Cell>> = Vec::new();
        for &start in &points {
            if field.colour(start) == own || region_of[start] != usize::MAX {
                continue;
            }
            let mut region = vec![start];
            region_of[start] = regions.len();
            let mut at = 0;
            while at < region.len() {
                for near in Field::<CELLS, WORDS>::beside(region[at]) {
                    if field.colour(near) != BORDER && field.colour(near) != own && region_of[near] == usize::MAX {
                        region_of[near] = regions.len();
                        region.push(near);
                    }
                }
                at += 1;
            }
            regions.push(region);
        }
        let around = |region: &[Cell]| {
            let mut chains: Vec<Cell> = Vec::new();
            for &cell in region {
                for near in Field::<CELLS, WORDS>::beside(cell) {
                    if field.colour(near) == own && !chains.contains(&field.chain(near)) {
                        chains.push(field.chain(near));
                    }
                }
            }
            chains
        };
        let borders: Vec<Vec<Cell>> = regions.iter().map(|region| around(region)).collect();
        // A region is vital to a chain if all its empty points are liberties of that chain.
        let is_vital = |region: usize, chain: Cell| {
            regions[region].iter().all(|&cell| field.colour(cell) != EMPTY || field.liberties(chain).has(cell))
        };
        // Step 2. Chains without two vital regions go, with the regions that touch them, until nothing changes.
        let mut living: Vec<Cell> =
            points.iter().copied().filter(|&cell| field.colour(cell) == own && field.chain(cell) == cell).collect();
        let mut closed: Vec<bool> = vec![true; regions.len()];
        loop {
            let before = living.len();
            living.retain(|&chain| {
                let vital = (0..regions.len())
                    .filter(|&region| closed[region] && borders[region].contains(&chain) && is_vital(region, chain));
                vital.count() >= 2
            });
            for region in 0..regions.len() {
                closed[region] &= borders[region].iter().all(|chain| living.contains(chain));
            }
            if living.len() == before {
                break;
            }
        }
        // Step 3. What they hold: their stones, and the regions in which the opponent cannot live.
        let mut held = Cells::NONE;
        for &cell in &points {
            if field.colour(cell) == own && living.contains(&field.chain(cell)) {
                held.add(cell);
            }
        }
        for (region, cells) in regions.iter().enumerate() {
            let vital = || borders[region].iter().any(|&chain| is_vital(region, chain));
            if closed[region] && !borders[region].is_empty() && vital() {
                cells.iter().for_each(|&cell| held.add(cell));
            }
        }
        held
    }
}
