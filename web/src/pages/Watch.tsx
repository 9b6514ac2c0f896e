// Watch: the list of runs, and one run as a living table with ratings and their uncertainty, games, and curves.
import { useEffect, useState } from "preact/hooks";
import { words } from "../i18n";
import { run as fetchRun, runs as fetchRuns } from "../protocol/api";
import { connection } from "../protocol/connection";
import type { Run, RunGame, RunInfo, Series, Standing } from "../protocol/messages";
import { duration, fixed, short } from "../ui/figures";
import { Graph } from "../ui/Graph";
import { Icon } from "../ui/Icon";
import { complain, troubleText } from "../ui/toast";
import { gameOf, titleOf, useGames } from "../ui/useGames";
import { Replay } from "./Replay";

function Progress({ info }: { info: RunInfo }) {
  const t = words();
  return (
    <span class="run-progress">
      {info.of > 0 && <progress value={info.done} max={info.of} />}
      <span>{t.watch.progress(info.done, info.of)}{info.running && info.eta !== null && info.eta > 0 ? ` · ${t.watch.eta(duration(info.eta))}` : ""}</span>
    </span>
  );
}

export function Watch() {
  const t = words();
  const { games } = useGames();
  const [list, setList] = useState<RunInfo[] | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  useEffect(() => {
    const load = () => fetchRuns().then((found) => { setList(found); setTrouble(null); }, (error: unknown) => setTrouble(troubleText(error)));
    void load();
    const timer = setInterval(() => document.visibilityState === "visible" && void load(), 4000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div class="page narrow">
      <h1>{t.watch.title}</h1>
      <p class="lead">{t.watch.about}</p>
      {trouble !== null && <p class="notice">{trouble}</p>}
      {list === null && trouble === null && <p class="quiet">{t.loading}</p>}
      {list?.length === 0 && (
        <div class="panel stack">
          <p>{t.watch.none}</p>
          <p class="quiet">{t.watch.noneHow}</p>
          <pre class="code">tengen duel mcts:visits=200 alphabeta:depth=4 --game othello --games 50</pre>
        </div>
      )}
      <ul class="runs">
        {list?.map((info) => {
          const game = gameOf(games, info.game);
          return (
            <li key={info.id}>
              <a class="panel run-card" href={`/watch/${encodeURIComponent(info.id)}`}>
                <span class={`badge ${info.running ? "badge-on" : ""}`}>{info.running ? t.watch.running : t.watch.finished}</span>
                <b>{info.title}</b>
                <span class="quiet">{t.watch.kinds[info.kind]} · {game ? titleOf(game) : info.game} · {info.started.slice(0, 16).replace("T", " ")}</span>
                <Progress info={info} />
              </a>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

export function RunPage({ id }: { id: string }) {
  const t = words();
  const { games } = useGames();
  const [run, setRun] = useState<Run | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  useEffect(() => {
    fetchRun(id).then(setRun, (error: unknown) => setTrouble(troubleText(error)));
    const line = connection();
    const stop = line.listen((event) => event.type === "run" && event.run.info.id === id && setRun(event.run));
    line.ask({ do: "watch", run: id }).catch(complain);
    return () => { stop(); line.ask({ do: "watch", run: null }).catch(() => {}); };
  }, [id]);
  if (trouble !== null) return <div class="page"><p class="notice">{trouble}</p></div>;
  if (!run) return <p class="page quiet">{t.loading}</p>;
  const { info } = run;
  const game = gameOf(games, info.game);
  const shown = run.games.find((one) => one.number === chosen) ?? run.games.find((one) => one.library === null && one.view) ?? run.games.at(-1);
  const groups = [...new Set(run.series.map((series) => series.group))];
  return (
    <div class="page run">
      <p><a class="link" href="/watch"><Icon name="back" />{t.watch.back}</a></p>
      <h1>{info.title} <span class={`badge ${info.running ? "badge-on" : ""}`}>{info.running ? t.watch.running : t.watch.finished}</span></h1>
      <p class="lead">{t.watch.kinds[info.kind]} · {game ? titleOf(game) : info.game} · {t.watch.started(info.started.slice(0, 16).replace("T", " "))}</p>
      <Progress info={info} />
      {run.verdict && <p class="verdict-text">{run.verdict}</p>}
      <div class="run-columns">
        <div class="stack">
          {run.standings.length > 0 && <Standings standings={run.standings} />}
          {run.cross.length > 2 && <Cross run={run} />}
          {groups.map((group) => <Curves key={group} group={group} series={run.series.filter((series) => series.group === group)} />)}
          {Object.keys(run.settings).length > 0 && (
            <details class="panel"><summary>{t.watch.settings}</summary><dl class="facts">{Object.entries(run.settings).map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl></details>
          )}
        </div>
        {run.games.length > 0 && (
          <section class="panel stack" aria-label={t.watch.games}>
            <h2>{t.watch.games}</h2>
            {shown?.view && <GameView game={shown} runGame={info.game} info={game} setup={run.settings} />}
            <ul class="run-games">
              {run.games.map((one) => (
                <li key={one.number}><button type="button" class="link-button" aria-pressed={one === shown} onClick={() => setChosen(one.number)}>{t.watch.game(one.number)}: {one.players.join(" – ")} {one.library === null ? <span class="badge badge-on">{t.watch.live}</span> : null}</button></li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </div>
  );
}

function GameView({ game, runGame, info }: { game: RunGame; runGame: string; info: ReturnType<typeof gameOf>; setup: Record<string, string> }) {
  if (!game.view) return null;
  return (
    <>
      <p><b>{game.players[0]}</b> – <b>{game.players[1]}</b></p>
      <Replay key={game.number} line={{ game: runGame, moves: game.moves }} end={{ drawn: game.view.drawn, last: game.view.last }} info={info} label={game.players.join(" – ")} />
    </>
  );
}

/** Ratings with their 95 % intervals drawn to one scale. */
function Standings({ standings }: { standings: Standing[] }) {
  const t = words();
  const known = standings.filter((one) => one.rating !== null);
  const low = Math.min(...known.map((one) => (one.rating ?? 0) - (one.error ?? 0)));
  const high = Math.max(...known.map((one) => (one.rating ?? 0) + (one.error ?? 0)));
  const x = (rating: number) => (high > low ? ((rating - low) / (high - low)) * 96 + 2 : 50);
  return (
    <section class="panel scroll-x" aria-label={t.watch.standings} tabIndex={0}>
      <h2>{t.watch.standings}</h2>
      <table class="list standings">
        <thead><tr><th scope="col">{t.watch.player}</th><th scope="col">{t.watch.rating}</th><th scope="col" class="wide-only"><span class="sr-only">{t.watch.interval}</span></th><th scope="col">{t.watch.wins}</th><th scope="col">{t.watch.draws}</th><th scope="col">{t.watch.losses}</th><th scope="col">{t.watch.score}</th></tr></thead>
        <tbody>
          {standings.map((one) => {
            const games = one.wins + one.draws + one.losses;
            return (
              <tr key={one.name}>
                <th scope="row">{one.name}</th>
                <td class="number">{one.rating === null ? <span class="quiet">{t.watch.fewGames}</span> : <>{Math.round(one.rating)}{one.error !== null && <span class="quiet"> ± {Math.round(one.error)}</span>}</>}</td>
                <td class="wide-only interval-cell">
                  {one.rating !== null && (
                    <svg viewBox="0 0 100 12" preserveAspectRatio="none" class="interval" aria-hidden="true">
                      <path d={`M${x(one.rating - (one.error ?? 0))} 6H${x(one.rating + (one.error ?? 0))}`} class="interval-line" vector-effect="non-scaling-stroke" />
                      <path d={`M${x(one.rating)} 1V11`} class="interval-mid" vector-effect="non-scaling-stroke" />
                    </svg>
                  )}
                </td>
                <td class="number">{one.wins}</td><td class="number">{one.draws}</td><td class="number">{one.losses}</td>
                <td class="number">{games > 0 ? `${fixed(((one.wins + one.draws / 2) / games) * 100, 1)} %` : "–"}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function Cross({ run }: { run: Run }) {
  const t = words();
  return (
    <section class="panel scroll-x" aria-label={t.watch.cross} tabIndex={0}>
      <h2>{t.watch.cross}</h2>
      <table class="list cross">
        <thead><tr><th />{run.standings.map((one, index) => <th key={one.name} scope="col" title={one.name}>{index + 1}</th>)}</tr></thead>
        <tbody>
          {run.standings.map((one, row) => (
            <tr key={one.name}>
              <th scope="row">{row + 1}. {one.name}</th>
              {run.standings.map((against, column) => { const cell = run.cross[row]?.[column]; return <td key={against.name} class="number" title={`${one.name} – ${against.name}`}>{cell ? `+${cell[0]} =${cell[1]} −${cell[2]}` : "·"}</td>; })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Curves({ group, series }: { group: string; series: Series[] }) {
  const format = (y: number) => (Math.abs(y) >= 1000 ? short(y) : Number(y.toPrecision(3)).toString());
  return (
    <section class="panel" aria-label={group}>
      <h2 class="curves-title">{group}</h2>
      <p class="legend">{series.map((one, index) => <span key={one.name} class={`legend-item curve-${index % 4}`}><svg viewBox="0 0 26 8" aria-hidden="true"><path d="M0 4H26" class={`curve-line dash-${index % 4}`} /></svg>{one.name} {one.points.at(-1) && <b>{format(one.points.at(-1)?.[1] ?? 0)}</b>}</span>)}</p>
      <Graph label={`${group}: ${series.map((one) => one.name).join(", ")}`} curves={series.map((one) => ({ name: one.name, points: one.points }))} axis height={190} format={format} formatX={(x) => `${short(x)} ${series[0]?.along ?? ""}`} />
    </section>
  );
}
