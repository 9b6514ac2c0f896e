//! Games between people that go on now: the machine helps nobody in his own, whichever tab or table he asks from.
//!
//! At the table of such a game nobody is helped at all, see [`Room::is_between_people`](crate::room::Room::is_between_people). Elsewhere
//! a visitor is known by his address, and his games by their positions: he is not helped in a position that was on the board, in one
//! that the next move could bring, nor in a line that goes through the position now. Only who sits down elsewhere, or asks another
//! program, gets round it.

use crate::message::{Code, Trouble};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tengen_record::Setup;
use tengen_table::{Table, open};

/// A game that goes on, as far as it has come.
pub struct Going {
    game: String,
    /// The position now, as a text and by its key; nothing before the first move of a game from the usual start, where everybody may look.
    now: Option<(String, u64)>,
    /// The keys of what has been on the board, the usual start left out.
    seen: HashSet<u64>,
    /// Those of what the next move may bring, once somebody has asked.
    after: OnceLock<HashSet<u64>>,
}

impl Going {
    /// The game on a table that was set up so.
    pub fn new(game: &str, setup: &Setup, table: &dyn Table) -> Self {
        let usual = usize::from(setup.position.is_none());
        let keys = table.keys();
        let now = keys.get(usual..).and_then(<[u64]>::last).map(|&key| (table.position(), key));
        let seen = keys.iter().skip(usual).copied().collect();
        Going { game: game.to_owned(), now, seen, after: OnceLock::new() }
    }

    fn is_near(&self, position: u64) -> bool {
        let after = || match self.now.as_ref().and_then(|(now, _)| open(&self.game, &Setup::at(now.as_str())).ok()) {
            Some(table) => table.keys_after().into_iter().collect(),
            None => HashSet::new(),
        };
        self.seen.contains(&position) || self.after.get_or_init(after).contains(&position)
    }

    fn is_passed(&self, keys: &[u64]) -> bool {
        self.now.as_ref().is_some_and(|(_, now)| keys.contains(now))
    }
}

/// All of them, by those who play them.
#[derive(Default)]
pub struct Fair {
    games: Mutex<HashMap<u64, HashMap<String, Arc<Going>>>>,
}

fn refused() -> Trouble {
    Trouble::new(Code::FairPlay, "no help from the machine in a game against a person before it is over")
}

impl Fair {
    fn games(&self) -> MutexGuard<'_, HashMap<u64, HashMap<String, Arc<Going>>>> {
        // Nothing is half done under this lock.
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// These visitors play at this table, and the game has come so far.
    pub fn note(&self, table: &str, visitors: &HashSet<u64>, going: Going) {
        let going = Arc::new(going);
        let mut games = self.games();
        for &visitor in visitors {
            games.entry(visitor).or_default().insert(table.to_owned(), Arc::clone(&going));
        }
    }

    /// The game at this table is over, or nobody is there any more.
    pub fn forget(&self, table: &str, visitors: &HashSet<u64>) {
        let mut games = self.games();
        for visitor in visitors {
            if let Some(own) = games.get_mut(visitor) {
                own.remove(table);
                if own.is_empty() {
                    games.remove(visitor);
                }
            }
        }
    }

    fn of(&self, visitor: u64) -> Vec<Arc<Going>> {
        self.games().get(&visitor).into_iter().flat_map(HashMap::values).cloned().collect()
    }

    /// Whether a visitor may have the machine's opinion on the last of these positions, which lie on a line.
    pub fn check(&self, visitor: u64, keys: &[u64]) -> Result<(), Trouble> {
        let asked = keys.last().copied().unwrap_or_default();
        let helps = |going: &Arc<Going>| going.is_near(asked) || going.is_passed(keys);
        if self.of(visitor).iter().any(helps) { Err(refused()) } else { Ok(()) }
    }

    /// Whether a visitor may have it on all of them.
    pub fn check_line(&self, visitor: u64, keys: &[u64]) -> Result<(), Trouble> {
        if self.of(visitor).iter().any(|going| going.is_passed(keys)) { Err(refused()) } else { Ok(()) }
    }

    /// What a table answers at which such a game goes on.
    pub fn at_the_table(goes_on: bool) -> Result<(), Trouble> {
        if goes_on { Err(refused()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(game: &str, setup: &Setup, moves: &[&str]) -> Vec<u64> {
        let mut table = open(game, setup).expect(game);
        moves.iter().for_each(|mv| table.play(mv).expect("a legal move"));
        table.keys()
    }

    #[test]
    fn ones_own_game_is_known_by_its_positions() {
        let start = Setup::standard();
        let fair = Fair::default();
        let (me, other) = (HashSet::from([1]), 2);
        let play = |moves: &[&str]| {
            let mut table = open("chess", &start).expect("chess");
            moves.iter().for_each(|mv| table.play(mv).expect("a legal move"));
            fair.note("table", &me, Going::new("chess", &start, &*table));
        };
        let asked = |visitor, moves: &[&str]| fair.check(visitor, &keys("chess", &start, moves)).is_ok();
        play(&[]);
        assert!(asked(1, &[]) && asked(1, &["e4"]), "there is no game yet");
        play(&["e4", "e5"]);
        assert!(!asked(1, &["e4", "e5"]) && asked(other, &["e4", "e5"]));
        assert!(!asked(1, &["e4"]), "the answer is in the line that is expected");
        assert!(
            !asked(1, &["e4", "e5", "Nf3"]) && !asked(1, &["e4", "e5", "Nf3", "Nc6", "Bb5"]),
            "that is looking ahead"
        );
        assert!(asked(1, &[]) && asked(1, &["e4", "c5"]) && asked(1, &["d4"]), "other openings are no help");
        // Set up by hand, as it is or a move later; and by another way.
        let by_hand = |text: &str| fair.check(1, &keys("chess", &Setup::at(text), &[])).is_ok();
        assert!(!by_hand("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"));
        assert!(!by_hand("rnbqkbnr/pppp1ppp/8/4p3/4PP2/8/PPPP2PP/RNBQKBNR b KQkq - 0 2"));
        let review = |moves: &[&str]| fair.check_line(1, &keys("chess", &start, moves)).is_ok();
        assert!(!review(&["e4", "e5", "f4"]) && review(&["e4", "c5"]));
        fair.forget("table", &me);
        assert!(asked(1, &["e4", "e5"]));
    }
}
