// The thin layers around the pieces: last move, targets, the pointer's ghost, the waiting move, the keyboard's cursor.
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import { memo } from "../ui/memo";
import { CELL, type Layout, type Place } from "./layout";
import { isTile, PieceShape } from "./pieces";
import { columnName, dropPiece } from "./preview";
import type { Choice, Drawn, Side } from "./types";

/** Below the pieces squares are tinted; above them stones get a ring and squares corner ticks: a shape, not only a colour. */
export const LastMove = memo(({ drawn, layout, touched, under }: { drawn: Drawn; layout: Layout; touched: string[] | undefined; under: boolean }) => {
  const places = (touched ?? []).map((name) => layout.byName.get(name)).filter((place) => place !== undefined);
  const end = places[places.length - 1];
  if (!end) return null;
  const piece = drawn.cells[end.index]?.piece;
  const round = piece?.shape === "stone" || piece?.shape === "disc";
  if (layout.kind === "track") return under ? null : <g class="last">{[...new Set(places)].filter((place) => place.index < 24).map((place) => <path key={place.name} d={place.row === 0 ? `M${place.x - 12} 42l12 16l12 -16z` : `M${place.x - 12} ${layout.height - 42}l12 -16l12 16z`} class="last-tick" />)}</g>;
  if (round) return under ? null : <circle cx={end.x} cy={end.y} r={layout.kind === "points" ? 22 : 13} class={`last-ring last-on-${piece.side} last-${layout.kind}`} />;
  if (under) return <g>{places.map((place) => <rect key={place.name} x={place.x - 50} y={place.y - 50} width={CELL} height={CELL} class="last-square" />)}</g>;
  const [x, y] = [end.x, end.y];
  const corner = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([sx = 1, sy = 1]) => `M${x + sx * 47} ${y + sy * 29}V${y + sy * 47}H${x + sx * 29}`).join("");
  return <path d={corner} class="last-corner" />;
});

/** Where what is picked up can go: dots on empty cells, frames around what would be taken. */
export const Targets = memo(({ layout, drawn, goals }: { layout: Layout; drawn: Drawn; goals: Set<string> }) => (
  <g class="targets" pointer-events="none">
    {[...goals].map((name) => {
      const place = layout.byName.get(name);
      if (!place) return null;
      if (layout.kind === "track") return <rect key={name} x={place.x - place.w / 2 + 6} y={place.y - place.h / 2} width={place.w - 12} height={place.h} rx="10" class="target-lane" />;
      return drawn.cells[place.index]?.piece ? <path key={name} d={corners(place)} class="target-take" /> : <circle key={name} cx={place.x} cy={place.y} r="16" class="target" />;
    })}
  </g>
));

const corners = ({ x, y }: Place) => `M${x - 50} ${y - 50}h28l-28 28zM${x + 50} ${y - 50}v28l-28 -28zM${x + 50} ${y + 50}h-28l28 -28zM${x - 50} ${y + 50}v-28l28 28z`;

interface HoverProps {
  set: RefObject<(place: Place | null) => void>;
  layout: Layout;
  drawn: Drawn;
  goals: Set<string>;
  starts: Set<string>;
  side: Side;
  choices: Choice[];
}

/** A ghost of the stone under the pointer. It has its own state, so that moving the mouse draws nothing else. */
export function Hover({ set, layout, drawn, goals, starts, side, choices }: HoverProps) {
  const [place, show] = useState<Place | null>(null);
  useEffect(() => {
    (set as { current: (place: Place | null) => void }).current = (next) => show((now) => (now === next ? now : next));
  }, [set]);
  if (!place) return null;
  const name = layout.kind === "columns" && choices.length > 0 ? columnName(drawn, choices, place.name) : place.name;
  const at = layout.byName.get(name);
  if (!at) return null;
  if (starts.has(name)) return <rect x={at.x - at.w / 2 + 2} y={at.y - at.h / 2 + 2} width={at.w - 4} height={at.h - 4} rx="8" class="hover-start" pointer-events="none" />;
  const piece = goals.has(name) ? dropPiece(drawn, side) : null;
  if (!piece) return null;
  return (
    <g class="hover-ghost" pointer-events="none" transform={`translate(${at.x - 50} ${at.y - 50})`}>
      <PieceShape piece={piece} kind={layout.kind} />
    </g>
  );
}

/** The move that was sent: drawn at once, a little faint, until the server confirms it. */
export function Pending({ layout, drawn, side, choice }: { layout: Layout; drawn: Drawn; side: Side; choice: Choice }) {
  const to = layout.byName.get(choice.touched[choice.touched.length - 1] ?? "");
  if (!to || layout.kind === "track") return null;
  const from = choice.touched.length > 1 ? layout.byName.get(choice.touched[0] ?? "") : undefined;
  const piece = from ? drawn.cells[from.index]?.piece ?? null : dropPiece(drawn, side);
  if (!piece) return null;
  const turned = isTile(piece.shape) && (piece.side === "second") !== layout.flipped;
  return (
    <g class="pending" pointer-events="none" transform={`translate(${to.x} ${to.y})${turned ? " rotate(180)" : ""} translate(-50 -50)`}>
      <PieceShape piece={piece} kind={layout.kind} />
    </g>
  );
}

export const Cursor = ({ place }: { place: Place | undefined }) =>
  place ? (
    <g pointer-events="none">
      <rect x={place.x - place.w / 2 + 3} y={place.y - place.h / 2 + 3} width={place.w - 6} height={place.h - 6} rx="10" class="cursor-under" />
      <rect x={place.x - place.w / 2 + 3} y={place.y - place.h / 2 + 3} width={place.w - 6} height={place.h - 6} rx="10" class="cursor" />
    </g>
  ) : null;
