// The list of games from the server, shared by all pages.
import { say } from "../i18n";
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

/** What tells a game from its kin: "9×9", "Atomic chess"; nothing if it has none. */
export const variantOf = (game: GameInfo): string => (!game.variant ? "" : /^\d+x\d+$/.test(game.variant) ? game.variant.replace("x", "×") : say(game.title));

/** A game's whole name: "Go 9×9", "Chess". */
export function titleOf(game: GameInfo): string {
  const [title, variant] = [say(game.title), variantOf(game)];
  return variant && variant !== title ? `${title} ${variant}` : title;
}

/** A game of the list; Go of an unlisted size is like its listed kin. */
export function gameOf(list: GameInfo[] | null, id: string): GameInfo | undefined {
  const known = list?.find((game) => game.id === id);
  const size = /^go(\d+)$/.exec(id)?.[1];
  const kin = known ?? (size ? list?.find((game) => game.family === "go") : undefined);
  if (known || !kin || !size) return kin;
  return { ...kin, id, variant: `${size}x${size}` };
}
