// Where everything stands, in units of a hundredth of a cell: one function from a description to places.
// Input and drawing both read this, so a click lands exactly where a piece is drawn.
import type { BoardKind, Drawn } from "./types";

export const CELL = 100;

/** One place to draw on and to click; `x`, `y` is its centre. */
export interface Place { name: string; index: number; x: number; y: number; w: number; h: number; row: number; column: number }

export interface Layout {
  kind: BoardKind;
  columns: number;
  rows: number;
  /** Space around the cells, where coordinates stand. */
  margin: number;
  width: number;
  height: number;
  places: Place[];
  byName: Map<string, Place>;
  flipped: boolean;
}

/** The frame and the bar of a backgammon board. */
export const TRACK = { frame: 44, bar: 110, tray: 124, height: 1120, checker: 90 };

export function layoutOf(drawn: Drawn, flipped: boolean, coordinates: boolean): Layout {
  const { board: kind, width: columns, height: rows } = drawn;
  if (kind === "track") return trackLayout(drawn, flipped);
  const margin = marginOf(kind, columns, coordinates);
  const places = drawn.cells.map((cell, index): Place => {
    const column = index % columns;
    const row = Math.floor(index / columns);
    // Discs fall down for both players: columns turn sideways only, and even that would confuse, so they never turn.
    const turn = flipped && kind !== "columns";
    const x = margin + ((turn ? columns - 1 - column : column) + 0.5) * CELL;
    const y = margin + ((turn ? rows - 1 - row : row) + 0.5) * CELL;
    return { name: cell.name, index, x, y, w: CELL, h: CELL, row, column };
  });
  return finish(kind, columns, rows, margin, columns * CELL + 2 * margin, rows * CELL + 2 * margin, places, flipped);
}

function marginOf(kind: BoardKind, columns: number, coordinates: boolean): number {
  switch (kind) {
    case "chequered": return 0;
    case "points": return coordinates ? Math.round(Math.min(52, 18 + 2.6 * columns)) : Math.min(22, 6 + columns);
    case "columns": return 26;
    case "squares": return coordinates ? Math.round(Math.min(46, 20 + 4 * columns)) : 16;
    default: return 0;
  }
}

/** Twelve points a row, the bar in the middle, trays for what is borne off on the right. */
function trackLayout(drawn: Drawn, flipped: boolean): Layout {
  const { frame, bar, tray, height } = TRACK;
  const width = frame * 2 + 12 * CELL + bar + tray;
  const middle = height / 2;
  const half = middle - frame;
  const places = drawn.cells.map((cell, index): Place => {
    const place = (x: number, top: boolean, w: number): Place => {
      const up = top !== flipped;
      return { name: cell.name, index, x, y: up ? frame + half / 2 : middle + half / 2, w, h: half, row: up ? 0 : 1, column: index % 12 };
    };
    if (index < 24) {
      const column = index % 12;
      return place(frame + (column + 0.5) * CELL + (column >= 6 ? bar : 0), index < 12, CELL);
    }
    const first = cell.name.endsWith("first");
    const x = cell.name.startsWith("bar") ? frame + 6 * CELL + bar / 2 : width - frame - tray / 2;
    return place(x, !first, cell.name.startsWith("bar") ? bar : tray);
  });
  return finish("track", 12, 2, frame, width, height, places, flipped);
}

function finish(kind: BoardKind, columns: number, rows: number, margin: number, width: number, height: number, places: Place[], flipped: boolean): Layout {
  return { kind, columns, rows, margin, width, height, places, byName: new Map(places.map((place) => [place.name, place])), flipped };
}

/** The place under a point, in the board's own units. */
export function placeAt(layout: Layout, x: number, y: number): Place | null {
  return layout.places.find((place) => Math.abs(x - place.x) <= place.w / 2 && Math.abs(y - place.y) <= place.h / 2) ?? null;
}

/** The neighbour in a direction as the viewer sees it: for the keyboard cursor. */
export function neighbour(layout: Layout, from: Place, dx: number, dy: number): Place {
  let best = from;
  let distance = Infinity;
  for (const place of layout.places) {
    const along = (place.x - from.x) * dx + (place.y - from.y) * dy;
    const across = Math.abs((place.x - from.x) * dy) + Math.abs((place.y - from.y) * dx);
    if (along < 1 || across > CELL * 0.7) continue;
    if (along + across < distance) [best, distance] = [place, along + across];
  }
  return best;
}

/** Width over height of a board, for pages that make it as large as fits. */
export function aspectOf(drawn: Drawn, coordinates: boolean): number {
  if (drawn.board === "track") return (TRACK.frame * 2 + 12 * CELL + TRACK.bar + TRACK.tray) / TRACK.height;
  if (drawn.width === 0 || drawn.height === 0) return 1;
  const margin = 2 * marginOf(drawn.board, drawn.width, coordinates);
  return (drawn.width * CELL + margin) / (drawn.height * CELL + margin);
}
