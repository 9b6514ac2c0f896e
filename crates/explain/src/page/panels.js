// What stands beside the tree: the code, its variables, the counts, the node at hand, the tree as text.

const panel = (title, ...content) => html("section", { class: "tx-panel" }, html("h2", {}, title), ...content);

/** Pseudocode with the line of the step lit. */
class CodePanel {
  constructor(replay, words) {
    this.replay = replay;
    this.lines = words.pseudocode[replay.trace.algorithm].map(([indent, text, names]) => ({
      names: (names ?? "").split(" "),
      element: html("li", { style: `--indent:${indent}` }, text),
    }));
    this.element = panel(words.code, html("ol", { class: "tx-code" }, this.lines.map((line) => line.element)));
  }

  update() {
    const { step, nodes, isTree } = this.replay;
    const name = isTree || step.type === "leaf" ? step.type : `${step.type}-${nodes[step.node].kind}`;
    for (const line of this.lines) {
      const lit = line.names.includes(name);
      line.element.classList.toggle("tx-lit", lit);
      if (lit) line.element.setAttribute("aria-current", "step");
      else line.element.removeAttribute("aria-current");
    }
  }
}

/** The variables of the pseudocode, and the window drawn on a scale. */
class VariablesPanel {
  constructor(replay, story, words) {
    Object.assign(this, { replay, story, words });
    this.list = html("dl", { class: "tx-variables" });
    this.scale = svg("svg", { class: "tx-scale", viewBox: "0 0 300 44", "aria-hidden": "true" });
    const windows = replay.trace.algorithm === "alphabeta";
    this.element = panel(words.variables, this.list, windows ? this.scale : null);
    const values = replay.trace.events.filter((event) => event.do === "leave").map((event) => event.value).filter((v) => Math.abs(v) < 990000);
    this.low = Math.min(0, ...values);
    this.high = Math.max(1, ...values);
  }

  update() {
    const { replay, story, words, list } = this;
    const { step, nodes, state } = replay;
    const vars = words.vars;
    const here = state[step.node];
    const rows = [];
    if (replay.isTree) {
      rows.push([vars.simulation, words.phaseOf(step.simulation, replay.trace.bandit.visits)], [vars.phase, words.phases[step.type]]);
      rows.push([vars.node, story.way(step.node)], [vars.n, String(here.n)], [vars.q, here.n > 0 ? figure(replay.share(step.node), 3) : words.none]);
    } else {
      const averaging = ["chance", "model"].includes(nodes[step.node].kind);
      rows.push([vars.node, story.way(step.node)]);
      if (replay.trace.game !== "tree") rows.push([vars.depth, String(nodes[step.node].depth)]);
      if (here.window) rows.push([vars.alpha, story.figure(here.window[0])], [vars.beta, story.figure(here.window[1])]);
      const start = { max: "−∞", min: story.negamax ? "−∞" : "+∞", chance: "0", model: "0" }[nodes[step.node].kind];
      rows.push([averaging ? vars.sum : vars.v, here.v === null ? start : story.figure(here.v)]);
    }
    list.replaceChildren(...rows.map(([name, value]) => html("div", {}, html("dt", {}, name), html("dd", {}, value))));
    if (here.window) this.#drawScale(here);
  }

  #drawScale({ window, v }) {
    const { low, high, scale } = this;
    const x = (value) => 22 + 256 * Math.max(0, Math.min(1, (value - low) / (high - low)));
    const [from, to] = [window[0] === -Infinity ? 4 : x(window[0]), window[1] === Infinity ? 296 : x(window[1])];
    const text = (at, y, word, anchor) => {
      const element = svg("text", { x: at, y, "text-anchor": anchor });
      element.textContent = word;
      return element;
    };
    const parts = [svg("path", { class: "tx-axis", d: "M4 22H296" })];
    const empty = window[0] >= window[1];
    if (!empty) parts.push(svg("rect", { class: "tx-open-window", x: from, y: 16, width: Math.max(2, to - from), height: 12 }));
    if (window[0] !== -Infinity) parts.push(svg("path", { class: "tx-end", d: `M${from + 5} 12h-5v20h5` }), text(from, 10, `α ${figure(window[0])}`, "middle"));
    if (window[1] !== Infinity) parts.push(svg("path", { class: "tx-end", d: `M${to - 5} 12h5v20h-5` }), text(to, empty ? 42 : 10, `β ${figure(window[1])}`, "middle"));
    if (v !== null && Math.abs(v) < 990000) parts.push(svg("path", { class: "tx-v", d: `M${x(v)} 17l5 5l-5 5l-5 -5Z` }), empty ? "" : text(x(v), 42, `v ${figure(v)}`, "middle"));
    scale.replaceChildren(...parts);
  }
}

/** How many positions, with and without pruning. */
class CountsPanel {
  constructor(replay, words) {
    Object.assign(this, { replay, words });
    this.body = html("div", { class: "tx-counts" });
    this.element = panel(words.counts, this.body);
  }

  update() {
    const { replay, words } = this;
    const { counts, algorithm } = replay.trace;
    if (replay.isTree) {
      this.body.replaceChildren(html("p", {}, words.treeNodes(replay.state.filter((state) => state.born).length)));
      return;
    }
    const most = Math.max(...counts.map((count) => count.nodes));
    const rows = counts.map((count) => {
      const own = count.name === algorithm;
      const total = count.complete ? count.nodes.toLocaleString("en") : words.countMore(count.nodes.toLocaleString("en"));
      const bar = html("span", { class: "tx-bar", style: `--full:${count.nodes / most};--now:${own ? replay.count / count.nodes : 0}` });
      return html("div", { class: own ? "tx-count tx-own" : "tx-count" },
        html("span", {}, words.algorithms[count.name]), html("span", { class: "tx-number" }, own ? `${replay.count} / ${total}` : total), bar);
    });
    const [plain, pruned] = counts;
    const saved = pruned && plain.complete && pruned.complete ? 1 - Math.min(...counts.map((count) => count.nodes)) / plain.nodes : 0;
    this.body.replaceChildren(...rows, saved > 0 ? html("p", {}, words.countSaved(Math.round(saved * 100))) : "");
  }
}

/** Everything about one node: the one picked, else the one at hand. */
class NodePanel {
  constructor(replay, story, words, actions) {
    Object.assign(this, { replay, story, words, actions });
    this.body = html("div", { class: "tx-detail" });
    this.element = panel(words.node, this.body);
  }

  update(id, picked, open) {
    const { replay, story, words } = this;
    const node = replay.nodes[id];
    const state = replay.state[id];
    const { detail } = words;
    const playout = replay.step.type === "playout" && id === replay.step.node ? replay.step : null;
    const rows = [];
    const row = (name, value) => rows.push(html("div", {}, html("dt", {}, name), html("dd", {}, value)));
    row(detail.path, story.way(id));
    if (node.probability !== undefined) row(words.odds("").trim(), chanceFigure(node.probability));
    if (replay.isTree) {
      row(detail.visits, String(state.n));
      if (state.n > 0) row(detail.share, figure(replay.share(id), 3));
    } else if (state.pruned || !state.born) {
      row(detail.value, state.pruned ? detail.unseen : detail.notYet);
    } else if (state.v !== null) {
      const bound = state.cut && state.done ? `${detail.bound[node.kind]} ` : "";
      row(detail.value, `${bound}${story.figure(state.v)}${state.done ? "" : ` ${detail.soFar}`}`);
    }
    if (state.window && !state.pruned) row(detail.window, story.interval(state.window));
    if (node.position !== undefined && replay.trace.game !== "tree") row(detail.position, html("code", {}, node.position));
    const pictures = [this.#picture(node, node.touched)];
    if (playout) pictures.push(this.#picture(playout, [], words.playoutEnd));
    const reason = state.pruned ? story.unseenReason(id) : state.cut ? story.cutReason(id) : null;
    const terms = ["chance", "model"].includes(node.kind) && !replay.isTree ? this.#sum(id) : null;
    const bandit = replay.isTree && ["max", "min"].includes(node.kind) ? this.#bandit(id) : null;
    const buttons = html("div", { class: "tx-actions" },
      replay.children[id].length > 0 ? html("button", { type: "button", onclick: () => this.actions.toggle(id) }, open ? detail.shut : detail.open) : null,
      picked ? html("button", { type: "button", onclick: () => this.actions.unpick() }, detail.follow) : null);
    this.body.replaceChildren(
      html("p", { class: "tx-kind" }, capital(story.kind(id))),
      html("div", { class: "tx-pictures" }, pictures, html("dl", { class: "tx-facts" }, rows)),
      ...[reason ? html("p", { class: "tx-reason" }, reason) : null, terms, bandit, buttons].filter(Boolean));
  }

  #picture(sketch, touched, caption) {
    const { form } = this.replay.trace;
    const notes = boardNotes(this.words, this.replay.trace, form, sketch);
    const board = drawBoard(form, sketch, touched, 120);
    if (!board && notes.length === 0) return null;
    const high = form ? (form.board === "track" ? 50 : 120 * form.height / Math.max(form.width, form.height)) : 0;
    return html("figure", {},
      board ? svg("svg", { viewBox: `-2 -2 124 ${high + 4}`, class: "tx-picture", "aria-hidden": "true" }, board) : null,
      notes.length > 0 ? html("ul", { class: "tx-notes" }, notes.map((note) => html("li", {}, note))) : null,
      caption ? html("figcaption", {}, caption) : null);
  }

  /** The weighted sum as far as it has come. */
  #sum(id) {
    const { replay, story, words } = this;
    const done = replay.children[id].filter((child) => replay.state[child].done);
    if (done.length === 0) return null;
    const terms = done.map((child) => {
      const value = story.figure(replay.state[child].v);
      return `${chanceFigure(replay.nodes[child].probability)} × ${value.startsWith("−") ? `(${value})` : value}`;
    });
    const sum = done.reduce((sum, child) => sum + replay.nodes[child].probability * replay.state[child].v, 0);
    return html("p", { class: "tx-sum" }, html("span", {}, words.detail.sum), ` ${terms.join(" + ")} = ${story.figure(sum)}`);
  }

  /** UCB1 with its numbers, for every move. */
  #bandit(id) {
    const { replay, words } = this;
    const { total, c, rows } = replay.bandit(id);
    const step = replay.step;
    const chosen = step.type === "select" && step.node === id ? step.to : null;
    const cells = rows.map((row) => {
      const picked = chosen !== null && replay.nodes[chosen].move === row.mv;
      const numbers = row.untried ? [html("td", {}, "0"), html("td", { colspan: 3 }, words.untried)]
        : row.wins || row.loses ? [html("td", {}, String(row.n)), html("td", {}, figure(row.p)), html("td", { colspan: 2 }, row.wins ? words.wins : words.loses)]
        : [row.n, figure(row.p), figure(row.bonus, 3), figure(row.urgency, 3)].map((text) => html("td", {}, String(text)));
      return html("tr", { class: picked ? "tx-chosen" : null }, html("th", { scope: "row" }, row.mv, picked ? html("span", { class: "tx-mark-chosen", title: words.chosen }, " ◀") : null), ...numbers);
    });
    return html("div", { class: "tx-bandit" }, html("h3", {}, words.bandit),
      html("p", {}, words.banditFormula(figure(c), total)),
      html("table", {}, html("thead", {}, html("tr", {}, words.banditColumns.map((name) => html("th", { scope: "col" }, name)))), html("tbody", {}, cells)));
  }
}

/** The tree as nested lists; written only while it is open. */
class TextPanel {
  constructor(replay, story, words) {
    Object.assign(this, { replay, story });
    this.body = html("div", { class: "tx-text" });
    this.element = html("details", { class: "tx-panel tx-fold", ontoggle: () => this.update() }, html("summary", {}, words.text), this.body);
    this.shut = new Set();
  }

  update(view = this.view) {
    this.view = view;
    if (!this.element.open || !view) return;
    const list = (id) => {
      const kids = view.visible.filter((child) => this.replay.nodes[child].parent === id);
      const line = this.story.line(id);
      const flags = id === this.replay.current ? { "aria-current": "step" } : {};
      if (kids.length === 0) return html("li", flags, line);
      const branch = html("details", {}, html("summary", flags, line), html("ul", {}, kids.map(list)));
      branch.open = !this.shut.has(id);
      branch.addEventListener("toggle", () => { if (branch.open) this.shut.delete(id); else this.shut.add(id); });
      return html("li", {}, branch);
    };
    this.body.replaceChildren(html("ul", {}, list(0)));
  }
}

