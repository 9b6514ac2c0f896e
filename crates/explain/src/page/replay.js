// A trace replayed: what every node looks like after so many steps.

/** Numbers as people read them. */
const figure = (value, digits = 2) => {
  if (value === null || value === undefined) return "";
  if (value === Infinity) return "+∞";
  if (value === -Infinity) return "−∞";
  const size = Math.abs(value);
  if (size >= 990000) return `${value > 0 ? "W" : "L"}${1000000 - size}`;
  const text = String(Number(size.toFixed(digits)));
  return value < 0 && text !== "0" ? `−${text}` : text;
};

/** Probabilities as fractions where they are simple ones. */
const chanceFigure = (p) => {
  for (let n = 2; n <= 36; n++) if (Math.abs(p * n - 1) < 1e-4) return `1/${n}`;
  return String(Number(p.toFixed(3)));
};

class Replay {
  constructor(trace) {
    this.trace = trace;
    this.nodes = trace.nodes;
    this.children = trace.nodes.map(() => []);
    this.level = trace.nodes.map(() => 0);
    trace.nodes.forEach((node, id) => {
      if (node.parent === undefined) return;
      this.children[node.parent].push(id);
      this.level[id] = this.level[node.parent] + 1;
    });
    this.isTree = trace.algorithm === "mcts";
    // The nodes of MCTS come in the order of their first visit: put them in the order of the moves.
    if (this.isTree) {
      this.children.forEach((kids, id) => kids.sort((a, b) => this.nodes[id].moves.indexOf(this.nodes[a].move) - this.nodes[id].moves.indexOf(this.nodes[b].move)));
    }
    if (trace.form) trace.form.firstIsLight = ["White", "Yellow"].includes(trace.sides[0]);
    this.given = trace.game === "tree" && !this.isTree;
    this.steps = this.isTree ? trace.events.map((event) => ({ type: event.do, ...event })) : this.#depthFirstSteps();
    if (this.isTree) this.#numberSimulations();
    this.reset();
  }

  /** Entering and leaving a leaf is one step. */
  #depthFirstSteps() {
    const steps = [];
    const { events } = this.trace;
    for (let i = 0; i < events.length; i++) {
      const event = events[i];
      if (event.do === "enter" && this.nodes[event.node].kind === "leaf") {
        steps.push({ type: "leaf", node: event.node, window: event.window, value: events[i + 1].value });
        i++;
      } else {
        steps.push({ type: event.do, ...event });
      }
    }
    return steps;
  }

  #numberSimulations() {
    let simulation = 1;
    for (const step of this.steps) {
      step.simulation = simulation;
      if (step.type === "backup") simulation++;
    }
  }

  reset() {
    this.at = -1;
    this.count = 0;
    this.current = 0;
    this.state = this.nodes.map(() => ({ born: false, open: false, done: false, cut: false, pruned: false, v: null, window: null, best: null, n: 0, sum: 0, known: null }));
    if (this.isTree) this.state[0].born = true;
  }

  /** Goes to a step; afterwards the state is that after it. */
  goto(step) {
    const target = Math.max(0, Math.min(this.steps.length - 1, step));
    if (target < this.at) this.reset();
    while (this.at < target) this.#apply(this.steps[++this.at]);
    return this.step;
  }

  get step() { return this.steps[this.at]; }

  ends(window) {
    return window ? [window[0] ?? -Infinity, window[1] ?? Infinity] : null;
  }

  #apply(step) {
    const state = this.state[step.node];
    this.current = step.node;
    switch (step.type) {
      case "enter":
        Object.assign(state, { born: true, open: true, window: this.ends(step.window) });
        this.count++;
        break;
      case "leaf":
        Object.assign(state, { born: true, done: true, window: this.ends(step.window), v: step.value });
        this.last = step.node;
        this.count++;
        break;
      case "improve":
        // What the step means depends on what was there: kept for its sentence.
        step.child = this.last;
        step.old = state.v;
        step.oldWindow = state.window;
        if (state.v === null || step.value !== state.v) state.best = this.last;
        state.v = step.value;
        state.window = this.ends(step.window) ?? state.window;
        break;
      case "prune":
        state.cut = true;
        step.unseen.forEach((id) => this.#cut(id));
        break;
      case "leave":
        Object.assign(state, { open: false, done: true, v: step.value });
        this.last = step.node;
        break;
      case "expand":
        state.born = true;
        break;
      case "known":
        state.known = step.value;
        break;
      case "backup":
        for (const id of this.path(step.node)) {
          this.state[id].n++;
          this.state[id].sum += step.value;
        }
        if (this.at === this.steps.length - 1) this.state[0].best = this.children[0].find((id) => this.nodes[id].move === this.trace.best) ?? null;
        break;
    }
  }

  #cut(id) {
    Object.assign(this.state[id], { born: true, pruned: true });
    this.children[id].forEach((child) => this.#cut(child));
  }

  /** From the root to the node. */
  path(id) {
    const path = [];
    for (let at = id; at !== undefined; at = this.nodes[at].parent) path.unshift(at);
    return path;
  }

  /** First's share of the points at a node of MCTS, between 0 and 1. */
  share(id) {
    const { n, sum } = this.state[id];
    return n === 0 ? null : (sum / n + 1) / 2;
  }

  /** The bandit's view of a node: every move with its numbers, as the next choice there sees them. */
  bandit(id) {
    const node = this.nodes[id];
    const total = Math.max(1, this.state[id].n);
    const c = this.trace.bandit.exploration;
    const rows = node.moves.map((mv) => {
      const child = this.children[id].find((child) => this.nodes[child].move === mv);
      const state = child === undefined ? null : this.state[child];
      if (!state || state.n === 0) return { mv, child, n: 0, untried: true };
      const share = this.share(child);
      const p = node.side === "first" ? share : 1 - share;
      const bonus = c * Math.sqrt(Math.log(total) / state.n);
      const forMe = state.known === null ? null : node.side === "first" ? state.known : -state.known;
      return { mv, child, n: state.n, p, bonus, urgency: p + bonus, wins: forMe === 1, loses: forMe === -1 };
    });
    return { total, c, rows };
  }
}

