// Two computers: a private link, a spectator, chat, offers, a lost connection, a killed server, a rematch.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { cellAt, clickSquares, post, startBrowser, startServer, visitor } from "./harness.mjs";

let server, browser;
before(async () => { [server, browser] = await Promise.all([startServer(), startBrowser()]); });
after(async () => { await browser?.close(); await server?.stop(); });

const status = (page, text) => page.locator(".status", { hasText: text }).waitFor();

test("a game by link, with a spectator, chat, a draw offered and declined, and a reload", async () => {
  const [white, black, third] = await Promise.all([visitor(browser, server.url), visitor(browser, server.url, { language: "fr" }), visitor(browser, server.url)]);
  const opened = await post(server.url, "/api/tables", { game: "chess", mode: "link", names: ["Ann"], clock: { kind: "fischer", mainMs: 300_000, incrementMs: 2000 } });
  await white.page.goto(`/t/${opened.id}#${opened.key}`);
  await status(white.page, "Waiting for the other player");
  // The key is not left in the address.
  assert.ok(!white.page.url().includes(opened.key));
  await black.page.goto(`/t/${opened.id}#${opened.otherKey}`);
  await third.page.goto(`/t/${opened.id}`);
  await status(white.page, "Your move");
  await white.page.getByText("1 looks on").waitFor();
  await clickSquares(white.page, "e2", "e4");
  await status(black.page, "À vous de jouer");
  await third.page.locator(".move", { hasText: "e4" }).waitFor();
  // Black sees the board from the other side.
  await clickSquares(black.page, "d2", "d4");
  await white.page.locator(".move", { hasText: "e5" }).waitFor();
  // A spectator cannot move.
  await clickSquares(third.page, "g1", "f3");
  assert.equal(await third.page.locator(".target").count(), 0);
  await white.page.getByPlaceholder("Say something").fill("Hello <b>there</b>");
  await white.page.keyboard.press("Enter");
  await black.page.locator(".chat li", { hasText: "Hello <b>there</b>" }).waitFor();
  await white.page.getByRole("button", { name: "Draw" }).click();
  await white.page.getByRole("button", { name: "Offer?" }).click();
  await black.page.getByText("Ann propose la nulle.").waitFor();
  await black.page.getByRole("button", { name: "Refuser" }).click();
  await white.page.getByText("Offered. Waiting").waitFor({ state: "detached" });
  // A reload finds everything again: seat, moves, clocks, chat.
  await white.page.reload();
  await status(white.page, "Your move");
  assert.equal(await white.page.locator(".moves .move:not(.move-start)").count(), 2);
  assert.equal(await white.page.locator(".clock").count(), 2);
  await white.page.locator(".chat li", { hasText: "Hello" }).waitFor();
  // No analysis while the game is on.
  assert.ok(await white.page.getByRole("button", { name: "Analysis", exact: true }).isDisabled());
  await black.page.getByRole("button", { name: "Abandon" }).click();
  await black.page.getByRole("button", { name: "Sûr ?" }).click();
  await status(white.page, "White wins: Black resigned.");
  await white.page.getByRole("button", { name: "Rematch" }).click();
  await black.page.getByText("Ann aimerait une autre partie.").waitFor();
  await black.page.getByRole("button", { name: "Accepter" }).click();
  await black.page.waitForURL((url) => url.pathname.startsWith("/t/") && !url.pathname.endsWith(opened.id));
  for (const { context, errors } of [white, black, third]) { assert.deepEqual(errors, []); await context.close(); }
});

test("a count that the other side has just changed is not agreed on", async () => {
  const [black, white] = await Promise.all([visitor(browser, server.url), visitor(browser, server.url)]);
  const position = "OO1X1O3/3X1O3/XXXX1O3/4XO3/4XO3/3XXO3/3XO4/3XO4/3XO4 b - 0 0 0 7.5 chinese 0";
  const opened = await post(server.url, "/api/tables", { game: "go9", mode: "link", setup: { position } });
  // White's page hears nothing new while it is held: as if the line were slow.
  await white.page.addInitScript(() => {
    const Real = WebSocket;
    window.WebSocket = class extends Real {
      set onmessage(hear) { super.onmessage = (message) => { if (window.held) window.held.push(message); else hear(message); }; window.release = () => { const late = window.held; window.held = null; late.forEach(hear); }; }
    };
  });
  await black.page.goto(`/t/${opened.id}#${opened.key}`);
  await white.page.goto(`/t/${opened.id}#${opened.otherKey}`);
  await status(black.page, "Your move");
  await black.page.getByRole("button", { name: "Pass", exact: true }).click();
  await status(white.page, "Your move");
  await white.page.getByRole("button", { name: "Pass", exact: true }).click();
  const agree = (page) => page.locator(".counting").getByRole("button", { name: "Agree" });
  await agree(white.page).and(white.page.locator(":enabled")).waitFor();
  await white.page.evaluate(() => { window.held = []; });
  const points = () => white.page.locator(".count-side b").allTextContents();
  const seen = await points();
  await black.page.mouse.click(...(await cellAt(black.page, 0, 0, 9, 9, 40)));
  await black.page.waitForFunction((seen) => [...document.querySelectorAll(".count-side b")].map((one) => one.textContent).join() !== seen, seen.join());
  await agree(white.page).click();
  await agree(black.page).click();
  await white.page.evaluate(() => window.release());
  await white.page.locator(".toast", { hasText: "just changed" }).waitFor();
  assert.notDeepEqual(await points(), seen, "the new count is shown");
  await status(white.page, "Counting");
  // Having seen it, White agrees.
  await agree(white.page).click();
  for (const { page, context, errors } of [white, black]) { await page.locator(".status-over").waitFor(); assert.deepEqual(errors, []); await context.close(); }
});

test("no analysis in a second tab, nor in a sandbox of one's own game", async () => {
  const { page, context } = await visitor(browser, server.url);
  const opened = await post(server.url, "/api/tables", { game: "chess", mode: "link", moves: ["e4", "e5"] });
  const [white, black] = [await context.newPage(), await context.newPage()];
  await white.goto(`/t/${opened.id}#${opened.key}`);
  await black.goto(`/t/${opened.id}#${opened.otherKey}`);
  await status(white, "Your move");
  const stranger = await visitor(browser, server.url);
  await stranger.page.goto(`/t/${opened.id}`);
  assert.ok(await stranger.page.getByRole("button", { name: "Analysis", exact: true }).isDisabled());
  const sandbox = await post(server.url, "/api/tables", { game: "chess", mode: "sandbox", moves: ["e4", "e5"] });
  await page.goto(`/t/${sandbox.id}#${sandbox.key}`);
  await page.locator(".move", { hasText: "e5" }).click();
  await page.locator(".toast", { hasText: "no help from the machine before" }).waitFor();
  await stranger.context.close();
  await context.close();
});

test("a lost connection comes back by itself", async () => {
  const { page, context } = await visitor(browser, server.url);
  const opened = await post(server.url, "/api/tables", { game: "tictactoe", mode: "here" });
  await page.goto(`/t/${opened.id}#${opened.key}`);
  await status(page, "X to move");
  if (server.own) {
    // The server is killed in the middle of a game; nothing is lost.
    await page.locator("summary", { hasText: "The board as text" }).click();
    await page.getByLabel("Type a move").fill("b2");
    await page.getByRole("button", { name: "Play it" }).click();
    await status(page, "O to move");
    await server.restart();
    await page.getByText("Connection lost").waitFor({ state: "detached" });
    await status(page, "O to move");
    await page.getByLabel("Type a move").fill("a1");
    await page.getByRole("button", { name: "Play it" }).click();
    await status(page, "X to move");
  }
  await context.close();
});

test("a table that does not exist says so", async () => {
  const { page, context } = await visitor(browser, server.url);
  await page.goto("/t/nothing-here");
  await page.getByText("This table does not exist").waitFor();
  await context.close();
});
