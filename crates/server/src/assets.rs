//! The web app's files, from inside the program: compressed once, and told apart by their contents.

use axum::body::Body;
use axum::http::{HeaderMap, Response, StatusCode, header};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write as _;
use std::sync::OnceLock;

/// The files by their paths below `web/dist`.
const BUILT: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// Shown when the program was built without the web app.
const MISSING: &str = include_str!("missing.html");

struct Asset {
    plain: &'static [u8],
    /// Only where it is shorter.
    gzip: Option<Vec<u8>>,
    tag: String,
    kind: &'static str,
}

fn asset(name: &str, plain: &'static [u8]) -> Asset {
    let mut hasher = DefaultHasher::new();
    plain.hash(&mut hasher);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing into memory does not fail; without the short form the long one is sent.
    let gzip = encoder.write_all(plain).and_then(|()| encoder.finish()).ok();
    Asset {
        plain,
        gzip: gzip.filter(|short| short.len() < plain.len() * 9 / 10),
        tag: format!("\"{:016x}\"", hasher.finish()),
        kind: kind(name),
    }
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, end)| end) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "webmanifest" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        "mp3" => "audio/mpeg",
        "ogg" => "audio/ogg",
        "wav" => "audio/wav",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn assets() -> &'static HashMap<&'static str, Asset> {
    static ASSETS: OnceLock<HashMap<&'static str, Asset>> = OnceLock::new();
    ASSETS.get_or_init(|| {
        let built = BUILT.iter().map(|&(name, bytes)| (name, asset(name, bytes)));
        let mut assets: HashMap<&'static str, Asset> = built.collect();
        assets.entry("index.html").or_insert_with(|| asset("index.html", MISSING.as_bytes()));
        let script = concat_script().as_bytes();
        assets.insert("explain.js", asset("explain.js", script));
        assets.insert("explain.css", asset("explain.css", tengen_explain::STYLE.as_bytes()));
        assets
    })
}

/// The script of the steppable searches, in a scope of its own: it leaves `TengenExplain` behind.
fn concat_script() -> &'static str {
    static SCRIPT: OnceLock<String> = OnceLock::new();
    SCRIPT.get_or_init(|| format!("(() => {{\n\"use strict\";\n{}\n}})();\n", tengen_explain::SCRIPT))
}

/// The file at a path; every path without an ending is a page of the app.
pub fn answer(path: &str, headers: &HeaderMap) -> Response<Body> {
    let name = path.trim_start_matches('/');
    let is_page = !name.rsplit('/').next().unwrap_or("").contains('.');
    let found = assets().get(name).or_else(|| if is_page { assets().get("index.html") } else { None });
    let Some(asset) = found else {
        return plain(StatusCode::NOT_FOUND, "there is no such file");
    };
    let accepts = |name: header::HeaderName, word: &str| {
        headers.get(name).and_then(|value| value.to_str().ok()).is_some_and(|value| value.contains(word))
    };
    // What the web app's build names after its contents never changes.
    let lasting = name.starts_with("assets/");
    let cache = if lasting { "public, max-age=31536000, immutable" } else { "no-cache" };
    let answer = Response::builder().header(header::ETAG, &asset.tag).header(header::CACHE_CONTROL, cache);
    if accepts(header::IF_NONE_MATCH, &asset.tag) {
        return answer.status(StatusCode::NOT_MODIFIED).body(Body::empty()).unwrap_or_default();
    }
    let answer = answer.header(header::CONTENT_TYPE, asset.kind).header(header::VARY, "accept-encoding");
    let whole = match &asset.gzip {
        Some(gzip) if accepts(header::ACCEPT_ENCODING, "gzip") => {
            answer.header(header::CONTENT_ENCODING, "gzip").body(Body::from(gzip.as_slice()))
        }
        _ => answer.body(Body::from(asset.plain)),
    };
    // Names and values are plain ASCII, which a header can hold.
    whole.unwrap_or_default()
}

fn plain(status: StatusCode, text: &'static str) -> Response<Body> {
    Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, "text/plain; charset=utf-8")
        .body(Body::from(text))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn pages_files_and_what_is_not_there() {
        let none = HeaderMap::new();
        for (path, status, kind) in [
            ("/", 200, "text/html"),
            ("/t/abcdef", 200, "text/html"),
            ("/explain.js", 200, "text/javascript"),
            ("/explain.css", 200, "text/css"),
            ("/assets/none.js", 404, "text/plain"),
            ("/../Cargo.toml", 404, "text/plain"),
        ] {
            let answer = answer(path, &none);
            assert_eq!(answer.status(), status, "{path}");
            assert!(
                answer.headers()[header::CONTENT_TYPE].to_str().is_ok_and(|found| found.starts_with(kind)),
                "{path}"
            );
        }
        let gzip = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip, br"))]);
        let short = answer("/explain.js", &gzip);
        assert_eq!(short.headers()[header::CONTENT_ENCODING], "gzip");
        let known = HeaderMap::from_iter([(header::IF_NONE_MATCH, short.headers()[header::ETAG].clone())]);
        assert_eq!(answer("/explain.js", &known).status(), 304);
    }
}
