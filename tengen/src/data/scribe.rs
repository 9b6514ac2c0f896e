//! Writes a game down as samples: what a network is shown in each position, and what it should say.

use tengen_core::{Outcome, Side};
use tengen_record::Setup;
use tengen_record::samples::Sample;
use tengen_table::{Shown, Sight, Table, open};

/// What a network should say of a position, for the side to move.
#[derive(Default)]
pub struct Target {
    /// Moves and their shares, in any measure; those that the rules do not allow are left out. Empty: nothing is known.
    pub policy: Vec<(String, f32)>,
    /// Shares of won, drawn and lost.
    pub value: Option<[f32; 3]>,
    /// Points of lead.
    pub score: Option<f32>,
    /// Whose each point will be, own ones above zero.
    pub owners: Vec<f32>,
}

/// The shares of won, drawn and lost games that a value from −1 to 1 stands for if there are no draws.
pub fn without_draws(value: f32) -> [f32; 3] {
    let won = (1.0 + value.clamp(-1.0, 1.0)) / 2.0;
    [won, 0.0, 1.0 - won]
}

/// How a game ended, as a value for a side.
pub fn of_outcome(outcome: Outcome, side: Side) -> [f32; 3] {
    match outcome {
        Outcome::Draw => [0.0, 1.0, 0.0],
        Outcome::Win(winner) if winner == side => [1.0, 0.0, 0.0],
        Outcome::Win(_) => [0.0, 0.0, 1.0],
    }
}

/// One game on its way to become samples.
pub struct Scribe {
    pub table: Box<dyn Table>,
    encoder: &'static str,
    game: u64,
    samples: Vec<Sample>,
    /// The side that decided last, and the place of its sample, if it has one.
    last: Option<(Side, Option<usize>)>,
}

impl Scribe {
    /// Begins game number `game`.
    pub fn new(shown: &dyn Shown, setup: &Setup, game: u64) -> Result<Self, String> {
        let table = open(shown.game(), setup).map_err(|error| error.to_string())?;
        Ok(Scribe { table, encoder: shown.id(), game, samples: Vec::new(), last: None })
    }

    /// What the side that decides sees; nothing if nobody does.
    pub fn sight(&self) -> Option<Sight> {
        self.table.show(self.encoder)
    }

    /// Makes a sample of what is seen if there is something to say of it, and plays the move if there is one. It is the answer to the other
    /// side's last decision.
    pub fn step(&mut self, sight: Sight, target: Option<Target>, mv: Option<&str>) -> Result<(), String> {
        if let Some(mv) = mv {
            // The table checks everything, and where it refuses nothing has been written yet.
            self.table.play(mv).map_err(|error| error.to_string())?;
            if let Some((side, Some(before))) = self.last
                && side != sight.side
            {
                self.samples[before].reply = sight.place(mv);
            }
        }
        let side = sight.side;
        let sample = target.map(|target| {
            self.samples.push(sample(self.game, sight, target));
            self.samples.len() - 1
        });
        self.last = Some((side, sample));
        Ok(())
    }

    /// The samples of the game.
    pub fn finish(self) -> Vec<Sample> {
        self.samples
    }
}

/// The sample of a position.
pub fn sample(game: u64, sight: Sight, target: Target) -> Sample {
    let place = |(mv, share): &(String, f32)| Some((sight.place(mv)?, *share)).filter(|(_, share)| *share > 0.0);
    let mut policy: Vec<(u16, f32)> = target.policy.iter().filter_map(place).collect();
    policy.sort_unstable_by_key(|&(place, _)| place);
    let sum: f32 = policy.iter().map(|(_, share)| share).sum();
    policy.iter_mut().for_each(|(_, share)| *share /= sum);
    let Target { value, score, owners, .. } = target;
    let (planes, globals) = (sight.encoded.planes, sight.encoded.globals);
    Sample { game, planes, globals, policy, value, score, owners, reply: None, weight: 1.0 }
}
