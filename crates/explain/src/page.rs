//! One HTML file with everything in it.

use crate::Trace;

/// The script that shows a trace: `TengenExplain.mount(element, trace)`. It is to stand in a scope of its own.
pub const SCRIPT: &str = concat!(
    include_str!("page/words.js"),
    include_str!("page/words_fr.js"),
    include_str!("page/replay.js"),
    include_str!("page/layout.js"),
    include_str!("page/board.js"),
    include_str!("page/story.js"),
    include_str!("page/tree.js"),
    include_str!("page/panels.js"),
    include_str!("page/app.js"),
);

/// Its style; everything in it is below the class `tx`.
pub const STYLE: &str = include_str!("page/style.css");

/// The page of a trace.
pub fn page(trace: &Trace) -> String {
    // A trace is numbers, strings, lists and maps with string keys: nothing that JSON cannot say.
    let data = escape_json(&serde_json::to_string(trace).expect("a trace is plain data"));
    let title = escape_html(&format!("{} · {} · Tengen", trace.algorithm.name(), trace.title));
    let script = format!("(() => {{\n\"use strict\";\n{SCRIPT}{}}})();", include_str!("page/start.js"));
    let mut page = String::new();
    // Filled from left to right, so that nothing that was filled in is read for marks again.
    for piece in include_str!("page/page.html").split("{{") {
        let (mark, rest) = piece.split_once("}}").unwrap_or(("", piece));
        page.push_str(match mark {
            "title" => &title,
            "style" => STYLE,
            "trace" => &data,
            "script" => &script,
            _ => "",
        });
        page.push_str(rest);
    }
    page
}

fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// JSON that can stand inside a script element: it holds no bracket or ampersand that HTML would read, and means the
/// same, since JSON has these letters inside strings only.
fn escape_json(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
