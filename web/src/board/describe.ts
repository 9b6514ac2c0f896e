// A position in words: what a screen reader says about a cell, and the cells of the board as text.
import { words } from "../i18n";
import type { Drawn } from "./types";
import { indexOf } from "./types";

/** "pawn, White"; "empty". */
export function describePiece(drawn: Drawn, index: number, sides: readonly [string, string]): string {
  const cell = drawn.cells[index];
  const t = words();
  if (!cell?.piece) return t.board.empty;
  const shape = t.shapes[cell.piece.shape] ?? cell.piece.shape;
  const side = sides[indexOf(cell.piece.side)];
  return cell.count > 1 ? `${cell.count} × ${shape}, ${side}` : `${shape}, ${side}`;
}

/** "e4: pawn, White; can be moved". */
export function describeCell(drawn: Drawn, index: number, sides: readonly [string, string], goal: boolean, start: boolean): string {
  const t = words();
  const parts = [`${drawn.cells[index]?.name}: ${describePiece(drawn, index, sides)}`];
  if (start) parts.push(t.board.movable);
  else if (goal) parts.push(t.board.playable);
  return parts.join("; ");
}
