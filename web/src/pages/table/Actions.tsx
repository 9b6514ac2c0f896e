// The buttons of a table. They keep their places through the whole game: what cannot be done now is only greyed.
import { words } from "../../i18n";
import type { GameInfo, Live, You } from "../../protocol/messages";
import { AskTwice } from "../../ui/AskTwice";
import { Icon, type IconName } from "../../ui/Icon";
import type { Wish } from "../../protocol/connection";

interface Props {
  live: Live;
  you: You;
  game: GameInfo | undefined;
  myTurn: boolean;
  analysing: boolean;
  canAnalyse: boolean;
  ask(wish: Wish): void;
  onPass(): void;
  onHint(): void;
  onFlip(): void;
  onAnalyse(): void;
  onShare(): void;
  onExplain(): void;
  onNew(): void;
  onSandbox(): void;
}

const Tool = ({ icon, label, disabled, pressed, onClick }: { icon: IconName; label: string; disabled?: boolean; pressed?: boolean; onClick(): void }) => (
  <button type="button" class="button tool" disabled={disabled} aria-pressed={pressed} title={label} onClick={onClick}><Icon name={icon} /><span>{label}</span></button>
);

export function Actions({ live, you, game, myTurn, analysing, canAnalyse, ask, onPass, onHint, onFlip, onAnalyse, onShare, onExplain, onNew, onSandbox }: Props) {
  const t = words();
  const playing = live.status === "playing";
  const over = live.status === "over";
  const mine = you !== "spectator";
  const sandbox = live.mode === "sandbox";
  const canPass = game?.passes || live.view.legal.some((move) => move.move === "pass");
  const started = live.at !== 0;
  const analyse = <Tool icon="analyse" label={t.table.analyse} pressed={analysing} disabled={!canAnalyse} onClick={onAnalyse} />;
  const flip = <Tool icon="flip" label={t.table.flip} onClick={onFlip} />;
  const share = <Tool icon="link" label={t.table.share} onClick={onShare} />;
  const explain = <Tool icon="tree" label={t.table.explain} disabled={live.mode === "link" && !over} onClick={onExplain} />;
  if (sandbox) {
    return <div class="actions" role="group" aria-label={t.table.actions}>{analyse}<Tool icon="hint" label={t.table.hint} onClick={onHint} />{flip}{canPass && <Tool icon="pass" label={t.table.pass} disabled={!myTurn} onClick={onPass} />}<Tool icon="play" label={t.sandbox.playFrom} onClick={onNew} />{explain}{share}</div>;
  }
  if (live.mode === "watch") {
    return (
      <div class="actions" role="group" aria-label={t.table.actions}>
        <Tool icon={live.paused ? "play" : "pause"} label={live.paused ? t.table.goOn : t.table.pause} disabled={over} onClick={() => ask({ do: "pause", on: !live.paused })} />
        {analyse}{flip}{explain}<Tool icon="edit" label={t.table.analyseGame} onClick={onSandbox} /><Tool icon="rematch" label={t.table.rematch} disabled={!over} onClick={() => ask({ do: "rematch" })} />{share}
      </div>
    );
  }
  return (
    <div class="actions" role="group" aria-label={t.table.actions}>
      {mine && <Tool icon="undo" label={t.table.undo} disabled={!started || !playing} onClick={() => ask({ do: "undo" })} />}
      {mine && live.mode !== "link" && <Tool icon="hint" label={t.table.hint} disabled={!playing || !myTurn} onClick={onHint} />}
      {mine && canPass && <Tool icon="pass" label={t.table.pass} disabled={!playing || !myTurn || !live.view.legal.some((move) => move.move === "pass")} onClick={onPass} />}
      {mine && live.mode === "ai" && live.thinking !== null && <Tool icon="forward" label={t.table.moveNow} onClick={() => ask({ do: "moveNow" })} />}
      {mine && game?.draws && live.mode !== "here" && <AskTwice icon="draw" label={t.table.draw} sure={t.table.drawSure} disabled={!playing || !started} onSure={() => ask({ do: "offer", offer: "draw" })} />}
      {mine && <AskTwice icon="flag" label={t.table.resign} sure={t.table.resignSure} disabled={over || live.status === "waiting"} onSure={() => ask({ do: "resign" })} />}
      {mine && <Tool icon="rematch" label={t.table.rematch} disabled={!over || live.offers.rematch === you} onClick={() => ask({ do: "rematch" })} />}
      {mine && (live.mode === "ai" || live.mode === "here") && <Tool icon="swap" label={t.table.swap} disabled={!playing} onClick={() => ask({ do: "swap" })} />}
      {flip}
      {analyse}
      {explain}
      <Tool icon="edit" label={t.table.analyseGame} disabled={live.mode === "link" && !over} onClick={onSandbox} />
      <Tool icon="board" label={t.table.newGame} onClick={onNew} />
      {share}
    </div>
  );
}
