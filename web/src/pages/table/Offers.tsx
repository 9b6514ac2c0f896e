// Offers of the other side, to be answered; one's own, waiting.
import type { Side } from "../../board/types";
import { indexOf } from "../../board/types";
import { words } from "../../i18n";
import type { Wish } from "../../protocol/connection";
import type { TableState } from "./client";

export function Offers({ state, names, ask }: { state: TableState; names: [string, string]; ask(wish: Wish): void }) {
  const t = words();
  const { live, you } = state;
  const kinds = (["draw", "undo", "rematch"] as const).filter((offer) => live.offers[offer] !== null);
  if (kinds.length === 0 || you === "spectator") return null;
  return (
    <>
      {kinds.map((offer) => {
        const from = live.offers[offer] as Side;
        if (from === you) return <p key={offer} class="notice notice-quiet">{t.table.offered}</p>;
        const who = live.chairs[indexOf(from)].name || names[indexOf(from)];
        return (
          <p key={offer} class="notice" role="alert">
            {offer === "draw" ? t.table.offerDraw(who) : offer === "undo" ? t.table.offerUndo(who) : t.table.offerRematch(who)}
            <span class="row"><button type="button" class="button primary" onClick={() => ask({ do: "answer", offer, accept: true })}>{t.table.yes}</button><button type="button" class="button" onClick={() => ask({ do: "answer", offer, accept: false })}>{t.table.no}</button></span>
          </p>
        );
      })}
    </>
  );
}
