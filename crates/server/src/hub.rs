//! Everything the server's parts share, and the tables that are open.

use crate::catalog::Catalog;
use crate::fair::Fair;
use crate::guard::{Effort, Guard, Visitor};
use crate::host::{Host, Log, ToRoom};
use crate::library::Library;
use crate::message::{Code, Mode, NewTable, Opened, Sitter, Source, Trouble, Wanted, You};
use crate::pool::{Kind, NOBODY, Pool, Progress, Shares, Stop};
use crate::room::{First, Opening, Room, Seat, clean};
use crate::runs::Runs;
use crate::solving::Solving;
use crate::store::Store;
use crate::{Config, mind, secret, time};
use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tengen_core::{Rng, Side};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::timeout;

/// Tables in memory at once.
const MOST_ROOMS: usize = 20_000;
/// Tables at which a game goes on are woken after a restart if something happened within a week.
const REMEMBERED: u64 = 7 * 24 * 3600 * 1000;

/// After so long, waiting included, an errand is to come to its end, and then it has so long.
const ENOUGH: Duration = Duration::from_secs(10);
const GRACE: Duration = Duration::from_secs(10);

/// Tells work to stop when nobody waits for it any more.
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What the server's parts share.
pub struct Hub {
    /// Games and levels.
    pub catalog: Catalog,
    /// Tables on disk.
    pub store: Store,
    /// Where the machine thinks.
    pub pool: Pool,
    /// Where answers are worked out that take a while.
    errands: Pool,
    /// Finished games.
    pub library: Library,
    /// Tournaments and trainings.
    pub runs: Runs,
    /// Tables of solved games in the making.
    pub solving: Solving,
    /// Who may do how much.
    pub guard: Guard,
    /// Megabytes that the machine's minds may keep between their thoughts.
    pub memory: Arc<Semaphore>,
    /// Games between people, in which nobody is helped.
    pub fair: Fair,
    rooms: Mutex<HashMap<String, mpsc::Sender<ToRoom>>>,
    /// Held until everything above is closed: two servers on one directory would each tell another story of the same games.
    _lock: File,
}

/// A server that ends lets go of its directory within this time.
const HANDING_OVER: Duration = Duration::from_secs(2);

/// Takes a data directory for this server alone, or says that another one has it. The system lets go of it when the program ends, however it ends.
fn lock(data: &Path) -> Result<File, String> {
    let path = data.join("server.lock");
    let file = File::create(&path).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    let begin = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if begin.elapsed() < HANDING_OVER => {
                std::thread::sleep(Duration::from_millis(50));
            }
            Err(TryLockError::WouldBlock) => {
                let data = data.display();
                return Err(format!(
                    "another server keeps its games in {data}: use that one, or name another folder with --data"
                ));
            }
            Err(TryLockError::Error(error)) => return Err(format!("cannot lock {}: {error}", path.display())),
        }
    }
}

impl Hub {
    /// Opens files and starts the thinking threads. Fails if another server has the data directory.
    pub fn open(config: Config) -> Result<Arc<Self>, String> {
        crate::memory::keep_little();
        std::fs::create_dir_all(&config.data)
            .map_err(|error| format!("cannot make {}: {error}", config.data.display()))?;
        let lock = lock(&config.data)?;
        let catalog = Catalog::bundled();
        let store = Store::open(&config.data.join("tables.db"))?;
        let library = Library::open(&config.database())?;
        let pool = Pool::new("think", Shares::of_thinking(config.public, config.threads));
        let errands = Pool::new("errand", Shares::of_errands(config.public, config.threads));
        let runs = Runs::new(&config);
        let guard = Guard::new(&config);
        let solving = Solving::new(config.public, config.threads);
        let memory = Arc::new(Semaphore::new(mind::MEGABYTES));
        let (fair, rooms) = (Fair::default(), Mutex::default());
        Ok(Arc::new(Hub {
            catalog,
            store,
            pool,
            errands,
            library,
            runs,
            solving,
            guard,
            memory,
            fair,
            rooms,
            _lock: lock,
        }))
    }

    /// Has something worked out, in turn with what other visitors want. It is told to stop after a while, or when nobody waits for it any more.
    pub async fn errand<T: Send + 'static>(
        &self,
        visitor: u64,
        work: impl FnOnce(&AtomicBool) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        let (reply, mut answer) = oneshot::channel();
        let mut task = Some((work, reply));
        let stop = self.errands.submit(Kind::Move, visitor, move |stop| {
            if let Some((work, reply)) = task.take()
                && !reply.is_closed()
            {
                // Who has gone meanwhile does not hear it.
                let _ = reply.send(work(stop));
            }
            Progress::Done
        })?;
        let stop = StopOnDrop(stop);
        let answered = match timeout(ENOUGH, &mut answer).await {
            Ok(answered) => answered,
            Err(_) => {
                stop.0.store(true, Ordering::Relaxed);
                let late = |_| Trouble::new(Code::TooMany, "the server has too much to do for this: try again later");
                timeout(GRACE, answer).await.map_err(late)?
            }
        };
        answered.unwrap_or_else(|_| Err(Trouble::failed("an errand panicked")))
    }

    fn rooms(&self) -> MutexGuard<'_, HashMap<String, mpsc::Sender<ToRoom>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tables in memory.
    pub fn open_rooms(&self) -> usize {
        self.rooms().len()
    }

    /// What is being thought about or worked out, or waits for it.
    pub fn load(&self) -> usize {
        self.pool.load() + self.errands.load()
    }

    /// Wakes the tables at which games went on when the server ended.
    pub async fn wake(self: &Arc<Self>) {
        let hub = Arc::clone(self);
        let since = time::epoch().saturating_sub(REMEMBERED) as i64;
        let ids = tokio::task::spawn_blocking(move || hub.store.open_rooms(since, 5000)).await;
        let ids = ids.unwrap_or_else(|error| Err(Trouble::failed(error))).unwrap_or_default();
        let mut woken = 0;
        for id in &ids {
            // A table that cannot be read again is told about in the log and stays on disk.
            woken += usize::from(self.room(id, NOBODY).await.is_ok());
        }
        if woken > 0 {
            tracing::info!(tables = woken, "tables restored");
        }
    }

    /// The table's inbox; loads it if it is not in memory, as an errand of this visitor.
    pub async fn room(self: &Arc<Self>, id: &str, visitor: u64) -> Result<mpsc::Sender<ToRoom>, Trouble> {
        if let Some(room) = self.rooms().get(id).filter(|room| !room.is_closed()) {
            return Ok(room.clone());
        }
        let unknown = || Trouble::new(Code::UnknownTable, "there is no such table");
        if !secret::is_well_formed(id) {
            return Err(unknown());
        }
        let (hub, wanted) = (Arc::clone(self), id.to_owned());
        let load = move |_: &AtomicBool| match hub.store.log(&wanted)? {
            Some(log) => Room::restore(&log.opening, &log.entries, Instant::now())
                .map(|room| Some((room, Log::of(&log.entries)))),
            None => Ok(None),
        };
        let loaded = self.errand(visitor, load).await?;
        let (room, log) = loaded.ok_or_else(unknown)?;
        self.host(room, log, None)
    }

    /// Gives a room a task of its own.
    fn host(
        self: &Arc<Self>,
        room: Room,
        log: Log,
        payer: Option<Arc<Visitor>>,
    ) -> Result<mpsc::Sender<ToRoom>, Trouble> {
        let mut rooms = self.rooms();
        // Somebody else may have loaded it meanwhile.
        if let Some(known) = rooms.get(&room.opening.id).filter(|known| !known.is_closed()) {
            return Ok(known.clone());
        }
        if self.guard.is_closing() {
            return Err(Trouble::new(Code::NotNow, "the server is shutting down"));
        }
        if rooms.len() >= MOST_ROOMS {
            return Err(Trouble::new(Code::TooMany, "too many tables are open: try again later"));
        }
        let (to_room, inbox) = mpsc::channel(64);
        rooms.insert(room.opening.id.clone(), to_room.clone());
        drop(rooms);
        tokio::spawn(Host::new(Arc::clone(self), room, log, payer, inbox, to_room.downgrade()).run());
        Ok(to_room)
    }

    /// Forgets a table that nobody needs in memory; what came for it at the last moment goes to its successor.
    pub fn unload(self: &Arc<Self>, id: &str, mut inbox: mpsc::Receiver<ToRoom>) {
        {
            let mut rooms = self.rooms();
            inbox.close();
            // A server that ends has struck its tables off the list: they have no successors.
            if rooms.remove(id).is_none() {
                return;
            }
        }
        while let Ok(late) = inbox.try_recv() {
            let (hub, id) = (Arc::clone(self), id.to_owned());
            tokio::spawn(async move {
                if let Ok(room) = hub.room(&id, NOBODY).await {
                    let _ = room.send(late).await;
                }
            });
        }
    }

    /// Opens a new table for a visitor.
    pub async fn open_table(self: &Arc<Self>, visitor: &Arc<Visitor>, wanted: NewTable) -> Result<Opened, Trouble> {
        let mut rng = secret::rng();
        let starter = match wanted.side {
            Wanted::First => Side::First,
            Wanted::Second => Side::Second,
            Wanted::Random => Side::BOTH[rng.usize(..2)],
        };
        let bad = |text: &str| Trouble::new(Code::BadMessage, text);
        let level = |place: usize| match wanted.levels.get(place).or_else(|| wanted.levels.first()) {
            Some(level) => self.catalog.find_level(&wanted.game, level).map(|_| level.clone()),
            None => Err(bad("which level is the machine to play at?")),
        };
        if wanted.clock.is_some_and(|clock| !clock.is_sensible()) {
            return Err(bad("nobody can play with such a clock"));
        }
        let name = |place: usize| clean(wanted.names.get(place).map_or("", String::as_str), 40).replace('\n', " ");
        let person = |name: String| Seat { sitter: Sitter::Person, name, level: None, key: secret::key(), came: false };
        let machine = |level: String| Seat {
            sitter: Sitter::Ai,
            name: String::new(),
            level: Some(level),
            key: String::new(),
            came: true,
        };
        let seats = match wanted.mode {
            Mode::Ai => {
                let own = Seat { came: true, ..person(name(0)) };
                let other = machine(level(0)?);
                if starter == Side::First { [own, other] } else { [other, own] }
            }
            Mode::Link => {
                let (own, other) = (Seat { came: true, ..person(name(0)) }, person(String::new()));
                if starter == Side::First { [own, other] } else { [other, own] }
            }
            // The owner's key opens both: these have none of their own.
            Mode::Here | Mode::Sandbox => {
                [0, 1].map(|place| Seat { key: String::new(), came: true, ..person(name(place)) })
            }
            Mode::Watch => [machine(level(0)?), machine(level(1)?)],
        };
        let owner = if matches!(wanted.mode, Mode::Ai | Mode::Link) { String::new() } else { secret::key() };
        let (setup, tree) = self.beginning(visitor.number, &wanted, &mut rng).await?;
        let opening = Opening {
            id: secret::id(),
            game: wanted.game,
            setup,
            mode: wanted.mode,
            seats,
            owner: owner.clone(),
            clock: wanted.clock.filter(|_| wanted.mode != Mode::Sandbox),
            tree,
            begun: time::epoch(),
        };
        let (you, key, other_key) = match opening.mode {
            Mode::Here | Mode::Sandbox => (You::Both, owner, None),
            Mode::Watch => (You::Spectator, owner, None),
            Mode::Ai | Mode::Link => {
                let you = if starter == Side::First { You::First } else { You::Second };
                let other = Some(opening.seats[starter.other().index()].key.clone()).filter(|key| !key.is_empty());
                (you, opening.seats[starter.index()].key.clone(), other)
            }
        };
        let id = opening.id.clone();
        self.open_room(visitor, opening).await?;
        Ok(Opened { id, key, you, other_key })
    }

    /// Opens a table with everything decided. It is on disk when this returns.
    pub async fn open_room(self: &Arc<Self>, visitor: &Arc<Visitor>, opening: Opening) -> Result<(), Trouble> {
        let text = serde_json::to_string(&opening).map_err(Trouble::failed)?;
        visitor.spend(Effort::Written, text.len())?;
        let (id, begun) = (opening.id.clone(), opening.begun as i64);
        // Setting up a long game takes a while.
        let (hub, number) = (Arc::clone(self), visitor.number);
        let at_once = opening.tree.len() <= 100;
        let set_up = move |_: &AtomicBool| {
            let mut room = Room::new(opening, Instant::now())?;
            // The machine's moves are its opinion.
            if matches!(room.opening.mode, Mode::Ai | Mode::Watch) {
                hub.fair.check(number, &room.keys(room.at())?)?;
            }
            Ok(room)
        };
        // A game from the start is set up in no time, and does not queue behind what takes longer.
        let room = match at_once {
            true => tokio::task::spawn_blocking(move || set_up(&AtomicBool::new(false)))
                .await
                .map_err(Trouble::failed)??,
            false => self.errand(visitor.number, set_up).await?,
        };
        self.store.open_room(&id, text, begun).await?;
        self.host(room, Log::default(), Some(Arc::clone(visitor)))?;
        Ok(())
    }

    /// Where a new table begins.
    async fn beginning(
        self: &Arc<Self>,
        visitor: u64,
        wanted: &NewTable,
        rng: &mut Rng,
    ) -> Result<(tengen_record::Setup, Vec<First>), Trouble> {
        let along = |moves: &[String]| {
            let first =
                |(ply, mv): (usize, &String)| First { parent: ply as u32, mv: mv.clone(), comment: String::new() };
            moves.iter().enumerate().map(first).collect::<Vec<_>>()
        };
        let same_game = |game: &str| match game == wanted.game {
            true => Ok(()),
            false => Err(Trouble::new(Code::BadMessage, "that is another game")),
        };
        match &wanted.from {
            None => {
                let mut setup = wanted.setup.clone();
                if self.catalog.shuffled(&wanted.game) && setup.position.is_none() && setup.seed.is_none() {
                    // As much as a page can read as a number.
                    setup.seed = Some(rng.u32(..).into());
                }
                Ok((setup, along(&wanted.moves)))
            }
            Some(Source::Table { table, node }) => {
                let room = self.room(table, visitor).await?;
                let (reply, answer) = oneshot::channel();
                let gone = || Trouble::new(Code::UnknownTable, "there is no such table");
                room.send(ToRoom::Copy { node: *node, reply }).await.map_err(|_| gone())?;
                let (game, setup, tree) = answer.await.map_err(|_| gone())??;
                same_game(&game)?;
                Ok((setup, tree))
            }
            Some(Source::Library { game, ply }) => {
                let record = self.library.read(*game).await?;
                same_game(&record.game)?;
                let moves: Vec<String> = record.moves.into_iter().map(|played| played.text).collect();
                let ply = ply.map_or(moves.len(), |ply| moves.len().min(ply as usize));
                Ok((record.setup, along(&moves[..ply])))
            }
        }
    }

    /// Ends everything in an orderly way.
    pub async fn close(self: &Arc<Self>) {
        // From here on no room is made that would not be told.
        self.guard.close();
        self.solving.close();
        let rooms: Vec<_> = self.rooms().drain().map(|(_, room)| room).collect();
        for room in &rooms {
            let _ = room.send(ToRoom::Close).await;
        }
        // Every room writes what it has in hand before its inbox closes.
        let closed = async {
            for room in rooms {
                room.closed().await;
            }
        };
        let _ = tokio::time::timeout(Duration::from_secs(5), closed).await;
        let hub = Arc::clone(self);
        let _ = tokio::task::spawn_blocking(move || {
            hub.pool.close();
            hub.errands.close();
            hub.store.close();
        })
        .await;
    }
}
