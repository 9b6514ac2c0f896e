// The player of lessons: one idea, a board, a task. The server judges every move; the lesson only says which ones it hopes for.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Bare } from "../board/Bare";
import { Board } from "../board/Board";
import { bareChoices } from "../board/input";
import { aspectOf } from "../board/layout";
import type { Choice, Mark } from "../board/types";
import { say, words } from "../i18n";
import { judge } from "../protocol/api";
import type { View } from "../protocol/messages";
import { begin, lastChoice } from "../pages/home/choice";
import { Explained } from "../ui/Explained";
import { Icon } from "../ui/Icon";
import { go } from "../ui/router";
import { useSettings } from "../ui/settings";
import { play as sound } from "../ui/sound";
import { remember, useStore } from "../ui/store";
import { complain, troubleText } from "../ui/toast";
import { gameOf, useGames } from "../ui/useGames";
import { LESSONS } from "./lessons";
import { done, finish } from "./progress";
import { accepts, type Lesson } from "./types";

type Verdict = { kind: "right" | "wrong" | "reason"; text: string } | null;

export function Lessons({ game: family }: { game: string }) {
  const t = words();
  const lessons = LESSONS[family] ?? [];
  const finished = useStore(done)[family] ?? [];
  const [at, setAt] = useState(() => Math.max(0, lessons.findIndex((lesson) => !finished.includes(lesson.id))));
  const lesson = lessons[at];
  if (!lesson) return <p class="page notice">{t.trouble["unknown"]}</p>;
  return (
    <div class="table-page lesson-page">
      <LessonBoard
        key={lesson.id} lesson={lesson} family={family} onDone={() => finish(family, lesson.id)} number={at + 1} of={lessons.length} onNext={at + 1 < lessons.length ? () => setAt(at + 1) : null}
        nav={<nav class="lesson-nav">
          <a class="link" href="/learn"><Icon name="back" />{t.learn.back}</a>
          <ol class="lesson-dots" aria-label={t.learn.lessons(lessons.length)}>
            {lessons.map((one, index) => <li key={one.id}><button type="button" class={`lesson-dot ${finished.includes(one.id) ? "lesson-done" : ""}`} aria-current={index === at ? "step" : undefined} aria-label={`${t.learn.lesson(index + 1, lessons.length)}: ${say(one.title)}${finished.includes(one.id) ? `, ${t.learn.done}` : ""}`} title={say(one.title)} onClick={() => setAt(index)}>{finished.includes(one.id) ? "✓" : index + 1}</button></li>)}
          </ol>
        </nav>}
      />
    </div>
  );
}

interface BoardProps { lesson: Lesson; family: string; number: number; of: number; nav: JSX.Element; onDone(): void; onNext: (() => void) | null }

function LessonBoard({ lesson, family, number, of, nav, onDone, onNext }: BoardProps) {
  const t = words();
  const { coordinates } = useSettings();
  const { games } = useGames();
  const game = gameOf(games, lesson.game);
  const start = lesson.moves ?? [];
  const [moves, setMoves] = useState<string[]>(start);
  const [view, setView] = useState<View | null>(null);
  const [verdict, setVerdict] = useState<Verdict>(null);
  const [over, setOver] = useState(false);
  const [shown, setShown] = useState(false);
  const [busy, setBusy] = useState(false);
  const first = useRef<View | null>(null);
  const gone = useRef(false);
  useEffect(() => () => { gone.current = true; }, []);

  const look = (list: string[]) => judge({ game: lesson.game, ...(lesson.setup ? { setup: lesson.setup } : {}), moves: list });
  const restart = () => {
    setMoves(start);
    setOver(false);
    setVerdict(null);
    look(start).then((next) => { first.current = next; if (!gone.current) setView(next); }, complain);
  };
  useEffect(restart, []);

  const count = (seen: View, side: string) => seen.drawn.cells.reduce((sum, cell) => sum + (cell.piece?.side === side ? cell.count : 0), 0);
  const success = () => { setOver(true); setVerdict({ kind: "right", text: lesson.after ? say(lesson.after) : "" }); sound("end"); onDone(); };
  const failure = () => { setVerdict({ kind: "wrong", text: t.learn.wrong }); setTimeout(() => !gone.current && restart(), 1100); };

  const play = async (move: string) => {
    if (!view || over || busy || !first.current) return;
    const me = first.current.toMove;
    const mine = Math.floor((moves.length - start.length) / 2);
    setBusy(true);
    setShown(false);
    try {
      const next = await look([...moves, move]);
      const goal = lesson.goal;
      setView(next);
      sound("move");
      let reply: string[] | undefined;
      if (goal.kind === "moves") {
        const step = goal.steps[mine];
        if (!step || !accepts(step.accept, move)) return failure();
        reply = step.reply;
        if (mine + 1 >= goal.steps.length && !reply) return success();
      } else if (goal.kind === "outcome") {
        if (next.result?.winner === goal.winner) return success();
        reply = goal.replies?.[mine];
        if (next.result || !reply) return failure();
      } else if (goal.kind === "capture") {
        const other = me === "first" ? "second" : "first";
        if (count(first.current, other) - count(next, other) >= goal.count) return success();
        if (mine + 1 >= goal.within) return failure();
        reply = goal.reply;
      }
      const answer = reply?.find((text) => next.legal.some((one) => one.move === text));
      if (answer === undefined) return failure();
      await new Promise((resolve) => setTimeout(resolve, 420));
      const after = [...moves, move, answer];
      const seen = await look(after);
      if (gone.current) return;
      setMoves(after);
      setView(seen);
      if (goal.kind === "moves" && mine + 1 >= goal.steps.length) return success();
      if (goal.kind === "outcome" && seen.result) return seen.result.winner === goal.winner ? success() : failure();
      setVerdict({ kind: "reason", text: t.learn.goOn });
    } catch (error) {
      // The server says why a move is not legal; the position is as it was.
      setVerdict({ kind: "reason", text: troubleText(error) });
      setView(await look(moves).catch(() => view));
    } finally {
      setBusy(false);
    }
  };

  const playGame = async () => {
    if (!game || !games) return;
    const level = (lesson.goal.kind === "win" && lesson.goal.level) || game.levels[0]?.id || "";
    remember("lesson", { family, lesson: lesson.id });
    onDone();
    await begin(game, { ...lastChoice([game]), mode: "ai", level, side: "first", clock: "none" }).catch(complain);
  };

  const side: [string, string] = game ? [say(game.sides[0]), say(game.sides[1])] : view?.sides ?? ["", ""];
  const isGame = lesson.goal.kind === "win";
  const choices: Choice[] = view && !over && !busy && !isGame ? view.legal : [];
  const target = shown ? view?.legal.find((one) => one.move === lesson.show) : undefined;
  const marks: Mark[] = [
    ...(lesson.marks && moves.length === start.length && !over ? lesson.marks.map((cell): Mark => ({ cell, kind: "circle" })) : []),
    ...(target?.touched.length ? [{ cell: target.touched.at(-1) as string, kind: "good" as const, text: "!" }, ...(target.touched.length > 1 ? [{ cell: target.touched[0] as string, kind: "square" as const }] : [])] : []),
  ];
  return (
    <>
      <div class="stage">
        <div class="stage-fit" style={view ? `--aspect:${aspectOf(view.drawn, coordinates)}` : undefined}>
          {view && (view.drawn.board === "bare"
            ? <Bare drawn={view.drawn} sides={side} toMove={view.toMove} choices={choices} last={view.last} over={over} onPlay={(move) => void play(move)} />
            : <Board drawn={view.drawn} toMove={view.toMove} choices={choices} last={view.last} check={view.check} label={say(lesson.title)} sideNames={side} coordinates={coordinates} marks={marks} hands={family === "yokai"} onPlay={(move) => void play(move)} />)}
        </div>
      </div>
      <div class="side lesson">
        {nav}
        <p class="quiet">{t.learn.lesson(number, of)}</p>
        <h1>{say(lesson.title)}</h1>
        {say(lesson.text).split("\n\n").map((paragraph) => <p key={paragraph} class="lesson-text"><Explained text={paragraph} /></p>)}
        <div class={`panel task ${over ? "task-done" : ""}`}>
          <h2>{t.learn.goal}</h2>
          <p>{say(lesson.task)}</p>
          {isGame && <button type="button" class="button primary large" disabled={!game} onClick={() => void playGame()}><Icon name="play" />{t.learn.playNow}</button>}
          {!isGame && view && view.drawn.board !== "bare" && wantsPass(lesson) && bareChoices(choices).map((one) => <button key={one.move} type="button" class="button" onClick={() => void play(one.move)}>{one.move === "pass" ? t.table.pass : one.label}</button>)}
          <div aria-live="polite" class="verdicts">{verdict && <p class={`lesson-verdict lesson-${verdict.kind}`}>{verdict.kind === "right" ? <><b>{t.learn.right}</b> {verdict.text}</> : verdict.text}</p>}</div>
        </div>
        <div class="row">
          {over && onNext && <button type="button" class="button primary" onClick={onNext}>{t.learn.next}<Icon name="forward" /></button>}
          {over && !onNext && <p>{t.learn.finished} <button type="button" class="button" onClick={() => go("/")}>{t.learn.playNow}</button></p>}
          {!over && !isGame && <button type="button" class="button" onClick={() => setShown(true)}><Icon name="hint" />{t.learn.show}</button>}
          {(over || moves.length > start.length) && <button type="button" class="button" onClick={restart}><Icon name="rematch" />{t.learn.again}</button>}
          {!over && onNext && <button type="button" class="button" onClick={onNext}>{t.learn.next}</button>}
        </div>
        {shown && lesson.show === "pass" && <p class="quiet">{t.table.pass}</p>}
      </div>
    </>
  );
}

/** A button for passing appears only where passing is the lesson. */
const wantsPass = ({ goal }: Lesson) => goal.kind === "moves" && goal.steps.some((step) => step.accept.includes("pass"));
