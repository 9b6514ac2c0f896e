//! Ratings of many players at once, the likeliest that explain a table of results.
//!
//! Bradley and Terry's model: the first player's expected score is that of the difference in rating plus the advantage
//! of moving first; a draw is half a win. Newton's method finds the maximum. A weak normal prior (2000 Elo wide, worth a
//! thirtieth of a game) keeps the arithmetic sound, but it is never what a number rests on: players whose results do
//! not tie them to the others are told apart by [`Standing`] and by `group`.
// CITE: Bradley & Terry 1952; Hunter 2004 (when a maximum exists); Coulom 2008 (whole-history: Newton's method);
// one game of a perfect score counted as drawn, as Ordo does.

use super::elo::score_of_elo;
use super::linear::{Cholesky, Matrix};
use super::normal::{Z95, normal_cdf};
use serde::{Deserialize, Serialize};
use std::f64::consts::LN_10;
use std::fmt;
use tengen_core::Rng;

/// All games in which one player moved first and another second.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Encounter {
    /// Who moved first: an index among the players.
    pub first: usize,
    /// Who moved second.
    pub second: usize,
    /// Games the first won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games the first lost.
    pub losses: u64,
}

impl Encounter {
    /// How many games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }
}

/// What moving first is worth.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Advantage {
    /// So many Elo.
    Fixed(f64),
    /// To be found from the games.
    Estimated,
}

/// How to rate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct RatingOptions {
    /// Players whose ratings are given.
    pub anchors: Vec<(usize, f64)>,
    /// The mean rating of a group without anchors.
    pub mean: f64,
    /// What moving first is worth.
    pub advantage: Advantage,
    /// The standard deviation of the prior in Elo.
    pub prior: f64,
    /// So many tables are drawn at random to find the errors; 0 takes them from the curvature of the likelihood.
    pub simulations: u32,
    /// The seed of these tables.
    pub seed: u64,
}

impl Default for RatingOptions {
    fn default() -> Self {
        RatingOptions {
            anchors: Vec::new(),
            mean: 0.0,
            advantage: Advantage::Estimated,
            prior: 2000.0,
            simulations: 0,
            seed: 1,
        }
    }
}

/// What ties a rating to the others of its group.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Wins and losses both ways.
    Measured,
    /// Nobody measured took a point from this player, or from those above it: the rating is a lower bound, as if one game
    /// had been drawn.
    AtLeast,
    /// The same at the lower end.
    AtMost,
    /// Better than some and worse than others, with nothing but that to go by.
    Between,
    /// Played nobody.
    Unplayed,
}

/// One player's rating.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rating {
    /// The rating in Elo. Ratings of different groups have nothing to do with each other.
    pub elo: f64,
    /// Its standard deviation; 0 for an anchor.
    pub deviation: f64,
    /// Games played.
    pub games: u64,
    /// Points made.
    pub points: f64,
    /// Players are in one group if games connect them (or anchors), however indirectly.
    pub group: usize,
    /// How well the rating is tied to the others.
    pub standing: Standing,
    /// Whether the rating was given.
    pub anchored: bool,
}

impl Rating {
    /// The 95 % interval.
    pub fn interval(&self) -> (f64, f64) {
        (self.elo - Z95 * self.deviation, self.elo + Z95 * self.deviation)
    }
}

/// All ratings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ratings {
    /// One for each player, in their order.
    pub players: Vec<Rating>,
    /// What moving first is worth, in Elo.
    pub advantage: f64,
    /// Its standard deviation; 0 if it was given.
    pub advantage_deviation: f64,
    /// The share of draws between equals.
    pub draw_rate: f64,
    /// Groups of players that no game connects.
    pub groups: usize,
    /// Likelihood that the row's player is stronger than the column's; `None` where nothing compares them.
    pub los: Vec<Vec<Option<f64>>>,
}

impl Ratings {
    /// The players from the strongest to the weakest, group by group, the largest group first.
    pub fn order(&self) -> Vec<usize> {
        let mut sizes = vec![0usize; self.groups];
        self.players.iter().for_each(|player| sizes[player.group] += 1);
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|&a, &b| {
            let (x, y) = (&self.players[a], &self.players[b]);
            let by_group = sizes[y.group].cmp(&sizes[x.group]).then(x.group.cmp(&y.group));
            by_group.then(y.elo.total_cmp(&x.elo)).then(a.cmp(&b))
        });
        order
    }
}

/// Why a table cannot be rated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RatingError(String);

impl fmt::Display for RatingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RatingError {}

/// Rates so many players by a table of results.
pub fn rate(players: usize, table: &[Encounter], options: &RatingOptions) -> Result<Ratings, RatingError> {
    check(players, table, options)?;
    // Step 1. Who can be compared with whom.
    let ties = Ties::find(players, table, options);
    // Step 2. The likeliest ratings.
    let model = Model::new(players, options, &ties);
    let rows = model.rows(table, &ties);
    let peak = model.climb(&rows, model.start());
    let draw_rate = model.draw_rate(&rows, &peak);
    // Step 3. How far off they may be.
    let covariance = match options.simulations {
        0 => model.spread_by_curvature(&rows, &peak, draw_rate),
        n => model.spread_by_simulation(table, &peak, draw_rate, n, options.seed, options),
    };
    // Step 4. One line a player.
    let mut ratings: Vec<Rating> = (0..players)
        .map(|player| Rating {
            elo: model.rating(&peak, player),
            deviation: variance_of_difference(&model, &covariance, player, None).sqrt(),
            games: 0,
            points: 0.0,
            group: ties.group[player],
            standing: ties.standing[player],
            anchored: model.place[player].is_none(),
        })
        .collect();
    for row in table {
        let (games, points) = (row.games(), row.points());
        ratings[row.first].games += games;
        ratings[row.first].points += points;
        ratings[row.second].games += games;
        ratings[row.second].points += games as f64 - points;
    }
    let los = |a: usize, b: usize| {
        let variance = variance_of_difference(&model, &covariance, a, Some(b));
        let comparable = a != b && ties.group[a] == ties.group[b] && variance > 0.0;
        comparable.then(|| normal_cdf((model.rating(&peak, a) - model.rating(&peak, b)) / variance.sqrt()))
    };
    Ok(Ratings {
        advantage: model.advantage(&peak),
        advantage_deviation: model.advantage_place.map_or(0.0, |place| covariance.at(place, place).max(0.0).sqrt()),
        draw_rate,
        groups: ties.group.iter().max().map_or(0, |last| last + 1),
        los: (0..players).map(|a| (0..players).map(|b| los(a, b)).collect()).collect(),
        players: ratings,
    })
}

fn check(players: usize, table: &[Encounter], options: &RatingOptions) -> Result<(), RatingError> {
    let refuse = |why: String| Err(RatingError(why));
    for row in table {
        if row.first >= players || row.second >= players {
            return refuse(format!("a result names player {}, of {players}", row.first.max(row.second)));
        }
        if row.first == row.second {
            return refuse(format!("player {} is said to have played itself", row.first));
        }
    }
    for (i, (player, elo)) in options.anchors.iter().enumerate() {
        if *player >= players {
            return refuse(format!("an anchor names player {player}, of {players}"));
        }
        if options.anchors[..i].iter().any(|(other, _)| other == player) {
            return refuse(format!("player {player} is anchored twice"));
        }
        if elo.is_nan() || elo.abs() > 1e5 {
            return refuse(format!("{elo} is no rating to anchor a player at"));
        }
    }
    if options.prior.is_nan() || !(1.0..=1e7).contains(&options.prior) {
        return refuse(format!("{} is no width for a prior: 1 to 10 000 000 Elo", options.prior));
    }
    if let Advantage::Fixed(advantage) = options.advantage
        && (advantage.is_nan() || advantage.abs() > 1e5)
    {
        return refuse(format!("{advantage} is no advantage in Elo"));
    }
    if options.mean.is_nan() || options.mean.abs() > 1e5 {
        return refuse(format!("{} is no mean rating", options.mean));
    }
    Ok(())
}

/// Who is connected with whom, and how.
struct Ties {
    group: Vec<usize>,
    standing: Vec<Standing>,
    /// Players of one circle have all taken points from each other, however indirectly.
    circle: Vec<usize>,
}

impl Ties {
    fn find(players: usize, table: &[Encounter], options: &RatingOptions) -> Self {
        // Step 1. Who took points from whom; anchors hold each other in place.
        let mut took = vec![Vec::new(); players];
        let mut met = vec![Vec::new(); players];
        let link = |lists: &mut Vec<Vec<usize>>, from: usize, to: usize| lists[from].push(to);
        for row in table.iter().filter(|row| row.games() > 0) {
            link(&mut met, row.first, row.second);
            link(&mut met, row.second, row.first);
            if row.wins + row.draws > 0 {
                link(&mut took, row.first, row.second);
            }
            if row.losses + row.draws > 0 {
                link(&mut took, row.second, row.first);
            }
        }
        for pair in options.anchors.windows(2) {
            for lists in [&mut met, &mut took] {
                link(lists, pair[0].0, pair[1].0);
                link(lists, pair[1].0, pair[0].0);
            }
        }
        // Step 2. Groups and circles.
        let reach = |lists: &[Vec<usize>], from: usize| {
            let (mut seen, mut open) = (vec![false; players], vec![from]);
            seen[from] = true;
            while let Some(player) = open.pop() {
                for &next in &lists[player] {
                    if !std::mem::replace(&mut seen[next], true) {
                        open.push(next);
                    }
                }
            }
            seen
        };
        let below: Vec<Vec<bool>> = (0..players).map(|player| reach(&took, player)).collect();
        let (mut group, mut circle) = (vec![usize::MAX; players], vec![usize::MAX; players]);
        let (mut groups, mut circles) = (0, 0);
        for player in 0..players {
            if group[player] == usize::MAX {
                let connected = reach(&met, player);
                (0..players).filter(|&other| connected[other]).for_each(|other| group[other] = groups);
                groups += 1;
            }
            if circle[player] == usize::MAX {
                let both = |other: &usize| below[player][*other] && below[*other][player];
                (0..players).filter(both).for_each(|other| circle[other] = circles);
                circles += 1;
            }
        }
        // Step 3. In each group the circle with the most players (anchors count most) is what is measured.
        let weight = |of: usize| {
            let anchored = options.anchors.iter().any(|(player, _)| circle[*player] == of);
            (anchored, circle.iter().filter(|&&c| c == of).count())
        };
        let standing = (0..players).map(|player| {
            if met[player].is_empty() {
                return Standing::Unplayed;
            }
            let rivals = (0..players).filter(|&other| group[other] == group[player]);
            // `rev`: of equals the one that comes first wins. The group holds the player, so there is a maximum.
            let heart = rivals.rev().max_by_key(|&other| weight(circle[other])).unwrap_or(player);
            if circle[heart] == circle[player] {
                Standing::Measured
            } else if below[player][heart] {
                Standing::AtLeast
            } else if below[heart][player] {
                Standing::AtMost
            } else {
                Standing::Between
            }
        });
        Ties { standing: standing.collect(), group, circle }
    }
}

/// Games as the fit sees them: half points may have been moved.
struct Row {
    first: usize,
    second: usize,
    games: f64,
    points: f64,
    draws: f64,
}

/// Which number of the vector that is fitted stands for what.
struct Model {
    /// Where each player's rating is; `None` for an anchor.
    place: Vec<Option<usize>>,
    group: Vec<usize>,
    anchor: Vec<f64>,
    /// The middle of each player's prior.
    centre: Vec<f64>,
    advantage_place: Option<usize>,
    advantage_fixed: f64,
    prior: f64,
    size: usize,
}

/// Elo in one unit of the logistic function's exponent, inverted.
const SLOPE: f64 = LN_10 / 400.0;

impl Model {
    fn new(players: usize, options: &RatingOptions, ties: &Ties) -> Self {
        let mut anchor = vec![f64::NAN; players];
        options.anchors.iter().for_each(|(player, elo)| anchor[*player] = *elo);
        let mut size = 0;
        let mut next = || {
            size += 1;
            size - 1
        };
        let place = anchor.iter().map(|elo| elo.is_nan().then(&mut next)).collect();
        let centre = (0..players).map(|player| {
            let held = options.anchors.iter().filter(|(other, _)| ties.group[*other] == ties.group[player]);
            let held: Vec<f64> = held.map(|(_, elo)| *elo).collect();
            if held.is_empty() { options.mean } else { held.iter().sum::<f64>() / held.len() as f64 }
        });
        let centre = centre.collect();
        let (advantage_place, advantage_fixed) = match options.advantage {
            Advantage::Estimated => (Some(next()), 0.0),
            Advantage::Fixed(elo) => (None, elo),
        };
        let group = ties.group.clone();
        Model { place, group, anchor, centre, advantage_place, advantage_fixed, prior: options.prior, size }
    }

    fn start(&self) -> Vec<f64> {
        let mut start = vec![0.0; self.size];
        for (place, centre) in self.place.iter().zip(&self.centre) {
            if let Some(place) = place {
                start[*place] = *centre;
            }
        }
        start
    }

    fn rating(&self, at: &[f64], player: usize) -> f64 {
        self.place[player].map_or(self.anchor[player], |place| at[place])
    }

    fn advantage(&self, at: &[f64]) -> f64 {
        self.advantage_place.map_or(self.advantage_fixed, |place| at[place])
    }

    fn expected(&self, at: &[f64], row: &Row) -> f64 {
        score_of_elo(self.rating(at, row.first) - self.rating(at, row.second) + self.advantage(at))
    }

    /// The numbers a row's difference is made of, with their signs.
    fn terms(&self, row: &Row) -> impl Iterator<Item = (usize, f64)> + use<> {
        let terms = [(self.place[row.first], 1.0), (self.place[row.second], -1.0), (self.advantage_place, 1.0)];
        terms.into_iter().filter_map(|(place, sign)| place.map(|place| (place, sign)))
    }

    /// The table, with half a point moved wherever one circle took everything from another: so there is a maximum.
    fn rows(&self, table: &[Encounter], ties: &Ties) -> Vec<Row> {
        let rows = table.iter().filter(|row| row.games() > 0);
        let mut rows: Vec<Row> = rows
            .map(|row| Row {
                first: row.first,
                second: row.second,
                games: row.games() as f64,
                points: row.points(),
                draws: row.draws as f64,
            })
            .collect();
        let between = |row: &Row| {
            let (a, b) = (ties.circle[row.first], ties.circle[row.second]);
            (a != b).then_some((a.min(b), a.max(b)))
        };
        let mut mended = Vec::new();
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by(|&a, &b| rows[b].games.total_cmp(&rows[a].games).then(a.cmp(&b)));
        for index in order {
            if let Some(pair) = between(&rows[index])
                && !mended.contains(&pair)
            {
                mended.push(pair);
                let row = &mut rows[index];
                row.points += if row.points > 0.0 { -0.5 } else { 0.5 };
                row.draws += 1.0;
            }
        }
        rows
    }

    /// The logarithm of likelihood times prior.
    fn height(&self, rows: &[Row], at: &[f64]) -> f64 {
        let likelihood = rows.iter().map(|row| {
            // Written with ln(1 + e^x), so that it holds for any difference.
            let x = SLOPE * (self.rating(at, row.first) - self.rating(at, row.second) + self.advantage(at));
            let soft = |x: f64| x.max(0.0) + (-x.abs()).exp().ln_1p();
            -row.points * soft(-x) - (row.games - row.points) * soft(x)
        });
        let pulls = self.place.iter().zip(&self.centre).filter_map(|(place, centre)| place.map(|p| at[p] - centre));
        let pulls = pulls.chain(self.advantage_place.map(|place| at[place]));
        likelihood.sum::<f64>() - pulls.map(|pull| (pull / self.prior).powi(2) / 2.0).sum::<f64>()
    }

    /// The curvature, minus the second derivatives of [`Model::height`].
    fn curvature(&self, rows: &[Row], at: &[f64]) -> Matrix {
        let mut curvature = Matrix::zero(self.size);
        (0..self.size).for_each(|i| curvature.add(i, i, self.prior.powi(-2)));
        for row in rows {
            let expected = self.expected(at, row);
            // Far apart the curve is flat to the last digit; a trace of it keeps the matrix invertible.
            let weight = SLOPE * SLOPE * row.games * (expected * (1.0 - expected)).max(1e-12);
            for (i, x) in self.terms(row) {
                for (j, y) in self.terms(row) {
                    curvature.add(i, j, weight * x * y);
                }
            }
        }
        curvature
    }

    /// The maximum, groups without anchors put at their mean: a shift the games say nothing about.
    fn climb(&self, rows: &[Row], start: Vec<f64>) -> Vec<f64> {
        let mut peak = self.newton(rows, start);
        for group in 0..self.group.iter().max().map_or(0, |last| last + 1) {
            let members: Vec<usize> = (0..self.group.len()).filter(|&player| self.group[player] == group).collect();
            let places: Vec<usize> = members.iter().filter_map(|&player| self.place[player]).collect();
            if places.len() == members.len() {
                let mean = places.iter().map(|&place| peak[place]).sum::<f64>() / places.len() as f64;
                places.iter().for_each(|&place| peak[place] += self.centre[members[0]] - mean);
            }
        }
        peak
    }

    /// Newton's method with halved steps: the height is concave, so it arrives.
    fn newton(&self, rows: &[Row], start: Vec<f64>) -> Vec<f64> {
        let mut at = start;
        let mut height = self.height(rows, &at);
        for _ in 0..200 {
            let mut gradient = vec![0.0; self.size];
            for (place, centre) in self.place.iter().zip(&self.centre) {
                if let Some(place) = place {
                    gradient[*place] -= (at[*place] - centre) / self.prior.powi(2);
                }
            }
            if let Some(place) = self.advantage_place {
                gradient[place] -= at[place] / self.prior.powi(2);
            }
            for row in rows {
                let surplus = SLOPE * (row.points - row.games * self.expected(&at, row));
                self.terms(row).for_each(|(i, sign)| gradient[i] += sign * surplus);
            }
            let Some(cholesky) = self.curvature(rows, &at).cholesky() else { break };
            let step = cholesky.solve(&gradient);
            let longest = step.iter().fold(0.0, |longest: f64, s| longest.max(s.abs()));
            if longest < 1e-9 {
                break;
            }
            // A step of many hundred Elo says only which way to go.
            let mut scale = (600.0 / longest).min(1.0);
            loop {
                let next: Vec<f64> = at.iter().zip(&step).map(|(a, s)| a + scale * s).collect();
                let higher = self.height(rows, &next);
                if higher >= height {
                    (at, height) = (next, higher);
                    break;
                }
                scale /= 2.0;
                if scale < 1e-9 {
                    return at;
                }
            }
        }
        at
    }

    /// The share of draws between equals, δ. Between others a draw has the chance 2·δ·min(E, 1−E), which leaves the
    /// expected score E as it is. Two games are added that were not drawn: even after nothing but draws, one is not sure.
    fn draw_rate(&self, rows: &[Row], at: &[f64]) -> f64 {
        let drawn: f64 = rows.iter().map(|row| row.draws).sum();
        let room = rows.iter().map(|row| {
            let expected = self.expected(at, row);
            2.0 * row.games * expected.min(1.0 - expected)
        });
        (drawn / (room.sum::<f64>() + 2.0)).min(1.0)
    }

    /// Covariances at the maximum: C·V·C, where C inverts the curvature and V is how much the slope varies. Without draws
    /// V is the curvature itself; draws make results vary less.
    fn spread_by_curvature(&self, rows: &[Row], at: &[f64], draw_rate: f64) -> Matrix {
        let Some(inverse) = self.curvature(rows, at).cholesky().as_ref().map(Cholesky::inverse) else {
            return Matrix::zero(self.size);
        };
        let mut covariance = Matrix::zero(self.size);
        for row in rows {
            let expected = self.expected(at, row);
            let drawn = 2.0 * draw_rate * expected.min(1.0 - expected);
            let variance = row.games * (expected * (1.0 - expected) - drawn / 4.0).max(0.0) * SLOPE * SLOPE;
            // What one unit of surprise in this row does to each number.
            let effect = |k: usize| self.terms(row).map(|(i, sign)| sign * inverse.at(k, i)).sum::<f64>();
            let effects: Vec<f64> = (0..self.size).map(effect).collect();
            for (i, x) in effects.iter().enumerate() {
                for (j, y) in effects.iter().enumerate() {
                    covariance.add(i, j, variance * x * y);
                }
            }
        }
        covariance
    }

    /// Covariances from tables drawn at random as the model has it, each rated anew.
    fn spread_by_simulation(
        &self,
        table: &[Encounter],
        peak: &[f64],
        draw_rate: f64,
        simulations: u32,
        seed: u64,
        options: &RatingOptions,
    ) -> Matrix {
        let mut rng = Rng::with_seed(seed);
        let players = self.place.len();
        let mut found = Vec::with_capacity(simulations as usize);
        for _ in 0..simulations {
            let drawn: Vec<Encounter> = table
                .iter()
                .map(|row| {
                    let (first, second) = (row.first, row.second);
                    let mut row_drawn = Encounter { first, second, wins: 0, draws: 0, losses: 0 };
                    let ahead = self.rating(peak, first) - self.rating(peak, second) + self.advantage(peak);
                    let expected = score_of_elo(ahead);
                    let draw = 2.0 * draw_rate * expected.min(1.0 - expected);
                    for _ in 0..row.games() {
                        let u = rng.f64();
                        if u < draw {
                            row_drawn.draws += 1;
                        } else if u < draw / 2.0 + expected {
                            row_drawn.wins += 1;
                        } else {
                            row_drawn.losses += 1;
                        }
                    }
                    row_drawn
                })
                .collect();
            let ties = Ties::find(players, &drawn, options);
            found.push(self.climb(&self.rows(&drawn, &ties), peak.to_vec()));
        }
        let count = found.len().max(1) as f64;
        let mean: Vec<f64> = (0..self.size).map(|i| found.iter().map(|at| at[i]).sum::<f64>() / count).collect();
        let mut covariance = Matrix::zero(self.size);
        for at in &found {
            for i in 0..self.size {
                for j in 0..self.size {
                    covariance.add(i, j, (at[i] - mean[i]) * (at[j] - mean[j]) / (count - 1.0).max(1.0));
                }
            }
        }
        covariance
    }
}

/// The variance of a rating, or of the difference of two.
fn variance_of_difference(model: &Model, covariance: &Matrix, a: usize, b: Option<usize>) -> f64 {
    let (a, b) = (model.place[a], b.and_then(|b| model.place[b]));
    let at = |i: Option<usize>, j: Option<usize>| match (i, j) {
        (Some(i), Some(j)) => covariance.at(i, j),
        _ => 0.0,
    };
    (at(a, a) + at(b, b) - 2.0 * at(a, b)).max(0.0)
}
