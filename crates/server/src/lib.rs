//! The web app's server: tables where people and machines play, and everything a page asks for beside them.
//!
//! [`message`] is what server and page say to each other. A table with its people is a `Room`, a plain value that changes by
//! entries; a `Host` is the task that keeps one, the `Store` has its entries on disk before anybody hears of them, and the `Pool` is where
//! machines think. [`Server`] puts it all on an address.

mod assets;
mod catalog;
mod clock;
mod door;
mod edit;
mod fair;
mod guard;
mod host;
mod hub;
mod library;
mod memory;
pub mod message;
mod mind;
mod pool;
mod room;
mod routes;
mod runs;
mod secret;
mod socket;
mod solving;
mod store;
mod think;
pub mod time;
mod tree;
mod trouble;
pub mod typescript;
mod view;

pub use catalog::{Catalog, Hasty, LevelPlan};
pub use mind::Mind;
pub use think::{Chosen, Spot, choose};

use hub::Hub;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// How a server is to be.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where everything is kept.
    pub data: PathBuf,
    /// Whether strangers can reach it: then there are limits on everything.
    pub public: bool,
    /// Proxies between the visitors and the server, whose word on addresses is believed.
    pub proxies: usize,
    /// Threads that think.
    pub threads: usize,
}

impl Default for Config {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        Config { data: PathBuf::from("tengen-data"), public: false, proxies: 0, threads }
    }
}

impl Config {
    /// The game database.
    pub fn database(&self) -> PathBuf {
        self.data.join("games.db")
    }
}

/// A server that has its files open, but no address yet.
pub struct Server {
    hub: Arc<Hub>,
}

impl Server {
    /// Opens files and starts the thinking threads. Fails if another server has the data directory.
    pub async fn open(config: Config) -> Result<Self, String> {
        let open = tokio::task::spawn_blocking(|| Hub::open(config)).await;
        Ok(Server { hub: open.map_err(|error| error.to_string())?? })
    }

    /// Wakes the tables at which games went on, and serves until `end` comes; then ends everything in an orderly way.
    pub async fn serve(self, listener: TcpListener, end: impl Future<Output = ()>) {
        let hub = Arc::clone(&self.hub);
        let chores = tokio::spawn(async move {
            hub.wake().await;
            tokio::join!(forget_old(hub), memory::give_back());
        });
        door::serve(Arc::clone(&self.hub), listener, end).await;
        chores.abort();
        self.hub.close().await;
    }
}

/// Tables that nobody touched for a year are forgotten; finished games are in the library anyway.
async fn forget_old(hub: Arc<Hub>) {
    loop {
        tokio::time::sleep(Duration::from_secs(6 * 3600)).await;
        let year = 365 * 24 * 3600 * 1000;
        let _ = hub.store.forget(time::epoch().saturating_sub(year) as i64).await;
    }
}
