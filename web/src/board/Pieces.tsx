// All pieces on the board, each in its place, with the shadows of stones below them.
// What came, left or moved since the last position is animated by CSS, so nothing runs while the board rests.
import { useMemo, useRef } from "preact/hooks";
import { memo } from "../ui/memo";
import { CELL, type Layout } from "./layout";
import { isTile, PieceShape } from "./pieces";
import type { Drawn } from "./types";
import { type Change, changeBetween, STACK, STILL, type Unit, unitsOf } from "./units";

interface Props {
  drawn: Drawn;
  layout: Layout;
  /** The cell whose piece is being dragged: drawn faintly. */
  lifted: string | null;
  /** Cells whose pieces are shown as going (a move that waits for the server, dead stones). */
  faint: Set<string>;
}

export const Pieces = memo(({ drawn, layout, lifted, faint }: Props) => <Layer drawn={drawn} layout={layout} lifted={lifted} faint={faint} />);

function Layer({ drawn, layout, lifted, faint }: Props) {
  const units = useMemo(() => unitsOf(drawn, layout), [drawn, layout]);
  const change = useChange(units, layout);
  const stones = layout.kind === "points" || (layout.kind === "squares" && units[0]?.piece.shape === "disc");
  return (
    <g class="pieces">
      {stones && <g class="shadows">{units.map((unit) => <circle key={unit.key} cx={unit.x + 3} cy={unit.y + 6} r={layout.kind === "points" ? 51 : 45} fill="url(#stone-shadow)" opacity={faint.has(unit.cell) ? 0.3 : 1} />)}</g>}
      {change.left.map((unit) => <OnePiece key={`left:${unit.key}`} unit={unit} layout={layout} class="piece leaving" />)}
      {units.map((unit) => {
        const motion = change.motions.get(unit.key);
        const style = motion?.way === "slide" ? `--dx:${motion.dx}px;--dy:${motion.dy}px` : motion?.way === "fall" ? `--dx:0px;--dy:${motion.dy}px` : undefined;
        const top = unit.level === unit.of - 1;
        const classes = ["piece", motion ? `way-${motion.way}` : "", lifted === unit.cell && top ? "lifted" : "", faint.has(unit.cell) ? "faint" : ""].join(" ");
        return <OnePiece key={unit.key} unit={unit} layout={layout} class={classes} style={style} />;
      })}
    </g>
  );
}

/** The last change on this board, kept while the same position is drawn again. */
function useChange(units: Unit[], layout: Layout): Change {
  const before = useRef<{ units: Unit[]; text: string; layout: Layout; change: Change }>(undefined);
  const text = units.map((unit) => unit.key).join(" ");
  const kept = before.current;
  if (kept === undefined || (kept.layout !== layout && (kept.layout.kind !== layout.kind || kept.layout.width !== layout.width || kept.layout.flipped !== layout.flipped))) {
    before.current = { units, text, layout, change: STILL };
  } else if (kept.text !== text) {
    before.current = { units, text, layout, change: changeBetween(kept.units, units, layout) };
  }
  return before.current?.change ?? STILL;
}

function OnePiece({ unit, layout, class: className, style }: { unit: Unit; layout: Layout; class: string; style?: string | undefined }) {
  const { piece, x, y } = unit;
  if (layout.kind === "track" && unit.cell.startsWith("off")) return <rect x={x - 48} y={y - 12} width="96" height="24" rx="5" class={`on-edge on-edge-${piece.side} ${className}`} />;
  const scale = sizeOf(piece.shape, layout);
  const turned = isTile(piece.shape) && (piece.side === "second") !== layout.flipped;
  const number = layout.kind === "track" && unit.of > STACK && unit.level === unit.of - 1;
  return (
    <g class={className} style={style} data-cell={unit.cell}>
      <g transform={`translate(${x} ${y}) scale(${scale})${turned ? " rotate(180)" : ""} translate(-${CELL / 2} -${CELL / 2})`}>
        <PieceShape piece={piece} kind={layout.kind} />
        {number && <text x="50" y="64" class={`stack-number stack-number-${piece.side}`}>{unit.of}</text>}
      </g>
    </g>
  );
}

export function sizeOf(shape: string, layout: Layout): number {
  if (shape === "checker") return 0.93;
  if (shape === "stone") return 0.985;
  return isTile(shape) ? 0.95 : layout.kind === "chequered" ? 1.07 : 1;
}
