// Everything round and flat: Go stones, Othello and Connect Four discs, checkers, crosses and rings.
// Light comes from the upper left; the gradients live once in the page (`Defs`) and every board uses them.
import type { JSX } from "preact";
import type { Side } from "../types";

/** A Go stone; its shadow is drawn apart, below all stones. */
export const Stone = ({ side }: { side: Side }) => (
  <>
    <circle cx="50" cy="50" r="48" fill={`url(#stone-${side})`} class={`stone stone-${side}`} />
    {side === "second" && <circle cx="50" cy="50" r="47.3" fill="none" stroke="#8d8a80" stroke-width="1.2" opacity=".55" />}
  </>
);

/** A disc of Othello: two faces of one piece. */
export const OthelloDisc = ({ side }: { side: Side }) => (
  <>
    <circle cx="50" cy="53" r="41" class={`disc-under-${side}`} />
    <circle cx="50" cy="49.5" r="41" fill={`url(#disc-${side})`} class={`disc-rim-${side}`} stroke-width="1.5" />
  </>
);

/** A disc of Connect Four: one side a ring, the other a star, so that colour is not needed to tell them apart. */
export const FallingDisc = ({ side }: { side: Side }) => (
  <>
    <circle cx="50" cy="50" r="44" fill={`url(#fall-${side})`} />
    <circle cx="50" cy="50" r="43" fill="none" class={`fall-rim-${side}`} stroke-width="2" />
    {side === "first"
      ? <circle cx="50" cy="50" r="24" fill="none" class="fall-mark-first" stroke-width="5" />
      : <path d="M50 24l7.1 16.200l17.6 1.700l-13.3 11.700l4 17.300l-15.4-9.100l-15.4 9.100l4-17.300l-13.3-11.700l17.6-1.700z" class="fall-mark-second" />}
  </>
);

/** A backgammon checker. */
export const Checker = ({ side }: { side: Side }) => (
  <>
    <circle cx="50" cy="50" r="48" fill={`url(#checker-${side})`} class={`checker-${side}`} stroke-width="2" />
    <circle cx="50" cy="50" r="33" fill="none" class={`checker-ring-${side}`} stroke-width="2.5" />
    {side === "second" && <circle cx="50" cy="50" r="19" fill="none" class={`checker-ring-${side}`} stroke-width="2.5" />}
  </>
);

export const Cross = () => <path d="M26 26L74 74M74 26L26 74" class="ink-cross" />;
export const Ring = () => <circle cx="50" cy="50" r="27" class="ink-ring" />;

/** The gradients of all pieces and grounds, once a page. */
export function Defs(): JSX.Element {
  const radial = (id: string, stops: [number, string][]) => (
    <radialGradient id={id} cx=".36" cy=".3" r=".78">
      {stops.map(([at, colour]) => <stop key={at} offset={at} stop-color={colour} />)}
    </radialGradient>
  );
  // Wood: uneven bands, mirrored on and on, as a plank is cut. The colours are the theme's.
  const wood = (id: string, angle: number) => (
    <linearGradient id={id} gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="310" y2="24" spreadMethod="reflect" gradientTransform={`rotate(${angle})`}>
      {[0, 0.13, 0.2, 0.34, 0.41, 0.55, 0.68, 0.74, 0.9, 1].map((at, index) => <stop key={at} offset={at} class={index % 2 ? "wood-b" : "wood-a"} />)}
    </linearGradient>
  );
  return (
    <svg width="0" height="0" class="defs" aria-hidden="true">
      <defs>
        {radial("stone-first", [[0, "#6f6d6a"], [0.22, "#474543"], [0.6, "#1d1c1b"], [1, "#0a0a0a"]])}
        {radial("stone-second", [[0, "#ffffff"], [0.45, "#f7f5f0"], [0.8, "#e3dfd5"], [1, "#c6c1b4"]])}
        {radial("disc-first", [[0, "#55524f"], [0.5, "#2b2927"], [1, "#151413"]])}
        {radial("disc-second", [[0, "#ffffff"], [0.6, "#f4f1ea"], [1, "#d8d3c7"]])}
        {radial("fall-first", [[0, "#ffe58a"], [0.6, "#f5c431"], [1, "#d99a12"]])}
        {radial("fall-second", [[0, "#f58577"], [0.6, "#d8432f"], [1, "#a82a1b"]])}
        {radial("checker-first", [[0, "#fffdf6"], [0.6, "#f1e7d2"], [1, "#d3c3a2"]])}
        {radial("checker-second", [[0, "#7a4a37"], [0.55, "#4d2a1f"], [1, "#2e1711"]])}
        <radialGradient id="stone-shadow"><stop offset=".62" stop-color="#000" stop-opacity=".42" /><stop offset="1" stop-color="#000" stop-opacity="0" /></radialGradient>
        <linearGradient id="tile-first" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#fbf0d4" /><stop offset="1" stop-color="#eed8a8" /></linearGradient>
        <linearGradient id="tile-second" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#d9c2a0" /><stop offset="1" stop-color="#bd9f74" /></linearGradient>
        {wood("wood", 4)}
        {wood("wood-frame", 86)}
      </defs>
    </svg>
  );
}
