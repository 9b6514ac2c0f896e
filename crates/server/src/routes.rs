//! The HTTP interface: lists, single positions, files. `docs/openapi.json` describes it, and a test holds the two together.

use crate::edit::edit;
use crate::guard::{Effort, HEADERS, Place, Ticket, Visitor};
use crate::host::ToRoom;
use crate::hub::Hub;
use crate::message::{
    Code, Edit, Explain, Frame, Import, LibraryGame, LibraryPage, LibraryRecord, Line, Mode, Move, NewTable, Opened,
    Solve, Solved, Trouble, View, Winner,
};
use crate::room::{First, Opening, Seat};
use crate::think::Spot;
use crate::view::view;
use crate::{assets, secret, socket, think, time};
use axum::body::{Body, Bytes};
use axum::extract::rejection::JsonRejection;
use axum::extract::{
    ConnectInfo, DefaultBodyLimit, FromRequest, FromRequestParts, Path, Query, Request, State, WebSocketUpgrade,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Extension, Json, Router};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use tengen_core::{Rng, Turn};
use tengen_explain::Algorithm;
use tengen_record::database::{Filter, Page};
use tengen_record::{Format, GameTree, Record, Setup};
use tengen_table::{Table, open};
use tokio::time::timeout;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

/// Bodies are not larger than this; a file to be imported may be.
const LARGEST_BODY: usize = 1 << 20;
const LARGEST_FILE: usize = 12 << 20;
const LARGEST_FILE_OF_STRANGERS: usize = 2 << 20;
/// Pictures of a game have so many letters at most.
const LARGEST_FRAMES: usize = 16 << 20;
/// Moves in a row in a text that is imported.
const MOST_WORDS: usize = 5000;
/// They come within this time.
const BODY: Duration = Duration::from_secs(60);

type Answer<T> = Result<Json<T>, Trouble>;
type TheHub = State<Arc<Hub>>;

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        let status = match self.code {
            Code::UnknownTable | Code::Unknown => StatusCode::NOT_FOUND,
            Code::Forbidden | Code::FairPlay => StatusCode::FORBIDDEN,
            Code::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Code::Failed => StatusCode::INTERNAL_SERVER_ERROR,
            Code::NotNow | Code::NotYourTurn | Code::Over | Code::Declined | Code::Disagrees | Code::Changed => {
                StatusCode::CONFLICT
            }
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        (status, Json(self)).into_response()
    }
}

/// JSON from a visitor, refused in our own words.
struct Body_<T>(T);

impl<S: Send + Sync, T: serde::de::DeserializeOwned> FromRequest<S> for Body_<T> {
    type Rejection = Trouble;

    async fn from_request(request: Request, state: &S) -> Result<Self, Trouble> {
        let slow = |_| Trouble::new(Code::BadMessage, "the request took too long to come");
        match timeout(BODY, Json::<T>::from_request(request, state)).await.map_err(slow)? {
            Ok(Json(body)) => Ok(Body_(body)),
            Err(JsonRejection::BytesRejection(_)) => Err(Trouble::new(Code::TooLarge, "the request is too large")),
            Err(error) => Err(Trouble::new(Code::BadMessage, error.body_text())),
        }
    }
}

/// A request for something that is to be worked out. It has its place before its body is read, and until its answer has been.
struct Errand {
    hub: Arc<Hub>,
    visitor: Arc<Visitor>,
    ticket: Ticket,
}

impl FromRequestParts<Arc<Hub>> for Errand {
    type Rejection = Trouble;

    async fn from_request_parts(parts: &mut Parts, hub: &Arc<Hub>) -> Result<Self, Trouble> {
        let visitor = parts.extensions.get::<Arc<Visitor>>().cloned();
        let visitor = visitor.ok_or_else(|| Trouble::failed("a request of nobody"))?;
        let ticket = visitor.enter(Place::Errand)?;
        Ok(Errand { hub: Arc::clone(hub), visitor, ticket })
    }
}

impl Errand {
    /// Works it out, in turn with other visitors' errands.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        self.hub.errand(self.visitor.number, work).await
    }

    /// A long answer, which keeps its place until it has been read.
    fn answer(self, text: String) -> Response {
        let parts = (Bytes::from(text), self.ticket);
        let next = |(mut rest, ticket): (Bytes, Ticket)| async move {
            let part = rest.split_to(rest.len().min(64 << 10));
            (!part.is_empty()).then_some((Ok::<_, Infallible>(part), (rest, ticket)))
        };
        // Whoever compresses the stream asks once more after its end, and must hear again that it is over.
        let stream = futures_util::StreamExt::fuse(futures_util::stream::unfold(parts, next));
        ([(header::CONTENT_TYPE, "application/json")], Body::from_stream(stream)).into_response()
    }
}

/// All routes: method, path, and what answers.
fn list(largest_file: usize) -> Vec<(&'static str, &'static str, MethodRouter<Arc<Hub>>)> {
    vec![
        ("get", "/api/games", get(games)),
        ("get", "/api/games/{game}/demo", get(demo)),
        ("post", "/api/tables", post(open_table)),
        ("get", "/api/tables/{table}/export", get(export_table)),
        ("post", "/api/judge", post(judge)),
        ("post", "/api/frames", post(frames)),
        ("post", "/api/edit", post(edit_position)),
        ("post", "/api/import", post(import).layer(DefaultBodyLimit::max(largest_file))),
        ("post", "/api/explain", post(explain)),
        ("get", "/api/solved", get(solved)),
        ("post", "/api/solved", post(solve)),
        ("get", "/api/library", get(library)),
        ("get", "/api/library/export.jsonl", get(export_library)),
        ("get", "/api/library/{game}", get(library_game)),
        ("get", "/api/library/{game}/export", get(export_game)),
        ("get", "/api/runs", get(runs)),
        ("get", "/api/runs/{run}", get(run)),
        ("get", "/api/status", get(status)),
        ("get", "/api/openapi.json", get(openapi)),
        ("get", "/api/socket", get(open_socket)),
    ]
}

/// The methods and paths, for the test of the description.
#[cfg(test)]
pub(crate) fn paths() -> Vec<(&'static str, &'static str)> {
    list(0).into_iter().map(|(method, path, _)| (method, path)).collect()
}

/// Everything the server answers.
pub fn router(hub: Arc<Hub>) -> Router {
    let largest_file = if hub.guard.is_public() { LARGEST_FILE_OF_STRANGERS } else { LARGEST_FILE };
    let routes =
        list(largest_file).into_iter().fold(Router::new(), |router, (_, path, answer)| router.route(path, answer));
    dressed(routes.fallback(page), hub)
}

/// Routes with all that is the same for every answer, the innermost first.
fn dressed(routes: Router<Arc<Hub>>, hub: Arc<Hub>) -> Router {
    let panicked = |_: Box<dyn std::any::Any + Send>| Trouble::failed("a request panicked").into_response();
    routes
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn(refuse_in_json))
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(Arc::clone(&hub), watch_over))
        .with_state(hub)
}

fn is_api(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/")
}

/// Under `/api` everything is refused in JSON, also what no handler of ours has seen: a wrong method, a query that cannot be read.
async fn refuse_in_json(request: Request, next: Next) -> Response {
    let is_api = is_api(request.uri().path());
    let response = next.run(request).await;
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_json = kind.is_some_and(|kind| kind.starts_with("application/json"));
    if !is_api || is_json || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let said = axum::body::to_bytes(body, 4096).await.unwrap_or_default();
    let text = match String::from_utf8_lossy(&said).trim() {
        "" => status.canonical_reason().unwrap_or("refused").to_lowercase(),
        said => said.to_owned(),
    };
    let code = match status {
        StatusCode::NOT_FOUND => Code::Unknown,
        StatusCode::PAYLOAD_TOO_LARGE => Code::TooLarge,
        _ if status.is_server_error() => Code::Failed,
        _ => Code::BadMessage,
    };
    // What a browser may ask here instead stays: `allow` of a wrong method.
    head.headers.remove(header::CONTENT_LENGTH);
    head.headers.remove(header::CONTENT_TYPE);
    let mut refused = Trouble::new(code, text).into_response();
    *refused.status_mut() = status;
    refused.headers_mut().extend(head.headers);
    refused
}

/// Before and after every request: who asks, origin, rates, headers, the log.
async fn watch_over(State(hub): TheHub, mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let peer = peer.unwrap_or(IpAddr::from([127, 0, 0, 1]));
    let visitor = hub.guard.visitor(hub.guard.address(peer, request.headers()));
    request.extensions_mut().insert(Arc::clone(&visitor));
    let (method, path, begin) = (request.method().clone(), request.uri().path().to_owned(), std::time::Instant::now());
    let is_api = is_api(&path);
    let heavy = method != Method::GET && !matches!(path.as_str(), "/api/judge" | "/api/frames" | "/api/edit");
    let effort = if heavy { Effort::Heavy } else { Effort::Light };
    let checked = match is_api {
        true => hub.guard.check_origin(request.headers()).and_then(|()| visitor.spend(effort, 1)),
        false => Ok(()),
    };
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(trouble) => trouble.into_response(),
    };
    for &(name, value) in HEADERS {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if is_api && !response.headers().contains_key(header::CACHE_CONTROL) {
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    let ms = begin.elapsed().as_millis() as u64;
    tracing::debug!(%method, path, status = response.status().as_u16(), ms, "request");
    response
}

async fn page(uri: Uri, method: Method, headers: HeaderMap) -> Response {
    if is_api(uri.path()) {
        return Trouble::new(Code::Unknown, "there is no such address").into_response();
    }
    match method {
        Method::GET | Method::HEAD => assets::answer(uri.path(), &headers),
        _ => StatusCode::METHOD_NOT_ALLOWED.into_response(),
    }
}

async fn open_socket(
    State(hub): TheHub,
    Extension(visitor): Extension<Arc<Visitor>>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Trouble> {
    let ticket = visitor.enter(Place::Socket)?;
    let upgrade = upgrade.max_message_size(socket::LARGEST).max_frame_size(socket::LARGEST);
    Ok(upgrade.on_upgrade(move |socket| async move {
        socket::serve(hub, socket, visitor).await;
        drop(ticket);
    }))
}

// ---------------------------------------------------------------------------------------------------------------- games

/// What is made once and then only handed out, by name.
fn cached(name: &str) -> Option<Arc<str>> {
    cache().get(name).cloned()
}

fn cache() -> std::sync::MutexGuard<'static, HashMap<String, Arc<str>>> {
    static CACHE: OnceLock<Mutex<HashMap<String, Arc<str>>>> = OnceLock::new();
    CACHE.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
}

fn json_text(text: &Arc<str>) -> Response {
    let lasting = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "max-age=300")];
    (lasting, text.to_string()).into_response()
}

async fn games(State(hub): TheHub) -> Result<Response, Trouble> {
    let made = match cached("games") {
        Some(text) => text,
        None => {
            let make = move || serde_json::to_string(&hub.catalog.games());
            let text: Arc<str> = in_background(make).await?.map_err(Trouble::failed)?.into();
            cache().insert("games".to_owned(), Arc::clone(&text));
            text
        }
    };
    Ok(json_text(&made))
}

async fn in_background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Trouble> {
    tokio::task::spawn_blocking(work).await.map_err(Trouble::failed)
}

/// A short game between two casual players, the same every time.
async fn demo(
    State(hub): TheHub,
    Extension(visitor): Extension<Arc<Visitor>>,
    Path(game): Path<String>,
) -> Result<Response, Trouble> {
    let name = format!("demo {game}");
    if let Some(text) = cached(&name) {
        return Ok(json_text(&text));
    }
    if !hub.catalog.games().iter().any(|known| known.id == game) {
        return Err(Trouble::new(Code::Unknown, "there is no such game"));
    }
    let (catalog, known) = (Arc::clone(&hub), name.clone());
    let make = move |stop: &AtomicBool| -> Result<String, Trouble> {
        // Somebody else may have asked for it meanwhile.
        if let Some(text) = cached(&known) {
            return Ok(text.to_string());
        }
        let ladder = catalog.catalog.ladder(&game);
        let plan = ladder.get(ladder.len() / 3).ok_or_else(|| Trouble::failed("a game without levels"))?;
        let mut rng = Rng::with_seed(2026);
        let mut table = open(&game, &Setup::standard())?;
        let mut frames = vec![frame(&*table)];
        while frames.len() <= 36 {
            match table.view().turn {
                Turn::Over(_) => break,
                Turn::Chance => drop(table.roll(&mut rng)),
                Turn::Decision(_) => {
                    let spot = Spot { game: game.clone(), setup: Setup::standard(), moves: table.moves() };
                    table.play(&think::choose(&spot, plan, None, stop, &mut rng)?.mv)?;
                }
            }
            frames.push(frame(&*table));
        }
        serde_json::to_string(&frames).map_err(Trouble::failed)
    };
    let text: Arc<str> = hub.errand(visitor.number, make).await?.into();
    cache().insert(name, Arc::clone(&text));
    Ok(json_text(&text))
}

fn frame(table: &dyn Table) -> Frame {
    Frame { drawn: table.view().drawn, last: table.last().map(Move::from) }
}

async fn open_table(
    State(hub): TheHub,
    Extension(visitor): Extension<Arc<Visitor>>,
    Body_(wanted): Body_<NewTable>,
) -> Answer<Opened> {
    hub.open_table(&visitor, wanted).await.map(Json)
}

fn spot(line: Line) -> Spot {
    Spot { game: line.game, setup: line.setup, moves: line.moves }
}

async fn judge(errand: Errand, Body_(line): Body_<Line>) -> Answer<View> {
    if line.moves.len() > 5000 {
        return Err(Trouble::new(Code::TooLarge, "too many moves"));
    }
    errand.run(move |_| Ok(Json(view(&*spot(line).table()?)))).await
}

async fn frames(errand: Errand, Body_(line): Body_<Line>) -> Result<Response, Trouble> {
    let too_large = || Trouble::new(Code::TooLarge, "so many moves on such a board are too many pictures");
    let make = move |stop: &AtomicBool| {
        let mut table = open(&line.game, &line.setup)?;
        let mut text = String::new();
        let mut moves = line.moves.iter();
        loop {
            let frame = serde_json::to_string(&frame(&*table)).map_err(Trouble::failed)?;
            // The first picture tells how much all of them will be: refused before the work.
            if text.is_empty() && frame.len() * line.moves.len() > LARGEST_FRAMES || text.len() > LARGEST_FRAMES {
                return Err(too_large());
            }
            text.push(if text.is_empty() { '[' } else { ',' });
            text += &frame;
            match moves.next() {
                Some(_) if stop.load(Ordering::Relaxed) => {
                    return Err(Trouble::new(Code::TooMany, "the server has too much to do for this: try again later"));
                }
                Some(mv) => table.play(mv)?,
                None => break,
            }
        }
        Ok(text + "]")
    };
    let text = errand.run(make).await?;
    Ok(errand.answer(text))
}

async fn edit_position(errand: Errand, Body_(wish): Body_<Edit>) -> Answer<View> {
    errand.run(move |_| edit(&wish).map(Json)).await
}

// ---------------------------------------------------------------------------------------------------------------- learn

async fn explain(
    State(hub): TheHub,
    Extension(visitor): Extension<Arc<Visitor>>,
    errand: Errand,
    Body_(wish): Body_<Explain>,
) -> Result<Response, Trouble> {
    if wish.moves.len() > 1000 {
        return Err(Trouble::new(Code::TooLarge, "too many moves"));
    }
    let title = hub
        .catalog
        .games()
        .into_iter()
        .find(|game| game.id == wish.game)
        .map_or(wish.game.clone(), |game| game.title.en);
    let make = move |stop: &AtomicBool| -> Result<String, Trouble> {
        let bad = |error: tengen_explain::ExplainError| Trouble::new(Code::BadText, error.to_string());
        let algorithm = Algorithm::read(&wish.algorithm).map_err(bad)?;
        let mut request = tengen_explain::Request::new(algorithm, wish.game.clone(), title);
        request.depth = wish.depth.map(|depth| depth.clamp(1, 100));
        request.visits = wish.visits.unwrap_or(request.visits).clamp(1, tengen_explain::MOST_VISITS);
        request.seed = wish.seed.unwrap_or(0).into();
        let mut table = open(&wish.game, &wish.setup)?;
        for mv in &wish.moves {
            table.play(mv)?;
        }
        hub.fair.check(visitor.number, &table.keys())?;
        let trace = table.explain(&request, stop).map_err(bad)?;
        serde_json::to_string(&trace).map_err(Trouble::failed)
    };
    let text = errand.run(make).await?;
    Ok(errand.answer(text))
}

/// `?game=yokai34`; without one, the game that has such a table is meant.
#[derive(Deserialize)]
struct OfGame {
    game: Option<String>,
}

async fn solved(State(hub): TheHub, Query(wanted): Query<OfGame>) -> Answer<Solved> {
    let look = move || {
        let game = wanted.game.as_deref().unwrap_or(crate::solving::GAME);
        open(game, &Setup::standard())?;
        Ok(Json(hub.solving.look(game)))
    };
    in_background(look).await?
}

async fn solve(State(hub): TheHub, Body_(wish): Body_<Solve>) -> Answer<Solved> {
    let begin = move || {
        open(&wish.game, &Setup::standard())?;
        hub.solving.begin(&wish.game).map(Json)
    };
    in_background(begin).await?
}

// ---------------------------------------------------------------------------------------------------------------- files

/// `?as=sgf`.
#[derive(Deserialize)]
struct As {
    #[serde(rename = "as")]
    format: Option<String>,
}

fn export(tree: &GameTree, wanted: &As) -> Result<Response, Trouble> {
    let format = match wanted.format.as_deref() {
        Some("sgf") => Format::Sgf,
        Some("pgn") => Format::Pgn,
        Some("json") => Format::Json,
        None | Some("") => Format::usual(&tree.head.game),
        Some(_) => return Err(Trouble::new(Code::BadText, "games are exported as sgf, pgn or json")),
    };
    let text = tengen_record::export(std::slice::from_ref(tree), format);
    let text = text.map_err(|error| Trouble::new(Code::BadText, error.to_string()))?;
    let (kind, end) = match format {
        Format::Sgf => ("application/x-go-sgf; charset=utf-8", "sgf"),
        Format::Pgn => ("application/x-chess-pgn; charset=utf-8", "pgn"),
        Format::Json => ("application/json", "json"),
    };
    let name = format!("attachment; filename=\"tengen-{}.{end}\"", tree.head.game);
    Ok(([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)], text).into_response())
}

async fn export_table(
    State(hub): TheHub,
    errand: Errand,
    Path(table): Path<String>,
    Query(wanted): Query<As>,
) -> Result<Response, Trouble> {
    let gone = || Trouble::new(Code::UnknownTable, "there is no such table");
    let (reply, tree) = tokio::sync::oneshot::channel();
    hub.room(&table, errand.visitor.number).await?.send(ToRoom::Read { reply }).await.map_err(|_| gone())?;
    let tree = tree.await.map_err(|_| gone())?;
    errand.run(move |_| export(&tree, &wanted)).await
}

async fn import(State(hub): TheHub, errand: Errand, Body_(wish): Body_<Import>) -> Answer<Opened> {
    let (game, setup, tree, names) = errand.run(move |_| read_import(&wish)).await?;
    let owner = secret::key();
    let [first, second] = names.map(|name| Seat {
        sitter: crate::message::Sitter::Person,
        name: crate::room::clean(&name, 40),
        level: None,
        key: String::new(),
        came: true,
    });
    let opening = Opening {
        id: secret::id(),
        game,
        setup,
        mode: Mode::Sandbox,
        seats: [first, second],
        owner: owner.clone(),
        clock: None,
        tree,
        begun: time::epoch(),
    };
    let id = opening.id.clone();
    hub.open_room(&errand.visitor, opening).await?;
    Ok(Json(Opened { id, key: owner, you: crate::message::You::Both, other_key: None }))
}

type Imported = (String, Setup, Vec<First>, [String; 2]);

/// The first game in a text, whatever kind of text it is.
fn read_import(wish: &Import) -> Result<Imported, Trouble> {
    let bad = |text: String| Trouble::new(Code::BadText, text);
    let text = wish.text.trim();
    let tree = match tengen_record::import(text.as_bytes()) {
        Ok(trees) => trees.into_iter().next().ok_or_else(|| bad("there is no game in it".to_owned())),
        Err(error) => Err(bad(error.to_string())),
    };
    let tree = match (tree, wish.game.as_deref()) {
        (Ok(tree), _) if !tree.head.game.is_empty() => tree,
        // The page knows which game is meant: a position of it, or moves in a row.
        (Ok(_) | Err(_), Some(game)) => match open(game, &Setup::at(text)) {
            Ok(_) => GameTree::new(Record { game: game.to_owned(), setup: Setup::at(text), ..Record::default() }),
            Err(error) => {
                let words = text.split([' ', ',', ';', '\n']).filter(|word| !word.is_empty());
                let words: Vec<String> = words.take(MOST_WORDS).map(str::to_owned).collect();
                let spot = Spot { game: game.to_owned(), setup: Setup::standard(), moves: words };
                let table = spot.table().map_err(|_| bad(error.to_string()))?;
                let moves = table.moves().into_iter().map(tengen_record::Played::new).collect();
                GameTree::new(Record { game: game.to_owned(), moves, ..Record::default() })
            }
        },
        (Err(trouble), None) => return Err(trouble),
        (Ok(_), None) => return Err(bad("which game is it?".to_owned())),
    };
    // Parents come before children, and node 0 is the start, as the room wants it. Variations that begin with the same moves are one
    // there until they part.
    let mut nodes: Vec<First> = Vec::new();
    let mut places: Vec<u32> = vec![0];
    let mut known: HashMap<(u32, &str), u32> = HashMap::new();
    for node in tree.nodes().iter().skip(1) {
        let (parent, mv) = (places[node.parent.unwrap_or(0)], node.played.text.as_str());
        let next = nodes.len() as u32 + 1;
        let place = *known.entry((parent, mv)).or_insert(next);
        places.push(place);
        if place == next {
            nodes.push(First { parent, mv: mv.to_owned(), comment: node.played.comment.clone() });
        } else if let Some(there) = nodes.get_mut(place as usize - 1).filter(|there| there.comment.is_empty()) {
            there.comment.clone_from(&node.played.comment);
        }
    }
    Ok((tree.head.game.clone(), tree.head.setup.clone(), nodes, tree.head.players.clone()))
}

// ---------------------------------------------------------------------------------------------------------------- library

/// What to look for in the library.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Wanted {
    game: Option<String>,
    player: Option<String>,
    text: Option<String>,
    winner: Option<Winner>,
    event: Option<String>,
    from: Option<String>,
    to: Option<String>,
    finished: Option<bool>,
    offset: u64,
    limit: Option<u64>,
}

impl Wanted {
    fn filter(&self) -> Filter {
        let given = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        Filter {
            game: given(&self.game),
            player: given(&self.player),
            event: given(&self.event),
            since: given(&self.from),
            until: given(&self.to),
            outcome: self.winner.map(Into::into),
            finished: self.finished,
            text: given(&self.text),
        }
    }
}

async fn library(State(hub): TheHub, Query(wanted): Query<Wanted>) -> Answer<LibraryPage> {
    let page = Page { skip: wanted.offset, take: wanted.limit.unwrap_or(50).min(200) };
    let (total, games) = hub.library.find(wanted.filter(), page).await?;
    Ok(Json(LibraryPage { total, games: games.into_iter().map(LibraryGame::from).collect() }))
}

async fn library_game(State(hub): TheHub, errand: Errand, Path(game): Path<u32>) -> Answer<LibraryRecord> {
    let record = hub.library.read(game).await?;
    let make = move |_: &AtomicBool| {
        let mut table = open(&record.game, &record.setup)?;
        let mut moves = Vec::with_capacity(record.moves.len());
        for played in &record.moves {
            table.play(&played.text)?;
            moves.extend(table.last().map(Move::from));
        }
        let (winner, reason) = match record.ending {
            Some(ending) => (Some(ending.outcome.into()), ending.reason),
            None => (None, String::new()),
        };
        let info = LibraryGame {
            id: game,
            game: record.game,
            players: record.players,
            winner,
            reason,
            date: record.date,
            event: record.event,
            plies: record.moves.len() as u32,
        };
        Ok(Json(LibraryRecord { info, setup: record.setup, moves, view: view(&*table) }))
    };
    errand.run(make).await
}

async fn export_game(
    State(hub): TheHub,
    errand: Errand,
    Path(game): Path<u32>,
    Query(wanted): Query<As>,
) -> Result<Response, Trouble> {
    let tree = GameTree::new(hub.library.read(game).await?);
    errand.run(move |_| export(&tree, &wanted)).await
}

/// All games that match, one JSON record a line, read and sent by and by.
async fn export_library(State(hub): TheHub, Query(wanted): Query<Wanted>) -> Result<Response, Trouble> {
    let filter = wanted.filter();
    let most = wanted.limit.unwrap_or(1_000_000);
    let (lines, receive) = tokio::sync::mpsc::channel::<Result<String, std::io::Error>>(4);
    tokio::spawn(async move {
        let mut skip = wanted.offset;
        let end = skip.saturating_add(most);
        while skip < end {
            let (filter, take) = (filter.clone(), (end - skip).min(100));
            let part = hub.library.with(move |database| {
                let found = database.find(&filter, Page { skip, take })?;
                let mut text = String::new();
                for summary in &found {
                    if let Some(record) = database.read(summary.id)? {
                        text += &serde_json::to_string(&record).map_err(Trouble::failed)?;
                        text.push('\n');
                    }
                }
                Ok((found.len(), text))
            });
            match part.await {
                Ok((1.., text)) => {
                    skip += 100;
                    if lines.send(Ok(text)).await.is_err() {
                        break;
                    }
                }
                _ => break,
            }
        }
    });
    let next =
        |mut receive: tokio::sync::mpsc::Receiver<_>| async move { receive.recv().await.map(|line| (line, receive)) };
    // Whoever compresses the stream asks once more after its end, and must hear again that it is over.
    let stream = futures_util::StreamExt::fuse(futures_util::stream::unfold(receive, next));
    let kind = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"tengen-games.jsonl\""),
    ];
    Ok((kind, Body::from_stream(stream)).into_response())
}

// ---------------------------------------------------------------------------------------------------------------- runs

async fn runs(State(hub): TheHub) -> Answer<Vec<crate::message::RunInfo>> {
    hub.runs.list(&hub).await.map(Json)
}

async fn run(State(hub): TheHub, Path(run): Path<String>) -> Answer<crate::message::Run> {
    hub.runs.read(&hub, &run).await.map(Json)
}

/// How the server is doing.
#[derive(Serialize)]
struct Status {
    version: &'static str,
    tables: usize,
    sockets: usize,
    thoughts: usize,
}

async fn status(State(hub): TheHub) -> Json<impl Serialize> {
    Json(Status {
        version: env!("CARGO_PKG_VERSION"),
        tables: hub.open_rooms(),
        sockets: hub.guard.sockets(),
        thoughts: hub.load(),
    })
}

async fn openapi() -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "max-age=300")];
    (kind, include_str!("../../../docs/openapi.json")).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[tokio::test]
    async fn a_request_that_panics_is_answered_like_any_other() {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let data = tempfile::tempdir().expect("a folder");
        let hub = Hub::open(crate::Config { data: data.path().to_owned(), threads: 1, ..crate::Config::default() });
        let broken = get(|uri: Uri| async move { assert!(uri.path().is_empty(), "a bug in a handler") });
        let app = dressed(Router::new().route("/api/broken", broken), hub.expect("it opens"));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it has one");
        let serving = tokio::spawn(async move { axum::serve(listener, app).await });
        let mut stream = tokio::net::TcpStream::connect(address).await.expect("it listens");
        let request = format!("GET /api/broken HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("an answer");
        serving.abort();
        let answer = answer.to_lowercase();
        for wanted in
            ["http/1.1 500 ", "content-type: application/json", r#""code":"failed""#, "x-content-type-options: nosniff"]
        {
            assert!(answer.contains(wanted), "{wanted} in {answer}");
        }
    }

    #[test]
    fn every_route_is_described_and_nothing_else() {
        let description: serde_json::Value =
            serde_json::from_str(include_str!("../../../docs/openapi.json")).expect("JSON");
        let described: BTreeSet<(String, String)> = description["paths"]
            .as_object()
            .expect("paths")
            .iter()
            .flat_map(|(path, methods)| {
                let methods = methods.as_object().expect("methods");
                methods.keys().map(|method| (method.clone(), path.clone())).collect::<Vec<_>>()
            })
            .collect();
        let served: BTreeSet<(String, String)> =
            paths().into_iter().map(|(method, path)| (method.to_owned(), path.to_owned())).collect();
        assert_eq!(described, served);
    }
}
