// A position in words: what a screen reader says about a cell, and the whole board as a table of text.
import { words } from "../i18n";
import type { Drawn, Side } from "./types";

export function sideName(side: Side, names: readonly string[]): string {
  const name = names[side === "first" ? 0 : 1] ?? side;
  return words().sides[name] ?? name;
}

export function describePiece(drawn: Drawn, index: number): string {
  const cell = drawn.cells[index];
  const t = words();
  if (!cell?.piece) return t.board.empty;
  const shape = t.shapes[cell.piece.shape] ?? cell.piece.shape;
  const side = t.board.ofSide[cell.piece.side];
  return cell.count > 1 ? `${cell.count} × ${shape} ${side}` : `${shape} ${side}`;
}

/** "e4: pawn of the first side; can be moved". */
export function describeCell(drawn: Drawn, index: number, goal: boolean, start: boolean): string {
  const t = words();
  const parts = [`${drawn.cells[index]?.name}: ${describePiece(drawn, index)}`];
  if (start) parts.push(t.board.movable);
  else if (goal) parts.push(t.board.playable);
  return parts.join("; ");
}
