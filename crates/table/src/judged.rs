//! Networks as judges of leaves: the players `puct` and `gumbel` with `net=FILE`.
//!
//! A file is read once for all players, threads and games that name it, and laid out once for each size of board.

use crate::game::Game;
use crate::{PlayerSpec, SpecError};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::SystemTime;
use tengen_core::{Line, Position, Pov, Value, mix};
use tengen_encode::{Encoded, Encoder, Shape, Turned};
use tengen_net::description::{Act, Layer};
use tengen_net::file;
use tengen_net::loss::softmax;
use tengen_net::model::Model;
use tengen_net::run::{Batch, Mode, Network, Tape};
use tengen_net::team::Team;
use tengen_search::judge::{Evaluation, Judge, JudgeError, Reply};
use tengen_search::params;
use tengen_search::params::Params;

params! {
    /// Who judges the leaves of `puct` and `gumbel`.
    pub struct NetParams {
        net: String = String::new(), "a file", "the network that judges; without one the game's static evaluation does";
        views: usize = 1, 0..=16, "how many ways a position is turned or mirrored for the network, to take the mean; 0 never turns it";
        cache: usize = 65_536, 0..=100_000_000, "positions whose judgement is remembered";
    }
}

impl NetParams {
    /// Takes these settings out of a player's, and leaves the others.
    pub fn take(spec: &PlayerSpec) -> Result<(NetParams, PlayerSpec), SpecError> {
        let own = NetParams::list();
        let (own, rest) =
            spec.settings.iter().cloned().partition(|(key, _)| own.iter().any(|param| param.name == *key));
        let own: Vec<(String, String)> = own;
        let params = NetParams::with(&own).map_err(|error| SpecError(format!("{}: {error}", spec.name)))?;
        if params.net.is_empty() && !own.is_empty() {
            return Err(SpecError(format!("{}: {} belongs to a network: name one by net=FILE", spec.name, own[0].0)));
        }
        Ok((params, PlayerSpec { name: spec.name.clone(), settings: rest }))
    }
}

/// The largest file that is read.
const LARGEST: u64 = 1 << 31;

/// A network's file in memory.
struct Loaded {
    model: Model,
    networks: Mutex<HashMap<(usize, usize), Arc<Network>>>,
}

/// A file as it was at a time.
type FileKey = (PathBuf, Option<SystemTime>, u64);

/// The files that somebody uses now.
static LOADED: Mutex<Option<HashMap<FileKey, Weak<Loaded>>>> = Mutex::new(None);

/// What these locks guard is never left half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Loaded {
    fn open(path: &Path) -> Result<Arc<Loaded>, String> {
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let about = std::fs::metadata(path).map_err(|error| failed(&error))?;
        if !about.is_file() || about.len() > LARGEST {
            return Err(failed(&"this is no file of a network's size"));
        }
        let key = (path.to_owned(), about.modified().ok(), about.len());
        let mut all = lock(&LOADED);
        let all = all.get_or_insert_default();
        all.retain(|_, loaded| loaded.strong_count() > 0);
        if let Some(loaded) = all.get(&key).and_then(Weak::upgrade) {
            return Ok(loaded);
        }
        let bytes = std::fs::read(path).map_err(|error| failed(&error))?;
        let file::Read { model, .. } = file::read(&bytes).map_err(|flaw| failed(&flaw))?;
        let loaded = Arc::new(Loaded { model, networks: Mutex::default() });
        all.insert(key, Arc::downgrade(&loaded));
        Ok(loaded)
    }

    fn network(&self, board: (usize, usize)) -> Result<Arc<Network>, String> {
        let mut networks = lock(&self.networks);
        if let Some(network) = networks.get(&board) {
            return Ok(network.clone());
        }
        let network = Arc::new(Network::playing(&self.model, board).map_err(|flaw| flaw.to_string())?);
        networks.insert(board, network.clone());
        Ok(network)
    }
}

/// What the numbers of a head called `value` are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Worth {
    /// Won, drawn, lost.
    Results,
    /// From −1 to 1.
    Value,
    /// From 0 to 1.
    Share,
}

impl Worth {
    fn of(layers: &[Layer], count: usize) -> Result<Worth, String> {
        match (count, layers.last().and_then(|layer| layer.act)) {
            (3, _) => Ok(Worth::Results),
            (1, Some(Act::Sigmoid)) => Ok(Worth::Share),
            (1, _) => Ok(Worth::Value),
            _ => Err(format!("its head `value` says {count} numbers; 1 or 3 can be understood")),
        }
    }

    fn read(self, said: &[f32]) -> Value {
        let value = match self {
            Worth::Value => said[0],
            Worth::Share => 2.0 * said[0] - 1.0,
            Worth::Results => {
                let mut shares = [0.0; 3];
                softmax(said, &mut shares);
                shares[0] - shares[2]
            }
        };
        value.clamp(-1.0, 1.0)
    }
}

/// A network that judges.
pub struct NetJudge<P: Position> {
    loaded: Arc<Loaded>,
    encoder: Arc<dyn Encoder<P>>,
    /// Which heads say what.
    policy: Option<usize>,
    value: (usize, Worth),
    views: usize,
    /// What threads think with, when no thread does.
    desks: Mutex<Vec<(Team, Tape)>>,
    /// The symmetries of boards that have been met.
    turned: Mutex<HashMap<Shape, Arc<Vec<Turned>>>>,
}

impl<P: Game> NetJudge<P> {
    /// Reads a network's file, or says why it is of no use in this game.
    pub fn open(path: &Path, views: usize) -> Result<Self, String> {
        let loaded = Loaded::open(path)?;
        let refused = |why: String| format!("{}: {why}", path.display());
        let description = loaded.model.description();
        let encoders = P::encoders();
        let known = || encoders.iter().map(|encoder| encoder.id().as_str()).collect::<Vec<_>>().join(", ");
        let encoder = encoders.iter().find(|encoder| encoder.id().as_str() == description.encoder);
        let Some(encoder) = encoder.cloned() else {
            let wants = &description.encoder;
            return Err(refused(format!(
                "it is shown positions by {wants:?}, which this game does not know; it knows {}",
                known()
            )));
        };
        // Step 1. What it is shown.
        let shape = encoder.shape(&P::initial());
        let input = description.input;
        if (input.planes, input.globals) != (shape.planes, shape.globals) {
            return Err(refused(format!(
                "it has {} planes and {} globals, but {} shows {} and {}",
                input.planes,
                input.globals,
                encoder.id(),
                shape.planes,
                shape.globals
            )));
        }
        let network = loaded.network((shape.height, shape.width)).map_err(refused)?;
        // Step 2. What it says.
        let head = |name: &str| network.graph().outputs.iter().position(|output| output.name == name);
        let policy = head("policy");
        if let Some(at) = policy
            && network.graph().outputs[at].count != shape.policy_size()
        {
            let (has, wants) = (network.graph().outputs[at].count, shape.policy_size());
            return Err(refused(format!("its policy has {has} places, but the game's has {wants}")));
        }
        let Some(value) = head("value") else { return Err(refused("it has no head `value`".to_owned())) };
        let layers = &description.heads[value].layers;
        let worth = Worth::of(layers, network.graph().outputs[value].count).map_err(refused)?;
        let (desks, turned) = (Mutex::default(), Mutex::default());
        Ok(NetJudge { encoder, policy, value: (value, worth), views, desks, turned, loaded })
    }

    /// The ways to turn boards of this shape, first the one that leaves all as it is.
    fn turned(&self, position: &P, shape: &Shape) -> Arc<Vec<Turned>> {
        let mut turned = lock(&self.turned);
        let make = || Arc::new((0..P::SYMMETRIES).map(|which| self.encoder.turned(position, which)).collect());
        turned.entry(*shape).or_insert_with(make).clone()
    }
}

/// A position, encoded once for every view.
pub struct Question {
    side: tengen_core::Side,
    board: (usize, usize),
    planes: Vec<f32>,
    globals: Vec<f32>,
    /// For each view the places of the moves.
    places: Vec<Vec<usize>>,
}

impl<P: Game> Judge<P> for NetJudge<P> {
    type Question = Question;

    fn ask(&self, line: &Line<P>, moves: &[P::Move]) -> Reply<Question> {
        let position = line.position();
        let shape = self.encoder.shape(position);
        let plain = Encoded::of(&*self.encoder, line);
        let places: Vec<usize> = moves.iter().map(|&mv| self.encoder.index(position, mv)).collect();
        let (side, board) = (position.to_move(), (shape.height, shape.width));
        if self.views == 0 {
            let Encoded { planes, globals } = plain;
            return Reply::Open(Question { side, board, planes, globals, places: vec![places] });
        }
        let turned = self.turned(position, &shape);
        // Where there are fewer ways than views each is taken once; otherwise the first is by chance, but always the same one.
        let (count, start) = (self.views.min(turned.len()), mix(position.key()) as usize);
        let mut question = Question { side, board, planes: vec![], globals: vec![], places: vec![] };
        for view in 0..count {
            let turned = &turned[(start + view) % turned.len()];
            let before = question.planes.len();
            question.planes.resize(before + plain.planes.len(), 0.0);
            turned.turn_planes(&plain.planes, &mut question.planes[before..]);
            question.globals.extend(&plain.globals);
            question.places.push(places.iter().map(|&place| turned.policy().target(place)).collect());
        }
        Reply::Open(question)
    }

    fn judge(&self, questions: Vec<Question>) -> Result<Vec<Evaluation>, JudgeError> {
        let mut answers = Vec::with_capacity(questions.len());
        let (mut team, mut tape) = lock(&self.desks).pop().unwrap_or_else(|| (Team::alone(), Tape::default()));
        // Questions about boards of one size go through together; in almost all games that is all of them.
        for together in questions.chunk_by(|a, b| a.board == b.board) {
            let network = self.loaded.network(together[0].board).map_err(JudgeError::Failed)?;
            self.judge_together(&network, together, (&mut team, &mut tape), &mut answers)?;
        }
        lock(&self.desks).push((team, tape));
        Ok(answers)
    }

    /// With the moves that led here, where the encoder shows them.
    fn key(&self, line: &Line<P>, moves: &[P::Move]) -> u64 {
        let start = moves.iter().fold(line.position().key(), |key, &mv| mix(key ^ u64::from(P::code(mv))));
        let last = line.moves().iter().rev().take(self.encoder.history());
        last.fold(start, |key, &mv| mix(key.rotate_left(1) ^ u64::from(P::code(mv))))
    }
}

impl<P: Game> NetJudge<P> {
    fn judge_together(
        &self,
        network: &Network,
        questions: &[Question],
        (team, tape): (&mut Team, &mut Tape),
        answers: &mut Vec<Evaluation>,
    ) -> Result<(), JudgeError> {
        let samples = questions.iter().map(|question| question.places.len()).sum();
        let planes = questions.iter().flat_map(|question| &question.planes).copied().collect::<Vec<_>>();
        let globals = questions.iter().flat_map(|question| &question.globals).copied().collect::<Vec<_>>();
        let batch = Batch { samples, planes: &planes, globals: &globals };
        network.forward(team, batch, Mode::Playing, tape).map_err(|flaw| JudgeError::Failed(flaw.0))?;
        let (mut values, mut policies) = (Vec::new(), Vec::new());
        let (head, worth) = self.value;
        network.said(tape, head, &mut values);
        let count = network.graph().outputs[head].count;
        let mut values = values.chunks_exact(count);
        let places = self.policy.map_or(0, |head| network.graph().outputs[head].count);
        if let Some(head) = self.policy {
            network.said(tape, head, &mut policies);
        }
        let mut policies = policies.chunks_exact(places.max(1));
        for question in questions {
            let (views, moves) = (question.places.len(), question.places[0].len());
            let value = values.by_ref().take(views).map(|said| worth.read(said)).sum::<Value>() / views as Value;
            let value = Pov::of(question.side, value);
            if self.policy.is_none() {
                answers.push(Evaluation::even(value, moves));
                continue;
            }
            let mut policy = vec![0.0; moves];
            let mut shares = vec![0.0; moves];
            for (places, said) in question.places.iter().zip(policies.by_ref()) {
                let numbers: Vec<f32> = places.iter().map(|&place| said[place]).collect();
                softmax(&numbers, &mut shares);
                policy.iter_mut().zip(&shares).for_each(|(mean, share)| *mean += share / views as f32);
            }
            answers.push(Evaluation { value, policy });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::build;
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;
    use tengen_core::{Notation, Symmetry};
    use tengen_games::go::Go9;
    use tengen_games::tictactoe::TicTacToe;
    use tengen_net::description::Description;
    use tengen_net::file::{Card, Digits};
    use tengen_search::{Limits, Watch};

    const NETWORK: &str = r#"
        encoder = "tictactoe-1"
        input = { planes = 2, board = [3, 3] }
        trunk = [{ conv = 16, act = "relu" }]
        [[heads]]
        name = "policy"
        layers = [{ conv = 1, kernel = 1 }]
        [[heads]]
        name = "value"
        layers = [{ mean = true }, { dense = 3 }]
    "#;

    /// A file with a network that has learnt nothing.
    fn file(dir: &Path, name: &str, text: &str) -> PathBuf {
        let model = Model::new(Description::read(text).unwrap(), 3).unwrap();
        let path = dir.join(name);
        std::fs::write(&path, tengen_net::file::write(&model, &Card::new(), Digits::All).unwrap()).unwrap();
        path
    }

    fn judge_of(path: &Path, views: usize, line: &Line<TicTacToe>) -> Evaluation {
        let judge = NetJudge::<TicTacToe>::open(path, views).unwrap();
        let mut moves = Vec::new();
        line.turn(&mut moves);
        match judge.ask(line, &moves) {
            Reply::Known(evaluation) => evaluation,
            Reply::Open(question) => judge.judge(vec![question]).unwrap().remove(0),
        }
    }

    #[test]
    fn a_position_turned_is_judged_alike_when_all_views_are_taken() {
        let dir = tempfile::tempdir().unwrap();
        let path = file(dir.path(), "net.safetensors", NETWORK);
        let line = Line::new(TicTacToe::read("X.O/.O./..X").unwrap());
        let mut moves = Vec::new();
        line.turn(&mut moves);
        let all = judge_of(&path, 16, &line);
        assert!((all.policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        let plain = judge_of(&path, 0, &line);
        assert!(
            plain.policy.iter().zip(&all.policy).any(|(a, b)| (a - b).abs() > 1e-4),
            "a network sees a turned board anew"
        );
        for which in 0..TicTacToe::SYMMETRIES {
            let turned = Line::new(line.position().transformed(which));
            let mut turned_moves = Vec::new();
            turned.turn(&mut turned_moves);
            let other = judge_of(&path, 16, &turned);
            let side = line.position().to_move();
            assert!((other.value.seen_by(side) - all.value.seen_by(side)).abs() < 1e-5);
            for (&mv, share) in moves.iter().zip(&all.policy) {
                let there = line.position().transformed_move(mv, which);
                let at = turned_moves.iter().position(|&mv| mv == there).unwrap();
                assert!((other.policy[at] - share).abs() < 1e-5, "{which} {mv:?}");
            }
        }
    }

    #[test]
    fn players_with_a_network_play() {
        let dir = tempfile::tempdir().unwrap();
        let path = file(dir.path(), "net.safetensors", NETWORK);
        for text in ["puct:visits=60,threads=2,net=", "gumbel:visits=16,views=8,cache=10,net="] {
            let mut player = build::<TicTacToe>(&format!("{text}{}", path.display())).unwrap();
            let line = Line::new(TicTacToe::read("XX./OO./...").unwrap());
            let (clock, stop) = (Instant::now(), AtomicBool::new(false));
            let mut watch = Watch { clock: &clock, stop: &stop, report: &mut |_| {} };
            let thought = player.think(&line, &Limits::default(), &mut watch).unwrap();
            // It sees the end of the game whatever the network says.
            assert_eq!(line.position().write_move(thought.best), "c3", "{text}");
        }
    }

    #[test]
    fn what_cannot_judge_is_refused_with_the_reason() {
        let dir = tempfile::tempdir().unwrap();
        let refused = |text: String| build::<TicTacToe>(&text).err().map(|error| error.to_string()).unwrap_or_default();
        let with = |name: &str, text: &str| refused(format!("puct:net={}", file(dir.path(), name, text).display()));
        assert!(
            with("a", &NETWORK.replace("tictactoe-1", "go-1"))
                .contains("\"go-1\", which this game does not know; it knows tictactoe-1")
        );
        assert!(with("b", &NETWORK.replace("planes = 2", "planes = 3")).contains("3 planes"));
        assert!(with("c", &NETWORK.replace("\"value\"", "\"worth\"")).contains("no head `value`"));
        assert!(with("d", &NETWORK.replace("{ dense = 3 }", "{ dense = 2 }")).contains("says 2 numbers"));
        assert!(
            with("e", &NETWORK.replace("conv = 1,", "conv = 2,"))
                .contains("its policy has 18 places, but the game's has 9")
        );
        assert!(refused("puct:net=/no/such/file".to_owned()).contains("/no/such/file"));
        assert!(refused("puct:net=/dev/zero".to_owned()).contains("no file of a network's size"));
        assert!(refused("puct:views=3".to_owned()).contains("views belongs to a network"));
        let go = build::<Go9>(&format!("puct:net={}", file(dir.path(), "f", NETWORK).display()));
        assert!(go.err().unwrap().to_string().contains("go-1"));
    }
}
