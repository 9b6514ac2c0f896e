//! Numbers as people read them, and text that HTML and Markdown leave alone.

use crate::stats::{Elo, Wdl};

/// 52.5 %.
pub(super) fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".into(), |share| format!("{:.1} %", 100.0 * share))
}

/// 97.3 %, and never 0 or 100, which nothing measured is.
pub(super) fn likelihood(p: Option<f64>) -> String {
    match p {
        None => "–".into(),
        Some(p) if p > 0.9995 => "> 99.9 %".into(),
        Some(p) if p < 0.0005 => "< 0.1 %".into(),
        Some(p) => format!("{:.1} %", 100.0 * p),
    }
}

/// 12½.
pub(super) fn points(wdl: &Wdl) -> String {
    let whole = wdl.wins + wdl.draws / 2;
    match (wdl.draws % 2, whole) {
        (1, 0) => "½".into(),
        (1, whole) => format!("{whole}½"),
        (_, whole) => whole.to_string(),
    }
}

/// +12.3, −4.0: with a real minus.
pub(super) fn signed(number: f64) -> String {
    let text = format!("{number:+.1}");
    // A rounded −0.0 is no sign of anything.
    if text == "-0.0" { "+0.0".into() } else { text.replace('-', "−") }
}

/// +12.3 ± 4.5, with the interval where it is lopsided.
pub(super) fn elo(elo: &Elo) -> String {
    match elo {
        Elo::About(e) => format!("{} ± {:.1}", signed(e.value), e.error()),
        other => other.to_string().replace('-', "−"),
    }
}

/// −3.1 to +28.0.
pub(super) fn interval(elo: &Elo) -> Option<String> {
    elo.estimate().map(|e| format!("{} to {}", signed(e.low), signed(e.high)))
}

pub(super) fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

/// JSON that can stand inside a script element: no bracket or ampersand that HTML would read.
pub(super) fn escape_json(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// Text inside a Markdown table or sentence.
pub(super) fn escape_markdown(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '\n' | '\r' => escaped.push(' '),
            '\\' | '|' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '#' => escaped.extend(['\\', letter]),
            _ => escaped.push(letter),
        }
    }
    escaped
}
