//! How things stand: results of everybody against everybody, and what went wrong.

use crate::Format;
use crate::game::Finished;
use crate::stats::{Encounter, Pairs, Summary, Wdl};
use std::collections::{BTreeMap, HashMap, HashSet};
use tengen_core::{Outcome, Side};

/// Results so far.
#[derive(Clone, Debug)]
pub struct Standings {
    /// The players' names.
    pub names: Vec<String>,
    /// How the row's player did against the column's, moving first.
    first: Vec<Vec<Wdl>>,
    /// Complete pairs of the row's player against the column's.
    pairs: Vec<Vec<Pairs>>,
    /// Games of which the other half of the pair is missing: half points of the player with the lower number.
    halves: HashMap<u64, u64>,
    fingerprints: HashSet<u64>,
    /// What went wrong, by player and kind.
    pub troubles: Vec<BTreeMap<&'static str, u64>>,
    /// Games by the reason they ended for, where it was not the rules alone.
    pub reasons: BTreeMap<String, u64>,
    /// Moves for which the machine was late, not the player, by player.
    pub late: Vec<u64>,
    /// Games so far.
    pub games: u64,
    /// Plies of all games.
    pub plies: u64,
}

/// One game as the standings need it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Counted<'a> {
    /// The numbers of the players, `First` and `Second`.
    pub players: [usize; 2],
    /// The pair it belongs to.
    pub pair: u64,
    pub outcome: Outcome,
    pub fingerprint: u64,
    pub plies: usize,
    pub reason: &'a str,
}

/// Half points of a side.
pub(crate) fn half_points(outcome: Outcome, side: Side) -> u64 {
    match outcome {
        Outcome::Draw => 1,
        Outcome::Win(winner) => 2 * u64::from(winner == side),
    }
}

impl Standings {
    pub(crate) fn new(names: Vec<String>) -> Self {
        let players = names.len();
        Standings {
            names,
            first: vec![vec![Wdl::default(); players]; players],
            pairs: vec![vec![Pairs::default(); players]; players],
            halves: HashMap::new(),
            fingerprints: HashSet::new(),
            troubles: vec![BTreeMap::new(); players],
            reasons: BTreeMap::new(),
            late: vec![0; players],
            games: 0,
            plies: 0,
        }
    }

    /// Counts a game; says whether it completed its pair.
    pub(crate) fn count(&mut self, game: &Counted<'_>) -> bool {
        let [first, second] = game.players;
        let wdl = &mut self.first[first][second];
        match game.outcome {
            Outcome::Win(Side::First) => wdl.wins += 1,
            Outcome::Draw => wdl.draws += 1,
            Outcome::Win(Side::Second) => wdl.losses += 1,
        }
        self.games += 1;
        self.plies += game.plies as u64;
        self.fingerprints.insert(game.fingerprint);
        if !game.reason.is_empty() {
            *self.reasons.entry(game.reason.to_owned()).or_default() += 1;
        }
        let lower = first.min(second);
        let side = if lower == first { Side::First } else { Side::Second };
        let half = half_points(game.outcome, side);
        match self.halves.remove(&game.pair) {
            None => {
                self.halves.insert(game.pair, half);
                false
            }
            Some(other) => {
                let (points, higher) = ((half + other) as usize, first.max(second));
                self.pairs[lower][higher].count(points);
                self.pairs[higher][lower].count(4 - points);
                true
            }
        }
    }

    /// Notes what went wrong in a game, and where the machine was late.
    pub(crate) fn note_trouble(&mut self, players: [usize; 2], finished: &Finished) {
        finished.late.iter().for_each(|late| self.late[players[late.side.index()]] += 1);
        if let Some(trouble) = &finished.trouble {
            *self.troubles[players[trouble.side.index()]].entry(trouble.kind.name()).or_default() += 1;
        }
    }

    /// How one player did against another, whoever moved first.
    pub fn wdl(&self, player: usize, other: usize) -> Wdl {
        let mut wdl = self.first[player][other];
        wdl += self.first[other][player].reversed();
        wdl
    }

    /// How one player did against another moving first.
    pub fn wdl_first(&self, player: usize, other: usize) -> Wdl {
        self.first[player][other]
    }

    /// How a player did against everybody.
    pub fn total(&self, player: usize) -> Wdl {
        let mut total = Wdl::default();
        (0..self.names.len()).filter(|&other| other != player).for_each(|other| total += self.wdl(player, other));
        total
    }

    /// Complete pairs of one player against another.
    pub fn pairs(&self, player: usize, other: usize) -> Pairs {
        self.pairs[player][other]
    }

    /// What the games of two players say.
    pub fn summary(&self, player: usize, other: usize) -> Summary {
        let (wdl, pairs) = (self.wdl(player, other), self.pairs(player, other));
        Summary::new(wdl, (2 * pairs.pairs() == wdl.games()).then_some(pairs))
    }

    /// Games that no other game repeats move for move.
    pub fn unique(&self) -> u64 {
        self.fingerprints.len() as u64
    }

    /// The table as ratings need it.
    pub fn encounters(&self) -> Vec<Encounter> {
        let players = self.names.len();
        let cells = (0..players).flat_map(|first| (0..players).map(move |second| (first, second)));
        let played = cells.filter(|&(first, second)| self.first[first][second].games() > 0);
        played
            .map(|(first, second)| {
                let Wdl { wins, draws, losses } = self.first[first][second];
                Encounter { first, second, wins, draws, losses }
            })
            .collect()
    }

    /// The players, the best first: by points in a knock-out, where who wins goes on; else by the share of points, because not everybody
    /// has played as often.
    pub fn order(&self, format: Format) -> Vec<usize> {
        let worth = |&player: &usize| {
            let total = self.total(player);
            let games = if format == Format::KnockOut { 1 } else { total.games().max(1) };
            total.points() / games as f64
        };
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
        order
    }
}
