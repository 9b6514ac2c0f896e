// One player at the edge of the board: name, level, what is counted beside the board, and the clock.
import { useEffect, useState } from "preact/hooks";
import { say, words } from "../../i18n";
import type { Chair, Clocks, Drawn, Side } from "../../protocol/messages";
import { clockText } from "../../ui/figures";
import { play } from "../../ui/sound";

interface Props {
  side: Side;
  sideName: string;
  chair: Chair;
  you: boolean;
  drawn: Drawn;
  moving: boolean;
  thinking: boolean;
  clocks: Clocks | null;
  clocksAt: number;
  sandbox: boolean;
}

export function Strip({ side, sideName, chair, you, drawn, moving, thinking, clocks, clocksAt, sandbox }: Props) {
  const t = words();
  const name = chair.sitter === "ai" ? (chair.level ? say(chair.level.name) : t.table.machine) : chair.name || (you ? t.table.you : sideName);
  const facts = drawn.board === "bare" ? [] : drawn.facts.filter((fact) => fact.side === side && fact.value !== "0");
  return (
    <div class={`strip ${moving ? "strip-moving" : ""}`}>
      <span class={`strip-side strip-${drawn.board} strip-${side}`} aria-hidden="true" />
      <span class="strip-names">
        <b class="strip-name">{sandbox ? sideName : name}</b>
        {!sandbox && name !== sideName && <span class="strip-colour">{sideName}</span>}
        {!chair.present && chair.sitter === "person" && !sandbox && <span class="strip-away">{t.table.absent}</span>}
        {thinking && <span class="strip-thinking">{t.table.thinking}</span>}
      </span>
      {facts.map((fact) => <span key={fact.name} class="strip-fact" title={t.table.factsAbout[fact.name]}><b>{fact.value}</b> {t.table.facts[fact.name] ?? fact.name}</span>)}
      {clocks && <Clock side={side} clocks={clocks} at={clocksAt} name={name} />}
    </div>
  );
}

function Clock({ side, clocks, at, name }: { side: Side; clocks: Clocks; at: number; name: string }) {
  const t = words();
  const running = clocks.running === side;
  const [, draw] = useState(0);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => draw((n) => n + 1), 100);
    return () => clearInterval(timer);
  }, [running]);
  const left = clocks.left[side === "first" ? 0 : 1];
  let ms = left.ms - (running ? performance.now() - at : 0);
  let { periods, inPeriod } = left;
  // Until the server says so itself, the display goes over into byo-yomi on its own.
  if (clocks.rule.kind === "byoyomi") {
    while (ms < 0 && (inPeriod ? periods > 1 : periods > 0)) {
      if (inPeriod) periods--;
      inPeriod = true;
      ms += clocks.rule.periodMs;
    }
  }
  const low = ms < 20_000;
  useEffect(() => { if (running && low) play("warn"); }, [running && low]);
  const text = clockText(ms);
  return (
    <span class={`clock ${running ? "clock-running" : ""} ${running && low ? "clock-low" : ""}`} role="timer" aria-label={t.table.clock(name, text)}>
      {text}
      {clocks.rule.kind === "byoyomi" && <small title={t.table.periods(periods)}> {inPeriod ? "" : "+"}{periods}×{Math.round(clocks.rule.periodMs / 1000)}</small>}
    </span>
  );
}
