// The tables this browser has sat down at, with the keys to their seats: so that a reload, or tomorrow, finds them again.
import { remember, remembered, Store } from "../ui/store";
import type { Mode } from "../protocol/messages";

export interface Recent { id: string; key: string; otherKey?: string | undefined; game: string; mode: Mode; at: number; over?: boolean }

const MOST = 40;

export const recents = new Store<Recent[]>(remembered<Recent[]>("tables", []));

function keep(list: Recent[]): void {
  recents.set(list.slice(0, MOST));
  remember("tables", recents.value);
}

export const recentTable = (id: string): Recent | undefined => recents.value.find((table) => table.id === id);

export function sitDown(table: Recent): void {
  keep([table, ...recents.value.filter(({ id }) => id !== table.id)]);
}

export function noteTable(id: string, change: Partial<Recent>): void {
  const known = recentTable(id);
  if (known && Object.entries(change).some(([key, value]) => known[key as keyof Recent] !== value)) keep(recents.value.map((table) => (table.id === id ? { ...table, ...change } : table)));
}

export const forgetTable = (id: string): void => keep(recents.value.filter((table) => table.id !== id));
