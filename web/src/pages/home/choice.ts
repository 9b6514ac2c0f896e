// How one wants to play a family of games: remembered, and turned into a request for a new table.
import { openTable } from "../../protocol/api";
import type { ClockRule, GameInfo, Mode, NewTable, Source, Wanted } from "../../protocol/messages";
import { go } from "../../ui/router";
import { settings } from "../../ui/settings";
import { remember, remembered } from "../../ui/store";
import { sitDown } from "../recent";

export interface Choice {
  game: string;
  mode: Mode;
  level: string;
  otherLevel: string;
  side: Wanted;
  rules: string;
  komi: number | null;
  handicap: number;
  clock: "none" | ClockRule["kind"];
  minutes: number;
  increment: number;
  periods: number;
  periodSeconds: number;
  names: [string, string];
}

/** The usual way to begin: against a middling machine, no clock. */
export function usualChoice(game: GameInfo): Choice {
  const middle = game.levels[Math.floor((game.levels.length - 1) / 3)]?.id ?? "";
  return { game: game.id, mode: "ai", level: middle, otherLevel: middle, side: "first", rules: "", komi: null, handicap: 0, clock: "none", minutes: 10, increment: 5, periods: 5, periodSeconds: 30, names: ["", ""] };
}

/** What was chosen last for this family, as far as the server still offers it. */
export function lastChoice(family: GameInfo[]): Choice {
  const usual = family.find((game) => game.id === USUAL[game.family]) ?? (family[0] as GameInfo);
  const kept = remembered<Partial<Choice>>(`choice.${usual.family}`, {});
  const game = family.find(({ id }) => id === kept.game) ?? usual;
  const choice = { ...usualChoice(game), ...kept, game: game.id };
  const known = (level: string) => game.levels.some(({ id }) => id === level);
  if (!known(choice.level)) choice.level = usualChoice(game).level;
  if (!known(choice.otherLevel)) choice.otherLevel = choice.level;
  return choice;
}

const USUAL: Record<string, string> = { go: "go9", chess: "chess", yokai: "yokai34", othello: "othello" };

export const rememberChoice = (game: GameInfo, choice: Choice): void => remember(`choice.${game.family}`, choice);

function clockRule(choice: Choice): ClockRule | undefined {
  const mainMs = Math.round(choice.minutes * 60_000);
  switch (choice.clock) {
    case "absolute": return { kind: "absolute", mainMs };
    case "fischer": return { kind: "fischer", mainMs, incrementMs: Math.round(choice.increment * 1000) };
    case "byoyomi": return { kind: "byoyomi", mainMs, periods: choice.periods, periodMs: Math.round(choice.periodSeconds * 1000) };
    case "none": return undefined;
  }
}

/** Opens the table and goes there. */
export async function begin(game: GameInfo, choice: Choice, extra: { position?: string; from?: Source } = {}): Promise<void> {
  rememberChoice(game, choice);
  const wanted: NewTable = { game: game.id, mode: choice.mode, side: choice.side };
  if (extra.position) wanted.setup = { position: extra.position };
  else if (!extra.from && game.options.rules.length > 0) {
    wanted.setup = {
      ...(choice.rules && game.options.rules.includes(choice.rules) ? { rules: choice.rules } : {}),
      ...(choice.komi !== null && game.options.komi.length > 0 ? { komi: choice.komi } : {}),
      ...(choice.handicap > 1 && game.options.handicap > 0 ? { handicap: Math.min(choice.handicap, game.options.handicap) } : {}),
    };
  }
  if (!extra.position && !extra.from && game.options.shuffled) wanted.setup = { ...wanted.setup, seed: Math.floor(Math.random() * 960) };
  if (extra.from) wanted.from = extra.from;
  if (choice.mode === "ai") wanted.levels = [choice.level];
  if (choice.mode === "watch") wanted.levels = [choice.level, choice.otherLevel];
  const clock = choice.mode === "sandbox" ? undefined : clockRule(choice);
  if (clock) wanted.clock = clock;
  const names = choice.mode === "here" ? choice.names : [settings.value.name];
  if (names.some(Boolean)) wanted.names = names;
  const opened = await openTable(wanted);
  sitDown({ id: opened.id, key: opened.key, otherKey: opened.otherKey ?? undefined, game: game.id, mode: choice.mode, at: Date.now() });
  go(`/t/${opened.id}`);
}
