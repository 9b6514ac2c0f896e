// Sandbox, analysis, library, lessons and runs, as a visitor meets them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { cellAt, clickSquares, pieces, post, sitAt, startBrowser, startServer, visitor } from "./harness.mjs";

let server, browser;
before(async () => { [server, browser] = await Promise.all([startServer(), startBrowser()]); });
after(async () => { await browser?.close(); await server?.stop(); });

const status = (page, text) => page.locator(".status", { hasText: text }).waitFor();

test("variations, comments, marks and deleting", async () => {
  const { page, context, errors } = await visitor(browser, server.url);
  await sitAt(page, server.url, { game: "chess", mode: "sandbox", moves: ["e2e4", "e7e5"] });
  await page.keyboard.press("a");
  await page.keyboard.press("End");
  await page.locator(".move[aria-current]", { hasText: "e5" }).waitFor();
  await page.keyboard.press("ArrowLeft");
  await status(page, "Black to move");
  await clickSquares(page, "c7", "c5");
  await page.locator(".branches .move", { hasText: "c5" }).waitFor();
  await page.keyboard.press("ArrowUp");
  await page.locator(".move[aria-current]", { hasText: "e5" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.locator(".move[aria-current]", { hasText: "c5" }).waitFor();
  await page.getByLabel("Comment").first().fill("The Sicilian.");
  await page.getByLabel("Comment").first().blur();
  await page.locator(".moves").getByText("The Sicilian.").waitFor();
  await page.getByRole("button", { name: "triangle" }).click();
  await page.mouse.click(...(await cellAt(page, 3, 4, 8, 8)));
  await page.locator(".mark-triangle").waitFor();
  await page.getByRole("button", { name: "Make main line" }).click();
  await page.locator(".move-row .move", { hasText: "c5" }).waitFor();
  await page.getByRole("button", { name: "Delete from here" }).click();
  await page.getByRole("button", { name: "Delete?" }).click();
  await page.locator(".move", { hasText: "c5" }).waitFor({ state: "detached" });
  assert.deepEqual(errors, []);
  await context.close();
});

test("analysis shows candidates on the board and can be hidden", async () => {
  const { page, context, errors } = await visitor(browser, server.url);
  await sitAt(page, server.url, { game: "connect4", mode: "sandbox", moves: ["4", "1", "4", "1", "4"] });
  await page.locator(".candidate").first().waitFor();
  await page.getByRole("region", { name: "Analysis" }).locator(".candidates tbody tr").first().waitFor();
  await page.locator(".verdict strong").waitFor();
  await page.keyboard.press("a");
  await page.locator(".candidate").first().waitFor({ state: "detached" });
  assert.deepEqual(errors, []);
  await context.close();
});

test("a review finds the mistake and shows the better move", async () => {
  const { page, context } = await visitor(browser, server.url);
  // Black overlooks mate in one.
  await sitAt(page, server.url, { game: "chess", mode: "sandbox", moves: ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"] });
  await page.getByRole("button", { name: "Find mistakes" }).click();
  await page.locator(".glyph", { hasText: "?" }).first().waitFor({ timeout: 60_000 });
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached", timeout: 60_000 });
  await page.keyboard.press("a");
  await page.keyboard.press("n");
  await page.locator(".judged", { hasText: "Better was" }).waitFor();
  await page.locator(".badge-bad").waitFor();
  await context.close();
});

test("any position can be set up, and refused with the reason", async () => {
  const { page, context } = await visitor(browser, server.url);
  await sitAt(page, server.url, { game: "chess", mode: "sandbox" });
  await page.getByRole("button", { name: "Set up a position" }).click();
  await page.getByRole("button", { name: "Clear the board" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".piece:not(.leaving)").length === 2);
  await page.getByRole("button", { name: "Start position" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".piece:not(.leaving)").length === 32);
  await page.getByRole("button", { name: "Empty", exact: true }).click();
  await clickSquares(page, "a2");
  await page.waitForFunction(() => document.querySelectorAll(".piece:not(.leaving)").length === 31);
  await page.getByRole("button", { name: "Use this position" }).click();
  await page.getByRole("region", { name: "Sandbox" }).waitFor();
  assert.equal((await pieces(page)).length, 31);
  await context.close();
});

test("PGN, SGF and FEN are pasted and opened; a game is saved", async () => {
  const { page, context } = await visitor(browser, server.url);
  for (const [text, board, seen] of [
    ['[White "Ann"]\n[Black "Bea"]\n\n1. e4 e5 2. Nf3 *', "chequered", "Nf3"],
    ["(;GM[1]FF[4]SZ[9]KM[7];B[ee];W[ce])", "points", "C5"],
  ]) {
    await page.goto("/analyse");
    await page.locator("textarea").fill(text);
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.locator(`.board-${board}`).waitFor();
    await page.locator(".move", { hasText: seen }).waitFor();
  }
  await page.goto("/analyse");
  await page.locator("textarea").fill("8/8/8/8/8/k7/4P3/4K3 w - - 0 1");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.locator(".board-chequered").waitFor();
  assert.deepEqual((await pieces(page)).sort(), ["a3", "e1", "e2"]);
  await page.getByRole("button", { name: "Share, save" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "PGN" }).first().click();
  assert.match((await download).suggestedFilename(), /\.pgn$/);
  await page.goto("/analyse");
  await page.locator("textarea").fill("this is no game");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.locator(".toast-trouble").waitFor();
  await context.close();
});

test("a file that is dropped is opened", async () => {
  const { page, context, errors } = await visitor(browser, server.url);
  await page.goto("/library");
  await page.locator(".library").waitFor();
  const files = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(["(;GM[1]FF[4]SZ[9]KM[7];B[ee];W[ce];B[cc])"], "game.sgf", { type: "application/x-go-sgf" }));
    return data;
  });
  await page.dispatchEvent(".library", "dragover", { dataTransfer: files });
  await page.dispatchEvent(".library", "drop", { dataTransfer: files });
  await page.locator(".board-points").waitFor();
  await page.locator(".move", { hasText: "C7" }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test("a finished game is in the library, can be replayed and opened", async () => {
  const { page, context, errors } = await visitor(browser, server.url, { settings: { textBoard: true } });
  await sitAt(page, server.url, { game: "tictactoe", mode: "here", names: ["Ann", "Bea"] });
  for (const move of ["b2", "a1", "c2", "a3", "a2"]) {
    await page.getByLabel("Type a move").fill(move);
    await page.getByRole("button", { name: "Play it" }).click();
    await page.locator(".move", { hasText: move }).waitFor();
  }
  await status(page, "X wins");
  await page.goto("/library");
  await page.getByRole("button", { name: "Ann – Bea" }).first().click();
  // All games as training data: one JSON object a line.
  const link = page.getByRole("link", { name: /Export all that match/ });
  assert.equal(await link.getAttribute("download"), "tengen-games.jsonl");
  const file = await link.evaluate((one) => fetch(one.href).then((response) => response.text()));
  const lines = file.trim().split("\n").map((line) => JSON.parse(line));
  assert.ok(lines.every((game) => game.ending !== null), "finished games only");
  assert.ok(lines.some((game) => game.game === "tictactoe" && game.players.join() === "Ann,Bea" && game.moves.length === 5), JSON.stringify(lines[0]));
  await page.locator(".library-preview .board").waitFor();
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await page.locator(".walk-at", { hasText: "4 / 5" }).waitFor();
  await page.getByLabel("Game").selectOption("chess");
  await page.getByRole("button", { name: "Ann – Bea" }).first().waitFor({ state: "detached" });
  await page.getByLabel("Game").selectOption("tictactoe");
  await page.getByRole("button", { name: "Ann – Bea" }).first().click();
  await page.getByRole("button", { name: "Open in analysis" }).click();
  await page.getByRole("region", { name: "Sandbox" }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test("a lesson is judged: wrong, then right, and remembered", async () => {
  const { page, context, errors } = await visitor(browser, server.url);
  await page.goto("/learn/chess");
  await page.getByRole("heading", { name: "The rook" }).waitFor();
  await page.locator(".piece").first().waitFor();
  await clickSquares(page, "d2", "d3");
  await page.getByText("Not that one.").waitFor();
  await page.getByText("Not that one.").waitFor({ state: "detached" });
  await clickSquares(page, "d2", "d5");
  await page.getByText("Right.").waitFor();
  await page.getByRole("button", { name: "Next lesson" }).click();
  await page.getByRole("heading", { name: "The bishop" }).waitFor();
  await page.goto("/learn");
  await page.getByText("1 of 13").waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test("every lesson begins from a position that the server accepts, and can be solved", async () => {
  const { withModules } = await import("./modules.mjs");
  await withModules(async (load) => {
    const { LESSONS } = await load("/src/learn/lessons/index.ts");
    for (const [family, lessons] of Object.entries(LESSONS)) {
      for (const lesson of lessons) {
        const start = { game: lesson.game, setup: lesson.setup ?? {}, moves: lesson.moves ?? [] };
        const view = await post(server.url, "/api/judge", start);
        if (lesson.goal.kind === "win") continue;
        assert.ok(view.legal.some(({ move }) => move === lesson.show), `${family}/${lesson.id}: ${lesson.show} is not legal`);
        const next = await post(server.url, "/api/judge", { ...start, moves: [...start.moves, lesson.show] });
        if (lesson.goal.kind === "outcome" && !lesson.goal.replies) assert.equal(next.result?.winner, lesson.goal.winner, `${family}/${lesson.id}`);
      }
    }
  });
});

test("a search is shown step by step on the position of a game", async () => {
  const { page, context, errors } = await visitor(browser, server.url);
  await sitAt(page, server.url, { game: "tictactoe", mode: "here", moves: ["b2", "a1", "c2", "a2"] });
  await page.getByRole("button", { name: "How it thinks" }).click();
  await page.getByText("The position comes from the game").waitFor();
  await page.locator(".explain-stage .tx-node").first().waitFor();
  await page.getByRole("radio", { name: "Monte-Carlo tree search" }).check();
  await page.locator(".explain-stage .tx-node").first().waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});
