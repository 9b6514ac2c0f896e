//! Judges shared by threads and games: full batches, no lock held while judging, nothing lost when a judge fails; and the players that go by them.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};
use tengen_core::{Line, Notation, Outcome, Position, Pov, Side, Turn};
use tengen_games::backgammon::Backgammon;
use tengen_games::connect4::Connect4;
use tengen_games::pig::Pig;
use tengen_games::tictactoe::TicTacToe;
use tengen_search::judge::{Asked, Cached, Court, Evaluation, Inbox, Judge, JudgeError, Reply, Static};
use tengen_search::mcts::{
    Guide, Guided, GuidedPlayer, Gumbel, GumbelParams, Hand, Node, Puct, PuctParams, Tree, Trust,
};
use tengen_search::{Blank, Clock, Limits, Player, PlayerError, Random, Thought, Watch};

/// What is to be judged of a position of Connect Four: who is to move, and the columns that are open.
type Columns = (Side, Vec<u8>);

/// A judge that likes the centre and knows nothing else. It is handed its answers' maker, and notes how large its batches are.
struct Centre<A> {
    answer: A,
    batches: Mutex<Vec<usize>>,
    asked: AtomicUsize,
}

fn like_the_centre(questions: Vec<Columns>) -> Result<Vec<Evaluation>, JudgeError> {
    let judge = |(side, columns): Columns| {
        let weight = |column: u8| 1.0 / (1.0 + (f32::from(column) - 3.0).abs());
        let sum: f32 = columns.iter().map(|&mv| weight(mv)).sum();
        Evaluation { value: Pov::of(side, 0.0), policy: columns.iter().map(|&mv| weight(mv) / sum).collect() }
    };
    Ok(questions.into_iter().map(judge).collect())
}

impl<A> Centre<A> {
    fn new(answer: A) -> Self {
        Centre { answer, batches: Mutex::default(), asked: AtomicUsize::new(0) }
    }

    fn batches(&self) -> Vec<usize> {
        self.batches.lock().expect("no panic under this lock").clone()
    }
}

impl<A> Judge<Connect4> for Centre<A>
where
    A: Fn(Vec<Columns>) -> Result<Vec<Evaluation>, JudgeError> + Send + Sync,
{
    type Question = Columns;

    fn ask(&self, line: &Line<Connect4>, moves: &[u8]) -> Reply<Columns> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        Reply::Open((line.position().to_move(), moves.to_vec()))
    }

    fn judge(&self, questions: Vec<Columns>) -> Result<Vec<Evaluation>, JudgeError> {
        self.batches.lock().expect("no panic under this lock").push(questions.len());
        (self.answer)(questions)
    }
}

fn think<P: Position>(player: &mut impl Player<P>, line: &Line<P>) -> Result<Thought<P::Move>, PlayerError> {
    let (clock, stop) = (Instant::now(), AtomicBool::new(false));
    let mut watch = Watch { clock: &clock, stop: &stop, report: &mut |_| {} };
    player.think(line, &Limits::default(), &mut watch)
}

fn read<P: Notation>(text: &str) -> Line<P> {
    Line::new(P::read(text).expect("a position"))
}

/// Leaves under way anywhere in the tree.
fn pending<M: Copy>(node: &Node<M>) -> u32 {
    node.pending() + node.branch().map_or(0, |branch| branch.nodes.iter().map(pending).sum())
}

/// A leaf on its way holds nothing of the tree it comes from, and may go to any thread.
#[test]
fn what_is_asked_owns_itself() {
    fn owned<T: Send + 'static>() {}
    owned::<Asked<u8, Columns>>();
    fn shared<T: Send + Sync>() {}
    shared::<Court<Connect4, Cached<Static<Blank>>>>();
    shared::<Guided<Connect4, PuctParams>>();
}

/// A game that goes on, and its one hand.
type Going<G> = (Guided<Connect4, G>, Hand<Connect4>);

/// One thread plays sixty-four games, each with one leaf at a time: as long as all of them go on, every batch is full.
#[test]
fn sixty_four_games_in_one_thread() {
    fn play<G: Guide + Clone>(guide: &G) {
        const GAMES: usize = 64;
        const VISITS: u64 = 24;
        let court = Court::new(Centre::new(like_the_centre), GAMES);
        let inbox = Inbox::default();
        let begin = |line: &Line<Connect4>, tree: Option<Tree<Connect4>>, game: usize| {
            let tree = tree.unwrap_or_else(|| Tree::new(line.clone()));
            let search = Guided::new(tree, guide.clone(), VISITS, game as u64);
            let hand = search.hand(0, game as u32, &inbox);
            (search, hand)
        };
        let mut lines = vec![Line::new(Connect4::new()); GAMES];
        let mut searches: Vec<Option<Going<G>>> =
            (0..GAMES).map(|game| Some(begin(&lines[game], None, game))).collect();
        let mut full = 0;
        while searches.iter().any(Option::is_some) {
            // Each game goes on until it waits; whoever is done with his move plays it.
            for game in 0..GAMES {
                while let Some((search, hand)) = &mut searches[game] {
                    search.advance(hand, &court, 1, || true).expect("this judge makes no mistakes");
                    if hand.waiting() > 0 {
                        break;
                    }
                    assert!(search.is_over(), "a game that does not wait is done with its move");
                    assert_eq!(pending(search.tree().root()), 0);
                    lines[game].push(search.conclude().expect("the root is judged").best);
                    let (search, _) = searches[game].take().expect("it was there a moment ago");
                    if let Turn::Decision(_) = lines[game].turn(&mut Vec::new()) {
                        let tree = search.into_tree().advance(&lines[game]);
                        searches[game] = Some(begin(&lines[game], tree, game));
                    }
                }
            }
            let going = searches.iter().flatten().count();
            if going == 0 {
                break;
            }
            court.sit(&inbox);
            assert_eq!(court.judge().batches().last(), Some(&going), "every game that goes on is in the batch");
            full += usize::from(going == GAMES);
            for answer in inbox.take() {
                let (search, hand) = searches[answer.game as usize].as_mut().expect("who waits has not ended");
                search.receive(hand, answer).expect("this judge makes no mistakes");
            }
        }
        assert!(full > 100, "all games went on for {full} batches");
        assert!(lines.iter().all(|line| line.ply() >= 7));
    }
    play(&PuctParams { noise: 0.25, ..PuctParams::default() });
    play(&GumbelParams { noise: 1.0, considered: 4, ..GumbelParams::default() });
}

/// Four threads grow one tree. Batches are full, every visit is counted once, nothing stays counted as lost.
#[test]
fn four_threads_on_one_tree() {
    let court = Arc::new(Court::new(Centre::new(like_the_centre), 8));
    let params = PuctParams { visits: 6000, threads: 4, batch: 8, solver: false, ..PuctParams::default() };
    let mut player = Puct::new(court.clone(), params);
    let thought = think(&mut player, &Line::new(Connect4::new())).expect("a thought");
    assert_eq!(thought.nodes, 6000);
    let seen: u64 = thought.candidates.iter().map(|candidate| candidate.visits).sum();
    assert_eq!(seen, 6000, "no visit is lost, none is counted twice");
    let root = player.tree().expect("the tree is kept").root();
    assert_eq!((root.visits(), pending(root)), (6001, 0), "the root's own judgement is a visit, too");
    let batches = court.judge().batches();
    let judged: usize = batches.iter().sum();
    let mean = judged as f64 / batches.len() as f64;
    assert!(mean > 7.0, "{judged} leaves in {} batches: {mean}", batches.len());
}

/// Waits until something holds, for ten seconds at most.
struct Meeting(Mutex<usize>, Condvar);

impl Meeting {
    /// One more is there; whether `count` came together.
    fn come(&self, count: usize) -> bool {
        let mut there = self.0.lock().expect("no panic under this lock");
        *there += 1;
        self.1.notify_all();
        let enough = |there: &mut usize| *there < count;
        let (there, _) = self.1.wait_timeout_while(there, Duration::from_secs(10), enough).expect("no panic");
        *there >= count
    }
}

/// Four threads are inside the judge at the same time, and each of them got there through the court and the tree: no lock is held.
#[test]
fn no_lock_is_held_while_judging() {
    let meeting = Meeting(Mutex::new(0), Condvar::new());
    let calls = AtomicUsize::new(0);
    let judge = Centre::new(|questions: Vec<Columns>| {
        // The first call judges the root, alone; the four after it wait for each other.
        let call = calls.fetch_add(1, Ordering::SeqCst);
        assert!(!(1..=4).contains(&call) || meeting.come(4), "somebody is locked out");
        like_the_centre(questions)
    });
    let court = Court::new(judge, 2);
    let guide = PuctParams { solver: false, ..PuctParams::default() };
    let search = Guided::new(Tree::new(Line::new(Connect4::new())), guide, 200, 0);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (search, court) = (&search, &court);
            scope.spawn(move || {
                let inbox = Inbox::default();
                let mut hand = search.hand(thread, 0, &inbox);
                while !search.is_over() || hand.waiting() > 0 {
                    for answer in inbox.take() {
                        search.receive(&mut hand, answer).expect("this judge makes no mistakes");
                    }
                    search.advance(&mut hand, court, 2, || true).expect("this judge makes no mistakes");
                    court.sit(&inbox);
                }
            });
        }
    });
    assert_eq!(search.begun(), 200);
    assert_eq!(pending(search.tree().root()), 0);
}

/// Whatever a judge does wrong ends the search with a sentence, and every leaf goes back to where it came from.
#[test]
fn wrong_answers_end_the_search() {
    fn spoilt(spoil: impl Fn(&mut Vec<Evaluation>) + Send + Sync + 'static, complaint: &str) {
        let calls = AtomicUsize::new(0);
        let judge = Centre::new(move |questions: Vec<Columns>| {
            let mut evaluations = like_the_centre(questions)?;
            if calls.fetch_add(1, Ordering::SeqCst) == 20 {
                spoil(&mut evaluations);
            }
            Ok(evaluations)
        });
        let court = Arc::new(Court::new(judge, 8));
        // With the search itself in hand it can be seen that nothing stays.
        let search = Guided::new(Tree::new(Line::new(Connect4::new())), PuctParams::default(), 100_000, 0);
        let inbox = Inbox::default();
        let mut hand = search.hand(0, 0, &inbox);
        let mut errors = Vec::new();
        while errors.is_empty() {
            search.advance(&mut hand, &court, 8, || true).expect("known at once is nothing here");
            court.sit(&inbox);
            errors.extend(inbox.take().into_iter().filter_map(|answer| search.receive(&mut hand, answer).err()));
        }
        search.withdraw(&mut hand, &court);
        assert_eq!((hand.waiting(), pending(search.tree().root())), (0, 0), "{complaint}");
        assert!(errors[0].to_string().contains(complaint), "{}", errors[0]);
        // And the player says so, on however many threads.
        for threads in [1, 3] {
            let judge = Centre::new(|questions: Vec<Columns>| {
                let mut evaluations = like_the_centre(questions)?;
                evaluations[0].policy.push(0.0);
                Ok(evaluations)
            });
            let params = PuctParams { visits: 100_000, threads, ..PuctParams::default() };
            let mut player = Puct::new(Arc::new(Court::new(judge, 8)), params);
            let error = think(&mut player, &Line::new(Connect4::new())).expect_err("a wrong answer");
            assert!(error.to_string().contains("8 probabilities for 7 moves"), "{error}");
        }
    }
    spoilt(|evaluations| drop(evaluations.pop()), "evaluations for 8 positions");
    spoilt(|evaluations| evaluations[0].policy.truncate(3), "probabilities for");
    spoilt(|evaluations| evaluations[0].policy[0] = f32::NAN, "do not sum to one");
    spoilt(|evaluations| evaluations[0].policy[0] += 0.5, "do not sum to one");
    spoilt(|evaluations| evaluations[0].value = Pov::of(Side::First, f32::NAN), "value of a position is NaN");
    spoilt(|evaluations| evaluations[0].value = Pov::of(Side::First, 1.5), "value of a position");
}

/// A judge that fails or panics ends the search as well: nobody waits for ever.
#[test]
fn a_judge_that_breaks_down() {
    for threads in [1, 4] {
        let params = PuctParams { visits: 100_000, threads, ..PuctParams::default() };
        let calls = AtomicUsize::new(0);
        let judge = Centre::new(|questions: Vec<Columns>| match calls.fetch_add(1, Ordering::SeqCst) {
            0..10 => like_the_centre(questions),
            _ => Err(JudgeError::Failed("the network is gone".to_owned())),
        });
        let mut player = Puct::new(Arc::new(Court::new(judge, 8)), params.clone());
        let error = think(&mut player, &Line::new(Connect4::new())).expect_err("it failed");
        assert_eq!(error, PlayerError::Failed("the network is gone".to_owned()));
        // One of several threads panics in the judge: those who wait for its batch hear of it.
        if threads > 1 {
            let first = std::thread::current().id();
            let judge = Centre::new(move |questions: Vec<Columns>| {
                assert!(std::thread::current().id() == first, "the judge stumbles, on purpose");
                like_the_centre(questions)
            });
            let mut player = Puct::new(Arc::new(Court::new(judge, 1)), PuctParams { ms: 20_000, visits: 0, ..params });
            let started = Instant::now();
            let thought = think(&mut player, &Line::new(Connect4::new()));
            assert!(thought.is_err_and(|error| error.to_string().contains("broke down")));
            assert!(started.elapsed() < Duration::from_secs(10), "it ends when the judge does");
        }
    }
}

/// The same position is judged once, however many games and threads meet it, and no more is remembered than was allowed.
#[test]
fn what_was_judged_is_remembered() {
    let search = |court: &Arc<Court<Connect4, Cached<Arc<Centre<_>>>>>, threads| {
        let params = PuctParams { visits: 2000, threads, batch: 1, reuse: false, ..PuctParams::default() };
        think(&mut Puct::new(court.clone(), params), &Line::new(Connect4::new())).expect("a thought")
    };
    let judge = Arc::new(Centre::new(like_the_centre));
    let court = Arc::new(Court::new(Cached::new(judge.clone(), 1 << 16), 1));
    let first = search(&court, 1);
    let asked = judge.asked.load(Ordering::SeqCst);
    assert!(asked < 2000, "positions come about in several ways: {asked} asked");
    assert_eq!(search(&court, 1), first, "what is remembered is what was said");
    let again = judge.asked.load(Ordering::SeqCst) - asked;
    // Two positions that fall into the same place of the memory are asked again.
    assert!(again < asked / 10, "{again} of {asked} asked again");
    search(&court, 4);
    // Only so many are kept: with one place nearly everything is asked again.
    let court = Arc::new(Court::new(Cached::new(judge.clone(), 1), 1));
    let before = judge.asked.load(Ordering::SeqCst);
    assert_eq!(search(&court, 1), first);
    assert!(judge.asked.load(Ordering::SeqCst) - before > asked);
}

/// Both players with a judge that knows nothing: they find what can be counted out.
#[test]
fn wins_are_taken_and_losses_stopped() {
    let win = read::<Connect4>("414243");
    let block = read::<Connect4>("41424");
    let check = |name: &str, mut player: Box<dyn Player<Connect4>>| {
        for line in [&win, &block] {
            let thought = player
                .think(
                    line,
                    &Limits::default(),
                    &mut Watch { clock: &Instant::now(), stop: &AtomicBool::new(false), report: &mut |_| {} },
                )
                .expect("a thought");
            assert_eq!(line.position().write_move(thought.best), "4", "{name}");
        }
    };
    let court = || Arc::new(Court::new(Centre::new(like_the_centre), 8));
    let even = || Arc::new(Court::new(Static::new(Blank, None), 8));
    for (threads, batch, solver) in [(1, 1, true), (1, 8, false), (2, 4, true), (3, 16, false)] {
        let puct = PuctParams { visits: 800, threads, batch, solver, ..PuctParams::default() };
        check("puct", Box::new(Puct::new(court(), puct.clone())));
        check("puct, noisy", Box::new(Puct::new(court(), PuctParams { noise: 0.25, ..puct.clone() })));
        check("puct, even", Box::new(Puct::new(even(), puct)));
        let gumbel = GumbelParams { visits: 800, threads, batch, solver, ..GumbelParams::default() };
        check("gumbel", Box::new(Gumbel::new(court(), gumbel.clone())));
        check("gumbel, noisy", Box::new(Gumbel::new(court(), GumbelParams { noise: 1.0, ..gumbel.clone() })));
        check("gumbel, even", Box::new(Gumbel::new(even(), gumbel)));
    }
}

#[test]
fn same_seed_same_thought() {
    fn check<G: Guide + Clone + Send>(guide: impl Fn(u64) -> G, differs: bool) {
        let court = Arc::new(Court::new(Centre::new(like_the_centre), 8));
        let line = Line::new(Connect4::new());
        let run = |seed| think(&mut GuidedPlayer::new(court.clone(), guide(seed)), &line).expect("a thought");
        assert_eq!(run(1), run(1));
        assert_eq!(run(1).candidates != run(2).candidates, differs);
    }
    check(|seed| PuctParams { visits: 300, seed, noise: 0.25, ..PuctParams::default() }, true);
    check(|seed| GumbelParams { visits: 300, seed, noise: 1.0, considered: 3, ..GumbelParams::default() }, true);
    check(|seed| GumbelParams { visits: 300, seed, considered: 3, ..GumbelParams::default() }, false);
}

/// Sequential halving: the likeliest moves take part, half of them in the second half, two at the end, and each simulation is given once.
#[test]
fn the_race_is_fair() {
    for batch in [1, 8] {
        let params = GumbelParams { visits: 64, considered: 4, batch, solver: false, ..GumbelParams::default() };
        let court = Arc::new(Court::new(Centre::new(like_the_centre), 8));
        let thought = think(&mut Gumbel::new(court, params), &Line::new(Connect4::new())).expect("a thought");
        let mut visits: Vec<u64> = thought.candidates.iter().map(|candidate| candidate.visits).collect();
        visits.sort_unstable();
        assert_eq!(visits, [0, 0, 0, 8, 8, 24, 24], "{batch} leaves at a time");
        assert_eq!(thought.best, 3, "and the centre wins where nothing speaks against it");
    }
}

/// Without a number of simulations races follow each other until the time is up.
#[test]
fn a_race_against_time() {
    for threads in [1, 2] {
        let court = Arc::new(Court::new(Centre::new(like_the_centre), 8));
        let params = GumbelParams { ms: 60, threads, solver: false, ..GumbelParams::default() };
        let thought = think(&mut Gumbel::new(court, params), &read::<Connect4>("414243")).expect("a thought");
        assert_eq!(thought.best, 3);
        assert!(thought.nodes > 28, "one race is over after 28: {}", thought.nodes);
    }
}

/// The improved policy prefers what turned out well, and what nobody tried keeps its place between good and bad.
#[test]
fn completed_values() {
    let court = Arc::new(Court::new(Centre::new(like_the_centre), 8));
    // Four in a row on column 4 wins, on two of the others yellow loses at once.
    let line = read::<Connect4>("414243");
    let params = GumbelParams { visits: 32, considered: 2, solver: false, ..GumbelParams::default() };
    let mut player = Gumbel::new(court, params);
    think(&mut player, &line).expect("a thought");
    let branch = player.tree().and_then(|tree| tree.root().branch()).expect("the root was looked at");
    let Turn::Decision(side) = branch.turn else { panic!("a decision") };
    let policy = Trust::default().improved_policy(branch, side);
    assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    let best = branch.nodes.iter().position(|node| node.mv == Some(3)).expect("the column is open");
    assert!(policy[best] > branch.nodes[best].prior && policy[best] > 0.9, "{policy:?}");
}

/// The heuristic's word as policy: the winning move is the likeliest.
#[test]
fn a_static_evaluation_is_a_judge() {
    let judge = Static::new(Blank, Some(4.0));
    let line = read::<Connect4>("414243");
    let mut moves = Vec::new();
    line.turn(&mut moves);
    let Reply::Known(evaluation) = judge.ask(&line, &moves);
    evaluation.check(moves.len()).expect("a sound evaluation");
    let likeliest = (0..moves.len()).max_by(|&a, &b| evaluation.policy[a].total_cmp(&evaluation.policy[b]));
    assert_eq!(likeliest.map(|index| moves[index]), Some(3));
    assert!(evaluation.policy[3] > 0.8);
}

#[test]
fn guided_players_beat_random_play() {
    fn points<G: Guide + Clone + Send>(guide: impl Fn(u64) -> G) -> f32 {
        let game = |seed: u64| {
            let court = Arc::new(Court::new(Static::new(Blank, None), 8));
            let (mut guided, mut random) = (GuidedPlayer::new(court, guide(seed)), Random::new(seed));
            let mut line = Line::new(Connect4::new());
            loop {
                let best = match line.turn(&mut Vec::new()) {
                    Turn::Over(outcome) => return (outcome.value_for(Side::First) + 1.0) / 2.0,
                    Turn::Decision(Side::First) => think(&mut guided, &line).expect("a thought").best,
                    _ => think(&mut random, &line).expect("a thought").best,
                };
                line.push(best);
            }
        };
        (0..20).map(game).sum()
    }
    let puct = points(|seed| PuctParams { visits: 200, seed, ..PuctParams::default() });
    let gumbel = points(|seed| GumbelParams { visits: 200, seed, noise: 1.0, ..GumbelParams::default() });
    assert!(puct >= 17.0 && gumbel >= 17.0, "puct {puct}, gumbel {gumbel} points of 20");
}

#[test]
fn proofs_dice_and_kept_trees() {
    // Tic-tac-toe is proven a draw.
    let court = Arc::new(Court::new(Static::new(Blank, None), 8));
    let mut player = Puct::new(court, PuctParams { visits: 200_000, threads: 2, ..PuctParams::default() });
    let thought = think(&mut player, &Line::new(TicTacToe::new())).expect("a thought");
    assert_eq!(player.tree().and_then(|tree| tree.root().proven()), Some(Outcome::Draw));
    assert!(thought.nodes < 200_000 && thought.value == Pov::even(), "{}", thought.nodes);

    // First has 95 and 5 in hand: holding wins at once. Dice fall inside the tree, and no judge is asked about them.
    let pig = read::<Pig>("95 50 5 first");
    let court = Arc::new(Court::new(Static::new(Blank, Some(1.0)), 8));
    let thought = think(&mut Gumbel::new(court, GumbelParams { visits: 200, ..GumbelParams::default() }), &pig);
    assert_eq!(thought.map(|thought| pig.position().write_move(thought.best)), Ok("hold".to_owned()));
    let mut rolled = Line::new(Backgammon::new());
    let mut rolls = Vec::new();
    rolled.position().chance(&mut rolls);
    rolled.push(rolls[0].0);
    let court = Arc::new(Court::new(Static::new(Blank, None), 8));
    think(&mut Puct::new(court, PuctParams { visits: 300, ..PuctParams::default() }), &rolled).expect("a thought");

    // The tree is kept from move to move, and fits no other game.
    let court = Arc::new(Court::new(Centre::new(like_the_centre), 8));
    let mut player = Puct::new(court, PuctParams { visits: 2000, ..PuctParams::default() });
    let mut line = Line::new(Connect4::new());
    let first = think(&mut player, &line).expect("a thought");
    line.push(first.pv[0]);
    line.push(first.pv[1]);
    think(&mut player, &line).expect("a thought");
    assert!(player.tree().is_some_and(|tree| tree.root().visits() > 2100));
    think(&mut player, &read::<Connect4>("1122")).expect("a thought");
    let over = think(&mut player, &read::<Connect4>("1213141"));
    assert_eq!(over.err(), Some(PlayerError::NothingToDecide));
}

/// Memory is bounded, and the search goes on.
#[test]
fn memory_is_bounded() {
    let court = Arc::new(Court::new(Static::new(Blank, None), 8));
    let params = PuctParams { visits: 200_000, memory: 2, threads: 2, ..PuctParams::default() };
    let mut player = Puct::new(court, params);
    assert_eq!(think(&mut player, &Line::new(Connect4::new())).map(|thought| thought.nodes), Ok(200_000));
    assert!(player.tree().is_some_and(|tree| tree.bytes() < 3 << 20));
}

/// A clock that goes a millisecond on whenever somebody looks.
struct Looks(AtomicUsize);

impl Clock for Looks {
    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::SeqCst) as u64)
    }
}

/// When the time is up the search ends; when it is up before it began there is a legal move all the same.
#[test]
fn in_time() {
    for (threads, stopped) in [(1, false), (3, false), (1, true), (3, true)] {
        let court = Arc::new(Court::new(Centre::new(like_the_centre), 8));
        let params = PuctParams { ms: 50, threads, solver: false, ..PuctParams::default() };
        let mut player = Puct::new(court.clone(), params);
        let (clock, stop) = (Looks(AtomicUsize::new(0)), AtomicBool::new(stopped));
        let mut watch = Watch { clock: &clock, stop: &stop, report: &mut |_| {} };
        let line = read::<Connect4>("444444");
        let thought = player.think(&line, &Limits::default(), &mut watch).expect("a thought");
        assert!(line.position().read_move(&line.position().write_move(thought.best)).is_ok());
        let looks = clock.0.load(Ordering::SeqCst);
        assert!(looks < 200, "{looks} looks at the clock");
        assert_eq!(pending(player.tree().expect("it is kept").root()), 0);
    }
}
