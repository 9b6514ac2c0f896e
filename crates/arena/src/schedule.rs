//! Who meets whom, and when.
//!
//! A tournament goes in rounds; a round is a list of [`Meeting`]s, and depends only on what came of the rounds before it. So a
//! schedule can be made again from the results in the database, and goes on where it stopped.

use crate::settings::{Format, Settings};

/// Two players and how many games they play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Meeting {
    /// One of them: he moves first in the first game of each pair.
    pub a: usize,
    /// The other.
    pub b: usize,
    /// How many games, in pairs with the same opening; of an odd number the last stands alone.
    pub games: u64,
}

/// What came of a meeting, in half points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Result {
    /// Who met.
    pub meeting: Meeting,
    /// Half points of `a`.
    pub a: u64,
    /// Half points of `b`.
    pub b: u64,
}

/// After so many tied replays in a knock-out the one higher in the list goes on.
const MOST_REPLAYS: usize = 10;

/// The meetings of the next round, given those of all rounds before; `None` when the tournament is over.
pub fn next_round(settings: &Settings, rounds: &[Vec<Result>]) -> Option<Vec<Meeting>> {
    let players = settings.players.len();
    let games = settings.games.max(1);
    let meeting = |a, b| Meeting { a, b, games };
    match settings.format {
        Format::RoundRobin | Format::Gauntlet if !rounds.is_empty() => None,
        Format::RoundRobin => Some((0..players).flat_map(|a| (a + 1..players).map(move |b| meeting(a, b))).collect()),
        Format::Gauntlet => Some((1..players).map(|b| meeting(0, b)).collect()),
        Format::Swiss => {
            // As many rounds as a knock-out would have, unless somebody says otherwise.
            let wanted = settings.rounds.unwrap_or_else(|| players.next_power_of_two().ilog2()) as usize;
            (rounds.len() < wanted)
                .then(|| swiss(players, games, rounds).into_iter().map(|(a, b)| meeting(a, b)).collect())
        }
        Format::KnockOut => knock_out(players, rounds, games),
    }
}

/// Half points of each player.
pub fn half_points(players: usize, rounds: &[Vec<Result>]) -> Vec<u64> {
    let mut points = vec![0; players];
    for result in rounds.iter().flatten() {
        points[result.meeting.a] += result.a;
        points[result.meeting.b] += result.b;
    }
    points
}

/// Pairs those who have done equally well and have not met, as far as that is possible; with an odd number the last who has not yet rested rests,
/// which counts as a meeting won.
fn swiss(players: usize, games: u64, rounds: &[Vec<Result>]) -> Vec<(usize, usize)> {
    let mut points = half_points(players, rounds);
    let met = |a: usize, b: usize| {
        let same = |meeting: &Meeting| [(a, b), (b, a)].contains(&(meeting.a, meeting.b));
        rounds.iter().flatten().any(|result| same(&result.meeting))
    };
    let rested = |player: usize| {
        rounds.iter().filter(|round| !round.iter().any(|r| [r.meeting.a, r.meeting.b].contains(&player))).count()
    };
    for (player, points) in points.iter_mut().enumerate() {
        *points += 2 * games * rested(player) as u64;
    }
    let mut order: Vec<usize> = (0..players).collect();
    // Equal points keep the order of the list: the same results give the same round.
    order.sort_by_key(|&player| (std::cmp::Reverse(points[player]), player));
    if players % 2 == 1 {
        let least = order.iter().map(|&player| rested(player)).min().unwrap_or(0);
        if let Some(place) = order.iter().rposition(|&player| rested(player) == least) {
            order.remove(place);
        }
    }
    let mut found = Vec::new();
    let mut tries = 0;
    if !pair_up(&order, &met, &mut found, &mut tries) {
        // Everybody has met everybody, or there are too many ways to look through: neighbours meet again.
        found = order.chunks_exact(2).map(|two| (two[0], two[1])).collect();
    }
    // Whoever moved first less often does so now; in pairs it hardly matters.
    let firsts = |player: usize| rounds.iter().flatten().filter(|result| result.meeting.a == player).count();
    found.into_iter().map(|(a, b)| if firsts(a) <= firsts(b) { (a, b) } else { (b, a) }).collect()
}

/// Looks for a way to pair all without a second meeting, trying neighbours first.
fn pair_up(
    order: &[usize],
    met: &dyn Fn(usize, usize) -> bool,
    found: &mut Vec<(usize, usize)>,
    tries: &mut u32,
) -> bool {
    let Some((&first, rest)) = order.split_first() else {
        return true;
    };
    for (place, &other) in rest.iter().enumerate() {
        *tries += 1;
        if *tries > 100_000 {
            return false;
        }
        if met(first, other) {
            continue;
        }
        found.push((first, other));
        let left: Vec<usize> = rest[..place].iter().chain(&rest[place + 1..]).copied().collect();
        if pair_up(&left, met, found, tries) {
            return true;
        }
        found.pop();
    }
    false
}

/// The bracket: the first of the list against the last, and so on; tied meetings are played again with one pair each until somebody wins.
fn knock_out(players: usize, rounds: &[Vec<Result>], games: u64) -> Option<Vec<Meeting>> {
    let mut alive: Vec<usize> = (0..players).collect();
    let mut rounds = rounds.iter();
    while alive.len() > 1 {
        // Step 1. Who meets in this round of the bracket; the strongest rest if the number is no power of two.
        let full = alive.len().next_power_of_two();
        let resting = if full == alive.len() { 0 } else { full - alive.len() };
        let playing = &alive[resting..];
        let bracket: Vec<(usize, usize)> =
            (0..playing.len() / 2).map(|i| (playing[i], playing[playing.len() - 1 - i])).collect();
        // Step 2. Play it, then its replays, as far as it has been played.
        let mut open: Vec<(usize, usize)> = bracket.clone();
        let mut score = vec![(0, 0); bracket.len()];
        let mut replays = 0;
        while !open.is_empty() {
            let Some(round) = rounds.next() else {
                let games = if replays == 0 { games } else { 2 };
                return Some(open.iter().map(|&(a, b)| Meeting { a, b, games }).collect());
            };
            for result in round {
                if let Some(place) = bracket.iter().position(|&(a, b)| (a, b) == (result.meeting.a, result.meeting.b)) {
                    score[place].0 += result.a;
                    score[place].1 += result.b;
                }
            }
            replays += 1;
            let tied = |place: &usize| score[*place].0 == score[*place].1;
            open = if replays > MOST_REPLAYS {
                Vec::new()
            } else {
                (0..bracket.len()).filter(tied).map(|place| bracket[place]).collect()
            };
        }
        // Step 3. The winners go on, in the order of the list.
        let winners =
            bracket.iter().zip(&score).map(|(&(a, b), &(points_a, points_b))| if points_b > points_a { b } else { a });
        let mut next: Vec<usize> = alive[..resting].iter().copied().chain(winners).collect();
        next.sort_unstable();
        alive = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Entrant;

    fn settings(format: Format, players: usize) -> Settings {
        let players = (0..players).map(|number| Entrant::new(format!("p{number}"))).collect();
        Settings { format, players, games: 4, ..Settings::default() }
    }

    /// Plays the tournament with the lower number winning, or as `score` says; gives the meetings of each round.
    fn play(settings: &Settings, score: impl Fn(&Meeting, usize) -> (u64, u64)) -> Vec<Vec<(usize, usize)>> {
        let mut rounds: Vec<Vec<Result>> = Vec::new();
        while let Some(round) = next_round(settings, &rounds) {
            let number = rounds.len();
            assert!(number < 50, "it never ends");
            let result = |meeting: &Meeting| {
                let (a, b) = score(meeting, number);
                Result { meeting: *meeting, a, b }
            };
            rounds.push(round.iter().map(result).collect());
        }
        let meetings = |round: &Vec<Result>| round.iter().map(|r| (r.meeting.a, r.meeting.b)).collect();
        rounds.iter().map(meetings).collect()
    }

    fn lower_wins(meeting: &Meeting, _: usize) -> (u64, u64) {
        if meeting.a < meeting.b { (8, 0) } else { (0, 8) }
    }

    #[test]
    fn everybody_meets_everybody_or_the_first() {
        assert_eq!(play(&settings(Format::RoundRobin, 3), lower_wins), [vec![(0, 1), (0, 2), (1, 2)]]);
        assert_eq!(play(&settings(Format::Gauntlet, 4), lower_wins), [vec![(0, 1), (0, 2), (0, 3)]]);
    }

    #[test]
    fn swiss_rounds_have_no_second_meetings() {
        for players in 2..12 {
            let rounds = play(&settings(Format::Swiss, players), lower_wins);
            assert_eq!(rounds.len(), players.next_power_of_two().ilog2() as usize, "{players}");
            let mut met: Vec<(usize, usize)> = rounds.iter().flatten().map(|&(a, b)| (a.min(b), a.max(b))).collect();
            met.sort_unstable();
            let all = met.len();
            met.dedup();
            assert_eq!(met.len(), all, "{players}: somebody met twice");
            assert_eq!(all, rounds.len() * (players / 2), "{players}: somebody was left out");
        }
    }

    #[test]
    fn a_knock_out_has_one_winner() {
        for players in 2..10 {
            let rounds = play(&settings(Format::KnockOut, players), lower_wins);
            assert_eq!(
                rounds.iter().map(Vec::len).sum::<usize>(),
                players - 1,
                "{players}: each meeting sends one home"
            );
        }
        assert_eq!(play(&settings(Format::KnockOut, 4), lower_wins), [vec![(0, 3), (1, 2)], vec![(0, 1)]]);
        // A tie is played again; then the second wins.
        let tie = |_: &Meeting, round: usize| if round == 0 { (4, 4) } else { (0, 4) };
        assert_eq!(play(&settings(Format::KnockOut, 2), tie), [vec![(0, 1)], vec![(0, 1)]]);
        // Ties without end are ended.
        assert!(play(&settings(Format::KnockOut, 2), |_, _| (4, 4)).len() <= MOST_REPLAYS + 1);
    }
}
