//! The games as people see them, and the levels they can play against.
//!
//! Everything comes from one file, `games.toml`, which is part of the program. Any other size of Go is played like 9x9.

use crate::message::{Code, GameInfo, GameOptions, Level, Trouble, Words};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use tengen_record::{Handicap, Setup};
use tengen_table::{PlayerSpec, open};

/// How a level plays at first sight.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hasty {
    /// How often it does, from 0 to 1.
    pub chance: f32,
    /// Who looks at the moves.
    #[serde(deserialize_with = "player")]
    pub player: PlayerSpec,
    /// How large a difference in value is hard to see.
    pub spread: f32,
}

/// How a level plays.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelPlan {
    /// What requests call it.
    pub id: String,
    /// Who plays.
    #[serde(deserialize_with = "player")]
    pub player: PlayerSpec,
    /// Who plays now and then instead.
    pub hasty: Option<Hasty>,
    /// Whether it gives its wins away, where it knows them for sure.
    #[serde(default)]
    pub kind: bool,
    /// Milliseconds after which somebody else plays.
    pub within: Option<u64>,
    /// Who.
    #[serde(default, deserialize_with = "other_player")]
    pub otherwise: Option<PlayerSpec>,
    about: Words,
    /// Its strength above random moves, if it was measured.
    pub rating: Option<f32>,
    /// How far it may be off, at 95 %.
    pub error: Option<f32>,
}

fn player<'de, D: Deserializer<'de>>(text: D) -> Result<PlayerSpec, D::Error> {
    PlayerSpec::read(&String::deserialize(text)?).map_err(serde::de::Error::custom)
}

fn other_player<'de, D: Deserializer<'de>>(text: D) -> Result<Option<PlayerSpec>, D::Error> {
    player(text).map(Some)
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameEntry {
    id: String,
    family: String,
    #[serde(default)]
    variant: String,
    title: Words,
    about: Words,
    sides: String,
    ladder: String,
    analyst: String,
    solver: Option<String>,
    #[serde(default)]
    rules: Vec<String>,
    #[serde(default)]
    passes: bool,
    #[serde(default)]
    draws: bool,
    #[serde(default)]
    dice: bool,
    #[serde(default)]
    counting: bool,
    #[serde(default)]
    solved: bool,
    #[serde(default)]
    shuffled: bool,
}

/// All games and levels.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalog {
    name: BTreeMap<String, Words>,
    sides: BTreeMap<String, [Words; 2]>,
    game: Vec<GameEntry>,
    ladder: BTreeMap<String, Vec<LevelPlan>>,
}

impl Catalog {
    /// What is built into the program.
    pub fn bundled() -> Self {
        // A test reads the file, so it can be read.
        toml::from_str(include_str!("games.toml")).expect("games.toml is part of the program")
    }

    /// All games, as a page lists them.
    pub fn games(&self) -> Vec<GameInfo> {
        self.game.iter().map(|game| self.info(game)).collect()
    }

    /// The entry of a game; sizes of Go that are not listed are like 9x9.
    fn entry(&self, id: &str) -> Option<&GameEntry> {
        let find = |id: &str| self.game.iter().find(|game| game.id == id);
        find(id).or_else(|| if id.starts_with("go") { find("go9") } else { None })
    }

    fn info(&self, game: &GameEntry) -> GameInfo {
        let options = if game.family == "go" {
            GameOptions {
                rules: ["chinese", "japanese", "french", "aga", "tromp-taylor"].map(str::to_owned).to_vec(),
                komi: vec![7.5, 6.5, 7.5, 7.5, 7.5],
                handicap: (2..=9).rev().find(|&stones| has_handicap(&game.id, stones)).unwrap_or(0),
                shuffled: false,
            }
        } else {
            GameOptions { rules: game.rules.clone(), shuffled: game.shuffled, ..GameOptions::default() }
        };
        GameInfo {
            id: game.id.clone(),
            title: game.title.clone(),
            about: game.about.clone(),
            family: game.family.clone(),
            variant: game.variant.clone(),
            sides: self.sides[&game.sides].clone(),
            options,
            passes: game.passes,
            draws: game.draws,
            dice: game.dice,
            counting: game.counting,
            solved: game.solved,
            levels: self.ladder[&game.ladder].iter().map(|plan| self.level(plan)).collect(),
        }
    }

    fn level(&self, plan: &LevelPlan) -> Level {
        Level {
            id: plan.id.clone(),
            name: self.name[&plan.id].clone(),
            about: plan.about.clone(),
            rating: plan.rating,
            error: plan.error,
            player: plan.player.to_string(),
        }
    }

    /// The plans of a game's levels, the weakest first.
    pub fn ladder(&self, game: &str) -> &[LevelPlan] {
        self.entry(game).and_then(|game| self.ladder.get(&game.ladder)).map_or(&[], Vec::as_slice)
    }

    /// A level of a game: how it plays, and what a page shows of it.
    pub fn find_level(&self, game: &str, level: &str) -> Result<(LevelPlan, Level), Trouble> {
        let plan = self.ladder(game).iter().find(|plan| plan.id == level);
        let plan = plan.ok_or_else(|| Trouble::new(Code::Unknown, "there is no such level in this game"))?;
        Ok((plan.clone(), self.level(plan)))
    }

    /// Who judges positions of a game: for hints, analysis and reviews.
    pub fn analyst(&self, game: &str) -> &str {
        self.entry(game).map_or("mcts", |game| &game.analyst)
    }

    /// Who finds the exact value of positions of a game, given time.
    pub fn solver(&self, game: &str) -> Option<&str> {
        self.entry(game).and_then(|game| game.solver.as_deref())
    }

    /// Whether players of a game may agree on a draw.
    pub fn draws(&self, game: &str) -> bool {
        self.entry(game).is_some_and(|game| game.draws)
    }

    /// Whether the start position of a game is drawn by lot.
    pub fn shuffled(&self, game: &str) -> bool {
        self.entry(game).is_some_and(|game| game.shuffled)
    }

    /// Checks that every player named here can be had.
    pub fn check(&self) -> Result<(), String> {
        for game in &self.game {
            let table = open(&game.id, &Setup::standard()).map_err(|error| format!("{}: {error}", game.id))?;
            let plans = self.ladder.get(&game.ladder).ok_or_else(|| format!("{}: no ladder", game.id))?;
            for plan in plans {
                let hasty = plan.hasty.as_ref().map(|hasty| &hasty.player);
                let playing = [Some(&plan.player), hasty, plan.otherwise.as_ref()].into_iter().flatten();
                let judging = [Some(&game.analyst), game.solver.as_ref()].into_iter().flatten().cloned();
                for player in playing.map(PlayerSpec::to_string).chain(judging) {
                    table.check_player(&player).map_err(|error| format!("{} {}: {error}", game.id, plan.id))?;
                }
                self.name.get(&plan.id).ok_or_else(|| format!("{}: no name for {}", game.id, plan.id))?;
            }
            self.sides.get(&game.sides).ok_or_else(|| format!("{}: no sides", game.id))?;
        }
        Ok(())
    }
}

fn has_handicap(game: &str, stones: u8) -> bool {
    open(game, &Setup { handicap: Some(Handicap::Fixed(stones)), ..Setup::standard() }).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_table::registry::GAMES;

    #[test]
    fn the_file_is_sound_and_has_all_games() {
        let catalog = Catalog::bundled();
        catalog.check().expect("every player can be had");
        let mut listed: Vec<String> = catalog.games().into_iter().map(|game| game.id).collect();
        let mut known: Vec<&str> = GAMES.iter().map(|game| game.id).collect();
        listed.sort();
        known.sort();
        assert_eq!(listed, known);
        for game in catalog.games() {
            let table = open(&game.id, &Setup::standard()).expect("listed").view();
            assert_eq!(game.sides.map(|side| side.en), table.sides, "{}", game.id);
            assert!(game.levels.len() >= 3, "{}", game.id);
        }
        assert_eq!(catalog.ladder("go7").len(), 8);
        assert!(catalog.find_level("chess", "gtp:rm").is_err());
    }
}
