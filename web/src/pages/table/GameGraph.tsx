// The course of the game as a curve: chance of winning or lead, with mistakes as marks that can be clicked.
import { useMemo } from "preact/hooks";
import { words } from "../../i18n";
import { chanceOf, percent, signed } from "../../ui/figures";
import { Graph, type Spot } from "../../ui/Graph";
import type { TableState } from "./client";
import { judgedSentence } from "./sentences";

interface Props { state: TableState; line: number[]; step: number; name: string; numbers: "chance" | "score"; onNumbers(numbers: "chance" | "score"): void; onGo(node: number): void; onMistake(): void }

export function GameGraph({ state, line, step, name, numbers, onNumbers, onGo, onMistake }: Props) {
  const t = words();
  const { nodes, analyses } = state;
  const { chances, leads, spots } = useMemo(() => {
    const found: { chances: [number, number][]; leads: [number, number][]; spots: Spot[] } = { chances: [], leads: [], spots: [] };
    line.forEach((id, ply) => {
      const node = nodes.get(id);
      const judged = node?.judged;
      const known = analyses.get(id);
      const value = judged?.value ?? known?.value;
      const lead = judged?.lead?.points ?? known?.lead?.points;
      if (value !== undefined) found.chances.push([ply, chanceOf(value)]);
      if (lead !== undefined && lead !== null) found.leads.push([ply, lead]);
      if (judged && (judged.kind === "inaccuracy" || judged.kind === "mistake" || judged.kind === "blunder")) found.spots.push({ x: ply, y: chanceOf(judged.value), kind: judged.kind, title: `${node?.played?.label}: ${judgedSentence(judged)}` });
    });
    return found;
  }, [line, nodes, analyses]);
  if (chances.length < 2) return null;
  const pick = (ply: number) => { const id = line[ply]; if (id !== undefined) onGo(id); };
  return (
    <section class="panel graph-panel" aria-label={t.table.graph}>
      {numbers === "score" && leads.length > 1
        ? <Graph label={t.analysis.graphLead(name)} curves={[{ name, points: leads }]} zero={0} area height={92} at={step} format={(y) => signed(y)} onPick={pick} />
        : <Graph label={t.analysis.graphChance(name)} curves={[{ name, points: chances }]} low={0} high={1} zero={0.5} area height={92} spots={spots} at={step} format={percent} onPick={pick} />}
      {(spots.length > 0 || leads.length > 1) && (
        <div class="graph-foot">
          {leads.length > 1 && (["chance", "score"] as const).map((kind) => <button key={kind} type="button" class="chip" aria-pressed={numbers === kind} aria-label={`${t.analysis.graphOf}: ${kind === "chance" ? t.analysis.asChance : t.analysis.asScore}`} onClick={() => onNumbers(kind)}>{kind === "chance" ? t.analysis.asChance : t.analysis.asScore}</button>)}
          {spots.length > 0 && <button type="button" class="chip" onClick={onMistake}>{t.tree.nextMistake} <kbd>N</kbd></button>}
        </div>
      )}
    </section>
  );
}
