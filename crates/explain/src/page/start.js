
// On a page of its own the trace stands beside the script.
const shown = document.getElementById("trace");
if (shown) globalThis.explained = mount(document.getElementById("explain"), JSON.parse(shown.textContent));
