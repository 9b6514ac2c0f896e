// Any piece by its shape and side, drawn in a box of 100 x 100. Unknown shapes are drawn as their letters, so a new
// game is playable before anybody has drawn its pieces.
import type { BoardKind, Piece } from "../types";
import { CHESS } from "./chess";
import { Checker, Cross, FallingDisc, OthelloDisc, Ring, Stone } from "./round";
import { YOKAI } from "./yokai";

/** Whether the piece points somewhere, and is turned for the side that looks from the other end. */
export const isTile = (shape: string): boolean => shape in YOKAI;

export function PieceShape({ piece, kind }: { piece: Piece; kind: BoardKind }) {
  const { shape, side } = piece;
  if (shape === "stone") return <Stone side={side} />;
  if (shape === "disc") return kind === "columns" ? <FallingDisc side={side} /> : <OthelloDisc side={side} />;
  if (shape === "checker") return <Checker side={side} />;
  if (shape === "cross") return <Cross />;
  if (shape === "ring") return <Ring />;
  const Chess = CHESS[shape];
  if (Chess) return <g class={`pc pc-${side}`}><Chess /></g>;
  const Yokai = YOKAI[shape];
  if (Yokai) return <g class={`yk yk-${side}`}><Yokai /></g>;
  return (
    <g class={`pc pc-${side}`}>
      <circle cx="50" cy="50" r="40" class="pc-body" />
      <text x="50" y="64" class="pc-letters">{piece.letters}</text>
    </g>
  );
}
