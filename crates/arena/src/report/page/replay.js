// The list of games, and one of them on a board.

/** All scenes of a game from its changes: each is complete, so that any ply can be shown at once. */
const unfold = (frames, cells) => {
  let scene = { cells: new Array(cells).fill(0), hands: [[], []], dice: [], notes: [], kinds: frames.k };
  return frames.d.map((change) => {
    scene = { ...scene, hands: change.h ?? scene.hands, dice: change.d ?? scene.dice, notes: change.n ?? scene.notes };
    if (change.c) {
      scene.cells = scene.cells.slice();
      for (const [cell, number] of change.c) scene.cells[cell] = number;
    }
    return scene;
  });
};

const icon = (path) => svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: path }));
const ICONS = { first: "M6 5h2v14H6zM20 5v14L9 12z", back: "M15.5 5l1.6 1.6-5.4 5.4 5.4 5.4-1.6 1.6-7-7z", play: "M7 5v14l11-7z", pause: "M6 5h4v14H6zM14 5h4v14h-4z", next: "M8.5 5l-1.6 1.6 5.4 5.4-5.4 5.4 1.6 1.6 7-7z", last: "M16 5h2v14h-2zM4 5v14l11-7z", flip: "M7 4l4 4H8v9H6V8H3zM17 20l-4-4h3V7h2v9h3z" };

const RESULT = { first: "1–0", second: "0–1", draw: "½–½", void: "void" };

const mountReplay = (place, data) => {
  const light = lightSide(data.sides);
  const player = (index) => data.players[index] ?? "?";
  const state = { game: -1, ply: 0, flipped: false, timer: 0, shown: 100 };
  let scenes = [];

  // Step 1. The list, with its filters.
  const search = html("input", { type: "search", placeholder: "player, opening, reason …", "aria-label": "Search games", oninput: () => { state.shown = 100; list(); } });
  const results = html("select", { "aria-label": "Result", onchange: () => { state.shown = 100; list(); } }, ...[["", "all results"], ["first", `${data.sides[0]} won`], ["second", `${data.sides[1]} won`], ["draw", "draws"], ["void", "void"]].map(([value, name]) => html("option", { value }, name)));
  const body = html("tbody");
  const count = html("span", { class: "count" });
  const more = html("button", { type: "button", onclick: () => { state.shown += 500; list(); } }, "Show more");
  const matching = () => {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    return data.games.map((game, index) => [game, index]).filter(([game]) => {
      if (results.value && game.r !== results.value) return false;
      // A game's own name only as a whole, or every number would find half of them.
      const text = [player(game.a), player(game.b), game.o, game.why].join(" ").toLowerCase();
      return game.id.toLowerCase() === search.value.trim().toLowerCase() || wanted.every((word) => text.includes(word));
    });
  };
  const list = () => {
    const found = matching();
    count.textContent = found.length === data.games.length ? `${found.length} games` : `${found.length} of ${data.games.length} games`;
    more.hidden = found.length <= state.shown;
    body.replaceChildren(...found.slice(0, state.shown).map(([game, index]) => {
      const open = html("button", { type: "button", class: "open", onclick: () => show(index, 0, true) }, game.id);
      return html("tr", { "aria-current": index === state.game ? "true" : null, "data-game": index }, html("td", {}, open), html("td", { class: game.r === "first" ? "winner" : "" }, player(game.a)), html("td", { class: game.r === "second" ? "winner" : "" }, player(game.b)), html("td", {}, RESULT[game.r]), html("td", {}, game.o ?? ""), html("td", {}, game.why), html("td", {}, game.m ? String(game.m.length) : "–"));
    }));
  };
  body.addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    if (row && !event.target.closest("button")) show(Number(row.dataset.game), 0, true);
  });
  const table = html("div", { class: "scroll games" }, html("table", {}, html("thead", {}, html("tr", {}, ...["game", data.sides[0], data.sides[1], "result", "opening", "ended by", "plies"].map((name) => html("th", {}, name)))), body));

  // Step 2. The board with what stands around it.
  const title = html("h3");
  const picture = html("div", { class: "picture", role: "img" });
  const [above, below] = [html("div", { class: "hand" }), html("div", { class: "hand" })];
  const beside = html("p", { class: "beside" });
  const words = html("div");
  const live = html("p", { class: "hidden", "aria-live": "polite" });
  const moves = html("ol", { class: "moves" });
  const graph = html("div", { class: "graph" });
  const now = html("p", { class: "now" });
  const slider = html("input", { type: "range", min: 0, "aria-label": "Ply", oninput: () => seek(Number(slider.value)) });
  const button = (name, path, action) => html("button", { type: "button", title: name, "aria-label": name, onclick: action }, icon(path));
  const play = button("Play (space)", ICONS.play, () => toggle());
  play.className = "play";
  const controls = html("div", { class: "controls" }, button("Start (Home)", ICONS.first, () => seek(0)), button("Back (←)", ICONS.back, () => seek(state.ply - 1)), play, button("Forward (→)", ICONS.next, () => seek(state.ply + 1)), button("End (End)", ICONS.last, () => seek(Infinity)), button("Turn the board (F)", ICONS.flip, () => { state.flipped = !state.flipped; paint(); }));
  const viewer = html("div", { class: "viewer", tabindex: "0", role: "group", "aria-label": "Game on the board; arrow keys step through it" },
    html("div", { class: "table" }, title, above, picture, below, beside, controls, slider),
    html("div", { class: "side" }, now, graph, moves, html("details", { class: "words" }, html("summary", {}, "Position in words"), words)), live);

  const plies = () => data.games[state.game]?.m?.length ?? 0;
  const stop = () => {
    clearInterval(state.timer);
    state.timer = 0;
    play.replaceChildren(icon(ICONS.play));
  };
  const toggle = () => {
    if (state.timer) return stop();
    if (state.ply >= plies()) state.ply = 0;
    state.timer = setInterval(() => (state.ply < plies() ? seek(state.ply + 1, true) : stop()), 700);
    play.replaceChildren(icon(ICONS.pause));
  };
  const seek = (ply, running) => {
    if (!running) stop();
    state.ply = Math.max(0, Math.min(plies(), ply));
    paint();
  };
  const show = (index, ply, focus) => {
    if (!data.games[index]) return;
    stop();
    state.game = index;
    state.ply = Math.min(ply, plies());
    const game = data.games[index];
    const board = game.f ? data.boards[game.f.b] : null;
    scenes = board ? unfold(game.f, board.cells.length) : [];
    const mark = (side) => html("i", { class: `side-mark ${["Yellow", "Red"].includes(data.sides[side]) ? data.sides[side].toLowerCase() : light === ["first", "second"][side] ? "light" : "dark"}` });
    title.replaceChildren(html("span", {}, mark(0), player(game.a)), html("b", {}, RESULT[game.r]), html("span", {}, mark(1), player(game.b)));
    slider.max = plies();
    viewer.hidden = !game.m && !board;
    listMoves(game);
    paint();
    for (const row of body.children) row.toggleAttribute("aria-current", Number(row.dataset.game) === index);
    history.replaceState(null, "", `#game=${index}`);
    if (focus) {
      viewer.focus({ preventScroll: true });
      viewer.scrollIntoView({ block: "nearest", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    }
  };

  /** A value for the side that moved, as the chance of the first side in per cent. */
  const chance = (mv) => (mv[2] === null || mv[1] === null ? null : 50 + 50 * (mv[1] === 0 ? mv[2] : -mv[2]));
  const time = (seconds) => (seconds === null ? "" : seconds >= 10 ? `${seconds.toFixed(0)} s` : `${seconds.toFixed(seconds >= 0.1 ? 1 : 2)} s`);

  const listMoves = (game) => {
    moves.replaceChildren(...(game.m ?? []).map((mv, index) => {
      const value = chance(mv);
      return html("li", {}, html("button", { type: "button", class: `${mv[6] ? "book " : ""}${mv[1] === 1 ? "second" : mv[1] === 0 ? "first" : "chance"}`, onclick: () => seek(index + 1) }, html("span", { class: "number" }, String(index + 1)), html("span", { class: "text" }, mv[0]), html("span", { class: "value" }, value === null ? (mv[6] ? "book" : "") : `${value.toFixed(0)} %`), html("span", { class: "time" }, time(mv[4]))));
    }));
  };

  // Step 3. What is to be seen at a ply.
  const paint = () => {
    const game = data.games[state.game];
    if (!game) return;
    const board = game.f ? data.boards[game.f.b] : null;
    const scene = scenes[Math.min(state.ply, scenes.length - 1)];
    const mv = state.ply > 0 ? game.m[state.ply - 1] : null;
    slider.value = state.ply;
    if (board && scene) {
      // Without the rules' word on what a move touched, what it changed will do.
      const touched = mv ? (mv[5].length ? mv[5] : (game.f.d[state.ply]?.c ?? []).map(([cell]) => cell)) : [];
      const drawing = drawPosition(board, scene, touched, light, state.flipped);
      picture.replaceChildren(...(drawing ? [drawing] : []));
      picture.hidden = !drawing;
      const text = positionInWords(board, scene, data.sides);
      picture.setAttribute("aria-label", `Position after ${state.ply} plies. ${text.join(" ")}`);
      words.parentElement.hidden = !drawing;
      words.replaceChildren(...text.map((line) => html("p", {}, line)));
      const hold = (side) => scene.hands[side].map((number) => {
        const kind = scene.kinds[number - 1];
        return html("span", { class: "held", title: `${kind.count} ${kind.shape}` }, svg("svg", { viewBox: "0 0 100 100" }, gradients(), drawPiece(kind, board.board, light, state.flipped)), kind.count > 1 ? `×${kind.count}` : "");
      });
      above.replaceChildren(...hold(state.flipped ? 0 : 1));
      below.replaceChildren(...hold(state.flipped ? 1 : 0));
      const hands = scenes.some((scene) => scene.hands[0].length || scene.hands[1].length);
      above.hidden = below.hidden = !hands;
      const notes = scene.notes.map(([side, name, value]) => html("span", {}, `${side ? `${data.sides[side === "first" ? 0 : 1]} ` : ""}${name} `, html("b", {}, value)));
      if (scene.dice.length) notes.push(html("span", {}, "dice ", html("b", {}, scene.dice.join(" "))));
      beside.replaceChildren(...notes);
    }
    const value = mv && chance(mv);
    const said = mv ? [`${state.ply}. ${mv[1] === null ? "chance" : data.sides[mv[1]]} ${mv[0]}`, mv[6] ? "from the opening" : null, value === null || value === undefined ? null : `${data.sides[0]} wins with ${value.toFixed(0)} %, thinks ${data.sides[mv[1]]}`, mv[3] === null ? null : `depth ${mv[3]}`, mv[4] === null ? null : time(mv[4])].filter(Boolean).join(" · ") : "Start position";
    const ending = state.ply === plies() ? ` · ${game.r === "void" ? "void" : game.r === "draw" ? "drawn" : `${data.sides[game.r === "first" ? 0 : 1]} wins`}${game.why ? ` (${game.why})` : ""}` : "";
    now.textContent = said + ending;
    live.textContent = said + ending;
    [...moves.children].forEach((item, index) => item.firstChild.toggleAttribute("aria-current", index === state.ply - 1));
    const current = moves.children[state.ply - 1];
    // Only the list scrolls, never the page.
    if (current) moves.scrollTop = Math.max(0, current.offsetTop - moves.clientHeight / 2);
    else moves.scrollTop = 0;
    drawGraph(game);
  };

  /** Above, what each side thinks of the game, as the first side's chance; below, the time each move took. */
  const drawGraph = (game) => {
    const all = game.m ?? [];
    const values = all.some((mv) => chance(mv) !== null);
    const times = all.some((mv) => mv[4] !== null);
    graph.hidden = all.length < 2 || !(values || times);
    if (graph.hidden) return;
    const width = Math.max(220, graph.clientWidth);
    const [top, bottom] = [values ? 110 : 0, times ? 34 : 0];
    const height = top + bottom + 6;
    const left = values ? 34 : 6;
    const x = (ply) => left + (ply / all.length) * (width - left - 8);
    const y = (value) => 6 + ((100 - value) / 100) * (top - 12);
    const root = svg("svg", { class: "chart", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Chances and times over the game; the moves have them as numbers" });
    if (values) {
      for (const tick of [0, 50, 100]) root.append(svg("line", { class: tick === 50 ? "zero" : "grid", x1: left, x2: width - 8, y1: y(tick), y2: y(tick) }), svg("text", { class: "tick", x: left - 5, y: y(tick) + 4, "text-anchor": "end" }, tick));
      for (const side of [0, 1]) {
        const points = all.map((mv, i) => [x(i + 1), mv[1] === side ? chance(mv) : null]).filter((point) => point[1] !== null);
        root.append(svg("path", { class: `thought thought-${side}`, d: points.map(([px, value], i) => `${i ? "L" : "M"}${px.toFixed(1)} ${y(value).toFixed(1)}`).join("") }));
      }
    }
    if (times) {
      const longest = Math.max(1e-6, ...all.map((mv) => mv[4] ?? 0));
      all.forEach((mv, i) => {
        if (mv[4] === null) return;
        const size = (mv[4] / longest) * (bottom - 6);
        root.append(svg("rect", { class: `spent spent-${mv[1] ?? 0}`, x: x(i + 1) - Math.max(1, (width - left) / all.length) / 2, y: height - size, width: Math.max(1, (width - left) / all.length - 0.6), height: size }));
      });
    }
    root.append(svg("line", { class: "hair", x1: x(state.ply), x2: x(state.ply), y1: 0, y2: height }));
    root.addEventListener("click", (event) => seek(Math.round(((event.offsetX - left) / (width - left - 8)) * all.length)));
    const legend = values ? html("p", { class: "legend" }, html("span", {}, html("i", { class: "thought-0" }), `${data.sides[0]} thinks`), html("span", {}, html("i", { class: "thought-1" }), `${data.sides[1]} thinks`), html("span", {}, `chance of ${data.sides[0]}`), times ? html("span", {}, "bars: time") : null) : null;
    graph.replaceChildren(root, ...(legend ? [legend] : []));
  };

  // Step 4. Keys, when the board has the focus.
  const KEYS = { ArrowLeft: () => seek(state.ply - 1), ArrowRight: () => seek(state.ply + 1), Home: () => seek(0), End: () => seek(Infinity), " ": toggle, f: () => { state.flipped = !state.flipped; paint(); }, ArrowUp: () => step(-1), ArrowDown: () => step(1) };
  const step = (way) => {
    const found = matching().map(([, index]) => index);
    const next = found[found.indexOf(state.game) + way];
    if (next !== undefined) show(next, 0);
  };
  viewer.addEventListener("keydown", (event) => {
    const key = KEYS[event.key] ?? KEYS[event.key.toLowerCase()];
    if (!key || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && event.target.closest("button, summary")) return;
    if (event.target === slider && event.key.startsWith("Arrow")) return;
    event.preventDefault();
    key();
  });

  place.replaceChildren(html("div", { class: "filters" }, search, results, count), table, html("p", { class: "more" }, more), viewer, html("p", { class: "note" }, "Keys on the board: ← → step, Home and End, space plays, F turns the board, ↑ ↓ other games."));
  list();
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width) paint();
    width = innerWidth;
  });
  const asked = /^#game=(\d+)(?:&ply=(\d+))?$/.exec(location.hash);
  const first = data.games.findIndex((game) => game.f);
  if (asked) show(Number(asked[1]), Number(asked[2] ?? 0), true);
  else if (first >= 0 || data.games.length) {
    const hash = location.hash;
    show(Math.max(0, first), 0);
    history.replaceState(null, "", hash || location.pathname + location.search);
  }
};
