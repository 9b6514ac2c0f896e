// Every step as a sentence, and every node as a line of text.

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

class Story {
  constructor(replay, words) {
    this.replay = replay;
    this.words = words;
    this.trace = replay.trace;
    this.negamax = this.trace.algorithm === "negamax";
    // A value for a mere ply count needs no decimals, an expected one does.
    this.digits = ["expectimax", "expectiminimax", "mcts"].includes(this.trace.algorithm) ? 3 : 2;
  }

  sideName(side) { return this.trace.sides[side === "first" ? 0 : 1]; }

  figure(value) { return figure(value, this.digits); }

  /** Who decides at a node. */
  who(id) {
    const node = this.replay.nodes[id];
    return this.negamax || this.replay.isTree ? this.sideName(node.side) : node.kind === "min" ? "Min" : "Max";
  }

  /** The move to a node: `b2`, `the second branch`, `the roll 3`. */
  name(id) {
    const { words, replay } = this;
    const node = replay.nodes[id];
    if (node.parent === undefined) return words.root;
    const chance = replay.nodes[node.parent].kind === "chance";
    if (this.trace.game === "tree") {
      const ordinal = words.ordinal(Number(node.move));
      return chance ? words.outcome(ordinal) : words.branch(ordinal);
    }
    return chance ? words.roll(node.move) : node.move;
  }

  /** The way to a node: `a1 b2`. */
  way(id) {
    const moves = this.replay.path(id).slice(1).map((at) => this.replay.nodes[at].move);
    return moves.length === 0 ? this.words.root : moves.join(" ");
  }

  ending(node) {
    const { ends } = this.words;
    if (node.end === "draw") return ends.draw;
    if (node.end === "limit") return ends.limit;
    return ends.win(this.sideName(node.end));
  }

  kind(id) {
    const node = this.replay.nodes[id];
    if (node.kind === "leaf") return node.end && this.trace.game !== "tree" ? this.ending(node) : this.words.kinds.leaf;
    if (node.kind === "max" || node.kind === "min") {
      if (this.negamax || this.replay.isTree) return this.words.toMove(this.sideName(node.side));
    }
    return this.words.kinds[node.kind];
  }

  /** Why the branches of this node were cut off. */
  cutReason(id) {
    const { words, replay } = this;
    const state = replay.state[id];
    const min = replay.nodes[id].kind === "min";
    const [alpha, beta] = state.window;
    const bound = min ? alpha : beta;
    // The nearest node above where the other side already has as much.
    let where = "";
    for (let at = replay.nodes[id].parent; at !== undefined; at = replay.nodes[at].parent) {
      const above = replay.state[at];
      if (replay.nodes[at].kind === (min ? "max" : "min") && above.best !== null && above.v === bound) {
        where = words.cutWhere(this.name(above.best), at === 0 ? words.root : this.name(at));
        break;
      }
    }
    return (min ? words.cutAlpha : words.cutBeta)(this.figure(state.v), this.figure(bound), where);
  }

  /** The reason why a node was never looked at. */
  unseenReason(id) {
    let at = id;
    while (this.replay.state[this.replay.nodes[at].parent]?.pruned) at = this.replay.nodes[at].parent;
    return this.cutReason(this.replay.nodes[at].parent);
  }

  /** A node in one line: for screen readers, tooltips and the text tree. */
  line(id) {
    const { words, replay } = this;
    const node = replay.nodes[id];
    const state = replay.state[id];
    const parts = [node.move === undefined ? words.root : this.name(id), this.kind(id)];
    if (node.probability !== undefined) parts.push(words.odds(chanceFigure(node.probability)));
    if (replay.isTree) {
      if (state.n > 0) parts.push(`${words.visitsShort} ${state.n}`, `${words.shareShort} ${figure(replay.share(id))}`);
    } else if (state.pruned) {
      parts.push(words.detail.unseen);
    } else if (state.v !== null) {
      const bound = state.cut ? `${words.detail.bound[node.kind]} ` : "";
      parts.push(`${words.detail.value} ${bound}${this.figure(state.v)}${state.done ? "" : ` ${words.detail.soFar}`}`);
    }
    if (state.window && !state.pruned && node.kind !== "leaf") parts.push(this.interval(state.window));
    if (id === replay.current) parts.push(words.current);
    return parts.join(", ");
  }

  interval([alpha, beta]) { return `[${this.figure(alpha)}, ${this.figure(beta)}]`; }

  /** What the step did. */
  sentence() {
    const text = this.replay.isTree ? this.#simulation(this.replay.step) : this.#depthFirst(this.replay.step);
    // Moves like `a2` are written as they are.
    return /^\p{Script=Latin}+[ ,]/u.test(text) ? capital(text) : text;
  }

  #from(id) {
    const parent = this.replay.nodes[id].parent;
    const { kind, side } = this.replay.nodes[parent];
    return this.negamax ? this.words.looksSide(this.sideName(side)) : this.words.looks[kind];
  }

  #depthFirst(step) {
    const { words, replay } = this;
    const id = step.node;
    const node = replay.nodes[id];
    const state = replay.state[id];
    const side = this.sideName(node.side);
    switch (step.type) {
      case "enter": {
        const form = this.negamax ? "negamax" : node.kind;
        const start = id === 0
          ? (this.negamax ? words.begin.negamax(side) : words.begin[node.kind])
          : words.enter[form](this.#from(id), this.name(id), side);
        return start + (state.window ? words.windowHere(this.figure(state.window[0]), this.figure(state.window[1])) : "");
      }
      case "leaf": {
        const value = this.negamax ? words.worthTo(this.figure(step.value), side) : this.figure(step.value);
        if (this.trace.game === "tree" && node.end !== "limit") return words.leaf(this.#from(id), this.name(id), value);
        return node.end === "limit"
          ? words.leafLimit(this.#from(id), this.name(id), value)
          : words.leafOver(this.#from(id), this.name(id), this.ending(node), value);
      }
      case "improve": return this.#improved(step, node, state);
      case "prune": return this.cutReason(id) + words.cutCount(step.unseen.length);
      case "leave": {
        const value = this.figure(step.value);
        if (id !== 0) {
          if (this.negamax) return words.leave.negamax(value, side);
          if (state.cut) return node.kind === "max" ? words.leave.cutMax(value) : words.leave.cutMin(value);
          return words.leave[node.kind](value);
        }
        const end = state.best !== null && this.trace.best !== undefined
          ? words.done(value, this.who(0), this.name(state.best)) : words.doneValue(value);
        const [plain, pruned] = this.trace.counts;
        return end + (this.trace.algorithm === "alphabeta" && plain.complete ? words.doneSaved(pruned.nodes, plain.nodes) : "");
      }
    }
    return "";
  }

  #improved(step, node, state) {
    const { words, replay } = this;
    const child = replay.nodes[step.child];
    const childState = replay.state[step.child];
    const name = this.name(step.child);
    const came = childState.v;
    if (node.kind === "chance" || node.kind === "model") {
      const p = child.probability;
      return words.weighed(name, chanceFigure(p), this.figure(came), this.figure(p * came), this.figure(step.value));
    }
    const turned = child.side !== node.side;
    const mine = this.negamax && turned ? -came : came;
    const start = this.negamax
      ? words.child.negamax(name, this.figure(came), this.sideName(child.side), turned ? this.figure(mine) : null, this.sideName(node.side))
      : words.child[child.kind](name, this.figure(came), childState.cut);
    const who = this.who(step.node);
    const gain = this.negamax || node.kind === "max" ? mine - step.old : step.old - mine;
    const end = step.old === null ? words.best.first(who, this.figure(step.value))
      : gain > 0 ? words.best.better(who, this.figure(step.old), this.figure(step.value))
      : gain === 0 ? words.best.same(who, this.figure(step.old))
      : words.best.worse(who, this.figure(step.old));
    let window = "";
    if (state.window) {
      if (state.window[0] > step.oldWindow[0]) window = words.alphaRises(this.figure(state.window[0]));
      if (state.window[1] < step.oldWindow[1]) window = words.betaFalls(this.figure(state.window[1]));
    }
    return start + end + window;
  }

  /** How a game ended, in the words of this set. */
  result(value, set) {
    if (value === 1) return set.win(this.trace.sides[0]);
    if (value === -1) return set.win(this.trace.sides[1]);
    return value === 0 ? set.draw : set.cut;
  }

  #simulation(step) {
    const { words, replay } = this;
    const node = replay.nodes[step.node];
    const side = this.sideName(node.side);
    switch (step.type) {
      case "select": {
        const at = (step.node === 0 ? `${words.simulation(step.simulation)} ` : "") + words.at(step.node === 0 ? null : this.name(step.node));
        const mv = this.name(step.to);
        if (node.kind === "chance") return words.selectRoll(at, mv, chanceFigure(replay.nodes[step.to].probability));
        const { rows } = replay.bandit(step.node);
        const row = rows.find((row) => row.child === step.to);
        const untried = rows.filter((row) => row.untried).length;
        if (row.wins) return words.selectWon(at, side, mv);
        if (row.untried) return words.selectUntried(at, side, untried, mv);
        if (row.loses) return words.selectLost(at, side, mv);
        return words.selectBest(at, side, mv, figure(row.urgency, 3));
      }
      case "expand": return words.expanded(this.name(step.node), node.kind === "max" || node.kind === "min" ? side : null);
      case "playout": {
        const over = node.kind === "leaf";
        const moves = step.moves.length > 0 && step.moves.length <= 12 ? words.playoutMoves(step.moves.join(" ")) : "";
        return words.playout(this.result(step.value, words.results), over ? 0 : 1) + moves;
      }
      case "known": return words.known(this.result(step.value, words.results));
      case "backup": {
        const path = replay.path(step.node);
        const end = words.backup(path.length, this.result(step.value, words.backupShare));
        if (replay.at < replay.steps.length - 1 || this.trace.best === undefined) return end;
        const best = replay.children[0].find((child) => replay.nodes[child].move === this.trace.best);
        return end + words.mctsDone(this.trace.bandit.visits, this.sideName(this.trace.side), this.trace.best, replay.state[best].n);
      }
    }
    return "";
  }
}

