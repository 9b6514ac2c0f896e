//! One table with the people around it, as a plain value: no sockets, no files, no waiting.
//!
//! Whatever happens is an [`Entry`]. [`Room::decide`] turns a wish into entries, or says why not, and changes nothing;
//! [`Room::apply`] carries an entry out, and is all that changes a room. So a room made from the same opening and the same entries is
//! the same room: that is how it survives a restart.

use crate::catalog::Catalog;
use crate::clock::Clock;
use crate::fair::Going;
use crate::message::{
    By, Chair, ChatLine, ClockRule, Code, Counting, Fall, GameResult, Judged, Live, Mark, Mode, Move, Node, Offer,
    Offers, Sitter, Status, TimeLeft, Trouble, View, Winner, Wish, You,
};
use crate::think::Spot;
use crate::tree::{ROOT, Tree};
use crate::view;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::time::Instant;
use tengen_core::{Pov, Rng, Side, Turn};
use tengen_record::{Ending, GameTree, Played, Record, Setup};
use tengen_table::{Table, Why, open};

/// A tree is not grown beyond this.
const MOST_NODES: usize = 20_000;
/// Nor is more said at a table.
const MOST_SAID: usize = 500;
/// Letters of a name, of something said, and of a comment.
const LONGEST: [usize; 3] = [40, 500, 5000];

/// One side's chair, as it was set up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Seat {
    /// Who sits there.
    pub sitter: Sitter,
    /// A person's name.
    pub name: String,
    /// The machine's level.
    pub level: Option<String>,
    /// What opens the seat to a person.
    pub key: String,
    /// Whether the person has come yet.
    pub came: bool,
}

/// A node that a table begins with; the first has number 1.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct First {
    /// Where it hangs.
    pub parent: u32,
    /// The move that leads there.
    pub mv: String,
    /// What somebody wrote.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
}

/// How a table was opened.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Opening {
    /// Its id.
    pub id: String,
    /// The game's id.
    pub game: String,
    /// How the game was set up.
    pub setup: Setup,
    /// Who plays.
    pub mode: Mode,
    /// The chairs.
    pub seats: [Seat; 2],
    /// What opens both seats, or the sandbox, to who started it.
    pub owner: String,
    /// The clocks.
    pub clock: Option<ClockRule>,
    /// Where it begins.
    pub tree: Vec<First>,
    /// When it was opened, in milliseconds since 1970.
    pub begun: u64,
}

/// Something that happened.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "did", rename_all = "camelCase")]
pub enum Entry {
    /// A move was made, or dice fell.
    Played { from: u32, mv: String, side: Option<Side>, ms: Option<u32>, left: Option<[TimeLeft; 2]> },
    /// Moves were taken back.
    Cut { to: u32 },
    /// The game ended.
    Ended { result: GameResult },
    /// Both passed.
    CountBegun,
    /// These stones are taken as dead; by the machine's proposal or by a person.
    Dead { dead: Vec<String>, accepted: [bool; 2], proposed: bool },
    /// They go on after all.
    Resumed { to: u32 },
    /// An offer was made, or is no more.
    Offered { offer: Offer, by: Option<Side> },
    /// The sides were changed.
    Swapped,
    /// Somebody came for the first time.
    Came { side: Side },
    /// Somebody has a name.
    Named { side: Side, name: String },
    /// Somebody said something.
    Said { line: ChatLine },
    /// Another node is on the board.
    Went { to: u32 },
    /// A node is gone.
    Removed { node: u32 },
    /// A line is the main line.
    Promoted { node: u32 },
    /// Something was written.
    Commented { node: u32, text: String },
    /// Cells were marked.
    Marked { node: u32, marks: Vec<Mark> },
    /// A move was judged.
    Judged { node: u32, judged: Judged },
    /// The machine halts or goes on.
    Paused { on: bool },
    /// There is another game.
    Next { table: String },
    /// The game is in the library.
    Archived { game: u32 },
}

/// What a page has to be told after some entries.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Changes {
    /// Nodes that are new or different.
    pub nodes: Vec<u32>,
    /// The tree was cut or ordered anew.
    pub tree: bool,
    /// The seats were changed.
    pub seats: bool,
    /// Something was said.
    pub said: Vec<ChatLine>,
}

/// Who asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Who {
    /// What he is at the table.
    pub you: You,
    /// Whether he started it.
    pub owner: bool,
}

impl Who {
    /// Whether he plays this side.
    pub fn plays(self, side: Side) -> bool {
        match self.you {
            You::Both => true,
            You::First => side == Side::First,
            You::Second => side == Side::Second,
            You::Spectator => false,
        }
    }
}

/// Who could do something next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// The machine is to move.
    Think(Side),
    /// The machine is to roll.
    Roll,
    /// The dead groups are to be found.
    Judge,
    /// The finished game is to go into the library.
    Archive,
    /// Nobody but people.
    Nothing,
}

#[derive(Clone, PartialEq, Debug)]
struct Count {
    /// Whoever agrees says to which count: two with the same number have the same dead stones.
    number: u32,
    dead: Vec<String>,
    /// What the machine thinks, once it has said so.
    proposal: Option<Vec<String>>,
    accepted: [bool; 2],
}

/// The board, and where in the tree it stands.
struct Board {
    table: Box<dyn Table>,
    path: Vec<u32>,
    /// A move that the table is ahead of the path: it was tried, and is not played again if it comes to stay. With it, what was next before.
    tried: Option<(String, (Turn, Side))>,
}

impl Board {
    /// Goes to a node of the tree, which is there.
    fn go(&mut self, tree: &Tree, node: u32) -> Result<(), Trouble> {
        self.take_back()?;
        let path = tree.path(node);
        let same = self.path.iter().zip(&path).take_while(|(here, there)| here == there).count();
        self.table.undo(self.path.len() - same)?;
        self.path.truncate(same);
        for &id in &path[same..] {
            self.play(tree.move_to(id))?;
            self.path.push(id);
        }
        Ok(())
    }

    fn play(&mut self, mv: &str) -> Result<(), Trouble> {
        #[cfg(test)]
        tests::WORK.with_borrow_mut(|work| work.played += 1);
        Ok(self.table.play(mv)?)
    }

    /// The board as a page draws it: of all that is asked of a table by far the most work.
    fn view(&self) -> View {
        #[cfg(test)]
        tests::WORK.with_borrow_mut(|work| work.drawn += 1);
        view::view(&*self.table)
    }

    /// Tries a move, and stays there until it is played or taken back. Says how it is written.
    fn attempt(&mut self, play: impl FnOnce(&mut dyn Table) -> Result<(), Trouble>) -> Result<String, Trouble> {
        self.take_back()?;
        let before = self.table.turn();
        #[cfg(test)]
        tests::WORK.with_borrow_mut(|work| work.played += 1);
        play(&mut *self.table)?;
        let mv = self.table.last().map(|last| last.text).unwrap_or_default();
        self.tried = Some((mv.clone(), before));
        Ok(mv)
    }

    /// Takes back what was tried.
    fn take_back(&mut self) -> Result<(), Trouble> {
        if self.tried.take().is_some() {
            self.table.undo(1)?;
        }
        Ok(())
    }

    /// Plays a move from a node; the node that it leads to is still to be put on the path. Says what was next before.
    fn step(&mut self, tree: &Tree, from: u32, mv: &str) -> Result<(Turn, Side), Trouble> {
        let stands = self.path.last().copied().unwrap_or(ROOT) == from;
        match self.tried.take() {
            Some((tried, before)) if stands && tried == mv => return Ok(before),
            tried => self.tried = tried,
        }
        self.go(tree, from)?;
        let before = self.table.turn();
        self.play(mv)?;
        Ok(before)
    }
}

/// A table with the people around it.
pub struct Room {
    /// How it was opened; the seats as they are now.
    pub opening: Opening,
    board: Board,
    tree: Tree,
    at: u32,
    clock: Option<Clock>,
    result: Option<GameResult>,
    count: Option<Count>,
    /// Counts that there have been.
    counts: u32,
    offers: Offers,
    /// What was offered since the last move: it is not offered again before the next one.
    offered: Vec<(Offer, Side)>,
    /// Who rolled the dice that led to a node.
    rollers: BTreeMap<u32, Side>,
    /// What each side's first, second, … roll brought. What is taken back and rolled again falls as it did before.
    rolls: [Vec<String>; 2],
    chat: Vec<ChatLine>,
    paused: bool,
    /// Whether anybody is at the table.
    watched: bool,
    next: Option<String>,
    library: Option<u32>,
    /// When the side to move got its turn.
    turn_since: Instant,
    /// What the machine last thought the position is worth to it.
    pub machine_value: Option<f32>,
}

fn refuse(code: Code, text: &str) -> Trouble {
    Trouble::new(code, text)
}

/// A text of a person, without what no one should see, cut to a length.
pub fn clean(text: &str, longest: usize) -> String {
    let seen = text.chars().filter(|letter| !letter.is_control() || *letter == '\n');
    let seen: String = seen.skip_while(|letter| letter.is_whitespace()).take(longest).collect();
    seen.trim_end().to_owned()
}

impl Room {
    /// A new table.
    pub fn new(opening: Opening, now: Instant) -> Result<Self, Trouble> {
        let table = open(&opening.game, &opening.setup)?;
        let mut room = Room {
            board: Board { table, path: Vec::new(), tried: None },
            tree: Tree::new(),
            at: ROOT,
            clock: opening.clock.map(Clock::new),
            result: None,
            count: None,
            counts: 0,
            offers: Offers::default(),
            offered: Vec::new(),
            rollers: BTreeMap::new(),
            rolls: [Vec::new(), Vec::new()],
            chat: Vec::new(),
            paused: false,
            watched: false,
            next: None,
            library: None,
            turn_since: now,
            machine_value: None,
            opening,
        };
        if room.opening.tree.len() > MOST_NODES {
            return Err(refuse(Code::TooLarge, "the game has too many moves"));
        }
        for (number, first) in (1..).zip(room.opening.tree.clone()) {
            if first.parent >= number {
                return Err(refuse(Code::BadMessage, "a node comes before its parent"));
            }
            let id = room.put(first.parent, &first.mv, None)?;
            if let Some(node) = room.tree.get_mut(id) {
                node.comment = clean(&first.comment, LONGEST[2]);
            }
            // A game goes on where the line ends; a sandbox begins at the start.
            room.at = if room.opening.mode == Mode::Sandbox { ROOT } else { id };
        }
        room.board.go(&room.tree, room.at)?;
        if room.opening.mode != Mode::Sandbox && room.board.table.end().is_some() {
            return Err(refuse(Code::Over, "the game is over in that position"));
        }
        room.settle_clock(now);
        Ok(room)
    }

    /// The table whose log this is.
    pub fn restore(opening: &str, entries: &[String], now: Instant) -> Result<Self, Trouble> {
        let opening: Opening = serde_json::from_str(opening).map_err(Trouble::failed)?;
        let mut room = Room::new(opening, now)?;
        for entry in entries {
            let entry: Entry = serde_json::from_str(entry).map_err(Trouble::failed)?;
            room.apply(&entry, now, &mut Changes::default())?;
        }
        Ok(room)
    }

    /// How many nodes the tree has.
    pub fn size(&self) -> usize {
        self.tree.len()
    }

    /// Who has this key. A wrong key is refused rather than taken for none.
    pub fn who(&self, key: Option<&str>) -> Result<Who, Trouble> {
        let Some(key) = key.filter(|key| !key.is_empty()) else {
            return Ok(Who { you: You::Spectator, owner: false });
        };
        let opens = |lock: &str| !lock.is_empty() && same_text(lock, key);
        if opens(&self.opening.owner) {
            let you = if self.opening.mode == Mode::Watch { You::Spectator } else { You::Both };
            return Ok(Who { you, owner: true });
        }
        let person = |side: &Side| self.seat(*side).sitter == Sitter::Person && opens(&self.seat(*side).key);
        match Side::BOTH.into_iter().find(person) {
            Some(Side::First) => Ok(Who { you: You::First, owner: false }),
            Some(Side::Second) => Ok(Who { you: You::Second, owner: false }),
            None => Err(refuse(Code::Forbidden, "the key does not open a seat at this table")),
        }
    }

    fn seat(&self, side: Side) -> &Seat {
        &self.opening.seats[side.index()]
    }

    /// The tree, as a page has it.
    pub fn tree(&self) -> Vec<Node> {
        self.tree.list()
    }

    /// Nodes by their numbers, those that are there.
    pub fn nodes(&self, ids: &[u32]) -> Vec<Node> {
        ids.iter().filter_map(|&id| self.tree.get(id)).cloned().collect()
    }

    /// What has been said.
    pub fn chat(&self) -> &[ChatLine] {
        &self.chat
    }

    /// The node on the board.
    pub fn at(&self) -> u32 {
        self.at
    }

    fn status(&self) -> Status {
        if self.result.is_some() {
            Status::Over
        } else if self.count.is_some() {
            Status::Counting
        } else if self.opening.mode == Mode::Link && !self.opening.seats.iter().all(|seat| seat.came) {
            Status::Waiting
        } else {
            Status::Playing
        }
    }

    /// Whether the game has ended.
    pub fn is_over(&self) -> bool {
        self.result.is_some()
    }

    /// Whether two people play against each other here, each for himself, and have not finished.
    pub fn is_between_people(&self) -> bool {
        self.opening.mode == Mode::Link && self.result.is_none()
    }

    /// The game so far, as it is known again where somebody asks for help.
    pub fn going(&self) -> Going {
        Going::new(&self.opening.game, &self.opening.setup, &*self.board.table)
    }

    /// The keys of the positions on the way to a node, its own last.
    pub fn keys(&mut self, node: u32) -> Result<Vec<u64>, Trouble> {
        self.board.go(&self.tree, self.known(node)?)?;
        let keys = self.board.table.keys();
        self.board.go(&self.tree, self.at)?;
        Ok(keys)
    }

    /// Whether the game goes on: such tables are woken after a restart.
    pub fn is_open(&self) -> bool {
        self.opening.mode != Mode::Sandbox && (self.result.is_none() || self.library.is_none())
    }

    /// Whether it must stay in memory though nobody looks: somebody thinks, or time runs.
    pub fn is_awake(&self) -> bool {
        let machine = !matches!(self.next(), Next::Nothing);
        machine || self.clock.as_ref().is_some_and(|clock| clock.next_change(Instant::now()).is_some())
    }

    /// What is to be done without anybody asking.
    pub fn next(&self) -> Next {
        if self.opening.mode == Mode::Sandbox {
            return Next::Nothing;
        }
        if self.result.is_some() {
            let played = self.tree.moves(self.at).len() > self.opening.tree.len();
            return if self.library.is_none() && played { Next::Archive } else { Next::Nothing };
        }
        if let Some(count) = &self.count {
            return if count.proposal.is_none() { Next::Judge } else { Next::Nothing };
        }
        let (turn, to_move) = self.board.table.turn();
        let machine = self.seat(to_move).sitter == Sitter::Ai && !self.halts();
        match turn {
            Turn::Decision(side) if machine => Next::Think(side),
            Turn::Chance if machine => Next::Roll,
            _ => Next::Nothing,
        }
    }

    /// Where the game stands.
    pub fn spot(&self, node: u32) -> Spot {
        let Opening { game, setup, .. } = &self.opening;
        Spot { game: game.clone(), setup: setup.clone(), moves: self.tree.moves(node) }
    }

    /// The line from the start through a node to its end: nodes and moves.
    pub fn line_through(&self, node: u32) -> Vec<(u32, String)> {
        let path = self.tree.path(self.tree.tip(node));
        path.into_iter().map(|id| (id, self.tree.move_to(id).to_owned())).collect()
    }

    /// Whether there is such a node.
    pub fn has(&self, node: u32) -> bool {
        self.tree.get(node).is_some()
    }

    /// What another node looks like. The board comes back to where it was.
    pub fn look(&mut self, node: u32) -> Result<View, Trouble> {
        if !self.has(node) {
            return Err(refuse(Code::Unknown, "there is no such node"));
        }
        self.board.go(&self.tree, node)?;
        let view = self.board.view();
        self.board.go(&self.tree, self.at)?;
        Ok(view)
    }

    /// Says whether anybody is at the table.
    pub fn watch(&mut self, watched: bool, now: Instant) {
        self.watched = watched;
        self.settle_clock(now);
    }

    /// Whether the machine waits: it was halted, or it would play for nobody's eyes. Against a person whose clock runs, it plays on though he has left.
    fn halts(&self) -> bool {
        self.paused || !self.watched && (self.opening.mode == Mode::Watch || self.clock.is_none())
    }

    /// When the clocks do something by themselves.
    pub fn next_change(&self, now: Instant) -> Option<Instant> {
        self.clock.as_ref().and_then(|clock| clock.next_change(now))
    }

    /// The clocks, as a page has them.
    pub fn clocks(&self, now: Instant) -> Option<crate::message::Clocks> {
        self.clock.as_ref().map(|clock| clock.at(now))
    }

    /// The clock of a side, as a search has it.
    pub fn search_clock(&self, side: Side, now: Instant) -> Option<tengen_search::GameClock> {
        self.clock.as_ref().filter(|clock| clock.at(now).running == Some(side)).map(|clock| clock.for_search(side, now))
    }

    /// The end, if a flag has fallen.
    pub fn flag(&self, now: Instant) -> Option<Entry> {
        let loser = self.clock.as_ref()?.fallen(now)?;
        Some(Entry::Ended { result: won(loser.other(), By::Time) })
    }

    /// Everything that changes from move to move.
    pub fn live(
        &self,
        catalog: &Catalog,
        present: [bool; 2],
        spectators: u32,
        thinking: Option<Side>,
        now: Instant,
    ) -> Live {
        let Opening { id, game, setup, mode, .. } = &self.opening;
        let chair = |side: Side| {
            let seat = self.seat(side);
            let level = seat.level.as_ref().and_then(|level| catalog.find_level(game, level).ok()).map(|found| found.1);
            let present = seat.sitter == Sitter::Ai || present[side.index()];
            Chair { sitter: seat.sitter, name: seat.name.clone(), level, present }
        };
        Live {
            id: id.clone(),
            game: game.clone(),
            setup: setup.clone(),
            mode: *mode,
            chairs: Side::BOTH.map(chair),
            status: self.status(),
            at: self.at,
            view: self.board.view(),
            clocks: self.clocks(now),
            result: self.result,
            fall: self.fall(),
            offers: self.offers,
            counting: self.counting(),
            thinking,
            paused: self.paused,
            spectators,
            next: self.next.clone(),
            library: self.library,
        }
    }

    fn fall(&self) -> Option<Fall> {
        let loser = match self.result?.winner {
            Winner::First => Side::Second,
            Winner::Second => Side::First,
            Winner::Draw => return None,
        };
        let dead = self.count.as_ref().map_or(&[][..], |count| &count.dead);
        self.board.table.greatest_fall(loser, dead).map(Fall::from)
    }

    fn counting(&self) -> Option<Counting> {
        let count = self.count.as_ref()?;
        let counted = self.board.table.count(&count.dead)?;
        Some(Counting {
            dead: count.dead.clone(),
            owners: counted.owners,
            points: counted.points,
            number: count.number,
            accepted: count.accepted,
            judged: count.proposal.is_some(),
        })
    }

    /// The game with everything that was tried and written beside it.
    pub fn game_tree(&self, catalog: &Catalog) -> GameTree {
        let Opening { game, setup, begun, .. } = &self.opening;
        let name = |side: Side| match self.seat(side) {
            Seat { sitter: Sitter::Ai, level: Some(level), .. } => match catalog.find_level(game, level) {
                Ok((_, shown)) => format!("Tengen {}", shown.name.en),
                Err(_) => "Tengen".to_owned(),
            },
            seat if seat.name.is_empty() => "Anonymous".to_owned(),
            seat => seat.name.clone(),
        };
        let reason = |result: GameResult| match result.points {
            Some(points) => format!("{} {points}", result.by.words()).trim().to_owned(),
            None => result.by.words().to_owned(),
        };
        let mut tree = GameTree::new(Record {
            game: game.clone(),
            setup: setup.clone(),
            players: Side::BOTH.map(name),
            ending: self.result.map(|result| Ending { outcome: result.winner.into(), reason: reason(result) }),
            date: crate::time::written(*begun),
            ..Record::default()
        });
        // Parents come before their children, so each finds its parent's place.
        let mut places = HashMap::from([(ROOT, 0)]);
        for node in self.tree.list() {
            let value = node
                .judged
                .as_ref()
                .zip(node.side)
                .map(|(judged, side)| Pov::of(Side::First, judged.value).seen_by(side));
            let seconds = node.ms.map(|ms| ms as f32 / 1000.0);
            if let Some(parent) = node.parent {
                let played = Played { seconds, value, ..Played::new(self.tree.move_to(node.id)) };
                let place = tree.add(places.get(&parent).copied().unwrap_or(0), played);
                places.insert(node.id, place);
            }
            let place = places.get(&node.id).copied().unwrap_or(0);
            tree.node_mut(place).played.comment = node.comment;
            tree.node_mut(place).marks = node.marks.iter().map(file_mark).collect();
        }
        tree
    }

    /// The opening of another game of the same kind, sides changed.
    pub fn rematch(&self, id: String, begun: u64, seed: Option<u64>) -> Opening {
        let [first, second] = self.opening.seats.clone();
        // Handicap and position stay where they are; so do the machine's colours when it plays itself.
        let seats = if self.opening.mode == Mode::Watch { [first, second] } else { [second, first] };
        let mut setup = self.opening.setup.clone();
        setup.seed = if setup.seed.is_some() { seed } else { None };
        Opening { id, seats, setup, tree: Vec::new(), begun, ..self.opening.clone() }
    }

    /// The tree as another table begins with it: all of it, or the line to a node.
    pub fn copied_tree(&self, node: Option<u32>) -> Vec<First> {
        let wanted = match node {
            Some(node) => self.nodes(&self.tree.path(node)),
            None => self.tree.list(),
        };
        let wanted: Vec<Node> = wanted.into_iter().filter(|node| node.id != ROOT).collect();
        let places: HashMap<u32, u32> = wanted.iter().map(|node| node.id).zip(1..).collect();
        let place = |id: Option<u32>| id.and_then(|id| places.get(&id)).copied().unwrap_or(ROOT);
        let copy = |node: &Node| First {
            parent: place(node.parent),
            mv: self.tree.move_to(node.id).to_owned(),
            comment: node.comment.clone(),
        };
        wanted.iter().map(copy).collect()
    }

    // ------------------------------------------------------------------------------------------------------------ wishes

    /// What a wish leads to, or why it cannot be. Nothing has changed when this returns; what it leads to is carried out by
    /// [`Room::apply`] before anything else is asked of the room, or not at all, and the room is [settled](Room::settle).
    pub fn decide(
        &mut self,
        who: Who,
        wish: &Wish,
        catalog: &Catalog,
        rng: &mut Rng,
        now: Instant,
        epoch: u64,
    ) -> Result<Vec<Entry>, Trouble> {
        if self.board.tried.is_some() {
            self.settle()?;
        }
        let sandbox = self.opening.mode == Mode::Sandbox;
        match wish {
            Wish::Play { mv, node } if sandbox => {
                self.owner(who)?;
                let from = self.known(node.unwrap_or(self.at))?;
                self.try_move(from, |table, _| Ok(table.play(mv)?), rng)
            }
            Wish::Play { mv, node } => {
                let side = self.to_move(who)?;
                self.answers(*node)?;
                if self.board.table.turn().0 == Turn::Chance {
                    return Err(refuse(Code::NotNow, "the dice are to be rolled"));
                }
                self.make_move(Some(side), |table, _| Ok(table.play(mv)?), rng, now)
            }
            Wish::Roll { node } if sandbox => {
                self.owner(who)?;
                let from = self.known(node.unwrap_or(self.at))?;
                self.try_move(from, roll_anew, rng)
            }
            Wish::Roll { node } => {
                self.to_move(who)?;
                self.answers(*node)?;
                self.roll(rng, now)
            }
            Wish::Undo => self.undo(who),
            Wish::Resign => {
                let side = self.own_side(who)?;
                self.going_on()?;
                Ok(vec![Entry::Ended { result: won(side.other(), By::Resign) }])
            }
            Wish::Offer { offer: Offer::Draw } => self.offer_draw(who, catalog),
            Wish::Offer { offer: Offer::Undo } => self.undo(who),
            Wish::Answer { offer, accept } => self.answer(who, *offer, *accept),
            Wish::Swap => {
                self.own_side(who)?;
                self.going_on()?;
                match self.opening.mode {
                    Mode::Ai | Mode::Here => Ok(vec![Entry::Swapped]),
                    _ => Err(refuse(Code::NotNow, "sides can be changed with the machine only")),
                }
            }
            Wish::Pause { on } if self.opening.mode == Mode::Watch => {
                if !who.owner {
                    return Err(refuse(Code::Forbidden, "only who started the game can halt it"));
                }
                Ok(vec![Entry::Paused { on: *on }])
            }
            Wish::Chat { text } => {
                let text = clean(text, LONGEST[1]);
                if text.is_empty() {
                    return Err(refuse(Code::BadMessage, "there is nothing to say"));
                }
                if self.chat.len() >= MOST_SAID {
                    return Err(refuse(Code::TooMany, "enough has been said at this table"));
                }
                let name = match who.you {
                    You::First => self.seat(Side::First).name.clone(),
                    You::Second => self.seat(Side::Second).name.clone(),
                    _ => String::new(),
                };
                Ok(vec![Entry::Said { line: ChatLine { from: who.you, name, text, at: epoch } }])
            }
            Wish::Toggle { cell } => self.toggle(who, cell),
            Wish::Accept { count } => self.accept(who, *count),
            Wish::Resume => {
                self.own_side(who)?;
                self.count
                    .as_ref()
                    .filter(|_| self.result.is_none())
                    .ok_or_else(|| refuse(Code::NotNow, "nothing is being counted"))?;
                // Back before the passes.
                let path = self.tree.path(self.at);
                let to = path.iter().rev().nth(2).copied().unwrap_or(ROOT);
                Ok(vec![Entry::Resumed { to }])
            }
            Wish::Goto { node } if sandbox => {
                self.owner(who)?;
                Ok(vec![Entry::Went { to: self.known(*node)? }])
            }
            Wish::Delete { node } if sandbox => {
                self.owner(who)?;
                let node = self.known(*node)?;
                if node == ROOT {
                    return Err(refuse(Code::NotNow, "the start stays"));
                }
                Ok(vec![Entry::Removed { node }])
            }
            Wish::Promote { node } if sandbox => {
                self.owner(who)?;
                Ok(vec![Entry::Promoted { node: self.known(*node)? }])
            }
            Wish::Comment { node, text } => {
                if !sandbox && self.result.is_none() {
                    return Err(refuse(Code::NotNow, "games are commented when they are over"));
                }
                self.seated(who)?;
                Ok(vec![Entry::Commented { node: self.known(*node)?, text: clean(text, LONGEST[2]) }])
            }
            Wish::Marks { node, marks } if sandbox => {
                self.owner(who)?;
                if marks.len() > 400 || marks.iter().any(|mark| mark.cell.len() > 12 || mark.shape.len() > 12) {
                    return Err(refuse(Code::TooLarge, "too many marks"));
                }
                Ok(vec![Entry::Marked { node: self.known(*node)?, marks: marks.clone() }])
            }
            _ => Err(refuse(Code::NotNow, "this cannot be done at this table")),
        }
    }

    /// The machine's move.
    pub fn machine_move(&mut self, mv: &str, rng: &mut Rng, now: Instant) -> Result<Vec<Entry>, Trouble> {
        let Turn::Decision(side) = self.board.table.turn().0 else {
            return Err(refuse(Code::NotNow, "the machine is not to move"));
        };
        self.make_move(Some(side), |table, _| Ok(table.play(mv)?), rng, now)
    }

    /// The machine's roll.
    pub fn machine_roll(&mut self, rng: &mut Rng, now: Instant) -> Result<Vec<Entry>, Trouble> {
        self.roll(rng, now)
    }

    /// Rolls the dice of the side to move: its next roll, be it for the first time or after it was taken back.
    fn roll(&mut self, rng: &mut Rng, now: Instant) -> Result<Vec<Entry>, Trouble> {
        let (turn, side) = self.board.table.turn();
        if turn != Turn::Chance {
            return Err(refuse(Code::NotNow, "there are no dice to be rolled now"));
        }
        let before = self.rolls_before(self.at, side);
        let known = self.rolls[side.index()].get(before).cloned();
        let roll = |table: &mut dyn Table, rng: &mut Rng| match known {
            // In another position these dice may be impossible.
            Some(known) if table.play(&known).is_ok() => Ok(()),
            _ => roll_anew(table, rng),
        };
        self.make_move(None, roll, rng, now)
    }

    /// How often a side has rolled on the way to a node.
    fn rolls_before(&self, node: u32, side: Side) -> usize {
        self.tree.path(node).iter().filter(|id| self.rollers.get(id) == Some(&side)).count()
    }

    /// The dead groups as the machine sees them; a machine agrees with itself.
    pub fn propose(&self, dead: Vec<String>) -> Vec<Entry> {
        let accepted = Side::BOTH.map(|side| self.seat(side).sitter == Sitter::Ai);
        let mut entries = vec![Entry::Dead { dead: dead.clone(), accepted, proposed: true }];
        entries.extend(self.result_if_agreed(&dead, accepted));
        entries
    }

    /// Somebody sat down: what there is to write about it.
    pub fn greet(&self, who: Who, name: Option<&str>) -> Vec<Entry> {
        let mut entries = Vec::new();
        for side in Side::BOTH {
            if self.opening.mode == Mode::Link && who.plays(side) && !self.seat(side).came {
                entries.push(Entry::Came { side });
            }
            let name = clean(name.unwrap_or_default(), LONGEST[0]).replace('\n', " ");
            let mine = matches!((who.you, side), (You::First, Side::First) | (You::Second, Side::Second));
            if mine && !name.is_empty() && name != self.seat(side).name {
                entries.push(Entry::Named { side, name });
            }
        }
        entries
    }

    fn owner(&self, who: Who) -> Result<(), Trouble> {
        if who.owner { Ok(()) } else { Err(refuse(Code::Forbidden, "only who opened the sandbox can change it")) }
    }

    fn seated(&self, who: Who) -> Result<(), Trouble> {
        if who.owner || who.you != You::Spectator { Ok(()) } else { Err(refuse(Code::Forbidden, "you are looking on")) }
    }

    fn known(&self, node: u32) -> Result<u32, Trouble> {
        if self.has(node) { Ok(node) } else { Err(refuse(Code::Unknown, "there is no such node")) }
    }

    fn going_on(&self) -> Result<(), Trouble> {
        if self.result.is_some() {
            return Err(refuse(Code::Over, "the game is over"));
        }
        if self.opening.mode == Mode::Sandbox {
            return Err(refuse(Code::NotNow, "this is a sandbox, not a game"));
        }
        Ok(())
    }

    /// The side of somebody; with both, the side to move.
    fn own_side(&self, who: Who) -> Result<Side, Trouble> {
        match who.you {
            You::First => Ok(Side::First),
            You::Second => Ok(Side::Second),
            You::Both => Ok(self.board.table.turn().1),
            You::Spectator => Err(refuse(Code::Forbidden, "you are looking on")),
        }
    }

    /// The side to move, which must be his.
    fn to_move(&self, who: Who) -> Result<Side, Trouble> {
        self.going_on()?;
        self.own_side(who)?;
        if self.count.is_some() {
            return Err(refuse(Code::NotNow, "the board is being counted: resume to play on"));
        }
        let side = self.board.table.turn().1;
        // One with both sides does not move for the machine.
        if !who.plays(side) || self.seat(side).sitter == Sitter::Ai {
            return Err(refuse(Code::NotYourTurn, "it is the other side's turn"));
        }
        Ok(side)
    }

    /// Whether a move for this node is for the one on the board. At one screen, where both sides move, nothing else tells a move that came twice
    /// from the other side's.
    fn answers(&self, node: Option<u32>) -> Result<(), Trouble> {
        match node {
            Some(node) if node == self.at => Ok(()),
            Some(_) => Err(refuse(Code::Changed, "there was a move meanwhile: this one answers another position")),
            None if self.opening.mode == Mode::Here => {
                Err(refuse(Code::BadMessage, "say in `node` which position the move answers: both sides move here"))
            }
            None => Ok(()),
        }
    }

    /// Tries a move from a node: what there is to write about it. The board stays behind the move, which is most likely carried out next.
    fn try_move(
        &mut self,
        from: u32,
        play: impl FnOnce(&mut dyn Table, &mut Rng) -> Result<(), Trouble>,
        rng: &mut Rng,
    ) -> Result<Vec<Entry>, Trouble> {
        if self.tree.len() >= MOST_NODES {
            return Err(refuse(Code::TooMany, "the tree is full"));
        }
        self.board.go(&self.tree, from)?;
        let side = match self.board.table.turn().0 {
            Turn::Decision(side) => Some(side),
            _ => None,
        };
        let mv = match self.board.attempt(|table| play(table, rng)) {
            Ok(mv) => mv,
            Err(trouble) => {
                self.settle()?;
                return Err(trouble);
            }
        };
        let mut entries = vec![Entry::Played { from, mv, side, ms: None, left: None }];
        if self.opening.mode != Mode::Sandbox
            && let Some(end) = self.board.table.end()
        {
            let counted = end.why == Why::Score && self.board.table.count(&[]).is_some();
            entries.push(if counted { Entry::CountBegun } else { Entry::Ended { result: end.into() } });
        }
        Ok(entries)
    }

    /// Takes back a move that was tried and is not to be carried out: the board is where the game is.
    pub fn settle(&mut self) -> Result<(), Trouble> {
        self.board.go(&self.tree, self.at)
    }

    /// The same in a game, with the time it took.
    fn make_move(
        &mut self,
        side: Option<Side>,
        play: impl FnOnce(&mut dyn Table, &mut Rng) -> Result<(), Trouble>,
        rng: &mut Rng,
        now: Instant,
    ) -> Result<Vec<Entry>, Trouble> {
        let mut entries = self.try_move(self.at, play, rng)?;
        if let (Some(side), Some(Entry::Played { ms, left, .. })) = (side, entries.first_mut()) {
            let spent = now.saturating_duration_since(self.turn_since).as_millis();
            *ms = Some(u32::try_from(spent).unwrap_or(u32::MAX));
            *left = self.clock.clone().map(|mut clock| clock.press(side, now));
        }
        Ok(entries)
    }

    fn undo(&self, who: Who) -> Result<Vec<Entry>, Trouble> {
        let own = self.own_side(who)?;
        self.going_on()?;
        if self.count.is_some() {
            return Err(refuse(Code::NotNow, "the board is being counted: resume to play on"));
        }
        let to = match self.opening.mode {
            // One's own last move; at one screen, whoever's.
            Mode::Here => self.before_last_of(None),
            _ => self.before_last_of(Some(own)),
        };
        let to = to.ok_or_else(|| refuse(Code::NotNow, "there is nothing to take back"))?;
        if self.opening.mode == Mode::Link {
            return match self.offers.undo {
                Some(side) if side != own => self.answer(who, Offer::Undo, true),
                _ => self.offer_once(Offer::Undo, own),
            };
        }
        Ok(vec![Entry::Cut { to }])
    }

    /// The node before the last decision of a side, or of anybody. What a table began with is not taken back.
    fn before_last_of(&self, side: Option<Side>) -> Option<u32> {
        let path = self.tree.path(self.at);
        let made = |id: &&u32| {
            let by = self.tree.get(**id).and_then(|node| node.side);
            by.is_some() && (side.is_none() || by == side)
        };
        let last = path.iter().skip(self.opening.tree.len()).rev().find(made)?;
        self.tree.get(*last)?.parent
    }

    fn offer_draw(&self, who: Who, catalog: &Catalog) -> Result<Vec<Entry>, Trouble> {
        let own = self.own_side(who)?;
        self.going_on()?;
        if !catalog.draws(&self.opening.game) {
            return Err(refuse(Code::NotNow, "nobody agrees on a draw in this game"));
        }
        let agreed = Entry::Ended { result: GameResult { winner: Winner::Draw, by: By::Agreement, points: None } };
        match self.opening.mode {
            Mode::Here => Ok(vec![agreed]),
            Mode::Ai => {
                // The machine takes a draw when it does not stand better and the game has come some way.
                let enough = self.tree.path(self.at).len() >= 20;
                match self.machine_value {
                    Some(value) if value <= 0.05 && enough => Ok(vec![agreed]),
                    _ => Err(refuse(Code::Declined, "the machine would like to play on")),
                }
            }
            _ => match self.offers.draw {
                Some(side) if side != own => Ok(vec![agreed]),
                _ => self.offer_once(Offer::Draw, own),
            },
        }
    }

    /// An offer to the other side, who is not to be asked again and again: another one needs a move.
    fn offer_once(&self, offer: Offer, by: Side) -> Result<Vec<Entry>, Trouble> {
        match self.offered.contains(&(offer, by)) {
            true => Err(refuse(Code::NotNow, "you have asked already: ask again after a move")),
            false => Ok(vec![Entry::Offered { offer, by: Some(by) }]),
        }
    }

    fn answer(&self, who: Who, offer: Offer, accept: bool) -> Result<Vec<Entry>, Trouble> {
        let own = self.own_side(who)?;
        let open = match offer {
            Offer::Draw => self.offers.draw,
            Offer::Undo => self.offers.undo,
            Offer::Rematch => self.offers.rematch,
        };
        let by = open.filter(|&by| by != own).ok_or_else(|| refuse(Code::NotNow, "there is no such offer"))?;
        if !accept {
            return Ok(vec![Entry::Offered { offer, by: None }]);
        }
        match offer {
            Offer::Draw => {
                self.going_on()?;
                Ok(vec![Entry::Ended { result: GameResult { winner: Winner::Draw, by: By::Agreement, points: None } }])
            }
            Offer::Undo => {
                self.going_on()?;
                let to = self
                    .before_last_of(Some(by))
                    .ok_or_else(|| refuse(Code::NotNow, "there is nothing to take back"))?;
                Ok(vec![Entry::Cut { to }])
            }
            // Only who can open tables can accept this: see the room's task.
            Offer::Rematch => Err(refuse(Code::NotNow, "there is no such offer")),
        }
    }

    /// Whether a wish agrees to another game that the other side wants.
    pub fn agrees_on_rematch(&self, who: Who, wish: &Wish) -> Result<bool, Trouble> {
        let asks = matches!(wish, Wish::Rematch | Wish::Offer { offer: Offer::Rematch });
        let accepts = matches!(wish, Wish::Answer { offer: Offer::Rematch, accept: true });
        if !asks && !accepts {
            return Ok(false);
        }
        if self.opening.mode == Mode::Sandbox {
            return Err(refuse(Code::NotNow, "this is a sandbox, not a game"));
        }
        if self.opening.mode == Mode::Watch && !who.owner {
            return Err(refuse(Code::Forbidden, "you are looking on"));
        }
        if self.next.is_some() {
            return Err(refuse(Code::NotNow, "there is another game already"));
        }
        if self.opening.mode != Mode::Link {
            return if self.opening.mode == Mode::Watch { Ok(true) } else { self.own_side(who).map(|_| true) };
        }
        let own = self.own_side(who)?;
        if self.result.is_none() {
            return Err(refuse(Code::NotNow, "this game is not over yet"));
        }
        match self.offers.rematch {
            Some(by) if by != own => Ok(true),
            Some(_) => Err(refuse(Code::NotNow, "you have asked already")),
            None if accepts => Err(refuse(Code::NotNow, "there is no such offer")),
            None => Ok(false),
        }
    }

    /// The offer of another game, to be written down.
    pub fn offer_rematch(&self, who: Who) -> Result<Vec<Entry>, Trouble> {
        Ok(vec![Entry::Offered { offer: Offer::Rematch, by: Some(self.own_side(who)?) }])
    }

    fn counting_now(&self) -> Result<&Count, Trouble> {
        self.count
            .as_ref()
            .filter(|_| self.result.is_none())
            .ok_or_else(|| refuse(Code::NotNow, "nothing is being counted"))
    }

    fn toggle(&self, who: Who, cell: &str) -> Result<Vec<Entry>, Trouble> {
        self.own_side(who)?;
        let count = self.counting_now()?;
        let chain = self.board.table.chain(cell);
        if chain.is_empty() {
            return Err(refuse(Code::Illegal, "there is no stone"));
        }
        let dead: Vec<String> = if count.dead.contains(&chain[0]) {
            count.dead.iter().filter(|stone| !chain.contains(stone)).cloned().collect()
        } else {
            count.dead.iter().cloned().chain(chain).collect()
        };
        // Whoever agreed did not agree to this; a machine does only if it is what it proposed.
        let same = count.proposal.as_ref().is_some_and(|proposal| same_stones(proposal, &dead));
        let accepted = Side::BOTH.map(|side| self.seat(side).sitter == Sitter::Ai && same);
        Ok(vec![Entry::Dead { dead, accepted, proposed: false }])
    }

    fn accept(&self, who: Who, seen: u32) -> Result<Vec<Entry>, Trouble> {
        self.own_side(who)?;
        let count = self.counting_now()?;
        if count.number != seen {
            return Err(refuse(Code::Changed, "the count has changed: look at it again"));
        }
        let mut accepted = count.accepted;
        for side in Side::BOTH {
            accepted[side.index()] |= who.plays(side);
        }
        let opponent_is_machine = |side: Side| self.seat(side).sitter == Sitter::Ai && !accepted[side.index()];
        if Side::BOTH.into_iter().any(opponent_is_machine) {
            return Err(refuse(Code::Disagrees, "the machine sees it otherwise: play on to show it"));
        }
        let mut entries = vec![Entry::Dead { dead: count.dead.clone(), accepted, proposed: false }];
        entries.extend(self.result_if_agreed(&count.dead, accepted));
        Ok(entries)
    }

    fn result_if_agreed(&self, dead: &[String], accepted: [bool; 2]) -> Option<Entry> {
        let counted = self.board.table.count(dead).filter(|_| accepted == [true; 2])?;
        Some(Entry::Ended { result: view::counted(counted.points) })
    }

    // ------------------------------------------------------------------------------------------------------------ entries

    /// Puts a move into the tree, and the board behind it.
    fn put(&mut self, from: u32, mv: &str, ms: Option<u32>) -> Result<u32, Trouble> {
        let (turn, to_move) = self.board.step(&self.tree, from, mv)?;
        let side = match turn {
            Turn::Decision(side) => Some(side),
            _ => None,
        };
        let played = self.board.table.last().map(Move::from).unwrap_or_default();
        let brought = played.mv.clone();
        let id = self.tree.add(from, played, side, ms);
        if turn == Turn::Chance {
            let number = self.rolls_before(from, to_move);
            let rolls = &mut self.rolls[to_move.index()];
            match rolls.get_mut(number) {
                Some(known) => *known = brought,
                None => rolls.push(brought),
            }
            self.rollers.insert(id, to_move);
        }
        self.board.path.push(id);
        Ok(id)
    }

    /// Carries out what happened. `now` is when time goes on running.
    pub fn apply(&mut self, entry: &Entry, now: Instant, changes: &mut Changes) -> Result<(), Trouble> {
        match entry {
            Entry::Played { from, mv, ms, left, .. } => {
                let id = self.put(self.known(*from)?, mv, *ms)?;
                self.at = id;
                self.offers = Offers { rematch: self.offers.rematch, ..Offers::default() };
                self.offered.clear();
                if let (Some(clock), Some(left)) = (&mut self.clock, left) {
                    clock.run(None, now);
                    clock.set_left(*left);
                }
                self.turn_since = now;
                changes.nodes.push(id);
            }
            Entry::Cut { to } | Entry::Resumed { to } => {
                let to = self.known(*to)?;
                self.at = to;
                self.board.go(&self.tree, to)?;
                self.tree.cut(to);
                self.count = None;
                self.offers = Offers::default();
                self.offered.clear();
                self.turn_since = now;
                changes.tree = true;
            }
            Entry::Ended { result } => {
                self.result = Some(*result);
                self.offers = Offers::default();
            }
            Entry::CountBegun => {
                self.counts += 1;
                let (number, dead) = (self.counts, Vec::new());
                self.count = Some(Count { number, dead, proposal: None, accepted: [false; 2] });
            }
            Entry::Dead { dead, accepted, proposed } => {
                if let Some(count) = &mut self.count {
                    if !same_stones(&count.dead, dead) {
                        self.counts += 1;
                        count.number = self.counts;
                    }
                    count.dead.clone_from(dead);
                    count.accepted = *accepted;
                    if *proposed {
                        count.proposal = Some(dead.clone());
                    }
                }
            }
            Entry::Offered { offer, by } => {
                self.offered.extend(by.map(|by| (*offer, by)));
                match offer {
                    Offer::Draw => self.offers.draw = *by,
                    Offer::Undo => self.offers.undo = *by,
                    Offer::Rematch => self.offers.rematch = *by,
                }
            }
            Entry::Swapped => {
                self.opening.seats.swap(0, 1);
                self.turn_since = now;
                changes.seats = true;
            }
            Entry::Came { side } => self.opening.seats[side.index()].came = true,
            Entry::Named { side, name } => self.opening.seats[side.index()].name.clone_from(name),
            Entry::Said { line } => {
                self.chat.push(line.clone());
                changes.said.push(line.clone());
            }
            Entry::Went { to } => {
                self.at = self.known(*to)?;
                self.board.go(&self.tree, self.at)?;
            }
            Entry::Removed { node } => {
                let node = self.known(*node)?;
                let parent = self.tree.get(node).and_then(|node| node.parent).unwrap_or(ROOT);
                if self.tree.path(self.at).contains(&node) {
                    self.at = parent;
                }
                // The board must not stand on what goes away.
                self.board.go(&self.tree, self.at)?;
                self.tree.remove(node);
                changes.tree = true;
            }
            Entry::Promoted { node } => {
                self.tree.promote(self.known(*node)?);
                changes.tree = true;
            }
            Entry::Commented { node, text } => {
                if let Some(node) = self.tree.get_mut(*node) {
                    node.comment.clone_from(text);
                    changes.nodes.push(node.id);
                }
            }
            Entry::Marked { node, marks } => {
                if let Some(node) = self.tree.get_mut(*node) {
                    node.marks.clone_from(marks);
                    changes.nodes.push(node.id);
                }
            }
            Entry::Judged { node, judged } => {
                if let Some(node) = self.tree.get_mut(*node) {
                    node.judged = Some(judged.clone());
                    changes.nodes.push(node.id);
                }
            }
            Entry::Paused { on } => self.paused = *on,
            Entry::Next { table } => self.next = Some(table.clone()),
            Entry::Archived { game } => self.library = Some(*game),
        }
        self.settle_clock(now);
        Ok(())
    }

    /// Lets the right clock run.
    fn settle_clock(&mut self, now: Instant) {
        let halts = self.halts();
        let Some(clock) = &mut self.clock else {
            return;
        };
        let path = self.tree.path(self.at);
        let has_moved =
            |side: Side| path.iter().any(|&id| self.tree.get(id).is_some_and(|node| node.side == Some(side)));
        let going_on = self.result.is_none() && self.count.is_none() && !halts;
        let (turn, to_move) = self.board.table.turn();
        let over = matches!(turn, Turn::Over(_));
        let runs = going_on && !over && Side::BOTH.into_iter().all(has_moved);
        clock.run(runs.then_some(to_move), now);
    }
}

/// Lets chance decide.
fn roll_anew(table: &mut dyn Table, rng: &mut Rng) -> Result<(), Trouble> {
    table.roll(rng).map(|_| ()).ok_or_else(|| refuse(Code::NotNow, "there are no dice to be rolled now"))
}

fn won(side: Side, by: By) -> GameResult {
    let winner = if side == Side::First { Winner::First } else { Winner::Second };
    GameResult { winner, by, points: None }
}

/// A mark as files have it.
fn file_mark(mark: &Mark) -> tengen_record::Mark {
    use tengen_record::Shape;
    let shape = match mark.shape.as_str() {
        "circle" => Shape::Circle,
        "square" => Shape::Square,
        "triangle" => Shape::Triangle,
        "cross" => Shape::Cross,
        _ => Shape::Label,
    };
    let label = if shape == Shape::Label { mark.shape.clone() } else { String::new() };
    tengen_record::Mark { shape, at: mark.cell.clone(), label, ..tengen_record::Mark::default() }
}

fn same_stones(one: &[String], other: &[String]) -> bool {
    one.len() == other.len() && one.iter().all(|stone| other.contains(stone))
}

/// Compares secrets in a time that does not tell where they differ.
fn same_text(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    /// What the boards of this thread have done.
    #[derive(Default, Clone, Copy, PartialEq, Debug)]
    pub(super) struct Work {
        pub drawn: u32,
        pub played: u32,
    }

    thread_local! {
        pub(super) static WORK: RefCell<Work> = RefCell::default();
    }

    fn seat(key: &str) -> Seat {
        Seat { sitter: Sitter::Person, name: String::new(), level: None, key: key.to_owned(), came: true }
    }

    fn room(game: &str, clock: Option<ClockRule>) -> Room {
        let opening = Opening {
            id: "AAAAAAAAAAAA".to_owned(),
            game: game.to_owned(),
            setup: Setup::standard(),
            mode: Mode::Link,
            seats: [seat("one"), seat("two")],
            owner: String::new(),
            clock,
            tree: Vec::new(),
            begun: 0,
        };
        Room::new(opening, Instant::now()).expect("a game")
    }

    #[test]
    fn a_move_is_played_once_and_drawn_once() {
        let clock = ClockRule::Absolute { main_ms: 60_000 };
        let mut room = room("chess", Some(clock));
        let (catalog, mut rng, now) = (Catalog::bundled(), Rng::with_seed(1), Instant::now());
        let both = [You::First, You::Second].map(|you| Who { you, owner: false });
        WORK.take();
        for (ply, mv) in ["e4", "e5", "Nf3", "Nc6"].into_iter().enumerate() {
            let wish = Wish::Play { mv: mv.to_owned(), node: Some(ply as u32) };
            let entries = room.decide(both[ply % 2], &wish, &catalog, &mut rng, now, 0).expect(mv);
            entries.iter().for_each(|entry| room.apply(entry, now, &mut Changes::default()).expect("carried out"));
            // What the task asks of a room after a move: what it tells, and who is next.
            room.live(&catalog, [true; 2], 0, None, now);
            assert_eq!((room.next(), room.is_awake()), (Next::Nothing, ply > 0), "the clock runs when both have moved");
        }
        assert_eq!(WORK.take(), Work { drawn: 4, played: 4 });
    }

    #[test]
    fn a_move_that_is_not_carried_out_leaves_no_trace() {
        let mut room = room("chess", None);
        let (catalog, mut rng, now) = (Catalog::bundled(), Rng::with_seed(1), Instant::now());
        let who = Who { you: You::First, owner: false };
        let before = room.live(&catalog, [true; 2], 0, None, now);
        let mut decide = |room: &mut Room, mv: &str| {
            room.decide(who, &Wish::Play { mv: mv.to_owned(), node: None }, &catalog, &mut rng, now, 0)
        };
        decide(&mut room, "e4").expect("a legal move");
        room.settle().expect("back");
        assert_eq!(room.live(&catalog, [true; 2], 0, None, now), before);
        decide(&mut room, "e5").expect_err("too far");
        assert_eq!(room.live(&catalog, [true; 2], 0, None, now), before);
        // What was decided before is carried out all the same.
        let entries = decide(&mut room, "e4").expect("a legal move");
        decide(&mut room, "d4").expect("another");
        room.apply(&entries[0], now, &mut Changes::default()).expect("carried out");
        assert_eq!((room.at, room.board.table.moves()), (1, vec!["e2e4".to_owned()]));
    }

    /// A log as it was written when counts had no numbers and openings said less.
    #[test]
    fn old_logs_are_read() {
        let seat =
            |key: &str| serde_json::json!({"sitter": "person", "name": "", "level": null, "key": key, "came": true});
        let opening = serde_json::json!({
            "id": "AAAAAAAAAAAA", "game": "go5", "setup": {}, "mode": "link", "seats": [seat("one"), seat("two")],
            "owner": "", "clock": null, "tree": [], "begun": 0
        });
        let entries = [
            r#"{"did":"played","from":0,"mv":"C3","side":"first","ms":5,"left":null}"#,
            r#"{"did":"played","from":1,"mv":"pass","side":"second","ms":5,"left":null}"#,
            r#"{"did":"offered","offer":"draw","by":"first"}"#,
            r#"{"did":"offered","offer":"draw","by":null}"#,
            r#"{"did":"played","from":2,"mv":"pass","side":"first","ms":5,"left":null}"#,
            r#"{"did":"countBegun"}"#,
            r#"{"did":"dead","dead":[],"accepted":[false,false],"proposed":true}"#,
            r#"{"did":"dead","dead":[],"accepted":[true,false],"proposed":false}"#,
        ];
        let room = Room::restore(&opening.to_string(), &entries.map(str::to_owned), Instant::now()).expect("a log");
        let counting = room.counting().expect("it is being counted");
        assert_eq!((counting.number, counting.accepted, room.at), (1, [true, false], 3));
    }
}
