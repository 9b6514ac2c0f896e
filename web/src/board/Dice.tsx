// Dice with their pips, for backgammon, Pig and whatever rolls.
import { memo } from "../ui/memo";

const PIPS: Record<number, [number, number][]> = {
  1: [[50, 50]],
  2: [[28, 28], [72, 72]],
  3: [[27, 27], [50, 50], [73, 73]],
  4: [[28, 28], [72, 28], [28, 72], [72, 72]],
  5: [[27, 27], [73, 27], [50, 50], [27, 73], [73, 73]],
  6: [[28, 25], [72, 25], [28, 50], [72, 50], [28, 75], [72, 75]],
};

/** The face of a die in a box of 100 x 100; 0 is a die still in the air. */
export const Die = memo(({ face, used = false }: { face: number; used?: boolean }) => (
  <g class={used ? "die die-used" : "die"}>
    <rect x="6" y="9" width="88" height="88" rx="19" class="die-under" />
    <rect x="6" y="5" width="88" height="88" rx="19" class="die-face" />
    <g transform="translate(0 -1)">
      {face === 0 ? <text x="50" y="68" class="die-unknown">?</text> : (PIPS[face] ?? []).map(([x, y]) => <circle key={`${x}-${y}`} cx={x} cy={y} r="9.5" class={face === 1 ? "pip pip-one" : "pip"} />)}
    </g>
  </g>
));
