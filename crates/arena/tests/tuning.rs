//! Tuning with real games: a parameter that is far off finds its way, checkpoints go on, and nonsense is refused.

use tengen_arena::tune::{ClopOptions, SpsaOptions, Tuner};
use tengen_arena::tuning::{
    Algorithm, Checkpoint, ParameterSettings, TuneSettings, read_checkpoint, tune, write_checkpoint,
};
use tengen_arena::{Conduct, Deaf};

fn settings(algorithm: Algorithm) -> TuneSettings {
    let parameter =
        ParameterSettings { name: "depth".to_owned(), start: Some(1.0), min: 1.0, max: 4.0, step: Some(1.0) };
    TuneSettings {
        name: "depth".to_owned(),
        game: "connect4".to_owned(),
        player: "minimax:depth=2".to_owned(),
        algorithm,
        spsa: Some(SpsaOptions { iterations: 40, rate: 0.5, ..SpsaOptions::default() }),
        clop: Some(ClopOptions { trials: 40, ..ClopOptions::default() }),
        seed: 3,
        parameters: vec![parameter],
        ..TuneSettings::default()
    }
}

#[test]
fn deeper_is_better_and_found_to_be() {
    for algorithm in [Algorithm::Spsa, Algorithm::Clop] {
        let mut settings = settings(algorithm);
        let tuner = settings.prepare().expect("fine");
        let mut saved: Option<Checkpoint> = None;
        let mut heard = 0;
        let tuned = tune(&settings, tuner, &Conduct::default(), &mut Deaf, &mut |_| heard += 1, &mut |checkpoint| {
            saved = Some(checkpoint.clone());
            Ok(())
        })
        .expect("it runs");
        assert_eq!(heard, 40);
        let depth = tuned.tuner.best()[0].value;
        assert!(depth > 1.7, "{algorithm:?}: depth {depth}");
        assert!(tuned.player.starts_with("minimax:depth="), "{}", tuned.player);
        // Written down and read back it is the same.
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("depth.tuning.json");
        assert_eq!(read_checkpoint(&path), Ok(None));
        let saved = saved.expect("saved at the end");
        write_checkpoint(&path, &saved).expect("written");
        assert_eq!(read_checkpoint(&path), Ok(Some(saved)));
    }
}

#[test]
fn what_cannot_be_tuned_is_refused() {
    let with = |change: &dyn Fn(&mut TuneSettings)| {
        let mut settings = settings(Algorithm::Spsa);
        change(&mut settings);
        settings.prepare().map(|_| ()).expect_err("refused")
    };
    assert!(with(&|s| s.parameters[0].name = "dpeth".to_owned()).contains("`depth`"));
    assert!(with(&|s| s.parameters[0].max = 5000.0).contains("1 to 100"));
    assert!(with(&|s| s.parameters.clear()).contains("[[parameter]]"));
    assert!(with(&|s| s.player = "mcts:visits=9".to_owned()).contains("depth"));
    assert!(with(&|s| s.game = "conect4".to_owned()).contains("`connect4`"));
    let bandit = |s: &mut TuneSettings| {
        s.player = "mcts:visits=9".to_owned();
        s.parameters[0].name = "bandit".to_owned();
    };
    assert!(with(&bandit).contains("no number"));
}
