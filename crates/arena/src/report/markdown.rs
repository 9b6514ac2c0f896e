//! Sections of Markdown documents, for a notebook of matches.

use super::words::{elo, escape_markdown, interval, likelihood, percent, points, signed};
use super::{Analysis, ReportData};
use crate::stats::{Standing, Verdict};

/// A section about a match between two players: the first two of the report. With more players, or fewer, it is the
/// section of a tournament: standings and cross table.
pub fn match_section(data: &ReportData) -> String {
    let analysis = Analysis::of(data);
    let mut out = format!("## {}\n\n", escape_markdown(&data.name));
    if data.players.len() == 2 {
        let duel = analysis.duel(0, 1);
        let [a, b] = [0, 1].map(|player| described(data, player));
        out += &format!("{a} against {b}\n\n| | |\n|---|---|\n");
        let mut row = |name: &str, value: String| out += &format!("| {name} | {value} |\n");
        let wdl = duel.wdl;
        row("games", games(&analysis));
        row("result", format!("{} won, {} drawn, {} lost", wdl.wins, wdl.draws, wdl.losses));
        if let Some(pairs) = duel.pairs {
            row("pairs (0, ½, 1, 1½, 2 points)", pairs.0.map(|count| count.to_string()).join(" · "));
        }
        row("score", format!("{} of {} ({})", points(&wdl), wdl.games(), percent(duel.score)));
        row("Elo", with_interval(&duel.elo));
        row("normalised Elo", with_interval(&duel.normalised));
        row("likelihood of superiority", likelihood(duel.los));
        if let Some(path) = &analysis.sprt {
            let (lower, upper) = path.sprt.bounds();
            let verdict = match path.verdict {
                Verdict::Open => "not decided",
                Verdict::AcceptH0 => "H0 accepted",
                Verdict::AcceptH1 => "H1 accepted",
            };
            let (elo0, elo1) = (signed(path.sprt.elo0), signed(path.sprt.elo1));
            let llr = format!("LLR {:.2} ({lower:.2}, {upper:.2})", path.llr()).replace('-', "−");
            row("SPRT", format!("{verdict}: {llr}, elo0 {elo0}, elo1 {elo1}"));
        }
        rows_of_conditions(data, &mut row);
    } else {
        out += "| | |\n|---|---|\n";
        let mut row = |name: &str, value: String| out += &format!("| {name} | {value} |\n");
        row("games", games(&analysis));
        rows_of_conditions(data, &mut row);
        out += &format!("\n{}\n{}", standings(data), cross_table(data));
    }
    if !data.command.is_empty() {
        // A fence longer than any run of ticks inside.
        let longest = data.command.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        out += &format!("\n{fence}\n{}\n{fence}\n", data.command.trim());
    }
    out
}

/// The players with their ratings, strongest first, as a table.
pub fn standings(data: &ReportData) -> String {
    let analysis = Analysis::of(data);
    let mut out = String::from(
        "| | player | Elo | ± | games | score | better than the next |\n|---:|---|---:|---:|---:|---:|---:|\n",
    );
    let order = analysis.ratings.order();
    for (rank, &player) in order.iter().enumerate() {
        let rating = &analysis.ratings.players[player];
        let bound = match rating.standing {
            Standing::AtLeast => "≥ ",
            Standing::AtMost => "≤ ",
            _ => "",
        };
        let elo = match rating.standing {
            Standing::Unplayed => "–".into(),
            _ => format!("{bound}{}", signed(rating.elo)),
        };
        let error = if rating.anchored {
            "given".into()
        } else if rating.standing == Standing::Measured {
            let (low, high) = rating.interval();
            format!("{:.1}", (high - low) / 2.0)
        } else {
            "–".into()
        };
        let next = order.get(rank + 1).and_then(|&next| analysis.ratings.los[player][next]);
        out += &format!(
            "| {} | {} | {elo} | {error} | {} | {} | {} |\n",
            rank + 1,
            escape_markdown(&data.players[player].name),
            analysis.totals[player].games(),
            percent(analysis.totals[player].score()),
            likelihood(next),
        );
    }
    if analysis.ratings.groups > 1 {
        out += "\nNot all players are connected by games: ratings of different groups cannot be compared.\n";
    }
    out
}

/// Everybody against everybody, as a table: points of games, row against column.
pub fn cross_table(data: &ReportData) -> String {
    let analysis = Analysis::of(data);
    let order = analysis.ratings.order();
    let mut out = String::from("| |");
    order.iter().for_each(|&player| out += &format!(" {} |", escape_markdown(&data.players[player].name)));
    out += &format!("\n|---|{}\n", "---:|".repeat(order.len()));
    for &row in &order {
        out += &format!("| {} |", escape_markdown(&data.players[row].name));
        for &column in &order {
            let wdl = analysis.cross[row][column];
            let cell = if wdl.games() == 0 { String::new() } else { format!("{} of {}", points(&wdl), wdl.games()) };
            out += &format!(" {cell} |");
        }
        out.push('\n');
    }
    out
}

fn described(data: &ReportData, player: usize) -> String {
    let player = &data.players[player];
    let name = format!("**{}**", escape_markdown(&player.name));
    match player.spec.is_empty() || player.spec == player.name {
        true => name,
        false => format!("{name} ({})", escape_markdown(&player.spec)),
    }
}

fn games(analysis: &Analysis) -> String {
    let mut text = analysis.games.to_string();
    if let Some(unique) = analysis.unique {
        text += &format!(", {unique} of them different");
    }
    if analysis.void > 0 {
        text += &format!("; {} more not counted", analysis.void);
    }
    text
}

fn with_interval(answer: &crate::stats::Elo) -> String {
    match interval(answer) {
        Some(interval) => format!("{} (95 %: {interval})", elo(answer)),
        None => elo(answer),
    }
}

fn rows_of_conditions(data: &ReportData, row: &mut impl FnMut(&str, String)) {
    row("game", escape_markdown(&data.game));
    for (name, value) in &data.conditions {
        row(&escape_markdown(name), escape_markdown(value));
    }
    row("seed", data.seed.to_string());
    row("revision", escape_markdown(&data.revision));
    row("date", escape_markdown(&data.date));
}
