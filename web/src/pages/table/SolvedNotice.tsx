// A solved game whose table is not there yet: what that means, a button that makes it, and how far it is.
import { useEffect, useState } from "preact/hooks";
import { words } from "../../i18n";
import { makeSolved, solved } from "../../protocol/api";
import type { Solved } from "../../protocol/messages";
import { percent } from "../../ui/figures";
import { complain } from "../../ui/toast";

export function SolvedNotice({ game, onReady }: { game: string; onReady(): void }) {
  const t = words().analysis.table;
  const [found, setFound] = useState<Solved | null>(null);
  const making = found?.state === "making";
  const look = () => solved(game).then((next) => { setFound(next); return next; });
  useEffect(() => { look().catch(() => {}); }, [game]);
  useEffect(() => {
    if (!making) return;
    const timer = setInterval(() => look().then((next) => { if (next.state === "ready") onReady(); }, () => {}), 1000);
    return () => clearInterval(timer);
  }, [making, game]);
  if (!found || found.state === "ready") return null;
  return (
    <div class="notice notice-quiet solved-notice" role="status">
      <p>{making ? t.making(percent(found.share)) : found.state === "failed" ? t.failed : t.missing}</p>
      {making ? <progress value={found.share} max={1} />
        : found.mayMake ? <button type="button" class="button" onClick={() => makeSolved(game).then(setFound, complain)}>{t.make}</button>
        : <p>{t.byHand} <code>{found.command}</code></p>}
    </div>
  );
}
