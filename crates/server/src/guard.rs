//! Who may do how much, and from where: rates, origins, headers.

use crate::Config;
use crate::message::{Code, Trouble};
use axum::http::{HeaderMap, HeaderValue, header};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
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

    /// Takes one out; false if it is empty.
    pub fn take(&mut self, now: Instant) -> bool {
        if let Some(since) = self.since {
            let fresh = now.saturating_duration_since(since).as_secs_f64() * self.per_second;
            self.left = (self.left + fresh).min(self.full);
        }
        self.since = Some(now);
        let some = self.left >= 1.0;
        self.left -= f64::from(u8::from(some));
        some
    }

    fn is_full(&self, now: Instant) -> bool {
        self.since.is_none_or(|since| {
            self.left + now.saturating_duration_since(since).as_secs_f64() * self.per_second >= self.full
        })
    }
}

/// What kind of request.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effort {
    /// A list or a position.
    Light,
    /// A new table, an import, an explanation.
    Heavy,
}

/// Who may do how much.
pub struct Guard {
    public: bool,
    buckets: Mutex<HashMap<(IpAddr, Effort), Bucket>>,
    sockets: Mutex<HashMap<IpAddr, usize>>,
    all_sockets: AtomicUsize,
    /// The most sockets of one visitor.
    allowance: usize,
    closing: watch::Sender<bool>,
}

/// Sockets of all visitors together.
const MOST_SOCKETS: usize = 20_000;

/// Counts a socket as long as it lives.
pub struct Ticket {
    hub: std::sync::Arc<crate::hub::Hub>,
    visitor: IpAddr,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let guard = &self.hub.guard;
        guard.all_sockets.fetch_sub(1, Ordering::Relaxed);
        let mut sockets = guard.sockets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = sockets.get_mut(&self.visitor) {
            *count -= 1;
            if *count == 0 {
                sockets.remove(&self.visitor);
            }
        }
    }
}

impl Guard {
    /// By the server's settings.
    pub fn new(config: &Config) -> Self {
        Guard {
            public: config.public,
            buckets: Mutex::default(),
            sockets: Mutex::default(),
            all_sockets: AtomicUsize::new(0),
            allowance: if config.public { 50 } else { MOST_SOCKETS },
            closing: watch::Sender::new(false),
        }
    }

    /// Lets a request through, or not.
    pub fn admit(&self, visitor: IpAddr, effort: Effort) -> Result<(), Trouble> {
        let (full, per_second) = match (self.public, effort) {
            (true, Effort::Light) => (200.0, 30.0),
            (true, Effort::Heavy) => (20.0, 1.0),
            // At home the only danger is a page gone wild.
            (false, Effort::Light) => (20_000.0, 5000.0),
            (false, Effort::Heavy) => (5000.0, 500.0),
        };
        let now = Instant::now();
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() > 10_000 {
            buckets.retain(|_, bucket| !bucket.is_full(now));
        }
        let bucket = buckets.entry((visitor, effort)).or_insert_with(|| Bucket::new(full, per_second));
        if bucket.take(now) { Ok(()) } else { Err(Trouble::new(Code::TooMany, "too many requests: wait a little")) }
    }

    /// Lets a socket in, or not.
    pub fn admit_socket(hub: &std::sync::Arc<crate::hub::Hub>, visitor: IpAddr) -> Result<Ticket, Trouble> {
        let guard = &hub.guard;
        let mut sockets = guard.sockets.lock().unwrap_or_else(PoisonError::into_inner);
        let count = sockets.entry(visitor).or_default();
        if *count >= guard.allowance || guard.all_sockets.load(Ordering::Relaxed) >= MOST_SOCKETS {
            return Err(Trouble::new(Code::TooMany, "too many connections"));
        }
        *count += 1;
        guard.all_sockets.fetch_add(1, Ordering::Relaxed);
        Ok(Ticket { hub: std::sync::Arc::clone(hub), visitor })
    }

    /// Sockets open now.
    pub fn sockets(&self) -> usize {
        self.all_sockets.load(Ordering::Relaxed)
    }

    /// Tells all sockets to end.
    pub fn close(&self) {
        self.closing.send_replace(true);
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

/// A visitor as a number, for the queue of thoughts.
pub fn visitor_number(visitor: IpAddr) -> u64 {
    let mut hasher = DefaultHasher::new();
    visitor.hash(&mut hasher);
    hasher.finish()
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
    use std::time::Duration;

    #[test]
    fn buckets_fill_again() {
        let start = Instant::now();
        let mut bucket = Bucket::new(2.0, 10.0);
        let taken: Vec<bool> = (0..3).map(|_| bucket.take(start)).collect();
        assert_eq!(taken, [true, true, false]);
        assert!(!bucket.take(start + Duration::from_millis(50)));
        assert!(bucket.take(start + Duration::from_millis(110)));
        assert!(bucket.is_full(start + Duration::from_secs(1)));
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
