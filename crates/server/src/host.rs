//! The task that keeps one room: hears what people at it want, writes it down, tells everybody, and lets the machine think.
//!
//! The order is always the same: decide, apply, write, announce. Nothing is announced that is not on disk; if writing fails, the
//! room is read again from disk and nobody has seen anything.

use crate::fair::Fair;
use crate::guard::{Effort, Visitor};
use crate::hub::Hub;
use crate::message::{Candidate, ClockRule, Code, Event, Judged, Mode, Trouble, Wish, You};
use crate::mind::{Mind, Minds};
use crate::pool::{Kind, NOBODY, Progress, Stop};
use crate::room::{Changes, Entry, First, Next, Room, Who};
use crate::socket::Outbox;
use crate::store::Line;
use crate::think::{self, Chosen, Review, Study};
use crate::{secret, time};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tengen_core::{Rng, Side};
use tengen_record::{GameTree, Setup};
use tokio::sync::{mpsc, oneshot};

/// A table that nobody looks at stays in memory for so long.
const LINGER: Duration = Duration::from_secs(120);
/// Pages that look on at one table. Who has a seat always finds a place.
const MOST_SPECTATORS: usize = 1000;
/// Who came and who left is told to all together, at most so often: a thousand people come as one crowd.
const CROWD: Duration = Duration::from_millis(250);
/// Bytes in a table's log.
const MOST_WRITTEN: usize = 16 << 20;
/// Addresses of people who have played at one table that are remembered.
const MOST_PLAYERS: usize = 16;
/// Between two moves of a machine that plays itself, so that people can follow.
const PACE: Duration = Duration::from_millis(350);
/// How long the machine thinks about a hint, and about each position of a review.
const HINT: Duration = Duration::from_millis(1200);
const REVIEW: Duration = Duration::from_millis(250);
/// Machines that play themselves stop here: nobody waits for the end of such a game.
const LONGEST: usize = 3000;

/// What a room's task hears.
pub enum ToRoom {
    /// Somebody sits down or looks on.
    Join { page: u64, re: u32, key: Option<String>, name: Option<String>, visitor: Arc<Visitor>, out: Outbox },
    /// Somebody left.
    Leave { page: u64 },
    /// Somebody wants something; it came at that time.
    Ask { page: u64, re: u32, wish: Wish, at: Instant, out: Outbox },
    /// The machine has chosen a move.
    Chosen { turn: u64, side: Side, chosen: Result<Chosen, Trouble>, mind: Option<Box<Mind>> },
    /// The machine has found the dead groups.
    Dead { turn: u64, dead: Result<Vec<String>, Trouble> },
    /// The machine has a hint.
    Hinted { page: u64, re: u32, node: u32, found: Result<Candidate, Trouble> },
    /// The machine has judged some moves.
    Reviewed { serial: u64, progress: (u32, u32), judged: Vec<(u32, Judged)>, done: bool },
    /// The game is in the library.
    Archived { game: Result<u32, Trouble> },
    /// Somebody wants the game as a record.
    Read { reply: oneshot::Sender<GameTree> },
    /// Somebody wants to go on from here at another table.
    Copy { node: Option<u32>, reply: oneshot::Sender<Result<Copied, Trouble>> },
    /// The server ends.
    Close,
}

/// A game as another table begins with it: its id, how it was set up, its tree.
pub type Copied = (String, Setup, Vec<First>);

/// A page at the table.
struct Page {
    who: Who,
    key: Option<String>,
    visitor: Arc<Visitor>,
    out: Outbox,
    /// Ends its analysis.
    study: Option<Stop>,
}

/// What is known of a table's log without reading it.
#[derive(Default)]
pub struct Log {
    lines: usize,
    bytes: usize,
    /// Where comments and marks stand that have been written since the table was loaded, and how long they are: when one is written anew, it takes
    /// the place of the old one.
    notes: HashMap<(u32, bool), (usize, usize)>,
}

impl Log {
    /// Of these entries.
    pub fn of(entries: &[String]) -> Self {
        Log { lines: entries.len(), bytes: entries.iter().map(String::len).sum(), notes: HashMap::new() }
    }

    /// The line on which an entry is to be written.
    fn add(&mut self, entry: &Entry, text: String) -> Line {
        let note = match entry {
            Entry::Commented { node, .. } => Some((*node, false)),
            Entry::Marked { node, .. } => Some((*node, true)),
            _ => None,
        };
        self.bytes += text.len();
        let before = note.and_then(|note| self.notes.get(&note)).copied();
        let number = match before {
            Some((number, length)) => {
                self.bytes -= length;
                number
            }
            None => {
                self.lines += 1;
                self.lines - 1
            }
        };
        if let Some(note) = note {
            self.notes.insert(note, (number, text.len()));
        }
        Line { number, text, anew: before.is_some() }
    }
}

/// The task.
pub struct Host {
    hub: Arc<Hub>,
    room: Room,
    inbox: mpsc::Receiver<ToRoom>,
    me: mpsc::WeakSender<ToRoom>,
    pages: HashMap<u64, Page>,
    /// Visitors who have had a seat at the table, as far as this room remembers.
    players: HashSet<u64>,
    rng: Rng,
    /// Grows with every change of the position: thoughts about an older one are not heard.
    turn: u64,
    /// What the machine is doing, for which turn, and how to stop it.
    busy: Option<(Next, u64, Option<Stop>)>,
    review: Option<(u64, Stop)>,
    /// The machine on the chairs, while it does not think.
    minds: Minds,
    serial: u64,
    /// When the machine may do its next thing.
    not_before: Instant,
    last_seen: Instant,
    /// For whom the machine thinks, present or not: who opened the table, and later who sat down last.
    payer: Option<Arc<Visitor>>,
    log: Log,
    /// When the pages are to hear who came and left.
    crowd_due: Option<Instant>,
}

impl Host {
    /// Takes a room over.
    pub fn new(
        hub: Arc<Hub>,
        room: Room,
        log: Log,
        payer: Option<Arc<Visitor>>,
        inbox: mpsc::Receiver<ToRoom>,
        me: mpsc::WeakSender<ToRoom>,
    ) -> Self {
        let now = Instant::now();
        Host {
            hub,
            room,
            inbox,
            me,
            pages: HashMap::new(),
            players: HashSet::new(),
            rng: secret::rng(),
            turn: 0,
            busy: None,
            review: None,
            minds: Minds::default(),
            serial: 0,
            not_before: now,
            last_seen: now,
            payer,
            log,
            crowd_due: None,
        }
    }

    /// Keeps the room until nobody needs it.
    pub async fn run(mut self) {
        loop {
            self.follow_up().await;
            let wake = tokio::time::Instant::from_std(self.wake_at());
            let heard = tokio::select! {
                heard = self.inbox.recv() => heard,
                () = tokio::time::sleep_until(wake) => {
                    if self.may_leave() {
                        break;
                    }
                    self.tick().await;
                    continue;
                }
            };
            match heard {
                Some(ToRoom::Close) | None => break,
                Some(message) => self.hear(message).await,
            }
        }
        self.stop_everything();
        let id = self.room.opening.id.clone();
        self.hub.fair.forget(&id, &self.players);
        self.hub.unload(&id, self.inbox);
    }

    fn stop_everything(&mut self) {
        let studies = self.pages.values_mut().filter_map(|page| page.study.take());
        let review = self.review.take().map(|(_, stop)| stop);
        let busy = self.busy.take().and_then(|(_, _, stop)| stop);
        for stop in studies.chain(review).chain(busy) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    fn may_leave(&self) -> bool {
        self.pages.is_empty() && self.last_seen.elapsed() >= LINGER && !self.room.is_awake() && self.review.is_none()
    }

    /// When there is something to do though nobody says anything.
    fn wake_at(&self) -> Instant {
        let now = Instant::now();
        let flag = self.room.next_change(now);
        let machine = (self.busy.is_none() && self.room.next() != Next::Nothing).then_some(self.not_before);
        let leave = self.pages.is_empty().then(|| self.last_seen + LINGER + Duration::from_millis(10));
        let far = now + Duration::from_secs(3600);
        [flag, machine, leave, self.crowd_due, self.minds.idle_at()]
            .into_iter()
            .flatten()
            .min()
            .unwrap_or(far)
            .max(now + Duration::from_millis(1))
    }

    /// The clocks may have done something, or people have come and gone.
    async fn tick(&mut self) {
        let now = Instant::now();
        if self.crowd_due.is_some_and(|due| due <= now) {
            self.announce(&Changes::default(), now);
        }
        self.minds.rest(now);
        if let Some(entry) = self.room.flag(now) {
            let _ = self.commit(vec![entry], now).await;
        } else if let Some(clocks) =
            self.room.clocks(now).filter(|clocks| matches!(clocks.rule, ClockRule::Byoyomi { .. }))
        {
            self.tell_all(&Event::Time { clocks });
        }
    }

    async fn hear(&mut self, message: ToRoom) {
        self.last_seen = Instant::now();
        match message {
            ToRoom::Join { page, re, key, name, visitor, out } => self.join(page, re, key, name, visitor, out).await,
            ToRoom::Leave { page } => self.leave(page),
            ToRoom::Ask { page, re, wish, at, out } => match self.pages.contains_key(&page) {
                true => self.ask(page, re, wish, at).await,
                // It was refused a seat, or came with the last move of a table that left memory.
                false => out.refuse(re, Trouble::new(Code::UnknownTable, "join a table first")),
            },
            ToRoom::Chosen { turn, side, chosen, mind } => {
                // A thought that nobody waits for any more has taught it something all the same.
                if let Some(mind) = mind.filter(|_| !self.room.is_over() && !self.pages.is_empty()) {
                    self.minds.keep(side.index(), mind, &self.hub.memory);
                }
                self.play_machine(turn, chosen).await;
            }
            ToRoom::Dead { turn, dead } => {
                if turn == self.turn && self.busy.as_ref().is_some_and(|(next, ..)| *next == Next::Judge) {
                    self.busy = None;
                    // A machine that cannot tell leaves it to the people.
                    let entries = self.room.propose(dead.unwrap_or_default());
                    let _ = self.commit(entries, Instant::now()).await;
                }
            }
            ToRoom::Hinted { page, re, node, found } => match found {
                Ok(candidate) => self.tell(page, &Event::Hint { re, node, candidate }),
                Err(trouble) => self.refuse(page, re, trouble),
            },
            ToRoom::Reviewed { serial, progress, judged, done } => self.reviewed(serial, progress, judged, done).await,
            ToRoom::Archived { game } => {
                self.busy = None;
                match game {
                    Ok(game) => {
                        let _ = self.commit(vec![Entry::Archived { game }], Instant::now()).await;
                    }
                    // Not now: the room stays open and asks again.
                    Err(_) => self.not_before = Instant::now() + Duration::from_secs(60),
                }
            }
            ToRoom::Read { reply } => {
                let _ = reply.send(self.room.game_tree(&self.hub.catalog));
            }
            ToRoom::Copy { node, reply } => {
                let opening = &self.room.opening;
                // Wherever it is copied to, the machine would be asked about it.
                let copied = Fair::at_the_table(self.room.is_between_people())
                    .map(|()| (opening.game.clone(), opening.setup.clone(), self.room.copied_tree(node)));
                let _ = reply.send(copied);
            }
            // The loop has taken care of it.
            ToRoom::Close => {}
        }
    }

    // ------------------------------------------------------------------------------------------------------------ pages

    async fn join(
        &mut self,
        page: u64,
        re: u32,
        key: Option<String>,
        name: Option<String>,
        visitor: Arc<Visitor>,
        out: Outbox,
    ) {
        // Who comes is told the whole tree.
        let who = match visitor.spend(Effort::Wish, self.trees_weight()).and_then(|()| self.room.who(key.as_deref())) {
            Ok(who) if self.is_seated(who) || self.spectators() < MOST_SPECTATORS => who,
            Ok(_) => return out.refuse(re, Trouble::new(Code::TooMany, "too many people look on")),
            Err(trouble) => return out.refuse(re, trouble),
        };
        let now = Instant::now();
        let greeting = self.room.greet(who, name.as_deref());
        if !greeting.is_empty()
            && let Err(trouble) = self.take_down(&visitor, &greeting, now).await
        {
            return out.refuse(re, trouble);
        }
        if who.you != You::Spectator && self.players.len() < MOST_PLAYERS && self.players.insert(visitor.number) {
            self.note_game();
        }
        if self.is_seated(who) || self.payer.is_none() {
            self.payer = Some(Arc::clone(&visitor));
        }
        self.pages.insert(page, Page { who, key, visitor, out, study: None });
        self.room.watch(true, now);
        // The others hear of it in a moment.
        self.crowd_due.get_or_insert(now + CROWD);
        self.tell_joined(page, now);
        self.tell(page, &Event::Done { re });
    }

    fn leave(&mut self, page: u64) {
        if let Some(gone) = self.pages.remove(&page) {
            if let Some(stop) = gone.study {
                stop.store(true, Ordering::Relaxed);
            }
            let now = Instant::now();
            self.crowd_due.get_or_insert(now + CROWD);
            if self.pages.is_empty() {
                self.room.watch(false, now);
                // Nor is there memory for it.
                self.minds.dismiss();
                // What the machine thinks about a game that nobody sees is not waited for.
                if self.room.next() == Next::Nothing
                    && let Some((_, _, Some(stop))) = self.busy.take()
                {
                    stop.store(true, Ordering::Relaxed);
                    self.turn += 1;
                }
            }
        }
    }

    fn spectators(&self) -> usize {
        self.pages.values().filter(|page| !self.is_seated(page.who)).count()
    }

    fn tell(&mut self, page: u64, event: &Event) {
        if let Some(known) = self.pages.get(&page) {
            known.out.send(event);
        }
    }

    fn refuse(&mut self, page: u64, re: u32, trouble: Trouble) {
        if let Some(known) = self.pages.get(&page) {
            known.out.refuse(re, trouble);
        }
    }

    /// One text for all pages.
    fn tell_all(&mut self, event: &Event) {
        if self.pages.is_empty() {
            return;
        }
        let text = Outbox::write(event);
        // Those who play hear it first: a thousand others may be at the table.
        for seated in [true, false] {
            for page in self.pages.values().filter(|page| self.is_seated(page.who) == seated) {
                page.out.send_text(text.clone());
            }
        }
    }

    fn live(&self, now: Instant) -> Box<crate::message::Live> {
        let present = Side::BOTH.map(|side| self.pages.values().any(|page| page.who.plays(side)));
        let spectators = self.pages.values().filter(|page| page.who.you == You::Spectator).count() as u32;
        let thinking = match self.busy {
            Some((Next::Think(side), ..)) => Some(side),
            // It begins as soon as this is told.
            None => match self.room.next() {
                Next::Think(side) => Some(side),
                _ => None,
            },
            _ => None,
        };
        Box::new(self.room.live(&self.hub.catalog, present, spectators, thinking, now))
    }

    fn tell_joined(&mut self, page: u64, now: Instant) {
        let Some(you) = self.pages.get(&page).map(|page| page.who.you) else {
            return;
        };
        let joined =
            Event::Joined { you, live: self.live(now), tree: self.room.tree(), chat: self.room.chat().to_vec() };
        self.tell(page, &joined);
    }

    /// Tells all pages.
    fn announce(&mut self, changes: &Changes, now: Instant) {
        self.crowd_due = None;
        if changes.seats {
            for page in self.pages.values_mut() {
                // The key opened a seat before and does so still.
                if let Ok(who) = self.room.who(page.key.as_deref()) {
                    page.who = who;
                }
            }
            let pages: Vec<u64> = self.pages.keys().copied().collect();
            pages.into_iter().for_each(|page| self.tell_joined(page, now));
            return;
        }
        if self.pages.is_empty() {
            return;
        }
        let live = self.live(now);
        let event = match changes.tree {
            true => Event::Tree { live, tree: self.room.tree() },
            false => Event::Update { live, nodes: self.room.nodes(&changes.nodes) },
        };
        self.tell_all(&event);
    }

    // ------------------------------------------------------------------------------------------------------------ wishes

    async fn ask(&mut self, page: u64, re: u32, wish: Wish, at: Instant) {
        let Some((who, visitor)) = self.pages.get(&page).map(|page| (page.who, Arc::clone(&page.visitor))) else {
            return;
        };
        if let Err(trouble) = visitor.spend(Effort::Wish, self.weight(&wish) - 1) {
            return self.refuse(page, re, trouble);
        }
        // The flag falls by the time the wish came, not by the time it is read.
        if let Some(entry) = self.room.flag(at) {
            let _ = self.commit(vec![entry], at).await;
        }
        let done = match &wish {
            Wish::Look { node } => match self.room.look(*node) {
                Ok(view) => return self.tell(page, &Event::Looked { re, node: *node, view: Box::new(view) }),
                Err(trouble) => Err(trouble),
            },
            Wish::Hint => match self.hint(page, re, who, visitor.number) {
                // The answer comes when the machine has it.
                Ok(()) => return,
                Err(trouble) => Err(trouble),
            },
            Wish::MoveNow => {
                if let (true, Some((Next::Think(_), _, Some(stop)))) = (self.is_seated(who), &self.busy) {
                    stop.store(true, Ordering::Relaxed);
                    Ok(())
                } else {
                    Err(Trouble::new(Code::NotNow, "the machine is not thinking for you"))
                }
            }
            Wish::Analyse { node, seconds } => self.analyse(page, visitor.number, *node, *seconds),
            Wish::Quiet => {
                self.quiet(page);
                Ok(())
            }
            Wish::Review { node } => self.start_review(who, visitor.number, *node),
            Wish::StopReview => {
                if let (true, Some((_, stop))) = (self.is_seated(who), &self.review) {
                    stop.store(true, Ordering::Relaxed);
                }
                Ok(())
            }
            Wish::Rematch | Wish::Offer { .. } | Wish::Answer { .. } => match self.room.agrees_on_rematch(who, &wish) {
                Ok(true) => self.rematch(&visitor, at).await,
                Ok(false) if matches!(wish, Wish::Rematch | Wish::Offer { offer: crate::message::Offer::Rematch }) => {
                    match self.room.offer_rematch(who) {
                        Ok(entries) => self.commit(entries, at).await,
                        Err(trouble) => Err(trouble),
                    }
                }
                Ok(false) => self.decide(who, &visitor, &wish, at).await,
                Err(trouble) => Err(trouble),
            },
            _ => self.decide(who, &visitor, &wish, at).await,
        };
        match done {
            Ok(()) => self.tell(page, &Event::Done { re }),
            Err(trouble) => self.refuse(page, re, trouble),
        }
    }

    fn is_seated(&self, who: Who) -> bool {
        who.owner || who.you != You::Spectator
    }

    async fn decide(&mut self, who: Who, visitor: &Visitor, wish: &Wish, at: Instant) -> Result<(), Trouble> {
        let entries = self.room.decide(who, wish, &self.hub.catalog, &mut self.rng, at, time::epoch())?;
        let changes = match self.take_down(visitor, &entries, at).await {
            Ok(changes) => changes,
            Err(trouble) => {
                self.room.settle()?;
                return Err(trouble);
            }
        };
        self.announce_all(&entries, &changes);
        Ok(())
    }

    /// How many requests a wish counts for: those about a whole tree make work with its size.
    fn weight(&self, wish: &Wish) -> usize {
        match wish {
            Wish::Look { .. } | Wish::Goto { .. } | Wish::Delete { .. } | Wish::Promote { .. } => self.trees_weight(),
            // In a game a move only says which node it answers; in a sandbox it goes there.
            Wish::Play { node: Some(_), .. } if self.room.opening.mode == Mode::Sandbox => self.trees_weight(),
            Wish::Undo | Wish::Resume => self.trees_weight(),
            Wish::Swap | Wish::Hint | Wish::Analyse { .. } | Wish::Review { .. } => self.trees_weight(),
            _ => 1,
        }
    }

    fn trees_weight(&self) -> usize {
        1 + self.room.size() / 500
    }

    /// Writes what somebody wants to be written, if it is not too much for him or for the table.
    async fn take_down(&mut self, visitor: &Visitor, entries: &[Entry], now: Instant) -> Result<Changes, Trouble> {
        let mut bytes = 0;
        for entry in entries {
            bytes += serde_json::to_string(entry).map_err(Trouble::failed)?.len();
        }
        let is_game = self.room.opening.mode != Mode::Sandbox;
        let is_talk =
            |entry: &Entry| matches!(entry, Entry::Said { .. } | Entry::Commented { .. } | Entry::Named { .. });
        // A game goes on though everything has been said about it.
        if self.log.bytes + bytes > MOST_WRITTEN && (!is_game || entries.iter().any(is_talk)) {
            return Err(Trouble::new(Code::TooMany, "enough has been written at this table"));
        }
        visitor.spend(Effort::Written, bytes)?;
        self.write(entries, now).await
    }

    /// Applies, writes, announces.
    async fn commit(&mut self, entries: Vec<Entry>, now: Instant) -> Result<(), Trouble> {
        let changes = self.write(&entries, now).await?;
        self.announce_all(&entries, &changes);
        Ok(())
    }

    fn announce_all(&mut self, entries: &[Entry], changes: &Changes) {
        for line in &changes.said {
            self.tell_all(&Event::Chat { line: line.clone() });
        }
        if changes.said.len() < entries.len() {
            self.announce(changes, Instant::now());
        }
    }

    /// Applies and writes.
    async fn write(&mut self, entries: &[Entry], now: Instant) -> Result<Changes, Trouble> {
        let mut changes = Changes::default();
        let mut lines = Vec::with_capacity(entries.len());
        let mut carried_out = Ok(());
        for entry in entries {
            let written = serde_json::to_string(entry).map_err(Trouble::failed);
            carried_out = written.and_then(|text| {
                lines.push(self.log.add(entry, text));
                self.room.apply(entry, now, &mut changes)
            });
            if carried_out.is_err() {
                break;
            }
        }
        let done = match carried_out {
            Ok(()) => {
                let epoch = time::epoch() as i64;
                self.hub.store.append(&self.room.opening.id, lines, epoch, self.room.is_open()).await
            }
            Err(trouble) => Err(trouble),
        };
        if let Err(trouble) = done {
            self.reread().await;
            return Err(trouble);
        }
        let quiet = |entry: &Entry| {
            matches!(
                entry,
                Entry::Said { .. }
                    | Entry::Came { .. }
                    | Entry::Named { .. }
                    | Entry::Offered { .. }
                    | Entry::Judged { .. }
                    | Entry::Commented { .. }
                    | Entry::Marked { .. }
                    | Entry::Archived { .. }
                    | Entry::Next { .. }
            )
        };
        if entries.iter().filter(|entry| matches!(entry, Entry::Swapped)).count() % 2 == 1 {
            self.minds.swap();
        }
        if self.room.is_over() {
            self.minds.dismiss();
        }
        if !entries.iter().all(quiet) {
            self.turn += 1;
            self.note_game();
            // What the machine was doing was about another position.
            if let Some((_, _, Some(stop))) = self.busy.take() {
                stop.store(true, Ordering::Relaxed);
            }
            if self.room.opening.mode == Mode::Watch {
                self.not_before = Instant::now() + PACE;
            }
        }
        Ok(changes)
    }

    /// The room as it is on disk: what could not be written has not happened.
    async fn reread(&mut self) {
        let (hub, id) = (Arc::clone(&self.hub), self.room.opening.id.clone());
        let load = move || match hub.store.log(&id)? {
            Some(log) => Room::restore(&log.opening, &log.entries, Instant::now())
                .map(|room| Some((room, Log::of(&log.entries)))),
            None => Ok(None),
        };
        if let Ok(Ok(Some((room, log)))) = tokio::task::spawn_blocking(load).await {
            self.room = room;
            self.room.watch(!self.pages.is_empty(), Instant::now());
            self.log = log;
            self.turn += 1;
            self.busy = None;
        }
    }

    async fn rematch(&mut self, visitor: &Arc<Visitor>, now: Instant) -> Result<(), Trouble> {
        visitor.spend(Effort::Heavy, 1)?;
        let seed = self.rng.u32(..).into();
        let opening = self.room.rematch(secret::id(), time::epoch(), Some(seed));
        let table = opening.id.clone();
        self.hub.open_room(visitor, opening).await?;
        self.commit(vec![Entry::Next { table }], now).await
    }

    // ------------------------------------------------------------------------------------------------------------ machine

    /// Lets the machine do what it has to do.
    async fn follow_up(&mut self) {
        if self.busy.is_some() || Instant::now() < self.not_before {
            return;
        }
        let next = self.room.next();
        let turn = self.turn;
        match next {
            Next::Nothing => {}
            Next::Roll => {
                if let Ok(entries) = self.room.machine_roll(&mut self.rng, Instant::now()) {
                    let _ = Box::pin(self.commit(entries, Instant::now())).await;
                    // There may be more to do at once.
                    Box::pin(self.follow_up()).await;
                }
            }
            Next::Think(side) => match self.think(side, turn) {
                Ok(stop) => self.busy = Some((next, turn, Some(stop))),
                Err(_) => self.not_before = Instant::now() + Duration::from_secs(1),
            },
            Next::Judge => {
                let (spot, me, mut rng) = (self.room.spot(self.room.at()), self.me.clone(), self.rng.fork());
                let work = move |_: &_| {
                    let dead = think::dead_stones(&spot, &mut rng);
                    answer(&me, ToRoom::Dead { turn, dead });
                    Progress::Done
                };
                match self.hub.pool.submit(Kind::Move, self.payer(), work) {
                    Ok(stop) => self.busy = Some((next, turn, Some(stop))),
                    Err(_) => self.not_before = Instant::now() + Duration::from_secs(1),
                }
            }
            Next::Archive => {
                let record = self.room.game_tree(&self.hub.catalog).record();
                let (hub, me) = (Arc::clone(&self.hub), self.me.clone());
                self.busy = Some((next, turn, None));
                tokio::spawn(async move {
                    let game = hub.library.add(record).await;
                    if let Some(room) = me.upgrade() {
                        let _ = room.send(ToRoom::Archived { game }).await;
                    }
                });
            }
        }
    }

    fn payer(&self) -> u64 {
        self.payer.as_ref().map_or(NOBODY, |payer| payer.number)
    }

    fn think(&mut self, side: Side, turn: u64) -> Result<Stop, Trouble> {
        let level = self.room.opening.seats[side.index()].level.clone().unwrap_or_default();
        let (plan, _) = self.hub.catalog.find_level(&self.room.opening.game, &level)?;
        if self.room.opening.mode == Mode::Watch && self.log.lines > LONGEST {
            return Err(Trouble::new(Code::TooMany, "the game is too long"));
        }
        let clock = self.room.search_clock(side, Instant::now());
        let (spot, me) = (self.room.spot(self.room.at()), self.me.clone());
        let mut mind = self.minds.take(side.index(), &level);
        // Another one, if there is none.
        let mut fresh = Some((plan, self.rng.fork()));
        let work = move |stop: &_| {
            let known = mind.take().map(Ok);
            let sits = known.or_else(|| fresh.take().map(|(plan, rng)| Mind::new(&spot, plan, rng).map(Box::new)));
            let (chosen, mind) = match sits {
                Some(Ok(mut mind)) => (mind.choose(&spot.moves, clock, stop), Some(mind)),
                Some(Err(trouble)) => (Err(trouble), None),
                // A thought is one slice of work.
                None => return Progress::Done,
            };
            answer(&me, ToRoom::Chosen { turn, side, chosen, mind });
            Progress::Done
        };
        self.hub.pool.submit(Kind::Move, self.payer(), work)
    }

    async fn play_machine(&mut self, turn: u64, chosen: Result<Chosen, Trouble>) {
        if turn != self.turn || !matches!(self.busy, Some((Next::Think(_), ..))) {
            return;
        }
        self.busy = None;
        let now = Instant::now();
        if let Some(entry) = self.room.flag(now) {
            let _ = self.commit(vec![entry], now).await;
            return;
        }
        let played = match chosen {
            Ok(chosen) => {
                self.room.machine_value = Some(chosen.value);
                self.room.machine_move(&chosen.mv, &mut self.rng, now)
            }
            Err(trouble) => Err(trouble),
        };
        match played {
            Ok(entries) => {
                if self.commit(entries, now).await.is_err() {
                    self.not_before = Instant::now() + Duration::from_secs(1);
                }
            }
            // The log has why; in a while it may go better.
            Err(_) => self.not_before = Instant::now() + Duration::from_secs(5),
        }
    }

    /// Lets it be known how far the game of the people here has come, or that it is over.
    fn note_game(&self) {
        let id = &self.room.opening.id;
        if self.room.opening.mode != Mode::Link {
            return;
        }
        if self.room.is_between_people() {
            self.hub.fair.note(id, &self.players, self.room.going());
        } else {
            self.hub.fair.forget(id, &self.players);
        }
    }

    /// Whether a visitor may ask the machine about a node of this table. Of a game that goes on between people it says nothing to anybody: who
    /// looks on could be one of them in a second tab.
    fn may_study(&mut self, visitor: u64, node: u32) -> Result<(), Trouble> {
        Fair::at_the_table(self.room.is_between_people())?;
        self.hub.fair.check(visitor, &self.room.keys(node)?)
    }

    fn hint(&mut self, page: u64, re: u32, who: Who, visitor: u64) -> Result<(), Trouble> {
        self.may_study(visitor, self.room.at())?;
        if !self.is_seated(who) {
            return Err(Trouble::new(Code::Forbidden, "you are looking on"));
        }
        let node = self.room.at();
        let (spot, me) = (self.room.spot(node), self.me.clone());
        let analyst = self.hub.catalog.analyst(&self.room.opening.game).to_owned();
        let work = move |stop: &_| {
            let found = think::hint(&spot, &analyst, HINT, stop);
            answer(&me, ToRoom::Hinted { page, re, node, found });
            Progress::Done
        };
        self.hub.pool.submit(Kind::Move, visitor, work).map(|_| ())
    }

    fn quiet(&mut self, page: u64) {
        if let Some(stop) = self.pages.get_mut(&page).and_then(|page| page.study.take()) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    fn analyse(&mut self, page: u64, visitor: u64, node: Option<u32>, seconds: Option<f32>) -> Result<(), Trouble> {
        self.quiet(page);
        let node = node.unwrap_or(self.room.at());
        self.may_study(visitor, node)?;
        let seconds = seconds.filter(|seconds| seconds.is_finite()).unwrap_or(10.0).clamp(0.1, 60.0);
        let spot = self.room.spot(node);
        let analyst = self.hub.catalog.analyst(&self.room.opening.game).to_owned();
        let solver = self.hub.catalog.solver(&self.room.opening.game).map(str::to_owned);
        let Some(out) = self.pages.get(&page).map(|page| page.out.clone()) else {
            return Ok(());
        };
        let mut study = None;
        let work = move |stop: &std::sync::atomic::AtomicBool| {
            if stop.load(Ordering::Relaxed) || out.is_closed() {
                return Progress::Done;
            }
            if study.is_none() {
                study = Study::new(node, &spot, &analyst, solver.as_deref(), Duration::from_secs_f32(seconds)).ok();
            }
            let Some(study) = &mut study else {
                return Progress::Done;
            };
            let more = study.slice(stop, |analysis| out.send(&Event::Analysis { analysis: Box::new(analysis) }));
            if more { Progress::Again } else { Progress::Done }
        };
        let stop = self.hub.pool.submit(Kind::Study, visitor, work)?;
        if let Some(page) = self.pages.get_mut(&page) {
            page.study = Some(stop);
        }
        Ok(())
    }

    fn start_review(&mut self, who: Who, visitor: u64, node: Option<u32>) -> Result<(), Trouble> {
        Fair::at_the_table(self.room.is_between_people())?;
        if !self.is_seated(who) {
            return Err(Trouble::new(Code::Forbidden, "you are looking on"));
        }
        let node = node.unwrap_or(0);
        if !self.room.has(node) {
            return Err(Trouble::new(Code::Unknown, "there is no such node"));
        }
        let line = self.room.line_through(node);
        let last = line.last().map_or(node, |(node, _)| *node);
        self.hub.fair.check_line(visitor, &self.room.keys(last)?)?;
        if let Some((_, stop)) = self.review.take() {
            stop.store(true, Ordering::Relaxed);
        }
        let analyst = self.hub.catalog.analyst(&self.room.opening.game).to_owned();
        let (spot, me) = (self.room.spot(0), self.me.clone());
        let (mut review, mut line) = (None, Some(line));
        self.serial += 1;
        let serial = self.serial;
        let work = move |stop: &std::sync::atomic::AtomicBool| {
            if let Some(line) = line.take() {
                review = Review::new(&spot, line, &analyst, REVIEW).ok();
            }
            let step = review.as_mut().and_then(|review| review.step(stop));
            let progress = review.as_ref().map_or((0, 0), Review::progress);
            let done = step.is_none();
            let judged = step.and_then(|(node, judged)| judged.map(|judged| (node, judged))).into_iter().collect();
            let heard = answer(&me, ToRoom::Reviewed { serial, progress, judged, done });
            if done || !heard { Progress::Done } else { Progress::Again }
        };
        let stop = self.hub.pool.submit(Kind::Study, visitor, work)?;
        self.review = Some((serial, stop));
        Ok(())
    }

    async fn reviewed(&mut self, serial: u64, progress: (u32, u32), judged: Vec<(u32, Judged)>, done: bool) {
        if self.review.as_ref().is_none_or(|(current, _)| *current != serial) {
            return;
        }
        if done {
            self.review = None;
        }
        let entries: Vec<Entry> = judged
            .into_iter()
            .filter(|(node, _)| self.room.has(*node))
            .map(|(node, judged)| Entry::Judged { node, judged })
            .collect();
        let Ok(changes) = self.write(&entries, Instant::now()).await else {
            return;
        };
        let (judged, of) = progress;
        let nodes = self.room.nodes(&changes.nodes);
        self.tell_all(&Event::Review { done: judged, of, nodes, finished: done });
    }
}

/// Tells the room's task from a thinking thread; says whether there still is one.
fn answer(room: &mpsc::WeakSender<ToRoom>, message: ToRoom) -> bool {
    room.upgrade().is_some_and(|room| room.blocking_send(message).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;
    use serde_json::json;

    #[test]
    fn a_comment_written_anew_takes_the_place_of_the_old_one() {
        let comment = |node: u32, text: &str| Entry::Commented { node, text: text.to_owned() };
        let mut log = Log::of(&["12345".to_owned()]);
        let mut add = |entry: Entry, text: &str| {
            let line = log.add(&entry, text.to_owned());
            (line.number, line.anew, log.bytes)
        };
        assert_eq!(add(comment(1, "a"), "1234567890"), (1, false, 15));
        assert_eq!(add(Entry::Went { to: 0 }, "123"), (2, false, 18));
        assert_eq!(add(comment(2, "b"), "12"), (3, false, 20));
        assert_eq!(add(comment(1, "c"), "1"), (1, true, 11));
        assert_eq!(add(Entry::Marked { node: 1, marks: Vec::new() }, "1"), (4, false, 12));
        assert_eq!(add(Entry::Went { to: 0 }, "123"), (5, false, 15));
    }

    /// The machine sits at its chair as long as the game lasts, and what it remembered is free again at the end.
    #[tokio::test]
    async fn the_machine_remembers_from_move_to_move() {
        let data = tempfile::tempdir().expect("a folder");
        let hub = Hub::open(Config { data: data.path().to_owned(), threads: 1, ..Config::default() }).expect("files");
        let wanted = json!({"game": "go9", "mode": "ai", "levels": ["beginner"]});
        let visitor = hub.guard.visitor([127, 0, 0, 1].into());
        let wanted = serde_json::from_value(wanted).expect("a table");
        let opened = hub.open_table(&visitor, wanted).await.expect("opened");
        let room = hub.room(&opened.id, visitor.number).await.expect("there");
        let (out, mut texts) = Outbox::new(Arc::clone(&visitor));
        let join = ToRoom::Join {
            page: 1,
            re: 1,
            key: Some(opened.key),
            name: None,
            visitor: Arc::clone(&visitor),
            out: out.clone(),
        };
        room.send(join).await.map_err(|_| ()).expect("it listens");
        let ask = async |wish: Wish| {
            let ask = ToRoom::Ask { page: 1, re: 2, wish, at: Instant::now(), out: out.clone() };
            room.send(ask).await.map_err(|_| ()).expect("it listens");
        };
        ask(Wish::Play { mv: "E5".to_owned(), node: None }).await;
        let mut until = async |wanted: &dyn Fn(&serde_json::Value) -> bool| {
            loop {
                let text = texts.recv().await.expect("more to come").text();
                let event: serde_json::Value = serde_json::from_str(&text).expect("JSON");
                if wanted(&event["live"]) {
                    return;
                }
            }
        };
        until(&|live| live["view"]["ply"] == 2).await;
        assert!(hub.memory.available_permits() < crate::mind::MEGABYTES, "it has kept its place");
        ask(Wish::Resign).await;
        until(&|live| live["status"] == "over").await;
        assert_eq!(hub.memory.available_permits(), crate::mind::MEGABYTES);
        hub.close().await;
    }

    #[tokio::test]
    async fn who_has_a_seat_comes_back_through_any_crowd() {
        let data = tempfile::tempdir().expect("a folder");
        let hub = Hub::open(Config { data: data.path().to_owned(), threads: 1, ..Config::default() }).expect("files");
        let wanted = serde_json::from_value(json!({"game": "tictactoe", "mode": "here"})).expect("a table");
        let opened = hub.open_table(&hub.guard.visitor([127, 0, 0, 1].into()), wanted).await.expect("opened");
        let room = hub.room(&opened.id, NOBODY).await.expect("there");
        let join = async |page: u64, key: Option<&String>| {
            let visitor = hub.guard.visitor([10, 0, (page / 256) as u8, (page % 256) as u8].into());
            let (out, mut texts) = Outbox::new(Arc::clone(&visitor));
            let join = ToRoom::Join { page, re: 1, key: key.cloned(), name: None, visitor, out };
            room.send(join).await.map_err(|_| ()).expect("it listens");
            let first = texts.recv().await.expect("an answer").text().to_string();
            (texts, first.contains("joined"))
        };
        let mut crowd = Vec::new();
        for page in 0..MOST_SPECTATORS as u64 {
            let (texts, came_in) = join(page, None).await;
            assert!(came_in, "{page}");
            crowd.push(texts);
        }
        assert!(!join(5000, None).await.1, "one too many looks on");
        let (mut owner, came_in) = join(5001, Some(&opened.key)).await;
        assert!(came_in, "but the seat's owner is at his seat");
        // All who came in this moment were told of together.
        let heard = std::iter::from_fn(|| crowd[0].try_recv().ok()).count();
        assert!(heard < 100, "{heard} messages for a thousand people");
        let counted = loop {
            let text = owner.recv().await.expect("more to come").text();
            let event: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            if event["type"] == "update" {
                break event["live"]["spectators"].clone();
            }
        };
        assert_eq!(counted, MOST_SPECTATORS);
        hub.close().await;
    }
}
