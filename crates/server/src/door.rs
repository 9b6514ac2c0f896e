//! The door: takes connections in, so many from one address and so many in all, and hangs up on those that do not get on with it.

use crate::guard::Ticket;
use crate::hub::Hub;
use crate::routes;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::{Sleep, sleep, timeout};
use tower::ServiceExt;

/// A connection may take so long until it has sent the head of its next request.
const HEAD: Duration = Duration::from_secs(15);
/// When nothing of what is to be sent could be sent for so long, nobody reads it.
const STALLED: Duration = Duration::from_secs(20);
/// Requests that are being answered when the server ends have so long to come to their end.
const FAREWELL: Duration = Duration::from_secs(5);

/// Serves until `end` comes, and the requests that have come until then.
pub async fn serve(hub: Arc<Hub>, listener: TcpListener, end: impl Future<Output = ()>) {
    let app = routes::router(Arc::clone(&hub));
    let (alive, mut all_gone) = mpsc::channel::<()>(1);
    let mut end = pin!(end);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut end => break,
        };
        match accepted {
            // Whoever is not let in is hung up on.
            Ok((stream, peer)) => {
                if let Some(ticket) = hub.guard.let_in(peer.ip()) {
                    let answer = connection(Arc::clone(&hub), app.clone(), stream, peer, ticket);
                    let alive = alive.clone();
                    tokio::spawn(async move {
                        answer.await;
                        drop(alive);
                    });
                }
            }
            // A connection that is gone already costs nothing; a system that has no more of something may have it again soon.
            Err(error) => {
                tracing::warn!(%error, "a connection could not be taken in");
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
    tracing::info!("shutting down");
    hub.guard.close();
    drop(alive);
    let _ = timeout(FAREWELL, all_gone.recv()).await;
}

/// Answers the requests of one connection, until a page's socket takes it over or it ends.
async fn connection(hub: Arc<Hub>, app: axum::Router, stream: TcpStream, peer: SocketAddr, ticket: Ticket) {
    // Moves are small and are not to wait for company. Where it cannot be had, they come a little later.
    let _ = stream.set_nodelay(true);
    let io = TokioIo::new(Patient { stream, stalled: None, _ticket: ticket });
    let answer = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        app.clone().oneshot(request)
    });
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let mut connection = pin!(server.serve_connection(io, answer).with_upgrades());
    let served = tokio::select! {
        served = connection.as_mut() => served,
        () = hub.guard.closing() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = served {
        tracing::debug!(%peer, %error, "a connection failed");
    }
}

/// A connection that fails when what is written does not go away.
struct Patient {
    stream: TcpStream,
    /// Rings when writing has waited too long.
    stalled: Option<Pin<Box<Sleep>>>,
    _ticket: Ticket,
}

impl Patient {
    fn written<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(STALLED)));
        stalled.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.written(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::time::Instant;

    /// A public server at an address, for as long as the folder is there.
    async fn site(data: &std::path::Path) -> SocketAddr {
        let config = Config { data: data.to_owned(), threads: 1, public: true, ..Config::default() };
        let hub = Hub::open(config).expect("files");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(serve(hub, listener, std::future::pending()));
        address
    }

    // Time is stopped: it leaps to the next alarm when there is nothing else to do.
    #[tokio::test(start_paused = true)]
    async fn a_head_has_to_come_to_its_end() {
        let data = tempfile::tempdir().expect("a folder");
        let address = site(data.path()).await;
        for begun in ["", "GET / HT", "GET /api/status HTTP/1.1\r\nhost: x\r\n\r\n"] {
            let begin = Instant::now();
            let mut stream = TcpStream::connect(address).await.expect("it listens");
            stream.write_all(begun.as_bytes()).await.expect("sent");
            // Ends when the server has hung up; a reset is as good.
            let _ = stream.read_to_end(&mut Vec::new()).await;
            assert!((HEAD..HEAD * 2).contains(&begin.elapsed()), "{begun}: {:?}", begin.elapsed());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_is_written_to_for_ever() {
        let data = tempfile::tempdir().expect("a folder");
        let hub = Hub::open(Config { data: data.path().to_owned(), threads: 1, ..Config::default() }).expect("files");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let _silent = TcpStream::connect(listener.local_addr().expect("an address")).await.expect("it listens");
        let (stream, peer) = listener.accept().await.expect("somebody");
        let ticket = hub.guard.let_in(peer.ip()).expect("the first");
        let mut patient = Patient { stream, stalled: None, _ticket: ticket };
        let begin = Instant::now();
        let error = patient.write_all(&vec![0; 64 << 20]).await.expect_err("nobody reads");
        assert_eq!((error.kind(), begin.elapsed().as_secs()), (io::ErrorKind::TimedOut, STALLED.as_secs()));
    }

    #[tokio::test]
    async fn an_address_has_only_so_many_connections() {
        let data = tempfile::tempdir().expect("a folder");
        let address = site(data.path()).await;
        let mut taken = Vec::new();
        for _ in 0..150 {
            taken.push(TcpStream::connect(address).await.expect("it listens"));
        }
        let mut refused = TcpStream::connect(address).await.expect("it listens");
        assert_eq!(refused.read(&mut [0]).await.unwrap_or(0), 0, "hung up on");
        // Another address is not concerned, nor this one when it has let go.
        let ask = async |mut stream: TcpStream| {
            stream.write_all(b"GET /api/status HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.expect("sent");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await.expect("an answer");
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        };
        #[cfg(target_os = "linux")]
        {
            let other = tokio::net::TcpSocket::new_v4().expect("a socket");
            other.bind(SocketAddr::from(([127, 0, 0, 2], 0))).expect("an address of this machine");
            ask(other.connect(address).await.expect("it listens")).await;
        }
        ask(taken.pop().expect("one of many")).await;
    }
}
