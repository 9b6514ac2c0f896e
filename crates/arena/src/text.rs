//! Results for people and for programs.

use crate::Report;
use crate::stats::{Elo, RatingOptions, Verdict, rate};
use serde_json::{Value, json};

impl Report {
    /// The result of a duel in a few lines, or the table of a tournament.
    pub fn to_text(&self) -> String {
        let mut text = if self.settings.players.len() == 2 { self.duel_text() } else { self.table_text() };
        let standings = &self.standings;
        text.push_str(&format!("games     {} ({} differ", standings.games, standings.unique()));
        text.push_str(&format!(", {:.0} plies on average", standings.plies as f64 / standings.games.max(1) as f64));
        text.push_str(&format!("), openings: {} from {}\n", self.plan.openings, self.plan.source));
        if standings.unique() * 2 < standings.games {
            text.push_str("          most games repeat others move for move: the figures look surer than they are\n");
        }
        let reasons: Vec<String> =
            standings.reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        if !reasons.is_empty() {
            text.push_str(&format!("endings   {}\n", reasons.join(", ")));
        }
        for (name, troubles) in standings.names.iter().zip(&standings.troubles) {
            if !troubles.is_empty() {
                let list: Vec<String> = troubles.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
                text.push_str(&format!("trouble   {name}: {}\n", list.join(", ")));
            }
        }
        for (name, late) in standings.names.iter().zip(&standings.late).filter(|(_, late)| **late > 0) {
            text.push_str(&format!(
                "machine   {name}: late in {late} moves for want of a free processor, which was not charged: fewer games at a time?\n"
            ));
        }
        text
    }

    fn duel_text(&self) -> String {
        let standings = &self.standings;
        let (summary, first) = (standings.summary(0, 1), standings.wdl_first(0, 1));
        let wdl = summary.wdl;
        let mut text = format!("{} against {}\n", standings.names[0], standings.names[1]);
        text.push_str(&format!("result    {} won, {} drawn, {} lost", wdl.wins, wdl.draws, wdl.losses));
        if let Some(score) = summary.score {
            text.push_str(&format!(": {:.1} %", score * 100.0));
        }
        text.push_str(&format!(" (moving first {}-{}-{}", first.wins, first.draws, first.losses));
        let second = standings.wdl_first(1, 0).reversed();
        text.push_str(&format!(", second {}-{}-{})\n", second.wins, second.draws, second.losses));
        text.push_str(&format!("Elo       {}", summary.elo));
        if let Some(los) = summary.los {
            text.push_str(&format!(", stronger with {:.1} %", los * 100.0));
        }
        text.push_str(&format!("\nnElo      {}\n", summary.normalised));
        if let Some(pairs) = summary.pairs {
            let [a, b, c, d, e] = pairs.0;
            text.push_str(&format!("pairs     {a} {b} {c} {d} {e} (0, ½, 1, 1½, 2 points)\n"));
        }
        if let Some(path) = &self.sprt {
            let (lower, upper) = path.sprt.bounds();
            let verdict = match path.verdict {
                Verdict::Open => "not decided".to_owned(),
                Verdict::AcceptH0 => format!("H0 accepted: {} or less", path.sprt.elo0),
                Verdict::AcceptH1 => format!("H1 accepted: {} or more", path.sprt.elo1),
            };
            let llr = path.sprt.llr(standings.pairs(0, 1));
            text.push_str(&format!(
                "SPRT      LLR {llr:.2} ({lower:.2}, {upper:.2}) for [{}, {}]: {verdict}\n",
                path.sprt.elo0, path.sprt.elo1
            ));
        }
        text
    }

    fn table_text(&self) -> String {
        let standings = &self.standings;
        let width = standings.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(48);
        let ratings = rate(standings.names.len(), &standings.encounters(), &RatingOptions::default()).ok();
        let mut text = format!(
            "{:>3}  {:<width$}  {:>7}  {:>6}  {:>6}  {:>5} {:>5} {:>5}  {:>6}\n",
            "", "player", "points", "games", "score", "won", "drawn", "lost", "Elo"
        );
        for (place, player) in (1..).zip(standings.order(self.settings.format)) {
            let total = standings.total(player);
            let elo = ratings.as_ref().map_or(String::new(), |ratings| {
                let rating = &ratings.players[player];
                format!("{:+.0} ±{:.0}", rating.elo, 1.96 * rating.deviation)
            });
            text.push_str(&format!(
                "{place:>3}  {:<width$}  {:>7}  {:>6}  {:>5.1}%  {:>5} {:>5} {:>5}  {elo}\n",
                standings.names[player],
                total.points(),
                total.games(),
                total.score().unwrap_or(0.0) * 100.0,
                total.wins,
                total.draws,
                total.losses,
            ));
        }
        text
    }

    /// Everything in one object.
    pub fn to_json(&self) -> Value {
        let standings = &self.standings;
        let players = (0..standings.names.len()).map(|player| {
            let total = standings.total(player);
            json!({
                "name": standings.names[player], "player": self.settings.players[player].player,
                "games": total.games(), "points": total.points(), "wins": total.wins, "draws": total.draws, "losses": total.losses,
                "troubles": standings.troubles[player], "machine_late": standings.late[player],
            })
        });
        let mut object = json!({
            "name": self.settings.name, "game": self.settings.game, "seed": self.settings.seed,
            "games": standings.games, "planned": self.plan.games, "unique": standings.unique(), "plies": standings.plies,
            "openings": self.plan.openings, "source": self.plan.source, "concurrency": self.plan.concurrency,
            "seconds": self.seconds, "played": self.played, "reasons": standings.reasons,
            "players": players.collect::<Vec<_>>(), "stopped": self.stopped,
        });
        if standings.names.len() == 2 {
            let summary = standings.summary(0, 1);
            object["score"] = json!(summary.score);
            object["elo"] = elo_json(&summary.elo);
            object["nelo"] = elo_json(&summary.normalised);
            object["los"] = json!(summary.los);
            object["pairs"] = json!(standings.pairs(0, 1).0);
        } else {
            let table = (0..standings.names.len()).map(|row| {
                let cell = |column| {
                    let wdl = standings.wdl(row, column);
                    json!([wdl.wins, wdl.draws, wdl.losses])
                };
                (0..standings.names.len()).map(cell).collect::<Vec<_>>()
            });
            object["table"] = json!(table.collect::<Vec<_>>());
        }
        if let Some(path) = &self.sprt {
            let (lower, upper) = path.sprt.bounds();
            let verdict = match path.verdict {
                Verdict::Open => "open",
                Verdict::AcceptH0 => "H0",
                Verdict::AcceptH1 => "H1",
            };
            let llr = path.sprt.llr(standings.pairs(0, 1));
            object["sprt"] = json!({"llr": llr, "lower": lower, "upper": upper, "elo0": path.sprt.elo0, "elo1": path.sprt.elo1, "verdict": verdict});
        }
        object
    }
}

/// An Elo difference as an object: a value with its ends, or whatever of that is known.
fn elo_json(elo: &Elo) -> Value {
    match elo {
        Elo::TooFew { .. } => Value::Null,
        Elo::AtLeast(low) => json!({"low": low}),
        Elo::AtMost(high) => json!({"high": high}),
        Elo::About(estimate) => json!({"value": estimate.value, "low": estimate.low, "high": estimate.high}),
    }
}
