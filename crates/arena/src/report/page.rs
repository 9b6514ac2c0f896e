//! One HTML file with everything in it: tables as HTML, so that they can be read without a script; curves and boards
//! drawn by a script from the data beside them.

use super::words::{elo, escape_html, escape_json, interval, likelihood, percent, points, signed};
use super::{Analysis, GameData, ReportData};
use crate::stats::{EloModel, Estimate, Rating, Standing, Verdict, Wdl};
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Write;

const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("page/dom.js"),
    include_str!("page/chart.js"),
    include_str!("page/board.js"),
    include_str!("page/replay.js"),
    include_str!("page/start.js"),
    "})();\n",
);

/// The page of a report.
pub fn page(data: &ReportData) -> String {
    let analysis = Analysis::of(data);
    let payload = payload(data, &analysis);
    // Filled from left to right, so that nothing that was filled in is read for marks again.
    let mut page = String::new();
    for piece in include_str!("page/page.html").split("{{") {
        let (mark, rest) = piece.split_once("}}").unwrap_or(("", piece));
        match mark {
            "title" => page += &escape_html(&format!("{} · Tengen", data.name)),
            "style" => page += STYLE,
            "body" => page += &body(data, &analysis),
            "data" => page += &escape_json(&payload.to_string()),
            "script" => page += SCRIPT,
            _ => (),
        }
        page += rest;
    }
    page
}

/// What the script needs: curves as numbers, games as changes.
fn payload(data: &ReportData, analysis: &Analysis) -> Value {
    let estimates = |points: &mut dyn Iterator<Item = (u64, Estimate)>| -> Value {
        points.map(|(games, e)| json!([games, short(e.value), short(e.low), short(e.high)])).collect()
    };
    let mut charts = serde_json::Map::new();
    let lines = analysis.curves.iter().filter(|curve| curve.points.len() > 1);
    let lines: Vec<Value> = lines
        .map(|curve| {
            let points = estimates(&mut curve.points.iter().copied());
            json!({ "name": name(data, curve.player), "points": points })
        })
        .collect();
    if !lines.is_empty() {
        let band = data.players.len() == 2;
        charts.insert(
            "elo".into(),
            json!({ "x": "games", "y": "Elo", "lines": lines, "band": band, "rules": [[0, ""]] }),
        );
    }
    if let Some(path) = &analysis.sprt {
        let (lower, upper) = path.sprt.bounds();
        let points: Vec<_> = path.points.iter().map(|(games, llr)| json!([games, short(*llr)])).collect();
        let rules = json!([[short(upper), "accept H1"], [short(lower), "accept H0"]]);
        let line = json!([{ "name": "LLR", "points": points }]);
        charts.insert("sprt".into(), json!({ "x": "games", "y": "LLR", "lines": line, "rules": rules }));
    }
    if let Some(tuning) = &data.tuning {
        for (index, parameter) in tuning.parameters.iter().enumerate() {
            let points = tuning.path.points().iter();
            let mut points = points.filter_map(|point| Some((point.games, *point.values.get(index)?)));
            let line = json!([{ "name": parameter.name, "points": estimates(&mut points) }]);
            let rules = json!([[short(parameter.start), "start"]]);
            let chart = json!({ "x": "games", "y": parameter.name, "lines": line, "band": true, "rules": rules });
            charts.insert(format!("tune-{index}"), chart);
        }
    }
    // Boards are the same in most games: each is written once.
    let mut boards: Vec<&super::Geometry> = Vec::new();
    let games: Vec<Value> = data.games.iter().map(|game| shown(game, &mut boards)).collect();
    json!({
        "sides": data.sides,
        "players": data.players.iter().map(|player| &player.name).collect::<Vec<_>>(),
        "charts": charts,
        "boards": boards,
        "games": games,
    })
}

/// One game for the script: short names, since there are thousands.
fn shown<'a>(game: &'a GameData, boards: &mut Vec<&'a super::Geometry>) -> Value {
    #[derive(Serialize)]
    struct Shown<'a> {
        id: &'a str,
        a: usize,
        b: usize,
        o: Option<&'a str>,
        r: super::GameResult,
        why: &'a str,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        m: Vec<Value>,
        #[serde(skip_serializing_if = "Option::is_none")]
        f: Option<Value>,
    }
    let board = game.frames.as_ref().map(|frames| {
        boards.iter().position(|known| **known == frames.geometry).unwrap_or_else(|| {
            boards.push(&frames.geometry);
            boards.len() - 1
        })
    });
    let frames = game.frames.as_ref().map(|frames| json!({ "b": board, "k": frames.kinds, "d": frames.changes }));
    let place = |cell: &String| game.frames.as_ref()?.geometry.cells.iter().position(|name| name == cell);
    let moves = game.moves.iter().map(|mv| {
        let side = mv.side.map(|side| side.index());
        let touched: Vec<usize> = mv.touched.iter().filter_map(place).collect();
        let value = mv.value.filter(|value| value.is_finite()).map(|value| short(f64::from(value)));
        let seconds = mv.seconds.filter(|seconds| seconds.is_finite()).map(|seconds| short(f64::from(seconds)));
        json!([mv.text, side, value, mv.depth, seconds, touched, u8::from(mv.book)])
    });
    // Nothing in it that JSON cannot say; a null would show as a game without a name.
    let shown = Shown {
        id: &game.id,
        a: game.first,
        b: game.second,
        o: game.opening.as_deref(),
        r: game.result,
        why: &game.reason,
        m: moves.collect(),
        f: frames,
    };
    serde_json::to_value(shown).unwrap_or_default()
}

/// Four significant digits or so: enough for any curve.
fn short(number: f64) -> f64 {
    let rounded = (number * 1000.0).round() / 1000.0;
    if rounded.is_finite() { rounded } else { 0.0 }
}

fn name(data: &ReportData, player: usize) -> String {
    data.players.get(player).map(|player| player.name.clone()).unwrap_or_default()
}

fn body(data: &ReportData, analysis: &Analysis) -> String {
    let mut out = String::new();
    let mut sections: Vec<(&str, &str, String)> = Vec::new();
    if data.players.len() == 2 {
        sections.push(("result", "Result", duel(data, analysis)));
    }
    if data.players.len() != 2 && !data.players.is_empty() {
        sections.push(("standings", "Standings", standings(data, analysis)));
        sections.push(("cross", "Cross table", cross(data, analysis)));
    }
    if let Some(section) = sprt(analysis) {
        sections.push(("sprt", "Sequential test", section));
    }
    if analysis.curves.iter().any(|curve| curve.points.len() > 1) {
        sections.push(("elo", "Elo over time", curves(data, analysis)));
    }
    if let Some(section) = tuning(data) {
        sections.push(("tuning", "Parameters", section));
    }
    if !analysis.openings.is_empty() {
        sections.push(("openings", "Openings", openings(data, analysis)));
    }
    if !data.games.is_empty() {
        sections.push(("games", "Games", GAMES.into()));
    }
    sections.push(("about", "How it was played", about(data, analysis)));

    let _ = write!(out, "<header class=\"head\"><p class=\"kind\">Tengen · {}</p>", escape_html(&data.game));
    let _ = write!(out, "<h1>{}</h1><p class=\"lead\">{}</p>", escape_html(&data.name), lead(data, analysis));
    out += "<nav aria-label=\"Sections\"><ul>";
    for (id, title, _) in &sections {
        let _ = write!(out, "<li><a href=\"#{id}\">{title}</a></li>");
    }
    out += "</ul></nav></header><main>";
    for (id, title, section) in sections {
        let _ = write!(out, "<section id=\"{id}\"><h2>{title}</h2>{section}</section>");
    }
    out += "</main>";
    out
}

/// The report in one sentence.
fn lead(data: &ReportData, analysis: &Analysis) -> String {
    let games = match analysis.games {
        1 => "One game".into(),
        games => format!("{games} games"),
    };
    let mut text = match data.players.len() {
        2 => format!("{games} between {} and {}", name(data, 0), name(data, 1)),
        players => format!("{games}, {players} players"),
    };
    if let Some(unique) = analysis.unique.filter(|unique| *unique < analysis.games) {
        let _ = write!(text, "; only {unique} of them different");
    }
    if analysis.void > 0 {
        let _ = write!(text, "; {} more do not count", analysis.void);
    }
    if !data.date.is_empty() {
        let _ = write!(text, " · {}", data.date);
    }
    escape_html(&text)
}

fn duel(data: &ReportData, analysis: &Analysis) -> String {
    let duel = analysis.duel(0, 1);
    let wdl = duel.wdl;
    let mut out = String::from("<div class=\"duel\">");
    let share = |count: u64| 100.0 * count as f64 / wdl.games().max(1) as f64;
    let _ = write!(
        out,
        "<div class=\"score\"><span class=\"name\">{}</span><strong>{} – {}</strong><span class=\"name\">{}</span></div>",
        escape_html(&name(data, 0)),
        points(&wdl),
        points(&wdl.reversed()),
        escape_html(&name(data, 1)),
    );
    let _ = write!(
        out,
        "<div class=\"wdl\" role=\"img\" aria-label=\"{} won, {} drawn, {} lost\">\
         <span class=\"w\" style=\"width:{:.2}%\"></span><span class=\"d\" style=\"width:{:.2}%\"></span>\
         <span class=\"l\" style=\"width:{:.2}%\"></span></div>\
         <p class=\"legend\"><span><i class=\"w\"></i>{} won</span><span><i class=\"d\"></i>{} drawn</span>\
         <span><i class=\"l\"></i>{} lost</span></p></div>",
        wdl.wins,
        wdl.draws,
        wdl.losses,
        share(wdl.wins),
        share(wdl.draws),
        share(wdl.losses),
        wdl.wins,
        wdl.draws,
        wdl.losses,
    );
    out += "<dl class=\"figures\">";
    let mut figure = |name: &str, value: String, note: String| {
        let note = if note.is_empty() { note } else { format!("<span>{note}</span>") };
        let _ = write!(out, "<div><dt>{name}</dt><dd>{value}{note}</dd></div>");
    };
    let range = |answer| interval(answer).map_or_else(String::new, |interval| format!("95 %: {interval}"));
    figure("Elo", elo(&duel.elo), range(&duel.elo));
    figure("Likelihood of superiority", likelihood(duel.los), String::new());
    figure("Score", percent(duel.score), format!("{} of {}", points(&wdl), wdl.games()));
    figure("Normalised Elo", elo(&duel.normalised), range(&duel.normalised));
    figure("Draws", percent(duel.draw_rate), String::new());
    if let Some(pairs) = duel.pairs {
        let ratio = duel.pairs_ratio.map_or_else(|| "–".into(), |ratio| format!("{ratio:.2}"));
        figure("Pairs won / lost", ratio, format!("0 to 2 points: {}", pairs.0.map(|n| n.to_string()).join(" · ")));
    }
    figure(&format!("{} scored", escape_html(&data.sides[0])), percent(analysis.first.score()), String::new());
    out += "</dl>";
    out
}

fn standings(data: &ReportData, analysis: &Analysis) -> String {
    let ratings = &analysis.ratings;
    let drawn = |rating: &&Rating| rating.standing != Standing::Unplayed;
    let ends = |rating: &Rating| match rating.standing {
        Standing::Measured => rating.interval(),
        _ => (rating.elo, rating.elo),
    };
    let low = ratings.players.iter().filter(drawn).map(|r| ends(r).0).fold(f64::MAX, f64::min);
    let high = ratings.players.iter().filter(drawn).map(|r| ends(r).1).fold(f64::MIN, f64::max);
    let at = |elo: f64| 3.0 + 94.0 * (elo - low) / (high - low).max(1.0);
    let mut out = String::from(
        "<div class=\"scroll\"><table class=\"standings\"><thead><tr><th>#</th><th>player</th><th>Elo</th>\
         <th><abbr title=\"95 % interval\">±</abbr></th><th class=\"wide\">95 % interval</th><th>games</th><th>won</th>\
         <th>drawn</th><th>lost</th><th>score</th>\
         <th><abbr title=\"Likelihood of being stronger than the next in the list\">better than next</abbr></th>\
         </tr></thead><tbody>",
    );
    let order = ratings.order();
    for (rank, &player) in order.iter().enumerate() {
        let (rating, wdl) = (&ratings.players[player], &analysis.totals[player]);
        let (bound, error) = match rating.standing {
            _ if rating.anchored => ("", "given".into()),
            Standing::Measured => ("", format!("{:.0}", (rating.interval().1 - rating.interval().0) / 2.0)),
            Standing::AtLeast => ("≥ ", "lost to none of the rest".into()),
            Standing::AtMost => ("≤ ", "beat none of the rest".into()),
            Standing::Between => ("≈ ", "one-sided results only".into()),
            Standing::Unplayed => ("", "no games".into()),
        };
        let (elo, bar) = if drawn(&rating) {
            let (from, to) = (at(ends(rating).0), at(ends(rating).1));
            (
                format!("{bound}{}", signed(rating.elo).split('.').next().unwrap_or_default()),
                format!(
                    "<svg class=\"bar\" aria-hidden=\"true\"><line x1=\"{from:.2}%\" x2=\"{to:.2}%\" y1=\"50%\" y2=\"50%\"/>\
                     <line x1=\"{from:.2}%\" x2=\"{from:.2}%\" y1=\"30%\" y2=\"70%\"/>\
                     <line x1=\"{to:.2}%\" x2=\"{to:.2}%\" y1=\"30%\" y2=\"70%\"/>\
                     <circle cx=\"{:.2}%\" cy=\"50%\" r=\"4.5\"/></svg>",
                    at(rating.elo)
                ),
            )
        } else {
            ("–".into(), String::new())
        };
        let next = order.get(rank + 1).and_then(|&next| ratings.los[player][next]);
        let group =
            if ratings.groups > 1 { format!(" <small>group {}</small>", rating.group + 1) } else { String::new() };
        let _ = write!(
            out,
            "<tr><td>{}</td><th scope=\"row\" title=\"{}\">{}{group}</th><td>{elo}</td><td>{error}</td><td class=\"wide\">{bar}</td>\
             <td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            rank + 1,
            escape_html(&data.players[player].spec),
            escape_html(&data.players[player].name),
            wdl.games(),
            wdl.wins,
            wdl.draws,
            wdl.losses,
            percent(wdl.score()),
            likelihood(next),
        );
    }
    out += "</tbody></table></div>";
    let advantage = match ratings.advantage_deviation {
        deviation if deviation > 0.0 => format!("{} ± {:.1} Elo", signed(ratings.advantage), 1.96 * deviation),
        _ => format!("{} Elo", signed(ratings.advantage)),
    };
    let _ = write!(
        out,
        "<p class=\"note\">Moving first ({}) is worth {advantage} here. Ratings are the likeliest that explain all results \
         at once; their mean is 0 unless a rating was given.</p>",
        escape_html(&data.sides[0])
    );
    if ratings.groups > 1 {
        out += "<p class=\"note warn\">Not all players are connected by games. Ratings of different groups cannot be compared.</p>";
    }
    out
}

fn cross(data: &ReportData, analysis: &Analysis) -> String {
    let order = analysis.ratings.order();
    let mut out = String::from("<div class=\"scroll\"><table class=\"cross\"><thead><tr><th></th>");
    for (rank, &player) in order.iter().enumerate() {
        let _ = write!(out, "<th scope=\"col\" title=\"{}\">{}</th>", escape_html(&name(data, player)), rank + 1);
    }
    out += "<th>points</th></tr></thead><tbody>";
    for (rank, &row) in order.iter().enumerate() {
        let _ = write!(out, "<tr><th scope=\"row\"><span>{}</span> {}</th>", rank + 1, escape_html(&name(data, row)));
        for &column in &order {
            let wdl = analysis.cross[row][column];
            let _ = match wdl.score() {
                None => write!(out, "<td class=\"none\">{}</td>", if row == column { "·" } else { "" }),
                Some(score) => write!(
                    out,
                    "<td style=\"--score:{score:.3}\" title=\"{} against {}: {} won, {} drawn, {} lost\">\
                     <b>{}</b><small>{} {} {}</small></td>",
                    escape_html(&name(data, row)),
                    escape_html(&name(data, column)),
                    wdl.wins,
                    wdl.draws,
                    wdl.losses,
                    points(&wdl),
                    wdl.wins,
                    wdl.draws,
                    wdl.losses,
                ),
            };
        }
        let total = &analysis.totals[row];
        let _ = write!(out, "<td>{} of {}</td></tr>", points(total), total.games());
    }
    out +=
        "</tbody></table></div><p class=\"note\">Points of the row's player, below them games won, drawn and lost.</p>";
    out
}

fn sprt(analysis: &Analysis) -> Option<String> {
    let path = analysis.sprt.as_ref()?;
    let test = &path.sprt;
    let (lower, upper) = test.bounds();
    let (elo0, elo1) = (signed(test.elo0), signed(test.elo1));
    let unit = match test.model {
        EloModel::Logistic => "Elo",
        EloModel::Normalised => "normalised Elo",
    };
    let verdict = match path.verdict {
        Verdict::AcceptH1 => {
            format!("<strong>H1 is accepted</strong>: the difference is {elo1} {unit} rather than {elo0}.")
        }
        Verdict::AcceptH0 => {
            format!("<strong>H0 is accepted</strong>: the difference is {elo0} {unit} rather than {elo1}.")
        }
        Verdict::Open => {
            let pairs = analysis.pairs[0][1];
            let forecast = if pairs.pairs() > 0 { test.forecast(pairs) } else { test.forecast(analysis.cross[0][1]) };
            let outlook = forecast.map_or_else(String::new, |forecast| {
                let (games, h1) = (forecast.games_left, likelihood(Some(forecast.h1)));
                format!(" If the games go on like this, about {games} more are needed; the chance that H1 will be accepted is {h1}.")
            });
            format!("<strong>Not decided yet.</strong>{outlook}")
        }
    };
    let mut out = format!(
        "<p>{verdict}</p><p class=\"note\">H0: {elo0} {unit}; H1: {elo1} {unit}; errors α = {}, β = {}. LLR {:.2}, bounds {lower:.2} and \
         {upper:.2}, set before the first game.</p><figure data-chart=\"sprt\"></figure>",
        test.alpha,
        test.beta,
        path.llr()
    )
    .replace("bounds -", "bounds −")
    .replace("LLR -", "LLR −");
    let rows = path.points.iter().map(|(games, llr)| vec![games.to_string(), format!("{llr:.2}")]);
    out += &numbers(&["games", "LLR"], rows.collect());
    Some(out)
}

fn curves(data: &ReportData, analysis: &Analysis) -> String {
    let what = match data.players.len() {
        2 => format!("The difference for {}, with its 95 % interval.", name(data, 0)),
        _ => "The ratings after so many games of the tournament.".into(),
    };
    let mut out = format!("<p class=\"note\">{}</p><figure data-chart=\"elo\"></figure>", escape_html(&what));
    let mut rows = Vec::new();
    for curve in &analysis.curves {
        for (games, e) in &curve.points {
            rows.push(vec![
                name(data, curve.player),
                games.to_string(),
                signed(e.value),
                signed(e.low),
                signed(e.high),
            ]);
        }
    }
    out += &numbers(&["player", "games", "Elo", "from", "to"], rows);
    out
}

fn tuning(data: &ReportData) -> Option<String> {
    let tuning = data.tuning.as_ref()?;
    let last = tuning.path.points().last();
    let games = last.map_or(0, |last| last.games);
    let mut out = format!(
        "<p class=\"note\">Tuned by {}, {games} games.{}</p><div class=\"scroll\"><table><thead><tr><th>parameter</th><th>start</th><th>now</th>\
         <th>95 % interval</th><th>range</th></tr></thead><tbody>",
        escape_html(&tuning.algorithm),
        if tuning.algorithm == "SPSA" { " The interval is how far chance alone would carry a parameter." } else { "" }
    );
    for (index, parameter) in tuning.parameters.iter().enumerate() {
        let now = last.and_then(|last| last.values.get(index));
        let digits = |value: f64| number(value, parameter.max - parameter.min);
        let (value, range) = now.map_or(("–".into(), "–".into()), |now| {
            (digits(now.value), format!("{} to {}", digits(now.low), digits(now.high)))
        });
        let _ = write!(
            out,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td><b>{value}</b></td><td>{range}</td><td>{} to {}</td></tr>",
            escape_html(&parameter.name),
            digits(parameter.start),
            digits(parameter.min),
            digits(parameter.max),
        );
    }
    out += "</tbody></table></div><div class=\"small-charts\">";
    for (index, parameter) in tuning.parameters.iter().enumerate() {
        let name = escape_html(&parameter.name);
        let _ = write!(out, "<div><h3>{name}</h3><figure data-chart=\"tune-{index}\" data-small></figure></div>");
    }
    out += "</div>";
    let mut head = vec!["games".to_owned()];
    head.extend(tuning.parameters.iter().map(|parameter| parameter.name.clone()));
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let row = |point: &crate::tune::PathPoint| {
        let mut row = vec![point.games.to_string()];
        let values = point.values.iter().zip(&tuning.parameters);
        row.extend(values.map(|(value, parameter)| number(value.value, parameter.max - parameter.min)));
        row
    };
    out += &numbers(&head, tuning.path.points().iter().map(row).collect());
    Some(out)
}

/// A number with as many digits as its range asks for.
fn number(value: f64, range: f64) -> String {
    let digits = (3 - range.abs().max(1e-9).log10().floor() as i32).clamp(0, 8) as usize;
    format!("{value:.digits$}").replace('-', "−")
}

fn openings(data: &ReportData, analysis: &Analysis) -> String {
    let two = data.players.len() == 2;
    let mut out = String::from("<div class=\"scroll tall\"><table><thead><tr><th>opening</th><th>games</th>");
    let _ = write!(out, "<th>{} scored</th>", escape_html(&data.sides[0]));
    if two {
        let _ = write!(out, "<th>{} scored</th>", escape_html(&name(data, 0)));
    }
    out += "<th class=\"wide\">first side won, drawn, lost</th></tr></thead><tbody>";
    for line in &analysis.openings {
        let wdl = &line.first;
        let share = |count: u64| 100.0 * count as f64 / wdl.games().max(1) as f64;
        let _ = write!(
            out,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td>",
            escape_html(&line.name),
            wdl.games(),
            scored(wdl)
        );
        if two {
            let _ = write!(out, "<td>{}</td>", scored(&line.player));
        }
        let _ = write!(
            out,
            "<td class=\"wide\"><div class=\"wdl thin\" role=\"img\" aria-label=\"{} won, {} drawn, {} lost\">\
             <span class=\"w\" style=\"width:{:.2}%\"></span><span class=\"d\" style=\"width:{:.2}%\"></span>\
             <span class=\"l\" style=\"width:{:.2}%\"></span></div></td></tr>",
            wdl.wins,
            wdl.draws,
            wdl.losses,
            share(wdl.wins),
            share(wdl.draws),
            share(wdl.losses)
        );
    }
    out += "</tbody></table></div>";
    out
}

fn scored(wdl: &Wdl) -> String {
    format!("{} <small>{}</small>", percent(wdl.score()), points(wdl))
}

/// Where the script puts the list and the board.
const GAMES: &str = "<div id=\"replay\"><noscript><p>The games can be replayed here with JavaScript; nothing is loaded from \
    the network.</p></noscript></div>";

fn about(data: &ReportData, analysis: &Analysis) -> String {
    let mut out = String::from("<dl class=\"about\">");
    let mut row = |name: &str, value: &str| {
        let _ = write!(out, "<div><dt>{}</dt><dd>{}</dd></div>", escape_html(name), value);
    };
    for player in &data.players {
        row(&player.name, &format!("<code>{}</code>", escape_html(&player.spec)));
    }
    for (name, value) in &data.conditions {
        row(name, &escape_html(value));
    }
    let reasons: Vec<String> = analysis.reasons.iter().map(|(why, count)| format!("{why} {count}")).collect();
    if !reasons.is_empty() {
        row("games ended by", &escape_html(&reasons.join(", ")));
    }
    row("seed", &data.seed.to_string());
    row("revision", &escape_html(&data.revision));
    if !data.date.is_empty() {
        row("date", &escape_html(&data.date));
    }
    out += "</dl>";
    if !data.command.is_empty() {
        let _ = write!(out, "<p class=\"note\">The same again:</p><pre>{}</pre>", escape_html(&data.command));
    }
    out
}

/// The text form of a curve: at most forty rows, folded away.
fn numbers(head: &[&str], rows: Vec<Vec<String>>) -> String {
    let every = rows.len().div_ceil(40).max(1);
    let mut out = String::from("<details><summary>As numbers</summary><div class=\"scroll tall\"><table><thead><tr>");
    head.iter().for_each(|name| out += &format!("<th>{}</th>", escape_html(name)));
    out += "</tr></thead><tbody>";
    let last = rows.len().saturating_sub(1);
    for (_, row) in rows.iter().enumerate().filter(|(index, _)| index % every == 0 || *index == last) {
        out += "<tr>";
        row.iter().for_each(|cell| out += &format!("<td>{}</td>", escape_html(cell)));
        out += "</tr>";
    }
    out += "</tbody></table></div></details>";
    out
}
