// What the machine thinks of the position on the board: chance and lead in words, candidate moves with their lines,
// and what of it is drawn over the board. All of it can be hidden.
import { say, words } from "../../i18n";
import type { Analysis, Candidate, GameInfo, Move, Side, View } from "../../protocol/messages";
import { chanceOf, percent, short } from "../../ui/figures";
import type { Candidate as Disc } from "../../board/types";
import { leadText } from "./sentences";

export interface Layers { candidates: boolean; ownership: boolean; influence: boolean; numbers: "chance" | "score" }

interface Props {
  analysis: Analysis | undefined;
  view: View;
  game: GameInfo | undefined;
  layers: Layers;
  review: { done: number; of: number } | null;
  canReview: boolean;
  onLayers(layers: Layers): void;
  onHover(line: Move[] | null): void;
  onPlay?: ((move: string) => void) | undefined;
  onReview(): void;
  onStopReview(): void;
}

/** A value for First as the chance of a side. */
export const chanceFor = (value: number, side: Side): number => (side === "first" ? chanceOf(value) : 1 - chanceOf(value));

export function AnalysisPanel({ analysis, view, game, layers, review, canReview, onLayers, onHover, onPlay, onReview, onStopReview }: Props) {
  const t = words();
  const side = view.toMove;
  const names: [string, string] = game ? [say(game.sides[0]), say(game.sides[1])] : view.sides;
  const toggle = (name: "candidates" | "ownership" | "influence") => onLayers({ ...layers, [name]: !layers[name] });
  const hasLead = analysis?.candidates.some((candidate) => candidate.lead) ?? false;
  const layerNames = (["candidates", "ownership", "influence"] as const).filter((name) => name === "candidates" || (analysis?.[name].length ?? 0) > 0);
  return (
    <section class="panel analysis" aria-label={t.analysis.title}>
      {view.turn === "over" && !analysis ? <p class="quiet">{t.table.over}</p> : !analysis ? <p class="quiet">{t.analysis.starting}</p> : (
        <>
          <Verdict analysis={analysis} names={names} board={view.drawn.board} />
          {analysis.candidates.length > 0 && (
            <table class="candidates">
              <thead><tr><th scope="col">{t.analysis.move}</th><th scope="col">{t.analysis.chance}</th>{hasLead && <th scope="col">{t.analysis.lead}</th>}<th scope="col">{t.analysis.visits}</th><th scope="col" class="wide-only">{t.analysis.line}</th></tr></thead>
              <tbody>
                {analysis.candidates.slice(0, 6).map((candidate) => (
                  <tr key={candidate.move.move} onPointerEnter={() => onHover(candidate.pv)} onPointerLeave={() => onHover(null)}>
                    <td><button type="button" class="move" disabled={!onPlay} onFocus={() => onHover(candidate.pv)} onBlur={() => onHover(null)} onClick={() => onPlay?.(candidate.move.move)}>{candidate.move.label}</button></td>
                    <td>{percent(chanceFor(candidate.value, side))}{exactLabel(analysis, candidate, side) && <b class="exact"> {exactLabel(analysis, candidate, side)}</b>}</td>
                    {hasLead && <td>{leadText(candidate.lead, side) ?? "–"}</td>}
                    <td>{short(candidate.visits)}</td>
                    <td class="wide-only pv">{candidate.pv.slice(1, 6).map((move) => move.label).join(" ")}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          <p class="quiet small">{t.analysis.searched(short(analysis.nodes), analysis.depth, analysis.seconds.toFixed(1))}</p>
        </>
      )}
      <div class="layers" role="group" aria-label={t.analysis.show}>
        {layerNames.map((name) => <button key={name} type="button" class="chip" aria-pressed={layers[name]} title={t.analysis.layersAbout[name]} onClick={() => toggle(name)}>{t.analysis.layers[name]}</button>)}
        {hasLead && <button type="button" class="chip" title={t.analysis.numbers} onClick={() => onLayers({ ...layers, numbers: layers.numbers === "chance" ? "score" : "chance" })}>{layers.numbers === "chance" ? t.analysis.asChance : t.analysis.asScore}</button>}
        {canReview && (review
          ? <span class="review"><progress value={review.done} max={review.of} /> {t.analysis.reviewing(review.done, review.of)} <button type="button" class="chip" onClick={onStopReview}>{t.analysis.stop}</button></span>
          : <button type="button" class="chip" onClick={onReview}>{t.analysis.review}</button>)}
      </div>
    </section>
  );
}

/** The judgement in a sentence and a bar: the first side's share from the left. */
function Verdict({ analysis, names, board }: { analysis: Analysis; names: [string, string]; board: string }) {
  const t = words();
  const chance = chanceOf(analysis.value);
  const better: Side = chance >= 0.5 ? "first" : "second";
  const name = names[better === "first" ? 0 : 1];
  const exact = analysis.exact;
  const winner = exact && exact.winner !== "draw" ? names[exact.winner === "first" ? 0 : 1] : null;
  const lead = analysis.lead;
  const text = exact
    ? (winner === null ? t.analysis.exactDraw : t.analysis.exactly(winner)) + (exact.plies !== null && winner !== null ? t.analysis.inPlies(exact.plies) : "")
    : lead?.endIn ? t.analysis.endsIn(names[lead.endIn > 0 ? 0 : 1], Math.abs(lead.endIn))
    : t.analysis.chanceOf(name, percent(Math.max(chance, 1 - chance)));
  const points = !exact && lead && lead.points !== null && !lead.endIn ? Math.abs(lead.points).toFixed(1) : null;
  const leader = lead?.points === null || lead?.points === undefined ? name : names[lead.points >= 0 ? 0 : 1];
  return (
    <div class="verdict">
      <div class={`verdict-bar verdict-${board}`} role="img" aria-label={`${names[0]} ${percent(chance)}, ${names[1]} ${percent(1 - chance)}`}><i style={`width:${chance * 100}%`} /><b /></div>
      <p><strong>{text}.</strong> {points !== null && Number(points) > 0 && <>{t.analysis.ahead(leader, `${points} ${board === "chequered" ? t.analysis.pawns : t.analysis.points}`)}.</>}</p>
    </div>
  );
}

/** "W5": the side to move wins in five plies, with perfect play. */
export function exactLabel(analysis: Analysis, candidate: Candidate, side: Side): string | undefined {
  return exactText(analysis.exact?.moves[candidate.move.move], side);
}

function exactText(exact: { winner: string; plies: number | null } | undefined, side: Side): string | undefined {
  if (!exact) return undefined;
  const letters = words().analysis.letters;
  return (exact.winner === "draw" ? letters.draw : exact.winner === side ? letters.win : letters.loss) + (exact.plies !== null && exact.winner !== "draw" ? exact.plies : "");
}

/** The candidates as discs for the board; where the game is solved, every legal move has its exact value. */
export function discs(analysis: Analysis | undefined, view: View): Disc[] {
  if (!analysis) return [];
  const side = view.toMove;
  const most = Math.max(1, ...analysis.candidates.map((candidate) => candidate.visits));
  const found = analysis.candidates.map((candidate, index): Disc => {
    const exact = exactLabel(analysis, candidate, side);
    const score = leadText(candidate.lead, side);
    return {
      move: candidate.move.move, label: candidate.move.label, touched: candidate.move.touched, chance: chanceFor(candidate.value, side), visits: candidate.visits,
      weight: candidate.visits / most, best: index === 0, ...(exact !== undefined ? { exact } : {}), ...(score !== null ? { score } : {}),
    };
  });
  // Arrows from cell to cell need more room than stones: fewer of them stay readable.
  if (!analysis.exact) return found.slice(0, (found[0]?.touched.length ?? 1) > 1 ? 5 : 24);
  const known = new Set(found.map((disc) => disc.move));
  for (const move of view.legal) {
    const value = analysis.exact.moves[move.move];
    const exact = exactText(value, side);
    if (known.has(move.move) || !value || exact === undefined) continue;
    found.push({ move: move.move, label: move.label, touched: move.touched, chance: value.winner === "draw" ? 0.5 : value.winner === side ? 1 : 0, visits: 0, weight: 1, best: false, exact });
  }
  return found;
}
