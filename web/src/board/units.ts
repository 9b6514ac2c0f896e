// Every single piece on the board with its place, and what changed since the position before: which slid, came, left or turned.
// Pieces that stay keep their key, so that only what really moved is animated.
import { type Layout, type Place, TRACK } from "./layout";
import type { Drawn, Piece } from "./types";

/** One piece to draw; on a track a cell holds several, told apart by their level in the stack. */
export interface Unit { key: string; cell: string; level: number; piece: Piece; x: number; y: number; of: number }

/** How a piece came to where it is. */
export type Motion = { way: "slide"; dx: number; dy: number } | { way: "appear" } | { way: "turn" } | { way: "fall"; dy: number };

export interface Change { motions: Map<string, Motion>; left: Unit[] }

export const STILL: Change = { motions: new Map(), left: [] };

/** How many checkers of a stack are drawn before a number says the rest. */
export const STACK = 5;

export function unitsOf(drawn: Drawn, layout: Layout): Unit[] {
  const units: Unit[] = [];
  drawn.cells.forEach((cell, index) => {
    const place = layout.places[index];
    const piece = cell.piece;
    if (!piece || !place) return;
    const count = layout.kind === "track" ? cell.count : 1;
    for (let level = 0; level < count; level++) {
      const { x, y } = layout.kind === "track" ? stacked(layout, place, level, count) : place;
      units.push({ key: `${cell.name}:${level}:${piece.side}:${piece.shape}`, cell: cell.name, level, piece, x, y, of: count });
    }
  });
  return units;
}

/** Checkers lie from the edge of the board inwards; on the bar from the middle outwards; borne off, on edge. */
function stacked(layout: Layout, place: Place, level: number, count: number): { x: number; y: number } {
  const { frame, height, checker } = TRACK;
  const top = place.row === 0;
  if (place.name.startsWith("off")) {
    const step = Math.min(30, (place.h - 60) / Math.max(1, count));
    return { x: place.x + 7, y: top ? frame + 24 + level * step : height - frame - 24 - level * step };
  }
  const gap = count > STACK ? (checker * (STACK - 1)) / (count - 1) : checker;
  if (place.name.startsWith("bar")) {
    const middle = layout.height / 2;
    return { x: place.x, y: top ? middle - 90 - level * Math.min(gap, 70) : middle + 90 + level * Math.min(gap, 70) };
  }
  const edge = checker / 2 + 3;
  return { x: place.x, y: top ? frame + edge + level * gap : height - frame - edge - level * gap };
}

/** Finds out what moved between two positions on the same board. */
export function changeBetween(before: Unit[], after: Unit[], layout: Layout): Change {
  const old = new Map(before.map((unit) => [unit.key, unit]));
  const now = new Map(after.map((unit) => [unit.key, unit]));
  const left = before.filter((unit) => !now.has(unit.key));
  const came = after.filter((unit) => !old.has(unit.key));
  // Another game, or a jump through the record: nothing is followed.
  if (came.length + left.length > 60) return STILL;
  const motions = new Map<string, Motion>();
  const gone = new Set(left);
  const take = (fits: (unit: Unit) => boolean, near: Unit): Unit | undefined => {
    const fitting = [...gone].filter(fits).sort((a, b) => distance(a, near) - distance(b, near));
    const found = fitting[0];
    if (found) gone.delete(found);
    return found;
  };
  for (const unit of came) {
    const turned = take((old) => old.cell === unit.cell && old.piece.side !== unit.piece.side && old.piece.shape === unit.piece.shape && unit.piece.shape === "disc", unit);
    if (turned) {
      motions.set(unit.key, { way: "turn" });
      continue;
    }
    if (unit.piece.shape === "stone" || unit.piece.shape === "disc" || unit.piece.shape === "cross" || unit.piece.shape === "ring") {
      motions.set(unit.key, layout.kind === "columns" ? { way: "fall", dy: -unit.y } : { way: "appear" });
      continue;
    }
    const from =
      take((old) => old.piece.side === unit.piece.side && old.piece.shape === unit.piece.shape && old.cell !== unit.cell, unit) ??
      // A piece that promoted is still the one that came from there.
      (came.length <= 2 ? take((old) => old.piece.side === unit.piece.side && old.cell !== unit.cell, unit) : undefined);
    motions.set(unit.key, from ? { way: "slide", dx: from.x - unit.x, dy: from.y - unit.y } : { way: "appear" });
  }
  return { motions, left: [...gone] };
}

const distance = (a: Unit, b: Unit) => Math.hypot(a.x - b.x, a.y - b.y);
