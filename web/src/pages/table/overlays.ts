// What lies over the board of a table: the count at the end of a game, analysis, a hint, marks, mistakes.
import { useMemo } from "preact/hooks";
import type { Mark, Overlay } from "../../board/types";
import { other } from "../../board/types";
import type { Analysis, Candidate, Live, Move, Node, View } from "../../protocol/messages";
import { chanceFor, discs, type Layers } from "./AnalysisPanel";

export const WRONG = ["inaccuracy", "mistake", "blunder"];

export function useOverlay(live: Live, view: View, analysis: Analysis | undefined, layers: Layers, pv: Move[] | null, hint: Candidate | null, atGame: boolean): Overlay | undefined {
  return useMemo((): Overlay | undefined => {
    if (live.counting && atGame && (live.status === "counting" || live.status === "over")) return { ownership: live.counting.owners.map((side) => (side === null ? 0 : side === "first" ? 1 : -1)) };
    const variation = pv?.map((move, index) => ({ touched: move.touched, side: index % 2 === 0 ? view.toMove : other(view.toMove) }));
    if (analysis) {
      return {
        // Faint discs and territory would hide each other.
        ...(layers.candidates ? { candidates: discs(analysis, view).filter((disc) => (!layers.ownership && !layers.influence) || disc.best || disc.weight >= 0.1) } : {}),
        ...(layers.ownership && analysis.ownership.length > 0 ? { ownership: analysis.ownership } : {}),
        ...(layers.influence && analysis.influence.length > 0 ? { influence: analysis.influence } : {}),
        ...(variation ? { variation } : {}),
      };
    }
    if (!hint) return undefined;
    const { move, visits, value } = hint;
    return { candidates: [{ move: move.move, label: move.label, touched: move.touched, chance: chanceFor(value, view.toMove), visits, weight: 1, best: true }] };
  }, [analysis, layers, pv, hint, atGame, live.counting, live.status, view]);
}

/** The marks somebody made, dead stones, and where a mistake was and what was better. */
export function useMarks(live: Live, node: Node | undefined, atGame: boolean, analysing: boolean): Mark[] {
  return useMemo((): Mark[] => {
    const list: Mark[] = (node?.marks ?? []).map(({ cell, shape }) => (["circle", "square", "triangle", "cross"].includes(shape) ? { cell, kind: shape as "circle" } : { cell, kind: "label", text: shape }));
    const judged = node?.judged;
    if (judged && WRONG.includes(judged.kind) && !analysing) {
      const end = node.played?.touched.at(-1);
      const better = judged.better[0]?.touched.at(-1);
      if (end) list.push({ cell: end, kind: "bad", text: judged.kind === "inaccuracy" ? "?!" : judged.kind === "mistake" ? "?" : "??" });
      if (better && better !== end) list.push({ cell: better, kind: "good", text: "!" });
    }
    if (live.counting && atGame) live.counting.dead.forEach((cell) => list.push({ cell, kind: "dead" }));
    return list;
  }, [node, live.counting, atGame, analysing]);
}
