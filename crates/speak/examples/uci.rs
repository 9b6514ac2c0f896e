//! The chess engine on standard input and output and nothing else: quicker to build than the whole program.

fn main() {
    tengen_speak::uci::serve(std::io::stdin().lock(), std::io::stdout());
}
