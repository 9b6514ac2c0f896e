//! The commands, and the loop that answers them.

use super::analysis::{Dialect, Wish, line, share};
use super::clock::{Clocks, Control};
use super::command::{Arguments, Command, Refusal, side};
use super::desk::{self, Desk, Eye, Finding, NoMove, Status};
use super::inbox::Inbox;
use super::judge::{Judgement, judge_by_playouts};
use super::{handicap, rules};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tengen_core::Side;
use tengen_games::go::{Go, Komi, Point, Rules, fixed_handicap, read_point};
use tengen_record::{GameTree, read_file, sgf};
use tengen_search::params::ParamInfo;
use tengen_search::{Limits, Player};

/// Where players come from, and what else is known about Go: the program around the server provides it.
pub trait Players: Send + Sync + 'static {
    /// The player that a text describes.
    fn build<const CELLS: usize>(&self, text: &str) -> Result<Box<dyn Player<Go<CELLS>>>, String>;

    /// The parameters of the player that a text describes, each with its value.
    fn params(&self, text: &str) -> Result<Vec<(ParamInfo, String)>, String>;

    /// The text of the same player with a parameter changed.
    fn with_param(&self, text: &str, name: &str, value: &str) -> Result<String, String>;

    /// To whom the points will belong, and which stones are dead.
    fn judge<const CELLS: usize>(&self, position: &Go<CELLS>) -> Judgement {
        judge_by_playouts(position, 1000, 1)
    }

    /// How far the stones reach: from −1 (White's) to 1 (Black's), row by row from the top left.
    fn influence<const CELLS: usize>(&self, position: &Go<CELLS>) -> Vec<f32> {
        self.judge(position).ownership
    }
}

/// How the server plays.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// The player's text.
    pub player: String,
    /// Time for a move when nobody has set a clock; without it the player's own limits hold alone.
    pub time: Option<Duration>,
    /// Kept back at every move for the way to the clock.
    pub lag: Duration,
    /// Resign when the chance to win was below this for three moves of ours; 0 never resigns.
    pub resign: f32,
    /// Whether to go on thinking while the opponent does.
    pub ponder: bool,
}

impl Options {
    /// This player, by its own limits or the clock of the game, who never resigns.
    pub fn new(player: impl Into<String>) -> Self {
        Options { player: player.into(), time: None, lag: Duration::from_millis(100), resign: 0.0, ponder: false }
    }
}

/// So many hopeless moves in a row make the engine resign.
const HOPELESS: u32 = 3;

/// What the program is called.
const NAME: &str = "Tengen";

/// Answers commands until `quit` or the end of the input. Errors are those of the output, and of a player that cannot be had.
pub fn serve<P: Players>(
    input: impl Read + Send + 'static,
    output: impl Write + 'static,
    players: P,
    options: Options,
) -> io::Result<()> {
    let players = Arc::new(players);
    let rules = Rules::default();
    let desk = desk::open(&players, &options.player, 19, rules, rules.komi()).map_err(io::Error::other)?;
    let mut server = Server {
        players,
        desk,
        inbox: Inbox::open(input),
        output,
        options,
        clocks: Clocks::default(),
        hopeless: [0; 2],
        ours: [false; 2],
        has_moved: false,
        heading: String::new(),
        is_over: false,
    };
    while !server.is_over {
        let Some(line) = server.inbox.take() else { break };
        if let Some(command) = Command::read(&line) {
            server.obey(&command)?;
            server.ponder();
        }
    }
    Ok(())
}

struct Server<P: Players, W: Write> {
    players: Arc<P>,
    desk: Box<dyn Desk>,
    inbox: Inbox,
    output: W,
    options: Options,
    clocks: Clocks,
    /// How often in a row either side saw no hope.
    hopeless: [u32; 2],
    /// The sides for which a move was generated: their name in a file is ours.
    ours: [bool; 2],
    /// Whether the last command has made a move of ours.
    has_moved: bool,
    /// The number of the command being answered.
    heading: String,
    is_over: bool,
}

/// The text of an answer, or nothing if it has been written already.
type Answer = Result<Option<String>, Refusal>;

type Handler<P, W> = fn(&mut Server<P, W>, &mut Arguments<'_>) -> Answer;

fn text(text: impl Into<String>) -> Answer {
    Ok(Some(text.into()))
}

fn done() -> Answer {
    text("")
}

impl<P: Players, W: Write + 'static> Server<P, W> {
    /// Every command, in the order in which `list_commands` shows them.
    const COMMANDS: &'static [(&'static str, Handler<P, W>)] = &[
        ("protocol_version", |_, _| text("2")),
        ("name", |_, _| text(NAME)),
        ("version", |_, _| text(env!("CARGO_PKG_VERSION"))),
        ("known_command", Self::known_command),
        ("list_commands", Self::list_commands),
        ("quit", Self::quit),
        ("boardsize", Self::boardsize),
        ("clear_board", Self::clear_board),
        ("komi", Self::komi),
        ("fixed_handicap", Self::fixed_handicap),
        ("place_free_handicap", Self::place_free_handicap),
        ("set_free_handicap", Self::set_free_handicap),
        ("play", Self::play),
        ("genmove", Self::genmove),
        ("reg_genmove", Self::reg_genmove),
        ("undo", Self::undo),
        ("gg-undo", Self::undo),
        ("time_settings", Self::time_settings),
        ("time_left", Self::time_left),
        ("final_score", Self::final_score),
        ("final_status_list", Self::final_status_list),
        ("loadsgf", Self::loadsgf),
        ("printsgf", Self::printsgf),
        ("showboard", Self::showboard),
        ("get_komi", |server, _| text(server.desk.komi().to_string())),
        ("query_boardsize", |server, _| text(server.desk.size().to_string())),
        ("kgs-time_settings", Self::named_time_settings),
        ("kgs-genmove_cleanup", Self::genmove_cleanup),
        ("kgs-rules", Self::set_rules),
        ("kgs-game_over", |_, _| done()),
        ("kata-time_settings", Self::named_time_settings),
        ("kata-list_time_settings", |_, _| text("none absolute byoyomi canadian fischer")),
        ("kata-set-rules", Self::set_rules),
        ("kata-get-rules", |server, _| text(rules::describe(server.desk.rules()))),
        ("kata-analyze", |server, arguments| server.analyze(arguments, Dialect::Kata)),
        ("kata-genmove_analyze", |server, arguments| server.genmove_analyze(arguments, Dialect::Kata)),
        ("lz-analyze", |server, arguments| server.analyze(arguments, Dialect::Leela)),
        ("lz-genmove_analyze", |server, arguments| server.genmove_analyze(arguments, Dialect::Leela)),
        ("stop", |_, _| done()),
        ("gogui-analyze_commands", |_, _| text(ANALYZE_COMMANDS)),
        ("gogui-interrupt", |_, _| done()),
        ("gogui-play_sequence", Self::play_sequence),
        ("gogui-rules_board_size", |server, _| text(server.desk.size().to_string())),
        ("tengen-param", Self::param),
        ("tengen-player", Self::player),
        ("tengen-ownership", Self::ownership),
        ("tengen-influence", Self::influence),
        ("tengen-best_moves", Self::best_moves),
        ("tengen-pv", Self::variation),
    ];

    fn obey(&mut self, command: &Command) -> io::Result<()> {
        self.heading = command.id.clone().unwrap_or_default();
        let handler = Self::COMMANDS.iter().find(|(name, _)| *name == command.name).map(|(_, handler)| handler);
        let answer = match handler {
            Some(handler) => handler(self, &mut Arguments::new(&command.arguments)),
            None => Err("unknown command".to_owned()),
        };
        match answer {
            // An answer has no empty line within it: that would end it.
            Ok(Some(text)) => {
                let space = if text.is_empty() || text.starts_with('\n') { "" } else { " " };
                write!(self.output, "={}{space}{}\n\n", self.heading, closed(&text))?;
            }
            Ok(None) => {}
            Err(why) => write!(self.output, "?{} {}\n\n", self.heading, why.replace('\n', " "))?,
        }
        self.output.flush()
    }

    // About the engine and the session.

    fn known_command(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        let name = arguments.next().unwrap_or("");
        text(if Self::COMMANDS.iter().any(|(known, _)| *known == name) { "true" } else { "false" })
    }

    fn list_commands(&mut self, _: &mut Arguments<'_>) -> Answer {
        text(Self::COMMANDS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join("\n"))
    }

    fn quit(&mut self, _: &mut Arguments<'_>) -> Answer {
        self.is_over = true;
        done()
    }

    // Before the game.

    fn boardsize(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        let size: usize = arguments.number("the size")?;
        if !(2..=25).contains(&size) {
            return Err("unacceptable size".to_owned());
        }
        self.desk = self.desk_of(size)?;
        self.forget();
        done()
    }

    fn desk_of(&self, size: usize) -> Result<Box<dyn Desk>, Refusal> {
        desk::open(&self.players, &self.options.player, size, self.desk.rules(), self.desk.komi())
    }

    /// A new game begins.
    fn forget(&mut self) {
        self.clocks.reset();
        self.hopeless = [0; 2];
        self.ours = [false; 2];
    }

    fn clear_board(&mut self, _: &mut Arguments<'_>) -> Answer {
        self.desk.clear();
        self.forget();
        done()
    }

    /// Any komi is taken: what is not in half points, or ridiculous, becomes the nearest that is.
    fn komi(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        let points: f64 = arguments.number("komi")?;
        let halves = (points * 2.0).round().clamp(-400.0, 400.0);
        let komi = Komi::new(halves / 2.0).map_err(|_| "syntax error: komi is a number")?;
        self.desk.set_komi(komi)?;
        done()
    }

    fn set_rules(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        let name = arguments.rest().join(" ");
        self.desk.set_rules(rules::read(&name)?)?;
        done()
    }

    fn fixed_handicap(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        let stones: usize = arguments.number("stones")?;
        let points = fixed_handicap(self.desk.size(), stones).map_err(|_| "invalid number of stones")?;
        self.put_handicap(&points)
    }

    fn place_free_handicap(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        let stones: usize = arguments.number("stones")?;
        let size = self.desk.size();
        if !(2..size * size).contains(&stones) {
            return Err("invalid number of stones".to_owned());
        }
        self.put_handicap(&handicap::places(size, stones))
    }

    fn set_free_handicap(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        let size = self.desk.size();
        let points = arguments.rest().iter().map(|text| read_point(size, text)).collect::<Result<Vec<_>, _>>();
        let points = points.map_err(|error| format!("bad vertex list: {error}"))?;
        let is_twice = |index: usize| points[..index].contains(&points[index]);
        if points.len() < 2 || points.len() >= size * size || (0..points.len()).any(is_twice) {
            return Err("bad vertex list".to_owned());
        }
        self.put_handicap(&points)?;
        done()
    }

    fn put_handicap(&mut self, points: &[Point]) -> Answer {
        if !self.desk.is_empty() {
            return Err("board not empty".to_owned());
        }
        self.desk.set_handicap(points)?;
        let size = self.desk.size();
        let name = |point: &Point| {
            let (column, row) = (point.cell() % (size + 1) - 1, point.cell() / (size + 1) - 1);
            format!("{}{}", char::from(b"ABCDEFGHJKLMNOPQRSTUVWXYZ"[column]), size - row)
        };
        text(points.iter().map(name).collect::<Vec<_>>().join(" "))
    }

    fn time_settings(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        self.clocks = Clocks::new(Control::standard(arguments)?);
        done()
    }

    fn named_time_settings(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        self.clocks = Clocks::new(Control::named(arguments)?);
        done()
    }

    fn time_left(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        let side = arguments.side()?;
        // Clocks that have run out are told as negative numbers by some.
        let seconds: f64 = arguments.number("time")?;
        let time = Duration::try_from_secs_f64(seconds.max(0.0)).map_err(|_| "syntax error: no such time")?;
        let stones: i64 = arguments.number("stones")?;
        self.clocks.set(side, time, u32::try_from(stones).unwrap_or(0));
        done()
    }

    // The game.

    fn play(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        let side = arguments.side()?;
        let mv = arguments.word("a vertex")?;
        // Programs tell us that way that the other side has given up.
        if !mv.eq_ignore_ascii_case("resign") {
            self.desk.play(side, mv)?;
        }
        done()
    }

    fn play_sequence(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        let mut played = 0;
        while arguments.peek().is_some() {
            if let Err(why) = self.play(arguments) {
                // All of it or nothing.
                self.desk.undo(played)?;
                return Err(why);
            }
            played += 1;
        }
        done()
    }

    fn undo(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        let plies = if arguments.peek().is_some() { arguments.number("moves")? } else { 1 };
        self.desk.undo(plies)?;
        self.hopeless = [0; 2];
        done()
    }

    /// When a move of this side must be there.
    fn limits(&self, side: Side) -> Limits {
        let clock = self.clocks.of(side, self.options.lag);
        Limits { time: self.options.time.filter(|_| clock.is_none()), clock, ..Limits::default() }
    }

    fn genmove(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        let side = arguments.side()?;
        let limits = self.limits(side);
        let begin = Instant::now();
        let mut eye = Eye { clock: &begin, stop: self.inbox.is_interrupted(), report: &mut |_| {} };
        let outcome = self.desk.think(side, &limits, &mut eye);
        self.clocks.spend(side, begin.elapsed());
        text(self.conclude(side, outcome)?)
    }

    fn genmove_cleanup(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        let side = arguments.side()?;
        let limits = self.limits(side);
        let begin = Instant::now();
        let mut eye = Eye { clock: &begin, stop: self.inbox.is_interrupted(), report: &mut |_| {} };
        let outcome = self.desk.think_cleanup(side, &limits, &mut eye);
        self.clocks.spend(side, begin.elapsed());
        // Nobody gives up a game that is only being tidied up.
        self.hopeless[side.index()] = 0;
        text(self.conclude(side, outcome)?)
    }

    fn reg_genmove(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        let side = arguments.side()?;
        let begin = Instant::now();
        let limits = self.limits(side);
        let mut eye = Eye { clock: &begin, stop: self.inbox.is_interrupted(), report: &mut |_| {} };
        match self.desk.think(side, &limits, &mut eye) {
            Ok(finding) => text(finding.best),
            Err(NoMove::Resigns) => text("resign"),
            Err(NoMove::Fails(why)) => Err(why),
        }
    }

    /// Plays what was found and says it, or resigns.
    fn conclude(&mut self, side: Side, outcome: Result<Finding, NoMove>) -> Result<String, Refusal> {
        self.ours[side.index()] = true;
        let finding = match outcome {
            Ok(finding) => finding,
            Err(NoMove::Resigns) => return Ok("resign".to_owned()),
            Err(NoMove::Fails(why)) => return Err(why),
        };
        let hopeless = &mut self.hopeless[side.index()];
        *hopeless = if share(finding.value) < self.options.resign { *hopeless + 1 } else { 0 };
        // In the opening nobody has lost yet, whatever a young search says.
        let is_early = self.desk.ply() < self.desk.size() * self.desk.size() / 5;
        if *hopeless >= HOPELESS && !is_early {
            return Ok("resign".to_owned());
        }
        self.desk.play(side, &finding.best)?;
        self.has_moved = true;
        Ok(finding.best)
    }

    /// After a move of ours, thinks about the opponent's until somebody wants something: players that keep their tree have
    /// a good part of the next thought then. What is found is for nobody's ears, nor is it if nothing can be.
    fn ponder(&mut self) {
        if std::mem::take(&mut self.has_moved) && self.options.ponder && !self.is_over {
            let limits = Limits { endless: true, ..Limits::default() };
            let begin = Instant::now();
            let mut eye = Eye { clock: &begin, stop: self.inbox.is_wanted(), report: &mut |_| {} };
            let _ = self.desk.think(self.desk.to_move(), &limits, &mut eye);
        }
    }

    // Analysis.

    fn analyze(&mut self, arguments: &mut Arguments<'_>, dialect: Dialect) -> Answer {
        let wish = Wish::read(arguments)?;
        let side = wish.side.unwrap_or(self.desk.to_move());
        let limits = Limits { endless: true, ..Limits::default() };
        // Whatever comes of it, and however soon, only the next command ends an analysis.
        let _ = self.stream(side, &wish, dialect, &limits, true)?;
        self.inbox.wait();
        self.say("\n")?;
        Ok(None)
    }

    fn genmove_analyze(&mut self, arguments: &mut Arguments<'_>, dialect: Dialect) -> Answer {
        let wish = Wish::read(arguments)?;
        let side = wish.side.unwrap_or(self.desk.to_move());
        let limits = self.limits(side);
        let begin = Instant::now();
        let outcome = self.stream(side, &wish, dialect, &limits, false)?;
        self.clocks.spend(side, begin.elapsed());
        let mv = match self.conclude(side, outcome) {
            Ok(mv) => mv,
            // The heading is out already: a pass is always a move.
            Err(_) => {
                self.desk.play(side, "pass")?;
                "pass".to_owned()
            }
        };
        self.say(&format!("play {mv}\n\n"))?;
        Ok(None)
    }

    /// Thinks, and writes down what is found every now and then, at least once if anything is. A refusal is the output's.
    fn stream(
        &mut self,
        side: Side,
        wish: &Wish,
        dialect: Dialect,
        limits: &Limits,
        is_analysis: bool,
    ) -> Result<Result<Finding, NoMove>, Refusal> {
        // A player that says nothing about ownership has somebody say it for him.
        let estimate = if wish.ownership { self.desk.ownership() } else { Vec::new() };
        let heading = format!("={}\n", self.heading);
        self.say(&heading)?;
        let begin = Instant::now();
        let mut last: Option<Duration> = None;
        let Server { desk, inbox, output, .. } = self;
        let mut write = |finding: &Finding| {
            let ownership = if finding.ownership.is_empty() { &estimate } else { &finding.ownership };
            // If nobody reads any more, the loop of commands will notice.
            let _ = writeln!(output, "{}", line(finding, wish, dialect, side, ownership)).and_then(|()| output.flush());
        };
        let mut report = |finding: &Finding| {
            let now = begin.elapsed();
            if now.saturating_sub(last.unwrap_or_default()) >= wish.interval {
                last = Some(now);
                write(finding);
            }
        };
        let stop = if is_analysis { inbox.is_wanted() } else { inbox.is_interrupted() };
        let mut eye = Eye { clock: &begin, stop, report: &mut report };
        let outcome = desk.think_among(side, &|mv| wish.shows(side, mv), limits, &mut eye);
        if let Ok(finding) = &outcome {
            write(finding);
        }
        Ok(outcome)
    }

    fn say(&mut self, text: &str) -> Result<(), Refusal> {
        self.output.write_all(text.as_bytes()).and_then(|()| self.output.flush()).map_err(|error| error.to_string())
    }

    // The end of the game.

    fn final_score(&mut self, _: &mut Arguments<'_>) -> Answer {
        let lead = self.desk.score();
        text(match lead {
            0.0 => "0".to_owned(),
            lead if lead > 0.0 => format!("B+{lead}"),
            lead => format!("W+{}", -lead),
        })
    }

    fn final_status_list(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        let status = match arguments.word("a status")? {
            "dead" => Status::Dead,
            "alive" => Status::Alive,
            "seki" => Status::Seki,
            "black_territory" => Status::Territory(Side::First),
            "white_territory" => Status::Territory(Side::Second),
            "dame" => Status::Dame,
            word => return Err(format!("invalid status {}", tengen_core::refuse(word))),
        };
        let chains = self.desk.status(status);
        text(chains.iter().map(|chain| chain.join(" ")).collect::<Vec<_>>().join("\n"))
    }

    // Files.

    fn loadsgf(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        let words = arguments.rest();
        let whole = words.join(" ");
        // The path may have spaces, and a number behind it.
        let (path, number) = match words.split_last().and_then(|(last, path)| Some((path, last.parse::<usize>().ok()?)))
        {
            Some((path, number)) if !path.is_empty() && !Path::new(&whole).exists() => (path.join(" "), Some(number)),
            _ => (whole, None),
        };
        if path.is_empty() {
            return Err("syntax error: a file is missing".to_owned());
        }
        let wrong = |why: String| format!("cannot load file: {why}");
        let bytes = read_file(Path::new(&path)).map_err(|error| wrong(error.to_string()))?;
        let trees = sgf::read(&bytes).map_err(|error| wrong(error.to_string()))?;
        let game = trees.first().map(sgf::to_game).ok_or_else(|| wrong("there is no game in it".to_owned()))?;
        let record = game.map_err(|error| wrong(error.to_string()))?.record();
        let size = record.game.strip_prefix("go").and_then(|digits| digits.parse().ok());
        let mut desk = self.desk_of(size.ok_or_else(|| wrong("it is no game of Go".to_owned()))?)?;
        // Move number n is the one that is not played any more.
        let plies = number.map_or(usize::MAX, |number| number.saturating_sub(1));
        desk.load(&record, plies).map_err(wrong)?;
        self.desk = desk;
        self.forget();
        done()
    }

    fn printsgf(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        let mut record = self.desk.record();
        for side in Side::BOTH.into_iter().filter(|side| self.ours[side.index()]) {
            record.players[side.index()] = format!("{NAME} {}", env!("CARGO_PKG_VERSION"));
        }
        let tree = sgf::from_game(&GameTree::new(record)).map_err(|error| error.to_string())?;
        let file = sgf::write(&[tree]);
        let path = arguments.rest().join(" ");
        if path.is_empty() || path == "-" {
            return text(file.trim_end());
        }
        std::fs::write(&path, file).map_err(|error| format!("cannot write file: {error}"))?;
        done()
    }

    // To look at.

    fn showboard(&mut self, _: &mut Arguments<'_>) -> Answer {
        text(self.desk.draw())
    }

    fn param(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        let params = self.players.params(&self.options.player)?;
        let Some(name) = arguments.next() else {
            let line = |(info, value): &(ParamInfo, String)| {
                let value = match (info.range.as_str(), value.as_str()) {
                    ("on or off", "on") => "1",
                    ("on or off", "off") => "0",
                    (_, value) => value,
                };
                let kind = if info.range == "on or off" { "bool" } else { "string" };
                format!("[{kind}] {} {value}", info.name)
            };
            return text(params.iter().map(line).collect::<Vec<_>>().join("\n"));
        };
        if arguments.peek().is_none() {
            let known = params.iter().find(|(info, _)| info.name == name);
            return match known {
                Some((_, value)) => text(value.clone()),
                None => {
                    let names = params.iter().map(|(info, _)| info.name);
                    Err(tengen_search::params::unknown("parameter", name, names))
                }
            };
        }
        let changed = self.players.with_param(&self.options.player, name, &arguments.rest().join(" "))?;
        self.take_player(changed)
    }

    fn player(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        if arguments.peek().is_none() {
            return text(self.options.player.clone());
        }
        self.take_player(arguments.rest().join(" "))
    }

    fn take_player(&mut self, player: String) -> Answer {
        self.desk.set_player(&player)?;
        self.options.player = player;
        done()
    }

    fn ownership(&mut self, _: &mut Arguments<'_>) -> Answer {
        text(grid(&self.desk.ownership(), self.desk.size()))
    }

    fn influence(&mut self, _: &mut Arguments<'_>) -> Answer {
        text(grid(&self.desk.influence(), self.desk.size()))
    }

    /// Moves and their chances in percent, as GoGui writes labels on points.
    fn best_moves(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        let finding = self.look(arguments)?;
        let label = |choice: &desk::Choice| format!("{} {:.0}", choice.mv, share(choice.value) * 100.0);
        let seen = finding.candidates.iter().filter(|choice| choice.visits > 0 && choice.mv != "pass");
        text(seen.take(10).map(label).collect::<Vec<_>>().join(" "))
    }

    fn variation(&mut self, arguments: &mut Arguments<'_>) -> Answer {
        let finding = self.look(arguments)?;
        text(finding.candidates.first().map_or(String::new(), |best| best.pv.join(" ")))
    }

    /// A thought within the usual limits, for the side to move or the one that is named.
    fn look(&mut self, arguments: &mut Arguments<'_>) -> Result<Finding, Refusal> {
        let side = arguments.next().and_then(side).unwrap_or(self.desk.to_move());
        let begin = Instant::now();
        let limits = self.limits(side);
        let mut eye = Eye { clock: &begin, stop: self.inbox.is_interrupted(), report: &mut |_| {} };
        self.desk.think(side, &limits, &mut eye).map_err(|why| match why {
            NoMove::Resigns => "the player resigns".to_owned(),
            NoMove::Fails(why) => why,
        })
    }
}

/// What GoGui shows in its window of analysing commands: the kind of display, a label, the command.
const ANALYZE_COMMANDS: &str = "dboard/Ownership/tengen-ownership
dboard/Influence/tengen-influence
pspairs/Best Moves/tengen-best_moves
varc/Principal Variation/tengen-pv %c
plist/Dead Stones/final_status_list dead
plist/Stones in Seki/final_status_list seki
plist/Black Territory/final_status_list black_territory
plist/White Territory/final_status_list white_territory
string/Final Score/final_score
param/Parameters/tengen-param";

/// A text without empty lines, which would end an answer.
fn closed(text: &str) -> String {
    let body = text.trim_end_matches('\n');
    let (first, rest) = body.split_once('\n').map_or((body, None), |(first, rest)| (first, Some(rest)));
    match rest {
        None => first.to_owned(),
        Some(rest) => {
            let lines = rest.split('\n').map(|line| if line.is_empty() { " " } else { line });
            format!("{first}\n{}", lines.collect::<Vec<_>>().join("\n"))
        }
    }
}

/// Numbers in rows as the board has them.
fn grid(values: &[f32], size: usize) -> String {
    let number = |value: &f32| format!("{:.2}", if *value == 0.0 { 0.0 } else { *value });
    let row = |row: &[f32]| row.iter().map(number).collect::<Vec<_>>().join(" ");
    values.chunks(size).map(row).collect::<Vec<_>>().join("\n")
}
