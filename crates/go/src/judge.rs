//! Life, death and the count, by playing a position out many times.
//!
//! [`judge`] is for positions in which the game is over or nearly so: it says whose each point becomes, which chains are dead,
//! which stand in seki, and how the game is counted by area and by territory. It works in three passes: life that no play can take away is
//! found for certain (Benson), everything else is played out from both sides' first move, and where something is lost then, all is
//! played out again by players who never put their own stones into atari. Chains that stay on the board then, shoulder
//! to shoulder with opponents, hold each other, and a tree search decides which of them live: all of them in seki.
//! A tree search also decides about other chains that playouts are not sure of, and which of two neighbours is dead if both seem to be.

use crate::field::{BLACK, BORDER, Cell, Cells, Colour, EMPTY, Field, WHITE, opponent};
use crate::knowledge::Prior;
use crate::node::Node;
use crate::params::GoParams;
use crate::playout::Policy;
use crate::search::{Root, Walker};
use std::any::Any;
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

/// Judges a position by this many playouts; about a thousand make it reliable. Whose turn it is matters only after two passes: what is
/// taken then when the next player moves first is dead, as it would be if the game were resumed.
pub fn judge<const CELLS: usize>(go: &Go<CELLS>, playouts: u32, seed: u64) -> Judgement {
    judge_any(go, playouts, seed)
}

/// The same for a board whose type is erased, so that the four judges are compiled here, once.
fn judge_any(go: &dyn Any, playouts: u32, seed: u64) -> Judgement {
    if let Some(go) = go.downcast_ref::<Go<111>>() {
        Judge::<111, 2>::new(go).judge(playouts, seed)
    } else if let Some(go) = go.downcast_ref::<Go<211>>() {
        Judge::<211, 4>::new(go).judge(playouts, seed)
    } else if let Some(go) = go.downcast_ref::<Go<421>>() {
        Judge::<421, 7>::new(go).judge(playouts, seed)
    } else if let Some(go) = go.downcast_ref::<Go<703>>() {
        Judge::<703, 11>::new(go).judge(playouts, seed)
    } else {
        // Boards have no other numbers of cells: `Field::STRIDE` would not compile for them.
        unreachable!("a board with another number of cells")
    }
}

/// A chain is dead if its points become the opponent's more often than this.
const DEAD: f32 = 0.5;
/// And doubtful from this share on, if the game still goes on.
const DOUBTFUL: f32 = 0.15;

/// A chain that holds another one is caught if it lives in a smaller share of simulations than this: playouts make its owner
/// move where he would rather pass, so that chains in seki come out about even.
const CAUGHT: f32 = 0.25;

/// A chain that playouts lose less often than this, and that lives in a larger share of simulations although the opponent begins, is alive:
/// playouts do not always answer where an eye is to be made, as in the middle of four points in a row.
const HARDLY_DOUBTED: f32 = 0.95;
const SAFE: f32 = 0.8;
/// A chain that playouts lose more often than this can perhaps be taken.
const HARDLY_SAFE: f32 = 0.05;

/// How far from a chain searches look for moves that save or kill it.
const NEAR: u8 = 2;
/// And before a chain that playouts lose is alive after all: those who take it may have lacked a move a little further away.
const FURTHER: u8 = 3;

/// How many times as many simulations as playouts say who wins a race, for each chain and for all together: where a large board is full of
/// open fights, whoever asks for the score should not wait for half a minute.
const RACE: u32 = 8;
const RACES: u32 = 24;

/// What becomes of a chain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Alive,
    Dead,
    Seki,
}

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
        // Step 2. Playouts, unless no stone is in doubt; certain cells are whose they are.
        let params = GoParams { mercy: 0.0, two_rate: 100, ..GoParams::default() };
        let is_certain = |point: Point| certain.iter().any(|held| held.has(cell_of(point)));
        let played = if board.points().all(|point| board.colour(point).is_none() || is_certain(point)) {
            self.settled()
        } else {
            self.play_out(&params, playouts, seed, params.self_atari as u8)
        };
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
        // Step 3. Chains that hold each other: neither side can move without putting itself into atari. A search says of each whether
        // it lives although the opponent begins. If both do it is seki; if one does, the other is dead, as is a bent four in the corner.
        let mut fates: Vec<Fate> =
            lost.iter().map(|&lost| if lost > DEAD { Fate::Dead } else { Fate::Alive }).collect();
        let is_over = self.go.passes() >= 2;
        let doubtful = if is_over { HARDLY_SAFE } else { DOUBTFUL };
        if lost.iter().any(|&lost| lost > doubtful) {
            let careful = self.play_out(&params, playouts / 2, seed ^ 1, 2);
            let holds: Vec<bool> =
                chains.iter().map(|chain| self.holds(&careful, chain.iter().map(|&stone| cell_of(stone)))).collect();
            let partners: Vec<Vec<usize>> = (0..chains.len())
                .map(|at| (0..chains.len()).filter(|&other| self.is_pair(&chains, &holds, at, other)).collect())
                .collect();
            let survives: Vec<bool> = (0..chains.len())
                .map(|at| {
                    let stone = cell_of(chains[at][0]);
                    let attacker = opponent(self.start.colour(stone));
                    !partners[at].is_empty() && self.survival(stone, attacker, NEAR, 4 * playouts, seed) > CAUGHT
                })
                .collect();
            for at in (0..chains.len()).filter(|&at| !partners[at].is_empty()) {
                match (survives[at], partners[at].iter().any(|&other| survives[other])) {
                    (true, true) => fates[at] = Fate::Seki,
                    (true, false) => fates[at] = Fate::Alive,
                    (false, true) => fates[at] = Fate::Dead,
                    // Whoever moves first wins: playouts from both sides have the last word.
                    (false, false) => {}
                }
            }
            // Step 4. Chains that playouts lose though nobody can take them, and chains that a game was ended too early for.
            for at in (0..chains.len()).filter(|&at| partners[at].is_empty()) {
                let stone = cell_of(chains[at][0]);
                let survival = |first| self.survival(stone, first, NEAR, playouts, seed);
                if DEAD < lost[at] && lost[at] < HARDLY_DOUBTED {
                    let attacker = opponent(self.start.colour(stone));
                    let is_caught = || self.survival(stone, attacker, FURTHER, 4 * playouts, seed) < CAUGHT;
                    if survival(attacker) > SAFE && !is_caught() {
                        fates[at] = Fate::Alive;
                    }
                } else if is_over
                    && HARDLY_SAFE < lost[at]
                    && lost[at] <= DEAD
                    // A single stone may be taken in a ko, and who wins that is not known.
                    && chains[at].len() > 1
                    && survival(self.start.to_move()) < CAUGHT
                {
                    fates[at] = Fate::Dead;
                }
            }
            // Step 5. Chains shoulder to shoulder are not both dead: whoever takes the other lives. A longer search says who does,
            // after two passes also where only one of them seems dead, and playouts are sure of neither.
            let is_open = |at: usize| HARDLY_SAFE < lost[at] && lost[at] < HARDLY_DOUBTED;
            let is_race = |at: usize, other: usize| {
                let dead = [at, other].map(|chain| fates[chain] == Fate::Dead);
                let is_one_sided = is_over && dead[0] != dead[1] && is_open(at) && is_open(other);
                (dead == [true; 2] || is_one_sided && partners[at].is_empty() && partners[other].is_empty())
                    && self.are_neighbours(&chains[at], &chains[other])
            };
            let foes: Vec<Vec<usize>> =
                (0..chains.len()).map(|at| (0..chains.len()).filter(|&other| is_race(at, other)).collect()).collect();
            let racers = foes.iter().filter(|foes| !foes.is_empty()).count() as u32;
            let simulations = (RACE * playouts).min(RACES * playouts / racers.max(1));
            let chances: Vec<f32> = (0..chains.len())
                .map(|at| {
                    let stone = cell_of(chains[at][0]);
                    let survival = || self.survival(stone, self.start.to_move(), NEAR, simulations, seed);
                    if foes[at].is_empty() { 0.0 } else { survival() }
                })
                .collect();
            // Where only one seems dead, and the search says that both live, it has found no race.
            let beats = |at: usize, foe: usize| match fates[at] == fates[foe] {
                true => chances[at] > chances[foe],
                false => chances[foe] < 0.5,
            };
            let wins: Vec<bool> =
                (0..chains.len()).map(|at| chances[at] > 0.5 && foes[at].iter().all(|&foe| beats(at, foe))).collect();
            for at in (0..chains.len()).filter(|&at| !foes[at].is_empty()) {
                if wins[at] {
                    fates[at] = Fate::Alive;
                } else if foes[at].iter().any(|&foe| wins[foe]) {
                    fates[at] = Fate::Dead;
                }
            }
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
            // Where the search knows better than playouts, so does ownership.
            if (fates[at] == Fate::Dead) != (lost[at] > DEAD) {
                chain.iter().for_each(|&stone| judgement.ownership[board.index(stone)] *= -1.0);
            }
            match fates[at] {
                Fate::Dead => judgement.dead.push(chain),
                Fate::Alive => judgement.alive.push(chain),
                Fate::Seki => judgement.seki.push(chain),
            }
        }
        // Step 6. The count.
        let (dead, seki) = (judgement.dead_stones(), judgement.seki_stones());
        judgement.score_area = self.go.count_by(Scoring::Area, &dead, &seki).lead();
        judgement.score_territory = self.go.count_by(Scoring::Territory, &dead, &seki).lead();
        judgement
    }

    /// What playouts would say where nothing can happen any more: the area.
    fn settled(&self) -> Played<CELLS> {
        let mut played = Played { ownership: [0; CELLS], neutral: [0; CELLS], playouts: 1 };
        self.start.area(|cell, owner| {
            played.ownership[cell] = owner;
            played.neutral[cell] = u32::from(owner == 0);
        });
        played
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

    /// In what share of simulations a chain lives when both sides, this one first, play as well as a tree search can within its reach.
    fn survival(&self, stone: Cell, first: Colour, reach: u8, simulations: u32, seed: u64) -> f32 {
        let own = self.start.colour(stone);
        let mut field = self.start.clone();
        if field.to_move() != first {
            field.pass();
            field.resume();
        }
        let params = GoParams { mercy: 0.0, ..GoParams::default() };
        let nodes = AtomicUsize::new(0);
        let root = Root {
            params: &params,
            field,
            rules: self.go.rules(),
            komi_halves: 0,
            shift_halves: 0,
            reserve_halves: 0,
            keys: Vec::new(),
            nodes: &nodes,
            most_nodes: usize::MAX,
            alone: true,
            uses_network: false,
            target: stone,
            reach,
            // Its owner need not do anything; the opponent may sacrifice what he likes.
            thresholds: if own == BLACK { [2, 7] } else { [7, 2] },
        };
        let top = Node::new(0, Prior::default());
        top.branch_or(|| root.open(&root.field, &[], &mut Vec::new()));
        let mut walker = Walker::new(&root, mix(seed ^ stone as u64), false);
        for _ in 0..simulations {
            walker.simulate(&root, &top);
        }
        // What the best try leads to.
        let tries = top.branch().into_iter().flat_map(|branch| branch.nodes.iter());
        tries.max_by_key(|node| node.own.visits()).map_or(1.0, |node| {
            let (visits, alive) = node.own.read(own);
            alive / visits.max(1.0)
        })
    }

    /// Whether two chains of different colours stand side by side.
    fn are_neighbours(&self, chain: &[Point], other: &[Point]) -> bool {
        let cell_of = |point: Point| Field::<CELLS, WORDS>::cell_of(self.go.board(), point);
        let foe = cell_of(other[0]);
        self.start.colour(foe) == opponent(self.start.colour(cell_of(chain[0])))
            && chain.iter().any(|&stone| {
                let near = Field::<CELLS, WORDS>::beside(cell_of(stone));
                near.into_iter().any(|near| {
                    self.start.colour(near) == self.start.colour(foe) && self.start.chain(near) == self.start.chain(foe)
                })
            })
    }

    /// Whether two chains of different colours that both hold share a liberty.
    fn is_pair(&self, chains: &[Vec<Point>], holds: &[bool], at: usize, other: usize) -> bool {
        let [own, stone] = [at, other].map(|chain| Field::<CELLS, WORDS>::cell_of(self.go.board(), chains[chain][0]));
        holds[at]
            && holds[other]
            && self.start.colour(stone) == opponent(self.start.colour(own))
            && self.start.liberties(own).iter().any(|liberty| self.start.liberties(stone).has(liberty))
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
