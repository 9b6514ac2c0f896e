// The game in sentences: whose move it is, how it ended, what a move cost.
import { say, words } from "../../i18n";
import type { Ahead, Fall, GameInfo, GameResult, Judged, Live, Side } from "../../protocol/messages";
import { percent, signed } from "../../ui/figures";

export const sideNames = (game: GameInfo | undefined, live?: Live): [string, string] =>
  game ? [say(game.sides[0]), say(game.sides[1])] : live ? [live.view.sides[0], live.view.sides[1]] : ["", ""];

const at = (side: Side) => (side === "first" ? 0 : 1);

/** "White wins by 3.5 points." */
export function resultSentence(result: GameResult, sides: [string, string], board: string): string {
  const t = words();
  const { winner, by, points } = result;
  const name = winner === "draw" ? null : sides[at(winner)];
  const loser = winner === "draw" ? "" : sides[1 - at(winner)] ?? "";
  const head = name === null ? t.result.draw : t.result.wins(name);
  if (by === "score" && points !== null && winner !== "draw") return `${head} ${(board === "points" ? t.result.points : t.result.discs)(String(points))}`;
  const reason = t.result.by[by]?.(loser) ?? "";
  const joins = winner !== "draw" && ["score", "checkmate", "line", "rules"].includes(by);
  return `${head}${joins ? " " : t.result.colon}${reason}`;
}

/** "Black lost eight stones in the lower left at move 41." */
export function fallSentence(fall: Fall, sides: [string, string]): string {
  const t = words().result;
  return t.fall(sides[at(fall.side)] ?? "", fall.stones, t.areas[fall.area], fall.taken);
}

/** "+3.5 points", "#5". */
export function leadText(lead: Ahead | null | undefined, side: Side): string | null {
  if (!lead) return null;
  const sign = side === "first" ? 1 : -1;
  if (lead.endIn !== null) return `${lead.endIn * sign > 0 ? "" : "−"}#${Math.abs(lead.endIn)}`;
  return lead.points === null ? null : signed(lead.points * sign);
}

export function judgedSentence(judged: Judged): string {
  const t = words();
  const kind = t.tree.quality[judged.kind] ?? judged.kind;
  const parts = [kind.charAt(0).toUpperCase() + kind.slice(1)];
  if (judged.loss > 0.01 && judged.kind !== "best") parts[0] += `: ${t.tree.cost(percent(judged.loss / 2))}`;
  parts[0] += ".";
  if (judged.better.length > 0 && judged.kind !== "best") parts.push(t.tree.better(judged.better.slice(0, 4).map((move) => move.label).join(" ")));
  return parts.join(" ");
}

export const glyph = (judged: Judged | null): string => {
  switch (judged?.kind) {
    case "inaccuracy": return "?!";
    case "mistake": return "?";
    case "blunder": return "??";
    default: return "";
  }
};
