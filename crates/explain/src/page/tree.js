// The tree as a drawing: nodes that keep their place, a camera that follows, and a cut where a search cuts.

const SHAPES = {
  max: "M0 -25L29 21H-29Z",
  min: "M0 25L29 -21H-29Z",
  chance: "M-23 0a23 23 0 1 0 46 0a23 23 0 1 0 -46 0Z",
  model: "M-23 0a23 23 0 1 0 46 0a23 23 0 1 0 -46 0Z",
  leaf: "M-20 -18H20V18H-20Z",
};
// MCTS has many nodes with short figures.
const SMALLER = 0.76;
// Where the figure stands inside each shape.
const FIGURE_Y = { max: 15, min: -6, chance: 5, model: 5, leaf: 5 };
// The buttons at the top of the stage take this much of it.
const TOOLBAR = 54;
// Nobody reads smaller text than at this scale, or needs larger.
const [LEAST, GREATEST] = [0.62, 1.5];
// Larger trees are shown around the current node, unless the reader wants all of it.
const LARGE = 130;

class TreeView {
  /** `onSelect(id)` is called when the reader picks a node. */
  constructor(replay, story, words, onSelect) {
    Object.assign(this, { replay, story, words, onSelect });
    this.whole = replay.nodes.length <= LARGE;
    this.boards = replay.trace.form !== undefined && replay.trace.form.width * replay.trace.form.height <= 9;
    this.showBoards = this.boards;
    this.toggled = new Map();
    this.selected = null;
    this.following = true;
    this.size = replay.isTree ? SMALLER : 1;
    this.camera = { x: 0, y: 0, scale: 1 };
    this.groups = new Map();
    this.edges = new Map();
    this.edgeLayer = svg("g");
    this.nodeLayer = svg("g");
    this.playoutLayer = svg("g", { class: "tx-playout" });
    this.scene = svg("g", { class: "tx-scene" }, this.edgeLayer, this.playoutLayer, this.nodeLayer);
    this.element = svg("svg", { class: "tx-svg", role: "group", "aria-label": words.treeLabel }, this.#patterns(), this.scene);
    this.#listen();
  }

  #patterns() {
    const hatch = svg("pattern", { id: "tx-hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      svg("rect", { width: 6, height: 6, class: "tx-paper" }), svg("path", { d: "M0 0V6", class: "tx-hatch" }));
    const dots = svg("pattern", { id: "tx-dots", width: 7, height: 7, patternUnits: "userSpaceOnUse" },
      svg("rect", { width: 7, height: 7, class: "tx-paper" }), svg("circle", { cx: 2, cy: 2, r: 0.9, class: "tx-dot" }));
    return svg("defs", {}, hatch, dots);
  }

  // What is visible.

  #exists(id) { return this.replay.state[id].born || this.replay.given; }

  isOpen(id) {
    if (this.toggled.has(id)) return this.toggled.get(id);
    return this.whole || this.route.has(id);
  }

  toggle(id) {
    if (this.replay.children[id].length === 0) return;
    this.toggled.set(id, !this.isOpen(id));
    this.update();
  }

  setWhole(whole) {
    this.whole = whole;
    this.toggled.clear();
    this.update();
  }

  #visibleChildren(id) { return this.isOpen(id) ? this.replay.children[id].filter((child) => this.#exists(child)) : []; }

  /** Small trees keep their places while they grow, so their layout knows all nodes from the start. */
  #layoutChildren(id) {
    if (!this.isOpen(id)) return [];
    return this.whole ? this.replay.children[id] : this.#visibleChildren(id);
  }

  get #boardSize() { return this.showBoards ? 42 : 0; }

  get #footer() {
    const { algorithm } = this.replay.trace;
    const lines = algorithm === "mcts" ? 1 : algorithm === "alphabeta" ? 1 : 0;
    return lines * 17;
  }

  /** From the middle of a node down to where its edges begin. */
  #foot(id) {
    const leaf = this.replay.nodes[id].kind === "leaf";
    const text = leaf && !this.replay.isTree ? 0 : this.#footer;
    return (leaf ? 20 : 27) * this.size + text + (this.showBoards ? this.#boardSize + 6 : 0);
  }

  #width(id) {
    const leaf = this.replay.nodes[id].kind === "leaf";
    if (this.replay.trace.algorithm === "alphabeta" && !leaf) return 74;
    if (this.replay.isTree) return 46;
    return leaf ? 44 : 58;
  }

  // Drawing.

  update() {
    const { replay } = this;
    const step = replay.step;
    const target = step.type === "select" && replay.state[step.to].born ? step.to : replay.current;
    this.route = new Set(replay.path(target));
    this.active = replay.isTree ? new Set(replay.path(step.type === "select" ? target : step.node)) : this.route;
    this.x = tidy(0, (id) => this.#layoutChildren(id), (id) => this.#width(id), this.replay.isTree ? 8 : 12);
    this.level = this.#levelHeight();
    this.visible = [];
    const walk = (id) => {
      this.visible.push(id);
      this.#visibleChildren(id).forEach(walk);
    };
    walk(0);
    const shown = new Set(this.visible);
    for (const [id, group] of this.groups) if (!shown.has(id)) { group.remove(); this.groups.delete(id); }
    for (const [id, edge] of this.edges) if (!shown.has(id)) { edge.remove(); this.edges.delete(id); }
    for (const id of this.visible) {
      this.#drawNode(id);
      if (id !== 0) this.#drawEdge(id);
    }
    this.#drawPlayout(step);
    if (this.following) this.follow();
  }

  /** From one row of nodes to the next; a tree that leaves room below is stretched a little. */
  #levelHeight() {
    const least = 54 * this.size + 8 + this.#footer + (this.showBoards ? this.#boardSize + 6 : 0) + (this.#labelled ? 44 : 30);
    if (!this.whole) return least;
    const [wide, high] = this.#stage();
    const places = [...this.x.values()];
    const width = Math.max(...places) - Math.min(...places) + 80;
    const rows = Math.max(...[...this.x.keys()].map((id) => this.replay.level[id])) + 1;
    const scale = Math.max(LEAST, Math.min(GREATEST, wide / width));
    return least * Math.max(1, Math.min(1.6, (high - TOOLBAR) / scale / (rows * least)));
  }

  /** Whether edges carry text: a move, a probability. */
  get #labelled() {
    this.labelledOnce ??= this.replay.trace.game !== "tree" || this.replay.nodes.some((node) => node.probability !== undefined);
    return this.labelledOnce;
  }

  at(id) { return [this.x.get(id), this.replay.level[id] * this.level]; }

  #inside(id) {
    const { replay } = this;
    const node = replay.nodes[id];
    const state = replay.state[id];
    if (replay.isTree) return state.n > 0 ? String(state.n) : "";
    if (state.v !== null) {
      const bound = state.cut && state.done ? (node.kind === "min" ? "≤" : "≥") : "";
      return bound + figure(state.v);
    }
    return node.value !== undefined && (state.pruned || replay.given) ? figure(node.value) : "";
  }

  #below(id) {
    const { replay } = this;
    const state = replay.state[id];
    if (replay.isTree) return state.n > 0 ? `${this.words.shareShort} ${figure(replay.share(id))}` : "";
    if (!state.window || state.pruned || replay.nodes[id].kind === "leaf") return "";
    return this.story.interval(state.window);
  }

  #drawNode(id) {
    const { replay } = this;
    const node = replay.nodes[id];
    const state = replay.state[id];
    let group = this.groups.get(id);
    if (!group) {
      group = this.#makeNode(id, node);
      this.groups.set(id, group);
      this.nodeLayer.append(group);
    }
    const [x, y] = this.at(id);
    group.style.transform = `translate(${x}px, ${y}px)`;
    const flags = [
      `tx-node tx-is-${node.kind}`,
      id === replay.current && "tx-current",
      id === this.selected && "tx-selected",
      this.active.has(id) && "tx-active",
      state.pruned && "tx-pruned",
      !state.born && "tx-ghost",
      state.done && "tx-done",
    ];
    group.setAttribute("class", flags.filter(Boolean).join(" "));
    const { figureText, belowText, badge, title, boardSlot } = group.parts;
    const inside = this.#inside(id);
    figureText.textContent = inside;
    figureText.setAttribute("font-size", inside.length > 5 ? 9.5 : inside.length > 4 ? 11 : inside.length > 3 || this.replay.isTree ? 12 : 14);
    belowText.textContent = this.#below(id);
    const line = this.story.line(id);
    const reason = state.pruned ? `${line}. ${this.story.unseenReason(id)}` : state.cut ? `${line}. ${this.story.cutReason(id)}` : line;
    if (title.textContent !== reason) title.textContent = reason;
    group.setAttribute("aria-label", reason);
    group.setAttribute("tabindex", id === (this.selected ?? replay.current) ? "0" : "-1");
    const hidden = this.isOpen(id) ? 0 : this.#size(id) - 1;
    badge.textContent = hidden > 0 ? this.words.hidden(hidden) : "";
    badge.setAttribute("y", this.#foot(id) + 13);
    boardSlot.style.display = this.showBoards ? "" : "none";
    boardSlot.setAttribute("transform", `translate(-21 ${this.#foot(id) - this.#boardSize - 1})`);
  }

  #size(id) {
    return this.#exists(id) ? this.replay.children[id].reduce((sum, child) => sum + this.#size(child), 1) : 0;
  }

  #makeNode(id, node) {
    const shape = SHAPES[node.kind];
    const figureText = svg("text", { class: "tx-figure", y: FIGURE_Y[node.kind] * this.size, "text-anchor": "middle" });
    const belowText = svg("text", { class: "tx-below", y: (node.kind === "leaf" ? 20 : 27) * this.size + 14, "text-anchor": "middle" });
    const badge = svg("text", { class: "tx-badge", "text-anchor": "middle" });
    const title = svg("title");
    const boardSlot = svg("g");
    if (this.boards) {
      const board = drawBoard(this.replay.trace.form, node, node.touched, 42);
      if (board) boardSlot.append(board);
    }
    const group = svg("g", { role: "button" }, title,
      svg("g", { transform: `scale(${this.size})` }, svg("path", { class: "tx-ring", d: shape }), svg("path", { class: "tx-shape", d: shape })), figureText, belowText, badge, boardSlot);
    group.parts = { figureText, belowText, badge, title, boardSlot };
    group.addEventListener("click", () => { if (!this.dragged) this.onSelect(id); });
    group.addEventListener("dblclick", () => this.toggle(id));
    group.addEventListener("keydown", (event) => this.#nodeKey(event, id));
    return group;
  }

  #drawEdge(id) {
    const { replay } = this;
    const node = replay.nodes[id];
    const state = replay.state[id];
    let edge = this.edges.get(id);
    if (!edge) {
      edge = svg("g", {}, svg("path", { class: "tx-line" }), svg("path", { class: "tx-cut" }), svg("text", { "text-anchor": "middle" }));
      this.edges.set(id, edge);
      this.edgeLayer.append(edge);
    }
    const [line, cut, text] = edge.children;
    const [px, py] = this.at(node.parent);
    const [x, y] = this.at(id);
    const top = py + this.#foot(node.parent);
    const bottom = y - (node.kind === "leaf" ? 19 : node.kind === "min" ? 22 : 26) * this.size;
    line.setAttribute("d", `M${px} ${top}L${x} ${bottom}`);
    const first = state.pruned && !replay.state[node.parent].pruned;
    // Two short strokes across the edge, a third of the way down.
    const mx = px + (x - px) * 0.38;
    const my = top + (bottom - top) * 0.38;
    cut.setAttribute("d", first ? `M${mx - 7} ${my - 1}l14 -5M${mx - 7} ${my + 5}l14 -5` : "");
    const best = replay.state[node.parent].best === id && replay.nodes[node.parent].kind !== "chance" && replay.nodes[node.parent].kind !== "model";
    const flags = [
      "tx-edge",
      state.pruned && "tx-pruned",
      !state.born && "tx-ghost",
      (this.active.has(id) || (replay.step.type === "select" && replay.step.to === id)) && "tx-active",
      best && "tx-best",
    ];
    edge.setAttribute("class", flags.filter(Boolean).join(" "));
    const chance = node.probability === undefined ? "" : chanceFigure(node.probability);
    text.textContent = replay.trace.game === "tree" ? chance : chance ? `${node.move} (${chance})` : node.move;
    text.setAttribute("x", px + (x - px) * 0.8);
    text.setAttribute("y", top + (bottom - top) * 0.8 + 3);
  }

  /** The random game as a dotted way out of the tree, with how it ended. */
  #drawPlayout(step) {
    this.playoutLayer.replaceChildren();
    if (step.type !== "playout") return;
    const [x, y] = this.at(step.node);
    const from = y + this.#foot(step.node);
    const to = from + 46;
    const result = this.story.result(step.value, this.words.resultsShort);
    const text = svg("text", { x, y: to + 19, "text-anchor": "middle" });
    text.textContent = result;
    const width = Math.max(30, result.length * 8 + 20);
    this.playoutLayer.append(
      svg("path", { class: "tx-way", d: `M${x} ${from}q9 8 0 15t0 15t0 15` }),
      svg("rect", { x: x - width / 2, y: to, width, height: 28, rx: 14 }), text);
  }

  // The camera.

  get #box() {
    let [left, right, bottom] = [Infinity, -Infinity, 0];
    // A tree that keeps its places keeps its frame too, so that the root stands still while it grows.
    for (const id of this.whole ? this.x.keys() : this.visible) {
      const [x, y] = this.at(id);
      left = Math.min(left, x - 40);
      right = Math.max(right, x + 40);
      bottom = Math.max(bottom, y + this.#foot(id) + 12);
    }
    if (this.replay.step.type === "playout") bottom = Math.max(bottom, this.at(this.replay.step.node)[1] + this.#foot(this.replay.step.node) + 84);
    return { left, right, top: -36, bottom };
  }

  #stage() {
    const { clientWidth, clientHeight } = this.element;
    return [Math.max(1, clientWidth), Math.max(1, clientHeight)];
  }

  /** The whole tree if it can be read at that size, else the part around the current node. */
  follow() {
    const [wide, all] = this.#stage();
    const high = Math.max(1, all - TOOLBAR);
    const box = this.#box;
    const fitting = Math.min(wide / (box.right - box.left), high / (box.bottom - box.top), GREATEST);
    const scale = Math.max(fitting, LEAST);
    const [cx, cy] = this.at(this.replay.current);
    const along = (low, high, room, focus) => {
      // All of it in the middle if it fits; else the focus in the middle, but no emptiness beyond the ends.
      if (high - low <= room) return (low + high - room) / 2;
      return Math.max(low, Math.min(high - room, focus - room / 2));
    };
    const left = along(box.left, box.right, wide / scale, cx);
    const top = along(box.top, box.bottom, high / scale, cy);
    this.camera = { x: -left * scale, y: TOOLBAR - top * scale, scale };
    this.#aim();
  }

  /** Whether the camera goes where the search goes; `onFollow` is told of changes. */
  setFollowing(following) {
    if (following !== this.following) {
      this.following = following;
      this.onFollow?.(following);
    }
    if (following) this.follow();
  }

  fit() {
    const [wide, all] = this.#stage();
    const high = Math.max(1, all - TOOLBAR);
    const box = this.#box;
    const scale = Math.min(wide / (box.right - box.left), high / (box.bottom - box.top), GREATEST);
    this.setFollowing(false);
    this.camera = { x: (wide - (box.left + box.right) * scale) / 2, y: TOOLBAR + (high - (box.top + box.bottom) * scale) / 2, scale };
    this.#aim();
  }

  zoom(factor, at) {
    const [wide, high] = this.#stage();
    const [x, y] = at ?? [wide / 2, high / 2];
    const scale = Math.max(0.08, Math.min(4, this.camera.scale * factor));
    const real = scale / this.camera.scale;
    this.setFollowing(false);
    this.camera = { x: x - (x - this.camera.x) * real, y: y - (y - this.camera.y) * real, scale };
    this.#aim();
  }

  /** Moves the camera if the node is outside of what it shows. */
  reveal(id) {
    if (!this.x.has(id)) return;
    const [wide, high] = this.#stage();
    const { x, y, scale } = this.camera;
    const [nx, ny] = this.at(id);
    const [sx, sy] = [nx * scale + x, ny * scale + y];
    const off = (at, room) => at < 40 ? 40 - at : at > room - 40 ? room - 40 - at : 0;
    this.camera.x += off(sx, wide);
    this.camera.y += off(sy, high);
    this.#aim();
  }

  #aim() {
    const { x, y, scale } = this.camera;
    this.scene.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  }

  #listen() {
    const pointers = new Map();
    const place = (event) => {
      const box = this.element.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    this.element.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)), place(event));
    }, { passive: false });
    this.element.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, place(event));
      this.dragged = false;
    });
    this.element.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const now = place(event);
      const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
      if (others.length === 1) {
        const apart = (a) => Math.hypot(a[0] - others[0][0], a[1] - others[0][1]);
        this.zoom(apart(now) / Math.max(1, apart(before)), others[0]);
      } else {
        if (!this.dragged && Math.hypot(dx, dy) < 4) return;
        this.setFollowing(false);
        this.camera.x += dx;
        this.camera.y += dy;
        this.#aim();
      }
      if (!this.dragged) this.element.setPointerCapture(event.pointerId);
      this.dragged = true;
      this.element.classList.add("tx-dragging");
      pointers.set(event.pointerId, now);
    });
    for (const name of ["pointerup", "pointercancel"]) {
      this.element.addEventListener(name, (event) => {
        pointers.delete(event.pointerId);
        this.element.classList.remove("tx-dragging");
      });
    }
    new ResizeObserver(() => { if (this.following && this.x) this.update(); }).observe(this.element);
  }

  #nodeKey(event, id) {
    const { replay } = this;
    const kids = this.#visibleChildren(id);
    const sisters = id === 0 ? [0] : this.#visibleChildren(replay.nodes[id].parent);
    const at = sisters.indexOf(id);
    const goals = { ArrowUp: replay.nodes[id].parent, ArrowDown: kids[0] };
    if (event.shiftKey) Object.assign(goals, { ArrowLeft: sisters[at - 1], ArrowRight: sisters[at + 1] });
    if (event.key === "Enter") {
      this.toggle(id);
    } else if (event.key in goals) {
      const goal = goals[event.key];
      if (goal === undefined) return;
      this.onSelect(goal);
      this.groups.get(goal)?.focus({ preventScroll: true });
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

