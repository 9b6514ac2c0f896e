// What the board component is fed with: the server's neutral description of a position, named for this folder.
// These are the shapes of `Drawn` and its parts; a board knows no rules, only places, pieces and what may be chosen.

export type Side = "first" | "second";
export type BoardKind = "chequered" | "squares" | "points" | "columns" | "track" | "bare";

export interface Piece { side: Side; shape: string; letters: string }
export interface Cell { name: string; piece: Piece | null; count: number }
export interface Fact { side: Side | null; name: string; value: string }
export type Hand = [Piece, number][];

export interface Drawn {
  board: BoardKind;
  width: number;
  height: number;
  cells: Cell[];
  hands: [Hand, Hand];
  dice: number[];
  facts: Fact[];
}

/** A move that may be chosen: its text, what people call it, and the cells it touches, the last being where it ends. */
export interface Choice { move: string; label: string; touched: string[] }

/** A mark on a cell: shapes, so that nothing is said by colour alone. */
export interface Mark { cell: string; kind: "circle" | "square" | "triangle" | "cross" | "dead" | "good" | "bad" | "label"; text?: string }

/** A candidate move of an analysis, ready to be drawn as a disc. */
export interface Candidate {
  move: string;
  label: string;
  touched: string[];
  /** Chance of winning for the side to move, 0 to 1. */
  chance: number;
  /** Points or pawns for the side to move, where the game has them. */
  score?: string;
  visits: number;
  /** Share of the most visited move's visits: faint when small. */
  weight: number;
  best: boolean;
  /** Exact value where the game is solved: "W5", "D", "L8". */
  exact?: string;
}

/** What lies over the board. Numbers are aligned with `Drawn.cells`; positive is the first side's. */
export interface Overlay {
  candidates?: Candidate[];
  ownership?: number[];
  influence?: number[];
  /** A line to show as numbered ghost pieces: the cells each move touches, and whose move it is. */
  variation?: { touched: string[]; side: Side }[];
}

export const other = (side: Side): Side => (side === "first" ? "second" : "first");
export const indexOf = (side: Side): 0 | 1 => (side === "first" ? 0 : 1);
