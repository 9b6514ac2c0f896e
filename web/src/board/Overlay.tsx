// What analysis lays over the board: candidate discs, ownership, influence, a variation in numbers, marks.
// Everything is also told by shape or text: the best move has a ring, small numbers say value and visits.
import { memo } from "../ui/memo";
import { short } from "../ui/figures";
import type { Layout } from "./layout";
import type { Candidate, Mark, Overlay as Over, Side } from "./types";

interface Props { layout: Layout; overlay: Over | undefined; marks: Mark[] | undefined; numbers: "chance" | "score" }

export const Overlay = memo(({ layout, overlay, marks, numbers }: Props) => (
  <g class="overlay" pointer-events="none" aria-hidden="true">
    {overlay?.ownership && <Owned layout={layout} values={overlay.ownership} />}
    {overlay?.candidates && !overlay.variation && <Candidates layout={layout} candidates={overlay.candidates} numbers={numbers} />}
    {overlay?.variation && <Variation layout={layout} moves={overlay.variation} />}
    {marks?.map((mark) => <MarkShape key={mark.cell + mark.kind} layout={layout} mark={mark} />)}
  </g>
));

/** What lies below the pieces. */
export const Underlay = memo(({ layout, influence }: { layout: Layout; influence: number[] | undefined }) => (influence ? <Shade layout={layout} values={influence} /> : null));

/** Influence as soft squares: dark for the first side, light for the second. */
function Shade({ layout, values }: { layout: Layout; values: number[] }) {
  return (
    <g>
      {layout.places.map(({ name, x, y, w, h, index }) => {
        const value = values[index] ?? 0;
        return Math.abs(value) < 0.06 ? null : <rect key={name} x={x - w / 2} y={y - h / 2} width={w} height={h} class={value > 0 ? "shade-first" : "shade-second"} opacity={Math.min(0.62, Math.abs(value) * 0.6)} />;
      })}
    </g>
  );
}

/** Ownership as small squares, the larger the surer. */
function Owned({ layout, values }: { layout: Layout; values: number[] }) {
  return (
    <g>
      {layout.places.map(({ name, x, y, index }) => {
        const value = values[index] ?? 0;
        const size = 14 + 26 * Math.min(1, Math.abs(value));
        return Math.abs(value) < 0.12 ? null : <rect key={name} x={x - size / 2} y={y - size / 2} width={size} height={size} class={value > 0 ? "own-first" : "own-second"} opacity={0.35 + 0.6 * Math.min(1, Math.abs(value))} />;
      })}
    </g>
  );
}

function Candidates({ layout, candidates, numbers }: { layout: Layout; candidates: Candidate[]; numbers: "chance" | "score" }) {
  // Of several moves that end on one cell the first, which is the best, is shown.
  const seen = new Set<string>();
  const shown = candidates.filter(({ touched }) => {
    const cell = touched[touched.length - 1];
    return cell !== undefined && !seen.has(cell) && seen.add(cell);
  });
  return (
    <g>
      {shown.filter(({ touched }) => touched.length > 1).slice(0, 4).map((candidate) => <Arrow key={candidate.move} layout={layout} candidate={candidate} />)}
      {shown.map((candidate) => {
        const place = layout.byName.get(candidate.touched[candidate.touched.length - 1] ?? "");
        if (!place) return null;
        const faint = candidate.weight < 0.1 && !candidate.best;
        const figure = candidate.exact ?? (numbers === "score" && candidate.score !== undefined ? candidate.score : Math.round(candidate.chance * 100).toString());
        return (
          <g key={candidate.move} transform={`translate(${place.x} ${place.y})`} opacity={faint ? 0.45 : 0.94}>
            <circle r="43" class={`candidate ${candidate.best ? "candidate-best" : quality(candidate, candidates)}`} />
            {candidate.best && <circle r="46" class="candidate-ring" />}
            {!(faint && candidates.length > 30) && (
              <>
                <text y={faint || candidate.exact ? 11 : 2} class={`candidate-value ${figure.length > (candidate.exact ? 2 : 3) ? "candidate-long" : ""}`}>{figure}</text>
                {!faint && !candidate.exact && <text y="26" class="candidate-visits">{short(candidate.visits)}</text>}
              </>
            )}
          </g>
        );
      })}
    </g>
  );
}

function quality(candidate: Candidate, all: Candidate[]): string {
  if (candidate.exact) return candidate.chance > 0.5 ? "candidate-good" : candidate.chance < 0.5 ? "candidate-poor" : "candidate-fair";
  const loss = (all[0]?.chance ?? candidate.chance) - candidate.chance;
  return loss < 0.03 ? "candidate-good" : loss < 0.1 ? "candidate-fair" : "candidate-poor";
}

/** An arrow from cell to cell, drawn as one shape so that its parts do not show through each other. */
function arrowPath(from: { x: number; y: number }, to: { x: number; y: number }, width: number): string {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const at = (along: number, across: number) => `${(from.x + ux * along - uy * across).toFixed(1)} ${(from.y + uy * along + ux * across).toFixed(1)}`;
  const [half, head] = [width / 2, width * 2.1];
  return `M${at(20, -half)}L${at(length - head, -half)}L${at(length - head, -width * 1.25)}L${at(length, 0)}L${at(length - head, width * 1.25)}L${at(length - head, half)}L${at(20, half)}z`;
}

function Arrow({ layout, candidate }: { layout: Layout; candidate: Candidate }) {
  const from = layout.byName.get(candidate.touched[0] ?? "");
  const to = layout.byName.get(candidate.touched[candidate.touched.length - 1] ?? "");
  if (!from || !to || from === to) return null;
  return <path d={arrowPath(from, to, candidate.best ? 19 : 14)} class="arrow" opacity={0.3 + 0.5 * Math.sqrt(candidate.weight)} />;
}

function Variation({ layout, moves }: { layout: Layout; moves: { touched: string[]; side: Side }[] }) {
  const last = new Map<string, number>();
  moves.forEach(({ touched }, index) => last.set(touched[touched.length - 1] ?? "", index));
  return (
    <g>
      {moves.map(({ touched, side }, index) => {
        const end = touched[touched.length - 1] ?? "";
        const to = layout.byName.get(end);
        if (!to) return null;
        const from = touched.length > 1 ? layout.byName.get(touched[0] ?? "") : undefined;
        return (
          <g key={index}>
            {from && from !== to && <path d={arrowPath(from, to, index === 0 ? 17 : 12)} class="arrow" opacity={index === 0 ? 0.8 : 0.45} />}
            {last.get(end) === index && (
              <g transform={`translate(${to.x} ${to.y})`}>
                <circle r={from ? 24 : 44} class={`ghost ghost-${side}`} />
                <text y="14" class={`ghost-number ghost-number-${side}`}>{index + 1}</text>
              </g>
            )}
          </g>
        );
      })}
    </g>
  );
}

const MARKS: Record<string, string> = {
  circle: "M-22 0a22 22 0 1 0 44 0a22 22 0 1 0 -44 0z",
  square: "M-19 -19h38v38h-38z",
  triangle: "M0 -25L23 16H-23z",
  cross: "M-17 -17L17 17M17 -17L-17 17",
  dead: "M-20 -20L20 20M20 -20L-20 20",
};

function MarkShape({ layout, mark }: { layout: Layout; mark: Mark }) {
  const place = layout.byName.get(mark.cell);
  if (!place) return null;
  if (mark.kind === "label" || mark.kind === "good" || mark.kind === "bad") {
    return (
      <g transform={`translate(${place.x} ${place.y})`}>
        {mark.kind !== "label" && <circle r="27" class={`badge badge-${mark.kind}`} />}
        <text y="13" class={`mark-text mark-text-${mark.kind}`}>{mark.text ?? (mark.kind === "good" ? "✓" : "✗")}</text>
      </g>
    );
  }
  return <path d={MARKS[mark.kind]} transform={`translate(${place.x} ${place.y})`} class={`mark mark-${mark.kind}`} />;
}
