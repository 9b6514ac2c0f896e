// The door to analysis: paste or drop a game or a position, or begin with an empty board.
import { useState } from "preact/hooks";
import { words } from "../i18n";
import { openTable } from "../protocol/api";
import { Icon } from "../ui/Icon";
import { go } from "../ui/router";
import { useStore } from "../ui/store";
import { complain } from "../ui/toast";
import { gameOf, titleOf, useGames } from "../ui/useGames";
import { openText, useDrop } from "./importing";
import { recents, sitDown } from "./recent";

export function Open() {
  const t = words();
  const { games } = useGames();
  const [text, setText] = useState("");
  const [game, setGame] = useState("");
  const over = useDrop(game || undefined);
  const sandboxes = useStore(recents).filter((table) => table.mode === "sandbox").slice(0, 6);
  const start = async (id: string) => {
    try {
      const opened = await openTable({ game: id, mode: "sandbox" });
      sitDown({ id: opened.id, key: opened.key, game: id, mode: "sandbox", at: Date.now() });
      go(`/t/${opened.id}`);
    } catch (error) {
      complain(error);
    }
  };
  return (
    <div class={`page narrow ${over ? "dropping" : ""}`}>
      <h1>{t.open.title}</h1>
      <p class="lead">{t.open.about}</p>
      <form class="panel stack" onSubmit={(event) => { event.preventDefault(); if (text.trim()) void openText(text, game || undefined); }}>
        <textarea class="paste" rows={7} spellcheck={false} placeholder={over ? t.open.drop : t.open.placeholder} aria-label={t.open.placeholder} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        <div class="row">
          <label class="inline">{t.open.game}
            <select value={game} onChange={(event) => setGame(event.currentTarget.value)}><option value="">{t.open.guess}</option>{games?.map((one) => <option key={one.id} value={one.id}>{titleOf(one)}</option>)}</select>
          </label>
          <label class="button file"><Icon name="import" />{t.open.file}<input type="file" class="sr-only" accept=".sgf,.pgn,.fen,.txt,.epd,.json" onChange={(event) => { const file = event.currentTarget.files?.[0]; if (file) void file.text().then((content) => openText(content, game || undefined)); }} /></label>
          <button type="submit" class="button primary" disabled={!text.trim()}>{t.open.open}</button>
        </div>
      </form>
      <h2>{t.open.empty}</h2>
      <div class="chips">{games?.map((one) => <button key={one.id} type="button" class="chip" onClick={() => void start(one.id)}>{titleOf(one)}</button>)}</div>
      {sandboxes.length > 0 && (
        <>
          <h2>{t.home.continue}</h2>
          <div class="chips">{sandboxes.map((table) => { const known = gameOf(games, table.game); return <a key={table.id} class="chip" href={`/t/${table.id}`}>{known ? titleOf(known) : t.sandbox.title} · {new Date(table.at).toLocaleString(document.documentElement.lang, { dateStyle: "short", timeStyle: "short" })}</a>; })}</div>
        </>
      )}
    </div>
  );
}
