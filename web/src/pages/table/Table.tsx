// The table: the board as large as fits, a player at either edge, and one column with moves, graph and actions.
// A played game and the sandbox are the same page; the sandbox can also branch, comment and set up positions.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Bare } from "../../board/Bare";
import { Board } from "../../board/Board";
import { bareChoices } from "../../board/input";
import { aspectOf } from "../../board/layout";
import { TextBoard } from "../../board/TextBoard";
import type { Choice, Mark, Overlay, Side } from "../../board/types";
import { indexOf, other } from "../../board/types";
import { words } from "../../i18n";
import { openTable } from "../../protocol/api";
import type { Wish } from "../../protocol/connection";
import type { Candidate, Event, Move, Source, View } from "../../protocol/messages";
import { AskTwice } from "../../ui/AskTwice";
import { chanceOf, percent, signed } from "../../ui/figures";
import { Graph, type Spot } from "../../ui/Graph";
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
import { AnalysisPanel, chanceFor, discs, type Layers } from "./AnalysisPanel";
import { Chat } from "./Chat";
import { lineThrough, pathTo, type TableState, useTable } from "./client";
import { CountingPanel } from "./CountingPanel";
import { Moves } from "./Moves";
import { judgedSentence, resultSentence, sideNames } from "./sentences";
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
  const [marking, setMarking] = useState<string | null>(null);
  const dropping = useDrop(undefined, owner);
  const setLayers = (next: Layers) => { setLayersNow(next); remember("layers", next); };
  const ask = (wish: Wish) => void request(wish).catch(complain);

  const canAnalyse = live.mode !== "link" || live.status === "over" || you === "spectator" || sandbox;
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
    const wrong = line.filter((id) => ["inaccuracy", "mistake", "blunder"].includes(nodes.get(id)?.judged?.kind ?? ""));
    const next = wrong.find((id) => line.indexOf(id) > step) ?? wrong[0];
    if (next === undefined) tell(t.tree.noMistakes);
    else goTo(next);
  };

  // Playing.
  const play = (move: string) => {
    const choice = choices.find((one) => one.move === move) ?? null;
    setPending(choice);
    setHint(null);
    request({ do: "play", move, ...(sandbox ? { node: cursor } : {}) }).catch(complain).finally(() => setPending(null));
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
  const overlay = useMemo((): Overlay | undefined => {
    if (live.counting && atGame && (live.status === "counting" || live.status === "over")) return { ownership: live.counting.owners.map((side) => (side === null ? 0 : side === "first" ? 1 : -1)) };
    const variation = pv?.map((move, index) => ({ touched: move.touched, side: index % 2 === 0 ? view.toMove : other(view.toMove) }));
    if (analysis) {
      return {
        ...(layers.candidates ? { candidates: discs(analysis, view) } : {}),
        ...(layers.ownership && analysis.ownership.length > 0 ? { ownership: analysis.ownership } : {}),
        ...(layers.influence && analysis.influence.length > 0 ? { influence: analysis.influence } : {}),
        ...(variation ? { variation } : {}),
      };
    }
    if (hint && hint.node === cursor) {
      const { move, visits, value } = hint.candidate;
      return { candidates: [{ move: move.move, label: move.label, touched: move.touched, chance: chanceFor(value, view.toMove), visits, weight: 1, best: true }] };
    }
    return undefined;
  }, [analysis, layers, pv, hint, cursor, live.counting, live.status, view]);
  const marks = useMemo((): Mark[] => {
    const list: Mark[] = (node?.marks ?? []).map(({ cell, shape }) => (["circle", "square", "triangle", "cross"].includes(shape) ? { cell, kind: shape as "circle" } : { cell, kind: "label", text: shape }));
    const judged = node?.judged;
    if (judged && ["inaccuracy", "mistake", "blunder"].includes(judged.kind) && !analysing) {
      const end = node.played?.touched.at(-1);
      const better = judged.better[0]?.touched.at(-1);
      if (end) list.push({ cell: end, kind: "bad", text: judged.kind === "inaccuracy" ? "?!" : judged.kind === "mistake" ? "?" : "??" });
      if (better && better !== end) list.push({ cell: better, kind: "good", text: "!" });
    }
    if (live.counting && atGame) live.counting.dead.forEach((cell) => list.push({ cell, kind: "dead" }));
    return list;
  }, [node, live.counting, atGame, analysing]);

  const hoverCell = analysing && layers.candidates ? (cell: string | null) => {
    const found = cell === null ? undefined : analysis?.candidates.find((candidate) => candidate.move.touched.at(-1) === cell);
    setPv((now) => (found ? found.pv : now === null ? now : null));
  } : undefined;
  const mark = (cell: string) => {
    const others = (node?.marks ?? []).filter((one) => one.cell !== cell);
    const there = node?.marks.find((one) => one.cell === cell);
    const label = marking === "label" ? String.fromCharCode(65 + others.filter((one) => /^[A-Z]$/.test(one.shape)).length) : marking ?? "";
    const same = there && (there.shape === marking || (marking === "label" && /^[A-Z]$/.test(there.shape)));
    ask({ do: "marks", node: cursor, marks: same ? others : [...others, { cell, shape: label }] });
  };
  const onCell = owner && marking !== null ? mark : live.status === "counting" && atGame && you !== "spectator" ? (cell: string) => { if (view.drawn.cells.some(({ name, piece }) => name === cell && piece)) ask({ do: "toggle", cell }); } : undefined;

  // The graph along the line.
  const graph = useMemo(() => {
    const points: [number, number][] = [];
    const leads: [number, number][] = [];
    const spots: Spot[] = [];
    line.forEach((id, ply) => {
      const judged = nodes.get(id)?.judged;
      const known = state.analyses.get(id);
      const value = judged?.value ?? known?.value;
      const lead = judged?.lead?.points ?? known?.lead?.points;
      if (value !== undefined) points.push([ply, chanceOf(value)]);
      if (lead !== undefined && lead !== null) leads.push([ply, lead]);
      if (judged && (judged.kind === "inaccuracy" || judged.kind === "mistake" || judged.kind === "blunder")) spots.push({ x: ply, y: chanceOf(judged.value), kind: judged.kind, title: `${nodes.get(id)?.played?.label}: ${judgedSentence(judged)}` });
    });
    return { points, leads, spots };
  }, [line, nodes, state.analyses]);

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
    const result = live.status === "over" && atGame ? live.result : view.turn === "over" ? view.result : null;
    if (result) return resultSentence(result, names, view.drawn.board);
    if (live.status === "waiting") return t.table.waiting;
    if (live.status === "counting" && atGame) return t.counting.title;
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
            ? <Bare drawn={view.drawn} sides={names} toMove={view.toMove} choices={choices} last={view.last} over={view.turn === "over"} onPlay={play} />
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
        {lost && <p class="notice" role="alert">{t.connection.lost}</p>}
        {live.status === "waiting" && seat?.otherKey && (
          <section class="panel stack">
            <CopyField label={t.table.sendLink} value={`${location.origin}/t/${live.id}#${seat.otherKey}`} />
            <CopyField label={t.table.watchLink} value={`${location.origin}/t/${live.id}`} />
          </section>
        )}
        {myRoll && <button type="button" class="button primary large" onClick={() => ask({ do: "roll" })}><Icon name="roll" />{t.table.rollYours}</button>}
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
        {graph.points.length > 1 && (
          <section class="panel graph-panel" aria-label={t.table.graph}>
            {layers.numbers === "score" && graph.leads.length > 1
              ? <Graph label={t.analysis.graphLead(names[0])} curves={[{ name: names[0], points: graph.leads }]} zero={0} area height={92} at={step} format={(y) => signed(y)} onPick={(ply) => { const id = line[ply]; if (id !== undefined) goTo(id); }} />
              : <Graph label={t.analysis.graphChance(names[0])} curves={[{ name: names[0], points: graph.points }]} low={0} high={1} zero={0.5} area height={92} spots={graph.spots} at={step} format={percent} onPick={(ply) => { const id = line[ply]; if (id !== undefined) goTo(id); }} />}
            {graph.spots.length > 0 && <button type="button" class="chip" onClick={nextMistake}>{t.tree.nextMistake} <kbd>N</kbd></button>}
          </section>
        )}
        {analysing && <AnalysisPanel analysis={analysis} view={view} game={game} layers={layers} review={state.review} canReview={line.length > 2} onLayers={setLayers} onHover={setPv} onPlay={myTurn ? play : undefined} onReview={() => ask({ do: "review", node: cursor })} onStopReview={() => ask({ do: "stopReview" })} />}
        {owner && (
          <section class="panel sandbox-tools" aria-label={t.sandbox.title}>
            <label class="field">{t.tree.comment}
              <textarea key={cursor} rows={2} maxLength={4000} placeholder={t.tree.commentPlaceholder} defaultValue={node?.comment ?? ""} onChange={(event) => ask({ do: "comment", node: cursor, text: event.currentTarget.value })} />
            </label>
            <div class="row" role="group" aria-label={t.sandbox.marks}>
              {(["circle", "square", "triangle", "cross", "label"] as const).map((shape) => <button key={shape} type="button" class="chip mark-chip" aria-pressed={marking === shape} aria-label={t.sandbox.markShapes[shape]} title={t.sandbox.markShapes[shape]} onClick={() => setMarking(marking === shape ? null : shape)}>{{ circle: "○", square: "□", triangle: "△", cross: "×", label: "A" }[shape]}</button>)}
            </div>
            <div class="row">
              <button type="button" class="button" onClick={() => setSheet("setup")}><Icon name="edit" />{t.sandbox.setUp}</button>
              <button type="button" class="button" disabled={cursor === 0} onClick={() => ask({ do: "promote", node: cursor })}><Icon name="up" />{t.tree.promote}</button>
              <AskTwice icon="trash" label={t.tree.delete} sure={t.tree.deleteSure} disabled={cursor === 0} onSure={() => ask({ do: "delete", node: cursor })} />
            </div>
          </section>
        )}
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

/** Offers of the other side, to be answered; one's own, waiting. */
function Offers({ state, names, ask }: { state: TableState; names: [string, string]; ask(wish: Wish): void }) {
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
