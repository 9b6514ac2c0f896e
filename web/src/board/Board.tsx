// The one board of Tengen: it draws any game from the server's neutral description and turns clicks, drags, touches and
// keys into the text of a legal move. It knows no rules: what may be played is the list of choices it is given.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { words } from "../i18n";
import { Chooser } from "./Chooser";
import { Cursor, Hover, LastMove, Pending, Targets } from "./Layers";
import { Die } from "./Dice";
import { Ground, Plate } from "./Ground";
import { Hand, letterOf } from "./Hand";
import { type Answer, clickCell, clickTrack, droppable, finished, type Picked, sources, type Step, stepSources, stepTargets, targets } from "./input";
import { CELL, layoutOf, neighbour, type Place, placeAt, TRACK } from "./layout";
import { Loupe } from "./Loupe";
import { Overlay, Underlay } from "./Overlay";
import { Pieces, sizeOf } from "./Pieces";
import { isTile, PieceShape } from "./pieces";
import { describeCell } from "./describe";
import { afterSteps, columnName, dropPiece, usedDice } from "./preview";
import type { Choice, Drawn, Mark, Overlay as Over, Piece, Side } from "./types";

export interface BoardProps {
  drawn: Drawn;
  toMove: Side;
  /** What the viewer may play now; empty when he only looks. */
  choices?: Choice[];
  last?: { touched: string[] } | null | undefined;
  flipped?: boolean;
  coordinates?: boolean;
  /** What the board is, for those who do not see it. */
  label: string;
  sideNames: readonly [string, string];
  overlay?: Over | undefined;
  marks?: Mark[] | undefined;
  numbers?: "chance" | "score";
  /** The cell of a king in check. */
  check?: string | null | undefined;
  /** A move that was sent and is not confirmed yet. */
  pending?: Choice | null | undefined;
  /** Whether the strips for pieces in hand are kept even when they are empty. */
  hands?: boolean;
  /** A picture only: nothing to click or to focus. */
  still?: boolean;
  /** Cells drawn as gone: dead stones. */
  faint?: string[] | undefined;
  onPlay?(move: string): void;
  /** Takes all clicks instead of moves: setting up, marking dead stones. */
  onCell?: ((cell: string) => void) | undefined;
  /** The cell the pointer rests on. */
  onHover?: ((cell: string | null) => void) | undefined;
}

interface Drag { piece: Piece; x: number; y: number; moved: boolean; touch: boolean }

const NONE: Choice[] = [];
/** Fingers need this many pixels; where cells are smaller, a magnified aim helps. */
const FINGER = 30;

export function Board(props: BoardProps) {
  const { drawn, toMove, choices = NONE, last, flipped = false, coordinates = true, overlay, marks, pending, still = false } = props;
  const t = words();
  const svg = useRef<SVGSVGElement>(null);
  const [picked, setPicked] = useState<Picked | null>(null);
  const [steps, setSteps] = useState<Step[]>([]);
  const [choosing, setChoosing] = useState<{ choices: Choice[]; place: Place } | null>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const [aim, setAim] = useState<{ place: Place | null; x: number; y: number } | null>(null);
  const [spoken, setSpoken] = useState("");
  const hover = useRef<(place: Place | null) => void>(() => {});
  const pressed = useRef<{ name: string | null; fresh: boolean } | null>(null);

  const position = useMemo(() => drawn.cells.map((cell) => (cell.piece ? cell.piece.letters + cell.count : ".")).join(""), [drawn]);
  const layout = useMemo(() => layoutOf(drawn, flipped, coordinates && !still), [drawn.board, drawn.width, drawn.height, flipped, coordinates, still]);
  const shown = useMemo(() => afterSteps(drawn, steps, toMove), [drawn, steps, toMove]);
  const faint = useMemo(() => new Set(props.faint ?? []), [props.faint?.join()]);
  const isTrack = layout.kind === "track";

  // A new position: whatever was picked up belongs to the old one.
  useEffect(() => { setPicked(null); setSteps([]); setChoosing(null); setDrag(null); }, [position, choices.length === 0]);

  const goals = useMemo(() => {
    if (isTrack) return picked?.from === "cell" ? stepTargets(choices, steps, picked.name) : new Set<string>();
    return new Set(targets(choices, picked).keys());
  }, [choices, picked, steps, isTrack]);
  const starts = useMemo(() => (isTrack ? stepSources(choices, steps) : sources(choices)), [choices, steps, isTrack]);

  // With a piece in the air only its own moves are judged: of all that end on a cell, the one that would be played.
  const laid = useMemo((): Over | undefined => {
    if (!overlay?.candidates || picked === null || isTrack) return overlay;
    const own = new Set([...targets(choices, picked).values()].flat().map((choice) => choice.move));
    return { ...overlay, candidates: overlay.candidates.filter((candidate) => own.has(candidate.move)) };
  }, [overlay, choices, picked, isTrack]);

  const settle = (answer: Answer) => {
    switch (answer.do) {
      case "play":
        setPicked(null);
        // A track's steps may have been joined or reordered: the server reads the steps as they were made.
        props.onPlay?.(answer.choice.move);
        break;
      case "choose": {
        const place = layout.byName.get(answer.at);
        if (place) setChoosing({ choices: answer.choices, place });
        break;
      }
      case "pick": setPicked(answer.picked); break;
      case "step": setSteps(answer.steps); setPicked(null); break;
      case "refuse": setPicked(null); props.onPlay?.(answer.text); break;
      case "nothing": break;
    }
  };

  const click = (name: string) => {
    if (still) return;
    if (props.onCell) return props.onCell(name);
    if (pending || choices.length === 0) return;
    if (isTrack) return settle(clickTrack(choices, steps, picked, name));
    const cell = layout.kind === "columns" ? columnName(drawn, choices, name) : name;
    settle(clickCell(choices, picked, cell, drawn.cells[layout.byName.get(cell)?.index ?? -1]?.piece ?? null));
  };

  /** A point of the screen in the board's units. */
  const locate = (event: { clientX: number; clientY: number }): [number, number] => {
    const box = svg.current?.getBoundingClientRect();
    if (!box) return [-1, -1];
    return [((event.clientX - box.left) / box.width) * layout.width, ((event.clientY - box.top) / box.height) * layout.height];
  };
  const under = (event: { clientX: number; clientY: number }) => placeAt(layout, ...locate(event));
  const pixels = () => ((svg.current?.clientWidth ?? 0) / layout.width) * CELL;

  const down = (event: PointerEvent) => {
    if (still || event.button !== 0) return;
    const place = under(event);
    const piece = place ? shown.cells[place.index]?.piece ?? null : null;
    const touch = event.pointerType === "touch";
    pressed.current = { name: place?.name ?? null, fresh: false };
    if (place && !props.onCell && !pending && starts.has(place.name) && piece) {
      event.preventDefault();
      svg.current?.setPointerCapture(event.pointerId);
      const again = picked?.from === "cell" && picked.name === place.name;
      pressed.current.fresh = !again;
      // A picked piece that is clicked where another may be taken: the release decides.
      if (!again && !goals.has(place.name)) setPicked({ from: "cell", name: place.name });
      const [x, y] = locate(event);
      setDrag({ piece, x, y, moved: false, touch });
    } else if (touch && choices.length > 0 && pixels() < FINGER && (layout.kind === "points" || layout.kind === "squares")) {
      event.preventDefault();
      svg.current?.setPointerCapture(event.pointerId);
      const [x, y] = locate(event);
      setAim({ place, x, y });
    }
  };

  const move = (event: PointerEvent) => {
    const place = under(event);
    if (aim) {
      const [x, y] = locate(event);
      return setAim({ place, x, y });
    }
    if (drag) {
      const [x, y] = locate(event);
      const moved = drag.moved || Math.hypot(x - drag.x, y - drag.y) > 14;
      setDrag({ ...drag, x, y, moved });
    }
    if (event.pointerType !== "touch") {
      hover.current(place);
      props.onHover?.(place?.name ?? null);
    }
  };

  const up = (event: PointerEvent) => {
    const place = under(event);
    const start = pressed.current;
    pressed.current = null;
    if (aim) {
      setAim(null);
      if (place) click(place.name);
      return;
    }
    const was = drag;
    setDrag(null);
    if (!start) return;
    if (was?.moved) {
      // Dropped where it came from or beside the board: it goes back.
      if (place && place.name !== start.name) click(place.name);
      else setPicked(null);
      return;
    }
    if (!place || place.name !== start.name) return;
    // The press has picked the piece up already.
    if (was && start.fresh && !goals.has(place.name)) return;
    click(place.name);
  };

  const leave = () => { hover.current(null); props.onHover?.(null); };

  const pickFromHand = (letter: string, event: PointerEvent | null) => {
    const again = picked?.from === "hand" && picked.letter === letter;
    setPicked(again ? null : { from: "hand", letter });
    if (!event) return;
    event.preventDefault();
    // The piece may also be dragged out of the hand: the board follows the pointer until it is let go.
    const piece = drawn.hands[toMove === "first" ? 0 : 1].find(([one]) => letterOf(one) === letter)?.[0];
    (event.target as Element).releasePointerCapture?.(event.pointerId);
    const [startX, startY] = [event.clientX, event.clientY];
    const follow = (moved: PointerEvent) => {
      if (!piece || Math.hypot(moved.clientX - startX, moved.clientY - startY) < 6) return;
      const [x, y] = locate(moved);
      setDrag({ piece, x, y, moved: true, touch: moved.pointerType === "touch" });
    };
    const drop = (released: PointerEvent) => {
      stop();
      const place = under(released);
      const dragged = Math.hypot(released.clientX - startX, released.clientY - startY) >= 6;
      setDrag(null);
      if (dragged && place) settle(clickCell(choices, { from: "hand", letter }, place.name, null));
      else if (dragged) setPicked(null);
    };
    const stop = () => { removeEventListener("pointermove", follow); removeEventListener("pointerup", drop); removeEventListener("pointercancel", stop); };
    addEventListener("pointermove", follow);
    addEventListener("pointerup", drop);
    addEventListener("pointercancel", stop);
  };

  const say = (place: Place | undefined) => place && setSpoken(describeCell(drawn, place.index, props.sideNames, goals.has(place.name), starts.has(place.name)));
  const keys = (event: KeyboardEvent) => {
    if (still || choosing || event.ctrlKey || event.metaKey || event.altKey) return;
    const steer: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = steer[event.key];
    const at = layout.byName.get(cursor ?? "") ?? layout.places[Math.floor(layout.places.length / 2)];
    if (way && at) {
      const next = cursor === null ? at : neighbour(layout, at, ...way);
      setCursor(next.name);
      say(next);
    } else if ((event.key === "Enter" || event.key === " ") && cursor !== null) {
      click(cursor);
    } else if (event.key === "Escape" && (picked || steps.length > 0)) {
      setPicked(null);
      setSteps([]);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const complete = isTrack && steps.length > 0 ? finished(choices, steps) : undefined;
  const [topSide, bottomSide]: [Side, Side] = flipped ? ["first", "second"] : ["second", "first"];
  const strip = (side: Side) => {
    const hand = drawn.hands[side === "first" ? 0 : 1];
    if (!props.hands && hand.length === 0) return null;
    const turned = isTile(hand[0]?.[0].shape ?? "") && (side === "second") !== flipped;
    return <Hand hand={hand} side={side} kind={layout.kind} turned={turned} droppable={side === toMove && !props.onCell ? droppable(choices) : new Set()} picked={picked?.from === "hand" && side === toMove ? picked.letter : null} onPick={pickFromHand} />;
  };
  const dice = drawn.dice.length === 2 && drawn.dice[0] === drawn.dice[1] ? [...drawn.dice, ...drawn.dice] : drawn.dice;
  const used = usedDice(dice, steps, toMove);
  const lifted = drag?.moved && picked?.from === "cell" ? picked.name : null;

  return (
    <div class={`board board-${layout.kind} ${still ? "board-still" : ""}`} style={`--aspect:${layout.width / layout.height}`}>
      {strip(topSide)}
      <div
        class="board-surface"
        tabIndex={still ? undefined : 0}
        role={still ? "img" : "application"}
        aria-label={props.label}
        aria-roledescription={still ? undefined : t.board.role}
        onKeyDown={keys}
        onMouseDown={(event) => {
          // A click does not give the board the keyboard: the arrow keys go on walking through the game.
          if ((event.target as Element).closest("button")) return;
          event.preventDefault();
          if (document.activeElement instanceof HTMLElement && document.activeElement !== event.currentTarget) document.activeElement.blur();
        }}
        onBlur={() => setCursor(null)}
      >
        <svg
          ref={svg}
          viewBox={`0 0 ${layout.width} ${layout.height}`}
          style={`aspect-ratio:${layout.width}/${layout.height}`}
          class={`board-svg ${choices.length > 0 || props.onCell ? "live" : ""} ${drag?.moved ? "dragging" : ""}`}
          onPointerDown={down as never}
          onPointerMove={move as never}
          onPointerUp={up as never}
          onPointerCancel={() => { setDrag(null); setAim(null); }}
          onPointerLeave={leave}
          aria-hidden="true"
        >
          <Ground layout={layout} coordinates={coordinates && !still} />
          <Underlay layout={layout} influence={overlay?.influence} />
          <LastMove drawn={drawn} layout={layout} touched={last?.touched} under />
          {props.check && <Check place={layout.byName.get(props.check)} />}
          {picked?.from === "cell" && <Picking place={layout.byName.get(picked.name)} />}
          <Pieces drawn={shown} layout={layout} lifted={lifted ?? pending?.touched[0] ?? null} faint={faint} />
          {layout.kind === "columns" && <Plate layout={layout} />}
          <LastMove drawn={drawn} layout={layout} touched={last?.touched} under={false} />
          <Overlay layout={layout} overlay={laid} marks={marks} numbers={props.numbers ?? "chance"} />
          {picked !== null && <Targets layout={layout} drawn={drawn} goals={goals} />}
          {!still && <Hover set={hover} layout={layout} drawn={drawn} goals={picked === null && !isTrack ? goals : NOWHERE} starts={starts} side={toMove} choices={choices} />}
          {pending && <Pending layout={layout} drawn={drawn} side={toMove} choice={pending} />}
          {cursor !== null && <Cursor place={layout.byName.get(cursor)} />}
          {isTrack && dice.length > 0 && (
            <g class="dice" pointer-events="none">
              {dice.map((face, index) => (
                <g key={index} transform={`translate(${TRACK.frame + (toMove === bottomSide ? 6 * CELL + TRACK.bar : 0) + 3 * CELL + (index - dice.length / 2) * 104 + 8} ${TRACK.height / 2 - 44}) scale(.88)`}>
                  <Die face={face} used={used[index] ?? false} />
                </g>
              ))}
            </g>
          )}
          {drag?.moved && (
            <g class="held" pointer-events="none" transform={`translate(${drag.x} ${drag.y - (drag.touch ? 40 : 0)}) scale(${sizeOf(drag.piece.shape, layout) * (drag.touch ? 1.5 : 1.08)})${isTile(drag.piece.shape) && (drag.piece.side === "second") !== flipped ? " rotate(180)" : ""} translate(-50 -50)`}>
              <PieceShape piece={drag.piece} kind={layout.kind} />
            </g>
          )}
        </svg>
        {aim && <Loupe aim={aim} layout={layout} drawn={drawn} piece={dropPiece(drawn, toMove)} legal={aim.place !== null && goals.has(aim.place.name)} />}
        {choosing && <Chooser choices={choosing.choices} place={choosing.place} layout={layout} side={toMove} onChoose={(choice) => { setChoosing(null); settle({ do: "play", choice }); }} onClose={() => { setChoosing(null); setPicked(null); }} />}
        {steps.length > 0 && !complete && (
          <button type="button" class="step-back" style={`left:${toMove === bottomSide ? 24 : 71}%`} onClick={() => { setSteps(steps.slice(0, -1)); setPicked(null); }}>{t.board.stepBack}</button>
        )}
      </div>
      {strip(bottomSide)}
      {!still && <p class="sr-only" aria-live="polite">{spoken}</p>}
    </div>
  );
}

const NOWHERE = new Set<string>();

const Picking = ({ place }: { place: Place | undefined }) =>
  place ? <rect x={place.x - place.w / 2} y={place.y - place.h / 2} width={place.w} height={place.h} class="picking" /> : null;

/** A king in check: a glow with a broken ring, so that it is not told by colour alone. */
const Check = ({ place }: { place: Place | undefined }) =>
  place ? <g pointer-events="none"><circle cx={place.x} cy={place.y} r="49" class="check-glow" /><circle cx={place.x} cy={place.y} r="46" class="check-ring" /></g> : null;
