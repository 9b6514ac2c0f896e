// From clicks to moves, without a browser: what the board's input makes of a list of legal moves.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { withModules } from "./modules.mjs";

let input, types, figures, settings, finish;
before(() => new Promise((ready) => {
  void withModules(async (load) => {
    [input, types, figures, { settings }] = await Promise.all(["/src/board/input.ts", "/src/learn/types.ts", "/src/ui/figures.ts", "/src/ui/settings.ts"].map(load));
    ready();
    await new Promise((done) => { finish = done; });
  });
}));
after(() => finish());

const move = (text, ...touched) => ({ move: text, label: text, touched });
const PAWN = { side: "first", shape: "pawn", letters: "P" };

test("a piece is picked up, put back, exchanged for another, and moved", () => {
  const choices = [move("e2e4", "e2", "e4"), move("e2e3", "e2", "e3"), move("d2d4", "d2", "d4")];
  const pick = (name) => ({ do: "pick", picked: name && { from: "cell", name } });
  const e2 = { from: "cell", name: "e2" };
  for (const [picked, cell, answer] of [
    [null, "e2", pick("e2")],
    [e2, "e2", pick(null)],
    [e2, "d2", pick("d2")],
    [e2, "e4", { do: "play", choice: choices[0] }],
    [e2, "e5", { do: "refuse", text: "e2e5" }],
    [null, "e5", { do: "nothing" }],
  ]) assert.deepEqual(input.clickCell(choices, picked, cell, PAWN), answer, `${picked?.name} ${cell}`);
});

test("a stone is put where it may be, and the server is asked about the rest", () => {
  const choices = [move("D4", "D4"), move("pass")];
  assert.deepEqual(input.clickCell(choices, null, "D4", null), { do: "play", choice: choices[0] });
  assert.deepEqual(input.clickCell(choices, null, "E5", null), { do: "refuse", text: "E5" });
  assert.deepEqual(input.bareChoices(choices), [choices[1]]);
});

test("several moves on the same cells open a choice; drops come from the hand alone", () => {
  const promotions = ["q", "r", "b", "n"].map((piece) => move(`e7e8${piece}`, "e7", "e8"));
  const answer = input.clickCell(promotions, { from: "cell", name: "e7" }, "e8", null);
  assert.equal(answer.do, "choose");
  assert.equal(answer.choices.length, 4);
  const drops = [move("P@e4", "e4"), move("N@e4", "e4"), move("N@f3", "f3")];
  assert.deepEqual(input.clickCell(drops, { from: "hand", letter: "N" }, "e4", null), { do: "play", choice: drops[1] });
  assert.equal(input.clickCell(drops, null, "e4", null).do, "nothing");
  assert.deepEqual([...input.droppable(drops)], ["P", "N"]);
});

test("steps of backgammon go in any order, and two may be one", () => {
  const choices = [move("8/5 6/5", "8", "5", "6", "5"), move("8/5 5/4", "8", "5", "5", "4"), move("24/23 13/10", "24", "23", "13", "10")];
  assert.deepEqual([...input.stepSources(choices, [])].sort(), ["13", "24", "5", "6", "8"]);
  assert.deepEqual([...input.stepTargets(choices, [], "8")].sort(), ["4", "5"]);
  const from = (name) => ({ from: "cell", name });
  assert.deepEqual(input.clickTrack(choices, [], from("6"), "5"), { do: "step", steps: [["6", "5"]] });
  assert.deepEqual(input.clickTrack(choices, [["6", "5"]], from("8"), "5"), { do: "play", choice: choices[0] });
  assert.deepEqual(input.clickTrack(choices, [], from("8"), "4"), { do: "play", choice: choices[1] });
  assert.deepEqual(input.clickTrack(choices, [], null, "1"), { do: "pick", picked: null });
});

test("accepted moves of lessons may hold a star", () => {
  for (const [patterns, text, fits] of [[["*"], "D4", true], [["C@*"], "C@b2", true], [["C@*"], "b2b3", false], [["*6/4"], "13/9 6/4", true], [["e2e4"], "e2e3", false]])
    assert.equal(types.accepts(patterns, text), fits, `${patterns} ${text}`);
});

test("numbers are written as people read them", () => {
  settings.set({ ...settings.value, language: "en" });
  assert.deepEqual([12, 1234, 45_678, 1_234_567].map(figures.short), ["12", "1.2k", "46k", "1.2M"]);
  assert.deepEqual([3_725_000, 65_000, 9_940].map(figures.clockText), ["1:02:05", "1:05", "9.9"]);
  assert.deepEqual([3.46, -0.8, 0.01].map((value) => figures.signed(value)), ["+3.5", "−0.8", "0.0"]);
  settings.set({ ...settings.value, language: "fr" });
  assert.deepEqual([figures.short(1234), figures.short(2000), figures.signed(-0.8), figures.signed(0.01)], ["1,2k", "2k", "−0,8", "0,0"]);
});
