// A small board on which a short game plays itself, slowly; it stands still for those who want less motion.
import { useEffect, useRef, useState } from "preact/hooks";
import { Bare } from "../../board/Bare";
import { Board } from "../../board/Board";
import { demo } from "../../protocol/api";
import type { Frame } from "../../protocol/messages";

const cache = new Map<string, Frame[]>();
const PACE = 1300;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export function LivingBoard({ game }: { game: string }) {
  const [frames, setFrames] = useState<Frame[] | null>(() => cache.get(game) ?? null);
  const [at, setAt] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let gone = false;
    const known = cache.get(game);
    if (known) setFrames(known);
    else demo(game).then((list) => { cache.set(game, list); if (!gone) setFrames(list); }, () => {});
    return () => { gone = true; };
  }, [game]);
  useEffect(() => {
    if (!frames || frames.length === 0) return;
    const middle = Math.min(frames.length - 1, Math.floor(frames.length * 0.55));
    setAt(middle);
    if (still.matches) return;
    // Each board begins at its own moment, and rests while nobody sees it.
    let timer: ReturnType<typeof setTimeout>;
    const step = () => {
      const seen = document.visibilityState === "visible" && box.current !== null && box.current.getBoundingClientRect().top < innerHeight;
      if (seen) setAt((now) => (now + 1 >= frames.length ? 0 : now + 1));
      timer = setTimeout(step, PACE);
    };
    timer = setTimeout(step, PACE + Math.random() * PACE);
    return () => clearTimeout(timer);
  }, [frames]);
  const frame = frames?.[at];
  return (
    <div ref={box} class="living" aria-hidden="true">
      <div class="living-fit">{frame && (frame.drawn.board === "bare"
        ? <Bare drawn={frame.drawn} sides={["", ""]} toMove={frame.drawn.facts.find((fact) => fact.name === "turn total")?.side ?? "first"} choices={[]} last={frame.last} over={false} still onPlay={() => {}} />
        : <Board still drawn={frame.drawn} toMove="first" last={frame.last} label="" sideNames={["", ""]} />)}</div>
    </div>
  );
}
