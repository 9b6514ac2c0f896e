// How the machine thinks: any search, step by step, on the position one was just looking at or on the start of a game.
import { useEffect, useRef, useState } from "preact/hooks";
import { say, words } from "../i18n";
import { explain } from "../protocol/api";
import type { Setup } from "../protocol/messages";
import { Choices } from "../ui/Choices";
import { Icon } from "../ui/Icon";
import { useSettings } from "../ui/settings";
import { remember, remembered } from "../ui/store";
import { complain } from "../ui/toast";
import { gameOf, titleOf, useGames } from "../ui/useGames";

interface Explainer { mount(element: HTMLElement, trace: unknown, options?: { language?: string }): void }
declare global {
  interface Window { TengenExplain?: Explainer }
}

/** The explaining page's own script and style, fetched when they are first wanted. */
let loading: Promise<Explainer> | null = null;
function explainer(): Promise<Explainer> {
  loading ??= new Promise((resolve, reject) => {
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = "/explain.css";
    const script = document.createElement("script");
    script.src = "/explain.js";
    script.onload = () => (window.TengenExplain ? resolve(window.TengenExplain) : reject(new Error("explain.js")));
    script.onerror = () => { loading = null; reject(new Error("explain.js")); };
    document.head.append(style, script);
  });
  return loading;
}

interface Asked { game: string; setup?: Setup; table?: string }

const DICE = ["expectiminimax", "expectimax", "mcts"];
const PLAIN = ["alphabeta", "minimax", "negamax", "mcts"];

export function Machine() {
  const t = words();
  const { language } = useSettings();
  const { games } = useGames();
  const [asked, setAsked] = useState<Asked>(() => remembered<Asked>("explain", { game: "tictactoe" }));
  const game = gameOf(games, asked.game);
  const algorithms = game?.dice ? DICE : PLAIN;
  const [algorithm, setAlgorithm] = useState("");
  const chosen = algorithms.includes(algorithm) ? algorithm : algorithms[0] ?? "alphabeta";
  const [depth, setDepth] = useState(2);
  const [visits, setVisits] = useState(40);
  const [busy, setBusy] = useState(false);
  const stage = useRef<HTMLDivElement>(null);
  const run = async () => {
    setBusy(true);
    try {
      const size = chosen === "mcts" ? { visits } : { depth };
      const [trace, page] = await Promise.all([explain({ game: asked.game, ...(asked.setup ? { setup: asked.setup } : {}), algorithm: chosen, ...size }), explainer()]);
      const element = stage.current;
      if (!element) return;
      const inner = document.createElement("div");
      element.replaceChildren(inner);
      const names = game ? { title: titleOf(game), sides: game.sides.map(say) } : {};
      page.mount(inner, { ...(trace as object), ...names }, { language });
    } catch (error) {
      complain(error);
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => { if (games) void run(); }, [games, asked, chosen, language]);
  const change = (id: string) => { const next = { game: id }; setAsked(next); remember("explain", next); };
  return (
    <div class="page machine">
      <h1>{t.learn.machine}</h1>
      <form class="filters" onSubmit={(event) => { event.preventDefault(); void run(); }}>
        <label>{t.learn.game}<select value={asked.game} onChange={(event) => change(event.currentTarget.value)}>{games?.map((one) => <option key={one.id} value={one.id}>{titleOf(one)}</option>)}</select></label>
        <Choices legend={t.learn.algorithm} name="algorithm" value={chosen} onChange={setAlgorithm} options={algorithms.map((value) => ({ value, label: t.learn.algorithms[value] ?? value, title: t.learn.algorithmsAbout[value] ?? "" }))} />
        {chosen === "mcts"
          ? <label>{t.learn.visits}<input type="number" min={1} max={400} value={visits} onInput={(event) => setVisits(event.currentTarget.valueAsNumber || 40)} /></label>
          : <label>{t.learn.depth}<input type="number" min={1} max={9} value={depth} onInput={(event) => setDepth(event.currentTarget.valueAsNumber || 2)} /></label>}
        <button type="submit" class="button primary" disabled={busy}><Icon name="play" />{busy ? t.learn.running : t.learn.run}</button>
      </form>
      {asked.table && <p class="quiet">{t.learn.fromTable} <a class="link" href={`/t/${asked.table}`}>{t.table.backToGame}</a></p>}
      <div ref={stage} class="explain-stage" aria-busy={busy} />
    </div>
  );
}
