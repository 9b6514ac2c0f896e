//! Tree search by a judge's eyes, in which nobody waits who could do something.
//!
//! [`Guided`] is the search of one position: simulations are begun with [`advance`](Guided::advance) until answers must be waited for, and ended with
//! [`receive`](Guided::receive). Many threads may do so on one search, and one thread on many: self-play is a loop over games. The player
//! ([`GuidedPlayer`]) is such a loop for one game.

use super::growth::Growth;
use super::halving::Halving;
use super::node::{Branch, Node, Traffic};
use super::summary::{choose, conclude, summary};
use super::tree::{Leaf, Step, Tree, Walker};
use super::{GumbelParams, PuctParams, USUAL_VISITS};
use crate::depth_first::first_legal;
use crate::judge::{Answer, Asked, Court, Inbox, Judge, JudgeError, Reply};
use crate::{Limits, News, Player, PlayerError, Stopper, Thought, Tickets, Watch};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tengen_core::{Line, Position, Rng, Turn, mix};

/// What all searches by a judge can be told.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Common {
    /// Simulations a move; 0 sets no limit.
    pub visits: u64,
    /// Milliseconds a move; 0 sets no limit.
    pub ms: u64,
    /// Threads.
    pub threads: usize,
    /// Leaves that a thread has judged at a time.
    pub batch: usize,
    /// Random choices follow from it.
    pub seed: u64,
    /// 0 plays the most visited move.
    pub temperature: f32,
    /// Whether the tree is kept from move to move.
    pub reuse: bool,
    /// Megabytes of tree.
    pub memory: usize,
}

/// How a judge's words are used: the parameters of a search answer this.
pub trait Guide: Growth {
    /// What is not particular to it.
    fn common(&self) -> Common;

    /// The share and the evenness of noise in the priors at the root.
    fn noise(&self) -> Option<(f32, f32)> {
        None
    }

    /// The race between the root's moves, if it is not the bandit that decides there.
    fn race<M: Copy>(&self, _root: &Branch<M>, _budget: u64, _rng: &mut Rng) -> Option<Halving> {
        None
    }
}

/// The search of one position. The line stands at a decision.
pub struct Guided<P: Position, G> {
    tree: Tree<P>,
    guide: G,
    seed: u64,
    /// For simulations. The judgement of the root itself is none.
    tickets: Tickets,
    /// Made when the root's moves have priors.
    race: OnceLock<Option<Mutex<Halving>>>,
}

/// What a simulation may do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ticket {
    /// Have the root judged. That is no simulation: without it there is nothing to choose among.
    Root,
    /// Go where the bandit leads.
    Free,
    /// Go through this move of the root.
    Through(usize),
}

impl Ticket {
    /// With what the simulation of a leaf was begun. Where there is no race, it does not matter how it left the root.
    fn of<M>(leaf: &Leaf<M>) -> Self {
        leaf.root_move().map_or(Ticket::Root, Ticket::Through)
    }

    fn root_move(self) -> Option<usize> {
        match self {
            Ticket::Through(index) => Some(index),
            Ticket::Root | Ticket::Free => None,
        }
    }
}

/// What one thread, or one game, needs to take part in a search.
pub struct Hand<P: Position> {
    walker: Walker<P>,
    inbox: Inbox<P::Move>,
    game: u32,
    waiting: usize,
}

impl<P: Position> Hand<P> {
    /// How many leaves are away to be judged.
    pub fn waiting(&self) -> usize {
        self.waiting
    }
}

impl<P: Position, G: Guide> Guided<P, G> {
    /// A search of `allowed` simulations on this tree, which may have grown in an earlier one. Random choices follow from the seed.
    pub fn new(tree: Tree<P>, guide: G, allowed: u64, seed: u64) -> Self {
        let seed = seed ^ tree.line().position().key();
        Guided { tree, guide, seed, tickets: Tickets::new(allowed), race: OnceLock::new() }
    }

    /// A hand for a thread or for the game itself. Its answers arrive in the inbox under the number of the game; hands with
    /// different `number` walk differently.
    pub fn hand(&self, number: u64, game: u32, inbox: &Inbox<P::Move>) -> Hand<P> {
        let walker = Walker::new(&self.tree, mix(self.seed.wrapping_add(number)), Traffic::Shared);
        Hand { walker, inbox: inbox.clone(), game, waiting: 0 }
    }

    /// The tree.
    pub fn tree(&self) -> &Tree<P> {
        &self.tree
    }

    /// The tree, to go on with after the next moves. No leaf is waited for any more.
    pub fn into_tree(self) -> Tree<P> {
        self.tree
    }

    /// Simulations begun.
    pub fn begun(&self) -> u64 {
        self.tickets.taken()
    }

    /// No more simulations are begun.
    pub fn stop(&self) {
        self.tickets.stop();
    }

    /// Whether there is nothing left to begin. There may still be leaves to wait for.
    pub fn is_over(&self) -> bool {
        let root = self.tree.root();
        let proven = self.guide.solver() && root.proven().is_some();
        self.tickets.is_stopped() || root.branch().is_some() && (proven || self.tickets.is_over())
    }

    /// Begins simulations until `most` leaves of this hand wait for the judge, nothing can be begun before others are back, or `go_on`,
    /// asked before each, says no. Ends those that need no waiting. Says whether it did anything.
    pub fn advance<J: Judge<P>>(
        &self,
        hand: &mut Hand<P>,
        court: &Court<P, J>,
        most: usize,
        mut go_on: impl FnMut() -> bool,
    ) -> Result<bool, JudgeError> {
        let mut did = false;
        while hand.waiting < most && !self.is_over() && go_on() {
            let Some(ticket) = self.begin() else { break };
            let ask = |line: &Line<P>, moves: &[P::Move]| court.ask(line, moves);
            match self.tree.gather(&mut hand.walker, &self.guide, ticket.root_move(), ask) {
                Step::Counted => self.came_back(ticket),
                Step::Busy => {
                    self.take_back(ticket);
                    break;
                }
                Step::Leaf(leaf, Reply::Known(evaluation)) => {
                    self.tree.apply(&self.guide, leaf, &evaluation)?;
                    self.came_back(ticket);
                }
                Step::Leaf(leaf, Reply::Open(question)) => {
                    court.submit(hand.game, Asked { leaf, question }, &hand.inbox);
                    hand.waiting += 1;
                }
            }
            did = true;
        }
        Ok(did)
    }

    /// Ends a simulation of this hand. On an error the simulation is taken back, and the search must not go on.
    pub fn receive(&self, hand: &mut Hand<P>, answer: Answer<P::Move>) -> Result<(), JudgeError> {
        hand.waiting = hand.waiting.saturating_sub(1);
        let ticket = Ticket::of(&answer.leaf);
        match answer.evaluation {
            Ok(evaluation) => {
                self.tree.apply(&self.guide, answer.leaf, &evaluation)?;
                self.came_back(ticket);
                Ok(())
            }
            Err(error) => {
                self.tree.abandon(answer.leaf);
                Err(error)
            }
        }
    }

    /// Takes back the simulations of this hand whose leaves nobody is judging yet.
    pub fn withdraw<J: Judge<P>>(&self, hand: &mut Hand<P>, court: &Court<P, J>) {
        for leaf in court.withdraw(&hand.inbox, hand.game) {
            hand.waiting = hand.waiting.saturating_sub(1);
            let ticket = Ticket::of(&leaf);
            self.tree.abandon(leaf);
            self.take_back(ticket);
        }
    }

    /// What has been found so far; `None` while the root waits to be judged.
    pub fn thought(&self) -> Option<Thought<P::Move>> {
        let Turn::Decision(side) = self.tree.root().branch()?.turn else { return None };
        Some(summary(&self.tree, side))
    }

    /// The final choice.
    pub fn conclude(&self) -> Option<Thought<P::Move>> {
        let root = self.tree.root();
        let branch = root.branch()?;
        let Turn::Decision(side) = branch.turn else { return None };
        let mut rng = Rng::with_seed(mix(self.seed));
        let mut thought = conclude(&self.tree, side, self.guide.common().temperature, &mut rng);
        if let Some(race) = self.race()
            && root.proven().is_none()
            && let Some(mv) = branch.nodes[lock(race).winner(branch, side)].mv
        {
            choose(&mut thought, mv);
        }
        thought.nodes = self.begun();
        Some(thought)
    }

    /// Makes room: forgets what was hardly visited. No leaf is waited for.
    fn prune(&mut self, keep: usize) {
        self.tree.prune(keep);
    }

    /// A ticket for one more simulation; `None` if there is nothing to begin now.
    fn begin(&self) -> Option<Ticket> {
        let Some(branch) = self.tree.root().branch() else { return Some(Ticket::Root) };
        if !self.tickets.take() {
            return None;
        }
        let (Some(race), Turn::Decision(side)) = (self.race(), branch.turn) else { return Some(Ticket::Free) };
        let next = lock(race).next(branch, side);
        if next.is_none() {
            self.tickets.give_back();
        }
        next.map(Ticket::Through)
    }

    fn came_back(&self, ticket: Ticket) {
        if let (Ticket::Through(_), Some(race)) = (ticket, self.race()) {
            lock(race).came_back();
        }
    }

    /// The simulation came to nothing: another one may be begun.
    fn take_back(&self, ticket: Ticket) {
        if ticket != Ticket::Root {
            self.tickets.give_back();
        }
        if let (Ticket::Through(index), Some(race)) = (ticket, self.race()) {
            lock(race).give_back(index);
        }
    }

    /// The race at the root, if there is one; from now on there is noise in its priors, too, where it is wanted.
    fn race(&self) -> Option<&Mutex<Halving>> {
        let branch = self.tree.root().branch()?;
        let make = || {
            let mut rng = Rng::with_seed(self.seed);
            if let Some((share, alpha)) = self.guide.noise() {
                self.tree.add_noise(share, alpha, &mut rng);
            }
            // Without a number of simulations there is time: races get longer and longer.
            let allowed = self.tickets.allowed();
            let budget = if allowed == u64::MAX { 4 * branch.nodes.len() as u64 } else { allowed };
            self.guide.race(branch, budget, &mut rng).map(Mutex::new)
        };
        self.race.get_or_init(make).as_ref()
    }
}

/// The race is never left half changed, so a panic elsewhere does not spoil it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The player that asks a judge.
pub struct GuidedPlayer<P: Position, J: Judge<P>, G> {
    court: Arc<Court<P, J>>,
    guide: G,
    tree: Option<Tree<P>>,
}

/// Goes by the bandit of AlphaZero.
pub type Puct<P, J> = GuidedPlayer<P, J, PuctParams>;

/// Lets the root's moves race.
pub type Gumbel<P, J> = GuidedPlayer<P, J, GumbelParams>;

impl<P: Position, J: Judge<P>, G: Guide> GuidedPlayer<P, J, G> {
    /// A player whose leaves are judged here, together with those of all others who come here.
    pub fn new(court: Arc<Court<P, J>>, guide: G) -> Self {
        GuidedPlayer { court, guide, tree: None }
    }

    /// The tree of the last thought, if it is kept.
    pub fn tree(&self) -> Option<&Tree<P>> {
        self.tree.as_ref()
    }
}

impl<P: Position, J: Judge<P>, G: Guide + Clone + Send> Player<P> for GuidedPlayer<P, J, G> {
    fn think(
        &mut self,
        line: &Line<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Thought<P::Move>, PlayerError> {
        let common = self.guide.common();
        let limits = limits.for_tree(common.visits, common.ms, USUAL_VISITS);
        let Turn::Decision(_) = line.turn(&mut Vec::new()) else {
            return Err(PlayerError::NothingToDecide);
        };
        let kept = self.tree.take().filter(|_| common.reuse).and_then(|tree| tree.advance(line));
        let tree = kept.unwrap_or_else(|| Tree::new(line.clone()));
        let allowed = limits.visits.unwrap_or(u64::MAX).min(limits.nodes.unwrap_or(u64::MAX));
        let mut search = Guided::new(tree, self.guide.clone(), allowed, common.seed);
        // Simulations are counted by the search: the stopper looks at the time alone.
        let timed = Limits { nodes: None, ..limits };
        let mut stopper = Stopper::new(&timed, line.ply(), watch.clock, watch.stop);
        let most_nodes = (common.memory << 20) / size_of::<Node<P::Move>>();
        loop {
            self.grow(&search, common, &mut stopper, most_nodes, watch)?;
            if search.is_over() {
                break;
            }
            // Memory is full: forget what was hardly visited, and go on.
            search.prune(most_nodes / 2);
        }
        let thought = search.conclude();
        self.tree = common.reuse.then(|| search.into_tree());
        // Stopped before the root was judged: any legal move is better than none.
        thought.map_or_else(|| first_legal(line), Ok)
    }
}

impl<P: Position, J: Judge<P>, G: Guide> GuidedPlayer<P, J, G> {
    /// Simulates on all threads until the search is over or the memory is full; then no leaf is waited for any more.
    fn grow(
        &self,
        search: &Guided<P, G>,
        common: Common,
        stopper: &mut Stopper<'_>,
        most_nodes: usize,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<(), PlayerError>
    where
        G: Send,
    {
        let court = &*self.court;
        // Set when memory is full: everybody comes back, nobody is stopped for good.
        let full = AtomicBool::new(false);
        let results: Vec<Result<(), JudgeError>> = std::thread::scope(|scope| {
            let others: Vec<_> = (1..common.threads)
                .map(|thread| {
                    let full = &full;
                    scope.spawn(move || work(search, court, thread as u64, common.batch, || !full.load(Relaxed)))
                })
                .collect();
            let mut news = News::new(Duration::ZERO);
            let own = work(search, court, 0, common.batch, || {
                if stopper.tick() {
                    search.stop();
                }
                if stopper.nodes().is_multiple_of(64) {
                    full.fetch_or(search.tree.size() >= most_nodes, Relaxed);
                    if news.are_due(watch.clock.elapsed())
                        && let Some(thought) = search.thought()
                    {
                        (watch.report)(&thought);
                    }
                }
                !full.load(Relaxed)
            });
            let others = others.into_iter().map(|thread| thread.join().unwrap_or(Err(JudgeError::BrokeDown)));
            std::iter::once(own).chain(others).collect()
        });
        results.into_iter().collect::<Result<(), _>>().map_err(|error| PlayerError::Failed(error.to_string()))
    }
}

/// One thread's part: begins what can be begun, judges when it cannot go on, and leaves when the search is over or `go_on` says no, with all
/// its leaves back.
fn work<P: Position, J: Judge<P>, G: Guide>(
    search: &Guided<P, G>,
    court: &Court<P, J>,
    thread: u64,
    batch: usize,
    mut go_on: impl FnMut() -> bool,
) -> Result<(), JudgeError> {
    let _stop = StopOnPanic(&search.tickets);
    let inbox = Inbox::default();
    let mut hand = search.hand(thread, 0, &inbox);
    let mut result = Ok(());
    loop {
        // Step 1. What has come in.
        for answer in inbox.take() {
            let received = search.receive(&mut hand, answer);
            result = result.and(received);
        }
        // Step 2. What can be begun; if nothing is to be begun any more, home with all that nobody works on.
        let advanced = if go_on() { search.advance(&mut hand, court, batch, &mut go_on) } else { Ok(false) };
        let did = *advanced.as_ref().unwrap_or(&false);
        result = result.and(advanced.map(|_| ()));
        if result.is_err() {
            search.stop();
        }
        if search.tickets.is_stopped() {
            search.withdraw(&mut hand, court);
        }
        // Step 3. The judge's work, or the end.
        if hand.waiting > 0 {
            court.sit(&inbox);
        } else if search.is_over() || !go_on() {
            return result;
        } else if !did {
            // Others have the only leaf there is.
            court.sit(&inbox);
            std::thread::yield_now();
        }
    }
}

/// When a thread panics, nobody else goes on as if it were still there.
struct StopOnPanic<'s>(&'s Tickets);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}
