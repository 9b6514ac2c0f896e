//! What follows from the games of a report.

use super::{GameData, GameResult, ReportData};
use crate::stats::{Encounter, Estimate, Pairs, RatingOptions, Ratings, SprtPath, Summary, Wdl, rate};
use std::collections::{BTreeMap, HashMap, HashSet};

/// How a difference or a rating moved, game by game.
#[derive(Clone, PartialEq, Debug)]
pub struct EloCurve {
    /// The player.
    pub player: usize,
    /// Games played altogether, and the estimate then.
    pub points: Vec<(u64, Estimate)>,
}

/// One opening and how the first side did in it.
#[derive(Clone, PartialEq, Debug)]
pub struct OpeningLine {
    /// Its name.
    pub name: String,
    /// Results of the first side.
    pub first: Wdl,
    /// Results of the first player of the report, whichever side it had.
    pub player: Wdl,
}

/// Everything the page and the Markdown say.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    /// Games that count.
    pub games: u64,
    /// Games that do not.
    pub void: u64,
    /// Different games by their moves; `None` if moves are missing.
    pub unique: Option<u64>,
    /// Row against column, all games.
    pub cross: Vec<Vec<Wdl>>,
    /// Row against column, complete pairs.
    pub pairs: Vec<Vec<Pairs>>,
    /// Each player against all others.
    pub totals: Vec<Wdl>,
    /// Results of the first side.
    pub first: Wdl,
    /// Ratings of all players.
    pub ratings: Ratings,
    /// Two players: the difference for the first. More: all ratings.
    pub curves: Vec<EloCurve>,
    /// The test's path, if there was a test.
    pub sprt: Option<SprtPath>,
    /// Openings, the most played first.
    pub openings: Vec<OpeningLine>,
    /// Why games ended, the most frequent first.
    pub reasons: Vec<(String, u64)>,
}

impl GameData {
    /// The result as the first side counts it; `None` if it does not count.
    fn wdl(&self) -> Option<Wdl> {
        match self.result {
            GameResult::First => Some(Wdl::new(1, 0, 0)),
            GameResult::Draw => Some(Wdl::new(0, 1, 0)),
            GameResult::Second => Some(Wdl::new(0, 0, 1)),
            GameResult::Void => None,
        }
    }
}

impl Analysis {
    /// Looks at the games once, in order. Games of players that do not exist, or of one player against itself, are void.
    pub fn of(data: &ReportData) -> Self {
        let size = data.players.len();
        let counted = |game: &&GameData| game.first < size && game.second < size && game.first != game.second;
        let valid: Vec<(&GameData, Wdl)> =
            data.games.iter().filter(counted).filter_map(|game| Some((game, game.wdl()?))).collect();

        let mut cross = vec![vec![Wdl::default(); size]; size];
        let mut pairs = vec![vec![Pairs::default(); size]; size];
        let (mut first, mut half) = (Wdl::default(), BTreeMap::new());
        let mut openings: Vec<OpeningLine> = Vec::new();
        let mut known: HashMap<&str, usize> = HashMap::new();
        let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
        let mut table: BTreeMap<(usize, usize), Wdl> = BTreeMap::new();
        let mut sprt = data.sprt.filter(|_| size >= 2).map(SprtPath::new);
        // A test looks at pairs where games come in pairs, at games otherwise.
        let paired = valid.iter().any(|(game, _)| game.pair.is_some());
        let mut curves: Vec<EloCurve> = Vec::new();
        let every = (valid.len() / if size == 2 { 200 } else { 40 }).max(1);

        for (index, &(game, wdl)) in valid.iter().enumerate() {
            let (a, b) = (game.first, game.second);
            cross[a][b] += wdl;
            cross[b][a] += wdl.reversed();
            first += wdl;
            *table.entry((a, b)).or_default() += wdl;
            *reasons.entry(&game.reason).or_default() += 1;
            if let Some(name) = game.opening.as_deref().filter(|name| !name.is_empty()) {
                let place = *known.entry(name).or_insert_with(|| {
                    openings.push(OpeningLine { name: name.into(), first: Wdl::default(), player: Wdl::default() });
                    openings.len() - 1
                });
                openings[place].first += wdl;
                if a == 0 || b == 0 {
                    openings[place].player += if a == 0 { wdl } else { wdl.reversed() };
                }
            }
            // The second game of a pair completes it.
            let mut completed = false;
            if let Some(pair) = game.pair {
                let points = |wdl: Wdl| (2 * wdl.wins + wdl.draws) as usize;
                match half.remove(&(pair, a.min(b), a.max(b))) {
                    Some((other, earlier)) if other == b => {
                        let mine = points(wdl) + points(Wdl::reversed(earlier));
                        pairs[a][b].count(mine);
                        pairs[b][a].count(4 - mine);
                        completed = true;
                    }
                    _ => {
                        half.insert((pair, a.min(b), a.max(b)), (a, wdl));
                    }
                }
            }
            if let Some(path) = &mut sprt
                && a.min(b) == 0
                && a.max(b) == 1
            {
                if !paired {
                    path.look(cross[0][1]);
                } else if completed {
                    path.look(pairs[0][1]);
                }
            }
            if (index + 1).is_multiple_of(every) || index + 1 == valid.len() {
                let games = index as u64 + 1;
                if size == 2 {
                    if let Some(estimate) = Summary::new(cross[0][1], Some(pairs[0][1])).elo.estimate() {
                        push(&mut curves, 0, games, estimate);
                    }
                } else if let Ok(ratings) = rate(size, &encounters(&table), &options(data)) {
                    for (player, rating) in ratings.players.iter().enumerate() {
                        let (low, high) = rating.interval();
                        push(&mut curves, player, games, Estimate { value: rating.elo, low, high });
                    }
                }
            }
        }

        let ratings = rate(size, &encounters(&table), &options(data));
        // Anchors that make no sense are left out rather than the whole report.
        let ratings = ratings.or_else(|_| rate(size, &encounters(&table), &RatingOptions::default()));
        // The table was made above from players that exist, and the default options are sound.
        let ratings = ratings.expect("a sound table");
        let known = valid.iter().all(|(game, _)| !game.moves.is_empty());
        let unique = known.then(|| {
            let text = |game: &GameData| {
                let moves: Vec<&str> = game.moves.iter().map(|mv| mv.text.as_str()).collect();
                // Without the opening's name two start positions could look the same.
                format!("{}\n{}", game.opening.as_deref().unwrap_or_default(), moves.join(" "))
            };
            valid.iter().map(|(game, _)| text(game)).collect::<HashSet<_>>().len() as u64
        });
        openings.sort_by_key(|line| std::cmp::Reverse(line.first.games()));
        let mut reasons: Vec<(String, u64)> = reasons
            .into_iter()
            .filter(|(name, _)| !name.is_empty())
            .map(|(name, count)| (name.into(), count))
            .collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let total = |row: &Vec<Wdl>| {
            let mut sum = Wdl::default();
            row.iter().for_each(|wdl| sum += *wdl);
            sum
        };
        Analysis {
            games: valid.len() as u64,
            void: (data.games.len() - valid.len()) as u64,
            unique,
            totals: cross.iter().map(total).collect(),
            cross,
            pairs,
            first,
            ratings,
            curves,
            sprt,
            openings,
            reasons,
        }
    }

    /// One player against another, as a match.
    pub fn duel(&self, player: usize, other: usize) -> Summary {
        Summary::new(self.cross[player][other], Some(self.pairs[player][other]))
    }
}

fn push(curves: &mut Vec<EloCurve>, player: usize, games: u64, estimate: Estimate) {
    while curves.len() <= player {
        curves.push(EloCurve { player: curves.len(), points: Vec::new() });
    }
    curves[player].points.push((games, estimate));
}

fn encounters(table: &BTreeMap<(usize, usize), Wdl>) -> Vec<Encounter> {
    let row = |(&(first, second), wdl): (&(usize, usize), &Wdl)| Encounter {
        first,
        second,
        wins: wdl.wins,
        draws: wdl.draws,
        losses: wdl.losses,
    };
    table.iter().map(row).collect()
}

fn options(data: &ReportData) -> RatingOptions {
    RatingOptions { anchors: data.anchors.clone(), ..RatingOptions::default() }
}
