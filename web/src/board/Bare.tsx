// Games without a board (Pig): totals as bars, the die, and large buttons, drawn from facts and choices alone.
import { words } from "../i18n";
import { Die } from "./Dice";
import type { Choice, Drawn, Side } from "./types";
import { indexOf } from "./types";

interface Props {
  drawn: Drawn;
  sides: readonly [string, string];
  toMove: Side;
  choices: Choice[];
  last: { move: string } | null;
  over: boolean;
  still?: boolean;
  /** What the machine thinks of each choice, by its move. */
  notes?: Map<string, string> | undefined;
  onPlay(move: string): void;
}

const GOAL = 100;

export function Bare({ drawn, sides, toMove, choices, last, over, still, notes, onPlay }: Props) {
  const t = words();
  const fact = (side: Side, name: string) => Number(drawn.facts.find((fact) => fact.side === side && fact.name === name)?.value ?? 0);
  const rolling = drawn.facts.some((fact) => fact.name === "die");
  const face = rolling ? 0 : /^[1-6]$/.test(last?.move ?? "") ? Number(last?.move) : drawn.dice[0] ?? 0;
  const turn = fact(toMove, "turn total");
  return (
    <div class={`bare ${still ? "bare-still" : ""}`}>
      <div class="bare-scores">
        {(["first", "second"] as const).map((side) => {
          const score = fact(side, "score");
          const more = !over && side === toMove ? turn : 0;
          return (
            <div key={side} class={`bare-score ${!over && side === toMove ? "bare-moving" : ""}`}>
              <span class="bare-name">{sides[indexOf(side)]}</span>
              <span class="bare-total">{score}{more > 0 && <small> +{more}</small>}</span>
              <svg viewBox="0 0 100 6" preserveAspectRatio="none" class="bare-bar" role="img" aria-label={t.board.ofGoal(score, GOAL)}>
                <rect width="100" height="6" rx="3" class="bare-track" />
                <rect width={Math.min(GOAL, score)} height="6" rx="3" class={`bare-fill bare-fill-${indexOf(side)}`} />
                {more > 0 && <rect x={score} width={Math.min(GOAL - score, more)} height="6" class="bare-more" />}
              </svg>
            </div>
          );
        })}
      </div>
      <svg viewBox="-8 -4 116 116" class={`bare-die ${rolling ? "rolling" : ""}`} key={`${last?.move}-${turn}`} role="img" aria-label={face > 0 ? t.board.dieShows(face) : t.board.die}><Die face={face} /></svg>
      {!still && (
        <div class="bare-buttons">
          {["roll", "hold"].map((move) => (
            <button key={move} type="button" class={`button bare-button ${move === "roll" ? "primary" : ""}`} disabled={!choices.some((choice) => choice.move === move)} onClick={() => onPlay(move)}>
              {t.board.bare[move] ?? move}{move === "hold" && turn > 0 ? ` +${turn}` : ""}
              {notes?.has(move) && <small class="bare-note">{notes.get(move)}</small>}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
