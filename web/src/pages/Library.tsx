// The library: filter on the left, a list of games, and beside it the game under the pointer or chosen, to be replayed.
import { useEffect, useState } from "preact/hooks";
import { say, words } from "../i18n";
import { exported, library, libraryGame, openTable } from "../protocol/api";
import type { GameInfo, LibraryGame, LibraryPage, LibraryRecord } from "../protocol/messages";
import { Icon } from "../ui/Icon";
import { go } from "../ui/router";
import { complain, troubleText } from "../ui/toast";
import { gameOf, titleOf, useGames } from "../ui/useGames";
import { useDrop } from "./importing";
import { sitDown } from "./recent";
import { Replay } from "./Replay";
import { formatsOf, saveFile } from "./table/Share";

const PAGE = 50;

export function Library({ open }: { open?: number | undefined }) {
  const t = words();
  const { games } = useGames();
  const over = useDrop();
  const [filter, setFilter] = useState({ text: "", game: "", winner: "" });
  const [page, setPage] = useState<LibraryPage | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [chosen, setChosen] = useState<number | null>(open !== undefined && Number.isFinite(open) ? open : null);
  const [record, setRecord] = useState<LibraryRecord | null>(null);
  const wanted = () => Object.fromEntries(Object.entries(filter).filter(([, value]) => value));
  const query = (offset: number) => ({ ...wanted(), offset: String(offset), limit: String(PAGE) });

  useEffect(() => {
    // Typing settles before the server is asked.
    const timer = setTimeout(() => { library(query(0)).then((found) => { setPage(found); setTrouble(null); }, (error: unknown) => setTrouble(troubleText(error))); }, 160);
    return () => clearTimeout(timer);
  }, [filter]);
  useEffect(() => {
    if (chosen === null) return;
    let gone = false;
    libraryGame(chosen).then((found) => { if (!gone) setRecord(found); }, complain);
    return () => { gone = true; };
  }, [chosen]);

  const more = () => page && library(query(page.games.length)).then((next) => setPage({ total: next.total, games: [...page.games, ...next.games] }), complain);
  const names = (game: LibraryGame, info: GameInfo | undefined) => game.players.map((name, index) => name || (info ? say(info.sides[index as 0 | 1]) : "–")).join(" – ");
  const result = (game: LibraryGame) => (game.winner ? t.result.short[game.winner] : t.library.unfinished);
  return (
    <div class={`page library ${over ? "dropping" : ""}`}>
      <h1>{t.library.title}</h1>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <label>{t.library.search}<input type="search" value={filter.text} placeholder={t.library.searchPlaceholder} onInput={(event) => setFilter({ ...filter, text: event.currentTarget.value })} /></label>
        <label>{t.library.game}<select value={filter.game} onChange={(event) => setFilter({ ...filter, game: event.currentTarget.value })}><option value="">{t.library.allGames}</option>{games?.map((game) => <option key={game.id} value={game.id}>{titleOf(game)}</option>)}</select></label>
        <label>{t.library.winner}<select value={filter.winner} onChange={(event) => setFilter({ ...filter, winner: event.currentTarget.value })}><option value="">{t.library.any}</option><option value="first">{t.library.first}</option><option value="second">{t.library.second}</option><option value="draw">{t.library.draw}</option></select></label>
        <a class="button" href="/analyse"><Icon name="import" />{t.library.import}</a>
        <a class="button" href={`/api/library/export.jsonl?${new URLSearchParams({ ...wanted(), finished: "true" })}`} download="tengen-games.jsonl"><Icon name="download" />{t.library.exportAll}</a>
      </form>
      {trouble !== null && <p class="notice">{trouble}</p>}
      <div class="library-columns">
        <div class="library-list">
          <p class="quiet" role="status">{page ? (page.total > 0 ? t.library.found(page.total) : t.library.none) : t.loading}</p>
          {page && page.games.length > 0 && (
            <table class="list">
              <thead><tr><th scope="col">{t.library.players}</th><th scope="col">{t.library.game}</th><th scope="col">{t.library.result}</th><th scope="col" class="wide-only">{t.library.length}</th><th scope="col" class="wide-only">{t.library.date}</th></tr></thead>
              <tbody>
                {page.games.map((game) => {
                  const info = gameOf(games, game.game);
                  return (
                    <tr key={game.id} class={chosen === game.id ? "chosen" : ""} onClick={() => setChosen(game.id)} onPointerEnter={(event) => event.pointerType === "mouse" && setChosen(game.id)}>
                      <td><button type="button" class="link-button" aria-pressed={chosen === game.id} onFocus={() => setChosen(game.id)}>{names(game, info)}</button></td>
                      <td>{info ? titleOf(info) : game.game}</td>
                      <td title={game.reason}>{result(game)}</td>
                      <td class="wide-only">{game.plies}</td>
                      <td class="wide-only">{game.date.slice(0, 10)}</td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          )}
          {page && page.games.length < page.total && <button type="button" class="button" onClick={() => void more()}>{t.library.more}</button>}
        </div>
        <aside class="library-preview" aria-label={t.library.preview}>
          {record ? <Preview key={record.info.id} record={record} info={gameOf(games, record.info.game)} title={names(record.info, gameOf(games, record.info.game))} result={`${result(record.info)} ${record.info.reason}`} /> : page && page.games.length > 0 && <p class="quiet">{t.library.select}</p>}
        </aside>
      </div>
    </div>
  );
}

function Preview({ record, info, title, result }: { record: LibraryRecord; info: GameInfo | undefined; title: string; result: string }) {
  const t = words();
  const open = async () => {
    try {
      const opened = await openTable({ game: record.info.game, mode: "sandbox", from: { type: "library", game: record.info.id } });
      sitDown({ id: opened.id, key: opened.key, game: record.info.game, mode: "sandbox", at: Date.now() });
      go(`/t/${opened.id}`);
    } catch (error) {
      complain(error);
    }
  };
  return (
    <div class="panel stack">
      <h2 class="preview-title">{title}</h2>
      <p class="quiet">{result}{record.info.event && ` · ${record.info.event}`}</p>
      <Replay line={{ game: record.info.game, setup: record.setup, moves: record.moves.map((move) => move.move) }} end={{ drawn: record.view.drawn, last: record.view.last }} info={info} label={title} />
      <div class="row">
        <button type="button" class="button primary" onClick={() => void open()}><Icon name="analyse" />{t.library.open}</button>
        {formatsOf(info).filter((format) => format !== "text").map((format) => <button key={format} type="button" class="button" onClick={() => void exported(`library/${record.info.id}`, format).then((text) => saveFile(`tengen-${record.info.game}-${record.info.id}.${format}`, text), complain)}><Icon name="download" />{t.share.formats[format]}</button>)}
      </div>
    </div>
  );
}
