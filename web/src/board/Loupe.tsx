// A magnified aim above the finger, for boards whose points are smaller than a fingertip.
import { CELL, type Layout, type Place } from "./layout";
import { Ground } from "./Ground";
import { PieceShape } from "./pieces";
import type { Drawn, Piece } from "./types";

interface Props { aim: { place: Place | null; x: number; y: number }; layout: Layout; drawn: Drawn; piece: Piece | null; legal: boolean }

/** How many cells are seen across. */
const SEEN = 5;

export function Loupe({ aim, layout, drawn, piece, legal }: Props) {
  const size = SEEN * CELL;
  const centre = aim.place ?? { x: aim.x, y: aim.y };
  const near = layout.places.filter((place) => Math.abs(place.x - centre.x) < size && Math.abs(place.y - centre.y) < size);
  const left = (aim.x / layout.width) * 100;
  // Above the finger, or below it at the top of the board; never beyond the sides.
  const below = aim.y < layout.height * 0.3;
  return (
    <div class={`loupe ${below ? "loupe-below" : ""}`} style={`left:clamp(70px, ${left}%, calc(100% - 70px));top:${(aim.y / layout.height) * 100}%`} aria-hidden="true">
      <svg viewBox={`${centre.x - size / 2} ${centre.y - size / 2} ${size} ${size}`}>
        <Ground layout={layout} coordinates={false} />
        {near.map((place) => {
          const there = drawn.cells[place.index]?.piece;
          return there ? <g key={place.name} transform={`translate(${place.x - 50} ${place.y - 50})`}><PieceShape piece={there} kind={layout.kind} /></g> : null;
        })}
        {aim.place && piece && legal && <g transform={`translate(${aim.place.x - 50} ${aim.place.y - 50})`} opacity=".75"><PieceShape piece={piece} kind={layout.kind} /></g>}
        {aim.place && <path d={`M${aim.place.x - size} ${aim.place.y}H${aim.place.x - 56}M${aim.place.x + 56} ${aim.place.y}H${aim.place.x + size}M${aim.place.x} ${aim.place.y - size}V${aim.place.y - 56}M${aim.place.x} ${aim.place.y + 56}V${aim.place.y + size}`} class="loupe-cross" />}
      </svg>
      <span>{aim.place?.name ?? "–"}</span>
    </div>
  );
}
