//! Writes report pages about made-up tournaments, to look at: `cargo run -p tengen-arena --example report DIR`.

use std::path::PathBuf;
use tengen_arena::report::{
    GameData, GameResult, MoveData, PlayerData, ReportData, TuningData, frames, match_section, page,
};
use tengen_arena::stats::{EloModel, Sprt, Wdl, score_of_elo};
use tengen_arena::tune::{Parameter, Spsa, SpsaOptions, Tuner};
use tengen_core::{Outcome, Rng, Side, Turn};
use tengen_table::{Setup, open};

fn main() -> std::io::Result<()> {
    let directory = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".into()));
    let two =
        [("chess", 0.0), ("yokai34", 30.0), ("go9", 25.0), ("connect4", 60.0), ("backgammon", 10.0), ("pig", 5.0)];
    for (game, elo) in two {
        let data = tournament(game, &["new", "old"], &[elo, 0.0], 120, 12);
        std::fs::write(directory.join(format!("{game}.html")), page(&data))?;
        std::fs::write(directory.join(format!("{game}.md")), match_section(&data))?;
    }
    let names =
        ["mcts:visits=800", "mcts:visits=200", "alphabeta:depth=6", "alphabeta:depth=4", "minimax:depth=3", "random"];
    let data = tournament("othello", &names, &[230.0, 120.0, 90.0, -20.0, -60.0, -360.0], 480, 30);
    std::fs::write(directory.join("othello.html"), page(&data))?;
    std::fs::write(directory.join("othello.md"), match_section(&data))
}

/// Random games with results that follow the ratings given, except where the games really end.
fn tournament(game: &str, names: &[&str], elo: &[f64], count: usize, pictured: usize) -> ReportData {
    let mut rng = Rng::with_seed(11);
    let mut data = ReportData {
        name: if names.len() == 2 { format!("{game}: new against old") } else { format!("{game}: all play all") },
        game: game.into(),
        command: format!("tengen duel {} {} --game {game} --games {count} --seed 11", names[0], names[1]),
        seed: 11,
        revision: "11cd959".into(),
        date: "2026-03-01".into(),
        conditions: vec![
            ("time".into(), "1 s + 0.01 s".into()),
            ("adjudication".into(), "draw after 300 plies".into()),
        ],
        players: names
            .iter()
            .map(|name| PlayerData { name: (*name).into(), spec: format!("{name} <made up>") })
            .collect(),
        sprt: (names.len() == 2).then(|| Sprt::new(EloModel::Logistic, 0.0, 30.0, 0.05, 0.05).expect("a test")),
        ..ReportData::default()
    };
    for index in 0..count {
        let pair = index / 2;
        let all: Vec<(usize, usize)> =
            (0..names.len()).flat_map(|a| (a + 1..names.len()).map(move |b| (a, b))).collect();
        let (a, b) = all[pair % all.len()];
        let (first, second) = if index % 2 == 0 { (a, b) } else { (b, a) };
        let mut played = play(game, &mut rng, index < pictured, &mut data.sides);
        if index >= pictured {
            let score = score_of_elo(elo[first] - elo[second] + 20.0);
            played.result = match rng.f64() {
                u if u < 0.15 => GameResult::Draw,
                u if u < 0.075 + score * 0.85 + 0.075 => GameResult::First,
                _ => GameResult::Second,
            };
        }
        (played.id, played.first, played.second) = (format!("{}", index + 1), first, second);
        played.pair = Some(pair as u64);
        played.opening = Some(format!("opening {}", 1 + pair % 10));
        data.games.push(played);
    }
    if names.len() == 2 {
        data.tuning = Some(tuning(&mut rng));
    }
    data
}

fn play(game: &str, rng: &mut Rng, pictured: bool, sides: &mut [String; 2]) -> GameData {
    let mut table = open(game, &Setup::default()).expect("a game");
    let mut data = GameData { reason: "rules".into(), result: GameResult::Draw, ..GameData::default() };
    let mut pictures = vec![table.view().drawn];
    let mut trend = 0.0f32;
    for ply in 0..300 {
        let view = table.view();
        *sides = view.sides.map(str::to_owned);
        let side = match view.turn {
            Turn::Over(outcome) => {
                data.result = match outcome {
                    Outcome::Win(Side::First) => GameResult::First,
                    Outcome::Win(Side::Second) => GameResult::Second,
                    Outcome::Draw => GameResult::Draw,
                };
                break;
            }
            Turn::Chance => None,
            Turn::Decision(side) => Some(side),
        };
        if !pictured && ply > 4 {
            break;
        }
        let text = match side {
            None => table.roll(rng).expect("chance's turn"),
            Some(_) => {
                let text = view.legal[rng.usize(..view.legal.len())].clone();
                table.play(&text).expect("a legal move");
                text
            }
        };
        trend = (trend + rng.f32() * 0.2 - 0.1).clamp(-0.97, 0.97);
        let thinks = side.filter(|_| ply >= 4);
        let after = table.view();
        data.moves.push(MoveData {
            text,
            side,
            value: thinks.map(|side| (if side == Side::First { trend } else { -trend }) + rng.f32() * 0.05),
            depth: thinks.map(|_| rng.u32(6..14)),
            seconds: thinks.map(|_| 0.05 + rng.f32()),
            touched: after.last.map(|(_, touched)| touched).unwrap_or_default(),
            book: ply < 4,
        });
        pictures.push(after.drawn);
        if ply == 299 {
            data.reason = "300 plies".into();
        }
    }
    data.frames = if pictured { frames(&pictures) } else { None };
    data
}

fn tuning(rng: &mut Rng) -> TuningData {
    let parameters = vec![Parameter::new("cpuct", 1.0, 0.2, 4.2), Parameter::new("margin", 60.0, 0.0, 200.0).integer()];
    let options = SpsaOptions { iterations: 8000, rate: 0.01, ..SpsaOptions::default() };
    let mut tuner = Spsa::new(parameters, options).expect("parameters");
    let elo = |values: &[f64]| -30.0 * (values[0] - 2.4).powi(2) - 0.02 * (values[1] - 110.0).powi(2);
    while let Some(trial) = tuner.ask() {
        let ahead = elo(&trial.values) - elo(trial.against.as_deref().unwrap_or(&trial.values));
        let mut result = Wdl::default();
        (0..2).for_each(|_| {
            result += if rng.f64() < score_of_elo(ahead) { Wdl::new(1, 0, 0) } else { Wdl::new(0, 0, 1) }
        });
        tuner.tell(trial.id, result).expect("out");
    }
    TuningData::of("SPSA", &tuner)
}
