//! Playing what a tuner asks for.
//!
//! Trials are played in parallel by the same workers as matches, each in pairs of games with sides exchanged. The tuner with everything it
//! knows is written down every few seconds, so that a tuning that was killed goes on, at the cost of the trials that were out.

use crate::game::{Chair, Job, Terms};
use crate::openings::{self, Openings};
use crate::pool::Pool;
use crate::run::{Ear, check, concurrency, params_of, roomy, seeded, threads};
use crate::settings::{Adjudication, Bounds, Conduct, Entrant, OnCrash, OpeningSettings, Settings};
use crate::stats::Wdl;
use crate::tune::{AnyTuner, Clop, ClopOptions, Parameter, Spsa, SpsaOptions, Trial, Tuner, rounded};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tengen_core::{Outcome, Side, mix};
use tengen_record::{Setup, read_file};
use tengen_search::params::unknown;
use tengen_table::PlayerSpec;

/// Which way to look for better values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// Simultaneous perturbation, the player against itself: many parameters, small steps.
    #[default]
    Spsa,
    /// Local quadratic regression against an opponent that does not change: few parameters, wide search.
    Clop,
}

/// What is to be tuned, as a file says it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TuneSettings {
    /// Its name.
    pub name: String,
    /// The game's id.
    pub game: String,
    /// What is chosen before the first move.
    pub setup: Setup,
    /// The player whose parameters are tuned.
    pub player: String,
    /// Who it plays against with CLOP; itself with its usual values, if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponent: Option<String>,
    /// Which way.
    pub algorithm: Algorithm,
    /// SPSA: how long, how fast.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spsa: Option<SpsaOptions>,
    /// CLOP: how long, how local.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clop: Option<ClopOptions>,
    /// Games of the tuned player against the usual one at the end.
    pub verify: u64,
    /// Openings, dice and the players' own seeds follow from this number.
    pub seed: u64,
    /// Where games begin.
    pub openings: OpeningSettings,
    /// What bounds both players.
    pub limits: Bounds,
    /// When games are broken off.
    pub adjudication: Adjudication,
    /// The parameters, by the names that the player declares.
    #[serde(rename = "parameter")]
    pub parameters: Vec<ParameterSettings>,
}

/// One parameter, as a file says it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParameterSettings {
    /// Its name.
    pub name: String,
    /// Where to begin; the player's usual value, if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// The smallest value to try.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// SPSA: how far from the middle it is tried at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
}

/// A tuning as it stands, ready to be written down.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Checkpoint {
    /// What is tuned.
    pub settings: TuneSettings,
    /// What is known.
    pub tuner: AnyTuner,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The tuner with everything it knows.
    pub tuner: AnyTuner,
    /// The player with its new values.
    pub player: String,
    /// The player with its usual ones.
    pub usual: String,
}

/// How often the tuning is written down.
const SAVE: Duration = Duration::from_secs(5);

impl TuneSettings {
    /// The match in which the tuned player proves itself: against the usual one, from other openings.
    pub fn verification(&self, player: &str) -> Settings {
        Settings {
            name: format!("{}: tuned against usual", self.name),
            games: self.verify,
            seed: mix(self.seed ^ 0x7665_7269) >> 32,
            players: vec![
                Entrant { name: "tuned".to_owned(), player: player.to_owned(), limits: None },
                Entrant { name: "usual".to_owned(), player: self.player.clone(), limits: None },
            ],
            ..self.as_match()
        }
    }

    fn as_match(&self) -> Settings {
        Settings {
            name: self.name.clone(),
            game: self.game.clone(),
            setup: self.setup.clone(),
            games: 2,
            seed: self.seed,
            openings: self.openings.clone(),
            limits: self.limits.clone(),
            adjudication: self.adjudication.clone(),
            players: vec![Entrant::new(&self.player), Entrant::new(self.opponent.as_ref().unwrap_or(&self.player))],
            ..Settings::default()
        }
    }

    /// The parameters with everything that the player's own table says, checked against it.
    fn parameters(&self) -> Result<Vec<Parameter>, String> {
        let spec = PlayerSpec::read(&self.player).map_err(|error| error.to_string())?;
        let table = params_of(&spec.name);
        if self.parameters.is_empty() {
            return Err("there is no [[parameter]] to tune".to_owned());
        }
        let parameter = |wanted: &ParameterSettings| {
            let names = table.iter().map(|param| param.name);
            let known = table.iter().find(|param| param.name == wanted.name);
            let known = known.ok_or_else(|| format!("{}: {}", spec.name, unknown("parameter", &wanted.name, names)))?;
            // A value in the player's text goes before the usual one.
            let given = spec.settings.iter().find(|(key, _)| *key == wanted.name).map(|(_, value)| value);
            let usual: f64 = given.unwrap_or(&known.default).parse().map_err(|_| {
                format!("{}: parameter `{}` is {}, which is no number to tune", spec.name, wanted.name, known.range)
            })?;
            // Whole numbers are declared by whole ranges: `0 to 64` against `0.1 to 5`; a default with a point is real as well.
            let integer = !known.default.contains('.') && is_whole_type(&spec.name, known.name, &known.range);
            Ok(Parameter {
                name: wanted.name.clone(),
                start: wanted.start.unwrap_or(usual),
                min: wanted.min,
                max: wanted.max,
                integer,
                step: wanted.step,
            })
        };
        self.parameters.iter().map(parameter).collect()
    }

    /// A player's text with these values.
    fn text(&self, parameters: &[Parameter], values: &[f64]) -> String {
        let Ok(mut spec) = PlayerSpec::read(&self.player) else { return self.player.clone() };
        for (parameter, value) in parameters.iter().zip(values) {
            let text = if parameter.integer {
                format!("{value:.0}")
            } else {
                format!("{:.6}", value).trim_end_matches('0').trim_end_matches('.').to_owned()
            };
            spec.settings.retain(|(key, _)| *key != parameter.name);
            spec.settings.push((parameter.name.clone(), text));
        }
        spec.to_string()
    }

    /// Checks everything and makes the tuner.
    pub fn prepare(&mut self) -> Result<AnyTuner, String> {
        if self.verify == 1 {
            return Err("one game verifies nothing".to_owned());
        }
        let parameters = self.parameters()?;
        // Both ends of every range must be playable.
        for end in [|p: &Parameter| p.min, |p: &Parameter| p.max] {
            let values: Vec<f64> = parameters.iter().map(end).collect();
            let mut settings = self.as_match();
            settings.players[0] = Entrant::new(self.text(&parameters, &values));
            check(&mut settings)?;
            self.openings.digest = settings.openings.digest;
        }
        let tuner = match self.algorithm {
            Algorithm::Spsa => {
                let options = self.spsa.unwrap_or_default();
                Spsa::new(parameters, options).map(AnyTuner::Spsa)
            }
            Algorithm::Clop => {
                let options = self.clop.unwrap_or_default();
                Clop::new(parameters, options).map(AnyTuner::Clop)
            }
        };
        tuner.map_err(|error| error.to_string())
    }
}

/// Whether a parameter takes whole numbers only: it refuses a half.
fn is_whole_type(player: &str, name: &str, range: &str) -> bool {
    let Some((low, high)) = range.split_once(" to ") else { return false };
    let (Ok(low), Ok(high)) = (low.parse::<f64>(), high.parse::<f64>()) else { return false };
    if high - low < 1.0 {
        return false;
    }
    // The smallest value and a half lies in the range, so only its type can speak against it.
    let text = format!("{player}:{name}={}", low + 0.5);
    struct Try<'a>(&'a str);
    impl tengen_table::registry::Visitor for Try<'_> {
        type Out = bool;
        fn visit<P: tengen_table::Game>(self, _start: P) -> bool {
            tengen_table::players::build::<P>(self.0).is_err()
        }
    }
    tengen_table::registry::with_game("tictactoe", &Setup::standard(), Try(&text)).unwrap_or(false)
}

/// A trial that is being played.
struct Out {
    trial: Trial,
    result: Wdl,
    left: u32,
}

/// Plays until the tuner has no more to ask. `save` is called now and then with what is known.
pub fn tune(
    settings: &TuneSettings,
    mut tuner: AnyTuner,
    conduct: &Conduct,
    ear: &mut dyn Ear,
    news: &mut dyn FnMut(&AnyTuner),
    save: &mut dyn FnMut(&Checkpoint) -> Result<(), String>,
) -> Result<Tuned, String> {
    let as_match = settings.as_match();
    let (workers, note) = concurrency(&as_match, conduct);
    note.iter().for_each(|note| ear.note(note));
    let parameters = tuner.parameters().to_vec();
    let wanted = tuner.progress().1.min(2000);
    let openings = openings::prepare(&as_match, wanted, &mut |found, wanted| ear.openings(found, wanted))?;
    let terms = Terms {
        game: settings.game.clone(),
        setup: settings.setup.clone(),
        event: settings.name.clone(),
        adjudication: settings.adjudication.clone(),
        endgames: None,
        margin: conduct.margin,
    };
    let pool = Pool::open(terms, workers, conduct.affinity.then(|| threads(&as_match)));
    let bench = Bench { settings, parameters: &parameters, openings: &openings };
    let mut out: HashMap<u64, Out> = HashMap::new();
    let send = |trial: Trial, out: &mut HashMap<u64, Out>| {
        bench.jobs(&trial).for_each(|job| pool.send(job));
        out.insert(trial.id, Out { left: 2 * trial.pairs, trial, result: Wdl::default() });
    };
    // What was out when the tuning was written down is played again.
    for trial in tuner.outstanding() {
        send(trial, &mut out);
    }
    let mut saved = Instant::now();
    loop {
        while out.len() < 4 * workers
            && let Some(trial) = tuner.ask()
        {
            send(trial, &mut out);
        }
        if out.is_empty() {
            break;
        }
        let finished = pool.receive().ok_or("all workers are gone: the set-up cannot be played")?;
        if let Some(trouble) = &finished.trouble {
            let story = format!(
                "{} of {}: {}",
                trouble.kind.name(),
                finished.record.players[trouble.side.index()],
                trouble.story
            );
            if trouble.kind.is_final() || !trouble.kind.is_loss() && conduct.on_crash == OnCrash::Stop {
                return Err(format!("stopped by {story}"));
            }
            ear.note(&story);
        }
        // A game's number is its trial's and its place in it.
        let (id, place) = (finished.number >> 16, finished.number & 0xffff);
        let Some(entry) = out.get_mut(&id) else { continue };
        let side = if place % 2 == 0 { Side::First } else { Side::Second };
        match finished.outcome {
            Outcome::Draw => entry.result.draws += 1,
            Outcome::Win(winner) if winner == side => entry.result.wins += 1,
            Outcome::Win(_) => entry.result.losses += 1,
        }
        entry.left -= 1;
        if entry.left == 0
            && let Some(done) = out.remove(&id)
        {
            tuner.tell(done.trial.id, done.result).map_err(|error| error.to_string())?;
            news(&tuner);
        }
        if saved.elapsed() > SAVE {
            saved = Instant::now();
            save(&Checkpoint { settings: settings.clone(), tuner: tuner.clone() })?;
        }
    }
    save(&Checkpoint { settings: settings.clone(), tuner: tuner.clone() })?;
    let best = rounded(&parameters, &tuner.best());
    Ok(Tuned { player: settings.text(&parameters, &best), usual: settings.player.clone(), tuner })
}

/// Makes games of trials.
struct Bench<'a> {
    settings: &'a TuneSettings,
    parameters: &'a [Parameter],
    openings: &'a Openings,
}

impl Bench<'_> {
    fn jobs<'a>(&'a self, trial: &'a Trial) -> impl Iterator<Item = Job> + 'a {
        let settings = self.settings;
        let one = settings.text(self.parameters, &trial.values);
        let other = match &trial.against {
            Some(values) => settings.text(self.parameters, values),
            None => settings.opponent.clone().unwrap_or_else(|| settings.player.clone()),
        };
        (0..2 * trial.pairs).map(move |place| {
            let pair = trial.id * u64::from(trial.pairs) + u64::from(place / 2);
            let number = trial.id << 16 | u64::from(place);
            let chair = |text: &str, who: u64| {
                let seed = mix(settings.seed ^ mix(number << 1 | who));
                let player = seeded(&roomy(text, &settings.limits), seed);
                Chair { name: text.to_owned(), player, bounds: settings.limits.clone() }
            };
            let mut chairs = [chair(&one, 0), chair(&other, 1)];
            if place % 2 == 1 {
                chairs.reverse();
            }
            Job {
                number,
                chairs,
                opening: Arc::new(self.openings.of(pair).clone()),
                dice: mix(settings.seed ^ mix(pair ^ 0x6469_6365)),
            }
        })
    }
}

/// Writes a checkpoint so that the file is never half written.
pub fn write_checkpoint(path: &Path, checkpoint: &Checkpoint) -> Result<(), String> {
    let wrong = |error: std::io::Error| format!("{}: {error}", path.display());
    let text = serde_json::to_string(checkpoint).map_err(|error| error.to_string())?;
    let fresh = path.with_extension("new");
    std::fs::write(&fresh, text).map_err(wrong)?;
    std::fs::rename(&fresh, path).map_err(wrong)
}

/// Reads a checkpoint; `None` if there is none.
pub fn read_checkpoint(path: &Path) -> Result<Option<Checkpoint>, String> {
    if !path.exists() {
        return Ok(None);
    }
    let bytes = read_file(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_slice(&bytes).map(Some).map_err(|error| format!("{}: {error}", path.display()))
}
