// What a page knows about the table it has joined, kept up to date by the server's events.
// The server is the authority: nothing here is changed by the page itself except which node it looks at.
import { useEffect, useRef, useState } from "preact/hooks";
import { connection, type ConnectionStatus, Refusal, type Wish } from "../../protocol/connection";
import type { Analysis, ChatLine, Clocks, Event, Live, Node, View, You } from "../../protocol/messages";
import { settings } from "../../ui/settings";

export interface TableState {
  you: You;
  live: Live;
  nodes: Map<number, Node>;
  /** The children of each node, the main line first. */
  children: Map<number, number[]>;
  chat: ChatLine[];
  clocks: Clocks | null;
  /** When the clocks were heard of, by this page's own clock. */
  clocksAt: number;
  analyses: Map<number, Analysis>;
  review: { done: number; of: number } | null;
  /** Positions seen before, by node. */
  views: Map<number, View>;
}

export interface TableClient {
  state: TableState | null;
  status: ConnectionStatus;
  trouble: Refusal | null;
  ask(wish: Wish): Promise<Event>;
}

function childrenOf(nodes: Map<number, Node>): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const { id, parent } of nodes.values()) {
    if (parent === null) continue;
    const list = children.get(parent);
    if (list) list.push(id);
    else children.set(parent, [id]);
  }
  return children;
}

function withNodes(state: TableState, changed: Node[]): Pick<TableState, "nodes" | "children"> {
  if (changed.length === 0) return state;
  const nodes = new Map(state.nodes);
  changed.forEach((node) => nodes.set(node.id, node));
  return { nodes, children: childrenOf(nodes) };
}

/** The state after an event. */
function hear(state: TableState | null, event: Event): TableState | null {
  const now = performance.now();
  if (event.type === "joined") {
    const nodes = new Map(event.tree.map((node) => [node.id, node]));
    const same = state?.live.id === event.live.id ? state : null;
    return {
      you: event.you, live: event.live, nodes, children: childrenOf(nodes), chat: event.chat, clocks: event.live.clocks, clocksAt: now,
      analyses: same?.analyses ?? new Map(), review: null, views: new Map([[event.live.at, event.live.view]]),
    };
  }
  if (state === null) return state;
  switch (event.type) {
    case "update":
    case "tree": {
      if (event.live.id !== state.live.id) return state;
      const tree = event.type === "tree" ? { nodes: new Map(event.tree.map((node) => [node.id, node])) } : null;
      const grown = tree ? { nodes: tree.nodes, children: childrenOf(tree.nodes) } : withNodes(state, event.type === "update" ? event.nodes : []);
      // A node's number never means another position, but undone nodes are forgotten.
      const views = new Map([...state.views].filter(([id]) => grown.nodes.has(id)));
      views.set(event.live.at, event.live.view);
      return { ...state, ...grown, live: event.live, clocks: event.live.clocks, clocksAt: now, views };
    }
    case "time": return { ...state, clocks: event.clocks, clocksAt: now };
    case "looked": return { ...state, views: new Map(state.views).set(event.node, event.view) };
    case "chat": return { ...state, chat: [...state.chat, event.line] };
    case "analysis": return { ...state, analyses: new Map(state.analyses).set(event.analysis.node, event.analysis) };
    case "review": return { ...state, ...withNodes(state, event.nodes), review: event.finished ? null : { done: event.done, of: event.of } };
    default: return state;
  }
}

export function useTable(id: string, key: string | undefined): TableClient {
  const [state, setState] = useState<TableState | null>(null);
  const [status, setStatus] = useState<ConnectionStatus>(() => connection().status);
  const [trouble, setTrouble] = useState<Refusal | null>(null);
  const latest = useRef<TableState | null>(null);
  useEffect(() => {
    const line = connection();
    // Events may come faster than the screen is drawn: they are joined into one drawing.
    let frame = 0;
    const stopListening = line.listen((event) => {
      const next = hear(latest.current, event);
      if (next === latest.current) return;
      latest.current = next;
      if (event.type === "analysis" || event.type === "review") frame ||= requestAnimationFrame(() => { frame = 0; setState(latest.current); });
      else setState(next);
    });
    const stopStatus = line.onStatus(setStatus);
    const stopRefused = line.onJoinRefused((refusal) => refusal.code !== "offline" && setTrouble(refusal));
    setStatus(line.status);
    const name = settings.value.name;
    line.ask({ do: "join", table: id, ...(key ? { key } : {}), ...(name ? { name } : {}) }).catch((error: unknown) => error instanceof Refusal && error.code !== "offline" && setTrouble(error));
    return () => {
      cancelAnimationFrame(frame);
      stopListening();
      stopStatus();
      stopRefused();
      line.ask({ do: "leave" }).catch(() => {});
    };
  }, [id, key]);
  return { state, status, trouble, ask: (wish) => connection().ask(wish) };
}

/** From the start to a node. */
export function pathTo(state: TableState, node: number): number[] {
  const path: number[] = [];
  for (let at: number | null | undefined = node; at !== null && at !== undefined; at = state.nodes.get(at)?.parent) path.push(at);
  return path.reverse();
}

/** The whole line through a node: back to the start, and on along the main line, or along what was looked at before. */
export function lineThrough(state: TableState, node: number, preferred?: Map<number, number>): number[] {
  const line = pathTo(state, node);
  for (let at = node; ; ) {
    const children = state.children.get(at) ?? [];
    const kept = preferred?.get(at);
    const next = kept !== undefined && children.includes(kept) ? kept : children[0];
    if (next === undefined) return line;
    line.push(next);
    at = next;
  }
}
