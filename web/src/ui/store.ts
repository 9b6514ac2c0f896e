// A value that components can watch: the smallest thing that lets a page be drawn again when something changes.
import { useEffect, useState } from "preact/hooks";

export class Store<T> {
  #value: T;
  #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    if (value === this.#value) return;
    this.#value = value;
    this.#listeners.forEach((listener) => listener());
  }

  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** The value of a store; the component is drawn again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [, draw] = useState({});
  useEffect(() => store.watch(() => draw({})), [store]);
  return store.value;
}

/** Reads what was remembered in this browser; anything unreadable counts as nothing. */
export function remembered<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`tengen.${name}`);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function remember(name: string, value: unknown): void {
  try {
    localStorage.setItem(`tengen.${name}`, JSON.stringify(value));
  } catch {
    // A full or forbidden storage only means that nothing is remembered.
  }
}
