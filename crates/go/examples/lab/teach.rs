//! Makes games of any size that a stronger player has labelled with its own policy, for `lab train`.
//!
//! ```text
//! lab teach SIZE GAMES SEED OUT COMMAND      plays games by the teacher's policy and labels every position
//! lab teach games FILE.sgf OUT COMMAND       labels every position of games that were played, as `tengen records --export sgf` writes them
//! lab teach check DIRECTORY COMMAND          asks the teacher about the positions of a shard that it has labelled before
//! ```
//!
//! The command starts `lab/teacher.py` with a network of KataGo's. Games are written to `OUT.game_start`, `OUT.move` (u16: row ×
//! size + column, size² a pass, 65535 none), `OUT.policy` (f16), `OUT.win` and `OUT.lead` (f32), `OUT.owner` (i8, hundredths; all for the side to move) and `OUT.size`, each as soon as it is over, so that the
//! program may be stopped at any time.

use crate::train::Shard;
use crate::{Failure, games_in};
use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::Instant;
use tengen_core::Rng;
use tengen_go::field::{BLACK, BORDER, Cell, Cells, Colour, EMPTY, Field, opponent};

const PLANES: usize = 22;
const GLOBALS: usize = 19;
/// Games that are asked about together.
pub const TOGETHER: usize = 8;
/// Steps of a ladder that are read for the teacher.
const LADDER: u32 = 400;

/// The teacher's program.
pub struct Teacher(Child);

/// What it thinks of a position.
pub struct Opinion {
    /// Logits of all moves, the pass last.
    logits: Vec<f32>,
    /// The chance of the side to move.
    pub win: f32,
    /// Its lead in points.
    pub lead: f32,
    /// Whose each point will be, from −1 to 1 for the side to move.
    owners: Vec<f32>,
}

impl Teacher {
    /// Starts it.
    pub fn start(command: &str) -> Result<Self, Failure> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or("no program named")?;
        Ok(Teacher(Command::new(program).args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?))
    }

    /// What it thinks of these positions.
    pub fn ask(&mut self, size: usize, inputs: &[Vec<f32>]) -> Result<Vec<Opinion>, Failure> {
        let mut bytes = Vec::new();
        bytes.extend((size as u32).to_le_bytes());
        bytes.extend((inputs.len() as u32).to_le_bytes());
        inputs.iter().flatten().for_each(|number| bytes.extend(number.to_le_bytes()));
        let input = self.0.stdin.as_mut().ok_or("no input")?;
        input.write_all(&bytes)?;
        input.flush()?;
        let moves = size * size + 1;
        let width = 2 * moves + 1;
        let mut answer = vec![0; 4 * width * inputs.len()];
        self.0.stdout.as_mut().ok_or("no output")?.read_exact(&mut answer)?;
        let numbers: Vec<f32> =
            answer.chunks_exact(4).map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])).collect();
        let opinion = |numbers: &[f32]| Opinion {
            logits: numbers[..moves].to_vec(),
            win: numbers[moves],
            lead: numbers[moves + 1],
            owners: numbers[moves + 2..].to_vec(),
        };
        Ok(numbers.chunks_exact(width).map(opinion).collect())
    }
}

impl Drop for Teacher {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// What the teacher said of the positions of a game, as it is written.
#[derive(Default)]
struct Labels {
    policy: Vec<u8>,
    win: Vec<u8>,
    lead: Vec<u8>,
    owner: Vec<u8>,
}

/// A game as far as it has come, with what the teacher wants to know of its past.
pub struct Game<const CELLS: usize, const WORDS: usize> {
    field: Field<CELLS, WORDS>,
    /// The last moves, the newest first; 0 is a pass.
    past: VecDeque<Cell>,
    /// Chains in ladders now, a move ago and two moves ago.
    ladders: [Cells<WORDS>; 3],
    moves: Vec<u16>,
    labels: Labels,
    temperature: f32,
    /// The share of moves that are drawn nearly blindly, so that answers to bad moves are learnt as well.
    blind: f32,
    /// Moves after which it is broken off: ends are all alike, so that not every game is played to its end.
    longest: usize,
    /// The moves that are left of a game that was played before, which are not drawn then.
    script: Option<std::vec::IntoIter<u16>>,
    komi: f32,
}

impl<const CELLS: usize, const WORDS: usize> Game<CELLS, WORDS> {
    /// Before its first move.
    pub fn new(size: usize, komi: f32) -> Self {
        Game {
            field: Field::new(size, true),
            past: VecDeque::new(),
            ladders: [Cells::NONE; 3],
            moves: Vec::new(),
            labels: Labels::default(),
            temperature: 1.0,
            blind: 0.0,
            longest: 4 * size * size / 3,
            script: None,
            komi,
        }
    }

    /// Whether a chain with one liberty cannot get away if it moves next, or one with two if the attacker does; the attacks
    /// that catch it go to `attacks`.
    fn is_in_ladder(&self, stone: Cell, attacks: &mut Vec<Cell>) -> bool {
        let colour = self.field.colour(stone);
        let with = |mover: Colour| {
            let mut field = self.field.clone();
            if field.to_move() != mover {
                field.pass();
            }
            field
        };
        match self.field.liberty_count(stone) {
            1 => with(colour).ladder_works(stone, &mut { LADDER }),
            2 => {
                let field = with(opponent(colour));
                attacks.extend(field.liberties(stone).iter().filter(|&at| {
                    let mut after = field.clone();
                    field.is_legal(at) && {
                        after.play(at);
                        after.liberty_count(stone) == 1 && after.ladder_works(stone, &mut { LADDER })
                    }
                }));
                !attacks.is_empty()
            }
            _ => false,
        }
    }

    /// The position as the network sees it; the planes come first. It remembers ladders, so that it is to be asked before every move
    /// from two moves before the position on.
    pub fn input(&mut self) -> Vec<f32> {
        let size = self.field.size();
        let field = &self.field;
        let own = field.to_move();
        let mut input = vec![0.0; PLANES * size * size + GLOBALS];
        let mut set = |plane: usize, cell: Cell| {
            let (column, row) = Field::<CELLS, WORDS>::coordinates(cell);
            input[(plane * size + row) * size + column] = 1.0;
        };
        let cells = || (0..size * size).map(|at| Field::<CELLS, WORDS>::cell_at(at % size, at / size));
        // Step 1. Stones and liberties.
        let mut ladder = Cells::NONE;
        let mut seen: Cells<WORDS> = Cells::NONE;
        for cell in cells() {
            set(0, cell);
            let colour = field.colour(cell);
            if colour == EMPTY || colour == BORDER {
                continue;
            }
            set(if colour == own { 1 } else { 2 }, cell);
            if let liberties @ 1..=3 = field.liberty_count(cell) {
                set(2 + liberties, cell);
            }
            // Step 2. Ladders, once a chain.
            if !seen.has(field.chain(cell)) {
                seen.add(field.chain(cell));
                let mut attacks = Vec::new();
                if self.is_in_ladder(cell, &mut attacks) {
                    field.chain_stones(cell).for_each(|stone| ladder.add(stone));
                    if colour != own {
                        attacks.into_iter().for_each(|at| set(17, at));
                    }
                }
            }
        }
        self.ladders[0] = ladder;
        for (age, ladder) in self.ladders.iter().enumerate() {
            ladder.iter().for_each(|stone| set(14 + age, stone));
        }
        // Step 3. Ko, the last moves, and whose the board is.
        if field.ko() != 0 {
            set(6, field.ko());
        }
        for (age, &cell) in self.past.iter().enumerate() {
            if cell != 0 {
                set(9 + age, cell);
            }
        }
        field.area(|cell, whose| match whose {
            0 => {}
            1 => set(if own == BLACK { 18 } else { 19 }, cell),
            _ => set(if own == BLACK { 19 } else { 18 }, cell),
        });
        // Step 4. The rules: area, positional superko, suicide of several stones.
        let globals = &mut input[PLANES * size * size..];
        for (age, &cell) in self.past.iter().enumerate() {
            globals[age] = f32::from(u8::from(cell == 0));
        }
        let komi = if own == BLACK { -self.komi } else { self.komi };
        globals[5] = komi / 20.0;
        globals[6] = 1.0;
        globals[7] = 0.5;
        globals[8] = 1.0;
        globals[14] = f32::from(u8::from(field.passes() > 0));
        // Which way komi lies from where a draw would be possible: a wave of period two.
        let area_is_even = (size * size).is_multiple_of(2);
        let floor = if area_is_even { (komi / 2.0).floor() * 2.0 } else { ((komi - 1.0) / 2.0).floor() * 2.0 + 1.0 };
        let delta = (komi - floor).clamp(0.0, 2.0);
        globals[18] = match delta {
            ..0.5 => delta,
            ..1.5 => 1.0 - delta,
            _ => delta - 2.0,
        };
        input
    }

    /// Makes a move.
    pub fn play(&mut self, cell: Cell) {
        self.field.play(cell);
        self.past.push_front(cell);
        self.past.truncate(5);
        self.ladders = [Cells::NONE, self.ladders[0], self.ladders[1]];
    }

    /// Draws the next move, given the teacher's opinion, or takes it from the script; notes both.
    fn go_on(&mut self, opinion: &Opinion, rng: &mut Rng) -> Result<(), Failure> {
        let size = self.field.size();
        let legal = |at: usize| {
            at == size * size || {
                let cell = Field::<CELLS, WORDS>::cell_at(at % size, at / size);
                self.field.colour(cell) == EMPTY && self.field.is_legal(cell)
            }
        };
        let shares = shares(&opinion.logits, 1.0, legal);
        let labels = &mut self.labels;
        shares.iter().for_each(|&share| labels.policy.extend(half(if share < 2e-4 { 0.0 } else { share })));
        labels.win.extend(opinion.win.to_le_bytes());
        labels.lead.extend(opinion.lead.to_le_bytes());
        labels.owner.extend(opinion.owners.iter().map(|owner| (100.0 * owner).round() as i8 as u8));
        let stones = self.moves.len();
        let temperature = match () {
            _ if rng.f32() < self.blind => 3.0,
            _ if stones < size * size / 8 => self.temperature,
            _ => 0.6 * self.temperature,
        };
        // Two blind players must not pass a game to its end.
        let is_early = stones < size * size / 3;
        let drawn = match self.script.as_mut().and_then(Iterator::next) {
            Some(mv) if legal(mv.into()) => mv.into(),
            Some(mv) => return Err(format!("move {} of a game, {mv}, cannot be played", stones + 1).into()),
            None => shares_of(&shares, temperature, |at| at < size * size || !is_early || shares[at] > 0.5, rng.f32()),
        };
        self.moves.push(drawn as u16);
        let cell = if drawn == size * size { 0 } else { Field::<CELLS, WORDS>::cell_at(drawn % size, drawn / size) };
        self.play(cell);
        Ok(())
    }

    fn is_over(&self) -> bool {
        match &self.script {
            Some(left) => left.len() == 0,
            None => self.field.passes() > 1 || self.moves.len() >= self.longest,
        }
    }
}

/// Logits as shares of those moves that may be made.
fn shares(logits: &[f32], temperature: f32, may: impl Fn(usize) -> bool) -> Vec<f32> {
    let most = (0..logits.len()).filter(|&at| may(at)).map(|at| logits[at]).fold(f32::MIN, f32::max);
    let mut shares: Vec<f32> =
        (0..logits.len()).map(|at| if may(at) { ((logits[at] - most) / temperature).exp() } else { 0.0 }).collect();
    let total: f32 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= total);
    shares
}

/// The move that a number between 0 and 1 draws.
fn shares_of(given: &[f32], temperature: f32, may: impl Fn(usize) -> bool, number: f32) -> usize {
    let logits: Vec<f32> = given.iter().map(|share| share.max(1e-12).ln()).collect();
    let shares = shares(&logits, temperature, |at| given[at] > 0.0 && may(at));
    let mut left = number;
    for (at, share) in shares.iter().enumerate() {
        left -= share;
        if left < 0.0 {
            return at;
        }
    }
    // Rounding.
    (0..shares.len()).max_by(|&a, &b| shares[a].total_cmp(&shares[b])).unwrap_or(given.len() - 1)
}

/// A share as a 16-bit float.
fn half(share: f32) -> [u8; 2] {
    let bits = share.to_bits();
    let exponent = (bits >> 23 & 255) as i32 - 112;
    let half = match exponent {
        ..=0 => (share * (1 << 24) as f32).round() as u16,
        _ => ((exponent as u32) << 10 | bits >> 13 & 1023) as u16,
    };
    half.to_le_bytes()
}

/// The files of a shard being made.
struct Out {
    starts: File,
    moves: File,
    labels: [File; 4],
    positions: i32,
}

impl Out {
    fn create(name: &str, size: usize) -> Result<Out, Failure> {
        fs::write(format!("{name}.size"), size.to_string())?;
        let file = |what: &str| OpenOptions::new().create_new(true).append(true).open(format!("{name}.{what}"));
        let mut starts = file("game_start").map_err(|error| format!("{name}.game_start: {error}"))?;
        starts.write_all(&0i32.to_le_bytes())?;
        let labels = [file("policy")?, file("win")?, file("lead")?, file("owner")?];
        Ok(Out { starts, moves: file("move")?, labels, positions: 0 })
    }

    fn add(&mut self, moves: &[u16], labels: &Labels) -> Result<(), Failure> {
        self.positions += moves.len() as i32;
        self.moves.write_all(&moves.iter().flat_map(|mv| mv.to_le_bytes()).collect::<Vec<_>>())?;
        let Labels { policy, win, lead, owner } = labels;
        for (file, bytes) in self.labels.iter_mut().zip([policy, win, lead, owner]) {
            file.write_all(bytes)?;
        }
        self.starts.write_all(&self.positions.to_le_bytes())?;
        Ok(())
    }
}

/// Where games come from.
enum Source {
    /// So many are drawn from the teacher's policy, all from one seed.
    Drawn(usize, u64),
    /// These were played.
    Played(Vec<Vec<u16>>),
}

fn make<const CELLS: usize, const WORDS: usize>(
    size: usize,
    source: Source,
    out: &str,
    command: &str,
) -> Result<(), Failure> {
    let (games, seed, mut scripts) = match source {
        Source::Drawn(games, seed) => (games, seed, Vec::new()),
        Source::Played(scripts) => (scripts.len(), 0, scripts),
    };
    let mut teacher = Teacher::start(command)?;
    let mut out = Out::create(out, size)?;
    let mut rng = Rng::with_seed(seed);
    let mut begin = |rng: &mut Rng| {
        let mut game = Game::<CELLS, WORDS>::new(size, 7.5);
        if let Some(script) = scripts.pop() {
            game.script = Some(script.into_iter());
            return game;
        }
        game.temperature = 0.6 + 0.6 * rng.f32();
        game.blind = [0.0, 0.04, 0.12][rng.usize(..3)];
        if rng.f32() < 0.7 {
            game.longest = size * size / 2;
        }
        game
    };
    let mut under_way: Vec<Game<CELLS, WORDS>> = (0..TOGETHER.min(games)).map(|_| begin(&mut rng)).collect();
    let (mut begun, mut done, mut asked) = (under_way.len(), 0, 0);
    let start = Instant::now();
    while done < games {
        let inputs: Vec<Vec<f32>> = under_way.iter_mut().map(Game::input).collect();
        asked += inputs.len();
        for (game, opinion) in under_way.iter_mut().zip(teacher.ask(size, &inputs)?) {
            game.go_on(&opinion, &mut rng)?;
        }
        let mut at = 0;
        while at < under_way.len() {
            if !under_way[at].is_over() {
                at += 1;
                continue;
            }
            let game = under_way.swap_remove(at);
            out.add(&game.moves, &game.labels)?;
            done += 1;
            let pace = asked as f32 / start.elapsed().as_secs_f32();
            eprintln!("{done} of {games} games, {} positions, {pace:.1} a second", out.positions);
            if begun < games {
                under_way.push(begin(&mut rng));
                begun += 1;
            }
        }
    }
    Ok(())
}

fn make_any(size: usize, source: Source, out: &str, command: &str) -> Result<(), Failure> {
    match size {
        5..=9 => make::<111, 2>(size, source, out, command),
        10..=13 => make::<211, 4>(size, source, out, command),
        14..=19 => make::<421, 7>(size, source, out, command),
        _ => Err("sizes from 5 to 19".into()),
    }
}

/// The moves of the games in a file, all on boards of one size.
fn played(text: &str) -> Result<(usize, Vec<Vec<u16>>), Failure> {
    let games = games_in(text)?;
    let size = games.first().ok_or("no games")?.0;
    let number = |point: &str| -> Result<u16, Failure> {
        match *point.as_bytes() {
            [] => Ok((size * size) as u16),
            [column @ b'a'..=b'z', row @ b'a'..=b'z'] => {
                let (column, row) = (usize::from(column - b'a'), usize::from(row - b'a'));
                if column < size && row < size {
                    Ok((row * size + column) as u16)
                } else {
                    Err("a point off the board".into())
                }
            }
            _ => Err(format!("{point} is no point").into()),
        }
    };
    let moves = |list: Vec<(&str, &str)>| -> Result<Vec<u16>, Failure> {
        let alternates = list.iter().enumerate().all(|(at, (colour, _))| *colour == ["B", "W"][at % 2]);
        if !alternates {
            return Err("a game in which the colours do not alternate".into());
        }
        list.into_iter().map(|(_, point)| number(point)).collect()
    };
    let games = games.into_iter().filter(|game| game.0 == size && !game.1.is_empty());
    Ok((size, games.map(|game| moves(game.1)).collect::<Result<_, _>>()?))
}

/// How far the teacher's answers are from those that a shard of 9x9 games holds: the planes are right if they are the same.
fn check(directory: &str, command: &str) -> Result<(), Failure> {
    let shard = Shard::read(directory, 0)?;
    let komi = fs::read(format!("{directory}/0.komi"))?;
    let mut teacher = Teacher::start(command)?;
    let (mut distance, mut same, mut count) = (0.0, 0, 0);
    for (number, komi) in komi.chunks_exact(4).enumerate().take(20) {
        let mut game = Game::<111, 2>::new(9, f32::from_le_bytes([komi[0], komi[1], komi[2], komi[3]]));
        for position in shard.positions(number) {
            let answer = teacher.ask(9, &[game.input()])?.remove(0).logits;
            let stored: Vec<f32> = (0..82).map(|at| shard.share(position, at)).collect();
            let found = shares(&answer, 1.0, |at| stored[at] > 0.0);
            let best = |list: &[f32]| (0..82).max_by(|&a, &b| list[a].total_cmp(&list[b]));
            distance += found.iter().zip(&stored).map(|(a, b)| (a - b).abs()).sum::<f32>() / 2.0;
            same += usize::from(best(&found) == best(&stored));
            count += 1;
            match shard.mv(position) {
                Some(81) => game.play(0),
                Some(mv) => game.play(Field::<111, 2>::cell_at(mv % 9, mv / 9)),
                None => break,
            }
        }
    }
    println!("{count} positions, mean distance {:.4}, same best move in {same}", distance / count as f32);
    Ok(())
}

/// Makes games, or checks the planes.
pub fn main(words: &[String]) -> Result<(), Failure> {
    match words {
        [word, directory, command] if word == "check" => check(directory, command),
        [word, file, out, command] if word == "games" => {
            let (size, games) = played(&fs::read_to_string(file)?)?;
            make_any(size, Source::Played(games), out, command)
        }
        [size, games, seed, out, command] => {
            make_any(size.parse()?, Source::Drawn(games.parse()?, seed.parse()?), out, command)
        }
        _ => Err("lab teach SIZE GAMES SEED OUT COMMAND, lab teach games FILE.sgf OUT COMMAND, or lab teach check DIRECTORY COMMAND".into()),
    }
}
