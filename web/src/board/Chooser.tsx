// When several legal moves fit the same clicks (promotion, drops, castling), this asks which one is meant.
import { useEffect, useRef } from "preact/hooks";
import { words } from "../i18n";
import type { Layout, Place } from "./layout";
import { PieceShape } from "./pieces";
import type { Choice, Piece, Side } from "./types";

const LETTERS: Record<string, string> = { q: "queen", r: "rook", b: "bishop", n: "knight", k: "king" };

/** The piece that a promotion asks for, read off the end of its text: `e7e8q`. */
function promoted(choice: Choice, side: Side): Piece | null {
  const letter = /^[a-h]\d[a-h]\d([qrbnk])$/.exec(choice.move)?.[1];
  const shape = letter === undefined ? undefined : LETTERS[letter];
  return shape === undefined ? null : { side, shape, letters: "" };
}

interface Props { choices: Choice[]; place: Place; layout: Layout; side: Side; onChoose(choice: Choice): void; onClose(): void }

export function Chooser({ choices, place, layout, side, onChoose, onClose }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector("button")?.focus();
    const outside = (event: PointerEvent) => { if (!box.current?.contains(event.target as Node)) onClose(); };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, []);
  const keys = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
    const step = event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : event.key === "ArrowLeft" || event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      const buttons = [...(box.current?.querySelectorAll("button") ?? [])];
      const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
      buttons[(at + step + buttons.length) % buttons.length]?.focus();
    }
    if (event.key !== "Enter" && event.key !== " " && event.key !== "Tab") event.preventDefault();
    event.stopPropagation();
  };
  const style = `left:clamp(110px, ${(place.x / layout.width) * 100}%, calc(100% - 110px));top:clamp(30px, ${(place.y / layout.height) * 100}%, calc(100% - 30px))`;
  return (
    <div ref={box} class="chooser" role="dialog" aria-label={words().board.choose} style={style} onKeyDown={keys}>
      {choices.map((choice) => {
        const piece = promoted(choice, side);
        return (
          <button key={choice.move} type="button" class="chooser-item" aria-label={piece ? words().shapes[piece.shape] : choice.label} title={choice.label} onClick={() => onChoose(choice)}>
            {piece ? <svg viewBox="0 0 100 100" aria-hidden="true"><PieceShape piece={piece} kind={layout.kind} /></svg> : <span>{choice.label}</span>}
          </button>
        );
      })}
    </div>
  );
}
