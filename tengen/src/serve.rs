//! `tengen serve`: the web app.

use crate::Outcome;
use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use tengen_server::{Config, Server};
use tengen_table::places;

/// Where the web app is unless one says otherwise.
const ADDRESS: &str = "127.0.0.1:7350";

/// Start the web app: play, analyse, learn, watch
#[derive(clap::Args, Default)]
#[command(after_help = "Examples: tengen serve
          tengen serve --addr 127.0.0.1:8000 --data ~/games
          tengen serve --public --addr 0.0.0.0:7350
          tengen serve --public --proxies 1")]
pub struct Arguments {
    /// Where to listen [default: 127.0.0.1:7350, or the next free port]
    #[arg(long, value_name = "ADDRESS:PORT")]
    addr: Option<SocketAddr>,
    /// Where games and settings are kept [default: the system's place for programs]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Strangers can reach it: limits on everything, and names instead of addresses are allowed
    #[arg(long)]
    public: bool,
    /// Proxies in front of the server: visitors are told apart by the address that the first of them was reached from
    #[arg(long, value_name = "N", default_value_t = 0)]
    proxies: u8,
    /// Threads that think [default: as many as there are cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

pub fn run(arguments: &Arguments) -> Outcome {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_env_filter(tracing_subscriber::EnvFilter::try_from_env("TENGEN_LOG").unwrap_or_else(|_| "info".into()))
        .init();
    if let Some(data) = &arguments.data {
        places::choose_data_dir(data.clone());
    }
    let Arguments { public, proxies, .. } = *arguments;
    let mut config = Config { data: places::data_dir(), public, proxies: proxies.into(), ..Config::default() };
    if let Some(threads) = arguments.threads {
        config.threads = threads.into();
    }
    let runtime = tokio::runtime::Runtime::new().map_err(|error| format!("cannot start: {error}"))?;
    runtime.block_on(async {
        let data = config.data.clone();
        // Before the address, so that a second server on the same games takes none.
        let server = Server::open(config).await?;
        let listener = listen(arguments.addr).await?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let open_elsewhere = !is_loopback(address.ip()) && !arguments.public;
        let mut words = format!("Games are kept in {}\n", data.display());
        if open_elsewhere {
            words += "Others can reach this address: add --public for limits on what strangers may do.\n";
        }
        words += &format!("Tengen is at http://{}  (open it in a browser; Ctrl-C ends it)\n", shown(address));
        // A server goes on when nobody listens to what it says.
        let _ = std::io::stdout().write_all(words.as_bytes());
        server.serve(listener, end()).await;
        Ok(())
    })
}

fn is_loopback(ip: IpAddr) -> bool {
    ip.is_loopback()
}

/// An address one can type.
fn shown(address: SocketAddr) -> String {
    if address.ip().is_unspecified() { format!("localhost:{}", address.port()) } else { address.to_string() }
}

/// The address asked for, or the usual one, or the next free one after it.
async fn listen(wanted: Option<SocketAddr>) -> Result<tokio::net::TcpListener, String> {
    use std::io::ErrorKind::AddrInUse;
    if let Some(address) = wanted {
        return tokio::net::TcpListener::bind(address).await.map_err(|error| match error.kind() {
            AddrInUse => format!("{address} is taken by another program; choose another port with --addr"),
            _ => format!("cannot listen at {address}: {error}"),
        });
    }
    // The constant is a good address.
    let usual: SocketAddr = ADDRESS.parse().map_err(|error| format!("{ADDRESS}: {error}"))?;
    for port in usual.port()..usual.port() + 50 {
        match tokio::net::TcpListener::bind((usual.ip(), port)).await {
            Ok(listener) => {
                if port != usual.port() {
                    say!("Port {} is taken; using {port} instead.", usual.port());
                }
                return Ok(listener);
            }
            Err(error) if error.kind() == AddrInUse => {}
            Err(error) => return Err(format!("cannot listen at {}:{port}: {error}", usual.ip())),
        }
    }
    Err(format!("ports {} to {} are all taken; choose one with --addr", usual.port(), usual.port() + 49))
}

/// Comes back when somebody wants the program to end.
async fn end() {
    let interrupt = async {
        // Without signals the program can still be killed, and loses nothing.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
}
