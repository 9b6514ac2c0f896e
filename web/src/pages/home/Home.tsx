// Home: a card for each game with a small living board. One click plays as one did last; the sheet chooses everything else.
import { useState } from "preact/hooks";
import { say, words } from "../../i18n";
import type { GameInfo } from "../../protocol/messages";
import { Icon } from "../../ui/Icon";
import { useStore } from "../../ui/store";
import { complain } from "../../ui/toast";
import { gameOf, titleOf, useGames, variantOf } from "../../ui/useGames";
import { forgetTable, recents } from "../recent";
import { begin, lastChoice } from "./choice";
import { LivingBoard } from "./LivingBoard";
import { SetupSheet } from "./SetupSheet";

/** Games that belong together, in the order of the server's list. */
export function familiesOf(games: GameInfo[]): GameInfo[][] {
  const families = new Map<string, GameInfo[]>();
  for (const game of games) families.set(game.family, [...(families.get(game.family) ?? []), game]);
  const order = ["go", "chess", "yokai", "othello", "connect4", "backgammon", "tictactoe", "pig"];
  const rank = (family: string) => (order.includes(family) ? order.indexOf(family) : order.length);
  return [...families.entries()].sort(([a], [b]) => rank(a) - rank(b)).map(([, list]) => list);
}

/** What a family is called: the title without what tells its members apart. */
export function familyTitle(family: GameInfo[]): string {
  const t = words();
  const game = family[0] as GameInfo;
  return t.families[game.family] ?? say(game.title);
}

export function Home() {
  const t = words();
  const { games, trouble, retry } = useGames();
  const [sheet, setSheet] = useState<GameInfo[] | null>(null);
  const [opening, setOpening] = useState<string | null>(null);
  const tables = useStore(recents).filter((table) => !table.over).slice(0, 4);
  const start = async (family: GameInfo[]) => {
    const choice = lastChoice(family);
    const game = family.find(({ id }) => id === choice.game);
    if (!game || opening) return;
    setOpening(game.family);
    try {
      await begin(game, choice);
    } catch (error) {
      complain(error);
      setOpening(null);
    }
  };
  return (
    <div class="page home">
      <h1 class="home-title">{t.home.title}</h1>
      {trouble !== null && <p class="notice">{trouble} <button type="button" class="button" onClick={retry}>{t.retry}</button></p>}
      {games && tables.length > 0 && (
        <section class="continue" aria-label={t.home.continue}>
          <h2>{t.home.continue}</h2>
          <ul>
            {tables.map((table) => {
              const game = gameOf(games, table.game);
              return (
                <li key={table.id}>
                  <a class="continue-link" href={`/t/${table.id}`}><b>{game ? titleOf(game) : table.game}</b><span>{t.modes[table.mode]}</span></a>
                  <button type="button" class="icon-button" aria-label={t.home.forget} title={t.home.forget} onClick={() => forgetTable(table.id)}><Icon name="close" /></button>
                </li>
              );
            })}
          </ul>
        </section>
      )}
      <ul class="cards" aria-busy={games === null}>
        {games === null && trouble === null && Array.from({ length: 8 }, (_, index) => <li key={index} class="card card-empty" aria-hidden="true" />)}
        {games && familiesOf(games).map((family) => {
          const choice = lastChoice(family);
          const game = family.find(({ id }) => id === choice.game) ?? (family[0] as GameInfo);
          const title = familyTitle(family);
          const level = game.levels.find(({ id }) => id === choice.level);
          const how = choice.mode === "ai" && level ? t.home.versus(say(level.name)) : t.modes[choice.mode];
          return (
            <li key={game.family} class="card">
              <button type="button" class="card-play" aria-label={`${t.home.playNow(title)}: ${[variantOf(game), how].filter(Boolean).join(", ")}`} onClick={() => void start(family)}>
                <LivingBoard game={game.id} />
                <span class="card-title">{title}{variantOf(game) && variantOf(game) !== title && <small>{variantOf(game)}</small>}</span>
                <span class="card-how">{opening === game.family ? t.home.opening : how}</span>
              </button>
              <button type="button" class="card-options button" aria-label={t.home.options(title)} onClick={() => setSheet(family)}><Icon name="settings" /><span>{t.home.more}</span></button>
            </li>
          );
        })}
      </ul>
      {sheet && <SetupSheet family={sheet} onClose={() => setSheet(null)} />}
    </div>
  );
}
