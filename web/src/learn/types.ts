// What a lesson is: one idea, a position, a task. Lessons are data; the server judges every move.
import type { Setup, Side } from "../protocol/messages";

export interface Both { en: string; fr: string }

/** Moves by their texts; `*` stands for anything: `C@*` is every drop of a Kodama, `*` every legal move. */
export type Accepted = string[];

/** One move of the learner, and what the other side answers: the first of these that is legal. */
export interface Step { accept: Accepted; reply?: string[] }

export type Goal =
  /** These moves, one after another. */
  | { kind: "moves"; steps: Step[] }
  /** The game is over and this side has won (or it is a draw), by any move. The other side answers as written, move by move. */
  | { kind: "outcome"; winner: Side | "draw"; replies?: string[][] }
  /** So many pieces of the other side are taken within so many moves; meanwhile it answers with the first of these that is legal. */
  | { kind: "capture"; count: number; within: number; reply: string[] }
  /** A real game against a level of the machine, the weakest if none is named. */
  | { kind: "win"; level?: string };

export interface Lesson {
  id: string;
  /** The game's id; lessons of a family may use several boards. */
  game: string;
  title: Both;
  /** The idea in a few sentences; an empty line begins a paragraph. */
  text: Both;
  task: Both;
  setup?: Setup;
  moves?: string[];
  goal: Goal;
  /** Cells to point at. */
  marks?: string[];
  /** What to add when the task is done. */
  after?: Both;
  /** A move to show to those who ask. */
  show?: string;
}

/** Whether a move is among the accepted ones. */
export function accepts(accepted: Accepted, move: string): boolean {
  return accepted.some((pattern) => {
    const star = pattern.indexOf("*");
    return star < 0 ? pattern === move : move.startsWith(pattern.slice(0, star)) && move.endsWith(pattern.slice(star + 1));
  });
}

/** A Go position from drawn rows (X Black, O White, . empty), for boards that fit into a lesson. */
export function goRows(rows: string[], options: { side?: "b" | "w"; ko?: string; taken?: [number, number]; komi?: number } = {}): string {
  const board = rows.map((row) => row.replace(/\.+/g, (run) => String(run.length))).join("/");
  const [black, white] = options.taken ?? [0, 0];
  return `${board} ${options.side ?? "b"} ${options.ko ?? "-"} 0 ${black} ${white} ${options.komi ?? 0.5} chinese 0`;
}
