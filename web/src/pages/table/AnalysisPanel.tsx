// What the machine thinks of the position on the board: chance and lead in words, candidate moves with their lines,
// and what of it is drawn over the board. All of it can be hidden.
import { say, words } from "../../i18n";
import type { Analysis, ExactValue, GameInfo, Move, Side, View } from "../../protocol/messages";
import { chanceOf, fixed, percent, short, signed } from "../../ui/figures";
import type { Candidate as Disc } from "../../board/types";
import { leadText } from "./sentences";
import { SolvedNotice } from "./SolvedNotice";

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
  /** To be asked anew: more is known than before. */
  onAgain(): void;
}

/** A value for First as the chance of a side. */
export const chanceFor = (value: number, side: Side): number => (side === "first" ? chanceOf(value) : 1 - chanceOf(value));

export function AnalysisPanel({ analysis, view, game, layers, review, canReview, onLayers, onHover, onPlay, onReview, onStopReview, onAgain }: Props) {
  const t = words();
  const side = view.toMove;
  const names: [string, string] = game ? [say(game.sides[0]), say(game.sides[1])] : view.sides;
  const toggle = (name: "candidates" | "ownership" | "influence") => onLayers({ ...layers, [name]: !layers[name] });
  const exact = analysis?.exact ?? null;
  const hasLead = exact === null && (analysis?.candidates.some((candidate) => candidate.lead) ?? false);
  const layerNames = (["candidates", "ownership", "influence"] as const).filter((name) => name === "candidates" || (analysis?.[name].length ?? 0) > 0);
  return (
    <section class="panel analysis" aria-label={t.analysis.title}>
      {view.turn === "over" && !analysis ? <p class="quiet">{t.table.over}</p> : !analysis ? <p class="quiet">{t.analysis.starting}</p> : (
        <>
          <Verdict analysis={analysis} names={names} board={view.drawn.board} />
          {analysis.candidates.length > 0 && (
            <div class="candidates-scroll">
            <table class="candidates">
              <thead>
                {exact
                  ? <tr><th scope="col">{t.analysis.move}</th><th scope="col">{t.analysis.value}</th><th scope="col" class="wide-only">{t.analysis.line}</th></tr>
                  : <tr><th scope="col">{t.analysis.move}</th><th scope="col">{t.analysis.chance}</th>{hasLead && <th scope="col">{t.analysis.lead}</th>}<th scope="col">{t.analysis.visits}</th><th scope="col" class="wide-only">{t.analysis.line}</th></tr>}
              </thead>
              <tbody>
                {analysis.candidates.slice(0, exact ? analysis.candidates.length : 6).map((candidate) => (
                  <tr key={candidate.move.move} onPointerEnter={() => onHover(candidate.pv)} onPointerLeave={() => onHover(null)}>
                    <td><button type="button" class="move" disabled={!onPlay} onFocus={() => onHover(candidate.pv)} onBlur={() => onHover(null)} onClick={() => onPlay?.(candidate.move.move)}>{candidate.move.move === "pass" ? t.pass : t.board.bare[candidate.move.move]?.toLowerCase() ?? candidate.move.label}</button></td>
                    {exact
                      ? <td><ExactWords value={exact.moves[candidate.move.move]} side={side} /></td>
                      : (
                        <>
                          <td>{percent(chanceFor(candidate.value, side))}</td>
                          {hasLead && <td>{leadText(candidate.lead, side) ?? "–"}</td>}
                          <td>{short(candidate.visits)}</td>
                        </>
                      )}
                    <td class="wide-only pv">{candidate.pv.slice(1, 7).map((move) => move.label).join(" ")}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            </div>
          )}
          <p class="quiet small">{exact && analysis.nodes === 0 ? t.analysis.known : t.analysis.searched(short(analysis.nodes), analysis.depth, fixed(analysis.seconds, 1))}</p>
          {game?.solved && exact === null && analysis.done && <SolvedNotice game={game.id} onReady={onAgain} />}
        </>
      )}
      <div class="layers" role="group" aria-label={t.analysis.show}>
        {layerNames.map((name) => <button key={name} type="button" class="chip" aria-pressed={layers[name]} title={t.analysis.layersAbout[name]} onClick={() => toggle(name)}>{t.analysis.layers[name]}</button>)}
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
  const lead = analysis.lead;
  const text = exact ? exactSentence(exact.here, names)
    : lead?.endIn ? t.analysis.endsIn(names[lead.endIn > 0 ? 0 : 1], Math.abs(lead.endIn))
    : t.analysis.chanceOf(name, percent(Math.max(chance, 1 - chance)));
  // Early in a search the mean of the points may lean the other way than the games: then it says nothing yet.
  const agrees = lead && lead.points !== null && lead.points >= 0 === (better === "first");
  const points = !exact && agrees && lead.points !== null && !lead.endIn ? fixed(Math.abs(lead.points), 1) : null;
  const leader = lead?.points === null || lead?.points === undefined ? name : names[lead.points >= 0 ? 0 : 1];
  return (
    <div class="verdict">
      <div class={`verdict-bar verdict-${board}`} role="img" aria-label={`${names[0]} ${percent(chance)}, ${names[1]} ${percent(1 - chance)}`}><i style={`width:${chance * 100}%`} /><b /></div>
      <p><strong>{text}.</strong> {points !== null && /[1-9]/.test(points) && <>{t.analysis.ahead(leader, `${points} ${board === "chequered" ? t.analysis.pawns : t.analysis.points}`)}.</>}</p>
    </div>
  );
}

/** "With perfect play White wins in 78 moves". */
function exactSentence({ winner, plies, points, chance }: ExactValue, names: [string, string]): string {
  const t = words();
  if (winner === "draw") return t.analysis.exactDraw;
  if (winner === null) {
    const first = chance ?? 0.5;
    return t.analysis.exactChance(names[first >= 0.5 ? 0 : 1], `${fixed(Math.max(first, 1 - first) * 100, 1)} %`);
  }
  return t.analysis.exactly(names[winner === "first" ? 0 : 1]) + (plies !== null ? t.analysis.inPlies(plies) : points !== null ? t.analysis.byPoints(Math.abs(points)) : "");
}

/** What a move is worth to the side that makes it, in words. */
function ExactWords({ value, side }: { value: ExactValue | undefined; side: Side }) {
  const t = words();
  if (!value) return null;
  const { winner, plies, points, chance } = value;
  if (winner === null) return <b>{fixed((side === "first" ? chance ?? 0.5 : 1 - (chance ?? 0.5)) * 100, 1)} %</b>;
  const kind = winner === "draw" ? "draw" : winner === side ? "win" : "loss";
  const count = kind !== "draw" && points !== null ? ` (${signed(side === "first" ? points : -points, 0)})` : "";
  return <b class={`exact exact-${kind}`}>{kind === "draw" ? t.analysis.valueDraw : kind === "win" ? t.analysis.valueWin(plies) : t.analysis.valueLoss(plies)}{count}</b>;
}

/** "W5": the side to move wins in five plies, with perfect play; "+4": by four points; "56": with so many per cent. */
function exactText(exact: ExactValue | undefined, side: Side): string | undefined {
  if (!exact) return undefined;
  const { winner, plies, points, chance } = exact;
  if (winner === null) return Math.round((side === "first" ? chance ?? 0.5 : 1 - (chance ?? 0.5)) * 100).toString();
  if (points !== null) return signed(side === "first" ? points : -points, 0);
  const letters = words().analysis.letters;
  return (winner === "draw" ? letters.draw : winner === side ? letters.win : letters.loss) + (plies !== null && winner !== "draw" ? plies : "");
}

/** The candidates as discs for the board; where the game is solved, every legal move has its exact value. */
export function discs(analysis: Analysis | undefined, view: View): Disc[] {
  if (!analysis) return [];
  const side = view.toMove;
  const most = Math.max(1, ...analysis.candidates.map((candidate) => candidate.visits));
  // Where the game is solved, moves as good as the best are best, too.
  const best = analysis.candidates[0];
  const found = analysis.candidates.map((candidate, index): Disc => {
    const exact = exactText(analysis.exact?.moves[candidate.move.move], side);
    const score = leadText(candidate.lead, side);
    return {
      move: candidate.move.move, label: candidate.move.label, touched: candidate.move.touched, chance: chanceFor(candidate.value, side), visits: candidate.visits,
      weight: exact !== undefined ? 1 : candidate.visits / most, best: index === 0 || (exact !== undefined && candidate.value === best?.value && candidate.lead?.endIn === best.lead?.endIn && candidate.lead?.points === best.lead?.points),
      ...(exact !== undefined ? { exact } : {}), ...(score !== null ? { score } : {}),
    };
  });
  // Arrows from cell to cell need more room than stones: fewer of them stay readable. What is known for sure is shown of every move.
  return analysis.exact ? found : found.slice(0, (found[0]?.touched.length ?? 1) > 1 ? 5 : 24);
}
