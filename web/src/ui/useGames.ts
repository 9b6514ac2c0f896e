// The list of games from the server, shared by all pages.
import { useEffect, useState } from "preact/hooks";
import { games } from "../protocol/api";
import type { GameInfo } from "../protocol/messages";
import { troubleText } from "./toast";

export function useGames(): { games: GameInfo[] | null; trouble: string | null; retry(): void } {
  const [list, setList] = useState<GameInfo[] | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const load = () => { setTrouble(null); games().then(setList, (error: unknown) => setTrouble(troubleText(error))); };
  useEffect(load, []);
  return { games: list, trouble, retry: load };
}

export const gameOf = (list: GameInfo[] | null, id: string): GameInfo | undefined =>
  list?.find((game) => game.id === id) ?? (/^go\d+$/.test(id) ? list?.find((game) => game.family === "go") : undefined);
