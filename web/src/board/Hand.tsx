// The pieces a side holds in hand, as a strip of buttons at its edge of the board: click or drag one to drop it.
import { words } from "../i18n";
import { PieceShape } from "./pieces";
import type { BoardKind, Hand as Pieces, Piece, Side } from "./types";

/** What a drop of this piece begins with. */
export const letterOf = (piece: Piece): string => piece.letters.replace(/[^A-Za-z+]/g, "").toUpperCase();

interface Props {
  hand: Pieces;
  side: Side;
  kind: BoardKind;
  /** Letters of pieces that may be dropped now. */
  droppable: Set<string>;
  picked: string | null;
  turned: boolean;
  onPick(letter: string, event: PointerEvent | null): void;
}

export function Hand({ hand, side, kind, droppable, picked, turned, onPick }: Props) {
  const t = words();
  return (
    <div class={`hand hand-${side}`} role="group" aria-label={t.board.hand}>
      {hand.length === 0 && <span class="hand-empty" aria-hidden="true" />}
      {hand.map(([piece, count]) => {
        const letter = letterOf(piece);
        const usable = droppable.has(letter);
        return (
          <button
            key={piece.shape}
            type="button"
            class={`hand-piece ${picked === letter ? "picked" : ""}`}
            disabled={!usable}
            aria-pressed={picked === letter}
            aria-label={t.board.inHand(t.shapes[piece.shape] ?? piece.shape, count)}
            onPointerDown={(event) => usable && event.button === 0 && onPick(letter, event as unknown as PointerEvent)}
            onKeyDown={(event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), onPick(letter, null))}
          >
            <svg viewBox="0 0 100 100" aria-hidden="true"><g transform={turned ? "rotate(180 50 50)" : undefined}><PieceShape piece={piece} kind={kind} /></g></svg>
            {count > 1 && <span class="hand-count">{count}</span>}
          </button>
        );
      })}
    </div>
  );
}
