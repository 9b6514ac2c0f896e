// A game that can be walked through without a table: the end is shown at once, the other positions when they are wanted.
import { useEffect, useRef, useState } from "preact/hooks";
import { Bare } from "../board/Bare";
import { Board } from "../board/Board";
import { say, words } from "../i18n";
import { frames as fetchFrames } from "../protocol/api";
import type { Frame, GameInfo, Line } from "../protocol/messages";
import { Icon } from "../ui/Icon";
import { complain } from "../ui/toast";

export function Replay({ line, end, info, label }: { line: Line; end: Frame; info: GameInfo | undefined; label: string }) {
  const t = words();
  const last = line.moves?.length ?? 0;
  const [frames, setFrames] = useState<Frame[] | null>(null);
  const [at, setAt] = useState(last);
  const [running, run] = useState(false);
  const asked = useRef(false);
  const load = () => {
    if (asked.current) return;
    asked.current = true;
    fetchFrames(line).then(setFrames, (error: unknown) => { asked.current = false; complain(error); });
  };
  // A live game grows: whoever looked at its end goes on doing so.
  const seen = useRef(last);
  useEffect(() => {
    if (at === seen.current) setAt(last);
    if (seen.current !== last) { asked.current = false; setFrames(null); if (at !== seen.current) load(); }
    seen.current = last;
  }, [last]);
  useEffect(() => {
    if (!running || !frames) return;
    const timer = setInterval(() => setAt((now) => { if (now >= frames.length - 1) { run(false); return now; } return now + 1; }), 800);
    return () => clearInterval(timer);
  }, [running, frames]);
  const go = (to: number) => { load(); setAt(Math.min(last, Math.max(0, to))); };
  const frame = at === last ? end : frames?.[at] ?? end;
  const sides: [string, string] = info ? [say(info.sides[0]), say(info.sides[1])] : ["", ""];
  return (
    <div class="replay">
      {frame.drawn.board === "bare"
        ? <Bare drawn={frame.drawn} sides={sides} toMove={frame.drawn.facts.find((fact) => fact.name === "turn total")?.side ?? "first"} choices={[]} last={frame.last} over={at === last} still onPlay={() => {}} />
        : <Board still drawn={frame.drawn} toMove="first" last={frame.last} label={label} sideNames={sides} />}
      <div class="walk">
        <button type="button" class="icon-button" aria-label={t.table.first} disabled={at === 0} onClick={() => go(0)}><Icon name="first" /></button>
        <button type="button" class="icon-button" aria-label={t.table.back} disabled={at === 0} onClick={() => go(at - 1)}><Icon name="back" /></button>
        <button type="button" class="icon-button" aria-label={running ? t.table.pause : t.library.replay} onClick={() => { load(); if (at >= last) setAt(0); run(!running); }}><Icon name={running ? "pause" : "play"} /></button>
        <button type="button" class="icon-button" aria-label={t.table.forward} disabled={at >= last} onClick={() => go(at + 1)}><Icon name="forward" /></button>
        <button type="button" class="icon-button" aria-label={t.table.last} disabled={at >= last} onClick={() => go(last)}><Icon name="last" /></button>
        <output class="walk-at">{at} / {last}{frame.last ? ` · ${frame.last.label}` : ""}</output>
      </div>
    </div>
  );
}
