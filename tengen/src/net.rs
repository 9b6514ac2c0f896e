//! `tengen net`: what is in a network's file, how fast it is, and a copy for other programs.

use crate::{Outcome, presets};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tengen_net::description::Description;
use tengen_net::file::{self, Card};
use tengen_net::graph::Graph;
use tengen_net::model::Model;
use tengen_net::onnx;
use tengen_net::run::{Batch, Mode, Network, Tape};
use tengen_net::team::Team;

/// Look into networks, measure them, export them
#[derive(clap::Args)]
#[command(after_help = "Examples: tengen net show rna1
          tengen net show rna1 --json
          tengen net bench 64x6 --board 9
          tengen net export a-policy --out a-policy.onnx
FILE is a network (.safetensors), a description (.toml), or the name of a ready description; `tengen net list` names those.")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// The ready descriptions
    List,
    /// What a network is made of, and where it comes from
    Show(Show),
    /// Positions a second, in play and in learning
    Bench(Bench),
    /// A copy that other programs read, in the format ONNX
    Export(Export),
}

#[derive(clap::Args)]
struct Show {
    /// A network or a description
    file: PathBuf,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct Bench {
    /// A network or a description
    file: PathBuf,
    /// Points across the board, for networks that play on any
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u16).range(1..=25))]
    board: u16,
    /// Positions of a batch in learning
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    batch: u32,
    /// Threads in learning; play is measured with one
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct Export {
    /// A network or a description; of a description, a network that has learnt nothing
    file: PathBuf,
    /// The file to write
    #[arg(long, value_name = "FILE.onnx")]
    out: PathBuf,
    /// Points across the board, for networks that play on any
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u16).range(1..=25))]
    board: u16,
}

pub fn run(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::List => {
            presets::names("net").into_iter().for_each(|name| say!("{name}"));
            Ok(())
        }
        Command::Show(show) => self::show(show),
        Command::Bench(bench) => self::bench(bench),
        Command::Export(export) => self::export(export),
    }
}

/// A network, and what its file says beside if it has learnt something.
pub struct Found {
    pub model: Model,
    learnt: Option<(Card, String)>,
}

/// The largest file that is read.
const LARGEST: u64 = 1 << 31;

/// Reads a network, or makes one of a description.
pub fn find(path: &Path) -> Result<Found, String> {
    let shown = path.display();
    if path.extension().is_some_and(|extension| extension == "safetensors") {
        let size = std::fs::metadata(path).map_err(|error| format!("{shown}: {error}"))?;
        if !size.is_file() || size.len() > LARGEST {
            return Err(format!("{shown} is no file of a network's size"));
        }
        let bytes = std::fs::read(path).map_err(|error| format!("{shown}: {error}"))?;
        let file::Read { model, card, sha256 } = file::read(&bytes).map_err(|flaw| format!("{shown}: {flaw}"))?;
        return Ok(Found { model, learnt: Some((card, sha256)) });
    }
    let text = presets::text("net", path)?;
    let model = Description::read(&text).and_then(|description| Model::new(description, 0));
    Ok(Found { model: model.map_err(|flaw| format!("{shown}: {flaw}"))?, learnt: None })
}

/// The board that a network is for, or else this.
fn board(model: &Model, across: u16) -> (usize, usize) {
    model.description().input.board.unwrap_or((across.into(), across.into()))
}

fn show(show: &Show) -> Outcome {
    let Found { model, learnt } = find(&show.file)?;
    let description = model.description();
    let graph = model.graph(board(&model, 9)).map_err(|flaw| flaw.to_string())?;
    let heads: Vec<_> =
        graph.outputs.iter().map(|output| json!({"name": output.name, "numbers": output.count})).collect();
    if show.json {
        let mut said = json!({
            "name": description.name, "game": description.game, "encoder": description.encoder,
            "parameters": model.learnt(), "products": graph.products(), "heads": heads,
            "planes": description.input.planes, "globals": description.input.globals, "board": description.input.board,
        });
        if let Some((card, sha256)) = &learnt {
            said["sha256"] = json!(sha256);
            said["card"] = json!(card);
        }
        say!("{said}");
        return Ok(());
    }
    let named = |name: &str, text: &str| {
        if !text.is_empty() {
            say!("{name:<11} {text}");
        }
    };
    named("name", &description.name);
    named("game", &description.game);
    named("encoder", &description.encoder);
    named("board", &description.input.board.map_or("any".to_owned(), |(down, across)| format!("{down}x{across}")));
    named("input", &format!("{} planes, {} globals", description.input.planes, description.input.globals));
    named("parameters", &model.learnt().to_string());
    named("products", &products(&graph, board(&model, 9)));
    for output in &graph.outputs {
        say!("head        {}: {} numbers", output.name, output.count);
    }
    say!("weights");
    for parameter in model.parameters().iter().filter(|parameter| parameter.kind.is_learnt()) {
        let shape: Vec<String> = parameter.shape.iter().map(usize::to_string).collect();
        say!("  {:<40} {:>20} {:>9}", parameter.name, shape.join(" x "), parameter.count());
    }
    if let Some((card, sha256)) = learnt {
        say!("sha256      {sha256}");
        for (key, text) in card {
            say!("{key}: {}", text.trim_end());
        }
    }
    Ok(())
}

fn products(graph: &Graph, (down, across): (usize, usize)) -> String {
    format!("{:.1} million a position on {down}x{across}", graph.products() as f64 / 1e6)
}

/// How long a figure is measured.
const LONG: Duration = Duration::from_millis(700);

/// Positions a second of something that does so many at a time: the best of three.
fn speed(positions: usize, mut work: impl FnMut() -> Outcome) -> Result<f64, String> {
    work()?;
    let mut best = 0.0f64;
    for _ in 0..3 {
        let (begun, mut count) = (Instant::now(), 0);
        while begun.elapsed() < LONG {
            work()?;
            count += positions;
        }
        best = best.max(count as f64 / begun.elapsed().as_secs_f64());
    }
    Ok(best)
}

fn bench(bench: &Bench) -> Outcome {
    let Found { model, .. } = find(&bench.file)?;
    let board = board(&model, bench.board);
    let fine = |flaw: tengen_net::description::Flaw| flaw.to_string();
    let player = Network::playing(&model, board).map_err(fine)?;
    let graph = model.graph(board).map_err(fine)?;
    let (planes, globals) = (graph.planes.numbers(), graph.globals);
    let mut figures = Vec::new();
    let mut say = |name: String, figure: f64| {
        if !bench.json {
            say!("{name:<28} {figure:>9.0} positions/s");
        }
        figures.push(json!({"name": name, "positions_per_second": figure}));
    };
    let mut tape = Tape::default();
    for count in [1, 8, 64] {
        let (planes, globals) = (vec![0.5; count * planes], vec![0.5; count * globals]);
        let batch = Batch { samples: count, planes: &planes, globals: &globals };
        let team = Team::alone();
        let figure = speed(count, || player.forward(&team, batch, Mode::Playing, &mut tape).map_err(fine))?;
        say(format!("play, batch {count}, one thread"), figure);
    }
    let (count, threads) = (bench.batch as usize, usize::from(bench.threads));
    let (planes, globals) = (vec![0.5; count * planes], vec![0.5; count * globals]);
    let batch = Batch { samples: count, planes: &planes, globals: &globals };
    let team = Team::new(threads);
    let heads: Vec<Vec<f32>> = graph.outputs.iter().map(|output| vec![1e-3; count * output.count]).collect();
    let (mut learner, mut tape, mut gradients) = (Network::learning(graph), Tape::default(), Vec::new());
    let figure = speed(count, || {
        learner.refresh(&team, &model.weights);
        learner.forward(&team, batch, Mode::Learning(0), &mut tape).map_err(fine)?;
        learner.backward(&team, &heads, &mut gradients, &mut tape);
        Ok(())
    })?;
    say(format!("learning, batch {count}, {threads} threads"), figure);
    if bench.json {
        say!("{}", json!({"figures": figures}));
    }
    Ok(())
}

fn export(export: &Export) -> Outcome {
    let Found { model, .. } = find(&export.file)?;
    let board = board(&model, export.board);
    let bytes = onnx::write(&model, board).map_err(|flaw| flaw.to_string())?;
    std::fs::write(&export.out, &bytes).map_err(|error| format!("{}: {error}", export.out.display()))?;
    say!("{} for boards of {}x{}: {} bytes", export.out.display(), board.0, board.1, bytes.len());
    Ok(())
}
