//! Both tuners find the optimum of games whose strength is known, resume exactly, and refuse what is wrong.

use tengen_arena::stats::{Wdl, score_of_elo};
use tengen_arena::tune::*;
use tengen_core::Rng;

/// Players whose strength is a bowl: `peak` Elo at the optimum, falling off with the square of the distance.
struct Bowl {
    parameters: Vec<Parameter>,
    optimum: Vec<f64>,
    /// Elo lost at a distance of half the range, for each parameter.
    depth: Vec<f64>,
    /// How two parameters that go wrong together make it worse.
    twist: f64,
    draws: f64,
}

impl Bowl {
    fn elo(&self, values: &[f64]) -> f64 {
        let away: Vec<f64> = (0..values.len())
            .map(|i| 2.0 * (values[i] - self.optimum[i]) / (self.parameters[i].max - self.parameters[i].min))
            .collect();
        let along: f64 = away.iter().zip(&self.depth).map(|(x, depth)| depth * x * x).sum();
        let across: f64 = away.windows(2).map(|pair| self.twist * pair[0] * pair[1]).sum();
        -along - across
    }

    fn game(&self, ahead: f64, rng: &mut Rng) -> Wdl {
        let score = score_of_elo(ahead);
        let draw = self.draws * 2.0 * score.min(1.0 - score);
        match rng.f64() {
            u if u < draw => Wdl::new(0, 1, 0),
            u if u < draw / 2.0 + score => Wdl::new(1, 0, 0),
            _ => Wdl::new(0, 0, 1),
        }
    }

    fn play(&self, trial: &Trial, rng: &mut Rng) -> Wdl {
        // The opponent that does not change is as strong as the start values.
        let start: Vec<f64> = self.parameters.iter().map(|parameter| parameter.start).collect();
        let other = self.elo(trial.against.as_ref().unwrap_or(&start));
        let mut result = Wdl::default();
        (0..2 * trial.pairs).for_each(|_| result += self.game(self.elo(&trial.values) - other, rng));
        result
    }

    /// Plays everything, eight trials out at a time, told in an order of chance.
    fn tune(&self, tuner: &mut dyn Tuner, seed: u64) {
        let mut rng = Rng::with_seed(seed);
        let mut out = Vec::new();
        loop {
            while out.len() < 8
                && let Some(trial) = tuner.ask()
            {
                out.push(trial);
            }
            if out.is_empty() {
                break;
            }
            let trial = out.swap_remove(rng.usize(..out.len()));
            let result = self.play(&trial, &mut rng);
            tuner.tell(trial.id, result).expect("the trial is out");
        }
    }
}

/// Four parameters, one of them whole; the start is 136 Elo below the optimum.
fn bowl() -> Bowl {
    Bowl {
        parameters: vec![
            Parameter::new("cpuct", 1.0, 0.2, 4.2),
            Parameter::new("margin", 60.0, 0.0, 200.0).integer(),
            Parameter::new("reduction", 0.9, 0.0, 1.0),
            Parameter::new("depth", 3.0, 1.0, 21.0).integer(),
        ],
        optimum: vec![2.4, 110.0, 0.55, 9.0],
        depth: vec![90.0, 60.0, 120.0, 80.0],
        twist: 30.0,
        draws: 0.3,
    }
}

#[test]
fn spsa_finds_the_optimum() {
    let bowl = bowl();
    let start: Vec<f64> = bowl.parameters.iter().map(|parameter| parameter.start).collect();
    assert!(bowl.elo(&start) < -130.0, "{}", bowl.elo(&start));
    for seed in 1..=5 {
        let options = SpsaOptions { iterations: 30_000, rate: 0.004, seed, ..SpsaOptions::default() };
        let mut tuner = Spsa::new(bowl.parameters.clone(), options).expect("parameters");
        bowl.tune(&mut tuner, 100 + seed);
        let best = tuner.best();
        let values: Vec<f64> = best.iter().map(|best| best.value).collect();
        let lost = -bowl.elo(&values);
        println!("spsa seed {seed}: {values:.2?}, {lost:.1} Elo below the optimum");
        assert!(lost < 6.0, "seed {seed}: {values:?} is {lost} Elo below the optimum");
        assert_eq!(tuner.progress(), (30_000, 30_000));
        assert!(tuner.path().points().len() > 150 && tuner.path().points().len() <= 400);
    }
}

#[test]
fn clop_finds_the_optimum() {
    let bowl = bowl();
    let mut inside = 0;
    for seed in 1..=5 {
        let options = ClopOptions { trials: 4000, seed, ..ClopOptions::default() };
        let mut tuner = Clop::new(bowl.parameters.clone(), options).expect("parameters");
        bowl.tune(&mut tuner, 200 + seed);
        let best = tuner.best();
        let values: Vec<f64> = best.iter().map(|best| best.value).collect();
        let lost = -bowl.elo(&values);
        println!("clop seed {seed}: {values:.2?}, {lost:.1} Elo below the optimum; {best:.2?}");
        assert!(lost < 6.0, "seed {seed}: {values:?} is {lost} Elo below the optimum");
        inside +=
            best.iter().zip(&bowl.optimum).filter(|(best, truth)| best.low <= **truth && **truth <= best.high).count();
    }
    // Of twenty intervals nineteen should hold the truth.
    assert!(inside >= 16, "{inside} of 20 intervals hold the optimum");
}

#[test]
fn a_parameter_that_does_not_matter_stays_within_its_band() {
    let bowl = Bowl {
        depth: vec![0.0],
        twist: 0.0,
        optimum: vec![0.0],
        draws: 0.4,
        parameters: vec![Parameter::new("x", 0.0, -1.0, 1.0)],
    };
    let mut inside = 0;
    for seed in 0..40 {
        let options = SpsaOptions { iterations: 500, seed, rate: 0.02, ..SpsaOptions::default() };
        let mut tuner = Spsa::new(bowl.parameters.clone(), options).expect("parameters");
        bowl.tune(&mut tuner, 300 + seed);
        let best = tuner.best()[0];
        inside += u32::from(best.low <= 0.0 && 0.0 <= best.high);
    }
    assert!((34..=40).contains(&inside), "{inside} of 40 near the start");
}

#[test]
fn gains_are_fishtests() {
    // One parameter, a real one, with fishtest's words: c_end = 2, r_end = 0.002, 1000 iterations.
    let parameter = Parameter::new("x", 50.0, 0.0, 100.0).step(2.0);
    let options = SpsaOptions { iterations: 1000, ..SpsaOptions::default() };
    let mut tuner = Spsa::new(vec![parameter], options).expect("a parameter");
    let (c_end, r_end, n) = (2.0f64, 0.002f64, 1000f64);
    let (big_a, c) = (0.1 * n, c_end * n.powf(0.101));
    let a = r_end * c_end.powi(2) * (big_a + n).powf(0.602);
    let mut theta = 50.0;
    for k in 1..=1000 {
        let k = f64::from(k);
        let c_k = c / k.powf(0.101);
        let r_k = a / (big_a + k).powf(0.602) / c_k.powi(2);
        let trial = tuner.ask().expect("more");
        let [plus, minus] = [trial.values[0], trial.against.as_ref().expect("two sides")[0]];
        assert!(((plus - minus).abs() - 2.0 * c_k).abs() < 1e-9);
        assert!(((plus + minus) / 2.0 - theta).abs() < 1e-9);
        tuner.tell(trial.id, Wdl::new(2, 0, 0)).expect("out");
        theta += r_k * c_k * 2.0 * (plus - minus).signum();
        assert!((tuner.best()[0].value - theta).abs() < 1e-9);
    }
    assert_eq!(tuner.ask(), None);
}

#[test]
fn whole_numbers_are_rounded_by_chance_and_stay_inside() {
    let parameters = vec![
        Parameter::new("n", 10.0, 0.0, 20.0).integer().step(0.25),
        Parameter::new("edge", 1.0, 0.5, 3.5).integer(),
    ];
    let options = SpsaOptions { iterations: 4000, ..SpsaOptions::default() };
    let mut tuner = Spsa::new(parameters, options).expect("parameters");
    let (mut sum, mut count) = (0.0, 0.0);
    while let Some(trial) = tuner.ask() {
        for values in [&trial.values, trial.against.as_ref().expect("two sides")] {
            assert!(values.iter().all(|value| value.fract() == 0.0));
            assert!((1.0..=3.0).contains(&values[1]));
        }
        sum += (trial.values[0] - 10.0).abs();
        count += 1.0;
        tuner.tell(trial.id, Wdl::new(1, 0, 1)).expect("out");
    }
    // A step of about 0.3 goes to the next whole number about three times in ten.
    assert!((0.2..0.4).contains(&(sum / count)), "{}", sum / count);
}

/// Interrupted anywhere, with trials out, and read back from text: everything goes on as if nothing had happened.
#[test]
fn resumes_exactly() {
    let bowl = bowl();
    let spsa = Spsa::new(bowl.parameters.clone(), SpsaOptions { iterations: 300, pairs: 2, ..Default::default() })
        .expect("parameters");
    let clop = Clop::new(bowl.parameters.clone(), ClopOptions { trials: 150, pairs: 2, ..Default::default() })
        .expect("parameters");
    for start in [AnyTuner::Spsa(spsa), AnyTuner::Clop(clop)] {
        let run = |stop: Option<usize>| {
            let mut tuner = start.clone();
            let mut rng = Rng::with_seed(5);
            let mut out: Vec<Trial> = Vec::new();
            for told in 0.. {
                while out.len() < 3
                    && let Some(trial) = tuner.ask()
                {
                    out.push(trial);
                }
                if Some(told) == stop {
                    let text = tuner.to_json().expect("plain data");
                    tuner = AnyTuner::from_json(&text).expect("what was written");
                    out = tuner.outstanding();
                }
                if out.is_empty() {
                    break;
                }
                let trial = out.remove(0);
                tuner.tell(trial.id, bowl.play(&trial, &mut rng)).expect("out");
            }
            tuner
        };
        let whole = run(None);
        assert_eq!(whole.progress(), (150, 150));
        assert!(run(Some(70)) == whole);
        assert!(run(Some(0)) == whole);
    }
}

#[test]
fn wrong_words_are_refused() {
    let good = || Parameter::new("x", 1.0, 0.0, 2.0);
    for parameters in [
        vec![],
        vec![Parameter { start: 3.0, ..good() }],
        vec![Parameter { min: 2.0, ..good() }],
        vec![Parameter { max: f64::INFINITY, ..good() }],
        vec![Parameter { start: f64::NAN, ..good() }],
        vec![good(), good()],
        vec![good().step(0.0)],
        vec![Parameter::new("x", 0.5, 0.2, 0.9).integer()],
    ] {
        assert!(Spsa::new(parameters.clone(), SpsaOptions::default()).is_err(), "{parameters:?}");
        assert!(Clop::new(parameters.clone(), ClopOptions::default()).is_err(), "{parameters:?}");
    }
    assert!(Spsa::new(vec![good()], SpsaOptions { iterations: 0, ..Default::default() }).is_err());
    // The games of a trial are made ready together.
    assert!(Spsa::new(vec![good()], SpsaOptions { pairs: u32::MAX, ..Default::default() }).is_err());
    assert!(Spsa::new(vec![good()], SpsaOptions { iterations: u64::MAX, ..Default::default() }).is_err());
    assert!(Spsa::new(vec![good()], SpsaOptions { rate: f64::NAN, ..Default::default() }).is_err());
    assert!(Clop::new(vec![good()], ClopOptions { trials: 0, ..Default::default() }).is_err());
    let mut tuner = Spsa::new(vec![good()], SpsaOptions::default()).expect("a parameter");
    assert!(tuner.tell(0, Wdl::new(1, 0, 0)).is_err(), "nothing was asked");
    let trial = tuner.ask().expect("a trial");
    tuner.tell(trial.id, Wdl::new(1, 0, 0)).expect("out");
    assert!(tuner.tell(trial.id, Wdl::new(1, 0, 0)).is_err(), "told twice");
}

#[test]
fn damaged_checkpoints_are_refused() {
    let parameters = || vec![Parameter::new("x", 1.0, 0.0, 2.0), Parameter::new("y", 1.0, 0.0, 2.0)];
    let mut spsa = AnyTuner::Spsa(Spsa::new(parameters(), SpsaOptions::default()).expect("parameters"));
    let mut clop = AnyTuner::Clop(Clop::new(parameters(), ClopOptions::default()).expect("parameters"));
    for tuner in [&mut spsa, &mut clop] {
        for _ in 0..40 {
            let trial = tuner.ask().expect("a trial");
            tuner.tell(trial.id, Wdl::new(1, 0, 1)).expect("out");
        }
        tuner.ask();
    }
    let damage = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from} is not in {text}");
        text.replacen(from, to, 1)
    };
    let [spsa, clop] = [spsa, clop].map(|tuner| tuner.to_json().expect("plain data"));
    for text in [
        "".to_owned(),
        spsa[..spsa.len() / 2].to_owned(),
        damage(&spsa, "spsa", "climb"),
        damage(&spsa, "\"theta\":[", "\"theta\":[0.5,"),
        damage(&spsa, "\"flips\":[", "\"flips\":[1,"),
        damage(&spsa, "\"max\":2.0", "\"max\":-2.0"),
        damage(&spsa, "\"dice\":\"", "\"dice\":\"zz"),
        damage(&clop, "\"weights\":[", "\"weights\":[1.0,"),
        damage(&clop, "\"at\":[", "\"at\":[0.0,"),
        damage(&clop, "\"model\":[", "\"model\":[0.0,"),
    ] {
        assert!(AnyTuner::from_json(&text).is_err(), "{text}");
    }
    assert!(AnyTuner::from_json(&spsa).is_ok() && AnyTuner::from_json(&clop).is_ok());
}
