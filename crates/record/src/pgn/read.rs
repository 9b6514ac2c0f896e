//! From text to games, by `pgn-reader` and the rules.

use super::lines::{Cutter, Piece};
use super::remarks;
use crate::chess::{Chessboard, Rules};
use crate::limits::{DEEPEST, MOST_NODES, bounded, too_many};
use crate::{Ending, FileError, GameTree, Played, Record};
use pgn_reader::{KnownOutcome, Nag, Outcome as Result_, RawComment, Reader, SanPlus, Skip, Visitor};
use std::io::{BufRead, Cursor, Seek};
use std::ops::ControlFlow;
use tengen_core::{Outcome, Side, refuse};

/// All games of a text; the first that cannot be read is an error, and so are more than [`MOST_NODES`] moves.
pub fn read(text: &[u8]) -> Result<Vec<GameTree>, FileError> {
    let games = bounded(games(text))?;
    if games.is_empty() { Err(FileError::new("there is no game in it")) } else { Ok(games) }
}

/// The games of a file, one after the other. A game that cannot be read is an error, and the next one follows.
pub fn games<R: BufRead>(file: R) -> Games<R> {
    Games { cutter: Cutter::new(file), is_over: false }
}

/// See [`games`].
pub struct Games<R> {
    cutter: Cutter<R>,
    is_over: bool,
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = Result<GameTree, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        match self.cutter.cut() {
            Ok(Some(piece)) => Some(read_piece(piece)),
            Ok(None) => None,
            Err(error) => {
                // What follows a broken disk or pipe is not to be had.
                self.is_over = true;
                Some(Err(error.into()))
            }
        }
    }
}

fn read_piece(piece: Piece) -> Result<GameTree, FileError> {
    let Piece { line, tags, text, comments, trouble } = piece;
    if let Some((line, what)) = trouble {
        return Err(FileError::at(line, what));
    }
    let mut growth = Growth { tags, comments };
    let mut reader = Reader::new(Cursor::new(text.as_bytes()));
    let outcome = match reader.read_game(&mut growth) {
        Ok(Some(outcome)) => outcome,
        // Tags and nothing behind them.
        Ok(None) => {
            begin(std::mem::take(&mut growth.tags)).map_err(Trouble::Game).and_then(|game| growth.end_game(game))
        }
        Err(error) => return Err(FileError::at(line, error.to_string())),
    };
    outcome.map_err(|trouble| match trouble {
        Trouble::Game(what) => FileError::at(line, what),
        Trouble::Move(what) => {
            let read = reader.stream_position().map_or(0, |bytes| bytes as usize).min(text.len());
            FileError::at(line + text.as_bytes()[..read].iter().filter(|&&byte| byte == b'\n').count(), what)
        }
    })
}

/// Grows a game tree as the reader calls out what it finds.
struct Growth {
    tags: Vec<(String, String)>,
    comments: Vec<String>,
}

/// Where the next move goes.
#[derive(Clone)]
struct Place {
    /// The node it follows.
    node: usize,
    /// The board now, and before the last move, which a variation replaces.
    now: Chessboard,
    before: Chessboard,
    /// Whether a variation has just begun: its first comment belongs to the move to come.
    is_fresh: bool,
    /// Whether the rest of the variation cannot be read.
    is_cut: bool,
}

struct Growing {
    tree: GameTree,
    place: Place,
    /// The places to go back to when variations end.
    outer: Vec<Place>,
    /// A comment that waits for its move.
    waiting: String,
    result: Option<Outcome>,
    /// Seconds added to the clock after every move.
    increment: f32,
}

/// Why a game cannot be read.
enum Trouble {
    /// Something is wrong with the game as such.
    Game(String),
    /// The move just read is wrong.
    Move(String),
}

type Grown = Result<GameTree, Trouble>;

impl Visitor for Growth {
    type Tags = ();
    type Movetext = Growing;
    type Output = Grown;

    fn begin_tags(&mut self) -> ControlFlow<Grown, Self::Tags> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, _: Self::Tags) -> ControlFlow<Grown, Growing> {
        match begin(std::mem::take(&mut self.tags)) {
            Ok(growing) => ControlFlow::Continue(growing),
            Err(what) => ControlFlow::Break(Err(Trouble::Game(what))),
        }
    }

    fn san(&mut self, game: &mut Growing, san: SanPlus) -> ControlFlow<Grown> {
        let place = &mut game.place;
        if place.is_cut {
            return ControlFlow::Continue(());
        }
        let Some(mv) = place.now.san(san.san) else {
            let number = place.now.number();
            let dots = if place.now.is_white() { "." } else { "..." };
            let what = format!("{number}{dots} {san} is not legal");
            if game.outer.is_empty() {
                return ControlFlow::Break(Err(Trouble::Move(what)));
            }
            // Annotators skip a side's move to show a threat, or slip: the game itself is worth keeping.
            let remark = format!("({what}; this line ends.)");
            remarks::read(&remark, true, game.tree.node_mut(place.node));
            place.is_cut = true;
            return ControlFlow::Continue(());
        };
        if game.tree.nodes().len() > MOST_NODES {
            return ControlFlow::Break(Err(Trouble::Game(too_many("moves", MOST_NODES))));
        }
        let is_white = place.now.is_white();
        let text = place.now.uci(mv);
        place.before = place.now.clone();
        place.now.play(mv);
        place.node = game.tree.add(place.node, Played::new(text));
        place.is_fresh = false;
        if !game.waiting.is_empty() {
            remarks::read(&std::mem::take(&mut game.waiting), is_white, game.tree.node_mut(place.node));
        }
        ControlFlow::Continue(())
    }

    fn nag(&mut self, game: &mut Growing, nag: Nag) -> ControlFlow<Grown> {
        if game.place.node > 0 && !game.place.is_cut && !game.place.is_fresh {
            game.tree.node_mut(game.place.node).nags.push(nag.0);
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, game: &mut Growing, comment: RawComment<'_>) -> ControlFlow<Grown> {
        let number = std::str::from_utf8(comment.as_bytes()).ok().and_then(|number| number.parse::<usize>().ok());
        let text = number.and_then(|number| self.comments.get_mut(number)).map(std::mem::take).unwrap_or_default();
        let place = &game.place;
        if place.is_fresh {
            game.waiting.push_str(&text);
            game.waiting.push(' ');
        } else if !place.is_cut {
            // Whoever is not to move has made the move.
            remarks::read(&text, !place.now.is_white(), game.tree.node_mut(place.node));
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, game: &mut Growing) -> ControlFlow<Grown, Skip> {
        if game.outer.len() >= DEEPEST {
            return ControlFlow::Break(Err(Trouble::Game(too_many("variations within variations", DEEPEST))));
        }
        game.outer.push(game.place.clone());
        let place = &mut game.place;
        // A variation to the first move, before which there is nothing, follows the start.
        place.node = game.tree.node(place.node).parent.unwrap_or(0);
        place.now = place.before.clone();
        place.is_fresh = true;
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, game: &mut Growing) -> ControlFlow<Grown> {
        if let Some(place) = game.outer.pop() {
            game.place = place;
            game.waiting.clear();
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, game: &mut Growing, outcome: Result_) -> ControlFlow<Grown> {
        if game.outer.is_empty() {
            game.result = match outcome {
                Result_::Known(KnownOutcome::Draw) => Some(Outcome::Draw),
                Result_::Known(KnownOutcome::Decisive { winner }) => {
                    Some(Outcome::Win(winner.fold_wb(Side::First, Side::Second)))
                }
                Result_::Unknown => None,
            };
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, mut game: Growing) -> Grown {
        let head = &mut game.tree.head;
        let by_tag = head.tags.remove("Result").and_then(|text| result(&text));
        // Where tag and text contradict each other, the text was written when the game was over.
        if let Some(outcome) = game.result.or(by_tag) {
            let reason = match head.tags.get("Termination") {
                Some(word) if !["normal", "", "?"].contains(&word.to_lowercase().as_str()) => word.clone(),
                _ => String::new(),
            };
            head.tags.remove("Termination");
            head.ending = Some(Ending { outcome, reason });
        }
        if head.tags.is_empty() && head.players == ["", ""] && game.tree.nodes().len() == 1 && game.result.is_none() {
            let is_start = game.tree.head.setup == crate::Setup::standard();
            if is_start && game.tree.head.event.is_empty() && by_tag.is_none() {
                return Err(Trouble::Game("there is no game here: no tags and no moves".to_owned()));
            }
        }
        let line = game.tree.main_line();
        for steps in line.windows(3) {
            let (before, now) = (game.tree.node(steps[0]).clock, game.tree.node(steps[2]).clock);
            let node = game.tree.node_mut(steps[2]);
            if let (Some(before), Some(now), None) = (before, now, node.played.seconds) {
                node.played.seconds = Some(before - now + game.increment).filter(|&seconds| seconds >= 0.0);
            }
        }
        Ok(game.tree)
    }
}

fn result(text: &str) -> Option<Outcome> {
    match text.trim() {
        "1-0" => Some(Outcome::Win(Side::First)),
        "0-1" => Some(Outcome::Win(Side::Second)),
        "1/2-1/2" | "1/2" | "½-½" => Some(Outcome::Draw),
        _ => None,
    }
}

/// The head of a game from its tags.
fn begin(tags: Vec<(String, String)>) -> Result<Growing, String> {
    let mut head = Record::default();
    let mut fen = None;
    let mut rules = None;
    let (mut day, mut utc_day, mut utc_time) = (String::new(), String::new(), String::new());
    for (name, value) in tags {
        let known = |value: String| if value.trim() == "?" { String::new() } else { value };
        match name.as_str() {
            "Event" => head.event = known(value),
            "White" => head.players[0] = known(value),
            "Black" => head.players[1] = known(value),
            "Date" => day = date(&value),
            "UTCDate" => utc_day = date(&value),
            "UTCTime" => utc_time = value,
            "FEN" => fen = Some(value),
            "SetUp" | "Setup" => {}
            "Variant" => {
                let unknown = || format!("the variant {} is not known", refuse(&value));
                rules = Some(Rules::of_variant(&value).ok_or_else(unknown)?);
            }
            _ if value.trim() == "?" || name.is_empty() => {}
            _ => {
                head.tags.insert(name, value);
            }
        }
    }
    head.date = if utc_day.len() == 10 && utc_time.len() == 8 {
        format!("{utc_day}T{utc_time}Z")
    } else if day.is_empty() {
        utc_day
    } else {
        day
    };
    let rules = match (rules, &fen) {
        (Some(rules), _) => rules,
        (None, Some(fen)) => Rules::of_fen(fen),
        (None, None) => Rules::CHESS,
    };
    let board = match fen {
        Some(fen) => rules.position(&fen).map_err(|error| error.to_string())?,
        None => rules.start(),
    };
    head.game = rules.game.to_owned();
    head.setup = board.setup();
    let increment = head.tags.get("TimeControl").and_then(|control| control.split_once('+')?.1.parse().ok());
    Ok(Growing {
        tree: GameTree::new(head),
        place: Place { node: 0, now: board.clone(), before: board, is_fresh: false, is_cut: false },
        outer: Vec::new(),
        waiting: String::new(),
        result: None,
        increment: increment.unwrap_or(0.0),
    })
}

/// `2024.01.02` as `2024-01-02`, up to the first part that is not known.
fn date(text: &str) -> String {
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.trim().split(['.', '-', '/']).take_while(is_number).take(3).collect::<Vec<_>>().join("-")
}
