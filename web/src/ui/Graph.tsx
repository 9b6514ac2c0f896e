// Curves: the chance of winning along a game, a lead in points, losses and ratings of a run. Each has a text form.
import { useRef } from "preact/hooks";
import { memo } from "./memo";

export interface Curve { name: string; points: [x: number, y: number, error?: number | null][]; colour?: number }
export interface Spot { x: number; y: number; kind: "inaccuracy" | "mistake" | "blunder"; title: string }

interface Props {
  label: string;
  curves: Curve[];
  /** Fixed limits of the upright axis; found from the curves if absent. */
  low?: number;
  high?: number;
  /** A line to compare with: even chances, zero points. */
  zero?: number;
  /** Shade below the curve (one curve only). */
  area?: boolean;
  spots?: Spot[];
  at?: number | undefined;
  format?: (y: number) => string;
  formatX?: (x: number) => string;
  height?: number;
  axis?: boolean;
  onPick?: ((x: number) => void) | undefined;
}

const WIDTH = 600;

export const Graph = memo((props: Props) => <Drawing {...props} />);

function Drawing({ label, curves, low, high, zero, area, spots, at, format = String, formatX = String, height = 150, axis, onPick }: Props) {
  const svg = useRef<SVGSVGElement>(null);
  const all = curves.flatMap((curve) => curve.points);
  const [left, right, top, bottom] = axis ? [52, 12, 10, 24] : [0, 0, 6, 6];
  const xs = all.map(([x]) => x);
  const ys = all.flatMap(([, y, error]) => (error ? [y - error, y + error] : [y]));
  const [x0, x1] = [Math.min(...xs), Math.max(...xs, Math.min(...xs) + 1)];
  let [y0, y1] = [low ?? Math.min(...ys, zero ?? Infinity), high ?? Math.max(...ys, zero ?? -Infinity)];
  if (!(y1 > y0)) [y0, y1] = [y0 - 1, y0 + 1];
  const sx = (x: number) => left + ((x - x0) / (x1 - x0)) * (WIDTH - left - right);
  const sy = (y: number) => top + (1 - (Math.min(y1, Math.max(y0, y)) - y0) / (y1 - y0)) * (height - top - bottom);
  const path = (points: Curve["points"]) => points.map(([x, y], index) => `${index ? "L" : "M"}${sx(x).toFixed(1)} ${sy(y).toFixed(1)}`).join("");
  const ticks = axis ? nice(y0, y1, 4) : [];
  const pick = (event: MouseEvent) => {
    const box = svg.current?.getBoundingClientRect();
    if (!box || !onPick || xs.length === 0) return;
    const x = x0 + (((event.clientX - box.left) / box.width) * WIDTH - left) / ((WIDTH - left - right) / (x1 - x0));
    onPick(xs.reduce((best, here) => (Math.abs(here - x) < Math.abs(best - x) ? here : best)));
  };
  if (all.length === 0) return null;
  return (
    <figure class="graph">
      <svg ref={svg} viewBox={`0 0 ${WIDTH} ${height}`} preserveAspectRatio="none" role="img" aria-label={label} class={onPick ? "graph-live" : ""} onClick={pick} style={`height:${height}px`}>
        {ticks.map((tick) => <g key={tick}><path d={`M${left} ${sy(tick)}H${WIDTH - right}`} class="graph-grid" vector-effect="non-scaling-stroke" /></g>)}
        {zero !== undefined && <path d={`M${left} ${sy(zero)}H${WIDTH - right}`} class="graph-zero" vector-effect="non-scaling-stroke" />}
        {curves.map((curve, index) => (
          <g key={curve.name} class={`curve curve-${curve.colour ?? index % 4}`}>
            {curve.points.some(([, , error]) => error) && <path d={band(curve.points, sx, sy)} class="curve-band" />}
            {area && <path d={`${path(curve.points)}L${sx(curve.points.at(-1)?.[0] ?? 0)} ${sy(zero ?? y0)}L${sx(curve.points[0]?.[0] ?? 0)} ${sy(zero ?? y0)}z`} class="curve-area" />}
            <path d={path(curve.points)} class={`curve-line dash-${index % 4}`} vector-effect="non-scaling-stroke" />
          </g>
        ))}
        {at !== undefined && <path d={`M${sx(at)} 0V${height}`} class="graph-at" vector-effect="non-scaling-stroke" />}
      </svg>
      <div class="graph-over" aria-hidden="true">
        {ticks.map((tick) => <span key={tick} class="graph-tick" style={`top:${(sy(tick) / height) * 100}%`}>{format(tick)}</span>)}
        {axis && [x0, x1].map((x, index) => <span key={x} class="graph-tick-x" style={index ? "right:2%" : `left:${(left / WIDTH) * 100}%`}>{formatX(x)}</span>)}
        {spots?.map((spot) => (
          <button key={spot.x} type="button" tabIndex={-1} class={`spot spot-${spot.kind}`} title={spot.title} style={`left:${(sx(spot.x) / WIDTH) * 100}%;top:${(sy(spot.y) / height) * 100}%`} onClick={() => onPick?.(spot.x)}>
            {spot.kind === "blunder" ? "??" : spot.kind === "mistake" ? "?" : "?!"}
          </button>
        ))}
      </div>
      <table class="sr-only">
        <caption>{label}</caption>
        <tbody>{sampled(all, 24).map(([x, y]) => <tr key={`${x}-${y}`}><th scope="row">{formatX(x)}</th><td>{format(y)}</td></tr>)}</tbody>
      </table>
    </figure>
  );
}

function band(points: Curve["points"], sx: (x: number) => number, sy: (y: number) => number): string {
  const upper = points.map(([x, y, error]) => `${sx(x)} ${sy(y + (error ?? 0))}`);
  const lower = points.map(([x, y, error]) => `${sx(x)} ${sy(y - (error ?? 0))}`).reverse();
  return `M${[...upper, ...lower].join("L")}z`;
}

const sampled = <T,>(list: T[], most: number): T[] => (list.length <= most ? list : list.filter((_, index) => index % Math.ceil(list.length / most) === 0));

/** Round numbers between two limits. */
function nice(low: number, high: number, about: number): number[] {
  const raw = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw) ?? raw;
  const ticks: number[] = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-6; tick += step) ticks.push(Number(tick.toPrecision(8)));
  return ticks;
}
