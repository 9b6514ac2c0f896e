// From clicks to moves, without rules: a click is compared with the cells that the server's legal moves touch.
// Everything here is a pure function of the list of choices and what has been picked so far, so tests need no browser.
import type { Choice, Piece } from "./types";

/** What is picked up: a piece on a cell, or one in hand. */
export type Picked = { from: "cell"; name: string } | { from: "hand"; letter: string };

export type Step = [from: string, to: string];

/** What a click comes to. */
export type Answer =
  | { do: "nothing" }
  | { do: "pick"; picked: Picked | null }
  | { do: "play"; choice: Choice }
  | { do: "choose"; choices: Choice[]; at: string }
  /** One step of a move of several; the steps so far. */
  | { do: "step"; steps: Step[] }
  /** No legal move fits: the text is sent all the same, so that the server can say why not. */
  | { do: "refuse"; text: string };

/** The letter of a piece that is dropped: `P@e4` gives `P`. */
export const dropLetter = (choice: Choice): string | null => /^(\+?[A-Za-z]{1,2})@/.exec(choice.move)?.[1] ?? null;

const isDrop = (choice: Choice) => dropLetter(choice) !== null;
const last = <T>(list: T[]): T | undefined => list[list.length - 1];

/** Moves that go from one cell to another. */
const goesFrom = (choices: Choice[], name: string) => choices.filter((choice) => choice.touched.length >= 2 && choice.touched[0] === name && !isDrop(choice));

/** Moves that only put something on one cell. */
const putsOn = (choices: Choice[], name: string) => choices.filter((choice) => choice.touched.length === 1 && choice.touched[0] === name && !isDrop(choice));

/** Moves that touch no cell: pass, roll, hold. They are buttons. */
export const bareChoices = (choices: Choice[]) => choices.filter((choice) => choice.touched.length === 0);

/** The cells from which something can be picked up. */
export function sources(choices: Choice[]): Set<string> {
  return new Set(choices.filter((choice) => choice.touched.length >= 2 && !isDrop(choice)).map((choice) => choice.touched[0] as string));
}

/** The letters of hand pieces that can be dropped somewhere. */
export const droppable = (choices: Choice[]): Set<string> => new Set(choices.map(dropLetter).filter((letter) => letter !== null).map((letter) => letter.toUpperCase()));

/** Where what is picked can go. */
export function targets(choices: Choice[], picked: Picked | null): Map<string, Choice[]> {
  const found = new Map<string, Choice[]>();
  const add = (choice: Choice) => {
    const cell = last(choice.touched);
    if (cell !== undefined) found.set(cell, [...(found.get(cell) ?? []), choice]);
  };
  if (picked === null) choices.filter((choice) => choice.touched.length === 1 && !isDrop(choice)).forEach(add);
  else if (picked.from === "cell") goesFrom(choices, picked.name).forEach(add);
  else choices.filter((choice) => dropLetter(choice)?.toUpperCase() === picked.letter.toUpperCase()).forEach(add);
  return found;
}

/** A click on a cell of a board whose moves are single steps. `piece` is what stands there. */
export function clickCell(choices: Choice[], picked: Picked | null, name: string, piece: Piece | null): Answer {
  const settle = (fitting: Choice[]): Answer | null => {
    if (fitting.length === 1) return { do: "play", choice: fitting[0] as Choice };
    return fitting.length > 1 ? { do: "choose", choices: fitting, at: name } : null;
  };
  if (picked !== null) {
    const played = settle(targets(choices, picked).get(name) ?? []);
    if (played) return played;
    if (picked.from === "cell" && picked.name === name) return { do: "pick", picked: null };
    if (sources(choices).has(name)) return { do: "pick", picked: { from: "cell", name } };
    const text = picked.from === "cell" ? picked.name + name : `${picked.letter}@${name}`;
    return choices.length > 0 ? { do: "refuse", text } : { do: "pick", picked: null };
  }
  const played = settle(putsOn(choices, name));
  if (played) return played;
  if (sources(choices).has(name)) return { do: "pick", picked: { from: "cell", name } };
  // Only boards where one puts things down can be clicked wrongly on an empty cell.
  const puts = choices.some((choice) => choice.touched.length === 1 && !isDrop(choice));
  return puts && piece === null ? { do: "refuse", text: name } : { do: "nothing" };
}

// Backgammon: a move is up to four steps, clicked one after another in any order.

export function stepsOf(choice: Choice): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at + 1 < choice.touched.length; at += 2) steps.push([choice.touched[at] as string, choice.touched[at + 1] as string]);
  return steps;
}

/** What is left of a move's steps when some are done; `null` if they are not part of it. A done step may join two that follow one another. */
export function remaining(steps: Step[], done: Step[]): Step[] | null {
  const first = done[0];
  if (first === undefined) return steps;
  const [from, to] = first;
  for (let at = 0; at < steps.length; at++) {
    const [stepFrom, stepTo] = steps[at] as Step;
    if (stepFrom !== from) continue;
    const left = steps.toSpliced(at, 1);
    const rest = stepTo === to ? remaining(left, done.slice(1)) : remaining(left, [[stepTo, to], ...done.slice(1)]);
    if (rest !== null) return rest;
  }
  return null;
}

/** Where a checker on `from` can still go, with the move texts that this leads to. */
export function stepTargets(choices: Choice[], done: Step[], from: string): Set<string> {
  const found = new Set<string>();
  for (const choice of choices) {
    const rest = remaining(stepsOf(choice), done);
    if (rest === null) continue;
    const follow = (at: string, left: Step[]) => {
      left.forEach(([stepFrom, stepTo], index) => {
        if (stepFrom !== at) return;
        found.add(stepTo);
        follow(stepTo, left.toSpliced(index, 1));
      });
    };
    follow(from, rest);
  }
  return found;
}

/** The cells a step can start from. */
export function stepSources(choices: Choice[], done: Step[]): Set<string> {
  return new Set(choices.flatMap((choice) => (remaining(stepsOf(choice), done) ?? []).map(([from]) => from)));
}

/** The move that is complete with these steps, if there is one. */
export const finished = (choices: Choice[], done: Step[]): Choice | undefined =>
  choices.find((choice) => choice.touched.length > 0 && remaining(stepsOf(choice), done)?.length === 0);

export function clickTrack(choices: Choice[], done: Step[], picked: Picked | null, name: string): Answer {
  if (picked?.from === "cell") {
    if (picked.name === name) return { do: "pick", picked: null };
    if (stepTargets(choices, done, picked.name).has(name)) {
      const steps: Step[] = [...done, [picked.name, name]];
      const choice = finished(choices, steps);
      return choice ? { do: "play", choice } : { do: "step", steps };
    }
  }
  return stepSources(choices, done).has(name) ? { do: "pick", picked: { from: "cell", name } } : { do: "pick", picked: null };
}
