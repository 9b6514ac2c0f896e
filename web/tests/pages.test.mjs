// Every page in both languages, on a desk and on the smallest phone: it says what it is for, and nothing overflows or fails.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DESK, SMALL, startBrowser, startServer, visitor } from "./harness.mjs";

let server, browser;
before(async () => { [server, browser] = await Promise.all([startServer(), startBrowser()]); });
after(async () => { await browser?.close(); await server?.stop(); });

const PAGES = [
  ["/", "What shall we play?", "À quoi jouons-nous ?"],
  ["/analyse", "Analyse a game or a position", "Analyser une partie ou une position"],
  ["/library", "Library", "Parties"],
  ["/learn", "Learn", "Apprendre"],
  ["/learn/go", "A stone on a crossing", "Une pierre sur une intersection"],
  ["/learn/machine", "How the machine thinks", "Comment pense la machine"],
  ["/watch", "Watch", "Observer"],
  ["/settings", "Settings", "Réglages"],
];

for (const [language, column] of [["en", 1], ["fr", 2]]) {
  for (const [size, options] of [["desk", DESK], ["phone of 320 pixels", SMALL]]) {
    test(`pages in ${language} on a ${size}`, async () => {
      const { page, context, errors } = await visitor(browser, server.url, { language, ...options });
      for (const entry of PAGES) {
        await page.goto(entry[0]);
        await page.getByRole("heading", { level: 1, name: entry[column] }).waitFor();
        await page.waitForLoadState("networkidle");
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= options.viewport.width, `${entry[0]} is ${width} pixels wide`);
        assert.equal(await page.evaluate(() => document.documentElement.lang), language);
      }
      assert.deepEqual(errors, []);
      await context.close();
    });
  }
}

test("the first load is small and quick", async () => {
  const { page, context } = await visitor(browser, server.url);
  await page.goto("/");
  await page.locator(".card-play").first().waitFor();
  const sizes = await page.evaluate(() => performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation")).filter((entry) => !entry.name.includes("/demo")).map((entry) => entry.encodedBodySize));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(total > 10_000 && total <= 250_000, `${total} bytes`);
  // The best of a few: what counts is what the page needs, not what else the machine was doing.
  let ready = Infinity;
  for (let load = 0; load < 5 && ready >= 1000; load++) {
    await page.reload();
    await page.locator(".card-play").first().waitFor();
    ready = Math.min(ready, await page.evaluate(() => performance.now()));
  }
  assert.ok(ready < 1000, `interactive after ${Math.round(ready)} ms`);
  await context.close();
});

test("choices are remembered and applied before anything is drawn", async () => {
  const { page, context } = await visitor(browser, server.url);
  await page.goto("/settings");
  await page.getByRole("radio", { name: "dark" }).first().check();
  await page.getByRole("radio", { name: "Français" }).check();
  await page.getByRole("heading", { name: "Réglages" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Réglages" }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await context.close();
});

test("everything that can be pressed is large enough and has a name", async () => {
  const { page, context } = await visitor(browser, server.url, { ...SMALL });
  for (const path of ["/", "/settings", "/library", "/analyse"]) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    const small = await page.locator("button, a, select, input:not([type=radio])").evaluateAll((list) => list
      .filter((one) => one.offsetParent !== null && !one.closest(".sr-only, p") && !one.classList.contains("skip") && !one.classList.contains("sr-only"))
      .map((one) => ({ box: one.getBoundingClientRect(), name: one.textContent || one.getAttribute("aria-label") || one.id }))
      .filter(({ box }) => Math.min(box.width, box.height) < 39.5 && box.height > 0)
      .map(({ box, name }) => `${name}: ${Math.round(box.width)}x${Math.round(box.height)}`));
    assert.deepEqual(small.filter((name) => !name.startsWith("Tengen")), [], path);
    const nameless = await page.getByRole("button", { name: /^$/ }).count();
    assert.equal(nameless, 0, `${path}: buttons without a name`);
  }
  await context.close();
});

test("the list of keys opens with a question mark", async () => {
  const { page, context } = await visitor(browser, server.url);
  await page.goto("/");
  await page.locator(".card-play").first().waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByText("flip the board").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await context.close();
});
