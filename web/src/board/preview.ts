// Small pictures of what a click would do, for the eye only: the server has the last word on every move.
import type { Step } from "./input";
import type { Cell, Choice, Drawn, Piece, Side } from "./types";
import { other } from "./types";

/** What the side puts down on a board where one puts things down. */
export function dropPiece(drawn: Drawn, side: Side): Piece | null {
  const own = drawn.cells.find((cell) => cell.piece?.side === side)?.piece;
  if (own && ["stone", "disc", "cross", "ring"].includes(own.shape)) return own;
  if (own && drawn.board !== "points") return null;
  if (drawn.board === "points") return { side, shape: "stone", letters: "" };
  if (drawn.board === "columns") return { side, shape: "disc", letters: "" };
  if (drawn.width === 3 && drawn.height === 3) return { side, shape: side === "first" ? "cross" : "ring", letters: "" };
  return null;
}

/** On a board with columns any click in a column means the move that falls into it. */
export function columnName(drawn: Drawn, choices: Choice[], clicked: string): string {
  const column = drawn.cells.findIndex((cell) => cell.name === clicked) % drawn.width;
  const fits = (choice: Choice) => drawn.cells.findIndex((cell) => cell.name === choice.touched[0]) % drawn.width === column;
  return choices.find(fits)?.touched[0] ?? clicked;
}

/** The track with some steps of a move already made. */
export function afterSteps(drawn: Drawn, steps: Step[], side: Side): Drawn {
  if (steps.length === 0) return drawn;
  const cells: Cell[] = drawn.cells.map((cell) => ({ ...cell }));
  const at = (name: string) => cells.find((cell) => cell.name === name);
  const piece = cells.find((cell) => cell.piece?.side === side)?.piece ?? null;
  const put = (cell: Cell, what: Piece | null, by: number) => {
    cell.count += by;
    cell.piece = cell.count > 0 ? what : null;
  };
  for (const [from, to] of steps) {
    const [start, end] = [at(from), at(to)];
    if (!start || !end) continue;
    put(start, start.piece, -1);
    if (end.piece && end.piece.side !== side) {
      const bar = at(`bar-${other(side)}`);
      if (bar) put(bar, end.piece, 1);
      put(end, null, -end.count);
    }
    put(end, piece, 1);
  }
  return { ...drawn, cells };
}

/** Which dice the steps made so far have used. */
export function usedDice(dice: number[], steps: Step[], side: Side): boolean[] {
  const used = dice.map(() => false);
  const point = (name: string) => (name.startsWith("bar") ? (side === "first" ? 25 : 0) : name.startsWith("off") ? (side === "first" ? 0 : 25) : Number(name));
  for (const [from, to] of steps) {
    let way = Math.abs(point(from) - point(to));
    const exact = dice.findIndex((die, index) => !used[index] && die === way);
    if (exact >= 0) used[exact] = true;
    else dice.forEach((die, index) => { if (!used[index] && way > 0) { used[index] = true; way -= die; } });
  }
  return used;
}
