// The end of a Go game: dead groups are proposed and can be toggled on the board by both, with the count as it stands.
import { words } from "../../i18n";
import type { Live, You } from "../../protocol/messages";
import type { Wish } from "../../protocol/connection";

interface Props { live: Live; you: You; names: [string, string]; ask(wish: Wish): void }

export function CountingPanel({ live, you, names, ask }: Props) {
  const t = words();
  const { counting } = live;
  if (!counting) return null;
  const rules = live.view.drawn.facts.find((fact) => fact.name === "rules")?.value ?? "";
  const open = live.status === "counting";
  const agreed = you === "both" ? counting.accepted.every(Boolean) : you === "spectator" ? false : counting.accepted[you === "first" ? 0 : 1];
  const missing = names.filter((_, index) => !counting.accepted[index]);
  return (
    <section class="panel counting" aria-label={t.counting.title} aria-live="polite">
      <div class="count">
        {names.map((name, index) => <div key={index} class="count-side"><span>{name}{counting.accepted[index] && open ? ` ✓` : ""}</span><b>{counting.points[index]}</b></div>)}
      </div>
      <p class="quiet">{open && (counting.judged ? t.counting.about : t.counting.judging)} {rules && t.counting.rules(t.rules[rules] ?? rules)}</p>
      {open && you !== "spectator" && (
        <div class="row">
          <button type="button" class="button primary" disabled={agreed || !counting.judged} onClick={() => ask({ do: "accept", count: counting.number })}>{agreed ? t.counting.accepted : t.counting.accept}</button>
          <button type="button" class="button" onClick={() => ask({ do: "resume" })}>{t.counting.resume}</button>
          {agreed && missing.length > 0 && <span class="quiet">{t.counting.waitingFor(missing.join(", "))}</span>}
        </div>
      )}
    </section>
  );
}
