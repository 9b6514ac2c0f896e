//! Nodes a second over the bench positions: `cargo run --release -p tengen-chess --example speed [DEPTH] [THREADS]`.

fn main() {
    let mut arguments = std::env::args().skip(1).filter_map(|text| text.parse::<usize>().ok());
    let depth = arguments.next().unwrap_or(12);
    let threads = arguments.next().unwrap_or(1);
    let start = std::time::Instant::now();
    let nodes = tengen_chess::bench::run(depth as u32, threads, 16);
    let seconds = start.elapsed().as_secs_f64();
    println!("{nodes} nodes, {:.0} a second", nodes as f64 / seconds);
}
