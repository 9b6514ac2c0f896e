// The page: the tree, the sentence, the buttons, the panels, and the keys.

const SPEEDS = [0.5, 1, 2, 4, 8];
const PACE = 1400;

const mount = (root, trace, { language = "en" } = {}) => {
  const words = WORDS[language] ?? WORDS.en;
  const replay = new Replay(trace);
  const story = new Story(replay, words);
  let picked = null;
  let timer = null;
  let speed = 1;

  // The tree and what goes with it.
  const pick = (id) => {
    picked = id;
    view.selected = id;
    refresh();
    if (id !== null) view.reveal(id);
  };
  const view = new TreeView(replay, story, words, pick);
  const code = new CodePanel(replay, words);
  const variables = new VariablesPanel(replay, story, words);
  const counts = new CountsPanel(replay, words);
  const detail = new NodePanel(replay, story, words, { toggle: (id) => { view.toggle(id); refresh(); }, unpick: () => pick(null) });
  const text = new TextPanel(replay, story, words);

  // The buttons.
  const button = (sign, label, act, extra = {}) => html("button", { type: "button", "aria-label": label, title: label, onclick: act, ...extra }, sign);
  const icon = (path) => svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true", class: "tx-icon" }, svg("path", { d: path }));
  const jump = (by) => go(replay.at + by);
  const skip = (direction) => {
    if (!replay.isTree) return jump(10 * direction);
    const simulation = replay.step.simulation + direction;
    const goal = direction < 0 && replay.steps[replay.at - 1]?.simulation === replay.step.simulation ? replay.step.simulation : simulation;
    const at = replay.steps.findIndex((step) => step.simulation === goal);
    go(at === -1 ? (direction > 0 ? replay.steps.length - 1 : 0) : at);
  };
  const playButton = button(icon("M5 3L16 10L5 17Z"), words.play, () => toggle(), { class: "tx-play" });
  const scrub = html("input", { type: "range", min: 1, max: replay.steps.length, step: 1, value: 1, "aria-label": words.scrub, class: "tx-scrub", oninput: () => { halt(); show(Number(scrub.value) - 1); } });
  const counter = html("output", { class: "tx-counter" });
  const speedChoice = html("select", { "aria-label": words.speed, title: words.speed, onchange: () => { speed = Number(speedChoice.value); if (timer !== null) begin(); } },
    SPEEDS.map((value) => html("option", { value, selected: value === 1 }, `${value}×`)));
  const phase = html("p", { class: "tx-phases", "aria-hidden": "true" });
  const sentence = html("p", { class: "tx-sentence", "aria-live": "polite", "aria-atomic": "true" });
  const controls = html("div", { class: "tx-controls" },
    html("div", { class: "tx-buttons" },
      button(icon("M4 3h2v14h-2ZM17 3L7 10L17 17Z"), words.first, () => go(0)),
      replay.isTree ? button(icon("M10 3L2 10L10 17ZM18 3L10 10L18 17Z"), words.skipBack, () => skip(-1)) : null,
      button(icon("M14 3L4 10L14 17Z"), words.back, () => jump(-1)),
      playButton,
      button(icon("M6 3L16 10L6 17Z"), words.next, () => jump(1)),
      replay.isTree ? button(icon("M2 3L10 10L2 17ZM10 3L18 10L10 17Z"), words.skipNext, () => skip(1)) : null,
      button(icon("M14 3h2v14h-2ZM3 3L13 10L3 17Z"), words.last, () => go(replay.steps.length - 1))),
    scrub, counter, speedChoice, button("?", words.keys, () => openKeys()));

  const toggleBox = (label, checked, act) => {
    const box = html("input", { type: "checkbox", onchange: () => { act(box.checked); refresh(); } });
    box.checked = checked;
    return html("label", { class: "tx-toggle" }, box, label);
  };
  const followBox = toggleBox(words.follow, true, (on) => view.setFollowing(on));
  view.onFollow = (following) => { followBox.firstChild.checked = following; };
  const stage = html("div", { class: "tx-stage" }, view.element,
    html("div", { class: "tx-camera" },
      replay.nodes.length > LARGE ? toggleBox(words.wholeTree, view.whole, (on) => view.setWhole(on)) : null,
      view.boards ? toggleBox(words.boards, view.showBoards, (on) => { view.showBoards = on; }) : null,
      followBox,
      button("+", words.zoomIn, () => view.zoom(1.25)), button("−", words.zoomOut, () => view.zoom(0.8)),
      button(words.fit, words.fit, () => view.fit())));

  // What the page says about itself.
  const sides = trace.sides;
  const about = [words.about[trace.algorithm]];
  if (trace.game !== "tree" && ["minimax", "alphabeta", "expectiminimax", "mcts"].includes(trace.algorithm)) about.push(words.whoIs(sides));
  if (trace.algorithm === "expectimax" && trace.game !== "tree") about.push(words.whoIsMe(...(trace.side === "first" ? sides : [sides[1], sides[0]])));
  if (trace.algorithm === "mcts") about.push(words.sharesNote(...sides));
  if (trace.algorithm === "mcts" && trace.game === "tree") about.push(words.signNote);
  if (trace.game !== "tree" && ["expectimax", "expectiminimax"].includes(trace.algorithm)) about.push(words.expectedNote);
  const decided = trace.events.some((event) => Math.abs(event.value) >= 990000);
  if (decided) about.push(words.decidedNote(trace.algorithm === "negamax"));
  const legend = html("ul", { class: "tx-legend" }, words.legend.map(([kind, label]) => {
    const shape = SHAPES[kind === "current" || kind === "pruned" ? "leaf" : kind];
    const flag = kind === "current" ? "tx-is-leaf tx-current" : kind === "pruned" ? "tx-is-leaf tx-pruned" : `tx-is-${kind}`;
    return html("li", {}, svg("svg", { viewBox: "-36 -34 72 68", "aria-hidden": "true" }, svg("g", { class: `tx-node ${flag}` }, svg("path", { class: "tx-ring", d: shape }), svg("path", { class: "tx-shape", d: shape }))), label);
  }));
  const reading = html("details", { class: "tx-panel tx-fold" }, html("summary", {}, words.reading), html("div", {}, ...about.map((line) => html("p", {}, line)), legend));

  const keys = html("dialog", { class: "tx-keys", "aria-label": words.keys }, html("h2", {}, words.keys),
    html("dl", {}, words.keyList.map(([key, meaning]) => html("div", {}, html("dt", {}, key), html("dd", {}, meaning)))),
    html("button", { type: "button", onclick: () => keys.close() }, words.close));
  const openKeys = () => { if (!keys.open) keys.showModal(); };

  root.classList.add("tx");
  root.replaceChildren(
    html("header", { class: "tx-header" }, html("h1", {}, words.algorithms[trace.algorithm]), html("p", {}, words.subtitle(trace)),
      html("p", { class: "tx-about" }, about.join(" "))),
    html("div", { class: "tx-main" }, stage, html("div", { class: "tx-foot" }, replay.isTree ? phase : null, sentence, controls)),
    html("aside", { class: "tx-side" }, code.element, variables.element,
      ...(replay.isTree ? [detail.element, counts.element] : [counts.element, detail.element]), text.element, reading),
    keys);

  // Going from step to step.
  const refresh = () => {
    const id = picked ?? replay.current;
    view.update();
    code.update();
    variables.update();
    counts.update();
    detail.update(id, picked !== null, view.isOpen(id));
    text.update(view);
  };
  const show = (step) => {
    replay.goto(step);
    const said = story.sentence();
    if (sentence.textContent !== said) sentence.textContent = said;
    if (replay.isTree) {
      const now = words.phases[replay.step.type];
      const names = ["select", "expand", "playout", "backup"].map((type) => words.phases[type]);
      phase.replaceChildren(...names.map((name) => html("span", { class: name === now ? "tx-now" : null }, name)));
    }
    scrub.value = String(replay.at + 1);
    counter.textContent = `${replay.at + 1} / ${replay.steps.length}`;
    scrub.setAttribute("aria-valuetext", words.stepOf(replay.at + 1, replay.steps.length));
    refresh();
  };
  const go = (step) => { halt(); show(step); };
  const halt = () => {
    if (timer !== null) clearInterval(timer);
    timer = null;
    playButton.setAttribute("aria-label", words.play);
    playButton.title = words.play;
    playButton.replaceChildren(icon("M5 3L16 10L5 17Z"));
  };
  const begin = () => {
    if (timer !== null) clearInterval(timer);
    if (replay.at >= replay.steps.length - 1) show(0);
    playButton.setAttribute("aria-label", words.pause);
    playButton.title = words.pause;
    playButton.replaceChildren(icon("M4 3h4v14h-4ZM12 3h4v14h-4Z"));
    timer = setInterval(() => {
      if (!root.isConnected || replay.at >= replay.steps.length - 1) halt();
      else show(replay.at + 1);
    }, PACE / speed);
  };
  const toggle = () => { if (timer === null) begin(); else halt(); };

  const onKey = (event) => {
    // Another search has taken this one's place.
    if (!root.isConnected) return document.removeEventListener("keydown", onKey);
    if (event.ctrlKey || event.metaKey || event.altKey || keys.open) return;
    const own = event.target.closest?.("button, summary, select, input");
    const acts = {
      ArrowLeft: () => jump(-1), ArrowRight: () => jump(1), PageUp: () => skip(-1), PageDown: () => skip(1),
      Home: () => go(0), End: () => go(replay.steps.length - 1), " ": toggle, "?": openKeys,
      "+": () => view.zoom(1.25), "-": () => view.zoom(0.8), 0: () => view.fit(),
      Escape: () => { pick(null); view.setFollowing(true); },
    };
    const act = acts[event.key];
    // A focused button, list or slider keeps the keys that are its own.
    const keeps = own && (event.key === " " || (own.matches("select, input[type=range]") && event.key !== "?" && event.key !== "Escape"));
    if (!act || keeps || event.shiftKey && event.key.startsWith("Arrow")) return;
    event.preventDefault();
    act();
  };
  document.addEventListener("keydown", onKey);

  show(0);
  return { goto: go, steps: replay.steps.length, replay, story };
};

globalThis.TengenExplain = { mount };
