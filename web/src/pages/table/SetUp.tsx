// Setting up any position: pieces from a palette onto the board, judged by the server after every change.
import { useEffect, useState } from "preact/hooks";
import { Board } from "../../board/Board";
import { aspectOf } from "../../board/layout";
import { PieceShape } from "../../board/pieces";
import { say, words } from "../../i18n";
import { edit, openTable } from "../../protocol/api";
import type { GameInfo, Put, PutPiece, Side, View } from "../../protocol/messages";
import { Choices } from "../../ui/Choices";
import { Icon } from "../../ui/Icon";
import { go } from "../../ui/router";
import { complain, troubleText } from "../../ui/toast";
import { titleOf } from "../../ui/useGames";
import { sitDown } from "../recent";

const CHESS = ["king", "queen", "rook", "bishop", "knight", "pawn"];
const SHAPES: Record<string, string[]> = {
  go: ["stone"], chess: CHESS, othello: ["disc"], connect4: ["disc"], backgammon: ["checker"],
  yokai34: ["koropokkuru", "kitsune", "tanuki", "kodama", "samurai"],
  yokai56: ["koropokkuru", "kirin", "oni", "super-oni", "kodama", "samurai"],
};

/** What an empty board still needs, as a game cannot be without it. */
const NEEDED: Record<string, Put[]> = {
  chess: kings("e1", "e8", "king"), yokai34: kings("b1", "b4", "koropokkuru"), yokai56: kings("c1", "c6", "koropokkuru"),
};

function kings(first: string, second: string, shape: string): Put[] {
  return [{ cell: first, piece: { side: "first", shape } }, { cell: second, piece: { side: "second", shape } }];
}

/** What can be put on the board of a game, for one side. */
function paletteOf(game: GameInfo, side: Side): string[] {
  if (game.family === "tictactoe") return [side === "first" ? "cross" : "ring"];
  return SHAPES[game.id] ?? SHAPES[game.family] ?? [];
}

interface Props { game: GameInfo; position: string; coordinates: boolean; onClose(): void }

export function SetUp({ game, position, coordinates, onClose }: Props) {
  const t = words();
  const [view, setView] = useState<View | null>(null);
  const [text, setText] = useState(position);
  const [piece, setPiece] = useState<PutPiece | null>({ side: "first", shape: paletteOf(game, "first")[0] ?? "stone" });
  const [trouble, setTrouble] = useState<string | null>(null);
  const ask = (change: Parameters<typeof edit>[0]) =>
    edit(change).then((next) => { setView(next); setText(next.position); setTrouble(null); }, (error: unknown) => setTrouble(troubleText(error)));
  useEffect(() => { void ask({ game: game.id, position }); }, []);
  const put = (cell: string) => {
    const there = view?.drawn.cells.find(({ name }) => name === cell)?.piece;
    const same = there && piece && there.side === piece.side && there.shape === piece.shape && view?.drawn.board !== "track";
    void ask({ game: game.id, position: view?.position ?? position, put: [{ cell, piece: same ? null : piece }] });
  };
  const done = async () => {
    try {
      const opened = await openTable({ game: game.id, mode: "sandbox", setup: { position: text } });
      sitDown({ id: opened.id, key: opened.key, game: game.id, mode: "sandbox", at: Date.now() });
      go(`/t/${opened.id}`);
    } catch (error) {
      complain(error);
    }
  };
  if (!view) return trouble === null ? <p class="page quiet">{t.loading}</p> : <p class="page notice">{trouble}</p>;
  return (
    <div class="table-page">
      <div class="stage"><div class="stage-fit" style={`--aspect:${aspectOf(view.drawn, coordinates)}`}><Board drawn={view.drawn} toMove={view.toMove} label={titleOf(game)} sideNames={[say(game.sides[0]), say(game.sides[1])]} coordinates={coordinates} onCell={put} /></div></div>
      <div class="side">
        <section class="panel set-up" aria-label={t.sandbox.setUp}>
          <h2>{t.sandbox.setUp}</h2>
          <div class="palette" role="group" aria-label={t.sandbox.palette}>
            {(["first", "second"] as const).map((side) => (
              <div key={side} class="palette-row">
                {paletteOf(game, side).map((shape) => (
                  <button key={shape} type="button" class="palette-piece" aria-pressed={piece?.side === side && piece.shape === shape} aria-label={`${t.shapes[shape] ?? shape}, ${say(game.sides[side === "first" ? 0 : 1])}`} onClick={() => setPiece({ side, shape })}>
                    <svg viewBox="0 0 100 100" aria-hidden="true"><PieceShape piece={{ side, shape, letters: "" }} kind={view.drawn.board} /></svg>
                  </button>
                ))}
              </div>
            ))}
            <button type="button" class="chip" aria-pressed={piece === null} onClick={() => setPiece(null)}><Icon name="trash" />{t.sandbox.eraser}</button>
          </div>
          <Choices<Side> legend={t.sandbox.toMove} name="to-move" value={view.toMove} onChange={(toMove) => void ask({ game: game.id, position: view.position, toMove })} options={[{ value: "first", label: say(game.sides[0]) }, { value: "second", label: say(game.sides[1]) }]} />
          <div class="row">
            <button type="button" class="button" onClick={() => void ask({ game: game.id, position: view.position, clear: true, put: NEEDED[game.id] ?? NEEDED[game.family] ?? [] })}>{t.sandbox.clear}</button>
            <button type="button" class="button" onClick={() => void ask({ game: game.id })}>{t.sandbox.startPosition}</button>
          </div>
          <label class="field">{t.sandbox.position}
            <textarea rows={3} value={text} spellcheck={false} onInput={(event) => setText(event.currentTarget.value)} onChange={(event) => void ask({ game: game.id, position: event.currentTarget.value })} />
          </label>
          {trouble !== null && <p class="notice" role="alert">{trouble}</p>}
          <div class="row">
            <button type="button" class="button" onClick={onClose}>{t.cancel}</button>
            <button type="button" class="button primary" onClick={() => void done()}>{t.sandbox.done}</button>
          </div>
        </section>
      </div>
    </div>
  );
}
