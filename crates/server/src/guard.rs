//! Who may do how much, and from where: visitors, what is measured out to them, origins, headers.

use crate::Config;
use crate::message::{Code, Trouble};
use axum::extract::ws::Utf8Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::sync::watch;

/// Fills by and by, and is emptied one by one.
#[derive(Clone, Debug)]
pub struct Bucket {
    full: f64,
    per_second: f64,
    left: f64,
    since: Option<Instant>,
}

impl Bucket {
    /// A full one.
    pub fn new(full: f64, per_second: f64) -> Self {
        Bucket { full, per_second, left: full, since: None }
    }

    /// Takes so much out; false if there is not so much. Whoever asks for more than it can hold gets it when it is full.
    pub fn take(&mut self, amount: f64, now: Instant) -> bool {
        let amount = amount.min(self.full);
        if let Some(since) = self.since {
            let fresh = now.saturating_duration_since(since).as_secs_f64() * self.per_second;
            self.left = (self.left + fresh).min(self.full);
        }
        self.since = Some(now);
        let enough = self.left >= amount;
        self.left -= if enough { amount } else { 0.0 };
        enough
    }

    fn is_full(&self, now: Instant) -> bool {
        self.since.is_none_or(|since| {
            self.left + now.saturating_duration_since(since).as_secs_f64() * self.per_second >= self.full
        })
    }
}

/// What is measured out to a visitor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// A list or a position over HTTP.
    Light,
    /// A new table, an import, an explanation.
    Heavy,
    /// A request over a socket.
    Wish,
    /// A byte in the log of a table.
    Written,
}

/// Of what a visitor may have only so many at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A connection, whatever goes over it.
    Connection,
    /// A page's socket.
    Socket,
    /// Something that is to be worked out, from its coming in to the last byte of its answer.
    Errand,
}

/// How much each visitor may do.
#[derive(Clone, Debug)]
struct Limits {
    /// For each [`Effort`]: at once, and by the second in the long run.
    efforts: [(f64, f64); 4],
    /// For each [`Place`].
    places: [usize; 3],
    /// Bytes that wait for pages that read slowly.
    unread: usize,
}

/// Sockets of all visitors together.
const MOST_SOCKETS: usize = 20_000;
/// Errands of all visitors together: each may have some megabytes in hand.
const MOST_ERRANDS: usize = 64;

impl Limits {
    fn new(public: bool, connections: usize) -> Self {
        match public {
            true => Limits {
                efforts: [(200.0, 30.0), (20.0, 1.0), (200.0, 50.0), (32e6, 10e3)],
                places: [150.min(connections / 2), 50, 8],
                unread: 32 << 20,
            },
            // At home the only danger is a page gone wild.
            false => Limits {
                efforts: [(20e3, 5000.0), (5000.0, 500.0), (20e3, 5000.0), (4e9, 10e6)],
                places: [connections, MOST_SOCKETS, MOST_ERRANDS],
                unread: 512 << 20,
            },
        }
    }
}

/// What all visitors share.
struct House {
    limits: Limits,
    /// For each [`Place`]: the most of all visitors together, and how many there are.
    most: [usize; 3],
    taken: [AtomicUsize; 3],
}

/// Somebody who asks for things: an address, and what has been measured out to it.
pub struct Visitor {
    /// Tells visitors apart.
    pub number: u64,
    house: Arc<House>,
    buckets: Mutex<[Bucket; 4]>,
    taken: [AtomicUsize; 3],
    unread: AtomicUsize,
}

/// A place that is taken as long as this lives.
pub struct Ticket {
    visitor: Arc<Visitor>,
    place: Place,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.visitor.taken[self.place as usize].fetch_sub(1, Ordering::Relaxed);
        self.visitor.house.taken[self.place as usize].fetch_sub(1, Ordering::Relaxed);
    }
}

/// A text that waits to be read, and counts as long as it does.
pub struct Letter {
    text: Utf8Bytes,
    visitor: Arc<Visitor>,
}

impl Letter {
    /// What is to be sent.
    pub fn text(&self) -> Utf8Bytes {
        self.text.clone()
    }
}

impl Drop for Letter {
    fn drop(&mut self) {
        self.visitor.unread.fetch_sub(self.text.len(), Ordering::Relaxed);
    }
}

impl Visitor {
    fn new(number: u64, house: Arc<House>) -> Self {
        let buckets = house.limits.efforts.map(|(full, per_second)| Bucket::new(full, per_second));
        Visitor { number, house, buckets: Mutex::new(buckets), taken: Default::default(), unread: AtomicUsize::new(0) }
    }

    /// Measures something out, or refuses it.
    pub fn spend(&self, effort: Effort, amount: usize) -> Result<(), Trouble> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        match buckets[effort as usize].take(amount as f64, Instant::now()) {
            true => Ok(()),
            false => Err(Trouble::new(Code::TooMany, "too many requests: wait a little")),
        }
    }

    /// Takes a place, or is refused one.
    pub fn enter(self: &Arc<Self>, place: Place) -> Result<Ticket, Trouble> {
        // Counted first, so that many who come in the same moment do not all find the last place free.
        self.taken[place as usize].fetch_add(1, Ordering::Relaxed);
        self.house.taken[place as usize].fetch_add(1, Ordering::Relaxed);
        let ticket = Ticket { visitor: Arc::clone(self), place };
        let own = self.taken[place as usize].load(Ordering::Relaxed);
        let all = self.house.taken[place as usize].load(Ordering::Relaxed);
        match own <= self.house.limits.places[place as usize] && all <= self.house.most[place as usize] {
            true => Ok(ticket),
            false => Err(Trouble::new(Code::TooMany, "too much at once: wait a little")),
        }
    }

    /// A text that is to wait for one of the visitor's pages.
    pub fn letter(self: &Arc<Self>, text: Utf8Bytes) -> Letter {
        self.unread.fetch_add(text.len(), Ordering::Relaxed);
        Letter { text, visitor: Arc::clone(self) }
    }

    /// Whether too much waits for this visitor's pages.
    pub fn reads_too_slowly(&self) -> bool {
        self.unread.load(Ordering::Relaxed) > self.house.limits.unread
    }

    fn is_idle(&self, now: Instant) -> bool {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner).iter().all(|bucket| bucket.is_full(now))
    }
}

/// Who is there, and who may do how much.
pub struct Guard {
    public: bool,
    /// Proxies between the visitors and this server.
    proxies: usize,
    house: Arc<House>,
    visitors: Mutex<Visitors>,
    closing: watch::Sender<bool>,
}

#[derive(Default)]
struct Visitors {
    known: HashMap<IpAddr, Arc<Visitor>>,
    /// How many there have been.
    count: u64,
    /// Those who have gone are forgotten when there are so many.
    swept_at: usize,
}

/// The most connections at once: what the system allows, with some left for files. Asks the system for more first.
fn most_connections() -> usize {
    #[cfg(unix)]
    let descriptors = {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        let wanted = maximum.unwrap_or(u64::MAX).min(1 << 16).max(current.unwrap_or(u64::MAX));
        match setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum }) {
            Ok(()) => wanted,
            Err(_) => current.unwrap_or(1024),
        }
    };
    #[cfg(not(unix))]
    let descriptors: u64 = 8192;
    usize::try_from(descriptors - descriptors / 8).unwrap_or(usize::MAX)
}

/// What is counted as one visitor: an address, or of the longer ones the 2^64 neighbours that a household is given.
fn household(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
        address => address,
    }
}

impl Guard {
    /// By the server's settings.
    pub fn new(config: &Config) -> Self {
        let connections = most_connections();
        let house = House {
            limits: Limits::new(config.public, connections),
            most: [connections, MOST_SOCKETS, MOST_ERRANDS],
            taken: Default::default(),
        };
        Guard {
            public: config.public,
            proxies: config.proxies,
            house: Arc::new(house),
            visitors: Mutex::default(),
            closing: watch::Sender::new(false),
        }
    }

    /// Whether strangers come here.
    pub fn is_public(&self) -> bool {
        self.public
    }

    /// Who has this address.
    pub fn visitor(&self, address: IpAddr) -> Arc<Visitor> {
        let mut visitors = self.visitors.lock().unwrap_or_else(PoisonError::into_inner);
        if visitors.known.len() >= visitors.swept_at.max(10_000) {
            let now = Instant::now();
            visitors.known.retain(|_, visitor| Arc::strong_count(visitor) > 1 || !visitor.is_idle(now));
            visitors.swept_at = visitors.known.len() * 2;
        }
        // Number 0 is nobody's.
        let number = visitors.count + 1;
        let known = visitors.known.entry(household(address));
        let visitor = Arc::clone(known.or_insert_with(|| Arc::new(Visitor::new(number, Arc::clone(&self.house)))));
        visitors.count = visitors.count.max(visitor.number);
        visitor
    }

    /// Lets a connection in from an address, or not. Proxies bring many visitors, who are counted by what they do.
    pub fn let_in(&self, peer: IpAddr) -> Option<Ticket> {
        if self.proxies == 0 {
            return self.visitor(peer).enter(Place::Connection).ok();
        }
        Arc::new(Visitor::new(0, Arc::clone(&self.house))).enter(Place::Connection).ok()
    }

    /// The address that a request comes from: each proxy adds the one before it to the right end of a list, and what stands further left anybody
    /// may have written.
    pub fn address(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let lines = headers.get_all("x-forwarded-for").iter().filter_map(|line| line.to_str().ok());
        let list: Vec<&str> = lines.flat_map(|line| line.split(',')).map(str::trim).collect();
        let first_proxy = list.len().saturating_sub(self.proxies);
        let told = list
            .get(first_proxy)
            .and_then(|told| told.parse().ok().or_else(|| Some(told.parse::<SocketAddr>().ok()?.ip())));
        told.unwrap_or(peer)
    }

    /// Sockets open now.
    pub fn sockets(&self) -> usize {
        self.house.taken[Place::Socket as usize].load(Ordering::Relaxed)
    }

    /// Tells all sockets to end.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    /// Whether the server ends.
    pub fn is_closing(&self) -> bool {
        *self.closing.borrow()
    }

    /// Comes back when the server ends.
    pub async fn closing(&self) {
        // The sender lives as long as the guard.
        let _ = self.closing.subscribe().wait_for(|closing| *closing).await;
    }

    /// Refuses what another site's page asks for: a browser says where a page came from.
    ///
    /// At home the server must be asked by the name of this machine, so that no site can point a name of its own at it.
    pub fn check_origin(&self, headers: &HeaderMap) -> Result<(), Trouble> {
        let text = |name| headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or("?"));
        let forbidden = || Trouble::new(Code::Forbidden, "this request came from another site");
        let host = text(header::HOST).unwrap_or_default();
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        let is_here = name == "localhost" || name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
        if !self.public && !is_here {
            return Err(forbidden());
        }
        match text(header::ORIGIN) {
            None => Ok(()),
            Some(origin) => {
                let site = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
                if site == Some(host) { Ok(()) } else { Err(forbidden()) }
            }
        }
    }
}

/// What every answer says about itself.
pub const HEADERS: &[(&str, &str)] = &[
    (
        "content-security-policy",
        "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; connect-src 'self' ws: wss:; \
         object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderName;
    use std::time::Duration;

    #[test]
    fn buckets_fill_again() {
        let start = Instant::now();
        let mut bucket = Bucket::new(2.0, 10.0);
        let taken: Vec<bool> = (0..3).map(|_| bucket.take(1.0, start)).collect();
        assert_eq!(taken, [true, true, false]);
        assert!(!bucket.take(1.0, start + Duration::from_millis(50)));
        assert!(bucket.take(1.0, start + Duration::from_millis(110)));
        assert!(bucket.is_full(start + Duration::from_secs(1)));
        assert!(bucket.take(9.0, start + Duration::from_secs(1)), "more than it can hold empties it");
        assert!(!bucket.take(1.0, start + Duration::from_secs(1)));
    }

    #[test]
    fn visitors_are_told_apart_by_their_address() {
        let guard = Guard::new(&Config { public: true, ..Config::default() });
        let number = |address: &str| guard.visitor(address.parse().expect("an address")).number;
        assert_eq!(number("192.0.2.1"), number("::ffff:192.0.2.1"));
        assert_ne!(number("192.0.2.1"), number("192.0.2.2"));
        assert_eq!(number("2001:db8:0:1::1"), number("2001:db8:0:1:ffff::9"), "neighbours in one household");
        assert_ne!(number("2001:db8:0:1::1"), number("2001:db8:0:2::1"));
        assert_eq!(number("192.0.2.1"), 1, "and remembered");
    }

    #[test]
    fn only_as_many_proxies_are_believed_as_there_are() {
        let address = |proxies: usize, lines: &[&'static str]| {
            let guard = Guard::new(&Config { proxies, ..Config::default() });
            let line =
                |text: &&'static str| (HeaderName::from_static("x-forwarded-for"), HeaderValue::from_static(text));
            let mut headers = HeaderMap::new();
            headers.extend(lines.iter().map(line));
            guard.address(IpAddr::from([192, 0, 2, 9]), &headers).to_string()
        };
        let forged = ["198.51.100.66", "198.51.100.7, 203.0.113.1"];
        assert_eq!(address(0, &forged), "192.0.2.9", "nobody stands in front");
        assert_eq!(address(1, &forged), "203.0.113.1");
        assert_eq!(address(2, &forged), "198.51.100.7", "all lines are one list");
        assert_eq!(address(1, &[]), "192.0.2.9");
        assert_eq!(address(2, &["2001:db8::1"]), "2001:db8::1", "a visitor of the last proxy");
        assert_eq!(address(1, &["203.0.113.1:4711"]), "203.0.113.1");
        assert_eq!(address(1, &["nonsense"]), "192.0.2.9");
    }

    #[test]
    fn places_are_counted_and_given_back() {
        let guard = Guard::new(&Config { public: true, ..Config::default() });
        let (one, other) = (guard.visitor([192, 0, 2, 1].into()), guard.visitor([192, 0, 2, 2].into()));
        let tickets: Vec<Ticket> = std::iter::from_fn(|| one.enter(Place::Socket).ok()).collect();
        assert_eq!((tickets.len(), guard.sockets()), (50, 50));
        assert!(other.enter(Place::Socket).is_ok(), "others are not concerned");
        drop(tickets);
        assert!(one.enter(Place::Socket).is_ok() && guard.sockets() == 0);
        let letter = one.letter("x".repeat(40 << 20).into());
        assert!(one.reads_too_slowly() && !other.reads_too_slowly());
        drop(letter);
        assert!(!one.reads_too_slowly());
    }

    #[test]
    fn other_sites_are_refused() {
        let check = |public: bool, host: &'static str, origin: Option<&'static str>| {
            let guard = Guard::new(&Config { public, ..Config::default() });
            let mut headers = HeaderMap::from_iter([(header::HOST, HeaderValue::from_static(host))]);
            headers.extend(origin.map(|origin| (header::ORIGIN, HeaderValue::from_static(origin))));
            guard.check_origin(&headers).is_ok()
        };
        assert!(check(false, "127.0.0.1:7350", None));
        assert!(check(false, "localhost:7350", Some("http://localhost:7350")));
        assert!(check(false, "[::1]:7350", Some("http://[::1]:7350")));
        assert!(!check(false, "localhost:7350", Some("http://localhost:8000")), "another port is another site");
        assert!(!check(false, "evil.example", Some("http://evil.example")), "a name that points here");
        assert!(!check(true, "go.example", Some("https://evil.example")));
        assert!(!check(true, "go.example", Some("null")));
        assert!(check(true, "go.example", Some("https://go.example")));
    }
}
