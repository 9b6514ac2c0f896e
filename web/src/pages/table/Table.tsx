// The table: the board as large as fits, a player at either edge, and one column with moves, graph and actions.
// A played game and the sandbox are the same page; the sandbox can also branch, comment and set up positions.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Bare } from "../../board/Bare";
import { Board } from "../../board/Board";
import { bareChoices } from "../../board/input";
import { aspectOf } from "../../board/layout";
import { TextBoard } from "../../board/TextBoard";
import type { Choice, Side } from "../../board/types";
import { indexOf } from "../../board/types";
import { words } from "../../i18n";
import { openTable } from "../../protocol/api";
import type { Wish } from "../../protocol/connection";
import type { Candidate, Event, Move, Source, View } from "../../protocol/messages";
import { percent } from "../../ui/figures";
import { Icon } from "../../ui/Icon";
import { useKeys } from "../../ui/keys";
import { go } from "../../ui/router";
import { useSettings } from "../../ui/settings";
import { play as sound } from "../../ui/sound";
import { remember, remembered } from "../../ui/store";
import { complain, tell, troubleText } from "../../ui/toast";
import { gameOf, titleOf, useGames } from "../../ui/useGames";
import { familiesOf } from "../home/Home";
import { SetupSheet } from "../home/SetupSheet";
import { useDrop } from "../importing";
import { noteTable, recentTable, sitDown } from "../recent";
import { Actions } from "./Actions";
import { AnalysisPanel, chanceFor, type Layers } from "./AnalysisPanel";
import { Chat } from "./Chat";
import { lineThrough, pathTo, type TableState, useTable } from "./client";
import { CountingPanel } from "./CountingPanel";
import { GameGraph } from "./GameGraph";
import { Moves } from "./Moves";
import { Offers } from "./Offers";
import { useMarks, useOverlay, WRONG } from "./overlays";
import { marksAfter, type MarkShape, SandboxTools } from "./SandboxTools";
import { fallSentence, judgedSentence, resultSentence, sideNames } from "./sentences";
import { SetUp } from "./SetUp";
import { CopyField, Share } from "./Share";
import { Strip } from "./Strip";

/** The key to a seat comes behind the `#` of a link once; then it is remembered and the address shows only the table. */
function takeKey(id: string): string | undefined {
  const key = location.hash.slice(1);
  if (key) {
    const known = recentTable(id);
    sitDown({ ...(known ?? { game: "", mode: "link" }), id, key, at: Date.now() });
    history.replaceState(null, "", location.pathname);
  }
  return recentTable(id)?.key;
}

export function TablePage({ id }: { id: string }) {
  const t = words();
  const key = useMemo(() => takeKey(id), [id]);
  const client = useTable(id, key);
  if (client.trouble) return <div class="page"><p class="notice">{troubleText(client.trouble)}</p><p><a class="button" href="/">{t.nav.play}</a></p></div>;
  if (!client.state) return <p class="page quiet" role="status">{client.status === "lost" ? t.connection.lost : t.table.loading}</p>;
  return <Playing state={client.state} lost={client.status === "lost"} ask={client.ask} />;
}

const LAYERS: Layers = { candidates: true, ownership: false, influence: false, numbers: "chance" };

function Playing({ state, lost, ask: request }: { state: TableState; lost: boolean; ask(wish: Wish): Promise<Event> }) {
  const t = words();
  const { coordinates, textBoard } = useSettings();
  const { games } = useGames();
  const { live, you, nodes } = state;
  const game = gameOf(games, live.game);
  const names = sideNames(game, live);
  const sandbox = live.mode === "sandbox";
  const owner = sandbox && you === "both";

  // Which node is looked at: the game's own, or an earlier one, for this page alone.
  const [looking, setLooking] = useState<number | null>(null);
  const preferred = useRef(new Map<number, number>());
  const cursor = looking !== null && nodes.has(looking) ? looking : live.at;
  const kept = useRef<View>(live.view);
  const view = state.views.get(cursor) ?? (cursor === live.at ? live.view : kept.current);
  kept.current = view;
  const line = useMemo(() => lineThrough(state, cursor, preferred.current), [state.nodes, cursor]);
  const step = line.indexOf(cursor);

  const [flippedByHand, setFlipped] = useState(false);
  const flipped = (you === "second") !== flippedByHand;
  const [pending, setPending] = useState<Choice | null>(null);
  const [hint, setHint] = useState<{ node: number; candidate: Candidate } | null>(null);
  const [analysing, setAnalysing] = useState(() => sandbox && remembered("analysing", true));
  const [layers, setLayersNow] = useState<Layers>(() => ({ ...LAYERS, ...remembered<Partial<Layers>>("layers", {}) }));
  const [pv, setPv] = useState<Move[] | null>(null);
  const [sheet, setSheet] = useState<"new" | "from" | "share" | "setup" | null>(null);
  const [said, setSaid] = useState("");
  const [marking, setMarking] = useState<MarkShape | null>(null);
  const dropping = useDrop(undefined, owner);
  const setLayers = (next: Layers) => { setLayersNow(next); remember("layers", next); };
  const ask = (wish: Wish) => void request(wish).catch(complain);

  const canAnalyse = live.mode !== "link" || live.status === "over";
  const atGame = cursor === live.at;
  const mine = (side: Side) => you === "both" || you === side;
  const decides = view.turn === "first" || view.turn === "second" ? view.turn : null;
  const myTurn = sandbox ? owner && decides !== null : atGame && live.status === "playing" && decides !== null && mine(decides);
  const myRoll = view.turn === "chance" && (sandbox ? owner : atGame && live.status === "playing" && mine(view.toMove));
  const choices = myTurn ? view.legal : NONE;

  // Going through the game.
  const goTo = (node: number) => {
    const path = pathTo(state, node);
    path.forEach((id, index) => { const next = path[index + 1]; if (next !== undefined) preferred.current.set(id, next); });
    setPv(null);
    if (owner) {
      setLooking(null);
      if (node !== live.at) ask({ do: "goto", node });
      return;
    }
    setLooking(node === live.at ? null : node);
    if (!state.views.has(node)) ask({ do: "look", node });
  };
  const walk = (by: number) => { const node = line[Math.min(line.length - 1, Math.max(0, step + by))]; if (node !== undefined && node !== cursor) goTo(node); };
  const sibling = (by: number) => {
    const parent = nodes.get(cursor)?.parent;
    const family = parent === null || parent === undefined ? [] : state.children.get(parent) ?? [];
    const next = family[family.indexOf(cursor) + by];
    if (next !== undefined) goTo(next);
  };
  const nextMistake = () => {
    const wrong = line.filter((id) => WRONG.includes(nodes.get(id)?.judged?.kind ?? ""));
    const next = wrong.find((id) => line.indexOf(id) > step) ?? wrong[0];
    if (next === undefined) tell(t.tree.noMistakes);
    else goTo(next);
  };

  // Playing. A move says which position it answers, and one position is answered once: a second click that comes before the answer is not a move.
  const answered = useRef<number | null>(null);
  const play = (move: string) => {
    if (!sandbox && answered.current === cursor) return;
    answered.current = cursor;
    const choice = choices.find((one) => one.move === move) ?? null;
    setPending(choice);
    setHint(null);
    request({ do: "play", move, node: cursor }).catch(complain).finally(() => { answered.current = null; setPending(null); });
  };
  const pass = () => { if (choices.some((one) => one.move === "pass")) play("pass"); };
  const askHint = () => {
    if (live.mode === "link" || !(myTurn || sandbox)) return;
    request({ do: "hint" }).then((event) => {
      if (event.type !== "hint") return;
      setHint({ node: event.node, candidate: event.candidate });
      tell(t.table.hintIs(event.candidate.move.label, percent(chanceFor(event.candidate.value, view.toMove))));
    }, complain);
  };
  const toggleAnalysis = () => {
    if (!canAnalyse) return tell(t.analysis.notByLink);
    if (sandbox) remember("analysing", !analysing);
    setAnalysing(!analysing);
  };

  useKeys({
    ArrowLeft: () => walk(-1), ArrowRight: () => walk(1), ArrowUp: () => sibling(-1), ArrowDown: () => sibling(1),
    Home: () => goTo(0), End: () => { const end = line.at(-1); if (end !== undefined) goTo(end); },
    " ": askHint, a: toggleAnalysis, f: () => setFlipped(!flippedByHand), n: nextMistake, p: pass,
    u: () => { if (!sandbox && you !== "spectator") ask({ do: "undo" }); else walk(-1); },
    Escape: () => setLooking(null),
  });

  // A new move: say it, sound it, come back to the game if one was looking at its last position.
  const before = useRef({ at: live.at, pieces: 0, status: live.status });
  useEffect(() => {
    const pieces = live.view.drawn.cells.reduce((sum, cell) => sum + cell.count, 0);
    const was = before.current;
    if (was.at !== live.at) {
      const node = nodes.get(live.at);
      if (node?.played) {
        const who = node.side ? names[indexOf(node.side)] : "";
        setSaid(`${t.table.played(who, node.played.label)}. ${live.view.check ? t.table.check : ""}`);
        sound(live.view.drawn.dice.length > 0 || live.view.drawn.board === "bare" ? "dice" : pieces < was.pieces ? "capture" : "move");
      }
      if (looking === was.at) setLooking(null);
    }
    if (was.status !== "over" && live.status === "over") sound("end");
    before.current = { at: live.at, pieces, status: live.status };
    noteTable(live.id, { game: live.game, mode: live.mode, over: live.status === "over" && !sandbox });
  }, [live]);

  // Analysis follows what is looked at.
  useEffect(() => {
    if (!analysing || !canAnalyse || lost) return;
    request({ do: "analyse", node: cursor }).catch((error: unknown) => { complain(error); setAnalysing(false); });
    return () => void request({ do: "quiet" }).catch(() => {});
  }, [analysing, cursor, canAnalyse, lost]);

  // A rematch has its own table, which the same key opens.
  useEffect(() => {
    if (!live.next) return;
    const seat = recentTable(live.id);
    if (seat) sitDown({ ...seat, id: live.next, at: Date.now(), over: false });
    if (live.next !== live.id) go(`/t/${live.next}`);
  }, [live.next]);

  useEffect(() => {
    const turn = live.status === "playing" && live.mode !== "watch" && !sandbox && myTurn ? `● ${t.table.yourTurn} · ` : "";
    document.title = `${turn}${game ? titleOf(game) : "Tengen"} · Tengen`;
  }, [live.status, myTurn, game]);

  // What lies over the board.
  const analysis = analysing ? state.analyses.get(cursor) : undefined;
  const node = nodes.get(cursor);
  const overlay = useOverlay(live, view, analysis, layers, pv, hint?.node === cursor ? hint.candidate : null, atGame);
  const notes = overlay?.candidates && new Map(overlay.candidates.map((disc) => [disc.move, `${disc.exact ?? Math.round(disc.chance * 100)} %`]));
  const marks = useMarks(live, node, atGame, analysing);

  const hoverCell = analysing && layers.candidates ? (cell: string | null) => {
    const found = cell === null ? undefined : analysis?.candidates.find((candidate) => candidate.move.touched.at(-1) === cell);
    setPv((now) => (found ? found.pv : now === null ? now : null));
  } : undefined;
  const mark = (cell: string) => { if (marking) ask({ do: "marks", node: cursor, marks: marksAfter(node, cell, marking) }); };
  const onCell = owner && marking !== null ? mark : live.status === "counting" && atGame && you !== "spectator" ? (cell: string) => { if (view.drawn.cells.some(({ name, piece }) => name === cell && piece)) ask({ do: "toggle", cell }); } : undefined;

  const fromHere: Source = { type: "table", table: live.id, node: cursor };
  const openSandbox = async () => {
    try {
      const opened = await openTable({ game: live.game, mode: "sandbox", from: { type: "table", table: live.id } });
      sitDown({ id: opened.id, key: opened.key, game: live.game, mode: "sandbox", at: Date.now() });
      go(`/t/${opened.id}`);
    } catch (error) {
      complain(error);
    }
  };
  const explainHere = () => {
    remember("explain", { game: live.game, setup: { ...live.setup, position: view.position }, table: live.id });
    go("/learn/machine");
  };

  if (sheet === "setup" && game) return <SetUp game={game} position={view.position} coordinates={coordinates} onClose={() => setSheet(null)} />;

  const hands = game?.family === "yokai" || live.game === "crazyhouse" || view.drawn.hands.some((hand) => hand.length > 0);
  const label = t.board.label(game ? titleOf(game) : live.game, status());
  const strip = (side: Side) => (
    <Strip side={side} sideName={names[indexOf(side)]} chair={live.chairs[indexOf(side)]} you={you === side} drawn={view.drawn} moving={decides === side || (view.turn === "chance" && view.toMove === side)} thinking={live.thinking === side} clocks={state.clocks} clocksAt={state.clocksAt} sandbox={sandbox} />
  );
  const bare = view.drawn.board === "bare";
  const [top, bottom]: [Side, Side] = flipped ? ["first", "second"] : ["second", "first"];
  const seat = recentTable(live.id);

  function status(): string {
    if (live.status === "counting" && atGame) return t.counting.title;
    const result = live.status === "over" && atGame ? live.result : view.turn === "over" ? view.result : null;
    if (result) {
      const story = live.fall && result === live.result ? ` ${fallSentence(live.fall, names)}` : "";
      return resultSentence(result, names, view.drawn.board) + story;
    }
    if (live.status === "waiting") return t.table.waiting;
    const who = names[indexOf(view.toMove)];
    if (view.turn === "chance") return t.table.toRoll(who);
    if (view.turn === "over") return t.table.over;
    return (myTurn && !sandbox && you !== "both" ? t.table.yourTurn : t.table.turnOf(who)) + (view.check ? ` · ${t.table.check}` : "");
  }

  return (
    <div class={`table-page ${dropping ? "dropping" : ""} ${hands ? "with-hands" : ""} ${bare ? "with-bare" : ""}`}>
      <div class="stage">
        <div class="stage-fit" style={`--aspect:${aspectOf(view.drawn, coordinates)}`}>
          {strip(top)}
          {bare
            ? <Bare drawn={view.drawn} sides={names} toMove={view.toMove} choices={choices} last={view.last} over={view.turn === "over"} notes={notes} onPlay={play} />
            : (
              <Board
                drawn={view.drawn} toMove={view.toMove} choices={choices} last={view.last} flipped={flipped} coordinates={coordinates} label={label} sideNames={names} overlay={overlay} marks={marks} check={view.check}
                numbers={layers.numbers} pending={pending} hands={hands} faint={atGame ? live.counting?.dead : undefined} onPlay={play} onCell={onCell} onHover={hoverCell}
              />
            )}
          {strip(bottom)}
        </div>
      </div>
      <div class="side side-fixed">
        <div class="side-scroll">
        <p class={`status ${live.status === "over" ? "status-over" : ""}`} role="status">
          <span>{status()}</span>
          {live.spectators > 0 && <small><Icon name="eye" />{t.table.spectators(live.spectators)}</small>}
        </p>
        {live.library !== null && live.status === "over" && <p class="quiet small"><a href={`/library/${live.library}`}>{t.table.inLibrary}</a></p>}
        {lost && <p class="notice" role="alert">{t.connection.lost}</p>}
        {live.status === "waiting" && seat?.otherKey && (
          <section class="panel stack">
            <CopyField label={t.table.sendLink} value={`${location.origin}/t/${live.id}#${seat.otherKey}`} />
            <CopyField label={t.table.watchLink} value={`${location.origin}/t/${live.id}`} />
          </section>
        )}
        {myRoll && <button type="button" class="button primary large" onClick={() => ask({ do: "roll", node: cursor })}><Icon name="roll" />{t.table.rollYours}</button>}
        {!bare && bareChoices(choices).filter((one) => one.move !== "pass" || choices.length === 1).map((one) => <button key={one.move} type="button" class="button primary" onClick={() => play(one.move)}>{one.move === "pass" ? t.table.pass : one.label}</button>)}
        <Offers state={state} names={names} ask={ask} />
        {live.counting && atGame && <CountingPanel live={live} you={you} names={names} ask={ask} />}
        {!atGame && !owner && <p class="notice notice-quiet">{t.table.looking} <button type="button" class="button" onClick={() => setLooking(null)}>{t.table.backToGame}</button></p>}
        <section class="panel moves-panel" aria-label={t.table.moves}>
          <Moves nodes={nodes} childrenOf={state.children} at={cursor} onGo={goTo} />
          <div class="walk" role="group" aria-label={t.table.moves}>
            <button type="button" class="icon-button" aria-label={t.table.first} title={`${t.table.first} (Home)`} disabled={step <= 0} onClick={() => goTo(0)}><Icon name="first" /></button>
            <button type="button" class="icon-button" aria-label={t.table.back} title={`${t.table.back} (←)`} disabled={step <= 0} onClick={() => walk(-1)}><Icon name="back" /></button>
            <button type="button" class="icon-button" aria-label={t.table.forward} title={`${t.table.forward} (→)`} disabled={step >= line.length - 1} onClick={() => walk(1)}><Icon name="forward" /></button>
            <button type="button" class="icon-button" aria-label={t.table.last} title={`${t.table.last} (End)`} disabled={step >= line.length - 1} onClick={() => walk(line.length)}><Icon name="last" /></button>
          </div>
        </section>
        {node?.judged && <p class={`judged judged-${node.judged.kind}`}>{judgedSentence(node.judged)}</p>}
        <GameGraph state={state} line={line} step={step} name={names[0]} numbers={layers.numbers} onNumbers={(numbers) => setLayers({ ...layers, numbers })} onGo={goTo} onMistake={nextMistake} />
        {analysing && <AnalysisPanel analysis={analysis} view={view} game={game} layers={layers} review={state.review} canReview={line.length > 2} onLayers={setLayers} onHover={setPv} onPlay={myTurn ? play : undefined} onReview={() => ask({ do: "review", node: cursor })} onStopReview={() => ask({ do: "stopReview" })} onAgain={() => ask({ do: "analyse", node: cursor })} />}
        {owner && <SandboxTools node={node} cursor={cursor} marking={marking} onMarking={setMarking} onSetUp={() => setSheet("setup")} ask={ask} />}
        {(live.mode === "link" || state.chat.length > 0) && <Chat chat={state.chat} you={you} names={names} onSay={(text) => ask({ do: "chat", text })} />}
        <details class="panel" open={textBoard}>
          <summary>{t.board.asText}</summary>
          <TextBoard drawn={view.drawn} choices={choices} sideNames={names} onPlay={play} />
        </details>
        </div>
        <Actions
          live={live} you={you} game={game} myTurn={myTurn} analysing={analysing} canAnalyse={canAnalyse} ask={ask} onPass={pass} onHint={askHint} onFlip={() => setFlipped(!flippedByHand)} onAnalyse={toggleAnalysis}
          onShare={() => setSheet("share")} onExplain={explainHere} onNew={() => setSheet(sandbox ? "from" : "new")} onSandbox={() => void openSandbox()}
        />
      </div>
      <p class="sr-only" aria-live="assertive">{said}</p>
      {sheet === "share" && <Share live={live} game={game} position={view.position} onClose={() => setSheet(null)} />}
      {(sheet === "new" || sheet === "from") && games && game && <SetupSheet family={familiesOf(games).find((family) => family.some(({ id }) => id === game.id)) ?? [game]} {...(sheet === "from" ? { from: fromHere, mode: "ai" as const } : {})} onClose={() => setSheet(null)} />}
    </div>
  );
}

const NONE: Choice[] = [];
