//! Statistics against published numbers, and at their edges.

use proptest::prelude::*;
use tengen_arena::stats::*;

/// What a source prints, and what we have, to the digits printed.
fn same(what: &str, ours: f64, printed: &str) {
    let decimals = printed.split('.').nth(1).map_or(0, str::len);
    let theirs: f64 = printed.parse().expect("a number in the test data");
    // Half a unit of the last digit printed.
    let slack = 0.5 * 10f64.powi(-(decimals as i32)) * 1.0001;
    assert!((ours - theirs).abs() <= slack, "{what}: {ours} is not {printed}");
}

/// Elo ± error, normalised Elo ± error, LOS in per cent; an empty text was not printed.
fn check_elo(name: &str, sample: Sample, printed: [&str; 5]) {
    let elo = elo(sample).estimate().unwrap_or_else(|| panic!("{name}: no Elo"));
    let nelo = normalised_elo(sample).estimate().unwrap_or_else(|| panic!("{name}: no normalised Elo"));
    let ours = [elo.value, elo.error(), nelo.value, nelo.error(), 100.0 * los(sample).unwrap_or(f64::NAN)];
    for (i, (ours, printed)) in ours.into_iter().zip(printed).enumerate() {
        if !printed.is_empty() {
            same(&format!("{name}, number {i}"), ours, printed);
        }
    }
}

#[test]
fn elo_of_published_matches() {
    // fastchess, app/tests/elo_test.cpp.
    check_elo("trinomial 1", Wdl::new(76, 123, 89).into(), ["", "", "-20.76", "40.13", "15.53"]);
    check_elo("trinomial 2", Wdl::new(136, 111, 96).into(), ["40.70", "30.43", "49.77", "36.77", "99.60"]);
    check_elo("trinomial 3", Wdl::new(34, 0, 356).into(), ["", "", "-508.44", "34.48", ""]);
    for (counts, printed) in [
        ([34, 54, 63, 64, 75], ["55.58", "27.65", "57.94", "28.28", "100.00"]),
        ([332, 433, 498, 333, 334], ["-8.64", "10.33", "-9.17", "10.96", "5.05"]),
        ([7895, 8757, 5685, 568, 9999], ["-21.04", "2.95", "-19.01", "2.65", ""]),
        // Results of matches as fastchess printed them: the engines Copperfish, WajPassant and Thom in their READMEs, and
        // a Stockfish study on the Caro-Kann.
        ([12, 6, 25, 8, 9], ["-11.59", "56.66", "-12.83", "62.16", "34.29"]),
        ([11, 1, 32, 8, 48], ["149.26", "55.24", "148.57", "48.15", "100.00"]),
        ([84, 124, 343, 125, 164], ["33.40", "14.24", "39.23", "16.61", "100.00"]),
        ([307, 619, 1202, 725, 353], ["10.73", "6.70", "13.63", "8.50", "99.92"]),
        ([0, 1, 58, 3, 438], ["474.93", "44.28", "659.06", "21.53", "100.00"]),
        ([0, 0, 19, 1, 0], ["8.69", "16.62", "", "", ""]),
    ] {
        check_elo(&format!("{counts:?}"), Pairs(counts).into(), printed);
    }
}

#[test]
fn rates_of_published_matches() {
    // Printed by fastchess as DrawRatio (of pairs) and PairsRatio.
    for (counts, even, ratio) in [
        ([12, 6, 25, 8, 9], "41.67", "0.94"),
        ([11, 1, 32, 8, 48], "32.00", "4.67"),
        ([307, 619, 1202, 725, 353], "37.49", "1.16"),
        ([84, 124, 343, 125, 164], "40.83", "1.39"),
        ([0, 1, 58, 3, 438], "11.60", "441.00"),
    ] {
        let pairs = Pairs(counts);
        same("even pairs", 100.0 * pairs.even_rate().expect("pairs"), even);
        same("pairs ratio", pairs.ratio().expect("lost pairs"), ratio);
    }
    assert_eq!(Pairs([0, 0, 3, 1, 1]).ratio(), None);
}

#[test]
fn llr_of_published_tests() {
    use EloModel::{Logistic, Normalised};
    let test = |model, elo0, elo1| Sprt::new(model, elo0, elo1, 0.05, 0.05).expect("a test");
    // fastchess, app/tests/sprt_test.cpp (checked there to one per cent; these agree to the digits).
    for (wins, losses, draws, sprt, llr) in [
        (36433, 36027, 68692, test(Normalised, 0.0, 2.0), "0.92"),
        (10871, 10650, 20431, test(Normalised, -1.75, 0.25), "2.30"),
        (21404, 21184, 40708, test(Logistic, 0.5, 2.5), "-1.57"),
        (57433, 57030, 106593, test(Logistic, 0.0, 2.0), "-2.59"),
    ] {
        same("trinomial", sprt.llr(Wdl::new(wins, draws, losses)), llr);
    }
    for (counts, sprt, llr) in [
        ([365, 16618, 36229, 16974, 390], test(Normalised, 0.0, 2.0), "2.25"),
        ([127, 4883, 10712, 5150, 104], test(Normalised, -1.75, 0.25), "3.01"),
        ([223, 9863, 21279, 10037, 246], test(Logistic, 0.5, 2.5), "-3.07"),
        ([871, 26175, 55983, 26678, 821], test(Logistic, 0.0, 2.0), "-4.98"),
        // Matches printed by fastchess.
        ([307, 619, 1202, 725, 353], test(Normalised, 0.0, 5.0), "2.95"),
        ([84, 124, 343, 125, 164], test(Normalised, 0.0, 1.0), "0.54"),
    ] {
        same("pentanomial", sprt.llr(Pairs(counts)), llr);
    }
    let (lower, upper) = test(Logistic, 0.0, 5.0).bounds();
    same("lower bound", lower, "-2.9444");
    same("upper bound", upper, "2.9444");
}

#[test]
fn one_sided_results_stay_finite() {
    assert_eq!(elo(Wdl::default()), Elo::TooFew { games: 0, needed: 10 });
    assert_eq!(elo(Wdl::new(3, 0, 1)).to_string(), "too few games (4 of at least 10)");
    assert!(matches!(elo(Wdl::new(20, 0, 0)), Elo::AtLeast(elo) if elo > 200.0 && elo < 400.0));
    assert!(matches!(elo(Pairs([20, 0, 0, 0, 0])), Elo::AtMost(elo) if elo < -200.0 && elo > -400.0));
    assert!(matches!(normalised_elo(Wdl::new(20, 0, 0)), Elo::AtLeast(elo) if elo > 100.0 && elo.is_finite()));
    // Nothing but draws is equality, not certainty.
    let drawn = elo(Wdl::new(0, 30, 0)).estimate().expect("a number");
    assert!(drawn.value == 0.0 && drawn.low < -30.0 && drawn.high > 30.0);
    assert_eq!(los(Wdl::new(0, 30, 0)), Some(0.5));
    assert!(los(Wdl::new(5, 0, 0)).is_some_and(|los| los > 0.95 && los < 1.0));
    assert_eq!(los(Wdl::default()), None);
    // A test of one-sided games ends, on the right side.
    let sprt = Sprt::new(EloModel::Logistic, 0.0, 10.0, 0.05, 0.05).expect("a test");
    let mut path = SprtPath::new(sprt);
    let mut games = 0;
    while path.verdict == Verdict::Open {
        games += 1;
        path.look(Wdl::new(games, 0, 0));
        assert!(games < 500);
    }
    assert_eq!(path.verdict, Verdict::AcceptH1);
    // What comes later does not change it.
    assert_eq!(path.look(Wdl::new(games, 0, 5000)), Verdict::AcceptH1);
    let mut games = 0;
    while sprt.verdict(sprt.llr(Wdl::new(0, 0, games))) == Verdict::Open {
        games += 1;
        assert!(games < 500);
    }
    assert_eq!(sprt.verdict(sprt.llr(Wdl::new(0, 0, games))), Verdict::AcceptH0);
}

proptest! {
    #[test]
    fn nothing_is_ever_nan(counts in prop::array::uniform5(prop_oneof![Just(0u64), 0u64..5, 0u64..100_000]),
                           elo0 in -900f64..900.0, width in 0.01f64..100.0, normalised: bool) {
        let model = if normalised { EloModel::Normalised } else { EloModel::Logistic };
        let sprt = Sprt::new(model, elo0, elo0 + width, 0.05, 0.1).expect("a test");
        let samples: [Sample; 2] = [Pairs(counts).into(), Wdl::new(counts[0], counts[1], counts[2]).into()];
        for sample in samples {
            for answer in [elo(sample), normalised_elo(sample)] {
                match answer {
                    Elo::About(e) => prop_assert!(e.low.is_finite() && e.high.is_finite() && e.low <= e.value && e.value <= e.high),
                    Elo::AtLeast(e) | Elo::AtMost(e) => prop_assert!(e.is_finite()),
                    Elo::TooFew { games, needed } => prop_assert!(games < needed),
                }
            }
            prop_assert!(los(sample).is_none_or(|los| (0.0..=1.0).contains(&los)));
            prop_assert!(sprt.llr(sample).is_finite());
            if let Some(forecast) = sprt.forecast(sample) {
                prop_assert!((0.0..=1.0).contains(&forecast.h1));
            }
        }
    }

    #[test]
    fn sides_exchanged_change_the_sign(counts in prop::array::uniform5(1u64..2000)) {
        let mut mirrored = counts;
        mirrored.reverse();
        let there = elo(Pairs(counts)).estimate();
        let back = elo(Pairs(mirrored)).estimate();
        if let (Some(there), Some(back)) = (there, back) {
            prop_assert!((there.value + back.value).abs() < 1e-6 && (there.low + back.high).abs() < 1e-6);
        }
        let sprt = Sprt::new(EloModel::Normalised, -3.0, 3.0, 0.05, 0.05).expect("a test");
        prop_assert!((sprt.llr(Pairs(counts)) + sprt.llr(Pairs(mirrored))).abs() < 1e-6);
    }
}

#[test]
fn tests_that_are_none_are_refused() {
    for (elo0, elo1, alpha, beta) in [
        (5.0, 0.0, 0.05, 0.05),
        (0.0, 0.0, 0.05, 0.05),
        (f64::NAN, 5.0, 0.05, 0.05),
        (0.0, f64::INFINITY, 0.05, 0.05),
        (0.0, 5.0, 0.0, 0.05),
        (0.0, 5.0, 0.05, 0.5),
        (0.0, 5.0, f64::NAN, 0.05),
    ] {
        assert!(Sprt::new(EloModel::Logistic, elo0, elo1, alpha, beta).is_err(), "{elo0} {elo1} {alpha} {beta}");
    }
}

/// Tests of games drawn at random end as they promise, after as many games as was forecast.
#[test]
fn sprt_keeps_its_promises() {
    let sprt = Sprt::new(EloModel::Logistic, 0.0, 20.0, 0.05, 0.05).expect("a test");
    let mut rng = tengen_core::Rng::with_seed(7);
    for (truth, wanted) in [(0.0, Verdict::AcceptH0), (20.0, Verdict::AcceptH1)] {
        let score = score_of_elo(truth);
        let (mut wrong, mut games, runs) = (0, 0, 300);
        for _ in 0..runs {
            let mut wdl = Wdl::default();
            let verdict = loop {
                match rng.f64() {
                    u if u < 0.3 => wdl.draws += 1,
                    u if u < 0.15 + score => wdl.wins += 1,
                    _ => wdl.losses += 1,
                }
                // Looking every tenth game changes little and is ten times quicker.
                if wdl.games() % 10 == 0 {
                    match sprt.verdict(sprt.llr(wdl)) {
                        Verdict::Open => (),
                        verdict => break verdict,
                    }
                }
            };
            wrong += u32::from(verdict != wanted);
            games += wdl.games();
        }
        // 5 % of 300 is 15; 30 is four deviations more.
        assert!(wrong < 30, "{wrong} of {runs} wrong at {truth} Elo");
        let mean = games as f64 / f64::from(runs);
        // Wald's approximation of the expected length; a game's score has the variance 0.7/4.
        let (s0, s1) = (0.5, score_of_elo(20.0));
        let drift = (score - (s0 + s1) / 2.0) * (s1 - s0) / (0.7 / 4.0);
        let expected = 0.9 * 2.944 / drift.abs();
        assert!((mean / expected - 1.0).abs() < 0.15, "{mean} games, expected {expected}");
    }
}

#[test]
fn forecast_agrees_with_wald() {
    // Frequencies exactly at H1, at the start of the test: the chance of H1 is 1 − β, the length is Wald's.
    let sprt = Sprt::new(EloModel::Logistic, 0.0, 100.0, 0.05, 0.05).expect("a test");
    let score = score_of_elo(100.0);
    let sample = Wdl::new((score * 100_000.0).round() as u64, 0, ((1.0 - score) * 100_000.0).round() as u64);
    // Scaled down to few games: the same frequencies, an open test.
    let few = Wdl::new(16, 0, 9);
    assert_eq!(sprt.forecast(sample), None, "long decided");
    let forecast = sprt.forecast(few).expect("open");
    assert!(forecast.h1 > 0.9 && forecast.games_left > 10 && forecast.games_left < 120, "{forecast:?}");
    assert_eq!(sprt.forecast(Wdl::new(2, 1, 2)), None, "too few to go by");
}

const BASEBALL: [&str; 7] = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"];

/// Games of the American League's Eastern Division in 1987, home team in the row: won and lost at home.
/// Agresti, Categorical Data Analysis (2nd edition), table 10.11; also `baseball` in the R package BradleyTerry2.
fn baseball() -> Vec<Encounter> {
    let rows = [
        "-   4-3 4-2 4-3 6-1 4-2 6-0",
        "3-3 -   4-2 4-3 6-0 6-1 4-3",
        "2-5 4-3 -   2-4 4-3 4-2 6-0",
        "3-3 5-1 2-5 -   4-3 4-2 6-1",
        "5-1 2-5 3-3 4-2 -   5-2 6-0",
        "2-5 3-3 3-4 4-3 4-2 -   2-4",
        "2-5 1-5 1-6 2-4 1-6 3-4 -",
    ];
    let mut table = Vec::new();
    for (first, row) in rows.iter().enumerate() {
        for (second, cell) in row.split_whitespace().enumerate().filter(|(_, cell)| *cell != "-") {
            let (wins, losses) = cell.split_once('-').expect("won-lost");
            let number = |text: &str| text.parse().expect("a count");
            table.push(Encounter { first, second, wins: number(wins), draws: 0, losses: number(losses) });
        }
    }
    table
}

/// Without a prior, for comparison with programs that have none.
fn bare() -> RatingOptions {
    RatingOptions { prior: 1e6, ..RatingOptions::default() }
}

#[test]
fn ratings_of_published_tables() {
    let natural = |elo: f64| elo * std::f64::consts::LN_10 / 400.0;
    // BradleyTerry2, tests/testthat/test-baseball.R, after Agresti's table 10.11.
    let plain = rate(7, &baseball(), &RatingOptions { advantage: Advantage::Fixed(0.0), ..bare() }).expect("a table");
    for (player, printed) in ["1.58", "1.44", "1.29", "1.25", "1.11", "0.68"].into_iter().enumerate() {
        same(BASEBALL[player], natural(plain.players[player].elo - plain.players[6].elo), printed);
    }
    let home = rate(7, &baseball(), &bare()).expect("a table");
    same("home advantage", natural(home.advantage), "0.302");
    let sum: f64 = home.players.iter().map(|player| natural(player.elo).exp()).sum();
    for (player, printed) in ["0.220", "0.190", "0.164", "0.157", "0.137", "0.088", "0.044"].into_iter().enumerate() {
        same(BASEBALL[player], natural(home.players[player].elo).exp() / sum, printed);
    }
    // Wikipedia, "Bradley–Terry model", worked example of estimation (four teams, 21 games).
    let wins = [[0, 2, 0, 1], [3, 0, 5, 0], [0, 3, 0, 1], [4, 0, 3, 0]];
    let mut table = Vec::new();
    for first in 0..4 {
        for second in first + 1..4 {
            let (wins, losses) = (wins[first][second], wins[second][first]);
            table.push(Encounter { first, second, wins, draws: 0, losses });
        }
    }
    let four = rate(4, &table, &RatingOptions { advantage: Advantage::Fixed(0.0), ..bare() }).expect("a table");
    let sum: f64 = four.players.iter().map(|player| natural(player.elo).exp()).sum();
    for (player, printed) in ["0.139", "0.226", "0.143", "0.492"].into_iter().enumerate() {
        same("Wikipedia", natural(four.players[player].elo).exp() / sum, printed);
    }
}

#[test]
fn two_players_are_rated_as_in_a_match() {
    let table = [
        Encounter { first: 0, second: 1, wins: 80, draws: 40, losses: 30 },
        Encounter { first: 1, second: 0, wins: 50, draws: 44, losses: 56 },
    ];
    let ratings = rate(2, &table, &RatingOptions { advantage: Advantage::Fixed(0.0), ..bare() }).expect("a table");
    let duel = elo(Wdl::new(136, 84, 80)).estimate().expect("a number");
    let [a, b] = [ratings.players[0], ratings.players[1]];
    assert!((a.elo - b.elo - duel.value).abs() < 1e-3, "{} {}", a.elo - b.elo, duel.value);
    assert!((a.elo + b.elo).abs() < 1e-6);
    // Each is half the difference away from the mean, and so is its error.
    assert!((2.0 * Z95 * a.deviation / duel.error() - 1.0).abs() < 0.03);
    let los_match = los(Wdl::new(136, 84, 80)).expect("games");
    assert!((ratings.los[0][1].expect("met") - los_match).abs() < 0.002);
    // With the prior that is the default, the difference is smaller, by a little.
    let pulled =
        rate(2, &table, &RatingOptions { advantage: Advantage::Fixed(0.0), ..Default::default() }).expect("a table");
    let pull = duel.value - (pulled.players[0].elo - pulled.players[1].elo);
    assert!(pull > 0.0 && pull < 0.05, "{pull}");
}

#[test]
fn curvature_and_simulation_agree() {
    let simulated = RatingOptions { simulations: 600, seed: 3, ..RatingOptions::default() };
    // With draws, so that their share matters.
    let table: Vec<Encounter> = baseball()
        .into_iter()
        .map(|row| Encounter { draws: 6, wins: 2 * row.wins, losses: 2 * row.losses, ..row })
        .collect();
    let (fast, slow) =
        (rate(7, &table, &RatingOptions::default()).expect("a table"), rate(7, &table, &simulated).expect("a table"));
    assert!((fast.advantage_deviation / slow.advantage_deviation - 1.0).abs() < 0.12);
    for (a, b) in fast.players.iter().zip(&slow.players) {
        assert_eq!(a.elo, b.elo);
        assert!((a.deviation / b.deviation - 1.0).abs() < 0.12, "{} {}", a.deviation, b.deviation);
    }
    assert_eq!(slow, rate(7, &table, &simulated).expect("a table"), "the same seed, the same errors");
}

#[test]
fn anchors_hold() {
    let anchored = |anchors: &[(usize, f64)]| {
        rate(7, &baseball(), &RatingOptions { anchors: anchors.to_vec(), ..bare() }).expect("a table")
    };
    let free = anchored(&[]);
    let one = anchored(&[(6, 1500.0)]);
    assert_eq!((one.players[6].elo, one.players[6].deviation, one.players[6].anchored), (1500.0, 0.0, true));
    for player in 0..6 {
        let (a, b) = (free.players[player].elo - free.players[6].elo, one.players[player].elo - 1500.0);
        assert!((a - b).abs() < 0.01);
    }
    let two = anchored(&[(6, 1500.0), (0, 2000.0)]);
    assert_eq!((two.players[0].elo, two.players[6].elo), (2000.0, 1500.0));
    assert!(two.players[1].elo > one.players[1].elo);
    assert_eq!(two.los[0][6], None, "given, not measured");
}

#[test]
fn what_cannot_be_compared_is_told_apart() {
    let game = |first, second, wins, losses| Encounter { first, second, wins, draws: 0, losses };
    // 0, 1 and 2 beat each other; 3 beats them all; 4 loses to all; 5 and 6 play elsewhere; 7 not at all.
    let table = [
        game(0, 1, 5, 3),
        game(1, 2, 4, 4),
        game(2, 0, 2, 6),
        game(3, 0, 10, 0),
        game(1, 3, 0, 10),
        game(4, 2, 0, 7),
        game(5, 6, 6, 2),
    ];
    let ratings = rate(8, &table, &RatingOptions::default()).expect("a table");
    let standings: Vec<Standing> = ratings.players.iter().map(|player| player.standing).collect();
    use Standing::{AtLeast, AtMost, Measured, Unplayed};
    assert_eq!(standings, [Measured, Measured, Measured, AtLeast, AtMost, Measured, Measured, Unplayed]);
    let groups: Vec<usize> = ratings.players.iter().map(|player| player.group).collect();
    assert_eq!((groups, ratings.groups), (vec![0, 0, 0, 0, 0, 1, 1, 2], 3));
    assert_eq!(ratings.order(), [3, 0, 1, 2, 4, 5, 6, 7]);
    assert!(ratings.players.iter().all(|player| player.elo.abs() < 1500.0 && player.deviation.is_finite()));
    assert_eq!(ratings.los[0][5], None);
    assert!(ratings.los[3][0].is_some_and(|los| los > 0.95));
    // Between two circles, and all of it one-sided.
    let chain = [game(0, 1, 3, 0), game(1, 2, 3, 0), game(2, 3, 1, 1), game(1, 3, 2, 0)];
    let ratings = rate(4, &chain, &RatingOptions::default()).expect("a table");
    let standings: Vec<Standing> = ratings.players.iter().map(|player| player.standing).collect();
    assert_eq!(standings, [AtLeast, AtLeast, Measured, Measured]);
    assert_eq!(rate(0, &[], &RatingOptions::default()).expect("nobody").players.len(), 0);
}

#[test]
fn tables_that_are_none_are_refused() {
    let row = |first, second| [Encounter { first, second, wins: 1, draws: 0, losses: 0 }];
    assert!(rate(2, &row(0, 2), &bare()).is_err());
    assert!(rate(2, &row(1, 1), &bare()).is_err());
    for options in [
        RatingOptions { anchors: vec![(2, 0.0)], ..bare() },
        RatingOptions { anchors: vec![(0, 0.0), (0, 1.0)], ..bare() },
        RatingOptions { anchors: vec![(0, f64::NAN)], ..bare() },
        RatingOptions { prior: 0.0, ..bare() },
        RatingOptions { advantage: Advantage::Fixed(f64::INFINITY), ..bare() },
    ] {
        assert!(rate(2, &row(0, 1), &options).is_err(), "{options:?}");
    }
}

proptest! {
    #[test]
    fn ratings_are_always_numbers(rows in prop::collection::vec((0usize..6, 0usize..6, 0u64..40, 0u64..40, 0u64..40), 0..12),
                                  anchor in prop::option::of((0usize..6, -3000f64..3000.0))) {
        let table: Vec<Encounter> = rows
            .into_iter()
            .filter(|row| row.0 != row.1)
            .map(|(first, second, wins, draws, losses)| Encounter { first, second, wins, draws, losses })
            .collect();
        let options = RatingOptions { anchors: anchor.into_iter().collect(), simulations: 3, ..RatingOptions::default() };
        for options in [RatingOptions { simulations: 0, ..options.clone() }, options] {
            let ratings = rate(6, &table, &options).expect("a table");
            prop_assert!(ratings.advantage.is_finite() && (0.0..=1.0).contains(&ratings.draw_rate));
            for player in &ratings.players {
                prop_assert!(player.elo.abs() < 20_000.0 && player.deviation.is_finite());
            }
            prop_assert!(ratings.los.iter().flatten().flatten().all(|los| (0.0..=1.0).contains(los)));
        }
    }
}
