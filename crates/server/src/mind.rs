//! The machine on a chair: one live player for a game, with what it remembers.
//!
//! A [`Mind`] has a table of its own, on which it follows the game; its players stay at that table, and with them their trees and hash tables.
//! It goes with a thought into the pool and comes back with the answer. If it is lost, or its memory is needed elsewhere, another one is made
//! from the line of the game.

use crate::catalog::LevelPlan;
use crate::message::Trouble;
use crate::think::{Chosen, Spot, at_first_sight, kindly, think, within};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tengen_core::Rng;
use tengen_search::{GameClock, Limits};
use tengen_table::{PlayerSpec, Table, open, players};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Minds that nobody has asked for so long give their memory back.
pub const IDLE: Duration = Duration::from_secs(180);
/// Megabytes that all minds together may keep between their thoughts.
pub const MEGABYTES: usize = 1024;

/// A level that plays a game.
pub struct Mind {
    plan: LevelPlan,
    /// The plan's players, each with a number that its choices follow from: two games against a level are not the same game.
    player: PlayerSpec,
    hasty: Option<PlayerSpec>,
    /// Where the game stands, as far as the mind has followed it.
    table: Box<dyn Table>,
    moves: Vec<String>,
    rng: Rng,
}

impl Mind {
    /// Sits down to a game that begins like this one.
    pub fn new(spot: &Spot, plan: LevelPlan, mut rng: Rng) -> Result<Self, Trouble> {
        let player = seeded(&plan.player, &mut rng);
        let hasty = plan.hasty.as_ref().map(|hasty| seeded(&hasty.player, &mut rng));
        Ok(Mind { plan, player, hasty, table: open(&spot.game, &spot.setup)?, moves: Vec::new(), rng })
    }

    /// Whether it plays this level.
    pub fn plays(&self, level: &str) -> bool {
        self.plan.id == level
    }

    /// What its players may take, in megabytes.
    pub fn megabytes(&self) -> u32 {
        let all = [Some(&self.player), self.hasty.as_ref(), self.plan.otherwise.as_ref()];
        all.into_iter().flatten().map(megabytes).sum()
    }

    /// Goes to where the game is: back to where the lines part, and along.
    fn follow(&mut self, moves: &[String]) -> Result<(), Trouble> {
        let same = self.moves.iter().zip(moves).take_while(|(here, there)| here == there).count();
        self.table.undo(self.moves.len() - same)?;
        self.moves.truncate(same);
        for mv in &moves[same..] {
            self.table.play(mv)?;
            self.moves.push(mv.clone());
        }
        Ok(())
    }

    /// The move it plays after these moves.
    pub fn choose(&mut self, moves: &[String], clock: Option<GameClock>, stop: &AtomicBool) -> Result<Chosen, Trouble> {
        self.follow(moves)?;
        let side = self.table.turn().1;
        let (plan, table) = (&self.plan, &mut *self.table);
        let limits = Limits { clock, ..Limits::default() };
        if plan.kind
            && let Some(chosen) = table.exact().as_ref().and_then(kindly)
        {
            return Ok(chosen);
        }
        // Whoever passes asks whether the game is over: nobody answers that at first sight, or the game would never end.
        let asked = self.moves.last().is_some_and(|last| last == "pass");
        if let (Some(hasty), Some(player)) = (&plan.hasty, &self.hasty)
            && !asked
            && self.rng.f32() < hasty.chance
        {
            let thought = think(table, &player.to_string(), &limits, stop)?;
            return Ok(at_first_sight(&thought, side, player, hasty.spread, &mut self.rng));
        }
        let player = self.player.to_string();
        let thought = match (plan.within, &plan.otherwise) {
            (Some(ms), Some(otherwise)) => within(table, &player, Duration::from_millis(ms), stop)
                .map_or_else(|| think(table, &otherwise.to_string(), &limits, stop), Ok)?,
            _ => think(table, &player, &limits, stop)?,
        };
        Ok(Chosen { mv: thought.best, value: thought.value.seen_by(side) })
    }
}

/// The same player with other dice.
fn seeded(player: &PlayerSpec, rng: &mut Rng) -> PlayerSpec {
    let known = players::list();
    let takes_seed =
        known.iter().any(|info| info.name == player.name && info.params.iter().any(|param| param.name == "seed"));
    if takes_seed { player.clone().with("seed", rng.u32(..)) } else { player.clone() }
}

/// The memory that a player is given by its settings, in megabytes.
fn megabytes(player: &PlayerSpec) -> u32 {
    let memory = |key: &str| ["memory", "hash", "table"].contains(&key);
    let given = player.settings.iter().find(|(key, _)| memory(key)).and_then(|(_, value)| value.parse().ok());
    let usual = || {
        let known = players::list();
        let of = known.iter().find(|info| info.name == player.name)?.params.iter().find(|param| memory(param.name))?;
        of.default.parse().ok()
    };
    given.or_else(usual).unwrap_or(0)
}

/// A mind between two thoughts, and the memory it has a right to until then.
struct Kept {
    mind: Box<Mind>,
    since: Instant,
    _memory: OwnedSemaphorePermit,
}

/// The minds of a table's two chairs.
#[derive(Default)]
pub struct Minds {
    kept: [Option<Kept>; 2],
}

impl Minds {
    /// The mind of a chair that plays this level, if it is still there.
    pub fn take(&mut self, chair: usize, level: &str) -> Option<Box<Mind>> {
        self.kept[chair].take().map(|kept| kept.mind).filter(|mind| mind.plays(level))
    }

    /// Keeps a mind for the next move, if there is memory for it.
    pub fn keep(&mut self, chair: usize, mind: Box<Mind>, memory: &Arc<Semaphore>) {
        self.kept[chair] = None;
        if let Ok(permit) = Arc::clone(memory).try_acquire_many_owned(mind.megabytes()) {
            self.kept[chair] = Some(Kept { mind, since: Instant::now(), _memory: permit });
        }
    }

    /// The players have changed their chairs.
    pub fn swap(&mut self) {
        self.kept.swap(0, 1);
    }

    /// Nobody plays on, or nobody is there to see it.
    pub fn dismiss(&mut self) {
        self.kept = [None, None];
    }

    /// When a mind will have been idle for too long.
    pub fn idle_at(&self) -> Option<Instant> {
        self.kept.iter().flatten().map(|kept| kept.since + IDLE).min()
    }

    /// Sends away who has been idle for too long.
    pub fn rest(&mut self, now: Instant) {
        for kept in &mut self.kept {
            *kept = kept.take().filter(|kept| kept.since + IDLE > now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_record::Setup;

    fn plan(player: &str) -> LevelPlan {
        let mut plan = crate::catalog::Catalog::bundled().ladder("go9")[0].clone();
        plan.hasty = None;
        plan.player = PlayerSpec::read(player).expect("a player");
        plan
    }

    fn mind(game: &str, player: &str) -> Mind {
        let spot = Spot { game: game.to_owned(), setup: Setup::standard(), moves: Vec::new() };
        Mind::new(&spot, plan(player), Rng::with_seed(1)).expect("a game")
    }

    /// What a player has in its tree when it is stopped before it can think.
    fn remembered(mind: &mut Mind, moves: &[String]) -> u64 {
        mind.follow(moves).expect("legal moves");
        let player = mind.player.to_string();
        let thought = think(&mut *mind.table, &player, &Limits::default(), &AtomicBool::new(true)).expect("a thought");
        thought.candidates.iter().map(|candidate| candidate.visits).sum()
    }

    #[test]
    fn the_second_thought_begins_with_the_first_ones_tree() {
        for (game, player) in [("connect4", "mcts:visits=2000,memory=16"), ("go5", "go:playouts=1500,memory=16,net=0")]
        {
            let go = AtomicBool::new(false);
            let mut mind = mind(game, player);
            let own = mind.choose(&[], None, &go).expect("a move").mv;
            // The answer that was thought about most: what the tree says after the own move.
            mind.follow(std::slice::from_ref(&own)).expect("legal");
            let text = mind.player.to_string();
            let answer =
                think(&mut *mind.table, &text, &Limits::default(), &AtomicBool::new(true)).expect("a thought").best;
            let line = [own, answer];
            let kept = remembered(&mut mind, &line);
            let fresh = remembered(&mut self::mind(game, player), &line);
            assert!(kept > fresh + 20, "{game}: {kept} visits kept, {fresh} without");
            // Back, and another way: the mind follows.
            mind.choose(&line[..1], None, &go).expect("a move");
            assert_eq!(mind.table.moves(), &line[..1]);
        }
    }

    #[test]
    fn minds_are_kept_as_far_as_memory_goes_and_for_a_while() {
        let memory = Arc::new(Semaphore::new(20));
        let mut minds = Minds::default();
        minds.keep(0, Box::new(mind("connect4", "mcts:visits=9,memory=16")), &memory);
        minds.keep(1, Box::new(mind("connect4", "mcts:visits=9,memory=16")), &memory);
        assert!(minds.kept[0].is_some() && minds.kept[1].is_none() && memory.available_permits() == 4);
        minds.swap();
        let id = plan("random").id;
        assert!(minds.take(0, &id).is_none());
        assert!(minds.take(1, "another level").is_none(), "and who does not play any more is gone");
        assert_eq!(memory.available_permits(), 20);
        minds.keep(0, Box::new(mind("connect4", "mcts:visits=9,memory=16")), &memory);
        let idle = minds.idle_at().expect("one is kept");
        minds.rest(idle - Duration::from_millis(1));
        assert!(minds.kept[0].is_some());
        minds.rest(idle);
        assert_eq!((minds.idle_at(), memory.available_permits()), (None, 20));
    }

    #[test]
    fn only_players_with_dice_get_other_dice() {
        let mut rng = Rng::with_seed(1);
        let mut seeded = |text: &str| super::seeded(&PlayerSpec::read(text).expect("a player"), &mut rng).to_string();
        assert_eq!(seeded("minimax:depth=2"), "minimax:depth=2");
        assert!(seeded("random").starts_with("random:seed="));
        assert!(seeded("chess:elo=900").starts_with("chess:elo=900,seed="));
        assert_eq!(megabytes(&PlayerSpec::read("mcts").expect("a player")), 512);
        assert_eq!(megabytes(&PlayerSpec::read("chess:hash=8").expect("a player")), 8);
    }
}
