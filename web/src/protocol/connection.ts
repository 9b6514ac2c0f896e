// The one WebSocket of a page: numbered requests, answers as promises, and a connection that comes back by itself.
// After a loss it joins the same table again with the same key, so that board, clocks and chat are all restored.
import type { Event, Request } from "./messages";

/** A request without its number, which the connection gives. */
export type Wish = Request extends infer R ? (R extends { re: number } ? Omit<R, "re"> : never) : never;

export type ConnectionStatus = "connecting" | "open" | "lost";

/** A request that the server refused, with the reason's code. */
export class Refusal extends Error {
  constructor(readonly code: string, text: string) {
    super(text);
  }
}

interface Waiting { resolve(event: Event): void; reject(error: Refusal): void }

export class Connection {
  status: ConnectionStatus = "connecting";
  #socket: WebSocket | null = null;
  #next = 1;
  #waiting = new Map<number, Waiting>();
  #listeners = new Set<(event: Event) => void>();
  #statusListeners = new Set<(status: ConnectionStatus) => void>();
  #joinRefused = new Set<(refusal: Refusal) => void>();
  /** Requests made before the socket was open. */
  #queue: string[] = [];
  #join: Extract<Wish, { do: "join" }> | null = null;
  #watch: string | null = null;
  #wait = 300;
  #closed = false;

  constructor() {
    this.#open();
    // A phone that wakes up should not wait for the next attempt.
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#hurry());
  }

  /** Sends a wish; the promise is kept when the server has carried it out. */
  ask(wish: Wish): Promise<Event> {
    if (wish.do === "join") this.#join = wish;
    if (wish.do === "leave") this.#join = null;
    if (wish.do === "watch") this.#watch = wish.run;
    const re = this.#next++;
    const request = { re, ...wish } as Request;
    return new Promise((resolve, reject) => {
      this.#waiting.set(re, { resolve, reject });
      const text = JSON.stringify(request);
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
      else if (wish.do === "join" || wish.do === "leave" || wish.do === "watch") {
        // These are not queued: the table and the run that are wanted last are asked for when the socket opens.
        this.#waiting.delete(re);
        resolve({ type: "done", re });
      } else if (this.status === "lost") {
        this.#waiting.delete(re);
        reject(new Refusal("offline", "no connection"));
      } else this.#queue.push(text);
    });
  }

  listen(listener: (event: Event) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onStatus(listener: (status: ConnectionStatus) => void): () => void {
    this.#statusListeners.add(listener);
    return () => this.#statusListeners.delete(listener);
  }

  /** Hears when the table that was asked for before the socket was open cannot be joined. */
  onJoinRefused(listener: (refusal: Refusal) => void): () => void {
    this.#joinRefused.add(listener);
    return () => this.#joinRefused.delete(listener);
  }

  #open() {
    if (this.#closed) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/socket`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#wait = 300;
      this.#set("open");
      // What the page was doing comes first: its table, its run, then what was asked meanwhile.
      if (this.#join) this.ask(this.#join).catch((error: unknown) => { if (error instanceof Refusal) this.#joinRefused.forEach((tell) => tell(error)); });
      if (this.#watch) this.ask({ do: "watch", run: this.#watch }).catch(() => {});
      this.#queue.splice(0).forEach((text) => socket.send(text));
    };
    socket.onmessage = (message) => {
      if (socket === this.#socket && typeof message.data === "string") this.#hear(JSON.parse(message.data) as Event);
    };
    socket.onclose = () => {
      if (socket !== this.#socket) return;
      this.#socket = null;
      this.#set("lost");
      this.#waiting.forEach(({ reject }) => reject(new Refusal("offline", "no connection")));
      this.#waiting.clear();
      setTimeout(() => { if (this.#socket === null) this.#open(); }, this.#wait);
      this.#wait = Math.min(5000, this.#wait * 1.7);
    };
  }

  #hurry() {
    if (this.status === "lost" && this.#socket === null) this.#open();
  }

  #hear(event: Event) {
    // Listeners first: what a request brought about is drawn before its promise is kept.
    this.#listeners.forEach((listener) => listener(event));
    if (event.type === "done" || event.type === "looked" || event.type === "hint") {
      this.#waiting.get(event.re)?.resolve(event);
      this.#waiting.delete(event.re);
    } else if (event.type === "refused") {
      this.#waiting.get(event.re)?.reject(new Refusal(event.code, event.text));
      this.#waiting.delete(event.re);
    }
  }

  #set(status: ConnectionStatus) {
    this.status = status;
    this.#statusListeners.forEach((listener) => listener(status));
  }
}

let shared: Connection | null = null;

/** The page's connection, opened when something first needs it. */
export const connection = (): Connection => (shared ??= new Connection());
